//! Pairing the final patterns of two halves, and joining each pair once.
//!
//! A final pattern P of the upper half goes with one pattern of the lower half, the one that gives every
//! square its missing degree. Where the halves are equal the pair counts the same with its sides
//! exchanged, and where mirroring keeps the question it counts the same in the mirror: of up to
//! four such pairs only the least is computed. Pairs with equally many ends are joined eight at a time.
//!
//! Invariant: the weights of the pairs add up to the number of patterns that have a counterpart.
//! Cost: see `link` and `join`.
//! Source: `docs/design.md`, section 2.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use num_bigint::BigUint;

use crate::count::middle::half::column::Cell;
use crate::count::middle::half::cut::Cut;
use crate::count::middle::half::packed::Unpacked;
use crate::count::middle::join::contract::{Room, join, join_sparse};
use crate::count::middle::join::link::{Linker, Reachable, Sums, Word};
use crate::count::middle::join::matching::{DENSE, Op, matchings, permuted, unrank};
use crate::count::middle::join::pattern::{Middle, Pattern, pairs};
use crate::count::middle::slices::report::Report;
use crate::outcome::Stop;
use crate::run::threads;

/// A pattern to be joined with its counterpart, and how many equal pairs it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) struct Pair {
    pub(in crate::count::middle) upper: Pattern,
    pub(in crate::count::middle) weight: u32,
}

/// Which symmetries a question has that make pairs equal.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Symmetries {
    pub(in crate::count::middle) middle: Middle,
    pub(in crate::count::middle) mirror: bool,
    pub(in crate::count::middle) exchange: bool,
}

impl Symmetries {
    pub(in crate::count::middle) fn of(cut: &Cut) -> Symmetries {
        Symmetries {
            middle: cut.middle(),
            mirror: cut.is_mirror_symmetric() && cut.has_mirror_links(),
            exchange: cut.has_equal_halves(),
        }
    }

    /// The patterns whose pairs count the same, this one first.
    pub(in crate::count::middle) fn images(
        &self,
        pattern: Pattern,
    ) -> impl Iterator<Item = Pattern> {
        let middle = self.middle;
        let exchanged = self.exchange.then(|| middle.completed(pattern));
        let mirror = self.mirror;
        [Some(pattern), exchanged]
            .into_iter()
            .flatten()
            .flat_map(move |image| [Some(image), mirror.then(|| middle.mirrored(image))])
            .flatten()
    }

    /// How many different images the pattern has, if it is the least of them.
    fn weight(&self, pattern: Pattern) -> Option<u32> {
        let mut same = 0;
        let mut all = 0;
        for image in self.images(pattern) {
            if image < pattern {
                return None;
            }
            all += 1;
            same += u32::from(image == pattern);
        }
        // The images are an orbit: each different one comes equally often.
        Some(all / same)
    }
}

/// All pairs of an upper pattern and a lower one.
pub(in crate::count::middle) fn pairs_of(
    [upper, lower]: [&Reachable; 2],
    symmetries: &Symmetries,
    is_wanted: impl Fn(Pattern) -> bool + Sync,
) -> Vec<Pair> {
    let pair = |pattern: Pattern| {
        let weight = symmetries.weight(pattern).filter(|_| is_wanted(pattern))?;
        let other = symmetries.middle.completed(pattern);
        lower.contains(other).then_some(Pair { upper: pattern, weight })
    };
    let pairs = threads::map(0..upper.lists(), |list| {
        let (own, images) = upper.list(list);
        let images = images.filter_map(pair).filter(|pair| !upper.has_own(pair.upper));
        own.iter().copied().filter_map(pair).chain(images).collect::<Vec<Pair>>()
    });
    pairs.into_iter().flatten().collect()
}

/// How many pairs are joined side by side.
const LANES: usize = 8;

/// The buffers of one thread.
struct Buffers<C: Cell> {
    upper: Sums<C::Sum>,
    lower: Sums<C::Sum>,
    column: Unpacked<C>,
    /// Pairs that wait for others with equally many ends.
    waiting: Vec<Waiting>,
    lanes: Room<u64, LANES>,
    wide: Room<u128, 1>,
    sum: Sum,
}

#[derive(Default)]
struct Waiting {
    upper: Vec<[u64; LANES]>,
    lower: Vec<[u64; LANES]>,
    weights: Vec<u32>,
}

/// How many pairs a thread takes at a time.
const SHARE: usize = 256;

