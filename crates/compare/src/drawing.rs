//! What a panel is made of: lines, dots, crosses and texts; and how these are written as SVG and as LaTeX.
//!
//! Places are in units of the panel, from its top left corner. LaTeX gets the `picture` environment, which needs no
//! package but `color` and `graphicx`: a line of any slope is a Bézier curve that is straight.

use std::fmt::Write as _;

/// The size of a panel.
pub(crate) const WIDTH: f64 = 560.0;
pub(crate) const HEIGHT: f64 = 380.0;

/// How many colours there are.
pub(crate) const COLOURS: usize = 8;
const LIGHT: [&str; COLOURS] =
    ["#0b62a4", "#b3420c", "#0a7052", "#7b3fa0", "#a3275f", "#6d6100", "#31708f", "#5a5a5a"];
const DARK: [&str; COLOURS] =
    ["#6cb6ff", "#ff9a5c", "#4fd1a5", "#c99bff", "#ff86b3", "#e0cf4a", "#7fd0e8", "#b5b5b5"];

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

/// As SVG, to be moved to its place; the style is [`style`].
pub(crate) fn svg(marks: &[Mark]) -> String {
    let mut out = String::new();
    for mark in marks {
        let _ = match mark {
            Mark::Line(stroke, (x1, y1), (x2, y2)) => {
                let class = match stroke {
                    Stroke::Grid => "grid".to_owned(),
                    Stroke::Leader => "leader".to_owned(),
                    Stroke::Ideal => "ideal".to_owned(),
                    Stroke::Solid(colour) => format!("line c{colour}"),
                    Stroke::Dashed(colour) => format!("line dashed c{colour}"),
                    Stroke::Range(colour) => format!("range c{colour}"),
                };
                writeln!(out, "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>")
            }
            Mark::Dot(colour, (x, y)) => {
                writeln!(
                    out,
                    "<circle class=\"dot f{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
                )
            }
            Mark::Cross(colour, (x, y)) => writeln!(
                out,
                "<path class=\"cross c{colour}\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>",
                x - 4.0,
                y - 4.0
            ),
            Mark::Text(voice, anchor, (x, y), text) => {
                let voice = match voice {
                    Voice::Title => "title".to_owned(),
                    Voice::Tick => "tick".to_owned(),
                    Voice::Value => "value".to_owned(),
                    Voice::Name(colour) => format!("name n{colour}"),
                };
                let text = escaped(text);
                let (anchor, place) = match anchor {
                    Anchor::Start => ("", format!("x=\"{x:.1}\" y=\"{y:.1}\"")),
                    Anchor::Middle => (" middle", format!("x=\"{x:.1}\" y=\"{y:.1}\"")),
                    Anchor::End => (" end", format!("x=\"{x:.1}\" y=\"{y:.1}\"")),
                    Anchor::Rising => {
                        (" end", format!("transform=\"translate({x:.1} {y:.1}) rotate(-32)\""))
                    }
                };
                writeln!(out, "<text class=\"{voice}{anchor}\" {place}>{text}</text>")
            }
        };
    }
    out
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
    let parts = |hex: &str| {
        let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
        [1, 3, 5].map(|at| format!("{:.3}", f64::from(part(at)) / 255.0)).join(",")
    };
    let mut out = String::new();
    let own = LIGHT.iter().enumerate().map(|(number, hex)| (format!("c{number}"), *hex));
    let others = [("soft".to_owned(), "#57606a"), ("rule".to_owned(), "#c9d1d9")];
    for (name, hex) in own.chain(others) {
        let _ = writeln!(out, "\\definecolor{{{name}}}{{rgb}}{{{}}}", parts(hex));
    }
    out
}

/// A text in SVG and HTML.
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

/// The style of a figure: light, and dark where the reader's theme is.
pub(crate) fn style() -> String {
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
        let (svg, tex) = (svg(&marks), tex(&marks));
        assert!(svg.contains("<path class=\"line c1\" d=\"M10.0 20.0L30.0 40.0\"/>"), "{svg}");
        assert!(svg.contains(">A &amp; B</text>"), "{svg}");
        // Upwards from the bottom.
        assert!(tex.contains("(10.0,360.0)(20.0,350.0)(30.0,340.0)"), "{tex}");
        assert!(tex.contains("\\put(30.0,340.0){\\textcolor{c2}{\\circle*{7}}}"), "{tex}");
        assert!(tex.contains("A \\& B") && tex.ends_with("\\end{picture}\n"), "{tex}");
    }
}
