//! Which pieces, and where: boards with three or five rows.
//!
//! As on large boards, but everything lies in one line: a nest on the left, a block with the start, a row of
//! blocks, a block with the end, a nest on the right; or one block for both ends. Narrow blocks have exceptions,
//! so the cuts are tried one after another until the rule admits both blocks and a corner is free on either side.
//!
//! Invariant: nests are multiples of 4 columns (three rows) or even and at least 8 (five rows).
//! Cost: a bounded number of cuts, whatever the length; blocks of at most 24 columns.
//! Source: Schwenk (1991) for extending a board by 3×4 squares.

use crate::tour::pairs::{Rule, rule};

use super::frame::{DOWN, Frame, LEFT, Point, RIGHT, UP, View};
use super::joined::{Joined, Joiner};
use super::piece::{Cut, Piece, SIDE};
use super::template::{RowColumn, Templates, template};

/// Three or five rows, the columns along x.
#[derive(Debug, Clone, Copy)]
struct Strip {
    rows: i64,
    columns: i64,
    view: View,
}

impl Strip {
    fn new(width: u32, height: u32) -> Strip {
        let mut view = View::of(width, height);
        if view.height > view.width {
            view = view.swapped();
        }
        Strip { rows: view.height, columns: view.width, view }
    }

    /// May a nest have this many columns?
    fn nests(&self, columns: i64) -> bool {
        match self.rows {
            3 => columns % 4 == 0,
            _ => columns % 2 == 0 && (columns == 0 || columns >= SIDE),
        }
    }

    /// Cuts that leave `at` free, the largest first.
    fn cuts(&self, at: i64) -> impl Iterator<Item = i64> + use<> {
        let strip = *self;
        let furthest = 16;
        (0..=at)
            .rev()
            .take_while(move |cut| at - cut <= furthest)
            .filter(move |&cut| strip.nests(cut))
    }

    fn nest(&self, templates: &mut Templates, columns: i64) -> Option<Piece> {
        let least = if self.rows == 3 { 4 } else { SIDE };
        Piece::nest(templates, Cut::none(self.rows as u32), Cut::of(columns, least))
    }

    /// Hangs what is left of the strip on either side of the trunk.
    fn flank(
        &self,
        mut joiner: Joiner,
        first: usize,
        left: i64,
        last: usize,
        right: i64,
    ) -> Option<Joined> {
        let mut templates = Templates::default();
        let bottom = self.rows - 1;
        let mut hang = |block: usize, x: i64, away: Point, columns: i64| {
            if columns == 0 {
                return Some(());
            }
            let piece = self.nest(&mut templates, columns)?;
            joiner
                .hang(block, Point::new(x, 0), away, DOWN, piece.clone())
                .or_else(|| joiner.hang(block, Point::new(x, bottom), away, UP, piece))
        };
        hang(first, left, LEFT, left)?;
        hang(last, self.columns - right - 1, RIGHT, right)?;
        Some(joiner.finish())
    }

    /// A tour of a block of this strip, if the rule is sure that there is one.
    fn block(&self, columns: i64, from: RowColumn, to: RowColumn) -> Option<Piece> {
        if rule(self.rows as u32, columns as u32, from, to) != Rule::Tour {
            return None;
        }
        template(columns as u32, self.rows as u32, from, to).map(Piece::single)
    }

    fn one_block(&self, s: Point, t: Point) -> Option<Joined> {
        let longest = if self.rows == 3 { 24 } else { 18 };
        for left in self.cuts(s.x) {
            for right in self.cuts(self.columns - 1 - t.x) {
                let core = self.columns - left - right;
                if core > longest {
                    continue;
                }
                let place = |point: Point| (point.y as u32, (point.x - left) as u32);
                let Some(piece) = self.block(core, place(s), place(t)) else { continue };
                let mut joiner = Joiner::new(self.view);
                let block = joiner.follow(piece, Frame::upright(Point::new(left, 0)));
                if let Some(tour) = self.flank(joiner, block, left, block, right) {
                    return Some(tour);
                }
            }
        }
        None
    }

