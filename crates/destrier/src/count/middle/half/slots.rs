//! Degree patterns: how many tour edges each square of the frontier has, two bits each.
//!
//! While a row is settled the frontier lies in three rows: the row itself, the next one, and the one after. Each file has
//! three slots, in the order row, next, after in the left half and the other way round in the right half; the apex of
//! an open count comes last. So mirroring left and right reverses the order of the slots, and going on to the next
//! row keeps the order of all squares that are path ends: the numbers of matchings stay as they are.
//!
//! Invariant: no digit is ever 3.
//! Cost: a handful of word operations for everything.

use crate::count::middle::join::matching::Mirror;
use crate::count::middle::join::pattern::{Pattern, digit, ends_before, pairs};

const ONES: u64 = 0x5555_5555_5555_5555;

/// The row of a frontier square, seen from the row that is being settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) enum Ahead {
    Here = 0,
    Next = 1,
    After = 2,
}

/// The order of the frontier squares of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) struct Slots {
    files: usize,
    apex: bool,
}

impl Slots {
    pub(in crate::count::middle) fn new(files: usize, apex: bool) -> Slots {
        Slots { files, apex }
    }

    /// The slot of a frontier square.
    pub(in crate::count::middle) fn slot(self, ahead: Ahead, file: usize) -> usize {
        let is_left = file < self.files.div_ceil(2);
        3 * file + if is_left { ahead as usize } else { 2 - ahead as usize }
    }

    /// The slot of the apex.
    pub(in crate::count::middle) fn apex(self) -> Option<usize> {
        self.apex.then_some(3 * self.files)
    }

    /// The bits of all slots of one row.
    pub(in crate::count::middle) fn row(self, ahead: Ahead) -> Pattern {
        (0..self.files).fold(0, |bits, file| bits | 3 << (2 * self.slot(ahead, file)))
    }

    fn squares(self) -> Pattern {
        (1 << (6 * self.files)) - 1
    }

    /// The pattern seen in a mirror, left for right.
    pub(in crate::count::middle) fn mirrored(self, pattern: Pattern) -> Pattern {
        let bits = (pattern & self.squares()).reverse_bits();
        let digits = ((bits & ONES) << 1) | ((bits >> 1) & ONES);
        let mut mirror = digits >> (64 - 6 * self.files);
        if self.files % 2 == 1 {
            // The centre file is its own image: its outer slots change places back.
            let low = 6 * (self.files / 2);
            let file = (mirror >> low) & 63;
            let back = (file >> 4) | (file & 0b1100) | (file & 0b11) << 4;
            mirror ^= (file ^ back) << low;
        }
        mirror | (pattern & !self.squares())
    }

    /// Of a pattern at the end of a row and its mirror image, the one that stands for both: is it this one?
    pub(in crate::count::middle) fn stands_for_both(
        self,
        pattern: Pattern,
        mirror: Pattern,
    ) -> bool {
        // By the outer row first: measured to leave the fewest states in the next row.
        let row = self.row(Ahead::After);
        (pattern & row, pattern) <= (mirror & row, mirror)
    }

    /// What mirroring does to the matchings of a pattern whose own row is settled.
    pub(in crate::count::middle) fn mirror(self, pattern: Pattern) -> Mirror {
        let image = self.mirrored(pattern);
        let centre = self.files / 2;
        let both = |ahead| digit(image, self.slot(ahead, centre)) == 1;
        let is_odd = self.files % 2 == 1;
        Mirror {
            pairs: pairs(pattern),
            but_last: self.apex().is_some_and(|apex| digit(pattern, apex) == 1),
            centre: (is_odd && both(Ahead::Next) && both(Ahead::After))
                .then(|| ends_before(image, self.slot(Ahead::Next, centre)))
                .map(|place| u8::try_from(place).expect("few ends")),
        }
    }

    /// The pattern as the next row sees it, once all squares of this row are settled.
    pub(in crate::count::middle) fn next_row(self, pattern: Pattern) -> Pattern {
        debug_assert_eq!(pattern & self.row(Ahead::Here), 0, "the row is settled");
        let left = (1 << (6 * self.files.div_ceil(2))) - 1;
        let right = self.squares() & !left;
        (pattern & left) >> 2 | (pattern & right) << 2 | (pattern & !self.squares())
    }

    /// The inverse of [`Slots::next_row`].
    pub(in crate::count::middle) fn of_next_row(self, pattern: Pattern) -> Pattern {
        let left = (1 << (6 * self.files.div_ceil(2))) - 1;
        let right = self.squares() & !left;
        (pattern & left) << 2 | (pattern & right) >> 2 | (pattern & !self.squares())
    }

