//! Slices: parts of a count that can be worked out each by itself.
//!
//! A slice fixes the final degrees of the outer files of the middle rows, on both sides: the set of squares
//! is its own mirror image and its own image upside down, so a slice has all patterns that are ever
//! joined with one another or stand for one another. The sums of all slices of one depth add up to
//! the count. A slice that is too large is cut into three groups of the slices of the next depth that agree with it,
//! a group into three smaller ones, so that the memory that there is is used.
//!
//! Invariant: every pair of patterns lies in exactly one slice of each depth, and of the groups that a slice is cut into.
//! Cost: a slice reads the states before the last row again, less those that cannot come to its degrees.
//! Source: `docs/design.md`, section 2.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::str::FromStr;

use crate::count::middle::half::cut::{Cut, Side};
use crate::count::middle::half::plan::Step;
use crate::count::middle::half::slots::{Ahead, Slots};
use crate::count::middle::half::sweep::Wanted;
use crate::count::middle::join::pair::Symmetries;
use crate::count::middle::join::pattern::{Pattern, digit};

/// A part of a count, by the degrees of so many outer files on either side; `0:0` is the whole, and `1:30a/4-7` the
/// fifth to the eighth of the slices of the next depth within `1:30a`.
///
/// In JSON and the like it is its text.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slice {
    depth: u8,
    class: Pattern,
    /// The first and the last of the slices of the next depth that are meant; nothing for all.
    group: Option<(u16, u16)>,
}

impl Slice {
    /// The whole count in one slice.
    pub const WHOLE: Slice = Slice { depth: 0, class: 0, group: None };

    /// How many files on either side are looked at.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth as usize + self.group.is_some() as usize
    }

    /// The degrees that are fixed, two bits a square.
    pub(in crate::count) const fn class(&self) -> Pattern {
        self.class
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:x}", self.depth, self.class)?;
        self.group.map_or(Ok(()), |(first, last)| write!(f, "/{first}-{last}"))
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
        let (slice, group) = text.split_once('/').map_or((text, None), |(s, g)| (s, Some(g)));
        let (depth, class) = slice.split_once(':').ok_or_else(wrong)?;
        let ends = |group: &str| {
            let (first, last) = group.split_once('-')?;
            Some((first.parse().ok()?, last.parse().ok()?)).filter(|(first, last)| first < last)
        };
        Ok(Slice {
            depth: depth.parse().map_err(|_| wrong())?,
            class: Pattern::from_str_radix(class, 16).map_err(|_| wrong())?,
            group: group.map(|group| ends(group).ok_or_else(wrong)).transpose()?,
        })
    }
}

/// A slice is cut into so many pieces. More make slices smaller than need be, fewer more attempts that fail.
const PIECES: usize = 3;

/// How a question is cut into slices.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Slicing<'a> {
    cut: &'a Cut,
    symmetries: Symmetries,
}

