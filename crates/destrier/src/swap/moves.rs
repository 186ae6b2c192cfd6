//! Move generation: from a position to its neighbours, each with its lower bound.
//!
//! Jumps are generated from the empty vertices or from the knights, whichever are fewer. Where runs are
//! counted, an edge is a whole walk of one knight; where sides take turns, the side to move is part of
//! the key; in peaceful puzzles jumps that attack an opponent are left out.
//!
//! Invariant: a child's value is the bound of the child's own position.
//! Cost: one table look-up per colour and position, then a few operations per child.
//! Source: incremental heuristics as in Korf and Taylor 1996.

use std::sync::Arc;

use super::bound::{Bound, INFINITE};
use super::conflict::{Conflicts, Traffic};
use super::instance::{ANY, Instance, Step};
use super::key::{Key, Layout};
use super::pattern::Patterns;
use crate::run::watch::{Halt, Ticker};

/// A neighbour of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<K> {
    /// The position.
    pub(super) key: K,
    /// Its lower bound.
    pub(super) value: u16,
    /// The knight that came here left this square …
    pub(super) from: u8,
    /// … for this one.
    pub(super) to: u8,
}

/// Positions whose bounds are prefetched together, so that the waits for memory overlap.
pub(super) const AHEAD: usize = 32;

/// On larger boards a node can take a tenth of a millisecond or more.
const LARGE: usize = 32;

/// From start to goal, or from goal to start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Forward,
    Backward,
}

#[derive(Clone, Copy, Debug)]
struct Near {
    vertex: u8,
    reverse: u8,
    at: u16,
}

/// Tables that see more than the matching.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// For single knights.
    pub(super) patterns: Option<Arc<Patterns>>,
    /// For the others.
    pub(super) conflicts: Option<Arc<Conflicts>>,
}

/// Entries of a table of conflicts.
const CONFLICTS: usize = 20_000;
/// Matchings are left out where a set of one colour's squares leaves fewer ways for the others.
const FEW: f64 = 200.0;

impl Tables {
    /// Those of an instance; `path` are the positions of a plan, if one is known, and `enough` is its length.
    pub(super) fn of(instance: &Instance, path: &[Vec<u8>], enough: u16) -> Self {
        let patterns = Patterns::of(instance);
        let conflicts = match patterns {
            Some(_) => None,
            None => Conflicts::of(instance, CONFLICTS, path, enough),
        };
        Self { patterns, conflicts }
    }

    /// Are there any?
    pub(super) fn is_some(&self) -> bool {
        self.patterns.is_some() || self.conflicts.is_some()
    }
}

/// Generates neighbours. One for each thread: it has the bound's table.
#[derive(Clone, Debug)]
pub(super) struct MoveGenerator<K> {
    pub(super) instance: Instance,
    pub(super) layout: Layout<K>,
    pub(super) bound: Bound<K>,
    near: Vec<Near>,
    near_start: Vec<u16>,
    rows: Vec<u32>,
    values: Vec<u16>,
    /// Better bounds, where they were asked for.
    pub(super) tables: Tables,
    /// The number of each group's placement.
    numbers: Vec<u32>,
    traffic: Traffic,
    /// The colours whose matching is looked up.
    alone: Vec<u8>,
    /// The goal, where the matching is not part of the bound, but only whether a position is this.
    unmatched: Option<K>,
    classes: Vec<bool>,
    from_empty: bool,
    /// Does every jump change the value, and has the row of a colour bits only for vertices that have the colour?
    rows_are_exact: bool,
    /// Neighbours that need more than this are left out; the least of what they need.
    most: u16,
    pub(super) left_out: u16,
    /// Does a position determine the parity of the moves to the goal?
    parity_known: bool,
}

