//! Finished columns, kept compactly: on pages, found by pattern.
//!
//! Threads collect columns on pages of their own; of two patterns that are mirror images of each other one stands for
//! both. Patterns are distributed over buckets, each of one slice; when all are collected, each bucket is sorted, and the
//! columns of a mirror pair are added up. Patterns that differ only where the join adds edges lie together.
//!
//! Invariant: a pattern has one column, and its mirror image none; pages are charged to the budget while they are there.
//! Cost: two to three bytes per state (`packed`) and 40 per pattern.

use std::cmp::Reverse;
use std::marker::PhantomData;

use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::cells::Cells;
use crate::count::middle::half::column::{Accumulator, Cell, Layer, Source};
use crate::count::middle::half::packed::{Form, Packed, Unpacked, write};
use crate::count::middle::half::slots::Slots;
use crate::count::middle::half::sweep::Sink;
use crate::count::middle::join::matching::{Mirror, Op};
use crate::count::middle::join::pattern::{Pattern, pairs};
use crate::outcome::Stop;
use crate::run::threads;
use crate::run::watch::Watch;
use crate::table;

/// How finished columns are filed.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Filing {
    slots: Slots,
    /// Does one of two mirror images stand for both?
    mirror: bool,
    /// The digits of the middle rows that no later edge changes; nothing for a row that is not the last.
    steady: Option<Pattern>,
    cells: Cells,
    /// Buckets for each slice, a power of two.
    spread: usize,
}

/// Enough buckets for many threads to have about as much work each.
const BUCKETS: usize = 128;

impl Filing {
    pub(in crate::count::middle) fn new(
        slots: Slots,
        mirror: bool,
        steady: Option<Pattern>,
        cells: Cells,
    ) -> Filing {
        let spread = BUCKETS.div_ceil(cells.slices()).next_power_of_two();
        Filing { slots, mirror, steady, cells, spread }
    }

    /// The pattern that is filed: as the next row sees it, or the two middle rows alone.
    fn named(&self, pattern: Pattern) -> Pattern {
        match self.steady {
            None => self.slots.next_row(pattern),
            Some(_) => self.slots.middle(pattern),
        }
    }

    /// What mirroring does to the matchings of the pattern whose mirror image is filed so.
    fn mirror_to(&self, named: Pattern) -> Mirror {
        let image = match self.steady {
            None => self.slots.of_next_row(named),
            Some(_) => self.slots.of_middle(named),
        };
        self.slots.mirror(self.slots.mirrored(image))
    }

    /// Patterns with the same key lie together.
    fn key(&self, pattern: Pattern) -> Pattern {
        self.steady.map_or(pattern, |steady| pattern & steady)
    }

    /// Patterns with the same key are in the same bucket; nothing for one that is in no slice.
    pub(in crate::count::middle) fn bucket(&self, pattern: Pattern) -> Option<usize> {
        let mixed = mixed(self.key(pattern));
        let within = usize::try_from(mixed).expect("32 bits") & (self.spread - 1);
        Some(self.cells.slice(pattern)? * self.spread + within)
    }

    /// The slice of a bucket.
    fn slice(&self, bucket: usize) -> usize {
        bucket / self.spread
    }
}

/// After so many patterns it is looked whether the run should stop.
const LOOK: usize = 1 << 9;

/// Bytes of a page, and of the first one of a bucket.
const PAGE: usize = 1 << 14;
const FIRST_PAGE: usize = 1 << 9;

/// Where the column of a pattern lies, and how it is written.
#[derive(Clone, Copy, Debug)]
struct Entry {
    pattern: Pattern,
    page: u32,
    start: u32,
    states: u32,
    form: Form,
    /// Is it the column of the mirror image, so that its matchings are yet to be turned?
    mirrored: bool,
}

