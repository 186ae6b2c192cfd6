//! How many shortest plans there are, and the first of them.
//!
//! A walk as long as a shortest plan that ends at a goal is itself a shortest plan, so walks are
//! counted layer by layer; those that the bound shows to be too long are dropped. To list plans, the
//! layers are kept, and positions that lead to no goal are pruned from the end.
//!
//! Invariant: a position's number is the count of walks of its layer's length from the start.
//! Cost: all positions on plans within the bound; two layers for a count, all of them for a list.
//! Source: counting shortest paths by breadth-first search (folklore).

use destrier_rules::{Metric, Problem, SwapPlan, SwapProblem};

use super::encoding::Encoding;
use super::instance::Step;
use super::key::{Key, with_key};
use super::moves::{AHEAD, Child, Direction, MoveGenerator, Tables};
use super::portfolio::Auto;
use super::table::Index;
use crate::outcome::{Outcome, Run, SolveError, Stop};
use crate::run::watch::{Halt, Watch};

/// The shortest plans of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShortestPlans {
    /// Moves, or runs, of each.
    pub cost: u64,
    /// How many there are. Runs differ by the knight and where it ends, not by its path.
    pub count: u128,
    /// The first of them.
    pub listed: Vec<SwapPlan>,
}

/// Counts the shortest plans and lists the first `limit` of them.
///
/// # Errors
/// When the question is not supported, or there are more than 2¹²⁸ plans.
pub(crate) fn shortest_plans(
    problem: &SwapProblem,
    limit: usize,
    watch: &Watch,
) -> Result<Run<ShortestPlans>, SolveError> {
    problem.validate()?;
    let run = Auto.solve(problem, None, watch)?;
    let nodes = run.effort.nodes;
    let cost = match run.outcome {
        Outcome::Solved(plan) => problem.cost(&plan),
        Outcome::Impossible(obstacle) => return Ok(Run::new(Outcome::Impossible(obstacle), nodes)),
        Outcome::Unfinished { why, .. } => {
            return Ok(Run::new(Outcome::Unfinished { why, best: None }, nodes));
        }
    };
    let encoding = Encoding::new(problem, "auto")?;
    // No plan has nearly 65,536 moves: the searches that find them count in sixteen bits.
    let mut search = Search { encoding: &encoding, limit, watch, nodes };
    let length = u16::try_from(cost).unwrap_or(u16::MAX);
    let counted = with_key!(&encoding.instance, K => search.count::<K>(length));
    let nodes = search.nodes;
    let unit = if problem.rules.metric == Metric::Runs { "runs" } else { "moves" };
    match counted {
        Ok((count, listed)) => {
            let plans = ShortestPlans { cost, count, listed };
            Ok(Run::new(Outcome::Solved(plans), nodes).with_detail(unit, cost))
        }
        Err(Stop::Halt(why)) => Ok(Run::new(Outcome::Unfinished { why, best: None }, nodes)),
        Err(Stop::Overflow) => {
            let why = "there are more than 2^128 shortest plans".to_owned();
            Err(SolveError::Unsuited { method: "counting", why })
        }
        Err(stop) => Err(stop.error("counting", watch)),
    }
}

/// Where the search took this many positions, a better bound is worth its time.
const HARD: u64 = 1 << 14;

struct Search<'a> {
    encoding: &'a Encoding,
    limit: usize,
    watch: &'a Watch,
    nodes: u64,
}

/// The positions of a layer, each with its number of walks.
struct Layer<K> {
    number_of: Index<K>,
    keys: Vec<K>,
    walks: Vec<u128>,
}

impl<K: Key> Layer<K> {
    fn new() -> Self {
        Self { number_of: Index::new(), keys: Vec::new(), walks: Vec::new() }
    }

