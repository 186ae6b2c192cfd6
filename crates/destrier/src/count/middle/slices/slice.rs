//! Slices: parts of a count that can be computed independently.
//!
//! A slice fixes the final degrees of the outer files of the middle rows, on both sides: the set of squares
//! is its own mirror image and its own image upside down, so a slice has all patterns that are ever
//! joined with one another or stand for one another. The sums of all slices of one depth add up to
//! the count; a slice can be cut into those of the next depth that agree with it.
//!
//! Invariant: every pair of patterns lies in exactly one slice of each depth.
//! Cost: a sweep of the last row collects as many slices as the memory holds; each sweep more takes its first steps again.
//! Source: `docs/design.md`, section 2.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::count::middle::half::cells::Cells;
use crate::count::middle::half::cut::{Cut, Side};
use crate::count::middle::join::pair::Symmetries;
use crate::count::middle::join::pattern::{Pattern, digit};

/// A part of a count, by the degrees of so many outer files on either side; `0:0` is the whole.
///
/// In JSON and the like it is its text.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slice {
    depth: u8,
    class: Pattern,
}

impl Slice {
    /// The whole count in one slice.
    pub const WHOLE: Slice = Slice { depth: 0, class: 0 };

    /// How many files on either side are looked at.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth as usize
    }

    /// The degrees that are fixed, two bits a square.
    pub(in crate::count) const fn class(&self) -> Pattern {
        self.class
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:x}", self.depth, self.class)
    }
}

impl From<Slice> for String {
    fn from(slice: Slice) -> String {
        slice.to_string()
    }
}

impl TryFrom<String> for Slice {
    type Error = String;

    fn try_from(text: String) -> Result<Slice, String> {
        text.parse()
    }
}

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Slice, String> {
        let wrong = || format!("`{text}` is not a slice; one is written like 1:30a");
        let (depth, class) = text.split_once(':').ok_or_else(wrong)?;
        Ok(Slice {
            depth: depth.parse().map_err(|_| wrong())?,
            class: Pattern::from_str_radix(class, 16).map_err(|_| wrong())?,
        })
    }
}

/// How a question is cut into slices.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Slicing<'a> {
    cut: &'a Cut,
    symmetries: Symmetries,
}

