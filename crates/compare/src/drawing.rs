//! What a panel is made of: lines, dots, crosses and texts; and how these are drawn, and written as LaTeX.
//!
//! Places are in units of the panel, from its top left corner. LaTeX gets the `picture` environment, which needs no
//! package but `color` and `graphicx`: a line of any slope is a Bézier curve that is straight.

use std::fmt::Write as _;

use destrier::render::{self, Anchor as Align, Place, Rgb, Style};

/// The size of a panel.
pub(crate) const WIDTH: f64 = 560.0;
pub(crate) const HEIGHT: f64 = 380.0;

/// How many colours there are.
pub(crate) const COLOURS: usize = 8;

/// The colours of a figure.
struct Theme {
    surface: Rgb,
    ink: Rgb,
    soft: Rgb,
    rule: Rgb,
    series: [Rgb; COLOURS],
}

const LIGHT: Theme = Theme {
    surface: Rgb(0xff_ffff),
    ink: Rgb(0x1b_1f24),
    soft: Rgb(0x57_606a),
    rule: Rgb(0xd8_dee4),
    series: [
        Rgb(0x0b_62a4),
        Rgb(0xb3_420c),
        Rgb(0x0a_7052),
        Rgb(0x7b_3fa0),
        Rgb(0xa3_275f),
        Rgb(0x6d_6100),
        Rgb(0x31_708f),
        Rgb(0x5a_5a5a),
    ],
};
const DARK: Theme = Theme {
    surface: Rgb(0x0d_1117),
    ink: Rgb(0xe6_edf3),
    soft: Rgb(0x91_98a1),
    rule: Rgb(0x30_363d),
    series: [
        Rgb(0x6c_b6ff),
        Rgb(0xff_9a5c),
        Rgb(0x4f_d1a5),
        Rgb(0xc9_9bff),
        Rgb(0xff_86b3),
        Rgb(0xe0_cf4a),
        Rgb(0x7f_d0e8),
        Rgb(0xb5_b5b5),
    ],
};

/// A line's part in the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// Across the panel, at a tick.
    Grid,
    /// From a line's end to its name.
    Leader,
    /// Where n cores are n times as fast.
    Ideal,
    /// Between two points, in a colour.
    Solid(usize),
    /// Between two points of which one is only known to lie beyond.
    Dashed(usize),
    /// From the least to the most of a point's runs.
    Range(usize),
}

/// A text's part in the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    Title,
    Tick,
    Value,
    /// The name of a series, in its colour.
    Name(usize),
}

/// Which point of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
    /// Its end, and the text rises towards it.
    Rising,
}

/// One thing in a panel.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    Line(Stroke, (f64, f64), (f64, f64)),
    Dot(usize, (f64, f64)),
    Cross(usize, (f64, f64)),
    Text(Voice, Anchor, (f64, f64), String),
}

/// A thing as it is drawn, in the styles of [`canvas`].
pub(crate) fn drawn(mark: &Mark) -> Vec<render::Mark> {
    match mark {
        Mark::Line(stroke, from, to) => {
            let class = match stroke {
                Stroke::Grid => "grid".into(),
                Stroke::Leader => "leader".into(),
                Stroke::Ideal => "ideal".into(),
                Stroke::Solid(colour) => format!("line c{colour}"),
                Stroke::Dashed(colour) => format!("line dashed c{colour}"),
                Stroke::Range(colour) => format!("range c{colour}"),
            };
            vec![render::Mark::line(class, *from, *to)]
        }
        Mark::Dot(colour, place) => {
            vec![render::Mark::circle(format!("dot f{colour}"), *place, 4.0)]
        }
        Mark::Cross(colour, (x, y)) => [-4.0, 4.0]
            .map(|rise| {
                let ends = ((x - 4.0, y + rise), (x + 4.0, y - rise));
                render::Mark::line(format!("cross c{colour}"), ends.0, ends.1)
            })
            .into(),
        Mark::Text(voice, anchor, place, text) => {
            let voice = match voice {
                Voice::Title => "title".to_owned(),
                Voice::Tick => "tick".to_owned(),
                Voice::Value => "value".to_owned(),
                Voice::Name(colour) => format!("name f{colour}"),
            };
            let (anchor, degrees) = match anchor {
                Anchor::Start => ("", 0.0),
                Anchor::Middle => (" middle", 0.0),
                Anchor::End => (" end", 0.0),
                Anchor::Rising => (" end", -32.0),
            };
            vec![render::Mark::text(voice + anchor, *place, text).turned(degrees)]
        }
    }
}

