//! Open tables of positions: a set for each part of a layer, and an index from squares to numbers.
//!
//! Linear probing in a power of two of slots; the empty position, which never occurs, marks a free
//! slot. Nothing is taken out, but for all at once.
//!
//! Invariant: at most two thirds of the slots are taken.
//! Cost: one or two cache lines a look-up.
//! After: Knuth, The Art of Computer Programming 3, 6.4, algorithm L.

use super::key::Key;

/// A set of positions.
#[derive(Clone, Debug)]
pub(super) struct Set<K> {
    slots: Vec<K>,
    len: usize,
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low bits are what is wanted")]
fn place(hash: u64, slots: usize) -> usize {
    hash as usize & (slots - 1)
}

impl<K: Key> Set<K> {
    /// An empty set.
    pub(super) fn new() -> Self {
        Self { slots: Vec::new(), len: 0 }
    }

    /// How many positions are in it.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<K>()
    }

    /// Is the position in it?
    #[inline]
    pub(super) fn contains(&self, key: K, hash: u64) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let mut at = place(hash, self.slots.len());
        loop {
            let here = self.slots[at];
            if here == key {
                return true;
            }
            if here == K::ZERO {
                return false;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Put it in; was it new?
    #[inline]
    pub(super) fn insert(&mut self, key: K, hash: u64) -> bool {
        if self.len * 3 >= self.slots.len() * 2 {
            self.grow();
        }
        let mut at = place(hash, self.slots.len());
        loop {
            let here = self.slots[at];
            if here == key {
                return false;
            }
            if here == K::ZERO {
                self.slots[at] = key;
                self.len += 1;
                return true;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(8);
        let old = std::mem::replace(&mut self.slots, vec![K::ZERO; size]);
        for key in old {
            if key != K::ZERO {
                let mut at = place(key.mix(), size);
                while self.slots[at] != K::ZERO {
                    at = (at + 1) & (size - 1);
                }
                self.slots[at] = key;
            }
        }
    }

    /// Take everything out, and keep the room.
    pub(super) fn clear(&mut self) {
        self.slots.fill(K::ZERO);
        self.len = 0;
    }

    /// All positions, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.slots.iter().copied().filter(|&key| key != K::ZERO)
    }
}

/// Numbers filed under positions.
#[derive(Clone, Debug)]
pub(super) struct Index<K> {
    slots: Vec<(K, u32)>,
    len: usize,
}

impl<K: Key> Index<K> {
    /// An empty index.
    pub(super) fn new() -> Self {
        Self { slots: Vec::new(), len: 0 }
    }

    /// How many entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(K, u32)>()
    }

    /// The number filed under a position.
    #[inline]
    pub(super) fn get(&self, key: K) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = place(key.mix(), self.slots.len());
        loop {
            let (here, number) = self.slots[at];
            if here == key {
                return Some(number);
            }
            if here == K::ZERO {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// The number in the first place where a position may be; anything where it is elsewhere.
    /// Without a branch, so that many such look-ups wait for memory together.
    #[inline]
    pub(super) fn first_guess(&self, key: K) -> u32 {
        self.slots.get(place(key.mix(), self.slots.len().max(1))).map_or(0, |slot| slot.1)
    }

    /// The place of a number filed under a position; `fresh` is filed if there was none.
    /// Tells whether there was none.
    #[inline]
    pub(super) fn entry(&mut self, key: K, fresh: u32) -> (&mut u32, bool) {
        if self.len * 3 >= self.slots.len() * 2 {
            self.grow();
        }
        let mut at = place(key.mix(), self.slots.len());
        loop {
            let here = self.slots[at].0;
            if here == key {
                return (&mut self.slots[at].1, false);
            }
            if here == K::ZERO {
                self.slots[at] = (key, fresh);
                self.len += 1;
                return (&mut self.slots[at].1, true);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// File a number, in place of the one that was there.
    pub(super) fn insert(&mut self, key: K, number: u32) {
        *self.entry(key, number).0 = number;
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(8);
        let old = std::mem::replace(&mut self.slots, vec![(K::ZERO, 0); size]);
        for (key, number) in old {
            if key != K::ZERO {
                let mut at = place(key.mix(), size);
                while self.slots[at].0 != K::ZERO {
                    at = (at + 1) & (size - 1);
                }
                self.slots[at] = (key, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_is_found_once() {
        let mut set = Set::<u64>::new();
        let mut index = Index::<u64>::new();
        for round in 0..2 {
            for key in (1..2000u64).map(|i| i * 0x1_0001) {
                assert_eq!(set.insert(key, key.mix()), round == 0);
                index.insert(key, u32::try_from(key & 0xFFFF).unwrap() + round);
            }
        }
        assert_eq!((set.len(), index.len()), (1999, 1999));
        assert_eq!(set.iter().count(), 1999);
        assert!(set.contains(0x1_0001, 0x1_0001u64.mix()) && !set.contains(5, 5u64.mix()));
        assert_eq!(index.get(0x2_0002), Some(3));
        assert!(index.get(5).is_none());
    }
}
