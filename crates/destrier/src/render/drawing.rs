//! What a picture is made of: shapes with named styles, on a canvas with a title.
//!
//! Places are in drawing units, from the top left corner. A mark is a shape and the classes of its styles; later styles of a canvas win
//! over earlier ones, as in a style sheet. [`Canvas::svg`] writes marks as text, [`Canvas::png`] paints them (feature `raster`).
//!
//! Invariant: both see the same marks and the same styles, so they show the same picture.

use std::borrow::Cow;

#[cfg(feature = "raster")]
use super::RenderError;

/// A place, or a width and a height.
pub type Place = (f64, f64);

/// A colour: red, green and blue, a byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u32);

/// Which point of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Where it begins.
    Start,
    /// Its middle.
    Middle,
    /// Where it ends.
    End,
}

/// How marks of a class look; of several classes, with a dot between them, if a mark has them all.
///
/// ```
/// # use destrier::render::{Rgb, Style};
/// const DASHED: Style = Style::of("dashed").stroke(Rgb(0x1f_4e79)).width(2.0).dash(5.0, 5.0);
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a style sheet")]
pub struct Style {
    pub(super) class: &'static str,
    pub(super) fill: Option<Rgb>,
    pub(super) stroke: Option<Rgb>,
    pub(super) width: Option<f64>,
    pub(super) dash: Option<(f64, f64)>,
    pub(super) round: bool,
    pub(super) halo: bool,
    pub(super) arrow: bool,
    pub(super) clipped: bool,
    pub(super) opacity: Option<f64>,
    pub(super) size: Option<f64>,
    pub(super) anchor: Option<Anchor>,
}

impl Style {
    /// The style of a class, which changes nothing yet.
    #[must_use]
    pub const fn of(class: &'static str) -> Style {
        Style {
            class,
            fill: None,
            stroke: None,
            width: None,
            dash: None,
            round: false,
            halo: false,
            arrow: false,
            clipped: false,
            opacity: None,
            size: None,
            anchor: None,
        }
    }

    /// The colour inside; of a text, its colour.
    #[must_use]
    pub const fn fill(self, fill: Rgb) -> Style {
        Style { fill: Some(fill), ..self }
    }

    /// The colour of a line or an outline.
    #[must_use]
    pub const fn stroke(self, stroke: Rgb) -> Style {
        Style { stroke: Some(stroke), ..self }
    }

    /// The width of a line or an outline.
    #[must_use]
    pub const fn width(self, width: f64) -> Style {
        Style { width: Some(width), ..self }
    }

    /// A dashed line: the lengths of a dash and of the gap after it.
    #[must_use]
    pub const fn dash(self, dash: f64, gap: f64) -> Style {
        Style { dash: Some((dash, gap)), ..self }
    }

    /// A line with round ends.
    #[must_use]
    pub const fn round(self) -> Style {
        Style { round: true, ..self }
    }

    /// The outline lies under what is inside, and its corners are round.
    #[must_use]
    pub const fn halo(self) -> Style {
        Style { halo: true, ..self }
    }

    /// A line with an arrowhead at its end, in the colour inside if there is one.
    #[must_use]
    pub const fn arrow(self) -> Style {
        Style { arrow: true, ..self }
    }

    /// Nothing is seen outside the canvas's clip.
    #[must_use]
    pub const fn clipped(self) -> Style {
        Style { clipped: true, ..self }
    }

    /// How much of the ground is hidden, from 0 to 1.
    #[must_use]
    pub const fn opacity(self, opacity: f64) -> Style {
        Style { opacity: Some(opacity), ..self }
    }

    /// The size of a text.
    #[must_use]
    pub const fn size(self, size: f64) -> Style {
        Style { size: Some(size), ..self }
    }

    /// Where a text stands.
    #[must_use]
    pub const fn anchor(self, anchor: Anchor) -> Style {
        Style { anchor: Some(anchor), ..self }
    }

