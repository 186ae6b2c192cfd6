//! Boards with holes, joined edges and other leapers: the strong search against the naive one.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use destrier::tour::{Naive, Search, TOUR_SOLVERS};
use destrier::{Counter, Enumerator, Outcome, Solver, Watch};
use destrier_rules::{
    Board, Leaper, Obstacle, Problem, Shape, Square, Support, Tour, TourProblem, Wrap,
};

fn number(counter: &dyn Counter, problem: &TourProblem) -> String {
    match counter.count(problem, &Watch::unlimited()).unwrap().outcome {
        Outcome::Solved(count) => count.undirected().to_string(),
        other => panic!("{other:?}"),
    }
}

/// Finding, counting and listing must agree with trying everything.
fn agrees(problem: &TourProblem) {
    let expected = number(&Naive, problem);
    assert_eq!(number(&Search, problem), expected, "{problem:?}");
    let watch = Watch::unlimited().with_threads(1);
    match Search.solve(problem, &watch).unwrap().outcome {
        Outcome::Solved(tour) => {
            problem.verify(&tour).unwrap();
            assert_ne!(expected, "0", "{problem:?}");
        }
        Outcome::Impossible(obstacle) => {
            problem.confirm(&obstacle).unwrap();
            assert_eq!(expected, "0", "{problem:?} {obstacle}");
        }
        Outcome::Unfinished { why, .. } => panic!("{why}"),
    }
}

fn board(files: u32, ranks: u32, holes: u32) -> Option<Board> {
    let squares = (0..files * ranks).filter(|i| holes >> i & 1 == 1);
    let squares = squares.map(|i| Square::new(i % files, i / files));
    Board::new(files, ranks).unwrap().without(squares).ok()
}

#[test]
fn every_set_of_holes_of_the_small_boards_is_decided_as_by_trying_everything() {
    for (files, ranks) in [(3, 3), (2, 4), (3, 4)] {
        for holes in 0..1 << (files * ranks) {
            let Some(board) = board(files, ranks, holes) else { continue };
            agrees(&TourProblem::open(board.clone()));
            agrees(&TourProblem::closed(board));
        }
    }
}

#[test]
fn joined_edges_and_other_leapers_are_decided_as_by_trying_everything() {
    let leapers = [(1, 2), (0, 1), (1, 1), (1, 3), (2, 3), (0, 2)];
    for (files, ranks) in [(1, 1), (2, 2), (3, 2), (3, 3), (1, 5), (4, 2)] {
        for wrap in [Wrap::None, Wrap::Files, Wrap::Ranks, Wrap::Both] {
            for (a, b) in leapers {
                let board = Board::new(files, ranks).unwrap().wrapped(wrap);
                let leaper = Leaper::new(a, b).unwrap();
                for problem in [TourProblem::open(board.clone()), TourProblem::closed(board)] {
                    agrees(&TourProblem { leaper, ..problem });
                }
            }
        }
    }
}

#[test]
fn ends_are_kept_to_on_boards_with_holes() {
    let drawing = "....\n.#..\n....\n...#";
    let board: Board = drawing.parse().unwrap();
    let squares: Vec<Square> = board.squares().collect();
    for &start in &squares {
        agrees(&TourProblem::open(board.clone()).from(start));
        agrees(&TourProblem::open(board.clone()).to(start));
        agrees(&TourProblem::closed(board.clone()).from(start));
        for &end in squares.iter().filter(|&&end| end != start) {
            agrees(&TourProblem::open(board.clone()).from(start).to(end));
            agrees(&TourProblem::closed(board.clone()).from(start).to(end));
        }
    }
}

