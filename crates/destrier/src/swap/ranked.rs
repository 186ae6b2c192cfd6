//! Breadth-first search over all placements by number, with two bits per state.
//!
//! A state is unseen, in the current layer, in the next, or old. A layer is found by scanning the
//! bits in order, so placements are unranked by stepping; successors are numbered in batches, looked
//! up together, and only unseen ones are written. From both ends the layers meet in the middle.
//!
//! Invariant: a state's two bits only ever gain ones: `00` to `01` or `10` to `11`.
//! Cost: a quarter of a byte per state and side; some 20 ns per successor on one thread.
//! Source: Korf and Schultze, large-scale breadth-first search, 2005; two-bit BFS (Kunkle, Cooperman).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::instance::Instance;
use super::rank::{Cursor, Ranking};
use crate::run::threads;
use crate::run::watch::{Halt, Ticker, Watch};

const EVEN: u64 = 0x5555_5555_5555_5555;
const BATCH: usize = 1024;
/// The words that a thread claims at a time.
const BLOCK: usize = 1 << 12;

/// All placements of an instance's knights, by number.
#[derive(Debug)]
pub(super) struct Space {
    ranking: Ranking,
    counts: Vec<usize>,
    near: Vec<Vec<u8>>,
    near_mask: Vec<u32>,
    side: Vec<u8>,
    peaceful: bool,
}

/// The states visited from one end.
#[derive(Debug)]
pub(super) struct Visited {
    bits: Vec<AtomicU64>,
    /// The low bit of the newest layer's code: 01 if true, 10 if not.
    newest_is_low: bool,
    /// States in the newest layer.
    pub(super) newest: u64,
    /// Its distance from the end.
    pub(super) depth: u16,
    /// All states so far.
    pub(super) total: u64,
    /// All successors looked up so far.
    pub(super) successors: u64,
}

impl Visited {
    fn layer_in(&self, word: u64) -> u64 {
        if self.newest_is_low { word & !(word >> 1) & EVEN } else { (word >> 1) & !word & EVEN }
    }
}

impl Space {
    /// `None` where the placements cannot be numbered (more than 32 vertices), runs are counted or
    /// sides take turns.
    pub(super) fn new(instance: &Instance) -> Option<Self> {
        if instance.runs || instance.white_begins.is_some() {
            return None;
        }
        let mut counts = vec![0; instance.colours + 1];
        for &code in &instance.start {
            counts[usize::from(code)] += 1;
        }
        let ranking = Ranking::new(&counts)?;
        let near_mask = instance
            .neighbours
            .iter()
            .map(|list| list.iter().fold(0, |mask, &u| mask | 1 << u))
            .collect();
        Some(Self {
            ranking,
            counts,
            near: instance.neighbours.clone(),
            near_mask,
            side: instance.side.clone(),
            peaceful: instance.peaceful,
        })
    }

    /// How many placements there are.
    pub(super) fn len(&self) -> u64 {
        self.ranking.len()
    }

    /// Bytes for one end.
    pub(super) fn bytes(&self) -> u64 {
        self.len().div_ceil(32) * 8
    }

    fn number(&self, codes: &[u8]) -> u64 {
        let mut masks = vec![0u32; self.counts.len()];
        for (v, &code) in codes.iter().enumerate() {
            masks[usize::from(code)] |= 1 << v;
        }
        self.ranking.rank(&masks)
    }

    /// The placement with a number.
    #[expect(clippy::cast_possible_truncation, reason = "a colour's code")]
    pub(super) fn placement(&self, index: u64) -> Vec<u8> {
        let mut masks = vec![0u32; self.counts.len()];
        self.ranking.unrank(index, &mut Cursor::default(), &mut masks);
        let code = |v: usize| masks.iter().position(|mask| mask >> v & 1 == 1).unwrap_or(0) as u8;
        (0..self.near.len()).map(code).collect()
    }

    /// Only one placement visited.
    pub(super) fn from(&self, codes: &[u8]) -> Visited {
        let words = usize::try_from(self.len().div_ceil(32)).expect("it fits the memory limit");
        let bits: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let index = self.number(codes);
        let (word, shift) = bits_of(index);
        bits[word].store(1 << shift, Relaxed);
        Visited { bits, newest_is_low: true, newest: 1, depth: 0, total: 1, successors: 0 }
    }

    /// Finds the next layer.
    pub(super) fn advance(&self, visited: &mut Visited, watch: &Watch) -> Result<(), Halt> {
        let threads = if visited.newest < 1 << 12 { 1 } else { watch.threads() };
        let next = std::sync::atomic::AtomicUsize::new(0);
        let sweep = || {
            let mut ticker = watch.ticker();
            let mut worker = Worker::new(self, visited, threads > 1);
            loop {
                let from = next.fetch_add(BLOCK, Relaxed);
                if from >= visited.bits.len() {
                    worker.flush();
                    return Ok((worker.fresh, worker.successors));
                }
                worker.scan(from..(from + BLOCK).min(visited.bits.len()), &mut ticker)?;
            }
        };
        let parts: Vec<Result<(u64, u64), Halt>> = if threads == 1 {
            vec![sweep()]
        } else {
            watch.on_threads(|| threads::map(0..threads, |_| sweep()))
        };
        let mut fresh = 0;
        let mut successors = 0;
        for part in parts {
            let (new, looked) = part?;
            fresh += new;
            successors += looked;
        }
        visited.newest_is_low = !visited.newest_is_low;
        visited.newest = fresh;
        visited.total += fresh;
        visited.successors += successors;
        visited.depth += 1;
        Ok(())
    }

