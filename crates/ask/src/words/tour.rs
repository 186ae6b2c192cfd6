//! Tours in words: what was asked for, what it took, which program answered.

use destrier::Effort;
use destrier_rules::{Impossible, Leaper, Problem, Square, Support, TourProblem};

use super::quantity;

/// The question in words: `closed tour of 8x8 from a1`.
#[must_use]
pub fn named(question: &TourProblem) -> String {
    in_words(question, "tour")
}

/// The question in words, for several: `closed tours of 8x8 from a1`.
#[must_use]
pub fn named_all(question: &TourProblem) -> String {
    in_words(question, "tours")
}

fn in_words(question: &TourProblem, tours: &str) -> String {
    let end = |word: &str, square: Option<Square>| {
        square.map_or_else(String::new, |square| format!(" {word} {square}"))
    };
    let (from, to) = (end("from", question.start), end("to", question.end));
    let symmetry = question.symmetry.map_or_else(String::new, |symmetry| format!("{symmetry} "));
    let piece = match question.leaper {
        Leaper::KNIGHT => String::new(),
        leaper => format!(" by a {leaper} leaper"),
    };
    format!("{symmetry}{} {tours} of {}{from}{to}{piece}", question.shape, question.board)
}

/// What a run took: `2048 nodes, 1 dead end`.
#[must_use]
pub fn effort_told(effort: &Effort) -> String {
    let details = effort.details.iter().map(|&(name, number)| quantity(number, name));
    let all: Vec<String> =
        std::iter::once(quantity(effort.nodes, "nodes")).chain(details).collect();
    all.join(", ")
}

/// Why there is none: `no closed tour of 5x5: …`, with what that rests on where the checker cannot confirm it alone.
#[must_use]
pub fn no_solution<P: Problem>(what: &str, impossible: &Impossible<P>) -> String {
    let obstacle = impossible.obstacle();
    match impossible.support() {
        Support::Search => format!("no {what}: {obstacle}; `verify --recheck` repeats it"),
        _ => format!("no {what}: {obstacle}"),
    }
}
