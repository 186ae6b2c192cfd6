//! The queue of jobs: they wait, run on threads of their own, and are kept for a while when done.
//!
//! A limited number run at a time; each gets a plain thread when its turn comes, and the thread ends with the job, so nothing is
//! left behind. Cancelling takes a job from the queue or stops its run. The outcome of a job is kept as text, for a time
//! and up to a number of bytes in all, in which everything counts that a job holds: its question, its steps, its result.
//!
//! Invariant: as many threads run as `running` says, never more than `Limits::jobs`; a job ends exactly once; the jobs
//! that wait and those that have ended hold no more than [`MOST_KEPT`] bytes.
//! Cost: a lock for each change, whatever the number of jobs; starting a thread takes about 20 µs.

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use destrier::Moment;
use destrier_ask::{Bounds, Refusal, RefusalKind, Report, Sentence};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::events::lock;
use crate::job::{Job, Work};

/// What a server allows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Jobs that run at a time.
    pub jobs: usize,
    /// Jobs that may wait.
    pub queue: usize,
    /// The time of a job.
    pub time: Duration,
    /// The memory of a job, in bytes.
    pub memory: u64,
    /// The threads of a job.
    pub threads: usize,
    /// The bytes of a request.
    pub body: usize,
    /// How long the answer of a job is kept.
    pub keep: Duration,
    /// How long a job continues that has lost its last listener: a page that is loaded again comes back within this time.
    pub grace: Duration,
    /// How large a question may be.
    pub questions: destrier_ask::Limits,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            jobs: cores,
            queue: 64,
            time: Duration::from_secs(600),
            memory: 2 << 30,
            threads: cores,
            body: 16 << 20,
            keep: Duration::from_secs(900),
            grace: Duration::from_secs(5),
            questions: destrier_ask::Limits::default(),
        }
    }
}

/// Bytes that jobs hold which wait or have ended.
const MOST_KEPT: usize = 128 << 20;
/// The most jobs that run at a time, whatever is asked for: each has a thread.
pub const MOST_JOBS: usize = 1024;
/// The most time of short work.
const SHORT: Duration = Duration::from_secs(20);
/// The stack of a job's thread: searches go as deep as the board has squares.
const STACK: usize = 64 << 20;

#[derive(Default)]
struct Jobs {
    all: HashMap<String, Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    running: usize,
    closed: bool,
    /// Jobs that have ended, the first to end first, and when, with their bytes.
    ended: VecDeque<(Instant, usize, Arc<Job>)>,
    /// The bytes of the jobs that wait, and of those that have ended.
    waiting_bytes: usize,
    ended_bytes: usize,
}

impl Jobs {
    /// Drops the answers that ended first while they are too old, or hold too much beside those that wait.
    fn sweep(&mut self, keep: Duration) {
        while let Some((at, bytes, _)) = self.ended.front() {
            if at.elapsed() <= keep && self.waiting_bytes + self.ended_bytes <= MOST_KEPT {
                return;
            }
            self.ended_bytes -= bytes;
            if let Some((_, _, job)) = self.ended.pop_front() {
                self.all.remove(&job.id);
            }
        }
    }

    /// Takes a job out of those that wait.
    fn leave_queue(&mut self, job: &Job) {
        self.waiting_bytes = self.waiting_bytes.saturating_sub(job.bytes());
    }
}

/// All jobs; clones share them.
#[derive(Clone)]
pub(crate) struct JobQueue {
    pub(crate) limits: Limits,
    jobs: Arc<Mutex<Jobs>>,
    short_work: Arc<tokio::sync::Semaphore>,
}

impl JobQueue {
    pub(crate) fn new(limits: Limits) -> JobQueue {
        let limits = Limits { jobs: limits.jobs.clamp(1, MOST_JOBS), ..limits };
        let short_work = Arc::new(tokio::sync::Semaphore::new(limits.jobs));
        JobQueue { limits, jobs: Arc::default(), short_work }
    }

