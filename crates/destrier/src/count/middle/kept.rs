//! What a settled half leaves: for each degree pattern, its matchings and their counts.
//!
//! The last row of a half ends in parts, one for each degree pattern. A state of a part is then no more
//! than the number of a matching and a count, packed in eight bytes. Where states were kept one
//! of a mirror pair, a pattern and its mirror image are laid together under the lesser of the two.
//!
//! Invariant: a pattern is listed once; counts are the true numbers of ways, not doubled by mirroring.
//! Cost: eight bytes a state; a look-up is a probe or two.
//! After: the design note's point 7.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::budget::Budget;
use super::matching::{DENSE, MOST_POINTS, matchings, rank};
use super::pattern::{Middle, Pattern, digit, pairs};
use super::plan::Plan;
use super::state::{Packing, State, mate};
use super::sweep::Sink;
use super::turn::Turn;
use crate::watch::Halt;

/// A number of a matching in the low bits, a count above.
pub(super) type Entry = u64;

/// A stretch of entries in one of the pieces.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    pattern: Pattern,
    piece: u32,
    length: u32,
    start: u64,
}

/// All patterns of a half with their entries.
#[derive(Debug)]
pub(super) struct Kept {
    middle: Middle,
    rank_bits: u32,
    mirrored: bool,
    pieces: Vec<Vec<Entry>>,
    stretches: Vec<Stretch>,
    /// The places that no link touches: a pattern and all that come of it agree there.
    steady: Pattern,
    shelves: Vec<Shelf>,
    /// For each shelf an open-addressed table of indices into the stretches, plus one.
    directory: Vec<u32>,
    /// The sum of all counts, both mirror images counted.
    mass: u128,
}

/// All patterns that agree at the steady places; what is asked for together lies together.
#[derive(Clone, Copy, Debug)]
struct Shelf {
    steady: Pattern,
    start: usize,
    mask: usize,
}

/// A shelf, and which patterns with its steady digits are listed by their mirror image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened<'a> {
    kept: &'a Kept,
    shelf: Shelf,
    images: Images,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Images {
    None,
    Some,
    All,
}

/// The entries of a pattern; `turned` when they stand for the mirror image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) turned: bool,
}

/// Gathers the final parts of one thread.
#[derive(Debug)]
pub(super) struct Harvest<'b> {
    budget: &'b Budget,
    packing: Packing,
    middle: Middle,
    slot_of_place: Vec<usize>,
    rank_bits: u32,
    /// Many short pieces, so that none is ever copied to grow.
    pieces: Vec<Vec<Entry>>,
    stretches: Vec<Stretch>,
    is_overfull: bool,
}

/// Entries of a piece, unless a single pattern needs more.
const PIECE: usize = 1 << 17;

/// The most entries that a single count may need.
const MOST_ENTRIES: u128 = 1 << 10;

/// The bits that the number of any matching of the middle needs.
pub(super) fn rank_bits(middle: Middle) -> u32 {
    matchings(middle.places() / 2).ilog2() + 1
}

impl<'b> Harvest<'b> {
    pub(super) fn new(
        middle: Middle,
        plan: &Plan,
        packing: Packing,
        budget: &'b Budget,
    ) -> Harvest<'b> {
        let mut slot_of_place = vec![0; middle.places()];
        for &(slot, place) in plan.steps.iter().flat_map(|step| &step.final_slots) {
            slot_of_place[place] = slot;
        }
        let rank_bits = rank_bits(middle);
        Harvest {
            budget,
            packing,
            middle,
            slot_of_place,
            rank_bits,
            pieces: Vec::new(),
            stretches: Vec::new(),
            is_overfull: false,
        }
    }

    /// How many bytes it is written in.
    pub(super) fn written_size(&self) -> usize {
        let entries: usize = self.pieces.iter().map(Vec::len).sum();
        17 + 12 * self.stretches.len() + 8 * entries
    }

    /// Writes the harvest down: its patterns, each with its entries.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(self.stretches.len() as u64).to_le_bytes());
        bytes.push(u8::from(self.is_overfull));
        let entries: usize = self.pieces.iter().map(Vec::len).sum();
        bytes.extend_from_slice(&(entries as u64).to_le_bytes());
        for stretch in &self.stretches {
            bytes.extend_from_slice(&stretch.pattern.to_le_bytes());
            bytes.extend_from_slice(&stretch.length.to_le_bytes());
            let start = usize::try_from(stretch.start).expect("in memory");
            let piece = &self.pieces[stretch.piece as usize];
            for entry in &piece[start..start + stretch.length as usize] {
                bytes.extend_from_slice(&entry.to_le_bytes());
            }
        }
    }

    /// Reads what another harvest wrote into this empty one; gives the bytes behind it.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(super) fn read<'r>(&mut self, bytes: &'r [u8]) -> Result<&'r [u8], Halt> {
        let mut bytes = bytes;
        let mut next = |length: usize| {
            let (number, rest) = bytes.split_at(length);
            bytes = rest;
            number
        };
        let number = |bytes: &[u8]| {
            bytes.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let count = number(next(8));
        self.is_overfull = next(1) != [0];
        let mut entries = Vec::with_capacity(usize::try_from(number(next(8))).unwrap_or(0));
        for _ in 0..count {
            let pattern = number(next(8));
            let length = u32::try_from(number(next(4))).expect("four bytes");
            self.budget.charge(16 * u64::from(length) + 256)?;
            let start = entries.len() as u64;
            let words = next(8 * length as usize).chunks_exact(8);
            entries.extend(words.map(|word| u64::from_le_bytes(word.try_into().expect("eight"))));
            self.stretches.push(Stretch { pattern, piece: 0, length, start });
        }
        self.pieces = vec![entries];
        Ok(bytes)
    }
}

