//! A scene as PNG, or as an animated GIF that plays the route.
//!
//! The animation has two layers: the board with its lines, and what stands on squares. It adds to both step after step, lays
//! the part that changed of one over the other, the knight on top, and writes that part only.
//!
//! Invariant: the last frame of the animation is the still picture.
//! Cost: a few marks a step; a frame holds about six squares.

use std::collections::HashMap;

use destrier_rules::{Board, Square};
use tiny_skia::Pixmap;

use super::RenderError;
use super::drawing::{Canvas, Mark};
use super::overview;
use super::paint::Painter;
use super::pieces::pawn;
use super::route::{CELL, Size, canvas, ground, leg, marks, middle, standing, visit};
use super::scene::Scene;

/// The most squares that are drawn with lines; a larger board is seen as a whole, in colours.
const MOST_LINED: u64 = 10_000;
/// The most squares of a picture.
const MOST_SQUARES: u64 = 4_000_000;
/// How large a PNG is, and a GIF.
const STILL: Size = Size { square: 96.0, longest: 2400.0 };
const PLAYED: Size = Size { square: 96.0, longest: 960.0 };
/// A palette is chosen from about so many pixels.
const SAMPLE: usize = 20_000;
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
    canvas(scene, STILL).png(marks(scene))
}

/// Pictures on one canvas as a GIF, each shown for this many hundredths of a second. Only what changed is written.
pub(super) fn slides(
    canvas: &Canvas,
    pictures: Vec<Vec<Mark>>,
    delay: u16,
) -> Result<Vec<u8>, RenderError> {
    let nothing = || RenderError::Library("there is nothing to play".to_owned());
    let first = pictures.first().ok_or_else(nothing)?.clone();
    let last = pictures.last().ok_or_else(nothing)?.clone();
    let [first, last] = [first, last].map(|marks| Ok(Painter::new(canvas)?.with(marks).picture));
    let mut film = Film::new(&first?, &last?)?;
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
    let scene = &Scene { small: PLAYED.is_small(&scene.board), ..scene.clone() };
    let canvas = canvas(scene, PLAYED);
    let still = Painter::new(&canvas)?.with(marks(scene)).picture;
    let mut play = Play::new(scene, &canvas)?;
    let mut part = play.go(0);
    let mut film = Film::new(&play.shown.picture, &still)?;
    let (whole, steps) = (film.whole, scene.route.len());
    let delay = u16::try_from((PLAYING_TIME / steps).clamp(2, 40)).unwrap_or(40);
    for step in 1..steps {
        film.add(&play.shown.picture, part, delay)?;
        part = play.go(step);
    }
    film.add(&still, whole, LAST_PAUSE)?;
    film.finish()
}

/// The pieces that wait to be taken.
pub(super) fn waiting<'s>(
    board: &Board,
    squares: impl IntoIterator<Item = &'s Square>,
) -> impl Iterator<Item = Mark> {
    squares.into_iter().map(|&square| pawn(false, middle(board, square)))
}

/// A scene that is played: its two layers, and what is seen of them.
struct Play<'s> {
    scene: &'s Scene,
    below: Painter,
    above: Painter,
    shown: Painter,
}

impl Play<'_> {
    fn new<'s>(scene: &'s Scene, canvas: &Canvas) -> Result<Play<'s>, RenderError> {
        let below = Painter::new(canvas)?.with(ground(scene));
        let above = Painter::new(canvas)?.with(waiting(&scene.board, &scene.captured));
        Ok(Play { scene, below, above, shown: Painter::new(canvas)? })
    }

    /// Goes to a step from the one before, and tells what part changed.
    fn go(&mut self, step: usize) -> Part {
        let (scene, whole) = (self.scene, Part::whole(&self.shown.picture));
        let square = scene.route[step];
        let part = if step == 0 {
            whole
        } else {
            self.below.extend(leg(scene, step));
            Part::of_leg(scene, scene.route[step - 1], square, whole)
        };
        Part::of_leg(scene, square, square, whole).clear(&mut self.above.picture);
        self.above.extend(visit(scene, step));
        part.lay(&self.below.picture, &mut self.shown.picture);
        part.lay(&self.above.picture, &mut self.shown.picture);
        self.shown.extend(standing(scene, square));
        part
    }
}

/// The file that pictures go to.
struct Film {
    file: gif::Encoder<Vec<u8>>,
    palette: Palette,
    whole: Part,
}

