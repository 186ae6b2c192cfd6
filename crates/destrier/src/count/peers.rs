//! A sweep by several processes: each has the states whose degrees hash to it.
//!
//! At each step every peer makes the next states of its own layer, merges what it can, and gives each other
//! peer the states that are that one's; then all merge what they were given. The degrees decide who owns a
//! state, so equal states always meet. A number that outgrows its type, a halt, or a
//! layer that does not fit is told to all before anybody goes on, so that all take the same step next.
//!
//! Invariant: no state is with two peers; the layers of all peers together are the layer of the sweep.
//! Cost: two exchanges a step; a state that changes peers is sent once. The degrees that a step
//! may use are with every peer, which is what bounds the board.
//! After: distributed state spaces by hashing, as in Stern and Dill's parallel Murφ.

use super::sweep::course::Course;
use super::sweep::deal::{Entry, Stuck, deal};
use super::sweep::layer::{Layer, Tally};
use super::sweep::state::hash;
use crate::watch::Halt;

/// The processes that sweep together, as one of them sees them.
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

/// Nobody else.
#[derive(Debug)]
pub struct Alone;

impl Peers for Alone {
    fn size(&self) -> usize {
        1
    }

    fn rank(&self) -> usize {
        0
    }

    fn exchange(&mut self, shares: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        shares
    }

    fn share(&mut self, own: Vec<u8>) -> Vec<Vec<u8>> {
        vec![own]
    }
}

/// Why a sweep stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Somebody said stop.
    Halt(Halt),
    /// A layer needs about so many bytes, which is more than allowed.
    Memory(u64),
}

type Advanced<const W: usize, T> = Result<(Layer<W, T>, [T; 4]), Stuck<Trouble>>;

/// Brings the layers that all peers have come to together: what each had to say, then the states.
pub(crate) fn gather<const W: usize, T: Tally>(
    advanced: Advanced<W, T>,
    course: &Course,
    peers: &mut dyn Peers,
) -> Advanced<W, T> {
    if peers.size() == 1 {
        return advanced;
    }
    let (size, own) = (peers.size(), peers.rank());
    let word = advanced.as_ref().err().copied();
    let mut shares: Vec<Vec<u8>> = (0..size).map(|_| spoken(word)).collect();
    let mut parts: Parts<W, T> = Vec::new();
    let mut closed = [T::ZERO; 4];
    if let Ok((layer, more)) = advanced {
        closed = more;
        for part in layer.parts {
            let mut mine = Vec::new();
            for (state, pasts) in part {
                let owner = owner(hash(&course.pattern(&state)), size);
                if owner == own {
                    mine.push((state, pasts));
                } else {
                    let share = &mut shares[owner];
                    for word in state {
                        share.extend_from_slice(&word.to_le_bytes());
                    }
                    pasts.put(share);
                }
            }
            parts.push(mine);
        }
    }
    let shares = peers.exchange(shares);
    if let Some(trouble) = shares.iter().filter_map(|share| heard(share)).reduce(worse) {
        return Err(trouble);
    }
    for (_, share) in shares.iter().enumerate().filter(|&(from, _)| from != own) {
        // Many short lists, so that all threads have some.
        let entries = share[WORD..].chunks(CHUNK * (8 * W + T::BYTES));
        parts.extend(entries.map(|chunk| read::<W, T>(chunk)));
    }
    drop(shares);
    let total = parts.iter().map(Vec::len).sum();
    let merged = deal::<W, _, T, _, Trouble>(&parts, total, |chunk, dealt| {
        for &(state, pasts) in chunk.iter().flatten() {
            dealt.push(hash(&course.pattern(&state)), state, pasts);
        }
        Ok(())
    });
    let word = merged.as_ref().err().copied();
    let words = peers.share(spoken(word));
    match (words.iter().filter_map(|word| heard(word)).reduce(worse), merged) {
        (Some(trouble), _) | (None, Err(trouble)) => Err(trouble),
        (None, Ok((parts, _))) => Ok((Layer { parts }, closed)),
    }
}

