//! Many tours of one question, checked one after the other.
//!
//! The squares of the board and the jumps from each are computed once, as bits. A tour is then a chain
//! of steps within those bits that visits each square once. Whatever does not pass is given to
//! [`TourProblem::verify`], which decides and reports what is wrong.
//!
//! Invariant: accepts exactly what `verify` accepts.
//! Cost: a few operations per square on boards of at most 64 squares; otherwise that of `verify`.

use crate::fault::Fault;
use crate::square::Square;
use crate::tour::{Shape, Tour, TourProblem};
use crate::verify::Problem as _;

/// Checks tours of one question.
///
/// ```
/// use destrier_rules::{Board, Inspector, TourProblem};
///
/// let question = TourProblem::open(Board::new(3, 4)?);
/// let inspector = Inspector::new(question);
/// assert!(inspector.check(&"a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse()?).is_ok());
/// assert!(inspector.check(&"a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inspector {
    question: TourProblem,
    /// For each square, rank by rank, the squares one jump away; empty on large boards.
    near: Vec<u64>,
    /// All open squares.
    all: u64,
}

impl Inspector {
    /// Prepares the checks of a question.
    #[must_use]
    pub fn new(question: TourProblem) -> Inspector {
        let board = &question.board;
        if board.area() > 64 {
            return Inspector { question, near: Vec::new(), all: 0 };
        }
        let row = |rank| (0..board.files()).map(move |file| Square::new(file, rank));
        let squares: Vec<Square> = (0..board.ranks()).flat_map(row).collect();
        let bits = |is_set: &dyn Fn(Square) -> bool| {
            squares.iter().zip(0..).fold(0, |bits, (&s, i)| bits | u64::from(is_set(s)) << i)
        };
        let jumps = |&from: &Square| {
            bits(&|to| board.contains(from) && board.contains(to) && question.is_jump(from, to))
        };
        let near = squares.iter().map(jumps).collect();
        let all = bits(&|square| board.contains(square));
        Inspector { question, near, all }
    }

    /// The question whose tours are checked.
    #[must_use]
    pub const fn question(&self) -> &TourProblem {
        &self.question
    }

    /// Does the tour answer the question?
    ///
    /// # Errors
    /// What is wrong with it, as [`TourProblem::verify`](crate::Problem::verify) reports it.
    pub fn check(&self, tour: &Tour) -> Result<(), Fault> {
        if self.is_plainly_right(&tour.0) { Ok(()) } else { self.question.verify(tour) }
    }

    fn is_plainly_right(&self, squares: &[Square]) -> bool {
        let question = &self.question;
        let (Some(&first), Some(&last)) = (squares.first(), squares.last()) else { return false };
        if self.near.is_empty() || question.symmetry.is_some() {
            return false;
        }
        let (mut met, mut reach) = (0, u64::MAX);
        let mut right = true;
        for &square in squares {
            let Some(at) = self.index(square) else { return false };
            let here = 1 << at;
            right &= reach & here != 0 && met & here == 0;
            met |= here;
            reach = self.near[at];
        }
        let starts = question.start.is_none_or(|start| start == first);
        let ends = question.end.is_none_or(|end| end == last);
        let home = self.index(first).map_or(0, |at| 1 << at);
        let closes = question.shape == Shape::Open || (squares.len() > 2 && reach & home != 0);
        right && met == self.all && starts && ends && closes
    }

    fn index(&self, square: Square) -> Option<usize> {
        let board = &self.question.board;
        let at = square.rank as usize * board.files() as usize + square.file as usize;
        board.covers(square).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::tour::TourSymmetry;

    #[test]
    fn the_inspector_and_the_checker_agree_on_sound_and_spoiled_tours() {
        let board = Board::new(3, 4).unwrap();
        let whole: Tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse().unwrap();
        for question in [
            TourProblem::open(board.clone()),
            TourProblem::closed(board.clone()),
            TourProblem::open(board.clone()).starting_at(Square::new(0, 0)),
            TourProblem::open(board.clone()).ending_at(Square::new(0, 0)),
            TourProblem::open(board.clone().without([Square::new(2, 3)]).unwrap()),
        ] {
            let inspector = Inspector::new(question.clone());
            let mut accepted = 0;
            let mut look = |tour: &Tour| {
                assert_eq!(inspector.check(tour), question.verify(tour));
                assert_eq!(inspector.is_plainly_right(&tour.0), question.verify(tour).is_ok());
                accepted += u32::from(question.verify(tour).is_ok());
            };
            look(&whole);
            look(&Tour(Vec::new()));
            for i in 0..whole.0.len() {
                for j in 0..whole.0.len() {
                    let mut spoiled = whole.clone();
                    spoiled.0.swap(i, j);
                    look(&spoiled);
                }
                let mut shorter = whole.clone();
                shorter.0.remove(i);
                look(&shorter);
                let mut foreign = whole.clone();
                foreign.0[i] = Square::new(7, 7);
                look(&foreign);
                let mut reversed = whole.clone();
                reversed.0[i..].reverse();
                look(&reversed);
            }
            // Forwards, backwards, or without its last square, it answers every open question.
            assert_eq!(accepted > 0, question.shape == Shape::Open, "{question:?}");
        }
    }

    #[test]
    fn closed_tours_come_home_and_two_squares_are_none() {
        let long = TourProblem::closed(Board::new(3, 10).unwrap());
        let inspector = Inspector::new(long.clone());
        let mut tour: Tour = "a1 c2 a3 b1 c3 b5 c7 b9 a7 c6 a5 c4 b2 a4 b6 c8 b10 a8 c9 a10 b8 c10 a9 b7 c5 a6 b4 a2 c1 b3"
            .parse()
            .unwrap();
        assert_eq!(long.verify(&tour), Ok(()));
        for _ in 0..tour.0.len() {
            assert!(inspector.is_plainly_right(&tour.0), "it may begin anywhere");
            tour.0.rotate_left(1);
        }
        let two = [Square::new(0, 0), Square::new(1, 2)];
        let board = Board::new(2, 3).unwrap();
        let others: Vec<Square> = board.squares().filter(|square| !two.contains(square)).collect();
        let pair = TourProblem::closed(board.without(others).unwrap());
        let tour = Tour(two.to_vec());
        assert!(pair.verify(&tour).is_err());
        assert!(!Inspector::new(pair).is_plainly_right(&tour.0));
    }

    #[test]
    fn what_the_bits_cannot_say_is_left_to_the_checker() {
        let walk = |board: &Board| Tour(board.squares().collect());
        let large = TourProblem::open(Board::new(9, 8).unwrap());
        let refused = Inspector::new(large.clone()).check(&walk(&large.board));
        assert_eq!(refused, large.verify(&walk(&large.board)));
        assert!(refused.is_err());
        let board = Board::new(3, 4).unwrap();
        let whole: Tour = "a1 b3 c1 a2 b4 c2 a3 c4 b2 a4 c3 b1".parse().unwrap();
        let symmetry = Some(TourSymmetry::HalfTurn);
        let symmetric = TourProblem { symmetry, ..TourProblem::open(board) };
        let inspector = Inspector::new(symmetric.clone());
        assert_eq!(inspector.check(&whole), symmetric.verify(&whole));
        assert!(symmetric.verify(&whole).is_err(), "the tour has no symmetry");
    }
}
