//! Tours of rectangles in closed form: single steps, single squares, and whole tours that are never in memory.
//!
//! A tour is planned in microseconds whatever its length; then its steps are looked up or streamed in bounded
//! memory, and checked on their way out ([`TourStream`]).

use anyhow::{Context as _, bail};
use clap::Args;
use destrier::{
    Finding, Itinerary, Options, Outcome, SolveError, StreamError, TourMethod, TourStream,
    Tours as _,
};
use destrier_rules::{Square, TourProblem};
use destrier_terminal::message;

use super::TourArgs;
use destrier_terminal::exit::Exit;
use destrier_terminal::output::Format;

/// Part of a tour instead of the whole, at any size of board.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Part of the tour")]
pub(crate) struct PartArgs {
    /// Print the square at this step; steps are numbered from 1
    #[arg(long, value_name = "STEP", conflicts_with_all = ["step_of", "steps"])]
    at_step: Option<u64>,

    /// Print the step on this square
    #[arg(long, value_name = "SQUARE", conflicts_with = "steps")]
    step_of: Option<String>,

    /// Print the squares from step A to step B, both included
    #[arg(long, value_name = "A..B")]
    steps: Option<String>,
}

/// Tours of larger boards are streamed.
const SMALL: u64 = 1 << 16;

/// What is asked of the tour.
#[derive(Clone, Copy, Debug)]
enum Part {
    AtStep(u64),
    StepOf(Square),
    Steps(u64, u64),
    Whole,
}

impl PartArgs {
    fn is_whole(&self) -> bool {
        self.at_step.is_none() && self.step_of.is_none() && self.steps.is_none()
    }
}

impl TourArgs {
    /// Answers from a plan of the tour where there can be one; else leaves the question to the methods.
    pub(super) fn by_itinerary(
        &self,
        question: &TourProblem,
        format: Format,
    ) -> anyhow::Result<Option<Exit>> {
        let planned = matches!(self.method, TourMethod::Auto | TourMethod::Compose)
            && self.limits.seed.is_none_or(|seed| seed == 0);
        let fits = question.is_classic() && planned;
        let plain = self.output.colour() == destrier::render::Colour::Never;
        let streamed = match format {
            Format::List | Format::Bin => question.board.area() > SMALL,
            Format::Grid => question.board.area() > SMALL && plain,
            _ => false,
        };
        let searched = self.trace.is_some() || self.backtrack;
        if self.part.is_whole() && (searched || !(fits && streamed)) {
            return Ok(None);
        }
        if !fits {
            bail!(
                "parts of a tour are for a knight on a whole rectangle, by method auto or compose"
            );
        }
        let part = self.part(question)?;
        let session = self.limits.start()?;
        let Finding { outcome, effort, .. } = question.itinerary_with(&session.options)?;
        let exit = match outcome {
            Outcome::Solved(itinerary) => {
                match self.answer(question, &itinerary, part, format, &session.options) {
                    Ok(()) => Exit::Solved,
                    Err(error) => match error.downcast_ref::<StreamError>() {
                        Some(StreamError::Solve(SolveError::Stopped(why))) => {
                            session.clear();
                            message!("destrier: stopped before the whole tour was written: {why}");
                            Exit::Unfinished
                        }
                        _ => return Err(error),
                    },
                }
            }
            Outcome::Impossible(none) => {
                self.refuse(none, effort.method, format)?;
                Exit::Impossible
            }
            Outcome::Unfinished { why, .. } => {
                session.clear();
                message!("destrier: undecided: {why} (after {} nodes)", effort.nodes);
                Exit::Unfinished
            }
        };
        session.clear();
        if self.output.verbose {
            session.report(&effort);
        }
        Ok(Some(exit))
    }

    fn part(&self, question: &TourProblem) -> anyhow::Result<Part> {
        let length = question.board.area();
        let step = |step: u64| {
            if step == 0 || step > length {
                bail!("there is no step {step}; this tour has steps 1 to {length}");
            }
            Ok(step)
        };
        if let Some(asked) = self.part.at_step {
            return Ok(Part::AtStep(step(asked)?));
        }
        if let Some(square) = self.board.square("--step-of", self.part.step_of.as_deref())? {
            if !question.board.contains(square) {
                bail!("--step-of: {square} is not on the {} board", question.board.size());
            }
            return Ok(Part::StepOf(square));
        }
        let Some(range) = &self.part.steps else { return Ok(Part::Whole) };
        let (from, to) = read_range(range, length)?;
        if from > to {
            bail!("--steps: `{range}` is empty; write the smaller step first");
        }
        Ok(Part::Steps(step(from)?, step(to)?))
    }

    fn answer(
        &self,
        question: &TourProblem,
        itinerary: &Itinerary,
        part: Part,
        format: Format,
        options: &Options,
    ) -> anyhow::Result<()> {
        let stream = TourStream::new(question, itinerary, options);
        let single = |step: u64, square: Square, text: String| {
            stream.check(step, square)?;
            let text = match format {
                Format::Json => serde_json::json!({ "step": step, "square": square }).to_string(),
                Format::Grid | Format::List => text,
                _ => bail!("a step is printed as text or JSON"),
            };
            self.output.write((text + "\n").as_bytes())
        };
        match part {
            Part::AtStep(step) => {
                let square = itinerary.at_step(step).context("the tour is shorter")?;
                single(step, square, square.to_string())
            }
            Part::StepOf(square) => {
                let step = itinerary.step_of(square).context("the board is smaller")?;
                single(step, square, step.to_string())
            }
            Part::Steps(from, to) => match format {
                Format::Grid | Format::List => {
                    self.output.stream(|out| streamed(stream.list(from..to + 1, out)))
                }
                _ => bail!("--steps are printed as text"),
            },
            Part::Whole => self.output.stream(|out| {
                streamed(match format {
                    Format::List => stream.list(1..itinerary.len() + 1, out),
                    Format::Bin => stream.numbers(out),
                    _ => stream.grid(out),
                })
            }),
        }
    }
}

/// The outcome of a stream; a reader that has gone is seen as everywhere else.
fn streamed(written: Result<(), StreamError>) -> anyhow::Result<()> {
    written.map_err(|error| match error {
        StreamError::Write(error) => error.into(),
        error => error.into(),
    })
}

/// Reads `5..20`, `5..=20`, `5..`, `..20` or `5`.
fn read_range(text: &str, last: u64) -> anyhow::Result<(u64, u64)> {
    let number = |digits: &str, missing: u64| {
        let digits = digits.trim();
        if digits.is_empty() { Some(missing) } else { digits.parse().ok() }
    };
    let range = match text.split_once("..") {
        Some((from, to)) => number(from, 1).zip(number(to.strip_prefix('=').unwrap_or(to), last)),
        None => text.trim().parse().ok().map(|step| (step, step)),
    };
    range.with_context(|| format!("--steps: `{text}` is not a range of steps; write it like 5..20"))
}

#[cfg(test)]
mod tests {
    use super::read_range;

    #[test]
    fn ranges_of_steps_are_read_with_both_ends() {
        for (text, range) in [
            ("5..20", (5, 20)),
            ("5..=20", (5, 20)),
            ("..7", (1, 7)),
            ("60..", (60, 64)),
            ("9", (9, 9)),
        ] {
            assert_eq!(read_range(text, 64).unwrap(), range);
        }
        for text in ["", "a..b", "1..-3", "1...4", "5-9", "99999999999999999999..3"] {
            assert!(read_range(text, 64).is_err(), "{text}");
        }
    }
}
