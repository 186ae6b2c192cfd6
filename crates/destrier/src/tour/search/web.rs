//! What a search for a tour is really asked: one cycle through every vertex of a small multigraph.
//!
//! Open tours, tours with given ends, and tours that a symmetry reverses are paths of the folded
//! board. Two extra vertices, joined to each other and to the squares where a path may begin
//! or end, make each of them a cycle. So the searches know one question only: a Hamiltonian
//! cycle whose total turn is one of those allowed.
//!
//! Invariant: edge `e` joins `ends[e][0]` to `ends[e][1]`, and its turn counts in that direction.
//! Cost: linear in the edges; the extra vertices have as many edges as there are allowed ends.
//! Source: the usual reduction of paths to cycles (Karp 1972).

use super::quotient::{Lap, Quotient, Stop, narrow};

/// What is looked for in a folded board.
#[derive(Clone, Debug)]
pub(crate) enum Aim {
    /// A cycle whose total turn is one of these (bit `k` for the turn `k`).
    Cycle {
        /// Allowed total turns, as bits.
        turns: u8,
    },
    /// A path from one of these orbits to one of those.
    Path {
        /// Where it may begin.
        starts: Vec<u32>,
        /// Where it may end.
        ends: Vec<u32>,
    },
}

/// The multigraph that is searched: the folded board, and two extra vertices when a path is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Web {
    orbits: usize,
    vertices: usize,
    ends: Vec<[u32; 2]>,
    turn: Vec<u8>,
    first: Vec<u32>,
    incident: Vec<u32>,
    turns: u8,
    order: u8,
}

impl Web {
    /// The question that an aim asks of a folded board.
    pub(crate) fn new(board: &Quotient, aim: &Aim) -> Web {
        let orbits = board.len();
        let mut ends = Vec::new();
        let mut turn = Vec::new();
        for a in 0..narrow(orbits) {
            for arc in board.arcs(a) {
                if a < arc.to {
                    ends.push([a, arc.to]);
                    turn.push(arc.turn);
                }
            }
        }
        let (vertices, turns) = match aim {
            Aim::Cycle { turns } => (orbits, *turns),
            Aim::Path { starts, ends: lasts } => {
                let (before, after) = (narrow(orbits), narrow(orbits) + 1);
                ends.push([before, after]);
                ends.extend(starts.iter().map(|&s| [before, s]));
                ends.extend(lasts.iter().map(|&t| [after, t]));
                turn.resize(ends.len(), 0);
                (orbits + 2, u8::MAX)
            }
        };
        let mut first = vec![0_u32; vertices + 1];
        for &[u, v] in &ends {
            first[u as usize + 1] += 1;
            first[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            first[v + 1] += first[v];
        }
        let mut place = first.clone();
        let mut incident = vec![0; 2 * ends.len()];
        for (e, pair) in ends.iter().enumerate() {
            for &v in pair {
                incident[place[v as usize] as usize] = narrow(e);
                place[v as usize] += 1;
            }
        }
        Web { orbits, vertices, ends, turn, first, incident, turns, order: board.order() }
    }

    /// The number of vertices, the extra ones included.
    pub(crate) const fn vertices(&self) -> usize {
        self.vertices
    }

    /// The number of edges.
    pub(crate) fn edges(&self) -> usize {
        self.ends.len()
    }

    /// The edges at a vertex.
    pub(crate) fn at(&self, v: u32) -> &[u32] {
        &self.incident[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// The two ends of an edge.
    pub(crate) fn ends(&self, e: u32) -> [u32; 2] {
        self.ends[e as usize]
    }

    /// The other end of an edge.
    pub(crate) fn across(&self, e: u32, v: u32) -> u32 {
        let [a, b] = self.ends[e as usize];
        a ^ b ^ v
    }

    /// The turn of an edge when it is gone along from `v`.
    pub(crate) fn turn_from(&self, e: u32, v: u32) -> u8 {
        let turn = self.turn[e as usize];
        if self.ends[e as usize][0] == v { turn } else { (self.order - turn) % self.order }
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
        self.turns >> turn & 1 == 1
    }

    /// Is this one of the two vertices that turn a path into a cycle?
    pub(crate) const fn is_extra(&self, v: u32) -> bool {
        v as usize >= self.orbits
    }

    /// Unfolds a cycle, given as the two chosen edges at each vertex, into a lap.
    ///
    /// A path comes out from its start to its end; a cycle begins at orbit 0.
    pub(crate) fn lap(&self, chosen: &[[u32; 2]]) -> Lap {
        let path = self.vertices > self.orbits;
        // From the first extra vertex away from the second, or from orbit 0 either way.
        let start = if path { narrow(self.orbits) } else { 0 };
        let mut edge = chosen[start as usize][0];
        if path && self.is_extra(self.across(edge, start)) {
            edge = chosen[start as usize][1];
        }
        let mut stops = Vec::with_capacity(self.orbits);
        let (mut v, mut turn) = (start, 0);
        loop {
            if !self.is_extra(v) {
                stops.push(Stop { orbit: v, turn });
            }
            turn = self.add(turn, self.turn_from(edge, v));
            v = self.across(edge, v);
            if v == start {
                return Lap { stops, total: turn };
            }
            let [a, b] = chosen[v as usize];
            edge = if a == edge { b } else { a };
        }
    }
}
