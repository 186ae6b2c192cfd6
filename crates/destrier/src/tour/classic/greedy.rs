//! The walk of Warnsdorff, step by step: always to the square with the fewest exits.
//!
//! Ties are broken by the fixed order of moves, Pohl's second look, Roth's distance from the centre, its opposite, or
//! at random. A *blind* walk does not look at exits at all: a random walk, the worst baseline.
//! Without backtracking the walk ends at its first dead end. With it, the walk steps back and takes the
//! next best square, in the same order, until it has a tour, its limit, or nothing left to try.
//!
//! Invariant: `exits[v]` is the number of unvisited neighbours of `v`, for every `v` not visited.
//! Cost: a step and a retreat are constant; a frame is one byte, because the order of the choices
//! is recomputed when the walk comes back to it.
//! Source: Warnsdorff (1823); Pohl, CACM 10 (1967); Roth, as described by Ganzfried (2004).

use std::ops::ControlFlow;

use destrier_rules::{Leaper, Shape, Square, TourProblem, Wrap};

use crate::graph::{KnightGraph, Vertex, narrow};
use crate::run::random::Random;
use crate::run::trace::Tracer;
use crate::run::watch::Halt;
use crate::tour::racer::Racer;

/// What decides between squares with equally few exits. The order of moves decides what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The fixed order of moves alone.
    MoveOrder,
    /// The square whose own exits have the fewest exits in all.
    Pohl,
    /// The square farthest from the centre of the board.
    Roth,
    /// The square nearest to the centre of the board.
    Centre,
    /// Any of them, as the seed has it.
    Random,
}

/// In which order the moves are tried, where all else is equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveOrder {
    /// The number of each move in [`Leaper::jumps`], in the order in which they are tried.
    jumps: [u8; 8],
}

/// Why moves are no order of a piece's moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveOrderError {
    /// The piece has no such move.
    #[error("{0},{1} is not a move of this piece")]
    NoMove(i64, i64),
    /// A move comes twice.
    #[error("{0},{1} comes twice")]
    Twice(i64, i64),
    /// Not all moves are there.
    #[error("{0} of {1} moves are given; all are needed")]
    Few(usize, usize),
}

impl MoveOrder {
    /// The order of [`Leaper::jumps`]: clockwise from the steep jump up to the right.
    pub const USUAL: MoveOrder = MoveOrder { jumps: [0, 1, 2, 3, 4, 5, 6, 7] };

    /// The order in which a piece's moves, across and up, are given.
    ///
    /// ```
    /// use destrier::{Leaper, MoveOrder};
    ///
    /// let mut jumps = Leaper::KNIGHT.jumps();
    /// assert_eq!(MoveOrder::new(&jumps, Leaper::KNIGHT), Ok(MoveOrder::USUAL));
    /// jumps.reverse();
    /// assert_ne!(MoveOrder::new(&jumps, Leaper::KNIGHT), Ok(MoveOrder::USUAL));
    /// assert!(MoveOrder::new(&jumps[1..], Leaper::KNIGHT).is_err());
    /// ```
    ///
    /// # Errors
    /// When they are not all moves of the piece, each once.
    pub fn new(moves: &[(i64, i64)], leaper: Leaper) -> Result<MoveOrder, MoveOrderError> {
        let known = leaper.jumps();
        let mut order = MoveOrder::USUAL;
        for (at, &(across, up)) in moves.iter().enumerate() {
            let number = (0..).zip(&known).find(|(_, jump)| **jump == (across, up));
            let (number, _) = number.ok_or(MoveOrderError::NoMove(across, up))?;
            if moves[..at].contains(&(across, up)) {
                return Err(MoveOrderError::Twice(across, up));
            }
            order.jumps[at] = number;
        }
        if moves.len() < known.len() {
            return Err(MoveOrderError::Few(moves.len(), known.len()));
        }
        Ok(order)
    }

    /// The moves of a piece in this order.
    fn of(self, leaper: Leaper) -> Vec<(i64, i64)> {
        let jumps = leaper.jumps();
        let numbers = self.jumps.iter().map(|&number| usize::from(number));
        numbers.filter_map(|number| jumps.get(number).copied()).collect()
    }
}

/// What a walk should come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    pub(crate) start: Vertex,
    pub(crate) first: Option<Vertex>,
    pub(crate) end: Option<Vertex>,
    pub(crate) closed: bool,
}

impl Route {
    /// The route that a question asks for, from a start.
    pub(crate) fn of(problem: &TourProblem, graph: &KnightGraph, start: Vertex) -> Route {
        let end = problem.end.and_then(|end| graph.vertex(end));
        Route { start, first: None, end, closed: problem.shape == Shape::Closed }
    }
}

/// How a walk chooses, and whether it steps back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) ties: Ties,
    pub(crate) backtrack: bool,
    /// Are the exits of a square left out of the choice?
    pub(crate) blind: bool,
    /// For random ties.
    pub(crate) seed: u64,
}

