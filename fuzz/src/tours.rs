//! Tours of small worlds: every solver, counter and enumerator agrees with the one that tries everything.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use arbitrary::{Result, Unstructured};
use destrier::{
    CountMethod, ListMethod, Listing, Method as _, Options, Outcome, Solve as _, Tour, TourMethod,
    Tours as _,
};

use crate::answered;
use crate::world;

/// Asks every method the same question.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::tour(u, 13)?;
    let options = Options::new().threads(1);
    let limited = options.clone().node_limit(300_000);
    let naive = answered(&question, question.count_by(CountMethod::Naive, &limited));
    let Some(Outcome::Solved(truth)) = naive.map(|found| found.outcome) else { return Ok(()) };
    let exists = *truth.undirected() > 0_u32.into();
    for &method in CountMethod::ALL {
        if let Some(found) = answered(&question, question.count_by(method, &options)) {
            assert_eq!(found.total(), Ok(truth.clone()), "{method} on {question:?}");
        }
    }
    for &method in TourMethod::ALL {
        let Some(answer) = answered(&question, question.solve_by(method, &options)) else {
            assert_ne!(method, TourMethod::Auto, "auto refuses what naive answers: {question:?}");
            continue;
        };
        match answer.outcome {
            Outcome::Solved(_) => assert!(exists, "{method} on {question:?}"),
            Outcome::Impossible(why) => assert!(!exists, "{method}: {why:?}"),
            Outcome::Unfinished { .. } => {}
        }
    }
    for &method in ListMethod::ALL {
        let mut seen = BTreeSet::new();
        let listed = question.enumerate(Listing::all().by(method), &options, &mut |tour: &Tour| {
            assert!(seen.insert(tour.0.clone()), "{method} lists {tour} twice: {question:?}");
            ControlFlow::Continue(())
        });
        let Some(listed) = answered(&question, listed) else {
            assert_ne!(method, ListMethod::Auto, "auto refuses what naive answers: {question:?}");
            continue;
        };
        assert_eq!(listed.total(), Ok(truth.clone()), "{method} on {question:?}");
        assert_eq!(*truth.undirected(), seen.len().into(), "{method} on {question:?}");
    }
    if question.start.is_none() && question.end.is_none() {
        let mut listed = 0_u64;
        let distinct = Listing::all().distinct();
        let found = question.enumerate(distinct, &options, &mut |_: &Tour| {
            listed += 1;
            ControlFlow::Continue(())
        });
        assert!(found.is_ok(), "{found:?} on {question:?}");
        let counted = if question.symmetry.is_some() {
            question.symmetric_classes(truth.undirected(), &options)
        } else {
            question.classes(truth.undirected(), &options).map(|found| found.classes)
        };
        assert_eq!(counted, Ok(listed.into()), "classes of {question:?}");
    }
    Ok(())
}
