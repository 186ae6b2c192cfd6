//! Captures on many ranks: branches of the textbook's tree, cases of the exact proof.
//!
//! For `bb-dfs` rank 0 unrolls the tree by breadth first to enough branches and deals them out; each thread of
//! each rank searches one at a time, and a shorter walk's length goes to all ranks at once. The
//! exact solver finds plans, bounds and cuts at the root alone, which settles most puzzles; the
//! cases that are open then are dealt out, and come back refuted or as smaller cases.
//!
//! Invariant: the bound of every rank is the length of a plan that some rank holds; plans come back with
//! the answer of the task that found them, so rank 0 has the best one in the end.
//! Cost: a message of some bytes a branch, of some kilobytes a case.
//! After: the course on parallel programming at the Czech Technical University in Prague.

use std::ops::ControlFlow;

use destrier::capture::{
    self, Auto, BbDfs, Branch, Broadcast, CAPTURE_SOLVERS, Case, CaseResult, CaseTree, Scratch,
    Tree, TreeBuilder, Worker, Workers,
};
use destrier::{Halt, Run, SolveError, Vertex, Watch, method};
use destrier_rules::{CaptureProblem, Puzzle, Verified};
use serde::{Deserialize, Serialize};

use crate::crew::Crew;
use crate::fleet::Fleet;
use crate::job::Job;
use crate::trade::{Dealer, Trade};

impl Fleet {
    /// Solves a puzzle by the named method; the checker looks at the plan before you do.
    ///
    /// # Errors
    /// When there is no such method, or it cannot take the question on.
    pub fn capture(
        &mut self,
        puzzle: &Puzzle,
        name: &str,
        watch: &Watch,
    ) -> Result<Run<Verified<CaptureProblem>>, SolveError> {
        let Puzzle { problem, upper_bound } = puzzle;
        match name {
            "bb-dfs" => {
                let solver = BbDfs { upper_bound: *upper_bound, ..BbDfs::SEQUENTIAL };
                let run = solver.solve_by(problem, &mut |tree, limit| {
                    self.begin(Job::Textbook(problem.clone(), limit), watch);
                    let crew = self.crew();
                    let branches = tree.unroll(BRANCHES * crew.size() * watch.threads());
                    let mut dealer = Foresters { tree, branches: branches.into_iter() };
                    crew.deal(&Forestry { tree, watch }, &mut dealer);
                    // Some branches were not dealt out, or given back too soon.
                    watch.halted().map_or(Ok(()), Err)
                })?;
                method::checked(problem, run, "bb-dfs")
            }
            "auto" => {
                let run =
                    Auto.solve_with(problem, Some(&mut Court { fleet: self, problem }), watch)?;
                method::checked(problem, run, "auto")
            }
            other => {
                if CAPTURE_SOLVERS.iter().any(|known| known.name() == other) {
                    self.alone(other);
                }
                capture::find(problem, other, watch)
            }
        }
    }
}

// ---- the textbook's branches ----

/// Branches for each thread, so that none is idle for long in the end.
const BRANCHES: usize = 64;

/// A rank's part of [`Job::Textbook`].
pub(crate) fn search_branches(crew: &mut Crew, problem: &CaptureProblem, limit: u32) {
    let builder = TreeBuilder::new(problem).expect("rank 0 has looked at the question");
    let watch = crew.watch().clone();
    let tree = crew.attend(|| builder.tree(limit));
    crew.labour(&Forestry { tree: &tree, watch: &watch });
}

struct Forestry<'t, 's> {
    tree: &'t Tree<'s>,
    watch: &'t Watch,
}

/// What came of a branch.
#[derive(Debug, Serialize, Deserialize)]
struct Felled {
    nodes: u64,
    /// The best walk found here, the first time that it is told.
    walk: Option<Vec<Vertex>>,
}

impl Trade for Forestry<'_, '_> {
    type Task = Branch;
    type Answer = Felled;
    /// The length of the walk that this thread has told of.
    type Desk = usize;

    fn lanes(&self) -> usize {
        self.watch.threads()
    }

    fn ahead(&self) -> usize {
        self.lanes()
    }

    fn desk(&self) -> usize {
        usize::MAX
    }

    fn work(&self, told: &mut usize, branch: Branch) -> Felled {
        let (nodes, _) = self.tree.search(&branch, self.watch);
        let walk = self.tree.found().filter(|walk| walk.len() < *told);
        *told = walk.as_ref().map_or(*told, Vec::len);
        Felled { nodes, walk }
    }

    fn bound(&self) -> Option<u32> {
        self.tree.best()
    }

    fn learn(&self, bound: u32) {
        self.tree.learn(bound);
    }
}

struct Foresters<'t, 's> {
    tree: &'t Tree<'s>,
    branches: std::vec::IntoIter<Branch>,
}

impl Dealer<Forestry<'_, '_>> for Foresters<'_, '_> {
    fn next(&mut self) -> Option<Branch> {
        self.branches.next()
    }

    fn take(&mut self, _: usize, felled: Felled) -> ControlFlow<()> {
        self.tree.add_nodes(felled.nodes);
        if let Some(walk) = felled.walk {
            self.tree.offer(&walk);
        }
        ControlFlow::Continue(())
    }
}

// ---- the exact solver's cases ----

/// The fleet as the solver's workers.
struct Court<'f> {
    fleet: &'f mut Fleet,
    problem: &'f CaptureProblem,
}

impl Workers for Court<'_> {
    fn refute(&mut self, broadcast: &Broadcast, tree: &mut CaseTree<'_>) -> Result<(), Halt> {
        let watch = tree.watch().clone();
        self.fleet.begin(Job::Cases(self.problem.clone(), broadcast.clone()), &watch);
        let crew = self.fleet.crew();
        let worker = crew.attend(|| Worker::new(self.problem, broadcast.clone(), &watch));
        let worker = worker.inspect_err(|_| crew.call_off())?;
        crew.deal(&Refuting { worker: &worker, watch: &watch }, &mut Clerk { tree });
        watch.halted().map_or(Ok(()), Err)
    }
}

/// A rank's part of [`Job::Cases`].
pub(crate) fn refute_cases(crew: &mut Crew, problem: &CaptureProblem, broadcast: Broadcast) {
    let watch = crew.watch().clone();
    match crew.attend(|| Worker::new(problem, broadcast, &watch)) {
        Ok(worker) => crew.labour(&Refuting { worker: &worker, watch: &watch }),
        Err(_) => crew.sit_out(), // halted, and so is everybody
    }
}

struct Refuting<'h> {
    worker: &'h Worker,
    watch: &'h Watch,
}

impl<'h> Trade for Refuting<'h> {
    type Task = Case;
    type Answer = (usize, CaseResult);
    type Desk = Scratch<'h>;

    fn lanes(&self) -> usize {
        self.watch.threads()
    }

    fn desk(&self) -> Scratch<'h> {
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

struct Clerk<'l, 'm> {
    tree: &'l mut CaseTree<'m>,
}

impl Dealer<Refuting<'_>> for Clerk<'_, '_> {
    fn next(&mut self) -> Option<Case> {
        self.tree.take()
    }

    fn take(&mut self, _: usize, (root, result): (usize, CaseResult)) -> ControlFlow<()> {
        self.tree.enter(root, result);
        ControlFlow::Continue(())
    }
}
