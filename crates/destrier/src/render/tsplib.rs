//! TSPLIB files: a tour, and the board's graph as a Hamiltonian cycle problem.
//!
//! Nodes are the open squares, numbered from 1, rank by rank from the bottom. An open tour is a cycle
//! through one node more, joined to the squares at which the tour may end.

use std::fmt::Write as _;

use destrier_rules::{Shape, Square, Tour, TourProblem, Verified};

use crate::graph::KnightGraph;

/// A checked tour as a TSPLIB `TOUR` file.
#[must_use]
pub fn tsplib_tour(tour: &Verified<TourProblem>) -> String {
    let (problem, Tour(squares)) = (tour.problem(), tour.solution());
    let graph = KnightGraph::of(&problem.board, problem.leaper);
    let mut text = head(problem, "TOUR", nodes(problem, &graph));
    text.push_str("TOUR_SECTION\n");
    for vertex in squares.iter().filter_map(|&square| graph.vertex(square)) {
        let _ = writeln!(text, "{}", vertex + 1);
    }
    if problem.shape == Shape::Open {
        let _ = writeln!(text, "{}", graph.len() + 1);
    }
    text.push_str("-1\nEOF\n");
    text
}

/// The question as a TSPLIB `HCP` file: the tours of the board are its Hamiltonian cycles.
#[must_use]
pub fn hcp(problem: &TourProblem) -> String {
    let graph = KnightGraph::of(&problem.board, problem.leaper);
    let mut text = head(problem, "HCP", nodes(problem, &graph));
    text.push_str("EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n");
    for v in graph.vertices() {
        for &u in graph.neighbours(v).iter().filter(|&&u| u > v) {
            let _ = writeln!(text, "{} {}", v + 1, u + 1);
        }
    }
    if problem.shape == Shape::Open {
        for v in graph.vertices().filter(|&v| may_end(problem, graph.square(v))) {
            let _ = writeln!(text, "{} {}", v + 1, graph.len() + 1);
        }
    }
    text.push_str("-1\nEOF\n");
    text
}

/// May an open tour have an end here?
fn may_end(problem: &TourProblem, square: Square) -> bool {
    match (problem.start, problem.end) {
        (Some(start), Some(end)) => square == start || square == end,
        _ => true,
    }
}

fn nodes(problem: &TourProblem, graph: &KnightGraph) -> usize {
    graph.len() + usize::from(problem.shape == Shape::Open)
}

fn head(problem: &TourProblem, kind: &str, nodes: usize) -> String {
    let (size, shape) = (problem.board.size(), problem.shape);
    let note = match problem.shape {
        Shape::Open => format!("; node {nodes} joins the two ends"),
        Shape::Closed => String::new(),
    };
    format!(
        "NAME : knight-{size}-{shape}\nCOMMENT : {} ({shape} knight's tour){note}\nTYPE : {kind}\n\
         DIMENSION : {nodes}\n",
        problem.board
    )
}
