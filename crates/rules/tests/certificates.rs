//! Certificates: what is written reads back, and nothing unchecked comes in by a file.

#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use destrier_rules::{
    AnyCertificate, Board, CaptureProblem, Certificate, Claim, Confirmed, Impossible, Obstacle,
    Origin, Proof, Setup, Square, Support, SwapProblem, Tour, TourProblem, Unchecked, Verified,
};
use serde_json::{Value, json};

fn origin() -> Origin {
    Origin { program: "a test".to_owned(), method: "by hand".to_owned() }
}

fn tour() -> Certificate<TourProblem> {
    let question = TourProblem::open(Board::new(3, 4).unwrap());
    let tour: Tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse().unwrap();
    let verified = Verified::check(question, tour).unwrap();
    Certificate::new(verified.into(), origin())
}

fn read(value: &Value) -> Result<AnyCertificate, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

#[test]
fn a_certificate_reads_back() {
    let written = serde_json::to_value(tour()).unwrap();
    assert_eq!(read(&written), Ok(AnyCertificate::Tour(tour())));
    let board = Board::new(3, 3).unwrap();
    let obstacle = Obstacle::DeadEnds { squares: vec!["b2".parse().unwrap()] };
    let none = Certificate::new(
        Impossible::check(TourProblem::open(board), obstacle).unwrap().into(),
        origin(),
    );
    assert_eq!(none.confirmed(), Confirmed::Impossible(Support::Checked));
    let written = serde_json::to_value(&none).unwrap();
    let words = "b2 has too few jumps to be passed through";
    assert_eq!(written.get("reason_text"), Some(&Value::from(words)), "for those who read it");
    assert_eq!(written.get("solution"), None);
    assert_eq!(read(&written), Ok(AnyCertificate::Tour(none)));
}

#[test]
fn a_certificate_of_a_known_kind_is_read_as_such() {
    let mut written = serde_json::to_value(tour()).unwrap();
    let read = |value: &Value| serde_json::from_value::<Certificate<TourProblem>>(value.clone());
    assert_eq!(read(&written).unwrap(), tour());
    let swap = serde_json::from_value::<Certificate<SwapProblem>>(written.clone());
    assert!(swap.is_err(), "a tour is no swap");
    written["kind"] = "capture".into();
    let error = read(&written).unwrap_err().to_string();
    assert!(error.contains("this is of kind `capture`, not `tour`"), "{error}");
    written.as_object_mut().unwrap().remove("kind");
    assert!(read(&written).unwrap_err().to_string().contains("missing field `kind`"));
}

#[test]
fn every_spoiled_certificate_is_refused() {
    let written = serde_json::to_value(tour()).unwrap();
    let spoils: [(&str, Value, &str); 9] = [
        ("/solution/3", "a1".into(), "step 4: a1 was visited before, at step 1"),
        ("/solution/3", "z9".into(), "step 4: z9 is not on the board"),
        ("/solution/3", "9z".into(), "`9z` is not a square"),
        ("/question/board/size", "4x3".into(), "is not on the board"),
        ("/question/board/size", "0x3".into(), "each side is 1 to"),
        ("/question/shape", "closed".into(), "the tour is not closed"),
        ("/destrier", 2.into(), "format 2 is not known"),
        ("/cost", 12.into(), "the plan costs 11"),
        ("/kind", "swap".into(), "board"),
    ];
    for (place, value, why) in spoils {
        let mut spoiled = written.clone();
        *spoiled.pointer_mut(place).unwrap() = value;
        let error = read(&spoiled).unwrap_err();
        assert!(error.contains(why), "{place}: {error}");
    }
    for field in ["destrier", "kind", "question", "answer", "solution", "origin"] {
        let mut spoiled = written.clone();
        spoiled.as_object_mut().unwrap().remove(field);
        assert!(read(&spoiled).is_err(), "without {field}");
    }
    let insert = |into: &str, field: &str, value: Value| {
        let mut more = written.clone();
        let object = more.pointer_mut(into).unwrap().as_object_mut().unwrap();
        object.insert(field.to_owned(), value);
        read(&more).unwrap_err()
    };
    for into in ["", "/origin", "/question"] {
        assert!(insert(into, "trust_me", true.into()).contains("unknown field"), "{into}");
    }
    let reason = json!({ "kind": "schwenk", "short": 3, "long": 4 });
    assert!(insert("", "reason", reason).contains("unknown field `reason`"));
    let reason = json!({ "kind": "schwenk", "short": 4, "long": 4 });
    let question = json!({ "board": { "size": "4x4" }, "shape": "closed" });
    let mut none = json!({ "destrier": 1, "kind": "tour", "question": question,
        "answer": "impossible", "reason": reason, "origin": written["origin"] });
    assert!(read(&none).is_ok());
    none["solution"] = written["solution"].clone();
    assert!(read(&none).unwrap_err().contains("unknown field `solution`"));
}

