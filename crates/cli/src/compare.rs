//! `destrier compare`: methods side by side, measured, checked, in tables and plots.
//!
//! Each run is a process of its own (`trial`); rounds go through all questions, methods and numbers of threads in
//! turn, so that a change of the machine's weather falls on all alike. A first round warms up and is not measured,
//! but its answers are checked like all others. A method that gives up, or that is not made for a question, is not
//! asked again.

mod chart;
mod figure;
mod kept;
mod machine;
mod question;
mod report;
mod sets;
mod table;
mod took;
mod trial;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, Parser as _, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{Cli, Command, LimitArgs};
use crate::exit::Exit;
use crate::output;
use crate::question::{read_bytes, read_time};
use question::{Ask, Question};
pub(crate) use question::{Meaning, meaning};
use report::{Report, Row};
pub(crate) use took::{Took, cpu_time};
use trial::{Cell, Ended, Limits, Stable, Trial};

const EXAMPLES: &str = "\
Examples:
  destrier compare tour 8x8 20x20 --methods auto,warnsdorff,roth
  destrier compare count 5x5 4x6 --closed --methods auto,backtrack,naive --threads 1,2,4
  destrier compare capture puzzle.txt --methods bb-dfs:none,bb-dfs:task,auto --threads 1,2
  destrier compare swap six-knights 3x5 --time-limit 5s -o swaps.md -o swaps.svg
  destrier compare --set brute-force-speedup -o speedup.csv -o speedup.svg
  destrier compare --read speedup.csv -o speedup.svg    the plot of what was measured before";

/// Run methods side by side: times, speed-ups, agreement, as a table and a plot
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true, subcommand_value_name = "PROBLEM")]
#[command(subcommand_help_heading = "Problems", override_usage = USAGE)]
pub(crate) struct CompareArgs {
    #[command(subcommand)]
    ask: Option<Ask>,

    /// A named set of comparisons
    #[arg(long, value_name = "NAME", long_help = sets::help(), conflicts_with = "read")]
    set: Option<String>,

    /// Measure nothing: show a kept CSV again
    #[arg(long, value_name = "FILE")]
    read: Option<PathBuf>,

    #[command(flatten)]
    plan: PlanArgs,
}

const USAGE: &str = "destrier compare tour|count|capture|swap|survey QUESTION… [OPTIONS]\n       \
                     destrier compare --set NAME [OPTIONS]";

/// What is run, how often, and where the report goes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Comparison")]
struct PlanArgs {
    /// Methods, the first to hold others against; some have variants, like bb-dfs:task or
    /// roth:backtrack [default: all]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', global = true)]
    methods: Vec<String>,

    /// Numbers of threads, like 1,2,4; `1..8` doubles from 1 to 8, and `1..` to all cores [default: 1]
    #[arg(long, value_name = "N,…", global = true)]
    threads: Option<String>,

    /// Measured runs of each, after one that warms up [default: 5]
    #[arg(long, value_name = "N", global = true)]
    repeat: Option<usize>,

    /// The longest a run may take [default: 10s]
    #[arg(long, value_name = "TIME", global = true)]
    time_limit: Option<String>,

    /// The most memory a run may plan with, like 4G
    #[arg(long, value_name = "BYTES", global = true)]
    memory: Option<String>,

    /// The seed of methods that try their luck
    #[arg(long, value_name = "N", global = true)]
    seed: Option<u64>,

    /// Write a report, too: .csv, .json, .md, .svg or .png by its extension; may be given several times
    #[arg(long, short, value_name = "FILE", global = true)]
    output: Vec<PathBuf>,

    /// The form of what is printed
    #[arg(long, short, value_name = "FORMAT", global = true, conflicts_with = "json")]
    format: Option<Form>,

    /// Short for --format json
    #[arg(long, global = true)]
    json: bool,
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Columns for the terminal
    Table,
    /// A row for each method, question and number of threads
    Csv,
    /// Everything, for programs
    Json,
    /// A table for a page
    Md,
    /// Plots
    Svg,
    /// Plots in pixels
    Png,
}

impl Form {
    fn by_extension(path: &Path) -> anyhow::Result<Form> {
        let extension =
            path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        Ok(match extension.as_str() {
            "txt" => Form::Table,
            "csv" => Form::Csv,
            "json" => Form::Json,
            "md" => Form::Md,
            "svg" => Form::Svg,
            "png" => Form::Png,
            _ => bail!(
                "`{}` does not tell its form; a comparison comes as csv, json, md, svg, png or txt",
                path.display()
            ),
        })
    }

    fn of(self, report: &Report) -> anyhow::Result<Vec<u8>> {
        Ok(match self {
            Form::Table => table::text(report).into_bytes(),
            Form::Csv => kept::csv(report)?.into_bytes(),
            Form::Json => kept::json(report)?.into_bytes(),
            Form::Md => table::markdown(report).into_bytes(),
            Form::Svg => figure::svg(report)?.into_bytes(),
            Form::Png => destrier::render::drawing_png(&figure::svg(report)?)?,
        })
    }
}

