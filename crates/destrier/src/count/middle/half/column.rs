//! The states of a sweep, grouped by degree pattern: a column of matchings and counts for each.
//!
//! A step adds a constant to a pattern for each thing that it may do, so a new pattern draws on a few old ones, and all
//! states of an old column go the same way: through one table of numbers. Counts that arrive at the same number are
//! added up in a dense array, one cell per matching, where the column has entries enough to be worth clearing it; else
//! the numbers are sorted.
//!
//! Invariant: within a column no matching comes twice, and no count is zero.
//! Cost: two to four nanoseconds for each state that is carried over, where tables fit the cache.
//! Source: dense against sparse accumulators in sparse matrix products, Gustavson (1978).

use crate::count::middle::join::link::Word;
use crate::count::middle::join::matching::{DENSE, Op, matchings};
use crate::count::middle::join::pattern::{Pattern, pairs};
use crate::outcome::Stop;

/// A count, as wide as it needs to be.
pub(in crate::count::middle) trait Cell:
    Copy + Default + Ord + Send + Sync + std::fmt::Debug + Into<u64> + bytemuck::Pod
{
    const ONE: Self;

    /// What the counts of a final pattern are added up in.
    type Sum: Word;

    /// The cell with a count that it can hold.
    fn of(count: u64) -> Self;

    /// The sum, and whether it overflowed.
    fn plus(self, other: Self) -> (Self, bool);
}

impl Cell for u32 {
    const ONE: u32 = 1;
    type Sum = u64;

    #[inline]
    fn of(count: u64) -> u32 {
        u32::try_from(count).expect("a count of 32 bits")
    }

    #[inline]
    fn plus(self, other: u32) -> (u32, bool) {
        self.overflowing_add(other)
    }
}

impl Cell for u64 {
    const ONE: u64 = 1;
    type Sum = u128;

    #[inline]
    fn of(count: u64) -> u64 {
        count
    }

    #[inline]
    fn plus(self, other: u64) -> (u64, bool) {
        self.overflowing_add(other)
    }
}

/// Patterns in ascending order, each with its column.
#[derive(Clone, Debug, Default)]
pub(in crate::count::middle) struct Layer<C> {
    patterns: Vec<Pattern>,
    /// Where the column of each pattern ends.
    ends: Vec<usize>,
    numbers: Vec<u32>,
    counts: Vec<C>,
}

impl<C: Cell> Layer<C> {
    /// One state: nothing settled.
    pub(in crate::count::middle) fn blank() -> Layer<C> {
        Layer { patterns: vec![0], ends: vec![1], numbers: vec![0], counts: vec![C::ONE] }
    }

    /// No columns, and room for so many.
    pub(in crate::count::middle) fn with_room(patterns: usize, states: usize) -> Layer<C> {
        Layer {
            patterns: Vec::with_capacity(patterns),
            ends: Vec::with_capacity(patterns),
            numbers: Vec::with_capacity(states),
            counts: Vec::with_capacity(states),
        }
    }

    /// Columns of these patterns and lengths, to be written by [`Layer::shares`].
    pub(in crate::count::middle) fn of_lengths(
        columns: impl Iterator<Item = (Pattern, usize)> + Clone,
    ) -> Layer<C> {
        let patterns = columns.clone().map(|(pattern, _)| pattern).collect();
        let end = |sum: &mut usize, (_, length): (Pattern, usize)| {
            *sum += length;
            Some(*sum)
        };
        let ends: Vec<usize> = columns.scan(0, end).collect();
        let states = ends.last().copied().unwrap_or(0);
        Layer { patterns, ends, numbers: vec![0; states], counts: vec![C::default(); states] }
    }