/// What happened on a walk, or on several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Squares stepped on, again ones included.
    pub nodes: u64,
    /// Walks begun.
    pub walks: u64,
    /// Times the walk could not go on, and was no tour.
    pub dead_ends: u64,
    /// Steps at which several squares had the fewest exits.
    pub ties: u64,
    /// The step of the first dead end, from 1; 0 where there was none.
    pub first_failure: u64,
}

impl Tally {
    /// Adds another tally to this one; the earlier first failure stays.
    pub fn add(&mut self, other: &Tally) {
        self.nodes += other.nodes;
        self.walks += other.walks;
        self.dead_ends += other.dead_ends;
        self.ties += other.ties;
        if self.first_failure == 0 {
            self.first_failure = other.first_failure;
        }
    }
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The path is a tour.
    Tour,
    /// Stuck, and not asked to step back.
    GaveUp,
    /// Everything from this start was tried.
    Exhausted,
    /// The tracer broke off.
    BrokenOff,
}

const VISITED: u8 = 1 << 7;

/// The neighbours of every square in the fixed order of moves.
#[derive(Debug)]
pub(crate) struct Moves {
    first: Vec<u32>,
    to: Vec<Vertex>,
}

impl Moves {
    /// The moves of a question's piece in an order; on boards with joined edges in the usual one.
    pub(crate) fn new(problem: &TourProblem, graph: &KnightGraph, order: MoveOrder) -> Moves {
        let (board, jumps) = (&problem.board, order.of(problem.leaper));
        let plain = board.wrap() == Wrap::None;
        let mut first = Vec::with_capacity(graph.len() + 1);
        first.push(0);
        let mut to = Vec::with_capacity(8 * graph.len());
        for v in graph.vertices() {
            let from = graph.square(v);
            if plain {
                to.extend(jumps.iter().filter_map(|&(across, up)| {
                    let file = u32::try_from(i64::from(from.file) + across).ok()?;
                    let rank = u32::try_from(i64::from(from.rank) + up).ok()?;
                    graph.vertex(Square::new(file, rank))
                }));
            } else {
                let targets = board.jumps_from(problem.leaper, from);
                to.extend(targets.into_iter().filter_map(|square| graph.vertex(square)));
            }
            first.push(narrow(to.len()));
        }
        Moves { first, to }
    }

    /// The moves from a square.
    pub(crate) fn from(&self, v: Vertex) -> &[Vertex] {
        &self.to[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }
}

/// A walk over one graph; it can be sent off again and again.
#[derive(Debug)]
pub(crate) struct Greedy<'g> {
    graph: &'g KnightGraph,
    moves: &'g Moves,
    /// Unvisited neighbours, and a bit for "visited".
    exits: Vec<u8>,
    path: Vec<Vertex>,
    /// Which choice, counted from the best, led on from each square of the path.
    choice: Vec<u8>,
    pub(crate) tally: Tally,
}

