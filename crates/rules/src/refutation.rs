//! Why no capture plan is shorter: numbers that the checker adds up again.
//!
//! A plan visits the stops (the knight's start is stop 0, the pieces in ascending order are 1 to q);
//! with a rest (stop q + 1) between its end and its start it is a round trip. Three facts bound all
//! round trips, whatever the numbers in them are:
//!
//! 1. *A tree.* Charge an edge its distance minus the potentials of its ends. A plan is a spanning tree, so
//!    the cheapest tree, the cheapest end and twice all potentials give a bound. An edge that would raise it
//!    above the target is in no shorter plan.
//! 2. *A tariff*, which is a dual solution of the linear program. Every stop has two edges, and the border
//!    of a set of stops is crossed at least twice; those of a handle and its `t` teeth (`t` odd, disjoint,
//!    each with stops inside and outside the handle) at least `3t + 1` times in all; those of any few sets
//!    as often as on a shortest tour of the parts into which they divide the stops. Give these facts
//!    weights and charge each edge its distance minus the weights of the borders it crosses: the weighted
//!    demands plus all negative charges are a bound.
//! 3. *Two cases.* An edge is used or it is not.
//!
//! The colour of the last square determines whether a plan's length is even, so even and odd lengths are
//! refuted separately.
//!
//! Source: Held and Karp 1970; Applegate, Bixby, Chvátal and Cook, *The Traveling Salesman Problem*, 2006.

mod demand;
mod table;

use std::collections::BTreeMap;
use std::fmt;

use crate::budget::Budget;
use crate::capture::CaptureProblem;
use crate::verify::Problem as _;
use demand::demand;
use table::{FAR, Table};

/// The unit of the tree's potentials: `1/1024` of a move.
pub const TREE_UNIT: i64 = 1 << 10;
/// The unit of a tariff's potentials and weights: `1/1048576` of a move.
pub const TARIFF_UNIT: i64 = 1 << 20;

/// A proof that no capture plan is shorter than a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Refutation {
    /// One for each kind of length that a plan can have.
    pub endings: Vec<EndingRefutation>,
}

/// The lengths that a part of the proof covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Length {
    /// Plans of an even number of moves.
    Even,
    /// Plans of an odd number of moves.
    Odd,
    /// All plans, on boards without two colours.
    Any,
}

/// The proof for plans of one kind of length.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct EndingRefutation {
    /// The plans that it covers.
    pub length: Length,
    /// The potentials of the tree, one for each stop but the rest, in [`TREE_UNIT`]s.
    pub potentials: Vec<i64>,
    /// Sets whose borders have weights in tariffs: one set, a handle and its teeth, or any sets that divide the stops into few parts.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub cuts: Vec<Vec<Vec<u32>>>,
    /// Tariffs that rule out edges before the first branching.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub sieves: Vec<Tariff>,
    /// The cases: each `Branch` is followed by all of its first case, then all of its second.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub steps: Vec<ProofStep>,
}

/// Potentials of all stops, the rest included, and weights of cuts, in [`TARIFF_UNIT`]s.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Tariff {
    /// One for each stop.
    pub potentials: Vec<i64>,
    /// The number of a cut in `cuts`, and its weight, which is not negative.
    pub weights: Vec<(u32, i64)>,
}

/// One step of the case tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ProofStep {
    /// First the edge between these stops is used, then it is not.
    Branch(u32, u32),
    /// This tariff refutes the case.
    Leaf(Tariff),
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Length::Even => "even",
            Length::Odd => "odd",
            Length::Any => "any",
        })
    }
}

/// The bytes that an edge takes: itself, its place at both ends, its charge, and its number by its ends.
const BYTES_PER_EDGE: u64 = 128;
/// The most edges that a proof may leave to its tariffs.
const MOST_EDGES: usize = 1 << 22;
/// The most charges that it computes: one for each edge and each set of a cut.
const MOST_CHARGES: u64 = 1 << 38;
/// Larger numbers are rejected: sums of them must not overflow.
const MOST: i64 = 1 << 40;
/// The largest sum of a tariff's weights, each as often as its cut has sets.
const MOST_WEIGHT: i128 = 1 << 62;

/// An edge that a shorter plan could still use.
struct Edge {
    u: usize,
    v: usize,
    cost: i64,
    case: Case,
}

/// The edges that are left, and which of them each node has.
struct Edges {
    list: Vec<Edge>,
    /// The edges of node `v` are `at[first[v]..first[v + 1]]`.
    first: Vec<usize>,
    at: Vec<u32>,
}

