//! The processes that work one answer out together, as one of them sees them.
//!
//! All call the same exchanges in the same order; what each is given depends on its rank alone. Ranks of MPI
//! are such processes, and threads stand in for them in tests.

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
