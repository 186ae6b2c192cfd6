//! A swap as boards step by step: text, a table, FEN lines, and a strip of pictures.
//!
//! Each panel shows the board after a move, with an arrow along it. Upper-case letters are white
//! knights and lower-case letters black ones; each has its letter if there are others than N and n.
//!
//! Invariant: the panels are the positions that the checker replayed, the start first.
//! Cost: a drawing of the board for each move.

use std::fmt::Write as _;

use destrier_rules::{Board, Move, Placement, Setup, Square, SwapPlan, SwapProblem, Verified};

use super::RenderError;
use super::drawing::{Anchor, Canvas, Mark, Place, Style};
use super::grid::{Colour, grid};
use super::pieces::{PIECES, knight};
use super::route::{BOARD, INK, PATH, back, extent, middle, paper};

/// The most squares of all panels together.
const MOST_DRAWN: u64 = 200_000;
/// Room above a panel for its caption.
const CAPTION: f64 = 24.0;
/// The longest side in pixels.
const LONGEST: f64 = 4000.0;
/// Pixels for a drawing unit of a PNG.
#[cfg(feature = "raster")]
const SHARP: f64 = 2.0;
/// Those of a film of a small board, and the longest side of one.
#[cfg(feature = "raster")]
const LARGER: f64 = 5.0;
#[cfg(feature = "raster")]
const FILMED: f64 = 960.0;

const STYLES: &[Style] = &[
    Style::of("caption").fill(INK).size(15.0).anchor(Anchor::Middle),
    Style::of("jump").stroke(PATH.0).width(2.8).round(),
    Style::of("left").fill(PATH.0),
];

/// All positions of a plan, the start first.
fn positions(swap: &Verified<SwapProblem>) -> Vec<Placement> {
    let SwapPlan(moves) = swap.solution();
    let mut here = swap.problem().start.clone();
    let mut all = vec![here.clone()];
    for &Move { from, to } in moves {
        if let Some(letter) = here.remove(&from) {
            here.insert(to, letter);
        }
        all.push(here.clone());
    }
    all
}

/// The words over a panel.
fn caption(moves: &[Move], step: usize) -> String {
    if step == 0 { "start".to_owned() } else { format!("{step}. {}", moves[step - 1]) }
}

/// The boards of a swap one under the other, each under its move.
#[must_use]
pub fn swap_boards(swap: &Verified<SwapProblem>, colour: Colour) -> String {
    let SwapPlan(moves) = swap.solution();
    let mut text = String::new();
    for (step, knights) in positions(swap).iter().enumerate() {
        let (came, went) = match step {
            0 => (None, None),
            _ => (Some(moves[step - 1].to), Some(moves[step - 1].from)),
        };
        let accent = |square: Square| {
            let (green, grey) = (28, 243);
            (came == Some(square)).then_some(green).or((went == Some(square)).then_some(grey))
        };
        let letter = |square: Square| knights.get(&square).map(char::to_string);
        let gap = if step > 0 { "\n" } else { "" };
        let board = grid(&swap.problem().board, colour, letter, accent);
        let _ = write!(text, "{gap}{}\n{board}", caption(moves, step));
    }
    text
}

/// A row for each move: step from 1, the knight's letter, where from and where to.
#[must_use]
pub fn swap_csv(swap: &Verified<SwapProblem>) -> String {
    let mut text = String::from("step,knight,from,to\n");
    let positions = positions(swap);
    for (step, (Move { from, to }, knights)) in
        (1_u64..).zip(swap.solution().0.iter().zip(&positions))
    {
        let letter = knights.get(from).copied().unwrap_or('?');
        let _ = writeln!(text, "{step},{letter},{from},{to}");
    }
    text
}

/// All positions as FEN, one a line, the start first.
#[must_use]
pub fn swap_fens(swap: &Verified<SwapProblem>) -> String {
    let board = &swap.problem().board;
    let fen = |pieces: Placement| {
        Setup { board: board.clone(), pieces, unknown: std::collections::BTreeSet::new() }.fen()
    };
    positions(swap).into_iter().map(|pieces| fen(pieces) + "\n").collect()
}

