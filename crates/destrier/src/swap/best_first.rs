//! The textbook method: greedy best-first search by Manhattan distance.
//!
//! A position's estimate is the sum, over its knights, of the Manhattan distance to the nearest goal
//! square of its colour. The position of least estimate is expanded next, whatever it has cost so far;
//! no position occurs twice on a path, and paths longer than a limit are dropped. The plan need not be
//! a shortest one, and the answer claims only that it is a plan.
//!
//! Invariant: a position is expanded again only when it was reached in fewer moves.
//! Cost: a list of bytes for each position reached.
//! Source: Pearl, *Heuristics*, 1984.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use destrier_rules::{Obstacle, SwapPlan, SwapProblem};

use super::encoding::Encoding;
use super::instance::ANY;
use super::plain::{self, Reached, path_to};
use super::trace::{self, Listener, Look, heard};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// The textbook's estimate: for each knight the Manhattan distance to the nearest square where it may end.
pub(super) struct Manhattan(Vec<Vec<u64>>);

impl Manhattan {
    pub(super) fn new(encoding: &Encoding) -> Manhattan {
        let instance = &encoding.instance;
        let apart =
            |v: usize, u: usize| u64::from(encoding.square(v).manhattan(encoding.square(u)));
        let nearest = |code: u8| {
            let ends = |u: &usize| instance.goal[*u] == code || instance.goal[*u] == ANY;
            let to_goal = |v| (0..instance.len()).filter(ends).map(|u| apart(v, u)).min();
            (0..instance.len()).map(|v| to_goal(v).unwrap_or(0)).collect()
        };
        Manhattan((0u8..).take(instance.colours + 1).map(nearest).collect())
    }

    /// The sum over all knights.
    pub(super) fn of(&self, codes: &[u8]) -> u64 {
        let knights = codes.iter().enumerate().filter(|&(_, &code)| code != 0);
        knights.map(|(v, &code)| self.0[usize::from(code)][v]).sum()
    }
}

/// Greedy best-first search with a limit on moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BestFirst {
    /// The longest plan that is searched for.
    pub limit: u32,
}

impl BestFirst {
    /// With the default limit.
    pub const USUAL: BestFirst = BestFirst { limit: 1000 };
}

impl BestFirst {
    pub(crate) fn solve(
        self,
        problem: &SwapProblem,
        watch: &Watch,
        listener: &mut Listener<'_>,
    ) -> Result<Run<SwapPlan>, SolveError> {
        let encoding = Encoding::new(problem, "best-first")?;
        let instance = &encoding.instance;
        let most = watch.memory().unwrap_or(super::MEMORY) / (instance.len() as u64 * 2 + 128);
        let distances = Manhattan::new(&encoding);
        let estimate = |codes: &[u8]| distances.of(codes);
        let mut ticker = watch.ticker();
        let mut reached = vec![Reached::start(instance)];
        let mut fewest = HashMap::from([(reached[0].position.clone(), 0)]);
        let mut open = BinaryHeap::from([Reverse((estimate(&instance.start), 0, 0))]);
        let (mut nodes, mut longest) = (0, 1);
        let (mut hit_limit, mut asked) = (false, None);
        // What the textbook's table asks for: the paths made, and the longest queue.
        let counted = |run: Run<SwapPlan>, paths: usize, longest: usize| {
            run.with_detail("paths", paths as u64).with_detail("longest queue", longest as u64)
        };
        while let Some(Reverse((_, moves, at))) = open.pop() {
            let position = reached[at].position.clone();
            if fewest[&position] < moves {
                continue;
            }
            let Reached { parent, jumps, .. } = &reached[at];
            asked = asked.or(heard(listener(trace::at(&encoding, at, *parent, jumps))));
            if instance.is_goal(&position.codes) {
                let _ = listener(Look::Found);
                let plan = encoding.plan(instance, &path_to(at, &reached));
                let run = Run::new(Outcome::Solved(plan), nodes);
                return Ok(counted(run, reached.len(), longest));
            }
            let is_full = reached.len() as u64 > most;
            let known = reached.len();
            if let Some(why) = asked.or(ticker.tick().err()).or(is_full.then_some(Halt::Memory)) {
                let run = Run::new(Outcome::Unfinished { why, best: None }, nodes);
                return Ok(counted(run, reached.len(), longest));
            }
            nodes += 1;
            if moves == self.limit {
                hit_limit = true;
                continue;
            }
            for (position, jumps) in plain::neighbours(instance, &position) {
                if fewest.get(&position).is_none_or(|&before| moves + 1 < before) {
                    fewest.insert(position.clone(), moves + 1);
                    open.push(Reverse((estimate(&position.codes), moves + 1, reached.len())));
                    reached.push(Reached { position, parent: at, jumps });
                }
            }
            if reached.len() == known {
                asked = asked.or(heard(listener(Look::DeadEnd)));
            }
            longest = longest.max(open.len());
        }
        let outcome = if hit_limit {
            Outcome::Unfinished { why: Halt::GaveUp, best: None }
        } else {
            Outcome::Impossible(Obstacle::Exhausted { method: "best-first".to_owned(), nodes })
        };
        Ok(counted(Run::new(outcome, nodes), reached.len(), longest))
    }
}
