//! Finished columns, kept compactly: on pages, found by pattern.
//!
//! Threads collect columns on pages of their own; of two patterns that are mirror images of each other one stands for
//! both. A number takes two bytes where a column has at most six pairs, as nearly all have, and four elsewhere.
//! Patterns are dealt into buckets; when all is collected, bucket after bucket is put in order, and the two columns of a
//! mirror pair are added up. Patterns that differ only where the join adds edges lie together.
//!
//! Invariant: a pattern has one column, and its mirror image none; pages are charged to the budget while they are there.
//! Cost: six bytes per state and 24 per pattern.

use std::cmp::Reverse;

use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::column::{Accumulator, Cell, Layer, Source};
use crate::count::middle::half::slots::Slots;
use crate::count::middle::half::sweep::Sink;
use crate::count::middle::join::matching::{DENSE, Op};
use crate::count::middle::join::pattern::{Pattern, pairs};
use crate::outcome::Stop;
use crate::run::threads;
use crate::run::watch::Watch;

/// How finished columns are filed.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Filing {
    pub(in crate::count::middle) slots: Slots,
    /// Does one of two mirror images stand for both?
    pub(in crate::count::middle) mirror: bool,
    /// The digits of the middle rows that no later edge changes; nothing for a row that is not the last.
    pub(in crate::count::middle) steady: Option<Pattern>,
}

impl Filing {
    /// The pattern that is filed: as the next row sees it, or the two middle rows alone.
    fn named(&self, pattern: Pattern) -> Pattern {
        match self.steady {
            None => self.slots.next_row(pattern),
            Some(_) => self.slots.middle(pattern),
        }
    }

    /// Patterns with the same key lie together.
    fn key(&self, pattern: Pattern) -> Pattern {
        self.steady.map_or(pattern, |steady| pattern & steady)
    }

    /// Patterns with the same key are in the same bucket.
    pub(in crate::count::middle) fn bucket(&self, pattern: Pattern) -> usize {
        let mixed = self.key(pattern).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        usize::try_from(mixed >> (64 - BUCKETS.trailing_zeros())).expect("a few buckets")
    }
}

/// A power of two; enough for many threads to have about as much work each.
pub(in crate::count::middle) const BUCKETS: usize = 128;

/// After so many patterns it is looked whether the run should stop.
const LOOK: usize = 1 << 9;

/// States on a page, and on the first one of a bucket.
const PAGE: usize = 1 << 11;
const FIRST_PAGE: usize = 1 << 8;

/// Columns with numbers of one size.
#[derive(Debug)]
struct Page<N, C> {
    numbers: Vec<N>,
    counts: Vec<C>,
}

/// Where the column of a pattern lies.
#[derive(Clone, Copy, Debug)]
struct Entry {
    pattern: Pattern,
    page: u32,
    start: u32,
    length: u32,
}

#[derive(Debug)]
struct Bucket<C> {
    entries: Vec<Entry>,
    /// Once the entries are in order: the keys there are, ascending, and where the entries of each begin.
    keys: Vec<Pattern>,
    starts: Vec<usize>,
    /// For each key a table from hash to entry, counted from 1, and where these tables begin.
    tables: Vec<u32>,
    tables_at: Vec<usize>,
    small: Vec<Page<u16, C>>,
    large: Vec<Page<u32, C>>,
    states: u64,
    /// Once the entries are in order: the sum of all counts.
    mass: u128,
    charge: Charge,
}

/// The numbers of a column.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) enum Numbers<'k> {
    Small(&'k [u16]),
    Large(&'k [u32]),
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Column<'k, C> {
    pub(in crate::count::middle) numbers: Numbers<'k>,
    pub(in crate::count::middle) counts: &'k [C],
}

impl<C> Column<'_, C> {
    #[inline]
    fn each_number(&self, mut show: impl FnMut(u32)) {
        match self.numbers {
            Numbers::Small(numbers) => numbers.iter().for_each(|&number| show(number.into())),
            Numbers::Large(numbers) => numbers.iter().for_each(|&number| show(number)),
        }
    }
}

