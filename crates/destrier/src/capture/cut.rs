//! Cuts: inequalities that every round trip satisfies and a fractional solution may violate.
//!
//! All are sums of border crossings: a round trip crosses the border of any set of nodes at least twice
//! (subtour), and those of a handle and its `t` teeth, `t` odd, at least `3t + 1` times in all (comb; a
//! blossom where the teeth are edges), those of weighted unions of a few sets as often as a shortest tour of these
//! (local cut). One form serves the linear program, the proof and its checker.
//!
//! Invariant: a cut holds for every round trip, however it was found.
//! Cost: a few passes over the fractional edges for each separation.
//! Source: Nagamochi and Ibaraki (minimum cuts).

use std::collections::BinaryHeap;

use super::pricing::Edge;

/// What is known about the sets of a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Family {
    /// There is one.
    Subtour,
    /// The handle, then its teeth.
    Comb,
    /// Unions of a few atoms; one that counts twice is there twice.
    Local,
}

/// `Σ over sets of x(border) ≥ right`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Cut {
    pub(crate) family: Family,
    /// Sorted sets of nodes.
    pub(crate) sets: Vec<Vec<u32>>,
    /// How often a round trip crosses these borders at least.
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

/// An edge of the fractional solution, and its value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FractionalEdge {
    pub(crate) u: u32,
    pub(crate) v: u32,
    pub(crate) x: f64,
}

/// Smaller violations do not count.
const TOLERANCE: f64 = 1e-5;

/// Disjoint sets of nodes (union-find).
#[derive(Debug, Clone)]
pub(crate) struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    pub(crate) fn new(nodes: usize) -> DisjointSets {
        DisjointSets { parent: (0..nodes as u32).collect() }
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

    /// The members of each set, by its root.
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

/// Subtour cuts: sets whose border is crossed less than twice.
pub(crate) fn subtours(nodes: usize, support: &[FractionalEdge]) -> Vec<Cut> {
    let subtour =
        |set: Vec<u32>| Cut { family: Family::Subtour, sets: vec![smaller(set, nodes)], right: 2 };
    let mut components = DisjointSets::new(nodes);
    for edge in support {
        components.join(edge.u, edge.v);
    }
    let components = components.members();
    if components.len() > 1 {
        return components.into_iter().map(subtour).collect();
    }
    let mut cuts = Vec::new();
    let mut contracted = DisjointSets::new(nodes);
    for edge in support {
        if edge.x > 1.0 - 1e-9 {
            contracted.join(edge.u, edge.v);
        }
    }
    loop {
        let (members, links) = contract(&mut contracted, support);
        if members.len() < 2 {
            break;
        }
        // Single nodes of the contracted graph whose border is crossed less than twice.
        for (set, list) in members.iter().zip(&links) {
            let border: f64 = list.iter().map(|&(_, x)| x).sum();
            if border < 2.0 - TOLERANCE && set.len() < nodes {
                cuts.push(subtour(set.clone()));
            }
        }
        if members.len() == 2 {
            break;
        }
        contract_attached(&mut contracted, &members, &links);
    }
    cuts.sort_by(|a, b| a.sets.cmp(&b.sets));
    cuts.dedup();
    cuts
}

/// Contracts nodes that no violated cut separates: in a maximum-adjacency order, those attached by two or
/// more, or else the last two, whose cut is then known.
fn contract_attached(contracted: &mut DisjointSets, members: &[Vec<u32>], links: &Links) {
    let mut has_joined = false;
    let mut attached = vec![0.0f64; members.len()];
    let mut done = vec![false; members.len()];
    let mut heap = BinaryHeap::from([(Key(0.0), 0usize)]);
    let (mut last, mut before) = (0, 0);
    while let Some((Key(at), g)) = heap.pop() {
        if done[g] || at < attached[g] {
            continue;
        }
        done[g] = true;
        before = last;
        last = g;
        for &(h, x) in links[g].iter().filter(|&&(h, _)| !done[h]) {
            attached[h] += x;
            if attached[h] >= 2.0 - 1e-9 {
                has_joined |= contracted.join(members[g][0], members[h][0]);
            }
            heap.push((Key(attached[h]), h));
        }
    }
    if !has_joined {
        contracted.join(members[last][0], members[before][0]);
    }
}

/// A number in the total order of floating point.
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

pub(crate) type Links = Vec<Vec<(usize, f64)>>;

/// The graph with each set contracted to a node: the members of each, and its links.
pub(crate) fn contract(
    contracted: &mut DisjointSets,
    support: &[FractionalEdge],
) -> (Vec<Vec<u32>>, Links) {
    let members = contracted.members();
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::run::random::Random;

    /// By how much the fractional solution violates a cut.
    pub(in super::super) fn violation(cut: &Cut, nodes: usize, support: &[FractionalEdge]) -> f64 {
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

    /// The mean of two similar sets of cycles over all nodes: every node has degree two.
    pub(in super::super) fn halves(nodes: usize, random: &mut Random) -> Vec<FractionalEdge> {
        let mut support: Vec<FractionalEdge> = Vec::new();
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
                        None => support.push(FractionalEdge { u, v, x: 0.5 }),
                    }
                }
                first += size;
            }
        }
        support
    }

    #[test]
    fn a_violated_subtour_is_found_exactly_when_there_is_one() {
        let mut random = Random::new(11);
        let nodes = 10;
        let mut violated = 0;
        for _ in 0..300 {
            let support = halves(nodes, &mut random);
            let crossing = |set: usize| -> f64 {
                let out = |e: &&FractionalEdge| (set >> e.u & 1) != (set >> e.v & 1);
                support.iter().filter(out).map(|e| e.x).sum()
            };
            let least = (1..(1 << nodes) - 1).map(crossing).fold(f64::INFINITY, f64::min);
            let found = subtours(nodes, &support);
            assert_eq!(found.is_empty(), least > 2.0 - TOLERANCE, "least {least}");
            violated += usize::from(!found.is_empty());
            for cut in found {
                assert!(violation(&cut, nodes, &support) > TOLERANCE / 2.0);
            }
        }
        assert!((30..270).contains(&violated), "both cases occur: {violated}");
    }
}
