//! A board as rows of right-aligned cells, the top rank first.
//!
//! On a terminal the squares are coloured like a chessboard, and the start and end stand out.

use std::fmt::Write as _;

use destrier_rules::{Board, Square, Tour, TourProblem, Verified};

/// May the text carry terminal colours?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// Terminal escapes.
    Always,
}

/// Draws a board with the given text on each open square; `None` is an open square without text.
///
/// ```
/// # use destrier::render::{Colour, grid};
/// # use destrier::rules::Board;
/// let board = Board::from_diagram("..#\n...\n")?;
/// let text = grid(&board, Colour::Never, |square| Some(square.to_string()), |_| None);
/// assert_eq!(text, "a2 b2  #\na1 b1 c1\n");
/// # Ok::<(), destrier::rules::BoardError>(())
/// ```
pub fn grid(
    board: &Board,
    colour: Colour,
    text: impl Fn(Square) -> Option<String>,
    accent: impl Fn(Square) -> Option<u8>,
) -> String {
    let cell = |square: Square| {
        if board.contains(square) { text(square).unwrap_or_else(|| ".".into()) } else { "#".into() }
    };
    let rows = |rank| (0..board.files()).map(move |file| Square::new(file, rank));
    let width = (0..board.ranks()).flat_map(rows).map(|square| cell(square).chars().count()).max();
    let width = width.unwrap_or(1);
    let mut drawing = String::new();
    for rank in (0..board.ranks()).rev() {
        for square in rows(rank) {
            let text = cell(square);
            let gap = if square.file > 0 { " " } else { "" };
            let _ = match colour {
                Colour::Never => write!(drawing, "{gap}{text:>width$}"),
                Colour::Always => {
                    let style = style(board, square, accent(square));
                    write!(drawing, "\x1b[{style}m {text:>width$} \x1b[0m")
                }
            };
        }
        drawing.push('\n');
    }
    drawing
}

/// The terminal style of a square: a foreground over the board's own colours.
fn style(board: &Board, square: Square, accent: Option<u8>) -> String {
    match accent {
        Some(ground) => format!("1;38;5;231;48;5;{ground}"),
        None if !board.contains(square) => "38;5;244;48;5;236".to_owned(),
        None if square.is_dark() => "38;5;234;48;5;180".to_owned(),
        None => "38;5;234;48;5;223".to_owned(),
    }
}

/// A tour as step numbers on the board, from 1.
#[must_use]
pub fn tour_grid(tour: &Verified<TourProblem>, colour: Colour) -> String {
    let Tour(squares) = tour.solution();
    let board = &tour.problem().board;
    let files = board.files() as usize;
    let slot = |square: Square| square.rank as usize * files + square.file as usize;
    let mut steps = vec![0_usize; files * board.ranks() as usize];
    for (step, &square) in (1..).zip(squares) {
        steps[slot(square)] = step;
    }
    let (green, red) = (28, 124);
    grid(
        board,
        colour,
        |square| Some(steps[slot(square)].to_string()),
        |square| match steps[slot(square)] {
            1 => Some(green),
            step if step == squares.len() => Some(red),
            _ => None,
        },
    )
}
