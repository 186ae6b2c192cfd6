//! Breadth-first search of plain positions: the baseline for all other methods.
//!
//! Every position is visited in the order of its distance from the start, so the first goal found is
//! a nearest one; if no goal is found, there is none.
//!
//! Invariant: positions are added once, each with the position before it.
//! Cost: time and memory follow the number of positions that can be reached.
//! Source: Moore 1959.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use destrier_rules::{Claim, Obstacle, Proof, SwapPlan, SwapProblem};

use super::encoding::Encoding;
use super::instance::Step;
use super::plain::{self, Position, Reached, path_to};
use super::trace::{self, Listener, Look, heard};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// What a position takes at most: its codes twice and its jumps, each a block of its own, and its places in a list and
/// in a table, both of which are copied when they grow.
const fn bytes_per_position(vertices: usize) -> u64 {
    const BLOCK: usize = 24;
    let blocks = 2 * (vertices + BLOCK) + size_of::<Step>() * 4 + BLOCK;
    let (listed, entered) = (size_of::<Reached>(), size_of::<(Position, u64)>() + 1);
    (blocks + 3 * listed + 4 * entered) as u64
}

/// Breadth-first search without any refinement.
#[derive(Debug)]
pub(super) struct Naive;

impl Naive {
    pub(crate) fn solve(
        problem: &SwapProblem,
        watch: &Watch,
        listener: &mut Listener<'_>,
    ) -> Result<Run<SwapPlan>, SolveError> {
        let encoding = Encoding::new(problem, "naive")?;
        let instance = &encoding.instance;
        let room = if watch.memory().is_some() { watch.room() } else { super::MEMORY };
        let most = room / bytes_per_position(instance.len());
        let mut ticker = watch.ticker();
        let mut reached = vec![Reached::start(instance)];
        let mut distances = HashMap::from([(reached[0].position.clone(), 0)]);
        let (mut next, mut asked) = (0, None);
        while next < reached.len() {
            let position = reached[next].position.clone();
            let (distance, nodes) = (distances[&position], next as u64);
            let Reached { parent, jumps, .. } = &reached[next];
            asked = asked.or(heard(listener(trace::at(&encoding, next, *parent, jumps))));
            if instance.is_goal(&position.codes) {
                let proof = Proof::Search { by: "breadth first".to_owned(), nodes };
                let claim = Claim::Fewest { lower_bound: distance, proof };
                let plan = encoding.plan(instance, &path_to(next, &reached));
                let _ = listener(Look::Found);
                return Ok(Run::new(Outcome::Solved(plan), nodes).claiming(claim));
            }
            let is_full = reached.len() as u64 > most;
            let known = reached.len();
            if let Some(why) = asked.or(ticker.tick().err()).or(is_full.then_some(Halt::Memory)) {
                let claim = Claim::AtLeast { lower_bound: distance };
                let outcome = Outcome::Unfinished { why, best: None };
                return Ok(Run::new(outcome, nodes).claiming(claim));
            }
            for (position, jumps) in plain::neighbours(instance, &position) {
                if let Entry::Vacant(entry) = distances.entry(position.clone()) {
                    entry.insert(distance + 1);
                    reached.push(Reached { position, parent: next, jumps });
                }
            }
            if reached.len() == known {
                asked = asked.or(heard(listener(Look::DeadEnd)));
            }
            next += 1;
        }
        let nodes = reached.len() as u64;
        let obstacle = Obstacle::Exhausted { method: "naive".to_owned(), nodes };
        Ok(Run::new(Outcome::Impossible(obstacle), nodes))
    }
}
