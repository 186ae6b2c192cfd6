//! Journals of counts: slices counted again by the plain method, and what is said of spoiled ones.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod folder;

use std::fs;
use std::path::Path;

use destrier::internal::middle::{Settings, count};
use destrier::internal::{Record, Watch};
use destrier::{Board, Outcome, TourProblem};
use folder::Folder;

fn board(files: u32, ranks: u32) -> Board {
    Board::new(files, ranks).unwrap()
}

/// Counts with a journal.
fn counted(question: &TourProblem, depth: usize, folder: &Path) {
    let journal = Some(folder.to_owned());
    let settings = Settings { journal, depth: Some(depth), ..Settings::default() };
    let run = count(question, &settings, &Watch::unlimited()).unwrap();
    assert!(matches!(run.outcome, Outcome::Solved(_)));
}

/// The slices whose sums the plain method does not confirm.
fn wrong_slices(record: &Record) -> Vec<String> {
    let again = |slice| record.recount(slice, &Watch::unlimited()).unwrap().outcome;
    let wrong =
        record.finished().iter().filter(|p| again(p.slice) != Outcome::Solved(p.sum.clone()));
    wrong.map(|partial| partial.slice.to_string()).collect()
}

/// A line of a journal with its checksum, Fowler, Noll and Vo's hash.
fn sealed(text: &str) -> String {
    let sum = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{text} #{sum:016x}")
}

#[test]
fn a_whole_journal_is_confirmed_slice_by_slice() {
    let questions = [
        (TourProblem::closed(board(6, 6)), 2, "9862"),
        (TourProblem::closed(board(7, 6)), 1, "1067638"),
        (TourProblem::open(board(5, 6)), 1, "18784"),
    ];
    for (at, (question, depth, sum)) in questions.into_iter().enumerate() {
        let folder = Folder::new(&format!("whole-{at}"));
        counted(&question, depth, &folder.0);
        let record = Record::read(&folder.0).unwrap();
        assert_eq!((record.open(), record.sum().to_string().as_str()), (0, sum));
        assert_eq!(wrong_slices(&record), Vec::<String>::new(), "{question:?}");
    }
}

#[test]
fn a_sum_that_is_off_by_one_is_found_under_a_right_checksum() {
    let folder = Folder::new("spoiled");
    counted(&TourProblem::closed(board(6, 6)), 1, &folder.0);
    let path = folder.0.join("slices");
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    for at in 1..lines.len() {
        let (text, _) = lines[at].rsplit_once(" #").unwrap();
        let words: Vec<&str> = text.split(' ').collect();
        let [sum, slice, tours, kept, pairs] = words[..] else { panic!("{text}") };
        let more = tours.parse::<u64>().unwrap() + 1;
        let mut spoiled: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        spoiled[at] = sealed(&format!("{sum} {slice} {more} {kept} {pairs}"));
        fs::write(&path, spoiled.join("\n") + "\n").unwrap();
        assert_eq!(wrong_slices(&Record::read(&folder.0).unwrap()), [slice]);
    }
}

#[test]
fn a_broken_line_is_named_and_a_broken_last_one_dropped() {
    let folder = Folder::new("broken");
    counted(&TourProblem::closed(board(6, 6)), 1, &folder.0);
    let path = folder.0.join("slices");
    let whole = fs::read_to_string(&path).unwrap();
    let record = Record::read(&folder.0).unwrap();
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let cut = Record::read(&folder.0).unwrap();
    assert_eq!((cut.finished().len() + 1, cut.open()), (record.finished().len(), 1));
    fs::write(&path, whole.replacen("\nsum", "\nsun", 1)).unwrap();
    let refused = Record::read(&folder.0).unwrap_err().to_string();
    assert!(refused.contains("line 2 of the journal"), "{refused}");
    for strange in [
        "",
        "a poem\n",
        &sealed("destrier middle 1 · closed 6xx · depth 1"),
        &(sealed("destrier middle 1 · closed 9x6 · depth 1") + "\n"),
    ] {
        fs::write(&path, strange).unwrap();
        assert!(Record::read(&folder.0).is_err(), "{strange}");
    }
    assert!(Record::read(Path::new("/no/such/folder")).is_err());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing is added to the folder");
}
