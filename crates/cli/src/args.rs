//! The verbs of the command.

use clap::{Parser, Subcommand};
use destrier_terminal::args::STYLES;
use destrier_terminal::language::LanguageArgs;
use destrier_terminal::{capture, count, enumerate, swap};

use crate::{bench, census, compare, manual, play, report, serve, survey, tour, verify};

const AFTER: &str = "\
Squares are a1, h8, aa10; boards are files x ranks, like 8x8.
Exit codes: 0 solved, 1 proved impossible, 2 bad question, 3 stopped at a limit.
`destrier VERB --help` has examples.";

/// Exact and fast answers to knight problems on a board.
#[derive(Debug, Parser)]
#[command(name = "destrier", version, about, after_help = AFTER, styles = STYLES)]
#[command(max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Tour(tour::TourArgs),
    Count(count::CountArgs),
    Enumerate(enumerate::EnumerateArgs),
    Capture(capture::CaptureArgs),
    Swap(swap::SwapArgs),
    Sample(census::SampleArgs),
    Rank(census::RankArgs),
    Unrank(census::UnrankArgs),
    Verify(verify::VerifyArgs),
    Survey(survey::SurveyArgs),
    Compare(compare::CompareArgs),
    Report(report::ReportArgs),
    Bench(bench::BenchArgs),
    Play(play::PlayArgs),
    Serve(serve::ServeArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}
