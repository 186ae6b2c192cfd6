//! A scene as PNG, or as an animated GIF that plays the route.
//!
//! The animation paints leg after leg onto one picture and writes only the part that changed.
//!
//! Invariant: the last frame of the animation is the still picture.
//! Cost: a few marks a step; a frame holds about two squares.

use std::collections::HashMap;

use destrier_rules::{Board, Square};
use tiny_skia::Pixmap;

use super::RenderError;
use super::drawing::{Canvas, Mark, Place, Shape, Style};
use super::overview;
use super::paint::Painter;
use super::route::{CELL, RED, back, canvas, disc, extent, leg, marks, middle, paper, scale};
use super::scene::Scene;

/// The most squares that are drawn with lines; a larger board is seen as a whole, in colours.
const MOST_LINED: u64 = 10_000;
/// The most squares of a picture.
const MOST_SQUARES: u64 = 4_000_000;
/// The longest side of a PNG, and of a GIF.
const MOST_PIXELS: f64 = 2400.0;
const MOST_PLAYED: f64 = 960.0;
/// Hundredths of a second for all steps together, and for the last picture.
const PLAYING_TIME: usize = 2000;
const LAST_PAUSE: u16 = 300;

/// Is the board so large that it is seen as a whole?
fn is_overview(scene: &Scene, format: &'static str) -> Result<bool, RenderError> {
    let area = scene.board.area();
    if area > MOST_SQUARES {
        let size = scene.board.size();
        return Err(RenderError::TooLarge { format, size, most: MOST_SQUARES });
    }
    Ok(area > MOST_LINED || scene.route.len() as u64 > MOST_LINED)
}

/// The scene as a PNG file; of more than 10,000 squares or steps, an overview in colours.
///
/// # Errors
/// When the board is too large for a picture.
pub fn png(scene: &Scene) -> Result<Vec<u8>, RenderError> {
    if is_overview(scene, "PNG")? {
        return overview::png(scene);
    }
    canvas(scene, MOST_PIXELS).png(marks(scene))
}

/// Pictures on one canvas as a GIF, each shown for this many hundredths of a second. Only what changed is written.
pub(super) fn slides(
    canvas: &Canvas,
    pictures: Vec<Vec<Mark>>,
    delay: u16,
) -> Result<Vec<u8>, RenderError> {
    let nothing = || RenderError::Library("there is nothing to play".to_owned());
    let last = pictures.last().ok_or_else(nothing)?.clone();
    let mut film = Film::new(&Painter::new(canvas)?.with(last).picture)?;
    let (mut painter, whole, count) = (Painter::new(canvas)?, film.whole, pictures.len());
    for (number, marks) in (1..).zip(pictures) {
        let before = (number > 1).then(|| painter.picture.clone());
        painter.extend(marks);
        let part = before.map_or(whole, |before| whole.changed(&before, &painter.picture));
        film.add(&painter.picture, part, if number == count { LAST_PAUSE } else { delay })?;
    }
    film.finish()
}

/// The scene as a GIF that plays the route; of more than 10,000 squares or steps, an overview that grows.
///
/// # Errors
/// When the board is too large for a picture.
pub fn gif(scene: &Scene) -> Result<Vec<u8>, RenderError> {
    if is_overview(scene, "GIF")? {
        return overview::gif(scene);
    }
    // The still picture has all discs above all legs.
    let still = Painter::new(&canvas(scene, MOST_PLAYED))?.with(marks(scene)).picture;
    let (mut film, mut painter) =
        (Film::new(&still)?, Painter::new(&opening_canvas(scene))?.with(opening(scene)));
    let (whole, steps) = (film.whole, scene.route.len());
    let delay = u16::try_from((PLAYING_TIME / steps).clamp(2, 40)).unwrap_or(40);
    for step in 0..steps - 1 {
        if step > 0 {
            painter.extend(leg(scene, step).chain(disc(scene, step - 1)));
        }
        painter.extend(disc(scene, step));
        let part = if step == 0 { whole } else { Part::of_leg(scene, step, whole) };
        film.add(&painter.picture, part, delay)?;
    }
    film.add(&still, whole, LAST_PAUSE)?;
    film.finish()
}

/// The ground of an animation.
fn opening_canvas(scene: &Scene) -> Canvas {
    let mut canvas = canvas(scene, MOST_PLAYED);
    canvas.styles.push(PIECE);
    canvas
}