#[test]
fn each_listed_tour_is_a_tour_and_none_comes_twice() {
    for (problem, expected) in [
        (TourProblem::closed(Board::new(6, 6).unwrap()), 9862),
        (TourProblem::open(Board::new(5, 5).unwrap()), 864),
        (TourProblem::open(Board::new(3, 4).unwrap()), 8),
    ] {
        let mut seen = BTreeSet::new();
        Search
            .enumerate(&problem, &Watch::unlimited(), &mut |tour: &Tour| {
                problem.verify(tour).unwrap();
                assert!(seen.insert(tour.0.clone()), "{tour} comes twice");
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(seen.len(), expected);
    }
}

/// Holes by a fixed stream of numbers.
fn holes(seed: u64, files: u32, ranks: u32, wanted: usize) -> BTreeSet<Square> {
    let mut state = seed;
    let mut holes = BTreeSet::new();
    while holes.len() < wanted {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = u32::try_from(state >> 33).unwrap() % (files * ranks);
        holes.insert(Square::new(draw % files, draw / files));
    }
    holes
}

#[test]
fn boards_of_64_squares_with_up_to_ten_holes_are_decided() {
    let mut solved = 0;
    for seed in 0..150 {
        let wanted = 1 + usize::try_from(seed % 10).unwrap();
        let board = Board::new(8, 8).unwrap().without(holes(seed, 8, 8, wanted)).unwrap();
        for shape in [Shape::Open, Shape::Closed] {
            let problem = TourProblem { shape, ..TourProblem::open(board.clone()) };
            let watch = Watch::halting_at(3_000_000);
            match Search.solve(&problem, &watch).unwrap().outcome {
                Outcome::Solved(tour) => {
                    problem.verify(&tour).unwrap();
                    solved += 1;
                }
                Outcome::Impossible(obstacle) => {
                    problem.confirm(&obstacle).unwrap();
                }
                Outcome::Unfinished { why, .. } => panic!("{why}\n{}", board.diagram()),
            }
        }
    }
    assert!(solved > 50, "only {solved} of the boards had a tour");
}

#[test]
fn larger_boards_with_holes_get_their_tours() {
    for seed in 0..12 {
        let mut punched = holes(seed, 20, 20, 12);
        // Even colours, so that a closed tour can be.
        let (dark, light): (Vec<Square>, Vec<Square>) =
            punched.iter().copied().partition(|square| square.is_dark());
        for extra in dark.iter().skip(light.len()).chain(light.iter().skip(dark.len())) {
            punched.remove(extra);
        }
        let board = Board::new(20, 20).unwrap().without(punched).unwrap();
        for problem in [TourProblem::open(board.clone()), TourProblem::closed(board)] {
            match Search.solve(&problem, &Watch::halting_at(20_000_000)).unwrap().outcome {
                Outcome::Solved(tour) => problem.verify(&tour).unwrap(),
                Outcome::Impossible(obstacle) => {
                    assert_eq!(problem.confirm(&obstacle), Ok(Support::Checked), "{obstacle}");
                }
                Outcome::Unfinished { why, .. } => panic!("{why}"),
            }
        }
    }
}

#[test]
fn a_torus_and_a_giraffe_have_tours() {
    let giraffe = Leaper::new(1, 4).unwrap();
    let board = Board::new(10, 10).unwrap();
    let torus = Board::new(7, 7).unwrap().wrapped(Wrap::Both);
    for problem in [
        TourProblem { leaper: giraffe, ..TourProblem::closed(board) },
        TourProblem::closed(torus.clone()),
        TourProblem::open(torus),
    ] {
        match Search.solve(&problem, &Watch::unlimited()).unwrap().outcome {
            Outcome::Solved(tour) => problem.verify(&tour).unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_leaper_that_cannot_leave_its_lattice_is_told_so() {
    for (a, b, word) in [(2, 4, "multiples of 2"), (1, 3, "odd"), (0, 3, "multiples of 3")] {
        let leaper = Leaper::new(a, b).unwrap();
        let problem = TourProblem { leaper, ..TourProblem::open(Board::new(9, 9).unwrap()) };
        match Search.solve(&problem, &Watch::unlimited()).unwrap().outcome {
            Outcome::Impossible(obstacle) => {
                assert!(obstacle.to_string().contains(word), "{obstacle}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn reasons_are_named_where_they_can_be_counted() {
    let reason = |drawing: &str, shape| {
        let problem = TourProblem { shape, ..TourProblem::open(drawing.parse::<Board>().unwrap()) };
        let run = Search.solve(&problem, &Watch::unlimited()).unwrap();
        let Outcome::Impossible(obstacle) = run.outcome else { panic!("{drawing} has a tour") };
        assert_eq!(problem.confirm(&obstacle), Ok(Support::Checked), "{obstacle}");
        assert_eq!(run.effort.nodes, 0);
        obstacle
    };
    // The centre of 3×3 has no jump; without it the ring of eight is a closed tour.
    let centre = reason("...\n...\n...", Shape::Open);
    assert_eq!(centre, Obstacle::DeadEnds { squares: vec![Square::new(1, 1)] });
    // 4×4: four squares of one colour see only the two middle squares of the diagonal.
    assert!(matches!(reason("....\n....\n....\n....", Shape::Closed), Obstacle::Cut { .. }));
    assert!(matches!(reason("#...\n....\n....\n....", Shape::Closed), Obstacle::Colours { .. }));
}

#[test]
fn a_halt_at_any_beat_never_yields_a_wrong_answer() {
    let holed = Board::new(6, 6).unwrap().without([Square::new(0, 0), Square::new(1, 0)]).unwrap();
    let big = Board::new(12, 12).unwrap();
    for problem in [TourProblem::closed(holed), TourProblem::closed(big)] {
        for tick in (1..60).chain([100, 500, 2000]) {
            for solver in TOUR_SOLVERS {
                let Ok(run) = solver.solve(&problem, &Watch::halting_at(tick)) else { continue };
                match run.outcome {
                    Outcome::Solved(tour) => problem.verify(&tour).unwrap(),
                    Outcome::Impossible(obstacle) => panic!("{}: {obstacle}", solver.name()),
                    Outcome::Unfinished { .. } => {}
                }
            }
        }
    }
}
