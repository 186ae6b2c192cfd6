//! Captures on many ranks: branches of the textbook's tree, cases of the exact proof.
//!
//! For `bb-dfs` rank 0 unrolls the tree by breadth first to enough branches and deals them out; a shorter walk's length
//! goes to all ranks at once. Inside a rank, by `--parallel`: `data` has each thread search a branch of its own, `task`
//! has all threads share one branch as tasks, `none` has one thread. The
//! exact solver finds plans, bounds and cuts at the root alone, which settles most puzzles; the
//! cases that are open then are distributed, and come back refuted or as smaller cases.
//!
//! Invariant: the bound of every rank is the length of a plan that some rank holds; plans come back with
//! the answer of the task that found them, so rank 0 has the best one in the end.
//! Cost: a message of some bytes a branch, of some kilobytes a case.
//! Source: the course on parallel programming at the Czech Technical University in Prague.

use std::ops::ControlFlow;

use destrier::capture::{
    Auto, Branch, Broadcast, Case, CaseResult, CaseTree, Scratch, Tree, TreeBuilder, Worker,
    Workers,
};
use destrier::run::watch::Watch;
use destrier::{
    Answer, CaptureMethod, Distance, Halt, Method as _, Options, Parallel, Solve as _, SolveError,
    Vertex,
};
use destrier_rules::{CaptureProblem, Problem as _};
use serde::{Deserialize, Serialize};

use crate::coordinator::Coordinator;
use crate::job::Job;
use crate::rank::Rank;
use crate::work::{Source, Work};

impl Coordinator {
    /// Solves a puzzle by a method; plan and proof pass the checker.
    ///
    /// # Errors
    /// When the method does not support the puzzle.
    pub fn capture(
        &mut self,
        problem: &CaptureProblem,
        method: CaptureMethod,
        options: &Options,
    ) -> Result<Answer<CaptureProblem>, SolveError> {
        problem.validate()?;
        let watch = &Watch::new(options);
        match method {
            CaptureMethod::BbDfs(search) => {
                let run = search.solve_by(problem, watch, &mut |tree, limit| {
                    let (distance, parallel) = (search.distance, search.parallel);
                    self.begin(Job::Textbook(problem.clone(), distance, parallel, limit), watch);
                    let rank = self.rank();
                    let work = BranchSearch { tree, watch, parallel };
                    let branches = tree.unroll(BRANCHES * rank.size() * work.threads());
                    let branches = branches.into_iter();
                    let mut source = BranchSource { tree, branches, halted: false };
                    rank.coordinate(&work, &mut source);
                    // Some branches were not assigned, or were given back too soon.
                    let why = watch.halted().or_else(|| source.halted.then_some(Halt::Asked));
                    why.map_or(Ok(()), Err)
                })?;
                Answer::check(problem, run.by(method.name()))
            }
            CaptureMethod::Auto => {
                let run = Auto.solve_with(
                    problem,
                    Some(&mut RankWorkers { coordinator: self, problem }),
                    watch,
                )?;
                Answer::check(problem, run.by(method.name()))
            }
            _ => {
                self.alone(method.name());
                problem.solve_by(method, options)
            }
        }
    }
}

// ---- the textbook's branches ----

/// Branches for each thread, so that none is idle for long in the end.
const BRANCHES: usize = 64;

/// A rank's part of [`Job::Textbook`].
pub(crate) fn search_branches(
    rank: &mut Rank,
    problem: &CaptureProblem,
    distance: Distance,
    parallel: Parallel,
    limit: u32,
) {
    let builder = TreeBuilder::new(problem, distance).expect("rank 0 has looked at the question");
    let watch = rank.watch().clone();
    let tree = rank.while_listening(|| builder.tree(limit));
    rank.take_part(&BranchSearch { tree: &tree, watch: &watch, parallel });
}

struct BranchSearch<'t, 's> {
    tree: &'t Tree<'s>,
    watch: &'t Watch,
    parallel: Parallel,
}

/// The outcome of a branch.
#[derive(Debug, Serialize, Deserialize)]
struct BranchResult {
    nodes: u64,
    /// The best walk found here, the first time that it is reported.
    walk: Option<Vec<Vertex>>,
    /// Was it given back before its end?
    halted: bool,
}

impl Work for BranchSearch<'_, '_> {
    type Task = Branch;
    type Answer = BranchResult;
    /// The length of the walk that this thread has reported.
    type Scratch = usize;

    fn threads(&self) -> usize {
        if self.parallel == Parallel::Data { self.watch.threads() } else { 1 }
    }

    fn ahead(&self) -> usize {
        self.threads()
    }

    fn scratch(&self) -> usize {
        usize::MAX
    }

