//! Tours in words: what was asked for, what it took, its outcome.

use destrier::Effort;
use destrier_rules::{
    Board, Impossible, Leaper, Problem, Shape, Support, Tour, TourProblem, Verified, Wrap,
};

use super::{Sentence, quantity};

/// More holes than this are counted, not named.
const MOST_NAMED: usize = 4;

/// A problem whose answers can be put into words.
pub trait Told: Problem {
    /// That there is no solution: `no closed tour of 5x5`.
    fn none(&self) -> Sentence;

    /// What a solution is.
    fn solved(solution: &Verified<Self>) -> Sentence
    where
        Self: Sized;

    /// The key of the claim that no solution costs less.
    const LEAST: &'static str;
}

impl Told for TourProblem {
    fn none(&self) -> Sentence {
        by_shape(self, ["tour.none_open", "tour.none_closed"])
    }

    fn solved(tour: &Verified<TourProblem>) -> Sentence {
        tour_told(tour)
    }

    const LEAST: &'static str = "tour.least";
}

/// The question in words: `closed tour of 8x8 from a1`.
#[must_use]
pub fn named(question: &TourProblem) -> Sentence {
    by_shape(question, ["tour.one_open", "tour.one_closed"])
}

/// The question in words, for several: `closed tours of 8x8 from a1`.
#[must_use]
pub fn named_all(question: &TourProblem) -> Sentence {
    by_shape(question, ["tour.all_open", "tour.all_closed"])
}

/// One of two sentences, for open and closed tours, with the board and what is asked of the tours.
pub(super) fn by_shape(question: &TourProblem, [open, closed]: [&'static str; 2]) -> Sentence {
    let key = if question.shape == Shape::Closed { closed } else { open };
    Sentence::of(key).with("size", asked(question))
}

/// `8x8 from a1 with half-turn symmetry`.
fn asked(question: &TourProblem) -> Sentence {
    let TourProblem { board, start, end, symmetry, leaper, .. } = question;
    let mut said = Sentence::english(board.size());
    if let Some(square) = start {
        said = said.then(Sentence::of("asked.from").with("square", square));
    }
    if let Some(square) = end {
        said = said.then(Sentence::of("asked.to").with("square", square));
    }
    said = with_holes(said, board);
    if let Some(symmetry) = symmetry {
        said = said.then(Sentence::of(format!("asked.{symmetry}")));
    }
    said = with_wrap(said, board);
    if *leaper != Leaper::KNIGHT {
        said = said.then(Sentence::of("asked.leaper").with("leaper", leaper.to_string()));
    }
    said
}

/// A board in words: `8x8 without c3`.
#[must_use]
pub fn board_told(board: &Board) -> Sentence {
    with_wrap(with_holes(Sentence::english(board.size()), board), board)
}

fn with_holes(said: Sentence, board: &Board) -> Sentence {
    let holes = board.holes();
    match holes.len() {
        0 => said,
        1..=MOST_NAMED => said.then(Sentence::of("asked.without").with("squares", holes)),
        many => said.then(Sentence::of("asked.holes").with("n", many)),
    }
}

fn with_wrap(said: Sentence, board: &Board) -> Sentence {
    match board.wrap() {
        Wrap::None => said,
        Wrap::Files => said.then(Sentence::of("asked.wrap_x")),
        Wrap::Ranks => said.then(Sentence::of("asked.wrap_y")),
        Wrap::Both => said.then(Sentence::of("asked.wrap_both")),
    }
}

/// Says what a checked tour is, and of an open one whether it could be closed.
#[must_use]
pub fn tour_told(verified: &Verified<TourProblem>) -> Sentence {
    let (problem, Tour(squares)) = (verified.problem(), verified.solution());
    let (first, last) = (squares[0], squares[squares.len() - 1]);
    let question = TourProblem { start: Some(first), end: Some(last), ..problem.clone() };
    let could_close = problem.shape == Shape::Open && problem.is_jump(last, first);
    of_length(
        if could_close { "tour.told_closable" } else { "tour.told" },
        &question,
        squares.len() as u64,
    )
}

/// A tour with its number of squares.
pub(crate) fn of_length(key: &'static str, question: &TourProblem, squares: u64) -> Sentence {
    let squares = Sentence::of("unit.squares").with("n", squares);
    Sentence::of(key).with("tour", named(question)).with("squares", squares)
}

/// What a run took: `2048 nodes, 1 dead end`; the method's own counts are in English only.
#[must_use]
pub fn effort_told(effort: &Effort) -> Sentence {
    let details = effort.details.iter().map(|&(name, number)| quantity(number, name));
    let all: Vec<String> =
        std::iter::once(quantity(effort.nodes, "nodes")).chain(details).collect();
    Sentence::of("unit.nodes").with("n", effort.nodes).exactly(all.join(", "))
}

/// Why there is none: `no closed tour of 5x5: …`, with what that rests on where the checker cannot confirm it alone.
#[must_use]
pub fn no_solution<P: Told>(impossible: &Impossible<P>) -> Sentence {
    let key = match impossible.support() {
        Support::Search => "told.none_searched",
        _ => "told.none",
    };
    let why = Sentence::from(impossible.obstacle());
    Sentence::of(key).with("none", impossible.problem().none()).with("why", why)
}

/// That a run stopped before its answer, and why.
#[must_use]
pub fn undecided(why: impl Into<Sentence>) -> Sentence {
    Sentence::of("told.undecided").with("why", why.into())
}