impl Edges {
    fn new(list: Vec<Edge>, nodes: usize) -> Edges {
        let mut first = vec![0; nodes + 2];
        for edge in &list {
            first[edge.u + 2] += 1;
            first[edge.v + 2] += 1;
        }
        for v in 2..first.len() {
            first[v] += first[v - 1];
        }
        let mut at = vec![0; 2 * list.len()];
        for (number, edge) in (0..).zip(&list) {
            for v in [edge.u, edge.v] {
                at[first[v + 1]] = number;
                first[v + 1] += 1;
            }
        }
        Edges { list, first, at }
    }

    /// The numbers of a node's edges.
    fn of(&self, v: usize) -> &[u32] {
        &self.at[self.first[v]..self.first[v + 1]]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Case {
    Open,
    Used,
    Unused,
}

type Checked<T> = Result<T, String>;

/// The tree of the ending before, with its potentials: endings often share them.
type LastTree<'p> = Option<(&'p [i64], Tree)>;

/// Checks that no plan is shorter than `bound`, or reports where the proof fails.
pub(crate) fn check(
    problem: &CaptureProblem,
    bound: u64,
    proof: &Refutation,
    budget: &Budget<'_>,
) -> Checked<()> {
    problem.validate().map_err(|error| error.to_string())?;
    if problem.targets.is_empty() {
        return if bound == 0 { Ok(()) } else { Err("without pieces the bound is 0".to_owned()) };
    }
    let table = Table::new(problem, budget)?;
    // One way from stop to stop is a plan, so no true bound is larger; products with the units stay small.
    let longest = u64::from(FAR) * table.stops as u64;
    let bound = i64::try_from(bound).ok().filter(|_| bound <= longest);
    let bound =
        bound.ok_or_else(|| "the bound is longer than a shortest plan can be".to_owned())?;
    let mut tree = None;
    for (length, ends) in table.endings() {
        let part = proof.endings.iter().find(|part| part.length == length);
        let part = part.ok_or_else(|| format!("it has no part for plans of {length} length"))?;
        // The longest plan of this kind that must be refuted.
        let target = match length {
            Length::Even => bound - 2 + bound % 2,
            Length::Odd => bound - 1 - bound % 2,
            Length::Any => bound - 1,
        };
        check_ending(&table, &ends, target, part, &mut tree, budget)
            .map_err(|why| format!("for plans of {length} length, {why}"))?;
    }
    Ok(())
}

fn check_ending<'p>(
    table: &Table,
    ends: &[usize],
    target: i64,
    part: &'p EndingRefutation,
    last_tree: &mut LastTree<'p>,
    budget: &Budget<'_>,
) -> Checked<()> {
    let (stops, found) = (table.stops, part.potentials.len());
    if found != stops {
        return Err(format!("there are {found} potentials for {stops} stops"));
    }
    check_range(&part.potentials)?;
    let pairs = (stops * stops) as u64;
    budget.step(pairs)?;
    let potentials = part.potentials.as_slice();
    let kept = last_tree.take().filter(|&(known, _)| known == potentials);
    let (_, tree) =
        last_tree.insert(kept.unwrap_or_else(|| (potentials, Tree::new(table, potentials))));
    let bound = tree.bound(ends, potentials);
    let slack = target * TREE_UNIT - bound;
    if slack < 0 {
        return Ok(());
    }
    if part.steps.is_empty() {
        return Err(format!(
            "the potentials prove {} moves, which is not above {target}",
            bound.div_euclid(TREE_UNIT)
        ));
    }
    budget.step(pairs)?;
    let mut edges = possible_edges(table, potentials, &tree.edges, slack, MOST_EDGES, budget)?;
    let bytes = edges.len() as u64 * BYTES_PER_EDGE;
    budget.hold(bytes)?;
    budget.afford(check_budget(part, edges.len(), budget)?)?;
    let rest = stops;
    edges.extend(ends.iter().map(|&u| Edge { u, v: rest, cost: 0, case: Case::Open }));
    edges.push(Edge { u: 0, v: rest, cost: 0, case: Case::Used });
    let cuts = Cuts::new(&part.cuts, rest + 1, budget)?;
    let target = i128::from(target) * i128::from(TARIFF_UNIT);
    let mut edges = Edges::new(edges, rest + 1);
    for sieve in &part.sieves {
        let (bound, charges) = cuts.charge(&edges, sieve, budget)?;
        let mut charges = charges.into_iter();
        edges.list.retain(|edge| {
            let charge = charges.next().expect("one for each edge");
            edge.case == Case::Used || bound + i128::from(charge) <= target
        });
        edges = Edges::new(edges.list, rest + 1);
    }
    check_cases(edges, &cuts, &part.steps, target, budget)?;
    budget.release(bytes);
    Ok(())
}

