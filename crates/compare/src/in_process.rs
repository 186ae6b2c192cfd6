//! A trial in this process, where no other can be started: in a browser.
//!
//! Its time is that of the method and the check of its answer, as for a process of its own; its memory and computing
//! time cannot be separated from those of other trials, and are left out.
//!
//! Invariant: it ends when the comparison is halted. The watch of the comparison is looked at whenever the method reports
//! progress, which it does some times a second.

use destrier::internal::Watch;
use destrier::{
    Answer as Solved, Cancel, CountMethod, Effort, Finding, Method as _, Moment, Options, Outcome,
    Solve, SolveError, SwapMethod, Tours as _,
};

use crate::comparison::{Limits, Team};
use crate::method::Method;
use crate::question::Ask;
use crate::stats::Stats;
use crate::trial::{Answer, Ended, Trial};

/// What readers of such a comparison should know.
pub(crate) const NOTE: &str = "all runs shared one process, so their memory is not known";

/// Runs one method on one question; `None` when the watch was halted meanwhile.
pub(crate) fn run(
    ask: &Ask,
    method: Method,
    team: Team,
    limits: &Limits,
    watch: &Watch,
) -> Option<Trial> {
    let (cancel, outer) = (Cancel::new(), watch.clone());
    let options = Options::new()
        .threads(team.threads)
        .seed(limits.seed)
        .time_limit(limits.time)
        .schedule(method.schedule())
        .cancel(&cancel)
        .on_progress(move |_| {
            outer.tell(|_| {});
            if outer.halted().is_some() {
                cancel.now();
            }
        });
    let options = limits.memory.iter().fold(options, |options, &bytes| options.memory(bytes));
    let begun = Moment::now();
    let tried = answer(ask, method, &options);
    let time = Moment::now().since(begun);
    if watch.halted().is_some() {
        return None;
    }
    Some(match tried {
        Ok((ended, effort)) => {
            let stats = Stats { memory: None, ..Stats::of(&effort, time, None) };
            Trial { ended, stats: Some(stats) }
        }
        Err(SolveError::Unsuited { why, .. }) => Trial { ended: Ended::Unsuited(why), stats: None },
        Err(SolveError::Stopped(why)) => {
            Trial { ended: Ended::GaveUp(why.to_string(), None), stats: None }
        }
        Err(error) => Trial { ended: Ended::Failed(error.to_string()), stats: None },
    })
}

fn answer(ask: &Ask, method: Method, options: &Options) -> Result<(Ended, Effort), SolveError> {
    Ok(match ask {
        Ask::Tour(problem) => solved(problem.solve_by(method.finder()?, options)?),
        Ask::Capture(problem) => solved(problem.solve_by(method.capturer()?, options)?),
        Ask::Swap(problem) => solved(problem.solve_by(SwapMethod::named(method.name())?, options)?),
        Ask::Count(problem) => {
            let method = CountMethod::named(method.name())?;
            let Finding { outcome, effort, .. } = problem.count_by(method, options)?;
            let none = |_| Answer::Count("0".to_owned());
            let count = |count: destrier::TourCount| Answer::Count(count.undirected().to_string());
            (ended(outcome, count, none, false), effort)
        }
        Ask::Survey { .. } => {
            let why = "walks from many starts are surveyed by the command".to_owned();
            return Err(SolveError::Unsuited { method: method.name(), why });
        }
    })
}

fn solved<P: Solve>(answer: Solved<P>) -> (Ended, Effort) {
    let Solved { outcome, effort, .. } = answer;
    let none = |_| Answer::Impossible;
    (ended(outcome, |plan| Answer::of(&plan), none, true), effort)
}

/// How a run ended; a count that was stopped has no best.
fn ended<S, I>(
    outcome: Outcome<S, I>,
    some: impl Fn(S) -> Answer,
    none: impl Fn(I) -> Answer,
    has_best: bool,
) -> Ended {
    match outcome {
        Outcome::Solved(found) => Ended::Answered(some(found)),
        Outcome::Impossible(why) => Ended::Answered(none(why)),
        Outcome::Unfinished { why, best } => {
            Ended::GaveUp(why.to_string(), best.filter(|_| has_best).map(some))
        }
    }
}
