//! A board: files × ranks without its holes, plain or wrapped.
//!
//! Sides go up to 2³¹; a board keeps only its holes, so a huge one costs nothing. Code
//! that needs an array asks [`Board::len`] first. Boards are written `8x8`, or drawn with `.` and `#`.
//!
//! Invariant: every hole lies inside, and at least one square is open.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::str::FromStr;

use crate::leaper::{Leaper, Wrap, apart};
use crate::quoted;
use crate::square::Square;
use crate::symmetry::Symmetry;

/// The longest side of a board: 2³¹.
pub const MAX_SIDE: u32 = 1 << 31;

/// A board of any size, with or without holes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    files: u32,
    ranks: u32,
    holes: BTreeSet<Square>,
    wrap: Wrap,
}

/// What is wrong with a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// The text is not `WxH`.
    Malformed(String),
    /// A side is 0 or beyond [`MAX_SIDE`].
    Side(String),
    /// A hole lies off the board.
    HoleOutside(Square, String),
    /// Every square is a hole.
    NothingLeft,
    /// A drawn board has an unknown character.
    Drawn {
        /// The line, from 1 at the top.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A drawn board has lines of different lengths.
    Ragged {
        /// The line, from 1 at the top.
        line: usize,
        /// Its length.
        found: usize,
        /// The first line's length.
        expected: usize,
    },
}

impl Board {
    /// A plain board without holes.
    ///
    /// # Errors
    /// When a side is 0 or above [`MAX_SIDE`].
    pub fn new(files: u32, ranks: u32) -> Result<Board, BoardError> {
        if files == 0 || ranks == 0 || files > MAX_SIDE || ranks > MAX_SIDE {
            return Err(BoardError::Side(format!("{files}x{ranks}")));
        }
        Ok(Board { files, ranks, holes: BTreeSet::new(), wrap: Wrap::None })
    }

    /// The same board with these squares as holes.
    ///
    /// # Errors
    /// When one lies outside, or none would be left.
    pub fn without(mut self, holes: impl IntoIterator<Item = Square>) -> Result<Board, BoardError> {
        for hole in holes {
            if hole.file >= self.files || hole.rank >= self.ranks {
                return Err(BoardError::HoleOutside(hole, self.size()));
            }
            self.holes.insert(hole);
        }
        if self.is_empty() { Err(BoardError::NothingLeft) } else { Ok(self) }
    }

    /// The same board with other edges joined.
    #[must_use]
    pub fn wrapped(mut self, wrap: Wrap) -> Board {
        self.wrap = wrap;
        self
    }

    /// Reads a drawing: one line per rank, the top rank first, `.` open, `#` or `*` a hole.
    ///
    /// # Errors
    /// With the line and column of the mistake.
    ///
    /// ```
    /// # use destrier_rules::Board;
    /// let board = Board::from_diagram("..#\n...\n")?;
    /// assert_eq!(board.len(), 5);
    /// assert_eq!(board.diagram(), "..#\n...\n");
    /// # Ok::<(), destrier_rules::BoardError>(())
    /// ```
    pub fn from_diagram(drawing: &str) -> Result<Board, BoardError> {
        let lines: Vec<&str> = drawing.trim_matches(['\n', '\r']).lines().collect();
        let expected = lines.first().map_or(0, |line| line.trim_end().chars().count());
        let side = |n: usize| u32::try_from(n).map_err(|_| BoardError::Side(n.to_string()));
        let (files, ranks) = (side(expected)?, side(lines.len())?);
        let mut holes = Vec::new();
        for (line, rank) in (1..).zip((0..ranks).rev()) {
            let row = lines[line - 1].trim_end();
            let found = row.chars().count();
            for (column, (file, mark)) in (1..).zip((0..).zip(row.chars())) {
                match mark {
                    '.' => {}
                    '#' | '*' => holes.push(Square::new(file, rank)),
                    found => return Err(BoardError::Drawn { line, column, found }),
                }
            }
            if found != expected {
                return Err(BoardError::Ragged { line, found, expected });
            }
        }
        Board::new(files, ranks)?.without(holes)
    }

