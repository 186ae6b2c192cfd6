//! One step of a row: a square gets the edges it lacks, or is made an end.
//!
//! Every edge is chosen at the end that comes first, so a square that is settled turns only to squares ahead.
//! Its slot is then free for another square. Two joined ends of one path would close a cycle too early, and
//! are refused.
//!
//! Invariant: the states that a step leads to are all ways to settle its square, each once.
//! Cost: a few operations on one word of 128 bits a way.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::half::plan::{Step, Work};
use crate::count::middle::half::state::{DONE, State, degree, degrees, linked, mate, rewrite};
use crate::count::middle::join::pattern::Pattern;

impl Step {
    /// The places whose degrees are final from now on.
    pub(in crate::count::middle) fn places(&self) -> Pattern {
        self.final_slots.iter().fold(0, |known, &(_, place)| known | 3 << (2 * place))
    }

    /// How many classes the degrees of the final slots can fall into.
    pub(in crate::count::middle) fn classes(&self) -> usize {
        3_usize.pow(u32::try_from(self.final_slots.len()).expect("few"))
    }

    /// Which class the degrees of the final slots fall into.
    #[inline]
    pub(in crate::count::middle) fn class(&self, state: State) -> usize {
        self.final_slots.iter().fold(0, |class, &(slot, _)| 3 * class + degree(state, slot))
    }

    /// The digits that a class adds to a pattern.
    pub(in crate::count::middle) fn digits(&self, class: usize) -> Pattern {
        let mut class = class;
        self.final_slots.iter().rev().fold(0, |pattern, &(_, place)| {
            let digit = class % 3;
            class /= 3;
            pattern | (digit as Pattern) << (2 * place)
        })
    }

    /// Has the state an end of the colour of this step's square, where ends must differ?
    #[inline]
    fn repeats_colour(&self, state: State) -> bool {
        let Some(colours) = &self.colours else { return false };
        if degree(state, colours.apex) != 1 {
            return false;
        }
        let [dark, light] = degrees(state, [colours.dark, colours.light]).map(u32::cast_signed);
        (dark - light + colours.settled > 0) == colours.here
    }

    /// All states that this step leads to.
    #[inline]
    pub(in crate::count::middle) fn apply(&self, state: State, mut next: impl FnMut(State)) {
        match &self.work {
            Work::Settle { slot, ahead, must: None } => {
                // The apex is the last that a square may turn to.
                let open = ahead.len() - usize::from(self.repeats_colour(state));
                settle(state, *slot, &ahead[..open], next);
            }
            Work::Settle { slot, ahead, must: Some(apex) } => {
                let free = |state| rewrite(state, *slot, mate(state, *slot), *slot);
                match degree(state, *slot) {
                    0 => {
                        let ended = linked(state, *slot, *apex);
                        for &other in ended.iter().flat_map(|_| ahead) {
                            let joined = ended.and_then(|state| linked(state, *slot, other));
                            if let Some(state) = joined {
                                next(free(state));
                            }
                        }
                    }
                    1 => {
                        if let Some(state) = linked(state, *slot, *apex) {
                            next(free(state));
                        }
                    }
                    _ => {}
                }
            }
            Work::End { slot, apex, must } => {
                if !must {
                    next(state);
                }
                if self.repeats_colour(state) {
                    return;
                }
                linked(state, *slot, *apex).into_iter().for_each(next);
            }
        }
    }
}

/// Gives a square the edges it lacks, all to squares ahead, and frees its slot.
#[inline]
fn settle(state: State, slot: usize, ahead: &[usize], mut next: impl FnMut(State)) {
    let far = mate(state, slot);
    if far == DONE {
        return next(rewrite(state, slot, DONE, slot));
    }
    if far != slot {
        let freed = rewrite(state, slot, far, slot);
        for &other in ahead {
            let end = mate(state, other);
            if end == DONE || end == slot {
                continue;
            }
            let joined = if end == other { freed } else { rewrite(freed, other, end, DONE) };
            next(rewrite(rewrite(joined, end, other, far), far, slot, end));
        }
        return;
    }
    for (at, &first) in ahead.iter().enumerate() {
        let near = mate(state, first);
        if near == DONE {
            continue;
        }
        let begun = if near == first { state } else { rewrite(state, first, near, DONE) };
        for &second in &ahead[..at] {
            let end = mate(state, second);
            if end == DONE || end == first {
                continue;
            }
            let joined = if end == second { begun } else { rewrite(begun, second, end, DONE) };
            next(rewrite(rewrite(joined, end, second, near), near, first, end));
        }
    }
}
