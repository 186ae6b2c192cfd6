//! One side of a breadth-first search under a limit: its layers, in memory or in files, and how the next one is made.
//!
//! Positions of a layer are expanded in batches, which threads share. In memory the children go into sets. Once three
//! layers do not fit, and there is a folder for them, the layers become sorted files: children are collected, sorted and
//! written as runs, and the next layer is what the runs have when they are merged, less the two layers before it.
//!
//! Invariant: layer `d` has the canonical images of all positions at distance `d` that fit the limit.
//! Cost: in memory three layers of sets; in files a quarter of the memory, and the runs and three layers on disk.

use super::expansion::{Expansion, Part};
use super::key::Key;
use super::layer::{Layer, SMALL};
use super::meet::Resources;
use super::moves::MoveGenerator;
use super::scratch::{Saved, Store, hex, unhex};
use super::shared::generators;
use super::sorted::{FILES, Failure, Sorted, file_of};
use super::symmetry::Symmetries;
use super::table::Set;
use super::team::Team;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// At most this many positions are expanded before their children are merged into the next layer.
const BATCH: usize = 1 << 18;
/// The usual number of children of a position.
const CHILDREN: usize = 16;
/// A run has this many positions, however little memory there is: each takes some files.
const RUN: usize = 1 << 16;

/// How many positions are collected before they are sorted: a quarter of the memory.
fn most_collected<K>(resources: &Resources) -> usize {
    (resources.memory / 4 / size_of::<K>()).max(RUN)
}

/// Why there are files.
const IN_FILES: &str = "the layers are in files";

/// One side of the search.
#[derive(Debug)]
pub(super) struct Front<K> {
    /// The end that it begins at.
    name: &'static str,
    /// One for each thread.
    pub(super) generators: Vec<MoveGenerator<K>>,
    before: Layer<K>,
    current: Layer<K>,
    /// The two layers in files, once they did not fit in memory; then those above are empty.
    files: Option<Files<K>>,
    /// The positions of the current layer, those of all processes.
    pub(super) size: u64,
    pub(super) depth: u16,
    /// The bound of its first position.
    first: u16,
    /// The least sum beyond the limit that was cut off, if any was.
    pub(super) cut: Option<u16>,
    /// A goal in the current layer.
    pub(super) arrived: Option<K>,
}

/// Layers in files.
#[derive(Debug)]
struct Files<K> {
    before: Sorted<K>,
    current: Sorted<K>,
    /// Parts of the next layer: the children of the first `expanded` positions.
    runs: Vec<Sorted<K>>,
    expanded: u64,
}

/// What all of a pass has in common.
pub(super) struct Pass<'p, K> {
    pub(super) limit: u16,
    pub(super) symmetries: &'p Symmetries<K>,
}

impl<K: Key> Front<K> {
    pub(super) fn new(name: &'static str, mut generator: MoveGenerator<K>, threads: usize) -> Self {
        let first = generator.value(generator.start());
        let generators = generators(generator, threads);
        let (before, current) = (Layer::new(), Layer::new());
        Self {
            name,
            generators,
            before,
            current,
            files: None,
            size: 0,
            depth: 0,
            first,
            cut: None,
            arrived: None,
        }
    }

    pub(super) fn restart(&mut self, team: &Team) {
        let start = self.generators[0].start();
        self.before = Layer::new();
        self.current = if team.owns(start.mix()) { Layer::of(start) } else { Layer::new() };
        self.remove_files();
        self.size = 1;
        self.depth = 0;
        self.cut = None;
        self.arrived = None;
    }

