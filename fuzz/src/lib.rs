//! What a stranger can throw at Destrier, and what must then be true.
//!
//! Each module has one function `check(data)`: it makes a text or a small world of the bytes, asks Destrier, and holds the
//! answer against an oracle that is too simple to be wrong: what is printed reads back, all methods agree with
//! trying everything ([`oracle`]), a plain replay agrees with the checker. A broken oracle panics. `fuzz_targets`
//! hands each function to libFuzzer; `ci/fuzz.sh` builds and runs them.

pub mod captures;
pub mod certificates;
pub mod checker;
pub mod counts;
pub mod halts;
pub mod itineraries;
pub mod oracle;
pub mod puzzles;
#[cfg(feature = "requests")]
pub mod requests;
pub mod swaps;
pub mod texts;
pub mod tours;
pub mod world;

/// What a method answers; nothing where it does not support the question. An answer that the checker refused, or any
/// other error, is a finding.
fn answered<P: std::fmt::Debug, T: AsRef<destrier::Effort>>(
    question: &P,
    answer: Result<T, destrier::SolveError>,
) -> Option<T> {
    match answer {
        Ok(answer) => {
            let refused = &answer.as_ref().refused;
            assert!(refused.is_empty(), "the checker refused {refused:?} on {question:?}");
            Some(answer)
        }
        Err(destrier::SolveError::Unsuited { .. }) => None,
        Err(error) => panic!("{error} on {question:?}"),
    }
}
