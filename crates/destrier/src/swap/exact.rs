//! Running an exact engine on every connected part of a puzzle, and combining the answers.
//!
//! Parts are independent, so the fewest moves of the whole are the sum over the parts (where sides take
//! turns they are not, and the whole is one part).
//!
//! Invariant: a sum of lower bounds is claimed as a bound, and `fewest` only when it equals the cost.
//! Cost: that of the engine on each part.

use std::sync::Arc;
use std::time::Duration;

use destrier_rules::{Claim, Obstacle, Proof, SwapPlan, SwapProblem};

use super::bound::INFINITE;
use super::encoding::Encoding;
use super::feasibility;
use super::instance::{Instance, Step};
use super::joint::Announcement;
use super::key::{Key, with_key};
use super::part::{PartSolver, Trial};
use super::potentials::bound_met;
use super::scratch::{Process, Scratch};
use crate::outcome::{Effort, Outcome, Run, SolveError};
use crate::run::clock::Moment;
use crate::run::options::Options;
use crate::run::share::Peers;
use crate::run::watch::{Halt, Watch};

/// The outcome of one part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PartOutcome {
    /// A shortest plan.
    Solved(Vec<Step>),
    /// All positions that can be reached were visited, and none is a goal.
    Exhausted,
    /// Stopped; the best plan so far, and what every plan costs at least.
    Stopped { why: Halt, best: Option<Vec<Step>>, lower: u16 },
}

/// What engines may use, and what they have done so far.
pub(super) struct Context<'w> {
    pub(super) watch: &'w Watch,
    pub(super) nodes: u64,
    /// The most bytes used at once, as far as they are counted.
    pub(super) peak: u64,
    /// The most bytes on disk.
    pub(super) disk: u64,
    /// The searches that the proof rests on; the bound alone if empty.
    pub(super) searches: Vec<&'static str>,
    /// The largest number of symmetries used.
    pub(super) symmetries: u64,
    /// Was the search from the goal derived from the one from the start by a symmetry?
    pub(super) mirrored: bool,
    /// What the parts before this one cost.
    pub(super) before: u64,
    /// Is this the last part, with plans for all before it?
    pub(super) is_last: bool,
    /// After a stop: until when a first plan may still be searched for.
    pub(super) grace: Option<Moment>,
    /// Which part this is.
    pub(super) part: usize,
    /// Other processes that can be asked to join in a long search.
    pub(super) peers: Option<&'w mut dyn Peers>,
    /// Where layers may go that do not fit in memory.
    pub(super) scratch: Option<Arc<Scratch>>,
}

/// How long after a stop a first plan may still be searched for.
const GRACE: Duration = Duration::from_millis(30);

impl<'w> Context<'w> {
    /// Bytes that may be used.
    pub(super) fn memory(&self) -> usize {
        usize::try_from(self.watch.memory().unwrap_or(super::MEMORY)).unwrap_or(usize::MAX)
    }

    /// Reports what is proved about this part, and the cost of the best plan.
    pub(super) fn report(&self, lower: u16, best: Option<u64>) {
        self.reporter(best)(lower);
    }

    /// The same, for bounds that others prove while this plan is the best.
    pub(super) fn reporter(&self, best: Option<u64>) -> impl Fn(u16) + Sync + use<'w> {
        let (watch, before, is_last) = (self.watch, self.before, self.is_last);
        move |lower| {
            watch.tell(|progress| {
                progress.bound = Some(before + u64::from(lower));
                progress.best = best.filter(|_| is_last).map(|best| before + best);
            });
        }
    }

    /// A separate watch for the first plan after a stop, for all parts together.
    pub(super) fn grace(&mut self) -> Watch {
        let until = *self.grace.get_or_insert_with(|| {
            let now = Moment::now();
            now.after(GRACE).unwrap_or(now)
        });
        Watch::new(&Options::new().deadline(until).threads(1))
    }

    /// Records that the proof rests on this search too.
    pub(super) fn rests_on(&mut self, search: &'static str) {
        if !self.searches.contains(&search) {
            self.searches.push(search);
        }
    }
}

/// A method, as the engines that it tries.
pub(super) trait Engine {
    /// What to try for a part with this lower bound, in this order, until one decides; `positions` is
    /// how many A* can keep in memory.
    fn trials(&self, part: &Instance, lower: u16, positions: usize) -> Vec<Trial>;

    /// After a stop: is any plan better than none?
    fn wants_any_plan(&self) -> bool {
        false
    }
}

fn solve_part<K: Key>(engine: &dyn Engine, part: &Instance, context: &mut Context) -> PartOutcome {
    let mut solver = PartSolver::<K>::new(part, context);
    if solver.lower == INFINITE {
        return PartOutcome::Exhausted;
    }
    context.report(solver.lower, None);
    // A slot for two of three positions, half of them again while the table grows, and the open list.
    let room = context.watch.memory().map_or(super::MEMORY, |_| context.watch.room());
    let positions = usize::try_from(room).unwrap_or(usize::MAX) / (size_of::<K>() * 16);
    for trial in engine.trials(part, solver.lower, positions) {
        match solver.run(&trial, context) {
            Ok(None) => {}
            Ok(Some(outcome)) => return outcome,
            Err(halt) => {
                if engine.wants_any_plan() {
                    solver.find_any_plan(context);
                }
                return solver.stopped(halt);
            }
        }
    }
    solver.stopped(Halt::Memory)
}

