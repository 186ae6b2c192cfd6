//! A scene in marks.
//!
//! The route runs through the middles of the squares, in colours that go from its start, which has a dot, to its end, where
//! the knight stands; each square carries the last step that came there. The jump that closes a tour is dashed. Four turned
//! paths have a colour each, and discs for their steps: their starts are filled with it, their ends ringed with it, the jumps
//! from one to the next dashed, and the centre is red. On a wrapped board a jump over the edge leaves on one side and comes in
//! on the other. File letters and rank numbers stand outside.
//!
//! Invariant: the picture is made of `ground`, `leg`, `visit` and `standing` alone, so an animation can paint them one by
//! one and end with the same picture.

use std::borrow::Cow;
use std::collections::HashMap;

use destrier_rules::{Board, Square};

use super::RenderError;
use super::columns::Copies;
use super::drawing::{Anchor, Canvas, Mark, Place, Rgb, Shape, Style};
use super::pieces::{PIECES, knight, pawn};
use super::scene::Scene;

/// The width of a square in drawing units.
pub(super) const CELL: f64 = 40.0;
/// Room for letters and numbers beside the board.
const MARGIN: f64 = 26.0;
/// Room on the other two sides; half of it is the frame.
const RIM: f64 = 4.0;
/// The most squares that an SVG draws.
const MOST_SQUARES: u64 = 1_000_000;
/// An SVG in pixels.
const WRITTEN: Size = Size { square: 48.0, longest: 2400.0 };
/// A square with a number that can be read has this many pixels.
#[cfg(feature = "raster")]
const READABLE: f64 = 22.0;
/// Steps are numbered up to this side.
const MOST_NUMBERED: u32 = 150;

// As the page's light theme has them.
pub(super) const PAPER: Rgb = Rgb(0xf7_f4ee);
pub(super) const INK: Rgb = Rgb(0x22_1d17);
pub(super) const WHITE: Rgb = Rgb(0xff_ffff);
pub(super) const HOLE: Rgb = Rgb(0x66_5c4e);
const LIGHT: Rgb = Rgb(0xf1_e7d6);
const SOFT: Rgb = Rgb(0x6d_6355);
const RED: Rgb = Rgb(0xb3_372b);
const DARK_RED: Rgb = Rgb(0x6f_1d15);
/// The colours of a path at its start and at its end.
pub(super) const PATH: (Rgb, Rgb) = (Rgb(0x0a_6a9e), Rgb(0x6a_1fb8));
/// A colour for each of four paths, which colour-blind readers can distinguish.
const PATHS: [Rgb; 4] = [Rgb(0x0b_62a4), Rgb(0xb3_420c), Rgb(0x0a_7052), Rgb(0x7b_3fa0)];

/// The styles of any board.
pub(super) const BOARD: &[Style] = &[
    Style::of("paper").fill(PAPER),
    Style::of("frame").fill(Rgb(0x7b_6445)),
    Style::of("label").fill(SOFT).size(13.0).anchor(Anchor::Middle),
    Style::of("light").fill(LIGHT),
    Style::of("dark").fill(Rgb(0xd3_bd9b)),
    Style::of("hole").fill(HOLE),
];

/// Those of a route.
const ROUTE: &[Style] = &[
    Style::of("leg").width(2.8).round(),
    Style::of("arrow").fill(Rgb(0x3a_45ab)).arrow(),
    Style::of("cut").clipped(),
    Style::of("closing").dash(5.0, 5.0),
    Style::of("start").fill(PATH.0),
    Style::of("step").fill(INK).anchor(Anchor::Middle),
    Style::of("pale").fill(WHITE),
    Style::of("free").stroke(LIGHT).width(2.5).halo(),
];

