//! `destrier verify`: checks answers by the rules alone; no solver is used but the plain ones, and those on request.

pub(crate) mod journal;

use std::cell::Cell;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, bail};
use clap::Args;
use destrier::Halt;
use destrier::internal::{Record, Watch};
use destrier_ask::{
    CheckedClaim, Document, JsonWeight, KeptCount, Misread, Sentence, Told, Verdict, board_around,
    capture_line, claims, count_claims, grid, is_asked_for, is_grid, plan_told, tour_told,
};
use destrier_rules::{
    AnyCertificate, Board, Budget, Certificate, CountCertificate, CountStatement, Fault, Shape,
    Square, Tour, TourProblem, Unchecked, Verified,
};
use serde_json::Value;

use crate::recheck::{Plain, Recheck};
use destrier_terminal::args::LimitArgs;
use destrier_terminal::exit::Exit;
use destrier_terminal::input::{self, MOST_BYTES};
use destrier_terminal::language::tell;

const EXAMPLES: &str = "\
Examples:
  destrier tour 8x8 --json | destrier verify       a certificate
  destrier enumerate 5x5 --json | destrier verify  many of them
  destrier tour 8x8 | destrier verify              a grid of numbers
  destrier verify tour.list --board 8x8 --closed   a list of squares
  destrier verify none.json --recheck 1            a search that found nothing, repeated
  destrier verify count-8x8 --recheck 5            a count's journal: five random slices, recounted

Each claim of an answer gets a line: `confirmed` if the checker went through all of it; it repeats
searches of up to 250,000 positions itself. `not rechecked` if it rests on a longer search or on an
argument in words (--recheck runs it again by the plain method). A claim that is `refuted` ends the
run with an error.
Exit codes: 0 nothing is wrong, 2 something is, 3 a check that was asked for did not finish.";

/// Check answers: certificates in JSON, lists of squares, grids of numbers, journals
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The file, or the folder of a journal [default: standard input]
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,

    /// The board that answers must be for [default: their own, or the smallest that holds a list's squares]
    #[arg(long, value_name = "WxH")]
    board: Option<String>,

    /// Answers must be closed tours
    #[arg(long)]
    closed: bool,

    /// Repeat, by the plain method, up to N of the searches or slices that answers rest on; all without N
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "18446744073709551615")]
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
        if self.file != Path::new("-") && !self.file.exists() {
            let name = self.file.display();
            bail!(
                "there is no file `{name}`; an answer is a certificate in JSON, lists of squares, a grid of numbers, or a journal's folder"
            );
        }
        let budget = Rc::new(Cell::new(MOST_BYTES));
        let reader = Bounded { inner: input::open(&self.file)?, budget: budget.clone() };
        let mut reader = BufReader::new(reader);
        // The page keeps counts as a list.
        if matches!(first_letter(&mut reader).context("reading the input")?, Some(b'{' | b'[')) {
            let session = self.limits.start()?;
            let (left, seed) = (self.recheck.unwrap_or(0), self.limits.seed.unwrap_or(0));
            let recheck = Recheck { left, seed, options: session.options.clone() };
            let asked = self.board.as_deref().map(str::parse).transpose()?;
            let check =
                Check { asked, closed: self.closed, watch: session.watch(), recheck, budget };
            return check.certificates(reader);
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
            bail!(Misread::told(Sentence::of("verdict.nothing")));
        }
        if is_grid(&lines) {
            let (board, tour) = grid(&lines)?;
            let asked = self.board.as_deref().map(str::parse).transpose()?;
            is_asked_for(&board, None, asked.as_ref(), false).with_context(refuted)?;
            return self.check_tour(board, tour);
        }
        for (number, line) in (1..).zip(&lines) {
            let place = || tell(&Sentence::of("verdict.text_line").with("n", number));
            if line.contains('*') {
                self.check_capture(line).with_context(place)?;
                continue;
            }
            if line.contains('-') {
                bail!(Misread::told(Sentence::of("verdict.list_of_moves").with("n", number)));
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
        let verified = Verified::check(problem, plan).with_context(refuted)?;
        print_line(&CheckedClaim::replayed(plan_told(&verified)))
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
        let verified = Verified::check(question, tour).with_context(refuted)?;
        print_line(&CheckedClaim::replayed(tour_told(&verified)))
    }
}

/// What certificates are held to, and what checking them may take.
struct Check {
    asked: Option<Board>,
    closed: bool,
    watch: Watch,
    recheck: Recheck,
    /// The bytes that are left to the document being read.
    budget: Rc<Cell<u64>>,
}

impl Check {
    /// Checks one certificate after the other.
    fn certificates(mut self, reader: impl Read) -> anyhow::Result<Exit> {
        let weight = Rc::new(Cell::new(JsonWeight::default()));
        let reader = Weighed { inner: reader, weight: weight.clone() };
        let mut documents = serde_json::Deserializer::from_reader(reader).into_iter::<Document>();
        let mut exit = Exit::Solved;
        let mut number = 0_u64;
        loop {
            self.budget.set(MOST_BYTES);
            weight.set(JsonWeight::default());
            let Some(document) = documents.next() else { break };
            let place = |number| move || tell(&Sentence::of("verdict.answer").with("n", number));
            let answers = match document.with_context(place(number + 1))?.0 {
                Value::Array(answers) => answers,
                answer => vec![answer],
            };
            for answer in answers {
                number += 1;
                if !self.answer(answer).with_context(place(number))? {
                    exit = Exit::Unfinished;
                }
            }
        }
        if number == 0 {
            bail!(Misread::told(Sentence::of("verdict.nothing")));
        }
        Ok(exit)
    }

