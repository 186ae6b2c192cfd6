//! Breadth-first search from both ends under a rising limit, until the two searches meet.
//!
//! Under a limit on moves, a position is kept only if the moves made and its lower bound fit the limit. A
//! layer needs only the two layers before it to drop what was visited before, as every move can be
//! reversed. If nothing meets, the limit rises to the least sum that was cut off. Where a symmetry
//! exchanges start and goal, the search from the goal is the image of the search from the start. The plan
//! is found by doing the same for both halves of the path.
//!
//! Invariant: layer `d` has the canonical images of all positions at distance `d` that fit the limit.
//! Cost: three layers of 8 bytes per position (two colours to 31 vertices); threads share the shards.
//! Source: Pohl 1971; Zhou and Hansen, breadth-first heuristic search, 2006.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::astar::{Found, astar};
use super::bound::INFINITE;
use super::instance::{Instance, Step};
use super::key::Key;
use super::layer::{Layer, SHARDS, SMALL, shard_of};
use super::moves::{AHEAD, Child, MoveGenerator};
use super::pattern::Patterns;
use super::symmetry::Symmetries;
use super::table::Set;
use super::team::Team;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// At most this many positions are expanded before their children are merged into the next layer.
const BATCH: usize = 1 << 18;
/// The usual number of children of a position.
const CHILDREN: usize = 16;

/// What a two-ended search may use, and what it has used.
pub(super) struct Resources<'w> {
    pub(super) watch: &'w Watch,
    /// Called with each bound that was proved.
    pub(super) on_raise: Option<&'w dyn Fn(u16)>,
    pub(super) threads: usize,
    /// Bytes for the layers of both sides.
    pub(super) memory: usize,
    pub(super) nodes: u64,
    /// The most positions that it may expand.
    pub(super) most: u64,
    /// The most bytes that the layers took.
    pub(super) peak: usize,
    /// About how many positions the last pass takes that will be needed; `None` where that is not known.
    pub(super) estimate: Option<f64>,
    /// The processes that share the search.
    pub(super) team: Team<'w>,
}

impl<'w> Resources<'w> {
    /// Everything that the watch allows.
    pub(super) fn new(watch: &'w Watch, memory: usize) -> Self {
        let threads = watch.threads();
        Self {
            watch,
            on_raise: None,
            threads,
            memory,
            nodes: 0,
            most: u64::MAX,
            peak: 0,
            estimate: None,
            team: Team::default(),
        }
    }
}

/// One side of the search.
#[derive(Debug)]
struct Front<K> {
    /// One for each thread.
    generators: Vec<MoveGenerator<K>>,
    before: Layer<K>,
    current: Layer<K>,
    /// The positions of the current layer, those of all processes.
    size: u64,
    depth: u16,
    /// The bound of its first position.
    first: u16,
    /// The least sum beyond the limit that was cut off, if any was.
    cut: Option<u16>,
    /// A goal in the current layer.
    arrived: Option<K>,
}

impl<K: Key> Front<K> {
    fn new(mut generator: MoveGenerator<K>, threads: usize) -> Self {
        let first = generator.value(generator.start());
        let generators = vec![generator; threads];
        let (before, current) = (Layer::new(), Layer::new());
        Self { generators, before, current, size: 0, depth: 0, first, cut: None, arrived: None }
    }

    fn restart(&mut self, team: &Team) {
        let start = self.generators[0].start();
        self.before = Layer::new();
        self.current = if team.owns(start.mix()) { Layer::of(start) } else { Layer::new() };
        self.size = 1;
        self.depth = 0;
        self.cut = None;
        self.arrived = None;
    }

    fn bytes(&self) -> usize {
        self.before.bytes() + self.current.bytes()
    }

    /// Replaces the current layer by the next one, all layers within `room` bytes.
    fn advance(
        &mut self,
        limit: u16,
        symmetries: &Symmetries<K>,
        room: usize,
        resources: &mut Resources,
    ) -> Result<(), Halt> {
        let Self { generators, before, current, size, cut, arrived, depth, first } = self;
        let (watch, team) = (resources.watch, &mut resources.team);
        let threads = if current.len() < SMALL { 1 } else { generators.len() };
        let drop_current = !generators[0].layers_are_independent();
        // Under a limit that is the bound of the start, every move lowers the bound: nothing comes back.
        let drop_before = limit > *first;
        let expansion = Expansion { made: *depth + 1, limit, symmetries, watch };
        // What is between two layers takes an eighth of the memory.
        let batch = resources.memory / 8 / (CHILDREN * size_of::<K>());
        let batch = batch.clamp(1 << 8, BATCH);
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
}

/// What is the same for all positions of a layer that is expanded.
struct Expansion<'a, K> {
    /// The depth of the children.
    made: u16,
    limit: u16,
    symmetries: &'a Symmetries<K>,
    watch: &'a Watch,
}

