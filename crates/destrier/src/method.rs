//! Methods as values: a name, a word about each, and what it does.
//!
//! The tables of methods (`TOUR_SOLVERS`, `TOUR_COUNTERS`, …) are read by help, tests, benches and
//! fuzzing alike: a new method is one file and one line in a table.

use std::ops::ControlFlow;

use destrier_rules::{Problem, Tour, TourProblem, Verified};

use crate::outcome::{Run, SolveError};
use crate::run::watch::Watch;
use crate::tour_count::TourCount;

/// A way to solve problems of one kind.
pub trait Solver<P: Problem>: Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// A line for the help.
    fn about(&self) -> &'static str;

    /// Solves the problem, or finds that it cannot be solved, or is stopped.
    ///
    /// # Errors
    /// When it cannot take this question on at all.
    fn solve(&self, problem: &P, watch: &Watch) -> Result<Run<P::Solution>, SolveError>;
}

/// A way to count tours.
pub trait Counter: Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// A line for the help.
    fn about(&self) -> &'static str;

    /// Counts the tours, or is stopped.
    ///
    /// # Errors
    /// When it cannot take this question on at all.
    fn count(&self, problem: &TourProblem, watch: &Watch) -> Result<Run<TourCount>, SolveError>;
}

/// A way to list all tours.
pub trait Enumerator: Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// A line for the help.
    fn about(&self) -> &'static str;

    /// Shows each tour once (a closed one from one square and in one direction) until all are shown or
    /// the visitor breaks off; then the outcome is unfinished, with the count so far.
    ///
    /// # Errors
    /// When it cannot take this question on at all.
    fn enumerate(
        &self,
        problem: &TourProblem,
        watch: &Watch,
        visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
    ) -> Result<Run<TourCount>, SolveError>;
}

/// Finds a method in its table by name.
///
/// # Errors
/// When there is none, with the names that there are.
pub fn named<'m, M: ?Sized>(
    methods: &[&'m M],
    name: &str,
    name_of: impl Fn(&'m M) -> &'static str,
) -> Result<&'m M, SolveError> {
    let found = methods.iter().find(|method| name_of(method) == name);
    found.copied().ok_or_else(|| SolveError::NoSuchMethod {
        name: name.to_owned(),
        known: methods.iter().map(|method| name_of(method)).collect::<Vec<_>>().join(", "),
    })
}

/// Runs a solver and has its answer checked.
///
/// # Errors
/// When the question cannot be taken on, or the checker refuses the answer.
pub fn solve_checked<P: Problem + Clone>(
    solver: &dyn Solver<P>,
    problem: &P,
    watch: &Watch,
) -> Result<Run<Verified<P>>, SolveError> {
    problem.validate()?;
    let run = solver.solve(problem, watch)?;
    checked(problem, run, solver.name())
}

/// Has the answer of a run checked.
///
/// # Errors
/// When the checker refuses it.
pub fn checked<P: Problem + Clone>(
    problem: &P,
    run: Run<P::Solution>,
    method: &'static str,
) -> Result<Run<Verified<P>>, SolveError> {
    let Run { outcome, claim, effort } = run;
    let method = effort.method.unwrap_or(method);
    let refused = |fault| SolveError::Refused { method, fault };
    let outcome =
        outcome.try_map(|solution| Verified::check(problem.clone(), solution).map_err(refused))?;
    if let crate::Outcome::Impossible(obstacle) = &outcome {
        problem.confirm(obstacle).map_err(refused)?;
    }
    Ok(Run { outcome, claim, effort })
}
