//! Tours: a piece visits every square of a board once.
//!
//! An open tour may start and end anywhere; a closed one returns to its start by one more jump.
//! A question may fix either end and require a symmetry.
//!
//! Invariant: `verify` accepts a tour only after checking each square and each jump.

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::budget::Budget;
use crate::fault::Fault;
use crate::leaper::{Leaper, Wrap};
use crate::obstacle::{self, Obstacle, Support};
use crate::question::{Missing, QuestionError};
use crate::search::{self, Sought};
use crate::square::{Square, SquareError};
use crate::symmetry::Symmetry;
use crate::verify::Problem;
use crate::word::words;

/// Does the tour return to its start?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Shape {
    /// A path: it may end anywhere.
    #[default]
    Open,
    /// A cycle: the last square is a jump from the first.
    Closed,
}

words!(Shape { Open => "open", Closed => "closed" });

/// A symmetry that a tour may be required to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TourSymmetry {
    /// A half turn of the board maps the tour to itself, run the same way or backwards.
    HalfTurn,
    /// A quarter turn does so.
    QuarterTurn,
    /// A mirror (either of those parallel to the sides) maps the tour to itself.
    Mirror,
    /// A mirror in one of the diagonals does so.
    DiagonalMirror,
    /// Four consecutive copies of one path, each turned by quarters; the centre of an odd board comes first, last, or
    /// between two copies, and then those after it may all be run backwards.
    FourPaths,
}

words!(TourSymmetry {
    HalfTurn => "half-turn",
    QuarterTurn => "quarter-turn",
    Mirror => "mirror",
    DiagonalMirror => "diagonal-mirror",
    FourPaths => "four-paths",
});

/// The question: a tour of this board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TourProblem {
    /// The board.
    pub board: Board,
    /// Open or closed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub shape: Shape,
    /// The first square, if it matters.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub start: Option<Square>,
    /// The last square, if it matters.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub end: Option<Square>,
    /// A symmetry, if one is required.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub symmetry: Option<TourSymmetry>,
    /// The piece: a knight by default.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_knight"))]
    pub leaper: Leaper,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_knight(leaper: &Leaper) -> bool {
    *leaper == Leaper::KNIGHT
}

/// The squares of a tour, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tour(pub Vec<Square>);

impl TourProblem {
    /// A knight's open tour of the board, from anywhere to anywhere.
    #[must_use]
    pub fn open(board: Board) -> TourProblem {
        TourProblem {
            board,
            shape: Shape::Open,
            start: None,
            end: None,
            symmetry: None,
            leaper: Leaper::KNIGHT,
        }
    }

    /// A knight's closed tour of the board.
    #[must_use]
    pub fn closed(board: Board) -> TourProblem {
        TourProblem { shape: Shape::Closed, ..TourProblem::open(board) }
    }

    /// The same question with the start fixed.
    #[must_use]
    pub fn starting_at(self, start: Square) -> TourProblem {
        TourProblem { start: Some(start), ..self }
    }

    /// The same question with the end fixed.
    #[must_use]
    pub fn ending_at(self, end: Square) -> TourProblem {
        TourProblem { end: Some(end), ..self }
    }

    /// The same question for tours with a symmetry.
    #[must_use]
    pub fn with_symmetry(self, symmetry: TourSymmetry) -> TourProblem {
        TourProblem { symmetry: Some(symmetry), ..self }
    }

    /// The same question for another piece.
    #[must_use]
    pub fn with_leaper(self, leaper: Leaper) -> TourProblem {
        TourProblem { leaper, ..self }
    }

    /// Is this step a jump of the question's piece on the question's board?
    #[must_use]
    pub fn is_jump(&self, from: Square, to: Square) -> bool {
        self.board.is_jump(self.leaper, from, to)
    }

