//! Tours that differ by more than a turn or mirror of the board: counted by averaging.
//!
//! A class is a tour with all its images under the symmetries of the board. There are as many classes
//! as tours that a symmetry fixes on average (Burnside), and the fixed ones are counted on folded
//! boards.
//!
//! Invariant: the sum over the symmetries is a multiple of their number; this is checked.
//! Cost: that of the plain count; the folded boards are far smaller.
//! Source: Burnside's lemma; McKay's count of 8×8 classes (1997).

use destrier_rules::{Symmetry, TourProblem, TourSymmetry};
use num_bigint::BigUint;

use super::frontier::MOST_SQUARES;
use super::symmetric::invariant;
use crate::graph::KnightGraph;
use crate::lies;
use crate::outcome::{SolveError, Stop};
use crate::run::watch::Watch;

/// The classes of tours under the symmetries of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// How many classes.
    pub classes: BigUint,
    /// For each symmetry of the board, the undirected tours that it maps to themselves.
    pub fixed: Vec<(Symmetry, BigUint)>,
}

/// Sorts the tours of a question into classes, given how many there are, undirected.
///
/// # Errors
/// When the question names ends or a symmetry, or a folded board is too wide.
pub(crate) fn classes(
    problem: &TourProblem,
    undirected: &BigUint,
    watch: &Watch,
) -> Result<Classes, SolveError> {
    let unsuited = |why: &str| SolveError::Unsuited { method: "classes", why: why.to_owned() };
    if problem.start.is_some() || problem.end.is_some() || problem.symmetry.is_some() {
        return Err(unsuited("classes are counted without fixed ends or symmetries"));
    }
    let symmetries = problem.board.symmetries();
    let fixed = fixed(problem, &symmetries, undirected, watch);
    let fixed = fixed.map_err(|stop| stop.error("classes", watch))?;
    let sum: BigUint = fixed.iter().map(|(_, count)| count).sum();
    let order = fixed.len();
    if &sum % order != BigUint::ZERO {
        return Err(unsuited("the symmetric counts do not fit together; please report this"));
    }
    Ok(lies::classes(Classes { classes: sum / order, fixed }))
}

/// The classes of the tours with the symmetry of the question, given how many there are; nothing where
/// tours with further symmetries would have to be told apart.
///
/// # Errors
/// When a folded board is too wide.
pub(crate) fn symmetric_classes(
    problem: &TourProblem,
    undirected: &BigUint,
    watch: &Watch,
) -> Result<Option<BigUint>, SolveError> {
    let symmetries = problem.board.symmetries();
    let graph = KnightGraph::for_question(problem, MOST_SQUARES, "classes")?;
    let plain = TourProblem { symmetry: None, ..problem.clone() };
    let has = |symmetry: Symmetry| symmetries.contains(&symmetry);
    let fixed = |symmetry: Symmetry| {
        invariant(&plain, &graph, symmetry, watch).map_err(|stop| stop.error("classes", watch))
    };
    // Tours with two mirrors at right angles as well: none if one of the mirrors has none.
    let pairs = [
        (Symmetry::MirrorFiles, Symmetry::MirrorRanks),
        (Symmetry::MirrorDiagonal, Symmetry::MirrorAntidiagonal),
    ];
    for (one, other) in pairs {
        let upright = one == Symmetry::MirrorFiles;
        let quarter = problem.symmetry == Some(TourSymmetry::QuarterTurn);
        // A quarter turn with one mirror has the diagonal ones, too: those are looked at.
        if !(has(one) && has(other)) || (quarter && upright && has(Symmetry::MirrorDiagonal)) {
            continue;
        }
        let mut both = true;
        for mirror in [one, other] {
            both &= fixed(mirror)? > BigUint::ZERO;
            if !both {
                break;
            }
        }
        if both {
            return Ok(None);
        }
    }
    let order = symmetries.len();
    let sum = match problem.symmetry {
        Some(TourSymmetry::QuarterTurn) => undirected * 4_u32,
        Some(TourSymmetry::HalfTurn) if has(Symmetry::QuarterTurn) => {
            undirected * 2_u32 + fixed(Symmetry::QuarterTurn)? * 2_u32
        }
        Some(TourSymmetry::HalfTurn | TourSymmetry::Mirror) => undirected * 2_u32,
        _ => return Ok(None),
    };
    Ok(Some(lies::number("symmetric classes", sum / order)))
}

fn fixed(
    problem: &TourProblem,
    symmetries: &[Symmetry],
    undirected: &BigUint,
    watch: &Watch,
) -> Result<Vec<(Symmetry, BigUint)>, Stop> {
    let graph = KnightGraph::for_question(problem, MOST_SQUARES, "classes")?;
    let mut fixed: Vec<(Symmetry, BigUint)> = Vec::new();
    for &symmetry in symmetries {
        let known = |like: Symmetry| {
            fixed.iter().find(|(other, _)| *other == like).map(|(_, count)| count.clone())
        };
        let count = match symmetry {
            Symmetry::Identity => Some(undirected.clone()),
            // What a turn fixes, its inverse does; and turned by a quarter, so does the other mirror.
            Symmetry::ThreeQuarterTurn => known(Symmetry::QuarterTurn),
            Symmetry::MirrorRanks if symmetries.contains(&Symmetry::QuarterTurn) => {
                known(Symmetry::MirrorFiles)
            }
            Symmetry::MirrorAntidiagonal if symmetries.contains(&Symmetry::QuarterTurn) => {
                known(Symmetry::MirrorDiagonal)
            }
            // One square or two: whatever tour there is looks the same from every side.
            _ if graph.len() < 3 => Some(undirected.clone()),
            _ => None,
        };
        let count = match count {
            Some(count) => count,
            None => invariant(problem, &graph, symmetry, watch)?,
        };
        fixed.push((symmetry, count));
    }
    Ok(fixed)
}

impl Classes {
    /// How many tours a symmetry fixes.
    #[must_use]
    pub fn fixed_by(&self, symmetry: Symmetry) -> Option<&BigUint> {
        self.fixed.iter().find(|(known, _)| *known == symmetry).map(|(_, count)| count)
    }

    /// The classes of tours with a half turn, those with a quarter turn included, and of those with a
    /// quarter turn alone; nothing where tours with mirrors as well would have to be told apart.
    #[must_use]
    pub fn turned(&self) -> Option<(BigUint, BigUint)> {
        let mirrors = [
            Symmetry::MirrorFiles,
            Symmetry::MirrorRanks,
            Symmetry::MirrorDiagonal,
            Symmetry::MirrorAntidiagonal,
        ];
        // A tour with a half turn and one mirror has the other mirror of that kind, too.
        let both = |one: Symmetry, other: Symmetry| {
            let some = |s| self.fixed_by(s).is_some_and(|count| *count > BigUint::ZERO);
            some(one) && some(other)
        };
        if both(mirrors[0], mirrors[1]) || both(mirrors[2], mirrors[3]) {
            return None;
        }
        let half = self.fixed_by(Symmetry::HalfTurn)?;
        let none = BigUint::ZERO;
        let quarter = self.fixed_by(Symmetry::QuarterTurn).unwrap_or(&none);
        let order = self.fixed.len();
        Some(((half * 2_u32 + quarter * 2_u32) / order, quarter * 4_u32 / order))
    }
}
