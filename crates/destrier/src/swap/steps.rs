//! From a position to its neighbours, each with what it still needs at least.
//!
//! Jumps are made from whichever are fewer, empty squares or knights. Where runs are counted, an
//! edge is a whole walk of one knight; where sides take turns, the side to move is part of the key;
//! where colours must keep the peace, a jump into an attack is not made.
//!
//! Invariant: a child's value is the bound of the child's own position.
//! Cost: one table look-up a colour and position, then a few operations a child.
//! After: NOTES of the project on dual move generation; Korf's incremental heuristics.

use super::arena::{ANY, Arena, Step};
use super::bound::{Bound, HOPELESS};
use super::key::{Key, Layout};
use crate::run::watch::{Halt, Ticker};

/// A neighbour of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<K> {
    /// The position.
    pub(super) key: K,
    /// What it needs at least.
    pub(super) value: u16,
    /// The knight that came here left this square …
    pub(super) from: u8,
    /// … for this one.
    pub(super) to: u8,
}

/// Positions whose bounds are looked up together, so that the waits for memory overlap.
pub(super) const AHEAD: usize = 32;

/// On boards of more squares than this a node can take a tenth of a millisecond and more.
const LARGE: usize = 32;

/// Forward along the plan, or backward.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Onward,
    Back,
}

#[derive(Clone, Copy, Debug)]
struct Near {
    vertex: u8,
    twin: u8,
    at: u16,
}

/// Makes neighbours. One for each thread: it holds the bound's table.
#[derive(Clone, Debug)]
pub(super) struct Steps<K> {
    pub(super) arena: Arena,
    pub(super) layout: Layout<K>,
    bound: Bound<K>,
    near: Vec<Near>,
    near_from: Vec<u16>,
    rows: Vec<u32>,
    values: Vec<u16>,
    from_empty: bool,
    /// Is the parity of the number of moves to the goal known from the position?
    parity_known: bool,
}

impl<K: Key> Steps<K> {
    /// `None` where the key is too small for the arena. `bytes` is for the bound's table.
    pub(super) fn new(arena: &Arena, bytes: usize) -> Option<Self> {
        let layout = Layout::of(arena)?;
        let mut near = Vec::new();
        let mut near_from = vec![0];
        for (list, twins) in arena.neighbours.iter().zip(&arena.twin) {
            near.extend(list.iter().zip(twins).map(|(&vertex, &twin)| Near {
                vertex,
                twin,
                at: layout.at[usize::from(vertex)],
            }));
            near_from.push(u16::try_from(near.len()).expect("at most 128 squares of 8 jumps"));
        }
        let knights = arena.start.iter().filter(|&&c| c != 0).count();
        Some(Self {
            bound: Bound::new(arena, &layout, bytes),
            near,
            near_from,
            rows: vec![0; arena.colours + 1],
            values: vec![0; arena.colours + 1],
            from_empty: arena.len() - knights <= knights,
            parity_known: !arena.runs && arena.is_goal_complete() && arena.two_classes().is_some(),
            layout,
            arena: arena.clone(),
        })
    }

    /// Beat once for a node. Where a node takes long, the watch is looked at every few of them.
    #[inline]
    pub(super) fn tick(&self, ticker: &mut Ticker) -> Result<(), Halt> {
        ticker.tick()?;
        if self.arena.len() > LARGE && ticker.nodes().is_multiple_of(8) {
            ticker.check()?;
        }
        Ok(())
    }

    /// The first position, with the turn where there is one.
    pub(super) fn start(&self) -> K {
        let key = self.layout.pack(&self.arena.start);
        if self.arena.white_begins == Some(true) { self.layout.pass_turn(key) } else { key }
    }

    /// Do all edges change the parity of the position, so that a layer has no edges within?
    pub(super) fn layers_are_independent(&self) -> bool {
        !self.arena.runs && self.arena.two_classes().is_some()
    }

    /// What a position needs at least, or [`HOPELESS`].
    pub(super) fn value(&mut self, key: K) -> u16 {
        if self.arena.runs {
            return self.misplaced(key);
        }
        self.look_up(key);
        self.total(self.layout.is_whites_turn(key), None)
    }

    #[inline]
    fn look_up(&mut self, key: K) {
        self.bound.tidy();
        for code in (1u8..).take(self.arena.colours) {
            let squares = self.layout.holding(key, code);
            let (row, value) = self.bound.look(usize::from(code) - 1, squares);
            self.rows[usize::from(code)] = row;
            self.values[usize::from(code)] = value;
        }
    }

