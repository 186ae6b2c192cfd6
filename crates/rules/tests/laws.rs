//! Laws of the rules: what is printed reads back, a turn changes nothing, a spoiled solution is refused.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet};

use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Coordinates, Fault, Leaper, MAX_SIDE, Move, Obstacle,
    Problem as _, Puzzle, QuestionError, Setup, Shape, Side, Square, Support, SwapPlan,
    SwapProblem, Symmetry, Tour, TourProblem, TourSymmetry, Verified, Wrap, is_knight_jump,
};
use proptest::prelude::*;

fn square() -> impl Strategy<Value = Square> {
    let side = || prop_oneof![0..40_u32, 0..MAX_SIDE];
    (side(), side()).prop_map(|(file, rank)| Square::new(file, rank))
}

fn board() -> impl Strategy<Value = Board> {
    (1..12_u32, 1..12_u32, proptest::collection::vec((0..12_u32, 0..12_u32), 0..20))
        .prop_filter_map("a square must be left", |(files, ranks, holes)| {
            let holes = holes.into_iter().map(|(f, r)| Square::new(f % files, r % ranks));
            Board::new(files, ranks).unwrap().without(holes).ok()
        })
}

fn setup() -> impl Strategy<Value = Setup> {
    let pieces = proptest::collection::vec((0..200_usize, "[A-Za-z?]"), 0..12);
    (board(), pieces).prop_map(|(board, marks)| {
        let squares: Vec<Square> = board.squares().collect();
        let (mut pieces, mut unknown) = (BTreeMap::new(), BTreeSet::new());
        for (at, mark) in marks {
            let (square, mark) = (squares[at % squares.len()], mark.chars().next().unwrap());
            if mark != '?' && !unknown.contains(&square) {
                pieces.insert(square, mark);
            } else if mark == '?' && !pieces.contains_key(&square) {
                unknown.insert(square);
            }
        }
        Setup { board, pieces, unknown }
    })
}

