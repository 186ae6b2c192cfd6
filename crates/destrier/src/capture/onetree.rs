//! Lower bounds for all plans, by spanning trees under potentials.
//!
//! A plan is a spanning tree of the stops. Give each stop a potential and charge an edge its length
//! minus the potentials of its ends: the cheapest tree, the cheapest end and twice all potentials
//! bound every plan from below. Potentials rise at stops with one edge and fall at stops with three,
//! until the tree resembles a path. They are integers (in 1/1024 of a move), so the bound is exact.
//!
//! Invariant: `bound` is a true lower bound, in units of `1/SCALE` moves, for any potentials.
//! Cost: `q²` per tree, a few hundred trees.
//! Source: Held and Karp (1970, 1971); Helsgaun (2000) for the extra cost of an edge.

use super::metric::{Ending, Metric};
use crate::run::watch::{Halt, Ticker};

/// Potentials are in units of this fraction of a move.
pub(crate) const SCALE: i64 = 1024;

/// An ascent ends after this many trees.
const MOST_TREES: usize = 400;

/// The best potentials found for one ending.
#[derive(Debug, Clone)]
pub(crate) struct Ascent {
    /// One potential per stop, in `1/SCALE` moves.
    pub(crate) potentials: Vec<i32>,
    /// The bound they give, in `1/SCALE` moves.
    pub(crate) bound: i64,
}

/// A cheapest spanning tree: for each stop but the start its parent, in the order of joining.
#[derive(Debug, Clone, Default)]
struct Tree {
    parent: Vec<u32>,
    joined: Vec<u32>,
}

/// Prim's algorithm on the whole table, under potentials. Returns the charged length.
fn span(
    metric: &Metric,
    potentials: &[i32],
    tree: &mut Tree,
    ticker: &mut Ticker<'_>,
) -> Result<i64, Halt> {
    let stops = metric.stops();
    tree.parent.clear();
    tree.parent.resize(stops, 0);
    tree.joined.clear();
    tree.joined.push(0);
    let mut open: Vec<u32> = (1..stops as u32).collect();
    let mut key = vec![i32::MAX; stops];
    let mut length = 0i64;
    let mut last = 0usize;
    while !open.is_empty() {
        if open.len().is_multiple_of(512) {
            ticker.check()?;
        }
        let row = metric.row(last);
        let lift = potentials[last];
        let (mut cheapest, mut pick) = (i32::MAX, 0);
        for (k, &stop) in open.iter().enumerate() {
            let v = stop as usize;
            let charge = i32::from(row[v]) * SCALE as i32 - lift - potentials[v];
            if charge < key[v] {
                key[v] = charge;
                tree.parent[v] = last as u32;
            }
            if key[v] < cheapest {
                cheapest = key[v];
                pick = k;
            }
        }
        last = open.swap_remove(pick) as usize;
        tree.joined.push(last as u32);
        length += i64::from(cheapest);
    }
    Ok(length)
}

/// Raises the bound from the given potentials until it exceeds `goal` (in moves) or stops rising.
/// Each better bound is reported with its potentials, in case the run is halted on the way.
pub(crate) fn ascend(
    metric: &Metric,
    ending: &Ending,
    from: &[i32],
    goal: u32,
    ticker: &mut Ticker<'_>,
    mut report: impl FnMut(&[i32], i64),
) -> Result<Ascent, Halt> {
    let stops = metric.stops();
    let mut potentials = from.to_vec();
    let mut best = Ascent { potentials: potentials.clone(), bound: i64::MIN };
    let mut tree = Tree::default();
    let mut before = vec![0i32; stops];
    let mut lambda = 2.0f64;
    let mut stale = 0;
    let goal = i64::from(goal) * SCALE;
    for _ in 0..MOST_TREES {
        ticker.tick()?;
        ticker.check()?; // a tree takes long compared with reading the clock
        let mut excess = vec![-2i32; stops];
        let bound = evaluate(metric, ending, &potentials, &mut tree, &mut excess, ticker)?;
        if bound > best.bound {
            if bound < best.bound + SCALE / 50 {
                stale += 1;
            } else {
                stale = 0;
            }
            best.bound = bound;
            best.potentials.clone_from(&potentials);
            report(&potentials, bound);
            if bound > goal {
                break;
            }
        } else {
            stale += 1;
        }
        if stale >= 12 {
            stale = 0;
            lambda *= 0.6;
            potentials.clone_from(&best.potentials);
            if lambda < 0.02 {
                break;
            }
            before.fill(0);
            continue;
        }
        let square: i64 = excess.iter().map(|&e| i64::from(e) * i64::from(e)).sum();
        if square == 0 {
            break;
        }
        let gap = (goal + SCALE - bound).max(SCALE) as f64;
        let step = lambda * gap / square as f64;
        for v in 0..stops {
            let turn = 0.7 * f64::from(excess[v]) + 0.3 * f64::from(before[v]);
            potentials[v] -= (step * turn).round() as i32;
        }
        before = excess;
    }
    Ok(best)
}

/// The bound of these potentials; fills the tree and adds each stop's degree to `degrees`.
fn evaluate(
    metric: &Metric,
    ending: &Ending,
    potentials: &[i32],
    tree: &mut Tree,
    degrees: &mut [i32],
    ticker: &mut Ticker<'_>,
) -> Result<i64, Halt> {
    let length = span(metric, potentials, tree, ticker)?;
    for &v in &tree.joined[1..] {
        degrees[v as usize] += 1;
        degrees[tree.parent[v as usize] as usize] += 1;
    }
    let end = ending
        .stops
        .iter()
        .copied()
        .max_by_key(|&stop| potentials[stop])
        .expect("an ending has a stop");
    degrees[0] += 1;
    degrees[end] += 1;
    let sum: i64 = potentials.iter().map(|&p| i64::from(p)).sum();
    Ok(length - i64::from(potentials[0]) - i64::from(potentials[end]) + 2 * sum)
}

/// Visits the pairs of stops whose edge raises the bound by at most `slack` (in `1/SCALE` moves), with
/// that increase.
pub(crate) fn near_pairs(
    metric: &Metric,
    potentials: &[i32],
    slack: i64,
    ticker: &mut Ticker<'_>,
    mut visit: impl FnMut(u32, u32, i64),
) -> Result<(), Halt> {
    let stops = metric.stops();
    let mut tree = Tree::default();
    span(metric, potentials, &mut tree, ticker)?;
    let mut links: Vec<Vec<u32>> = vec![Vec::new(); stops];
    for &v in &tree.joined[1..] {
        links[v as usize].push(tree.parent[v as usize]);
        links[tree.parent[v as usize] as usize].push(v);
    }
    let charge = |u: usize, v: usize| {
        metric.distance(u, v) as i32 * SCALE as i32 - potentials[u] - potentials[v]
    };
    // From each stop, the most expensive edge on the tree path to every other.
    let mut ahead: Vec<(u32, u32, i32)> = Vec::new();
    for from in 0..stops {
        ticker.tick()?;
        ahead.push((from as u32, u32::MAX, i32::MIN));
        while let Some((at, before, dearest)) = ahead.pop() {
            if from < at as usize {
                let extra = i64::from(charge(from, at as usize)) - i64::from(dearest);
                if extra <= slack {
                    visit(from as u32, at, extra);
                }
            }
            for &next in &links[at as usize] {
                if next != before {
                    ahead.push((next, at, dearest.max(charge(at as usize, next as usize))));
                }
            }
        }
    }
    Ok(())
}
