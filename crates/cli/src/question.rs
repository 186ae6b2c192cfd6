//! From what was typed to what was meant: boards and squares.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use destrier_rules::{Board, Coordinates, Leaper, Square, Wrap, parse_squares};

pub(crate) use destrier_ask::{bytes as read_bytes, time as read_time};

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
        return destrier_ask::board(drawing.trim()).with_context(|| format!("`{text}`"));
    }
    Ok(destrier_ask::board(text)?)
}
