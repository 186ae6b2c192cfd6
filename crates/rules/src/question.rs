//! Questions that cannot be taken on, and why.

use std::fmt;

use crate::square::Square;
use crate::swap::Side;

/// What is wrong with a question, before anyone looks for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuestionError {
    /// A named square lies outside the board.
    OffBoard {
        /// What the square was to be: `start`, `end`, `piece`, `knight`.
        role: &'static str,
        /// The square.
        square: Square,
        /// The board's sides, as `8x8`.
        size: String,
    },
    /// A named square is a hole.
    OnHole {
        /// What the square was to be.
        role: &'static str,
        /// The square.
        square: Square,
    },
    /// Two things stand on one square.
    Doubled(Square),
    /// The same square is asked for as both ends of a tour of more than one square.
    SameEnds(Square),
    /// A symmetry that this board does not have.
    NoSuchSymmetry {
        /// The symmetry, in words.
        symmetry: String,
        /// The board's sides.
        size: String,
    },
    /// The goal asks for more (or fewer) knights of a kind than there are.
    Knights {
        /// The kind.
        letter: char,
        /// How many the start has.
        start: usize,
        /// How many the goal has.
        goal: usize,
    },
    /// Start and goal stand on different boards.
    DifferentBoards,
    /// Colours are to take turns, and one of them has no knight.
    NoSide(Side),
    /// Colours must not attack each other, and do so in the start or goal.
    Attacked {
        /// `start` or `goal`.
        position: &'static str,
        /// One of the two.
        one: Square,
        /// The other.
        other: Square,
    },
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
            QuestionError::NoSuchSymmetry { symmetry, size } => {
                write!(f, "a {size} board with these holes has no {symmetry} symmetry")
            }
            QuestionError::Knights { letter, start, goal } => {
                write!(f, "the start has {start} of `{letter}`, and the goal has {goal}")
            }
            QuestionError::DifferentBoards => {
                write!(f, "start and goal differ in size or holes; they must share one board")
            }
            QuestionError::NoSide(side) => {
                write!(f, "colours are to take turns, and there is no {side} knight")
            }
            QuestionError::Attacked { position, one, other } => {
                write!(f, "in the {position}, {one} and {other} attack each other")
            }
        }
    }
}

impl std::error::Error for QuestionError {}