#[derive(Debug)]
struct Bucket {
    entries: Vec<Entry>,
    /// Once the entries are in order: the keys there are, ascending, and where the entries of each begin.
    keys: Vec<Pattern>,
    starts: Vec<usize>,
    /// For each key a table from hash to entry, counted from 1, and where these tables begin.
    tables: Vec<u32>,
    tables_at: Vec<usize>,
    pages: Vec<Vec<u8>>,
    states: u64,
    /// The sum of all counts.
    mass: u128,
    charge: Charge,
    /// Is it yet to be put in order? Its pages are then charged for more: allocators keep what one thread gives back of
    /// another's, so for a while both are there, these pages and those in order.
    is_collected: bool,
}

impl Bucket {
    fn new(charge: Charge, is_collected: bool) -> Bucket {
        Bucket {
            entries: Vec::new(),
            keys: Vec::new(),
            starts: Vec::new(),
            tables: Vec::new(),
            tables_at: Vec::new(),
            pages: Vec::new(),
            states: 0,
            mass: 0,
            charge,
            is_collected,
        }
    }

    /// Makes the tables, once the entries are in order.
    fn index(&mut self, filing: &Filing) -> Result<(), Stop> {
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
                table::put(&mut self.tables[at..], mixed(entry.pattern), number, |_| false);
            }
        }
        self.starts.push(start);
        self.tables_at.push(self.tables.len());
        Ok(())
    }

    fn column(&self, entry: &Entry) -> Packed<'_> {
        let Entry { pattern, page, start, states, form, .. } = *entry;
        let (pairs, states) = (pairs(pattern), states as usize);
        let from = start as usize;
        let bytes = &self.pages[page as usize][from..from + form.bytes(pairs, states)];
        Packed { form, pairs, states, bytes }
    }

    /// Puts a column on the last page, or on a new one.
    fn push(&mut self, pattern: Pattern, mirrored: bool, column: Packed<'_>) -> Result<(), Stop> {
        let bytes = column.bytes;
        let is_full = |page: &Vec<u8>| page.len() + bytes.len() > page.capacity();
        if self.pages.last().is_none_or(is_full) {
            let room = (FIRST_PAGE << self.pages.len().min(8)).min(PAGE).max(bytes.len());
            let spare = if self.is_collected { room / 3 * 2 } else { 0 };
            self.charge.grow(room + spare)?;
            self.pages.push(Vec::with_capacity(room));
        }
        if self.entries.len() == self.entries.capacity() {
            let more = (self.entries.len() / 2).max(16);
            self.charge.grow(more * size_of::<Entry>())?;
            self.entries.reserve_exact(more);
        }
        let short = |length: usize| u32::try_from(length).expect("pages and columns are short");
        let last = self.pages.len() - 1;
        let (page, start) = (short(last), short(self.pages[last].len()));
        self.pages[last].extend_from_slice(bytes);
        let (states, form) = (short(column.states), column.form);
        self.entries.push(Entry { pattern, page, start, states, form, mirrored });
        self.states += u64::from(states);
        Ok(())
    }
}

/// Columns as one thread finishes them.
#[derive(Debug)]
pub(in crate::count::middle) struct Collector<C> {
    filing: Filing,
    budget: Budget,
    buckets: Vec<Option<Bucket>>,
    /// So many slices are still collected, as far as has been heard here.
    open: usize,
    /// Room to write a column in.
    bytes: Vec<u8>,
    _cells: PhantomData<C>,
}

/// The bytes of an entry's head, for another process: pattern, states, form, mirrored.
const HEAD: usize = 14;

impl<C: Cell> Collector<C> {
    pub(in crate::count::middle) fn new(filing: &Filing, budget: &Budget) -> Collector<C> {
        Collector {
            filing: filing.clone(),
            budget: budget.clone(),
            buckets: (0..filing.cells.slices() * filing.spread).map(|_| None).collect(),
            open: filing.cells.slices(),
            bytes: Vec::new(),
            _cells: PhantomData,
        }
    }

