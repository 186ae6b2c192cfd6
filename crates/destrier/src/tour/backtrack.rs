//! Tours by backtracking that looks one step ahead.
//!
//! Each unvisited square keeps the number of ways by which a tour could still pass it: unvisited
//! neighbours, the walk's head, and a closed tour's start. A square left with none is lost; one left
//! with a single way must be the end of the tour, so two such are too many, and a closed tour bears
//! none. When only one tour is wanted, the square with the fewest ways is tried first (Warnsdorff).
//!
//! Invariant: `ways[v]` is right for every unvisited `v`; a retreat restores exactly what the advance
//! took.
//! Cost: exponential at worst, with a far smaller base than trying everything.
//! Source: Pohl, CACM 10 (1967), for the counts of ways.

use std::ops::ControlFlow;

use destrier_rules::{Problem as _, Shape, Square, Tour, TourProblem};

use crate::graph::{KnightGraph, Vertex};
use crate::outcome::SolveError;
use crate::run::trace::Tracer;
use crate::run::watch::{Halt, Ticker};
use crate::tour::walk::{Request, Visitor, Walk, longer};

/// Backtracks as soon as a square can no longer be passed.
#[derive(Debug)]
pub(crate) struct Backtrack;

impl Walk for Backtrack {
    const NAME: &'static str = "backtrack";

