//! The orders in which a graph might be swept, and the cheapest of them.
//!
//! Anchors are settled first and an apex last; in between come the squares rank by rank or file by file,
//! the orbits of a folded board also by diagonals, by rings, or as a greedy choice takes them.
//!
//! Invariant: every order has each vertex once.
//! Cost: a guess at each order, linear in the edges, from the sizes of the frontier alone.

use destrier_rules::{Square, Symmetry, TourProblem};

use super::sweep::course::Course;
use crate::graph::cycle::{Aim, CycleGraph};
use crate::graph::fold::Fold;
use crate::graph::{KnightGraph, Vertex, narrow};

/// A graph whose cycles are to be counted, and orders in which it might be swept.
#[derive(Clone, Debug)]
pub(crate) struct Orders {
    pub(crate) graph: CycleGraph,
    pub(crate) candidates: Vec<Vec<Vertex>>,
    /// For each candidate along ranks or files, where in it a row ends.
    pub(crate) rows: Vec<Vec<usize>>,
}

/// The most orbits that are ordered greedily, which takes quadratic time: some tenths of a second.
const MOST_GREEDY: usize = 2048;

/// What squares are sorted by.
type Key = fn(Square) -> (u32, u32);

/// Squares by rank, by file, by diagonal, and in rings round a corner.
const KEYS: [Key; 4] = [
    |s| (s.rank, s.file),
    |s| (s.file, s.rank),
    |s| (s.rank + s.file, s.file),
    |s| (s.rank.max(s.file), s.file),
];

impl Orders {
    /// For a question without symmetry: along the ranks and along the files.
    pub(crate) fn of(problem: &TourProblem, graph: &KnightGraph) -> Orders {
        let fold = Fold::new(graph, Symmetry::Identity, None);
        let asked = Aim::of(problem, graph).map(|aim| CycleGraph::new(&fold, &aim));
        let asked = asked.unwrap_or_else(|| CycleGraph::of_edges(graph.len(), Vec::new()));
        let orders: Vec<_> = KEYS[..2].iter().map(|&key| by_key(&fold, key)).collect();
        let ends = |(order, key): (&Vec<Vertex>, &Key)| -> Vec<usize> {
            let row = |at: usize| key(graph.square(order[at])).0;
            (1..order.len()).filter(|&at| row(at) != row(at - 1)).collect()
        };
        let rows = orders.iter().zip(&KEYS).map(ends).collect();
        Orders::with_extras(asked, orders, rows)
    }

    /// For a folded board: orbits as their first square is met, or greedily.
    pub(crate) fn folded(fold: &Fold, aim: &Aim) -> Orders {
        let mut orders: Vec<_> = KEYS.iter().map(|&key| by_key(fold, key)).collect();
        if fold.len() <= MOST_GREEDY {
            orders.push(greedy(fold));
        }
        Orders::with_extras(CycleGraph::new(fold, aim), orders, Vec::new())
    }

    fn with_extras(
        graph: CycleGraph,
        mut candidates: Vec<Vec<Vertex>>,
        mut rows: Vec<Vec<usize>>,
    ) -> Orders {
        for order in &mut candidates {
            order.splice(..0, graph.anchors().rev());
            order.extend(graph.apex());
        }
        rows.iter_mut().flatten().for_each(|end| *end += graph.anchors().len());
        Orders { graph, candidates, rows }
    }

    /// The cheapest course.
    pub(crate) fn course(&self) -> Course {
        self.course_and_rows().0
    }

    /// The cheapest course, and where its rows end, if it has rows.
    pub(crate) fn course_and_rows(&self) -> (Course, Vec<usize>) {
        let cost = |&at: &usize| self.cost(&self.candidates[at]);
        let best = (0..self.candidates.len()).min_by_key(cost).expect("there is an order");
        let course = Course::new(&self.graph, &self.candidates[best]);
        (course, self.rows.get(best).cloned().unwrap_or_default())
    }

    /// A guess at the work of an order: frontier sizes, each vertex more a factor of 5/2.
    fn cost(&self, order: &[Vertex]) -> u64 {
        let vertices = self.graph.vertices();
        let mut at = vec![0; vertices];
        for (place, &v) in order.iter().enumerate() {
            at[v as usize] = place;
        }
        // A vertex is in the frontier from its first neighbour's turn to its own.
        let mut first: Vec<usize> = at.clone();
        for edge in self.graph.edges() {
            let (a, b) = (edge.a as usize, edge.b as usize);
            first[a] = first[a].min(at[b]);
            first[b] = first[b].min(at[a]);
        }
        let mut change = vec![0_i32; vertices + 1];
        for v in 0..vertices {
            change[first[v]] += 1;
            change[at[v]] -= 1;
        }
        let mut size = 0;
        let mut work = 0.0_f64;
        for step in change {
            size += step;
            work += 2.5_f64.powi(size);
        }
        // Compared only: a finer scale than a thousandth is not needed.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let work = (work * 1000.0) as u64;
        work
    }
}

/// The orbits in the order in which their first square is met.
fn by_key(fold: &Fold, key: Key) -> Vec<Vertex> {
    let mut squares: Vec<Vertex> = fold.graph.vertices().collect();
    squares.sort_by_key(|&v| key(fold.graph.square(v)));
    let mut met = vec![false; fold.len()];
    let orbits = squares.into_iter().filter_map(|v| fold.orbit_of(v));
    orbits.filter(|&o| !std::mem::replace(&mut met[o as usize], true)).collect()
}

/// An order that takes, again and again, the orbit that adds the fewest to the frontier.
fn greedy(fold: &Fold) -> Vec<Vertex> {
    let mut entered = vec![false; fold.len()];
    let mut settled = vec![false; fold.len()];
    let mut order = Vec::with_capacity(fold.len());
    while order.len() < fold.len() {
        let added = |v: &usize| {
            let near = fold.arcs(narrow(*v)).iter().map(|arc| arc.to);
            let mut fresh: Vec<Vertex> = near.filter(|&u| !entered[u as usize]).collect();
            fresh.sort_unstable();
            fresh.dedup();
            // Of equals, one that leaves the frontier; then the first.
            (fresh.len(), !entered[*v], *v)
        };
        let Some(v) = (0..fold.len()).filter(|&v| !settled[v]).min_by_key(added) else { break };
        settled[v] = true;
        entered[v] = true;
        fold.arcs(narrow(v)).iter().for_each(|arc| entered[arc.to as usize] = true);
        order.push(narrow(v));
    }
    order
}