    /// Look up what is known of the next [`AHEAD`] positions and forget it: their rows are then near
    /// at hand.
    pub(super) fn warm(&self, next: impl Iterator<Item = K>) {
        if self.arena.runs {
            return;
        }
        let mut keys = [K::ZERO; AHEAD];
        for (key, next) in keys.iter_mut().zip(next) {
            *key = next;
        }
        let mut guesses = [0; AHEAD];
        for code in (1u8..).take(self.arena.colours) {
            for (guess, key) in guesses.iter_mut().zip(keys) {
                *guess = self.bound.guess(usize::from(code) - 1, self.layout.holding(key, code));
            }
            let sum = guesses.iter().fold(0, |sum, &row| sum ^ self.bound.peek(row));
            std::hint::black_box(sum);
        }
    }

    /// The bound from the values of the colours, `changed` being one jump's change.
    fn total(&self, white_moves: bool, changed: Option<(u8, i32)>) -> u16 {
        let mut need = [0i32; 2];
        for code in 1..=self.arena.colours {
            if self.values[code] == HOPELESS {
                return HOPELESS;
            }
            need[usize::from(self.arena.white[code])] += i32::from(self.values[code]);
        }
        if let Some((code, change)) = changed {
            need[usize::from(self.arena.white[usize::from(code)])] += change;
        }
        self.of_sides(need, white_moves)
    }

    /// The bound from what black and white need.
    fn of_sides(&self, need: [i32; 2], white_moves: bool) -> u16 {
        let total = if self.arena.white_begins.is_some() {
            // The side to move makes the first, third, … move, the other the second, fourth, …
            let (first, second) = (need[usize::from(white_moves)], need[usize::from(!white_moves)]);
            let least = (2 * first - 1).max(2 * second).max(0);
            least + i32::from(self.parity_known && (least + first + second) % 2 != 0)
        } else {
            need[0] + need[1]
        };
        u16::try_from(total).expect("at most 128 knights of at most 128 jumps")
    }

    /// Knights that must still run, at least.
    fn misplaced(&self, key: K) -> u16 {
        let mut unfilled = [0u16; 64];
        let mut astray = [0u16; 64];
        for (v, &want) in self.arena.goal.iter().enumerate() {
            let here = self.layout.code(key, v);
            if want == ANY || here == want {
                continue;
            }
            astray[usize::from(here & 63)] += u16::from(here != 0);
            unfilled[usize::from(want & 63)] += u16::from(want != 0);
        }
        let mut need = [0; 2];
        for code in 1..=self.arena.colours {
            let runs = astray[code].max(unfilled[code]);
            need[usize::from(self.arena.white[code])] += i32::from(runs);
        }
        self.of_sides(need, self.layout.is_whites_turn(key))
    }

    /// How many neighbours need less than the position itself, for plain jumps.
    pub(super) fn lowering(&mut self, key: K) -> usize {
        let special = self.arena.runs || self.arena.white_begins.is_some() || self.arena.peaceful;
        if special {
            let mut children = Vec::new();
            let value = self.expand(key, Way::Onward, &mut children);
            return children.iter().filter(|child| child.value < value).count();
        }
        self.look_up(key);
        let mut count = 0;
        let mut empty = self.layout.holding(key, 0);
        while let Some(to_at) = empty.pop() {
            let to = usize::from(self.layout.vertex_at[usize::from(to_at)]);
            for i in self.near_from[to]..self.near_from[to + 1] {
                let near = self.near[usize::from(i)];
                let code = key.code(near.at, self.layout.mask);
                let (v, slot) = (usize::from(near.vertex), usize::from(near.twin));
                count += usize::from(
                    code != 0 && self.bound.lowers(self.rows[usize::from(code)], v, slot),
                );
            }
        }
        count
    }

    /// All neighbours; the position's own value is returned.
    pub(super) fn expand(&mut self, key: K, way: Way, into: &mut Vec<Child<K>>) -> u16 {
        into.clear();
        if self.arena.runs {
            self.expand_runs(key, way, into);
            return self.misplaced(key);
        }
        self.look_up(key);
        let value = self.total(self.layout.is_whites_turn(key), None);
        if self.from_empty {
            let mut empty = self.layout.holding(key, 0);
            while let Some(to_at) = empty.pop() {
                let to = self.layout.vertex_at[usize::from(to_at)];
                for i in self.near_from[usize::from(to)]..self.near_from[usize::from(to) + 1] {
                    let near = self.near[usize::from(i)];
                    let code = key.code(near.at, self.layout.mask);
                    if code != 0 {
                        let change = self.bound.change(
                            self.rows[usize::from(code)],
                            usize::from(near.vertex),
                            usize::from(near.twin),
                        );
                        let jump =
                            Jump { code, from: near.vertex, from_at: near.at, to, to_at, change };
                        self.jump(key, value, way, jump, into);
                    }
                }
            }
        } else {
            for code in (1u8..).take(self.arena.colours) {
                let mut knights = self.layout.holding(key, code);
                while let Some(from_at) = knights.pop() {
                    let from = self.layout.vertex_at[usize::from(from_at)];
                    let first = self.near_from[usize::from(from)];
                    for i in first..self.near_from[usize::from(from) + 1] {
                        let near = self.near[usize::from(i)];
                        if key.code(near.at, self.layout.mask) == 0 {
                            let slot = usize::from(i - first);
                            let row = self.rows[usize::from(code)];
                            let change = self.bound.change(row, usize::from(from), slot);
                            let jump = Jump {
                                code,
                                from,
                                from_at,
                                to: near.vertex,
                                to_at: near.at,
                                change,
                            };
                            self.jump(key, value, way, jump, into);
                        }
                    }
                }
            }
        }
        value
    }