    /// Takes up what an earlier run has left in files under this limit; was there anything?
    pub(super) fn resume(&mut self, limit: u16, resources: &mut Resources) -> Result<bool, Halt> {
        let Some(store) = resources.store else { return Ok(false) };
        let (watch, team) = (resources.watch, &mut resources.team);
        let last = store.saved(self.name, None);
        let own = last.as_ref().filter(|saved| saved.limit == limit).map(Saved::step);
        // Processes may have stopped one step apart.
        let common = team.least_of_all(own);
        let saved = common.and_then(|step| store.saved(self.name, Some(step)));
        let files = saved.as_ref().map(|saved| self.open(saved, store)).transpose();
        let opened = files.unwrap_or_else(|failure| {
            failure.halt(watch);
            None
        });
        let is_lost = team.any(opened.is_none());
        let written = match saved.zip(opened) {
            Some((saved, files)) if !is_lost => {
                self.current = Layer::new();
                self.size = team.sum(files.current.len);
                self.files = Some(files);
                (self.depth, self.cut) = (saved.depth, saved.cut);
                // A layer that is not complete may have a goal already.
                self.arrived = team.first(saved.arrived.as_deref().and_then(unhex));
                resources.nodes = resources.nodes.max(saved.nodes);
                // Later steps are void.
                if own > common { store.save(self.name, &saved) } else { Ok(()) }
            }
            _ => {
                // What is lost is found again, at once; the new files have the same names.
                if last.is_some() { store.forget(self.name) } else { Ok(()) }
            }
        };
        team.agreed_in_files(written).map_err(|failure| failure.halt(watch))?;
        Ok(self.files.is_some())
    }

