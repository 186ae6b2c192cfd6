//! Two ways to keep what numbering needs: every state with its transitions, or the ends of rows.
//!
//! Both answer the same three questions by walking layer by layer and weighing the choices.
//!
//! Invariant: choices are weighed in the order of the sweep, so both give a tour the same number.
//! Cost: a walk takes microseconds with every state stored, milliseconds with ends of rows only; to
//! list in order takes under a microsecond per tour with every state stored.

use std::ops::ControlFlow;

use destrier_rules::Tour;

use super::super::sweep::course::{Choice, Course, NO_LINK};
use super::super::sweep::state::State;
use super::dag::Dag;
use super::stretch::{Onward, Stretch, Weighed};
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
    /// The tours themselves, where they are kept instead of edges.
    fn few(&self) -> Option<&[Tour]> {
        None
    }
}

/// The tours of a board that is too small for edges to tell them apart.
#[derive(Debug)]
pub(super) struct Few(pub(super) Vec<Tour>);

impl Index for Few {
    fn total(&self) -> u128 {
        self.0.len() as u128
    }

    fn states(&self) -> usize {
        self.0.len()
    }

    fn unrank(&self, _: u128, _: &mut Vec<u32>) {}

    fn rank(&self, _: &[bool]) -> Option<u128> {
        None
    }

    fn each(&self, _: u128, _: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) {}

    fn few(&self) -> Option<&[Tour]> {
        Some(&self.0)
    }
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
    states: usize,
    /// The ways of each level once more, as listing needs them.
    leaps: Vec<Vec<Leap>>,
}

/// A way that knows where the ways of its state end, and where those of the next state begin: one
/// look at memory a step.
#[derive(Clone, Copy, Debug)]
struct Leap {
    choice: Choice,
    /// Is it the last way of its state?
    is_last: bool,
    /// The place of the next state's first way; [`END`] for a whole tour.
    to: u32,
}

const END: u32 = u32::MAX;

impl<const W: usize> Whole<W> {
    /// Weighs the states; nothing when a number does not fit.
    pub(super) fn new(course: Course, mut dag: Dag<W>) -> Option<Whole<W>> {
        let completions = dag.completions()?;
        dag.prune(&completions);
        let leaps = (0..dag.levels.len())
            .map(|at| {
                let place = |to: usize| dag.levels[at + 1].first_way(to);
                let mut leaps = Vec::new();
                for state in 0..dag.levels[at].states.len() {
                    let ways = dag.levels[at].ways(state);
                    leaps.extend(ways.iter().enumerate().map(|(i, way)| Leap {
                        choice: way.choice,
                        is_last: i + 1 == ways.len(),
                        to: way.to().map_or(END, place),
                    }));
                }
                leaps
            })
            .collect();
        let states = dag.levels.iter().map(|level| level.states.len()).sum();
        // Only their numbers are needed from here on.
        dag.levels.iter_mut().for_each(|level| level.states = Vec::new());
        Some(Whole { course, dag, completions, states, leaps })
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
        self.states
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

    fn each(&self, from: u128, visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) {
        if from >= self.total() {
            return;
        }
        // For each level the place of the way taken, and how many edges were chosen before it.
        let mut taken: Vec<(u32, usize)> = Vec::with_capacity(self.course.len());
        let mut chosen: Vec<u32> = Vec::with_capacity(self.course.len());
        self.descend(from, &mut taken);
        for (at, (place, before)) in taken.iter_mut().enumerate() {
            *before = chosen.len();
            push(&self.course, at, self.leaps[at][*place as usize].choice, &mut chosen);
        }
        loop {
            if visit(&chosen).is_break() {
                return;
            }
            // Back to the last level with a way left …
            let mut place = loop {
                let Some((place, before)) = taken.pop() else { return };
                chosen.truncate(before);
                if !self.leaps[taken.len()][place as usize].is_last {
                    break place + 1;
                }
            };
            // … and on by first ways to a whole tour.
            loop {
                let at = taken.len();
                let leap = self.leaps[at][place as usize];
                taken.push((place, chosen.len()));
                push(&self.course, at, leap.choice, &mut chosen);
                if leap.to == END {
                    break;
                }
                place = leap.to;
                self.touch(at + 1, place);
            }
        }
    }
}

impl<const W: usize> Whole<W> {
    /// The places of the ways that make the tour with this number.
    fn descend(&self, mut number: u128, taken: &mut Vec<(u32, usize)>) {
        let mut state = 0;
        for (at, level) in self.dag.levels.iter().enumerate() {
            for (place, way) in (level.first_way(state)..).zip(level.ways(state)) {
                let weight = self.weight(at, way.to());
                if number >= weight {
                    number -= weight;
                    continue;
                }
                taken.push((place, 0));
                match way.to() {
                    Some(to) => state = to,
                    None => return,
                }
                break;
            }
        }
    }

    /// Looks at what all ways of a state lead to, so that the waits for memory overlap.
    #[inline]
    fn touch(&self, at: usize, mut place: u32) {
        let Some(next) = self.leaps.get(at + 1) else { return };
        let mut sum = 0;
        loop {
            let leap = self.leaps[at][place as usize];
            sum ^= next.get(leap.to as usize).map_or(0, |leap| leap.to);
            if leap.is_last {
                break;
            }
            place += 1;
        }
        std::hint::black_box(sum);
    }
}

/// The ends of rows; what lies between is found again.
#[derive(Debug)]
pub(super) struct Sparse<const W: usize> {
    tables: Tables<W>,
    /// The first row, which every tour goes through.
    first: Weighed<W>,
}

impl<const W: usize> Sparse<W> {
    pub(super) fn new(tables: Tables<W>) -> Sparse<W> {
        Sparse { first: Stretch::new(&tables, 0, [0; W]).weighed(), tables }
    }

    fn stretch(&self, stop: usize, state: State<W>) -> Stretch<'_, W> {
        if stop == 0 {
            Stretch::known(&self.tables, stop, &self.first)
        } else {
            Stretch::new(&self.tables, stop, state)
        }
    }
}

impl<const W: usize> Index for Sparse<W> {
    fn total(&self) -> u128 {
        self.first.1[0][0]
    }

    fn states(&self) -> usize {
        self.tables.len()
    }

    fn unrank(&self, number: u128, chosen: &mut Vec<u32>) {
        let mut onward = Some(Onward { state: [0; W], total: self.total(), number });
        let mut stop = 0;
        while let Some(Onward { state, total, number }) = onward {
            let choices;
            (choices, onward) = self.stretch(stop, state).unrank(number, total);
            for (at, choice) in (self.tables.stop(stop)..).zip(choices) {
                push(self.tables.course(), at, choice, chosen);
            }
            stop += 1;
        }
    }

    fn rank(&self, chosen: &[bool]) -> Option<u128> {
        let course = self.tables.course();
        let (mut number, mut onward) = (0, Some(([0; W], self.total())));
        let mut stop = 0;
        while let Some((state, total)) = onward {
            let begin = self.tables.stop(stop);
            let choice = |depth| course.choice(begin + depth, |edge| chosen[edge as usize]);
            let before;
            (before, onward) = self.stretch(stop, state).rank(total, choice)?;
            number += before;
            stop += 1;
        }
        Some(number)
    }

    fn each(&self, from: u128, visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) {
        let mut chosen = Vec::with_capacity(self.tables.course().len());
        for number in from..self.total() {
            chosen.clear();
            self.unrank(number, &mut chosen);
            if visit(&chosen).is_break() {
                return;
            }
        }
    }
}
