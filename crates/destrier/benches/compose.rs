//! How close compose comes to the speed of memory: `cargo bench -p destrier --bench compose > FILE.csv`.
//!
//! Every filled array is compared, in the same run and on as many threads, with plain stores of `i` into slot
//! `i`. Times are the least of several runs; page faults are measured apart, as the first fill of a new array.
//! Answers are checked as they are timed. The large board wants 1.6 GB; `SMALL=1` leaves it out.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use destrier::internal::threads;
use destrier::{Board, Itinerary, Square, TourProblem, Tours};

fn plan(problem: &TourProblem) -> Itinerary {
    problem.itinerary().expect("a question for compose").found().expect("there is a tour")
}

/// The least time of several runs, in seconds.
fn least(runs: usize, mut work: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let begin = Instant::now();
        work();
        begin.elapsed().as_secs_f64()
    };
    (0..runs).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

fn plain_stores(out: &mut [u32]) {
    const TASK: usize = 1 << 16;
    let write = |(task, chunk): (usize, &mut [u32])| {
        let first = u32::try_from(task * TASK).expect("the board has fewer than 2³² squares");
        for (i, slot) in (first..).zip(chunk) {
            *slot = i;
        }
    };
    threads::each(out.chunks_mut(TASK).enumerate(), write);
    black_box(out);
}

fn questions(side: u32) -> Vec<(&'static str, TourProblem)> {
    let board = Board::new(side, side).expect("a board");
    let (near, far) = (Square::new(side / 3, side / 5), Square::new(side - side / 4, side - 8));
    let far =
        if near.is_dark() == far.is_dark() { Square::new(far.file + 1, far.rank) } else { far };
    let corner = Square::new(0, 0);
    vec![
        ("closed", TourProblem::closed(board.clone())),
        ("closed from a square", TourProblem::closed(board.clone()).starting_at(near)),
        ("start to end", TourProblem::open(board.clone()).starting_at(near).ending_at(far)),
        (
            "corner to its neighbour",
            TourProblem::open(board).starting_at(corner).ending_at(Square::new(0, 1)),
        ),
    ]
}

fn fills(side: u32, runs: usize) {
    for threads in [1, 2] {
        threads::within(threads, || {
            let length = side as usize * side as usize;
            let first = least(1, || plain_stores(black_box(&mut vec![0; length])));
            let mut out = vec![0_u32; length];
            plain_stores(&mut out);
            for (name, problem) in questions(side) {
                let tour = plan(&problem);
                let fresh = least(1, || tour.fill(black_box(&mut vec![0_u32; length][..])));
                println!(
                    "first touch,{name},{side}x{side},{threads},s,{fresh:.6},{first:.6},{:.2}",
                    fresh / first
                );
                // In turn, so that both meet the same weather.
                let (mut plain, mut fill) = (f64::INFINITY, f64::INFINITY);
                for _ in 0..runs {
                    plain = plain.min(least(1, || plain_stores(&mut out)));
                    fill = fill.min(least(1, || tour.fill(black_box(&mut out[..]))));
                }
                let square = Square::new(side / 2, side / 7);
                let slot = square.rank as usize * side as usize + square.file as usize;
                assert_eq!(Some(u64::from(out[slot])), tour.step_of(square));
                println!(
                    "fill,{name},{side}x{side},{threads},s,{fill:.6},{plain:.6},{:.2}",
                    fill / plain
                );
            }
        });
    }
}

fn accesses(side: u32) {
    const TIMES: u32 = 2_000_000;
    for (name, problem) in questions(side) {
        let tour = plan(&problem);
        let length = tour.len();
        // Far-flung steps, so that no two lie in one block.
        let stride = (length / 7 * 3) | 1;
        let time = least(5, || {
            let mut step = 1;
            for _ in 0..TIMES {
                black_box(tour.at_step(black_box(step)));
                step = (step + stride) % length + 1;
            }
        });
        println!("at_step,{name},{side}x{side},1,ns,{:.2},,", time * 1e9 / f64::from(TIMES));
        let time = least(5, || {
            let (mut file, mut rank) = (0, 0);
            for _ in 0..TIMES {
                black_box(tour.step_of(black_box(Square::new(file, rank))));
                file = (file + 618_033) % side;
                rank = (rank + 414_213) % side;
            }
        });
        println!("step_of,{name},{side}x{side},1,ns,{:.2},,", time * 1e9 / f64::from(TIMES));
        let time = least(5, || {
            let from = length / 3;
            let _ = tour.walk(from..from + u64::from(TIMES), |square| {
                black_box(square);
                ControlFlow::<()>::Continue(())
            });
        });
        println!("walk,{name},{side}x{side},1,ns,{:.2},,", time * 1e9 / f64::from(TIMES));
    }
}

fn main() {
    println!("what,tour,board,threads,unit,value,plain,ratio");
    for side in [2_000, 1_000_000] {
        for (name, problem) in questions(side) {
            let time = least(20, || drop(black_box(plan(&problem))));
            println!("plan,{name},{side}x{side},1,ms,{:.3},,", time * 1e3);
        }
    }
    accesses(1_000_000);
    fills(2_000, 40);
    if std::env::var_os("SMALL").is_none() {
        fills(20_000, 5);
    }
}
