//! What there is to choose from: methods, and puzzles that have a name.

use destrier::capture::CAPTURE_SOLVERS;
use destrier::count::TOUR_COUNTERS;
use destrier::swap::SWAP_SOLVERS;
use destrier::tour::TOUR_SOLVERS;
use serde_json::{Value, json};

use crate::words::PRESETS;

/// The methods whose steps can be watched; for `auto` they are those of `backtrack`.
const WATCHED: [&str; 6] = ["auto", "warnsdorff", "pohl", "roth", "backtrack", "naive"];

/// All methods, by kind of question.
#[must_use]
pub fn methods() -> Value {
    let entry = |(name, about): (&str, &str)| json!({ "name": name, "about": about });
    let tours = TOUR_SOLVERS.iter().map(|m| {
        let mut tour = entry((m.name(), m.about()));
        tour["trace"] = WATCHED.contains(&m.name()).into();
        tour
    });
    json!({
        "tour": tours.collect::<Vec<_>>(),
        "count": TOUR_COUNTERS.iter().map(|m| entry((m.name(), m.about()))).collect::<Vec<_>>(),
        "capture": CAPTURE_SOLVERS.iter().map(|m| entry((m.name(), m.about()))).collect::<Vec<_>>(),
        "swap": SWAP_SOLVERS.iter().map(|m| entry((m.name(), m.about()))).collect::<Vec<_>>(),
    })
}

/// Captures to begin with.
const CAPTURES: &[(&str, &str, &str)] = &[
    ("first-steps", "Three pieces on 5x5", "4p/5/2p2/5/N3p"),
    ("corners", "From the middle to all four corners", "p6p/8/8/3N4/8/8/8/p6p"),
    ("pawn-row", "A row of pawns", "8/pppppppp/8/8/8/8/8/1N6"),
    ("scattered", "Fifteen pieces all over the board", "p2p4/1p4p1/4p3/2p4p/p5p1/3p4/1p3p2/N2p2p1"),
    ("pond", "Six pieces round a pond", "8/1p2p1p1/8/3##3/3##3/8/1p1p2p1/N7"),
];

/// Known puzzles, by kind of question.
#[must_use]
pub fn presets() -> Value {
    let swaps = PRESETS
        .iter()
        .map(|p| json!({ "name": p.name, "about": p.about, "start": p.start, "goal": p.goal }));
    let captures = CAPTURES
        .iter()
        .map(|&(name, about, puzzle)| json!({ "name": name, "about": about, "puzzle": puzzle }));
    json!({ "swap": swaps.collect::<Vec<_>>(), "capture": captures.collect::<Vec<_>>() })
}
