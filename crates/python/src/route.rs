//! A tour as Python sees it: kept whole, or planned and looked up step by step.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::sync::OnceLock;

use destrier::render::{self, Scene};
use destrier::{
    Certificate, Finding, Itinerary, Outcome, Solve as _, SolveError, Statement, StreamError,
    TourStream, Tours as _, origin,
};
use destrier_ask::{
    Bounds, Question, Refusal, TourQuestion, effort_told, named, no_solution, tour_told,
};
use destrier_rules::{Coordinates, Impossible, Shape, Square, Tour, TourProblem, Verified};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{impossible, refused, undecided, unsolved};
use crate::{bytes, read, read_tours, run};

/// The squares that a picture in a notebook shows at most.
const MOST_SHOWN: usize = 2500;

/// A checked tour.
#[pyclass(frozen, module = "destrier._native")]
#[derive(Debug)]
pub struct Route {
    problem: TourProblem,
    method: &'static str,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// All squares, and when it is first asked for the step on each square, from the top rank.
    Listed(Verified<TourProblem>, OnceLock<Vec<u32>>),
    Planned(Box<Itinerary>),
}

impl Route {
    pub(crate) fn of(tour: Verified<TourProblem>, method: &'static str) -> Route {
        let problem = tour.problem().clone();
        Route { problem, method, way: Way::Listed(tour, OnceLock::new()) }
    }

    /// A tour by the checker's leave.
    pub(crate) fn checked(
        py: Python<'_>,
        problem: &TourProblem,
        tour: Tour,
        method: &'static str,
    ) -> PyResult<Route> {
        let verified = Verified::check(problem.clone(), tour);
        let verified = verified.map_err(|fault| refused(py, &Refusal::unfit("squares", fault)))?;
        Ok(Route::of(verified, method))
    }

    pub(crate) fn squares(&self) -> Option<Tour> {
        match &self.way {
            Way::Listed(tour, _) => Some(tour.solution().clone()),
            Way::Planned(_) => None,
        }
    }

    fn at_step(&self, step: u64) -> Option<Square> {
        match &self.way {
            Way::Planned(plan) => plan.at_step(step),
            Way::Listed(tour, _) => {
                tour.squares().get(usize::try_from(step.checked_sub(1)?).ok()?).copied()
            }
        }
    }

    fn place(&self, square: Square) -> Option<usize> {
        let board = &self.problem.board;
        if !board.contains(square) {
            return None;
        }
        let row = (board.ranks() - 1 - square.rank) as usize;
        Some(row * board.files() as usize + square.file as usize)
    }
}

/// The step on each square, from the top rank.
fn steps<'r>(kept: &'r OnceLock<Vec<u32>>, tour: &Verified<TourProblem>) -> &'r [u32] {
    kept.get_or_init(|| tour.grid().concat())
}

#[pymethods]
impl Route {
    /// The number of steps.
    #[getter]
    fn length(&self) -> u64 {
        self.problem.board.len()
    }

    /// Files and ranks of the board.
    #[getter]
    fn size(&self) -> (u32, u32) {
        (self.problem.board.files(), self.problem.board.ranks())
    }

    #[getter]
    fn closed(&self) -> bool {
        self.problem.shape == Shape::Closed
    }

