//! The assignment bound with potentials that let the checker confirm it.
//!
//! The potentials of a knight and a goal square never add up to more than the moves between them, and
//! the sum of all potentials is the cost of the cheapest matching.
//!
//! Invariant: the checker decides; where it does not confirm the potentials, the bound is only named.
//! Cost: one matching per letter.
//! Source: Kuhn 1955; Munkres 1957.

use destrier_rules::{LetterPotentials, Potentials, Problem as _, Proof, SwapProblem};

use super::assignment::{Assignment, FAR};
use super::bound::Targets;
use super::encoding::Encoding;

/// The proof that every plan of this problem costs at least `lower`, by the assignment bound.
pub(super) fn bound_met(encoding: &Encoding, problem: &SwapProblem, lower: u64) -> Proof {
    let proof = Proof::Potentials(potentials(encoding));
    if problem.prove(lower, &proof).is_ok() {
        return proof;
    }
    Proof::BoundMet { by: "assignment of knights to goal squares".to_owned() }
}

fn potentials(encoding: &Encoding) -> Potentials {
    let instance = &encoding.instance;
    let far = instance.distances();
    let mut assignment = Assignment::default();
    let mut letters = Vec::new();
    for code in (1u8..).take(instance.colours) {
        let knights: Vec<usize> =
            (0..instance.len()).filter(|&v| instance.start[v] == code).collect();
        let targets = Targets::new(instance, code);
        let columns = targets.vertices.len();
        let cost = |from: usize, j: usize| match far[from][targets.vertices[j]] {
            u16::MAX => FAR,
            moves => i32::from(if instance.runs { moves.min(1) } else { moves }) - targets.bonus(j),
        };
        assignment.solve(knights.len(), columns, |costs| {
            costs.extend(knights.iter().flat_map(|&v| (0..columns).map(move |j| cost(v, j))));
        });
        let (of_knights, of_targets) = assignment.potentials();
        let named = |(&v, value): (&usize, i32)| {
            (value != 0).then(|| (encoding.square(v), i64::from(value)))
        };
        let of_targets = of_targets.iter().enumerate().map(|(j, value)| value + targets.bonus(j));
        letters.push(LetterPotentials {
            letter: encoding.letter(code),
            knights: knights.iter().zip(of_knights.iter().copied()).filter_map(named).collect(),
            goals: targets.vertices.iter().zip(of_targets).filter_map(named).collect(),
        });
    }
    Potentials { letters }
}