impl<K: Key> MoveGenerator<K> {
    /// `None` where the key is too small for the instance; `bytes` is for the bound's table.
    pub(super) fn new(instance: &Instance, bytes: usize) -> Option<Self> {
        let layout = Layout::of(instance)?;
        let mut near = Vec::new();
        let mut near_start = vec![0];
        for (list, reverses) in instance.neighbours.iter().zip(&instance.reverse) {
            near.extend(list.iter().zip(reverses).map(|(&vertex, &reverse)| Near {
                vertex,
                reverse,
                at: layout.at[usize::from(vertex)],
            }));
            near_start.push(u16::try_from(near.len()).expect("at most 128 squares of 8 jumps"));
        }
        let knights = instance.start.iter().filter(|&&c| c != 0).count();
        Some(Self {
            bound: Bound::new(instance, &layout, bytes),
            near,
            near_start,
            rows: vec![0; instance.colours + 1],
            values: vec![0; instance.colours + 1],
            tables: Tables::default(),
            numbers: Vec::new(),
            traffic: Traffic::default(),
            alone: (1u8..).take(instance.colours).collect(),
            unmatched: None,
            classes: instance.classes().unwrap_or_default(),
            from_empty: instance.len() - knights <= knights,
            rows_are_exact: instance.is_bipartite()
                && instance.is_goal_complete()
                && !instance.runs
                && instance.white_begins.is_none()
                && (1u8..).take(instance.colours).all(|code| instance.count(code) > 1),
            most: INFINITE,
            left_out: INFINITE,
            parity_known: !instance.runs && instance.is_goal_complete() && instance.is_bipartite(),
            layout,
            instance: instance.clone(),
        })
    }

    /// The same with better bounds.
    pub(super) fn with_tables(mut self, tables: Tables) -> Self {
        let has = |code| tables.patterns.as_ref().is_some_and(|patterns| patterns.has(code));
        self.alone = (1u8..).take(self.instance.colours).filter(|&code| !has(code)).collect();
        // Where each set of a colour's squares is met in few positions, its matching costs more than it saves.
        let colours = (1u8..).take(self.instance.colours);
        let ways = colours.map(|code| self.instance.placements(code)).fold(0.0, f64::max);
        if tables.conflicts.is_some() && ways < FEW {
            self.alone.clear();
            self.rows_are_exact = false;
            self.unmatched = Some(self.layout.pack(&self.instance.goal));
        }
        self.tables = tables;
        self.values.fill(0);
        self
    }

    /// The colours of several knights whose matching is looked up.
    pub(super) fn matched(&self) -> Vec<u8> {
        let codes = self.alone.iter().copied().filter(|&code| self.instance.count(code) > 1);
        if self.instance.runs { Vec::new() } else { codes.collect() }
    }

    /// Counts a node. Where nodes take long, the watch is checked every few of them.
    #[inline]
    pub(super) fn tick(&self, ticker: &mut Ticker) -> Result<(), Halt> {
        ticker.tick()?;
        if self.instance.len() > LARGE && ticker.nodes().is_multiple_of(8) {
            ticker.check()?;
        }
        Ok(())
    }

    /// The first position, with the turn where there is one.
    pub(super) fn start(&self) -> K {
        let key = self.layout.pack(&self.instance.start);
        if self.instance.white_begins == Some(true) { self.layout.pass_turn(key) } else { key }
    }

    /// Does every edge change the parity of the position, so that a layer has no edges within?
    pub(super) fn layers_are_independent(&self) -> bool {
        !self.instance.runs && self.instance.is_bipartite()
    }

    /// The lower bound of a position, or [`INFINITE`].
    pub(super) fn value(&mut self, key: K) -> u16 {
        if self.instance.runs {
            return self.misplaced(key);
        }
        self.look_up(key);
        let assigned = self.assigned(key);
        self.raised(assigned, &self.traffic)
    }

    /// Is it an odd number of jumps from the goal? Only where that is known.
    fn is_odd(&self, key: K, goal: K) -> bool {
        let empty = |key: K| self.layout.vertices(self.layout.holding(key, 0)).into_iter();
        empty(key).chain(empty(goal)).fold(false, |odd, v| odd ^ self.classes[v])
    }

    /// What the matching of the position last looked up needs. Where it is left out, this has only its parity.
    #[inline]
    fn assigned(&self, key: K) -> u16 {
        match self.unmatched {
            None => self.total(self.layout.is_whites_turn(key), None),
            Some(goal) if key == goal => 0,
            Some(goal) => 1 + u16::from(self.parity_known && !self.is_odd(key, goal)),
        }
    }