    /// The numbers and counts of so many columns after the others.
    pub(in crate::count::middle) fn shares(
        &mut self,
        columns: usize,
    ) -> Vec<(&mut [u32], &mut [C])> {
        let mut shares = Vec::new();
        let (mut numbers, mut counts) = (&mut self.numbers[..], &mut self.counts[..]);
        let mut start = 0;
        for ends in self.ends.chunks(columns) {
            let end = ends.last().copied().unwrap_or(start);
            let (own_numbers, later_numbers) = numbers.split_at_mut(end - start);
            let (own_counts, later_counts) = counts.split_at_mut(end - start);
            shares.push((own_numbers, own_counts));
            (numbers, counts, start) = (later_numbers, later_counts, end);
        }
        shares
    }

    pub(in crate::count::middle) fn clear(&mut self) {
        self.patterns.clear();
        self.ends.clear();
        self.numbers.clear();
        self.counts.clear();
    }

    pub(in crate::count::middle) fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    pub(in crate::count::middle) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// How many states there are.
    pub(in crate::count::middle) fn states(&self) -> usize {
        self.numbers.len()
    }

    /// The numbers and counts of a column.
    #[inline]
    pub(in crate::count::middle) fn column(&self, at: usize) -> (&[u32], &[C]) {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        let range = start..self.ends[at];
        (&self.numbers[range.clone()], &self.counts[range])
    }

    /// The length of a column.
    #[inline]
    pub(in crate::count::middle) fn length(&self, at: usize) -> usize {
        self.ends[at] - if at == 0 { 0 } else { self.ends[at - 1] }
    }

    /// Puts a column behind the others.
    pub(in crate::count::middle) fn push(
        &mut self,
        pattern: Pattern,
        numbers: &[u32],
        counts: &[C],
    ) {
        self.push_by(pattern, |all, all_counts| {
            all.extend_from_slice(numbers);
            all_counts.extend_from_slice(counts);
        });
    }

    /// The same for one that is written behind the others.
    pub(in crate::count::middle) fn push_by(
        &mut self,
        pattern: Pattern,
        write: impl FnOnce(&mut Vec<u32>, &mut Vec<C>),
    ) {
        write(&mut self.numbers, &mut self.counts);
        self.close(pattern);
    }

    /// Ends the column that has been written; nothing is kept of an empty one.
    fn close(&mut self, pattern: Pattern) {
        let start = self.ends.last().copied().unwrap_or(0);
        if self.numbers.len() > start {
            self.patterns.push(pattern);
            self.ends.push(self.numbers.len());
        }
    }

    /// The bytes that are held.
    pub(in crate::count::middle) fn bytes(&self) -> usize {
        8 * self.patterns.capacity()
            + 8 * self.ends.capacity()
            + 4 * self.numbers.capacity()
            + size_of::<C>() * self.counts.capacity()
    }
}

/// A column that a new one draws on, and what becomes of its matchings.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Source {
    pub(in crate::count::middle) at: usize,
    pub(in crate::count::middle) pairs: usize,
    pub(in crate::count::middle) op: Op,
}

impl Source {
    /// Shows each state of the column with the number that its matching gets: one past the last where a cycle closes.
    #[inline]
    fn move_each<C: Cell>(self, from: &Layer<C>, mut show: impl FnMut(u32, C)) {
        let Source { at, pairs, op } = self;
        let (numbers, counts) = from.column(at);
        let states = numbers.iter().zip(counts);
        if op == Op::Same {
            states.for_each(|(&number, &count)| show(number, count));
        } else if op.is_small(pairs) {
            let table = op.small_table(pairs);
            states.for_each(|(&number, &count)| show(table[number as usize].into(), count));
        } else if let Some(tables) = op.tables(pairs, numbers.len()) {
            states.for_each(|(&number, &count)| show(through(tables, number), count));
        } else {
            let sink = u32::try_from(matchings(op.pairs_after(pairs))).unwrap_or(u32::MAX);
            let apply = |number| op.apply(pairs, number).unwrap_or(sink);
            states.for_each(|(&number, &count)| show(apply(number), count));
        }
    }
}

/// The number that one or two tables lead to.
#[inline]
fn through([one, other]: [&[u32]; 2], number: u32) -> u32 {
    let number = if one.is_empty() { number } else { one[number as usize] };
    if other.is_empty() { number } else { other[number as usize] }
}

