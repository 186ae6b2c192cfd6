//! One connected part of a puzzle under solution: what is known about it, and the engines that add to it.
//!
//! Every engine begins with the lower bound and the best plan that the others have found, and may
//! raise the one or shorten the other; where they meet, the part is solved.
//!
//! Invariant: `lower` is a true lower bound, and `best`, if any, is longer.
//! Cost: that of the engines.

use super::astar::{Found, astar};
use super::beam::Beam;
use super::bound::INFINITE;
use super::exact::{Context, PartOutcome, cost};
use super::instance::{Instance, Step};
use super::joint::{Announcement, Joint, failure_to_open};
use super::key::Key;
use super::meet::{Resources, meet, through_middle};
use super::moves::{MoveGenerator, Tables};
use super::palindrome::palindrome;
use super::ranked::Space;
use super::scratch::Store;
use super::shared::generators;
use super::symmetry::{Exchange, Symmetries};
use super::team::Team;
use crate::run::watch::Halt;

/// What proofs call the search from both ends …
const BOTH_ENDS: &str = "breadth first from both ends";
/// … and that by numbers.
const NUMBERS: &str = "all placements from both ends";
/// What proofs call the tables of single knights …
const PATTERNS: &str = "tables of what single knights need in groups";
/// … and those of the others.
const CONFLICTS: &str = "tables of what knights lose to each other";
/// What proofs call a beam that kept everything.
const PLATEAU: &str = "all plans as short as the bound";
/// A search from both ends that takes so many positions is not put off any longer.
const DECIDABLE: f64 = 3e7;
/// The widest beam that is tried before a search from both ends that will decide.
const WORTH_A_TRY: usize = 3 << 13;
/// Beams from this width on use all threads.
const WIDE: usize = 1 << 12;

/// What is known about a part.
pub(super) struct PartSolver<'a, K> {
    instance: &'a Instance,
    /// What every plan costs at least.
    pub(super) lower: u16,
    best: Option<Vec<Step>>,
    /// One for each thread of the last beam; the first has the rows.
    generators: Vec<MoveGenerator<K>>,
    symmetries: Symmetries<K>,
    /// Bytes for the layers of a beam, and the widest that may fit them.
    beam_memory: usize,
    widest_beam: usize,
    /// Is a search from both ends known to decide, after not too many positions?
    is_decidable: bool,
}

/// An engine and its limit.
pub(super) enum Trial {
    /// Better bounds from here on.
    Tables,
    /// At most this many positions kept.
    AStar(usize),
    /// A width, and by how much a plan may exceed the bound; with 0 it stays on the plateau.
    Beam(usize, u16),
    /// At most this many positions expanded.
    Meet(u64),
    /// At most this many placements.
    Ranked(u64),
    /// At most this many positions visited.
    Palindromes(usize),
}

/// `None` when the engine could not decide within its limit.
type Attempt = Result<Option<PartOutcome>, Halt>;

impl<'a, K: Key> PartSolver<'a, K> {
    pub(super) fn new(instance: &'a Instance, context: &mut Context) -> Self {
        let mut generator = MoveGenerator::<K>::new(instance, context.memory() / 8)
            .expect("the key was chosen for the instance");
        let symmetries = Symmetries::of(instance, &generator.layout);
        let lower = generator.value(generator.start());
        context.symmetries = context.symmetries.max(symmetries.order() as u64);
        Self {
            instance,
            lower,
            best: None,
            generators: vec![generator],
            symmetries,
            beam_memory: context.memory() / 2,
            widest_beam: usize::MAX,
            is_decidable: false,
        }
    }

    /// Runs an engine.
    pub(super) fn run(&mut self, trial: &Trial, context: &mut Context) -> Attempt {
        match *trial {
            Trial::Tables => Ok(self.tables(context)),
            Trial::AStar(most) => self.astar(most, context),
            Trial::Beam(width, slack) => self.beam(width, slack, context),
            Trial::Meet(most) => self.meet(most, context),
            Trial::Ranked(most) => self.ranked(most, context),
            Trial::Palindromes(most) => self.palindromes(most, context),
        }
    }

