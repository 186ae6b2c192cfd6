//! `destrier count`: how many tours a board has.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use destrier::internal::Record;
use destrier::internal::middle::{Figure, Partial};
use destrier::{
    CountMethod, Finding, Method as _, Options, Outcome, Schedule, SolveError, TourCount,
    Tours as _, render,
};
use destrier_ask::{
    Counted, Counting, Sentence, by_start_json, by_start_rows, by_start_title, estimate_told,
    named_all, no_solution, stopped,
};
use destrier_rules::{Evidence, Shape, TourProblem};

use crate::args::{BoardArgs, LimitArgs, OutputArgs, ShapeArgs, SymmetryArgs, choice, method};
use crate::exit::Exit;
use crate::language::{spoken, tell};
use crate::output::{self, Format, Forms};
use crate::series;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  destrier count 5x5                        open and closed tours
  destrier count 8x8 --closed               closed tours alone
  destrier count 6x6 --closed --classes     also up to turns and mirrors of the board
  destrier count 8x8 --closed --symmetry half-turn
  destrier count 5x5 --open --by-start      a number on each square; -o map.svg for a picture
  destrier count --series 3x1..60 --closed  one line per board, and the recurrence they follow
  destrier count 5x6 --json                 numbers as decimal strings
  destrier count 7x8 --closed --confirm frontier --json | destrier verify";

/// Count the tours of a board
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the command line")]
pub struct CountArgs {
    /// Files x ranks, like 8x8; or a FEN like 5/2#2/5; or a file with a drawing of `.` and `#`
    #[arg(value_name = "BOARD", required_unless_present = "series")]
    board: Option<String>,

    #[command(flatten)]
    shape: ShapeArgs,

    #[command(flatten)]
    tour: SymmetryArgs,

    /// Count open tours alone; those that could be closed are among them
    #[arg(long, conflicts_with = "closed")]
    open: bool,

    /// Count the tours up to turns and mirrors of the board, too
    #[arg(long, conflicts_with_all = ["from", "to", "by_start"])]
    classes: bool,

    /// Count the directed tours from each square; a grid of numbers, or a picture as SVG
    #[arg(long, conflicts_with_all = ["from", "symmetry", "journal"])]
    by_start: bool,

    /// Count on all boards of a width (at most 5): like 3x1..60
    #[arg(long, value_name = "WxA..B", conflicts_with_all = ["board", "from", "to", "symmetry", "journal", "classes"])]
    series: Option<String>,

    /// With --series: lines as in a b-file, a length and a number
    #[arg(long, requires = "series", conflicts_with = "board")]
    b_file: bool,

    /// With --series: look for a recurrence up to this order; 0 for none
    #[arg(
        long,
        value_name = "ORDER",
        default_value_t = 300,
        requires = "series",
        conflicts_with = "board"
    )]
    recurrence: usize,

    /// Keep finished parts of a long count in this folder, and resume from there (method middle)
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,

    /// Do not count: estimate what `middle` would take, from a sample
    #[arg(long, conflicts_with_all = ["classes", "by_start", "series", "journal"])]
    estimate: bool,

    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto")]
    #[arg(value_parser = method::<CountMethod>())]
    method: CountMethod,

    /// Count once more by this method; both go into --json, and `verify` compares them
    #[arg(long, value_name = "METHOD", value_parser = method::<CountMethod>())]
    #[arg(conflicts_with_all = ["by_start", "series", "estimate"])]
    confirm: Option<CountMethod>,

    /// How naive and backtrack share the starts among threads [default: parts]
    #[arg(long, value_name = "HOW", value_parser = choice(SCHEDULES))]
    #[arg(conflicts_with_all = ["by_start", "series", "estimate"])]
    schedule: Option<Schedule>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<CountForms>,
}

/// The forms of a count, and of counts by start.
#[derive(Clone, Debug)]
pub struct CountForms;

impl Forms for CountForms {
    const ALL: &'static [Format] =
        &[Format::List, Format::Json, Format::Grid, Format::Csv, Format::Svg];
}

/// The sums of a finished journal, by slice.
fn slices_of(folder: &Path) -> Option<BTreeMap<String, String>> {
    let record = Record::read(folder).ok().filter(|record| record.open() == 0)?;
    let named = |partial: &Partial| (partial.slice.to_string(), partial.sum.to_string());
    Some(record.finished().iter().map(named).collect())
}

