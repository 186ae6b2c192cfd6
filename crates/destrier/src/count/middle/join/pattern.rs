//! Degree patterns of the two middle rows, packed two bits a square.
//!
//! A pattern says for each middle square, and for the apex of an open count, how many of its two
//! tour edges one half of the board has used: 0, 1 or 2. The squares are ordered column by column,
//! upper square first in the left half and lower first in the right half, so that mirroring left
//! and right reverses the order and turning upside down swaps the two digits of a column.
//!
//! Invariant: no digit is ever 3.
//! Cost: a handful of word operations for everything.
//! Source: `docs/design.md`, section 2.

/// Two bits a square: the degree that one half of the board has given it.
pub(in crate::count) type Pattern = u64;

const ONES: u64 = 0x5555_5555_5555_5555;

/// The order of the squares of the middle rows, and the symmetries of patterns in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count) struct Middle {
    files: usize,
    apex: bool,
}

impl Middle {
    pub(in crate::count) fn new(files: usize, apex: bool) -> Middle {
        Middle { files, apex }
    }

    /// The place of a middle square; `far` for the row farther from this half's own rows.
    pub(in crate::count) fn place(self, far: bool, file: usize) -> usize {
        let left = file < self.files.div_ceil(2);
        2 * file + usize::from(far == left)
    }

    /// How many digits a pattern has.
    pub(in crate::count) fn places(self) -> usize {
        2 * self.files + usize::from(self.apex)
    }

    fn squares_mask(self) -> u64 {
        (1 << (4 * self.files)) - 1
    }

    /// The pattern that the other half must have, as that half sees it: upside down.
    pub(in crate::count) fn completed(self, pattern: Pattern) -> Pattern {
        const LOWER: u64 = 0x3333_3333_3333_3333;
        let squares = pattern & self.squares_mask();
        let swapped = ((squares & LOWER) << 2) | ((squares >> 2) & LOWER);
        let turned = swapped | (pattern & !self.squares_mask());
        (ONES << 1 & ((1 << (2 * self.places())) - 1)) - turned
    }

    /// The pattern seen in a mirror, left for right.
    pub(in crate::count) fn mirrored(self, pattern: Pattern) -> Pattern {
        let squares = pattern & self.squares_mask();
        let bits = squares.reverse_bits();
        let digits = ((bits & ONES) << 1) | ((bits >> 1) & ONES);
        let mut mirror = digits >> (64 - 4 * self.files);
        if self.files % 2 == 1 {
            let low = 4 * (self.files / 2);
            let column = (mirror >> low) & 15;
            mirror ^= (column ^ ((column & 3) << 2 | column >> 2)) << low;
        }
        mirror | (pattern & !self.squares_mask())
    }

    /// The place among the ends of the upper centre square, if both squares of the centre file are ends.
    pub(in crate::count) fn centre_ends(self, pattern: Pattern) -> Option<u32> {
        let low = 2 * (self.files - 1);
        (self.files % 2 == 1 && (pattern >> low) & 15 == 0b0101)
            .then(|| ends_before(pattern, self.files - 1))
    }

    /// The files with two ends, each by the place of its first end among all ends.
    pub(in crate::count) fn doubled(self, pattern: Pattern) -> impl Iterator<Item = u32> {
        (0..self.files)
            .filter(move |file| (pattern >> (4 * file)) & 15 == 0b0101)
            .map(move |file| ends_before(pattern, 2 * file))
    }

    /// Is the apex a path end in this pattern?
    pub(in crate::count) fn apex_is_end(self, pattern: Pattern) -> bool {
        self.apex && (pattern >> (4 * self.files)) & 3 == 1
    }
}

/// The digit of a place.
pub(in crate::count) fn digit(pattern: Pattern, place: usize) -> u64 {
    (pattern >> (2 * place)) & 3
}

/// The pattern of one edge.
pub(in crate::count) fn edge(x: usize, y: usize) -> Pattern {
    (1 << (2 * x)) + (1 << (2 * y))
}

/// How many pairs of path ends a pattern has.
pub(in crate::count) fn pairs(pattern: Pattern) -> usize {
    (pattern & ONES).count_ones() as usize / 2
}

/// How many ends come before a place.
pub(in crate::count) fn ends_before(pattern: Pattern, place: usize) -> u32 {
    (pattern & ONES & ((1 << (2 * place)) - 1)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_and_turn_agree_with_the_squares() {
        for files in 3..=10 {
            for apex in [false, true] {
                let middle = Middle::new(files, apex);
                let mut seed: u64 = 9;
                for _ in 0..200 {
                    let mut pattern = 0;
                    for place in 0..middle.places() {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        pattern |= ((seed >> 40) % 3) << (2 * place);
                    }
                    let mirror = middle.mirrored(pattern);
                    let other = middle.completed(pattern);
                    for file in 0..files {
                        for far in [false, true] {
                            let here = digit(pattern, middle.place(far, file));
                            assert_eq!(digit(mirror, middle.place(far, files - 1 - file)), here);
                            assert_eq!(digit(other, middle.place(!far, file)), 2 - here);
                        }
                    }
                    if apex {
                        let place = 2 * files;
                        assert_eq!(digit(mirror, place), digit(pattern, place));
                        assert_eq!(digit(other, place), 2 - digit(pattern, place));
                    }
                    assert_eq!(middle.mirrored(mirror), pattern);
                    assert_eq!(middle.completed(other), pattern);
                }
            }
        }
    }
}
