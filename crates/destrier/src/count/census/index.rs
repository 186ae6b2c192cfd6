//! Two ways to keep what numbering needs: every state with its transitions, or the ends of rows.
//!
//! Both answer the same three questions by walking layer by layer and weighing the choices.
//!
//! Invariant: choices are weighed in the order of the sweep, so both give a tour the same number.
//! Cost: a walk takes microseconds with every state at hand, milliseconds with ends of rows only.

use std::ops::ControlFlow;

use super::super::sweep::course::{Choice, Course, NO_LINK};
use super::dag::Dag;
use super::tables::Tables;

/// What a census asks of its tables. Tours are given by the edges chosen.
pub(super) trait Index: Send + Sync + std::fmt::Debug {
    /// How many tours there are.
    fn total(&self) -> u128;
    /// How many states are kept.
    fn states(&self) -> usize;
    /// The edges of the tour with this number, which is below the total.
    fn unrank(&self, number: u128, chosen: &mut Vec<u32>);
    /// The number of the tour with these edges.
    fn rank(&self, chosen: &[bool]) -> Option<u128>;
    /// Shows the tours from this number on.
    fn each(&self, from: u128, visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>);
}

fn push(course: &Course, step: usize, choice: Choice, chosen: &mut Vec<u32>) {
    for link in [choice.first, choice.second] {
        if link != NO_LINK {
            chosen.push(course.edge(step, link));
        }
    }
}

/// Every state, with its transitions.
#[derive(Debug)]
pub(super) struct Whole<const W: usize> {
    course: Course,
    dag: Dag<W>,
    completions: Vec<Vec<u128>>,
}

impl<const W: usize> Whole<W> {
    /// Weighs the states; nothing when a number does not fit.
    pub(super) fn new(course: Course, mut dag: Dag<W>) -> Option<Whole<W>> {
        let completions = dag.completions(|_| 0)?;
        dag.prune(&completions);
        Some(Whole { course, dag, completions })
    }

    fn weight(&self, at: usize, to: Option<usize>) -> u128 {
        to.map_or(1, |to| self.completions[at + 1][to])
    }
}

impl<const W: usize> Index for Whole<W> {
    fn total(&self) -> u128 {
        self.completions[0][0]
    }

    fn states(&self) -> usize {
        self.dag.levels.iter().map(|level| level.states.len()).sum()
    }

    fn unrank(&self, mut number: u128, chosen: &mut Vec<u32>) {
        let mut state = 0;
        for (at, level) in self.dag.levels.iter().enumerate() {
            for way in level.ways(state) {
                let weight = self.weight(at, way.to());
                if number >= weight {
                    number -= weight;
                    continue;
                }
                push(&self.course, at, way.choice, chosen);
                match way.to() {
                    Some(to) => state = to,
                    None => return,
                }
                break;
            }
        }
    }

    fn rank(&self, chosen: &[bool]) -> Option<u128> {
        let (mut state, mut number) = (0, 0);
        for (at, level) in self.dag.levels.iter().enumerate() {
            let choice = self.course.choice(at, |edge| chosen[edge as usize])?;
            let ways = level.ways(state);
            let taken = ways.iter().position(|way| way.choice == choice)?;
            number += ways[..taken].iter().map(|way| self.weight(at, way.to())).sum::<u128>();
            match ways[taken].to() {
                Some(to) => state = to,
                None => return Some(number),
            }
        }
        None
    }

    fn each(&self, mut from: u128, visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) {
        // At each level the state, and the next of its ways to be taken.
        let mut stack: Vec<(usize, usize)> = vec![(0, 0)];
        let mut chosen: Vec<u32> = Vec::with_capacity(self.course.len());
        let mut counts: Vec<usize> = Vec::with_capacity(self.course.len());
        while let Some((state, next)) = stack.last_mut() {
            let at = counts.len();
            let Some(&way) = self.dag.levels[at].ways(*state).get(*next) else {
                stack.pop();
                if let Some(count) = counts.pop() {
                    chosen.truncate(chosen.len() - count);
                }
                continue;
            };
            *next += 1;
            let weight = if from > 0 { self.weight(at, way.to()) } else { 0 };
            if from > 0 && from >= weight {
                from -= weight;
                continue;
            }
            let before = chosen.len();
            push(&self.course, at, way.choice, &mut chosen);
            if let Some(to) = way.to() {
                counts.push(chosen.len() - before);
                stack.push((to, 0));
            } else {
                if visit(&chosen).is_break() {
                    return;
                }
                chosen.truncate(before);
            }
        }
    }
}

/// The ends of rows; what lies between is found again.
#[derive(Debug)]
pub(super) struct Sparse<const W: usize> {
    tables: Tables<W>,
    total: u128,
}

impl<const W: usize> Sparse<W> {
    pub(super) fn new(tables: Tables<W>) -> Sparse<W> {
        let (_, completions) = tables.stretch(0, [0; W]);
        Sparse { total: completions[0][0], tables }
    }

    /// Walks from the start to a whole tour. `pick` chooses among the ways, given their weights.
    fn walk(&self, mut pick: impl FnMut(usize, &[(Choice, u128)]) -> Option<usize>) -> Option<()> {
        let mut start = [0; W];
        let mut at = 0;
        for stop in 0..self.tables.stops() {
            let (dag, completions) = self.tables.stretch(stop, start);
            let mut state = 0;
            let last = dag.levels.len() - 1;
            for (depth, level) in dag.levels[..last].iter().enumerate() {
                let weight = |to: Option<usize>| to.map_or(1, |to| completions[depth + 1][to]);
                let ways: Vec<_> =
                    level.ways(state).iter().filter(|way| weight(way.to()) > 0).collect();
                let weighed: Vec<(Choice, u128)> =
                    ways.iter().map(|way| (way.choice, weight(way.to()))).collect();
                let taken = pick(at, &weighed)?;
                at += 1;
                match ways[taken].to() {
                    Some(to) => state = to,
                    None => return Some(()),
                }
            }
            start = dag.levels[last].states[state];
        }
        None
    }
}

impl<const W: usize> Index for Sparse<W> {
    fn total(&self) -> u128 {
        self.total
    }

    fn states(&self) -> usize {
        self.tables.len()
    }

    fn unrank(&self, mut number: u128, chosen: &mut Vec<u32>) {
        let walked = self.walk(|at, ways| {
            let taken = ways.iter().position(|&(_, weight)| {
                let here = number < weight;
                if !here {
                    number -= weight;
                }
                here
            })?;
            push(self.tables.course(), at, ways[taken].0, chosen);
            Some(taken)
        });
        debug_assert!(walked.is_some(), "a number below the total has a tour");
    }

    fn rank(&self, chosen: &[bool]) -> Option<u128> {
        let mut number = 0;
        self.walk(|at, ways| {
            let choice = self.tables.course().choice(at, |edge| chosen[edge as usize])?;
            let taken = ways.iter().position(|way| way.0 == choice)?;
            number += ways[..taken].iter().map(|way| way.1).sum::<u128>();
            Some(taken)
        })?;
        Some(number)
    }

    fn each(&self, from: u128, visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) {
        let mut chosen = Vec::with_capacity(self.tables.course().len());
        for number in from..self.total {
            chosen.clear();
            self.unrank(number, &mut chosen);
            if visit(&chosen).is_break() {
                return;
            }
        }
    }
}
