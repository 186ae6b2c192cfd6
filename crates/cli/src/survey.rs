//! `destrier survey`: how often a classic walk fails, over many starts.
//!
//! A walk that never steps back may end in a dead end. How often it does depends on the board, the start and the way
//! ties are broken; here each start is tried once. On a board with more squares of one colour, a tour must start on
//! that colour, and a start that no tour can have is not counted as a failure.

use anyhow::bail;
use clap::Args;
use destrier::internal::{Tally, Watch};
use destrier::{Effort, Method as _, SolveError, TourMethod, Warnsdorff};
use destrier_compare::{Ask, WALKS};
use destrier_rules::{Leaper, Problem as _, Shape, Square, TourProblem, Wrap};

use destrier_ask::{Sentence, named_all};
use destrier_terminal::args::{BoardArgs, LimitArgs};
use destrier_terminal::exit::Exit;
use destrier_terminal::language::tell;
use destrier_terminal::{message, output};

const EXAMPLES: &str = "\
Examples:
  destrier survey 50x50 --method roth        from every square
  destrier survey 200x200 --starts 400       from 400 squares spread over the board
  destrier compare --set warnsdorff-failures the table by size and tie-break";

/// Count the starts from which a walk without backtracking fails
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SurveyArgs {
    #[command(flatten)]
    board: BoardArgs,

    /// Walk a closed tour
    #[arg(long)]
    closed: bool,

    /// Try at most this many starts, spread evenly
    #[arg(long, value_name = "N")]
    starts: Option<usize>,

    /// The walk
    #[arg(long, short, value_name = "METHOD", default_value = "warnsdorff", long_help = methods())]
    method: String,

    /// Numbers as JSON
    #[arg(long)]
    json: bool,

    /// Report on stderr what it took
    #[arg(long, short)]
    verbose: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

fn methods() -> String {
    let walks = WALKS.map(TourMethod::Warnsdorff);
    let lines = walks.iter().map(|walk| format!("\n  {:<12}{}", walk.name(), walk.about()));
    std::iter::once("The method:".to_owned()).chain(lines).collect()
}

/// The walk of a name.
fn walk(name: &str) -> Result<Warnsdorff, SolveError> {
    let name_of = |walk: Warnsdorff| TourMethod::Warnsdorff(walk).name();
    WALKS.into_iter().find(|&walk| name_of(walk) == name).ok_or_else(|| SolveError::NoSuchMethod {
        name: name.to_owned(),
        known: WALKS.map(name_of).join(", "),
    })
}

/// The most squares of a board.
const MOST_SQUARES: u64 = 1 << 26;

/// The outcome of the starts.
#[derive(Debug, Default)]
struct Walked {
    starts: usize,
    failed: usize,
    tally: Tally,
}

impl SurveyArgs {
    /// What is asked, but for the start.
    fn question(&self) -> anyhow::Result<TourProblem> {
        let (board, leaper) = (self.board.read()?, self.board.shape.leaper()?);
        let shape = if self.closed { Shape::Closed } else { Shape::Open };
        Ok(TourProblem { shape, leaper, ..TourProblem::open(board) })
    }

    /// The same as one of the questions that are compared.
    pub(crate) fn ask(&self) -> anyhow::Result<Ask> {
        Ok(Ask::Survey { problem: self.question()?, starts: self.starts })
    }

    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let walk = walk(&self.method)?;
        self.limits.no_seed("these walks are not random")?;
        let name = TourMethod::Warnsdorff(walk).name();
        let question = self.question()?;
        question.validate()?;
        if question.board.area() > MOST_SQUARES {
            let board = &question.board;
            bail!("{board} is too large; the limit is {MOST_SQUARES} squares");
        }
        let session = self.limits.start()?;
        let watch = session.watch();
        let starts = self.spread(&question)?;
        let walked = survey(walk, &question, &starts, &watch);
        session.clear();
        let walked = walked?;
        if self.verbose {
            session.report(&Effort::by(name, walked.tally.nodes));
        }
        self.print(name, &question, &walked)?;
        match watch.halted() {
            Some(why) if walked.starts < starts.len() => {
                let said = Sentence::of("told.starts").with("done", walked.starts);
                let said = said.with("starts", starts.len()).with("why", Sentence::from(why));
                message!("destrier: {}", tell(&said));
                Ok(Exit::Unfinished)
            }
            _ => Ok(Exit::Solved),
        }
    }

    /// The starts that the colours allow.
    fn admissible(question: &TourProblem) -> Vec<Square> {
        let board = &question.board;
        let all: Vec<Square> = board.squares().collect();
        let dark = all.iter().filter(|square| square.is_dark()).count();
        let light = all.len() - dark;
        let coloured = question.leaper == Leaper::KNIGHT && board.wrap() == Wrap::None;
        all.into_iter()
            .filter(|s| !coloured || dark == light || s.is_dark() == (dark > light))
            .collect()
    }

    /// These, thinned out evenly to the number asked for.
    fn spread(&self, question: &TourProblem) -> anyhow::Result<Vec<Square>> {
        let admissible = SurveyArgs::admissible(question);
        let most = self.starts.unwrap_or(admissible.len()).min(admissible.len());
        if most == 0 {
            bail!("there is no start to try; give --starts 1 or more");
        }
        Ok((0..most).map(|i| admissible[i * admissible.len() / most]).collect())
    }

    fn print(&self, method: &str, question: &TourProblem, walked: &Walked) -> anyhow::Result<()> {
        let Walked { starts, failed, tally } = walked;
        #[expect(clippy::cast_precision_loss, reason = "a percentage")]
        let percent = 100.0 * *failed as f64 / (*starts).max(1) as f64;
        let text = if self.json {
            let answer = serde_json::json!({
                "destrier": 1, "kind": "survey", "question": question, "method": method,
                "starts": starts, "failed": failed, "steps": tally.nodes, "ties": tally.ties,
            });
            answer.to_string()
        } else {
            let tours = named_all(question);
            let said = Sentence::of("told.survey").with("tours", tours).with("method", method);
            let said = said.with("failed", failed).with("starts", starts);
            let said = said.with("percent", format!("{percent:.2}"));
            match question.board.len() - SurveyArgs::admissible(question).len() as u64 {
                0 => tell(&said),
                others => tell(
                    &Sentence::of("told.survey_of_some").with("survey", said).with("n", others),
                ),
            }
        };
        output::print((text + "\n").as_bytes())
    }
}

/// Walks from start after start; on a halt, those that were finished count.
fn survey(
    walk: Warnsdorff,
    question: &TourProblem,
    starts: &[Square],
    watch: &Watch,
) -> anyhow::Result<Walked> {
    let mut walked = Walked::default();
    // A block takes some milliseconds: little is lost to a halt, and little time is spent on starting threads.
    let area = usize::try_from(question.board.len()).unwrap_or(usize::MAX);
    let block = (1 << 18) / area.max(1);
    for block in starts.chunks(block.max(1)) {
        let ended = walk.survey(question, block, watch)?;
        if watch.halted().is_some() {
            break;
        }
        walked.starts += block.len();
        for (is_tour, tally) in ended {
            walked.failed += usize::from(!is_tour);
            walked.tally.add(&tally);
        }
    }
    Ok(walked)
}
