//! Micro benchmarks of the hot parts: `cargo bench -p destrier --bench hot [NAME]`.
//!
//! Parts that are private are measured through the smallest question that spends its time in them. Every benchmark
//! asserts its answer. One thread, unless the name says otherwise.

use std::hint::black_box;

use destrier::count::{self, middle};
use destrier::render::{self, Scene};
use destrier::tour::compose::Itinerary;
use destrier::tour::{Ties, Warnsdorff};
use destrier::{KnightGraph, Outcome, Run, Solver as _, Watch, capture, swap, tour};
use destrier_rules::{
    Board, Problem as _, Puzzle, Square, SwapProblem, Tour, TourProblem, Verified,
};
use divan::{Bencher, counter::ItemsCount};

fn main() {
    divan::main();
}

fn alone() -> Watch {
    Watch::unlimited().with_threads(1)
}

fn board(side: u32) -> Board {
    Board::new(side, side).expect("a board")
}

fn solved<S>(run: Run<S>) -> S {
    match run.outcome {
        Outcome::Solved(solution) => solution,
        _ => panic!("this question has an answer"),
    }
}

fn checked_tour(side: u32) -> Verified<TourProblem> {
    let question = TourProblem::closed(board(side));
    solved(tour::find(&question, "compose", &alone()).expect("a question for compose"))
}

#[divan::bench(args = [8, 50, 200])]
fn graph_building(bencher: Bencher, side: u32) {
    let board = board(side);
    bencher
        .counter(ItemsCount::new(board.len()))
        .bench(|| assert_eq!(KnightGraph::new(black_box(&board)).len() as u64, board.len()));
}

/// Items are steps.
#[divan::bench(args = [8, 50, 100])]
fn warnsdorff_walk(bencher: Bencher, side: u32) {
    let (question, walk) = (TourProblem::open(board(side)), Warnsdorff::new(Ties::Roth));
    bencher.counter(ItemsCount::new(question.board.len())).bench(|| {
        let tour = solved(walk.solve(black_box(&question), &alone()).expect("a board"));
        assert_eq!(tour.0.len() as u64, question.board.len());
    });
}

mod compose {
    use super::{
        Bencher, ItemsCount, Itinerary, Square, TourProblem, alone, black_box, board, solved,
    };

    fn itinerary(side: u32) -> Itinerary {
        let question = TourProblem::closed(board(side));
        solved(Itinerary::plan(&question, &alone()).expect("a question for compose"))
    }

    #[divan::bench(args = [8, 1000, 1_000_000])]
    fn plan(side: u32) -> u64 {
        let tour = itinerary(black_box(side));
        assert_eq!(tour.at_step(1).and_then(|square| tour.step_of(square)), Some(1));
        tour.len()
    }

    /// Items are squares.
    #[divan::bench(args = [200, 1000])]
    fn fill(bencher: Bencher, side: u32) {
        let tour = itinerary(side);
        let mut out = vec![0_u32; side as usize * side as usize];
        bencher.counter(ItemsCount::new(tour.len())).bench_local(|| tour.fill(&mut out[..]));
        assert_eq!(tour.step_of(Square::new(0, 0)), Some(out[0].into()));
    }

    #[divan::bench]
    fn at_step(bencher: Bencher) {
        let tour = itinerary(1_000_000);
        let mut step = 1;
        bencher.bench_local(|| {
            step = (step * 6_364_136_223_846_793_005 + 1) % tour.len();
            tour.at_step(black_box(step + 1)).expect("a step of the tour")
        });
    }

    #[divan::bench]
    fn step_of(bencher: Bencher) {
        let tour = itinerary(1_000_000);
        let mut file = 1;
        bencher.bench_local(|| {
            file = (file * 48_271 + 11) % 1_000_000;
            tour.step_of(black_box(Square::new(file, 999_999 - file))).expect("on the board")
        });
    }
}

