//! Refuting that a shorter plan exists: a linear program, cuts, and branching on edges.
//!
//! Only edges that a shorter plan could use are in the program. Its optimum bounds every plan;
//! violated inequalities are added until none is found, then one edge is branched on: used, or
//! not. Floating point never decides: the duals are rounded to integers and the bound is added up
//! exactly, so that a rounding error can cost time but not correctness.
//!
//! A refuter aims at the least length that the bound allows, and higher once no plan is that short: with
//! a low aim most edges are ruled out at once and the tree stays small, and a plan that meets the aim
//! is a shortest one.
//!
//! Invariant: every refuted node has an exact bound above the target; cuts hold everywhere.
//! Cost: a few hundred rows and pivots for 250 pieces; the tree stays small as bounds are tight.
//! Source: Dantzig, Fulkerson, Johnson; Padberg and Rinaldi; Applegate, Bixby, Chvátal, Cook.

mod cases;

use std::collections::HashMap;

use super::comb::combs;
use super::cut::{Cut, FractionalEdge, subtours};
use super::exact::{MANY, Shared};
use super::local_cuts::{CHUNK, local_cuts};
use super::merge::plan_of;
use super::metric::Ending;
use super::pricing::{Duals, Edge, UNIT, narrowed};
use super::program::{Program, Verdict};
use crate::run::random::Random;
use crate::run::watch::{Halt, Ticker, Watch};

/// One step of a recorded refutation, in the order of the search.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Step {
    /// First the edge is used, then it is not.
    Branch(u32, u32),
    /// The duals refute this case.
    Leaf(Duals),
}

/// Everything that the checker needs to repeat the refutation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    /// The inequalities that leaves and sieves refer to.
    pub(crate) cuts: Vec<Cut>,
    /// Duals that ruled out edges before branching.
    pub(crate) sieves: Vec<Duals>,
    /// The tree, in preorder.
    pub(crate) steps: Vec<Step>,
    /// The number of each cut in the list.
    numbers: HashMap<Cut, u32>,
}

impl Record {
    /// The number of a cut, which is added if it is new.
    fn number_of(&mut self, cut: Cut) -> u32 {
        let fresh = self.cuts.len() as u32;
        let number = *self.numbers.entry(cut.clone()).or_insert(fresh);
        if number == fresh {
            self.cuts.push(cut);
        }
        number
    }

    /// The duals with the numbers that their cuts have here; cuts without weight are left out.
    pub(crate) fn renumbered_duals(&mut self, duals: Duals, cuts: &[Cut]) -> Duals {
        let weights = duals.weights.into_iter().filter(|&(_, weight)| weight > 0);
        let number = |(cut, weight)| (self.number_of(cuts[cut as usize].clone()), weight);
        Duals { weights: weights.map(number).collect(), ..duals }
    }

    /// The same for the duals of steps.
    pub(crate) fn renumbered(&mut self, steps: Vec<Step>, cuts: &[Cut]) -> Vec<Step> {
        let renumber = |step| match step {
            Step::Branch(u, v) => Step::Branch(u, v),
            Step::Leaf(duals) => Step::Leaf(self.renumbered_duals(duals, cuts)),
        };
        steps.into_iter().map(renumber).collect()
    }
}

/// Local cuts are worth their time where the bound is farther than this below what must be exceeded, in moves.
const LEAST_GAP: f64 = 0.6;
/// A cut that was not tight for so many rounds is dropped.
const LOOSE_ROUNDS: u8 = 2;
/// Larger trees are not recorded.
const MOST_LEAVES: usize = 2_000;

/// The state of one refutation.
#[derive(Debug)]
pub(crate) struct Refuter<'m> {
    shared: &'m Shared,
    ending: &'m Ending,
    nodes: usize,
    program: Program,
    edges: Vec<Edge>,
    bounds: Vec<(u8, u8)>,
    /// Edges that could be used but have not been needed yet.
    dormant: Vec<Edge>,
    /// Edges that no plan within the aim can use.
    ruled_out: Vec<Edge>,
    /// The greatest length to be refuted at present.
    aim: u32,
    /// The last length that was refuted, and how; `None` for the latter if it was not recorded.
    refuted: Option<(u32, Option<Record>)>,
    /// The cuts in the program, as numbers into the record, and for how many rounds each was not tight.
    active: Vec<u32>,
    loose: Vec<u8>,
    record: Record,
    recording: bool,
    random: Random,
    /// The edges branched on, and whether the second value of each is under way.
    path: Vec<(usize, bool)>,
    /// The edges that a worker's case fixes; `None` where the whole tree is searched.
    case: Option<Vec<usize>>,
    /// Nodes of the search tree so far.
    pub(crate) visited: u64,
}

