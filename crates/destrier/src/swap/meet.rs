//! Breadth first from both ends under a rising bound, until the two searches meet.
//!
//! With at most `limit` moves in mind, a position is kept only if the moves made and the moves still
//! needed fit the limit. A layer needs only its two elders to drop what was seen before, for every
//! move can be taken back. If nothing meets, the limit rises to the least sum that was cut off.
//! Where a symmetry exchanges start and goal, the search from the goal is the mirrored search from
//! the start. The plan is found by doing the same for both halves of the way.
//!
//! Invariant: layer `d` holds the least images of all positions at distance `d` that fit the limit.
//! Cost: three layers of 8 bytes a position (two colours to 31 squares); threads share the shards.
//! After: Pohl 1971; Zhou and Hansen, breadth-first heuristic search, 2006.

use super::arena::{Arena, Step};
use super::astar::{Found, astar};
use super::bound::HOPELESS;
use super::key::Key;
use super::mirror::Mirrors;
use super::steps::{AHEAD, Child, Steps, Way};
use super::table::Set;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

const SHARDS: usize = 64;
/// Positions expanded between two sortings into the next layer, at most.
const ROUND: usize = 1 << 18;
/// Children that a position may have, as a rule.
const CHILDREN: usize = 16;
/// Layers smaller than this are not worth a second thread.
const SMALL: usize = 1 << 13;

/// What a two-ended search may use, and what it has used.
pub(super) struct Means<'w> {
    pub(super) watch: &'w Watch,
    /// Who hears of a bound that was proved.
    pub(super) raised: Option<&'w dyn Fn(u16)>,
    pub(super) threads: usize,
    /// Bytes for the layers of both sides.
    pub(super) memory: usize,
    pub(super) nodes: u64,
    /// Positions it may expand.
    pub(super) most: u64,
    /// The most bytes the layers took.
    pub(super) peak: usize,
}

impl<'w> Means<'w> {
    /// All the watch allows.
    pub(super) fn new(watch: &'w Watch, memory: usize) -> Self {
        let threads = watch.threads();
        Self { watch, raised: None, threads, memory, nodes: 0, most: u64::MAX, peak: 0 }
    }
}

#[derive(Clone, Debug)]
struct Layer<K> {
    shards: Vec<Set<K>>,
}

fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize
}

impl<K: Key> Layer<K> {
    fn new() -> Self {
        Self { shards: vec![Set::new(); SHARDS] }
    }
    fn of(key: K) -> Self {
        let mut layer = Self::new();
        layer.shards[shard_of(key.mix())].insert(key, key.mix());
        layer
    }
    fn len(&self) -> usize {
        self.shards.iter().map(Set::len).sum()
    }
    fn bytes(&self) -> usize {
        self.shards.iter().map(Set::bytes).sum()
    }
    fn contains(&self, key: K) -> bool {
        let hash = key.mix();
        self.shards[shard_of(hash)].contains(key, hash)
    }
    /// The first position for which this holds; threads share a large layer.
    fn find(&self, watch: &Watch, holds: impl Fn(&K) -> bool + Sync) -> Option<K> {
        let look = |shards: &[Set<K>]| shards.iter().find_map(|set| set.iter().find(&holds));
        if watch.threads() == 1 || self.len() < SMALL {
            return look(&self.shards);
        }
        let parts = self.shards.chunks(SHARDS.div_ceil(watch.threads()));
        watch.on_threads(|| threads::map(parts, look)).into_iter().flatten().next()
    }
    /// A position in both.
    fn common(&self, other: &Self, watch: &Watch) -> Option<K> {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        few.find(watch, |&key| many.contains(key))
    }
}

/// One side of the search.
#[derive(Debug)]
struct Front<K> {
    steps: Vec<Steps<K>>,
    before: Layer<K>,
    current: Layer<K>,
    depth: u16,
    /// The least sum beyond the limit that was cut off, if any was.
    cut: Option<u16>,
    /// A goal in the current layer.
    arrived: Option<K>,
}

impl<K: Key> Front<K> {
    fn new(steps: Steps<K>, threads: usize) -> Self {
        let current = Layer::of(steps.start());
        let steps = vec![steps; threads];
        Self { steps, before: Layer::new(), current, depth: 0, cut: None, arrived: None }
    }

