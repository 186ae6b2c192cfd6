//! A scene as SVG.
//!
//! The route runs through the middles of the squares; each square carries a disc with its step. The
//! start is green, the end red, the jump that closes a tour dashed. Four turned paths have a colour each: their starts
//! are filled with it, their ends ringed with it, the jumps from one to the next dashed, and the centre is red. On a wrapped board a jump over the
//! edge leaves on one side and comes in on the other. File letters and rank numbers stand outside.
//!
//! Invariant: the drawing is made of `back`, `leg` and `disc` alone, so an animation can draw them one by
//! one and end with the same picture.

use std::fmt::Write as _;

use destrier_rules::{Board, Square};

use super::RenderError;
use super::columns::Copies;
use super::scene::Scene;

/// The width of a square in drawing units.
pub(super) const CELL: u32 = 40;
/// Room for letters and numbers beside the board.
const MARGIN: u32 = 26;
/// The most squares that an SVG draws.
const MOST_SQUARES: u64 = 1_000_000;
/// The longest side of a picture.
const MOST_PIXELS: f64 = 2400.0;
/// Steps are numbered up to this side.
const MOST_NUMBERED: u32 = 150;

/// Draws the scene.
///
/// # Errors
/// When the board has more than a million squares.
pub fn svg(scene: &Scene) -> Result<String, RenderError> {
    draw(scene, MOST_PIXELS)
}

/// Draws the scene with no side longer than the most.
pub(super) fn draw(scene: &Scene, most_pixels: f64) -> Result<String, RenderError> {
    if scene.board.area() > MOST_SQUARES {
        let size = scene.board.size();
        return Err(RenderError::TooLarge { format: "SVG", size, most: MOST_SQUARES });
    }
    let mut text = String::with_capacity(256 * scene.route.len() + 4096);
    text.push_str(&open(scene, most_pixels));
    text.push_str(&back(&scene.board));
    for step in 1..scene.route.len() {
        text.push_str(&leg(scene, step));
    }
    if scene.closed {
        text.push_str(&closing(scene));
    }
    for step in 0..scene.route.len() {
        text.push_str(&disc(scene, step));
    }
    text.push_str("</svg>\n");
    Ok(text)
}

/// The opening tag, the title for screen readers, and the styles.
pub(super) fn open(scene: &Scene, most_pixels: f64) -> String {
    let (wide, high) = extent(&scene.board);
    let scale = scale(&scene.board, most_pixels);
    let (width, height) = (f64::from(wide) * scale, f64::from(high) * scale);
    let (files, ranks) = (scene.board.files() * CELL, scene.board.ranks() * CELL);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0}" height="{height:.0}" viewBox="0 0 {wide} {high}">