impl<C: Cell> Bucket<C> {
    fn new(budget: &Budget) -> Result<Bucket<C>, Stop> {
        let charge = budget.charge(0)?;
        Ok(Bucket {
            entries: Vec::new(),
            keys: Vec::new(),
            starts: Vec::new(),
            tables: Vec::new(),
            tables_at: Vec::new(),
            small: Vec::new(),
            large: Vec::new(),
            states: 0,
            mass: 0,
            charge,
        })
    }

    /// Makes the tables, once the entries are in order.
    fn index(&mut self, filing: Filing) -> Result<(), Stop> {
        self.charge.grow(16 * self.entries.len())?;
        let mut start = 0;
        for same in self.entries.chunk_by(|a, b| filing.key(a.pattern) == filing.key(b.pattern)) {
            self.keys.push(filing.key(same[0].pattern));
            self.starts.push(start);
            self.tables_at.push(self.tables.len());
            start += same.len();
            let size = (2 * same.len()).next_power_of_two();
            self.tables.resize(self.tables.len() + size, 0);
            let at = self.tables.len() - size;
            for (number, entry) in (1..).zip(same) {
                let mut place = hashed(entry.pattern, size);
                while self.tables[at + place] != 0 {
                    place = (place + 1) & (size - 1);
                }
                self.tables[at + place] = number;
            }
        }
        self.starts.push(start);
        self.tables_at.push(self.tables.len());
        Ok(())
    }

    fn column(&self, entry: &Entry) -> Column<'_, C> {
        let range = entry.start as usize..(entry.start + entry.length) as usize;
        if pairs(entry.pattern) <= DENSE {
            let page = &self.small[entry.page as usize];
            Column {
                numbers: Numbers::Small(&page.numbers[range.clone()]),
                counts: &page.counts[range],
            }
        } else {
            let page = &self.large[entry.page as usize];
            Column {
                numbers: Numbers::Large(&page.numbers[range.clone()]),
                counts: &page.counts[range],
            }
        }
    }

    /// Puts a column on the last page, or on a new one.
    fn push(
        &mut self,
        pattern: Pattern,
        numbers: impl Iterator<Item = u32>,
        counts: &[C],
    ) -> Result<(), Stop> {
        let (page, start) = if pairs(pattern) <= DENSE {
            let numbers = numbers.map(|number| (number & 0xffff) as u16);
            put(&mut self.small, numbers, counts, &mut self.charge)?
        } else {
            put(&mut self.large, numbers, counts, &mut self.charge)?
        };
        let short = |length: usize| u32::try_from(length).expect("pages and columns are short");
        if self.entries.len() == self.entries.capacity() {
            let more = self.entries.len().max(64);
            self.charge.grow(more * size_of::<Entry>())?;
            self.entries.reserve_exact(more);
        }
        let (page, start, length) = (short(page), short(start), short(counts.len()));
        self.entries.push(Entry { pattern, page, start, length });
        self.states += u64::from(length);
        Ok(())
    }
}

/// Puts a column behind the others of the last page, if there is room, else on a new page; gives page and place.
fn put<N, C: Cell>(
    pages: &mut Vec<Page<N, C>>,
    numbers: impl Iterator<Item = N>,
    counts: &[C],
    charge: &mut Charge,
) -> Result<(usize, usize), Stop> {
    let is_full = |page: &Page<N, C>| page.counts.len() + counts.len() > page.counts.capacity();
    if pages.last().is_none_or(is_full) {
        let room = (FIRST_PAGE << pages.len().min(8)).min(PAGE).max(counts.len());
        charge.grow(room * (size_of::<N>() + size_of::<C>()))?;
        let (numbers, counts) = (Vec::with_capacity(room), Vec::with_capacity(room));
        pages.push(Page { numbers, counts });
    }
    let at = pages.len() - 1;
    let page = &mut pages[at];
    let start = page.counts.len();
    page.numbers.extend(numbers);
    page.counts.extend_from_slice(counts);
    Ok((at, start))
}

