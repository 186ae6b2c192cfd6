//! Micro benchmarks of the hot parts: `cargo bench -p destrier --bench hot [NAME]`.
//!
//! Parts that are private are measured through the smallest question that spends its time in them. Every benchmark
//! asserts its answer. One thread, unless the name says otherwise.

use std::hint::black_box;

use destrier::render::{self, Scene};
use destrier::{
    BigUint, Board, CaptureMethod, CountMethod, Itinerary, KnightGraph, Options, Problem, Puzzle,
    Solve, Square, SwapMethod, SwapProblem, Ties, Tour, TourMethod, TourProblem, Tours, Verified,
    Warnsdorff,
};
use divan::{Bencher, counter::ItemsCount};

fn main() {
    divan::main();
}

fn alone() -> Options {
    Options::new().threads(1)
}

fn board(side: u32) -> Board {
    Board::new(side, side).expect("a board")
}

/// The solution by a method, as the checker has accepted it.
fn solved<P: Solve>(question: &P, method: P::Method) -> Verified<P> {
    let answer = question.solve_by(method, &alone()).expect("a question for the method");
    answer.solved().ok().expect("this question has an answer")
}

fn counted(question: &TourProblem, method: CountMethod) -> BigUint {
    let found = question.count_by(method, &alone()).expect("a question for the method");
    found.total().expect("nothing stops it").undirected()
}

fn checked_tour(side: u32) -> Verified<TourProblem> {
    solved(&TourProblem::closed(board(side)), TourMethod::Compose)
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
    let question = TourProblem::open(board(side));
    let walk = TourMethod::Warnsdorff(Warnsdorff::new(Ties::Roth));
    bencher.counter(ItemsCount::new(question.board.len())).bench(|| {
        let tour = solved(black_box(&question), walk);
        assert_eq!(tour.len() as u64, question.board.len());
    });
}

mod compose {
    use super::{
        Bencher, ItemsCount, Itinerary, Square, TourProblem, Tours, alone, black_box, board,
    };

    fn itinerary(side: u32) -> Itinerary {
        let planned = TourProblem::closed(board(side)).itinerary_with(&alone());
        planned.expect("a question for compose").found().expect("there is a tour")
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
        let number = counted(black_box(&question), CountMethod::Frontier);
        assert_eq!(number, if size == "6x6" { 9862_u32 } else { 44202 }.into());
    });
}

/// Two halves and their join.
#[divan::bench(args = ["6x6", "6x8"])]
fn middle_join(bencher: Bencher, size: &str) {
    let question = TourProblem::closed(size.parse().expect("a board"));
    bencher.bench(|| {
        let number = counted(black_box(&question), CountMethod::Middle);
        assert_eq!(number, if size == "6x6" { 9862_u32 } else { 55_488_142 }.into());
    });
}

/// A capture that the 1-tree bound proves without branching.
#[divan::bench]
fn capture_onetree_bound(bencher: Bencher) {
    let text = include_str!("../../../known/capture/h06_k12_q72.txt");
    let puzzle: Puzzle = text.parse().expect("a puzzle");
    bencher.bench(|| {
        let plan = solved(black_box(&puzzle.problem), CaptureMethod::Auto);
        assert_eq!(plan.cost(), 81);
    });
}

/// A swap whose search asks for the assignment bound at every position.
#[divan::bench(args = [("nnn/3/3/NNN", "NNN/3/3/nnn", 16), ("nnnnn/5/5/5/NNNNN", "NNNNN/5/5/5/nnnnn", 22)])]
fn swap_assignment_bound(bencher: Bencher, (from, to, fewest): (&str, &str, u64)) {
    let [from, to] = [from, to].map(|fen| fen.parse().expect("a position"));
    let question = SwapProblem::between(&from, &to).expect("a swap");
    bencher.bench(|| {
        let plan = solved(black_box(&question), SwapMethod::AStar);
        assert_eq!(plan.cost(), fewest);
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
        let plan = solved(black_box(&question), SwapMethod::Auto);
        assert_eq!(plan.cost(), fewest);
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
