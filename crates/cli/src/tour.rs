//! `destrier tour`: a tour of any board.

mod itinerary;

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use destrier::render::{self, Scene};
use destrier::tour::trace::JsonLines;
use destrier::{
    Answer, Options, Outcome, Solve as _, Ties, TourMethod, Tours as _, Warnsdorff, origin,
};
use destrier_ask::{effort_told, named, no_solution};
use destrier_rules::{Certificate, Impossible, Setup, TourProblem, Verified};
use destrier_terminal::args::{BoardArgs, EndArgs, LimitArgs, OutputArgs, choice, method};
use destrier_terminal::exit::Exit;
use destrier_terminal::message;
use destrier_terminal::output::Format;

const EXAMPLES: &str = "\
Examples:
  destrier tour 8x8                       a tour as numbers on the board
  destrier tour 8x8 --closed -o tour.svg  a closed tour as a picture
  destrier tour 5x5 --from c3             a tour from the middle
  destrier tour 6x6 --from a1 --to f1     a tour between two squares
  destrier tour 7x7 --holes d4 --closed   a tour around a hole
  destrier tour 8x8 --closed --symmetry half-turn
  destrier tour 9x9 --symmetry four-paths one path, turned four times
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
    ends: EndArgs,

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

    /// Stream the search, one line of JSON per visit and retreat, to stdout (instead of the answer)
    /// or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "-")]
    trace: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

const TIES: [(&str, &str, Ties); 5] = [
    ("order", "By the fixed order of moves", Ties::MoveOrder),
    ("pohl", "By the exits beyond", Ties::Pohl),
    ("roth", "Farthest from the centre", Ties::Roth),
    ("centre", "Nearest to the centre", Ties::Centre),
    ("random", "At random, by --seed", Ties::Random),
];

impl TourArgs {
    /// The method, with its way of breaking ties.
    fn method(&self) -> anyhow::Result<TourMethod> {
        match (self.method, self.ties) {
            (method, None) => Ok(method),
            (TourMethod::Warnsdorff(walk), Some(ties))
                if walk == Warnsdorff::new(Ties::MoveOrder) =>
            {
                Ok(TourMethod::Warnsdorff(Warnsdorff::new(ties)))
            }
            _ => bail!("--ties is for --method warnsdorff"),
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
        let answer = session.end(self.find(&question, &session.options))?;
        let Answer { outcome, effort, .. } = answer;
        if self.output.verbose {
            session.report(&effort);
        }
        match outcome {
            Outcome::Solved(_) if self.traces_instead() => Ok(Exit::Solved),
            Outcome::Solved(tour) => {
                let form = drawn(&tour, effort.method, format, self.output.colour())?;
                self.output.write(&form)?;
                Ok(Exit::Solved)
            }
            Outcome::Impossible(none) => {
                self.refuse(none, effort.method, format)?;
                Ok(Exit::Impossible)
            }
            Outcome::Unfinished { why, .. } => {
                message!("destrier: undecided: {why} ({})", effort_told(&effort));
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
        let sink = OutputArgs {
            output: (path.as_os_str() != "-").then(|| path.clone()),
            ..self.output.clone()
        };
        let mut answer = None;
        sink.stream(|out| {
            let mut lines = JsonLines::new(out);
            let found = question.trace(method, options, &mut lines);
            lines.finish()?;
            answer = Some(found?);
            Ok(())
        })?;
        answer.context("the search was not run")
    }

    /// Does the trace take the place of the answer?
    fn traces_instead(&self) -> bool {
        self.output.output.is_none()
            && self.trace.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    fn export_question(&self, question: &TourProblem, format: Format) -> anyhow::Result<Exit> {
        destrier_rules::Problem::validate(question)?;
        let board = question.board.clone();
        if board.area() > MOST_EXPORTED {
            bail!("{board} is too large for this form: {MOST_EXPORTED} squares are the most");
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
        let sentence = no_solution(&named(none.problem()), &none);
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

/// The tour in the form that was asked for.
pub(crate) fn drawn(
    tour: &Verified<TourProblem>,
    method: &str,
    format: Format,
    colour: render::Colour,
) -> anyhow::Result<Vec<u8>> {
    Ok(match format {
        Format::Grid | Format::Boards => {
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
        Format::Json | Format::Hcp | Format::Fen => {
            let certificate = Certificate::new(tour.clone().into(), origin(method));
            (certificate.to_json() + "\n").into_bytes()
        }
    })
}
