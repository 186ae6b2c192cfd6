//! What is wrong with a claimed solution, and where.
//!
//! Steps are numbered from 1, as on the printed grid.

use std::fmt;

use crate::leaper::Leaper;
use crate::question::QuestionError;
use crate::square::Square;
use crate::swap::Side;

/// The first thing that the checker found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The question itself is invalid.
    Question(QuestionError),
    /// A tour must have as many squares as the board.
    Length {
        /// How many it has.
        found: u64,
        /// How many it should have.
        expected: u64,
    },
    /// A square that is not on the board.
    OffBoard {
        /// The step, from 1.
        step: u64,
        /// The square.
        square: Square,
    },
    /// A square that is a hole.
    OnHole {
        /// The step, from 1.
        step: u64,
        /// The square.
        square: Square,
    },
    /// Two consecutive squares that are not a knight's jump apart.
    NotAJump {
        /// The step that arrives, from 1.
        step: u64,
        /// Where it comes from.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// Two consecutive squares that are not a jump of a longer leaper apart.
    NotALeap {
        /// The piece.
        leaper: Leaper,
        /// The step that arrives, from 1; none where the last square should lead home.
        step: Option<u64>,
        /// Where it comes from.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A closed tour of one or two squares.
    NotACycle,
    /// A square visited before.
    Repeated {
        /// The step, from 1.
        step: u64,
        /// The square.
        square: Square,
        /// The step that was there first.
        first: u64,
    },
    /// A number on a board that is no step of its tour.
    NotAStep {
        /// The square.
        square: Square,
        /// The number on it.
        number: u64,
        /// The last step.
        last: u64,
    },
    /// A step on a board with no next step a jump away.
    NoNext {
        /// The step, from 1.
        step: u64,
        /// Its square.
        square: Square,
    },
    /// It does not start or end where it should.
    WrongEnd {
        /// `start` or `end`.
        role: &'static str,
        /// Where it is.
        found: Square,
        /// Where it should be.
        expected: Square,
    },
    /// The last square of a knight's closed tour is not a jump from the first.
    NotClosed {
        /// The last square.
        last: Square,
        /// The first square.
        first: Square,
    },
    /// A tour that does not have the symmetry it should have.
    NotSymmetric {
        /// The symmetry, in words.
        symmetry: String,
        /// A step at which it fails.
        step: u64,
        /// The square there.
        square: Square,
    },
    /// A plan without any square.
    Empty,
    /// A piece that is never taken.
    Missed(Square),
    /// A move from a square on which no knight stands.
    NoKnight {
        /// The move, from 1.
        step: u64,
        /// The square.
        square: Square,
    },
    /// A move to a square on which a knight stands.
    Occupied {
        /// The move, from 1.
        step: u64,
        /// The square.
        square: Square,
    },
    /// In turns, a run that ends where it began.
    IdleRun {
        /// The last move of the run, from 1.
        step: u64,
        /// The square.
        square: Square,
    },
    /// A move by the colour whose turn it is not.
    WrongTurn {
        /// The move, from 1.
        step: u64,
        /// The square moved from.
        square: Square,
        /// Whose turn it is.
        turn: Side,
    },
    /// A move after which two opposing knights attack each other.
    Attacked {
        /// The move, from 1.
        step: u64,
        /// One of the two.
        one: Square,
        /// The other.
        other: Square,
    },
    /// The plan ends, but a square is not as the goal has it.
    GoalMissed {
        /// The square.
        square: Square,
        /// What stands there.
        found: Option<char>,
        /// What should stand there.
        expected: Option<char>,
    },
    /// A claim that its own numbers contradict.
    Claim(String),
    /// A reason for impossibility that does not hold.
    Reason(String),
    /// A certificate whose fields do not fit each other.
    Certificate(String),
    /// Nothing is wrong so far, but the check would take too long for a certificate of this size.
    TooMuchWork {
        /// The steps that it would take.
        steps: u64,
        /// The most that it may take.
        most: u64,
    },
    /// Nothing is wrong so far, but this is more than the checker supports.
    Undecided(String),
    /// Nothing is wrong so far, but the check was cancelled.
    Stopped,
}

impl Fault {
    /// Was the check not finished, so that nothing is known to be wrong?
    #[must_use]
    pub const fn is_unfinished(&self) -> bool {
        matches!(self, Fault::TooMuchWork { .. } | Fault::Undecided(_) | Fault::Stopped)
    }

    /// The step at which it occurs, from 1.
    #[must_use]
    pub const fn step(&self) -> Option<u64> {
        match *self {
            Fault::OffBoard { step, .. }
            | Fault::OnHole { step, .. }
            | Fault::NotAJump { step, .. }
            | Fault::Repeated { step, .. }
            | Fault::NotSymmetric { step, .. }
            | Fault::NoKnight { step, .. }
            | Fault::Occupied { step, .. }
            | Fault::WrongTurn { step, .. }
            | Fault::IdleRun { step, .. }
            | Fault::Attacked { step, .. } => Some(step),
            Fault::NotALeap { step, .. } => step,
            _ => None,
        }
    }

    /// The squares where it occurs.
    #[must_use]
    pub fn squares(&self) -> Vec<Square> {
        match *self {
            Fault::OffBoard { square, .. }
            | Fault::OnHole { square, .. }
            | Fault::Repeated { square, .. }
            | Fault::NotSymmetric { square, .. }
            | Fault::Missed(square)
            | Fault::NoKnight { square, .. }
            | Fault::Occupied { square, .. }
            | Fault::WrongTurn { square, .. }
            | Fault::IdleRun { square, .. }
            | Fault::GoalMissed { square, .. } => vec![square],
            Fault::NotAJump { from, to, .. } | Fault::NotALeap { from, to, .. } => vec![from, to],
            Fault::WrongEnd { found, expected, .. } => vec![found, expected],
            Fault::NotClosed { last, first } => vec![last, first],
            Fault::Attacked { one, other, .. } => vec![one, other],
            _ => Vec::new(),
        }
    }
}

/// What stands on a square, in words.
fn shown(letter: Option<char>) -> String {
    letter.map_or_else(|| "nothing".to_owned(), |letter| format!("`{letter}`"))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Question(error) => error.fmt(f),
            Fault::Length { found, expected } => {
                write!(f, "the tour has {found} squares, but the board has {expected}")
            }
            Fault::OffBoard { step, square } => {
                write!(f, "step {step}: {square} is not on the board")
            }
            Fault::OnHole { step, square } => write!(f, "step {step}: {square} is a hole"),
            Fault::NotAJump { step, from, to } => {
                write!(f, "step {step}: {from} to {to} is not a knight's jump")
            }
            Fault::NotALeap { leaper, step, from, to } => {
                match step {
                    Some(step) => write!(f, "step {step}")?,
                    None => f.write_str("the tour is not closed")?,
                }
                write!(f, ": {from} to {to} is not a jump of a {leaper} leaper")
            }
            Fault::NotACycle => {
                f.write_str("the tour is not closed: that takes three squares at least")
            }
            Fault::Repeated { step, square, first } => {
                write!(f, "step {step}: {square} was visited before, at step {first}")
            }
            Fault::NotAStep { square, number, last } => {
                write!(f, "{square} has the number {number}; steps go from 1 to {last}")
            }
            Fault::NoNext { step, square } => {
                write!(f, "step {}: not a jump away from step {step} on {square}", step + 1)
            }
            Fault::WrongEnd { role, found, expected } => {
                write!(f, "the {role} is {found}, but should be {expected}")
            }
            Fault::NotClosed { last, first } => {
                write!(f, "the tour is not closed: {last} to {first} is not a knight's jump")
            }
            Fault::NotSymmetric { symmetry, step, square } => {
                write!(f, "step {step}: the tour does not have {symmetry} symmetry at {square}")
            }
            Fault::Empty => {
                write!(f, "the plan has no squares; it must begin with the knight's square")
            }
            Fault::Missed(square) => write!(f, "the piece on {square} is never taken"),
            Fault::NoKnight { step, square } => {
                write!(f, "move {step}: no knight stands on {square}")
            }
            Fault::Occupied { step, square } => {
                write!(f, "move {step}: {square} is occupied")
            }
            Fault::WrongTurn { step, square, turn } => {
                write!(
                    f,
                    "move {step}: it is {turn}'s turn, but the knight on {square} is not {turn}"
                )
            }
            Fault::Attacked { step, one, other } => {
                write!(
                    f,
                    "move {step}: afterwards the opposing knights on {one} and {other} attack each other"
                )
            }
            Fault::GoalMissed { square, found, expected } => write!(
                f,
                "the plan ends with {} on {square}, but the goal has {}",
                shown(*found),
                shown(*expected)
            ),
            Fault::Claim(why) => write!(f, "the claim does not hold: {why}"),
            Fault::Reason(why) => write!(f, "the reason does not hold: {why}"),
            Fault::Certificate(why) => f.write_str(why),
            Fault::IdleRun { step, square } => write!(
                f,
                "move {step}: the run ends on {square}, where it began; in turns, each side must move"
            ),
            Fault::TooMuchWork { steps, most } => {
                write!(f, "the check would take {steps} steps; the limit is {most}")
            }
            Fault::Undecided(why) => write!(f, "the checker cannot decide this: {why}"),
            Fault::Stopped => write!(f, "the check was stopped"),
        }
    }
}

impl std::error::Error for Fault {}
