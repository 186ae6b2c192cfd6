//! Questions and answers in words: what users type, and what they read.
//!
//! ```text
//! what was typed ─► question (or Misread) ─► solver ─► answer ─► a sentence
//! ```
//!
//! There is one place for each sentence, so that the same mistake gets the same message wherever it is made, and the
//! same answer the same words. Nothing here reads a file or prints.

mod capture;
mod count;
mod english;
mod estimate;
mod library;
mod sentence;
mod swap;
mod tour;
mod verdict;

pub use capture::{
    capture_told, capture_undecided, pieces_on, puzzle, puzzle_in, square_board, upper_bound_told,
};
pub use count::{
    Counted, Counting, Series, by_start_json, by_start_rows, by_start_title, recurrence_told,
    stopped,
};
pub use estimate::estimate_told;
pub use library::error_told;
pub(crate) use sentence::shortened;
pub use sentence::{Language, Sentence};
pub use swap::{PRESETS, Preset, between, counted, facing, labelled, swap_told, swap_undecided};
pub(crate) use tour::of_length;
pub use tour::{
    Told, board_told, effort_told, named, named_all, no_solution, tour_told, undecided,
};
pub(crate) use verdict::without_proof;
pub use verdict::{
    CheckedClaim, Verdict, board_around, capture_line, claims, count_claims, grid, is_asked_for,
    is_grid, plan_told,
};

use std::time::Duration;

use destrier_rules::{Board, BoardError, QuestionError, Setup, Square};

/// What is wrong with something that was typed: in which option, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", .option.map_or_else(String::new, |option| format!("--{option}: ")))]
pub struct Misread {
    /// The option, where it was given to one.
    pub option: Option<&'static str>,
    /// What is wrong.
    pub why: Sentence,
    /// The square where it shows, if it shows on one.
    pub square: Option<Square>,
}

impl Misread {
    /// Something is wrong in general, in English words.
    pub fn new(why: impl ToString) -> Misread {
        Misread::told(Sentence::english(why))
    }

    /// Something is wrong in general.
    #[must_use]
    pub const fn told(why: Sentence) -> Misread {
        Misread { option: None, why, square: None }
    }

    /// Something is wrong with what was given to this option.
    pub fn of(option: &'static str) -> impl Fn(&(dyn std::error::Error + 'static)) -> Misread {
        move |error| {
            let why = error_told(error).unwrap_or_else(|| Sentence::english(error));
            Misread { option: Some(option), ..Misread::told(why) }
        }
    }

    /// The same, shown on a square.
    #[must_use]
    pub fn at(self, square: Square) -> Misread {
        Misread { square: Some(square), ..self }
    }
}

impl From<BoardError> for Misread {
    fn from(error: BoardError) -> Misread {
        Misread::told((&error).into())
    }
}

impl From<QuestionError> for Misread {
    fn from(error: QuestionError) -> Misread {
        let square = match &error {
            QuestionError::OffBoard { square, .. }
            | QuestionError::OnHole { square, .. }
            | QuestionError::Doubled(square)
            | QuestionError::SameEnds(square)
            | QuestionError::Attacked { one: square, .. } => Some(*square),
            _ => None,
        };
        Misread { square, ..Misread::told((&error).into()) }
    }
}

/// A number of things, given in the plural: `3 dead ends`, `1 dead end`.
///
/// ```
/// assert_eq!(destrier_ask::quantity(1, "dead ends"), "1 dead end");
/// assert_eq!(destrier_ask::quantity(1, "symmetries"), "1 symmetry");
/// assert_eq!(destrier_ask::quantity(1, "passes"), "1 pass");
/// assert_eq!(destrier_ask::quantity(0, "states kept"), "0 states kept");
/// ```
#[must_use]
pub fn quantity(number: u64, things: &str) -> String {
    if number != 1 {
        return format!("{number} {things}");
    }
    let mut words: Vec<String> = things.split(' ').map(str::to_owned).collect();
    if let Some(noun) = words.iter_mut().find(|word| word.ends_with('s')) {
        match (noun.strip_suffix("ies"), noun.strip_suffix("sses")) {
            (Some(stem), _) if stem.len() > 1 => *noun = format!("{stem}y"),
            (_, Some(stem)) => *noun = format!("{stem}ss"),
            _ => drop(noun.pop()),
        }
    }
    format!("1 {}", words.join(" "))
}

