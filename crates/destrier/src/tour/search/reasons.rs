//! Quick proofs that a board has no tour: counted in linear time, and named.
//!
//! In this order, the plainest first: the piece cannot leave its sublattice; the colours do not balance; the
//! ends of a closed tour are no jump apart; squares with too few jumps; a board in parts; a square whose removal leaves too many parts; and
//! a set of squares whose removal strands more squares than a tour could join (a matching finds it).
//!
//! Invariant: each obstacle is a fact about the board that the checker can count again.
//! Cost: linear, but for the matching, which is at most the square root of the board times that.
//! Source: Chvátal's toughness (1973) for cuts; Hall (1935), Hopcroft and Karp (1973) for the matching;
//! Knuth, "Leaper graphs" (1994) for the connection of leapers.

use destrier_rules::{Obstacle, Shape, Square, TourProblem, Wrap};

use super::matching::Matching;
use crate::graph::{KnightGraph, Vertex};

/// A reason why there is no such tour, if one is plain to see.
#[must_use]
pub(crate) fn obstacle(problem: &TourProblem) -> Option<Obstacle> {
    plain(problem).or_else(|| {
        let graph = KnightGraph::for_question(problem, KnightGraph::MOST_SQUARES, "obstacle");
        quick(problem, &graph.ok()?)
    })
}

/// The first reason against any tour that can be seen without search and without a graph.
pub(crate) fn plain(problem: &TourProblem) -> Option<Obstacle> {
    sublattice(problem).or_else(|| colours(problem)).or_else(|| closing_jump(problem))
}

/// The first reason against any tour that can be seen without search.
pub(crate) fn quick(problem: &TourProblem, graph: &KnightGraph) -> Option<Obstacle> {
    plain(problem)
        .or_else(|| dead_ends(problem, graph))
        .or_else(|| parts(problem, graph))
        .or_else(|| cut_square(problem, graph))
        .or_else(|| stranded(problem, graph))
}

const fn gcd(a: u32, b: u32) -> u32 {
    if a == 0 { b } else { gcd(b % a, a) }
}

/// A piece whose jumps all lie on a sublattice never sees the rest of the board.
pub(crate) fn sublattice(problem: &TourProblem) -> Option<Obstacle> {
    let (board, leaper) = (&problem.board, problem.leaper);
    let ((a, b), both) = (leaper.legs(), (board.files() > 1, board.ranks() > 1));
    if board.wrap() != Wrap::None || !board.holes().is_empty() || both == (false, false) {
        return None;
    }
    let text = match gcd(a, b) {
        1 if leaper.changes_colour() => return None,
        1 => format!("both legs of {a},{b} are odd, so it never leaves the colour it stands on"),
        step => format!(
            "both legs of {a},{b} are multiples of {step}, so files and ranks only ever change by multiples of {step}"
        ),
    };
    Some(Obstacle::Theorem { name: "the connection of leapers".to_owned(), text })
}

/// Every jump changes the colour: the colours must balance, and the ends must fit.
fn colours(problem: &TourProblem) -> Option<Obstacle> {
    if !problem.board.is_two_coloured(problem.leaper) {
        return None;
    }
    let (dark, light) = problem.board.colours();
    if dark.abs_diff(light) > u64::from(problem.shape == Shape::Open) {
        return Some(Obstacle::Colours { dark, light });
    }
    let fits = |end: Option<Square>, colour: bool| end.is_none_or(|end| end.is_dark() == colour);
    let possible = [true, false].into_iter().any(|first| {
        let last = if dark == light { !first } else { first };
        (dark == light || first == (dark > light))
            && fits(problem.start, first)
            && fits(problem.end, last)
    });
    (!possible).then_some(Obstacle::EndColours { dark, light })
}

/// The two ends of a closed tour are a jump apart.
pub(crate) fn closing_jump(problem: &TourProblem) -> Option<Obstacle> {
    let (start, end) = (problem.start?, problem.end?);
    let closed = problem.shape == Shape::Closed && problem.board.len() > 1;
    (closed && !problem.is_jump(start, end)).then(|| Obstacle::Theorem {
        name: "closing jump".to_owned(),
        text: format!(
            "a closed tour comes back by a jump, and {end} is not a jump away from {start}"
        ),
    })
}

