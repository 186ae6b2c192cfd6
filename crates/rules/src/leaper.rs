//! What a knight's jump is: on a plain board, on a cylinder or torus, and for longer leapers.
//!
//! This is the definition, by arithmetic alone. Solvers have faster tables, which tests compare with it.

use std::fmt;
use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use crate::quoted;
use crate::square::Square;
use crate::word::words;

/// Is the step from one square to the other a knight's jump?
///
/// ```
/// # use destrier_rules::{Square, is_knight_jump};
/// assert!(is_knight_jump(Square::new(0, 0), Square::new(1, 2)));
/// assert!(!is_knight_jump(Square::new(0, 0), Square::new(2, 2)));
/// ```
#[must_use]
pub const fn is_knight_jump(from: Square, to: Square) -> bool {
    let across = from.file.abs_diff(to.file);
    let up = from.rank.abs_diff(to.rank);
    (across == 1 && up == 2) || (across == 2 && up == 1)
}

/// A piece that jumps `a` one way and `b` the other; the knight is the (1,2)-leaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub struct Leaper {
    a: u32,
    b: u32,
}

/// Why a text is not a leaper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaperError {
    text: String,
    too_long: bool,
}

/// Which edges of the board are joined, so that a jump leaves on one side and enters on the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Wrap {
    /// A plain board.
    #[default]
    None,
    /// Left and right edges joined: a cylinder (`--wrap x`).
    Files,
    /// Top and bottom edges joined: a cylinder the other way (`--wrap y`).
    Ranks,
    /// Both: a torus.
    Both,
}

words!(Wrap { None => "none", Files => "x", Ranks => "y", Both => "both" });

impl Leaper {
    /// The knight.
    pub const KNIGHT: Leaper = Leaper { a: 1, b: 2 };

    /// The (a,b)-leaper; the order of the two does not matter.
    ///
    /// # Errors
    /// When both are 0, since such a piece does not move, or one is longer than any board.
    pub fn new(a: u32, b: u32) -> Result<Leaper, LeaperError> {
        let (a, b) = (a.min(b), a.max(b));
        let too_long = b >= crate::MAX_SIDE;
        if b == 0 || too_long {
            return Err(LeaperError { text: format!("{a},{b}"), too_long });
        }
        Ok(Leaper { a, b })
    }

    /// The shorter and the longer leg.
    #[must_use]
    pub const fn legs(self) -> (u32, u32) {
        (self.a, self.b)
    }

    /// All its jumps as steps across and up, each once, in a fixed order.
    #[must_use]
    pub fn jumps(self) -> Vec<(i64, i64)> {
        let (a, b) = (i64::from(self.a), i64::from(self.b));
        let mut jumps = Vec::with_capacity(8);
        for (across, up) in [(a, b), (b, a), (b, -a), (a, -b), (-a, -b), (-b, -a), (-b, a), (-a, b)]
        {
            if !jumps.contains(&(across, up)) {
                jumps.push((across, up));
            }
        }
        jumps
    }

    /// Does every jump change the colour of the square?
    #[must_use]
    pub const fn changes_colour(self) -> bool {
        (self.a ^ self.b) & 1 == 1
    }
}

impl Default for Leaper {
    fn default() -> Leaper {
        Leaper::KNIGHT
    }
}

impl Wrap {
    /// Are the left and right edges joined?
    #[must_use]
    pub const fn joins_files(self) -> bool {
        matches!(self, Wrap::Files | Wrap::Both)
    }

    /// Are the top and bottom edges joined?
    #[must_use]
    pub const fn joins_ranks(self) -> bool {
        matches!(self, Wrap::Ranks | Wrap::Both)
    }
}

/// Do two coordinates lie `leg` apart on a side of this length?
pub(crate) const fn apart(one: u32, other: u32, leg: u32, side: u32, joined: bool) -> bool {
    if joined {
        let (one, other, leg, side) = (one as u64, other as u64, leg as u64, side as u64);
        (one + leg) % side == other || (other + leg) % side == one
    } else {
        one.abs_diff(other) == leg
    }
}

impl fmt::Display for Leaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.a, self.b)
    }
}

impl FromStr for Leaper {
    type Err = LeaperError;

    fn from_str(text: &str) -> Result<Leaper, LeaperError> {
        let wrong = |too_long| LeaperError { text: text.to_owned(), too_long };
        let (a, b) = text.split_once(',').ok_or_else(|| wrong(false))?;
        let leg = |leg: &str| {
            let too_long = |error: ParseIntError| *error.kind() == IntErrorKind::PosOverflow;
            leg.trim().parse().map_err(|error| wrong(too_long(error)))
        };
        Leaper::new(leg(a)?, leg(b)?)
    }
}

as_text!(Leaper, LeaperError);

impl fmt::Display for LeaperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = quoted(&self.text);
        if self.too_long {
            return write!(f, "{text} is not a leaper; a leg is at most {}", crate::MAX_SIDE - 1);
        }
        write!(
            f,
            "{text} is not a leaper; write its two legs, not both 0, like `1,2` for the knight"
        )
    }
}

impl std::error::Error for LeaperError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knight_jumps_to_eight_squares_of_a_five_by_five_board() {
        let centre = Square::new(2, 2);
        let near = |&(file, rank): &(u32, u32)| is_knight_jump(centre, Square::new(file, rank));
        let all: Vec<(u32, u32)> = (0..5).flat_map(|f| (0..5).map(move |r| (f, r))).collect();
        let jumps: Vec<(u32, u32)> = all.into_iter().filter(near).collect();
        assert_eq!(jumps, [(0, 1), (0, 3), (1, 0), (1, 4), (3, 0), (3, 4), (4, 1), (4, 3)]);
    }
}