/// Columns as one thread finishes them.
#[derive(Debug)]
pub(in crate::count::middle) struct Collector<C> {
    filing: Filing,
    budget: Budget,
    buckets: Vec<Bucket<C>>,
}

impl<C: Cell> Collector<C> {
    pub(in crate::count::middle) fn new(filing: Filing, budget: &Budget) -> Collector<C> {
        Collector { filing, budget: budget.clone(), buckets: Vec::new() }
    }

    /// The bytes of all buckets, to be read by [`Collector::read`].
    pub(in crate::count::middle) fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for bucket in &self.buckets {
            for entry in &bucket.entries {
                let column = bucket.column(entry);
                bytes.extend_from_slice(&entry.pattern.to_ne_bytes());
                bytes.extend_from_slice(&entry.length.to_ne_bytes());
                column.each_number(|number| bytes.extend_from_slice(&number.to_ne_bytes()));
                bytes.extend_from_slice(bytemuck::cast_slice(column.counts));
            }
        }
        bytes
    }

    /// What another process wrote.
    pub(in crate::count::middle) fn read(
        filing: Filing,
        budget: &Budget,
        mut bytes: &[u8],
    ) -> Result<Collector<C>, Stop> {
        let mut collector = Collector::new(filing, budget);
        let mut counts: Vec<C> = Vec::new();
        while let Some((pattern, rest)) = bytes.split_first_chunk::<8>() {
            let pattern = Pattern::from_ne_bytes(*pattern);
            let (length, rest) = rest.split_first_chunk::<4>().expect("a length");
            let length = u32::from_ne_bytes(*length) as usize;
            let (numbers, rest) = rest.split_at(4 * length);
            let (written, rest) = rest.split_at(size_of::<C>() * length);
            counts.clear();
            counts.extend(
                written.chunks_exact(size_of::<C>()).map(bytemuck::pod_read_unaligned::<C>),
            );
            let numbers = numbers.as_chunks().0.iter().map(|number| u32::from_ne_bytes(*number));
            collector.file(pattern, numbers, &counts)?;
            bytes = rest;
        }
        Ok(collector)
    }

    fn file(
        &mut self,
        pattern: Pattern,
        numbers: impl Iterator<Item = u32>,
        counts: &[C],
    ) -> Result<(), Stop> {
        while self.buckets.len() < BUCKETS {
            self.buckets.push(Bucket::new(&self.budget)?);
        }
        self.buckets[self.filing.bucket(pattern)].push(pattern, numbers, counts)
    }
}

impl<C: Cell> Sink<C> for Collector<C> {
    fn take(&mut self, layer: &Layer<C>) -> Result<(), Stop> {
        let Filing { slots, mirror, .. } = self.filing;
        for (at, &pattern) in layer.patterns().iter().enumerate() {
            let (numbers, counts) = layer.column(at);
            let image = if mirror { slots.mirrored(pattern) } else { pattern };
            if slots.stands_for_both(pattern, image) {
                self.file(self.filing.named(pattern), numbers.iter().copied(), counts)?;
                continue;
            }
            let turn = slots.mirror(pattern);
            let named = self.filing.named(image);
            if turn.pairs > DENSE {
                self.file(named, numbers.iter().map(|&number| turn.apply(number)), counts)?;
                continue;
            }
            let mut maps = turn.maps();
            let first = maps.next().expect("a reversal");
            let turned = numbers.iter().map(|&number| first[number as usize]);
            match maps.next() {
                None => self.file(named, turned.map(u32::from), counts)?,
                Some(then) => {
                    let turned = turned.map(|number| u32::from(then[usize::from(number)]));
                    self.file(named, turned, counts)?;
                }
            }
        }
        Ok(())
    }
}

/// Finished columns, by pattern.
#[derive(Debug)]
pub(in crate::count::middle) struct Kept<C> {
    filing: Filing,
    buckets: Vec<Bucket<C>>,
}

