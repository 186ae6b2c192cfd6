//! The proof of a capture, written for the checker.
//!
//! Only what the solver used: potentials, cuts, duals (which the checker calls tariffs) and cases, in
//! terms of stops. The checker computes the distances itself and adds everything up again.
//!
//! Invariant: cuts without weight are left out, and the others renumbered.
//! Cost: linear in what was recorded.
//! Source: the proofs that Concorde writes for its tours.

use destrier_rules::{EndingRefutation, Length, Proof, ProofStep, Refutation, Tariff};

use super::branch::{Record, Step};
use super::exact::Refuted;
use super::pricing::Duals;

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
    let mut used = Record::default();
    let mut tariff = |duals: Duals| {
        let Duals { potentials, weights } = used.renumbered_duals(duals, &cuts);
        Tariff { potentials, weights }
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
        cuts: used.cuts.into_iter().map(|cut| cut.sets).collect(),
        sieves,
        steps,
    })
}
