//! The exact methods by name, and `auto`, which tries them in turn.
//!
//! Most puzzles fall to a short A*. Else a narrow beam gives a plan, often a shortest one, and what is
//! left is to prove that none is shorter: the bound may say so, or a search of all placements by
//! number where they are few, or a search from both ends under the limit that the plan sets. On
//! boards with too many positions for any of these, wider beams look for a plan that meets the bound.
//!
//! Invariant: an engine ends with a plan only if no shorter one exists.
//! Cost: see `docs/swap.md`, with the time of each on the project's instances.
//! After: the project's notes, section 6.

use destrier_rules::{SwapPlan, SwapProblem};

use super::arena::{Arena, Step};
use super::astar::{Found, astar};
use super::beam::Beam;
use super::bound::HOPELESS;
use super::exact::{self, Engine, Ledger, Settled, cost};
use super::key::Key;
use super::meet::{Means, exactly, meet};
use super::mirror::{Exchange, Mirrors};
use super::palindrome::palindrome;
use super::ranked::Space;
use super::steps::Steps;
use crate::outcome::{Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// The portfolio.
#[derive(Debug)]
pub struct Auto;

/// A* with the assignment bound.
#[derive(Debug)]
pub struct AStar;

/// Breadth first from both ends under a rising bound.
#[derive(Debug)]
pub struct Meet;

/// All placements by number, two bits each, from both ends.
#[derive(Debug)]
pub struct Ranked;

/// What proofs call the search from both ends …
const BOTH_ENDS: &str = "breadth first from both ends";
/// … and that by numbers.
const NUMBERS: &str = "all placements from both ends";
/// `auto` numbers all placements where there are at most this many.
const FEW: u64 = 1 << 28;
/// Beyond this many placements a search from both ends is the last resort.
const MANY: f64 = 1e12;
/// Positions looked at from both ends before a shorter plan is sought first.
const FAIR: u64 = 3 << 19;
/// Positions looked at for a plan that is its own image.
const PATIENCE: usize = 1 << 22;
/// Beams from this width on use all threads.
const WIDE: usize = 1 << 12;

impl Auto {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        exact::solve(self, "auto", problem, watch)
    }
}

impl AStar {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        exact::solve(self, "astar", problem, watch)
    }
}

impl Meet {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        if problem.rules.alternate.is_some() {
            let why =
                "where sides take turns, moves cannot be taken back; use auto or astar".to_owned();
            return Err(SolveError::Unsuited { method: "meet", why });
        }
        exact::solve(self, "meet", problem, watch)
    }
}

impl Ranked {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        let unsuited = |why: &str| SolveError::Unsuited { method: "ranked", why: why.to_owned() };
        if !problem.goal.any.is_empty() {
            return Err(unsuited(
                "the goal leaves squares open, and it needs one goal to start from",
            ));
        }
        if problem.rules.alternate.is_some()
            || problem.rules.metric != destrier_rules::Metric::Moves
        {
            return Err(unsuited("it counts single moves without turns"));
        }
        if problem.board.len() > 32 {
            let why = format!("the board has {} squares, and 32 is the most", problem.board.len());
            return Err(unsuited(&why));
        }
        exact::solve(self, "ranked", problem, watch)
    }
}

impl Engine for AStar {
    fn settle<K: Key>(&self, arena: &Arena, ledger: &mut Ledger) -> Settled {
        let mut bench = Bench::<K>::new(arena, ledger);
        let room = ledger.memory() / (size_of::<K>() * 12);
        match bench.astar(room, ledger) {
            Ok(Some(settled)) => settled,
            Ok(None) => bench.stop(Halt::Memory),
            Err(halt) => bench.stop(halt),
        }
    }
}

impl Engine for Meet {
    fn settle<K: Key>(&self, arena: &Arena, ledger: &mut Ledger) -> Settled {
        let mut bench = Bench::<K>::new(arena, ledger);
        match bench.meet(u64::MAX, ledger) {
            Ok(Some(settled)) => settled,
            Ok(None) => bench.stop(Halt::Memory),
            Err(halt) => bench.stop(halt),
        }
    }
}

impl Engine for Ranked {
    fn settle<K: Key>(&self, arena: &Arena, ledger: &mut Ledger) -> Settled {
        let mut bench = Bench::<K>::new(arena, ledger);
        match bench.ranked(u64::MAX, ledger) {
            Ok(Some(settled)) => settled,
            Ok(None) => bench.stop(Halt::Memory),
            Err(halt) => bench.stop(halt),
        }
    }
}

