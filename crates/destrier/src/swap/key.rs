//! A position packed into one key: a small field per vertex has the code of what is there.
//!
//! With `bits` bits per vertex, code 0 is an empty vertex. A move flips two fields, all empty vertices
//! are found by a few shifts, and a symmetry is one look-up for a few vertices (see `symmetry`).
//!
//! Invariant: no field crosses a word; bits outside the fields are zero.
//! Cost: `u64` for two colours to 32 vertices, `u128` to 64, then arrays of words; turns take a field.
//! Source: nibble boards and SWAR (Knuth, *The Art of Computer Programming* 4A, 7.1.3).

use std::fmt::Debug;

use super::instance::Instance;

/// A packed position.
pub(super) trait Key: Copy + Eq + Ord + Send + Sync + Debug + 'static {
    /// Bits of one word.
    const WORD: u32;
    /// How many words.
    const WORDS: u32;
    /// All vertices empty.
    const ZERO: Self;

    /// The code in the field that begins at bit `at`.
    fn code(self, at: u16, mask: u8) -> u8;
    /// Puts `code` into an empty field, or removes it from the field that has it.
    #[must_use]
    fn flip(self, at: u16, code: u8) -> Self;
    /// Bits `at .. at + width`, all within one word.
    fn slice(self, at: u16, width: u16) -> usize;
    /// Both keys' fields combined by exclusive or.
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// The lowest bit of each field (of those in `lowest`) that has `code`.
    #[must_use]
    fn holding(self, code: u8, bits: u16, lowest: Self) -> Self;
    /// Removes the lowest set bit and returns its index.
    fn pop(&mut self) -> Option<u16>;
    /// A hash.
    fn mix(self) -> u64;
    /// Bytes of a key in a message.
    const BYTES: usize = size_of::<Self>();
    /// Appends it to a message.
    fn write(self, into: &mut Vec<u8>);
    /// The key in these bytes.
    fn read(bytes: &[u8]) -> Self;
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ (x >> 29)
}

macro_rules! one_word {
    ($word:ty, $bits:expr, $mix:expr) => {
        impl Key for $word {
            const WORD: u32 = $bits;
            const WORDS: u32 = 1;
            const ZERO: Self = 0;

            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "a field has at most eight bits")]
            fn code(self, at: u16, mask: u8) -> u8 {
                (self >> at) as u8 & mask
            }
            #[inline]
            fn flip(self, at: u16, code: u8) -> Self {
                self ^ (Self::from(code) << at)
            }
            #[inline]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::allow_attributes,
                reason = "a slice has few bits"
            )]
            fn slice(self, at: u16, width: u16) -> usize {
                (self >> at) as usize & ((1 << width) - 1)
            }
            #[inline]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline]
            fn holding(self, code: u8, bits: u16, lowest: Self) -> Self {
                let apart = self ^ (lowest.wrapping_mul(Self::from(code)));
                let mut any = apart;
                for shift in 1..bits {
                    any |= apart >> shift;
                }
                !any & lowest
            }
            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "a bit's index is below 128")]
            fn pop(&mut self) -> Option<u16> {
                if *self == 0 {
                    return None;
                }
                let at = self.trailing_zeros() as u16;
                *self &= *self - 1;
                Some(at)
            }
            #[inline]
            fn mix(self) -> u64 {
                ($mix)(self)
            }
            fn write(self, into: &mut Vec<u8>) {
                into.extend(self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(0, Self::from_le_bytes)
            }
        }
    };
}

one_word!(u64, 64, |key: u64| scramble(key.wrapping_mul(GOLDEN)));
one_word!(u128, 128, |key: u128| {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    let (low, high) = (key as u64, (key >> 64) as u64);
    scramble(low.wrapping_mul(GOLDEN) ^ high.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(31))
});

/// A position that needs several words of 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Wide<const W: usize>([u128; W]);

impl<const W: usize> Key for Wide<W> {
    const WORD: u32 = 128;
    #[expect(clippy::cast_possible_truncation, reason = "W is at most 7")]
    const WORDS: u32 = W as u32;
    const ZERO: Self = Self([0; W]);

    fn code(self, at: u16, mask: u8) -> u8 {
        self.0[usize::from(at >> 7)].code(at & 127, mask)
    }
    fn flip(mut self, at: u16, code: u8) -> Self {
        let word = &mut self.0[usize::from(at >> 7)];
        *word = word.flip(at & 127, code);
        self
    }
    fn slice(self, at: u16, width: u16) -> usize {
        self.0[usize::from(at >> 7)].slice(at & 127, width)
    }
    fn xor(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
        self
    }
    fn holding(mut self, code: u8, bits: u16, lowest: Self) -> Self {
        for (word, lowest) in self.0.iter_mut().zip(lowest.0) {
            *word = word.holding(code, bits, lowest);
        }
        self
    }
    fn pop(&mut self) -> Option<u16> {
        for (word, base) in self.0.iter_mut().zip((0u16..).step_by(128)) {
            if let Some(at) = word.pop() {
                return Some(base + at);
            }
        }
        None
    }
    fn mix(self) -> u64 {
        self.0.iter().fold(0, |hash, word| scramble(hash.wrapping_mul(GOLDEN) ^ word.mix()))
    }
    fn write(self, into: &mut Vec<u8>) {
        self.0.iter().for_each(|word| word.write(into));
    }
    fn read(bytes: &[u8]) -> Self {
        let mut words = bytes.chunks_exact(16).map(u128::read);
        Self(std::array::from_fn(|_| words.next().unwrap_or(0)))
    }
}

