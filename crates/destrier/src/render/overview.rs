//! A long route seen whole: squares in the colours of their steps, as a picture and as a film.
//!
//! Lines and numbers of more than a few thousand steps are illegible, so a square is a few pixels, or one pixel
//! is a few squares, in a colour that goes from the start of the route to its end. The film has at most
//! [`MOST_FRAMES`] pictures; each holds what is new, and is clear elsewhere.
//!
//! A tour too long to be listed is filmed by a sample of its squares.
//!
//! Invariant: the last frame leaves the film as the still picture.
//! Cost: a pass over the route, and one over the pixels for each frame.

use destrier_rules::Square;
use tiny_skia::{ColorU8, Pixmap};

use super::RenderError;
use super::drawing::Rgb;
use super::pieces::RED;
use super::route;
use super::scene::Scene;

/// The longest side of a picture, in pixels, where a pixel is no more than a square.
const MOST_PIXELS: u32 = 1200;
/// The longest side where it is, and the shortest.
const LONGEST: u32 = 4800;
const SHORTEST: u32 = 24;
/// The most frames of a film, and the most pixels of all frames together.
const MOST_FRAMES: usize = 100;
const MOST_PAINTED: usize = 40_000_000;
/// Hundredths of a second for each frame, and for the last one.
const DELAY: u16 = 12;
const LAST_PAUSE: u16 = 300;

/// The colours by number: the paper, a hole, a piece that waits, and those of the route from its start to its end.
const PAPER: u8 = 0;
const HOLE: u8 = 1;
const PIECE: u8 = 2;
const FIRST: u8 = 3;
const SHADES: u8 = 250;
/// No colour: what was there before is seen.
const CLEAR: u8 = 255;

/// How squares become pixels along a side of the board.
#[derive(Clone, Copy)]
struct Side {
    /// How many pixels a square takes, or how many squares a pixel; one of the two is 1.
    pixels: u32,
    squares: u32,
    all: usize,
}

impl Side {
    /// A side of `count` squares of a board whose longer side has `longer`.
    fn of(count: u32, longer: u32) -> Side {
        let squares = count.div_ceil(LONGEST);
        let pixels = (MOST_PIXELS / longer).max(SHORTEST / count).max(1);
        Side { pixels, squares, all: (count.div_ceil(squares) * pixels) as usize }
    }

    /// The pixels of the square at this place.
    fn at(self, place: u32) -> std::ops::Range<usize> {
        let first = (place / self.squares * self.pixels) as usize;
        first..first + self.pixels as usize
    }
}

/// The pixels of a board.
struct Overview {
    across: Side,
    down: Side,
    ranks: u32,
}

impl Overview {
    fn of(scene: &Scene) -> Overview {
        Overview::new(scene.board.files(), scene.board.ranks())
    }

    fn new(files: u32, ranks: u32) -> Overview {
        let side = |count| Side::of(count, files.max(ranks));
        Overview { across: side(files), down: side(ranks), ranks }
    }

    const fn area(&self) -> usize {
        self.across.all * self.down.all
    }

    /// Paints a square.
    fn paint(&self, picture: &mut [u8], square: Square, colour: u8) {
        for row in self.down.at(self.ranks - 1 - square.rank) {
            let row = &mut picture[row * self.across.all..][..self.across.all];
            row[self.across.at(square.file)].fill(colour);
        }
    }

    /// The board before the first step.
    fn empty(&self, scene: &Scene) -> Vec<u8> {
        let mut picture = vec![PAPER; self.area()];
        for &hole in scene.board.holes() {
            self.paint(&mut picture, hole, HOLE);
        }
        for &piece in &scene.captured {
            self.paint(&mut picture, piece, PIECE);
        }
        picture
    }

    /// The board after the last step.
    fn whole(&self, scene: &Scene) -> Vec<u8> {
        let mut picture = self.empty(scene);
        let steps = scene.route.len() as u64;
        for (step, &square) in (0..).zip(&scene.route) {
            self.paint(&mut picture, square, shade(step, steps));
        }
        picture
    }
}