/// The number of moves, or of runs where those are counted.
pub(super) fn cost(instance: &Instance, steps: &[Step]) -> u64 {
    let breaks = steps.windows(2).filter(|pair| !instance.runs || pair[0].1 != pair[1].0).count();
    breaks as u64 + u64::from(!steps.is_empty())
}

/// The connected parts that have something to do; the whole where sides take turns.
pub(super) fn parts(encoding: &Encoding) -> Vec<Instance> {
    let instance = &encoding.instance;
    let mut parts =
        if instance.white_begins.is_some() { vec![instance.clone()] } else { instance.split() };
    parts.retain(|part| !part.is_goal(&part.start));
    parts
}

/// Solves all parts and combines the answers.
pub(super) fn solve<'w>(
    engine: &dyn Engine,
    method: &'static str,
    problem: &SwapProblem,
    peers: Option<&'w mut dyn Peers>,
    watch: &'w Watch,
) -> Result<Run<SwapPlan>, SolveError> {
    let encoding = Encoding::new(problem, method)?;
    if let Some(obstacle) = feasibility::obstacle(&encoding) {
        return Ok(Run::new(Outcome::Impossible(obstacle), 0));
    }
    let size = peers.as_ref().map_or(1, |peers| peers.size());
    let open = |folder| Scratch::open(folder, problem, Process { rank: 0, size }, method);
    let scratch = watch.scratch().map(open).transpose()?;
    let mut context = Context {
        watch,
        nodes: 0,
        peak: 0,
        disk: 0,
        searches: Vec::new(),
        symmetries: 1,
        mirrored: false,
        before: 0,
        is_last: false,
        grace: None,
        part: 0,
        peers,
        scratch: scratch.map(Arc::new),
    };
    let run = solve_parts(engine, method, problem, &encoding.settled(), &mut context);
    let is_over = matches!(run.outcome, Outcome::Solved(_) | Outcome::Impossible(_));
    if let Some(scratch) = context.scratch.and_then(Arc::into_inner) {
        if is_over && let Some(peers) = context.peers {
            Announcement::RemoveFiles.send(peers);
        }
        if is_over || scratch.is_empty() {
            scratch.remove();
        }
    }
    Ok(run)
}

fn solve_parts(
    engine: &dyn Engine,
    method: &'static str,
    problem: &SwapProblem,
    encoding: &Encoding,
    context: &mut Context,
) -> Run<SwapPlan> {
    let mut moves = Some(Vec::new());
    let mut halted = None;
    let mut lower = 0;
    let parts = parts(encoding);
    for (i, part) in parts.iter().enumerate() {
        context.before = lower;
        context.part = i;
        context.is_last = i + 1 == parts.len() && halted.is_none();
        // After a stop, the other parts still contribute their lower bounds.
        let (best, least) = match with_key!(part, K => solve_part::<K>(engine, part, context)) {
            PartOutcome::Solved(steps) => {
                let least = cost(part, &steps);
                (Some(steps), least)
            }
            PartOutcome::Exhausted => {
                let nodes = context.nodes;
                let obstacle = Obstacle::Exhausted { method: method.to_owned(), nodes };
                let run = Run::new(Outcome::Impossible(obstacle), nodes);
                return Run { effort: effort(context), ..run };
            }
            PartOutcome::Stopped { why, best, lower } => {
                halted.get_or_insert(why);
                (best, u64::from(lower))
            }
        };
        lower += least;
        moves = moves.zip(best).map(|(mut moves, steps)| {
            moves.extend(encoding.plan(part, &steps).0);
            moves
        });
    }
    let plan = moves.map(SwapPlan);
    let (outcome, claim) = match (halted, plan) {
        (None, Some(plan)) => {
            let proof = searched(context).unwrap_or_else(|| bound_met(encoding, problem, lower));
            (Outcome::Solved(plan), Claim::Fewest { lower_bound: lower, proof })
        }
        (why, best) => {
            let why = why.unwrap_or(Halt::GaveUp);
            (Outcome::Unfinished { why, best }, Claim::AtLeast { lower_bound: lower })
        }
    };
    Run { outcome, claim, effort: effort(context) }
}

/// The searches that the proof rests on, if any.
fn searched(context: &Context) -> Option<Proof> {
    if context.searches.is_empty() {
        return None;
    }
    let mut by = context.searches.join(" and ");
    if context.symmetries > 1 {
        by = format!("{by}, up to {} symmetries", context.symmetries);
    }
    if context.mirrored {
        by += ", start and goal exchanged by a symmetry";
    }
    Some(Proof::Search { by, nodes: context.nodes })
}

fn effort(context: &Context) -> Effort {
    let mut details = vec![("symmetries", context.symmetries)];
    if context.peak > 0 {
        details.push(("bytes at most", context.peak));
    }
    if context.disk > 0 {
        details.push(("bytes on disk at most", context.disk));
    }
    Effort { nodes: context.nodes, details, ..Effort::default() }
}
