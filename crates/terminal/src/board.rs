//! From the arguments to the question: boards, squares and tours.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use destrier_rules::{Board, Leaper, Setup, Shape, Square, TourProblem, parse_squares};

use crate::args::{BoardArgs, EndArgs, ShapeArgs, SymmetryArgs};
use crate::input;

impl BoardArgs {
    /// The board, with its holes and joined edges.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self) -> anyhow::Result<Board> {
        let mut board = read_board(&self.board)?;
        if let Some(holes) = &self.shape.holes {
            let holes = parse_squares(holes, self.shape.coords).context("--holes")?;
            board = board.without(holes).context("--holes")?;
        }
        Ok(board.wrapped(self.shape.wrap))
    }

    /// A square given to an option.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn square(
        &self,
        option: &'static str,
        text: Option<&str>,
    ) -> anyhow::Result<Option<Square>> {
        let read = |text| Square::read(text, self.shape.coords).context(option);
        text.map(read).transpose()
    }
}

impl ShapeArgs {
    /// The piece that moves.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn leaper(&self) -> anyhow::Result<Leaper> {
        let legs = self.leaper.as_deref();
        legs.map_or(Ok(Leaper::KNIGHT), |legs| legs.parse().context("--leaper"))
    }
}

impl EndArgs {
    /// The question that board and ends ask together.
    ///
    /// # Errors
    /// When a board, a square or a piece cannot be read.
    pub fn question(&self, board: &BoardArgs) -> anyhow::Result<TourProblem> {
        Ok(TourProblem {
            shape: if self.closed { Shape::Closed } else { Shape::Open },
            start: board.square("--from", self.from.as_deref())?,
            end: board.square("--to", self.to.as_deref())?,
            symmetry: None,
            leaper: board.shape.leaper()?,
            board: board.read()?,
        })
    }
}

impl SymmetryArgs {
    /// The question that board, ends and symmetry ask together.
    ///
    /// # Errors
    /// When a board, a square or a piece cannot be read.
    pub fn question(&self, board: &BoardArgs) -> anyhow::Result<TourProblem> {
        Ok(TourProblem { symmetry: self.symmetry, ..self.ends.question(board)? })
    }
}

/// Reads `8x8`, a FEN without pieces, or a file that holds one of these or a drawing.
fn read_board(text: &str) -> anyhow::Result<Board> {
    let is_size = text.chars().all(|c| c.is_ascii_digit() || matches!(c, 'x' | 'X' | '×'));
    if is_size {
        return Ok(text.parse()?);
    }
    let path = Path::new(text);
    if text == "-" {
        let drawing = input::read_text(path)?;
        return destrier_ask::board(drawing.trim()).context("standard input");
    }
    // A pipe is read, too, like that of `<(command)`.
    if fs::metadata(path).is_ok_and(|file| !file.is_dir()) {
        let drawing = input::read_text(path)?;
        return destrier_ask::board(drawing.trim()).with_context(|| format!("`{text}`"));
    }
    // A board has no letters in it, a file's name has.
    let has_letters = text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'x' | 'X' | '×'));
    if has_letters && text.parse::<Setup>().is_err() {
        if path.is_dir() {
            bail!("cannot read `{text}`: it is a folder");
        }
        bail!(
            "there is no file `{text}`; a board is files x ranks like 8x8, a FEN like 5/2#2/5, or a file with a drawing"
        );
    }
    Ok(destrier_ask::board(text)?)
}
