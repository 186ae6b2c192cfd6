//! How many moves a position still needs at least, and how each jump changes that number.
//!
//! Per colour: the cheapest matching of its knights to its goal squares under true distance. One
//! look-up by the colour's squares yields the value and the change for each of its jumps, so a
//! position's successors cost no further look-ups.
//!
//! Invariant: the bound never exceeds the truth, and a jump changes it by at most one.
//! Cost: one matching for each set of squares met, kept in a table that is emptied when full.
//! After: pattern databases (Culberson and Schaeffer 1998), here filled on demand.

use super::arena::{ANY, Arena};
use super::assignment::{Assignment, FAR};
use super::key::{Key, Layout};
use super::table::Index;

/// The goal cannot be reached from here, wherever the knights could walk through each other.
pub(super) const HOPELESS: u16 = u16::MAX;

/// More than any real matching costs, for goal squares that must be filled.
pub(super) const MUST: i32 = 1 << 15;

/// What one colour needs.
#[derive(Clone, Debug)]
struct Colour<K> {
    /// `cost[v * columns + j]`: from square `v` to the j-th square this colour may end on.
    cost: Vec<i32>,
    columns: usize,
    /// Squares that must be filled, when others may be.
    must: i32,
    /// For each square and jump, where every jump is one nearer or one farther: the columns that it
    /// comes nearer to. Empty where that is not so.
    nearer: Vec<[u128; 8]>,
    /// A colour with one knight, or with no aim: its row, good for every square, and its value on each.
    alone: Option<u32>,
    values_alone: Vec<u16>,
    /// Squares of the colour → its row.
    seen: Index<K>,
    /// Squares of the colour → value, where the goal leaves a choice.
    values: Index<K>,
}

/// The assignment bound of one arena, with its table.
///
/// A row holds the value in two bytes; then for each square a byte whose bits say which jumps lower
/// the value; then, where a jump may also leave it as it is, a byte of those.
#[derive(Clone, Debug)]
pub(super) struct Bound<K> {
    colours: Vec<Colour<K>>,
    neighbours: Vec<Vec<u8>>,
    layout: Layout<K>,
    store: Vec<u8>,
    stride: usize,
    fixed: usize,
    capacity: usize,
    /// Does every jump change the value?
    even: bool,
    assignment: Assignment,
}

/// Rows are numbered in units of this many bytes.
const UNIT: usize = 8;

impl<K: Key> Bound<K> {
    /// The bound towards the arena's goal; `bytes` is what its table may take.
    pub(super) fn new(arena: &Arena, layout: &Layout<K>, bytes: usize) -> Self {
        let far = arena.distances();
        let n = arena.len();
        let even = arena.two_classes().is_some() && arena.is_goal_complete();
        let free: Vec<usize> = (0..n).filter(|&v| arena.goal[v] == ANY).collect();
        let stride = (2 + if even { n } else { 2 * n }).next_multiple_of(UNIT);
        let mut bound = Self {
            colours: Vec::new(),
            neighbours: arena.neighbours.clone(),
            layout: layout.clone(),
            store: Vec::new(),
            stride,
            fixed: 0,
            // A row's place in the index takes about as much again.
            capacity: (bytes / 2).max(64 * stride),
            even,
            assignment: Assignment::default(),
        };
        for code in (1u8..).take(arena.colours) {
            let mut targets: Vec<usize> = (0..n).filter(|&v| arena.goal[v] == code).collect();
            let fixed = targets.len();
            let count = arena.count(code);
            if count > fixed {
                targets.extend(&free);
            }
            let bonus = if targets.len() > fixed { MUST } else { 0 };
            let cost = (0..n)
                .flat_map(|v| targets.iter().enumerate().map(move |(j, &t)| (v, j, t)))
                .map(|(v, j, t)| match far[v][t] {
                    u16::MAX => FAR,
                    d => i32::from(d) - if j < fixed { bonus } else { 0 },
                })
                .collect();
            #[expect(clippy::cast_possible_truncation, reason = "at most 128 squares")]
            #[expect(clippy::cast_possible_wrap, reason = "at most 128 squares")]
            let must = bonus * fixed as i32;
            bound.colours.push(Colour {
                cost,
                columns: targets.len(),
                must,
                nearer: if even { nearer(arena, &far, &targets) } else { Vec::new() },
                alone: None,
                values_alone: Vec::new(),
                seen: Index::new(),
                values: Index::new(),
            });
            // So does one that may end anywhere: it needs nothing wherever it is.
            if count == 1 || (fixed == 0 && free.len() == n) {
                bound.settle_lone(usize::from(code) - 1);
            }
        }
        bound.fixed = bound.store.len();
        bound.capacity += bound.fixed;
        bound
    }

