//! The fewest moves, proved: good plans from above, bounds from below.
//!
//! Local search finds a plan; spanning trees under potentials bound all plans, separately for each
//! colour of the last square. Where the two do not meet, linear programs with cuts refute the
//! lengths between. Plan and bound are known at any time, and a halt keeps both.
//!
//! Invariant: no ending's bound is above its optimum; the best plan only gets shorter.
//! Cost: milliseconds for 100 pieces, a tenth of a second for 250; two bytes of memory per pair.
//! Source: Held and Karp; Lin and Kernighan; Applegate, Bixby, Chvátal and Cook.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use destrier_rules::{CapturePlan, CaptureProblem, Claim, Proof};

use super::branch::{Record, Refuter};
use super::distributed::Distribution;
use super::local::Search;
use super::metric::{Ending, Metric};
use super::onetree::{self, Ascent};
use super::schedule::{refute_all, refute_distributed};
use super::stops::Stops;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Ticker, Watch};

/// Chooses the best method for the question.
#[derive(Debug)]
pub struct Auto;

/// The graph of a larger board needs more than half a gigabyte.
const MOST_SQUARES: u64 = 1 << 23;
/// More pieces than this make the table of distances too large.
const MOST_PIECES: usize = 16_000;
/// What a square takes in the graph and in a search of it, and a pair in the table of distances.
const BYTES_PER_SQUARE: u64 = 64;
const BYTES_PER_SEARCHED: u64 = 6;
const BYTES_PER_PAIR: u64 = 2;
/// Above this, local search continues while the refuters run.
pub(crate) const MANY: usize = 300;
/// Above this, the only bound is that of the trees.
pub(crate) const TOO_MANY: usize = 4_000;

/// Trees that a single refuter ends with sooner are not worth the linear programs of others.
const SHARE_AFTER: u64 = 64;

/// What the threads of a run share: the distances, the best plan, and a lower bound for each ending.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) metric: Metric,
    length: AtomicU32,
    plan: Mutex<Vec<usize>>,
    endings: Vec<Ending>,
    bounds: Vec<AtomicU32>,
    nodes: AtomicU64,
    /// A refuter keeps so many nodes to itself before threads without work may share its tree.
    pub(crate) share_after: u64,
}

impl Shared {
    /// Begins with the plan that always goes to a nearest piece.
    pub(crate) fn new(metric: Metric) -> Shared {
        let (endings, plan) = (metric.endings(), nearest_first(&metric));
        Shared {
            length: AtomicU32::new(metric.length(&plan)),
            plan: Mutex::new(plan),
            bounds: endings.iter().map(|_| AtomicU32::new(0)).collect(),
            endings,
            nodes: AtomicU64::new(0),
            share_after: SHARE_AFTER,
            metric,
        }
    }

    /// The length of the best plan.
    pub(crate) fn length(&self) -> u32 {
        self.length.load(Ordering::Acquire)
    }

    /// Takes a plan if it is shorter than the best.
    pub(crate) fn offer(&self, plan: &[usize], watch: &Watch) {
        let length = self.metric.length(plan);
        let mut best = self.plan.lock().expect("no thread panics with the plan");
        // Another process may already have reported the length, but not the plan.
        if length < self.metric.length(&best) {
            best.clear();
            best.extend_from_slice(plan);
            self.length.fetch_min(length, Ordering::AcqRel);
            watch.tell(|progress| progress.best = Some(u64::from(length)));
        }
    }

    /// Records the length of a plan that another process has.
    pub(crate) fn learn(&self, length: u32) {
        self.length.fetch_min(length, Ordering::AcqRel);
    }

    /// The best plan that this process has.
    pub(crate) fn plan(&self) -> Vec<usize> {
        self.plan.lock().expect("no thread panics with the plan").clone()
    }

    /// The best plan, if this process has it.
    pub(crate) fn shortest(&self) -> Option<Vec<u32>> {
        let plan = self.plan.lock().expect("no thread panics with the plan");
        let is_here = self.metric.length(&plan) == self.length();
        is_here.then(|| plan.iter().map(|&stop| stop as u32).collect())
    }

    /// The ending with a parity.
    pub(crate) fn ending(&self, parity: Option<u32>) -> Option<&Ending> {
        self.endings.iter().find(|ending| ending.parity == parity)
    }

