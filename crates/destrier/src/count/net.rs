//! The graph whose Hamiltonian cycles answer a question about tours.
//!
//! A closed tour is such a cycle already. For an open one we add an apex, a vertex joined to every
//! square where the tour may end: leave it out of a cycle, and a path is left. A fixed start is an
//! anchor between the start and the apex, or between the two ends if both are fixed.
//!
//! Invariant: the Hamiltonian cycles of the net are the undirected tours asked for, one to one.
//! Cost: the apex holds one more slot of the frontier throughout.
//! After: the usual reduction; the orders are tried out on frontier sizes alone.

use destrier_rules::{Shape, Square, TourProblem};

use super::sweep::course::{Course, Edge};
use crate::graph::{KnightGraph, Vertex};

/// A graph with turns on its edges, and the orders in which it might be swept.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) vertices: usize,
    pub(crate) edges: Vec<Edge>,
    pub(crate) orders: Vec<Vec<u32>>,
    pub(crate) modulus: u8,
    /// For each order along ranks or files, the places where a row ends.
    pub(crate) rows: Vec<Vec<usize>>,
}

impl Net {
    /// The net of a question without symmetry.
    pub(crate) fn of(problem: &TourProblem, graph: &KnightGraph) -> Net {
        let n = u32::try_from(graph.len()).expect("a graph has fewer than 2^28 vertices");
        let mut net = Net::of_graph(graph);
        let named = |square: Option<_>| square.and_then(|square| graph.vertex(square));
        let (start, end) = (named(problem.start), named(problem.end));
        match (problem.shape, start, end) {
            (Shape::Closed, Some(start), Some(end)) => {
                // The cycle must use this edge: run it through an anchor instead.
                let there = |e: &Edge| (e.a, e.b) == (start.min(end), start.max(end));
                if net.edges.iter().any(there) {
                    net.edges.retain(|e| !there(e));
                    net.anchor(&[start], &[end]);
                } else {
                    net.edges.clear();
                }
            }
            (Shape::Closed, ..) => {}
            (Shape::Open, Some(start), Some(end)) => net.anchor(&[start], &[end]),
            (Shape::Open, Some(only), None) | (Shape::Open, None, Some(only)) => {
                let others: Vec<Vertex> = (0..n).filter(|&v| v != only).collect();
                net.anchor(&[only], &others);
            }
            (Shape::Open, None, None) => net.apex(&(0..n).collect::<Vec<_>>()),
        }
        net
    }

    /// The bare graph, with an order along the ranks and one along the files.
    pub(crate) fn of_graph(graph: &KnightGraph) -> Net {
        let edges = graph.vertices().flat_map(|v| {
            let later = graph.neighbours(v).iter().filter(move |&&u| u > v);
            later.map(move |&u| Edge::plain(v, u))
        });
        let by_ranks: Vec<Vertex> = graph.vertices().collect();
        let mut by_files = by_ranks.clone();
        by_files.sort_by_key(|&v| (graph.square(v).file, graph.square(v).rank));
        let ends = |order: &[Vertex], row: fn(Square) -> u32| -> Vec<usize> {
            let row = |at: usize| row(graph.square(order[at]));
            (1..order.len()).filter(|&at| row(at) != row(at - 1)).collect()
        };
        let rows = vec![ends(&by_ranks, |s| s.rank), ends(&by_files, |s| s.file)];
        Net {
            vertices: graph.len(),
            edges: edges.collect(),
            orders: vec![by_ranks, by_files],
            modulus: 1,
            rows,
        }
    }

    /// Adds a vertex to be settled last, joined to these.
    pub(crate) fn apex(&mut self, ends: &[Vertex]) {
        let apex = self.fresh();
        self.edges.extend(ends.iter().map(|&v| Edge::plain(v, apex)));
        self.orders.iter_mut().for_each(|order| order.push(apex));
    }

    /// Makes every cycle pass from one of the first vertices to one of the second, by way of an anchor
    /// that is settled first.
    pub(crate) fn anchor(&mut self, first: &[Vertex], second: &[Vertex]) {
        let anchor = self.fresh();
        self.edges.extend(first.iter().map(|&v| Edge::plain(v, anchor)));
        self.begin_with(anchor);
        if let (&[_], &[only]) = (first, second) {
            self.edges.push(Edge::plain(only, anchor));
            return;
        }
        let mut near = anchor;
        if first.len() > 1 {
            // A vertex with two edges is on every cycle, and so the anchor takes one first vertex only.
            near = self.fresh();
            self.edges.push(Edge::plain(anchor, near));
            self.begin_with(near);
        }
        self.apex(second);
        let apex = u32::try_from(self.vertices - 1).expect("a graph has fewer than 2^28 vertices");
        self.edges.push(Edge::plain(near, apex));
    }

    fn begin_with(&mut self, vertex: Vertex) {
        self.orders.iter_mut().for_each(|order| order.insert(0, vertex));
        self.rows.iter_mut().flatten().for_each(|end| *end += 1);
    }

    fn fresh(&mut self) -> Vertex {
        self.vertices += 1;
        u32::try_from(self.vertices - 1).expect("a graph has fewer than 2^28 vertices")
    }

    /// The cheapest course among the orders.
    pub(crate) fn course(&self) -> Course {
        self.course_and_rows().0
    }

    /// The cheapest course, and the places where its rows end, if it has rows.
    pub(crate) fn course_and_rows(&self) -> (Course, Vec<usize>) {
        let cost = |&at: &usize| self.cost(&self.orders[at]);
        let best = (0..self.orders.len()).min_by_key(cost).expect("there is an order");
        let course = Course::new(self.vertices, &self.edges, &self.orders[best], self.modulus);
        (course, self.rows.get(best).cloned().unwrap_or_default())
    }

    /// A guess at the work of an order: frontier sizes, each vertex more a factor of 5/2.
    fn cost(&self, order: &[u32]) -> u64 {
        let mut at = vec![0; self.vertices];
        for (place, &v) in order.iter().enumerate() {
            at[v as usize] = place;
        }
        // A vertex is in the frontier from its first neighbour's turn to its own.
        let mut first: Vec<usize> = at.clone();
        for edge in &self.edges {
            let (a, b) = (edge.a as usize, edge.b as usize);
            first[a] = first[a].min(at[b]);
            first[b] = first[b].min(at[a]);
        }
        let mut change = vec![0_i32; self.vertices + 1];
        for v in 0..self.vertices {
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

/// An order that takes, again and again, the vertex that adds the fewest to the frontier.
pub(crate) fn greedy(vertices: usize, edges: &[Edge]) -> Vec<Vertex> {
    let mut near = vec![Vec::new(); vertices];
    for edge in edges {
        near[edge.a as usize].push(edge.b as usize);
        near[edge.b as usize].push(edge.a as usize);
    }
    let mut entered = vec![false; vertices];
    let mut settled = vec![false; vertices];
    let mut order = Vec::with_capacity(vertices);
    while order.len() < vertices {
        let added = |v: &usize| {
            let mut fresh: Vec<usize> = near[*v].iter().copied().filter(|&u| !entered[u]).collect();
            fresh.sort_unstable();
            fresh.dedup();
            // Of equals, one that leaves the frontier; then the first.
            (fresh.len(), !entered[*v], *v)
        };
        let Some(v) = (0..vertices).filter(|&v| !settled[v]).min_by_key(added) else { break };
        settled[v] = true;
        entered[v] = true;
        near[v].iter().for_each(|&u| entered[u] = true);
        order.push(u32::try_from(v).expect("a graph has fewer than 2^28 vertices"));
    }
    order
}
