//! A swap as boards step by step: text, a table, FEN lines, and a strip of pictures.
//!
//! Each panel shows the board after a move, with an arrow along it. Upper-case letters are white
//! discs and lower-case letters black ones, each with its letter.
//!
//! Invariant: the panels are the positions that the checker replayed, the start first.
//! Cost: a drawing of the board for each move.

use std::fmt::Write as _;

use destrier_rules::{Board, Move, Placement, Setup, Square, SwapPlan, SwapProblem, Verified};

use super::RenderError;
use super::grid::{Colour, grid};
use super::svg::{back, extent, middle};

/// The most squares of all panels together.
const MOST_DRAWN: u64 = 200_000;
/// Room above a panel for its caption.
const CAPTION: u32 = 24;

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

/// The knights of a panel, and the arrow of the move that led to it.
fn panel(board: &Board, knights: &Placement, last: Option<Move>) -> String {
    let mut text = back(board);
    if let Some(Move { from, to }) = last {
        let ((x1, y1), (x2, y2)) = (middle(board, from), middle(board, to));
        let _ = writeln!(text, r#"<path class="jump" d="M{x1} {y1}L{x2} {y2}"/>"#);
        let _ = writeln!(text, r#"<circle class="left" cx="{x1}" cy="{y1}" r="5"/>"#);
    }
    for (&square, letter) in knights {
        let (x, y) = middle(board, square);
        let kind = if letter.is_ascii_uppercase() { "white" } else { "black" };
        let moved = if last.is_some_and(|last| last.to == square) { " moved" } else { "" };
        let baseline = y + 6;
        let _ = writeln!(
            text,
            r#"<circle class="{kind}{moved}" cx="{x}" cy="{y}" r="15"/><text class="{kind}-letter" x="{x}" y="{baseline}">{letter}</text>"#
        );
    }
    text
}

fn head(wide: u32, high: u32, title: &str) -> String {
    let scale = 1.0_f64.min(4000.0 / f64::from(wide.max(high)));
    let (width, height) = (f64::from(wide) * scale, f64::from(high) * scale);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0}" height="{height:.0}" viewBox="0 0 {wide} {high}">
<title>{title}</title>
<style>
text {{ font-family: "DejaVu Sans", Verdana, sans-serif; text-anchor: middle; }}
.label {{ fill: #6b5b45; font-size: 13px; }} .caption {{ fill: #16202b; font-size: 15px; }}
.light {{ fill: #f6eddb; }} .dark {{ fill: #e3d0ac; }} .hole {{ fill: #4a4a4a; }}
.jump {{ stroke: #1f4e79; stroke-width: 3; stroke-linecap: round; fill: none; }} .left {{ fill: #1f4e79; }}
.white {{ fill: #ffffff; stroke: #16202b; stroke-width: 1.5; }} .black {{ fill: #2b2b2b; stroke: #000000; stroke-width: 1.5; }}
.moved {{ stroke: #2a7d46; stroke-width: 3.5; }}
.white-letter {{ fill: #16202b; font-size: 16px; }} .black-letter {{ fill: #ffffff; font-size: 16px; }}
</style>
<rect width="{wide}" height="{high}" fill="#fffdf8"/>
"##
    )
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
    fits(swap, "SVG")?;
    let board = &swap.problem().board;
    let SwapPlan(moves) = swap.solution();
    let positions = positions(swap);
    let (wide, high) = extent(board);
    let high = high + CAPTION;
    let count = u32::try_from(positions.len()).unwrap_or(u32::MAX);
    let across = count.clamp(1, (1200 / wide).clamp(3, 9));
    let mut text = head(wide * across, high * count.div_ceil(across), &title(swap));
    for (step, (knights, place)) in positions.iter().zip(0u32..).enumerate() {
        let (x, y) = (place % across * wide, place / across * high);
        let last = step.checked_sub(1).map(|before| moves[before]);
        let _ = write!(
            text,
            "<g transform=\"translate({x} {y})\"><text class=\"caption\" x=\"{}\" y=\"17\">{}</text>\n\
             <g transform=\"translate(0 {CAPTION})\">\n{}</g></g>\n",
            wide / 2,
            caption(moves, step),
            panel(board, knights, last)
        );
    }
    text.push_str("</svg>\n");
    Ok(text)
}

/// One picture for each position, all of one size: the frames of an animation.
#[cfg(feature = "raster")]
fn frames(swap: &Verified<SwapProblem>) -> Vec<String> {
    let board = &swap.problem().board;
    let SwapPlan(moves) = swap.solution();
    let frame = |(step, knights): (usize, &Placement)| {
        let last = step.checked_sub(1).map(|before| moves[before]);
        slide(board, knights, last, &caption(moves, step))
    };
    positions(swap).iter().enumerate().map(frame).collect()
}

/// A position under a caption, as a picture of its own.
#[cfg(feature = "raster")]
pub(super) fn slide(
    board: &Board,
    knights: &Placement,
    last: Option<Move>,
    caption: &str,
) -> String {
    let (wide, high) = extent(board);
    format!(
        "{}<text class=\"caption\" x=\"{}\" y=\"17\">{caption}</text><g transform=\"translate(0 {CAPTION})\">\n{}</g></svg>\n",
        head(wide, high + CAPTION, caption),
        wide / 2,
        panel(board, knights, last)
    )
}

/// The strip as PNG.
///
/// # Errors
/// When all panels together have too many squares.
#[cfg(feature = "raster")]
pub fn swap_png(swap: &Verified<SwapProblem>) -> Result<Vec<u8>, RenderError> {
    super::raster::drawing_png(&swap_svg(swap)?)
}

/// The swap as a GIF that plays it move by move.
///
/// # Errors
/// When all frames together have too many squares.
#[cfg(feature = "raster")]
pub fn swap_gif(swap: &Verified<SwapProblem>) -> Result<Vec<u8>, RenderError> {
    fits(swap, "GIF")?;
    super::raster::slides(&frames(swap), 60)
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
        assert_eq!(text.matches("<circle class=\"white").count(), 3);
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
        assert_eq!(&swap_png(&one_move()).unwrap()[1..4], b"PNG");
    }
}
