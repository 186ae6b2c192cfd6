//! Tours that differ by more than a turn or mirror of the board: counted by averaging.
//!
//! A class is a tour with all its images under the symmetries of the board. There are as many classes
//! as tours that a symmetry fixes on average (Burnside), and the fixed ones are counted on folded
//! boards.
//!
//! Invariant: the sum over the symmetries is a multiple of their number; this is checked.
//! Cost: that of the plain count; the folded boards are far smaller. Closed tours with two mirrors are listed.
//! Source: Burnside's lemma; McKay's count of 8×8 classes (1997).

use std::ops::ControlFlow;

use destrier_rules::{Symmetry, TourProblem, TourSymmetry};
use num_bigint::BigUint;

use super::frontier::MOST_SQUARES;
use super::symmetric::{Invariants, group};
use crate::graph::KnightGraph;
use crate::lies;
use crate::outcome::{Outcome, SolveError, Stop};
use crate::run::watch::Watch;
use crate::tour::Search;
use crate::tour::canonical::Canon;

/// The classes of tours under the symmetries of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    let classes = average(sum, fixed.len()).map_err(|stop| stop.error("classes", watch))?;
    Ok(lies::classes(Classes { classes, fixed }))
}

/// The classes of the tours with the symmetry of the question, given how many there are.
///
/// # Errors
/// When the question names ends, a folded board is too wide, or the watch stops it.
pub(crate) fn symmetric_classes(
    problem: &TourProblem,
    undirected: &BigUint,
    watch: &Watch,
) -> Result<BigUint, SolveError> {
    let unsuited = |why: &str| SolveError::Unsuited { method: "classes", why: why.to_owned() };
    if problem.start.is_some() || problem.end.is_some() {
        return Err(unsuited("classes are counted without fixed ends"));
    }
    let classes = match problem.symmetry {
        Some(TourSymmetry::FourPaths) => one_of_each(problem, watch),
        Some(asked) => with_symmetry(problem, asked, undirected, watch),
        None => return Err(unsuited("no symmetry is asked for")),
    };
    let classes = classes.map_err(|stop| stop.error("classes", watch))?;
    Ok(lies::number("symmetric classes", classes))
}

/// Averages, over the symmetries of the board, the tours that each fixes among those with a symmetry.
fn with_symmetry(
    problem: &TourProblem,
    asked: TourSymmetry,
    undirected: &BigUint,
    watch: &Watch,
) -> Result<BigUint, Stop> {
    let graph = KnightGraph::for_question(problem, MOST_SQUARES, "classes")?;
    if *undirected == BigUint::ZERO {
        return Ok(BigUint::ZERO);
    }
    let turns = asked.turns_of(&problem.board);
    let mut tours = Invariants::new(problem, &graph, watch);
    // What acts alike on the squares is one symmetry: it need not be counted again.
    let symmetries = group(&graph, &problem.board.symmetries());
    let mut sum = undirected.clone();
    for &symmetry in &symmetries[1..] {
        // Tours with one of two mirrors: those with the one, those with the other, less those with both.
        for turn in &turns {
            sum += tours.by_all(&[symmetry, *turn])?;
        }
        if let &[one, other] = &turns[..] {
            sum -= tours.by_all(&[symmetry, one, other])?;
        }
    }
    average(sum, symmetries.len())
}

/// Counts the classes by listing the tours.
fn one_of_each(problem: &TourProblem, watch: &Watch) -> Result<BigUint, Stop> {
    let canon = Canon::new(problem);
    let mut classes = 0_u64;
    let run = Search::enumerate(problem, watch, &mut |tour| {
        classes += u64::from(canon.is_first(tour));
        ControlFlow::Continue(())
    })?;
    match run.outcome {
        Outcome::Unfinished { why, .. } => Err(why.into()),
        _ => Ok(classes.into()),
    }
}

/// The sum divided by the number of symmetries.
fn average(sum: BigUint, symmetries: usize) -> Result<BigUint, Stop> {
    if &sum % symmetries == BigUint::ZERO {
        return Ok(sum / symmetries);
    }
    let why = "the symmetric counts do not fit together; please report this".to_owned();
    Err(SolveError::Unsuited { method: "classes", why }.into())
}