impl<'m> Refuter<'m> {
    /// Prepares the refutation of plans with this ending that are shorter than the best known,
    /// over the edges that remain possible: the `active` ones at once, the `dormant` when needed.
    pub(crate) fn new(
        shared: &'m Shared,
        ending: &'m Ending,
        active: &[(u32, u32)],
        dormant: &[(u32, u32)],
    ) -> Self {
        let metric = &shared.metric;
        let nodes = metric.stops() + 1;
        let rest = metric.stops() as u32;
        let mut program = Program::new();
        for _ in 0..nodes {
            program.add_row(Vec::new(), 2.0, true);
        }
        let edge =
            |&(u, v): &(u32, u32)| Edge { u, v, cost: metric.distance(u as usize, v as usize) };
        let mut refuter = Refuter {
            shared,
            ending,
            nodes,
            program,
            edges: Vec::new(),
            bounds: Vec::new(),
            dormant: dormant.iter().map(edge).collect(),
            ruled_out: Vec::new(),
            aim: u32::MAX,
            refuted: None,
            active: Vec::new(),
            loose: Vec::new(),
            record: Record::default(),
            recording: true,
            random: Random::new(7),
            path: Vec::new(),
            case: None,
            visited: 0,
        };
        refuter.activate(active.iter().map(edge).collect());
        let ends = ending.stops.iter().map(|&stop| Edge { u: stop as u32, v: rest, cost: 0 });
        refuter.activate(ends.collect());
        refuter.activate(vec![Edge { u: 0, v: rest, cost: 0 }]);
        refuter.set(refuter.edges.len() - 1, 1, 1);
        refuter
    }

    /// Begins with plans of at most this length instead of all that are shorter than the best.
    pub(crate) fn aiming_at(mut self, length: u32) -> Self {
        self.aim = length;
        self
    }

    /// The cuts in the program.
    pub(crate) fn active_cuts(&self) -> Vec<Cut> {
        self.active.iter().map(|&n| self.record.cuts[n as usize].clone()).collect()
    }

    /// Takes cuts over, if there are none yet.
    pub(crate) fn begin_with(&mut self, cuts: &[Cut]) {
        if self.active.is_empty() {
            for cut in cuts {
                self.add(cut.clone());
            }
        }
    }

    /// The record for the checker, unless it grew too large.
    pub(crate) fn into_record(self) -> Option<Record> {
        let Some((_, record)) = self.refuted else { return self.recording.then_some(self.record) };
        record.map(|record| Record { cuts: self.record.cuts, ..record })
    }

