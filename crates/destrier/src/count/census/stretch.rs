//! The ways from one state at the end of a row to the next row end, weighed only as far as needed.
//!
//! The completions of states at the next row end take most of the time. A number is therefore looked for from the nearer end
//! of the order, and states on the other side of it are never weighed.
//!
//! Invariant: a known number is the sum over all ways on, whichever end was begun at.
//! Cost: a draw of 8×8 closed takes 11 ms, where weighing all states took 26.
//! Source: `docs/sampling.md`.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::sweep::course::Choice;
use super::super::sweep::state::State;
use super::dag::Dag;
use super::meeting::Ways;
use super::tables::Tables;
use crate::count::middle::join::pattern::Pattern;

/// States and their completions, [`UNKNOWN`] where nobody has asked.
pub(super) type Weighed<const W: usize> = (Dag<W>, Vec<Vec<u128>>);

const UNKNOWN: u128 = u128::MAX;

/// Where a tour goes on after a row: the state, its completions, and how many tours with the same choices so far come before.
pub(super) struct Onward<const W: usize> {
    pub(super) state: State<W>,
    pub(super) total: u128,
    pub(super) number: u128,
}

/// A row, from one state on.
pub(super) struct Stretch<'t, const W: usize> {
    tables: &'t Tables<W>,
    /// The stop at its end.
    stop: usize,
    dag: Cow<'t, Dag<W>>,
    known: Cow<'t, [Vec<u128>]>,
    /// For patterns at its end, how they are completed.
    ways: HashMap<Pattern, Ways>,
    /// What was found: the choices, the last one first, and the state at the end unless the tour is whole.
    choices: Vec<Choice>,
    end: Option<usize>,
}

impl<'t, const W: usize> Stretch<'t, W> {
    /// The row that begins at a stop.
    pub(super) fn new(tables: &'t Tables<W>, stop: usize, state: State<W>) -> Stretch<'t, W> {
        let dag = tables.row(stop, state);
        let known = dag.levels.iter().map(|level| vec![UNKNOWN; level.states.len()]).collect();
        Stretch::of(tables, stop, Cow::Owned(dag), Cow::Owned(known))
    }

    /// The same, where its states are weighed already.
    pub(super) fn known(
        tables: &'t Tables<W>,
        stop: usize,
        (dag, known): &'t Weighed<W>,
    ) -> Stretch<'t, W> {
        Stretch::of(tables, stop, Cow::Borrowed(dag), Cow::Borrowed(known))
    }

    fn of(
        tables: &'t Tables<W>,
        stop: usize,
        dag: Cow<'t, Dag<W>>,
        known: Cow<'t, [Vec<u128>]>,
    ) -> Stretch<'t, W> {
        let (ways, choices) = (HashMap::new(), Vec::new());
        Stretch { tables, stop: stop + 1, dag, known, ways, choices, end: None }
    }

    /// All of its states, weighed.
    pub(super) fn weighed(mut self) -> Weighed<W> {
        self.weight(0, 0);
        (self.dag.into_owned(), self.known.into_owned())
    }

    /// The choices of the tour with a number, and if it goes on after this row: the state, its completions, and the tour's
    /// number among them. `total` has the completions of the first state.
    pub(super) fn unrank(mut self, number: u128, total: u128) -> (Vec<Choice>, Option<Onward<W>>) {
        let backwards = number >= total / 2;
        let mut left = if backwards { total - 1 - number } else { number };
        let is_found = self.seek(0, 0, backwards, &mut left);
        debug_assert!(is_found, "a number below the total has a tour");
        self.choices.reverse();
        let onward = self.end.map(|end| {
            let (last, total) = (self.dag.levels.len() - 1, self.weight_at_end(end));
            let number = if backwards { total - 1 - left } else { left };
            Onward { state: self.dag.levels[last].states[end], total, number }
        });
        (self.choices, onward)
    }

    /// How many tours come before those with these choices, and if those go on after this row: the state and its
    /// completions. Nothing if there are no such tours.
    pub(super) fn rank(
        mut self,
        total: u128,
        choice: impl Fn(usize) -> Option<Choice>,
    ) -> Option<(u128, Option<(State<W>, u128)>)> {
        // For each choice, where the ways of its state lead, and which of them is taken.
        let mut taken: Vec<(Vec<Option<usize>>, usize)> = Vec::new();
        let (mut state, last) = (Some(0), self.dag.levels.len() - 1);
        while let Some(at) = state.filter(|_| taken.len() < last) {
            let (ways, choice) = (self.dag.levels[taken.len()].ways(at), choice(taken.len())?);
            let here = ways.iter().position(|way| way.choice == choice)?;
            state = ways[here].to();
            taken.push((ways.iter().map(|way| way.to()).collect(), here));
        }
        let weight = state.map_or(1, |end| self.weight_at_end(end));
        let backwards = taken.first().is_some_and(|(ways, here)| 2 * here >= ways.len());
        let mut passed = 0;
        for (depth, (ways, here)) in (1..).zip(&taken) {
            let others = if backwards { &ways[here + 1..] } else { &ways[..*here] };
            for to in others {
                passed += to.map_or(1, |to| self.weight(depth, to));
            }
        }
        let number = if backwards { total - weight - passed } else { passed };
        let state = state.map(|end| self.dag.levels[last].states[end]);
        Some((number, state.map(|state| (state, weight))))
    }

    /// The completions of a state.
    fn weight(&mut self, depth: usize, state: usize) -> u128 {
        let mut left = UNKNOWN;
        self.seek(depth, state, false, &mut left);
        UNKNOWN - left
    }

    fn weight_at_end(&mut self, state: usize) -> u128 {
        let last = self.dag.levels.len() - 1;
        if self.known[last][state] == UNKNOWN {
            let weight =
                self.tables.weight(self.stop, &self.dag.levels[last].states[state], &mut self.ways);
            self.known.to_mut()[last][state] = weight;
        }
        self.known[last][state]
    }

    /// Passes over the tours through a state until so many are left; false if it has no more than that.
    fn seek(&mut self, depth: usize, state: usize, backwards: bool, left: &mut u128) -> bool {
        let is_end = depth + 1 == self.dag.levels.len();
        let known = if is_end { self.weight_at_end(state) } else { self.known[depth][state] };
        if known != UNKNOWN && known <= *left {
            *left -= known;
            return false;
        }
        if is_end {
            self.end = Some(state);
            return true;
        }
        let before = *left;
        let ways = self.dag.levels[depth].ways(state).len();
        for at in 0..ways {
            let at = if backwards { ways - 1 - at } else { at };
            let way = self.dag.levels[depth].ways(state)[at];
            let is_found = match way.to() {
                Some(to) => self.seek(depth + 1, to, backwards, left),
                None if *left == 0 => true,
                None => {
                    *left -= 1;
                    false
                }
            };
            if is_found {
                self.choices.push(way.choice);
                return true;
            }
        }
        self.known.to_mut()[depth][state] = before - *left;
        false
    }
}
