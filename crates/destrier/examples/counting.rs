//! How many tours there are; some of them at random; the number of a tour, and back.

use destrier::{BigUint, Board, Options, TourProblem, Tours as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = TourProblem::closed(Board::new(6, 6)?);
    let count = question.count()?;
    println!("{} closed tours of 6x6, {} with a direction", count.undirected(), count.directed());
    let classes = question.classes(&count.undirected(), &Options::new())?;
    println!("{} up to turns and mirrors", classes.classes);

    let census = question.census()?;
    for tour in census.sample(7).take(3) {
        let tour = tour?;
        println!("number {}: {}", census.rank(tour.solution())?, tour.solution());
    }
    assert_eq!(count.undirected(), BigUint::from(census.total()));
    Ok(())
}
