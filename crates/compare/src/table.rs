//! A report as a table: in columns for the terminal, and as Markdown.

use std::fmt::Write as _;

use destrier_ask::{Language, Sentence};

use crate::report::{Report, Row};

/// How many columns there are.
const COLUMNS: usize = 14;

/// The columns; all but the first are aligned to the right.
const HEADS: [&str; COLUMNS] = [
    "method",
    "ranks",
    "threads",
    "median",
    "spread",
    "cpu",
    "nodes",
    "nodes/s",
    "memory",
    "speed-up",
    "efficiency",
    "cost",
    "serial",
    "× first",
];

/// Those that say something only where there are several cores.
const OF_CORES: [&str; 4] = ["speed-up", "efficiency", "cost", "serial"];

/// The columns that say something, and the cells of the rows in them.
pub(crate) struct Table {
    pub(crate) heads: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn of(report: &Report) -> Table {
        let cells: Vec<[String; COLUMNS]> = report.rows.iter().map(cells).collect();
        let one_core = report.rows.iter().all(|row| row.cores() == 1);
        let says = |column: &usize| {
            let is_idle = one_core && OF_CORES.contains(&HEADS[*column]);
            !is_idle && cells.iter().any(|row| !row[*column].is_empty())
        };
        let shown: Vec<usize> = (0..COLUMNS).filter(says).collect();
        let row = |row: &[String; COLUMNS]| shown.iter().map(|&at| row[at].clone()).collect();
        let heads = shown.iter().map(|&at| HEADS[at]).collect();
        Table { heads, rows: cells.iter().map(row).collect() }
    }

    /// The first columns, which say what was run; the others say what it took.
    fn team(&self) -> usize {
        self.heads.iter().position(|&head| head == "threads").map_or(1, |at| at + 1)
    }
}

/// For the terminal, in the reader's language: one block per question.
pub(crate) fn text(report: &Report, language: Language) -> String {
    let mut out = String::new();
    let table = Table::of(report);
    let head = |&head: &&str| Sentence::of(format!("table.{head}")).tell(language);
    let heads: Vec<String> = table.heads.iter().map(head).collect();
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| row[column].chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.heads.len()).map(width).collect();
    let line = |row: &[String]| {
        let mut line = format!("  {:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(line, "  {cell:>width$}");
        }
        line.trim_end().to_owned()
    };
    for (question, rows) in report.by_question() {
        let _ = writeln!(out, "{question}{}", agreed(&rows, language));
        let _ = writeln!(out, "{}", line(&heads));
        for row in rows {
            let at = report.rows.iter().position(|other| std::ptr::eq(other, row)).unwrap_or(0);
            let cells = &table.rows[at];
            let _ = match remark(row, language).as_str() {
                "" => writeln!(out, "{}", line(cells)),
                remark if row.median_s.is_some() => writeln!(out, "{}  {remark}", line(cells)),
                remark => writeln!(out, "{}  {remark}", line(&cells[..table.team()])),
            };
        }
        out.push('\n');
    }
    for line in foot(report, language) {
        let _ = writeln!(out, "{line}");
    }
    out
}

/// As Markdown: one table for all questions.
pub(crate) fn markdown(report: &Report) -> String {
    let mut out = String::new();
    if !report.title.is_empty() {
        let _ = writeln!(out, "### {}\n", report.title);
    }
    let table = Table::of(report);
    let _ = writeln!(out, "| question | {} | answer |", table.heads.join(" | "));
    let _ = writeln!(out, "|---|---|{}---|", "---:|".repeat(table.heads.len() - 1));
    for (row, cells) in report.rows.iter().zip(&table.rows) {
        let question = row.question.replace('|', "\\|");
        let said = said(row).replace('|', "\\|");
        let _ = writeln!(out, "| `{question}` | {} | {said} |", cells.join(" | "));
    }
    out.push('\n');
    for line in foot(report, Language::English) {
        let _ = writeln!(out, "{line}  ");
    }
    out
}

/// The answer, and what is special about it.
pub(crate) fn said(row: &Row) -> String {
    match (row.answer.as_str(), remark(row, Language::English).as_str()) {
        (answer, "") => answer.to_owned(),
        ("", remark) => remark.to_owned(),
        (answer, remark) => format!("{answer}; {remark}"),
    }
}

/// How the table was made.
pub(crate) fn foot(report: &Report, language: Language) -> Vec<String> {
    let mut lines = vec![format!("{}, {}, {}", report.date, report.program, report.machine)];
    let mut tell = |sentence: Sentence| lines.push(sentence.tell(language));
    if report.repeat > 0 {
        let limit = time(report.time_limit_s);
        tell(Sentence::of("table.measured").with("n", report.repeat).with("limit", limit));
    }
    if report.rows.iter().any(|row| row.cores() > 1 && row.efficiency.is_some()) {
        tell(Sentence::of("table.of_cores"));
    }
    for note in &report.notes {
        tell(Sentence::of("table.noted").with("note", Sentence::english(note)));
    }
    lines
}

