//! The checker, rule by rule: what each refuses, and the step and square it names.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Fault, Leaper, Metric, Problem as _, Puzzle, QuestionError,
    Setup, Shape, Side, Square, SwapPlan, SwapProblem, Symmetry, Tour, TourProblem, TourSymmetry,
    Wrap,
};

fn at(text: &str) -> Square {
    text.parse().unwrap()
}

fn holed(size: &str, holes: &str) -> Board {
    size.parse::<Board>().unwrap().without(holes.split_whitespace().map(at)).unwrap()
}

fn asked(size: &str, shape: Shape, symmetry: TourSymmetry) -> TourProblem {
    let plain = TourProblem::open(size.parse().unwrap());
    TourProblem { shape, symmetry: Some(symmetry), ..plain }
}

const HALF: &str = "a1 c2 e1 f3 e5 d3 b4 a6 c5 e6 f4 e2 c1 a2 c3 d1 f2 e4 f6 d5 b6 a4 b2 c4 e3 f1 d2 b1 a3 b5 d6 f5 d4 c6 a5 b3";
const QUARTER: &str = "a1 c2 e1 f3 e5 c4 a3 b1 d2 f1 e3 f5 d6 b5 c3 d1 f2 e4 f6 d5 b6 a4 b2 d3 f4 e6 c5 a6 b4 a2 c1 e2 d4 c6 a5 b3";
const MIRROR: &str =
    "a1 c2 e1 d3 b2 d1 e3 d5 b6 a4 c3 e2 c1 a2 b4 a6 c5 e6 d4 b5 d6 e4 d2 b1 a3 c4 e5 c6 a5 b3";
const HALF_OPEN: &str =
    "e1 d3 e5 c4 e3 d1 b2 a4 c5 e4 d2 b1 c3 d5 b4 a2 c1 e2 d4 b5 a3 c2 a1 b3 a5";
const FOUR_ODD: &str = "a1 c2 e1 g2 f4 g6 e7 d5 f6 d7 e5 c6 a7 b5 a3 b1 d2 f1 g3 e4 f2 g4 e3 f5 g7 e6 c7 a6 b4 a2 c1 d3 b2 d1 c3 e2 g1 f3 g5 f7 d6 b7 a5 c4 b6 a4 c5 b3 d4";

#[test]
fn symmetric_tours_are_symmetric_from_every_start_and_both_ways() {
    use TourSymmetry::{HalfTurn, Mirror, QuarterTurn};
    let closed = [
        ("6x6", HalfTurn, HALF, true),
        ("6x6", HalfTurn, QUARTER, true),
        ("6x6", QuarterTurn, QUARTER, true),
        ("6x6", QuarterTurn, HALF, false),
        ("5x6", Mirror, MIRROR, true),
        ("5x6", HalfTurn, MIRROR, false),
        ("6x6", Mirror, HALF, false),
    ];
    for (size, symmetry, tour, is_symmetric) in closed {
        let problem = asked(size, Shape::Closed, symmetry);
        assert_eq!(problem.validate(), Ok(()));
        let mut squares = tour.parse::<Tour>().unwrap().0;
        for _ in 0..squares.len() {
            squares.rotate_left(1);
            let mut back = squares.clone();
            back.reverse();
            for way in [squares.clone(), back] {
                let found = problem.verify(&Tour(way));
                assert_eq!(found.is_ok(), is_symmetric, "{size} {symmetry}: {found:?}");
            }
        }
        // Turned as a whole, it stays what it is.
        let board: Board = size.parse().unwrap();
        for turn in Symmetry::ALL {
            let turned = squares.iter().map(|&s| turn.apply(s, board.files(), board.ranks()));
            let other = TourProblem { board: board.turned(turn), ..problem.clone() };
            assert_eq!(other.verify(&Tour(turned.collect())).is_ok(), is_symmetric);
        }
    }
}

