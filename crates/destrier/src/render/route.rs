//! A scene in marks.
//!
//! The route runs through the middles of the squares; each square carries a disc with its step. The
//! start is green, the end red, the jump that closes a tour dashed. Four turned paths have a colour each: their starts
//! are filled with it, their ends ringed with it, the jumps from one to the next dashed, and the centre is red. On a wrapped board a jump over the
//! edge leaves on one side and comes in on the other. File letters and rank numbers stand outside.
//!
//! Invariant: the picture is made of `back`, `leg` and `disc` alone, so an animation can paint them one by
//! one and end with the same picture.

use std::borrow::Cow;

use destrier_rules::{Board, Square};

use super::RenderError;
use super::drawing::{Anchor, Canvas, Mark, Place, Rgb, Shape, Style};
use super::scene::Scene;

/// The width of a square in drawing units.
pub(super) const CELL: f64 = 40.0;
/// Room for letters and numbers beside the board.
const MARGIN: f64 = 26.0;
/// The most squares that an SVG draws.
const MOST_SQUARES: u64 = 1_000_000;
/// The longest side of a picture.
const MOST_PIXELS: f64 = 2400.0;
/// Steps are numbered up to this side.
const MOST_NUMBERED: u32 = 150;

pub(super) const PAPER: Rgb = Rgb(0xff_fdf8);
pub(super) const INK: Rgb = Rgb(0x16_202b);
pub(super) const WHITE: Rgb = Rgb(0xff_ffff);
pub(super) const BLUE: Rgb = Rgb(0x1f_4e79);
pub(super) const GREEN: Rgb = Rgb(0x2a_7d46);
pub(super) const HOLE: Rgb = Rgb(0x4a_4a4a);
pub(super) const RED: Rgb = Rgb(0xb3_372b);
const DARK_RED: Rgb = Rgb(0x6f_1d15);
const BROWN: Rgb = Rgb(0x6b_5b45);
/// A colour for each of four paths, which colour-blind readers can distinguish.
const PATHS: [Rgb; 4] = [Rgb(0x0b_62a4), Rgb(0xb3_420c), Rgb(0x0a_7052), Rgb(0x7b_3fa0)];

/// The styles of any board.
pub(super) const BOARD: &[Style] = &[
    Style::of("paper").fill(PAPER),
    Style::of("label").fill(BROWN).size(13.0).anchor(Anchor::Middle),
    Style::of("light").fill(Rgb(0xf6_eddb)),
    Style::of("dark").fill(Rgb(0xe3_d0ac)),
    Style::of("hole").fill(HOLE),
];

/// Those of a route.
const ROUTE: &[Style] = &[
    Style::of("leg").stroke(BLUE).width(2.4).round(),
    Style::of("arrow").stroke(BLUE).arrow(),
    Style::of("cut").clipped(),
    Style::of("closing").dash(5.0, 5.0),
    Style::of("disc").fill(WHITE).stroke(BLUE).width(1.2),
    Style::of("start").fill(GREEN).stroke(Rgb(0x14_532a)),
    Style::of("end").fill(RED).stroke(DARK_RED),
    Style::of("taken").fill(Rgb(0xf2_b632)).stroke(Rgb(0x8a_5f00)),
    Style::of("step").fill(INK).anchor(Anchor::Middle),
    Style::of("pale").fill(WHITE),
];

/// Those of four paths.
const FOUR: &[Style] = &[
    Style::of("joint").stroke(BROWN).dash(2.0, 5.0),
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
    Ok(canvas(scene, MOST_PIXELS).svg(marks(scene)))
}

/// The ground of a scene, with no side longer than the most.
pub(super) fn canvas(scene: &Scene, most_pixels: f64) -> Canvas {
    let board = &scene.board;
    let mut styles = [BOARD, ROUTE].concat();
    if scene.copies.is_some() {
        styles.extend(FOUR);
    }
    let canvas = Canvas::new(&scene.title, extent(board), styles).scaled(scale(board, most_pixels));
    let wraps = board.wrap().joins_files() || board.wrap().joins_ranks();
    if wraps { canvas.clip((MARGIN, 0.0), sides(board)) } else { canvas }
}