impl<'g> Greedy<'g> {
    pub(crate) fn new(graph: &'g KnightGraph, moves: &'g Moves) -> Greedy<'g> {
        Greedy {
            graph,
            moves,
            exits: Vec::with_capacity(graph.len()),
            path: Vec::with_capacity(graph.len()),
            choice: Vec::with_capacity(graph.len()),
            tally: Tally::default(),
        }
    }

    /// The squares of the walk so far.
    pub(crate) fn path(&self) -> &[Vertex] {
        &self.path
    }

    /// Walks.
    pub(crate) fn run<T: Tracer>(
        &mut self,
        route: Route,
        pace: Pace,
        racer: &mut Racer,
        tracer: &mut T,
    ) -> Result<Ended, Halt> {
        self.begin();
        let n = self.graph.len();
        self.tally.walks += 1;
        if tracer.begin(self.tally.walks).is_break() || self.visit(route.start, tracer).is_break() {
            return Ok(Ended::BrokenOff);
        }
        loop {
            racer.tick()?;
            let last = *self.path.last().expect("the start is never left while walking");
            if self.path.len() == n && self.arrived(route, last) {
                let _ = tracer.found(n);
                return Ok(Ended::Tour);
            }
            let rank = *self.choice.last().expect("a square on the path has a choice");
            if let Some(next) = self.pick(route, pace, last, rank) {
                if self.visit(next, tracer).is_break() {
                    return Ok(Ended::BrokenOff);
                }
                continue;
            }
            if rank == 0 {
                self.tally.dead_ends += 1;
                if self.tally.first_failure == 0 {
                    self.tally.first_failure = self.path.len() as u64;
                }
            }
            if !pace.backtrack {
                return Ok(Ended::GaveUp);
            }
            if self.path.len() == 1 {
                return Ok(Ended::Exhausted);
            }
            if self.retreat(tracer).is_break() {
                return Ok(Ended::BrokenOff);
            }
        }
    }

    fn begin(&mut self) {
        self.path.clear();
        self.choice.clear();
        self.exits.clear();
        let exits = |v: Vertex| u8::try_from(self.graph.neighbours(v).len());
        let all = self.graph.vertices();
        self.exits.extend(all.map(|v| exits(v).expect("a leaper has at most eight jumps")));
    }

    fn visit<T: Tracer>(&mut self, v: Vertex, tracer: &mut T) -> ControlFlow<()> {
        debug_assert!(self.exits[v as usize] & VISITED == 0, "a square is visited once");
        self.tally.nodes += 1;
        self.exits[v as usize] |= VISITED;
        for &w in self.graph.neighbours(v) {
            self.exits[w as usize] -= 1;
        }
        self.path.push(v);
        self.choice.push(0);
        tracer.visit(self.path.len(), self.graph.square(v))
    }

    fn retreat<T: Tracer>(&mut self, tracer: &mut T) -> ControlFlow<()> {
        let step = self.path.len();
        let v = self.path.pop().expect("there is a step to take back");
        self.choice.pop();
        self.exits[v as usize] &= !VISITED;
        for &w in self.graph.neighbours(v) {
            self.exits[w as usize] += 1;
        }
        *self.choice.last_mut().expect("the start is never taken back") += 1;
        tracer.retreat(step, self.graph.square(v))
    }

    fn arrived(&self, route: Route, last: Vertex) -> bool {
        route.end.is_none_or(|end| end == last)
            && (!route.closed
                || (self.path.len() > 2 && self.graph.neighbours(last).contains(&route.start)))
    }

    /// The `rank`-th best square to go to from `v`, if there are this many.
    fn pick(&mut self, route: Route, pace: Pace, v: Vertex, rank: u8) -> Option<Vertex> {
        if self.path.len() == 1
            && let Some(first) = route.first
        {
            return (rank == 0).then_some(first);
        }
        let left = self.graph.len() - self.path.len();
        if left > 1 && !pace.blind && self.is_cut_off(route) {
            return None;
        }
        let kept = route.end.filter(|_| left > 1);
        let mut keys = [u64::MAX; 8];
        let mut found = 0;
        let (mut fewest, mut sharing) = (VISITED, 0);
        let neighbours = self.moves.from(v);
        for (order, &w) in neighbours.iter().enumerate() {
            let mut exits = self.exits[w as usize];
            if exits & VISITED == 0 && Some(w) != kept {
                exits = if pace.blind { 1 } else { exits };
                if exits < fewest {
                    (fewest, sharing) = (exits, 0);
                }
                sharing += u8::from(exits == fewest);
                keys[found] = u64::from(exits) << 56 | order as u64;
                found += 1;
            }
        }
        // A square without exits is reached now or never, so nothing but it is worth a try.
        if usize::from(rank) >= found || (rank > 0 && fewest == 0 && left > 1) {
            return None;
        }
        if rank == 0 {
            self.tally.ties += u64::from(sharing > 1);
        }
        let keys = &mut keys[..found];
        if found > 1 && (sharing > 1 || rank > 0) && pace.ties != Ties::MoveOrder {
            for key in keys.iter_mut() {
                let w = neighbours[(*key & 0xff) as usize];
                *key |= self.tie(pace, w) << 8;
            }
        }
        let key = if rank == 0 {
            *keys.iter().min()?
        } else {
            keys.sort_unstable();
            keys[usize::from(rank)]
        };
        Some(neighbours[(key & 0xff) as usize])
    }

    /// Is the last square, or the way home of a closed tour, out of reach before its time?
    fn is_cut_off(&self, route: Route) -> bool {
        let walled = |v: Vertex| self.exits[v as usize] & !VISITED == 0;
        let home = route.closed && self.path.len() > 1 && walled(route.start);
        home || route.end.is_some_and(walled)
    }

    /// The smaller, the better; below 2⁴⁸.
    fn tie(&self, pace: Pace, w: Vertex) -> u64 {
        match pace.ties {
            Ties::MoveOrder => 0,
            Ties::Pohl => {
                let onward = self.graph.neighbours(w).iter().map(|&x| self.exits[x as usize]);
                onward.filter(|exits| exits & VISITED == 0).map(u64::from).sum()
            }
            Ties::Roth => (1 << 48) - 1 - self.graph.off_centre(w).min((1 << 48) - 1),
            Ties::Centre => self.graph.off_centre(w).min((1 << 48) - 1),
            // The same again when the walk comes back to the same step of the same walk.
            Ties::Random => {
                let here =
                    self.tally.walks << 40 ^ (self.path.len() as u64) << 3 ^ u64::from(w) << 20;
                let mut random = Random::new(pace.seed ^ Random::new(here).next());
                random.next() >> 16
            }
        }
    }
}
