//! Conflicts: the moves that knights lose because they are in each other's way.
//!
//! A cheapest matching sends every knight along a shortest path. Potentials say what each jump then costs beyond what it
//! gains: nothing on such a path, a move or two elsewhere. The jumps of all shortest paths fall into sets of squares that have little to
//! do with each other, and within such a region knights meet. A table has, for each way to fill a region, the least that all jumps
//! from there to the goal cost beyond their gain. The rest of the board is a stock that gives and takes any knight at any door, but
//! has no more knights and no more empty squares than there are. What a region leaves of a jump's cost is for the next
//! region, so the regions add up.
//!
//! Invariant: a jump changes the sum of potentials and tables by at most one move.
//! Cost: a byte for each way to fill a region; a look-up per region and child.
//! Source: potentials of flows (Ahuja, Magnanti and Orlin 1993); pattern databases (Culberson and Schaeffer 1998); saturated
//! cost partitioning (Seipp and Helmert 2014).

use std::cmp::Reverse;
use std::sync::Arc;

use super::assignment::Assignment;
use super::bound::INFINITE;
use super::instance::Instance;

/// The most regions.
const REGIONS: usize = 4;
/// The most colours: a square's code takes four bits.
const COLOURS: usize = 15;
/// The most jumps from a square.
const JUMPS: usize = 8;
/// In a table: cannot reach the goal.
const NEVER: u8 = u8::MAX;

/// Potentials, and the tables of all regions.
#[derive(Debug)]
pub(super) struct Conflicts {
    /// A move in the units of potentials and tables.
    scale: i32,
    vertices: usize,
    /// By code and vertex.
    potential: Vec<i32>,
    /// The sum of potentials at the goal.
    at_goal: i32,
    /// By vertex: what the code there is multiplied by in the number of each region.
    weight: Vec<[u32; REGIONS]>,
    tables: [Vec<u8>; REGIONS],
}

/// A position as the tables see it: its sum of potentials, and its number in each region.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traffic {
    sum: i32,
    numbers: [u32; REGIONS],
}

impl Conflicts {
    /// The position with these codes as the tables see it.
    #[inline]
    pub(super) fn look_up(&self, codes: impl Iterator<Item = u8>) -> Traffic {
        let mut traffic = Traffic::default();
        for ((v, code), weight) in codes.enumerate().zip(&self.weight) {
            traffic.sum += self.potential[usize::from(code) * self.vertices + v];
            for (number, weight) in traffic.numbers.iter_mut().zip(weight) {
                *number += u32::from(code) * weight;
            }
        }
        traffic
    }

    /// The bound of a position.
    #[inline]
    pub(super) fn value(&self, traffic: &Traffic) -> u16 {
        let mut sum = traffic.sum - self.at_goal;
        for (&number, table) in traffic.numbers.iter().zip(&self.tables) {
            let more = table[number as usize];
            if more == NEVER {
                return INFINITE;
            }
            sum += i32::from(more);
        }
        let moves = (sum + self.scale - 1).div_euclid(self.scale);
        u16::try_from(moves.max(0)).unwrap_or(INFINITE)
    }

    /// The position after a jump.
    #[inline]
    pub(super) fn after(&self, traffic: &Traffic, code: u8, from: u8, to: u8) -> Traffic {
        let mut after = *traffic;
        let (from, to) = (usize::from(from), usize::from(to));
        let row = usize::from(code) * self.vertices;
        after.sum += self.potential[row + to] - self.potential[row + from];
        let weights = self.weight[to].iter().zip(&self.weight[from]);
        for (number, (there, here)) in after.numbers.iter_mut().zip(weights) {
            *number =
                number.wrapping_add(u32::from(code) * there).wrapping_sub(u32::from(code) * here);
        }
        after
    }

