//! The children of many positions, with those that the limit cuts off left out.
//!
//! Threads take a share of the positions each, with one table of bounds (see `shared`).
//!
//! Invariant: children are canonical images, in the bucket of their shard; a child may come several times.
//! Cost: that of move generation, and of the images of a position.

use super::bound::INFINITE;
use super::key::Key;
use super::layer::{SHARDS, SMALL, shard_of};
use super::moves::{AHEAD, Child, MoveGenerator};
use super::shared::sharing;
use super::symmetry::Symmetries;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// What is the same for all positions of a layer that is expanded.
pub(super) struct Expansion<'a, K> {
    /// The depth of the children.
    pub(super) made: u16,
    pub(super) limit: u16,
    pub(super) symmetries: &'a Symmetries<K>,
    pub(super) watch: &'a Watch,
}

/// The children of one thread's share of a layer.
pub(super) struct Part<K> {
    /// For each shard of the next layer.
    pub(super) buckets: Vec<Vec<K>>,
    pub(super) nodes: u64,
    /// The least sum beyond the limit that was cut off, if any was.
    pub(super) cut: Option<u16>,
    /// A goal among the children.
    pub(super) arrived: Option<K>,
}

impl<K: Key> Part<K> {
    /// Children that were expanded elsewhere.
    pub(super) fn of(keys: Vec<K>) -> Self {
        let mut part =
            Self { buckets: vec![Vec::new(); SHARDS], nodes: 0, cut: None, arrived: None };
        for key in keys {
            part.buckets[shard_of(key.mix())].push(key);
        }
        part
    }
}

impl<K: Key> Expansion<'_, K> {
    /// Expands positions, shared among as many threads as there are generators.
    pub(super) fn of_all(
        &self,
        generators: &mut [MoveGenerator<K>],
        work: &[K],
    ) -> Vec<Result<Part<K>, Halt>> {
        let threads = generators.len();
        if threads == 1 || work.len() < SMALL {
            return vec![self.of_share(&mut generators[0], work)];
        }
        let shared = sharing(generators, work, self.watch, |generators| {
            let shares = generators.iter_mut().zip(work.chunks(work.len().div_ceil(threads)));
            let expand = |(generator, share): (&mut _, &[K])| self.of_share(generator, share);
            self.watch.on_threads(|| threads::map(shares, expand))
        });
        shared.unwrap_or_else(|halt| vec![Err(halt)])
    }

    fn of_share(&self, generator: &mut MoveGenerator<K>, work: &[K]) -> Result<Part<K>, Halt> {
        let mut ticker = self.watch.ticker();
        let mut part = Part::of(Vec::new());
        let mut children: Vec<Child<K>> = Vec::new();
        let mut images = Vec::new();
        let most = self.limit.saturating_sub(self.made);
        generator.left_out = INFINITE;
        for (i, &key) in work.iter().enumerate() {
            generator.tick(&mut ticker)?;
            if i % AHEAD == 0 {
                generator.prefetch(work[i..].iter().copied());
            }
            part.nodes += 1;
            generator.expand_within(key, most, &mut children);
            self.symmetries.images(key, &mut images);
            for &Child { key: child, value, from, to } in &children {
                if value > most {
                    // Runs are not bounded while they are generated.
                    generator.left_out = generator.left_out.min(value);
                    continue;
                }
                let code = generator.layout.code(key, usize::from(from));
                let image = self.symmetries.canonical_child(child, &images, code, (from, to));
                if value == 0 {
                    part.arrived = Some(image);
                }
                part.buckets[shard_of(image.mix())].push(image);
            }
        }
        part.cut = (generator.left_out != INFINITE).then(|| self.made + generator.left_out);
        Ok(part)
    }
}
