//! Marks in pixels, with a font of our own.
//!
//! A painter lays mark after mark over what is there, so an animation paints what is new and no more. The font is a part of `DejaVu` Sans; a letter
//! that it does not have is an empty box.

use std::collections::HashMap;

use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::RenderError;
use super::drawing::{Anchor, Canvas, Mark, Place, Rgb, Shape, Style};

const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
/// How far the ends of a curve that is nearly a quarter of a circle are from its middle points, for a radius of 1.
const QUARTER: f32 = 0.552_285;

/// A picture in pixels, and what marks are painted with.
pub(super) struct Painter {
    styles: Vec<Style>,
    pub(super) picture: Pixmap,
    transform: Transform,
    clip: Option<Mask>,
    font: Font,
    /// All styles of a mark with these classes, laid over each other.
    looks: HashMap<String, Style>,
}

/// A picture as a PNG file.
pub(super) fn png(picture: &Pixmap) -> Result<Vec<u8>, RenderError> {
    picture.encode_png().map_err(|error| RenderError::Library(error.to_string()))
}

#[expect(clippy::cast_possible_truncation, reason = "a pixel is found in a picture of any size")]
const fn single(value: f64) -> f32 {
    value as f32
}

fn rect((x, y): Place, (wide, high): Place) -> Option<Rect> {
    Rect::from_xywh(single(x), single(y), single(wide), single(high))
}