    /// The files of a step.
    fn open(&self, saved: &Saved, store: Store) -> Result<Files<K>, Failure> {
        let &Saved { depth, runs, expanded, .. } = saved;
        let open = |depth, run| Sorted::open(store.stem(self.name, depth, run));
        Ok(Files {
            before: open(depth, None)?,
            current: open(depth + 1, None)?,
            runs: (0..runs).map(|run| open(depth + 1, Some(run))).collect::<Result<_, _>>()?,
            expanded,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.before.bytes() + self.current.bytes()
    }

    /// Replaces the current layer by the next one, all layers within `room` bytes if they are in memory.
    pub(super) fn advance(
        &mut self,
        pass: &Pass<K>,
        room: usize,
        resources: &mut Resources,
    ) -> Result<(), Halt> {
        if self.files.is_none() {
            let advanced = self.advance_in_memory(pass, room, resources);
            let is_full = advanced == Err(Halt::Memory) && resources.nodes <= resources.most;
            match resources.store {
                Some(store) if is_full => {
                    let spilt = self.spill(store, resources.watch);
                    let spilt = resources.team.agreed_in_files(spilt);
                    spilt.map_err(|it| it.halt(resources.watch))?;
                }
                _ => return advanced,
            }
        }
        let store = resources.store.expect("files are in a store");
        let advanced = self.advance_in_files(pass, store, resources);
        if advanced.as_ref().is_err_and(Failure::is_damage) {
            // What is lost is found again, next time.
            store.forget(self.name).map_err(|it| it.halt(resources.watch))?;
        }
        advanced.map_err(|it| it.halt(resources.watch))
    }

    fn expansion<'a>(&self, pass: &Pass<'a, K>, watch: &'a Watch) -> Expansion<'a, K> {
        Expansion { made: self.depth + 1, limit: pass.limit, symmetries: pass.symmetries, watch }
    }

    /// How many positions are expanded at a time: what is between two layers takes an eighth of the memory.
    fn batch(resources: &Resources) -> usize {
        (resources.memory / 8 / (CHILDREN * size_of::<K>())).clamp(1 << 8, BATCH)
    }

    /// Must positions of the current layer and of the one before be dropped from the next?
    fn drops(&self, limit: u16) -> (bool, bool) {
        // Under a limit that is the bound of the start, every move lowers the bound: nothing comes back.
        (!self.generators[0].layers_are_independent(), limit > self.first)
    }

    fn advance_in_memory(
        &mut self,
        pass: &Pass<K>,
        room: usize,
        resources: &mut Resources,
    ) -> Result<(), Halt> {
        let batch = Self::batch(resources);
        let (watch, team) = (resources.watch, &mut resources.team);
        let expansion = self.expansion(pass, watch);
        let (drop_current, drop_before) = self.drops(pass.limit);
        let Self { generators, before, current, size, cut, arrived, .. } = self;
        let threads = if current.len() < SMALL { 1 } else { generators.len() };
        let mut next = Layer::<K>::new();
        let mut positions = current.iter();
        loop {
            let work: Vec<K> = positions.by_ref().take(batch).collect();
            if !team.any(!work.is_empty()) {
                break;
            }
            let parts = expansion.of_all(&mut generators[..threads], &work).into_iter().collect();
            let mut parts: Vec<Part<K>> = team.agreed(parts)?;
            for part in &parts {
                *cut = [*cut, part.cut].into_iter().flatten().min();
                *arrived = arrived.or(part.arrived);
            }
            resources.nodes += team.sum(parts.iter().map(|part| part.nodes).sum());
            if !team.is_alone() {
                let keys = parts.iter().flat_map(|part| part.buckets.iter().flatten());
                parts = vec![Part::of(team.deal(keys.copied()))];
            }
            let merge = |(shard, set): (usize, &mut Set<K>)| {
                for &key in parts.iter().flat_map(|part| &part.buckets[shard]) {
                    let hash = key.mix();
                    let old = (drop_before && before.shards[shard].contains(key, hash))
                        || (drop_current && current.shards[shard].contains(key, hash));
                    if !old {
                        set.insert(key, hash);
                    }
                }
            };
            let shards = next.shards.iter_mut().enumerate();
            if threads == 1 {
                shards.for_each(merge);
            } else {
                watch.on_threads(|| threads::each(shards, merge));
            }
            let bytes = before.bytes() + current.bytes() + next.bytes();
            resources.peak = resources.peak.max(bytes);
            if team.any(bytes > room) || resources.nodes > resources.most {
                return Err(Halt::Memory);
            }
        }
        drop(positions);
        *size = team.sum(next.len() as u64);
        *cut = team.least(*cut);
        *arrived = team.first(*arrived);
        self.before = std::mem::replace(&mut self.current, next);
        self.depth += 1;
        Ok(())
    }

    /// Moves both layers from memory to files. Those of depth `d` have the number `d + 1`.
    fn spill(&mut self, store: Store, watch: &Watch) -> Result<(), Failure> {
        let sorted = |layer: &mut Layer<K>, number| {
            let mut buckets = vec![Vec::new(); FILES];
            for set in std::mem::replace(layer, Layer::new()).shards {
                set.iter().for_each(|key| buckets[file_of(key.mix())].push(key));
            }
            Sorted::write(store.stem(self.name, number, None), &mut buckets, watch)
        };
        let before = sorted(&mut self.before, self.depth)?;
        let current = sorted(&mut self.current, self.depth + 1)?;
        self.files = Some(Files { before, current, runs: Vec::new(), expanded: 0 });
        Ok(())
    }

    fn advance_in_files(
        &mut self,
        pass: &Pass<K>,
        store: Store,
        resources: &mut Resources,
    ) -> Result<(), Failure> {
        self.make_runs(pass, store, resources)?;
        let (drop_current, drop_before) = self.drops(pass.limit);
        let files = self.files.as_mut().expect(IN_FILES);
        let mut without = Vec::new();
        without.extend(drop_before.then_some(&files.before));
        without.extend(drop_current.then_some(&files.current));
        let next = store.stem(self.name, self.depth + 2, None);
        let next = Sorted::merge(next, &files.runs, &without, resources.watch);
        let team = &mut resources.team;
        let next = team.agreed_in_files(next)?;
        let sets = files.runs.iter().chain([&files.before, &files.current, &next]);
        resources.disk = resources.disk.max(sets.map(Sorted::bytes).sum());
        self.size = team.sum(next.len);
        self.cut = team.least(self.cut);
        self.arrived = team.first(self.arrived);
        self.depth += 1;
        let runs = std::mem::take(&mut files.runs);
        let before =
            std::mem::replace(&mut files.before, std::mem::replace(&mut files.current, next));
        files.expanded = 0;
        let saved = self.save(pass.limit, store, resources.nodes);
        // Until all have written this down, they may have to go back to what is removed now.
        resources.team.agreed_in_files(saved)?;
        runs.into_iter().chain([before]).for_each(Sorted::remove);
        Ok(())
    }

    /// Expands the current layer, from where an earlier run has left off, into runs.
    fn make_runs(
        &mut self,
        pass: &Pass<K>,
        store: Store,
        resources: &mut Resources,
    ) -> Result<(), Failure> {
        let (batch, watch) = (Self::batch(resources), resources.watch);
        let most = most_collected::<K>(resources);
        let expansion = self.expansion(pass, watch);
        let files = self.files.as_mut().expect(IN_FILES);
        let mut expanded = files.expanded;
        let skipped = usize::try_from(expanded).expect("a file has fewer bytes than that");
        let layer = files.current.clone();
        let mut positions = layer.iter().skip(skipped);
        let mut buckets = vec![Vec::new(); FILES];
        let mut collected = 0;
        let team = &mut resources.team;
        loop {
            let work = positions.by_ref().take(batch).collect::<Result<Vec<K>, Failure>>();
            let work = team.agreed_in_files(work)?;
            let parts = expansion.of_all(&mut self.generators, &work).into_iter().collect();
            let parts: Result<Vec<Part<K>>, Halt> = team.agreed(parts);
            if let Ok(parts) = &parts {
                for part in parts {
                    self.cut = [self.cut, part.cut].into_iter().flatten().min();
                    self.arrived = self.arrived.or(part.arrived);
                }
                resources.nodes += team.sum(parts.iter().map(|part| part.nodes).sum());
                let keys = parts.iter().flat_map(|part| part.buckets.iter().flatten()).copied();
                let collect = |key: K| {
                    buckets[file_of(key.mix())].push(key);
                    collected += 1;
                };
                if team.is_alone() {
                    keys.for_each(collect);
                } else {
                    team.deal(keys).into_iter().for_each(collect);
                }
                expanded += work.len() as u64;
            }
            // A halt keeps what has been done.
            let is_last = parts.is_err() || !team.any(!work.is_empty());
            let is_full = collected + batch * CHILDREN > most;
            if team.any(collected > 0) && (is_last || team.any(is_full)) {
                let files = self.files.as_mut().expect(IN_FILES);
                let run = store.stem(self.name, self.depth + 1, Some(files.runs.len()));
                let written = Sorted::write(run, &mut buckets, watch).map(|run| {
                    files.runs.push(run);
                    files.expanded = expanded;
                });
                let saved = written.and_then(|()| self.save(pass.limit, store, resources.nodes));
                team.agreed_in_files(saved)?;
                buckets.iter_mut().for_each(Vec::clear);
                collected = 0;
            }
            parts?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// Writes down how far it has come.
    fn save(&self, limit: u16, store: Store, nodes: u64) -> Result<(), Failure> {
        let files = self.files.as_ref().expect(IN_FILES);
        let saved = Saved {
            limit,
            depth: self.depth,
            runs: files.runs.len(),
            expanded: files.expanded,
            nodes,
            cut: self.cut,
            arrived: self.arrived.map(hex),
        };
        store.save(self.name, &saved)
    }

    /// Removes the files, if there are any.
    pub(super) fn remove_files(&mut self) {
        if let Some(Files { before, current, runs, .. }) = self.files.take() {
            [before, current].into_iter().chain(runs).for_each(Sorted::remove);
        }
    }

    /// A position that is in the current layers of both sides.
    pub(super) fn common(
        &self,
        other: &Self,
        resources: &mut Resources,
    ) -> Result<Option<K>, Halt> {
        let (watch, team) = (resources.watch, &mut resources.team);
        let found = match (&self.files, &other.files) {
            (None, None) => Ok(self.current.common(&other.current, watch)),
            (Some(one), Some(other)) => one.current.common(&other.current, watch),
            (Some(one), None) => search(&one.current, |key| other.current.contains(key), watch),
            (None, Some(one)) => search(&one.current, |key| self.current.contains(key), watch),
        };
        let found = team.agreed_in_files(found).map_err(|failure| failure.halt(watch))?;
        Ok(team.first(found))
    }

    /// A position of the current layer whose image, with start and goal exchanged, is in that layer too, or in the one
    /// `before`.
    pub(super) fn with_image(
        &self,
        before: bool,
        symmetries: &Symmetries<K>,
        resources: &mut Resources,
    ) -> Result<Option<K>, Halt> {
        let watch = resources.watch;
        if let Some(files) = &self.files {
            let other = if before { &files.before } else { &files.current };
            // Twice, while they are sorted.
            let most = most_collected::<K>(resources) / 2;
            let team = &mut resources.team;
            let found = image_in_files(&files.current, other, symmetries, most, team, watch);
            return found.map_err(|failure| failure.halt(watch));
        }
        let team = &mut resources.team;
        let (layer, other) = (&self.current, if before { &self.before } else { &self.current });
        if team.is_alone() {
            let is_met =
                |&key: &K| symmetries.exchanged(key).is_some_and(|key| other.contains(key));
            return Ok(layer.find(watch, is_met));
        }
        // The owners of the images know whether they are there.
        let images = layer.iter().filter_map(|key| symmetries.exchanged(key));
        let there = team.deal(images).into_iter().find(|&image| other.contains(image));
        let Some(there) = team.first(there) else { return Ok(None) };
        Ok(team.first(layer.find(watch, |&key| symmetries.exchanged(key) == Some(there))))
    }
}

/// The first position in files for which this holds.
fn search<K: Key>(
    set: &Sorted<K>,
    holds: impl Fn(K) -> bool,
    watch: &Watch,
) -> Result<Option<K>, Failure> {
    let mut found = None;
    for (i, key) in (1u64..).zip(set.iter()) {
        let key = key?;
        if i % (1 << 16) == 0
            && let Some(halt) = watch.halted()
        {
            return Err(halt.into());
        }
        if holds(key) {
            found = Some(key);
            break;
        }
    }
    Ok(found)
}

/// A position of one set whose image is in another, with at most so many images in memory at once.
fn image_in_files<K: Key>(
    set: &Sorted<K>,
    other: &Sorted<K>,
    symmetries: &Symmetries<K>,
    most: usize,
    team: &mut Team,
    watch: &Watch,
) -> Result<Option<K>, Failure> {
    let image = |key: Result<K, Failure>| key.map(|key| symmetries.exchanged(key)).transpose();
    let mut images = set.iter().filter_map(image);
    loop {
        let some = images.by_ref().take(most).collect::<Result<Vec<K>, Failure>>();
        let some = some.and_then(|some| watch.halted().map_or(Ok(some), |halt| Err(halt.into())));
        let some = team.agreed_in_files(some)?;
        if !team.any(!some.is_empty()) {
            return Ok(None);
        }
        // The owners of the images know whether they are there.
        let mut buckets = vec![Vec::new(); FILES];
        for image in team.deal(some.into_iter()) {
            buckets[file_of(image.mix())].push(image);
        }
        let there = team.agreed_in_files(other.common_with(&mut buckets, watch))?;
        if let Some(there) = team.first(there) {
            let here = search(set, |key| symmetries.exchanged(key) == Some(there), watch);
            let here = team.agreed_in_files(here)?;
            return Ok(team.first(here));
        }
    }
}
