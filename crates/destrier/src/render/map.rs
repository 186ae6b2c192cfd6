//! Numbers on a board: one for each square, as text or as a heat map.
//!
//! Invariant: every number given is shown, and nothing but holes is left blank.

use std::fmt::Write as _;

use destrier_rules::{Board, Square};

use super::RenderError;
use super::drawing::{Anchor, Canvas, Mark, Rgb, Style};
use super::route::{CELL, HOLE, INK, PAPER, WHITE, corner, middle, paper};

/// A number for each square of a board.
#[derive(Clone, Debug)]
pub struct NumberMap<'m> {
    /// What the numbers are.
    pub title: String,
    /// The board.
    pub board: &'m Board,
    /// Decimal numbers by square.
    pub numbers: &'m [(Square, String)],
}

/// The most squares that a map draws.
const MOST_SQUARES: u64 = 10_000;

const STYLES: &[Style] = &[
    Style::of("paper").fill(PAPER),
    Style::of("hole").fill(HOLE),
    Style::of("cell").stroke(Rgb(0x8a_7a60)).width(0.5),
    Style::of("number").fill(INK).anchor(Anchor::Middle),
    Style::of("pale").fill(WHITE),
];

impl NumberMap<'_> {
    /// The numbers in rows, the top rank first, holes as `#`.
    #[must_use]
    pub fn grid(&self) -> String {
        let widest = self.numbers.iter().map(|(_, number)| number.len()).max().unwrap_or(1);
        let mut text = String::new();
        for rank in (0..self.board.ranks()).rev() {
            let cells: Vec<&str> = (0..self.board.files())
                .map(|file| self.at(Square::new(file, rank)).unwrap_or("#"))
                .collect();
            for (file, cell) in cells.iter().enumerate() {
                let gap = if file == 0 { "" } else { " " };
                let _ = write!(text, "{gap}{cell:>widest$}");
            }
            text.push('\n');
        }
        text
    }

    fn at(&self, square: Square) -> Option<&str> {
        self.numbers.iter().find(|(other, _)| *other == square).map(|(_, n)| n.as_str())
    }

    /// A picture: the larger a number, the darker its square.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn svg(&self) -> Result<String, RenderError> {
        Ok(self.canvas()?.svg(self.marks()))
    }

    /// The same picture in pixels.
    ///
    /// # Errors
    /// When the board is too large.
    #[cfg(feature = "raster")]
    pub fn png(&self) -> Result<Vec<u8>, RenderError> {
        self.canvas()?.png(self.marks())
    }

    fn canvas(&self) -> Result<Canvas, RenderError> {
        if self.board.area() > MOST_SQUARES {
            let size = self.board.size();
            return Err(RenderError::TooLarge { format: "heat map", size, most: MOST_SQUARES });
        }
        Ok(Canvas::new(&self.title, self.extent(), STYLES).scaled(1.5))
    }

    fn extent(&self) -> (f64, f64) {
        let side = |squares: u32| f64::from(squares) * CELL + 30.0;
        (side(self.board.files()), side(self.board.ranks()))
    }

    fn marks(&self) -> impl Iterator<Item = Mark> {
        let most = self.numbers.iter().map(|(_, n)| real(n)).fold(0.0, f64::max).max(1.0);
        let cell = (CELL, CELL);
        let holes = self.board.holes().iter();
        let holes = holes.map(move |&hole| Mark::rect("hole", corner(self.board, hole), cell));
        let numbers = self.numbers.iter().flat_map(move |(square, number)| {
            // Equal steps of darkness for equal factors.
            let heat = (1.0 + real(number)).ln() / (1.0 + most).ln();
            #[expect(clippy::cast_precision_loss, reason = "a number has few digits")]
            let size = (30.0 / (number.len() as f64 * 0.66)).min(13.0);
            let (x, y) = middle(self.board, *square);
            let class = if heat > 0.6 { "number pale" } else { "number" };
            [
                Mark::rect("cell", corner(self.board, *square), cell)
                    .filled(shade(heat))
                    .noted(format!("{square}: {number}")),
                Mark::text(class, (x, y + size * 0.36), number).sized(size),
            ]
        });
        std::iter::once(paper(self.extent())).chain(holes).chain(numbers)
    }
}

/// From pale to dark red.
fn shade(heat: f64) -> Rgb {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part of a colour is a byte"
    )]
    let part = |from: f64, to: f64| (from + (to - from) * heat).round() as u8;
    Rgb(u32::from_be_bytes([0, part(255.0, 140.0), part(250.0, 20.0), part(235.0, 20.0)]))
}

fn real(number: &str) -> f64 {
    number.parse().unwrap_or(f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_shows_every_number_and_marks_holes() {
        let board = Board::new(2, 2).unwrap().without([Square::new(1, 1)]).unwrap();
        let numbers: Vec<(Square, String)> =
            board.squares().zip(["7", "10", "3"]).map(|(s, n)| (s, n.to_owned())).collect();
        let map = NumberMap { title: "test".to_owned(), board: &board, numbers: &numbers };
        assert_eq!(map.grid(), " 3  #\n 7 10\n");
        let svg = map.svg().unwrap();
        assert_eq!(svg.matches("<text").count(), 3);
        assert_eq!(svg.matches("class=\"hole\"").count(), 1);
        assert!(svg.contains("<title>b1: 10</title>"), "{svg}");
    }
}
