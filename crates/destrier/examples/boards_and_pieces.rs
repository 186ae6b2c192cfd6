//! Holes, joined edges, symmetries, and pieces other than the knight.

use destrier::{Board, Leaper, Outcome, Solve as _, TourProblem, TourSymmetry, Wrap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let holed: Board = "..#..\n.....\n#...#\n.....\n..#..".parse()?;
    let torus = Board::new(5, 5)?.wrapped(Wrap::Both);
    let giraffe = Leaper::new(1, 4)?;
    for (name, question) in [
        ("a board with holes", TourProblem::open(holed)),
        ("a torus", TourProblem::closed(torus.clone())),
        ("a giraffe on a torus", TourProblem::closed(torus).with_leaper(giraffe)),
        (
            "a tour that a half turn maps to itself",
            TourProblem::closed(Board::new(6, 6)?).with_symmetry(TourSymmetry::HalfTurn),
        ),
    ] {
        match question.solve()?.outcome {
            Outcome::Solved(tour) => println!("{name}: {}", tour.solution()),
            Outcome::Impossible(none) => println!("{name}: none, because {}", none.obstacle()),
            Outcome::Unfinished { why, .. } => println!("{name}: undecided, {why}"),
        }
    }
    Ok(())
}
