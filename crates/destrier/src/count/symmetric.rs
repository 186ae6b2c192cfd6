//! Counting tours that a symmetry of the board maps to themselves.
//!
//! Such a tour is a cycle or a path of the board folded by the symmetry (`graph/symmetric.rs`), so these are
//! counted, by the same sweep as any others.
//!
//! Invariant: unfolding and folding are inverse, so symmetric tours and folded ones are one to one.
//! Cost: a sweep over half or a quarter of the squares: 8×8 by a half turn takes 32 steps.
//! Source: voltage graphs (Gross and Tucker); Knuth, TAOCP pre-fascicle 8a, answers 137–139.

use destrier_rules::{Symmetry, TourProblem, TourSymmetry};
use num_bigint::BigUint;

use super::frontier::cycles;
use super::orders::Orders;
use crate::graph::KnightGraph;
use crate::graph::fold::Fold;
use crate::outcome::{SolveError, Stop};
use crate::run::watch::Watch;

/// The tours of the board that the symmetry maps to themselves, undirected.
///
/// # Errors
/// When the folded board is still too wide.
pub(crate) fn invariant(
    problem: &TourProblem,
    graph: &KnightGraph,
    symmetry: Symmetry,
    watch: &Watch,
) -> Result<BigUint, Stop> {
    let fold = Fold::new(graph, symmetry, None);
    let (aims, _) = fold.aims(problem);
    let counts = aims.iter().map(|(_, aim)| match aim.of_one_orbit(&fold) {
        Some(_) => Ok(BigUint::from(1_u32)),
        None => cycles(&Orders::folded(&fold, aim), watch),
    });
    counts.sum()
}

/// Counts the tours with the symmetry that the question asks for, undirected.
///
/// # Errors
/// When the question fixes an end, or the folded board is too wide.
pub(crate) fn count(
    problem: &TourProblem,
    graph: &KnightGraph,
    method: &'static str,
    watch: &Watch,
) -> Result<BigUint, Stop> {
    let unsuited = |why: &str| Stop::Error(SolveError::Unsuited { method, why: why.to_owned() });
    if problem.start.is_some() || problem.end.is_some() {
        return Err(unsuited("symmetric tours are counted without fixed ends"));
    }
    let symmetry = problem.symmetry.ok_or_else(|| unsuited("no symmetry is asked for"))?;
    if symmetry == TourSymmetry::FourPaths {
        return Err(unsuited("tours of four paths are not symmetric themselves; use `backtrack`"));
    }
    let symmetries = symmetry.turns_of(&problem.board).into_iter();
    let counts = symmetries.map(|symmetry| invariant(problem, graph, symmetry, watch));
    let counts = counts.collect::<Result<Vec<BigUint>, Stop>>()?;
    // A tour with both mirrors would be counted twice; it has the half turn too, which on such boards
    // leaves no room for both. Where it might, say so rather than guess.
    if counts.len() == 2 && counts.iter().all(|count| *count > BigUint::ZERO) {
        return Err(unsuited("both mirrors have tours here; use `backtrack`"));
    }
    Ok(counts.iter().sum())
}
