//! A report as CSV and as JSON, and read back from CSV: rows, below lines `# name: value` about the whole.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::error::Error;
use crate::report::{Report, Row};

/// The rows as CSV, under lines that say when and where.
pub(crate) fn csv(report: &Report) -> Result<String, Error> {
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
    let rows = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(text + &String::from_utf8_lossy(&rows))
}

impl Report {
    /// Everything, with the times of the single runs as a list.
    ///
    /// # Errors
    /// When a number cannot be written, which no comparison has.
    pub fn json(&self) -> Result<Value, Error> {
        let mut value = json!({ "destrier": 1, "kind": "compare" });
        let fields = serde_json::to_value(self)?;
        if let (Value::Object(all), Value::Object(fields)) = (&mut value, fields) {
            all.extend(fields);
        }
        for (at, row) in self.rows.iter().enumerate() {
            value["rows"][at]["seconds"] = json!(row.seconds);
        }
        Ok(value)
    }

    /// Reads a report from the CSV that was written of it.
    ///
    /// # Errors
    /// When it is none, or has no rows.
    pub fn read_csv(text: &str) -> Result<Report, Error> {
        let mut report = Report { complete: true, agreed: true, ..Report::default() };
        for line in text.lines().map_while(|line| line.strip_prefix('#')) {
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            let text = value.to_owned();
            match name.trim() {
                "title" => report.title = text,
                "date" => report.date = text,
                "program" => report.program = text,
                "machine" => report.machine = text,
                "repeat" => {
                    let repeat = value.parse();
                    report.repeat =
                        repeat.map_err(|_| Error::Heading { name: "repeat", value: text })?;
                }
                "time limit" => {
                    let seconds = value.strip_suffix('s').unwrap_or(value).trim_end().parse();
                    report.time_limit_s =
                        seconds.map_err(|_| Error::Heading { name: "time limit", value: text })?;
                }
                "complete" => report.complete = value == "true",
                "agreed" => report.agreed = value == "true",
                "note" => report.notes.push(text),
                _ => {}
            }
        }
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        for row in reader.deserialize::<Row>() {
            report.rows.push(row?);
        }
        if report.rows.is_empty() {
            return Err(Error::NoRows);
        }
        report.derive();
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_that_is_no_number_is_named() {
        let read = |text: &str| Report::read_csv(text).unwrap_err().to_string();
        assert_eq!(read("# repeat: x\n"), "`# repeat: x` is not a number");
        assert_eq!(read("# time limit: 5 m\n"), "`# time limit: 5 m` is not a number");
        assert!(read("# time limit: 0.5 s\n# repeat: 5\n").starts_with("there are no rows"));
        assert!(read("kind,label\ntour,8x8\n").contains("missing field"));
    }
}
