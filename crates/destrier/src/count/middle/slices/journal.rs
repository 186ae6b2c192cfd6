//! A journal of finished slices, so that a long count can be stopped at any moment and resumed.
//!
//! A folder holds one file, `slices`. Its first line names the question; each later line is a finished slice
//! with its sum, a slice that was cut into smaller ones, or how many were computed at once when a run was stopped, closed by a checksum. Lines are
//! appended and synced one at a time, so a kill can at worst leave a broken last line, which is dropped. A line that is
//! broken before the last is not a kill's doing: then the journal is left as it is, and the line is named.
//! The file is locked while a run uses it. Journals of one question may be joined, one file behind the other; a slice
//! may come twice then, but not with two sums.
//!
//! Invariant: a line with a right checksum says what is true of the question in the first line.
//! Cost: one small write for each slice.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use num_bigint::BigUint;

use crate::count::middle::slices::engine::Partial;
use crate::count::middle::slices::slice::Slice;
use crate::run::sealed::{checked, sealed};

/// What is known of finished slices, and the file that keeps it.
#[derive(Debug)]
pub(in crate::count) struct Journal {
    file: Option<File>,
    finished: HashMap<Slice, Partial>,
    cut_up: HashSet<Slice>,
    depth: Option<usize>,
    /// How many slices were worked out at once when the last run was stopped, unless some were finished after that.
    stopped: Option<usize>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::count::middle) enum JournalError {
    #[error("the journal {path} cannot be used: {error}")]
    Io { path: String, error: io::Error },
    #[error("the journal {path} belongs to another question: `{found}`; this one is `{asked}`")]
    Other { path: String, found: String, asked: String },
    #[error("the journal {path} is in use by another run")]
    Busy { path: String },
    #[error("{path} is not a journal of a count")]
    Strange { path: String },
    #[error(
        "the journal {path} is of an older version, with other slices; count again in another folder"
    )]
    Older { path: String },
    #[error("line {line} of the journal {path} is broken; remove it to count its slice again")]
    Broken { path: String, line: usize },
    #[error(
        "line {line} of the journal {path} has another sum for slice {slice} than a line before it; \
         remove both to count it again"
    )]
    Contradiction { path: String, line: usize, slice: Slice },
}

/// The first words of every journal; the number changes when slices or lines do, so that old ones are not added up with new ones.
const FORMAT: &str = "destrier middle 1";
const ANY_FORMAT: &str = "destrier middle ";

impl Journal {
    /// No file: what is finished is only remembered.
    pub(in crate::count::middle) fn none() -> Journal {
        Journal {
            file: None,
            finished: HashMap::new(),
            cut_up: HashSet::new(),
            depth: None,
            stopped: None,
        }
    }

