//! Tours by number: one of all tours, some in a row, one at random, or the number of a tour that is given.
//!
//! All tours of a question are numbered by a [`Census`], which takes its time to make. The one that was made last is kept,
//! so that a reader who pages through a list waits once; it is kept only while it is small.
//!
//! Invariant: every tour that is reported has passed the checker, and its number is the one that the census gives it back.
//! Cost: a census; then some microseconds for each tour.

use std::sync::{Arc, Mutex};

use destrier::count::Census;
use destrier::{Effort, Options, Outcome, Solve as _, SolveError, Tours as _};
use destrier_rules::{Certificate, TourProblem, Verified};
use serde_json::json;

use crate::certificate::value_of;
use crate::draw;
use crate::question::Pick;
use crate::refusal::Refusal;
use crate::report::{Conclusion, Report, effort_json, stopped};
use crate::solve::{Made, impossible, report};
use crate::words::{Sentence, named_all, undecided};

/// The most states of a census that is kept: some hundred megabytes.
const MOST_KEPT: usize = 1 << 22;

/// The census that was made last.
static KEPT: Mutex<Option<Arc<Census>>> = Mutex::new(None);

/// The tours of a question, numbered.
fn census(problem: &TourProblem, options: &Options) -> Result<Arc<Census>, SolveError> {
    let kept = KEPT.lock().ok().and_then(|kept| kept.clone());
    if let Some(census) = kept.filter(|census| census.problem() == problem) {
        return Ok(census);
    }
    let census = Arc::new(problem.census_with(options)?);
    if let Ok(mut kept) = KEPT.lock() {
        *kept = (census.states() <= MOST_KEPT).then(|| census.clone());
    }
    Ok(census)
}

/// What is picked of all tours.
pub(crate) fn work(
    problem: &TourProblem,
    pick: Pick,
    options: &Options,
) -> Result<Report, Refusal> {
    let census = match census(problem, options) {
        Ok(census) => census,
        Err(SolveError::Stopped(why)) => {
            let effort = stopped(effort_json(&Effort::default()), why);
            return Ok(Report::undecided(undecided(why), effort));
        }
        Err(error) => return Err(error.into()),
    };
    let total = census.total();
    let Some(last) = total.checked_sub(1) else {
        // Why there is none is for the solver to say.
        let Made { certificate, effort, outcome, .. } = Made::of(problem.solve_with(options)?);
        return Ok(match outcome {
            Outcome::Impossible(none) => impossible(&none, certificate, effort),
            _ => Report::undecided("undecided", effort),
        });
    };
    let from = |number| (number..=last).filter_map(|number| census.unrank(number).transpose());
    let tours: Vec<Verified<TourProblem>> = match pick {
        Pick::Random(seed) => census.sample(seed).take(1).collect::<Result<_, _>>()?,
        Pick::Number { first, tours } => from(first).take(tours).collect::<Result<_, _>>()?,
        Pick::Of(tour) => {
            let number = census.rank(&tour);
            let number = number.map_err(|fault| Refusal::unfit("tour", fault.to_string()))?;
            from(number).take(1).collect::<Result<_, _>>()?
        }
    };
    let [tour, ..] = &tours[..] else {
        let why = format!("the {} are numbered 0 to {last}", named_all(problem));
        let told = Sentence::of("refused.numbers").with("last", last.to_string());
        return Err(Refusal::unfit("number", why).keyed(told));
    };
    let number = census.rank(tour.solution()).map_err(Refusal::caught("census"))?;
    let mut answer = draw::tour(tour);
    (answer["number"], answer["total"]) = (number.to_string().into(), total.to_string().into());
    let says = Sentence::of("tour.told_number")
        .with("number", number.to_string())
        .with("total", total.to_string())
        .with("tours", named_all(problem));
    if tours.len() > 1 {
        answer["tours"] = tours.iter().map(|tour| json!(tour.solution())).collect();
    }
    let certificate = Certificate::new(tour.clone().into(), destrier::origin("census"));
    let mut effort = effort_json(&Effort::default());
    effort["method"] = "census".into();
    Ok(report(Conclusion::Solved, &says, answer, value_of(&certificate), effort))
}
