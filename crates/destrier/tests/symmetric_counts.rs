//! Symmetric tours: the folded sweep against the literature, and against a search that checks each.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod tally;

use std::ops::ControlFlow;

use destrier::{
    BigUint, Board, CountMethod, Leaper, ListMethod, Listing, Options, Problem, Shape, Square,
    TourProblem, TourSymmetry, Tours,
};
use tally::Tally;

fn count(method: CountMethod, question: &TourProblem) -> BigUint {
    let found = question.count_by(method, &Options::new()).unwrap();
    found.total().unwrap().undirected()
}

fn symmetric(size: &str, shape: Shape, symmetry: TourSymmetry) -> TourProblem {
    let board: Board = size.parse().unwrap();
    TourProblem { shape, symmetry: Some(symmetry), ..TourProblem::open(board) }
}

/// Sources: Jelliss; McKay and Marlow by way of Knuth, TAOCP pre-fascicle 8a, answers 137–139.
#[test]
fn symmetric_tours_of_the_literature() {
    use TourSymmetry::{HalfTurn, Mirror, QuarterTurn};
    for (size, symmetry, diagrams) in [
        ("6x6", QuarterTurn, 2 * 5),
        ("6x6", HalfTurn, 2 * 5 + 4 * 17),
        ("8x8", QuarterTurn, 0),
        ("8x8", HalfTurn, 2_432_932),
        ("10x10", QuarterTurn, 831_804_u32),
        ("6x5", Mirror, 4),
        ("6x7", Mirror, 530),
        ("10x3", Mirror, 4),
        ("6x5", HalfTurn, 0),
        ("6x7", HalfTurn, 526 + 38),
        ("10x3", HalfTurn, 4),
        ("3x10", HalfTurn, 4),
    ] {
        let question = symmetric(size, Shape::Closed, symmetry);
        let found = count(CountMethod::Frontier, &question);
        assert_eq!(found, BigUint::from(diagrams), "{size} {symmetry}");
    }
    // 864 paths in 112 classes: 32 have the half turn. 8 paths of 3×4 in 3 classes.
    let question = symmetric("5x5", Shape::Open, HalfTurn);
    assert_eq!(count(CountMethod::Frontier, &question), 32_u32.into());
}

#[test]
fn the_folded_sweep_agrees_with_a_search_that_checks_each_tour() {
    let mut folds = Tally::default();
    let plain: Vec<Board> =
        ["3x4", "4x3", "4x5", "5x5", "5x4", "3x7", "6x5", "5x6", "1x1", "3x3", "2x2", "1x2"]
            .iter()
            .map(|size| size.parse().unwrap())
            .collect();
    let mut boards = plain.clone();
    for board in &plain {
        // Holes that keep some symmetry: the middle, the corners.
        let (f, r) = (board.files() - 1, board.ranks() - 1);
        let corners = [(0, 0), (f, 0), (0, r), (f, r)].map(|(f, r)| Square::new(f, r));
        boards.extend(board.clone().without(corners));
        boards.extend(board.clone().without([Square::new(f / 2, r / 2)]));
        boards.extend(board.clone().without([Square::new(0, 0), Square::new(f, r)]));
    }
    for board in boards {
        for leaper in [(1, 2), (0, 1), (1, 4)] {
            for shape in [Shape::Closed, Shape::Open] {
                for symmetry in TourSymmetry::ALL {
                    let leaper = Leaper::new(leaper.0, leaper.1).unwrap();
                    let question = TourProblem {
                        shape,
                        symmetry: Some(symmetry),
                        leaper,
                        ..TourProblem::open(board.clone())
                    };
                    if question.validate().is_err() || board.len() > 25 {
                        continue;
                    }
                    let method = CountMethod::Frontier;
                    let folded = question.count_by(method, &Options::new());
                    let Some(folded) = folds.answer(method, folded) else { continue };
                    let folded = folded.total().unwrap().undirected();
                    let searched = count(CountMethod::Backtrack, &question);
                    assert_eq!(folded, searched, "{board} {leaper} {shape} {symmetry}");
                }
            }
        }
    }
    folds.expect(&[("frontier", 368)]);
}

