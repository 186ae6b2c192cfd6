//! The graph of a piece's jumps on a board.
//!
//! Squares become dense vertices, rank by rank from the bottom; neighbours lie in one flat array.
//! `fold.rs` divides such a graph by a symmetry, `symmetric.rs` says what a symmetric tour is on the folded
//! board, and `cycle.rs` turns every question about tours into one about cycles.
//!
//! Invariant: `u` is in `neighbours(v)` exactly when `v` is in `neighbours(u)` and the board calls it a
//! jump; the neighbours of `v` ascend.
//! Uses: the rules and `outcome`; nothing of `tour` or `count`, which both use it.

pub(crate) mod cycle;
pub(crate) mod fold;
pub(crate) mod symmetric;

use destrier_rules::{Board, Leaper, Square, Symmetry, TourProblem, Wrap};

use crate::outcome::SolveError;

/// A dense number for a square of one graph: the solver's word.
pub type Vertex = u32;

/// The open squares of a board, and which are a jump apart.
#[derive(Clone, Debug)]
pub struct KnightGraph {
    squares: Vec<Square>,
    neighbours: Vec<Vertex>,
    first: Vec<u32>,
    /// The vertex of each square of the rectangle, holes included as `NONE`.
    vertices: Vec<Vertex>,
    files: u32,
    ranks: u32,
}

const NONE: Vertex = Vertex::MAX;

/// A number of vertices or edges as the graphs here store it.
#[inline]
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("a graph has fewer than 2^32 of anything")
}

impl KnightGraph {
    /// The largest board, in squares with holes, for which a graph is made.
    pub const MOST_SQUARES: u64 = 1 << 28;

    /// The knight's graph of a board.
    ///
    /// # Panics
    /// On boards above [`KnightGraph::MOST_SQUARES`]: ask first.
    #[must_use]
    pub fn new(board: &Board) -> KnightGraph {
        KnightGraph::of(board, Leaper::KNIGHT)
    }

    /// The graph of any leaper on a board, its joined edges included.
    ///
    /// # Panics
    /// On boards above [`KnightGraph::MOST_SQUARES`]: ask first.
    #[must_use]
    pub fn of(board: &Board, leaper: Leaper) -> KnightGraph {
        assert!(board.area() <= KnightGraph::MOST_SQUARES, "the board is too large for a graph");
        let squares: Vec<Square> = board.squares().collect();
        let (files, ranks) = (board.files(), board.ranks());
        let mut vertices = vec![NONE; files as usize * ranks as usize];
        for (vertex, square) in (0..).zip(&squares) {
            vertices[(square.rank * files + square.file) as usize] = vertex;
        }
        let mut graph = KnightGraph {
            neighbours: Vec::with_capacity(squares.len() * 8),
            first: Vec::with_capacity(squares.len() + 1),
            squares,
            vertices,
            files,
            ranks,
        };
        graph.join(board, leaper);
        graph
    }

    /// The graph of a question, unless its board has more than `most` squares, holes included.
    pub(crate) fn for_question(
        problem: &TourProblem,
        most: u64,
        method: &'static str,
    ) -> Result<KnightGraph, SolveError> {
        let area = problem.board.area();
        if area > most {
            let why = format!("the board has {area} squares; the limit is {most}");
            return Err(SolveError::Unsuited { method, why });
        }
        Ok(KnightGraph::of(&problem.board, problem.leaper))
    }

    fn join(&mut self, board: &Board, leaper: Leaper) {
        self.first.push(0);
        let plain = board.wrap() == Wrap::None;
        let jumps = leaper.jumps();
        for v in 0..self.squares.len() {
            let from = self.squares[v];
            let begin = self.neighbours.len();
            if plain {
                for &(across, up) in &jumps {
                    let file = u32::try_from(i64::from(from.file) + across);
                    let rank = u32::try_from(i64::from(from.rank) + up);
                    let (Ok(file), Ok(rank)) = (file, rank) else { continue };
                    self.neighbours.extend(self.vertex(Square::new(file, rank)));
                }
            } else {
                let targets = board.jumps_from(leaper, from);
                self.neighbours.extend(targets.into_iter().filter_map(|to| {
                    let slot = (to.rank * self.files + to.file) as usize;
                    self.vertices.get(slot).copied().filter(|&vertex| vertex != NONE)
                }));
            }
            self.neighbours[begin..].sort_unstable();
            self.first.push(narrow(self.neighbours.len()));
        }
    }

    /// The number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Has it no vertex at all? Never so for a board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.squares.is_empty()
    }

    /// All vertices in order.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^28")]
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + use<> {
        0..self.squares.len() as Vertex
    }

    /// The vertices one jump away, ascending.
    #[must_use]
    pub fn neighbours(&self, v: Vertex) -> &[Vertex] {
        let v = v as usize;
        &self.neighbours[self.first[v] as usize..self.first[v + 1] as usize]
    }

    /// How many vertices are one jump away.
    #[must_use]
    pub fn degree(&self, v: Vertex) -> usize {
        self.neighbours(v).len()
    }

    /// The square of a vertex.
    #[must_use]
    pub fn square(&self, v: Vertex) -> Square {
        self.squares[v as usize]
    }

    /// The vertex of a square, if it is an open square of the board.
    #[must_use]
    pub fn vertex(&self, square: Square) -> Option<Vertex> {
        if square.file >= self.files || square.rank >= self.ranks {
            return None;
        }
        let vertex = self.vertices[(square.rank * self.files + square.file) as usize];
        (vertex != NONE).then_some(vertex)
    }

    /// Where a symmetry sends a vertex; nowhere if that is no open square.
    pub(crate) fn image(&self, symmetry: Symmetry, v: Vertex) -> Option<Vertex> {
        self.vertex(symmetry.apply(self.square(v), self.files, self.ranks))
    }

    /// How far from the centre a vertex lies: the square of twice the distance.
    pub(crate) fn off_centre(&self, v: Vertex) -> u64 {
        let off = |at: u32, side: u32| (2 * u64::from(at) + 1).abs_diff(u64::from(side)).pow(2);
        let Square { file, rank } = self.square(v);
        off(file, self.files) + off(rank, self.ranks)
    }

    /// The squares of a path of vertices.
    #[must_use]
    pub fn squares_of(&self, path: &[Vertex]) -> Vec<Square> {
        path.iter().map(|&v| self.square(v)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use destrier_rules::Leaper;

    #[test]
    fn the_table_agrees_with_the_rule() {
        let plain = Board::new(5, 4).unwrap();
        let holed = plain.clone().without([Square::new(2, 2), Square::new(0, 0)]).unwrap();
        let mut boards = vec![plain.clone(), holed, Board::new(1, 1).unwrap()];
        for wrap in [Wrap::Files, Wrap::Ranks, Wrap::Both] {
            boards.push(plain.clone().wrapped(wrap));
            boards.push(Board::new(3, 2).unwrap().wrapped(wrap));
        }
        for board in boards {
            for leaper in [Leaper::KNIGHT, Leaper::new(1, 4).unwrap(), Leaper::new(0, 2).unwrap()] {
                let graph = KnightGraph::of(&board, leaper);
                for v in graph.vertices() {
                    assert_eq!(graph.vertex(graph.square(v)), Some(v));
                    assert!(graph.neighbours(v).is_sorted());
                    for u in graph.vertices() {
                        let jump = board.is_jump(leaper, graph.square(v), graph.square(u));
                        assert_eq!(graph.neighbours(v).contains(&u), jump, "{board} {leaper}");
                    }
                }
            }
        }
    }
}
