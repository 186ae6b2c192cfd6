//! What mirroring left and right does to the matchings of a pattern.
//!
//! The middle squares are ordered so that mirroring reverses the order of the ends: one table for each number
//! of pairs. Two things stay where they are: the apex of an open count, which is the last end, and
//! the two squares of the centre file, which are exchanged back where both are ends.
//!
//! Invariant: mirroring twice gives the same number back.
//! Cost: one or two look-ups where there are tables, O(j) above.

use crate::count::middle::join::matching::{DENSE, Level, MOST_POINTS, rank, unrank};
use crate::count::middle::join::pattern::{Middle, Pattern, pairs};

/// What mirroring does to the numbers of the matchings of a pattern.
#[derive(Debug)]
pub(in crate::count::middle) struct Turn {
    pairs: usize,
    but_last: bool,
    centre: Option<usize>,
}

impl Turn {
    /// From the matchings of this pattern to those of its mirror image.
    pub(in crate::count::middle) fn mirror(middle: Middle, pattern: Pattern) -> Turn {
        let centre = middle.centre_ends(middle.mirrored(pattern));
        Turn { pairs: pairs(pattern), but_last: middle.apex_is_end(pattern), centre }
    }

    /// The maps to go through, in order; only where there are tables.
    pub(in crate::count::middle) fn maps(&self) -> impl Iterator<Item = &'static [u16]> {
        let level = Level::of(self.pairs);
        let centre = self.centre.map(|place| level.moved(place, place + 1));
        std::iter::once(level.reversed(self.but_last)).chain(centre)
    }

    pub(in crate::count::middle) fn apply(&self, number: u64) -> u64 {
        if self.pairs <= DENSE {
            return self.maps().fold(number, |number, map| {
                u64::from(map[usize::try_from(number).expect("a number of a level")])
            });
        }
        let points = 2 * self.pairs;
        let partners = unrank(self.pairs, u32::try_from(number).expect("a number of a matching"));
        let to = |point: usize| {
            let back = if self.but_last {
                if point + 1 == points { point } else { points - 2 - point }
            } else {
                points - 1 - point
            };
            match self.centre {
                Some(place) if back == place => place + 1,
                Some(place) if back == place + 1 => place,
                _ => back,
            }
        };
        let mut turned = [0; MOST_POINTS];
        for point in 0..points {
            turned[to(point)] = u8::try_from(to(usize::from(partners[point]))).expect("few points");
        }
        u64::from(rank(&turned[..points]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::middle::join::matching::matchings;

    #[test]
    fn mirroring_twice_changes_nothing() {
        for (files, apex) in [(6, false), (6, true), (7, false), (7, true)] {
            let middle = Middle::new(files, apex);
            let mut seed: u64 = 3;
            for _ in 0..300 {
                let mut pattern = 0;
                for place in 0..middle.places() {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    pattern |= ((seed >> 40) % 3) << (2 * place);
                }
                if !(pattern & 0x5555_5555_5555).count_ones().is_multiple_of(2) {
                    continue;
                }
                let (there, back) =
                    (Turn::mirror(middle, pattern), Turn::mirror(middle, middle.mirrored(pattern)));
                for number in (0..matchings(pairs(pattern))).step_by(7) {
                    assert_eq!(back.apply(there.apply(number)), number);
                }
            }
        }
    }
}
