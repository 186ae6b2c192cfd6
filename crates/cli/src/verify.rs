//! `destrier verify`: checks answers by the rules alone; no solver is used but the plain ones, and those on request.

mod journal;

use std::cell::Cell;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context as _, bail};
use clap::Args;
use destrier_ask::{board_around, capture_line, grid, is_grid, named, plan_told, tour_told};
use destrier_rules::{
    AnyCertificate, Board, Certificate, Confirmed, Shape, Square, Statement, Support, Tour,
    TourProblem, Verified,
};

use crate::recheck::{Again, Plain, Recheck};
use destrier_terminal::args::LimitArgs;
use destrier_terminal::exit::Exit;
use destrier_terminal::input::{self, MOST_BYTES};

const EXAMPLES: &str = "\
Examples:
  destrier tour 8x8 --json | destrier verify       a certificate
  destrier enumerate 5x5 --json | destrier verify  many of them
  destrier tour 8x8 | destrier verify              a grid of numbers
  destrier verify tour.list --board 8x8 --closed   a list of squares
  destrier verify none.json --recheck 1            a search that found nothing, repeated
  destrier verify count-8x8 --recheck 5            a count's journal: five random slices, recounted

`valid` means that the checker checked everything. What rests on a search, or on an argument in
words, is reported as well-formed and not rechecked; with --recheck the search is repeated.
Exit codes: 0 nothing is wrong, 2 something is, 3 a recheck that was asked for did not finish.";

/// Check answers: certificates in JSON, lists of squares, grids of numbers, journals
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The file, or the folder of a journal [default: standard input]
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,

    /// The board of a tour in text [default: the smallest that holds its squares]
    #[arg(long, value_name = "WxH")]
    board: Option<String>,

    /// The tour in text must be closed
    #[arg(long)]
    closed: bool,

    /// Repeat, by the plain method, up to N of the searches or slices that answers rest on
    #[arg(long, value_name = "N")]
    recheck: Option<u64>,

    #[command(flatten)]
    limits: LimitArgs,
}

impl VerifyArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let journals = journal::journals(&self.file);
        if !journals.is_empty() {
            let session = self.limits.start()?;
            let checked = journal::check(
                &journals,
                self.recheck.unwrap_or(0),
                self.limits.seed.unwrap_or(0),
                &session.watch(),
            );
            session.clear();
            return checked;
        }
        let budget = Rc::new(Cell::new(MOST_BYTES));
        let reader = Bounded { inner: input::open(&self.file)?, budget: budget.clone() };
        let mut reader = BufReader::new(reader);
        if first_letter(&mut reader).context("reading the input")? == Some(b'{') {
            let options = self.limits.start()?.options;
            let recheck = Recheck { left: self.recheck.unwrap_or(0), options };
            return check_certificates(reader, &budget, recheck);
        }
        self.check_texts(reader)?;
        Ok(Exit::Solved)
    }

    /// Checks tours written as text: each line a list of squares, or all lines one grid.
    fn check_texts(&self, mut reader: impl Read) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).context("reading the input")?;
        let text = input::text_of(bytes)?;
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.is_empty() {
            bail!("there is nothing to check");
        }
        if is_grid(&lines) {
            let (board, tour) = grid(&lines)?;
            return self.check_tour(board, tour);
        }
        for (number, line) in (1..).zip(&lines) {
            let place = || format!("line {number}");
            if line.contains('*') {
                self.check_capture(line).with_context(place)?;
                continue;
            }
            if line.contains('-') {
                bail!(
                    "line {number} is a list of moves, which says nothing of the start; use --json"
                );
            }
            let tour: Tour = line.parse().with_context(place)?;
            let board = self.board_of(&tour.0).with_context(place)?;
            self.check_tour(board, tour).with_context(place)?;
        }
        Ok(())
    }

    /// Checks a capture written as squares, those of the pieces with a `*` behind.
    fn check_capture(&self, line: &str) -> anyhow::Result<()> {
        let board = self.board.as_deref().map(str::parse).transpose()?;
        let (problem, plan) = capture_line(line, board)?;
        print_line(&format!("valid: {}", plan_told(&Verified::check(problem, plan)?)))
    }

    fn board_of(&self, squares: &[Square]) -> anyhow::Result<Board> {
        match &self.board {
            Some(board) => Ok(board.parse()?),
            None => Ok(board_around(squares)?),
        }
    }

    fn check_tour(&self, board: Board, tour: Tour) -> anyhow::Result<()> {
        let shape = if self.closed { Shape::Closed } else { Shape::Open };
        let question = TourProblem { shape, ..TourProblem::open(board) };
        let verified = Verified::check(question, tour)?;
        print_line(&format!("valid: {}", tour_told(&verified)))
    }
}

