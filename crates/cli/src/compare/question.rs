//! Questions in the verbs' own words, and the methods that are to answer them.
//!
//! A question is kept as the words that a user would type after `destrier`, and every run is that command. Before
//! anything runs, the words are read as the verb itself reads them, so that a slip is told at once.

use anyhow::{Context as _, bail};
use clap::{Args, Parser as _, Subcommand, ValueEnum};
use destrier::capture::CAPTURE_SOLVERS;
use destrier::count::TOUR_COUNTERS;
use destrier::method::{self, Counter, Solver};
use destrier::swap::SWAP_SOLVERS;
use destrier::tour::TOUR_SOLVERS;
use destrier_rules::{CaptureProblem, Problem as _, SwapProblem, TourProblem};

use crate::args::{Cli, Command, ShapeArgs};
use crate::survey::WALKS;
use crate::tour::EndArgs;

/// What is compared.
#[derive(Debug, Subcommand)]
pub(super) enum Ask {
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
        rules: SwapRules,
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
        /// Try at most so many starts, spread evenly
        #[arg(long, value_name = "N")]
        starts: Option<String>,
    },
}

/// Tours to find or to count.
#[derive(Debug, Args)]
pub(super) struct Tours {
    /// Boards, like 5x6
    #[arg(value_name = "BOARD", required = true)]
    boards: Vec<String>,
    #[command(flatten)]
    shape: ShapeArgs,
    #[command(flatten)]
    ends: EndArgs,
}

/// The rules that all swaps of a comparison share; `destrier swap` reads them.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Puzzle")]
pub(super) struct SwapRules {
    /// How many rows each side has
    #[arg(long, value_name = "N")]
    rows: Option<String>,
    /// Squares to leave out, like c3,d4
    #[arg(long, value_name = "SQUARES")]
    holes: Option<String>,
    /// Tell all knights apart
    #[arg(long)]
    labelled: bool,
    /// Sides take turns, and this one begins
    #[arg(long, value_name = "white|black")]
    alternate: Option<String>,
    /// What is counted: moves, or runs of one knight
    #[arg(long, value_name = "moves|runs")]
    metric: Option<String>,
    /// No two sides may ever attack each other
    #[arg(long)]
    peaceful: bool,
    /// Join the edges
    #[arg(long, value_name = "x|y|both")]
    wrap: Option<String>,
}

/// A kind of question, which is also the verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tour,
    Count,
    Capture,
    Swap,
    Survey,
}

/// What the words mean.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Tour(TourProblem),
    Count(TourProblem),
    Capture(CaptureProblem),
    Swap(SwapProblem),
    Survey(TourProblem),
}

/// One question.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The words after `destrier`, the verb first.
    pub(super) words: Vec<String>,
    /// A few letters for tables and plots.
    pub(super) label: String,
    pub(super) squares: u64,
    pub(super) meaning: Meaning,
}

/// A method, and the options that choose its variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Method {
    /// As it was typed: `bb-dfs:task`.
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

