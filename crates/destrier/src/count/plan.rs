//! Which counter suits a question: decided here, for the library, the command, the page and MPI alike.
//!
//! What a quick proof shows impossible is not counted at all. Plain boards of five to ten files, or of at most ten ranks, are searched if
//! they are tiny, and counted by meeting in the middle otherwise; longer ones of fewer than five files are read row by row; tours of four
//! paths are searched on the folded board; everything else is swept by a frontier. `bench/count` has the times of every method on every board.
//! The choice is reported with the count.
//!
//! Invariant: whoever asks, the same question with the same settings is counted by the same method.

use destrier_rules::{Shape, TourProblem, TourSymmetry};

use super::middle::{Middle, MiddleCount};
use super::{Frontier, TourCount, Transfer, transfer};
use crate::answer::{Finding, accepted};
use crate::lies;
use crate::method::{Method, by_name};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::options::Options;
use crate::run::watch::Watch;
use crate::tour::{self, Backtrack, Naive, Search, walk};

/// The ways to count tours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CountMethod {
    /// Chooses among the others.
    #[default]
    Auto,
    /// Two halves met in the middle: plain boards to ten squares wide.
    Middle,
    /// A frontier swept over the board: any holes, wraps and leapers.
    Frontier,
    /// Row by row: boards to five squares wide, of any length.
    Transfer,
    /// Complete search on the folded board: any symmetry.
    Search,
    /// Complete search that looks one step ahead.
    Backtrack,
    /// Complete search that tries everything.
    Naive,
}

impl Method for CountMethod {
    const ALL: &'static [CountMethod] = &[
        CountMethod::Auto,
        CountMethod::Middle,
        CountMethod::Frontier,
        CountMethod::Transfer,
        CountMethod::Search,
        CountMethod::Backtrack,
        CountMethod::Naive,
    ];

    fn name(self) -> &'static str {
        match self {
            CountMethod::Auto => "auto",
            CountMethod::Middle => "middle",
            CountMethod::Frontier => "frontier",
            CountMethod::Transfer => "transfer",
            CountMethod::Search => "search",
            CountMethod::Backtrack => "backtrack",
            CountMethod::Naive => "naive",
        }
    }

    fn about(self) -> &'static str {
        match self {
            CountMethod::Auto => "chooses among the others, and says which it chose",
            CountMethod::Middle => {
                "meets in the middle of a plain board; the fastest, to ten squares wide"
            }
            CountMethod::Frontier => {
                "sweeps a frontier over the board; any holes, wraps and leapers"
            }
            CountMethod::Transfer => "reads a narrow board (at most 5 wide) row by row; any length",
            CountMethod::Search => "lists the tours by complete search; any symmetry, few tours",
            CountMethod::Backtrack => {
                "complete search that retreats once a square can no longer be passed"
            }
            CountMethod::Naive => "tries every jump in order; the baseline for the rest",
        }
    }
}

by_name!(CountMethod);

/// `auto` lists the tours of a board that no sweep supports if that takes no more nodes than this.
const FEW_NODES: u64 = 1 << 20;

/// A node of that search takes time in proportion to the board, so a large one gets fewer of them.
const FEW_STEPS: u64 = FEW_NODES << 6;

/// How a count will be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountPlan {
    /// There is nothing to count, for this reason.
    Nothing(destrier_rules::Obstacle),
    /// By this method, which is not `auto`.
    By(CountMethod),
}

/// A narrower board that is longer than [`LONGEST_NARROW`] is a strip, whose states soon repeat.
const NARROW: u32 = 5;
const LONGEST_NARROW: u32 = 10;

/// Plain boards with fewer squares are searched before two halves would be planned.
const FEWEST_MIDDLE: u64 = 24;

/// Closed tours of boards with fewer squares have so few states that one sweep is over first.
const FEWEST_CLOSED: u64 = 40;

/// The side of the one square board beyond that which is still searched sooner.
const SEARCHED_SQUARE: u32 = 5;