    /// The bound, from what the matching needs and where the knights are.
    #[inline]
    fn raised(&self, assigned: u16, traffic: &Traffic) -> u16 {
        let Some(conflicts) = &self.tables.conflicts else { return assigned };
        match conflicts.value(traffic) {
            INFINITE => INFINITE,
            value if value <= assigned => assigned,
            // The matching has the parity of every plan.
            value => value + u16::from(self.parity_known && (value ^ assigned) & 1 == 1),
        }
    }

    #[inline]
    fn look_up(&mut self, key: K) {
        self.bound.evict();
        if let Some(patterns) = &self.tables.patterns {
            patterns.look_up(&self.layout, key, &mut self.numbers, &mut self.values);
        }
        if let Some(conflicts) = &self.tables.conflicts {
            let codes = self.layout.at.iter().map(|&at| key.code(at, self.layout.mask));
            self.traffic = conflicts.look_up(codes);
        }
        for &code in &self.alone {
            let squares = self.layout.holding(key, code);
            let (row, value) = self.bound.look_up(usize::from(code) - 1, squares);
            self.rows[usize::from(code)] = row;
            self.values[usize::from(code)] = value;
        }
    }

    /// What a jump to `to` from its `slot`-th neighbour changes for the position last looked up.
    #[inline]
    fn change(&self, code: u8, from: u8, to: u8, slot: usize) -> i32 {
        if self.unmatched.is_some() {
            return 0;
        }
        if let Some(patterns) = self.tables.patterns.as_ref().filter(|it| it.has(code)) {
            return patterns.change(&self.numbers, code, from, to);
        }
        self.bound.change(self.rows[usize::from(code)], usize::from(to), slot)
    }

    /// Touches the rows of the next [`AHEAD`] positions, so that they are in the cache when needed.
    pub(super) fn prefetch(&self, next: impl Iterator<Item = K>) {
        if self.instance.runs {
            return;
        }
        let mut keys = [K::ZERO; AHEAD];
        for (key, next) in keys.iter_mut().zip(next) {
            *key = next;
        }
        let mut guesses = [0; AHEAD];
        for &code in self.alone.iter().filter(|&&code| self.instance.count(code) > 1) {
            for (guess, key) in guesses.iter_mut().zip(keys) {
                *guess = self.bound.guess(usize::from(code) - 1, self.layout.holding(key, code));
            }
            let sum = guesses.iter().fold(0, |sum, &row| sum ^ self.bound.peek(row));
            std::hint::black_box(sum);
        }
    }

    /// The bound from the values of the colours; `changed` is one jump's change.
    fn total(&self, white_moves: bool, changed: Option<(u8, i32)>) -> u16 {
        let mut need = [0i32; 2];
        for code in 1..=self.instance.colours {
            if self.values[code] == INFINITE {
                return INFINITE;
            }
            need[usize::from(self.instance.white[code])] += i32::from(self.values[code]);
        }
        if let Some((code, change)) = changed {
            need[usize::from(self.instance.white[usize::from(code)])] += change;
        }
        self.of_sides(need, white_moves)
    }

    /// The bound from the needs of black and white.
    fn of_sides(&self, need: [i32; 2], white_moves: bool) -> u16 {
        let total = if self.instance.white_begins.is_some() {
            // The side to move makes the first, third, … move, the other the second, fourth, …
            let (first, second) = (need[usize::from(white_moves)], need[usize::from(!white_moves)]);
            let least = (2 * first - 1).max(2 * second).max(0);
            least + i32::from(self.parity_known && (least + first + second) % 2 != 0)
        } else {
            need[0] + need[1]
        };
        u16::try_from(total).expect("at most 128 knights of at most 128 jumps")
    }

    /// A lower bound on the runs still needed.
    fn misplaced(&self, key: K) -> u16 {
        let mut unfilled = [0u16; 64];
        let mut astray = [0u16; 64];
        for (v, &want) in self.instance.goal.iter().enumerate() {
            let here = self.layout.code(key, v);
            if want == ANY || here == want {
                continue;
            }
            astray[usize::from(here & 63)] += u16::from(here != 0);
            unfilled[usize::from(want & 63)] += u16::from(want != 0);
        }
        let mut need = [0; 2];
        for code in 1..=self.instance.colours {
            let runs = astray[code].max(unfilled[code]);
            need[usize::from(self.instance.white[code])] += i32::from(runs);
        }
        self.of_sides(need, self.layout.is_whites_turn(key))
    }

