//! Captures in words.

use destrier_rules::{CaptureProblem, Claim, Puzzle, Support, Verified};

use super::{BY_SEARCH, Misread, quantity};

/// Reads a puzzle: a FEN, the text of a data file, or JSON (the question by itself, or in a certificate).
///
/// # Errors
/// With the line and column that are wrong.
pub fn puzzle(text: &str) -> Result<Puzzle, Misread> {
    if !text.trim_start().starts_with('{') {
        return text.parse().map_err(Misread::new);
    }
    let mut value: serde_json::Value =
        serde_json::from_slice(text.as_bytes()).map_err(Misread::new)?;
    if let Some(question) = value.get_mut("question") {
        value = question.take();
    }
    let problem: CaptureProblem = serde_json::from_value(value).map_err(|error| {
        Misread::new(format!("a puzzle has `board`, `start` and `targets`: {error}"))
    })?;
    Ok(Puzzle { problem, upper_bound: None })
}

/// A warning if the upper bound in a puzzle's file is below the length of a plan that is proved shortest.
#[must_use]
pub fn upper_bound_told(
    upper_bound: Option<u64>,
    plan: &Verified<CaptureProblem>,
) -> Option<String> {
    let moves = plan.cost();
    let bound = upper_bound.filter(|&bound| bound < moves)?;
    matches!(plan.claim(), Claim::Fewest { .. })
        .then(|| format!("the file's upper bound is {bound}, but the minimum is {moves}"))
}

/// The number of moves, the lower bound, and what it rests on: `proved` is said of what the checker added up.
#[must_use]
pub fn capture_told(plan: &Verified<CaptureProblem>) -> String {
    let moves = quantity(plan.cost(), "moves");
    let pieces = quantity(plan.problem().targets.len() as u64, "pieces");
    let counted = format!("{moves}, {pieces}");
    match plan.claim() {
        Claim::Fewest { lower_bound, .. } if plan.support() == Some(Support::Checked) => {
            format!("{counted}; lower bound {lower_bound}: proved, no plan is shorter")
        }
        Claim::Fewest { .. } => format!("{counted}; no plan is shorter, {BY_SEARCH}"),
        Claim::AtLeast { lower_bound } => {
            format!("{counted}; lower bound {lower_bound}: not proved")
        }
        _ => format!("{counted}; not proved"),
    }
}
