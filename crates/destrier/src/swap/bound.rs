//! A lower bound on the moves that a position still needs, and how each jump changes it.
//!
//! For each colour: the cheapest matching of its knights to its targets, by distance in the graph. One
//! look-up by the colour's vertices gives the value and the change for each of its jumps, so a
//! position's successors need no look-ups of their own.
//!
//! Invariant: the bound is never above the true number, and a jump changes it by at most one.
//! Cost: one matching for each set of vertices met, kept in a table that is emptied when full.
//! Source: pattern databases (Culberson and Schaeffer 1998), here filled on demand.

use std::sync::Arc;

use super::assignment::{Assignment, FAR};
use super::instance::{ANY, Instance};
use super::key::{Key, Layout};
use super::table::Index;

/// The goal cannot be reached from here, even if knights could pass through each other.
pub(super) const INFINITE: u16 = u16::MAX;

/// More than any matching costs: the bonus for a target that must be filled.
const BONUS: i32 = 1 << 15;

/// The vertices where the knights of one colour may end, those that must be filled first.
pub(super) struct Targets {
    pub(super) vertices: Vec<usize>,
    required: usize,
}

impl Targets {
    pub(super) fn new(instance: &Instance, code: u8) -> Self {
        let wanted = |want: u8| (0..instance.len()).filter(move |&v| instance.goal[v] == want);
        let mut vertices: Vec<usize> = wanted(code).collect();
        let required = vertices.len();
        if instance.count(code) > required {
            vertices.extend(wanted(ANY));
        }
        Self { vertices, required }
    }

    /// What the matching saves by filling the `j`-th, which only counts where there is a choice.
    pub(super) fn bonus(&self, j: usize) -> i32 {
        if j < self.required && self.vertices.len() > self.required { BONUS } else { 0 }
    }
}

/// The bound of one colour.
#[derive(Clone, Debug)]
struct Colour<K> {
    /// `cost[v * columns + j]`: from vertex `v` to the j-th target.
    cost: Vec<i32>,
    columns: usize,
    /// The sum of all bonuses.
    bonuses: i32,
    /// For each vertex and jump: the columns that the jump comes nearer to. Empty where a jump may also
    /// keep its distance.
    nearer: Vec<[u128; 8]>,
    /// A colour with one knight, or without a goal: one row for all vertices, and the value on each.
    single_row: Option<u32>,
    single_values: Vec<u16>,
    /// Vertices of the colour → value, where the goal leaves a choice.
    values: Index<K>,
}

/// A table of rows, which generators may share.
///
/// A row has the value in two bytes; then for each vertex a byte with a bit for each neighbour from which a
/// jump to the vertex lowers the value; then, where a jump may also leave it unchanged, a byte with bits for those.
#[derive(Clone, Debug)]
struct Rows<K> {
    /// For each colour: its vertices → its row.
    of: Vec<Index<K>>,
    store: Vec<u8>,
}

impl<K: Key> Rows<K> {
    fn new(colours: usize) -> Self {
        Self { of: vec![Index::new(); colours], store: Vec::new() }
    }

    /// Adds a row.
    #[expect(clippy::cast_possible_truncation, reason = "the store is smaller than 2³² units")]
    fn push(&mut self, row: &[u8]) -> u32 {
        let number = (self.store.len() / UNIT) as u32;
        self.store.extend_from_slice(row);
        number
    }
}

/// The assignment bound of an instance, with its table.
#[derive(Clone, Debug)]
pub(super) struct Bound<K> {
    colours: Vec<Colour<K>>,
    neighbours: Vec<Vec<u8>>,
    reverse: Vec<Vec<u8>>,
    layout: Layout<K>,
    rows: Arc<Rows<K>>,
    /// Do others have the table too, which must not change then?
    is_shared: bool,
    pub(super) stride: usize,
    fixed: usize,
    capacity: usize,
    /// Does every jump change the value?
    even: bool,
    assignment: Assignment,
}

/// Rows are numbered in units of this many bytes.
const UNIT: usize = 8;

