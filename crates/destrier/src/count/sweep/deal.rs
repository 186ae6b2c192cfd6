//! Making one layer out of another: deal the new entries out by hash, then merge equal ones.
//!
//! The entries are distributed by the top bits of a hash over parts that fit a core's cache; each part is
//! then merged on its own in a small open table. Threads share the dealing and the merging, never a
//! table, so nothing is locked.
//!
//! Invariant: a part holds all entries of its hash prefix, and after merging no key twice.
//! Cost: one sequential write and one cached lookup per entry.
//! Source: radix-partitioned aggregation, as in Balkesen and others, "Main-memory hash joins" (2013).

use super::state::{State, hash};
use crate::outcome::Stop;
use crate::run::threads;
use crate::table::Table;

/// What is added up when two entries have the same key.
pub(crate) trait Merge: Copy + Send + Sync {
    /// The two together, or nothing when that does not fit.
    fn merged(self, other: Self) -> Option<Self>;
}

impl Merge for () {
    fn merged(self, (): ()) -> Option<()> {
        Some(())
    }
}

/// A key with its value.
pub(crate) type Entry<const W: usize, V> = (State<W>, V);

/// Merged entries, in parts by hash.
pub(crate) type Parts<const W: usize, V> = Vec<Vec<Entry<W, V>>>;

/// Entries on their way to the parts they belong to.
#[derive(Debug)]
pub(crate) struct Dealt<const W: usize, V> {
    parts: Vec<Vec<Entry<W, V>>>,
    bits: u32,
}

impl<const W: usize, V: Copy> Dealt<W, V> {
    /// Sends an entry to the part that its deal (a hash of the key, or of a piece of it) names.
    #[inline]
    pub(crate) fn push(&mut self, deal: u64, key: State<W>, value: V) {
        let part = if self.bits == 0 { 0 } else { (deal >> (64 - self.bits)) as usize };
        self.parts[part].push((key, value));
    }
}

/// Entries that a part should hold, so that its table stays in the second-level cache.
const PART: usize = 1 << 14;

/// The number of parts, as a power of two, for so many entries.
fn part_bits(expected: usize) -> u32 {
    (expected / PART).checked_ilog2().map_or(0, |bits| bits + 1).min(14)
}

/// What is done with a share of the parts: their entries go to where they belong.
type Share<'s, const W: usize, I, V, R> =
    dyn Fn(&[Vec<I>], &mut Dealt<W, V>) -> Result<R, Stop> + Sync + 's;

/// Deals and merges what `each` makes of the parts; `each` runs on several threads, a share at a time.
pub(crate) fn deal<const W: usize, I: Sync, V: Merge, R: Send>(
    parts: &[Vec<I>],
    expected: usize,
    each: &Share<'_, W, I, V, R>,
) -> Result<(Parts<W, V>, Vec<R>), Stop> {
    let bits = part_bits(expected);
    let shares = if parts.len() < 8 { 1 } else { threads::count() * 2 };
    let shares = parts.chunks(parts.len().div_ceil(shares).max(1));
    let dealt = threads::try_map(shares, |share| {
        let mut dealt = Dealt { parts: vec![Vec::new(); 1 << bits], bits };
        each(share, &mut dealt).map(|report| (dealt, report))
    })?;
    let (dealt, reports): (Vec<Dealt<W, V>>, Vec<R>) = dealt.into_iter().unzip();
    Ok((threads::try_map(0..1 << bits, |part| merge(&dealt, part))?, reports))
}

/// Merges the entries of a part with equal keys.
fn merge<const W: usize, V: Merge>(
    dealt: &[Dealt<W, V>],
    part: usize,
) -> Result<Vec<Entry<W, V>>, Stop> {
    let total: usize = dealt.iter().map(|dealt| dealt.parts[part].len()).sum();
    let mut merged: Vec<Entry<W, V>> = Vec::with_capacity(total / 2);
    let mut table = Table::with_room(total);
    let mut fresh = 1_u32;
    for dealt in dealt {
        for &(key, value) in &dealt.parts[part] {
            let is_it = |number: u32| merged[number as usize - 1].0 == key;
            let (&mut number, new) = table.put(hash(&key), fresh, is_it);
            if new {
                merged.push((key, value));
                fresh += 1;
            } else {
                let known = &mut merged[number as usize - 1].1;
                *known = known.merged(value).ok_or(Stop::Overflow)?;
            }
        }
    }
    merged.shrink_to_fit();
    Ok(merged)
}

/// Merged entries that can be looked up by key.
#[derive(Clone, Debug)]
pub(crate) struct Lookup<const W: usize, V> {
    entries: Vec<Entry<W, V>>,
    table: Table<u32>,
}

impl<const W: usize, V: Copy> Lookup<W, V> {
    pub(crate) fn new(entries: Vec<Entry<W, V>>) -> Lookup<W, V> {
        let mut table = Table::with_room(entries.len());
        for (number, (key, _)) in (1_u32..).zip(&entries) {
            table.put(hash(key), number, |_| false);
        }
        Lookup { entries, table }
    }

    /// The value kept for the key.
    #[inline]
    pub(crate) fn get(&self, key: &State<W>) -> Option<V> {
        self.table.find(hash(key), |number| {
            let (known, value) = &self.entries[number as usize - 1];
            (known == key).then_some(*value)
        })
    }
}

/// Merged parts that can be looked up by key, if they were dealt by the hash of the key.
#[derive(Clone, Debug)]
pub(crate) struct Index<const W: usize, V> {
    parts: Vec<Lookup<W, V>>,
}

impl<const W: usize, V: Copy + Send + Sync> Index<W, V> {
    pub(crate) fn new(parts: Vec<Vec<Entry<W, V>>>) -> Index<W, V> {
        debug_assert!(parts.len().is_power_of_two(), "as dealt");
        Index { parts: threads::map(parts, Lookup::new) }
    }

    /// The value kept for the key.
    #[inline]
    pub(crate) fn get(&self, key: &State<W>) -> Option<V> {
        let bits = self.parts.len().trailing_zeros();
        let part = if bits == 0 { 0 } else { (hash(key) >> (64 - bits)) as usize };
        self.parts[part].get(key)
    }

    /// How many entries.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.entries.len()).sum()
    }

    /// The bytes that are held.
    pub(crate) fn bytes(&self) -> u64 {
        let part = |part: &Lookup<W, V>| {
            part.entries.capacity() * size_of::<Entry<W, V>>() + part.table.bytes()
        };
        self.parts.iter().map(part).sum::<usize>() as u64
    }
}
