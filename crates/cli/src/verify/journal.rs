//! `destrier verify FOLDER`: the journal of a count; random slices of it are counted again by the plain method.

use std::path::{Path, PathBuf};

use anyhow::bail;
use destrier::Outcome;
use destrier::count::middle::Partial;
use destrier::count::recheck::{PLAIN, Record};
use destrier::run::watch::Watch;
use destrier_ask::named_all;

use super::print_line;
use destrier_terminal::exit::Exit;

/// The folders at or right below this one that hold a journal; a count of both shapes has two.
pub(super) fn journals(path: &Path) -> Vec<PathBuf> {
    let holds = |folder: &PathBuf| folder.join("slices").is_file();
    let folders = [path.to_owned(), path.join("closed"), path.join("open")];
    folders.into_iter().filter(holds).collect()
}

/// Counts up to so many slices of the journals again.
pub(super) fn check(
    folders: &[PathBuf],
    recheck: u64,
    seed: u64,
    watch: &Watch,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Solved;
    let mut left = recheck;
    for folder in folders {
        if check_record(&Record::read(folder)?, &mut left, seed, watch)? != Exit::Solved {
            exit = Exit::Unfinished;
        }
    }
    Ok(exit)
}

/// Counts some slices again.
pub(crate) fn check_record(
    record: &Record,
    left: &mut u64,
    seed: u64,
    watch: &Watch,
) -> anyhow::Result<Exit> {
    let drawn = record.draw(*left, seed);
    *left -= drawn.len() as u64;
    let mut again = 0;
    for partial in &drawn {
        again += usize::from(recount(record, partial, watch)?);
    }
    print_line(&summary(record, again))?;
    Ok(if again == drawn.len() { Exit::Solved } else { Exit::Unfinished })
}

/// Counts one slice again, and reports the result; false when that did not finish.
///
/// # Errors
/// When the sum is another.
fn recount(record: &Record, partial: &Partial, watch: &Watch) -> anyhow::Result<bool> {
    let Partial { slice, sum, .. } = partial;
    let why = match record.recount(*slice, watch) {
        Ok(run) => match run.outcome {
            Outcome::Solved(found) if found == *sum => {
                print_line(&format!("confirmed: slice {slice} has {sum} (run again by {PLAIN})"))?;
                return Ok(true);
            }
            Outcome::Solved(found) => {
                bail!("refuted: slice {slice}: the journal says {sum}, but {PLAIN} counts {found}")
            }
            Outcome::Unfinished { why, .. } => format!("{PLAIN}: {why}"),
            Outcome::Impossible(obstacle) => format!("{PLAIN}: {obstacle}"),
        },
        Err(error) => error.to_string(),
    };
    print_line(&format!("not rechecked: slice {slice} has {sum} ({why})"))?;
    Ok(false)
}

/// What the journal says, and how much of it was counted again.
fn summary(record: &Record, again: usize) -> String {
    let what = named_all(record.problem());
    let (slices, open, sum) = (record.finished().len(), record.open(), record.sum());
    let state = if open == 0 {
        format!("{sum} undirected {what} in {slices} slices")
    } else {
        format!("{what}, not finished: {sum} in {slices} slices, {open} or more to come")
    };
    match again {
        0 => format!("not rechecked: {state}"),
        all if all == slices => format!("confirmed: {state}, all of them run again"),
        some => format!("not rechecked: {state}, {some} of them run again"),
    }
}
