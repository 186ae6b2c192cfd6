//! Why no swap is shorter: potentials of knights and goal squares that the checker adds up again.
//!
//! Each knight of a letter ends on a square that the goal has for its letter (or leaves open), no two on
//! one square. Give every knight and every such square a number such that a knight's and a square's number
//! never add up to more than the moves between them on an empty board. Then the sum of all numbers is at
//! most what the knights need, however they are assigned to squares: the duality of the assignment
//! problem. Where runs are counted, a knight needs one run unless it is already there.
//!
//! Invariant: whatever the numbers are, an accepted bound is a true bound.
//! Cost: a breadth-first search of the board for each knight.
//! Source: Kuhn 1955; Munkres 1957.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::board::Board;
use crate::budget::Budget;
use crate::leaper::Leaper;
use crate::square::Square;
use crate::swap::{Metric, Side, SwapProblem};
use crate::verify::Problem as _;

/// A proof that knights need this many moves even if they could pass through each other.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Potentials {
    /// One for each letter; a letter that is missing needs nothing.
    pub letters: Vec<LetterPotentials>,
}

/// The potentials of one letter; a square that is missing has 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct LetterPotentials {
    /// The letter.
    pub letter: char,
    /// For the squares where its knights start.
    pub knights: BTreeMap<Square, i64>,
    /// For the squares where they may end. On a `?`, which may stay empty, never above 0.
    pub goals: BTreeMap<Square, i64>,
}

/// The largest board that the checker searches for this.
const MOST_SQUARES: u64 = 1 << 12;
/// The steps of a search for each square of the board.
const STEPS: u64 = 32;
/// Larger numbers are rejected: sums of them must not overflow.
const MOST: u64 = 1 << 32;

type Checked<T> = Result<T, String>;

/// The lower bound that these potentials prove, or what is wrong with them.
pub(crate) fn bound(
    problem: &SwapProblem,
    proof: &Potentials,
    budget: &Budget<'_>,
) -> Checked<u64> {
    problem.validate().map_err(|error| error.to_string())?;
    if problem.board.area() > MOST_SQUARES {
        let why = format!("the board has more than {MOST_SQUARES} squares, holes included");
        return Err(budget.undecided(why));
    }
    // A search from each knight, and each of its goals is looked at.
    let (knights, ends) = (problem.start.len() as u64, problem.board.area());
    budget.afford(knights.saturating_mul(ends).saturating_mul(STEPS))?;
    let jumps = JumpTable::new(&problem.board);
    let mut named = BTreeSet::new();
    let (mut white, mut black) = (0, 0);
    for letter in &proof.letters {
        if !named.insert(letter.letter) {
            return Err(format!("`{}` occurs twice", letter.letter));
        }
        budget.step((knights + ends) * STEPS)?;
        let need = need_of(problem, &jumps, letter, budget)?;
        match Side::of(letter.letter) {
            Side::White => white += need,
            Side::Black => black += need,
        }
    }
    let least = match problem.rules.alternate {
        None => white + black,
        // The side that begins makes the first, third, … move, the other the second, fourth, …
        Some(side) => {
            let (first, second) = if side == Side::White { (white, black) } else { (black, white) };
            (2 * first).saturating_sub(1).max(2 * second)
        }
    };
    let odd = parity(problem).is_some_and(|parity| least % 2 != parity);
    Ok(least + u64::from(odd))
}

/// What the knights of one letter need at least.
fn need_of(
    problem: &SwapProblem,
    jumps: &JumpTable,
    potentials: &LetterPotentials,
    budget: &Budget<'_>,
) -> Checked<u64> {
    let LetterPotentials { letter, knights, goals } = potentials;
    let of = |placed: &BTreeMap<Square, char>| -> Vec<Square> {
        placed.iter().filter(|(_, l)| *l == letter).map(|(&square, _)| square).collect()
    };
    let (starts, mut ends) = (of(&problem.start), of(&problem.goal.knights));
    // A letter with as many goal squares as knights never ends on an open square.
    if starts.len() > ends.len() {
        ends.extend(&problem.goal.any);
    }
    if let Some(square) = knights.keys().find(|square| !starts.contains(square)) {
        return Err(format!("no `{letter}` stands on {square} at the start"));
    }
    if let Some(square) = goals.keys().find(|square| !ends.contains(square)) {
        return Err(format!("no `{letter}` can end on {square}"));
    }
    if knights.values().chain(goals.values()).any(|&value| value.unsigned_abs() > MOST) {
        return Err(format!("a potential of `{letter}` is above {MOST}"));
    }
    let is_open = |square: &Square| problem.goal.any.contains(square);
    if let Some((square, _)) = goals.iter().find(|&(square, &value)| is_open(square) && value > 0) {
        return Err(format!("{square} may stay empty, so its potential cannot be above 0"));
    }
    for &from in &starts {
        budget.step(problem.board.area() * STEPS)?;
        let far = jumps.distances(from, problem.rules.metric);
        let here = knights.get(&from).copied().unwrap_or(0);
        for &to in &ends {
            let both = here + goals.get(&to).copied().unwrap_or(0);
            // A square that it cannot reach is not where this knight ends.
            if let Some(moves) = far[jumps.index(to)].filter(|&moves| both > moves) {
                return Err(format!("{from} and {to} add up to {both}, but are {moves} apart"));
            }
        }
    }
    let sum: i64 = knights.values().chain(goals.values()).sum();
    Ok(u64::try_from(sum).unwrap_or(0))
}

/// The jumps of the empty board, by the indices of its squares.
struct JumpTable {
    files: usize,
    near: Vec<Vec<usize>>,
}

impl JumpTable {
    fn new(board: &Board) -> Self {
        let files = board.files() as usize;
        let mut table = Self { files, near: vec![Vec::new(); files * board.ranks() as usize] };
        for square in board.squares() {
            let jumps = board.jumps_from(Leaper::KNIGHT, square);
            let at = table.index(square);
            table.near[at] = jumps.into_iter().map(|to| table.index(to)).collect();
        }
        table
    }

    fn index(&self, square: Square) -> usize {
        square.rank as usize * self.files + square.file as usize
    }

    /// The moves (or runs) of one knight to every square; `None` where it cannot go.
    fn distances(&self, from: Square, metric: Metric) -> Vec<Option<i64>> {
        let from = self.index(from);
        let mut far = vec![None; self.near.len()];
        far[from] = Some(0);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((here, moves)) = queue.pop_front() {
            let moves = if metric == Metric::Runs { 1 } else { moves + 1 };
            for &next in &self.near[here] {
                if far[next].is_none() {
                    far[next] = Some(moves);
                    queue.push_back((next, moves));
                }
            }
        }
        far
    }
}

/// The parity of every plan's moves, where each jump changes the colour and the goal is complete.
fn parity(problem: &SwapProblem) -> Option<u64> {
    let moves = problem.rules.metric == Metric::Moves && problem.goal.any.is_empty();
    let is_fixed = moves && problem.board.is_two_coloured(Leaper::KNIGHT);
    let all = problem.start.keys().chain(problem.goal.knights.keys());
    is_fixed.then(|| all.filter(|square| square.is_dark()).count() as u64 % 2)
}
