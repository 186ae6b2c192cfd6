//! Any board: holes, joined edges, any leaper. Decided exactly where it is small, found at random where large.
//!
//! Reasons that can be counted come first. Then a complete search with forced edges and a check of
//! connection takes turns with walks and rotations, which are for large boards. Ends that the question fixes
//! become the ends of a path; a closed tour is a cycle, read off from wherever the question wants.
//!
//! Invariant: "none" is said with a reason that can be counted, or after a complete search.
//! Cost: 8×8 with holes well under a millisecond; a proof of "none" can take exponential time.
//! Uses: `graph` and `run`.
//! Source: see `edges.rs` and `rotation.rs`.

mod edges;
mod four_paths;
mod matching;
pub(super) mod reasons;
mod rotation;
mod rounds;
mod symmetric;

pub use four_paths::Centre;
pub(crate) use reasons::obstacle;
pub(crate) use symmetric::count_with_all;

use std::ops::ControlFlow;

use destrier_rules::{Obstacle, Problem, Shape, Square, Symmetry, Tour, TourProblem, TourSymmetry};

use self::edges::{EdgeSearch, Verdict};
use self::rounds::{Searched, Spent, search};
use crate::graph::KnightGraph;
use crate::graph::cycle::{Aim, CycleGraph};
use crate::graph::fold::{Fold, FoldedTour};
use crate::graph::symmetric::Sense;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};
use crate::tour::racer::Racer;
use crate::tour_count::TourCount;

/// The strong search: any board, any leaper, any symmetry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search;

pub(crate) const NAME: &str = "search";
/// Above this the folded board and its edges would take more than a gigabyte.
const MOST_SQUARES: u64 = 1 << 22;

impl Search {
    pub(crate) fn solve(problem: &TourProblem, watch: &Watch) -> Result<Run<Tour>, SolveError> {
        problem.validate()?;
        let impossible = |obstacle| Ok(Run::new(Outcome::Impossible(obstacle), 0));
        if let Some(obstacle) = reasons::plain(problem) {
            return impossible(obstacle);
        }
        let graph = KnightGraph::for_question(problem, MOST_SQUARES, NAME)?;
        if let Some(obstacle) = reasons::quick(problem, &graph) {
            return impossible(obstacle);
        }
        if graph.len() == 1 {
            return Ok(Run::new(Outcome::Solved(Tour(graph.squares_of(&[0]))), 0));
        }
        if let Some(asked) = problem.symmetry {
            return Ok(symmetric::solve(problem, &graph, asked, watch));
        }
        let aim = aim_of(problem, &graph);
        let fold = Fold::new(&graph, Symmetry::Identity, None);
        let spent = Spent::default();
        let outcome = match search(&fold, &aim, watch, &spent, &|_| true) {
            Ok(Searched::Found(tour)) => {
                Outcome::Solved(Tour(read_off(problem, fold.unfold(Sense::Kept, &tour))))
            }
            Ok(Searched::Exhausted(nodes)) => {
                Outcome::Impossible(Obstacle::Exhausted { method: NAME.to_owned(), nodes })
            }
            Err(why) => Outcome::Unfinished { why, best: None },
        };
        Ok(spent.run(outcome))
    }
}

impl Search {
    /// A tour of four turned paths with the centre of an odd board where it is wanted. That there is none so is no
    /// reason for there being none.
    pub(crate) fn four_paths(
        problem: &TourProblem,
        centre: Centre,
        watch: &Watch,
    ) -> Result<Run<Tour>, SolveError> {
        problem.validate()?;
        let unsuited = |why: &str| Err(SolveError::Unsuited { method: NAME, why: why.to_owned() });
        if problem.symmetry != Some(TourSymmetry::FourPaths) {
            return unsuited("a place for the centre is for tours of four paths");
        }
        if problem.board.files().is_multiple_of(2) {
            return unsuited("a board of even sides has no square in its centre");
        }
        if let Some(obstacle) = reasons::plain(problem) {
            return Ok(Run::new(Outcome::Impossible(obstacle), 0));
        }
        let graph = KnightGraph::for_question(problem, MOST_SQUARES, NAME)?;
        if let Some(obstacle) = reasons::quick(problem, &graph) {
            return Ok(Run::new(Outcome::Impossible(obstacle), 0));
        }
        // The centre alone is the first square and the last, but lies between no two.
        let mut run = match (graph.len(), centre) {
            (1, Centre::Between) => {
                Run::new(Outcome::Unfinished { why: Halt::GaveUp, best: None }, 0)
            }
            (1, _) => Run::new(Outcome::Solved(Tour(graph.squares_of(&[0]))), 0),
            _ => four_paths::solve(problem, &graph, centre, watch),
        };
        if matches!(run.outcome, Outcome::Impossible(_)) {
            run.outcome = Outcome::Unfinished { why: Halt::GaveUp, best: None };
        }
        Ok(run)
    }
}

impl Search {
    pub(crate) fn enumerate(
        problem: &TourProblem,
        watch: &Watch,
        visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
    ) -> Result<Run<TourCount>, SolveError> {
        problem.validate()?;
        let mut count = 0_u64;
        let mut show = |tour: &Tour| {
            count += 1;
            visit(tour)
        };
        let (nodes, verdict) = if reasons::plain(problem).is_some() {
            (0, Ok(Verdict::Exhausted))
        } else {
            let graph = KnightGraph::for_question(problem, MOST_SQUARES, NAME)?;
            all(problem, &graph, watch, &mut show)
        };
        let count = TourCount::of_undirected(problem, count);
        let outcome = match verdict {
            Ok(Verdict::Exhausted) => Outcome::Solved(count),
            Ok(_) => Outcome::Unfinished { why: Halt::Asked, best: Some(count) },
            Err(why) => Outcome::Unfinished { why, best: Some(count) },
        };
        Ok(Run::new(outcome, nodes))
    }
}

