//! How many tours start on each square.
//!
//! Squares that a symmetry of the board maps to each other have the same number, so one of each kind
//! is counted, by a sweep with that start.
//!
//! Invariant: the numbers of an open question add up to its directed tours.
//! Cost: a sweep for each kind of square: 6 on 5×5 and 6×6, 10 on 8×8.

use destrier_rules::{Fault, Shape, Square, TourProblem};
use num_bigint::BigUint;

use super::CountMethod;
use crate::lies;
use crate::method::Method as _;
use crate::outcome::SolveError;
use crate::run::options::Options;
use crate::run::watch::Watch;

/// The directed tours from each open square, rank by rank from the bottom.
pub type ByStart = Vec<(Square, BigUint)>;

/// Counts the directed tours from every square by the given counter; what the checker refused on the way is put with the rest.
///
/// # Errors
/// When the question names a start already, the counter cannot take it on, or the watch stops it.
pub(crate) fn by_start(
    problem: &TourProblem,
    method: CountMethod,
    options: &Options,
    watch: &Watch,
    refused: &mut Vec<(&'static str, Fault)>,
) -> Result<ByStart, SolveError> {
    if problem.start.is_some() {
        let why = "the start is fixed already".to_owned();
        return Err(SolveError::Unsuited { method: method.name(), why });
    }
    let mut directed = |question: &TourProblem| {
        let counted = method.counted(question, options, watch)?;
        refused.extend(counted.effort.refused.iter().cloned());
        counted.total().map(|count| count.directed())
    };
    let squares: Vec<Square> = problem.board.squares().collect();
    if problem.shape == Shape::Closed && problem.end.is_none() {
        // A closed tour starts anywhere, and goes either way.
        let count = directed(problem)?;
        let counts = squares.into_iter().map(|square| (square, count.clone())).collect();
        return Ok(lies::by_start(method.name(), counts));
    }
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let mut symmetries = problem.board.symmetries();
    symmetries.retain(|s| problem.end.is_none_or(|end| s.apply(end, files, ranks) == end));
    let mut known: Vec<(Square, BigUint)> = Vec::new();
    for square in squares {
        let images: Vec<Square> =
            symmetries.iter().map(|s| s.apply(square, files, ranks)).collect();
        let like = known.iter().find(|(other, _)| images.contains(other));
        let count = match like {
            Some((_, count)) => count.clone(),
            None if problem.end == Some(square) && problem.board.len() > 1 => BigUint::ZERO,
            None => directed(&problem.clone().starting_at(square))?,
        };
        known.push((square, count));
    }
    Ok(lies::by_start(method.name(), known))
}
