//! From what was typed to what was meant: boards, squares, times, sizes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail};
use destrier_rules::{Board, Coordinates, Leaper, Setup, Square, Wrap, parse_squares};

use crate::args::{BoardArgs, CoordsName, WrapName};
use crate::input;

impl BoardArgs {
    /// The board as it was meant.
    pub(crate) fn read(&self) -> anyhow::Result<Board> {
        let mut board = read_board(&self.board)?;
        if let Some(holes) = &self.shape.holes {
            let holes = parse_squares(holes, self.coordinates()).context("--holes")?;
            board = board.without(holes).context("--holes")?;
        }
        Ok(board.wrapped(match self.shape.wrap {
            None => Wrap::None,
            Some(WrapName::X) => Wrap::Files,
            Some(WrapName::Y) => Wrap::Ranks,
            Some(WrapName::Both) => Wrap::Both,
        }))
    }

    /// The piece that moves.
    pub(crate) fn leaper(&self) -> anyhow::Result<Leaper> {
        self.shape
            .leaper
            .as_deref()
            .map_or(Ok(Leaper::KNIGHT), |legs| legs.parse().context("--leaper"))
    }

    /// A square given to an option.
    pub(crate) fn square(
        &self,
        option: &'static str,
        text: Option<&str>,
    ) -> anyhow::Result<Option<Square>> {
        let read = |text| Square::read(text, self.coordinates()).context(option);
        text.map(read).transpose()
    }

    const fn coordinates(&self) -> Coordinates {
        match self.shape.coords {
            CoordsName::Zero => Coordinates::Zero,
            CoordsName::One => Coordinates::One,
        }
    }
}

/// Reads `8x8`, a FEN without pieces, or a file that holds one of these or a drawing.
fn read_board(text: &str) -> anyhow::Result<Board> {
    let is_size = text.chars().all(|c| c.is_ascii_digit() || matches!(c, 'x' | 'X' | '×'));
    if is_size {
        return Ok(text.parse()?);
    }
    let path = Path::new(text);
    if fs::metadata(path).is_ok_and(|file| file.is_file()) {
        let drawing = input::read_text(path)?;
        return read_drawn(drawing.trim()).with_context(|| format!("`{text}`"));
    }
    read_drawn(text)
}

fn read_drawn(text: &str) -> anyhow::Result<Board> {
    if !text.contains('/') {
        return Ok(text.parse()?);
    }
    let setup: Setup = text.parse()?;
    match setup.pieces.iter().next() {
        Some((square, piece)) => {
            bail!("`{piece}` stands on {square}; a tour's board has no pieces")
        }
        None => Ok(setup.board),
    }
}

/// Reads `500ms`, `10s`, `5m`, `2h`; a plain number is seconds.
pub(crate) fn read_time(text: &str) -> anyhow::Result<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let time = digits.parse::<f64>().ok().map(|number| number * seconds);
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.with_context(|| format!("`{text}` is not a time; write 500ms, 10s, 5m or 2h"))
}

/// Reads `500M`, `4G`, `4GiB`; a plain number is bytes.
///
/// # Errors
/// When it is none of these.
pub fn read_bytes(text: &str) -> anyhow::Result<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "" | "B" => Some(1_u64),
        "K" | "KB" => Some(1 << 10),
        "M" | "MB" => Some(1 << 20),
        "G" | "GB" => Some(1 << 30),
        "T" | "TB" => Some(1 << 40),
        _ => None,
    };
    let bytes = digits.parse::<u64>().ok().zip(unit).and_then(|(n, unit)| n.checked_mul(unit));
    bytes.with_context(|| format!("`{text}` is not an amount of memory; write 500M or 4G"))
}
