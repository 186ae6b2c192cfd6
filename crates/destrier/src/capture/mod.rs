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
//! Uses: `graph`, `method`, `outcome` and `run`, and nothing of the other problems.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "stops are fewer than 2^16, and rounded duals are summed exactly afterwards"
)]

mod branch;
mod comb;
mod cut;
pub(crate) mod distributed;
pub(crate) mod exact;
mod factor;
mod local;
mod local_cuts;
mod merge;
mod metric;
mod naive;
mod onetree;
mod pricing;
mod program;
mod proof;
mod schedule;
mod stops;
mod teeth;
pub(crate) mod textbook;

use exact::Auto;
use naive::Naive;
pub use textbook::{BbDfs, Distance, Parallel};

use destrier_rules::{CapturePlan, CaptureProblem};

use crate::lies;
use crate::method::{Method, by_name};
use crate::outcome::{Run, SolveError};
use crate::run::trace::{Silent, Tracer};
use crate::run::watch::Watch;

/// The ways to find the fewest moves of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CaptureMethod {
    /// Local search, potentials, and a linear program with cuts.
    #[default]
    Auto,
    /// The textbook's branch and bound, depth first.
    BbDfs(BbDfs),
    /// Tries everything.
    Naive,
}

impl Method for CaptureMethod {
    const ALL: &'static [CaptureMethod] =
        &[CaptureMethod::Auto, CaptureMethod::BbDfs(BbDfs::SEQUENTIAL), CaptureMethod::Naive];

    fn name(self) -> &'static str {
        match self {
            CaptureMethod::Auto => "auto",
            CaptureMethod::BbDfs(_) => "bb-dfs",
            CaptureMethod::Naive => "naive",
        }
    }

    fn about(self) -> &'static str {
        match self {
            CaptureMethod::Auto => {
                "proves the fewest moves by local search, potentials, and a linear program with cuts"
            }
            CaptureMethod::BbDfs(_) => {
                "the textbook's branch and bound, depth first; alone, by tasks or by data on threads"
            }
            CaptureMethod::Naive => "breadth first over squares and pieces left; the baseline",
        }
    }
}

by_name!(CaptureMethod);

impl CaptureMethod {
    /// What `auto` asks after a refusal.
    pub(crate) const OTHERS: &'static [CaptureMethod] =
        &[CaptureMethod::BbDfs(BbDfs::SEQUENTIAL), CaptureMethod::Naive];

    /// What the method says, before the checker has looked at it.
    pub(crate) fn run(
        self,
        problem: &CaptureProblem,
        watch: &Watch,
    ) -> Result<Run<CapturePlan>, SolveError> {
        let run = match self {
            CaptureMethod::Auto => Auto.solve(problem, watch),
            CaptureMethod::BbDfs(search) => search.solve(problem, watch),
            CaptureMethod::Naive => Naive::trace(problem, watch, &mut Silent),
        };
        Ok(lies::answer("capture", self.name(), problem, run?.by(self.name())))
    }

    /// Can its steps be watched?
    #[must_use]
    pub const fn is_traceable(self) -> bool {
        matches!(self, CaptureMethod::Auto | CaptureMethod::BbDfs(_) | CaptureMethod::Naive)
    }

    /// The same while somebody listens to every step; for `auto` it is `bb-dfs` that is heard.
    pub(crate) fn trace<T: Tracer>(
        self,
        problem: &CaptureProblem,
        watch: &Watch,
        tracer: &mut T,
    ) -> Result<Run<CapturePlan>, SolveError> {
        let (run, name) = match self {
            CaptureMethod::Auto => (BbDfs::SEQUENTIAL.trace(problem, watch, tracer), "bb-dfs"),
            CaptureMethod::BbDfs(search) => (search.trace(problem, watch, tracer), "bb-dfs"),
            CaptureMethod::Naive => (Naive::trace(problem, watch, tracer), "naive"),
        };
        Ok(lies::answer("trace", name, problem, run?.by(name)))
    }
}