/// A position under a caption, as a picture of its own: the knights, and the line of the move that led to it.
pub(super) fn panel(
    board: &Board,
    knights: &Placement,
    last: Option<Move>,
    caption: &str,
) -> Vec<Mark> {
    let mut marks = back(board);
    if let Some(Move { from, to }) = last {
        let (from, to) = (middle(board, from), middle(board, to));
        marks.extend([Mark::line("jump", from, to), Mark::circle("left", from, 5.0)]);
    }
    let is_labelled = knights.values().any(|letter| !matches!(letter, 'N' | 'n'));
    for (&square, &letter) in knights {
        let label = is_labelled.then_some(letter);
        marks.extend(knight(letter.is_ascii_uppercase(), label, middle(board, square)));
    }
    let size = panel_size(board);
    let caption = Mark::text("caption", ((size.0 / 2.0).floor(), 17.0), caption);
    let below = marks.into_iter().map(|mark| mark.moved((0.0, CAPTION)));
    [paper(size), caption].into_iter().chain(below).collect()
}

/// A panel's width and height.
fn panel_size(board: &Board) -> Place {
    let (wide, high) = extent(board);
    (wide, high + CAPTION)
}

/// A canvas with so many pixels for a drawing unit where that is not too large.
fn canvas((wide, high): Place, title: &str, scale: f64, longest: f64) -> Canvas {
    let scale = scale.min(longest / wide.max(high));
    Canvas::new(title, (wide, high), [BOARD, PIECES, STYLES].concat()).scaled(scale)
}

fn title(swap: &Verified<SwapProblem>) -> String {
    let moves = swap.solution().0.len();
    format!("knights on {} change places in {moves} moves", swap.problem().board.size())
}

fn fits(swap: &Verified<SwapProblem>, format: &'static str) -> Result<(), RenderError> {
    let board = &swap.problem().board;
    let panels = swap.solution().0.len() as u64 + 1;
    let most = MOST_DRAWN / panels;
    if board.area() > most {
        return Err(RenderError::TooLarge { format, size: board.size(), most });
    }
    Ok(())
}

/// The panels of a swap side by side, row after row.
///
/// # Errors
/// When all panels together have too many squares.
pub fn swap_svg(swap: &Verified<SwapProblem>) -> Result<String, RenderError> {
    let (canvas, marks) = strip(swap, "SVG", 1.0)?;
    Ok(canvas.svg(marks))
}

fn strip(
    swap: &Verified<SwapProblem>,
    format: &'static str,
    scale: f64,
) -> Result<(Canvas, impl Iterator<Item = Mark>), RenderError> {
    fits(swap, format)?;
    let (wide, high) = panel_size(&swap.problem().board);
    let panels = panels(swap);
    let count = u32::try_from(panels.len()).unwrap_or(u32::MAX);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 3 to 9")]
    let most_across = (1200.0 / wide).clamp(3.0, 9.0) as u32;
    let across = count.clamp(1, most_across);
    let size = (wide * f64::from(across), high * f64::from(count.div_ceil(across)));
    let marks = (0u32..).zip(panels).flat_map(move |(place, panel)| {
        let (right, down) = (f64::from(place % across), f64::from(place / across));
        panel.into_iter().map(move |mark| mark.moved((right * wide, down * high)))
    });
    Ok((canvas(size, &title(swap), scale, LONGEST), std::iter::once(paper(size)).chain(marks)))
}

/// A panel for each position.
fn panels(swap: &Verified<SwapProblem>) -> Vec<Vec<Mark>> {
    let board = &swap.problem().board;
    let SwapPlan(moves) = swap.solution();
    let panel = |(step, knights): (usize, &Placement)| {
        let last = step.checked_sub(1).map(|before| moves[before]);
        panel(board, knights, last, &caption(moves, step))
    };
    positions(swap).iter().enumerate().map(panel).collect()
}

