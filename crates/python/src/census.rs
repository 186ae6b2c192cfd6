//! The tours of a question by number.

use destrier::Tours as _;
use destrier_ask::{Bounds, Refusal, named_all};
use destrier_rules::TourProblem;
use pyo3::prelude::*;

use crate::error::{refused, unsolved};
use crate::route::Route;
use crate::{bytes, read_tours, run};

/// All tours of a question, numbered from 0.
#[pyclass(frozen, module = "destrier._native")]
#[derive(Debug)]
pub struct Census {
    problem: TourProblem,
    numbers: destrier::Census,
}

/// Numbers the tours of a question.
pub(crate) fn numbered(
    py: Python<'_>,
    problem: &TourProblem,
    bounds: &Bounds,
    memory: Option<u64>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Census> {
    let made = run::watched(py, bounds, memory, progress, |options| problem.census_with(options))?;
    let numbers = made.map_err(|error| unsolved(py, &named_all(problem).to_string(), error))?;
    Ok(Census { problem: problem.clone(), numbers })
}

#[pymethods]
impl Census {
    #[new]
    #[pyo3(signature = (question, memory=None, progress=None))]
    fn new(
        py: Python<'_>,
        question: &str,
        memory: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Census> {
        let (problem, request) = read_tours(py, question)?;
        numbered(py, &problem, &request.bounds, bytes(py, memory)?, progress.as_ref())
    }

    /// How many tours there are, undirected.
    #[getter]
    fn total(&self) -> u128 {
        self.numbers.total()
    }

    /// The tours in words.
    #[getter]
    fn says(&self) -> String {
        named_all(&self.problem).to_string()
    }

    /// The tour with a number.
    fn unrank(&self, py: Python<'_>, number: u128) -> PyResult<Option<Route>> {
        let tour = py.detach(|| self.numbers.unrank(number));
        let tour = tour.map_err(|error| unsolved(py, &self.says(), error))?;
        Ok(tour.map(|tour| Route::of(tour, "census")))
    }

    /// The number of a tour.
    fn rank(&self, py: Python<'_>, tour: &Route) -> PyResult<u128> {
        let wrong = |why: String| refused(py, &Refusal::unfit("tour", why));
        let tour = tour.squares().ok_or_else(|| wrong("a planned tour has no number".into()))?;
        py.detach(|| self.numbers.rank(&tour))
            .map_err(|fault| wrong(format!("this is none of the {}: {fault}", self.says())))
    }

    /// Some tours drawn at random.
    fn sample(&self, py: Python<'_>, number: usize, seed: u64) -> PyResult<Vec<Route>> {
        let drawn = run::stoppable(py, |stop| {
            let tours = self.numbers.sample(seed).take(number);
            tours.take_while(|_| !stop()).collect::<Result<Vec<_>, _>>()
        })?;
        let drawn = drawn.map_err(|error| unsolved(py, &self.says(), error))?;
        Ok(drawn.into_iter().map(|tour| Route::of(tour, "census")).collect())
    }
}