fn fixed(
    problem: &TourProblem,
    symmetries: &[Symmetry],
    undirected: &BigUint,
    watch: &Watch,
) -> Result<Vec<(Symmetry, BigUint)>, Stop> {
    let graph = KnightGraph::for_question(problem, MOST_SQUARES, "classes")?;
    let mut tours = Invariants::new(problem, &graph, watch);
    let mut fixed: Vec<(Symmetry, BigUint)> = Vec::new();
    for &symmetry in symmetries {
        // One square or two: whatever tour there is looks the same from every side. So does every tour to
        // what moves no square: the identity, and some mirrors. And no tour is no tour from every side.
        let moves_none = graph.len() < 3 || group(&graph, &[symmetry]).len() == 1;
        let count = if moves_none || *undirected == BigUint::ZERO {
            undirected.clone()
        } else {
            tours.by(symmetry)?
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

#[cfg(test)]
mod tests {
    use destrier_rules::{Board, Square};

    use super::*;

    fn closed(text: &str) -> TourProblem {
        TourProblem::closed(text.parse::<Board>().unwrap())
    }

    /// Is it refused for what is asked, not for what is found?
    fn refuses<T>(answer: Result<T, SolveError>) -> bool {
        let is_about = |why: &str| why.contains("ends") || why.contains("is asked for");
        matches!(answer, Err(SolveError::Unsuited { method: "classes", why }) if is_about(&why))
    }

    /// 6×6 has 9862 closed tours: 1223 classes without a symmetry, 17 with a half turn, 5 with a quarter turn.
    #[test]
    fn classes_with_turns_are_told_apart() {
        let found = classes(&closed("6x6"), &9862_u32.into(), &Watch::unlimited()).unwrap();
        assert_eq!(found.classes, BigUint::from(1245_u32));
        assert_eq!(found.turned(), Some((22_u32.into(), 5_u32.into())));
        let none =
            Classes { classes: 0_u32.into(), fixed: vec![(Symmetry::Identity, 0_u32.into())] };
        assert_eq!(none.turned(), None);
    }

    #[test]
    fn where_one_mirror_of_a_kind_fixes_nothing_no_turned_tour_has_it() {
        let of = |counts: [u32; 8]| {
            let fixed = Symmetry::ALL.into_iter().map(|symmetry| {
                let at = match symmetry {
                    Symmetry::Identity => 0,
                    Symmetry::HalfTurn => 1,
                    Symmetry::QuarterTurn => 2,
                    Symmetry::MirrorFiles => 3,
                    Symmetry::MirrorRanks => 4,
                    Symmetry::MirrorDiagonal => 5,
                    Symmetry::MirrorAntidiagonal => 6,
                    Symmetry::ThreeQuarterTurn => 7,
                };
                (symmetry, counts[at].into())
            });
            Classes { classes: 1_u32.into(), fixed: fixed.collect() }.turned()
        };
        let (half, quarter) = (Some(5_u32.into()), Some(1_u32.into()));
        let both = half.clone().zip(quarter.clone());
        assert_eq!(of([99, 18, 2, 0, 0, 0, 0, 2]), both);
        assert_eq!(of([99, 18, 2, 7, 0, 7, 0, 2]), both);
        assert_eq!(of([99, 18, 2, 0, 7, 0, 7, 2]), both);
        assert_eq!(of([99, 18, 2, 7, 7, 0, 0, 2]), None);
        assert_eq!(of([99, 18, 2, 0, 0, 7, 7, 2]), None);
    }

    #[test]
    fn each_end_and_a_symmetry_are_refused() {
        let (watch, some) = (Watch::unlimited(), BigUint::from(8_u32));
        let ends = [
            closed("6x6").starting_at(Square::new(0, 0)),
            closed("6x6").ending_at(Square::new(0, 0)),
        ];
        for problem in ends {
            assert!(refuses(classes(&problem, &some, &watch)), "{problem:?}");
            let turned = problem.with_symmetry(TourSymmetry::HalfTurn);
            assert!(refuses(symmetric_classes(&turned, &some, &watch)), "{turned:?}");
        }
        assert!(refuses(classes(
            &closed("6x6").with_symmetry(TourSymmetry::HalfTurn),
            &some,
            &watch
        )));
        assert!(refuses(symmetric_classes(&closed("6x6"), &some, &watch)));
    }

    /// 6×6 has symmetric tours, but where there is said to be none, none is looked for.
    #[test]
    fn no_tour_has_no_class() {
        let (watch, none) = (Watch::unlimited(), BigUint::ZERO);
        let found = classes(&closed("6x6"), &none, &watch).unwrap();
        assert!(found.fixed.iter().all(|(_, count)| *count == none));
        let turned = closed("6x6").with_symmetry(TourSymmetry::HalfTurn);
        assert_eq!(symmetric_classes(&turned, &none, &watch).unwrap(), none);
    }

    #[test]
    fn listing_that_is_stopped_gives_no_number() {
        let problem =
            TourProblem::open("7x7".parse().unwrap()).with_symmetry(TourSymmetry::FourPaths);
        let watch = Watch::halting_at(1);
        assert!(symmetric_classes(&problem, &5_u32.into(), &watch).is_err());
    }
}