/// What one thread needs to put columns together.
#[derive(Debug)]
pub(in crate::count::middle) struct Accumulator<C> {
    /// A cell for each number of sixteen bits; all zero between two columns.
    small: Box<[C; 1 << 16]>,
    /// Which of these cells a column has touched, where it touches few.
    touched: Box<[u64; 1 << 10]>,
    /// The same for more pairs, as long as has been needed.
    large: Vec<C>,
    list: Vec<(u32, C)>,
    /// States carried over so far.
    pub(in crate::count::middle) transitions: u64,
}

/// An array is searched for counts cell by cell if it has at most so many cells for each state.
const CELLS_PER_STATE: usize = 8;
/// A dense array that does not fit the first-level cache is worth its clearing if it has at most so many.
const LARGE_CELLS_PER_STATE: usize = 8;
/// The most pairs with a dense array.
const MOST_DENSE: usize = 7;

impl<C: Cell> Accumulator<C> {
    pub(in crate::count::middle) fn new() -> Accumulator<C> {
        let cells: Box<[C]> = vec![C::default(); 1 << 16].into_boxed_slice();
        Accumulator {
            small: cells.try_into().expect("as many as were made"),
            touched: Box::new([0; 1 << 10]),
            large: Vec::new(),
            list: Vec::new(),
            transitions: 0,
        }
    }

    /// The bytes that are held.
    pub(in crate::count::middle) fn bytes(&self) -> usize {
        size_of::<C>() * ((1 << 16) + self.large.capacity())
            + size_of::<(u32, C)>() * self.list.capacity()
    }

    /// Puts the column of a pattern behind the others of `to`, from the columns that it draws on.
    ///
    /// # Errors
    /// When a count outgrows its cell.
    pub(in crate::count::middle) fn gather(
        &mut self,
        from: &Layer<C>,
        sources: &[Source],
        pattern: Pattern,
        to: &mut Layer<C>,
    ) -> Result<(), Stop> {
        match sources {
            // No two matchings become the same.
            [only] if !matches!(only.op, Op::Link { .. }) => {
                self.transitions += from.length(only.at) as u64;
                carry(from, *only, to);
                to.close(pattern);
                Ok(())
            }
            _ => self.add_up(from, sources, pattern, to),
        }
    }

    /// The same, and the numbers of the new column ascend.
    ///
    /// # Errors
    /// When a count outgrows its cell.
    pub(in crate::count::middle) fn add_up(
        &mut self,
        from: &Layer<C>,
        sources: &[Source],
        pattern: Pattern,
        to: &mut Layer<C>,
    ) -> Result<(), Stop> {
        let states: usize = sources.iter().map(|source| from.length(source.at)).sum();
        self.transitions += states as u64;
        let pairs = pairs(pattern);
        let cells = matchings(pairs);
        if pairs <= DENSE && cells > CELLS_PER_STATE * states {
            self.add_up_small::<true>(from, sources, cells, to)?;
        } else if pairs <= DENSE {
            self.add_up_small::<false>(from, sources, cells, to)?;
        } else if pairs <= MOST_DENSE && cells <= LARGE_CELLS_PER_STATE * states {
            self.add_up_large(from, sources, cells, to)?;
        } else {
            self.sort(from, sources, to)?;
        }
        to.close(pattern);
        Ok(())
    }

