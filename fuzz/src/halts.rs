//! A stop at any node: what is said by then is true, or it is said that nothing is known.

use arbitrary::{Result, Unstructured};
use destrier::{
    CaptureMethod, Claim, CountMethod, Method as _, Options, Outcome, Problem as _, Solve,
    SwapMethod, TourMethod, Tours as _,
};

use crate::{answered, world};

/// Stops a method at a node, and holds what it says against the plain method.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let nodes = u.int_in_range(1..=3000_u64)?;
    match u.int_in_range(0..=3)? {
        0 => {
            let question = world::tour(u, 12)?;
            let method = *u.choose(TourMethod::ALL)?;
            stopped(&question, method, TourMethod::Naive, nodes);
        }
        1 => {
            let question = world::tour(u, 12)?;
            let method = *u.choose(CountMethod::ALL)?;
            let options = Options::new().node_limit(nodes).threads(1);
            let found = answered(&question, question.count_by(method, &options));
            let Some(Outcome::Solved(found)) = found.map(|found| found.outcome) else {
                return Ok(());
            };
            let limited = Options::new().node_limit(300_000);
            let naive = answered(&question, question.count_by(CountMethod::Naive, &limited));
            if let Some(Outcome::Solved(truth)) = naive.map(|found| found.outcome) {
                assert_eq!(found, truth, "{method} stopped at {nodes}: {question:?}");
            }
        }
        2 => {
            let question = world::capture(u, 30, 6)?;
            let method = *u.choose(CaptureMethod::ALL)?;
            stopped(&question, method, CaptureMethod::Naive, nodes);
        }
        _ => {
            let question = world::swap(u, 10, 4)?;
            if question.validate().is_ok() {
                let method = *u.choose(SwapMethod::ALL)?;
                stopped(&question, method, SwapMethod::Naive, nodes);
            }
        }
    }
    Ok(())
}

fn stopped<P: Solve + std::fmt::Debug>(
    question: &P,
    method: P::Method,
    plain: P::Method,
    nodes: u64,
) {
    let name = method.name();
    let options = Options::new().node_limit(nodes).threads(1).memory(256 << 20);
    let Some(answer) = answered(question, question.solve_by(method, &options)) else { return };
    let limited = Options::new().node_limit(100_000).threads(1);
    let truth = answered(question, question.solve_by(plain, &limited));
    let fewest = match truth.map(|truth| truth.outcome) {
        Some(Outcome::Solved(solution)) => Some(solution.cost()),
        Some(Outcome::Impossible(_)) => None,
        Some(Outcome::Unfinished { .. }) | None => return,
    };
    if let (Some(bound), Some(fewest)) = (answer.lower_bound, fewest) {
        assert!(
            bound <= fewest,
            "{name} stopped at {nodes} says at least {bound}, and {fewest} are enough: {question:?}"
        );
    }
    match &answer.outcome {
        Outcome::Impossible(_) => {
            assert_eq!(fewest, None, "{name} stopped at {nodes} on {question:?}");
        }
        Outcome::Solved(found) | Outcome::Unfinished { best: Some(found), .. } => {
            let fewest = fewest.expect("there is a solution, since one was found");
            assert!(found.cost() >= fewest, "{name} stopped at {nodes} on {question:?}");
            if let Claim::Fewest { lower_bound, .. } = found.claim() {
                assert_eq!(*lower_bound, fewest, "{name} stopped at {nodes} on {question:?}");
            }
        }
        Outcome::Unfinished { best: None, .. } => {}
    }
}
