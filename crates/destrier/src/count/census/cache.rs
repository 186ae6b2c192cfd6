//! Tables kept on disk, so that a large board is swept once.
//!
//! A file holds the question in words, the kept states with their completions, and a checksum of all that. It is
//! written under a random name first and renamed when whole; what does not fit the question, is cut short, or does not
//! have its checksum is not used but rebuilt, and the user is notified.
//!
//! Invariant: tables are read only for the very question, order and layout they were written for, and as they were
//! written.
//! Cost: 24 bytes per state (for boards of up to 8 files), read at the speed of the disk.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use destrier_rules::{TourProblem, Wrap};

use super::tables::Kept;
use crate::run::sealed;

/// The first line of a file of tables; the number changes when orders, states or the layout do.
const MAGIC: &str = "destrier census 3";

/// The question in words, the same for equal questions in every version of the program.
pub(super) fn question(problem: &TourProblem) -> String {
    let (board, (a, b)) = (&problem.board, problem.leaper.legs());
    let wrap = match board.wrap() {
        Wrap::None => "none",
        Wrap::Files => "files",
        Wrap::Ranks => "ranks",
        Wrap::Both => "both",
    };
    let mut text = format!("{} {} wrap {wrap} leaper {a},{b}", problem.shape, board.size());
    for (word, end) in [("from", problem.start), ("to", problem.end)] {
        if let Some(end) = end {
            let _ = write!(text, " {word} {end}"); // writing to a String cannot fail
        }
    }
    for hole in board.holes() {
        let _ = write!(text, " hole {hole}");
    }
    text
}

/// The file in a folder for a question.
pub(super) fn file(folder: &Path, question: &str) -> PathBuf {
    // The name need only differ; the question itself is in the file.
    let name = sealed::checksum(question);
    folder.join(format!("census-{name:016x}.tables"))
}

/// Writes the tables of a question.
pub(super) fn save<const W: usize>(
    path: &Path,
    question: &str,
    kept: &[Kept<W>],
) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    // A random name that did not exist; the file goes if it is not renamed.
    let partial =
        tempfile::Builder::new().prefix(".census-").suffix(".partial").tempfile_in(folder)?;
    let out = BufWriter::with_capacity(1 << 20, partial);
    let mut out = Summing { inner: out, sum: Checksum::default() };
    writeln!(out, "{MAGIC}")?;
    write_number(&mut out, question.len() as u64)?;
    out.write_all(question.as_bytes())?;
    write_number(&mut out, W as u64)?;
    write_number(&mut out, kept.len() as u64)?;
    for layer in kept {
        write_number(&mut out, layer.parts.len() as u64)?;
        for part in &layer.parts {
            write_number(&mut out, part.len() as u64)?;
            for (state, completions) in part {
                state.iter().try_for_each(|&word| write_number(&mut out, word))?;
                write_number(&mut out, *completions)?;
            }
        }
    }
    let Summing { mut inner, sum } = out;
    inner.write_all(&sum.value().to_le_bytes())?;
    let partial = inner.into_inner().map_err(io::IntoInnerError::into_error)?;
    partial.as_file().sync_all()?;
    partial.persist(path).map(drop).map_err(|error| error.error)
}

/// Reads the tables of a question; nothing when there are none, an error when there are some that cannot be used.
pub(super) fn load<const W: usize>(
    path: &Path,
    question: &str,
) -> Result<Option<Vec<Kept<W>>>, String> {
    // Whatever else has the name, a pipe or a link, is not even opened.
    let about = match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => about,
        Ok(_) => return Err("it is no file".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let file = File::open(path).map_err(|error| error.to_string())?;
    let tables = read(file, about.len(), question);
    tables.map(Some).ok_or_else(|| "it is spoiled, or of another version".to_owned())
}

fn read<const W: usize>(file: File, size: u64, question: &str) -> Option<Vec<Kept<W>>> {
    let input = BufReader::with_capacity(1 << 20, file);
    let mut input = Summing { inner: input, sum: Checksum::default() };
    let mut magic = vec![0; MAGIC.len() + 1];
    input.read_exact(&mut magic).ok()?;
    let length = read_number(&mut input)?;
    if magic != format!("{MAGIC}\n").as_bytes() || length != question.len() as u64 {
        return None;
    }
    let mut known = vec![0; question.len()];
    input.read_exact(&mut known).ok()?;
    if known != question.as_bytes() || read_number(&mut input)? != W as u64 {
        return None;
    }
    // No number in the file may ask for more than the file could hold.
    let bounded = |number: u64| usize::try_from(number).ok().filter(|_| number <= size);
    let layers = bounded(read_number(&mut input)?)?;
    let mut kept = Vec::new();
    for _ in 0..layers {
        let parts = bounded(read_number(&mut input)?)?;
        if !parts.is_power_of_two() {
            return None;
        }
        let mut layer = Kept { parts: Vec::new() };
        for _ in 0..parts {
            let entries = bounded(read_number(&mut input)?)?;
            let mut part = Vec::new();
            for _ in 0..entries {
                let mut state = [0; W];
                for word in &mut state {
                    *word = read_number(&mut input)?;
                }
                part.push((state, read_number(&mut input)?));
            }
            if !part.is_sorted() {
                return None;
            }
            layer.parts.push(part);
        }
        kept.push(layer);
    }
    let Summing { mut inner, sum } = input;
    let (found, mut rest) = (read_number(&mut inner)?, [0]);
    (found == sum.value() && inner.read(&mut rest).ok()? == 0).then_some(kept)
}

/// A checksum of bytes, eight at a time: one changed word always changes it, as each step can be undone.
#[derive(Default)]
struct Checksum {
    sum: u64,
    word: [u8; 8],
    bytes: u64,
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let place = usize::try_from(self.bytes % 8).expect("it is below 8");
            self.word[place] = byte;
            self.bytes += 1;
            if place == 7 {
                self.sum = mixed(self.sum, u64::from_le_bytes(self.word));
                self.word = [0; 8];
            }
        }
    }

    fn value(&self) -> u64 {
        mixed(mixed(self.sum, u64::from_le_bytes(self.word)), self.bytes)
    }
}

/// The sum after one more word; the constant is that of Steele, Lea and Flood's `SplitMix`.
const fn mixed(sum: u64, word: u64) -> u64 {
    let sum = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    sum ^ (sum >> 29)
}

/// Sums up what is written or read.
struct Summing<I> {
    inner: I,
    sum: Checksum,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summing<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.sum.add(&bytes[..read]);
        Ok(read)
    }
}

fn write_number(out: &mut impl Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

fn read_number(input: &mut impl Read) -> Option<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}