#[test]
fn a_claim_must_agree_with_the_plan() {
    let setup = |fen: &str| fen.parse::<Setup>().unwrap();
    let problem = SwapProblem::between(&setup("n2/3"), &setup("3/2n")).unwrap();
    let plan = || Verified::check(problem.clone(), "a2-c1".parse().unwrap()).unwrap();
    let fewest = |lower_bound| Claim::Fewest {
        lower_bound,
        proof: Proof::Search { by: "naive".to_owned(), nodes: 2 },
    };
    assert!(plan().claiming(fewest(0)).is_err());
    assert!(plan().claiming(fewest(2)).is_err());
    let sound = Certificate::new(plan().claiming(fewest(1)).unwrap().into(), origin());
    let fewest = Some(Support::Search);
    assert_eq!(sound.confirmed(), Confirmed::Solution { cost: 1, fewest });
    let at_least = |lower_bound| Claim::AtLeast { lower_bound };
    assert!(plan().claiming(at_least(2)).is_err());
    assert!(plan().claiming(at_least(1)).is_ok());
    let written = serde_json::to_value(&sound).unwrap();
    assert_eq!(read(&written), Ok(AnyCertificate::Swap(sound)));
}

#[test]
fn a_certificate_is_one_line_of_json_with_the_steps_of_its_solution() {
    let dead_end = Obstacle::DeadEnds { squares: vec!["b2".parse().unwrap()] };
    let none = Impossible::check(TourProblem::open(Board::new(3, 3).unwrap()), dead_end).unwrap();
    let none = Certificate::new(none.into(), origin());
    let capture = CaptureProblem {
        board: Board::new(3, 3).unwrap(),
        start: Square::new(0, 0),
        targets: ["c1".parse().unwrap()].into(),
    };
    let capture = Verified::check(capture, "a1 b3 c1".parse().unwrap()).unwrap();
    let swap = SwapProblem::from_fens("n2/3", "3/2n").unwrap();
    let swap = Verified::check(swap, "a2-c1".parse().unwrap()).unwrap();
    let count = r#"{"destrier":1,"kind":"count","question":{"board":{"size":"3x4"},"shape":"open"},
        "undirected":"8","directed":"16"}"#;
    for (text, steps) in [
        (tour().to_json(), 12),
        (none.to_json(), 0),
        (Certificate::new(capture.into(), origin()).to_json(), 3),
        (Certificate::new(swap.into(), origin()).to_json(), 1),
        (count.replace('\n', ""), 0),
    ] {
        assert_eq!(text.lines().count(), 1, "{text}");
        assert_eq!(AnyCertificate::from_json(&text).unwrap().steps(), steps, "{text}");
    }
    assert_eq!(tour().statement().solved().unwrap().len(), 12);
    assert_eq!(none.statement().solved(), None);
    let unchecked: Unchecked = serde_json::from_str(&tour().to_json()).unwrap();
    assert_eq!(format!("{unchecked:?}"), "Unchecked", "nothing is learned from it");
}
