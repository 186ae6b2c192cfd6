//! A tour of four turned copies of one path, as four columns: a line for each step of the path.
//!
//! The columns are the copies in the order in which the tour runs through them; where an odd board's centre
//! comes is said below.

use std::fmt::Write as _;

use destrier_rules::{Square, TourProblem, TourSymmetry, Verified};

/// The columns of a tour that was asked to be four paths; `None` for other tours.
#[must_use]
pub fn four_columns(tour: &Verified<TourProblem>) -> Option<String> {
    if tour.problem().symmetry != Some(TourSymmetry::FourPaths) {
        return None;
    }
    let squares = &tour.solution().0;
    let side = tour.problem().board.files();
    let middle = Square::new(side / 2, side / 2);
    let centre = squares.iter().position(|&square| side % 2 == 1 && square == middle);
    let path: Vec<Square> =
        squares.iter().copied().filter(|&s| centre.is_none() || s != middle).collect();
    let length = path.len() / 4;
    let widest = path.iter().map(|square| square.to_string().len()).max().unwrap_or(0);
    let digits = length.to_string().len();
    let mut text = String::new();
    for step in 0..length {
        let _ = write!(text, "{:>digits$} ", step + 1);
        for copy in 0..4 {
            let _ = write!(text, " {:>widest$}", path[copy * length + step].to_string());
        }
        text.push('\n');
    }
    if let Some(place) = centre {
        let when = match place.checked_div(length).unwrap_or(0) {
            0 => "first".to_owned(),
            4 => "last".to_owned(),
            copies => format!("after column {copies}"),
        };
        let _ = writeln!(text, "centre {middle} {when}");
    }
    Some(text)
}