    /// About how many neighbours have a lower bound than the position itself; 0 only if none has.
    pub(super) fn lowering(&mut self, key: K) -> u32 {
        let special = self.instance.runs
            || self.instance.white_begins.is_some()
            || self.instance.peaceful
            || self.unmatched.is_some();
        if special {
            let mut children = Vec::new();
            let value = self.expand(key, Direction::Forward, &mut children);
            let lower = children.iter().filter(|child| child.value < value).count();
            return u32::try_from(lower).expect("at most 128 squares of 8 jumps");
        }
        self.look_up(key);
        let mut count = 0;
        let mut empty = self.layout.holding(key, 0);
        while let Some(to_at) = empty.pop() {
            let to = self.layout.vertex_at[usize::from(to_at)];
            if self.rows_are_exact {
                let bits = |row: &u32| self.bound.lowering(*row, usize::from(to)).count_ones();
                count += self.rows[1..].iter().map(bits).sum::<u32>();
                continue;
            }
            let first = self.near_start[usize::from(to)];
            for i in first..self.near_start[usize::from(to) + 1] {
                let near = self.near[usize::from(i)];
                let code = key.code(near.at, self.layout.mask);
                let lowers = || self.change(code, near.vertex, to, usize::from(i - first)) < 0;
                count += u32::from(code != 0 && lowers());
            }
        }
        if count == 0 && self.tables.conflicts.is_some() {
            // A jump that does not lower what the matching needs may yet lower a bound that is above it.
            let assigned = self.assigned(key);
            return u32::from(self.raised(assigned, &self.traffic) > assigned);
        }
        count
    }

    /// All neighbours that need at most so much; `self.left_out` becomes the least that others need, if that is less.
    pub(super) fn expand_within(&mut self, key: K, most: u16, into: &mut Vec<Child<K>>) -> u16 {
        self.most = most;
        let value = self.expand(key, Direction::Forward, into);
        self.most = INFINITE;
        value
    }

    /// The neighbours that lower the bound, where those are all that is asked for and the others need not be
    /// looked at.
    fn expand_lowering(&mut self, key: K, value: u16, into: &mut Vec<Child<K>>) {
        let mut empty = self.layout.holding(key, 0);
        while let Some(to_at) = empty.pop() {
            let to = self.layout.vertex_at[usize::from(to_at)];
            for code in (1u8..).take(self.instance.colours) {
                let mut jumps = self.bound.lowering(self.rows[usize::from(code)], usize::from(to));
                while jumps != 0 {
                    let slot = usize::from(self.near_start[usize::from(to)])
                        + jumps.trailing_zeros() as usize;
                    jumps &= jumps - 1;
                    let Near { vertex, at, .. } = self.near[slot];
                    let jump = Jump { code, from: vertex, from_at: at, to, to_at, change: -1 };
                    self.jump(key, value, Direction::Forward, jump, into);
                }
            }
        }
    }