#[test]
fn an_open_tour_is_symmetric_when_the_turn_runs_it_backwards() {
    let half = asked("5x5", Shape::Open, TourSymmetry::HalfTurn);
    let tour: Tour = HALF_OPEN.parse().unwrap();
    assert_eq!(half.verify(&tour), Ok(()));
    let plain: Tour = "a1 b3 a5 c4 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c1 e2 d4 b5 c3 e1 d3 e5 d3"
        .parse()
        .unwrap();
    assert!(half.verify(&plain).is_err());
    let one = asked("1x1", Shape::Open, TourSymmetry::HalfTurn);
    assert_eq!(one.verify(&"a1".parse().unwrap()), Ok(()));
    let three: Tour = "c1 b3 a1 c2 b4 a2 c3 b1 a3 c4 b2 a4".parse().unwrap();
    let half = asked("3x4", Shape::Open, TourSymmetry::HalfTurn);
    assert_eq!(half.verify(&three), Ok(()));
    let other: Tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse().unwrap();
    assert_eq!(half.verify(&other), Ok(()), "mirrored, it is symmetric too");
    let lame: Tour = "a1 c2 a3 b1 c3 a2 c1 b3 a4 b2 c4 b4".parse().unwrap();
    assert!(half.verify(&lame).is_err());
    let lame: Tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse().unwrap();
    let mirror = asked("3x4", Shape::Open, TourSymmetry::Mirror);
    assert!(matches!(mirror.verify(&lame), Err(Fault::NotSymmetric { .. })));
}

#[test]
fn a_broken_symmetry_is_told_with_its_step() {
    // A closed tour of 6x5 without symmetry, and where each of its turned runs leaves it.
    let tour: Tour =
        "a1 c2 e1 f3 e5 d3 f4 d5 b4 a2 c1 e2 d4 f5 e3 f1 d2 b1 a3 b5 c3 d1 f2 e4 c5 a4 b2 c4 a5 b3"
            .parse()
            .unwrap();
    let problem = asked("6x5", Shape::Closed, TourSymmetry::HalfTurn);
    let Err(Fault::NotSymmetric { symmetry, step, square }) = problem.verify(&tour) else {
        panic!("it has no symmetry")
    };
    assert_eq!(
        (symmetry.as_str(), tour.0[usize::try_from(step).unwrap() - 1]),
        ("half-turn", square)
    );
    assert_eq!(step, 3);
}

#[test]
fn four_paths_are_turned_copies_one_after_the_other() {
    let four = |size: &str, shape| asked(size, shape, TourSymmetry::FourPaths);
    let even: Tour = QUARTER.parse().unwrap();
    assert_eq!(four("6x6", Shape::Open).verify(&even), Ok(()));
    assert_eq!(four("6x6", Shape::Closed).verify(&even), Ok(()));
    let odd: Tour = FOUR_ODD.parse().unwrap();
    assert_eq!(four("7x7", Shape::Open).verify(&odd), Ok(()));
    let mut back = odd.0.clone();
    back.reverse();
    assert_eq!(four("7x7", Shape::Open).verify(&Tour(back)), Ok(()), "the centre comes first");
    let half: Tour = HALF.parse().unwrap();
    let fault = four("6x6", Shape::Open).verify(&half).unwrap_err();
    assert_eq!(fault.to_string(), "step 10: the tour does not have four-paths symmetry at e6");
    let one = four("1x1", Shape::Open);
    assert_eq!(one.verify(&"a1".parse().unwrap()), Ok(()), "no path has four empty copies");
    // The ring of 3x3: two squares a copy, but a half turn comes before the quarter turns.
    let board = holed("3x3", "b2");
    let ring = TourProblem { board, ..four("3x3", Shape::Open) };
    assert_eq!(ring.verify(&"a1 b3 c1 a2 c3 b1 a3 c2".parse().unwrap()), Ok(()));
    assert!(
        TourProblem { board: holed("3x4", ""), ..four("3x3", Shape::Open) }.validate().is_err()
    );
}

