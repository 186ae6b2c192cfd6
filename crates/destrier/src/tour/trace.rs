//! Looking for a tour while a tracer is called at every step of the search.

use destrier_rules::{Tour, TourProblem};

use super::walk::find_one;
use super::{Backtrack, Naive, TourMethod};
use crate::lies;
use crate::method::Method as _;
use crate::outcome::{Run, SolveError};
use crate::run::trace::Tracer;
use crate::run::watch::Watch;

/// Looks for a tour while a tracer is called at every step of the search.
///
/// The walks by fewest exits and their races can be listened to; so can `backtrack` and `naive`. For `auto` it is
/// `backtrack` that is heard.
///
/// # Errors
/// When the method cannot be listened to, or does not support the question.
pub(crate) fn run<T: Tracer>(
    problem: &TourProblem,
    method: TourMethod,
    watch: &Watch,
    tracer: &mut T,
) -> Result<Run<Tour>, SolveError> {
    method.fits(problem, watch)?;
    let run = match method {
        TourMethod::Warnsdorff(walk) => walk.trace(problem, watch, tracer)?.by(walk.name()),
        TourMethod::Race(race) => race.trace(problem, watch, tracer)?.by(race.name()),
        TourMethod::Naive => find_one(&Naive, problem, watch, tracer)?.by("naive"),
        TourMethod::Auto | TourMethod::Backtrack => {
            find_one(&Backtrack, problem, watch, tracer)?.by("backtrack")
        }
        _ => return Err(SolveError::Unsuited {
            method: method.name(),
            why:
                "its steps cannot be traced; those of the classic methods, backtrack and naive can"
                    .to_owned(),
        }),
    };
    Ok(lies::answer("trace", method.name(), problem, run))
}