impl Painter {
    /// An empty picture of the canvas.
    pub(super) fn new(canvas: &Canvas) -> Result<Painter, RenderError> {
        let library = |why: &str| RenderError::Library(why.to_owned());
        let ((width, height), (wide, high)) = (canvas.pixels(), canvas.size);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole numbers from 1"
        )]
        let picture = Pixmap::new(width as u32, height as u32)
            .ok_or_else(|| library("the picture has too many pixels"))?;
        // As SVG has it: all is seen, in the middle.
        let scale = (width / wide).min(height / high);
        let margin = ((width - wide * scale) / 2.0, (height - high * scale) / 2.0);
        let transform = Transform::from_scale(single(scale), single(scale))
            .post_translate(single(margin.0), single(margin.1));
        let clip = canvas.clip.and_then(|(at, size)| {
            let mut mask = Mask::new(picture.width(), picture.height())?;
            let inside = PathBuilder::from_rect(rect(at, size)?);
            mask.fill_path(&inside, FillRule::Winding, true, transform);
            Some(mask)
        });
        let font = Font::new().ok_or_else(|| library("the font is spoilt"))?;
        let styles = canvas.styles.clone();
        Ok(Painter { styles, picture, transform, clip, font, looks: HashMap::new() })
    }

    /// The picture with these marks.
    pub(super) fn with(mut self, marks: impl IntoIterator<Item = Mark>) -> Painter {
        self.extend(marks);
        self
    }

    /// Lays marks over what is there.
    pub(super) fn extend(&mut self, marks: impl IntoIterator<Item = Mark>) {
        marks.into_iter().for_each(|mark| self.paint(&mark));
    }

    fn paint(&mut self, mark: &Mark) {
        let look = self.look(&mark.class);
        let fill = Some(look.fill.or(mark.colour).unwrap_or(Rgb(0)));
        match &mark.shape {
            Shape::Rect { at, size, rounded } => {
                let Some(area) = rect(*at, *size) else { return };
                self.draw(&look, fill, rounded_rect(area, single(*rounded)));
            }
            Shape::Circle { at, radius } => {
                let circle = PathBuilder::from_circle(single(at.0), single(at.1), single(*radius));
                self.draw(&look, fill, circle);
            }
            Shape::Line { from, to } => {
                let look = Style { stroke: look.stroke.or(mark.colour), ..look };
                self.draw(&look, None, polygon(&[*from, *to], false));
                if look.arrow {
                    let colour = look.fill.or(look.stroke);
                    self.draw(&Style::of(""), colour, arrowhead(*from, *to, &look));
                }
            }
            Shape::Squares { side, corners } => {
                let mut path = PathBuilder::new();
                let squares = corners.iter().filter_map(|&at| rect(at, (*side, *side)));
                squares.for_each(|square| path.push_rect(square));
                self.draw(&look, fill, path.finish());
            }
            Shape::Outline { outline, at, scale } => {
                let look = Style { width: look.width.map(|width| width * scale), ..look };
                let place = Transform::from_scale(single(*scale), single(*scale))
                    .post_translate(single(at.0), single(at.1));
                let path = outline_path(outline.data).and_then(|path| path.transform(place));
                self.draw(&look, fill.filter(|_| !outline.is_line()), path);
            }
            Shape::Text { at, text, size, degrees } => {
                let size = look.size.or(*size).unwrap_or(16.0);
                let path = self.font.line(text, single(size), look.anchor);
                let place = Transform::from_rotate(single(*degrees))
                    .post_translate(single(at.0), single(at.1));
                self.draw(&look, fill, path.and_then(|path| path.transform(place)));
            }
        }
    }

    /// How marks with these classes look.
    fn look(&mut self, classes: &str) -> Style {
        if let Some(look) = self.looks.get(classes) {
            return *look;
        }
        let has = |class: &str| classes.split(' ').any(|other| other == class);
        let styles = self.styles.iter().filter(|style| style.class.split('.').all(has));
        let look = styles.fold(Style::of(""), |below, above| Style {
            class: "",
            fill: above.fill.or(below.fill),
            stroke: above.stroke.or(below.stroke),
            width: above.width.or(below.width),
            dash: above.dash.or(below.dash),
            round: above.round || below.round,
            halo: above.halo || below.halo,
            arrow: above.arrow || below.arrow,
            clipped: above.clipped || below.clipped,
            opacity: above.opacity.or(below.opacity),
            size: above.size.or(below.size),
            anchor: above.anchor.or(below.anchor),
        });
        self.looks.insert(classes.to_owned(), look);
        look
    }

    /// Fills a path, and strokes it if the look says so: above what is inside, or under it.
    fn draw(&mut self, look: &Style, fill: Option<Rgb>, path: Option<Path>) {
        let Some(path) = path else { return };
        let clip = self.clip.as_ref().filter(|_| look.clipped);
        let paint = |Rgb(colour): Rgb| {
            let [_, red, green, blue] = colour.to_be_bytes();
            let mut paint = Paint::default();
            paint.set_color_rgba8(red, green, blue, 255);
            if let (Some(opacity), tiny_skia::Shader::SolidColor(colour)) =
                (look.opacity, &mut paint.shader)
            {
                colour.apply_opacity(single(opacity));
            }
            paint
        };
        let fill_it = |picture: &mut Pixmap| {
            if let Some(fill) = fill {
                picture.fill_path(&path, &paint(fill), FillRule::Winding, self.transform, clip);
            }
        };
        if !look.halo {
            fill_it(&mut self.picture);
        }
        if let Some(stroke) = look.stroke {
            let dash = |(dash, gap)| StrokeDash::new(vec![single(dash), single(gap)], 0.0);
            let line = Stroke {
                width: single(look.width.unwrap_or(1.0)),
                line_cap: if look.round { LineCap::Round } else { LineCap::Butt },
                line_join: if look.halo { LineJoin::Round } else { LineJoin::default() },
                dash: look.dash.and_then(dash),
                ..Stroke::default()
            };
            self.picture.stroke_path(&path, &paint(stroke), &line, self.transform, clip);
        }
        if look.halo {
            fill_it(&mut self.picture);
        }
    }
}

