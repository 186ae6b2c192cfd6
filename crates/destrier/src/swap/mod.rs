//! Swap: knights exchange places in the fewest moves, proved.
//!
//! ```text
//! SwapProblem ─► Encoding ─► feasibility ─► Instance per part ─► A* · beam · ranked · meet ─► SwapPlan ─► checker
//! ```
//!
//! `auto` (`portfolio`) is exact under all rules; `best-first` is the textbook method, which is not; `naive`
//! is the baseline. `docs/swap.md` has the algorithms and their times.
//!
//! This folder uses `graph`, `method`, `outcome` and `run`, and nothing of the other problems.

mod assignment;
mod astar;
mod beam;
mod best_first;
mod bound;
mod eccentricity;
mod encoding;
mod exact;
mod feasibility;
mod instance;
mod key;
mod layer;
mod meet;
mod moves;
mod naive;
mod palindrome;
mod part;
mod plain;
mod plans;
mod portfolio;
mod potentials;
mod rank;
mod ranked;
mod regions;
mod symmetry;
mod table;

pub use best_first::BestFirst;
pub use eccentricity::{Eccentricity, eccentricity};
pub use encoding::MOST_SQUARES;
pub use naive::Naive;
pub use plans::{ShortestPlans, shortest_plans};
pub use portfolio::{AStar, Auto, Meet, Ranked};

use destrier_rules::{SwapProblem, Verified};

use crate::method::{self, Solver};
use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;

/// The memory that a search may use by default, in bytes.
pub const MEMORY: u64 = 4 << 30;

/// All methods for swaps.
pub const SWAP_SOLVERS: &[&dyn Solver<SwapProblem>] =
    &[&Auto, &AStar, &Meet, &Ranked, &BestFirst::USUAL, &Naive];

/// Solves a swap by the named method, and has the plan checked.
///
/// ```
/// use destrier::{Outcome, Watch, swap};
/// use destrier_rules::{Problem, SwapProblem};
///
/// let (from, to) = ("n1n/3/N1N".parse()?, "N1N/3/n1n".parse()?);
/// let guarini = SwapProblem::between(&from, &to)?;
/// let run = swap::solve(&guarini, "auto", &Watch::unlimited())?;
/// let Outcome::Solved(plan) = run.outcome else { panic!("Guarini found one in 1512") };
/// assert_eq!(guarini.cost(plan.solution()), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no such method, or it does not support the question.
pub fn solve(
    problem: &SwapProblem,
    method: &str,
    watch: &Watch,
) -> Result<Run<Verified<SwapProblem>>, SolveError> {
    let solver = method::named(SWAP_SOLVERS, method, Solver::name)?;
    method::solve_checked(solver, problem, watch)
}
