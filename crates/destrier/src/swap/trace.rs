//! Watching a search of a swap: every position that is looked at, as it happens.

use std::ops::ControlFlow;

use destrier_rules::{Move, SwapPlan, SwapProblem};

use super::encoding::Encoding;
use super::instance::Step;
use super::naive::Naive;
use super::{BestFirst, SwapMethod, hill_climbing, watched};
use crate::lies;
use crate::method::Method as _;
use crate::outcome::{Run, SolveError};
pub use crate::run::trace::Look;
pub(super) use crate::run::trace::heard;
use crate::run::watch::Watch;

/// Hears of all that a search does. Breaking off ends the search.
pub type Listener<'l> = dyn FnMut(Look) -> ControlFlow<()> + 'l;

/// Nobody listens.
pub(super) fn silent() -> impl FnMut(Look) -> ControlFlow<()> {
    |_| ControlFlow::Continue(())
}

/// The look at a position that some jumps lead to.
pub(super) fn at(encoding: &Encoding, number: usize, from: usize, jumps: &[Step]) -> Look {
    let Some((first, last)) = jumps.first().zip(jumps.last()) else { return Look::Start };
    let square = |v: u8| encoding.square(usize::from(v));
    Look::At { number, from, step: Move { from: square(first.0), to: square(last.1) } }
}

/// Solves while somebody listens. A* and the methods of textbooks can be listened to; for `auto` it is A* that is heard.
///
/// # Errors
/// When the method cannot be listened to, or does not support the question.
pub(crate) fn run(
    problem: &SwapProblem,
    method: SwapMethod,
    watch: &Watch,
    listener: &mut Listener<'_>,
) -> Result<Run<SwapPlan>, SolveError> {
    let (run, name) = match method {
        SwapMethod::Auto | SwapMethod::AStar => (watched::solve(problem, watch, listener), "astar"),
        SwapMethod::Naive => (Naive::solve(problem, watch, listener), "naive"),
        SwapMethod::BestFirst(search) => {
            (BestFirst::solve(search, problem, watch, listener), "best-first")
        }
        SwapMethod::HillClimbing => {
            (hill_climbing::solve(problem, watch, listener), "hill-climbing")
        }
        _ => {
            let why = "its steps cannot be traced: it looks at many positions at once; those of astar, best-first, \
                       hill-climbing and naive can";
            return Err(SolveError::Unsuited { method: method.name(), why: why.to_owned() });
        }
    };
    Ok(lies::answer("trace", name, problem, run?.by(name)))
}
