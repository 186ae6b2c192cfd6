//! Who answered how often: a question that a method does not support is skipped, and nothing else is.
//!
//! A test that runs every method of a list asks through a [`Tally`], and says at its end how many answers it must have
//! seen of each. So an answer that the checker refuses fails the test, and so does a method that quietly answers
//! less than before, or that was added without a number of its own.

use std::collections::BTreeMap;

use destrier::{Effort, Method, SolveError};

/// Answers by method.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    /// The answer of a method; nothing where it does not support the question.
    pub(crate) fn answer<M: Method, T: AsRef<Effort>>(
        &mut self,
        method: M,
        answer: Result<T, SolveError>,
    ) -> Option<T> {
        let answers = self.0.entry(method.name()).or_default();
        match answer {
            Ok(answer) => {
                let refused = &answer.as_ref().refused;
                assert!(refused.is_empty(), "{} was refused first: {refused:?}", method.name());
                *answers += 1;
                Some(answer)
            }
            Err(SolveError::Unsuited { .. }) => None,
            Err(error) => panic!("{}: {error}", method.name()),
        }
    }

    /// Fails the test unless just these methods were asked, and each answered at least so often.
    pub(crate) fn expect(&self, least: &[(&str, u64)]) {
        let asked: Vec<&str> = self.0.keys().copied().collect();
        let mut expected: Vec<&str> = least.iter().map(|&(method, _)| method).collect();
        expected.sort_unstable();
        assert_eq!(asked, expected, "methods asked");
        for (method, least) in least {
            assert!(self.0[method] >= *least, "{method} answered less than {least}: {:?}", self.0);
        }
    }
}
