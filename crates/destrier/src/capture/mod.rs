//! Capture: choose a method, run it, have its answer checked.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "stops are fewer than 2^16, and rounded duals are summed exactly afterwards"
)]

mod branch;
mod cut;
mod exact;
mod inverse;
mod local;
mod metric;
mod naive;
mod onetree;
mod price;
mod proof;
mod settle;
mod simplex;
mod split;
mod stops;
mod textbook;

pub use exact::Auto;
pub use naive::Naive;
pub use split::{Bench, Brief, Case, Findings, Helper, Helpers, Ledger, Root};
pub use textbook::{BbDfs, Branch, Ground, Parallel, Tree};

use destrier_rules::{CaptureProblem, Verified};

use crate::method::{self, Solver};
use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;

/// All ways to find the fewest moves of a capture.
pub const CAPTURE_SOLVERS: &[&dyn Solver<CaptureProblem>] =
    &[&Auto, &BbDfs::SEQUENTIAL, &Naive];

/// Finds a plan by the named method; the checker looks at it before you do.
///
/// # Errors
/// When there is no such method, or it cannot take the question on.
pub fn find(
    problem: &CaptureProblem,
    method: &str,
    watch: &Watch,
) -> Result<Run<Verified<CaptureProblem>>, SolveError> {
    let solver = method::named(CAPTURE_SOLVERS, method, Solver::name)?;
    method::solve_checked(solver, problem, watch)
}