    /// Tables of at most `most` entries each. Of several, those are taken whose bound of the start is highest, and
    /// then their bounds along a plan, whose positions are `path`; none are tried once the start needs as much as `enough`. `None` where they
    /// would see nothing, and where they are not made: for goals that leave squares open, for runs and for turns.
    pub(super) fn of(
        instance: &Instance,
        most: usize,
        path: &[Vec<u8>],
        enough: u16,
    ) -> Option<Arc<Self>> {
        let is_plain = !instance.runs && instance.white_begins.is_none();
        if !is_plain || !instance.is_goal_complete() || !(2..=COLOURS).contains(&instance.colours) {
            return None;
        }
        let flows: Vec<Flow> =
            (1u8..).take(instance.colours).map(|code| Flow::new(instance, code)).collect();
        let apart = components(instance, &flows, most);
        let score_of = |conflicts: &Self| -> (u16, u64) {
            let value = |codes: &[u8]| conflicts.value(&conflicts.look_up(codes.iter().copied()));
            (value(&instance.start), path.iter().map(|codes| u64::from(value(codes))).sum())
        };
        // The potentials are chosen with small regions, which are joined after that.
        let mut best: Option<((u16, u64), Self, Costs)> = None;
        for roots in [1, 2, 4] {
            let costs = Costs::new(instance, &flows, roots);
            let conflicts = Self::with(instance, costs.clone(), &apart);
            let score = score_of(&conflicts);
            if best.as_ref().is_none_or(|(least, ..)| score > *least) {
                best = Some((score, conflicts, costs));
            }
            if score.0 >= enough {
                break;
            }
        }
        let (score, mut conflicts, costs) = best?;
        let joined = joined(instance, &costs, &apart, most);
        if score.0 < enough && joined.len() < apart.len() {
            let larger = Self::with(instance, costs, &joined);
            if score_of(&larger) > score {
                conflicts = larger;
            }
        }
        let sees_any = conflicts.tables.iter().any(|table| table.len() > 1);
        sees_any.then(|| Arc::new(conflicts))
    }

    /// Tables for regions, the one first that has most at the start.
    fn with(instance: &Instance, mut costs: Costs, regions: &[Vec<usize>]) -> Self {
        let mut regions: Vec<(Region, Vec<u8>)> = regions
            .iter()
            .map(|squares| {
                let region = Region::new(instance, squares);
                let table = region.table(&costs);
                (region, table)
            })
            .collect();
        regions.sort_by_cached_key(|(region, table)| {
            let sum: u64 = known(table).map(u64::from).sum();
            Reverse((table[region.number(&instance.start)], sum / table.len() as u64))
        });
        let n = instance.len();
        let mut weight = vec![[0; REGIONS]; n];
        let mut tables = [const { Vec::new() }; REGIONS];
        let mut taken = 0;
        for (region, mut table) in regions {
            if taken > 0 {
                table = region.table(&costs);
            }
            if known(&table).all(|more| more == 0) || taken == REGIONS {
                continue;
            }
            region.take(&table, &mut costs);
            for (&v, &step) in region.squares.iter().zip(&region.step) {
                weight[v][taken] = step;
            }
            tables[taken] = table;
            taken += 1;
        }
        tables[taken..].fill(vec![0]);
        let Costs { scale, potential, .. } = costs;
        let at = |(v, &code): (usize, &u8)| potential[usize::from(code) * n + v];
        let at_goal = instance.goal.iter().enumerate().map(at).sum();
        Self { scale, vertices: n, potential, at_goal, weight, tables }
    }
}

/// The entries of a table that are not [`NEVER`].
fn known(table: &[u8]) -> impl Iterator<Item = u8> + '_ {
    table.iter().copied().filter(|&more| more != NEVER)
}

/// A cheapest way to send a colour's knights to its targets.
struct Flow {
    vertices: usize,
    /// What it costs to send one more knight from vertex to vertex, others being sent elsewhere.
    residual: Vec<i32>,
}