impl Kind {
    /// The heading of a comparison.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Kind::Tour => "finding a tour",
            Kind::Count => "counting tours",
            Kind::Capture => "taking all pieces",
            Kind::Swap => "exchanging knights",
            Kind::Survey => "walking from all starts",
        }
    }

    const fn verb(self) -> &'static str {
        match self {
            Kind::Tour => "tour",
            Kind::Count => "count",
            Kind::Capture => "capture",
            Kind::Swap => "swap",
            Kind::Survey => "survey",
        }
    }

    /// All methods of the kind, in the order of their table.
    fn names(self) -> Vec<&'static str> {
        match self {
            Kind::Tour => TOUR_SOLVERS.iter().map(|m| m.name()).collect(),
            Kind::Count => TOUR_COUNTERS.iter().map(|m| m.name()).collect(),
            Kind::Capture => CAPTURE_SOLVERS.iter().map(|m| m.name()).collect(),
            Kind::Swap => SWAP_SOLVERS.iter().map(|m| m.name()).collect(),
            Kind::Survey => WALKS.iter().map(Solver::name).collect(),
        }
    }

    /// The method of this name, which may have a variant behind a colon.
    fn method(self, typed: &str) -> anyhow::Result<Method> {
        let (name, variant) = typed.split_once(':').map_or((typed, None), |(n, v)| (n, Some(v)));
        let known = match self {
            Kind::Tour => method::named(TOUR_SOLVERS, name, Solver::name)?.name(),
            Kind::Count => method::named(TOUR_COUNTERS, name, Counter::name)?.name(),
            Kind::Capture => method::named(CAPTURE_SOLVERS, name, Solver::name)?.name(),
            Kind::Swap => method::named(SWAP_SOLVERS, name, Solver::name)?.name(),
            Kind::Survey => {
                let walks: Vec<&dyn Solver<TourProblem>> = WALKS.iter().map(|w| w as _).collect();
                method::named(&walks, name, Solver::name)?.name()
            }
        };
        let mut words = vec!["--method".to_owned(), known.to_owned()];
        match (self, name, variant) {
            (_, _, None) => {}
            (Kind::Capture, "bb-dfs", Some(how @ ("none" | "task" | "data"))) => {
                words.extend(["--parallel".to_owned(), how.to_owned()]);
            }
            (Kind::Tour, "warnsdorff" | "pohl" | "roth", Some("backtrack")) => {
                words.push("--backtrack".to_owned());
            }
            _ => bail!(
                "`{typed}` is no variant; there are bb-dfs:none, bb-dfs:task, bb-dfs:data for captures and \
                 warnsdorff:backtrack, pohl:backtrack, roth:backtrack for tours"
            ),
        }
        Ok(Method { name: typed.to_owned(), words })
    }

    /// The methods that were named, or all.
    pub(super) fn methods(self, typed: &[String]) -> anyhow::Result<Vec<Method>> {
        if typed.is_empty() {
            return self.names().into_iter().map(|name| self.method(name)).collect();
        }
        let mut methods: Vec<Method> = Vec::new();
        for name in typed {
            let method = self.method(name.trim())?;
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        Ok(methods)
    }
}

impl Ask {
    /// Which verb answers.
    pub(super) const fn kind(&self) -> Kind {
        match self {
            Ask::Tour(_) => Kind::Tour,
            Ask::Count(_) => Kind::Count,
            Ask::Capture { .. } => Kind::Capture,
            Ask::Swap { .. } => Kind::Swap,
            Ask::Survey { .. } => Kind::Survey,
        }
    }

    /// The questions, each read as its verb reads it.
    pub(super) fn questions(&self) -> anyhow::Result<Vec<Question>> {
        let kind = self.kind();
        let (operands, shared) = match self {
            Ask::Tour(tours) => (&tours.boards, tours.words()),
            Ask::Count(tours) => {
                let mut words = tours.words();
                if !tours.ends.closed {
                    words.insert(0, "--open".to_owned());
                }
                (&tours.boards, words)
            }
            Ask::Capture { puzzles } => (puzzles, vec![]),
            Ask::Swap { puzzles, rules } => (puzzles, rules.words()),
            Ask::Survey { boards, shape, closed, starts } => {
                let mut words = words_of_shape(shape);
                flag(&mut words, "--closed", *closed);
                option(&mut words, "--starts", starts.as_deref());
                (boards, words)
            }
        };
        let mut questions: Vec<Question> = Vec::new();
        for operand in operands {
            let question = Question::read(kind, operand, &shared)?;
            if questions.iter().all(|other| other.words != question.words) {
                questions.push(question);
            }
        }
        Ok(questions)
    }
}

impl Question {
    fn read(kind: Kind, operand: &str, shared: &[String]) -> anyhow::Result<Question> {
        if operand == "-" {
            bail!("standard input can be read only once; name a file instead");
        }
        let mut words = vec![kind.verb().to_owned()];
        match (kind, operand.split_once(':')) {
            (Kind::Swap, Some((start, goal))) => {
                words.extend(["--from", start, "--to", goal].map(str::to_owned));
            }
            (Kind::Swap, None)
                if operand.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !operand.contains('/') =>
            {
                words.extend(["--preset", operand].map(str::to_owned));
            }
            _ => words.push(operand.to_owned()),
        }
        words.extend_from_slice(shared);
        let meaning = meaning(&words).with_context(|| format!("question `{operand}`"))?;
        let (label, squares) = (meaning.label(operand), meaning.squares());
        Ok(Question { words, label, squares, meaning })
    }

    /// The question as one would type it.
    pub(super) fn typed(&self) -> String {
        let quoted = self.words.iter().map(|word| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "/.,:_-+×".contains(c);
            if word.chars().all(plain) { word.clone() } else { format!("'{word}'") }
        });
        quoted.collect::<Vec<_>>().join(" ")
    }
}

