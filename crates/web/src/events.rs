//! What can be seen of a job while it runs: progress, and the steps of its search.
//!
//! The search writes from its own threads; listeners read when they are notified. Nobody waits for anybody: a listener
//! that comes late, or comes again, reads the steps from where it was. A batch of steps is written as an event once, by
//! the thread of the search; all listeners are sent the same bytes.
//!
//! Invariant: batches are only appended, and never have more than [`MOST_STEPS`] steps in all.
//! Cost: a lock for each report of progress (twenty per second) and for each batch of steps.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
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
    batches: Mutex<Vec<Batch>>,
    changes: watch::Sender<u64>,
}

/// Some steps, as an event for listeners.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The number of the step after them, which is also the event's.
    pub(crate) next: usize,
    /// The event.
    pub(crate) event: Bytes,
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
            batches: Mutex::default(),
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

    /// The batch with the step of this number, from 0, if it is there.
    pub(crate) fn batch(&self, from: usize) -> Option<Batch> {
        let batches = lock(&self.batches);
        batches.get(batches.partition_point(|batch| batch.next <= from)).cloned()
    }

    /// The bytes of all steps that are kept.
    pub(crate) fn bytes(&self) -> usize {
        let batches = lock(&self.batches);
        batches.iter().map(|batch| batch.event.len() + size_of::<Batch>()).sum()
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
            let trace = trace_json(&self.batch, self.recorded == MOST_STEPS);
            let event = format!("event: trace\nid: {}\ndata: {trace}\n\n", self.recorded);
            lock(&self.events.batches).push(Batch { next: self.recorded, event: event.into() });
            self.batch.clear();
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
        let (mut next, mut steps) = (0, 0);
        while let Some(batch) = events.batch(next) {
            let text = String::from_utf8(batch.event.to_vec()).expect("it is JSON");
            let (head, data) = text.split_once("\ndata: ").expect("an event has data");
            assert_eq!(head, format!("event: trace\nid: {}", batch.next));
            let trace: Value = serde_json::from_str(data).expect("it is JSON");
            assert_eq!(trace["events"][0], json!(["move", "b3"]));
            assert_eq!(trace["cut"], json!(batch.next == MOST_STEPS));
            steps += trace["events"].as_array().map_or(0, Vec::len);
            next = batch.next;
        }
        assert_eq!((next, steps), (MOST_STEPS, MOST_STEPS));
        assert!(events.bytes() > MOST_STEPS * 10, "all of it is counted");
    }
}
