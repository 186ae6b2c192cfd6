//! The exact methods by name, and `auto`, which tries them in turn.
//!
//! Most puzzles are solved by a short A*. Otherwise a narrow beam gives a plan, often a shortest one, and
//! it remains to prove that none is shorter: by the bound, by a search of all placements by number where
//! they are few, or by a search from both ends under the limit that the plan sets. On boards with too
//! many positions for any of these, wider beams look for a plan that meets the bound.
//!
//! Invariant: an engine ends with a plan only if no shorter one exists.
//! Cost: `docs/swap.md` has the times of each on known puzzles.

use destrier_rules::{SwapPlan, SwapProblem};

use super::exact::{self, Engine};
use super::instance::Instance;
use super::part::{Trial, generous};
use crate::outcome::{Run, SolveError};
use crate::run::share::Peers;
use crate::run::watch::Watch;

/// The portfolio.
#[derive(Debug)]
pub(super) struct Auto;

/// A* with the assignment bound.
#[derive(Debug)]
pub(super) struct AStar;

/// Breadth-first search from both ends under a rising bound.
#[derive(Debug)]
pub(super) struct Meet;

/// All placements by number, two bits each, from both ends.
#[derive(Debug)]
pub(super) struct Ranked;

/// `auto` numbers all placements where there are at most this many.
const FEW: u64 = 1 << 28;
/// Beyond this many placements a search from both ends is the last resort.
const MANY: f64 = 1e12;
/// Positions expanded from both ends before a shorter plan is searched for.
const FAIR: u64 = 3 << 19;
/// Positions visited in the search for palindromes.
const PALINDROMES: usize = 1 << 22;

impl Auto {
    pub(crate) fn solve<'w>(
        &self,
        problem: &SwapProblem,
        peers: Option<&'w mut dyn Peers>,
        watch: &'w Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        exact::solve(self, "auto", problem, peers, watch)
    }
}

impl AStar {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        exact::solve(self, "astar", problem, None, watch)
    }
}

impl Meet {
    pub(crate) fn solve<'w>(
        &self,
        problem: &SwapProblem,
        peers: Option<&'w mut dyn Peers>,
        watch: &'w Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        if problem.rules.alternate.is_some() {
            let why =
                "where sides take turns, moves cannot be reversed; use auto or astar".to_owned();
            return Err(SolveError::Unsuited { method: "meet", why });
        }
        exact::solve(self, "meet", problem, peers, watch)
    }
}

impl Ranked {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        let unsuited = |why: &str| SolveError::Unsuited { method: "ranked", why: why.to_owned() };
        if !problem.goal.any.is_empty() {
            return Err(unsuited("the goal leaves squares open, but it needs a complete goal"));
        }
        if problem.rules.alternate.is_some()
            || problem.rules.metric != destrier_rules::Metric::Moves
        {
            return Err(unsuited("it supports only single moves without turns"));
        }
        if problem.board.len() > 32 {
            let why = format!("the board has {} squares; the limit is 32", problem.board.len());
            return Err(unsuited(&why));
        }
        exact::solve(self, "ranked", problem, None, watch)
    }
}

impl Engine for AStar {
    fn trials(&self, _: &Instance, _: u16, positions: usize) -> Vec<Trial> {
        vec![Trial::AStar(positions)]
    }
}

impl Engine for Meet {
    fn trials(&self, _: &Instance, _: u16, _: usize) -> Vec<Trial> {
        vec![Trial::Tables, Trial::Meet(u64::MAX)]
    }
}

impl Engine for Ranked {
    fn trials(&self, _: &Instance, _: u16, _: usize) -> Vec<Trial> {
        vec![Trial::Ranked(u64::MAX)]
    }
}

impl Engine for Auto {
    fn trials(&self, instance: &Instance, lower: u16, positions: usize) -> Vec<Trial> {
        use Trial::{AStar, Beam, Meet, Palindromes, Ranked, Tables};
        let slack = generous(lower);
        let first = [Beam(64, slack), Beam(256, 0)];
        if instance.runs || instance.white_begins.is_some() {
            // There are no tables for these.
            let mut trials = vec![AStar(1 << 15)];
            trials.extend(first);
            if instance.white_begins.is_some() {
                trials.push(AStar(positions));
            } else {
                trials.extend([Meet(FAIR), Beam(1 << 12, slack), Meet(u64::MAX)]);
            }
            return trials;
        }
        let placements = instance.placements(0);
        let codes = 1..=u8::try_from(instance.colours).unwrap_or(u8::MAX);
        let labelled = codes.filter(|&code| instance.count(code) == 1).count() > 1;
        let mut trials = vec![AStar(1 << 12)];
        if placements > MANY {
            // Positions are costly here: what is not easy gets a first plan before anything else.
            trials.push(Beam(8, slack));
        }
        if labelled {
            trials.extend([Tables, AStar(1 << 15)]);
            trials.extend(first);
            trials.push(Meet(FAIR / 4));
        } else {
            // A narrow beam finds shorter plans without tables, which are more eager to go down.
            trials.extend(first);
            trials.extend([Tables, AStar(1 << 15)]);
            if placements > MANY {
                trials.push(Beam(1 << 9, 0));
            }
            // A try from both ends, as long as a search of all placements, and that where they are few.
            let few = instance.placements_up_to(FEW).map_or(0, |placements| placements / 64);
            trials.extend([Meet(few.max(FAIR / 8)), Ranked(FEW)]);
        }
        // A plan that is a move or two shorter saves the last and largest pass from both ends. Where that
        // pass is out of reach, only a plan on the plateau can be proved, so it is searched for first.
        trials.push(Beam(1 << 9, slack));
        if placements > MANY {
            trials.extend([1 << 10, 3 << 13, 1 << 16, 1 << 18].map(|width| Beam(width, 0)));
        }
        trials.push(Beam(1 << 12, slack));
        // Most of what is left is decided by this; for the rest a shorter plan is worth its time.
        trials.extend([Meet(FAIR), Palindromes(PALINDROMES), Meet(u64::MAX), Ranked(u64::MAX)]);
        trials
    }

    fn wants_any_plan(&self) -> bool {
        true
    }
}
