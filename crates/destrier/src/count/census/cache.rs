//! Tables kept on disk, so that a large board is swept once.
//!
//! A file holds the question in words and then the kept states with their completions. It is written
//! under another name first and renamed when whole; what does not fit the question, or is cut short,
//! is not used but made anew.
//!
//! Invariant: tables are read only for the very question, order and layout they were written for.
//! Cost: 24 bytes a state (for boards of up to 8 files), read at the speed of the disk.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::tables::Kept;

/// The first line of a file of tables.
const MAGIC: &str = "destrier census 2";

/// The file in a folder for a question.
pub(super) fn file(folder: &Path, question: &str) -> PathBuf {
    // FNV-1a: the name need only differ; the question itself is in the file.
    let name = question.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
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
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
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
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(partial, path)
}

/// Reads the tables of a question; nothing when there are none that fit.
pub(super) fn load<const W: usize>(path: &Path, question: &str) -> Option<Vec<Kept<W>>> {
    let file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let mut input = BufReader::with_capacity(1 << 20, file);
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
    let mut rest = [0];
    (input.read(&mut rest).ok()? == 0).then_some(kept)
}

fn write_number(out: &mut impl Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

fn read_number(input: &mut impl Read) -> Option<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}
