//! A layer of a breadth-first search: a set of positions in shards, which threads share.
//!
//! Invariant: a position is in the shard that the upper bits of its hash name.
//! Cost: the slots of the sets; a look-up is one or two cache lines.

use super::key::Key;
use super::table::Set;
use crate::run::threads;
use crate::run::watch::Watch;

pub(super) const SHARDS: usize = 64;
/// Layers smaller than this are not worth a second thread.
pub(super) const SMALL: usize = 1 << 13;

/// The positions of a layer.
#[derive(Clone, Debug)]
pub(super) struct Layer<K> {
    pub(super) shards: Vec<Set<K>>,
}

pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize
}

impl<K: Key> Layer<K> {
    pub(super) fn new() -> Self {
        Self { shards: vec![Set::new(); SHARDS] }
    }
    pub(super) fn of(key: K) -> Self {
        let mut layer = Self::new();
        layer.shards[shard_of(key.mix())].insert(key, key.mix());
        layer
    }
    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(Set::len).sum()
    }
    pub(super) fn bytes(&self) -> usize {
        self.shards.iter().map(Set::bytes).sum()
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.shards.iter().flat_map(Set::iter)
    }
    pub(super) fn contains(&self, key: K) -> bool {
        let hash = key.mix();
        self.shards[shard_of(hash)].contains(key, hash)
    }
    /// The first position for which this holds; threads share a large layer.
    pub(super) fn find(&self, watch: &Watch, holds: impl Fn(&K) -> bool + Sync) -> Option<K> {
        let search = |shards: &[Set<K>]| shards.iter().find_map(|set| set.iter().find(&holds));
        if watch.threads() == 1 || self.len() < SMALL {
            return search(&self.shards);
        }
        let parts = self.shards.chunks(SHARDS.div_ceil(watch.threads()));
        watch.on_threads(|| threads::map(parts, search)).into_iter().flatten().next()
    }
    /// A position in both.
    pub(super) fn common(&self, other: &Self, watch: &Watch) -> Option<K> {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        few.find(watch, |&key| many.contains(key))
    }
}
