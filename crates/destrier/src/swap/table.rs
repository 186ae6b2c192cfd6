//! Open tables of positions: a set for each part of a layer, and an index from squares to numbers.
//!
//! Invariant: the empty position, which marks a free slot, is never put in.
//! Cost: that of [`Table`].

use super::key::Key;
use crate::table::{Slot, Table};

impl<K: Key> Slot for (K, ()) {
    const FREE: (K, ()) = (K::ZERO, ());

    #[inline]
    fn is_free(self) -> bool {
        self.0 == K::ZERO
    }
}

impl<K: Key> Slot for (K, u32) {
    const FREE: (K, u32) = (K::ZERO, 0);

    #[inline]
    fn is_free(self) -> bool {
        self.0 == K::ZERO
    }
}

/// A set of positions.
#[derive(Clone, Debug)]
pub(super) struct Set<K>(Table<(K, ())>);

impl<K: Key> Set<K> {
    /// An empty set.
    pub(super) fn new() -> Self {
        Self(Table::new())
    }

    /// How many positions are in it.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Is the position in it?
    #[inline]
    pub(super) fn contains(&self, key: K, hash: u64) -> bool {
        self.0.find(hash, |here| (here.0 == key).then_some(())).is_some()
    }

    /// Put it in; was it new?
    #[inline]
    pub(super) fn insert(&mut self, key: K, hash: u64) -> bool {
        self.0.put_growing(hash, (key, ()), |here| here.0 == key, |(key, ())| key.mix()).1
    }

    /// Take everything out, and keep the room.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// All positions, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.0.iter().map(|(key, ())| key)
    }
}

/// Numbers filed under positions.
#[derive(Clone, Debug)]
pub(super) struct Index<K>(Table<(K, u32)>);

impl<K: Key> Index<K> {
    /// An empty index.
    pub(super) fn new() -> Self {
        Self(Table::new())
    }

    /// How many entries.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// The number filed under a position.
    #[inline]
    pub(super) fn get(&self, key: K) -> Option<u32> {
        self.0.find(key.mix(), |(here, number)| (here == key).then_some(number))
    }

    /// The number in the first slot where a position may be; anything where it is elsewhere.
    #[inline]
    pub(super) fn first_guess(&self, key: K) -> u32 {
        self.0.first_guess(key.mix()).1
    }

    /// The number filed under a position, to be changed; `fresh` is filed if there was none.
    /// Tells whether there was none.
    #[inline]
    pub(super) fn entry(&mut self, key: K, fresh: u32) -> (&mut u32, bool) {
        let is_it = |here: (K, u32)| here.0 == key;
        let (filed, new) = self.0.put_growing(key.mix(), (key, fresh), is_it, |(key, _)| key.mix());
        (&mut filed.1, new)
    }

    /// File a number, in place of the one that was there.
    pub(super) fn insert(&mut self, key: K, number: u32) {
        *self.entry(key, number).0 = number;
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