    /// What is known when a run stops.
    pub(super) fn stopped(self, why: Halt) -> PartOutcome {
        PartOutcome::Stopped { why, best: self.best, lower: self.lower }
    }

    /// The cost of the best plan so far.
    fn best_cost(&self) -> Option<u64> {
        self.best.as_ref().map(|plan| cost(self.instance, plan))
    }

    /// Keeps a plan if it is better; one that meets the bound solves the part.
    fn offer(&mut self, plan: Vec<Step>, context: &Context) -> Option<PartOutcome> {
        let length = cost(self.instance, &plan);
        if length <= u64::from(self.lower) {
            return Some(PartOutcome::Solved(plan));
        }
        if self.best_cost().is_none_or(|best| length < best) {
            self.best = Some(plan);
            context.report(self.lower, self.best_cost());
        }
        None
    }

    /// Raises the bound to what the search with this name has proved.
    fn raise(&mut self, lower: u16, search: &'static str, context: &mut Context) {
        if lower > self.lower {
            self.lower = lower;
            self.rests_on(search, context);
            context.report(lower, self.best_cost());
        }
    }

    /// Records that the proof rests on this search, with the bounds that it used.
    fn rests_on(&self, search: &'static str, context: &mut Context) {
        let tables = &self.generators[0].tables;
        if tables.patterns.is_some() {
            context.rests_on(PATTERNS);
        }
        if tables.conflicts.is_some() {
            context.rests_on(CONFLICTS);
        }
        context.rests_on(search);
    }

    /// Draws the conclusion from the result of the search with this name.
    fn conclude(
        &mut self,
        found: Result<Found, (Halt, u16)>,
        search: &'static str,
        context: &mut Context,
    ) -> Attempt {
        match found {
            Ok(Found::Plan(plan)) => {
                if cost(self.instance, &plan) > u64::from(self.lower) {
                    self.rests_on(search, context);
                }
                Ok(Some(PartOutcome::Solved(plan)))
            }
            Ok(Found::Exhausted) => Ok(Some(PartOutcome::Exhausted)),
            Ok(Found::NoneShorter) => {
                self.rests_on(search, context);
                Ok(self.best.take().map(PartOutcome::Solved))
            }
            Ok(Found::Limit { lower }) => {
                self.raise(lower, search, context);
                Ok(None)
            }
            Err((halt, lower)) => {
                self.raise(lower, search, context);
                Err(halt)
            }
        }
    }

    /// After a stop: any plan at all, by a narrow beam, if there is none.
    pub(super) fn find_any_plan(&mut self, context: &mut Context) {
        if self.best.is_some() {
            return;
        }
        let watch = context.grace();
        let mut beam = Beam {
            symmetries: &self.symmetries,
            watch: &watch,
            workers: &mut self.generators[..1],
            nodes: 0,
            room: self.beam_memory,
            complete: false,
        };
        // Even a plan that meets the bound is only kept: the run was stopped.
        self.best = beam.search(16, generous(self.lower)).ok().flatten();
        context.nodes += beam.nodes;
    }

    /// Better bounds, from tables.
    fn tables(&mut self, context: &mut Context) -> Option<PartOutcome> {
        let path = self.best.as_ref().map_or(Vec::new(), |plan| self.instance.path(plan));
        let enough = self.best_cost().and_then(|best| u16::try_from(best).ok());
        let tables = Tables::of(self.instance, &path, enough.unwrap_or(INFINITE));
        self.generators = vec![self.generators.swap_remove(0).with_tables(tables)];
        let generator = &mut self.generators[0];
        let value = generator.value(generator.start());
        if value == INFINITE {
            return Some(PartOutcome::Exhausted);
        }
        let is_of_squares = generator.tables.conflicts.is_some();
        self.raise(value, if is_of_squares { CONFLICTS } else { PATTERNS }, context);
        self.solved_by_best()
    }

