//! Data files of the course and capture FENs: what is read has one knight, and reads back in both forms.

use std::fmt::Write as _;

use destrier::{Problem as _, Puzzle, Square};

/// Reads a puzzle, writes it in both forms, and reads it again.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(puzzle) = text.parse::<Puzzle>() else { return };
    let problem = &puzzle.problem;
    assert_eq!(problem.validate(), Ok(()), "what is read can be asked");
    let fen = Puzzle::fen(problem);
    assert_eq!(fen.parse::<Puzzle>().expect("it was printed by us").problem, *problem);
    let board = &problem.board;
    if board.area() > 1 << 12 || board.ranks() < 2 {
        return;
    }
    let mut file = format!("{} {}\n", board.size(), puzzle.upper_bound.unwrap_or(7));
    for rank in (0..board.ranks()).rev() {
        for square in (0..board.files()).map(|file| Square::new(file, rank)) {
            file.push(match square {
                square if square == problem.start => '3',
                square if problem.targets.contains(&square) => '1',
                square if board.contains(square) => '0',
                _ => '#',
            });
        }
        writeln!(file).expect("a string takes all");
    }
    assert_eq!(file.parse::<Puzzle>().expect("it was printed by us").problem, *problem);
}
