//! How large a question may be, and how much of an answer is sent: set by the carrier.

use destrier_rules::Board;

use crate::refusal::{Refusal, RefusalKind};

/// What a carrier accepts and sends.
///
/// The default is what `destrier serve` allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Squares of a tour that is listed, of a board whose tours are counted, and of a puzzle. Longer tours of plain
    /// rectangles are seen through windows.
    pub listed: u64,
    /// Squares of a board whose tours are counted from each square.
    pub by_start: u64,
    /// The longest board of a series.
    pub series: usize,
    /// Pieces to capture.
    pub pieces: usize,
    /// Squares of a board that is checked, drawn or written as FEN, and steps of an answer that is drawn.
    pub drawn: u64,
    /// Squares, or steps, in one window.
    pub window: u64,
    /// Bytes of a question.
    pub question: usize,
    /// Bytes that the JSON of a request takes when it is read.
    pub json: u64,
    /// Bytes of the tables that checking one answer may take.
    pub check: u64,
    /// Squares of a board that is seen through windows. The default is the largest integer up to which a browser
    /// counts exactly.
    pub board: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            listed: 1 << 16,
            by_start: 1 << 12,
            series: 2000,
            pieces: 2000,
            drawn: 1 << 20,
            window: 1 << 16,
            question: 2 << 20,
            json: 128 << 20,
            check: 256 << 20,
            board: 1 << 53,
        }
    }
}

impl Limits {
    /// Is the board not too large to be drawn or written as FEN, and the answer not too long to be drawn?
    pub(crate) fn draws(&self, board: Option<&Board>, steps: usize) -> Result<(), Refusal> {
        let most = self.drawn;
        if let Some(board) = board.filter(|board| board.area() > most) {
            let why = format!("{board} is too large: {most} squares at most here");
            return Err(Refusal::new(RefusalKind::TooLarge, why));
        }
        if steps as u64 > most {
            let why = format!("the answer has {steps} steps; {most} are drawn at most");
            return Err(Refusal::new(RefusalKind::TooLarge, why));
        }
        Ok(())
    }

    /// Is a text not too long for a board, a position or a grid that is drawn, with so many letters for each square?
    pub(crate) fn writes(&self, text: &str, letters: u64) -> Result<(), Refusal> {
        let most = self.drawn.saturating_mul(letters);
        if text.len() as u64 > most {
            let why = format!("a request has at most {most} bytes here");
            return Err(Refusal::new(RefusalKind::TooLarge, why));
        }
        Ok(())
    }
}
