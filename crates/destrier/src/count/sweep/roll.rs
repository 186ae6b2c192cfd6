//! A set of states that numbers them as they come.
//!
//! Invariant: `state(number(s)) == s`, and numbers have no gaps.
//! Cost: one probe or two of an open table that is at most half full.

use super::state::{State, hash};

/// The states met so far.
#[derive(Debug)]
pub(crate) struct Roll<const W: usize> {
    states: Vec<State<W>>,
    table: Vec<u32>,
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
                let slot = self.slot(&self.states[index]);
                self.table[slot] = u32::try_from(index + 1).expect("fewer than 2^32 states");
            }
        }
        let slot = self.slot(state);
        if self.table[slot] == 0 {
            self.states.push(*state);
            self.table[slot] = u32::try_from(self.states.len()).expect("fewer than 2^32 states");
        }
        self.table[slot] - 1
    }

    #[inline]
    fn slot(&self, state: &State<W>) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash(state) as usize & mask;
        while self.table[at] != 0 && self.states[self.table[at] as usize - 1] != *state {
            at = (at + 1) & mask;
        }
        at
    }

    /// The state's number, if it was met.
    pub(crate) fn known(&self, state: &State<W>) -> Option<u32> {
        self.table[self.slot(state)].checked_sub(1)
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