    /// The two middle rows alone, two slots per file in the same order: the pattern after the last row.
    pub(in crate::count::middle) fn middle(self, pattern: Pattern) -> Pattern {
        let mut packed = 0;
        for file in 0..self.files {
            let first = 2 * (3 * file + usize::from(file < self.files.div_ceil(2)));
            packed |= ((pattern >> first) & 15) << (4 * file);
        }
        packed | (pattern >> (6 * self.files)) << (4 * self.files)
    }

    /// The inverse of [`Slots::middle`].
    pub(in crate::count::middle) fn of_middle(self, packed: Pattern) -> Pattern {
        let mut pattern = 0;
        for file in 0..self.files {
            let first = 2 * (3 * file + usize::from(file < self.files.div_ceil(2)));
            pattern |= ((packed >> (4 * file)) & 15) << first;
        }
        pattern | (packed >> (4 * self.files)) << (6 * self.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;

    fn random_pattern(slots: Slots, rows: &[Ahead], random: &mut Random) -> Pattern {
        let mut pattern = 0;
        for file in 0..slots.files {
            for &row in rows {
                pattern |= (random.below(3) as u64) << (2 * slots.slot(row, file));
            }
        }
        slots.apex().map_or(pattern, |apex| pattern | (random.below(3) as u64) << (2 * apex))
    }

    #[test]
    fn the_mirror_and_the_next_row_agree_with_the_squares() {
        let mut random = Random::new(9);
        for (files, apex) in (3..=10).flat_map(|files| [(files, false), (files, true)]) {
            let slots = Slots::new(files, apex);
            for _ in 0..200 {
                let all = [Ahead::Here, Ahead::Next, Ahead::After];
                let pattern = random_pattern(slots, &all, &mut random);
                let mirror = slots.mirrored(pattern);
                assert_eq!(slots.mirrored(mirror), pattern);
                let settled = random_pattern(slots, &all[1..], &mut random);
                let next = slots.next_row(settled);
                let middle = slots.middle(settled);
                assert_eq!(slots.of_middle(middle), settled);
                assert_eq!(slots.of_next_row(next), settled);
                for file in 0..files {
                    for ahead in all {
                        let image = digit(mirror, slots.slot(ahead, files - 1 - file));
                        assert_eq!(digit(pattern, slots.slot(ahead, file)), image);
                    }
                    let [here, near, far] = [next, settled, settled]
                        .map(|p| move |ahead| digit(p, slots.slot(ahead, file)));
                    assert_eq!(here(Ahead::Here), near(Ahead::Next));
                    assert_eq!(here(Ahead::Next), far(Ahead::After));
                    assert_eq!(here(Ahead::After), 0);
                    let is_left = file < files.div_ceil(2);
                    let (first, second) = (digit(middle, 2 * file), digit(middle, 2 * file + 1));
                    let pair = if is_left { (first, second) } else { (second, first) };
                    assert_eq!(pair, (near(Ahead::Next), far(Ahead::After)));
                }
            }
        }
    }

    /// The partners of all ends by square, before and after mirroring.
    #[test]
    fn mirrored_matchings_join_the_mirrored_squares() {
        use crate::count::middle::join::matching::{matchings, unrank};
        let mut random = Random::new(4);
        for (files, apex) in [(4, false), (4, true), (5, false), (5, true)] {
            let slots = Slots::new(files, apex);
            let rows = [Ahead::Next, Ahead::After];
            let ends = |pattern: Pattern| -> Vec<usize> {
                (0..=3 * files).filter(|&slot| digit(pattern, slot) == 1).collect()
            };
            let image = |slot: usize| {
                let of =
                    |file, ahead| (slots.slot(ahead, file), slots.slot(ahead, files - 1 - file));
                let squares = (0..files).flat_map(|file| rows.map(|ahead| of(file, ahead)));
                squares.into_iter().find(|&(own, _)| own == slot).map_or(slot, |(_, image)| image)
            };
            for _ in 0..300 {
                let pattern = random_pattern(slots, &rows, &mut random);
                if (pattern & ONES).count_ones() % 2 == 1 || pairs(pattern) == 0 {
                    continue;
                }
                let number = u32::try_from(random.below(matchings(pairs(pattern)))).unwrap();
                let (own, mirrored) = (ends(pattern), ends(slots.mirrored(pattern)));
                let there = slots.mirror(pattern).apply(number);
                let before = unrank(pairs(pattern), number);
                let after = unrank(pairs(pattern), there);
                for (place, &slot) in own.iter().enumerate() {
                    let at = mirrored.iter().position(|&s| s == image(slot)).unwrap();
                    let partner = mirrored[usize::from(after[at])];
                    assert_eq!(partner, image(own[usize::from(before[place])]));
                }
            }
        }
    }
}