/// Those of four paths.
const FOUR: &[Style] = &[
    Style::of("disc").fill(WHITE).width(1.2),
    Style::of("joint").stroke(SOFT).dash(2.0, 5.0),
    Style::of("p0").stroke(PATHS[0]),
    Style::of("p1").stroke(PATHS[1]),
    Style::of("p2").stroke(PATHS[2]),
    Style::of("p3").stroke(PATHS[3]),
    Style::of("first.p0").fill(PATHS[0]),
    Style::of("first.p1").fill(PATHS[1]),
    Style::of("first.p2").fill(PATHS[2]),
    Style::of("first.p3").fill(PATHS[3]),
    Style::of("last").width(4.0),
    Style::of("centre").fill(RED).stroke(DARK_RED),
];

/// Draws the scene as SVG.
///
/// # Errors
/// When the board has more than a million squares.
pub fn svg(scene: &Scene) -> Result<String, RenderError> {
    if scene.board.area() > MOST_SQUARES {
        let size = scene.board.size();
        return Err(RenderError::TooLarge { format: "SVG", size, most: MOST_SQUARES });
    }
    Ok(canvas(scene, WRITTEN).svg(marks(scene)))
}

/// How large a picture is, in pixels: the side of a square where the board is small, and the longest side of all.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) square: f64,
    pub(super) longest: f64,
}

impl Size {
    /// Pixels for a drawing unit.
    pub(super) fn scale(self, board: &Board) -> f64 {
        let (wide, high) = extent(board);
        (self.square / CELL).min(self.longest / wide.max(high))
    }

    /// Is a board so large that numbers cannot be read?
    #[cfg(feature = "raster")]
    pub(super) fn is_small(self, board: &Board) -> bool {
        CELL * self.scale(board) < READABLE
    }
}

/// The canvas of a scene.
pub(super) fn canvas(scene: &Scene, size: Size) -> Canvas {
    let board = &scene.board;
    let mut styles = [BOARD, ROUTE, PIECES].concat();
    if scene.copies.is_some() {
        styles.extend(FOUR);
    }
    let canvas = Canvas::new(&scene.title, extent(board), styles).scaled(size.scale(board));
    let wraps = board.wrap().joins_files() || board.wrap().joins_ranks();
    if wraps { canvas.clip((MARGIN, RIM), sides(board)) } else { canvas }
}

/// All marks of a scene.
pub(super) fn marks(scene: &Scene) -> impl Iterator<Item = Mark> {
    let steps = scene.route.len();
    let closing =
        scene.closed.then(|| line(scene, scene.route[steps - 1], scene.route[0], "leg closing"));
    let closing = closing.into_iter().flatten().map(|mark| mark.filled(PATH.1));
    let latest: HashMap<Square, usize> = scene.route.iter().copied().zip(0..).collect();
    let visits = (0..steps).filter(move |&step| latest[&scene.route[step]] == step);
    ground(scene)
        .chain((1..steps).flat_map(|step| leg(scene, step)))
        .chain(closing)
        .chain(visits.flat_map(|step| visit(scene, step)))
        .chain(scene.route.last().into_iter().flat_map(|&last| standing(scene, last)))
}

/// The board's width and height.
fn sides(board: &Board) -> Place {
    (f64::from(board.files()) * CELL, f64::from(board.ranks()) * CELL)
}

/// The whole picture's width and height.
pub(super) fn extent(board: &Board) -> Place {
    let (wide, high) = sides(board);
    (wide + MARGIN + RIM, high + MARGIN + RIM)
}

/// The middle of a square.
pub(super) fn middle(board: &Board, square: Square) -> Place {
    let below = f64::from(board.ranks()) - f64::from(square.rank);
    (MARGIN + (f64::from(square.file) + 0.5) * CELL, (below - 0.5) * CELL + RIM)
}

/// The top left corner of a square.
pub(super) fn corner(board: &Board, square: Square) -> Place {
    let (x, y) = middle(board, square);
    (x - CELL / 2.0, y - CELL / 2.0)
}

/// The ground of a picture.
pub(super) fn paper(size: Place) -> Mark {
    Mark::rect("paper", (0.0, 0.0), size)
}