/// The colour of a step, given the number of steps.
fn shade(step: u64, steps: u64) -> u8 {
    let last = u128::from(steps.saturating_sub(1).max(1));
    let shade = u128::from(step) * u128::from(SHADES - 1) / last;
    FIRST + u8::try_from(shade).unwrap_or(SHADES - 1)
}

/// All colours in red, green and blue, one after the other.
fn colours() -> Vec<u8> {
    let shades = (0..SHADES.into()).map(|shade| route::shade(shade, SHADES.into()));
    let all = [route::PAPER, route::HOLE, RED].into_iter().chain(shades);
    let mut colours: Vec<u8> =
        all.flat_map(|Rgb(colour)| colour.to_be_bytes().into_iter().skip(1)).collect();
    colours.resize(3 * 256, 0);
    colours
}

/// The whole route as a PNG file.
pub(super) fn png(scene: &Scene) -> Result<Vec<u8>, RenderError> {
    let library = |error: String| RenderError::Library(error);
    let view = Overview::of(scene);
    let side = |side: Side| u32::try_from(side.all).unwrap_or(u32::MAX);
    let mut picture = Pixmap::new(side(view.across), side(view.down))
        .ok_or_else(|| library("the picture has no size".to_owned()))?;
    let colours = colours();
    for (pixel, &colour) in picture.pixels_mut().iter_mut().zip(&view.whole(scene)) {
        let at = 3 * usize::from(colour);
        *pixel =
            ColorU8::from_rgba(colours[at], colours[at + 1], colours[at + 2], 255).premultiply();
    }
    picture.encode_png().map_err(|error| library(error.to_string()))
}

/// The route as a film.
pub(super) fn gif(scene: &Scene) -> Result<Vec<u8>, RenderError> {
    let view = Overview::of(scene);
    let steps = scene.route.len() as u64;
    film(&view, view.empty(scene), (0..).zip(scene.route.iter().copied()), steps)
}

/// A film of a route of which a regular sample of `files` by `ranks` squares is known.
///
/// `samples` are in the order of their steps, which are numbered from 0 and are fewer than `steps`; a square is its place
/// in the sample.
///
/// # Errors
/// When the film cannot be written.
pub fn sampled_gif(
    files: u32,
    ranks: u32,
    samples: &[(u64, Square)],
    steps: u64,
) -> Result<Vec<u8>, RenderError> {
    let view = Overview::new(files, ranks);
    film(&view, vec![PAPER; view.area()], samples.iter().copied(), steps)
}

