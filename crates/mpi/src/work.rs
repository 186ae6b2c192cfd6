//! Work that is distributed: what a rank's threads do with a task, and rank 0's dispatcher of tasks.
//!
//! A rank has room for some tasks; the dispatcher assigns one at a time to the rank with the most room, so that all have
//! some early. An answer makes room again, and may bring more tasks.
//!
//! Invariant: a task that was assigned is out until its answer arrives; the dispatcher is cleared when none is out and
//! none is left.
//! Cost: a look at the room of each rank for every task.

use destrier::internal::distributed::Tasks;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What can be sent to another rank.
pub(crate) trait Sent: Serialize + DeserializeOwned + Send {}

impl<T: Serialize + DeserializeOwned + Send> Sent for T {}

/// How a rank does tasks `T`, whose results are `R`.
pub(crate) struct Work<'w, T, R> {
    /// How many tasks are worked on at a time.
    pub(crate) threads: usize,
    /// How many more tasks wait here, so that no thread waits for a message.
    pub(crate) ahead: usize,
    /// The worker of a thread.
    pub(crate) worker: &'w (dyn Fn() -> Worker<'w, T, R> + Sync),
    /// The bound that ranks share, where there is one.
    pub(crate) bound: Option<Bound<'w>>,
}

/// Does one task after another; a halt is part of the result.
pub(crate) type Worker<'w, T, R> = Box<dyn FnMut(T) -> R + 'w>;

/// A bound that falls, here and on other ranks.
pub(crate) struct Bound<'w> {
    /// The best that is known here.
    pub(crate) best: &'w dyn Fn() -> Option<u32>,
    /// Hears of one from another rank.
    pub(crate) learn: &'w dyn Fn(u32),
}

impl<T, R> Work<'_, T, R> {
    /// How many tasks a rank takes at a time.
    pub(crate) fn room(&self) -> u64 {
        (self.threads + self.ahead) as u64
    }
}

/// The tasks of a phase, in the hands of rank 0.
pub(crate) struct Dispatcher<'d, T, R> {
    tasks: &'d mut dyn Tasks<Task = T, Result = R>,
    /// How many more tasks each rank has room for.
    room: Vec<u64>,
    out: usize,
    /// Is there nothing to deal just now?
    dry: bool,
    enough: bool,
}

impl<'d, T, R> Dispatcher<'d, T, R> {
    pub(crate) fn new(tasks: &'d mut dyn Tasks<Task = T, Result = R>, ranks: usize) -> Self {
        Dispatcher { tasks, room: vec![0; ranks], out: 0, dry: false, enough: false }
    }

    /// A rank is ready, with room for this many tasks.
    pub(crate) fn register(&mut self, rank: usize, room: u64) {
        self.room[rank] += room;
    }

    /// The next task and who gets it; none when no rank has room, nothing is left, or nothing more is to be assigned.
    pub(crate) fn next(&mut self, is_halted: bool) -> Option<(usize, T)> {
        self.dry = is_halted;
        let free = (0..self.room.len()).filter(|&rank| self.room[rank] > 0);
        let to = free.max_by_key(|&rank| self.room[rank])?;
        let task = if is_halted { None } else { self.tasks.next() };
        self.dry = task.is_none();
        let task = task?;
        self.room[to] -= 1;
        self.out += 1;
        Some((to, task))
    }

    /// Takes the result of a rank.
    pub(crate) fn take(&mut self, from: usize, result: R) {
        self.out -= 1;
        self.room[from] += 1;
        self.enough |= self.tasks.enter(result).is_break();
    }

    /// Has an answer ended the phase?
    pub(crate) fn is_enough(&self) -> bool {
        self.enough
    }

    /// Has everything that was assigned been answered, and is nothing left to assign?
    pub(crate) fn is_cleared(&self) -> bool {
        self.dry && self.out == 0
    }
}
