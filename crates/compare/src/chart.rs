//! One panel of a figure: lines or dots over an axis, each named where it ends, so that no legend is needed.
//!
//! Names that would overlap are moved apart and joined to their lines. The colours can be told apart by colour-blind
//! readers, and follow the reader's light or dark theme.

use std::fmt::Write as _;

use crate::table::time;

/// The size of a panel.
pub(crate) const WIDTH: f64 = 560.0;
pub(crate) const HEIGHT: f64 = 380.0;

const LEFT: f64 = 74.0;
const TOP: f64 = 64.0;
/// The least distance of two names, and the width of a letter, at the size of a name.
const NAME_GAP: f64 = 16.0;
const LETTER: f64 = 6.6;
/// How many colours there are.
const COLOURS: usize = 8;

/// How values are laid out, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Seconds, equal steps for equal factors.
    Time,
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
    /// Draw the line on which n threads are n times as fast.
    pub(crate) ideal: bool,
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
        if scale == Scale::Time {
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
        let value = if self.scale == Scale::Time { value.max(1e-12).log10() } else { value };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn write(&self, value: f64) -> String {
        match self.scale {
            Scale::Time => tidy(&time(value)),
            Scale::Speedup => format!("{}×", tidy(&format!("{value:.2}"))),
            Scale::Percent => format!("{} %", tidy(&format!("{value:.1}"))),
        }
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
    /// The panel as SVG, to be moved to its place.
    pub(crate) fn svg(&self) -> String {
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
            let (at, text) = (y(tick), axis.write(tick));
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
                WIDTH - right,
                LEFT - 8.0,
                at + 4.0
            );
        }
        for (place, text) in &self.places {
            let (at, text) = (x(*place), escaped(text));
            let _ = if turned {
                writeln!(
                    out,
                    "<text class=\"tick end\" transform=\"translate({:.1} {:.1}) rotate(-32)\">{text}</text>",
                    at + 4.0,
                    bottom + 16.0
                )
            } else {
                writeln!(
                    out,
                    "<text class=\"tick middle\" x=\"{at:.1}\" y=\"{:.1}\">{text}</text>",
                    bottom + 20.0
                )
            };
        }
        if self.ideal {
            let _ = writeln!(
                out,
                "<path class=\"ideal\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                x(first),
                y(first),
                x(last),
                y(last)
            );
        }
        let mut names: Vec<Name> = Vec::new();
        if self.ideal {
            names.push(Name {
                text: "ideal".to_owned(),
                class: "tick".to_owned(),
                x: x(last),
                y: y(last),
                at: y(last),
            });
        }
        for (series, text) in self.series.iter().zip(ends) {
            out.push_str(&line(series, &x, &y));
            if let Some(end) = series.points.last() {
                let class = format!("n{}", series.colour);
                names.push(Name { text, class, x: x(end.x), y: y(end.y), at: y(end.y) });
            }
        }
        move_apart(&mut names, TOP - 6.0, bottom + 6.0);
        let edge = WIDTH - right + 12.0;
        for Name { text, class, x, y, at } in &names {
            let (bend, text) = (edge - 4.0, clipped(text, right - 16.0));
            let _ = writeln!(
                out,
                "<path class=\"leader\" d=\"M{:.1} {y:.1}L{bend:.1} {at:.1}\"/><text class=\"name {class}\" x=\"{edge:.1}\" y=\"{:.1}\">{text}</text>",
                x + 6.0,
                at + 4.0
            );
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
    class: String,
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

fn line(series: &Series, x: &impl Fn(f64) -> f64, y: &impl Fn(f64) -> f64) -> String {
    let colour = series.colour;
    let mut out = String::new();
    for pair in series.points.windows(2) {
        let class = if pair[1].beyond || pair[0].beyond { "line dashed" } else { "line" };
        let _ = writeln!(
            out,
            "<path class=\"{class} c{colour}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
            x(pair[0].x),
            y(pair[0].y),
            x(pair[1].x),
            y(pair[1].y)
        );
    }
    for point in &series.points {
        let (at, up) = (x(point.x), y(point.y));
        if let Some((low, high)) = point.range {
            let _ = writeln!(
                out,
                "<path class=\"range c{colour}\" d=\"M{at:.1} {:.1}V{:.1}\"/>",
                y(low),
                y(high)
            );
        }
        out.push_str(&mark(colour, at, up, point.beyond));
    }
    out
}

/// A dot, or a cross for a run that gave up.
fn mark(colour: usize, x: f64, y: f64, beyond: bool) -> String {
    if beyond {
        format!(
            "<path class=\"cross c{colour}\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>\n",
            x - 4.0,
            y - 4.0
        )
    } else {
        format!("<circle class=\"dot f{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n")
    }
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
    pub(crate) fn svg(&self) -> String {
        let mut out = heading(&self.title, &self.subtitle);
        let values: Vec<f64> =
            self.lines.iter().filter_map(|(_, _, point)| Some(point.as_ref().ok()?.y)).collect();
        let axis = Axis::of(Scale::Time, &values);
        let names = self.lines.iter().map(|(name, _, _)| length(name)).fold(0.0, f64::max);
        let left = (names + 28.0).clamp(90.0, 190.0);
        let (right, bottom) = (WIDTH - 92.0, HEIGHT - 40.0);
        let x = |value: f64| left + axis.place(value) * (right - left);
        for &tick in &axis.ticks {
            let (at, text) = (x(tick), axis.write(tick));
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/><text class=\"tick middle\" x=\"{at:.1}\" y=\"{:.1}\">{text}</text>",
                bottom + 18.0
            );
        }
        #[expect(clippy::cast_precision_loss, reason = "a plot has few lines")]
        let step = ((bottom - TOP) / self.lines.len().max(1) as f64).min(34.0);
        let mut y = TOP + step / 2.0;
        for (name, colour, point) in &self.lines {
            let name = clipped(name, left - 24.0);
            let _ = writeln!(
                out,
                "<text class=\"name end n{colour}\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
                left - 14.0,
                y + 4.0
            );
            let (at, said) = match point {
                Ok(point) => {
                    if let Some((low, high)) = point.range {
                        let _ = writeln!(
                            out,
                            "<path class=\"range c{colour}\" d=\"M{:.1} {y:.1}H{:.1}\"/>",
                            x(low),
                            x(high)
                        );
                    }
                    let _ = writeln!(
                        out,
                        "<path class=\"leader\" d=\"M{left:.1} {y:.1}H{:.1}\"/>",
                        x(point.y)
                    );
                    out.push_str(&mark(*colour, x(point.y), y, point.beyond));
                    let text = axis.write(point.y);
                    let end = point.range.map_or(point.y, |(_, high)| high.max(point.y));
                    (x(end) + 10.0, if point.beyond { format!("> {text}") } else { text })
                }
                Err(why) => (left + 4.0, why.clone()),
            };
            let said = clipped(&said, WIDTH - at - 8.0);
            let _ = writeln!(
                out,
                "<text class=\"value\" x=\"{at:.1}\" y=\"{:.1}\">{said}</text>",
                y + 4.0
            );
            y += step;
        }
        out
    }
}

fn heading(title: &str, subtitle: &str) -> String {
    format!(
        "<text class=\"title\" x=\"16\" y=\"28\">{}</text><text class=\"tick\" x=\"16\" y=\"47\">{}</text>\n",
        clipped(title, WIDTH - 100.0),
        clipped(subtitle, WIDTH + 60.0)
    )
}

/// As much of a text as fits, with an ellipsis where it is cut.
fn clipped(text: &str, wide: f64) -> String {
    if length(text) <= wide {
        return escaped(text);
    }
    let mut kept = String::new();
    for letter in text.chars() {
        if length(&kept) + 2.0 * LETTER > wide {
            break;
        }
        kept.push(letter);
    }
    escaped(&kept) + "…"
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The colour of the n-th name.
pub(crate) const fn colour(number: usize) -> usize {
    number % COLOURS
}

/// The style of a figure: light, and dark where the reader's theme is.
pub(crate) fn style() -> String {
    const LIGHT: [&str; COLOURS] =
        ["#0b62a4", "#b3420c", "#0a7052", "#7b3fa0", "#a3275f", "#6d6100", "#31708f", "#5a5a5a"];
    const DARK: [&str; COLOURS] =
        ["#6cb6ff", "#ff9a5c", "#4fd1a5", "#c99bff", "#ff86b3", "#e0cf4a", "#7fd0e8", "#b5b5b5"];
    let theme = |surface: &str, ink: &str, soft: &str, rule: &str, colours: &[&str]| {
        let mut css = format!(
            ".surface{{fill:{surface}}}text{{fill:{ink}}}.tick{{fill:{soft}}}.grid{{stroke:{rule}}}\
             .ideal{{stroke:{soft}}}.leader{{stroke:{rule}}}.dot{{stroke:{surface}}}"
        );
        for (number, colour) in colours.iter().enumerate() {
            let _ = write!(
                css,
                ".c{number}{{stroke:{colour}}}.f{number}{{fill:{colour}}}.n{number}{{fill:{colour}}}"
            );
        }
        css
    };
    format!(
        "<style>text{{font:12px \"DejaVu Sans\",Verdana,sans-serif}}.title{{font-size:15px}}.tick{{font-size:11px}}\
         .name,.value{{font-size:11px}}.end{{text-anchor:end}}.middle{{text-anchor:middle}}path{{fill:none}}\
         .line{{stroke-width:2;stroke-linejoin:round}}.dashed{{stroke-dasharray:3 4;stroke-width:1.5}}\
         .ideal{{stroke-dasharray:6 4}}.range{{stroke-width:1;opacity:.7}}.cross{{stroke-width:2}}.dot{{stroke-width:1.5}}\n\
         {}\n@media(prefers-color-scheme:dark){{{}}}</style>\n",
        theme("#ffffff", "#1b1f24", "#57606a", "#d8dee4", &LIGHT),
        theme("#0d1117", "#e6edf3", "#9198a1", "#30363d", &DARK)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_overlap() {
        let name = |y| Name { text: String::new(), class: String::new(), x: 0.0, y, at: y };
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
        let speed = Axis::of(Scale::Speedup, &[1.0, 3.7]);
        let written: Vec<String> = speed.ticks.iter().map(|&tick| speed.write(tick)).collect();
        assert_eq!(written, ["0×", "1×", "2×", "3×", "4×"]);
    }
}
