//! Every fault says its step, its squares and its words.

use destrier_rules::{Fault, Side, Square};

#[test]
fn a_fault_knows_its_step_its_squares_and_its_words() {
    let (a, b) = (Square::new(0, 0), Square::new(1, 2));
    let symmetry = "half-turn".to_owned();
    let (found, expected) = (Some('N'), None);
    let table: [(Fault, Option<u64>, Vec<Square>, &str); 17] = [
        (
            Fault::Length { found: 3, expected: 9 },
            None,
            vec![],
            "the tour has 3 squares, but the board has 9",
        ),
        (
            Fault::OffBoard { step: 7, square: a },
            Some(7),
            vec![a],
            "step 7: a1 is not on the board",
        ),
        (Fault::OnHole { step: 7, square: a }, Some(7), vec![a], "step 7: a1 is a hole"),
        (
            Fault::NotAJump { step: 7, from: a, to: b },
            Some(7),
            vec![a, b],
            "step 7: a1 to b3 is not a knight's jump",
        ),
        (
            Fault::Repeated { step: 7, square: a, first: 2 },
            Some(7),
            vec![a],
            "step 7: a1 was visited before, at step 2",
        ),
        (
            Fault::WrongEnd { role: "start", found: a, expected: b },
            None,
            vec![a, b],
            "the start is a1, but should be b3",
        ),
        (
            Fault::NotClosed { last: a, first: b },
            None,
            vec![a, b],
            "the tour is not closed: a1 to b3 is not a knight's jump",
        ),
        (
            Fault::NotSymmetric { symmetry, step: 7, square: a },
            Some(7),
            vec![a],
            "step 7: the tour does not have half-turn symmetry at a1",
        ),
        (
            Fault::Empty,
            None,
            vec![],
            "the plan has no squares; it must begin with the knight's square",
        ),
        (Fault::Missed(a), None, vec![a], "the piece on a1 is never taken"),
        (
            Fault::NoKnight { step: 7, square: a },
            Some(7),
            vec![a],
            "move 7: no knight stands on a1",
        ),
        (Fault::Occupied { step: 7, square: a }, Some(7), vec![a], "move 7: a1 is occupied"),
        (
            Fault::WrongTurn { step: 7, square: a, turn: Side::White },
            Some(7),
            vec![a],
            "move 7: it is white's turn, but the knight on a1 is not white",
        ),
        (
            Fault::IdleRun { step: 7, square: a },
            Some(7),
            vec![a],
            "move 7: the run ends on a1, where it began; in turns, each side must move",
        ),
        (
            Fault::Attacked { step: 7, one: a, other: b },
            Some(7),
            vec![a, b],
            "move 7: afterwards the opposing knights on a1 and b3 attack each other",
        ),
        (
            Fault::GoalMissed { square: a, found, expected },
            None,
            vec![a],
            "the plan ends with `N` on a1, but the goal has nothing",
        ),
        (Fault::Claim("why".to_owned()), None, vec![], "the claim does not hold: why"),
    ];
    for (fault, step, squares, words) in table {
        assert_eq!((fault.step(), fault.squares()), (step, squares), "{fault}");
        assert_eq!(fault.to_string(), words);
        assert!(!fault.is_unfinished(), "{fault}");
    }
    let undecided = Fault::Undecided("why".to_owned());
    for fault in [Fault::TooMuchWork { steps: 2, most: 1 }, undecided, Fault::Stopped] {
        assert!(fault.is_unfinished(), "{fault}");
    }
}
