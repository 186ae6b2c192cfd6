//! Captures by a search of all positions: the baseline for the other methods.
//!
//! A position is the knight's square and the pieces still on the board. In a breadth-first search the
//! first position without pieces has the fewest moves: too simple to be wrong.
//!
//! Invariant: positions are visited in order of their number of moves.
//! Cost: squares times `2^q` positions, 16 bytes each; at most `2^24` positions are accepted.

use destrier_rules::{CapturePlan, CaptureProblem, Claim, Move, Obstacle, Proof};

use crate::graph::{KnightGraph, Vertex};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::trace::{Look, Tracer, heard};
use crate::run::watch::Watch;

/// Searches all positions.
#[derive(Debug)]
pub(super) struct Naive;

const MOST_POSITIONS: u64 = 1 << 24;
/// The bytes that a position takes at most.
const BYTES_PER_POSITION: u64 = 4 + 4 * 3;
const UNSEEN: u32 = u32::MAX;

impl Naive {
    /// Searches while somebody listens to every position that is looked at.
    pub(crate) fn trace<T: Tracer>(
        problem: &CaptureProblem,
        watch: &Watch,
        tracer: &mut T,
    ) -> Result<Run<CapturePlan>, SolveError> {
        let pieces = problem.targets.len();
        let positions = (pieces < 40).then(|| problem.board.area().checked_mul(1 << pieces));
        if positions.flatten().is_none_or(|positions| positions > MOST_POSITIONS) {
            let why = format!(
                "{pieces} pieces on {} squares make more than {MOST_POSITIONS} positions",
                problem.board.area()
            );
            return Err(SolveError::Unsuited { method: "naive", why });
        }
        // The position before each, and a queue that doubles as it grows.
        let needs = (problem.board.area() << pieces) * BYTES_PER_POSITION;
        if needs > watch.room() {
            return Err(SolveError::Unsuited { method: "naive", why: watch.needs(needs) });
        }
        let graph = KnightGraph::new(&problem.board);
        let mut bit = vec![0_usize; graph.len()];
        for (k, &target) in problem.targets.iter().enumerate() {
            bit[graph.vertex(target).expect("the question is valid") as usize] = 1 << k;
        }
        let squares = graph.len();
        // A position is `left * squares + vertex`; `came` has the position before it.
        let start = graph.vertex(problem.start).expect("the question is valid");
        let first = ((1 << pieces) - 1) * squares + start as usize;
        let mut came = vec![UNSEEN; squares << pieces];
        came[first] = first as u32;
        let mut queue = vec![first as u32];
        let mut head = 0;
        let mut ticker = watch.ticker();
        // For a listener: the start has the number 0.
        let number =
            |position: u32| if position == first as u32 { 0 } else { position as usize + 1 };
        let look = |position: u32, before: u32| {
            let square = |position: u32| graph.square((position as usize % squares) as Vertex);
            if position == before {
                return Look::Start;
            }
            let step = Move { from: square(before), to: square(position) };
            Look::At { number: number(position), from: number(before), step }
        };
        let mut asked = None;
        while let Some(&position) = queue.get(head) {
            head += 1;
            let halted = asked.or(ticker.tick().err());
            if T::LISTENS && halted.is_none() {
                asked = heard(tracer.look(look(position, came[position as usize])));
            }
            if let Some(why) = halted.or(asked) {
                let best = None;
                return Ok(Run::new(Outcome::Unfinished { why, best }, ticker.nodes()));
            }
            let known = queue.len();
            let (left, at) = (position as usize / squares, position as usize % squares);
            if left == 0 {
                let _ = tracer.look(Look::Found);
                let plan = walk_back(&graph, &came, position);
                let nodes = ticker.nodes();
                let proof = Proof::Search { by: "naive".to_owned(), nodes };
                let claim = Claim::Fewest { lower_bound: plan.moves(), proof };
                return Ok(Run::new(Outcome::Solved(plan), nodes).claiming(claim));
            }
            for &to in graph.neighbours(at as Vertex) {
                let next = (left & !bit[to as usize]) * squares + to as usize;
                if came[next] == UNSEEN {
                    came[next] = position;
                    queue.push(next as u32);
                }
            }
            if T::LISTENS && queue.len() == known {
                asked = heard(tracer.look(Look::DeadEnd));
            }
        }
        // A piece on a square that the knight never visits cannot be reached.
        let reached = |v: usize| (0..1 << pieces).any(|left| came[left * squares + v] != UNSEEN);
        let isolated = problem.targets.iter().find(|&&target| {
            !reached(graph.vertex(target).expect("the question is valid") as usize)
        });
        let to = *isolated.expect("otherwise all pieces would have been taken");
        let obstacle = Obstacle::Unreachable { from: problem.start, to };
        Ok(Run::new(Outcome::Impossible(obstacle), ticker.nodes()))
    }
}

fn walk_back(graph: &KnightGraph, came: &[u32], last: u32) -> CapturePlan {
    let mut squares = Vec::new();
    let mut position = last;
    loop {
        squares.push(graph.square((position as usize % graph.len()) as Vertex));
        let before = came[position as usize];
        if before == position {
            break;
        }
        position = before;
    }
    squares.reverse();
    CapturePlan(squares)
}
