//! Symmetric tours: the folded search against published counts and against trying everything.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use destrier::{
    Answer, Board, Centre, CountMethod, Leaper, ListMethod, Listing, Obstacle, Options, Outcome,
    Problem, Shape, Solve, Square, Symmetry, Tour, TourMethod, TourProblem, TourSymmetry, Tours,
    render,
};

fn ask(board: Board, shape: Shape, symmetry: TourSymmetry) -> TourProblem {
    TourProblem { shape, symmetry: Some(symmetry), ..TourProblem::open(board) }
}

fn number(method: CountMethod, problem: &TourProblem) -> String {
    let found = problem.count_by(method, &Options::new()).unwrap();
    found.total().unwrap().undirected().to_string()
}

/// All tours as a list; the checker has accepted each, and none comes twice.
fn list(problem: &TourProblem) -> BTreeSet<Vec<Square>> {
    let mut seen = BTreeSet::new();
    let visit = &mut |tour: &Tour| {
        assert!(seen.insert(tour.0.clone()), "{tour} comes twice");
        ControlFlow::Continue(())
    };
    problem.enumerate(Listing::all().by(ListMethod::Search), &Options::new(), visit).unwrap();
    seen
}

/// The answer of the folded search, which the checker has accepted.
fn search(problem: &TourProblem, options: &Options) -> Answer<TourProblem> {
    problem.solve_by(TourMethod::Search, options).unwrap()
}

/// Finding, listing and counting agree with an oracle that tries everything and asks the checker. False where the question
/// cannot be asked.
fn agrees(oracle: CountMethod, problem: &TourProblem) -> bool {
    if problem.validate().is_err() {
        return false;
    }
    let expected = number(oracle, problem);
    assert_eq!(list(problem).len().to_string(), expected, "{problem:?}");
    assert_eq!(number(CountMethod::Search, problem), expected, "{problem:?}");
    match search(problem, &Options::new()).outcome {
        Outcome::Solved(_) => assert_ne!(expected, "0", "{problem:?}"),
        Outcome::Impossible(why) => assert_eq!(expected, "0", "{why:?}"),
        Outcome::Unfinished { why, .. } => panic!("{why}"),
    }
    true
}

#[test]
fn every_small_board_has_the_symmetric_tours_that_trying_everything_finds() {
    for files in 1..=5 {
        for ranks in 1..=5 {
            for symmetry in TourSymmetry::ALL {
                for shape in [Shape::Open, Shape::Closed] {
                    let board = Board::new(files, ranks).unwrap();
                    agrees(CountMethod::Naive, &ask(board, shape, symmetry));
                }
            }
        }
    }
    for (files, ranks) in [(3, 7), (3, 8), (7, 3)] {
        for symmetry in [TourSymmetry::HalfTurn, TourSymmetry::Mirror] {
            agrees(
                CountMethod::Backtrack,
                &ask(Board::new(files, ranks).unwrap(), Shape::Open, symmetry),
            );
        }
    }
}

#[test]
fn closed_tours_to_36_squares_have_the_symmetries_that_backtracking_finds() {
    for (files, ranks) in [(6, 6), (6, 5), (5, 6), (3, 10), (10, 3), (3, 12)] {
        for symmetry in TourSymmetry::ALL {
            let board = Board::new(files, ranks).unwrap();
            agrees(CountMethod::Backtrack, &ask(board, Shape::Closed, symmetry));
        }
    }
}

#[test]
fn boards_with_symmetric_holes_have_the_tours_that_trying_everything_finds() {
    let (files, ranks) = (4, 4);
    let mut asked = 0;
    for turn in
        [Symmetry::HalfTurn, Symmetry::QuarterTurn, Symmetry::MirrorFiles, Symmetry::MirrorDiagonal]
    {
        for holes in 0_u32..1 << (files * ranks) {
            let punched = (0..files * ranks).filter(|i| holes >> i & 1 == 1);
            let punched = punched.map(|i| Square::new(i % files, i / files));
            let Ok(board) = Board::new(files, ranks).unwrap().without(punched) else { continue };
            if board.turned(turn) != board || board.len() > 12 {
                continue;
            }
            for symmetry in TourSymmetry::ALL {
                for shape in [Shape::Open, Shape::Closed] {
                    let question = ask(board.clone(), shape, symmetry);
                    asked += u32::from(agrees(CountMethod::Naive, &question));
                }
            }
        }
    }
    assert_eq!(asked, 3448);
}

