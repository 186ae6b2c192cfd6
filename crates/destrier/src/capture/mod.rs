//! Capture: one knight takes every piece in the fewest moves, proved.
//!
//! ```text
//! CaptureProblem ─► Stops ─► Metric ─► local search ─► plan ───────┐
//!                               │                                  ├─► equal: proved ─► checker
//!                               └──► 1-trees ─► branch and cut ────┘
//! ```
//!
//! `auto` is exact (`exact`, with `local`, `onetree`, `branch`, `schedule`); `bb-dfs` is the textbook method;
//! `naive` is the baseline. `docs/capture.md` has the algorithms and their times.
//!
//! This folder uses `graph`, `method`, `outcome` and `run`, and nothing of the other problems.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "stops are fewer than 2^16, and rounded duals are summed exactly afterwards"
)]

mod branch;
mod cut;
mod distributed;
mod exact;
mod inverse;
mod local;
mod metric;
mod naive;
mod onetree;
mod pricing;
mod proof;
mod schedule;
mod simplex;
mod stops;
mod textbook;

pub use distributed::{Broadcast, Case, CaseResult, CaseTree, Root, Scratch, Worker, Workers};
pub use exact::Auto;
pub use naive::Naive;
pub use textbook::{BbDfs, Branch, Parallel, Tree, TreeBuilder};

use destrier_rules::{CaptureProblem, Verified};

use crate::method::{self, Solver};
use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;

/// All methods for captures.
pub const CAPTURE_SOLVERS: &[&dyn Solver<CaptureProblem>] = &[&Auto, &BbDfs::SEQUENTIAL, &Naive];

/// Finds a plan by the named method, and has it checked.
///
/// # Errors
/// When there is no such method, or it does not support the question.
pub fn find(
    problem: &CaptureProblem,
    method: &str,
    watch: &Watch,
) -> Result<Run<Verified<CaptureProblem>>, SolveError> {
    let solver = method::named(CAPTURE_SOLVERS, method, Solver::name)?;
    method::solve_checked(solver, problem, watch)
}
