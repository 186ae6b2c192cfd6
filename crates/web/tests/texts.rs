//! The texts of page and command: three languages, the same keys, the right plural forms, none missing and none unused.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use destrier_ask::{Language, Sentence};
use serde_json::Value;

/// The plural forms that a language must have, as `Intl.PluralRules` names them.
const LANGUAGES: [(Language, &[&str]); 3] = [
    (Language::English, &["one", "other"]),
    (Language::Czech, &["few", "many", "one", "other"]),
    (Language::Polish, &["few", "many", "one", "other"]),
];

fn page() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page"))
}

fn texts(language: Language) -> Value {
    serde_json::from_str(language.texts()).expect("texts are JSON")
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

fn all_keys(language: Language, forms: &[&str]) -> BTreeSet<(String, BTreeSet<String>)> {
    let mut found = BTreeSet::new();
    keys("", &texts(language), forms, &mut found);
    found
}

#[test]
fn three_languages_have_the_same_keys_and_fill_in_the_same() {
    let english = all_keys(Language::English, LANGUAGES[0].1);
    for (language, forms) in LANGUAGES {
        let other = all_keys(language, forms);
        let apart: Vec<_> = english.symmetric_difference(&other).collect();
        assert!(apart.is_empty(), "{language:?} differs: {apart:?}");
    }
}

#[test]
fn every_text_that_the_scripts_name_is_there() {
    let known: BTreeSet<String> =
        all_keys(Language::English, LANGUAGES[0].1).into_iter().map(|(key, _)| key).collect();
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

/// All files below a folder that end so.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// The quoted words of the sources of all crates.
fn quoted(ending: &str, folders: &[&str], quotes: &[char]) -> BTreeSet<String> {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut sources = Vec::new();
    for folder in folders {
        files(&crates.join(folder), ending, &mut sources);
    }
    let mut words = BTreeSet::new();
    for source in sources {
        let text = fs::read_to_string(source).expect("a source is text");
        words.extend(text.split(quotes).map(str::to_owned));
    }
    words
}

/// Is a key among these words, or does one of them have its beginning or its end, and leave the rest to be filled in?
fn is_named(key: &str, words: &BTreeSet<String>, hole: &str) -> bool {
    let begins = |word: &str| {
        let begun = word.split_once(hole).map(|(begun, _)| begun);
        begun.is_some_and(|begun| begun.contains('.') && key.starts_with(begun))
    };
    let ends = |word: &str| {
        let end = word.rsplit_once('}').map(|(_, end)| end);
        end.is_some_and(|end| end.starts_with('.') && key.ends_with(end))
    };
    words.contains(key) || words.iter().any(|word| begins(word) || ends(word))
}

#[test]
fn every_text_that_the_library_names_is_there_and_no_text_is_of_no_use() {
    let known: BTreeSet<String> =
        all_keys(Language::English, LANGUAGES[0].1).into_iter().map(|(key, _)| key).collect();
    let families: BTreeSet<&str> = known.iter().filter_map(|key| key.split('.').next()).collect();
    let rust = quoted("rs", &["ask/src", "compare/src", "terminal/src", "cli/src"], &['"']);
    let mut named = 0;
    for word in &rust {
        let Some((family, name)) = word.split_once('.') else { continue };
        let is_name = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'-'));
        let is_file = matches!(name, "txt" | "list" | "json" | "svg" | "png" | "gif" | "bin");
        if families.contains(family) && is_name && !is_file {
            assert!(known.contains(word), "there is no text `{word}`");
            named += 1;
        }
    }
    assert!(named > 100, "the library names many texts: {named}");
    let page = quoted("js", &["web/page/js", "wasm/site/js"], &['\'', '"', '`']);
    let html = quoted("html", &["web/page"], &['"']);
    let by_key = |key: &&String| !KNOWN_BY_ENGLISH.iter().any(|family| key.starts_with(family));
    for key in known.iter().filter(by_key) {
        let used = is_named(key, &rust, "{") || is_named(key, &page, "${") || html.contains(key);
        assert!(used, "nothing uses the text `{key}`");
    }
}

/// Texts that no source names: lines are recognised by their English words. The second are those of other libraries.
const KNOWN_BY_ENGLISH: [&str; 2] = ["said.", "foreign."];

/// Lines that are put together of parts, which the texts have whole, and lines whose key is given with them.
const ELSEWHERE: &[&str] = &[
    "the {} are numbered 0 to {}",
    "a tour of {} is too long to list: {} squares at most, except for a knight on a plain rectangle by method auto or \
     compose",
    "a tour by number has no method, no trace, and a board whose tours are listed",
    "a series ends at length {} at most here; the command has no such limit",
    "{} with {} pieces is too large: {} squares and {} pieces at most here",
    "the memory{} is too little even for its smallest slices{}",
    "{}, but the checker found a solution that costs {}",
    "{} to {} is not {}",
    "{} is not {}",
];

