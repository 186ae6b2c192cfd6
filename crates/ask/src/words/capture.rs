//! Captures in words.

use std::collections::BTreeSet;

use destrier::Halt;
use destrier_rules::{
    Board, CaptureProblem, Claim, Coordinates, Puzzle, Square, Support, Verified, parse_squares,
};

use super::{Misread, Sentence, Told};
use crate::document::Document;

/// Reads a puzzle: a FEN, the text of a data file, the task as the course states it, or JSON (the question by itself, or
/// in a certificate).
///
/// # Errors
/// With the line and column that are wrong.
pub fn puzzle(text: &str) -> Result<Puzzle, Misread> {
    puzzle_in(text, Coordinates::Zero)
}

/// A board by its size, or a square one by its side.
///
/// # Errors
/// When it is neither.
pub fn square_board(text: &str) -> Result<Board, Misread> {
    let text = text.trim();
    let size = if text.parse::<u32>().is_ok() { format!("{text}x{text}") } else { text.to_owned() };
    Ok(size.parse::<Board>()?)
}

/// The task as the course states it: lines `k = 8`, `q = 2`, `F = c2 d4`, `J = a1`, and perhaps `U = 20`.
fn stated(text: &str, coords: Coordinates) -> Result<Puzzle, Misread> {
    let (mut board, mut count, mut pieces, mut start, mut upper_bound) =
        (None, None, None, None, None);
    for (number, line) in (1_u32..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |why: String| Misread::new(format!("line {number}: {why}"));
        let told = |error: &dyn std::fmt::Display| wrong(error.to_string());
        let (name, value) = line.split_once('=').ok_or_else(|| {
            wrong(format!("`{line}` is none of k = 8, q = 2, F = c2 d4, J = a1, U = 20"))
        })?;
        let value = value.trim();
        let natural =
            || value.parse::<u64>().map_err(|_| wrong(format!("`{value}` is not a number")));
        match name.trim() {
            "k" => board = Some(square_board(value).map_err(|error| told(&error))?),
            "q" => count = Some(natural()?),
            "F" => {
                pieces = Some(parse_squares(value, coords).map_err(|error| told(&error))?);
            }
            "J" => start = Some(Square::read(value, coords).map_err(|error| told(&error))?),
            "U" => upper_bound = Some(natural()?),
            other => return Err(wrong(format!("there is no `{other}`; there are k, q, F, J, U"))),
        }
    }
    let missing = |name: &str| Misread::new(format!("there is no line `{name} = …`"));
    let board = board.ok_or_else(|| missing("k"))?;
    let start = start.ok_or_else(|| missing("J"))?;
    let pieces = pieces.ok_or_else(|| missing("F"))?;
    let targets =
        pieces_on(pieces).map_err(|twice| Misread::new(format!("F names {twice} twice")))?;
    if let Some(count) = count.filter(|&count| count != targets.len() as u64) {
        let found = targets.len();
        return Err(Misread::new(format!(
            "q is {count}, but the number of squares in F is {found}"
        )));
    }
    Ok(Puzzle { problem: CaptureProblem { board, start, targets }, upper_bound })
}

/// The squares of pieces, each named once.
///
/// # Errors
/// With a square that is named twice.
pub fn pieces_on(squares: Vec<Square>) -> Result<BTreeSet<Square>, Square> {
    let mut pieces = BTreeSet::new();
    match squares.into_iter().find(|&square| !pieces.insert(square)) {
        Some(twice) => Err(twice),
        None => Ok(pieces),
    }
}

/// The same, with numeric squares counted from zero or one.
///
/// # Errors
/// With the line and column that are wrong.
pub fn puzzle_in(text: &str, coords: Coordinates) -> Result<Puzzle, Misread> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if !text.trim_start().starts_with('{') && first.contains('=') {
        return stated(text, coords);
    }
    if !text.trim_start().starts_with('{') {
        return text.parse().map_err(Misread::new);
    }
    let Document(mut value) = serde_json::from_slice(text.as_bytes()).map_err(Misread::new)?;
    if let Some(question) = value.get_mut("question") {
        value = question.take();
    }
    let problem: CaptureProblem = serde_json::from_value(value).map_err(|error| {
        Misread::new(format!("a puzzle has `board`, `start` and `targets`: {error}"))
    })?;
    Ok(Puzzle { problem, upper_bound: None })
}

impl Told for CaptureProblem {
    fn none(&self) -> Sentence {
        Sentence::of("capture.none")
    }

    fn solved(plan: &Verified<CaptureProblem>) -> Sentence {
        Sentence::of("capture.done").with("n", plan.cost())
    }

    const LEAST: &'static str = "capture.least";
}

/// A warning if the upper bound in a puzzle's file is below the length of a plan that is proved shortest.
#[must_use]
pub fn upper_bound_told(
    upper_bound: Option<u64>,
    plan: &Verified<CaptureProblem>,
) -> Option<Sentence> {
    let moves = plan.cost();
    let bound = upper_bound.filter(|&bound| bound < moves)?;
    matches!(plan.claim(), Claim::Fewest { .. })
        .then(|| Sentence::of("capture.upper_bound").with("bound", bound).with("moves", moves))
}

/// The number of moves, the lower bound, and what it rests on: `proved` is said of what the checker added up.
#[must_use]
pub fn capture_told(plan: &Verified<CaptureProblem>) -> Sentence {
    let bounded = |key: &'static str, bound: &u64| Sentence::of(key).with("bound", bound);
    let said = match plan.claim() {
        Claim::Fewest { lower_bound, .. } if plan.support() == Some(Support::Checked) => {
            bounded("capture.told_proved", lower_bound)
        }
        Claim::Fewest { .. } => Sentence::of("capture.told_searched"),
        Claim::AtLeast { lower_bound } => bounded("capture.told_bound", lower_bound),
        _ => Sentence::of("capture.told_found"),
    };
    let pieces = plan.problem().targets.len();
    said.with("moves", Sentence::of("unit.moves").with("n", plan.cost()))
        .with("pieces", Sentence::of("unit.pieces").with("n", pieces))
}

/// That a search for a plan stopped, and what is known by then.
#[must_use]
pub fn capture_undecided(why: Halt, best: Option<&Verified<CaptureProblem>>) -> Sentence {
    let known = best.and_then(|plan| match plan.claim() {
        Claim::AtLeast { lower_bound } => Some((plan.cost(), lower_bound)),
        _ => None,
    });
    let said = match known {
        Some((best, bound)) => {
            Sentence::of("capture.undecided_best").with("best", best).with("bound", bound)
        }
        None => Sentence::of("capture.undecided"),
    };
    said.with("why", Sentence::from(why))
}
