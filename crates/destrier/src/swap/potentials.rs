//! The assignment bound with the numbers by which the checker sees it for itself.
//!
//! The matching's potentials: a knight's and a goal square's together are never more than the moves
//! between them, and all together they are what the cheapest matching costs.
//!
//! Invariant: the checker has the last word; where it does not follow, the bound is only named.
//! Cost: one matching a letter.
//! After: Kuhn 1955; Munkres 1957.

use destrier_rules::{LetterPotentials, Potentials, Problem as _, Proof, SwapProblem};

use super::arena::ANY;
use super::assignment::{Assignment, FAR};
use super::bound::MUST;
use super::question::Question;

/// The proof that every plan of this problem costs at least `lower`, which the assignment bound says.
pub(super) fn bound_met(question: &Question, problem: &SwapProblem, lower: u64) -> Proof {
    let proof = Proof::Potentials(potentials(question));
    if problem.prove(lower, &proof).is_ok() {
        return proof;
    }
    Proof::BoundMet { by: "assignment of knights to goal squares".to_owned() }
}

fn potentials(question: &Question) -> Potentials {
    let arena = &question.arena;
    let far = arena.distances();
    let holding = |codes: &[u8], code: u8| -> Vec<usize> {
        (0..arena.len()).filter(|&v| codes[v] == code).collect()
    };
    let free = holding(&arena.goal, ANY);
    let mut assignment = Assignment::default();
    let mut letters = Vec::new();
    for code in (1u8..).take(arena.colours) {
        let knights = holding(&arena.start, code);
        let mut ends = holding(&arena.goal, code);
        let kept = ends.len();
        if knights.len() > kept {
            ends.extend(&free);
        }
        // A square that must be filled is worth a journey from anywhere.
        let worth = |j: usize| if j < kept && ends.len() > kept { MUST } else { 0 };
        let cost = |from: usize, j: usize| match far[from][ends[j]] {
            u16::MAX => FAR,
            moves => i32::from(if arena.runs { moves.min(1) } else { moves }) - worth(j),
        };
        assignment.solve(knights.len(), ends.len(), |costs| {
            costs.extend(knights.iter().flat_map(|&v| (0..ends.len()).map(move |j| cost(v, j))));
        });
        let (of_knights, of_ends) = assignment.potentials();
        let named = |(&v, value): (&usize, i32)| {
            (value != 0).then(|| (question.square(v), i64::from(value)))
        };
        let of_ends = of_ends.iter().enumerate().map(|(j, value)| value + worth(j));
        letters.push(LetterPotentials {
            letter: question.letter(code),
            knights: knights.iter().zip(of_knights.iter().copied()).filter_map(named).collect(),
            goals: ends.iter().zip(of_ends).filter_map(named).collect(),
        });
    }
    Potentials { letters }
}
