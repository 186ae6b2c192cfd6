//! Which pieces, and where: boards of at least six by six squares.
//!
//! The ends lie in one block, or in two with a row of blocks between, or there is a corner to turn as well: the
//! trunk. What remains round the trunk is cut into rectangles of even area, each hung on a corner of the trunk.
//! Corners are safe to hang on because the blocks leave a margin between an end and a side where something
//! hangs. Every block is at least 6×6, so every pair of ends that the colours admit has a tour in it.
//!
//! Invariant: what hangs has an even area and sides of at least 6; an odd board has exactly one odd block.
//! Cost: at most five blocks to search, of at most 15×15 squares, and a template for each size that occurs.
//! Source: `docs/compose.md`; Schwenk (1991) for closed boards, Conrad and others (1994) for paths.

use super::frame::{DOWN, Frame, LEFT, Point, RIGHT, UP, View};
use super::joined::{Joined, Joiner};
use super::piece::{Cut, Piece, SIDE};
use super::template::{RowColumn, Templates, template};

/// The least side of a block here.
const LEAST: i64 = 6;

/// A nest of blocks of 6×6 and more.
fn nest(templates: &mut Templates, wide: i64, tall: i64) -> Option<Piece> {
    Piece::nest(templates, Cut::of(wide, LEAST), Cut::of(tall, LEAST))
}

/// A closed tour of a board with sides of at least 6 and an even area.
pub(crate) fn closed(width: u32, height: u32) -> Option<Joined> {
    let view = View::of(width, height);
    let block = |side: i64| if side < SIDE + LEAST { side } else { SIDE };
    let (w, h) = (block(view.width), block(view.height));
    let mut templates = Templates::default();
    let mut joiner = Joiner::new(view);
    // A tour from the corner to a square one jump away closes.
    let root = template(w as u32, h as u32, (0, 0), (1, 2))?;
    let root = joiner.follow(Piece::single(root), Frame::upright(Point::new(0, 0)));
    if w < view.width {
        let piece = nest(&mut templates, view.height, view.width - w)?;
        joiner.hang(root, Point::new(w - 1, 0), RIGHT, DOWN, piece)?;
    }
    if h < view.height {
        let piece = nest(&mut templates, w, view.height - h)?;
        // The lower right corner: the lower left one may be as good, but the start lies above it.
        joiner.hang(root, Point::new(w - 1, h - 1), DOWN, LEFT, piece)?;
    }
    Some(joiner.finish())
}

/// One axis: what is cut off before and after the ends, and the blocks for them if they need two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Zones {
    before: i64,
    core: i64,
    after: i64,
}

/// How much to cut off before `at`: even, at least 6, and leaving a margin of one.
fn cut_off(at: i64) -> i64 {
    if at > LEAST { (at - 1) & !1 } else { 0 }
}

/// A smaller cut of the same kind.
fn cut_less(cut: i64) -> i64 {
    if cut >= LEAST + 2 { cut - 2 } else { 0 }
}

impl Zones {
    /// For ends at `low <= high` on an axis of `length`.
    fn new(length: i64, low: i64, high: i64) -> Zones {
        let (mut before, mut after) = (cut_off(low), cut_off(length - 1 - high));
        while length - before - after < LEAST {
            if before > 0 {
                before = cut_less(before);
            } else {
                after = cut_less(after);
            }
        }
        Zones { before, core: length - before - after, after }
    }

    /// Sides of two blocks, one for each end, with a multiple of 8 between them.
    ///
    /// `least` are the least sides; `fits` says which pairs of sides have the right parities.
    fn apart(&self, least: (i64, i64), fits: impl Fn(i64, i64) -> bool) -> Option<(i64, i64)> {
        let sides = |from: i64| from.max(LEAST)..from.max(LEAST) + SIDE;
        sides(least.0)
            .flat_map(|p| sides(least.1).map(move |q| (p, q)))
            .filter(|&(p, q)| p + q <= self.core && (self.core - p - q) % SIDE == 0 && fits(p, q))
            .min_by_key(|&(p, q)| p.max(q))
    }
}

/// The colour of a square, 0 or 1.
fn colour(point: Point) -> i64 {
    (point.x + point.y) & 1
}

/// A rectangle of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    x: i64,
    y: i64,
    w: i64,
    h: i64,
}

impl Area {
    fn place(&self, point: Point) -> RowColumn {
        ((point.y - self.y) as u32, (point.x - self.x) as u32)
    }

    fn point(&self, row: i64, column: i64) -> Point {
        Point::new(self.x + column, self.y + row)
    }

    fn top_left(&self) -> Point {
        Point::new(self.x, self.y)
    }

