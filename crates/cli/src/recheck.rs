//! Searches that an answer rests on, run again by the plain method.
//!
//! The checker cannot follow a search or an argument in words. The plain method of each problem tries everything
//! in order and shares no idea with the methods that give answers; where it finishes, nothing is taken on trust.

use anyhow::bail;
use destrier::{CaptureMethod, Method as _, Options, Outcome, Solve, SwapMethod, TourMethod};
use destrier_rules::{CaptureProblem, SwapProblem, TourProblem};

/// A problem with a method that is too simple to be wrong.
pub(crate) trait Plain: Solve {
    /// Tries everything in order.
    const PLAIN: Self::Method;
}

impl Plain for TourProblem {
    const PLAIN: TourMethod = TourMethod::Naive;
}

impl Plain for CaptureProblem {
    const PLAIN: CaptureMethod = CaptureMethod::Naive;
}

impl Plain for SwapProblem {
    const PLAIN: SwapMethod = SwapMethod::Naive;
}

/// How many searches may still be run again, and with which options.
pub(crate) struct Recheck {
    pub(crate) left: u64,
    pub(crate) options: Options,
}

/// What came of it.
pub(crate) enum Again {
    /// The plain method says the same; its name.
    Confirmed(&'static str),
    /// It did not finish, for this reason; `None` when nobody asked.
    Open(Option<String>),
}

impl Recheck {
    /// Is it true that there is no solution (`None`), or none that costs less than this bound?
    ///
    /// # Errors
    /// When the plain method finds otherwise.
    pub(crate) fn of<P: Plain>(
        &mut self,
        problem: &P,
        lower_bound: Option<u64>,
    ) -> anyhow::Result<Again> {
        if self.left == 0 {
            return Ok(Again::Open(None));
        }
        self.left -= 1;
        let plain = P::PLAIN.name();
        let found = match problem.solve_by(P::PLAIN, &self.options) {
            Err(error) => return Ok(Again::Open(Some(error.to_string()))),
            Ok(answer) => match answer.outcome {
                Outcome::Solved(found) => Some(found.cost()),
                Outcome::Impossible(_) => None,
                Outcome::Unfinished { why, .. } => {
                    return Ok(Again::Open(Some(format!("{plain}: {why}"))));
                }
            },
        };
        match (found, lower_bound) {
            (None, None) => Ok(Again::Confirmed(plain)),
            (Some(found), Some(bound)) if found >= bound => Ok(Again::Confirmed(plain)),
            (Some(found), _) => bail!("{plain} found a solution in {found}"),
            (None, Some(_)) => {
                bail!("{plain} and the checker disagree on whether there is a solution")
            }
        }
    }
}
