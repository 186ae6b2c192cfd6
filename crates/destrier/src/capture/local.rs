//! Good plans quickly: iterated local search with exchanges of up to five edges.
//!
//! A dummy stop, the rest, between the end of a plan and its start makes it a round trip. From a stop, edges are removed
//! and added in turn while the gain stays positive; each such chain is only evaluated, and carried
//! out when it closes to a shorter round trip. A kick swaps two neighbouring segments; one that makes
//! the plan longer is undone.
//!
//! Invariant: `order[position[v]] == v`; the edge between start and rest is never removed.
//! Cost: a few microseconds per kick; memory linear in the stops, besides the distances.
//! Source: Lin and Kernighan (1973); Helsgaun (2000, 2009); Martin, Otto and Felten (1991).

use super::metric::Metric;
use crate::run::random::Random;
use crate::run::watch::{Halt, Ticker};

/// The most edges that are exchanged at once, and how many candidates are tried for each that is added.
const DEPTH: usize = 5;
const BREADTH: [usize; DEPTH] = [5, 5, 3, 2, 1];
/// The edge between start and rest costs so little that removing it never gains.
const FIXED: i32 = -1_000_000;
/// A kick changes the plan within so many stops.
const SPAN: usize = 30;

/// A round trip under improvement.
#[derive(Debug, Clone)]
pub(crate) struct Search<'m> {
    metric: &'m Metric,
    rest: u32,
    near: Vec<Vec<u32>>,
    order: Vec<u32>,
    position: Vec<u32>,
    /// Positions that were changed since the last kick, and what was there before.
    journal: Vec<(u32, u32)>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    moved: Vec<u32>,
    length: i32,
    random: Random,
}

/// The ends of edges in turn: removed from the first to the second, added from the second to the third,
/// and so on; the last is joined with the first.
type Chain = [u32; 2 * DEPTH];

/// A part of the round trip between two removed edges: positions, and whether it is reversed.
#[derive(Debug, Clone, Copy, Default)]
struct Segment {
    first: usize,
    size: usize,
    reversed: bool,
}

impl<'m> Search<'m> {
    /// Starts from an order of all stops; `near` has the candidate neighbours of each stop.
    pub(crate) fn new(
        metric: &'m Metric,
        plan: &[usize],
        mut near: Vec<Vec<u32>>,
        seed: u64,
    ) -> Self {
        let rest = metric.stops() as u32;
        for list in &mut near {
            list.insert(0, rest);
        }
        // Whatever an edge from the rest could gain is found from its other end.
        near.push(Vec::new());
        let mut order: Vec<u32> = plan.iter().map(|&stop| stop as u32).collect();
        order.push(rest);
        let mut position = vec![0; order.len()];
        for (at, &stop) in (0..).zip(&order) {
            position[stop as usize] = at;
        }
        Search {
            metric,
            rest,
            near,
            position,
            journal: Vec::new(),
            queue: (0..=rest).rev().collect(),
            queued: vec![true; order.len()],
            moved: Vec::new(),
            length: metric.length(plan) as i32,
            random: Random::new(seed),
            order,
        }
    }

    /// The stops in order, from the start.
    pub(crate) fn plan(&self) -> Vec<usize> {
        let n = self.order.len();
        let home = self.position[0] as usize;
        let ahead = self.order[(home + 1) % n] != self.rest;
        (0..n - 1)
            .map(|k| self.order[if ahead { (home + k) % n } else { (home + n - k) % n }] as usize)
            .collect()
    }

    /// The moves that the plan takes.
    pub(crate) fn length(&self) -> u32 {
        u32::try_from(self.length).expect("a length is not negative")
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
        for _ in 0..kicks {
            if self.length() <= goal {
                break;
            }
            ticker.tick()?;
            self.journal.clear();
            let before = self.length;
            self.kick();
            self.optimise();
            if self.length > before {
                self.undo();
                self.length = before;
            }
        }
        Ok(())
    }

    #[inline]
    fn cost(&self, a: u32, b: u32) -> i32 {
        if a.max(b) == self.rest {
            if a.min(b) == 0 { FIXED } else { 0 }
        } else {
            self.metric.distance(a as usize, b as usize) as i32
        }
    }

    #[inline]
    fn after(&self, stop: u32) -> u32 {
        let at = self.position[stop as usize] as usize + 1;
        self.order[if at == self.order.len() { 0 } else { at }]
    }

