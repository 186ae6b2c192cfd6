//! From a problem to an instance, and from its plans back to moves.
//!
//! Letters become codes and squares become vertices; the steps of a plan become moves again.
//!
//! Invariant: a plan of the instance, decoded, is a plan of the problem.
//! Cost: linear in the board, which has at most 128 squares.

use destrier_rules::{Metric, Move, Side, Square, SwapPlan, SwapProblem};

use super::feasibility;
use super::instance::{ANY, Instance, Step};
use crate::graph::KnightGraph;
use crate::outcome::SolveError;

/// The largest board that is supported.
pub const MOST_SQUARES: u64 = 128;

/// A problem as an instance, with what is needed to decode its plans.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    pub(super) instance: Instance,
    squares: Vec<Square>,
    letters: Vec<char>,
}

impl Encoding {
    /// Encodes a problem that has been validated.
    pub(super) fn new(problem: &SwapProblem, method: &'static str) -> Result<Self, SolveError> {
        let size = problem.board.len();
        if size > MOST_SQUARES {
            let why = format!("the board has {size} squares; the limit is {MOST_SQUARES}");
            return Err(SolveError::Unsuited { method, why });
        }
        let graph = KnightGraph::new(&problem.board);
        let squares: Vec<Square> = graph.vertices().map(|v| graph.square(v)).collect();
        let mut letters: Vec<char> = problem.start.values().copied().collect();
        letters.sort_unstable();
        letters.dedup();
        let code = |letter: Option<&char>| {
            let index = letter.and_then(|letter| letters.iter().position(|l| l == letter));
            index.map_or(0, |index| as_u8(index + 1))
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
        let mut instance = Instance::new(neighbours, start, goal, white);
        if problem.sides_are_cases() {
            instance.side = instance.white.iter().map(|&white| u8::from(white)).collect();
        }
        instance.runs = problem.rules.metric == Metric::Runs;
        instance.white_begins = problem.rules.alternate.map(|side| side == Side::White);
        instance.peaceful = problem.rules.peaceful;
        Ok(Self { instance, squares, letters })
    }

    /// The same problem with another goal.
    pub(super) fn towards(&self, goal: Vec<u8>) -> Self {
        let instance = self.instance.between(self.instance.start.clone(), goal);
        Self { instance, ..self.clone() }
    }

    /// Squares that can be filled in only one way are not open.
    pub(super) fn settled(self) -> Self {
        match feasibility::fillings(&self.instance).as_deref() {
            Some([goal]) => self.towards(goal.clone()),
            _ => self,
        }
    }

    /// The square of a vertex.
    pub(super) fn square(&self, v: usize) -> Square {
        self.squares[v]
    }

    /// The letter of a code.
    pub(super) fn letter(&self, code: u8) -> char {
        self.letters[usize::from(code) - 1]
    }

    /// The moves of the steps of a part (or of the whole).
    pub(super) fn plan(&self, part: &Instance, steps: &[Step]) -> SwapPlan {
        let square = |v: u8| self.squares[part.origin[usize::from(v)] as usize];
        SwapPlan(
            steps.iter().map(|&(from, to)| Move { from: square(from), to: square(to) }).collect(),
        )
    }

    /// The letters on squares that codes on vertices stand for.
    pub(super) fn placement(&self, codes: &[u8]) -> destrier_rules::Placement {
        let knights = codes.iter().enumerate().filter(|&(_, &code)| code != 0);
        knights.map(|(v, &code)| (self.squares[v], self.letter(code))).collect()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 128 squares and 52 letters")]
fn as_u8(x: usize) -> u8 {
    x as u8
}
