//! Captures of small worlds: every method that proves the fewest moves finds the same number, and its proof is followed.

use arbitrary::{Result, Unstructured};
use destrier::capture::{CAPTURE_SOLVERS, Naive};
use destrier::{Outcome, SolveError, Solver as _, Watch, method};
use destrier_rules::{Certificate, Claim, Origin};

use crate::world;

/// Asks every method the same question.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::capture(u, 36, 7)?;
    let watch = || Watch::unlimited().with_threads(1);
    let Ok(run) = Naive.solve(&question, &watch()) else { return Ok(()) };
    let fewest = match run.outcome {
        Outcome::Solved(plan) => Some(plan.moves()),
        Outcome::Impossible(_) => None,
        Outcome::Unfinished { .. } => return Ok(()),
    };
    for solver in CAPTURE_SOLVERS {
        let name = solver.name();
        // The textbook's search can take for ever.
        let watch = watch().with_node_limit(if name == "bb-dfs" { 20_000 } else { u64::MAX });
        let run = match method::solve_checked(*solver, &question, &watch) {
            Ok(run) => run,
            Err(SolveError::Refused { method, fault }) => panic!("{method}: {fault} {question:?}"),
            Err(_) => continue,
        };
        match run.outcome {
            Outcome::Solved(plan) => {
                let moves = plan.solution().moves();
                assert!(Some(moves) >= fewest, "{name}: {moves} on {question:?}");
                if matches!(run.claim, Claim::Fewest { .. }) {
                    assert_eq!(Some(moves), fewest, "{name} on {question:?}");
                }
                let origin = Origin { program: String::new(), method: String::new() };
                let certificate = Certificate::solved(plan, run.claim, origin);
                assert!(certificate.is_ok(), "{name}: {certificate:?}");
            }
            Outcome::Impossible(why) => assert_eq!(fewest, None, "{name}: {why} on {question:?}"),
            Outcome::Unfinished { best, .. } => {
                assert!(best.is_none_or(|best| Some(best.solution().moves()) >= fewest));
            }
        }
    }
    Ok(())
}
