//! The texts of the page: three languages, the same keys, the right plural forms, and none missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The plural forms that a language must have, as `Intl.PluralRules` names them.
const LANGUAGES: [(&str, &[&str]); 3] = [
    ("en", &["one", "other"]),
    ("cs", &["few", "many", "one", "other"]),
    ("pl", &["few", "many", "one", "other"]),
];

fn page() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page"))
}

fn texts(language: &str) -> Value {
    let path = page().join(format!("texts/{language}.json"));
    let text = fs::read_to_string(path).expect("a language has a file");
    serde_json::from_str(&text).expect("texts are JSON")
}

/// Every key with the names that are filled in; a text with plural forms must have exactly `forms`.
fn keys(at: &str, value: &Value, forms: &[&str], found: &mut BTreeSet<(String, BTreeSet<String>)>) {
    match value {
        Value::String(text) => {
            assert!(!text.trim().is_empty(), "{at} says nothing");
            found.insert((at.to_owned(), filled(text)));
        }
        Value::Object(table) if table.contains_key("other") => {
            let has: BTreeSet<&str> = table.keys().map(String::as_str).collect();
            assert_eq!(has, forms.iter().copied().collect(), "the plural forms of {at}");
            let names: BTreeSet<_> = table
                .values()
                .map(|text| filled(text.as_str().expect("a form is a text")))
                .collect();
            assert_eq!(names.len(), 1, "all forms of {at} fill in the same");
            found.insert((at.to_owned(), names.into_iter().next().expect("there is one")));
        }
        Value::Object(table) => {
            for (name, value) in table {
                let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                keys(&at, value, forms, found);
            }
        }
        _ => panic!("{at} is neither a text nor a table"),
    }
}

/// The names in braces.
fn filled(text: &str) -> BTreeSet<String> {
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

fn all_keys(language: &str, forms: &[&str]) -> BTreeSet<(String, BTreeSet<String>)> {
    let mut found = BTreeSet::new();
    keys("", &texts(language), forms, &mut found);
    found
}

#[test]
fn three_languages_have_the_same_keys_and_fill_in_the_same() {
    let english = all_keys("en", LANGUAGES[0].1);
    for (language, forms) in LANGUAGES {
        let other = all_keys(language, forms);
        let apart: Vec<_> = english.symmetric_difference(&other).collect();
        assert!(apart.is_empty(), "{language} differs: {apart:?}");
    }
}

#[test]
fn every_text_that_the_scripts_name_is_there() {
    let known: BTreeSet<String> =
        all_keys("en", LANGUAGES[0].1).into_iter().map(|(key, _)| key).collect();
    let rooms: BTreeSet<&str> = known.iter().filter_map(|key| key.split('.').next()).collect();
    let mut named = 0;
    for entry in fs::read_dir(page().join("js")).unwrap() {
        let path = entry.unwrap().path();
        let script = fs::read_to_string(&path).unwrap();
        for quoted in script.split('\'') {
            let mut parts = quoted.split('.');
            let (Some(first), Some(second), None) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let word = |part: &str| {
                !part.is_empty()
                    && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            };
            if rooms.contains(first) && word(first) && word(second) {
                assert!(known.contains(quoted), "{}: there is no text `{quoted}`", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 150, "the scripts name many texts: {named}");
}

#[test]
fn the_page_lives_under_a_strict_content_policy() {
    let html = fs::read_to_string(page().join("index.html")).unwrap();
    assert!(!html.contains("style=") && !html.contains("<style") && !html.contains("onclick"));
    assert!(
        html.matches("<script").count() == html.matches("<script type=\"module\" src=").count()
    );
    for entry in fs::read_dir(page().join("js")).unwrap() {
        let path = entry.unwrap().path();
        let script = fs::read_to_string(&path).unwrap();
        for banned in
            ["innerHTML", "eval(", "document.write", "http://", "https://", "setAttribute('style'"]
        {
            let w3 = script.replace("http://www.w3.org/2000/svg", "");
            assert!(!w3.contains(banned), "{} has {banned}", path.display());
        }
    }
}
