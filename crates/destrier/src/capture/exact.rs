//! The fewest moves, proved: good plans from one side, bounds from the other.
//!
//! Local search finds a plan, spanning trees under potentials bound all plans, for each colour
//! of the last square apart. Where the two do not meet, linear programs with cuts refute what
//! lies between. Plan and bound are known at any time, and a halt keeps both.
//!
//! Invariant: no ending's bound is above its optimum; the best plan only gets shorter.
//! Cost: milliseconds for 100 pieces, a tenth of a second for 250; memory two bytes a pair.
//! After: Held and Karp; Lin and Kernighan; Applegate, Bixby, Chvátal and Cook.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use destrier_rules::{CapturePlan, CaptureProblem, Claim, Proof};

use super::branch::{Record, Refuter};
use super::local::Search;
use super::metric::{Ending, Metric};
use super::onetree::{self, Ascent};
use super::settle::{settle, settle_with};
use super::split::Helpers;
use super::stops::Stops;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Ticker, Watch};

/// Chooses the best method for the question.
#[derive(Debug)]
pub struct Auto;

/// The graph of a larger board takes more than half a gigabyte.
const MOST_SQUARES: u64 = 1 << 23;
/// More pieces than this make the table of distances too large.
const MOST_PIECES: usize = 16_000;
/// Above this, refuting runs beside a local search that goes on.
pub(crate) const MANY: usize = 300;
/// Above this, only trees bound the plans.
pub(crate) const TOO_MANY: usize = 4_000;

/// What threads of one run share: the best plan, and what each ending must cost.
#[derive(Debug)]
pub(crate) struct Shared {
    length: AtomicU32,
    plan: Mutex<Vec<usize>>,
    endings: Vec<Ending>,
    bounds: Vec<AtomicU32>,
    nodes: AtomicU64,
}

impl Shared {
    pub(crate) fn new(metric: &Metric, plan: Vec<usize>) -> Shared {
        let endings = metric.endings();
        Shared {
            length: AtomicU32::new(metric.length(&plan)),
            plan: Mutex::new(plan),
            bounds: endings.iter().map(|_| AtomicU32::new(0)).collect(),
            endings,
            nodes: AtomicU64::new(0),
        }
    }

    /// The length of the best plan.
    pub(crate) fn length(&self) -> u32 {
        self.length.load(Ordering::Acquire)
    }

    /// Takes a plan if it is shorter than the best.
    pub(crate) fn offer(&self, metric: &Metric, plan: &[usize], watch: &Watch) {
        let length = metric.length(plan);
        let mut best = self.plan.lock().expect("no thread panics with the plan");
        // The length may be known already, from elsewhere; the plan is not.
        if length < metric.length(&best) {
            best.clear();
            best.extend_from_slice(plan);
            self.length.fetch_min(length, Ordering::AcqRel);
            watch.tell(|progress| progress.best = Some(u64::from(length)));
        }
    }

    /// Hears of a plan of this length that is held elsewhere.
    pub(crate) fn learn(&self, length: u32) {
        self.length.fetch_min(length, Ordering::AcqRel);
    }

    /// The best plan, if it is held here.
    pub(crate) fn shortest(&self, metric: &Metric) -> Option<Vec<u32>> {
        let plan = self.plan.lock().expect("no thread panics with the plan");
        let is_held = metric.length(&plan) == self.length();
        is_held.then(|| plan.iter().map(|&stop| stop as u32).collect())
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

    /// What any plan must cost.
    fn lower_bound(&self) -> u32 {
        let least = self.bounds.iter().map(|bound| bound.load(Ordering::Acquire)).min();
        least.unwrap_or(0).max(self.pieces()).min(self.length())
    }

    /// The number of pieces; a move takes one of them at most.
    fn pieces(&self) -> u32 {
        self.endings.iter().map(|ending| ending.stops.len() as u32).sum()
    }
}

/// How an ending was refuted: potentials, and the record of a search unless it is too large.
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
}

impl Auto {
    /// Solves with helpers, if there are some, for the cases that branching leaves open.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn solve_with(
        &self,
        problem: &CaptureProblem,
        helpers: Option<&mut dyn Helpers>,
        watch: &Watch,
    ) -> Result<Run<CapturePlan>, SolveError> {
        if problem.board.area() > MOST_SQUARES {
            let why = format!(
                "the board has {} squares, and {MOST_SQUARES} is the most",
                problem.board.area()
            );
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
                let shared = Shared::new(&metric, nearest_first(&metric));
                let outcome = search(&metric, &shared, helpers, watch);
                Ok(report(&stops, &shared, outcome, watch))
            }
            Ok(None) => {
                let why = "two stops are more than 65534 moves apart".to_owned();
                Err(SolveError::Unsuited { method: "auto", why })
            }
            Err(why) => {
                // Too early or too large even for distances: any plan, and a piece a move.
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
    let order = shared.plan.lock().expect("no thread panics with the plan").clone();
    let plan = stops.plan(&order);
    let nodes = shared.nodes.load(Ordering::Relaxed);
    let length = u64::from(shared.length());
    let lower_bound = u64::from(shared.lower_bound());
    let run = match outcome {
        _ if length == u64::from(shared.pieces()) => {
            let proof = Proof::BoundMet { by: "a move takes one piece at most".to_owned() };
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
    run.with_detail("beats", watch.nodes())
}

/// A plan that always goes on to a nearest piece.
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
                list.shrink_to_fit(); // or each list keeps the room of all stops
            }
            list.sort_by_key(key);
            Ok(list)
        })
        .collect()
}

