//! Paths through a small block between two given squares.
//!
//! Two searches share one move table. `rotate` grows a path by Warnsdorff's order and, where it is stuck, turns
//! its tail round (Pósa's rotation); once every square is on the path, rotations walk the free end to where it
//! should be. It is quick on blocks of 6×6 and more and never proves anything. `exhaust` backtracks with
//! dead-end pruning: slow on large blocks, complete on every one, and it counts its nodes.
//!
//! Invariant: the first square of the path never changes, and `at[path[i]] == i`.
//! Cost: `rotate` tens of microseconds on 8×8; `exhaust` a few thousand nodes on the boards that need it.
//! Source: Warnsdorff 1823; Pósa 1976, "Hamiltonian circuits in random graphs".

use crate::run::random::Random;

/// Squares of a block are numbered row by row: `row * width + column`.
pub(crate) type Vertex = u16;

/// A block of at most 255 squares and its knight moves.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    width: u32,
    height: u32,
    moves: Vec<([Vertex; 8], u8)>,
}

/// What a complete search found, and how many positions it looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exhausted {
    pub(crate) path: Option<Vec<Vertex>>,
    pub(crate) nodes: u64,
}

const JUMPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const ABSENT: u16 = u16::MAX;

impl Block {
    pub(crate) fn new(width: u32, height: u32) -> Block {
        let (w, h) = (width.cast_signed(), height.cast_signed());
        let mut moves = Vec::with_capacity((width * height) as usize);
        for row in 0..h {
            for column in 0..w {
                let mut list = [0; 8];
                let mut count = 0;
                for (dr, dc) in JUMPS {
                    let (r, c) = (row + dr, column + dc);
                    if (0..h).contains(&r) && (0..w).contains(&c) {
                        list[count] = (r * w + c) as Vertex;
                        count += 1;
                    }
                }
                moves.push((list, count as u8));
            }
        }
        Block { width, height, moves }
    }

    /// Half of a board with four rows, which four.rs explains: column 0 for the outer squares, 1 for the inner.
    pub(crate) fn ladder(height: u32) -> Block {
        let mut moves = Vec::with_capacity(2 * height as usize);
        for row in 0..height.cast_signed() {
            for column in 0..2 {
                let mut list = [0; 8];
                let mut count = 0;
                for other in [row - 2, row - 1, row + 1, row + 2] {
                    if (0..height.cast_signed()).contains(&other) {
                        list[count] = (2 * other + 1 - column) as Vertex;
                        count += 1;
                    }
                }
                moves.push((list, count as u8));
            }
        }
        Block { width: 2, height, moves }
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    pub(crate) fn vertex(&self, row: u32, column: u32) -> Vertex {
        (row * self.width + column) as Vertex
    }

    pub(crate) fn row_column(&self, vertex: Vertex) -> (u32, u32) {
        (u32::from(vertex) / self.width, u32::from(vertex) % self.width)
    }

    pub(crate) fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        let (list, count) = &self.moves[usize::from(vertex)];
        &list[..usize::from(*count)]
    }

    /// Looks for a tour from `from` to `to` that `wanted` accepts; gives up after about `budget` rotations.
    pub(crate) fn rotate(
        &self,
        from: Vertex,
        to: Vertex,
        random: &mut Random,
        budget: u32,
        wanted: impl Fn(&[Vertex]) -> bool,
    ) -> Option<Vec<Vertex>> {
        let n = self.len();
        let mut path: Vec<Vertex> = Vec::with_capacity(n);
        let mut at = vec![ABSENT; n];
        let mut free: Vec<u8> = self.moves.iter().map(|m| m.1).collect();
        self.walk_on(from, &mut path, &mut at, &mut free);
        for _ in 0..budget {
            let end = path[path.len() - 1];
            if path.len() == n {
                if end == to && wanted(&path) {
                    return Some(path);
                }
            } else if let Some(next) = self.fewest_exits(end, &at, &free, random) {
                self.walk_on(next, &mut path, &mut at, &mut free);
                continue;
            }
            let tail = self.tail_to_turn(end, to, n, &path, &at, &free, random)?;
            path[tail..].reverse();
            for (i, &vertex) in path.iter().enumerate().skip(tail) {
                at[usize::from(vertex)] = i as u16;
            }
        }
        None
    }

    fn walk_on(&self, vertex: Vertex, path: &mut Vec<Vertex>, at: &mut [u16], free: &mut [u8]) {
        at[usize::from(vertex)] = path.len() as u16;
        path.push(vertex);
        for &next in self.neighbours(vertex) {
            free[usize::from(next)] -= 1;
        }
    }

