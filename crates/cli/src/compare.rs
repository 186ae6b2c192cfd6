//! `destrier compare`: from the arguments to a comparison, and from its report to files and a table.
//!
//! `destrier report` measures in the same way.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use destrier_compare::{
    Ask, Comparison, Error, Form, Kind, Launcher, Limits, Question, Report, Runner, SETS, Set,
    Subject, Team, Turn, cores, doubling,
};
use destrier_rules::{Coordinates, Problem as _, Shape, TourProblem};
use destrier_terminal::args::{BoardArgs, LimitArgs, ShapeArgs, SymmetryArgs, choice};
use destrier_terminal::capture::read_puzzle;
use destrier_terminal::exit::Exit;
use destrier_terminal::language::spoken;
use destrier_terminal::swap::{PuzzleArgs, RuleArgs, preset};
use destrier_terminal::{input, message, output};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const EXAMPLES: &str = "\
Examples:
  destrier compare tour 8x8 20x20 --methods auto,warnsdorff,roth
  destrier compare count 5x5 4x6 --closed --methods auto,backtrack,naive --threads 1,2,4
  destrier compare capture puzzle.txt --methods bb-dfs:none,bb-dfs:task,auto --threads 1,2
  destrier compare swap six-knights 3x5 --time-limit 5s -o swaps.md -o swaps.svg
  destrier compare --set brute-force-speedup -o speedup.csv -o speedup.svg
  destrier compare count 7x8 --closed --methods auto --threads 1,2 --ranks 1,2,4
  destrier compare --read speedup.csv -o speedup.svg    a plot of what was measured before";

const USAGE: &str = "destrier compare tour|count|capture|swap|survey QUESTION… [OPTIONS]\n       \
                     destrier compare --set NAME [OPTIONS]";

/// Run methods side by side: times, speed-ups, agreement, as a table and a plot
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true, subcommand_value_name = "PROBLEM")]
#[command(subcommand_help_heading = "Problems", override_usage = USAGE)]
pub(crate) struct CompareArgs {
    #[command(subcommand)]
    questions: Option<QuestionArgs>,

    /// A named set of comparisons
    #[arg(long, value_name = "NAME", value_parser = set_names(), conflicts_with = "read")]
    set: Option<&'static str>,

    /// Measure nothing: show a CSV file that was written before
    #[arg(long, value_name = "FILE")]
    read: Option<PathBuf>,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    output: WriteArgs,
}

/// What is compared.
#[derive(Debug, Subcommand)]
enum QuestionArgs {
    /// Finding a tour
    Tour(Tours),
    /// Counting tours: open ones, or closed ones with --closed
    Count(Tours),
    /// Taking all pieces
    Capture {
        /// Puzzle files, or FENs
        #[arg(value_name = "PUZZLE", required = true)]
        puzzles: Vec<String>,
    },
    /// Exchanging knights
    Swap {
        /// Presets like six-knights, boards like 3x4, or START:GOAL as FENs
        #[arg(value_name = "PUZZLE", required = true)]
        puzzles: Vec<String>,
        #[command(flatten)]
        rules: RuleArgs,
    },
    /// How often the classic walks fail, over all starts
    Survey {
        /// Boards, like 50x50
        #[arg(value_name = "BOARD", required = true)]
        boards: Vec<String>,
        #[command(flatten)]
        shape: ShapeArgs,
        /// Walk closed tours
        #[arg(long)]
        closed: bool,
        /// Try at most this many starts, spread evenly
        #[arg(long, value_name = "N")]
        starts: Option<usize>,
    },
}

/// Tours to find or to count.
#[derive(Debug, Args)]
struct Tours {
    /// Boards, like 5x6
    #[arg(value_name = "BOARD", required = true)]
    boards: Vec<String>,
    #[command(flatten)]
    shape: ShapeArgs,
    #[command(flatten)]
    tour: SymmetryArgs,
}

/// What is run, and how often.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Comparison")]
pub(crate) struct PlanArgs {
    /// Methods; the others are compared with the first. Some have variants, like bb-dfs:task or
    /// roth:backtrack [default: all]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', global = true)]
    methods: Vec<String>,

    /// Numbers of threads, like 1,2,4; `1..8` doubles from 1 to 8, and `1..` to all cores [default: 1]
    #[arg(long, value_name = "N,…", global = true)]
    threads: Option<String>,

