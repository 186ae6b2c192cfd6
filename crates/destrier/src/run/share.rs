//! What workers share, be they threads of one process or ranks of many: tasks, and exchanges.
//!
//! Tasks are independent: whoever is idle gets the next one, and what comes of it goes back to where the tasks come
//! from. Exchanges are made by all peers together, in the same order. [`work_off`](super::threads::work_off) does
//! tasks on threads, `destrier-mpi` on ranks; ranks of MPI are peers, and threads stand in for them in tests.
//!
//! Invariant: whether a task is done by a thread or by a rank, and by which, does not matter for the answer.

use std::ops::ControlFlow;

/// Tasks that workers do, whoever they are; results may bring forth others.
pub trait Tasks {
    /// What a worker does at a time.
    type Task;
    /// What comes of it.
    type Result;

    /// The next task; none if those at work must bring some forth first, or all is done.
    fn next(&mut self) -> Option<Self::Task>;

    /// Takes the result of a task; after a break no further task is begun.
    fn enter(&mut self, result: Self::Result) -> ControlFlow<()>;
}

/// The processes that work together, as one of them sees them.
pub trait Peers: Send {
    /// How many they are.
    fn size(&self) -> usize;

    /// Which of them this one is.
    fn rank(&self) -> usize;

    /// Gives each its share and gets one from each, in order of rank; all do this together.
    fn exchange(&mut self, shares: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Tells all the same and hears from each, in order of rank; all do this together.
    fn share(&mut self, own: Vec<u8>) -> Vec<Vec<u8>>;
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Peers;
    use std::sync::{Barrier, Mutex};

    /// A thread among others, with a table on which all lay their shares.
    struct Seat<'t> {
        rank: usize,
        table: &'t [Mutex<Vec<Vec<u8>>>],
        round: &'t Barrier,
    }

    impl Peers for Seat<'_> {
        fn size(&self) -> usize {
            self.table.len()
        }

        fn rank(&self) -> usize {
            self.rank
        }

        fn exchange(&mut self, shares: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
            *self.table[self.rank].lock().expect("nobody panics") = shares;
            self.round.wait();
            let mine = |from: &Mutex<Vec<Vec<u8>>>| {
                std::mem::take(&mut from.lock().expect("nobody panics")[self.rank])
            };
            let shares = self.table.iter().map(mine).collect();
            self.round.wait();
            shares
        }

        fn share(&mut self, own: Vec<u8>) -> Vec<Vec<u8>> {
            self.exchange(vec![own; self.size()])
        }
    }

    /// Runs peers on threads; gives what each returned.
    pub(crate) fn team<R: Send>(size: usize, run: impl Fn(&mut dyn Peers) -> R + Sync) -> Vec<R> {
        let table: Vec<Mutex<Vec<Vec<u8>>>> = (0..size).map(|_| Mutex::default()).collect();
        let round = Barrier::new(size);
        std::thread::scope(|scope| {
            let seats: Vec<_> = (0..size)
                .map(|rank| {
                    let (table, round, run) = (&table[..], &round, &run);
                    scope.spawn(move || run(&mut Seat { rank, table, round }))
                })
                .collect();
            seats.into_iter().map(|seat| seat.join().expect("nobody panics")).collect()
        })
    }
}
