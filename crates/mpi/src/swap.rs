//! Swaps on many ranks: a long search from both ends, positions owned by hash.
//!
//! Rank 0 does what is short (feasibility, A*, beams) and finds the plan at the end. When a search from both ends
//! without a limit is next, all ranks do that together: each has the positions whose hash names it, expands them, and
//! sends what comes of it to its owners. With a scratch folder, layers that do not fit go to files of each rank.
//!
//! Invariant: the answer depends on the question alone; of several shortest plans any may be found.
//! Cost: each position is sent once for every move that leads to it, 8 bytes or more.

use std::path::Path;

use destrier::internal::Watch;
use destrier::internal::distributed::{join, lead};
use destrier::{Answer, Method as _, Options, Solve as _, SolveError, SwapMethod};
use destrier_rules::{Problem as _, SwapProblem};

use crate::coordinator::Coordinator;
use crate::job::Job;
use crate::rank::Rank;

impl Coordinator {
    /// Solves a puzzle by a method; the plan passes the checker.
    ///
    /// # Errors
    /// When the method does not support the puzzle.
    pub fn swap(
        &mut self,
        problem: &SwapProblem,
        method: SwapMethod,
        options: &Options,
    ) -> Result<Answer<SwapProblem>, SolveError> {
        if !matches!(method, SwapMethod::Auto | SwapMethod::Meet) {
            self.alone(method.name());
            return problem.solve_by(method, options);
        }
        problem.validate()?;
        let watch = &Watch::new(options);
        if self.size() == 1 {
            return problem.solve_by(method, options);
        }
        let folder = match watch.scratch().map(Path::to_str) {
            Some(None) => {
                let why = "ranks can only be told of a scratch folder whose name is UTF-8";
                return Err(SolveError::Unsuited { method: method.name(), why: why.to_owned() });
            }
            folder => folder.flatten().map(str::to_owned),
        };
        self.begin(Job::Swap(problem.clone(), folder), watch);
        self.rank().exchanging(|peers| lead(problem, method, peers, watch))?.answer(problem)
    }
}

/// A rank's part of [`Job::Swap`].
pub(crate) fn join_in(rank: &mut Rank, problem: &SwapProblem, folder: Option<&str>) {
    let watch = rank.watch().clone();
    rank.exchanging(|peers| join(problem, folder.map(Path::new), peers, &watch));
}
