//! The classic methods by name: Warnsdorff, Pohl, Roth, the random walk, and the races of the first moves.
//!
//! All walk to the square with the fewest exits ([`Greedy`]); they differ in how they break ties. Each steps back
//! from dead ends if asked to. Without a start in the question, the walk is tried from each square
//! of the right colour in turn. The race walks from one start, a thread for each first move, with
//! Roth's ties and stepping back; the first tour ends it. Its plain form has Warnsdorff's ties and does not step back.
//!
//! Invariant: a walk that was not complete ends as "gave up", never as "there is none".
//! Cost: linear in the board for a walk; with stepping back, whatever the limit allows.
//! Uses: `graph`, `run`, and of `search` its reasons against any tour.
//! Source: see `greedy.rs`.

mod greedy;
mod race;

pub use greedy::{MoveOrder, MoveOrderError, Tally, Ties};
pub use race::Race;

use destrier_rules::{Obstacle, Problem, Shape, Square, Tour, TourProblem, Wrap};

use self::greedy::{Ended, Greedy, Moves, Pace, Route};
use crate::graph::{KnightGraph, Vertex};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::trace::{Silent, Tracer};
use crate::run::watch::{Halt, Watch};
use crate::tour::BYTES_PER_SQUARE;
use crate::tour::racer::Racer;
use crate::tour::search::{read_off, reasons};

/// Above this the graph and the order of moves would take more than two gigabytes.
const MOST_SQUARES: u64 = 1 << 24;

/// A walk by fewest exits, with its way of breaking ties.
///
/// ```
/// use destrier::{Board, Options, Solve, Ties, TourMethod, TourProblem, Warnsdorff};
///
/// let roth = TourMethod::Warnsdorff(Warnsdorff::new(Ties::Roth));
/// let answer = TourProblem::open(Board::new(8, 8)?).solve_by(roth, &Options::new())?;
/// assert_eq!(answer.effort.nodes, 64);
/// assert_eq!(answer.solved()?.len(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warnsdorff {
    ties: Ties,
    backtrack: bool,
    blind: bool,
    order: MoveOrder,
}

impl Warnsdorff {
    /// The walk that ends at its first dead end.
    #[must_use]
    pub const fn new(ties: Ties) -> Warnsdorff {
        Warnsdorff { ties, backtrack: false, blind: false, order: MoveOrder::USUAL }
    }

    /// The walk that goes anywhere, and ends at its first dead end.
    #[must_use]
    pub const fn random_walk() -> Warnsdorff {
        Warnsdorff { blind: true, ..Warnsdorff::new(Ties::Random) }
    }

    /// Does it draw random numbers?
    #[must_use]
    pub const fn is_random(self) -> bool {
        matches!(self.ties, Ties::Random)
    }

    const fn pace(self, seed: u64) -> Pace {
        Pace { ties: self.ties, backtrack: self.backtrack, blind: self.blind, seed }
    }

    /// The walk that steps back from dead ends, until the watch halts it.
    #[must_use]
    pub const fn backtracking(self) -> Warnsdorff {
        Warnsdorff { backtrack: true, ..self }
    }

    /// The walk that tries the moves in this order, where all else is equal.
    #[must_use]
    pub const fn in_order(self, order: MoveOrder) -> Warnsdorff {
        Warnsdorff { order, ..self }
    }

