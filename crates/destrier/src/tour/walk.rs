//! Searches that walk square by square: one walk serves finding, listing and counting.
//!
//! A method says how it walks ([`Walk::walk`]); what becomes of each whole walk is the same for all.
//! A walk that is listed or counted represents its tour in both directions: of an open tour's two ends
//! the smaller comes first, and a closed tour leaves its first square towards the smaller neighbour,
//! unless the question itself names the ends.

use std::ops::{ControlFlow, Range};

use destrier_rules::{Obstacle, Shape, Tour, TourProblem};
use num_bigint::BigUint;

use crate::graph::{KnightGraph, Vertex};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::options::Schedule;
use crate::run::threads;
use crate::run::trace::{Silent, Tracer};
use crate::run::watch::{Halt, Ticker, Watch};
use crate::tour_count::TourCount;

/// Which walks are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Request<'r> {
    /// One walk is all that is wanted: the order is free.
    pub(crate) any: bool,
    /// The squares that every walk begins with; none for all walks.
    pub(crate) prefix: &'r [Vertex],
}

impl Request<'_> {
    /// May this be the square of that step, counted from 0?
    pub(crate) fn allows(&self, step: usize, v: Vertex) -> bool {
        self.prefix.get(step).is_none_or(|&named| named == v)
    }

    /// The vertices from which walks must be tried: one for a closed tour, all for an open one.
    pub(crate) fn starts(&self, problem: &TourProblem, graph: &KnightGraph) -> Vec<Vertex> {
        let mut starts = starts(problem, graph);
        starts.retain(|&start| self.allows(0, start));
        starts
    }
}

/// What is done with each whole walk.
pub(crate) type Visitor<'v> = dyn FnMut(&[Vertex]) -> ControlFlow<()> + 'v;

/// A search that shows every directed tour that answers the question.
pub(crate) trait Walk: Sync {
    /// The name, as on the command line.
    const NAME: &'static str;

    /// Does it try every start, even those that a symmetry makes alike?
    const TRIES_EVERYTHING: bool = false;

    /// Shows the walks until all are shown, the visitor breaks off, or the ticker halts. Closed tours
    /// are shown from one square only.
    ///
    /// # Errors
    /// When the ticker halts.
    fn walk<T: Tracer>(
        &self,
        problem: &TourProblem,
        graph: &KnightGraph,
        request: Request<'_>,
        ticker: &mut Ticker<'_>,
        visit: &mut Visitor<'_>,
        tracer: &mut T,
    ) -> Result<ControlFlow<()>, Halt>;

    /// The graph of the question, if it is small enough.
    ///
    /// # Errors
    /// When it is not.
    fn graph(&self, problem: &TourProblem) -> Result<KnightGraph, SolveError> {
        KnightGraph::for_question(problem, KnightGraph::MOST_SQUARES, Self::NAME)
    }
}

/// Walks until one tour is found, and reports every step to the tracer.
///
/// # Errors
/// When the question is not one for the method.
pub(crate) fn find_one<W: Walk, T: Tracer>(
    method: &W,
    problem: &TourProblem,
    watch: &Watch,
    tracer: &mut T,
) -> Result<Run<Tour>, SolveError> {
    let graph = method.graph(problem)?;
    let mut ticker = watch.ticker();
    let mut found = None;
    let request = Request { any: true, ..Request::default() };
    let mut keep = |walk: &[Vertex]| {
        found = Some(Tour(graph.squares_of(walk)));
        ControlFlow::Break(())
    };
    let walked = method.walk(problem, &graph, request, &mut ticker, &mut keep, tracer);
    let nodes = ticker.nodes();
    let outcome = match (found, walked) {
        (Some(tour), _) => {
            let _ = tracer.found(tour.0.len());
            Outcome::Solved(tour)
        }
        (None, Ok(ControlFlow::Continue(()))) => {
            Outcome::Impossible(Obstacle::Exhausted { method: W::NAME.to_owned(), nodes })
        }
        // The tracer broke off.
        (None, Ok(ControlFlow::Break(()))) => Outcome::Unfinished { why: Halt::Asked, best: None },
        (None, Err(why)) => Outcome::Unfinished { why, best: None },
    };
    Ok(Run::new(outcome, nodes))
}