impl<K: Key> Bound<K> {
    /// The bound for the instance's goal; `bytes` is the size that its table may have.
    pub(super) fn new(instance: &Instance, layout: &Layout<K>, bytes: usize) -> Self {
        let far = instance.distances();
        let n = instance.len();
        let even = instance.is_bipartite() && instance.is_goal_complete();
        let stride = (2 + if even { n } else { 2 * n }).next_multiple_of(UNIT);
        let mut bound = Self {
            colours: Vec::new(),
            neighbours: instance.neighbours.clone(),
            reverse: instance.reverse.clone(),
            layout: layout.clone(),
            rows: Arc::new(Rows::new(instance.colours)),
            is_shared: false,
            stride,
            fixed: 0,
            // A row's entry in the index takes about as much again.
            capacity: (bytes / 2).max(64 * stride),
            even,
            assignment: Assignment::default(),
        };
        for code in (1u8..).take(instance.colours) {
            let targets = Targets::new(instance, code);
            let columns = targets.vertices.len();
            let cost = (0..n)
                .flat_map(|v| targets.vertices.iter().enumerate().map(move |(j, &t)| (v, j, t)))
                .map(|(v, j, t)| match far[v][t] {
                    u16::MAX => FAR,
                    d => i32::from(d) - targets.bonus(j),
                })
                .collect();
            bound.colours.push(Colour {
                cost,
                columns,
                bonuses: (0..columns).map(|j| targets.bonus(j)).sum(),
                nearer: if even { nearer(instance, &far, &targets.vertices) } else { Vec::new() },
                single_row: None,
                single_values: Vec::new(),
                values: Index::new(),
            });
            // A colour that may end anywhere needs nothing, wherever it is.
            if instance.count(code) == 1 || (targets.required == 0 && columns == n) {
                bound.fill_single_row(usize::from(code) - 1);
            }
        }
        bound.fixed = bound.rows.store.len();
        bound.capacity += bound.fixed;
        bound
    }

    /// A colour of one knight needs one row for all vertices.
    fn fill_single_row(&mut self, c: usize) {
        let mut row = vec![0; self.stride];
        let values: Vec<u16> =
            (0..self.neighbours.len()).map(|v| self.single_value(c, v)).collect();
        for v in 0..self.neighbours.len() {
            for slot in 0..self.neighbours[v].len() {
                let u = usize::from(self.neighbours[v][slot]);
                self.note(&mut row, v, slot, i32::from(values[u]) - i32::from(values[v]));
            }
        }
        self.colours[c].single_row = Some(Arc::make_mut(&mut self.rows).push(&row));
        self.colours[c].single_values = values;
    }

    /// Records what the jump from `v` to its `slot`-th neighbour changes, in a row where every jump raised the value.
    fn note(&self, row: &mut [u8], v: usize, slot: usize, change: i32) {
        debug_assert!((-1..=1).contains(&change), "a jump changed the bound by {change}");
        let at = 2 + usize::from(self.neighbours[v][slot]);
        let slot = self.reverse[v][slot];
        match change {
            -1 => row[at] |= 1 << slot,
            // Where every jump changes the value, 0 occurs only between vertices that reach no target.
            0 if !self.even => row[at + self.neighbours.len()] |= 1 << slot,
            _ => {}
        }
    }

    fn single_value(&self, c: usize, v: usize) -> u16 {
        let colour = &self.colours[c];
        let row = &colour.cost[v * colour.columns..(v + 1) * colour.columns];
        value_from(row.iter().copied().min().map_or(FAR, |least| least + colour.bonuses))
    }

    /// The value of a colour's knights on these vertices, computed.
    fn matching(&mut self, c: usize, occupied: K) -> u16 {
        let colour = &self.colours[c];
        let knights = self.layout.vertices(occupied);
        if knights.len() > colour.columns {
            return INFINITE;
        }
        let m = colour.columns;
        let total = self.assignment.solve(knights.len(), m, |cost| {
            for &v in &knights {
                cost.extend(&colour.cost[v * m..(v + 1) * m]);
            }
        });
        value_from(total + colour.bonuses)
    }

    fn cached_matching(&mut self, c: usize, occupied: K) -> u16 {
        if let Some(value) = self.colours[c].values.get(occupied) {
            #[expect(clippy::cast_possible_truncation, reason = "a value was put in")]
            return value as u16;
        }
        let value = self.matching(c, occupied);
        if self.colours[c].values.len() > self.capacity / 32 {
            self.colours[c].values = Index::new();
        }
        self.colours[c].values.insert(occupied, u32::from(value));
        value
    }

    /// The row of a colour's knights on these vertices (made if it is missing), and their value.
    #[inline]
    pub(super) fn look_up(&mut self, c: usize, mut occupied: K) -> (u32, u16) {
        let colour = &self.colours[c];
        if let Some(row) = colour.single_row {
            let at = occupied.pop().expect("the colour has a knight");
            return (
                row,
                colour.single_values[usize::from(self.layout.vertex_at[usize::from(at)])],
            );
        }
        let row = match self.rows.of[c].get(occupied) {
            Some(row) => row,
            None => self.make_row(c, occupied),
        };
        let at = row as usize * UNIT;
        (row, u16::from_le_bytes([self.rows.store[at], self.rows.store[at + 1]]))
    }

    /// The row of a colour's knights on these vertices, or some other number: for prefetching.
    #[inline]
    pub(super) fn guess(&self, c: usize, occupied: K) -> u32 {
        self.rows.of[c].first_guess(occupied)
    }

