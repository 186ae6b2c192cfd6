//! Proofs that no capture is shorter: true ones are followed, and none shows more than is true.
#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;

use destrier_rules::{
    AnyCertificate, CapturePlan, CaptureProblem, Claim, Problem as _, Proof, ProofStep, Refutation,
    Statement, Support,
};

/// Proofs that Destrier wrote: by potentials alone, with cuts, with combs, with sieves and cases.
fn proofs() -> Vec<(String, CaptureProblem, CapturePlan, Refutation)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proofs");
    let mut proofs = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        let text = fs::read_to_string(file.path()).unwrap();
        let AnyCertificate::Capture(certificate) = serde_json::from_str(&text).unwrap() else {
            panic!("they are captures")
        };
        let Statement::Solved(solved) = certificate.statement() else { panic!("they are solved") };
        let Claim::Fewest { proof: Proof::Refutation(proof), .. } = solved.claim() else {
            panic!("they are proved")
        };
        assert_eq!(solved.support(), Some(Support::Checked));
        let (problem, plan) = solved.clone().into_parts();
        proofs.push((file.file_name().into_string().unwrap(), problem, plan, proof.clone()));
    }
    assert_eq!(proofs.len(), 6);
    proofs
}

fn holds(problem: &CaptureProblem, bound: u64, proof: &Refutation) -> bool {
    problem.prove(bound, &Proof::Refutation(proof.clone())).is_ok()
}

#[test]
fn a_proof_shows_its_bound_and_nothing_beyond() {
    for (name, problem, plan, proof) in proofs() {
        let fewest = plan.moves();
        for bound in 0..=fewest {
            assert!(holds(&problem, bound, &proof), "{name}: {bound}");
        }
        for bound in fewest + 1..fewest + 6 {
            assert!(!holds(&problem, bound, &proof), "{name}: {bound}");
        }
    }
}

#[test]
fn no_change_of_a_number_shows_more_than_is_true() {
    for (name, problem, plan, proof) in proofs() {
        let beyond = plan.moves() + 1;
        for ending in 0..proof.endings.len() {
            for stop in 0..proof.endings[ending].potentials.len() {
                for by in [-4096, -1, 1, 1024, 1 << 39] {
                    let mut changed = proof.clone();
                    changed.endings[ending].potentials[stop] += by;
                    assert!(!holds(&problem, beyond, &changed), "{name}: potential {stop} by {by}");
                }
            }
            for cut in 0..proof.endings[ending].cuts.len() {
                for set in 0..proof.endings[ending].cuts[cut].len() {
                    let mut changed = proof.clone();
                    changed.endings[ending].cuts[cut][set].pop();
                    assert!(!holds(&problem, beyond, &changed), "{name}: cut {cut}");
                }
            }
            for step in 0..proof.endings[ending].steps.len() {
                let mut missing = proof.clone();
                missing.endings[ending].steps.remove(step);
                if !missing.endings[ending].steps.is_empty() {
                    assert!(!holds(&problem, plan.moves(), &missing), "{name}: step {step}");
                }
                for by in [1_i64 << 20, -(1 << 20), 1 << 39] {
                    let mut changed = proof.clone();
                    if let ProofStep::Leaf(tariff) = &mut changed.endings[ending].steps[step] {
                        tariff.weights.iter_mut().for_each(|(_, weight)| *weight += by);
                        tariff.potentials.iter_mut().for_each(|potential| *potential -= by / 2);
                    }
                    assert!(!holds(&problem, beyond, &changed), "{name}: step {step} by {by}");
                }
            }
        }
    }
}

#[test]
fn a_part_of_a_proof_is_no_proof() {
    for (name, problem, plan, proof) in proofs() {
        for ending in 0..proof.endings.len() {
            let mut missing = proof.clone();
            missing.endings.remove(ending);
            assert!(!holds(&problem, plan.moves(), &missing), "{name}");
            if proof.endings[ending].steps.is_empty() {
                continue;
            }
            let mut missing = proof.clone();
            missing.endings[ending].steps.clear();
            assert!(!holds(&problem, plan.moves(), &missing), "{name} without its cases");
            let mut longer = proof.clone();
            let last = longer.endings[ending].steps.last().unwrap().clone();
            longer.endings[ending].steps.push(last);
            assert!(!holds(&problem, plan.moves(), &longer), "{name} with a step too many");
        }
    }
}

#[test]
fn a_bound_of_pieces_is_their_number() {
    for (name, problem, ..) in proofs() {
        let pieces = problem.targets.len() as u64;
        let bound_met = Proof::BoundMet { by: "pieces".to_owned() };
        assert_eq!(problem.prove(pieces, &bound_met), Ok(Support::Checked), "{name}");
        assert_eq!(problem.prove(pieces - 1, &bound_met), Ok(Support::Checked), "{name}");
        assert!(problem.prove(pieces + 1, &bound_met).is_err(), "{name}");
        let search = Proof::Search { by: "naive".to_owned(), nodes: 1 };
        assert_eq!(problem.prove(pieces, &search), Ok(Support::Search), "{name}");
    }
}
