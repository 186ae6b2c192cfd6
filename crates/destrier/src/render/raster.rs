//! A scene as PNG, or as an animated GIF that plays the route.
//!
//! Both are drawn from the SVG with a font of our own. The animation draws leg after leg onto one
//! picture and writes only the part that changed.
//!
//! Invariant: the last frame of the animation is the still picture.
//! Cost: one small drawing a step; a frame holds about two squares.

use std::collections::HashMap;
use std::fmt::Write as _;

use destrier_rules::{Board, Square};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;

use super::RenderError;
use super::overview;
use super::scene::Scene;
use super::svg::{self, CELL, back, disc, leg, middle, open, scale};

const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
/// The most squares that are drawn with lines; a larger board is seen as a whole, in colours.
const MOST_LINED: u64 = 10_000;
/// The most squares of a picture.
const MOST_SQUARES: u64 = 4_000_000;
/// The longest side of a GIF.
const MOST_PIXELS: f64 = 960.0;
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
    let picture = raster(&svg::svg(scene)?)?;
    picture.encode_png().map_err(|error| RenderError::Library(error.to_string()))
}

/// A drawing as a PNG file.
///
/// # Errors
/// When it is no SVG, or has no size.
pub fn drawing_png(drawing: &str) -> Result<Vec<u8>, RenderError> {
    raster(drawing)?.encode_png().map_err(|error| RenderError::Library(error.to_string()))
}

/// Drawings of one size as a GIF, each shown for so many hundredths of a second. Only what changed is written.
pub(super) fn slides(drawings: &[String], delay: u16) -> Result<Vec<u8>, RenderError> {
    let library = |error: gif::EncodingError| RenderError::Library(error.to_string());
    let nothing = || RenderError::Library("there is nothing to play".to_owned());
    let options = options();
    let last = raster_by(drawings.last().ok_or_else(nothing)?, &options)?;
    let mut palette = Palette::of(&last);
    let whole = Part { left: 0, top: 0, right: last.width(), bottom: last.height() };
    let mut bytes = Vec::new();
    let mut file = gif::Encoder::new(&mut bytes, whole.width(), whole.height(), &palette.colours)
        .map_err(library)?;
    file.set_repeat(gif::Repeat::Infinite).map_err(library)?;
    let mut before: Option<Pixmap> = None;
    for (number, drawing) in (1..).zip(drawings) {
        let picture = raster_by(drawing, &options)?;
        let part = before.map_or(whole, |before| whole.changed(&before, &picture));
        let pixels = palette.index(&picture, part);
        let delay = if number == drawings.len() { LAST_PAUSE } else { delay };
        file.write_frame(&part.frame(pixels, delay)).map_err(library)?;
        before = Some(picture);
    }
    drop(file);
    Ok(bytes)
}

fn options() -> usvg::Options<'static> {
    let mut options = usvg::Options { font_family: "DejaVu Sans".into(), ..Default::default() };
    options.fontdb_mut().load_font_data(FONT.to_vec());
    options
}

fn raster(text: &str) -> Result<Pixmap, RenderError> {
    raster_by(text, &options())
}

fn raster_by(text: &str, options: &usvg::Options<'_>) -> Result<Pixmap, RenderError> {
    let library = |error: usvg::Error| RenderError::Library(error.to_string());
    let tree = usvg::Tree::from_str(text, options).map_err(library)?;
    let size = tree.size().to_int_size();
    let mut picture = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| RenderError::Library("the picture has no size".to_owned()))?;
    resvg::render(&tree, Transform::default(), &mut picture.as_mut());
    Ok(picture)
}

/// The scene as a GIF that plays the route; of more than 10,000 squares or steps, an overview that grows.
///
/// # Errors
/// When the board is too large for a picture.
pub fn gif(scene: &Scene) -> Result<Vec<u8>, RenderError> {
    if is_overview(scene, "GIF")? {
        return overview::gif(scene);
    }
    Film::new(scene)?.play(scene)
}

/// A picture that grows, and the file that its changes go to.
struct Film {
    picture: Pixmap,
    options: usvg::Options<'static>,
    head: String,
    palette: Palette,
}

