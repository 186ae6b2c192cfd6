//! All tours of a board, numbered: sample one at random, rank a tour, unrank a number.
//!
//! A tour is a sequence of choices, one at each step of the sweep: which later neighbours the square
//! takes. Tours are ordered by their first choice, those with the same by their second, and so on.
//! With the completions of every state known, a number determines each choice in turn, and vice versa.
//!
//! The canonical order in full: squares are settled row by row along the shorter side (by ranks from
//! `a1` when that is the files, else by files); at a square the later neighbours it is joined to are
//! compared as ascending lists of places in that order, missing ones last. Open tours are joined to an
//! end mark that comes after all squares; a fixed start is settled before all.
//!
//! Invariant: `rank(unrank(n)) == n`, and `unrank(rank(t))` is `t` as an undirected tour.
//! Cost: a small board's states are all in memory; a large one keeps the ends of rows only.
//! Uses: `sweep` for the states of small boards, of `middle` the halves and the join for large ones, and the gate.
//! Source: Nijenhuis and Wilf, "Combinatorial algorithms", on ranking by counting completions.

mod by_pattern;
mod cache;
mod dag;
mod frame;
mod index;
mod meeting;
mod stretch;
mod tables;
mod tree;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use destrier_rules::{Fault, Problem as _, Shape, Symmetry, Tour, TourProblem, Verified};

use self::dag::Dag;
use self::frame::Frame;
use self::index::{Few, Index, Sparse, Whole};
use self::tables::Tables;
use super::frontier::MOST_SQUARES;
use super::orders::Orders;
use super::sweep::course::Course;
use super::sweep::degrees::Degrees;
use super::sweep::state::State;
use crate::graph::cycle::CycleGraph;
use crate::graph::{KnightGraph, Vertex};
use crate::lies;
use crate::outcome::{Outcome, SolveError, Stop};
use crate::run::random::Random;
use crate::run::watch::Watch;
use crate::tour::{Naive, walk};

const NAME: &str = "census";

/// The tours of a question, numbered from 0.
#[derive(Debug)]
pub struct Census {
    problem: TourProblem,
    graph: KnightGraph,
    cycles: CycleGraph,
    edges: HashMap<(Vertex, Vertex), u32>,
    index: Box<dyn Index>,
    total: u128,
}

/// The most states that are kept with all their transitions.
const MOST_WHOLE: usize = 6_000_000;

/// Smaller boards have no cycle, and at most one path.
const FEWEST: usize = 3;

impl Census {
    /// Numbers the tours of a question; the tables of large boards are kept in a folder, if one is given.
    ///
    /// # Errors
    /// When the board is too wide, needs more memory than the watch allows, or the watch stops it.
    pub(crate) fn new(
        problem: &TourProblem,
        folder: Option<&Path>,
        watch: &Watch,
    ) -> Result<Census, SolveError> {
        Census::made(problem, folder, false, watch)
    }

    /// The same for listing: every state is kept, so that the next tour is a step away and not a walk of milliseconds.
    ///
    /// # Errors
    /// As [`Census::new`], and when the board has too many states for it.
    pub(crate) fn whole(problem: &TourProblem, watch: &Watch) -> Result<Census, SolveError> {
        Census::made(problem, None, true, watch)
    }

    fn made(
        problem: &TourProblem,
        folder: Option<&Path>,
        must_be_whole: bool,
        watch: &Watch,
    ) -> Result<Census, SolveError> {
        problem.validate()?;
        let unsuited = |why: String| SolveError::Unsuited { method: NAME, why };
        if problem.symmetry.is_some() {
            return Err(unsuited("tours with a symmetry are not numbered".to_owned()));
        }
        let graph = KnightGraph::for_question(problem, MOST_SQUARES, NAME)?;
        if graph.len() < FEWEST {
            return Census::of_few(problem, graph, watch);
        }
        let orders = Orders::of(problem, &graph);
        let (course, rows) = orders.course_and_rows();
        let cycles = orders.graph;
        let mirror = mirror(problem, &graph, &cycles, &course, &rows);
        let named = [problem.start, problem.end].iter().flatten().count();
        let most_named = usize::from(problem.shape == Shape::Closed);
        let frame = match rows.first() {
            Some(&files) if problem.is_classic() && named <= most_named => {
                Frame::new(files, graph.len() / files, problem.shape == Shape::Open)
            }
            _ => None,
        };
        let plan = Plan {
            rows,
            frame,
            must_be_whole,
            mirror,
            cache: folder.map(|folder| {
                let question = cache::question(problem);
                (cache::file(folder, &question), question)
            }),
        };
        let built = watch.on_threads(|| match course.words() {
            0..=2 => build::<2>(course, &plan, watch),
            3 | 4 => build::<4>(course, &plan, watch),
            _ => Err(unsuited(course.too_wide(4)).into()),
        });
        let index = built.map_err(|stop| stop.error(NAME, watch))?;
        let numbered = (0..).zip(cycles.edges()).map(|(at, e)| ((e.a.min(e.b), e.a.max(e.b)), at));
        let edges = numbered.collect();
        let total = lies::census(index.total());
        Ok(Census { problem: problem.clone(), graph, cycles, edges, index, total })
    }