proptest! {
    #[test]
    fn a_square_reads_back(square in square()) {
        prop_assert_eq!(square.to_string().parse(), Ok(square));
        let xy = format!("{},{}", square.file, square.rank);
        prop_assert_eq!(Square::read(&xy, Coordinates::Zero), Ok(square));
        let xy = format!("{},{}", square.file + 1, square.rank + 1);
        prop_assert_eq!(Square::read(&xy, Coordinates::One), Ok(square));
    }

    #[test]
    fn a_move_reads_back(from in square(), to in square()) {
        let jump = Move { from, to };
        prop_assert_eq!(jump.to_string().parse(), Ok(jump));
    }

    #[test]
    fn plans_and_leapers_read_back(squares in proptest::collection::vec(square(), 0..20), a in 0..9_u32, b in 1..9_u32) {
        let moves = squares.windows(2).map(|pair| Move { from: pair[0], to: pair[1] }).collect();
        let (tour, capture, swap) = (Tour(squares.clone()), CapturePlan(squares), SwapPlan(moves));
        prop_assert_eq!(tour.to_string().parse(), Ok(tour));
        prop_assert_eq!(capture.to_string().parse(), Ok(capture));
        prop_assert_eq!(swap.to_string().parse(), Ok(swap));
        let leaper = Leaper::new(a, b).unwrap();
        prop_assert_eq!(leaper.to_string().parse(), Ok(leaper));
    }

    #[test]
    fn a_puzzle_reads_back_as_fen_and_as_a_data_file(board in board(), picks in proptest::collection::vec(0..200_usize, 1..12)) {
        let squares: Vec<Square> = board.squares().collect();
        let mut named = picks.into_iter().map(|at| squares[at % squares.len()]);
        let start = named.next().unwrap();
        let targets: BTreeSet<Square> = named.filter(|&target| target != start).collect();
        let problem = CaptureProblem { board: board.clone(), start, targets };
        prop_assert_eq!(Puzzle::fen(&problem).parse::<Puzzle>().unwrap().problem, problem.clone());
        let mut file = format!("{} 99\r\n", board.size());
        for rank in (0..board.ranks()).rev() {
            for square in (0..board.files()).map(|file| Square::new(file, rank)) {
                file.push(match square {
                    square if square == start => '3',
                    square if problem.targets.contains(&square) => '1',
                    square if board.contains(square) => '0',
                    _ => '#',
                });
            }
            file.push_str("\r\n");
        }
        let read: Puzzle = file.trim_end().parse().unwrap();
        prop_assert_eq!((read.problem, read.upper_bound), (problem, Some(99)));
    }

    #[test]
    fn a_board_reads_back(board in board()) {
        prop_assert_eq!(Board::from_diagram(&board.diagram()), Ok(board.clone()));
        let size = Board::new(board.files(), board.ranks()).unwrap();
        prop_assert_eq!(size.size().parse(), Ok(size));
    }

    #[test]
    fn a_fen_reads_back(setup in setup()) {
        prop_assert_eq!(setup.fen().parse(), Ok(setup));
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,40}|[a-zA-Z0-9/#*?.x,\n-]{0,40}") {
        let _ = text.parse::<Square>();
        let _ = text.parse::<Board>();
        let _ = text.parse::<Setup>();
        let _ = text.parse::<Leaper>();
        let _ = text.parse::<Move>();
        let _ = text.parse::<Tour>();
        let _ = text.parse::<SwapPlan>();
        let _ = text.parse::<CapturePlan>();
        let _ = text.parse::<Puzzle>();
        let _ = destrier_rules::parse_squares(&text, Coordinates::One);
    }

    #[test]
    fn a_turned_board_turns_back(board in board()) {
        for symmetry in Symmetry::ALL {
            let turned = board.turned(symmetry);
            prop_assert_eq!(turned.len(), board.len());
            prop_assert_eq!(turned.turned(symmetry.inverse()), board.clone());
        }
    }

    #[test]
    fn jumps_are_the_same_seen_from_both_ends(board in board(), a in 0..5_u32, b in 1..5_u32) {
        let leaper = Leaper::new(a, b).unwrap();
        for wrap in [Wrap::None, Wrap::Files, Wrap::Ranks, Wrap::Both] {
            let board = board.clone().wrapped(wrap);
            for from in board.squares() {
                let listed = board.jumps_from(leaper, from);
                for to in board.squares() {
                    let jump = board.is_jump(leaper, from, to);
                    prop_assert_eq!(jump, board.is_jump(leaper, to, from));
                    prop_assert_eq!(jump, listed.contains(&to));
                    if wrap == Wrap::None && leaper == Leaper::KNIGHT {
                        prop_assert_eq!(jump, is_knight_jump(from, to));
                    }
                }
            }
        }
    }
}

/// A closed tour of 6×5.
const CLOSED_6X5: &str =
    "a1 c2 e1 f3 e5 d3 f4 d5 b4 a2 c1 e2 d4 f5 e3 f1 d2 b1 a3 b5 c3 d1 f2 e4 c5 a4 b2 c4 a5 b3";

fn closed_6x5() -> (TourProblem, Tour) {
    let tour: Tour = CLOSED_6X5.parse().unwrap();
    (TourProblem::closed(Board::new(6, 5).unwrap()), tour)
}

#[test]
fn a_true_tour_is_accepted_under_every_turn() {
    let (problem, tour) = closed_6x5();
    for symmetry in Symmetry::ALL {
        let board = problem.board.turned(symmetry);
        let turn = |&square: &Square| symmetry.apply(square, 6, 5);
        let turned = Tour(tour.0.iter().map(turn).collect());
        assert!(Verified::check(TourProblem::closed(board), turned).is_ok(), "{symmetry}");
    }
}

