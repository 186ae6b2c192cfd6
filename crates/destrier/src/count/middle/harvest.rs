//! Gathering what the last row leaves, in an order that a scratch file can take.
//!
//! Each final part is written as one record: its pattern, how many entries it has, and the entries. Records go
//! to *racks*, by the degrees at the steady places that no link touches: a pattern, its mirror
//! image and all patterns that links lead to or from share a rack, so racks can be read one by one.
//!
//! Invariant: a record lies in one rack, in one piece.
//! Cost: eight bytes an entry and sixteen a pattern.
//! After: the design note's point 7.

use super::kept::{Entry, Layout, push_entry};
use super::matching::{MOST_POINTS, rank};
use super::pattern::{Pattern, digit};
use super::plan::Plan;
use super::state::{Packing, State, mate};
use super::store::{Item, Pile, Store, Writer};
use super::sweep::Sink;
use crate::run::watch::Halt;

/// Records that share a rack, and how much they are.
#[derive(Debug, Default)]
pub(super) struct Rack {
    pub(super) pile: Pile,
    pub(super) entries: usize,
    pub(super) patterns: usize,
}

impl Rack {
    pub(super) fn append(&mut self, other: Rack) {
        self.pile.append(other.pile);
        self.entries += other.entries;
        self.patterns += other.patterns;
    }
}

/// Writes records.
#[derive(Debug, Default)]
pub(super) struct Scribe {
    writer: Writer,
    entries: usize,
    patterns: usize,
}

impl Scribe {
    pub(super) fn write(
        &mut self,
        pattern: Pattern,
        entries: &[Entry],
        store: &Store,
    ) -> Result<(), Halt> {
        self.entries += entries.len();
        self.patterns += 1;
        let head = u128::from(pattern) | (entries.len() as u128) << 64;
        self.writer.push(head, store)?;
        for two in entries.chunks(2) {
            let item = u128::from(two[0]) | u128::from(two.get(1).copied().unwrap_or(0)) << 64;
            self.writer.push(item, store)?;
        }
        Ok(())
    }

    pub(super) fn finish(self, store: &Store) -> Result<Rack, Halt> {
        let Scribe { writer, entries, patterns } = self;
        Ok(Rack { pile: writer.finish(store)?, entries, patterns })
    }
}

/// Reads records as their items come, page after page.
#[derive(Debug, Default)]
pub(super) struct Reader {
    left: usize,
}

impl Reader {
    /// Hands on a new pattern with the number of its entries, or further entries.
    #[expect(clippy::cast_possible_truncation, reason = "an item is two words")]
    pub(super) fn read(
        &mut self,
        items: &[Item],
        mut head: impl FnMut(Pattern, usize, &mut Vec<Entry>),
        entries: &mut Vec<Entry>,
    ) {
        for &item in items {
            let (low, high) = (item as u64, (item >> 64) as u64);
            match self.left {
                0 => {
                    self.left = usize::try_from(high).expect("in memory");
                    head(low, self.left, entries);
                }
                1 => {
                    entries.push(low);
                    self.left = 0;
                }
                _ => {
                    entries.extend([low, high]);
                    self.left -= 2;
                }
            }
        }
    }
}

/// Gathers the final parts of one thread.
#[derive(Debug)]
pub(super) struct Harvest<'s> {
    store: &'s Store,
    packing: Packing,
    layout: Layout,
    slot_of_place: Vec<usize>,
    racks: Vec<Scribe>,
    entries: Vec<Entry>,
    is_overfull: bool,
}

/// The most entries that a single count may need.
const MOST_ENTRIES: u128 = 1 << 10;

impl<'s> Harvest<'s> {
    pub(super) fn new(
        layout: Layout,
        plan: &Plan,
        packing: Packing,
        store: &'s Store,
    ) -> Harvest<'s> {
        let mut slot_of_place = vec![0; layout.middle.places()];
        for &(slot, place) in plan.steps.iter().flat_map(|step| &step.final_slots) {
            slot_of_place[place] = slot;
        }
        let racks = (0..store.racks()).map(|_| Scribe::default()).collect();
        let entries = Vec::new();
        Harvest { store, packing, layout, slot_of_place, racks, entries, is_overfull: false }
    }

    /// The racks of this thread; nothing if a count was too large to be kept.
    pub(super) fn into_racks(self) -> Result<Option<Vec<Rack>>, Halt> {
        let racks: Result<Vec<Rack>, Halt> =
            self.racks.into_iter().map(|scribe| scribe.finish(self.store)).collect();
        Ok(Some(racks?).filter(|_| !self.is_overfull))
    }
}

impl Sink for Harvest<'_> {
    fn take(&mut self, pattern: Pattern, states: &[State]) -> Result<(), Halt> {
        let mut ends = [0; MOST_POINTS];
        let mut place_of_slot = [0; 32];
        let mut points = 0;
        for place in 0..self.layout.middle.places() {
            if digit(pattern, place) == 1 {
                let slot = self.slot_of_place[place];
                ends[points] = slot;
                place_of_slot[slot] = u8::try_from(points).expect("few points");
                points += 1;
            }
        }
        let rank_bits = self.layout.rank_bits;
        self.entries.clear();
        let mut partners = [0; MOST_POINTS];
        for &state in states {
            for (point, &slot) in ends[..points].iter().enumerate() {
                partners[point] = place_of_slot[mate(state, slot)];
            }
            let number = u64::from(rank(&partners[..points]));
            let count = self.packing.count(state);
            if count >> (64 - rank_bits) > MOST_ENTRIES {
                self.is_overfull = true;
            } else {
                push_entry(&mut self.entries, number, count, rank_bits);
            }
        }
        let rack = self.layout.rack(pattern, self.racks.len());
        self.racks[rack].write(pattern, &self.entries, self.store)
    }
}
