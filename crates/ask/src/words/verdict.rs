//! Answers given as text, and what the checker says of answers.

use std::collections::BTreeSet;
use std::fmt;

use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Certificate, Confirmed, CountCertificate, CountStatement,
    Shape, Square, Statement, Support, Tour, Verified,
};

use super::{Misread, Sentence, Told, board_told, named_all, quantity};

/// Says what a checked capture is.
#[must_use]
pub fn plan_told(verified: &Verified<CaptureProblem>) -> Sentence {
    let CaptureProblem { board, start, targets } = verified.problem();
    let moves = verified.solution().moves();
    Sentence::of("capture.line")
        .with("pieces", Sentence::of("unit.pieces").with("n", targets.len()))
        .with("size", board_told(board))
        .with("square", start)
        .with("moves", Sentence::of("unit.moves").with("n", moves))
}

/// What the checker says of one claim; `docs/certificate.schema.json` has what each covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The checker went through all of it.
    Confirmed,
    /// Nothing speaks against it, but it rests on something that the checker did not repeat.
    NotRechecked,
    /// It is false.
    Refuted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Confirmed => "confirmed",
            Verdict::NotRechecked => "not rechecked",
            Verdict::Refuted => "refuted",
        })
    }
}

impl From<Verdict> for Sentence {
    fn from(verdict: Verdict) -> Sentence {
        Sentence::of(match verdict {
            Verdict::Confirmed => "verdict.confirmed",
            Verdict::NotRechecked => "verdict.not_rechecked",
            Verdict::Refuted => "verdict.refuted",
        })
    }
}

/// One claim of an answer, and what the checker says of it: a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The verdict.
    pub verdict: Verdict,
    /// The claim in words.
    pub claim: Sentence,
    /// The reason that the answer gives for it: printed unless a search confirms the claim, which says nothing of it.
    pub reason: Option<Sentence>,
    /// What the verdict rests on, where that is not the checker's replay alone.
    pub because: Option<Sentence>,
    /// What every solution is said to cost at least, if that is the claim.
    pub lower_bound: Option<u64>,
}

impl CheckedClaim {
    /// A solution that was replayed.
    #[must_use]
    pub const fn replayed(claim: Sentence) -> CheckedClaim {
        CheckedClaim::new(Verdict::Confirmed, claim)
    }

    /// A claim and a verdict, without what that rests on.
    #[must_use]
    pub const fn new(verdict: Verdict, claim: Sentence) -> CheckedClaim {
        CheckedClaim { verdict, claim, reason: None, because: None, lower_bound: None }
    }

    /// The same, resting on this, too.
    #[must_use]
    pub fn because(self, why: Sentence) -> CheckedClaim {
        let why = match self.because {
            Some(first) => Sentence::of("told.also").with("one", first).with("other", why),
            None => why,
        };
        CheckedClaim { because: Some(why), ..self }
    }

    /// The same, confirmed by a method that was run again.
    #[must_use]
    pub fn run_again(self, method: &str) -> CheckedClaim {
        let because = Some(Sentence::of("support.run_again").with("method", method));
        CheckedClaim { verdict: Verdict::Confirmed, reason: None, because, ..self }
    }

    fn resting_on(support: Support, claim: Sentence, lower_bound: Option<u64>) -> CheckedClaim {
        let confirmed = support.is_confirmed();
        let verdict = if confirmed { Verdict::Confirmed } else { Verdict::NotRechecked };
        CheckedClaim { verdict, claim, reason: None, because: Some(support.into()), lower_bound }
    }

    /// The line.
    #[must_use]
    pub fn line(&self) -> Sentence {
        let line = match &self.because {
            Some(because) => Sentence::of("verdict.line_because").with("because", because),
            None => Sentence::of("verdict.line"),
        };
        line.with("verdict", Sentence::from(self.verdict)).with("claim", self.told())
    }

    /// The claim with the reason that is given for it.
    #[must_use]
    pub fn told(&self) -> Sentence {
        match &self.reason {
            Some(why) => Sentence::of("told.none").with("none", &self.claim).with("why", why),
            None => self.claim.clone(),
        }
    }
}

/// The claims of a certificate, in order.
#[must_use]
pub fn claims<P: Told>(certificate: &Certificate<P>) -> Vec<CheckedClaim> {
    let mut claims = Vec::new();
    if let Statement::Solved(solution) = certificate.statement() {
        claims.push(CheckedClaim::replayed(P::solved(solution)));
    }
    let least = |bound: u64| Sentence::of(P::LEAST).with("n", bound);
    match (certificate.confirmed(), certificate.statement()) {
        (Confirmed::Impossible(support), Statement::Impossible(none)) => {
            let claim = CheckedClaim::resting_on(support, none.problem().none(), None);
            // A search of the checker's own confirms that there is none, not the reason that is given.
            let searched = support == Support::SearchedAgain;
            let reason = (!searched).then(|| Sentence::from(none.obstacle()));
            claims.push(CheckedClaim { reason, ..claim });
        }
        (Confirmed::Solution { cost, fewest: Some(support) }, _) => {
            claims.push(CheckedClaim::resting_on(support, least(cost), Some(cost)));
        }
        (Confirmed::Bounded { lower_bound, support: Some(support), .. }, _) => {
            let claim = least(lower_bound);
            claims.push(CheckedClaim::resting_on(support, claim, Some(lower_bound)));
        }
        (Confirmed::Bounded { lower_bound, .. }, _) => claims.push(CheckedClaim {
            lower_bound: Some(lower_bound),
            ..without_proof(least(lower_bound))
        }),
        _ => {}
    }
    claims
}

