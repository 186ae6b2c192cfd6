//! A knight's tour of the chessboard, and a board that has none.

use destrier::{Board, Outcome, Solve as _, TourProblem};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tour = TourProblem::closed(Board::new(8, 8)?).solve()?.solved()?;
    for row in tour.grid() {
        for step in row {
            print!("{step:3}");
        }
        println!();
    }
    match TourProblem::closed(Board::new(5, 5)?).solve()?.outcome {
        Outcome::Impossible(none) => println!("5x5: none, because {}", none.obstacle()),
        _ => unreachable!("an odd board has no closed tour"),
    }
    Ok(())
}
