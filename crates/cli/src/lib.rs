//! The `destrier` command: read the question, run the method, print the answer, report how it went.
//!
//! What it shares with other programs on a terminal is in `destrier-terminal`, among it the verbs `count`,
//! `enumerate` and `capture`; the others are here. `main.rs` only calls [`main`].
//!
//! Exit codes: 0 solved, 1 proved impossible, 2 bad question or failure, 3 stopped before an answer.
#![forbid(unsafe_code)]

mod args;
mod bench;
mod census;
mod compare;
#[cfg(test)]
mod documented;
mod manual;
mod play;
mod recheck;
mod report;
mod serve;
mod survey;
mod tour;
mod verify;

use std::process::ExitCode;

use destrier_terminal::session::end_with_parent;
use destrier_terminal::{args::parse, exit::conclude, guard::guarded};

use args::{Cli, Command};

/// Runs the command on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    end_with_parent();
    guarded(|| parse().map_or_else(|code| code, |cli| conclude(run(&cli)).into()))
}

fn run(cli: &Cli) -> anyhow::Result<destrier_terminal::exit::Exit> {
    cli.language.speak();
    match &cli.command {
        Command::Tour(tour) => tour.run(),
        Command::Count(count) => count.run(),
        Command::Enumerate(enumerate) => enumerate.run(),
        Command::Capture(capture) => capture.run(),
        Command::Swap(swap) => swap.run(),
        Command::Sample(sample) => sample.run(),
        Command::Rank(rank) => rank.run(),
        Command::Unrank(unrank) => unrank.run(),
        Command::Verify(verify) => verify.run(),
        Command::Survey(survey) => survey.run(),
        Command::Compare(compare) => compare.run(),
        Command::Report(report) => report.run(),
        Command::Bench(bench) => bench.run(),
        Command::Play(play) => play.run(),
        Command::Serve(serve) => serve.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    }
}