#[test]
fn four_paths_need_their_centre_between_copies_and_four_different_turns() {
    // A rook's tour of 3x3 (the (0,1)-leaper): copies of two squares round the centre.
    let rook = Leaper::new(0, 1).unwrap();
    let asked = TourProblem { leaper: rook, ..asked("3x3", Shape::Open, TourSymmetry::FourPaths) };
    let spiral: Tour = "a1 b1 c1 c2 c3 b3 a3 a2 b2".parse().unwrap();
    assert_eq!(asked.verify(&spiral), Ok(()));
    let snake: Tour = "a1 b1 c1 c2 b2 a2 a3 b3 c3".parse().unwrap();
    assert_eq!(asked.verify(&snake), Ok(()), "behind the centre the copies are run backwards");
    let mut back = snake.0.clone();
    back.reverse();
    assert_eq!(asked.verify(&Tour(back)), Ok(()));
    // The ends of both halves are turned alike, but one copy in each half is not.
    let king =
        TourProblem { leaper: rook, ..self::asked("5x5", Shape::Open, TourSymmetry::FourPaths) };
    let comb: Tour = "a1 b1 c1 d1 e1 e2 d2 c2 b2 a2 a3 b3 c3 d3 e3 e4 d4 c4 b4 a4 a5 b5 c5 d5 e5"
        .parse()
        .unwrap();
    let Err(Fault::NotSymmetric { step, square, .. }) = king.verify(&comb) else { panic!() };
    assert_eq!((step, square), (7, at("d2")), "the centre is between two copies, which differ");
    let inside: Tour = "a1 a2 b2 b1 c1 c2 c3 b3 a3".parse().unwrap();
    assert_eq!(asked.verify(&inside), Ok(()), "one copy, the centre, three backwards");
    let inside: Tour = "a1 b1 c1 b2 c2 c3 b3 a3 a2".parse().unwrap();
    assert!(asked.verify(&inside).is_err(), "the centre is within a copy");
    let within: Tour = "a2 a1 b1 b2 c2 c1".parse().unwrap();
    assert!(asked.verify(&within).is_err(), "squares are missing");
}

/// A closed tour has no first square: if a copy begins anywhere, four copies are found wherever the list begins.
#[test]
fn closed_tours_of_four_paths_are_listed_from_any_square() {
    let torus = Board::new(3, 3).unwrap().wrapped(Wrap::Both);
    let bishop = Leaper::new(1, 1).unwrap();
    let asked = |shape| TourProblem {
        board: torus.clone(),
        leaper: bishop,
        ..asked("3x3", shape, TourSymmetry::FourPaths)
    };
    let [open, closed] = [Shape::Open, Shape::Closed].map(asked);
    let good: Tour = "c2 a3 b2 a1 b3 c1 a2 c3 b1".parse().unwrap();
    let bad: Tour = "a1 b2 a3 b1 c2 b3 c1 a2 c3".parse().unwrap();
    // Without the centre: the second copy is a half turn of the first, the third a quarter turn of the second.
    let four = TourProblem {
        board: Board::new(4, 4).unwrap(),
        ..self::asked("4x4", Shape::Closed, TourSymmetry::FourPaths)
    };
    let uneven: Tour = "a1 b1 d4 c4 a4 a3 d1 d2".parse().unwrap();
    let copies = |problem: &TourProblem, squares: &[Square]| {
        let mut squares = squares.to_vec();
        let mut found = Vec::new();
        for turn in 0..2 * squares.len() {
            if turn == squares.len() {
                squares.reverse();
            }
            found.push(problem.first_copy_at(&squares).map(|at| squares[at]));
            squares.rotate_left(1);
        }
        found
    };
    assert!(copies(&closed, &bad.0).iter().all(Option::is_none));
    assert!(copies(&closed, &good.0).iter().all(Option::is_some));
    assert_eq!(copies(&open, &good.0).iter().flatten().count(), 2);
    let begins: BTreeSet<Square> =
        copies(&four, &uneven.0).into_iter().map(Option::unwrap).collect();
    // Run the other way, a copy begins where it ended.
    assert_eq!(begins, uneven.0.into_iter().collect());
    let mut listed = good.0.clone();
    for _ in 0..listed.len() {
        listed.rotate_left(1);
        assert_eq!(closed.verify(&Tour(listed.clone())), Ok(()));
    }
    assert_eq!(
        closed.verify(&bad).unwrap_err().to_string(),
        "step 2: the tour does not have four-paths symmetry at b2"
    );
}

#[test]
fn questions_are_refused_with_their_reason() {
    let one = TourProblem::open(Board::new(1, 1).unwrap());
    assert_eq!(one.clone().starting_at(at("a1")).ending_at(at("a1")).validate(), Ok(()));
    let eight = TourProblem::open(Board::new(8, 8).unwrap());
    assert_eq!(eight.clone().starting_at(at("a1")).ending_at(at("b1")).validate(), Ok(()));
    assert_eq!(
        eight.clone().starting_at(at("a1")).ending_at(at("a1")).validate(),
        Err(QuestionError::SameEnds(at("a1")))
    );
    assert!(eight.clone().starting_at(at("i1")).validate().is_err());
    assert!(eight.is_classic());
    assert!(!TourProblem { leaper: Leaper::new(1, 3).unwrap(), ..eight.clone() }.is_classic());
    assert!(!TourProblem { symmetry: Some(TourSymmetry::Mirror), ..eight.clone() }.is_classic());
    assert!(!TourProblem { board: holed("8x8", "a1"), ..eight.clone() }.is_classic());
    let torus = eight.board.clone().wrapped(Wrap::Both);
    assert!(!TourProblem { board: torus, ..eight }.is_classic());
}