/// The board of a scene, and a dot where the route begins.
pub(super) fn ground(scene: &Scene) -> impl Iterator<Item = Mark> {
    let board = &scene.board;
    let start = scene.route.first().filter(|_| scene.copies.is_none());
    let start = start.map(|&start| Mark::circle("start", middle(board, start), 6.0));
    std::iter::once(paper(extent(board))).chain(back(board)).chain(start)
}

/// The knight on a square.
pub(super) fn standing(scene: &Scene, square: Square) -> impl Iterator<Item = Mark> + use<> {
    knight(false, None, middle(&scene.board, square))
}

/// The squares, the holes, the letters and numbers outside.
pub(super) fn back(board: &Board) -> Vec<Mark> {
    let (wide, high) = sides(board);
    let squares = |class, squares: &mut dyn Iterator<Item = Square>| {
        let corners = squares.map(|square| corner(board, square)).collect();
        Mark::of(class, Shape::Squares { side: CELL, corners })
    };
    let frame = Mark::rect("frame", (MARGIN - RIM / 2.0, RIM / 2.0), (wide + RIM, high + RIM));
    let mut marks = vec![
        frame.rounded(RIM / 2.0),
        Mark::rect("light", (MARGIN, RIM), (wide, high)),
        squares("dark", &mut board.squares().filter(|square| square.is_dark())),
    ];
    if !board.holes().is_empty() {
        marks.push(squares("hole", &mut board.holes().iter().copied()));
    }
    for file in 0..board.files() {
        let square = Square::new(file, 0);
        let (name, place) =
            (square.to_string(), (middle(board, square).0, high + MARGIN + RIM - 8.0));
        marks.push(Mark::text("label", place, name.trim_end_matches('1')));
    }
    for rank in 0..board.ranks() {
        let place = (MARGIN / 2.0, middle(board, Square::new(0, rank)).1 + 5.0);
        marks.push(Mark::text("label", place, (rank + 1).to_string()));
    }
    marks
}

/// The line that arrives at a step (from 0).
pub(super) fn leg(scene: &Scene, step: usize) -> impl Iterator<Item = Mark> + use<> {
    const OF_PATH: [&str; 4] = ["leg p0", "leg p1", "leg p2", "leg p3"];
    let class = match scene.copies.map(|copies| (copies.place(step - 1), copies.place(step))) {
        None if scene.arrows => "leg arrow",
        None => "leg",
        Some((Some((from, _)), Some((to, _)))) if from == to => OF_PATH[to],
        Some(_) => "leg joint",
    };
    let colour = shade(step - 1, scene.jumps);
    line(scene, scene.route[step - 1], scene.route[step], class)
        .map(move |mark| mark.filled(colour))
}

/// The colour of a part of a path: of this one of so many.
pub(super) fn shade(part: usize, parts: usize) -> Rgb {
    let last = parts.saturating_sub(1).max(1) as u64;
    let (part, (Rgb(start), Rgb(end))) = ((part as u64).min(last), PATH);
    let mixed = [16, 8, 0].map(|channel| {
        let of = |colour: u32| u64::from(colour >> channel & 0xff);
        ((of(start) * (last - part) + of(end) * part) / last) << channel
    });
    Rgb(u32::try_from(mixed.iter().sum::<u64>()).unwrap_or(u32::MAX))
}

