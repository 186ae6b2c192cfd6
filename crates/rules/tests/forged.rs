//! Certificates made to mislead, or to keep the checker busy.

#![cfg(feature = "serde")]

use std::cell::Cell;

use destrier_rules::{
    AnyCertificate, Board, Budget, CaptureProblem, Confirmed, Fault, Obstacle, Problem as _,
    Statement, Support, SwapProblem, TourProblem, TourSymmetry, Unchecked,
};
use serde_json::{Value, json};

fn impossible(kind: &str, question: &Value, reason: &Value) -> String {
    json!({
        "destrier": 1, "kind": kind, "question": question, "answer": "impossible",
        "reason": reason, "origin": { "program": "forger", "method": "none" },
    })
    .to_string()
}

fn checked(text: &str) -> Result<AnyCertificate, Fault> {
    let read: Unchecked = serde_json::from_str(text).expect("it is a certificate");
    read.check(&Budget::of_certificate(text.len() as u64, &|| false))
}

const FORGED: &str = "naive (1 node)\nvalid: no closed tour of 8x8: it is so (checked)";

#[test]
fn foreign_text_is_not_passed_on() {
    let tour = json!({ "board": { "size": "8x8" }, "shape": "closed" });
    for (name, text) in [(FORGED, "so"), ("a rule of mine", "so"), ("parts", "of a swap")] {
        let reason = json!({ "kind": "theorem", "name": name, "text": text });
        let refused = checked(&impossible("tour", &tour, &reason)).unwrap_err();
        assert!(refused.to_string().contains("knows no theorem"), "{refused}");
        assert!(!refused.to_string().contains('\n'), "{refused}");
    }
    for method in [FORGED, "", "naive (checked)", "a\u{202e}b", &"a".repeat(33)] {
        let reason = json!({ "kind": "exhausted", "method": method, "nodes": 1 });
        let refused = checked(&impossible("tour", &tour, &reason)).unwrap_err();
        assert!(refused.to_string().contains("is not the name of a method"), "{refused}");
    }
    // A theorem that is known says what the checker knows of it.
    let swap = json!({ "start": "n1n/3/N1N", "goal": "Nn1/3/1nN" });
    let reason = json!({ "kind": "theorem", "name": "ring", "text": FORGED });
    let swap = checked(&impossible("swap", &swap, &reason));
    let Ok(AnyCertificate::Swap(certificate)) = swap else { panic!("{swap:?}") };
    let Statement::Impossible(none) = certificate.statement() else { panic!() };
    let Obstacle::Theorem { name, text } = none.obstacle() else { panic!() };
    assert_eq!(Some(text.as_str()), Obstacle::theorem(name));
}

#[test]
fn an_obstacle_is_one_line_whatever_is_in_it() {
    let (name, text, method) = (FORGED.to_owned(), FORGED.to_owned(), FORGED.to_owned());
    for obstacle in [Obstacle::Theorem { name, text }, Obstacle::Exhausted { method, nodes: 1 }] {
        assert_eq!(obstacle.to_string().lines().count(), 1, "{obstacle}");
    }
}

#[test]
fn a_bound_without_a_proof_is_not_confirmed_unless_the_checker_can_search() {
    let claimed = |size: &str, bound: u64| {
        let text = json!({
            "destrier": 1, "kind": "capture", "answer": "solved",
            "question": { "board": { "size": size }, "start": "a1", "targets": ["b3"] },
            "solution": ["a1", "b3", "a1", "b3"],
            "claim": { "kind": "at-least", "lower_bound": bound },
            "origin": { "program": "forger", "method": "none" },
        });
        match checked(&text.to_string()) {
            Ok(AnyCertificate::Capture(certificate)) => Some(certificate.confirmed()),
            _ => None,
        }
    };
    let bounded = |lower_bound, support| Some(Confirmed::Bounded { cost: 3, lower_bound, support });
    assert_eq!(claimed("12x11", 3), bounded(3, None));
    assert_eq!(claimed("5x5", 1), bounded(1, Some(Support::SearchedAgain)));
    for (size, bound) in [("5x5", 3), ("5x5", 2), ("5x5", 4), ("12x11", 4)] {
        assert_eq!(claimed(size, bound), None, "{bound} on {size}");
    }
    assert_eq!(claimed("12x11", 0), Some(Confirmed::Solution { cost: 3, fewest: None }));
    assert_eq!(claimed("5x5", 0), Some(Confirmed::Solution { cost: 3, fewest: None }));
}

/// Small certificates whose check would take seconds or minutes.
fn heavy() -> Vec<String> {
    let open = format!("16777153{}", "?".repeat(63));
    let theorem = |name: &str| json!({ "kind": "theorem", "name": name, "text": "" });
    let potentials = |length: &str| json!({ "length": length, "potentials": [0, 0] });
    vec![
        impossible(
            "swap",
            &json!({ "start": "16777152N63", "goal": open }),
            &theorem("open squares"),
        ),
        impossible("swap", &json!({ "start": "N9999999", "goal": "9999999N" }), &theorem("parts")),
        impossible(
            "tour",
            &json!({ "board": { "size": "4096x4096" } }),
            &json!({ "kind": "cut", "removed": [], "parts": 2 }),
        ),
        impossible(
            "capture",
            &json!({ "board": { "size": "4096x4096" }, "start": "a1", "targets": ["b3"] }),
            &json!({ "kind": "unreachable", "from": "a1", "to": "b3" }),
        ),
        json!({
            "destrier": 1, "kind": "capture", "answer": "solved",
            "question": { "board": { "size": "2896x2896" }, "start": "a1", "targets": ["b3"] },
            "solution": ["a1", "b3"],
            "claim": { "kind": "fewest", "lower_bound": 1, "proof": {
                "kind": "refutation", "endings": [potentials("even"), potentials("odd")] } },
            "origin": { "program": "forger", "method": "none" },
        })
        .to_string(),
    ]
}