    /// Accepts a job, or says that the queue is full.
    pub(crate) fn submit(
        &self,
        question: &Value,
        bounds: Bounds,
        work: Work,
    ) -> Result<Arc<Job>, Refusal> {
        let options = bounds.options(self.limits.memory, self.limits.threads);
        let time = bounds.time.unwrap_or(self.limits.time).min(self.limits.time);
        let job = Arc::new(Job::new(question, options, time, work)?);
        let mut jobs = lock(&self.jobs);
        if jobs.closed {
            return Err(Refusal::new(RefusalKind::Unavailable, "the server is ending"));
        }
        if jobs.running >= self.limits.jobs && jobs.waiting.len() >= self.limits.queue {
            let why = format!(
                "the queue is full: {} running, {} waiting",
                jobs.running,
                jobs.waiting.len()
            );
            return Err(Refusal::new(RefusalKind::Busy, why));
        }
        let bytes = job.bytes();
        if jobs.waiting_bytes + bytes > MOST_KEPT {
            let why = format!(
                "with this one, the waiting questions would take {} MiB; the limit is {} MiB",
                (jobs.waiting_bytes + bytes).div_ceil(1 << 20),
                MOST_KEPT >> 20
            );
            return Err(Refusal::new(RefusalKind::Busy, why));
        }
        jobs.waiting_bytes += bytes;
        jobs.all.insert(job.id.clone(), job.clone());
        jobs.waiting.push_back(job.clone());
        let refused = self.start_next(&mut jobs);
        jobs.sweep(self.limits.keep);
        drop(jobs);
        self.refuse(refused);
        Ok(job)
    }

    /// Starts jobs while there is room; those for which there was no thread are for [`JobQueue::refuse`].
    fn start_next(&self, jobs: &mut Jobs) -> Vec<(Arc<Job>, Refusal)> {
        let mut refused = Vec::new();
        while jobs.running < self.limits.jobs {
            let Some(job) = jobs.waiting.pop_front() else { break };
            jobs.leave_queue(&job);
            let (queue, started) = (self.clone(), job.clone());
            match start_thread("job", Box::new(move || queue.run(&started))) {
                Ok(()) => jobs.running += 1,
                Err(refusal) => refused.push((job, refusal)),
            }
        }
        refused
    }

    /// Ends jobs for which there was no thread.
    fn refuse(&self, jobs: Vec<(Arc<Job>, Refusal)>) {
        for (job, refusal) in jobs {
            self.finish(&job, Err(refusal));
        }
    }

    /// Ends a job, and keeps its outcome.
    fn finish(&self, job: &Arc<Job>, report: Result<Report, Refusal>) {
        job.finish(report);
        let bytes = job.bytes();
        let mut jobs = lock(&self.jobs);
        jobs.ended.push_back((Instant::now(), bytes, job.clone()));
        jobs.ended_bytes += bytes;
        jobs.sweep(self.limits.keep);
    }

    /// Runs a job to its end, and starts the next.
    fn run(&self, job: &Arc<Job>) {
        job.events.start();
        let mut options = job.options.clone();
        if let Some(end) = Moment::now().after(job.time) {
            options = options.deadline(end);
        }
        let work = lock(&job.work).take();
        let report = work
            .map(|work| std::panic::catch_unwind(AssertUnwindSafe(|| work(&options, &job.events))));
        let report = report.and_then(Result::ok).unwrap_or_else(|| Err(Refusal::broken()));
        // The thread is about to end when listeners are notified of the result.
        let mut jobs = lock(&self.jobs);
        jobs.running -= 1;
        let refused = self.start_next(&mut jobs);
        drop(jobs);
        self.refuse(refused);
        self.finish(job, report);
    }

    /// A job by its number.
    pub(crate) fn job(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        let job = lock(&self.jobs).all.get(id).cloned();
        let why = "there is no such job, or it was dropped";
        job.ok_or_else(|| Refusal::new(RefusalKind::NotFound, why))
    }

    /// Stops a job: takes it from the queue, or halts it.
    pub(crate) fn cancel(&self, job: &Job) {
        job.halt();
        let mut jobs = lock(&self.jobs);
        let waiting = jobs.waiting.iter().position(|waiting| waiting.id == job.id);
        let waited = waiting.and_then(|at| jobs.waiting.remove(at));
        if let Some(job) = &waited {
            jobs.leave_queue(job);
        }
        drop(jobs);
        if let Some(job) = waited {
            let says = "cancelled before it started";
            let reason = Some(Sentence::english(says));
            self.finish(&job, Ok(Report { reason, ..Report::undecided(says, Value::Null) }));
        }
    }