impl Sink for Harvest<'_> {
    fn take(&mut self, pattern: Pattern, states: &[State]) -> Result<(), Halt> {
        // An entry here, one more when mirror images are laid together; and for each pattern its place in
        // the lists and the patterns that links make of it.
        self.budget.charge(16 * states.len() as u64 + 256)?;
        let mut ends = [0; MOST_POINTS];
        let mut place_of_slot = [0; 32];
        let mut points = 0;
        for place in 0..self.middle.places() {
            if digit(pattern, place) == 1 {
                let slot = self.slot_of_place[place];
                ends[points] = slot;
                place_of_slot[slot] = u8::try_from(points).expect("few points");
                points += 1;
            }
        }
        let room = self.pieces.last().map_or(0, |piece| piece.capacity() - piece.len());
        if room < states.len() {
            self.pieces.push(Vec::with_capacity(PIECE.max(states.len())));
        }
        let piece = u32::try_from(self.pieces.len() - 1).expect("few pieces");
        let entries = self.pieces.last_mut().expect("one was pushed");
        let start = entries.len();
        let mut partners = [0; MOST_POINTS];
        for &state in states {
            for (point, &slot) in ends[..points].iter().enumerate() {
                partners[point] = place_of_slot[mate(state, slot)];
            }
            let number = u64::from(rank(&partners[..points]));
            let count = self.packing.count(state);
            if count >> (64 - self.rank_bits) > MOST_ENTRIES {
                self.is_overfull = true;
            } else {
                push_entry(entries, number, count, self.rank_bits);
            }
        }
        let length = u32::try_from(entries.len() - start).expect("a pattern has few states");
        self.stretches.push(Stretch { pattern, piece, length, start: start as u64 });
        Ok(())
    }
}

/// Adds an entry, or several if the count is more than one can hold.
fn push_entry(entries: &mut Vec<Entry>, number: u64, count: u128, rank_bits: u32) {
    let most = u64::MAX >> rank_bits;
    let mut left = count;
    while left > u128::from(most) {
        entries.push(most << rank_bits | number);
        left -= u128::from(most);
    }
    if left > 0 {
        entries.push(u64::try_from(left).expect("at most the most") << rank_bits | number);
    }
}

