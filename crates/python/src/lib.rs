//! The native part of the Python package `destrier`; what users see is in `python/destrier`.
//!
//! ```text
//! keywords ─► JSON ─► destrier-ask ─► a question ─► a thread ─► an answer ─► Python
//!  (Python)            (refusals)                     ▲  │
//!                                              Ctrl-C ┘  └ progress
//! ```
//!
//! Questions come as the JSON of the contract and are read by `destrier-ask`, so a mistake gets the line that the
//! command and the page have for it. Every search runs on a thread of its own, while the thread that asked waits
//! without the GIL, and looks for Ctrl-C and for progress ([`run`]).
#![forbid(unsafe_code)]
#![expect(
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "arguments come from Python, which owns them; the macros of PyO3 need `pub`"
)]

mod census;
mod error;
mod list;
mod route;
mod run;

/// The module `destrier._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        census::Census,
        check, export, graph,
        list::Listed,
        methods, presets,
        route::{Route, route, tour},
        solve, square,
    };

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python users look for")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}

use destrier::{KnightGraph, Vertex};
use destrier_ask::{Limits, Question, Refusal, Request, Service, VerifyOptions, job_json, work};
use destrier_rules::{Coordinates, Square, TourProblem};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::refused;

/// How large a question may be: tours of at most this many squares are kept, longer ones are planned.
pub(crate) const LIMITS: Limits = Limits {
    listed: 1 << 22,
    by_start: 1 << 12,
    series: 1_000_000,
    pieces: 1 << 16,
    drawn: 1 << 22,
    window: 1 << 16,
    question: 1 << 30,
    json: 1 << 34,
    check: u64::MAX,
    board: 1 << 62,
};

/// Reads a question.
pub(crate) fn read(py: Python<'_>, question: &str) -> PyResult<Request> {
    Request::read(question.as_bytes(), LIMITS).map_err(|refusal| refused(py, &refusal))
}

/// Reads a question about tours: its problem alone, with the other fields as they came.
pub(crate) fn read_tours(py: Python<'_>, question: &str) -> PyResult<(TourProblem, Request)> {
    let request = read(py, question)?;
    match &request.question {
        Question::Tour(tour) => Ok((tour.problem.clone(), request)),
        _ => Err(refused(py, &Refusal::unfit("kind", "this is not a question about tours"))),
    }
}

/// Reads an amount of memory.
pub(crate) fn bytes(py: Python<'_>, memory: Option<&str>) -> PyResult<Option<u64>> {
    let bytes = memory.map(destrier_ask::bytes).transpose();
    bytes.map_err(|error| refused(py, &Refusal::from(error).in_field("memory")))
}

/// Works on a question of any kind, and gives the job as the contract has it.
#[pyfunction]
#[pyo3(signature = (question, memory=None, progress=None))]
fn solve(
    py: Python<'_>,
    question: &str,
    memory: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let (Request { question, bounds, echo }, memory) = (read(py, question)?, bytes(py, memory)?);
    let report = run::watched(py, &bounds, memory, progress.as_ref(), |options| {
        work(question, options, &mut |_| {})
    })?;
    let report = report.map_err(|refusal| refused(py, &refusal))?;
    Ok(job_json("", &echo, Ok(report), false, None).to_string())
}

/// What the checker says of an answer, or what question this is.
#[pyfunction]
#[pyo3(signature = (text, board=None, closed=false))]
fn check(py: Python<'_>, text: &str, board: Option<String>, closed: bool) -> PyResult<String> {
    let options = VerifyOptions { board, closed };
    let verdict = run::stoppable(py, |stop| {
        Service::new(LIMITS).verify_until(text.as_bytes(), &options, stop)
    })?;
    Ok(verdict.map_err(|refusal| refused(py, &refusal))?.to_string())
}

/// An answer as a file, checked first.
#[pyfunction]
fn export<'py>(py: Python<'py>, certificate: &str, format: &str) -> PyResult<Bound<'py, PyBytes>> {
    let file = run::stoppable(py, |stop| {
        Service::new(LIMITS).export_until(certificate.as_bytes(), format, stop)
    })?;
    let file = file.map_err(|refusal| refused(py, &refusal))?;
    Ok(PyBytes::new(py, &file.bytes))
}

/// The most squares of a board that is handed out as a graph: its names and jumps are Python objects.
const MOST_DRAWN: u64 = 1 << 24;

/// Pairs of squares, by their place in a list.
type Jumps = Vec<(Vertex, Vertex)>;

/// The squares of a board and the jumps between them, as pairs of places in the list of squares.
#[pyfunction]
fn graph(py: Python<'_>, question: &str) -> PyResult<(Vec<String>, Jumps)> {
    let (problem, _) = read_tours(py, question)?;
    if problem.board.len() > MOST_DRAWN {
        let why =
            format!("the board has {} squares; the limit is {MOST_DRAWN}", problem.board.len());
        return Err(refused(py, &Refusal::unfit("board", why)));
    }
    let graph = py.detach(|| KnightGraph::of(&problem.board, problem.leaper));
    let squares = graph.vertices().map(|v| graph.square(v).to_string()).collect();
    let jumps = graph
        .vertices()
        .flat_map(|v| graph.neighbours(v).iter().filter(move |&&w| v < w).map(move |&w| (v, w)));
    Ok((squares, jumps.collect()))
}

/// The file and the rank of a square, both from 0.
#[pyfunction]
fn square(py: Python<'_>, text: &str) -> PyResult<(u32, u32)> {
    let square = Square::read(text, Coordinates::Zero);
    let Square { file, rank } =
        square.map_err(|error| refused(py, &Refusal::unfit("square", error)))?;
    Ok((file, rank))
}

/// All methods, by kind of question.
#[pyfunction]
fn methods() -> String {
    destrier_ask::methods().to_string()
}

/// Puzzles that have a name, by kind of question.
#[pyfunction]
fn presets() -> String {
    destrier_ask::presets().to_string()
}
