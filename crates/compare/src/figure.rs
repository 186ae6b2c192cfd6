//! The figures of a report: time and nodes by question, speed-up by threads, by ranks and by size, efficiency, failures.
//!
//! Each comes with a paragraph that says what is seen in it. A picture has them side by side; a document has them one
//! after the other.

use destrier::render::{self, Canvas};

use crate::chart::{self, Chart, Dots, Point, Scale, Series};
use crate::drawing::{self, HEIGHT, Mark, WIDTH};
use crate::error::Error;
use crate::prose;
use crate::question::{Kind, counted};
use crate::report::{Report, Row, SHORTEST};

/// A question with more lines than this is shown with the fewest threads alone.
const MOST_LINES: usize = 12;

/// A figure, and what is seen in it.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) title: String,
    pub(crate) marks: Vec<Mark>,
    pub(crate) said: String,
}

impl Figure {
    fn of(chart: &Chart, said: String) -> Figure {
        Figure { title: chart.title.clone(), marks: chart.marks(), said }
    }

    /// The figure alone.
    pub(crate) fn svg(&self) -> String {
        let (canvas, ground) = drawing::canvas(&self.title, (WIDTH, HEIGHT));
        canvas.svg(std::iter::once(ground).chain(self.marks.iter().flat_map(drawing::drawn)))
    }
}

/// All figures of a report, as one picture.
pub(crate) fn picture(report: &Report) -> Result<(Canvas, Vec<render::Mark>), Error> {
    let figures = figures(report);
    if figures.is_empty() {
        return Err(Error::NoPlot);
    }
    #[expect(clippy::cast_precision_loss, reason = "a picture has few figures")]
    let place = |at: usize| ((at % 2) as f64 * WIDTH, (at / 2) as f64 * HEIGHT);
    let wide = if figures.len() > 1 { WIDTH * 2.0 } else { WIDTH };
    let high = place(figures.len() - 1).1 + HEIGHT + 26.0;
    let (canvas, ground) = drawing::canvas(&report.title, (wide, high));
    let mut marks = vec![ground];
    for (at, figure) in figures.iter().enumerate() {
        let panel = figure.marks.iter().flat_map(drawing::drawn);
        marks.extend(panel.map(|mark| mark.moved(place(at))));
    }
    let foot = format!("{} · {} · {}", report.date, report.program, report.machine);
    marks.push(render::Mark::text("tick", (16.0, high - 12.0), foot));
    Ok((canvas, marks))
}

/// All figures of a report.
pub(crate) fn figures(report: &Report) -> Vec<Figure> {
    let methods = distinct(report.rows.iter().map(|row| row.method.as_str()));
    let colour = |method: &str| {
        chart::colour(methods.iter().position(|&other| other == method).unwrap_or(0))
    };
    let mut kinds = distinct(report.rows.iter().map(|row| row.kind.as_str()));
    kinds.retain(|kind| !kind.is_empty());
    let mut figures = Vec::new();
    for kind in kinds {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.kind == kind).collect();
        let questions = distinct(rows.iter().map(|row| row.question.as_str()));
        if rows.iter().any(|row| row.failure_percent.is_some()) {
            let chart = failures(&rows, &colour);
            figures.push(Figure::of(&chart, prose::failures(&chart)));
        } else if rows.iter().all(|row| row.median_s.is_none()) {
            continue;
        } else if questions.len() > 1 {
            let chart = times(report, &rows, &colour);
            figures.push(Figure::of(&chart, prose::by_question(&chart)));
        } else {
            let dots = side_by_side(report, &rows, &colour);
            let said = prose::side_by_side(&dots);
            figures.push(Figure { title: dots.title.clone(), marks: dots.marks(), said });
        }
        figures.extend(scaling(&rows, &colour));
        if questions.len() > 1 {
            figures.extend(nodes(&rows, &colour));
        }
    }
    figures
}