impl<C: Cell> Kept<C> {
    /// All that the threads have collected, each pattern once.
    ///
    /// # Errors
    /// When the budget is spent, or a count outgrows its cell.
    pub(in crate::count::middle) fn new(
        filing: Filing,
        collectors: Vec<Collector<C>>,
        budget: &Budget,
        watch: &Watch,
    ) -> Result<Kept<C>, Stop> {
        let mut by_bucket: Vec<Vec<Bucket<C>>> = (0..BUCKETS).map(|_| Vec::new()).collect();
        for collector in collectors {
            for (bucket, all) in collector.buckets.into_iter().zip(&mut by_bucket) {
                all.push(bucket);
            }
        }
        // The largest first, so that no thread is left with one of them in the end.
        let mut by_size: Vec<(usize, Vec<Bucket<C>>)> = by_bucket.into_iter().enumerate().collect();
        by_size.sort_by_key(|(_, all)| Reverse(all.iter().map(|b| b.states).sum::<u64>()));
        let mut buckets = threads::try_map(by_size, |(number, all)| {
            Ok::<_, Stop>((number, merged(filing, &all, budget, watch)?))
        })?;
        buckets.sort_unstable_by_key(|&(number, _)| number);
        let buckets = buckets.into_iter().map(|(_, bucket)| bucket).collect();
        Ok(Kept { filing, buckets })
    }

    /// All columns as the first layer of the next row.
    ///
    /// # Errors
    /// When the budget is spent.
    pub(in crate::count::middle) fn into_layer(
        self,
        budget: &Budget,
        watch: &Watch,
    ) -> Result<(Layer<C>, Charge), Stop> {
        let all = self.buckets.iter().flat_map(|bucket| {
            bucket.entries.iter().map(move |entry| (entry.pattern, bucket, entry))
        });
        let mut all: Vec<(Pattern, &Bucket<C>, &Entry)> = all.collect();
        threads::sort_unstable_by_key(&mut all, |&(pattern, _, _)| pattern);
        let states: usize = all.iter().map(|(_, _, entry)| entry.length as usize).sum();
        let charge = budget.charge(states * (4 + size_of::<C>()) + 40 * all.len())?;
        let lengths = all.iter().map(|&(pattern, _, entry)| (pattern, entry.length as usize));
        let mut layer = Layer::of_lengths(lengths);
        let share = all.len().div_ceil(8 * threads::count()).max(1);
        threads::try_map(
            all.chunks(share).zip(layer.shares(share)),
            |(share, (numbers, counts))| {
                watch.ticker().check()?;
                let (mut numbers, mut counts) = (numbers.iter_mut(), counts);
                for (_, bucket, entry) in share {
                    let column = bucket.column(entry);
                    column.each_number(|number| {
                        if let Some(cell) = numbers.next() {
                            *cell = number;
                        }
                    });
                    let (first, rest) = counts.split_at_mut(column.counts.len());
                    first.copy_from_slice(column.counts);
                    counts = rest;
                }
                Ok::<_, Stop>(())
            },
        )?;
        self.give_back();
        Ok((layer, charge))
    }

    /// Gives the memory back, on all threads: for one it would take a while.
    pub(in crate::count::middle) fn give_back(self) {
        threads::each(self.buckets, drop);
    }