impl Flow {
    fn new(instance: &Instance, code: u8) -> Self {
        let n = instance.len();
        let far = instance.distances();
        let holding = |list: &[u8]| -> Vec<usize> { (0..n).filter(|&v| list[v] == code).collect() };
        let (knights, targets) = (holding(&instance.start), holding(&instance.goal));
        let mut residual: Vec<i32> = far.iter().flatten().map(|&far| i32::from(far)).collect();
        let mut assignment = Assignment::default();
        assignment.solve(knights.len(), targets.len(), |cost| {
            for &v in &knights {
                cost.extend(targets.iter().map(|&t| i32::from(far[v][t])));
            }
        });
        for (knight, target) in assignment.matched() {
            let (mut v, t) = (knights[knight], targets[target]);
            while v != t {
                let nearer = |&&u: &&u8| far[usize::from(u)][t] < far[v][t];
                let Some(&u) = instance.neighbours[v].iter().find(nearer) else { break };
                residual[usize::from(u) * n + v] = -1;
                v = usize::from(u);
            }
        }
        for via in 0..n {
            for from in 0..n {
                let first = residual[from * n + via];
                for to in 0..n {
                    let sum = first + residual[via * n + to];
                    if sum < residual[from * n + to] {
                        residual[from * n + to] = sum;
                    }
                }
            }
        }
        Self { vertices: n, residual }
    }

    /// Does some cheapest way use the jump?
    fn uses(&self, from: usize, to: usize) -> bool {
        self.residual[to * self.vertices + from] == -1
    }
}

/// The sets of squares between which no cheapest way passes, in parts of which a table has at most `most` entries.
fn components(instance: &Instance, flows: &[Flow], most: usize) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..instance.len()).collect();
    let mut sets = Vec::new();
    while let Some(root) = left.pop() {
        let mut set = vec![root];
        let mut head = 0;
        while head < set.len() {
            let v = set[head];
            head += 1;
            for u in instance.neighbours[v].iter().map(|&u| usize::from(u)) {
                let joins = |flow: &Flow| flow.uses(v, u) || flow.uses(u, v);
                let at = left.iter().position(|&it| it == u);
                if let Some(at) = at.filter(|_| flows.iter().any(joins)) {
                    left.swap_remove(at);
                    set.push(u);
                }
            }
        }
        // In this order, squares that follow each other are near each other.
        sets.extend(set.chunks(largest(instance, most)).map(<[usize]>::to_vec));
    }
    sets
}

/// The most squares of a region whose table has at most so many entries.
fn largest(instance: &Instance, most: usize) -> usize {
    let base = instance.colours + 1;
    let fits = |&squares: &u32| base.checked_pow(squares).is_some_and(|n| n <= most);
    (2..=16).take_while(fits).count() + 1
}