    /// The bytes of all buckets, to be read by [`Collector::read`]; the masses of the buckets come first.
    pub(in crate::count::middle) fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (number, bucket) in (0_u32..).zip(&self.buckets) {
            let Some(bucket) = bucket else { continue };
            bytes.extend_from_slice(&number.to_le_bytes());
            bytes.extend_from_slice(&bucket.mass.to_le_bytes());
            bytes.extend_from_slice(&(bucket.entries.len() as u64).to_le_bytes());
            for entry in &bucket.entries {
                bytes.extend_from_slice(&entry.pattern.to_le_bytes());
                bytes.extend_from_slice(&entry.states.to_le_bytes());
                bytes.extend_from_slice(&[entry.form.code(), entry.mirrored.into()]);
                bytes.extend_from_slice(bucket.column(entry).bytes);
            }
        }
        bytes
    }

    /// What another process wrote.
    pub(in crate::count::middle) fn read(
        filing: &Filing,
        budget: &Budget,
        bytes: &[u8],
    ) -> Result<Collector<C>, Stop> {
        let mut collector = Collector::new(filing, budget);
        let mut left = bytes;
        let mut next = |length: usize| {
            let (taken, rest) = left.split_at_checked(length)?;
            left = rest;
            Some(taken)
        };
        let word = |bytes: &[u8]| {
            let mut word = [0; 16];
            word[..bytes.len()].copy_from_slice(bytes);
            u128::from_le_bytes(word)
        };
        let size = |number: u128| usize::try_from(number).expect("a size of this machine");
        while let Some(number) = next(4).map(word) {
            let bucket = collector.bucket(size(number));
            bucket.mass += next(16).map_or(0, word);
            for _ in 0..next(8).map_or(0, word) {
                let head = next(HEAD).expect("whole entries");
                let pattern = Pattern::try_from(word(&head[..8])).expect("eight bytes");
                let states = size(word(&head[8..12]));
                let (form, pairs) = (Form::of_code(head[12]), pairs(pattern));
                let bytes = next(form.bytes(pairs, states)).expect("whole entries");
                bucket.push(pattern, head[13] == 1, Packed { form, pairs, states, bytes })?;
            }
        }
        Ok(collector)
    }

    fn bucket(&mut self, number: usize) -> &mut Bucket {
        let slice = self.filing.slice(number);
        self.buckets[number]
            .get_or_insert_with(|| Bucket::new(self.budget.charge_slice(slice), true))
    }

    /// Drops what was given up meanwhile.
    fn drop_given_up(&mut self) {
        let open = self.budget.open().min(self.open);
        if open < self.open {
            self.open = open;
            self.buckets[open * self.filing.spread..].fill_with(|| None);
        }
    }
}

impl<C: Cell> Sink<C> for Collector<C> {
    fn take(&mut self, layer: &Layer<C>) -> Result<(), Stop> {
        self.drop_given_up();
        let Filing { slots, mirror, .. } = self.filing;
        for (at, &pattern) in layer.patterns().iter().enumerate() {
            let image = if mirror { slots.mirrored(pattern) } else { pattern };
            let mirrored = !slots.stands_for_both(pattern, image);
            let named = self.filing.named(if mirrored { image } else { pattern });
            let Some(number) = self.filing.bucket(named) else { continue };
            let slice = self.filing.slice(number);
            if slice >= self.open {
                continue;
            }
            let bucket = self.buckets[number]
                .get_or_insert_with(|| Bucket::new(self.budget.charge_slice(slice), true));
            bucket.mass +=
                layer.column(at).1.iter().map(|&count| u128::from(count.into())).sum::<u128>();
            bucket.push(named, mirrored, packed(layer, at, &mut self.bytes))?;
        }
        Ok(())
    }
}

/// Finished columns, by pattern.
#[derive(Debug)]
pub(in crate::count::middle) struct Kept<C> {
    filing: Filing,
    buckets: Vec<Bucket>,
    _cells: PhantomData<C>,
}

