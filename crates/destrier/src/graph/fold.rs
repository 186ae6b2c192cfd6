//! The board folded by a symmetry: one vertex for all the squares that the symmetry exchanges.
//!
//! A symmetry `φ` of order `g` sorts the squares into orbits. A jump from the representative of orbit A to
//! the square `φ^k(representative of B)` becomes an edge A–B that carries the *turn* `k`. A walk through
//! orbits unfolds into a walk over squares by adding up the turns, so a tour that `φ` maps to itself is
//! a tour of the much smaller folded board, with a condition on its total turn. Folded by the identity, or by
//! a mirror along the only row that has squares (`g` = 1), the board is the board itself.
//!
//! Invariant: every edge A–B with turn `k` is seen from B as turn `−k`; a fixed square is an orbit of one.
//! Cost: linear in the number of jumps.
//! Source: voltage graphs (Gross and Tucker, Topological Graph Theory, 1987); symmetric tours have been
//! composed by hand on folded boards since Euler (1759) and Bergholt (1918).

use destrier_rules::{Square, Symmetry};

use super::{KnightGraph, Vertex, narrow};

/// An edge as seen from an orbit: where it leads, and its turn in that direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc {
    pub(crate) to: Vertex,
    pub(crate) turn: u8,
}

/// A visit of an unfolded walk: an orbit, and which of its squares, as turns from the representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) orbit: Vertex,
    pub(crate) turn: u8,
}

/// A tour of the folded board: a path, or a cycle with its total turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoldedTour {
    pub(crate) visits: Vec<Visit>,
    /// The turn by which a cycle comes home; of no meaning for a path.
    pub(crate) total: u8,
}

/// A folded board.
#[derive(Clone, Debug)]
pub(crate) struct Fold<'g> {
    pub(crate) graph: &'g KnightGraph,
    pub(crate) symmetry: Symmetry,
    order: u8,
    /// `vertices[orbit * order + turn]`: the vertex this many turns from the representative.
    vertices: Vec<Vertex>,
    orbit_of: Vec<Vertex>,
    first: Vec<u32>,
    arcs: Vec<Arc>,
    /// Bit `k` is set where the representative is a jump from its own image under `k` turns.
    loops: Vec<u8>,
    fixed: Vec<bool>,
}

/// The orbit of a vertex that was left out.
const LEFT_OUT: Vertex = Vertex::MAX;

