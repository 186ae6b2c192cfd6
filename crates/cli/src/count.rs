//! `destrier count`: how many tours a board has.

use anyhow::bail;
use clap::Args;
use destrier::count::{self, TourCount};
use destrier::{Outcome, Run};
use destrier_rules::{Shape, TourProblem};

use crate::args::{BoardArgs, LimitArgs, OutputArgs};
use crate::exit::Exit;
use crate::output::Format;
use crate::tour::{EndArgs, named_all};

const EXAMPLES: &str = "\
Examples:
  destrier count 5x5              open and closed tours
  destrier count 6x6 --closed     closed tours alone
  destrier count 5x5 --from a1    open tours from a corner
  destrier count 5x6 --json       numbers as decimal strings";

/// Count the tours of a board
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// Count open tours alone; those that could be closed are among them
    #[arg(long, conflicts_with = "closed")]
    open: bool,

    /// The method: one by name
    #[arg(long, short, value_name = "METHOD", default_value = "backtrack", long_help = methods())]
    method: String,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

fn methods() -> String {
    let lines = count::TOUR_COUNTERS.iter().map(|m| format!("  {:<12}{}", m.name(), m.about()));
    format!("The method:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

impl CountArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let question = self.ends.question(&self.board)?;
        let shapes: &[Shape] = match (self.ends.closed, self.open) {
            (true, _) => &[Shape::Closed],
            (_, true) => &[Shape::Open],
            _ => &[Shape::Closed, Shape::Open],
        };
        let format = self.output.format(Format::List)?;
        if !matches!(format, Format::List | Format::Json) {
            bail!("a count comes as `list` or `json`");
        }
        let vigil = self.limits.watch()?;
        let mut exit = Exit::Solved;
        let mut text = String::new();
        for &shape in shapes {
            let question = TourProblem { shape, ..question.clone() };
            let run = count::count(&question, &self.method, &vigil.watch);
            vigil.end();
            let Run { outcome, effort, .. } = run?;
            if self.output.verbose {
                vigil.report(&self.method, &effort);
            }
            let (count, whole) = match outcome {
                Outcome::Solved(count) => (count, true),
                Outcome::Unfinished { why, best } => {
                    eprintln!("destrier: {}: {why}", named_all(&question));
                    exit = Exit::Unfinished;
                    let Some(count) = best else { continue };
                    (count, false)
                }
                Outcome::Impossible(obstacle) => {
                    eprintln!("destrier: no {}: {obstacle}", named_all(&question));
                    (TourCount::of_undirected(&question, 0_u32), true)
                }
            };
            text.push_str(&match format {
                Format::Json => in_json(&question, &count, whole)?,
                _ => in_words(&question, &count, whole),
            });
        }
        self.output.write(text.as_bytes())?;
        Ok(exit)
    }
}

fn in_words(question: &TourProblem, count: &TourCount, whole: bool) -> String {
    let least = if whole { "" } else { "at least " };
    let note = match question.shape {
        Shape::Open => " (those that could be closed included)",
        Shape::Closed => "",
    };
    let (undirected, directed) = (count.undirected(), count.directed());
    format!("{}: {least}{undirected} undirected, {directed} directed{note}\n", named_all(question))
}

fn in_json(question: &TourProblem, count: &TourCount, whole: bool) -> anyhow::Result<String> {
    let answer = serde_json::json!({
        "destrier": 1,
        "kind": "count",
        "question": question,
        "complete": whole,
        "undirected": count.undirected().to_string(),
        "directed": count.directed().to_string(),
    });
    Ok(serde_json::to_string(&answer)? + "\n")
}
