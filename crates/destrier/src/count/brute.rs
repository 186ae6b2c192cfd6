//! A count by brute force, cut into parts that other processes can count.
//!
//! All build the same parts from the question, so that a part is named by its number. A part is the walks with one
//! beginning; or with one start, where the schedule has a task for each square.
//!
//! Invariant: the sum over all parts is the count, whoever counts which part.
//! Cost: that of the method; building the parts takes negligible time.

use std::ops::Range;

use destrier_rules::{Problem as _, TourProblem};
use num_bigint::BigUint;

use super::{CountMethod, TourCount};
use crate::graph::KnightGraph;
use crate::method::Method as _;
use crate::outcome::{Run, SolveError};
use crate::run::options::Schedule;
use crate::run::watch::{Halt, Watch};
use crate::tour::walk::{Beginning, Counted, PARTS, Parts, Walk, beginnings, even_ranges};
use crate::tour::{Backtrack, Naive};

/// A count by `naive` or `backtrack` in parts.
#[derive(Debug)]
pub struct BruteCount<'p> {
    problem: &'p TourProblem,
    graph: KnightGraph,
    method: CountMethod,
    beginnings: Vec<Beginning>,
    schedule: Schedule,
    workers: usize,
}

/// What some parts of a count come to.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartialCount {
    /// Digits of the sum, the least significant first.
    digits: Vec<u32>,
    /// The nodes of the search.
    nodes: u64,
    /// Was it stopped before its end?
    stopped: bool,
}

impl<'p> BruteCount<'p> {
    /// A count that so many workers share by a schedule; nothing for methods that are not brute force, and for boards that
    /// are counted at once.
    ///
    /// # Errors
    /// When the method does not support the question.
    pub fn new(
        problem: &'p TourProblem,
        method: CountMethod,
        schedule: Schedule,
        workers: usize,
    ) -> Result<Option<BruteCount<'p>>, SolveError> {
        problem.validate()?;
        let workers = workers.max(1);
        let enough = (schedule == Schedule::Parts).then_some(PARTS * workers);
        let (graph, beginnings) = match method {
            CountMethod::Naive => made(&Naive, problem, enough)?,
            CountMethod::Backtrack => made(&Backtrack, problem, enough)?,
            _ => return Ok(None),
        };
        let is_tiny = graph.len() < 2;
        let count = BruteCount { problem, graph, method, beginnings, schedule, workers };
        Ok((!is_tiny).then_some(count))
    }

    /// The tasks: numbers of parts.
    #[must_use]
    pub fn tasks(&self) -> Vec<Range<usize>> {
        let parts = self.beginnings.len();
        match self.schedule {
            Schedule::Static => even_ranges(parts, self.workers),
            _ => (0..parts).map(|number| number..number + 1).collect(),
        }
    }

    /// Counts the parts of a task.
    #[must_use]
    pub fn count(&self, parts: Range<usize>, watch: &Watch) -> PartialCount {
        let mut all = Counted::default();
        for number in parts.start..parts.end.min(self.beginnings.len()) {
            all.add(match self.method {
                CountMethod::Naive => self.parts(&Naive).count(number, watch),
                _ => self.parts(&Backtrack).count(number, watch),
            });
        }
        let Counted { count, nodes, halt } = all;
        PartialCount { digits: count.to_u32_digits(), nodes, stopped: halt.is_some() }
    }

    /// The answer, from what all tasks came to. Where some were not done, it is unfinished.
    pub fn total(&self, all: &[PartialCount], watch: &Watch) -> Run<TourCount> {
        let mut sum = Counted::default();
        for PartialCount { digits, nodes, stopped } in all {
            let halt = stopped.then_some(Halt::Asked);
            sum.add(Counted { count: BigUint::new(digits.clone()), nodes: *nodes, halt });
        }
        if all.len() < self.tasks().len() || sum.halt.is_some() {
            sum.halt = Some(watch.halted().unwrap_or(Halt::Asked));
        }
        // The method does not matter for the sum.
        self.parts(&Naive).total(sum).by(self.method.name())
    }

    fn parts<'w, W: Walk>(&'w self, method: &'w W) -> Parts<'w, W> {
        Parts::new(method, self.problem, &self.graph, &self.beginnings)
    }
}

/// The graph of a question, and the beginnings of its walks by a method.
fn made<W: Walk>(
    method: &W,
    problem: &TourProblem,
    enough: Option<usize>,
) -> Result<(KnightGraph, Vec<Beginning>), SolveError> {
    let graph = method.graph(problem)?;
    let beginnings = beginnings(method, problem, &graph, enough);
    Ok((graph, beginnings))
}