    fn add(&mut self, key: K, walks: u128) -> Result<(), Stop> {
        let fresh = u32::try_from(self.keys.len()).map_err(|_| Stop::Halt(Halt::Memory))?;
        let (number, is_new) = self.number_of.entry(key, fresh);
        if is_new {
            self.keys.push(key);
            self.walks.push(walks);
        } else {
            let sum = &mut self.walks[*number as usize];
            *sum = sum.checked_add(walks).ok_or(Stop::Overflow)?;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let lists = self.keys.capacity() * size_of::<K>() + self.walks.capacity() * 16;
        (self.number_of.bytes() + lists) as u64
    }
}

impl Search<'_> {
    fn count<K: Key>(&mut self, length: u16) -> Result<(u128, Vec<SwapPlan>), Stop> {
        let instance = &self.encoding.instance;
        let memory = self.watch.memory().unwrap_or(super::MEMORY);
        let bytes = usize::try_from(memory / 8).unwrap_or(usize::MAX);
        let generator = MoveGenerator::<K>::new(instance, bytes);
        let tables =
            if self.nodes < HARD { Tables::default() } else { Tables::of(instance, &[], length) };
        let mut generator =
            generator.expect("the key was chosen for the instance").with_tables(tables);
        let mut ticker = self.watch.ticker();
        let mut children: Vec<Child<K>> = Vec::new();
        let mut first = Layer::new();
        first.add(generator.start(), 1)?;
        let mut layers = vec![first];
        // The bound takes an eighth, and what grows is there twice for a moment.
        let room = memory / 8 * 5;
        let mut kept_bytes = 0;
        for made in 1..=length {
            let mut next = Layer::new();
            let layer = &layers[layers.len() - 1];
            kept_bytes += layer.bytes();
            for (i, (&key, &walks)) in layer.keys.iter().zip(&layer.walks).enumerate() {
                generator.tick(&mut ticker)?;
                if i % AHEAD == 0 {
                    generator.prefetch(layer.keys[i..].iter().copied());
                }
                self.nodes += 1;
                generator.expand_within(key, length - made, &mut children);
                for child in &children {
                    if child.value <= length - made {
                        next.add(child.key, walks)?;
                    }
                }
                if kept_bytes + next.bytes() > room {
                    return Err(Stop::Halt(Halt::Memory));
                }
            }
            if self.limit == 0 {
                layers.clear();
                kept_bytes = 0;
            }
            layers.push(next);
        }
        let last = &layers[layers.len() - 1];
        let mut count = 0u128;
        for (&key, &walks) in last.keys.iter().zip(&last.walks) {
            debug_assert_eq!(generator.value(key), 0);
            count = count.checked_add(walks).ok_or(Stop::Overflow)?;
        }
        let listed = if self.limit == 0 {
            Vec::new()
        } else {
            Self::prune(&mut generator, &mut layers, &mut ticker)?;
            self.list(&mut generator, &layers)
        };
        Ok((count, listed))
    }

    /// Sets the walks of positions that lead to no goal to zero.
    fn prune<K: Key>(
        generator: &mut MoveGenerator<K>,
        layers: &mut [Layer<K>],
        ticker: &mut crate::run::watch::Ticker,
    ) -> Result<(), Halt> {
        let mut children = Vec::new();
        for at in (0..layers.len().saturating_sub(1)).rev() {
            for i in 0..layers[at].keys.len() {
                generator.tick(ticker)?;
                generator.expand(layers[at].keys[i], Direction::Forward, &mut children);
                let has_next = children.iter().any(|child| layers[at + 1].reaches_goal(child.key));
                if !has_next {
                    layers[at].walks[i] = 0;
                }
            }
        }
        Ok(())
    }

    /// The first plans, by depth-first search with an explicit stack.
    fn list<K: Key>(&self, generator: &mut MoveGenerator<K>, layers: &[Layer<K>]) -> Vec<SwapPlan> {
        let mut plans = Vec::new();
        let mut open: Vec<(usize, K, Vec<Step>)> = vec![(0, generator.start(), Vec::new())];
        let mut children = Vec::new();
        while let Some((depth, key, jumps)) = open.pop() {
            if depth + 1 == layers.len() {
                plans.push(self.encoding.plan(&self.encoding.instance, &jumps));
                if plans.len() == self.limit {
                    break;
                }
                continue;
            }
            generator.expand(key, Direction::Forward, &mut children);
            for child in children.iter().rev() {
                if layers[depth + 1].reaches_goal(child.key) {
                    let mut longer = jumps.clone();
                    longer.extend(generator.jumps(key, child.from, child.to));
                    open.push((depth + 1, child.key, longer));
                }
            }
        }
        plans
    }
}

impl<K: Key> Layer<K> {
    /// Does a walk through this position of the layer reach a goal?
    fn reaches_goal(&self, key: K) -> bool {
        self.number_of.get(key).is_some_and(|number| self.walks[number as usize] > 0)
    }
}