    /// A colour of one knight needs one row for all its squares.
    fn settle_lone(&mut self, c: usize) {
        let row = self.new_row();
        let values: Vec<u16> = (0..self.neighbours.len()).map(|v| self.lone_value(c, v)).collect();
        for v in 0..self.neighbours.len() {
            for slot in 0..self.neighbours[v].len() {
                let u = usize::from(self.neighbours[v][slot]);
                self.note(row, v, slot, i32::from(values[u]) - i32::from(values[v]));
            }
        }
        self.colours[c].alone = Some(row);
        self.colours[c].values_alone = values;
    }

    /// Room for one more row, in which every jump raises the value.
    #[expect(clippy::cast_possible_truncation, reason = "the store is smaller than 2³² units")]
    fn new_row(&mut self) -> u32 {
        let row = (self.store.len() / UNIT) as u32;
        self.store.resize(self.store.len() + self.stride, 0);
        row
    }

    /// Note what a jump changes.
    fn note(&mut self, row: u32, v: usize, slot: usize, change: i32) {
        debug_assert!((-1..=1).contains(&change), "a jump changed the bound by {change}");
        let at = row as usize * UNIT + 2 + v;
        match change {
            -1 => self.store[at] |= 1 << slot,
            // Where every jump changes the value, 0 is only between squares that lead nowhere.
            0 if !self.even => self.store[at + self.neighbours.len()] |= 1 << slot,
            _ => {}
        }
    }

    fn lone_value(&self, c: usize, v: usize) -> u16 {
        let colour = &self.colours[c];
        let row = &colour.cost[v * colour.columns..(v + 1) * colour.columns];
        value_from(row.iter().copied().min().map_or(FAR, |least| least + colour.must))
    }

    /// The value of a colour's knights on these squares, from scratch.
    fn matching(&mut self, c: usize, squares: K) -> u16 {
        let colour = &self.colours[c];
        let knights = vertices(squares, &self.layout);
        if knights.len() > colour.columns {
            return HOPELESS;
        }
        let m = colour.columns;
        let total = self.assignment.solve(knights.len(), m, |cost| {
            for &v in &knights {
                cost.extend(&colour.cost[v * m..(v + 1) * m]);
            }
        });
        value_from(total + colour.must)
    }

    fn cached_matching(&mut self, c: usize, squares: K) -> u16 {
        if let Some(value) = self.colours[c].values.get(squares) {
            #[expect(clippy::cast_possible_truncation, reason = "a value was put in")]
            return value as u16;
        }
        let value = self.matching(c, squares);
        if self.colours[c].values.len() > self.capacity / 32 {
            self.colours[c].values = Index::new();
        }
        self.colours[c].values.insert(squares, u32::from(value));
        value
    }

    /// The row of a colour's knights on these squares (made if it is not there), and their value.
    #[inline]
    pub(super) fn look(&mut self, c: usize, mut squares: K) -> (u32, u16) {
        let colour = &self.colours[c];
        if let Some(row) = colour.alone {
            let at = squares.pop().expect("the colour has a knight");
            return (row, colour.values_alone[usize::from(self.layout.vertex_at[usize::from(at)])]);
        }
        let row = match colour.seen.get(squares) {
            Some(row) => row,
            None => self.make_row(c, squares),
        };
        let at = row as usize * UNIT;
        (row, u16::from_le_bytes([self.store[at], self.store[at + 1]]))
    }

