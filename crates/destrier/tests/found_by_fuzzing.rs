//! Questions on which fuzzing found methods to disagree, kept.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use destrier::capture::{self, CAPTURE_SOLVERS};
use destrier::count::TOUR_COUNTERS;
use destrier::method::solve_checked;
use destrier::rules::{
    Board, CaptureProblem, Claim, Goal, Leaper, Problem as _, Square, SwapProblem, SwapRules,
    TourProblem, TourSymmetry, Wrap,
};
use destrier::swap::{self, SWAP_SOLVERS};
use destrier::tour::{Naive, TOUR_ENUMERATORS, TOUR_SOLVERS};
use destrier::{Counter as _, Enumerator as _, Outcome, Watch};

#[test]
fn symmetric_open_tours_of_small_toruses_are_all_listed() {
    let one_by_five = Board::new(1, 5).unwrap().without([Square::new(0, 2)]).unwrap();
    let boards = [one_by_five, Board::new(1, 4).unwrap(), Board::new(1, 6).unwrap()];
    for board in boards {
        let question = TourProblem {
            symmetry: Some(TourSymmetry::HalfTurn),
            ..TourProblem::open(board.wrapped(Wrap::Both))
        };
        let watch = Watch::unlimited();
        let Outcome::Solved(count) = Naive.count(&question, &watch).unwrap().outcome else {
            panic!("nobody stopped it")
        };
        assert!(*count.undirected() > 0_u32.into());
        for counter in TOUR_COUNTERS {
            if let Ok(run) = counter.count(&question, &watch) {
                assert_eq!(run.outcome, Outcome::Solved(count.clone()), "{}", counter.name());
            }
        }
        for enumerator in TOUR_ENUMERATORS {
            let mut listed = 0_u32;
            let run = enumerator.enumerate(&question, &watch, &mut |_| {
                listed += 1;
                ControlFlow::Continue(())
            });
            if run.is_ok() {
                assert_eq!(*count.undirected(), listed.into(), "{}", enumerator.name());
            }
        }
    }
}

/// `bb-dfs` read past the end of a list of successors when all of them took a piece and a piece stood on the first square.
#[test]
fn captures_with_a_piece_on_every_successor_and_on_the_first_square_keep_to_jumps() {
    let square = |text: &str| -> Square { text.parse().unwrap() };
    let squares = |text: &str| text.split(' ').map(square).collect::<Vec<_>>();
    let board = Board::new(2, 5).unwrap().without(squares("a1 b2 a4 b4")).unwrap();
    let question = CaptureProblem {
        board: board.wrapped(Wrap::Files),
        start: square("b5"),
        targets: squares("b1 a2 a3").into_iter().collect(),
    };
    let fewest = solve_checked(&capture::Naive, &question, &Watch::unlimited()).unwrap().outcome;
    let fewest = fewest.best().expect("all pieces can be reached").solution().moves();
    for solver in CAPTURE_SOLVERS {
        let run = solve_checked(*solver, &question, &Watch::unlimited().with_node_limit(20_000));
        let best = run.unwrap_or_else(|error| panic!("{}: {error}", solver.name())).outcome;
        assert!(best.best().is_none_or(|plan| plan.solution().moves() >= fewest));
    }
}

/// A symmetric closed tour with both ends named was thrown away when it was found the other way round.
#[test]
fn symmetric_closed_tours_are_run_either_way_to_end_where_they_should() {
    let square = |text: &str| -> Square { text.parse().unwrap() };
    for (start, end) in [("b3", "a1"), ("a1", "b3"), ("b3", "a5"), ("a5", "b3")] {
        let question = TourProblem {
            symmetry: Some(TourSymmetry::HalfTurn),
            leaper: Leaper::new(1, 3).unwrap(),
            ..TourProblem::closed(Board::new(2, 5).unwrap().wrapped(Wrap::Ranks))
        };
        let question = question.from(square(start)).to(square(end));
        for solver in TOUR_SOLVERS {
            let Ok(run) = solve_checked(*solver, &question, &Watch::unlimited()) else { continue };
            let found = matches!(run.outcome, Outcome::Solved(_) | Outcome::Unfinished { .. });
            assert!(found, "{}: {start} to {end}", solver.name());
        }
        for enumerator in TOUR_ENUMERATORS {
            let mut listed = 0;
            let run = enumerator.enumerate(&question, &Watch::unlimited(), &mut |_| {
                listed += 1;
                ControlFlow::Continue(())
            });
            assert!(run.is_err() || listed == 1, "{}: {start} to {end}", enumerator.name());
        }
    }
}

