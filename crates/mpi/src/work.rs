//! Work that is distributed: what a rank's threads do with a task, and rank 0's dispatcher of tasks.
//!
//! A rank has room for some tasks; the dispatcher assigns one at a time to the rank with the most room, so that all have
//! some early. An answer makes room again, and may bring more tasks.
//!
//! Invariant: a task that was assigned is out until its answer arrives; the dispatcher is cleared when none is out and
//! none is left.
//! Cost: a look at the room of each rank for every task.

use std::ops::ControlFlow;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Work of one kind, on one rank: what its threads share.
pub trait Work: Sync {
    /// What is distributed.
    type Task: Serialize + DeserializeOwned + Send;
    /// What comes back.
    type Answer: Serialize + DeserializeOwned + Send;
    /// What a thread keeps from task to task.
    type Scratch;

    /// How many tasks are worked on at a time.
    fn threads(&self) -> usize;

    /// How many more tasks wait here, so that no thread waits for a message.
    fn ahead(&self) -> usize {
        0
    }

    /// A thread's scratch.
    fn scratch(&self) -> Self::Scratch;

    /// Does a task. A halt is part of the answer.
    fn work(&self, scratch: &mut Self::Scratch, task: Self::Task) -> Self::Answer;

    /// The best bound that is known here, where there is one to share.
    fn bound(&self) -> Option<u32> {
        None
    }

    /// Hears of a bound from another rank.
    fn learn(&self, _bound: u32) {}
}

/// Rank 0's side of a work: the tasks there are, and what becomes of the answers.
pub trait Source<T: Work> {
    /// The next task; none if there is none now. An answer may bring more.
    fn next(&mut self) -> Option<T::Task>;

    /// Takes an answer from a rank; a break stops everything.
    fn take(&mut self, from: usize, answer: T::Answer) -> ControlFlow<()>;
}

/// How many tasks a rank takes at a time.
pub(crate) fn room<T: Work>(work: &T) -> u64 {
    (work.threads() + work.ahead()) as u64
}

/// The tasks of a phase, in the hands of rank 0.
pub(crate) struct Dispatcher<'d, T: Work> {
    source: &'d mut dyn Source<T>,
    /// How many more tasks each rank has room for.
    room: Vec<u64>,
    out: usize,
    /// Is there nothing to deal just now?
    dry: bool,
    enough: bool,
}

impl<'d, T: Work> Dispatcher<'d, T> {
    pub(crate) fn new(source: &'d mut dyn Source<T>, ranks: usize) -> Dispatcher<'d, T> {
        Dispatcher { source, room: vec![0; ranks], out: 0, dry: false, enough: false }
    }

    /// A rank is ready, with room for this many tasks.
    pub(crate) fn register(&mut self, rank: usize, room: u64) {
        self.room[rank] += room;
    }

    /// The next task and who gets it; none when no rank has room, nothing is left, or nothing more is to be assigned.
    pub(crate) fn next(&mut self, is_halted: bool) -> Option<(usize, T::Task)> {
        self.dry = is_halted;
        let free = (0..self.room.len()).filter(|&rank| self.room[rank] > 0);
        let to = free.max_by_key(|&rank| self.room[rank])?;
        let task = if is_halted { None } else { self.source.next() };
        self.dry = task.is_none();
        let task = task?;
        self.room[to] -= 1;
        self.out += 1;
        Some((to, task))
    }

    /// Takes the answer of a rank.
    pub(crate) fn take(&mut self, from: usize, answer: T::Answer) {
        self.out -= 1;
        self.room[from] += 1;
        self.enough |= self.source.take(from, answer).is_break();
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
