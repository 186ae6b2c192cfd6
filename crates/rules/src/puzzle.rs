//! Capture puzzles as text: extended FEN, or the data files of the course exercises.
//!
//! A data file has a first line `k upper_bound` (or `WxH upper_bound`; the bound may be missing), then
//! the rows from the top, one character per square: `0 - .` empty, `1 P` a piece, `3 J S N` the knight, `#` or `*` a hole.
//! Squares may be separated by spaces, lines may end in CR LF, and the last may lack its line end. The
//! upper bound is a hint by the file's author and may be wrong.
//!
//! Invariant: what is read has exactly one knight. Reading takes memory in proportion to the text.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use crate::board::{Board, BoardError};
use crate::capture::CaptureProblem;
use crate::fen::{FenError, Setup};
use crate::quoted;
use crate::square::Square;

/// A capture problem, and the upper bound that came with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The question.
    pub problem: CaptureProblem,
    /// The number of moves that suffice, according to the file's author.
    pub upper_bound: Option<u64>,
}

/// What is wrong with a puzzle, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PuzzleError {
    /// It is empty.
    Empty,
    /// The first line is not `k upper_bound`.
    Header(String),
    /// A character that means nothing.
    Character {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// A row whose number of squares is not the one in the first line.
    Ragged {
        /// The line, from 1.
        line: usize,
        /// Its squares.
        found: usize,
        /// What the first line says.
        expected: u32,
    },
    /// The number of rows is not the one in the first line.
    Rows {
        /// The rows there are.
        found: usize,
        /// What the first line says.
        expected: u32,
    },
    /// A second knight.
    SecondKnight {
        /// The first one.
        first: Square,
        /// The second one.
        second: Square,
    },
    /// A square of a FEN that may hold anything.
    Unknown(Square),
    /// No knight at all.
    NoKnight,
    /// The board itself is invalid.
    Board(BoardError),
    /// The FEN is wrong.
    Fen(FenError),
}

