//! Hill climbing: always to the neighbour with the least estimate, until none is less.
//!
//! The textbook's other heuristic, with the same estimate as `best-first`. It keeps one position and no history, so it is
//! over in no time, and ends on most puzzles where no move improves: a local optimum, which is reported as having given up.
//!
//! Invariant: the estimate falls with every move, so no position comes twice.
//! Cost: the moves of one position per step; memory for one position.
//! Source: Russell and Norvig, *Artificial Intelligence*, chapter on local search.

use destrier_rules::{SwapPlan, SwapProblem};

use super::best_first::Manhattan;
use super::encoding::Encoding;
use super::plain::{self, Reached};
use super::trace::{self, Listener, Look, heard};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// Climbs from the start.
pub(super) fn solve(
    problem: &SwapProblem,
    watch: &Watch,
    listener: &mut Listener<'_>,
) -> Result<Run<SwapPlan>, SolveError> {
    let encoding = Encoding::new(problem, "hill-climbing")?;
    let instance = &encoding.instance;
    let estimate = Manhattan::new(&encoding);
    let mut position = Reached::start(instance).position;
    let (mut steps, mut climbed) = (Vec::new(), 0);
    let mut ticker = watch.ticker();
    let mut asked = heard(listener(Look::Start));
    let outcome = loop {
        if instance.is_goal(&position.codes) {
            let _ = listener(Look::Found);
            break Outcome::Solved(encoding.plan(instance, &steps));
        }
        if let Some(why) = asked.or(ticker.tick().err()) {
            break Outcome::Unfinished { why, best: None };
        }
        let here = estimate.of(&position.codes);
        let better = plain::neighbours(instance, &position)
            .into_iter()
            .map(|(next, jumps)| (estimate.of(&next.codes), next, jumps))
            .filter(|(there, ..)| *there < here)
            .min_by_key(|(there, ..)| *there);
        let Some((_, next, jumps)) = better else {
            let _ = listener(Look::DeadEnd);
            break Outcome::Unfinished { why: Halt::GaveUp, best: None };
        };
        position = next;
        climbed += 1;
        asked = heard(listener(trace::at(&encoding, climbed, climbed - 1, &jumps)));
        steps.extend(jumps);
    };
    Ok(Run::new(outcome, ticker.nodes())
        .with_detail("moves", steps.len() as u64)
        .with_detail("estimate at the end", estimate.of(&position.codes)))
}