#[test]
fn a_tour_with_holes_is_walked_square_by_square() {
    let board = holed("3x3", "b2");
    let problem = TourProblem::closed(board);
    let fault = |tour: &str| problem.verify(&tour.parse().unwrap()).map_err(|f| f.to_string());
    assert_eq!(fault("a1 b3 c1 a2 c3 b1 a3 c2"), Ok(()));
    assert_eq!(fault("a1 b3 c1 a2 c3 b1 a3 b2"), Err("step 8: b2 is a hole".to_owned()));
    assert_eq!(fault("a1 b3 c1 a2"), Err("the tour has 4 squares, but the board has 8".to_owned()));
    assert_eq!(fault("a1 b3 c1 d9"), Err("step 4: d9 is not on the board".to_owned()));
    assert_eq!(problem.cost(&"a1 b3 c1 a2 c3 b1 a3 c2".parse().unwrap()), 8);
    assert_eq!(
        fault("a1 b3 c1 a2 c3 b1 a3 a3"),
        Err("step 8: a3 was visited before, at step 7".to_owned())
    );
    // Three squares in a ring: a (1,1)-leaper on a torus of three files.
    let three = Board::new(3, 3).unwrap().wrapped(Wrap::Both);
    let three = three.without(["b1", "c1", "a2", "c2", "a3", "b3"].map(at)).unwrap();
    let closed = TourProblem { leaper: Leaper::new(1, 1).unwrap(), ..TourProblem::closed(three) };
    assert_eq!(closed.verify(&"a1 b2 c3".parse().unwrap()), Ok(()));
    assert_eq!(closed.cost(&"a1 b2 c3".parse().unwrap()), 3);
    assert_eq!("a1 b2".parse::<Tour>().unwrap().to_string(), "a1 b2");
}

#[test]
fn captures_are_refused_with_their_step() {
    let problem = CaptureProblem {
        board: holed("5x5", "c2"),
        start: at("a1"),
        targets: [at("b3"), at("c5")].into(),
    };
    let fault = |plan: &str| problem.verify(&plan.parse().unwrap());
    assert_eq!(fault("a1 b3 c5"), Ok(()));
    assert_eq!(fault("a1 c2 b3 c5"), Err(Fault::OnHole { step: 2, square: at("c2") }));
    assert_eq!(fault("a1 b3 f1"), Err(Fault::OffBoard { step: 3, square: at("f1") }));
    assert_eq!(fault("a1 b3 c4"), Err(Fault::NotAJump { step: 3, from: at("b3"), to: at("c4") }));
    assert_eq!(fault("a1 b3 a5 c4 b2"), Err(Fault::Missed(at("c5"))));
    let stands = |start: &str, target: &str| CaptureProblem {
        start: at(start),
        targets: [at(target)].into(),
        ..problem.clone()
    };
    assert_eq!(stands("a1", "a2").validate(), Ok(()));
    assert_eq!(stands("a1", "a1").validate(), Err(QuestionError::Doubled(at("a1"))));
    assert!(stands("c2", "a1").validate().is_err());
    assert!(stands("a1", "c2").validate().is_err());
    assert!(stands("a1", "f6").validate().is_err());
    assert_eq!((CapturePlan(vec![]).moves(), CapturePlan(vec![at("a1")]).moves()), (0, 0));
    assert_eq!("a1 b3* c5".parse::<CapturePlan>().unwrap().to_string(), "a1 b3 c5");
    assert_eq!(Puzzle::fen(&problem), "2p2/5/1p3/2#2/N4");
}

fn swap(start: &str, goal: &str) -> SwapProblem {
    let setup = |fen: &str| fen.parse::<Setup>().unwrap();
    SwapProblem::between(&setup(start), &setup(goal)).unwrap()
}

