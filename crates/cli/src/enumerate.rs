//! `destrier enumerate`: every tour of a board, one a line.

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::bail;
use clap::Args;
use destrier::count::Census;
use destrier::method::{self, Enumerator};
use destrier::tour::{self, Canon};
use destrier::{Halt, Outcome, Watch};
use destrier_rules::{
    Certificate, Claim, Inspector, Leaper, Problem as _, Square, Tour, TourProblem, Verified,
};

use crate::args::{BoardArgs, LimitArgs, OutputArgs, method_help};
use crate::exit::Exit;
use crate::output::Format;
use crate::tour::{EndArgs, named, origin};
use crate::vigil::Vigil;

const EXAMPLES: &str = "\
Examples:
  destrier enumerate 5x5 --limit 3                       three tours
  destrier enumerate 6x6 --closed | wc -l                9862
  destrier enumerate 6x6 --closed --distinct | wc -l     1245
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

    /// List one tour of each class under the turns and mirrors of the board
    #[arg(long)]
    distinct: bool,

    /// Write the first square and then a digit for each jump: 1 to 8 anticlockwise from the right
    #[arg(long, conflicts_with_all = ["json", "format"])]
    moves: bool,

    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto", long_help = methods())]
    method: String,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

fn methods() -> String {
    let own = [
        ("auto", "the census, if its states fit; else a search"),
        ("census", "by number, in order, on all threads"),
    ];
    let table = tour::TOUR_ENUMERATORS.iter().map(|m| (m.name(), m.about()));
    method_help(own.into_iter().chain(table))
}

/// How a tour is written on its line.
struct Line<'q> {
    question: &'q TourProblem,
    inspector: Inspector<'q>,
    format: Format,
    moves: bool,
    jumps: Vec<(i64, i64)>,
    /// The names of the squares of a small board, rank by rank, each with a space after it.
    names: Vec<([u8; 4], u8)>,
    method: &'q str,
}

/// Squares whose names are kept at hand.
const FEW: u64 = 1 << 12;

impl Line<'_> {
    fn names(board: &destrier_rules::Board) -> Vec<([u8; 4], u8)> {
        if board.area() > FEW || board.files() > 26 || board.ranks() > 99 {
            return Vec::new();
        }
        let row = |rank| (0..board.files()).map(move |file| Square::new(file, rank).to_string());
        let kept = |name: String| {
            let mut text = [b' '; 4];
            text[..name.len()].copy_from_slice(name.as_bytes());
            (text, u8::try_from(name.len() + 1).unwrap_or(4))
        };
        (0..board.ranks()).flat_map(row).map(kept).collect()
    }

    /// Checks the tour and writes it.
    fn write(&self, tour: &Tour, out: &mut Vec<u8>) -> anyhow::Result<()> {
        if self.format == Format::Json {
            let tour = Verified::check(self.question.clone(), tour.clone())?;
            let certificate = Certificate::solved(tour, Claim::Valid, origin(self.method))?;
            serde_json::to_writer(&mut *out, &certificate)?;
            out.push(b'\n');
            return Ok(());
        }
        self.inspector.check(tour)?;
        if self.moves {
            return self.write_moves(tour, out);
        }
        if self.names.is_empty() {
            return Ok(writeln!(out, "{tour}")?);
        }
        let files = self.question.board.files() as usize;
        let begin = out.len();
        out.resize(begin + 4 * tour.0.len() + 1, 0);
        let mut end = begin;
        for square in &tour.0 {
            let (name, length) = self.names[square.rank as usize * files + square.file as usize];
            out[end..end + 4].copy_from_slice(&name);
            end += usize::from(length);
        }
        out[end - 1] = b'\n';
        out.truncate(end);
        Ok(())
    }

    fn write_moves(&self, tour: &Tour, out: &mut Vec<u8>) -> anyhow::Result<()> {
        write!(out, "{} ", tour.0[0])?;
        for pair in tour.0.windows(2) {
            let across = i64::from(pair[1].file) - i64::from(pair[0].file);
            let up = i64::from(pair[1].rank) - i64::from(pair[0].rank);
            let jump = self.jumps.iter().position(|&jump| jump == (across, up));
            let digit = jump.and_then(|jump| u8::try_from(jump).ok()).unwrap_or(b'?' - b'1');
            out.push(b'1' + digit);
        }
        out.push(b'\n');
        Ok(())
    }
}