    /// Is this step a jump? Without a number it is the one that closes the tour.
    pub(crate) fn check_jump(
        &self,
        step: Option<u64>,
        from: Square,
        to: Square,
    ) -> Result<(), Fault> {
        let leaper = self.leaper;
        Err(match step {
            _ if self.is_jump(from, to) => return Ok(()),
            _ if leaper != Leaper::KNIGHT => Fault::NotALeap { leaper, step, from, to },
            Some(step) => Fault::NotAJump { step, from, to },
            None => Fault::NotClosed { last: from, first: to },
        })
    }

    /// Does the last square lead home, if the tour is to be closed?
    pub(crate) fn check_closed(&self, first: Square, last: Square) -> Result<(), Fault> {
        match self.shape {
            Shape::Open => Ok(()),
            // Two squares joined by one jump are not a cycle.
            Shape::Closed if self.board.len() < 3 => Err(Fault::NotACycle),
            Shape::Closed => self.check_jump(None, last, first),
        }
    }

    /// Does the question itself say which way a tour is run? It does when an end is fixed (for closed tours, both are),
    /// or when there is only one square.
    #[must_use]
    pub fn is_one_way(&self) -> bool {
        let (start, end) = (self.start.is_some(), self.end.is_some());
        match self.shape {
            Shape::Open => start || end || self.board.len() == 1,
            Shape::Closed => start && end,
        }
    }

    /// The jumps of every tour.
    fn jumps(&self) -> u64 {
        self.board.len() - u64::from(self.shape == Shape::Open)
    }

    /// The step, from 0, at which the first of four turned copies of one path begins, the centre of an odd board
    /// counted with the copy after it; `None` where these squares are not four such copies.
    ///
    /// An open tour begins with a copy or the centre. A closed one may be listed from any of its squares.
    #[must_use]
    pub fn first_copy_at(&self, squares: &[Square]) -> Option<usize> {
        let begins_at = |step: usize| {
            let listed: Vec<Square> = [&squares[step..], &squares[..step]].concat();
            four_paths_fail_at(&self.board, &listed).is_none()
        };
        if begins_at(0) {
            return Some(0);
        }
        let (side, count) = (self.board.files(), squares.len());
        let length = count / 4;
        if self.shape == Shape::Open || length == 0 {
            return None;
        }
        let middle = Square::new(side / 2, side / 2);
        let centre = squares.iter().position(|&square| side % 2 == 1 && square == middle);
        if let Some(centre) = centre {
            return (0..4)
                .map(|copies| (centre + count - copies * length) % count)
                .find(|&at| begins_at(at));
        }
        // Within a copy, the turn that leads to the next one is always the same.
        let turn_at = |step: usize| {
            let mut square = squares[step];
            (0..4).find(|_| {
                let found = square == squares[(step + length) % count];
                square = Symmetry::QuarterTurn.apply(square, side, side);
                found
            })
        };
        (1..count).find(|&step| turn_at(step) != turn_at(step - 1)).filter(|&at| begins_at(at))
    }

    /// Does a tour have the symmetry that is asked for, if one is?
    pub(crate) fn has_its_symmetry(&self, squares: &[Square]) -> bool {
        self.symmetry.is_none_or(|symmetry| symmetry.verify(self, squares).is_ok())
    }

    /// Does a symmetry of the board leave a tour as it is, whichever way it is run and, if it is closed, wherever its
    /// list begins?
    pub(crate) fn is_fixed(&self, squares: &[Square], symmetry: Symmetry) -> bool {
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let image: Vec<Square> =
            squares.iter().map(|&square| symmetry.apply(square, files, ranks)).collect();
        let begins = |first: usize| {
            let count = squares.len();
            (0..count).all(|step| image[step] == squares[(first + step) % count])
                || (0..count).all(|step| image[step] == squares[(first + count - step) % count])
        };
        match self.shape {
            Shape::Open => image == squares || image.iter().rev().eq(squares),
            Shape::Closed => {
                squares.iter().position(|&square| square == image[0]).is_some_and(begins)
            }
        }
    }

    /// A knight on a plain rectangle without a symmetry: the questions decided at any size.
    #[must_use]
    pub fn is_classic(&self) -> bool {
        self.board.is_plain() && self.symmetry.is_none() && self.leaper == Leaper::KNIGHT
    }
}

