//! Counting tours, each count with its convention.
//!
//! A closed tour can be run from any square and either way; an open one can be run from either end.
//! The literature quotes all of these numbers, so a [`TourCount`] names them: undirected tours,
//! directed tours, and classes under the symmetries of the board.

mod auto;
pub mod census;
mod classes;
mod frontier;
pub mod middle;
mod net;
mod peers;
mod quotient;
pub mod recheck;
mod starts;
mod sweep;
pub mod transfer;

pub use auto::Auto;
pub use census::Census;
pub use classes::{Classes, classes, symmetric_classes};
pub use frontier::Frontier;
pub(crate) use frontier::needs;
pub use peers::{Alone, Peers};
pub use starts::{ByStart, by_start};
pub use transfer::Transfer;

use num_bigint::BigUint;

use crate::count::middle::Middle;
use crate::method::{self, Counter};
use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;
use crate::tour::{Backtrack, Naive};
use destrier_rules::{Problem as _, Shape, TourProblem};

/// All ways to count tours.
pub const TOUR_COUNTERS: &[&dyn Counter] =
    &[&Auto, &Middle, &Frontier, &Transfer, &Backtrack, &Naive];

/// A number of tours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourCount {
    undirected: BigUint,
    directed: BigUint,
}

impl TourCount {
    /// From the number of undirected tours that answer this problem.
    ///
    /// A tour whose ends are told apart by the question (a start or an end is fixed, or, for closed
    /// tours, both are) can be run one way only, and so can the tour of a single square.
    #[must_use]
    pub fn of_undirected(problem: &TourProblem, undirected: impl Into<BigUint>) -> TourCount {
        let undirected = undirected.into();
        let one_way = is_one_way(problem);
        let directed = if one_way { undirected.clone() } else { &undirected * 2_u32 };
        TourCount { undirected, directed }
    }

    /// Tours regardless of where and which way they are run.
    #[must_use]
    pub const fn undirected(&self) -> &BigUint {
        &self.undirected
    }

    /// Tours with a direction; an open one counts from either end, a closed one either way round.
    #[must_use]
    pub const fn directed(&self) -> &BigUint {
        &self.directed
    }
}

/// Does the question itself say which way a tour is run?
#[must_use]
pub fn is_one_way(problem: &TourProblem) -> bool {
    let (start, end) = (problem.start.is_some(), problem.end.is_some());
    match problem.shape {
        Shape::Open => start || end || problem.board.len() == 1,
        Shape::Closed => start && end,
    }
}

/// Counts the tours of a problem by the named method.
///
/// # Errors
/// When there is no such method, or it cannot take the question on.
pub fn count(
    problem: &TourProblem,
    method: &str,
    watch: &Watch,
) -> Result<Run<TourCount>, SolveError> {
    problem.validate()?;
    method::named(TOUR_COUNTERS, method, Counter::name)?.count(problem, watch)
}