    /// Counts nodes that were searched elsewhere.
    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Raises the bound of an ending to `bound / unit` moves, rounded up.
    pub(crate) fn raise(&self, ending: &Ending, bound: i64, unit: i64, watch: &Watch) {
        let whole = u32::try_from((bound.max(0) + unit - 1) / unit).unwrap_or(u32::MAX);
        let index = self.endings.iter().position(|e| e.parity == ending.parity);
        let index = index.expect("the ending is one of them");
        let raised = ending.round_up(whole);
        if self.bounds[index].fetch_max(raised, Ordering::AcqRel) < raised {
            let bound = u64::from(self.lower_bound());
            watch.tell(|progress| progress.bound = Some(bound));
        }
    }

    /// No plan has fewer moves than this.
    pub(crate) fn lower_bound(&self) -> u32 {
        let least = self.bounds.iter().map(|bound| bound.load(Ordering::Acquire)).min();
        least.unwrap_or(0).max(self.pieces()).min(self.length())
    }

    /// The number of pieces; a move takes at most one of them.
    fn pieces(&self) -> u32 {
        self.endings.iter().map(|ending| ending.stops.len() as u32).sum()
    }
}

/// How an ending was refuted: potentials, and the record of a search unless it grew too large.
#[derive(Debug, Clone)]
pub(crate) struct Refuted {
    pub(crate) ending: Ending,
    pub(crate) potentials: Vec<i32>,
    pub(crate) record: Option<Record>,
}

impl Auto {
    pub(crate) fn solve(
        &self,
        problem: &CaptureProblem,
        watch: &Watch,
    ) -> Result<Run<CapturePlan>, SolveError> {
        self.solve_with(problem, None, watch)
    }

    /// Solves, and distributes the cases that branching leaves open, if that is wanted.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn solve_with(
        &self,
        problem: &CaptureProblem,
        distribution: Option<Distribution<'_>>,
        watch: &Watch,
    ) -> Result<Run<CapturePlan>, SolveError> {
        if problem.board.area() > MOST_SQUARES {
            let why = format!(
                "the board has {} squares; the limit is {MOST_SQUARES}",
                problem.board.area()
            );
            return Err(SolveError::Unsuited { method: "auto", why });
        }
        // The graph, a search of it by each thread, and the distances of all pairs.
        let stops = problem.targets.len().min(MOST_PIECES) as u64 + 1;
        let searches = stops.min(watch.threads() as u64) * BYTES_PER_SEARCHED;
        let needs =
            problem.board.area() * (BYTES_PER_SQUARE + searches) + stops.pow(2) * BYTES_PER_PAIR;
        if needs > watch.room() {
            let why = watch.needs(needs);
            return Err(SolveError::Unsuited { method: "auto", why });
        }
        let stops = match Stops::new(problem) {
            Ok(stops) => stops,
            Err(obstacle) => return Ok(Run::new(Outcome::Impossible(obstacle), 0)),
        };
        let metric = if problem.targets.len() > MOST_PIECES {
            Err(Halt::GaveUp)
        } else {
            stops.metric(watch)
        };
        match metric {
            Ok(Some(metric)) => {
                let shared = Shared::new(metric);
                let outcome = search(&shared, distribution, watch);
                Ok(report(&stops, &shared, outcome, watch))
            }
            Ok(None) => {
                let why = "two stops are more than 65534 moves apart".to_owned();
                Err(SolveError::Unsuited { method: "auto", why })
            }
            Err(why) => {
                // Not even the distances are known: any plan, and at most one piece per move.
                let best = Some(stops.nearest_first());
                let claim = Claim::AtLeast { lower_bound: problem.targets.len() as u64 };
                Ok(Run::new(Outcome::Unfinished { why, best }, 0).claiming(claim))
            }
        }
    }
}

fn report(
    stops: &Stops,
    shared: &Shared,
    outcome: Result<Vec<Refuted>, Halt>,
    watch: &Watch,
) -> Run<CapturePlan> {
    let plan = stops.plan(&shared.plan());
    let nodes = shared.nodes.load(Ordering::Relaxed);
    let length = u64::from(shared.length());
    let lower_bound = u64::from(shared.lower_bound());
    let run = match outcome {
        _ if length == u64::from(shared.pieces()) => {
            let proof = Proof::BoundMet { by: "a move takes at most one piece".to_owned() };
            Run::new(Outcome::Solved(plan), nodes)
                .claiming(Claim::Fewest { lower_bound: length, proof })
        }
        Ok(refuted) => {
            let proof = super::proof::written(refuted, nodes);
            Run::new(Outcome::Solved(plan), nodes)
                .claiming(Claim::Fewest { lower_bound: length, proof })
        }
        Err(_) if lower_bound == length => {
            let proof = Proof::Search { by: "branch and cut".to_owned(), nodes };
            Run::new(Outcome::Solved(plan), nodes).claiming(Claim::Fewest { lower_bound, proof })
        }
        Err(why) => Run::new(Outcome::Unfinished { why, best: Some(plan) }, nodes)
            .claiming(Claim::AtLeast { lower_bound }),
    };
    run.with_detail("steps", watch.nodes())
}