impl Problem for TourProblem {
    type Solution = Tour;

    const KIND: &'static str = "tour";

    fn validate(&self) -> Result<(), QuestionError> {
        for (role, square) in [("start", self.start), ("end", self.end)] {
            if let Some(square) = square {
                on_board(&self.board, role, square)?;
            }
        }
        match (self.start, self.end) {
            (Some(start), Some(end)) if start == end && self.board.len() > 1 => {
                return Err(QuestionError::SameEnds(start));
            }
            _ => {}
        }
        let Some(symmetry) = self.symmetry else { return Ok(()) };
        if !symmetry.turns_of(&self.board).is_empty() {
            return Ok(());
        }
        let board = &self.board;
        let (files, ranks) = (board.files(), board.ranks());
        let for_squares = symmetry.turns().iter().all(|turn| turn.swaps_sides());
        let why = if for_squares && files != ranks {
            Missing::NotSquare
        } else if for_squares && matches!(board.wrap(), Wrap::Files | Wrap::Ranks) {
            Missing::JoinedOneWay
        } else if board.holes().is_empty() {
            Missing::MovesNothing
        } else {
            Missing::Holes
        };
        let size = board.size();
        Err(QuestionError::NoSuchSymmetry { symmetry: symmetry.to_string(), size, why })
    }

    fn verify(&self, Tour(squares): &Tour) -> Result<(), Fault> {
        let plain = self.leaper == Leaper::KNIGHT && self.board.is_plain();
        if !plain || !is_plain_tour(&self.board, squares) {
            visits_each_once(&self.board, squares)?;
            for (step, pair) in (2..).zip(squares.windows(2)) {
                let (from, to) = (pair[0], pair[1]);
                self.check_jump(Some(step), from, to)?;
            }
        }
        let (first, last) = (squares[0], squares[squares.len() - 1]);
        for (role, found, expected) in [("start", first, self.start), ("end", last, self.end)] {
            match expected {
                Some(expected) if found != expected => {
                    return Err(Fault::WrongEnd { role, found, expected });
                }
                _ => {}
            }
        }
        self.check_closed(first, last)?;
        self.symmetry.map_or(Ok(()), |symmetry| symmetry.verify(self, squares))
    }

    fn cost(&self, Tour(squares): &Tour) -> u64 {
        squares.len() as u64 - u64::from(self.shape == Shape::Open)
    }

    fn search(&self, below: u64, budget: &Budget<'_>) -> Sought {
        // All tours cost the same.
        let cost = self.jumps();
        if below <= cost {
            return Sought::Nothing;
        }
        match search::tour(self, budget) {
            Sought::Found(_) => Sought::Found(cost),
            sought => sought,
        }
    }

    fn confirm_within(&self, obstacle: &Obstacle, budget: &Budget<'_>) -> Result<Support, Fault> {
        obstacle::confirm_tour(self, obstacle, budget)
    }
}

/// Is the named square an open square of the board?
pub(crate) fn on_board(
    board: &Board,
    role: &'static str,
    square: Square,
) -> Result<(), QuestionError> {
    if !board.covers(square) {
        return Err(QuestionError::OffBoard { role, square, size: board.size() });
    }
    if !board.contains(square) {
        return Err(QuestionError::OnHole { role, square });
    }
    Ok(())
}

