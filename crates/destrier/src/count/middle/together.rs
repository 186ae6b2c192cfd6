//! One slice worked out by several processes together.
//!
//! All take the first steps of the last row, which leaves parts; each finishes some of the parts, and gives
//! what it has kept to all others. Then all hold the same kept halves, and each joins some of the pairs of
//! patterns. Parts and pairs go by number, so it does not matter who does which.
//!
//! Invariant: every part is finished by one process, every pair joined by one; the sums add up to the slice's.
//! Cost: the first rows, the first steps of the last, and the index of what is kept are done by all; each
//! needs the memory that one alone would need. Slices dealt out need less, and more time.
//! After: the two ways to share this work, by slices and within one, compared in `docs/mpi.md`.

use std::ops::Range;

use num_bigint::BigUint;

use super::cut::Side;
use super::engine::{Begun, MiddleCount, Partial, Stop};
use super::halves::{Loaded, Shelving, Table};
use super::harvest::Harvest;
use super::pair::Pair;
use super::plan::Plan;
use super::report::Report;
use super::slice::{InSlice, Slice};
use super::sweep::{Row, Spread};
use crate::watch::Watch;

/// A slice after the first steps of its last row, in parts.
#[derive(Debug)]
pub struct Parts<'b> {
    question: MiddleCount,
    begun: &'b Begun,
    slice: Slice,
    halves: Vec<Half>,
}

#[derive(Debug)]
struct Half {
    side: Side,
    plan: Plan,
    wanted: InSlice,
    spread: Spread,
}

/// What a part has left to keep.
#[derive(Debug)]
pub struct Sheaf<'b> {
    half: usize,
    harvest: Harvest<'b>,
}

/// Both halves as kept, and the pairs of patterns to join.
#[derive(Debug)]
pub struct Bound<'b> {
    table: Table,
    slice: Slice,
    top: Loaded<'b>,
    bottom: Option<Loaded<'b>>,
    pairs: Vec<Pair>,
}

impl MiddleCount {
    /// Takes the first steps of a slice, until each half has parts enough.
    ///
    /// # Errors
    /// When the watch halts, or the memory is too little.
    pub fn part<'b>(
        &self,
        begun: &'b Begun,
        slice: Slice,
        enough: usize,
        watch: &Watch,
    ) -> Result<Parts<'b>, Stop> {
        let mut halves = Vec::new();
        for side in [Side::Top, Side::Bottom] {
            let Some(states) = begun.states(side) else { continue };
            let plan = self.last_plan(side);
            let wanted = self.wanted(slice, side, &plan);
            let fitting = self.fitting(states, &wanted, begun.store())?;
            let first = fitting.as_deref().unwrap_or(states);
            let packing = self.half(side).packing();
            let row = Row { plan: &plan, packing, wanted: &wanted, report: Report::SILENT };
            let spread = row.spread(first, begun.store(), enough, watch)?;
            halves.push(Half { side, plan, wanted, spread });
        }
        Ok(Parts { question: *self, begun, slice, halves })
    }
}

impl<'b> Parts<'b> {
    /// The parts, largest first: which half, and the number in it.
    #[must_use]
    pub fn list(&self) -> Vec<(usize, usize)> {
        let mut list: Vec<(usize, usize, usize)> = Vec::new();
        for (half, own) in self.halves.iter().enumerate() {
            let sizes = own.spread.sizes().into_iter().enumerate();
            list.extend(sizes.map(|(part, size)| (size, half, part)));
        }
        list.sort_unstable_by(|one, other| other.cmp(one));
        list.into_iter().map(|(_, half, part)| (half, part)).collect()
    }

