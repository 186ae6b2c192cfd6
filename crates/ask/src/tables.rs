//! What there is to choose from: methods, and puzzles that have a name.

use destrier::{CaptureMethod, CountMethod, Method, SwapMethod, TourMethod};
use serde_json::{Value, json};

use crate::words::PRESETS;

/// All methods, by kind of question.
#[must_use]
pub fn methods() -> Value {
    fn entry<M: Method>(method: &M) -> Value {
        json!({ "name": method.name(), "about": method.about() })
    }
    /// The same with a word on whether its steps can be watched.
    fn watched<M: Method>(is_traceable: fn(M) -> bool) -> impl Fn(&M) -> Value {
        move |method| {
            let mut entry = entry(method);
            entry["trace"] = is_traceable(*method).into();
            entry
        }
    }
    let tours = TourMethod::ALL.iter().map(watched(TourMethod::is_traceable));
    let captures = CaptureMethod::ALL.iter().map(watched(CaptureMethod::is_traceable));
    let swaps = SwapMethod::ALL.iter().map(watched(SwapMethod::is_traceable));
    json!({
        "tour": tours.collect::<Vec<_>>(),
        "count": CountMethod::ALL.iter().map(entry).collect::<Vec<_>>(),
        "capture": captures.collect::<Vec<_>>(),
        "swap": swaps.collect::<Vec<_>>(),
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
