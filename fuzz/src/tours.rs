//! Tours of small worlds: every solver, counter and enumerator agrees with the one that tries everything.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use arbitrary::{Result, Unstructured};
use destrier::count::TOUR_COUNTERS;
use destrier::tour::{Naive, TOUR_ENUMERATORS, TOUR_SOLVERS};
use destrier::{Counter as _, Outcome, Watch, method};
use destrier_rules::{Problem as _, Tour};

use crate::world;

/// Asks every method the same question.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::tour(u, 13)?;
    let watch = || Watch::unlimited().with_threads(1);
    let limited = Watch::halting_at(300_000).with_threads(1);
    let Ok(run) = Naive.count(&question, &limited) else { return Ok(()) };
    let Outcome::Solved(count) = run.outcome else { return Ok(()) };
    let exists = *count.undirected() > 0_u32.into();
    for counter in TOUR_COUNTERS {
        if let Ok(run) = counter.count(&question, &watch()) {
            let Outcome::Solved(found) = run.outcome else {
                panic!("{} was not stopped, and stopped: {question:?}", counter.name())
            };
            assert_eq!(found, count, "{} on {question:?}", counter.name());
        }
    }
    for solver in TOUR_SOLVERS {
        let run = match method::solve_checked(*solver, &question, &watch()) {
            Ok(run) => run,
            Err(destrier::SolveError::Refused { method, fault }) => {
                panic!("{method}: {fault} on {question:?}")
            }
            Err(_) => continue,
        };
        match run.outcome {
            Outcome::Solved(_) => assert!(exists, "{} on {question:?}", solver.name()),
            Outcome::Impossible(why) => {
                assert!(!exists, "{}: {why} on {question:?}", solver.name());
            }
            Outcome::Unfinished { .. } => {}
        }
    }
    for enumerator in TOUR_ENUMERATORS {
        let mut seen = BTreeSet::new();
        let listed = enumerator.enumerate(&question, &watch(), &mut |tour: &Tour| {
            assert_eq!(question.verify(tour), Ok(()));
            assert!(seen.insert(tour.0.clone()), "{} lists {tour} twice", enumerator.name());
            ControlFlow::Continue(())
        });
        if listed.is_ok() {
            let found: destrier::rules::Square =
                question.board.squares().next().expect("one is open");
            assert_eq!(
                *count.undirected(),
                seen.len().into(),
                "{} on {question:?} with {found}",
                enumerator.name()
            );
        }
    }
    Ok(())
}