/// A mirror along a single row moves nothing: it was a symmetry to some methods and none to others.
#[test]
fn a_mirror_that_moves_no_square_is_no_symmetry() {
    let holes = ["d1", "e1", "f1"].map(|hole| hole.parse::<Square>().unwrap());
    let board = Board::new(6, 1).unwrap().without(holes).unwrap().wrapped(Wrap::Ranks);
    let question =
        TourProblem { symmetry: Some(TourSymmetry::Mirror), ..TourProblem::closed(board) };
    assert!(question.validate().is_err());
    let line = TourProblem {
        symmetry: Some(TourSymmetry::Mirror),
        ..TourProblem::closed(Board::new(4, 1).unwrap().wrapped(Wrap::Both))
    };
    let watch = Watch::unlimited();
    let count = Naive.count(&line, &watch).unwrap().outcome;
    for counter in TOUR_COUNTERS {
        if let Ok(run) = counter.count(&line, &watch) {
            assert_eq!(run.outcome, count, "{}", counter.name());
        }
    }
}

/// An open square that can only be filled by a foe next door: the search from that goal met where nothing meets, and
/// halved the plan for ever.
#[test]
fn peace_that_only_the_goal_breaks_is_seen_before_any_search() {
    let square = |text: &str| -> Square { text.parse().unwrap() };
    let letters = |text: &str| -> BTreeMap<Square, char> {
        let named = |word: &str| (square(&word[..2]), word.chars().last().unwrap());
        text.split(' ').map(named).collect()
    };
    let holes = ["a2", "c3", "b5", "c5"].map(square);
    let board = Board::new(3, 5).unwrap().without(holes).unwrap().wrapped(Wrap::Both);
    let question = SwapProblem {
        board,
        start: letters("a1=b a4=A b4=a"),
        goal: Goal { knights: letters("a4=a a5=b"), any: BTreeSet::from([square("c1")]) },
        rules: SwapRules { peaceful: true, ..SwapRules::default() },
    };
    let fewest = solve_checked(&swap::Naive, &question, &Watch::unlimited()).unwrap().outcome;
    let fewest = fewest.best().map(|plan| question.cost(plan.solution()));
    for solver in SWAP_SOLVERS {
        let Ok(run) = solve_checked(*solver, &question, &Watch::unlimited()) else { continue };
        let found = run.outcome.best().map(|plan| question.cost(plan.solution()));
        if matches!(run.claim, Claim::Fewest { .. }) || found.is_none() {
            assert_eq!(found, fewest, "{}", solver.name());
        }
        assert!(!matches!(run.outcome, Outcome::Unfinished { .. }), "{}", solver.name());
    }
}

/// Four paths of one square each were not found from a given start or to a given end.
#[test]
fn four_paths_may_have_one_square_each() {
    let corners = ["a2", "b1", "b3", "c2"].map(|hole| hole.parse::<Square>().unwrap());
    let with_centre = Board::new(3, 3).unwrap().without(corners).unwrap();
    let two = Board::new(2, 2).unwrap();
    for (board, leaper) in [(two, (0, 1)), (with_centre, (1, 1))] {
        let free = TourProblem {
            symmetry: Some(TourSymmetry::FourPaths),
            leaper: Leaper::new(leaper.0, leaper.1).unwrap(),
            ..TourProblem::open(board)
        };
        let mut questions = vec![free.clone()];
        for square in free.board.squares() {
            questions.extend([free.clone().from(square), free.clone().to(square)]);
        }
        for question in questions {
            let watch = Watch::unlimited();
            let mut tours = 0_u32;
            let listed = Naive.enumerate(&question, &watch, &mut |_| {
                tours += 1;
                ControlFlow::Continue(())
            });
            listed.unwrap();
            for solver in TOUR_SOLVERS {
                let Ok(run) = solve_checked(*solver, &question, &watch) else { continue };
                match run.outcome {
                    Outcome::Solved(_) => assert!(tours > 0, "{} {question:?}", solver.name()),
                    Outcome::Impossible(why) => {
                        assert!(tours == 0, "{}: {why} {question:?}", solver.name());
                    }
                    Outcome::Unfinished { .. } => {}
                }
            }
            for enumerator in TOUR_ENUMERATORS {
                let mut found = 0;
                let run = enumerator.enumerate(&question, &watch, &mut |_| {
                    found += 1;
                    ControlFlow::Continue(())
                });
                assert!(run.is_err() || found == tours, "{} {question:?}", enumerator.name());
            }
        }
    }
}
