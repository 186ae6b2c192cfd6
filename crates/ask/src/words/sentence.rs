//! Sentences in several languages, from one set of texts.
//!
//! ```text
//! Sentence: key + values ─┬─► tell(Language) ─► the command
//!                         └─► JSON ───────────► the page, which has the same texts
//! ```
//!
//! A text is a clause, without a capital and a full stop: the command joins clauses with colons, the page makes a
//! sentence of each. `{name}` in it is filled in: a number, a word, a list, or a sentence again. A text that depends on
//! a number is an object of plural forms, chosen by `n`, with the names that `Intl.PluralRules` gives them.
//!
//! Invariant: all languages have the same keys and fill in the same; English says what the library's own `Display`
//! says. Tests hold them to it.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use serde::Serialize;
use serde_json::{Map, Value};

use super::english::recognised;

/// A language of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Czech.
    Czech,
    /// Polish.
    Polish,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::English, Language::Czech, Language::Polish];

    /// Its tag: `en`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Czech => "cs",
            Language::Polish => "pl",
        }
    }

    /// The language of a tag.
    #[must_use]
    pub fn tagged(tag: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// Its texts, as JSON.
    #[must_use]
    pub const fn texts(self) -> &'static str {
        match self {
            Language::English => include_str!("../../texts/en.json"),
            Language::Czech => include_str!("../../texts/cs.json"),
            Language::Polish => include_str!("../../texts/pl.json"),
        }
    }

    /// The texts whose keys begin alike.
    pub(super) fn family(self, family: &str) -> Option<&'static Map<String, Value>> {
        static TABLES: [OnceLock<Value>; 3] = [const { OnceLock::new() }; 3];
        let read = || serde_json::from_slice(self.texts().as_bytes()).unwrap_or_default();
        TABLES[self as usize].get_or_init(read).get(family)?.as_object()
    }

    /// The text, or the plural forms, under a key.
    fn text(self, key: &str) -> Option<&'static Value> {
        let (family, name) = key.split_once('.')?;
        self.family(family)?.get(name)
    }

    /// The plural form for a natural number in decimal.
    fn form(self, number: &str) -> &'static str {
        let tens = number.get(number.len().saturating_sub(2)..);
        let tens: u32 = tens.and_then(|tens| tens.parse().ok()).unwrap_or(0);
        let is_few = (2..=4).contains(&(tens % 10)) && !(12..=14).contains(&tens);
        match self {
            _ if number == "1" => "one",
            Language::Czech if matches!(number, "2" | "3" | "4") => "few",
            Language::Polish if is_few => "few",
            Language::Polish => "many",
            _ => "other",
        }
    }

    /// A value as it is filled in.
    fn filled(self, value: &Value) -> String {
        match value {
            Value::String(text) => text.clone(),
            Value::Array(list) => self.listed(list),
            Value::Object(sentence) => {
                let part = |name: &str| sentence.get(name).and_then(Value::as_str);
                match (part("key"), part("exact")) {
                    (None, exact) => exact.unwrap_or_default().to_owned(),
                    (_, Some(exact)) if self == Language::English => exact.to_owned(),
                    (Some(key), _) => {
                        self.told(key, sentence.get("values").and_then(Value::as_object))
                    }
                }
            }
            number => number.to_string(),
        }
    }

    /// `a1, b2 and c3`; after six it is said how many more there are.
    fn listed(self, things: &[Value]) -> String {
        const MOST: usize = 6;
        let mut names: Vec<String> = things.iter().take(MOST).map(|one| self.filled(one)).collect();
        if things.len() > MOST {
            let more = Sentence::of("list.more").with("n", things.len() - MOST);
            names.push(more.tell(self));
        }
        let Some(last) = names.pop() else { return String::new() };
        if names.is_empty() {
            return last;
        }
        Sentence::of("list.and").with("first", names.join(", ")).with("last", last).tell(self)
    }

    /// The text under a key, filled in.
    fn told(self, key: &str, values: Option<&Map<String, Value>>) -> String {
        let value = |name: &str| values.and_then(|values| values.get(name));
        let text = match self.text(key) {
            Some(Value::Object(forms)) => {
                let number = value("n").map(|n| self.filled(n)).unwrap_or_default();
                forms.get(self.form(&number)).or(forms.get("other")).and_then(Value::as_str)
            }
            text => text.and_then(Value::as_str),
        };
        let mut parts = text.unwrap_or(key).split('{');
        let mut told = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').unwrap_or((part, ""));
            told += &value(name).map(|value| self.filled(value)).unwrap_or_default();
            told += rest;
        }
        told
    }
}

/// A line that quotes what others wrote, without the middle if it is long.
pub(crate) fn shortened(text: String) -> String {
    const END: usize = 300;
    let head = text.char_indices().nth(END).map(|(at, _)| at);
    let tail = text.char_indices().rev().nth(END - 1).map(|(at, _)| at);
    match (head, tail) {
        (Some(head), Some(tail)) if head < tail => format!("{}…{}", &text[..head], &text[tail..]),
        _ => text,
    }
}

