//! What can be seen of a job while it runs: progress, and the steps of its search.
//!
//! The search writes from its own threads; listeners read when they hear that there is news. Nobody waits for
//! anybody: a listener that comes late, or comes again, reads the steps from where it was.
//!
//! Invariant: steps are only appended, and never more than [`MOST_STEPS`].
//! Cost: a lock for each progress telling (twenty a second) and for each batch of steps.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use destrier::Progress;
use destrier::tour::trace::Tracer;
use destrier_rules::Square;
use serde_json::{Value, json};
use tokio::sync::watch;

/// The most steps of a search that are told.
pub(crate) const MOST_STEPS: usize = 1 << 18;
/// Steps that are handed over together.
const BATCH: usize = 256;

/// A step of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Begin,
    Move(Square),
    Back,
    Found,
}

impl Step {
    fn json(self) -> Value {
        match self {
            Step::Begin => json!(["begin"]),
            Step::Move(square) => json!(["move", square]),
            Step::Back => json!(["back"]),
            Step::Found => json!(["found"]),
        }
    }
}

/// What is told of one job.
#[derive(Debug)]
pub(crate) struct Live {
    progress: Mutex<(Option<Instant>, Progress)>,
    steps: Mutex<Vec<Step>>,
    news: watch::Sender<u64>,
}

/// A lock; what a thread left behind in a panic is still well formed here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    pub(crate) fn new() -> Live {
        Live { progress: Mutex::default(), steps: Mutex::default(), news: watch::Sender::new(0) }
    }

    /// Hears of all that changes.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// Tells listeners that something changed.
    pub(crate) fn tell(&self) {
        self.news.send_modify(|number| *number += 1);
    }

    /// The job begins now.
    pub(crate) fn begin(&self) {
        lock(&self.progress).0 = Some(Instant::now());
        self.tell();
    }

    /// When the job began, if it has.
    pub(crate) fn begun(&self) -> Option<Instant> {
        lock(&self.progress).0
    }

    /// Keeps how the run stands; listeners look some times a second anyhow.
    pub(crate) fn progress(&self, progress: &Progress) {
        lock(&self.progress).1 = progress.clone();
    }

    /// How the job stands, given what was last told: nodes, and when.
    pub(crate) fn standing(&self, last: &mut Option<(Instant, u64)>) -> Value {
        let (begun, progress) = lock(&self.progress).clone();
        let now = Instant::now();
        let elapsed = begun.map_or(0.0, |begun| now.duration_since(begun).as_secs_f64());
        let (since, nodes) = last.unwrap_or((begun.unwrap_or(now), 0));
        let seconds = now.duration_since(since).as_secs_f64();
        let rate =
            if seconds > 0.0 { real(progress.nodes.saturating_sub(nodes)) / seconds } else { 0.0 };
        *last = Some((now, progress.nodes));
        let mut told = json!({
            "elapsed_ms": whole(elapsed * 1000.0), "nodes": progress.nodes, "rate": whole(rate),
        });
        let mut text = format!("{} nodes", progress.nodes);
        if let Some(best) = progress.best {
            told["best"] = best.into();
            let _ = write!(text, ", best {best}");
        }
        if let Some(bound) = progress.bound {
            told["bound"] = bound.into();
            let _ = write!(text, ", bound {bound}");
        }
        if let Some(fraction) = progress.fraction {
            told["fraction"] = fraction.into();
            text = format!("{:.1} %, {text}", fraction * 100.0);
            if fraction > 0.0 {
                told["eta_ms"] = whole(elapsed * 1000.0 * (1.0 / fraction - 1.0)).into();
            }
        }
        told["text"] = text.into();
        told
    }

    /// Some of the steps from a number on, as an event's data; the number of the step after them.
    pub(crate) fn steps(&self, from: usize) -> Option<(Value, usize)> {
        const MOST: usize = 4096;
        let steps = lock(&self.steps);
        let some = steps.get(from..).filter(|some| !some.is_empty())?;
        let some = &some[..some.len().min(MOST)];
        let next = from + some.len();
        let events: Vec<Value> = some.iter().map(|step| step.json()).collect();
        Some((json!({ "events": events, "cut": next == MOST_STEPS }), next))
    }

    /// One who tells the steps of a search.
    pub(crate) fn teller(&self) -> Teller<'_> {
        Teller { live: self, batch: Vec::with_capacity(BATCH), told: 0, at: Instant::now() }
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

/// Tells the steps of a search in batches.
#[derive(Debug)]
pub(crate) struct Teller<'l> {
    live: &'l Live,
    batch: Vec<Step>,
    told: usize,
    at: Instant,
}

impl Teller<'_> {
    fn note(&mut self, step: Step) -> ControlFlow<()> {
        if self.told < MOST_STEPS {
            self.told += 1;
            self.batch.push(step);
            // A search that thinks long about a step tells it all the same.
            if self.batch.len() == BATCH
                || self.told == MOST_STEPS
                || self.at.elapsed().as_millis() >= 50
            {
                self.hand_over();
            }
        }
        ControlFlow::Continue(())
    }

    fn hand_over(&mut self) {
        if !self.batch.is_empty() {
            lock(&self.live.steps).append(&mut self.batch);
            self.at = Instant::now();
            self.live.tell();
        }
    }
}

impl Drop for Teller<'_> {
    fn drop(&mut self) {
        self.hand_over();
    }
}

impl Tracer for Teller<'_> {
    fn begin(&mut self, _: u64) -> ControlFlow<()> {
        self.note(Step::Begin)
    }

    fn visit(&mut self, _: usize, square: Square) -> ControlFlow<()> {
        self.note(Step::Move(square))
    }

    fn retreat(&mut self, _: usize, _: Square) -> ControlFlow<()> {
        self.note(Step::Back)
    }

    fn found(&mut self, _: usize) -> ControlFlow<()> {
        self.note(Step::Found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_in_order_and_never_too_many() {
        let live = Live::new();
        let mut teller = live.teller();
        for _ in 0..MOST_STEPS + 1000 {
            let _ = teller.visit(1, Square::new(1, 2));
        }
        drop(teller);
        let (mut next, mut batches) = (0, 0);
        while let Some((told, after)) = live.steps(next) {
            assert_eq!(told["events"][0], json!(["move", "b3"]));
            assert_eq!(told["cut"], json!(after == MOST_STEPS));
            (next, batches) = (after, batches + 1);
        }
        assert_eq!((next, batches), (MOST_STEPS, MOST_STEPS / 4096));
    }
}