/// A film that begins with a picture and paints squares at their steps.
fn film(
    view: &Overview,
    first: Vec<u8>,
    route: impl Iterator<Item = (u64, Square)>,
    steps: u64,
) -> Result<Vec<u8>, RenderError> {
    let library = |error: gif::EncodingError| RenderError::Library(error.to_string());
    let side = |side: Side| u16::try_from(side.all).unwrap_or(u16::MAX);
    let (width, height) = (side(view.across), side(view.down));
    let frames = (MOST_PAINTED / view.area()).clamp(10, MOST_FRAMES) as u64;
    let frames = frames.min(steps);
    let mut bytes = Vec::new();
    let mut file = gif::Encoder::new(&mut bytes, width, height, &colours()).map_err(library)?;
    file.set_repeat(gif::Repeat::Infinite).map_err(library)?;
    let mut frame = |buffer: Vec<u8>, delay: u16, transparent: Option<u8>| {
        let buffer = buffer.into();
        let frame =
            gif::Frame { width, height, delay, buffer, transparent, ..gif::Frame::default() };
        file.write_frame(&frame).map_err(library)
    };
    frame(first, DELAY, None)?;
    let mut route = route.peekable();
    for number in 1..=frames {
        let mut new = vec![CLEAR; view.area()];
        let end = u128::from(number) * u128::from(steps) / u128::from(frames);
        while let Some((step, square)) = route.next_if(|&(step, _)| u128::from(step) < end) {
            view.paint(&mut new, square, shade(step, steps));
        }
        frame(new, if number == frames { LAST_PAUSE } else { DELAY }, Some(CLEAR))?;
    }
    drop(file);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use destrier_rules::{Board, Leaper, Square};

    use super::*;

    /// A route along the ranks: what is drawn does not depend on how a piece moves.
    fn scene(files: u32, ranks: u32) -> Scene {
        let board = Board::new(files, ranks).unwrap();
        let hole = Square::new(1, 1);
        let board = board.without([hole]).unwrap();
        Scene {
            route: board.squares().collect(),
            jumps: board.squares().count() - 1,
            board,
            leaper: Leaper::KNIGHT,
            closed: false,
            arrows: false,
            captured: BTreeSet::new(),
            title: String::new(),
            small: false,
            copies: None,
        }
    }

    /// What a film leaves, and how many frames it has.
    fn played(film: &[u8]) -> (Vec<u8>, usize) {
        let mut reader = gif::DecodeOptions::new().read_info(film).unwrap();
        let (mut seen, mut frames) = (Vec::new(), 0);
        while let Some(frame) = reader.read_next_frame().unwrap() {
            seen.resize(frame.buffer.len(), CLEAR);
            for (pixel, &new) in seen.iter_mut().zip(&*frame.buffer) {
                *pixel = if frame.transparent == Some(new) { *pixel } else { new };
            }
            frames += 1;
        }
        (seen, frames)
    }

    #[test]
    fn a_film_of_a_large_board_ends_as_its_picture() {
        for (files, ranks) in [(120, 101), (3, 5000), (11_000, 2)] {
            let scene = scene(files, ranks);
            let view = Overview::of(&scene);
            let (seen, frames) = played(&super::gif(&scene).unwrap());
            assert!((11..=1 + MOST_FRAMES).contains(&frames), "{frames}");
            assert!(seen == view.whole(&scene), "{files}x{ranks}");
            let still = Pixmap::decode_png(&super::png(&scene).unwrap()).unwrap();
            let sides = (still.width() as usize, still.height() as usize);
            assert_eq!(sides, (view.across.all, view.down.all));
            let corner = still.pixel(0, still.height() - 1).unwrap();
            let colour = usize::from(seen[view.across.all * (view.down.all - 1)]);
            assert_eq!(corner.red(), colours()[3 * colour]);
        }
    }

    #[test]
    fn samples_of_a_longer_route_are_filmed_as_that_route() {
        let steps = 1_000_000_000_000;
        let samples: Vec<(u64, Square)> =
            (0..30).map(|file| (u64::from(file) * (steps / 30), Square::new(file, 0))).collect();
        let (seen, frames) = played(&sampled_gif(30, 1, &samples, steps).unwrap());
        let view = Overview::new(30, 1);
        assert!((11..=1 + MOST_FRAMES).contains(&frames), "{frames}");
        assert_eq!(seen.len(), view.area());
        let colours: Vec<u8> = (0..30).map(|file| seen[view.across.at(file).start]).collect();
        assert!(colours.is_sorted() && colours[0] == FIRST && colours[29] > FIRST + 200);
    }

    #[test]
    fn a_hole_stays_a_hole_and_the_ends_have_the_ends_of_the_colours() {
        let scene = scene(120, 101);
        let view = Overview::of(&scene);
        let at = |file: u32, rank: u32| {
            let row = view.down.at(view.ranks - 1 - rank).start;
            row * view.across.all + view.across.at(file).start
        };
        let painted = view.whole(&scene);
        assert_eq!(painted[at(1, 1)], HOLE);
        let ends = [scene.route[0], scene.route[scene.route.len() - 1]];
        let ends = ends.map(|square| painted[at(square.file, square.rank)]);
        assert_eq!(ends, [FIRST, FIRST + SHADES - 1]);
    }
}
