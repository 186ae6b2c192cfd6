//! Writing the step of every square into an array, row by row.
//!
//! Along a row of the board, a piece repeats its block every 8 squares, and the step of a square grows by a
//! constant from block to block. So a row is written 8 squares at a time: store, add, store. Rows are dealt out
//! to the threads of the pool that calls.
//!
//! Invariant: every square of the rows asked for is written exactly once.
//! Cost: that of storing the array; some tens of nanoseconds more for each piece in a row.
//! After: nothing but the affine tables of weave.rs.

use std::ops::Range;

use rayon::prelude::*;

use super::piece::SIDE;
use super::weave::{Placed, Weave};

/// A number that a step can be written as.
pub trait Number: Copy + Default + PartialOrd + Send + Sync {
    /// The step, which the caller knows to fit, or a difference modulo the width.
    fn truncated(step: u64) -> Self;
    /// Addition modulo the width.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

impl Number for u32 {
    #[inline]
    fn truncated(step: u64) -> u32 {
        step as u32
    }

    #[inline]
    fn plus(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }
}

impl Number for u64 {
    #[inline]
    fn truncated(step: u64) -> u64 {
        step
    }

    #[inline]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
}

const LANES: usize = SIDE as usize;

/// A tour turned so that its step `first` comes first, and numbered from 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbering {
    pub(super) first: u64,
    pub(super) length: u64,
}

impl Numbering {
    /// The number of a step.
    #[inline]
    pub(super) fn of(self, step: u64) -> u64 {
        if step >= self.first {
            step - self.first + 1
        } else {
            step + (self.length - self.first) + 1
        }
    }

    /// The step with a number.
    #[inline]
    pub(super) fn step(self, number: u64) -> u64 {
        let after = self.length - self.first;
        if number > after { number - after - 1 } else { number - 1 + self.first }
    }

    /// Numbers what was written as plain steps.
    fn renumber<T: Number>(self, row: &mut [T]) {
        let first = T::truncated(self.first);
        let later = T::truncated(1_u64.wrapping_sub(self.first));
        let earlier = T::truncated((self.length - self.first) + 1);
        for slot in row {
            *slot = slot.plus(if *slot >= first { later } else { earlier });
        }
    }
}

/// Writes the numbers of all squares of `ranks`, row by row, in parallel.
pub(super) fn fill<T: Number>(
    weave: &Weave,
    numbering: Numbering,
    width: u32,
    ranks: Range<u32>,
    out: &mut [T],
) {
    /// Squares in a task.
    const TASK: usize = 1 << 16;
    let width = width as usize;
    let rows = (TASK / width).max(1);
    let write = |(task, chunk): (usize, &mut [T])| {
        let mut in_rank = Vec::new();
        let mut valid = 0..0;
        for (i, row) in chunk.chunks_mut(width).enumerate() {
            let y = ranks.start + (task * rows + i) as u32;
            if !valid.contains(&y) {
                valid = weave.pieces_in(y, &mut in_rank);
            }
            for &piece in &in_rank {
                let placed = &weave.placed[piece];
                let part = &mut row[placed.x.0 as usize..placed.x.1 as usize];
                // One is added here; where the tour is turned, that waits.
                fill_row(placed, y, u64::from(numbering.first == 0), part);
            }
            if numbering.first > 0 {
                numbering.renumber(row);
            }
        }
    };
    if rayon::current_num_threads() == 1 || out.len() <= TASK {
        out.chunks_mut(rows * width).enumerate().for_each(write);
    } else {
        out.par_chunks_mut(rows * width).enumerate().for_each(write);
    }
}

/// Writes one piece's part of one row of the board.
fn fill_row<T: Number>(placed: &Placed, y: u32, plus: u64, mut out: &mut [T]) {
    let frame = placed.frame;
    let (row, column) = frame.find(super::frame::Spot::new(placed.x.0.into(), y.into()));
    let lying = frame.across.x != 0;
    let backwards = frame.across.x + frame.along.x < 0;
    // Along the row the blocks of one axis follow; the other axis stands still.
    let (cut, (still, at)) = if lying {
        (placed.piece.wide, placed.piece.tall.split(row))
    } else {
        (placed.piece.tall, placed.piece.wide.split(column))
    };
    let value = |block: u64, place: u32| {
        let (affine, step) = if lying {
            let affine = placed.affine(still, block, at, place);
            (affine.at(still, block), affine.per_column)
        } else {
            let affine = placed.affine(block, still, place, at);
            (affine.at(block, still), affine.per_row)
        };
        (affine.wrapping_add(plus), step)
    };
    // Blocks of a kind: the first column stands alone, the last block always does.
    let first = if lying { cut.whole.min(1) } else { 0 };
    let groups = [(0, first), (first, cut.whole), (cut.whole, cut.whole + 1)];
    let order = if backwards { [2, 1, 0] } else { [0, 1, 2] };
    for (low, high) in order.map(|i| groups[i]) {
        if low == high {
            continue;
        }
        let size = cut.size(low) as usize;
        let (here, rest) = out.split_at_mut((high - low) as usize * size);
        out = rest;
        let block = if backwards { high - 1 } else { low };
        let place = |i: usize| if backwards { size - 1 - i } else { i } as u32;
        if size == LANES {
            let mut lanes = [T::default(); LANES];
            let mut steps = [T::default(); LANES];
            for i in 0..LANES {
                let (start, step) = value(block, place(i));
                lanes[i] = T::truncated(start);
                steps[i] = T::truncated(if backwards { step.wrapping_neg() } else { step });
            }
            for chunk in here.chunks_exact_mut(LANES) {
                chunk.copy_from_slice(&lanes);
                for i in 0..LANES {
                    lanes[i] = lanes[i].plus(steps[i]);
                }
            }
        } else {
            for (i, slot) in here.iter_mut().enumerate() {
                *slot = T::truncated(value(block, place(i)).0);
            }
        }
    }
}