impl<'a> Slicing<'a> {
    /// The slices of a question: they are the same with and without keeping one of two mirror images, so that a journal
    /// serves both.
    pub(in crate::count::middle) fn new(cut: &'a Cut) -> Slicing<'a> {
        // The edges in the centre of an odd width, which the mirror does not keep, touch no file that a slice fixes.
        let mirror = cut.is_mirror_symmetric();
        Slicing { cut, symmetries: Symmetries { mirror, ..Symmetries::of(cut) } }
    }

    /// The deepest slices that there are: the centre stays free, and there are not too many to list.
    pub(in crate::count::middle) fn deepest(&self) -> usize {
        ((self.cut.files - 2) / 2).min(2)
    }

    /// The digits that slices of this depth fix, by their places.
    fn places(&self, depth: usize) -> Vec<usize> {
        let files = self.cut.files;
        let outer = (0..files).filter(|&file| file.min(files - 1 - file) < depth);
        outer.flat_map(|file| [2 * file, 2 * file + 1]).collect()
    }

    fn mask(&self, depth: usize) -> Pattern {
        self.places(depth).iter().fold(0, |mask, place| mask | 3 << (2 * place))
    }

    /// The slice of this depth that a pattern of the upper half belongs to.
    pub(in crate::count::middle) fn slice_of(&self, pattern: Pattern, depth: usize) -> Slice {
        let mask = self.mask(depth);
        let images = self.symmetries.images(pattern);
        let class = images.map(|image| image & mask).min().expect("itself");
        Slice { depth: u8::try_from(depth).expect("at most two"), class }
    }

    /// All slices of a depth that a count can need.
    pub(in crate::count::middle) fn all(&self, depth: usize) -> BTreeSet<Slice> {
        self.extended(0, &self.places(depth), depth)
    }

    /// The slices of a depth that have this pattern, with all degrees that a count can need on these squares.
    fn extended(&self, pattern: Pattern, places: &[usize], depth: usize) -> BTreeSet<Slice> {
        let reach = [Side::Top, Side::Bottom].map(|side| self.reach(side));
        let fits = |pattern: Pattern, place: usize| {
            let here = digit(pattern, place);
            here <= reach[0][place] && 2 - here <= reach[1][place ^ 1]
        };
        let mut patterns = vec![pattern];
        for &place in places {
            patterns = patterns
                .iter()
                .flat_map(|&pattern| (0..3).map(move |digit| pattern | digit << (2 * place)))
                .filter(|&pattern| fits(pattern, place))
                .collect();
        }
        patterns.into_iter().map(|pattern| self.slice_of(pattern, depth)).collect()
    }

    /// The slices that a slice is cut into: those of the next depth that agree with it, each of which has an image with the
    /// slice's own degrees. None if it is as deep as they go.
    pub(in crate::count::middle) fn within(&self, slice: Slice) -> Vec<Slice> {
        let depth = slice.depth();
        if depth >= self.deepest() {
            return Vec::new();
        }
        let known = self.places(depth);
        let more: Vec<usize> =
            self.places(depth + 1).into_iter().filter(|place| !known.contains(place)).collect();
        self.extended(slice.class, &more, depth + 1).into_iter().collect()
    }

    /// The most edges that a half can give each middle square.
    fn reach(&self, side: Side) -> Vec<u64> {
        let (cut, middle) = (self.cut, self.cut.middle());
        let mut reach = vec![0; 2 * cut.files];
        let rows = cut.depth(side);
        for file in 0..cut.files {
            let beside = |distance: usize| {
                u64::from(file >= distance) + u64::from(file + distance < cut.files)
            };
            reach[middle.place(true, file)] = if rows > 0 { beside(1) } else { 0 };
            let near = if rows > 0 { beside(2) } else { 0 } + if rows > 1 { beside(1) } else { 0 };
            reach[middle.place(false, file)] = near + u64::from(cut.is_open());
        }
        for (near, far) in cut.shares(false) {
            reach[middle.place(false, near)] += 1;
            reach[middle.place(true, far)] += 1;
        }
        reach
    }

    /// Slices of one depth as a half sees them, numbered in this order.
    pub(in crate::count::middle) fn cells(&self, slices: &[Slice], side: Side) -> Cells {
        let depth = slices.first().map_or(0, Slice::depth);
        debug_assert!(slices.iter().all(|slice| slice.depth() == depth), "slices of one depth");
        let (middle, mask) = (self.cut.middle(), self.mask(depth));
        Cells::new(self.places(depth), slices.len(), |digits| {
            let is_degree = |place| digit(digits, place) < 3;
            if !(0..middle.places()).all(is_degree) {
                return None;
            }
            let upper = if side == Side::Top { digits } else { middle.completed(digits) & mask };
            let slice = self.slice_of(upper, depth);
            slices.iter().position(|other| *other == slice)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::middle::half::cut::Ends;

    #[test]
    fn a_slice_is_read_back_from_its_text() {
        let cut = Cut::new(7, 8, Ends::Closed);
        for slice in Slicing::new(&cut).all(1) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
        for wrong in ["one", "1:xyz", "1:3/0-2", "1:", ":1", "1;2"] {
            assert!(wrong.parse::<Slice>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_slices_within_make_up_the_slice() {
        for (files, rows, ends) in [
            (6, 6, Ends::Closed),
            (6, 7, Ends::Free),
            (7, 8, Ends::From((0, 0))),
            (5, 6, Ends::Free),
        ] {
            let cut = Cut::new(files, rows, ends);
            let slicing = Slicing::new(&cut);
            let mut slices = vec![Slice::WHOLE];
            for depth in 1..=slicing.deepest() {
                slices = slices.into_iter().flat_map(|slice| slicing.within(slice)).collect();
                slices.sort_unstable();
                assert_eq!(slices, slicing.all(depth).into_iter().collect::<Vec<_>>());
            }
            assert!(slices.iter().all(|&slice| slicing.within(slice).is_empty()));
        }
    }
}
