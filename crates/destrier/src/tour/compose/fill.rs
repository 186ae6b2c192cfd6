//! Writing the step of every square into an array, row by row.
//!
//! Along a row of the board, a piece repeats its block every 8 squares, and the step of a square grows by a
//! constant from block to block. So a row is written 8 squares at a time: store, add, store. Rows are dealt out
//! to the threads of the pool that calls.
//!
//! Invariant: every square of the rows asked for is written exactly once.
//! Cost: that of storing the array; some tens of nanoseconds more for each piece in a row.
//! After: nothing but the affine tables of weave.rs.

use std::ops::{Add, Range};

use rayon::prelude::*;
use wide::{u32x8, u64x8};

use super::frame::Spot;
use super::piece::SIDE;
use super::weave::{Placed, Weave};

/// A number that a step can be written as.
pub trait Number: Copy + Send + Sync {
    /// Eight of them in registers.
    type Eight: Copy + Add<Output = Self::Eight> + From<[Self; 8]> + Into<[Self; 8]>;

    /// The step, which is known to fit; or a difference, modulo the width.
    fn truncated(step: u64) -> Self;
}

impl Number for u32 {
    type Eight = u32x8;

    #[inline]
    fn truncated(step: u64) -> u32 {
        step as u32
    }
}

impl Number for u64 {
    type Eight = u64x8;

    #[inline]
    fn truncated(step: u64) -> u64 {
        step
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

    /// For how many of `blocks` does a step that grows by `by` stay on its side of the first one?
    #[inline]
    fn even(self, step: u64, by: u64, blocks: u64) -> u64 {
        let end = step.wrapping_add(by.wrapping_mul(blocks - 1));
        if (step >= self.first) == (end >= self.first) {
            return blocks;
        }
        if step < self.first {
            (self.first - step).div_ceil(by)
        } else {
            (step - self.first) / by.wrapping_neg() + 1
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
                fill_row(placed, y, numbering, part);
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
fn fill_row<T: Number>(placed: &Placed, y: u32, numbering: Numbering, mut out: &mut [T]) {
    let frame = placed.frame;
    let (row, column) = frame.find(Spot::new(placed.x.0.into(), y.into()));
    let lying = frame.across.x != 0;
    let backwards = frame.across.x + frame.along.x < 0;
    // Along the row the blocks of one axis follow; the other axis stands still.
    let (cut, (still, at)) = if lying {
        (placed.piece.wide, placed.piece.tall.split(row))
    } else {
        (placed.piece.tall, placed.piece.wide.split(column))
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
        let place = |i: usize| if backwards { size - 1 - i } else { i };
        if lying {
            let line = placed.line(still, block, at);
            let value = |i: usize| {
                let affine = &line[place(i)];
                (affine.at(still, block), affine.per_column)
            };
            fill_group(here, size, backwards, numbering, value);
        } else {
            let line = placed.column(block, still, at);
            let value = |i: usize| {
                let affine = line.at(place(i));
                (affine.at(block, still), affine.per_row)
            };
            fill_group(here, size, backwards, numbering, value);
        }
    }
}

/// Writes blocks of one kind; `value` has the step of each square of the first, and what a block adds to it.
#[inline]
fn fill_group<T: Number>(
    out: &mut [T],
    size: usize,
    backwards: bool,
    numbering: Numbering,
    value: impl Fn(usize) -> (u64, u64),
) {
    if size != LANES {
        for (i, slot) in out.iter_mut().enumerate() {
            *slot = T::truncated(numbering.of(value(i).0));
        }
        return;
    }
    let mut lanes = [0; LANES];
    let mut steps = [0; LANES];
    for i in 0..LANES {
        let (start, step) = value(i);
        lanes[i] = start;
        steps[i] = if backwards { step.wrapping_neg() } else { step };
    }
    let plus = steps.map(T::truncated);
    if numbering.first == 0 {
        stride(out, lanes.map(|lane| T::truncated(lane + 1)), plus);
        return;
    }
    // The tour was turned: as long as no lane passes its first step, all go on evenly.
    let mut left = out;
    while !left.is_empty() {
        let blocks = left.len() / LANES;
        let even = (0..LANES).map(|i| numbering.even(lanes[i], steps[i], blocks as u64));
        let even = even.min().unwrap_or(1) as usize;
        let (here, rest) = left.split_at_mut(even * LANES);
        stride(here, lanes.map(|lane| T::truncated(numbering.of(lane))), plus);
        for (lane, step) in lanes.iter_mut().zip(steps) {
            *lane = lane.wrapping_add(step.wrapping_mul(even as u64));
        }
        left = rest;
    }
}

/// Writes `lanes`, adds `steps`, and so on: as fast as storing.
#[inline]
fn stride<T: Number>(out: &mut [T], lanes: [T; LANES], steps: [T; LANES]) {
    let (mut lanes, steps) = (T::Eight::from(lanes), T::Eight::from(steps));
    let (blocks, _) = out.as_chunks_mut::<LANES>();
    for block in blocks {
        *block = lanes.into();
        lanes = lanes + steps;
    }
}
