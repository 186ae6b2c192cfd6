//! The forms of a report.

use std::path::Path;

use destrier_ask::Language;

use crate::error::Error;
use crate::report::Report;
use crate::{export, figure, table};

/// A form in which a report comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Columns for the terminal.
    Table,
    /// One row per question, method, threads and ranks.
    Csv,
    /// Everything, for programs.
    Json,
    /// A table for a page.
    Markdown,
    /// Plots.
    Svg,
    /// Plots in pixels.
    Png,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 6] =
        [Form::Table, Form::Csv, Form::Json, Form::Markdown, Form::Svg, Form::Png];

    /// Its name, which is the extension of a file save for the table's.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Form::Table => "table",
            Form::Csv => "csv",
            Form::Json => "json",
            Form::Markdown => "md",
            Form::Svg => "svg",
            Form::Png => "png",
        }
    }

    /// A line about it.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Form::Table => "Columns for the terminal",
            Form::Csv => "One row per question, method, threads and ranks",
            Form::Json => "Everything, for programs",
            Form::Markdown => "A table for a page",
            Form::Svg => "Plots",
            Form::Png => "Plots in pixels",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Form::Table => "txt",
            form => form.name(),
        }
    }

    /// The form of a file, by its extension.
    ///
    /// # Errors
    /// When no form has this extension.
    pub fn by_extension(path: &Path) -> Result<Form, Error> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let extension = extension.to_ascii_lowercase();
        let found = Form::ALL.into_iter().find(|form| form.extension() == extension);
        found.ok_or_else(|| Error::Extension {
            path: path.to_owned(),
            forms: Form::ALL.map(Form::extension).join(", "),
        })
    }

    /// The report in this form.
    ///
    /// # Errors
    /// When there is nothing to plot.
    pub fn of(self, report: &Report) -> Result<Vec<u8>, Error> {
        self.told(report, Language::English)
    }

    /// The same; what is for people is in this language, what is for programs is the same in all.
    ///
    /// # Errors
    /// When there is nothing to plot.
    pub fn told(self, report: &Report, language: Language) -> Result<Vec<u8>, Error> {
        Ok(match self {
            Form::Table => table::text(report, language).into_bytes(),
            Form::Csv => export::csv(report)?.into_bytes(),
            Form::Json => (report.json()?.to_string() + "\n").into_bytes(),
            Form::Markdown => table::markdown(report).into_bytes(),
            Form::Svg => {
                let (canvas, marks) = figure::picture(report)?;
                canvas.svg(marks).into_bytes()
            }
            #[cfg(feature = "raster")]
            Form::Png => {
                let (canvas, marks) = figure::picture(report)?;
                canvas.png(marks)?
            }
            #[cfg(not(feature = "raster"))]
            Form::Png => return Err(Error::NoPixels),
        })
    }
}
