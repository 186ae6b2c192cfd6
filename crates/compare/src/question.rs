//! What is asked of all methods: a problem, and the words that ask it of the command `destrier`.
//!
//! A question has a subject, the board or puzzle, and rules. Whoever asks may say how the subject is written, by a
//! file or a well-known name; else it is written out. The words of the rules are made from the problem.
//!
//! Invariant: the words after `destrier` mean the problem. The trial holds every answer against it.

use crate::method::Method;
use destrier::{Method as _, TourMethod};
use destrier_rules::{
    Board, CaptureProblem, Leaper, Metric, Puzzle, Shape, SwapProblem, TourProblem, Wrap,
};

/// A kind of question, which is also a verb of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Finding a tour.
    Tour,
    /// Counting tours.
    Count,
    /// Taking all pieces.
    Capture,
    /// Exchanging knights.
    Swap,
    /// Walking from many starts.
    Survey,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Tour, Kind::Count, Kind::Capture, Kind::Swap, Kind::Survey];

    /// The verb.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Kind::Tour => "tour",
            Kind::Count => "count",
            Kind::Capture => "capture",
            Kind::Swap => "swap",
            Kind::Survey => "survey",
        }
    }

    /// The heading of a comparison.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Kind::Tour => "finding a tour",
            Kind::Count => "counting tours",
            Kind::Capture => "taking all pieces",
            Kind::Swap => "exchanging knights",
            Kind::Survey => "walking from all starts",
        }
    }

    /// Does `destrier-mpi` answer such questions?
    #[must_use]
    pub const fn is_on_ranks(self) -> bool {
        matches!(self, Kind::Count | Kind::Capture)
    }

    /// The kind with this verb, if there is one.
    pub(crate) fn of_verb(verb: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.verb() == verb)
    }
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Find a tour.
    Tour(TourProblem),
    /// Count the tours.
    Count(TourProblem),
    /// Take all pieces.
    Capture(CaptureProblem),
    /// Exchange the knights.
    Swap(SwapProblem),
    /// Walk from many starts.
    Survey {
        /// The tours that are walked.
        problem: TourProblem,
        /// How many starts, spread evenly; all if there is no number.
        starts: Option<usize>,
    },
}

impl Ask {
    /// The words that set the seed, where it is not 0 and the method uses it.
    pub(crate) fn seed(&self, method: Method, seed: u64) -> Vec<String> {
        let used = match self {
            Ask::Tour(problem) => {
                TourMethod::named(method.name()).is_ok_and(|method| method.uses_seed(problem))
            }
            _ => false,
        };
        if used && seed != 0 { vec!["--seed".to_owned(), seed.to_string()] } else { Vec::new() }
    }

    /// Which verb answers.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Ask::Tour(_) => Kind::Tour,
            Ask::Count(_) => Kind::Count,
            Ask::Capture(_) => Kind::Capture,
            Ask::Swap(_) => Kind::Swap,
            Ask::Survey { .. } => Kind::Survey,
        }
    }

    const fn board(&self) -> &Board {
        match self {
            Ask::Tour(problem) | Ask::Count(problem) | Ask::Survey { problem, .. } => {
                &problem.board
            }
            Ask::Capture(problem) => &problem.board,
            Ask::Swap(problem) => &problem.board,
        }
    }

    /// All that is asked beside the board or puzzle, in words.
    fn rules(&self) -> Vec<String> {
        let mut words = Words::default();
        match self {
            Ask::Tour(problem) => words.tour(problem),
            Ask::Count(problem) => {
                words.flag("--open", problem.shape == Shape::Open);
                words.tour(problem);
            }
            Ask::Survey { problem, starts } => {
                words.tour(problem);
                words.option("--starts", starts.map(|starts| starts.to_string()));
            }
            Ask::Capture(_) => {}
            Ask::Swap(problem) => {
                let rules = problem.rules;
                words.option("--alternate", rules.alternate.map(|side| side.to_string()));
                let metric = rules.metric;
                words.option("--metric", (metric != Metric::Moves).then(|| metric.to_string()));
                words.flag("--peaceful", rules.peaceful);
                words.wrap(problem.board.wrap());
            }
        }
        words.0
    }
}

/// Options and flags as one would type them.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn flag(&mut self, name: &str, given: bool) {
        self.0.extend(given.then(|| name.to_owned()));
    }

    fn option(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            self.0.extend([name.to_owned(), value]);
        }
    }

    fn wrap(&mut self, wrap: Wrap) {
        self.option("--wrap", (wrap != Wrap::None).then(|| wrap.to_string()));
    }

    fn tour(&mut self, problem: &TourProblem) {
        self.wrap(problem.board.wrap());
        let (a, b) = problem.leaper.legs();
        self.option("--leaper", (problem.leaper != Leaper::KNIGHT).then(|| format!("{a},{b}")));
        self.flag("--closed", problem.shape == Shape::Closed);
        self.option("--from", problem.start.map(|square| square.to_string()));
        self.option("--to", problem.end.map(|square| square.to_string()));
        self.option("--symmetry", problem.symmetry.map(|symmetry| symmetry.to_string()));
    }
}

