//! Random questions: every counter agrees with the naive one, however it is run.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod tally;

use destrier::internal::middle::{Settings, count};
use destrier::internal::{Run, Watch};
use destrier::{
    Board, CountMethod, Method, Options, Outcome, Shape, SolveError, Square, TourCount,
    TourProblem, Tours,
};
use proptest::prelude::*;
use tally::Tally;

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
                question = question.starting_at(at(start));
            }
            if ends % 4 > 1 && at(start) != at(end) {
                question = question.ending_at(at(end));
            }
            Some(question)
        })
}

/// How many tours there are, by trying everything.
fn truth(question: &TourProblem) -> TourCount {
    question.count_by(CountMethod::Naive, &Options::new()).unwrap().total().unwrap()
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
        let truth = truth(&question);
        let mut counts = Tally::default();
        for &method in CountMethod::ALL {
            let found = question.count_by(method, &Options::new().threads(threads));
            if let Some(found) = counts.answer(method, found) {
                prop_assert_eq!(found.total(), Ok(truth.clone()), "{}", method);
            }
        }
        // Those that support any board; the others are for plain ones.
        let any = [("auto", 1), ("frontier", 1), ("search", 1), ("backtrack", 1), ("naive", 1)];
        counts.expect(&[&any[..], &[("middle", 0), ("transfer", 0)]].concat());
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
        let options = Options::new().threads(threads);
        let options = match memory {
            Some(bytes) => options.memory(bytes),
            None => options,
        };
        match count(&question, &settings, &Watch::new(&options)) {
            Ok(run) => {
                prop_assert_eq!(undirected(run), truth(&question).undirected().to_string());
            }
            // Too little memory, a board too small to be cut, or both ends of a closed tour.
            Err(SolveError::Unsuited { why, .. }) => {
                let small = question.board.len() < 12;
                let closed = question.shape == Shape::Closed;
                let both = closed && question.start.is_some() && question.end.is_some();
                prop_assert!(small || both || why.contains("memory"), "{question:?}: {why}");
            }
            Err(error) => panic!("{question:?}: {error}"),
        }
    }
}