/// What is to be run.
#[derive(Debug, Default)]
struct Plan {
    title: &'static str,
    questions: Vec<Question>,
    cells: Vec<Cell>,
    repeat: usize,
}

impl CompareArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        for path in &self.plan.output {
            Form::by_extension(path)?;
            let place = output::check_place(path);
            place.with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        if let Some(path) = &self.read {
            if self.ask.is_some() {
                bail!("--read measures nothing; leave the questions out");
            }
            let report = kept::read(path)?;
            self.plan.write(&report)?;
            return Ok(Exit::Solved);
        }
        let plan = self.plan()?;
        let stable = Stable::new(self.plan.limits()?)?;
        let (report, exit) = measure(&plan, &stable, self.plan.time()?)?;
        self.plan.write(&report)?;
        Ok(exit)
    }

    /// The questions of the set or of the words, each with its methods.
    fn plan(&self) -> anyhow::Result<Plan> {
        let mut plan = Plan::default();
        match (&self.set, &self.ask) {
            (Some(_), Some(_)) => bail!("give a set or questions, not both"),
            (None, None) => bail!(
                "what is to be compared? Say tour, count, capture or swap and questions, or --set NAME; \
                 `destrier compare --help` has examples"
            ),
            (None, Some(ask)) => {
                plan.title = ask.kind().title();
                plan.add(ask, &self.plan)?;
            }
            (Some(name), None) => {
                let set = sets::named(name)?;
                plan.title = set.about;
                for line in set.lines {
                    let words = ["destrier", "compare"].into_iter().chain(line.split_whitespace());
                    let Command::Compare(CompareArgs { ask: Some(ask), plan: usual, .. }) =
                        Cli::try_parse_from(words).context("a set is a comparison")?.command
                    else {
                        bail!("a set is a comparison");
                    };
                    plan.add(&ask, &self.plan.over(usual))?;
                }
            }
        }
        Ok(plan)
    }
}

impl Plan {
    fn add(&mut self, ask: &Ask, how: &PlanArgs) -> anyhow::Result<()> {
        let questions = ask.questions()?;
        let methods = ask.kind().methods(&how.methods)?;
        let threads = read_threads(how.threads.as_deref().unwrap_or("1"), machine::cores())?;
        self.repeat = self.repeat.max(how.repeat.unwrap_or(5));
        if self.repeat == 0 {
            bail!("--repeat 0 measures nothing; give 1 or more");
        }
        for question in questions {
            let same = self.questions.iter().position(|other| other.words == question.words);
            let number = same.unwrap_or(self.questions.len());
            if same.is_none() {
                self.questions.push(question);
            }
            for method in &methods {
                for &threads in &threads {
                    let cell = Cell { question: number, method: method.clone(), threads };
                    if !self.cells.contains(&cell) {
                        self.cells.push(cell);
                    }
                }
            }
        }
        Ok(())
    }
}

impl PlanArgs {
    /// These options, and where one is not given, the usual ones.
    fn over(&self, usual: PlanArgs) -> PlanArgs {
        PlanArgs {
            methods: if self.methods.is_empty() { usual.methods } else { self.methods.clone() },
            threads: self.threads.clone().or(usual.threads),
            repeat: self.repeat.or(usual.repeat),
            ..self.clone()
        }
    }

    fn time(&self) -> anyhow::Result<std::time::Duration> {
        let time = read_time(self.time_limit.as_deref().unwrap_or("10s"))?;
        if time.as_millis() == 0 {
            bail!("a time limit of nothing lets nothing run; give 1ms or more");
        }
        Ok(time)
    }

    fn limits(&self) -> anyhow::Result<Limits> {
        let mut words = Vec::new();
        if let Some(memory) = &self.memory {
            read_bytes(memory)?;
            words.extend(["--memory".to_owned(), memory.clone()]);
        }
        if let Some(seed) = self.seed {
            words.extend(["--seed".to_owned(), seed.to_string()]);
        }
        Ok(Limits { time: self.time()?, words })
    }

