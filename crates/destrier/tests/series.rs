//! Narrow boards: one run along the strip gives every row of the literature.

use destrier::count::transfer::{Strip, WIDEST};
use destrier::{Board, Leaper, Options, Shape};

const COUNTS: &str = include_str!("../../../known/counts.tsv");

/// The rows of one shape on boards of a width, as (length, count).
fn rows(width: u32, quantity: &str) -> Vec<(usize, String)> {
    let mut rows = Vec::new();
    for row in COUNTS.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let Ok(board) = cells[1].parse::<Board>() else { continue };
        let (short, long) = (board.files().min(board.ranks()), board.files().max(board.ranks()));
        let number = cells[2].bytes().all(|digit| digit.is_ascii_digit());
        if cells[0] == quantity && short == width && number {
            rows.push((long as usize, cells[2].to_owned()));
        }
    }
    rows
}

#[test]
fn every_narrow_row_of_the_literature() {
    let mut checked = 0;
    for (shape, quantity) in
        [(Shape::Closed, "closed tours, undirected"), (Shape::Open, "open tours, undirected")]
    {
        for width in 1..=WIDEST {
            let rows = rows(width, quantity);
            let Some(longest) = rows.iter().map(|(length, _)| *length).max() else { continue };
            let strip = Strip::new(width, Leaper::KNIGHT, shape).unwrap();
            let terms = strip.terms(longest, &Options::new()).unwrap().outcome.so_far().0.unwrap();
            for (length, count) in rows {
                assert_eq!(terms[length - 1].to_string(), count, "{width}x{length} {shape}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 139, "rows of boards to {WIDEST} wide");
}

/// A stop leaves the terms that are certain, and no others.
#[test]
fn a_stopped_series_gives_right_terms_or_none() {
    let strip = Strip::new(3, Leaper::KNIGHT, Shape::Open).unwrap();
    let whole = strip.terms(30, &Options::new()).unwrap().outcome.so_far().0.unwrap();
    for nodes in (1..2000).step_by(97) {
        let outcome = strip.terms(30, &Options::new().node_limit(nodes)).unwrap().outcome;
        let (Some(terms), halt) = outcome.so_far() else { panic!("a stop keeps what is certain") };
        assert_eq!(terms, whole[..terms.len()]);
        assert!(halt.is_some() || terms.len() == whole.len());
    }
}

#[test]
fn a_recurrence_is_looked_for_up_to_any_order_and_none_longer_is_told() {
    let strip = Strip::new(3, Leaper::KNIGHT, Shape::Closed).unwrap();
    let found = strip.recurrence(usize::MAX, &Options::new()).unwrap().unwrap();
    assert_eq!(strip.recurrence(found.after, &Options::new()).unwrap(), Some(found.clone()));
    assert_eq!(strip.recurrence(found.after - 1, &Options::new()).unwrap(), None);
}
