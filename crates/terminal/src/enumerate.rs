//! `destrier enumerate`: every tour of a board, one per line.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::bail;
use clap::Args;
use destrier::{Halt, ListMethod, Listing, Method as _, Outcome, Tours as _, origin, render};
use destrier_ask::{Sentence, Told as _, no_solution};
use destrier_rules::{
    Board, Certificate, Leaper, Problem as _, Square, Tour, TourProblem, TourSymmetry, Verified,
    Wrap,
};

use crate::args::{BoardArgs, LimitArgs, OutputArgs, SymmetryArgs, method};
use crate::exit::Exit;
use crate::language::tell;
use crate::output::{Format, Forms, partial_note};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  destrier enumerate 5x5 --limit 3                       three tours
  destrier enumerate 6x6 --closed | wc -l                9862
  destrier enumerate 6x6 --closed --distinct | wc -l     1245
  destrier enumerate 5x5 --json | destrier verify        all of them checked again
  destrier enumerate 3x4 --from a1                       those that start in the corner
  destrier enumerate 7x7 --symmetry four-paths | wc -l   7648
  destrier enumerate 9x9 --symmetry four-paths -f columns --limit 1";

/// List the tours of a board, each once, in one of its two directions
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EnumerateArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    tour: SymmetryArgs,

    /// Stop after this many tours
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// List one tour of each class under the turns and mirrors of the board; where ends are given, under those that keep them
    #[arg(long)]
    distinct: bool,

    /// Write the first square and then a digit for each jump: 1 to 8 anticlockwise from the right
    #[arg(long, conflicts_with_all = ["json", "format"])]
    moves: bool,

    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto")]
    #[arg(value_parser = method::<ListMethod>())]
    method: ListMethod,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<ListForms>,
}

/// The forms of a list.
#[derive(Clone, Debug)]
pub struct ListForms;

impl Forms for ListForms {
    const ALL: &'static [Format] = &[Format::List, Format::Columns, Format::Ids, Format::Json];
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
    /// Four paths as columns, and an empty line.
    Columns,
    /// The numbers of the squares, and an empty line.
    Ids,
}

/// The lines that tours are written on.
#[derive(Clone, Debug)]
pub struct Line {
    question: TourProblem,
    style: Style,
    jumps: Vec<(i64, i64)>,
    /// The names of the squares of a small board, rank by rank, each with a space after it.
    names: Vec<([u8; 4], u8)>,
    method: &'static str,
}

/// Boards of up to this many squares have a table of the names of their squares.
const FEW: u64 = 1 << 12;

/// What was listed.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// How many tours.
    pub tours: u64,
    /// Why not all, if it was stopped.
    pub why: Option<Halt>,
    /// Why there are none, in words, if there is a reason.
    pub reason: Option<Sentence>,
}

impl Line {
    /// Lines for the tours of a question, listed by a method.
    #[must_use]
    pub fn new(question: TourProblem, style: Style, method: ListMethod) -> Line {
        let (jumps, names) = (around(question.leaper), names(&question.board));
        Line { question, style, jumps, names, method: method.name() }
    }

    /// Whose tours they are.
    #[must_use]
    pub const fn question(&self) -> &TourProblem {
        &self.question
    }

    /// How they are written.
    #[must_use]
    pub const fn style(&self) -> Style {
        self.style
    }

    /// Writes a tour, which the checker has accepted.
    pub fn write(&self, tour: &Tour, out: &mut Vec<u8>) {
        match self.style {
            Style::Json => self.write_certificate(tour, out),
            Style::Columns => {
                let columns = render::four_columns(&self.checked(tour)).unwrap_or_default();
                out.extend_from_slice((columns + "\n").as_bytes());
            }
            Style::Ids => {
                out.extend_from_slice((render::ids(&self.checked(tour)) + "\n").as_bytes());
            }
            Style::Moves => self.write_moves(tour, out),
            Style::List if self.names.is_empty() => {
                out.extend_from_slice(tour.to_string().as_bytes());
                out.push(b'\n');
            }
            Style::List => self.write_names(tour, out),
        }
    }

    fn checked(&self, tour: &Tour) -> Verified<TourProblem> {
        let checked = Verified::check(self.question.clone(), tour.clone());
        checked.expect("the checker accepts what it has accepted")
    }

    fn write_certificate(&self, tour: &Tour, out: &mut Vec<u8>) {
        let certificate = Certificate::new(self.checked(tour).into(), origin(self.method));
        out.extend_from_slice(certificate.to_json().as_bytes());
        out.push(b'\n');
    }

