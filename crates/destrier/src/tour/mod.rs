//! Tours: choose a method, run it, have its answer checked.
//!
//! Uses: `graph`, and what a run is made of; nothing of `count`.

mod backtrack;
pub(crate) mod canonical;
pub(crate) mod classic;
pub mod compose;
mod naive;
mod pairs;
mod racer;
mod search;
mod solvable;
mod stream;
pub(crate) mod trace;
pub(crate) mod walk;

pub(crate) use backtrack::{Backtrack, Below};
pub use classic::{MoveOrder, MoveOrderError, Race, Ties, Warnsdorff};
use compose::Compose;
pub(crate) use naive::Naive;
pub use search::Centre;
pub(crate) use search::{Search, count_with_all, obstacle};
pub use stream::{StreamError, TourStream};

use destrier_rules::{Tour, TourProblem};

use crate::lies;
use crate::method::{Method, by_name};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::trace::Silent;
use crate::run::watch::Watch;

/// The ways to find a tour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TourMethod {
    /// `compose` on plain rectangles, `search` elsewhere.
    #[default]
    Auto,
    /// Joins small blocks: plain rectangles of any size.
    Compose,
    /// Complete search on any board, with any leaper and symmetry.
    Search,
    /// `search` for a tour of four turned paths with its centre where it is wanted.
    FourPaths(Centre),
    /// A walk by fewest exits: Warnsdorff's, Pohl's or Roth's.
    Warnsdorff(Warnsdorff),
    /// A thread for each first move; the first tour wins.
    Race(Race),
    /// Complete search that looks one step ahead.
    Backtrack,
    /// Complete search that tries everything.
    Naive,
}

impl Method for TourMethod {
    const ALL: &'static [TourMethod] = &[
        TourMethod::Auto,
        TourMethod::Compose,
        TourMethod::Search,
        TourMethod::Warnsdorff(Warnsdorff::new(Ties::MoveOrder)),
        TourMethod::Warnsdorff(Warnsdorff::new(Ties::Pohl)),
        TourMethod::Warnsdorff(Warnsdorff::new(Ties::Roth)),
        TourMethod::Race(Race::Backtracking),
        TourMethod::Race(Race::Plain),
        TourMethod::Warnsdorff(Warnsdorff::random_walk()),
        TourMethod::Backtrack,
        TourMethod::Naive,
    ];

    fn name(self) -> &'static str {
        match self {
            TourMethod::Auto => "auto",
            TourMethod::Compose => "compose",
            TourMethod::Search | TourMethod::FourPaths(_) => "search",
            TourMethod::Warnsdorff(walk) => walk.name(),
            TourMethod::Race(race) => race.name(),
            TourMethod::Backtrack => "backtrack",
            TourMethod::Naive => "naive",
        }
    }

    fn about(self) -> &'static str {
        match self {
            TourMethod::Auto => "the best method for the question",
            TourMethod::Compose => {
                "joins small blocks; decides every rectangle, at any size, in linear time"
            }
            TourMethod::Search | TourMethod::FourPaths(_) => {
                "any board, leaper and symmetry: forced edges, connection, restarts; complete"
            }
            TourMethod::Warnsdorff(walk) => walk.about(),
            TourMethod::Race(Race::Plain) => {
                "a thread for each first move, fewest exits first, no stepping back; may give up"
            }
            TourMethod::Race(Race::Backtracking) => {
                "a thread for each first move, fewest exits first, stepping back; the first tour wins"
            }
            TourMethod::Backtrack => {
                "complete search that retreats once a square can no longer be passed"
            }
            TourMethod::Naive => NAIVE,
        }
    }
}

/// What a square takes in the graph, in the table of moves and on the way of a walk.
const BYTES_PER_SQUARE: u64 = 160;

/// Boards with more squares have one tour by construction, whatever the seed.
const MOST_SEEDED: u64 = 1 << 20;

/// Does `auto` construct the tour? With a seed another one is searched for, where there is any.
fn is_for_compose(problem: &TourProblem, watch: &Watch) -> Result<bool, SolveError> {
    if !problem.is_classic() {
        return Ok(false);
    }
    if watch.seed() == 0 || problem.board.area() > MOST_SEEDED {
        return Ok(true);
    }
    Ok(!matches!(compose::Itinerary::plan(problem, watch)?.outcome, Outcome::Solved(_)))
}

/// A line about the baseline.
const NAIVE: &str = "tries everything; the baseline for the rest";

by_name!(TourMethod);

impl TourMethod {
    /// Does the seed change what it does on this question?
    #[must_use]
    pub fn uses_seed(self, problem: &TourProblem) -> bool {
        match self {
            TourMethod::Auto => !problem.is_classic() || problem.board.area() <= MOST_SEEDED,
            TourMethod::Search | TourMethod::FourPaths(_) => true,
            TourMethod::Warnsdorff(walk) => walk.is_random(),
            _ => false,
        }
    }

    /// Can every step of the search be reported? For `auto` the steps are those of `backtrack`.
    #[must_use]
    pub const fn is_traceable(self) -> bool {
        matches!(
            self,
            TourMethod::Auto
                | TourMethod::Warnsdorff(_)
                | TourMethod::Race(_)
                | TourMethod::Backtrack
                | TourMethod::Naive
        )
    }

    /// What `auto` asks after a refusal.
    pub(crate) const OTHERS: &'static [TourMethod] =
        &[TourMethod::Search, TourMethod::Backtrack, TourMethod::Naive];

    /// Does what it keeps of each square fit into the memory that is allowed?
    ///
    /// # Errors
    /// When it does not, and the question has no simple reason to be impossible.
    fn fits(self, problem: &TourProblem, watch: &Watch) -> Result<(), SolveError> {
        let bytes = match self {
            TourMethod::Compose => 0, // it has a limit of its own
            TourMethod::Auto if problem.is_classic() => 0,
            TourMethod::Auto | TourMethod::Search | TourMethod::FourPaths(_) => 224,
            _ => BYTES_PER_SQUARE,
        };
        let needs = problem.board.area().saturating_mul(bytes);
        if needs > watch.room() && search::reasons::plain(problem).is_none() {
            return Err(SolveError::Unsuited { method: self.name(), why: watch.needs(needs) });
        }
        Ok(())
    }

    /// What the method says, before the checker has looked at it.
    pub(crate) fn run(self, problem: &TourProblem, watch: &Watch) -> Result<Run<Tour>, SolveError> {
        self.fits(problem, watch)?;
        let run = match self {
            TourMethod::Auto if is_for_compose(problem, watch)? => {
                TourMethod::Compose.run(problem, watch)
            }
            TourMethod::Auto => TourMethod::Search.run(problem, watch),
            TourMethod::Compose => Compose::solve(problem, watch),
            TourMethod::Search => Search::solve(problem, watch),
            TourMethod::FourPaths(centre) => Search::four_paths(problem, centre, watch),
            TourMethod::Warnsdorff(walk) => walk.trace(problem, watch, &mut Silent),
            TourMethod::Race(race) => race.solve(problem, watch),
            TourMethod::Backtrack => walk::find_one(&Backtrack, problem, watch, &mut Silent),
            TourMethod::Naive => walk::find_one(&Naive, problem, watch, &mut Silent),
        };
        Ok(lies::answer("tour", self.name(), problem, run?.by(self.name())))
    }
}
