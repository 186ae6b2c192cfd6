//! The first steps of a last row by several processes: who takes which states, and who gets which part.
//!
//! The first steps leave some squares alone. States that differ in the degrees of these never meet on the
//! way, so each process takes the classes that are dealt to it, and nothing is done twice. What comes of it falls
//! into parts by its final degrees; each part goes from all processes to the one that will finish it.
//!
//! Invariant: every state is stepped by one process, every part finished by one.
//! Cost: two passes over the states before the row; sixteen bytes for each state that changes hands.

use std::ops::Range;

use crate::count::middle::half::plan::{Plan, Work};
use crate::count::middle::half::state::{State, degree};
use crate::count::middle::half::sweep::{Buffers, Part, Row, Shares, Sink, Source, Wanted};
use crate::count::middle::join::pattern::Pattern;
use crate::count::middle::slices::engine::copied;
use crate::count::middle::storage::pages::{PageList, Store, Writer};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// The processes that share a row.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Team {
    /// How many threads each has.
    pub(in crate::count::middle) threads: Vec<u64>,
    /// Which of them this one is.
    pub(in crate::count::middle) own: usize,
    /// How many buckets all of them can tell apart.
    pub(in crate::count::middle) buckets: usize,
}

impl Team {
    pub(in crate::count::middle) fn is_alone(&self) -> bool {
        self.threads.len() == 1
    }

    /// Which of so many things this process takes, by threads.
    pub(in crate::count::middle) fn stretch(&self, things: usize) -> Range<usize> {
        let all: u64 = self.threads.iter().sum();
        let edge = |of: usize| {
            let before: u64 = self.threads[..of].iter().sum();
            usize::try_from(things as u128 * u128::from(before) / u128::from(all.max(1)))
                .expect("fewer")
        };
        edge(self.own)..edge(self.own + 1)
    }

    /// Who gets which load: the heaviest first, to whoever will be done with it soonest.
    pub(in crate::count::middle) fn deal(&self, loads: &[u64]) -> Vec<usize> {
        let mut heaviest: Vec<usize> = (0..loads.len()).collect();
        heaviest.sort_by_key(|&at| std::cmp::Reverse(loads[at]));
        let mut busy = vec![0_u64; self.threads.len()];
        let mut owners = vec![0; loads.len()];
        for at in heaviest {
            let load = |owner: usize| (busy[owner] + loads[at]) / self.threads[owner].max(1);
            let owner = (0..busy.len()).min_by_key(|&owner| load(owner)).unwrap_or(0);
            busy[owner] += loads[at];
            owners[at] = owner;
        }
        owners
    }

    /// Of the states before a row, those that this process takes through the first steps.
    pub(in crate::count::middle) fn own(
        &self,
        states: &[PageList],
        plan: &Plan,
        steps: usize,
        store: &Store,
    ) -> Result<Vec<PageList>, Halt> {
        let slots = untouched(plan, steps);
        let class = |state| slots.iter().fold(0, |class, &slot| 3 * class + degree(state, slot));
        let classes = 3_usize.pow(u32::try_from(slots.len()).expect("few"));
        let counted = threads::try_map(states, |list| {
            let mut loads = vec![0_u64; classes];
            for page in list.pages() {
                store.show(page, |states| {
                    for &state in states {
                        loads[class(state)] += 1;
                    }
                })?;
            }
            Ok(loads)
        })?;
        let loads: Vec<u64> =
            (0..classes).map(|class| counted.iter().map(|loads| loads[class]).sum()).collect();
        let owners = self.deal(&loads);
        copied(states, |state| owners[class(state)] == self.own, store)
    }
}

