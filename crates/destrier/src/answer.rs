//! The gate: what a method says becomes something that may be shown, once the checker has agreed.
//!
//! A solution is replayed, its claim is compared with its cost, the proof is added up, and a reason for
//! "impossible" is confirmed, all by `destrier-rules`, which knows no solver. There is no other way from a method
//! to a caller: the library, the command, the page and the MPI program all get their answers here.
//!
//! A refusal is a fault of the engine. It ends the run of a method that was asked for by name; `auto` continues with a method
//! that works in another way, and the fault is kept with the answer ([`Effort::refused`]).
//!
//! Invariant: an [`Answer`] holds nothing that the checker refused.
//! Cost: measured in `bench/gate`: little beside a search; half of the run where a rectangle is constructed (`docs/trust.md`).

use std::error::Error;
use std::fmt;

use destrier_rules::{
    Certificate, Claim, Fault, Impossible, Origin, Problem, Proof, Statement, TourProblem, Verified,
};

use crate::count::TourCount;
use crate::method::Method;
use crate::outcome::{Effort, Outcome, Run, SolveError};
use crate::run::watch::Halt;

/// What came of a question: a checked solution, a checked reason why there is none, or how far it got.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer<P: Problem> {
    /// How it ended.
    pub outcome: Outcome<Verified<P>, Impossible<P>>,
    /// What any solution must cost, as far as a run that stopped knows; only the search vouches for it.
    pub lower_bound: Option<u64>,
    /// What it took.
    pub effort: Effort,
}

/// A question without a solution in hand, as an error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotSolved<P: Problem> {
    /// There is none.
    Impossible(Impossible<P>),
    /// The run stopped first.
    Unfinished {
        /// Why it stopped.
        why: Halt,
        /// The best that was found by then.
        best: Option<Verified<P>>,
    },
}

/// What came of a question whose answer is not a solution to be replayed: a number, a plan for a huge board, an estimate;
/// or a checked reason why there is none, or how far it got.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding<T, P: Problem = TourProblem> {
    /// How it ended.
    pub outcome: Outcome<T, Impossible<P>>,
    /// What it took.
    pub effort: Effort,
}

impl<T, P: Problem> AsRef<Effort> for Finding<T, P> {
    fn as_ref(&self) -> &Effort {
        &self.effort
    }
}

impl<P: Problem> AsRef<Effort> for Answer<P> {
    fn as_ref(&self) -> &Effort {
        &self.effort
    }
}

impl<T, P: Problem> AsMut<Effort> for Finding<T, P> {
    fn as_mut(&mut self) -> &mut Effort {
        &mut self.effort
    }
}

impl<P: Problem> AsMut<Effort> for Answer<P> {
    fn as_mut(&mut self) -> &mut Effort {
        &mut self.effort
    }
}

