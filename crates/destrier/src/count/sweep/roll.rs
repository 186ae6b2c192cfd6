//! A set of states that numbers them as they come.
//!
//! Invariant: `state(number(s)) == s`, and numbers have no gaps.
//! Cost: one probe or two of an open table that is at most half full.

use super::state::{State, hash};

/// The bits of a table's entry that hold a number.
const NUMBER: u64 = 0xffff_ffff;

fn number_of(number: usize) -> u64 {
    u64::from(u32::try_from(number).expect("fewer than 2^32 states"))
}

/// The states met so far.
#[derive(Debug)]
pub(crate) struct Roll<const W: usize> {
    states: Vec<State<W>>,
    /// A state's number plus one, and half of its hash above: most other states are passed by without a look.
    table: Vec<u64>,
}

impl<const W: usize> Roll<W> {
    /// An empty roll, with room for about so many.
    pub(crate) fn new(expected: usize) -> Roll<W> {
        let size = (expected * 4).next_power_of_two().max(16);
        Roll { states: Vec::new(), table: vec![0; size] }
    }

    /// The state's number, fresh or known.
    pub(crate) fn number(&mut self, state: &State<W>) -> u32 {
        if self.states.len() * 2 >= self.table.len() {
            self.table = vec![0; self.table.len() * 4];
            for index in 0..self.states.len() {
                let (slot, tag) = self.slot(&self.states[index]);
                self.table[slot] = tag | number_of(index + 1);
            }
        }
        let (slot, tag) = self.slot(state);
        if self.table[slot] == 0 {
            self.states.push(*state);
            self.table[slot] = tag | number_of(self.states.len());
        }
        (self.table[slot] & NUMBER) as u32 - 1
    }

    /// Where the state is or would be in the table, and its tag.
    #[inline]
    fn slot(&self, state: &State<W>) -> (usize, u64) {
        let mask = self.table.len() - 1;
        let hash = hash(state);
        let tag = hash & !NUMBER;
        let mut at = hash as usize & mask;
        loop {
            let here = self.table[at];
            let is_same = || self.states[(here & NUMBER) as usize - 1] == *state;
            if here == 0 || here & !NUMBER == tag && is_same() {
                return (at, tag);
            }
            at = (at + 1) & mask;
        }
    }

    /// The state's number, if it was met.
    pub(crate) fn known(&self, state: &State<W>) -> Option<u32> {
        ((self.table[self.slot(state).0] & NUMBER) as u32).checked_sub(1)
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
