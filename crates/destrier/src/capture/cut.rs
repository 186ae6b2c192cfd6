//! Inequalities that every round trip keeps and a fractional one may break.
//!
//! All are sums of set crossings: a trip crosses the border of any set of nodes at least twice
//! (subtour), and a handle with an odd number of teeth at least `3t + 1` times in all (comb; a
//! blossom where the teeth are edges). One form serves the program, the proof and its checker.
//!
//! Invariant: a cut holds for every round trip, whatever found it.
//! Cost: a few passes over the fractional edges for each search.
//! After: Nagamochi and Ibaraki (minimum cuts); Padberg and Hong, Grötschel and Holland (combs).

use std::collections::BinaryHeap;

use super::price::Edge;

/// `Σ over sets of x(border) ≥ right`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Cut {
    /// Sorted sets of nodes. One set: a subtour. More: the handle, then its teeth.
    pub(crate) sets: Vec<Vec<u32>>,
    /// How often a trip crosses these borders at least.
    pub(crate) right: u32,
}

impl Cut {
    /// How many of the borders an edge crosses.
    pub(crate) fn crossings(&self, u: u32, v: u32) -> u32 {
        let inside = |set: &[u32], v| set.binary_search(&v).is_ok();
        self.sets.iter().map(|set| u32::from(inside(set, u) != inside(set, v))).sum()
    }

    /// The same for many edges.
    pub(crate) fn all_crossings(&self, nodes: usize, edges: &[Edge]) -> Vec<u8> {
        let mut count = vec![0; edges.len()];
        let mut inside = vec![false; nodes];
        for set in &self.sets {
            for &v in set {
                inside[v as usize] = true;
            }
            for (edge, count) in edges.iter().zip(&mut count) {
                *count += u8::from(inside[edge.u as usize] != inside[edge.v as usize]);
            }
            inside.fill(false);
        }
        count
    }
}

/// An edge of the fractional solution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weight {
    pub(crate) u: u32,
    pub(crate) v: u32,
    pub(crate) x: f64,
}

const SLACK: f64 = 1e-5;

/// How much the fractional solution falls short of a cut.
pub(crate) fn shortfall(cut: &Cut, nodes: usize, support: &[Weight]) -> f64 {
    let mut inside = vec![false; nodes];
    let mut crossing = 0.0;
    for set in &cut.sets {
        for &v in set {
            inside[v as usize] = true;
        }
        for edge in support {
            if inside[edge.u as usize] != inside[edge.v as usize] {
                crossing += edge.x;
            }
        }
        for &v in set {
            inside[v as usize] = false;
        }
    }
    f64::from(cut.right) - crossing
}

/// Disjoint groups of nodes.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    pub(crate) fn new(nodes: usize) -> Groups {
        Groups { parent: (0..nodes as u32).collect() }
    }

    pub(crate) fn find(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = up;
            v = up;
        }
        v
    }

    pub(crate) fn join(&mut self, u: u32, v: u32) -> bool {
        let (u, v) = (self.find(u), self.find(v));
        self.parent[u as usize] = v;
        u != v
    }

    /// The members of each group, by its root.
    pub(crate) fn members(&mut self) -> Vec<Vec<u32>> {
        let nodes = self.parent.len();
        let mut lists = vec![Vec::new(); nodes];
        for v in 0..nodes as u32 {
            let root = self.find(v);
            lists[root as usize].push(v);
        }
        lists.retain(|list| !list.is_empty());
        lists
    }
}

/// The smaller side of a set, sorted.
fn smaller(mut set: Vec<u32>, nodes: usize) -> Vec<u32> {
    set.sort_unstable();
    if 2 * set.len() > nodes {
        let mut inside = vec![false; nodes];
        for &v in &set {
            inside[v as usize] = true;
        }
        return (0..nodes as u32).filter(|&v| !inside[v as usize]).collect();
    }
    set
}

