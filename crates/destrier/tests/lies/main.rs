//! Every method is made to lie in every way, and every lie must be noticed: by the gate, or by a battery of small questions.
//!
//! ```text
//! brute: the truth ─► battery: questions, and who may lie ─► judges: who noticed
//! ```
//!
//! Who notices what stands in `docs/trust.md`; `DESTRIER_WRITE=1 cargo test -p destrier --features lies --test lies` writes it anew.
//!
//! Invariant: each time that a lie is told somebody notices, and where none is told nobody objects.
#![cfg(feature = "lies")]
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod battery;
mod brute;
mod judges;

use std::collections::{BTreeMap, BTreeSet};

use destrier::lies::{Lie, Reason, telling};

use crate::battery::BATTERY;

fn in_words(lie: Lie) -> String {
    let denial = match lie {
        Lie::Spoiled => return "a spoiled answer".to_owned(),
        Lie::TooLong => {
            return "two moves too long, “the fewest” for the true plan's reason".to_owned();
        }
        Lie::TooLongBySearch => return "two moves too long, “the fewest” by a search".to_owned(),
        Lie::TooLongByBound => return "two moves too long, “the fewest” by a bound".to_owned(),
        Lie::BoundAboveCost => return "a lower bound one too high".to_owned(),
        Lie::BoundOfStoppedRun => {
            return "a lower bound one too high in a run that stopped".to_owned();
        }
        Lie::OneTooLow => return "a number one too low".to_owned(),
        Lie::LeftOut => return "one left out".to_owned(),
        Lie::Twice => return "one listed twice".to_owned(),
        Lie::NoSolution(reason) => reason,
    };
    let reason = match denial {
        Reason::Colours => "colours",
        Reason::EndColours => "colours of the ends",
        Reason::DeadEnds => "dead ends",
        Reason::Cut => "a cut",
        Reason::Unreachable => "a square out of reach",
        Reason::Schwenk => "Schwenk's theorem",
        Reason::Theorem("forced jumps") => "an argument in words",
        Reason::Theorem(name) => name,
        Reason::Exhausted => "an exhaustive search",
    };
    format!("{NONE}{reason}")
}

/// How the denial of a solution begins.
const NONE: &str = "“there is none”: ";

/// Several lies in one cell: reasons for the same denial share its words.
fn in_one_cell(lies: &[Lie]) -> String {
    let mut cell = String::new();
    for lie in lies.iter().map(|&lie| in_words(lie)) {
        match lie.strip_prefix(NONE) {
            Some(reason) if cell.contains(NONE) => cell = format!("{cell}, {reason}"),
            _ if cell.is_empty() => cell = lie,
            _ => cell = format!("{cell}; {lie}"),
        }
    }
    cell
}

#[test]
fn nobody_objects_where_nobody_lies() {
    for witness in BATTERY.witnesses() {
        let (act, method) = (witness.act, witness.method);
        let mut answered = 0;
        for (at, ask) in witness.ask.iter().enumerate() {
            match ask() {
                Some(Ok(())) => answered += 1,
                Some(Err(notice)) => panic!("{act} by {method}, question {at}: {notice}"),
                None => {}
            }
        }
        assert!(answered > 0, "{act} by {method}: no question of the battery is supported");
    }
}

/// Where the table stands.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/trust.md");
const BEGIN: &str = "<!-- lies: begin -->\n";
const END: &str = "<!-- lies: end -->\n";

/// The methods that told a lie, and who noticed.
type Key<'t> = (&'t [&'t str], &'t str);

/// One row for the lies about one thing that are noticed by the same, of the same methods.
fn table(acts: &[&str], noticed: &BTreeMap<(&str, Lie), BTreeMap<String, Vec<&str>>>) -> String {
    let mut table = "| asked | lies | methods | noticed by |\n|---|---|---|---|\n".to_owned();
    for &act in acts {
        let mut rows: Vec<(Key<'_>, Vec<Lie>)> = Vec::new();
        for (&(_, lie), by) in noticed.iter().filter(|((asked, _), _)| *asked == act) {
            for (notice, methods) in by {
                let key = (methods.as_slice(), notice.as_str());
                match rows.iter_mut().find(|(row, _)| *row == key) {
                    Some((_, lies)) => lies.push(lie),
                    None => rows.push((key, vec![lie])),
                }
            }
        }
        for ((methods, notice), lies) in rows {
            let row = [act, &in_one_cell(&lies), &methods.join(", "), notice].join(" | ");
            table = format!("{table}| {row} |\n");
        }
    }
    table
}

#[test]
fn every_lie_is_noticed_and_the_table_says_by_whom() {
    let mut noticed: BTreeMap<(&str, Lie), BTreeMap<String, Vec<&str>>> = BTreeMap::new();
    let mut acts = Vec::new();
    let mut pairs = 0;
    for witness in BATTERY.witnesses() {
        let (act, method) = (witness.act, witness.method);
        if !acts.contains(&act) {
            acts.push(act);
        }
        for &lie in &witness.lies {
            let mut by = BTreeSet::new();
            for (at, ask) in witness.ask.iter().enumerate() {
                let (seen, told) = telling(act, method, lie, ask);
                match (seen, told) {
                    (Some(Err(notice)), 1..) => _ = by.insert(notice),
                    (None | Some(Ok(())), 0) => {}
                    _ => panic!(
                        "{act} by {method}, question {at}: told {} {told} times, seen {seen:?}",
                        in_words(lie)
                    ),
                }
            }
            assert!(!by.is_empty(), "{act} by {method} never told {}", in_words(lie));
            let by: Vec<String> = by.iter().map(ToString::to_string).collect();
            let row = noticed.entry((act, lie)).or_default();
            row.entry(by.join(", ")).or_default().push(method);
            pairs += 1;
        }
    }
    assert_eq!(pairs, 570, "a method or a lie has come or gone");
    let table = table(&acts, &noticed);
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (kept, after) = rest.split_once(END).expect("the table has an end");
    if std::env::var_os("DESTRIER_WRITE").is_some() {
        std::fs::write(PAGE, [before, BEGIN, &table, END, after].concat()).unwrap();
    } else {
        assert_eq!(kept, table, "docs/trust.md is out of date: see the head of this file");
    }
}