#[test]
fn every_spoiled_tour_is_refused() {
    let (problem, tour) = closed_6x5();
    for step in 0..tour.0.len() {
        let mut missing = tour.clone();
        missing.0.remove(step);
        assert!(matches!(problem.verify(&missing), Err(Fault::Length { found: 29, expected: 30 })));
        for square in Board::new(7, 6).unwrap().squares() {
            if square == tour.0[step] {
                continue;
            }
            let mut spoiled = tour.clone();
            spoiled.0[step] = square;
            assert!(problem.verify(&spoiled).is_err(), "step {step} as {square}");
        }
        for other in 0..step {
            let mut swapped = tour.clone();
            swapped.0.swap(step, other);
            assert!(problem.verify(&swapped).is_err(), "steps {step} and {other} exchanged");
        }
    }
}

#[test]
fn a_fault_names_the_step_and_the_square() {
    let (problem, tour) = closed_6x5();
    let fault = |change: &dyn Fn(&mut Vec<Square>)| {
        let mut tour = tour.clone();
        change(&mut tour.0);
        problem.verify(&tour).unwrap_err().to_string()
    };
    let a1 = Square::new(0, 0);
    assert_eq!(fault(&|t| t[16] = a1), "step 17: a1 was visited before, at step 1");
    assert_eq!(fault(&|t| t[16] = Square::new(6, 0)), "step 17: g1 is not on the board");
    assert_eq!(fault(&|t| t.swap(9, 10)), "step 10: b4 to c1 is not a knight's jump");
    let open = |change: &dyn Fn(TourProblem) -> TourProblem| {
        change(TourProblem::open(Board::new(6, 5).unwrap()))
            .verify(&tour)
            .map_err(|f| f.to_string())
    };
    assert_eq!(open(&|p| p), Ok(()));
    assert_eq!(
        open(&|p| p.starting_at(Square::new(1, 0))),
        Err("the start is a1, but should be b1".to_owned())
    );
    assert_eq!(open(&|p| p.starting_at(a1).ending_at(Square::new(1, 2))), Ok(()));
    assert!(open(&|p| p.ending_at(a1)).is_err());
}

#[test]
fn a_wrong_jump_of_another_leaper_is_told_as_one_of_that_leaper() {
    let wazir = Leaper::new(0, 1).unwrap();
    let fault = |problem: TourProblem, tour: &str| {
        let problem = problem.with_leaper(wazir);
        let fault = problem.verify(&tour.parse().unwrap()).unwrap_err();
        (fault.to_string(), fault.step(), fault.squares().len())
    };
    let (open, closed) = (TourProblem::open, TourProblem::closed);
    let row = || Board::new(4, 1).unwrap();
    assert_eq!(
        fault(open(row()), "a1 c1 b1 d1"),
        ("step 2: a1 to c1 is not a jump of a 0,1 leaper".to_owned(), Some(2), 2)
    );
    assert_eq!(
        fault(closed(row()), "a1 b1 c1 d1"),
        ("the tour is not closed: d1 to a1 is not a jump of a 0,1 leaper".to_owned(), None, 2)
    );
}

#[test]
fn a_pair_of_squares_is_no_closed_tour() {
    let holes = "b1 a2 a3 b2".split(' ').map(|s| s.parse().unwrap());
    let board = Board::new(2, 3).unwrap().without(holes).unwrap();
    let tour: Tour = "a1 b3".parse().unwrap();
    assert_eq!(TourProblem::open(board.clone()).verify(&tour), Ok(()));
    let pair = TourProblem::closed(board).verify(&tour).unwrap_err();
    assert_eq!(pair, Fault::NotACycle);
    assert_eq!(pair.to_string(), "the tour is not closed: that takes three squares at least");
}

#[test]
fn questions_that_contradict_themselves_are_refused() {
    let board = Board::new(3, 3).unwrap().without([Square::new(1, 1)]).unwrap();
    let refused = |problem: TourProblem| problem.validate().unwrap_err().to_string();
    let plain = TourProblem::open(board.clone());
    assert_eq!(refused(plain.clone().starting_at(Square::new(1, 1))), "the start b2 is a hole");
    assert_eq!(
        refused(plain.clone().ending_at(Square::new(1, 3))),
        "the end b4 is not on the 3x3 board"
    );
    let a1 = Square::new(0, 0);
    assert!(refused(plain.clone().starting_at(a1).ending_at(a1)).contains("both a1"));
    let wide = TourProblem::open(Board::new(3, 4).unwrap());
    let turned = TourProblem { symmetry: Some(TourSymmetry::QuarterTurn), ..wide };
    assert!(refused(turned).contains("no quarter-turn symmetry"));
}

