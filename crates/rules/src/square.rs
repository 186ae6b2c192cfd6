//! A square, named by its file and rank.
//!
//! Files are lettered like the columns of a spreadsheet: `a` … `z`, `aa`, `ab`, …; ranks are numbered
//! from 1 at the bottom. Inside, both count from 0. Exercises that write `x,y` are read too.
//!
//! Invariant: a printed square reads back as the same square.

use std::fmt;
use std::str::FromStr;

use crate::board::MAX_SIDE;
use crate::quoted;
use crate::word::words;

/// A square of any board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub struct Square {
    /// The rank (row), from 0 at the bottom. It comes first, so squares sort row by row.
    pub rank: u32,
    /// The file (column), from 0 at the left.
    pub file: u32,
}

/// Whether the numbers in `x,y` start from 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Coordinates {
    /// The corner is `0,0`.
    #[default]
    Zero,
    /// The corner is `1,1`.
    One,
}

words!(Coordinates { Zero => "zero", One => "one" });

/// Why a text is not a square.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SquareError {
    /// It is neither `c3` nor `x,y`.
    Malformed(String),
    /// Its file or rank is larger than that of any board.
    TooFar(String),
    /// Ranks, and one-based coordinates, start at 1.
    Zero(String),
    /// A list of `x,y` has an odd number of numbers.
    Unpaired(String),
}

impl Square {
    /// Files and ranks between two squares, added up.
    #[must_use]
    pub const fn manhattan(self, other: Square) -> u32 {
        self.file.abs_diff(other.file) + self.rank.abs_diff(other.rank)
    }

    /// The square on this file and rank, both counted from 0.
    #[must_use]
    pub const fn new(file: u32, rank: u32) -> Square {
        Square { rank, file }
    }

    /// Is the square dark, as `a1` is?
    #[must_use]
    pub const fn is_dark(self) -> bool {
        (self.file ^ self.rank) & 1 == 0
    }

    /// Reads `c3`, or `x,y` in the given coordinates.
    ///
    /// # Errors
    /// When the text is neither, or not on any board.
    ///
    /// ```
    /// # use destrier_rules::{Coordinates, Square};
    /// assert_eq!(Square::read("3,1", Coordinates::One), Square::read("c1", Coordinates::One));
    /// ```
    pub fn read(text: &str, coordinates: Coordinates) -> Result<Square, SquareError> {
        let bare = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let Some((x, y)) = bare.unwrap_or(text).split_once(',') else { return text.parse() };
        Ok(Square::new(
            coordinate(x.trim(), coordinates, text)?,
            coordinate(y.trim(), coordinates, text)?,
        ))
    }
}

/// Reads a list of squares, `c3,d4` or `c3 d4`, or of coordinates, `2,2 3,3`, `2,2;3,3` or `(2,2) (3,3)`.
///
/// # Errors
/// At the first word that is not a square.
pub fn parse_squares(text: &str, coordinates: Coordinates) -> Result<Vec<Square>, SquareError> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'))
        .filter(|word| !word.is_empty())
        .collect();
    if words.iter().any(|word| !word.bytes().all(|b| b.is_ascii_digit())) {
        return words.into_iter().map(str::parse).collect();
    }
    if words.len() % 2 == 1 {
        return Err(SquareError::Unpaired(text.to_owned()));
    }
    words
        .chunks(2)
        .map(|pair| {
            let shown = pair.join(",");
            Ok(Square::new(
                coordinate(pair[0], coordinates, &shown)?,
                coordinate(pair[1], coordinates, &shown)?,
            ))
        })
        .collect()
}

fn coordinate(digits: &str, coordinates: Coordinates, whole: &str) -> Result<u32, SquareError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SquareError::Malformed(whole.to_owned()));
    }
    let number = below_max(digits).ok_or_else(|| SquareError::TooFar(whole.to_owned()))?;
    match coordinates {
        Coordinates::Zero if number < MAX_SIDE => Ok(number),
        Coordinates::Zero => Err(SquareError::TooFar(whole.to_owned())),
        Coordinates::One => {
            number.checked_sub(1).ok_or_else(|| SquareError::Zero(whole.to_owned()))
        }
    }
}

