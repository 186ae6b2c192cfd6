//! Tours by trying everything: the baseline for the rest.
//!
//! From each start, every jump to an unvisited square, in order, and back. Nothing is pruned, and a
//! whole walk is accepted only if the checker accepts it: too simple to be wrong.
//!
//! Invariant: the walk and the marks of visited squares agree.
//! Cost: exponential; 5×5 in a blink, 6×6 closed in hours.

use std::ops::ControlFlow;

use destrier_rules::{Problem as _, Tour, TourProblem};

use crate::graph::{KnightGraph, Vertex};
use crate::run::trace::Tracer;
use crate::run::watch::{Halt, Ticker};
use crate::tour::walk::{Request, Visitor, Walk};

/// Tries everything.
#[derive(Debug)]
pub(crate) struct Naive;

impl Walk for Naive {
    const NAME: &'static str = "naive";
    const TRIES_EVERYTHING: bool = true;

    fn walk<T: Tracer>(
        &self,
        problem: &TourProblem,
        graph: &KnightGraph,
        request: Request<'_>,
        ticker: &mut Ticker<'_>,
        visit: &mut Visitor<'_>,
        tracer: &mut T,
    ) -> Result<ControlFlow<()>, Halt> {
        let mut visited = vec![false; graph.len()];
        let mut walk: Vec<Vertex> = Vec::with_capacity(graph.len());
        let mut tried: Vec<usize> = Vec::with_capacity(graph.len()); // jumps tried at each step
        for (attempt, start) in (1..).zip(request.starts(problem, graph)) {
            ticker.tick()?;
            let begun = tracer.begin(attempt).is_continue();
            if !begun || tracer.visit(1, graph.square(start)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            walk.push(start);
            tried.push(0);
            visited[start as usize] = true;
            while let (Some(&here), Some(jump)) = (walk.last(), tried.last_mut()) {
                let whole = walk.len() == graph.len();
                if whole && problem.verify(&Tour(graph.squares_of(&walk))).is_ok() {
                    let flow = visit(&walk);
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
                let next = graph.neighbours(here).get(*jump).copied().filter(|_| !whole);
                *jump += 1;
                match next {
                    Some(next) if visited[next as usize] || !request.allows(walk.len(), next) => {}
                    Some(next) => {
                        ticker.tick()?;
                        walk.push(next);
                        tried.push(0);
                        visited[next as usize] = true;
                        if tracer.visit(walk.len(), graph.square(next)).is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                    None => {
                        if tracer.retreat(walk.len(), graph.square(here)).is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                        visited[here as usize] = false;
                        walk.pop();
                        tried.pop();
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