/// The `count` stops that each stop most likely has beside it, by the tree under potentials.
fn likely(
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
    metric: &Metric,
    shared: &Shared,
    helpers: Option<&mut dyn Helpers>,
    watch: &Watch,
) -> Result<Vec<Refuted>, Halt> {
    let mut ticker = watch.ticker();
    let stops = metric.stops();
    let (best, bound) = (Some(shared.length().into()), Some(shared.lower_bound().into()));
    watch.tell(|progress| (progress.best, progress.bound) = (best, bound));
    improve(metric, shared, nearest(metric, 8, &mut ticker)?, stops / 4, 1, &mut ticker)?;
    if shared.length() == shared.pieces() {
        return Ok(Vec::new());
    }
    let mut ascents: Vec<Ascent> = Vec::new();
    let mut from = vec![0; stops];
    for ending in &shared.endings {
        let ascent = climb(metric, shared, ending, &from, watch)?;
        from.clone_from(&ascent.potentials);
        ascents.push(ascent);
    }
    let near = if shared.lower_bound() < shared.length() {
        let near = likely(metric, &ascents[0].potentials, 7, &mut ticker)?;
        improve(metric, shared, near.clone(), 6 * stops + 100, 2, &mut ticker)?;
        near
    } else {
        Vec::new()
    };
    drop(ticker);
    // What the recorded potentials themselves do not refute is pending.
    let is_shown = |e: usize| {
        let rival = shared.endings[e].rival(shared.length());
        ascents[e].bound > i64::from(rival) * onetree::SCALE
    };
    let pending: Vec<usize> = (0..ascents.len()).filter(|&e| !is_shown(e)).collect();
    let refuters = pending.iter().map(|&e| prepare(metric, shared, e, &mut ascents[e], watch));
    let refuters = refuters.collect::<Result<Vec<_>, Halt>>()?;
    let records = match helpers {
        Some(helpers) if metric.stops() <= TOO_MANY => {
            settle_with(metric, shared, &near, refuters, helpers, watch)?
        }
        _ => settle(metric, shared, &near, refuters, watch)?,
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
    metric: &Metric,
    shared: &Shared,
    near: Vec<Vec<u32>>,
    kicks: usize,
    seed: u64,
    ticker: &mut Ticker<'_>,
) -> Result<(), Halt> {
    let plan = shared.plan.lock().expect("no thread panics with the plan").clone();
    let mut search = Search::new(metric, &plan, near, seed);
    let result = search.run(kicks, shared.lower_bound(), ticker);
    shared.offer(metric, &search.plan(), ticker.watch());
    result
}

/// Climbs with the trees of one ending; the same trees bound the other as well.
fn climb(
    metric: &Metric,
    shared: &Shared,
    ending: &Ending,
    from: &[i32],
    watch: &Watch,
) -> Result<Ascent, Halt> {
    let goal = ending.rival(shared.length());
    onetree::ascend(metric, ending, from, goal, &mut watch.ticker(), |potentials, bound| {
        let most = |e: &Ending| e.stops.iter().map(|&stop| potentials[stop]).max().unwrap_or(0);
        for other in &shared.endings {
            let bound = bound + i64::from(most(ending)) - i64::from(most(other));
            shared.raise(other, bound, onetree::SCALE, watch);
        }
    })
}

/// Climbs again towards the present target; what trees leave open goes to a refuter.
fn prepare<'m>(
    metric: &'m Metric,
    shared: &'m Shared,
    e: usize,
    ascent: &mut Ascent,
    watch: &Watch,
) -> Result<Option<Refuter<'m>>, Halt> {
    let mut ticker = watch.ticker();
    let ending = &shared.endings[e];
    let goal = ending.rival(shared.length());
    *ascent = climb(metric, shared, ending, &ascent.potentials, watch)?;
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
    let at_once = pairs.len().min(8 * metric.stops());
    Ok(Some(Refuter::new(metric, ending, shared, &pairs[..at_once], &pairs[at_once..])))
}