    #[inline]
    fn before(&self, stop: u32) -> u32 {
        let at = self.position[stop as usize] as usize;
        self.order[if at == 0 { self.order.len() } else { at } - 1]
    }

    fn undo(&mut self) {
        while let Some((at, stop)) = self.journal.pop() {
            self.order[at as usize] = stop;
            self.position[stop as usize] = at;
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

    /// Makes the plan shorter by a chain that begins at a stop, if one is found.
    fn improve(&mut self, base: u32) -> bool {
        let mut chain = [base; 2 * DEPTH];
        for next in [self.after(base), self.before(base)] {
            chain[1] = next;
            let gain = self.cost(base, next);
            if gain > 0 && self.extend(&mut chain, 1, gain) {
                return true;
            }
        }
        false
    }

    /// Tries all ways to continue a chain that has removed `count` edges and gained this much.
    fn extend(&mut self, chain: &mut Chain, count: usize, gain: i32) -> bool {
        let (base, last) = (chain[0], chain[2 * count - 1]);
        for k in 0..self.near[last as usize].len().min(BREADTH[count - 1]) {
            let to = self.near[last as usize][k];
            let left = gain - self.cost(last, to);
            if left <= 0 {
                break;
            }
            let sides = [self.after(to), self.before(to)];
            if sides.contains(&last) {
                continue;
            }
            for end in sides {
                let removed = self.cost(to, end);
                let is_removed = |edge: &[u32]| edge == [to, end] || edge == [end, to];
                if removed < 0 || chain[..2 * count].chunks(2).any(is_removed) {
                    continue;
                }
                (chain[2 * count], chain[2 * count + 1]) = (to, end);
                let won = left + removed - self.cost(end, base);
                if won > 0 && end != base && self.exchange(&chain[..2 * count + 2]) {
                    self.length -= won;
                    return true;
                }
                if count + 1 < DEPTH && self.extend(chain, count + 1, left + removed) {
                    return true;
                }
            }
        }
        false
    }

    /// Carries out an exchange of edges, if it leaves one round trip.
    fn exchange(&mut self, chain: &[u32]) -> bool {
        let (n, count) = (self.order.len(), chain.len() / 2);
        // The removed edges by the position of their first end, with both ends as places in the chain.
        let mut cuts = [(0usize, 0usize, 0usize); DEPTH];
        for (k, cut) in cuts[..count].iter_mut().enumerate() {
            let at = self.position[chain[2 * k] as usize] as usize;
            let next = self.position[chain[2 * k + 1] as usize] as usize;
            let is_ahead = next == if at + 1 == n { 0 } else { at + 1 };
            *cut = if is_ahead { (at, 2 * k, 2 * k + 1) } else { (next, 2 * k + 1, 2 * k) };
        }
        let cuts = &mut cuts[..count];
        cuts.sort_unstable();
        // Segment `s` ends with cut `s`, and begins after the one before it.
        let mut segment_at = [(0usize, false); 2 * DEPTH];
        for (s, &(_, end, begin)) in cuts.iter().enumerate() {
            segment_at[end] = (s, true);
            segment_at[begin] = ((s + 1) % count, false);
        }
        let mut tour = [Segment::default(); DEPTH];
        let (mut at, mut reversed) = (0, false);
        for (k, segment) in tour[..count].iter_mut().enumerate() {
            if k > 0 && at == 0 {
                return false;
            }
            let before = cuts[(at + count - 1) % count];
            let first = if before.0 + 1 == n { 0 } else { before.0 + 1 };
            let size = (cuts[at].0 + n - before.0 - 1) % n + 1;
            *segment = Segment { first, size, reversed };
            // The added edge at the end of the segment: the first of a chain is joined with the last.
            let out = if reversed { before.2 } else { cuts[at].1 };
            let joined = if out % 2 == 1 {
                (out + 1) % chain.len()
            } else {
                (out + chain.len() - 1) % chain.len()
            };
            (at, reversed) = segment_at[joined];
        }
        if at != 0 || reversed {
            return false;
        }
        self.arrange(&mut tour[..count]);
        for &stop in chain {
            self.enqueue(stop);
        }
        true
    }

    /// Puts the segments into this order. The longest stays in place.
    fn arrange(&mut self, tour: &mut [Segment]) {
        let n = self.order.len();
        let longest = (0..tour.len()).max_by_key(|&k| tour[k].size).expect("there are segments");
        if tour[longest].reversed {
            tour.reverse();
            for segment in tour.iter_mut() {
                segment.reversed = !segment.reversed;
            }
            tour.rotate_left(tour.len() - 1 - longest);
        } else {
            tour.rotate_left(longest);
        }
        self.moved.clear();
        for &Segment { first, size, reversed } in &tour[1..] {
            let wrap = |at: usize| if at >= n { at - n } else { at };
            if reversed {
                self.moved.extend((0..size).rev().map(|k| self.order[wrap(first + k)]));
            } else {
                self.moved.extend((0..size).map(|k| self.order[wrap(first + k)]));
            }
        }
        let mut at = (tour[0].first + tour[0].size) % n;
        for &stop in &self.moved {
            let before = std::mem::replace(&mut self.order[at], stop);
            if before != stop {
                self.journal.push((at as u32, before));
                self.position[stop as usize] = at as u32;
            }
            at = if at + 1 == n { 0 } else { at + 1 };
        }
    }

    /// Swaps two neighbouring segments of random lengths (a local double bridge).
    fn kick(&mut self) {
        let n = self.order.len();
        let span = (n - 2).min(SPAN);
        let at = self.random.below(n);
        let first = 1 + self.random.below(span / 2);
        let both = first + 1 + self.random.below(span / 2);
        let stop = |k: usize| self.order[(at + k) % n];
        let chain = [stop(0), stop(1), stop(both), stop(both + 1), stop(first), stop(first + 1)];
        let removed = [(0, 1), (2, 3), (4, 5)].map(|(a, b)| self.cost(chain[a], chain[b]));
        if removed.iter().any(|&cost| cost < 0) {
            return;
        }
        let added = [(1, 2), (3, 4), (5, 0)].map(|(a, b)| self.cost(chain[a], chain[b]));
        self.length += added.iter().sum::<i32>() - removed.iter().sum::<i32>();
        let is_done = self.exchange(&chain);
        debug_assert!(is_done, "swapped segments are a round trip");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::watch::Watch;

    /// A symmetric table of small random distances, at most three times as long as the shortest.
    fn random_metric(stops: usize, random: &mut Random) -> Metric {
        let mut table = vec![0; stops * stops];
        for u in 0..stops {
            for v in 0..u {
                let distance = 2 + random.below(5) as u16;
                (table[u * stops + v], table[v * stops + u]) = (distance, distance);
            }
        }
        Metric::new(stops, table)
    }

    /// The shortest plan that begins like this one, by trying all.
    fn shortest(metric: &Metric, plan: &mut Vec<usize>) -> u32 {
        if plan.len() == metric.stops() {
            return metric.length(plan);
        }
        let mut least = u32::MAX;
        for stop in (1..metric.stops()).filter(|stop| !plan.contains(stop)).collect::<Vec<_>>() {
            plan.push(stop);
            least = least.min(shortest(metric, plan));
            plan.pop();
        }
        least
    }

    #[test]
    fn a_plan_stays_one_never_gets_longer_and_small_ones_become_shortest() {
        let watch = Watch::unlimited();
        let mut random = Random::new(31);
        for case in 0..60 {
            let stops = if case < 40 { 4 + case % 4 } else { 20 + case };
            let metric = random_metric(stops, &mut random);
            let all = |from| (0..stops as u32).filter(move |&to| to != from);
            let mut near: Vec<Vec<u32>> =
                (0..stops as u32).map(|from| all(from).collect()).collect();
            for (from, list) in near.iter_mut().enumerate() {
                list.sort_by_key(|&to| metric.distance(from, to as usize));
                list.truncate(10);
            }
            let plan: Vec<usize> = (0..stops).collect();
            let mut search = Search::new(&metric, &plan, near, case as u64);
            let mut before = metric.length(&plan);
            for _ in 0..20 {
                search.run(20, 0, &mut watch.ticker()).expect("no halt");
                let mut plan = search.plan();
                assert_eq!(metric.length(&plan), search.length(), "{plan:?}");
                assert!(search.length() <= before, "{} after {before}", search.length());
                before = search.length();
                assert_eq!(plan[0], 0);
                plan.sort_unstable();
                assert!(plan.into_iter().eq(0..stops), "a stop is missing");
            }
            if stops < 8 {
                assert_eq!(before, shortest(&metric, &mut vec![0]), "{stops} stops, case {case}");
            }
        }
    }
}
