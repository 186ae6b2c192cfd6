//! Random questions: every counter that can take one on agrees with the naive one, however it is run.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use destrier::count::middle::{Settings, count};
use destrier::count::{TOUR_COUNTERS, TourCount};
use destrier::rules::{Board, Shape, Square, TourProblem};
use destrier::tour::Naive;
use destrier::{Counter as _, Outcome, Run, Watch};
use proptest::prelude::*;

/// The most open squares: the naive method visits every path.
const MOST_SQUARES: usize = 20;

/// A board of up to 24 squares with some holes, and a question about it.
fn question(most_holes: usize) -> impl Strategy<Value = TourProblem> {
    let size = (3_u32..=6, 3_u32..=6).prop_filter("small", |(files, ranks)| files * ranks <= 24);
    (size, prop::collection::vec(any::<prop::sample::Index>(), 0..=most_holes), any::<[u8; 4]>())
        .prop_filter_map("too large to be counted naively", |((files, ranks), holes, choice)| {
            let whole = Board::new(files, ranks).unwrap();
            let squares: Vec<Square> = whole.squares().collect();
            let board = whole.without(holes.iter().map(|hole| *hole.get(&squares))).ok()?;
            let squares: Vec<Square> = board.squares().collect();
            if squares.len() < 3 || squares.len() > MOST_SQUARES {
                return None;
            }
            let [shape, ends, start, end] = choice;
            let shape = if shape % 2 == 0 { Shape::Closed } else { Shape::Open };
            let at = |index: u8| squares[usize::from(index) % squares.len()];
            let mut question = TourProblem { shape, ..TourProblem::open(board.clone()) };
            if ends % 4 > 0 {
                question = question.from(at(start));
            }
            if ends % 4 > 1 && at(start) != at(end) {
                question = question.to(at(end));
            }
            Some(question)
        })
}

fn undirected(run: Run<TourCount>) -> String {
    match run.outcome {
        Outcome::Solved(count) => count.undirected().to_string(),
        other => panic!("not counted: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_counter_agrees_with_the_naive_one_on_boards_with_holes(
        question in question(8),
        threads in 1_usize..4,
    ) {
        let want = undirected(Naive.count(&question, &Watch::unlimited()).unwrap());
        let mut took_it_on = 0;
        for counter in TOUR_COUNTERS {
            let watch = Watch::unlimited().with_threads(threads);
            if let Ok(run) = counter.count(&question, &watch) {
                took_it_on += 1;
                prop_assert_eq!(undirected(run), want.clone(), "{}", counter.name());
            }
        }
        prop_assert!(took_it_on >= 4, "naive, backtrack, frontier and auto take on any board");
    }

    #[test]
    fn slices_threads_memory_and_the_mirror_leave_the_sum_of_middle_alone(
        question in question(0),
        threads in 1_usize..4,
        depth in 0_usize..3,
        mirror in any::<bool>(),
        memory in prop::sample::select(vec![None, Some(300 << 10), Some(2 << 20), Some(64 << 20)]),
    ) {
        let settings = Settings { depth: Some(depth), mirror, ..Settings::default() };
        let watch = Watch::unlimited().with_threads(threads).with_memory(memory);
        if let Ok(run) = count(&question, &settings, &watch) {
            let want = undirected(Naive.count(&question, &Watch::unlimited()).unwrap());
            prop_assert_eq!(undirected(run), want);
        }
    }
}
