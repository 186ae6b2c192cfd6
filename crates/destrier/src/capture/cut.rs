//! Cuts: inequalities that every round trip satisfies and a fractional solution may violate.
//!
//! All are sums of border crossings: a round trip crosses the border of any set of nodes at least twice
//! (subtour), and those of a handle and its `t` teeth, `t` odd, at least `3t + 1` times in all (comb; a
//! blossom where the teeth are edges). One form serves the linear program, the proof and its checker.
//!
//! Invariant: a cut holds for every round trip, however it was found.
//! Cost: a few passes over the fractional edges for each separation.
//! Source: Nagamochi and Ibaraki (minimum cuts); Padberg and Hong, Grötschel and Holland (combs).

use std::collections::BinaryHeap;

use super::pricing::Edge;

/// `Σ over sets of x(border) ≥ right`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Cut {
    /// Sorted sets of nodes. One set: a subtour. More: the handle, then its teeth.
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
    let subtour = |set: Vec<u32>| Cut { sets: vec![smaller(set, nodes)], right: 2 };
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

type Links = Vec<Vec<(usize, f64)>>;

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

/// Combs whose handle is a component of the fractional graph, with edges (contracted or not) as teeth, and
/// `known` ones, each changed stop by stop as long as that makes it more violated.
pub(crate) fn combs(nodes: usize, support: &[FractionalEdge], known: Vec<Cut>) -> Vec<Cut> {
    let mut cuts = known;
    for paths in [None, Some(Paths::Inner), Some(Paths::Whole)] {
        let mut contracted = DisjointSets::new(nodes);
        if let Some(paths) = paths {
            contract_paths(&mut contracted, support, paths);
        }
        let (members, links) = contract(&mut contracted, support);
        for threshold in [1e-6, 0.12, 0.24, 0.34] {
            odd_components(&members, &links, threshold, &mut cuts);
        }
    }
    cuts.sort_by(|a, b| a.sets.cmp(&b.sets));
    cuts.dedup();
    let mut tightener = Tightener::new(nodes, support);
    cuts = cuts.iter().filter_map(|cut| tightener.tighten(cut)).collect();
    cuts.sort_by(|a, b| a.sets.cmp(&b.sets));
    cuts.dedup();
    cuts
}

/// Changes a comb stop by stop: each may be in the handle or not, and in one of the teeth or none.
struct Tightener {
    near: Vec<Vec<(u32, f64)>>,
    in_handle: Vec<bool>,
    /// The tooth of each stop, plus one; zero for none.
    tooth: Vec<usize>,
    is_listed: Vec<bool>,
}

impl Tightener {
    fn new(nodes: usize, support: &[FractionalEdge]) -> Tightener {
        let mut near = vec![Vec::new(); nodes];
        for edge in support {
            near[edge.u as usize].push((edge.v, edge.x));
            near[edge.v as usize].push((edge.u, edge.x));
        }
        let (in_handle, is_listed) = (vec![false; nodes], vec![false; nodes]);
        Tightener { near, in_handle, tooth: vec![0; nodes], is_listed }
    }

    /// The comb after all changes that pay, if it is violated then.
    fn tighten(&mut self, comb: &Cut) -> Option<Cut> {
        let teeth = comb.sets.len() - 1;
        // How many stops of each tooth are outside the handle and inside.
        let mut sizes = vec![[0u32; 2]; teeth + 1];
        for &v in &comb.sets[0] {
            self.in_handle[v as usize] = true;
        }
        for (t, set) in (1..).zip(&comb.sets[1..]) {
            for &v in set {
                self.tooth[v as usize] = t;
                sizes[t][usize::from(self.in_handle[v as usize])] += 1;
            }
        }
        let mut list: Vec<u32> = Vec::new();
        for &v in comb.sets.iter().flatten() {
            for u in std::iter::once(v).chain(self.near[v as usize].iter().map(|&(u, _)| u)) {
                if !std::mem::replace(&mut self.is_listed[u as usize], true) {
                    list.push(u);
                }
            }
        }
        list.sort_unstable();
        for round in 0..4 {
            let mut changed = false;
            for &v in &list {
                // At first also changes that cost nothing: they may lead to some that pay.
                changed |= self.change(v as usize, &mut sizes, round == 0);
            }
            if !changed {
                break;
            }
        }
        let (mut sets, mut crossing) = (vec![Vec::new(); teeth + 1], 0.0);
        for &v in &list {
            let v = v as usize;
            let (in_handle, tooth) = (self.in_handle[v], self.tooth[v]);
            if in_handle {
                sets[0].push(v as u32);
            }
            if tooth > 0 {
                sets[tooth].push(v as u32);
            }
            // Each crossing is counted at its inner end.
            for &(u, x) in &self.near[v] {
                let out = u32::from(in_handle && !self.in_handle[u as usize])
                    + u32::from(tooth > 0 && tooth != self.tooth[u as usize]);
                crossing += f64::from(out) * x;
            }
        }
        for v in list {
            self.is_listed[v as usize] = false;
            self.in_handle[v as usize] = false;
            self.tooth[v as usize] = 0;
        }
        (crossing < f64::from(comb.right) - 1e-3).then_some(Cut { sets, right: comb.right })
    }