    /// Prints the report, and writes the files that were asked for.
    fn write(&self, report: &Report) -> anyhow::Result<()> {
        for path in &self.output {
            let whole = Form::by_extension(path)?.of(report)?;
            output::to_file(path, |out| Ok(out.write_all(&whole)?))
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        let form = if self.json { Form::Json } else { self.format.unwrap_or(Form::Table) };
        output::print(&form.of(report)?)
    }
}

/// Reads `1,2,4`, `1..8` (doubling) and `1..` (doubling, to all cores).
fn read_threads(text: &str, cores: usize) -> anyhow::Result<Vec<usize>> {
    let wrong = || format!("--threads: `{text}` is no list of numbers; write 1,2,4 or 1..8");
    let number = |word: &str| -> anyhow::Result<usize> {
        let number: usize = word.trim().parse().ok().filter(|&n| n > 0).with_context(wrong)?;
        if number > 1024 {
            bail!("--threads: {number} is too many; 1024 is the most");
        }
        Ok(number)
    };
    let mut threads = Vec::new();
    for word in text.split(',') {
        let Some((from, to)) = word.split_once("..") else {
            threads.push(number(word)?);
            continue;
        };
        let mut next = number(from)?;
        let last = if to.trim().is_empty() { cores.max(2) } else { number(to)? };
        while next < last {
            threads.push(next);
            next *= 2;
        }
        threads.push(last);
    }
    let mut seen = Vec::new();
    threads.retain(|&number| {
        !seen.contains(&number) && {
            seen.push(number);
            true
        }
    });
    Ok(threads)
}

/// Runs everything in rounds, and makes the report of it.
fn measure(
    plan: &Plan,
    stable: &Stable,
    time_limit: std::time::Duration,
) -> anyhow::Result<(Report, Exit)> {
    let load = machine::load();
    let watch = LimitArgs::default().watch()?.watch;
    let rounds = plan.repeat + 1;
    let bar = progress(plan.cells.len() * rounds);
    let mut warm: Vec<Option<Trial>> = vec![None; plan.cells.len()];
    let mut measured: Vec<Vec<Trial>> = vec![Vec::new(); plan.cells.len()];
    'rounds: for round in 0..rounds {
        for (at, cell) in plan.cells.iter().enumerate() {
            bar.inc(1);
            let answers = |trial: &Trial| matches!(trial.ended, Ended::Answered(_));
            if round > 0 && !warm[at].as_ref().is_some_and(answers) {
                continue;
            }
            let question = &plan.questions[cell.question];
            let threads = cell.threads;
            bar.set_message(format!("{} by {} on {threads}", question.label, cell.method.name));
            let Some(trial) = stable.run(question, cell, &watch)? else { break 'rounds };
            if round == 0 { warm[at] = Some(trial) } else { measured[at].push(trial) }
        }
    }
    bar.finish_and_clear();
    let complete = watch.halted().is_none();
    let mut report = Report {
        title: plan.title.to_owned(),
        date: machine::today(),
        program: concat!("destrier ", env!("CARGO_PKG_VERSION")).to_owned(),
        machine: machine::described(),
        repeat: plan.repeat,
        time_limit_s: time_limit.as_secs_f64(),
        complete,
        agreed: true,
        ..Report::default()
    };
    for ((cell, warm), measured) in plan.cells.iter().zip(&warm).zip(&measured) {
        let Some(warm) = warm else { continue };
        // What ended without an answer was not asked again; what did answer is judged by its measured runs.
        let kept = if measured.is_empty() { std::slice::from_ref(warm) } else { measured };
        report.rows.push(Row::of(&plan.questions[cell.question], cell, kept));
    }
    let mut exit = Exit::Solved;
    for (number, question) in plan.questions.iter().enumerate() {
        let cells = plan.cells.iter().zip(&warm).zip(&measured);
        let of_question = cells.filter(|((cell, _), _)| cell.question == number);
        let trials: Vec<(&Cell, &Trial)> = of_question
            .flat_map(|((cell, warm), measured)| {
                warm.iter().chain(measured).map(move |t| (cell, t))
            })
            .collect();
        let faults = trials.iter().filter_map(|(cell, trial)| match &trial.ended {
            Ended::Failed(why) => {
                Some(format!("{}: {}: {why}", question.typed(), cell.method.name))
            }
            _ => None,
        });
        for fault in faults.chain(report::disagreement(question, &trials)) {
            eprintln!("destrier: {fault}");
            report.agreed = false;
            exit = Exit::BadQuestion;
        }
    }
    if !complete {
        report.notes.push("stopped on request: what was measured till then".to_owned());
        exit = if exit == Exit::Solved { Exit::Unfinished } else { exit };
    }
    report.derive();
    report.note_the_weather(load);
    Ok((report, exit))
}

/// A bar on the terminal, and nothing elsewhere.
fn progress(runs: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(runs as u64), ProgressDrawTarget::hidden());
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
    use super::*;

    #[test]
    fn threads_are_listed_or_doubled() {
        let read = |text| read_threads(text, 6).unwrap();
        assert_eq!(read("1"), [1]);
        assert_eq!(read("1,2,4,2"), [1, 2, 4]);
        assert_eq!(read("1..8"), [1, 2, 4, 8]);
        assert_eq!(read("1.."), [1, 2, 4, 6]);
        assert_eq!(read("1..3,16"), [1, 2, 3, 16]);
        for wrong in ["", "0", "x", "1,,2", "..4", "1..x", "5000", "-1"] {
            assert!(read_threads(wrong, 6).is_err(), "{wrong}");
        }
    }
}