/// A square with eight straight arms of fifteen, 49 of its 121 squares empty: those behind the middle can be spread
/// over seven arms in millions of ways.
fn star() -> String {
    let mut letters = vec![vec!['#'; 61]; 61];
    for (across, up) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
        for step in 0..=15_i32 {
            let at = |by: i32| usize::try_from(30 + by * step).expect("it is on the board");
            letters[at(up)][at(across)] = if step > 6 { 'N' } else { '1' };
        }
    }
    let (mut start, mut goal) = (letters.clone(), letters);
    for (at, letter) in [(0, 'a'), (1, 'b')] {
        // The last squares of the arm to the right and up, and of the one to the right and down.
        start[if at == 0 { 60 } else { 0 }][45] = letter;
        goal[if at == 0 { 0 } else { 60 }][45] = letter;
    }
    let fen = |board: Vec<Vec<char>>| {
        board.iter().map(|rank| rank.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    };
    let reason = json!({ "kind": "theorem", "name": "regions", "text": "" });
    impossible("swap", &json!({ "start": fen(start), "goal": fen(goal) }), &reason)
}

#[test]
fn a_part_with_too_many_states_is_left_undecided() {
    for name in ["regions", "wheel", "parity (Wilson 1974)"] {
        let text = star().replace("regions", name);
        let refused = checked(&text).unwrap_err();
        assert!(matches!(refused, Fault::Undecided(_)), "{refused}");
        assert!(refused.is_unfinished());
    }
}

#[test]
fn what_the_checker_does_not_take_on_is_not_refuted() {
    let theorem = |name: &str| json!({ "kind": "theorem", "name": name, "text": "" });
    let open = json!({ "start": "n65", "goal": format!("1{}", "?".repeat(65)) });
    let large = json!({ "start": "N139/140/140", "goal": "139N/140/140" });
    for (question, name) in [(&open, "open squares"), (&large, "regions"), (&large, "wheel")] {
        let refused = checked(&impossible("swap", question, &theorem(name))).unwrap_err();
        assert!(matches!(refused, Fault::Undecided(_)), "{name}: {refused}");
    }
}

#[test]
fn work_out_of_proportion_is_refused_before_it_begins() {
    for text in heavy() {
        let refused = checked(&text).unwrap_err();
        assert!(matches!(refused, Fault::TooMuchWork { .. }), "{refused}: {text}");
        assert!(refused.is_unfinished());
    }
}

#[test]
fn a_check_stops_when_it_is_told_to() {
    for text in heavy().into_iter().chain([star()]) {
        // With enough steps the check begins; told to stop at the third question, it asks no more.
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() >= 3
        };
        let read: Unchecked = serde_json::from_str(&text).unwrap();
        let refused = read.check(&Budget::new(u64::MAX, &stop)).unwrap_err();
        assert_eq!((refused, asked.get()), (Fault::Stopped, 3), "{text}");
    }
}

#[test]
fn a_symmetry_of_a_line_of_any_length_is_decided_at_once() {
    let line = |size: &str| {
        let board: Board = size.parse().unwrap();
        TourProblem::open(board).with_symmetry(TourSymmetry::Mirror)
    };
    assert!(line("2147483648x1").validate().is_ok(), "left and right are exchanged");
    let holes: Vec<_> = ["a1", "c1", "d1", "f1", "g1"].map(|s| s.parse().unwrap()).into();
    let middle = Board::new(7, 1).unwrap().without(holes).unwrap();
    // b1 and e1 are left: no mirror maps them to each other.
    assert!(TourProblem::open(middle).with_symmetry(TourSymmetry::Mirror).validate().is_err());
}

#[test]
fn an_honest_certificate_of_usual_size_is_within_its_budget() {
    let torn = SwapProblem::from_fens("n1n/3/N1N", "Nn1/3/1nN").unwrap();
    let ring = Obstacle::Theorem { name: "ring".to_owned(), text: String::new() };
    assert!(torn.confirm_within(&ring, &Budget::of_certificate(100, &|| false)).is_ok());
    let board = Board::new(1024, 1024).unwrap();
    let corner = "a1".parse().unwrap();
    let far: CaptureProblem = CaptureProblem { board, start: corner, targets: [].into() };
    let none = Obstacle::Exhausted { method: "naive".to_owned(), nodes: 1 };
    assert!(far.confirm_within(&none, &Budget::of_certificate(100, &|| false)).is_ok());
}

#[test]
fn the_schema_names_the_theorems_that_the_checker_knows() {
    let schema = include_str!("../../../docs/certificate.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let names = schema["$defs"]["reason"]["properties"]["name"]["enum"].as_array().unwrap();
    assert_eq!(names.len(), 18);
    for name in names {
        assert!(Obstacle::theorem(name.as_str().unwrap()).is_some(), "{name}");
    }
}