/// A jump: one line, or two over the edge.
fn line(
    scene: &Scene,
    from: Square,
    to: Square,
    class: &'static str,
) -> impl Iterator<Item = Mark> + use<> {
    let (board, (a, b)) = (&scene.board, scene.leaper.legs());
    let (start, end) = (middle(board, from), middle(board, to));
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let legs = (f64::from(a) * CELL, f64::from(b) * CELL);
    let is_jump = |dx: f64, dy: f64| {
        let jump = (dx.abs(), dy.abs());
        jump == legs || jump == (legs.1, legs.0)
    };
    if is_jump(dx, dy) {
        // An arrow stops short of the middle, so that its head is seen beside the disc.
        let part = if scene.arrows { 0.82 } else { 1.0 };
        let end = (start.0 + part * dx, start.1 + part * dy);
        return [Some(Mark::line(class, start, end)), None].into_iter().flatten();
    }
    // Over the edge: out on one side and in on the other, cut off at the board's rim.
    let side = |forward: f64, joined: bool, length: f64| {
        if joined { vec![forward, forward - length, forward + length] } else { vec![forward] }
    };
    let (wrap, (wide, high)) = (board.wrap(), sides(board));
    let downs = side(dy, wrap.joins_ranks(), high);
    let jumps = side(dx, wrap.joins_files(), wide)
        .into_iter()
        .flat_map(|dx| downs.iter().map(move |&dy| (dx, dy)));
    let out = jumps.into_iter().find(|&(dx, dy)| is_jump(dx, dy));
    let class: Cow<'static, str> = format!("{class} cut").into();
    let lines = out.map(|(dx, dy)| {
        let out = Mark::line(class.clone(), start, (start.0 + dx, start.1 + dy));
        (out, Mark::line(class, end, (end.0 - dx, end.1 - dy)))
    });
    let (out, back) = lines.unzip();
    [out, back].into_iter().flatten()
}

/// The class of a disc of four paths.
fn disc_class(copies: Copies, step: usize) -> &'static str {
    const FIRST: [&str; 4] = ["disc first p0", "disc first p1", "disc first p2", "disc first p3"];
    const LAST: [&str; 4] = ["disc last p0", "disc last p1", "disc last p2", "disc last p3"];
    const WITHIN: [&str; 4] = ["disc p0", "disc p1", "disc p2", "disc p3"];
    match copies.place(step) {
        None => "disc centre",
        Some((path, 0)) => FIRST[path],
        Some((path, step)) if copies.is_end(step) => LAST[path],
        Some((path, _)) => WITHIN[path],
    }
}

/// What a step (from 0) leaves on its square: its number, on a disc if it belongs to four paths, and a trace of a piece that was taken.
pub(super) fn visit(scene: &Scene, step: usize) -> impl Iterator<Item = Mark> + use<> {
    let square = scene.route[step];
    let (x, y) = middle(&scene.board, square);
    let is_small = scene.small || scene.board.files().max(scene.board.ranks()) > MOST_NUMBERED;
    let disc = scene.copies.map(|copies| disc_class(copies, step));
    let class = match disc {
        None => "step free",
        Some(class) if class.contains("first") || class.contains("centre") => "step pale",
        Some(_) => "step",
    };
    let disc = disc.map(|class| Mark::circle(class, (x, y), if is_small { 9.0 } else { 14.0 }));
    let taken = scene.captured.contains(&square).then(|| pawn(true, (x, y)));
    let number = (!is_small).then(|| {
        let number = if scene.arrows { step } else { step + 1 };
        let digits = scene.route.len().to_string().len(); // one size for the whole board
        let size: f64 = [13.0, 13.0, 13.0, 11.0, 9.0, 8.0][digits.min(6) - 1];
        Mark::text(class, (x, y + (size * 0.36).floor()), number.to_string()).sized(size)
    });
    [disc, taken, number].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knight_stands_where_a_route_ends_and_a_square_has_its_latest_number() {
        let scene = Scene::of_two_pawns();
        let text = svg(&scene).unwrap();
        let knight = r##"<use class="body black" href="#knight" transform="translate(66 84) scale(0.625)"/>"##;
        assert!(text.contains(knight), "on b1: {text}");
        assert_eq!(text.matches("#knight").count(), 1);
        assert_eq!(text.matches("<use class=\"pawn gone\"").count(), 2);
        let numbers =
            |number: usize| text.matches(&format!("font-size=\"13\">{number}</text>")).count();
        assert_eq!([0, 2, 7].map(numbers), [0, 1, 1], "a1 is passed twice");
        let colours = [shade(0, 7), shade(6, 7)].map(|colour| format!("stroke=\"{colour}\""));
        assert!(text.contains(&colours[0]) && text.contains(&colours[1]));
        assert_eq!((shade(0, 7), shade(6, 7)), PATH);
    }
}