/// Reads a board without pieces: `8x8`, a FEN like `5/2#2/5`, or a drawing of `.` and `#`.
///
/// # Errors
/// When it is none of these, or has pieces.
///
/// ```
/// assert_eq!(destrier_ask::board("8x6").unwrap().area(), 48);
/// assert_eq!(destrier_ask::board("5/2#2/5").unwrap().len(), 14);
/// assert_eq!(destrier_ask::board("2#2").unwrap().len(), 4);
/// ```
pub fn board(text: &str) -> Result<Board, Misread> {
    // A board of one rank is told from a drawing by its numbers: `2#2`.
    let is_one_rank = !text.contains(['.', '\n'])
        && text.contains(['#', '*'])
        && text.contains(|c: char| c.is_ascii_digit());
    if !text.contains('/') && !is_one_rank {
        return Ok(text.parse::<Board>()?);
    }
    let setup: Setup = text.parse().map_err(Misread::new)?;
    match setup.pieces.iter().next() {
        Some((&square, piece)) => {
            let why = format!("`{piece}` stands on {square}; a tour's board has no pieces");
            Err(Misread::new(why).at(square))
        }
        None => Ok(setup.board),
    }
}

/// Reads `500ms`, `10s`, `5m`, `2h`; a plain number is seconds.
///
/// # Errors
/// When it is no time.
pub fn time(text: &str) -> Result<Duration, Misread> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let time = digits.parse::<f64>().ok().map(|number| number * seconds);
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| Misread::told(Sentence::of("refused.time").with("text", text)))
}

/// Reads `500M`, `4G`, `4GiB`; a plain number is bytes.
///
/// # Errors
/// When it is no amount of memory.
pub fn bytes(text: &str) -> Result<u64, Misread> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "" | "B" => Some(1_u64),
        "K" | "KB" => Some(1 << 10),
        "M" | "MB" => Some(1 << 20),
        "G" | "GB" => Some(1 << 30),
        "T" | "TB" => Some(1 << 40),
        _ => None,
    };
    let bytes = digits.parse::<u64>().ok().zip(unit).and_then(|(n, unit)| n.checked_mul(unit));
    bytes.ok_or_else(|| Misread::told(Sentence::of("refused.memory").with("text", text)))
}

#[cfg(test)]
mod tests {
    use destrier::{Board, Setup, Square};

    use super::*;

    /// All boards to three by three; of one rank without a hole the FEN is a mere number, which could be anything.
    #[test]
    fn a_board_reads_back_from_its_fen_and_from_its_drawing() {
        let mut read = 0;
        for (files, ranks) in (1..=3).flat_map(|files| (1..=3).map(move |ranks| (files, ranks))) {
            let whole = Board::new(files, ranks).expect("it is small");
            let squares: Vec<Square> = whole.squares().collect();
            for holes in 0..(1_u32 << squares.len()) - 1 {
                let holes = (0..squares.len()).filter(|i| holes >> i & 1 == 1).map(|i| squares[i]);
                let drawn = whole.clone().without(holes).expect("a square is left");
                let fen = Setup::empty(drawn.clone()).fen();
                if ranks > 1 || !drawn.holes().is_empty() {
                    assert_eq!(board(&fen).as_ref(), Ok(&drawn), "{fen}");
                    read += 1;
                }
                let rows = (0..ranks).rev().map(|rank| {
                    let at = |file| if drawn.contains(Square::new(file, rank)) { '.' } else { '#' };
                    (0..files).map(at).collect::<String>()
                });
                let rows: Vec<String> = rows.collect();
                assert_eq!(board(&rows.join("\n")).as_ref(), Ok(&drawn), "{rows:?}");
            }
        }
        assert_eq!(read, 670);
    }
}