    fn restart(&mut self) {
        self.before = Layer::new();
        self.current = Layer::of(self.steps[0].start());
        self.depth = 0;
        self.cut = None;
        self.arrived = None;
    }

    fn bytes(&self) -> usize {
        self.before.bytes() + self.current.bytes()
    }

    /// Replace the current layer by the next one.
    fn advance(
        &mut self,
        limit: u16,
        mirrors: &Mirrors<K>,
        room: usize,
        means: &mut Means,
    ) -> Result<(), Halt> {
        let mut next = Layer::<K>::new();
        let threads = if self.current.len() < SMALL { 1 } else { self.steps.len() };
        let independent = self.steps[0].layers_are_independent();
        let (before, current) = (&self.before, &self.current);
        let made = self.depth + 1;
        // What lies between two layers takes an eighth of the memory.
        let round = means.memory / 8 / (CHILDREN * size_of::<(K, u64)>());
        let round = round.clamp(1 << 8, ROUND);
        let mut shard = 0;
        let mut skip = 0;
        while shard < SHARDS {
            // The next positions to expand: whole shards, or parts of a large one.
            let mut work: Vec<K> = Vec::new();
            while shard < SHARDS && work.len() < round {
                let room = round - work.len();
                let before = work.len();
                work.extend(current.shards[shard].iter().skip(skip).take(room));
                if work.len() - before < room {
                    shard += 1;
                    skip = 0;
                } else {
                    skip += room;
                }
            }
            let mut parts: Vec<Part<K>> = Vec::new();
            if threads == 1 {
                parts.push(expand(&mut self.steps[0], &work, made, limit, mirrors, means.watch));
            } else {
                // Positions that agree on the first colour go to one thread: another would work
                // out the same rows of the bound again. A single knight has its row already.
                let Steps { arena, layout, .. } = &self.steps[0];
                let alone = arena.count(1) == 1;
                let aspect = |key: K| if alone { key } else { layout.holding(key, 1) };
                let thread = |key: K| (aspect(key).mix() >> 32) % threads as u64;
                let mut shares = vec![Vec::new(); threads];
                for &key in &work {
                    shares[usize::try_from(thread(key)).expect("one of the threads")].push(key);
                }
                let watch = means.watch;
                let workers = self.steps.iter_mut().zip(&shares);
                parts = watch.on_threads(|| {
                    threads::map(workers, |(steps, share)| {
                        expand(steps, share, made, limit, mirrors, watch)
                    })
                });
            }
            for part in &mut parts {
                if let Some(halt) = part.halt.take() {
                    return Err(halt);
                }
                means.nodes += part.nodes;
                self.cut = [self.cut, part.cut].into_iter().flatten().min();
                self.arrived = self.arrived.or(part.arrived);
            }
            let sort = |shard: usize, set: &mut Set<K>| {
                for part in &parts {
                    for &(key, hash) in &part.buckets[shard] {
                        let old = before.shards[shard].contains(key, hash)
                            || (!independent && current.shards[shard].contains(key, hash));
                        if !old {
                            set.insert(key, hash);
                        }
                    }
                }
            };
            if threads == 1 {
                for (shard, set) in next.shards.iter_mut().enumerate() {
                    sort(shard, set);
                }
            } else {
                let shards = next.shards.iter_mut().enumerate();
                means.watch.on_threads(|| threads::each(shards, |(shard, set)| sort(shard, set)));
            }
            let taken = self.before.bytes() + self.current.bytes() + next.bytes();
            means.peak = means.peak.max(taken);
            if taken > room || means.nodes > means.most {
                return Err(Halt::Memory);
            }
        }
        self.before = std::mem::replace(&mut self.current, next);
        self.depth = made;
        Ok(())
    }
}

/// What one thread made of its share of a layer.
struct Part<K> {
    buckets: Vec<Vec<(K, u64)>>,
    nodes: u64,
    cut: Option<u16>,
    arrived: Option<K>,
    halt: Option<Halt>,
}

