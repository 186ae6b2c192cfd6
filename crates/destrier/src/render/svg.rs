//! Marks as SVG text: the title for screen readers, a style sheet, and an element for each mark.
//!
//! Numbers have two decimals at most, and texts are escaped. An outline is written once, before the first mark that has it.

use std::fmt::{self, Display, Write as _};

use super::drawing::{Anchor, Canvas, Mark, Outline, Place, Rgb, Shape, Style};

/// The marks on their canvas.
pub(super) fn write(canvas: &Canvas, marks: impl IntoIterator<Item = Mark>) -> String {
    let mut out = String::new();
    let _ = head(&mut out, canvas); // a string takes all that is written
    let mut outlines = Vec::new();
    for mark in marks {
        if let Shape::Outline { outline, .. } = mark.shape
            && !outlines.contains(&outline.name)
        {
            outlines.push(outline.name);
            let _ = definition(&mut out, outline);
        }
        let _ = element(&mut out, &mark);
    }
    out + "</svg>\n"
}

/// A number with at most two decimals.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_possible_truncation, reason = "a picture has fewer units than that")]
        let hundredths = (self.0 * 100.0).round() as i64;
        if hundredths < 0 {
            f.write_str("-")?;
        }
        let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
        match (rest, rest % 10) {
            (0, _) => whole.fmt(f),
            (_, 0) => write!(f, "{whole}.{}", rest / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// A text without letters that mean something in SVG.
struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            letter => f.write_char(letter),
        })
    }
}

fn head(out: &mut String, canvas: &Canvas) -> fmt::Result {
    let ((width, height), (wide, high)) = (canvas.pixels(), canvas.size);
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" viewBox="0 0 {} {}">"#,
        Short(wide),
        Short(high)
    )?;
    writeln!(out, "<title>{}</title>", Escaped(&canvas.title))?;
    if let Some((at, size)) = canvas.clip {
        writeln!(out, r#"<clipPath id="clip"><rect{}/></clipPath>"#, Area(at, size))?;
    }
    if let Some(colour) =
        canvas.styles.iter().find(|style| style.arrow).and_then(|s| s.fill.or(s.stroke))
    {
        writeln!(
            out,
            r#"<marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0L6 3L0 6z" fill="{colour}"/></marker>"#
        )?;
    }
    out.push_str("<style>\ntext { font-family: \"DejaVu Sans\", Verdana, sans-serif; }\n");
    canvas.styles.iter().try_for_each(|style| rule(out, style))?;
    if !canvas.dark.is_empty() {
        out.push_str("@media (prefers-color-scheme: dark) {\n");
        let coloured = canvas.dark.iter().filter(|style| style.fill.or(style.stroke).is_some());
        coloured.map(Style::colours).try_for_each(|style| rule(out, &style))?;
        out.push_str("}\n");
    }
    out.push_str("</style>\n");
    Ok(())
}

/// A rule of the style sheet.
fn rule(out: &mut String, style: &Style) -> fmt::Result {
    write!(out, ".{} {{", style.class)?;
    let mut declare = |name: &str, value: Option<String>| match value {
        Some(value) => write!(out, " {name}: {value};"),
        None => Ok(()),
    };
    let number = |value: Option<f64>| value.map(|value| Short(value).to_string());
    let word = |is_set: bool, word: &str| is_set.then(|| word.to_owned());
    let anchor = |anchor: Anchor| match anchor {
        Anchor::Start => "start".to_owned(),
        Anchor::Middle => "middle".to_owned(),
        Anchor::End => "end".to_owned(),
    };
    declare("fill", style.fill.map(|fill| fill.to_string()))?;
    declare("stroke", style.stroke.map(|stroke| stroke.to_string()))?;
    declare("stroke-width", number(style.width))?;
    declare(
        "stroke-dasharray",
        style.dash.map(|(dash, gap)| format!("{} {}", Short(dash), Short(gap))),
    )?;
    declare("stroke-linecap", word(style.round, "round"))?;
    declare("paint-order", word(style.halo, "stroke"))?;
    declare("stroke-linejoin", word(style.halo, "round"))?;
    declare("marker-end", word(style.arrow, "url(#arrow)"))?;
    declare("clip-path", word(style.clipped, "url(#clip)"))?;
    declare("opacity", number(style.opacity))?;
    declare("font-size", style.size.map(|size| format!("{}px", Short(size))))?;
    declare("text-anchor", style.anchor.map(anchor))?;
    out.push_str(" }\n");
    Ok(())
}

/// The place and the size of a rectangle.
struct Area(Place, Place);

impl Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, width, height] = [self.0.0, self.0.1, self.1.0, self.1.1].map(Short);
        write!(f, r#" x="{x}" y="{y}" width="{width}" height="{height}""#)
    }
}

