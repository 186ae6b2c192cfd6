//! Exact pricing: duals rounded to integers, and the reduced costs of edges.
//!
//! Whatever the numbers are, twice the potentials, plus the weights times the demands of the cuts,
//! plus every negative reduced cost, bound all round trips from below. So floating-point duals are
//! rounded first, and the sum is then exact.
//!
//! Invariant: the weights of cuts are not negative.
//! Cost: one pass over edges and cuts.
//! Source: Applegate, Bixby, Chvátal and Cook, whose Concorde adds up its proofs in integers.

use super::cut::Cut;

/// Duals are rounded to this fraction of a move.
pub(crate) const UNIT: i64 = 1 << 20;

/// An edge that a shorter plan could use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) u: u32,
    pub(crate) v: u32,
    pub(crate) cost: u32,
}

/// Larger duals are of no use: the checker takes none of `2^40` or more.
const LARGEST: i64 = (1 << 40) - 1;

/// A bound in 64 bits; one that does not fit is larger, or proves nothing.
pub(crate) fn narrowed(bound: i128) -> i64 {
    bound.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// Integer duals, in `1/UNIT` moves.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Duals {
    /// One for each node: start, pieces, rest.
    pub(crate) potentials: Vec<i64>,
    /// The number of a cut, and its weight.
    pub(crate) weights: Vec<(u32, i64)>,
}

impl Duals {
    /// Rounds the duals of a program whose rows are the nodes and then the cuts in `active`. Any numbers give a bound, so
    /// those that the checker would find too large are made smaller.
    pub(crate) fn rounded(duals: &[f64], nodes: usize, active: &[u32]) -> Duals {
        let round = |y: f64| ((y * UNIT as f64).round() as i64).clamp(-LARGEST, LARGEST);
        Duals {
            potentials: duals[..nodes].iter().map(|&y| round(y)).collect(),
            weights: (active.iter().zip(&duals[nodes..]))
                .map(|(&cut, &y)| (cut, round(y).max(0)))
                .collect(),
        }
    }

    /// The part of the bound that does not depend on edges.
    pub(crate) fn constant(&self, cuts: &[Cut]) -> i128 {
        let twice = self.potentials.iter().map(|&p| 2 * i128::from(p));
        let demanded = (self.weights.iter())
            .map(|&(cut, w)| i128::from(cuts[cut as usize].right) * i128::from(w));
        twice.chain(demanded).sum()
    }

    /// Tables for pricing many edges.
    pub(crate) fn pricing(&self, cuts: &[Cut], nodes: usize) -> Pricing {
        let mut raised = self.potentials.clone();
        let mut sets = vec![Vec::new(); nodes];
        let mut weights = Vec::new();
        for &(cut, weight) in self.weights.iter().filter(|&&(_, weight)| weight > 0) {
            for set in &cuts[cut as usize].sets {
                for &v in set {
                    raised[v as usize] += weight;
                    sets[v as usize].push(weights.len() as u32);
                }
                weights.push(weight);
            }
        }
        Pricing { raised, sets, weights }
    }
}

/// The reduced cost of an edge is its length, minus the potentials, minus the weight of each border it
/// crosses: minus the sets of both ends, plus twice the sets they share.
#[derive(Debug)]
pub(crate) struct Pricing {
    raised: Vec<i64>,
    sets: Vec<Vec<u32>>,
    weights: Vec<i64>,
}

impl Pricing {
    /// The reduced cost of an edge.
    pub(crate) fn reduced(&self, edge: &Edge) -> i64 {
        let (u, v) = (edge.u as usize, edge.v as usize);
        let mut reduced = i64::from(edge.cost) * UNIT - self.raised[u] - self.raised[v];
        let (mut a, mut b) = (self.sets[u].iter().peekable(), self.sets[v].iter().peekable());
        while let (Some(&&i), Some(&&j)) = (a.peek(), b.peek()) {
            if i == j {
                reduced += 2 * self.weights[i as usize];
            }
            if i <= j {
                a.next();
            }
            if j <= i {
                b.next();
            }
        }
        reduced
    }
}
