//! `destrier capture`: one knight takes all pieces in the fewest moves.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use destrier::render::{self, Scene};
use destrier::{
    Answer, BbDfs, CaptureMethod, Captures as _, Distance, Options, Outcome, Parallel, Solve as _,
    SolveError,
};
use destrier_ask::{capture_told, capture_undecided, no_solution, pieces_on, upper_bound_told};
use destrier_rules::{
    CaptureProblem, Certificate, Coordinates, Problem as _, Puzzle, Square, Verified, parse_squares,
};

use crate::args::{LimitArgs, OutputArgs, choice, method, word};
use crate::exit::Exit;
use crate::input;
use crate::language::tell;
use crate::output::{Format, Forms};

const EXAMPLES: &str = "\
Examples:
  destrier capture puzzle.txt                    the moves, a board with their numbers, the bound
  destrier capture 4p/5/2p2/5/N3p                a puzzle as FEN: N the knight, other letters pieces
  destrier capture puzzle.txt --json | destrier verify
  destrier capture puzzle.txt -o plan.svg        arrows, and marks where pieces are taken
  destrier capture puzzle.txt --time-limit 10s   the best plan and the bound by then
  destrier capture puzzle.txt --method bb-dfs --parallel task --threads 4 -v
  destrier capture 8 --knight a1 --pieces c2,d4,h8

A puzzle file has a line `k upper_bound` and then k rows: 0 empty, 1 a piece, 3 the knight
(or - P J, or numbers apart); # is a hole, and the first line may say WxH. A file may also state the task
as the course does, a line each: k = 8, q = 2, F = c2 d4 (or 2,1 3,3), J = a1, and U = 20 for an upper bound.";

/// Take all pieces with one knight in the fewest moves, and prove it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CaptureArgs {
    /// A file (data file, FEN or JSON), `-` for standard input, or a FEN
    #[arg(value_name = "PUZZLE")]
    puzzle: String,

    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto")]
    #[arg(value_parser = method::<CaptureMethod>())]
    method: CaptureMethod,

    /// How bb-dfs shares its tree among threads [default: task with --threads above 1, else none]
    #[arg(long, value_name = "HOW", value_parser = choice(PARALLEL))]
    parallel: Option<Parallel>,

    /// By which distance to the nearest piece bb-dfs orders moves [default: knight]
    #[arg(long, value_name = "DISTANCE", value_parser = choice(DISTANCES))]
    distance: Option<Distance>,

    /// The knight's square, where PUZZLE is a board like 8x8 or its side k
    #[arg(long, value_name = "SQUARE", requires = "pieces")]
    knight: Option<String>,

    /// The squares of the pieces, with --knight: like c2,d4 (or 2,1 3,3)
    #[arg(long, value_name = "SQUARES", requires = "knight")]
    pieces: Option<String>,

    /// With --knight: the upper bound that bb-dfs starts from [default: k²−1]
    #[arg(long, value_name = "MOVES", requires = "knight")]
    upper_bound: Option<u64>,

    /// Read squares as x,y counted from zero or one, and write them so in lists [default: a1, b2, …]
    #[arg(long, value_name = "zero|one", value_parser = word::<Coordinates>())]
    coords: Option<Coordinates>,

    /// Stream the search of bb-dfs or naive, one line of JSON per step, to stdout (instead of the answer) or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "-")]
    trace: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<CaptureForms>,
}

/// The forms of a plan.
#[derive(Clone, Debug)]
pub struct CaptureForms;

impl Forms for CaptureForms {
    const ALL: &'static [Format] = &[
        Format::Grid,
        Format::List,
        Format::Json,
        Format::Svg,
        #[cfg(feature = "raster")]
        Format::Png,
        #[cfg(feature = "raster")]
        Format::Gif,
        Format::Csv,
        Format::Fen,
    ];
}

const DISTANCES: [(&str, &str, Distance); 2] = [
    ("knight", "In knight's moves", Distance::Knight),
    ("manhattan", "Files and ranks added up", Distance::Manhattan),
];

const PARALLEL: [(&str, &str, Parallel); 3] = [
    ("none", "One thread", Parallel::None),
    ("task", "Branches near the root are tasks", Parallel::Task),
    ("data", "The first levels are unrolled into a list of positions", Parallel::Data),
];

