//! Answers from the literature, through every counter.
//!
//! `known/counts.tsv` has a row for each: quantity, board, value, source. Rows above the cost limit are
//! passed over; `DESTRIER_LIMIT` (squares) raises it.

mod tally;

use destrier::{Board, CountMethod, Method, Options, TourProblem, Tours};
use tally::Tally;

const COUNTS: &str = include_str!("../../../known/counts.tsv");

/// The most squares of a row that each method runs by default: a second or so.
fn usual_limit(method: CountMethod, closed: bool) -> u64 {
    match (method, closed) {
        (CountMethod::Naive, _) => 20,
        (CountMethod::Transfer, false) => 24, // `series.rs` runs the wider rows, all of a width at once
        (CountMethod::Search | CountMethod::Backtrack, true) => 36,
        (CountMethod::Search | CountMethod::Backtrack, false) => 28,
        (_, true) => 42,
        (_, false) => 36,
    }
}

#[test]
fn every_counter_reproduces_the_literature() {
    let limit: Option<u64> = std::env::var("DESTRIER_LIMIT").ok().and_then(|l| l.parse().ok());
    let mut counts = Tally::default();
    for row in COUNTS.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [quantity, board, value, _source] = cells[..] else { panic!("four cells: {row}") };
        let closed = match quantity {
            "closed tours, undirected" => true,
            "open tours, undirected" => false,
            _ => continue,
        };
        let board: Board = board.parse().unwrap();
        let squares = board.len();
        let question = if closed { TourProblem::closed(board) } else { TourProblem::open(board) };
        for &method in CountMethod::ALL {
            if squares > limit.unwrap_or_else(|| usual_limit(method, closed)) {
                continue;
            }
            let found = question.count_by(method, &Options::new());
            let Some(found) = counts.answer(method, found) else { continue };
            let count = found.total().unwrap();
            assert_eq!(count.undirected().to_string(), value, "{method}: {row}");
        }
    }
    if limit.is_none_or(|limit| limit >= 42) {
        counts.expect(&[
            ("auto", 68),
            ("middle", 48),
            ("frontier", 68),
            ("transfer", 51),
            ("search", 53),
            ("backtrack", 53),
            ("naive", 33),
        ]);
    }
}