    /// Opens the journal of a folder, or begins it with slices of a depth.
    pub(in crate::count::middle) fn open(
        folder: &Path,
        question: &str,
        depth: usize,
    ) -> Result<Journal, JournalError> {
        let path = folder.join("slices");
        let shown = path.display().to_string();
        let io = |error| JournalError::Io { path: shown.clone(), error };
        fs::create_dir_all(folder).map_err(io)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io)?;
        if let Err(error) = file.try_lock() {
            return Err(match error {
                fs::TryLockError::WouldBlock => JournalError::Busy { path: shown },
                fs::TryLockError::Error(error) => io(error),
            });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let Lines { mut journal, question: found, whole } = Lines::read(&bytes, &shown)?;
        let begins = found.is_none();
        if let Some(found) = found.filter(|found| found != question) {
            return Err(JournalError::Other { path: shown, found, asked: question.to_owned() });
        }
        // A file that never was a journal is left alone; one whose first line broke off is begun anew.
        let head = format!("{FORMAT} · {question} · depth {depth}");
        if begins && !sealed(&head).as_bytes().starts_with(&bytes) && !bytes.is_empty() {
            return Err(JournalError::Strange { path: shown });
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        journal.file = Some(file);
        if begins {
            journal.depth = Some(depth);
            journal.append(&head).map_err(io)?;
        }
        Ok(journal)
    }

    /// Reads the journal of a folder as it stands, with its question; nothing is changed.
    pub(in crate::count::middle) fn read(folder: &Path) -> Result<(String, Journal), JournalError> {
        let path = folder.join("slices");
        let shown = path.display().to_string();
        let bytes =
            fs::read(&path).map_err(|error| JournalError::Io { path: shown.clone(), error })?;
        let Lines { journal, question, .. } = Lines::read(&bytes, &shown)?;
        Ok((question.ok_or(JournalError::Strange { path: shown })?, journal))
    }

    /// Takes a line on; an error for a slice that has another sum already.
    fn enter(&mut self, text: &str) -> Option<Result<(), Slice>> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["cut", slice] => {
                self.cut_up.insert(slice.parse().ok()?);
            }
            ["stopped", slices] => self.stopped = Some(slices.parse().ok()?),
            ["sum", slice, sum, kept, pairs] => {
                let slice = slice.parse().ok()?;
                let sum: BigUint = sum.parse().ok()?;
                let (kept, pairs) = (kept.parse().ok()?, pairs.parse().ok()?);
                if self.finished.get(&slice).is_some_and(|known| known.sum != sum) {
                    return Some(Err(slice));
                }
                self.finished.insert(slice, Partial { slice, sum, kept, pairs });
                self.stopped = None;
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Is there a file?
    pub(in crate::count::middle) fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    /// The depth of the slices that the count began with.
    pub(in crate::count) fn depth(&self) -> Option<usize> {
        self.depth
    }

    pub(in crate::count) fn finished(&self, slice: Slice) -> Option<&Partial> {
        self.finished.get(&slice)
    }

    pub(in crate::count) fn was_cut(&self, slice: Slice) -> bool {
        self.cut_up.contains(&slice)
    }

    /// Writes a finished slice down.
    pub(in crate::count::middle) fn finish(&mut self, partial: Partial) -> io::Result<()> {
        let Partial { slice, sum, kept, pairs } = &partial;
        self.append(&format!("sum {slice} {sum} {kept} {pairs}"))?;
        self.stopped = None;
        self.finished.insert(*slice, partial);
        Ok(())
    }

    /// Writes down that a slice was too large and is done in smaller ones.
    pub(in crate::count::middle) fn cut(&mut self, slice: Slice) -> io::Result<()> {
        self.append(&format!("cut {slice}"))?;
        self.cut_up.insert(slice);
        Ok(())
    }

    /// Writes down that a run was stopped while it worked so many slices out.
    pub(in crate::count::middle) fn stop(&mut self, slices: usize) -> io::Result<()> {
        self.append(&format!("stopped {slices}"))
    }

    /// How many slices should be worked out at once: where a run was stopped before it could finish any, half as many.
    pub(in crate::count::middle) fn at_once(&self) -> usize {
        self.stopped.map_or(usize::MAX, |slices| (slices / 2).max(1))
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(sealed(text).as_bytes())?;
        file.sync_data()
    }
}

/// What the bytes of a file say.
struct Lines {
    journal: Journal,
    /// The question of the first line; none if that is broken or missing.
    question: Option<String>,
    /// How many bytes there are without a last line that is broken off.
    whole: usize,
}

impl Lines {
    fn read(bytes: &[u8], path: &str) -> Result<Lines, JournalError> {
        let mut lines = Lines { journal: Journal::none(), question: None, whole: 0 };
        let path = || path.to_owned();
        for (at, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            // A kill leaves a line without its end, and nothing behind it.
            let is_cut_off = !line.ends_with(b"\n");
            let text = match checked(line) {
                None if is_cut_off || lines.question.is_none() => break,
                None => return Err(JournalError::Broken { path: path(), line: at }),
                Some(text) => text,
            };
            match (head(text), &lines.question) {
                (Some((question, depth)), None) => {
                    lines.question = Some(question.to_owned());
                    lines.journal.depth = Some(depth);
                }
                (Some((found, _)), Some(asked)) if found != asked => {
                    let (found, asked) = (found.to_owned(), asked.clone());
                    return Err(JournalError::Other { path: path(), found, asked });
                }
                (Some(_), Some(_)) => {}
                (None, None) if text.starts_with(ANY_FORMAT) => {
                    return Err(JournalError::Older { path: path() });
                }
                (None, None) => return Err(JournalError::Strange { path: path() }),
                (None, Some(_)) => match lines.journal.enter(text) {
                    Some(Ok(())) => {}
                    Some(Err(slice)) => {
                        return Err(JournalError::Contradiction { path: path(), line: at, slice });
                    }
                    None => return Err(JournalError::Broken { path: path(), line: at }),
                },
            }
            lines.whole += line.len();
        }
        Ok(lines)
    }
}

/// The question and the depth that a first line names.
fn head(text: &str) -> Option<(&str, usize)> {
    let parts: Vec<&str> = text.split(" · ").collect();
    let [FORMAT, question, depth] = parts[..] else { return None };
    Some((question, depth.strip_prefix("depth ")?.parse().ok()?))
}
