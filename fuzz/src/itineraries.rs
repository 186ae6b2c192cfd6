//! Tours of boards of any size: step to square and square to step undo each other, and neighbours are a jump apart.

use arbitrary::{Result, Unstructured};
use destrier::{
    Board, MAX_SIDE, Options, Outcome, Problem as _, Shape, Square, Tour, TourProblem, Tours as _,
    is_knight_jump,
};

/// Plans a tour of a rectangle and asks for some of its steps and squares.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let side = |u: &mut Unstructured<'_>| match u.int_in_range(0..=3)? {
        0 => u.int_in_range(1..=9_u32),
        1 => u.int_in_range(1..=60),
        2 => u.int_in_range(1..=5000),
        _ => u.int_in_range(1..=MAX_SIDE),
    };
    let board = Board::new(side(u)?, side(u)?).expect("its sides are within bounds");
    let (files, ranks) = (board.files(), board.ranks());
    let square = |u: &mut Unstructured<'_>| -> Result<Square> {
        let near = |u: &mut Unstructured<'_>, side: u32| {
            // Corners and edges are where the constructions differ.
            Ok(match u.int_in_range(0..=2)? {
                0 => u.int_in_range(0..=side.min(4) - 1)?,
                1 => side - 1 - u.int_in_range(0..=side.min(4) - 1)?,
                _ => u.int_in_range(0..=side - 1)?,
            })
        };
        Ok(Square::new(near(u, files)?, near(u, ranks)?))
    };
    let mut question =
        if u.ratio(1, 2)? { TourProblem::closed(board) } else { TourProblem::open(board) };
    if u.ratio(1, 2)? {
        question = question.starting_at(square(u)?);
    }
    if u.ratio(1, 2)? {
        question = question.ending_at(square(u)?);
    }
    if question.validate().is_err() {
        return Ok(());
    }
    // Past this many nodes the board is one of the small ones that are searched.
    let limited = Options::new().node_limit(2_000_000);
    let planned = question.itinerary_with(&limited).expect("it is classic");
    let Outcome::Solved(tour) = planned.outcome else { return Ok(()) };
    let length = tour.len();
    assert_eq!(length, u64::from(files) * u64::from(ranks));
    let at = |step: u64| tour.at_step(step).expect("the step is within the tour");
    if let Some(start) = question.start {
        assert_eq!(at(1), start);
    }
    if let Some(end) = question.end {
        assert_eq!(at(length), end);
    }
    if question.shape == Shape::Closed {
        assert!(is_knight_jump(at(length), at(1)));
    }
    assert_eq!((tour.at_step(0), tour.at_step(length + 1)), (None, None));
    for _ in 0..8 {
        let step = u.int_in_range(1..=length)?;
        let here = at(step);
        assert_eq!(tour.step_of(here), Some(step), "{question:?}");
        if step < length {
            assert!(is_knight_jump(here, at(step + 1)), "{question:?} at {step}");
        }
        let asked = square(u)?;
        let step = tour.step_of(asked).expect("the square is on the board");
        assert_eq!(at(step), asked, "{question:?}");
    }
    if length <= 4096 {
        let squares = tour.steps(1..length + 1).collect();
        assert_eq!(question.verify(&Tour(squares)), Ok(()));
    }
    Ok(())
}
