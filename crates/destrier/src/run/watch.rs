//! The limits of one run while it runs, and its progress.
//!
//! A run has one [`Watch`], made from the caller's [`Options`] when it begins. Each thread takes a [`Ticker`] from it
//! and ticks once per node: a local addition that looks at the watch only from time to time.
//!
//! Invariant: once a tick has said halt, every later tick of any ticker of the run says so too.
//! Cost: an addition and a comparison per tick; a look (every 1024 ticks) reads the clock.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::clock::Moment;
use super::options::{Cancel, Listener, Options, Progress, Schedule};
use super::threads::Pool;

/// Why a run stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Halt {
    /// Somebody asked for it.
    Asked,
    /// The time was up.
    Deadline,
    /// The limit on nodes was reached.
    Nodes,
    /// The method has tried all that it tries, which is not everything.
    GaveUp,
    /// The memory it was given is used up.
    Memory,
}

/// One for a run: its limits, and how it stands. Clones share it.
#[derive(Clone)]
pub struct Watch {
    shared: Arc<Shared>,
    deadline: Option<Moment>,
    node_limit: Option<u64>,
    memory: Option<u64>,
    scratch: Option<PathBuf>,
    threads: usize,
    seed: u64,
    thread_limit: Option<Duration>,
    schedule: Schedule,
    cancel: Option<Cancel>,
    listener: Option<Arc<Listener>>,
}

#[derive(Default)]
struct Shared {
    halted: AtomicBool,
    why: Mutex<Option<Halt>>,
    nodes: AtomicU64,
    state: Mutex<Progress>,
    last_told: Mutex<Option<Moment>>,
    /// The threads of the run, started when they are first needed.
    pool: OnceLock<Pool>,
}

/// One for a thread.
#[derive(Debug)]
pub struct Ticker<'w> {
    watch: &'w Watch,
    nodes: u64,
    told: u64,
    next_look: u64,
}

/// Bytes for the program itself, of a limit that is not small.
const PROGRAM: u64 = 16 << 20;

/// Ticks between two looks at the watch.
const STRIDE: u64 = 1024;

/// The time between two reports of nodes alone.
const TELLING: Duration = Duration::from_millis(50);

impl Watch {
    /// Begins a run with these settings: its time starts now.
    #[must_use]
    pub fn new(options: &Options) -> Watch {
        let until = options.time_limit.and_then(|time| Moment::now().after(time));
        Watch {
            shared: Arc::default(),
            deadline: [until, options.deadline].into_iter().flatten().min(),
            node_limit: options.node_limit,
            memory: options.memory,
            scratch: options.scratch.clone(),
            threads: options.threads,
            seed: options.seed,
            thread_limit: options.thread_limit,
            schedule: options.schedule,
            cancel: options.cancel.clone(),
            listener: options.listener.clone(),
        }
    }

    /// A run without limits.
    #[must_use]
    pub fn unlimited() -> Watch {
        Watch::new(&Options::new())
    }

    /// A run that stops at this node.
    #[must_use]
    pub fn halting_at(node: u64) -> Watch {
        Watch::new(&Options::new().node_limit(node))
    }

    /// A run within this one: the same limits, progress and end, but this much memory.
    #[must_use]
    pub fn with_memory(&self, bytes: u64) -> Watch {
        Watch { memory: Some(bytes), ..self.clone() }
    }

    /// The memory that the run may use, in bytes, if that is limited.
    #[must_use]
    pub const fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The folder for what does not fit in memory, if there is one.
    #[must_use]
    pub fn scratch(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }

    /// The bytes that tables may take: the limit, less a part for the program itself.
    #[must_use]
    pub fn room(&self) -> u64 {
        self.memory.map_or(u64::MAX, |memory| memory - (memory / 4).min(PROGRAM))
    }

    /// What is said of a limit on memory that does not do.
    #[must_use]
    pub fn needs(&self, bytes: u64) -> String {
        let allowed = self.memory.unwrap_or(u64::MAX) >> 20;
        format!("it needs at least {} MiB, but {allowed} MiB are allowed", (bytes + PROGRAM) >> 20)
    }