    /// The ending whose plans are refuted.
    pub(crate) fn ending(&self) -> &'m Ending {
        self.ending
    }

    /// The greatest length that must be refuted at present.
    pub(crate) fn target(&self) -> u32 {
        self.ending.target(self.shared.length()).min(self.aim)
    }

    /// Is no plan of this ending shorter than the best?
    pub(crate) fn is_done(&self) -> bool {
        let target = self.ending.target(self.shared.length());
        self.refuted.as_ref().is_some_and(|&(length, _)| length >= target)
    }

    /// Has it begun to branch, long enough for others to be of use?
    pub(crate) fn is_worth_sharing(&self) -> bool {
        self.visited >= self.shared.share_after && !self.path.is_empty()
    }

    /// Keeps how the target was refuted, and aims at the next length.
    fn aim_higher(&mut self, watch: &Watch) {
        let target = self.target();
        self.shared.raise(self.ending, i64::from(target) + 1, 1, watch);
        let Record { sieves, steps, .. } = &mut self.record;
        let record = Record {
            sieves: std::mem::take(sieves),
            steps: std::mem::take(steps),
            ..Record::default()
        };
        self.refuted = Some((target, self.recording.then_some(record)));
        self.recording = true;
        self.aim = target.saturating_add(if self.ending.parity.is_some() { 2 } else { 1 });
        self.dormant.append(&mut self.ruled_out);
        for edge in 0..self.edges.len() {
            if self.bounds[edge] == (0, 0) {
                self.set(edge, 0, 1);
            }
        }
    }

    /// Runs until no plan of this ending is shorter than the best known one (`true`), or for `nodes`
    /// nodes; a later call continues. Shorter plans found become the best known.
    pub(crate) fn run(&mut self, nodes: u64, ticker: &mut Ticker<'_>) -> Result<bool, Halt> {
        for _ in 0..nodes {
            if self.is_done() {
                return Ok(true);
            }
            self.visited += 1;
            match self.node(ticker)? {
                Node::Plan(plan) => self.shared.offer(&plan, ticker.watch()),
                Node::Branch(edge) => {
                    let Edge { u, v, .. } = self.edges[edge];
                    self.note(Step::Branch(u, v));
                    self.set(edge, 1, 1);
                    self.path.push((edge, false));
                }
                Node::Refuted(duals) => {
                    self.note(Step::Leaf(duals));
                    loop {
                        let Some((edge, second)) = self.path.pop() else {
                            if self.case.is_some() {
                                return Ok(true);
                            }
                            self.aim_higher(ticker.watch());
                            break;
                        };
                        if second {
                            self.set(edge, 0, 1);
                        } else {
                            self.set(edge, 0, 0);
                            self.path.push((edge, true));
                            break;
                        }
                    }
                }
            }
        }
        Ok(self.is_done())
    }

    fn note(&mut self, step: Step) {
        if self.recording {
            self.recording = self.record.steps.len() < 2 * MOST_LEAVES;
            self.record.steps.push(step);
        }
    }

    fn set(&mut self, edge: usize, lower: u8, upper: u8) {
        self.bounds[edge] = (lower, upper);
        self.program.bound(edge, f64::from(lower), f64::from(upper));
    }

    fn activate(&mut self, edges: Vec<Edge>) {
        for edge in edges {
            let mut entries = vec![(edge.u, 1.0), (edge.v, 1.0)];
            for (row, &number) in self.active.iter().enumerate() {
                let crossings = self.record.cuts[number as usize].crossings(edge.u, edge.v);
                if crossings > 0 {
                    entries.push(((self.nodes + row) as u32, f64::from(crossings)));
                }
            }
            // Costs are perturbed by less than a fifty-thousandth of a move, to break ties.
            let perturbation = self.random.below(1 << 16) as f64 / f64::from(1 << 16) * 2e-5;
            self.program.add_column(entries, f64::from(edge.cost) + perturbation, 1.0);
            self.edges.push(edge);
            self.bounds.push((0, 1));
        }
    }

    /// Bounds one case: cuts and columns are added until it is refuted, a plan, or undecided.
    fn node(&mut self, ticker: &mut Ticker<'_>) -> Result<Node, Halt> {
        let (mut slow, mut before, mut before_local) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
        let is_root = self.path.is_empty() && self.case.is_none();
        // Cuts of the root serve the whole tree, which is large if there are many stops.
        let is_large = is_root && self.nodes > MANY;
        let patience = if is_large { 15 } else { 4 };
        loop {
            ticker.check()?;
            let target = self.target();
            // The root is solved to its optimum, whatever the aim, as its duals price the dormant edges.
            let least = if is_root { self.ending.target(self.shared.length()) } else { target };
            let cutoff = f64::from(least) + 0.02;
            let verdict = self.program.solve(cutoff, u64::MAX, ticker)?;
            let duals = Duals::rounded(&self.program.proof(), self.nodes, &self.active);
            let bound = self.exact_bound(&duals);
            let surplus = bound - i64::from(target) * UNIT;
            if surplus > 0 {
                if self.price_in(&duals, surplus) {
                    continue;
                }
                return Ok(Node::Refuted(duals));
            }
            let x = self.program.solution();
            let support = self.support(&x);
            let mut found = subtours(self.nodes, &support);
            let has_subtours = !found.is_empty();
            if found.len() < 3 {
                found.extend(combs(self.nodes, &support, &self.active_cuts()));
            }
            self.retain_new(&mut found);
            let value = bound as f64 / UNIT as f64;
            let mut stuck = found.is_empty() || (slow >= patience && !has_subtours);
            // Local cuts come last, and again as long as they raise the bound.
            let may_help = value < f64::from(target) - LEAST_GAP && value > before_local + 0.01;
            if stuck && is_large && may_help && !has_subtours && verdict == Verdict::Optimal {
                before_local = value;
                found = local_cuts(self.nodes, &support, CHUNK, ticker)?;
                self.retain_new(&mut found);
                (slow, stuck) = (0, found.is_empty());
            }
            if !stuck && verdict == Verdict::Optimal {
                slow = if value < before + 0.01 { slow + 1 } else { 0 };
                before = before.max(value);
                self.purge();
                for cut in found {
                    self.add(cut);
                }
                continue;
            }
            if self.price_in(&duals, UNIT / 100) {
                continue;
            }
            if is_root {
                self.fix_by_reduced_costs(&duals, bound, ticker.watch());
            }
            if !has_subtours && let Some(plan) = self.integral(&x) {
                return Ok(Node::Plan(plan));
            }
            return self.choose(&x, ticker);
        }
    }

    /// Keeps the cuts that are not in the program.
    fn retain_new(&self, cuts: &mut Vec<Cut>) {
        let is_active = |cut: &Cut| {
            let number = self.record.numbers.get(cut);
            number.is_some_and(|number| self.active.contains(number))
        };
        cuts.retain(|cut| !is_active(cut));
    }

    fn support(&self, x: &[f64]) -> Vec<FractionalEdge> {
        (self.edges.iter().zip(x))
            .filter(|&(_, &x)| x > 1e-7)
            .map(|(edge, &x)| FractionalEdge { u: edge.u, v: edge.v, x })
            .collect()
    }

    fn add(&mut self, cut: Cut) {
        let count = cut.all_crossings(self.nodes, &self.edges);
        let entries = (count.iter().enumerate())
            .filter(|&(_, &c)| c > 0)
            .map(|(j, &c)| (j as u32, f64::from(c)))
            .collect();
        self.program.add_row(entries, f64::from(cut.right), false);
        self.active.push(self.record.number_of(cut));
        self.loose.push(0);
    }

    /// Drops the cuts that were not tight for some rounds. Earlier would be too early: many solutions have
    /// the same cost, and the next one may violate a cut that this one has no need of.
    fn purge(&mut self) {
        for (row, loose) in (self.nodes..).zip(&mut self.loose) {
            *loose = if self.program.is_slack(row) { *loose + 1 } else { 0 };
        }
        let keep: Vec<bool> = self.loose.iter().map(|&loose| loose < LOOSE_ROUNDS).collect();
        if keep.contains(&false) {
            let keep_rows = [&vec![true; self.nodes], &keep[..]].concat();
            self.program.remove_rows(&keep_rows);
            let mut rows = keep.iter();
            self.active.retain(|_| *rows.next().expect("one flag for each cut"));
            self.loose.retain(|&loose| loose < LOOSE_ROUNDS);
        }
    }

    /// The bound that the duals give over the edges in the program, added up in integers.
    fn exact_bound(&self, duals: &Duals) -> i64 {
        let mut bound = duals.constant(&self.record.cuts);
        for (j, (edge, &(lower, upper))) in self.edges.iter().zip(&self.bounds).enumerate() {
            let reduced = self.reduced(duals, j, edge);
            bound += i128::from(if reduced < 0 { upper } else { lower }) * i128::from(reduced);
        }
        narrowed(bound)
    }

    fn reduced(&self, duals: &Duals, column: usize, edge: &Edge) -> i64 {
        let mut reduced = i64::from(edge.cost) * UNIT;
        for &(row, a) in self.program.entries(column) {
            let row = row as usize;
            reduced -= if row < self.nodes {
                duals.potentials[row]
            } else {
                a as i64 * duals.weights[row - self.nodes].1
            };
        }
        reduced
    }

    /// Adds the dormant edges of most negative reduced cost to the program, if all such edges together
    /// would lower the bound by at least `least`, which is positive.
    fn price_in(&mut self, duals: &Duals, least: i64) -> bool {
        if self.dormant.is_empty() {
            return false;
        }
        let pricing = duals.pricing(&self.record.cuts, self.nodes);
        let mut cheap: Vec<(i64, usize)> = Vec::new();
        for (k, edge) in self.dormant.iter().enumerate() {
            let reduced = pricing.reduced(edge);
            if reduced < 0 {
                cheap.push((reduced, k));
            }
        }
        let sum: i128 = cheap.iter().map(|&(reduced, _)| i128::from(reduced)).sum();
        if -sum < i128::from(least) {
            return false;
        }
        cheap.sort_unstable();
        cheap.truncate(self.nodes);
        let mut picked: Vec<usize> = cheap.into_iter().map(|(_, k)| k).collect();
        picked.sort_unstable_by(|a, b| b.cmp(a));
        let edges = picked.into_iter().map(|k| self.dormant.swap_remove(k)).collect();
        self.activate(edges);
        true
    }

    /// Rules out edges that no plan within the target can use, by their reduced costs.
    fn fix_by_reduced_costs(&mut self, duals: &Duals, bound: i64, watch: &Watch) {
        let pricing = duals.pricing(&self.record.cuts, self.nodes);
        // Dormant edges could still lower the bound.
        let dormant: Vec<i64> = self.dormant.iter().map(|edge| pricing.reduced(edge)).collect();
        let lowered: i128 = dormant.iter().map(|&reduced| i128::from(reduced.min(0))).sum();
        let bound = narrowed(i128::from(bound) + lowered);
        self.shared.raise(self.ending, bound, UNIT, watch);
        let slack = i64::from(self.target()) * UNIT - bound;
        let mut reduced = dormant.into_iter();
        let ruled_out = |_: &mut Edge| reduced.next().expect("one for each") > slack;
        self.ruled_out.extend(self.dormant.extract_if(.., ruled_out));
        for j in 0..self.edges.len() {
            if self.bounds[j] == (0, 1) && self.reduced(duals, j, &self.edges[j]) > slack {
                self.set(j, 0, 0);
            }
        }
        self.record.sieves.push(duals.clone());
    }

    /// The plan that an integral solution is, if it is one.
    fn integral(&self, x: &[f64]) -> Option<Vec<usize>> {
        if x.iter().any(|&x| x > 1e-6 && x < 1.0 - 1e-6) {
            return None;
        }
        let mut links = vec![Vec::new(); self.nodes];
        for (edge, &x) in self.edges.iter().zip(x) {
            if x > 0.5 {
                links[edge.u as usize].push(edge.v as usize);
                links[edge.v as usize].push(edge.u as usize);
            }
        }
        // Rounding may have left a node more or fewer than two edges.
        let links = links.into_iter().map(|list| list.try_into().ok()).collect::<Option<Vec<_>>>();
        let plan = plan_of(&links?)?;
        (self.shared.metric.length(&plan) < self.shared.length()).then_some(plan)
    }

    /// Chooses the edge to branch on by strong branching: a few candidates are tried both ways.
    fn choose(&mut self, x: &[f64], ticker: &mut Ticker<'_>) -> Result<Node, Halt> {
        let mut candidates: Vec<(f64, usize)> = (x.iter().enumerate())
            .filter(|&(j, &x)| x > 1e-5 && x < 1.0 - 1e-5 && self.bounds[j] == (0, 1))
            .map(|(j, &x)| ((x - 0.5).abs() - 0.02 * f64::from(self.edges[j].cost), j))
            .collect();
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        candidates.truncate(if self.nodes > 300 { 6 } else { 12 });
        let cutoff = f64::from(self.target()) + 0.02;
        let (mut pick, mut most) = (None, f64::NEG_INFINITY);
        let basis = self.program.save();
        for &(_, j) in &candidates {
            let mut values = [0.0; 2];
            for (value, side) in values.iter_mut().zip([0.0, 1.0]) {
                self.program.bound(j, side, side);
                let verdict = self.program.solve(cutoff, 30, ticker)?;
                let reached = self.program.objective().min(cutoff + 1.0);
                *value = if verdict == Verdict::Beyond { cutoff + 1.0 } else { reached };
                self.program.restore(&basis);
            }
            self.program.bound(j, 0.0, 1.0);
            let merit = values[0].min(values[1]) * 10.0 + values[0].max(values[1]);
            if merit > most {
                (pick, most) = (Some(j), merit);
            }
        }
        // Where all is integral but not a plan (a rounding error, never seen), any free edge keeps
        // the search complete.
        let free = || self.bounds.iter().position(|&b| b == (0, 1));
        let edge = pick.or_else(free).expect("a case with all edges fixed is a plan or refuted");
        Ok(Node::Branch(edge))
    }
}

enum Node {
    Refuted(Duals),
    Plan(Vec<usize>),
    Branch(usize),
}