/// A text with all that is filled in left out, in backticks or not.
fn outline(text: &str) -> String {
    let mut parts = text.split('{');
    let mut outline = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        outline += "{}";
        outline += part.split_once('}').map_or("", |(_, rest)| rest);
    }
    outline.replace("`{}`", "{}").replace("{}x{}", "{}")
}

/// The text in quotes that `source` begins with, after no more than a few words of code.
fn literal(source: &str) -> Option<String> {
    let (code, rest) = source.split_once('"')?;
    if code.len() > 160 || code.contains([';', '}']) {
        return None;
    }
    let (mut text, mut letters) = (String::new(), rest.chars());
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => match letters.next()? {
                '\n' => {
                    let rest = letters.as_str().trim_start();
                    letters = rest.chars();
                }
                letter => text.push(letter),
            },
            letter => text.push(letter),
        }
    }
}

/// The sources of these crates, without their tests and comments.
fn sources(crates: &[&str]) -> Vec<(PathBuf, String)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut paths = Vec::new();
    for name in crates {
        files(&folder.join(name).join("src"), "rs", &mut paths);
    }
    paths.retain(|path| !path.ends_with("tests.rs"));
    let code = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source is text");
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let text = lines.fold(String::new(), |text, line| text + line + "\n");
        (path, text)
    };
    paths.into_iter().map(code).collect()
}

const SPEAKERS: [&str; 8] =
    ["rules", "destrier", "ask", "compare", "web", "wasm", "terminal", "cli"];

/// All English lines of the sources that have words in other languages.
fn known_outlines(families: &[&str]) -> BTreeSet<String> {
    let english = texts(Language::English);
    let mut outlines = BTreeSet::new();
    for family in families {
        for text in english[*family].as_object().expect("a family").values() {
            match text {
                Value::Object(forms) => {
                    outlines.extend(forms.values().filter_map(Value::as_str).map(outline));
                }
                text => outlines.extend(text.as_str().map(outline)),
            }
        }
    }
    outlines
}

#[test]
fn what_is_known_by_its_english_words_is_said_somewhere() {
    let mut said = BTreeSet::new();
    for (_, source) in sources(&SPEAKERS) {
        let starts = source.match_indices('"').map(|(at, _)| &source[at..]);
        said.extend(starts.filter_map(literal).map(|text| outline(&text)));
    }
    let whole = [
        // Put together of parts.
        "the memory of {} MiB is too little even for its smallest slices",
        "the memory of {} MiB is too little even for its smallest slices; in one piece it would take {} GiB",
        "the lower bound is {}, but the checker found a solution that costs {}",
        "{} to {} is not a knight's jump",
        "{} to {} is not a jump of a {} leaper",
        "{} is not a number in decimal of up to {} digits",
        "--{} is for {}",
        "line {} is none of the {}: {}",
        "{} gave a wrong answer, which was caught: {}",
        "{} numbers",
        "{} number",
        "{} knights",
        "{} knight",
        "{} less {} holes",
        "{} less {} hole",
        "{} torus",
        "{} cylinder",
        "super-linear: {}",
        "slower than one core: {}",
        "{} cores",
        "{} core",
    ];
    let mut missing = Vec::new();
    for line in known_outlines(&["said"]) {
        let is_part = |text: &String| {
            let rest = text.split_once(": ").map(|(_, rest)| rest);
            rest == Some(&*line)
        };
        if !(said.contains(&line) || whole.contains(&&*line) || said.iter().any(is_part)) {
            missing.push(line);
        }
    }
    assert!(missing.is_empty(), "no source says: {missing:#?}");
}

#[test]
fn what_is_wrong_is_said_in_every_language() {
    const PLACES: [&str; 15] = [
        "bail!(",
        "Misread::new(",
        "malformed(",
        "unsuited(",
        "Fault::Claim(",
        "Fault::Reason(",
        "Fault::Undecided(",
        "let why =",
        "Refusal::new(",
        "Refusal::unfit(",
        "confirm_if(",
        "Wrong::new(",
        "no_seed(",
        "context(",
        "#[error(",
    ];
    let known = known_outlines(&["said", "foreign", "refused", "fault", "reason", "halt"]);
    let mut missing = Vec::new();
    let mut found = 0;
    for (path, source) in sources(&SPEAKERS) {
        for place in PLACES {
            for (at, _) in source.match_indices(place) {
                let Some(text) = literal(&source[at + place.len()..]) else { continue };
                let line = outline(&text);
                // `bench` is for developers, in English.
                if !line.contains(' ') || path.ends_with("cli/src/bench.rs") {
                    continue;
                }
                found += 1;
                let filled =
                    |with: &str| Sentence::english(line.replace("{}", with)).key().is_some();
                let is_known = known.contains(&line)
                    || ELSEWHERE.contains(&&*line)
                    || filled("7")
                    || filled("`q`");
                if !is_known {
                    missing.push(format!("{}: {text}", path.display()));
                }
            }
        }
    }
    assert!(found > 200, "the sources say many things: {found}");
    assert!(missing.is_empty(), "in English only:\n{}", missing.join("\n"));
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