/// How time and work change with the number of cores.
fn scaling(rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Vec<Figure> {
    let on = |ranks: bool| -> Vec<&Row> {
        rows.iter().copied().filter(|row| (row.ranks > 0) == ranks).collect()
    };
    let (threads, ranks) = (on(false), fewest_threads(&on(true)).1);
    let long = |rows: &[&'_ Row]| -> Vec<Row> {
        let long_enough = |row: &&&Row| {
            row.median_s.zip(row.speedup_threads).is_some_and(|(s, up)| s * up >= SHORTEST)
        };
        rows.iter().filter(long_enough).map(|&row| row.clone()).collect()
    };
    let mut figures = Vec::new();
    for (unit, rows) in [("threads", long(&threads)), ("ranks", long(&ranks))] {
        let rows: Vec<&Row> = rows.iter().collect();
        let speedup = Curve {
            unit,
            what: "Speed-up",
            scale: Scale::Speedup,
            ideal: true,
            value: &|row| row.speedup_threads,
        };
        figures.extend(
            speedup
                .charts(&rows, colour)
                .iter()
                .map(|chart| Figure::of(chart, prose::speedup(chart, unit))),
        );
        let efficiency = Curve {
            unit,
            what: "Efficiency",
            scale: Scale::Percent,
            ideal: false,
            value: &|row| Some(row.efficiency? * 100.0),
        };
        figures.extend(
            efficiency
                .charts(&rows, colour)
                .iter()
                .map(|chart| Figure::of(chart, prose::efficiency(chart, unit))),
        );
        let first = |row: &Row| {
            let same = |r: &&&Row| (&r.question, &r.method) == (&row.question, &row.method);
            rows.iter().filter(same).min_by_key(|r| r.cores()).and_then(|r| r.nodes)
        };
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let work = |row: &Row| Some(row.nodes? as f64 / first(row).filter(|&n| n > 0)? as f64);
        // Where the work is the same on any number of cores, the efficiency says it all.
        if rows.iter().any(|row| work(row).is_some_and(|ratio| (ratio - 1.0).abs() > 0.01)) {
            let nodes =
                Curve { unit, what: "Nodes", scale: Scale::Speedup, ideal: false, value: &work };
            figures.extend(
                nodes
                    .charts(&rows, colour)
                    .iter()
                    .map(|chart| Figure::of(chart, prose::work(chart, unit))),
            );
        }
    }
    for (unit, rows) in [("threads", &threads), ("ranks", &ranks)] {
        figures.extend(
            by_size(rows, unit).iter().map(|chart| Figure::of(chart, prose::by_size(chart))),
        );
    }
    figures
}

/// The rows of the fewest threads, where there are several numbers of them.
fn fewest_threads<'r>(rows: &[&'r Row]) -> (usize, Vec<&'r Row>) {
    let fewest = rows.iter().map(|row| row.threads).min().unwrap_or(1);
    (fewest, rows.iter().copied().filter(|row| row.threads == fewest).collect())
}

/// The rows of one process with the fewest threads; of the fewest ranks, where there is no other process.
fn fewest_cores<'r>(rows: &[&'r Row]) -> (usize, Vec<&'r Row>) {
    let fewest = rows.iter().map(|row| row.ranks).min().unwrap_or(0);
    fewest_threads(&rows.iter().copied().filter(|row| row.ranks == fewest).collect::<Vec<_>>())
}