    /// For boards on which a tour is no cycle of edges: whatever tours there are.
    fn of_few(
        problem: &TourProblem,
        graph: KnightGraph,
        watch: &Watch,
    ) -> Result<Census, SolveError> {
        let mut few = Vec::new();
        let run = walk::list(&Naive, problem, watch, &mut |tour: &Tour| {
            few.push(tour.clone());
            ControlFlow::Continue(())
        })?;
        if let Outcome::Unfinished { why, .. } = run.outcome {
            return Err(SolveError::Stopped(why));
        }
        let cycles = CycleGraph::of_edges(graph.len(), Vec::new());
        let index = Box::new(Few(few));
        let (problem, edges, total) =
            (problem.clone(), HashMap::new(), lies::census(index.total()));
        Ok(Census { problem, graph, cycles, edges, index, total })
    }

    /// The question whose tours these are.
    #[must_use]
    pub fn problem(&self) -> &TourProblem {
        &self.problem
    }

    /// How many tours there are, undirected.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.total
    }

    /// How many states are kept.
    #[must_use]
    pub fn states(&self) -> usize {
        self.index.states()
    }

    /// The tour with a number, checked; nothing from the total on.
    ///
    /// # Errors
    /// When the checker refuses it.
    pub fn unrank(&self, number: u128) -> Result<Option<Verified<TourProblem>>, SolveError> {
        let Some(tour) = self.numbered(number) else { return Ok(None) };
        let tour = Verified::check(self.problem.clone(), lies::numbered(tour));
        tour.map(Some).map_err(|fault| SolveError::Refused { method: NAME, fault })
    }

    fn numbered(&self, number: u128) -> Option<Tour> {
        if number >= self.total {
            return None;
        }
        if let Some(few) = self.index.few() {
            return few.get(usize::try_from(number).ok()?).cloned();
        }
        let mut chosen = Vec::with_capacity(self.cycles.vertices());
        self.index.unrank(number, &mut chosen);
        let mut thread = Thread::new(self);
        thread.lay(&chosen);
        Some(Tour(thread.squares()))
    }

    /// The number of a tour, which may be given from any square and either way.
    ///
    /// # Errors
    /// When it is no tour of this question.
    ///
    /// # Panics
    /// If its tables lack a tour that the checker accepts, which would be a fault of this crate.
    pub fn rank(&self, tour: &Tour) -> Result<u128, Fault> {
        // An open tour with one named end may be given either way round, too.
        let reversed = Tour(tour.0.iter().rev().copied().collect());
        let tour = match self.problem.verify(tour) {
            Ok(()) => tour,
            Err(_) if self.problem.verify(&reversed).is_ok() => &reversed,
            Err(fault) => {
                let anywhere = TourProblem { start: None, end: None, ..self.problem.clone() };
                let closed = self.problem.shape == Shape::Closed;
                if !(closed && self.named().is_none() && anywhere.verify(tour).is_ok()) {
                    return Err(fault);
                }
                tour
            }
        };
        if let Some(few) = self.index.few() {
            // There is one tour at most, and the checker has just accepted this one.
            debug_assert_eq!(few.len(), 1, "at most one path leads over two squares");
            return Ok(lies::census(0));
        }
        let mut chosen = vec![false; self.cycles.edges().len()];
        for (a, b) in self.edges_of(tour) {
            if let Some(&edge) = self.edges.get(&(a.min(b), a.max(b))) {
                chosen[edge as usize] = true;
            }
        }
        let number = self.index.rank(&chosen).expect("a checked tour completes its states");
        Ok(lies::census(number))
    }

    /// Tours drawn uniformly at random, each checked, the same for the same seed; nothing when there are no tours.
    pub fn sample(
        &self,
        seed: u64,
    ) -> impl Iterator<Item = Result<Verified<TourProblem>, SolveError>> + '_ {
        let mut random = Random::new(seed);
        std::iter::from_fn(move || {
            if self.total == 0 {
                return None;
            }
            self.unrank(random.uniform(self.total)).transpose()
        })
    }

    /// Shows the tours from a number on, in order, until the visitor breaks off; whoever shows them to others has them
    /// checked ([`ListMethod::Census`](crate::ListMethod)).
    pub(crate) fn each(&self, from: u128, visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>) {
        let mut visit = lies::listing(NAME, NAME, visit);
        if let Some(few) = self.index.few() {
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            let _ = few.iter().skip(from).try_for_each(visit);
            return;
        }
        let mut thread = Thread::new(self);
        let mut tour = Tour(Vec::with_capacity(self.graph.len()));
        self.index.each(from, &mut |chosen| {
            thread.lay(chosen);
            thread.write(&mut tour.0);
            visit(&tour)
        });
    }

    /// Both ends, where the question names them.
    fn named(&self) -> Option<(Vertex, Vertex)> {
        let vertex = |square: Option<_>| square.and_then(|square| self.graph.vertex(square));
        Some((vertex(self.problem.start)?, vertex(self.problem.end)?))
    }

    /// The graph's edges along a tour.
    fn edges_of(&self, Tour(squares): &Tour) -> Vec<(Vertex, Vertex)> {
        let walk: Vec<Vertex> = squares.iter().filter_map(|&s| self.graph.vertex(s)).collect();
        let mut edges: Vec<(Vertex, Vertex)> = walk.windows(2).map(|w| (w[0], w[1])).collect();
        let (first, last) = (walk[0], walk[walk.len() - 1]);
        let n = u32::try_from(walk.len()).expect("a graph has fewer than 2^28 vertices");
        match self.cycles.vertices() - walk.len() {
            0 => edges.push((last, first)),
            1 => edges.extend([(first, n), (last, n)]),
            _ => {
                let start = self.problem.start.and_then(|start| self.graph.vertex(start));
                let (anchored, free) =
                    if start == Some(first) || start.is_none() && self.ends_at(first) {
                        (first, last)
                    } else {
                        (last, first)
                    };
                edges.extend([(anchored, n), (n, n + 1), (free, n + 1)]);
            }
        }
        edges
    }

    fn ends_at(&self, vertex: Vertex) -> bool {
        self.problem.end.and_then(|end| self.graph.vertex(end)) == Some(vertex)
    }
}