    /// Numbers of MPI ranks, like 1,2,4, of that many threads each: count and capture by destrier-mpi
    #[arg(long, value_name = "N,…", global = true)]
    ranks: Option<String>,

    /// With --ranks: the machines to run on, for mpirun; in a Slurm or PBS job it knows them
    #[arg(long, value_name = "FILE", global = true)]
    hostfile: Option<PathBuf>,

    /// With --ranks: what comes before `-n` [default: mpirun --bind-to none]
    #[arg(long, value_name = "WORDS", global = true)]
    launcher: Option<String>,

    /// Measured runs of each, after one that warms up [default: 5]
    #[arg(long, value_name = "N", global = true)]
    repeat: Option<usize>,

    /// The longest a run may take [default: 10s]
    #[arg(long, value_name = "TIME", global = true)]
    time_limit: Option<String>,

    /// The most memory a run may plan with, like 4G
    #[arg(long, value_name = "BYTES", global = true)]
    memory: Option<String>,

    /// The seed of randomised methods
    #[arg(long, value_name = "N", global = true)]
    seed: Option<u64>,
}

/// Where the report goes, and in which form.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
struct WriteArgs {
    /// Write a report, too: .csv, .json, .md, .svg, .png or .txt by its extension; may be given several times
    #[arg(long, short, value_name = "FILE", global = true)]
    output: Vec<PathBuf>,

    /// The form of what is printed
    #[arg(long, short, value_name = "FORMAT", global = true, conflicts_with = "json")]
    #[arg(value_parser = choice(Form::ALL.map(|form| (form.name(), form.about(), form))))]
    format: Option<Form>,

    /// Short for --format json
    #[arg(long, global = true)]
    json: bool,
}

/// The names of the sets; help has a line about each, and shells complete them.
pub(crate) fn set_names() -> impl TypedValueParser<Value = &'static str> {
    choice(SETS.iter().map(|set| (set.name, set.about, set.name)))
}

impl CompareArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        for path in &self.output.output {
            Form::by_extension(path)?;
            check_place(path)?;
        }
        if let Some(path) = &self.read {
            if self.questions.is_some() {
                bail!("--read measures nothing; leave the questions out");
            }
            self.output.write(&read_report(path)?)?;
            return Ok(Exit::Solved);
        }
        let report = self.plan.measure(&self.comparison()?)?;
        self.output.write(&report)?;
        Ok(ended(&report))
    }

    /// The questions of the set or of the arguments, each with its methods.
    fn comparison(&self) -> anyhow::Result<Comparison> {
        let plan = &self.plan;
        match (&self.set, &self.questions) {
            (Some(_), Some(_)) => bail!("give a set or questions, not both"),
            (None, None) => bail!(
                "what is to be compared? Give tour, count, capture, swap or survey and questions, or --set NAME; \
                 `destrier compare --help` has examples"
            ),
            (None, Some(questions)) => {
                let kind = questions.kind();
                let methods = kind.methods(&plan.methods)?;
                let mut comparison = plan.begin(kind.title(), 5)?;
                comparison.add(&questions.read()?, &methods, &plan.teams(&[1])?)?;
                Ok(comparison)
            }
            (Some(name), None) => plan.set(name),
        }
    }
}

/// How a measurement ends the program; faults are reported on stderr.
pub(crate) fn ended(report: &Report) -> Exit {
    for fault in &report.faults {
        message!("destrier: {fault}");
    }
    match (report.agreed, report.complete) {
        (false, _) => Exit::BadQuestion,
        (true, false) => Exit::Unfinished,
        (true, true) => Exit::Solved,
    }
}

/// Refuses a file that cannot be made, before anything is measured.
pub(crate) fn check_place(path: &Path) -> anyhow::Result<()> {
    let place = output::check_place(path);
    place.with_context(|| format!("cannot write `{}`", path.display())).map(drop)
}

/// The report that a CSV file keeps.
pub(crate) fn read_report(path: &Path) -> anyhow::Result<Report> {
    let report = Report::read_csv(&input::read_text(path)?);
    report.with_context(|| format!("`{}`", path.display()))
}