/// Shows each tour once until all are shown or the visitor breaks off; then the count is that of the tours so far.
///
/// # Errors
/// When the method does not support the question.
pub(crate) fn list<W: Walk>(
    method: &W,
    problem: &TourProblem,
    watch: &Watch,
    visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> Result<Run<TourCount>, SolveError> {
    let graph = method.graph(problem)?;
    let mut tour = Tour(Vec::new());
    Ok(each_once(method, problem, &graph, watch, &mut |walk| {
        tour.0.clear();
        tour.0.extend(walk.iter().map(|&v| graph.square(v)));
        visit(&tour)
    }))
}

/// Counts the tours.
///
/// # Errors
/// When the method does not support the question.
pub(crate) fn count<W: Walk>(
    method: &W,
    problem: &TourProblem,
    watch: &Watch,
) -> Result<Run<TourCount>, SolveError> {
    let graph = method.graph(problem)?;
    if graph.len() < 2 {
        return Ok(each_once(method, problem, &graph, watch, &mut |_| ControlFlow::Continue(())));
    }
    Ok(in_parts(method, problem, &graph, watch))
}

/// Smaller boards are done before a pool of threads would be up.
const SMALL: usize = 20;

/// Parts that a count falls into for each thread, at least, so that none waits long for another.
pub(crate) const PARTS: usize = 24;

/// A count that is cut into the beginnings of walks, each of which can be counted apart.
///
/// Starts of open tours that a symmetry of the board maps to each other have the same number of
/// tours, so one of each kind is tried, unless the method is to try everything.
pub(crate) struct Parts<'p, W: Walk> {
    method: &'p W,
    problem: &'p TourProblem,
    graph: &'p KnightGraph,
    beginnings: &'p [Beginning],
}

/// The first squares of walks, and the number of squares that its start stands for.
pub(crate) type Beginning = (Vec<Vertex>, u64);

/// What one part, or several together, come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    /// Tours, those from anywhere in both directions.
    pub(crate) count: BigUint,
    pub(crate) nodes: u64,
    pub(crate) halt: Option<Halt>,
}

impl Counted {
    /// Adds another part.
    pub(crate) fn add(&mut self, other: Counted) {
        self.count += other.count;
        self.nodes += other.nodes;
        self.halt = self.halt.or(other.halt);
    }
}

/// Beginnings in the order of the search: one for each start, or at least this many if the board has them.
pub(crate) fn beginnings<W: Walk>(
    _: &W,
    problem: &TourProblem,
    graph: &KnightGraph,
    enough: Option<usize>,
) -> Vec<Beginning> {
    let roots = if is_from_anywhere(problem) {
        kinds(problem, graph, W::TRIES_EVERYTHING)
    } else {
        starts(problem, graph).into_iter().map(|start| (start, 1)).collect()
    };
    let mut prefixes: Vec<Beginning> =
        roots.into_iter().map(|(start, squares)| (vec![start], squares)).collect();
    if let Some(enough) = enough.filter(|_| graph.len() >= SMALL) {
        for _ in 0..5 {
            if prefixes.len() >= enough {
                break;
            }
            let grown = |(prefix, squares): &Beginning| {
                let squares = *squares;
                longer(graph, prefix).into_iter().map(move |prefix| (prefix, squares))
            };
            prefixes = prefixes.iter().flat_map(grown).collect();
        }
    }
    prefixes
}

fn is_from_anywhere(problem: &TourProblem) -> bool {
    problem.shape == Shape::Open && problem.start.is_none()
}

impl<'p, W: Walk> Parts<'p, W> {
    /// The parts with these beginnings.
    pub(crate) const fn new(
        method: &'p W,
        problem: &'p TourProblem,
        graph: &'p KnightGraph,
        beginnings: &'p [Beginning],
    ) -> Parts<'p, W> {
        Parts { method, problem, graph, beginnings }
    }

    /// Counts the tours of one part.
    pub(crate) fn count(&self, number: usize, watch: &Watch) -> Counted {
        let (prefix, squares) = &self.beginnings[number];
        let (problem, graph) = (self.problem, self.graph);
        let from_anywhere = is_from_anywhere(problem);
        let start = graph.square(prefix[0]);
        let question =
            if from_anywhere { problem.clone().starting_at(start) } else { problem.clone() };
        let mut ticker = watch.ticker();
        let mut count = 0_u64;
        let mut show = |walk: &[Vertex]| {
            // From anywhere, a tour is met either way round, and the sum is halved.
            count += u64::from(from_anywhere || stands_for_its_tour(problem, walk));
            ControlFlow::Continue(())
        };
        let request = Request { any: false, prefix };
        let walked =
            self.method.walk(&question, graph, request, &mut ticker, &mut show, &mut Silent);
        // What it shares with the part before was counted there.
        let before = number.checked_sub(1).map_or(&[][..], |before| &self.beginnings[before].0[..]);
        let shared = prefix.iter().zip(before).take_while(|(a, b)| a == b).count() as u64;
        let nodes = ticker.nodes().saturating_sub(shared);
        Counted { count: BigUint::from(count) * *squares, nodes, halt: walked.err() }
    }

    /// The answer, from all parts together.
    pub(crate) fn total(&self, all: Counted) -> Run<TourCount> {
        let Counted { count, nodes, halt } = all;
        let both_ways = is_from_anywhere(self.problem) && !self.problem.is_one_way();
        let undirected = if both_ways { (count + 1_u32) / 2_u32 } else { count };
        let count = TourCount::of_undirected(self.problem, undirected);
        let outcome = match halt {
            None => Outcome::Solved(count),
            Some(why) => Outcome::Unfinished { why, best: Some(count) },
        };
        Run::new(outcome, nodes)
    }
}