#[test]
fn symmetric_tours_are_told_from_others() {
    // The ring of 3×3 round its middle is mapped to itself by every turn and mirror.
    let board = Board::new(3, 3).unwrap().without([Square::new(1, 1)]).unwrap();
    let ring: Tour = "a1 b3 c1 a2 c3 b1 a3 c2".parse().unwrap();
    for symmetry in [
        TourSymmetry::HalfTurn,
        TourSymmetry::QuarterTurn,
        TourSymmetry::Mirror,
        TourSymmetry::DiagonalMirror,
    ] {
        let closed = TourProblem { symmetry: Some(symmetry), ..TourProblem::closed(board.clone()) };
        assert_eq!(closed.verify(&ring), Ok(()), "{symmetry}");
        let open = TourProblem { shape: Shape::Open, ..closed };
        assert!(open.verify(&ring).is_err(), "{symmetry} cuts the ring elsewhere");
    }
    let (problem, tour) = closed_6x5();
    let asked = TourProblem { symmetry: Some(TourSymmetry::HalfTurn), ..problem };
    assert!(matches!(asked.verify(&tour), Err(Fault::NotSymmetric { .. })));
}

#[test]
fn captures_are_walks_that_meet_every_piece() {
    let board = Board::new(8, 8).unwrap();
    let targets = ["b3", "c5"].map(|s| s.parse().unwrap()).into();
    let problem = CaptureProblem { board, start: Square::new(0, 0), targets };
    let fault = |plan: &str| problem.verify(&plan.parse().unwrap()).map_err(|f| f.to_string());
    assert_eq!(fault("a1 b3* c5*"), Ok(()));
    assert_eq!(fault("a1 b3*"), Err("the piece on c5 is never taken".to_owned()));
    assert_eq!(fault("b3 c5"), Err("the start is b3, but should be a1".to_owned()));
    assert_eq!(fault("a1 c5"), Err("step 2: a1 to c5 is not a knight's jump".to_owned()));
    assert_eq!(
        fault(""),
        Err("the plan has no squares; it must begin with the knight's square".to_owned())
    );
    assert!(fault("a1 b3 z9").unwrap_err().contains("step 3: z9 is not on the board"));
    assert_eq!(problem.cost(&"a1 b3 c5".parse().unwrap()), 2);
}

fn swap(start: &str, goal: &str) -> SwapProblem {
    SwapProblem::between(&start.parse().unwrap(), &goal.parse().unwrap()).unwrap()
}

#[test]
fn swaps_are_replayed_under_every_rule() {
    let mut problem = swap("n1n/3/N1N", "N1N/3/n1n");
    assert_eq!(problem.validate(), Ok(()));
    let around = "a1-b3 c1-a2 a3-c2 c3-b1 b1-a3 b3-c1 a2-c3 c2-a1";
    let plan: SwapPlan = around.parse().unwrap();
    // Half of Guarini's sixteen moves leave the colours on the diagonals.
    assert!(matches!(problem.verify(&plan), Err(Fault::GoalMissed { .. })));
    assert_eq!(problem.cost(&plan), 8);
    problem.rules.metric = destrier_rules::Metric::Runs;
    assert_eq!(problem.cost(&"a1-b3 b3-c1 c1-a2 a3-c2".parse().unwrap()), 2);
    let fault = |problem: &SwapProblem, plan: &str| {
        problem.verify(&plan.parse().unwrap()).unwrap_err().to_string()
    };
    assert_eq!(fault(&problem, "b1-a3"), "move 1: no knight stands on b1");
    assert_eq!(fault(&problem, "a1-b2"), "step 1: a1 to b2 is not a knight's jump");
    assert_eq!(fault(&problem, "a1-b3 c1-b3"), "move 2: b3 is occupied");
    problem.rules.metric = destrier_rules::Metric::Moves;
    problem.rules.alternate = Some(Side::Black);
    assert!(fault(&problem, "a1-b3").contains("it is black's turn"));
    problem.rules.alternate = None;
    problem.rules.peaceful = true;
    assert_eq!(
        fault(&problem, "a1-c2"),
        "move 1: afterwards the opposing knights on c2 and a3 attack each other"
    );
}

