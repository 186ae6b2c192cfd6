//! Which turns and mirrors a symmetric tour may have on a board.

use destrier_rules::{
    Board, Missing, Problem, QuestionError, Square, Symmetry, TourProblem, TourSymmetry, Wrap,
};

#[test]
fn a_mirror_counts_where_it_moves_a_square() {
    let mirrors =
        |files: u32, ranks: u32| TourSymmetry::Mirror.turns_of(&Board::new(files, ranks).unwrap());
    assert_eq!(mirrors(2, 1), [Symmetry::MirrorFiles]);
    assert_eq!(mirrors(1, 2), [Symmetry::MirrorRanks]);
    assert_eq!(mirrors(3, 2), [Symmetry::MirrorFiles, Symmetry::MirrorRanks]);
    // On a single square everything is its own image.
    assert_eq!(mirrors(1, 1), [Symmetry::MirrorFiles, Symmetry::MirrorRanks]);
}

#[test]
fn holes_that_a_mirror_leaves_in_place_are_not_counted_among_its_squares() {
    let middle = (0..3).map(|rank| Square::new(1, rank));
    let board = Board::new(3, 3).unwrap().without(middle).unwrap();
    let mirrors = TourSymmetry::Mirror.turns_of(&board);
    assert_eq!(mirrors, [Symmetry::MirrorFiles, Symmetry::MirrorRanks]);
}

#[test]
fn a_symmetry_that_a_board_lacks_has_its_reason() {
    use TourSymmetry::{HalfTurn, Mirror, QuarterTurn};
    let whole = |files, ranks, wrap| Board::new(files, ranks).unwrap().wrapped(wrap);
    let holed = |files, ranks, wrap| {
        let holes = [Square::new(0, 0), Square::new(1, 0)];
        Board::new(files, ranks).unwrap().without(holes).unwrap().wrapped(wrap)
    };
    for (board, symmetry, reason) in [
        (whole(4, 5, Wrap::None), QuarterTurn, Missing::NotSquare),
        (holed(4, 5, Wrap::None), QuarterTurn, Missing::NotSquare),
        (whole(5, 5, Wrap::Files), QuarterTurn, Missing::JoinedOneWay),
        (whole(5, 5, Wrap::Ranks), QuarterTurn, Missing::JoinedOneWay),
        (holed(5, 5, Wrap::None), QuarterTurn, Missing::Holes),
        (holed(4, 5, Wrap::None), HalfTurn, Missing::Holes),
        (holed(4, 5, Wrap::None), Mirror, Missing::Holes),
        (holed(5, 5, Wrap::Files), HalfTurn, Missing::Holes),
        (holed(5, 5, Wrap::Ranks), Mirror, Missing::Holes),
    ] {
        let problem = TourProblem::open(board).with_symmetry(symmetry);
        match problem.validate() {
            Err(QuestionError::NoSuchSymmetry { why, .. }) => {
                assert_eq!(why, reason, "{problem:?}");
            }
            other => panic!("{other:?} for {problem:?}"),
        }
    }
}