/// The ground of a figure, light, and dark where the reader's theme is; and its first mark.
pub(crate) fn canvas(title: &str, size: Place) -> (render::Canvas, render::Mark) {
    let canvas = render::Canvas::new(title, size, styles(&LIGHT)).dark(styles(&DARK));
    (canvas, render::Mark::rect("surface", (0.0, 0.0), size).rounded(8.0))
}

fn styles(theme: &Theme) -> Vec<Style> {
    const STROKES: [&str; COLOURS] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];
    const FILLS: [&str; COLOURS] = ["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"];
    let mut styles = vec![
        Style::of("surface").fill(theme.surface),
        Style::of("title").fill(theme.ink).size(15.0),
        Style::of("tick").fill(theme.soft).size(11.0),
        Style::of("value").fill(theme.ink).size(11.0),
        Style::of("name").size(11.0),
        Style::of("middle").anchor(Align::Middle),
        Style::of("end").anchor(Align::End),
        Style::of("grid").stroke(theme.rule),
        Style::of("leader").stroke(theme.rule),
        Style::of("ideal").stroke(theme.soft).dash(6.0, 4.0),
        Style::of("line").width(2.0),
        Style::of("dashed").width(1.5).dash(3.0, 4.0),
        Style::of("range").width(1.0).opacity(0.7),
        Style::of("cross").width(2.0),
        Style::of("dot").stroke(theme.surface).width(1.5),
    ];
    let series = STROKES.iter().zip(FILLS).zip(theme.series);
    styles.extend(series.flat_map(|((stroke, fill), colour)| {
        [Style::of(stroke).stroke(colour), Style::of(fill).fill(colour)]
    }));
    styles
}

/// As a `picture` of LaTeX, 123 mm wide: two fit on a page.
pub(crate) fn tex(marks: &[Mark]) -> String {
    let mut out =
        format!("\\setlength{{\\unitlength}}{{0.22mm}}\n\\begin{{picture}}({WIDTH},{HEIGHT})\n");
    let up = |y: f64| HEIGHT - y;
    for mark in marks {
        let _ = match *mark {
            Mark::Line(stroke, (x1, y1), (x2, y2)) => {
                let (colour, dotted) = match stroke {
                    Stroke::Grid | Stroke::Leader => ("rule".to_owned(), false),
                    Stroke::Ideal => ("soft".to_owned(), true),
                    Stroke::Solid(colour) | Stroke::Range(colour) => (format!("c{colour}"), false),
                    Stroke::Dashed(colour) => (format!("c{colour}"), true),
                };
                // A curve is drawn as dots; so many look like a line, and a tenth of them like a dotted one.
                let length = (x2 - x1).hypot(y2 - y1);
                let dots = (length * if dotted { 0.2 } else { 2.0 }).ceil().clamp(2.0, 1500.0);
                let (x, y) = (f64::midpoint(x1, x2), up(f64::midpoint(y1, y2)));
                let (y1, y2) = (up(y1), up(y2));
                writeln!(
                    out,
                    "\\textcolor{{{colour}}}{{\\qbezier[{dots}]({x1:.1},{y1:.1})({x:.1},{y:.1})({x2:.1},{y2:.1})}}"
                )
            }
            Mark::Dot(colour, (x, y)) => writeln!(
                out,
                "\\put({x:.1},{:.1}){{\\textcolor{{c{colour}}}{{\\circle*{{7}}}}}}",
                up(y)
            ),
            Mark::Cross(colour, (x, y)) => writeln!(
                out,
                "\\put({x:.1},{:.1}){{\\makebox(0,0){{\\textcolor{{c{colour}}}{{$\\times$}}}}}}",
                up(y)
            ),
            Mark::Text(voice, anchor, (x, y), ref text) => {
                let (size, colour) = match voice {
                    Voice::Title => ("\\normalsize\\bfseries", "black".to_owned()),
                    Voice::Tick => ("\\scriptsize", "soft".to_owned()),
                    Voice::Value => ("\\scriptsize", "black".to_owned()),
                    Voice::Name(colour) => ("\\scriptsize", format!("c{colour}")),
                };
                let (text, y) = (tex_escaped(text), up(y));
                let text = format!("\\textcolor{{{colour}}}{{{size} {text}}}");
                match anchor {
                    Anchor::Start => writeln!(out, "\\put({x:.1},{y:.1}){{{text}}}"),
                    Anchor::Middle => {
                        writeln!(out, "\\put({x:.1},{y:.1}){{\\makebox(0,0)[b]{{{text}}}}}")
                    }
                    Anchor::End => writeln!(out, "\\put({x:.1},{y:.1}){{\\llap{{{text}}}}}"),
                    Anchor::Rising => writeln!(
                        out,
                        "\\put({x:.1},{y:.1}){{\\rotatebox{{32}}{{\\llap{{{text}}}}}}}"
                    ),
                }
            }
        };
    }
    out.push_str("\\end{picture}\n");
    out
}