/// The field of each vertex in a key.
#[derive(Clone, Debug)]
pub(super) struct Layout<K> {
    /// Bits of a field.
    pub(super) bits: u16,
    /// The lowest `bits` bits.
    pub(super) mask: u8,
    /// The first bit of each vertex's field.
    pub(super) at: Vec<u16>,
    /// The bit for the side to move, where sides take turns.
    pub(super) turn: Option<u16>,
    /// The vertex whose field begins at a bit.
    pub(super) vertex_at: Vec<u8>,
    /// The first bits of all fields.
    pub(super) lowest: K,
}

/// Evaluates an expression with `$key` as the smallest key that fits an instance's positions.
macro_rules! with_key {
    ($instance:expr, $key:ident => $body:expr) => {{
        use $crate::swap::key::{Layout, Wide};
        let instance: &$crate::swap::instance::Instance = $instance;
        if Layout::<u64>::of(instance).is_some() {
            type $key = u64;
            $body
        } else if Layout::<u128>::of(instance).is_some() {
            type $key = u128;
            $body
        } else if Layout::<Wide<2>>::of(instance).is_some() {
            type $key = Wide<2>;
            $body
        } else {
            type $key = Wide<7>;
            $body
        }
    }};
}
pub(super) use with_key;

/// Bits needed for codes `0..=colours`.
pub(super) fn bits_for(colours: usize) -> u16 {
    let mut bits = 1;
    while (1usize << bits) <= colours {
        bits += 1;
    }
    bits
}

impl<K: Key> Layout<K> {
    /// How many fields of this width a key has room for.
    pub(super) fn capacity(bits: u16) -> usize {
        (K::WORD / u32::from(bits) * K::WORDS) as usize
    }

    /// Fields for the positions of an instance; `None` where the key is too small.
    pub(super) fn of(instance: &Instance) -> Option<Self> {
        Self::new(instance.len(), instance.colours, instance.white_begins.is_some())
    }

    /// Fields for so many vertices, and one more for the turn where sides take turns.
    #[expect(clippy::cast_possible_truncation, reason = "at most 128 vertices and 900 bits")]
    fn new(vertices: usize, colours: usize, turns: bool) -> Option<Self> {
        let bits = bits_for(colours);
        if vertices + usize::from(turns) > Self::capacity(bits) || vertices > 128 {
            return None;
        }
        let per_word = K::WORD as usize / usize::from(bits);
        let field_at =
            |v: usize| (v / per_word * K::WORD as usize + v % per_word * usize::from(bits)) as u16;
        let at: Vec<u16> = (0..vertices).map(field_at).collect();
        let mut vertex_at = vec![0; (K::WORD * K::WORDS) as usize];
        let mut lowest = K::ZERO;
        for (v, &at) in at.iter().enumerate() {
            vertex_at[usize::from(at)] = v as u8;
            lowest = lowest.flip(at, 1);
        }
        let turn = turns.then(|| field_at(vertices));
        Some(Self { bits, mask: ((1u16 << bits) - 1) as u8, at, turn, vertex_at, lowest })
    }

    /// Packs the codes of all vertices.
    pub(super) fn pack(&self, codes: &[u8]) -> K {
        codes.iter().zip(&self.at).fold(K::ZERO, |key, (&code, &at)| key.flip(at, code))
    }

    /// The codes of all vertices.
    pub(super) fn unpack(&self, key: K) -> Vec<u8> {
        self.at.iter().map(|&at| key.code(at, self.mask)).collect()
    }

    /// The code of a vertex.
    #[inline]
    pub(super) fn code(&self, key: K, v: usize) -> u8 {
        key.code(self.at[v], self.mask)
    }

    /// The vertices that have a code, as the first bits of their fields.
    #[inline]
    pub(super) fn holding(&self, key: K, code: u8) -> K {
        key.holding(code, self.bits, self.lowest)
    }

    /// The vertices whose fields begin at these bits.
    pub(super) fn vertices(&self, mut bits: K) -> Vec<usize> {
        let mut list = Vec::new();
        while let Some(at) = bits.pop() {
            list.push(usize::from(self.vertex_at[usize::from(at)]));
        }
        list
    }

    /// Is it white's turn? `false` where sides do not take turns.
    #[inline]
    pub(super) fn is_whites_turn(&self, key: K) -> bool {
        self.turn.is_some_and(|at| key.code(at, 1) == 1)
    }

    /// The same position with the other side to move, where sides take turns.
    #[inline]
    pub(super) fn pass_turn(&self, key: K) -> K {
        self.turn.map_or(key, |at| key.flip(at, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<K: Key>(squares: usize, colours: usize) {
        let layout = Layout::<K>::new(squares, colours, false).unwrap();
        let codes: Vec<u8> =
            (0..squares).map(|v| u8::try_from(v * 7 % (colours + 1)).unwrap()).collect();
        let key = layout.pack(&codes);
        assert_eq!(layout.unpack(key), codes);
        for code in 0..=u8::try_from(colours).unwrap() {
            let seen = layout.vertices(layout.holding(key, code));
            let want: Vec<usize> = (0..squares).filter(|&v| codes[v] == code).collect();
            assert_eq!(seen, want);
        }
    }

    #[test]
    fn codes_survive_packing_in_every_width() {
        round_trip::<u64>(25, 2);
        round_trip::<u64>(15, 10);
        round_trip::<u128>(63, 3);
        round_trip::<u128>(24, 24);
        round_trip::<Wide<2>>(100, 2);
        round_trip::<Wide<7>>(128, 52);
        round_trip::<u64>(32, 2);
        round_trip::<u128>(64, 3);
        assert!(Layout::<u64>::new(32, 2, true).is_none(), "the turn needs a field too");
        assert!(Layout::<u64>::new(31, 2, true).is_some());
    }
}