impl<'a> Slicing<'a> {
    pub(in crate::count::middle) fn new(cut: &'a Cut, symmetries: Symmetries) -> Slicing<'a> {
        Slicing { cut, symmetries }
    }

    /// The deepest slices that there are: the centre stays free, and there are not too many to list.
    pub(in crate::count::middle) fn deepest(&self) -> usize {
        ((self.cut.files - 1) / 2).min(3)
    }

    /// The digits that slices of this depth fix.
    fn mask(&self, depth: usize) -> Pattern {
        let files = self.cut.files;
        (0..depth).fold(0, |mask, file| mask | 15 << (4 * file) | 15 << (4 * (files - 1 - file)))
    }

    /// The slice of this depth that a pattern of the upper half belongs to.
    pub(in crate::count::middle) fn slice_of(&self, pattern: Pattern, depth: usize) -> Slice {
        let mask = self.mask(depth);
        let class =
            self.symmetries.images(pattern).map(|image| image & mask).min().expect("itself");
        Slice { depth: u8::try_from(depth).expect("at most three"), class, group: None }
    }

    /// All slices of a depth that a count can need.
    pub(in crate::count::middle) fn all(&self, depth: usize) -> BTreeSet<Slice> {
        self.extended(0, self.mask(depth), depth)
    }

    /// The slices of a depth that have this pattern, with all degrees that a count can need on the squares of the mask.
    fn extended(&self, pattern: Pattern, mask: Pattern, depth: usize) -> BTreeSet<Slice> {
        let reach = [Side::Top, Side::Bottom].map(|side| self.reach(side));
        let fits = |pattern: Pattern, place: usize| {
            let here = digit(pattern, place);
            here <= reach[0][place] && 2 - here <= reach[1][place ^ 1]
        };
        let mut patterns = vec![pattern];
        for place in (0..2 * self.cut.files).filter(|&place| digit(mask, place) != 0) {
            patterns = patterns
                .iter()
                .flat_map(|&pattern| (0..3).map(move |digit| pattern | digit << (2 * place)))
                .filter(|&pattern| fits(pattern, place))
                .collect();
        }
        patterns.into_iter().map(|pattern| self.slice_of(pattern, depth)).collect()
    }

    /// The slices that a slice, or a group of them, is cut into; none if it is as deep as they go.
    pub(in crate::count::middle) fn within(&self, slice: Slice) -> Vec<Slice> {
        if slice.depth() == self.deepest() && slice.group.is_none() {
            return Vec::new();
        }
        let deeper = if slice.group.is_none() { self.deeper(slice) } else { self.members(slice) };
        let before = slice.group.map_or(0, |(first, _)| usize::from(first));
        let size = deeper.len().div_ceil(PIECES).max(1);
        let ordinal = |at: usize| u16::try_from(before + at).expect("few slices within one");
        (deeper.chunks(size).zip((0..).step_by(size)))
            .map(|(chunk, at)| match chunk {
                &[only] => only,
                _ => Slice { group: Some((ordinal(at), ordinal(at + chunk.len() - 1))), ..slice },
            })
            .collect()
    }

    /// The slices of the next depth that agree with a slice. Every one of them has an image with the slice's own degrees.
    fn deeper(&self, slice: Slice) -> Vec<Slice> {
        let depth = usize::from(slice.depth);
        let mask = self.mask(depth + 1) & !self.mask(depth);
        self.extended(slice.class, mask, depth + 1).into_iter().collect()
    }

    /// The slices of a group, or the one slice that it is.
    pub(in crate::count) fn members(&self, slice: Slice) -> Vec<Slice> {
        let Some((first, last)) = slice.group else { return vec![slice] };
        let (first, many) = (usize::from(first), usize::from(last - first) + 1);
        self.deeper(slice).into_iter().skip(first).take(many).collect()
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

    /// What the last row of a half must bring about for a slice, if so many outer files get their edges between the
    /// middle rows with it, and one of two mirror images is kept.
    pub(in crate::count::middle) fn wanted(
        &self,
        slice: Slice,
        side: Side,
        (early, mirror): (usize, bool),
    ) -> InSlice {
        let middle = self.cut.middle();
        let late = [false, true].map(|mirrored| self.cut.late_links(early, mirrored));
        let late =
            late.iter().flatten().fold(0, |late, &(x, y)| late | 3 << (2 * x) | 3 << (2 * y));
        // Some degrees of the outermost files cannot be completed by the other half. So the whole count looks at these, too.
        let members: Vec<Slice> = match slice {
            Slice::WHOLE => self.all(early.min(1)).into_iter().collect(),
            _ => self.members(slice),
        };
        let depth = members.iter().map(Slice::depth).max().unwrap_or_default();
        let mask = self.mask(depth) & !late;
        let mut classes: HashSet<Pattern> = members
            .into_iter()
            .flat_map(|member| self.symmetries.images(member.class))
            .map(|image| if side == Side::Top { image } else { middle.completed(image) } & mask)
            .collect();
        if mirror {
            let images: Vec<Pattern> =
                classes.iter().map(|&class| middle.mirrored(class)).collect();
            classes.extend(images);
        }
        let slots = Slots::new(self.cut.files, self.cut.is_open());
        let classes: HashSet<Pattern> =
            classes.into_iter().map(|class| slots.of_middle(class)).collect();
        let mask = slots.of_middle(mask);
        let links = self.cut.early_links(early);
        let gaps = (0..self.cut.files)
            .filter(|&file| digit(mask, slots.slot(Ahead::Next, file)) != 0)
            .map(|file| {
                let slot = slots.slot(Ahead::Next, file);
                let beside = usize::from(file >= 2) + usize::from(file + 2 < self.cut.files);
                let links = links.iter().filter(|&&(near, _)| near == file).count();
                let touches = beside + links + usize::from(self.cut.is_open());
                let mut fitting = [false; 3];
                for class in &classes {
                    let last = usize::try_from(digit(*class, slot)).expect("a digit");
                    fitting[last.saturating_sub(touches)..=last].fill(true);
                }
                Gap { slot, fitting }
            });
        let gaps = gaps.filter(|gap| gap.fitting != [true; 3]).collect();
        InSlice { gaps, mask, classes }
    }
}

/// What a near middle square must have before the last row, for some class to be in reach; not all degrees fit.
#[derive(Debug)]
struct Gap {
    slot: usize,
    /// Whether each degree fits.
    fitting: [bool; 3],
}

/// The degrees of a slice, as the last row of a half sees them.
#[derive(Debug)]
pub(in crate::count::middle) struct InSlice {
    gaps: Vec<Gap>,
    mask: Pattern,
    classes: HashSet<Pattern>,
}

impl InSlice {
    /// Can a pattern before the last row come to the degrees of the slice?
    pub(in crate::count::middle) fn is_in_reach(&self, pattern: Pattern) -> bool {
        let fits =
            |gap: &Gap| gap.fitting[usize::try_from(digit(pattern, gap.slot)).expect("a digit")];
        self.gaps.iter().all(fits)
    }

    /// Is every pattern in reach?
    pub(in crate::count::middle) fn is_everything(&self) -> bool {
        self.gaps.is_empty()
    }

    /// The parts of the row that can come to the degrees of the slice.
    pub(in crate::count::middle) fn of_steps(&self, steps: &[Step]) -> Wanted {
        Wanted::new(steps, self.mask, &self.classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::middle::half::cut::Ends;

    #[test]
    fn a_slice_is_read_back_from_its_text() {
        let cut = Cut::new(7, 8, Ends::Closed);
        let slicing = Slicing::new(&cut, Symmetries::of(&cut));
        for slice in slicing.all(1) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
        assert!("one".parse::<Slice>().is_err());
        for wrong in ["1:xyz", "1:3/", "1:3/2", "1:3/2-2", "1:3/3-2", "1:3/a-b", "1:3/0-70000"] {
            assert!(wrong.parse::<Slice>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_slices_within_make_up_the_slice() {
        for (files, rows, ends) in
            [(6, 6, Ends::Closed), (6, 7, Ends::Free), (7, 8, Ends::From((0, 0)))]
        {
            let cut = Cut::new(files, rows, ends);
            let slicing = Slicing::new(&cut, Symmetries::of(&cut));
            let mut within = slicing.within(Slice::WHOLE);
            assert!((2..=PIECES).contains(&within.len()), "{within:?}");
            // Cut again and again, they come to the slices of every depth.
            for depth in 1..=slicing.deepest().min(2) {
                while within.iter().any(|slice| slice.group.is_some()) {
                    within = (within.into_iter())
                        .flat_map(|s| if s.group.is_some() { slicing.within(s) } else { vec![s] })
                        .collect();
                }
                let mut all = within.clone();
                all.sort_unstable();
                assert_eq!(all, slicing.all(depth).into_iter().collect::<Vec<_>>());
                within = within.into_iter().flat_map(|s| slicing.within(s)).collect();
                for slice in &within {
                    let pieces: Vec<Slice> =
                        slicing.within(*slice).iter().flat_map(|s| slicing.members(*s)).collect();
                    if slice.group.is_some() {
                        assert_eq!(pieces, slicing.members(*slice));
                    }
                    assert_eq!(slice.to_string().parse(), Ok(*slice));
                }
            }
        }
    }
}
