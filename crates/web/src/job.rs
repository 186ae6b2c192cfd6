//! One job: a question with its [`Options`], those who listen to it, and at last its result.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use destrier::{Cancel, Options};
use destrier_ask::{Refusal, Report, job_json};
use serde_json::Value;

use crate::events::{Events, lock};
use crate::queue::JobQueue;

/// Bytes of a job besides its question, steps and result.
const OVERHEAD: usize = 4096;
/// A question that was read takes up to this many times the bytes of its text.
const READ: usize = 8;

/// The work of a job, on a thread of its own.
pub(crate) type Work = Box<dyn FnOnce(&Options, &Events) -> Result<Report, Refusal> + Send>;

/// One job.
pub(crate) struct Job {
    pub(crate) id: String,
    /// The question as JSON text.
    pub(crate) question: String,
    pub(crate) events: Arc<Events>,
    pub(crate) options: Options,
    cancel: Cancel,
    pub(crate) time: Duration,
    pub(crate) work: Mutex<Option<Work>>,
    cancelled: AtomicBool,
    listeners: AtomicUsize,
    end: Mutex<Option<End>>,
}

/// How a job ended.
struct End {
    result: Bytes,
    refusal: Option<Refusal>,
}

/// 128 random bits in hex, so that the number of another's job cannot be guessed.
fn number() -> Result<String, Refusal> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|_| Refusal::broken())?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

impl Job {
    /// A job that waits, with a number of its own; its progress becomes events.
    pub(crate) fn new(
        question: &Value,
        options: Options,
        time: Duration,
        work: Work,
    ) -> Result<Job, Refusal> {
        let events = Arc::new(Events::new());
        let (listening, cancel) = (events.clone(), Cancel::new());
        let options = options.cancel(&cancel);
        Ok(Job {
            id: number()?,
            question: question.to_string(),
            events,
            options: options.on_progress(move |progress| listening.progress(progress)),
            cancel,
            time,
            work: Mutex::new(Some(work)),
            cancelled: AtomicBool::new(false),
            listeners: AtomicUsize::new(0),
            end: Mutex::new(None),
        })
    }

    /// Stops the search, if it runs.
    pub(crate) fn halt(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        self.cancel.now();
    }

    /// Has it ended?
    pub(crate) fn is_over(&self) -> bool {
        lock(&self.end).is_some()
    }

    /// Its outcome, as the contract has it.
    pub(crate) fn result(&self) -> Option<Bytes> {
        lock(&self.end).as_ref().map(|end| end.result.clone())
    }

    /// The bytes that it holds: its question as text and as it was read, its steps, and its result.
    pub(crate) fn bytes(&self) -> usize {
        let read = if lock(&self.work).is_some() { READ * self.question.len() } else { 0 };
        let result = self.result().map_or(0, |result| result.len());
        OVERHEAD + self.question.len() + read + self.events.bytes() + result
    }

    /// Why it was refused, if it was.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        lock(&self.end).as_ref().and_then(|end| end.refusal.clone())
    }

    /// Ends it.
    pub(crate) fn finish(&self, report: Result<Report, Refusal>) {
        let refusal = report.as_ref().err().cloned();
        let cancelled = self.cancelled.load(Ordering::SeqCst);
        let elapsed = self.events.elapsed();
        let question = serde_json::from_str(&self.question).unwrap_or_default();
        let job = job_json(&self.id, &question, report, cancelled, elapsed);
        let result = job.to_string().into();
        lock(&self.work).take(); // one that never started
        *lock(&self.end) = Some(End { result, refusal });
        self.events.notify();
    }

    /// Waits until it is over, or for this time.
    pub(crate) async fn over_within(&self, time: Duration) {
        let mut changes = self.events.changes();
        let over = async {
            while !self.is_over() {
                if changes.changed().await.is_err() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(time, over).await;
    }
}

/// A listener to a job; when the last one goes, the job is stopped after a while.
pub(crate) struct Listener {
    pub(crate) queue: JobQueue,
    pub(crate) job: Arc<Job>,
}

impl Listener {
    pub(crate) fn new(queue: JobQueue, job: Arc<Job>) -> Listener {
        job.listeners.fetch_add(1, Ordering::SeqCst);
        Listener { queue, job }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let last = self.job.listeners.fetch_sub(1, Ordering::SeqCst) == 1;
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if !last || self.job.is_over() {
            return;
        }
        let (queue, job) = (self.queue.clone(), self.job.clone());
        runtime.spawn(async move {
            tokio::time::sleep(queue.limits.grace).await;
            if job.listeners.load(Ordering::SeqCst) == 0 && !job.is_over() {
                queue.cancel(&job);
            }
        });
    }
}
