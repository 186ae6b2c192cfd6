//! A halt at any tick: what is said by then is true, or it is said that nothing is known.

use arbitrary::{Result, Unstructured};
use destrier::capture::CAPTURE_SOLVERS;
use destrier::count::TOUR_COUNTERS;
use destrier::swap::SWAP_SOLVERS;
use destrier::tour::TOUR_SOLVERS;
use destrier::{Counter as _, Outcome, SolveError, Solver, Watch, capture, method, swap, tour};
use destrier_rules::{Claim, Problem};

use crate::world;

/// Stops a method at a tick, and holds what it says against the plain method.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let tick = u.int_in_range(1..=3000_u64)?;
    match u.int_in_range(0..=3)? {
        0 => {
            let question = world::tour(u, 12)?;
            let solver = *u.choose(TOUR_SOLVERS)?;
            halted(solver, &tour::Naive, &question, tick);
        }
        1 => {
            let question = world::tour(u, 12)?;
            let counter = *u.choose(TOUR_COUNTERS)?;
            let watch = Watch::halting_at(tick).with_threads(1);
            let Ok(run) = counter.count(&question, &watch) else { return Ok(()) };
            let Outcome::Solved(found) = run.outcome else { return Ok(()) };
            let Ok(run) = tour::Naive.count(&question, &Watch::halting_at(300_000)) else {
                return Ok(());
            };
            if let Outcome::Solved(count) = run.outcome {
                assert_eq!(found, count, "{} halted at {tick}: {question:?}", counter.name());
            }
        }
        2 => {
            let question = world::capture(u, 30, 6)?;
            halted(*u.choose(CAPTURE_SOLVERS)?, &capture::Naive, &question, tick);
        }
        _ => {
            let question = world::swap(u, 10, 4)?;
            if question.validate().is_ok() {
                halted(*u.choose(SWAP_SOLVERS)?, &swap::Naive, &question, tick);
            }
        }
    }
    Ok(())
}

fn halted<P: Problem + Clone + std::fmt::Debug>(
    solver: &dyn Solver<P>,
    plain: &dyn Solver<P>,
    question: &P,
    tick: u64,
) {
    let name = solver.name();
    let watch = Watch::halting_at(tick).with_threads(1).with_memory(Some(256 << 20));
    let run = match method::solve_checked(solver, question, &watch) {
        Ok(run) => run,
        Err(SolveError::Refused { method, fault }) => {
            panic!("{method} halted at {tick}: {fault} on {question:?}")
        }
        Err(_) => return,
    };
    let limited = Watch::halting_at(100_000).with_threads(1);
    let Ok(truth) = plain.solve(question, &limited) else { return };
    let fewest = match truth.outcome {
        Outcome::Solved(solution) => Some(question.cost(&solution)),
        Outcome::Impossible(_) => None,
        Outcome::Unfinished { .. } => return,
    };
    match &run.outcome {
        Outcome::Impossible(why) => {
            assert_eq!(fewest, None, "{name} halted at {tick}: {why} on {question:?}");
        }
        Outcome::Solved(found) | Outcome::Unfinished { best: Some(found), .. } => {
            let cost = question.cost(found.solution());
            let fewest = fewest.expect("there is a solution, since one was found");
            assert!(cost >= fewest);
            let claimed = match run.claim {
                Claim::Fewest { lower_bound, .. } | Claim::AtLeast { lower_bound } => lower_bound,
                _ => 0,
            };
            assert!(
                claimed <= fewest,
                "{name} halted at {tick} says at least {claimed}, and {fewest} are enough: {question:?}"
            );
        }
        Outcome::Unfinished { best: None, .. } => {}
    }
}
