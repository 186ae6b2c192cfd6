//! Swaps of small worlds, under all rules: no method finds fewer than breadth first, and those that prove it find as few.

use arbitrary::{Result, Unstructured};
use destrier::{Claim, Method as _, Options, Outcome, Problem as _, Solve as _, SwapMethod};

use crate::answered;
use crate::world;

/// Asks every method the same question.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    // Up to seven squares may be full but for one; on larger boards there would be too many positions.
    let question = if u.ratio(1, 2)? { world::swap(u, 7, 6)? } else { world::swap(u, 11, 5)? };
    if question.validate().is_err() {
        return Ok(());
    }
    let limited = Options::new().node_limit(30_000).threads(1);
    let naive = question.solve_by(SwapMethod::Naive, &limited);
    let fewest = match answered(&question, naive).map(|answer| answer.outcome) {
        Some(Outcome::Solved(plan)) => Some(plan.cost()),
        Some(Outcome::Impossible(_)) => None,
        Some(Outcome::Unfinished { .. }) | None => return Ok(()),
    };
    for &method in SwapMethod::ALL {
        let options = Options::new().threads(1).memory(256 << 20);
        let Some(answer) = answered(&question, question.solve_by(method, &options)) else {
            assert_ne!(method, SwapMethod::Auto, "auto refuses what naive answers: {question:?}");
            continue;
        };
        match answer.outcome {
            Outcome::Solved(plan) => {
                let cost = plan.cost();
                assert!(
                    fewest.is_some_and(|fewest| cost >= fewest),
                    "{method}: {cost} on {question:?}"
                );
                if matches!(plan.claim(), Claim::Fewest { .. }) {
                    assert_eq!(Some(cost), fewest, "{method} on {question:?}");
                }
            }
            Outcome::Impossible(why) => assert_eq!(fewest, None, "{method}: {why:?}"),
            Outcome::Unfinished { .. } => {}
        }
    }
    Ok(())
}
