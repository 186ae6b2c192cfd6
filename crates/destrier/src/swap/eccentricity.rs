//! The hardest position that can be reached from the start, and its distance.
//!
//! Breadth-first search until nothing new is found: by number with two bits per placement where there
//! are at most 32 vertices and single moves are counted, otherwise with all placements in a table.
//!
//! Invariant: a placement belongs to the layer in which it is first reached.
//! Cost: a quarter of a byte, or some 12 to 24 bytes, for each placement.
//! Source: Korf and Schultze 2005.

use destrier_rules::{Placement, Problem, SwapProblem};

use super::encoding::Encoding;
use super::instance::{ANY, Instance};
use super::key::{Key, with_key};
use super::moves::{Direction, MoveGenerator};
use super::ranked::Space;
use super::table::Set;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// The distances of positions from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Eccentricity {
    /// The distance of the farthest, in moves or runs.
    pub distance: u64,
    /// One of the farthest.
    pub hardest: Placement,
    /// How many placements there are at each distance.
    pub layers: Vec<u64>,
}

impl Eccentricity {
    /// How many placements can be reached, including the start.
    #[must_use]
    pub fn reachable(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// How many are at the greatest distance.
    #[must_use]
    pub fn hardest_count(&self) -> u64 {
        self.layers.last().copied().unwrap_or(0)
    }
}

/// Explores everything that can be reached from the start; the goal plays no part.
///
/// # Errors
/// When the question is not supported.
pub(crate) fn eccentricity(
    problem: &SwapProblem,
    watch: &Watch,
) -> Result<Run<Eccentricity>, SolveError> {
    problem.validate()?;
    let encoding = Encoding::new(problem, "eccentricity")?;
    let instance = &encoding.instance;
    let memory = watch.memory().unwrap_or(super::MEMORY);
    let found = if let Some(space) = Space::new(instance).filter(|space| space.bytes() <= memory) {
        by_number(&space, instance, watch)
    } else {
        with_key!(instance, K => by_table::<K>(instance, watch, memory))
    };
    let Explored { halt, hardest, layers, successors, bytes } = found;
    let nodes = layers.iter().sum();
    let found = Eccentricity {
        distance: layers.len() as u64 - 1,
        hardest: encoding.placement(&hardest),
        layers,
    };
    let outcome = match halt {
        None => Outcome::Solved(found),
        Some(why) => Outcome::Unfinished { why, best: Some(found) },
    };
    let run = Run::new(outcome, nodes);
    Ok(run.with_detail("successors", successors).with_detail("bytes", bytes))
}

struct Explored {
    halt: Option<Halt>,
    hardest: Vec<u8>,
    layers: Vec<u64>,
    successors: u64,
    bytes: u64,
}

fn by_number(space: &Space, instance: &Instance, watch: &Watch) -> Explored {
    let mut visited = space.from(&instance.start);
    let mut layers = vec![1];
    let mut hardest = instance.start.clone();
    let halt = loop {
        if let Err(halt) = space.advance(&mut visited, watch) {
            break Some(halt);
        }
        let Some(farther) = space.newest(&visited) else { break None };
        hardest = farther;
        layers.push(visited.newest);
    };
    Explored { halt, hardest, layers, successors: visited.successors, bytes: space.bytes() }
}

fn by_table<K: Key>(instance: &Instance, watch: &Watch, memory: u64) -> Explored {
    // Without a goal the bound is 0 everywhere, and costs nothing.
    let without_goal = instance.between(instance.start.clone(), vec![ANY; instance.len()]);
    let mut generator = MoveGenerator::<K>::new(&without_goal, 1 << 20)
        .expect("the key was chosen for the instance");
    let mut ticker = watch.ticker();
    let mut children = Vec::new();
    let start = generator.start();
    let layout = generator.layout.clone();
    let placed = |key: K| if layout.is_whites_turn(key) { layout.pass_turn(key) } else { key };
    // States (with the turn) to expand, and placements met where these are not the same.
    let has_turns = instance.white_begins.is_some();
    let (mut states, mut met) = (Set::<K>::new(), Set::<K>::new());
    states.insert(start, start.mix());
    if has_turns {
        met.insert(placed(start), placed(start).mix());
    }
    let (mut layers, mut hardest) = (vec![1], start);
    let mut current = vec![start];
    let mut successors = 0;
    let mut halt = None;
    'all: while !current.is_empty() {
        let mut next = Vec::new();
        let (mut fresh, mut farther) = (0, hardest);
        for &key in &current {
            let lists = (current.len() + next.len()) * size_of::<K>();
            let full = (states.bytes() + met.bytes() + lists) as u64 > memory;
            if let Some(why) = ticker.tick().err().or(full.then_some(Halt::Memory)) {
                halt = Some(why);
                break 'all;
            }
            generator.expand(key, Direction::Forward, &mut children);
            successors += children.len() as u64;
            for child in &children {
                if !states.insert(child.key, child.key.mix()) {
                    continue;
                }
                next.push(child.key);
                let placement = placed(child.key);
                if !has_turns || met.insert(placement, placement.mix()) {
                    if fresh == 0 {
                        farther = child.key;
                    }
                    fresh += 1;
                }
            }
        }
        // With turns a layer may have no new placement and still lead to some.
        layers.push(fresh);
        hardest = farther;
        current = next;
    }
    while layers.len() > 1 && layers.last() == Some(&0) {
        layers.pop();
    }
    let bytes = (states.bytes() + met.bytes()) as u64;
    Explored { halt, hardest: generator.layout.unpack(hardest), layers, successors, bytes }
}