#[test]
fn fixed_squares_of_a_mirror_can_be_the_turning_points_of_a_tour() {
    // Columns left of, on, and right of the axis; all but one or two squares of the axis are holes.
    let mut solved = 0;
    for kept in 0_u32..1 << 4 {
        let holes = (0..4).filter(|rank| kept >> rank & 1 == 0).map(|rank| Square::new(1, rank));
        let board = Board::new(3, 4).unwrap().without(holes).unwrap();
        for shape in [Shape::Open, Shape::Closed] {
            let problem = ask(board.clone(), shape, TourSymmetry::Mirror);
            agrees(CountMethod::Naive, &problem);
            solved += u32::from(number(CountMethod::Search, &problem) != "0");
        }
    }
    assert!(solved > 0);
}

#[test]
fn a_board_without_corners_has_tours_with_a_mirror_in_a_diagonal_only() {
    let board: Board = "#..#/..../..../#..#".replace('/', "\n").parse().unwrap();
    let number =
        |symmetry| number(CountMethod::Search, &ask(board.clone(), Shape::Closed, symmetry));
    assert_eq!(number(TourSymmetry::DiagonalMirror), "2");
    assert_eq!(number(TourSymmetry::Mirror), "0");
}

#[test]
fn the_counts_are_knuths() {
    // Knuth, TAOCP 4, pre-fascicle 8a, answers 137 and 138.
    for (files, ranks, symmetry, expected) in [
        (6, 5, TourSymmetry::HalfTurn, "0"),
        (6, 7, TourSymmetry::HalfTurn, "564"), // 526 that keep the direction, 38 that reverse it
        (10, 3, TourSymmetry::HalfTurn, "4"),
        (8, 5, TourSymmetry::HalfTurn, "22"),
        (6, 5, TourSymmetry::Mirror, "4"),
        (6, 7, TourSymmetry::Mirror, "530"),
        (10, 3, TourSymmetry::Mirror, "4"),
    ] {
        let problem = ask(Board::new(files, ranks).unwrap(), Shape::Closed, symmetry);
        assert_eq!(number(CountMethod::Search, &problem), expected, "{files}x{ranks} {symmetry}");
    }
}

#[test]
fn the_8x8_and_10x10_counts_are_the_published_ones() {
    if std::env::var("DESTRIER_LIMIT").is_err() {
        return; // about ten seconds of one core
    }
    let closed = |side, symmetry| ask(Board::new(side, side).unwrap(), Shape::Closed, symmetry);
    assert_eq!(number(CountMethod::Search, &closed(8, TourSymmetry::HalfTurn)), "2432932");
    assert_eq!(number(CountMethod::Search, &closed(10, TourSymmetry::QuarterTurn)), "831804");
}

#[test]
fn a_giraffe_has_fifty_classes_of_quarter_turn_tours_on_10x10() {
    // Knuth, pre-fascicle 8a, answer 139: 50 classes; each is two tours, the other its mirror image.
    let board = Board::new(10, 10).unwrap();
    let problem = TourProblem {
        leaper: Leaper::new(1, 4).unwrap(),
        ..ask(board, Shape::Closed, TourSymmetry::QuarterTurn)
    };
    assert_eq!(number(CountMethod::Search, &problem), "100");
}

#[test]
fn the_rules_of_existence_are_given_as_reasons() {
    let reason = |files, ranks, shape, symmetry| {
        let problem = ask(Board::new(files, ranks).unwrap(), shape, symmetry);
        let answer = search(&problem, &Options::new());
        assert_eq!(answer.effort.nodes, 0, "{files}x{ranks} {symmetry}");
        let Outcome::Impossible(why) = answer.outcome else { panic!("{files}x{ranks} {symmetry}") };
        assert!(matches!(why.obstacle(), Obstacle::Theorem { .. }), "{why:?}");
        why.obstacle().to_string()
    };
    for k in 2..6 {
        let text = reason(4 * k, 4 * k, Shape::Closed, TourSymmetry::QuarterTurn);
        assert!(text.contains("changes the colour of every square"), "{text}");
        let text = reason(4 * k, 4 * k, Shape::Open, TourSymmetry::FourPaths);
        assert!(text.contains("starts its quarter turn"), "{text}");
        let text = reason(4 * k + 2, 4 * k + 2, Shape::Open, TourSymmetry::QuarterTurn);
        assert!(text.contains("round in fours"), "{text}");
    }
    // Mirrors: a side of 4k+2 with an odd side across; else none.
    for (files, ranks) in [(8, 8), (6, 6), (10, 8), (8, 7), (12, 5)] {
        let text = reason(files, ranks, Shape::Closed, TourSymmetry::Mirror);
        assert!(text.contains("mirror"), "{text}");
    }
    for (files, ranks) in [(7, 7), (8, 8), (6, 7)] {
        let text = reason(files, ranks, Shape::Open, TourSymmetry::Mirror);
        assert!(text.contains("fixed"), "{text}");
    }
    let text = reason(8, 8, Shape::Open, TourSymmetry::HalfTurn);
    assert!(text.contains("none is a jump from its image"), "{text}");
}

