//! From the user's words to the solver's, and back.
//!
//! Letters become codes, squares become dense numbers, and a plan's steps become moves again.
//!
//! Invariant: a plan of the arena, translated, is a plan of the problem.
//! Cost: linear in the board, which has at most 128 squares.
//! After: the project's layout: squares are the user's word, vertices the solver's.

use destrier_rules::{Metric, Move, Side, Square, SwapPlan, SwapProblem};

use super::arena::{ANY, Arena, Step};
use crate::graph::KnightGraph;
use crate::outcome::SolveError;

/// The largest board that can be taken on.
pub const MOST_SQUARES: u64 = 128;

/// A problem as an arena, with the way back.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) arena: Arena,
    squares: Vec<Square>,
    letters: Vec<char>,
}

impl Question {
    /// Translate a problem that has been validated.
    pub(super) fn new(problem: &SwapProblem, method: &'static str) -> Result<Self, SolveError> {
        let size = problem.board.len();
        if size > MOST_SQUARES {
            let why = format!("the board has {size} squares, and {MOST_SQUARES} is the most");
            return Err(SolveError::Unsuited { method, why });
        }
        let graph = KnightGraph::new(&problem.board);
        let squares: Vec<Square> = graph.vertices().map(|v| graph.square(v)).collect();
        let mut letters: Vec<char> = problem.start.values().copied().collect();
        letters.sort_unstable();
        letters.dedup();
        let code = |letter: Option<&char>| {
            let place = letter.and_then(|letter| letters.iter().position(|l| l == letter));
            place.map_or(0, |place| as_u8(place + 1))
        };
        let neighbours = graph
            .vertices()
            .map(|v| graph.neighbours(v).iter().map(|&u| as_u8(u as usize)).collect())
            .collect();
        let start = squares.iter().map(|square| code(problem.start.get(square))).collect();
        let goal = squares
            .iter()
            .map(|square| {
                let free = problem.goal.any.contains(square);
                if free { ANY } else { code(problem.goal.knights.get(square)) }
            })
            .collect();
        let white = std::iter::once(false)
            .chain(letters.iter().map(|&letter| Side::of(letter) == Side::White))
            .collect();
        let mut arena = Arena::new(neighbours, start, goal, white);
        if problem.sides_are_cases() {
            arena.camp = arena.white.iter().map(|&white| u8::from(white)).collect();
        }
        arena.runs = problem.rules.metric == Metric::Runs;
        arena.white_begins = problem.rules.alternate.map(|side| side == Side::White);
        arena.peaceful = problem.rules.peaceful;
        Ok(Self { arena, squares, letters })
    }

    /// The same question with another goal.
    pub(super) fn towards(&self, goal: Vec<u8>) -> Self {
        let arena = self.arena.between(self.arena.start.clone(), goal);
        Self { arena, ..self.clone() }
    }

    /// The square of a vertex of the whole arena.
    pub(super) fn square(&self, v: usize) -> Square {
        self.squares[v]
    }

    /// The letter of a code.
    pub(super) fn letter(&self, code: u8) -> char {
        self.letters[usize::from(code) - 1]
    }

    /// The moves of some steps in a part of the arena (or in the whole).
    pub(super) fn plan(&self, part: &Arena, steps: &[Step]) -> SwapPlan {
        let square = |v: u8| self.squares[part.home[usize::from(v)] as usize];
        SwapPlan(
            steps.iter().map(|&(from, to)| Move { from: square(from), to: square(to) }).collect(),
        )
    }

    /// The letters on the squares of a placement of the whole arena.
    pub(super) fn placement(&self, codes: &[u8]) -> destrier_rules::Placement {
        let knights = codes.iter().enumerate().filter(|&(_, &code)| code != 0);
        knights.map(|(v, &code)| (self.squares[v], self.letter(code))).collect()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 128 squares and 52 letters")]
fn as_u8(x: usize) -> u8 {
    x as u8
}