/// Counts once more, and says why if that did not come to an end.
fn confirm(
    answer: &mut Counted,
    method: CountMethod,
    counts: &mut Counts<'_>,
    session: &Session,
) -> anyhow::Result<Option<Sentence>> {
    if method.name() == answer.method {
        return Ok(Some(Sentence::of("count.same_again").with("method", method.name())));
    }
    let again = session.end(counts(&answer.question, method, &session.options))?;
    let (method, first) = (again.effort.method, answer.method);
    let count = match again.outcome {
        Outcome::Solved(count) => count,
        Outcome::Impossible(_) => TourCount::ZERO,
        Outcome::Unfinished { why, .. } => {
            let said = Sentence::of("count.not_again").with("method", method);
            return Ok(Some(said.with("why", Sentence::from(why))));
        }
    };
    let (one, other) = (answer.count.undirected(), count.undirected());
    if one != other {
        bail!("{first} counts {one}, but {method} counts {other}: please report this");
    }
    let undirected = other.to_string();
    answer.evidence.push(Evidence { method: method.into(), undirected, slices: [].into() });
    Ok(None)
}

const SCHEDULES: [(&str, &str, Schedule); 3] = [
    ("parts", "In many beginnings of walks, taken in turn", Schedule::Parts),
    ("static", "Each thread has its squares from the start, as one range", Schedule::Static),
    ("task", "A task per square, taken in turn", Schedule::Task),
];

/// What counts the tours: called with the question, the method and the options.
pub type Counts<'c> =
    dyn FnMut(&TourProblem, CountMethod, &Options) -> Result<Finding<TourCount>, SolveError> + 'c;

