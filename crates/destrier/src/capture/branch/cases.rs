//! Cases of a refutation: what a refuter hands to workers, and how a worker goes from case to case.
//!
//! A case is the root with some edges fixed. The process that begins describes the root and lists the
//! open cases; a worker enters a case, runs for some nodes, and leaves it again. Its cuts and its
//! linear program are kept for the next.
//!
//! Invariant: outside a case all edges that branching could choose are free.
//! Cost: fixing an edge changes two bounds.

use super::super::cut::Cut;
use super::super::distributed::{FixedEdges, Root};
use super::super::exact::Shared;
use super::super::metric::Ending;
use super::super::pricing::Edge;
use super::{Record, Refuter, Step};
use crate::run::watch::Watch;

impl<'m> Refuter<'m> {
    /// A refuter of cases, which begins with what is known about the root.
    pub(crate) fn of_cases(shared: &'m Shared, ending: &'m Ending, root: &Root) -> Self {
        let mut refuter = Refuter::new(shared, ending, &root.active, &root.dormant);
        for &(u, v) in &root.barred {
            let edge = refuter.number_of(u, v);
            refuter.set(edge, 0, 0);
        }
        for cut in &root.cuts {
            refuter.add(cut.clone());
        }
        refuter.case = Some(Vec::new());
        refuter
    }

    /// What workers must know to continue with the open cases.
    pub(crate) fn root(&self) -> Root {
        let rest = self.nodes as u32 - 1;
        let branched = |j: usize| self.path.iter().any(|&(edge, _)| edge == j);
        let barred = self.edges.iter().enumerate();
        let barred = barred.filter(|&(j, _)| self.bounds[j] == (0, 0) && !branched(j));
        let ends = |edge: &Edge| (edge.u, edge.v);
        Root {
            parity: self.ending.parity,
            active: self.edges.iter().filter(|edge| edge.v != rest).map(ends).collect(),
            dormant: self.dormant.iter().map(ends).collect(),
            barred: barred.map(|(_, edge)| ends(edge)).collect(),
            cuts: self.active_cuts(),
        }
    }

    /// The cases still to be refuted, below one that fixes some edges, in the order of the search.
    pub(crate) fn open_cases(&self, fixed: &[(u32, u32, bool)]) -> Vec<FixedEdges> {
        let named = |&(edge, second): &(usize, bool)| {
            let Edge { u, v, .. } = self.edges[edge];
            (u, v, !second)
        };
        let path: FixedEdges = self.path.iter().map(named).collect();
        let mut cases = vec![[fixed, &path[..]].concat()];
        for at in (0..path.len()).rev().filter(|&at| path[at].2) {
            let mut case = [fixed, &path[..at]].concat();
            case.push((path[at].0, path[at].1, false));
            cases.push(case);
        }
        cases
    }

    /// Leaves the open cases to others, who refute all plans of at most this length.
    pub(crate) fn hand_out(&mut self) -> (Root, Vec<FixedEdges>, u32) {
        let shared = (self.root(), self.open_cases(&[]), self.target());
        for (edge, _) in std::mem::take(&mut self.path) {
            self.set(edge, 0, 1);
        }
        shared
    }

    /// Takes over how they were refuted, and goes on with the next length.
    pub(crate) fn take_back(&mut self, record: Option<Record>, watch: &Watch) {
        self.adopt(record);
        self.aim_higher(watch);
    }

    /// Enters a case.
    pub(crate) fn enter(&mut self, fixed: &[(u32, u32, bool)]) {
        let mut case = Vec::with_capacity(fixed.len());
        for &(u, v, used) in fixed {
            let edge = self.number_of(u, v);
            self.set(edge, u8::from(used), u8::from(used));
            case.push(edge);
        }
        self.case = Some(case);
    }

    /// Returns to the root, with the steps taken in the case if they were recorded.
    pub(crate) fn leave(&mut self) -> Option<Vec<Step>> {
        let branched = self.path.drain(..).map(|(edge, _)| edge);
        let fixed = self.case.replace(Vec::new()).into_iter().flatten();
        for edge in branched.chain(fixed).collect::<Vec<_>>() {
            self.set(edge, 0, 1);
        }
        let steps = std::mem::take(&mut self.record.steps);
        std::mem::replace(&mut self.recording, true).then_some(steps)
    }

    /// The cuts that steps refer to.
    pub(crate) fn cuts(&self) -> &[Cut] {
        &self.record.cuts
    }

    /// Takes over what workers did with the open cases; `None` if it was not recorded.
    pub(crate) fn adopt(&mut self, record: Option<Record>) {
        let Some(Record { cuts, steps, .. }) = record else {
            self.recording = false;
            return;
        };
        for step in self.record.renumbered(steps, &cuts) {
            self.note(step);
        }
    }

    /// The number of an edge in the linear program, which it joins if it was dormant.
    fn number_of(&mut self, u: u32, v: u32) -> usize {
        let is_it = |edge: &Edge| (edge.u, edge.v) == (u, v);
        if let Some(dormant) = self.dormant.iter().position(is_it) {
            let edge = self.dormant.swap_remove(dormant);
            self.activate(vec![edge]);
        }
        self.edges.iter().position(is_it).expect("the edge is one of the root's")
    }
}
