//! The order in which one row of a half board is settled, square by square.
//!
//! Settling a square gives it the edges it still lacks, all to squares ahead: up to four, and the
//! apex of an open count. A row starts with the two rows of its frontier in slots 0..2n, row by row,
//! and opens a slot for each square of the row after next when it is first in reach. Between two steps
//! it is known which squares no later step of the row can touch: the states are dealt out by the
//! degrees of those.
//!
//! Invariant: a slot that no square uses is untouched; every frontier square is dealt out exactly once.
//! Cost: nothing to speak of.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::half::cut::{AsEnd, Cut, Side};
use crate::count::middle::half::state::slot_bits;

/// What a step does to a state.
#[derive(Clone, Debug)]
pub(in crate::count::middle) enum Work {
    /// Gives a square its missing edges, and frees its slot.
    Settle {
        /// The slot of the square.
        slot: usize,
        /// The slots of the squares ahead.
        ahead: Vec<usize>,
        /// The apex, if the square must be an end.
        must: Option<usize>,
    },
    /// Decides if a square of the near middle row is an end.
    End {
        /// The slot of the square.
        slot: usize,
        /// The slot of the apex.
        apex: usize,
        /// Is it an end in any case?
        must: bool,
    },
}

/// How to tell the colour of the one end that a state has so far.
///
/// Every edge of the board has a dark and a light square, and an edge to the apex has one square: the
/// degrees of dark squares exceed those of light ones by the dark ends less the light ends.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Colours {
    /// The slots of dark and of light frontier squares, as bits of a state.
    pub(in crate::count::middle) dark: u128,
    pub(in crate::count::middle) light: u128,
    /// What the dark squares settled so far have more than the light ones.
    pub(in crate::count::middle) settled: i32,
    /// Is the square of this step dark?
    pub(in crate::count::middle) here: bool,
    pub(in crate::count::middle) apex: usize,
}

/// One step, and the slots whose degrees are final for this row afterwards, with their places in a pattern.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Step {
    pub(in crate::count::middle) work: Work,
    /// Given where the ends must differ in colour.
    pub(in crate::count::middle) colours: Option<Colours>,
    pub(in crate::count::middle) final_slots: Vec<(usize, usize)>,
}

/// How to settle a row.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Plan {
    pub(in crate::count::middle) steps: Vec<Step>,
    /// The slot of each frontier square after the row: the next row, then the row after it.
    pub(in crate::count::middle) exit: Vec<usize>,
    /// The slot of the apex.
    pub(in crate::count::middle) apex: Option<usize>,
}

/// The files of a row in the order in which they are settled: from both edges to the centre.
///
/// Left to right would need one slot fewer, but has a third more states on its way; and this way the outer
/// files are final first, on both sides, which is what slices ask for.
fn inward(files: usize) -> impl Iterator<Item = usize> {
    (0..files).map(move |at| if at % 2 == 0 { at / 2 } else { files - 1 - at / 2 })
}

/// How many slots a state of this cut has.
pub(in crate::count::middle) fn slots(cut: &Cut) -> usize {
    2 * cut.files + 3 + usize::from(cut.is_open())
}