impl CountArgs {
    /// What is asked of one board; open tours unless the arguments say closed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn question(&self) -> anyhow::Result<TourProblem> {
        let board = self.board.clone().context("a board is missing, like `8x8`")?;
        self.tour.question(&BoardArgs { board, shape: self.shape.clone() })
    }

    /// Limits on the run.
    pub fn limits(&mut self) -> &mut LimitArgs {
        &mut self.limits
    }

    /// Counts in this process.
    ///
    /// # Errors
    /// When the question is a bad one, or no method is made for it.
    pub fn run(&self) -> anyhow::Result<Exit> {
        self.run_by(&mut |question, method, options| question.count_by(method, options))
    }

    /// Reads the question, has its tours counted, and prints the answer.
    ///
    /// # Errors
    /// When the question is a bad one, or no method is made for it.
    pub fn run_by(&self, counts: &mut Counts<'_>) -> anyhow::Result<Exit> {
        if !self.estimate {
            self.limits.no_seed("a count does not depend on it; --estimate does")?;
        }
        if let Some(range) = &self.series {
            if !matches!(self.method, CountMethod::Auto | CountMethod::Transfer) {
                bail!("--series cannot be used with --method {}", self.method.name());
            }
            let shape = if self.tour.ends.closed { Shape::Closed } else { Shape::Open };
            let format = self.output.format(Format::List)?;
            let question = series::SeriesRun::read(range, shape, &self.shape)?;
            let session = self.limits.start()?;
            return question.run(self.b_file, self.recurrence, format, &session, &self.output);
        }
        let by_squares = matches!(self.method, CountMethod::Naive | CountMethod::Backtrack);
        if self.schedule.is_some() && !by_squares {
            bail!("--schedule is for --method naive or backtrack, which count square by square");
        }
        if self.b_file {
            bail!("--b-file is for --series");
        }
        if self.estimate && !matches!(self.method, CountMethod::Auto | CountMethod::Middle) {
            bail!("--estimate is about --method middle");
        }
        if self.confirm == Some(self.method) {
            bail!("--confirm names a method other than --method");
        }
        let question = self.question()?;
        let session = self.limits.start()?;
        if self.by_start {
            return self.run_by_start(&question, &session);
        }
        let format = self.output.format(Format::List)?;
        if !matches!(format, Format::List | Format::Json) {
            bail!("a count comes as `list` or `json`; --by-start also as `grid`, `csv` or `svg`");
        }
        if self.estimate {
            return self.run_estimate(&question, format, &session);
        }
        let mut exit = Exit::Solved;
        let mut text = String::new();
        for &shape in self.shapes() {
            let question = TourProblem { shape, ..question.clone() };
            let counting = self.answer(question, counts, &session)?;
            for note in &counting.notes {
                message!("destrier: {}", tell(note));
            }
            if !counting.complete {
                exit = Exit::Unfinished;
            }
            if let Some(answer) = counting.answer {
                text.push_str(&match format {
                    Format::Json => answer.json().to_string() + "\n",
                    _ => answer.in_words(spoken()),
                });
            }
            // Each number as soon as it is known; a file is written whole.
            if self.output.file().is_none() {
                output::print(std::mem::take(&mut text).as_bytes())?;
            }
        }
        if self.output.file().is_some() {
            self.output.write(text.as_bytes())?;
        }
        Ok(exit)
    }

    /// Estimates what counting would take, by the one method that can.
    fn run_estimate(
        &self,
        question: &TourProblem,
        format: Format,
        session: &Session,
    ) -> anyhow::Result<Exit> {
        let mut text = String::new();
        for &shape in self.shapes() {
            let question = TourProblem { shape, ..question.clone() };
            match question.estimate(&session.options)?.outcome {
                Outcome::Solved(estimate) if format == Format::Json => {
                    let figure = |figure: Figure| serde_json::json!({ "value": figure.value, "error": figure.error });
                    let told = serde_json::json!({
                        "destrier": 1, "kind": "estimate", "question": question,
                        "hours": figure(estimate.hours), "memory": figure(estimate.memory),
                        "columns": figure(estimate.columns), "transitions": figure(estimate.transitions),
                        "kept": figure(estimate.kept), "extrapolated": estimate.is_extrapolated,
                    });
                    writeln!(text, "{told}")?;
                }
                Outcome::Solved(estimate) => {
                    let told = estimate_told(&estimate, spoken());
                    writeln!(text, "{}\n{told}", tell(&named_all(&question)))?;
                }
                Outcome::Unfinished { why, .. } => {
                    session.clear();
                    message!("destrier: {}", tell(&stopped(named_all(&question), why)));
                    return Ok(Exit::Unfinished);
                }
                Outcome::Impossible(none) if format == Format::Json => {
                    let why = tell(&no_solution(&none));
                    let told = serde_json::json!({
                        "destrier": 1, "kind": "estimate", "question": question, "none": why,
                    });
                    writeln!(text, "{told}")?;
                }
                Outcome::Impossible(none) => {
                    writeln!(text, "{}", tell(&no_solution(&none)))?;
                }
            }
        }
        session.clear();
        self.output.write(text.as_bytes())?;
        Ok(Exit::Solved)
    }

    fn shapes(&self) -> &'static [Shape] {
        match (self.tour.ends.closed, self.open) {
            (true, _) => &[Shape::Closed],
            (_, true) => &[Shape::Open],
            _ => &[Shape::Closed, Shape::Open],
        }
    }

    /// Counts, and sorts into classes if that is asked for.
    fn answer(
        &self,
        question: TourProblem,
        counts: &mut Counts<'_>,
        session: &Session,
    ) -> anyhow::Result<Counting> {
        let mut options = session.options.clone();
        if let Some(schedule) = self.schedule {
            options = options.schedule(schedule);
        }
        if let Some(folder) = &self.journal {
            // Two questions at once have one folder each.
            options = options.journal(match (self.shapes().len(), question.shape) {
                (1, _) => folder.clone(),
                (_, Shape::Closed) => folder.join("closed"),
                (_, Shape::Open) => folder.join("open"),
            });
        }
        let counted = session.end(counts(&question, self.method, &options))?;
        if self.output.verbose {
            session.report(&counted.effort);
        }
        let mut counting = Counting::of(question, counted, self.classes, &session.options)?;
        let Some(answer) = counting.answer.as_mut().filter(|answer| answer.whole) else {
            return Ok(counting);
        };
        if let Some(slices) = options.journal_folder().and_then(slices_of) {
            let undirected = answer.count.undirected().to_string();
            answer.evidence.push(Evidence { method: answer.method.into(), undirected, slices });
        }
        if let Some(method) = self.confirm {
            let why = confirm(answer, method, counts, session)?;
            counting.complete &= why.is_none();
            counting.notes.extend(why);
        }
        Ok(counting)
    }

    fn run_by_start(&self, question: &TourProblem, session: &Session) -> anyhow::Result<Exit> {
        let format = self.output.format(Format::Grid)?;
        let counted = session.end(question.count_by_start(self.method, &session.options))?;
        if self.output.verbose {
            session.report(&counted.effort);
        }
        let counts = match counted.outcome.so_far() {
            (Some(counts), None) => counts,
            (_, why) => {
                let title = by_start_title(question);
                let said = why.map_or_else(|| title.clone(), |why| stopped(title.clone(), why));
                message!("destrier: {}", tell(&said));
                return Ok(Exit::Unfinished);
            }
        };
        let map = render::NumberMap {
            title: tell(&by_start_title(question)),
            board: &question.board,
            numbers: &counts.iter().map(|(s, n)| (*s, n.to_string())).collect::<Vec<_>>(),
        };
        let text = match format {
            Format::Grid => map.grid(),
            Format::List => by_start_rows(&counts, ' '),
            Format::Csv => format!("square,directed\n{}", by_start_rows(&counts, ',')),
            Format::Svg => map.svg()?,
            Format::Json => by_start_json(question, &counts).to_string() + "\n",
            _ => bail!("counts by start come as `grid`, `list`, `csv`, `svg` or `json`"),
        };
        self.output.write(text.as_bytes())?;
        Ok(Exit::Solved)
    }
}