impl<'g> Fold<'g> {
    /// Folds a graph by a symmetry of its board, leaving out the vertex `without`.
    pub(crate) fn new(
        graph: &'g KnightGraph,
        symmetry: Symmetry,
        without: Option<Vertex>,
    ) -> Fold<'g> {
        let image = |v| graph.image(symmetry, v).expect("the board has this symmetry");
        let moves_one = graph.vertices().any(|v| without != Some(v) && image(v) != v);
        let order = match symmetry {
            _ if !moves_one => 1,
            Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => 4,
            _ => 2,
        };
        let mut orbit_of = vec![LEFT_OUT; graph.len()];
        let mut turn_of = vec![0_u8; graph.len()];
        let mut vertices = Vec::with_capacity(graph.len());
        let mut fixed = Vec::new();
        for v in graph.vertices() {
            if orbit_of[v as usize] != LEFT_OUT || without == Some(v) {
                continue;
            }
            let orbit = narrow(fixed.len());
            let mut copy = v;
            for turn in 0..order {
                vertices.push(copy);
                if copy != v || turn == 0 {
                    orbit_of[copy as usize] = orbit;
                    turn_of[copy as usize] = turn;
                }
                copy = image(copy);
            }
            debug_assert_eq!(copy, v, "the symmetry has the order it was said to have");
            fixed.push(order > 1 && image(v) == v);
        }
        let mut first = vec![0];
        let mut arcs = Vec::new();
        let mut loops = vec![0_u8; fixed.len()];
        for orbit in 0..fixed.len() {
            for &w in graph.neighbours(vertices[orbit * usize::from(order)]) {
                let (to, turn) = (orbit_of[w as usize], turn_of[w as usize]);
                if to == LEFT_OUT {
                    continue;
                }
                if to as usize == orbit {
                    loops[orbit] |= 1 << turn;
                } else if !fixed[orbit] || turn == 0 && !fixed[to as usize] {
                    // Edges from a fixed square to all copies of another are one when folded; and no
                    // symmetric tour, but of two squares, has a jump between two fixed ones.
                    arcs.push(Arc { to, turn });
                }
            }
            first.push(narrow(arcs.len()));
        }
        Fold { graph, symmetry, order, vertices, orbit_of, first, arcs, loops, fixed }
    }

    /// The number of orbits.
    pub(crate) fn len(&self) -> usize {
        self.fixed.len()
    }

    /// All orbits.
    pub(crate) fn orbits(&self) -> impl Iterator<Item = Vertex> + use<> {
        0..narrow(self.len())
    }

    /// The order of the symmetry as it acts on the squares: 1 if it moves none.
    pub(crate) const fn order(&self) -> u8 {
        self.order
    }

    /// The edges of an orbit to other orbits.
    pub(crate) fn arcs(&self, orbit: Vertex) -> &[Arc] {
        &self.arcs[self.first[orbit as usize] as usize..self.first[orbit as usize + 1] as usize]
    }

    /// The turns `k`, as bits, by which the representative jumps to its own image.
    pub(crate) fn loops(&self, orbit: Vertex) -> u8 {
        self.loops[orbit as usize]
    }

    /// Does the symmetry leave this orbit's one square where it is?
    pub(crate) fn is_fixed(&self, orbit: Vertex) -> bool {
        self.fixed[orbit as usize]
    }

    /// The orbit of a vertex, unless it was left out.
    pub(crate) fn orbit_of(&self, v: Vertex) -> Option<Vertex> {
        Some(self.orbit_of[v as usize]).filter(|&orbit| orbit != LEFT_OUT)
    }

    /// The vertex visited, `more` turns on.
    pub(crate) fn vertex(&self, visit: Visit, more: u8) -> Vertex {
        let turn = self.add(visit.turn, more);
        self.vertices[visit.orbit as usize * usize::from(self.order) + usize::from(turn)]
    }

    /// The square visited, `more` turns on.
    pub(crate) fn square(&self, visit: Visit, more: u8) -> Square {
        self.graph.square(self.vertex(visit, more))
    }

    /// The sum of two turns.
    pub(crate) const fn add(&self, a: u8, b: u8) -> u8 {
        (a + b) % self.order
    }

    /// The turn that undoes a turn.
    pub(crate) const fn minus(&self, a: u8) -> u8 {
        (self.order - a) % self.order
    }
}

#[cfg(test)]
mod tests {
    use destrier_rules::Board;

    use super::*;

    fn board(files: u32, ranks: u32) -> KnightGraph {
        KnightGraph::new(&Board::new(files, ranks).unwrap())
    }

    #[test]
    fn every_edge_is_seen_from_both_of_its_ends() {
        for (files, ranks) in [(3, 4), (5, 5), (6, 5), (8, 8)] {
            let graph = board(files, ranks);
            let folded = Fold::new(&graph, Symmetry::HalfTurn, None);
            assert_eq!(folded.len(), graph.len().div_ceil(2));
            for orbit in folded.orbits() {
                for arc in folded.arcs(orbit) {
                    let back = Arc { to: orbit, turn: folded.minus(arc.turn) };
                    let either = folded.is_fixed(orbit) || folded.is_fixed(arc.to);
                    let seen = |a: &Arc| a.to == orbit && (either || *a == back);
                    assert!(folded.arcs(arc.to).iter().any(seen), "{files}x{ranks}");
                }
            }
        }
    }

    #[test]
    fn only_even_by_odd_boards_have_jumps_through_the_centre() {
        for (files, ranks) in [(3, 4), (4, 5), (6, 6), (5, 7), (7, 8)] {
            let graph = board(files, ranks);
            let folded = Fold::new(&graph, Symmetry::HalfTurn, None);
            let through = folded.orbits().filter(|&o| folded.loops(o) != 0).count();
            assert_eq!(through, if (files + ranks) % 2 == 1 { 2 } else { 0 }, "{files}x{ranks}");
        }
    }
}