    fn work(&self, told: &mut usize, branch: Branch) -> BranchResult {
        let (nodes, done) = match self.parallel {
            Parallel::Task => self.tree.search_by_tasks(&branch, self.watch),
            Parallel::Data | Parallel::None => self.tree.search(&branch, self.watch),
        };
        let walk = self.tree.found().filter(|walk| walk.len() < *told);
        *told = walk.as_ref().map_or(*told, Vec::len);
        BranchResult { nodes, walk, halted: done.is_err() }
    }

    fn bound(&self) -> Option<u32> {
        self.tree.best()
    }

    fn learn(&self, bound: u32) {
        self.tree.learn(bound);
    }
}

struct BranchSource<'t, 's> {
    tree: &'t Tree<'s>,
    branches: std::vec::IntoIter<Branch>,
    halted: bool,
}

impl Source<BranchSearch<'_, '_>> for BranchSource<'_, '_> {
    fn next(&mut self) -> Option<Branch> {
        self.branches.next()
    }

    fn take(&mut self, _: usize, result: BranchResult) -> ControlFlow<()> {
        self.tree.add_nodes(result.nodes);
        self.halted |= result.halted;
        if let Some(walk) = result.walk {
            self.tree.offer(&walk);
        }
        ControlFlow::Continue(())
    }
}

// ---- the exact solver's cases ----

/// The coordinator as the solver's workers.
struct RankWorkers<'f> {
    coordinator: &'f mut Coordinator,
    problem: &'f CaptureProblem,
}

impl Workers for RankWorkers<'_> {
    fn refute(&mut self, broadcast: &Broadcast, tree: &mut CaseTree<'_>) -> Result<(), Halt> {
        let watch = tree.watch().clone();
        self.coordinator.begin(Job::Cases(self.problem.clone(), broadcast.clone()), &watch);
        let rank = self.coordinator.rank();
        let worker = rank.while_listening(|| Worker::new(self.problem, broadcast.clone(), &watch));
        let worker = worker.inspect_err(|_| rank.cancel_phase())?;
        rank.coordinate(&Refuting { worker: &worker, watch: &watch }, &mut CaseSource { tree });
        watch.halted().map_or(Ok(()), Err)
    }
}

/// A rank's part of [`Job::Cases`].
pub(crate) fn refute_cases(rank: &mut Rank, problem: &CaptureProblem, broadcast: Broadcast) {
    let watch = rank.watch().clone();
    match rank.while_listening(|| Worker::new(problem, broadcast, &watch)) {
        Ok(worker) => rank.take_part(&Refuting { worker: &worker, watch: &watch }),
        Err(_) => rank.skip_phase(), // halted, and so is everybody
    }
}

struct Refuting<'h> {
    worker: &'h Worker,
    watch: &'h Watch,
}

impl<'h> Work for Refuting<'h> {
    type Task = Case;
    type Answer = (usize, CaseResult);
    type Scratch = Scratch<'h>;

    fn threads(&self) -> usize {
        self.watch.threads()
    }

    fn scratch(&self) -> Scratch<'h> {
        self.worker.scratch()
    }

    fn work(&self, scratch: &mut Scratch<'h>, case: Case) -> (usize, CaseResult) {
        (case.root(), self.worker.work(scratch, case, self.watch))
    }

    fn bound(&self) -> Option<u32> {
        Some(self.worker.best())
    }

    fn learn(&self, bound: u32) {
        self.worker.learn(bound);
    }
}

struct CaseSource<'l, 'm> {
    tree: &'l mut CaseTree<'m>,
}

impl Source<Refuting<'_>> for CaseSource<'_, '_> {
    fn next(&mut self) -> Option<Case> {
        self.tree.take()
    }

    fn take(&mut self, _: usize, (root, result): (usize, CaseResult)) -> ControlFlow<()> {
        self.tree.enter(root, result);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use destrier_rules::Puzzle;

    use super::*;

    #[test]
    fn threads_of_a_rank_share_data_or_tasks_as_asked() {
        let puzzle: Puzzle = "p4p/6/2p3/5p/1p4/N3p1".parse().unwrap();
        let builder = TreeBuilder::new(&puzzle.problem, Distance::Knight).unwrap();
        let watch = Watch::new(&Options::new().threads(3));
        let mut lengths = Vec::new();
        // With `data` three branches at a time; with `task` one, which the three threads share.
        for (parallel, at_a_time) in [(Parallel::None, 1), (Parallel::Task, 1), (Parallel::Data, 3)]
        {
            let tree = builder.tree(40);
            let work = BranchSearch { tree: &tree, watch: &watch, parallel };
            assert_eq!(work.threads(), at_a_time, "{parallel:?}");
            let mut told = work.scratch();
            let nodes = tree.unroll(8).into_iter().map(|branch| work.work(&mut told, branch).nodes);
            assert!(nodes.sum::<u64>() > 0, "{parallel:?}");
            lengths.push(tree.best());
        }
        assert!(lengths[0].is_some() && lengths.iter().all(|length| *length == lengths[0]));
    }
}
