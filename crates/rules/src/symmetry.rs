//! The eight turns and mirrors of a board.
//!
//! Turns are anticlockwise as the board is drawn, `a1` at the bottom left. Quarter turns and diagonal
//! mirrors exchange the sides of a board.
//!
//! Invariant: `s.inverse()` undoes `s` on every square of every board.

use std::fmt;

use crate::square::Square;

/// A turn or mirror of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// Maps every square to itself.
    Identity,
    /// A quarter turn, anticlockwise.
    QuarterTurn,
    /// A half turn.
    HalfTurn,
    /// Three quarter turns anticlockwise, or one clockwise.
    ThreeQuarterTurn,
    /// Left and right exchanged.
    MirrorFiles,
    /// Top and bottom exchanged.
    MirrorRanks,
    /// Mirrored in the diagonal through `a1`: files and ranks exchanged.
    MirrorDiagonal,
    /// Mirrored in the other diagonal.
    MirrorAntidiagonal,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::QuarterTurn,
        Symmetry::HalfTurn,
        Symmetry::ThreeQuarterTurn,
        Symmetry::MirrorFiles,
        Symmetry::MirrorRanks,
        Symmetry::MirrorDiagonal,
        Symmetry::MirrorAntidiagonal,
    ];

    /// Where a square of a board with these sides goes.
    ///
    /// ```
    /// # use destrier_rules::{Square, Symmetry};
    /// let a1 = Square::new(0, 0);
    /// assert_eq!(Symmetry::QuarterTurn.apply(a1, 5, 3).to_string(), "c1");
    /// assert_eq!(Symmetry::HalfTurn.apply(a1, 5, 3).to_string(), "e3");
    /// ```
    #[must_use]
    pub const fn apply(self, square: Square, files: u32, ranks: u32) -> Square {
        let Square { file, rank } = square;
        let (left, down) = (files - 1 - file, ranks - 1 - rank);
        match self {
            Symmetry::Identity => square,
            Symmetry::QuarterTurn => Square::new(down, file),
            Symmetry::HalfTurn => Square::new(left, down),
            Symmetry::ThreeQuarterTurn => Square::new(rank, left),
            Symmetry::MirrorFiles => Square::new(left, rank),
            Symmetry::MirrorRanks => Square::new(file, down),
            Symmetry::MirrorDiagonal => Square::new(rank, file),
            Symmetry::MirrorAntidiagonal => Square::new(down, left),
        }
    }

    /// How many squares of a board that it maps to itself stay where they are, holes included.
    #[must_use]
    pub(crate) fn fixed_squares(self, files: u32, ranks: u32) -> u64 {
        let middle = |side: u32| u64::from(side % 2);
        let (all_files, all_ranks) = (u64::from(files), u64::from(ranks));
        match self {
            Symmetry::Identity => all_files * all_ranks,
            Symmetry::HalfTurn | Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => {
                middle(files) * middle(ranks)
            }
            Symmetry::MirrorFiles => middle(files) * all_ranks,
            Symmetry::MirrorRanks => all_files * middle(ranks),
            Symmetry::MirrorDiagonal | Symmetry::MirrorAntidiagonal => all_files,
        }
    }

    /// Does it exchange files and ranks?
    #[must_use]
    pub const fn swaps_sides(self) -> bool {
        matches!(
            self,
            Symmetry::QuarterTurn
                | Symmetry::ThreeQuarterTurn
                | Symmetry::MirrorDiagonal
                | Symmetry::MirrorAntidiagonal
        )
    }

    /// The sides of a board after it: files, ranks.
    #[must_use]
    pub const fn sides(self, files: u32, ranks: u32) -> (u32, u32) {
        if self.swaps_sides() { (ranks, files) } else { (files, ranks) }
    }

    /// What undoes it.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::QuarterTurn => Symmetry::ThreeQuarterTurn,
            Symmetry::ThreeQuarterTurn => Symmetry::QuarterTurn,
            own => own,
        }
    }

    /// This symmetry followed by the other.
    #[must_use]
    pub fn then(self, other: Symmetry) -> Symmetry {
        // Two squares of a 2×3 board distinguish all eight.
        let both = |square| {
            let (files, ranks) = self.sides(2, 3);
            other.apply(self.apply(square, 2, 3), files, ranks)
        };
        let probes = [Square::new(0, 0), Square::new(0, 1)];
        Symmetry::ALL
            .into_iter()
            .find(|whole| {
                whole.swaps_sides() == (self.swaps_sides() != other.swaps_sides())
                    && probes.iter().all(|&probe| whole.apply(probe, 2, 3) == both(probe))
            })
            .unwrap_or(Symmetry::Identity)
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Symmetry::Identity => "identity",
            Symmetry::QuarterTurn => "quarter turn",
            Symmetry::HalfTurn => "half turn",
            Symmetry::ThreeQuarterTurn => "three-quarter turn",
            Symmetry::MirrorFiles => "left-right mirror",
            Symmetry::MirrorRanks => "top-bottom mirror",
            Symmetry::MirrorDiagonal => "diagonal mirror",
            Symmetry::MirrorAntidiagonal => "antidiagonal mirror",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(files: u32, ranks: u32) -> impl Iterator<Item = Square> {
        (0..files).flat_map(move |file| (0..ranks).map(move |rank| Square::new(file, rank)))
    }

    #[test]
    fn the_inverse_undoes_and_composition_composes() {
        for one in Symmetry::ALL {
            let (files, ranks) = one.sides(5, 3);
            for square in squares(5, 3) {
                let there = one.apply(square, 5, 3);
                assert!(there.file < files && there.rank < ranks);
                assert_eq!(one.inverse().apply(there, files, ranks), square);
                for other in Symmetry::ALL {
                    let both = other.apply(there, files, ranks);
                    assert_eq!(one.then(other).apply(square, 5, 3), both, "{one} then {other}");
                }
            }
        }
    }

    #[test]
    fn fixed_squares_are_counted_as_by_looking() {
        for (files, ranks) in [(1, 1), (1, 4), (5, 1), (2, 2), (3, 3), (4, 3), (5, 5), (4, 4)] {
            for one in Symmetry::ALL.into_iter().filter(|s| !s.swaps_sides() || files == ranks) {
                let fixed = squares(files, ranks).filter(|&s| one.apply(s, files, ranks) == s);
                let found = one.fixed_squares(files, ranks);
                assert_eq!(found, fixed.count() as u64, "{one} of {files}x{ranks}");
            }
        }
    }

    #[test]
    fn the_eight_are_different() {
        for one in Symmetry::ALL {
            for other in Symmetry::ALL {
                let same = squares(3, 3).all(|s| one.apply(s, 3, 3) == other.apply(s, 3, 3));
                assert_eq!(same, one == other);
            }
        }
    }
}