impl Engine for Auto {
    fn settle<K: Key>(&self, arena: &Arena, ledger: &mut Ledger) -> Settled {
        let mut bench = Bench::<K>::new(arena, ledger);
        match bench.in_turn(ledger) {
            Ok(Some(settled)) => settled,
            Ok(None) => bench.stop(Halt::Memory),
            Err(halt) => {
                bench.find_something(ledger);
                bench.stop(halt)
            }
        }
    }
}

/// One part on the bench: what is known of it so far.
struct Bench<'a, K> {
    arena: &'a Arena,
    /// One for each thread that has been needed.
    steps: Vec<Steps<K>>,
    mirrors: Mirrors<K>,
    lower: u16,
    best: Option<Vec<Step>>,
    /// Bytes for the layers of a beam, and the widest that may fit them.
    room: usize,
    widest: usize,
}

/// `None` when the engine could not decide within its means.
type Tried = Result<Option<Settled>, Halt>;

impl<'a, K: Key> Bench<'a, K> {
    fn new(arena: &'a Arena, ledger: &mut Ledger) -> Self {
        let mut steps =
            Steps::<K>::new(arena, ledger.memory() / 8).expect("the key was chosen for the arena");
        let mirrors = Mirrors::of(arena, &steps.layout);
        let first = steps.value(steps.start());
        ledger.symmetries = ledger.symmetries.max(mirrors.order() as u64);
        let (room, widest) = (ledger.memory() / 2, usize::MAX);
        Self { arena, steps: vec![steps], mirrors, lower: first, best: None, room, widest }
    }

    fn stop(self, why: Halt) -> Settled {
        Settled::Stopped { why, best: self.best, lower: self.lower }
    }

    /// What the best plan so far costs.
    fn best_cost(&self) -> Option<u64> {
        self.best.as_ref().map(|plan| cost(self.arena, plan))
    }

    /// A better plan, and whether it meets the bound.
    fn offer(&mut self, plan: Vec<Step>, ledger: &Ledger) -> Option<Settled> {
        let length = cost(self.arena, &plan);
        if length <= u64::from(self.lower) {
            return Some(Settled::Plan(plan));
        }
        if self.best_cost().is_none_or(|best| length < best) {
            self.best = Some(plan);
            ledger.tell(self.lower, self.best_cost());
        }
        None
    }

    /// A higher bound, by the search with this name.
    fn raise(&mut self, lower: u16, proving: &'static str, ledger: &mut Ledger) {
        if lower > self.lower {
            self.lower = lower;
            ledger.rests_on(proving);
            ledger.tell(lower, self.best_cost());
        }
    }

    /// After a stop: any plan at all, by a narrow beam, if there is none.
    fn find_something(&mut self, ledger: &mut Ledger) {
        if self.best.is_some() || self.lower == HOPELESS {
            return;
        }
        let watch = ledger.grace();
        let workers = &mut self.steps[..1];
        let room = self.room;
        let mut beam = Beam { mirrors: &self.mirrors, watch: &watch, workers, nodes: 0, room };
        // A plan that meets the bound would have been proved: here it is only kept.
        self.best = beam.search(16, generous(self.lower)).ok().flatten();
        ledger.nodes += beam.nodes;
    }

    /// What a search said. `proving` is the search's name.
    fn hear(
        &mut self,
        found: Found,
        proving: &'static str,
        ledger: &mut Ledger,
    ) -> Option<Settled> {
        match found {
            Found::Plan(plan) => {
                if cost(self.arena, &plan) > u64::from(self.lower) {
                    ledger.rests_on(proving);
                }
                Some(Settled::Plan(plan))
            }
            Found::Nothing => Some(Settled::Nothing),
            Found::NoneBelow => {
                ledger.rests_on(proving);
                self.best.take().map(Settled::Plan)
            }
            Found::Full { lower } => {
                self.raise(lower, proving, ledger);
                None
            }
        }
    }

    fn astar(&mut self, most: usize, ledger: &mut Ledger) -> Tried {
        let mut ticker = ledger.watch.ticker();
        let found = astar(&mut self.steps[0], &self.mirrors, most, &mut ledger.nodes, &mut ticker);
        let found = found.map_err(|(halt, lower)| {
            self.raise(lower, "A*", ledger);
            halt
        })?;
        Ok(self.hear(found, "A*", ledger))
    }

