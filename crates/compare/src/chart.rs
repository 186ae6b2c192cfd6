//! One panel of a figure: lines or dots over an axis, each named where it ends, so that no legend is needed.
//!
//! Names that would overlap are moved apart and joined to their lines. The colours can be distinguished by colour-blind
//! readers, and follow the reader's light or dark theme.

use crate::drawing::{Anchor, COLOURS, HEIGHT, Mark, Stroke, Voice, WIDTH};
use crate::table::{scaled, time};

const LEFT: f64 = 74.0;
const TOP: f64 = 64.0;
/// The least distance of two names, and the width of a letter, at the size of a name.
const NAME_GAP: f64 = 16.0;
const LETTER: f64 = 6.6;

/// How values are laid out, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Seconds, equal steps for equal factors.
    Time,
    /// Numbers of nodes, equal steps for equal factors.
    Nodes,
    /// Times as fast, from 0.
    Speedup,
    /// Percent, from 0.
    Percent,
}

/// A point, the range of its runs, and whether it is only known to lie beyond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) range: Option<(f64, f64)>,
    /// Not reached: the run gave up here.
    pub(crate) beyond: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Which colour, the same for one name in all panels.
    pub(crate) colour: usize,
    pub(crate) points: Vec<Point>,
}

/// Lines over places on an axis.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) scale: Scale,
    /// Places on the axis below, and what is written there.
    pub(crate) places: Vec<(f64, String)>,
    pub(crate) series: Vec<Series>,
    /// Draw the line on which n cores are n times as fast.
    pub(crate) ideal: bool,
}

impl Scale {
    const fn is_logarithmic(self) -> bool {
        matches!(self, Scale::Time | Scale::Nodes)
    }

    /// A value with its unit.
    pub(crate) fn write(self, value: f64) -> String {
        match self {
            Scale::Time => tidy(&time(value)),
            Scale::Nodes => tidy(&scaled(value, &["", " k", " M", " G", " T"], 1000.0)),
            Scale::Speedup => format!("{}×", tidy(&format!("{value:.2}"))),
            Scale::Percent => format!("{} %", tidy(&format!("{value:.1}"))),
        }
    }
}

/// Where the values of an axis lie.
struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    ticks: Vec<f64>,
}

impl Axis {
    fn of(scale: Scale, values: &[f64]) -> Axis {
        let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        if scale.is_logarithmic() {
            let least = values.iter().copied().filter(|&v| v > 0.0).fold(most, f64::min);
            let (low, high) = (least.log10().floor(), most.log10().ceil());
            let (low, high) = (low, if high > low { high } else { low + 1.0 });
            let step = ((high - low) / 7.0).ceil().max(1.0);
            let ticks = steps(low, high, step).into_iter().map(|power| 10_f64.powf(power));
            return Axis { scale, low, high, ticks: ticks.collect() };
        }
        let step = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]
            .into_iter()
            .find(|step| most / step <= 6.0)
            .unwrap_or(most / 5.0);
        let high = (most / step).ceil() * step;
        Axis { scale, low: 0.0, high, ticks: steps(0.0, high, step) }
    }

    /// Where a value lies on the axis, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let value = if self.scale.is_logarithmic() { value.max(1e-12).log10() } else { value };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn write(&self, value: f64) -> String {
        self.scale.write(value)
    }
}

/// From low to high in steps.
fn steps(low: f64, high: f64, step: f64) -> Vec<f64> {
    let mut ticks = Vec::new();
    let mut number = 0.0;
    while low + number * step <= high + step * 1e-6 {
        ticks.push(low + number * step);
        number += 1.0;
    }
    ticks
}

/// `1.00 ms` as `1 ms`, `2.0` as `2`.
fn tidy(text: &str) -> String {
    let (number, unit) = text.split_once(' ').map_or((text, ""), |(n, u)| (n, u));
    let number = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    if unit.is_empty() { number.to_owned() } else { format!("{number} {unit}") }
}