/// The mirror across the rows of a course, as an automorphism of the graph, if the question has it.
fn mirror(
    problem: &TourProblem,
    graph: &KnightGraph,
    cycles: &CycleGraph,
    course: &Course,
    rows: &[usize],
) -> Option<Vec<u32>> {
    if problem.start.is_some() || problem.end.is_some() {
        return None;
    }
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let known = problem.board.symmetries();
    let first = *rows.first()?;
    [Symmetry::MirrorFiles, Symmetry::MirrorRanks]
        .into_iter()
        .filter(|mirror| known.contains(mirror))
        .map(|mirror| {
            let image = |v| graph.vertex(mirror.apply(graph.square(v), files, ranks));
            let marks = (0..).take(cycles.vertices()).skip(graph.len());
            graph.vertices().map(|v| image(v).unwrap_or(v)).chain(marks).collect::<Vec<u32>>()
        })
        .find(|mirror| course.image(first, mirror).is_some())
}

/// How the tables are to be made.
struct Plan {
    rows: Vec<usize>,
    frame: Option<Frame>,
    must_be_whole: bool,
    mirror: Option<Vec<u32>>,
    cache: Option<tables::Cache>,
}

/// Builds the index.
fn build<const W: usize>(
    course: Course,
    plan: &Plan,
    watch: &Watch,
) -> Result<Box<dyn Index>, Stop> {
    let Plan { rows, frame, must_be_whole, mirror, cache } = plan;
    let unsuited = |why: &str| Stop::Error(SolveError::Unsuited { method: NAME, why: why.into() });
    let tables = |course, degrees| {
        let (mirror, cache) = (mirror.as_deref(), cache.as_ref());
        match Tables::new(course, degrees, rows, *frame, mirror, cache, watch) {
            Ok(tables) => Ok(Box::new(Sparse::new(tables)) as Box<dyn Index>),
            Err(Stop::Overflow) => Err(unsuited("a number has more than 64 bits")),
            Err(stop) => Err(stop),
        }
    };
    // Meeting in the middle needs no degrees, which take far longer than the tables on a wide board.
    let too_many = || Err(unsuited("it has too many states"));
    if frame.is_some_and(Frame::is_wide) {
        return if *must_be_whole { too_many() } else { tables(course, None) };
    }
    let degrees = Degrees::<W>::of(&course, watch)?;
    // A state with its transitions and completions takes some hundred bytes.
    let left = watch.room().saturating_sub(degrees.bytes());
    let most = MOST_WHOLE.min(usize::try_from(left / 120).unwrap_or(usize::MAX));
    let allowed = |step, state: &State<W>| degrees.allowed(step, &course.pattern(state));
    match Dag::new(&course, allowed, vec![[0; W]], 0..course.len(), most, watch)? {
        Some(dag) => match Whole::new(course, dag) {
            Some(whole) => Ok(Box::new(whole)),
            None => Err(unsuited("the count has more than 128 bits")),
        },
        None if rows.is_empty() || *must_be_whole => too_many(),
        None => tables(course, Some(degrees)),
    }
}