impl<C: Cell> Kept<C> {
    /// All that the threads have collected, each pattern once.
    ///
    /// # Errors
    /// When the budget is spent, or a count outgrows its cell.
    pub(in crate::count::middle) fn new(
        filing: &Filing,
        collectors: Vec<Collector<C>>,
        budget: &Budget,
        watch: &Watch,
    ) -> Result<Kept<C>, Stop> {
        let open = budget.open().min(filing.cells.slices()) * filing.spread;
        let mut by_bucket: Vec<Vec<Bucket>> = (0..open).map(|_| Vec::new()).collect();
        for collector in collectors {
            for (bucket, all) in collector.buckets.into_iter().zip(&mut by_bucket) {
                all.extend(bucket);
            }
        }
        // The largest first, so that no thread is left with one of them in the end.
        let mut by_size: Vec<(usize, Vec<Bucket>)> = by_bucket.into_iter().enumerate().collect();
        by_size.sort_by_key(|(_, all)| Reverse(all.iter().map(|b| b.states).sum::<u64>()));
        let mut buckets = threads::try_map(by_size, |(number, all)| {
            // What is put in order is not given up any more.
            let charge = budget.charge(0)?;
            let entries: usize = all.iter().map(|bucket| bucket.entries.len()).sum();
            let _room = budget.charge(entries * size_of::<(Pattern, &Bucket, &Entry)>())?;
            Ok::<_, Stop>((number, merged::<C>(filing, &all, charge, watch)?))
        })?;
        buckets.sort_unstable_by_key(|&(number, _)| number);
        let buckets = buckets.into_iter().map(|(_, bucket)| bucket).collect();
        Ok(Kept { filing: filing.clone(), buckets, _cells: PhantomData })
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
        let mut all: Vec<(Pattern, &Bucket, &Entry)> = all.collect();
        threads::sort_unstable_by_key(&mut all, |&(pattern, _, _)| pattern);
        let states: usize = all.iter().map(|(_, _, entry)| entry.states as usize).sum();
        let charge = budget.charge(states * (4 + size_of::<C>()) + 40 * all.len())?;
        let lengths = all.iter().map(|&(pattern, _, entry)| (pattern, entry.states as usize));
        let mut layer = Layer::of_lengths(lengths);
        let share = all.len().div_ceil(8 * threads::count()).max(1);
        let shares = all.chunks(share).zip(layer.shares(share));
        threads::try_map_with(shares, Unpacked::default, |column, (share, (numbers, counts))| {
            watch.ticker().check()?;
            let (mut numbers, mut counts) = (numbers, counts);
            for (_, bucket, entry) in share {
                bucket.column(entry).read(column);
                let (first, rest) = numbers.split_at_mut(column.numbers.len());
                first.copy_from_slice(&column.numbers);
                numbers = rest;
                let (first, rest) = counts.split_at_mut(column.counts.len());
                first.copy_from_slice(&column.counts);
                counts = rest;
            }
            Ok::<_, Stop>(())
        })?;
        self.give_back();
        Ok((layer, charge))
    }

    /// Gives the memory back, on all threads: for one it would take a while.
    pub(in crate::count::middle) fn give_back(self) {
        threads::each(self.buckets, drop);
    }

    /// How many states there are of a slice.
    pub(in crate::count::middle) fn states(&self, slice: usize) -> u64 {
        let spread = self.filing.spread;
        let buckets = self.buckets.iter().skip(slice * spread).take(spread);
        buckets.map(|bucket| bucket.states).sum()
    }

    /// The sum of all counts.
    pub(in crate::count::middle) fn mass(&self) -> u128 {
        self.buckets.iter().map(|bucket| bucket.mass).sum()
    }

    pub(in crate::count::middle) fn filing(&self) -> &Filing {
        &self.filing
    }

    /// How many buckets there are.
    pub(in crate::count::middle) fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// The patterns of a bucket, ascending.
    pub(in crate::count::middle) fn patterns(&self, bucket: usize) -> Vec<Pattern> {
        let entries = self.buckets[bucket].entries.iter();
        let mut patterns: Vec<Pattern> = entries.map(|entry| entry.pattern).collect();
        patterns.sort_unstable();
        patterns
    }

