//! Captures in words.

use destrier_rules::{CaptureProblem, Claim, Puzzle, Verified};

use super::{Misread, quantity};

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
    claim: &Claim,
) -> Option<String> {
    let moves = plan.solution().moves();
    let bound = upper_bound.filter(|&bound| bound < moves)?;
    matches!(claim, Claim::Fewest { .. })
        .then(|| format!("the file's upper bound is {bound}, but the minimum is {moves}"))
}

/// The number of moves, the lower bound, and whether it is proved.
#[must_use]
pub fn capture_told(plan: &Verified<CaptureProblem>, claim: &Claim) -> String {
    let moves = quantity(plan.solution().moves(), "moves");
    let pieces = quantity(plan.problem().targets.len() as u64, "pieces");
    let counted = format!("{moves}, {pieces}");
    match claim {
        Claim::Fewest { lower_bound, .. } => {
            format!("{counted}; lower bound {lower_bound}: proved, no plan is shorter")
        }
        Claim::AtLeast { lower_bound } => {
            format!("{counted}; lower bound {lower_bound}: not proved")
        }
        _ => format!("{counted}; not proved"),
    }
}
