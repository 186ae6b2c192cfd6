//! The hardest position that can be reached from the start, and how far it is.
//!
//! Breadth first until nothing new is found: by number with two bits a placement where the board has
//! at most 32 squares and single moves are counted, else with all placements kept in a table.
//!
//! Invariant: a placement belongs to the layer in which it is first reached.
//! Cost: a quarter of a byte, or some 12 to 24 bytes, for each placement.
//! After: Korf and Schultze 2005; "God's number" searches.

use destrier_rules::{Placement, Problem, SwapProblem};

use super::arena::Arena;
use super::key::{Key, with_key};
use super::question::Question;
use super::ranked::Space;
use super::steps::{Steps, Way};
use super::table::Set;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// How far positions are from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eccentricity {
    /// The distance of the farthest, in moves or runs.
    pub distance: u64,
    /// One of the farthest.
    pub hardest: Placement,
    /// How many placements there are at each distance.
    pub layers: Vec<u64>,
}

impl Eccentricity {
    /// How many placements can be reached, the start among them.
    #[must_use]
    pub fn reachable(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// How many are as far as the farthest.
    #[must_use]
    pub fn hardest_count(&self) -> u64 {
        self.layers.last().copied().unwrap_or(0)
    }
}

/// Explores everything that can be reached from the start; the goal plays no part.
///
/// # Errors
/// When the question cannot be taken on.
pub fn eccentricity(problem: &SwapProblem, watch: &Watch) -> Result<Run<Eccentricity>, SolveError> {
    problem.validate()?;
    let question = Question::new(problem, "eccentricity")?;
    let arena = &question.arena;
    let memory = watch.memory().unwrap_or(super::MEMORY);
    let found = if let Some(space) = Space::new(arena).filter(|space| space.bytes() <= memory) {
        by_number(&space, arena, watch)
    } else {
        with_key!(arena, K => by_table::<K>(arena, watch, memory))
    };
    let Explored { halt, hardest, layers, successors, bytes } = found;
    let nodes = layers.iter().sum();
    let found = Eccentricity {
        distance: layers.len() as u64 - 1,
        hardest: question.placement(&hardest),
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

fn by_number(space: &Space, arena: &Arena, watch: &Watch) -> Explored {
    let mut seen = space.from(&arena.start);
    let mut layers = vec![1];
    let mut hardest = arena.start.clone();
    let halt = loop {
        if let Err(halt) = space.advance(&mut seen, watch.threads(), watch) {
            break Some(halt);
        }
        let Some(farther) = space.newest(&seen) else { break None };
        hardest = farther;
        layers.push(seen.newest);
    };
    Explored { halt, hardest, layers, successors: seen.successors, bytes: space.bytes() }
}

fn by_table<K: Key>(arena: &Arena, watch: &Watch, memory: u64) -> Explored {
    // With no goal the bound is nothing everywhere, and costs nothing.
    let aimless = arena.between(arena.start.clone(), vec![super::arena::ANY; arena.len()]);
    let mut steps = Steps::<K>::new(&aimless, 1 << 20).expect("the key was chosen for the arena");
    let mut ticker = watch.ticker();
    let mut children = Vec::new();
    let start = steps.start();
    let layout = steps.layout.clone();
    let placed = |key: K| if layout.is_whites_turn(key) { layout.pass_turn(key) } else { key };
    // States (with the turn) to go on from, and placements met.
    let (mut states, mut met) = (Set::<K>::new(), Set::<K>::new());
    states.insert(start, start.mix());
    met.insert(placed(start), placed(start).mix());
    let (mut layers, mut hardest) = (vec![1], start);
    let mut current = vec![start];
    let mut successors = 0;
    let mut halt = None;
    'all: while !current.is_empty() {
        let mut next = Vec::new();
        let mut fresh = 0;
        for &key in &current {
            let full = (states.bytes() + met.bytes()) as u64 > memory;
            if let Some(why) = ticker.tick().err().or(full.then_some(Halt::Memory)) {
                halt = Some(why);
                break 'all;
            }
            steps.expand(key, Way::Onward, &mut children);
            successors += children.len() as u64;
            for child in &children {
                if states.insert(child.key, child.key.mix()) {
                    next.push(child.key);
                    let placement = placed(child.key);
                    if met.insert(placement, placement.mix()) {
                        if fresh == 0 {
                            hardest = child.key;
                        }
                        fresh += 1;
                    }
                }
            }
        }
        // With turns a layer may hold no new placement and yet lead on to some.
        layers.push(fresh);
        current = next;
    }
    while layers.len() > 1 && layers.last() == Some(&0) {
        layers.pop();
    }
    let bytes = (states.bytes() + met.bytes()) as u64;
    Explored { halt, hardest: steps.layout.unpack(hardest), layers, successors, bytes }
}
