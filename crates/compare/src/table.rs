//! A report as a table: in columns for the terminal, and as Markdown.

use std::fmt::Write as _;

use crate::question::counted;
use crate::report::{Report, Row};

/// The columns; all but the first are aligned to the right.
const HEADS: [&str; 10] = [
    "method",
    "threads",
    "median",
    "spread",
    "cpu",
    "nodes",
    "nodes/s",
    "memory",
    "× 1 thread",
    "× first",
];

/// For the terminal: one block per question.
pub(crate) fn text(report: &Report) -> String {
    let mut out = String::new();
    let cells: Vec<[String; 10]> = report.rows.iter().map(cells).collect();
    let width = |column: usize| {
        let widest = cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        widest.max(HEADS[column].chars().count())
    };
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    // A column that says nothing is left out.
    let empty = |column: usize| cells.iter().all(|row| row[column].is_empty());
    let one_thread = report.rows.iter().all(|row| row.threads == 1);
    let idle = |column: usize| empty(column) || HEADS[column] == "× 1 thread" && one_thread;
    let line = |row: &[String]| {
        let mut line = format!("  {:<1$}", row[0], widths[0]);
        for (column, cell) in row.iter().enumerate().skip(1).filter(|&(column, _)| !idle(column)) {
            let _ = write!(line, "  {cell:>width$}", width = widths[column]);
        }
        line.trim_end().to_owned()
    };
    let heads = HEADS.map(str::to_owned);
    for (question, rows) in report.by_question() {
        let _ = writeln!(out, "{question}{}", agreed(&rows));
        let _ = writeln!(out, "{}", line(&heads));
        for row in rows {
            let cells = self::cells(row);
            let remark = remark(row);
            let _ = match remark.as_str() {
                "" => writeln!(out, "{}", line(&cells)),
                remark if row.median_s.is_some() => writeln!(out, "{}  {remark}", line(&cells)),
                remark => writeln!(out, "{}  {remark}", line(&cells[..2])),
            };
        }
        out.push('\n');
    }
    for line in foot(report) {
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
    let _ = writeln!(out, "| question | {} | answer |", HEADS.join(" | "));
    let _ = writeln!(out, "|---|---|{}---|", "---:|".repeat(HEADS.len() - 1));
    for row in &report.rows {
        let question = row.question.replace('|', "\\|");
        let said = match (row.answer.as_str(), remark(row).as_str()) {
            (answer, "") => answer.to_owned(),
            ("", remark) => remark.to_owned(),
            (answer, remark) => format!("{answer}; {remark}"),
        };
        let said = said.replace('|', "\\|");
        let _ = writeln!(out, "| `{question}` | {} | {said} |", cells(row).join(" | "));
    }
    out.push('\n');
    for line in foot(report) {
        let _ = writeln!(out, "{line}  ");
    }
    out
}

/// How the table was made.
fn foot(report: &Report) -> Vec<String> {
    let mut lines = vec![format!("{}, {}, {}", report.date, report.program, report.machine)];
    if report.repeat > 0 {
        lines.push(format!(
            "median of {} after a warm-up, each in a fresh process, at most {} each; \
             spread: (max − min) / median; × first: against the first method",
            counted(report.repeat, "run"),
            time(report.time_limit_s)
        ));
    }
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    lines
}

/// The answer to a question, behind its name.
fn agreed(rows: &[&Row]) -> String {
    let said = |row: &&&Row| !row.answer.is_empty() && row.median_s.is_some();
    let answered: Vec<&&Row> = rows.iter().filter(said).collect();
    let Some(first) = answered.first() else { return String::new() };
    if first.kind == "survey" {
        return String::new();
    }
    // A proved answer is the one to show, where there is one.
    let best = answered.iter().find(|row| row.answer.ends_with(", proved")).unwrap_or(first);
    format!(": {}", best.answer)
}

/// What is special about a row.
fn remark(row: &Row) -> String {
    let mut words: Vec<String> = Vec::new();
    if row.kind == "survey" || row.answer.ends_with(", not proved") {
        words.push(row.answer.clone());
    }
    if let Some(percent) = row.failure_percent {
        words.push(format!("{percent:.2} %"));
    }
    let runs = row.solved + row.gave_up + row.failed;
    if row.gave_up > 0 && row.solved > 0 {
        words.push(format!("gave up {} of {runs}", row.gave_up));
    }
    if !row.note.is_empty() {
        let gave_up = if row.gave_up > 0 && row.solved == 0 { "gave up: " } else { "" };
        words.push(format!("{gave_up}{}", row.note));
    }
    words.join(", ")
}

fn cells(row: &Row) -> [String; 10] {
    let shown = |value: Option<f64>, show: fn(f64) -> String| value.map_or_else(String::new, show);
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let memory = row.memory_bytes.map(|bytes| bytes as f64);
    [
        row.method.clone(),
        row.threads.to_string(),
        shown(row.median_s, time),
        shown(row.spread(), |spread| format!("{:.0} %", spread * 100.0)),
        shown(row.cpu_s, time),
        row.nodes.map_or_else(String::new, grouped),
        shown(row.nodes_per_s, |rate| scaled(rate, &["", " k", " M", " G"], 1000.0)),
        shown(memory, |bytes| scaled(bytes, &[" B", " KiB", " MiB", " GiB"], 1024.0)),
        shown(row.speedup_threads, ratio),
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

fn scaled(number: f64, units: &[&str], step: f64) -> String {
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