/// Is this a knight's tour of a plain board? A plain yes or no, from one short loop.
///
/// A jump leads one to the side and two ahead, or two and one: the only way in which the product of both is 2 or -2.
/// (The product is smaller than the board, so it fits.) As many squares as the board has, all of them marked in the
/// end: none came twice.
fn is_plain_tour(board: &Board, squares: &[Square]) -> bool {
    let (files, area) = (board.files(), squares.len());
    if area as u64 != board.area() || i32::try_from(area).is_err() {
        return false;
    }
    let mut marks = vec![0_u8; area];
    let (mut wrong, mut before) = (0, None);
    for &square in squares {
        let Square { file, rank } = square;
        let place = u64::from(rank) * u64::from(files) + u64::from(file);
        let Some(mark) = usize::try_from(place).ok().and_then(|at| marks.get_mut(at)) else {
            return false;
        };
        *mark = 1;
        wrong |= u32::from(file >= files);
        let Square { file: from_file, rank: from_rank } = before.unwrap_or(square);
        let product = file.wrapping_sub(from_file).wrapping_mul(rank.wrapping_sub(from_rank));
        // 4 or 0 where it is 2 or -2.
        wrong |= if before.is_some() { product.wrapping_add(2) & !4 } else { 0 };
        before = Some(square);
    }
    wrong == 0 && marks.iter().map(|&mark| u64::from(mark)).sum::<u64>() == area as u64
}

/// Does the list hold each open square of the board exactly once?
fn visits_each_once(board: &Board, squares: &[Square]) -> Result<(), Fault> {
    let (found, expected) = (squares.len() as u64, board.len());
    if found != expected {
        // A square off the board is the better message; the table below needs the right length.
        for (step, &square) in (1..).zip(squares) {
            if !board.covers(square) {
                return Err(Fault::OffBoard { step, square });
            }
        }
        return Err(Fault::Length { found, expected });
    }
    // A bit for each square. The area is the number of squares plus that of holes, and both are in memory already.
    let area = usize::try_from(board.area()).unwrap_or(usize::MAX);
    let mut visited = vec![0_u64; area.div_ceil(64)];
    for (step, &square) in (1..).zip(squares) {
        if !board.covers(square) {
            return Err(Fault::OffBoard { step, square });
        }
        if !board.contains(square) {
            return Err(Fault::OnHole { step, square });
        }
        let slot = square.rank as usize * board.files() as usize + square.file as usize;
        let (word, bit) = (&mut visited[slot / 64], 1 << (slot % 64));
        if *word & bit != 0 {
            let first = (1..).zip(squares).find(|&(_, &other)| other == square);
            return Err(Fault::Repeated { step, square, first: first.map_or(0, |(at, _)| at) });
        }
        *word |= bit;
    }
    Ok(())
}

impl TourSymmetry {
    /// All of them.
    pub const ALL: [TourSymmetry; 5] = [
        TourSymmetry::HalfTurn,
        TourSymmetry::QuarterTurn,
        TourSymmetry::Mirror,
        TourSymmetry::DiagonalMirror,
        TourSymmetry::FourPaths,
    ];

    /// The turns or mirrors of which one must map the tour to itself (or its path to the next).
    #[must_use]
    pub const fn turns(self) -> &'static [Symmetry] {
        match self {
            TourSymmetry::HalfTurn => &[Symmetry::HalfTurn],
            TourSymmetry::QuarterTurn | TourSymmetry::FourPaths => &[Symmetry::QuarterTurn],
            TourSymmetry::Mirror => &[Symmetry::MirrorFiles, Symmetry::MirrorRanks],
            TourSymmetry::DiagonalMirror => {
                &[Symmetry::MirrorDiagonal, Symmetry::MirrorAntidiagonal]
            }
        }
    }

    /// Those of them that map the board to itself and move a square: a mirror along a single row says nothing.
    #[must_use]
    pub fn turns_of(self, board: &Board) -> Vec<Symmetry> {
        // A board can be larger than any loop: fixed squares are counted by the formula, and holes one by one.
        let (files, ranks) = (board.files(), board.ranks());
        let moves = |turn: Symmetry| {
            let is_fixed = |hole: &&Square| turn.apply(**hole, files, ranks) == **hole;
            let holes = board.holes().iter().filter(is_fixed).count() as u64;
            turn.fixed_squares(files, ranks) - holes < board.len()
        };
        let symmetries = board.symmetries();
        let turns = self.turns().iter().copied().filter(|turn| symmetries.contains(turn));
        turns.filter(|&turn| board.len() < 2 || moves(turn)).collect()
    }

    fn verify(self, problem: &TourProblem, squares: &[Square]) -> Result<(), Fault> {
        let turns = self.turns_of(&problem.board).into_iter();
        let failures = turns.map(|turn| match self {
            TourSymmetry::FourPaths if problem.first_copy_at(squares).is_some() => None,
            TourSymmetry::FourPaths => four_paths_fail_at(&problem.board, squares),
            _ => turned_fails_at(problem, squares, turn),
        });
        // One turn that works is enough; otherwise the last failure is reported.
        let mut step = Some(0);
        for failure in failures {
            step = failure;
            if step.is_none() {
                break;
            }
        }
        step.map_or(Ok(()), |step| {
            let symmetry = self.to_string();
            Err(Fault::NotSymmetric { symmetry, step: step as u64 + 1, square: squares[step] })
        })
    }
}