    /// Its colours alone.
    pub(super) const fn colours(&self) -> Style {
        Style { fill: self.fill, stroke: self.stroke, ..Style::of(self.class) }
    }
}

/// An outline that many marks have, as SVG path data of absolute places: `M`, `H`, `C` and `Z`, a letter for each part. One that does not
/// end with `Z` is a line.
#[derive(Debug, PartialEq)]
pub(super) struct Outline {
    pub(super) name: &'static str,
    pub(super) data: &'static str,
}

impl Outline {
    pub(super) fn is_line(&self) -> bool {
        !self.data.ends_with('Z')
    }
}

/// What is seen of a mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Rect {
        at: Place,
        size: Place,
        rounded: f64,
    },
    Circle {
        at: Place,
        radius: f64,
    },
    Line {
        from: Place,
        to: Place,
    },
    /// Squares of one side, by their top left corners.
    Squares {
        side: f64,
        corners: Vec<Place>,
    },
    /// An outline, by the place of its origin, with so many drawing units for its own.
    Outline {
        outline: &'static Outline,
        at: Place,
        scale: f64,
    },
    /// A text of its own size, if it has one, turned by this many degrees.
    Text {
        at: Place,
        text: String,
        size: Option<f64>,
        degrees: f64,
    },
}

/// One thing in a picture.
#[derive(Clone, Debug)]
pub struct Mark {
    pub(super) class: Cow<'static, str>,
    pub(super) shape: Shape,
    /// Its own colour; of a line, the line's.
    pub(super) colour: Option<Rgb>,
    /// The text that is shown when a reader points at it.
    pub(super) note: Option<String>,
}

impl Mark {
    pub(super) fn of(class: impl Into<Cow<'static, str>>, shape: Shape) -> Mark {
        Mark { class: class.into(), shape, colour: None, note: None }
    }

    /// A rectangle, by its top left corner.
    #[must_use]
    pub fn rect(class: impl Into<Cow<'static, str>>, at: Place, size: Place) -> Mark {
        Mark::of(class, Shape::Rect { at, size, rounded: 0.0 })
    }

    /// A circle, by its middle.
    #[must_use]
    pub fn circle(class: impl Into<Cow<'static, str>>, at: Place, radius: f64) -> Mark {
        Mark::of(class, Shape::Circle { at, radius })
    }

    /// A straight line.
    #[must_use]
    pub fn line(class: impl Into<Cow<'static, str>>, from: Place, to: Place) -> Mark {
        Mark::of(class, Shape::Line { from, to })
    }

    pub(super) fn outline(
        class: &'static str,
        outline: &'static Outline,
        at: Place,
        scale: f64,
    ) -> Mark {
        Mark::of(class, Shape::Outline { outline, at, scale })
    }

    /// A text on one line, by its place on the baseline.
    #[must_use]
    pub fn text(class: impl Into<Cow<'static, str>>, at: Place, text: impl Into<String>) -> Mark {
        Mark::of(class, Shape::Text { at, text: text.into(), size: None, degrees: 0.0 })
    }

    /// The rectangle with round corners.
    #[must_use]
    pub fn rounded(mut self, radius: f64) -> Mark {
        if let Shape::Rect { rounded, .. } = &mut self.shape {
            *rounded = radius;
        }
        self
    }

    /// The text in this size, where its classes have none.
    #[must_use]
    pub fn sized(mut self, own: f64) -> Mark {
        if let Shape::Text { size, .. } = &mut self.shape {
            *size = Some(own);
        }
        self
    }

    /// The text turned clockwise about its place.
    #[must_use]
    pub fn turned(mut self, by: f64) -> Mark {
        if let Shape::Text { degrees, .. } = &mut self.shape {
            *degrees = by;
        }
        self
    }

    /// The mark in a colour of its own, where its classes have none.
    #[must_use]
    pub fn filled(mut self, fill: Rgb) -> Mark {
        self.colour = Some(fill);
        self
    }

