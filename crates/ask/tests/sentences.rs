//! What the library says, as sentences: in English its own words, and words in every other language.

use destrier::{Halt, SolveError};
use destrier_ask::{Language, Misread, Sentence, bytes, error_told, time};
use destrier_rules::{
    Board, Fault, Leaper, Missing, Obstacle, QuestionError, Side, Square, Support, TourSymmetry,
};

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// In English it is what it was; in the others nothing is missing, and it is not English.
fn is_told(sentence: &Sentence, english: &str) {
    assert_eq!(sentence.to_string(), english);
    for language in [Language::Czech, Language::Polish] {
        let told = sentence.tell(language);
        assert!(!told.contains(['{', '}']), "{language:?}: {told}");
        assert!(!told.is_empty() && told != english, "{language:?}: {told}");
        assert_ne!(Some(told.as_str()), sentence.key(), "{language:?}");
    }
}

#[test]
fn why_there_is_none_is_told_in_every_language() {
    let squares = |names: &str| names.split(' ').map(square).collect::<Vec<_>>();
    let mut obstacles = vec![
        Obstacle::Colours { dark: 13, light: 12 },
        Obstacle::EndColours { dark: 12, light: 12 },
        Obstacle::EndColours { dark: 13, light: 12 },
        Obstacle::EndColours { dark: 12, light: 13 },
        Obstacle::DeadEnds { squares: squares("b2") },
        Obstacle::DeadEnds { squares: squares("a1 b2 c3") },
        Obstacle::DeadEnds { squares: squares("a1 a2 a3 a4 a5 a6 a7 a8") },
        Obstacle::Cut { removed: vec![], parts: 2 },
        Obstacle::Cut { removed: squares("a1 b2"), parts: 4 },
        Obstacle::Unreachable { from: square("a1"), to: square("b2") },
        Obstacle::Schwenk { short: 5, long: 5 },
        Obstacle::Schwenk { short: 4, long: 9 },
        Obstacle::Schwenk { short: 3, long: 6 },
        Obstacle::Exhausted { method: "naive".to_owned(), nodes: 1 },
        Obstacle::Exhausted { method: "naive".to_owned(), nodes: 22 },
    ];
    let texts: serde_json::Value = serde_json::from_str(Language::English.texts()).unwrap();
    for name in texts["theorem"].as_object().unwrap().keys() {
        let known = Obstacle::theorem(name).expect("the checker knows it");
        let (name, text) = (name.clone(), known.to_owned());
        obstacles.push(Obstacle::Theorem { name, text });
    }
    for obstacle in &obstacles {
        is_told(&obstacle.into(), &obstacle.to_string());
    }
}

#[test]
fn faults_are_told_in_every_language() {
    let (one, other) = (square("c3"), square("d6"));
    let faults = [
        Fault::Length { found: 12, expected: 16 },
        Fault::OffBoard { step: 3, square: one },
        Fault::OnHole { step: 3, square: one },
        Fault::NotAJump { step: 17, from: one, to: other },
        Fault::Repeated { step: 12, square: one, first: 5 },
        Fault::NotAStep { square: one, number: 70, last: 64 },
        Fault::NoNext { step: 7, square: one },
        Fault::WrongEnd { role: "start", found: one, expected: other },
        Fault::WrongEnd { role: "end", found: one, expected: other },
        Fault::NotClosed { last: one, first: other },
        Fault::NotSymmetric { symmetry: TourSymmetry::HalfTurn.to_string(), step: 2, square: one },
        Fault::NotSymmetric { symmetry: TourSymmetry::FourPaths.to_string(), step: 2, square: one },
        Fault::Empty,
        Fault::Missed(one),
        Fault::NoKnight { step: 1, square: one },
        Fault::Occupied { step: 1, square: one },
        Fault::WrongTurn { step: 2, square: one, turn: Side::White },
        Fault::WrongTurn { step: 2, square: one, turn: Side::Black },
        Fault::Attacked { step: 2, one, other },
        Fault::GoalMissed { square: one, found: None, expected: Some('n') },
        Fault::GoalMissed { square: one, found: Some('N'), expected: Some('n') },
        Fault::Claim("so".to_owned()),
        Fault::Reason("so".to_owned()),
        Fault::TooMuchWork { steps: 474_593_886_208, most: 134_217_728 },
        Fault::NotALeap { leaper: Leaper::new(2, 3).unwrap(), step: Some(4), from: one, to: other },
        Fault::NotALeap { leaper: Leaper::new(2, 3).unwrap(), step: None, from: one, to: other },
        Fault::NotACycle,
        Fault::IdleRun { step: 2, square: one },
        Fault::Undecided("so".to_owned()),
        Fault::Stopped,
        Fault::Question(QuestionError::Doubled(one)),
    ];
    for fault in &faults {
        is_told(&fault.into(), &fault.to_string());
        assert_eq!(error_told(fault), Some(fault.into()));
    }
}