/// The children of one thread's share of a layer.
struct Part<K> {
    buckets: Vec<Vec<K>>,
    nodes: u64,
    cut: Option<u16>,
    arrived: Option<K>,
}

impl<K: Key> Part<K> {
    /// Children that were expanded elsewhere.
    fn of(keys: Vec<K>) -> Self {
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
    fn of_all(
        &self,
        generators: &mut [MoveGenerator<K>],
        work: &[K],
    ) -> Vec<Result<Part<K>, Halt>> {
        let threads = generators.len();
        if threads == 1 {
            return vec![self.of_share(&mut generators[0], work)];
        }
        // Positions that agree on the first colour go to one thread: another would compute the same
        // rows of the bound again. A single knight has its row already.
        let layout = generators[0].layout.clone();
        let is_single = generators[0].instance.count(1) == 1;
        let aspect = |key: K| if is_single { key } else { layout.holding(key, 1) };
        let thread = |key: K| (aspect(key).mix() >> 32) % threads as u64;
        let deal = |some: &[K]| {
            let mut shares = vec![Vec::new(); threads];
            for &key in some {
                shares[usize::try_from(thread(key)).expect("one of the threads")].push(key);
            }
            shares
        };
        self.watch.on_threads(|| {
            let dealt = threads::map(work.chunks(SMALL), deal);
            threads::map(generators.iter_mut().enumerate(), |(thread, generator)| {
                let share: Vec<K> =
                    dealt.iter().flat_map(|shares| &shares[thread]).copied().collect();
                self.of_share(generator, &share)
            })
        })
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

/// The search from the goal.
enum OtherEnd<K> {
    /// A search of its own.
    Searched(Front<K>),
    /// The image of the search from the start.
    Image,
    /// None: the goal is partial.
    Open,
}

/// A position in the middle of a plan, and how many moves come before and after it.
struct Middle<K> {
    key: K,
    before: u16,
    after: u16,
}

/// A search from both ends.
struct Search<K> {
    forward: Front<K>,
    other: OtherEnd<K>,
    symmetries: Symmetries<K>,
    /// The sizes of the layers from the start.
    sizes: Vec<u64>,
}

impl<K: Key> Search<K> {
    /// Searches all plans of at most `limit` moves; none has fewer than `proved`.
    fn pass(
        &mut self,
        proved: u16,
        limit: u16,
        resources: &mut Resources,
    ) -> Result<Option<Middle<K>>, Halt> {
        self.forward.restart(&resources.team);
        self.sizes.clear();
        if let OtherEnd::Searched(backward) = &mut self.other {
            backward.restart(&resources.team);
        }
        loop {
            if let ControlFlow::Break(middle) = self.step(proved, limit, resources)? {
                return Ok(middle);
            }
            self.sizes.push(self.forward.size);
        }
    }

    /// Advances one side by a layer; breaks off when the sides have met, or cannot within the limit.
    fn step(
        &mut self,
        proved: u16,
        limit: u16,
        resources: &mut Resources,
    ) -> Result<ControlFlow<Option<Middle<K>>>, Halt> {
        let Self { forward, other, symmetries, .. } = self;
        let nothing = Ok(ControlFlow::Break(None));
        let met = |key, before, after| Ok(ControlFlow::Break(Some(Middle { key, before, after })));
        // Half of the memory is for the layers.
        let room = resources.memory / 2;
        match other {
            OtherEnd::Searched(backward) => {
                if forward.depth + backward.depth >= limit {
                    return nothing;
                }
                if forward.size <= backward.size {
                    let room = room.saturating_sub(backward.bytes());
                    forward.advance(limit, symmetries, room, resources)?;
                } else {
                    let room = room.saturating_sub(forward.bytes());
                    backward.advance(limit, symmetries, room, resources)?;
                }
                if forward.size == 0 || backward.size == 0 {
                    return nothing;
                }
                // Before the depths add up to the bound, the layers cannot meet.
                if forward.depth + backward.depth >= proved {
                    let common = forward.current.common(&backward.current, resources.watch);
                    if let Some(key) = resources.team.first(common) {
                        return met(key, forward.depth, backward.depth);
                    }
                }
            }
            OtherEnd::Image => {
                if 2 * forward.depth >= limit {
                    return nothing;
                }
                forward.advance(limit, symmetries, room, resources)?;
                if forward.size == 0 {
                    return nothing;
                }
                let depth = forward.depth;
                let has_parity = forward.generators[0].layers_are_independent();
                for (layer, after) in [(&forward.before, depth - 1), (&forward.current, depth)] {
                    let length = depth + after;
                    if length < proved || (has_parity && (length ^ proved) & 1 == 1) {
                        continue;
                    }
                    if let Some(key) = with_image(&forward.current, layer, symmetries, resources) {
                        return met(key, depth, after);
                    }
                }
            }
            OtherEnd::Open => {
                if forward.depth >= limit {
                    return nothing;
                }
                forward.advance(limit, symmetries, room, resources)?;
                if let Some(key) = forward.arrived {
                    return met(key, forward.depth, 0);
                }
                if forward.size == 0 {
                    return nothing;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// About how many positions a pass takes that was broken off. Layers grow less and less: the quotient of two
    /// layers falls from one to the next by about the same factor.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn estimate(&self, limit: u16) -> Option<f64> {
        let [.., a, b, c] = self.sizes[..] else { return None };
        let (mut size, mut growth) = (c as f64, c as f64 / b as f64);
        let slowing = growth * a as f64 / b as f64;
        let mut sum: f64 = self.sizes.iter().map(|&size| size as f64).sum();
        let last = if matches!(self.other, OtherEnd::Image) { limit / 2 } else { return None };
        for _ in self.sizes.len()..usize::from(last) {
            growth *= slowing;
            size *= growth;
            sum += size;
        }
        Some(sum)
    }

    /// What a pass without a meeting proves: the next number of moves that a plan could have, or
    /// `None` if there is no plan, since a side that was never cut off has visited all it can reach.
    fn next_length(&self, limit: u16, gap: u16) -> Option<u16> {
        let backward = match &self.other {
            OtherEnd::Searched(backward) => Some(backward),
            OtherEnd::Image | OtherEnd::Open => None,
        };
        let exhausted = std::iter::once(&self.forward).chain(backward);
        let mut next = limit + gap;
        for front in exhausted.filter(|front| front.size == 0) {
            next = next.max(front.cut?);
        }
        Some(next)
    }
}

/// A position of one layer whose image, with start and goal exchanged, is in the other.
fn with_image<K: Key>(
    layer: &Layer<K>,
    other: &Layer<K>,
    symmetries: &Symmetries<K>,
    resources: &mut Resources,
) -> Option<K> {
    let (watch, team) = (resources.watch, &mut resources.team);
    if team.is_alone() {
        let is_met = |&key: &K| symmetries.exchanged(key).is_some_and(|key| other.contains(key));
        return layer.find(watch, is_met);
    }
    // The owners of the images know whether they are there.
    let images = layer.iter().filter_map(|key| symmetries.exchanged(key));
    let there = team.deal(images).into_iter().find(|&image| other.contains(image));
    let there = team.first(there)?;
    team.first(layer.find(watch, |&key| symmetries.exchanged(key) == Some(there)))
}

/// Searches from both ends (from the start alone where the goal is partial).
///
/// Every plan is known to have at least `lower` moves; if a plan with `upper` moves is known, only
/// shorter ones are of interest. `patterns` are those of the instance, if they are to be used. On a halt the second value is the best bound proved.
pub(super) fn meet<K: Key>(
    instance: &Instance,
    lower: u16,
    upper: Option<u16>,
    patterns: Option<Arc<Patterns>>,
    resources: &mut Resources,
) -> Result<Found, (Halt, u16)> {
    // The tables of all threads and both sides take a quarter of the memory.
    let bytes = resources.memory / 8 / resources.threads.max(1);
    let generator = |instance: &Instance, patterns| {
        let plain = MoveGenerator::<K>::new(instance, bytes);
        plain.expect("the key was chosen for the instance").with_patterns(patterns)
    };
    let has_patterns = patterns.is_some();
    let mut ahead = generator(instance, patterns);
    let symmetries = Symmetries::of(instance, &ahead.layout);
    let first = ahead.value(ahead.start());
    if first == INFINITE {
        return Ok(Found::Exhausted);
    }
    if first == 0 {
        return Ok(Found::Plan(Vec::new()));
    }
    let is_two_ended = instance.is_goal_complete();
    let gap = if is_two_ended && ahead.layers_are_independent() { 2 } else { 1 };
    let forward = Front::new(ahead, resources.threads);
    let other = if !is_two_ended {
        OtherEnd::Open
    } else if symmetries.exchanges() {
        OtherEnd::Image
    } else {
        let back = instance.reversed();
        let patterns = if has_patterns { Patterns::of(&back) } else { None };
        OtherEnd::Searched(Front::new(generator(&back, patterns), resources.threads))
    };
    let mut search = Search { forward, other, symmetries, sizes: Vec::new() };
    let mut proved = first.max(lower);
    let mut pace = 0;
    let mut last_nodes = 0;
    loop {
        let limit = match upper {
            Some(upper) if upper <= proved => return Ok(Found::NoneShorter),
            // A known plan sets the last limit, which is used at once when it is near.
            Some(upper) if proved + pace.max(gap) >= upper - gap => upper - gap,
            _ => proved + pace,
        };
        let nodes_before = resources.nodes;
        match search.pass(proved, limit, resources) {
            Err(Halt::Memory) => {
                let is_last = upper.is_some_and(|upper| limit + gap >= upper);
                resources.estimate = if is_last { search.estimate(limit) } else { None };
                return Ok(Found::Limit { lower: proved });
            }
            Err(halt) => return Err((halt, proved)),
            Ok(Some(Middle { key, before, after })) => {
                resources.on_raise = None;
                if !std::mem::take(&mut resources.team).is_first() {
                    // The plan is for the first process to find.
                    return Ok(Found::Limit { lower: proved });
                }
                let middle = search.forward.generators[0].layout.unpack(key);
                drop(search);
                let plan = through_middle::<K>(instance, middle, before, after, resources)
                    .map_err(|halt| (halt, proved))?;
                return Ok(plan.map_or(Found::Limit { lower: proved }, Found::Plan));
            }
            Ok(None) => {
                let Some(next) = search.next_length(limit, gap) else {
                    return Ok(Found::Exhausted);
                };
                proved = next;
                if let Some(on_raise) = resources.on_raise {
                    on_raise(proved);
                }
                // While the passes hardly grow, the limit rises faster: the first meeting is the
                // shortest under any limit, a loose one only lets more positions through.
                let nodes = resources.nodes - nodes_before;
                pace = if nodes < 2 * last_nodes { pace + gap } else { 0 };
                last_nodes = nodes;
            }
        }
    }
}

/// The plan through a middle position, from the plans of its halves; `None` where memory ran out.
pub(super) fn through_middle<K: Key>(
    instance: &Instance,
    middle: Vec<u8>,
    before: u16,
    after: u16,
    resources: &mut Resources,
) -> Result<Option<Vec<Step>>, Halt> {
    // The middle is a canonical image: right for both halves, since symmetries fix start and goal.
    let first = instance.between(instance.start.clone(), middle.clone());
    let Some(mut plan) = shortest::<K>(&first, before, resources)? else { return Ok(None) };
    if instance.is_goal_complete() {
        let second = instance.between(middle, instance.goal.clone());
        let Some(rest) = shortest::<K>(&second, after, resources)? else { return Ok(None) };
        plan.extend(rest);
    }
    Ok(Some(plan))
}

/// A shortest plan, whose length is known.
fn shortest<K: Key>(
    instance: &Instance,
    length: u16,
    resources: &mut Resources,
) -> Result<Option<Vec<Step>>, Halt> {
    let mut generator = MoveGenerator::<K>::new(instance, resources.memory / 8)
        .expect("the key was chosen for the instance");
    let mut ticker = resources.watch.ticker();
    let mut nodes = 0;
    let quick = astar(&mut generator, &Symmetries::none(), 20_000, &mut nodes, &mut ticker);
    resources.nodes += nodes;
    match quick.map_err(|(halt, _)| halt)? {
        Found::Plan(plan) => return Ok(Some(plan)),
        // The search was exhaustive: halving further would lead nowhere.
        Found::Exhausted => return Ok(None),
        Found::NoneShorter | Found::Limit { .. } => {}
    }
    drop((generator, ticker));
    match meet::<K>(instance, length, None, Patterns::of(instance), resources)
        .map_err(|(halt, _)| halt)?
    {
        Found::Plan(plan) => Ok(Some(plan)),
        Found::Exhausted | Found::NoneShorter | Found::Limit { .. } => Ok(None),
    }
}
