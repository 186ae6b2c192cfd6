//! Pieces: rectangles whose tour is known in closed form.
//!
//! A piece is cut into blocks 8 wide and 8 high, the last ones larger or smaller, and each block uses a
//! template. In a *nest* the blocks of column 0 hang under each other by their lower left corners and each of
//! them carries a chain of blocks on its right: going out, a chain takes a part of every block, coming home the
//! rest. In a *row* a tour of one block leads straight on to the next. Either way the position of a square is
//! a constant of its place in the block, plus multiples of the block's row and column.
//!
//! Invariant: `locate(position(r, c)) == (r, c)` for every square, and neighbours in position are a jump apart.
//! Cost: two divisions for a position; no memory beyond the templates.
//! Source: the forced corners of `template.rs`, nested.

use std::ops::Range;
use std::sync::Arc;

use super::template::{Role, RowColumn, Template, Templates};

/// The usual side of a block.
pub(crate) const SIDE: i64 = 8;

/// One side of a piece cut into blocks: `whole` of 8, then one of `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) whole: u64,
    pub(crate) last: u32,
}

impl Cut {
    /// Cuts so that the last block has `least` squares or up to seven more.
    pub(crate) fn of(length: i64, least: i64) -> Cut {
        let whole = (length - least) / SIDE;
        Cut { whole: whole as u64, last: (length - whole * SIDE) as u32 }
    }

    /// Not cut at all.
    pub(crate) fn none(length: u32) -> Cut {
        Cut { whole: 0, last: length }
    }

    pub(crate) fn length(&self) -> i64 {
        self.whole as i64 * SIDE + i64::from(self.last)
    }

    /// Which block, and where in it.
    #[inline]
    pub(crate) fn split(&self, at: i64) -> (u64, u32) {
        let block = (at as u64 / SIDE as u64).min(self.whole);
        (block, (at as u64 - block * SIDE as u64) as u32)
    }

    /// The size of a block.
    pub(crate) fn size(&self, block: u64) -> u32 {
        if block < self.whole { SIDE as u32 } else { self.last }
    }
}

/// A chain: blocks one behind the other, each hanging on a corner of the one before.
#[derive(Debug, Clone)]
struct Chain {
    /// The block that is repeated; used only where `links > 0`.
    link: Arc<Template>,
    last: Arc<Template>,
    links: u64,
    /// Squares of a link before and after what hangs on it.
    before: u64,
    after: u64,
    length: u64,
}

impl Chain {
    /// `before`: squares of a link up to and with its corner.
    fn new(link: Arc<Template>, last: Arc<Template>, links: u64, before: u64) -> Chain {
        let after = link.len() - before;
        let length = links * link.len() + last.len();
        Chain { link, last, links, before, after, length }
    }

    fn position(&self, block: u64, place: RowColumn) -> u64 {
        if block == self.links {
            return block * self.before + self.last.step(place);
        }
        let step = self.link.step(place);
        if step < self.before {
            block * self.before + step
        } else {
            self.length - block * self.after - (self.link.len() - step)
        }
    }

    /// Where a position lies.
    #[inline]
    fn locate(&self, position: u64) -> Section<'_> {
        let going_out = self.links * self.before;
        if position < going_out {
            let (block, step) = (position / self.before, position % self.before);
            return Section::new(block, &self.link, step, 0..self.before);
        }
        let inside = position - going_out;
        if inside < self.last.len() {
            return Section::new(self.links, &self.last, inside, 0..self.last.len());
        }
        let from_end = self.length - 1 - position;
        let (block, back) = (from_end / self.after, from_end % self.after);
        let step = self.link.len() - 1 - back;
        Section::new(block, &self.link, step, self.before..self.link.len())
    }
}

/// A band of a nest: its block in column 0 and the chain that hangs on the right of it.
#[derive(Debug, Clone)]
struct Band {
    head: Arc<Template>,
    /// The chain, the squares of the head that come before it, and is it run from its far end?
    chain: Option<(Chain, u64, bool)>,
    length: u64,
}

impl Band {
    fn new(templates: &mut Templates, wide: Cut, height: u32, role: Role) -> Option<Band> {
        let head = templates.hanging(wide.size(0), height, role)?;
        if wide.whole == 0 {
            let length = head.len();
            return Some(Band { head, chain: None, length });
        }
        let link = templates.chained(SIDE as u32, height, Role::Link)?;
        let last = templates.chained(wide.last, height, Role::Last)?;
        let before = link.step((0, SIDE as u32 - 1)) + 1;
        let chain = Chain::new(link, last, wide.whole - 1, before);
        let corner = head.step((0, SIDE as u32 - 1));
        let other = head.step((2, SIDE as u32 - 2));
        debug_assert_eq!(corner.abs_diff(other), 1, "a corner uses both its moves");
        let length = head.len() + chain.length;
        Some(Band { head, chain: Some((chain, corner.min(other) + 1, other < corner)), length })
    }