    fn write_names(&self, tour: &Tour, out: &mut Vec<u8>) {
        let files = self.question.board.files() as usize;
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

    fn write_moves(&self, tour: &Tour, out: &mut Vec<u8>) {
        out.extend_from_slice(tour.0[0].to_string().as_bytes());
        out.push(b' ');
        for pair in tour.0.windows(2) {
            let across = i64::from(pair[1].file) - i64::from(pair[0].file);
            let up = i64::from(pair[1].rank) - i64::from(pair[0].rank);
            let jump = self.jumps.iter().position(|&jump| jump == (across, up));
            let digit = jump.and_then(|jump| u8::try_from(jump).ok()).unwrap_or(b'?' - b'1');
            out.push(b'1' + digit);
        }
        out.push(b'\n');
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

/// What lists the tours: called with the lines to write, which tours, the session, and where the lines go.
pub type Lists<'l> =
    dyn FnMut(&Line, Listing, &Session, &mut dyn Write) -> anyhow::Result<Listed> + 'l;

impl EnumerateArgs {
    /// Limits on the run.
    pub fn limits(&mut self) -> &mut LimitArgs {
        &mut self.limits
    }

    /// What is asked.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn question(&self) -> anyhow::Result<TourProblem> {
        self.tour.question(&self.board)
    }

    /// Which tours are wanted, and by which method.
    #[must_use]
    pub fn listing(&self) -> Listing {
        let mut listing = Listing::all().by(self.method);
        listing.distinct = self.distinct;
        listing.limit = self.limit;
        listing
    }

    /// The file that lines go to, if they do.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.output.file()
    }

    /// Lists in this process.
    ///
    /// # Errors
    /// When the question is a bad one, or no method is made for it.
    pub fn run(&self) -> anyhow::Result<Exit> {
        self.run_by(&mut |line, listing, session, out| self.list(line, listing, session, out))
    }

    /// Reads the question, has its tours listed, and reports how it ended.
    ///
    /// # Errors
    /// When the question is a bad one, or no method is made for it.
    pub fn run_by(&self, lists: &mut Lists<'_>) -> anyhow::Result<Exit> {
        self.limits
            .no_seed("all tours are listed, in a fixed order; `sample` draws some at random")?;
        let question = self.question()?;
        question.validate()?;
        let format = self.output.format(Format::List)?;
        if format == Format::Columns && question.symmetry != Some(TourSymmetry::FourPaths) {
            bail!("columns are for --symmetry four-paths");
        }
        if self.moves && question.board.wrap() != Wrap::None {
            bail!("--moves is for boards without joined edges");
        }
        let style = match format {
            Format::Json => Style::Json,
            Format::Columns => Style::Columns,
            Format::Ids => Style::Ids,
            _ if self.moves => Style::Moves,
            _ => Style::List,
        };
        let line = Line::new(question, style, self.method);
        let session = self.limits.start()?;
        let mut listed = Listed::default();
        let partial = self.output.stream_some(|out| {
            listed = lists(&line, self.listing(), &session, out)?;
            Ok(listed.why.is_none())
        })?;
        session.clear();
        let Listed { tours, why, reason } = listed;
        if let Some(why) = why {
            let place = partial_note(partial);
            let tours = Sentence::of("unit.tours").with("n", tours);
            let said = Sentence::of("count.not_all").with("tours", tours);
            message!("destrier: {}{place}", tell(&said.with("why", Sentence::from(why))));
            return Ok(Exit::Unfinished);
        }
        if tours == 0 && self.limit != Some(0) {
            let none = || {
                let none = Sentence::of("told.none").with("none", line.question().none());
                none.with("why", Sentence::of("reason.searched"))
            };
            message!("{}", tell(&reason.unwrap_or_else(none)));
            return Ok(Exit::Impossible);
        }
        Ok(Exit::Solved)
    }

    /// Lists in this process.
    ///
    /// # Errors
    /// When the method does not support the question, or lines cannot be written.
    pub fn list(
        &self,
        line: &Line,
        listing: Listing,
        session: &Session,
        out: &mut dyn Write,
    ) -> anyhow::Result<Listed> {
        let question = line.question();
        let mut failure = None;
        let write = |tour: &Tour, text: &mut Vec<u8>| line.write(tour, text);
        let options = &session.options;
        let found =
            question.enumerate_in_batches(listing, options, &write, &mut |text: Vec<u8>, _| {
                match out.write_all(&text) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        failure = Some(error);
                        ControlFlow::Break(())
                    }
                }
            });
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        let found = session.end(found)?;
        if self.output.verbose {
            session.report(&found.effort);
        }
        let reason = match &found.outcome {
            Outcome::Impossible(none) => Some(no_solution(none)),
            _ => None,
        };
        let (count, why) = found.outcome.so_far();
        let tours = count.map_or(0, |count| u64::try_from(count.undirected()).unwrap_or(u64::MAX));
        Ok(Listed { tours, why: why.filter(|_| listing.limit != Some(tours)), reason })
    }
}
