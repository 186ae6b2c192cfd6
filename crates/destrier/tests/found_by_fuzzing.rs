//! Questions on which fuzzing found methods to disagree, kept.

use std::ops::ControlFlow;

use destrier::count::TOUR_COUNTERS;
use destrier::rules::{Board, Square, TourProblem, TourSymmetry, Wrap};
use destrier::tour::{Naive, TOUR_ENUMERATORS};
use destrier::{Counter as _, Outcome, Watch};

#[test]
fn symmetric_open_tours_of_small_toruses_are_all_listed() {
    let one_by_five = Board::new(1, 5).unwrap().without([Square::new(0, 2)]).unwrap();
    let boards = [one_by_five, Board::new(1, 4).unwrap(), Board::new(1, 6).unwrap()];
    for board in boards {
        let question = TourProblem {
            symmetry: Some(TourSymmetry::HalfTurn),
            ..TourProblem::open(board.wrapped(Wrap::Both))
        };
        let watch = Watch::unlimited();
        let Outcome::Solved(count) = Naive.count(&question, &watch).unwrap().outcome else {
            panic!("nobody stopped it")
        };
        assert!(*count.undirected() > 0_u32.into());
        for counter in TOUR_COUNTERS {
            if let Ok(run) = counter.count(&question, &watch) {
                assert_eq!(run.outcome, Outcome::Solved(count.clone()), "{}", counter.name());
            }
        }
        for enumerator in TOUR_ENUMERATORS {
            let mut listed = 0_u32;
            let run = enumerator.enumerate(&question, &watch, &mut |_| {
                listed += 1;
                ControlFlow::Continue(())
            });
            if run.is_ok() {
                assert_eq!(*count.undirected(), listed.into(), "{}", enumerator.name());
            }
        }
    }
}
