//! The plots of a report: time by question, speed-up by threads, failures by size; side by side in one picture.

use std::fmt::Write as _;

use crate::chart::{self, Chart, Dots, HEIGHT, Point, Scale, Series, WIDTH};
use crate::error::Error;
use crate::question::{Kind, counted};
use crate::report::{Report, Row};

/// Speed-ups of shorter runs say nothing.
const SHORT: f64 = 0.002;

/// A question with more lines than this is shown with the fewest threads alone.
const MOST_LINES: usize = 12;

/// All plots of a report, as one picture.
pub(crate) fn svg(report: &Report) -> Result<String, Error> {
    let panels = panels(report);
    if panels.is_empty() {
        return Err(Error::NoPlot);
    }
    #[expect(clippy::cast_precision_loss, reason = "a figure has few panels")]
    let place = |at: usize| ((at % 2) as f64 * WIDTH, (at / 2) as f64 * HEIGHT);
    let wide = if panels.len() > 1 { WIDTH * 2.0 } else { WIDTH };
    let high = place(panels.len() - 1).1 + HEIGHT + 26.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"0 0 {wide} {high}\">\n<title>{}</title>\n{}<rect class=\"surface\" width=\"{wide}\" \
         height=\"{high}\" rx=\"8\"/>\n",
        chart::escaped(&report.title),
        chart::style()
    );
    for (at, panel) in panels.iter().enumerate() {
        let (x, y) = place(at);
        let _ = writeln!(out, "<g transform=\"translate({x} {y})\">\n{panel}</g>");
    }
    let foot = format!("{} · {} · {}", report.date, report.program, report.machine);
    let _ = writeln!(
        out,
        "<text class=\"tick\" x=\"16\" y=\"{:.1}\">{}</text>\n</svg>",
        high - 12.0,
        chart::escaped(&foot)
    );
    Ok(out)
}

fn panels(report: &Report) -> Vec<String> {
    let methods = distinct(report.rows.iter().map(|row| row.method.as_str()));
    let colour = |method: &str| {
        chart::colour(methods.iter().position(|&other| other == method).unwrap_or(0))
    };
    let mut kinds = distinct(report.rows.iter().map(|row| row.kind.as_str()));
    kinds.retain(|kind| !kind.is_empty());
    let mut panels = Vec::new();
    for kind in kinds {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.kind == kind).collect();
        let questions = distinct(rows.iter().map(|row| row.question.as_str()));
        if rows.iter().any(|row| row.failure_percent.is_some()) {
            panels.push(failures(&rows, &colour).svg());
        } else if rows.iter().all(|row| row.median_s.is_none()) {
            continue;
        } else if questions.len() > 1 {
            panels.push(times(report, &rows, &colour).svg());
        } else {
            panels.push(side_by_side(report, &rows, &colour).svg());
        }
        panels.extend(speedups(&rows, &colour).iter().map(Chart::svg));
    }
    panels
}

/// The rows of the fewest threads, where there are several numbers of them.
fn fewest_threads<'r>(rows: &[&'r Row]) -> (usize, Vec<&'r Row>) {
    let fewest = rows.iter().map(|row| row.threads).min().unwrap_or(1);
    (fewest, rows.iter().copied().filter(|row| row.threads == fewest).collect())
}

