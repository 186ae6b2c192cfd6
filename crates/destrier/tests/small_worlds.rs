//! Small worlds, all of them: every method against the naive one, which is too simple to be wrong.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use destrier::count::TOUR_COUNTERS;
use destrier::rules::{Board, Leaper, Problem as _, Shape, Square, Tour, TourProblem, Wrap};
use destrier::tour::{Naive, TOUR_ENUMERATORS, TOUR_SOLVERS};
use destrier::{Counter as _, Outcome, Watch, method};

/// Every board to 3×4 in squares with every set of holes would be 4095 boards of one size; a third of
/// the sets, spread evenly, keeps the test short and still meets every kind of board.
fn holed_boards() -> impl Iterator<Item = Board> {
    [(3, 3), (4, 3), (3, 4)].into_iter().flat_map(|(files, ranks)| {
        (0..1_u32 << (files * ranks)).step_by(3).filter_map(move |holes| {
            let holes = (0..files * ranks).filter(move |bit| holes >> bit & 1 == 1);
            let holes = holes.map(|at| Square::new(at % files, at / files));
            Board::new(files, ranks).unwrap().without(holes).ok()
        })
    })
}

fn questions(board: &Board) -> Vec<TourProblem> {
    let mut questions = Vec::new();
    let squares: Vec<Square> = board.squares().collect();
    for shape in [Shape::Open, Shape::Closed] {
        let plain = TourProblem { shape, ..TourProblem::open(board.clone()) };
        let (first, last) = (squares[0], squares[squares.len() - 1]);
        questions.push(plain.clone().starting_at(last));
        questions.push(plain.clone().ending_at(first));
        if first != last {
            questions.push(plain.clone().starting_at(first).to(last));
        }
        questions.push(plain);
    }
    questions
}

fn solved<T: std::fmt::Debug>(outcome: Outcome<T>) -> T {
    match outcome {
        Outcome::Solved(answer) => answer,
        other => panic!("not solved: {other:?}"),
    }
}

fn all_methods_agree(question: &TourProblem) {
    let watch = Watch::unlimited();
    let count = solved(Naive.count(question, &watch).unwrap().outcome);
    for counter in TOUR_COUNTERS {
        if let Ok(run) = counter.count(question, &watch) {
            assert_eq!(solved(run.outcome), count, "{} on {question:?}", counter.name());
        }
    }
    for enumerator in TOUR_ENUMERATORS {
        let mut seen = BTreeSet::new();
        let listed = enumerator.enumerate(question, &watch, &mut |tour: &Tour| {
            assert_eq!(question.verify(tour), Ok(()));
            assert!(seen.insert(one_way(question, tour)), "{tour} is listed twice");
            ControlFlow::Continue(())
        });
        let Ok(listed) = listed else { continue };
        assert_eq!(solved(listed.outcome), count, "{} on {question:?}", enumerator.name());
        assert_eq!(*count.undirected(), seen.len().into(), "{}", enumerator.name());
    }
    for solver in TOUR_SOLVERS {
        let Ok(run) = method::solve_checked(*solver, question, &watch) else { continue };
        let exists = *count.undirected() > 0_u32.into();
        match run.outcome {
            Outcome::Solved(_) => assert!(exists, "{} on {question:?}", solver.name()),
            Outcome::Impossible(why) => assert!(!exists, "{}: {why}; {question:?}", solver.name()),
            Outcome::Unfinished { .. } => {}
        }
    }
}

/// The smaller of a tour's ways of being run, from whichever square.
fn one_way(question: &TourProblem, tour: &Tour) -> Vec<Square> {
    let mut reversed = tour.0.clone();
    reversed.reverse();
    let mut ways = [tour.0.clone(), reversed];
    if question.shape == Shape::Closed {
        for way in &mut ways {
            let smallest = (0..way.len()).min_by_key(|&step| way[step]).unwrap();
            way.rotate_left(smallest);
        }
    }
    ways.into_iter().min().unwrap()
}

#[test]
fn all_methods_agree_on_boards_with_holes() {
    for board in holed_boards() {
        questions(&board).iter().for_each(all_methods_agree);
    }
}

#[test]
fn all_methods_agree_on_wrapped_boards_and_for_other_leapers() {
    for wrap in [Wrap::Files, Wrap::Ranks, Wrap::Both] {
        for (files, ranks) in [(1, 3), (2, 3), (3, 3), (4, 3), (3, 4)] {
            let board = Board::new(files, ranks).unwrap().wrapped(wrap);
            questions(&board).iter().for_each(all_methods_agree);
        }
    }
    for (a, b) in [(0, 1), (1, 1), (1, 3), (2, 3), (0, 2)] {
        for (files, ranks) in [(3, 3), (4, 3)] {
            for mut question in questions(&Board::new(files, ranks).unwrap()) {
                question.leaper = Leaper::new(a, b).unwrap();
                all_methods_agree(&question);
            }
        }
    }
}

#[test]
fn a_halt_at_any_beat_never_gives_a_wrong_answer() {
    for question in questions(&Board::new(3, 4).unwrap()) {
        let exists = solved(Naive.count(&question, &Watch::unlimited()).unwrap().outcome);
        for tick in 1..200 {
            for solver in TOUR_SOLVERS {
                let Ok(run) = method::solve_checked(*solver, &question, &Watch::halting_at(tick))
                else {
                    continue;
                };
                match run.outcome {
                    Outcome::Solved(_) => assert!(*exists.undirected() > 0_u32.into()),
                    Outcome::Impossible(_) => assert!(*exists.undirected() == 0_u32.into()),
                    Outcome::Unfinished { .. } => {}
                }
            }
            for counter in TOUR_COUNTERS {
                let Ok(run) = counter.count(&question, &Watch::halting_at(tick)) else { continue };
                if let Outcome::Solved(count) = run.outcome {
                    assert_eq!(count, exists, "{} halted at {tick}", counter.name());
                }
            }
        }
    }
}