/// How a board or puzzle is written on the command line, and in short on a plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The words right after the verb.
    pub words: Vec<String>,
    /// A few letters for tables and plots.
    pub label: String,
}

impl Subject {
    /// The board or puzzle written out in full.
    #[must_use]
    pub fn of(ask: &Ask) -> Subject {
        let size = ask.board().size();
        match ask {
            Ask::Tour(_) | Ask::Count(_) | Ask::Survey { .. } => {
                let mut words = Words(vec![size.clone()]);
                let holes: Vec<String> =
                    ask.board().holes().iter().map(ToString::to_string).collect();
                words.option("--holes", (!holes.is_empty()).then(|| holes.join(",")));
                Subject { words: words.0, label: size }
            }
            Ask::Capture(problem) => Subject {
                words: vec![Puzzle::fen(problem)],
                label: format!("{size}, {}", counted(problem.targets.len(), "piece")),
            },
            Ask::Swap(problem) => Subject {
                words: ["--from", &problem.start_fen(), "--to", &problem.goal_fen()]
                    .map(str::to_owned)
                    .into(),
                label: format!("{size}, {}", counted(problem.start.len(), "knight")),
            },
        }
    }
}

/// `1 piece`, `2 pieces`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// One question.
#[derive(Clone, Debug)]
pub struct Question {
    ask: Ask,
    words: Vec<String>,
    label: String,
}

impl Question {
    /// A question whose board or puzzle is written out in full.
    #[must_use]
    pub fn of(ask: Ask) -> Question {
        let subject = Subject::of(&ask);
        Question::about(ask, subject)
    }

    /// A question whose board or puzzle is written as its asker wrote it.
    #[must_use]
    pub fn about(ask: Ask, subject: Subject) -> Question {
        let verb = ask.kind().verb().to_owned();
        let words = [vec![verb], subject.words, ask.rules()].concat();
        Question { ask, words, label: subject.label }
    }

    /// What is asked.
    #[must_use]
    pub const fn ask(&self) -> &Ask {
        &self.ask
    }

    /// The words after `destrier`, the verb first.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// A few letters for tables and plots.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    pub(crate) fn squares(&self) -> u64 {
        self.ask.board().len()
    }

    /// The words as one would type them in a shell.
    pub(crate) fn typed(&self) -> String {
        let quoted = self.words.iter().map(|word| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "/.,:_-+×".contains(c);
            if word.chars().all(plain) { word.clone() } else { format!("'{word}'") }
        });
        quoted.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use destrier_rules::{Setup, Side, Square, TourSymmetry};

    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn the_words_of_a_tour_name_all_that_is_asked() {
        let holes = [Square::new(5, 5), Square::new(0, 0)];
        let problem = TourProblem {
            shape: Shape::Closed,
            start: Some(Square::new(2, 2)),
            end: Some(Square::new(3, 4)),
            symmetry: Some(TourSymmetry::HalfTurn),
            leaper: Leaper::new(1, 4).unwrap(),
            board: board("6x6").without(holes).unwrap().wrapped(Wrap::Files),
        };
        let options =
            "--wrap x --leaper 1,4 --closed --from c3 --to d5 --symmetry half-turn".to_owned();
        let tour = Question::of(Ask::Tour(problem.clone()));
        assert_eq!(tour.typed(), format!("tour 6x6 --holes a1,f6 {options}"));
        assert_eq!((tour.label(), tour.squares()), ("6x6", 34));
        let subject = Subject { words: vec!["my board.txt".to_owned()], label: "mine".to_owned() };
        let count = Question::about(Ask::Count(problem), subject);
        assert_eq!(count.typed(), format!("count 'my board.txt' {options}"));
        assert_eq!(count.label(), "mine");
    }

    #[test]
    fn open_counts_say_so_and_a_survey_names_its_starts() {
        let problem = TourProblem::open(board("3x7"));
        assert_eq!(Question::of(Ask::Count(problem.clone())).typed(), "count 3x7 --open");
        let survey = Question::of(Ask::Survey { problem, starts: Some(400) });
        assert_eq!(survey.typed(), "survey 3x7 --starts 400");
    }

    #[test]
    fn puzzles_are_written_out() {
        let capture: Puzzle = "4p/5/2p2/5/N3p".parse().unwrap();
        let capture = Question::of(Ask::Capture(capture.problem));
        assert_eq!(capture.typed(), "capture 4p/5/2p2/5/N3p");
        assert_eq!(capture.label(), "5x5, 3 pieces");
        let setup = |fen: &str| fen.parse::<Setup>().unwrap();
        let mut swap = SwapProblem::between(&setup("n1n/3/N1N"), &setup("N1N/3/n?n")).unwrap();
        swap.rules.metric = Metric::Runs;
        swap.rules.alternate = Some(Side::White);
        swap.rules.peaceful = true;
        let swap = Question::of(Ask::Swap(swap));
        assert_eq!(
            swap.typed(),
            "swap --from n1n/3/N1N --to 'N1N/3/n?n' --alternate white --metric runs --peaceful"
        );
        assert_eq!(swap.label(), "3x3, 4 knights");
    }
}