    #[getter]
    fn method(&self) -> &'static str {
        self.method
    }

    /// Are all squares kept?
    #[getter]
    fn is_listed(&self) -> bool {
        matches!(self.way, Way::Listed(..))
    }

    /// The tour in words.
    #[getter]
    fn says(&self) -> String {
        match &self.way {
            Way::Listed(tour, _) => tour_told(tour).to_string(),
            Way::Planned(plan) => {
                let (start, end) = (plan.at_step(1), plan.at_step(plan.len()));
                let ends = TourProblem { start, end, ..self.problem.clone() };
                format!("{}, {} squares", named(&ends), plan.len())
            }
        }
    }

    /// The square at a step, from 1.
    fn at(&self, step: u64) -> Option<String> {
        self.at_step(step).map(|square| square.to_string())
    }

    /// The squares of some steps, from the first up to and without the last.
    fn between(&self, first: u64, last: u64) -> Vec<String> {
        (first..last).map_while(|step| self.at(step)).collect()
    }

    /// The step on a square, from 1.
    fn step_of(&self, py: Python<'_>, square: &str) -> PyResult<Option<u64>> {
        let square = Square::read(square, Coordinates::Zero)
            .map_err(|error| refused(py, &Refusal::unfit("square", error)))?;
        Ok(match &self.way {
            Way::Planned(plan) => plan.step_of(square),
            Way::Listed(tour, kept) => self.place(square).map(|at| steps(kept, tour)[at].into()),
        })
    }

    /// The step on every square, from the top rank, as numbers of 32 bits; holes have 0.
    fn grid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (files, ranks) = self.size();
        let area = self.problem.board.area();
        let length = u32::try_from(area).ok().and_then(|area| (area as usize).checked_mul(4));
        let Some(length) = length else {
            let why = format!("a grid of {area} squares is too large; ask for `at` and `step_of`");
            return Err(PyOverflowError::new_err(why));
        };
        PyBytes::new_with(py, length, |out| {
            let row = files as usize * 4;
            match &self.way {
                Way::Listed(tour, kept) => {
                    for (place, step) in out.chunks_exact_mut(4).zip(steps(kept, tour)) {
                        place.copy_from_slice(&step.to_ne_bytes());
                    }
                }
                Way::Planned(plan) => py.detach(|| {
                    let mut numbers = vec![0_u32; files as usize];
                    for (rank, out) in (0..ranks).rev().zip(out.chunks_exact_mut(row)) {
                        plan.fill_files(rank, 0, &mut numbers);
                        for (place, step) in out.chunks_exact_mut(4).zip(&numbers) {
                            place.copy_from_slice(&step.to_ne_bytes());
                        }
                    }
                }),
            }
            Ok(())
        })
    }

    /// The certificate, where the tour is kept.
    fn certificate(&self) -> Option<String> {
        let Way::Listed(tour, _) = &self.way else { return None };
        let statement = Statement::Solved(tour.clone());
        Some(Certificate::new(statement, origin(self.method)).to_json())
    }

    /// A picture, if it is not too large to be looked at.
    fn svg(&self) -> Option<String> {
        let Way::Listed(tour, _) = &self.way else { return None };
        if tour.len() > MOST_SHOWN {
            return None;
        }
        render::svg(&Scene::of_tour(tour)).ok()
    }

    /// Writes a planned tour to a file: as a line of squares, or the numbers of all squares.
    fn stream(&self, py: Python<'_>, path: &str, as_numbers: bool) -> PyResult<()> {
        let Way::Planned(plan) = &self.way else {
            return Err(refused(py, &Refusal::unfit("format", "this tour is kept: export it")));
        };
        let file = File::create(path)?;
        let written = run::watched(py, &Bounds::default(), None, None, |options| {
            let stream = TourStream::new(&self.problem, plan, options);
            let mut out = BufWriter::new(file);
            if as_numbers {
                stream.numbers(&mut out)?;
            } else {
                stream.list(1..plan.len() + 1, &mut out)?;
            }
            Ok(out.flush()?)
        })?;
        written.map_err(|error: StreamError| match error {
            StreamError::Write(error) => error.into(),
            StreamError::Solve(error) => unsolved(py, "not all was written", error),
            error => refused(py, &Refusal::unfit("format", error)),
        })
    }

    /// The tours of the same question by number.
    #[pyo3(signature = (memory=None, progress=None))]
    fn census(
        &self,
        py: Python<'_>,
        memory: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<crate::census::Census> {
        let memory = bytes(py, memory)?;
        crate::census::numbered(py, &self.problem, &Bounds::default(), memory, progress.as_ref())
    }
}

/// A question without an answer.
fn none(py: Python<'_>, impossibility: Impossible<TourProblem>, method: &str) -> PyErr {
    let says = no_solution(&impossibility).to_string();
    let statement = Statement::Impossible(impossibility);
    impossible(py, &says, &Certificate::new(statement, origin(method)).to_json())
}

/// Looks for a tour: planned where it is too long to be kept.
#[pyfunction]
#[pyo3(signature = (question, memory=None, progress=None))]
pub fn tour(
    py: Python<'_>,
    question: &str,
    memory: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Route> {
    let request = read(py, question)?;
    let Question::Tour(TourQuestion { problem, method, by_window, pick, .. }) = request.question
    else {
        return Err(refused(py, &Refusal::unfit("kind", "this is not a question for a tour")));
    };
    if pick.is_some() {
        let why = "a tour by its number comes from unrank, one at random from sample";
        return Err(refused(py, &Refusal::unfit("number", why)));
    }
    let (bounds, memory, progress) = (request.bounds, bytes(py, memory)?, progress.as_ref());
    let failed = |error: SolveError| unsolved(py, &named(&problem).to_string(), error);
    if by_window {
        let found =
            run::watched(py, &bounds, memory, progress, |options| problem.itinerary_with(options))?;
        let Finding { outcome, effort, .. } = found.map_err(failed)?;
        return match outcome {
            Outcome::Solved(plan) => {
                Ok(Route { problem, method: effort.method, way: Way::Planned(Box::new(plan)) })
            }
            Outcome::Impossible(impossibility) => Err(none(py, impossibility, effort.method)),
            Outcome::Unfinished { why, .. } => Err(undecided(py, &format!("undecided: {why}"))),
        };
    }
    let found =
        run::watched(py, &bounds, memory, progress, |options| problem.solve_by(method, options))?;
    let answer = found.map_err(failed)?;
    let took = effort_told(&answer.effort);
    match answer.outcome {
        Outcome::Solved(tour) => Ok(Route::of(tour, answer.effort.method)),
        Outcome::Impossible(impossibility) => Err(none(py, impossibility, answer.effort.method)),
        Outcome::Unfinished { why, .. } => {
            Err(undecided(py, &format!("undecided: {why} ({took})")))
        }
    }
}

/// A tour from the caller, checked against its question.
#[pyfunction]
pub fn route(py: Python<'_>, question: &str, squares: &str) -> PyResult<Route> {
    let (problem, _) = read_tours(py, question)?;
    let tour: Result<Tour, _> = squares.parse();
    let tour = tour.map_err(|error| refused(py, &Refusal::unfit("squares", error)))?;
    Route::checked(py, &problem, tour, "given")
}
