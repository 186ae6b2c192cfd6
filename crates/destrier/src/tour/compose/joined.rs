//! Pieces joined into one tour, with random access both ways.
//!
//! The trunk is a list of pieces run through one after another. Another piece hangs on a corner of a piece: the
//! corner's edge is cut, and the hanging piece is run through in between. Laid out flat, the tour is a short list
//! of segments, each a range of positions of one piece, forwards or backwards; with them, `placed.rs` tabulates
//! the step of each square.
//!
//! Invariant: segments tile the steps 0..length; `step_of(at_step(t)) == t`.
//! Cost: a handful of pieces and segments whatever the board; a few nanoseconds an access.
//! Source: the construction by forced corners of `docs/compose.md`.

use std::ops::ControlFlow;

use super::frame::{Frame, Point, View};
use super::piece::{Piece, SIDE};
use super::placed::Placed;

/// A range of positions of one piece, in the order of the tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    start: u64,
    length: u64,
    piece: usize,
    /// The piece's position at `start`.
    position: u64,
    backwards: bool,
}

/// A piece hung on another.
#[derive(Debug, Clone, Copy)]
struct Hook {
    child: usize,
    /// The parent's positions up to this one come first.
    after: u64,
    /// Is the child run from its (0, 1) to its (0, 2)?
    backwards: bool,
}

/// Something to be laid out: a whole piece with all that hangs on it, or bare positions of one.
#[derive(Debug, Clone, Copy)]
struct Part {
    piece: usize,
    backwards: bool,
    positions: Option<(u64, u64)>,
}

/// A tour under construction: pieces in a view of the board, their hooks, and the trunk.
#[derive(Debug)]
pub(crate) struct Joiner {
    view: View,
    pieces: Vec<(Piece, Frame)>,
    hooks: Vec<Vec<Hook>>,
    trunk: Vec<usize>,
}

impl Joiner {
    pub(crate) fn new(view: View) -> Joiner {
        Joiner { view, pieces: Vec::new(), hooks: Vec::new(), trunk: Vec::new() }
    }

    fn add(&mut self, piece: Piece, frame: Frame) -> usize {
        self.pieces.push((piece, frame));
        self.hooks.push(Vec::new());
        self.pieces.len() - 1
    }

    /// The next piece of the trunk.
    pub(crate) fn follow(&mut self, piece: Piece, frame: Frame) -> usize {
        let index = self.add(piece, frame);
        self.trunk.push(index);
        index
    }

    /// Hangs a piece on `corner` of `parent`. `away` leads out of the parent; `side` along its edge, inwards.
    ///
    /// None when the corner's edge is not in the parent's tour, which is so only if the corner is an end.
    pub(crate) fn hang(
        &mut self,
        parent: usize,
        corner: Point,
        away: Point,
        side: Point,
        piece: Piece,
    ) -> Option<()> {
        let other = corner.towards(away, -1).towards(side, 2);
        let frame = Frame { origin: corner.towards(away, 1), across: side, along: away };
        self.insert(parent, corner, other, piece, frame)
    }

    /// Runs through a piece between `corner` and `other`, two squares that follow each other in `parent`.
    pub(crate) fn insert(
        &mut self,
        parent: usize,
        corner: Point,
        other: Point,
        piece: Piece,
        frame: Frame,
    ) -> Option<()> {
        let position = |point| {
            let (holder, frame) = &self.pieces[parent];
            let (row, column) = frame.find(point);
            holder.position_of(row, column)
        };
        let (at_corner, at_other) = (position(corner), position(other));
        if at_corner.abs_diff(at_other) != 1 {
            return None;
        }
        let child = self.add(piece, frame);
        let after = at_corner.min(at_other);
        self.hooks[parent].push(Hook { child, after, backwards: at_other < at_corner });
        Some(())
    }

