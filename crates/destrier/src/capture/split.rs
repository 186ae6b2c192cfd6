//! A refutation shared out: the root is worked on by one, its open cases by many.
//!
//! One process has found plans, bounds and cuts, and has begun to branch. Each open case is then a list of
//! edges that are used or not, and can be refuted anywhere by whoever knows the edges and cuts
//! of the root. A helper works on a case for some nodes; what it leaves open comes back as smaller cases.
//! Since cases come in the order of the search, the steps of all helpers make one proof.
//!
//! Invariant: done and open cases make up the tree; steps are put together in preorder.
//! Cost: a helper keeps its program from case to case; a case is a few numbers for each branching above it.
//! After: distributed branch and cut, as in Ralphs, Ladányi and Saltzman (2003).

use std::collections::BTreeMap;

use destrier_rules::CaptureProblem;

use super::branch::{Record, Refuter, Step};
use super::cut::Cut;
use super::exact::{Shared, nearest_first};
use super::metric::Metric;
use super::price::Duals;
use super::stops::Stops;
use crate::run::watch::{Halt, Watch};

/// Edges that a case fixes: used or not.
pub(crate) type Fixed = Vec<(u32, u32, bool)>;

/// What helpers must know of the root of a refutation.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Root {
    pub(crate) parity: Option<u32>,
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) dormant: Vec<(u32, u32)>,
    /// Edges that no shorter plan uses.
    pub(crate) barred: Vec<(u32, u32)>,
    pub(crate) cuts: Vec<Inequality>,
}

/// A cut as it is told: its sets, and how often they are crossed.
type Inequality = (Vec<Vec<u32>>, u32);

/// What helpers begin with: the roots, and the length of the best plan.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Brief {
    pub(crate) roots: Vec<Root>,
    pub(crate) best: u32,
    pub(crate) patience: u64,
}

/// A case to refute.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Case {
    number: u64,
    root: usize,
    fixed: Fixed,
}

/// What came of a case.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Findings {
    number: u64,
    nodes: u64,
    /// None if the steps are not for the record.
    steps: Option<Vec<Told>>,
    /// The cuts that the steps refer to.
    cuts: Vec<Inequality>,
    open: Vec<Fixed>,
    /// A plan that is shorter than any known when the work began: the stops in order.
    plan: Option<Vec<u32>>,
    /// The work was stopped, and the case is as open as before.
    halted: bool,
}

/// A step of a refutation, as it is told.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Told {
    Branch(u32, u32),
    Leaf(Vec<i64>, Vec<(u32, i64)>),
}

/// Those who refute cases for the solver.
pub trait Helpers {
    /// Nodes that the solver searches by itself first, in each ending.
    fn alone(&self) -> u64 {
        4
    }

    /// Nodes after which a case is given back, as smaller ones.
    fn patience(&self) -> u64 {
        32
    }

    /// Works through the cases of a ledger, until none is left.
    ///
    /// # Errors
    /// When they were stopped.
    fn refute(&mut self, brief: &Brief, ledger: &mut Ledger<'_>) -> Result<(), Halt>;
}

/// The cases there are, and what came of those that were worked on.
#[derive(Debug)]
pub struct Ledger<'m> {
    metric: &'m Metric,
    shared: &'m Shared,
    watch: &'m Watch,
    open: Vec<Case>,
    roots: Vec<usize>,
    /// For each case that was worked on: its steps, and the cases it was split into.
    done: BTreeMap<u64, (Option<Vec<Step>>, Vec<u64>)>,
    record: Vec<Record>,
    next: u64,
    halted: bool,
}