    /// The first byte of a row that was guessed.
    #[inline]
    pub(super) fn peek(&self, row: u32) -> u8 {
        self.rows.store.get(row as usize * UNIT).copied().unwrap_or(0)
    }

    /// Empties the table if it is full, before the next position.
    #[inline]
    pub(super) fn evict(&mut self) {
        if self.rows.store.len() > self.capacity && !self.is_shared {
            let rows = Arc::make_mut(&mut self.rows);
            rows.store.truncate(self.fixed);
            rows.of.fill(Index::new());
        }
    }

    /// Is the row of a colour's knights on these vertices still to be made?
    pub(super) fn is_missing(&self, c: usize, occupied: K) -> bool {
        self.colours[c].single_row.is_none() && self.rows.of[c].get(occupied).is_none()
    }

    /// Uses the table of another generator, which does not change until it is given back.
    pub(super) fn share(&mut self, owner: &Self) {
        self.rows = owner.rows.clone();
        self.is_shared = true;
    }

    /// The owner's table is shared, or no longer.
    pub(super) fn set_shared(&mut self, is_shared: bool) {
        self.is_shared = is_shared;
    }

    /// Gives up the table.
    pub(super) fn give_back(&mut self) {
        self.rows = Arc::new(Rows::new(self.colours.len()));
    }

    #[cold]
    fn make_row(&mut self, c: usize, occupied: K) -> u32 {
        let row = self.row(c, occupied);
        self.enter(c, occupied, &row)
    }

    /// Puts a row into the table.
    pub(super) fn enter(&mut self, c: usize, occupied: K, row: &[u8]) -> u32 {
        let rows = Arc::make_mut(&mut self.rows);
        let number = rows.push(row);
        rows.of[c].insert(occupied, number);
        number
    }

    /// Computes the row of a colour's knights on these vertices.
    pub(super) fn row(&mut self, c: usize, occupied: K) -> Vec<u8> {
        let mut row = vec![0; self.stride];
        let knights = self.layout.vertices(occupied);
        let m = self.colours[c].columns;
        let value = self.matching(c, occupied);
        row[..2].copy_from_slice(&value.to_le_bytes());
        let square = knights.len() == m && value != INFINITE;
        if square && self.even {
            let nearer = &self.colours[c].nearer;
            for (&v, &free) in knights.iter().zip(self.assignment.free_columns()) {
                let jumps = self.neighbours[v].iter().zip(&self.reverse[v]);
                for (&columns, (&u, &slot)) in nearer[v].iter().zip(jumps) {
                    row[2 + usize::from(u)] |= u8::from(columns & free != 0) << slot;
                }
            }
            return row;
        }
        if square {
            self.assignment.prepare_changes();
        }
        for (i, &v) in knights.iter().enumerate() {
            for slot in 0..self.neighbours[v].len() {
                let u = usize::from(self.neighbours[v][slot]);
                if self.layout.code(occupied, u) != 0 {
                    continue;
                }
                let change = if square {
                    let costs = &self.colours[c].cost[u * m..(u + 1) * m];
                    self.assignment.change(i, costs)
                } else {
                    let moved = occupied.flip(self.layout.at[v], 1).flip(self.layout.at[u], 1);
                    i32::from(self.cached_matching(c, moved)) - i32::from(value)
                };
                self.note(&mut row, v, slot, change);
            }
        }
        row
    }

    /// The neighbours of a vertex from which a jump to it lowers the value, one bit each.
    #[inline]
    pub(super) fn lowering(&self, row: u32, to: usize) -> u8 {
        self.rows.store[row as usize * UNIT + 2 + to]
    }

    /// The change by the jump to a vertex from its `slot`-th neighbour.
    #[inline]
    pub(super) fn change(&self, row: u32, to: usize, slot: usize) -> i32 {
        let at = row as usize * UNIT + 2 + to;
        let store = &self.rows.store;
        if store[at] >> slot & 1 == 1 {
            -1
        } else if self.even {
            1
        } else {
            1 - i32::from(store[at + self.neighbours.len()] >> slot & 1)
        }
    }
}

/// The columns that each jump comes nearer to.
fn nearer(instance: &Instance, far: &[Vec<u16>], targets: &[usize]) -> Vec<[u128; 8]> {
    let list = |v: usize| {
        let mut masks = [0; 8];
        for (mask, &u) in masks.iter_mut().zip(&instance.neighbours[v]) {
            for (j, &t) in targets.iter().enumerate() {
                *mask |= u128::from(far[usize::from(u)][t] < far[v][t]) << j;
            }
        }
        masks
    };
    (0..instance.len()).map(list).collect()
}

fn value_from(total: i32) -> u16 {
    if total >= BONUS {
        INFINITE
    } else {
        u16::try_from(total).expect("a matching costs at least nothing")
    }
}