impl Kept {
    /// Lays the harvests of all threads together; `mirrored` if states were kept one of a mirror pair.
    /// Nothing if a count was too large to be kept.
    pub(super) fn new(
        middle: Middle,
        harvests: Vec<Harvest<'_>>,
        mirrored: bool,
        links: &[(usize, usize)],
    ) -> Option<Kept> {
        if harvests.iter().any(|harvest| harvest.is_overfull) {
            return None;
        }
        let mut pieces = Vec::new();
        let mut stretches = Vec::new();
        for harvest in harvests {
            let base = u32::try_from(pieces.len()).expect("few pieces");
            let moved = |stretch: &Stretch| Stretch { piece: base + stretch.piece, ..*stretch };
            stretches.extend(harvest.stretches.iter().map(moved));
            pieces.extend(harvest.pieces);
        }
        let rank_bits = rank_bits(middle);
        let touched =
            links.iter().fold(0, |touched: u64, &(x, y)| touched | 3 << (2 * x) | 3 << (2 * y));
        let mut kept = Kept {
            middle,
            rank_bits,
            mirrored,
            pieces,
            stretches,
            // A shelf has its mirror image, so a place is steady only if its mirror image is.
            steady: !(touched | middle.mirrored(touched)) & ((1 << (2 * middle.places())) - 1),
            shelves: Vec::new(),
            directory: Vec::new(),
            mass: 0,
        };
        if mirrored {
            kept.lay_mirror_images_together();
        }
        kept.mass = kept
            .stretches
            .par_iter()
            .map(|stretch| {
                let images = if mirrored && middle.mirrored(stretch.pattern) != stretch.pattern {
                    2
                } else {
                    1
                };
                let counts =
                    kept.entries(stretch).iter().map(|&entry| u128::from(entry >> rank_bits));
                images * counts.sum::<u128>()
            })
            .sum();
        kept.index();
        Some(kept)
    }

    fn entries(&self, stretch: &Stretch) -> &[Entry] {
        let start = usize::try_from(stretch.start).expect("in memory");
        &self.pieces[stretch.piece as usize][start..start + stretch.length as usize]
    }

    fn lay_mirror_images_together(&mut self) {
        let middle = self.middle;
        let mut sorted = std::mem::take(&mut self.stretches);
        let lesser = |stretch: &Stretch| self.lesser(stretch.pattern);
        sorted.par_sort_unstable_by_key(|stretch| (lesser(stretch), stretch.pattern));
        let mut groups: Vec<&[Stretch]> = Vec::new();
        let mut rest = &sorted[..];
        while let Some(first) = rest.first() {
            let size = if rest.len() > 1 && lesser(&rest[1]) == lesser(first) { 2 } else { 1 };
            let (group, later) = rest.split_at(size);
            groups.push(group);
            rest = later;
        }
        let share = groups.len().div_ceil(32 * rayon::current_num_threads()).max(1);
        let laid: Vec<(Vec<Entry>, Vec<Stretch>)> = groups
            .par_chunks(share)
            .enumerate()
            .map(|(piece, groups)| {
                let mut entries = Vec::new();
                let mut stretches = Vec::new();
                let mut sheet = Sheet::default();
                for group in groups {
                    let pattern = lesser(&group[0]);
                    let start = entries.len();
                    for stretch in *group {
                        let number_mask = (1 << self.rank_bits) - 1;
                        let own = stretch.pattern == pattern;
                        let image =
                            stretch.pattern != pattern || middle.mirrored(pattern) == pattern;
                        let turn = Turn::mirror(middle, stretch.pattern);
                        for &entry in self.entries(stretch) {
                            let number = entry & number_mask;
                            let count = u128::from(entry >> self.rank_bits);
                            if own {
                                sheet.add(pairs(pattern), number, count);
                            }
                            if image {
                                sheet.add(pairs(pattern), turn.apply(number), count);
                            }
                        }
                    }
                    sheet.drain(|number, twice| {
                        debug_assert!(twice % 2 == 0, "mirror images have equal counts");
                        push_entry(&mut entries, number, twice / 2, self.rank_bits);
                    });
                    let length =
                        u32::try_from(entries.len() - start).expect("a pattern has few states");
                    let piece = u32::try_from(piece).expect("few pieces");
                    stretches.push(Stretch { pattern, piece, length, start: start as u64 });
                }
                entries.shrink_to_fit();
                (entries, stretches)
            })
            .collect();
        self.pieces.clear();
        for (entries, stretches) in laid {
            self.pieces.push(entries);
            self.stretches.extend(stretches);
        }
    }

    fn index(&mut self) {
        let steady = self.steady;
        self.stretches
            .par_sort_unstable_by_key(|stretch| (stretch.pattern & steady, stretch.pattern));
        for (at, stretch) in self.stretches.iter().enumerate() {
            let digits = stretch.pattern & steady;
            if self.shelves.last().is_none_or(|shelf| shelf.steady != digits) {
                let same =
                    self.stretches[at..].partition_point(|other| other.pattern & steady == digits);
                let size = (2 * same).next_power_of_two();
                let start = self.directory.len();
                self.shelves.push(Shelf { steady: digits, start, mask: size - 1 });
                self.directory.resize(start + size, 0);
            }
            let own = self.shelves.last().expect("one was pushed");
            let table = &mut self.directory[own.start..];
            let mut slot = spread(stretch.pattern) & own.mask;
            while table[slot] != 0 {
                slot = (slot + 1) & own.mask;
            }
            table[slot] = u32::try_from(at + 1).expect("fewer than 2^32 patterns");
        }
    }