<title>{title}</title>
<defs><clipPath id="board"><rect x="{MARGIN}" y="0" width="{files}" height="{ranks}"/></clipPath>
<marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0L6 3L0 6z" fill="#1f4e79"/></marker></defs>
<style>
text {{ font-family: "DejaVu Sans", Verdana, sans-serif; text-anchor: middle; }}
.label {{ fill: #6b5b45; font-size: 13px; }}
.light {{ fill: #f6eddb; }} .dark {{ fill: #e3d0ac; }} .hole {{ fill: #4a4a4a; }}
.leg {{ stroke: #1f4e79; stroke-width: 2.4; stroke-linecap: round; fill: none; }}
.closing {{ stroke-dasharray: 5 5; }}
.disc {{ fill: #ffffff; stroke: #1f4e79; stroke-width: 1.2; }}
.start {{ fill: #2a7d46; stroke: #14532a; }} .end {{ fill: #b3372b; stroke: #6f1d15; }} .taken {{ fill: #f2b632; stroke: #8a5f00; }}
.step {{ fill: #16202b; }} .start-step, .end-step {{ fill: #ffffff; }}
{paths}</style>
<rect width="{wide}" height="{high}" fill="#fffdf8"/>
"##,
        title = scene.title,
        paths = if scene.copies.is_some() { path_styles() } else { String::new() },
    )
}

/// A colour for each of four paths, which colour-blind readers can tell apart.
fn path_styles() -> String {
    const COLOURS: [&str; 4] = ["#0b62a4", "#b3420c", "#0a7052", "#7b3fa0"];
    let mut text = String::from(".joint { stroke: #6b5b45; stroke-dasharray: 2 5; }\n");
    for (path, colour) in COLOURS.iter().enumerate() {
        let _ = writeln!(
            text,
            ".p{path} {{ stroke: {colour}; }} .first.p{path} {{ fill: {colour}; }} .last.p{path} {{ stroke-width: 4; }}"
        );
    }
    text + ".first-step { fill: #ffffff; } .centre { fill: #b3372b; stroke: #6f1d15; }\n"
}

/// Pixels for a drawing unit: 48 pixels a square on small boards, and no side above the most.
pub(super) fn scale(board: &Board, most_pixels: f64) -> f64 {
    let (wide, high) = extent(board);
    1.2_f64.min(most_pixels / f64::from(wide.max(high)))
}

/// The whole drawing's width and height in units.
pub(super) fn extent(board: &Board) -> (u32, u32) {
    (board.files() * CELL + MARGIN + 4, board.ranks() * CELL + MARGIN)
}

/// The middle of a square.
pub(super) fn middle(board: &Board, square: Square) -> (i64, i64) {
    let half = i64::from(CELL / 2);
    let x = i64::from(MARGIN) + i64::from(square.file) * i64::from(CELL) + half;
    let y = (i64::from(board.ranks()) - 1 - i64::from(square.rank)) * i64::from(CELL) + half;
    (x, y)
}

/// The squares, the holes, the letters and numbers outside.
pub(super) fn back(board: &Board) -> String {
    let mut text = String::new();
    let (files, ranks) = (board.files(), board.ranks());
    let _ = writeln!(
        text,
        r#"<rect class="light" x="{MARGIN}" y="0" width="{}" height="{}"/>"#,
        files * CELL,
        ranks * CELL
    );
    let corner = |square: Square| {
        let (x, y) = middle(board, square);
        (x - i64::from(CELL / 2), y - i64::from(CELL / 2))
    };
    text.push_str(r#"<path class="dark" d=""#);
    for square in board.squares().filter(|square| square.is_dark()) {
        let (x, y) = corner(square);
        let _ = write!(text, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
    }
    text.push_str("\"/>\n");
    if !board.holes().is_empty() {
        text.push_str(r#"<path class="hole" d=""#);
        for &square in board.holes() {
            let (x, y) = corner(square);
            let _ = write!(text, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
        }
        text.push_str("\"/>\n");
    }
    for file in 0..files {
        let (x, _) = middle(board, Square::new(file, 0));
        let name = Square::new(file, 0).to_string();
        let letters = name.trim_end_matches('1');
        let _ = writeln!(
            text,
            r#"<text class="label" x="{x}" y="{}">{letters}</text>"#,
            ranks * CELL + MARGIN - 8
        );
    }
    for rank in 0..ranks {
        let (_, y) = middle(board, Square::new(0, rank));
        let (x, y) = (MARGIN / 2, y + 5);
        let _ = writeln!(text, r#"<text class="label" x="{x}" y="{y}">{}</text>"#, rank + 1);
    }
    text
}

/// The line that arrives at a step (from 0).
pub(super) fn leg(scene: &Scene, step: usize) -> String {
    let marker = if scene.arrows { r#" marker-end="url(#arrow)""# } else { "" };
    let class = match scene.copies.map(|copies| (copies.place(step - 1), copies.place(step))) {
        None => "leg".to_owned(),
        Some((Some((from, _)), Some((to, _)))) if from == to => format!("leg p{to}"),
        Some(_) => "leg joint".to_owned(),
    };
    line(scene, scene.route[step - 1], scene.route[step], &class, marker)
}

/// The dashed line that closes a tour.
fn closing(scene: &Scene) -> String {
    line(scene, scene.route[scene.route.len() - 1], scene.route[0], "leg closing", "")
}

fn line(scene: &Scene, from: Square, to: Square, class: &str, marker: &str) -> String {
    let (x1, y1) = middle(&scene.board, from);
    let (x2, y2) = middle(&scene.board, to);
    let straight = {
        let (a, b) = scene.leaper.legs();
        let (across, up) = (from.file.abs_diff(to.file), from.rank.abs_diff(to.rank));
        (across, up) == (a, b) || (across, up) == (b, a)
    };
    if straight {
        // An arrow stops short of the middle, so that its head is seen beside the disc.
        let part = if scene.arrows { 0.82 } else { 1.0 };
        #[expect(clippy::cast_precision_loss, reason = "drawing units are small")]
        let (x, y) = (x1 as f64 + part * (x2 - x1) as f64, y1 as f64 + part * (y2 - y1) as f64);
        return format!(r#"<path class="{class}"{marker} d="M{x1} {y1}L{x} {y}"/>{}"#, '\n');
    }
    // Over the edge: out on one side and in on the other, cut off at the board's rim.
    let side = |forward: i64, joined: bool, length: u32| {
        let length = i64::from(length) * i64::from(CELL);
        if joined { vec![forward, forward - length, forward + length] } else { vec![forward] }
    };
    let wrap = scene.board.wrap();
    let (a, b) = scene.leaper.legs();
    let legs = (i64::from(a) * i64::from(CELL), i64::from(b) * i64::from(CELL));
    for &dx in &side(x2 - x1, wrap.joins_files(), scene.board.files()) {
        for &dy in &side(y2 - y1, wrap.joins_ranks(), scene.board.ranks()) {
            if (dx.abs(), dy.abs()) == legs || (dy.abs(), dx.abs()) == legs {
                return format!(
                    r#"<path class="{class}" clip-path="url(#board)" d="M{x1} {y1}l{dx} {dy}M{x2} {y2}l{} {}"/>{}"#,
                    -dx, -dy, '\n'
                );
            }
        }
    }
    String::new()
}

/// The class of a square of four paths.
fn of_path(copies: Copies, step: usize) -> &'static str {
    const FIRST: [&str; 4] = [" first p0", " first p1", " first p2", " first p3"];
    const LAST: [&str; 4] = [" last p0", " last p1", " last p2", " last p3"];
    const WITHIN: [&str; 4] = [" p0", " p1", " p2", " p3"];
    match copies.place(step) {
        None => " centre",
        Some((path, 0)) => FIRST[path],
        Some((path, step)) if copies.is_end(step) => LAST[path],
        Some((path, _)) => WITHIN[path],
    }
}

/// The disc of a step (from 0) with its number.
pub(super) fn disc(scene: &Scene, step: usize) -> String {
    let square = scene.route[step];
    let (x, y) = middle(&scene.board, square);
    let last = step + 1 == scene.route.len();
    let kind = match (step, scene.copies) {
        (_, Some(copies)) => of_path(copies, step),
        (0, None) => " start",
        _ if last && !scene.closed => " end",
        _ if scene.captured.contains(&square) => " taken",
        _ => "",
    };
    if scene.small || scene.board.files().max(scene.board.ranks()) > MOST_NUMBERED {
        let mark = if kind.is_empty() { 3 } else { 9 };
        return format!(r#"<circle class="disc{kind}" cx="{x}" cy="{y}" r="{mark}"/>{}"#, '\n');
    }
    let number = if scene.arrows { step } else { step + 1 };
    let digits = scene.route.len().to_string().len(); // one size for the whole board
    let size = [15, 15, 13, 11, 9, 8][digits.min(6) - 1];
    let step_class = match kind {
        " start" => " start-step",
        " end" => " end-step",
        _ if kind.starts_with(" first") || kind == " centre" => " first-step",
        _ => "",
    };
    let baseline = y + i64::from(size) * 36 / 100;
    format!(
        "<circle class=\"disc{kind}\" cx=\"{x}\" cy=\"{y}\" r=\"14\"/>\
         <text class=\"step{step_class}\" x=\"{x}\" y=\"{baseline}\" font-size=\"{size}\">{number}</text>\n"
    )
}
