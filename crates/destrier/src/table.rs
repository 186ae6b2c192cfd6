//! Open addressing: the one probe loop behind the sets and indices of this crate.
//!
//! What an entry is, the caller says: a key, a key with a number, or the number of a key that is kept
//! elsewhere. Slots are a power of two, probed one after the other from where the low bits of the hash point.
//! Nothing is taken out, but for all at once.
//!
//! Invariant: a slot is free, a third of them in a table that grows; and no free slot lies between an entry and the slot that
//! its hash points to.
//! Cost: one or two cache lines per look-up.
//! Source: Knuth, The Art of Computer Programming 3, 6.4, algorithm L.

/// What a slot holds: an entry, or nothing.
pub(crate) trait Slot: Copy {
    /// A slot that holds nothing.
    const FREE: Self;

    /// Does it hold nothing?
    fn is_free(self) -> bool;
}

/// A number of a key that is kept elsewhere, counted from 1.
impl Slot for u32 {
    const FREE: u32 = 0;

    #[inline]
    fn is_free(self) -> bool {
        self == 0
    }
}

/// The same with bits of the hash above it.
impl Slot for u64 {
    const FREE: u64 = 0;

    #[inline]
    fn is_free(self) -> bool {
        self == 0
    }
}

/// Entries found by hash.
#[derive(Clone, Debug)]
pub(crate) struct Table<S> {
    slots: Vec<S>,
    len: usize,
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low bits are what is wanted")]
fn home(hash: u64, slots: usize) -> usize {
    hash as usize & (slots - 1)
}

/// What `look` makes of the entry that it knows, among those in these slots that may have this hash.
#[inline]
pub(crate) fn find<S: Slot, R>(slots: &[S], hash: u64, look: impl Fn(S) -> Option<R>) -> Option<R> {
    let mut at = home(hash, slots.len());
    loop {
        let here = slots[at];
        if here.is_free() {
            return None;
        }
        let found = look(here);
        if found.is_some() {
            return found;
        }
        at = (at + 1) & (slots.len() - 1);
    }
}

/// The entry with this hash that `is_it`, or else `fresh`, put in now; and whether it was put in. A slot must be free.
#[inline]
pub(crate) fn put<S: Slot>(
    slots: &mut [S],
    hash: u64,
    fresh: S,
    is_it: impl Fn(S) -> bool,
) -> (&mut S, bool) {
    let mut at = home(hash, slots.len());
    loop {
        let here = slots[at];
        if here.is_free() {
            slots[at] = fresh;
            return (&mut slots[at], true);
        }
        if is_it(here) {
            return (&mut slots[at], false);
        }
        at = (at + 1) & (slots.len() - 1);
    }
}

impl<S: Slot> Table<S> {
    /// An empty table.
    pub(crate) fn new() -> Table<S> {
        Table { slots: Vec::new(), len: 0 }
    }

    /// An empty table with room for this many entries, and as many free slots again.
    pub(crate) fn with_room(entries: usize) -> Table<S> {
        Table { slots: vec![S::FREE; (entries * 2).next_power_of_two().max(2)], len: 0 }
    }

    /// How many entries it has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<S>()
    }

    /// What `look` makes of the entry that it knows, among those that may have this hash.
    #[inline]
    pub(crate) fn find<R>(&self, hash: u64, look: impl Fn(S) -> Option<R>) -> Option<R> {
        if self.slots.is_empty() { None } else { find(&self.slots, hash, look) }
    }

    /// What the slot holds that the hash points to: often the entry looked for. Without a branch, so that
    /// many such look-ups wait for memory together.
    #[inline]
    pub(crate) fn first_guess(&self, hash: u64) -> S {
        let home = home(hash, self.slots.len().max(1));
        self.slots.get(home).copied().unwrap_or(S::FREE)
    }

    /// The entry with this hash that `is_it`, or else `fresh`, put in now; and whether it was put in.
    /// There must be room.
    #[inline]
    pub(crate) fn put(&mut self, hash: u64, fresh: S, is_it: impl Fn(S) -> bool) -> (&mut S, bool) {
        debug_assert!(self.len < self.slots.len(), "there is room");
        let (slot, is_new) = put(&mut self.slots, hash, fresh, is_it);
        self.len += usize::from(is_new);
        (slot, is_new)
    }

    /// The same where the table may have to grow first, for which it asks for the hashes of its entries.
    #[inline]
    pub(crate) fn put_growing(
        &mut self,
        hash: u64,
        fresh: S,
        is_it: impl Fn(S) -> bool,
        hash_of: impl Fn(S) -> u64,
    ) -> (&mut S, bool) {
        if self.len * 3 >= self.slots.len() * 2 {
            self.grow(hash_of);
        }
        self.put(hash, fresh, is_it)
    }

    #[cold]
    fn grow(&mut self, hash_of: impl Fn(S) -> u64) {
        let mut grown = Table { slots: vec![S::FREE; (self.slots.len() * 2).max(8)], len: 0 };
        for entry in self.iter() {
            grown.put(hash_of(entry), entry, |_| false);
        }
        *self = grown;
    }

    /// Takes everything out, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(S::FREE);
        self.len = 0;
    }

    /// All entries, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = S> + '_ {
        self.slots.iter().copied().filter(|entry| !entry.is_free())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_is_found_once_also_where_all_hashes_are_alike() {
        for mix in [0x9e37_79b9_7f4a_7c15_u64, 1 << 40, 0] {
            let mut table = Table::<u64>::new();
            let hash = |key: u64| key.wrapping_mul(mix);
            let is_in = |table: &Table<u64>, key: u64| {
                table.find(hash(key), |here| (here == key).then_some(())).is_some()
            };
            assert!(!is_in(&table, 1));
            for round in 0..2 {
                for key in 1..500 {
                    let (_, new) = table.put_growing(hash(key), key, |here| here == key, hash);
                    assert_eq!(new, round == 0);
                }
            }
            assert_eq!((table.len(), table.iter().sum::<u64>()), (499, 499 * 500 / 2));
            assert!((1..500).all(|key| is_in(&table, key)) && !is_in(&table, 500));
            table.clear();
            assert!(table.len() == 0 && !is_in(&table, 7));
        }
    }
}