/// The charges of all tariffs, if they are not more than the checker computes for any proof.
fn check_budget(part: &EndingRefutation, edges: usize, budget: &Budget<'_>) -> Checked<u64> {
    let leaves = part.steps.iter().filter_map(|step| match step {
        ProofStep::Leaf(tariff) => Some(tariff),
        ProofStep::Branch(..) => None,
    });
    let sets = |&(cut, _): &(u32, i64)| part.cuts.get(cut as usize).map_or(0, Vec::len) as u64;
    let sweeps = |tariff: &Tariff| 1 + tariff.weights.iter().map(sets).sum::<u64>();
    let charges = part.sieves.iter().chain(leaves).map(sweeps).sum::<u64>() * edges as u64;
    if charges > MOST_CHARGES {
        return Err(budget.refuse(charges, MOST_CHARGES));
    }
    Ok(charges)
}

/// Goes through the case tree in preorder.
fn check_cases(
    edges: Edges,
    cuts: &Cuts,
    steps: &[ProofStep],
    target: i128,
    budget: &Budget<'_>,
) -> Checked<()> {
    let mut cases = Cases::new(edges);
    for (number, step) in (1..).zip(steps) {
        match step {
            ProofStep::Branch(u, v) => {
                if !cases.branch(*u.min(v) as usize, *u.max(v) as usize) {
                    return Err(format!("step {number} branches on an edge that is already fixed"));
                }
            }
            ProofStep::Leaf(tariff) => {
                let (bound, _) = cuts.charge(&cases.edges, tariff, budget)?;
                if bound <= target && cases.impossible == 0 {
                    return Err(format!("step {number} does not refute its case"));
                }
                if !cases.advance() {
                    let is_last = number == steps.len();
                    let superfluous = || format!("step {number} already completes the proof");
                    return if is_last { Ok(()) } else { Err(superfluous()) };
                }
            }
        }
    }
    Err("the case tree is incomplete".to_owned())
}

/// The case under way: which edges are used, which are not, and which branchings led there.
struct Cases {
    edges: Edges,
    index_of: BTreeMap<(usize, usize), usize>,
    branchings: Vec<Branching>,
    /// Edges that this case uses although no short plan can.
    impossible: usize,
}

struct Branching {
    /// The index of the edge, if a short plan can use it.
    edge: Option<usize>,
    in_second_case: bool,
}

impl Cases {
    fn new(edges: Edges) -> Cases {
        let numbered = edges.list.iter().enumerate();
        let index_of = numbered.map(|(i, edge)| ((edge.u, edge.v), i)).collect();
        Cases { edges, index_of, branchings: Vec::new(), impossible: 0 }
    }

    /// Enters the case in which an edge is used; `false` if the edge is already fixed.
    fn branch(&mut self, u: usize, v: usize) -> bool {
        let edge = self.index_of.get(&(u, v)).copied();
        match edge {
            Some(edge) if self.edges.list[edge].case != Case::Open => return false,
            Some(edge) => self.edges.list[edge].case = Case::Used,
            None => self.impossible += 1,
        }
        self.branchings.push(Branching { edge, in_second_case: false });
        true
    }

    /// Leaves a refuted case for the next one; `false` if none is left.
    fn advance(&mut self) -> bool {
        while let Some(Branching { edge, in_second_case }) = self.branchings.pop() {
            match edge {
                Some(edge) if in_second_case => self.edges.list[edge].case = Case::Open,
                Some(edge) => self.edges.list[edge].case = Case::Unused,
                None if in_second_case => {}
                None => self.impossible -= 1,
            }
            if !in_second_case {
                self.branchings.push(Branching { edge, in_second_case: true });
                return true;
            }
        }
        false
    }
}

fn check_range(numbers: &[i64]) -> Checked<()> {
    let fits = numbers.iter().all(|number| number.unsigned_abs() <= MOST.unsigned_abs());
    if fits { Ok(()) } else { Err("a number is too large".to_owned()) }
}

/// The cuts of a proof, and how often every round trip crosses the borders of each.
struct Cuts<'p> {
    nodes: usize,
    sets: &'p [Vec<Vec<u32>>],
    demands: Vec<i128>,
}

