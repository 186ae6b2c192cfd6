//! A set of states that numbers them as they come.
//!
//! Invariant: `state(number(s)) == s`, and numbers have no gaps.
//! Cost: a look-up in a [`Table`]; half of the hash beside each number passes most other states by unseen.

use super::state::{State, hash};
use crate::table::Table;

/// The bits of an entry that hold a number; those above are of the hash.
const NUMBER: u64 = 0xffff_ffff;

fn number_of(entry: u64) -> usize {
    (entry & NUMBER) as usize - 1
}

/// The states met so far.
#[derive(Debug)]
pub(crate) struct Roll<const W: usize> {
    states: Vec<State<W>>,
    table: Table<u64>,
}

impl<const W: usize> Roll<W> {
    /// An empty roll, with room for about so many.
    pub(crate) fn new(expected: usize) -> Roll<W> {
        Roll { states: Vec::new(), table: Table::with_room(2 * expected) }
    }

    /// The state's number, fresh or known.
    pub(crate) fn number(&mut self, state: &State<W>) -> u32 {
        let states = &self.states;
        let own = hash(state);
        let next = u32::try_from(states.len() + 1).expect("fewer than 2^32 states");
        let is_it = |entry| is(entry, own, states, state);
        let rehash = |entry| hash(&states[number_of(entry)]);
        let fresh = own & !NUMBER | u64::from(next);
        let (&mut entry, new) = self.table.put_growing(own, fresh, is_it, rehash);
        if new {
            self.states.push(*state);
        }
        number_of(entry) as u32
    }

    /// The state's number, if it was met.
    pub(crate) fn known(&self, state: &State<W>) -> Option<u32> {
        let own = hash(state);
        let look = |entry| is(entry, own, &self.states, state).then(|| number_of(entry) as u32);
        self.table.find(own, look)
    }

    /// How many states were met.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The state with a number.
    pub(crate) fn state(&self, number: usize) -> State<W> {
        self.states[number]
    }

    /// All states in the order in which they were met.
    pub(crate) fn into_states(self) -> Vec<State<W>> {
        self.states
    }
}

/// Is this the entry of a state with this hash?
#[inline]
fn is<const W: usize>(entry: u64, hash: u64, states: &[State<W>], state: &State<W>) -> bool {
    (entry ^ hash) & !NUMBER == 0 && states[number_of(entry)] == *state
}
