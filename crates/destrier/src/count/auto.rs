//! Which counter suits a question best.
//!
//! Narrow boards are read row by row, wide plain ones met in the middle, everything else is swept by
//! a frontier; what a quick proof shows impossible is not counted at all. The choice is reported.

use destrier_rules::{TourProblem, TourSymmetry};

use super::middle::{Middle, MiddleCount};
use super::{Frontier, TourCount, Transfer, transfer};
use crate::method::Counter;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::Watch;
use crate::tour::{self, Backtrack, Naive};

/// Chooses a counter, and says which.
#[derive(Debug)]
pub struct Auto;

impl Counter for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn about(&self) -> &'static str {
        "chooses among the others, and says which it chose"
    }

    fn count(&self, problem: &TourProblem, watch: &Watch) -> Result<Run<TourCount>, SolveError> {
        if tour::obstacle(problem).is_some() {
            let none = TourCount::of_undirected(problem, 0_u32);
            let mut run = Run::new(Outcome::Solved(none), 0);
            run.effort.method = Some("obstacle");
            return Ok(run);
        }
        let chosen = choose(problem);
        let mut run = chosen.count(problem, watch)?;
        run.effort.method.get_or_insert(chosen.name());
        Ok(run)
    }
}

impl Auto {
    /// The counter that is chosen for a question.
    #[must_use]
    pub fn choice(problem: &TourProblem) -> &'static dyn Counter {
        choose(problem)
    }
}

/// The longest side that is met in the middle: beyond, a sweep along it is shorter.
const LONGEST_MIDDLE: u32 = 10;

/// Boards with fewer squares are swept before two halves would be planned.
const FEWEST_MIDDLE: u64 = 42;

fn choose(problem: &TourProblem) -> &'static dyn Counter {
    let board = &problem.board;
    let (short, long) = (board.files().min(board.ranks()), board.files().max(board.ranks()));
    if problem.symmetry == Some(TourSymmetry::FourPaths) {
        &Backtrack
    } else if board.len() < 3 {
        &Naive
    } else if transfer::suits(problem).is_ok() && (short < 5 || long >= 14) {
        &Transfer
    } else if board.len() >= FEWEST_MIDDLE
        && long <= LONGEST_MIDDLE
        && MiddleCount::new(problem).is_ok()
    {
        &Middle
    } else {
        &Frontier
    }
}
