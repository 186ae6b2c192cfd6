//! Every tour of a small board, until we have seen enough.

use std::ops::ControlFlow;

use destrier::{Board, Listing, Options, TourProblem, Tours as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = TourProblem::open(Board::new(3, 4)?);
    let mut shown = 0;
    question.enumerate(Listing::all().distinct(), &Options::new(), &mut |tour| {
        println!("{tour}");
        shown += 1;
        if shown < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    assert_eq!(shown, 3);
    Ok(())
}