/// An outline, to be used by its name.
fn definition(out: &mut String, outline: &Outline) -> fmt::Result {
    let (name, data) = (outline.name, outline.data);
    let fill = if outline.is_line() { r#" fill="none""# } else { "" };
    writeln!(out, r#"<defs><path id="{name}"{fill} d="{data}"/></defs>"#)
}

fn element(out: &mut String, mark: &Mark) -> fmt::Result {
    let class = &mark.class;
    let name = match &mark.shape {
        Shape::Rect { at, size, rounded } => {
            write!(out, r#"<rect class="{class}"{}"#, Area(*at, *size))?;
            if *rounded > 0.0 {
                write!(out, r#" rx="{}""#, Short(*rounded))?;
            }
            "rect"
        }
        Shape::Circle { at, radius } => {
            let [x, y, radius] = [at.0, at.1, *radius].map(Short);
            write!(out, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}""#)?;
            "circle"
        }
        Shape::Line { from, to } => {
            let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(Short);
            write!(out, r#"<path class="{class}" d="M{x1} {y1}L{x2} {y2}""#)?;
            "path"
        }
        Shape::Squares { side, corners } => {
            write!(out, r#"<path class="{class}" d=""#)?;
            for &(x, y) in corners {
                let [x, y, side] = [x, y, *side].map(Short);
                write!(out, "M{x} {y}h{side}v{side}h-{side}z")?;
            }
            out.push('"');
            "path"
        }
        Shape::Outline { outline, at: (x, y), scale } => {
            let (name, x, y) = (outline.name, Short(*x), Short(*y));
            write!(out, r##"<use class="{class}" href="#{name}""##)?;
            write!(out, r#" transform="translate({x} {y}) scale({scale})""#)?;
            "use"
        }
        Shape::Text { at: (x, y), size, degrees, .. } => {
            let (x, y) = (Short(*x), Short(*y));
            write!(out, r#"<text class="{class}" x="{x}" y="{y}""#)?;
            if let Some(size) = size {
                write!(out, r#" font-size="{}""#, Short(*size))?;
            }
            if *degrees != 0.0 {
                write!(out, r#" transform="rotate({} {x} {y})""#, Short(*degrees))?;
            }
            "text"
        }
    };
    if let Some(colour) = mark.colour {
        let part = if matches!(mark.shape, Shape::Line { .. }) { "stroke" } else { "fill" };
        write!(out, r#" {part}="{colour}""#)?;
    }
    match (&mark.shape, &mark.note) {
        (Shape::Text { text, .. }, _) => writeln!(out, ">{}</{name}>", Escaped(text)),
        (_, Some(note)) => writeln!(out, "><title>{}</title></{name}>", Escaped(note)),
        _ => writeln!(out, "/>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_texts_are_escaped() {
        let written = [0.0, -0.001, 40.0, 78.800_000_01, -2.05, 1.0 / 3.0, 12_345_678.9];
        let written = written.map(|number| Short(number).to_string());
        assert_eq!(written, ["0", "0", "40", "78.8", "-2.05", "0.33", "12345678.9"]);
        assert_eq!(Escaped("a<b>&\"c\"").to_string(), "a&lt;b&gt;&amp;&quot;c&quot;");
    }

    #[test]
    fn a_picture_has_its_title_its_styles_and_its_marks() {
        const INK: Rgb = Rgb(0x1f_4e79);
        let styles = [Style::of("jump").stroke(INK).width(2.4).round().arrow(), Style::of("a.b")];
        let dark = [Style::of("jump").stroke(Rgb(0xff_ffff))];
        let canvas = Canvas::new("a & b", (30.0, 20.0), styles).scaled(1.5).dark(dark);
        let marks = [
            Mark::line("jump", (0.0, 1.0), (10.0, 20.5)),
            Mark::rect("cell", (0.0, 0.0), (5.0, 5.0)).filled(INK).noted("a1: 7"),
            Mark::text("a b", (3.0, 4.0), "<8>").sized(9.0).turned(-32.0),
        ];
        let expected = r##"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="45" height="30" viewBox="0 0 30 20">
<title>a &amp; b</title>
<marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0L6 3L0 6z" fill="#1f4e79"/></marker>
<style>
text { font-family: "DejaVu Sans", Verdana, sans-serif; }
.jump { stroke: #1f4e79; stroke-width: 2.4; stroke-linecap: round; marker-end: url(#arrow); }
.a.b { }
@media (prefers-color-scheme: dark) {
.jump { stroke: #ffffff; }
}
</style>
<path class="jump" d="M0 1L10 20.5"/>
<rect class="cell" x="0" y="0" width="5" height="5" fill="#1f4e79"><title>a1: 7</title></rect>
<text class="a b" x="3" y="4" font-size="9" transform="rotate(-32 3 4)">&lt;8&gt;</text>
</svg>
"##;
        assert_eq!(canvas.svg(marks), expected);
    }
}