/// A claim that comes without a proof.
pub(crate) fn without_proof(claim: Sentence) -> CheckedClaim {
    CheckedClaim::new(Verdict::NotRechecked, claim).because(Sentence::of("support.no_proof"))
}

/// The claims of a count: the number of tours and, if it is given, that of their classes.
#[must_use]
pub fn count_claims(count: &CountCertificate) -> Vec<CheckedClaim> {
    let CountStatement { question, undirected, complete, classes, fixed, .. } = count.statement();
    let claim = Sentence::of("count.claim").with("tours", named_all(question));
    let claim = if *complete {
        claim.with("undirected", undirected)
    } else {
        claim.with("undirected", Sentence::of("count.at_least").with("n", undirected))
    };
    let methods: Vec<&str> = count.methods().into_iter().collect();
    let because = match (count.support(), &methods[..]) {
        (Support::SearchedAgain, _) => Sentence::of("support.counted_again"),
        (_, [one]) => match count.slices() {
            Some(slices) => Sentence::of("support.slices")
                .with("method", one)
                .with("slices", Sentence::of("unit.slices").with("n", slices.len())),
            None => Sentence::of("support.one_method").with("method", one),
        },
        (_, all) => Sentence::of("support.agree").with("methods", all),
    };
    let resting_on = |support: Support, claim: Sentence, because: Sentence| CheckedClaim {
        because: Some(because),
        ..CheckedClaim::resting_on(support, claim, None)
    };
    let mut claims = vec![resting_on(count.support(), claim, because)];
    if let (Some(classes), Some(support)) = (classes, count.classes_support()) {
        let tours = named_all(question);
        let claim = Sentence::of("count.classes_claim").with("tours", tours).with("n", classes);
        let because = Sentence::of(match support {
            Support::SearchedAgain => "support.counted_again",
            _ if fixed.is_empty() => "support.no_proof",
            _ => "support.fits_fixed",
        });
        claims.push(resting_on(support, claim, because));
    }
    claims
}

/// Is an answer about the board, and of the shape, that was asked for?
///
/// # Errors
/// When it is not.
pub fn is_asked_for(
    board: &Board,
    shape: Option<Shape>,
    asked: Option<&Board>,
    closed: bool,
) -> Result<(), Misread> {
    if let Some(asked) = asked.filter(|&asked| asked != board) {
        let why = Sentence::of("verdict.other_board")
            .with("board", board_told(board))
            .with("asked", board_told(asked));
        return Err(Misread::told(why));
    }
    if closed && shape != Some(Shape::Closed) {
        return Err(Misread::told(Sentence::of("verdict.not_closed")));
    }
    Ok(())
}

/// Do these lines look like a grid of step numbers?
#[must_use]
pub fn is_grid(lines: &[&str]) -> bool {
    let number = |word: &str| word == "#" || word.parse::<u64>().is_ok();
    lines.first().is_some_and(|first| first.split_whitespace().all(number))
}

/// Reads a grid of step numbers, the top rank first, `#` for a hole.
///
/// # Errors
/// With the line that is wrong, or the step that is missing.
pub fn grid(lines: &[&str]) -> Result<(Board, Tour), Misread> {
    let side = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let files = lines.first().map_or(0, |line| line.split_whitespace().count());
    let board = Board::new(side(files), side(lines.len())).map_err(Misread::new)?;
    let (mut holes, mut steps) = (Vec::new(), Vec::new());
    for (number, (line, rank)) in (1..).zip(lines.iter().zip((0..board.ranks()).rev())) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() != files {
            let found = quantity(words.len() as u64, "numbers");
            return Err(Misread::new(format!(
                "line {number} has {found}, but the first line has {files}"
            )));
        }
        for (file, word) in (0..).zip(words) {
            let square = Square::new(file, rank);
            if word == "#" {
                holes.push(square);
                continue;
            }
            let step: u64 = word.parse().map_err(|_| {
                let word = word.escape_debug();
                let why = format!("line {number} has `{word}`; a grid is step numbers and `#`");
                Misread::new(why).at(square)
            })?;
            steps.push((step, square));
        }
    }
    steps.sort_unstable();
    for (expected, &(step, square)) in (1..).zip(&steps) {
        if step != expected {
            let why = format!("{square} has step {step}, where {expected} is missing");
            return Err(Misread::new(why).at(square));
        }
    }
    let tour = Tour(steps.into_iter().map(|(_, square)| square).collect());
    Ok((board.without(holes).map_err(Misread::new)?, tour))
}

/// The smallest board that holds these squares.
///
/// # Errors
/// When it would be larger than any board.
pub fn board_around(squares: &[Square]) -> Result<Board, Misread> {
    let most = |side: fn(&Square) -> u32| squares.iter().map(side).max().unwrap_or(0) + 1;
    Board::new(most(|square| square.file), most(|square| square.rank)).map_err(Misread::new)
}

/// Reads a capture written as squares, with a `*` after those where a piece is taken. Without a board it is the
/// smallest one that holds the squares.
///
/// # Errors
/// When a word is no square, or there is none.
pub fn capture_line(
    line: &str,
    board: Option<Board>,
) -> Result<(CaptureProblem, CapturePlan), Misread> {
    let plan: CapturePlan = line.parse().map_err(Misread::new)?;
    let mut targets = BTreeSet::new();
    for starred in line.split_whitespace().filter_map(|word| word.strip_suffix('*')) {
        targets.insert(starred.parse().map_err(Misread::new)?);
    }
    let start = *plan.0.first().ok_or_else(|| Misread::told(Sentence::of("verdict.nothing")))?;
    let board = board.map_or_else(|| board_around(&plan.0), Ok)?;
    Ok((CaptureProblem { board, start, targets }, plan))
}