impl CountMethod {
    /// How a question would be counted with these settings.
    ///
    /// # Errors
    /// When a journal is asked for and the method keeps none.
    pub fn plan(self, problem: &TourProblem, options: &Options) -> Result<CountPlan, SolveError> {
        let wants_journal = options.journal_folder().is_some();
        if self != CountMethod::Auto {
            if wants_journal && self != CountMethod::Middle {
                let why = "only `middle` keeps a journal".to_owned();
                return Err(SolveError::Unsuited { method: self.name(), why });
            }
            return Ok(CountPlan::By(self));
        }
        if let Some(obstacle) = tour::obstacle(problem) {
            return Ok(CountPlan::Nothing(obstacle));
        }
        Ok(CountPlan::By(if wants_journal { CountMethod::Middle } else { choose(problem) }))
    }

    /// The number, or a reason for nothing that the checker accepts.
    ///
    /// # Errors
    /// When the method does not support the question, or all that it says is refused.
    pub(crate) fn counted(
        self,
        problem: &TourProblem,
        options: &Options,
        watch: &Watch,
    ) -> Result<Finding<TourCount>, SolveError> {
        let others = [choose(problem), CountMethod::Search, CountMethod::Naive];
        accepted(self, &others, |method| method.run(problem, options, watch)?.finding(problem))
    }

    /// What the method says. What `auto` would choose may turn out too wide or too large for it; the few tours that
    /// such a board may have are then listed.
    pub(crate) fn run(
        self,
        problem: &TourProblem,
        options: &Options,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        let run = self.run_chosen(problem, options, watch);
        let is_unsuited = matches!(run, Err(SolveError::Unsuited { .. }));
        if self != CountMethod::Auto || !is_unsuited || options.journal_folder().is_some() {
            return run;
        }
        let few = few_nodes(problem.board.len());
        let most = options.most_nodes().map_or(few, |most| most.min(few));
        let mut few = options.clone().node_limit(most);
        if let Some(deadline) = watch.deadline() {
            few = few.deadline(deadline);
        }
        match CountMethod::Search.run_chosen(problem, &few, &Watch::new(&few)) {
            Ok(Run { outcome: Outcome::Unfinished { .. }, .. }) | Err(_) => run,
            found => found,
        }
    }

    fn run_chosen(
        self,
        problem: &TourProblem,
        options: &Options,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        let method = match self.plan(problem, options)? {
            CountPlan::Nothing(obstacle) => return Ok(Run::impossible(obstacle).by("obstacle")),
            CountPlan::By(method) => method,
        };
        let run = match method {
            CountMethod::Auto => unreachable!("a plan names a method"),
            CountMethod::Middle => Middle::count(problem, options, watch),
            CountMethod::Frontier => Frontier::count(problem, watch),
            CountMethod::Transfer => Transfer::count(problem, watch),
            CountMethod::Search => Search::count(problem, watch),
            CountMethod::Backtrack => walk::count(&Backtrack, problem, watch),
            CountMethod::Naive => walk::count(&Naive, problem, watch),
        };
        Ok(lies::count("count", self.name(), problem, run?.by(method.name())))
    }
}

/// How many nodes `auto` spends on a board of so many squares that no sweep supports.
fn few_nodes(squares: u64) -> u64 {
    (FEW_STEPS / squares.max(1)).clamp(1, FEW_NODES)
}

fn choose(problem: &TourProblem) -> CountMethod {
    let board = &problem.board;
    let (short, long) = (board.files().min(board.ranks()), board.files().max(board.ranks()));
    let is_closed = problem.shape == Shape::Closed;
    let names_both = problem.start.is_some() && problem.end.is_some();
    if problem.symmetry == Some(TourSymmetry::FourPaths)
        || problem.symmetry.is_some() && is_closed && names_both
    {
        CountMethod::Search
    } else if board.len() < 3 {
        CountMethod::Naive
    } else if (short >= NARROW || long <= LONGEST_NARROW) && MiddleCount::new(problem).is_ok() {
        let few = board.len() < FEWEST_MIDDLE || short == SEARCHED_SQUARE && long == short;
        let swept = is_closed && board.len() < FEWEST_CLOSED;
        match (few, swept) {
            (true, _) => CountMethod::Backtrack,
            (_, true) => CountMethod::Frontier,
            _ => CountMethod::Middle,
        }
    } else if transfer::suits(problem).is_ok() && (short < NARROW || long >= 14) {
        CountMethod::Transfer
    } else {
        CountMethod::Frontier
    }
}
