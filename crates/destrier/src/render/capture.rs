//! Captures as text: the squares in order with an asterisk where a piece is taken, a grid, a table.
//!
//! Moves are numbered from 1, the start is 0. A square that is passed more than once carries the move
//! that took its piece, or else the first one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use destrier_rules::{CapturePlan, CaptureProblem, Square, Verified};

use super::grid::{Colour, grid};

/// Each square of a plan, and whether a piece is taken there.
fn taken(plan: &Verified<CaptureProblem>) -> Vec<(Square, bool)> {
    let CapturePlan(squares) = plan.solution();
    let mut left: BTreeSet<Square> = plan.problem().targets.clone();
    squares.iter().map(|&square| (square, left.remove(&square))).collect()
}

/// The squares in one line, with an asterisk where a piece is taken: `a1 b3* c5`.
#[must_use]
pub fn capture_list(plan: &Verified<CaptureProblem>) -> String {
    let words = taken(plan).into_iter().map(|(square, taken)| {
        let mark = if taken { "*" } else { "" };
        format!("{square}{mark}")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The moves as numbers on the board.
#[must_use]
pub fn capture_grid(plan: &Verified<CaptureProblem>, colour: Colour) -> String {
    let mut moves: BTreeMap<Square, (usize, bool)> = BTreeMap::new();
    for (number, (square, taken)) in taken(plan).into_iter().enumerate() {
        let first = moves.entry(square).or_insert((number, taken));
        if taken {
            *first = (number, true);
        }
    }
    let last = plan.solution().0.len() - 1;
    let (green, red, gold) = (28, 124, 136);
    grid(
        &plan.problem().board,
        colour,
        |square| {
            let &(number, taken) = moves.get(&square)?;
            Some(if taken { format!("{number}*") } else { format!("{number} ") })
        },
        |square| match moves.get(&square) {
            Some((0, _)) => Some(green),
            Some(&(number, _)) if number == last => Some(red),
            Some((_, true)) => Some(gold),
            _ => None,
        },
    )
}

/// A plan as comma-separated values: move from 0, square, file and rank from 1, piece taken or not.
#[must_use]
pub fn capture_csv(plan: &Verified<CaptureProblem>) -> String {
    let mut text = String::from("move,square,file,rank,taken\n");
    for (number, (square, taken)) in taken(plan).into_iter().enumerate() {
        let (file, rank) = (u64::from(square.file) + 1, u64::from(square.rank) + 1);
        let _ = writeln!(text, "{number},{square},{file},{rank},{}", u8::from(taken));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use destrier_rules::Board;

    fn plan() -> Verified<CaptureProblem> {
        let squares = |text: &str| text.split(' ').map(|s| s.parse().unwrap()).collect::<Vec<_>>();
        let problem = CaptureProblem {
            board: Board::new(3, 3).unwrap(),
            start: "a1".parse().unwrap(),
            targets: squares("c2 b1").into_iter().collect(),
        };
        Verified::check(problem, CapturePlan(squares("a1 c2 a1 b3 c1 a2 c3 b1"))).unwrap()
    }

    #[test]
    fn a_capture_reads_in_three_forms() {
        assert_eq!(capture_list(&plan()), "a1 c2* a1 b3 c1 a2 c3 b1*");
        let drawn = capture_grid(&plan(), Colour::Never);
        assert_eq!(drawn, " . 3  6 \n5   . 1*\n0  7* 4 \n");
        let table = capture_csv(&plan());
        assert!(table.starts_with("move,square,file,rank,taken\n0,a1,1,1,0\n1,c2,3,2,1\n"));
        assert!(table.ends_with("7,b1,2,1,1\n"));
    }
}
