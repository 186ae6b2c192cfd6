//! Good plans quickly: iterated local search with Lin–Kernighan steps and moved segments.
//!
//! A rest between the end of a plan and its start makes it a round trip. Each chain of steps removes
//! an edge, adds a shorter one, and continues while the total gain is positive; a chain that ends
//! without gain is undone. A kick swaps two neighbouring segments; one that makes the plan longer is
//! undone too. Every change is a reversal, so undoing is reversing again.
//!
//! Invariant: `order[position[v]] == v`; the edge between start and rest is never removed.
//! Cost: some microseconds per kick; memory linear in the stops, besides the distances.
//! Source: Lin and Kernighan (1973); Or (1976); Martin, Otto and Felten (1991).

use super::metric::Metric;
use crate::run::random::Random;
use crate::run::watch::{Halt, Ticker};

const DEPTH: usize = 3;
const BREADTH: [usize; 4] = [5, 5, 3, 1];
/// The edge between start and rest costs so little that removing it never gains.
const FIXED: i32 = -1_000_000;

/// A round trip under improvement.
#[derive(Debug, Clone)]
pub(crate) struct Search<'m> {
    metric: &'m Metric,
    rest: usize,
    near: Vec<Vec<u32>>,
    order: Vec<u32>,
    position: Vec<u32>,
    journal: Vec<(u32, u32)>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    length: i64,
    random: Random,
}

impl<'m> Search<'m> {
    /// Starts from an order of all stops; `near` has the candidate neighbours of each stop.
    pub(crate) fn new(
        metric: &'m Metric,
        plan: &[usize],
        mut near: Vec<Vec<u32>>,
        seed: u64,
    ) -> Self {
        let stops = metric.stops();
        let rest = stops;
        for list in &mut near {
            list.insert(0, rest as u32);
        }
        near.push((0..stops as u32).collect());
        let mut order: Vec<u32> = plan.iter().map(|&stop| stop as u32).collect();
        order.push(rest as u32);
        let mut position = vec![0; stops + 1];
        for (at, &stop) in order.iter().enumerate() {
            position[stop as usize] = at as u32;
        }
        let mut search = Search {
            metric,
            rest,
            near,
            order,
            position,
            journal: Vec::new(),
            queue: (0..=stops as u32).rev().collect(),
            queued: vec![true; stops + 1],
            length: 0,
            random: Random::new(seed),
        };
        search.length = i64::from(metric.length(plan));
        search
    }

    /// The stops in order, from the start.
    pub(crate) fn plan(&self) -> Vec<usize> {
        let n = self.order.len();
        let home = self.position[0] as usize;
        let ahead = self.order[(home + 1) % n] as usize != self.rest;
        (0..n - 1)
            .map(|k| self.order[if ahead { (home + k) % n } else { (home + n - k) % n }] as usize)
            .collect()
    }

