//! Reading files that anyone may have written, in bounded memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, bail};

/// The longest document that is read into memory.
pub const MOST_BYTES: u64 = 128 << 20;

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// When there is no such file.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read `{name}`"))?;
    if file.metadata().is_ok_and(|meta| meta.is_dir()) {
        bail!("cannot read `{name}`: it is a folder");
    }
    Ok(Box::new(file))
}

/// Reads a whole text, up to the limit.
///
/// # Errors
/// When it cannot be read, is too long, or is no text.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).context("reading the input")?;
    text_of(bytes)
}

/// The bytes as text, if they are not too many; without the mark that some editors put before the first line.
///
/// # Errors
/// When they are too many, or no text.
pub fn text_of(bytes: Vec<u8>) -> anyhow::Result<String> {
    if bytes.len() as u64 > MOST_BYTES {
        bail!("the input is longer than {} MiB", MOST_BYTES >> 20);
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].split(|&byte| byte == b'\n').count();
        anyhow::anyhow!("line {line} is not UTF-8 text")
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}