    fn astar(&mut self, most: usize, context: &mut Context) -> Attempt {
        let mut ticker = context.watch.ticker();
        let generator = &mut self.generators[0];
        let found = astar(generator, &self.symmetries, most, &mut context.nodes, &mut ticker);
        self.conclude(found, "A*", context)
    }

    fn beam(&mut self, width: usize, slack: u16, context: &mut Context) -> Attempt {
        // Only a plan on the plateau can be better than one that is next to it.
        let next = u64::from(self.lower + self.gap());
        let is_useless = slack > 0 && self.best_cost().is_some_and(|best| best <= next);
        if width > self.widest_beam || is_useless || (self.is_decidable && width > WORTH_A_TRY) {
            return Ok(None);
        }
        let threads = if width < WIDE { 1 } else { context.watch.threads() };
        self.generators = generators(self.generators.swap_remove(0), threads);
        let mut beam = Beam {
            symmetries: &self.symmetries,
            watch: context.watch,
            workers: &mut self.generators,
            nodes: 0,
            room: self.beam_memory,
            complete: false,
        };
        let plan = beam.search(width, slack);
        let Beam { nodes, room, complete, .. } = beam;
        context.nodes += nodes;
        if room == 0 {
            self.widest_beam = width - 1;
        }
        let Some(plan) = plan? else {
            // That a complete beam misses nothing has been shown for single moves without turns only.
            let decides = complete && !self.instance.runs && self.instance.white_begins.is_none();
            return Ok(if decides { self.leave_plateau(context) } else { None });
        };
        Ok(self.offer(plan, context))
    }

    /// No plan is as short as the bound of the start: the next length is the least.
    fn leave_plateau(&mut self, context: &mut Context) -> Option<PartOutcome> {
        let generator = &mut self.generators[0];
        let first = generator.value(generator.start());
        self.raise(first + self.gap(), PLATEAU, context);
        self.solved_by_best()
    }

    /// The best plan, if it meets the bound.
    fn solved_by_best(&mut self) -> Option<PartOutcome> {
        let is_met = self.best_cost().is_some_and(|best| best <= u64::from(self.lower));
        if is_met { self.best.take().map(PartOutcome::Solved) } else { None }
    }

    /// The difference between the lengths that plans can have.
    fn gap(&self) -> u16 {
        let is_even =
            self.instance.is_goal_complete() && self.generators[0].layers_are_independent();
        if is_even { 2 } else { 1 }
    }

    /// Plans that are their own image, shorter than the best so far, the shortest first.
    fn palindromes(&mut self, most: usize, context: &mut Context) -> Attempt {
        if self.instance.runs || !self.symmetries.exchanges() || self.is_decidable {
            return Ok(None);
        }
        let exchanges = Exchange::all(self.instance, &self.generators[0].layout);
        let best = self.best_cost().unwrap_or(u64::MAX);
        let mut left = most.min(context.memory() / (size_of::<K>() * 8));
        for length in
            (self.lower..).step_by(usize::from(self.gap())).take_while(|&l| u64::from(l) < best)
        {
            for exchange in &exchanges {
                let before = left;
                let mut ticker = context.watch.ticker();
                let generator = &mut self.generators[0];
                let plan = palindrome(generator, exchange, length, &mut left, &mut ticker)?;
                context.nodes += (before - left) as u64;
                if let Some(plan) = plan {
                    return Ok(self.offer(plan, context));
                }
            }
            if left == 0 {
                break;
            }
        }
        Ok(None)
    }

