//! `destrier swap`: knights change places in the fewest moves.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use destrier::trace::Tracer as _;
use destrier::{
    Answer, BestFirst, Effort, Options, Outcome, Solve as _, SolveError, SwapMethod, Swaps as _,
    render,
};
use destrier_ask::{
    PRESETS, Preset, Sentence, between, counted, facing, labelled, no_solution, swap_told,
    swap_undecided, undecided,
};
use destrier_rules::{
    Board, Certificate, Coordinates, Metric, Problem as _, Setup, Side, SwapProblem, Verified,
    WordError, Wrap, parse_squares,
};

use crate::args::{LimitArgs, OutputArgs, choice, method, word};
use crate::exit::Exit;
use crate::language::tell;
use crate::output::{Format, Forms};

const EXAMPLES: &str = "\
Examples:
  destrier swap 3x4                            three knights above change places with three below
  destrier swap --preset guarini -f boards     the oldest of these puzzles, board by board
  destrier swap --from nnn/3/3/NNN --to NNN/3/3/nnn --metric runs
  destrier swap 3x5 --labelled                 no two knights alike
  destrier swap 3x4 --alternate white --peaceful
  destrier swap 3x4 --all --limit 3            how many shortest plans; the first three
  destrier swap --preset knights-in-fen --eccentricity
  destrier swap 7x3 --labelled --memory 2G --scratch layers   resume with the same words
  destrier swap 5x5 -o swap.gif
  destrier swap 3x4 --json | destrier verify

In a FEN, ranks come from the top; upper case is white, lower case black, equal letters are alike,
`#` is a hole, and `?` in the goal leaves a square open.";

/// Exchange knights in the fewest moves, with proof
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SwapArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,

    /// Count the shortest plans
    #[arg(long, conflicts_with = "eccentricity")]
    all: bool,

    /// With --all: list this many of them
    #[arg(long, value_name = "N", requires = "all", conflicts_with = "eccentricity")]
    limit: Option<usize>,

    /// Find the position that is farthest from the start
    #[arg(long)]
    eccentricity: bool,

    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto")]
    #[arg(value_parser = method::<SwapMethod>(), conflicts_with_all = ["all", "eccentricity"])]
    method: SwapMethod,

    /// Keep layers that do not fit in --memory in this folder, and resume from there (auto and meet)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["all", "eccentricity"])]
    scratch: Option<PathBuf>,

    /// For best-first: the longest plan it searches for
    #[arg(long, value_name = "N", conflicts_with_all = ["all", "eccentricity"])]
    move_limit: Option<u32>,

    /// Stream the search of astar, naive, best-first or hill-climbing, one line of JSON per position, to stdout
    /// (instead of the answer) or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "-", conflicts_with_all = ["all", "eccentricity"])]
    trace: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<PlanForms>,
}

/// The forms of a plan; [`SwapArgs::drawn`] makes them.
#[derive(Clone, Debug)]
struct PlanForms;

impl Forms for PlanForms {
    const ALL: &'static [Format] = &[
        Format::List,
        Format::Boards,
        Format::Grid,
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

/// Which puzzle.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Puzzle")]
pub struct PuzzleArgs {
    /// Files x ranks, like 3x4: the top rows against the bottom rows
    #[arg(value_name = "BOARD", conflicts_with_all = ["preset", "from", "to"])]
    pub board: Option<String>,

    /// A well-known puzzle
    #[arg(long, value_name = "NAME", value_parser = choice(presets()))]
    pub preset: Option<&'static Preset>,

    /// The start as FEN
    #[arg(long, value_name = "FEN")]
    pub from: Option<String>,

    /// The goal as FEN, `?` for anything
    #[arg(long, value_name = "FEN")]
    pub to: Option<String>,

    /// How it is played.
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// How the puzzle is played.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Puzzle")]
pub struct RuleArgs {
    /// With a board: how many rows each side has [default: 1]
    #[arg(long, value_name = "N")]
    rows: Option<u32>,

