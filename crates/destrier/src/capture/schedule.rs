//! Refuting the endings that trees leave open: who runs the refuters, and in which order.
//!
//! There is one refuter for each ending. On one thread they take turns; on several each has its own;
//! with workers they begin here, and the open cases are sent out. For large questions, local search
//! continues meanwhile.
//!
//! Invariant: an ending's bound is raised to the best plan's length only when its refuter is done.
//! Cost: that of the refuters.

use std::sync::atomic::{AtomicBool, Ordering};

use super::branch::{Record, Refuter};
use super::distributed::{Broadcast, CaseTree, Workers};
use super::exact::{MANY, Shared, TOO_MANY, improve};
use crate::run::threads;
use crate::run::watch::{Halt, Ticker, Watch};

/// Runs the refuters of the pending endings, on threads where there are several.
///
/// An ending without a refuter was refuted by trees, and has an empty record.
pub(crate) fn refute_all(
    shared: &Shared,
    near: &[Vec<u32>],
    refuters: Vec<Option<Refuter<'_>>>,
    watch: &Watch,
) -> Result<Vec<Option<Record>>, Halt> {
    let stops = shared.metric.stops();
    if stops > TOO_MANY && refuters.iter().any(Option::is_some) {
        improve(shared, near.to_vec(), 80 * stops, 3, &mut watch.ticker())?;
        return Err(Halt::GaveUp);
    }
    let threads = watch.threads();
    if threads > 1 && stops <= MANY {
        let run = |refuter: Option<Refuter<'_>>| -> Result<Option<Record>, Halt> {
            let Some(refuter) = refuter else { return Ok(Some(Record::default())) };
            let mut records = take_turns(vec![refuter], shared, watch, || Ok(()))?;
            Ok(records.pop().flatten())
        };
        return watch.on_threads(|| threads::try_map(refuters, run));
    }
    // One thread refutes; local search runs beside it, or in turn with it.
    let present: Vec<bool> = refuters.iter().map(Option::is_some).collect();
    let refuters: Vec<Refuter<'_>> = refuters.into_iter().flatten().collect();
    let mut seed = 3;
    let mut improve_more = || {
        seed += 1;
        improve(shared, near.to_vec(), 1000, seed, &mut watch.ticker())
    };
    let records = if stops <= MANY {
        take_turns(refuters, shared, watch, || Ok(()))
    } else if threads == 1 {
        take_turns(refuters, shared, watch, improve_more)
    } else {
        let done = AtomicBool::new(false);
        let refuting = || {
            let records = take_turns(refuters, shared, watch, || Ok(()));
            done.store(true, Ordering::Release);
            records
        };
        let improving = || {
            while !done.load(Ordering::Acquire) {
                if improve_more().is_err() {
                    break;
                }
            }
        };
        watch.on_threads(|| threads::both(refuting, improving)).0
    };
    let mut records = records?.into_iter();
    let of = |present| if present { records.next().flatten() } else { Some(Record::default()) };
    Ok(present.into_iter().map(of).collect())
}

/// Begins to refute the pending endings, and leaves the cases that are then still open to workers.
pub(crate) fn refute_with_workers(
    shared: &Shared,
    near: &[Vec<u32>],
    mut refuters: Vec<Option<Refuter<'_>>>,
    workers: &mut dyn Workers,
    watch: &Watch,
) -> Result<Vec<Option<Record>>, Halt> {
    let mut open: Vec<&mut Refuter<'_>> = Vec::new();
    for refuter in refuters.iter_mut().flatten() {
        if !run_for(refuter, workers.nodes_before(), shared, &mut watch.ticker())? {
            open.push(refuter);
        }
        if shared.metric.stops() > MANY {
            improve(shared, near.to_vec(), 1000, 4, &mut watch.ticker())?;
        }
    }
    if !open.is_empty() {
        let roots = open.iter().map(|refuter| refuter.root()).collect();
        let cases = open.iter().map(|refuter| refuter.open_cases(&[])).collect();
        let mut tree = CaseTree::new(shared, cases, watch);
        let nodes_per_case = workers.nodes_per_case();
        let broadcast = Broadcast { roots, best: shared.length(), nodes_per_case };
        workers.refute(&broadcast, &mut tree)?;
        for (root, refuter) in open.into_iter().enumerate() {
            refuter.adopt(tree.record(root));
            shared.raise(refuter.ending(), i64::from(shared.length()), 1, watch);
        }
    }
    let by_trees = || Some(Record::default());
    Ok(refuters.into_iter().map(|r| r.map_or_else(by_trees, Refuter::into_record)).collect())
}

/// Runs refuters in turn until each has shown that no plan of its ending is shorter than the
/// best. The roots come first, as the overall bound is that of the weakest ending.
fn take_turns(
    mut refuters: Vec<Refuter<'_>>,
    shared: &Shared,
    watch: &Watch,
    mut between: impl FnMut() -> Result<(), Halt>,
) -> Result<Vec<Option<Record>>, Halt> {
    let mut ticker = watch.ticker();
    let mut open = vec![true; refuters.len()];
    let mut nodes = if refuters.len() > 1 { 1 } else { 8 };
    while open.contains(&true) {
        for (refuter, open) in refuters.iter_mut().zip(&mut open).filter(|(_, open)| **open) {
            *open = !run_for(refuter, nodes, shared, &mut ticker)?;
            between()?;
        }
        nodes = 8;
    }
    Ok(refuters.into_iter().map(Refuter::into_record).collect())
}

/// Runs a refuter for some nodes; was it done? Then its ending's bound is raised.
fn run_for(
    refuter: &mut Refuter<'_>,
    nodes: u64,
    shared: &Shared,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Halt> {
    let before = refuter.visited;
    let done = refuter.run(nodes, ticker);
    shared.add_nodes(refuter.visited - before);
    let done = done?;
    if done {
        shared.raise(refuter.ending(), i64::from(shared.length()), 1, ticker.watch());
    }
    Ok(done)
}
