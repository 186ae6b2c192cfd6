//! Writing the step of every square into an array, row by row.
//!
//! Along a row of the board, a piece repeats its block every 8 squares, and the step of a square grows by a
//! constant from block to block. So a row is written 8 squares at a time: store, add, store. How it begins is
//! remembered: eight rows on, it differs by a constant again. Rows are distributed over the threads of the pool.
//!
//! Invariant: every square of the rows asked for is written exactly once.
//! Cost: that of storing the array; and a few tens of nanoseconds for each piece in a row.
//! Source: the affine tables of `placed.rs`.

use std::ops::Range;

use super::joined::Joined;
use super::piece::SIDE;
use super::placed::{Affine, Placed};
use crate::run::threads;

/// A number that a step can be written as.
pub trait Number: Copy + Send + Sync {
    /// The step, which is known to fit; or a difference, modulo the width.
    fn truncated(step: u64) -> Self;

    /// The sum, modulo the width.
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

/// Eight numbers, which the compiler keeps in vector registers.
type Eight<T> = [T; LANES];

#[inline]
fn sum<T: Number>(one: Eight<T>, other: Eight<T>) -> Eight<T> {
    std::array::from_fn(|i| one[i].plus(other[i]))
}

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
    tour: &Joined,
    numbering: Numbering,
    width: u32,
    ranks: Range<u32>,
    out: &mut [T],
) {
    /// Squares in a task.
    const TASK: usize = 1 << 18;
    let width = width as usize;
    let rows = (TASK / width).max(1);
    let write = |(task, chunk): (usize, &mut [T])| {
        let mut in_rank = Vec::new();
        let mut valid = 0..0;
        let mut memos: Vec<Memo<T>> = Vec::new();
        for (i, row) in chunk.chunks_mut(width).enumerate() {
            let y = ranks.start + (task * rows + i) as u32;
            if !valid.contains(&y) {
                valid = tour.pieces_in(y, &mut in_rank);
                memos.clear();
                memos.resize(in_rank.len(), [[Begin::none(); 3]; LANES]);
            }
            for (&piece, memo) in in_rank.iter().zip(&mut memos) {
                let placed = &tour.placed[piece];
                let part = &mut row[placed.x.low as usize..placed.x.high as usize];
                fill_row(placed, y, numbering, memo, part);
            }
        }
    };
    threads::each(out.chunks_mut(rows * width).enumerate(), write);
}

/// How a row begins in one kind of block: eight numbers, what each further block adds to them, and what they
/// were taken from.
#[derive(Debug, Clone, Copy)]
struct Begin<T: Number> {
    block_y: u64,
    lanes: Eight<T>,
    per_x: Eight<T>,
    per_y: Eight<T>,
}

/// No block has a number after this one.
const NEVER: u64 = u64::MAX - 1;

impl<T: Number> Begin<T> {
    fn none() -> Begin<T> {
        let zero = [T::truncated(0); LANES];
        Begin { block_y: NEVER, lanes: zero, per_x: zero, per_y: zero }
    }

    #[cold]
    fn new(line: &[Affine], block_x: u64, block_y: u64, backwards: bool) -> Begin<T> {
        let lanes = |of: &dyn Fn(&Affine) -> u64| {
            let at = |i: usize| &line[if backwards { LANES - 1 - i } else { i }];
            std::array::from_fn(|i| T::truncated(of(at(i))))
        };
        Begin {
            block_y,
            lanes: lanes(&|affine| affine.at(block_x, block_y) + 1),
            per_x: lanes(&|affine| {
                if backwards { affine.per_x.wrapping_neg() } else { affine.per_x }
            }),
            per_y: lanes(&|affine| affine.per_y),
        }
    }
}

/// The latest beginnings, by place in the block and kind of block.
type Memo<T> = [[Begin<T>; 3]; LANES];

/// Writes one piece's part of one row of the board.
fn fill_row<T: Number>(
    placed: &Placed,
    y: u32,
    numbering: Numbering,
    memo: &mut Memo<T>,
    mut out: &mut [T],
) {
    let (block_y, place_y) = placed.y.split(y);
    let kind_y = placed.y.kind(block_y);
    let backwards = placed.x.reversed;
    let kinds = placed.x.kinds();
    for kind_x in if backwards { [2, 1, 0] } else { [0, 1, 2] } {
        let (low, high) = kinds[kind_x];
        if low == high {
            continue;
        }
        let size = placed.x.cut.size(low) as usize;
        let (here, rest) = out.split_at_mut((high - low) as usize * size);
        out = rest;
        let block_x = if backwards { high - 1 } else { low };
        let line = &placed.line(kind_x, kind_y, place_y)[..size];
        // The formula of each square in the order of the board.
        let formula = |i: usize| &line[if backwards { size - 1 - i } else { i }];
        let onwards = |per_x: u64| if backwards { per_x.wrapping_neg() } else { per_x };
        if size != LANES {
            for (i, slot) in here.iter_mut().enumerate() {
                *slot = T::truncated(numbering.of(formula(i).at(block_x, block_y)));
            }
        } else if numbering.first == 0 {
            let begin = &mut memo[place_y as usize % LANES][kind_x];
            // Only middle rows of blocks are sure to differ by a constant from the row of blocks before.
            if kind_y == 1 && begin.block_y.wrapping_add(1) == block_y {
                begin.lanes = sum(begin.lanes, begin.per_y);
                begin.block_y = block_y;
            } else {
                *begin = Begin::new(line, block_x, block_y, backwards);
                if kind_y != 1 {
                    begin.block_y = NEVER;
                }
            }
            stride(here, begin.lanes, begin.per_x);
        } else {
            let starts = std::array::from_fn(|i| formula(i).at(block_x, block_y));
            let steps = std::array::from_fn(|i| onwards(formula(i).per_x));
            fill_turned(here, starts, steps, numbering);
        }
    }
}

/// Writes blocks of one kind of a tour that was turned: as long as no lane passes its first step, all go on evenly.
fn fill_turned<T: Number>(
    mut out: &mut [T],
    mut lanes: [u64; LANES],
    steps: [u64; LANES],
    numbering: Numbering,
) {
    let per_x = steps.map(T::truncated);
    while !out.is_empty() {
        let blocks = (out.len() / LANES) as u64;
        let even = (0..LANES).map(|i| numbering.even(lanes[i], steps[i], blocks)).min();
        let even = even.unwrap_or(blocks);
        let (here, rest) = out.split_at_mut(even as usize * LANES);
        let numbers = lanes.map(|lane| T::truncated(numbering.of(lane)));
        stride(here, numbers, per_x);
        for (lane, step) in lanes.iter_mut().zip(steps) {
            *lane = lane.wrapping_add(step.wrapping_mul(even));
        }
        out = rest;
    }
}

/// Writes `lanes`, adds `per_block`, and so on: as fast as storing.
#[inline]
fn stride<T: Number>(out: &mut [T], mut lanes: Eight<T>, per_block: Eight<T>) {
    let (blocks, _) = out.as_chunks_mut::<LANES>();
    for block in blocks {
        *block = lanes;
        lanes = sum(lanes, per_block);
    }
}
