//! The race: a thread for each first move from one start; the first tour wins.
//!
//! Somebody who watches sees all knights move at the same time, one step each in turn. For that they run one after the
//! other, each is logged, and the logs are interleaved; the walker with the fewest steps wins.
//!
//! Invariant: a race that was not complete ends as "gave up", never as "there is none".
//! Cost: that of a walk, times the first moves; watched, a few bytes for a step.
//! Source: a common exercise in parallel programming; algorithm portfolios, Gomes and Selman (2001).

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use destrier_rules::{Obstacle, Shape, Square, Tour, TourProblem};

use super::greedy::{Ended, Greedy, Moves, Pace, Route};
use super::{MoveOrder, Tally, Ties, Warnsdorff, ground, obstacle, reported, starts};
use crate::graph::{KnightGraph, Vertex};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::trace::{Look, Silent, Tracer};
use crate::run::watch::{Halt, Watch};
use crate::tour::racer::{Racer, first_of};
use crate::tour::search::read_off;

/// A thread for each first move from one start; the first tour wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Race {
    /// Roth's ties, stepping back from dead ends.
    #[default]
    Backtracking,
    /// Warnsdorff's ties; a thread ends at its first dead end.
    Plain,
}

/// The most steps of a knight that are logged.
const MOST_LOGGED: usize = 1 << 15;

/// Where the race is run.
struct Course<'p> {
    problem: &'p TourProblem,
    graph: KnightGraph,
    moves: Moves,
    start: Vertex,
}

impl Course<'_> {
    /// The squares that the knights go to first, one each.
    fn firsts(&self) -> &[Vertex] {
        self.moves.from(self.start)
    }

    /// Lets a knight run: how it ended, on which squares, and what happened on the way.
    fn run<T: Tracer>(
        &self,
        number: usize,
        pace: Pace,
        racer: &mut Racer,
        tracer: &mut T,
    ) -> (Result<Ended, Halt>, Vec<Vertex>, Tally) {
        let mut walk = Greedy::new(&self.graph, &self.moves);
        let route = Route::of(self.problem, &self.graph, self.start);
        let route = Route { first: Some(self.firsts()[number]), ..route };
        let ended = walk.run(route, pace, racer, tracer);
        (ended, walk.path().to_vec(), walk.tally)
    }

    fn tour(&self, path: &[Vertex]) -> Outcome<Tour> {
        Outcome::Solved(Tour(read_off(self.problem, self.graph.squares_of(path))))
    }
}

