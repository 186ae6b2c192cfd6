//! A tour of 10¹² squares that is never stored: any step and any square in some nanoseconds.

use destrier::{Board, TourProblem, Tours as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::new(1_000_000, 1_000_000)?;
    let tour = TourProblem::closed(board).itinerary()?.found()?;
    let square = tour.at_step(123_456_789_012).ok_or("there are 10¹² steps")?;
    println!("step 123456789012 is on {square}");
    assert_eq!(tour.step_of(square), Some(123_456_789_012));
    Ok(())
}
