//! Boards with pieces, written as extended FEN.
//!
//! Ranks from the top, separated by `/`; in each rank a letter is a piece, `#` or `*` a hole, `?` a
//! square left open by the question, and a number (of any length) that many empty squares. The further
//! fields of a chess FEN are accepted and ignored.
//!
//! Invariant: what is written reads back the same. Reading takes memory in proportion to the text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

use crate::board::{Board, BoardError, MAX_SIDE};
use crate::square::Square;

/// A board and the pieces on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board with its holes.
    pub board: Board,
    /// Letters on squares.
    pub pieces: BTreeMap<Square, char>,
    /// Squares marked `?`.
    pub unknown: BTreeSet<Square>,
}

/// What is wrong with a FEN, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenError {
    /// There is no rank in it.
    Empty,
    /// A character that means nothing.
    Character {
        /// The rank in reading order, from 1 at the top.
        line: usize,
        /// The column in the rank's text, from 1.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A rank is shorter or longer than the first one.
    Ragged {
        /// The rank in reading order, from 1 at the top.
        line: usize,
        /// Its squares.
        found: u64,
        /// The first rank's squares.
        expected: u64,
    },
    /// A run of empty squares is too long for any board.
    Run {
        /// The rank in reading order, from 1 at the top.
        line: usize,
    },
    /// The board itself is invalid.
    Board(BoardError),
}

impl Setup {
    /// A board with nothing on it.
    #[must_use]
    pub const fn empty(board: Board) -> Setup {
        Setup { board, pieces: BTreeMap::new(), unknown: BTreeSet::new() }
    }

    /// Writes the FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut text = String::new();
        let marked: BTreeSet<Square> = (self.board.holes().iter().copied())
            .chain(self.pieces.keys().copied())
            .chain(self.unknown.iter().copied())
            .collect();
        for rank in (0..self.board.ranks()).rev() {
            let mut next = 0;
            let row = marked.range(Square::new(0, rank)..=Square::new(u32::MAX, rank));
            for &square in row {
                write_run(&mut text, square.file - next);
                next = square.file + 1;
                text.push(match self.pieces.get(&square) {
                    Some(&piece) => piece,
                    None if self.board.contains(square) => '?',
                    None => '#',
                });
            }
            write_run(&mut text, self.board.files() - next);
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }
}

fn write_run(text: &mut String, run: u32) {
    if run > 0 {
        let _ = write!(text, "{run}"); // writing to a String cannot fail
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_whitespace();
        let placement = fields.next().ok_or(FenError::Empty)?;
        let ranks = placement.split('/').count();
        if fields.any(|field| field.contains('/')) {
            // A gap in the middle of the board: what follows must not be lost.
            let column = placement.rsplit('/').next().map_or(0, |rank| rank.chars().count()) + 1;
            let found = text.trim_start()[placement.len()..].chars().next().unwrap_or(' ');
            return Err(FenError::Character { line: ranks, column, found });
        }
        let height = u32::try_from(ranks).ok().filter(|&height| height <= MAX_SIDE);
        let height = height.ok_or(FenError::Board(BoardError::Side(ranks.to_string())))?;
        let (mut holes, mut unknown, mut pieces) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
        let mut width = None;
        for (line, (row, rank)) in (1..).zip(placement.split('/').zip((0..height).rev())) {
            let found = read_rank(row, line, |file, mark| {
                let square = Square::new(file, rank);
                match mark {
                    '#' | '*' => holes.push(square),
                    '?' => drop(unknown.insert(square)),
                    piece => drop(pieces.insert(square, piece)),
                }
            })?;
            let expected = *width.get_or_insert(found);
            if found != expected {
                let (found, expected) = (u64::from(found), u64::from(expected));
                return Err(FenError::Ragged { line, found, expected });
            }
        }
        let board = Board::new(width.unwrap_or(0), height).map_err(FenError::Board)?;
        let board = board.without(holes).map_err(FenError::Board)?;
        Ok(Setup { board, pieces, unknown })
    }
}

/// Reads one rank, reports each mark and its file, and returns the rank's length.
fn read_rank(row: &str, line: usize, mut mark: impl FnMut(u32, char)) -> Result<u32, FenError> {
    let (mut file, mut run) = (0_u32, None::<u32>);
    let longer = |file: u32, by: u32| {
        file.checked_add(by).filter(|&file| file <= MAX_SIDE).ok_or(FenError::Run { line })
    };
    for (column, found) in (1..).zip(row.chars()) {
        if let Some(digit) = found.to_digit(10) {
            let so_far = run.unwrap_or(0).checked_mul(10).and_then(|run| run.checked_add(digit));
            run = Some(so_far.ok_or(FenError::Run { line })?);
            continue;
        }
        file = longer(file, run.take().unwrap_or(0))?;
        if !(found.is_ascii_alphabetic() || matches!(found, '#' | '*' | '?')) {
            return Err(FenError::Character { line, column, found });
        }
        mark(file, found);
        file = longer(file, 1)?;
    }
    longer(file, run.unwrap_or(0))
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => write!(f, "the FEN is empty; write rows separated by `/`"),
            FenError::Character { line, column, found } => write!(
                f,
                "row {line} of the FEN, column {column}, has `{}`; a row is letters, numbers, `#` and `?`",
                found.escape_debug()
            ),
            FenError::Ragged { line, found, expected } => {
                write!(f, "row {line} of the FEN has {found} squares, but the first has {expected}")
            }
            FenError::Run { line } => {
                write!(
                    f,
                    "row {line} of the FEN is longer than any board: sides go up to {MAX_SIDE}"
                )
            }
            FenError::Board(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_reads_back() {
        for fen in ["nnn/3/3/NNN", "n#?1/4", "10/N9", "?", "2147483648"] {
            assert_eq!(fen.parse::<Setup>().unwrap().fen(), fen);
        }
        let with_fields = "8/8 w KQkq - 0 1".parse::<Setup>().unwrap();
        assert_eq!(with_fields.fen(), "8/8");
        assert_eq!("#".parse::<Setup>().unwrap_err(), FenError::Board(BoardError::NothingLeft));
    }

    #[test]
    fn a_fault_has_its_place() {
        let error = |fen: &str| fen.parse::<Setup>().unwrap_err().to_string();
        assert_eq!(error("3/2"), "row 2 of the FEN has 2 squares, but the first has 3");
        assert!(error("3/1!1").contains("row 2 of the FEN, column 2, has `!`"));
        assert!(error("99999999999").contains("longer than any board"));
        assert!(error("").contains("empty"));
    }
}
