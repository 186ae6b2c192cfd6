//! Refuting the endings that trees leave open: who runs the refuters, and in which order.
//!
//! There is one refuter for each ending, and each thread runs the free one that aims lowest, as the overall
//! bound is that of the weakest ending. For large questions local search continues meanwhile, until it
//! has not found anything for long: on a thread of its own, or in turn with a refuter. With workers the
//! refuters begin here, and the open cases are sent out.
//!
//! Invariant: an ending's bound is raised to the best plan's length only when its refuter is done.
//! Cost: that of the refuters.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::branch::{Record, Refuter};
use super::cut::Cut;
use super::distributed::{Broadcast, CaseTree, Workers};
use super::exact::{MANY, Shared, TOO_MANY, improve};
use super::local::Search;
use crate::run::threads;
use crate::run::watch::{Halt, Ticker, Watch};

/// Nodes that a refuter searches before it is compared with the others again.
const NODES: u64 = 8;
/// Kicks of the local search in one turn, and those without success after which it ends, for each stop.
const KICKS: usize = 20_000;
const PATIENCE: usize = 500;

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
    let records: Vec<Option<Record>> = refuters.iter().map(|_| Some(Record::default())).collect();
    let refuters: Vec<(usize, Refuter<'_>)> =
        (0..).zip(refuters).filter_map(|(e, refuter)| Some((e, refuter?))).collect();
    let open = AtomicUsize::new(refuters.len());
    let (free, records) = (Mutex::new(refuters), Mutex::new(records));
    // The cuts of one ending are good ones for the other.
    let cuts: Mutex<Vec<Cut>> = Mutex::default();
    let search = Mutex::new((stops > MANY).then(|| LocalSearch::new(shared, near)));
    let work = |worker: usize| -> Result<(), Halt> {
        let mut ticker = watch.ticker();
        let with_search = worker == 1 || watch.threads() == 1;
        while open.load(Ordering::Acquire) > 0 {
            let searched = with_search && LocalSearch::take_turn(&search, &mut ticker)?;
            if searched && worker == 1 {
                continue;
            }
            let lowest = {
                let mut free = free.lock().expect(CALM);
                let lowest = (0..free.len()).min_by_key(|&k| free[k].1.target());
                lowest.map(|k| free.swap_remove(k))
            };
            let Some((e, mut refuter)) = lowest else { break };
            refuter.begin_with(&cuts.lock().expect(CALM));
            let done = run_for(&mut refuter, NODES, shared, &mut ticker)?;
            *cuts.lock().expect(CALM) = refuter.active_cuts();
            if done {
                records.lock().expect(CALM)[e] = refuter.into_record();
                open.fetch_sub(1, Ordering::AcqRel);
            } else {
                free.lock().expect(CALM).push((e, refuter));
            }
        }
        Ok(())
    };
    watch.on_threads(|| threads::on_each_worker(work)).into_iter().collect::<Result<(), Halt>>()?;
    Ok(records.into_inner().expect(CALM))
}

/// Why a lock is not poisoned.
const CALM: &str = "nothing panics while it holds the lock";

/// Local search that goes on beside the refuters.
struct LocalSearch<'m> {
    shared: &'m Shared,
    near: &'m [Vec<u32>],
    search: Search<'m>,
    /// Kicks since the last success, and how often the search has begun.
    idle: usize,
    seed: u64,
}

impl<'m> LocalSearch<'m> {
    fn new(shared: &'m Shared, near: &'m [Vec<u32>]) -> LocalSearch<'m> {
        let seed = 3;
        let search = Search::new(&shared.metric, &shared.plan(), near.to_vec(), seed);
        LocalSearch { shared, near, search, idle: 0, seed }
    }

    /// Tries some kicks, unless another thread does or there was no success for long. Did it?
    fn take_turn(search: &Mutex<Option<Self>>, ticker: &mut Ticker<'_>) -> Result<bool, Halt> {
        let Ok(mut lock) = search.try_lock() else { return Ok(false) };
        let Some(this) = &mut *lock else { return Ok(false) };
        let (shared, best) = (this.shared, this.shared.length());
        if best < this.search.length() {
            this.seed += 1;
            let plan = shared.plan();
            this.search = Search::new(&shared.metric, &plan, this.near.to_vec(), this.seed);
        }
        let result = this.search.run(KICKS, shared.lower_bound(), ticker);
        this.idle += KICKS;
        if this.search.length() < best {
            shared.offer(&this.search.plan(), ticker.watch());
            this.idle = 0;
        }
        if this.idle > PATIENCE * shared.metric.stops() {
            *lock = None;
        }
        result.map(|()| true)
    }
}

/// Begins to refute the pending endings, and leaves the cases that are then still open to workers.
pub(crate) fn refute_with_workers(
    shared: &Shared,
    near: &[Vec<u32>],
    refuters: Vec<Option<Refuter<'_>>>,
    workers: &mut dyn Workers,
    watch: &Watch,
) -> Result<Vec<Option<Record>>, Halt> {
    // Workers refute all that is shorter than the best plan at once.
    let mut refuters: Vec<Option<Refuter<'_>>> = (refuters.into_iter())
        .map(|refuter| refuter.map(|refuter| refuter.aiming_at(u32::MAX)))
        .collect();
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
        if !tree.is_finished() {
            return Err(watch.halted().unwrap_or(Halt::Asked));
        }
        for (root, refuter) in open.into_iter().enumerate() {
            refuter.adopt(tree.record(root));
            shared.raise(refuter.ending(), i64::from(shared.length()), 1, watch);
        }
    }
    let by_trees = || Some(Record::default());
    Ok(refuters.into_iter().map(|r| r.map_or_else(by_trees, Refuter::into_record)).collect())
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