    /// With a board: squares to leave out, like c3,d4
    #[arg(long, value_name = "SQUARES")]
    holes: Option<String>,

    /// Make all knights distinct: of a letter's knights the first, in reading order, must end where the goal has the first
    #[arg(long)]
    labelled: bool,

    /// The sides take turns, and this one begins
    #[arg(long, value_name = "white|black", value_parser = word::<Side>())]
    alternate: Option<Side>,

    /// What is counted: moves, or runs of one knight
    #[arg(long, value_name = "moves|runs", value_parser = word::<Metric>())]
    #[arg(default_value_t = Metric::Moves, hide_default_value = true)]
    metric: Metric,

    /// Opposing knights (white and black; where all are of one colour, those of different letters) may never attack
    /// each other
    #[arg(long)]
    peaceful: bool,

    /// Join the edges: x left and right, y top and bottom, or both
    #[arg(long, value_name = "x|y|both", value_parser = word::<Wrap>())]
    #[arg(default_value_t = Wrap::None, hide_default_value = true)]
    wrap: Wrap,
}

fn presets() -> impl Iterator<Item = (&'static str, &'static str, &'static Preset)> {
    PRESETS.iter().map(|preset| (preset.name, preset.about, preset))
}

/// The well-known puzzle of this name.
///
/// # Errors
/// When there is none.
pub fn preset(name: &str) -> anyhow::Result<&'static Preset> {
    let found = PRESETS.iter().find(|preset| preset.name == name);
    let known = || PRESETS.iter().map(|preset| preset.name);
    found.ok_or_else(|| WordError::new(name, known())).context("--preset")
}

impl PuzzleArgs {
    /// What is asked.
    ///
    /// # Errors
    /// When that is no puzzle.
    pub fn question(&self) -> anyhow::Result<SwapProblem> {
        let rules = &self.rules;
        let mut problem = match &self.board {
            Some(board) => self.row_against_row(board)?,
            None => self.between_fens()?,
        };
        problem.board = problem.board.wrapped(rules.wrap);
        problem.rules.metric = rules.metric;
        problem.rules.alternate = rules.alternate;
        problem.rules.peaceful = rules.peaceful;
        if rules.labelled {
            (problem.start, problem.goal.knights) = labelled(&problem)?;
        }
        problem.validate()?;
        Ok(problem)
    }

    fn row_against_row(&self, size: &str) -> anyhow::Result<SwapProblem> {
        let board = size.parse::<Board>();
        if board.is_err() && size.parse::<Setup>().is_ok() {
            bail!("`{size}` is a FEN; write --from {size} --to FEN, or a board like 3x4");
        }
        let mut board = board?;
        if let Some(holes) = &self.rules.holes {
            let holes = parse_squares(holes, Coordinates::Zero).context("--holes")?;
            board = board.without(holes).context("--holes")?;
        }
        Ok(facing(&board, self.rules.rows.unwrap_or(1))?)
    }