/// The edges of a tour, laid out so that it can be walked.
struct Thread<'c> {
    census: &'c Census,
    near: Vec<[Vertex; 2]>,
    laid: Vec<u8>,
}

impl<'c> Thread<'c> {
    fn new(census: &'c Census) -> Thread<'c> {
        let n = census.cycles.vertices();
        Thread { census, near: vec![[0; 2]; n], laid: vec![0; n] }
    }

    fn lay(&mut self, chosen: &[u32]) {
        self.laid.fill(0);
        for &edge in chosen {
            let edge = &self.census.cycles.edges()[edge as usize];
            for (from, to) in [(edge.a, edge.b), (edge.b, edge.a)] {
                let from = from as usize;
                self.near[from][usize::from(self.laid[from] & 1)] = to;
                self.laid[from] += 1;
            }
        }
    }

    fn squares(&self) -> Vec<destrier_rules::Square> {
        let mut squares = Vec::with_capacity(self.census.graph.len());
        self.write(&mut squares);
        squares
    }

    /// Walks the tour: an open one from its smaller end, a closed one from its named or smallest
    /// square towards the smaller neighbour, unless the question says which way.
    fn write(&self, squares: &mut Vec<destrier_rules::Square>) {
        let census = self.census;
        let n = census.graph.len();
        let vertex = |square: Option<_>| square.and_then(|square| census.graph.vertex(square));
        let (start, end) = (vertex(census.problem.start), vertex(census.problem.end));
        let mark = |v: Vertex| v as usize >= n;
        // The vertex to begin with, and where we come from.
        let (mut here, mut before) = if census.cycles.vertices() == n {
            let (first, last) = match (start, end) {
                (Some(start), _) => (start, None),
                (None, Some(end)) => (end, Some(end)),
                (None, None) => (0, None),
            };
            let [a, b] = self.near[first as usize];
            match last {
                None => (first, a.max(b)),
                Some(end) => (a.min(b), end),
            }
        } else {
            let last_mark = census.cycles.vertices() - 1;
            let ends = |mark: usize| {
                let [a, b] = self.near[mark];
                (a, b)
            };
            let (a, b) = ends(last_mark);
            // With an anchor and an apex, the anchor stands for the vertex behind it.
            let behind = |v: Vertex| {
                if !mark(v) {
                    return v;
                }
                let (a, b) = ends(v as usize);
                if a as usize == last_mark { b } else { a }
            };
            let (one, other) = (behind(a), behind(b));
            let first = match (start, end) {
                (Some(start), _) => start,
                (None, Some(end)) => {
                    if one == end {
                        other
                    } else {
                        one
                    }
                }
                (None, None) => one.min(other),
            };
            let [a, b] = self.near[first as usize];
            (first, if mark(a) { a } else { b })
        };
        squares.clear();
        loop {
            squares.push(census.graph.square(here));
            if squares.len() == n {
                return;
            }
            let [a, b] = self.near[here as usize];
            let next = if a == before { b } else { a };
            (before, here) = (here, next);
        }
    }
}