/// Time by question, the smaller boards first.
fn times(report: &Report, rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Chart {
    let (threads, rows) = fewest_threads(rows);
    let value = |row: &Row| point(report, row);
    let mut chart = by_question(&rows, colour, Scale::Time, &value);
    let runs = if report.repeat > 0 { "median" } else { "" };
    chart.title = format!("Time by {}", if rows[0].kind == "capture" { "puzzle" } else { "board" });
    let threads = counted(threads, "thread");
    let crosses = if rows.iter().any(|row| row.gave_up > 0) { "× gave up" } else { "" };
    let starred = rows.iter().any(|row| is_heuristic(&rows, &row.method));
    let stars = if starred { "* not proved" } else { "" };
    chart.subtitle = listed(&[&asked(&rows), runs, &threads, "log scale", crosses, stars]);
    chart
}

/// Failing starts by board, one line per walk.
fn failures(rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Chart {
    let value = |row: &Row| Some(plain(row.failure_percent?));
    let (_, rows) = fewest_threads(rows);
    Chart {
        title: "Starts from which a walk fails".to_owned(),
        subtitle: "percent of the starts that the colours allow, no backtracking".to_owned(),
        ..by_question(&rows, colour, Scale::Percent, &value)
    }
}

fn by_question(
    rows: &[&Row],
    colour: &dyn Fn(&str) -> usize,
    scale: Scale,
    value: &dyn Fn(&Row) -> Option<Point>,
) -> Chart {
    let mut questions: Vec<(u64, &str, &str)> = Vec::new();
    for row in rows {
        if questions.iter().all(|other| other.1 != row.question) {
            questions.push((row.squares, &row.question, &row.label));
        }
    }
    questions.sort_by_key(|question| question.0);
    #[expect(clippy::cast_precision_loss, reason = "a plot has few questions")]
    let x_of = |row: &Row| questions.iter().position(|q| q.1 == row.question).unwrap_or(0) as f64;
    let series = distinct(rows.iter().map(|row| row.method.as_str())).into_iter().map(|method| {
        let of_method = rows.iter().filter(|row| row.method == method);
        let mut points: Vec<Point> =
            of_method.filter_map(|row| Some(Point { x: x_of(row), ..value(row)? })).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let star = if is_heuristic(rows, method) { "*" } else { "" };
        Series { name: format!("{method}{star}"), colour: colour(method), points }
    });
    #[expect(clippy::cast_precision_loss, reason = "a plot has few questions")]
    let places =
        questions.iter().enumerate().map(|(at, question)| (at as f64, question.2.to_owned()));
    Chart {
        title: String::new(),
        subtitle: String::new(),
        scale,
        places: places.collect(),
        series: series.collect(),
        ideal: false,
    }
}

/// Are there answers of the method that it does not prove?
fn is_heuristic(rows: &[&Row], method: &str) -> bool {
    rows.iter().any(|row| row.method == method && row.answer.ends_with(", not proved"))
}

/// One question: one line per method and number of threads.
fn side_by_side(report: &Report, rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Dots {
    let rows = if rows.len() > MOST_LINES { &fewest_threads(rows).1 } else { rows };
    let several = distinct(rows.iter().map(|row| row.threads)).len() > 1;
    let lines = rows.iter().map(|row| {
        let threads = if several { format!(", {}", row.threads) } else { String::new() };
        let value = point(report, row).ok_or_else(|| row.note.clone());
        (format!("{}{threads}", row.method), colour(&row.method), value)
    });
    Dots {
        title: rows[0].label.clone(),
        subtitle: listed(&[&asked(rows), "median time", "log scale"]),
        lines: lines.collect(),
    }
}

/// Speed-up by threads: one panel per method, or one for all where there is one question.
fn speedups(rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Vec<Chart> {
    let long_enough =
        |row: &&&Row| row.median_s.zip(row.speedup_threads).is_some_and(|(s, up)| s * up >= SHORT);
    let rows: Vec<&Row> = rows.iter().filter(long_enough).copied().collect();
    let mut threads = distinct(rows.iter().map(|row| row.threads));
    threads.sort_unstable();
    if threads.len() < 2 {
        return Vec::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "a machine has few threads")]
    let places: Vec<(f64, String)> = threads.iter().map(|&n| (n as f64, n.to_string())).collect();
    let chart = |title: String, series: Vec<Series>| Chart {
        title,
        subtitle: "against one thread, by number of threads".to_owned(),
        scale: Scale::Speedup,
        places: places.clone(),
        series,
        ideal: true,
    };
    #[expect(clippy::cast_precision_loss, reason = "a machine has few threads")]
    let line = |name: &str, colour: usize, rows: &mut dyn Iterator<Item = &&Row>| {
        let point =
            |row: &&Row| Some(Point { x: row.threads as f64, ..plain(row.speedup_threads?) });
        let mut points: Vec<Point> = rows.filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series { name: name.to_owned(), colour, points }
    };
    let questions = distinct(rows.iter().map(|row| (row.question.as_str(), row.label.as_str())));
    let methods = distinct(rows.iter().map(|row| row.method.as_str()));
    if let [_] = questions[..] {
        let of = |m: &&str| line(m, colour(m), &mut rows.iter().filter(|row| row.method == **m));
        let series = methods.iter().map(of).filter(|series| series.points.len() > 1);
        return vec![chart("Speed-up".to_owned(), series.collect())];
    }
    let panel = |method: &str| {
        let of = |(at, (question, label)): (usize, &(&str, &str))| {
            let mut rows = rows.iter().filter(|r| r.method == method && r.question == *question);
            line(label, chart::colour(at), &mut rows)
        };
        let series = questions.iter().enumerate().map(of).filter(|s| s.points.len() > 1);
        chart(format!("Speed-up of {method}"), series.collect())
    };
    methods.iter().map(|method| panel(method)).filter(|chart| !chart.series.is_empty()).collect()
}

/// A time as a point: the median, or the limit where a run gave up.
fn point(report: &Report, row: &Row) -> Option<Point> {
    if let Some(y) = row.median_s {
        let range = row.least_s.zip(row.most_s).filter(|_| row.seconds.len() > 1);
        return Some(Point { range, ..plain(y) });
    }
    (row.gave_up > 0 && report.time_limit_s > 0.0)
        .then(|| Point { beyond: true, ..plain(report.time_limit_s) })
}

const fn plain(y: f64) -> Point {
    Point { x: 0.0, y, range: None, beyond: false }
}

/// What all rows ask: the kind, and the options that they share, like ` --closed`.
fn asked(rows: &[&Row]) -> String {
    let options = |row: &Row| {
        let words = row.question.split(" --").skip(1).map(str::to_owned);
        let own = ["preset", "from ", "to "];
        words.filter(|word| !own.iter().any(|own| word.starts_with(own))).collect::<Vec<_>>()
    };
    let mut shared = options(rows[0]);
    shared.retain(|option| rows.iter().all(|row| options(row).contains(option)));
    let shared: Vec<String> = shared.into_iter().map(|option| format!(" --{option}")).collect();
    let title = Kind::of_verb(&rows[0].kind).map_or("", Kind::title);
    format!("{title}{}", shared.concat())
}

/// Those parts that say something, with commas.
fn listed(parts: &[&str]) -> String {
    let said: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    said.join(", ")
}

/// Each value once, in the order of first appearance.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}
