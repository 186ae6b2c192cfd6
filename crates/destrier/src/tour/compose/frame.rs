//! Placing a piece on the board: turned, mirrored, moved.
//!
//! A piece is built once in its own rows and columns and used in any of the eight orientations. A frame is
//! where its square (0, 0) lies and which way its rows and columns run; both are unit steps along the axes.
//!
//! Invariant: the two directions are perpendicular unit steps, so the inverse is the transpose.
//! Cost: a handful of multiplications by -1, 0 or 1.

/// A square by column (file) and row (rank), both from 0; signed, so that differences need no care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) x: i64,
    pub(crate) y: i64,
}

impl Point {
    pub(crate) const fn new(x: i64, y: i64) -> Point {
        Point { x, y }
    }

    /// This square moved `times` steps in a direction.
    pub(crate) const fn towards(self, step: Point, times: i64) -> Point {
        Point::new(self.x + step.x * times, self.y + step.y * times)
    }
}

pub(crate) const LEFT: Point = Point::new(-1, 0);
pub(crate) const RIGHT: Point = Point::new(1, 0);
pub(crate) const UP: Point = Point::new(0, -1);
pub(crate) const DOWN: Point = Point::new(0, 1);

/// Where a piece lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) origin: Point,
    /// One step to the piece's next column.
    pub(crate) across: Point,
    /// One step to the piece's next row.
    pub(crate) along: Point,
}

impl Frame {
    /// Columns to the right, rows downwards, from `origin`.
    pub(crate) const fn upright(origin: Point) -> Frame {
        Frame { origin, across: RIGHT, along: DOWN }
    }

    /// Columns downwards, rows to the right.
    pub(crate) const fn turned(origin: Point) -> Frame {
        Frame { origin, across: DOWN, along: RIGHT }
    }

    /// The board's square for the piece's row and column.
    #[inline]
    pub(crate) const fn place(&self, row: i64, column: i64) -> Point {
        self.origin.towards(self.along, row).towards(self.across, column)
    }

    /// The piece's (row, column) for the board's square.
    #[inline]
    pub(crate) const fn find(&self, point: Point) -> (i64, i64) {
        let (dx, dy) = (point.x - self.origin.x, point.y - self.origin.y);
        (dx * self.along.x + dy * self.along.y, dx * self.across.x + dy * self.across.y)
    }
}

/// A view of the board in which the planner may take its ends in a convenient order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct View {
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) flip_x: bool,
    pub(crate) flip_y: bool,
    /// Exchange the axes first: the view's x is the board's y.
    pub(crate) swap: bool,
}

impl View {
    /// The board as it is.
    pub(crate) fn of(width: u32, height: u32) -> View {
        View { width: width.into(), height: height.into(), ..View::default() }
    }

    /// This view with the axes exchanged.
    pub(crate) fn swapped(self) -> View {
        View {
            width: self.height,
            height: self.width,
            flip_x: self.flip_y,
            flip_y: self.flip_x,
            swap: !self.swap,
        }
    }

    /// The view's square for a square of the board.
    pub(crate) fn see(&self, point: Point) -> Point {
        let (x, y) = if self.swap { (point.y, point.x) } else { (point.x, point.y) };
        Point::new(
            if self.flip_x { self.width - 1 - x } else { x },
            if self.flip_y { self.height - 1 - y } else { y },
        )
    }

    /// The board's square for a square of the view.
    pub(crate) fn back(&self, point: Point) -> Point {
        let x = if self.flip_x { self.width - 1 - point.x } else { point.x };
        let y = if self.flip_y { self.height - 1 - point.y } else { point.y };
        if self.swap { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// A frame given in the view, on the board.
    pub(crate) fn settle(&self, frame: Frame) -> Frame {
        let origin = self.back(frame.origin);
        let turn = |step: Point| {
            let moved = self.back(frame.origin.towards(step, 1));
            Point::new(moved.x - origin.x, moved.y - origin.y)
        };
        Frame { origin, across: turn(frame.across), along: turn(frame.along) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_and_a_frame_undo_themselves() {
        for bits in 0..8 {
            let mut view = View::of(7, 11);
            if bits & 1 != 0 {
                view = view.swapped();
            }
            view.flip_x = bits & 2 != 0;
            view.flip_y = bits & 4 != 0;
            for y in 0..11 {
                for x in 0..7 {
                    let seen = view.see(Point::new(x, y));
                    assert!(
                        (0..view.width).contains(&seen.x) && (0..view.height).contains(&seen.y)
                    );
                    assert_eq!(view.back(seen), Point::new(x, y));
                }
            }
            for frame in [Frame::upright(Point::new(2, 3)), Frame::turned(Point::new(1, 1))] {
                let settled = view.settle(frame);
                assert_eq!(settled.place(2, 1), view.back(frame.place(2, 1)));
                assert_eq!(settled.find(settled.place(3, 2)), (3, 2));
            }
        }
    }
}