/// Reads digits as a number of at most `MAX_SIDE`.
fn below_max(digits: &str) -> Option<u32> {
    digits.parse::<u32>().ok().filter(|&number| number <= MAX_SIDE)
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (file, rank) = text.split_at(letters);
        if file.is_empty() || rank.is_empty() || !rank.bytes().all(|b| b.is_ascii_digit()) {
            return Err(SquareError::Malformed(text.to_owned()));
        }
        let too_far = || SquareError::TooFar(text.to_owned());
        let mut number = 0_u32;
        for letter in file.bytes() {
            number = number
                .checked_mul(26)
                .and_then(|n| n.checked_add(u32::from(letter.to_ascii_lowercase() - b'a') + 1))
                .filter(|&n| n <= MAX_SIDE)
                .ok_or_else(too_far)?;
        }
        let rank = below_max(rank).ok_or_else(too_far)?;
        let rank = rank.checked_sub(1).ok_or_else(|| SquareError::Zero(text.to_owned()))?;
        Ok(Square::new(number - 1, rank))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = [0_u8; 7];
        let mut at = letters.len();
        let mut number = self.file + 1;
        while number > 0 {
            at -= 1;
            letters[at] = b'a' + ((number - 1) % 26) as u8;
            number = (number - 1) / 26;
        }
        let file = str::from_utf8(&letters[at..]).map_err(|_| fmt::Error)?;
        f.pad(&format!("{file}{}", u64::from(self.rank) + 1))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

as_text!(Square, SquareError);

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SquareError::Malformed(text) => write!(
                f,
                "{} is not a square; write a file letter and a rank number, like `c3`",
                quoted(text)
            ),
            SquareError::TooFar(text) => {
                write!(f, "{} is not on any board: sides go up to {MAX_SIDE}", quoted(text))
            }
            SquareError::Zero(text) => {
                write!(f, "{} has a zero; ranks and one-based coordinates start at 1", quoted(text))
            }
            SquareError::Unpaired(text) => {
                write!(f, "{} has an odd number of coordinates; write `x,y x,y`", quoted(text))
            }
        }
    }
}

impl std::error::Error for SquareError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_go_on_after_z() {
        for (file, name) in [(0, "a1"), (25, "z1"), (26, "aa1"), (701, "zz1"), (702, "aaa1")] {
            assert_eq!(Square::new(file, 0).to_string(), name);
            assert_eq!(name.parse(), Ok(Square::new(file, 0)));
        }
        let last = Square::new(MAX_SIDE - 1, MAX_SIDE - 1);
        assert_eq!(last.to_string().parse(), Ok(last));
    }

    #[test]
    fn what_is_not_a_square_is_named() {
        for text in
            ["", "a", "9", "a0", "1a", "a1b", "a-1", "é4", "zzzzzzzz1", "a99999999999", "a 1"]
        {
            let error = text.parse::<Square>().unwrap_err().to_string();
            assert!(error.starts_with(&quoted(text)), "{error}");
        }
    }

    #[test]
    fn lists_come_in_letters_or_numbers() {
        let want = Ok(vec![Square::new(2, 2), Square::new(3, 3)]);
        assert_eq!(parse_squares("c3,d4", Coordinates::Zero), want);
        assert_eq!(parse_squares(" c3  d4 ", Coordinates::Zero), want);
        assert_eq!(parse_squares("2,2;3,3", Coordinates::Zero), want);
        assert_eq!(parse_squares("3,3 4,4", Coordinates::One), want);
        assert!(parse_squares("1,2,3", Coordinates::Zero).is_err());
        assert!(parse_squares("0,1", Coordinates::One).is_err());
    }
}