    /// Moves a stop to where it adds least to the crossings; was it moved?
    fn change(&mut self, v: usize, sizes: &mut [[u32; 2]], for_nothing: bool) -> bool {
        let (was_inside, was_tooth) = (self.in_handle[v], self.tooth[v]);
        if was_tooth > 0 && sizes[was_tooth][usize::from(was_inside)] == 1 {
            return false; // the tooth needs it
        }
        let total: f64 = self.near[v].iter().map(|&(_, x)| x).sum();
        let inside = |u: usize| self.in_handle[u];
        let to_handle: f64 =
            self.near[v].iter().filter(|&&(u, _)| inside(u as usize)).map(|&(_, x)| x).sum();
        let to_tooth = |t: usize| -> f64 {
            let list = self.near[v].iter().filter(|&&(u, _)| self.tooth[u as usize] == t);
            list.map(|&(_, x)| x).sum()
        };
        // What the crossings of teeth grow by `v` being in this tooth rather than in none.
        let extra = |t: usize| if t == 0 { 0.0 } else { total - 2.0 * to_tooth(t) };
        let mut tooth = was_tooth;
        let mut best = extra(was_tooth);
        let eps = if for_nothing { -1e-9 } else { 1e-9 };
        for t in self.near[v].iter().map(|&(u, _)| self.tooth[u as usize]).chain([0]) {
            if t != tooth && extra(t) < best - if tooth == was_tooth { eps } else { 1e-9 } {
                (tooth, best) = (t, extra(t));
            }
        }
        let lean = total - 2.0 * to_handle;
        let is_inside = if lean.abs() < 1e-9 { was_inside != for_nothing } else { lean < 0.0 };
        if (is_inside, tooth) == (was_inside, was_tooth) {
            return false;
        }
        if was_tooth > 0 {
            sizes[was_tooth][usize::from(was_inside)] -= 1;
        }
        if tooth > 0 {
            sizes[tooth][usize::from(is_inside)] += 1;
        }
        (self.in_handle[v], self.tooth[v]) = (is_inside, tooth);
        true
    }
}

/// How much of each path of edges of value one is contracted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paths {
    Inner,
    Whole,
}

/// Contracts tight sets: paths of edges of value one (without their ends, or whole).
fn contract_paths(contracted: &mut DisjointSets, support: &[FractionalEdge], paths: Paths) {
    let nodes = contracted.parent.len();
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
            if paths == Paths::Whole || inner {
                contracted.join(edge.u, edge.v);
            }
        }
    }
    // Triangles of sets that form tight sets.
    for _ in 0..8 {
        let (members, links) = contract(contracted, support);
        let mut joined = false;
        for g in 0..members.len() {
            for &(h, x) in &links[g] {
                if h <= g {
                    continue;
                }
                // Three tight sets with a total of two between them form a tight set.
                for &(k, y) in &links[h] {
                    if k <= h {
                        continue;
                    }
                    if let Some(&(_, z)) = links[g].iter().find(|&&(t, _)| t == k)
                        && x + y + z > 2.0 - 1e-6
                    {
                        joined |= contracted.join(members[g][0], members[h][0]);
                        joined |= contracted.join(members[h][0], members[k][0]);
                    }
                }
            }
        }
        if !joined {
            break;
        }
    }
}