/// The path of an outline's data; none if they are not as [`Outline`](super::drawing::Outline) has them.
fn outline_path(data: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let numbers = data.split(char::is_alphabetic).skip(1);
    for (letter, numbers) in data.matches(char::is_alphabetic).zip(numbers) {
        let numbers: Result<Vec<f32>, _> = numbers.split_whitespace().map(str::parse).collect();
        match (letter, &numbers.ok()?[..]) {
            ("M", &[x, y]) => path.move_to(x, y),
            ("H", &[x]) => path.line_to(x, path.last_point()?.y),
            ("C", &[x1, y1, x2, y2, x, y]) => path.cubic_to(x1, y1, x2, y2, x, y),
            ("Z", []) => path.close(),
            _ => return None,
        }
    }
    path.finish()
}

fn polygon(corners: &[Place], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, rest) = corners.split_first()?;
    path.move_to(single(first.0), single(first.1));
    for corner in rest {
        path.line_to(single(corner.0), single(corner.1));
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

fn rounded_rect(area: Rect, radius: f32) -> Option<Path> {
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(area));
    }
    let (left, top, right, bottom) = (area.left(), area.top(), area.right(), area.bottom());
    let (r, near) = (radius, radius * (1.0 - QUARTER));
    let mut path = PathBuilder::new();
    path.move_to(left + r, top);
    path.line_to(right - r, top);
    path.cubic_to(right - near, top, right, top + near, right, top + r);
    path.line_to(right, bottom - r);
    path.cubic_to(right, bottom - near, right - near, bottom, right - r, bottom);
    path.line_to(left + r, bottom);
    path.cubic_to(left + near, bottom, left, bottom - near, left, bottom - r);
    path.line_to(left, top + r);
    path.cubic_to(left, top + near, left + near, top, left + r, top);
    path.close();
    path.finish()
}

/// The head of an arrow, as the marker of the SVG: four times as wide as the line, its tip a little beyond the end.
fn arrowhead(from: Place, to: Place, look: &Style) -> Option<Path> {
    let unit = look.width.unwrap_or(1.0) * 4.0 / 6.0;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    let along = |ahead: f64, aside: f64| {
        let (ahead, aside) = (ahead * unit / length, aside * unit / length);
        (to.0 + dx * ahead - dy * aside, to.1 + dy * ahead + dx * aside)
    };
    polygon(&[along(-5.0, -3.0), along(1.0, 0.0), along(-5.0, 3.0)], true)
}

/// Our font, and the letters that have been asked for.
struct Font {
    face: Face<'static>,
    glyphs: HashMap<char, (Option<Path>, f32)>,
}

impl Font {
    fn new() -> Option<Font> {
        Some(Font { face: Face::parse(FONT, 0).ok()?, glyphs: HashMap::new() })
    }

    /// A text on one line; its anchor is the origin.
    fn line(&mut self, text: &str, size: f32, anchor: Option<Anchor>) -> Option<Path> {
        let scale = size / f32::from(self.face.units_per_em());
        let (mut path, mut end) = (PathBuilder::new(), 0.0);
        for letter in text.chars() {
            let face = &self.face;
            let (outline, advance) =
                self.glyphs.entry(letter).or_insert_with(|| glyph(face, letter));
            let place = Transform::from_row(scale, 0.0, 0.0, -scale, end, 0.0);
            if let Some(outline) = outline.clone().and_then(|outline| outline.transform(place)) {
                path.push_path(&outline);
            }
            end += *advance * scale;
        }
        let back = match anchor {
            None | Some(Anchor::Start) => 0.0,
            Some(Anchor::Middle) => end / 2.0,
            Some(Anchor::End) => end,
        };
        path.finish()?.transform(Transform::from_translate(-back, 0.0))
    }
}

/// The outline of a letter and how far it is to the next one, in units of the font.
fn glyph(face: &Face<'_>, letter: char) -> (Option<Path>, f32) {
    let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
    let mut outline = Outline(PathBuilder::new());
    face.outline_glyph(glyph, &mut outline);
    (outline.0.finish(), f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)))
}

struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
