//! Swaps of small worlds, under all rules: no method finds fewer than breadth first, and those that prove it find as few.

use arbitrary::{Result, Unstructured};
use destrier::swap::{Naive, SWAP_SOLVERS};
use destrier::{Outcome, SolveError, Solver as _, Watch, method};
use destrier_rules::{Certificate, Claim, Origin, Problem as _};

use crate::world;

/// Asks every method the same question.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::swap(u, 11, 5)?;
    if question.validate().is_err() {
        return Ok(());
    }
    let limited = Watch::halting_at(30_000).with_threads(1);
    let Ok(run) = Naive.solve(&question, &limited) else { return Ok(()) };
    let fewest = match run.outcome {
        Outcome::Solved(plan) => Some(question.cost(&plan)),
        Outcome::Impossible(_) => None,
        Outcome::Unfinished { .. } => return Ok(()),
    };
    for solver in SWAP_SOLVERS {
        let name = solver.name();
        let watch = Watch::unlimited().with_threads(1).with_memory(Some(256 << 20));
        let run = match method::solve_checked(*solver, &question, &watch) {
            Ok(run) => run,
            Err(SolveError::Refused { method, fault }) => panic!("{method}: {fault} {question:?}"),
            Err(_) => continue,
        };
        match run.outcome {
            Outcome::Solved(plan) => {
                let cost = question.cost(plan.solution());
                assert!(
                    fewest.is_some_and(|fewest| cost >= fewest),
                    "{name}: {cost} on {question:?}"
                );
                if matches!(run.claim, Claim::Fewest { .. }) {
                    assert_eq!(Some(cost), fewest, "{name} on {question:?}");
                }
                let origin = Origin { program: String::new(), method: String::new() };
                let certificate = Certificate::solved(plan, run.claim, origin);
                assert!(certificate.is_ok(), "{name}: {certificate:?}");
            }
            Outcome::Impossible(why) => assert_eq!(fewest, None, "{name}: {why} on {question:?}"),
            Outcome::Unfinished { .. } => {}
        }
    }
    Ok(())
}
