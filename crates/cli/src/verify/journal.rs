//! `destrier verify FOLDER`: the journal of a count; random slices of it are counted again by the plain method.

use std::path::{Path, PathBuf};

use destrier::Outcome;
use destrier::internal::middle::Partial;
use destrier::internal::{PLAIN, Record, Watch};
use destrier_ask::{CheckedClaim, Misread, Sentence, Verdict, named_all, stopped};

use super::{print_line, refuted};
use destrier_terminal::exit::Exit;

/// The folders at or right below this one that hold a journal; a count of both shapes has two.
pub(super) fn journals(path: &Path) -> Vec<PathBuf> {
    let holds = |folder: &PathBuf| folder.join("slices").is_file();
    let folders = [path.to_owned(), path.join("closed"), path.join("open")];
    folders.into_iter().filter(holds).collect()
}

/// Counts up to this many slices of the journals again.
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
    let claim = Sentence::of("journal.slice").with("slice", slice.to_string());
    let claim = CheckedClaim::new(Verdict::NotRechecked, claim.with("sum", sum.to_string()));
    let why = match record.recount(*slice, watch) {
        Ok(run) => match run.outcome {
            Outcome::Solved(found) if found == *sum => {
                print_line(&claim.run_again(PLAIN))?;
                return Ok(true);
            }
            Outcome::Solved(found) => {
                let said = Sentence::of("journal.differs")
                    .with("slice", slice.to_string())
                    .with("sum", sum.to_string())
                    .with("method", PLAIN)
                    .with("found", found.to_string());
                return Err(anyhow::Error::new(Misread::told(said)).context(refuted()));
            }
            Outcome::Unfinished { why, .. } => stopped(Sentence::english(PLAIN), why),
            Outcome::Impossible(obstacle) => Sentence::english(format!("{PLAIN}: {obstacle}")),
        },
        Err(error) => (&error).into(),
    };
    print_line(&claim.because(why))?;
    Ok(false)
}

/// What the journal says, and how much of it was counted again.
fn summary(record: &Record, again: usize) -> CheckedClaim {
    let (slices, open) = (record.finished().len(), record.open());
    let key = if open == 0 { "journal.whole" } else { "journal.part" };
    let state = Sentence::of(key)
        .with("sum", record.sum().to_string())
        .with("tours", named_all(record.problem()))
        .with("slices", Sentence::of("unit.slices").with("n", slices))
        .with("open", open);
    match again {
        0 => CheckedClaim::new(Verdict::NotRechecked, state),
        all if all == slices => {
            let claim = Sentence::of("journal.all_again").with("state", state);
            CheckedClaim::new(Verdict::Confirmed, claim)
        }
        some => {
            let claim = Sentence::of("journal.some_again").with("state", state).with("n", some);
            CheckedClaim::new(Verdict::NotRechecked, claim)
        }
    }
}
