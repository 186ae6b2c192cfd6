//! A piece in its place on the board, and the step of each of its squares.
//!
//! The step of a square is a constant of its place in the block, plus multiples of the block's number along either
//! axis. The tables keep all three for each kind of block: first, middle or last, along x and along y. They are
//! kept in the board's directions, so that looking up needs no turning.
//!
//! Invariant: within a kind the formula is exact; `tabulate` compares its two far corners in tests.
//! Cost: nine tables of one block each; two multiplications a step.

use super::frame::Frame;
use super::piece::{Cut, Piece};

/// The step of a square as a function of its block's numbers, modulo 2⁶⁴.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Affine {
    base: u64,
    pub(crate) per_x: u64,
    pub(crate) per_y: u64,
}

impl Affine {
    #[inline]
    pub(crate) fn at(&self, x: u64, y: u64) -> u64 {
        self.base.wrapping_add(self.per_x.wrapping_mul(x)).wrapping_add(self.per_y.wrapping_mul(y))
    }
}

/// One axis of the board, as far as a piece covers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The first square, and the one after the last.
    pub(crate) low: u32,
    pub(crate) high: u32,
    /// Do the piece's blocks run against the axis?
    pub(crate) reversed: bool,
    pub(crate) cut: Cut,
}

impl Axis {
    fn new(ends: (i64, i64), cut: Cut) -> Axis {
        let (low, high) = (ends.0.min(ends.1) as u32, ends.0.max(ends.1) as u32 + 1);
        Axis { low, high, reversed: ends.1 < ends.0, cut }
    }

    #[inline]
    fn covers(&self, at: u32) -> bool {
        (self.low..self.high).contains(&at)
    }

    /// Which block, and where in it.
    #[inline]
    pub(crate) fn split(&self, at: u32) -> (u64, u32) {
        self.cut.split(if self.reversed { self.high - 1 - at } else { at - self.low }.into())
    }

    /// First, middle or last.
    #[inline]
    pub(crate) fn kind(&self, block: u64) -> usize {
        if block == self.cut.whole { 2 } else { usize::from(block != 0) }
    }

    /// The blocks of each kind, as a range.
    #[inline]
    pub(crate) fn kinds(&self) -> [(u64, u64); 3] {
        let whole = self.cut.whole;
        [(0, whole.min(1)), (whole.min(1), whole), (whole, whole + 1)]
    }

    /// The largest block.
    fn most(&self) -> usize {
        self.cut.size(0).max(self.cut.last) as usize
    }
}

/// A piece in its place on the board.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) piece: Piece,
    pub(crate) frame: Frame,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    table: Vec<Affine>,
    stride: usize,
    rows: usize,
}

impl Placed {
    /// Puts a piece into its frame; `step` says where each position of the piece comes in the tour.
    pub(crate) fn new(piece: Piece, frame: Frame, step: impl Fn(u64) -> u64) -> Placed {
        let near = frame.origin;
        let far = frame.place(piece.tall.length() - 1, piece.wide.length() - 1);
        let turned = frame.across.x == 0;
        let (cut_x, cut_y) =
            if turned { (piece.tall, piece.wide) } else { (piece.wide, piece.tall) };
        let x = Axis::new((near.x, far.x), cut_x);
        let y = Axis::new((near.y, far.y), cut_y);
        let table = tabulate(x, y, |block, place| {
            let ((bx, by), (px, py)) = (block, place);
            step(if turned {
                piece.position(bx, by, (px, py))
            } else {
                piece.position(by, bx, (py, px))
            })
        });
        Placed { piece, frame, x, y, table, stride: x.most(), rows: y.most() }
    }

    #[inline]
    pub(crate) fn covers(&self, x: u32, y: u32) -> bool {
        self.x.covers(x) && self.y.covers(y)
    }

    /// The formulas along a row of a kind of block.
    #[inline]
    pub(crate) fn line(&self, kind_x: usize, kind_y: usize, place_y: u32) -> &[Affine] {
        let row = (kind_y * 3 + kind_x) * self.rows + place_y as usize;
        &self.table[row * self.stride..][..self.stride]
    }

    #[inline]
    pub(crate) fn step_of(&self, x: u32, y: u32) -> u64 {
        let ((bx, px), (by, py)) = (self.x.split(x), self.y.split(y));
        self.line(self.x.kind(bx), self.y.kind(by), py)[px as usize].at(bx, by)
    }
}

/// Fits the formulas to `step`, which knows the step of each place in each block.
fn tabulate(x: Axis, y: Axis, step: impl Fn((u64, u64), (u32, u32)) -> u64) -> Vec<Affine> {
    let (stride, rows) = (x.most(), y.most());
    let mut table = vec![Affine::default(); 9 * rows * stride];
    for (kind_y, (by, last_y)) in y.kinds().into_iter().enumerate() {
        for (kind_x, (bx, last_x)) in x.kinds().into_iter().enumerate() {
            if bx == last_x || by == last_y {
                continue;
            }
            for py in 0..y.cut.size(by) {
                for px in 0..x.cut.size(bx) {
                    let at = |bx, by| step((bx, by), (px, py));
                    let here = at(bx, by);
                    let per_x = if bx + 1 < last_x { at(bx + 1, by).wrapping_sub(here) } else { 0 };
                    let per_y = if by + 1 < last_y { at(bx, by + 1).wrapping_sub(here) } else { 0 };
                    let base = here
                        .wrapping_sub(per_x.wrapping_mul(bx))
                        .wrapping_sub(per_y.wrapping_mul(by));
                    let affine = Affine { base, per_x, per_y };
                    debug_assert_eq!(affine.at(last_x - 1, last_y - 1), at(last_x - 1, last_y - 1));
                    let row = (kind_y * 3 + kind_x) * rows + py as usize;
                    table[row * stride + px as usize] = affine;
                }
            }
        }
    }
    table
}
