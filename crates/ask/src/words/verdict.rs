//! Answers given as text, and what the checker says of answers.

use std::collections::BTreeSet;

use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Certificate, Confirmed, Problem, Shape, Square, Statement,
    Tour, TourProblem, Verified,
};

use super::{Misread, named, quantity};

/// Says what a checked tour is, and of an open one whether it could be closed.
#[must_use]
pub fn tour_told(verified: &Verified<TourProblem>) -> String {
    let (problem, Tour(squares)) = (verified.problem(), verified.solution());
    let (first, last) = (squares[0], squares[squares.len() - 1]);
    let could_close = problem.shape == Shape::Open && problem.is_jump(last, first);
    let closable = if could_close { ", and could be closed" } else { "" };
    let question = TourProblem { start: Some(first), end: Some(last), ..problem.clone() };
    let squares = quantity(squares.len() as u64, "squares");
    format!("{}, {squares}{closable}", named(&question))
}

/// Says what a checked capture is.
#[must_use]
pub fn plan_told(verified: &Verified<CaptureProblem>) -> String {
    let CaptureProblem { board, start, targets } = verified.problem();
    let pieces = quantity(targets.len() as u64, "pieces");
    let moves = quantity(verified.solution().moves(), "moves");
    format!("capture of {pieces} on {board} from {start} in {moves}")
}

/// Says what the checker confirmed of a certificate about `what`.
#[must_use]
pub fn certificate_told<P: Problem>(certificate: &Certificate<P>, what: &str) -> String {
    match (certificate.confirmed(), certificate.statement()) {
        (Confirmed::Impossible(support), Statement::Impossible(impossible)) => {
            format!("no {what}: {} ({support})", impossible.obstacle())
        }
        (Confirmed::Solution { cost, fewest: Some(support) }, _) => {
            format!("{what} in {cost}, the fewest {support}")
        }
        (Confirmed::Solution { cost, .. }, _) => format!("{what} in {cost}"),
        _ => what.to_owned(),
    }
}

/// Do these lines look like a grid of step numbers?
#[must_use]
pub fn is_grid(lines: &[&str]) -> bool {
    let number = |word: &str| word == "#" || word.parse::<u64>().is_ok();
    lines.first().is_some_and(|first| first.split_whitespace().all(number))
}

/// Reads a grid of step numbers, the top rank first, `#` for a hole.
///
/// # Errors
/// With the line that is wrong, or the step that is missing.
pub fn grid(lines: &[&str]) -> Result<(Board, Tour), Misread> {
    let side = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let files = lines.first().map_or(0, |line| line.split_whitespace().count());
    let board = Board::new(side(files), side(lines.len())).map_err(Misread::new)?;
    let (mut holes, mut steps) = (Vec::new(), Vec::new());
    for (number, (line, rank)) in (1..).zip(lines.iter().zip((0..board.ranks()).rev())) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() != files {
            let found = quantity(words.len() as u64, "numbers");
            return Err(Misread::new(format!(
                "line {number} has {found}, but the first line has {files}"
            )));
        }
        for (file, word) in (0..).zip(words) {
            let square = Square::new(file, rank);
            if word == "#" {
                holes.push(square);
                continue;
            }
            let step: u64 = word.parse().map_err(|_| {
                let why = format!("line {number} has `{word}`; a grid is step numbers and `#`");
                Misread::new(why).at(square)
            })?;
            steps.push((step, square));
        }
    }
    steps.sort_unstable();
    for (expected, &(step, square)) in (1..).zip(&steps) {
        if step != expected {
            let why = format!("{square} has step {step}, where {expected} is missing");
            return Err(Misread::new(why).at(square));
        }
    }
    let tour = Tour(steps.into_iter().map(|(_, square)| square).collect());
    Ok((board.without(holes).map_err(Misread::new)?, tour))
}

/// The smallest board that holds these squares.
///
/// # Errors
/// When it would be larger than any board.
pub fn board_around(squares: &[Square]) -> Result<Board, Misread> {
    let most = |side: fn(&Square) -> u32| squares.iter().map(side).max().unwrap_or(0) + 1;
    Board::new(most(|square| square.file), most(|square| square.rank)).map_err(Misread::new)
}

/// Reads a capture written as squares, with a `*` after those where a piece is taken. Without a board it is the
/// smallest one that holds the squares.
///
/// # Errors
/// When a word is no square, or there is none.
pub fn capture_line(
    line: &str,
    board: Option<Board>,
) -> Result<(CaptureProblem, CapturePlan), Misread> {
    let plan: CapturePlan = line.parse().map_err(Misread::new)?;
    let mut targets = BTreeSet::new();
    for starred in line.split_whitespace().filter_map(|word| word.strip_suffix('*')) {
        targets.insert(starred.parse().map_err(Misread::new)?);
    }
    let start = *plan.0.first().ok_or_else(|| Misread::new("there is nothing to check"))?;
    let board = board.map_or_else(|| board_around(&plan.0), Ok)?;
    Ok((CaptureProblem { board, start, targets }, plan))
}