    /// The row of a colour's knights on these squares, or some other number.
    #[inline]
    pub(super) fn guess(&self, c: usize, squares: K) -> u32 {
        self.colours[c].seen.first_guess(squares)
    }

    /// The first byte of a row that was guessed.
    #[inline]
    pub(super) fn peek(&self, row: u32) -> u8 {
        self.store.get(row as usize * UNIT).copied().unwrap_or(0)
    }

    /// Empty the table if it is full, before the next position.
    #[inline]
    pub(super) fn tidy(&mut self) {
        if self.store.len() > self.capacity {
            self.store.truncate(self.fixed);
            for colour in &mut self.colours {
                colour.seen = Index::new();
            }
        }
    }

    #[cold]
    fn make_row(&mut self, c: usize, squares: K) -> u32 {
        let row = self.new_row();
        let knights = vertices(squares, &self.layout);
        let m = self.colours[c].columns;
        let value = self.matching(c, squares);
        let at = row as usize * UNIT;
        self.store[at..at + 2].copy_from_slice(&value.to_le_bytes());
        self.colours[c].seen.insert(squares, row);
        let square = knights.len() == m && value != HOPELESS;
        if square && self.even {
            let free = self.assignment.free_columns();
            for (&v, &free) in knights.iter().zip(free) {
                let nearer = &self.colours[c].nearer[v];
                let lowers = nearer.iter().enumerate().fold(0, |lowers, (slot, &columns)| {
                    lowers | u8::from(columns & free != 0) << slot
                });
                self.store[at + 2 + v] = lowers;
            }
            return row;
        }
        if square {
            self.assignment.prepare_changes();
        }
        for (i, &v) in knights.iter().enumerate() {
            for slot in 0..self.neighbours[v].len() {
                let u = usize::from(self.neighbours[v][slot]);
                if self.layout.code(squares, u) != 0 {
                    continue;
                }
                let change = if square {
                    let costs = &self.colours[c].cost[u * m..(u + 1) * m];
                    self.assignment.change(i, costs)
                } else {
                    let moved = squares.flip(self.layout.at[v], 1).flip(self.layout.at[u], 1);
                    i32::from(self.cached_matching(c, moved)) - i32::from(value)
                };
                self.note(row, v, slot, change);
            }
        }
        row
    }

    /// The change by the jump of the knight on `v` to its `slot`-th neighbour.
    #[inline]
    pub(super) fn change(&self, row: u32, v: usize, slot: usize) -> i32 {
        let at = row as usize * UNIT + 2 + v;
        if self.store[at] >> slot & 1 == 1 {
            -1
        } else if self.even {
            1
        } else {
            1 - i32::from(self.store[at + self.neighbours.len()] >> slot & 1)
        }
    }

    /// Does the jump of the knight on `v` to its `slot`-th neighbour lower the value?
    #[inline]
    pub(super) fn lowers(&self, row: u32, v: usize, slot: usize) -> bool {
        self.store[row as usize * UNIT + 2 + v] >> slot & 1 == 1
    }
}

/// The columns that each jump comes nearer to.
fn nearer(arena: &Arena, far: &[Vec<u16>], targets: &[usize]) -> Vec<[u128; 8]> {
    let list = |v: usize| {
        let mut masks = [0; 8];
        for (mask, &u) in masks.iter_mut().zip(&arena.neighbours[v]) {
            for (j, &t) in targets.iter().enumerate() {
                *mask |= u128::from(far[usize::from(u)][t] < far[v][t]) << j;
            }
        }
        masks
    };
    (0..arena.len()).map(list).collect()
}

fn value_from(total: i32) -> u16 {
    if total >= MUST {
        HOPELESS
    } else {
        u16::try_from(total).expect("a matching costs at least nothing")
    }
}

fn vertices<K: Key>(mut squares: K, layout: &Layout<K>) -> Vec<usize> {
    let mut list = Vec::new();
    while let Some(at) = squares.pop() {
        list.push(usize::from(layout.vertex_at[usize::from(at)]));
    }
    list
}