    /// Draws the board, one line per rank, the top rank first. Only for boards that fit in memory.
    #[must_use]
    pub fn diagram(&self) -> String {
        let mut drawing = String::new();
        for rank in (0..self.ranks).rev() {
            for file in 0..self.files {
                let open = self.contains(Square::new(file, rank));
                drawing.push(if open { '.' } else { '#' });
            }
            drawing.push('\n');
        }
        drawing
    }

    /// The number of files (columns).
    #[must_use]
    pub const fn files(&self) -> u32 {
        self.files
    }

    /// The number of ranks (rows).
    #[must_use]
    pub const fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Which edges are joined.
    #[must_use]
    pub const fn wrap(&self) -> Wrap {
        self.wrap
    }

    /// The holes.
    #[must_use]
    pub const fn holes(&self) -> &BTreeSet<Square> {
        &self.holes
    }

    /// Files times ranks, holes included.
    #[must_use]
    pub const fn area(&self) -> u64 {
        self.files as u64 * self.ranks as u64
    }

    /// The number of open squares.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.area() - self.holes.len() as u64
    }

    /// Is no square open? Never true of a board made by the functions here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A plain rectangle: no holes, no joined edges.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.holes.is_empty() && self.wrap == Wrap::None
    }

    /// `8x8`: the sides alone.
    #[must_use]
    pub fn size(&self) -> String {
        format!("{}x{}", self.files, self.ranks)
    }

    /// Is this an open square of the board?
    #[must_use]
    pub fn contains(&self, square: Square) -> bool {
        self.covers(square) && (self.holes.is_empty() || !self.holes.contains(&square))
    }

    /// Does the square lie within the sides, open or a hole?
    #[must_use]
    pub const fn covers(&self, square: Square) -> bool {
        square.file < self.files && square.rank < self.ranks
    }

    /// The open squares, rank by rank from the bottom, each rank from the left.
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        (0..self.ranks)
            .flat_map(|rank| (0..self.files).map(move |file| Square::new(file, rank)))
            .filter(|square| self.contains(*square))
    }

    /// Is the step from one open square to another a jump of this piece on this board?
    #[must_use]
    pub fn is_jump(&self, leaper: Leaper, from: Square, to: Square) -> bool {
        let (a, b) = leaper.legs();
        let across = |leg| apart(from.file, to.file, leg, self.files, self.wrap.joins_files());
        let up = |leg| apart(from.rank, to.rank, leg, self.ranks, self.wrap.joins_ranks());
        from != to
            && self.contains(from)
            && self.contains(to)
            && ((across(a) && up(b)) || (across(b) && up(a)))
    }

    /// The squares that the piece can jump to, each once, in the order of [`Leaper::jumps`].
    #[must_use]
    pub fn jumps_from(&self, leaper: Leaper, from: Square) -> Vec<Square> {
        let mut found = Vec::with_capacity(8);
        self.list_jumps(&leaper.jumps(), from, &mut found);
        found
    }

    /// Lists the squares that these jumps lead to, each once, in place of what the list held.
    pub(crate) fn list_jumps(&self, jumps: &[(i64, i64)], from: Square, found: &mut Vec<Square>) {
        let step = |at: u32, by: i64, side: u32, joined: bool| -> Option<u32> {
            let to = i64::from(at) + by;
            let to = if joined { to.rem_euclid(i64::from(side)) } else { to };
            u32::try_from(to).ok()
        };
        found.clear();
        for &(across, up) in jumps {
            let file = step(from.file, across, self.files, self.wrap.joins_files());
            let rank = step(from.rank, up, self.ranks, self.wrap.joins_ranks());
            let (Some(file), Some(rank)) = (file, rank) else { continue };
            let to = Square::new(file, rank);
            if to != from && self.contains(to) && !found.contains(&to) {
                found.push(to);
            }
        }
    }

    /// The fewest jumps from one square to another, or `None` when it cannot be reached.
    ///
    /// A breadth-first search of the whole board: for boards that fit in memory.
    #[must_use]
    pub fn distance(&self, leaper: Leaper, from: Square, to: Square) -> Option<u64> {
        let mut seen = BTreeSet::from([from]);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((square, jumps)) = queue.pop_front() {
            if square == to {
                return Some(jumps);
            }
            for next in self.jumps_from(leaper, square) {
                if seen.insert(next) {
                    queue.push_back((next, jumps + 1));
                }
            }
        }
        None
    }

    /// Dark and light open squares, as a chessboard has them (`a1` is dark).
    #[must_use]
    pub fn colours(&self) -> (u64, u64) {
        let dark_holes = self.holes.iter().filter(|hole| hole.is_dark()).count() as u64;
        let dark = self.area().div_ceil(2);
        (dark - dark_holes, self.area() - dark - (self.holes.len() as u64 - dark_holes))
    }

    /// Does every jump of this piece change the colour of the square, joined edges included?
    #[must_use]
    pub const fn is_two_coloured(&self, leaper: Leaper) -> bool {
        leaper.changes_colour()
            && (!self.wrap.joins_files() || self.files.is_multiple_of(2))
            && (!self.wrap.joins_ranks() || self.ranks.is_multiple_of(2))
    }

    /// The board after a turn or mirror.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> Board {
        let (files, ranks) = symmetry.sides(self.files, self.ranks);
        let holes = self.holes.iter().map(|&h| symmetry.apply(h, self.files, self.ranks)).collect();
        let wrap = match self.wrap {
            Wrap::Files if symmetry.swaps_sides() => Wrap::Ranks,
            Wrap::Ranks if symmetry.swaps_sides() => Wrap::Files,
            wrap => wrap,
        };
        Board { files, ranks, holes, wrap }
    }

    /// The turns and mirrors that map the board to itself, the identity first.
    #[must_use]
    pub fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::ALL.into_iter().filter(|&symmetry| self.turned(symmetry) == *self).collect()
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Reads `WxH`, or a drawing with `.` and `#`.
    fn from_str(text: &str) -> Result<Board, BoardError> {
        if text.contains(['.', '#', '*', '\n']) {
            return Board::from_diagram(text);
        }
        let malformed = || BoardError::Malformed(text.to_owned());
        let (files, ranks) = text.trim().split_once(['x', 'X', '×']).ok_or_else(malformed)?;
        let side = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(malformed());
            }
            digits.parse::<u32>().map_err(|_| BoardError::Side(text.to_owned()))
        };
        let (files, ranks) = (side(files)?, side(ranks)?);
        Board::new(files, ranks).map_err(|_| BoardError::Side(text.to_owned()))
    }
}

