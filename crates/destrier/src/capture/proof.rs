//! The proof of a capture, written for the checker.
//!
//! What the solver used, and nothing else: potentials, cuts, tariffs and cases, numbered by
//! stops. The checker finds the distances itself and adds everything up again.
//!
//! Invariant: cuts that no tariff weighs are left out, and the others numbered anew.
//! Cost: linear in what was recorded.
//! After: the proofs that Concorde writes beside its tours.

use destrier_rules::{EndingRefutation, Length, Proof, ProofStep, Refutation, Tariff};

use super::branch::{Record, Step};
use super::exact::Refuted;
use super::price::Duals;

/// The proof of a finished run.
pub(crate) fn written(refuted: Vec<Refuted>, nodes: u64) -> Proof {
    let endings: Option<Vec<EndingRefutation>> = refuted.into_iter().map(ending).collect();
    match endings {
        Some(endings) => Proof::Refutation(Refutation { endings }),
        None => Proof::Search { by: "branch and cut".to_owned(), nodes },
    }
}

fn ending(refuted: Refuted) -> Option<EndingRefutation> {
    let Record { cuts, sieves, steps, .. } = refuted.record?;
    let mut numbers = vec![None; cuts.len()];
    let mut kept = Vec::new();
    let mut tariff = |duals: Duals| {
        let weights = duals.weights.into_iter().filter(|&(_, weight)| weight > 0);
        let weights = weights.map(|(cut, weight)| {
            let number = *numbers[cut as usize].get_or_insert_with(|| {
                kept.push(cuts[cut as usize].sets.clone());
                kept.len() as u32 - 1
            });
            (number, weight)
        });
        Tariff { weights: weights.collect(), potentials: duals.potentials }
    };
    let sieves = sieves.into_iter().map(&mut tariff).collect();
    let steps = steps
        .into_iter()
        .map(|step| match step {
            Step::Branch(u, v) => ProofStep::Branch(u, v),
            Step::Leaf(duals) => ProofStep::Leaf(tariff(duals)),
        })
        .collect();
    Some(EndingRefutation {
        length: match refuted.ending.parity {
            Some(0) => Length::Even,
            Some(_) => Length::Odd,
            None => Length::Any,
        },
        potentials: refuted.potentials.into_iter().map(i64::from).collect(),
        cuts: kept,
        sieves,
        steps,
    })
}
