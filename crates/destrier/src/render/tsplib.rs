//! TSPLIB files: a tour, and the board's graph as a Hamiltonian cycle problem.
//!
//! Nodes are the open squares, numbered from 1, rank by rank from the bottom. An open tour is a cycle
//! through one node more, the apex, joined to the squares at which the tour may end. A single end that is
//! asked for is joined to the apex by an anchor, a node of two edges, which every cycle takes; so are the
//! ends of a closed tour to each other.

use std::fmt::Write as _;

use destrier_rules::{Shape, Square, Tour, TourProblem, Verified};

use crate::graph::KnightGraph;

/// A checked tour as a TSPLIB `TOUR` file.
#[must_use]
pub fn tsplib_tour(tour: &Verified<TourProblem>) -> String {
    let (problem, Tour(squares)) = (tour.problem(), tour.solution());
    let graph = KnightGraph::of(&problem.board, problem.leaper);
    let extras = extras(problem, &graph);
    let mut text = head(problem, "TOUR", &graph, extras.len());
    text.push_str("TOUR_SECTION\n");
    for vertex in squares.iter().filter_map(|&square| graph.vertex(square)) {
        let _ = writeln!(text, "{}", vertex + 1);
    }
    for Extra { node, .. } in extras {
        let _ = writeln!(text, "{node}");
    }
    text.push_str("-1\nEOF\n");
    text
}

/// The question as a TSPLIB `HCP` file: the tours of the board are its Hamiltonian cycles.
#[must_use]
pub fn hcp(problem: &TourProblem) -> String {
    let graph = KnightGraph::of(&problem.board, problem.leaper);
    let extras = extras(problem, &graph);
    let mut text = head(problem, "HCP", &graph, extras.len());
    text.push_str("EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n");
    for v in graph.vertices() {
        for &u in graph.neighbours(v).iter().filter(|&&u| u > v) {
            let _ = writeln!(text, "{} {}", v + 1, u + 1);
        }
    }
    for Extra { node, joined } in extras {
        for other in joined {
            let _ = writeln!(text, "{other} {node}");
        }
    }
    text.push_str("-1\nEOF\n");
    text
}

/// A node beyond the squares, and the nodes that it is joined to.
struct Extra {
    node: usize,
    joined: Vec<usize>,
}

/// The nodes beyond the squares, as a tour goes through them after its last square.
fn extras(problem: &TourProblem, graph: &KnightGraph) -> Vec<Extra> {
    let (squares, apex, anchor) = (graph.len(), graph.len() + 1, graph.len() + 2);
    let vertex = |end: Option<Square>| end.and_then(|square| graph.vertex(square));
    let (first, last) = (vertex(problem.start), vertex(problem.end));
    let [start, end] = [first, last].map(|end| end.map(|vertex| vertex as usize + 1));
    // Without a jump from end to start there is no closed tour, and the anchor is joined to nothing.
    let closes = first.zip(last).is_some_and(|(v, u)| graph.neighbours(v).contains(&u));
    let joined = |node, joined: &[usize]| Extra { node, joined: joined.to_vec() };
    let to_all = || Extra { node: apex, joined: (1..=squares).collect() };
    match (problem.shape, start, end) {
        (Shape::Closed, Some(start), Some(end)) if closes => vec![joined(apex, &[start, end])],
        (Shape::Closed, Some(_), Some(_)) => vec![joined(apex, &[])],
        (Shape::Closed, ..) => vec![],
        (Shape::Open, Some(start), Some(end)) if start == end => vec![joined(apex, &[start])],
        (Shape::Open, Some(start), Some(end)) => vec![joined(apex, &[start, end])],
        (Shape::Open, Some(start), None) => vec![to_all(), joined(anchor, &[apex, start])],
        (Shape::Open, None, Some(end)) => vec![joined(anchor, &[apex, end]), to_all()],
        (Shape::Open, None, None) => vec![to_all()],
    }
}

fn head(problem: &TourProblem, kind: &str, graph: &KnightGraph, extras: usize) -> String {
    let (size, shape) = (problem.board.size(), problem.shape);
    let nodes = graph.len() + extras;
    let note = match problem.shape {
        Shape::Open => format!("; node {} joins the two ends", graph.len() + 1),
        Shape::Closed => String::new(),
    };
    format!(
        "NAME : knight-{size}-{shape}\nCOMMENT : {} ({shape} knight's tour){note}\nTYPE : {kind}\n\
         DIMENSION : {nodes}\n",
        problem.board
    )
}
