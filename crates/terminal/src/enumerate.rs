//! `destrier enumerate`: every tour of a board, one per line.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::bail;
use clap::Args;
use destrier::count::Census;
use destrier::method::{self, Enumerator};
use destrier::tour::{self, Canon};
use destrier::{Halt, Outcome, SolveError, Watch};
use destrier_ask::{named, origin};
use destrier_rules::{
    Board, Certificate, Claim, Inspector, Leaper, Problem as _, Square, Tour, TourProblem,
    Verified, Wrap,
};

use crate::args::{BoardArgs, EndArgs, LimitArgs, OutputArgs, method_help};
use crate::exit::Exit;
use crate::output::{Format, counted, partial_note};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  destrier enumerate 5x5 --limit 3                       three tours
  destrier enumerate 6x6 --closed | wc -l                9862
  destrier enumerate 6x6 --closed --distinct | wc -l     1245
  destrier enumerate 5x5 --json | destrier verify        all of them checked again
  destrier enumerate 3x4 --from a1                       those that start in the corner
  destrier enumerate 7x7 --symmetry four-paths | wc -l   2528";

/// List the tours of a board, each once, in one of its two directions
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EnumerateArgs {
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
        ("auto", "the census if its states fit in memory, else a search"),
        ("census", "by number, in order, on all threads"),
    ];
    let table = tour::TOUR_ENUMERATORS.iter().map(|m| (m.name(), m.about()));
    method_help(own.into_iter().chain(table))
}

/// How a tour is written on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Its squares.
    List,
    /// Its first square, and a digit for each jump.
    Moves,
    /// A certificate.
    Json,
}

/// The lines that tours are written on.
#[derive(Clone, Debug)]
pub struct Line {
    inspector: Inspector,
    style: Style,
    jumps: Vec<(i64, i64)>,
    /// The names of the squares of a small board, rank by rank, each with a space after it.
    names: Vec<([u8; 4], u8)>,
    method: String,
}

/// Boards of up to this many squares have a table of the names of their squares.
const FEW: u64 = 1 << 12;

/// Some tours as text.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// How many.
    pub lines: u64,
    /// One line each.
    pub text: Vec<u8>,
}

/// What was listed.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// How many tours.
    pub tours: u64,
    /// Why not all, if it was stopped.
    pub why: Option<Halt>,
}

impl Line {
    /// Lines for the tours of a question, listed by a method.
    #[must_use]
    pub fn new(question: TourProblem, style: Style, method: &str) -> Line {
        let jumps = around(question.leaper);
        let names = names(&question.board);
        let inspector = Inspector::new(question);
        Line { inspector, style, jumps, names, method: method.to_owned() }
    }

    /// Whose tours they are.
    #[must_use]
    pub fn question(&self) -> &TourProblem {
        self.inspector.question()
    }

    /// How they are written.
    #[must_use]
    pub fn style(&self) -> Style {
        self.style
    }

    /// Checks the tour and writes it.
    ///
    /// # Errors
    /// When it is no tour of the question.
    pub fn write(&self, tour: &Tour, out: &mut Vec<u8>) -> anyhow::Result<()> {
        if self.style == Style::Json {
            let tour = Verified::check(self.question().clone(), tour.clone())?;
            let certificate = Certificate::solved(tour, Claim::Valid, origin(&self.method))?;
            serde_json::to_writer(&mut *out, &certificate)?;
            out.push(b'\n');
            return Ok(());
        }
        self.inspector.check(tour)?;
        match self.style {
            Style::Moves => self.write_moves(tour, out),
            _ if self.names.is_empty() => Ok(writeln!(out, "{tour}")?),
            _ => {
                self.write_names(tour, out);
                Ok(())
            }
        }
    }

