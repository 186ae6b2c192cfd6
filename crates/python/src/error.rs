//! Refusals, reasons and stops as exceptions. The classes are Python's own (`destrier/_errors.py`): they carry data.

use destrier::{Halt, SolveError};
use destrier_ask::Refusal;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What a function of `destrier._errors` makes of its arguments.
fn raised<'py>(py: Python<'py>, maker: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made =
        py.import("destrier._errors").and_then(|module| module.getattr(maker)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A question that is not answered: `destrier.QuestionError`.
pub(crate) fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    raised(py, "refused", (refusal.json().to_string(),))
}

/// No solution, for a reason: `destrier.Impossible`.
pub(crate) fn impossible(py: Python<'_>, says: &str, certificate: &str) -> PyErr {
    raised(py, "impossible", (says, certificate))
}

/// Not decided: `destrier.Undecided`.
pub(crate) fn undecided(py: Python<'_>, says: &str) -> PyErr {
    raised(py, "undecided", PyTuple::new(py, [says]).expect("one text"))
}

/// What ended a run without an outcome; `what` says what was wanted.
pub(crate) fn unsolved(py: Python<'_>, what: &str, error: SolveError) -> PyErr {
    match error {
        SolveError::Stopped(why) => stopped(py, what, why),
        error => refused(py, &error.into()),
    }
}

/// A run that was stopped.
pub(crate) fn stopped(py: Python<'_>, what: &str, why: Halt) -> PyErr {
    undecided(py, &format!("{what}: {why}"))
}
