//! What is decided about a row, step by step, and what each decision does to a pattern.
//!
//! Settling a square gives it the edges that it lacks, all to squares ahead: up to four, and the apex of an open count.
//! With the last row of a half come two more kinds of steps: a square of the near middle row is an end or not, and an
//! edge between the middle rows, near the sides of the board, is used or not. Every choice adds a constant to the pattern; which patterns it can be
//! made for depends on a few digits.
//!
//! Invariant: each edge of a half is decided about once; each frontier square is partitioned by once, by the first step
//! after which no other can touch it.
//! Cost: nothing to speak of.

use crate::count::middle::half::cut::{AsEnd, Cut, Side};
use crate::count::middle::half::slots::{Ahead, Slots};
use crate::count::middle::join::pattern::{Pattern, digit};

/// One thing that a step may do.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Choice {
    /// The pattern must have these digits under the mask.
    pub(in crate::count::middle) mask: Pattern,
    pub(in crate::count::middle) wants: Pattern,
    /// What is added to the pattern.
    pub(in crate::count::middle) adds: i64,
    /// The path that is added, by its two ends.
    pub(in crate::count::middle) edge: Option<(usize, usize)>,
    /// Does the square of the step become an end of the tour?
    makes_end: bool,
}

/// How to tell the colour of the one end that the tours of a pattern have so far.
///
/// Every edge of the board has a dark and a light square, and an edge to the apex has one square: the degrees of dark
/// squares exceed those of light ones by the dark ends less the light ends.
#[derive(Clone, Debug)]
struct Colours {
    dark: Pattern,
    light: Pattern,
    /// What the dark squares settled so far have more than the light ones.
    settled: i32,
    /// Is the square of this step dark?
    here: bool,
    apex: usize,
}

/// One step, and the slots whose digits are final afterwards.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Step {
    pub(in crate::count::middle) choices: Vec<Choice>,
    colours: Option<Colours>,
    touches: Vec<usize>,
    pub(in crate::count::middle) deals: Vec<usize>,
}

impl Step {
    /// May this choice be made for this pattern?
    #[inline]
    pub(in crate::count::middle) fn takes(&self, choice: &Choice, pattern: Pattern) -> bool {
        let allows = |colours: &Colours| !choice.makes_end || colours.allow(pattern);
        pattern & choice.mask == choice.wants && self.colours.as_ref().is_none_or(allows)
    }

    /// Can it change the digit of a slot ahead?
    pub(in crate::count::middle) fn touches(&self, slot: usize) -> bool {
        self.touches.contains(&slot)
    }

    /// How many classes the patterns after this step fall into, by the digits that are final then.
    pub(in crate::count::middle) fn classes(&self) -> usize {
        3_usize.pow(u32::try_from(self.deals.len()).expect("a few slots"))
    }

    /// The class of a pattern.
    #[inline]
    pub(in crate::count::middle) fn class(&self, pattern: Pattern) -> usize {
        let class = self.deals.iter().fold(0, |class, &slot| 3 * class + digit(pattern, slot));
        usize::try_from(class).expect("a few classes")
    }
}

impl Colours {
    /// Is the one end there is of the other colour? Without an end, or with both, there is nothing to ask.
    fn allow(&self, pattern: Pattern) -> bool {
        if digit(pattern, self.apex) != 1 {
            return true;
        }
        let degrees = |slots: Pattern| {
            let (ones, twos) = (pattern & slots & ONES, pattern & slots & (ONES << 1));
            (ones.count_ones() + 2 * twos.count_ones()).cast_signed()
        };
        let dark_end = self.settled + degrees(self.dark) - degrees(self.light) > 0;
        dark_end != self.here
    }
}

const ONES: u64 = 0x5555_5555_5555_5555;

/// The files of a row in the order in which they are settled: from both edges to the centre.
///
/// Left to right would need one slot fewer, but has a third more states on its way; and this way the outer
/// files are final first, on both sides, which is what slices ask for.
fn inward(files: usize) -> impl Iterator<Item = usize> {
    (0..files).map(move |at| if at % 2 == 0 { at / 2 } else { files - 1 - at / 2 })
}

