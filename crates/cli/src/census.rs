//! `destrier sample`, `rank` and `unrank`: tours by number.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use destrier::{Census, SolveError, Tours as _};
use destrier_rules::{Tour, TourProblem, Verified, parse_squares};

use crate::tour::drawn;
use destrier_ask::{Told as _, named_all, stopped};
use destrier_terminal::args::{BoardArgs, EndArgs, LimitArgs, OutputArgs};
use destrier_terminal::exit::Exit;
use destrier_terminal::input;
use destrier_terminal::language::tell;
use destrier_terminal::message;
use destrier_terminal::output::{Format, Forms, partial_note};

const SAMPLE_EXAMPLES: &str = "\
Examples:
  destrier sample 6x6 --closed                a random closed tour, all equally likely
  destrier sample 6x6 -n 10 --seed 7          ten open tours, the same ones for the same seed
  destrier sample 5x5 --from a1 -f grid       an open tour from the corner, as numbers on the board";

const RANK_EXAMPLES: &str = "\
Tours are numbered from 0. Squares are processed row by row along the shorter side, and tours are
ordered by the later squares that each square is joined to, the earlier squares first.

Examples:
  destrier unrank 6x6 --closed 4711 | destrier rank 6x6 --closed
  destrier rank 3x4 \"a4 b2 c4 a3 b1 c3 a2 c1 b3 a1 c2 b4\"";

/// Where the tables of large boards are kept.
#[derive(Debug, Args)]
struct CacheArgs {
    /// Keep the tables of a large board in this folder, for the next time
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// Draw tours at random, all equally likely
#[derive(Debug, Args)]
#[command(after_help = SAMPLE_EXAMPLES)]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// How many tours
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    number: usize,

    #[command(flatten)]
    cache: CacheArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<TourForms>,
}

/// Print the number of a tour in the list of all tours
#[derive(Debug, Args)]
#[command(after_help = RANK_EXAMPLES)]
pub(crate) struct RankArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// The tour as squares with spaces between; without it, from --file or standard input
    #[arg(value_name = "TOUR")]
    tour: Option<String>,

    /// A file with one tour per line
    #[arg(long, value_name = "FILE", conflicts_with = "tour")]
    file: Option<PathBuf>,

    #[command(flatten)]
    cache: CacheArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<RankForms>,
}

/// Print the tour with a number in the list of all tours
#[derive(Debug, Args)]
#[command(after_help = RANK_EXAMPLES)]
pub(crate) struct UnrankArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// The tour's number, from 0
    #[arg(value_name = "NUMBER")]
    number: u128,

    #[command(flatten)]
    cache: CacheArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<TourForms>,
}

/// The forms of a number.
#[derive(Clone, Debug)]
struct RankForms;

impl Forms for RankForms {
    const ALL: &'static [Format] = &[Format::List, Format::Json];
}

/// The forms of a tour that was drawn.
#[derive(Clone, Debug)]
struct TourForms;

impl Forms for TourForms {
    const ALL: &'static [Format] = &[
        Format::List,
        Format::Grid,
        Format::Columns,
        Format::Ids,
        Format::Json,
        Format::Svg,
        Format::Png,
        Format::Gif,
        Format::Csv,
        Format::Bin,
        Format::Tsplib,
    ];
}

