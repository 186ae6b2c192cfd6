//! The desk: jobs wait in a queue, run on threads of their own, and are kept for a while when done.
//!
//! A job is a question with a [`Watch`]. So many run at a time; each gets a plain thread when its turn comes, and
//! the thread ends with the job, so nothing is left behind. Cancelling takes a job from the queue or halts its watch.
//! What came of a job is kept as text, for a time and up to a number of bytes in all.
//!
//! Invariant: as many threads run as `running` says, never more than `Limits::jobs`; a job ends exactly once.
//! Cost: a lock for each change; a thread costs some 20 µs to begin.

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use destrier::Watch;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::ask::Bounds;
use crate::live::{Live, lock};
use crate::refusal::Refusal;

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
        }
    }
}

/// Bytes of answers that are kept.
const MOST_KEPT: usize = 128 << 20;
/// The stack of a job's thread: searches go as deep as the board has squares.
const STACK: usize = 64 << 20;
/// How long a job without listeners goes on, once it had one.
const GRACE: Duration = Duration::from_secs(2);

/// What came of a job.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) outcome: &'static str,
    pub(crate) says: String,
    pub(crate) certificate: Value,
    pub(crate) answer: Value,
    pub(crate) effort: Value,
}

/// The work of a job, on a thread of its own.
pub(crate) type Work = Box<dyn FnOnce(&Watch, &Live) -> Result<Report, Refusal> + Send>;

/// One job.
pub(crate) struct Job {
    pub(crate) id: String,
    question: Value,
    pub(crate) live: Arc<Live>,
    watch: Watch,
    time: Duration,
    work: Mutex<Option<Work>>,
    cancelled: AtomicBool,
    listeners: AtomicUsize,
    end: Mutex<Option<End>>,
}

/// How a job ended.
#[derive(Clone)]
struct End {
    at: Instant,
    text: Arc<str>,
    refusal: Option<Refusal>,
}

#[derive(Default)]
struct Jobs {
    all: HashMap<String, Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    running: usize,
    closed: bool,
}

/// All jobs; clones share them.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) limits: Limits,
    jobs: Arc<Mutex<Jobs>>,
    asides: Arc<tokio::sync::Semaphore>,
}

impl Desk {
    pub(crate) fn new(limits: Limits) -> Desk {
        let asides = Arc::new(tokio::sync::Semaphore::new(limits.jobs.max(1)));
        Desk { limits, jobs: Arc::default(), asides }
    }

    /// Takes a job on, or says that the queue is full.
    pub(crate) fn submit(
        &self,
        question: Value,
        bounds: Bounds,
        work: Work,
    ) -> Result<Arc<Job>, Refusal> {
        let live = Arc::new(Live::new());
        let told = live.clone();
        let mut watch = Watch::unlimited()
            .with_memory(Some(self.limits.memory))
            .with_threads(
                bounds.threads.unwrap_or(self.limits.threads).clamp(1, self.limits.threads),
            )
            .with_seed(bounds.seed)
            .telling(move |progress| told.progress(progress));
        if let Some(nodes) = bounds.nodes {
            watch = watch.with_node_limit(nodes);
        }
        let job = Arc::new(Job {
            id: number()?,
            question,
            live,
            watch,
            time: bounds.time.unwrap_or(self.limits.time).min(self.limits.time),
            work: Mutex::new(Some(work)),
            cancelled: AtomicBool::new(false),
            listeners: AtomicUsize::new(0),
            end: Mutex::new(None),
        });
        let mut jobs = lock(&self.jobs);
        if jobs.closed {
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is ending"));
        }
        if jobs.running >= self.limits.jobs && jobs.waiting.len() >= self.limits.queue {
            let why = format!(
                "{} jobs run and {} wait; that is all this server takes",
                jobs.running,
                jobs.waiting.len()
            );
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, why));
        }
        jobs.all.insert(job.id.clone(), job.clone());
        jobs.waiting.push_back(job.clone());
        self.sweep(&mut jobs);
        self.begin_next(&mut jobs);
        Ok(job)
    }

    /// Begins jobs while there is room.
    fn begin_next(&self, jobs: &mut Jobs) {
        while jobs.running < self.limits.jobs {
            let Some(job) = jobs.waiting.pop_front() else { return };
            let (desk, begun) = (self.clone(), job.clone());
            let thread = std::thread::Builder::new().name("job".to_owned()).stack_size(STACK);
            match thread.spawn(move || desk.run(&begun)) {
                Ok(_) => jobs.running += 1,
                Err(error) => job.finish(Err(Refusal::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    format!("no thread could be begun: {error}"),
                ))),
            }
        }
    }

    /// Runs a job to its end, and begins the next.
    fn run(&self, job: &Job) {
        job.live.begin();
        let watch = job.watch.clone().with_deadline(Instant::now().checked_add(job.time));
        let work = lock(&job.work).take();
        let report =
            work.map(|work| std::panic::catch_unwind(AssertUnwindSafe(|| work(&watch, &job.live))));
        let report = report.and_then(Result::ok).unwrap_or_else(|| Err(Refusal::broken()));
        // The thread is as good as gone when the last listener hears of the end.
        let mut jobs = lock(&self.jobs);
        jobs.running -= 1;
        self.begin_next(&mut jobs);
        drop(jobs);
        job.finish(report);
    }

    /// A job by its number.
    pub(crate) fn job(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        let job = lock(&self.jobs).all.get(id).cloned();
        job.ok_or_else(|| {
            Refusal::new(StatusCode::NOT_FOUND, "there is no such job, or it was dropped")
        })
    }

    /// Stops a job: takes it from the queue, or halts it.
    pub(crate) fn cancel(&self, job: &Job) {
        job.cancelled.store(true, Ordering::SeqCst);
        job.watch.halt();
        let mut jobs = lock(&self.jobs);
        let waiting = jobs.waiting.iter().position(|waiting| waiting.id == job.id);
        let waited = waiting.and_then(|at| jobs.waiting.remove(at));
        drop(jobs);
        if let Some(job) = waited {
            job.finish(Ok(Report {
                outcome: "undecided",
                says: "cancelled before it began".to_owned(),
                certificate: Value::Null,
                answer: Value::Null,
                effort: Value::Null,
            }));
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
    pub(crate) fn standing(&self, job: &Job) -> Arc<str> {
        if let Some(end) = lock(&job.end).as_ref() {
            return end.text.clone();
        }
        let mut told = json!({ "job": job.id, "question": job.question });
        match self.position(job) {
            Some(position) if job.live.begun().is_none() => {
                told["state"] = "queued".into();
                told["position"] = position.into();
            }
            _ => told["state"] = "running".into(),
        }
        told.to_string().into()
    }

    /// Drops answers that are old or too many.
    pub(crate) fn tidy(&self) {
        self.sweep(&mut lock(&self.jobs));
    }

    fn sweep(&self, jobs: &mut Jobs) {
        let mut ended: Vec<(Instant, usize, String)> = jobs
            .all
            .values()
            .filter_map(|job| {
                lock(&job.end).as_ref().map(|end| (end.at, end.text.len(), job.id.clone()))
            })
            .collect();
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
    pub(crate) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _turn = self.asides.clone().acquire_owned().await.map_err(|_| Refusal::broken())?;
        let (sender, receiver) = oneshot::channel();
        let thread = std::thread::Builder::new().name("aside".to_owned()).stack_size(STACK);
        let begun = thread.spawn(move || {
            let _ = sender.send(work()); // the client may have gone
        });
        begun.map_err(|error| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error))?;
        receiver.await.map_err(|_| Refusal::broken())?
    }
}