/// Squares with one jump or none can only be ends.
fn dead_ends(problem: &TourProblem, graph: &KnightGraph) -> Option<Obstacle> {
    if graph.len() == 1 && problem.shape == Shape::Open {
        return None;
    }
    let squares = |most: usize| -> Vec<Square> {
        let few = graph.vertices().filter(|&v| graph.degree(v) <= most);
        few.map(|v| graph.square(v)).collect()
    };
    let stranded = squares(0);
    if !stranded.is_empty() {
        return Some(Obstacle::DeadEnds { squares: vec![stranded[0]] });
    }
    let squares = squares(1);
    let elsewhere = [problem.start, problem.end].into_iter().flatten();
    let taken = elsewhere.filter(|end| !squares.contains(end)).count();
    let places = if problem.shape == Shape::Closed { 0 } else { 2_usize.saturating_sub(taken) };
    (squares.len() > places).then_some(Obstacle::DeadEnds { squares })
}

/// The number of parts of the board without the vertices in `removed`.
fn parts_without(graph: &KnightGraph, removed: &[bool]) -> u64 {
    let mut seen = removed.to_vec();
    let mut parts = 0;
    let mut stack = Vec::new();
    for v in graph.vertices() {
        if seen[v as usize] {
            continue;
        }
        parts += 1;
        seen[v as usize] = true;
        stack.push(v);
        while let Some(u) = stack.pop() {
            for &w in graph.neighbours(u) {
                if !seen[w as usize] {
                    seen[w as usize] = true;
                    stack.push(w);
                }
            }
        }
    }
    parts
}

fn parts(_: &TourProblem, graph: &KnightGraph) -> Option<Obstacle> {
    let parts = parts_without(graph, &vec![false; graph.len()]);
    (parts > 1).then_some(Obstacle::Cut { removed: Vec::new(), parts })
}

/// The most parts that a tour can have when so many squares are taken out of it.
fn joined(problem: &TourProblem, removed: usize) -> u64 {
    removed as u64 + u64::from(problem.shape == Shape::Open)
}

/// A square whose removal leaves more parts than a tour has pieces.
fn cut_square(problem: &TourProblem, graph: &KnightGraph) -> Option<Obstacle> {
    let most = joined(problem, 1);
    let (v, parts) = pieces_around(graph).into_iter().find(|&(_, parts)| parts > most)?;
    Some(Obstacle::Cut { removed: vec![graph.square(v)], parts })
}

/// Each cut vertex of a connected graph, with the parts that its removal leaves.
fn pieces_around(graph: &KnightGraph) -> Vec<(Vertex, u64)> {
    let n = graph.len();
    let mut number = vec![0_u32; n];
    let mut low = vec![0_u32; n];
    // The root has no part above it; every other vertex has one.
    let mut pieces = vec![1_u64; n];
    pieces[0] = 0;
    let mut clock = 1;
    number[0] = 1;
    low[0] = 1;
    let mut stack: Vec<(Vertex, Vertex, usize)> = vec![(0, Vertex::MAX, 0)];
    while let Some(top) = stack.last_mut() {
        let (v, parent, place) = *top;
        top.2 += 1;
        if let Some(&w) = graph.neighbours(v).get(place) {
            if number[w as usize] == 0 {
                clock += 1;
                number[w as usize] = clock;
                low[w as usize] = clock;
                stack.push((w, v, 0));
            } else if w != parent {
                low[v as usize] = low[v as usize].min(number[w as usize]);
            }
            continue;
        }
        stack.pop();
        if parent != Vertex::MAX {
            low[parent as usize] = low[parent as usize].min(low[v as usize]);
            if low[v as usize] >= number[parent as usize] {
                pieces[parent as usize] += 1;
            }
        }
    }
    graph.vertices().map(|v| (v, pieces[v as usize])).filter(|&(_, parts)| parts > 1).collect()
}

/// A set of squares of one colour with too few neighbours: take those away, and the set is stranded.
fn stranded(problem: &TourProblem, graph: &KnightGraph) -> Option<Obstacle> {
    if !problem.board.is_two_coloured(problem.leaper) {
        return None;
    }
    let dark: Vec<bool> = graph.vertices().map(|v| graph.square(v).is_dark()).collect();
    let matching = Matching::new(graph, &dark);
    let mut removed = vec![false; graph.len()];
    for v in matching.crowded(graph, &dark) {
        for &w in graph.neighbours(v) {
            removed[w as usize] = true;
        }
    }
    let squares: Vec<Square> =
        graph.vertices().filter(|&v| removed[v as usize]).map(|v| graph.square(v)).collect();
    let parts = parts_without(graph, &removed);
    (!squares.is_empty() && parts > joined(problem, squares.len()))
        .then_some(Obstacle::Cut { removed: squares, parts })
}
