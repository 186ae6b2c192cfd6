//! Tours: choose a method, run it, have its answer checked.
//!
//! Uses: `graph`, and what a run is made of; nothing of `count`.

mod backtrack;
mod canonical;
mod classic;
pub mod compose;
mod naive;
mod pairs;
mod racer;
mod search;
mod solvable;
pub mod trace;
mod walk;

pub use backtrack::{Backtrack, Below};
pub use canonical::Canon;
pub use classic::{Race, Tally, Ties, Warnsdorff};
pub use compose::Compose;
pub use naive::Naive;
pub use search::{Search, obstacle};

use destrier_rules::{Tour, TourProblem, Verified};

use crate::method::{self, Enumerator, Solver};
use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;

/// All ways to find a tour.
pub const TOUR_SOLVERS: &[&dyn Solver<TourProblem>] = &[
    &Auto,
    &Compose,
    &Search,
    &Warnsdorff::new(Ties::MoveOrder),
    &Warnsdorff::new(Ties::Pohl),
    &Warnsdorff::new(Ties::Roth),
    &Race,
    &Backtrack,
    &Naive,
];

/// All ways to list tours.
pub const TOUR_ENUMERATORS: &[&dyn Enumerator] = &[&Search, &Backtrack, &Naive];

/// Finds a tour by the named method; the checker looks at it before you do.
///
/// # Errors
/// When there is no such method, or the question is not one for it.
pub fn find(
    problem: &TourProblem,
    method: &str,
    watch: &Watch,
) -> Result<Run<Verified<TourProblem>>, SolveError> {
    let solver = method::named(TOUR_SOLVERS, method, Solver::name)?;
    method::solve_checked(solver, problem, watch)
}

/// Rectangles by construction, all other boards by search.
#[derive(Debug)]
pub struct Auto;

impl Solver<TourProblem> for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn about(&self) -> &'static str {
        "the best method for the question"
    }

    fn solve(&self, problem: &TourProblem, watch: &Watch) -> Result<Run<Tour>, SolveError> {
        if problem.is_classic() {
            let mut run = Compose.solve(problem, watch)?;
            run.effort.method.get_or_insert(Solver::name(&Compose));
            return Ok(run);
        }
        let mut run = Search.solve(problem, watch)?;
        run.effort.method.get_or_insert(Solver::name(&Search));
        Ok(run)
    }
}
