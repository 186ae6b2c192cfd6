//! The words of a question: choices that have a name.
//!
//! A flag of the command line, a field of a request and a sentence of an answer use the same word for the same
//! choice, because all of them read and write it here.
//!
//! Invariant: a choice that is written reads back as the same choice.

use std::fmt;
use std::str::FromStr;

use crate::quoted;

/// One of a few choices, each with a name.
///
/// ```
/// # use destrier_rules::{TourSymmetry, Word as _};
/// assert_eq!("half-turn".parse(), Ok(TourSymmetry::HalfTurn));
/// assert_eq!(TourSymmetry::HalfTurn.to_string(), "half-turn");
/// assert_eq!(TourSymmetry::ALL.len(), 5);
/// ```
pub trait Word: Copy + fmt::Display + FromStr<Err = WordError> + Send + Sync + 'static {
    /// All choices, in the order in which help and messages list them.
    const ALL: &'static [Self];

    /// The name of this choice.
    #[must_use]
    fn name(self) -> &'static str;

    /// The names of all choices.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|choice| choice.name())
    }
}

/// A word that names none of the choices.
///
/// ```
/// # use destrier_rules::Metric;
/// let error = "leaps".parse::<Metric>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no `leaps`; there are moves, runs");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordError {
    word: String,
    known: Vec<&'static str>,
}

impl WordError {
    /// This word was given where one of those names was expected.
    #[must_use]
    pub fn new(word: &str, known: impl IntoIterator<Item = &'static str>) -> WordError {
        WordError { word: word.to_owned(), known: known.into_iter().collect() }
    }
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {}; there are {}", quoted(&self.word), self.known.join(", "))
    }
}

impl std::error::Error for WordError {}

/// Gives the variants of an enum their names, and with them [`Word`], `Display` and `FromStr`.
macro_rules! words {
    ($choice:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $crate::word::Word for $choice {
            const ALL: &'static [$choice] = &[$($choice::$variant),+];

            fn name(self) -> &'static str {
                match self {
                    $($choice::$variant => $name,)+
                }
            }
        }

        impl ::std::fmt::Display for $choice {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str($crate::word::Word::name(*self))
            }
        }

        impl ::std::str::FromStr for $choice {
            type Err = $crate::word::WordError;

            fn from_str(word: &str) -> Result<$choice, $crate::word::WordError> {
                match word {
                    $($name => Ok($choice::$variant),)+
                    _ => {
                        let known = <$choice as $crate::word::Word>::names();
                        Err($crate::word::WordError::new(word, known))
                    }
                }
            }
        }
    };
}
pub(crate) use words;

#[cfg(test)]
mod tests {
    use crate::{Coordinates, Metric, Shape, Side, TourSymmetry, Wrap};

    use super::*;

    fn round_trip<W: Word + PartialEq + fmt::Debug>(names: &[&str]) {
        assert_eq!(W::names().collect::<Vec<_>>(), names);
        for (&choice, name) in W::ALL.iter().zip(names) {
            assert_eq!(choice.to_string(), *name);
            assert_eq!(name.parse(), Ok(choice));
            for wrong in [name.to_uppercase(), format!(" {name}"), format!("{name}s")] {
                assert_eq!(wrong.parse::<W>(), Err(WordError::new(&wrong, W::names())));
            }
        }
        assert!("".parse::<W>().is_err());
    }

    #[test]
    fn every_choice_reads_back_and_nothing_else_is_read() {
        round_trip::<Wrap>(&["none", "x", "y", "both"]);
        round_trip::<TourSymmetry>(&[
            "half-turn",
            "quarter-turn",
            "mirror",
            "diagonal-mirror",
            "four-paths",
        ]);
        round_trip::<Metric>(&["moves", "runs"]);
        round_trip::<Side>(&["white", "black"]);
        round_trip::<Coordinates>(&["zero", "one"]);
        round_trip::<Shape>(&["open", "closed"]);
    }

    #[test]
    fn a_wrong_word_is_named_with_what_there_is() {
        let error = "z\n".parse::<Wrap>().unwrap_err();
        assert_eq!(error.to_string(), "there is no `z\\n`; there are none, x, y, both");
    }

    /// Certificates had their words before the command line did; those of `Wrap` differ.
    #[cfg(feature = "serde")]
    #[test]
    fn certificates_use_the_same_words() {
        fn same<W: Word + serde::Serialize>() {
            for choice in W::ALL {
                assert_eq!(serde_json::to_value(choice).unwrap(), choice.name());
            }
        }
        same::<TourSymmetry>();
        same::<Metric>();
        same::<Side>();
        same::<Shape>();
    }
}