fn check_certificates(
    reader: impl Read,
    budget: &Cell<u64>,
    mut recheck: Recheck,
) -> anyhow::Result<Exit> {
    let mut documents = serde_json::Deserializer::from_reader(reader).into_iter();
    let mut exit = Exit::Solved;
    let mut number = 0_u64;
    loop {
        budget.set(MOST_BYTES);
        let Some(document) = documents.next() else { break };
        number += 1;
        let place = || format!("answer {number}");
        let certificate = document.with_context(place)?;
        let (line, settled) = match &certificate {
            AnyCertificate::Tour(certificate) => match certificate.statement() {
                Statement::Solved(solved) => Ok((format!("valid: {}", tour_told(solved)), true)),
                Statement::Impossible(none) => {
                    verdict(certificate, &named(none.problem()), &mut recheck)
                }
            },
            AnyCertificate::Capture(certificate) => verdict(certificate, "capture", &mut recheck),
            AnyCertificate::Swap(certificate) => verdict(certificate, "swap", &mut recheck),
            _ => bail!("answer {number} is of an unknown kind"),
        }
        .with_context(place)?;
        if !settled {
            exit = Exit::Unfinished;
        }
        print_line(&line)?;
    }
    if number == 0 {
        bail!("there is nothing to check");
    }
    Ok(exit)
}

/// What the checker confirmed, in words, and whether all that was asked for is settled.
fn verdict<P: Plain>(
    certificate: &Certificate<P>,
    what: &str,
    recheck: &mut Recheck,
) -> anyhow::Result<(String, bool)> {
    let rests = |support: Support| matches!(support, Support::Stated | Support::Search);
    Ok(match (certificate.confirmed(), certificate.statement()) {
        (Confirmed::Impossible(support), Statement::Impossible(none)) => {
            let (obstacle, problem) = (none.obstacle(), none.problem());
            let again = rests(support).then(|| recheck.of(problem, None)).transpose()?;
            match again {
                None => (format!("valid: no {what}: {obstacle} ({support})"), true),
                Some(Again::Confirmed(by)) => {
                    (format!("valid: no {what}: {obstacle} (run again by {by})"), true)
                }
                Some(Again::Open(why)) => (
                    format!(
                        "well-formed, not rechecked: no {what}: {obstacle} ({support}{})",
                        stopped(why.as_deref())
                    ),
                    why.is_none(),
                ),
            }
        }
        (Confirmed::Solution { cost, fewest: Some(support) }, Statement::Solved(solved)) => {
            let problem = solved.problem();
            let again = rests(support).then(|| recheck.of(problem, Some(cost))).transpose()?;
            match again {
                None => (format!("valid: {what} in {cost}, the fewest ({support})"), true),
                Some(Again::Confirmed(by)) => {
                    (format!("valid: {what} in {cost}, the fewest (run again by {by})"), true)
                }
                Some(Again::Open(why)) => (
                    format!(
                        "valid: {what} in {cost}; that it is the fewest is not rechecked ({support}{})",
                        stopped(why.as_deref())
                    ),
                    why.is_none(),
                ),
            }
        }
        (Confirmed::Solution { cost, .. }, _) => (format!("valid: {what} in {cost}"), true),
        _ => bail!("this program cannot say what the checker confirmed"),
    })
}

/// Why a search that was run again did not finish.
fn stopped(why: Option<&str>) -> String {
    why.map_or_else(String::new, |why| format!("; {why}"))
}

fn print_line(line: &str) -> anyhow::Result<()> {
    use std::io::Write as _;
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// The first byte that is not white space; it stays to be read.
fn first_letter(reader: &mut BufReader<impl Read>) -> io::Result<Option<u8>> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let Some(&letter) = buffer.get(blank) {
            return Ok(Some(letter));
        }
        reader.consume(blank);
    }
}

/// A reader that fails when one document takes more than its budget.
struct Bounded {
    inner: Box<dyn Read>,
    budget: Rc<Cell<u64>>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let left = self.budget.get().checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!("an answer is longer than {} MiB", MOST_BYTES >> 20))
        })?;
        self.budget.set(left);
        Ok(read)
    }
}