#[test]
fn swaps_are_refused_with_their_move() {
    let mut problem = swap("n1n/#2/N1N", "n1n/#2/N1N");
    let fault = |problem: &SwapProblem, plan: &str| problem.verify(&plan.parse().unwrap());
    assert_eq!(fault(&problem, ""), Ok(()));
    assert_eq!(fault(&problem, "a1-b3 b3-a1"), Ok(()));
    assert_eq!(fault(&problem, "a1-b3 c1-a2"), Err(Fault::OnHole { step: 2, square: at("a2") }));
    assert_eq!(fault(&problem, "a2-b4"), Err(Fault::OnHole { step: 1, square: at("a2") }));
    assert_eq!(fault(&problem, "a1-b3 c1-d3"), Err(Fault::OffBoard { step: 2, square: at("d3") }));
    assert_eq!(fault(&problem, "d4-a1"), Err(Fault::OffBoard { step: 1, square: at("d4") }));
    assert_eq!(
        fault(&problem, "a1-b3"),
        Err(Fault::GoalMissed { square: at("a1"), found: None, expected: Some('N') })
    );
    // Turns: move by move, and run by run.
    problem.rules.alternate = Some(Side::White);
    assert_eq!(fault(&problem, "a1-b3 a3-b1 b3-a1 b1-a3"), Ok(()));
    let turn = Side::Black;
    assert_eq!(
        fault(&problem, "a1-b3 b3-a1"),
        Err(Fault::WrongTurn { step: 2, square: at("b3"), turn })
    );
    problem.rules.metric = Metric::Runs;
    // One knight's run is one turn, and takes it elsewhere.
    let missed = fault(&problem, "a1-b3 b3-a1 a1-c2");
    assert!(matches!(missed, Err(Fault::GoalMissed { .. })), "{missed:?}");
    let idle = Err(Fault::IdleRun { step: 2, square: at("a1") });
    assert_eq!(fault(&problem, "a1-b3 b3-a1"), idle);
    assert_eq!(fault(&problem, "a1-b3 b3-a1 c1-b3"), idle);
    assert_eq!(
        fault(&problem, "a1-b3 b3-a1 a1-c2 c1-b3"),
        Err(Fault::WrongTurn { step: 4, square: at("c1"), turn })
    );
    problem.rules.alternate = None;
    assert_eq!(fault(&problem, "a1-b3 b3-a1"), Ok(()), "without turns it is only of no use");
    problem.rules.alternate = Some(Side::White);
    let cost = |metric: Metric, plan: &str| {
        let mut problem = problem.clone();
        problem.rules.metric = metric;
        problem.cost(&plan.parse().unwrap())
    };
    for (plan, moves, runs) in [
        ("", 0, 0),
        ("a1-b3", 1, 1),
        ("a1-b3 b3-a1", 2, 1),
        ("a1-b3 c1-a2", 2, 2),
        ("a1-b3 c1-a2 a2-c3 b3-a1", 4, 3),
    ] {
        assert_eq!((cost(Metric::Moves, plan), cost(Metric::Runs, plan)), (moves, runs), "{plan}");
    }
    assert_eq!("a1-b3 c1-a2".parse::<SwapPlan>().unwrap().to_string(), "a1-b3 c1-a2");
}

