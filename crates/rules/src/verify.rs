//! Problems, and solutions that have been checked.
//!
//! Only [`Verified::check`] makes a [`Verified`], and pictures and exports take nothing else, so an
//! unchecked solution cannot reach a user by mistake.

use std::fmt;

use crate::certificate::Proof;
use crate::fault::Fault;
use crate::obstacle::{Obstacle, Support};
use crate::question::QuestionError;

/// A question whose proposed solutions can be checked.
pub trait Problem {
    /// What answers it.
    type Solution: Clone + fmt::Debug + PartialEq + Eq;

    /// The kind of problem in a word: `tour`, `capture`, `swap`.
    const KIND: &'static str;

    /// Can the question be asked at all?
    ///
    /// # Errors
    /// When it contradicts itself, with the place.
    fn validate(&self) -> Result<(), QuestionError>;

    /// Is this a solution?
    ///
    /// # Errors
    /// With the first thing that is wrong, and where.
    fn verify(&self, solution: &Self::Solution) -> Result<(), Fault>;

    /// What a solution costs: jumps, or moves, or runs.
    fn cost(&self, solution: &Self::Solution) -> u64;

    /// Does the obstacle stand in this problem's way, and what does that rest on?
    ///
    /// # Errors
    /// When the obstacle's facts are not so.
    fn confirm(&self, obstacle: &Obstacle) -> Result<Support, Fault>;

    /// Does the proof show that no solution costs less than the bound, and what does it rest on?
    ///
    /// # Errors
    /// When the proof's own numbers do not give the bound.
    fn prove(&self, lower_bound: u64, proof: &Proof) -> Result<Support, Fault> {
        let _ = (lower_bound, proof);
        Ok(Support::Search)
    }
}

/// A problem with a solution that the checker has accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified<P: Problem> {
    problem: P,
    solution: P::Solution,
}

impl<P: Problem> Verified<P> {
    /// Checks the solution against the problem.
    ///
    /// # Errors
    /// With the first thing that is wrong, and where.
    pub fn check(problem: P, solution: P::Solution) -> Result<Verified<P>, Fault> {
        problem.validate().map_err(Fault::Question)?;
        problem.verify(&solution)?;
        Ok(Verified { problem, solution })
    }

    /// The question.
    pub const fn problem(&self) -> &P {
        &self.problem
    }

    /// The solution.
    pub const fn solution(&self) -> &P::Solution {
        &self.solution
    }

    /// Gives back question and solution.
    pub fn into_parts(self) -> (P, P::Solution) {
        (self.problem, self.solution)
    }
}