    fn walk<T: Tracer>(
        &self,
        problem: &TourProblem,
        graph: &KnightGraph,
        request: Request<'_>,
        ticker: &mut Ticker<'_>,
        visit: &mut Visitor<'_>,
        tracer: &mut T,
    ) -> Result<ControlFlow<()>, Halt> {
        for (attempt, start) in (1..).zip(request.starts(problem, graph)) {
            if tracer.begin(attempt).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let flow = Search::new(problem, graph, start, request).run(ticker, visit, tracer)?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The part of the search below one beginning: parts can be searched apart.
#[derive(Clone, Debug)]
pub(crate) struct Below {
    beginning: Vec<Square>,
}

impl Below {
    /// The part whose walks begin with these squares, as [`Backtrack::parts`] gives them.
    #[must_use]
    pub(crate) fn new(beginning: Vec<Square>) -> Below {
        Below { beginning }
    }
}

impl Walk for Below {
    const NAME: &'static str = Backtrack::NAME;

    fn walk<T: Tracer>(
        &self,
        problem: &TourProblem,
        graph: &KnightGraph,
        request: Request<'_>,
        ticker: &mut Ticker<'_>,
        visit: &mut Visitor<'_>,
        tracer: &mut T,
    ) -> Result<ControlFlow<()>, Halt> {
        let beginning: Vec<Vertex> =
            self.beginning.iter().filter_map(|&square| graph.vertex(square)).collect();
        // A count falls into parts of its own: those that do not begin like this have nothing here.
        if beginning.iter().zip(request.prefix).any(|(ours, theirs)| ours != theirs) {
            return Ok(ControlFlow::Continue(()));
        }
        let longer = request.prefix.len() > beginning.len();
        let request = if longer { request } else { Request { prefix: &beginning, ..request } };
        Backtrack.walk(problem, graph, request, ticker, visit, tracer)
    }
}

impl Backtrack {
    /// Beginnings of walks, at least this many if the board has them, in the order of the search: the tours
    /// below them, one part after the other, are all tours in the usual order.
    ///
    /// # Errors
    /// When the board is too large.
    pub(crate) fn parts(
        problem: &TourProblem,
        enough: usize,
    ) -> Result<Vec<Vec<Square>>, SolveError> {
        let graph = Backtrack.graph(problem)?;
        let starts = Request::default().starts(problem, &graph);
        let mut level: Vec<Vec<Vertex>> = starts.into_iter().map(|start| vec![start]).collect();
        let mut length = 1;
        while level.len() < enough && 2 * length < graph.len() {
            level = level.iter().flat_map(|prefix| longer(&graph, prefix)).collect();
            length += 1;
        }
        Ok(level.iter().map(|walk| graph.squares_of(walk)).collect())
    }
}

/// The search from one start.
struct Search<'s> {
    problem: &'s TourProblem,
    graph: &'s KnightGraph,
    request: Request<'s>,
    start: Vertex,
    end: Option<Vertex>,
    walk: Vec<Vertex>,
    visited: Vec<bool>,
    /// How many ways lead through each unvisited square.
    ways: Vec<u8>,
    /// Unvisited squares with a single way left.
    single: u32,
    /// The jumps still to be tried at each step, the next one last, in one stack…
    choices: Vec<Vertex>,
    /// … and where each step's share of it begins.
    begins: Vec<usize>,
}

impl<'s> Search<'s> {
    fn new(
        problem: &'s TourProblem,
        graph: &'s KnightGraph,
        start: Vertex,
        request: Request<'s>,
    ) -> Self {
        let ways = graph.vertices().map(|v| u8::try_from(graph.degree(v)).unwrap_or(u8::MAX));
        let mut search = Search {
            problem,
            graph,
            request,
            start,
            end: problem.end.and_then(|end| graph.vertex(end)),
            walk: Vec::with_capacity(graph.len()),
            visited: vec![false; graph.len()],
            ways: ways.collect(),
            single: 0,
            choices: Vec::with_capacity(graph.len() * 4),
            begins: Vec::with_capacity(graph.len()),
        };
        let narrow = |v: &Vertex| *v != start && search.ways[*v as usize] == 1;
        search.single = u32::try_from(graph.vertices().filter(narrow).count()).unwrap_or(u32::MAX);
        search
    }

    fn run<T: Tracer>(
        mut self,
        ticker: &mut Ticker<'_>,
        visit: &mut Visitor<'_>,
        tracer: &mut T,
    ) -> Result<ControlFlow<()>, Halt> {
        let lost = self.graph.len() > 1 && self.ways.contains(&0);
        if lost || !self.can_finish() {
            return Ok(ControlFlow::Continue(()));
        }
        ticker.tick()?;
        self.enter(self.start);
        self.list_choices();
        if self.report(|step, at| tracer.visit(step, at)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        loop {
            if self.walk.len() == self.graph.len() && self.is_tour() {
                let flow = visit(&self.walk);
                if flow.is_break() {
                    return Ok(flow);
                }
            }
            let Some(&begin) = self.begins.last() else { return Ok(ControlFlow::Continue(())) };
            if self.choices.len() > begin
                && let Some(next) = self.choices.pop()
            {
                ticker.tick()?;
                let can_finish = self.advance(next);
                if self.report(|step, at| tracer.visit(step, at)).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                if can_finish {
                    self.list_choices();
                    continue;
                }
            } else {
                self.begins.pop();
            }
            if self.report(|step, at| tracer.retreat(step, at)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.retreat();
        }
    }

    /// Reports the latest step of the walk.
    fn report(&self, to: impl FnOnce(usize, Square) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.walk.last() {
            Some(&last) => to(self.walk.len(), self.graph.square(last)),
            None => ControlFlow::Continue(()),
        }
    }

    /// Are there few enough squares with a single way, and is it the right one?
    fn can_finish(&self) -> bool {
        match self.problem.shape {
            Shape::Closed => self.single == 0,
            Shape::Open => self.single <= 1,
        }
    }

    fn is_tour(&self) -> bool {
        let last = self.walk[self.walk.len() - 1];
        let closes = self.problem.shape == Shape::Open
            || (self.walk.len() > 2 && self.graph.neighbours(last).contains(&self.start));
        let ends = self.end.is_none_or(|end| end == last);
        // This search knows nothing of symmetries; the checker does.
        closes
            && ends
            && (self.problem.symmetry.is_none()
                || self.problem.verify(&Tour(self.graph.squares_of(&self.walk))).is_ok())
    }

    fn enter(&mut self, v: Vertex) {
        self.visited[v as usize] = true;
        if self.ways[v as usize] == 1 && v != self.start {
            self.single -= 1;
        }
        self.walk.push(v);
    }

    /// Does a square keep its way to this one after the walk has left it?
    fn keeps_its_ways(&self, left: Vertex) -> bool {
        self.problem.shape == Shape::Closed && left == self.start
    }

    /// Goes to an unvisited neighbour of the head; can a tour still come of it? Retreat either way.
    fn advance(&mut self, next: Vertex) -> bool {
        let left = self.walk[self.walk.len() - 1];
        self.enter(next);
        let mut lost = false;
        if !self.keeps_its_ways(left) {
            for &v in self.graph.neighbours(left) {
                if !self.visited[v as usize] {
                    let ways = &mut self.ways[v as usize];
                    *ways -= 1;
                    match *ways {
                        0 => {
                            lost = true;
                            self.single -= 1;
                        }
                        1 => self.single += 1,
                        _ => {}
                    }
                }
            }
        }
        let early = Some(next) == self.end && self.walk.len() < self.graph.len();
        !lost && !early && self.can_finish()
    }

    fn retreat(&mut self) {
        let Some(last) = self.walk.pop() else { return };
        if let Some(&left) = self.walk.last()
            && !self.keeps_its_ways(left)
        {
            for &v in self.graph.neighbours(left) {
                if !self.visited[v as usize] {
                    let ways = &mut self.ways[v as usize];
                    *ways += 1;
                    match *ways {
                        1 => self.single += 1,
                        2 => self.single -= 1,
                        _ => {}
                    }
                }
            }
        }
        self.visited[last as usize] = false;
        if self.ways[last as usize] == 1 && last != self.start {
            self.single += 1;
        }
    }

    /// Lists the head's unvisited neighbours, the first to be tried on top.
    fn list_choices(&mut self) {
        let begin = self.choices.len();
        self.begins.push(begin);
        let Some(&head) = self.walk.last() else { return };
        let step = self.walk.len();
        let free = |v: &&Vertex| !self.visited[**v as usize] && self.request.allows(step, **v);
        let free = self.graph.neighbours(head).iter().rev().filter(free);
        self.choices.extend(free);
        if self.request.any {
            let ways = &self.ways;
            self.choices[begin..].sort_by_key(|&v| std::cmp::Reverse(ways[v as usize]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::watch::Watch;
    use crate::tour::walk;
    use destrier_rules::Board;

    fn listed<W: Walk>(method: &W, question: &TourProblem) -> Vec<Tour> {
        let mut tours = Vec::new();
        let visit = &mut |tour: &Tour| {
            tours.push(tour.clone());
            ControlFlow::Continue(())
        };
        let run = walk::list(method, question, &Watch::unlimited(), visit).unwrap();
        assert!(run.outcome.so_far().1.is_none(), "it went to its end");
        tours
    }

    #[test]
    fn the_parts_of_a_search_are_the_search() {
        let (three, five) = (Board::new(3, 4).unwrap(), Board::new(5, 6).unwrap());
        for question in [TourProblem::open(three), TourProblem::closed(five)] {
            let whole = listed(&Backtrack, &question);
            assert!(!whole.is_empty());
            for enough in [1, 2, 10, 100, 1000] {
                let parts = Backtrack::parts(&question, enough).unwrap();
                let cut: Vec<Tour> = parts
                    .into_iter()
                    .flat_map(|part| listed(&Below::new(part), &question))
                    .collect();
                assert_eq!(cut, whole, "{enough} parts or more");
            }
        }
    }
}