/// What solves the puzzle: called with it, the method and the options.
pub type Solves<'s> = dyn FnMut(&CaptureProblem, CaptureMethod, &Options) -> Result<Answer<CaptureProblem>, SolveError>
    + 's;

/// The same, perhaps traced.
type Answers<'a> = dyn FnMut(&CaptureProblem, CaptureMethod, &Options) -> anyhow::Result<Answer<CaptureProblem>>
    + 'a;

impl CaptureArgs {
    /// What is asked.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn question(&self) -> anyhow::Result<CaptureProblem> {
        Ok(self.puzzle()?.problem)
    }

    /// The puzzle, in whichever form it was given.
    fn puzzle(&self) -> anyhow::Result<Puzzle> {
        let (Some(knight), Some(pieces)) = (&self.knight, &self.pieces) else {
            let puzzle = &self.puzzle;
            if !Path::new(puzzle).exists() && destrier_ask::square_board(puzzle).is_ok() {
                bail!(
                    "`{puzzle}` is a board without a knight; add --knight a1 --pieces b3,c2, or write a FEN like N2/3/2p"
                );
            }
            return read_puzzle(&self.puzzle, self.coords.unwrap_or(Coordinates::Zero));
        };
        let coords = self.coords.unwrap_or(Coordinates::Zero);
        let board = destrier_ask::square_board(&self.puzzle)?;
        let start = Square::read(knight, coords).context("--knight")?;
        let targets = parse_squares(pieces, coords).context("--pieces")?;
        let targets =
            pieces_on(targets).map_err(|twice| anyhow!("--pieces names {twice} twice"))?;
        let problem = CaptureProblem { board, start, targets };
        Ok(Puzzle { problem, upper_bound: self.upper_bound })
    }

    /// Limits on the run.
    pub fn limits(&mut self) -> &mut LimitArgs {
        &mut self.limits
    }

    /// Solves in this process.
    ///
    /// # Errors
    /// When the puzzle is a bad one, or the method is not made for it.
    pub fn run(&self) -> anyhow::Result<Exit> {
        self.answered(&mut |problem, method, options| match &self.trace {
            Some(path) => self.output.trace(path, |lines| problem.trace(method, options, lines)),
            None => Ok(problem.solve_by(method, options)?),
        })
    }

    /// Reads the puzzle, has it solved, and prints the answer.
    ///
    /// # Errors
    /// When the puzzle is a bad one, or the method is not made for it.
    pub fn run_by(&self, solves: &mut Solves<'_>) -> anyhow::Result<Exit> {
        if self.trace.is_some() {
            bail!("--trace is for a search in one process");
        }
        self.answered(&mut |problem, method, options| Ok(solves(problem, method, options)?))
    }

    fn answered(&self, solves: &mut Answers<'_>) -> anyhow::Result<Exit> {
        self.limits.no_seed("the methods for captures are the same for every seed")?;
        let Puzzle { problem, upper_bound } = self.puzzle()?;
        problem.validate()?;
        let format = self.output.format(Format::Grid)?;
        if format == Format::Fen {
            self.output.write((Puzzle::fen(&problem) + "\n").as_bytes())?;
            return Ok(Exit::Solved);
        }
        let method = match (self.method, self.parallel) {
            (CaptureMethod::BbDfs(_), parallel) => {
                let on_threads = self.limits.threads.is_some_and(|threads| threads > 1);
                // A search is traced on one thread.
                let on_threads = on_threads && self.trace.is_none();
                let usual = if on_threads { Parallel::Task } else { Parallel::None };
                CaptureMethod::BbDfs(BbDfs {
                    parallel: parallel.unwrap_or(usual),
                    upper_bound,
                    distance: self.distance.unwrap_or_default(),
                })
            }
            (_, Some(_)) => bail!("--parallel is for --method bb-dfs"),
            _ if self.distance.is_some() => bail!("--distance is for --method bb-dfs"),
            (method, None) => method,
        };
        if self.trace.is_some() && self.parallel.is_some_and(|way| way != Parallel::None) {
            bail!("a search is traced on one thread: leave --parallel or --trace out");
        }
        let session = self.limits.start()?;
        let answer = session.end(solves(&problem, method, &session.options))?;
        if self.output.verbose {
            session.report(&answer.effort);
        }
        let certificate = answer.certificate();
        match answer.outcome {
            Outcome::Solved(_) if self.output.traces_instead(self.trace.as_deref()) => {
                Ok(Exit::Solved)
            }
            Outcome::Solved(plan) => {
                if let Some(warning) = upper_bound_told(upper_bound, &plan) {
                    message!("destrier: warning: {}", tell(&warning));
                }
                self.answer(&plan, certificate.as_ref(), format)?;
                Ok(Exit::Solved)
            }
            Outcome::Impossible(none) => {
                let sentence = tell(&no_solution(&none));
                match (format, certificate) {
                    (Format::Json, Some(certificate)) => {
                        self.output.write((certificate.to_json() + "\n").as_bytes())?;
                    }
                    (Format::Grid, _) => self.output.write((sentence + "\n").as_bytes())?,
                    _ => message!("{sentence}"),
                }
                Ok(Exit::Impossible)
            }
            Outcome::Unfinished { why, best } => {
                message!("destrier: {}", tell(&capture_undecided(why, best.as_ref())));
                if let Some(plan) = best {
                    self.answer(&plan, certificate.as_ref(), format)?;
                }
                Ok(Exit::Unfinished)
            }
        }
    }

    fn answer(
        &self,
        plan: &Verified<CaptureProblem>,
        certificate: Option<&Certificate<CaptureProblem>>,
        format: Format,
    ) -> anyhow::Result<()> {
        self.output.write(&match format {
            Format::List => (self.list(plan) + "\n").into_bytes(),
            Format::Svg => render::svg(&Scene::of_capture(plan))?.into_bytes(),
            #[cfg(feature = "raster")]
            Format::Png => render::png(&Scene::of_capture(plan))?,
            #[cfg(feature = "raster")]
            Format::Gif => render::gif(&Scene::of_capture(plan))?,
            Format::Csv => render::capture_csv(plan).into_bytes(),
            Format::Json => {
                certificate.map_or_else(String::new, |made| made.to_json() + "\n").into_bytes()
            }
            _ => {
                let list = self.list(plan);
                let grid = render::capture_grid(plan, self.output.colour());
                format!("{list}\n\n{grid}\n{}\n", tell(&capture_told(plan))).into_bytes()
            }
        })
    }
}

