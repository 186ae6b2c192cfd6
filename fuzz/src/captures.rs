//! Captures of small worlds: every method that proves the fewest moves finds as few as there are, and its proof is followed.

use arbitrary::{Result, Unstructured};
use destrier::{CaptureMethod, Claim, Method as _, Outcome, Solve as _};

use crate::world;
use crate::{answered, oracle};

/// Asks `auto` and, once in a while, another method.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::capture(u, 36, 7)?;
    let other = u.ratio(1, 2)?.then_some(*u.choose(&CaptureMethod::ALL[1..])?);
    let options = world::options(u)?;
    let fewest = oracle::fewest_jumps(&question).expect("the world is small");
    for method in [CaptureMethod::Auto].into_iter().chain(other) {
        // The textbook's search can take for ever.
        let textbook = matches!(method, CaptureMethod::BbDfs(_));
        let options = if textbook { options.clone().node_limit(2000) } else { options.clone() };
        let Some(answer) = answered(&question, question.solve_by(method, &options)) else {
            assert_ne!(method, CaptureMethod::Auto, "auto refuses {question:?}");
            continue;
        };
        match answer.outcome {
            Outcome::Solved(plan) => {
                let moves = plan.cost();
                assert!(
                    fewest.is_some_and(|fewest| moves >= fewest),
                    "{method}: {moves} on {question:?}"
                );
                if matches!(plan.claim(), Claim::Fewest { .. }) {
                    assert_eq!(Some(moves), fewest, "{method} on {question:?}");
                } else {
                    assert!(textbook, "{method} proves nothing: {question:?}");
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