/// Counts tours with a task for each beginning of a walk, on all threads; or for each start, as the schedule has it.
fn in_parts<W: Walk>(
    method: &W,
    problem: &TourProblem,
    graph: &KnightGraph,
    watch: &Watch,
) -> Run<TourCount> {
    let schedule = watch.schedule();
    let enough = (schedule == Schedule::Parts).then(|| PARTS * watch.threads());
    let beginnings = beginnings(method, problem, graph, enough);
    let parts = Parts::new(method, problem, graph, &beginnings);
    let all = 0..beginnings.len();
    let one = |number: usize| parts.count(number, watch);
    let counted: Vec<Counted> = match schedule {
        Schedule::Parts if graph.len() < SMALL => all.map(one).collect(),
        Schedule::Parts | Schedule::Task => watch.on_threads(|| threads::map(all, one)),
        Schedule::Static => {
            let ranges = even_ranges(all.len(), watch.threads());
            let alone = |own: Range<usize>| own.map(one).collect::<Vec<_>>();
            watch.on_threads(|| threads::map(ranges, alone)).concat()
        }
    };
    let mut all = Counted::default();
    for part in counted {
        all.add(part);
    }
    parts.total(all)
}

/// This many items in ranges, one for each worker, as equal as possible.
pub(crate) fn even_ranges(items: usize, workers: usize) -> Vec<Range<usize>> {
    let length = items.div_ceil(workers).max(1);
    (0..items).step_by(length).map(|from| from..items.min(from + length)).collect()
}

/// One start of each kind, with the number of squares of that kind.
fn kinds(problem: &TourProblem, graph: &KnightGraph, all: bool) -> Vec<(Vertex, u64)> {
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let mut symmetries = problem.board.symmetries();
    symmetries.retain(|s| problem.end.is_none_or(|end| s.apply(end, files, ranks) == end));
    if all || problem.symmetry.is_some() {
        symmetries.truncate(1); // the identity comes first
    }
    let mut kinds: Vec<(Vertex, u64)> = Vec::new();
    let mut place = vec![usize::MAX; graph.len()];
    for start in graph.vertices() {
        let square = graph.square(start);
        let images = symmetries.iter().filter_map(|s| graph.vertex(s.apply(square, files, ranks)));
        let least = images.min().unwrap_or(start);
        // The least of a kind is met first.
        if least == start {
            place[start as usize] = kinds.len();
            kinds.push((start, 1));
        } else {
            kinds[place[least as usize]].1 += 1;
        }
    }
    kinds.retain(|&(start, _)| problem.end != Some(graph.square(start)));
    kinds
}

/// The prefixes that are one square longer, in the order of a search for all walks; the same one where it
/// ends there.
pub(crate) fn longer(graph: &KnightGraph, prefix: &[Vertex]) -> Vec<Vec<Vertex>> {
    let last = prefix[prefix.len() - 1];
    let free = graph.neighbours(last).iter().filter(|v| !prefix.contains(v));
    let longer: Vec<Vec<Vertex>> = free.map(|&v| [prefix, &[v]].concat()).collect();
    if longer.is_empty() { vec![prefix.to_vec()] } else { longer }
}

/// Walks, shows each tour once whichever way it is run, and counts those shown.
fn each_once<W: Walk>(
    method: &W,
    problem: &TourProblem,
    graph: &KnightGraph,
    watch: &Watch,
    visit: &mut Visitor<'_>,
) -> Run<TourCount> {
    let mut ticker = watch.ticker();
    let mut count = 0_u64;
    let mut show = |walk: &[Vertex]| {
        if !stands_for_its_tour(problem, walk) {
            return ControlFlow::Continue(());
        }
        count += 1;
        visit(walk)
    };
    let request = Request::default();
    let walked = method.walk(problem, graph, request, &mut ticker, &mut show, &mut Silent);
    let so_far = TourCount::of_undirected(problem, count);
    let outcome = match walked {
        Ok(ControlFlow::Continue(())) => Outcome::Solved(so_far),
        Ok(ControlFlow::Break(())) => Outcome::Unfinished { why: Halt::Asked, best: Some(so_far) },
        Err(why) => Outcome::Unfinished { why, best: Some(so_far) },
    };
    Run::new(outcome, ticker.nodes())
}

/// Of the two ways to run a tour, is this the one that is listed?
pub(crate) fn stands_for_its_tour(problem: &TourProblem, walk: &[Vertex]) -> bool {
    let (first, last) = (walk[0], walk[walk.len() - 1]);
    problem.is_one_way()
        || match problem.shape {
            Shape::Open => first < last,
            Shape::Closed if problem.end.is_some() => first < walk[walk.len() - 2],
            Shape::Closed => walk[1] < last,
        }
}

/// The vertices that walks may start from.
fn starts(problem: &TourProblem, graph: &KnightGraph) -> Vec<Vertex> {
    let named = problem.start.and_then(|start| graph.vertex(start));
    match (named, problem.shape) {
        (Some(start), _) => vec![start],
        (None, Shape::Closed) if problem.end.is_none() => vec![0],
        (None, _) => graph.vertices().collect(),
    }
}
