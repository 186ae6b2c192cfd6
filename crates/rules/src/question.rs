//! Invalid questions, and what is wrong with them.

use std::fmt;

use crate::square::Square;
use crate::swap::Side;

/// What is wrong with a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuestionError {
    /// A named square lies outside the board.
    OffBoard {
        /// What the square is: `start`, `end`, `piece`, `knight`.
        role: &'static str,
        /// The square.
        square: Square,
        /// The board's sides, as `8x8`.
        size: String,
    },
    /// A named square is a hole.
    OnHole {
        /// What the square is.
        role: &'static str,
        /// The square.
        square: Square,
    },
    /// Two pieces stand on one square.
    Doubled(Square),
    /// Both ends of a tour of more than one square are the same.
    SameEnds(Square),
    /// A symmetry that this board does not have.
    NoSuchSymmetry {
        /// The symmetry, in words.
        symmetry: String,
        /// The board's sides.
        size: String,
        /// What of the board is in the way.
        why: Missing,
    },
    /// Start and goal have different numbers of some knight.
    Knights {
        /// Its letter.
        letter: char,
        /// How many the start has.
        start: usize,
        /// How many the goal has.
        goal: usize,
    },
    /// The goal has too few `?` for the knights that it does not place.
    NoRoom {
        /// How many knights it does not place.
        left: usize,
        /// How many `?` it has.
        open: usize,
    },
    /// Start and goal are on different boards.
    DifferentBoards,
    /// Colours take turns, but one of them has no knight.
    NoSide(Side),
    /// Opposing knights must not attack each other, but two do so in the start or goal.
    Attacked {
        /// `start` or `goal`.
        position: &'static str,
        /// One of the two.
        one: Square,
        /// The other.
        other: Square,
    },
}

/// Why a board does not have a symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// Its sides differ, and the symmetry exchanges them.
    NotSquare,
    /// One pair of its edges is joined, and the symmetry exchanges the pairs.
    JoinedOneWay,
    /// The image of a hole is no hole, or the only squares left are those that stay where they are.
    Holes,
    /// Every square would stay where it is.
    MovesNothing,
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuestionError::OffBoard { role, square, size } => {
                write!(f, "the {role} {square} is not on the {size} board")
            }
            QuestionError::OnHole { role, square } => write!(f, "the {role} {square} is a hole"),
            QuestionError::Doubled(square) => write!(f, "two pieces stand on {square}"),
            QuestionError::SameEnds(square) => {
                write!(f, "start and end are both {square}; a tour visits each square once")
            }
            QuestionError::NoSuchSymmetry { symmetry, size, why } => match why {
                Missing::NotSquare => {
                    write!(f, "a {size} board is not square and has no {symmetry} symmetry")
                }
                Missing::JoinedOneWay => write!(
                    f,
                    "a {size} board with one pair of edges joined has no {symmetry} symmetry"
                ),
                Missing::Holes => {
                    write!(f, "a {size} board with these holes has no {symmetry} symmetry")
                }
                Missing::MovesNothing => {
                    write!(f, "on a {size} board, {symmetry} symmetry would move no square")
                }
            },
            QuestionError::Knights { letter, start, goal } => {
                write!(f, "the start has {start} of `{letter}`, but the goal has {goal}")
            }
            QuestionError::NoRoom { left, open } => {
                write!(
                    f,
                    "{left} knights have no square in the goal, and it has {open} `?` for them"
                )
            }
            QuestionError::DifferentBoards => {
                write!(f, "start and goal differ in size or holes; they must be the same board")
            }
            QuestionError::NoSide(side) => {
                write!(f, "colours take turns, but there is no {side} knight")
            }
            QuestionError::Attacked { position, one, other } => {
                write!(
                    f,
                    "in the {position}, the opposing knights on {one} and {other} attack each other"
                )
            }
        }
    }
}

impl std::error::Error for QuestionError {}