    /// The shelf of all patterns that agree with this one at the steady places.
    pub(super) fn open(&self, pattern: Pattern) -> Option<Opened<'_>> {
        let digits = pattern & self.steady;
        let mirrored = self.middle.mirrored(pattern) & self.steady;
        let (digits, images) = match (self.mirrored, digits.cmp(&mirrored)) {
            (false, _) | (true, Ordering::Less) => (digits, Images::None),
            (true, Ordering::Equal) => (digits, Images::Some),
            (true, Ordering::Greater) => (mirrored, Images::All),
        };
        let at = self.shelves.binary_search_by_key(&digits, |shelf| shelf.steady).ok()?;
        Some(Opened { kept: self, shelf: self.shelves[at], images })
    }

    /// Of a pattern and its mirror image, the one that entries are listed under.
    fn lesser(&self, pattern: Pattern) -> Pattern {
        let image = self.middle.mirrored(pattern);
        if (image & self.steady, image) < (pattern & self.steady, pattern) {
            image
        } else {
            pattern
        }
    }

    /// All patterns with entries, mirror images too.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> =
            self.stretches.iter().map(|stretch| stretch.pattern).collect();
        if self.mirrored {
            patterns
                .extend(self.stretches.iter().map(|stretch| self.middle.mirrored(stretch.pattern)));
        }
        patterns.par_sort_unstable();
        patterns.dedup();
        patterns
    }

    /// The sum of all counts.
    pub(super) fn mass(&self) -> u128 {
        self.mass
    }

    pub(super) fn middle(&self) -> Middle {
        self.middle
    }

    /// The places that no link touches.
    pub(super) fn steady(&self) -> Pattern {
        self.steady
    }

    pub(super) fn rank_bits(&self) -> u32 {
        self.rank_bits
    }

    /// How many entries are held.
    pub(super) fn len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }
}

impl<'a> Opened<'a> {
    /// The entries of a pattern of this shelf, if it has any.
    #[inline]
    pub(super) fn get(&self, pattern: Pattern) -> Option<Found<'a>> {
        let listed = match self.images {
            Images::None => pattern,
            Images::Some => self.kept.lesser(pattern),
            Images::All => self.kept.middle.mirrored(pattern),
        };
        let table = &self.kept.directory[self.shelf.start..=self.shelf.start + self.shelf.mask];
        let mut slot = spread(listed) & self.shelf.mask;
        loop {
            let at = table[slot];
            if at == 0 {
                return None;
            }
            let stretch = &self.kept.stretches[at as usize - 1];
            if stretch.pattern == listed {
                return Some(Found {
                    entries: self.kept.entries(stretch),
                    turned: listed != pattern,
                });
            }
            slot = (slot + 1) & self.shelf.mask;
        }
    }
}

fn spread(pattern: Pattern) -> usize {
    usize::try_from(pattern.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33).expect("31 bits")
}

/// A sheet to add up counts by number, quick to clear.
#[derive(Debug, Default)]
struct Sheet {
    dense: Vec<u128>,
    touched: Vec<u32>,
    loose: Vec<(u64, u128)>,
}

impl Sheet {
    fn add(&mut self, pairs: usize, number: u64, count: u128) {
        if pairs > DENSE {
            self.loose.push((number, count));
            return;
        }
        let at = usize::try_from(number).expect("a number of a level");
        if self.dense.len() <= at {
            self.dense.resize(usize::try_from(matchings(pairs)).expect("few"), 0);
        }
        if self.dense[at] == 0 {
            self.touched.push(u32::try_from(at).expect("few"));
        }
        self.dense[at] += count;
    }

    fn drain(&mut self, mut each: impl FnMut(u64, u128)) {
        for &at in &self.touched {
            each(u64::from(at), std::mem::take(&mut self.dense[at as usize]));
        }
        self.touched.clear();
        self.loose.sort_unstable_by_key(|&(number, _)| number);
        for group in self.loose.chunk_by(|a, b| a.0 == b.0) {
            each(group[0].0, group.iter().map(|&(_, count)| count).sum());
        }
        self.loose.clear();
    }
}