    fn write_names(&self, tour: &Tour, out: &mut Vec<u8>) {
        let files = self.question().board.files() as usize;
        let mut end = out.len();
        out.resize(end + 4 * tour.0.len() + 1, 0);
        for square in &tour.0 {
            let (name, length) = self.names[square.rank as usize * files + square.file as usize];
            out[end..end + 4].copy_from_slice(&name);
            end += usize::from(length);
        }
        out[end - 1] = b'\n';
        out.truncate(end);
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

/// The names of the squares of a small board, at most three letters each, with spaces after them.
fn names(board: &Board) -> Vec<([u8; 4], u8)> {
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
pub const BATCH: u128 = 4096;

/// What lists the tours: called with the lines to write, the session, and where the lines go.
pub type Lists<'l> = dyn FnMut(&Line, &Session, &mut dyn Write) -> anyhow::Result<Listed> + 'l;

impl EnumerateArgs {
    /// Limits on the run.
    pub fn limits(&mut self) -> &mut LimitArgs {
        &mut self.limits
    }

    /// The method, by name.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// What is asked.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn question(&self) -> anyhow::Result<TourProblem> {
        self.ends.question(&self.board)
    }

    /// How many tours are wanted, if not all.
    #[must_use]
    pub const fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Is one tour of each class wanted?
    #[must_use]
    pub const fn distinct(&self) -> bool {
        self.distinct
    }

    /// The file that lines go to, if they do.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.output.output.as_deref()
    }

    /// Lists in this process.
    ///
    /// # Errors
    /// When the question is a bad one, or no method is made for it.
    pub fn run(&self) -> anyhow::Result<Exit> {
        self.run_by(&mut |line, session, out| self.list(line, session, out))
    }

    /// Reads the question, has its tours listed, and reports how it ended.
    ///
    /// # Errors
    /// When the question is a bad one, or no method is made for it.
    pub fn run_by(&self, lists: &mut Lists<'_>) -> anyhow::Result<Exit> {
        let question = self.question()?;
        question.validate()?;
        let format = self.output.format(Format::List)?;
        if !matches!(format, Format::List | Format::Json) {
            bail!("tours are listed as `list` or `json`, or with --moves");
        }
        if self.moves && question.board.wrap() != Wrap::None {
            bail!("--moves is for boards without joined edges");
        }
        let style = match format {
            Format::Json => Style::Json,
            _ if self.moves => Style::Moves,
            _ => Style::List,
        };
        let line = Line::new(question, style, &self.method);
        let session = self.limits.start()?;
        let mut listed = Listed { tours: 0, why: None };
        let partial = self.output.stream_some(|out| {
            listed = lists(&line, &session, out)?;
            Ok(listed.why.is_none())
        })?;
        session.clear();
        let Listed { tours, why } = listed;
        if let Some(why) = why {
            let place = partial_note(partial);
            message!("destrier: {}, not all: {why}{place}", counted(tours, "tour"));
            return Ok(Exit::Unfinished);
        }
        if tours == 0 && self.limit != Some(0) {
            message!("no {}: exhaustive search", named(line.question()));
            return Ok(Exit::Impossible);
        }
        Ok(Exit::Solved)
    }

    /// Does `auto` number the tours of this question, rather than search for them?
    ///
    /// A few tours are found sooner than all are numbered; large boards may not fit.
    #[must_use]
    pub fn prefers_census(&self, question: &TourProblem) -> bool {
        self.limit.is_none_or(|limit| limit >= 1000) && question.board.len() <= 64
    }

    /// Lists by the method that was asked for, in this process.
    ///
    /// # Errors
    /// When the method is not made for the question, or lines cannot be written.
    pub fn list(
        &self,
        line: &Line,
        session: &Session,
        out: &mut dyn Write,
    ) -> anyhow::Result<Listed> {
        let usual = if line.question().is_classic() { "backtrack" } else { "search" };
        match self.method.as_str() {
            "census" => match Census::new(line.question(), &session.watch) {
                Ok(census) => self.list_census(&census, line, session, out),
                Err(SolveError::Stopped(why)) => Ok(Listed { tours: 0, why: Some(why) }),
                Err(error) => Err(error.into()),
            },
            "auto" if self.prefers_census(line.question()) => {
                let memory = session.watch.memory().unwrap_or(4 << 30);
                let watch = session.watch.clone().with_memory(Some(memory));
                match Census::whole(line.question(), &watch) {
                    Ok(census) => self.list_census(&census, line, session, out),
                    Err(SolveError::Stopped(why)) => Ok(Listed { tours: 0, why: Some(why) }),
                    Err(_) => self.list_search(usual, line, session, out),
                }
            }
            "auto" => self.list_search(usual, line, session, out),
            method => self.list_search(method, line, session, out),
        }
    }

    /// Batches of consecutive numbers, made by all threads and written in order.
    fn list_census(
        &self,
        census: &Census,
        line: &Line,
        session: &Session,
        out: &mut dyn Write,
    ) -> anyhow::Result<Listed> {
        let canon = self.distinct.then(|| Canon::new(line.question()));
        let canon = canon.as_ref();
        let threads = session.watch.threads();
        let stride = BATCH * threads as u128;
        let mut left = self.limit.unwrap_or(u64::MAX);
        let mut listed = Listed { tours: 0, why: None };
        std::thread::scope(|scope| -> anyhow::Result<()> {
            // Each thread is a batch or two ahead; one whose reader has gone ends with its batch.
            let start = |at: usize| {
                let (done, reader) = std::sync::mpsc::sync_channel(2);
                scope.spawn(move || {
                    let mut from = BATCH * at as u128;
                    while from < census.total() {
                        let batch = line.batch_under(&session.watch, census, from, canon);
                        let ended = !matches!(batch, Ok((_, None)));
                        if done.send(batch).is_err() || ended {
                            return;
                        }
                        from += stride;
                    }
                });
                reader
            };
            let readers: Vec<_> = (0..threads).map(start).collect();
            for reader in readers.iter().cycle() {
                // The first that has nothing more is the first after the last batch.
                let Ok(batch) = reader.recv() else { break };
                let (batch, why) = batch?;
                let written = batch.write(left, out)?;
                listed.tours += written;
                left -= written;
                listed.why = why.filter(|_| left > 0);
                if left == 0 || why.is_some() {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(listed)
    }

    /// A search, whose tours are written as they are found.
    fn list_search(
        &self,
        name: &str,
        line: &Line,
        session: &Session,
        out: &mut dyn Write,
    ) -> anyhow::Result<Listed> {
        let method = method::named(tour::TOUR_ENUMERATORS, name, Enumerator::name)?;
        let canon = self.distinct.then(|| Canon::new(line.question()));
        let mut listed = 0_u64;
        let mut failure = None;
        let mut text = Vec::new();
        let run = method.enumerate(line.question(), &session.watch, &mut |tour| {
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
        if let Some(failure) = failure {
            return Err(failure);
        }
        let run = run?;
        if self.output.verbose {
            session.clear();
            session.report(name, &run.effort);
        }
        let enough = self.limit.is_some_and(|limit| listed >= limit);
        let why = match run.outcome {
            Outcome::Unfinished { why: Halt::Asked, .. } if enough => None,
            Outcome::Unfinished { why, .. } => Some(why),
            _ => None,
        };
        Ok(Listed { tours: listed, why })
    }
}

impl Batch {
    /// Writes the first of its tours, at most so many; says how many.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&self, most: u64, out: &mut dyn Write) -> anyhow::Result<u64> {
        let Batch { lines, text } = self;
        let end = if *lines <= most {
            text.len()
        } else {
            let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
            let last = ends.take(usize::try_from(most).unwrap_or(usize::MAX)).last();
            last.map_or(0, |(at, _)| at + 1)
        };
        out.write_all(&text[..end])?;
        Ok(most.min(*lines))
    }
}

impl Line {
    /// The tours with the numbers of one batch, those that stand for their class if that is asked for.
    ///
    /// # Errors
    /// When a tour fails the check.
    pub fn batch(
        &self,
        census: &Census,
        from: u128,
        canon: Option<&Canon>,
    ) -> anyhow::Result<Batch> {
        Ok(self.batch_under(&Watch::unlimited(), census, from, canon)?.0)
    }

    /// The same under a watch that may stop it: then with the reason why it is not whole.
    fn batch_under(
        &self,
        watch: &Watch,
        census: &Census,
        from: u128,
        canon: Option<&Canon>,
    ) -> anyhow::Result<(Batch, Option<Halt>)> {
        let mut batch = Batch::default();
        let mut ticker = watch.ticker();
        let mut seen = 0;
        let mut end = Ok(None);
        census.each(from, &mut |tour| {
            if let Err(why) = ticker.tick() {
                end = Ok(Some(why));
                return ControlFlow::Break(());
            }
            seen += 1;
            if canon.is_none_or(|canon| canon.is_first(tour)) {
                if let Err(error) = self.write(tour, &mut batch.text) {
                    end = Err(error);
                    return ControlFlow::Break(());
                }
                batch.lines += 1;
            }
            if seen < BATCH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        end.map(|why| (batch, why))
    }
}