    fn position(&self, block: u64, place: RowColumn) -> u64 {
        match &self.chain {
            None => self.head.step(place),
            Some((chain, before, reversed)) => {
                if block == 0 {
                    let step = self.head.step(place);
                    return if step < *before { step } else { step + chain.length };
                }
                let inside = chain.position(block - 1, place);
                before + if *reversed { chain.length - 1 - inside } else { inside }
            }
        }
    }

    #[inline]
    fn locate(&self, position: u64) -> Section<'_> {
        let length = self.head.len();
        match &self.chain {
            None => Section::new(0, &self.head, position, 0..length),
            Some((chain, before, reversed)) => {
                if position < *before {
                    return Section::new(0, &self.head, position, 0..*before);
                }
                let inside = position - before;
                if inside >= chain.length {
                    return Section::new(0, &self.head, position - chain.length, *before..length);
                }
                let mut section =
                    chain.locate(if *reversed { chain.length - 1 - inside } else { inside });
                section.block_column += 1;
                if *reversed {
                    section.backwards = true;
                    (section.before, section.after) = (section.after, section.before);
                }
                section
            }
        }
    }
}

/// Where a position lies: a step of one block's template, and how long the tour stays in that block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Section<'p> {
    pub(crate) block_row: u64,
    pub(crate) block_column: u64,
    pub(crate) template: &'p Template,
    pub(crate) step: u64,
    /// Does the piece run through the template from its end?
    pub(crate) backwards: bool,
    /// Positions before and after this one that are sure to lie on neighbouring steps of the template.
    pub(crate) before: u64,
    pub(crate) after: u64,
}

impl<'p> Section<'p> {
    /// A step among `steps`, which the tour takes in one go.
    #[inline]
    fn new(column: u64, template: &'p Template, step: u64, steps: Range<u64>) -> Section<'p> {
        let (before, after) = (step - steps.start, steps.end - 1 - step);
        let (block_row, block_column, backwards) = (0, column, false);
        Section { block_row, block_column, template, step, backwards, before, after }
    }
}

#[derive(Debug, Clone)]
enum Order {
    /// Bands hanging under each other: the repeated one, the last one, squares before and after the hook.
    Nest { band: Band, last: Band, before: u64, after: u64 },
    /// One block after the other.
    Row(Arc<Template>),
}

/// A rectangle with a tour in closed form.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) wide: Cut,
    pub(crate) tall: Cut,
    pub(crate) length: u64,
    order: Order,
}

impl Piece {
    /// A rectangle of even area that hangs under a corner: from (0, 2) to (0, 1).
    pub(crate) fn nest(templates: &mut Templates, wide: Cut, tall: Cut) -> Option<Piece> {
        let band = Band::new(
            templates,
            wide,
            tall.size(0),
            if tall.whole == 0 { Role::Last } else { Role::Link },
        )?;
        let last = if tall.whole == 0 {
            band.clone()
        } else {
            Band::new(templates, wide, tall.last, Role::Last)?
        };
        let before = band.position(0, (tall.size(0) - 1, 0)) + 1;
        let after = band.length - before;
        let length = wide.length() as u64 * tall.length() as u64;
        Some(Piece { wide, tall, length, order: Order::Nest { band, last, before, after } })
    }

    /// A nest one block wide, of templates that were found elsewhere; `before` squares of a link come before
    /// what hangs on it.
    pub(crate) fn chain(link: Template, last: Template, links: u64, before: u64) -> Piece {
        let band = |template: Template| {
            let length = template.len();
            Band { head: Arc::new(template), chain: None, length }
        };
        let wide = Cut::none(last.width);
        let tall = Cut { whole: links, last: last.height };
        let after = link.len() - before;
        let length = links * link.len() + last.len();
        let order = Order::Nest { band: band(link), last: band(last), before, after };
        Piece { wide, tall, length, order }
    }

    /// One block with its own tour.
    pub(crate) fn single(template: Template) -> Piece {
        Piece::row(template, 1)
    }

    /// Blocks side by side, each entered where the one before was.
    pub(crate) fn row(template: Template, blocks: u64) -> Piece {
        let wide = Cut { whole: blocks - 1, last: template.width };
        let tall = Cut::none(template.height);
        Piece { wide, tall, length: blocks * template.len(), order: Order::Row(Arc::new(template)) }
    }

