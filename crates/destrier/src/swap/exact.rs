//! Running an exact engine on every connected part of a puzzle, and putting the answers together.
//!
//! Parts do not touch each other, so the fewest moves of the whole are the sum over the parts (where
//! sides take turns the parts are bound together, and the whole is one).
//!
//! Invariant: a sum of lower bounds is claimed as a bound, and `fewest` only when it equals the cost.
//! Cost: that of the engine on each part.
//! After: the project's design; every plan is still replayed by the checker.

use std::time::Duration;

use destrier_rules::{Claim, Obstacle, Proof, SwapPlan, SwapProblem};

use super::arena::{Arena, Step};
use super::feasible;
use super::key::{Key, with_key};
use super::potentials::bound_met;
use super::question::Question;
use crate::outcome::{Effort, Outcome, Run, SolveError};
use crate::run::clock::Moment;
use crate::run::options::Options;
use crate::run::watch::{Halt, Watch};

/// How one part ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Settled {
    /// A shortest plan.
    Plan(Vec<Step>),
    /// All positions that can be reached were seen, and no goal.
    Nothing,
    /// Stopped; the best plan so far, and what any plan needs.
    Stopped { why: Halt, best: Option<Vec<Step>>, lower: u16 },
}

/// What an engine may use, and what it has done.
#[derive(Debug)]
pub(super) struct Ledger<'w> {
    pub(super) watch: &'w Watch,
    pub(super) nodes: u64,
    /// The most bytes taken at once, as far as they are counted.
    pub(super) peak: u64,
    /// What the proof rests on, in words; the bound alone if empty.
    pub(super) searches: Vec<&'static str>,
    /// The largest number of symmetries used.
    pub(super) symmetries: u64,
    /// Was the search from the goal taken as the mirrored one from the start?
    pub(super) mirrored: bool,
    /// What the parts settled before this one cost.
    pub(super) before: u64,
    /// Is this the last part, with plans for all before it?
    pub(super) is_last: bool,
    /// After a stop: until when a first plan may still be looked for.
    pub(super) grace: Option<Moment>,
}

/// How long after a stop a first plan may still be looked for.
const GRACE: Duration = Duration::from_millis(30);

impl Ledger<'_> {
    /// Bytes that may be used.
    pub(super) fn memory(&self) -> usize {
        usize::try_from(self.watch.memory().unwrap_or(super::MEMORY)).unwrap_or(usize::MAX)
    }

    /// Lets listeners know what is proved of this part, and the cost of the best plan.
    pub(super) fn tell(&self, lower: u16, best: Option<u64>) {
        self.watch.tell(|progress| {
            progress.bound = Some(self.before + u64::from(lower));
            progress.best = best.filter(|_| self.is_last).map(|best| self.before + best);
        });
    }

    /// A watch of its own for the first plan after a stop, for all parts together.
    pub(super) fn grace(&mut self) -> Watch {
        let until = *self.grace.get_or_insert_with(|| {
            let now = Moment::now();
            now.after(GRACE).unwrap_or(now)
        });
        Watch::new(&Options::new().deadline(until).threads(1))
    }

    /// The proof rests on this search too.
    pub(super) fn rests_on(&mut self, search: &'static str) {
        if !self.searches.contains(&search) {
            self.searches.push(search);
        }
    }
}

/// A way to settle one part.
pub(super) trait Engine {
    /// Settle it. The key is large enough for the arena.
    fn settle<K: Key>(&self, arena: &Arena, ledger: &mut Ledger) -> Settled;
}

/// Moves, or runs where those are counted.
pub(super) fn cost(arena: &Arena, steps: &[Step]) -> u64 {
    let breaks = steps.windows(2).filter(|pair| !arena.runs || pair[0].1 != pair[1].0).count();
    breaks as u64 + u64::from(!steps.is_empty())
}

/// Settle all parts and say what came of it.
pub(super) fn solve<E: Engine>(
    engine: &E,
    method: &'static str,
    problem: &SwapProblem,
    watch: &Watch,
) -> Result<Run<SwapPlan>, SolveError> {
    let mut question = Question::new(problem, method)?;
    if let Some(obstacle) = feasible::obstacle(&question) {
        return Ok(Run::new(Outcome::Impossible(obstacle), 0));
    }
    if let Some([goal]) = feasible::ways_to_fill(&question.arena).as_deref() {
        // Squares that can be filled in one way only are not open at all.
        question = question.towards(goal.clone());
    }
    let arena = &question.arena;
    let mut ledger = Ledger {
        watch,
        nodes: 0,
        peak: 0,
        searches: Vec::new(),
        symmetries: 1,
        mirrored: false,
        before: 0,
        is_last: false,
        grace: None,
    };
    let parts = if arena.white_begins.is_some() { vec![arena.clone()] } else { arena.cut() };
    let mut moves = Some(Vec::new());
    let mut halted = None;
    let mut lower = 0;
    let parts: Vec<&Arena> = parts.iter().filter(|part| !part.is_goal(&part.start)).collect();
    for (i, part) in parts.iter().enumerate() {
        ledger.before = lower;
        ledger.is_last = i + 1 == parts.len() && halted.is_none();
        // After a stop the others still say what they need at least.
        let (best, least) = match with_key!(part, K => engine.settle::<K>(part, &mut ledger)) {
            Settled::Plan(steps) => {
                let least = cost(part, &steps);
                (Some(steps), least)
            }
            Settled::Nothing => {
                let nodes = ledger.nodes;
                let obstacle = Obstacle::Exhausted { method: method.to_owned(), nodes };
                let run = Run::new(Outcome::Impossible(obstacle), nodes);
                return Ok(Run { effort: effort(&ledger), ..run });
            }
            Settled::Stopped { why, best, lower } => {
                halted.get_or_insert(why);
                (best, u64::from(lower))
            }
        };
        lower += least;
        moves = moves.zip(best).map(|(mut moves, steps)| {
            moves.extend(question.plan(part, &steps).0);
            moves
        });
    }
    let plan = moves.map(SwapPlan);
    let (outcome, claim) = match (halted, plan) {
        (None, Some(plan)) => {
            let proof = searched(&ledger).unwrap_or_else(|| bound_met(&question, problem, lower));
            (Outcome::Solved(plan), Claim::Fewest { lower_bound: lower, proof })
        }
        (why, best) => {
            let why = why.unwrap_or(Halt::GaveUp);
            (Outcome::Unfinished { why, best }, Claim::AtLeast { lower_bound: lower })
        }
    };
    Ok(Run { outcome, claim, effort: effort(&ledger) })
}

/// The searches that the proof rests on, if it needs any.
fn searched(ledger: &Ledger) -> Option<Proof> {
    if ledger.searches.is_empty() {
        return None;
    }
    let mut by = ledger.searches.join(" and ");
    if ledger.symmetries > 1 {
        by = format!("{by}, up to {} symmetries", ledger.symmetries);
    }
    if ledger.mirrored {
        by += ", start and goal exchanged by a symmetry";
    }
    Some(Proof::Search { by, nodes: ledger.nodes })
}

fn effort(ledger: &Ledger) -> Effort {
    let mut details = vec![("symmetries", ledger.symmetries)];
    if ledger.peak > 0 {
        details.push(("bytes at most", ledger.peak));
    }
    Effort { nodes: ledger.nodes, details, ..Effort::default() }
}
