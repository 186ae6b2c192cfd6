//! Gathering what the last row leaves, in an order that a scratch file can take.
//!
//! Each final part is written as one record: its pattern, how many entries it has, and the entries. Records go
//! to *buckets*, by the degrees at the steady places that no link touches: a pattern, its mirror
//! image and all patterns that links lead to or from share a bucket, so buckets can be read one by one.
//!
//! Invariant: a record lies in one bucket, in one piece.
//! Cost: eight bytes an entry and sixteen a pattern.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::half::plan::Plan;
use crate::count::middle::half::state::{Packing, State, mate};
use crate::count::middle::half::sweep::Sink;
use crate::count::middle::join::kept::{Entry, Layout, push_entry};
use crate::count::middle::join::matching::{MOST_POINTS, rank};
use crate::count::middle::join::pattern::{Pattern, digit};
use crate::count::middle::storage::pages::{Item, PageList, Store, Writer};
use crate::run::watch::Halt;

/// Records that share a bucket, and how much they are.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct Bucket {
    pub(in crate::count::middle) list: PageList,
    pub(in crate::count::middle) entries: usize,
    pub(in crate::count::middle) patterns: usize,
}

impl Bucket {
    pub(in crate::count::middle) fn append(&mut self, other: Bucket) {
        self.list.append(other.list);
        self.entries += other.entries;
        self.patterns += other.patterns;
    }
}

/// Writes records.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct RecordWriter {
    writer: Writer,
    entries: usize,
    patterns: usize,
}

impl RecordWriter {
    pub(in crate::count::middle) fn write(
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

    pub(in crate::count::middle) fn finish(self, store: &Store) -> Result<Bucket, Halt> {
        let RecordWriter { writer, entries, patterns } = self;
        Ok(Bucket { list: writer.finish(store)?, entries, patterns })
    }
}

/// Reads records as their items come, page after page.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct Reader {
    left: usize,
}

impl Reader {
    /// Hands on a new pattern with the number of its entries, or further entries.
    #[expect(clippy::cast_possible_truncation, reason = "an item is two words")]
    pub(in crate::count::middle) fn read(
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
pub(in crate::count::middle) struct Collector<'s> {
    store: &'s Store,
    packing: Packing,
    layout: Layout,
    slot_of_place: Vec<usize>,
    buckets: Vec<RecordWriter>,
    entries: Vec<Entry>,
    is_overfull: bool,
}

/// The most entries that a single count may need.
const MOST_ENTRIES: u128 = 1 << 10;

impl<'s> Collector<'s> {
    pub(in crate::count::middle) fn new(
        layout: Layout,
        plan: &Plan,
        packing: Packing,
        store: &'s Store,
    ) -> Collector<'s> {
        let mut slot_of_place = vec![0; layout.middle.places()];
        for &(slot, place) in plan.steps.iter().flat_map(|step| &step.final_slots) {
            slot_of_place[place] = slot;
        }
        let buckets = (0..store.buckets()).map(|_| RecordWriter::default()).collect();
        let entries = Vec::new();
        Collector { store, packing, layout, slot_of_place, buckets, entries, is_overfull: false }
    }

    /// The buckets of this thread; nothing if a count was too large to be kept.
    pub(in crate::count::middle) fn into_buckets(self) -> Result<Option<Vec<Bucket>>, Halt> {
        let buckets: Result<Vec<Bucket>, Halt> =
            self.buckets.into_iter().map(|writer| writer.finish(self.store)).collect();
        Ok(Some(buckets?).filter(|_| !self.is_overfull))
    }
}

impl Sink for Collector<'_> {
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
        let bucket = self.layout.bucket(pattern, self.buckets.len());
        self.buckets[bucket].write(pattern, &self.entries, self.store)
    }
}
