//! `destrier tour`: a tour of any board.

mod itinerary;

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use destrier::render::{self, Scene};
use destrier::{
    Answer, Centre, Effort, Halt, Options, Outcome, Solve as _, Ties, TourMethod, Tours as _,
    Warnsdorff, origin,
};
use destrier_ask::{Sentence, effort_told, no_solution, undecided};
use destrier_rules::{Certificate, Impossible, Setup, TourProblem, TourSymmetry, Verified};
use destrier_terminal::args::{
    BoardArgs, LimitArgs, Origin, OutputArgs, SymmetryArgs, choice, method, move_order,
};
use destrier_terminal::exit::Exit;
use destrier_terminal::language::tell;
use destrier_terminal::message;
use destrier_terminal::output::{Format, Forms};

const EXAMPLES: &str = "\
Examples:
  destrier tour 8x8                       a tour as numbers on the board
  destrier tour 8x8 --closed -o tour.svg  a closed tour as a picture
  destrier tour 5x5 --from c3             a tour from the middle
  destrier tour 6x6 --from a1 --to f1     a tour between two squares
  destrier tour 7x7 --holes d4 --closed   a tour around a hole
  destrier tour 8x8 --closed --symmetry half-turn
  destrier tour 9x9 --symmetry four-paths one path, turned four times
  destrier tour 9x9 --symmetry four-paths --centre between -f ids
  destrier tour 8x8 --method roth -v      a classic method, and what it took
  destrier tour 8x8 --seed 7              another tour for every seed
  destrier tour 7x7 --method warnsdorff --backtrack --trace
  destrier tour 8x8 --json | destrier verify
  destrier tour 1000000x1000000 --closed --at-step 999999999999
  destrier tour 2000x2000 --closed -o tour.bin";

/// The largest board whose graph or FEN is written out.
const MOST_EXPORTED: u64 = 1 << 22;

/// Find a knight's tour, or prove that there is none
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TourArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    ends: SymmetryArgs,

    #[command(flatten)]
    part: itinerary::PartArgs,

    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto")]
    #[arg(value_parser = method::<TourMethod>())]
    method: TourMethod,

    /// Let warnsdorff, pohl or roth step back from dead ends, up to a limit
    #[arg(long)]
    backtrack: bool,

    /// How warnsdorff breaks ties [default: order]
    #[arg(long, value_name = "HOW", value_parser = choice(TIES))]
    ties: Option<Ties>,

    /// The order in which warnsdorff, pohl and roth try moves, x,y of each, y upwards:
    /// '1,2 2,1 2,-1 1,-2 -1,-2 -2,-1 -2,1 -1,2' is the usual one
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    move_order: Option<String>,

    /// Stop each thread of race or race-plain after this time, like 1s
    #[arg(long, value_name = "TIME")]
    thread_limit: Option<String>,

    /// Where the centre of an odd board comes, with --symmetry four-paths [default: last if it can]
    #[arg(long, value_name = "WHERE", value_parser = choice(CENTRES))]
    centre: Option<Centre>,

    /// Stream the search, one line of JSON per visit and retreat, to stdout (instead of the answer)
    /// or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "-", conflicts_with_all = ["at_step", "step_of", "steps"])]
    trace: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs<TourForms>,
}

/// The forms of a tour, and of the question.
#[derive(Clone, Debug)]
struct TourForms;

impl Forms for TourForms {
    const ALL: &'static [Format] = &[
        Format::Grid,
        Format::List,
        Format::Columns,
        Format::Ids,
        Format::Json,
        Format::Svg,
        Format::Png,
        Format::Gif,
        Format::Csv,
        Format::Bin,
        Format::Tsplib,
        Format::Hcp,
        Format::Fen,
    ];
}

const TIES: [(&str, &str, Ties); 5] = [
    ("order", "By the fixed order of moves", Ties::MoveOrder),
    ("pohl", "By the exits beyond", Ties::Pohl),
    ("roth", "Farthest from the centre", Ties::Roth),
    ("centre", "Nearest to the centre", Ties::Centre),
    ("random", "At random, by --seed", Ties::Random),
];

const CENTRES: [(&str, &str, Centre); 3] = [
    ("first", "Before the first path", Centre::First),
    ("between", "Between two of the paths", Centre::Between),
    ("last", "After the last path", Centre::Last),
];

impl TourArgs {
    /// The method, with its way of breaking ties, its order of moves, its place for the centre.
    fn method(&self) -> anyhow::Result<TourMethod> {
        let method = match (self.method, self.ties) {
            (method, None) => method,
            (TourMethod::Warnsdorff(walk), Some(ties))
                if walk == Warnsdorff::new(Ties::MoveOrder) =>
            {
                TourMethod::Warnsdorff(Warnsdorff::new(ties))
            }
            _ => bail!("--ties is for --method warnsdorff"),
        };
        if self.thread_limit.is_some() && !matches!(method, TourMethod::Race(_)) {
            bail!("--thread-limit is for --method race or race-plain");
        }
        let method = match (method, &self.move_order) {
            (method, None) => method,
            (TourMethod::Warnsdorff(walk), Some(text)) => {
                let leaper = self.board.shape.leaper()?;
                TourMethod::Warnsdorff(walk.in_order(move_order(text, leaper, Origin::Bottom)?))
            }
            _ => bail!("--move-order is for --method warnsdorff, pohl, roth"),
        };
        match (method, self.centre) {
            (method, None) => Ok(method),
            _ if self.ends.symmetry != Some(TourSymmetry::FourPaths) => {
                bail!("--centre is for --symmetry four-paths")
            }
            (TourMethod::Auto | TourMethod::Search, Some(centre)) => {
                Ok(TourMethod::FourPaths(centre))
            }
            _ => bail!("--centre is for --method auto or search"),
        }
    }