/// Joins sets while their tables stay within `most`, those first between which most jumps cost little.
fn joined(instance: &Instance, costs: &Costs, sets: &[Vec<usize>], most: usize) -> Vec<Vec<usize>> {
    let room = largest(instance, most);
    let mut sets = sets.to_vec();
    let between = |one: &[usize], other: &[usize]| {
        let mut sum = 0;
        for &v in one {
            for (slot, &u) in instance.neighbours[v].iter().enumerate() {
                if other.contains(&usize::from(u)) {
                    let back = place(usize::from(u), usize::from(instance.reverse[v][slot]));
                    for code in 1..=instance.colours {
                        let there_and_back = costs.of(code, place(v, slot)) + costs.of(code, back);
                        sum += 4 * costs.scale - there_and_back;
                    }
                }
            }
        }
        sum
    };
    loop {
        let pairs = (0..sets.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let fitting = pairs.filter(|&(i, j)| sets[i].len() + sets[j].len() <= room);
        let Some((i, j)) = fitting.max_by_key(|&(i, j)| between(&sets[i], &sets[j])) else {
            return sets;
        };
        let set = sets.swap_remove(j);
        sets[i].extend(set);
    }
}

/// What jumps cost beyond what they gain.
#[derive(Clone)]
struct Costs {
    scale: i32,
    potential: Vec<i32>,
    /// By code and [`place`].
    cost: Vec<i32>,
    stride: usize,
}

impl Costs {
    /// Under potentials that are the sum of some, each a colour's residual distances from a root. Jumps that no cheapest way
    /// uses should cost something under one of them.
    fn new(instance: &Instance, flows: &[Flow], roots: i32) -> Self {
        let n = instance.len();
        let jumps = |v: usize| instance.neighbours[v].iter().map(move |&u| (v, usize::from(u)));
        let mut potential = vec![0; n];
        for flow in flows {
            let mut free: Vec<(usize, usize)> =
                (0..n).flat_map(jumps).filter(|&(v, u)| !flow.uses(v, u)).collect();
            let is_free = |root: usize, &(v, u): &(usize, usize)| {
                flow.residual[root * n + u] - flow.residual[root * n + v] == 1
            };
            let mut sum = vec![0; n];
            for _ in 0..roots {
                let left = |root: &usize| free.iter().filter(|jump| is_free(*root, jump)).count();
                let root = (0..n).min_by_key(left).unwrap_or(0);
                free.retain(|jump| is_free(root, jump));
                sum.iter_mut().zip(&flow.residual[root * n..]).for_each(|(sum, far)| *sum -= far);
            }
            potential.extend(sum);
        }
        let mut costs = Self { scale: roots, cost: Vec::new(), stride: n * JUMPS, potential };
        costs.cost = vec![0; (flows.len() + 1) * costs.stride];
        for code in 1..=flows.len() {
            for v in 0..n {
                for (slot, (_, u)) in jumps(v).enumerate() {
                    let gain = costs.potential[code * n + v] - costs.potential[code * n + u];
                    let at = code * costs.stride + place(v, slot);
                    costs.cost[at] = roots - gain;
                }
            }
        }
        costs
    }

    fn of(&self, code: usize, at: usize) -> i32 {
        self.cost[code * self.stride + at]
    }
}

/// The place in [`Costs`] of the jump from a vertex to its `slot`-th neighbour.
const fn place(v: usize, slot: usize) -> usize {
    v * JUMPS + slot
}

/// Some squares, and how jumps change what is on them.
struct Region {
    squares: Vec<usize>,
    /// What the code on each square is multiplied by in a number.
    step: Vec<u32>,
    /// By square: the squares of the region from which a knight may come, and the jump's place in [`Costs`].
    within: Vec<Vec<(usize, usize)>>,
    /// By square: the jumps from outside, and those to the outside.
    come: Vec<Vec<usize>>,
    go: Vec<Vec<usize>>,
    /// How many there are of each code on the board.
    stock: Vec<usize>,
    goal: Way,
}

/// A way to fill a region: its number, and the codes of its squares, four bits each.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    number: u32,
    codes: u64,
}

/// A jump that changes a region: within it, from the outside to a square, or from a square to the outside.
#[derive(Clone, Copy)]
enum Jump {
    Within { at: usize, code: usize },
    Come { to: usize, code: usize },
    Go { from: usize, code: usize },
}

impl Region {
    fn new(instance: &Instance, squares: &[usize]) -> Self {
        let base = instance.colours + 1;
        let mut region = Self {
            squares: squares.to_vec(),
            step: Vec::new(),
            within: vec![Vec::new(); squares.len()],
            come: vec![Vec::new(); squares.len()],
            go: vec![Vec::new(); squares.len()],
            stock: (0u8..).take(base).map(|code| instance.count(code)).collect(),
            goal: Way::default(),
        };
        let mut step = 1;
        for (i, &v) in squares.iter().enumerate() {
            region.step.push(step);
            step *= u32::try_from(base).expect("few colours");
            region.goal = region.goal.with(i, instance.goal[v].into(), region.step[i]);
            for (slot, &u) in instance.neighbours[v].iter().enumerate() {
                let back = place(usize::from(u), usize::from(instance.reverse[v][slot]));
                if let Some(from) = squares.iter().position(|&it| it == usize::from(u)) {
                    region.within[i].push((from, back));
                } else {
                    region.come[i].push(back);
                    region.go[i].push(place(v, slot));
                }
            }
        }
        region
    }

    /// The number of what is on its squares.
    fn number(&self, codes: &[u8]) -> usize {
        let digit = |(&v, &step): (&usize, &u32)| u32::from(codes[v]) * step;
        self.squares.iter().zip(&self.step).map(digit).sum::<u32>() as usize
    }