    fn beam(&mut self, width: usize, slack: u16, ledger: &mut Ledger) -> Tried {
        if width > self.widest {
            return Ok(None);
        }
        let threads = if width < WIDE { 1 } else { ledger.watch.threads() };
        while self.steps.len() < threads {
            let bytes = ledger.memory() / 4 / threads;
            let more = Steps::<K>::new(self.arena, bytes).expect("as large as the first");
            self.steps.push(more);
        }
        let (workers, room) = (&mut self.steps[..threads], self.room);
        let watch = ledger.watch;
        let mut beam = Beam { mirrors: &self.mirrors, watch, workers, nodes: 0, room };
        let plan = beam.search(width, slack);
        ledger.nodes += beam.nodes;
        if beam.room == 0 {
            self.widest = width - 1;
        }
        Ok(plan?.and_then(|plan| self.offer(plan, ledger)))
    }

    /// Plans that are their own image, shorter than the best so far, the shortest first.
    fn palindromes(&mut self, most: usize, ledger: &mut Ledger) -> Tried {
        if self.arena.runs || !self.mirrors.exchanges() {
            return Ok(None);
        }
        let exchanges = Exchange::all(self.arena, &self.steps[0].layout);
        let best = self.best_cost().unwrap_or(u64::MAX);
        let stride = if self.steps[0].layers_are_independent() { 2 } else { 1 };
        let mut left = most.min(ledger.memory() / (size_of::<K>() * 8));
        for length in (self.lower..).step_by(stride).take_while(|&l| u64::from(l) < best) {
            for exchange in &exchanges {
                let before = left;
                let mut ticker = ledger.watch.ticker();
                let steps = &mut self.steps[0];
                let plan = palindrome(steps, exchange, length, &mut left, &mut ticker)?;
                ledger.nodes += (before - left) as u64;
                if let Some(plan) = plan {
                    return Ok(self.offer(plan, ledger));
                }
            }
            if left == 0 {
                break;
            }
        }
        Ok(None)
    }

    fn meet(&mut self, most: u64, ledger: &mut Ledger) -> Tried {
        let upper = self.best_cost().and_then(|best| u16::try_from(best).ok());
        // It has tables of its own.
        self.steps.truncate(1);
        let mut means = Means::new(ledger.watch, ledger.memory());
        means.most = most;
        let best = self.best_cost();
        let tell = |lower: u16| ledger.tell(lower, best);
        means.raised = Some(&tell);
        let found = meet::<K>(self.arena, self.lower, upper, &mut means);
        let Means { nodes, peak, .. } = means;
        ledger.nodes += nodes;
        ledger.peak = ledger.peak.max(peak as u64);
        ledger.mirrored |= self.mirrors.exchanges();
        let found = found.map_err(|(halt, lower)| {
            self.raise(lower, BOTH_ENDS, ledger);
            halt
        })?;
        Ok(self.hear(found, BOTH_ENDS, ledger))
    }

    /// From both ends over all placements, if there are at most `most` and they fit the memory.
    fn ranked(&mut self, most: u64, ledger: &mut Ledger) -> Tried {
        if !self.arena.is_goal_complete() {
            return Ok(None);
        }
        let Some(space) = Space::new(self.arena) else { return Ok(None) };
        if space.len() > most || space.bytes() * 2 > ledger.memory() as u64 {
            return Ok(None);
        }
        ledger.peak = ledger.peak.max(space.bytes() * 2);
        let threads = ledger.watch.threads();
        let start = self.steps[0].start();
        let first = self.steps[0].value(start);
        let mut onward = space.from(&self.arena.start);
        let mut back = space.from(&self.arena.goal);
        let middle = loop {
            // Before the depths add up to what is proved needed, nothing can meet.
            if onward.depth + back.depth >= self.lower
                && let Some(middle) = space.common(&onward, &back)
            {
                break middle;
            }
            let proved = onward.depth + back.depth + 1;
            let odd = self.steps[0].layers_are_independent() && (proved ^ first) & 1 == 1;
            self.raise(proved + u16::from(odd), NUMBERS, ledger);
            if self.best_cost().is_some_and(|best| best <= u64::from(self.lower)) {
                ledger.nodes += onward.total + back.total;
                return Ok(self.best.take().map(Settled::Plan));
            }
            let front = if onward.newest <= back.newest { &mut onward } else { &mut back };
            let advanced = space.advance(front, threads, ledger.watch);
            let ran_dry = front.newest == 0;
            if advanced.is_err() || ran_dry {
                ledger.nodes += onward.total + back.total;
                advanced?;
                return Ok(Some(Settled::Nothing));
            }
        };
        ledger.nodes += onward.total + back.total;
        let (before, after) = (onward.depth, back.depth);
        drop((onward, back));
        let mut means = Means::new(ledger.watch, ledger.memory());
        let first = self.arena.between(self.arena.start.clone(), middle.clone());
        let second = self.arena.between(middle, self.arena.goal.clone());
        let mut plan = Vec::new();
        for (half, length) in [(first, before), (second, after)] {
            let Some(steps) = exactly::<K>(&half, length, &mut means)? else { return Ok(None) };
            plan.extend(steps);
        }
        ledger.nodes += means.nodes;
        Ok(self.hear(Found::Plan(plan), NUMBERS, ledger))
    }