fn expand<K: Key>(
    steps: &mut Steps<K>,
    work: &[K],
    made: u16,
    limit: u16,
    mirrors: &Mirrors<K>,
    watch: &Watch,
) -> Part<K> {
    let mut ticker = watch.ticker();
    let mut part =
        Part { buckets: vec![Vec::new(); SHARDS], nodes: 0, cut: None, arrived: None, halt: None };
    let mut children: Vec<Child<K>> = Vec::new();
    for (i, &key) in work.iter().enumerate() {
        if let Err(halt) = steps.tick(&mut ticker) {
            part.halt = Some(halt);
            break;
        }
        if i % AHEAD == 0 {
            steps.warm(work[i..].iter().copied());
        }
        part.nodes += 1;
        steps.expand(key, Way::Onward, &mut children);
        for child in &children {
            if child.value == HOPELESS {
                continue;
            }
            let sum = made + child.value;
            if sum > limit {
                part.cut = Some(part.cut.map_or(sum, |cut| cut.min(sum)));
                continue;
            }
            let least = mirrors.least(child.key);
            if child.value == 0 {
                part.arrived = Some(least);
            }
            let hash = least.mix();
            part.buckets[shard_of(hash)].push((least, hash));
        }
    }
    part
}

/// Search from both ends (from the start alone where the goal is partial).
///
/// Every plan is known to have at least `lower` moves; if a plan with `upper` moves is known, only
/// shorter ones are of interest. On a halt the second value is the best bound proved.
pub(super) fn meet<K: Key>(
    arena: &Arena,
    lower: u16,
    upper: Option<u16>,
    means: &mut Means,
) -> Result<Found, (Halt, u16)> {
    // The tables of all threads and both sides take a quarter of the memory.
    let cache = means.memory / 8 / means.threads.max(1);
    let mut steps = Steps::<K>::new(arena, cache).expect("the key was chosen for the arena");
    let mirrors = Mirrors::of(arena, &steps.layout);
    let first = steps.value(steps.start());
    if first == HOPELESS {
        return Ok(Found::Nothing);
    }
    if first == 0 {
        return Ok(Found::Plan(Vec::new()));
    }
    let two_ended = arena.is_goal_complete();
    let gap = if two_ended && steps.layers_are_independent() { 2 } else { 1 };
    let mut onward = Front::new(steps, means.threads);
    let mut back = if two_ended && !mirrors.exchanges() {
        let steps = Steps::<K>::new(&arena.reversed(), cache).expect("as large as the other");
        Some(Front::new(steps, means.threads))
    } else {
        None
    };
    let mut proved = first.max(lower);
    let mut pace = 0;
    let mut last_nodes = 0;
    loop {
        let limit = match upper {
            Some(upper) if upper <= proved => return Ok(Found::NoneBelow),
            // A known plan sets the last limit; it is gone to at once when it is near.
            Some(upper) if proved + pace.max(gap) >= upper - gap => upper - gap,
            _ => proved + pace,
        };
        let nodes = means.nodes;
        match raise(&mut onward, &mut back, (proved, limit), &mirrors, two_ended, means) {
            Err(Halt::Memory) => return Ok(Found::Full { lower: proved }),
            Err(halt) => return Err((halt, proved)),
            Ok(Some((middle, length))) => {
                means.raised = None;
                let middle = onward.steps[0].layout.unpack(middle);
                drop((onward, back));
                let plan =
                    halves::<K>(arena, middle, length, means).map_err(|halt| (halt, proved))?;
                return Ok(plan.map_or(Found::Full { lower: proved }, Found::Plan));
            }
            Ok(None) => {
                proved = limit + gap;
                for front in std::iter::once(&onward).chain(&back) {
                    if front.current.len() == 0 {
                        // A side that ran dry and was never cut off has seen all it can reach.
                        let Some(cut) = front.cut else { return Ok(Found::Nothing) };
                        proved = proved.max(cut);
                    }
                }
                if let Some(raised) = means.raised {
                    raised(proved);
                }
                // While the passes hardly grow, take longer strides: the first meeting is the
                // shortest under any limit, a loose one only lets more positions through.
                let spent = means.nodes - nodes;
                pace = if spent < 2 * last_nodes { pace + gap } else { 0 };
                last_nodes = spent;
            }
        }
    }
}

/// A position in the middle of a plan, and how many moves lie before and after it.
type Middle<K> = (K, (u16, u16));