    /// Calls back with each way from which a jump leads to this one, and the jump.
    #[inline]
    fn each_before(&self, way: Way, mut visit: impl FnMut(Way, Jump)) {
        let mut used = [0; COLOURS + 1];
        for i in 0..self.squares.len() {
            used[way.code(i)] += 1;
        }
        for (i, &step) in self.step.iter().enumerate() {
            let code = way.code(i);
            if code != 0 {
                let lifted = way.without(i, code, step);
                for &(from, at) in &self.within[i] {
                    if way.code(from) == 0 {
                        let before = lifted.with(from, code, self.step[from]);
                        visit(before, Jump::Within { at, code });
                    }
                }
                if used[0] < self.stock[0] && !self.come[i].is_empty() {
                    visit(lifted, Jump::Come { to: i, code });
                }
            } else if !self.go[i].is_empty() {
                for (code, (&used, &stock)) in used.iter().zip(&self.stock).enumerate().skip(1) {
                    if used < stock {
                        visit(way.with(i, code, step), Jump::Go { from: i, code });
                    }
                }
            }
        }
    }

    /// The least that jumps cost beyond their gain, from each way to fill the region to the goal's.
    fn table(&self, costs: &Costs) -> Vec<u8> {
        let base = self.stock.len();
        let least =
            |jumps: &[usize], code| jumps.iter().map(|&at| costs.of(code, at)).min().unwrap_or(0);
        let doors = |lists: &[Vec<usize>]| -> Vec<i32> {
            lists.iter().flat_map(|jumps| (0..base).map(move |code| least(jumps, code))).collect()
        };
        let (come, go) = (doors(&self.come), doors(&self.go));
        let mut table =
            vec![NEVER; base.pow(u32::try_from(self.squares.len()).expect("few squares"))];
        table[self.goal.number as usize] = 0;
        let mut buckets: Vec<Vec<Way>> = vec![vec![self.goal]];
        let mut spent = 0;
        while spent < buckets.len() {
            let Some(way) = buckets[spent].pop() else {
                spent += 1;
                continue;
            };
            if usize::from(table[way.number as usize]) != spent {
                continue;
            }
            self.each_before(way, |before, jump| {
                let cost = match jump {
                    Jump::Within { at, code } => costs.of(code, at),
                    Jump::Come { to, code } => come[to * base + code],
                    Jump::Go { from, code } => go[from * base + code],
                };
                // What is more than a byte can say is cut short, and stays a lower bound.
                let sum = (spent + usize::try_from(cost).unwrap_or(0)).min(usize::from(NEVER) - 1);
                let entry = &mut table[before.number as usize];
                if sum < usize::from(*entry) {
                    *entry = u8::try_from(sum).unwrap_or(NEVER);
                    if buckets.len() <= sum {
                        buckets.resize(sum + 1, Vec::new());
                    }
                    buckets[sum].push(before);
                }
            });
        }
        table
    }

    /// Takes away what the table needs of the jumps' costs.
    fn take(&self, table: &[u8], costs: &mut Costs) {
        let base = self.stock.len();
        let mut within = vec![0; costs.cost.len()];
        let mut come = vec![0; self.squares.len() * base];
        let mut go = come.clone();
        let mut way = Way::default();
        for &value in table {
            if value != NEVER {
                self.each_before(way, |before, jump| {
                    let need = match jump {
                        Jump::Within { at, code } => &mut within[code * costs.stride + at],
                        Jump::Come { to, code } => &mut come[to * base + code],
                        Jump::Go { from, code } => &mut go[from * base + code],
                    };
                    *need =
                        (i32::from(table[before.number as usize]) - i32::from(value)).max(*need);
                });
            }
            way = self.next(way);
        }
        for (cost, need) in costs.cost.iter_mut().zip(within) {
            *cost -= need;
        }
        for (lists, needs) in [(&self.come, &come), (&self.go, &go)] {
            for (jumps, needs) in lists.iter().zip(needs.chunks(base)) {
                for (code, need) in needs.iter().enumerate() {
                    for at in jumps {
                        costs.cost[code * costs.stride + at] -= need;
                    }
                }
            }
        }
        debug_assert!(costs.cost.iter().all(|&cost| cost >= 0), "no more is taken than there is");
    }

