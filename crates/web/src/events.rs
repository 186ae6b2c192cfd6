//! What can be seen of a job while it runs: progress, and the steps of its search.
//!
//! The search writes from its own threads; listeners read when they are notified. Nobody waits for anybody: a listener
//! that comes late, or comes again, reads the steps from where it was.
//!
//! Invariant: steps are only appended, and never more than [`MOST_STEPS`].
//! Cost: a lock for each report of progress (twenty per second) and for each batch of steps.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use destrier::Progress;
use destrier_ask::{Pace, Step, trace_json};
use serde_json::Value;
use tokio::sync::watch;

/// The most steps of a search that are reported.
pub(crate) const MOST_STEPS: usize = 1 << 18;
/// Steps that are handed over together.
const BATCH: usize = 256;
/// A search that thinks long about a step reports it all the same.
const LONGEST_BATCH: Duration = Duration::from_millis(50);

/// What is known of one job.
#[derive(Debug)]
pub(crate) struct Events {
    started: Mutex<Option<Instant>>,
    progress: Mutex<Progress>,
    steps: Mutex<Vec<Step>>,
    changes: watch::Sender<u64>,
}

/// A lock; what a thread left behind in a panic is still well formed here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Events {
    pub(crate) fn new() -> Events {
        Events {
            started: Mutex::default(),
            progress: Mutex::default(),
            steps: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// Hears of all that changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Notifies listeners that something changed.
    pub(crate) fn notify(&self) {
        self.changes.send_modify(|number| *number += 1);
    }

    /// The job starts now.
    pub(crate) fn start(&self) {
        *lock(&self.started) = Some(Instant::now());
        self.notify();
    }

    /// The time since the job started, if it has.
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        lock(&self.started).map(|started| started.elapsed())
    }

    /// Keeps how the run stands; listeners look some times per second anyhow.
    pub(crate) fn progress(&self, progress: &Progress) {
        *lock(&self.progress) = progress.clone();
    }

    /// How the job stands, for a listener with this pace.
    pub(crate) fn progress_json(&self, pace: &mut Pace) -> Value {
        let progress = lock(&self.progress).clone();
        pace.json(&progress, self.elapsed().unwrap_or_default())
    }

    /// Some of the steps from a number on, as an event's data; the number of the step after them.
    pub(crate) fn steps(&self, from: usize) -> Option<(Value, usize)> {
        const MOST: usize = 4096;
        let steps = lock(&self.steps);
        let some = steps.get(from..).filter(|some| !some.is_empty())?;
        let some = &some[..some.len().min(MOST)];
        let next = from + some.len();
        Some((trace_json(some, next == MOST_STEPS), next))
    }

    /// What keeps the steps of a search.
    pub(crate) fn recorder(&self) -> Recorder<'_> {
        let batch = Vec::with_capacity(BATCH);
        Recorder { events: self, batch, recorded: 0, at: Instant::now() }
    }
}

/// Keeps the steps of a search, in batches.
#[derive(Debug)]
pub(crate) struct Recorder<'e> {
    events: &'e Events,
    batch: Vec<Step>,
    recorded: usize,
    at: Instant,
}

impl Recorder<'_> {
    /// Keeps a step, unless there are too many already.
    pub(crate) fn record(&mut self, step: Step) {
        if self.recorded < MOST_STEPS {
            self.recorded += 1;
            self.batch.push(step);
            if self.batch.len() == BATCH
                || self.recorded == MOST_STEPS
                || self.at.elapsed() >= LONGEST_BATCH
            {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        if !self.batch.is_empty() {
            lock(&self.events.steps).append(&mut self.batch);
            self.at = Instant::now();
            self.events.notify();
        }
    }
}

impl Drop for Recorder<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use destrier_rules::Square;
    use serde_json::json;

    use super::*;

    #[test]
    fn steps_are_kept_in_order_and_never_too_many() {
        let events = Events::new();
        let mut recorder = events.recorder();
        for _ in 0..MOST_STEPS + 1000 {
            recorder.record(Step::Move(Square::new(1, 2)));
        }
        drop(recorder);
        let (mut next, mut batches) = (0, 0);
        while let Some((trace, after)) = events.steps(next) {
            assert_eq!(trace["events"][0], json!(["move", "b3"]));
            assert_eq!(trace["cut"], json!(after == MOST_STEPS));
            (next, batches) = (after, batches + 1);
        }
        assert_eq!((next, batches), (MOST_STEPS, MOST_STEPS / 4096));
    }
}