    #[inline]
    fn jump(&self, key: K, value: u16, way: Way, jump: Jump, into: &mut Vec<Child<K>>) {
        let Jump { code, from, from_at, to, to_at, change } = jump;
        let mut next = key.flip(from_at, code).flip(to_at, code);
        let mut needs = value;
        if self.arena.white_begins.is_some() {
            if !self.has_turn(key, way, code) {
                return;
            }
            next = self.layout.pass_turn(next);
            needs = self.total(!self.layout.is_whites_turn(key), Some((code, change)));
        } else if value != HOPELESS {
            needs = value.wrapping_add_signed(i16::try_from(change).unwrap_or(0));
        }
        if self.arena.peaceful && self.quarrels(next, to, code) {
            return;
        }
        into.push(Child { key: next, value: needs, from, to });
    }

    /// Does a knight of this colour on this square attack one of another camp?
    fn quarrels(&self, key: K, v: u8, code: u8) -> bool {
        let v = usize::from(v);
        self.near[usize::from(self.near_from[v])..usize::from(self.near_from[v + 1])].iter().any(
            |near| {
                let there = key.code(near.at, self.layout.mask);
                there != 0
                    && self.arena.camp[usize::from(there)] != self.arena.camp[usize::from(code)]
            },
        )
    }

    /// May a knight of this colour make the move that leads from (or to) this position?
    fn has_turn(&self, key: K, way: Way, code: u8) -> bool {
        self.arena.white_begins.is_none()
            || self.arena.white[usize::from(code)]
                == (self.layout.is_whites_turn(key) == (way == Way::Onward))
    }

    fn expand_runs(&self, key: K, way: Way, into: &mut Vec<Child<K>>) {
        for v in 0..self.arena.len() {
            let code = self.layout.code(key, v);
            if code == 0 || !self.has_turn(key, way, code) {
                continue;
            }
            let lifted = self.layout.pass_turn(key.flip(self.layout.at[v], code));
            for (to, _) in self.walk(key, v).into_iter().skip(1) {
                let next = lifted.flip(self.layout.at[usize::from(to)], code);
                #[expect(clippy::cast_possible_truncation, reason = "at most 128 squares")]
                into.push(Child { key: next, value: self.misplaced(next), from: v as u8, to });
            }
        }
    }

    /// Everywhere the knight on `v` can walk, nearest first, each with where it came from.
    #[expect(clippy::cast_possible_truncation, reason = "at most 128 squares")]
    fn walk(&self, key: K, v: usize) -> Vec<(u8, u8)> {
        let code = self.layout.code(key, v);
        let lifted = key.flip(self.layout.at[v], code);
        let mut seen = 1u128 << v;
        let mut found = vec![(v as u8, v as u8)];
        let mut head = 0;
        while head < found.len() {
            let here = usize::from(found[head].0);
            head += 1;
            for i in self.near_from[here]..self.near_from[here + 1] {
                let near = self.near[usize::from(i)];
                let new = seen & (1 << near.vertex) == 0
                    && key.code(near.at, self.layout.mask) == 0
                    && !(self.arena.peaceful && self.quarrels(lifted, near.vertex, code));
                if new {
                    seen |= 1 << near.vertex;
                    found.push((near.vertex, here as u8));
                }
            }
        }
        found
    }

    /// The jumps of one edge from this position.
    pub(super) fn jumps(&self, key: K, from: u8, to: u8) -> Vec<Step> {
        if !self.arena.runs {
            return vec![(from, to)];
        }
        let walk = self.walk(key, usize::from(from));
        let mut jumps = Vec::new();
        let mut at = to;
        while at != from {
            let (_, before) = *walk.iter().find(|&&(v, _)| v == at).expect("the walk goes there");
            jumps.push((before, at));
            at = before;
        }
        jumps.reverse();
        jumps
    }
}

#[derive(Clone, Copy)]
struct Jump {
    code: u8,
    from: u8,
    from_at: u16,
    to: u8,
    to_at: u16,
    change: i32,
}
