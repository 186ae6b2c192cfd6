//! Which turns and mirrors a symmetric tour may have on a board.

use destrier_rules::{Board, Symmetry, TourSymmetry};

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
