//! Who may stop a run, and who hears how it goes.
//!
//! A run has one [`Watch`]: a deadline, a limit on nodes, a halt that anyone may call, and a listener
//! for progress. Each thread takes a [`Ticker`] from it and nodes it once a node: a local addition that
//! looks at the watch only now and then.
//!
//! Invariant: once a tick has said halt, every later tick of any ticker says so too.
//! Cost: an addition and a compare a tick; a look (every 1024 nodes) reads the clock.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

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

/// How a run stands.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Nodes or states looked at so far.
    pub nodes: u64,
    /// The part that is done, from 0 to 1, where it is known.
    pub fraction: Option<f64>,
    /// The cost of the best solution so far.
    pub best: Option<u64>,
    /// What any solution must cost.
    pub bound: Option<u64>,
}

type Listener = dyn Fn(&Progress) + Send + Sync;

/// One for a run; clones share it.
#[derive(Clone)]
pub struct Watch {
    shared: Arc<Shared>,
    deadline: Option<Instant>,
    node_limit: Option<u64>,
    memory: Option<u64>,
    threads: usize,
    seed: u64,
    listener: Option<Arc<Listener>>,
}

#[derive(Default)]
struct Shared {
    halted: AtomicBool,
    why: Mutex<Option<Halt>>,
    nodes: AtomicU64,
    state: Mutex<Progress>,
    last_told: Mutex<Option<Instant>>,
    /// The threads of the run while work is shared out on them; they end with it.
    pool: Mutex<Weak<Pool>>,
}

/// One for a thread.
#[derive(Debug)]
pub struct Ticker<'w> {
    watch: &'w Watch,
    nodes: u64,
    told: u64,
    next_look: u64,
}

/// Beats between two looks at the watch.
const STRIDE: u64 = 1024;

/// The time between two tellings of nodes alone.
const TELLING: Duration = Duration::from_millis(50);

impl Watch {
    /// No limits: it ends when it ends.
    #[must_use]
    pub fn unlimited() -> Watch {
        Watch {
            shared: Arc::default(),
            deadline: None,
            node_limit: None,
            memory: None,
            threads: 0,
            seed: 0,
            listener: None,
        }
    }

    /// Stops at this time.
    #[must_use]
    pub fn until(deadline: Instant) -> Watch {
        Watch { deadline: Some(deadline), ..Watch::unlimited() }
    }

    /// Stops after this time.
    #[must_use]
    pub fn within(time: Duration) -> Watch {
        Watch { deadline: Instant::now().checked_add(time), ..Watch::unlimited() }
    }

    /// Stops at this tick exactly; for tests of stopping, and for limits on nodes.
    #[must_use]
    pub fn halting_at(tick: u64) -> Watch {
        Watch::unlimited().with_node_limit(tick)
    }

    /// The same watch with a limit on nodes. With several threads it is met within a stride of each.
    #[must_use]
    pub fn with_node_limit(self, nodes: u64) -> Watch {
        Watch { node_limit: Some(nodes), ..self }
    }

    /// The same watch with a deadline.
    #[must_use]
    pub fn with_deadline(self, deadline: Option<Instant>) -> Watch {
        Watch { deadline, ..self }
    }

    /// The same watch with a limit on memory, in bytes.
    #[must_use]
    pub fn with_memory(self, bytes: Option<u64>) -> Watch {
        Watch { memory: bytes, ..self }
    }

    /// The same watch for this many threads; 0 for as many as there are cores.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Watch {
        Watch { threads, ..self }
    }

    /// The same watch with a seed for methods that try their luck.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Watch {
        Watch { seed, ..self }
    }

    /// The same watch with somebody who hears of progress, from any thread, some times a second.
    #[must_use]
    pub fn telling(self, listener: impl Fn(&Progress) + Send + Sync + 'static) -> Watch {
        Watch { listener: Some(Arc::new(listener)), ..self }
    }

    /// The memory that the run may use, in bytes, if that is limited.
    #[must_use]
    pub const fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// How many threads the run may use, at least 1.
    #[must_use]
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { cores() } else { self.threads }
    }

    /// Runs a job whose work the threads of this run share.
    pub fn on_threads<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        let pool = {
            let mut shared = self.shared.pool.lock().unwrap_or_else(PoisonError::into_inner);
            shared.upgrade().unwrap_or_else(|| {
                let pool = Arc::new(Pool::new(self.threads()));
                *shared = Arc::downgrade(&pool);
                pool
            })
        };
        pool.within(job)
    }

    /// The seed for methods that try their luck.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// When the run must stop, if a time is set.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
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
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
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
        let now = Instant::now();
        let due = last.is_none_or(|last| now.duration_since(last) >= TELLING);
        if due {
            *last = Some(now);
        }
        due
    }

    /// Changes what listeners are told, and tells them.
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
    fn a_watch_halts_at_the_beat_it_was_told() {
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
    fn a_passed_deadline_halts() {
        assert_eq!(Watch::until(Instant::now()).halted(), Some(Halt::Deadline));
        assert_eq!(Watch::within(Duration::from_secs(3600)).halted(), None);
    }
}