/// A sweep of the frontier over a whole board.
#[divan::bench(args = ["6x6", "5x8"])]
fn frontier_sweep(bencher: Bencher, size: &str) {
    let question = TourProblem::closed(size.parse().expect("a board"));
    bencher.bench(|| {
        let number =
            solved(count::count(black_box(&question), "frontier", &alone()).expect("a count"));
        assert_eq!(number.undirected().to_string(), if size == "6x6" { "9862" } else { "44202" });
    });
}

/// Two halves and their join.
#[divan::bench(args = ["6x6", "6x8"])]
fn middle_join(bencher: Bencher, size: &str) {
    let question = TourProblem::closed(size.parse().expect("a board"));
    let settings = middle::Settings::default();
    bencher.bench(|| {
        let number =
            solved(middle::count(black_box(&question), &settings, &alone()).expect("a count"));
        let known = if size == "6x6" { "9862" } else { "55488142" };
        assert_eq!(number.undirected().to_string(), known);
    });
}

/// A capture that the 1-tree bound proves without branching.
#[divan::bench]
fn capture_onetree_bound(bencher: Bencher) {
    let text = include_str!("../../../known/capture/h06_k12_q72.txt");
    let puzzle: Puzzle = text.parse().expect("a puzzle");
    bencher.bench(|| {
        let plan =
            solved(capture::find(black_box(&puzzle.problem), "auto", &alone()).expect("a plan"));
        assert_eq!(plan.solution().moves(), 81);
    });
}

/// A swap whose search asks for the assignment bound at every position.
#[divan::bench(args = [("nnn/3/3/NNN", "NNN/3/3/nnn", 16), ("nnnnn/5/5/5/NNNNN", "NNNNN/5/5/5/nnnnn", 22)])]
fn swap_assignment_bound(bencher: Bencher, (from, to, fewest): (&str, &str, u64)) {
    let [from, to] = [from, to].map(|fen| fen.parse().expect("a position"));
    let question = SwapProblem::between(&from, &to).expect("a swap");
    bencher.bench(|| {
        let plan = solved(swap::solve(black_box(&question), "astar", &alone()).expect("a plan"));
        assert_eq!(question.cost(plan.solution()), fewest);
    });
}

/// The classics, by the portfolio: less than the start of a process takes.
#[divan::bench(args = [
    ("nnn/3/3/NNN", "NNN/3/3/nnn", 16),
    ("n1n/3/N1N", "N1N/3/n1n", 16),
    ("nnnnnnnn/8/8/8/8/8/8/NNNNNNNN", "NNNNNNNN/8/8/8/8/8/8/nnnnnnnn", 64),
])]
fn swap_classics(bencher: Bencher, (from, to, fewest): (&str, &str, u64)) {
    let [from, to] = [from, to].map(|fen| fen.parse().expect("a position"));
    let question = SwapProblem::between(&from, &to).expect("a swap");
    bencher.bench(|| {
        let plan = solved(swap::solve(black_box(&question), "auto", &alone()).expect("a plan"));
        assert_eq!(question.cost(plan.solution()), fewest);
    });
}

/// Items are squares.
#[divan::bench(args = [8, 200, 1000])]
fn checker(bencher: Bencher, side: u32) {
    let (question, tour): (TourProblem, Tour) = {
        let checked = checked_tour(side);
        (checked.problem().clone(), checked.solution().clone())
    };
    bencher
        .counter(ItemsCount::new(question.board.len()))
        .bench(|| question.verify(black_box(&tour)).expect("it is a tour"));
}

mod rendering {
    use super::{Bencher, Scene, black_box, checked_tour, render};

    #[divan::bench(args = [8, 100])]
    fn grid(bencher: Bencher, side: u32) {
        let tour = checked_tour(side);
        bencher.bench(|| {
            let lines = render::tour_grid(black_box(&tour), render::Colour::Never).lines().count();
            assert_eq!(lines, side as usize);
        });
    }

    #[divan::bench(args = [8, 50])]
    fn svg(bencher: Bencher, side: u32) {
        let tour = checked_tour(side);
        bencher.bench(|| {
            let picture = render::svg(&Scene::of_tour(black_box(&tour))).expect("a picture");
            assert!(picture.ends_with("</svg>\n"));
        });
    }
}
