//! How long the strong search takes, as a table: `cargo run --release --example hunt_times [SECONDS]`.
//!
//! Boards with holes drawn from fixed seeds, symmetric tours, and four paths, each under a limit of seconds.
#![expect(clippy::cast_precision_loss, reason = "times and shares of small numbers")]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use destrier::tour::Search;
use destrier::{Outcome, Solver, Watch};
use destrier_rules::{Board, Leaper, Shape, Square, TourProblem, TourSymmetry, Wrap};

/// What came of the questions of one row.
#[derive(Default)]
struct Row {
    times: Vec<f64>,
    solved: u32,
    impossible: u32,
    unfinished: u32,
    nodes: u64,
    rotations: u64,
}

impl Row {
    fn ask(&mut self, problem: &TourProblem, limit: Duration, seed: u64) {
        let begun = Instant::now();
        let watch = Watch::within(limit).with_seed(seed);
        let run = Search.solve(problem, &watch).expect("the question is sound");
        self.times.push(begun.elapsed().as_secs_f64() * 1e3);
        self.nodes += run.effort.nodes;
        let rotations = run.effort.details.iter().find(|(name, _)| *name == "rotations");
        self.rotations += rotations.map_or(0, |&(_, number)| number);
        match run.outcome {
            Outcome::Solved(_) => self.solved += 1,
            Outcome::Impossible(_) => self.impossible += 1,
            Outcome::Unfinished { .. } => self.unfinished += 1,
        }
    }

    fn tell(mut self, name: &str) {
        self.times.sort_by(f64::total_cmp);
        let (count, last) = (self.times.len(), self.times[self.times.len() - 1]);
        let mean = self.times.iter().sum::<f64>() / count as f64;
        let Row { solved, impossible, unfinished, nodes, rotations, .. } = self;
        let (median, each) = (self.times[count / 2], nodes / count as u64);
        let turned = rotations / count as u64;
        println!(
            "{name},{count},{solved},{impossible},{unfinished},{median:.3},{mean:.3},{last:.3},{each},{turned}"
        );
    }
}

fn punched(side: u32, wanted: usize, seed: u64, balanced: bool) -> Board {
    let mut state = seed;
    let mut holes: BTreeSet<Square> = BTreeSet::new();
    while holes.len() < wanted {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = u32::try_from(state >> 33).unwrap_or(0) % (side * side);
        let hole = Square::new(draw % side, draw / side);
        let dark = holes.iter().filter(|hole| hole.is_dark()).count();
        let fits = if hole.is_dark() {
            dark < wanted.div_ceil(2)
        } else {
            holes.len() - dark < wanted / 2
        };
        if !balanced || fits {
            holes.insert(hole);
        }
    }
    let board = Board::new(side, side).and_then(|board| board.without(holes));
    board.expect("some squares are left")
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5);
    let limit = Duration::from_secs(seconds);
    println!(
        "questions,asked,solved,impossible,unfinished,median_ms,mean_ms,longest_ms,nodes_each,rotations_each"
    );
    for (side, wanted, boards) in [
        (8, 4, 300),
        (8, 8, 300),
        (8, 16, 300),
        (10, 20, 100),
        (20, 20, 50),
        (20, 60, 50),
        (50, 100, 10),
        (100, 200, 4),
    ] {
        for shape in [Shape::Open, Shape::Closed] {
            let mut row = Row::default();
            for seed in 0..boards {
                let board = punched(side, wanted, seed, true);
                row.ask(&TourProblem { shape, ..TourProblem::open(board) }, limit, 0);
            }
            row.tell(&format!("{side}x{side} with {wanted} holes {shape}"));
        }
    }
    for (files, ranks, shape, symmetry) in [
        (8, 8, Shape::Closed, TourSymmetry::HalfTurn),
        (20, 20, Shape::Closed, TourSymmetry::HalfTurn),
        (50, 50, Shape::Closed, TourSymmetry::HalfTurn),
        (50, 50, Shape::Closed, TourSymmetry::QuarterTurn),
        (50, 49, Shape::Closed, TourSymmetry::Mirror),
        (49, 49, Shape::Open, TourSymmetry::HalfTurn),
        (100, 100, Shape::Closed, TourSymmetry::HalfTurn),
        (200, 200, Shape::Closed, TourSymmetry::HalfTurn),
        (9, 9, Shape::Open, TourSymmetry::FourPaths),
        (51, 51, Shape::Open, TourSymmetry::FourPaths),
        (101, 101, Shape::Open, TourSymmetry::FourPaths),
        (201, 201, Shape::Open, TourSymmetry::FourPaths),
    ] {
        let mut row = Row::default();
        let board = Board::new(files, ranks).expect("sides are small");
        for seed in 0..10 {
            let problem =
                TourProblem { shape, symmetry: Some(symmetry), ..TourProblem::open(board.clone()) };
            row.ask(&problem, limit, seed);
        }
        row.tell(&format!("{files}x{ranks} {symmetry} {shape}"));
    }
    for (name, problem) in [
        ("torus 20x20 closed", TourProblem::closed(plain(20, 20).wrapped(Wrap::Both))),
        ("torus 7x7 closed", TourProblem::closed(plain(7, 7).wrapped(Wrap::Both))),
        ("cylinder 4x9 closed", TourProblem::closed(plain(4, 9).wrapped(Wrap::Files))),
        ("giraffe 20x20 closed", leaping(1, 4, TourProblem::closed(plain(20, 20)))),
        ("zebra 20x20 closed", leaping(2, 3, TourProblem::closed(plain(20, 20)))),
        ("zebra 9x9 open", leaping(2, 3, TourProblem::open(plain(9, 9)))),
        ("knight 3x8 closed", TourProblem::closed(plain(3, 8))),
        ("knight 4x12 closed", TourProblem::closed(plain(4, 12))),
        ("knight 100x100 closed", TourProblem::closed(plain(100, 100))),
    ] {
        let mut row = Row::default();
        row.ask(&problem, limit, 0);
        row.tell(name);
    }
}

fn plain(files: u32, ranks: u32) -> Board {
    Board::new(files, ranks).expect("sides are small")
}

fn leaping(a: u32, b: u32, problem: TourProblem) -> TourProblem {
    TourProblem { leaper: Leaper::new(a, b).expect("it moves"), ..problem }
}