    fn top_right(&self) -> Point {
        Point::new(self.x + self.w - 1, self.y)
    }

    fn bottom_left(&self) -> Point {
        Point::new(self.x, self.y + self.h - 1)
    }

    fn bottom_right(&self) -> Point {
        Point::new(self.x + self.w - 1, self.y + self.h - 1)
    }

    fn tour(&self, from: Point, to: Point) -> Option<Piece> {
        template(self.w as u32, self.h as u32, self.place(from), self.place(to)).map(Piece::single)
    }
}

/// A crossing from one block to the next: the entry's row (or column), and the row the exit before it has.
#[derive(Debug, Clone, Copy)]
struct Gate {
    entry: i64,
    exit: i64,
}

impl Gate {
    /// Blocks in a row, so wide and so long in all, each of them entered and left here.
    fn corridor(self, wide: i64, long: i64) -> Option<Piece> {
        let (entry, exit) = ((self.entry as u32, 0), (self.exit as u32, SIDE as u32 - 2));
        let link = template(SIDE as u32, wide as u32, entry, exit)?;
        Some(Piece::row(link, (long / SIDE) as u64))
    }
}

/// Gates of the wanted parity that keep clear of two taken squares.
fn gate(length: i64, parity: i64, clear: impl Fn(Gate) -> bool) -> Option<Gate> {
    (1..length - 1)
        .filter(|entry| entry & 1 == parity & 1)
        .flat_map(|entry| [Gate { entry, exit: entry + 1 }, Gate { entry, exit: entry - 1 }])
        .filter(|g| g.entry >= 1 && (1..length - 1).contains(&g.exit))
        .find(|&g| clear(g))
}

/// A tour between two squares of a board with sides of at least 6, which the colours must admit.
pub(crate) fn between(width: u32, height: u32, start: Point, end: Point) -> Option<Joined> {
    let mut view = View::of(width, height);
    for _ in 0..2 {
        let (s, t) = (view.see(start), view.see(end));
        // The start on the left and above, by mirrors.
        view.flip_x ^= s.x > t.x;
        view.flip_y ^= s.y > t.y;
        let (s, t) = (view.see(start), view.see(end));
        let columns = Zones::new(view.width, s.x, t.x);
        let rows = Zones::new(view.height, s.y, t.y);
        let plan = Plan { view, s, t, columns, rows };
        if let Some(tour) = plan.tour() {
            return Some(tour);
        }
        view = view.swapped();
    }
    None
}

#[derive(Debug)]
struct Plan {
    view: View,
    s: Point,
    t: Point,
    columns: Zones,
    rows: Zones,
}

impl Plan {
    /// Sides of the two blocks on the x axis: both even, or one odd on an odd board.
    fn columns_apart(&self) -> Option<(i64, i64)> {
        let z = self.columns;
        let least = (self.s.x - z.before + 1, z.before + z.core - self.t.x);
        z.apart(least, |p, q| p & q & 1 == 0)
    }

    /// On the y axis: the end's block even, and the start not in the last row of its own.
    fn rows_apart(&self) -> Option<(i64, i64)> {
        let z = self.rows;
        let least = (self.s.y - z.before + 2, z.before + z.core - self.t.y);
        z.apart(least, |_, q| q & 1 == 0)
    }

    fn tour(&self) -> Option<Joined> {
        let (columns, rows) = (self.columns_apart(), self.rows_apart());
        match (columns, rows) {
            (None, Some(_)) => None, // seen with the axes exchanged, the columns are apart
            (None, None) => self.one_block(),
            (Some((ws, wt)), heights) => self.trunk(ws, wt, heights),
        }
    }

    fn one_block(&self) -> Option<Joined> {
        let mut joiner = Joiner::new(self.view);
        let (c, r) = (self.columns, self.rows);
        let area = Area { x: c.before, y: r.before, w: c.core, h: r.core };
        let block = joiner.follow(area.tour(self.s, self.t)?, Frame::upright(area.top_left()));
        let mut around = Around { joiner, templates: Templates::default() };
        around.above_and_left(block, area, self.view)?;
        around.below(block, area.bottom_right(), LEFT, c.before + c.core, r.after)?;
        around.right(block, area, c.after, self.view.height - r.before)?;
        Some(around.joiner.finish())
    }