    /// How many threads the run may use, at least 1.
    #[must_use]
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { cores() } else { self.threads }
    }

    /// Runs a job whose work the threads of this run share.
    pub fn on_threads<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        self.pool().within(job)
    }

    /// The threads of this run.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        self.shared.pool.get_or_init(|| Pool::new(self.threads()))
    }

    /// The seed for randomised methods.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// How long each thread of a race may take, if that is limited.
    #[must_use]
    pub const fn thread_limit(&self) -> Option<Duration> {
        self.thread_limit
    }

    /// How the threads of a count by brute force share the starts.
    #[must_use]
    pub const fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// When the run must stop, if a time is set.
    #[must_use]
    pub const fn deadline(&self) -> Option<Moment> {
        self.deadline
    }

    /// Stops the run, from any thread.
    pub fn halt(&self) {
        self.stop(Halt::Asked);
    }

    fn stop(&self, why: Halt) {
        if let Ok(mut first) = self.shared.why.lock() {
            first.get_or_insert(why);
        }
        self.shared.halted.store(true, Ordering::Release);
    }

    /// Why the run should stop, if it should. Reads the clock.
    #[must_use]
    pub fn halted(&self) -> Option<Halt> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            self.stop(Halt::Asked);
        }
        if self.deadline.is_some_and(|deadline| Moment::now() >= deadline) {
            self.stop(Halt::Deadline);
        }
        if !self.shared.halted.load(Ordering::Acquire) {
            return None;
        }
        self.shared.why.lock().ok().and_then(|why| *why)
    }

    /// Nodes counted so far by tickers that have looked or ended.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Has some time gone by since the listener last heard of nodes? Then the next one waits again.
    fn is_time_to_tell(&self) -> bool {
        let Ok(mut last) = self.shared.last_told.try_lock() else { return false };
        let now = Moment::now();
        let due = last.is_none_or(|last| now.since(last) >= TELLING);
        if due {
            *last = Some(now);
        }
        due
    }

    /// Changes the progress and passes it to the listener.
    pub fn tell(&self, change: impl FnOnce(&mut Progress)) {
        let Some(listener) = &self.listener else { return };
        let told = self.shared.state.lock().ok().map(|mut state| {
            change(&mut state);
            state.nodes = self.nodes();
            state.clone()
        });
        if let Some(told) = told {
            listener(&told);
        }
    }

    /// Tells the user something about the files of the run.
    pub fn note(&self, note: String) {
        self.tell(|progress| progress.notes.push(note));
    }

    /// A ticker for one thread.
    #[must_use]
    pub fn ticker(&self) -> Ticker<'_> {
        let mut ticker = Ticker { watch: self, nodes: 0, told: 0, next_look: 0 };
        ticker.plan_look();
        ticker
    }
}

impl Ticker<'_> {
    /// One node more.
    ///
    /// # Errors
    /// When the run should stop.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes >= self.next_look { self.look() } else { Ok(()) }
    }

    /// Looks at the watch now: for methods whose nodes take long.
    ///
    /// # Errors
    /// When the run should stop.
    pub fn check(&mut self) -> Result<(), Halt> {
        self.look()
    }

    /// The nodes of this ticker so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The watch this ticker belongs to.
    #[must_use]
    pub const fn watch(&self) -> &Watch {
        self.watch
    }

    #[cold]
    fn look(&mut self) -> Result<(), Halt> {
        let fresh = self.nodes - self.told;
        let nodes = self.watch.shared.nodes.fetch_add(fresh, Ordering::Relaxed) + fresh;
        self.told = self.nodes;
        if self.watch.node_limit.is_some_and(|limit| nodes >= limit) {
            self.watch.stop(Halt::Nodes);
        }
        if self.watch.listener.is_some() && self.watch.is_time_to_tell() {
            self.watch.tell(|_| {});
        }
        self.plan_look();
        self.watch.halted().map_or(Ok(()), Err)
    }

    /// The next look comes after a stride, or sooner where the node limit lies.
    fn plan_look(&mut self) {
        let limit = self.watch.node_limit.unwrap_or(u64::MAX);
        let left = limit.saturating_sub(self.watch.nodes()).clamp(1, STRIDE);
        self.next_look = self.nodes + left;
    }
}

impl Drop for Ticker<'_> {
    fn drop(&mut self) {
        self.watch.shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("deadline", &self.deadline)
            .field("node_limit", &self.node_limit)
            .field("memory", &self.memory)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Halt::Asked => "stopped on request",
            Halt::Deadline => "the time limit was reached",
            Halt::Nodes => "the node limit was reached",
            Halt::GaveUp => "the method gave up; it does not try everything",
            Halt::Memory => "the memory limit was reached",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_halts_at_the_node_it_was_told() {
        for limit in [1, 2, 1023, 1024, 1025, 5000] {
            let watch = Watch::halting_at(limit);
            let mut ticker = watch.ticker();
            let halted = (1..=1 << 20).find(|_| ticker.tick().is_err());
            assert_eq!(halted, Some(limit));
            assert_eq!(watch.ticker().tick(), Err(Halt::Nodes), "a halt lasts");
        }
    }

    #[test]
    fn a_halt_reaches_every_clone() {
        let watch = Watch::unlimited();
        watch.clone().halt();
        let mut ticker = watch.ticker();
        let nodes = (1..=1 << 20).find(|_| ticker.tick().is_err());
        assert_eq!((nodes, watch.halted()), (Some(STRIDE), Some(Halt::Asked)));
    }

    #[test]
    fn a_passed_deadline_halts_and_a_cancelled_run_does() {
        let ended = Options::new().time_limit(Duration::ZERO);
        assert_eq!(Watch::new(&ended).halted(), Some(Halt::Deadline));
        let cancel = Cancel::new();
        let options = Options::new().time_limit(Duration::from_secs(3600)).cancel(&cancel);
        let watch = Watch::new(&options);
        assert_eq!(watch.halted(), None);
        cancel.now();
        assert_eq!(watch.halted(), Some(Halt::Asked));
        assert_eq!(Watch::new(&Options::new()).halted(), None, "the next run is another");
    }
}
