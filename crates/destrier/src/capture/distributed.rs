//! A refutation that many share: one process works on the root, many on its open cases.
//!
//! One process has found plans, bounds and cuts, and has begun to branch. Each open case is then a list of
//! edges that are used or not, and can be refuted by any worker that knows the edges and cuts of the root.
//! A worker works on a case for some nodes; what it leaves open comes back as smaller cases. Since cases
//! come in the order of the search, the steps of all workers together are one proof.
//!
//! Invariant: done and open cases make up the tree; steps are put together in preorder.
//! Cost: a worker keeps its program from case to case; a case is a few numbers for each branching above it.
//! Source: distributed branch and cut, as in Ralphs, Ladányi and Saltzman (2003).

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use destrier_rules::CaptureProblem;

use super::branch::{Record, Refuter, Step};
use super::cut::Cut;
use super::exact::Shared;
use super::stops::Stops;
use crate::run::share::Tasks;
use crate::run::watch::{Halt, Watch};

/// Edges that a case fixes: used or not.
pub(crate) type FixedEdges = Vec<(u32, u32, bool)>;

/// What workers must know about the root of a refutation.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Root {
    pub(crate) parity: Option<u32>,
    /// Edges in the linear program.
    pub(crate) active: Vec<(u32, u32)>,
    /// Edges that join it when needed.
    pub(crate) dormant: Vec<(u32, u32)>,
    /// Edges that no shorter plan uses.
    pub(crate) barred: Vec<(u32, u32)>,
    pub(crate) cuts: Vec<Cut>,
}

/// What all workers are given first: the roots, and the length of the best plan.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Broadcast {
    pub(crate) roots: Vec<Root>,
    pub(crate) best: u32,
    pub(crate) nodes_per_case: u64,
}

/// A case to refute.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Case {
    number: u64,
    root: usize,
    fixed: FixedEdges,
}

/// The result of working on a case.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CaseResult {
    number: u64,
    root: usize,
    nodes: u64,
    /// `None` if the steps were not recorded.
    steps: Option<Vec<Step>>,
    /// The cuts that the steps refer to.
    cuts: Vec<Cut>,
    open: Vec<FixedEdges>,
    /// A plan that is shorter than any known when the work began: the stops in order.
    plan: Option<Vec<u32>>,
    /// The work was stopped, and the case is as open as before.
    halted: bool,
}

impl CaseResult {
    /// Was the work stopped?
    pub(crate) fn is_halted(&self) -> bool {
        self.halted
    }
}

/// Works through the cases of a tree until none is left, or until it is stopped.
type Refute<'w> = dyn FnMut(&Broadcast, &mut CaseTree<'_>) -> Result<(), Halt> + 'w;

/// How a refutation is distributed.
pub struct Distribution<'w> {
    /// Nodes that the solver itself searches first, for each ending.
    pub nodes_before: u64,
    /// Nodes after which a case is returned as smaller ones.
    pub nodes_per_case: u64,
    /// Has the open cases refuted.
    pub refute: &'w mut Refute<'w>,
}

impl<'w> Distribution<'w> {
    /// In cases that are worth a message.
    pub fn by(refute: &'w mut Refute<'w>) -> Distribution<'w> {
        Distribution { nodes_before: 4, nodes_per_case: 32, refute }
    }
}

impl std::fmt::Debug for Distribution<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} nodes, then {} per case", self.nodes_before, self.nodes_per_case)
    }
}

/// The open cases, and the results of those that were worked on.
#[derive(Debug)]
pub struct CaseTree<'m> {
    shared: &'m Shared,
    watch: &'m Watch,
    open: Vec<Case>,
    /// For each root: the number of the case that stands for it, and the cuts of its results.
    roots: Vec<(u64, Record)>,
    /// For each case that was worked on: its steps, and the cases it was split into.
    done: BTreeMap<u64, (Option<Vec<Step>>, Vec<u64>)>,
    next: u64,
    halted: bool,
}

impl<'m> CaseTree<'m> {
    /// A tree with the open cases of each root, in the order of the search.
    pub(crate) fn new(
        shared: &'m Shared,
        cases: Vec<Vec<FixedEdges>>,
        watch: &'m Watch,
    ) -> CaseTree<'m> {
        let mut tree = CaseTree {
            shared,
            watch,
            open: Vec::new(),
            roots: Vec::new(),
            done: BTreeMap::new(),
            next: 0,
            halted: false,
        };
        for (root, cases) in cases.into_iter().enumerate() {
            // The cases of a root are the children of a case that stands for the root itself.
            let whole = tree.next;
            tree.next += 1;
            let children = tree.add(root, cases);
            tree.done.insert(whole, (Some(Vec::new()), children));
            tree.roots.push((whole, Record::default()));
        }
        tree
    }

    fn add(&mut self, root: usize, cases: Vec<FixedEdges>) -> Vec<u64> {
        let numbers: Vec<u64> = (self.next..).take(cases.len()).collect();
        self.next += cases.len() as u64;
        let cases = numbers.iter().zip(cases).map(|(&number, fixed)| Case { number, root, fixed });
        self.open.extend(cases);
        numbers
    }

    /// Have all cases been worked on to their end?
    pub(crate) fn is_finished(&self) -> bool {
        !self.halted && self.open.is_empty()
    }

    /// The steps of all cases of a root, and the cuts they refer to; `None` if some were not recorded.
    pub(crate) fn record(&mut self, root: usize) -> Option<Record> {
        let (whole, record) = &mut self.roots[root];
        let mut record = std::mem::take(record);
        let mut agenda = vec![*whole];
        while let Some(number) = agenda.pop() {
            let (steps, children) = self.done.remove(&number)?;
            record.steps.extend(steps?);
            agenda.extend(children.into_iter().rev());
        }
        Some(record)
    }
}

