//! Boards with holes, joined edges and other leapers: the strong search against the naive one.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod tally;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use destrier::{
    Answer, Board, CountMethod, Leaper, ListMethod, Listing, Method, Obstacle, Options, Outcome,
    Shape, Solve, Square, Support, Tour, TourMethod, TourProblem, Tours, Wrap,
};
use tally::Tally;

fn number(method: CountMethod, problem: &TourProblem) -> String {
    let found = problem.count_by(method, &Options::new()).unwrap();
    found.total().unwrap().undirected().to_string()
}

/// The answer of the strong search, which the checker has accepted.
fn search(problem: &TourProblem, options: &Options) -> Answer<TourProblem> {
    problem.solve_by(TourMethod::Search, options).unwrap()
}

/// Finding and counting agree with trying everything.
fn agrees(problem: &TourProblem) {
    let expected = number(CountMethod::Naive, problem);
    assert_eq!(number(CountMethod::Search, problem), expected, "{problem:?}");
    match search(problem, &Options::new().threads(1)).outcome {
        Outcome::Solved(_) => assert_ne!(expected, "0", "{problem:?}"),
        Outcome::Impossible(why) => assert_eq!(expected, "0", "{problem:?} {why:?}"),
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
    let mut boards = 0;
    for (files, ranks) in [(3, 3), (2, 4), (3, 4)] {
        for holes in 0..1 << (files * ranks) {
            let Some(board) = board(files, ranks, holes) else { continue };
            agrees(&TourProblem::open(board.clone()));
            agrees(&TourProblem::closed(board));
            boards += 1;
        }
    }
    assert_eq!(boards, (1 << 9) + (1 << 8) + (1 << 12) - 3, "all but those without a square");
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
        agrees(&TourProblem::open(board.clone()).starting_at(start));
        agrees(&TourProblem::open(board.clone()).ending_at(start));
        agrees(&TourProblem::closed(board.clone()).starting_at(start));
        for &end in squares.iter().filter(|&&end| end != start) {
            agrees(&TourProblem::open(board.clone()).starting_at(start).ending_at(end));
            agrees(&TourProblem::closed(board.clone()).starting_at(start).ending_at(end));
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
        let list = &mut |tour: &Tour| {
            assert!(seen.insert(tour.0.clone()), "{tour} comes twice");
            ControlFlow::Continue(())
        };
        problem.enumerate(Listing::all().by(ListMethod::Search), &Options::new(), list).unwrap();
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
    let (mut solved, mut impossible) = (0, 0);
    for seed in 0..150 {
        let wanted = 1 + usize::try_from(seed % 10).unwrap();
        let board = Board::new(8, 8).unwrap().without(holes(seed, 8, 8, wanted)).unwrap();
        for shape in [Shape::Open, Shape::Closed] {
            let problem = TourProblem { shape, ..TourProblem::open(board.clone()) };
            match search(&problem, &Options::new().node_limit(3_000_000)).outcome {
                Outcome::Solved(_) => solved += 1,
                Outcome::Impossible(_) => impossible += 1,
                Outcome::Unfinished { why, .. } => panic!("{why}\n{}", board.diagram()),
            }
        }
    }
    assert_eq!((solved, impossible), (75, 225));
}

#[test]
fn larger_boards_with_holes_get_their_tours() {
    let mut solved = 0;
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
            match search(&problem, &Options::new().node_limit(20_000_000)).outcome {
                Outcome::Solved(_) => solved += 1,
                Outcome::Impossible(why) => assert_eq!(why.support(), Support::Checked, "{why:?}"),
                Outcome::Unfinished { why, .. } => panic!("{why}"),
            }
        }
    }
    assert_eq!(solved, 23, "all but one");
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
        search(&problem, &Options::new()).solved().unwrap();
    }
}

#[test]
fn a_leaper_that_cannot_leave_its_lattice_is_the_reason() {
    for (a, b, word) in [(2, 4, "multiples of 2"), (1, 3, "odd"), (0, 3, "multiples of 3")] {
        let leaper = Leaper::new(a, b).unwrap();
        let problem = TourProblem { leaper, ..TourProblem::open(Board::new(9, 9).unwrap()) };
        let answer = search(&problem, &Options::new());
        let Outcome::Impossible(why) = answer.outcome else { panic!("{answer:?}") };
        assert!(why.obstacle().to_string().contains(word), "{}", why.obstacle());
    }
}

#[test]
fn reasons_are_named_where_they_can_be_counted() {
    let reason = |drawing: &str, shape| {
        let problem = TourProblem { shape, ..TourProblem::open(drawing.parse::<Board>().unwrap()) };
        let answer = search(&problem, &Options::new());
        let Outcome::Impossible(why) = answer.outcome else { panic!("{drawing} has a tour") };
        assert_eq!(why.support(), Support::Checked, "{why:?}");
        assert_eq!(answer.effort.nodes, 0);
        why.obstacle().clone()
    };
    // The centre of 3×3 has no jump; without it the ring of eight is a closed tour.
    let centre = reason("...\n...\n...", Shape::Open);
    assert_eq!(centre, Obstacle::DeadEnds { squares: vec![Square::new(1, 1)] });
    // 4×4: four squares of one colour see only the two middle squares of the diagonal.
    assert!(matches!(reason("....\n....\n....\n....", Shape::Closed), Obstacle::Cut { .. }));
    assert!(matches!(reason("#...\n....\n....\n....", Shape::Closed), Obstacle::Colours { .. }));
}

#[test]
fn a_stop_at_any_node_never_gives_a_wrong_answer() {
    let holed = Board::new(6, 6).unwrap().without([Square::new(0, 0), Square::new(1, 0)]).unwrap();
    let big = Board::new(12, 12).unwrap();
    let mut tours = Tally::default();
    for problem in [TourProblem::closed(holed), TourProblem::closed(big)] {
        for nodes in (1..60).chain([100, 500, 2000]) {
            for &method in TourMethod::ALL {
                let answer = problem.solve_by(method, &Options::new().node_limit(nodes));
                let Some(answer) = tours.answer(method, answer) else { continue };
                let wrong = matches!(answer.outcome, Outcome::Impossible(_));
                assert!(!wrong, "{method} stopped at {nodes}: {answer:?}");
            }
        }
    }
    let any = [
        "auto",
        "search",
        "warnsdorff",
        "pohl",
        "roth",
        "race",
        "race-plain",
        "random-walk",
        "backtrack",
    ];
    let any = any.map(|method| (method, 124));
    tours.expect(&[&any[..], &[("compose", 62), ("naive", 62)]].concat());
}
