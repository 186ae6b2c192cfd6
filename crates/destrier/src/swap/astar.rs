//! A* over positions: always the one for which moves made plus lower bound is least.
//!
//! The bound changes by at most one per move and never overestimates, so the first plan is a shortest
//! one and no position is expanded twice. Among equals the deepest comes first. Only canonical images
//! of positions are kept; the plan is unfolded from them at the end.
//!
//! Invariant: a position's entry is twice the length of some path to it, plus one once it is expanded.
//! Cost: about 12 bytes per position for two colours to 31 vertices, and the open list.
//! Source: Hart, Nilsson and Raphael 1968; Dial 1969 (buckets).

use super::bound::INFINITE;
use super::instance::Step;
use super::key::Key;
use super::moves::{Child, Direction, MoveGenerator};
use super::symmetry::Symmetries;
use super::table::Index;
use crate::run::watch::{Halt, Ticker};

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A shortest plan.
    Plan(Vec<Step>),
    /// Every position that can be reached was visited, and none is a goal.
    Exhausted,
    /// No plan is shorter than the known one.
    NoneShorter,
    /// A limit on memory or positions was reached; every plan has at least this many moves.
    Limit { lower: u16 },
}

/// Searches with at most `most` positions kept; `nodes` counts those expanded.
pub(super) fn astar<K: Key>(
    generator: &mut MoveGenerator<K>,
    symmetries: &Symmetries<K>,
    most: usize,
    nodes: &mut u64,
    ticker: &mut Ticker,
) -> Result<Found, (Halt, u16)> {
    let start = symmetries.canonical(generator.start());
    let first = generator.value(start);
    if first == INFINITE {
        return Ok(Found::Exhausted);
    }
    let mut depths = Index::<K>::new();
    depths.insert(start, 0);
    let mut open: Vec<Vec<(K, u16)>> = vec![vec![(start, 0)]];
    let mut children: Vec<Child<K>> = Vec::new();
    let mut excess = 0;
    while excess < open.len() {
        let Some((key, made)) = open[excess].pop() else {
            excess += 1;
            continue;
        };
        let entry = depths.entry(key, 0).0;
        if *entry != u32::from(made) << 1 {
            continue;
        }
        *entry |= 1;
        let lower = first + as_u16(excess);
        generator.tick(ticker).map_err(|halt| (halt, lower))?;
        *nodes += 1;
        if generator.expand(key, Direction::Forward, &mut children) == 0 {
            let is_at = |key, depth| depths.get(key).is_some_and(|e| e >> 1 == u32::from(depth));
            return Ok(Found::Plan(unfold(generator, symmetries, key, made, is_at)));
        }
        for child in &children {
            if child.value == INFINITE {
                continue;
            }
            let next = symmetries.canonical(child.key);
            let (entry, is_new) = depths.entry(next, u32::from(made + 1) << 1);
            if !is_new {
                if *entry >> 1 <= u32::from(made + 1) {
                    continue;
                }
                *entry = u32::from(made + 1) << 1;
            }
            // Never a bucket that has been left, whatever the bound.
            let bucket = usize::from((made + 1 + child.value).saturating_sub(first)).max(excess);
            if bucket >= open.len() {
                open.resize(bucket + 1, Vec::new());
            }
            open[bucket].push((next, made + 1));
        }
        if depths.len() > most {
            return Ok(Found::Limit { lower });
        }
    }
    Ok(Found::Exhausted)
}

#[expect(clippy::cast_possible_truncation, reason = "plans are far shorter than 65,536 moves")]
fn as_u16(x: usize) -> u16 {
    x as u16
}

/// The plan to `last`, a canonical image at depth `made`; `is_at` tells whether one is at a depth.
pub(super) fn unfold<K: Key>(
    generator: &mut MoveGenerator<K>,
    symmetries: &Symmetries<K>,
    last: K,
    made: u16,
    is_at: impl Fn(K, u16) -> bool,
) -> Vec<Step> {
    let mut children = Vec::new();
    let mut path = vec![last];
    let mut here = last;
    for depth in (0..made).rev() {
        generator.expand(here, Direction::Backward, &mut children);
        here = children
            .iter()
            .map(|child| symmetries.canonical(child.key))
            .find(|&key| is_at(key, depth))
            .expect("every position was reached from one a move nearer");
        path.push(here);
    }
    path.reverse();
    retrace(generator, symmetries, &path)
}

/// The jumps along a path that is given by canonical images of its positions.
pub(super) fn retrace<K: Key>(
    generator: &mut MoveGenerator<K>,
    symmetries: &Symmetries<K>,
    path: &[K],
) -> Vec<Step> {
    let mut children = Vec::new();
    let mut plan = Vec::new();
    let mut here = generator.start();
    for &next in &path[1..] {
        generator.expand(here, Direction::Forward, &mut children);
        let child = children
            .iter()
            .find(|child| symmetries.canonical(child.key) == next)
            .expect("images of neighbours are neighbours");
        plan.extend(generator.jumps(here, child.from, child.to));
        here = child.key;
    }
    plan
}
