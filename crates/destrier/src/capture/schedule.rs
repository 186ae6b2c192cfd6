//! Refuting the endings that trees leave open: who runs the refuters, and in which order.
//!
//! There is one refuter for each ending, and each thread runs the free one that aims lowest, as the overall
//! bound is that of the weakest ending. Where threads have nothing to do, a refuter that has begun to branch hands out
//! its open cases to all of them, and takes the whole back when the last is refuted. For large questions local search continues meanwhile, until it
//! has not found anything for long: on a thread of its own, or in turn with a refuter. Where the
//! refutation is distributed, the refuters begin here, and the open cases are sent out.
//!
//! Invariant: an ending's bound is raised to the best plan's length only when its refuter is done.
//! Cost: that of the refuters.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::branch::{Record, Refuter};
use super::cut::Cut;
use super::distributed::{Broadcast, Case, CaseTree, Distribution, Root, work_on};
use super::exact::{MANY, Shared, TOO_MANY, improve, nearest_first};
use super::local::Search;
use super::merge::merged;
use crate::run::share::Tasks as _;
use crate::run::threads;
use crate::run::watch::{Halt, Ticker, Watch};

/// Nodes that a refuter searches before it is compared with the others again.
const NODES: u64 = 8;
/// Kicks of the local search in one turn.
const KICKS: usize = 20_000;
/// Kicks for each stop: those without success after which plans are made from the beginning, those for each such plan,
/// and those without success after which the search ends.
const STUCK: usize = 100;
const TRIAL: usize = 50;
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
    let records = refuters.iter().map(|_| Some(Record::default())).collect();
    let free: Vec<(usize, Refuter<'_>)> =
        (0..).zip(refuters).filter_map(|(e, refuter)| Some((e, refuter?))).collect();
    let open = free.len();
    let queue = Queue { free, trees: Vec::new(), handed_out: 0, waiting: 0, open, records };
    let pool = Refuters { shared, watch, queue: Mutex::new(queue), changed: Condvar::new() };
    // The cuts of one ending are good ones for the other.
    let cuts: Mutex<Vec<Cut>> = Mutex::default();
    let search = Mutex::new((stops > MANY).then(|| LocalSearch::new(shared, near)));
    let work = |worker: usize| {
        let with_search = worker == 1 || watch.threads() == 1;
        pool.work(&cuts, |ticker| {
            let searched = with_search && LocalSearch::take_turn(&search, ticker)?;
            Ok(searched && worker == 1)
        })
    };
    watch.on_threads(|| threads::on_each_worker(work)).into_iter().collect::<Result<(), Halt>>()?;
    Ok(pool.queue.into_inner().expect(CALM).records)
}

/// The refuters and those who run them.
struct Refuters<'m> {
    shared: &'m Shared,
    watch: &'m Watch,
    queue: Mutex<Queue<'m>>,
    changed: Condvar,
}

/// What there is to do, and what came of it.
struct Queue<'m> {
    /// Refuters that no thread runs.
    free: Vec<(usize, Refuter<'m>)>,
    /// Those whose cases were handed out, and how many have been so far.
    trees: Vec<HandedOut<'m>>,
    handed_out: usize,
    /// Threads that wait for something to do.
    waiting: usize,
    /// Endings that are not refuted; none is left to do after a halt, either.
    open: usize,
    records: Vec<Option<Record>>,
}

/// A refuter whose open cases were handed out.
struct HandedOut<'m> {
    number: usize,
    ending: usize,
    refuter: Refuter<'m>,
    root: Arc<Root>,
    target: u32,
    tree: CaseTree<'m>,
    in_hand: usize,
}

/// A share of the work.
enum Share<'m> {
    Refuter(usize, Box<Refuter<'m>>),
    /// A case of the tree with this number, what is known about its root, and the length to be refuted.
    Case(usize, Case, Arc<Root>, u32),
}

impl<'m> Refuters<'m> {
    fn lock(&self) -> MutexGuard<'_, Queue<'m>> {
        self.queue.lock().expect(CALM)
    }

