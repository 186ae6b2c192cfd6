//! A journal of finished slices, so that a long count can be stopped at any moment and resumed.
//!
//! A folder holds one file, `slices`. Its first line names the question; each later line is a finished slice
//! with its sum, or a slice that was cut into smaller ones, closed by a checksum. Lines are
//! appended and synced one at a time, so a kill can at worst leave a broken last line, which is dropped. A line that is
//! broken before the last is not a kill's doing: then the journal is left as it is, and the line is named.
//! The file is locked while a run uses it.
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

/// What is known of finished slices, and the file that keeps it.
#[derive(Debug)]
pub(in crate::count) struct Journal {
    file: Option<File>,
    finished: HashMap<Slice, Partial>,
    cut_up: HashSet<Slice>,
    depth: Option<usize>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::count::middle) enum JournalError {
    #[error("the journal {path} cannot be used: {error}")]
    Io { path: String, error: io::Error },
    #[error("the journal {path} is of another question: `{found}`, and this one is `{asked}`")]
    Other { path: String, found: String, asked: String },
    #[error("the journal {path} is in use by another run")]
    Busy { path: String },
    #[error("{path} is not a journal of a count")]
    Strange { path: String },
    #[error("line {line} of the journal {path} is broken; remove it to count its slice again")]
    Broken { path: String, line: usize },
}

/// The first words of every journal; the number changes when slices or lines do.
const FORMAT: &str = "destrier middle 1";

impl Journal {
    /// No file: what is finished is only remembered.
    pub(in crate::count::middle) fn none() -> Journal {
        Journal { file: None, finished: HashMap::new(), cut_up: HashSet::new(), depth: None }
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
        let mut journal = Journal::none();
        let mut good = 0;
        let mut first = true;
        for (at, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let text = checked(line);
            let is_last = good + line.len() == bytes.len();
            match text {
                Some(text) if first => {
                    journal.read_head(text, question, &shown)?;
                    first = false;
                }
                Some(text) if journal.read_line(text).is_some() => {}
                // A kill leaves a line without its end, and nothing behind it.
                None if is_last && !line.ends_with(b"\n") => break,
                _ if first => break,
                _ => return Err(JournalError::Broken { path: shown, line: at }),
            }
            good += line.len();
        }
        // A file that never was a journal is left alone; one whose first line broke off is begun anew.
        let head = format!("{FORMAT} · {question} · depth {depth}");
        if first && !sealed(&head).as_bytes().starts_with(&bytes) && !bytes.is_empty() {
            return Err(JournalError::Strange { path: shown });
        }
        file.set_len(good as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        journal.file = Some(file);
        if first {
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
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate().peekable();
        let head = lines.next().and_then(|(_, line)| checked(line)).unwrap_or_default();
        let question = head.split(" · ").nth(1).unwrap_or_default().to_owned();
        let mut journal = Journal::none();
        journal.read_head(head, &question, &shown)?;
        while let Some((at, line)) = lines.next() {
            // A last line may have been cut off by a kill.
            let is_whole = checked(line).and_then(|text| journal.read_line(text)).is_some();
            let is_cut_off = lines.peek().is_none() && !line.ends_with(b"\n");
            if !is_whole && !is_cut_off {
                return Err(JournalError::Broken { path: shown, line: at + 1 });
            }
        }
        Ok((question, journal))
    }

    fn read_head(&mut self, text: &str, question: &str, path: &str) -> Result<(), JournalError> {
        let parts: Vec<&str> = text.split(" · ").collect();
        let [FORMAT, found, depth] = parts[..] else {
            return Err(JournalError::Strange { path: path.to_owned() });
        };
        if found != question {
            let (found, asked) = (found.to_owned(), question.to_owned());
            return Err(JournalError::Other { path: path.to_owned(), found, asked });
        }
        self.depth = depth.strip_prefix("depth ").and_then(|depth| depth.parse().ok());
        Ok(())
    }

    fn read_line(&mut self, text: &str) -> Option<()> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["cut", slice] => {
                self.cut_up.insert(slice.parse().ok()?);
            }
            ["sum", slice, sum, kept, pairs] => {
                let slice = slice.parse().ok()?;
                let sum: BigUint = sum.parse().ok()?;
                let (kept, pairs) = (kept.parse().ok()?, pairs.parse().ok()?);
                self.finished.insert(slice, Partial { slice, sum, kept, pairs });
            }
            _ => return None,
        }
        Some(())
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
        self.finished.insert(*slice, partial);
        Ok(())
    }

    /// Writes down that a slice was too large and is done in smaller ones.
    pub(in crate::count::middle) fn cut(&mut self, slice: Slice) -> io::Result<()> {
        self.append(&format!("cut {slice}"))?;
        self.cut_up.insert(slice);
        Ok(())
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(sealed(text).as_bytes())?;
        file.sync_data()
    }
}

/// A line with its checksum.
fn sealed(text: &str) -> String {
    format!("{text} #{:016x}\n", checksum(text))
}

/// The text of a whole line whose checksum is right.
fn checked(line: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (text, sum) = text.rsplit_once(" #")?;
    (u64::from_str_radix(sum, 16).ok()? == checksum(text)).then_some(text)
}

/// Fowler, Noll and Vo's hash.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