    /// The mark with words for a reader who points at it.
    #[must_use]
    pub fn noted(mut self, note: impl Into<String>) -> Mark {
        self.note = Some(note.into());
        self
    }

    /// The mark at another place, so far to the right and down.
    #[must_use]
    pub fn moved(mut self, (right, down): Place) -> Mark {
        let shift = |place: &mut Place| *place = (place.0 + right, place.1 + down);
        match &mut self.shape {
            Shape::Rect { at, .. }
            | Shape::Circle { at, .. }
            | Shape::Outline { at, .. }
            | Shape::Text { at, .. } => shift(at),
            Shape::Line { from, to } => [from, to].into_iter().for_each(shift),
            Shape::Squares { corners, .. } => corners.iter_mut().for_each(shift),
        }
        self
    }
}

/// The ground of a picture: its size, its title and its styles.
///
/// ```
/// use destrier::render::{Canvas, Mark, Rgb, Style};
///
/// const STYLES: &[Style] = &[Style::of("sun").fill(Rgb(0xf2_b632))];
/// let canvas = Canvas::new("a sunny day", (80.0, 60.0), STYLES);
/// let picture = canvas.svg([Mark::circle("sun", (60.0, 15.0), 10.0)]);
/// assert!(picture.contains("<title>a sunny day</title>"));
/// assert!(picture.contains(r#"<circle class="sun" cx="60" cy="15" r="10"/>"#));
/// ```
#[derive(Clone, Debug)]
pub struct Canvas {
    pub(super) title: String,
    pub(super) size: Place,
    pub(super) scale: f64,
    pub(super) styles: Vec<Style>,
    pub(super) dark: Vec<Style>,
    pub(super) clip: Option<(Place, Place)>,
}

impl Canvas {
    /// A canvas of this width and height; a drawing unit is a pixel.
    #[must_use]
    pub fn new(title: impl Into<String>, size: Place, styles: impl Into<Vec<Style>>) -> Canvas {
        let (title, styles) = (title.into(), styles.into());
        Canvas { title, size, scale: 1.0, styles, dark: Vec::new(), clip: None }
    }

    /// This many pixels for a drawing unit.
    #[must_use]
    pub fn scaled(self, scale: f64) -> Canvas {
        Canvas { scale, ..self }
    }

    /// Other colours where the reader prefers a dark ground; pixels are light.
    #[must_use]
    pub fn dark(self, dark: impl Into<Vec<Style>>) -> Canvas {
        Canvas { dark: dark.into(), ..self }
    }

    /// The corner and the size of the part in which marks with a clipped style are seen.
    #[must_use]
    pub fn clip(self, at: Place, size: Place) -> Canvas {
        Canvas { clip: Some((at, size)), ..self }
    }

    /// The canvas with so much more room above.
    #[cfg(feature = "raster")]
    pub(super) fn with_room_above(mut self, room: f64) -> Canvas {
        self.size.1 += room;
        if let Some((at, _)) = &mut self.clip {
            at.1 += room;
        }
        self
    }

    /// Width and height in whole pixels.
    pub(super) fn pixels(&self) -> Place {
        ((self.size.0 * self.scale).round().max(1.0), (self.size.1 * self.scale).round().max(1.0))
    }

    /// The marks as SVG.
    #[must_use]
    pub fn svg(&self, marks: impl IntoIterator<Item = Mark>) -> String {
        super::svg::write(self, marks)
    }

    /// The marks as a PNG file.
    ///
    /// # Errors
    /// When the picture has more pixels than memory can hold.
    #[cfg(feature = "raster")]
    pub fn png(&self, marks: impl IntoIterator<Item = Mark>) -> Result<Vec<u8>, RenderError> {
        super::paint::png(&super::paint::Painter::new(self)?.with(marks).picture)
    }
}