/// 128 bits of chance in hex: nobody guesses the number of another's job.
fn number() -> Result<String, Refusal> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|_| Refusal::broken())?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

impl Job {
    /// Has it ended?
    pub(crate) fn is_over(&self) -> bool {
        lock(&self.end).is_some()
    }

    /// Why it was refused, if it was.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        lock(&self.end).as_ref().and_then(|end| end.refusal.clone())
    }

    fn finish(&self, report: Result<Report, Refusal>) {
        let mut told = json!({ "job": self.id, "question": self.question });
        let cancelled = self.cancelled.load(Ordering::SeqCst);
        let refusal = match report {
            Ok(report) => {
                let stopped = cancelled && report.outcome == "undecided";
                told["state"] = if stopped { "cancelled" } else { "done" }.into();
                told["outcome"] = report.outcome.into();
                told["says"] = report.says.into();
                for (name, value) in [
                    ("certificate", report.certificate),
                    ("answer", report.answer),
                    ("effort", report.effort),
                ] {
                    if !value.is_null() {
                        told[name] = value;
                    }
                }
                if let (Some(begun), Some(effort)) = (self.live.begun(), told.get_mut("effort")) {
                    effort["elapsed_ms"] =
                        u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX).into();
                }
                None
            }
            Err(refusal) => {
                told["state"] = "failed".into();
                if let (Value::Object(told), Value::Object(why)) = (&mut told, refusal.json()) {
                    told.extend(why);
                }
                Some(refusal)
            }
        };
        *lock(&self.end) = Some(End { at: Instant::now(), text: told.to_string().into(), refusal });
        self.live.tell();
    }

    /// Waits until it is over, or for this time.
    pub(crate) async fn over_within(&self, time: Duration) {
        let mut news = self.live.news();
        let over = async {
            while !self.is_over() {
                if news.changed().await.is_err() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(time, over).await;
    }
}

/// One who listens to a job; when the last one goes, the job is stopped after a while.
pub(crate) struct Listener {
    desk: Desk,
    pub(crate) job: Arc<Job>,
}

impl Listener {
    pub(crate) fn new(desk: Desk, job: Arc<Job>) -> Listener {
        job.listeners.fetch_add(1, Ordering::SeqCst);
        Listener { desk, job }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let last = self.job.listeners.fetch_sub(1, Ordering::SeqCst) == 1;
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if !last || self.job.is_over() {
            return;
        }
        let (desk, job) = (self.desk.clone(), self.job.clone());
        runtime.spawn(async move {
            tokio::time::sleep(GRACE).await;
            if job.listeners.load(Ordering::SeqCst) == 0 && !job.is_over() {
                desk.cancel(&job);
            }
        });
    }
}
