//! How many shortest plans there are, and the first of them.
//!
//! A walk as long as a shortest plan that ends at a goal is itself a shortest plan, so walks are
//! counted layer by layer, those that the bound shows to be too long being dropped. To list plans,
//! the layers are kept, and positions that lead nowhere are struck out from the end.
//!
//! Invariant: a layer's number is the count of walks of that length from the start.
//! Cost: all positions on plans within the bound; two layers for a count, all of them for a list.
//! After: counting shortest paths by breadth-first search (Dijkstra's and Moore's, folklore).

use destrier_rules::{Metric, Problem, SwapPlan, SwapProblem};

use super::arena::Step;
use super::bound::HOPELESS;
use super::key::{Key, with_key};
use super::portfolio::Auto;
use super::question::Question;
use super::steps::{Child, Steps, Way};
use super::table::Index;
use crate::outcome::{Outcome, Run, SolveError, Stop};
use crate::run::watch::{Halt, Watch};

/// The shortest plans of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestPlans {
    /// Moves, or runs, of each.
    pub cost: u64,
    /// How many there are. Runs are told apart by the knight and where it ends, not by its way.
    pub count: u128,
    /// The first of them.
    pub listed: Vec<SwapPlan>,
}

/// Counts the shortest plans and lists the first `limit` of them.
///
/// # Errors
/// When the question cannot be taken on, or there are more than 2¹²⁸ plans.
pub fn shortest_plans(
    problem: &SwapProblem,
    limit: usize,
    watch: &Watch,
) -> Result<Run<ShortestPlans>, SolveError> {
    problem.validate()?;
    let run = Auto.solve(problem, watch)?;
    let nodes = run.effort.nodes;
    let cost = match run.outcome {
        Outcome::Solved(plan) => problem.cost(&plan),
        Outcome::Impossible(obstacle) => return Ok(Run::new(Outcome::Impossible(obstacle), nodes)),
        Outcome::Unfinished { why, .. } => {
            return Ok(Run::new(Outcome::Unfinished { why, best: None }, nodes));
        }
    };
    let question = Question::new(problem, "auto")?;
    // No plan comes near 65,536 moves: the searches that find them count in sixteen bits.
    let mut search = Search { question: &question, limit, watch, nodes };
    let length = u16::try_from(cost).unwrap_or(u16::MAX);
    let counted = with_key!(&question.arena, K => search.count::<K>(length));
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

struct Search<'a> {
    question: &'a Question,
    limit: usize,
    watch: &'a Watch,
    nodes: u64,
}

/// The positions of a layer, each with its number of walks.
struct Layer<K> {
    place: Index<K>,
    keys: Vec<K>,
    walks: Vec<u128>,
}

impl<K: Key> Layer<K> {
    fn new() -> Self {
        Self { place: Index::new(), keys: Vec::new(), walks: Vec::new() }
    }

    fn add(&mut self, key: K, walks: u128) -> Result<(), Stop> {
        let fresh = u32::try_from(self.keys.len()).map_err(|_| Stop::Halt(Halt::Memory))?;
        let (place, new) = self.place.entry(key, fresh);
        if new {
            self.keys.push(key);
            self.walks.push(walks);
        } else {
            let sum = &mut self.walks[*place as usize];
            *sum = sum.checked_add(walks).ok_or(Stop::Overflow)?;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        (self.place.bytes() + self.keys.len() * (size_of::<K>() + 16)) as u64
    }
}

impl Search<'_> {
    fn count<K: Key>(&mut self, length: u16) -> Result<(u128, Vec<SwapPlan>), Stop> {
        let arena = &self.question.arena;
        let memory = self.watch.memory().unwrap_or(super::MEMORY);
        let bytes = usize::try_from(memory / 8).unwrap_or(usize::MAX);
        let mut steps = Steps::<K>::new(arena, bytes).expect("the key was chosen for the arena");
        let mut ticker = self.watch.ticker();
        let mut children: Vec<Child<K>> = Vec::new();
        let mut first = Layer::new();
        first.add(steps.start(), 1)?;
        let mut layers = vec![first];
        let mut taken = 0;
        for made in 1..=length {
            let mut next = Layer::new();
            let layer = &layers[layers.len() - 1];
            for (&key, &walks) in layer.keys.iter().zip(&layer.walks) {
                steps.tick(&mut ticker)?;
                self.nodes += 1;
                steps.expand(key, Way::Onward, &mut children);
                for child in &children {
                    if child.value != HOPELESS && made + child.value <= length {
                        next.add(child.key, walks)?;
                    }
                }
            }
            if self.limit == 0 {
                layers.clear();
            } else {
                taken += layer.bytes();
            }
            if taken + next.bytes() > memory {
                return Err(Stop::Halt(Halt::Memory));
            }
            layers.push(next);
        }
        let last = &layers[layers.len() - 1];
        let mut count = 0u128;
        for (&key, &walks) in last.keys.iter().zip(&last.walks) {
            debug_assert_eq!(steps.value(key), 0);
            count = count.checked_add(walks).ok_or(Stop::Overflow)?;
        }
        let listed = if self.limit == 0 {
            Vec::new()
        } else {
            Self::strike_out(&mut steps, &mut layers, &mut ticker)?;
            self.list(&mut steps, &layers)
        };
        Ok((count, listed))
    }

    /// Give zero walks to positions that lead to no goal.
    fn strike_out<K: Key>(
        steps: &mut Steps<K>,
        layers: &mut [Layer<K>],
        ticker: &mut crate::run::watch::Ticker,
    ) -> Result<(), Halt> {
        let mut children = Vec::new();
        for at in (0..layers.len().saturating_sub(1)).rev() {
            for i in 0..layers[at].keys.len() {
                steps.tick(ticker)?;
                steps.expand(layers[at].keys[i], Way::Onward, &mut children);
                let goes_on = children.iter().any(|child| layers[at + 1].walks_on(child.key));
                if !goes_on {
                    layers[at].walks[i] = 0;
                }
            }
        }
        Ok(())
    }

    /// The first plans, depth first with an own stack.
    fn list<K: Key>(&self, steps: &mut Steps<K>, layers: &[Layer<K>]) -> Vec<SwapPlan> {
        let mut plans = Vec::new();
        let mut open: Vec<(usize, K, Vec<Step>)> = vec![(0, steps.start(), Vec::new())];
        let mut children = Vec::new();
        while let Some((depth, key, jumps)) = open.pop() {
            if depth + 1 == layers.len() {
                plans.push(self.question.plan(&self.question.arena, &jumps));
                if plans.len() == self.limit {
                    break;
                }
                continue;
            }
            steps.expand(key, Way::Onward, &mut children);
            for child in children.iter().rev() {
                if layers[depth + 1].walks_on(child.key) {
                    let mut longer = jumps.clone();
                    longer.extend(steps.jumps(key, child.from, child.to));
                    open.push((depth + 1, child.key, longer));
                }
            }
        }
        plans
    }
}

impl<K: Key> Layer<K> {
    /// Does a walk through this position of the layer reach a goal?
    fn walks_on(&self, key: K) -> bool {
        self.place.get(key).is_some_and(|place| self.walks[place as usize] > 0)
    }
}
