//! Swaps on many ranks: a long search from both ends, positions owned by hash.
//!
//! Rank 0 does what is short (feasibility, A*, beams) and finds the plan at the end. When a search from both ends
//! without a limit is next, all ranks do that together: each has the positions whose hash names it, expands them, and
//! sends what comes of it to its owners.
//!
//! Invariant: the answer depends on the question alone; of several shortest plans any may be found.
//! Cost: each position is sent once for every move that leads to it, 8 bytes or more.

use destrier::run::peers::Peers;
use destrier::run::watch::Watch;
use destrier::swap::{Joint, Ranks, join};
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
        if watch.scratch().is_some() {
            let why = "ranks add up their memory; only `destrier swap` keeps layers in files";
            return Err(SolveError::Unsuited { method: method.name(), why: why.to_owned() });
        }
        let ranks = &mut SwapRanks { coordinator: self, problem, watch };
        let run = method.run_with(problem, Some(ranks), watch)?;
        Answer::check(problem, run)
    }
}

struct SwapRanks<'c> {
    coordinator: &'c mut Coordinator,
    problem: &'c SwapProblem,
    watch: &'c Watch,
}

impl Ranks for SwapRanks<'_> {
    fn search(&mut self, joint: Joint, share: &mut (dyn FnMut(&mut dyn Peers) + Send)) {
        self.coordinator.begin(Job::Swap(self.problem.clone(), joint), self.watch);
        self.coordinator.rank().exchanging(share);
    }
}

/// A rank's part of [`Job::Swap`].
pub(crate) fn join_in(rank: &mut Rank, problem: &SwapProblem, joint: Joint) {
    let watch = rank.watch().clone();
    rank.exchanging(|peers| join(problem, joint, peers, &watch));
}
