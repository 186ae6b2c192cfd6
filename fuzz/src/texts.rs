//! What is read and printed reads back the same; no text does anything worse than being refused.

use std::str::FromStr;

use destrier::{
    Board, CapturePlan, Coordinates, Leaper, Move, Setup, Square, SwapPlan, Tour, parse_squares,
};

/// Reads the text as everything that it could be.
pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    reads_back::<Square>(text);
    reads_back::<Move>(text);
    reads_back::<Leaper>(text);
    reads_back::<Tour>(text);
    reads_back::<CapturePlan>(text);
    reads_back::<SwapPlan>(text);
    for coordinates in [Coordinates::Zero, Coordinates::One] {
        if let Ok(squares) = parse_squares(text, coordinates) {
            let again = Tour(squares.clone()).to_string();
            assert_eq!(parse_squares(&again, coordinates), Ok(squares));
        }
        if let Ok(square) = Square::read(text, coordinates) {
            assert_eq!(Square::read(&square.to_string(), coordinates), Ok(square));
        }
    }
    if let Ok(board) = text.parse::<Board>() {
        if board.area() < 1 << 16 {
            assert_eq!(Board::from_diagram(&board.diagram()), Ok(board.clone()));
        }
        if board.holes().is_empty() {
            assert_eq!(board.size().parse(), Ok(board));
        }
    }
    if let Ok(setup) = text.parse::<Setup>() {
        let fen = setup.fen();
        assert!(fen.len() <= 2 * text.len() + 16, "a FEN is no longer than what it was read from");
        assert_eq!(fen.parse(), Ok(setup));
    }
}

fn reads_back<T: FromStr<Err: std::fmt::Debug> + ToString + PartialEq + std::fmt::Debug>(
    text: &str,
) {
    if let Ok(value) = text.parse::<T>() {
        assert_eq!(value.to_string().parse::<T>().expect("it was printed by us"), value);
    }
}