    /// Warnsdorff's choice: the unvisited neighbour with fewest exits, ties at random.
    fn fewest_exits(
        &self,
        end: Vertex,
        at: &[u16],
        free: &[u8],
        random: &mut Random,
    ) -> Option<Vertex> {
        let mut best = None;
        let (mut fewest, mut ties) = (u8::MAX, 0);
        for &next in self.neighbours(end) {
            if at[usize::from(next)] != ABSENT {
                continue;
            }
            let exits = free[usize::from(next)];
            if exits < fewest {
                (best, fewest, ties) = (Some(next), exits, 1);
            } else if exits == fewest {
                ties += 1;
                if random.below(ties) == 0 {
                    best = Some(next);
                }
            }
        }
        best
    }

    /// Where to turn the tail: a turn that ends on `to`, or next to an unvisited square, or anywhere.
    #[expect(clippy::too_many_arguments, reason = "the state of one search, borrowed in parts")]
    fn tail_to_turn(
        &self,
        end: Vertex,
        to: Vertex,
        n: usize,
        path: &[Vertex],
        at: &[u16],
        free: &[u8],
        random: &mut Random,
    ) -> Option<usize> {
        let complete = path.len() == n;
        let (mut choice, mut ties) = (None, 0);
        for &pivot in self.neighbours(end) {
            let i = at[usize::from(pivot)];
            if i == ABSENT || usize::from(i) + 2 >= path.len() {
                continue;
            }
            let tail = usize::from(i) + 1;
            let new_end = path[tail];
            if (complete && new_end == to) || (!complete && free[usize::from(new_end)] > 0) {
                return Some(tail);
            }
            ties += 1;
            if random.below(ties) == 0 {
                choice = Some(tail);
            }
        }
        choice
    }

    /// Every tour from `from` to `to` is sought; the first that `wanted` accepts is returned, or none exists.
    pub(crate) fn exhaust<E>(
        &self,
        from: Vertex,
        to: Vertex,
        wanted: impl Fn(&[Vertex]) -> bool,
        tick: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Exhausted, E> {
        let n = self.len();
        let mut nodes = 0;
        if n == 1 {
            let path = (from == to).then(|| vec![from]);
            return Ok(Exhausted { path, nodes: 1 });
        }
        if from == to {
            return Ok(Exhausted { path: None, nodes: 1 });
        }
        let mut seen = vec![false; n];
        let mut free: Vec<u8> = self.moves.iter().map(|m| m.1).collect();
        let mut path = Vec::with_capacity(n);
        // One list of untried squares for each square of the path, the best one last.
        let mut untried: Vec<Vec<Vertex>> = Vec::with_capacity(n);
        self.enter(from, &mut path, &mut seen, &mut free);
        untried.push(self.choices(&path, to, &seen, &free));
        nodes += 1;
        while let Some(list) = untried.last_mut() {
            let Some(next) = list.pop() else {
                untried.pop();
                let gone = path.pop().expect("each list belongs to a square");
                seen[usize::from(gone)] = false;
                for &other in self.neighbours(gone) {
                    free[usize::from(other)] += 1;
                }
                continue;
            };
            tick()?;
            nodes += 1;
            self.enter(next, &mut path, &mut seen, &mut free);
            if path.len() == n && wanted(&path) {
                return Ok(Exhausted { path: Some(path), nodes });
            }
            untried.push(self.choices(&path, to, &seen, &free));
        }
        Ok(Exhausted { path: None, nodes })
    }

    fn enter(&self, vertex: Vertex, path: &mut Vec<Vertex>, seen: &mut [bool], free: &mut [u8]) {
        seen[usize::from(vertex)] = true;
        path.push(vertex);
        for &next in self.neighbours(vertex) {
            free[usize::from(next)] -= 1;
        }
    }

    /// The moves worth trying from the end of `path`: none when a square is cut off.
    fn choices(&self, path: &[Vertex], to: Vertex, seen: &[bool], free: &[u8]) -> Vec<Vertex> {
        let n = self.len();
        let head = path[path.len() - 1];
        if path.len() == n {
            return Vec::new();
        }
        if path.len() == n - 1 {
            let last =
                self.neighbours(head).iter().copied().find(|&c| c == to && !seen[usize::from(c)]);
            return last.into_iter().collect();
        }
        // The square before the head is no use to its other neighbours any more.
        if path.len() >= 2 {
            for &left in self.neighbours(path[path.len() - 2]) {
                let need = if left == to { 1 } else { 2 };
                if !seen[usize::from(left)] && free[usize::from(left)] < need {
                    return Vec::new();
                }
            }
        }
        let mut list: Vec<Vertex> = self
            .neighbours(head)
            .iter()
            .copied()
            .filter(|&c| !seen[usize::from(c)] && c != to)
            .collect();
        if list.iter().any(|&c| free[usize::from(c)] == 0) {
            return Vec::new();
        }
        let forced: Vec<Vertex> =
            list.iter().copied().filter(|&c| free[usize::from(c)] == 1).collect();
        match forced.len() {
            0 => {
                list.sort_by_key(|&c| std::cmp::Reverse(free[usize::from(c)]));
                list
            }
            1 => forced,
            _ => Vec::new(),
        }
    }
}