/// The length of a text at the size of names; our letters are nearly of one width.
#[expect(clippy::cast_precision_loss, reason = "a name is short")]
fn length(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

impl Chart {
    /// What the panel is made of.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        let mut out = heading(&self.title, &self.subtitle);
        let values: Vec<f64> = self
            .series
            .iter()
            .flat_map(|s| &s.points)
            .flat_map(|p| [Some(p.y), p.range.map(|r| r.0), p.range.map(|r| r.1)])
            .flatten()
            .chain(self.ideal.then(|| self.places.last().map_or(1.0, |place| place.0)))
            .collect();
        let axis = Axis::of(self.scale, &values);
        let (first, last) = (self.places[0].0, self.places[self.places.len() - 1].0);
        let ends: Vec<String> = self.series.iter().map(|series| ending(series, &axis)).collect();
        let longest = ends.iter().map(|text| length(text)).fold(0.0, f64::max);
        let right = (longest + 22.0).clamp(90.0, 240.0);
        let wide = WIDTH - LEFT - right;
        let longest = self.places.iter().map(|(_, text)| length(text)).fold(0.0, f64::max);
        #[expect(clippy::cast_precision_loss, reason = "a plot has few places")]
        let turned = longest > wide / self.places.len() as f64 - 4.0;
        let bottom = HEIGHT - if turned { (longest * 0.5 + 26.0).min(110.0) } else { 40.0 };
        // A margin on both sides, so that points do not sit on the axis.
        let x = |value: f64| {
            let part = if last > first { (value - first) / (last - first) } else { 0.5 };
            LEFT + 14.0 + part * (wide - 28.0)
        };
        let y = |value: f64| bottom - axis.place(value) * (bottom - TOP);
        for &tick in &axis.ticks {
            let at = y(tick);
            out.push(Mark::Line(Stroke::Grid, (LEFT, at), (WIDTH - right, at)));
            let place = (LEFT - 8.0, at + 4.0);
            out.push(Mark::Text(Voice::Tick, Anchor::End, place, axis.write(tick)));
        }
        for (place, text) in &self.places {
            let (anchor, place) = if turned {
                (Anchor::Rising, (x(*place) + 4.0, bottom + 16.0))
            } else {
                (Anchor::Middle, (x(*place), bottom + 20.0))
            };
            out.push(Mark::Text(Voice::Tick, anchor, place, text.clone()));
        }
        let mut names: Vec<Name> = Vec::new();
        if self.ideal {
            out.push(Mark::Line(Stroke::Ideal, (x(first), y(first)), (x(last), y(last))));
            let (x, y) = (x(last), y(last));
            names.push(Name { text: "ideal".to_owned(), voice: Voice::Tick, x, y, at: y });
        }
        for (series, text) in self.series.iter().zip(ends) {
            out.extend(line(series, &x, &y));
            if let Some(end) = series.points.last() {
                let voice = Voice::Name(series.colour);
                names.push(Name { text, voice, x: x(end.x), y: y(end.y), at: y(end.y) });
            }
        }
        move_apart(&mut names, TOP - 6.0, bottom + 6.0);
        let edge = WIDTH - right + 12.0;
        for Name { text, voice, x, y, at } in &names {
            out.push(Mark::Line(Stroke::Leader, (x + 6.0, *y), (edge - 4.0, *at)));
            let text = clipped(text, right - 16.0);
            out.push(Mark::Text(*voice, Anchor::Start, (edge, at + 4.0), text));
        }
        out
    }
}

/// What is written where a line ends: its name, and its last value.
fn ending(series: &Series, axis: &Axis) -> String {
    let value = series
        .points
        .last()
        .map(|end| if end.beyond { "gave up".to_owned() } else { axis.write(end.y) });
    format!("{} {}", series.name, value.unwrap_or_default())
}

/// A name beside a panel: where its line ends, and where it is written.
struct Name {
    text: String,
    voice: Voice,
    x: f64,
    y: f64,
    at: f64,
}

/// Moves names apart, up and down from where they would like to be, within the panel.
fn move_apart(names: &mut [Name], top: f64, bottom: f64) {
    names.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut floor = top;
    for name in names.iter_mut() {
        name.at = name.y.max(floor);
        floor = name.at + NAME_GAP;
    }
    let mut ceiling = bottom;
    for name in names.iter_mut().rev() {
        name.at = name.at.min(ceiling);
        ceiling = name.at - NAME_GAP;
    }
}

fn line(series: &Series, x: &impl Fn(f64) -> f64, y: &impl Fn(f64) -> f64) -> Vec<Mark> {
    let colour = series.colour;
    let mut out = Vec::new();
    for pair in series.points.windows(2) {
        let is_open = pair[1].beyond || pair[0].beyond;
        let stroke = if is_open { Stroke::Dashed(colour) } else { Stroke::Solid(colour) };
        let place = |point: &Point| (x(point.x), y(point.y));
        out.push(Mark::Line(stroke, place(&pair[0]), place(&pair[1])));
    }
    for point in &series.points {
        let at = x(point.x);
        if let Some((low, high)) = point.range {
            out.push(Mark::Line(Stroke::Range(colour), (at, y(low)), (at, y(high))));
        }
        out.push(mark(colour, (at, y(point.y)), point.beyond));
    }
    out
}

/// A dot, or a cross for a run that gave up.
const fn mark(colour: usize, place: (f64, f64), beyond: bool) -> Mark {
    if beyond { Mark::Cross(colour, place) } else { Mark::Dot(colour, place) }
}