/// The board before the first step, with the pieces that wait to be taken.
fn opening(scene: &Scene) -> impl Iterator<Item = Mark> {
    let board = &scene.board;
    std::iter::once(paper(extent(board))).chain(back(board)).chain(pieces(board, &scene.captured))
}

/// The file that pictures go to.
struct Film {
    file: gif::Encoder<Vec<u8>>,
    palette: Palette,
    whole: Part,
}

impl Film {
    /// An empty film of pictures like this one, in its colours.
    fn new(still: &Pixmap) -> Result<Film, RenderError> {
        let whole = Part { left: 0, top: 0, right: still.width(), bottom: still.height() };
        let palette = Palette::of(still);
        let mut file =
            gif::Encoder::new(Vec::new(), whole.width(), whole.height(), &palette.colours)
                .map_err(library)?;
        file.set_repeat(gif::Repeat::Infinite).map_err(library)?;
        Ok(Film { file, palette, whole })
    }

    /// Adds a part of a picture, to be seen for this many hundredths of a second.
    fn add(&mut self, picture: &Pixmap, part: Part, delay: u16) -> Result<(), RenderError> {
        let pixels = self.palette.index(picture, part);
        self.file.write_frame(&part.frame(pixels, delay)).map_err(library)
    }

    fn finish(self) -> Result<Vec<u8>, RenderError> {
        self.file.into_inner().map_err(library)
    }
}

fn library(error: impl std::fmt::Display) -> RenderError {
    RenderError::Library(error.to_string())
}

/// A rectangle of pixels.
#[derive(Clone, Copy)]
struct Part {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Part {
    /// The part of the picture that the leg to a step and the discs at its ends change.
    fn of_leg(scene: &Scene, step: usize, whole: Part) -> Part {
        let (from, to) = (scene.route[step - 1], scene.route[step]);
        let (a, b) = scene.leaper.legs();
        if from.file.abs_diff(to.file).max(from.rank.abs_diff(to.rank)) > a.max(b) {
            return whole; // over the edge of a wrapped board
        }
        let scale = scale(&scene.board, MOST_PLAYED);
        let ((x1, y1), (x2, y2)) = (middle(&scene.board, from), middle(&scene.board, to));
        let half = CELL / 2.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "pixels of a picture are few, and a negative one is cut to 0"
        )]
        let pixel = |unit: f64| (unit * scale) as u32;
        Part {
            left: pixel(x1.min(x2) - half).min(whole.right - 1),
            top: pixel(y1.min(y2) - half).min(whole.bottom - 1),
            right: (pixel(x1.max(x2) + half) + 1).min(whole.right),
            bottom: (pixel(y1.max(y2) + half) + 1).min(whole.bottom),
        }
    }

    /// The smallest part in which two pictures of this size differ; a pixel if they do not.
    fn changed(self, before: &Pixmap, after: &Pixmap) -> Part {
        let (mut left, mut right, mut top, mut bottom) = (self.right, 0, self.bottom, 0);
        let row_bytes = self.right as usize * 4;
        let rows = before.data().chunks_exact(row_bytes).zip(after.data().chunks_exact(row_bytes));
        for (y, (old, new)) in (0..).zip(rows).filter(|(_, (old, new))| old != new) {
            (top, bottom) = (y.min(top), y + 1);
            let pixels = old.chunks_exact(4).zip(new.chunks_exact(4));
            for (x, _) in (0..).zip(pixels).filter(|(_, (old, new))| old != new) {
                (left, right) = (left.min(x), right.max(x + 1));
            }
        }
        if right == 0 {
            return Part { left: 0, top: 0, right: 1, bottom: 1 };
        }
        Part { left, top, right, bottom }
    }

    fn width(self) -> u16 {
        u16::try_from(self.right - self.left).unwrap_or(u16::MAX)
    }

    fn height(self) -> u16 {
        u16::try_from(self.bottom - self.top).unwrap_or(u16::MAX)
    }

    fn frame(self, pixels: Vec<u8>, delay: u16) -> gif::Frame<'static> {
        gif::Frame {
            delay,
            left: u16::try_from(self.left).unwrap_or(u16::MAX),
            top: u16::try_from(self.top).unwrap_or(u16::MAX),
            width: self.width(),
            height: self.height(),
            buffer: pixels.into(),
            ..gif::Frame::default()
        }
    }
}