    /// Finishes a part.
    ///
    /// # Errors
    /// When the watch halts, or the memory is too little.
    pub fn finish(&self, (half, part): (usize, usize), watch: &Watch) -> Result<Sheaf<'b>, Stop> {
        let Half { plan, wanted, spread, .. } = &self.halves[half];
        let mut sheaf = self.empty(half);
        let packing = self.question.half(self.halves[half].side).packing();
        let row = Row { plan, packing, wanted, report: Report::SILENT };
        row.finish_part(spread, part, self.begun.store(), watch, &mut sheaf.harvest)?;
        Ok(sheaf)
    }

    fn empty(&self, half: usize) -> Sheaf<'b> {
        let Half { side, plan, .. } = &self.halves[half];
        let packing = self.question.half(*side).packing();
        let layout = self.question.layout(*side);
        Sheaf { half, harvest: Harvest::new(layout, plan, packing, self.begun.store()) }
    }

    /// Sheaves as bytes, for the others.
    ///
    /// # Errors
    /// When the scratch folder fails.
    pub fn write(&self, sheaves: &[Sheaf<'_>]) -> Result<Vec<u8>, Stop> {
        let mut bytes =
            Vec::with_capacity(sheaves.iter().map(|sheaf| 8 + sheaf.harvest.written_size()).sum());
        for sheaf in sheaves {
            bytes.extend_from_slice(&(sheaf.half as u64).to_le_bytes());
            sheaf.harvest.write(&mut bytes)?;
        }
        Ok(bytes)
    }

    /// Sheaves from the bytes of another process.
    ///
    /// # Errors
    /// When there is no room for them.
    ///
    /// # Panics
    /// When the bytes are not of sheaves.
    pub fn read(&self, mut bytes: &[u8]) -> Result<Vec<Sheaf<'b>>, Stop> {
        let mut sheaves = Vec::new();
        while let Some((half, rest)) = bytes.split_first_chunk() {
            let half = usize::try_from(u64::from_le_bytes(*half)).expect("one of two");
            let mut sheaf = self.empty(half);
            bytes = sheaf.harvest.read(rest)?;
            sheaves.push(sheaf);
        }
        Ok(sheaves)
    }

    /// Lays all sheaves of all processes together.
    ///
    /// # Errors
    /// When counts are too large to be kept, or there is no room for them.
    ///
    /// # Panics
    /// Never: every board has a top half.
    pub fn bind(self, sheaves: Vec<Sheaf<'_>>) -> Result<Bound<'b>, Stop> {
        let Parts { question, slice, halves, begun } = self;
        let mut of_half: Vec<Vec<Harvest<'_>>> = halves.iter().map(|_| Vec::new()).collect();
        for sheaf in sheaves {
            of_half[sheaf.half].push(sheaf.harvest);
        }
        let links = question.cut().links();
        let mut loaded = halves.iter().zip(of_half).map(|(half, harvests)| {
            let shelving = Shelving::new(question.layout(half.side), harvests)?;
            let shelving = shelving.ok_or(Stop::TooLarge)?;
            Ok::<_, Stop>(Loaded::whole(shelving, &links, begun.store())?)
        });
        let top = loaded.next().expect("a top half")?;
        let bottom = loaded.next().transpose()?;
        drop(loaded);
        let table = Table { links, symmetries: question.symmetries() };
        let pairs = table.pairs(&top, bottom.as_ref().unwrap_or(&top), question.is_of(slice));
        Ok(Bound { table, slice, top, bottom, pairs })
    }
}

impl Bound<'_> {
    /// How many pairs there are to join.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Joins some of the pairs, with the threads of the pool that this is called in.
    ///
    /// # Errors
    /// When the watch halts, or numbers outgrow 128 bits.
    pub fn join(&self, pairs: Range<usize>, watch: &Watch) -> Result<BigUint, Stop> {
        let lower = self.bottom.as_ref().unwrap_or(&self.top);
        let telling = (Report::SILENT, watch);
        let joined = self.table.join(&self.pairs[pairs], &self.top, lower, telling)?;
        Ok(joined.ok_or(Stop::TooLarge)?.sum)
    }

    /// The slice with the sum of all that was joined.
    #[must_use]
    pub fn partial(&self, sum: BigUint) -> Partial {
        let kept = self.top.len() + self.bottom.as_ref().map_or(0, Loaded::len);
        Partial { slice: self.slice, sum, kept: kept as u64, pairs: self.pairs.len() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use destrier_rules::{Board, TourProblem};

    #[test]
    fn several_together_count_as_one_alone() {
        let open = TourProblem::open(Board::new(5, 6).expect("a board"));
        let closed = TourProblem::closed(Board::new(6, 7).expect("a board"));
        let watch = Watch::unlimited();
        for (problem, depth) in [(&open, 0), (&open, 1), (&closed, 0), (&closed, 1)] {
            let question = MiddleCount::new(problem).expect("a fitting board");
            let begun = question.begin(None, &watch).expect("room");
            for slice in question.slices(depth) {
                let alone = question.run(&begun, slice, &watch).expect("room");
                for processes in [1, 2, 3] {
                    let part =
                        || question.part(&begun, slice, 10 * processes, &watch).expect("room");
                    let share = |process: usize| -> Vec<Sheaf<'_>> {
                        let parts = part();
                        let own = parts.list().into_iter().skip(process).step_by(processes);
                        own.map(|number| parts.finish(number, &watch).expect("room")).collect()
                    };
                    let written: Vec<Vec<u8>> = (0..processes)
                        .map(|process| part().write(&share(process)).expect("room"))
                        .collect();
                    let mut sum = BigUint::ZERO;
                    let mut partial = None;
                    for process in 0..processes {
                        let parts = part();
                        let sheaves =
                            written.iter().flat_map(|bytes| parts.read(bytes).expect("room"));
                        let sheaves = sheaves.collect();
                        let bound = parts.bind(sheaves).expect("small counts");
                        let (from, to) = (
                            process * bound.pairs() / processes,
                            (process + 1) * bound.pairs() / processes,
                        );
                        sum += bound.join(from..to, &watch).expect("small counts");
                        partial = Some(bound.partial(sum.clone()));
                    }
                    assert_eq!(partial.as_ref(), Some(&alone), "{processes} processes");
                }
            }
        }
    }
}