#[test]
fn a_peaceful_plan_attacks_nobody_at_any_time() {
    let peaceful = |start: &str, goal: &str| {
        let mut problem = swap(start, goal);
        problem.rules.peaceful = true;
        problem
    };
    let fault = |problem: &SwapProblem, plan: &str| problem.verify(&plan.parse().unwrap());
    // Cases tell the sides: N and n are opposed, N and M are not.
    let problem = peaceful("4/n3/4/4/N2M", "4/n3/4/4/N2M");
    assert_eq!(problem.validate(), Ok(()));
    assert_eq!(
        fault(&problem, "d1-b2 b2-d1"),
        Err(Fault::Attacked { step: 1, one: at("b2"), other: at("a4") })
    );
    assert_eq!(fault(&problem, "a1-c2 c2-a1"), Ok(()));
    assert_eq!(
        fault(&problem, "a4-b2 b2-a4"),
        Err(Fault::Attacked { step: 1, one: at("b2"), other: at("d1") })
    );
    assert_eq!(
        fault(&problem, "d1-c3 c3-d1"),
        Err(Fault::Attacked { step: 1, one: at("c3"), other: at("a4") })
    );
    assert!(
        problem.sides_are_cases()
            && problem.are_opposed('N', 'n')
            && !problem.are_opposed('N', 'M')
    );
    // One case alone: letters are the sides.
    let letters = peaceful("4/4/4/2b1/a3", "4/4/4/2b1/a3");
    assert!(
        !letters.sides_are_cases()
            && letters.are_opposed('a', 'b')
            && !letters.are_opposed('a', 'a')
    );
    assert_eq!(
        letters.validate(),
        Err(QuestionError::Attacked { position: "start", one: at("a1"), other: at("c2") })
    );
    assert!(matches!(
        fault(&letters, "c2-b4"),
        Err(Fault::Question(QuestionError::Attacked { .. }))
    ));
    let capitals = swap("A1B/3/3", "A1B/3/3");
    assert!(!capitals.sides_are_cases());
    let goal = peaceful("ab2/4/4", "a3/2b1/4");
    assert_eq!(
        goal.validate(),
        Err(QuestionError::Attacked { position: "goal", one: at("c2"), other: at("a3") })
    );
    let mut calm = swap("4/n3/4/4/N2M", "4/n3/4/4/N2M");
    assert_eq!(fault(&calm, "d1-b2 b2-d1"), Ok(()), "without the rule nobody minds");
    calm.rules.peaceful = true;
    calm.goal.knights.clear();
    calm.goal.any = calm.board.squares().collect::<BTreeSet<_>>();
    assert_eq!(calm.validate(), Ok(()));
}

#[test]
fn a_swap_has_as_many_knights_as_its_goal_has_room_for() {
    for (start, goal, fits) in [
        ("nn/2/2", "2/2/nn", true),
        ("nn/2/2", "2/2/n1", false),
        ("n1/2/2", "2/2/nn", false),
        ("nn/2/2", "2/2/n?", true),
        ("nn/2/2", "2/2/1?", false),
        ("nn/2/2", "2/2/??", true),
        ("nN/2/2", "2/2/1?", false),
        ("nN/2/2", "2/2/??", true),
        ("nN/2/2", "2/2/n?", true),
        ("nN/aa/2", "2/2/n?", false),
        ("2/2/2", "2/2/2", true),
        ("2/2/2", "2/2/2", true),
        ("nn/2/2", "n?/2/2", true),
        ("nn/2/2", "N?/2/2", false),
    ] {
        assert_eq!(swap(start, goal).validate().is_ok(), fits, "{start} to {goal}");
    }
    let setup = |fen: &str| fen.parse::<Setup>().unwrap();
    assert!(SwapProblem::between(&setup("n?/2"), &setup("n1/2")).is_err(), "a start is known");
    assert!(SwapProblem::between(&setup("n1/2"), &setup("n1/#1")).is_err());
    let mut sides = swap("nN/2/2", "Nn/2/2");
    sides.rules.alternate = Some(Side::White);
    assert_eq!(sides.validate(), Ok(()));
    for (fen, missing) in [("nn/2/2", Side::White), ("NN/2/2", Side::Black)] {
        let mut one = swap(fen, fen);
        assert_eq!(one.validate(), Ok(()));
        one.rules.alternate = Some(Side::White);
        assert_eq!(one.validate(), Err(QuestionError::NoSide(missing)));
    }
    let mut doubled = swap("n1/2/2", "n1/2/2");
    doubled.goal.any.insert(at("a3"));
    assert_eq!(doubled.validate(), Err(QuestionError::Doubled(at("a3"))));
    let mut off = swap("n1/2/2", "n1/2/2");
    off.start.insert(at("c1"), 'n');
    assert!(off.validate().is_err());
    let problem = swap("n#?".replace('?', "1").as_str(), "?#1");
    assert_eq!((problem.start_fen().as_str(), problem.goal_fen().as_str()), ("n#1", "?#1"));
    assert_eq!((Side::White.to_string(), Side::Black.other()), ("white".to_owned(), Side::White));
    assert_eq!((Side::Black.to_string(), Side::White.other()), ("black".to_owned(), Side::Black));
}

