//! The textbook's depth-first branch and bound, on one thread or several.
//!
//! From each square the successors X come in the order of U(X) = 8·val(X) − d(X), where val is 1
//! on a piece and d is the distance to the nearest piece left: the knight's, or Manhattan. A branch is cut unless
//! depth + pieces left < best. The search starts from an upper bound and stops at the lower bound,
//! the number of pieces. Orders are looked up in a table by square and pieces left where that is
//! small, so a node takes a few nanoseconds; no node is stored.
//!
//! Invariant: the frames are a walk from the start; `best` only falls, and is never below the
//! optimum.
//! Cost: exponential; memory is proportional to the depth.
//! Source: the course on parallel programming at the Czech Technical University in Prague.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use destrier_rules::{CapturePlan, CaptureProblem, Claim, Obstacle, Proof};

use super::stops::{PathFinder, Stops};
use crate::graph::{KnightGraph, Vertex};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::threads;
use crate::run::trace::{Silent, Tracer};
use crate::run::watch::{Halt, Ticker, Watch};

/// How threads share the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Parallel {
    /// One thread.
    #[default]
    None,
    /// Every branch near the root is a task of its own; idle threads steal tasks.
    Task,
    /// The first levels are unrolled into an array of positions, which the threads share.
    Data,
}

/// Which distance to the nearest piece orders the successors of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Distance {
    /// In knight's moves.
    #[default]
    Knight,
    /// Files and ranks added up.
    Manhattan,
}

/// The textbook's depth-first branch and bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BbDfs {
    /// How threads share the tree.
    pub parallel: Parallel,
    /// An upper bound to start from; one that is too low is noticed and dropped.
    pub upper_bound: Option<u64>,
    /// The distance that orders successors.
    pub distance: Distance,
}

impl BbDfs {
    /// On one thread, from the default upper bound.
    pub const SEQUENTIAL: BbDfs =
        BbDfs { parallel: Parallel::None, upper_bound: None, distance: Distance::Knight };
}

const MOST_PIECES: usize = 64;
const MOST_SQUARES: u64 = 1 << 16;
/// What a square takes in the graph, and the distance from it to a piece, in a list that doubles as it grows.
const BYTES_PER_SQUARE: u64 = 64;
const BYTES_PER_DISTANCE: u64 = 32;
/// Tables of orders pay up to this many entries; larger ones do not fit the cache.
const MOST_ORDERS: usize = 1 << 18;
/// Branches down to this depth are tasks.
const TASK_DEPTH: u32 = 4;
/// Positions per thread in data mode.
const SHARE: usize = 256;

impl BbDfs {
    pub(crate) fn solve(
        &self,
        problem: &CaptureProblem,
        watch: &Watch,
    ) -> Result<Run<CapturePlan>, SolveError> {
        self.solve_by(problem, watch, &mut |tree, _| tree.run(self.parallel, watch))
    }

    /// Solves on one thread, while somebody listens to every step.
    pub(super) fn trace<T: Tracer>(
        &self,
        problem: &CaptureProblem,
        watch: &Watch,
        tracer: &mut T,
    ) -> Result<Run<CapturePlan>, SolveError> {
        let mut attempt = 0;
        self.solve_by(problem, watch, &mut |tree, _| {
            attempt += 1;
            heard(tracer.begin(attempt))?;
            heard(tracer.visit(1, tree.graph.square(tree.start)))?;
            if tree.pieces == 0 {
                return tree.run(Parallel::None, watch);
            }
            tree.explore(&[tree.start], tree.all(), watch, tracer)
        })
    }

