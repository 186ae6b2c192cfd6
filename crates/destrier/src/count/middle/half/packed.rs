//! Columns written as bytes: which matchings there are and their counts, as narrowly as each column allows.
//!
//! Most columns that are kept have a good part of all matchings, and small counts. So the matchings are a list of numbers, or a
//! bit for each number, or nothing where none is missing, whichever is shortest; and a count takes one, two, four or
//! eight bytes, as the largest of its column needs.
//!
//! Invariant: what was written is read back.
//! Cost: two bytes per state on 8×8 and three on 8×10, where a number and a count take eight; a nanosecond or two to write or read.

use crate::count::middle::half::column::{Cell, Layer};
use crate::count::middle::join::matching::{DENSE, matchings};
use crate::count::middle::join::pattern::{Pattern, pairs};

/// How a column is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) struct Form {
    numbers: Numbers,
    /// The bytes of a count, as a power of two.
    width: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    /// No matching is missing.
    All,
    /// A bit for each matching.
    Bits,
    /// Two bytes each, or four where there are too many matchings for that.
    List,
}

impl Form {
    /// The shortest form of a column; numbers that do not ascend are listed.
    fn of<C: Cell>(pairs: usize, numbers: &[u32], counts: &[C]) -> Form {
        let most: u64 = counts.iter().copied().max().unwrap_or_default().into();
        let width = match 64 - most.leading_zeros() {
            0..=8 => 0,
            9..=16 => 1,
            17..=32 => 2,
            _ => 3,
        };
        let bytes = |&numbers: &Numbers| numbers.bytes(pairs, counts.len());
        let numbers = if !numbers.is_sorted() {
            Numbers::List
        } else if counts.len() == matchings(pairs) {
            Numbers::All
        } else {
            *[Numbers::List, Numbers::Bits].iter().min_by_key(|n| bytes(n)).expect("one of two")
        };
        Form { numbers, width }
    }

    /// As a byte, for another process.
    pub(in crate::count::middle) fn code(self) -> u8 {
        let numbers = match self.numbers {
            Numbers::All => 0,
            Numbers::Bits => 1,
            Numbers::List => 2,
        };
        numbers << 2 | self.width
    }

    /// The inverse of [`Form::code`].
    pub(in crate::count::middle) fn of_code(code: u8) -> Form {
        let numbers = match code >> 2 {
            0 => Numbers::All,
            1 => Numbers::Bits,
            _ => Numbers::List,
        };
        Form { numbers, width: code & 3 }
    }

    /// The bytes of a column with so many states.
    pub(in crate::count::middle) fn bytes(self, pairs: usize, states: usize) -> usize {
        self.numbers.bytes(pairs, states) + (states << self.width)
    }
}

impl Numbers {
    fn bytes(self, pairs: usize, states: usize) -> usize {
        match self {
            Numbers::All => 0,
            Numbers::Bits => 8 * matchings(pairs).div_ceil(64),
            Numbers::List if pairs <= DENSE => 2 * states,
            Numbers::List => 4 * states,
        }
    }
}

/// Writes a column behind what is there.
pub(in crate::count::middle) fn write<C: Cell>(
    pairs: usize,
    numbers: &[u32],
    counts: &[C],
    to: &mut Vec<u8>,
) -> Form {
    let form = Form::of(pairs, numbers, counts);
    form.write(pairs, numbers, counts, to);
    form
}

impl Form {
    fn write<C: Cell>(self, pairs: usize, numbers: &[u32], counts: &[C], to: &mut Vec<u8>) {
        match self.numbers {
            Numbers::All => {}
            Numbers::Bits => {
                let start = to.len();
                to.resize(start + self.numbers.bytes(pairs, numbers.len()), 0);
                let bytes = &mut to[start..];
                for &number in numbers {
                    bytes[number as usize / 8] |= 1 << (number % 8);
                }
            }
            Numbers::List if pairs <= DENSE => put::<2>(numbers.iter().map(|&n| n.into()), to),
            Numbers::List => put::<4>(numbers.iter().map(|&n| n.into()), to),
        }
        let counts = counts.iter().map(|&count| count.into());
        match self.width {
            0 => put::<1>(counts, to),
            1 => put::<2>(counts, to),
            2 => put::<4>(counts, to),
            _ => put::<8>(counts, to),
        }
    }
}

fn put<const BYTES: usize>(words: impl ExactSizeIterator<Item = u64>, to: &mut Vec<u8>) {
    let start = to.len();
    to.resize(start + BYTES * words.len(), 0);
    let (cells, _) = to[start..].as_chunks_mut::<BYTES>();
    for (cell, word) in cells.iter_mut().zip(words) {
        cell.copy_from_slice(&word.to_le_bytes()[..BYTES]);
    }
}

/// A column as it is written.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Packed<'k> {
    pub(in crate::count::middle) form: Form,
    pub(in crate::count::middle) pairs: usize,
    pub(in crate::count::middle) states: usize,
    pub(in crate::count::middle) bytes: &'k [u8],
}

/// Room to read columns into.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct Unpacked<C> {
    pub(in crate::count::middle) numbers: Vec<u32>,
    pub(in crate::count::middle) counts: Vec<C>,
}

