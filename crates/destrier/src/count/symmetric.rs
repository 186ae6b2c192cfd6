//! Counting tours that a symmetry of the board maps to themselves.
//!
//! Such a tour is a cycle or a path of the board folded by the symmetry (`graph/symmetric.rs`), so these are
//! counted, by the same sweep as any others.
//!
//! Invariant: unfolding and folding are inverse, so symmetric tours and folded ones are one to one.
//! Cost: a sweep over half or a quarter of the squares: 8×8 by a half turn takes 32 steps.
//! Source: voltage graphs (Gross and Tucker); Knuth, TAOCP pre-fascicle 8a, answers 137–139.

use destrier_rules::{Shape, Symmetry, TourProblem, TourSymmetry};
use num_bigint::BigUint;

use super::frontier::cycles;
use super::orders::Orders;
use crate::graph::KnightGraph;
use crate::graph::fold::Fold;
use crate::outcome::{SolveError, Stop};
use crate::run::watch::Watch;
use crate::tour::count_with_all;

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

/// The tours of a board that symmetries map to themselves, each number counted once.
pub(crate) struct Invariants<'a> {
    /// The question; a symmetry that it asks for is not looked at.
    problem: &'a TourProblem,
    graph: &'a KnightGraph,
    watch: &'a Watch,
    known: Vec<(Symmetry, BigUint)>,
}

impl<'a> Invariants<'a> {
    /// None is known yet.
    pub(crate) fn new(
        problem: &'a TourProblem,
        graph: &'a KnightGraph,
        watch: &'a Watch,
    ) -> Invariants<'a> {
        Invariants { problem, graph, watch, known: Vec::new() }
    }

    /// The tours that a symmetry maps to themselves, undirected.
    pub(crate) fn by(&mut self, symmetry: Symmetry) -> Result<BigUint, Stop> {
        // What a turn fixes, its inverse does.
        let symmetry = symmetry.min(symmetry.inverse());
        if let Some((_, count)) = self.known.iter().find(|(known, _)| *known == symmetry) {
            return Ok(count.clone());
        }
        let count = invariant(self.problem, self.graph, symmetry, self.watch)?;
        self.known.push((symmetry, count.clone()));
        Ok(count)
    }

    /// The tours that all of these symmetries map to themselves, undirected.
    ///
    /// Symmetries that move no square say nothing, and those that one of them generates are one condition.
    /// Beyond that, an open tour has no other symmetry than to be reversed; of the closed ones with two mirrors,
    /// those with the rarest symmetry are listed and looked at.
    pub(crate) fn by_all(&mut self, symmetries: &[Symmetry]) -> Result<BigUint, Stop> {
        let (problem, graph) = (self.problem, self.graph);
        let group = group(graph, symmetries);
        let generates = |one: Symmetry| self::group(graph, &[one]).len() == group.len();
        if let Some(&one) = group.iter().find(|&&one| generates(one)) {
            return self.by(one);
        }
        let cannot_be = |&one: &Symmetry| Fold::new(graph, one, None).aims(problem).0.is_empty();
        if problem.shape == Shape::Open || group.iter().any(cannot_be) {
            return Ok(BigUint::ZERO);
        }
        let mut rarest: Option<(BigUint, Symmetry)> = None;
        for &symmetry in &group[1..] {
            let count = self.by(symmetry)?;
            if count == BigUint::ZERO {
                return Ok(count);
            }
            if rarest.as_ref().is_none_or(|(fewest, _)| count < *fewest) {
                rarest = Some((count, symmetry));
            }
        }
        let (_, rarest) = rarest.expect("the identity generates a group of one");
        Ok(count_with_all(problem, graph, rarest, &group, self.watch)?.into())
    }
}

/// What these symmetries generate, as far as it differs on the open squares, the identity first.
pub(crate) fn group(graph: &KnightGraph, symmetries: &[Symmetry]) -> Vec<Symmetry> {
    let alike = |one: Symmetry, other: Symmetry| {
        graph.vertices().all(|v| graph.image(one, v) == graph.image(other, v))
    };
    let mut group = vec![Symmetry::Identity];
    let mut at = 0;
    while at < group.len() {
        for &symmetry in symmetries {
            let next = group[at].then(symmetry);
            if !group.iter().any(|&known| alike(known, next)) {
                group.push(next);
            }
        }
        at += 1;
    }
    group
}

/// Counts the tours with the symmetry that the question asks for, undirected.
///
/// # Errors
/// When the question fixes both ends of a closed tour, or the folded board is too wide.
pub(crate) fn count(
    problem: &TourProblem,
    graph: &KnightGraph,
    method: &'static str,
    watch: &Watch,
) -> Result<BigUint, Stop> {
    let unsuited = |why: &str| Stop::Error(SolveError::Unsuited { method, why: why.to_owned() });
    if problem.shape == Shape::Closed && problem.start.is_some() && problem.end.is_some() {
        return Err(unsuited(
            "symmetric closed tours are counted with one end at most; use `search`",
        ));
    }
    let symmetry = problem.symmetry.ok_or_else(|| unsuited("no symmetry is asked for"))?;
    if symmetry == TourSymmetry::FourPaths {
        return Err(unsuited("tours of four paths are not symmetric themselves; use `search`"));
    }
    let mut tours = Invariants::new(problem, graph, watch);
    match symmetry.turns_of(&problem.board)[..] {
        [one] => tours.by(one),
        // Those with both mirrors are among either.
        [one, other] => Ok(tours.by(one)? + tours.by(other)? - tours.by_all(&[one, other])?),
        _ => unreachable!("a question about a board without the symmetry is not valid"),
    }
}
