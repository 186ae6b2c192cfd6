//! What rank 0 asks of the others, and how each rank sets itself up for it.
//!
//! Jobs are sent as JSON, as questions are; there are few of them. Threads and memory are counted by rank: what the
//! user gave, or this rank's share of its machine.

use std::sync::atomic::{AtomicUsize, Ordering};

use destrier::internal::distributed::Broadcast;
use destrier::internal::{Watch, memory};
use destrier::{Cancel, Distance, Options, Parallel, Progress};
use destrier_rules::{CaptureProblem, SwapProblem, TourProblem};
use serde::{Deserialize, Serialize};

use crate::rank::Rank;
use crate::{capture, count, enumerate, swap};

/// A job, and what every rank may use for it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    /// What each rank may use.
    pub setup: Setup,
    /// What is to be done.
    pub job: Job,
}

/// What a rank may use.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// Threads, if the user gave a number.
    pub threads: Option<usize>,
    /// Bytes, if the user gave a limit.
    pub memory: Option<u64>,
    /// Ranks on the same machine; 0 if that is not known.
    pub neighbours: usize,
    /// Does rank 0 deal tasks and do none?
    pub master_slave: bool,
}

/// What is to be done.
#[derive(Debug, Serialize, Deserialize)]
pub enum Job {
    /// Work out slices of a count.
    Slices(TourProblem),
    /// Compute a whole count together, in at least this many parts.
    Together(TourProblem, usize),
    /// Count parts by brute force.
    Force(TourProblem, count::Force),
    /// Search branches of the textbook's tree, up to a limit.
    Textbook(CaptureProblem, Distance, Parallel, u32),
    /// Refute cases for the exact solver.
    Cases(CaptureProblem, Broadcast),
    /// Search from both ends together when that is announced, with files in a folder if there is one.
    Swap(SwapProblem, Option<String>),
    /// Write tours.
    List(enumerate::Request),
}

impl Setup {
    /// The number of computing threads of this rank.
    #[must_use]
    pub fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // A rank that is bound to some cores has them to itself.
        let is_bound = all_cores().is_some_and(|all| cores < all);
        let share = if is_bound { cores } else { cores / self.neighbours.max(1) };
        self.threads.unwrap_or(share).max(1)
    }

    /// The memory of this rank: what was given, or its share of what is free.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let share = |free: u64| free / self.neighbours as u64;
        self.memory.or_else(|| memory::free().filter(|_| self.neighbours > 1).map(share))
    }

    /// Options for this rank; limits of time are up to rank 0.
    #[must_use]
    pub fn options(&self) -> Options {
        let options = Options::new().threads(self.threads());
        match self.memory() {
            Some(bytes) => options.memory(bytes),
            None => options,
        }
    }
}

/// How many cores the machine has, bound to or not, from Linux.
fn all_cores() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    Some(text.lines().filter(|line| line.starts_with("processor")).count())
}

/// Prints what a rank has to say about its files, each note once.
fn print_notes(rank: usize) -> impl Fn(&Progress) + Send + Sync {
    let printed = AtomicUsize::new(0);
    move |progress| {
        let before = printed.fetch_max(progress.notes.len(), Ordering::Relaxed);
        for note in progress.notes.iter().skip(before) {
            eprintln!("destrier-mpi: rank {rank}: {note}");
        }
    }
}

/// Does the jobs that rank 0 announces, until the run is over. `neighbours` is the number of ranks on this
/// machine, and `on_cancel` gets the handle that stops each job, so that a signal can use it.
///
/// # Panics
/// When rank 0 runs another program.
pub fn serve(mut rank: Rank, neighbours: usize, on_cancel: &dyn Fn(&Cancel)) {
    while let Some(text) = rank.next_job() {
        let order: Order = serde_json::from_str(&text).unwrap_or_else(|error| {
            panic!(
                "rank 0 asks for something unknown ({error}); do all ranks run the same program?"
            )
        });
        let setup = Setup { neighbours, ..order.setup };
        let cancel = Cancel::new();
        on_cancel(&cancel);
        let options = setup.options().cancel(&cancel).on_progress(print_notes(rank.rank()));
        rank.set_watch(Watch::new(&options));
        match order.job {
            Job::Slices(question) => count::work_out_slices(&mut rank, &question),
            Job::Together(question, parts) => count::help_together(&mut rank, &question, parts),
            Job::Force(question, force) => count::count_parts(&mut rank, &question, &force),
            Job::Textbook(problem, distance, parallel, limit) => {
                capture::search_branches(&mut rank, &problem, distance, parallel, limit);
            }
            Job::Cases(problem, broadcast) => capture::refute_cases(&mut rank, &problem, broadcast),
            Job::Swap(problem, folder) => swap::join_in(&mut rank, &problem, folder.as_deref()),
            Job::List(request) => enumerate::write_pieces(&mut rank, &request),
        }
    }
}