    /// `FEW`: most cells stay empty, so those touched are noted.
    fn add_up_small<const FEW: bool>(
        &mut self,
        from: &Layer<C>,
        sources: &[Source],
        cells: usize,
        to: &mut Layer<C>,
    ) -> Result<(), Stop> {
        let mut overflow = false;
        for source in sources {
            source.move_each(from, |number, count| {
                let number = narrow(number);
                let cell = &mut self.small[usize::from(number)];
                let (sum, over) = cell.plus(count);
                *cell = sum;
                overflow |= over;
                if FEW {
                    self.touched[usize::from(number >> 6)] |= 1 << (number & 63);
                }
            });
        }
        self.small[cells] = C::default(); // closed cycles
        if FEW {
            self.touched[cells >> 6] &= !(1 << (cells & 63));
            let words = (0_u32..).step_by(64).zip(&mut self.touched[..=cells >> 6]);
            for (first, word) in words.filter(|(_, word)| **word != 0) {
                let mut left = std::mem::take(word);
                while left != 0 {
                    let number = first + left.trailing_zeros();
                    left &= left - 1;
                    to.numbers.push(number);
                    to.counts.push(std::mem::take(&mut self.small[number as usize & 0xffff]));
                }
            }
        } else {
            read_off(&mut self.small[..cells.next_multiple_of(STRIDE)], to);
        }
        if overflow { Err(Stop::Overflow) } else { Ok(()) }
    }

    fn add_up_large(
        &mut self,
        from: &Layer<C>,
        sources: &[Source],
        cells: usize,
        to: &mut Layer<C>,
    ) -> Result<(), Stop> {
        let length = (cells + 1).next_multiple_of(STRIDE);
        if self.large.len() < length {
            self.large.resize(length, C::default());
        }
        let mut overflow = false;
        for source in sources {
            source.move_each(from, |number, count| {
                let cell = &mut self.large[number as usize];
                let (sum, over) = cell.plus(count);
                *cell = sum;
                overflow |= over;
            });
        }
        self.large[cells] = C::default();
        read_off(&mut self.large[..length], to);
        if overflow { Err(Stop::Overflow) } else { Ok(()) }
    }

    fn sort(&mut self, from: &Layer<C>, sources: &[Source], to: &mut Layer<C>) -> Result<(), Stop> {
        self.list.clear();
        for source in sources {
            let sink = matchings(source.op.pairs_after(source.pairs));
            source.move_each(from, |number, count| {
                if number as usize != sink {
                    self.list.push((number, count));
                }
            });
        }
        self.list.sort_unstable_by_key(|&(number, _)| number);
        for same in self.list.chunk_by(|one, other| one.0 == other.0) {
            let mut count = same[0].1;
            for &(_, more) in &same[1..] {
                let (sum, over) = count.plus(more);
                if over {
                    return Err(Stop::Overflow);
                }
                count = sum;
            }
            to.numbers.push(same[0].0);
            to.counts.push(count);
        }
        Ok(())
    }
}

fn narrow(number: u32) -> u16 {
    debug_assert!(number as usize <= matchings(DENSE));
    (number & 0xffff) as u16
}

/// A column of its own, with its matchings in the order that they came in.
fn carry<C: Cell>(from: &Layer<C>, source: Source, to: &mut Layer<C>) {
    to.numbers.reserve(from.length(source.at));
    to.counts.extend_from_slice(from.column(source.at).1);
    source.move_each(from, |number, _| to.numbers.push(number));
}

/// Cells that are looked at together.
const STRIDE: usize = 16;

/// Takes the counts that are not zero out of an array of cells, with the numbers of their cells.
fn read_off<C: Cell>(cells: &mut [C], to: &mut Layer<C>) {
    let (strides, _) = cells.as_chunks_mut::<STRIDE>();
    for (first, cells) in (0_u32..).step_by(STRIDE).zip(strides) {
        if cells.iter().all(|&count| count == C::default()) {
            continue;
        }
        // No branch on each count: they are as good as random.
        let (mut numbers, mut counts) = ([0; STRIDE], [C::default(); STRIDE]);
        let mut found = 0;
        for (number, &count) in (first..).zip(&*cells) {
            numbers[found % STRIDE] = number;
            counts[found % STRIDE] = count;
            found += usize::from(count != C::default());
        }
        to.numbers.extend_from_slice(&numbers[..found]);
        to.counts.extend_from_slice(&counts[..found]);
        cells.fill(C::default());
    }
}
