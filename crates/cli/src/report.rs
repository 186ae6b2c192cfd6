//! `destrier report`: a measurement as one document, with tables, figures and explanations.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use destrier_compare::{Document, Form, Report};
use destrier_terminal::args::choice;
use destrier_terminal::exit::Exit;
use destrier_terminal::output;

use crate::compare::{PlanArgs, check_place, ended, read_report, set_names, write_file};

const EXAMPLES: &str = "\
Examples:
  destrier report brute-force-speedup --threads 1,2,4 -o report.html
  destrier report bb-dfs-speedup --ranks 1,2,4 -o report.tex -o measured.csv
  destrier report --read measured.csv -o report.md    from what was measured before";

/// Measure a set, and write a report with tables, figures and explanations
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReportArgs {
    /// A named set of comparisons
    #[arg(value_name = "SET", value_parser = set_names(), conflicts_with = "read")]
    set: Option<&'static str>,

    /// Measure nothing: report on a CSV file that `destrier compare` or `destrier report` wrote
    #[arg(long, value_name = "FILE")]
    read: Option<PathBuf>,

    #[command(flatten)]
    plan: PlanArgs,

    /// Write the report: .html, .tex or .md; or what was measured: .csv, .json, .svg, .png or .txt.
    /// May be given several times
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Vec<PathBuf>,

    /// The form of what is printed if there is no file
    #[arg(long, short, value_name = "FORMAT", help_heading = "Output", default_value = "md")]
    #[arg(value_parser = choice(Document::ALL.map(|form| (form.name(), form.about(), form))))]
    format: Document,
}

/// What a file holds, by its extension.
enum Written {
    Report(Document),
    Measured(Form),
}

impl Written {
    fn by_extension(path: &std::path::Path) -> anyhow::Result<Written> {
        if let Some(document) = Document::by_extension(path) {
            return Ok(Written::Report(document));
        }
        match Form::by_extension(path) {
            Ok(form) => Ok(Written::Measured(form)),
            Err(_) => bail!(
                "`{}`: unknown file extension; a report comes as html, tex, md, and what was measured as csv, json, \
                 svg, png, txt",
                path.display()
            ),
        }
    }

    fn of(&self, report: &Report) -> anyhow::Result<Vec<u8>> {
        Ok(match self {
            Written::Report(document) => document.of(report)?.into_bytes(),
            Written::Measured(form) => form.of(report)?,
        })
    }
}

impl ReportArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        for path in &self.output {
            Written::by_extension(path)?;
            check_place(path)?;
        }
        let report = match (&self.set, &self.read) {
            (_, Some(path)) => read_report(path)?,
            (Some(name), None) => self.plan.measure(&self.plan.set(name)?)?,
            (None, None) => bail!(
                "on what? Give a set, like brute-force-speedup, or --read FILE.csv; `destrier report --help` lists the \
                 sets"
            ),
        };
        for path in &self.output {
            write_file(path, &Written::by_extension(path)?.of(&report)?)?;
        }
        if self.output.is_empty() {
            output::print(self.format.of(&report)?.as_bytes())?;
        }
        // What was measured before has been judged then.
        Ok(if self.read.is_some() { Exit::Solved } else { ended(&report) })
    }
}
