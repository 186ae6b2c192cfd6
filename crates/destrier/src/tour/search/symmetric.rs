//! Finding tours that a symmetry of the board maps to themselves.
//!
//! The rules of existence come first and are given as reasons. What they leave is searched on the board
//! folded by the symmetry ([`Fold`]): a quarter or a half of the squares, and every answer unfolds into a
//! symmetric tour. The same complete search lists and counts them.
//!
//! Invariant: every tour shown is mapped to itself; each is shown once.
//! Cost: that of a board of half or a quarter of the size.
//! Source: see `graph/symmetric.rs`.

use std::ops::ControlFlow;

use destrier_rules::{Obstacle, Problem, Shape, Square, Symmetry, Tour, TourProblem, TourSymmetry};

use super::edges::Verdict;
use super::rounds::{Searched, Spent, search};
use super::{Centre, NAME, all_of, as_listed, four_paths, read_off};
use crate::graph::KnightGraph;
use crate::graph::cycle::Aim;
use crate::graph::fold::{Fold, FoldedTour};
use crate::graph::symmetric::Sense;
use crate::outcome::{Outcome, Run};
use crate::run::watch::{Halt, Watch};

/// Finds a tour with the symmetry asked for.
///
/// The question is valid, and reasons against any tour at all were looked for before.
pub(crate) fn solve(
    problem: &TourProblem,
    graph: &KnightGraph,
    asked: TourSymmetry,
    watch: &Watch,
) -> Run<Tour> {
    if asked == TourSymmetry::FourPaths {
        return four_paths::solve(problem, graph, Centre::Anywhere, watch);
    }
    let folded = match foldings(problem, graph, asked) {
        Ok(folded) => folded,
        Err(obstacle) => return Run::new(Outcome::Impossible(obstacle), 0),
    };
    let spent = Spent::default();
    let mut looked = 0;
    for (fold, aims) in &folded {
        for (sense, aim) in aims {
            let unfolded = |tour: &FoldedTour| Tour(read_off(problem, fold.unfold(*sense, tour)));
            let accept = |tour: &FoldedTour| {
                problem.end.is_none() || problem.verify(&unfolded(tour)).is_ok()
            };
            match search(fold, aim, watch, &spent, &accept) {
                Ok(Searched::Found(tour)) => return spent.run(Outcome::Solved(unfolded(&tour))),
                Ok(Searched::Exhausted(nodes)) => looked += nodes,
                Err(why) => return spent.run(Outcome::Unfinished { why, best: None }),
            }
        }
    }
    let obstacle = Obstacle::Exhausted { method: NAME.to_owned(), nodes: looked };
    spent.run(Outcome::Impossible(obstacle))
}

/// Shows every tour with the symmetry asked for, each once.
pub(crate) fn all(
    problem: &TourProblem,
    graph: &KnightGraph,
    asked: TourSymmetry,
    watch: &Watch,
    visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> (u64, Result<Verdict, Halt>) {
    if asked == TourSymmetry::FourPaths {
        return four_paths::all(problem, graph, watch, visit);
    }
    match foldings(problem, graph, asked) {
        Ok(folded) => each(problem, graph, &folded, watch, visit),
        Err(_) => (0, Ok(Verdict::Exhausted)),
    }
}

/// Counts the tours with a symmetry that have all the others, too, by looking at each; the question asks for none.
pub(crate) fn count_with_all(
    problem: &TourProblem,
    graph: &KnightGraph,
    symmetry: Symmetry,
    others: &[Symmetry],
    watch: &Watch,
) -> Result<u64, Halt> {
    let fold = Fold::new(graph, symmetry, None);
    let mut count = 0;
    for (sense, aim) in fold.aims(problem).0 {
        let (_, verdict) = all_of(&fold, &aim, watch, &mut |tour| {
            let squares = fold.unfold(sense, tour);
            count += u64::from(others.iter().all(|&other| maps(problem, other, &squares)));
            ControlFlow::Continue(())
        });
        verdict?;
    }
    Ok(count)
}

/// A folded board, and what to look for on it.
type Folded<'g> = (Fold<'g>, Vec<(Sense, Aim)>);

/// The folded boards on which to look, or the reasons why there are none.
fn foldings<'g>(
    problem: &TourProblem,
    graph: &'g KnightGraph,
    asked: TourSymmetry,
) -> Result<Vec<Folded<'g>>, Obstacle> {
    let mut folded = Vec::new();
    let mut reasons = Vec::new();
    for symmetry in asked.turns_of(&problem.board) {
        let fold = Fold::new(graph, symmetry, None);
        let (aims, against) = fold.aims(problem);
        reasons.extend(against);
        folded.push((fold, aims));
    }
    if folded.iter().all(|(_, aims)| aims.is_empty()) {
        let name = format!("the {asked} rule");
        return Err(Obstacle::Theorem { name, text: reasons.join("; ") });
    }
    Ok(folded)
}

/// Shows every tour of these folded boards once.
fn each(
    problem: &TourProblem,
    graph: &KnightGraph,
    folded: &[Folded],
    watch: &Watch,
    visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> (u64, Result<Verdict, Halt>) {
    let mut nodes = 0;
    for (at, (fold, aims)) in folded.iter().enumerate() {
        for (sense, aim) in aims {
            let (more, verdict) = all_of(fold, aim, watch, &mut |tour| {
                let squares = fold.unfold(*sense, tour);
                let shown = |(before, _): &Folded| maps(problem, before.symmetry, &squares);
                let shown = folded[..at].iter().any(shown);
                let tour = as_listed(problem, graph, squares);
                if shown || problem.verify(&tour).is_err() {
                    return ControlFlow::Continue(());
                }
                visit(&tour)
            });
            nodes += more;
            if verdict != Ok(Verdict::Exhausted) {
                return (nodes, verdict);
            }
        }
    }
    (nodes, Ok(Verdict::Exhausted))
}

/// Does a symmetry map the jumps of a tour to jumps of the same tour?
fn maps(problem: &TourProblem, symmetry: Symmetry, squares: &[Square]) -> bool {
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let count = squares.len();
    let jumps = if problem.shape == Shape::Closed { count } else { count - 1 };
    let jump = |i: usize| {
        let (a, b) = (squares[i], squares[(i + 1) % count]);
        (a.min(b), a.max(b))
    };
    let all: std::collections::BTreeSet<_> = (0..jumps).map(jump).collect();
    all.iter().all(|&(a, b)| {
        let (a, b) = (symmetry.apply(a, files, ranks), symmetry.apply(b, files, ranks));
        all.contains(&(a.min(b), a.max(b)))
    })
}