    fn trunk(&self, ws: i64, wt: i64, heights: Option<(i64, i64)>) -> Option<Joined> {
        let (s, t) = (self.s, self.t);
        let h = heights.map_or(self.rows.core, |(hs, _)| hs);
        let first = Area { x: self.columns.before, y: self.rows.before, w: ws, h };
        let between = Area { x: first.x + ws, w: self.columns.core - ws - wt, ..first };
        let turn = Area { x: between.x + between.w, w: wt, ..first };
        // An even block's ends differ in colour, an odd block's do not; the next square differs again.
        let entry_colour = colour(s) ^ ((first.w * first.h) & 1);
        let across = gate(h, entry_colour ^ colour(between.top_left()), |g| {
            first.point(g.exit, ws - 2) != s && turn.point(g.entry, 0) != t
        })?;
        let mut joiner = Joiner::new(self.view);
        let exit = first.point(across.exit, ws - 2);
        let piece = joiner.follow(first.tour(s, exit)?, Frame::upright(first.top_left()));
        let first_block = Block { piece, area: first };
        let mut corridor = None;
        if between.w > 0 {
            let piece = across.corridor(h, between.w)?;
            let piece = joiner.follow(piece, Frame::upright(between.top_left()));
            corridor = Some(Block { piece, area: between });
        }
        let entry = turn.point(across.entry, 0);
        let Some((_, ht)) = heights else {
            let piece = joiner.follow(turn.tour(entry, t)?, Frame::upright(turn.top_left()));
            let last = Block { piece, area: turn };
            return self.surround(joiner, first_block, corridor, last, last);
        };
        let column = Area { y: turn.y + h, h: self.rows.core - h - ht, ..turn };
        let last = Area { y: column.y + column.h, h: ht, ..turn };
        let entry_colour = colour(entry) ^ ((turn.w * turn.h) & 1);
        let down = gate(wt, entry_colour ^ colour(column.top_left()), |g| {
            g.exit > 0 && turn.point(h - 2, g.exit) != entry && last.point(0, g.entry) != t
        })?;
        let exit = turn.point(h - 2, down.exit);
        let piece = joiner.follow(turn.tour(entry, exit)?, Frame::upright(turn.top_left()));
        let turn = Block { piece, area: turn };
        if column.h > 0 {
            let piece = down.corridor(wt, column.h)?;
            joiner.follow(piece, Frame::turned(column.top_left()));
        }
        let entry = last.point(0, down.entry);
        let piece = joiner.follow(last.tour(entry, t)?, Frame::upright(last.top_left()));
        let last = Block { piece, area: last };
        self.surround(joiner, first_block, corridor, turn, last)
    }

    /// Hangs everything that is not trunk.
    fn surround(
        &self,
        joiner: Joiner,
        first: Block,
        corridor: Option<Block>,
        turn: Block,
        last: Block,
    ) -> Option<Joined> {
        let mut around = Around { joiner, templates: Templates::default() };
        let Area { x, y, w, h } = first.area;
        let beneath = self.view.height - y - h;
        around.above_and_left(first.piece, first.area, self.view)?;
        around.below(first.piece, first.area.bottom_right(), LEFT, x + w, beneath)?;
        if let Some(Block { piece, area }) = corridor {
            around.below(piece, area.bottom_left(), RIGHT, area.w, beneath)?;
        }
        around.right(turn.piece, turn.area, self.columns.after, self.view.height - y)?;
        let Block { piece, area } = last;
        around.below(piece, area.bottom_left(), RIGHT, area.w, self.rows.after)?;
        Some(around.joiner.finish())
    }
}

/// A block of the trunk: its piece, by number, and where it lies.
#[derive(Clone, Copy)]
struct Block {
    piece: usize,
    area: Area,
}

/// What hangs round the trunk.
struct Around {
    joiner: Joiner,
    templates: Templates,
}

impl Around {
    fn above_and_left(&mut self, block: usize, area: Area, view: View) -> Option<()> {
        if area.y > 0 {
            let piece = nest(&mut self.templates, view.width - area.x, area.y)?;
            self.joiner.hang(block, area.top_left(), UP, RIGHT, piece)?;
        }
        if area.x > 0 {
            let piece = nest(&mut self.templates, area.y + area.h, area.x)?;
            self.joiner.hang(block, area.bottom_left(), LEFT, UP, piece)?;
        }
        Some(())
    }

    fn below(
        &mut self,
        block: usize,
        corner: Point,
        side: Point,
        wide: i64,
        tall: i64,
    ) -> Option<()> {
        if tall > 0 {
            let piece = nest(&mut self.templates, wide, tall)?;
            self.joiner.hang(block, corner, DOWN, side, piece)?;
        }
        Some(())
    }

    fn right(&mut self, block: usize, area: Area, tall: i64, wide: i64) -> Option<()> {
        if tall > 0 {
            let piece = nest(&mut self.templates, wide, tall)?;
            self.joiner.hang(block, area.top_right(), RIGHT, DOWN, piece)?;
        }
        Some(())
    }
}