/// Times side by side, one line each, for a single question.
#[derive(Clone, Debug)]
pub(crate) struct Dots {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// A name, a colour and a time; `None` with why not.
    pub(crate) lines: Vec<(String, usize, Result<Point, String>)>,
}

impl Dots {
    /// What the panel is made of.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        let mut out = heading(&self.title, &self.subtitle);
        let values: Vec<f64> =
            self.lines.iter().filter_map(|(_, _, point)| Some(point.as_ref().ok()?.y)).collect();
        let axis = Axis::of(Scale::Time, &values);
        let names = self.lines.iter().map(|(name, _, _)| length(name)).fold(0.0, f64::max);
        let left = (names + 28.0).clamp(90.0, 190.0);
        let (right, bottom) = (WIDTH - 92.0, HEIGHT - 40.0);
        let x = |value: f64| left + axis.place(value) * (right - left);
        for &tick in &axis.ticks {
            let at = x(tick);
            out.push(Mark::Line(Stroke::Grid, (at, TOP), (at, bottom)));
            let place = (at, bottom + 18.0);
            out.push(Mark::Text(Voice::Tick, Anchor::Middle, place, axis.write(tick)));
        }
        #[expect(clippy::cast_precision_loss, reason = "a plot has few lines")]
        let step = ((bottom - TOP) / self.lines.len().max(1) as f64).min(34.0);
        let mut y = TOP + step / 2.0;
        for (name, colour, point) in &self.lines {
            let (name, place) = (clipped(name, left - 24.0), (left - 14.0, y + 4.0));
            out.push(Mark::Text(Voice::Name(*colour), Anchor::End, place, name));
            let (at, said) = match point {
                Ok(point) => {
                    if let Some((low, high)) = point.range {
                        out.push(Mark::Line(Stroke::Range(*colour), (x(low), y), (x(high), y)));
                    }
                    out.push(Mark::Line(Stroke::Leader, (left, y), (x(point.y), y)));
                    out.push(mark(*colour, (x(point.y), y), point.beyond));
                    let text = axis.write(point.y);
                    let end = point.range.map_or(point.y, |(_, high)| high.max(point.y));
                    (x(end) + 10.0, if point.beyond { format!("> {text}") } else { text })
                }
                Err(why) => (left + 4.0, why.clone()),
            };
            let said = clipped(&said, WIDTH - at - 8.0);
            out.push(Mark::Text(Voice::Value, Anchor::Start, (at, y + 4.0), said));
            y += step;
        }
        out
    }
}

fn heading(title: &str, subtitle: &str) -> Vec<Mark> {
    let text = |voice, y, text| Mark::Text(voice, Anchor::Start, (16.0, y), text);
    vec![
        text(Voice::Title, 28.0, clipped(title, WIDTH - 100.0)),
        text(Voice::Tick, 47.0, clipped(subtitle, WIDTH + 60.0)),
    ]
}

/// As much of a text as fits, with an ellipsis where it is cut.
fn clipped(text: &str, wide: f64) -> String {
    if length(text) <= wide {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        if length(&kept) + 2.0 * LETTER > wide {
            break;
        }
        kept.push(letter);
    }
    kept + "…"
}

/// The colour of the n-th name.
pub(crate) const fn colour(number: usize) -> usize {
    number % COLOURS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_overlap() {
        let name = |y| Name { text: String::new(), voice: Voice::Tick, x: 0.0, y, at: y };
        let mut names: Vec<Name> =
            [100.0, 101.0, 101.0, 99.0, 300.0, 310.0, 318.0].map(name).into();
        move_apart(&mut names, 60.0, 320.0);
        assert!(names.windows(2).all(|pair| pair[1].at - pair[0].at >= NAME_GAP - 1e-9));
        assert!(names.iter().all(|name| (60.0..=320.0).contains(&name.at)));
    }

    #[test]
    fn ticks_are_round_numbers() {
        let times = Axis::of(Scale::Time, &[0.000_3, 12.0]);
        let written: Vec<String> = times.ticks.iter().map(|&tick| times.write(tick)).collect();
        assert_eq!(written, ["100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"]);
        let nodes = Axis::of(Scale::Nodes, &[20.0, 4_000_000.0]);
        let written: Vec<String> = nodes.ticks.iter().map(|&tick| nodes.write(tick)).collect();
        assert_eq!(written, ["10", "100", "1 k", "10 k", "100 k", "1 M", "10 M"]);
        let speed = Axis::of(Scale::Speedup, &[1.0, 3.7]);
        let written: Vec<String> = speed.ticks.iter().map(|&tick| speed.write(tick)).collect();
        assert_eq!(written, ["0×", "1×", "2×", "3×", "4×"]);
    }
}
