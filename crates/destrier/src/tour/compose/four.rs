//! Boards with four rows, one half after the other.
//!
//! An outer square (first or last row) has jumps to inner squares only, so a tour alternates between outer and
//! inner squares but for one jump from inner to inner: the ends are outer squares. The outer squares of one
//! colour and the inner ones of the other form a half. Each column has one outer and one inner square of a half,
//! and outer `c` jumps to inner `c±1` and `c±2`: a ladder. The tour covers the start's half, crosses near the
//! right end of the strip by an inner jump, and covers the end's half backwards.
//!
//! Invariant: both ladders end on inner squares two columns apart.
//! Cost: blocks of at most 16 rungs, searched; nests and rows of 8 rungs between them.
//! Source: the colouring argument is Pósa's, in Schwenk (1991); the ladders are those of `docs/compose.md`.

use super::frame::{Frame, Point, RIGHT, UP, View};
use super::joined::{Joined, Joiner};
use super::piece::{Cut, Piece, SIDE};
use super::search::{Block, Vertex};
use super::template::{Template, between as tour_of};

/// Which of a rung's two squares.
const OUTER: i64 = 0;
const INNER: i64 = 1;

/// A tour of a board with four rows.
#[derive(Debug, Clone)]
pub(crate) struct Four {
    view: View,
    first: Joined,
    second: Joined,
}

impl Four {
    /// The step on a square, from 0.
    pub(crate) fn step_of(&self, x: u32, y: u32) -> u64 {
        let point = self.view.see(Point::new(x.into(), y.into()));
        let side = if point.y == 0 || point.y == 3 { OUTER } else { INNER };
        // In the first half, even columns have their squares in the upper two rows.
        if (point.y < 2) == (point.x & 1 == 0) {
            self.first.step_of(side as u32, point.x as u32)
        } else {
            2 * self.first.length - 1 - self.second.step_of(side as u32, point.x as u32)
        }
    }

    /// The square at a step, from 0.
    pub(crate) fn at_step(&self, step: u64) -> (u32, u32) {
        let first = step < self.first.length;
        let (side, column) = if first {
            self.first.at_step(step)
        } else {
            self.second.at_step(2 * self.first.length - 1 - step)
        };
        let from_top = (column & 1 == 0) == first;
        let row = if from_top { side } else { 3 - side };
        let point = self.view.back(Point::new(column.into(), row.into()));
        (point.x as u32, point.y as u32)
    }
}

/// A tour of a board with four rows and at least seven columns between two outer squares.
pub(crate) fn between(width: u32, height: u32, start: Point, end: Point) -> Option<Four> {
    let mut view = View::of(width, height);
    if view.height > view.width {
        view = view.swapped();
    }
    let s = view.see(start);
    view.flip_y = (s.y == 0) != (s.x & 1 == 0);
    let (s, t) = (view.see(start), view.see(end));
    let furthest = view.width.min(16);
    for from_right in 0..furthest {
        for other in [from_right + 2, from_right - 2] {
            if !(0..furthest).contains(&other) {
                continue;
            }
            let halves = (ladder(view.width, s.x, from_right), ladder(view.width, t.x, other));
            if let (Some(first), Some(second)) = halves {
                return Some(Four { view, first, second });
            }
        }
    }
    None
}