/// The first step, from 0, at which the turned tour differs from the tour; `None` when it never does.
fn turned_fails_at(problem: &TourProblem, squares: &[Square], turn: Symmetry) -> Option<usize> {
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let count = squares.len();
    let image = turn.apply(squares[0], files, ranks);
    let Some(offset) = squares.iter().position(|&square| square == image) else { return Some(0) };
    let fails = |place: &dyn Fn(usize) -> Option<usize>| {
        (0..count).find(|&step| {
            let image = turn.apply(squares[step], files, ranks);
            place(step).is_none_or(|at| squares[at] != image)
        })
    };
    let closed = problem.shape == Shape::Closed;
    // In the same direction, an open tour's first square would be fixed, and so would all others.
    let forwards = |step: usize| closed.then(|| (offset + step) % count);
    let backwards = |step: usize| {
        if closed { Some((offset + count - step) % count) } else { offset.checked_sub(step) }
    };
    fails(&forwards).and_then(|kept| fails(&backwards).map(|reversed| kept.max(reversed)))
}

/// The first step, from 0, at which a tour does not consist of four turned copies of one path, the first from the start.
fn four_paths_fail_at(board: &Board, squares: &[Square]) -> Option<usize> {
    let side = board.files();
    let middle = (!side.is_multiple_of(2)).then(|| Square::new(side / 2, side / 2));
    let centre = squares.iter().position(|&square| Some(square) == middle);
    let path: Vec<Square> = squares.iter().copied().filter(|&s| Some(s) != middle).collect();
    let length = path.len() / 4;
    if length == 0 {
        return None;
    }
    if centre.is_some_and(|at| at % length != 0) {
        return centre;
    }
    // No square occurs twice, so no two copies have the same turn.
    let is_turned = |piece: &[Square], backwards: bool| {
        let mut turned = path[..length].to_vec();
        if backwards {
            turned.reverse();
        }
        (0..4).any(|_| {
            let fits = turned == piece;
            for square in &mut turned {
                *square = Symmetry::QuarterTurn.apply(*square, side, side);
            }
            fits
        })
    };
    // Behind a centre that joins the ends of two copies, the path is run from its end.
    let joint = centre.map(|at| at / length).filter(|place| (1..4).contains(place));
    let fails_at = |backwards: bool| {
        let mut pieces = path.chunks(length).enumerate();
        let failed = pieces.find(|&(copy, piece)| {
            !is_turned(piece, backwards && joint.is_some_and(|joint| copy >= joint))
        });
        failed.map(|(copy, _)| copy * length)
    };
    let forwards = fails_at(false)?;
    if joint.is_some() { fails_at(true).map(|failed| failed.max(forwards)) } else { Some(forwards) }
}

impl FromStr for Tour {
    type Err = SquareError;

    /// Reads squares separated by white space.
    fn from_str(text: &str) -> Result<Tour, SquareError> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Tour)
    }
}

impl fmt::Display for Tour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_squares(f, &self.0)
    }
}

/// Writes squares separated by single spaces.
pub(crate) fn write_squares(f: &mut fmt::Formatter<'_>, squares: &[Square]) -> fmt::Result {
    for (step, square) in squares.iter().enumerate() {
        if step > 0 {
            f.write_str(" ")?;
        }
        write!(f, "{square}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