/// All plans of at most `limit` moves.
fn raise<K: Key>(
    onward: &mut Front<K>,
    back: &mut Option<Front<K>>,
    (proved, limit): (u16, u16),
    mirrors: &Mirrors<K>,
    two_ended: bool,
    means: &mut Means,
) -> Result<Option<Middle<K>>, Halt> {
    let parity = onward.steps[0].layers_are_independent();
    onward.restart();
    if let Some(back) = back {
        back.restart();
    }
    loop {
        // Half is for the layers.
        let room = (means.memory / 2).saturating_sub(back.as_ref().map_or(0, Front::bytes));
        if let Some(back) = back {
            if onward.depth + back.depth >= limit {
                return Ok(None);
            }
            if onward.current.len() <= back.current.len() {
                onward.advance(limit, mirrors, room, means)?;
            } else {
                let room = (means.memory / 2).saturating_sub(onward.bytes());
                back.advance(limit, mirrors, room, means)?;
            }
            if onward.current.len() == 0 || back.current.len() == 0 {
                return Ok(None);
            }
            // Before the depths add up to what is proved needed, nothing can meet.
            if onward.depth + back.depth >= proved
                && let Some(key) = onward.current.common(&back.current, means.watch)
            {
                return Ok(Some((key, (onward.depth, back.depth))));
            }
        } else if two_ended {
            if 2 * onward.depth >= limit {
                return Ok(None);
            }
            onward.advance(limit, mirrors, room, means)?;
            if onward.current.len() == 0 {
                return Ok(None);
            }
            for (layer, depth) in
                [(&onward.before, onward.depth - 1), (&onward.current, onward.depth)]
            {
                let length = onward.depth + depth;
                if length < proved || (parity && (length ^ proved) & 1 == 1) {
                    continue;
                }
                let seen =
                    |&key: &K| mirrors.across(key).is_some_and(|image| layer.contains(image));
                if let Some(key) = onward.current.find(means.watch, seen) {
                    return Ok(Some((key, (onward.depth, depth))));
                }
            }
        } else {
            if onward.depth >= limit {
                return Ok(None);
            }
            onward.advance(limit, mirrors, room, means)?;
            if let Some(key) = onward.arrived {
                return Ok(Some((key, (onward.depth, 0))));
            }
            if onward.current.len() == 0 {
                return Ok(None);
            }
        }
    }
}

/// The plan through a middle position, from the plans of its halves; `None` where memory ran out.
fn halves<K: Key>(
    arena: &Arena,
    middle: Vec<u8>,
    (before, after): (u16, u16),
    means: &mut Means,
) -> Result<Option<Vec<Step>>, Halt> {
    // The middle is a least image: right for both halves, since symmetries fix start and goal.
    let first = arena.between(arena.start.clone(), middle.clone());
    let Some(mut plan) = exactly::<K>(&first, before, means)? else { return Ok(None) };
    if arena.is_goal_complete() {
        let second = arena.between(middle, arena.goal.clone());
        let Some(rest) = exactly::<K>(&second, after, means)? else { return Ok(None) };
        plan.extend(rest);
    }
    Ok(Some(plan))
}

/// A plan of a length that is known to be the least.
pub(super) fn exactly<K: Key>(
    arena: &Arena,
    length: u16,
    means: &mut Means,
) -> Result<Option<Vec<Step>>, Halt> {
    let mut steps =
        Steps::<K>::new(arena, means.memory / 8).expect("the key was chosen for the arena");
    let mut ticker = means.watch.ticker();
    let mut nodes = 0;
    let quick = astar(&mut steps, &Mirrors::none(), 20_000, &mut nodes, &mut ticker);
    means.nodes += nodes;
    match quick.map_err(|(halt, _)| halt)? {
        Found::Plan(plan) => return Ok(Some(plan)),
        // It has looked at everything: to halve on would lead nowhere.
        Found::Nothing => return Ok(None),
        Found::NoneBelow | Found::Full { .. } => {}
    }
    drop((steps, ticker));
    match meet::<K>(arena, length, None, means).map_err(|(halt, _)| halt)? {
        Found::Plan(plan) => Ok(Some(plan)),
        Found::Nothing | Found::NoneBelow | Found::Full { .. } => Ok(None),
    }
}