    /// A placement in the newest layers of both ends.
    pub(super) fn common(&self, one: &Visited, other: &Visited) -> Option<Vec<u8>> {
        let both = |(a, b): (&AtomicU64, &AtomicU64)| {
            one.layer_in(a.load(Relaxed)) & other.layer_in(b.load(Relaxed))
        };
        let (at, word) =
            one.bits.iter().zip(&other.bits).map(both).enumerate().find(|&(_, word)| word != 0)?;
        Some(self.placement(at as u64 * 32 + u64::from(word.trailing_zeros()) / 2))
    }

    /// The first placement of the newest layer.
    pub(super) fn newest(&self, visited: &Visited) -> Option<Vec<u8>> {
        let words = visited.bits.iter().map(|word| visited.layer_in(word.load(Relaxed)));
        let (at, word) = words.enumerate().find(|&(_, word)| word != 0)?;
        Some(self.placement(at as u64 * 32 + u64::from(word.trailing_zeros()) / 2))
    }
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the bits are in memory, so a usize counts them"
)]
fn bits_of(index: u64) -> (usize, u32) {
    ((index >> 5) as usize, (index as u32 & 31) * 2)
}

/// One thread's share of a layer.
struct Worker<'a> {
    space: &'a Space,
    visited: &'a Visited,
    shared: bool,
    cursor: Cursor,
    masks: Vec<u32>,
    batch: Vec<u64>,
    fresh: u64,
    successors: u64,
}

impl<'a> Worker<'a> {
    fn new(space: &'a Space, visited: &'a Visited, shared: bool) -> Self {
        Self {
            space,
            visited,
            shared,
            cursor: Cursor::default(),
            masks: vec![0; space.counts.len()],
            batch: Vec::with_capacity(BATCH + 512),
            fresh: 0,
            successors: 0,
        }
    }

    #[inline]
    fn set(&self, word: usize, bits: u64) -> u64 {
        if self.shared {
            self.visited.bits[word].fetch_or(bits, Relaxed)
        } else {
            let old = self.visited.bits[word].load(Relaxed);
            self.visited.bits[word].store(old | bits, Relaxed);
            old
        }
    }

    fn scan(&mut self, words: std::ops::Range<usize>, ticker: &mut Ticker) -> Result<(), Halt> {
        let two = self.space.ranking.is_two();
        for word in words {
            let mut layer = self.visited.layer_in(self.visited.bits[word].load(Relaxed));
            if layer == 0 {
                continue;
            }
            self.set(word, layer | layer << 1);
            while layer != 0 {
                ticker.tick()?;
                let index = word as u64 * 32 + u64::from(layer.trailing_zeros()) / 2;
                layer &= layer - 1;
                if two && !self.space.peaceful {
                    self.expand_two(index);
                } else {
                    self.expand(index);
                }
                if self.batch.len() >= BATCH {
                    self.flush();
                }
            }
        }
        Ok(())
    }

    /// [`Self::expand`] for two colours, in registers.
    #[inline]
    fn expand_two(&mut self, index: u64) {
        let ranking = &self.space.ranking;
        let (empty, one) = ranking.unrank_two(index, &mut self.cursor);
        let mut left = empty;
        while left != 0 {
            let to = left.trailing_zeros();
            left &= left - 1;
            let mut froms = self.space.near_mask[to as usize] & !empty;
            while froms != 0 {
                let from = froms.trailing_zeros();
                froms &= froms - 1;
                let moves = one >> from & 1;
                let both = moves << from | moves << to;
                self.batch.push(ranking.rank_two(empty ^ (1 << from | 1 << to), one ^ both));
            }
        }
    }

    fn expand(&mut self, index: u64) {
        let space = self.space;
        space.ranking.unrank(index, &mut self.cursor, &mut self.masks);
        let mut empty = self.masks[0];
        while empty != 0 {
            let to = empty.trailing_zeros();
            empty &= empty - 1;
            for &from in &space.near[to as usize] {
                let from_bit = 1u32 << from;
                if self.masks[0] & from_bit != 0 {
                    continue;
                }
                let both = from_bit | 1 << to;
                let code = self
                    .masks
                    .iter()
                    .skip(1)
                    .position(|mask| mask & from_bit != 0)
                    .map_or(0, |c| c + 1);
                self.masks[0] ^= both;
                self.masks[code] ^= both;
                if !(space.peaceful && self.attacks_opponent(to, code)) {
                    self.batch.push(space.ranking.rank(&self.masks));
                }
                self.masks[0] ^= both;
                self.masks[code] ^= both;
            }
        }
    }

    fn attacks_opponent(&self, v: u32, code: usize) -> bool {
        let near = self.space.near_mask[v as usize];
        let side = &self.space.side;
        (1..self.masks.len()).any(|c| side[c] != side[code] && self.masks[c] & near != 0)
    }

    /// Looks the batch up: first all loads, which then overlap, then the few writes.
    fn flush(&mut self) {
        self.successors += self.batch.len() as u64;
        let mut unseen = 0;
        for i in 0..self.batch.len() {
            let index = self.batch[i];
            let (word, shift) = bits_of(index);
            let new = (self.visited.bits[word].load(Relaxed) >> shift).trailing_zeros() >= 2;
            self.batch[unseen] = index;
            unseen += usize::from(new);
        }
        let code = if self.visited.newest_is_low { 2 } else { 1 };
        for i in 0..unseen {
            let (word, shift) = bits_of(self.batch[i]);
            let old = self.set(word, code << shift);
            self.fresh += u64::from((old >> shift).trailing_zeros() >= 2);
        }
        self.batch.clear();
    }
}
