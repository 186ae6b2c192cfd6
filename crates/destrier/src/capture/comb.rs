//! Combs that a fractional solution violates.
//!
//! Handles are components of the fractional graph, also after paths and tight triangles are contracted, small
//! neighbourhoods, and the handles of known combs. Teeth are edges, or sets that are crossed hardly more than
//! twice. Every comb is then changed stop by stop as long as that makes it more violated.
//!
//! Invariant: a handle, and an odd number of disjoint teeth that each reach into it and out of it.
//! Cost: a few passes over the fractional edges, and one over the surroundings of each comb.
//! Source: Padberg and Hong, Grötschel and Holland; Applegate, Bixby, Chvátal and Cook (tightening).

use super::cut::{Cut, DisjointSets, Family, FractionalEdge, Links, contract};
use super::teeth::{Teeth, surroundings};

/// Combs whose handle is a component of the fractional graph, with edges (contracted or not) as teeth; those of
/// all handles with the tight sets of the solution and of the `known` cuts as teeth; and known ones. Each is
/// changed stop by stop as long as that makes it more violated.
pub(crate) fn combs(nodes: usize, support: &[FractionalEdge], known: &[Cut]) -> Vec<Cut> {
    let mut tightener = Tightener::new(nodes, support);
    let mut handles = surroundings(&tightener.near);
    let mut sets: Vec<Vec<u32>> = known.iter().flat_map(|cut| &cut.sets).cloned().collect();
    sets.extend(support.iter().filter(|edge| edge.x > 0.6).map(|edge| {
        let (u, v) = (edge.u.min(edge.v), edge.u.max(edge.v));
        vec![u, v]
    }));
    let mut cuts: Vec<Cut> =
        known.iter().filter(|cut| cut.family == Family::Comb).cloned().collect();
    handles.extend(cuts.iter().map(|cut| cut.sets[0].clone()));
    for paths in [None, Some(Paths::Inner), Some(Paths::Whole)] {
        let mut contracted = DisjointSets::new(nodes);
        if let Some(paths) = paths {
            contract_paths(&mut contracted, nodes, support, paths);
        }
        let (members, links) = contract(&mut contracted, support);
        for threshold in [1e-6, 0.12, 0.24, 0.34] {
            for handle in components_between(&members, &links, threshold) {
                cuts.extend(comb(&handle, &members, &links, threshold));
                handles.push(all_members(handle.iter().map(|&g| g as usize), &members));
            }
        }
        sets.extend(members.into_iter().filter(|set| set.len() > 1));
    }
    handles.sort();
    handles.dedup();
    let mut teeth = Teeth::new(&tightener.near, sets);
    cuts.extend(handles.iter().filter_map(|handle| teeth.comb(handle)));
    cuts.sort_by(|a, b| a.sets.cmp(&b.sets));
    cuts.dedup();
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
        (crossing < f64::from(comb.right) - 1e-3).then_some(Cut {
            family: Family::Comb,
            sets,
            right: comb.right,
        })
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
    /// All but one end.
    Halves,
    Whole,
}

/// The graph with each path contracted to two sets, and then its tight triangles: the sets, and their links.
pub(super) fn tight_sets(nodes: usize, support: &[FractionalEdge]) -> (Vec<Vec<u32>>, Links) {
    let mut contracted = DisjointSets::new(nodes);
    contract_paths(&mut contracted, nodes, support, Paths::Halves);
    contract(&mut contracted, support)
}

/// Contracts tight sets: paths of edges of value one (without their ends, without one, or whole).
fn contract_paths(
    contracted: &mut DisjointSets,
    nodes: usize,
    support: &[FractionalEdge],
    paths: Paths,
) {
    let mut full = vec![0u8; nodes];
    let whole = || support.iter().filter(|edge| edge.x > 1.0 - 1e-6);
    for edge in whole() {
        full[edge.u as usize] += 1;
        full[edge.v as usize] += 1;
    }
    let is_inner = |v: u32| full[v as usize] == 2;
    for edge in whole() {
        if paths == Paths::Whole || is_inner(edge.u) && is_inner(edge.v) {
            contracted.join(edge.u, edge.v);
        }
    }
    if paths == Paths::Halves {
        let mut has_end = vec![false; nodes];
        for edge in whole().filter(|edge| is_inner(edge.u) != is_inner(edge.v)) {
            let (end, inner) = if is_inner(edge.v) { (edge.u, edge.v) } else { (edge.v, edge.u) };
            let path = contracted.find(inner);
            if !std::mem::replace(&mut has_end[path as usize], true) {
                contracted.join(end, path);
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

/// The components of the edges strictly between `threshold` and `1 − threshold` that can be handles.
fn components_between(members: &[Vec<u32>], links: &Links, threshold: f64) -> Vec<Vec<u32>> {
    let mut components = DisjointSets::new(members.len());
    for (g, list) in links.iter().enumerate() {
        for &(h, x) in list {
            if g < h && x > threshold && x < 1.0 - threshold {
                components.join(g as u32, h as u32);
            }
        }
    }
    let mut components = components.members();
    components.retain(|handle| handle.len() >= 2 && handle.len() + 2 <= members.len());
    components
}

/// The nodes of these contracted ones, sorted.
fn all_members(contracted: impl Iterator<Item = usize>, members: &[Vec<u32>]) -> Vec<u32> {
    let mut set: Vec<u32> = contracted.flat_map(|g| &members[g]).copied().collect();
    set.sort_unstable();
    set
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
    let handle = all_members((0..count).filter(|&g| inside[g]), members);
    let teeth =
        kept.iter().map(|tooth| all_members([tooth.outer, tooth.inner].into_iter(), members));
    let right = 3 * kept.len() as u32 + 1;
    let sets = std::iter::once(handle).chain(teeth).collect();
    Some(Cut { family: Family::Comb, sets, right })
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::{halves, violation};
    use super::*;
    use crate::run::random::Random;

    #[test]
    fn no_comb_forbids_a_round_trip() {
        let mut random = Random::new(12);
        let nodes = 12;
        let mut seen = 0;
        let mut known = Vec::new();
        for _ in 0..5000 {
            let support = halves(nodes, &mut random);
            let found = combs(nodes, &support, &known);
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
