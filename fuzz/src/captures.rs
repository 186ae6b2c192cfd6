//! Captures of small worlds: every method that proves the fewest moves finds the same number, and its proof is followed.

use arbitrary::{Result, Unstructured};
use destrier::{CaptureMethod, Claim, Method as _, Options, Outcome, Solve as _};

use crate::answered;
use crate::world;

/// Asks every method the same question.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::capture(u, 36, 7)?;
    let options = Options::new().threads(1);
    let naive = question.solve_by(CaptureMethod::Naive, &options);
    let fewest = match answered(&question, naive).map(|answer| answer.outcome) {
        Some(Outcome::Solved(plan)) => Some(plan.cost()),
        Some(Outcome::Impossible(_)) => None,
        Some(Outcome::Unfinished { .. }) | None => return Ok(()),
    };
    for &method in CaptureMethod::ALL {
        // The textbook's search can take for ever.
        let textbook = matches!(method, CaptureMethod::BbDfs(_));
        let options = if textbook { options.clone().node_limit(20_000) } else { options.clone() };
        let Some(answer) = answered(&question, question.solve_by(method, &options)) else {
            assert_ne!(
                method,
                CaptureMethod::Auto,
                "auto refuses what naive answers: {question:?}"
            );
            continue;
        };
        match answer.outcome {
            Outcome::Solved(plan) => {
                let moves = plan.cost();
                assert!(Some(moves) >= fewest, "{method}: {moves} on {question:?}");
                if matches!(plan.claim(), Claim::Fewest { .. }) {
                    assert_eq!(Some(moves), fewest, "{method} on {question:?}");
                }
            }
            Outcome::Impossible(why) => assert_eq!(fewest, None, "{method}: {why:?}"),
            Outcome::Unfinished { best, .. } => {
                assert!(textbook, "{method} was not stopped, and stopped: {question:?}");
                assert!(best.is_none_or(|best| Some(best.cost()) >= fewest));
            }
        }
    }
    Ok(())
}