    /// Lays the tour out flat.
    pub(crate) fn finish(mut self) -> Joined {
        let mut segments = Vec::new();
        let mut start = 0;
        for list in &mut self.hooks {
            list.sort_by_key(|hook| hook.after);
        }
        let whole = |piece, backwards| Part { piece, backwards, positions: None };
        // What is still to be laid out, the next on top.
        let mut waiting: Vec<Part> =
            self.trunk.iter().rev().map(|&piece| whole(piece, false)).collect();
        while let Some(Part { piece, backwards, positions }) = waiting.pop() {
            if let Some((low, high)) = positions {
                let position = if backwards { high - 1 } else { low };
                segments.push(Segment { start, length: high - low, piece, position, backwards });
                start += high - low;
                continue;
            }
            let part = |low, high| Part { piece, backwards, positions: Some((low, high)) };
            let mut parts = Vec::new();
            let mut low = 0;
            for hook in &self.hooks[piece] {
                parts.push(part(low, hook.after + 1));
                parts.push(whole(hook.child, hook.backwards != backwards));
                low = hook.after + 1;
            }
            parts.push(part(low, self.pieces[piece].0.length));
            if !backwards {
                parts.reverse();
            }
            waiting.extend(parts);
        }
        let place = |(index, (piece, frame))| {
            let own: Vec<Segment> = segments.iter().copied().filter(|s| s.piece == index).collect();
            Placed::new(piece, self.view.settle(frame), |position| {
                let part = own
                    .iter()
                    .find(|s| {
                        let low = if s.backwards { s.position + 1 - s.length } else { s.position };
                        (low..low + s.length).contains(&position)
                    })
                    .expect("the segments of a piece hold all its positions");
                part.start + part.position.abs_diff(position)
            })
        };
        let placed: Vec<Placed> = self.pieces.into_iter().enumerate().map(place).collect();
        // Look in the largest piece first.
        let mut order: Vec<usize> = (0..placed.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(placed[i].piece.length));
        Joined { placed, order, segments, length: start }
    }
}

/// A tour of a whole board: which square at which step, and back.
#[derive(Debug, Clone)]
pub(crate) struct Joined {
    pub(crate) placed: Vec<Placed>,
    order: Vec<usize>,
    segments: Vec<Segment>,
    pub(crate) length: u64,
}

impl Joined {
    /// The step on a square, from 0.
    #[inline]
    pub(crate) fn step_of(&self, x: u32, y: u32) -> u64 {
        let holder = self.order.iter().map(|&i| &self.placed[i]).find(|p| p.covers(x, y));
        holder.expect("the pieces cover the board").step_of(x, y)
    }

    /// The pieces that a row of the board runs through, from left to right, and the rows for which that holds.
    pub(crate) fn pieces_in(&self, y: u32, pieces: &mut Vec<usize>) -> std::ops::Range<u32> {
        pieces.clear();
        let mut valid = 0..u32::MAX;
        for (i, placed) in self.placed.iter().enumerate() {
            if (placed.y.low..placed.y.high).contains(&y) {
                pieces.push(i);
                valid = valid.start.max(placed.y.low)..valid.end.min(placed.y.high);
            }
        }
        pieces.sort_by_key(|&i| self.placed[i].x.low);
        valid
    }

    /// The segment that holds a step.
    #[inline]
    fn segment(&self, step: u64) -> &Segment {
        let mut low = 0;
        let mut size = self.segments.len();
        while size > 1 {
            let half = size / 2;
            if self.segments[low + half].start <= step {
                low += half;
            }
            size -= half;
        }
        &self.segments[low]
    }

    /// The square at a step, from 0.
    #[inline]
    pub(crate) fn at_step(&self, step: u64) -> (u32, u32) {
        let segment = self.segment(step);
        let inside = step - segment.start;
        let position =
            if segment.backwards { segment.position - inside } else { segment.position + inside };
        let holder = &self.placed[segment.piece];
        let (row, column) = holder.piece.square_at(position);
        let point = holder.frame.place(row, column);
        (point.x as u32, point.y as u32)
    }

    /// Calls `visit` with the squares of the steps `from..to`, template by template.
    pub(crate) fn walk<B>(
        &self,
        from: u64,
        to: u64,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut step = from;
        while step < to {
            let segment = self.segment(step);
            let end = to.min(segment.start + segment.length);
            let holder = &self.placed[segment.piece];
            while step < end {
                let inside = step - segment.start;
                let position = if segment.backwards {
                    segment.position - inside
                } else {
                    segment.position + inside
                };
                let section = holder.piece.locate(position);
                let more = if segment.backwards { section.before } else { section.after };
                let count = (more + 1).min(end - step) as usize;
                let origin = holder
                    .frame
                    .place(section.block_row as i64 * SIDE, section.block_column as i64 * SIDE);
                let frame = Frame { origin, ..holder.frame };
                let mut at = |&(row, column): &(u8, u8)| {
                    let point = frame.place(row.into(), column.into());
                    visit(point.x as u32, point.y as u32)
                };
                let (path, first) = (&section.template.path, section.step as usize);
                if section.backwards == segment.backwards {
                    path[first..first + count].iter().try_for_each(&mut at)?;
                } else {
                    path[first + 1 - count..=first].iter().rev().try_for_each(&mut at)?;
                }
                step += count as u64;
            }
        }
        ControlFlow::Continue(())
    }
}
