//! Every question about tours as one about cycles: a cycle through all vertices of a small multigraph.
//!
//! A closed tour is such a cycle already. Open tours, tours with given ends, and tours that a symmetry
//! reverses are paths of the folded board. An *apex*, a vertex joined to every vertex where a path may end,
//! makes a cycle of each. Where one end is given, an *anchor* joins it to the apex, or to the other end if that
//! is given as well. So searches and sweeps know one question only: a Hamiltonian cycle whose total turn is
//! one of those allowed.
//!
//! Invariant: the allowed cycles are the tours asked for, one to one; paths among one set of ends have
//! no direction, all others lead from a start to an end.
//! Cost: linear in the edges; an apex has an edge for each allowed end, and keeps a frontier wider by one.
//! Source: the usual reduction of paths to cycles (Karp 1972).

use std::ops::Range;

use destrier_rules::{Shape, Square, TourProblem};

use super::fold::{Fold, FoldedTour, Visit};
use super::{KnightGraph, Vertex, narrow};

/// What is looked for in a folded board.
#[derive(Clone, Debug)]
pub(crate) enum Aim {
    /// A cycle whose total turn is one of these (bit `k` for the turn `k`).
    Cycle { turns: u8 },
    /// A path from one of these orbits to one of those.
    Path { starts: Vec<Vertex>, ends: Vec<Vertex> },
    /// A path with both ends among these, the same path either way.
    PathAmong(Vec<Vertex>),
}

impl Aim {
    /// What a question without symmetry asks of its board; nothing where it names two ends of a closed tour
    /// that are no jump apart.
    pub(crate) fn of(problem: &TourProblem, graph: &KnightGraph) -> Option<Aim> {
        let named = |square: Option<Square>| square.and_then(|square| graph.vertex(square));
        let others = |only: Vertex| graph.vertices().filter(|&v| v != only).collect();
        Some(match (problem.shape, named(problem.start), named(problem.end)) {
            (Shape::Closed, Some(start), Some(end)) if !graph.neighbours(start).contains(&end) => {
                return None;
            }
            (_, Some(start), Some(end)) => Aim::Path { starts: vec![start], ends: vec![end] },
            (Shape::Closed, ..) => Aim::Cycle { turns: 1 },
            (Shape::Open, Some(start), None) => {
                Aim::Path { starts: vec![start], ends: others(start) }
            }
            (Shape::Open, None, Some(end)) => Aim::Path { starts: others(end), ends: vec![end] },
            (Shape::Open, None, None) => Aim::PathAmong(graph.vertices().collect()),
        })
    }

    /// Where a path may begin and where it may end.
    pub(crate) fn ends(&self) -> Option<(&[Vertex], &[Vertex])> {
        match self {
            Aim::Cycle { .. } => None,
            Aim::Path { starts, ends } => Some((starts, ends)),
            Aim::PathAmong(ends) => Some((ends, ends)),
        }
    }

    /// The cycle of a folded board with a single orbit: a jump from each square to its own image.
    pub(crate) fn of_one_orbit(&self, fold: &Fold) -> Option<FoldedTour> {
        let Aim::Cycle { turns } = self else { return None };
        // Two squares and the jump between them, there and back, are no cycle.
        let totals = (fold.len() == 1 && fold.order() > 2).then(|| fold.loops(0) & turns)?;
        let total = (0..fold.order()).find(|turn| totals >> turn & 1 == 1)?;
        Some(FoldedTour { visits: vec![Visit { orbit: 0, turn: 0 }], total })
    }
}

/// An edge, with a turn that counts from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) a: Vertex,
    pub(crate) b: Vertex,
    pub(crate) turn: u8,
}

impl Edge {
    pub(crate) const fn plain(a: Vertex, b: Vertex) -> Edge {
        Edge { a, b, turn: 0 }
    }
}

/// The multigraph whose cycles are wanted: the orbits of a folded board, then extra vertices.
#[derive(Clone, Debug)]
pub(crate) struct CycleGraph {
    orbits: usize,
    vertices: usize,
    /// Is the last of the extra vertices an apex? The others are anchors.
    has_apex: bool,
    /// The extra vertex next to the start of a path.
    before: Vertex,
    edges: Vec<Edge>,
    first: Vec<u32>,
    incident: Vec<u32>,
    /// Turns are counted modulo this.
    order: u8,
    /// The total turns that a cycle may have, as bits.
    allowed: u8,
}

/// The turns around a path that was made a cycle do not matter.
const ANY_TURN: u8 = u8::MAX;

