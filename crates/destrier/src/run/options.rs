//! What a run may use, who may stop it, and who hears how it goes: three things, none of which outlives its purpose.
//!
//! [`Options`] are plain settings that serve any number of runs. A [`Cancel`] is a handle for another thread. Progress
//! goes to a function of the caller's.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::clock::Moment;

/// How a run stands.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Nodes or states looked at so far.
    pub nodes: u64,
    /// The part that is done, from 0 to 1, where it is known.
    pub fraction: Option<f64>,
    /// Which part of the whole work this run is, from 1, and of how many; see [`Options::part`].
    pub part: Option<(usize, usize)>,
    /// The cost of the best solution so far.
    pub best: Option<u64>,
    /// What any solution must cost.
    pub bound: Option<u64>,
    /// What the user should know of files that the run found, in the order in which it found them.
    pub notes: Vec<String>,
}

pub(super) type Listener = dyn Fn(&Progress) + Send + Sync;

/// How the threads of a count by brute force share the squares that walks start from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Schedule {
    /// In many beginnings of walks, so that all threads end together.
    #[default]
    Parts,
    /// Each thread has its squares from the first moment on, as many as the others, as one range.
    Static,
    /// Each square is a task; a thread that is done takes the next.
    Task,
}

/// Settings for runs.
///
/// ```
/// use std::time::Duration;
/// use destrier::{Cancel, Options};
///
/// let cancel = Cancel::new();
/// let options = Options::new().threads(2).time_limit(Duration::from_secs(5)).cancel(&cancel);
/// ```
#[derive(Clone, Default)]
pub struct Options {
    pub(super) threads: usize,
    pub(super) memory: Option<u64>,
    pub(super) seed: u64,
    pub(super) node_limit: Option<u64>,
    pub(super) time_limit: Option<Duration>,
    pub(super) deadline: Option<Moment>,
    pub(super) thread_limit: Option<Duration>,
    pub(super) schedule: Schedule,
    pub(super) cancel: Option<Cancel>,
    pub(super) listener: Option<Arc<Listener>>,
    journal: Option<PathBuf>,
    cache: Option<PathBuf>,
    pub(super) scratch: Option<PathBuf>,
}

impl Options {
    /// No limits, as many threads as there are cores, the seed 0.
    #[must_use]
    pub fn new() -> Options {
        Options::default()
    }

    /// With this many threads; 0 for as many as there are cores.
    #[must_use]
    pub fn threads(self, threads: usize) -> Options {
        Options { threads, ..self }
    }

    /// With at most this many bytes of memory.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Options {
        Options { memory: Some(bytes), ..self }
    }

    /// With this seed for randomised methods.
    #[must_use]
    pub fn seed(self, seed: u64) -> Options {
        Options { seed, ..self }
    }

    /// Stops each run after this many nodes. With several threads the limit is met within 1024 nodes of each.
    #[must_use]
    pub fn node_limit(self, nodes: u64) -> Options {
        Options { node_limit: Some(nodes), ..self }
    }

    /// Stops each run after so much time.
    #[must_use]
    pub fn time_limit(self, time: Duration) -> Options {
        Options { time_limit: Some(time), ..self }
    }

    /// Stops all runs at this moment: one limit for several runs.
    #[must_use]
    pub fn deadline(self, moment: Moment) -> Options {
        Options { deadline: Some(moment), ..self }
    }

    /// Stops each thread of a race after so much time of its own (finding a tour only).
    #[must_use]
    pub fn thread_limit(self, time: Duration) -> Options {
        Options { thread_limit: Some(time), ..self }
    }

    /// Shares the squares that walks start from so (counting by brute force only).
    #[must_use]
    pub fn schedule(self, schedule: Schedule) -> Options {
        Options { schedule, ..self }
    }

    /// Lets the holder of this handle stop the runs.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> Options {
        Options { cancel: Some(cancel.clone()), ..self }
    }

    /// Reports progress to this function, from any thread, some times a second.
    #[must_use]
    pub fn on_progress(self, listener: impl Fn(&Progress) + Send + Sync + 'static) -> Options {
        Options { listener: Some(Arc::new(listener)), ..self }
    }

    /// The run is one part of a larger piece of work, from 1, and its progress says so.
    #[must_use]
    pub fn part(self, part: usize, parts: usize) -> Options {
        let Some(listener) = self.listener.clone() else { return self };
        self.on_progress(move |progress| {
            listener(&Progress { part: Some((part, parts)), ..progress.clone() });
        })
    }

    /// Keeps the finished parts of a long count in this folder, and resumes from there (counting only).
    #[must_use]
    pub fn journal(self, folder: impl Into<PathBuf>) -> Options {
        Options { journal: Some(folder.into()), ..self }
    }

    /// Keeps the tables of a census in this folder for the next time (sampling, ranking and unranking only).
    #[must_use]
    pub fn cache(self, folder: impl Into<PathBuf>) -> Options {
        Options { cache: Some(folder.into()), ..self }
    }

    /// Keeps what does not fit in memory in this folder, and resumes from there (swaps only).
    #[must_use]
    pub fn scratch(self, folder: impl Into<PathBuf>) -> Options {
        Options { scratch: Some(folder.into()), ..self }
    }

    pub(crate) const fn most_nodes(&self) -> Option<u64> {
        self.node_limit
    }

    pub(crate) fn cache_folder(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    /// The folder that keeps the finished parts of a long count.
    #[must_use]
    pub fn journal_folder(&self) -> Option<&Path> {
        self.journal.as_deref()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .field("seed", &self.seed)
            .field("node_limit", &self.node_limit)
            .field("time_limit", &self.time_limit)
            .finish_non_exhaustive()
    }
}

/// Stops the runs that were given it. Clones stop the same runs.
///
/// A handle that has been used stays used: take a new one for the next run.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A handle that has not been used.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops the runs, from any thread.
    pub fn now(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Has it been used?
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
