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
pub(in crate::count) enum Ends {
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
pub(in crate::count) enum AsEnd {
    Never,
    May,
    Must,
}

/// The question, turned so that the files are the shorter side, and its two halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count) struct Cut {
    pub(in crate::count) files: usize,
    pub(in crate::count) rows: usize,
    pub(in crate::count) ends: Ends,
}

/// One half of the board, seen with its own rows on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count) enum Side {
    Top,
    Bottom,
}

impl Cut {
    /// Cuts a board; files and rows change places when that makes the cut shorter.
    pub(in crate::count) fn new(width: usize, height: usize, ends: Ends) -> Cut {
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

    pub(in crate::count) fn middle(&self) -> Middle {
        Middle::new(self.files, self.is_open())
    }

    pub(in crate::count) fn is_open(&self) -> bool {
        self.ends != Ends::Closed
    }

    /// How many rows a half settles.
    pub(in crate::count) fn depth(&self, side: Side) -> usize {
        let upper = (self.rows - 2) / 2;
        match side {
            Side::Top => upper,
            Side::Bottom => self.rows - 2 - upper,
        }
    }

    /// Does mirroring left and right leave the question as it is?
    pub(in crate::count) fn is_mirror_symmetric(&self) -> bool {
        matches!(self.ends, Ends::Closed | Ends::Free)
    }

    /// Are the two halves the same, one being the other upside down?
    pub(in crate::count) fn has_equal_halves(&self) -> bool {
        self.is_mirror_symmetric() && self.rows.is_multiple_of(2)
    }

    /// Does mirroring map a half's share of the middle edges to itself? The centre pair of an odd width does not.
    pub(in crate::count) fn has_mirror_links(&self) -> bool {
        self.files.is_multiple_of(2)
    }

    /// What a square may be, seen from one side.
    ///
    /// The colours along a tour alternate: on an even number of squares the ends differ in colour, and on
    /// an odd number both have the colour of the corners.
    pub(in crate::count) fn as_end(&self, side: Side, file: usize, row: usize) -> AsEnd {
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
    pub(in crate::count) fn ends_differ(&self) -> bool {
        self.ends == Ends::Free && (self.files * self.rows).is_multiple_of(2)
    }

    /// Is a square, seen from one side, of the colour of the corner a1?
    pub(in crate::count) fn is_dark(&self, side: Side, file: usize, row: usize) -> bool {
        let (file, row) = self.on_board(side, file, row);
        (file + row).is_multiple_of(2)
    }

    fn on_board(&self, side: Side, file: usize, row: usize) -> (usize, usize) {
        match side {
            Side::Top => (file, row),
            Side::Bottom => (file, self.rows - 1 - row),
        }
    }

    /// A half's share of the edges inside the middle rows, as (file of the near square, file of the far one).
    ///
    /// The edges come in pairs that turning upside down exchanges; a half takes one of each. Of the pair in the centre of
    /// an odd width, a half in the mirror takes the other one.
    pub(in crate::count) fn shares(&self, mirrored: bool) -> Vec<(usize, usize)> {
        let spans = self.files.saturating_sub(2);
        let share = |c: usize| {
            let is_left = if 2 * c + 1 == spans { !mirrored } else { 2 * c < spans };
            if is_left { (c, c + 2) } else { (c + 2, c) }
        };
        (0..spans).map(share).collect()
    }

    /// Those of them whose near squares are in so many outer files on either side; without the centre of an odd width.
    pub(in crate::count) fn early_links(&self, early: usize) -> Vec<(usize, usize)> {
        let mut links = self.shares(false);
        links.retain(|&(near, far)| {
            near.min(self.files - 1 - near) < early && near + far + 1 != self.files
        });
        links
    }

    /// The others, as places of a pattern of the middle rows.
    pub(in crate::count) fn late_links(&self, early: usize, mirrored: bool) -> Vec<(usize, usize)> {
        let middle = self.middle();
        let early = self.early_links(early);
        let late = self.shares(mirrored).into_iter().filter(|link| !early.contains(link));
        late.map(|(near, far)| (middle.place(false, near), middle.place(true, far))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is not used here makes a count slower, not wrong.
    #[test]
    fn what_makes_counts_fast_is_seen() {
        for (files, rows) in (3..=6).flat_map(|files| (files..=7).map(move |rows| (files, rows))) {
            let even = files * rows % 2 == 0;
            let of = |ends| Cut::new(files, rows, ends);
            assert_eq!(of(Ends::Free).ends_differ(), even, "{files}x{rows}");
            let given = [Ends::Closed, Ends::From((0, 0)), Ends::Between((0, 0), (1, 2))];
            assert!(given.iter().all(|&ends| !of(ends).ends_differ()), "{files}x{rows}");
            let cut = of(Ends::Closed);
            let in_order = |mirrored| {
                let mut shares = cut.shares(mirrored);
                shares.sort_unstable();
                shares
            };
            assert_eq!(cut.has_mirror_links(), in_order(false) == in_order(true));
        }
        assert_eq!(Cut::new(5, 6, Ends::Closed).shares(false), [(0, 2), (1, 3), (4, 2)]);
        assert_eq!(Cut::new(5, 6, Ends::Closed).shares(true), [(0, 2), (3, 1), (4, 2)]);
    }

    #[test]
    fn the_halves_share_the_middle_edges_out() {
        for files in 3..=10 {
            let cut = Cut::new(files, files, Ends::Closed);
            let own = cut.shares(false);
            let other = own.iter().map(|&(near, far)| (far, near));
            let mut edges: Vec<(usize, usize)> = own.iter().copied().chain(other).collect();
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges.len(), 2 * (files - 2), "{files} files");
            assert!(edges.iter().all(|&(near, far)| near.abs_diff(far) == 2));
            // Seen in a mirror, it is the same share, but for the centre of an odd width.
            let mut mirror: Vec<(usize, usize)> =
                own.iter().map(|&(near, far)| (files - 1 - near, files - 1 - far)).collect();
            let mut mirrored = cut.shares(true);
            mirror.sort_unstable();
            mirrored.sort_unstable();
            assert_eq!(mirror, mirrored, "{files} files");
            for early in 0..3 {
                let links = cut.early_links(early);
                let image = |&(near, far): &(usize, usize)| (files - 1 - near, files - 1 - far);
                assert!(links.iter().all(|link| links.contains(&image(link))));
                assert_eq!(links.len() + cut.late_links(early, true).len(), files - 2);
            }
        }
    }
}
