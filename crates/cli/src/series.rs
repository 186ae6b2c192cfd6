//! `destrier count --series`: all boards of one width, one line each, and the recurrence behind them.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use destrier::count::transfer::{Recurrence, Strip};
use destrier_rules::Shape;

use crate::args::{OutputArgs, ShapeArgs};
use crate::exit::Exit;
use crate::output::Format;
use crate::vigil::Vigil;

/// A width and a range of lengths.
pub(crate) struct Series {
    width: u32,
    first: usize,
    last: usize,
    shape: Shape,
    strip: Strip,
}

impl Series {
    /// Reads `3x1..60`.
    pub(crate) fn read(text: &str, shape: Shape, board: &ShapeArgs) -> anyhow::Result<Series> {
        let malformed =
            || format!("`{text}` is not a series; write width x lengths, like `3x1..60`");
        let (width, lengths) = text.split_once(['x', 'X', '×']).with_context(malformed)?;
        let (first, last) = lengths.split_once("..").with_context(malformed)?;
        let last = last.trim_start_matches('=');
        let width: u32 = width.parse().ok().with_context(malformed)?;
        let first: usize = first.parse().ok().with_context(malformed)?;
        let last: usize = last.parse().ok().with_context(malformed)?;
        if width == 0 || first == 0 || last < first || last > 1_000_000 {
            bail!("{}", malformed());
        }
        if board.holes.is_some() || board.wrap.is_some() {
            bail!("a series is of plain boards");
        }
        let leaper = board.leaper.as_deref().map_or(Ok(destrier_rules::Leaper::KNIGHT), str::parse);
        let strip = Strip::new(width, leaper.context("--leaper")?, shape)?;
        Ok(Series { width, first, last, shape, strip })
    }

    pub(crate) fn run(
        &self,
        b_file: bool,
        most: usize,
        format: Format,
        vigil: &Vigil,
        output: &OutputArgs,
    ) -> anyhow::Result<Exit> {
        let terms = self.strip.terms(self.last, &vigil.watch);
        vigil.end();
        let (terms, halted) = match terms? {
            Ok(terms) => (terms, None),
            Err((why, terms)) => (terms, Some(why)),
        };
        let mut text = String::new();
        for (length, count) in (1_usize..).zip(&terms).skip(self.first - 1) {
            match format {
                Format::Json => {
                    let (width, shape) = (self.width, self.shape.to_string());
                    let line = serde_json::json!({
                        "board": format!("{width}x{length}"), "shape": shape,
                        "undirected": count.to_string(),
                        "directed": (count * if self.width as usize * length == 1 { 1_u32 } else { 2 }).to_string(),
                    });
                    writeln!(text, "{line}")?;
                }
                Format::List if b_file => writeln!(text, "{length} {count}")?,
                Format::List => writeln!(text, "{}x{length} {count}", self.width)?,
                _ => bail!("a series comes as `list` or `json`"),
            }
        }
        if let Some(why) = halted {
            output.write(text.as_bytes())?;
            eprintln!("destrier: {} of {} boards: {why}", terms.len(), self.last);
            return Ok(Exit::Unfinished);
        }
        if most > 0 && format == Format::List {
            let found = self.strip.recurrence(most, &vigil.watch)?;
            vigil.end();
            let sentence = match found {
                Ok(Some(recurrence)) => in_words(&recurrence),
                Ok(None) => format!("no recurrence of order {most} or less"),
                Err(why) => format!("no recurrence: {why}"),
            };
            if b_file {
                eprintln!("{sentence}");
            } else {
                writeln!(text, "# {} tours, undirected; {sentence}", self.shape)?;
            }
        }
        output.write(text.as_bytes())?;
        Ok(Exit::Solved)
    }
}

fn in_words(recurrence: &Recurrence) -> String {
    let Recurrence { order, after, coefficients, checked } = recurrence;
    let mut text = format!(
        "a linear recurrence of order {order} holds for lengths above {after} \
         (checked on {checked} further terms)"
    );
    if *order == 0 {
        return "all terms are zero".to_owned();
    }
    if !coefficients.is_empty() {
        text.push_str(": a(n) =");
        for (back, coefficient) in (1..).zip(coefficients) {
            let digits = coefficient.to_string();
            match digits.strip_prefix('-') {
                _ if digits == "0" => {}
                Some(positive) => {
                    let _ = write!(text, " - {positive} a(n-{back})");
                }
                None => {
                    let plus = if text.ends_with('=') { "" } else { "+ " };
                    let _ = write!(text, " {plus}{digits} a(n-{back})");
                }
            }
        }
    }
    text
}