impl fmt::Display for Board {
    /// `8x8`, `8x8 less 2 holes`, `8x8 torus`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.files, self.ranks)?;
        match self.wrap {
            Wrap::None => {}
            Wrap::Files | Wrap::Ranks => write!(f, " cylinder")?,
            Wrap::Both => write!(f, " torus")?,
        }
        match self.holes.len() {
            0 => Ok(()),
            1 => write!(f, " less 1 hole"),
            holes => write!(f, " less {holes} holes"),
        }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Malformed(text) => {
                write!(f, "{} is not a board; write files x ranks, like `8x8`", quoted(text))
            }
            BoardError::Side(text) => {
                write!(f, "{} is not a board: each side is 1 to {MAX_SIDE}", quoted(text))
            }
            BoardError::HoleOutside(hole, size) => {
                write!(f, "the hole {hole} is not on the {size} board")
            }
            BoardError::NothingLeft => write!(f, "every square of the board is a hole"),
            BoardError::Drawn { line, column, found } => write!(
                f,
                "line {line}, column {column} has `{}`; a board is drawn with `.` and `#`",
                found.escape_debug()
            ),
            BoardError::Ragged { line, found, expected } => {
                write!(f, "line {line} has {found} squares, but the first line has {expected}")
            }
        }
    }
}

impl std::error::Error for BoardError {}

#[cfg(feature = "serde")]
mod json {
    use super::{Board, Square, Wrap};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Plain {
        size: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        holes: Vec<Square>,
        #[serde(default, skip_serializing_if = "is_none")]
        wrap: Wrap,
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_none(wrap: &Wrap) -> bool {
        *wrap == Wrap::None
    }

    impl Serialize for Board {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let holes = self.holes.iter().copied().collect();
            Plain { size: self.size(), holes, wrap: self.wrap }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Board {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
            let plain = Plain::deserialize(deserializer)?;
            let board: Board = plain.size.parse().map_err(de::Error::custom)?;
            let board = board.without(plain.holes).map_err(de::Error::custom)?;
            Ok(board.wrapped(plain.wrap))
        }
    }
}
