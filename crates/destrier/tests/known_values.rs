//! Answers from the literature, through every counter that can take them on.
//!
//! `known/counts.tsv` has a row for each: quantity, board, value, source. Rows above the cost limit are
//! passed over; `DESTRIER_LIMIT` (squares) raises it.

use destrier::count::TOUR_COUNTERS;
use destrier::rules::{Board, TourProblem};
use destrier::{Outcome, Watch};

const COUNTS: &str = include_str!("../../../known/counts.tsv");

/// The most squares of a row that each method runs by default: a second or so.
fn usual_limit(method: &str, closed: bool) -> u64 {
    match (method, closed) {
        ("naive", _) => 20,
        ("transfer", false) => 24, // `series.rs` runs the wider rows, all of a width at once
        ("backtrack", true) => 36,
        ("backtrack", false) => 28,
        (_, true) => 42,
        (_, false) => 36,
    }
}

#[test]
fn every_counter_reproduces_the_literature() {
    let limit: Option<u64> = std::env::var("DESTRIER_LIMIT").ok().and_then(|l| l.parse().ok());
    let mut checked = 0;
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
        for counter in TOUR_COUNTERS {
            if squares > limit.unwrap_or_else(|| usual_limit(counter.name(), closed)) {
                continue;
            }
            let Ok(run) = counter.count(&question, &Watch::unlimited()) else { continue };
            let Outcome::Solved(count) = run.outcome else { panic!("{row}: unfinished") };
            assert_eq!(count.undirected().to_string(), value, "{}: {row}", counter.name());
            checked += 1;
        }
    }
    assert!(checked > 30, "only {checked} rows were within the limit");
}
