//! The command line: verbs, and the options that several verbs share.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand};

use crate::{
    bench, capture, census, compare, count, enumerate, manual, play, serve, survey, swap, tour,
    verify,
};

/// The colours of the help.
pub const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER: &str = "\
Squares are a1, h8, aa10; boards are files x ranks, like 8x8.
Exit codes: 0 solved, 1 proved impossible, 2 bad question, 3 stopped at a limit.
`destrier VERB --help` has examples.";

/// Exact and fast answers to knight problems on a board.
#[derive(Debug, Parser)]
#[command(name = "destrier", version, about, after_help = AFTER, styles = STYLES)]
#[command(max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
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
    Bench(bench::BenchArgs),
    Play(play::PlayArgs),
    Serve(serve::ServeArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// Limits on a run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Stop after this time, like 500ms, 10s, 5m or 2h
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<String>,

    /// Stop after this many nodes of the search
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,

    /// Use this many threads [default: one a core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,

    /// Use at most this much memory, like 500M or 4G
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,

    /// The seed of methods that try their luck
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub seed: u64,

    /// Add what the run took to this file, as a line of JSON; `compare` reads it
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) stats: Option<std::path::PathBuf>,
}

/// The board and its holes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Board")]
pub(crate) struct BoardArgs {
    /// Files x ranks, like 8x8; or a FEN like 5/2#2/5; or a file with a drawing of `.` and `#`
    #[arg(value_name = "BOARD")]
    pub(crate) board: String,

    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
}

/// What is special about the board, and the piece on it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Board")]
pub(crate) struct ShapeArgs {
    /// Squares to leave out, like c3,d4
    #[arg(long, value_name = "SQUARES")]
    pub(crate) holes: Option<String>,

    /// Join the edges: x left and right, y top and bottom, or both
    #[arg(long, value_name = "x|y|both")]
    pub(crate) wrap: Option<WrapName>,

    /// Another piece: the legs of its jump, like 1,4 for the giraffe
    #[arg(long, value_name = "A,B")]
    pub(crate) leaper: Option<String>,

    /// How squares written x,y are counted: from zero or one
    #[arg(long, value_name = "zero|one", default_value = "zero", hide_default_value = true)]
    pub(crate) coords: CoordsName,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum WrapName {
    X,
    Y,
    Both,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum CoordsName {
    Zero,
    One,
}

/// Where the answer goes, and in which form.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// The form of the answer
    #[arg(long, short, value_name = "FORMAT", conflicts_with = "json")]
    pub(crate) format: Option<crate::output::Format>,

    /// Write to a file, whose extension names the form; it appears whole or not at all
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<std::path::PathBuf>,

    /// Short for --format json: the certificate that `destrier verify` reads
    #[arg(long)]
    pub(crate) json: bool,

    /// Colour the grid
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub(crate) color: clap::ColorChoice,

    /// Say on stderr which method was used and what it took
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// A first operand like `-3x4`, which would be read as a flag.
#[must_use]
pub fn board_that_looks_like_a_flag() -> Option<String> {
    let negative = |text: &String| {
        let mut letters = text.strip_prefix('-').unwrap_or("").chars();
        letters.next().is_some_and(|c| c.is_ascii_digit()) && letters.any(|c| c == 'x')
    };
    std::env::args().skip(1).find(negative)
}

/// The long help of `--method`: a line for each method of a table.
pub(crate) fn method_help(methods: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let lines = methods.map(|(name, about)| format!("\n  {name:<12}{about}"));
    std::iter::once("The method:".to_owned()).chain(lines).collect()
}
