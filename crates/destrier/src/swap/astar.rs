//! A* over positions: always the one whose moves made and moves needed are fewest together.
//!
//! The bound changes by at most one a move and never overestimates, so the first plan is a shortest
//! one and no position is expanded twice. Among equals the deepest comes first. Only the least of
//! all images of a position is kept; the plan is unfolded from them at the end.
//!
//! Invariant: a position's filed number is twice the length of some way there, plus one once expanded.
//! Cost: about 12 bytes a position for two colours to 31 squares, and the open list.
//! After: Hart, Nilsson and Raphael 1968; Dial's buckets.

use super::arena::Step;
use super::bound::HOPELESS;
use super::key::Key;
use super::mirror::Mirrors;
use super::steps::{Child, Steps, Way};
use super::table::Index;
use crate::run::watch::{Halt, Ticker};

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A shortest plan.
    Plan(Vec<Step>),
    /// Every position that can be reached was seen, and no goal among them.
    Nothing,
    /// No plan is shorter than the one that was known.
    NoneBelow,
    /// No room (or no patience) for more; every plan has at least this many moves.
    Full { lower: u16 },
}

/// Search with at most `most` positions kept. `nodes` counts those expanded.
pub(super) fn astar<K: Key>(
    steps: &mut Steps<K>,
    mirrors: &Mirrors<K>,
    most: usize,
    nodes: &mut u64,
    ticker: &mut Ticker,
) -> Result<Found, (Halt, u16)> {
    let start = mirrors.least(steps.start());
    let first = steps.value(start);
    if first == HOPELESS {
        return Ok(Found::Nothing);
    }
    let mut filed = Index::<K>::new();
    filed.insert(start, 0);
    let mut open: Vec<Vec<(K, u16)>> = vec![vec![(start, 0)]];
    let mut children: Vec<Child<K>> = Vec::new();
    let mut over = 0;
    while over < open.len() {
        let Some((key, made)) = open[over].pop() else {
            over += 1;
            continue;
        };
        let number = filed.entry(key, 0).0;
        if *number != u32::from(made) << 1 {
            continue;
        }
        *number |= 1;
        let lower = first + as_u16(over);
        steps.tick(ticker).map_err(|halt| (halt, lower))?;
        *nodes += 1;
        if steps.expand(key, Way::Onward, &mut children) == 0 {
            return Ok(Found::Plan(unfold(
                steps,
                mirrors,
                made,
                |key| filed.get(key).map(|number| as_u16((number >> 1) as usize)),
                key,
            )));
        }
        for child in &children {
            if child.value == HOPELESS {
                continue;
            }
            let next = mirrors.least(child.key);
            let (number, new) = filed.entry(next, u32::from(made + 1) << 1);
            if !new {
                if *number >> 1 <= u32::from(made + 1) {
                    continue;
                }
                *number = u32::from(made + 1) << 1;
            }
            let bucket = usize::from((made + 1 + child.value).saturating_sub(first));
            if bucket >= open.len() {
                open.resize(bucket + 1, Vec::new());
            }
            open[bucket].push((next, made + 1));
        }
        if filed.len() > most {
            return Ok(Found::Full { lower });
        }
    }
    Ok(Found::Nothing)
}

#[expect(clippy::cast_possible_truncation, reason = "plans are far shorter than 65,536 moves")]
fn as_u16(x: usize) -> u16 {
    x as u16
}

/// The plan to `last`, a least image at depth `made`, from the depths filed of least images.
pub(super) fn unfold<K: Key>(
    steps: &mut Steps<K>,
    mirrors: &Mirrors<K>,
    made: u16,
    depth: impl Fn(K) -> Option<u16>,
    last: K,
) -> Vec<Step> {
    let mut children = Vec::new();
    let mut way = vec![last];
    let mut here = last;
    for before in (0..made).rev() {
        steps.expand(here, Way::Back, &mut children);
        here = children
            .iter()
            .map(|child| mirrors.least(child.key))
            .find(|&key| depth(key) == Some(before))
            .expect("every filed position was reached from one a move nearer");
        way.push(here);
    }
    way.reverse();
    retrace(steps, mirrors, &way)
}

/// The jumps along a way that is known by the least images of its positions.
pub(super) fn retrace<K: Key>(steps: &mut Steps<K>, mirrors: &Mirrors<K>, way: &[K]) -> Vec<Step> {
    let mut children = Vec::new();
    let mut plan = Vec::new();
    let mut here = steps.start();
    for &next in &way[1..] {
        steps.expand(here, Way::Onward, &mut children);
        let child = children
            .iter()
            .find(|child| mirrors.least(child.key) == next)
            .expect("images of neighbours are neighbours");
        plan.extend(steps.jumps(here, child.from, child.to));
        here = child.key;
    }
    plan
}
