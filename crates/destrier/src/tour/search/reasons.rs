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

use std::cmp::Ordering;

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
    let (a, b) = leaper.legs();
    if board.wrap() != Wrap::None || !board.holes().is_empty() || board.len() == 1 {
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
    // Is the first square dark, and is the last one?
    let ways: &[(bool, bool)] = match dark.cmp(&light) {
        Ordering::Less => &[(false, false)],
        Ordering::Equal => &[(true, false), (false, true)],
        Ordering::Greater => &[(true, true)],
    };
    let possible =
        ways.iter().any(|&(first, last)| fits(problem.start, first) && fits(problem.end, last));
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

/// The most parts that a tour can have when this many squares are taken out of it.
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

/// What these reasons miss, a search finds; so that they say what they should is held against their definitions.
#[cfg(test)]
mod tests {
    use destrier_rules::{Board, Leaper, Problem as _};

    use super::*;

    /// All boards of 3×4 with holes, for a knight and for a piece that goes straight.
    fn boards() -> impl Iterator<Item = (Board, Leaper)> {
        (0..(1_u32 << 12) - 1).flat_map(|holes| {
            let whole = Board::new(4, 3).unwrap();
            let squares: Vec<Square> = whole.squares().collect();
            let holes = (0..12).filter(|at| holes >> at & 1 == 1).map(|at| squares[at]);
            let board = whole.without(holes).unwrap();
            ["1,2", "0,1"].map(|legs| (board.clone(), legs.parse().unwrap()))
        })
    }

    fn questions(board: &Board, leaper: Leaper) -> [TourProblem; 2] {
        [TourProblem::open(board.clone()), TourProblem::closed(board.clone())]
            .map(|problem| problem.with_leaper(leaper))
    }

    #[test]
    fn parts_and_cut_squares_are_those_of_the_definition() {
        let (mut in_parts, mut cut) = (0, 0);
        for (board, leaper) in boards() {
            let [open, closed] = questions(&board, leaper);
            let graph = KnightGraph::for_question(&open, 12, "test").unwrap();
            let without = |v: Option<Vertex>| {
                let removed: Vec<bool> = graph.vertices().map(|u| Some(u) == v).collect();
                parts_without(&graph, &removed)
            };
            let whole = without(None);
            let said = parts(&open, &graph);
            assert_eq!(said.is_some(), whole > 1, "{board}");
            if let Some(obstacle) = said {
                assert_eq!(obstacle, Obstacle::Cut { removed: Vec::new(), parts: whole });
                in_parts += 1;
                continue;
            }
            let pieces: Vec<(Vertex, u64)> =
                graph.vertices().map(|v| (v, without(Some(v)))).collect();
            let cuts: Vec<(Vertex, u64)> =
                pieces.into_iter().filter(|&(_, parts)| parts > 1).collect();
            assert_eq!(pieces_around(&graph), cuts, "{board}");
            for (problem, most) in [(&open, 2), (&closed, 1)] {
                let said = cut_square(problem, &graph);
                assert_eq!(said.is_some(), cuts.iter().any(|&(_, parts)| parts > most), "{board}");
                if let Some(obstacle) = said {
                    problem.confirm(&obstacle).unwrap();
                    cut += 1;
                }
            }
        }
        assert_eq!((in_parts, cut), (6458, 2234));
    }

    #[test]
    fn colours_are_those_of_a_sequence_that_alternates() {
        let mut refused = 0;
        for (board, leaper) in boards().step_by(97) {
            for problem in questions(&board, leaper) {
                let mut ends: Vec<Option<Square>> = board.squares().map(Some).collect();
                ends.push(None);
                for (&start, &end) in ends.iter().flat_map(|a| ends.iter().map(move |b| (a, b))) {
                    let problem = TourProblem { start, end, ..problem.clone() };
                    let n = board.len();
                    let sequence = |first: bool| (0..n).map(move |at| (at % 2 == 0) == first);
                    let is_possible = [true, false].into_iter().any(|first| {
                        let dark = sequence(first).filter(|&is_dark| is_dark).count() as u64;
                        let fits = |end: Option<Square>, is_dark: bool| {
                            end.is_none_or(|end| end.is_dark() == is_dark)
                        };
                        dark == board.colours().0
                            && (problem.shape == Shape::Open || n % 2 == 0)
                            && fits(start, first)
                            && fits(end, sequence(first).next_back().unwrap())
                    });
                    assert_eq!(colours(&problem).is_none(), is_possible, "{problem:?}");
                    refused += u32::from(!is_possible);
                }
            }
        }
        assert!(refused > 1000);
    }

    #[test]
    fn reasons_with_a_graph_and_without_are_given() {
        let asked = |text: &str| obstacle(&TourProblem::closed(text.parse().unwrap()));
        assert!(matches!(asked("5x5"), Some(Obstacle::Colours { .. })));
        assert!(matches!(asked("2x4"), Some(Obstacle::DeadEnds { .. })));
        assert!(matches!(asked("4x4"), Some(Obstacle::Cut { .. })));
        assert_eq!(asked("6x6"), None);
    }

    #[test]
    fn one_square_needs_no_closing_jump() {
        let from_corner_to = |files, end: Square| {
            let board = Board::new(files, 1).unwrap();
            TourProblem::closed(board).starting_at(Square::new(0, 0)).ending_at(end)
        };
        assert_eq!(closing_jump(&from_corner_to(1, Square::new(0, 0))), None);
        assert!(closing_jump(&from_corner_to(2, Square::new(1, 0))).is_some());
    }

    #[test]
    fn a_piece_on_a_sublattice_is_told_so_on_one_row_and_not_on_one_square() {
        let asked = |files, ranks, legs: &str| {
            let board = Board::new(files, ranks).unwrap();
            sublattice(&TourProblem::open(board).with_leaper(legs.parse().unwrap())).is_some()
        };
        for (files, ranks) in [(7, 1), (1, 7), (7, 7)] {
            assert!(asked(files, ranks, "1,3") && asked(files, ranks, "2,4"));
            assert!(!asked(files, ranks, "1,2"));
        }
        assert!(!asked(1, 1, "1,3"));
    }
}
