//! Combs from a handle and from sets whose borders are crossed hardly more than twice.
//!
//! A comb is violated where the crossings of its handle, minus `3 − crossings` for each tooth, are less than one:
//! a tooth that is crossed twice takes one away. So for each handle, disjoint sets that reach out of it are taken
//! as teeth, those with the fewest crossings first.
//!
//! Invariant: the teeth of a comb are disjoint and odd in number, each with nodes inside and outside the handle.
//! Cost: for each handle, a pass over the sets that share a node with it.
//! Source: Applegate, Bixby, Chvátal and Cook, *The Traveling Salesman Problem*, 2006 (teething).

use super::cut::{Cut, Family};

/// Sets with more crossings than this beyond two are no teeth.
const MOST_EXCESS: f64 = 0.8;
/// A comb that is satisfied by no more than this may be violated after a few changes.
const NEARLY: f64 = 0.35;

/// The sets that can be teeth.
#[derive(Debug)]
pub(crate) struct Teeth<'s> {
    /// The fractional solution: the edges of each node.
    near: &'s [Vec<(u32, f64)>],
    /// The sets, each with its crossings beyond two, and the numbers of those that each node is in.
    sets: Vec<(f64, Vec<u32>)>,
    at_node: Vec<Vec<u32>>,
    /// Scratch: how many nodes of each set are in the handle, and nodes that are in a set at hand.
    shared: Vec<usize>,
    marked: Vec<bool>,
}

impl<'s> Teeth<'s> {
    /// Chooses from sorted sets of nodes.
    pub(crate) fn new(near: &'s [Vec<(u32, f64)>], sets: Vec<Vec<u32>>) -> Teeth<'s> {
        let nodes = near.len();
        let (at_node, marked) = (vec![Vec::new(); nodes], vec![false; nodes]);
        let mut teeth = Teeth { near, sets: Vec::new(), at_node, shared: Vec::new(), marked };
        for set in sets {
            let excess = teeth.crossings(&set) - 2.0;
            if excess < MOST_EXCESS {
                // Rounded, so that of sets with equal crossings the smallest is first.
                teeth.sets.push(((excess * 1e6).round().max(0.0) / 1e6, set));
            }
        }
        teeth.sets.sort_by(|(a, one), (b, other)| {
            a.total_cmp(b).then(one.len().cmp(&other.len())).then(one.cmp(other))
        });
        teeth.sets.dedup_by(|a, b| a.1 == b.1);
        for (number, (_, set)) in (0..).zip(&teeth.sets) {
            for &v in set {
                teeth.at_node[v as usize].push(number);
            }
        }
        teeth.shared = vec![0; teeth.sets.len()];
        teeth
    }

    /// How often the border of a set is crossed.
    fn crossings(&mut self, set: &[u32]) -> f64 {
        self.mark(set, true);
        let edges = set.iter().flat_map(|&v| &self.near[v as usize]);
        let crossings = edges.filter(|&&(u, _)| !self.marked[u as usize]).map(|&(_, x)| x).sum();
        self.mark(set, false);
        crossings
    }

    fn mark(&mut self, set: &[u32], marked: bool) {
        for &v in set {
            self.marked[v as usize] = marked;
        }
    }

    /// A comb with this handle that is violated, or nearly.
    pub(crate) fn comb(&mut self, handle: &[u32]) -> Option<Cut> {
        let crossings = self.crossings(handle);
        let mut numbers = Vec::new();
        for &number in handle.iter().flat_map(|&v| &self.at_node[v as usize]) {
            self.shared[number as usize] += 1;
            numbers.push(number as usize);
        }
        numbers.sort_unstable();
        numbers.dedup();
        let mut chosen: Vec<usize> = Vec::new();
        for &number in &numbers {
            let set = &self.sets[number].1;
            let reaches_out = std::mem::take(&mut self.shared[number]) < set.len();
            if reaches_out && set.iter().all(|&v| !self.marked[v as usize]) {
                for &v in set {
                    self.marked[v as usize] = true;
                }
                chosen.push(number);
            }
        }
        for &v in chosen.iter().flat_map(|&number| &self.sets[number].1) {
            self.marked[v as usize] = false;
        }
        if chosen.len().is_multiple_of(2) {
            chosen.pop(); // it has the most crossings
        }
        let taken_away: f64 = chosen.iter().map(|&number| 1.0 - self.sets[number].0).sum();
        if chosen.len() < 3 || crossings - taken_away > 1.0 + NEARLY {
            return None;
        }
        let right = 3 * chosen.len() as u32 + 1;
        let teeth = chosen.into_iter().map(|number| self.sets[number].1.clone());
        let sets = std::iter::once(handle.to_vec()).chain(teeth).collect();
        Some(Cut { family: Family::Comb, sets, right })
    }
}

/// Handles: the nodes within one fractional edge and within two of each node that has several.
pub(crate) fn surroundings(near: &[Vec<(u32, f64)>]) -> Vec<Vec<u32>> {
    let fractional = |v: u32| {
        let edges = near[v as usize].iter();
        edges.filter(|&&(_, x)| x < 1.0 - 1e-6).map(|&(u, _)| u)
    };
    let mut sets = Vec::new();
    for v in 0..near.len() as u32 {
        let narrow: Vec<u32> = std::iter::once(v).chain(fractional(v)).collect();
        if narrow.len() >= 3 {
            let beyond = narrow[1..].iter().flat_map(|&u| fractional(u));
            let wide = narrow.iter().copied().chain(beyond).collect();
            sets.extend([narrow, wide]);
        }
    }
    for set in &mut sets {
        set.sort_unstable();
        set.dedup();
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_gets_an_odd_number_of_disjoint_teeth_those_with_the_fewest_crossings_first() {
        // Two triangles of halves, 0 1 2 and 3 4 5, with whole edges between them.
        let mut near = vec![Vec::new(); 6];
        let halves = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)].map(|edge| (edge, 0.5));
        for ((u, v), x) in halves.into_iter().chain([(0, 3), (1, 4), (2, 5)].map(|e| (e, 1.0))) {
            near[u].push((v as u32, x));
            near[v].push((u as u32, x));
        }
        let pairs = [vec![0, 3], vec![1, 4], vec![2, 5]];
        let wide = vec![0, 1, 3, 4]; // twice crossed as well, but larger
        let sets = [&pairs[..], std::slice::from_ref(&wide)].concat();
        let comb = Teeth::new(&near, sets).comb(&[0, 1, 2]).expect("it is violated");
        assert_eq!((&comb.sets[0], &comb.sets[1..], comb.right), (&vec![0, 1, 2], &pairs[..], 10));
        // With two pairs and a set that shares nodes with both, a third tooth is missing.
        let sets = vec![pairs[0].clone(), pairs[1].clone(), wide];
        assert_eq!(Teeth::new(&near, sets).comb(&[0, 1, 2]), None);
        assert_eq!(surroundings(&near)[..2], [vec![0, 1, 2], vec![0, 1, 2]]);
    }
}