    /// The way with the next number.
    fn next(&self, mut way: Way) -> Way {
        for (i, &step) in self.step.iter().enumerate() {
            let code = way.code(i);
            if code + 1 < self.stock.len() {
                return way.without(i, code, step).with(i, code + 1, step);
            }
            way = way.without(i, code, step);
        }
        way
    }
}

impl Way {
    /// The code on a square.
    #[inline]
    fn code(self, i: usize) -> usize {
        (self.codes >> (4 * i) & 15) as usize
    }

    /// With a code on an empty square.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a code is less than 16")]
    fn with(self, i: usize, code: usize, step: u32) -> Self {
        let number = self.number + code as u32 * step;
        Self { number, codes: self.codes | (code as u64) << (4 * i) }
    }

    /// Without the code on a square.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a code is less than 16")]
    fn without(self, i: usize, code: usize, step: u32) -> Self {
        let number = self.number - code as u32 * step;
        Self { number, codes: self.codes & !(15 << (4 * i)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;
    use crate::swap::encoding::Encoding;
    use crate::swap::moves::{Direction, MoveGenerator, Tables};
    use destrier_rules::{Board, Goal, SwapProblem, SwapRules, Wrap};

    /// A random puzzle with these letters, on a board with a few holes.
    fn puzzle(files: u32, ranks: u32, letters: &str, random: &mut Random) -> SwapProblem {
        let wraps = [Wrap::None, Wrap::None, Wrap::Files, Wrap::Both];
        let board = Board::new(files, ranks).unwrap().wrapped(wraps[random.below(4)]);
        let mut squares: Vec<_> = board.squares().collect();
        squares.sort_by_cached_key(|_| random.next());
        let holes = squares.split_off(squares.len() - random.below(2));
        let board = board.without(holes).unwrap();
        let mut placed = || {
            squares.sort_by_cached_key(|_| random.next());
            squares.iter().copied().zip(letters.chars()).collect()
        };
        let (start, knights) = (placed(), placed());
        let goal = Goal { knights, any: [].into() };
        SwapProblem { board, start, goal, rules: SwapRules::default() }
    }

    #[test]
    fn tables_never_promise_too_much_and_see_more_than_matchings() {
        let mut random = Random::new(17);
        let (mut gained, mut seen) = (0, 0);
        for (files, ranks, letters) in [
            (3, 3, "nnNN"),
            (3, 4, "nnnNNN"),
            (3, 4, "nnnnNNNN"),
            (4, 4, "nnNN"),
            (3, 3, "nnnNNbb"),
            (3, 4, "nNNbb"),
            (5, 2, "nnnNNN"),
            (3, 3, "nnnnNNNN"),
        ] {
            for _ in 0..8 {
                let problem = puzzle(files, ranks, letters, &mut random);
                let Ok(encoding) = Encoding::new(&problem, "test") else { continue };
                let instance = &encoding.instance;
                let truth = instance.all_distances();
                for most in [9, 100, 2_000, 20_000] {
                    let Some(conflicts) = Conflicts::of(instance, most, &[], INFINITE) else {
                        continue;
                    };
                    seen += 1;
                    let mut plain = MoveGenerator::<u64>::new(instance, 1 << 20).unwrap();
                    let tables = Tables { patterns: None, conflicts: Some(conflicts) };
                    let mut strong = plain.clone().with_tables(tables);
                    let mut children = Vec::new();
                    for (codes, &distance) in &truth {
                        let key = plain.layout.pack(codes);
                        let value = strong.value(key);
                        assert!(value <= distance, "{problem:?}: {value} of {distance}");
                        gained += u64::from(value > plain.value(key));
                        strong.expand(key, Direction::Forward, &mut children);
                        for child in &children {
                            assert!(child.value.abs_diff(value) <= 1, "{problem:?}");
                            assert_eq!(child.value, strong.value(child.key), "{problem:?}");
                        }
                    }
                }
            }
        }
        assert!(seen >= 100, "{seen} sets of tables");
        assert!(gained >= 50_000, "{gained} positions whose bound is higher");
    }
}
