//! `destrier bench`: numbers that guard the methods while their code is changed.
//!
//! The signature is the nodes that a fixed set of questions takes on one thread: the same on every machine and in
//! every run. A refactoring leaves it as it is; a better search changes it on purpose. `known/signature.txt` keeps it,
//! and a test compares.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use clap::{Args, Parser as _};
use destrier::{Effort, Options, Outcome, Solve as _, Tours as _};
use destrier_ask::quantity;
use destrier_compare::Ask;
use destrier_rules::Puzzle;
use destrier_terminal::output;

use crate::args::{Cli, Command};
use destrier_terminal::exit::Exit;

/// Print the node counts of a fixed set, which are the same on every machine
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Nodes and states of a fixed set on one thread, and one number for all
    #[arg(long, required = true)]
    signature: bool,
}

/// The set: a method, and a question in the verb's own words.
const SET: &[(&str, &str)] = &[
    ("compose", "tour 8x8 --closed"),
    ("compose", "tour 101x64 --from a1 --to b1"),
    ("search", "tour 8x8 --closed --symmetry half-turn"),
    ("search", "tour 21x21 --symmetry four-paths"),
    ("search", "tour 20x20 --closed --holes c3,d3,g7,h7,k10,l12,m15,a5,b7,c8"),
    ("warnsdorff", "tour 20x20"),
    ("pohl", "tour 20x20"),
    ("roth", "tour 50x50"),
    ("backtrack", "tour 6x6 --closed"),
    ("naive", "tour 5x5"),
    ("middle", "count 6x6 --closed"),
    ("middle", "count 5x6 --open"),
    ("frontier", "count 6x6 --closed"),
    ("frontier", "count 5x5 --open"),
    ("transfer", "count 4x12 --open"),
    ("backtrack", "count 5x5 --open"),
    ("naive", "count 3x7 --open"),
    ("auto", "capture 4p/5/2p2/5/N3p"),
    ("auto", "capture h03_k8_q32"),
    ("auto", "capture p01_prism3_k40"),
    ("bb-dfs", "capture 1p3/4p/2N2/p4/3p1"),
    ("naive", "capture 1p3/4p/2N2/p4/3p1"),
    ("auto", "swap 3x4"),
    ("astar", "swap 3x5"),
    ("meet", "swap 3x5"),
    ("ranked", "swap --preset guarini"),
    ("best-first", "swap 3x4"),
    ("naive", "swap --preset guarini"),
    ("auto", "swap 4x4 --rows 2"),
    ("auto", "swap 5x5"),
    ("auto", "swap --preset seventh-guest"),
];

/// Puzzles too long for a word, by their names in `known/capture`, which is no part of the package.
const PUZZLES: &[(&str, &str)] = &[
    ("h03_k8_q32", include_str!("../assets/h03_k8_q32.txt")),
    ("p01_prism3_k40", include_str!("../assets/p01_prism3_k40.txt")),
];

/// The memory that methods may plan with: fixed, since some divide their work by it.
const MEMORY: u64 = 1 << 30;

impl BenchArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        if !self.signature {
            bail!("there is `destrier bench --signature`");
        }
        output::print(signature()?.as_bytes())?;
        Ok(Exit::Solved)
    }
}

/// The table and the number.
fn signature() -> anyhow::Result<String> {
    let mut lines = Vec::new();
    let mut all = 0;
    for (method, words) in SET {
        let (effort, answer) =
            run(method, words).with_context(|| format!("{words} by {method}"))?;
        all += effort.nodes;
        let nodes = effort.nodes.to_string();
        let last = [vec![answer], details(&effort)].concat().join(", ");
        lines.push([(*method).to_owned(), (*words).to_owned(), nodes, last]);
    }
    let wide = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths = [wide(0), wide(1), wide(2)];
    let mut text = String::new();
    for [method, words, nodes, last] in &lines {
        let [w0, w1, w2] = widths;
        let _ = writeln!(text, "{method:<w0$}  {words:<w1$}  {nodes:>w2$}  {last}");
    }
    let number = destrier::internal::checksum(&text); // other nodes, another number
    let _ = writeln!(text, "signature {number:016x}: {} questions, {all} nodes", lines.len());
    Ok(text)
}

/// The method's own numbers; but not bytes, which are the machine's.
fn details(effort: &Effort) -> Vec<String> {
    let counts = effort.details.iter().filter(|(name, _)| !name.contains("bytes"));
    counts.map(|&(name, number)| quantity(number, name)).collect()
}

/// What the method takes, and its answer.
fn run(method: &str, words: &str) -> anyhow::Result<(Effort, String)> {
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let options = Options::new().threads(1).memory(MEMORY);
    let puzzle = PUZZLES.iter().find(|(name, _)| words.last().is_some_and(|word| word == name));
    let ask = match puzzle {
        Some((_, text)) => Ask::Capture(text.parse::<Puzzle>()?.problem),
        None => read(&words)?,
    };
    match ask {
        Ask::Tour(problem) => {
            let answer = problem.solve_by(method.parse()?, &options)?;
            summary(answer.outcome, answer.effort, |_| "a tour".to_owned())
        }
        Ask::Count(problem) => {
            let found = problem.count_by(method.parse()?, &options)?;
            summary(found.outcome, found.effort, |count| count.undirected().to_string())
        }
        Ask::Capture(problem) => {
            let answer = problem.solve_by(method.parse()?, &options)?;
            summary(answer.outcome, answer.effort, |plan| format!("{} moves", plan.cost()))
        }
        Ask::Swap(problem) => {
            let answer = problem.solve_by(method.parse()?, &options)?;
            summary(answer.outcome, answer.effort, |plan| format!("{} moves", plan.cost()))
        }
        Ask::Survey { .. } => bail!("a survey has no nodes of its own"),
    }
}

/// Reads a question in its verb's own words, the verb first.
pub(crate) fn read(words: &[String]) -> anyhow::Result<Ask> {
    let command = std::iter::once("destrier").chain(words.iter().map(String::as_str));
    Ok(match Cli::try_parse_from(command)?.command {
        Command::Tour(tour) => Ask::Tour(tour.question()?),
        Command::Count(count) => Ask::Count(count.question()?),
        Command::Capture(capture) => Ask::Capture(capture.question()?),
        Command::Swap(swap) => Ask::Swap(swap.question()?),
        Command::Survey(survey) => survey.ask()?,
        _ => bail!("only tour, count, capture, swap and survey have questions"),
    })
}

fn summary<S, I>(
    outcome: Outcome<S, I>,
    effort: Effort,
    answer: impl FnOnce(&S) -> String,
) -> anyhow::Result<(Effort, String)> {
    match outcome {
        Outcome::Solved(solution) => Ok((effort, answer(&solution))),
        Outcome::Impossible(_) => Ok((effort, "impossible".to_owned())),
        Outcome::Unfinished { why, .. } => bail!("undecided: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_those_of_the_known_ones() {
        for (name, text) in PUZZLES {
            let known = format!("{}/../../known/capture/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(std::fs::read_to_string(known).expect("it is known"), *text, "{name}");
        }
    }

    #[test]
    fn the_signature_is_the_kept_one() {
        let kept = include_str!("../../../known/signature.txt");
        let now = signature().unwrap();
        assert!(
            now == kept,
            "node counts changed; if on purpose: destrier bench --signature > known/signature.txt\n{now}"
        );
    }
}