/// What a method answers; where the checker refuses what `auto` says, what the first of the other methods answers that
/// it accepts. The refusals come with the answer.
///
/// # Errors
/// Those of the method; with nothing accepted, the first refusal.
pub(crate) fn accepted<M: Method, A: AsMut<Effort>>(
    method: M,
    others: &[M],
    ask: impl Fn(M) -> Result<A, SolveError>,
) -> Result<A, SolveError> {
    let others = if method == M::default() { others } else { &[] };
    let mut refused: Vec<(&'static str, Fault)> = Vec::new();
    for &method in [method].iter().chain(others) {
        if refused.iter().any(|&(name, _)| name == method.name()) {
            continue;
        }
        match ask(method) {
            Ok(mut answer) => {
                answer.as_mut().refused = refused;
                return Ok(answer);
            }
            Err(SolveError::Refused { method, fault }) => refused.push((method, fault)),
            Err(SolveError::Unsuited { .. }) if !refused.is_empty() => {}
            Err(error) => return Err(error),
        }
    }
    let (method, fault) = refused.swap_remove(0);
    Err(SolveError::Refused { method, fault })
}

impl<T, P: Problem> Finding<T, P> {
    /// What was found by a run that knows of no reason for nothing.
    pub(crate) fn of(run: Run<T>) -> Finding<T, P> {
        let outcome = match run.outcome {
            Outcome::Solved(found) => Outcome::Solved(found),
            Outcome::Unfinished { why, best } => Outcome::Unfinished { why, best },
            Outcome::Impossible(_) => Outcome::Unfinished { why: Halt::GaveUp, best: None },
        };
        Finding { outcome, effort: run.effort }
    }
}

impl<T, P: Problem + Clone> Finding<T, P> {
    /// The reason for nothing, with its origin, as it may be written down and checked anywhere.
    #[must_use]
    pub fn certificate(&self) -> Option<Certificate<P>> {
        let Outcome::Impossible(impossible) = &self.outcome else { return None };
        let statement = Statement::Impossible(impossible.clone());
        Some(Certificate::new(statement, origin(self.effort.method)))
    }

    /// What was found.
    ///
    /// # Errors
    /// When there is nothing, or the run stopped before it had it.
    pub fn found(self) -> Result<T, NotSolved<P>> {
        match self.outcome {
            Outcome::Solved(found) => Ok(found),
            Outcome::Impossible(impossible) => Err(NotSolved::Impossible(impossible)),
            Outcome::Unfinished { why, .. } => Err(NotSolved::Unfinished { why, best: None }),
        }
    }
}

impl Finding<TourCount> {
    /// The number; zero where a reason rules all tours out.
    ///
    /// # Errors
    /// When the count stopped before its end.
    pub fn total(&self) -> Result<TourCount, SolveError> {
        match &self.outcome {
            Outcome::Solved(count) => Ok(count.clone()),
            Outcome::Impossible(_) => Ok(TourCount::ZERO),
            Outcome::Unfinished { why, .. } => Err(SolveError::Stopped(*why)),
        }
    }
}

impl<T> Run<T> {
    /// What was found, with the reason for nothing checked.
    ///
    /// # Errors
    /// When the checker refuses it.
    pub fn finding<P: Problem + Clone>(self, problem: &P) -> Result<Finding<T, P>, SolveError> {
        let Run { outcome, effort, .. } = self;
        let method = effort.method;
        let outcome = match outcome {
            Outcome::Solved(found) => Outcome::Solved(found),
            Outcome::Unfinished { why, best } => Outcome::Unfinished { why, best },
            Outcome::Impossible(obstacle) => {
                let impossible = Impossible::check(problem.clone(), obstacle);
                let refused = |fault| SolveError::Refused { method, fault };
                Outcome::Impossible(impossible.map_err(refused)?)
            }
        };
        Ok(Finding { outcome, effort })
    }

    /// The answer, with solution, claim or reason checked.
    ///
    /// # Errors
    /// When the checker refuses one of them.
    pub fn answer<P>(self, problem: &P) -> Result<Answer<P>, SolveError>
    where
        P: Problem<Solution = T> + Clone,
        T: Clone,
    {
        let Run { outcome, claim, effort } = self;
        let method = effort.method;
        let lower_bound = match claim {
            Claim::AtLeast { lower_bound } => Some(lower_bound),
            _ => None,
        };
        let refused = |fault| SolveError::Refused { method, fault };
        let nodes = effort.nodes;
        let verified = |solution: T, claim: Claim| {
            let solution = Verified::check(problem.clone(), solution)?;
            let Claim::Fewest { lower_bound, .. } = claim else { return solution.claiming(claim) };
            match solution.clone().claiming(claim) {
                // The proof may be right, but is too large for the checker: then it stays a search.
                Err(fault) if fault.is_unfinished() => {
                    let proof = Proof::Search { by: method.to_owned(), nodes };
                    solution.claiming(Claim::Fewest { lower_bound, proof })
                }
                checked => checked,
            }
        };
        let outcome = match outcome {
            Outcome::Solved(solution) => {
                Outcome::Solved(verified(solution, claim).map_err(refused)?)
            }
            Outcome::Impossible(obstacle) => {
                let impossible = Impossible::check(problem.clone(), obstacle);
                Outcome::Impossible(impossible.map_err(refused)?)
            }
            Outcome::Unfinished { why, best } => {
                let best = best.map(|best| verified(best, claim)).transpose();
                Outcome::Unfinished { why, best: best.map_err(refused)? }
            }
        };
        Ok(Answer { outcome, lower_bound, effort })
    }
}

impl<P: Problem> Answer<P> {
    /// The solution.
    ///
    /// # Errors
    /// When there is none, or the run stopped before it had one.
    pub fn solved(self) -> Result<Verified<P>, NotSolved<P>> {
        match self.outcome {
            Outcome::Solved(solved) => Ok(solved),
            Outcome::Impossible(impossible) => Err(NotSolved::Impossible(impossible)),
            Outcome::Unfinished { why, best } => Err(NotSolved::Unfinished { why, best }),
        }
    }

    /// What may be written down and checked anywhere: the solution or the reason, with its origin. Nothing where the
    /// run stopped before it had either.
    #[must_use]
    pub fn certificate(&self) -> Option<Certificate<P>>
    where
        P: Clone,
    {
        let statement = match &self.outcome {
            Outcome::Solved(solved) => Statement::Solved(solved.clone()),
            Outcome::Impossible(impossible) => Statement::Impossible(impossible.clone()),
            Outcome::Unfinished { best, .. } => Statement::Solved(best.clone()?),
        };
        Some(Certificate::new(statement, origin(self.effort.method)))
    }
}

/// Who made an answer: this program, by a method.
#[must_use]
pub fn origin(method: &str) -> Origin {
    Origin {
        program: concat!("destrier ", env!("CARGO_PKG_VERSION")).to_owned(),
        method: method.to_owned(),
    }
}

impl<P: Problem> fmt::Display for NotSolved<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotSolved::Impossible(impossible) => {
                write!(f, "there is no solution: {}", impossible.obstacle())
            }
            NotSolved::Unfinished { why, .. } => write!(f, "undecided: {why}"),
        }
    }
}

impl<P: Problem + fmt::Debug> Error for NotSolved<P> {}
