//! The `destrier` command: read the question, run the method, print the answer, say how it went.
//!
//! A library, so that other programs can ask the same questions in the same words; `main.rs` only calls [`main`].
//!
//! Exit codes: 0 solved, 1 proved impossible, 2 bad question or failure, 3 stopped before an answer.
#![forbid(unsafe_code)]

pub mod args;
mod bench;
pub mod capture;
mod census;
mod compare;
pub mod count;
pub mod enumerate;
pub mod exit;
mod guard;
mod input;
mod manual;
mod output;
mod play;
mod question;
mod recheck;
mod series;
mod serve;
mod survey;
mod swap;
mod tour;
mod verify;
pub mod vigil;

use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use exit::Exit;

/// Runs the command on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    guard::guarded(command)
}

fn command() -> ExitCode {
    if let Some(board) = args::board_that_looks_like_a_flag() {
        eprintln!("destrier: `{board}` is not a board; write files x ranks, like `8x8`");
        return Exit::BadQuestion.into();
    }
    let answer = match Cli::parse().command {
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
        Command::Bench(bench) => bench.run(),
        Command::Play(play) => play.run(),
        Command::Serve(serve) => serve.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    conclude(answer).into()
}

/// How the command ends; an error is told on stderr.
#[must_use]
pub fn conclude(answer: anyhow::Result<Exit>) -> Exit {
    match answer {
        Ok(exit) => exit,
        Err(error) if is_closed_pipe(&error) => Exit::Solved,
        Err(error) => {
            eprintln!("destrier: {error:#}");
            Exit::BadQuestion
        }
    }
}

/// Did the reader of our output go away, as `head` does when it has seen enough?
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io.into_iter().any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