    /// The next share; waits for it if others have all there is. `None` when nothing is left.
    fn next(&self) -> Option<Share<'m>> {
        let mut queue = self.lock();
        loop {
            if queue.open == 0 {
                return None;
            }
            if let Some(k) = (0..queue.free.len()).min_by_key(|&k| queue.free[k].1.target()) {
                let (e, refuter) = queue.free.swap_remove(k);
                return Some(Share::Refuter(e, Box::new(refuter)));
            }
            for tree in &mut queue.trees {
                if let Some(case) = tree.tree.next() {
                    tree.in_hand += 1;
                    return Some(Share::Case(tree.number, case, tree.root.clone(), tree.target));
                }
            }
            queue.waiting += 1;
            queue = self.changed.wait(queue).expect(CALM);
            queue.waiting -= 1;
        }
    }

    /// Works until nothing is left; whenever `elsewhere` says so, that was a turn at something else.
    fn work(
        &self,
        cuts: &Mutex<Vec<Cut>>,
        elsewhere: impl Fn(&mut Ticker<'_>) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        let worked = self.work_on_shares(cuts, elsewhere);
        if worked.is_err() {
            self.lock().open = 0;
            self.changed.notify_all();
        }
        worked
    }

    fn work_on_shares(
        &self,
        cuts: &Mutex<Vec<Cut>>,
        elsewhere: impl Fn(&mut Ticker<'_>) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        let mut ticker = self.watch.ticker();
        let mut cases: Option<(usize, Refuter<'m>)> = None;
        while self.lock().open > 0 {
            if elsewhere(&mut ticker)? {
                continue;
            }
            match self.next() {
                None => break,
                Some(Share::Refuter(e, mut refuter)) => {
                    refuter.begin_with(&cuts.lock().expect(CALM));
                    run_for(&mut refuter, NODES, self.shared, &mut ticker)?;
                    *cuts.lock().expect(CALM) = refuter.active_cuts();
                    self.put_back(e, *refuter);
                }
                Some(Share::Case(number, case, root, target)) => {
                    if cases.as_ref().is_none_or(|(of, _)| *of != number) {
                        let ending = self.shared.ending(root.parity).expect("one of the endings");
                        let refuter = Refuter::of_cases(self.shared, ending, &root);
                        cases = Some((number, refuter.aiming_at(target)));
                    }
                    let (_, refuter) = cases.as_mut().expect("it is there now");
                    // Another case would need other cuts: it is left only for threads that have nothing to do.
                    let all_busy = || self.lock().waiting == 0;
                    let result = work_on(refuter, case, NODES, self.shared, all_busy, self.watch);
                    if result.is_halted() {
                        return Err(self.watch.halted().unwrap_or(Halt::Asked));
                    }
                    let mut queue = self.lock();
                    // The whole tree may have become needless meanwhile.
                    let Some(k) = queue.trees.iter().position(|tree| tree.number == number) else {
                        continue;
                    };
                    let tree = &mut queue.trees[k];
                    let _ = tree.tree.enter(result);
                    tree.in_hand -= 1;
                    let is_over = tree.in_hand == 0 && tree.tree.is_finished();
                    if !is_over && !tree.refuter.is_done() {
                        self.changed.notify_all();
                        continue;
                    }
                    let HandedOut { ending, mut refuter, mut tree, .. } =
                        queue.trees.swap_remove(k);
                    drop(queue);
                    if !refuter.is_done() {
                        refuter.take_back(tree.record(0), self.watch);
                    }
                    self.put_back(ending, refuter);
                }
            }
        }
        Ok(())
    }

    /// Puts a refuter back: it is done, or free, or its cases are handed out to threads that wait.
    fn put_back(&self, ending: usize, mut refuter: Refuter<'m>) {
        let mut queue = self.lock();
        if refuter.is_done() {
            self.shared.raise(refuter.ending(), i64::from(self.shared.length()), 1, self.watch);
            queue.records[ending] = refuter.into_record();
            queue.open = queue.open.saturating_sub(1);
        } else if queue.waiting > 0 && refuter.is_worth_sharing() {
            let (root, cases, target) = refuter.hand_out();
            let tree = CaseTree::new(self.shared, vec![cases], self.watch);
            queue.handed_out += 1;
            let (number, root) = (queue.handed_out, Arc::new(root));
            queue.trees.push(HandedOut { number, ending, refuter, root, target, tree, in_hand: 0 });
        } else {
            queue.free.push((ending, refuter));
        }
        self.changed.notify_all();
    }
}

/// Why a lock is not poisoned.
const CALM: &str = "nothing panics while it holds the lock";

/// Local search that goes on beside the refuters. When the best plan does not get shorter, others are made from the
/// beginning, and what they have better is taken over.
struct LocalSearch<'m> {
    shared: &'m Shared,
    near: &'m [Vec<u32>],
    search: Search<'m>,
    /// The kicks that are left for a plan made from the beginning; `None` while the best is searched.
    trial: Option<usize>,
    /// Kicks since the last success, and how often the search has begun.
    idle: usize,
    seed: u64,
}

impl<'m> LocalSearch<'m> {
    fn new(shared: &'m Shared, near: &'m [Vec<u32>]) -> LocalSearch<'m> {
        let seed = 3;
        let search = Search::new(&shared.metric, &shared.plan(), near.to_vec(), seed);
        LocalSearch { shared, near, search, trial: None, idle: 0, seed }
    }

    fn begin(&mut self, plan: &[usize]) {
        self.seed += 1;
        self.search = Search::new(&self.shared.metric, plan, self.near.to_vec(), self.seed);
    }

    /// Tries some kicks, unless another thread does or there was no success for long. Did it?
    fn take_turn(search: &Mutex<Option<Self>>, ticker: &mut Ticker<'_>) -> Result<bool, Halt> {
        let Ok(mut lock) = search.try_lock() else { return Ok(false) };
        let Some(this) = &mut *lock else { return Ok(false) };
        let (shared, stops) = (this.shared, this.shared.metric.stops());
        let best = shared.length();
        if this.trial.is_none() && best < this.search.length() {
            this.begin(&shared.plan());
        }
        let kicks = this.trial.unwrap_or(KICKS).min(KICKS);
        let result = this.search.run(kicks, shared.lower_bound(), ticker);
        this.idle += kicks;
        let mut found = this.search.plan();
        if let Some(left) = this.trial.take() {
            this.trial = Some(left - kicks).filter(|&left| left > 0);
            if this.trial.is_none() {
                found = merged(&shared.metric, &shared.plan(), &found);
            }
        }
        if shared.metric.length(&found) < best {
            shared.offer(&found, ticker.watch());
            this.begin(&found);
            (this.trial, this.idle) = (None, 0);
        } else if this.trial.is_none() && this.idle > STUCK * stops {
            this.trial = Some(TRIAL * stops);
            this.begin(&nearest_first(&shared.metric));
        }
        if this.idle > PATIENCE * stops {
            *lock = None;
        }
        result.map(|()| true)
    }
}

/// Begins to refute the pending endings, and distributes the cases that are then still open.
pub(crate) fn refute_distributed(
    shared: &Shared,
    near: &[Vec<u32>],
    refuters: Vec<Option<Refuter<'_>>>,
    distribution: Distribution<'_>,
    watch: &Watch,
) -> Result<Vec<Option<Record>>, Halt> {
    let Distribution { nodes_before, nodes_per_case, refute } = distribution;
    // Workers refute all that is shorter than the best plan at once.
    let mut refuters: Vec<Option<Refuter<'_>>> = (refuters.into_iter())
        .map(|refuter| refuter.map(|refuter| refuter.aiming_at(u32::MAX)))
        .collect();
    let mut open: Vec<&mut Refuter<'_>> = Vec::new();
    for refuter in refuters.iter_mut().flatten() {
        if !run_for(refuter, nodes_before, shared, &mut watch.ticker())? {
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
        let broadcast = Broadcast { roots, best: shared.length(), nodes_per_case };
        refute(&broadcast, &mut tree)?;
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
