//! What the past of a sweep can do to its future, packed into a few words.
//!
//! Each frontier vertex owns a slot: untouched, finished, or the end of a path, and then the slot
//! holds the slot of the path's other end and the turn picked up on the way there.
//!
//! Invariant: slots of vertices outside the frontier are zero, so equal pasts are equal words.
//! Cost: a slot is read or written with one shift; no slot straddles two words.
//! Source: the mate arrays of Knuth's SIMPATH (TAOCP 7.1.4, exercise 225).

/// A state of the sweep: `W` words of slots.
pub(crate) type State<const W: usize> = [u64; W];

/// Where a slot lies in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    word: u8,
    shift: u8,
}

/// How the slots of a sweep are laid out, and what their codes mean.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    places: Vec<Place>,
    code_bits: u32,
    turn_bits: u32,
    words: usize,
    /// The lowest bit of every slot of a word.
    lowest: u64,
}

/// The bits of a code among so many slots, and how many slots a word has.
fn shape(slots: usize, turn_bits: u32) -> (u32, usize) {
    let code_bits = usize::BITS - (slots + 1).leading_zeros();
    (code_bits, (64 / (code_bits + turn_bits)) as usize)
}

/// The code of an untouched vertex.
pub(crate) const UNTOUCHED: u64 = 0;

impl Packing {
    /// The packing of so many slots, with turns counted modulo `modulus` (1, 2 or 4).
    pub(crate) fn new(slots: usize, modulus: u8) -> Packing {
        let turn_bits = u32::from(modulus).trailing_zeros();
        let (code_bits, a_word) = shape(slots, turn_bits);
        let width = code_bits + turn_bits;
        let places = (0..slots)
            .map(|slot| Place {
                // More words than a state can have are refused by their number.
                word: u8::try_from(slot / a_word).unwrap_or(u8::MAX),
                shift: u8::try_from((slot % a_word) * width as usize).expect("below 64"),
            })
            .collect();
        let lowest = (0..a_word).map(|slot| 1 << (slot * width as usize)).sum();
        Packing { places, code_bits, turn_bits, words: slots.div_ceil(a_word).max(1), lowest }
    }

    /// The most slots that so many words hold, with turns counted as here.
    pub(crate) fn most_slots(&self, words: usize) -> usize {
        let fits = |slots: &usize| slots.div_ceil(shape(*slots, self.turn_bits).1) <= words;
        (1..=64 * words).rev().find(fits).unwrap_or(0)
    }

    /// How many slots there are.
    pub(crate) fn slots(&self) -> usize {
        self.places.len()
    }

    /// The value in a slot.
    pub(crate) fn get<const W: usize>(&self, state: &State<W>, slot: usize) -> u64 {
        read(state, self.places[slot], self.mask())
    }

    /// Puts a value into a slot.
    pub(crate) fn set<const W: usize>(&self, state: &mut State<W>, slot: usize, value: u64) {
        write(state, self.places[slot], self.mask(), value);
    }

    /// How many words a state needs.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Where the slot lies.
    pub(crate) fn place(&self, slot: usize) -> Place {
        self.places[slot]
    }

    /// The code of a finished vertex: all ones, and no turn.
    pub(crate) fn done(&self) -> u64 {
        (1 << self.code_bits) - 1
    }

    /// The degree of every slot's vertex, 0, 1 or 2, in the layout of the state.
    #[inline]
    pub(crate) fn degrees<const W: usize>(&self, state: &State<W>) -> State<W> {
        state.map(|word| {
            let (mut some, mut every) = (word, word);
            for shift in 1..self.code_bits {
                some |= word >> shift;
                every &= word >> shift;
            }
            (some & self.lowest) + (every & self.lowest)
        })
    }

    /// The state with each slot's content, and each mate, sent to another slot; a slot sent to `None`
    /// must be empty.
    pub(crate) fn moved<const W: usize>(
        &self,
        state: &State<W>,
        to: impl Fn(usize) -> Option<usize>,
    ) -> State<W> {
        let mut next = [0; W];
        for slot in 0..self.places.len() {
            let value = read(state, self.places[slot], self.mask());
            if value == UNTOUCHED {
                continue;
            }
            let code = value & self.code_mask();
            let code = if code == self.done() {
                code
            } else {
                to(code as usize - 1).expect("a mate is in the frontier") as u64 + 1
            };
            let there = to(slot).expect("a slot in use stays in the frontier");
            let turn = value & !self.code_mask();
            write(&mut next, self.places[there], self.mask(), code | turn);
        }
        next
    }

    /// The mask of a slot: code and turn.
    pub(crate) fn mask(&self) -> u64 {
        (1 << (self.code_bits + self.turn_bits)) - 1
    }

    /// The mask of the code inside a slot.
    pub(crate) fn code_mask(&self) -> u64 {
        self.done()
    }

    /// How far the turn is shifted inside a slot.
    pub(crate) fn turn_shift(&self) -> u32 {
        self.code_bits
    }

    /// The mask of a turn, unshifted.
    pub(crate) fn turn_mask(&self) -> u64 {
        (1 << self.turn_bits) - 1
    }
}

/// The slot's value.
#[inline]
pub(crate) fn read<const W: usize>(state: &State<W>, at: Place, mask: u64) -> u64 {
    (state[usize::from(at.word)] >> at.shift) & mask
}

/// Replaces the slot's value.
#[inline]
pub(crate) fn write<const W: usize>(state: &mut State<W>, at: Place, mask: u64, value: u64) {
    let word = &mut state[usize::from(at.word)];
    *word = (*word & !(mask << at.shift)) | (value << at.shift);
}

/// A well-mixed hash: the layers are dealt out by its top bits.
#[inline]
pub(crate) fn hash<const W: usize>(state: &State<W>) -> u64 {
    let mut mixed = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in state {
        let wide = u128::from(mixed ^ word) * 0xd6e8_feb8_6659_fd93;
        mixed = (wide as u64) ^ ((wide >> 64) as u64) ^ word.rotate_left(32);
    }
    mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}
