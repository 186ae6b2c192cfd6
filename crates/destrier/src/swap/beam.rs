//! Beam search: only the most promising positions of each layer are kept.
//!
//! On the plateau, where every move lowers the bound by one, a plan that is found is as short as the
//! bound and so proved shortest. Off the plateau it is only an upper bound. The most promising positions
//! are those of least bound, and among equals those with most moves that lower it.
//!
//! Invariant: every position kept came from a kept position of the layer before.
//! Cost: `width` positions per layer are kept, within the memory given; threads share wide layers.
//! Source: Lowerre 1976.

use super::astar::retrace;
use super::bound::INFINITE;
use super::instance::Step;
use super::key::Key;
use super::moves::{AHEAD, Child, MoveGenerator};
use super::shared::sharing;
use super::symmetry::Symmetries;
use super::table::Set;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// A candidate for the next layer.
#[derive(Clone, Copy)]
struct Candidate<K> {
    rank: u64,
    key: K,
    value: u16,
    parent: u32,
}

/// What a beam may use, and what it has used.
pub(super) struct Beam<'a, K> {
    pub(super) symmetries: &'a Symmetries<K>,
    pub(super) watch: &'a Watch,
    /// One for each thread, at least one; the first has the rows.
    pub(super) workers: &'a mut [MoveGenerator<K>],
    pub(super) nodes: u64,
    /// Bytes that its layers may take; set to 0 when they were not enough.
    pub(super) room: usize,
    /// Has a search on the plateau kept every position, so that there is no plan if it found none?
    pub(super) complete: bool,
}

/// Layers narrower than this are not worth a second thread.
const NARROW: usize = 1 << 11;

impl<K: Key> Beam<'_, K> {
    /// A plan of at most `first + slack` moves, where `first` is the bound of the start, if a beam
    /// of this width finds one.
    pub(super) fn search(&mut self, width: usize, slack: u16) -> Result<Option<Vec<Step>>, Halt> {
        let start = self.symmetries.canonical(self.workers[0].start());
        let first = self.workers[0].value(start);
        if first == INFINITE {
            return Ok(None);
        }
        if first == 0 {
            return Ok(Some(Vec::new()));
        }
        let limit = first.saturating_add(slack);
        let mut layers: Vec<Vec<(K, u32)>> = vec![vec![(start, 0)]];
        let mut seen = Set::<K>::new();
        seen.insert(start, start.mix());
        let mut kept = 0;
        self.complete = slack == 0;
        for made in 1..=limit {
            let layer = &layers[layers.len() - 1];
            self.nodes += layer.len() as u64;
            let mut candidates = self.children(layer, limit - made)?;
            if slack == 0 {
                // On the plateau all positions of a layer have one value: none is in another layer.
                seen.clear();
            }
            candidates.retain(|candidate| seen.insert(candidate.key, candidate.key.mix()));
            kept += layer.len() * size_of::<(K, u32)>();
            if kept + seen.bytes() + candidates.capacity() * size_of::<Candidate<K>>() > self.room {
                self.room = 0;
                self.complete = false;
                return Ok(None);
            }
            if let Some(goal) = candidates.iter().find(|candidate| candidate.value == 0) {
                let mut path = vec![goal.key];
                let mut at = goal.parent;
                for layer in layers.iter().rev() {
                    let (key, before) = layer[at as usize];
                    path.push(key);
                    at = before;
                }
                path.reverse();
                return Ok(Some(retrace(&mut self.workers[0], self.symmetries, &path)));
            }
            self.rank(&mut candidates)?;
            // Where no move lowers the bound, the plateau ends. Tables may give a position another bound than its image, so
            // that what is kept for it may have moves that are short enough and lower nothing.
            if slack == 0 && !self.workers[0].tables.is_some() {
                candidates.retain(|candidate| candidate.rank >> 32 & 0xFFFF != 0xFFFF);
            }
            if candidates.is_empty() {
                return Ok(None);
            }
            if candidates.len() > width {
                self.complete = false;
                candidates.select_nth_unstable_by_key(width, |candidate| candidate.rank);
                candidates.truncate(width);
            }
            layers.push(
                candidates.iter().map(|candidate| (candidate.key, candidate.parent)).collect(),
            );
        }
        Ok(None)
    }

    /// All children of a layer whose bound is at most `most`.
    fn children(&mut self, layer: &[(K, u32)], most: u16) -> Result<Vec<Candidate<K>>, Halt> {
        let (symmetries, watch) = (self.symmetries, self.watch);
        let expand = |generator: &mut MoveGenerator<K>, from: usize, share: &[(K, u32)]| {
            let mut ticker = watch.ticker();
            let mut children: Vec<Child<K>> = Vec::new();
            let mut candidates = Vec::new();
            for (i, &(key, _)) in share.iter().enumerate() {
                generator.tick(&mut ticker)?;
                if i % AHEAD == 0 {
                    generator.prefetch(share[i..].iter().map(|&(key, _)| key));
                }
                generator.expand_within(key, most, &mut children);
                let fits = |child: &&Child<K>| child.value != INFINITE && child.value <= most;
                candidates.extend(children.iter().filter(fits).map(|child| Candidate {
                    rank: 0,
                    key: symmetries.canonical(child.key),
                    value: child.value,
                    parent: u32::try_from(from + i).unwrap_or(u32::MAX),
                }));
            }
            Ok(candidates)
        };
        if layer.len() < NARROW || self.workers.len() == 1 {
            return expand(&mut self.workers[0], 0, layer);
        }
        let portion = layer.len().div_ceil(self.workers.len());
        let keys: Vec<K> = layer.iter().map(|&(key, _)| key).collect();
        let parts = sharing(self.workers, &keys, watch, |workers| {
            let shares = workers.iter_mut().zip(layer.chunks(portion).enumerate());
            watch.on_threads(|| {
                threads::try_map(shares, |(generator, (i, share))| {
                    expand(generator, i * portion, share)
                })
            })
        })??;
        Ok(parts.concat())
    }

    /// Least value first, then most lowering moves, then by hash, which is as good as random.
    fn rank(&mut self, candidates: &mut [Candidate<K>]) -> Result<(), Halt> {
        let watch = self.watch;
        let rank = |generator: &mut MoveGenerator<K>, candidates: &mut [Candidate<K>]| {
            let mut ticker = watch.ticker();
            for i in 0..candidates.len() {
                generator.tick(&mut ticker)?;
                if i % AHEAD == 0 {
                    generator.prefetch(candidates[i..].iter().map(|candidate| candidate.key));
                }
                let candidate = &mut candidates[i];
                let lowering = u64::from(generator.lowering(candidate.key));
                let random = candidate.key.mix() >> 32;
                candidate.rank =
                    u64::from(candidate.value) << 48 | (0xFFFF - lowering) << 32 | random;
            }
            Ok(())
        };
        if candidates.len() < NARROW || self.workers.len() == 1 {
            return rank(&mut self.workers[0], candidates);
        }
        let portion = candidates.len().div_ceil(self.workers.len());
        let keys: Vec<K> = candidates.iter().map(|candidate| candidate.key).collect();
        let ranked = sharing(self.workers, &keys, watch, |workers| {
            let shares = workers.iter_mut().zip(candidates.chunks_mut(portion));
            watch.on_threads(|| {
                threads::try_map(shares, |(generator, share)| rank(generator, share))
            })
        })?;
        ranked.map(drop)
    }
}
