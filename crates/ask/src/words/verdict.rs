//! Answers given as text, and what the checker says of answers.

use std::collections::BTreeSet;
use std::fmt;

use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Certificate, Confirmed, CountCertificate, CountStatement,
    Problem, Shape, Square, Statement, Support, Tour, TourProblem, Verified,
};

use super::{Misread, named, named_all, quantity};

/// Says what a checked tour is, and of an open one whether it could be closed.
#[must_use]
pub fn tour_told(verified: &Verified<TourProblem>) -> String {
    let (problem, Tour(squares)) = (verified.problem(), verified.solution());
    let (first, last) = (squares[0], squares[squares.len() - 1]);
    let could_close = problem.shape == Shape::Open && problem.is_jump(last, first);
    let closable = if could_close { ", and could be closed" } else { "" };
    let question = TourProblem { start: Some(first), end: Some(last), ..problem.clone() };
    let squares = quantity(squares.len() as u64, "squares");
    format!("{}, {squares}{closable}", named(&question))
}

/// Says what a checked capture is.
#[must_use]
pub fn plan_told(verified: &Verified<CaptureProblem>) -> String {
    let CaptureProblem { board, start, targets } = verified.problem();
    let pieces = quantity(targets.len() as u64, "pieces");
    let moves = quantity(verified.solution().moves(), "moves");
    format!("capture of {pieces} on {board} from {start} in {moves}")
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

/// One claim of an answer, and what the checker says of it: a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The verdict.
    pub verdict: Verdict,
    /// The claim in words.
    pub claim: String,
    /// What the verdict rests on, where that is not the checker's replay alone.
    pub because: Option<String>,
    /// What every solution is said to cost at least, if that is the claim.
    pub lower_bound: Option<u64>,
}

impl CheckedClaim {
    /// A solution that was replayed.
    #[must_use]
    pub const fn replayed(claim: String) -> CheckedClaim {
        CheckedClaim { verdict: Verdict::Confirmed, claim, because: None, lower_bound: None }
    }

    fn resting_on(support: Support, claim: String, lower_bound: Option<u64>) -> CheckedClaim {
        let confirmed = support.is_confirmed();
        let verdict = if confirmed { Verdict::Confirmed } else { Verdict::NotRechecked };
        CheckedClaim { verdict, claim, because: Some(support.to_string()), lower_bound }
    }
}

impl fmt::Display for CheckedClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.verdict, self.claim)?;
        self.because.iter().try_for_each(|because| write!(f, " ({because})"))
    }
}

/// The claims of a certificate about `what`, in order; `solved` says what its solution is.
#[must_use]
pub fn claims<P: Problem>(
    certificate: &Certificate<P>,
    what: &str,
    solved: impl FnOnce(&Verified<P>) -> String,
) -> Vec<CheckedClaim> {
    let mut claims = Vec::new();
    if let Statement::Solved(solution) = certificate.statement() {
        claims.push(CheckedClaim::replayed(solved(solution)));
    }
    let least = |bound: u64| format!("no {what} costs less than {bound}");
    match (certificate.confirmed(), certificate.statement()) {
        (Confirmed::Impossible(support), Statement::Impossible(none)) => {
            let claim = format!("no {what}: {}", none.obstacle());
            claims.push(CheckedClaim::resting_on(support, claim, None));
        }
        (Confirmed::Solution { cost, fewest: Some(support) }, _) => {
            claims.push(CheckedClaim::resting_on(support, least(cost), Some(cost)));
        }
        (Confirmed::Bounded { lower_bound, support: Some(support), .. }, _) => {
            let claim = least(lower_bound);
            claims.push(CheckedClaim::resting_on(support, claim, Some(lower_bound)));
        }
        (Confirmed::Bounded { lower_bound, .. }, _) => claims.push(CheckedClaim {
            verdict: Verdict::NotRechecked,
            claim: least(lower_bound),
            because: Some("it comes without a proof".to_owned()),
            lower_bound: Some(lower_bound),
        }),
        _ => {}
    }
    claims
}

/// The claim of a count.
#[must_use]
pub fn count_claim(count: &CountCertificate) -> CheckedClaim {
    let CountStatement { question, undirected, complete, .. } = count.statement();
    let least = if *complete { "" } else { "at least " };
    let claim = format!("{}: {least}{undirected} undirected", named_all(question));
    let methods: Vec<&str> = count.methods().into_iter().collect();
    let because = match (count.support(), &methods[..]) {
        (Support::SearchedAgain, _) => "counted again by the checker".to_owned(),
        (_, [one]) => match count.slices() {
            Some(slices) => {
                let slices = quantity(slices.len() as u64, "slices");
                format!("by {one}, in {slices} that add up")
            }
            None => format!("by {one}, which can only be repeated"),
        },
        (_, all) => format!("{} agree", all.join(" and ")),
    };
    CheckedClaim {
        because: Some(because),
        ..CheckedClaim::resting_on(count.support(), claim, None)
    }
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
        let why = format!("the answer is for {board}, and {asked} was asked for");
        return Err(Misread::new(why));
    }
    if closed && shape != Some(Shape::Closed) {
        return Err(Misread::new("the answer is not for a closed tour, which was asked for"));
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
    let start = *plan.0.first().ok_or_else(|| Misread::new("there is nothing to check"))?;
    let board = board.map_or_else(|| board_around(&plan.0), Ok)?;
    Ok((CaptureProblem { board, start, targets }, plan))
}
