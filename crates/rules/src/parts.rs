//! The parts of a board: the connected components of the graph of jumps.
//!
//! For boards from untrusted input: one bit for each square, and a list of the current part.
//!
//! Invariant: each open square that was not removed is in exactly one part.

use crate::board::Board;
use crate::budget::Budget;
use crate::leaper::Leaper;
use crate::square::Square;

/// Iterates over the parts of a board, by their lowest squares.
pub(crate) struct Parts<'b> {
    board: &'b Board,
    leaper: Leaper,
    /// Squares that are in no part yet, one bit each.
    left: Vec<u64>,
    next: usize,
    budget: &'b Budget<'b>,
}

/// The steps that a square takes: its jumps, each a look at the bits and at the holes.
const STEPS: u64 = 64;
/// The bytes that a square takes in the list of its part, which grows by doubling, and its bit.
const BYTES: u64 = 17;

impl<'b> Parts<'b> {
    /// All parts, within a budget: when it is used up, the parts end early, and [`Budget::stopped`] says so.
    pub(crate) fn new(
        board: &'b Board,
        leaper: Leaper,
        budget: &'b Budget<'b>,
    ) -> Result<Parts<'b>, String> {
        budget.afford(board.area().saturating_mul(STEPS))?;
        budget.hold(board.area().saturating_mul(BYTES))?;
        let area = usize::try_from(board.area()).expect("the board is not too large");
        let left = vec![u64::MAX; area.div_ceil(64)];
        let mut parts = Parts { board, leaper, left, next: 0, budget };
        for &hole in board.holes() {
            parts.remove(hole);
        }
        Ok(parts)
    }

    /// Removes a square of the board; was it there?
    pub(crate) fn remove(&mut self, square: Square) -> bool {
        let index = square.rank as usize * self.board.files() as usize + square.file as usize;
        let bit = 1 << (index % 64);
        let there = self.left[index / 64] & bit != 0;
        self.left[index / 64] &= !bit;
        there
    }

    /// The part of this square, which is removed with it.
    pub(crate) fn part_of(&mut self, square: Square) -> Vec<Square> {
        let mut part = Vec::new();
        if self.remove(square) {
            part.push(square);
        }
        let mut head = 0;
        while let Some(&at) = part.get(head) {
            head += 1;
            if self.budget.step(STEPS).is_err() {
                break;
            }
            for next in self.board.jumps_from(self.leaper, at) {
                if self.remove(next) {
                    part.push(next);
                }
            }
        }
        part.sort_unstable();
        part
    }
}

impl Iterator for Parts<'_> {
    type Item = Vec<Square>;

    fn next(&mut self) -> Option<Vec<Square>> {
        if self.budget.stopped().is_some() {
            return None;
        }
        let (files, area) = (u64::from(self.board.files()), self.board.area());
        while self.left.get(self.next)? == &0 {
            self.next += 1;
        }
        let index = self.next as u64 * 64 + u64::from(self.left[self.next].trailing_zeros());
        if index >= area {
            return None; // bits beyond the last square
        }
        let side = |n: u64| u32::try_from(n).expect("it is on the board");
        Some(self.part_of(Square::new(side(index % files), side(index / files))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_square_is_in_one_part() {
        for (files, ranks) in [(1, 1), (3, 3), (2, 5), (8, 8), (9, 8), (13, 5), (64, 1)] {
            let board = Board::new(files, ranks).unwrap();
            let budget = Budget::default();
            let parts = Parts::new(&board, Leaper::KNIGHT, &budget).unwrap();
            let mut squares: Vec<Square> = parts.flatten().collect();
            squares.sort_unstable();
            assert_eq!(squares, board.squares().collect::<Vec<_>>(), "{board}");
        }
    }

    #[test]
    fn a_jump_joins_and_nothing_else_does() {
        let sizes = |board: &Board| -> Vec<usize> {
            let budget = Budget::default();
            let parts = Parts::new(board, Leaper::KNIGHT, &budget).unwrap();
            parts.map(|part| part.len()).collect()
        };
        let board = Board::new(3, 3).unwrap();
        assert_eq!(sizes(&board), [8, 1]);
        let holed = board.without(["a1", "c3"].map(|s| s.parse().unwrap())).unwrap();
        assert_eq!(sizes(&holed), [3, 3, 1]);
        let budget = Budget::default();
        let mut parts = Parts::new(&holed, Leaper::KNIGHT, &budget).unwrap();
        let b1: Square = "b1".parse().unwrap();
        assert_eq!(parts.part_of(b1).len(), 3);
        assert_eq!(parts.part_of(b1), []);
        assert!(!parts.remove("a1".parse().unwrap()), "a hole is not there");
    }
}