/// The tours of a question by number; nothing when the run was stopped, which is reported here.
fn census(
    question: &TourProblem,
    limits: &LimitArgs,
    cache: &CacheArgs,
    output: &OutputArgs<impl Forms>,
) -> anyhow::Result<Option<Census>> {
    let session = limits.start()?;
    let mut options = session.options.clone();
    if let Some(folder) = &cache.cache {
        options = options.cache(folder);
    }
    let census = question.census_with(&options);
    session.clear();
    match census {
        Ok(census) => {
            if output.verbose {
                message!("census: {} tours, {} states kept", census.total(), census.states());
            }
            Ok(Some(census))
        }
        Err(SolveError::Stopped(why)) => {
            message!("destrier: {}", tell(&stopped(named_all(question), why)));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// A tour in the form that was asked for.
fn show(
    tour: &Verified<TourProblem>,
    output: &OutputArgs<TourForms>,
    format: Format,
) -> anyhow::Result<Vec<u8>> {
    drawn(tour, "census", format, output.colour())
}

impl SampleArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let question = self.ends.question(&self.board)?;
        let format = self.output.format(Format::List)?;
        let session = self.limits.start()?;
        let census = census(&question, &self.limits, &self.cache, &self.output)?;
        let Some(census) = census else { return Ok(Exit::Unfinished) };
        if census.total() == 0 {
            message!("destrier: {}", tell(&question.none()));
            return Ok(Exit::Impossible);
        }
        let (watch, mut stopped) = (session.watch(), None);
        let partial = self.output.stream_some(|out| {
            for tour in census.sample(self.limits.seed.unwrap_or(0)).take(self.number) {
                stopped = watch.halted();
                if stopped.is_some() {
                    break;
                }
                out.write_all(&show(&tour?, &self.output, format)?)?;
            }
            Ok(stopped.is_none())
        })?;
        if let Some(why) = stopped {
            message!("destrier: not all tours were drawn: {why}{}", partial_note(partial));
            return Ok(Exit::Unfinished);
        }
        Ok(Exit::Solved)
    }
}

impl RankArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        self.limits.no_seed("a tour's number does not depend on it; `sample` draws tours")?;
        let question = self.ends.question(&self.board)?;
        let text = match (&self.tour, &self.file) {
            (Some(tour), _) => tour.clone(),
            (None, Some(path)) => input::read_text(path)?,
            (None, None) => input::read_text(std::path::Path::new("-"))?,
        };
        let coords = self.board.shape.coords;
        let read = |(at, line)| {
            let squares = parse_squares(line, coords).with_context(|| format!("line {at}"))?;
            Ok((at, Tour(squares)))
        };
        let lines = (1_usize..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let tours = lines.map(read).collect::<anyhow::Result<Vec<_>>>()?;
        if tours.is_empty() {
            bail!("there is no tour to rank");
        }
        let format = self.output.format(Format::List)?;
        let session = self.limits.start()?;
        let census = census(&question, &self.limits, &self.cache, &self.output)?;
        let Some(census) = census else { return Ok(Exit::Unfinished) };
        let (watch, mut stopped, mut fault) = (session.watch(), None, None);
        let partial = self.output.stream_some(|out| {
            for (at, tour) in &tours {
                stopped = watch.halted();
                if stopped.is_some() {
                    break;
                }
                let rank = match census.rank(tour) {
                    Ok(rank) => rank,
                    Err(wrong) => {
                        fault = Some((*at, wrong));
                        break;
                    }
                };
                if format == Format::Json {
                    let (rank, total) = (rank.to_string(), census.total().to_string());
                    writeln!(out, "{}", serde_json::json!({"rank": rank, "of": total}))?;
                } else {
                    writeln!(out, "{rank}")?;
                }
            }
            Ok(stopped.is_none() && fault.is_none())
        })?;
        if let Some((at, wrong)) = fault {
            let name = named_all(&question);
            bail!("line {at} is none of the {name}: {wrong}{}", partial_note(partial));
        }
        if let Some(why) = stopped {
            message!("destrier: not all tours were ranked: {why}{}", partial_note(partial));
            return Ok(Exit::Unfinished);
        }
        Ok(Exit::Solved)
    }
}

impl UnrankArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        self.limits.no_seed("a tour's number does not depend on it; `sample` draws tours")?;
        let question = self.ends.question(&self.board)?;
        let format = self.output.format(Format::List)?;
        let census = census(&question, &self.limits, &self.cache, &self.output)?;
        let Some(census) = census else { return Ok(Exit::Unfinished) };
        if census.total() == 0 {
            message!("destrier: {}", tell(&question.none()));
            return Ok(Exit::Impossible);
        }
        let Some(tour) = census.unrank(self.number)? else {
            let (last, name) = (census.total() - 1, named_all(&question));
            bail!("there is no number {}: the {name} are numbered 0 to {last}", self.number);
        };
        self.output.write(&show(&tour, &self.output, format)?)?;
        Ok(Exit::Solved)
    }
}