impl Race {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Race::Backtracking => "race",
            Race::Plain => "race-plain",
        }
    }

    const fn pace(self) -> Pace {
        match self {
            Race::Backtracking => Warnsdorff::new(Ties::Roth).backtracking().pace(0),
            Race::Plain => Warnsdorff::new(Ties::MoveOrder).pace(0),
        }
    }

    /// The course of a question, or its answer where there is nothing to run for.
    fn course(
        self,
        problem: &TourProblem,
    ) -> Result<ControlFlow<Run<Tour>, Course<'_>>, SolveError> {
        if let Some(obstacle) = obstacle(problem, self.name())? {
            return Ok(ControlFlow::Break(Run::new(Outcome::Impossible(obstacle), 0)));
        }
        let (graph, moves) = ground(problem, MoveOrder::USUAL, self.name())?;
        let Some(start) = starts(problem, &graph).next() else {
            return Ok(ControlFlow::Break(Run::new(self.exhausted(0), 0)));
        };
        if graph.len() == 1 {
            let tour = Outcome::Solved(Tour(graph.squares_of(&[start])));
            return Ok(ControlFlow::Break(Run::new(tour, 1)));
        }
        Ok(ControlFlow::Continue(Course { problem, graph, moves, start }))
    }

    fn exhausted(self, nodes: u64) -> Outcome<Tour> {
        Outcome::Impossible(Obstacle::Exhausted { method: self.name().to_owned(), nodes })
    }

    /// What a race without a winner says.
    fn without_winner(self, problem: &TourProblem, all_ended: bool, nodes: u64) -> Outcome<Tour> {
        // From one start alone all tours can be seen, where the question names it or the tour is closed.
        let sees_all =
            problem.start.is_some() || (problem.shape == Shape::Closed && problem.end.is_none());
        if self == Race::Backtracking && sees_all && all_ended {
            self.exhausted(nodes)
        } else {
            Outcome::Unfinished { why: Halt::GaveUp, best: None }
        }
    }

    pub(crate) fn solve(
        self,
        problem: &TourProblem,
        watch: &Watch,
    ) -> Result<Run<Tour>, SolveError> {
        let course = match self.course(problem)? {
            ControlFlow::Break(run) => return Ok(run),
            ControlFlow::Continue(course) => course,
        };
        let tallies = Mutex::new(Tally::default());
        let late = AtomicBool::new(false);
        let raced = first_of(watch, course.firsts().len(), |number, racer| {
            racer.limit(watch.thread_limit());
            let (ended, path, walked) = course.run(number, self.pace(), racer, &mut Silent);
            if let Ok(mut tally) = tallies.lock() {
                tally.add(&walked);
            }
            // A thread whose own time is up leaves the race; the others go on.
            if ended == Err(Halt::GaveUp) {
                late.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            Ok((ended? == Ended::Tour).then_some(path))
        });
        let tally = tallies.into_inner().unwrap_or_default();
        let outcome = match raced {
            Ok(Some(path)) => course.tour(&path),
            Ok(None) => self.without_winner(problem, !late.into_inner(), tally.nodes),
            Err(why) => Outcome::Unfinished { why, best: None },
        };
        Ok(reported(outcome, &tally))
    }

    /// The same with a tracer; the knights move in turns. A race that is too long to be logged is traced as far
    /// as it was, and then run unwatched.
    pub(crate) fn trace<T: Tracer>(
        self,
        problem: &TourProblem,
        watch: &Watch,
        tracer: &mut T,
    ) -> Result<Run<Tour>, SolveError> {
        let course = match self.course(problem)? {
            ControlFlow::Break(run) => return Ok(run),
            ControlFlow::Continue(course) => course,
        };
        let mut racer = Racer::alone(watch);
        let (mut logs, mut tally, mut most) = (Vec::new(), Tally::default(), MOST_LOGGED);
        let (mut winner, mut cut, mut halted) = (None, false, None);
        for number in 0..course.firsts().len() {
            let mut log = Log { events: Vec::new(), most };
            let (ended, path, walked) = course.run(number, self.pace(), &mut racer, &mut log);
            tally.add(&walked);
            match ended {
                Ok(Ended::Tour) if log.events.len() < most || winner.is_none() => {
                    (winner, most) = (Some(path), log.events.len());
                }
                Ok(Ended::BrokenOff) => cut = true,
                Ok(_) => {}
                Err(halt) => halted = Some(halt),
            }
            logs.push(log.events);
            if halted.is_some() {
                break;
            }
        }
        if tell(&logs, most, tracer).is_break() {
            return Ok(reported(Outcome::Unfinished { why: Halt::Asked, best: None }, &tally));
        }
        let outcome = match (winner, halted) {
            (Some(path), _) => course.tour(&path),
            (None, Some(why)) => Outcome::Unfinished { why, best: None },
            (None, None) if cut => return self.solve(problem, watch),
            (None, None) => self.without_winner(problem, true, tally.nodes),
        };
        Ok(reported(outcome, &tally))
    }
}

/// A step of a knight.
#[derive(Clone, Copy)]
enum Event {
    Begin,
    Visit(usize, Square),
    Retreat(usize, Square),
    Found(usize),
}

/// Keeps the steps of a knight, and breaks off when there are too many.
struct Log {
    events: Vec<Event>,
    most: usize,
}

impl Log {
    fn keep(&mut self, event: Event) -> ControlFlow<()> {
        self.events.push(event);
        if self.events.len() < self.most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

impl Tracer for Log {
    fn begin(&mut self, _: u64) -> ControlFlow<()> {
        self.keep(Event::Begin)
    }
    fn turn(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn visit(&mut self, step: usize, square: Square) -> ControlFlow<()> {
        self.keep(Event::Visit(step, square))
    }
    fn retreat(&mut self, step: usize, square: Square) -> ControlFlow<()> {
        self.keep(Event::Retreat(step, square))
    }
    fn found(&mut self, steps: usize) -> ControlFlow<()> {
        self.keep(Event::Found(steps))
    }
    fn look(&mut self, _: Look) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Tells what the knights do, a step each in turn, to this many steps of each or the first tour.
fn tell<T: Tracer>(logs: &[Vec<Event>], most: usize, tracer: &mut T) -> ControlFlow<()> {
    for round in 0..most {
        let mut is_over = true;
        for (number, log) in logs.iter().enumerate() {
            let Some(&event) = log.get(round) else { continue };
            is_over = false;
            tracer.turn(number)?;
            match event {
                Event::Begin => tracer.begin(1),
                Event::Visit(step, square) => tracer.visit(step, square),
                Event::Retreat(step, square) => tracer.retreat(step, square),
                // The others stop here, even one that would be there with its next step.
                Event::Found(steps) => return tracer.found(steps),
            }?;
        }
        if is_over {
            break;
        }
    }
    ControlFlow::Continue(())
}