#[test]
fn larger_boards_get_their_symmetric_tours() {
    for (files, ranks, shape, symmetry) in [
        (20, 20, Shape::Closed, TourSymmetry::HalfTurn),
        (50, 50, Shape::Closed, TourSymmetry::HalfTurn),
        (18, 18, Shape::Closed, TourSymmetry::QuarterTurn),
        (50, 50, Shape::Closed, TourSymmetry::QuarterTurn),
        (22, 21, Shape::Closed, TourSymmetry::Mirror),
        (50, 49, Shape::Closed, TourSymmetry::Mirror),
        (20, 21, Shape::Closed, TourSymmetry::HalfTurn),
        (21, 21, Shape::Open, TourSymmetry::HalfTurn),
        (20, 21, Shape::Open, TourSymmetry::HalfTurn),
        (49, 49, Shape::Open, TourSymmetry::HalfTurn),
    ] {
        for seed in 0..2 {
            let problem = ask(Board::new(files, ranks).unwrap(), shape, symmetry);
            let options = Options::new().node_limit(50_000_000).seed(seed);
            search(&problem, &options).solved().unwrap();
        }
    }
}

#[test]
fn a_start_is_kept_to_where_a_symmetry_is_asked_for() {
    let board = Board::new(5, 5).unwrap();
    // One square of each kind, and one of the colour that cannot begin.
    for start in ["a1", "a3", "b2", "c3", "e5", "d4", "b1"] {
        let start: Square = start.parse().unwrap();
        let problem = ask(board.clone(), Shape::Open, TourSymmetry::HalfTurn);
        agrees(CountMethod::Backtrack, &problem.clone().starting_at(start));
        agrees(CountMethod::Backtrack, &problem.clone().ending_at(start));
        agrees(
            CountMethod::Backtrack,
            &ask(board.clone(), Shape::Open, TourSymmetry::FourPaths).starting_at(start),
        );
        let opposite = Symmetry::HalfTurn.apply(start, 5, 5);
        if opposite != start {
            agrees(CountMethod::Backtrack, &problem.starting_at(start).ending_at(opposite));
        }
    }
    let board = Board::new(6, 6).unwrap();
    for symmetry in [TourSymmetry::HalfTurn, TourSymmetry::QuarterTurn, TourSymmetry::FourPaths] {
        let problem = ask(board.clone(), Shape::Closed, symmetry).starting_at(Square::new(2, 3));
        agrees(CountMethod::Backtrack, &problem);
    }
}

#[test]
fn four_paths_are_found_on_odd_boards_and_on_sides_4k_plus_2() {
    for side in [6, 7, 9, 10, 11, 13, 14, 15, 21, 31, 34, 41, 51] {
        for seed in 0..2 {
            let problem =
                ask(Board::new(side, side).unwrap(), Shape::Open, TourSymmetry::FourPaths);
            let options = Options::new().node_limit(20_000_000).seed(seed);
            let tour = search(&problem, &options).solved().unwrap();
            let centre = Square::new(side / 2, side / 2);
            assert!(
                side % 2 == 0 || tour.squares().last() == Some(&centre),
                "centre last on {side}"
            );
        }
    }
}

#[test]
fn all_four_paths_tours_of_7x7_are_listed_and_close_under_the_eight_symmetries() {
    let problem = ask(Board::new(7, 7).unwrap(), Shape::Open, TourSymmetry::FourPaths);
    let listed = list(&problem);
    let either = |tour: &[Square]| {
        let mut tour = tour.to_vec();
        if tour[tour.len() - 1] < tour[0] {
            tour.reverse();
        }
        tour
    };
    for tour in &listed {
        let images: BTreeSet<Vec<Square>> = Symmetry::ALL
            .into_iter()
            .map(|turn| either(&tour.iter().map(|&s| turn.apply(s, 7, 7)).collect::<Vec<_>>()))
            .collect();
        // With the centre in the middle, a half turn may be the same tour run backwards.
        let middle = usize::from(tour[24] == Square::new(3, 3));
        assert!([8, 4][..=middle].contains(&images.len()), "{} images", images.len());
        assert!(images.is_subset(&listed), "an image of a tour is missing");
    }
    // By a program in Python, written apart: 2528 with the centre at an end, 5120 with it between two paths.
    let at_an_end = |tour: &&Vec<Square>| {
        let centre = Square::new(3, 3);
        tour[0] == centre || tour[48] == centre
    };
    assert_eq!(listed.iter().filter(at_an_end).count(), 2528);
    assert_eq!(listed.len(), 2528 + 5120);
}