    /// Ends far apart: two blocks and a row of blocks between them.
    fn two_blocks(&self, s: Point, t: Point) -> Option<Joined> {
        let sides = if self.rows == 3 { 11..=22 } else { 7..=16 };
        for left in self.cuts(s.x) {
            for right in self.cuts(self.columns - 1 - t.x) {
                let core = self.columns - left - right;
                for p in sides.clone().filter(|p| s.x < left + p) {
                    for q in sides.clone().filter(|q| t.x >= self.columns - right - q) {
                        let middle = core - p - q;
                        if middle >= 0
                            && middle % SIDE == 0
                            && let Some(tour) = self.join(s, t, (left, p, middle, q, right))
                        {
                            return Some(tour);
                        }
                    }
                }
            }
        }
        None
    }

    fn join(&self, s: Point, t: Point, sides: (i64, i64, i64, i64, i64)) -> Option<Joined> {
        let (left, p, middle, q, right) = sides;
        let rows = self.rows as u32;
        let start = (s.y as u32, (s.x - left) as u32);
        let end = (t.y as u32, (t.x - (self.columns - right - q)) as u32);
        for entry in 0..rows {
            // The exits a jump away from the entry in the next block.
            for (row, back) in [
                (entry + 1, 2),
                (entry.wrapping_sub(1), 2),
                (entry + 2, 1),
                (entry.wrapping_sub(2), 1),
            ] {
                if row >= rows || rule(rows, q as u32, (entry, 0), end) != Rule::Tour {
                    continue;
                }
                let Some(first) = self.block(p, start, (row, (p - back) as u32)) else { continue };
                let mut joiner = Joiner::new(self.view);
                let first = joiner.follow(first, Frame::upright(Point::new(left, 0)));
                if middle > 0 {
                    let exit = (row, SIDE as u32 - back as u32);
                    if matches!(rule(rows, SIDE as u32, (entry, 0), exit), Rule::Refused(_)) {
                        continue;
                    }
                    let Some(link) = template(SIDE as u32, rows, (entry, 0), exit) else {
                        continue;
                    };
                    let piece = Piece::row(link, (middle / SIDE) as u64);
                    joiner.follow(piece, Frame::upright(Point::new(left + p, 0)));
                }
                let Some(last) = self.block(q, (entry, 0), end) else { continue };
                let last =
                    joiner.follow(last, Frame::upright(Point::new(self.columns - right - q, 0)));
                if let Some(tour) = self.flank(joiner, first, left, last, right) {
                    return Some(tour);
                }
            }
        }
        None
    }
}

/// A closed tour of a board with three or five rows and an even number of columns.
pub(crate) fn closed(width: u32, height: u32) -> Option<Joined> {
    let strip = Strip::new(width, height);
    // What is left of a root of this many columns can be a nest.
    let root = match strip.rows {
        3 => 10 + (strip.columns - 10) % 4,
        _ if strip.columns < 6 + SIDE => strip.columns,
        _ => 6,
    };
    let mut joiner = Joiner::new(strip.view);
    let piece = Piece::single(template(root as u32, strip.rows as u32, (0, 0), (1, 2))?);
    let block = joiner.follow(piece, Frame::upright(Point::new(0, 0)));
    strip.flank(joiner, block, 0, block, strip.columns - root)
}

/// A tour between two squares of a board with three or five rows.
pub(crate) fn between(width: u32, height: u32, start: Point, end: Point) -> Option<Joined> {
    let mut strip = Strip::new(width, height);
    strip.view.flip_x = strip.view.see(start).x > strip.view.see(end).x;
    let (s, t) = (strip.view.see(start), strip.view.see(end));
    strip.one_block(s, t).or_else(|| strip.two_blocks(s, t))
}