impl Film {
    fn new(scene: &Scene) -> Result<Film, RenderError> {
        let head = open(scene, MOST_PIXELS);
        let empty = raster(&format!(
            "{head}{}{}</svg>",
            back(&scene.board),
            pieces(&scene.board, &scene.captured)
        ))?;
        let palette = Palette::of(&raster(&svg::draw(scene, MOST_PIXELS)?)?);
        // Later drawings lay their lines over what is there: the ground must not be drawn again.
        let head = head.replace(r##"fill="#fffdf8""##, r#"fill="none""#);
        Ok(Film { picture: empty, options: options(), head, palette })
    }

    fn lay(&mut self, drawing: &str) -> Result<(), RenderError> {
        let library = |error: usvg::Error| RenderError::Library(error.to_string());
        let text = format!("{}{drawing}</svg>", self.head);
        let tree = usvg::Tree::from_str(&text, &self.options).map_err(library)?;
        resvg::render(&tree, Transform::default(), &mut self.picture.as_mut());
        Ok(())
    }

    fn play(mut self, scene: &Scene) -> Result<Vec<u8>, RenderError> {
        let library = |error: gif::EncodingError| RenderError::Library(error.to_string());
        let whole =
            Part { left: 0, top: 0, right: self.picture.width(), bottom: self.picture.height() };
        let mut bytes = Vec::new();
        let (width, height) = (whole.width(), whole.height());
        let mut file =
            gif::Encoder::new(&mut bytes, width, height, &self.palette.colours).map_err(library)?;
        file.set_repeat(gif::Repeat::Infinite).map_err(library)?;
        let steps = scene.route.len();
        let delay = u16::try_from((PLAYING_TIME / steps).clamp(2, 40)).unwrap_or(40);
        for step in 0..steps {
            if step > 0 {
                self.lay(&format!("{}{}", leg(scene, step), disc(scene, step - 1)))?;
            }
            self.lay(&disc(scene, step))?;
            let last = step + 1 == steps;
            if last {
                // The still picture has all discs above all legs.
                self.picture = raster(&svg::draw(scene, MOST_PIXELS)?)?;
            }
            let part = if step == 0 || last { whole } else { Part::of_leg(scene, step, whole) };
            let pixels = self.palette.index(&self.picture, part);
            let delay = if last { LAST_PAUSE } else { delay };
            file.write_frame(&part.frame(pixels, delay)).map_err(library)?;
        }
        drop(file);
        Ok(bytes)
    }
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
        let scale = scale(&scene.board, MOST_PIXELS);
        let ((x1, y1), (x2, y2)) = (middle(&scene.board, from), middle(&scene.board, to));
        let half = i64::from(CELL / 2);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "pixels of a picture are few, and a negative one is cut to 0"
        )]
        let pixel = |unit: i64| (unit as f64 * scale) as u32;
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

/// The outline of a piece that waits to be taken, on a field of 64 by 64.
const PIECE: &str = "M32 11A8.5 8.5 0 0 1 37.6 25.9C40.5 26.6 40.5 30 37.8 30.6C38.3 38 40.5 43.5 45 47.5H19C23.5 43.5 25.7 38 \
    26.2 30.6C23.5 30 23.5 26.6 26.4 25.9A8.5 8.5 0 0 1 32 11ZM19 50.5H45A3 3 0 0 1 45 56.5H19A3 3 0 0 1 19 50.5Z";

/// The pieces that wait to be taken; the disc of the step that takes one covers it.
pub(super) fn pieces<'s>(board: &Board, squares: impl IntoIterator<Item = &'s Square>) -> String {
    let mut text = String::new();
    for &square in squares {
        let (x, y) = middle(board, square);
        let (x, y) = (x - 16, y - 17);
        let _ = writeln!(
            text,
            r#"<path class="end" stroke="none" transform="translate({x} {y}) scale(0.5)" d="{PIECE}"/>"#
        );
    }
    text
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
        let film = Film::new(&scene).unwrap();
        let scale = scale(&scene.board, MOST_PIXELS);
        let colour = |name: &str| {
            let (x, y) = middle(&scene.board, name.parse().unwrap());
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "pixels are few"
            )]
            let pixel = |unit: i64| (unit as f64 * scale) as u32;
            let pixel = film.picture.pixel(pixel(x), pixel(y)).unwrap();
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