/// Adds up what all peers have closed.
pub(crate) fn sum_up(
    totals: [num_bigint::BigUint; 4],
    peers: &mut dyn Peers,
) -> [num_bigint::BigUint; 4] {
    if peers.size() == 1 {
        return totals;
    }
    let text = totals.map(|total| total.to_string()).join(" ");
    let shares = peers.share(text.into_bytes());
    let mut sums: [num_bigint::BigUint; 4] = Default::default();
    for share in shares {
        let text = String::from_utf8_lossy(&share);
        for (sum, number) in sums.iter_mut().zip(text.split(' ')) {
            *sum += number.parse::<num_bigint::BigUint>().unwrap_or_default();
        }
    }
    sums
}

type Parts<const W: usize, T> = Vec<Vec<Entry<W, T>>>;

/// Entries that are read together.
const CHUNK: usize = 1 << 15;

/// Which of so many peers owns a state; the high bits of the hash deal it out further.
fn owner(hash: u64, size: usize) -> usize {
    let low = hash & u64::from(u32::MAX);
    usize::try_from((low * size as u64) >> 32).unwrap_or(0)
}

fn read<const W: usize, T: Tally>(bytes: &[u8]) -> Vec<Entry<W, T>> {
    let words = |bytes: &[u8]| {
        let mut state = [0; W];
        for (word, bytes) in state.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        }
        state
    };
    let entry = |bytes: &[u8]| (words(&bytes[..8 * W]), T::get(&bytes[8 * W..]));
    bytes.chunks_exact(8 * W + T::BYTES).map(entry).collect()
}

/// The length of a word to the others: what is the matter, and a number.
const WORD: usize = 9;

fn spoken(trouble: Option<Stuck<Trouble>>) -> Vec<u8> {
    let (code, number): (u8, u64) = match trouble {
        None => (0, 0),
        Some(Stuck::Overflow) => (1, 0),
        Some(Stuck::Halt(Trouble::Memory(bytes))) => (2, bytes),
        Some(Stuck::Halt(Trouble::Halt(Halt::Deadline))) => (3, 1),
        Some(Stuck::Halt(Trouble::Halt(Halt::Nodes))) => (3, 2),
        Some(Stuck::Halt(Trouble::Halt(_))) => (3, 0),
    };
    let mut word = vec![code];
    word.extend_from_slice(&number.to_le_bytes());
    word
}

fn heard(word: &[u8]) -> Option<Stuck<Trouble>> {
    let number = word.get(1..WORD).and_then(|bytes| bytes.try_into().ok());
    let number = number.map_or(0, u64::from_le_bytes);
    match (word.first()?, number) {
        (0, _) => None,
        (1, _) => Some(Stuck::Overflow),
        (2, bytes) => Some(Stuck::Halt(Trouble::Memory(bytes))),
        (_, 1) => Some(Stuck::Halt(Trouble::Halt(Halt::Deadline))),
        (_, 2) => Some(Stuck::Halt(Trouble::Halt(Halt::Nodes))),
        _ => Some(Stuck::Halt(Trouble::Halt(Halt::Asked))),
    }
}

/// Of two troubles, the one that ends the sweep; the same for all peers, as they hear the same words.
fn worse(one: Stuck<Trouble>, other: Stuck<Trouble>) -> Stuck<Trouble> {
    let gravity = |trouble: &Stuck<Trouble>| match trouble {
        Stuck::Overflow => (0, 0),
        Stuck::Halt(Trouble::Memory(bytes)) => (1, *bytes),
        Stuck::Halt(Trouble::Halt(Halt::Deadline)) => (2, 2),
        Stuck::Halt(Trouble::Halt(Halt::Nodes)) => (2, 1),
        Stuck::Halt(Trouble::Halt(_)) => (2, 0),
    };
    if gravity(&other) > gravity(&one) { other } else { one }
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
