//! Searches that an answer rests on, run again by the plain method.
//!
//! The checker cannot follow a search or an argument in words. The plain method of each problem tries everything
//! in order and shares no idea with the methods that give answers; where it finishes, nothing is taken on trust.

use anyhow::bail;
use destrier::method::{self, Solver};
use destrier::{Outcome, Watch, capture, swap, tour};
use destrier_rules::{CaptureProblem, Problem, SwapProblem, TourProblem};

/// A problem with a method that is too simple to be wrong.
pub(crate) trait Plain: Problem + Clone + 'static {
    /// Tries everything in order.
    const SOLVER: &'static dyn Solver<Self>;
}

impl Plain for TourProblem {
    const SOLVER: &'static dyn Solver<TourProblem> = &tour::Naive;
}

impl Plain for CaptureProblem {
    const SOLVER: &'static dyn Solver<CaptureProblem> = &capture::Naive;
}

impl Plain for SwapProblem {
    const SOLVER: &'static dyn Solver<SwapProblem> = &swap::Naive;
}

/// How many searches may still be run again, and under which watch.
pub(crate) struct Recheck {
    pub(crate) left: u64,
    pub(crate) watch: Watch,
}

/// What came of it.
pub(crate) enum Again {
    /// The plain method says the same; its name.
    Confirmed(&'static str),
    /// It did not finish, for this reason; `None` when nobody asked.
    Open(Option<String>),
}

impl Recheck {
    /// Is it true that there is no solution (`None`), or none that costs less than this?
    ///
    /// # Errors
    /// When the plain method finds otherwise.
    pub(crate) fn of<P: Plain>(
        &mut self,
        problem: &P,
        fewest: Option<u64>,
    ) -> anyhow::Result<Again> {
        if self.left == 0 {
            return Ok(Again::Open(None));
        }
        self.left -= 1;
        let plain = P::SOLVER.name();
        let found = match method::solve_checked(P::SOLVER, problem, &self.watch) {
            Err(error) => return Ok(Again::Open(Some(error.to_string()))),
            Ok(run) => match run.outcome {
                Outcome::Solved(found) => Some(problem.cost(found.solution())),
                Outcome::Impossible(_) => None,
                Outcome::Unfinished { why, .. } => {
                    return Ok(Again::Open(Some(format!("{plain}: {why}"))));
                }
            },
        };
        match (found, fewest) {
            (None, None) => Ok(Again::Confirmed(plain)),
            (Some(found), Some(fewest)) if found == fewest => Ok(Again::Confirmed(plain)),
            (Some(found), _) => bail!("the claim is false: {plain} found a solution in {found}"),
            (None, Some(_)) => {
                bail!("{plain} and the checker disagree on whether there is a solution")
            }
        }
    }
}