    /// Tries `kicks` kicks, or fewer if a plan of length `goal` is found.
    pub(crate) fn run(
        &mut self,
        kicks: usize,
        goal: u32,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Halt> {
        if self.order.len() < 5 {
            return Ok(());
        }
        self.optimise();
        self.journal.clear();
        for _ in 0..kicks {
            if self.length <= i64::from(goal) {
                break;
            }
            ticker.tick()?;
            let before = self.length;
            self.kick();
            self.optimise();
            if self.length > before {
                self.undo_to(0);
                self.length = before;
            }
            self.journal.clear();
        }
        Ok(())
    }

    #[inline]
    fn cost(&self, a: u32, b: u32) -> i32 {
        let (a, b) = (a as usize, b as usize);
        if a.max(b) == self.rest {
            if a.min(b) == 0 { FIXED } else { 0 }
        } else {
            self.metric.distance(a, b) as i32
        }
    }

    #[inline]
    fn after(&self, stop: u32, ahead: bool) -> u32 {
        let at = self.position[stop as usize] as usize;
        let n = self.order.len();
        if ahead {
            self.order[if at + 1 == n { 0 } else { at + 1 }]
        } else {
            self.order[if at == 0 { n - 1 } else { at - 1 }]
        }
    }

    /// Reverses the segment from position `i` forward to position `j`, or the rest of the cycle, which
    /// gives the same round trip, whichever is shorter.
    fn reverse(&mut self, i: usize, j: usize) {
        let n = self.order.len();
        let inner = (j + n - i) % n + 1;
        if 2 * inner <= n {
            self.reverse_exactly(i, j);
        } else {
            self.reverse_exactly((j + 1) % n, (i + n - 1) % n);
        }
    }

    /// Reverses the positions from `i` forward to `j`.
    fn reverse_exactly(&mut self, i: usize, j: usize) {
        self.journal.push((i as u32, j as u32));
        self.swap_ends(i, j);
    }

    fn swap_ends(&mut self, i: usize, j: usize) {
        let n = self.order.len();
        let (mut front, mut back) = (i, j);
        for _ in 0..((j + n - i) % n).div_ceil(2) {
            self.order.swap(front, back);
            self.position[self.order[front] as usize] = front as u32;
            self.position[self.order[back] as usize] = back as u32;
            front = if front + 1 == n { 0 } else { front + 1 };
            back = if back == 0 { n - 1 } else { back - 1 };
        }
    }

    fn undo_to(&mut self, length: usize) {
        while self.journal.len() > length {
            let (i, j) = self.journal.pop().expect("longer than the mark");
            self.swap_ends(i as usize, j as usize);
        }
    }

    fn enqueue(&mut self, stop: u32) {
        if !self.queued[stop as usize] {
            self.queued[stop as usize] = true;
            self.queue.push(stop);
        }
    }

    fn optimise(&mut self) {
        while let Some(stop) = self.queue.pop() {
            self.queued[stop as usize] = false;
            while self.improve(stop) {}
        }
    }

    fn improve(&mut self, base: u32) -> bool {
        for ahead in [true, false] {
            let next = self.after(base, ahead);
            let gain = self.cost(base, next);
            if gain > 0 && self.chain(base, next, gain, ahead, 0) {
                self.enqueue(base);
                return true;
            }
        }
        self.shift_segment(base)
    }

    /// One step of a chain: without the edge `base`–`last`, which need not exist, the gain so far is
    /// `gain`; `last` comes after `base` in the direction `ahead`.
    fn chain(&mut self, base: u32, last: u32, gain: i32, ahead: bool, depth: usize) -> bool {
        let breadth = BREADTH[depth.min(BREADTH.len() - 1)];
        let mut picks = [(i32::MIN, 0u32, 0u32); 5];
        let mut found = 0;
        for k in 0..self.near[last as usize].len() {
            let to = self.near[last as usize][k];
            let left = gain - self.cost(last, to);
            if left <= 0 {
                if to as usize == self.rest || last as usize == self.rest {
                    continue;
                }
                break;
            }
            if to == base {
                continue;
            }
            let end = self.after(to, !ahead);
            if end == last {
                continue;
            }
            let removed = self.cost(to, end);
            if removed < 0 {
                continue;
            }
            let merit = left + removed;
            // Insert into the short list of the best.
            let mut at = found.min(breadth);
            while at > 0 && picks[at - 1].0 < merit {
                if at < breadth {
                    picks[at] = picks[at - 1];
                }
                at -= 1;
            }
            if at < breadth {
                picks[at] = (merit, to, end);
                found = (found + 1).min(breadth);
            }
        }
        for &(merit, to, end) in &picks[..found] {
            let won = merit - self.cost(end, base);
            if won <= 0 && depth + 1 == DEPTH {
                continue;
            }
            let mark = self.journal.len();
            let (i, j) =
                (self.position[last as usize] as usize, self.position[end as usize] as usize);
            if ahead {
                self.reverse(i, j);
            } else {
                self.reverse(j, i);
            }
            // A reversal of the other side reverses the direction.
            let ahead_now = self.after(base, true) == end;
            if won > 0 || self.chain(base, end, merit, ahead_now, depth + 1) {
                self.length -= i64::from(won.max(0));
                for stop in [last, to, end] {
                    self.enqueue(stop);
                }
                return true;
            }
            self.undo_to(mark);
        }
        false
    }

    /// Moves a segment of up to three stops that begins at `base` to between two neighbours.
    fn shift_segment(&mut self, base: u32) -> bool {
        for ahead in [true, false] {
            let mut far = base;
            for size in 1..=3usize {
                if size > 1 {
                    far = self.after(far, ahead);
                }
                if self.order.len() < size + 3 {
                    break;
                }
                if self.insert_elsewhere(base, far, ahead) {
                    return true;
                }
            }
        }
        false
    }

    /// Moves the segment from `base` to `far` next to a candidate of `base`, if that gains.
    fn insert_elsewhere(&mut self, base: u32, far: u32, ahead: bool) -> bool {
        let before = self.after(base, !ahead);
        let behind = self.after(far, ahead);
        let out = self.cost(before, base) + self.cost(far, behind) - self.cost(before, behind);
        if out <= 0 {
            return false;
        }
        for k in 0..self.near[base as usize].len() {
            let to = self.near[base as usize][k];
            let first = self.cost(base, to);
            if first >= out {
                if to as usize == self.rest || base as usize == self.rest {
                    continue;
                }
                break;
            }
            if self.inside(base, far, to, ahead) {
                continue;
            }
            for side in [true, false] {
                let other = self.after(to, side);
                if self.inside(base, far, other, ahead) || self.cost(to, other) < 0 {
                    continue;
                }
                let gain = out - first - self.cost(far, other) + self.cost(to, other);
                if gain > 0 {
                    self.splice(base, far, to, other, ahead);
                    self.length -= i64::from(gain);
                    for stop in [base, far, to, other, before, behind] {
                        self.enqueue(stop);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Is `stop` on the segment from `base` to `far`?
    fn inside(&self, base: u32, far: u32, stop: u32, ahead: bool) -> bool {
        let n = self.order.len();
        let (from, to) = if ahead { (base, far) } else { (far, base) };
        let from = self.position[from as usize] as usize;
        let span = (self.position[to as usize] as usize + n - from) % n;
        (self.position[stop as usize] as usize + n - from) % n <= span
    }

    /// Puts the segment `base`..`far` between the neighbours `to` and `other`, `base` next to `to`.
    fn splice(&mut self, base: u32, far: u32, to: u32, other: u32, ahead: bool) {
        let n = self.order.len();
        let (first, last) = if ahead { (base, far) } else { (far, base) };
        let i = self.position[first as usize] as usize;
        let j = self.position[last as usize] as usize;
        let gap = |from: usize, to: usize| (to + n - from) % n;
        // The neighbour that comes first going forward from the segment.
        let near_end = if gap(j, self.position[to as usize] as usize)
            < gap(j, self.position[other as usize] as usize)
        {
            to
        } else {
            other
        };
        let forward = gap(j, self.position[near_end as usize] as usize);
        let far_end = if near_end == to { other } else { to };
        if forward <= n / 2 {
            // segment, between → between, segment
            let k = self.position[near_end as usize] as usize;
            let size = gap(i, j) + 1;
            self.reverse_exactly((j + 1) % n, k);
            self.reverse_exactly(i, k);
            // Now `between` is as it was, and the segment, reversed, comes before `far_end`.
            let start = (i + forward) % n;
            if self.order[(start + size - 1) % n] != (if far_end == to { base } else { far }) {
                self.reverse_exactly(start, (start + size - 1) % n);
            }
        } else {
            let k = self.position[far_end as usize] as usize;
            let size = gap(i, j) + 1;
            self.reverse_exactly(k, (i + n - 1) % n);
            self.reverse_exactly(k, j);
            if self.order[k] != (if near_end == to { base } else { far }) {
                self.reverse_exactly(k, (k + size - 1) % n);
            }
        }
    }

    /// Swaps two neighbouring segments of random lengths (a local double bridge).
    fn kick(&mut self) {
        let n = self.order.len();
        let span = (n - 2).min(50);
        let at = self.random.below(n);
        let first = 1 + self.random.below(span / 2);
        let both = first + 1 + self.random.below(span / 2);
        let stop = |k: usize| self.order[(at + k) % n];
        let out =
            [[stop(0), stop(1)], [stop(first), stop(first + 1)], [stop(both), stop(both + 1)]];
        if out.iter().any(|&[from, to]| self.cost(from, to) < 0) {
            return;
        }
        let into = [[out[0][0], out[1][1]], [out[2][0], out[0][1]], [out[1][0], out[2][1]]];
        let sum = |edges: &[[u32; 2]]| edges.iter().map(|e| self.cost(e[0], e[1])).sum::<i32>();
        let change = sum(&into) - sum(&out);
        let begin = (at + 1) % n;
        let second = both - first;
        self.reverse_exactly(begin, (at + both) % n);
        self.reverse_exactly(begin, (at + second) % n);
        self.reverse_exactly((at + second + 1) % n, (at + both) % n);
        self.length += i64::from(change);
        for stop in out.into_iter().flatten() {
            self.enqueue(stop);
        }
    }
}