/// Joins pairs.
///
/// # Errors
/// When the watch halts, or a pair's sum outgrows 128 bits.
pub(in crate::count::middle) fn join_all<C: Cell>(
    pairs_to_join: &[Pair],
    [upper, lower]: [&Linker<'_, C>; 2],
    middle: Middle,
    report: Report<'_>,
) -> Result<BigUint, Stop> {
    let done = AtomicUsize::new(0);
    // The long columns come first, and one by one: they take longest.
    let long = pairs_to_join.partition_point(|pair| pairs(pair.upper) > DENSE);
    let (long, short) = pairs_to_join.split_at(long);
    let queue = Mutex::new(long.chunks(1).chain(short.chunks(SHARE)));
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let sums = threads::try_map(0..threads::count(), |_| {
        let mut buffers = Buffers::<C>::new();
        let mut ticker = report.watch.ticker();
        while let Some(share) = next() {
            for pair in share {
                ticker.tick()?;
                upper.pull(pair.upper, &mut buffers.upper, &mut buffers.column);
                if buffers.upper.total == 0 {
                    continue;
                }
                let other = middle.completed(pair.upper);
                lower.pull(other, &mut buffers.lower, &mut buffers.column);
                buffers.place(pair, middle, other)?;
            }
            ticker.check()?;
            let done = done.fetch_add(share.len(), Relaxed) + share.len();
            report.tell(done, pairs_to_join.len());
        }
        (1..=DENSE).for_each(|pairs| buffers.join_waiting(pairs));
        Ok::<_, Stop>(buffers.sum.total())
    })?;
    Ok(sums.into_iter().sum())
}

/// A sum that cannot overflow.
#[derive(Default)]
struct Sum {
    low: u128,
    high: BigUint,
}

impl Sum {
    fn add(&mut self, count: u128, weight: u32) {
        match count
            .checked_mul(u128::from(weight))
            .and_then(|product| self.low.checked_add(product))
        {
            Some(sum) => self.low = sum,
            None => self.high += BigUint::from(count) * weight,
        }
    }

    fn total(self) -> BigUint {
        self.high + self.low
    }
}

impl<C: Cell> Buffers<C> {
    fn new() -> Buffers<C> {
        Buffers {
            upper: Sums::default(),
            lower: Sums::default(),
            column: Unpacked::default(),
            waiting: (0..=DENSE).map(|_| Waiting::default()).collect(),
            lanes: Room::new(),
            wide: Room::new(),
            sum: Sum::default(),
        }
    }

    /// Joins the two columns, now or with others later.
    ///
    /// # Errors
    /// When 128 bits cannot hold the sum.
    fn place(&mut self, pair: &Pair, middle: Middle, other: Pattern) -> Result<(), Stop> {
        let most = self.upper.total.checked_mul(self.lower.total).ok_or(Stop::Overflow)?;
        if most == 0 {
            return Ok(());
        }
        let pairs = self.upper.pairs;
        let doubled = middle.doubled(other);
        if pairs > DENSE {
            let places: Vec<usize> = doubled.map(|place| place as usize).collect();
            let widened = self.upper.sparse.iter().map(|&(number, count)| (number, count.widen()));
            let upper: Vec<(u32, u128)> = widened.collect();
            let turned =
                |&(number, count): &(u32, C::Sum)| (swapped(pairs, number, &places), count.widen());
            let mut lower: Vec<(u32, u128)> = self.lower.sparse.iter().map(turned).collect();
            lower.sort_unstable_by_key(|&(number, _)| number);
            let count = join_sparse(pairs, &upper, &lower);
            self.sum.add(count, pair.weight);
            return Ok(());
        }
        let size = matchings(pairs);
        let swap = |place: u32| {
            let from = u8::try_from(place).expect("few ends");
            Op::Move { from, to: from + 1 }.small_table(pairs)
        };
        let maps: Vec<&[u16]> = doubled.map(swap).collect();
        let to = |number: usize| maps.iter().fold(number, |number, map| usize::from(map[number]));
        if most <= u128::from(u64::MAX) {
            let waiting = &mut self.waiting[pairs];
            let lane = waiting.weights.len();
            waiting.weights.push(pair.weight);
            waiting.upper.resize(size, [0; LANES]);
            waiting.lower.resize(size, [0; LANES]);
            for (cell, count) in waiting.upper.iter_mut().zip(&self.upper.dense) {
                cell[lane] = narrow(count.widen());
            }
            for (number, count) in self.lower.dense[..size].iter().enumerate() {
                waiting.lower[to(number)][lane] = narrow(count.widen());
            }
            if lane + 1 == LANES {
                self.join_waiting(pairs);
            }
            return Ok(());
        }
        let upper: Vec<[u128; 1]> =
            self.upper.dense[..size].iter().map(|count| [count.widen()]).collect();
        let mut lower = vec![[0; 1]; size];
        for (number, count) in self.lower.dense[..size].iter().enumerate() {
            lower[to(number)] = [count.widen()];
        }
        let count = join(pairs, &upper, &lower, &mut self.wide)[0];
        self.sum.add(count, pair.weight);
        Ok(())
    }

    /// Joins the pairs that wait side by side. Lanes that no pair has taken hold older ones, of weight 0.
    fn join_waiting(&mut self, pairs: usize) {
        let waiting = &mut self.waiting[pairs];
        if waiting.weights.is_empty() {
            return;
        }
        let sums = join(pairs, &waiting.upper, &waiting.lower, &mut self.lanes);
        for (&count, weight) in sums.iter().zip(waiting.weights.drain(..)) {
            self.sum.add(u128::from(count), weight);
        }
    }
}

fn narrow(count: u128) -> u64 {
    u64::try_from(count).expect("no count is above the product of the totals")
}

/// The number of a matching after swapping each of these places with the next.
fn swapped(pairs: usize, number: u32, places: &[usize]) -> u32 {
    let partners = unrank(pairs, number);
    let to = |point: usize| {
        if places.contains(&point) {
            point + 1
        } else if point > 0 && places.contains(&(point - 1)) {
            point - 1
        } else {
            point
        }
    };
    permuted(&partners[..2 * pairs], to)
}
