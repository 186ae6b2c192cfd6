//! A narrow search that keeps only the most promising positions of each layer.
//!
//! On the plateau, where every move lowers the bound by one, a plan that arrives is as short as the
//! bound and so proved shortest. Off the plateau the plan is only an upper bound. Promising is what
//! needs least, and among equals what has most moves that lower the bound.
//!
//! Invariant: every kept position came from a kept position of the layer before.
//! Cost: `width` positions a layer; each is expanded twice.
//! After: Lowerre's beam search, 1976; mobility as in the project's notes.

use super::arena::Step;
use super::astar::retrace;
use super::bound::HOPELESS;
use super::key::Key;
use super::mirror::Mirrors;
use super::steps::{Child, Steps, Way};
use super::table::Set;
use crate::watch::{Halt, Pulse};

/// A candidate for the next layer.
#[derive(Clone, Copy)]
struct Hope<K> {
    rank: u64,
    key: K,
    value: u16,
    parent: u32,
}

/// A plan of at most `first + slack` moves, where `first` is the bound of the start, if a beam of
/// this width finds one.
pub(super) fn beam<K: Key>(
    steps: &mut Steps<K>,
    mirrors: &Mirrors<K>,
    width: usize,
    slack: u16,
    nodes: &mut u64,
    pulse: &mut Pulse,
) -> Result<Option<Vec<Step>>, Halt> {
    let start = mirrors.least(steps.start());
    let first = steps.value(start);
    if first == HOPELESS {
        return Ok(None);
    }
    if first == 0 {
        return Ok(Some(Vec::new()));
    }
    let limit = first.saturating_add(slack);
    let mut layers: Vec<Vec<(K, u16, u32)>> = vec![vec![(start, first, 0)]];
    let mut seen = Set::<K>::new();
    seen.insert(start, start.mix());
    let mut children: Vec<Child<K>> = Vec::new();
    let mut grandchildren: Vec<Child<K>> = Vec::new();
    for made in 1..=limit {
        let mut hopes: Vec<Hope<K>> = Vec::new();
        let layer = layers.last().expect("there is a first layer");
        for (parent, &(key, _, _)) in (0u32..).zip(layer) {
            pulse.beat()?;
            *nodes += 1;
            steps.expand(key, Way::Onward, &mut children);
            for child in &children {
                if child.value == HOPELESS || child.value + made > limit {
                    continue;
                }
                let key = mirrors.least(child.key);
                let hash = key.mix();
                if !seen.insert(key, hash) {
                    continue;
                }
                if child.value == 0 {
                    let mut way = vec![key];
                    let mut at = parent;
                    for layer in layers.iter().rev() {
                        let (key, _, before) = layer[at as usize];
                        way.push(key);
                        at = before;
                    }
                    way.reverse();
                    return Ok(Some(retrace(steps, mirrors, &way)));
                }
                let value = steps.expand(key, Way::Onward, &mut grandchildren);
                let lowering = grandchildren.iter().filter(|next| next.value < value).count();
                if lowering == 0 && slack == 0 {
                    continue;
                }
                // Least value first, then most lowering moves, then by hash, which is as good as chance.
                let rank = u64::from(value) << 48 | (0xFFFF - lowering as u64) << 32 | hash >> 32;
                hopes.push(Hope { rank, key, value, parent });
            }
        }
        if hopes.is_empty() {
            return Ok(None);
        }
        if hopes.len() > width {
            hopes.select_nth_unstable_by_key(width, |hope| hope.rank);
            hopes.truncate(width);
        }
        layers.push(hopes.iter().map(|hope| (hope.key, hope.value, hope.parent)).collect());
    }
    Ok(None)
}
