//! Tours that a turn or mirror of the board maps to themselves.
//!
//! The rules of existence come first and are given as reasons. What they leave is searched on the board
//! folded by the symmetry ([`Fold`]): a quarter or a half of the squares, and every answer unfolds into a
//! symmetric tour. The same complete search lists and counts them.
//!
//! Invariant: every tour shown is mapped to itself; each is shown once.
//! Cost: that of a board of half or a quarter of the size.
//! Source: see `fold.rs`.

use std::ops::ControlFlow;

use destrier_rules::{Obstacle, Problem, Shape, Square, Symmetry, Tour, TourProblem, TourSymmetry};

use super::fold::{Fold, Sense, Way};
use super::four_paths;
use super::hunt::{Quarry, Spent, hunt};
use super::weave::Verdict;
use super::web::Aim;
use super::{NAME, all_of, as_listed, read_off};
use crate::graph::KnightGraph;
use crate::outcome::{Outcome, Run};
use crate::run::watch::{Halt, Watch};

/// Finds a tour with the symmetry asked for.
///
/// The question has been looked at, and reasons against any tour at all have been told.
pub(crate) fn solve(
    problem: &TourProblem,
    graph: &KnightGraph,
    asked: TourSymmetry,
    watch: &Watch,
) -> Run<Tour> {
    if asked == TourSymmetry::FourPaths {
        return four_paths::solve(problem, graph, watch);
    }
    let (folds, ways) = match foldings(problem, graph, asked) {
        Ok(found) => found,
        Err(obstacle) => return Run::new(Outcome::Impossible(obstacle), 0),
    };
    let spent = Spent::default();
    let mut looked = 0;
    for (at, way) in ways {
        let fold = &folds[at];
        let accept = |lap: &_| {
            let tour = Tour(read_off(problem, fold.unfold(way.sense, lap)));
            problem.end.is_none() || problem.verify(&tour).is_ok()
        };
        match hunt(&fold.quotient, &fold.reach, &way.aim, watch, &spent, &accept) {
            Ok(Quarry::Found(lap)) => {
                let tour = Tour(read_off(problem, fold.unfold(way.sense, &lap)));
                return spent.run(Outcome::Solved(tour));
            }
            Ok(Quarry::Nothing(nodes)) => looked += nodes,
            Err(why) => return spent.run(Outcome::Unfinished { why, best: None }),
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
        Ok((folds, ways)) => each(problem, graph, &folds, &ways, watch, visit),
        Err(_) => (0, Ok(Verdict::Exhausted)),
    }
}

/// Folded boards, and ways to look, each with the number of its board.
type Foldings<'g> = (Vec<Fold<'g>>, Vec<(usize, Way)>);

/// The folded boards on which to look, and the ways to look on each; or the reasons why there are none.
fn foldings<'g>(
    problem: &TourProblem,
    graph: &'g KnightGraph,
    asked: TourSymmetry,
) -> Result<Foldings<'g>, Obstacle> {
    let mut folds = Vec::new();
    let mut ways = Vec::new();
    let mut reasons = Vec::new();
    for turn in asked.turns_of(&problem.board) {
        if turn == Symmetry::QuarterTurn && stays(problem) {
            reasons.push(
                "a quarter turn leaves the centre where it is, and a tour has no fixed square"
                    .to_owned(),
            );
            continue;
        }
        let fold = Fold::new(problem, graph, turn, None);
        let (possible, against) = fold.ways(problem);
        ways.extend(possible.into_iter().map(|way| (folds.len(), way)));
        reasons.extend(against);
        folds.push(fold);
    }
    if ways.is_empty() {
        let name = format!("the {asked} rule");
        return Err(Obstacle::Theorem { name, text: reasons.join("; ") });
    }
    Ok((folds, ways))
}

/// Is the centre of a square board an open square?
fn stays(problem: &TourProblem) -> bool {
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let centre = Square::new(files / 2, ranks / 2);
    files % 2 == 1 && ranks % 2 == 1 && problem.board.contains(centre)
}

/// Shows every tour of these ways once.
fn each(
    problem: &TourProblem,
    graph: &KnightGraph,
    folds: &[Fold],
    ways: &[(usize, Way)],
    watch: &Watch,
    visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> (u64, Result<Verdict, Halt>) {
    let mut nodes = 0;
    for (at, way) in ways {
        let fold = &folds[*at];
        // An open tour's path leads from its end to its middle: the other way round it is another tour.
        let twice = problem.shape == Shape::Closed
            && matches!(&way.aim, Aim::Path { starts, ends } if starts == ends);
        let (more, verdict) = all_of(fold, &way.aim, watch, &mut |lap| {
            // Between equal sets of ends each path comes both ways round.
            if twice && lap.stops[0].orbit > lap.stops[lap.stops.len() - 1].orbit {
                return ControlFlow::Continue(());
            }
            let squares = fold.unfold(way.sense, lap);
            let before = folds[..*at].iter().any(|earlier| maps(problem, earlier.turn, &squares));
            let tour = as_listed(problem, graph, squares);
            if before || problem.verify(&tour).is_err() {
                return ControlFlow::Continue(());
            }
            visit(&tour)
        });
        nodes += more;
        if verdict != Ok(Verdict::Exhausted) {
            return (nodes, verdict);
        }
    }
    (nodes, Ok(Verdict::Exhausted))
}

/// Does a turn map the jumps of a tour to jumps of the same tour?
fn maps(problem: &TourProblem, turn: Symmetry, squares: &[Square]) -> bool {
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let count = squares.len();
    let jumps = if problem.shape == Shape::Closed { count } else { count - 1 };
    let jump = |i: usize| {
        let (a, b) = (squares[i], squares[(i + 1) % count]);
        (a.min(b), a.max(b))
    };
    let all: std::collections::BTreeSet<_> = (0..jumps).map(jump).collect();
    all.iter().all(|&(a, b)| {
        let (a, b) = (turn.apply(a, files, ranks), turn.apply(b, files, ranks));
        all.contains(&(a.min(b), a.max(b)))
    })
}

/// How a symmetric tour runs under its turn; for reports.
#[must_use]
pub fn sense_of(problem: &TourProblem, squares: &[Square]) -> Option<&'static str> {
    let turn = match problem.symmetry? {
        TourSymmetry::HalfTurn => Symmetry::HalfTurn,
        TourSymmetry::QuarterTurn => Symmetry::QuarterTurn,
        _ => return None,
    };
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let place = |square: Square| squares.iter().position(|&s| s == square);
    let count = squares.len();
    let images = [0, 1].map(|i| squares.get(i).map(|&s| turn.apply(s, files, ranks)));
    let (first, second) = (place(images[0]?)?, place(images[1]?)?);
    Some(word(if (first + 1) % count == second { Sense::Kept } else { Sense::Reversed }))
}

const fn word(sense: Sense) -> &'static str {
    match sense {
        Sense::Kept => "direction kept",
        Sense::Reversed => "direction reversed",
    }
}