/// Combs with the components of the edges strictly between `threshold` and `1 − threshold` as handles.
fn odd_components(members: &[Vec<u32>], links: &Links, threshold: f64, cuts: &mut Vec<Cut>) {
    let mut components = DisjointSets::new(members.len());
    for (g, list) in links.iter().enumerate() {
        for &(h, x) in list {
            if g < h && x > threshold && x < 1.0 - threshold {
                components.join(g as u32, h as u32);
            }
        }
    }
    let components = components.members().into_iter();
    let fits = |handle: &Vec<u32>| handle.len() >= 2 && handle.len() + 2 <= members.len();
    cuts.extend(components.filter(fits).filter_map(|h| comb(&h, members, links, threshold)));
}

/// An edge out of a handle.
#[derive(Clone, Copy)]
struct Tooth {
    outer: usize,
    inner: usize,
    x: f64,
}

/// A comb around this handle, with edges above `1 − threshold` as teeth, if there is one.
fn comb(handle: &[u32], members: &[Vec<u32>], links: &Links, threshold: f64) -> Option<Cut> {
    let count = members.len();
    let mut inside = vec![false; count];
    for &g in handle {
        inside[g as usize] = true;
    }
    let edges_out = handle.iter().flat_map(|&inner| {
        let inner = inner as usize;
        links[inner].iter().map(move |&(outer, x)| Tooth { outer, inner, x })
    });
    let (mut teeth, loose): (Vec<Tooth>, Vec<Tooth>) =
        edges_out.filter(|edge| !inside[edge.outer]).partition(|edge| edge.x >= 1.0 - threshold);
    if teeth.len().is_multiple_of(2) {
        // Add or drop the edge that costs least.
        let drop = teeth.iter().enumerate().min_by(|a, b| a.1.x.total_cmp(&b.1.x));
        let take = loose.iter().max_by(|a, b| a.x.total_cmp(&b.x));
        match (drop, take) {
            (Some((k, drop)), take) if take.is_none_or(|take| drop.x - 0.5 <= 0.5 - take.x) => {
                teeth.remove(k);
            }
            (_, Some(&take)) => teeth.push(take),
            _ => return None,
        }
    }
    // Where two teeth share their outer end, it joins the handle instead.
    teeth.sort_unstable_by_key(|tooth| tooth.outer);
    let mut kept: Vec<Tooth> = Vec::new();
    for tooth in teeth {
        if kept.last().is_some_and(|last| last.outer == tooth.outer) {
            kept.pop();
            inside[tooth.outer] = true;
        } else {
            kept.push(tooth);
        }
    }
    kept.retain(|tooth| !inside[tooth.outer]);
    // Teeth that share their inner end overlap: keep that of greater value.
    kept.sort_by(|a, b| a.inner.cmp(&b.inner).then(b.x.total_cmp(&a.x)));
    kept.dedup_by_key(|tooth| tooth.inner);
    if kept.len() < 3 || kept.len().is_multiple_of(2) {
        return None;
    }
    let sorted = |nodes: Vec<usize>| {
        let mut set: Vec<u32> = nodes.iter().flat_map(|&g| &members[g]).copied().collect();
        set.sort_unstable();
        set
    };
    let handle = sorted((0..count).filter(|&g| inside[g]).collect());
    let teeth = kept.iter().map(|tooth| sorted(vec![tooth.outer, tooth.inner]));
    let right = 3 * kept.len() as u32 + 1;
    Some(Cut { sets: std::iter::once(handle).chain(teeth).collect(), right })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;

    /// By how much the fractional solution violates a cut.
    fn violation(cut: &Cut, nodes: usize, support: &[FractionalEdge]) -> f64 {
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
    fn halves(nodes: usize, random: &mut Random) -> Vec<FractionalEdge> {
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

    #[test]
    fn no_comb_forbids_a_round_trip() {
        let mut random = Random::new(12);
        let nodes = 12;
        let mut seen = 0;
        let mut known = Vec::new();
        for _ in 0..5000 {
            let support = halves(nodes, &mut random);
            let found = combs(nodes, &support, known);
            known = found.iter().take(3).cloned().collect();
            for cut in found {
                seen += 1;
                assert!(violation(&cut, nodes, &support) > 1e-4, "{cut:?} is not violated");
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