    /// Solves as the textbook does, but leaves the search of each tree to the caller, who is given the tree
    /// and its limit, and returns why it stopped if it did.
    ///
    /// # Errors
    /// When there are too many squares or pieces, or too little memory.
    ///
    /// # Panics
    /// When the search panicked on a thread that held the plan.
    pub fn solve_by(
        &self,
        problem: &CaptureProblem,
        watch: &Watch,
        search: &mut dyn FnMut(&Tree<'_>, u32) -> Result<(), Halt>,
    ) -> Result<Run<CapturePlan>, SolveError> {
        let (pieces, area) = (problem.targets.len(), problem.board.area());
        if pieces > MOST_PIECES || area > MOST_SQUARES {
            let why = format!(
                "{pieces} pieces on {area} squares; the limit is {MOST_PIECES} pieces and {MOST_SQUARES} squares"
            );
            return Err(SolveError::Unsuited { method: "bb-dfs", why });
        }
        let needs = area * (BYTES_PER_SQUARE + BYTES_PER_DISTANCE * pieces as u64);
        if needs > watch.room() {
            return Err(SolveError::Unsuited { method: "bb-dfs", why: watch.needs(needs) });
        }
        let stops = match Stops::new(problem) {
            Ok(stops) => stops,
            Err(obstacle) => return Ok(Run::new(Outcome::Impossible(obstacle), 0)),
        };
        // With a hint below the optimum nothing is found; then the default is tried, then larger ones. To go to the
        // pieces one by one takes no more than `most`.
        let (usual, most) = (area - 1, (area - 1) * pieces as u64);
        let few = |moves: u64| u32::try_from(moves).expect("few squares and pieces");
        let (usual, most) = (few(usual), few(most));
        let hint = self.upper_bound.map_or(usual, |bound| few(bound.min(u64::from(most))));
        let mut limit = hint.max(pieces as u32);
        let mut nodes = 0;
        watch.tell(|progress| progress.bound = Some(pieces as u64));
        loop {
            let tree = Tree::new(&stops, limit, self.distance);
            let result = search(&tree, limit);
            nodes += tree.nodes.load(Ordering::Relaxed);
            let best = tree.plan.into_inner().expect("no thread panics with the plan");
            let plan = best.map(|walk| CapturePlan(stops.graph.squares_of(&walk)));
            match (result, plan) {
                (Ok(()), Some(plan)) => {
                    let lower_bound = plan.moves();
                    let proof = Proof::Search { by: "bb-dfs".to_owned(), nodes };
                    let claim = Claim::Fewest { lower_bound, proof };
                    return Ok(Run::new(Outcome::Solved(plan), nodes).claiming(claim));
                }
                (Ok(()), None) => limit = if limit < usual { usual } else { 2 * limit },
                (Err(why), best) => {
                    let claim = Claim::AtLeast { lower_bound: pieces as u64 };
                    let outcome = Outcome::Unfinished { why, best };
                    return Ok(Run::new(outcome, nodes).claiming(claim));
                }
            }
        }
    }
}

/// A listener who breaks off ends the search.
fn heard(flow: ControlFlow<()>) -> Result<(), Halt> {
    if flow.is_break() { Err(Halt::Asked) } else { Ok(()) }
}

/// Successors in order, at most eight.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    to: [u16; 8],
    count: u8,
    /// How many come first that take a piece; all, if any of those comes later.
    takes: u8,
}

/// A position on the way down.
#[derive(Clone, Debug)]
struct Frame {
    left: u64,
    order: Order,
    next: u8,
    at: u16,
}

/// A position to search below: the walk to it, and the pieces left, one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Branch {
    walk: Vec<Vertex>,
    left: u64,
}

/// Builds trees for workers that search branches of them.
#[derive(Debug)]
pub struct TreeBuilder(Stops, Distance);

impl TreeBuilder {
    /// For a question that [`BbDfs::solve_by`] has accepted.
    ///
    /// # Errors
    /// When a piece cannot be reached.
    pub fn new(problem: &CaptureProblem, distance: Distance) -> Result<TreeBuilder, Obstacle> {
        Stops::new(problem).map(|stops| TreeBuilder(stops, distance))
    }

    /// The tree with a limit.
    #[must_use]
    pub fn tree(&self, limit: u32) -> Tree<'_> {
        Tree::new(&self.0, limit, self.1)
    }
}