impl Puzzle {
    /// Reads a file that holds a puzzle.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no puzzle; the file is named, and what is wrong with it.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Puzzle> {
        let path = path.as_ref();
        let of_file = |kind, error: &dyn fmt::Display| {
            io::Error::new(kind, format!("{}: {error}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(|error| of_file(error.kind(), &error))?;
        text.parse().map_err(|error| of_file(io::ErrorKind::InvalidData, &error as &PuzzleError))
    }

    /// The extended FEN of a problem: `N` the knight, `p` the pieces.
    #[must_use]
    pub fn fen(problem: &CaptureProblem) -> String {
        let pieces = problem.targets.iter().map(|&target| (target, 'p'));
        Setup {
            board: problem.board.clone(),
            pieces: pieces.chain([(problem.start, 'N')]).collect(),
            unknown: std::collections::BTreeSet::new(),
        }
        .fen()
    }

    fn from_fen(text: &str) -> Result<Puzzle, PuzzleError> {
        let setup: Setup = text.parse().map_err(PuzzleError::Fen)?;
        if let Some(&square) = setup.unknown.first() {
            return Err(PuzzleError::Unknown(square));
        }
        let mut start = None;
        let mut targets = std::collections::BTreeSet::new();
        for (square, piece) in setup.pieces {
            if piece == 'N' {
                place_knight(&mut start, square)?;
            } else {
                targets.insert(square);
            }
        }
        let start = start.ok_or(PuzzleError::NoKnight)?;
        let problem = CaptureProblem { board: setup.board, start, targets };
        Ok(Puzzle { problem, upper_bound: None })
    }

    fn from_rows(text: &str) -> Result<Puzzle, PuzzleError> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.next().ok_or(PuzzleError::Empty)?;
        let (files, ranks, upper_bound) = header(first)?;
        let rows: Vec<(usize, &str)> = lines.collect();
        if rows.len() != ranks as usize {
            return Err(PuzzleError::Rows { found: rows.len(), expected: ranks });
        }
        let (mut start, mut holes) = (None, Vec::new());
        let mut targets = std::collections::BTreeSet::new();
        for (rank, (line, row)) in (0..ranks).rev().zip(rows) {
            let squares = (1..).zip(row.chars()).filter(|(_, mark)| !mark.is_whitespace());
            let mut found = 0;
            for (file, (column, mark)) in (0..).zip(squares) {
                found += 1;
                let square = Square::new(file, rank);
                match mark {
                    '0' | '-' | '.' => {}
                    '1' | 'P' | 'p' => drop(targets.insert(square)),
                    '3' | 'J' | 'j' | 'S' | 's' | 'N' | 'n' => place_knight(&mut start, square)?,
                    '#' | '*' => holes.push(square),
                    other => {
                        let found = other.to_string();
                        return Err(PuzzleError::Character { line, column, found });
                    }
                }
            }
            if found != files as usize {
                return Err(PuzzleError::Ragged { line, found, expected: files });
            }
        }
        let board = Board::new(files, ranks).and_then(|board| board.without(holes));
        let board = board.map_err(PuzzleError::Board)?;
        let start = start.ok_or(PuzzleError::NoKnight)?;
        Ok(Puzzle { problem: CaptureProblem { board, start, targets }, upper_bound })
    }
}

/// Reads `k`, `k bound`, `WxH` or `WxH bound`.
fn header(line: &str) -> Result<(u32, u32, Option<u64>), PuzzleError> {
    let wrong = || PuzzleError::Header(line.trim().to_owned());
    let mut words = line.split_whitespace();
    let size = words.next().ok_or_else(wrong)?;
    let (files, ranks) = size.split_once(['x', 'X']).unwrap_or((size, size));
    let count = |word: &str| word.parse::<u32>().ok().filter(|&n| n > 0).ok_or_else(wrong);
    let (files, ranks) = (count(files)?, count(ranks)?);
    let bound = words.next().map(|word| word.parse::<u64>().map_err(|_| wrong())).transpose()?;
    if words.next().is_some() { Err(wrong()) } else { Ok((files, ranks, bound)) }
}

fn place_knight(start: &mut Option<Square>, square: Square) -> Result<(), PuzzleError> {
    match start.replace(square) {
        None => Ok(()),
        Some(first) => Err(PuzzleError::SecondKnight { first, second: square }),
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    /// Reads a FEN (one line, or with `/`) or a data file.
    fn from_str(text: &str) -> Result<Puzzle, PuzzleError> {
        let text = text.trim_start_matches('\u{feff}');
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        if lines == 1 || text.contains('/') {
            Puzzle::from_fen(text)
        } else {
            Puzzle::from_rows(text)
        }
    }
}

impl CaptureProblem {
    /// Reads a file that holds a [`Puzzle`], without its upper bound.
    ///
    /// ```no_run
    /// use destrier_rules::CaptureProblem;
    ///
    /// let problem = CaptureProblem::read("known/capture/h01_k8_q10.txt")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Puzzle::read`].
    pub fn read(path: impl AsRef<Path>) -> io::Result<CaptureProblem> {
        Puzzle::read(path).map(|puzzle| puzzle.problem)
    }
}

impl FromStr for CaptureProblem {
    type Err = PuzzleError;

    /// Reads what a [`Puzzle`] reads, without the upper bound.
    ///
    /// ```
    /// use destrier_rules::CaptureProblem;
    ///
    /// let problem: CaptureProblem = "p1p/3/N1p".parse()?;
    /// assert_eq!(problem.targets.len(), 3);
    /// # Ok::<(), destrier_rules::PuzzleError>(())
    /// ```
    fn from_str(text: &str) -> Result<CaptureProblem, PuzzleError> {
        text.parse().map(|puzzle: Puzzle| puzzle.problem)
    }
}

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PuzzleError::Empty => write!(f, "the puzzle is empty"),
            PuzzleError::Header(line) => write!(
                f,
                "line 1 has {}; it must give the size and an upper bound, like `8 40` or `8x6 40`",
                quoted(line)
            ),
            PuzzleError::Character { line, column, found } => write!(
                f,
                "line {line}, column {column} has {}; a square is `0` or `-` (empty), `1` or `P` \
                 (a piece), `3`, `J` or `S` (the knight), or `#` (a hole)",
                quoted(found)
            ),
            PuzzleError::Ragged { line, found, expected } => {
                write!(f, "line {line} has {found} squares, but the first line says {expected}")
            }
            PuzzleError::Rows { found, expected } => {
                write!(f, "the puzzle has {found} rows, but the first line says {expected}")
            }
            PuzzleError::SecondKnight { first, second } => {
                write!(f, "there are knights on {first} and {second}; there must be exactly one")
            }
            PuzzleError::Unknown(square) => {
                write!(f, "{square} has `?`; each square of a puzzle is known")
            }
            PuzzleError::NoKnight => write!(f, "there is no knight on the board"),
            PuzzleError::Board(error) => error.fmt(f),
            PuzzleError::Fen(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PuzzleError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Puzzle {
        text.parse().unwrap()
    }

    #[test]
    fn all_variants_of_a_file_read_the_same() {
        let plain = read("3 8\n001\n000\n301\n");
        assert_eq!(plain.upper_bound, Some(8));
        assert_eq!(Puzzle::fen(&plain.problem), "2p/3/N1p");
        let variants = [
            "3 8\n001\n000\n301",
            "3 8\r\n001\r\n000\r\n301\r\n",
            "3 8\n--P\n---\nJ-P\n\n",
            "3 8\n--P\n---\nS-P",
            "3   8 \n0 0 1\n0 0 0 \n3 0 1\n",
            "\u{feff}3x3 8\n..p\n...\nN.p\n",
        ];
        for variant in variants {
            assert_eq!(read(variant), plain, "{variant:?}");
        }
        assert_eq!(read("2p/3/N1p").problem, plain.problem);
    }

    #[test]
    fn a_file_reads_as_its_text_and_an_error_names_it() {
        let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../known/capture");
        let path = known.join("h01_k8_q10.txt");
        let puzzle = Puzzle::read(&path).unwrap();
        assert_eq!(puzzle, read(&std::fs::read_to_string(&path).unwrap()));
        assert_eq!(CaptureProblem::read(&path).unwrap(), puzzle.problem);
        let none = Puzzle::read(known.join("none.txt")).unwrap_err();
        assert_eq!(none.kind(), io::ErrorKind::NotFound);
        assert!(none.to_string().contains("none.txt: "), "{none}");
        let other = Puzzle::read(file!().replace("crates/rules/", "")).unwrap_err();
        assert_eq!(other.kind(), io::ErrorKind::InvalidData);
        assert!(other.to_string().contains("puzzle.rs: "), "{other}");
    }

    #[test]
    fn any_rectangle_with_holes_reads() {
        let puzzle = read("4x2\n0#01\n3000\n");
        assert_eq!(Puzzle::fen(&puzzle.problem), "1#1p/N3");
        assert_eq!(puzzle.upper_bound, None);
        assert_eq!(read(&Puzzle::fen(&puzzle.problem)), puzzle);
    }

    #[test]
    fn a_fault_has_its_place() {
        let error = |text: &str| text.parse::<Puzzle>().unwrap_err().to_string();
        assert!(error("2 4\n01\n3x\n").starts_with("line 3, column 2 has `x`"));
        assert!(error("2 4\n0 1\n3 7\n").starts_with("line 3, column 3 has `7`"));
        assert_eq!(error("2 4\n01\n301\n"), "line 3 has 3 squares, but the first line says 2");
        assert_eq!(error("3 4\n010\n301\n"), "the puzzle has 2 rows, but the first line says 3");
        assert_eq!(error("2 4\n01\n10\n"), "there is no knight on the board");
        assert_eq!(
            error("2 4\n03\n30\n"),
            "there are knights on b2 and a1; there must be exactly one"
        );
        assert!(error("seven\n03\n30\n").starts_with("line 1 has `seven`"));
        assert!(error("2 4 7\n03\n30\n").starts_with("line 1 has `2 4 7`"));
        assert_eq!(error(" \n"), "the puzzle is empty");
        assert_eq!(error("3/N?1/3"), "b2 has `?`; each square of a puzzle is known");
        assert_eq!(error("3/1p1/3"), "there is no knight on the board");
    }
}