    /// The position of a square given by its block and its place in it.
    pub(crate) fn position(&self, block_row: u64, block_column: u64, place: RowColumn) -> u64 {
        match &self.order {
            Order::Row(template) => block_column * template.len() + template.step(place),
            Order::Nest { band, last, before, after } => {
                if block_row == self.tall.whole {
                    return block_row * before + last.position(block_column, place);
                }
                let inside = band.position(block_column, place);
                if inside < *before {
                    block_row * before + inside
                } else {
                    self.length - block_row * after - (band.length - inside)
                }
            }
        }
    }

    /// The position of a square given by row and column.
    pub(crate) fn position_of(&self, row: i64, column: i64) -> u64 {
        let ((br, r), (bc, c)) = (self.tall.split(row), self.wide.split(column));
        self.position(br, bc, (r, c))
    }

    /// Where a position lies, the tour run forwards.
    #[inline]
    pub(crate) fn locate(&self, position: u64) -> Section<'_> {
        match &self.order {
            Order::Row(template) => {
                let (block, step) = (position / template.len(), position % template.len());
                Section::new(block, template, step, 0..template.len())
            }
            Order::Nest { band, last, before, after } => {
                let whole = self.tall.whole;
                let going_down = whole * before;
                let (row, at, of, range) = if position < going_down {
                    (position / before, position % before, band, 0..*before)
                } else if position - going_down < last.length {
                    (whole, position - going_down, last, 0..last.length)
                } else {
                    let from_end = self.length - 1 - position;
                    let at = band.length - 1 - from_end % after;
                    (from_end / after, at, band, *before..band.length)
                };
                let mut section = of.locate(at);
                section.block_row = row;
                section.before = section.before.min(at - range.start);
                section.after = section.after.min(range.end - 1 - at);
                section
            }
        }
    }

    /// The row and column at a position.
    #[inline]
    pub(crate) fn square_at(&self, position: u64) -> (i64, i64) {
        let section = self.locate(position);
        let (row, column) = section.template.path[section.step as usize];
        (
            section.block_row as i64 * SIDE + i64::from(row),
            section.block_column as i64 * SIDE + i64::from(column),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_sound(piece: &Piece, from: (i64, i64), to: (i64, i64)) {
        assert_eq!(piece.square_at(0), from);
        assert_eq!(piece.square_at(piece.length - 1), to);
        let mut before: Option<(i64, i64)> = None;
        let (mut gone, mut left) = (0, 0);
        for t in 0..piece.length {
            let (r, c) = piece.square_at(t);
            assert!((0..piece.tall.length()).contains(&r) && (0..piece.wide.length()).contains(&c));
            assert_eq!(piece.position_of(r, c), t);
            if let Some((pr, pc)) = before {
                assert_eq!((pr - r).abs() * (pc - c).abs(), 2, "positions {} and {t}", t - 1);
            }
            before = Some((r, c));
            // A section says how long the tour stays in its template, one step after another.
            let section = piece.locate(t);
            assert!(section.after + 1 >= left, "the promise at {t} shrank");
            assert_eq!(section.before, if left > 0 { gone + 1 } else { 0 });
            (gone, left) = (section.before, section.after);
            if left > 0 {
                let next = piece.locate(t + 1);
                let expected = if section.backwards { section.step - 1 } else { section.step + 1 };
                assert_eq!(
                    (next.step, next.block_row, next.block_column),
                    (expected, section.block_row, section.block_column)
                );
            }
        }
    }

    #[test]
    fn nests_of_every_small_size_are_tours_with_both_inverses() {
        for width in 6..=32 {
            for height in 6..=32 {
                if width * height % 2 == 0 {
                    let piece = Piece::nest(
                        &mut Templates::default(),
                        Cut::of(width, 6),
                        Cut::of(height, 6),
                    )
                    .unwrap();
                    is_sound(&piece, (0, 2), (0, 1));
                }
            }
        }
    }

    #[test]
    fn strips_of_three_and_five_nest_too() {
        for units in 1..=9 {
            let piece = Piece::nest(&mut Templates::default(), Cut::none(3), Cut::of(4 * units, 4))
                .unwrap();
            is_sound(&piece, (0, 2), (0, 1));
            let piece =
                Piece::nest(&mut Templates::default(), Cut::none(5), Cut::of(6 + 2 * units, 8))
                    .unwrap();
            is_sound(&piece, (0, 2), (0, 1));
        }
    }
}