    fn in_turn(&mut self, ledger: &mut Ledger) -> Tried {
        if self.lower == HOPELESS {
            return Ok(Some(Settled::Nothing));
        }
        let generous = generous(self.lower);
        ledger.tell(self.lower, None);
        let many = placements(self.arena) > MANY;
        if many {
            // Positions are costly here: what is not easy gets a first plan before anything else.
            let tried = self.astar(1 << 12, ledger)?;
            if tried.is_some() {
                return Ok(tried);
            }
            let tried = self.beam(8, generous, ledger)?;
            if tried.is_some() {
                return Ok(tried);
            }
        }
        let tried = self.astar(1 << 15, ledger)?;
        if tried.is_some() {
            return Ok(tried);
        }
        for (width, slack) in [(64, generous), (256, 0)] {
            let tried = self.beam(width, slack, ledger)?;
            if tried.is_some() {
                return Ok(tried);
            }
        }
        if self.arena.white_begins.is_some() {
            return self.astar(ledger.memory() / (size_of::<K>() * 12), ledger);
        }
        if self.arena.colours <= 2 {
            // A short try from both ends, then all placements where they are few.
            let empty = self.arena.count(0) as u64;
            let tried = self.meet(48_000 * empty.min(4), ledger)?;
            if tried.is_some() {
                return Ok(tried);
            }
            let tried = self.ranked(FEW, ledger)?;
            if tried.is_some() {
                return Ok(tried);
            }
        }
        // A plan that is a move or two shorter saves the last and largest pass from both ends. Where
        // that pass is out of reach, only a plan on the plateau can be proved, so it is sought first.
        let plateau: &[usize] = if many { &[1 << 10, 3 << 13, 1 << 16, 1 << 18] } else { &[] };
        let beams = std::iter::once((1 << 9, generous))
            .chain(plateau.iter().map(|&width| (width, 0)))
            .chain([(1 << 12, generous)]);
        for (width, slack) in beams {
            let tried = self.beam(width, slack, ledger)?;
            if tried.is_some() {
                return Ok(tried);
            }
        }
        // Most of what gets here is settled by this; for the rest a shorter plan is worth its time.
        let tried = self.meet(FAIR, ledger)?;
        if tried.is_some() {
            return Ok(tried);
        }
        let tried = self.palindromes(PATIENCE, ledger)?;
        if tried.is_some() {
            return Ok(tried);
        }
        let tried = self.meet(u64::MAX, ledger)?;
        if tried.is_some() {
            return Ok(tried);
        }
        self.ranked(u64::MAX, ledger)
    }
}

/// How many moves more than the bound a first plan may have.
const fn generous(lower: u16) -> u16 {
    lower.saturating_mul(2).saturating_add(64)
}

/// How many ways there are to place the knights.
#[expect(clippy::cast_precision_loss, reason = "an estimate is enough")]
fn placements(arena: &Arena) -> f64 {
    let mut left = arena.len();
    let mut ways = 1.0;
    for code in (1u8..).take(arena.colours) {
        for i in 0..arena.count(code) {
            ways *= left as f64 / (i + 1) as f64;
            left -= 1;
        }
    }
    ways
}