/// A plan that always goes to a nearest piece.
pub(crate) fn nearest_first(metric: &Metric) -> Vec<usize> {
    let mut left: Vec<usize> = (1..metric.stops()).collect();
    let mut plan = vec![0];
    let mut at = 0;
    while let Some(k) = (0..left.len()).min_by_key(|&k| metric.distance(at, left[k])) {
        at = left.swap_remove(k);
        plan.push(at);
    }
    plan
}

/// The `count` nearest stops of each stop.
fn nearest(metric: &Metric, count: usize, ticker: &mut Ticker<'_>) -> Result<Vec<Vec<u32>>, Halt> {
    (0..metric.stops())
        .map(|from| {
            ticker.tick()?;
            let mut list: Vec<u32> =
                (0..metric.stops() as u32).filter(|&to| to as usize != from).collect();
            let key = |to: &u32| metric.distance(from, *to as usize);
            if list.len() > count {
                list.select_nth_unstable_by_key(count, key);
                list.truncate(count);
                list.shrink_to_fit(); // or each list would keep the capacity for all stops
            }
            list.sort_by_key(key);
            Ok(list)
        })
        .collect()
}

/// The `count` best candidates for neighbours of each stop, by the tree under potentials (Helsgaun's alpha).
fn alpha_nearest(
    metric: &Metric,
    potentials: &[i32],
    count: usize,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Vec<u32>>, Halt> {
    let mut lists: Vec<Vec<(i64, u32)>> = vec![Vec::new(); metric.stops()];
    let trim = |list: &mut Vec<(i64, u32)>| {
        if list.len() >= 8 * count {
            list.select_nth_unstable(count);
            list.truncate(count);
        }
    };
    onetree::near_pairs(metric, potentials, i64::MAX, ticker, |u, v, extra| {
        lists[u as usize].push((extra, v));
        lists[v as usize].push((extra, u));
        trim(&mut lists[u as usize]);
        trim(&mut lists[v as usize]);
    })?;
    Ok(lists
        .into_iter()
        .enumerate()
        .map(|(from, mut list)| {
            list.sort_unstable();
            list.truncate(count);
            let mut list: Vec<u32> = list.into_iter().map(|(_, to)| to).collect();
            list.sort_by_key(|&to| metric.distance(from, to as usize));
            list
        })
        .collect())
}

fn search(
    shared: &Shared,
    distribution: Option<Distribution<'_>>,
    watch: &Watch,
) -> Result<Vec<Refuted>, Halt> {
    let mut ticker = watch.ticker();
    let metric = &shared.metric;
    let stops = metric.stops();
    let (best, bound) = (Some(shared.length().into()), Some(shared.lower_bound().into()));
    watch.tell(|progress| (progress.best, progress.bound) = (best, bound));
    improve(shared, nearest(metric, 8, &mut ticker)?, stops / 4, 1, &mut ticker)?;
    if shared.length() == shared.pieces() {
        return Ok(Vec::new());
    }
    let mut ascents: Vec<Ascent> = Vec::new();
    let mut from = vec![0; stops];
    for ending in &shared.endings {
        let ascent = climb(shared, ending, &from, watch)?;
        from.clone_from(&ascent.potentials);
        ascents.push(ascent);
    }
    let near = if shared.lower_bound() < shared.length() {
        let near = alpha_nearest(metric, &ascents[0].potentials, 10, &mut ticker)?;
        let kicks = 100 + stops * (stops / 24).clamp(6, 100);
        improve(shared, near.clone(), kicks, 2, &mut ticker)?;
        near
    } else {
        Vec::new()
    };
    drop(ticker);
    // Endings that the recorded potentials do not refute are pending.
    let is_refuted = |e: usize| {
        let target = shared.endings[e].target(shared.length());
        ascents[e].bound > i64::from(target) * onetree::SCALE
    };
    let pending: Vec<usize> = (0..ascents.len()).filter(|&e| !is_refuted(e)).collect();
    let refuters = pending.iter().map(|&e| prepare(shared, e, &mut ascents[e], watch));
    let refuters = refuters.collect::<Result<Vec<_>, Halt>>()?;
    let records = match distribution {
        Some(distribution) if stops <= TOO_MANY => {
            refute_distributed(shared, &near, refuters, distribution, watch)?
        }
        _ => refute_all(shared, &near, refuters, watch)?,
    };
    let mut refuted: Vec<Refuted> = (shared.endings.iter().zip(ascents))
        .map(|(ending, ascent)| Refuted {
            ending: ending.clone(),
            potentials: ascent.potentials,
            record: Some(Record::default()),
        })
        .collect();
    for (e, record) in pending.into_iter().zip(records) {
        refuted[e].record = record;
    }
    Ok(refuted)
}

/// Local search from the best plan.
pub(crate) fn improve(
    shared: &Shared,
    near: Vec<Vec<u32>>,
    kicks: usize,
    seed: u64,
    ticker: &mut Ticker<'_>,
) -> Result<(), Halt> {
    let mut search = Search::new(&shared.metric, &shared.plan(), near, seed);
    let result = search.run(kicks, shared.lower_bound(), ticker);
    shared.offer(&search.plan(), ticker.watch());
    result
}

/// Raises the bound of one ending by its trees; the same trees bound the other as well.
fn climb(shared: &Shared, ending: &Ending, from: &[i32], watch: &Watch) -> Result<Ascent, Halt> {
    let goal = ending.target(shared.length());
    onetree::ascend(&shared.metric, ending, from, goal, &mut watch.ticker(), |potentials, bound| {
        let most = |e: &Ending| e.stops.iter().map(|&stop| potentials[stop]).max().unwrap_or(0);
        for other in &shared.endings {
            let bound = bound + i64::from(most(ending)) - i64::from(most(other));
            shared.raise(other, bound, onetree::SCALE, watch);
        }
    })
}

/// Climbs again towards the current target; an ending that trees do not refute gets a refuter.
fn prepare<'m>(
    shared: &'m Shared,
    e: usize,
    ascent: &mut Ascent,
    watch: &Watch,
) -> Result<Option<Refuter<'m>>, Halt> {
    let mut ticker = watch.ticker();
    let (metric, ending) = (&shared.metric, &shared.endings[e]);
    let goal = ending.target(shared.length());
    if metric.stops() <= MANY {
        *ascent = climb(shared, ending, &ascent.potentials, watch)?;
    }
    let slack = i64::from(goal) * onetree::SCALE - ascent.bound;
    if slack < 0 {
        return Ok(None);
    }
    let mut pairs = Vec::new();
    if metric.stops() <= TOO_MANY {
        onetree::near_pairs(metric, &ascent.potentials, slack, &mut ticker, |u, v, extra| {
            pairs.push((extra, u, v));
        })?;
    }
    pairs.sort_unstable();
    let pairs: Vec<(u32, u32)> = pairs.into_iter().map(|(_, u, v)| (u, v)).collect();
    let (active, dormant) = pairs.split_at(pairs.len().min(4 * metric.stops()));
    let bound = (ascent.bound.max(0) + onetree::SCALE - 1) / onetree::SCALE;
    let aim = ending.round_up(u32::try_from(bound).unwrap_or(u32::MAX - 1));
    Ok(Some(Refuter::new(shared, ending, active, dormant).aiming_at(aim)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use destrier_rules::{Puzzle, Support, Verified};

    #[test]
    fn threads_that_share_a_tree_prove_what_one_proves() {
        let known = concat!(env!("CARGO_MANIFEST_DIR"), "/../../known/capture");
        for (name, fewest) in [("h12_k30_q150", 244), ("s05_k60_q250", 502)] {
            let text = std::fs::read_to_string(format!("{known}/{name}.txt")).unwrap();
            let problem = text.parse::<Puzzle>().unwrap().problem;
            let stops = Stops::new(&problem).unwrap();
            for threads in [1, 2, 5] {
                let watch = Watch::new(&crate::run::options::Options::new().threads(threads));
                let metric = stops.metric(&watch).unwrap().unwrap();
                let shared = Shared { share_after: 1, ..Shared::new(metric) };
                let outcome = search(&shared, None, &watch);
                let run = report(&stops, &shared, outcome, &watch);
                let Outcome::Solved(plan) = run.outcome else { panic!("nothing stopped it") };
                let checked = Verified::check(problem.clone(), plan).unwrap();
                let checked = checked.claiming(run.claim).unwrap();
                assert_eq!((checked.cost(), checked.support()), (fewest, Some(Support::Checked)));
            }
        }
    }
}
