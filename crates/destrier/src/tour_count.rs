//! A number of tours, with its convention.
//!
//! A closed tour can be traversed from any square in either direction; an open one from either end.
//! The literature quotes all of these numbers, so a [`TourCount`] names them: undirected and directed tours.

use destrier_rules::TourProblem;
use num_bigint::BigUint;

/// A number of tours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourCount {
    undirected: BigUint,
    directed: BigUint,
}

impl TourCount {
    /// No tours.
    pub const ZERO: TourCount = TourCount { undirected: BigUint::ZERO, directed: BigUint::ZERO };

    /// From the number of undirected tours that answer this problem.
    ///
    /// A tour whose ends are told apart by the question (a start or an end is fixed, or, for closed
    /// tours, both are) can be run one way only, and so can the tour of a single square.
    #[must_use]
    pub fn of_undirected(problem: &TourProblem, undirected: impl Into<BigUint>) -> TourCount {
        let undirected = undirected.into();
        let one_way = problem.is_one_way();
        let directed = if one_way { undirected.clone() } else { &undirected * 2_u32 };
        TourCount { undirected, directed }
    }

    /// Tours regardless of where and which way they are run.
    #[must_use]
    pub fn undirected(&self) -> BigUint {
        self.undirected.clone()
    }

    /// Tours with a direction; an open one counts from either end, a closed one either way round.
    #[must_use]
    pub fn directed(&self) -> BigUint {
        self.directed.clone()
    }
}
