//! Refuting what trees leave open: who runs the refuters, and in which order.
//!
//! There is a refuter for each ending. On one thread they take turns; on several each has its own; with
//! helpers they begin here, and the open cases go out. Large questions have their plan made shorter meanwhile.
//!
//! Invariant: an ending's bound is raised to the best plan's length only when its refuter is done.
//! Cost: that of the refuters.

use std::sync::atomic::{AtomicBool, Ordering};

use super::branch::{Record, Refuter};
use super::exact::{MANY, Shared, TOO_MANY, improve};
use super::metric::Metric;
use super::split::{Brief, Helpers, Ledger};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// Refutes the pending endings, on threads where there are some.
pub(crate) fn settle(
    metric: &Metric,
    shared: &Shared,
    near: &[Vec<u32>],
    refuters: Vec<Option<Refuter<'_>>>,
    watch: &Watch,
) -> Result<Vec<Option<Record>>, Halt> {
    if metric.stops() > TOO_MANY && refuters.iter().any(Option::is_some) {
        improve(metric, shared, near.to_vec(), 80 * metric.stops(), 3, &mut watch.ticker())?;
        return Err(Halt::GaveUp);
    }
    let threads = watch.threads();
    if threads > 1 && metric.stops() <= MANY {
        let run = |refuter: Option<Refuter<'_>>| -> Result<Option<Record>, Halt> {
            let Some(refuter) = refuter else { return Ok(Some(Record::default())) };
            let mut records = refute(vec![refuter], shared, watch, || Ok(()))?;
            Ok(records.pop().flatten())
        };
        return watch.on_threads(|| threads::try_map(refuters, run));
    }
    // One thread refutes; the plan gets shorter beside it, or in turn.
    let present: Vec<bool> = refuters.iter().map(Option::is_some).collect();
    let refuters: Vec<Refuter<'_>> = refuters.into_iter().flatten().collect();
    let mut seed = 3;
    let mut polish = || {
        seed += 1;
        improve(metric, shared, near.to_vec(), 1000, seed, &mut watch.ticker())
    };
    let records = if metric.stops() <= MANY {
        refute(refuters, shared, watch, || Ok(()))
    } else if threads == 1 {
        refute(refuters, shared, watch, polish)
    } else {
        let done = AtomicBool::new(false);
        let refuting = || {
            let records = refute(refuters, shared, watch, || Ok(()));
            done.store(true, Ordering::Release);
            records
        };
        let polishing = || {
            while !done.load(Ordering::Acquire) {
                if polish().is_err() {
                    break;
                }
            }
        };
        watch.on_threads(|| threads::both(refuting, polishing)).0
    };
    let mut records = records?.into_iter();
    let by_trees = || Some(Record::default());
    Ok(present.into_iter().map(|p| if p { records.next().flatten() } else { by_trees() }).collect())
}

/// Begins to refute the pending endings, and leaves the cases that are still open then to helpers.
pub(crate) fn settle_with(
    metric: &Metric,
    shared: &Shared,
    near: &[Vec<u32>],
    mut refuters: Vec<Option<Refuter<'_>>>,
    helpers: &mut dyn Helpers,
    watch: &Watch,
) -> Result<Vec<Option<Record>>, Halt> {
    let mut open: Vec<&mut Refuter<'_>> = Vec::new();
    for refuter in refuters.iter_mut().flatten() {
        let before = refuter.visited;
        let done = refuter.run(helpers.alone(), &mut watch.ticker());
        shared.add_nodes(refuter.visited - before);
        if done? {
            shared.raise(refuter.ending(), i64::from(shared.length()), 1, watch);
        } else {
            open.push(refuter);
        }
        if metric.stops() > MANY {
            improve(metric, shared, near.to_vec(), 1000, 4, &mut watch.ticker())?;
        }
    }
    if !open.is_empty() {
        let roots = open.iter().map(|refuter| refuter.root()).collect();
        let cases = open.iter().map(|refuter| refuter.open_cases(&[])).collect();
        let mut ledger = Ledger::new(metric, shared, cases, watch);
        let brief = Brief { roots, best: shared.length(), patience: helpers.patience() };
        helpers.refute(&brief, &mut ledger)?;
        for (root, refuter) in open.into_iter().enumerate() {
            refuter.adopt(ledger.steps(root));
            shared.raise(refuter.ending(), i64::from(shared.length()), 1, watch);
        }
    }
    let by_trees = || Some(Record::default());
    Ok(refuters.into_iter().map(|r| r.map_or_else(by_trees, Refuter::into_record)).collect())
}

/// Runs refuters in turn until each has shown that no plan of its ending is shorter than the
/// best. The roots come first, as the bound is that of the weakest.
fn refute(
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
            let before = refuter.visited;
            let done = refuter.run(nodes, &mut ticker);
            shared.add_nodes(refuter.visited - before);
            *open = !done?;
            if !*open {
                shared.raise(refuter.ending(), i64::from(shared.length()), 1, watch);
            }
            between()?;
        }
        nodes = 8;
    }
    Ok(refuters.into_iter().map(Refuter::into_record).collect())
}