impl Plan {
    /// Plans a row of a half.
    pub(in crate::count::middle) fn new(cut: &Cut, side: Side, row: usize) -> Plan {
        let n = cut.files;
        let last = row + 1 == cut.depth(side);
        let apex = cut.is_open().then(|| slots(cut) - 1);
        let middle = cut.middle();
        let mut free: Vec<usize> = (2 * n..2 * n + 3).rev().collect();
        let mut after_next: Vec<Option<usize>> = vec![None; n];
        let mut settled = vec![false; n];
        let mut dealt = vec![[false; 2]; n];
        let mut steps: Vec<Step> = Vec::new();
        let colouring = Colouring { apex: apex.filter(|_| cut.ends_differ()) };
        for file in inward(n) {
            let mut ahead = Vec::new();
            ahead.extend(beside(file, 2, n).map(|other| n + other));
            for other in beside(file, 1, n) {
                let slot = *after_next[other].get_or_insert_with(|| {
                    free.pop().expect("the order has slots for its frontier")
                });
                ahead.push(slot);
            }
            let end = cut.as_end(side, file, row);
            if end == AsEnd::May {
                ahead.extend(apex);
            }
            let must = apex.filter(|_| end == AsEnd::Must);
            let colours = colouring.at(cut, side, row, file, 0, &settled, &after_next);
            steps.push(Step {
                work: Work::Settle { slot: file, ahead, must },
                colours,
                final_slots: Vec::new(),
            });
            settled[file] = true;
            free.push(file);
            for other in 0..n {
                for (far, reach) in [(false, 2), (true, 1)] {
                    let untouchable = beside(other, reach, n).all(|toucher| settled[toucher]);
                    if dealt[other][usize::from(far)] || !untouchable {
                        continue;
                    }
                    dealt[other][usize::from(far)] = true;
                    let slot = if far {
                        after_next[other].expect("a touched square has a slot")
                    } else {
                        n + other
                    };
                    let end = cut.as_end(side, other, row + 1);
                    if let Some(apex) = apex.filter(|_| last && !far && end != AsEnd::Never) {
                        let must = end == AsEnd::Must;
                        let colours = colouring.at(cut, side, row, other, 1, &settled, &after_next);
                        steps.push(Step {
                            work: Work::End { slot, apex, must },
                            colours,
                            final_slots: Vec::new(),
                        });
                    }
                    let step = steps.last_mut().expect("a square was settled");
                    step.final_slots.push((slot, middle.place(far, other)));
                }
            }
        }
        if let (Some(slot), Some(place)) = (apex, middle.apex_place()) {
            steps.last_mut().expect("a row has squares").final_slots.push((slot, place));
        }
        let exit = (0..n)
            .map(|file| n + file)
            .chain(
                after_next
                    .into_iter()
                    .map(|slot| slot.expect("two files or more reach every square")),
            )
            .collect();
        Plan { steps, exit, apex }
    }
}

/// Works out [`Colours`] for the steps of a row.
struct Colouring {
    apex: Option<usize>,
}

impl Colouring {
    /// For a step about the square `ahead` rows below the row in this file.
    #[expect(clippy::too_many_arguments, reason = "the state of planning, spelt out")]
    fn at(
        &self,
        cut: &Cut,
        side: Side,
        row: usize,
        file: usize,
        ahead: usize,
        settled: &[bool],
        after_next: &[Option<usize>],
    ) -> Option<Colours> {
        let apex = self.apex?;
        let here = cut.is_dark(side, file, row + ahead);
        let mut colours = Colours { dark: 0, light: 0, settled: 0, here, apex };
        let sign = |dark: bool| if dark { 2 } else { -2 };
        for earlier in 0..row {
            colours.settled +=
                (0..cut.files).map(|file| sign(cut.is_dark(side, file, earlier))).sum::<i32>();
        }
        for file in 0..cut.files {
            let slots =
                [(!settled[file]).then_some(file), Some(cut.files + file), after_next[file]];
            for (ahead, slot) in slots.into_iter().enumerate() {
                let dark = cut.is_dark(side, file, row + ahead);
                match slot {
                    Some(slot) if dark => colours.dark |= slot_bits([slot]),
                    Some(slot) => colours.light |= slot_bits([slot]),
                    None => {}
                }
            }
            if settled[file] {
                colours.settled += sign(cut.is_dark(side, file, row));
            }
        }
        Some(colours)
    }
}

/// The files at a distance, left and right.
fn beside(file: usize, distance: usize, files: usize) -> impl Iterator<Item = usize> {
    let left = file.checked_sub(distance);
    let right = Some(file + distance).filter(|&right| right < files);
    left.into_iter().chain(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::middle::half::cut::Ends;

    #[test]
    fn every_frontier_square_is_dealt_out_once() {
        for files in 3..=10 {
            for ends in [Ends::Closed, Ends::Free] {
                for row in [0, 1] {
                    let cut = Cut::new(files, files + 4, ends);
                    let plan = Plan::new(&cut, Side::Top, row);
                    let mut slots: Vec<usize> =
                        plan.exit.iter().copied().chain(plan.apex).collect();
                    let mut dealt: Vec<usize> = plan
                        .steps
                        .iter()
                        .flat_map(|step| step.final_slots.iter().map(|&(slot, _)| slot))
                        .collect();
                    slots.sort_unstable();
                    dealt.sort_unstable();
                    assert_eq!(slots, dealt);
                    let mut places: Vec<usize> = plan
                        .steps
                        .iter()
                        .flat_map(|step| step.final_slots.iter().map(|&(_, place)| place))
                        .collect();
                    places.sort_unstable();
                    assert_eq!(places, (0..cut.middle().places()).collect::<Vec<_>>());
                }
            }
        }
    }
}