/// The files at a distance, left and right.
fn beside(file: usize, distance: usize, files: usize) -> impl Iterator<Item = usize> {
    let left = file.checked_sub(distance);
    let right = Some(file + distance).filter(|&right| right < files);
    left.into_iter().chain(right)
}

/// Plans a row of a half; the last row with what follows it.
pub(in crate::count::middle) struct Planner<'c> {
    cut: &'c Cut,
    side: Side,
    row: usize,
    slots: Slots,
    settled: Vec<bool>,
    steps: Vec<Step>,
}

impl<'c> Planner<'c> {
    pub(in crate::count::middle) fn new(cut: &'c Cut, side: Side, row: usize) -> Planner<'c> {
        let slots = Slots::new(cut.files, cut.is_open());
        Planner { cut, side, row, slots, settled: vec![false; cut.files], steps: Vec::new() }
    }

    /// The steps of a row that is not the last.
    pub(in crate::count::middle) fn row(mut self) -> Vec<Step> {
        for file in inward(self.cut.files) {
            self.settle(file);
        }
        self.dealt()
    }

    /// The steps of the last row of a half, and of what is decided about the near middle row: which of its squares are
    /// ends of the tour, and the edges to the far middle row that the squares of so many outer files on either side have.
    /// That comes last, which takes the fewest patterns on the way. The other edges between the middle rows are left to the
    /// join.
    pub(in crate::count::middle) fn last_row(mut self, early: usize) -> Vec<Step> {
        for file in inward(self.cut.files) {
            self.settle(file);
        }
        for file in inward(self.cut.files) {
            self.end(file);
        }
        for (near, far) in self.cut.early_links(early) {
            self.link(near, far);
        }
        self.dealt()
    }

    /// A square of the row is settled.
    fn settle(&mut self, file: usize) {
        let n = self.cut.files;
        let slot = self.slots.slot(Ahead::Here, file);
        let mut ahead: Vec<usize> =
            beside(file, 2, n).map(|other| self.slots.slot(Ahead::Next, other)).collect();
        ahead.extend(beside(file, 1, n).map(|other| self.slots.slot(Ahead::After, other)));
        let end = self.cut.as_end(self.side, file, self.row);
        let apex = self.slots.apex().filter(|_| end != AsEnd::Never);
        ahead.extend(apex);
        let must = apex.filter(|_| end == AsEnd::Must);
        let mut choices = Vec::new();
        let mut add = |own: u64, to: &[usize]| {
            // The square of a tour's end that is given has its edge to the apex.
            if must.is_some_and(|apex| !to.contains(&apex)) {
                return;
            }
            let edge = match *to {
                [] => None,
                [one] => Some((slot, one)),
                [one, other] => Some((one, other)),
                _ => unreachable!("a square has two edges"),
            };
            choices.push(Choice {
                mask: 3 << (2 * slot) | to.iter().fold(0, |mask, &to| mask | 2 << (2 * to)),
                wants: own << (2 * slot),
                adds: to.iter().map(|&to| 1 << (2 * to)).sum::<i64>()
                    - (own << (2 * slot)).cast_signed(),
                edge,
                makes_end: apex.is_some_and(|apex| to.contains(&apex)),
            });
        };
        add(2, &[]);
        for (at, &one) in ahead.iter().enumerate() {
            add(1, &[one]);
            for &other in &ahead[at + 1..] {
                add(0, &[one, other]);
            }
        }
        let colours = self.colours(Ahead::Here, file);
        self.steps.push(Step { choices, colours, touches: ahead, deals: Vec::new() });
        self.settled[file] = true;
    }

    /// A square of the near middle row is an end of the tour, or not.
    fn end(&mut self, file: usize) {
        let as_end = self.cut.as_end(self.side, file, self.row + 1);
        let Some(apex) = self.slots.apex().filter(|_| as_end != AsEnd::Never) else { return };
        let slot = self.slots.slot(Ahead::Next, file);
        let colours = self.colours(Ahead::Next, file);
        let not = as_end == AsEnd::May;
        let choices = not.then(nothing).into_iter().chain([used(slot, apex, true)]).collect();
        self.steps.push(Step { choices, colours, touches: vec![slot, apex], deals: Vec::new() });
    }

    /// An edge between the middle rows is used, or not.
    fn link(&mut self, near: usize, far: usize) {
        let (x, y) = (self.slots.slot(Ahead::Next, near), self.slots.slot(Ahead::After, far));
        let choices = vec![nothing(), used(x, y, false)];
        self.steps.push(Step { choices, colours: None, touches: vec![x, y], deals: Vec::new() });
    }

    /// For a step about the square so far ahead in this file: what tells the colour of the first end.
    fn colours(&self, ahead: Ahead, file: usize) -> Option<Colours> {
        let apex = self.slots.apex().filter(|_| self.cut.ends_differ())?;
        let is_dark = |file, row| self.cut.is_dark(self.side, file, row);
        let here = is_dark(file, self.row + ahead as usize);
        let mut colours = Colours { dark: 0, light: 0, settled: 0, here, apex };
        let all = |row| (0..self.cut.files).map(move |file| (file, row));
        let now = all(self.row).filter(|&(file, _)| self.settled[file]);
        for (file, row) in (0..self.row).flat_map(all).chain(now) {
            colours.settled += if is_dark(file, row) { 2 } else { -2 };
        }
        for ahead in [Ahead::Here, Ahead::Next, Ahead::After] {
            for file in 0..self.cut.files {
                let bits = 3 << (2 * self.slots.slot(ahead, file));
                let dark = is_dark(file, self.row + ahead as usize);
                *if dark { &mut colours.dark } else { &mut colours.light } |= bits;
            }
        }
        Some(colours)
    }

    /// The steps, each with the slots that no later one touches.
    fn dealt(mut self) -> Vec<Step> {
        let rows = [Ahead::Next, Ahead::After];
        let squares = (0..self.cut.files).flat_map(|file| rows.map(|ahead| (ahead, file)));
        let slots: Vec<usize> = squares.map(|(ahead, file)| self.slots.slot(ahead, file)).collect();
        for slot in slots.into_iter().chain(self.slots.apex()) {
            let last = self.steps.iter().rposition(|step| step.touches.contains(&slot));
            // An apex that no step of a row touches is as it was all along.
            let last = last.unwrap_or(0);
            self.steps[last].deals.push(slot);
        }
        self.steps
    }
}

fn nothing() -> Choice {
    Choice { mask: 0, wants: 0, adds: 0, edge: None, makes_end: false }
}

fn used(x: usize, y: usize, makes_end: bool) -> Choice {
    Choice {
        mask: 2 << (2 * x) | 2 << (2 * y),
        wants: 0,
        adds: (1 << (2 * x)) + (1 << (2 * y)),
        edge: Some((x, y)),
        makes_end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::middle::half::cut::Ends;

    #[test]
    fn every_frontier_square_is_dealt_out_once() {
        for files in 3..=10 {
            for ends in [Ends::Closed, Ends::Free, Ends::From((1, 1))] {
                let cut = Cut::new(files, files + 4, ends);
                let plans = [
                    Planner::new(&cut, Side::Top, 0).row(),
                    Planner::new(&cut, Side::Top, 1).last_row(0),
                    Planner::new(&cut, Side::Top, 1).last_row(2),
                ];
                for steps in plans {
                    let mut dealt: Vec<usize> =
                        steps.iter().flat_map(|step| step.deals.clone()).collect();
                    dealt.sort_unstable();
                    dealt.dedup();
                    let all: usize = steps.iter().map(|step| step.deals.len()).sum();
                    assert_eq!(dealt.len(), all, "none twice");
                    assert_eq!(all, 2 * files + usize::from(cut.is_open()));
                }
            }
        }
    }
}