#[test]
fn impossible_swaps_are_told_from_bad_questions() {
    assert!(matches!(
        swap("n2/3", "N2/3").validate(),
        Err(QuestionError::Knights { letter: 'N', .. } | QuestionError::Knights { letter: 'n', .. })
    ));
    assert_eq!(swap("nN/2", "Nn/2").validate(), Ok(()));
    let attacked = {
        let mut problem = swap("n2/2N", "N2/2n");
        problem.rules.peaceful = true;
        problem.validate().unwrap_err().to_string()
    };
    assert_eq!(attacked, "in the start, the opposing knights on c1 and a2 attack each other");
    let partial = swap("nn/2/2", "??/2/n?");
    assert_eq!(partial.validate(), Ok(()));
    // A `?` takes a knight of any letter, so it is not the letters that are wrong.
    for (start, goal, left, open) in [("nN/n1", "?1/1n", 2, 1), ("nN/nn", "?1/?1", 4, 2)] {
        let room = swap(start, goal).validate().unwrap_err();
        assert_eq!(room, QuestionError::NoRoom { left, open });
        let words =
            format!("{left} knights have no square in the goal, and it has {open} `?` for them");
        assert_eq!(room.to_string(), words);
    }
    let fewer = QuestionError::Knights { letter: 'n', start: 2, goal: 1 };
    assert_eq!(swap("nn/2", "n1/2").validate(), Err(fewer));
    let start: Setup = "n1/2".parse().unwrap();
    let other: Setup = "n1/2/2".parse().unwrap();
    assert_eq!(SwapProblem::between(&start, &other), Err(QuestionError::DifferentBoards));
}

#[test]
fn false_obstacles_are_refused() {
    let board = Board::new(3, 3).unwrap();
    let problem = TourProblem::open(board.clone());
    let b2 = Square::new(1, 1);
    let sound = [
        Obstacle::DeadEnds { squares: vec![b2] },
        Obstacle::Cut { removed: vec![], parts: 2 },
        Obstacle::Unreachable { from: Square::new(0, 0), to: b2 },
    ];
    for obstacle in sound {
        assert_eq!(problem.confirm(&obstacle), Ok(Support::Checked), "{obstacle}");
    }
    let false_ones = [
        Obstacle::Colours { dark: 5, light: 4 },
        Obstacle::Colours { dark: 9, light: 0 },
        Obstacle::EndColours { dark: 5, light: 4 },
        Obstacle::DeadEnds { squares: vec![Square::new(0, 0)] },
        Obstacle::DeadEnds { squares: vec![] },
        Obstacle::Cut { removed: vec![], parts: 3 },
        Obstacle::Cut { removed: vec![b2], parts: 1 },
        Obstacle::Unreachable { from: Square::new(0, 0), to: Square::new(1, 2) },
        Obstacle::Schwenk { short: 3, long: 3 },
    ];
    for obstacle in false_ones {
        assert!(problem.confirm(&obstacle).is_err(), "{obstacle}");
    }
    let closed = TourProblem::closed(board);
    assert_eq!(closed.confirm(&Obstacle::Colours { dark: 5, light: 4 }), Ok(Support::Checked));
    assert_eq!(closed.confirm(&Obstacle::Schwenk { short: 3, long: 3 }), Ok(Support::Theorem));
    // Words prove nothing by themselves, and are not passed off as checked.
    let words = Obstacle::Theorem { name: "forced jumps".to_owned(), text: "so it is".to_owned() };
    assert!(problem.confirm(&words).is_err(), "no ends are named");
    let named = problem.clone().starting_at(b2).ending_at(Square::new(0, 0));
    assert_eq!(named.confirm(&words), Ok(Support::Stated));
}
