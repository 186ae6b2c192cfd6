//! Listing tours: which method suits, and what it shows.
//!
//! A few tours are found sooner by a search than all of them could be numbered; where all are wanted and their numbers
//! fit the memory, the next tour is a step away.

use std::ops::ControlFlow;

use destrier_rules::{Tour, TourProblem};

use crate::count::{Census, TourCount};
use crate::lies;
use crate::method::{Method, by_name};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};
use crate::tour::{Backtrack, Naive, Search, walk};

/// The ways to list tours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListMethod {
    /// Chooses among the others.
    #[default]
    Auto,
    /// By number.
    Census,
    /// Complete search on the folded board: any symmetry.
    Search,
    /// Complete search that looks one step ahead.
    Backtrack,
    /// Complete search that tries everything.
    Naive,
}

impl Method for ListMethod {
    const ALL: &'static [ListMethod] = &[
        ListMethod::Auto,
        ListMethod::Census,
        ListMethod::Search,
        ListMethod::Backtrack,
        ListMethod::Naive,
    ];

    fn name(self) -> &'static str {
        match self {
            ListMethod::Auto => "auto",
            ListMethod::Census => "census",
            ListMethod::Search => "search",
            ListMethod::Backtrack => "backtrack",
            ListMethod::Naive => "naive",
        }
    }

    fn about(self) -> &'static str {
        match self {
            ListMethod::Auto => "chooses among the others",
            ListMethod::Census => "numbers all tours first, then lists them by number",
            ListMethod::Search => {
                "any board, leaper and symmetry: forced edges and connection; complete"
            }
            ListMethod::Backtrack => {
                "complete search that retreats once a square can no longer be passed"
            }
            ListMethod::Naive => "tries every jump in order; the baseline for the rest",
        }
    }
}

by_name!(ListMethod);

/// The most squares of a board whose tours `auto` numbers.
const MOST_SQUARES: u64 = 64;
/// The memory that `auto` gives to numbers where no limit is set.
const MEMORY: u64 = 4 << 30;
/// So many tours are sooner found than all are numbered.
const FEW: u64 = 1000;

impl ListMethod {
    /// The methods that would list so many tours of a question (all, if no number is given), the first that can
    /// doing it.
    pub(crate) fn plan(self, problem: &TourProblem, limit: Option<u64>) -> Vec<ListMethod> {
        if self != ListMethod::Auto {
            return vec![self];
        }
        let search = if problem.is_classic() { ListMethod::Backtrack } else { ListMethod::Search };
        let is_many = limit.is_none_or(|limit| limit >= FEW);
        if is_many && problem.board.len() <= MOST_SQUARES {
            vec![ListMethod::Census, search]
        } else {
            vec![search]
        }
    }

    /// Shows each tour once, before the checker has looked at it.
    pub(crate) fn run(
        self,
        problem: &TourProblem,
        watch: &Watch,
        visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
    ) -> Result<Run<TourCount>, SolveError> {
        let mut visit = lies::listing("list", self.name(), visit);
        let plan = self.plan(problem, None);
        for (at, method) in plan.iter().enumerate() {
            match method.run_itself(problem, watch, self == ListMethod::Auto, &mut visit) {
                Err(SolveError::Unsuited { .. }) if at + 1 < plan.len() => {}
                run => {
                    return Ok(lies::count("list", self.name(), problem, run?.by(method.name())));
                }
            }
        }
        unreachable!("a plan has a method")
    }

    fn run_itself(
        self,
        problem: &TourProblem,
        watch: &Watch,
        whole: bool,
        visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
    ) -> Result<Run<TourCount>, SolveError> {
        match self {
            ListMethod::Auto => unreachable!("a plan names a method"),
            ListMethod::Census => {
                let census = if whole {
                    let memory = watch.memory().unwrap_or(MEMORY);
                    Census::whole(problem, &watch.with_memory(memory))
                } else {
                    Census::new(problem, None, watch)
                };
                match census {
                    Ok(census) => Ok(by_number(&census, problem, watch, visit)),
                    Err(SolveError::Stopped(why)) => {
                        Ok(Run::new(Outcome::Unfinished { why, best: None }, watch.nodes()))
                    }
                    Err(error) => Err(error),
                }
            }
            ListMethod::Search => Search.enumerate(problem, watch, visit),
            ListMethod::Backtrack => walk::list(&Backtrack, problem, watch, visit),
            ListMethod::Naive => walk::list(&Naive, problem, watch, visit),
        }
    }
}

fn by_number(
    census: &Census,
    problem: &TourProblem,
    watch: &Watch,
    visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> Run<TourCount> {
    let mut ticker = watch.ticker();
    let mut shown = 0_u64;
    let mut ended = None;
    census.each(0, &mut |tour| {
        if let Err(halt) = ticker.tick() {
            ended = Some(halt);
            return ControlFlow::Break(());
        }
        shown += 1;
        let flow = visit(tour);
        if flow.is_break() {
            ended = Some(Halt::Asked);
        }
        flow
    });
    let count = TourCount::of_undirected(problem, shown);
    let outcome = match ended {
        None => Outcome::Solved(count),
        Some(why) => Outcome::Unfinished { why, best: Some(count) },
    };
    Run::new(outcome, watch.nodes())
}