    /// The name, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.ties {
            _ if self.blind => "random-walk",
            Ties::Pohl => "pohl",
            Ties::Roth => "roth",
            Ties::MoveOrder | Ties::Centre | Ties::Random => "warnsdorff",
        }
    }

    pub(crate) const fn about(self) -> &'static str {
        match self.ties {
            _ if self.blind => "goes anywhere at random; the worst baseline, gives up at once",
            Ties::Centre => "fewest exits first, ties nearest to the centre; may give up",
            Ties::Random => "fewest exits first, ties at random; may give up",
            Ties::MoveOrder => "fewest exits first, ties by the fixed order of moves; may give up",
            Ties::Pohl => "fewest exits first, ties by the exits beyond; may give up",
            Ties::Roth => "fewest exits first, ties farthest from the centre; may give up",
        }
    }

    /// Walks once from each of these starts: was it a tour, and what happened on the way?
    ///
    /// The question's own start is put aside. Where the question itself is impossible, so is every walk.
    ///
    /// # Errors
    /// When the question is not one for it, or a start is no square of the board.
    pub fn survey(
        &self,
        problem: &TourProblem,
        starts: &[Square],
        watch: &Watch,
    ) -> Result<Vec<(bool, Tally)>, SolveError> {
        let needs = problem.board.area().saturating_mul(BYTES_PER_SQUARE);
        if needs > watch.room() {
            return Err(SolveError::Unsuited { method: self.name(), why: watch.needs(needs) });
        }
        let everywhere = TourProblem { start: None, ..problem.clone() };
        for &start in starts {
            everywhere.clone().starting_at(start).validate()?;
        }
        if obstacle(&everywhere, self.name())?.is_some() {
            return Ok(vec![(false, Tally::default()); starts.len()]);
        }
        let (graph, moves) = ground(&everywhere, self.order, self.name())?;
        let mut racer = Racer::alone(watch);
        let pace = self.pace(watch.seed());
        let mut walk = Greedy::new(&graph, &moves);
        let seen = starts.iter().filter_map(|&start| graph.vertex(start)).map(|start| {
            walk.tally = Tally::default();
            let route = Route::of(&everywhere, &graph, start);
            let ended = walk.run(route, pace, &mut racer, &mut Silent);
            (ended == Ok(Ended::Tour), walk.tally)
        });
        Ok(seen.collect())
    }

    /// Walks, and reports every step to the tracer.
    ///
    /// # Errors
    /// When the question is not one for it.
    pub fn trace<T: Tracer>(
        &self,
        problem: &TourProblem,
        watch: &Watch,
        tracer: &mut T,
    ) -> Result<Run<Tour>, SolveError> {
        let method = self.name();
        if let Some(obstacle) = obstacle(problem, method)? {
            return Ok(Run::new(Outcome::Impossible(obstacle), 0));
        }
        let (graph, moves) = ground(problem, self.order, method)?;
        let mut walk = Greedy::new(&graph, &moves);
        let mut racer = Racer::alone(watch);
        let pace = self.pace(watch.seed());
        let mut complete = true;
        let mut halted = Halt::GaveUp;
        for start in starts(problem, &graph) {
            match walk.run(Route::of(problem, &graph, start), pace, &mut racer, tracer) {
                Ok(Ended::Tour) => {
                    let squares = read_off(problem, graph.squares_of(walk.path()));
                    return Ok(reported(Outcome::Solved(Tour(squares)), &walk.tally));
                }
                // A closed tour passes every square: one start is enough.
                Ok(Ended::Exhausted) if problem.shape == Shape::Closed && problem.end.is_none() => {
                    break;
                }
                Ok(Ended::Exhausted) => {}
                Ok(Ended::GaveUp) => complete = false,
                Ok(Ended::BrokenOff) => {
                    (complete, halted) = (false, Halt::Asked);
                    break;
                }
                Err(halt) => {
                    (complete, halted) = (false, halt);
                    break;
                }
            }
        }
        let nodes = walk.tally.nodes;
        let outcome = if complete {
            Outcome::Impossible(Obstacle::Exhausted { method: method.to_owned(), nodes })
        } else {
            Outcome::Unfinished { why: halted, best: None }
        };
        Ok(reported(outcome, &walk.tally))
    }
}

/// Why no walk can answer the question, as far as that is seen at once.
///
/// # Errors
/// When the question is not one for a walk.
fn obstacle(problem: &TourProblem, method: &'static str) -> Result<Option<Obstacle>, SolveError> {
    problem.validate()?;
    if problem.symmetry.is_some() {
        let why = "it does not support symmetries; `search` does".to_owned();
        return Err(SolveError::Unsuited { method, why });
    }
    let tiny = problem.shape == Shape::Closed && problem.board.len() < 3;
    let stranded = || Obstacle::DeadEnds { squares: problem.board.squares().take(1).collect() };
    Ok(reasons::plain(problem).or_else(|| tiny.then(stranded)))
}

/// The graph and the order of moves.
fn ground(
    problem: &TourProblem,
    order: MoveOrder,
    method: &'static str,
) -> Result<(KnightGraph, Moves), SolveError> {
    if order != MoveOrder::USUAL && problem.board.wrap() != Wrap::None {
        let why = "an order of moves is for boards without joined edges".to_owned();
        return Err(SolveError::Unsuited { method, why });
    }
    let graph = KnightGraph::for_question(problem, MOST_SQUARES, method)?;
    let moves = Moves::new(problem, &graph, order);
    Ok((graph, moves))
}

/// The starts to walk from: the one asked for, or each of a colour that can begin a tour.
fn starts<'g>(
    problem: &'g TourProblem,
    graph: &'g KnightGraph,
) -> Box<dyn Iterator<Item = Vertex> + 'g> {
    if let Some(start) = problem.start.and_then(|start| graph.vertex(start)) {
        return Box::new(std::iter::once(start));
    }
    let (dark, light) = problem.board.colours();
    let coloured = problem.board.is_two_coloured(problem.leaper);
    // A closed tour can be begun anywhere; one that must end somewhere begins after that square.
    let fits = move |square: Square| match (problem.shape, problem.end) {
        (Shape::Closed, Some(end)) => problem.is_jump(end, square),
        (Shape::Closed, None) => true,
        (Shape::Open, _) if !coloured => true,
        (Shape::Open, Some(end)) => (square.is_dark() == end.is_dark()) == (dark != light),
        (Shape::Open, None) => dark == light || square.is_dark() == (dark > light),
    };
    let all = graph.vertices().filter(move |&v| {
        let square = graph.square(v);
        fits(square) && (problem.end != Some(square) || graph.len() == 1)
    });
    Box::new(all)
}

/// A run with the numbers of a walk.
fn reported(outcome: Outcome<Tour>, tally: &Tally) -> Run<Tour> {
    let mut run = Run::new(outcome, tally.nodes)
        .with_detail("walks", tally.walks)
        .with_detail("dead ends", tally.dead_ends)
        .with_detail("ties", tally.ties);
    if tally.first_failure > 0 {
        run = run.with_detail("steps to the first dead end", tally.first_failure);
    }
    run
}
