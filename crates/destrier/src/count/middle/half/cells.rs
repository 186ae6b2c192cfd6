//! Which slice a pattern belongs to, and which slices a pattern within the last row can still come to.
//!
//! A slice is known by a few digits of the two middle rows. Each of these digits grows by at most one with every step that
//! touches its square, so going back from the end of the row, a table says for all values of the digits, after
//! each step, which slice is the first that they can come to. Of the slices that a sweep collects the first ones
//! are the last to be given up: a pattern is wanted while the first slice that it can come to is.
//!
//! Invariant: a pattern that leads to a slice is wanted at every step, as long as the slice is.
//! Cost: a few shifts and a look-up per pattern.

use std::sync::Arc;

use crate::count::middle::half::plan::Step;
use crate::count::middle::half::slots::Slots;
use crate::count::middle::join::pattern::{Pattern, digit};

/// No slice.
const NONE: u16 = u16::MAX;

/// The slices that are collected, by the digits of the middle rows that tell them apart.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Cells {
    places: Arc<[usize]>,
    /// By these digits, two bits each, the lowest first: the number of the slice.
    table: Arc<[u16]>,
    slices: usize,
}

impl Cells {
    /// A single one that has all patterns.
    pub(in crate::count::middle) fn one() -> Cells {
        Cells { places: Arc::default(), table: Arc::new([0]), slices: 1 }
    }

    /// So many slices, told apart by these places; each combination of digits is in one of them, or in none.
    pub(in crate::count::middle) fn new(
        places: Vec<usize>,
        slices: usize,
        slice_of: impl Fn(Pattern) -> Option<usize>,
    ) -> Cells {
        let pattern = |digits: u64| {
            let digit = |(at, place): (usize, &usize)| (digits >> (2 * at) & 3) << (2 * place);
            places.iter().enumerate().map(digit).sum()
        };
        let number = |slice: usize| u16::try_from(slice).expect("a few slices");
        let slice = |digits| slice_of(pattern(digits)).map_or(NONE, number);
        let table = (0..1 << (2 * places.len())).map(slice).collect();
        Cells { places: places.into(), table, slices }
    }

    /// How many slices there are.
    pub(in crate::count::middle) fn slices(&self) -> usize {
        self.slices
    }

    /// The number of the slice that a pattern of the middle rows is in.
    #[inline]
    pub(in crate::count::middle) fn slice(&self, pattern: Pattern) -> Option<usize> {
        let slice = self.table[digits(pattern, &self.places)];
        (slice != NONE).then_some(slice.into())
    }

    /// Which patterns are wanted within a row that ends there.
    pub(in crate::count::middle) fn wanted(&self, slots: Slots, steps: &[Step]) -> Wanted {
        let slot = |&place: &usize| slots.of_middle(3 << (2 * place)).trailing_zeros() as usize / 2;
        let slots: Vec<usize> = self.places.iter().map(slot).collect();
        let mut stages = vec![self.table.to_vec()];
        for step in steps.iter().rev() {
            let mut before = stages.last().expect("the end of the row").clone();
            for at in (0..slots.len()).filter(|&at| step.touches(slots[at])) {
                for digits in (0..before.len()).filter(|digits| digits >> (2 * at) & 3 < 2) {
                    before[digits] = before[digits].min(before[digits + (1 << (2 * at))]);
                }
            }
            stages.push(before);
        }
        stages.reverse();
        Wanted { slots, stages }
    }
}

/// The digits of these places, side by side.
#[inline]
fn digits(pattern: Pattern, places: &[usize]) -> usize {
    let side_by_side = |digits, (at, &place)| digits | digit(pattern, place) << (2 * at);
    let digits = places.iter().enumerate().fold(0, side_by_side);
    usize::try_from(digits).expect("a few digits")
}

/// Which patterns can still come to a slice that is collected.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct Wanted {
    slots: Vec<usize>,
    /// Before the row and after each of its steps, by the digits of the slots: the first slice they can come to.
    stages: Vec<Vec<u16>>,
}

impl Wanted {
    /// After so many steps, can a pattern come to one of the first so many slices?
    #[inline]
    pub(in crate::count::middle) fn wants(
        &self,
        steps: usize,
        pattern: Pattern,
        open: usize,
    ) -> bool {
        let Some(stage) = self.stages.get(steps) else { return true };
        usize::from(stage[digits(pattern, &self.slots)]) < open.min(NONE.into())
    }
}
