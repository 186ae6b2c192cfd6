//! What can be seen of a question while it is worked on, in the form of the contract (`Progress` and `Trace`).
//!
//! No clock is read here: a carrier says how much time has passed.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Duration;

use destrier::Progress;
use destrier::trace::{Look, Tracer};
use destrier_rules::{Move, Square};
use serde_json::{Value, json};

/// A step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// What follows is done by this one of several that walk at the same time.
    Turn(usize),
    /// A walk, or a search of positions, begins anew.
    Begin,
    /// The knight goes to a square.
    Move(Square),
    /// The knight takes its last move back.
    Back,
    /// The walk is a tour, or takes all pieces; the position is the goal.
    Found,
    /// A search of positions looks at the one with this number, from 1, which came from another by a move.
    Look {
        /// Its number.
        number: usize,
        /// The number of the position that it came from; 0 is the start.
        from: usize,
        /// The move; of a run the first square and the last.
        step: Move,
    },
    /// The position looked at leads to no new one.
    DeadEnd,
}

impl Step {
    fn json(self) -> Value {
        match self {
            Step::Turn(walker) => json!(["turn", walker.to_string()]),
            Step::Begin => json!(["begin"]),
            Step::Move(square) => json!(["move", square]),
            Step::Back => json!(["back"]),
            Step::Found => json!(["found"]),
            Step::Look { number, from, step } => {
                json!(["look", number.to_string(), from.to_string(), step.from, step.to])
            }
            Step::DeadEnd => json!(["dead-end"]),
        }
    }
}

/// Some steps of a search as an event; `cut` says that no more will be reported.
#[must_use]
pub fn trace_json(steps: &[Step], cut: bool) -> Value {
    let events: Vec<Value> = steps.iter().map(|step| step.json()).collect();
    json!({ "events": events, "cut": cut })
}

/// Passes the steps of a search on to the client that asked for them.
pub(crate) struct Steps<'s>(pub(crate) &'s mut dyn FnMut(Step));

impl Steps<'_> {
    fn step(&mut self, step: Step) -> ControlFlow<()> {
        (self.0)(step);
        ControlFlow::Continue(())
    }
}

impl Tracer for Steps<'_> {
    fn turn(&mut self, walker: usize) -> ControlFlow<()> {
        self.step(Step::Turn(walker))
    }

    fn begin(&mut self, _: u64) -> ControlFlow<()> {
        self.step(Step::Begin)
    }

    fn visit(&mut self, _: usize, square: Square) -> ControlFlow<()> {
        self.step(Step::Move(square))
    }

    fn retreat(&mut self, _: usize, _: Square) -> ControlFlow<()> {
        self.step(Step::Back)
    }

    fn found(&mut self, _: usize) -> ControlFlow<()> {
        self.step(Step::Found)
    }

    fn look(&mut self, look: Look) -> ControlFlow<()> {
        self.step(match look {
            Look::Start => Step::Begin,
            Look::At { number, from, step } => Step::Look { number, from, step },
            Look::DeadEnd => Step::DeadEnd,
            Look::Found => Step::Found,
        })
    }
}

/// What a listener last heard of a job, so that the next report has a rate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    elapsed: Duration,
    nodes: u64,
}

impl Pace {
    /// How a job stands after this time, as an event.
    pub fn json(&mut self, progress: &Progress, elapsed: Duration) -> Value {
        let seconds = elapsed.saturating_sub(self.elapsed).as_secs_f64();
        let nodes = progress.nodes.saturating_sub(self.nodes);
        let rate = if seconds > 0.0 { real(nodes) / seconds } else { 0.0 };
        *self = Pace { elapsed, nodes: progress.nodes };
        let elapsed_ms = elapsed.as_secs_f64() * 1000.0;
        let mut report = json!({
            "elapsed_ms": whole(elapsed_ms), "nodes": progress.nodes, "rate": whole(rate),
        });
        let mut text = format!("{} nodes", progress.nodes);
        if let Some(best) = progress.best {
            report["best"] = best.into();
            let _ = write!(text, ", best {best}");
        }
        if let Some(bound) = progress.bound {
            report["bound"] = bound.into();
            let _ = write!(text, ", bound {bound}");
        }
        if let Some((part, parts)) = progress.part {
            (report["part"], report["parts"]) = (part.into(), parts.into());
        }
        if let Some(fraction) = progress.fraction {
            report["fraction"] = fraction.into();
            text = format!("{:.1} %, {text}", fraction * 100.0);
            if fraction > 0.0 {
                report["eta_ms"] = whole(elapsed_ms * (1.0 / fraction - 1.0)).into();
            }
        }
        report["text"] = text.into();
        report
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate is not that precise")]
fn real(number: u64) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times and rates are not negative, and a cast of too large a number is the largest"
)]
fn whole(number: f64) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_of_the_time_since_the_last_report() {
        let mut pace = Pace::default();
        let mut progress = Progress::default();
        assert_eq!(pace.json(&progress, Duration::ZERO)["rate"], 0);
        progress.nodes = 500;
        assert_eq!(pace.json(&progress, Duration::from_secs(1))["rate"], 500);
        progress.nodes = 700;
        progress.fraction = Some(0.25);
        let report = pace.json(&progress, Duration::from_millis(1500));
        assert_eq!((&report["rate"], &report["eta_ms"]), (&json!(400), &json!(4500)), "{report}");
        assert_eq!(report["text"], "25.0 %, 700 nodes");
    }
}