impl<'p> Cuts<'p> {
    fn new(sets: &'p [Vec<Vec<u32>>], nodes: usize, budget: &Budget<'_>) -> Checked<Cuts<'p>> {
        let demands = sets.iter().map(|cut| demand(cut, nodes, budget)).collect::<Checked<_>>()?;
        Ok(Cuts { nodes, sets, demands })
    }

    /// The bound of a tariff, and what it charges for each edge.
    fn charge(
        &self,
        edges: &Edges,
        tariff: &Tariff,
        budget: &Budget<'_>,
    ) -> Checked<(i128, Vec<i64>)> {
        let (nodes, found) = (self.nodes, tariff.potentials.len());
        if found != nodes {
            return Err(format!("a tariff has {found} potentials for {nodes} stops"));
        }
        check_range(&tariff.potentials)?;
        budget.step((edges.list.len() + nodes) as u64)?;
        let potential = |v: usize| tariff.potentials[v];
        let mut bound: i128 = (0..nodes).map(|v| 2 * i128::from(potential(v))).sum();
        let mut charges: Vec<i64> = (edges.list.iter())
            .map(|e| e.cost * TARIFF_UNIT - potential(e.u) - potential(e.v))
            .collect();
        let (mut inside, mut total) = (vec![false; nodes], 0);
        for &(cut, weight) in &tariff.weights {
            let (sets, demand) = (self.sets.get(cut as usize), self.demands.get(cut as usize));
            let (Some(sets), Some(demand)) = (sets, demand) else {
                return Err(format!("there is no cut {cut}"));
            };
            if !(0..=MOST).contains(&weight) {
                return Err(format!("the weight of cut {cut} is out of range"));
            }
            // An edge is charged for a set once at most, so no charge leaves the range of its type.
            total += i128::from(weight) * sets.len() as i128;
            if total > MOST_WEIGHT {
                return Err("the weights are too large".to_owned());
            }
            if weight == 0 {
                continue;
            }
            bound += i128::from(weight) * demand;
            for set in sets {
                for &v in set {
                    inside[v as usize] = true;
                }
                let looks = set.iter().map(|&v| 1 + edges.of(v as usize).len());
                budget.step(looks.sum::<usize>() as u64)?;
                for v in set.iter().map(|&v| v as usize) {
                    for &number in edges.of(v) {
                        let edge = &edges.list[number as usize];
                        if !inside[edge.u ^ edge.v ^ v] {
                            charges[number as usize] -= weight;
                        }
                    }
                }
                for &v in set {
                    inside[v as usize] = false;
                }
            }
        }
        for (edge, &charge) in edges.list.iter().zip(&charges) {
            bound += i128::from(match edge.case {
                Case::Open => charge.min(0),
                Case::Used => charge,
                Case::Unused => 0,
            });
        }
        Ok((bound, charges))
    }
}

/// The cheapest tree under potentials.
struct Tree {
    cost: i64,
    /// Each stop with its parent, in the order they join.
    edges: Vec<(usize, usize)>,
}

impl Tree {
    fn new(table: &Table, potentials: &[i64]) -> Tree {
        let mut nearest = vec![(i64::MAX, 0); table.stops];
        let mut open: Vec<usize> = (1..table.stops).collect();
        let (mut cost, mut last, mut edges) = (0, 0, Vec::new());
        while !open.is_empty() {
            let (distances, near) = (table.row(last), potentials[last]);
            let (mut cheapest, mut pick) = (i64::MAX, 0);
            for (place, &v) in open.iter().enumerate() {
                let charge = i64::from(distances[v]) * TREE_UNIT - near - potentials[v];
                if charge < nearest[v].0 {
                    nearest[v] = (charge, last);
                }
                if nearest[v].0 < cheapest {
                    (cheapest, pick) = (nearest[v].0, place);
                }
            }
            last = open.swap_remove(pick);
            cost += cheapest;
            edges.push((last, nearest[last].1));
        }
        Tree { cost, edges }
    }

    /// The bound for all plans that end at one of these stops.
    fn bound(&self, ends: &[usize], potentials: &[i64]) -> i64 {
        let end = ends.iter().map(|&end| potentials[end]).max().unwrap_or(0);
        self.cost - potentials[0] - end + 2 * potentials.iter().sum::<i64>()
    }
}

/// The edges that raise the tree's bound by no more than `slack`.
fn possible_edges(
    table: &Table,
    potentials: &[i64],
    tree: &[(usize, usize)],
    slack: i64,
    most: usize,
    budget: &Budget<'_>,
) -> Checked<Vec<Edge>> {
    let mut edges = Vec::new();
    let mut links = vec![Vec::new(); table.stops];
    for &(v, parent) in tree {
        links[v].push(parent);
        links[parent].push(v);
    }
    let mut ahead = Vec::new();
    for u in 0..table.stops {
        ahead.push((u, u, i64::MIN));
        while let Some((v, before, dearest)) = ahead.pop() {
            if u < v && table.charge(potentials, u, v) - dearest <= slack {
                let cost = i64::from(table.distance(u, v));
                edges.push(Edge { u, v, cost, case: Case::Open });
                if edges.len() > most {
                    return Err(budget.refuse(edges.len() as u64, most as u64));
                }
            }
            for &next in links[v].iter().filter(|&&next| next != before) {
                ahead.push((next, v, dearest.max(table.charge(potentials, v, next))));
            }
        }
    }
    Ok(edges)
}

#[cfg(test)]
mod tests;
