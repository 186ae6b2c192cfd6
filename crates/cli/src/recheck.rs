//! Searches that an answer rests on, run again by the plain method.
//!
//! The checker cannot follow a search or an argument in words. The plain method of each problem tries everything
//! in order and shares no idea with the methods that give answers; where it finishes, nothing is taken on trust.

use anyhow::bail;
use destrier::internal::{Record, Watch};
use destrier::{
    BigUint, CaptureMethod, CountMethod, Halt, Method as _, Options, Outcome, Solve, SwapMethod,
    TourMethod, Tours as _,
};
use destrier_ask::{CheckedClaim, Misread, Sentence, stopped};
use destrier_rules::{CaptureProblem, CountCertificate, CountStatement, SwapProblem, TourProblem};
use destrier_terminal::exit::Exit;

use crate::verify::journal;

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
    /// For the slices of counts that are drawn.
    pub(crate) seed: u64,
    pub(crate) options: Options,
}

/// Its outcome.
pub(crate) enum Again {
    /// The plain method says the same; its name.
    Confirmed(&'static str),
    /// It did not finish, for this reason.
    Open(Sentence),
    /// Nobody asked for it.
    NotAsked,
}

impl Again {
    /// What a claim is after that; and is it settled, as far as that was asked for?
    pub(crate) fn settle(self, claim: CheckedClaim) -> (CheckedClaim, bool) {
        match self {
            Again::Confirmed(by) => (claim.run_again(by), true),
            Again::Open(why) => (claim.because(why), false),
            Again::NotAsked => (claim, true),
        }
    }
}

/// That a method did not finish, and why.
fn halted(method: &str, why: Halt) -> Sentence {
    stopped(Sentence::english(method), why)
}

impl Recheck {
    /// Counts some slices of a count again; true if all that were tried finished.
    ///
    /// # Errors
    /// When a slice has another sum.
    pub(crate) fn slices(&mut self, record: &Record, watch: &Watch) -> anyhow::Result<bool> {
        let exit = journal::check_record(record, &mut self.left, self.seed, watch)?;
        Ok(exit == Exit::Solved)
    }

    /// Counts the tours again, by a method that has not counted them yet.
    ///
    /// # Errors
    /// When it comes to another number.
    pub(crate) fn count(&mut self, count: &CountCertificate) -> anyhow::Result<Again> {
        self.left -= 1;
        let CountStatement { question, undirected, complete, .. } = count.statement();
        let others = [CountMethod::Frontier, CountMethod::Backtrack, CountMethod::Naive];
        let fresh = |method: &CountMethod| !count.methods().contains(method.name());
        let method = others.into_iter().find(fresh).unwrap_or(CountMethod::Naive);
        let found = match question.count_by(method, &self.options) {
            Err(error) => return Ok(Again::Open((&error).into())),
            Ok(found) => match found.outcome {
                Outcome::Solved(found) => found.undirected(),
                Outcome::Impossible(_) => BigUint::ZERO,
                Outcome::Unfinished { why, .. } => {
                    return Ok(Again::Open(halted(method.name(), why)));
                }
            },
        };
        let said: BigUint = undirected.parse()?;
        if found == said || (!complete && found > said) {
            return Ok(Again::Confirmed(method.name()));
        }
        let said = Sentence::of("support.counts").with("method", method.name());
        bail!(Misread::told(said.with("n", found.to_string())))
    }

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
            return Ok(Again::NotAsked);
        }
        self.left -= 1;
        let plain = P::PLAIN.name();
        let found = match problem.solve_by(P::PLAIN, &self.options) {
            Err(error) => return Ok(Again::Open((&error).into())),
            Ok(answer) => match answer.outcome {
                Outcome::Solved(found) => Some(found.cost()),
                Outcome::Impossible(_) => None,
                Outcome::Unfinished { why, .. } => {
                    return Ok(Again::Open(halted(plain, why)));
                }
            },
        };
        match (found, lower_bound) {
            (None, None) => Ok(Again::Confirmed(plain)),
            (Some(found), Some(bound)) if found >= bound => Ok(Again::Confirmed(plain)),
            (Some(found), _) => {
                let said = Sentence::of("support.found").with("method", plain).with("n", found);
                bail!(Misread::told(said))
            }
            (None, Some(_)) => {
                bail!(Misread::told(Sentence::of("support.disagree").with("method", plain)))
            }
        }
    }
}
