//! The textbook method: always the position that looks nearest to the goal, by Manhattan distance.
//!
//! A position's promise is the sum, over its knights, of the Manhattan distance to the nearest goal
//! square of its colour. The most promising position is taken up next, whatever it has cost so far;
//! no position occurs twice on a path, and paths longer than a limit are dropped. Nothing in this
//! makes the plan a shortest one, and the answer claims no more than that it is a plan.
//!
//! Invariant: a position is taken up again only when it was reached in fewer moves.
//! Cost: a list of bytes for each position met.
//! After: the course report on six knights; Pearl, Heuristics, 1984.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use destrier_rules::{Obstacle, SwapPlan, SwapProblem};

use super::arena::{ANY, Step};
use super::plain::{self, Position};
use super::question::Question;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// Greedy best-first search with a limit on moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BestFirst {
    /// The longest plan that is looked for.
    pub limit: u32,
}

impl BestFirst {
    /// With the usual limit.
    pub const USUAL: BestFirst = BestFirst { limit: 1000 };
}

impl BestFirst {
    pub(crate) fn solve(
        &self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        let question = Question::new(problem, "best-first")?;
        let arena = &question.arena;
        let room = watch.memory().unwrap_or(super::MEMORY) / (arena.len() as u64 * 2 + 128);
        let apart = |v: usize, u: usize| {
            let (a, b) = (question.square(v), question.square(u));
            u64::from(a.file.abs_diff(b.file)) + u64::from(a.rank.abs_diff(b.rank))
        };
        let nearest: Vec<Vec<u64>> = (0u8..)
            .take(arena.colours + 1)
            .map(|code| {
                let ends = |u: &usize| arena.goal[*u] == code || arena.goal[*u] == ANY;
                (0..arena.len())
                    .map(|v| (0..arena.len()).filter(ends).map(|u| apart(v, u)).min().unwrap_or(0))
                    .collect()
            })
            .collect();
        let promise = |codes: &[u8]| -> u64 {
            let knights = codes.iter().enumerate().filter(|&(_, &code)| code != 0);
            knights.map(|(v, &code)| nearest[usize::from(code)][v]).sum()
        };

        let mut ticker = watch.ticker();
        // Each position met, with the one before it and the jumps between.
        let mut list: Vec<(Position, usize, Vec<Step>)> =
            vec![(plain::start(arena), 0, Vec::new())];
        let mut reached: HashMap<Position, u32> = HashMap::from([(list[0].0.clone(), 0)]);
        let mut open = BinaryHeap::from([Reverse((promise(&arena.start), 0u32, 0usize))]);
        let mut nodes = 0;
        let mut cut = false;
        while let Some(Reverse((_, made, at))) = open.pop() {
            let position = list[at].0.clone();
            if reached[&position] < made {
                continue;
            }
            if arena.is_goal(&position.codes) {
                let mut steps = Vec::new();
                let mut here = at;
                while here != 0 {
                    steps.extend(list[here].2.iter().rev());
                    here = list[here].1;
                }
                steps.reverse();
                return Ok(Run::new(Outcome::Solved(question.plan(arena, &steps)), nodes));
            }
            let halt = ticker.tick().err().or((list.len() as u64 > room).then_some(Halt::Memory));
            if let Some(why) = halt {
                return Ok(Run::new(Outcome::Unfinished { why, best: None }, nodes));
            }
            nodes += 1;
            if made == self.limit {
                cut = true;
                continue;
            }
            for (neighbour, jumps) in plain::neighbours(arena, &position) {
                if reached.get(&neighbour).is_none_or(|&before| made + 1 < before) {
                    reached.insert(neighbour.clone(), made + 1);
                    open.push(Reverse((promise(&neighbour.codes), made + 1, list.len())));
                    list.push((neighbour, at, jumps));
                }
            }
        }
        let outcome = if cut {
            Outcome::Unfinished { why: Halt::GaveUp, best: None }
        } else {
            Outcome::Impossible(Obstacle::Exhausted { method: "best-first".to_owned(), nodes })
        };
        Ok(Run::new(outcome, nodes))
    }
}
