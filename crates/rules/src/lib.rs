//! What is true of knights on a board: squares, boards, problems, and the checker of their solutions.
//!
//! This crate is the trusted base of Destrier. It has no dependencies and knows no solver: jumps are
//! decided by arithmetic and every solution is replayed square by square. Read it once, and you know
//! what an answer of Destrier means.
//!
//! ```text
//! Square ─► Board ─► Problem ◄── Solution
//!                       │
//!                    verify ──► Fault      what is wrong, and at which step
//!                       │
//!                    Verified ─► Certificate   the claim made for it, and by whom
//! ```
//!
//! ```
//! use destrier_rules::{Board, Tour, TourProblem, Verified};
//!
//! let question = TourProblem::open(Board::new(3, 4)?);
//! let tour: Tour = "a1 c2 a3 b1 c3 a4 b2 c4 a2 c1 b3 ...".replace(" ...", "").parse()?;
//! // One square is missing, and the checker says so.
//! let fault = Verified::check(question, tour).unwrap_err();
//! assert_eq!(fault.to_string(), "the tour has 11 squares, but the board has 12");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

/// For a type with `Display` and `FromStr`: the conversions by which serde writes and reads it as text.
macro_rules! as_text {
    ($type:ty, $error:ty) => {
        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.to_string()
            }
        }

        impl TryFrom<String> for $type {
            type Error = $error;

            fn try_from(text: String) -> Result<$type, $error> {
                text.parse()
            }
        }
    };
}

mod board;
mod budget;
mod capture;
mod certificate;
mod count;
mod fault;
mod feasibility;
mod fen;
mod inspector;
mod leaper;
mod obstacle;
mod parts;
mod potentials;
mod puzzle;
mod question;
mod refutation;
mod regions;
mod search;
mod square;
mod stream;
mod swap;
mod symmetry;
mod tour;
mod verify;
mod word;

pub use board::{Board, BoardError, MAX_SIDE};
pub use budget::Budget;
pub use capture::{CapturePlan, CaptureProblem};
#[cfg(feature = "serde")]
pub use certificate::Unchecked;
pub use certificate::{AnyCertificate, Certificate, Claim, Confirmed, Origin, Proof, Statement};
pub use count::{CountCertificate, CountStatement, Evidence, MOST_DIGITS, check_by_start};
pub use fault::Fault;
pub use fen::{FenError, Setup};
pub use inspector::Inspector;
pub use leaper::{Leaper, LeaperError, Wrap, is_knight_jump};
pub use obstacle::{Obstacle, Support, is_method};
pub use potentials::{LetterPotentials, Potentials};
pub use puzzle::{Puzzle, PuzzleError};
pub use question::{Missing, QuestionError};
pub use refutation::{
    EndingRefutation, Length, ProofStep, Refutation, TARIFF_UNIT, TREE_UNIT, Tariff,
};
pub use search::Sought;
pub use square::{Coordinates, Square, SquareError, parse_squares};
pub use stream::{Ranks, Segment, StepNumber};
pub use swap::{
    Goal, Metric, Move, MoveError, Placement, Side, SwapFenError, SwapPlan, SwapProblem, SwapRules,
};
pub use symmetry::Symmetry;
pub use tour::{Shape, Tour, TourProblem, TourSymmetry};
pub use verify::{Impossible, Problem, Verified};
pub use word::{Word, WordError};

/// Shows untrusted text in an error: quoted, escaped, and never longer than a line.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown = escaped(&text.chars().take(MOST).collect::<String>());
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// Text that can stand in a line: line breaks, control characters and marks that turn the writing are escaped.
///
/// ```
/// let forged = "none\nconfirmed: all of it";
/// assert_eq!(destrier_rules::escaped(forged), r"none\nconfirmed: all of it");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        // What is escaped already stays as it is.
        if matches!(letter, '\'' | '"' | '\\') {
            shown.push(letter);
        } else {
            shown.extend(letter.escape_debug());
        }
    }
    shown
}