#[test]
fn questions_that_contradict_themselves_are_told_in_every_language() {
    let (one, other, size) = (square("c3"), square("d6"), "8x8".to_owned());
    let mut errors = vec![
        QuestionError::Doubled(one),
        QuestionError::SameEnds(one),
        QuestionError::Knights { letter: 'n', start: 2, goal: 1 },
        QuestionError::NoRoom { left: 2, open: 1 },
        QuestionError::DifferentBoards,
        QuestionError::NoSide(Side::White),
        QuestionError::NoSide(Side::Black),
    ];
    for role in ["start", "end", "knight", "piece"] {
        errors.push(QuestionError::OffBoard { role, square: one, size: size.clone() });
        errors.push(QuestionError::OnHole { role, square: one });
    }
    for position in ["start", "goal"] {
        errors.push(QuestionError::Attacked { position, one, other });
    }
    for symmetry in TourSymmetry::ALL {
        for why in
            [Missing::NotSquare, Missing::JoinedOneWay, Missing::Holes, Missing::MovesNothing]
        {
            let (symmetry, size) = (symmetry.to_string(), size.clone());
            errors.push(QuestionError::NoSuchSymmetry { symmetry, size, why });
        }
    }
    for error in &errors {
        is_told(&error.into(), &error.to_string());
        assert_eq!(error_told(error), Some(error.into()));
        let misread = Misread::from(error.clone());
        is_told(&(&misread).into(), &error.to_string());
        is_told(
            &(&Misread { option: Some("from"), ..misread }).into(),
            &format!("--from: {error}"),
        );
    }
    let unsuited = SolveError::Unsuited { method: "compose", why: "it is for knights".to_owned() };
    is_told(&(&unsuited).into(), &unsuited.to_string());
}

#[test]
fn what_is_no_board_square_time_or_memory_is_told_in_every_language() {
    let board = |text: &str| text.parse::<Board>().unwrap_err();
    for error in [board("8"), board("0x8"), board("8\t8")] {
        is_told(&(&error).into(), &error.to_string());
        assert!(!Sentence::from(&error).tell(Language::Czech).contains('\t'));
    }
    let small = || "3x3".parse::<Board>().unwrap();
    let outside = small().without([square("c9")]).unwrap_err();
    is_told(&(&outside).into(), &outside.to_string());
    let nothing = small().without(small().squares().collect::<Vec<_>>()).unwrap_err();
    is_told(&(&nothing).into(), &nothing.to_string());
    let error = "z".parse::<Square>().unwrap_err();
    is_told(&(&error).into(), &error.to_string());
    let error = "x".parse::<Leaper>().unwrap_err();
    is_told(&(&error).into(), &error.to_string());
    for misread in [time("soon").unwrap_err(), bytes("4 apples").unwrap_err()] {
        is_told(&(&misread).into(), &misread.to_string());
        assert!(error_told(&misread).is_some());
    }
}

#[test]
fn ends_of_runs_and_what_claims_rest_on_are_told_in_every_language() {
    for halt in [Halt::Asked, Halt::Deadline, Halt::Nodes, Halt::Memory, Halt::GaveUp] {
        is_told(&halt.into(), &halt.to_string());
    }
    for support in [
        Support::Checked,
        Support::Theorem,
        Support::Stated,
        Support::Search,
        Support::SearchedAgain,
    ] {
        is_told(&support.into(), &support.to_string());
    }
}