impl QuestionArgs {
    const fn kind(&self) -> Kind {
        match self {
            QuestionArgs::Tour(_) => Kind::Tour,
            QuestionArgs::Count(_) => Kind::Count,
            QuestionArgs::Capture { .. } => Kind::Capture,
            QuestionArgs::Swap { .. } => Kind::Swap,
            QuestionArgs::Survey { .. } => Kind::Survey,
        }
    }

    /// The questions, each read as its verb reads it.
    fn read(&self) -> anyhow::Result<Vec<Question>> {
        let (QuestionArgs::Tour(Tours { boards: operands, .. })
        | QuestionArgs::Count(Tours { boards: operands, .. })
        | QuestionArgs::Capture { puzzles: operands }
        | QuestionArgs::Swap { puzzles: operands, .. }
        | QuestionArgs::Survey { boards: operands, .. }) = self;
        let read = |operand: &String| {
            if operand == "-" {
                bail!("standard input can be read only once; name a file instead");
            }
            self.question(operand).with_context(|| format!("question `{operand}`"))
        };
        operands.iter().map(read).collect()
    }

    fn question(&self, operand: &str) -> anyhow::Result<Question> {
        let board =
            |shape: &ShapeArgs| BoardArgs { board: operand.to_owned(), shape: shape.clone() };
        Ok(match self {
            QuestionArgs::Tour(Tours { shape, tour, .. }) => {
                let problem = tour.question(&board(shape))?;
                problem.validate()?;
                Question::about(Ask::Tour(problem.clone()), on_board(operand, shape, &problem))
            }
            QuestionArgs::Count(Tours { shape, tour, .. }) => {
                let problem = tour.question(&board(shape))?;
                problem.validate()?;
                Question::about(Ask::Count(problem.clone()), on_board(operand, shape, &problem))
            }
            QuestionArgs::Survey { shape, closed, starts, .. } => {
                let problem = TourProblem {
                    shape: if *closed { Shape::Closed } else { Shape::Open },
                    leaper: shape.leaper()?,
                    ..TourProblem::open(board(shape).read()?)
                };
                problem.validate()?;
                let subject = on_board(operand, shape, &problem);
                Question::about(Ask::Survey { problem, starts: *starts }, subject)
            }
            QuestionArgs::Capture { .. } => {
                let problem = read_puzzle(operand, Coordinates::Zero)?.problem;
                problem.validate()?;
                let ask = Ask::Capture(problem);
                let label = file_stem(operand).unwrap_or_else(|| Subject::of(&ask).label);
                Question::about(ask, Subject { words: vec![operand.to_owned()], label })
            }
            QuestionArgs::Swap { rules, .. } => swap(operand, rules)?,
        })
    }
}

/// A board as the user wrote it.
fn on_board(operand: &str, shape: &ShapeArgs, problem: &TourProblem) -> Subject {
    let mut words = vec![operand.to_owned()];
    if let Some(holes) = &shape.holes {
        words.extend(["--holes".to_owned(), holes.clone()]);
        if shape.coords != Coordinates::Zero {
            words.extend(["--coords".to_owned(), shape.coords.to_string()]);
        }
    }
    let label = file_stem(operand).unwrap_or_else(|| {
        if operand.contains('/') { problem.board.to_string() } else { operand.to_owned() }
    });
    Subject { words, label }
}

/// A swap by the name of a preset, on a board, or as `START:GOAL`.
fn swap(operand: &str, rules: &RuleArgs) -> anyhow::Result<Question> {
    let mut puzzle = PuzzleArgs { rules: rules.clone(), ..PuzzleArgs::default() };
    let words = match operand.split_once(':') {
        Some((start, goal)) => {
            (puzzle.from, puzzle.to) = (Some(start.to_owned()), Some(goal.to_owned()));
            vec!["--from", start, "--to", goal]
        }
        None if operand.starts_with(|c: char| c.is_ascii_alphabetic())
            && !operand.contains('/') =>
        {
            puzzle.preset = Some(preset(operand)?);
            vec!["--preset", operand]
        }
        None => {
            puzzle.board = Some(operand.to_owned());
            vec![operand]
        }
    };
    let ask = Ask::Swap(puzzle.question()?);
    let label = if operand.contains('/') { Subject::of(&ask).label } else { operand.to_owned() };
    let words = words.into_iter().map(str::to_owned).chain(rules.words_of_start()).collect();
    Ok(Question::about(ask, Subject { words, label }))
}

