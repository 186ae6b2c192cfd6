//! Swaps of small worlds, under all rules: no method finds fewer than there are, and those that prove it find as few; the
//! number of shortest plans, and how far positions are.
//!
//! The input says which methods are asked, as in [`crate::tours`].

use arbitrary::{Result, Unstructured};
use destrier::{
    BestFirst, Claim, Method as _, Outcome, Problem as _, Solve as _, SwapMethod, Swaps as _,
};

use crate::world;
use crate::{answered, oracle};

/// Asks `auto`, another method, and one thing more.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    // Up to seven squares may be full but for one; on larger boards there would be too many positions.
    let question = if u.ratio(1, 2)? { world::swap(u, 7, 6)? } else { world::swap(u, 11, 5)? };
    if question.validate().is_err() {
        return Ok(());
    }
    let other = *u.choose(&SwapMethod::ALL[1..])?;
    let more = u.int_in_range(0..=7_u8)?;
    let options = world::options(u)?.memory(256 << 20);
    let Some(truth) = oracle::explore(&question, more == 0, 1500) else { return Ok(()) };
    let fewest = truth.fewest.map(|(moves, _)| moves);
    for method in [SwapMethod::Auto, other] {
        let mut options = options.clone();
        // The plain searches keep a list for every position, and take a hundred times as long.
        let plain =
            [SwapMethod::BestFirst(BestFirst::USUAL), SwapMethod::HillClimbing, SwapMethod::Naive];
        if plain.contains(&method) {
            options = options.node_limit(500);
        }
        let Some(answer) = answered(&question, question.solve_by(method, &options)) else {
            assert_ne!(method, SwapMethod::Auto, "auto refuses {question:?}");
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
            Outcome::Impossible(why) => {
                assert_eq!(fewest, None, "{method}: {why:?} on {question:?}");
            }
            Outcome::Unfinished { .. } => {
                assert_ne!(method, SwapMethod::Auto, "auto stopped: {question:?}");
            }
        }
    }
    if more == 0 {
        let found = answered(&question, question.eccentricity(&options));
        if let Some(Outcome::Solved(found)) = found.map(|found| found.outcome) {
            assert_eq!(found.layers, truth.layers, "eccentricity of {question:?}");
        }
    }
    if more == 1 {
        let found = answered(&question, question.shortest_plans(3, &options));
        match found.map(|found| found.outcome) {
            Some(Outcome::Solved(plans)) => {
                assert_eq!(Some((plans.cost, plans.count)), truth.fewest, "{question:?}");
                assert_eq!(plans.listed.len() as u128, plans.count.min(3), "{question:?}");
            }
            Some(Outcome::Impossible(why)) => assert_eq!(fewest, None, "{why:?} {question:?}"),
            Some(Outcome::Unfinished { .. }) | None => {}
        }
    }
    Ok(())
}
