//! Where a board is cut, and which edges each half may use.
//!
//! A board of n files and m ranks, n ≤ m, is cut at two middle rows. Each half settles the rows on
//! its side, h₁ + h₂ + 2 = m, and sees the board with its own side on top. The edges inside the
//! middle rows come in mirror pairs `a(c)` = near(c)–far(c+2) and `b(c)` = near(c+2)–far(c): a half
//! takes `a` on the left and `b` on the right, so that the other half, upside down, takes the rest.
//! An open tour is a closed one through an apex joined to all squares; a half takes the apex edges
//! of its own rows and of its near middle row.
//!
//! Invariant: every edge of the board belongs to exactly one half.
//! Cost: nothing to speak of.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::join::pattern::Middle;

/// What is asked: closed tours, or open ones with their ends free or given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) enum Ends {
    /// A closed tour has no ends.
    Closed,
    /// Any two squares.
    Free,
    /// One end is given as (file, row), the other is free.
    From((usize, usize)),
    /// Both ends are given.
    Between((usize, usize), (usize, usize)),
}

/// May, must or must not a square be an end of the tour?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) enum AsEnd {
    Never,
    May,
    Must,
}

/// The question, turned so that the files are the shorter side, and its two halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) struct Cut {
    pub(in crate::count::middle) files: usize,
    pub(in crate::count::middle) rows: usize,
    pub(in crate::count::middle) ends: Ends,
}

/// One half of the board, seen with its own rows on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) enum Side {
    Top,
    Bottom,
}

impl Cut {
    /// Cuts a board; files and rows change places when that makes the cut shorter.
    pub(in crate::count::middle) fn new(width: usize, height: usize, ends: Ends) -> Cut {
        if width <= height {
            return Cut { files: width, rows: height, ends };
        }
        let turn = |(file, row): (usize, usize)| (row, file);
        let ends = match ends {
            Ends::Closed | Ends::Free => ends,
            Ends::From(a) => Ends::From(turn(a)),
            Ends::Between(a, b) => Ends::Between(turn(a), turn(b)),
        };
        Cut { files: height, rows: width, ends }
    }

    pub(in crate::count::middle) fn middle(&self) -> Middle {
        Middle::new(self.files, self.is_open())
    }

    pub(in crate::count::middle) fn is_open(&self) -> bool {
        self.ends != Ends::Closed
    }

    /// How many rows a half settles.
    pub(in crate::count::middle) fn depth(&self, side: Side) -> usize {
        let upper = (self.rows - 2) / 2;
        match side {
            Side::Top => upper,
            Side::Bottom => self.rows - 2 - upper,
        }
    }

    /// Does mirroring left and right leave the question as it is?
    pub(in crate::count::middle) fn is_mirror_symmetric(&self) -> bool {
        matches!(self.ends, Ends::Closed | Ends::Free)
    }

    /// Are the two halves the same, one being the other upside down?
    pub(in crate::count::middle) fn has_equal_halves(&self) -> bool {
        self.is_mirror_symmetric() && self.rows.is_multiple_of(2)
    }

    /// Does mirroring map a half's share of the middle edges to itself? The centre pair of an odd width does not.
    pub(in crate::count::middle) fn has_mirror_links(&self) -> bool {
        self.files.is_multiple_of(2)
    }

    /// What a square may be, seen from one side.
    ///
    /// The colours along a tour alternate: on an even number of squares the ends differ in colour, and on
    /// an odd number both have the colour of the corners.
    pub(in crate::count::middle) fn as_end(&self, side: Side, file: usize, row: usize) -> AsEnd {
        let here = self.on_board(side, file, row);
        let dark = |(file, row): (usize, usize)| (file + row).is_multiple_of(2);
        let even = (self.files * self.rows).is_multiple_of(2);
        let may = |fits: bool| if fits { AsEnd::May } else { AsEnd::Never };
        match self.ends {
            Ends::Free => may(even || dark(here)),
            Ends::From(a) if a == here => AsEnd::Must,
            Ends::From(a) => may(if even { dark(here) != dark(a) } else { dark(here) }),
            Ends::Between(a, b) if a == here || b == here => AsEnd::Must,
            Ends::Closed | Ends::Between(..) => AsEnd::Never,
        }
    }

    /// Must the ends differ in colour, without the question saying which is which?
    pub(in crate::count::middle) fn ends_differ(&self) -> bool {
        self.ends == Ends::Free && (self.files * self.rows).is_multiple_of(2)
    }

    /// Is a square, seen from one side, of the colour of the corner a1?
    pub(in crate::count::middle) fn is_dark(&self, side: Side, file: usize, row: usize) -> bool {
        let (file, row) = self.on_board(side, file, row);
        (file + row).is_multiple_of(2)
    }

    fn on_board(&self, side: Side, file: usize, row: usize) -> (usize, usize) {
        match side {
            Side::Top => (file, row),
            Side::Bottom => (file, self.rows - 1 - row),
        }
    }

    /// A half's share of the edges inside the middle rows, as places of a pattern.
    pub(in crate::count::middle) fn links(&self) -> Vec<(usize, usize)> {
        let middle = self.middle();
        let spans = self.files.saturating_sub(2);
        (0..spans)
            .map(|c| {
                if c < spans.div_ceil(2) {
                    (middle.place(false, c), middle.place(true, c + 2))
                } else {
                    (middle.place(false, c + 2), middle.place(true, c))
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_share_the_middle_edges_out() {
        for files in 3..=10 {
            let cut = Cut::new(files, files, Ends::Closed);
            let mut edges = Vec::new();
            for (x, y) in cut.links() {
                edges.push((x.min(y), x.max(y)));
                // The same edge upside down: the two squares of a column change places.
                let (x, y) = (x ^ 1, y ^ 1);
                edges.push((x.min(y), x.max(y)));
            }
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges.len(), 2 * (files - 2), "{files} files");
        }
    }
}