impl Film {
    /// An empty film of pictures like these two, in their colours.
    fn new(first: &Pixmap, last: &Pixmap) -> Result<Film, RenderError> {
        let whole = Part::whole(last);
        let palette = Palette::of(first, last);
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
    /// The whole of a picture.
    fn whole(picture: &Pixmap) -> Part {
        Part { left: 0, top: 0, right: picture.width(), bottom: picture.height() }
    }

    /// The part of the picture that a leg and what stands at its ends change.
    fn of_leg(scene: &Scene, from: Square, to: Square, whole: Part) -> Part {
        let (a, b) = scene.leaper.legs();
        if from.file.abs_diff(to.file).max(from.rank.abs_diff(to.rank)) > a.max(b) {
            return whole; // over the edge of a wrapped board
        }
        let scale = PLAYED.scale(&scene.board);
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

    /// Where this part of its pixels lies in a row-by-row picture, row after row.
    fn rows(self, width: u32) -> impl Iterator<Item = std::ops::Range<usize>> {
        let place = move |x: u32, y: u32| (y as usize * width as usize + x as usize) * 4;
        (self.top..self.bottom).map(move |y| place(self.left, y)..place(self.right, y))
    }

    /// Makes this part of a picture clear.
    fn clear(self, picture: &mut Pixmap) {
        for row in self.rows(picture.width()) {
            picture.data_mut()[row].fill(0);
        }
    }

    /// Lays this part of a picture over another one.
    fn lay(self, over: &Pixmap, under: &mut Pixmap) {
        for row in self.rows(over.width()) {
            let under = under.data_mut()[row.clone()].chunks_exact_mut(4);
            for (under, over) in under.zip(over.data()[row].chunks_exact(4)) {
                match u16::from(over[3]) {
                    0 => {}
                    255 => under.copy_from_slice(over),
                    hidden => {
                        for (under, over) in under.iter_mut().zip(over) {
                            let seen = u16::from(*under) * (255 - hidden) / 255;
                            *under = over.saturating_add(u8::try_from(seen).unwrap_or(u8::MAX));
                        }
                    }
                }
            }
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

/// The 256 colours of a film, chosen from its first and its last picture.
struct Palette {
    colours: Vec<u8>,
    quantizer: color_quant::NeuQuant,
    known: HashMap<[u8; 4], u8>,
}

impl Palette {
    fn of(first: &Pixmap, last: &Pixmap) -> Palette {
        let pixels = [first, last].map(|picture| picture.data().chunks_exact(4));
        let every = pixels.iter().map(ExactSizeIterator::len).sum::<usize>() / SAMPLE;
        // An odd step does not come to the same columns in every row.
        let sample: Vec<u8> =
            pixels.into_iter().flatten().step_by(every | 1).flatten().copied().collect();
        let quantizer = color_quant::NeuQuant::new(1, 256, &sample);
        Palette { colours: quantizer.color_map_rgb(), quantizer, known: HashMap::new() }
    }

    /// The colour numbers of a part of the picture, row by row.
    fn index(&mut self, picture: &Pixmap, part: Part) -> Vec<u8> {
        let mut indices = Vec::new();
        // A pixel is mostly like the one before it.
        let mut last = None;
        for row in part.rows(picture.width()) {
            for pixel in picture.data()[row].chunks_exact(4) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_of_a_capture_has_the_knight_and_the_pieces_that_are_left() {
        let scene = Scene::of_two_pawns();
        let canvas = canvas(&scene, PLAYED);
        let mut play = Play::new(&scene, &canvas).unwrap();
        let scale = PLAYED.scale(&scene.board);
        // The colour in the body of what stands on a square, below all numbers.
        let colour = |picture: &Pixmap, square: Square| {
            let (x, y) = middle(&scene.board, square);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "pixels are few"
            )]
            let pixel = |unit: f64| (unit * scale) as u32;
            let pixel = picture.pixel(pixel(x + 2.0), pixel(y + 8.5)).unwrap();
            (pixel.red(), pixel.green(), pixel.blue())
        };
        let (knight, pawn) = ((0x2a, 0x23, 0x1b), (0x9b, 0x3d, 0x2a));
        for (step, &here) in scene.route.iter().enumerate() {
            play.go(step);
            let seen = |square| colour(&play.shown.picture, square);
            for square in scene.board.squares() {
                assert_eq!(seen(square) == knight, square == here, "{square} at {step}");
                let is_left =
                    scene.captured.contains(&square) && !scene.route[..=step].contains(&square);
                assert_eq!(seen(square) == pawn, is_left, "{square} at {step}");
            }
        }
        let still = Painter::new(&canvas).unwrap().with(marks(&scene)).picture;
        let differences = still.data().iter().zip(play.shown.picture.data());
        let largest = differences.map(|(still, played)| still.abs_diff(*played)).max();
        assert!(largest <= Some(3), "the last picture is the still one: {largest:?}");
        // Every frame holds the square that the knight leaves and the one where it comes.
        let film = gif(&scene).unwrap();
        let mut reader = gif::DecodeOptions::new().read_info(&film[..]).unwrap();
        assert!(reader.width() > 340, "squares of 96 pixels: {}", reader.width());
        let mut frames = Vec::new();
        while let Some(frame) = reader.next_frame_info().unwrap() {
            frames.push((frame.width, frame.height));
        }
        assert_eq!(frames.len(), scene.route.len());
        assert!(frames[1..7].iter().all(|&(wide, high)| wide.min(high) > 2 * 95), "{frames:?}");
    }
}
