//! `destrier enumerate`: every tour of a board, one a line.

use std::ops::ControlFlow;

use anyhow::bail;
use clap::Args;
use destrier::method::{self, Enumerator};
use destrier::{Halt, Outcome, tour};
use destrier_rules::{Certificate, Claim, Problem as _, Tour, TourProblem, Verified};

use crate::args::{BoardArgs, LimitArgs, OutputArgs};
use crate::exit::Exit;
use crate::output::Format;
use crate::tour::{EndArgs, named, origin};

const EXAMPLES: &str = "\
Examples:
  destrier enumerate 5x5 --limit 3                       three tours
  destrier enumerate 6x6 --closed | wc -l                9862
  destrier enumerate 5x5 --json | destrier verify        each one checked again
  destrier enumerate 3x4 --from a1                       those that start in the corner
  destrier enumerate 7x7 --symmetry four-paths | wc -l   2528";

/// List the tours of a board, each once, whichever way it is run
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EnumerateArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// Stop after this many tours
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// The method: one by name
    #[arg(long, short, value_name = "METHOD", long_help = methods())]
    method: Option<String>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

fn methods() -> String {
    let lines = tour::TOUR_ENUMERATORS.iter().map(|m| format!("  {:<12}{}", m.name(), m.about()));
    format!("The method:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

impl EnumerateArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let question = self.ends.question(&self.board)?;
        question.validate()?;
        let format = self.output.format(Format::List)?;
        if !matches!(format, Format::List | Format::Json) {
            bail!("tours are listed as `list` or `json`");
        }
        let mut exit = Exit::Solved;
        self.output.stream(|out| {
            exit = self.list(&question, format, out)?;
            Ok(())
        })?;
        Ok(exit)
    }

    fn list(
        &self,
        question: &TourProblem,
        format: Format,
        out: &mut dyn std::io::Write,
    ) -> anyhow::Result<Exit> {
        // On plain rectangles the order of the list is the order of the squares.
        let usual = if question.is_classic() { "backtrack" } else { "search" };
        let name = self.method.as_deref().unwrap_or(usual);
        let method = method::named(tour::TOUR_ENUMERATORS, name, Enumerator::name)?;
        let vigil = self.limits.watch()?;
        let mut listed = 0_u64;
        let mut failure = None;
        let mut write = |tour: &Tour| -> anyhow::Result<()> {
            let tour = Verified::check(question.clone(), tour.clone())?;
            match format {
                Format::Json => {
                    let certificate = Certificate::solved(tour, Claim::Valid, origin(name))?;
                    serde_json::to_writer(&mut *out, &certificate)?;
                    Ok(writeln!(out)?)
                }
                _ => Ok(writeln!(out, "{}", tour.solution())?),
            }
        };
        let run = method.enumerate(question, &vigil.watch, &mut |tour| {
            if self.limit.is_some_and(|limit| listed >= limit) {
                return ControlFlow::Break(());
            }
            if let Err(error) = write(tour) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            listed += 1;
            ControlFlow::Continue(())
        });
        vigil.end();
        if let Some(failure) = failure {
            return Err(failure);
        }
        let run = run?;
        if self.output.verbose {
            vigil.report(name, &run.effort);
        }
        let enough = self.limit.is_some_and(|limit| listed >= limit);
        match run.outcome {
            Outcome::Unfinished { why: Halt::Asked, .. } if enough => Ok(Exit::Solved),
            Outcome::Unfinished { why, .. } => {
                eprintln!("destrier: {listed} tours, not all: {why}");
                Ok(Exit::Unfinished)
            }
            _ if listed == 0 && self.limit != Some(0) => {
                eprintln!("no {}: {name} looked at everything", named(question));
                Ok(Exit::Impossible)
            }
            _ => Ok(Exit::Solved),
        }
    }
}