/// The tree that is searched, and the best walk found in it.
#[derive(Debug)]
pub struct Tree<'s> {
    graph: &'s KnightGraph,
    start: Vertex,
    /// The piece on a square, as a bit.
    bit: Vec<u64>,
    /// For each square, the distances at which there are pieces, and which, nearest first.
    around: Vec<Vec<(u32, u64)>>,
    orders: Vec<Order>,
    pieces: u32,
    limit: u32,
    best: AtomicU32,
    /// The best that was reported.
    told: AtomicU32,
    plan: Mutex<Option<Vec<Vertex>>>,
    nodes: AtomicU64,
}

impl<'s> Tree<'s> {
    fn new(stops: &'s Stops, limit: u32, measure: Distance) -> Tree<'s> {
        let graph = &stops.graph;
        let pieces = stops.vertices.len() - 1;
        let mut bit = vec![0; graph.len()];
        let mut around: Vec<Vec<(u32, u64)>> = vec![Vec::new(); graph.len()];
        let mut paths = PathFinder::new(graph);
        for (k, &piece) in stops.vertices[1..].iter().enumerate() {
            bit[piece as usize] = 1 << k;
            paths.search(piece, |_| false);
            for (v, rings) in graph.vertices().zip(&mut around) {
                let Some(distance) = paths.distance(v) else { continue };
                let distance = match measure {
                    Distance::Knight => distance,
                    Distance::Manhattan => graph.square(v).manhattan(graph.square(piece)),
                };
                match rings.binary_search_by_key(&distance, |ring| ring.0) {
                    Ok(at) => rings[at].1 |= 1 << k,
                    Err(at) => rings.insert(at, (distance, 1 << k)),
                }
            }
        }
        let mut tree = Tree {
            graph,
            start: stops.vertices[0],
            bit,
            around,
            orders: Vec::new(),
            pieces: pieces as u32,
            limit,
            best: AtomicU32::new(limit + 1),
            told: AtomicU32::new(limit + 1),
            plan: Mutex::new(None),
            nodes: AtomicU64::new(0),
        };
        if pieces < 16 && graph.len() << pieces <= MOST_ORDERS {
            tree.orders = (0..1 << pieces)
                .flat_map(|left| graph.vertices().map(move |v| (left, v)))
                .map(|(left, v)| tree.ordered(v, left))
                .collect();
        }
        tree
    }

    /// The successors of a square by falling U.
    fn ordered(&self, at: Vertex, left: u64) -> Order {
        let mut order = Order::default();
        let mut merits = [0_i32; 8];
        for &to in self.graph.neighbours(at) {
            let val = i32::from(self.bit[to as usize] & left != 0);
            let after = left & !self.bit[to as usize];
            let nearest = self.around[to as usize].iter().find(|ring| ring.1 & after != 0);
            let far = nearest.map_or(0, |ring| ring.0);
            let merit = 8 * val - far as i32;
            let mut k = order.count as usize;
            while k > 0 && merits[k - 1] < merit {
                merits[k] = merits[k - 1];
                order.to[k] = order.to[k - 1];
                k -= 1;
            }
            merits[k] = merit;
            order.to[k] = to as u16;
            order.count += 1;
        }
        let takes = |k: &usize| self.bit[order.to[*k] as usize] & left != 0;
        let count = order.count as usize;
        let first = (0..count).take_while(takes).count();
        order.takes = if (first..count).any(|k| takes(&k)) { count } else { first } as u8;
        order
    }

    #[inline]
    fn frame(&self, at: Vertex, left: u64) -> Frame {
        let order = if self.orders.is_empty() {
            self.ordered(at, left)
        } else {
            self.orders[left as usize * self.graph.len() + at as usize]
        };
        Frame { left, order, next: 0, at: at as u16 }
    }

    fn all(&self) -> u64 {
        if self.pieces == 64 { u64::MAX } else { (1 << self.pieces) - 1 }
    }

    fn run(&self, parallel: Parallel, watch: &Watch) -> Result<(), Halt> {
        if self.pieces == 0 {
            self.offer(&[self.start]);
            return Ok(());
        }
        if parallel == Parallel::None || watch.threads() == 1 {
            return self.explore(&[self.start], self.all(), watch, &mut Silent);
        }
        watch.on_threads(|| match parallel {
            Parallel::Data => {
                let branches = self.unroll(SHARE * watch.threads());
                self.tell(watch);
                let each =
                    |branch: &Branch| self.explore(&branch.walk, branch.left, watch, &mut Silent);
                threads::try_map(&branches, each).map(drop)
            }
            _ => self.task(&[self.start], self.all(), TASK_DEPTH, watch),
        })
    }

    /// Every branch so many levels down is a task; below that, one thread searches.
    fn task(&self, walk: &[Vertex], left: u64, levels: u32, watch: &Watch) -> Result<(), Halt> {
        if levels == 0 {
            return self.explore(walk, left, watch, &mut Silent);
        }
        self.nodes.fetch_add(1, Ordering::Relaxed);
        let frame = self.frame(walk[walk.len() - 1], left);
        let branches = &frame.order.to[..frame.order.count as usize];
        threads::try_map(branches, |&to| {
            let mut longer = walk.to_vec();
            longer.push(Vertex::from(to));
            let Some(left) = self.enter(&longer, left) else {
                self.tell(watch);
                return Ok(());
            };
            self.task(&longer, left, levels - 1, watch)
        })
        .map(drop)
    }

    /// The pieces left after the walk's last step, unless the branch is cut or a plan.
    fn enter(&self, walk: &[Vertex], left: u64) -> Option<u64> {
        let depth = walk.len() as u32 - 1;
        let left = left & !self.bit[walk[walk.len() - 1] as usize];
        if depth + left.count_ones() >= self.best.load(Ordering::Relaxed) {
            return None;
        }
        if left == 0 {
            self.offer(walk);
            return None;
        }
        Some(left)
    }

    /// Level by level from the root until there are enough branches.
    #[must_use]
    pub fn unroll(&self, enough: usize) -> Vec<Branch> {
        if self.pieces == 0 {
            self.offer(&[self.start]);
            return Vec::new();
        }
        let mut level = vec![Branch { walk: vec![self.start], left: self.all() }];
        while level.len() < enough && !level.is_empty() {
            let mut next = Vec::new();
            for Branch { walk, left } in &level {
                let frame = self.frame(walk[walk.len() - 1], *left);
                for &to in &frame.order.to[..frame.order.count as usize] {
                    let mut longer = walk.clone();
                    longer.push(Vertex::from(to));
                    if let Some(left) = self.enter(&longer, *left) {
                        next.push(Branch { walk: longer, left });
                    }
                }
            }
            level = next;
        }
        self.add_nodes(level.len() as u64);
        level
    }

    /// Searches everything below a branch, unless it is cut by now; returns the nodes visited.
    ///
    /// # Errors
    /// When the watch halts.
    pub fn search(&self, branch: &Branch, watch: &Watch) -> (u64, Result<(), Halt>) {
        let depth = branch.walk.len() as u32 - 1;
        if depth + branch.left.count_ones() >= self.best.load(Ordering::Relaxed) {
            return (0, Ok(()));
        }
        let mut ticker = watch.ticker();
        let result = self.descend(&branch.walk, branch.left, &mut ticker, &mut Silent);
        (ticker.nodes(), result)
    }

    /// The same with all threads, each branch near this one a task of its own.
    ///
    /// # Errors
    /// When the watch halts.
    pub fn search_by_tasks(&self, branch: &Branch, watch: &Watch) -> (u64, Result<(), Halt>) {
        let depth = branch.walk.len() as u32 - 1;
        if depth + branch.left.count_ones() >= self.best.load(Ordering::Relaxed) {
            return (0, Ok(()));
        }
        let before = self.nodes.swap(0, Ordering::Relaxed);
        let result = watch.on_threads(|| self.task(&branch.walk, branch.left, TASK_DEPTH, watch));
        let nodes = self.nodes.swap(before, Ordering::Relaxed);
        (nodes, result)
    }

    /// The length of the best walk known, found here or elsewhere.
    #[must_use]
    pub fn best(&self) -> Option<u32> {
        Some(self.best.load(Ordering::Relaxed)).filter(|&best| best <= self.limit)
    }

    /// Records the length of a walk that was found elsewhere.
    pub fn learn(&self, length: u32) {
        self.best.fetch_min(length, Ordering::Relaxed);
    }

    /// The best walk that was found here.
    ///
    /// # Panics
    /// When a thread panicked that held it.
    #[must_use]
    pub fn found(&self) -> Option<Vec<Vertex>> {
        self.plan.lock().expect("no thread panics with the plan").clone()
    }

    /// Counts nodes that were searched elsewhere.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Keeps a walk that takes every piece, if it is shorter than the one kept.
    ///
    /// # Panics
    /// When a thread panicked that held it.
    pub fn offer(&self, walk: &[Vertex]) {
        let length = walk.len() as u32 - 1;
        let mut plan = self.plan.lock().expect("no thread panics with the plan");
        // Another process may already have reported the length, but not the walk.
        let is_shorter = plan.as_ref().is_none_or(|kept| walk.len() < kept.len());
        if is_shorter && length <= self.best.fetch_min(length, Ordering::Relaxed) {
            *plan = Some(walk.to_vec());
        }
    }

    /// Reports the length of the best walk, once for each that is shorter.
    fn tell(&self, watch: &Watch) {
        let best = self.best.load(Ordering::Relaxed);
        if self.told.fetch_min(best, Ordering::Relaxed) > best {
            watch.tell(|progress| progress.best = self.best().map(u64::from));
        }
    }

    /// Searches everything below a walk, depth first.
    fn explore<T: Tracer>(
        &self,
        walk: &[Vertex],
        left: u64,
        watch: &Watch,
        tracer: &mut T,
    ) -> Result<(), Halt> {
        let mut ticker = watch.ticker();
        let result = self.descend(walk, left, &mut ticker, tracer);
        self.nodes.fetch_add(ticker.nodes(), Ordering::Relaxed);
        result
    }

    fn descend<T: Tracer>(
        &self,
        walk: &[Vertex],
        left: u64,
        ticker: &mut Ticker<'_>,
        tracer: &mut T,
    ) -> Result<(), Halt> {
        let mut frames = vec![self.frame(walk[walk.len() - 1], left)];
        ticker.tick()?;
        let mut depth = walk.len() as u32 - 1;
        while let Some(frame) = frames.last_mut() {
            let best = self.best.load(Ordering::Relaxed);
            // Where a step that takes nothing would be cut, only the others are tried.
            let idle = depth + 1 + frame.left.count_ones() < best;
            let count = if idle { frame.order.count } else { frame.order.takes };
            if frame.next >= count {
                let done = frames.pop();
                if T::LISTENS
                    && let Some(done) = done.filter(|_| !frames.is_empty())
                {
                    let square = self.graph.square(Vertex::from(done.at));
                    heard(tracer.retreat(depth as usize + 1, square))?;
                }
                depth = depth.wrapping_sub(1);
                continue;
            }
            let to = frame.order.to[frame.next as usize];
            frame.next += 1;
            let left = frame.left & !self.bit[to as usize];
            if depth + 1 + left.count_ones() >= best {
                continue;
            }
            ticker.tick()?;
            let step = depth as usize + 2;
            if T::LISTENS {
                heard(tracer.visit(step, self.graph.square(Vertex::from(to))))?;
            }
            if left == 0 {
                let path = frames[1..].iter().map(|frame| frame.at).chain([to]).map(Vertex::from);
                self.offer(&walk.iter().copied().chain(path).collect::<Vec<_>>());
                self.tell(ticker.watch());
                if T::LISTENS {
                    heard(tracer.found(step))?;
                    heard(tracer.retreat(step, self.graph.square(Vertex::from(to))))?;
                }
                continue;
            }
            frames.push(self.frame(Vertex::from(to), left));
            depth += 1;
        }
        Ok(())
    }
}