impl Packed<'_> {
    /// Reads the column, in place of what was read before.
    pub(in crate::count::middle) fn read<C: Cell>(self, into: &mut Unpacked<C>) {
        into.numbers.clear();
        into.counts.clear();
        self.append(&mut into.numbers, &mut into.counts);
    }

    /// Reads the column behind what is there.
    fn append<C: Cell>(self, numbers: &mut Vec<u32>, counts: &mut Vec<C>) {
        let Packed { form, pairs, states, bytes } = self;
        let (of_numbers, of_counts) = bytes.split_at(form.numbers.bytes(pairs, states));
        match form.numbers {
            Numbers::All => numbers.extend((0..).take(states)),
            Numbers::Bits => {
                numbers.reserve(states);
                for (first, word) in (0..).step_by(64).zip(of_numbers.as_chunks().0) {
                    let mut left = u64::from_le_bytes(*word);
                    if left == u64::MAX {
                        numbers.extend(first..first + 64);
                        continue;
                    }
                    while left != 0 {
                        numbers.push(first + left.trailing_zeros());
                        left &= left - 1;
                    }
                }
            }
            Numbers::List if pairs <= DENSE => {
                let list = of_numbers.as_chunks().0.iter();
                numbers.extend(list.map(|number| u32::from(u16::from_le_bytes(*number))));
            }
            Numbers::List => {
                let list = of_numbers.as_chunks().0.iter();
                numbers.extend(list.map(|number| u32::from_le_bytes(*number)));
            }
        }
        match form.width {
            0 => get::<1, C>(of_counts, counts),
            1 => get::<2, C>(of_counts, counts),
            2 => get::<4, C>(of_counts, counts),
            _ => get::<8, C>(of_counts, counts),
        }
    }
}

fn get<const BYTES: usize, C: Cell>(bytes: &[u8], counts: &mut Vec<C>) {
    let (cells, _) = bytes.as_chunks::<BYTES>();
    counts.extend(cells.iter().map(|cell| {
        let mut word = [0; 8];
        word[..BYTES].copy_from_slice(cell);
        C::of(u64::from_le_bytes(word))
    }));
}

/// The columns of a layer, while they wait.
#[derive(Debug)]
pub(in crate::count::middle) struct Bundle {
    heads: Vec<(Pattern, u32, Form)>,
    bytes: Vec<u8>,
    states: usize,
}

impl Bundle {
    pub(in crate::count::middle) fn new<C: Cell>(layer: &Layer<C>) -> Bundle {
        let mut heads = Vec::with_capacity(layer.patterns().len());
        let mut length = 0;
        for (at, &pattern) in layer.patterns().iter().enumerate() {
            let (numbers, counts) = layer.column(at);
            let form = Form::of(pairs(pattern), numbers, counts);
            length += form.bytes(pairs(pattern), counts.len());
            let states = u32::try_from(counts.len()).expect("a column is short");
            heads.push((pattern, states, form));
        }
        let mut bytes = Vec::with_capacity(length);
        for (at, (pattern, _, form)) in heads.iter().enumerate() {
            let (numbers, counts) = layer.column(at);
            form.write(pairs(*pattern), numbers, counts, &mut bytes);
        }
        Bundle { heads, bytes, states: layer.states() }
    }

    pub(in crate::count::middle) fn states(&self) -> usize {
        self.states
    }

    /// The bytes that are held.
    pub(in crate::count::middle) fn held(&self) -> usize {
        self.bytes.len() + size_of_val(&self.heads[..])
    }

    /// The bytes of a layer with its columns.
    pub(in crate::count::middle) fn opened<C: Cell>(&self) -> usize {
        self.heads.len() * (size_of::<Pattern>() + size_of::<usize>())
            + self.states * (size_of::<u32>() + size_of::<C>())
    }

    /// The columns of bundles whose patterns follow each other.
    pub(in crate::count::middle) fn open<C: Cell>(bundles: &[&Bundle]) -> Layer<C> {
        let patterns = bundles.iter().map(|bundle| bundle.heads.len()).sum();
        let states = bundles.iter().map(|bundle| bundle.states).sum();
        let mut layer = Layer::with_room(patterns, states);
        for Bundle { heads, bytes, .. } in bundles {
            let mut left = &bytes[..];
            for &(pattern, states, form) in heads {
                let (pairs, states) = (pairs(pattern), states as usize);
                let (bytes, rest) = left.split_at(form.bytes(pairs, states));
                left = rest;
                let column = Packed { form, pairs, states, bytes };
                layer.push_by(pattern, |numbers, counts| column.append(numbers, counts));
            }
        }
        layer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;

    #[test]
    fn columns_are_read_back_as_they_were_written() {
        let mut random = Random::new(5);
        let mut seen = std::collections::HashSet::new();
        for turn in 0..4000_usize {
            let pairs = 1 + turn % 7;
            // From a few states to all of them, with counts of up to so many bits.
            let share = 1 + random.below(4);
            let bits = 1 + random.below(63);
            let all = 0..u32::try_from(matchings(pairs).min(3000)).unwrap();
            let numbers: Vec<u32> = all.filter(|_| share == 4 || random.below(8) < share).collect();
            let counts: Vec<u64> =
                numbers.iter().map(|_| 1 + (random.below(1 << bits) as u64)).collect();
            let mut numbers = numbers;
            if turn % 11 == 0 && numbers.len() > 1 {
                numbers.swap(0, 1); // not in order
            }
            let mut bytes = vec![7; turn % 5];
            let before = bytes.len();
            let form = write(pairs, &numbers, &counts, &mut bytes);
            assert_eq!(bytes.len() - before, form.bytes(pairs, numbers.len()));
            assert_eq!(Form::of_code(form.code()), form);
            seen.insert(form.code());
            let mut read = Unpacked::default();
            let bytes = &bytes[before..];
            Packed { form, pairs, states: numbers.len(), bytes }.read::<u64>(&mut read);
            assert_eq!((read.numbers, read.counts), (numbers, counts));
        }
        assert_eq!(seen.len(), 12, "three forms of numbers, four widths of counts");
    }
}
