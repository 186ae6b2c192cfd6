//! A narrow search that keeps only the most promising positions of each layer.
//!
//! On the plateau, where every move lowers the bound by one, a plan that arrives is as short as the
//! bound and so proved shortest. Off the plateau the plan is only an upper bound. Promising is what
//! needs least, and among equals what has most moves that lower the bound.
//!
//! Invariant: every kept position came from a kept position of the layer before.
//! Cost: `width` positions a layer are kept, within the memory given; threads share wide layers.
//! After: Lowerre's beam search, 1976; mobility as in the project's notes.

use super::arena::Step;
use super::astar::retrace;
use super::bound::HOPELESS;
use super::key::Key;
use super::mirror::Mirrors;
use super::steps::{AHEAD, Child, Steps, Way};
use super::table::Set;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// A candidate for the next layer.
#[derive(Clone, Copy)]
struct Hope<K> {
    rank: u64,
    key: K,
    value: u16,
    parent: u32,
}

/// What a beam may use, and what it has used.
pub(super) struct Beam<'a, K> {
    pub(super) mirrors: &'a Mirrors<K>,
    pub(super) watch: &'a Watch,
    /// One for each thread, at least one.
    pub(super) workers: &'a mut [Steps<K>],
    pub(super) nodes: u64,
    /// Bytes that its layers may take; set to 0 when they were not enough.
    pub(super) room: usize,
}

/// Layers narrower than this are not worth a second thread.
const NARROW: usize = 1 << 11;

impl<K: Key> Beam<'_, K> {
    /// A plan of at most `first + slack` moves, where `first` is the bound of the start, if a beam
    /// of this width finds one.
    pub(super) fn search(&mut self, width: usize, slack: u16) -> Result<Option<Vec<Step>>, Halt> {
        let start = self.mirrors.least(self.workers[0].start());
        let first = self.workers[0].value(start);
        if first == HOPELESS {
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
        for made in 1..=limit {
            let layer = &layers[layers.len() - 1];
            self.nodes += layer.len() as u64;
            let mut hopes = self.children(layer, limit - made)?;
            if slack == 0 {
                // A layer has positions of one value here: none of them is in any other layer.
                seen.clear();
            }
            hopes.retain(|hope| seen.insert(hope.key, hope.key.mix()));
            kept += layer.len() * size_of::<(K, u32)>();
            if kept + seen.bytes() + hopes.capacity() * size_of::<Hope<K>>() > self.room {
                self.room = 0;
                return Ok(None);
            }
            if let Some(goal) = hopes.iter().find(|hope| hope.value == 0) {
                let mut way = vec![goal.key];
                let mut at = goal.parent;
                for layer in layers.iter().rev() {
                    let (key, before) = layer[at as usize];
                    way.push(key);
                    at = before;
                }
                way.reverse();
                return Ok(Some(retrace(&mut self.workers[0], self.mirrors, &way)));
            }
            self.rank(&mut hopes)?;
            if slack == 0 {
                hopes.retain(|hope| hope.rank >> 32 & 0xFFFF != 0xFFFF);
            }
            if hopes.is_empty() {
                return Ok(None);
            }
            if hopes.len() > width {
                hopes.select_nth_unstable_by_key(width, |hope| hope.rank);
                hopes.truncate(width);
            }
            layers.push(hopes.iter().map(|hope| (hope.key, hope.parent)).collect());
        }
        Ok(None)
    }

    /// All children of a layer that need no more than `room`.
    fn children(&mut self, layer: &[(K, u32)], room: u16) -> Result<Vec<Hope<K>>, Halt> {
        let (mirrors, watch) = (self.mirrors, self.watch);
        let expand = |steps: &mut Steps<K>, from: usize, share: &[(K, u32)]| {
            let mut ticker = watch.ticker();
            let mut children: Vec<Child<K>> = Vec::new();
            let mut hopes = Vec::new();
            for (i, &(key, _)) in share.iter().enumerate() {
                steps.tick(&mut ticker)?;
                if i % AHEAD == 0 {
                    steps.warm(share[i..].iter().map(|&(key, _)| key));
                }
                steps.expand(key, Way::Onward, &mut children);
                let fits = |child: &&Child<K>| child.value != HOPELESS && child.value <= room;
                hopes.extend(children.iter().filter(fits).map(|child| Hope {
                    rank: 0,
                    key: mirrors.least(child.key),
                    value: child.value,
                    parent: u32::try_from(from + i).unwrap_or(u32::MAX),
                }));
            }
            Ok(hopes)
        };
        if layer.len() < NARROW || self.workers.len() == 1 {
            return expand(&mut self.workers[0], 0, layer);
        }
        let portion = layer.len().div_ceil(self.workers.len());
        let shares = self.workers.iter_mut().zip(layer.chunks(portion).enumerate());
        let parts = self.watch.on_threads(|| {
            threads::try_map(shares, |(steps, (i, share))| expand(steps, i * portion, share))
        })?;
        Ok(parts.concat())
    }

    /// Least value first, then most lowering moves, then by hash, which is as good as chance.
    fn rank(&mut self, hopes: &mut [Hope<K>]) -> Result<(), Halt> {
        let watch = self.watch;
        let rank = |steps: &mut Steps<K>, hopes: &mut [Hope<K>]| {
            let mut ticker = watch.ticker();
            for i in 0..hopes.len() {
                steps.tick(&mut ticker)?;
                if i % AHEAD == 0 {
                    steps.warm(hopes[i..].iter().map(|hope| hope.key));
                }
                let hope = &mut hopes[i];
                let lowering = steps.lowering(hope.key) as u64;
                let chance = hope.key.mix() >> 32;
                hope.rank = u64::from(hope.value) << 48 | (0xFFFF - lowering) << 32 | chance;
            }
            Ok(())
        };
        if hopes.len() < NARROW || self.workers.len() == 1 {
            return rank(&mut self.workers[0], hopes);
        }
        let portion = hopes.len().div_ceil(self.workers.len());
        let shares = self.workers.iter_mut().zip(hopes.chunks_mut(portion));
        watch.on_threads(|| threads::try_map(shares, |(steps, share)| rank(steps, share))).map(drop)
    }
}