/// The number of first steps that leave about so many parts; it depends on the plan alone.
pub(in crate::count::middle) fn first_steps(plan: &Plan, enough: usize) -> usize {
    let files = plan.exit.len() / 2;
    let mut touched = [0; 32];
    let mut parts = 1;
    for (at, step) in plan.steps.iter().enumerate() {
        if let Work::Settle { ahead, .. } = &step.work {
            for &slot in ahead {
                touched[slot] += 1;
            }
        }
        for &(slot, _) in &step.final_slots {
            // A square of the next row has edges from before.
            let is_near = (files..2 * files).contains(&slot);
            parts *= if is_near { 3 } else { 1 + touched[slot].min(2) };
        }
        if parts >= enough {
            return at + 1;
        }
    }
    plan.steps.len()
}

/// Squares whose degrees the first steps leave as they are; so few that their classes can be listed.
fn untouched(plan: &Plan, steps: usize) -> Vec<usize> {
    let mut is_touched = [false; 32];
    for step in &plan.steps[..steps] {
        match &step.work {
            Work::Settle { slot, ahead, .. } => {
                ahead.iter().chain([slot]).for_each(|&slot| is_touched[slot] = true);
            }
            Work::End { slot, .. } => is_touched[*slot] = true,
        }
    }
    (0..plan.exit.len()).filter(|&slot| !is_touched[slot]).take(8).collect()
}

/// The states of a row after its first steps, in parts.
#[derive(Debug)]
pub(in crate::count::middle) struct Spread {
    steps: usize,
    known: Pattern,
    parts: Vec<Part<'static>>,
}

impl Spread {
    /// The final degrees of each part, and how many states it has.
    pub(in crate::count::middle) fn sizes(&self) -> impl Iterator<Item = (Pattern, usize)> {
        self.parts.iter().map(|part| (part.pattern, part.len()))
    }

    /// The bytes that it takes to write a part of so many states.
    pub(in crate::count::middle) const fn written_size(states: u64) -> u64 {
        16 + states * size_of::<State>() as u64
    }