    /// How many states there are.
    pub(in crate::count::middle) fn states(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.states).sum()
    }

    /// The sum of all counts.
    pub(in crate::count::middle) fn mass(&self) -> u128 {
        self.buckets.iter().map(|bucket| bucket.mass).sum()
    }

    pub(in crate::count::middle) fn filing(&self) -> Filing {
        self.filing
    }

    /// The patterns of a bucket, ascending.
    pub(in crate::count::middle) fn patterns(&self, bucket: usize) -> Vec<Pattern> {
        let entries = self.buckets[bucket].entries.iter();
        let mut patterns: Vec<Pattern> = entries.map(|entry| entry.pattern).collect();
        patterns.sort_unstable();
        patterns
    }

    /// The columns of all patterns that agree with this one where no later edge changes them.
    pub(in crate::count::middle) fn beside(&self, pattern: Pattern) -> Cluster<'_, C> {
        let key = self.filing.key(pattern);
        let bucket = &self.buckets[self.filing.bucket(pattern)];
        let Ok(at) = bucket.keys.binary_search(&key) else {
            return Cluster { bucket, entries: &[], table: &[] };
        };
        Cluster {
            bucket,
            entries: &bucket.entries[bucket.starts[at]..bucket.starts[at + 1]],
            table: &bucket.tables[bucket.tables_at[at]..bucket.tables_at[at + 1]],
        }
    }
}

/// Columns whose patterns agree where no later edge changes them.
pub(in crate::count::middle) struct Cluster<'k, C> {
    bucket: &'k Bucket<C>,
    entries: &'k [Entry],
    table: &'k [u32],
}

impl<'k, C: Cell> Cluster<'k, C> {
    pub(in crate::count::middle) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The column of a pattern that agrees with them.
    #[inline]
    pub(in crate::count::middle) fn column(&self, pattern: Pattern) -> Option<Column<'k, C>> {
        let mut place = hashed(pattern, self.table.len());
        loop {
            let entry = &self.entries[(self.table[place] as usize).checked_sub(1)?];
            if entry.pattern == pattern {
                return Some(self.bucket.column(entry));
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }
}

/// A place in a table of this size, a power of two.
#[inline]
fn hashed(pattern: Pattern, size: usize) -> usize {
    let mixed = pattern.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    usize::try_from(mixed).expect("32 bits") & (size - 1)
}

/// One bucket of all threads: in order, and the columns of the same pattern added up.
fn merged<C: Cell>(
    filing: Filing,
    buckets: &[Bucket<C>],
    budget: &Budget,
    watch: &Watch,
) -> Result<Bucket<C>, Stop> {
    let all = buckets
        .iter()
        .flat_map(|bucket| bucket.entries.iter().map(move |entry| (entry.pattern, bucket, entry)));
    let mut all: Vec<(Pattern, &Bucket<C>, &Entry)> = all.collect();
    let _charge = budget.charge(size_of_val(&all[..]))?;
    all.sort_unstable_by_key(|&(pattern, _, _)| (filing.key(pattern), pattern));
    let mut merged = Bucket::new(budget)?;
    let mut accumulator = None;
    let (mut both, mut sum) = (Layer::default(), Layer::default());
    let mut numbers = Vec::new();
    let mut ticker = watch.ticker();
    for (at, same) in all.chunk_by(|one, other| one.0 == other.0).enumerate() {
        if at % LOOK == 0 {
            ticker.check()?;
        }
        let pattern = same[0].0;
        both.clear();
        for &(_, bucket, entry) in same {
            let column = bucket.column(entry);
            numbers.clear();
            column.each_number(|number| numbers.push(number));
            if same.len() == 1 {
                merged.push(pattern, numbers.iter().copied(), column.counts)?;
            } else {
                both.push(pattern, &numbers, column.counts);
            }
        }
        if same.len() > 1 {
            let source = |at| Source { at, pairs: pairs(pattern), op: Op::Same };
            let sources: Vec<Source> = (0..same.len()).map(source).collect();
            sum.clear();
            let accumulator = accumulator.get_or_insert_with(Accumulator::new);
            accumulator.gather(&both, &sources, pattern, &mut sum)?;
            let (numbers, counts) = sum.column(0);
            merged.push(pattern, numbers.iter().copied(), counts)?;
        }
    }
    let columns = merged.entries.iter().map(|entry| merged.column(entry).counts);
    merged.mass = columns.flatten().map(|&count| u128::from(count.into())).sum();
    if filing.steady.is_some() {
        merged.index(filing)?;
    }
    Ok(merged)
}
