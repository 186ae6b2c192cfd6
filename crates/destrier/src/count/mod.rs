//! Counting tours, and sorting them into classes under the symmetries of the board.
//!
//! Uses: `graph`, and of `tour` the complete searches and the reasons against any tour; `tour` uses nothing
//! of `count`.

mod auto;
pub mod census;
mod classes;
mod frontier;
pub mod middle;
mod orders;
mod peers;
pub mod recheck;
mod starts;
mod sweep;
mod symmetric;
pub mod transfer;

pub use auto::Auto;
pub use census::Census;
pub use classes::{Classes, classes, symmetric_classes};
pub use frontier::Frontier;
pub use peers::Peers;
pub use starts::{ByStart, by_start};
pub use transfer::Transfer;

pub use crate::tour_count::{TourCount, is_one_way};

use crate::count::middle::Middle;
use crate::method::{self, Counter};
use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;
use crate::tour::{Backtrack, Naive};
use destrier_rules::{Problem as _, TourProblem};

/// All ways to count tours.
pub const TOUR_COUNTERS: &[&dyn Counter] =
    &[&Auto, &Middle, &Frontier, &Transfer, &Backtrack, &Naive];

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
