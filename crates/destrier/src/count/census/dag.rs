//! The states of a section of the sweep with explicit transitions.
//!
//! From some states of one layer we follow every useful choice to a later layer, and keep for each
//! state where its choices lead. If the section goes to the end, the completions of all states follow
//! backwards; states without any are then dropped.
//!
//! Invariant: a state's completions are the sum over its choices, in the order of the choices.
//! Cost: about 30 bytes per state and 8 per transition.
//! Source: the decision diagrams of Knuth's SIMPATH, kept in layers.

use std::ops::Range;

use super::super::sweep::course::{Choice, Course, Next};
use super::super::sweep::roll::Roll;
use super::super::sweep::state::State;
use crate::run::watch::{Halt, Watch};

/// Where a choice leads: to a state of the next layer, or to a whole tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) choice: Choice,
    to: u32,
}

const WHOLE: u32 = u32::MAX;

impl Way {
    /// The state that it leads to; nothing when it completes a tour.
    pub(crate) fn to(self) -> Option<usize> {
        (self.to != WHOLE).then_some(self.to as usize)
    }
}

/// The states of one layer, and the ways on from each.
#[derive(Clone, Debug)]
pub(crate) struct Level<const W: usize> {
    pub(crate) states: Vec<State<W>>,
    first: Vec<u32>,
    ways: Vec<Way>,
}

impl<const W: usize> Level<W> {
    /// The place of a state's first way among those of its layer.
    pub(crate) fn first_way(&self, state: usize) -> u32 {
        self.first[state]
    }

    /// The ways on from a state, in order.
    pub(crate) fn ways(&self, state: usize) -> &[Way] {
        &self.ways[self.first[state] as usize..self.first[state + 1] as usize]
    }
}

/// A stretch of the sweep.
#[derive(Clone, Debug)]
pub(crate) struct Dag<const W: usize> {
    /// A level for each layer of the stretch; the last one has states only.
    pub(crate) levels: Vec<Level<W>>,
}

impl<const W: usize> Dag<W> {
    /// Follows these states of the first of some layers to the last; nothing if that takes more than so many states. `allowed`
    /// has a bit for each choice that a state may take at a step.
    pub(crate) fn new(
        course: &Course,
        allowed: impl Fn(usize, &State<W>) -> u64,
        states: Vec<State<W>>,
        layers: Range<usize>,
        most: usize,
        watch: &Watch,
    ) -> Result<Option<Dag<W>>, Halt> {
        let mut ticker = watch.ticker();
        let mut levels = Vec::with_capacity(layers.len() + 1);
        let mut current = states;
        let mut total = current.len();
        for at in layers {
            let stepper = course.step::<W>(at);
            let mut next = Roll::new(current.len());
            let mut first = Vec::with_capacity(current.len() + 1);
            let mut ways = Vec::new();
            for state in &current {
                ticker.tick()?;
                let Ok(way) = u32::try_from(ways.len()) else { return Ok(None) };
                first.push(way);
                stepper.each(state, allowed(at, state), |choice, reached| {
                    let to = match reached {
                        Next::To(state) => next.number(&state),
                        Next::Closed(..) => WHOLE,
                    };
                    ways.push(Way { choice, to });
                });
            }
            let Ok(end) = u32::try_from(ways.len()) else { return Ok(None) };
            first.push(end);
            total += next.len();
            if total > most {
                return Ok(None);
            }
            levels.push(Level { states: current, first, ways });
            current = next.into_states();
        }
        let first = vec![0; current.len() + 1];
        levels.push(Level { states: current, first, ways: Vec::new() });
        Ok(Some(Dag { levels }))
    }

    /// The completions of every state of every level, to whole tours.
    pub(crate) fn completions(&self) -> Option<Vec<Vec<u128>>> {
        let end = &self.levels[self.levels.len() - 1];
        let mut all = vec![vec![0; end.states.len()]];
        for level in self.levels.iter().rev().skip(1) {
            let after = &all[all.len() - 1];
            let mut sums = Vec::with_capacity(level.states.len());
            for state in 0..level.states.len() {
                let mut sum = 0_u128;
                for way in level.ways(state) {
                    sum = sum.checked_add(way.to().map_or(1, |to| after[to]))?;
                }
                sums.push(sum);
            }
            all.push(sums);
        }
        all.reverse();
        Some(all)
    }

    /// Takes out the ways that complete nothing.
    pub(crate) fn prune(&mut self, completions: &[Vec<u128>]) {
        for (level, after) in self.levels.iter_mut().zip(&completions[1..]) {
            let mut kept = Vec::with_capacity(level.ways.len());
            let mut first = Vec::with_capacity(level.first.len());
            for state in 0..level.states.len() {
                first.push(u32::try_from(kept.len()).expect("fewer than before"));
                let useful = |way: &&Way| way.to().is_none_or(|to| after[to] > 0);
                kept.extend(level.ways(state).iter().filter(useful));
            }
            first.push(u32::try_from(kept.len()).expect("fewer than before"));
            (level.first, level.ways) = (first, kept);
            level.ways.shrink_to_fit();
        }
    }
}
