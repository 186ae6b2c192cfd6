//! A report as CSV and as JSON, and read back from CSV: rows, and above them `# name: value` lines on the whole.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::report::{Report, Row};
use crate::input;

/// The rows as CSV, under lines that say when and where.
pub(super) fn csv(report: &Report) -> anyhow::Result<String> {
    let mut text = String::new();
    for (name, value) in [
        ("title", report.title.clone()),
        ("date", report.date.clone()),
        ("program", report.program.clone()),
        ("machine", report.machine.clone()),
        ("repeat", report.repeat.to_string()),
        ("time limit", format!("{} s", report.time_limit_s)),
        ("complete", report.complete.to_string()),
        ("agreed", report.agreed.to_string()),
    ] {
        let _ = writeln!(text, "# {name}: {value}");
    }
    for note in &report.notes {
        let _ = writeln!(text, "# note: {note}");
    }
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    for row in &report.rows {
        writer.serialize(row)?;
    }
    let rows = writer.into_inner().context("writing rows")?;
    Ok(text + &String::from_utf8(rows).context("rows are text")?)
}

/// Everything, with the times of the single runs as a list.
pub(super) fn json(report: &Report) -> anyhow::Result<String> {
    let mut value = json!({ "destrier": 1, "kind": "compare" });
    let fields = serde_json::to_value(report)?;
    if let (Value::Object(all), Value::Object(fields)) = (&mut value, fields) {
        all.extend(fields);
    }
    for (at, row) in report.rows.iter().enumerate() {
        value["rows"][at]["seconds"] = json!(row.seconds);
    }
    Ok(serde_json::to_string(&value)? + "\n")
}

/// Reads a kept CSV.
pub(super) fn read(path: &Path) -> anyhow::Result<Report> {
    let text = input::read_text(path)?;
    let name = path.display();
    let mut report = Report { complete: true, agreed: true, ..Report::default() };
    for line in text.lines().map_while(|line| line.strip_prefix('#')) {
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim().to_owned();
        match name.trim() {
            "title" => report.title = value,
            "date" => report.date = value,
            "program" => report.program = value,
            "machine" => report.machine = value,
            "repeat" => report.repeat = value.parse().context("`# repeat` is a number")?,
            "time limit" => {
                report.time_limit_s =
                    crate::question::read_time(&value.replace(' ', ""))?.as_secs_f64();
            }
            "complete" => report.complete = value == "true",
            "agreed" => report.agreed = value == "true",
            "note" => report.notes.push(value),
            _ => {}
        }
    }
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    for row in reader.deserialize::<Row>() {
        report.rows.push(row.with_context(|| format!("`{name}`"))?);
    }
    if report.rows.is_empty() {
        bail!("`{name}` has no rows; `destrier compare … -o FILE.csv` writes some");
    }
    report.derive();
    Ok(report)
}