/// The ground of one panel.
#[cfg(feature = "raster")]
pub(super) fn panel_canvas(board: &Board) -> Canvas {
    let (wide, high) = panel_size(board);
    // A large board is not drawn smaller than in a strip.
    canvas((wide, high), "", LARGER, wide.max(high).clamp(FILMED, LONGEST))
}

/// The strip as PNG.
///
/// # Errors
/// When all panels together have too many squares.
#[cfg(feature = "raster")]
pub fn swap_png(swap: &Verified<SwapProblem>) -> Result<Vec<u8>, RenderError> {
    let (canvas, marks) = strip(swap, "PNG", SHARP)?;
    canvas.png(marks)
}

/// The swap as a GIF that plays it move by move.
///
/// # Errors
/// When all frames together have too many squares.
#[cfg(feature = "raster")]
pub fn swap_gif(swap: &Verified<SwapProblem>) -> Result<Vec<u8>, RenderError> {
    fits(swap, "GIF")?;
    super::raster::slides(&panel_canvas(&swap.problem().board), panels(swap), 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_move() -> Verified<SwapProblem> {
        let (from, to) = ("nn1/3/1N1".parse().unwrap(), "1n1/3/nN1".parse().unwrap());
        let problem = SwapProblem::between(&from, &to).unwrap();
        let plan = "a3-c2 c2-a1".parse().unwrap();
        Verified::check(problem, plan).unwrap()
    }

    #[test]
    fn boards_show_every_position() {
        let text = swap_boards(&one_move(), Colour::Never);
        assert_eq!(
            text,
            "start\nn n .\n. . .\n. N .\n\n1. a3-c2\n. n .\n. . n\n. N .\n\n2. c2-a1\n. n .\n. . .\nn N .\n"
        );
        assert_eq!(swap_fens(&one_move()), "nn1/3/1N1\n1n1/2n/1N1\n1n1/3/nN1\n");
        assert_eq!(swap_csv(&one_move()), "step,knight,from,to\n1,n,a3,c2\n2,n,c2,a1\n");
    }

    #[test]
    fn a_strip_has_a_panel_a_position() {
        let text = swap_svg(&one_move()).unwrap();
        assert_eq!(text.matches("class=\"caption\"").count(), 3);
        assert_eq!(text.matches("class=\"jump\"").count(), 2);
        assert_eq!(text.matches("<path id=\"knight\"").count(), 1);
        assert_eq!(text.matches("<use class=\"body white\" href=\"#knight\"").count(), 3);
        assert_eq!(text.matches("<use class=\"body black\" href=\"#knight\"").count(), 6);
        assert!(!text.contains("class=\"letter"), "a colour's knights are alike");
    }

    #[test]
    fn knights_that_differ_have_letters() {
        let [a1, b1] = ["a1", "b1"].map(|name| name.parse().unwrap());
        let board = Board::new(3, 3).unwrap();
        let letters = |knights: [(Square, char); 2]| {
            let marks = panel(&board, &Placement::from(knights), None, "");
            canvas(panel_size(&board), "", 1.0, LONGEST).svg(marks)
        };
        assert!(!letters([(a1, 'N'), (b1, 'n')]).contains("<text class=\"letter"));
        let text = letters([(a1, 'A'), (b1, 'n')]);
        assert!(text.contains(">A</text>") && text.contains(">n</text>"));
    }

    #[cfg(feature = "raster")]
    #[test]
    fn a_film_has_a_frame_a_position() {
        let film = swap_gif(&one_move()).unwrap();
        let mut reader = gif::DecodeOptions::new().read_info(&film[..]).unwrap();
        let mut frames = 0;
        while reader.read_next_frame().unwrap().is_some() {
            frames += 1;
        }
        assert_eq!(frames, 3);
        let (wide, high) = (f64::from(reader.width()), f64::from(reader.height()));
        assert!(wide.max(high) > 700.0, "a small board is drawn large: {wide} by {high}");
        assert_eq!(&swap_png(&one_move()).unwrap()[1..4], b"PNG");
    }
}