    /// Writes the parts of others to their shares, and keeps its own.
    pub(in crate::count::middle) fn give(
        &mut self,
        owner: impl Fn(Pattern) -> usize,
        own: usize,
        shares: &mut [Vec<u8>],
        store: &Store,
    ) -> Result<(), Halt> {
        for part in std::mem::take(&mut self.parts) {
            let to = owner(part.pattern);
            if to == own {
                self.parts.push(part);
                continue;
            }
            let share = &mut shares[to];
            share.extend_from_slice(&part.pattern.to_le_bytes());
            share.extend_from_slice(&(part.len() as u64).to_le_bytes());
            for list in part.lists {
                list.each_page(store, |states| {
                    share.extend_from_slice(bytemuck::cast_slice(states));
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Adds the parts that another process wrote.
    pub(in crate::count::middle) fn take(
        &mut self,
        mut bytes: &[u8],
        store: &Store,
    ) -> Result<(), Halt> {
        while let Some((pattern, rest)) = bytes.split_first_chunk() {
            let (length, rest) = rest.split_first_chunk().expect("a number of states");
            let length = usize::try_from(u64::from_le_bytes(*length)).expect("in memory");
            let (states, rest) = rest.split_at(length * size_of::<State>());
            let mut writer = Writer::default();
            for state in states.as_chunks().0 {
                writer.push(State::from_ne_bytes(*state), store)?;
            }
            let pattern = Pattern::from_le_bytes(*pattern);
            let list = Source::Own(writer.finish(store)?);
            match self.parts.iter_mut().find(|part| part.pattern == pattern) {
                Some(part) => part.lists.push(list),
                None => self.parts.push(Part { pattern, lists: vec![list] }),
            }
            bytes = rest;
        }
        Ok(())
    }

    /// A part that stays where it is.
    pub(in crate::count::middle) fn shown(&self, part: usize) -> Part<'_> {
        let Part { pattern, lists } = &self.parts[part];
        Part { pattern: *pattern, lists: lists.iter().map(Source::shown).collect() }
    }

    /// All parts, to be taken on.
    pub(in crate::count::middle) fn into_parts(self) -> Vec<Part<'static>> {
        self.parts
    }

    /// How far the parts have come: the step, and the places whose degrees are final.
    pub(in crate::count::middle) fn progress(&self) -> (usize, Pattern) {
        (self.steps, self.known)
    }
}

impl<W: Wanted> Row<'_, W> {
    /// Takes the first steps for all states together, until so many steps have left so many parts as is enough.
    pub(in crate::count::middle) fn spread(
        &self,
        lists: Vec<Source<'_>>,
        is_enough: impl Fn(usize, usize) -> bool,
        store: &Store,
        watch: &Watch,
    ) -> Result<Spread, Halt> {
        let shares = Shares::of(store);
        let mut known = self.plan.steps[0].places();
        let whole = Part { pattern: 0, lists };
        let mut parts = self.step(0, known, whole, &shares, (store, watch))?;
        let mut steps = 1;
        while steps < self.plan.steps.len() && !is_enough(steps, parts.len()) {
            known |= self.plan.steps[steps].places();
            let mut finer = Vec::new();
            for part in parts {
                finer.extend(self.step(steps, known, part, &shares, (store, watch))?);
            }
            parts = finer;
            steps += 1;
        }
        Ok(Spread { steps, known, parts })
    }

    /// Takes one part to the end of the row by itself.
    pub(in crate::count::middle) fn finish_part<S: Sink>(
        &self,
        part: Part<'_>,
        (at, known): (usize, Pattern),
        store: &Store,
        buffers: &mut Buffers<'_>,
        sink: &mut S,
    ) -> Result<(), Halt> {
        let pattern = part.pattern;
        let states = self.gathered(part.lists, &mut buffers.room, store)?;
        let _charge = store.charge_anyway(size_of_val(&states[..]) as u64);
        self.descend(at, known, pattern, &states, buffers, sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::middle::half::cut::{Cut, Ends, Side};

    #[test]
    fn loads_are_dealt_out_evenly_and_by_threads() {
        let loads: Vec<u64> = (1..=100).collect();
        for threads in [vec![1], vec![1, 1], vec![1, 3], vec![2, 2, 4]] {
            let team = Team { threads: threads.clone(), own: 0, buckets: 1 };
            let owners = team.deal(&loads);
            for (owner, &own) in threads.iter().enumerate() {
                let mine = (0..loads.len()).filter(|&at| owners[at] == owner);
                let sum: u64 = mine.map(|at| loads[at]).sum();
                let fair = 5050 * own / threads.iter().sum::<u64>();
                assert!(sum.abs_diff(fair) <= 4, "{threads:?}: {sum} of {fair}");
            }
        }
    }

    #[test]
    fn stretches_follow_each_other_to_the_end() {
        for threads in [vec![1], vec![1, 1], vec![1, 3], vec![2, 2, 4]] {
            for things in [0, 1, 7, 1000] {
                let ends = (0..threads.len()).fold(0, |from, own| {
                    let team = Team { threads: threads.clone(), own, buckets: 1 };
                    let stretch = team.stretch(things);
                    assert_eq!(stretch.start, from, "{threads:?}");
                    stretch.end
                });
                assert_eq!(ends, things, "{threads:?}");
            }
        }
        let team = Team { threads: vec![1, 3], own: 1, buckets: 1 };
        assert_eq!(team.stretch(1000), 250..1000);
    }

    #[test]
    fn the_first_steps_leave_parts_enough_and_squares_alone() {
        let cut = Cut::new(8, 8, Ends::Closed);
        let plan = Plan::new(&cut, Side::Top, 2);
        assert_eq!(first_steps(&plan, 1), 1);
        assert_eq!(first_steps(&plan, 16), 5);
        // Three squares of the row itself, and three of the next.
        assert_eq!(untouched(&plan, 5), [3, 4, 5, 9, 14, 15]);
        assert_eq!(first_steps(&plan, usize::MAX), plan.steps.len());
        assert!(untouched(&plan, plan.steps.len()).is_empty());
    }
}