/// The name of a file without its folder and extension, if there is such a file.
fn file_stem(operand: &str) -> Option<String> {
    let path = Path::new(operand);
    let stem = path.is_file().then(|| path.file_stem()).flatten()?;
    Some(stem.to_string_lossy().into_owned())
}

impl PlanArgs {
    /// A comparison under these limits; this many runs of each where the user gave no number.
    fn begin(&self, title: &str, repeat: usize) -> anyhow::Result<Comparison> {
        let usual = Limits::default();
        let time = self.time_limit.as_deref().map(destrier_ask::time).transpose()?;
        let memory = self.memory.as_deref().map(destrier_ask::bytes).transpose()?;
        let limits =
            Limits { time: time.unwrap_or(usual.time), memory, seed: self.seed.unwrap_or(0) };
        Ok(Comparison::new(title, self.repeat.unwrap_or(repeat), limits)?)
    }

    /// The comparisons of a named set, with what the arguments replace.
    pub(crate) fn set(&self, name: &str) -> anyhow::Result<Comparison> {
        let set = Set::named(name)?;
        let mut comparison = self.begin(set.about, set.repeat)?;
        for part in set.parts() {
            let kind = part.questions[0].ask().kind();
            let methods = if self.methods.is_empty() {
                kind.methods(part.methods)?
            } else {
                kind.methods(&self.methods)?
            };
            comparison.add(&part.questions, &methods, &self.teams(&part.threads)?)?;
        }
        Ok(comparison)
    }

    /// The numbers of threads and ranks.
    fn teams(&self, usual: &[usize]) -> anyhow::Result<Vec<Team>> {
        let read = |option: &str, text: &str| read_numbers(option, text, cores());
        let threads = self.threads.as_deref().map(|text| read("--threads", text)).transpose()?;
        let ranks = self.ranks.as_deref().map(|text| read("--ranks", text)).transpose()?;
        if ranks.as_ref().is_some_and(|ranks| ranks.contains(&0)) {
            return Err(Error::Ranks(0).into());
        }
        Ok(Team::all(threads.as_deref().unwrap_or(usual), &ranks.unwrap_or_default()))
    }

    /// Runs the comparison in processes of this program, on ranks where that is asked for.
    pub(crate) fn measure(&self, comparison: &Comparison) -> anyhow::Result<Report> {
        let program = std::env::current_exe().context("this program does not know where it is")?;
        let mut runner = Runner::new(program.clone())?;
        if self.ranks.is_some() {
            let hosts = self.hostfile.as_deref();
            if let Some(hosts) = hosts.filter(|hosts| !hosts.is_file()) {
                bail!("--hostfile: there is no file `{}`", hosts.display());
            }
            let beside = Launcher::program_beside(&program)?;
            runner = runner.with_launcher(Launcher::new(self.launcher.as_deref(), hosts, beside)?);
        } else if self.hostfile.is_some() || self.launcher.is_some() {
            bail!("--hostfile and --launcher are for --ranks");
        }
        measure(comparison, &runner)
    }
}

impl WriteArgs {
    /// Prints the report, and writes the files that were asked for.
    fn write(&self, report: &Report) -> anyhow::Result<()> {
        for path in &self.output {
            write_file(path, &Form::by_extension(path)?.told(report, spoken())?)?;
        }
        let form = if self.json { Form::Json } else { self.format.unwrap_or(Form::Table) };
        output::print(&form.told(report, spoken())?)
    }
}

/// Writes a file, and says so.
pub(crate) fn write_file(path: &Path, whole: &[u8]) -> anyhow::Result<()> {
    output::to_file(path, |out| Ok(out.write_all(whole)?))
        .with_context(|| format!("cannot write `{}`", path.display()))?;
    message!("wrote {}", path.display());
    Ok(())
}

