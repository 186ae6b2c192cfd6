//! A board with pieces as stops with distances, and a visit of stops as a plan on the board.
//!
//! One breadth-first search from every stop gives the distances. Between two stops the knight
//! walks back along falling distances.
//!
//! Invariant: stop 0 is the start, the others are the pieces in ascending order.
//! Cost: `q` searches of the board, dealt out to the threads; two bytes for each pair.
//! After: Lee and Moore (breadth-first distances).

use std::collections::BTreeSet;

use destrier_rules::{CapturePlan, CaptureProblem, Obstacle};

use super::metric::Metric;
use crate::graph::{KnightGraph, Vertex};
use crate::watch::{Halt, Watch};

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
        let mut reached = vec![false; graph.len()];
        reached[vertices[0] as usize] = true;
        let mut queue = vec![vertices[0]];
        while let Some(v) = queue.pop() {
            for &u in graph.neighbours(v) {
                if !std::mem::replace(&mut reached[u as usize], true) {
                    queue.push(u);
                }
            }
        }
        match vertices.iter().find(|&&v| !reached[v as usize]) {
            Some(&lost) => {
                Err(Obstacle::Unreachable { from: problem.start, to: graph.square(lost) })
            }
            None => Ok(Stops { graph, vertices }),
        }
    }

    /// All distances between stops. `None`: one of them does not fit in two bytes.
    pub(crate) fn metric(&self, watch: &Watch) -> Result<Option<Metric>, Halt> {
        let stops = self.vertices.len();
        let mut distance = vec![FAR; stops * stops];
        let threads = if stops * self.graph.len() < 1 << 18 { 1 } else { watch.threads() };
        let share = stops.div_ceil(threads);
        let results: Vec<Result<(), Halt>> = std::thread::scope(|scope| {
            let chunks = distance.chunks_mut(share * stops).zip(self.vertices.chunks(share));
            let workers: Vec<_> = chunks
                .map(|(rows, sources)| scope.spawn(move || self.fill(rows, sources, watch)))
                .collect();
            workers.into_iter().map(|w| w.join().expect("a worker does not panic")).collect()
        });
        results.into_iter().collect::<Result<(), Halt>>()?;
        Ok((!distance.contains(&FAR)).then(|| Metric::new(stops, distance)))
    }

    fn fill(&self, rows: &mut [u16], sources: &[Vertex], watch: &Watch) -> Result<(), Halt> {
        let mut pulse = watch.pulse();
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
                    pulse.beat()?;
                }
                let next = far[v as usize].saturating_add(1);
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

    /// The plan that visits the stops in this order, square by square.
    ///
    /// Pieces met on the way are taken on the way, and stops that this makes needless are left
    /// out at the end.
    pub(crate) fn plan(&self, order: &[usize]) -> CapturePlan {
        let mut walk = vec![self.vertices[order[0]]];
        let mut seen = vec![u32::MAX; self.graph.len()];
        let mut far = vec![0u32; self.graph.len()];
        let mut queue: Vec<Vertex> = Vec::new();
        for (round, leg) in (0..).zip(order.windows(2)) {
            let (from, to) = (self.vertices[leg[0]], self.vertices[leg[1]]);
            // Outwards from the goal until the knight's square is met.
            queue.clear();
            queue.push(to);
            seen[to as usize] = round;
            far[to as usize] = 0;
            let mut head = 0;
            while seen[from as usize] != round {
                let v = queue[head];
                head += 1;
                for &u in self.graph.neighbours(v) {
                    if seen[u as usize] != round {
                        seen[u as usize] = round;
                        far[u as usize] = far[v as usize] + 1;
                        queue.push(u);
                    }
                }
            }
            let mut at = from;
            while at != to {
                let nearer = |&&u: &&Vertex| {
                    seen[u as usize] == round && far[u as usize] + 1 == far[at as usize]
                };
                at = *self.graph.neighbours(at).iter().find(nearer).expect("a way was found");
                walk.push(at);
            }
        }
        // Everything may have been taken before the walk ends.
        let mut missing: BTreeSet<Vertex> = self.vertices[1..].iter().copied().collect();
        let taken = walk.iter().position(|v| {
            missing.remove(v);
            missing.is_empty()
        });
        walk.truncate(taken.map_or(walk.len(), |last| last + 1));
        CapturePlan(self.graph.squares_of(&walk))
    }
}
