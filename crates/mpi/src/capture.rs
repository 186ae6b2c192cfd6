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

use destrier::internal::Watch;
use destrier::internal::distributed::{
    Auto, Branch, Broadcast, Case, CaseResult, CaseTree, Distribution, Tasks, Tree, TreeBuilder,
    Worker,
};
use destrier::{
    Answer, CaptureMethod, Distance, Halt, Method as _, Options, Parallel, Solve as _, SolveError,
    Vertex,
};
use destrier_rules::{CaptureProblem, Problem as _};
use serde::{Deserialize, Serialize};

use crate::coordinator::Coordinator;
use crate::job::Job;
use crate::rank::Rank;
use crate::work::{Bound, Work};

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
                    let search = BranchSearch { tree, watch, parallel };
                    let branches = tree.unroll(BRANCHES * rank.size() * search.threads());
                    let left = branches.into_iter();
                    let mut branches = Branches { tree, left, halted: false };
                    search.with_work(|work| rank.coordinate(work, &mut branches));
                    // Some branches were not assigned, or were given back too soon.
                    let why = watch.halted().or_else(|| branches.halted.then_some(Halt::Asked));
                    why.map_or(Ok(()), Err)
                })?;
                run.by(method.name()).answer(problem)
            }
            CaptureMethod::Auto => {
                let mut refute = |broadcast: &Broadcast, tree: &mut CaseTree<'_>| {
                    self.begin(Job::Cases(problem.clone(), broadcast.clone()), watch);
                    let rank = self.rank();
                    let new = || Worker::new(problem, broadcast.clone(), watch);
                    let worker = rank.while_listening(new).inspect_err(|_| rank.cancel_phase())?;
                    with_work(&worker, watch, |work| rank.coordinate(work, tree));
                    watch.halted().map_or(Ok(()), Err)
                };
                let distribution = Some(Distribution::by(&mut refute));
                let run = Auto.solve_with(problem, distribution, watch)?;
                run.by(method.name()).answer(problem)
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
    let search = BranchSearch { tree: &tree, watch: &watch, parallel };
    search.with_work(|work| rank.take_part(work));
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

impl BranchSearch<'_, '_> {
    /// How many branches are searched at a time.
    fn threads(&self) -> usize {
        if self.parallel == Parallel::Data { self.watch.threads() } else { 1 }
    }

    fn with_work(&self, run: impl FnOnce(&Work<'_, Branch, BranchResult>)) {
        run(&Work {
            threads: self.threads(),
            ahead: self.threads(),
            worker: &|| {
                let mut told = usize::MAX;
                Box::new(move |branch| self.search(&branch, &mut told))
            },
            bound: Some(Bound {
                best: &|| self.tree.best(),
                learn: &|bound| self.tree.learn(bound),
            }),
        });
    }

    /// Searches a branch on a thread that has told of a walk of some length.
    fn search(&self, branch: &Branch, told: &mut usize) -> BranchResult {
        let (nodes, done) = match self.parallel {
            Parallel::Task => self.tree.search_by_tasks(branch, self.watch),
            Parallel::Data | Parallel::None => self.tree.search(branch, self.watch),
        };
        let walk = self.tree.found().filter(|walk| walk.len() < *told);
        *told = walk.as_ref().map_or(*told, Vec::len);
        BranchResult { nodes, walk, halted: done.is_err() }
    }
}

struct Branches<'t, 's> {
    tree: &'t Tree<'s>,
    left: std::vec::IntoIter<Branch>,
    halted: bool,
}

impl Tasks for Branches<'_, '_> {
    type Task = Branch;
    type Result = BranchResult;

    fn next(&mut self) -> Option<Branch> {
        self.left.next()
    }

    fn enter(&mut self, result: BranchResult) -> ControlFlow<()> {
        self.tree.add_nodes(result.nodes);
        self.halted |= result.halted;
        if let Some(walk) = result.walk {
            self.tree.offer(&walk);
        }
        ControlFlow::Continue(())
    }
}

// ---- the exact solver's cases ----

/// A rank's part of [`Job::Cases`].
pub(crate) fn refute_cases(rank: &mut Rank, problem: &CaptureProblem, broadcast: Broadcast) {
    let watch = rank.watch().clone();
    match rank.while_listening(|| Worker::new(problem, broadcast, &watch)) {
        Ok(worker) => with_work(&worker, &watch, |work| rank.take_part(work)),
        Err(_) => rank.skip_phase(), // halted, and so is everybody
    }
}

/// The refutation of cases by the threads of a worker.
fn with_work(worker: &Worker, watch: &Watch, run: impl FnOnce(&Work<'_, Case, CaseResult>)) {
    run(&Work {
        threads: watch.threads(),
        ahead: 0,
        worker: &|| {
            let mut scratch = worker.scratch();
            Box::new(move |case| worker.work(&mut scratch, case, watch))
        },
        bound: Some(Bound { best: &|| Some(worker.best()), learn: &|bound| worker.learn(bound) }),
    });
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
            let search = BranchSearch { tree: &tree, watch: &watch, parallel };
            assert_eq!(search.threads(), at_a_time, "{parallel:?}");
            let mut told = usize::MAX;
            let branches = tree.unroll(8);
            let nodes = branches.iter().map(|branch| search.search(branch, &mut told).nodes);
            assert!(nodes.sum::<u64>() > 0, "{parallel:?}");
            lengths.push(tree.best());
        }
        assert!(lengths[0].is_some() && lengths.iter().all(|length| *length == lengths[0]));
    }
}
