//! Cases of a refutation: what a refuter gives to helpers, and how a helper goes from case to case.
//!
//! A case is the root with some edges fixed. The one who began says what helpers must know of the root and
//! which cases are open; a helper enters a case, runs for a while, and leaves it again, with its
//! cuts and its program kept for the next.
//!
//! Invariant: outside a case all edges that branching could choose are free.
//! Cost: fixing an edge is a change of two bounds.

use super::super::cut::Cut;
use super::super::exact::Shared;
use super::super::metric::{Ending, Metric};
use super::super::price::Edge;
use super::super::split::{Fixed, Root};
use super::{Record, Refuter, Step};

impl<'m> Refuter<'m> {
    /// A refuter of cases, that begins with what is known of the root.
    pub(crate) fn helping(
        metric: &'m Metric,
        ending: &'m Ending,
        shared: &'m Shared,
        root: &Root,
    ) -> Self {
        let mut refuter = Refuter::new(metric, ending, shared, &root.pairs, &root.dormant);
        for &(u, v) in &root.barred {
            let edge = refuter.number_of(u, v);
            refuter.set(edge, 0, 0);
        }
        for (sets, right) in &root.cuts {
            refuter.add(Cut { sets: sets.clone(), right: *right });
        }
        refuter.case = Some(Vec::new());
        refuter
    }

    /// What helpers must know, to go on with the cases that are open.
    pub(crate) fn root(&self) -> Root {
        let rest = self.nodes as u32 - 1;
        let branched = |j: usize| self.path.iter().any(|&(edge, _)| edge == j);
        let inner = || self.edges.iter().enumerate().filter(|(_, edge)| edge.v != rest);
        let barred = self.edges.iter().enumerate();
        let barred = barred.filter(|&(j, _)| self.bounds[j] == (0, 0) && !branched(j));
        Root {
            parity: self.ending.parity,
            pairs: inner().map(|(_, edge)| (edge.u, edge.v)).collect(),
            dormant: self.dormant.iter().map(|edge| (edge.u, edge.v)).collect(),
            barred: barred.map(|(_, edge)| (edge.u, edge.v)).collect(),
            cuts: (self.active.iter())
                .map(|&number| &self.record.cuts[number as usize])
                .map(|cut| (cut.sets.clone(), cut.right))
                .collect(),
        }
    }

    /// The cases still to be refuted, below one that fixes some edges, in the order of the search.
    pub(crate) fn open_cases(&self, fixed: &[(u32, u32, bool)]) -> Vec<Fixed> {
        let named = |&(edge, second): &(usize, bool)| {
            let Edge { u, v, .. } = self.edges[edge];
            (u, v, !second)
        };
        let way: Fixed = self.path.iter().map(named).collect();
        let mut cases = vec![[fixed, &way[..]].concat()];
        for at in (0..way.len()).rev().filter(|&at| way[at].2) {
            let mut case = [fixed, &way[..at]].concat();
            case.push((way[at].0, way[at].1, false));
            cases.push(case);
        }
        cases
    }

    /// Goes to a case.
    pub(crate) fn enter(&mut self, fixed: &[(u32, u32, bool)]) {
        let mut case = Vec::with_capacity(fixed.len());
        for &(u, v, used) in fixed {
            let edge = self.number_of(u, v);
            self.set(edge, u8::from(used), u8::from(used));
            case.push(edge);
        }
        self.case = Some(case);
    }

    /// Goes back to the root; gives the steps that were taken in the case, if they were recorded.
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

    /// Takes over what helpers did with the open cases; none if it was not recorded.
    pub(crate) fn adopt(&mut self, record: Option<Record>) {
        let Some(Record { cuts, steps, .. }) = record else {
            self.recording = false;
            return;
        };
        let numbers: Vec<u32> = cuts.into_iter().map(|cut| self.record.number_of(cut)).collect();
        for mut step in steps {
            if let Step::Leaf(duals) = &mut step {
                duals.weights.iter_mut().for_each(|(cut, _)| *cut = numbers[*cut as usize]);
            }
            self.note(step);
        }
    }

    /// The number of an edge in the program, which it joins if it has not been needed yet.
    fn number_of(&mut self, u: u32, v: u32) -> usize {
        let is_it = |edge: &Edge| (edge.u, edge.v) == (u, v);
        if let Some(dormant) = self.dormant.iter().position(is_it) {
            let edge = self.dormant.swap_remove(dormant);
            self.activate(vec![edge]);
        }
        self.edges.iter().position(is_it).expect("the edge is one of the root's")
    }
}
