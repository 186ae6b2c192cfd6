//! Running an exact engine on every connected part of a puzzle, and putting the answers together.
//!
//! Parts do not touch each other, so the fewest moves of the whole are the sum over the parts (where
//! sides take turns the parts are bound together, and the whole is one).
//!
//! Invariant: a sum of lower bounds is claimed as a bound, and `fewest` only when it equals the cost.
//! Cost: that of the engine on each part.
//! After: the project's design; every plan is still replayed by the checker.

use destrier_rules::{Claim, Obstacle, Proof, SwapPlan, SwapProblem};

use super::arena::{Arena, Step};
use super::feasible;
use super::key::{Key, with_key};
use super::question::Question;
use crate::outcome::{Effort, Outcome, Run, SolveError};
use crate::watch::{Halt, Watch};

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
}

impl Ledger<'_> {
    /// Bytes that may be used.
    pub(super) fn memory(&self) -> usize {
        usize::try_from(self.watch.memory().unwrap_or(super::MEMORY)).unwrap_or(usize::MAX)
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
    let question = Question::new(problem, method)?;
    if let Some(obstacle) = feasible::obstacle(&question) {
        return Ok(Run::new(Outcome::Impossible(obstacle), 0));
    }
    let arena = &question.arena;
    let mut ledger =
        Ledger { watch, nodes: 0, peak: 0, searches: Vec::new(), symmetries: 1, mirrored: false };
    let parts = if arena.white_begins.is_some() { vec![arena.clone()] } else { arena.cut() };
    let mut moves = Some(Vec::new());
    let mut halted = None;
    let mut lower = 0;
    for part in parts.iter().filter(|part| !part.is_goal(&part.start)) {
        let (best, least) = match halted {
            None => match with_key!(part, K => engine.settle::<K>(part, &mut ledger)) {
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
                    halted = Some(why);
                    (best, u64::from(lower))
                }
            },
            Some(_) => (None, 0),
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
            let proof = proof(&ledger);
            (Outcome::Solved(plan), Claim::Fewest { lower_bound: lower, proof })
        }
        (why, best) => {
            let why = why.unwrap_or(Halt::GaveUp);
            (Outcome::Unfinished { why, best }, Claim::AtLeast { lower_bound: lower })
        }
    };
    Ok(Run { outcome, claim, effort: effort(&ledger) })
}

fn proof(ledger: &Ledger) -> Proof {
    if ledger.searches.is_empty() {
        return Proof::BoundMet { by: "assignment of knights to goal squares".to_owned() };
    }
    let mut by = ledger.searches.join(" and ");
    if ledger.symmetries > 1 {
        by = format!("{by}, up to {} symmetries", ledger.symmetries);
    }
    if ledger.mirrored {
        by += ", start and goal exchanged by a symmetry";
    }
    Proof::Search { by, nodes: ledger.nodes }
}

fn effort(ledger: &Ledger) -> Effort {
    let mut details = vec![("symmetries", ledger.symmetries)];
    if ledger.peak > 0 {
        details.push(("bytes at most", ledger.peak));
    }
    Effort { nodes: ledger.nodes, details, method: None }
}