/// The answer to a question, behind its name.
fn agreed(rows: &[&Row], language: Language) -> String {
    let said = |row: &&&Row| !row.answer.is_empty() && row.median_s.is_some();
    let answered: Vec<&&Row> = rows.iter().filter(said).collect();
    let Some(first) = answered.first() else { return String::new() };
    if first.kind == "survey" {
        return String::new();
    }
    // A proved answer is the one to show, where there is one.
    let best = answered.iter().find(|row| row.answer.ends_with(", proved")).unwrap_or(first);
    format!(": {}", Sentence::english(&best.answer).tell(language))
}

/// What is special about a row.
fn remark(row: &Row, language: Language) -> String {
    let mut words: Vec<String> = Vec::new();
    let told = |line: &str| Sentence::english(line).tell(language);
    if row.kind == "survey" || row.answer.ends_with(", not proved") {
        words.push(told(&row.answer));
    }
    if let Some(percent) = row.failure_percent {
        words.push(format!("{percent:.2} %"));
    }
    let runs = row.solved + row.gave_up + row.failed;
    if row.gave_up > 0 && row.solved > 0 {
        words.push(told(&format!("gave up {} of {runs}", row.gave_up)));
    }
    if !row.note.is_empty() {
        let note = Sentence::english(&row.note);
        let is_all = row.gave_up > 0 && row.solved == 0;
        let gave_up = || Sentence::of("table.gave_up").with("why", note.clone());
        words.push(if is_all { gave_up() } else { note.clone() }.tell(language));
    }
    if !row.anomaly.is_empty() {
        words.push(told(&row.anomaly));
    }
    words.join(", ")
}

fn cells(row: &Row) -> [String; COLUMNS] {
    let shown = |value: Option<f64>, show: fn(f64) -> String| value.map_or_else(String::new, show);
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let memory = row.memory_bytes.map(|bytes| bytes as f64);
    [
        row.method.clone(),
        if row.ranks > 0 { row.ranks.to_string() } else { String::new() },
        row.threads.to_string(),
        shown(row.median_s, time),
        shown(row.spread(), |spread| format!("{:.0} %", spread * 100.0)),
        shown(row.cpu_s, time),
        row.nodes.map_or_else(String::new, grouped),
        shown(row.nodes_per_s, |rate| scaled(rate, &["", " k", " M", " G"], 1000.0)),
        shown(memory, |bytes| scaled(bytes, &[" B", " KiB", " MiB", " GiB"], 1024.0)),
        shown(row.speedup_threads, ratio),
        shown(row.efficiency, |part| format!("{:.0} %", part * 100.0)),
        shown(row.cost_s, time),
        shown(row.serial_fraction, |part| format!("{part:.3}")),
        shown(row.speedup_first, ratio),
    ]
}

/// Three digits of a time with its unit.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 600.0 => format!("{} min", three(s / 60.0)),
        s if s >= 1.0 => format!("{} s", three(s)),
        s if s >= 1e-3 => format!("{} ms", three(s * 1e3)),
        s if s >= 1e-6 => format!("{} µs", three(s * 1e6)),
        s => format!("{} ns", three(s * 1e9)),
    }
}

/// Three digits of a ratio.
fn ratio(ratio: f64) -> String {
    match ratio {
        r if r >= 1000.0 => grouped_real(r),
        r if r >= 0.01 => three(r),
        r => format!("{r:.1e}"),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive, and rounded on purpose"
)]
fn grouped_real(number: f64) -> String {
    grouped(number.round() as u64)
}

pub(crate) fn scaled(number: f64, units: &[&str], step: f64) -> String {
    let mut number = number;
    let mut units = units.iter();
    let mut unit = units.next().copied().unwrap_or("");
    for next in units {
        if number < step {
            break;
        }
        (number, unit) = (number / step, next);
    }
    format!("{}{unit}", three(number))
}

fn three(number: f64) -> String {
    match number.abs() {
        n if n >= 99.95 => format!("{number:.0}"),
        n if n >= 9.995 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// A number in groups of three digits: `12,345,678`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_with_three_digits_and_a_unit() {
        let times = [0.0, 4.2e-8, 1.5e-5, 0.0123, 0.9996, 1.0, 59.96, 3600.0].map(time);
        assert_eq!(
            times,
            ["0.00 ns", "42.0 ns", "15.0 µs", "12.3 ms", "1000 ms", "1.00 s", "60.0 s", "60.0 min"]
        );
        assert_eq!([1, 999, 1000, 12_345_678].map(grouped), ["1", "999", "1,000", "12,345,678"]);
        assert_eq!(scaled(13.6 * 1024.0 * 1024.0, &[" B", " KiB", " MiB"], 1024.0), "13.6 MiB");
        assert_eq!([2.0, 0.5, 1234.0, 0.0001].map(ratio), ["2.00", "0.50", "1,234", "1.0e-4"]);
    }
}