    /// All neighbours; returns the position's own value.
    pub(super) fn expand(&mut self, key: K, direction: Direction, into: &mut Vec<Child<K>>) -> u16 {
        into.clear();
        if self.instance.runs {
            self.expand_runs(key, direction, into);
            return self.misplaced(key);
        }
        self.look_up(key);
        let assigned = self.assigned(key);
        let value = self.raised(assigned, &self.traffic);
        if self.rows_are_exact
            && assigned >= self.most
            && assigned.saturating_add(1) >= self.left_out
        {
            self.expand_lowering(key, assigned, into);
            return value;
        }
        // Split into two functions, these loops take a tenth more instructions.
        if self.from_empty {
            let mut empty = self.layout.holding(key, 0);
            while let Some(to_at) = empty.pop() {
                let to = self.layout.vertex_at[usize::from(to_at)];
                let first = self.near_start[usize::from(to)];
                for i in first..self.near_start[usize::from(to) + 1] {
                    let near = self.near[usize::from(i)];
                    let code = key.code(near.at, self.layout.mask);
                    if code != 0 {
                        let change = self.change(code, near.vertex, to, usize::from(i - first));
                        let jump =
                            Jump { code, from: near.vertex, from_at: near.at, to, to_at, change };
                        self.jump(key, assigned, direction, jump, into);
                    }
                }
            }
        } else {
            for code in (1u8..).take(self.instance.colours) {
                let mut knights = self.layout.holding(key, code);
                while let Some(from_at) = knights.pop() {
                    let from = self.layout.vertex_at[usize::from(from_at)];
                    let first = self.near_start[usize::from(from)];
                    for i in first..self.near_start[usize::from(from) + 1] {
                        let near = self.near[usize::from(i)];
                        if key.code(near.at, self.layout.mask) == 0 {
                            let (to, to_at) = (near.vertex, near.at);
                            let change = self.change(code, from, to, usize::from(near.reverse));
                            let jump = Jump { code, from, from_at, to, to_at, change };
                            self.jump(key, assigned, direction, jump, into);
                        }
                    }
                }
            }
        }
        value
    }

    #[inline]
    fn jump(
        &mut self,
        key: K,
        value: u16,
        direction: Direction,
        jump: Jump,
        into: &mut Vec<Child<K>>,
    ) {
        let Jump { code, from, from_at, to, to_at, change } = jump;
        let mut next = key.flip(from_at, code).flip(to_at, code);
        let mut needs = value;
        if self.instance.white_begins.is_some() {
            if !self.has_turn(key, direction, code) {
                return;
            }
            next = self.layout.pass_turn(next);
            needs = self.total(!self.layout.is_whites_turn(key), Some((code, change)));
        } else if let Some(goal) = self.unmatched {
            let is_even = self.parity_known && value & 1 == 1;
            needs = if next == goal { 0 } else { 1 + u16::from(is_even) };
        } else if value != INFINITE {
            needs = value.wrapping_add_signed(i16::try_from(change).unwrap_or(0));
        }
        if self.instance.peaceful && self.attacks_opponent(next, to, code) {
            return;
        }
        if needs <= self.most
            && let Some(conflicts) = &self.tables.conflicts
        {
            needs = self.raised(needs, &conflicts.after(&self.traffic, code, from, to));
        }
        if needs > self.most {
            self.left_out = self.left_out.min(needs);
            return;
        }
        into.push(Child { key: next, value: needs, from, to });
    }

    /// Does a knight of this colour on this vertex attack one of another side?
    fn attacks_opponent(&self, key: K, v: u8, code: u8) -> bool {
        let v = usize::from(v);
        self.near[usize::from(self.near_start[v])..usize::from(self.near_start[v + 1])].iter().any(
            |near| {
                let there = key.code(near.at, self.layout.mask);
                there != 0
                    && self.instance.side[usize::from(there)]
                        != self.instance.side[usize::from(code)]
            },
        )
    }

    /// May a knight of this colour make a move from (or to) this position?
    fn has_turn(&self, key: K, direction: Direction, code: u8) -> bool {
        self.instance.white_begins.is_none()
            || self.instance.white[usize::from(code)]
                == (self.layout.is_whites_turn(key) == (direction == Direction::Forward))
    }

    fn expand_runs(&self, key: K, direction: Direction, into: &mut Vec<Child<K>>) {
        for v in 0..self.instance.len() {
            let code = self.layout.code(key, v);
            if code == 0 || !self.has_turn(key, direction, code) {
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

    /// Every vertex that the knight on `v` can walk to, nearest first, each with the one before it.
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
            for i in self.near_start[here]..self.near_start[here + 1] {
                let near = self.near[usize::from(i)];
                let new = seen & (1 << near.vertex) == 0
                    && key.code(near.at, self.layout.mask) == 0
                    && !(self.instance.peaceful
                        && self.attacks_opponent(lifted, near.vertex, code));
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
        if !self.instance.runs {
            return vec![(from, to)];
        }
        let walk = self.walk(key, usize::from(from));
        let mut jumps = Vec::new();
        let mut at = to;
        while at != from {
            let (_, before) = *walk.iter().find(|&&(v, _)| v == at).expect("the walk reaches it");
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
