//! From a board to stops with distances, and from an order of stops to a plan on the board.
//!
//! One breadth-first search from every stop gives the distances. Between two stops the knight
//! follows falling distances.
//!
//! Invariant: stop 0 is the start, the others are the pieces in ascending order.
//! Cost: `q` searches of the board, shared by the threads; two bytes for each pair.
//! Source: Moore 1959 (breadth-first distances).

use std::collections::BTreeSet;

use destrier_rules::{CapturePlan, CaptureProblem, Obstacle};

use super::metric::Metric;
use crate::graph::{KnightGraph, Vertex};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// The stops of a problem.
#[derive(Debug)]
pub(crate) struct Stops {
    pub(crate) graph: KnightGraph,
    pub(crate) vertices: Vec<Vertex>,
}

const FAR: u16 = u16::MAX;

impl Stops {
    /// The start and the pieces on the board's graph, or the first piece that cannot be reached.
    pub(crate) fn new(problem: &CaptureProblem) -> Result<Stops, Obstacle> {
        let graph = KnightGraph::new(&problem.board);
        let squares = std::iter::once(problem.start).chain(problem.targets.iter().copied());
        let vertices: Vec<Vertex> =
            squares.map(|square| graph.vertex(square).expect("the question is valid")).collect();
        let mut paths = PathFinder::new(&graph);
        paths.search(vertices[0], |_| false);
        match vertices.iter().find(|&&v| paths.distance(v).is_none()) {
            Some(&isolated) => {
                Err(Obstacle::Unreachable { from: problem.start, to: graph.square(isolated) })
            }
            None => Ok(Stops { graph, vertices }),
        }
    }

    /// All distances between stops; `None` if one of them does not fit in two bytes.
    pub(crate) fn metric(&self, watch: &Watch) -> Result<Option<Metric>, Halt> {
        let stops = self.vertices.len();
        let mut distance = vec![FAR; stops * stops];
        let threads = if stops * self.graph.len() < 1 << 18 { 1 } else { watch.threads() };
        let share = stops.div_ceil(threads);
        let shares = distance.chunks_mut(share * stops).zip(self.vertices.chunks(share));
        let fill = |(rows, sources): (&mut [u16], &[Vertex])| self.fill(rows, sources, watch);
        if threads == 1 {
            threads::try_map(shares, fill)?;
        } else {
            watch.on_threads(|| threads::try_map(shares, fill))?;
        }
        Ok((!distance.contains(&FAR)).then(|| Metric::new(stops, distance)))
    }

    fn fill(&self, rows: &mut [u16], sources: &[Vertex], watch: &Watch) -> Result<(), Halt> {
        let mut ticker = watch.ticker();
        let mut far = vec![FAR; self.graph.len()];
        let mut queue: Vec<Vertex> = Vec::with_capacity(self.graph.len());
        for (row, &source) in rows.chunks_mut(self.vertices.len()).zip(sources) {
            far.fill(FAR);
            queue.clear();
            queue.push(source);
            far[source as usize] = 0;
            let mut head = 0;
            while let Some(&v) = queue.get(head) {
                head += 1;
                if head % 64 == 0 {
                    ticker.tick()?;
                }
                let next = far[v as usize] + 1;
                if next == FAR {
                    break; // larger distances do not fit, and stay `FAR`
                }
                for &u in self.graph.neighbours(v) {
                    if far[u as usize] == FAR {
                        far[u as usize] = next;
                        queue.push(u);
                    }
                }
            }
            for (cell, &v) in row.iter_mut().zip(&self.vertices) {
                *cell = far[v as usize];
            }
        }
        Ok(())
    }

    /// A plan that always goes to a nearest piece, found without the table of distances.
    pub(crate) fn nearest_first(&self) -> CapturePlan {
        let mut left = vec![false; self.graph.len()];
        for &piece in &self.vertices[1..] {
            left[piece as usize] = true;
        }
        let mut at = self.vertices[0];
        let mut walk = vec![at];
        let mut paths = PathFinder::new(&self.graph);
        for _ in 1..self.vertices.len() {
            let to = paths.search(at, |v| left[v as usize]).expect("every piece can be reached");
            left[to as usize] = false;
            let mut leg: Vec<Vertex> = std::iter::once(to).chain(paths.back_from(to)).collect();
            leg.reverse();
            walk.extend(&leg[1..]);
            at = to;
        }
        CapturePlan(self.graph.squares_of(&walk))
    }

    /// The plan that visits the stops in this order, square by square.
    ///
    /// Pieces met on the way are taken on the way, and stops that this makes unnecessary are left out
    /// at the end.
    pub(crate) fn plan(&self, order: &[usize]) -> CapturePlan {
        let mut walk = vec![self.vertices[order[0]]];
        let mut paths = PathFinder::new(&self.graph);
        for leg in order.windows(2) {
            let (from, to) = (self.vertices[leg[0]], self.vertices[leg[1]]);
            // Search from the goal until the knight's square is met, then follow the path back.
            paths.search(to, |v| v == from);
            walk.extend(paths.back_from(from));
        }
        // All pieces may have been taken before the walk ends.
        let mut missing: BTreeSet<Vertex> = self.vertices[1..].iter().copied().collect();
        let taken = walk.iter().position(|v| {
            missing.remove(v);
            missing.is_empty()
        });
        walk.truncate(taken.map_or(walk.len(), |last| last + 1));
        CapturePlan(self.graph.squares_of(&walk))
    }
}

/// Breadth-first searches that end early, one after the other on one board.
pub(crate) struct PathFinder<'g> {
    graph: &'g KnightGraph,
    /// The search in which a vertex was last seen, and its distance there.
    seen: Vec<(u32, u32)>,
    round: u32,
    queue: Vec<Vertex>,
}

impl<'g> PathFinder<'g> {
    pub(crate) fn new(graph: &'g KnightGraph) -> PathFinder<'g> {
        PathFinder { graph, seen: vec![(0, 0); graph.len()], round: 0, queue: Vec::new() }
    }

    /// Searches from a vertex until one is met that is wanted.
    pub(crate) fn search(
        &mut self,
        from: Vertex,
        is_wanted: impl Fn(Vertex) -> bool,
    ) -> Option<Vertex> {
        self.round += 1;
        self.queue.clear();
        self.queue.push(from);
        self.seen[from as usize] = (self.round, 0);
        let mut head = 0;
        while let Some(&v) = self.queue.get(head) {
            if is_wanted(v) {
                return Some(v);
            }
            head += 1;
            let next = self.seen[v as usize].1 + 1;
            for &u in self.graph.neighbours(v) {
                if self.seen[u as usize].0 != self.round {
                    self.seen[u as usize] = (self.round, next);
                    self.queue.push(u);
                }
            }
        }
        None
    }

    /// The distance of a vertex, if the last search met it.
    pub(crate) fn distance(&self, v: Vertex) -> Option<u32> {
        let (round, distance) = self.seen[v as usize];
        (round == self.round).then_some(distance)
    }

    /// The path from a vertex that was met, without it, back to where the search began.
    fn back_from(&self, from: Vertex) -> Vec<Vertex> {
        let mut path = Vec::new();
        let mut at = from;
        while let Some(nearer) = self.seen[at as usize].1.checked_sub(1) {
            let is_nearer = |&&u: &&Vertex| self.seen[u as usize] == (self.round, nearer);
            let next = self.graph.neighbours(at).iter().find(is_nearer);
            at = *next.expect("it was met from a nearer vertex");
            path.push(at);
        }
        path
    }
}