#[test]
fn the_centre_of_four_paths_comes_where_it_is_wanted() {
    let side = 9_u32;
    let problem = ask(Board::new(side, side).unwrap(), Shape::Open, TourSymmetry::FourPaths);
    let middle = Square::new(side / 2, side / 2);
    let place = |centre: Centre, seed: u64| {
        let options = Options::new().seed(seed);
        let tour = problem.solve_by(TourMethod::FourPaths(centre), &options).unwrap();
        let tour = tour.solved().unwrap();
        tour.squares().iter().position(|&square| square == middle).unwrap()
    };
    for seed in 0..4 {
        assert_eq!(place(Centre::First, seed), 0);
        assert_eq!(place(Centre::Last, seed), 80);
        assert!([20, 40, 60].contains(&place(Centre::Between, seed)), "seed {seed}");
    }
    let even = ask(Board::new(6, 6).unwrap(), Shape::Open, TourSymmetry::FourPaths);
    let between = TourMethod::FourPaths(Centre::Between);
    assert!(even.solve_by(between, &Options::new()).is_err());
    assert!(
        TourProblem::open(Board::new(5, 5).unwrap()).solve_by(between, &Options::new()).is_err()
    );
}

#[test]
fn another_seed_gives_another_tour_of_four_paths() {
    let problem = ask(Board::new(9, 9).unwrap(), Shape::Open, TourSymmetry::FourPaths);
    let tours: BTreeSet<Vec<Square>> = (1..=6)
        .map(|seed| {
            let tour = search(&problem, &Options::new().seed(seed).threads(1)).solved().unwrap();
            tour.solution().0.clone()
        })
        .collect();
    assert!(tours.len() >= 5, "{} of 6 seeds", tours.len());
}

#[test]
fn four_paths_are_drawn_in_four_colours_and_written_by_number() {
    let problem = ask(Board::new(7, 7).unwrap(), Shape::Open, TourSymmetry::FourPaths);
    let tour = problem
        .solve_by(TourMethod::FourPaths(Centre::Between), &Options::new())
        .unwrap()
        .solved()
        .unwrap();
    let svg = render::svg(&render::Scene::of_tour(&tour)).unwrap();
    for path in 0..4 {
        // Twelve squares each: eleven jumps, a start and an end.
        assert_eq!(svg.matches(&format!("class=\"leg p{path}\"")).count(), 11, "{path}");
        assert_eq!(svg.matches(&format!("class=\"disc first p{path}\"")).count(), 1, "{path}");
        assert_eq!(svg.matches(&format!("class=\"disc last p{path}\"")).count(), 1, "{path}");
    }
    assert_eq!(svg.matches("class=\"disc centre\"").count(), 1);
    assert_eq!(
        svg.matches("class=\"leg joint\"").count(),
        4,
        "three copies follow, and the centre"
    );
    let ids = render::ids(&tour);
    let mut numbers: Vec<u32> = ids
        .lines()
        .flat_map(|line| {
            line.trim_start_matches("centre ").split(':').map(str::to_owned).collect::<Vec<_>>()
        })
        .map(|word| word.split(' ').next().unwrap().parse().unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=49).collect::<Vec<_>>(), "{ids}");
    assert!(ids.lines().last().unwrap().starts_with("centre 25 after column "), "{ids}");
    // The four squares of a step are turns of each other: opposite ones add up to 50.
    let first: Vec<u32> =
        ids.lines().next().unwrap().split(':').map(|id| id.parse().unwrap()).collect();
    assert_eq!(first.iter().sum::<u32>(), 100, "{ids}");
    // A tour that is not of four paths has a line for each square, and no colours of paths.
    let plain = TourProblem::open(Board::new(5, 5).unwrap()).starting_at(Square::new(0, 4));
    let plain = plain.solve().unwrap().solved().unwrap();
    assert!(render::ids(&plain).starts_with("1\n"), "the top left square is number 1");
    assert!(!render::svg(&render::Scene::of_tour(&plain)).unwrap().contains(" p0"));
}