impl Search {
    /// Counts the tours by listing them.
    pub(crate) fn count(
        problem: &TourProblem,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        Search::enumerate(problem, watch, &mut |_| ControlFlow::Continue(()))
    }
}

/// Shows every tour once.
fn all(
    problem: &TourProblem,
    graph: &KnightGraph,
    watch: &Watch,
    visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> (u64, Result<Verdict, Halt>) {
    if reasons::quick(problem, graph).is_some() {
        return (0, Ok(Verdict::Exhausted));
    }
    if graph.len() == 1 {
        let flow = visit(&Tour(graph.squares_of(&[0])));
        return (0, Ok(if flow.is_break() { Verdict::Ended } else { Verdict::Exhausted }));
    }
    if let Some(asked) = problem.symmetry {
        return symmetric::all(problem, graph, asked, watch, visit);
    }
    let aim = aim_of(problem, graph);
    let fold = Fold::new(graph, Symmetry::Identity, None);
    all_of(&fold, &aim, watch, &mut |tour| {
        visit(&as_listed(problem, graph, fold.unfold(Sense::Kept, tour)))
    })
}

/// What the question asks of the graph: a cycle, or a path between squares that can be its ends.
fn aim_of(problem: &TourProblem, graph: &KnightGraph) -> Aim {
    let aim = Aim::of(problem, graph).expect("the ends of a closed tour were looked at before");
    let Some((starts, ends)) = aim.ends().filter(|_| problem.shape == Shape::Open) else {
        return aim;
    };
    let (mut starts, mut ends) = (starts.to_vec(), ends.to_vec());
    // Where the colours are known, ends of the wrong colour need not be offered.
    if problem.board.is_two_coloured(problem.leaper) {
        let (dark, light) = problem.board.colours();
        let first_dark = problem.start.map(Square::is_dark).or_else(|| {
            problem.end.map(|end| if dark == light { !end.is_dark() } else { end.is_dark() })
        });
        let first_dark = first_dark.unwrap_or(dark >= light);
        let last_dark = if dark == light { !first_dark } else { first_dark };
        starts.retain(|&v| graph.square(v).is_dark() == first_dark);
        ends.retain(|&v| graph.square(v).is_dark() == last_dark);
    }
    // A square with a single jump is an end of every tour: the walks do well to know it.
    for dead in graph.vertices().filter(|&v| graph.len() > 1 && graph.degree(v) == 1) {
        if starts == [dead] || ends == [dead] {
            continue;
        }
        if starts.len() > 1 && starts.contains(&dead) {
            starts = vec![dead];
        } else if ends.len() > 1 && ends.contains(&dead) {
            ends = vec![dead];
        }
    }
    if starts == ends { Aim::PathAmong(ends) } else { Aim::Path { starts, ends } }
}

/// Turns a closed tour so that it begins, or ends, where the question says; an open one may be run
/// the other way for that.
pub(crate) fn read_off(problem: &TourProblem, mut squares: Vec<Square>) -> Vec<Square> {
    if problem.shape == Shape::Closed {
        let place = |square| squares.iter().position(|&s| s == square);
        match (problem.start, problem.end) {
            (Some(start), end) => {
                let at = place(start).unwrap_or(0);
                squares.rotate_left(at);
                // A cycle has no direction of its own: it is run so that it ends where it should.
                if end.is_some() && end.as_ref() == squares.get(1) {
                    squares[1..].reverse();
                }
            }
            (None, Some(end)) => {
                let at = place(end).map_or(0, |at| at + 1);
                squares.rotate_left(at);
            }
            _ => {}
        }
    } else {
        let wrong =
            |asked: Option<Square>, is: Option<&Square>| asked.is_some() && asked.as_ref() != is;
        if wrong(problem.start, squares.first()) || wrong(problem.end, squares.last()) {
            squares.reverse();
        }
    }
    squares
}

/// A tour as lists show it: a closed one from the first square of the board, or from where the question
/// says, towards the smaller neighbour; an open one from its smaller end.
pub(crate) fn as_listed(problem: &TourProblem, graph: &KnightGraph, squares: Vec<Square>) -> Tour {
    let mut squares = read_off(problem, squares);
    if problem.is_one_way() {
        return Tour(squares);
    }
    let last = squares.len() - 1;
    match problem.shape {
        Shape::Open if squares[last] < squares[0] => squares.reverse(),
        Shape::Open => {}
        Shape::Closed => {
            let home = problem.start.or(problem.end).unwrap_or_else(|| graph.square(0));
            let at = squares.iter().position(|&s| s == home).unwrap_or(0);
            squares.rotate_left(at);
            if squares[last] < squares[1] {
                squares[1..].reverse();
            }
            if problem.start.is_none() && problem.end.is_some() {
                squares.rotate_left(1);
            }
        }
    }
    Tour(squares)
}

/// Shows every cycle or path of an aim once; says whether all were seen, or why not.
fn all_of(
    fold: &Fold,
    aim: &Aim,
    watch: &Watch,
    visit: &mut dyn FnMut(&FoldedTour) -> ControlFlow<()>,
) -> (u64, Result<Verdict, Halt>) {
    if let Some(tour) = aim.of_one_orbit(fold) {
        let flow = visit(&tour);
        return (0, Ok(if flow.is_break() { Verdict::Ended } else { Verdict::Exhausted }));
    }
    let graph = CycleGraph::new(fold, aim);
    let mut edges = EdgeSearch::new(&graph);
    let verdict = edges.run(u64::MAX, None, &mut Racer::alone(watch), &mut |tour| visit(&tour));
    (edges.nodes(), verdict)
}
