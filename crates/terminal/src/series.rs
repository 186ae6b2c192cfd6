//! `destrier count --series`: all boards of one width, one line each, and the recurrence that they follow.

use std::fmt::Write as _;

use anyhow::bail;
use destrier_ask::{Sentence, Series};
use destrier_rules::{Shape, Wrap};

use crate::args::{OutputArgs, ShapeArgs};
use crate::exit::Exit;
use crate::language::tell;
use crate::output::{Format, Forms, partial_note};
use crate::session::Session;

/// Prints a series.
pub(crate) struct SeriesRun(pub(crate) Series);

impl SeriesRun {
    /// Reads `3x1..60`.
    pub(crate) fn read(text: &str, shape: Shape, board: &ShapeArgs) -> anyhow::Result<SeriesRun> {
        if board.holes.is_some() || board.wrap != Wrap::None {
            bail!("a series has plain boards only: no --holes, no --wrap");
        }
        Ok(SeriesRun(Series::read(text, shape, board.leaper()?)?))
    }

    pub(crate) fn run(
        &self,
        b_file: bool,
        most: usize,
        format: Format,
        session: &Session,
        output: &OutputArgs<impl Forms>,
    ) -> anyhow::Result<Exit> {
        let series = &self.0;
        let terms = series.strip.terms(series.last, &session.options);
        session.clear();
        let (terms, halted) = terms?.outcome.so_far();
        let terms = terms.unwrap_or_default();
        let mut text = String::new();
        for (length, count) in (1_usize..).zip(&terms).skip(series.first - 1) {
            match format {
                Format::Json => writeln!(text, "{}", series.json(length, count))?,
                Format::List if b_file => writeln!(text, "{length} {count}")?,
                Format::List => writeln!(text, "{}x{length} {count}", series.width)?,
                _ => bail!("a series comes as `list` or `json`"),
            }
        }
        if let Some(why) = halted {
            let partial = output.stream_some(|out| {
                out.write_all(text.as_bytes())?;
                Ok(false)
            })?;
            let place = partial_note(partial);
            message!("destrier: {} of {} boards: {why}{place}", terms.len(), series.last);
            return Ok(Exit::Unfinished);
        }
        if most > 0 && format == Format::List {
            let found = series.recurrence(most, &session.options);
            session.clear();
            let recurrence = found?;
            if b_file {
                message!("{}", tell(&recurrence));
            } else {
                let key = match series.shape {
                    Shape::Open => "count.series_told_open",
                    Shape::Closed => "count.series_told_closed",
                };
                let said = Sentence::of(key).with("recurrence", recurrence);
                writeln!(text, "# {}", tell(&said))?;
            }
        }
        output.write(text.as_bytes())?;
        Ok(Exit::Solved)
    }
}