/// Time by question, the smaller boards first.
fn times(report: &Report, rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Chart {
    let (threads, rows) = fewest_cores(rows);
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

/// Nodes by question, one line per method.
fn nodes(rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Option<Figure> {
    let (threads, rows) = fewest_cores(rows);
    #[expect(clippy::cast_precision_loss, reason = "a place in a plot")]
    let value = |row: &Row| row.nodes.filter(|&nodes| nodes > 0).map(|nodes| plain(nodes as f64));
    let mut chart = by_question(&rows, colour, Scale::Nodes, &value);
    chart.series.retain(|series| !series.points.is_empty());
    if chart.series.is_empty() {
        return None;
    }
    "Nodes of the search".clone_into(&mut chart.title);
    let threads = counted(threads, "thread");
    chart.subtitle = listed(&["as each method counts them", &threads, "log scale"]);
    Some(Figure::of(&chart, prose::by_question(&chart)))
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
    let rows = if rows.len() > MOST_LINES { &fewest_cores(rows).1 } else { rows };
    let several = distinct(rows.iter().map(|row| (row.threads, row.ranks))).len() > 1;
    let lines = rows.iter().map(|row| {
        let team = match row.ranks {
            _ if !several => String::new(),
            0 => format!(", {}", row.threads),
            ranks => format!(", {ranks}×{}", row.threads),
        };
        let value = point(report, row).ok_or_else(|| row.note.clone());
        (format!("{}{team}", row.method), colour(&row.method), value)
    });
    Dots {
        title: rows[0].label.clone(),
        subtitle: listed(&[&asked(rows), "median time", "log scale"]),
        lines: lines.collect(),
    }
}

/// A number that changes with the number of threads or ranks.
struct Curve<'c> {
    /// `threads` or `ranks`.
    unit: &'static str,
    what: &'static str,
    scale: Scale,
    ideal: bool,
    value: &'c dyn Fn(&Row) -> Option<f64>,
}

impl Curve<'_> {
    fn x(&self, row: &Row) -> usize {
        if self.unit == "ranks" { row.ranks } else { row.threads }
    }

    /// One panel per method, or one for all where there is one question.
    fn charts(&self, rows: &[&Row], colour: &dyn Fn(&str) -> usize) -> Vec<Chart> {
        let mut numbers = distinct(rows.iter().map(|row| self.x(row)));
        numbers.sort_unstable();
        if numbers.len() < 2 {
            return Vec::new();
        }
        let questions = distinct(rows.iter().map(|r| (r.question.as_str(), r.label.as_str())));
        let methods = distinct(rows.iter().map(|row| row.method.as_str()));
        let mut charts = Vec::new();
        if let [_] = questions[..] {
            let of = |m: &&str| {
                self.line(m, colour(m), &mut rows.iter().filter(|row| row.method == **m))
            };
            charts.push(self.chart(self.what.to_owned(), &numbers, methods.iter().map(of)));
        } else {
            for method in methods {
                let of = |(at, (question, label)): (usize, &(&str, &str))| {
                    let own = |r: &&&Row| r.method == method && r.question == *question;
                    self.line(label, chart::colour(at), &mut rows.iter().filter(own))
                };
                let lines = questions.iter().enumerate().map(of);
                charts.push(self.chart(format!("{} of {method}", self.what), &numbers, lines));
            }
        }
        charts.retain(|chart| !chart.series.is_empty());
        charts
    }

    fn chart(
        &self,
        title: String,
        numbers: &[usize],
        lines: impl Iterator<Item = Series>,
    ) -> Chart {
        #[expect(clippy::cast_precision_loss, reason = "a machine has few threads")]
        let places = numbers.iter().map(|&n| (n as f64, n.to_string())).collect();
        let subtitle = match self.what {
            "Efficiency" => format!("speed-up divided by the number of {}", self.unit),
            "Nodes" => format!("times those of the fewest {}, by number of {0}", self.unit),
            _ => format!("against one core, by number of {}", self.unit),
        };
        let series = lines.filter(|series| series.points.len() > 1).collect();
        Chart { title, subtitle, scale: self.scale, places, series, ideal: self.ideal }
    }

    #[expect(clippy::cast_precision_loss, reason = "a machine has few threads")]
    fn line(&self, name: &str, colour: usize, rows: &mut dyn Iterator<Item = &&Row>) -> Series {
        let point = |row: &&Row| Some(Point { x: self.x(row) as f64, ..plain((self.value)(row)?) });
        let mut points: Vec<Point> = rows.filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series { name: name.to_owned(), colour, points }
    }
}

/// Speed-up by the number of squares: a panel per method, a line per number of threads or ranks.
///
/// Short runs are shown here: on small boards threads cost more than they save, and that is to be seen.
fn by_size(rows: &[&Row], unit: &'static str) -> Vec<Chart> {
    let number = |row: &Row| if unit == "ranks" { row.ranks } else { row.threads };
    let scaled: Vec<&Row> = rows.iter().copied().filter(|r| r.speedup_threads.is_some()).collect();
    let mut squares = distinct(scaled.iter().map(|row| row.squares));
    squares.sort_unstable();
    let mut numbers = distinct(scaled.iter().map(|row| number(row)).filter(|&n| n > 1));
    numbers.sort_unstable();
    if squares.len() < 3 || numbers.is_empty() {
        return Vec::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "a place in a plot")]
    let x = |squares: u64| squares as f64;
    let panel = |method: &str| {
        let line = |(at, &n): (usize, &usize)| {
            let own = scaled.iter().filter(|row| row.method == method && number(row) == n);
            let point =
                |row: &&Row| Some(Point { x: x(row.squares), ..plain(row.speedup_threads?) });
            let mut points: Vec<Point> = own.filter_map(point).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let name = counted(n, unit.trim_end_matches('s'));
            Series { name, colour: chart::colour(at), points }
        };
        let series = numbers.iter().enumerate().map(line).filter(|line| line.points.len() > 1);
        Chart {
            title: format!("Speed-up of {method} by size"),
            subtitle: format!(
                "against one core, by number of squares, a line per number of {unit}"
            ),
            scale: Scale::Speedup,
            places: squares.iter().map(|&n| (x(n), n.to_string())).collect(),
            series: series.collect(),
            ideal: false,
        }
    };
    let methods = distinct(scaled.iter().map(|row| row.method.as_str()));
    methods.into_iter().map(panel).filter(|chart| !chart.series.is_empty()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::measured;

    const SCALED: &str = "3x4 12 naive 1 0 400 0.00001\n3x4 12 naive 2 0 400 0.0001\n\
        4x5 20 naive 1 0 90000 0.01\n4x5 20 naive 2 0 90000 0.006\n\
        5x5 25 naive 1 0 9000000 1\n5x5 25 naive 2 0 9000000 0.5\n\
        4x5 20 naive 1 1 90000 0.012\n4x5 20 naive 1 2 99000 0.008\n\
        5x5 25 naive 1 1 9000000 1.1\n5x5 25 naive 1 2 9000000 0.6";

    #[test]
    fn a_figure_for_each_thing_that_scales_and_a_paragraph_for_each_figure() {
        let figures = figures(&measured(SCALED));
        let titles: Vec<&str> = figures.iter().map(|figure| figure.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "Time by board",
                "Speed-up of naive",
                "Efficiency of naive",
                "Speed-up of naive",
                "Efficiency of naive",
                "Nodes of naive",
                "Speed-up of naive by size",
                "Nodes of the search",
            ]
        );
        assert!(figures.iter().all(|figure| figure.said.ends_with('.')));
        let svg = figures[3].svg();
        assert!(svg.contains("by number of ranks") && svg.ends_with("</svg>\n"), "{svg}");
    }

    #[test]
    fn one_thread_scales_nothing() {
        let figures = figures(&measured("3x4 12 naive 1 0 400 0.1\n3x4 12 auto 1 0 40 0.01"));
        assert_eq!(figures.len(), 1);
        assert_eq!(figures[0].title, "3x4");
    }
}