/// A path over all rungs from the outer square of rung `start` to an inner one this many from the right.
fn ladder(rungs: i64, start: i64, from_right: i64) -> Option<Joined> {
    const LONGEST: i64 = 16;
    let cuts = (0..=start).rev().take_while(|cut| start - cut <= LONGEST);
    for left in cuts {
        let core = rungs - left;
        let Some(nest) = (if left == 0 { Some(None) } else { nest(left).map(Some) }) else {
            continue;
        };
        if core <= LONGEST {
            if from_right < core
                && let Some(block) =
                    path(core, (start - left, OUTER), (core - 1 - from_right, INNER))
                && let Some(tour) = join(rungs, left, nest, vec![Piece::single(block)])
            {
                return Some(tour);
            }
            continue;
        }
        let Some((link, exit)) = [1, 2].into_iter().find_map(|back| {
            path(SIDE, (0, OUTER), (SIDE - back, INNER)).map(|template| (template, back))
        }) else {
            continue;
        };
        for p in (start - left + 1)..=(start - left + 1 + SIDE) {
            for q in (from_right + 1)..=(from_right + 1 + SIDE) {
                let middle = core - p - q;
                if middle <= 0 || middle % SIDE != 0 {
                    continue;
                }
                // The next block is entered at its first outer square, one or two rungs away.
                let first = [exit, 3 - exit]
                    .into_iter()
                    .find_map(|back| path(p, (start - left, OUTER), (p - back, INNER)));
                let last = path(q, (0, OUTER), (q - 1 - from_right, INNER));
                let (Some(first), Some(last)) = (first, last) else { continue };
                let middle = Piece::row(link.transposed(), (middle / SIDE) as u64);
                let trunk = vec![Piece::single(first), middle, Piece::single(last)];
                if let Some(tour) = join(rungs, left, nest.clone(), trunk) {
                    return Some(tour);
                }
            }
        }
    }
    None
}

/// Lays the trunk along the ladder and hangs the nest on its first rung.
fn join(rungs: i64, left: i64, nest: Option<Piece>, trunk: Vec<Piece>) -> Option<Joined> {
    let view = View { width: 2, height: rungs, ..View::default() };
    let mut joiner = Joiner::new(view);
    let mut rung = left;
    for piece in trunk {
        // A row of blocks was built lying down.
        let lying = piece.tall.length() == 2 && piece.wide.length() > 2;
        let origin = Point::new(0, rung);
        rung += if lying { piece.wide.length() } else { piece.tall.length() };
        joiner.follow(piece, if lying { Frame::turned(origin) } else { Frame::upright(origin) });
    }
    if let Some(piece) = nest {
        let frame = Frame { origin: Point::new(0, left - 1), across: RIGHT, along: UP };
        joiner.insert(0, Point::new(OUTER, left), Point::new(INNER, left + 1), piece, frame)?;
    }
    Some(joiner.finish())
}

/// A path over a block of rungs.
fn path(rungs: i64, from: (i64, i64), to: (i64, i64)) -> Option<Template> {
    if to.0 < 0 {
        return None;
    }
    let block = Block::ladder(rungs as u32);
    let place = |(rung, side): (i64, i64)| (rung as u32, side as u32);
    tour_of(&block, place(from), place(to), |_| true).map(|path| Template::new(&block, &path))
}

/// What hangs on the outer square of a first rung and the inner one of the second: it comes from an inner
/// square one or two rungs away and goes back from the nearest outer one.
fn nest(rungs: i64) -> Option<Piece> {
    let hanging = |rungs: i64, link: bool| {
        let block = Block::ladder(rungs as u32);
        let corner = block.vertex(rungs as u32 - 1, 0);
        let other = (rungs >= 2).then(|| block.vertex(rungs as u32 - 2, 1));
        let in_order = |path: &[Vertex]| {
            !link || path.windows(2).any(|pair| pair[0] == corner && Some(pair[1]) == other)
        };
        [0, 1].into_iter().filter(|&inner| i64::from(inner) < rungs).find_map(|inner| {
            let path = tour_of(&block, (inner, 1), (0, 0), in_order)?;
            Some(Template::new(&block, &path))
        })
    };
    if rungs < 3 {
        return None;
    }
    let tall = Cut::of(rungs, 3);
    let last = hanging(tall.last.into(), false)?;
    if tall.whole == 0 {
        return Some(Piece::single(last));
    }
    let link = hanging(SIDE, true)?;
    let before = link.step((SIDE as u32 - 1, 0)) + 1;
    Some(Piece::chain(link, last, tall.whole, before))
}