    /// What is asked.
    pub(crate) fn question(&self) -> anyhow::Result<TourProblem> {
        self.ends.question(&self.board)
    }

    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let question = self.question()?;
        let format = self.output.format(Format::Grid)?;
        if !self.method()?.uses_seed(&question) {
            self.limits.no_seed(
                "this tour does not depend on it; auto (to 1048576 squares), search, random-walk and \
                 --ties random do",
            )?;
        }
        if matches!(format, Format::Hcp | Format::Fen) {
            return self.export_question(&question, format);
        }
        if let Some(exit) = self.by_itinerary(&question, format)? {
            return Ok(exit);
        }
        let session = self.limits.start()?;
        let mut options = session.options.clone();
        if let Some(time) = &self.thread_limit {
            options = options.thread_limit(destrier_ask::time(time).context("--thread-limit")?);
        }
        let answer = session.end(self.find(&question, &options))?;
        let Answer { outcome, effort, .. } = answer;
        if self.output.verbose {
            session.report(&effort);
        }
        match outcome {
            Outcome::Solved(_) if self.output.traces_instead(self.trace.as_deref()) => {
                Ok(Exit::Solved)
            }
            Outcome::Solved(tour) => {
                let form = drawn(&tour, effort.method, format, self.output.colour())?;
                self.output.write(&form)?;
                Ok(Exit::Solved)
            }
            Outcome::Impossible(none) => {
                self.refuse(none, effort.method, format)?;
                Ok(Exit::Impossible)
            }
            // The search went to its end; that other places have none is not said, so there is no certificate.
            Outcome::Unfinished { why: Halt::GaveUp, .. } if self.centre.is_some() => {
                message!("{}", tell(&took(Sentence::of("tour.no_centre"), &effort)));
                Ok(Exit::Impossible)
            }
            Outcome::Unfinished { why, .. } => {
                message!("destrier: {}", tell(&took(undecided(why), &effort)));
                Ok(Exit::Unfinished)
            }
        }
    }

    /// Runs the method, traced or not.
    fn find(
        &self,
        question: &TourProblem,
        options: &Options,
    ) -> anyhow::Result<Answer<TourProblem>> {
        let method = match (self.method()?, self.backtrack) {
            (TourMethod::Warnsdorff(walk), true) => TourMethod::Warnsdorff(walk.backtracking()),
            (_, true) => bail!("--backtrack is for --method warnsdorff, pohl, roth"),
            (method, false) => method,
        };
        let Some(path) = &self.trace else { return Ok(question.solve_by(method, options)?) };
        self.output.trace(path, |lines| question.trace(method, options, lines))
    }

    fn export_question(&self, question: &TourProblem, format: Format) -> anyhow::Result<Exit> {
        destrier_rules::Problem::validate(question)?;
        let board = question.board.clone();
        if board.area() > MOST_EXPORTED {
            bail!("{board} is too large for this format; the limit is {MOST_EXPORTED} squares");
        }
        if format == Format::Hcp && question.symmetry.is_some() {
            bail!("--symmetry cannot be used with --format hcp");
        }
        let text = match format {
            Format::Fen => Setup::empty(board).fen() + "\n",
            _ => render::hcp(question),
        };
        self.output.write(text.as_bytes())?;
        Ok(Exit::Solved)
    }

    /// Reports that there is no tour, and why.
    fn refuse(
        &self,
        none: Impossible<TourProblem>,
        method: &str,
        format: Format,
    ) -> anyhow::Result<()> {
        let sentence = tell(&no_solution(&none));
        match format {
            Format::Json => {
                let certificate = Certificate::new(none.into(), origin(method));
                self.output.write((certificate.to_json() + "\n").as_bytes())
            }
            Format::Grid => self.output.write((sentence + "\n").as_bytes()),
            _ => {
                message!("{sentence}");
                Ok(())
            }
        }
    }
}

/// With what it took.
fn took(said: Sentence, effort: &Effort) -> Sentence {
    Sentence::of("told.took").with("what", said).with("took", effort_told(effort))
}

/// The tour in the form that was asked for.
pub(crate) fn drawn(
    tour: &Verified<TourProblem>,
    method: &str,
    format: Format,
    colour: render::Colour,
) -> anyhow::Result<Vec<u8>> {
    Ok(match format {
        Format::Grid => {
            let columns = render::four_columns(tour).map(|columns| columns + "\n");
            (columns.unwrap_or_default() + &render::tour_grid(tour, colour)).into_bytes()
        }
        Format::Columns => {
            let columns = render::four_columns(tour);
            columns.context("columns are for --symmetry four-paths")?.into_bytes()
        }
        Format::List => (tour.solution().to_string() + "\n").into_bytes(),
        Format::Svg => render::svg(&Scene::of_tour(tour))?.into_bytes(),
        Format::Png => render::png(&Scene::of_tour(tour))?,
        Format::Gif => render::gif(&Scene::of_tour(tour))?,
        Format::Csv => render::tour_csv(tour).into_bytes(),
        Format::Tsplib => render::tsplib_tour(tour).into_bytes(),
        Format::Bin => {
            let numbers = tour.grid().into_iter().rev().flatten();
            numbers.flat_map(u32::to_le_bytes).collect()
        }
        Format::Ids => render::ids(tour).into_bytes(),
        Format::Json | Format::Hcp | Format::Fen | Format::Boards => {
            let certificate = Certificate::new(tour.clone().into(), origin(method));
            (certificate.to_json() + "\n").into_bytes()
        }
    })
}