    fn meet(&mut self, most: u64, context: &mut Context) -> Attempt {
        let best = self.best_cost();
        let upper = best.and_then(|best| u16::try_from(best).ok());
        let most = if self.is_decidable { u64::MAX } else { most };
        // It has tables of its own.
        self.generators.truncate(1);
        let tables = self.generators[0].tables.clone();
        let (instance, lower) = (self.instance, self.lower);
        let (memory, watch) = (context.memory(), context.watch);
        let mut peers = context.peers.take();
        // Only a search that must decide goes on in files.
        let scratch = context.scratch.clone().filter(|_| most == u64::MAX);
        let store = scratch.as_deref().map(|scratch| Store::new(scratch, context.part));
        let report = context.reporter(best);
        let search = |team| {
            let on_raise: Option<&(dyn Fn(u16) + Sync)> = Some(&report);
            let mut resources =
                Resources { on_raise, most, team, store, ..Resources::new(watch, memory) };
            let found = meet::<K>(instance, lower, upper, tables.clone(), &mut resources);
            let Resources { nodes, peak, disk, estimate, .. } = resources;
            (found, nodes, peak, disk, estimate)
        };
        let (found, nodes, peak, disk, estimate) = match &mut peers {
            // A search without an end is for all processes.
            Some(peers) if most == u64::MAX => {
                let (part, tables, files) = (context.part, tables.is_some(), store.is_some());
                Announcement::Search(Joint { part, lower, upper, tables, files }).send(*peers);
                match files.then(|| failure_to_open(*peers, None)).flatten() {
                    None => search(Team::of(*peers)),
                    Some(failure) => {
                        watch.note(failure);
                        (Ok(Found::Limit { lower }), 0, 0, 0, None)
                    }
                }
            }
            _ => search(Team::default()),
        };
        self.is_decidable = estimate.is_some_and(|positions| positions < DECIDABLE);
        context.peers = peers;
        context.nodes += nodes;
        context.peak = context.peak.max(peak as u64);
        context.disk = context.disk.max(disk);
        context.mirrored |= self.symmetries.exchanges();
        self.conclude(found, BOTH_ENDS, context)
    }

    /// From both ends over all placements, if there are at most `most` and they fit the memory.
    fn ranked(&mut self, most: u64, context: &mut Context) -> Attempt {
        if !self.instance.is_goal_complete() {
            return Ok(None);
        }
        let Some(space) = Space::new(self.instance) else { return Ok(None) };
        if space.len() > most || space.bytes() * 2 > context.memory() as u64 {
            return Ok(None);
        }
        context.peak = context.peak.max(space.bytes() * 2);
        let generator = &mut self.generators[0];
        let first = generator.value(generator.start());
        let has_parity = generator.layers_are_independent();
        let mut forward = space.from(&self.instance.start);
        let mut backward = space.from(&self.instance.goal);
        let middle = loop {
            // Before the depths add up to the bound, the layers cannot meet.
            if forward.depth + backward.depth >= self.lower
                && let Some(middle) = space.common(&forward, &backward)
            {
                break middle;
            }
            let proved = forward.depth + backward.depth + 1;
            let is_odd = has_parity && (proved ^ first) & 1 == 1;
            self.raise(proved + u16::from(is_odd), NUMBERS, context);
            if self.best_cost().is_some_and(|best| best <= u64::from(self.lower)) {
                context.nodes += forward.total + backward.total;
                return Ok(self.best.take().map(PartOutcome::Solved));
            }
            let smaller =
                if forward.newest <= backward.newest { &mut forward } else { &mut backward };
            let advanced = space.advance(smaller, context.watch);
            let is_exhausted = smaller.newest == 0;
            if advanced.is_err() || is_exhausted {
                context.nodes += forward.total + backward.total;
                advanced?;
                return Ok(Some(PartOutcome::Exhausted));
            }
        };
        context.nodes += forward.total + backward.total;
        let (before, after) = (forward.depth, backward.depth);
        drop((forward, backward));
        let mut resources = Resources::new(context.watch, context.memory());
        let plan = through_middle::<K>(self.instance, middle, before, after, &mut resources)?;
        let Some(plan) = plan else { return Ok(None) };
        context.nodes += resources.nodes;
        self.conclude(Ok(Found::Plan(plan)), NUMBERS, context)
    }
}

/// By how many moves a first plan may exceed the bound.
pub(super) const fn generous(lower: u16) -> u16 {
    lower.saturating_mul(2).saturating_add(64)
}
