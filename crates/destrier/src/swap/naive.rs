//! Breadth first over plain positions: the yardstick for all other methods.
//!
//! Every position is looked at in the order of its distance from the start, so the first goal met is
//! a nearest one; if no goal is met, there is none.
//!
//! Invariant: positions are filed once, each with the position before it.
//! Cost: time and memory follow the number of positions that can be reached.
//! After: Moore 1959.

use std::collections::HashMap;

use destrier_rules::{Claim, Obstacle, Proof, SwapPlan, SwapProblem};

use super::plain::{self, Position};
use super::question::Question;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// Breadth first, with nothing to make it faster.
#[derive(Debug)]
pub struct Naive;

impl Naive {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        let question = Question::new(problem, "naive")?;
        let arena = &question.arena;
        let room = watch.memory().unwrap_or(super::MEMORY) / (arena.len() as u64 * 3 + 96);
        let mut ticker = watch.ticker();
        let mut filed: HashMap<Position, usize> = HashMap::new();
        let mut list: Vec<(Position, usize, Vec<super::arena::Step>, u64)> = Vec::new();
        let first = plain::start(arena);
        filed.insert(first.clone(), 0);
        list.push((first, 0, Vec::new(), 0));
        let mut next = 0;
        while next < list.len() {
            let (position, distance) = (list[next].0.clone(), list[next].3);
            if arena.is_goal(&position.codes) {
                let mut steps = Vec::new();
                let mut at = next;
                while at != 0 {
                    steps.extend(list[at].2.iter().rev());
                    at = list[at].1;
                }
                steps.reverse();
                let nodes = next as u64;
                let proof = Proof::Search { by: "breadth first".to_owned(), nodes };
                let claim = Claim::Fewest { lower_bound: distance, proof };
                let plan = question.plan(arena, &steps);
                return Ok(Run::new(Outcome::Solved(plan), nodes).claiming(claim));
            }
            let halt = ticker.tick().err().or((list.len() as u64 > room).then_some(Halt::Memory));
            if let Some(why) = halt {
                let claim = Claim::AtLeast { lower_bound: distance };
                let outcome = Outcome::Unfinished { why, best: None };
                return Ok(Run::new(outcome, next as u64).claiming(claim));
            }
            for (neighbour, jumps) in plain::neighbours(arena, &position) {
                if !filed.contains_key(&neighbour) {
                    filed.insert(neighbour.clone(), list.len());
                    list.push((neighbour, next, jumps, distance + 1));
                }
            }
            next += 1;
        }
        let nodes = list.len() as u64;
        let obstacle = Obstacle::Exhausted { method: "breadth first".to_owned(), nodes };
        Ok(Run::new(Outcome::Impossible(obstacle), nodes))
    }
}