/// Leaves out the middle of all long texts of a value.
fn shorten(value: &mut Value) {
    match value {
        Value::String(text) => *text = shortened(std::mem::take(text)),
        Value::Array(list) => list.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

/// A sentence: its key among the texts, and what is filled in. As a text it is English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// Its key; none if it is in English only.
    #[serde(skip_serializing_if = "str::is_empty")]
    key: Cow<'static, str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    values: Map<String, Value>,
    /// The command's English, where that says more than the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

impl Sentence {
    /// The sentence under a key.
    pub fn of(key: impl Into<Cow<'static, str>>) -> Sentence {
        Sentence { key: key.into(), values: Map::new(), exact: None }
    }

    /// What is said in English, with words in other languages if there is a text that says it.
    #[expect(clippy::needless_pass_by_value, reason = "an error is handed over with `map_err`")]
    pub fn english(text: impl ToString) -> Sentence {
        let text = shortened(text.to_string());
        let known = recognised(&text).filter(|_| text.contains(' '));
        known.unwrap_or_else(|| Sentence { exact: Some(text), ..Sentence::of("") })
    }

    /// The same with something filled in: a number, a word, a list, another sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Serialize) -> Sentence {
        self.values.insert(name.to_owned(), crate::certificate::value_of(&value));
        self
    }

    /// The same, with more exact words in English.
    #[must_use]
    pub fn exactly(self, english: impl fmt::Display) -> Sentence {
        Sentence { exact: Some(english.to_string()), ..self }
    }

    /// Two sentences one after the other.
    #[must_use]
    pub fn then(self, next: Sentence) -> Sentence {
        Sentence::of("asked.joined").with("first", self).with("then", next)
    }

    /// The sentence in a language.
    #[must_use]
    pub fn tell(&self, language: Language) -> String {
        match &self.exact {
            Some(exact) if self.key.is_empty() || language == Language::English => exact.clone(),
            _ => language.told(&self.key, Some(&self.values)),
        }
    }

    /// Its key, if it is more than English.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        Some(&*self.key).filter(|key| !key.is_empty())
    }

    /// What is filled in, without the middle of long words: for a sentence about what others wrote.
    pub(crate) fn short_values(&self) -> Value {
        let mut values = Value::from(self.values.clone());
        shorten(&mut values);
        values
    }

    /// What is filled in.
    #[must_use]
    pub const fn values(&self) -> &Map<String, Value> {
        &self.values
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tell(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plural_forms_are_those_of_the_language() {
        let moves =
            |language: Language, n: &str| Sentence::of("unit.moves").with("n", n).tell(language);
        for (n, en, cs, pl) in [
            ("0", "0 moves", "0 tahů", "0 ruchów"),
            ("1", "1 move", "1 tah", "1 ruch"),
            ("2", "2 moves", "2 tahy", "2 ruchy"),
            ("4", "4 moves", "4 tahy", "4 ruchy"),
            ("5", "5 moves", "5 tahů", "5 ruchów"),
            ("11", "11 moves", "11 tahů", "11 ruchów"),
            ("12", "12 moves", "12 tahů", "12 ruchów"),
            ("14", "14 moves", "14 tahů", "14 ruchów"),
            ("21", "21 moves", "21 tahů", "21 ruchów"),
            ("22", "22 moves", "22 tahů", "22 ruchy"),
            ("112", "112 moves", "112 tahů", "112 ruchów"),
            ("104", "104 moves", "104 tahů", "104 ruchy"),
            (
                "26534728821064",
                "26534728821064 moves",
                "26534728821064 tahů",
                "26534728821064 ruchy",
            ),
            (
                "100000000000000000000000000000000000000000002",
                "100000000000000000000000000000000000000000002 moves",
                "100000000000000000000000000000000000000000002 tahů",
                "100000000000000000000000000000000000000000002 ruchy",
            ),
        ] {
            assert_eq!(moves(Language::English, n), en);
            assert_eq!(moves(Language::Czech, n), cs);
            assert_eq!(moves(Language::Polish, n), pl);
        }
    }

    #[test]
    fn lists_are_told_and_long_ones_cut() {
        let told = |squares: &[&str], language| {
            Sentence::of("asked.without").with("squares", squares).tell(language)
        };
        assert_eq!(told(&["a1"], Language::English), "without a1");
        assert_eq!(told(&["a1", "b2", "c3"], Language::English), "without a1, b2 and c3");
        assert_eq!(told(&["a1", "b2"], Language::Czech), "bez a1 a b2");
        assert_eq!(told(&["a1", "b2"], Language::Polish), "bez a1 i b2");
        let many = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"];
        let six = "a1, a2, a3, a4, a5, a6";
        assert_eq!(told(&many, Language::English), format!("without {six} and 2 more"));
        assert_eq!(told(&many, Language::Czech), format!("bez {six} a 2 dalších"));
    }

    #[test]
    fn a_long_line_loses_its_middle_and_is_recognised_all_the_same() {
        let said = Sentence::english(format!("there is no `{}`; there are x, y", "č".repeat(9999)));
        assert_eq!(said.key(), Some("said.no_word"));
        let told = said.to_string();
        assert_eq!(told.chars().count(), 601);
        assert!(told.starts_with("there is no `č") && told.ends_with("č`; there are x, y"));
        let line = "č".repeat(600);
        assert_eq!(shortened(line.clone()), line);
        assert_eq!(shortened(line.clone() + "č").chars().count(), 601);
    }

    #[test]
    fn what_is_filled_in_may_be_a_sentence_again_and_is_never_read_as_a_text() {
        let inner = Sentence::of("halt.time");
        let outer = Sentence::of("told.undecided").with("why", &inner);
        assert_eq!(outer.to_string(), "undecided: the time limit was reached");
        let strange = Sentence::of("told.undecided").with("why", "{what} {n");
        assert_eq!(strange.to_string(), "undecided: {what} {n");
        let exact = Sentence::of("told.undecided").with("why", inner.exactly("so it is"));
        assert_eq!(exact.to_string(), "undecided: so it is");
        assert_eq!(exact.tell(Language::Czech), "nerozhodnuto: vypršel časový limit");
        assert_eq!(Sentence::english("as it is").tell(Language::Polish), "as it is");
    }
}
