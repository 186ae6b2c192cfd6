//! Numbers on a board: one for each square, as text or as a heat map.
//!
//! Invariant: every number given is shown, and nothing but holes is left blank.

use std::fmt::Write as _;

use destrier_rules::{Board, Square};

use super::RenderError;
use super::svg::{CELL, middle};

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
        if self.board.area() > MOST_SQUARES {
            let size = self.board.size();
            return Err(RenderError::TooLarge { format: "heat map", size, most: MOST_SQUARES });
        }
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let most = self.numbers.iter().map(|(_, n)| real(n)).fold(0.0, f64::max).max(1.0);
        let (wide, high) = (files * CELL + 30, ranks * CELL + 30);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}\" height=\"{}\" \
             viewBox=\"0 0 {wide} {high}\">\n<title>{}</title>\n<style>text {{ font-family: \
             \"DejaVu Sans\", Verdana, sans-serif; text-anchor: middle; }}</style>\n\
             <rect width=\"{wide}\" height=\"{high}\" fill=\"#fffdf8\"/>\n",
            wide * 3 / 2,
            high * 3 / 2,
            self.title
        );
        let half = i64::from(CELL / 2);
        for &hole in self.board.holes() {
            let (x, y) = middle(self.board, hole);
            let (x, y) = (x - half, y - half);
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#4a4a4a\"/>"
            );
        }
        for (square, number) in self.numbers {
            let (x, y) = middle(self.board, *square);
            // Equal steps of darkness for equal factors.
            let heat = (1.0 + real(number)).ln() / (1.0 + most).ln();
            let shade = |from: f64, to: f64| from + (to - from) * heat;
            let [red, green, blue] = [shade(255.0, 140.0), shade(250.0, 20.0), shade(235.0, 20.0)];
            let ink = if heat > 0.6 { "#ffffff" } else { "#16202b" };
            #[expect(clippy::cast_precision_loss, reason = "a number has few digits")]
            let size = (30.0 / (number.len() as f64 * 0.66)).min(13.0);
            let _ = writeln!(
                text,
                "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" \
                 fill=\"rgb({red:.0},{green:.0},{blue:.0})\" stroke=\"#8a7a60\" stroke-width=\"0.5\">\
                 <title>{square}: {number}</title></rect>\n<text x=\"{x}\" y=\"{:.1}\" \
                 font-size=\"{size:.1}\" fill=\"{ink}\">{number}</text>",
                x - half,
                y - half,
                f64::from(i32::try_from(y).unwrap_or(0)) + size * 0.36,
            );
        }
        text.push_str("</svg>\n");
        Ok(text)
    }
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
        assert_eq!(svg.matches("#4a4a4a").count(), 1);
    }
}