/// Reads words as the command itself does.
pub(crate) fn meaning(words: &[String]) -> anyhow::Result<Meaning> {
    let command = std::iter::once("destrier").chain(words.iter().map(String::as_str));
    let read = Cli::try_parse_from(command).map_err(|error| {
        let text = error.to_string();
        // What is wrong, and what would be right: the rest is about the verb's usage.
        let first: Vec<&str> = text.lines().take(2).map(str::trim).collect();
        anyhow::anyhow!(first.join(" ").trim_start_matches("error: ").trim().to_owned())
    })?;
    let meaning = match read.command {
        Command::Tour(tour) => Meaning::Tour(tour.question()?),
        Command::Count(count) => Meaning::Count(count.question()?),
        Command::Capture(capture) => Meaning::Capture(capture.question()?),
        Command::Swap(swap) => Meaning::Swap(swap.question()?),
        Command::Survey(survey) => Meaning::Survey(survey.question()?),
        _ => bail!("only tour, count, capture, swap and survey are compared"),
    };
    match &meaning {
        Meaning::Tour(problem) | Meaning::Count(problem) | Meaning::Survey(problem) => {
            problem.validate()?;
        }
        Meaning::Capture(problem) => problem.validate()?,
        Meaning::Swap(problem) => problem.validate()?,
    }
    Ok(meaning)
}

impl Meaning {
    fn squares(&self) -> u64 {
        match self {
            Meaning::Tour(problem) | Meaning::Count(problem) | Meaning::Survey(problem) => {
                problem.board.len()
            }
            Meaning::Capture(problem) => problem.board.len(),
            Meaning::Swap(problem) => problem.board.len(),
        }
    }

    /// The operand, or where that is a path or a long FEN, a word on what is in it.
    fn label(&self, operand: &str) -> String {
        let path = std::path::Path::new(operand);
        let is_file = path.is_file();
        if is_file && let Some(stem) = path.file_stem() {
            return stem.to_string_lossy().into_owned();
        }
        match self {
            Meaning::Capture(problem) => {
                let (size, pieces) = (problem.board.size(), problem.targets.len());
                format!("{size}, {pieces} pieces")
            }
            Meaning::Swap(problem) if operand.contains('/') => {
                format!("{}, {} knights", problem.board.size(), problem.start.len())
            }
            Meaning::Tour(problem) | Meaning::Count(problem) | Meaning::Survey(problem)
                if operand.contains('/') =>
            {
                problem.board.to_string()
            }
            _ => operand.to_owned(),
        }
    }
}

impl Tours {
    fn words(&self) -> Vec<String> {
        [words_of_shape(&self.shape), words_of_ends(&self.ends)].concat()
    }
}

impl SwapRules {
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        option(&mut words, "--rows", self.rows.as_deref());
        option(&mut words, "--holes", self.holes.as_deref());
        flag(&mut words, "--labelled", self.labelled);
        option(&mut words, "--alternate", self.alternate.as_deref());
        option(&mut words, "--metric", self.metric.as_deref());
        flag(&mut words, "--peaceful", self.peaceful);
        option(&mut words, "--wrap", self.wrap.as_deref());
        words
    }
}

fn words_of_shape(shape: &ShapeArgs) -> Vec<String> {
    let mut words = Vec::new();
    option(&mut words, "--holes", shape.holes.as_deref());
    option(&mut words, "--wrap", shape.wrap.as_ref().map(name_of).as_deref());
    option(&mut words, "--leaper", shape.leaper.as_deref());
    if name_of(&shape.coords) != "zero" {
        option(&mut words, "--coords", Some(&name_of(&shape.coords)));
    }
    words
}

fn words_of_ends(ends: &EndArgs) -> Vec<String> {
    let mut words = Vec::new();
    flag(&mut words, "--closed", ends.closed);
    option(&mut words, "--from", ends.from.as_deref());
    option(&mut words, "--to", ends.to.as_deref());
    option(&mut words, "--symmetry", ends.symmetry.as_ref().map(name_of).as_deref());
    words
}

fn flag(words: &mut Vec<String>, name: &str, given: bool) {
    words.extend(given.then(|| name.to_owned()));
}

fn option(words: &mut Vec<String>, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        words.extend([name.to_owned(), value.to_owned()]);
    }
}

/// The name of a choice, as it is typed.
fn name_of(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