    /// Checks one certificate or count, and says whether all that was asked for is settled.
    fn answer(&mut self, answer: Value) -> anyhow::Result<bool> {
        let bytes = MOST_BYTES - self.budget.get();
        let watch = self.watch.clone();
        let stop = || watch.halted().is_some();
        let budget = Budget::of_certificate(bytes, &stop).memory(watch.room());
        let kept = KeptCount::read(&answer)?;
        if !kept.is_empty() {
            return self.kept(kept, &budget);
        }
        let document: Unchecked = serde_json::from_value(answer)?;
        let certificate = match document.check(&budget) {
            Ok(certificate) => certificate,
            Err(fault) => return self.faulted(fault),
        };
        match &certificate {
            AnyCertificate::Tour(certificate) => {
                let problem = certificate.statement().problem();
                self.fits(&problem.board, Some(problem.shape))?;
                self.lines(certificate)
            }
            AnyCertificate::Capture(certificate) => {
                self.fits(&certificate.statement().problem().board, None)?;
                self.lines(certificate)
            }
            AnyCertificate::Swap(certificate) => {
                self.fits(&certificate.statement().problem().board, None)?;
                self.lines(certificate)
            }
            AnyCertificate::Count(count) => {
                let question = &count.statement().question;
                self.fits(&question.board, Some(question.shape))?;
                self.count(count)
            }
            _ => bail!("it is of an unknown kind"),
        }
    }

    /// Checks counts by start or of a series, and prints their lines.
    fn kept(&self, kept: Vec<KeptCount>, budget: &Budget<'_>) -> anyhow::Result<bool> {
        for count in kept {
            let question = count.question();
            self.fits(&question.board, Some(question.shape))?;
            match count.check(budget) {
                Ok(claims) => claims.iter().try_for_each(print_line)?,
                Err(fault) => return self.faulted(fault),
            }
        }
        Ok(true)
    }

    /// Says why a check did not finish; what is wrong with the answer is an error.
    fn faulted(&self, fault: Fault) -> anyhow::Result<bool> {
        if !fault.is_unfinished() {
            return Err(anyhow::Error::new(fault).context(refuted()));
        }
        let why = match self.watch.halted() {
            Some(Halt::Deadline) => Sentence::of("verdict.time_is_up"),
            _ => (&fault).into(),
        };
        print_line(&CheckedClaim::new(Verdict::NotRechecked, why))?;
        Ok(false)
    }

    /// Prints the lines of a count; if that was asked for, what was not counted again is, in slices or as a whole.
    fn count(&mut self, count: &CountCertificate) -> anyhow::Result<bool> {
        let mut claims = count_claims(count).into_iter();
        let Some(mut claim) = claims.next() else { return Ok(true) };
        let mut settled = true;
        if claim.verdict == Verdict::NotRechecked && self.recheck.left > 0 {
            let CountStatement { question, .. } = count.statement();
            if let Some(slices) = count.slices() {
                let record = Record::of_slices(question, slices);
                let record = record.with_context(|| refutes(&claim))?;
                let settled = self.recheck.slices(&record, &self.watch)?;
                claims.by_ref().try_for_each(|claim| print_line(&claim))?;
                return Ok(settled);
            }
            let again = self.recheck.count(count).with_context(|| refutes(&claim))?;
            (claim, settled) = again.settle(claim);
        }
        print_line(&claim)?;
        claims.try_for_each(|claim| print_line(&claim))?;
        Ok(settled)
    }

    fn fits(&self, board: &Board, shape: Option<Shape>) -> anyhow::Result<()> {
        is_asked_for(board, shape, self.asked.as_ref(), self.closed).with_context(refuted)
    }

    /// Prints a line for each claim; what was not rechecked is run again, if that was asked for.
    fn lines<P: Plain + Told>(&mut self, certificate: &Certificate<P>) -> anyhow::Result<bool> {
        let problem = certificate.statement().problem();
        let mut settled = true;
        for mut claim in claims(certificate) {
            if claim.verdict == Verdict::NotRechecked {
                let again = self.recheck.of(problem, claim.lower_bound);
                let (again, is_settled) = again.with_context(|| refutes(&claim))?.settle(claim);
                (claim, settled) = (again, settled && is_settled);
            }
            print_line(&claim)?;
        }
        Ok(settled)
    }
}

fn print_line(claim: &CheckedClaim) -> anyhow::Result<()> {
    use std::io::Write as _;
    Ok(writeln!(io::stdout(), "{}", tell(&claim.line()))?)
}

/// What an error is about that refutes an answer.
fn refuted() -> String {
    tell(&Verdict::Refuted.into())
}

/// What an error is about that refutes a claim.
fn refutes(claim: &CheckedClaim) -> String {
    tell(&CheckedClaim::new(Verdict::Refuted, claim.told()).line())
}

/// The first byte that is neither white space nor a byte order mark; it stays to be read.
fn first_letter(reader: &mut BufReader<impl Read>) -> io::Result<Option<u8>> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        if buffer.starts_with("\u{feff}".as_bytes()) {
            reader.consume("\u{feff}".len());
            continue;
        }
        let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let Some(&letter) = buffer.get(blank) {
            return Ok(Some(letter));
        }
        reader.consume(blank);
    }
}

/// The most memory that the JSON of one document takes.
const MOST_MEMORY: u64 = 1 << 30;

/// JSON that is read, and what it takes in memory.
struct Weighed<R> {
    inner: R,
    weight: Rc<Cell<JsonWeight>>,
}

impl<R: Read> Read for Weighed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let mut weight = self.weight.get();
        weight.add(&buffer[..read]);
        self.weight.set(weight);
        if weight.bytes() > MOST_MEMORY {
            let most = MOST_MEMORY >> 20;
            let why = format!("an answer would take more than {most} MiB of memory");
            return Err(io::Error::other(why));
        }
        Ok(read)
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
