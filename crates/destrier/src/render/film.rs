//! A search as an animated GIF: what it had before it, sight after sight.
//!
//! A sight is a walk over the board, with pieces that wait to be taken, or a position of a swap; each is drawn under a
//! caption. Nothing of it is an answer, so nothing of it is checked.
//!
//! Cost: a drawing for each sight.

use std::collections::BTreeSet;

use destrier_rules::{Board, Leaper, Move, Placement, Square};

use super::RenderError;
use super::drawing::{Anchor, Canvas, Mark, Style};
use super::raster::{slides, waiting};
use super::route::{INK, Size, canvas, extent, marks, paper};
use super::scene::Scene;
use super::strip::{panel, panel_canvas};

/// What a search has before it.
#[derive(Clone, Debug)]
pub enum Sight {
    /// A walk.
    Walk {
        /// Its squares in order.
        walk: Vec<Square>,
        /// The pieces to take, if that is what it is for.
        targets: BTreeSet<Square>,
    },
    /// Knights on the board.
    Position {
        /// Where they stand.
        knights: Placement,
        /// The move that led there.
        last: Option<Move>,
    },
}

/// The most squares of all sights together.
const MOST_DRAWN: u64 = 200_000;
/// How large a walk is drawn: all of it for each sight.
const WATCHED: Size = Size { square: 96.0, longest: 840.0 };
/// Room for the caption, in pixels.
const CAPTION: f64 = 48.0;
/// Hundredths of a second for each sight.
const DELAY: u16 = 8;

const STYLES: &[Style] = &[Style::of("caption").fill(INK).anchor(Anchor::Middle)];

/// Sights of a search, each with a caption, as a GIF.
///
/// # Errors
/// When all sights together have too many squares, or there are none.
pub fn film(
    board: &Board,
    leaper: Leaper,
    sights: &[(Sight, String)],
) -> Result<Vec<u8>, RenderError> {
    let most = MOST_DRAWN / (sights.len() as u64).max(1);
    if board.area() > most {
        return Err(RenderError::TooLarge { format: "GIF", size: board.size(), most });
    }
    let longest = sights.iter().map(|(sight, _)| match sight {
        Sight::Walk { walk, .. } => walk.len(),
        Sight::Position { .. } => 0,
    });
    let empty = Scene {
        board: board.clone(),
        leaper,
        route: Vec::new(),
        jumps: longest.max().unwrap_or(0).saturating_sub(1),
        closed: false,
        arrows: false,
        captured: BTreeSet::new(),
        title: String::new(),
        small: WATCHED.is_small(board),
        copies: None,
    };
    let canvas = match sights.first() {
        Some((Sight::Walk { .. }, _)) => walk_canvas(&empty),
        _ => panel_canvas(board),
    };
    let drawn = sights.iter().map(|(sight, caption)| match sight {
        Sight::Walk { walk, targets } => walked(&empty, walk, targets, caption),
        Sight::Position { knights, last } => panel(board, knights, *last, caption),
    });
    slides(&canvas, drawn.collect(), DELAY)
}

/// The ground of a walk under a caption.
fn walk_canvas(empty: &Scene) -> Canvas {
    let room = CAPTION / WATCHED.scale(&empty.board);
    let mut canvas = canvas(empty, WATCHED).with_room_above(room);
    canvas.styles.extend_from_slice(STYLES);
    canvas
}

/// A walk under a caption.
fn walked(empty: &Scene, walk: &[Square], targets: &BTreeSet<Square>, caption: &str) -> Vec<Mark> {
    let (taken, left): (BTreeSet<Square>, BTreeSet<Square>) =
        targets.iter().partition(|target| walk.contains(target));
    let arrows = !targets.is_empty();
    let scene = Scene { route: walk.to_vec(), arrows, captured: taken, ..empty.clone() };
    let unit = 1.0 / WATCHED.scale(&empty.board);
    let (wide, high) = extent(&empty.board);
    let caption = Mark::text("caption", (wide / 2.0, 34.0 * unit), caption).sized(28.0 * unit);
    let below = marks(&scene).chain(waiting(&empty.board, &left));
    [paper((wide, high + CAPTION * unit)), caption]
        .into_iter()
        .chain(below.map(|mark| mark.moved((0.0, CAPTION * unit))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_has_a_frame_for_each_sight_and_writes_only_what_changes() {
        let board = Board::new(5, 5).unwrap();
        let squares: Vec<Square> = ["a1", "b3", "d4"].map(|name| name.parse().unwrap()).into();
        let targets = BTreeSet::from([squares[2], Square::new(4, 4)]);
        let sights: Vec<(Sight, String)> = (0..=3)
            .map(|k| {
                let sight = Sight::Walk { walk: squares[..k].to_vec(), targets: targets.clone() };
                (sight, "a search".to_owned())
            })
            .collect();
        let bytes = film(&board, Leaper::KNIGHT, &sights).unwrap();
        let mut reader = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        let (wide, mut widths) = (reader.width(), Vec::new());
        while let Some(frame) = reader.next_frame_info().unwrap() {
            widths.push(frame.width);
        }
        assert_eq!((widths.len(), widths[0]), (4, wide));
        assert!(widths[1..].iter().all(|&width| width < wide), "{widths:?} of {wide}");
        assert!(film(&Board::new(300, 300).unwrap(), Leaper::KNIGHT, &sights).is_err());
        assert!(film(&board, Leaper::KNIGHT, &[]).is_err());
    }
}