/// The jumps of a leaper, anticlockwise from the right.
fn around(leaper: Leaper) -> Vec<(i64, i64)> {
    let mut jumps = leaper.jumps();
    jumps.sort_by(|a, b| angle(*a).total_cmp(&angle(*b)));
    jumps
}

#[expect(clippy::cast_precision_loss, reason = "the legs of a jump are small")]
fn angle((across, up): (i64, i64)) -> f64 {
    let angle = (up as f64).atan2(across as f64);
    if angle < 0.0 { angle + std::f64::consts::TAU } else { angle }
}

/// Tours that a thread writes at a time.
const BATCH: u128 = 4096;

impl EnumerateArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let question = self.ends.question(&self.board)?;
        question.validate()?;
        let format = self.output.format(Format::List)?;
        if !matches!(format, Format::List | Format::Json) {
            bail!("tours are listed as `list` or `json`, or with --moves");
        }
        if self.moves && question.board.wrap() != destrier_rules::Wrap::None {
            bail!("--moves is for boards without joined edges");
        }
        let jumps = around(question.leaper);
        let line = Line {
            question: &question,
            inspector: Inspector::new(&question),
            format,
            moves: self.moves,
            jumps,
            names: Line::names(&question.board),
            method: &self.method,
        };
        let vigil = self.limits.watch()?;
        let mut exit = Exit::Solved;
        self.output.stream(|out| {
            exit = self.list(&line, &vigil, out)?;
            Ok(())
        })?;
        Ok(exit)
    }

    fn list(&self, line: &Line<'_>, vigil: &Vigil, out: &mut dyn Write) -> anyhow::Result<Exit> {
        let usual = if line.question.is_classic() { "backtrack" } else { "search" };
        let few = self.limit.is_some_and(|limit| limit < 1000);
        match self.method.as_str() {
            "census" => match Census::new(line.question, &vigil.watch)? {
                Ok(census) => self.list_census(&census, line, vigil, out),
                Err(why) => Ok(stopped(0, why, vigil)),
            },
            // A few tours are found sooner than all are numbered; large boards may not fit.
            "auto" if !few && line.question.board.len() <= 64 => {
                let memory = vigil.watch.memory().unwrap_or(4 << 30);
                let watch = vigil.watch.clone().with_memory(Some(memory));
                match Census::new(line.question, &watch) {
                    Ok(Ok(census)) => self.list_census(&census, line, vigil, out),
                    Ok(Err(why)) => Ok(stopped(0, why, vigil)),
                    Err(_) => self.list_search(usual, line, vigil, out),
                }
            }
            "auto" => self.list_search(usual, line, vigil, out),
            method => self.list_search(method, line, vigil, out),
        }
    }

    /// Batches of consecutive numbers, written by all threads in turn and put out in order.
    fn list_census(
        &self,
        census: &Census,
        line: &Line<'_>,
        vigil: &Vigil,
        out: &mut dyn Write,
    ) -> anyhow::Result<Exit> {
        let canon = self.distinct.then(|| Canon::new(line.question));
        let canon = canon.as_ref();
        let threads = vigil.watch.threads();
        let stride = BATCH * threads as u128;
        let mut left = self.limit.unwrap_or(u64::MAX);
        let mut listed = 0;
        let mut halted = None;
        std::thread::scope(|scope| -> anyhow::Result<()> {
            // Each thread is a batch or two ahead; one whose reader has gone ends with its batch.
            let readers: Vec<_> = (0..threads as u128)
                .map(|at| {
                    let (done, reader) = std::sync::mpsc::sync_channel(2);
                    scope.spawn(move || {
                        let mut from = at * BATCH;
                        while from < census.total() {
                            let batch = batch(census, from, canon, line, &vigil.watch);
                            let ended = !matches!(batch, Ok(Batch { halted: None, .. }));
                            if done.send(batch).is_err() || ended {
                                return;
                            }
                            from += stride;
                        }
                    });
                    reader
                })
                .collect();
            for reader in readers.iter().cycle() {
                let Ok(batch) = reader.recv() else { return Ok(()) };
                let Batch { lines, text, halted: stop } = batch?;
                let end = if lines <= left {
                    text.len()
                } else {
                    let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
                    let last = ends.take(usize::try_from(left).unwrap_or(usize::MAX)).last();
                    last.map_or(0, |(at, _)| at + 1)
                };
                out.write_all(&text[..end])?;
                listed += lines.min(left);
                left -= lines.min(left);
                halted = stop;
                if left == 0 || halted.is_some() {
                    return Ok(());
                }
            }
            Ok(())
        })?;
        if let Some(why) = halted.filter(|_| left > 0) {
            return Ok(stopped(listed, why, vigil));
        }
        vigil.end();
        Ok(self.ended(listed, line.question))
    }

    fn ended(&self, listed: u64, question: &TourProblem) -> Exit {
        if listed == 0 && self.limit != Some(0) {
            eprintln!("no {}: everything was looked at", named(question));
            return Exit::Impossible;
        }
        Exit::Solved
    }

    /// A search, as it comes.
    fn list_search(
        &self,
        name: &str,
        line: &Line<'_>,
        vigil: &Vigil,
        out: &mut dyn Write,
    ) -> anyhow::Result<Exit> {
        let method = method::named(tour::TOUR_ENUMERATORS, name, Enumerator::name)?;
        let canon = self.distinct.then(|| Canon::new(line.question));
        let mut listed = 0_u64;
        let mut failure = None;
        let mut text = Vec::new();
        let run = method.enumerate(line.question, &vigil.watch, &mut |tour| {
            if self.limit.is_some_and(|limit| listed >= limit) {
                return ControlFlow::Break(());
            }
            if canon.as_ref().is_some_and(|canon| !canon.is_first(tour)) {
                return ControlFlow::Continue(());
            }
            text.clear();
            let written = line.write(tour, &mut text);
            if let Err(error) = written.and_then(|()| Ok(out.write_all(&text)?)) {
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
            Outcome::Unfinished { why, .. } => Ok(stopped(listed, why, vigil)),
            _ => Ok(self.ended(listed, line.question)),
        }
    }
}

fn stopped(listed: u64, why: Halt, vigil: &Vigil) -> Exit {
    vigil.end();
    eprintln!("destrier: {listed} tours, not all: {why}");
    Exit::Unfinished
}

/// Some tours, written.
struct Batch {
    lines: u64,
    text: Vec<u8>,
    /// Why it is not whole, if it is not.
    halted: Option<Halt>,
}

/// The tours with the numbers of one batch, those that stand for their class if that is asked for.
fn batch(
    census: &Census,
    from: u128,
    canon: Option<&Canon>,
    line: &Line<'_>,
    watch: &Watch,
) -> anyhow::Result<Batch> {
    let mut batch = Batch { lines: 0, text: Vec::new(), halted: None };
    let mut pulse = watch.pulse();
    let mut seen = 0;
    let mut failure = None;
    census.each(from, &mut |tour| {
        if let Err(why) = pulse.beat() {
            batch.halted = Some(why);
            return ControlFlow::Break(());
        }
        seen += 1;
        if canon.is_none_or(|canon| canon.is_first(tour)) {
            if let Err(error) = line.write(tour, &mut batch.text) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            batch.lines += 1;
        }
        if seen < BATCH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    failure.map_or(Ok(batch), Err)
}