impl Tasks for CaseTree<'_> {
    type Task = Case;
    type Result = CaseResult;

    fn next(&mut self) -> Option<Case> {
        if self.halted { None } else { self.open.pop() }
    }

    fn enter(&mut self, result: CaseResult) -> ControlFlow<()> {
        if let Some(plan) = &result.plan {
            let plan: Vec<usize> = plan.iter().map(|&stop| stop as usize).collect();
            self.shared.offer(&plan, self.watch);
        }
        self.shared.add_nodes(result.nodes);
        self.halted |= result.halted;
        let record = &mut self.roots[result.root].1;
        let steps = result.steps.map(|steps| record.renumbered(steps, &result.cuts));
        let children = self.add(result.root, result.open);
        self.done.insert(result.number, (steps, children));
        ControlFlow::Continue(())
    }
}

/// A worker: what its threads share.
#[derive(Debug)]
pub struct Worker {
    shared: Shared,
    broadcast: Broadcast,
}

/// The linear programs of one thread of a worker, one for each root.
#[derive(Debug)]
pub struct Scratch<'w>(Vec<Option<Refuter<'w>>>);

impl Worker {
    /// A worker for a question that the solver has accepted.
    ///
    /// # Errors
    /// When the watch halts.
    ///
    /// # Panics
    /// When the question is another one.
    pub fn new(
        problem: &CaptureProblem,
        broadcast: Broadcast,
        watch: &Watch,
    ) -> Result<Worker, Halt> {
        let stops = Stops::new(problem).expect("the solver has accepted the question");
        let metric = stops.metric(watch)?.expect("the solver has accepted the question");
        let shared = Shared::new(metric);
        shared.learn(broadcast.best);
        Ok(Worker { shared, broadcast })
    }

    /// Scratch space for a thread.
    #[must_use]
    pub fn scratch(&self) -> Scratch<'_> {
        Scratch(self.broadcast.roots.iter().map(|_| None).collect())
    }

    /// The length of the best plan that is known here.
    #[must_use]
    pub fn best(&self) -> u32 {
        self.shared.length()
    }

    /// Records the length of a plan that another process has.
    pub fn learn(&self, length: u32) {
        self.shared.learn(length);
    }

    /// Works on a case for some nodes.
    ///
    /// # Panics
    /// When the case belongs to another question.
    pub fn work<'w>(&'w self, scratch: &mut Scratch<'w>, case: Case, watch: &Watch) -> CaseResult {
        let refuter = scratch.0[case.root].get_or_insert_with(|| {
            let root = &self.broadcast.roots[case.root];
            let ending = self.shared.ending(root.parity).expect("the board is the same");
            Refuter::of_cases(&self.shared, ending, root)
        });
        let nodes = self.broadcast.nodes_per_case;
        work_on(refuter, case, nodes, &self.shared, || false, watch)
    }
}

/// Works on a case for some nodes, and as many again while that is wanted, with a refuter of its root's cases.
pub(crate) fn work_on(
    refuter: &mut Refuter<'_>,
    case: Case,
    nodes: u64,
    shared: &Shared,
    wants_more: impl Fn() -> bool,
    watch: &Watch,
) -> CaseResult {
    let Case { number, root, fixed } = case;
    let before = (refuter.visited, shared.length());
    refuter.enter(&fixed);
    let mut ticker = watch.ticker();
    let mut done = refuter.run(nodes, &mut ticker);
    while done == Ok(false) && wants_more() {
        done = refuter.run(nodes, &mut ticker);
    }
    let open = if done == Ok(true) { Vec::new() } else { refuter.open_cases(&fixed) };
    let mut record = Record::default();
    let steps = refuter.leave().map(|steps| record.renumbered(steps, refuter.cuts()));
    CaseResult {
        number,
        root,
        nodes: refuter.visited - before.0,
        steps,
        cuts: record.cuts,
        open,
        plan: (shared.length() < before.1).then(|| shared.shortest()).flatten(),
        halted: done.is_err(),
    }
}
