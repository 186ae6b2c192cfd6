//! Sentences that are known by their English words.
//!
//! The library, the checker and the command say in English what is wrong, each where it finds it. Such a line is looked
//! up among the English texts: `the board has 90 squares; the limit is 64` is the text `the board has {found} squares;
//! the limit is {most}`, filled in. So the other languages have words for it, too, as with gettext.
//!
//! Invariant: in English, what is recognised says letter for letter what was said.
//! Cost: a few hundred comparisons, once for a question that is refused.

use std::sync::OnceLock;

use serde_json::Value;

use super::{Language, Sentence};

/// Where lines of other places are looked up.
const FAMILIES: [&str; 8] =
    ["said", "foreign", "refused", "fault", "reason", "halt", "role", "unit"];

/// What may be more than one word where it is filled in.
const CLAUSES: [&str; 14] = [
    "why", "fault", "known", "expected", "found", "board", "forms", "event", "tours", "above",
    "path", "program", "other", "what",
];

/// A text with its key.
type Entry = (String, &'static str);

fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries = Vec::new();
        for family in FAMILIES {
            for (name, text) in Language::English.family(family).into_iter().flatten() {
                let key = format!("{family}.{name}");
                match text {
                    Value::Object(forms) => {
                        let forms = forms.values().filter_map(Value::as_str);
                        entries.extend(forms.map(|text| (key.clone(), text)));
                    }
                    text => entries.extend(text.as_str().map(|text| (key, text))),
                }
            }
        }
        // The text with the most words of its own comes first.
        entries.sort_by_key(|(_, text)| std::cmp::Reverse(own_words(text)));
        entries
    })
}

/// How many bytes of a text are not filled in.
fn own_words(text: &str) -> usize {
    let mut inside = false;
    let is_own = |&letter: &char| {
        inside = (inside || letter == '{') && letter != '}';
        !inside && letter != '}'
    };
    text.chars().filter(is_own).count()
}

/// The sentence that says this in English, if there is one.
pub(super) fn recognised(line: &str) -> Option<Sentence> {
    entries().iter().find_map(|(key, text)| {
        let mut values = Vec::new();
        fits(text, line, &mut values).then_some(())?;
        let mut sentence = Sentence::of(key.clone());
        for (name, value, quoted) in values {
            sentence = match recognised(value).filter(|_| !quoted) {
                Some(inner) => sentence.with(name, inner),
                None => sentence.with(name, value),
            };
        }
        (sentence.to_string() == line).then_some(sentence)
    })
}

/// Is the line this text, filled in? With what, and whether it stands in backticks.
fn fits<'t>(text: &'t str, line: &'t str, values: &mut Vec<(&'t str, &'t str, bool)>) -> bool {
    let Some((before, rest)) = text.split_once('{') else { return text == line };
    let Some(line) = line.strip_prefix(before) else { return false };
    let Some((name, rest)) = rest.split_once('}') else { return false };
    let quoted = before.ends_with('`') && rest.starts_with('`');
    let may_be = |value: &str| {
        let word = quoted || CLAUSES.contains(&name) || !value.contains(' ');
        !value.is_empty() && word && (name != "n" || value.bytes().all(|b| b.is_ascii_digit()))
    };
    let next = rest.split('{').next().unwrap_or_default();
    let ends = if next.is_empty() {
        vec![line.len()]
    } else {
        line.match_indices(next).map(|(at, _)| at).collect()
    };
    let known = values.len();
    ends.into_iter().any(|end| {
        values.truncate(known);
        values.push((name, &line[..end], quoted));
        may_be(&line[..end]) && fits(rest, &line[end..], values)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_recognised_with_what_is_filled_in() {
        let line = "compose does not support this: it is for a knight on a whole rectangle, \
                    with no symmetry asked for";
        let said = recognised(line).unwrap();
        assert_eq!(said.to_string(), line);
        let czech =
            "metoda compose to neumí: je pro jezdce na celém obdélníku bez žádané souměrnosti";
        assert_eq!(said.tell(Language::Czech), czech);
        let line = "line 3 has 1 number, but the first line has 2";
        let said = recognised(line).unwrap();
        assert_eq!(said.tell(Language::Polish), "wiersz 3 ma 1 liczbę, a pierwszy 2");
    }

    #[test]
    fn what_was_typed_stays_as_it_was_typed() {
        let said = recognised("there is no `start`; there are none, x").unwrap();
        assert_eq!(said.tell(Language::Czech), "`start` není; jsou none, x");
        let said = recognised("the start c3 is a hole").unwrap();
        assert_eq!(said.tell(Language::Czech), "začátek c3 je díra");
        assert_eq!(recognised("nobody says this"), None);
        assert_eq!(recognised(""), None);
    }

    #[test]
    fn every_text_is_recognised_as_what_it_says() {
        for (key, text) in entries() {
            for number in ["1", "5"] {
                let mut filled = Sentence::of(key.clone());
                for (name, _) in text.split('{').skip(1).filter_map(|rest| rest.split_once('}')) {
                    filled = filled.with(name, if name == "n" { number } else { "q" });
                }
                let line = filled.to_string();
                let said = recognised(&line).unwrap_or_else(|| panic!("{key}: {line}"));
                assert_eq!(said.to_string(), line);
            }
        }
    }
}
