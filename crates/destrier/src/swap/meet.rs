//! Breadth-first search from both ends under a rising limit, until the two searches meet.
//!
//! Under a limit on moves, a position is kept only if the moves made and its lower bound fit the limit. A
//! layer needs only the two layers before it to drop what was visited before, as every move can be
//! reversed (see `front`). If nothing meets, the limit rises to the least sum that was cut off. Where a symmetry
//! exchanges start and goal, the search from the goal is the image of the search from the start. The plan
//! is found by doing the same for both halves of the path.
//!
//! Invariant: no plan is shorter than what is `proved`; the first meeting under a limit is a shortest plan.
//! Cost: three layers of 8 bytes per position (two colours to 31 vertices), in memory or in files.
//! Source: Pohl 1971; Zhou and Hansen, breadth-first heuristic search, 2006.

use std::ops::ControlFlow;

use super::astar::{Found, astar};
use super::bound::INFINITE;
use super::front::{Front, Pass};
use super::instance::{Instance, Step};
use super::key::Key;
use super::moves::{MoveGenerator, Tables};
use super::scratch::Store;
use super::symmetry::Symmetries;
use super::team::Team;
use crate::run::watch::{Halt, Watch};

/// What a two-ended search may use, and what it has used.
pub(super) struct Resources<'w> {
    pub(super) watch: &'w Watch,
    /// Called with each bound that was proved.
    pub(super) on_raise: Option<&'w (dyn Fn(u16) + Sync)>,
    pub(super) threads: usize,
    /// Bytes for the layers of both sides.
    pub(super) memory: usize,
    pub(super) nodes: u64,
    /// The most positions that it may expand.
    pub(super) most: u64,
    /// The most bytes that the layers took.
    pub(super) peak: usize,
    /// The most bytes that they took on disk.
    pub(super) disk: u64,
    /// About how many positions the last pass takes that will be needed; `None` where that is not known.
    pub(super) estimate: Option<f64>,
    /// The processes that share the search.
    pub(super) team: Team<'w>,
    /// Where layers may go that do not fit.
    pub(super) store: Option<Store<'w>>,
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
            disk: 0,
            estimate: None,
            team: Team::default(),
            store: None,
        }
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
        self.sizes.clear();
        self.forward.restart(&resources.team);
        let mut is_resumed = self.forward.resume(limit, resources)?;
        if let OtherEnd::Searched(backward) = &mut self.other {
            backward.restart(&resources.team);
            is_resumed |= backward.resume(limit, resources)?;
        }
        if is_resumed && let ControlFlow::Break(middle) = self.meeting(proved, resources)? {
            return Ok(middle);
        }
        while self.advance(limit, resources)? {
            if let ControlFlow::Break(middle) = self.meeting(proved, resources)? {
                return Ok(middle);
            }
            self.sizes.push(self.forward.size);
        }
        Ok(None)
    }

    /// Advances one side by a layer, unless the limit is reached.
    fn advance(&mut self, limit: u16, resources: &mut Resources) -> Result<bool, Halt> {
        let Self { forward, other, symmetries, .. } = self;
        let pass = Pass { limit, symmetries };
        // Half of the memory is for the layers.
        let room = resources.memory / 2;
        let depths = match other {
            OtherEnd::Searched(backward) => forward.depth + backward.depth,
            OtherEnd::Image => 2 * forward.depth,
            OtherEnd::Open => forward.depth,
        };
        if depths >= limit {
            return Ok(false);
        }
        match other {
            OtherEnd::Searched(backward) if forward.size > backward.size => {
                backward.advance(&pass, room.saturating_sub(forward.bytes()), resources)?;
            }
            OtherEnd::Searched(backward) => {
                forward.advance(&pass, room.saturating_sub(backward.bytes()), resources)?;
            }
            OtherEnd::Image | OtherEnd::Open => forward.advance(&pass, room, resources)?,
        }
        Ok(true)
    }

    /// Breaks off when the sides have met, and when one of them has come to its end.
    fn meeting(
        &self,
        proved: u16,
        resources: &mut Resources,
    ) -> Result<ControlFlow<Option<Middle<K>>>, Halt> {
        let Self { forward, other, symmetries, .. } = self;
        let depth = forward.depth;
        let met = |key, after| Ok(ControlFlow::Break(Some(Middle { key, before: depth, after })));
        let nothing = Ok(ControlFlow::Break(None));
        match other {
            OtherEnd::Searched(backward) => {
                if forward.size == 0 || backward.size == 0 {
                    return nothing;
                }
                // Before the depths add up to the bound, the layers cannot meet.
                if depth + backward.depth >= proved
                    && let Some(key) = forward.common(backward, resources)?
                {
                    return met(key, backward.depth);
                }
            }
            OtherEnd::Image => {
                if forward.size == 0 {
                    return nothing;
                }
                let has_parity = forward.generators[0].layers_are_independent();
                for before in [true, false] {
                    let after = depth - u16::from(before);
                    let length = depth + after;
                    if length < proved || (has_parity && (length ^ proved) & 1 == 1) {
                        continue;
                    }
                    if let Some(key) = forward.with_image(before, symmetries, resources)? {
                        return met(key, after);
                    }
                }
            }
            OtherEnd::Open => {
                if let Some(key) = forward.arrived {
                    return met(key, 0);
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

/// Searches from both ends (from the start alone where the goal is partial).
///
/// Every plan is known to have at least `lower` moves; if a plan with `upper` moves is known, only
/// shorter ones are of interest. `tables` are those of the instance, if they are to be used. On a halt the second value is the best bound proved.
pub(super) fn meet<K: Key>(
    instance: &Instance,
    lower: u16,
    upper: Option<u16>,
    tables: Tables,
    resources: &mut Resources,
) -> Result<Found, (Halt, u16)> {
    // The tables of both sides take a quarter of the memory.
    let bytes = resources.memory / 8;
    let generator = |instance: &Instance, tables| {
        let plain = MoveGenerator::<K>::new(instance, bytes);
        plain.expect("the key was chosen for the instance").with_tables(tables)
    };
    let has_tables = tables.is_some();
    let mut ahead = generator(instance, tables);
    let symmetries = Symmetries::of(instance, &ahead.layout);
    // Tables may differ between processes; each has a bound that holds, and all begin with the same.
    let first = resources.team.greatest(ahead.value(ahead.start()));
    if first == INFINITE {
        return Ok(Found::Exhausted);
    }
    if first == 0 {
        return Ok(Found::Plan(Vec::new()));
    }
    let is_two_ended = instance.is_goal_complete();
    let gap = if is_two_ended && ahead.layers_are_independent() { 2 } else { 1 };
    let forward = Front::new("start", ahead, resources.threads);
    let other = if !is_two_ended {
        OtherEnd::Open
    } else if symmetries.exchanges() {
        OtherEnd::Image
    } else {
        let back = instance.reversed();
        let tables = if has_tables { Tables::of(&back, &[], INFINITE) } else { Tables::default() };
        OtherEnd::Searched(Front::new("goal", generator(&back, tables), resources.threads))
    };
    let mut search = Search { forward, other, symmetries, sizes: Vec::new() };
    let mut proved = first.max(lower);
    // What an earlier run has left: a bound, and layers under some limit.
    let mut resumed = None;
    if let Some(store) = resources.store {
        let team = &mut resources.team;
        proved = proved.max(team.greatest(store.proved().unwrap_or(0)));
        let limit = |side| Some(u64::from(store.saved(side, None)?.limit));
        let limit = team.least_of_all(["start", "goal"].into_iter().find_map(limit));
        resumed = limit.and_then(|limit| u16::try_from(limit).ok());
    }
    let mut pace = 0;
    let mut last_nodes = 0;
    loop {
        let limit = match upper {
            Some(upper) if upper <= proved => return Ok(Found::NoneShorter),
            // A known plan sets the last limit, which is used at once when it is near.
            Some(upper) if proved + pace.max(gap) >= upper - gap => upper - gap,
            _ => proved + pace,
        };
        // Under a limit in between, the layers are good for the first pass.
        let limit =
            resumed.take().filter(|saved| (proved..=limit).contains(saved)).unwrap_or(limit);
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
                resources.store = resources.store.map(Store::within);
                let plan = through_middle::<K>(instance, middle, before, after, resources)
                    .map_err(|halt| (halt, proved))?;
                return Ok(plan.map_or(Found::Limit { lower: proved }, Found::Plan));
            }
            Ok(None) => {
                let Some(next) = search.next_length(limit, gap) else {
                    return Ok(Found::Exhausted);
                };
                proved = next;
                if let Some(store) = resources.store {
                    let raised = resources.team.agreed_in_files(store.raise(proved));
                    raised.map_err(|it| (it.halt(resources.watch), proved))?;
                }
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
    match meet::<K>(instance, length, None, Tables::of(instance, &[], length), resources)
        .map_err(|(halt, _)| halt)?
    {
        Found::Plan(plan) => Ok(Some(plan)),
        Found::Exhausted | Found::NoneShorter | Found::Limit { .. } => Ok(None),
    }
}