    /// The columns of all patterns that agree with this one where no later edge changes them.
    pub(in crate::count::middle) fn beside(&self, pattern: Pattern) -> Option<Cluster<'_>> {
        let key = self.filing.key(pattern);
        let bucket = self.buckets.get(self.filing.bucket(pattern)?)?;
        let at = bucket.keys.binary_search(&key).ok()?;
        Some(Cluster {
            bucket,
            entries: &bucket.entries[bucket.starts[at]..bucket.starts[at + 1]],
            table: &bucket.tables[bucket.tables_at[at]..bucket.tables_at[at + 1]],
        })
    }
}

/// Columns whose patterns agree where no later edge changes them.
pub(in crate::count::middle) struct Cluster<'k> {
    bucket: &'k Bucket,
    entries: &'k [Entry],
    table: &'k [u32],
}

impl<'k> Cluster<'k> {
    /// The column of a pattern that agrees with them.
    #[inline]
    pub(in crate::count::middle) fn column(&self, pattern: Pattern) -> Option<Packed<'k>> {
        table::find(self.table, mixed(pattern), |number| {
            let entry = &self.entries[number as usize - 1];
            (entry.pattern == pattern).then(|| self.bucket.column(entry))
        })
    }
}

/// A hash of a pattern.
#[inline]
fn mixed(pattern: Pattern) -> u64 {
    pattern.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

/// A column of a layer, written.
fn packed<'b, C: Cell>(columns: &Layer<C>, at: usize, bytes: &'b mut Vec<u8>) -> Packed<'b> {
    let (numbers, counts) = columns.column(at);
    let pairs = pairs(columns.patterns()[at]);
    bytes.clear();
    let form = write(pairs, numbers, counts, bytes);
    Packed { form, pairs, states: numbers.len(), bytes }
}

/// One bucket of all threads: in order, and the columns of the same pattern added up.
fn merged<C: Cell>(
    filing: &Filing,
    buckets: &[Bucket],
    charge: Charge,
    watch: &Watch,
) -> Result<Bucket, Stop> {
    let all = buckets
        .iter()
        .flat_map(|bucket| bucket.entries.iter().map(move |entry| (entry.pattern, bucket, entry)));
    let mut all: Vec<(Pattern, &Bucket, &Entry)> = all.collect();
    all.sort_unstable_by_key(|&(pattern, _, _)| (filing.key(pattern), pattern));
    let mut merged = Bucket::new(charge, false);
    let (mut columns, mut sum, mut column) =
        (Layer::<C>::default(), Layer::default(), Unpacked::default());
    let (mut accumulator, mut bytes) = (None, Vec::new());
    let mut ticker = watch.ticker();
    for (at, same) in all.chunk_by(|one, other| one.0 == other.0).enumerate() {
        if at % LOOK == 0 {
            ticker.check()?;
        }
        if let [(pattern, bucket, entry)] = same
            && !entry.mirrored
        {
            merged.push(*pattern, false, bucket.column(entry))?;
            continue;
        }
        let pattern = same[0].0;
        columns.clear();
        for &(_, bucket, entry) in same {
            bucket.column(entry).read(&mut column);
            if entry.mirrored {
                filing.mirror_to(pattern).turn(&mut column.numbers);
            }
            columns.push(pattern, &column.numbers, &column.counts);
        }
        let source = |at| Source { at, pairs: pairs(pattern), op: Op::Same };
        let sources: Vec<Source> = (0..same.len()).map(source).collect();
        sum.clear();
        let accumulator = accumulator.get_or_insert_with(Accumulator::new);
        accumulator.add_up(&columns, &sources, pattern, &mut sum)?;
        merged.push(pattern, false, packed(&sum, 0, &mut bytes))?;
    }
    merged.mass = buckets.iter().map(|bucket| bucket.mass).sum();
    if filing.steady.is_some() {
        merged.index(filing)?;
    }
    Ok(merged)
}