#[test]
fn leapers_have_eight_jumps_or_four() {
    assert_eq!(
        Leaper::KNIGHT.jumps(),
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    );
    assert_eq!(Leaper::new(1, 1).unwrap().jumps(), [(1, 1), (1, -1), (-1, -1), (-1, 1)]);
    assert_eq!(Leaper::new(0, 2).unwrap().jumps().len(), 4);
    assert_eq!(Leaper::new(4, 1).unwrap().legs(), (1, 4));
    for (a, b, changes) in [
        (1, 2, true),
        (1, 1, false),
        (2, 2, false),
        (1, 3, false),
        (0, 3, true),
        (2, 3, true),
        (2, 4, false),
    ] {
        assert_eq!(Leaper::new(a, b).unwrap().changes_colour(), changes, "{a},{b}");
    }
    let refused = |text: &str| text.parse::<Leaper>().unwrap_err().to_string();
    assert!(refused("0,0").starts_with("`0,0` is not a leaper"));
    assert!(refused("1;2").contains("like `1,2` for the knight"));
    let long = "is not a leaper; a leg is at most 2147483647";
    for text in ["1,2147483648", "4294967295,1", "1,4294967296", "99999999999999999999,0"] {
        assert!(refused(text).ends_with(long), "{}", refused(text));
    }
    assert!(Leaper::new(1, destrier_rules::MAX_SIDE).unwrap_err().to_string().ends_with(long));
    assert!(Leaper::new(1, destrier_rules::MAX_SIDE - 1).is_ok());
    assert_eq!(String::from(Leaper::KNIGHT), "1,2");
    assert_eq!(Leaper::try_from("3,1".to_owned()), Leaper::new(1, 3));
    assert_eq!(Leaper::default(), Leaper::KNIGHT);
}

#[test]
fn joined_edges_are_joined_one_by_one() {
    // From a1 of 5x6: out on the left, or out below, or both.
    let plain = Board::new(5, 6).unwrap();
    let jumps = |wrap| {
        let board = plain.clone().wrapped(wrap);
        let jumps: BTreeSet<String> =
            board.jumps_from(Leaper::KNIGHT, at("a1")).iter().map(Square::to_string).collect();
        let checked: BTreeSet<String> = board
            .squares()
            .filter(|&to| board.is_jump(Leaper::KNIGHT, at("a1"), to))
            .map(|to| to.to_string())
            .collect();
        assert_eq!(jumps, checked);
        jumps.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(jumps(Wrap::None), "b3 c2");
    assert_eq!(jumps(Wrap::Files), "b3 c2 d2 e3");
    assert_eq!(jumps(Wrap::Ranks), "b3 b5 c2 c6");
    assert_eq!(jumps(Wrap::Both), "b3 b5 c2 c6 d2 d6 e3 e5");
}

#[test]
fn symmetries_have_names_and_data_files_their_limits() {
    let names: Vec<String> = Symmetry::ALL.iter().map(Symmetry::to_string).collect();
    assert_eq!(names[..4], ["identity", "quarter turn", "half turn", "three-quarter turn"]);
    assert_eq!(
        names[4..],
        ["left-right mirror", "top-bottom mirror", "diagonal mirror", "antidiagonal mirror"]
    );
    let error = |text: &str| text.parse::<Puzzle>().unwrap_err().to_string();
    assert!(error("0 4\n3\n").starts_with("line 1 has `0 4`"));
    assert!(error("1x0 4\n3\n").starts_with("line 1"));
    assert!(error("x\n3\n").starts_with("line 1"));
    assert!(error("1 -4\n3\n").starts_with("line 1"));
    assert!(error("99999999999 4\n3\n").starts_with("line 1"));
    assert_eq!("1 4\n3\n".parse::<Puzzle>().unwrap().upper_bound, Some(4));
    assert!(
        error("N1\n/p1").starts_with("row 1 of the FEN, column 3, has `\\n`"),
        "no rank is lost"
    );
    assert_eq!("  \nN1/1p\n".parse::<Puzzle>().unwrap().problem.targets.len(), 1);
    assert_eq!(error("N1/1N"), "there are knights on b1 and a2; there must be exactly one");
    assert_eq!(
        TourSymmetry::ALL.map(|s| s.to_string()),
        ["half-turn", "quarter-turn", "mirror", "diagonal-mirror", "four-paths"]
    );
    assert_eq!(
        (Shape::Open.to_string(), Shape::Closed.to_string()),
        ("open".to_owned(), "closed".to_owned())
    );
}
