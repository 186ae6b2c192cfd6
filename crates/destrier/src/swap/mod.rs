//! Swap: exchange knights in the fewest moves, proved.
//!
//! ```text
//! SwapProblem ─► Question ─► Arena ─► feasible ─► A* · beam · ranked · meet ─► SwapPlan ─► checker
//!                  letters     codes     reasons        one engine a part
//! ```
//!
//! `auto` is exact on every rule variant; `best-first` is the textbook method, which is not; `naive`
//! is the yardstick. `docs/swap.md` has the algorithms and their times.

mod arena;
mod assignment;
mod astar;
mod beam;
mod best_first;
mod bound;
mod eccentricity;
mod exact;
mod feasible;
mod key;
mod meet;
mod mirror;
mod naive;
mod palindrome;
mod plain;
mod plans;
mod portfolio;
mod potentials;
mod question;
mod rank;
mod ranked;
mod regions;
mod steps;
mod table;

pub use best_first::BestFirst;
pub use eccentricity::{Eccentricity, eccentricity};
pub use naive::Naive;
pub use plans::{ShortestPlans, shortest_plans};
pub use portfolio::{AStar, Auto, Meet, Ranked};
pub use question::MOST_SQUARES;

use destrier_rules::{SwapProblem, Verified};

use crate::method::{self, Solver};
use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;

/// Bytes a search may take where no limit is given.
pub const MEMORY: u64 = 4 << 30;

/// All ways to solve a swap.
pub const SWAP_SOLVERS: &[&dyn Solver<SwapProblem>] =
    &[&Auto, &AStar, &Meet, &Ranked, &BestFirst::USUAL, &Naive];

/// Solves a swap by the named method; the checker replays the plan before you see it.
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
/// When there is no such method, or it cannot take the question on.
pub fn solve(
    problem: &SwapProblem,
    method: &str,
    watch: &Watch,
) -> Result<Run<Verified<SwapProblem>>, SolveError> {
    let solver = method::named(SWAP_SOLVERS, method, Solver::name)?;
    method::solve_checked(solver, problem, watch)
}