/// Sources: McKay (8×8), Jelliss (6×6), OEIS A169777 and A328341 (open).
#[test]
fn classes_of_the_literature() {
    let closed = [("6x6", "9862", "1245"), ("8x8", "13267364410532", "1658420855433")];
    let open = [
        ("3x4", "8", "3"),
        ("3x10", "3048", "773"),
        ("4x5", "82", "22"),
        ("4x7", "6378", "1603"),
        ("5x5", "864", "112"),
        ("5x7", "622868", "155861"),
        ("6x6", "3318960", "414870"),
        ("7x7", "82787609160", "10348478647"),
    ];
    let closed = closed.iter().map(|row| (Shape::Closed, row));
    for (shape, &(size, tours, expected)) in closed.chain(open.iter().map(|row| (Shape::Open, row)))
    {
        let question = TourProblem { shape, ..TourProblem::open(size.parse().unwrap()) };
        let tours: BigUint = tours.parse().unwrap();
        let classes = question.classes(&tours, &Options::new()).unwrap();
        assert_eq!(classes.classes.to_string(), expected, "{size} {shape}");
    }
}

#[test]
fn classes_of_symmetric_tours_of_the_literature() {
    use TourSymmetry::{HalfTurn, QuarterTurn};
    for (size, symmetry, expected) in [
        ("6x6", HalfTurn, "22"),
        ("6x6", QuarterTurn, "5"),
        ("8x8", HalfTurn, "608233"),
        ("10x10", QuarterTurn, "415902"),
    ] {
        let question = symmetric(size, Shape::Closed, symmetry);
        let tours = count(CountMethod::Frontier, &question);
        let classes = question.symmetric_classes(&tours, &Options::new());
        assert_eq!(classes.unwrap().to_string(), expected, "{size} {symmetry}");
    }
}

/// One tour of each class, picked by its canonical form, is as many as Burnside says.
#[test]
fn listing_one_tour_a_class_agrees_with_burnside() {
    for (size, shape) in [
        ("6x6", Shape::Closed),
        ("5x5", Shape::Open),
        ("3x10", Shape::Closed),
        ("3x10", Shape::Open),
        ("5x6", Shape::Open),
        ("4x6", Shape::Open),
    ] {
        let question = TourProblem { shape, ..TourProblem::open(size.parse().unwrap()) };
        let one_each = Listing::all().by(ListMethod::Census).distinct();
        let mut listed = 0_u32;
        let found = question.enumerate(one_each, &Options::new(), &mut |_| {
            listed += 1;
            ControlFlow::Continue(())
        });
        assert!(found.is_ok(), "{size} {shape}");
        let total = BigUint::from(question.census().unwrap().total());
        let classes = question.classes(&total, &Options::new());
        assert_eq!(classes.unwrap().classes, listed.into(), "{size} {shape}");
    }
}

/// OEIS A165134 (Coserea) for 5×5; the sum over all squares is the number of directed tours.
#[test]
fn counts_by_start() {
    let question = TourProblem::open("5x5".parse().unwrap());
    let counts =
        question.count_by_start(CountMethod::Frontier, &Options::new()).unwrap().found().unwrap();
    let at = |file, rank| {
        let square = Square::new(file, rank);
        counts.iter().find(|(s, _)| *s == square).map(|(_, n)| n.to_string()).unwrap()
    };
    assert_eq!([at(0, 0), at(1, 0), at(2, 0), at(1, 1)], ["304", "0", "56", "56"]);
    assert_eq!([at(2, 1), at(2, 2), at(4, 4)], ["0", "64", "304"]);
    assert_eq!(counts.iter().map(|(_, n)| n).sum::<BigUint>(), 1728_u32.into());
}
