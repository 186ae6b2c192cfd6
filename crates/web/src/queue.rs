//! The queue of jobs: they wait, run on threads of their own, and are kept for a while when done.
//!
//! So many run at a time; each gets a plain thread when its turn comes, and the thread ends with the job, so nothing is
//! left behind. Cancelling takes a job from the queue or stops its run. What came of a job is kept as text, for a time
//! and up to a number of bytes in all.
//!
//! Invariant: as many threads run as `running` says, never more than `Limits::jobs`; a job ends exactly once.
//! Cost: a lock for each change; starting a thread takes some 20 µs.

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use destrier::Moment;
use destrier_ask::{Bounds, Refusal, RefusalKind, Report};
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
            questions: destrier_ask::Limits::default(),
        }
    }
}

/// Bytes of answers that are kept.
const MOST_KEPT: usize = 128 << 20;
/// The stack of a job's thread: searches go as deep as the board has squares.
const STACK: usize = 64 << 20;

#[derive(Default)]
struct Jobs {
    all: HashMap<String, Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    running: usize,
    closed: bool,
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
        let short_work = Arc::new(tokio::sync::Semaphore::new(limits.jobs.max(1)));
        JobQueue { limits, jobs: Arc::default(), short_work }
    }

    /// Accepts a job, or says that the queue is full.
    pub(crate) fn submit(
        &self,
        question: Value,
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
        jobs.all.insert(job.id.clone(), job.clone());
        jobs.waiting.push_back(job.clone());
        self.sweep(&mut jobs);
        self.start_next(&mut jobs);
        Ok(job)
    }

    /// Starts jobs while there is room.
    fn start_next(&self, jobs: &mut Jobs) {
        while jobs.running < self.limits.jobs {
            let Some(job) = jobs.waiting.pop_front() else { return };
            let (queue, started) = (self.clone(), job.clone());
            match start_thread("job", Box::new(move || queue.run(&started))) {
                Ok(()) => jobs.running += 1,
                Err(refusal) => job.finish(Err(refusal)),
            }
        }
    }

    /// Runs a job to its end, and starts the next.
    fn run(&self, job: &Job) {
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
        self.start_next(&mut jobs);
        drop(jobs);
        job.finish(report);
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
        drop(jobs);
        if let Some(job) = waited {
            job.finish(Ok(Report::undecided("cancelled before it started", Value::Null)));
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
    fn position(&self, job: &Job) -> Option<usize> {
        lock(&self.jobs).waiting.iter().position(|waiting| waiting.id == job.id)
    }

    /// How a job stands, as the contract has it.
    pub(crate) fn state(&self, job: &Job) -> Arc<str> {
        if let Some(result) = job.result() {
            return result;
        }
        let mut state = json!({ "job": job.id, "question": job.question });
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
        self.sweep(&mut lock(&self.jobs));
    }

    fn sweep(&self, jobs: &mut Jobs) {
        let ended = jobs.all.values().filter_map(|job| {
            let (at, bytes) = job.ended()?;
            Some((at, bytes, job.id.clone()))
        });
        let mut ended: Vec<(Instant, usize, String)> = ended.collect();
        ended.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
        let mut kept = 0;
        for (at, bytes, id) in ended {
            kept += bytes + 1024;
            if kept > MOST_KEPT || at.elapsed() > self.limits.keep {
                jobs.all.remove(&id);
            }
        }
    }

    /// Does some short work on a thread of its own, as many at a time as there may be jobs.
    pub(crate) async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let result = Arc::new(Mutex::new(None));
        let place = result.clone();
        self.short_thread(Box::new(move || *lock(&place) = Some(work()))).await?;
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

fn start_thread(name: &str, work: Box<dyn FnOnce() + Send>) -> Result<(), Refusal> {
    let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    thread.spawn(work).map(drop).map_err(|error| {
        Refusal::new(RefusalKind::Unavailable, format!("no thread could be started: {error}"))
    })
}