/// The 256 colours of a film, chosen from its last picture.
struct Palette {
    colours: Vec<u8>,
    quantizer: color_quant::NeuQuant,
    known: HashMap<[u8; 4], u8>,
}

impl Palette {
    fn of(picture: &Pixmap) -> Palette {
        let quantizer = color_quant::NeuQuant::new(10, 256, picture.data());
        Palette { colours: quantizer.color_map_rgb(), quantizer, known: HashMap::new() }
    }

    /// The colour numbers of a part of the picture, row by row.
    fn index(&mut self, picture: &Pixmap, part: Part) -> Vec<u8> {
        let row_bytes = picture.width() as usize * 4;
        let rows = picture.data().chunks_exact(row_bytes);
        let mut indices = Vec::new();
        // A pixel is mostly like the one before it.
        let mut last = None;
        for row in rows.skip(part.top as usize).take((part.bottom - part.top) as usize) {
            for pixel in row[part.left as usize * 4..part.right as usize * 4].chunks_exact(4) {
                let colour = [pixel[0], pixel[1], pixel[2], pixel[3]];
                let index = match last {
                    Some((same, index)) if same == colour => index,
                    _ => {
                        let quantizer = &self.quantizer;
                        let index = || u8::try_from(quantizer.index_of(&colour)).unwrap_or(0);
                        *self.known.entry(colour).or_insert_with(index)
                    }
                };
                last = Some((colour, index));
                indices.push(index);
            }
        }
        indices
    }
}

/// The outline of a piece that waits to be taken, on a field of 64 by 64: its right side, from the neck to the foot, from the middle.
const FLANK: [Place; 9] = [
    (5.6, 25.9),
    (7.23, 26.85),
    (7.8, 28.29),
    (7.32, 29.71),
    (5.8, 30.6),
    (6.5, 35.8),
    (7.9, 40.33),
    (10.05, 44.21),
    (13.0, 47.5),
];
/// Its style.
pub(super) const PIECE: Style = Style::of("piece").fill(RED);

/// The pieces that wait to be taken; the disc of the step that takes one covers it.
pub(super) fn pieces<'s>(
    board: &Board,
    squares: impl IntoIterator<Item = &'s Square>,
) -> impl Iterator<Item = Mark> {
    squares.into_iter().flat_map(|&square| {
        let (x, y) = middle(board, square);
        let at = |right: f64, down: f64| (x + right / 2.0, y + down / 2.0 - 17.0);
        let left = FLANK.iter().rev().map(|&(right, down)| at(-right, down));
        let body = FLANK.iter().map(|&(right, down)| at(right, down)).chain(left);
        [
            Mark::circle("piece", at(0.0, 19.5), 4.25),
            Mark::of("piece", Shape::Polygon(body.collect())),
            Mark::rect("piece", at(-16.0, 50.5), (16.0, 3.0)).rounded(1.5),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use destrier_rules::{CapturePlan, CaptureProblem, Verified};

    #[test]
    fn the_first_picture_of_a_capture_has_all_pieces() {
        let squares = |text: &str| text.split(' ').map(|s| s.parse().unwrap()).collect::<Vec<_>>();
        let problem = CaptureProblem {
            board: "3x3".parse().unwrap(),
            start: "a1".parse().unwrap(),
            targets: squares("c2 b1").into_iter().collect(),
        };
        let plan = CapturePlan(squares("a1 c2 a1 b3 c1 a2 c3 b1"));
        let scene = Scene::of_capture(&Verified::check(problem, plan).unwrap());
        let painter = Painter::new(&opening_canvas(&scene)).unwrap().with(opening(&scene));
        let scale = scale(&scene.board, MOST_PLAYED);
        let colour = |name: &str| {
            let (x, y) = middle(&scene.board, name.parse().unwrap());
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "pixels are few"
            )]
            let pixel = |unit: f64| (unit * scale) as u32;
            let pixel = painter.picture.pixel(pixel(x), pixel(y)).unwrap();
            (pixel.red(), pixel.green(), pixel.blue())
        };
        for piece in ["c2", "b1"] {
            assert_eq!(colour(piece), (0xb3, 0x37, 0x2b), "a piece stands on {piece}");
        }
        assert_ne!(colour("b3"), (0xb3, 0x37, 0x2b));
        // What is played at last is the still picture, without them.
        assert!(gif(&scene).unwrap().starts_with(b"GIF89a"));
    }
}
