//! Quick proofs that a board has no tour: colours, dead ends, parts.
//!
//! Each is a fact that the checker counts again. None needs a search; what they miss, a search decides.
//!
//! Cost: linear in the number of squares, and nothing at all for the colours of a plain rectangle.

use destrier_rules::{Obstacle, Problem as _, Shape, Support, TourProblem};

use crate::graph::KnightGraph;

/// A reason why there is no such tour, if one is plain to see.
#[must_use]
pub fn obstacle(problem: &TourProblem) -> Option<Obstacle> {
    by_colours(problem).or_else(|| {
        let small = problem.board.area() <= KnightGraph::MOST_SQUARES;
        small.then(|| by_graph(problem)).flatten()
    })
}

/// Every jump changes the colour, so the colours must alternate from end to end.
fn by_colours(problem: &TourProblem) -> Option<Obstacle> {
    if !problem.board.is_two_coloured(problem.leaper) {
        return None;
    }
    let (dark, light) = problem.board.colours();
    let reasons = [Obstacle::Colours { dark, light }, Obstacle::EndColours { dark, light }];
    reasons.into_iter().find(|reason| problem.confirm(reason) == Ok(Support::Checked))
}

/// Squares that cannot be passed through, and boards that fall apart.
fn by_graph(problem: &TourProblem) -> Option<Obstacle> {
    let graph = KnightGraph::of(&problem.board, problem.leaper);
    let stuck = graph.vertices().filter(|&v| graph.degree(v) < 2);
    let squares: Vec<_> = stuck.map(|v| graph.square(v)).take(64).collect();
    let dead_ends = Obstacle::DeadEnds { squares };
    if problem.confirm(&dead_ends) == Ok(Support::Checked) {
        return Some(dead_ends);
    }
    let parts = parts(&graph);
    if parts > 1 {
        return Some(Obstacle::Cut { removed: Vec::new(), parts });
    }
    let closed_pair = problem.shape == Shape::Closed && graph.len() < 3;
    closed_pair.then(|| Obstacle::DeadEnds { squares: graph.squares_of(&[0]) })
}

/// The number of connected parts of the graph.
fn parts(graph: &KnightGraph) -> u64 {
    let mut seen = vec![false; graph.len()];
    let mut parts = 0;
    for first in graph.vertices() {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        parts += 1;
        let mut reached = vec![first];
        while let Some(v) = reached.pop() {
            for &u in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[u as usize], true) {
                    reached.push(u);
                }
            }
        }
    }
    parts
}
