//! Any board: holes, joined edges, any leaper. Decided exactly where it is small, found by luck where large.
//!
//! Reasons that can be counted come first. Then the hunt: a complete search with forced edges and a check
//! of connection, and walks with rotations for what is large. Ends that the question fixes become the
//! ends of a path; a closed tour is a cycle, read off from wherever the question wants.
//!
//! Invariant: "none" is said with a reason that can be counted, or after a complete search.
//! Cost: 8×8 with holes well under a millisecond; a proof of "none" can take exponential time.
//! Source: see `weave.rs` and `rotation.rs`.

mod fold;
mod four_paths;
mod hunt;
mod matching;
pub(super) mod quotient;
pub(super) mod reasons;
mod rotation;
mod symmetric;
mod weave;
mod web;

pub use reasons::obstacle;

use std::ops::ControlFlow;

use destrier_rules::{Obstacle, Problem, Shape, Square, Symmetry, Tour, TourProblem};

use self::fold::Fold;
use self::hunt::{Quarry, Spent, alone, hunt};
use self::quotient::Lap;
use self::weave::{Verdict, Weave};
use self::web::{Aim, Web};
use crate::count::{TourCount, is_one_way};
use crate::graph::KnightGraph;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};
use crate::tour::lanes::Lane;

/// The strong search: any board, any leaper, any symmetry.
#[derive(Clone, Copy, Debug)]
pub struct Search;

pub(crate) const NAME: &str = "search";
/// Above this the folded board and its edges would take more than a gigabyte.
const MOST_SQUARES: u64 = 1 << 22;

impl Search {
    pub(crate) fn solve(
        &self,
        problem: &TourProblem,
        watch: &Watch,
    ) -> Result<Run<Tour>, SolveError> {
        problem.validate()?;
        let impossible = |obstacle| Ok(Run::new(Outcome::Impossible(obstacle), 0));
        if let Some(obstacle) = reasons::plain(problem) {
            return impossible(obstacle);
        }
        let graph = graph_of(problem, NAME, MOST_SQUARES)?;
        if let Some(obstacle) = reasons::quick(problem, &graph) {
            return impossible(obstacle);
        }
        if graph.len() == 1 {
            return Ok(Run::new(Outcome::Solved(Tour(graph.squares_of(&[0]))), 0));
        }
        if let Some(asked) = problem.symmetry {
            return Ok(symmetric::solve(problem, &graph, asked, watch));
        }
        let aim = match aim_of(problem, &graph) {
            Ok(aim) => aim,
            Err(obstacle) => return impossible(obstacle),
        };
        let fold = Fold::new(problem, &graph, Symmetry::Identity, None);
        let spent = Spent::default();
        let quarry = hunt(&fold.quotient, &fold.reach, &aim, watch, &spent, &|_| true);
        let outcome = match quarry {
            Ok(Quarry::Found(lap)) => {
                let squares = lap.stops.iter().map(|&stop| fold.named(stop, 0)).collect();
                Outcome::Solved(Tour(read_off(problem, squares)))
            }
            Ok(Quarry::Nothing(nodes)) => {
                Outcome::Impossible(Obstacle::Exhausted { method: NAME.to_owned(), nodes })
            }
            Err(why) => Outcome::Unfinished { why, best: None },
        };
        Ok(spent.run(outcome))
    }
}

impl Search {
    pub(crate) fn enumerate(
        &self,
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
            all(problem, &graph_of(problem, NAME, MOST_SQUARES)?, watch, &mut show)
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
        self,
        problem: &TourProblem,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        self.enumerate(problem, watch, &mut |_| ControlFlow::Continue(()))
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
    let Ok(aim) = aim_of(problem, graph) else { return (0, Ok(Verdict::Exhausted)) };
    let fold = Fold::new(problem, graph, Symmetry::Identity, None);
    // Between equal sets of ends each path comes both ways round.
    let twice = matches!(&aim, Aim::Path { starts, ends } if starts == ends && starts.len() > 1);
    all_of(&fold, &aim, watch, &mut |lap| {
        if twice && lap.stops[0].orbit > lap.stops[lap.stops.len() - 1].orbit {
            return ControlFlow::Continue(());
        }
        let squares = lap.stops.iter().map(|&stop| fold.named(stop, 0)).collect();
        visit(&as_listed(problem, graph, squares))
    })
}

/// The graph of a question's board, unless the board is too large for one.
pub(crate) fn graph_of(
    problem: &TourProblem,
    method: &'static str,
    most: u64,
) -> Result<KnightGraph, SolveError> {
    let area = problem.board.area();
    if area > most {
        let why = format!("the board has {area} squares, and {most} is the most");
        return Err(SolveError::Unsuited { method, why });
    }
    Ok(KnightGraph::of(&problem.board, problem.leaper))
}

/// What the question asks of the graph: a cycle, or a path between sets of squares.
fn aim_of(problem: &TourProblem, graph: &KnightGraph) -> Result<Aim, Obstacle> {
    let one = |square: Square| vec![graph.vertex(square).expect("the question was looked at")];
    if problem.shape == Shape::Closed {
        let (Some(start), Some(end)) = (problem.start, problem.end) else {
            return Ok(Aim::Cycle { turns: 1 });
        };
        if graph.len() > 1 && !problem.is_jump(end, start) {
            let name = "closed tours".to_owned();
            let text =
                format!("the last square is a jump from the first, and {end} is none from {start}");
            return Err(Obstacle::Theorem { name, text });
        }
        return Ok(Aim::Path { starts: one(start), ends: one(end) });
    }
    // Where the colours are known, ends of the wrong colour need not be offered.
    let coloured = problem.board.is_two_coloured(problem.leaper);
    let (dark, light) = problem.board.colours();
    let first_dark = problem.start.map(Square::is_dark).or_else(|| {
        problem.end.map(|end| if dark == light { !end.is_dark() } else { end.is_dark() })
    });
    let first_dark = first_dark.unwrap_or(dark >= light);
    let last_dark = if dark == light { !first_dark } else { first_dark };
    let of = |colour: bool| {
        graph.vertices().filter(|&v| !coloured || graph.square(v).is_dark() == colour).collect()
    };
    let (mut starts, mut ends) = (
        problem.start.map_or_else(|| of(first_dark), one),
        problem.end.map_or_else(|| of(last_dark), one),
    );
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
    Ok(Aim::Path { starts, ends })
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
    if is_one_way(problem) {
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
pub(crate) fn all_of(
    fold: &Fold,
    aim: &Aim,
    watch: &Watch,
    visit: &mut dyn FnMut(&Lap) -> ControlFlow<()>,
) -> (u64, Result<Verdict, Halt>) {
    if let Some(lap) = alone(&fold.quotient, aim) {
        let flow = visit(&lap);
        return (0, Ok(if flow.is_break() { Verdict::Ended } else { Verdict::Exhausted }));
    }
    let web = Web::new(&fold.quotient, aim);
    let mut weave = Weave::new(&web);
    let verdict = weave.run(u64::MAX, None, &mut Lane::alone(watch), &mut |lap| visit(&lap));
    (weave.nodes(), verdict)
}
