//! Symmetric tours: the folded sweep against the literature, and against a search that checks each.

use destrier::count::Frontier;
use destrier::rules::{Board, Shape, Square, TourProblem, TourSymmetry};
use destrier::tour::Backtrack;
use destrier::{Counter, Outcome, Watch};

fn count(counter: &dyn Counter, question: &TourProblem) -> Option<String> {
    let run = counter.count(question, &Watch::unlimited()).ok()?;
    let Outcome::Solved(count) = run.outcome else { panic!("unfinished: {question:?}") };
    Some(count.undirected().to_string())
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
        ("10x10", QuarterTurn, 831_804),
        ("6x5", Mirror, 4),
        ("6x7", Mirror, 530),
        ("10x3", Mirror, 4),
        ("6x5", HalfTurn, 0),
        ("6x7", HalfTurn, 526 + 38),
        ("10x3", HalfTurn, 4),
        ("3x10", HalfTurn, 4),
    ] {
        let question = symmetric(size, Shape::Closed, symmetry);
        assert_eq!(count(&Frontier, &question), Some(diagrams.to_string()), "{size} {symmetry}");
    }
    // 864 paths in 112 classes: 32 have the half turn. 8 paths of 3×4 in 3 classes.
    let question = symmetric("5x5", Shape::Open, HalfTurn);
    assert_eq!(count(&Frontier, &question), Some("32".to_owned()));
}

#[test]
fn the_folded_sweep_agrees_with_a_search_that_checks_each_tour() {
    let mut agreed = 0;
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
                    let leaper = destrier::rules::Leaper::new(leaper.0, leaper.1).unwrap();
                    let question = TourProblem {
                        shape,
                        symmetry: Some(symmetry),
                        leaper,
                        ..TourProblem::open(board.clone())
                    };
                    if destrier::rules::Problem::validate(&question).is_err() || board.len() > 25 {
                        continue;
                    }
                    let Some(folded) = count(&Frontier, &question) else { continue };
                    let searched = count(&Backtrack, &question);
                    assert_eq!(Some(folded), searched, "{board} {leaper} {shape} {symmetry}");
                    agreed += 1;
                }
            }
        }
    }
    assert!(agreed > 100, "only {agreed} questions");
}