/// All marks of a scene.
pub(super) fn marks(scene: &Scene) -> impl Iterator<Item = Mark> {
    let steps = scene.route.len();
    let closing =
        scene.closed.then(|| line(scene, scene.route[steps - 1], scene.route[0], "leg closing"));
    std::iter::once(paper(extent(&scene.board)))
        .chain(back(&scene.board))
        .chain((1..steps).flat_map(|step| leg(scene, step)))
        .chain(closing.into_iter().flatten())
        .chain((0..steps).flat_map(|step| disc(scene, step)))
}

/// Pixels for a drawing unit: 48 pixels a square on small boards, and no side above the most.
pub(super) fn scale(board: &Board, most_pixels: f64) -> f64 {
    let (wide, high) = extent(board);
    1.2_f64.min(most_pixels / wide.max(high))
}

/// The board's width and height.
fn sides(board: &Board) -> Place {
    (f64::from(board.files()) * CELL, f64::from(board.ranks()) * CELL)
}

/// The whole picture's width and height.
pub(super) fn extent(board: &Board) -> Place {
    let (wide, high) = sides(board);
    (wide + MARGIN + 4.0, high + MARGIN)
}

/// The middle of a square.
pub(super) fn middle(board: &Board, square: Square) -> Place {
    let below = f64::from(board.ranks()) - f64::from(square.rank);
    (MARGIN + (f64::from(square.file) + 0.5) * CELL, (below - 0.5) * CELL)
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

/// The squares, the holes, the letters and numbers outside.
pub(super) fn back(board: &Board) -> Vec<Mark> {
    let (wide, high) = sides(board);
    let squares = |class, squares: &mut dyn Iterator<Item = Square>| {
        let corners = squares.map(|square| corner(board, square)).collect();
        Mark::of(class, Shape::Squares { side: CELL, corners })
    };
    let mut marks = vec![
        Mark::rect("light", (MARGIN, 0.0), (wide, high)),
        squares("dark", &mut board.squares().filter(|square| square.is_dark())),
    ];
    if !board.holes().is_empty() {
        marks.push(squares("hole", &mut board.holes().iter().copied()));
    }
    for file in 0..board.files() {
        let square = Square::new(file, 0);
        let (name, place) = (square.to_string(), (middle(board, square).0, high + MARGIN - 8.0));
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
    line(scene, scene.route[step - 1], scene.route[step], class)
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

/// The class of a disc.
fn disc_class(scene: &Scene, step: usize) -> &'static str {
    const FIRST: [&str; 4] = ["disc first p0", "disc first p1", "disc first p2", "disc first p3"];
    const LAST: [&str; 4] = ["disc last p0", "disc last p1", "disc last p2", "disc last p3"];
    const WITHIN: [&str; 4] = ["disc p0", "disc p1", "disc p2", "disc p3"];
    let last = step + 1 == scene.route.len();
    match scene.copies.map(|copies| (copies, copies.place(step))) {
        Some((_, None)) => "disc centre",
        Some((_, Some((path, 0)))) => FIRST[path],
        Some((copies, Some((path, step)))) if copies.is_end(step) => LAST[path],
        Some((_, Some((path, _)))) => WITHIN[path],
        None if step == 0 => "disc start",
        None if last && !scene.closed => "disc end",
        None if scene.captured.contains(&scene.route[step]) => "disc taken",
        None => "disc",
    }
}

/// The disc of a step (from 0) with its number.
pub(super) fn disc(scene: &Scene, step: usize) -> impl Iterator<Item = Mark> + use<> {
    let (x, y) = middle(&scene.board, scene.route[step]);
    let class = disc_class(scene, step);
    if scene.small || scene.board.files().max(scene.board.ranks()) > MOST_NUMBERED {
        let radius = if class == "disc" { 3.0 } else { 9.0 };
        return [Some(Mark::circle(class, (x, y), radius)), None].into_iter().flatten();
    }
    let number = if scene.arrows { step } else { step + 1 };
    let digits = scene.route.len().to_string().len(); // one size for the whole board
    let size: f64 = [15.0, 15.0, 13.0, 11.0, 9.0, 8.0][digits.min(6) - 1];
    let is_filled = matches!(class, "disc start" | "disc end" | "disc centre");
    let is_filled = is_filled || class.starts_with("disc first");
    let place = (x, y + (size * 0.36).floor());
    let number =
        Mark::text(if is_filled { "step pale" } else { "step" }, place, number.to_string());
    [Some(Mark::circle(class, (x, y), 14.0)), Some(number.sized(size))].into_iter().flatten()
}
