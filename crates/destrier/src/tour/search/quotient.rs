//! The board folded up by a symmetry: one vertex for all the squares that the symmetry exchanges.
//!
//! A turn or mirror `φ` of order `g` sorts the squares into orbits. A jump from the representative
//! of orbit A to the square `φ^k(representative of B)` becomes an edge A–B that carries the *turn* `k`.
//! A walk through orbits unfolds into a walk over squares by adding up the turns. So a tour that
//! `φ` maps to itself is a tour of the much smaller folded board, with a condition on its total turn.
//! With the identity (`g` = 1) the folded board is the board itself.
//!
//! Invariant: every edge A–B with turn `k` is seen from B as turn `−k`; fixed squares are orbits of one.
//! Cost: linear in the number of jumps.
//! Source: voltage graphs (Gross and Tucker, Topological Graph Theory, 1987); the same fold is
//! what "symmetric tours" have been composed on by hand since Euler (1759) and Bergholt (1918).

/// A number of squares or edges as the graphs here store it.
#[inline]
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("a graph has fewer than 2^32 of anything")
}

/// One way out of an orbit: where it leads, and by how many turns the copy changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc {
    pub(crate) to: u32,
    pub(crate) turn: u8,
}

/// A visit of an unfolded walk: an orbit, and which of its squares (how many turns on).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) orbit: u32,
    pub(crate) turn: u8,
}

/// A whole walk over the folded board: a path, or a cycle with its total turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lap {
    pub(crate) stops: Vec<Stop>,
    /// For a cycle, the turn by which it comes home; for a path, nothing.
    pub(crate) total: u8,
}

/// The folded board.
#[derive(Clone, Debug)]
pub(crate) struct Quotient {
    order: u8,
    /// `squares[orbit * order + turn]`: the square reached from the representative by so many turns.
    squares: Vec<u32>,
    orbit_of: Vec<u32>,
    first: Vec<u32>,
    arcs: Vec<Arc>,
    /// Bit `k` is set where the representative jumps to its own image under `k` turns.
    loops: Vec<u8>,
    fixed: Vec<bool>,
}

/// The orbit of a square that takes no part.
pub(crate) const LEFT_OUT: u32 = u32::MAX;

impl Quotient {
    /// Folds a graph by the permutation `turn` of order `order`, leaving out the vertices in `without`.
    ///
    /// The turn must be an automorphism whose orbits have `order` vertices, or one.
    pub(crate) fn new<'g>(
        len: usize,
        neighbours: impl Fn(u32) -> &'g [u32],
        turn: &[u32],
        order: u8,
        without: Option<u32>,
    ) -> Quotient {
        let mut orbit_of = vec![LEFT_OUT; len];
        let mut turn_of = vec![0_u8; len];
        let mut squares = Vec::with_capacity(len);
        let mut fixed = Vec::new();
        for v in 0..narrow(len) {
            if orbit_of[v as usize] != LEFT_OUT || without == Some(v) {
                continue;
            }
            let orbit = narrow(fixed.len());
            let mut image = v;
            for k in 0..order {
                squares.push(image);
                if image != v || k == 0 {
                    orbit_of[image as usize] = orbit;
                    turn_of[image as usize] = k;
                }
                image = turn[image as usize];
            }
            debug_assert_eq!(image, v, "the turn has the order it was said to have");
            fixed.push(turn[v as usize] == v && order > 1);
        }
        let step = usize::from(order);
        let mut first = vec![0];
        let mut arcs = Vec::new();
        let mut loops = vec![0_u8; fixed.len()];
        for orbit in 0..fixed.len() {
            for &w in neighbours(squares[orbit * step]) {
                let (to, k) = (orbit_of[w as usize], turn_of[w as usize]);
                if to == LEFT_OUT {
                    continue;
                }
                if to as usize == orbit {
                    loops[orbit] |= 1 << k;
                } else if !fixed[orbit] || k == 0 {
                    arcs.push(Arc { to, turn: k });
                }
            }
            first.push(narrow(arcs.len()));
        }
        Quotient { order, squares, orbit_of, first, arcs, loops, fixed }
    }

    /// The number of orbits.
    pub(crate) fn len(&self) -> usize {
        self.fixed.len()
    }

    /// The order of the turn.
    pub(crate) const fn order(&self) -> u8 {
        self.order
    }

    /// The ways out of an orbit's representative.
    pub(crate) fn arcs(&self, orbit: u32) -> &[Arc] {
        &self.arcs[self.first[orbit as usize] as usize..self.first[orbit as usize + 1] as usize]
    }

    /// The turns `k` (as bits) by which the representative jumps to its own image.
    pub(crate) fn loops(&self, orbit: u32) -> u8 {
        self.loops[orbit as usize]
    }

    /// Does the turn leave this orbit's one square where it is?
    pub(crate) fn is_fixed(&self, orbit: u32) -> bool {
        self.fixed[orbit as usize]
    }

    /// The orbit of a square, or [`LEFT_OUT`].
    pub(crate) fn orbit_of(&self, square: u32) -> u32 {
        self.orbit_of[square as usize]
    }

    /// The square that a stop stands for, `more` turns on.
    pub(crate) fn square(&self, stop: Stop, more: u8) -> u32 {
        let turn = self.add(stop.turn, more);
        self.squares[stop.orbit as usize * usize::from(self.order) + usize::from(turn)]
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
pub(crate) mod tests {
    use destrier_rules::{Board, Symmetry};

    use super::*;
    use crate::graph::{KnightGraph, Vertex};

    /// The knight's graph of a rectangle, and the rectangle folded.
    pub(crate) fn folded(files: u32, ranks: u32, turn: Symmetry) -> (KnightGraph, Quotient) {
        let graph = KnightGraph::new(&Board::new(files, ranks).unwrap());
        let image = |v| graph.vertex(turn.apply(graph.square(v), files, ranks)).unwrap();
        let images: Vec<Vertex> = graph.vertices().map(image).collect();
        let order = if turn == Symmetry::Identity { 1 } else { 2 };
        let folded = Quotient::new(graph.len(), |v| graph.neighbours(v), &images, order, None);
        (graph, folded)
    }

    #[test]
    fn every_edge_is_seen_from_both_of_its_ends() {
        for (files, ranks) in [(3, 4), (5, 5), (6, 5), (8, 8)] {
            let (graph, folded) = folded(files, ranks, Symmetry::HalfTurn);
            assert_eq!(folded.len(), graph.len().div_ceil(2));
            for orbit in 0..narrow(folded.len()) {
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
            let (_, folded) = folded(files, ranks, Symmetry::HalfTurn);
            let through = (0..narrow(folded.len())).filter(|&o| folded.loops(o) != 0).count();
            assert_eq!(through, if (files + ranks) % 2 == 1 { 2 } else { 0 }, "{files}x{ranks}");
        }
    }
}