impl CycleGraph {
    /// The question that an aim asks of a folded board.
    pub(crate) fn new(fold: &Fold, aim: &Aim) -> CycleGraph {
        let orbits = fold.len();
        let mut edges = Vec::new();
        for a in fold.orbits() {
            let later = fold.arcs(a).iter().filter(|arc| a < arc.to);
            edges.extend(later.map(|arc| Edge { a, b: arc.to, turn: arc.turn }));
        }
        let join = |edges: &mut Vec<Edge>, ends: &[Vertex], extra: Vertex| {
            edges.extend(ends.iter().map(|&end| Edge::plain(end, extra)));
        };
        let n = narrow(orbits);
        // How many extra vertices, is the last an apex, and which is next to the start?
        let (extra, has_apex, before) = match aim {
            Aim::Cycle { .. } => (0, false, 0),
            Aim::PathAmong(ends) => {
                join(&mut edges, ends, n);
                (1, true, n)
            }
            Aim::Path { starts, ends } => match (&starts[..], &ends[..]) {
                (&[start], &[end]) if start != end => {
                    // A jump between the ends is on no path of more than two squares.
                    let of_ends = |e: &Edge| (e.a, e.b) == (start.min(end), start.max(end));
                    edges.retain(|edge| orbits == 2 || !of_ends(edge));
                    join(&mut edges, &[start, end], n);
                    (1, false, n)
                }
                _ => {
                    let few_starts = starts.len() <= ends.len();
                    let (few, many) = if few_starts { (starts, ends) } else { (ends, starts) };
                    join(&mut edges, few, n);
                    // A vertex with two edges is on every cycle, and so the anchor takes one of the few only.
                    let more = u32::from(few.len() > 1);
                    let apex = n + 1 + more;
                    edges.extend((n..apex).map(|anchor| Edge::plain(anchor, anchor + 1)));
                    join(&mut edges, many, apex);
                    (2 + more as usize, true, if few_starts { n } else { apex })
                }
            },
        };
        let (order, allowed) = match aim {
            Aim::Cycle { turns } => (fold.order(), *turns),
            _ => (fold.order(), ANY_TURN),
        };
        let graph = CycleGraph::of_edges(orbits + extra, edges);
        CycleGraph { orbits, has_apex, before, order, allowed, ..graph }
    }

    /// Any graph, without extra vertices and turns.
    pub(crate) fn of_edges(vertices: usize, edges: Vec<Edge>) -> CycleGraph {
        let mut first = vec![0_u32; vertices + 1];
        for edge in &edges {
            first[edge.a as usize + 1] += 1;
            first[edge.b as usize + 1] += 1;
        }
        for v in 0..vertices {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut incident = vec![0; 2 * edges.len()];
        for (e, edge) in edges.iter().enumerate() {
            for v in [edge.a, edge.b] {
                incident[next[v as usize] as usize] = narrow(e);
                next[v as usize] += 1;
            }
        }
        let (orbits, has_apex, before, order, allowed) = (vertices, false, 0, 1, 1);
        CycleGraph { orbits, vertices, has_apex, before, edges, first, incident, order, allowed }
    }

    /// The number of vertices, the extra ones included.
    pub(crate) const fn vertices(&self) -> usize {
        self.vertices
    }

    /// All edges.
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The anchors: extra vertices of few edges.
    pub(crate) fn anchors(&self) -> Range<Vertex> {
        narrow(self.orbits)..narrow(self.vertices - usize::from(self.has_apex))
    }

    /// The apex: an extra vertex of many edges.
    pub(crate) fn apex(&self) -> Option<Vertex> {
        self.has_apex.then(|| narrow(self.vertices - 1))
    }

    /// The edges at a vertex.
    pub(crate) fn at(&self, v: Vertex) -> &[u32] {
        &self.incident[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// The two ends of an edge.
    pub(crate) fn ends(&self, e: u32) -> [Vertex; 2] {
        let Edge { a, b, .. } = self.edges[e as usize];
        [a, b]
    }

    /// The other end of an edge.
    pub(crate) fn across(&self, e: u32, v: Vertex) -> Vertex {
        let [a, b] = self.ends(e);
        a ^ b ^ v
    }

    /// The turn of an edge in the direction away from `v`.
    pub(crate) fn turn_from(&self, e: u32, v: Vertex) -> u8 {
        let Edge { a, turn, .. } = self.edges[e as usize];
        if a == v { turn } else { self.minus(turn) }
    }

    /// The sum of two turns.
    pub(crate) const fn add(&self, a: u8, b: u8) -> u8 {
        (a + b) % self.order
    }

    /// The turn that undoes a turn.
    pub(crate) const fn minus(&self, a: u8) -> u8 {
        (self.order - a) % self.order
    }

    /// May a cycle have this total turn?
    pub(crate) const fn allows(&self, turn: u8) -> bool {
        self.allowed >> turn & 1 == 1
    }

    /// Turns matter modulo this: not at all for paths.
    pub(crate) const fn modulus(&self) -> u8 {
        if self.allowed == ANY_TURN { 1 } else { self.order }
    }

    /// Reads a cycle of chosen edges as a tour of the folded board.
    ///
    /// A path comes out from its start to its end; a cycle begins at orbit 0.
    pub(crate) fn tour(&self, is_chosen: impl Fn(u32) -> bool) -> FoldedTour {
        let is_extra = |v: Vertex| v as usize >= self.orbits;
        let other = |v: Vertex, than: u32| {
            let edge = self.at(v).iter().copied().find(|&e| e != than && is_chosen(e));
            edge.expect("a cycle has two edges at every vertex")
        };
        let start = self.before;
        let mut edge = other(start, u32::MAX);
        if is_extra(start) && is_extra(self.across(edge, start)) {
            edge = other(start, edge);
        }
        let mut visits = Vec::with_capacity(self.orbits);
        let (mut v, mut turn) = (start, 0);
        loop {
            if !is_extra(v) {
                visits.push(Visit { orbit: v, turn });
            }
            turn = self.add(turn, self.turn_from(edge, v));
            v = self.across(edge, v);
            if v == start {
                return FoldedTour { visits, total: turn };
            }
            edge = other(v, edge);
        }
    }
}
