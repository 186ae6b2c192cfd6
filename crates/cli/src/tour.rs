//! `destrier tour`: a tour of any board.

use clap::Args;
use destrier::render::{self, Scene};
use destrier::{Outcome, Run, tour};
use destrier_rules::{
    Certificate, Claim, Obstacle, Origin, Setup, Shape, Square, TourProblem, Verified,
};

use crate::args::{BoardArgs, LimitArgs, OutputArgs};
use crate::exit::Exit;
use crate::output::Format;

const EXAMPLES: &str = "\
Examples:
  destrier tour 8x8                       a tour as numbers on the board
  destrier tour 8x8 --closed -o tour.svg  a closed tour as a picture
  destrier tour 5x5 --from c3             a tour from the middle
  destrier tour 6x6 --from a1 --to f1     a tour between two squares
  destrier tour 7x7 --holes d4 --closed   a tour round a hole
  destrier tour 8x8 --json | destrier verify";

/// Find a knight's tour, or prove that there is none
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TourArgs {
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto", long_help = methods())]
    method: String,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

/// Open or closed, and where it starts and ends.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Tour")]
pub(crate) struct EndArgs {
    /// Come back to the start by one more jump
    #[arg(long)]
    pub(crate) closed: bool,

    /// The first square, like a1 (or x,y)
    #[arg(long, value_name = "SQUARE")]
    pub(crate) from: Option<String>,

    /// The last square
    #[arg(long, value_name = "SQUARE")]
    pub(crate) to: Option<String>,
}

impl EndArgs {
    /// The question that board and ends ask together.
    pub(crate) fn question(&self, board: &BoardArgs) -> anyhow::Result<TourProblem> {
        Ok(TourProblem {
            shape: if self.closed { Shape::Closed } else { Shape::Open },
            start: board.square("--from", self.from.as_deref())?,
            end: board.square("--to", self.to.as_deref())?,
            symmetry: None,
            leaper: board.leaper()?,
            board: board.read()?,
        })
    }
}

fn methods() -> String {
    let lines = tour::TOUR_SOLVERS.iter().map(|m| format!("  {:<12}{}", m.name(), m.about()));
    format!("The method:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

impl TourArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let question = self.ends.question(&self.board)?;
        let format = self.output.format(Format::Grid)?;
        if matches!(format, Format::Hcp | Format::Fen) {
            return self.export_question(&question, format);
        }
        let vigil = self.limits.watch()?;
        let run = tour::find(&question, &self.method, &vigil.watch);
        vigil.end();
        let Run { outcome, claim, effort } = run?;
        if self.output.verbose {
            vigil.report(&self.method, &effort);
        }
        let origin = origin(effort.method.unwrap_or(&self.method));
        match outcome {
            Outcome::Solved(tour) => {
                self.output.write(&drawn(tour, claim, origin, format, self.output.colour())?)?;
                Ok(Exit::Solved)
            }
            Outcome::Impossible(obstacle) => {
                self.refuse(question, obstacle, origin, format)?;
                Ok(Exit::Impossible)
            }
            Outcome::Unfinished { why, .. } => {
                eprintln!("destrier: undecided: {why} (after {} nodes)", effort.nodes);
                Ok(Exit::Unfinished)
            }
        }
    }

    fn export_question(&self, question: &TourProblem, format: Format) -> anyhow::Result<Exit> {
        destrier_rules::Problem::validate(question)?;
        let board = question.board.clone();
        let empty = (std::collections::BTreeMap::new(), std::collections::BTreeSet::new());
        let text = match format {
            Format::Fen => Setup { board, pieces: empty.0, unknown: empty.1 }.fen() + "\n",
            _ => render::hcp(question),
        };
        self.output.write(text.as_bytes())?;
        Ok(Exit::Solved)
    }

    /// Says that there is no tour, and why.
    fn refuse(
        &self,
        question: TourProblem,
        obstacle: Obstacle,
        origin: Origin,
        format: Format,
    ) -> anyhow::Result<()> {
        let sentence = format!("no {}: {obstacle}", named(&question));
        match format {
            Format::Json => {
                let certificate = Certificate::impossible(question, obstacle, origin)?;
                self.output.write((serde_json::to_string(&certificate)? + "\n").as_bytes())
            }
            Format::Grid => self.output.write((sentence + "\n").as_bytes()),
            _ => {
                eprintln!("{sentence}");
                Ok(())
            }
        }
    }
}

/// The question in words: `closed tour of 8x8 from a1`.
pub(crate) fn named(question: &TourProblem) -> String {
    in_words(question, "tour")
}

/// The question in words, for several: `closed tours of 8x8 from a1`.
pub(crate) fn named_all(question: &TourProblem) -> String {
    in_words(question, "tours")
}

fn in_words(question: &TourProblem, tours: &str) -> String {
    let end = |word: &str, square: Option<Square>| {
        square.map_or_else(String::new, |square| format!(" {word} {square}"))
    };
    let (from, to) = (end("from", question.start), end("to", question.end));
    format!("{} {tours} of {}{from}{to}", question.shape, question.board)
}

/// Who makes certificates here.
pub(crate) fn origin(method: &str) -> Origin {
    let program = concat!("destrier ", env!("CARGO_PKG_VERSION"));
    Origin { program: program.to_owned(), method: method.to_owned() }
}

/// The tour in the form that was asked for.
fn drawn(
    tour: Verified<TourProblem>,
    claim: Claim,
    origin: Origin,
    format: Format,
    colour: render::Colour,
) -> anyhow::Result<Vec<u8>> {
    Ok(match format {
        Format::Grid => render::tour_grid(&tour, colour).into_bytes(),
        Format::List => (tour.solution().to_string() + "\n").into_bytes(),
        Format::Svg => render::svg(&Scene::of_tour(&tour))?.into_bytes(),
        Format::Png => render::png(&Scene::of_tour(&tour))?,
        Format::Gif => render::gif(&Scene::of_tour(&tour))?,
        Format::Csv => render::tour_csv(&tour).into_bytes(),
        Format::Tsplib => render::tsplib_tour(&tour).into_bytes(),
        Format::Json | Format::Hcp | Format::Fen => {
            let certificate = Certificate::solved(tour, claim, origin)?;
            (serde_json::to_string(&certificate)? + "\n").into_bytes()
        }
    })
}
