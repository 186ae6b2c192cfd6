//! How large a question may be, and how much of an answer is sent: set by the carrier.

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
    /// Squares, or steps, in one window.
    pub window: u64,
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
            window: 1 << 16,
            board: 1 << 53,
        }
    }
}