    fn between_fens(&self) -> anyhow::Result<SwapProblem> {
        if self.preset.is_none() && self.from.is_none() && self.to.is_none() {
            bail!("which puzzle? Give a board like 3x4, --preset NAME, or --from FEN --to FEN");
        }
        if self.rules.rows.is_some() || self.rules.holes.is_some() {
            bail!("--rows and --holes are for a board like 3x4; a FEN has its own");
        }
        Ok(between(self.from.as_deref(), self.to.as_deref(), self.preset)?)
    }
}

impl RuleArgs {
    /// The options that belong to the start and the goal, in words.
    #[must_use]
    pub fn words_of_start(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(rows) = self.rows {
            words.extend(["--rows".to_owned(), rows.to_string()]);
        }
        if let Some(holes) = &self.holes {
            words.extend(["--holes".to_owned(), holes.clone()]);
        }
        words.extend(self.labelled.then(|| "--labelled".to_owned()));
        words
    }
}

/// With the number of nodes it took.
fn after(said: Sentence, effort: &Effort) -> Sentence {
    let nodes = Sentence::of("unit.nodes").with("n", effort.nodes);
    Sentence::of("told.after").with("what", said).with("nodes", nodes)
}

/// What solves the puzzle: called with it, the method and the options.
pub type Solves<'s> =
    dyn FnMut(&SwapProblem, SwapMethod, &Options) -> Result<Answer<SwapProblem>, SolveError> + 's;

/// The same, perhaps traced.
type Answers<'a> =
    dyn FnMut(&SwapProblem, SwapMethod, &Options) -> anyhow::Result<Answer<SwapProblem>> + 'a;

impl SwapArgs {
    /// What is asked.
    ///
    /// # Errors
    /// When that is no puzzle.
    pub fn question(&self) -> anyhow::Result<SwapProblem> {
        match &self.puzzle {
            // The farthest position needs no goal.
            PuzzleArgs { from: Some(start), to: None, preset: None, .. } if self.eccentricity => {
                PuzzleArgs { to: Some(start.clone()), ..self.puzzle.clone() }.question()
            }
            puzzle => puzzle.question(),
        }
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
            Some(path) => self
                .output
                .trace(path, |lines| problem.trace(method, options, &mut |look| lines.look(look))),
            None => Ok(problem.solve_by(method, options)?),
        })
    }

    /// Reads the puzzle, has it solved, and prints the answer. Counts of plans, and the farthest position, are for
    /// this process alone.
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
        let question = self.question()?;
        let format = self.output.format(Format::List)?;
        if (self.all || self.eccentricity) && !matches!(format, Format::List | Format::Json) {
            bail!("this answer is a line of text; use --format list or json");
        }
        self.limits.no_seed("the methods for swaps are the same for every seed")?;
        if self.eccentricity {
            return self.farthest(&question);
        }
        if self.all {
            return self.count_all(&question);
        }
        if self.scratch.is_some() && !matches!(self.method, SwapMethod::Auto | SwapMethod::Meet) {
            bail!("--scratch: only auto and meet can keep their layers in files");
        }
        let mut session = self.limits.start()?;
        if let Some(folder) = &self.scratch {
            session.options = session.options.scratch(folder);
        }
        let method = match (self.method, self.move_limit) {
            (SwapMethod::BestFirst(_), Some(limit)) => SwapMethod::BestFirst(BestFirst { limit }),
            (_, Some(_)) => bail!("--move-limit is for --method best-first"),
            (method, None) => method,
        };
        let answer = session.end(solves(&question, method, &session.options))?;
        if self.output.verbose {
            session.report(&answer.effort);
        }
        let certificate = answer.certificate();
        let certificate = certificate.as_ref();
        match answer.outcome {
            Outcome::Solved(_) if self.output.traces_instead(self.trace.as_deref()) => {
                Ok(Exit::Solved)
            }
            Outcome::Solved(plan) => {
                message!("{}", tell(&swap_told(&plan)));
                self.output.write(&self.drawn(&plan, certificate, format)?)?;
                Ok(Exit::Solved)
            }
            Outcome::Impossible(none) => {
                message!("{}", tell(&no_solution(&none)));
                if let (Format::Json, Some(certificate)) = (format, certificate) {
                    self.output.write((certificate.to_json() + "\n").as_bytes())?;
                }
                Ok(Exit::Impossible)
            }
            Outcome::Unfinished { why, best } => {
                let cost = best.as_ref().map(Verified::cost);
                let said = swap_undecided(&question, why, answer.lower_bound, cost);
                if let Some(plan) = best {
                    self.output.write(&self.drawn(&plan, certificate, format)?)?;
                }
                message!("destrier: {}", tell(&after(said, &answer.effort)));
                Ok(Exit::Unfinished)
            }
        }
    }

    /// The plan in the form that was asked for.
    fn drawn(
        &self,
        plan: &Verified<SwapProblem>,
        certificate: Option<&Certificate<SwapProblem>>,
        format: Format,
    ) -> anyhow::Result<Vec<u8>> {
        Ok(match format {
            Format::List => (plan.solution().to_string() + "\n").into_bytes(),
            Format::Boards | Format::Grid => {
                render::swap_boards(plan, self.output.colour()).into_bytes()
            }
            Format::Svg => render::swap_svg(plan)?.into_bytes(),
            #[cfg(feature = "raster")]
            Format::Png => render::swap_png(plan)?,
            #[cfg(feature = "raster")]
            Format::Gif => render::swap_gif(plan)?,
            Format::Csv => render::swap_csv(plan).into_bytes(),
            Format::Fen => render::swap_fens(plan).into_bytes(),
            Format::Json => {
                certificate.map_or_else(String::new, |made| made.to_json() + "\n").into_bytes()
            }
            _ => bail!("a swap has no such form"),
        })
    }

    fn count_all(&self, question: &SwapProblem) -> anyhow::Result<Exit> {
        let session = self.limits.start()?;
        let found = question.shortest_plans(self.limit.unwrap_or(0), &session.options);
        let found = session.end(found)?;
        if self.output.verbose {
            session.report(&found.effort);
        }
        match found.outcome {
            Outcome::Solved(plans) => {
                let cost = counted(question, plans.cost);
                let mut text = String::new();
                if self.output.format(Format::List)? == Format::Json {
                    let listed: Vec<String> =
                        plans.listed.iter().map(ToString::to_string).collect();
                    let answer = serde_json::json!({
                        "cost": plans.cost, "count": plans.count.to_string(), "plans": listed,
                    });
                    let _ = writeln!(text, "{answer}");
                } else if self.limit.is_none() {
                    let said = Sentence::of("swap.all_plans").with("cost", cost);
                    message!("{}", tell(&said));
                    let _ = writeln!(text, "{}", plans.count);
                } else {
                    let said = Sentence::of("swap.some_plans")
                        .with("listed", plans.listed.len())
                        .with("count", plans.count.to_string())
                        .with("cost", cost);
                    message!("{}", tell(&said));
                    for plan in &plans.listed {
                        let _ = writeln!(text, "{plan}");
                    }
                }
                self.output.write(text.as_bytes())?;
                Ok(Exit::Solved)
            }
            Outcome::Impossible(none) => {
                message!("{}", tell(&no_solution(&none)));
                Ok(Exit::Impossible)
            }
            Outcome::Unfinished { why, .. } => {
                message!("destrier: {}", tell(&after(undecided(why), &found.effort)));
                Ok(Exit::Unfinished)
            }
        }
    }

    fn farthest(&self, question: &SwapProblem) -> anyhow::Result<Exit> {
        let session = self.limits.start()?;
        let farthest = session.end(question.eccentricity(&session.options))?;
        if self.output.verbose {
            session.report(&farthest.effort);
        }
        let (found, exit) = match farthest.outcome {
            Outcome::Solved(found) => (found, Exit::Solved),
            Outcome::Unfinished { why, best: Some(found) } => {
                let said = Sentence::of("swap.farthest_undecided");
                message!("destrier: {}", tell(&said.with("why", Sentence::from(why))));
                (found, Exit::Unfinished)
            }
            _ => bail!("nothing was explored"),
        };
        let board = question.board.clone();
        let pieces = found.hardest.clone();
        let fen = Setup { board, pieces, unknown: BTreeSet::new() }.fen();
        let text = if self.output.format(Format::List)? == Format::Json {
            serde_json::json!({
                "distance": found.distance, "hardest": fen, "hardest_count": found.hardest_count(),
                "reachable": found.reachable(), "layers": found.layers,
            })
            .to_string()
        } else {
            let solved = exit == Exit::Solved;
            let key = if solved { "swap.farthest" } else { "swap.farthest_so_far" };
            let said = Sentence::of(key)
                .with("cost", counted(question, found.distance))
                .with("hardest", found.hardest_count())
                .with("n", found.reachable());
            message!("{}", tell(&said));
            format!("{fen} {}", found.distance)
        };
        self.output.write((text + "\n").as_bytes())?;
        Ok(exit)
    }
}