impl CaptureArgs {
    /// The walk in one line, in the coordinates that were asked for.
    fn list(&self, plan: &Verified<CaptureProblem>) -> String {
        let Some(coords) = self.coords else { return render::capture_list(plan) };
        let from = u32::from(coords == Coordinates::One);
        let mut left = plan.problem().targets.clone();
        let name = |square: &Square| {
            let star = if left.remove(square) { "*" } else { "" };
            format!("{},{}{star}", square.file + from, square.rank + from)
        };
        plan.squares().iter().map(name).collect::<Vec<_>>().join(" ")
    }
}

/// Reads a puzzle from a file, from standard input, or from the word itself.
///
/// # Errors
/// When there is no such file, or it is no puzzle.
pub fn read_puzzle(word: &str, coords: Coordinates) -> anyhow::Result<Puzzle> {
    let path = Path::new(word);
    if word != "-" && !path.exists() {
        let read = word.parse::<Puzzle>();
        if read.is_ok() || looks_like_fen(word) {
            return Ok(read?);
        }
        bail!("there is no file `{word}`; a puzzle is a FEN like N2/3/2p, or a file");
    }
    let text = input::read_text(path)?;
    let name = if word == "-" { "standard input" } else { word };
    destrier_ask::puzzle_in(&text, coords).with_context(|| format!("`{name}`"))
}

/// Was the word, which is no puzzle, meant to be ranks of letters, numbers and holes? One that begins with `/`, or has
/// letters alone, is rather the name of a file.
fn looks_like_fen(word: &str) -> bool {
    let placement = word.split_whitespace().next().unwrap_or("");
    let is_open = |c: char| c.is_ascii_digit() || matches!(c, '#' | '*' | '?');
    placement.chars().all(|c| c.is_ascii_alphabetic() || is_open(c) || c == '/')
        && placement.contains('/')
        && placement.contains(is_open)
        && !placement.starts_with('/')
}