/// The colours of [`tex`].
pub(crate) fn tex_colours() -> String {
    let mut out = String::new();
    let own = LIGHT.series.iter().enumerate().map(|(number, &hue)| (format!("c{number}"), hue));
    let others = [("soft".to_owned(), LIGHT.soft), ("rule".to_owned(), Rgb(0xc9_d1d9))];
    for (name, Rgb(hue)) in own.chain(others) {
        let parts = hue.to_be_bytes().map(|part| format!("{:.3}", f64::from(part) / 255.0));
        let _ = writeln!(out, "\\definecolor{{{name}}}{{rgb}}{{{}}}", parts[1..].join(","));
    }
    out
}

/// A text in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text in LaTeX, which any engine reads: the letters beyond ASCII that a report has are written as commands.
pub(crate) fn tex_escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', letter]),
            '<' | '>' | '|' | '*' => out.extend(['$', letter, '$']),
            '"' => out.push_str("''"),
            // Two hyphens are not a dash.
            '-' if out.ends_with('-') => out.push_str("{}-"),
            '×' => out.push_str("$\\times$"),
            '−' => out.push_str("$-$"),
            '·' => out.push_str("$\\cdot$"),
            'µ' => out.push_str("$\\mu$"),
            '…' => out.push_str("\\ldots{}"),
            '–' => out.push_str("--"),
            '₁' => out.push_str("$_1$"),
            '²' => out.push_str("$^2$"),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_a_meaning_are_escaped() {
        assert_eq!(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
        assert_eq!(
            tex_escaped("50 % of $x_1 & 2× {µs} --open"),
            "50 \\% of \\$x\\_1 \\& 2$\\times$ \\{$\\mu$s\\} -{}-open"
        );
        assert_eq!(tex_escaped("a\\b"), "a\\textbackslash{}b");
    }

    #[test]
    fn the_same_marks_are_drawn_in_both_forms() {
        let marks = [
            Mark::Line(Stroke::Solid(1), (10.0, 20.0), (30.0, 40.0)),
            Mark::Dot(2, (30.0, 40.0)),
            Mark::Text(Voice::Title, Anchor::Start, (16.0, 28.0), "A & B".to_owned()),
        ];
        let (canvas, ground) = canvas("A & B", (WIDTH, HEIGHT));
        let svg = canvas.svg(std::iter::once(ground).chain(marks.iter().flat_map(drawn)));
        let tex = tex(&marks);
        assert!(svg.contains("<path class=\"line c1\" d=\"M10 20L30 40\"/>"), "{svg}");
        for colour in [".c1 { stroke: #b3420c; }", ".c1 { stroke: #ff9a5c; }"] {
            assert!(svg.contains(colour), "{svg}");
        }
        assert!(svg.contains(">A &amp; B</text>"), "{svg}");
        // Upwards from the bottom.
        assert!(tex.contains("(10.0,360.0)(20.0,350.0)(30.0,340.0)"), "{tex}");
        assert!(tex.contains("\\put(30.0,340.0){\\textcolor{c2}{\\circle*{7}}}"), "{tex}");
        assert!(tex.contains("A \\& B") && tex.ends_with("\\end{picture}\n"), "{tex}");
    }
}