impl<'m> Ledger<'m> {
    /// A ledger with the open cases of each root, in the order of the search.
    pub(crate) fn new(
        metric: &'m Metric,
        shared: &'m Shared,
        cases: Vec<Vec<Fixed>>,
        watch: &'m Watch,
    ) -> Ledger<'m> {
        let mut ledger = Ledger {
            metric,
            shared,
            watch,
            open: Vec::new(),
            roots: Vec::new(),
            done: BTreeMap::new(),
            record: Vec::new(),
            next: 0,
            halted: false,
        };
        for (root, cases) in cases.into_iter().enumerate() {
            // The cases of a root are split off a case that stands for the root itself.
            let whole = ledger.next;
            ledger.next += 1;
            let numbers = ledger.add(root, cases);
            ledger.done.insert(whole, (Some(Vec::new()), numbers));
            ledger.roots.push(usize::try_from(whole).expect("few roots"));
            ledger.record.push(Record::default());
        }
        ledger
    }

    fn add(&mut self, root: usize, cases: Vec<Fixed>) -> Vec<u64> {
        let numbers: Vec<u64> = (self.next..).take(cases.len()).collect();
        self.next += cases.len() as u64;
        let cases = numbers.iter().zip(cases).map(|(&number, fixed)| Case { number, root, fixed });
        self.open.extend(cases);
        numbers
    }

    /// The watch over the whole search.
    #[must_use]
    pub fn watch(&self) -> &Watch {
        self.watch
    }

    /// The next case; none if there is none now.
    pub fn take(&mut self) -> Option<Case> {
        if self.halted { None } else { self.open.pop() }
    }

    /// Enters what came of a case of this root.
    pub fn enter(&mut self, root: usize, findings: Findings) {
        if let Some(plan) = &findings.plan {
            let plan: Vec<usize> = plan.iter().map(|&stop| stop as usize).collect();
            self.shared.offer(self.metric, &plan, self.watch);
        }
        self.shared.add_nodes(findings.nodes);
        self.halted |= findings.halted;
        let record = &mut self.record[root];
        let numbers: Vec<u32> = findings
            .cuts
            .into_iter()
            .map(|(sets, right)| record.number_of(Cut { sets, right }))
            .collect();
        let steps = findings.steps.map(|steps| {
            let step = |told| match told {
                Told::Branch(u, v) => Step::Branch(u, v),
                Told::Leaf(potentials, weights) => {
                    let weights = weights.into_iter();
                    let weights = weights.map(|(cut, w)| (numbers[cut as usize], w)).collect();
                    Step::Leaf(Duals { potentials, weights })
                }
            };
            steps.into_iter().map(step).collect()
        });
        let children = self.add(root, findings.open);
        self.done.insert(findings.number, (steps, children));
    }

    /// The steps of all cases of a root, and the cuts they refer to; none if some were not recorded.
    pub(crate) fn steps(&mut self, root: usize) -> Option<Record> {
        let mut record = std::mem::take(&mut self.record[root]);
        let mut agenda = vec![self.roots[root] as u64];
        while let Some(number) = agenda.pop() {
            let (steps, children) = self.done.remove(&number)?;
            record.steps.extend(steps?);
            agenda.extend(children.into_iter().rev());
        }
        Some(record)
    }
}

impl Case {
    /// Which root it belongs to.
    #[must_use]
    pub fn root(&self) -> usize {
        self.root
    }
}

/// A helper: what its threads share.
#[derive(Debug)]
pub struct Helper {
    metric: Metric,
    shared: Shared,
    brief: Brief,
}

/// The programs of one thread of a helper, one for each root.
#[derive(Debug)]
pub struct Bench<'h>(Vec<Option<Refuter<'h>>>);

impl Helper {
    /// A helper for a question that the solver has taken on.
    ///
    /// # Errors
    /// When the watch halts.
    ///
    /// # Panics
    /// When the question is another one.
    pub fn new(problem: &CaptureProblem, brief: Brief, watch: &Watch) -> Result<Helper, Halt> {
        let stops = Stops::new(problem).expect("the solver has come so far");
        let metric = stops.metric(watch)?.expect("the solver has come so far");
        let shared = Shared::new(&metric, nearest_first(&metric));
        shared.learn(brief.best);
        Ok(Helper { metric, shared, brief })
    }

    /// A bench for a thread.
    #[must_use]
    pub fn bench(&self) -> Bench<'_> {
        Bench(self.brief.roots.iter().map(|_| None).collect())
    }

    /// The length of the best plan that is known here.
    #[must_use]
    pub fn best(&self) -> u32 {
        self.shared.length()
    }

    /// Hears of a plan of this length.
    pub fn learn(&self, length: u32) {
        self.shared.learn(length);
    }

    /// Works on a case for some nodes.
    ///
    /// # Panics
    /// When the case belongs to another question.
    pub fn work<'h>(&'h self, bench: &mut Bench<'h>, case: Case, watch: &Watch) -> Findings {
        let Case { number, root, fixed } = case;
        let refuter = bench.0[root].get_or_insert_with(|| {
            let root = &self.brief.roots[root];
            let ending = self.shared.ending(root.parity).expect("the board is the same");
            Refuter::helping(&self.metric, ending, &self.shared, root)
        });
        let before = (refuter.visited, self.shared.length());
        refuter.enter(&fixed);
        let result = refuter.run(self.brief.patience, &mut watch.ticker());
        let open = if result == Ok(true) { Vec::new() } else { refuter.open_cases(&fixed) };
        let steps = refuter.leave();
        let mut findings = Findings {
            number,
            nodes: refuter.visited - before.0,
            open,
            halted: result.is_err(),
            ..Findings::default()
        };
        let known: Vec<Cut> = refuter.cuts().to_vec();
        let mut record = Record::default();
        findings.steps = steps.map(|steps| {
            let told = |step| match step {
                Step::Branch(u, v) => Told::Branch(u, v),
                Step::Leaf(duals) => {
                    let weights = duals.weights.into_iter().filter(|&(_, weight)| weight > 0);
                    let number = |(cut, weight): (u32, i64)| {
                        (record.number_of(known[cut as usize].clone()), weight)
                    };
                    Told::Leaf(duals.potentials, weights.map(number).collect())
                }
            };
            steps.into_iter().map(told).collect()
        });
        findings.cuts = record.cuts.into_iter().map(|cut| (cut.sets, cut.right)).collect();
        if self.shared.length() < before.1 {
            findings.plan = self.shared.shortest(&self.metric);
        }
        findings
    }
}
