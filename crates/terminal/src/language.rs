//! The language of the program's answers.
//!
//! It is set once, when the arguments have been read. It is asked for by `--lang` or `DESTRIER_LANG`, not taken from
//! `LANG`: answers are read by scripts and quoted in reports, and the same command should print the same on every
//! machine.

use std::sync::OnceLock;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use destrier_ask::{Language, Sentence, error_told};

static SPOKEN: OnceLock<Language> = OnceLock::new();

/// The language of answers.
#[derive(Clone, Copy, Debug, Args)]
pub struct LanguageArgs {
    /// The language of answers
    #[arg(long, global = true, value_name = "LANGUAGE", env = "DESTRIER_LANG")]
    #[arg(default_value = "en", hide_default_value = true, hide_env_values = true)]
    #[arg(value_parser = tags())]
    lang: Language,
}

fn tags() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::tag))
        .map(|tag| Language::tagged(&tag).unwrap_or_default())
}

impl LanguageArgs {
    /// From now on the program speaks this language.
    pub fn speak(self) {
        // It is spoken from the first call on.
        let _ = SPOKEN.set(self.lang);
    }
}

/// The language that the program speaks; English if none was set.
#[must_use]
pub fn spoken() -> Language {
    SPOKEN.get().copied().unwrap_or_default()
}

/// A sentence in the language that the program speaks.
#[must_use]
pub fn tell(sentence: &Sentence) -> String {
    sentence.tell(spoken())
}

/// An error and its causes, in the language that the program speaks where there are words for them.
#[must_use]
pub fn tell_error(error: &anyhow::Error) -> String {
    let told = |cause: &(dyn std::error::Error + 'static)| {
        tell(&error_told(cause).unwrap_or_else(|| Sentence::english(cause)))
    };
    error.chain().map(told).collect::<Vec<_>>().join(": ")
}