/// Sets whose border is crossed less than twice.
pub(crate) fn subtours(nodes: usize, support: &[Weight]) -> Vec<Cut> {
    let mut groups = Groups::new(nodes);
    for edge in support {
        groups.join(edge.u, edge.v);
    }
    let parts = groups.members();
    if parts.len() > 1 {
        return parts
            .into_iter()
            .map(|set| Cut { sets: vec![smaller(set, nodes)], right: 2 })
            .collect();
    }
    let mut cuts = Vec::new();
    let mut groups = Groups::new(nodes);
    for edge in support {
        if edge.x > 1.0 - 1e-9 {
            groups.join(edge.u, edge.v);
        }
    }
    loop {
        let (members, links) = contract(&mut groups, support);
        let count = members.len();
        if count < 2 {
            break;
        }
        // Groups whose own border is too thin.
        for (g, list) in links.iter().enumerate() {
            let border: f64 = list.iter().map(|&(_, x)| x).sum();
            if border < 2.0 - SLACK && members[g].len() < nodes {
                cuts.push(Cut { sets: vec![smaller(members[g].clone(), nodes)], right: 2 });
            }
        }
        if count == 2 {
            break;
        }
        // A maximum-adjacency order; what is attached by two or more is never cut apart.
        let mut joined = 0;
        let mut attached = vec![0.0f64; count];
        let mut done = vec![false; count];
        let mut heap = BinaryHeap::new();
        heap.push((Key(0.0), 0usize));
        let (mut last, mut before) = (0, 0);
        while let Some((Key(at), g)) = heap.pop() {
            if done[g] || at < attached[g] {
                continue;
            }
            done[g] = true;
            before = last;
            last = g;
            for &(h, x) in &links[g] {
                if !done[h] {
                    attached[h] += x;
                    if attached[h] >= 2.0 - 1e-9 && groups.join(members[g][0], members[h][0]) {
                        joined += 1;
                    }
                    heap.push((Key(attached[h]), h));
                }
            }
        }
        if joined == 0 {
            groups.join(members[last][0], members[before][0]);
        }
    }
    cuts.sort_by(|a, b| a.sets.cmp(&b.sets));
    cuts.dedup();
    cuts
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Key(f64);
impl Eq for Key {}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

type Links = Vec<Vec<(usize, f64)>>;

/// The graph with each group shrunk to a node: the members of each, and its links.
pub(crate) fn contract(groups: &mut Groups, support: &[Weight]) -> (Vec<Vec<u32>>, Links) {
    let members = groups.members();
    let nodes: usize = members.iter().map(Vec::len).sum();
    let mut index = vec![0; nodes];
    for (g, list) in members.iter().enumerate() {
        for &v in list {
            index[v as usize] = g;
        }
    }
    let mut links: Links = vec![Vec::new(); members.len()];
    for edge in support {
        let (a, b) = (index[edge.u as usize], index[edge.v as usize]);
        if a != b {
            links[a].push((b, edge.x));
            links[b].push((a, edge.x));
        }
    }
    for list in &mut links {
        list.sort_unstable_by_key(|&(to, _)| to);
        list.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }
    (members, links)
}

/// Combs whose handle is a part of the fractional graph, with edges (or shrunk edges) as teeth.
pub(crate) fn combs(nodes: usize, support: &[Weight]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for shrink in 0..3 {
        let mut groups = Groups::new(nodes);
        if shrink > 0 {
            shrink_paths(&mut groups, support, shrink == 2);
        }
        let (members, links) = contract(&mut groups, support);
        for threshold in [1e-6, 0.12, 0.24, 0.34] {
            odd_parts(&members, &links, threshold, &mut cuts);
        }
    }
    cuts.sort_by(|a, b| a.sets.cmp(&b.sets));
    cuts.dedup();
    cuts.retain(|cut| shortfall(cut, nodes, support) > 1e-3);
    cuts
}

/// Shrinks tight sets: paths of full edges (all but one end, or whole).
fn shrink_paths(groups: &mut Groups, support: &[Weight], whole: bool) {
    let nodes = groups.parent.len();
    let mut full = vec![0u8; nodes];
    for edge in support {
        if edge.x > 1.0 - 1e-6 {
            full[edge.u as usize] += 1;
            full[edge.v as usize] += 1;
        }
    }
    for edge in support {
        if edge.x > 1.0 - 1e-6 {
            let inner = full[edge.u as usize] == 2 && full[edge.v as usize] == 2;
            if whole || inner {
                groups.join(edge.u, edge.v);
            }
        }
    }
    // Pairs and triangles of groups that form tight sets.
    for _ in 0..8 {
        let (members, links) = contract(groups, support);
        let mut joined = false;
        for g in 0..members.len() {
            for &(h, x) in &links[g] {
                if h <= g {
                    continue;
                }
                // Three tight groups with two full edges' worth between them are tight together.
                for &(k, y) in &links[h] {
                    if k <= h {
                        continue;
                    }
                    if let Some(&(_, z)) = links[g].iter().find(|&&(t, _)| t == k)
                        && x + y + z > 2.0 - 1e-6
                    {
                        joined |= groups.join(members[g][0], members[h][0]);
                        joined |= groups.join(members[h][0], members[k][0]);
                    }
                }
            }
        }
        if !joined {
            break;
        }
    }
}

/// Parts of the graph of edges strictly between `threshold` and `1 − threshold` as handles.
fn odd_parts(members: &[Vec<u32>], links: &Links, threshold: f64, cuts: &mut Vec<Cut>) {
    let count = members.len();
    let mut parts = Groups::new(count);
    for (g, list) in links.iter().enumerate() {
        for &(h, x) in list {
            if g < h && x > threshold && x < 1.0 - threshold {
                parts.join(g as u32, h as u32);
            }
        }
    }
    for part in parts.members() {
        if part.len() < 2 || part.len() + 2 > count {
            continue;
        }
        let mut inside = vec![false; count];
        for &g in &part {
            inside[g as usize] = true;
        }
        // Full edges out of the handle, by their outer end.
        let mut teeth: Vec<(usize, usize, f64)> = Vec::new();
        let mut loose: Vec<(usize, usize, f64)> = Vec::new();
        for &g in &part {
            for &(h, x) in &links[g as usize] {
                if !inside[h] {
                    if x >= 1.0 - threshold {
                        teeth.push((h, g as usize, x));
                    } else {
                        loose.push((h, g as usize, x));
                    }
                }
            }
        }
        if teeth.len().is_multiple_of(2) {
            // Take or drop the edge that costs least.
            let drop = teeth.iter().enumerate().min_by(|a, b| a.1.2.total_cmp(&b.1.2));
            let take = loose.iter().max_by(|a, b| a.2.total_cmp(&b.2));
            match (drop, take) {
                (Some((k, d)), t) if t.is_none_or(|t| d.2 - 0.5 <= 0.5 - t.2) => {
                    teeth.remove(k);
                }
                (_, Some(&t)) => teeth.push(t),
                _ => continue,
            }
        }
        // Two teeth that meet outside go into the handle with their outer end.
        teeth.sort_unstable_by_key(|&(outer, ..)| outer);
        let mut kept: Vec<(usize, usize, f64)> = Vec::new();
        for tooth in teeth {
            if kept.last().is_some_and(|last| last.0 == tooth.0) {
                kept.pop();
                inside[tooth.0] = true;
            } else {
                kept.push(tooth);
            }
        }
        kept.retain(|tooth| !inside[tooth.0]);
        // Teeth that share their inner end overlap: keep the fuller.
        kept.sort_by(|a, b| (a.1, b.2).partial_cmp(&(b.1, a.2)).expect("finite"));
        kept.dedup_by_key(|tooth| tooth.1);
        if kept.len() < 3 || kept.len().is_multiple_of(2) {
            continue;
        }
        let mut handle: Vec<u32> =
            (0..count).filter(|&g| inside[g]).flat_map(|g| members[g].iter().copied()).collect();
        handle.sort_unstable();
        let mut sets = vec![handle];
        for &(outer, inner, _) in &kept {
            let mut tooth: Vec<u32> =
                members[outer].iter().chain(&members[inner]).copied().collect();
            tooth.sort_unstable();
            sets.push(tooth);
        }
        let right = 3 * kept.len() as u32 + 1;
        cuts.push(Cut { sets, right });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;

    /// Two similar sets of cycles over all nodes, half of each: every node has degree two.
    fn halves(nodes: usize, random: &mut Random) -> Vec<Weight> {
        let mut support: Vec<Weight> = Vec::new();
        let mut order: Vec<u32> = (0..nodes as u32).collect();
        for _ in 0..2 {
            let (a, b) = (random.below(nodes), random.below(nodes));
            order[a.min(b)..=a.max(b)].reverse();
            order.swap(random.below(nodes), random.below(nodes));
            let cut = 3 + random.below(nodes - 5);
            let cycles = if random.below(2) == 0 { vec![nodes] } else { vec![cut, nodes - cut] };
            let mut first = 0;
            for size in cycles {
                for k in 0..size {
                    let (a, b) = (order[first + k], order[first + (k + 1) % size]);
                    let (u, v) = (a.min(b), a.max(b));
                    match support.iter_mut().find(|edge| (edge.u, edge.v) == (u, v)) {
                        Some(edge) => edge.x += 0.5,
                        None => support.push(Weight { u, v, x: 0.5 }),
                    }
                }
                first += size;
            }
        }
        support
    }

    #[test]
    fn a_broken_subtour_is_found_exactly_when_there_is_one() {
        let mut random = Random::new(11);
        let nodes = 10;
        let mut broken = 0;
        for _ in 0..300 {
            let support = halves(nodes, &mut random);
            let crossing = |set: usize| -> f64 {
                let out = |e: &&Weight| (set >> e.u & 1) != (set >> e.v & 1);
                support.iter().filter(out).map(|e| e.x).sum()
            };
            let least = (1..(1 << nodes) - 1).map(crossing).fold(f64::INFINITY, f64::min);
            let found = subtours(nodes, &support);
            assert_eq!(found.is_empty(), least > 2.0 - SLACK, "least {least}");
            broken += usize::from(!found.is_empty());
            for cut in found {
                assert!(shortfall(&cut, nodes, &support) > SLACK / 2.0);
            }
        }
        assert!((30..270).contains(&broken), "both cases occur: {broken}");
    }

    #[test]
    fn no_comb_forbids_a_round_trip() {
        let mut random = Random::new(12);
        let nodes = 12;
        let mut seen = 0;
        for _ in 0..5000 {
            let support = halves(nodes, &mut random);
            for cut in combs(nodes, &support) {
                seen += 1;
                for _ in 0..200 {
                    let mut order: Vec<u32> = (0..nodes as u32).collect();
                    for k in (1..nodes).rev() {
                        order.swap(k, random.below(k + 1));
                    }
                    let crossed: u32 =
                        (0..nodes).map(|k| cut.crossings(order[k], order[(k + 1) % nodes])).sum();
                    assert!(crossed >= cut.right, "{cut:?} forbids {order:?}");
                }
            }
        }
        assert!(seen > 15, "combs occur: {seen}");
    }
}