    /// Takes no more jobs, stops those there are, and says whether their threads have ended.
    pub(crate) fn close(&self) -> bool {
        let jobs = {
            let mut jobs = lock(&self.jobs);
            jobs.closed = true;
            jobs.all.values().cloned().collect::<Vec<_>>()
        };
        for job in jobs.iter().filter(|job| !job.is_over()) {
            self.cancel(job);
        }
        lock(&self.jobs).running == 0
    }

    /// How many jobs run, and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let jobs = lock(&self.jobs);
        (jobs.running, jobs.waiting.len())
    }

    /// The place of a job in the queue, from 0, if it waits.
    pub(crate) fn position(&self, job: &Job) -> Option<usize> {
        lock(&self.jobs).waiting.iter().position(|waiting| waiting.id == job.id)
    }

    /// How a job stands, as the contract has it.
    pub(crate) fn state(&self, job: &Job) -> Bytes {
        if let Some(result) = job.result() {
            return result;
        }
        let question: Value = serde_json::from_str(&job.question).unwrap_or_default();
        let mut state = json!({ "job": job.id, "question": question });
        match self.position(job) {
            Some(position) if job.events.elapsed().is_none() => {
                state["state"] = "queued".into();
                state["position"] = position.into();
            }
            _ => state["state"] = "running".into(),
        }
        state.to_string().into()
    }

    /// Drops answers that are old or too many.
    pub(crate) fn tidy(&self) {
        lock(&self.jobs).sweep(self.limits.keep);
    }

    /// Does some short work on a thread of its own, as many at a time as there may be jobs. The work is asked to stop when
    /// it takes too long, and when the client has gone.
    pub(crate) async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Fn() -> bool) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let result = Arc::new(Mutex::new(None));
        let (place, time) = (result.clone(), self.limits.time.min(SHORT));
        let waited_for = WaitedFor(Arc::new(AtomicBool::new(true)));
        let still = waited_for.0.clone();
        let work = move || {
            let end = Instant::now() + time;
            let stop = || Instant::now() >= end || !still.load(Ordering::Relaxed);
            *lock(&place) = Some(work(&stop));
        };
        self.short_thread(Box::new(work)).await?;
        drop(waited_for);
        lock(&result).take().unwrap_or_else(|| Err(Refusal::broken()))
    }

    /// Waits for a turn and then until the work is done, or has panicked.
    async fn short_thread(&self, work: Box<dyn FnOnce() + Send>) -> Result<(), Refusal> {
        let turn = self.short_work.clone().acquire_owned().await.map_err(|_| Refusal::broken())?;
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            work();
            let _ = sender.send(()); // the client may have gone
            drop(turn);
        };
        start_thread("short work", Box::new(work))?;
        receiver.await.map_err(|_| Refusal::broken())
    }
}

/// Short work is for a client; when the client goes, this is dropped and says so.
struct WaitedFor(Arc<AtomicBool>);

impl Drop for WaitedFor {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

fn start_thread(name: &str, work: Box<dyn FnOnce() + Send>) -> Result<(), Refusal> {
    let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    thread.spawn(work).map(drop).map_err(|error| {
        Refusal::new(RefusalKind::Unavailable, format!("no thread could be started: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use destrier::internal::Watch;

    use super::*;

    #[test]
    fn a_job_that_is_cancelled_is_waited_for_until_it_is_over() {
        let queue = JobQueue::new(Limits::default());
        let work: Work = Box::new(|options, _| {
            let watch = Watch::new(options);
            while watch.halted().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(Report::undecided("stopped", Value::Null))
        });
        let job = queue.submit(&Value::Null, Bounds::default(), work).expect("there is room");
        assert!(!job.is_over());
        queue.cancel(&job);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(job.over_within(Duration::from_secs(3600)));
        assert!(job.is_over());
    }
}