/// Reads `1,2,4`, `1..8` (doubling) and `1..` (doubling, to all cores).
fn read_numbers(option: &str, text: &str, cores: usize) -> anyhow::Result<Vec<usize>> {
    let number = |word: &str| -> anyhow::Result<usize> {
        word.trim().parse().ok().with_context(|| {
            format!("{option}: `{text}` is not a list of numbers; write 1,2,4 or 1..8")
        })
    };
    let mut numbers = Vec::new();
    for word in text.split(',') {
        match word.split_once("..") {
            None => numbers.push(number(word)?),
            Some((first, "")) => numbers.extend(doubling(number(first)?, cores.max(2))),
            Some((first, last)) => numbers.extend(doubling(number(first)?, number(last)?)),
        }
    }
    Ok(numbers)
}

/// Runs the comparison with a bar on the terminal; Ctrl-C ends it with what is measured.
fn measure(comparison: &Comparison, runner: &Runner) -> anyhow::Result<Report> {
    let watch = LimitArgs::default().start()?.watch();
    let bar = progress();
    let report = comparison.run(runner, &watch, &mut |turn: Turn<'_>| {
        let Turn { done, all, question, method, team } = turn;
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        bar.set_message(format!("{} by {method} on {team}", question.label()));
    });
    bar.finish_and_clear();
    Ok(report?)
}

/// A bar on the terminal, and nothing elsewhere.
fn progress() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    if std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(
            "{bar:24} {pos}/{len}, {eta} left: {msg} (Ctrl-C keeps what is measured)",
        ) {
            bar.set_style(style);
        }
    }
    bar
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    #[test]
    fn threads_are_listed_or_doubled() {
        let read = |text| read_numbers("--threads", text, 6).unwrap();
        assert_eq!(read("1"), [1]);
        assert_eq!(read("1,2,4"), [1, 2, 4]);
        assert_eq!(read("1..8"), [1, 2, 4, 8]);
        assert_eq!(read("1.."), [1, 2, 4, 6]);
        assert_eq!(read("1..3,16"), [1, 2, 3, 16]);
        for wrong in ["", "x", "1,,2", "..4", "1..x", "-1"] {
            assert!(read_numbers("--threads", wrong, 6).is_err(), "{wrong}");
        }
    }

    /// The only question of a comparison.
    fn question(line: &str) -> Question {
        let words = ["destrier", "compare"].into_iter().chain(line.split_whitespace());
        let Command::Compare(CompareArgs { questions: Some(questions), .. }) =
            Cli::try_parse_from(words).unwrap().command
        else {
            panic!("`{line}` has no question")
        };
        questions.read().unwrap().remove(0)
    }

    #[test]
    fn a_trial_is_asked_what_the_user_asked() {
        for (typed, words) in [
            (
                "tour 6x6 --holes a1,f6 --symmetry half-turn --from c3 --to d5 --closed --wrap x --leaper 1,4",
                "tour 6x6 --holes a1,f6 --wrap x --leaper 1,4 --closed --from c3 --to d5 --symmetry half-turn",
            ),
            ("tour 5/2#2/5 --closed", "tour 5/2#2/5 --closed"),
            ("count 5x6 --from a1", "count 5x6 --open --from a1"),
            ("count 5x6 --closed", "count 5x6 --closed"),
            ("survey 8x8 --starts 10 --closed", "survey 8x8 --closed --starts 10"),
            ("capture 4p/5/2p2/5/N3p", "capture 4p/5/2p2/5/N3p"),
            ("swap guarini --metric runs", "swap --preset guarini --metric runs"),
            (
                "swap 3x4 --peaceful --alternate white --labelled --holes b2 --rows 1",
                "swap 3x4 --rows 1 --holes b2 --labelled --alternate white --peaceful",
            ),
            (
                "swap n1n/3/N1N:N1N/3/n1n --wrap both",
                "swap --from n1n/3/N1N --to N1N/3/n1n --wrap both",
            ),
            // Squares counted from one are written by name, save for holes.
            (
                "tour 5x5 --coords one --holes 1,1 --from 2,3",
                "tour 5x5 --holes 1,1 --coords one --from b3",
            ),
            ("tour 5x5 --coords one --from 2,3", "tour 5x5 --from b3"),
        ] {
            let question = question(typed);
            assert_eq!(question.words().join(" "), words);
            // The verb reads the same problem from these words.
            let read = crate::bench::read(question.words()).unwrap();
            assert_eq!(format!("{read:?}"), format!("{:?}", question.ask()), "{words}");
        }
    }
}
