//! One count, slice by slice.
//!
//! All rows of a half but the last are settled once, for all slices. A slice then settles the last row as far
//! as it leads to the slice's degrees, keeps what is left, and joins the pairs of patterns that are its own.
//!
//! Invariant: the sum of a slice depends on the question and the slice alone.
//! Cost: `docs/middle.md` has the numbers of states and times.
//! After: the design note's section 4.

use destrier_rules::{Shape, Square, TourProblem};
use num_bigint::BigUint;
use rayon::prelude::*;

use super::budget::Budget;
use super::cut::{Cut, Ends, Side};
use super::kept::{Harvest, Kept};
use super::link::{Linker, bound};
use super::pair::{Joined, Pair, Symmetries, join_all, pairs_of};
use super::plan::{Plan, slots};
use super::report::Report;
use super::slice::{InSlice, Slice, Slicing};
use super::state::{State, degree};
use super::sweep::{Half, Row};
use crate::outcome::SolveError;
use crate::watch::{Halt, Watch};

/// The widest shorter side of a board: its states must fit sixteen bytes.
const WIDEST: usize = 10;

/// A question made ready for meeting in the middle.
#[derive(Clone, Copy, Debug)]
pub struct MiddleCount {
    cut: Cut,
    mirror: bool,
}

/// The states before the last row of each half: what all slices begin with.
#[derive(Debug)]
pub struct Begun {
    top: Vec<State>,
    /// Where the halves differ.
    bottom: Option<Vec<State>>,
    budget: Budget,
}

impl Begun {
    /// The states before the last row of a half, if it is not just the other one upside down.
    pub(super) fn states(&self, side: Side) -> Option<&[State]> {
        match side {
            Side::Top => Some(&self.top),
            Side::Bottom => self.bottom.as_deref(),
        }
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }
}

/// What a slice came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The slice.
    pub slice: Slice,
    /// Its share of the number of undirected tours.
    pub sum: BigUint,
    /// Entries kept for the slice.
    pub kept: u64,
    /// Pairs of patterns joined.
    pub pairs: u64,
}

/// Why a slice has no sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The run was halted; for [`Halt::Memory`] smaller slices may do.
    Halted(Halt),
    /// Numbers of the question do not fit 128 bits.
    TooLarge,
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Stop {
        Stop::Halted(halt)
    }
}

impl MiddleCount {
    /// Makes a question ready.
    ///
    /// # Errors
    /// When it is not about a knight on a plain rectangle of a fitting size.
    pub fn new(problem: &TourProblem) -> Result<MiddleCount, SolveError> {
        let unsuited = |why: String| Err(SolveError::Unsuited { method: "middle", why });
        if !problem.is_classic() {
            return unsuited("it counts tours of a knight on plain rectangles only".to_owned());
        }
        let (width, height) = (problem.board.files() as usize, problem.board.ranks() as usize);
        let (short, long) = (width.min(height), width.max(height));
        if short < 3 || long < 4 || short > WIDEST {
            return unsuited(format!(
                "the board is {width}x{height}, and the shorter side must be 3 to {WIDEST}, the longer 4 or more"
            ));
        }
        let place = |square: Square| (square.file as usize, square.rank as usize);
        let ends = match (problem.shape, problem.start.map(place), problem.end.map(place)) {
            (Shape::Closed, Some(_), Some(_)) => {
                return unsuited("a closed tour with both its start and its end given".to_owned());
            }
            (Shape::Closed, _, _) => Ends::Closed,
            (Shape::Open, None, None) => Ends::Free,
            (Shape::Open, Some(end), None) | (Shape::Open, None, Some(end)) => Ends::From(end),
            (Shape::Open, Some(start), Some(end)) => Ends::Between(start, end),
        };
        let cut = Cut::new(width, height, ends);
        // Longer halves are counted as well, but their counts outgrow a state and slow everything down.
        let room = 128 - 5 * slots(&cut) + 8 + 2 * short;
        if short * cut.depth(Side::Bottom) > room {
            return unsuited(format!(
                "the board is {width}x{height}: for long strips the transfer method is made"
            ));
        }
        Ok(MiddleCount { cut, mirror: true })
    }

    /// The same count with or without keeping one of two mirror images; the sum is the same.
    #[must_use]
    pub fn with_mirror(self, mirror: bool) -> MiddleCount {
        MiddleCount { mirror, ..self }
    }

    /// A line that says which question this is, the same for the same question only.
    #[must_use]
    pub fn question(&self) -> String {
        let Cut { files, rows, ends } = self.cut;
        match ends {
            Ends::Closed => format!("closed {files}x{rows}"),
            Ends::Free => format!("open {files}x{rows}"),
            Ends::From((f, r)) => format!("open {files}x{rows} from {f},{r}"),
            Ends::Between((f, r), (g, s)) => {
                let ((f, r), (g, s)) = ((f, r).min((g, s)), (f, r).max((g, s)));
                format!("open {files}x{rows} between {f},{r} and {g},{s}")
            }
        }
    }

    /// The slices of a depth; their sums add up to the count.
    #[must_use]
    pub fn slices(&self, depth: usize) -> Vec<Slice> {
        self.slicing().all(depth.min(self.deepest())).into_iter().collect()
    }

    /// The slices that a slice can be cut into; none if it is as deep as they go.
    #[must_use]
    pub fn within(&self, slice: Slice) -> Vec<Slice> {
        if slice.depth() < self.deepest() { self.slicing().within(slice) } else { Vec::new() }
    }

    /// The greatest depth of slices.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.slicing().deepest()
    }

    fn slicing(&self) -> Slicing<'_> {
        Slicing::new(&self.cut, self.symmetries())
    }

    fn symmetries(&self) -> Symmetries {
        // Slices are cut alike with and without the mirror, so that a journal serves both.
        Symmetries::of(&self.cut)
    }

    pub(super) fn cut(&self) -> &Cut {
        &self.cut
    }

    pub(super) fn of(cut: Cut) -> MiddleCount {
        MiddleCount { cut, mirror: true }
    }

    pub(super) fn half(&self, side: Side) -> Half {
        Half { cut: self.cut, side, mirror: self.mirror && self.cut.is_mirror_symmetric() }
    }

    /// Settles all rows but the last of each half, within the memory given.
    ///
    /// # Errors
    /// When the watch halts, or the memory is too little.
    pub fn begin(&self, memory: Option<u64>, watch: &Watch) -> Result<Begun, Halt> {
        let budget = Budget::new(memory);
        let blank = vec![self.half(Side::Top).packing().blank()];
        let top = self.settle(Side::Top, 0, blank.clone(), &budget, watch)?;
        if self.cut.has_equal_halves() {
            return Ok(Begun { top, bottom: None, budget });
        }
        // Where both halves are asked the same, they have the same first rows.
        let bottom = if self.cut.is_mirror_symmetric() {
            self.settle(Side::Bottom, self.cut.depth(Side::Top) - 1, top.clone(), &budget, watch)?
        } else {
            self.settle(Side::Bottom, 0, blank, &budget, watch)?
        };
        Ok(Begun { top, bottom: Some(bottom), budget })
    }

    /// Settles the rows of a half from one row on, but for the last.
    fn settle(
        &self,
        side: Side,
        row: usize,
        mut states: Vec<State>,
        budget: &Budget,
        watch: &Watch,
    ) -> Result<Vec<State>, Halt> {
        let before = budget.used();
        for row in row..self.cut.depth(side) - 1 {
            states = self.half(side).settle_row(row, states, budget, watch)?;
            budget.set_used(before);
        }
        budget.charge(size_of_val(&states[..]) as u64)?;
        Ok(states)
    }

    /// Works out a slice.
    ///
    /// # Errors
    /// When the watch halts, the memory is too little for a slice of this size, or numbers outgrow 128 bits.
    pub fn run(&self, begun: &Begun, slice: Slice, watch: &Watch) -> Result<Partial, Stop> {
        self.run_part(begun, slice, Report::SILENT, watch)
    }

    pub(super) fn run_part(
        &self,
        begun: &Begun,
        slice: Slice,
        report: Report,
        watch: &Watch,
    ) -> Result<Partial, Stop> {
        let before = begun.budget.used();
        let partial = self.work_out(begun, slice, report, watch);
        begun.budget.set_used(before);
        partial
    }

    fn work_out(
        &self,
        begun: &Begun,
        slice: Slice,
        report: Report,
        watch: &Watch,
    ) -> Result<Partial, Stop> {
        // Shares of the time, as measured on 8x8.
        let sweep = if self.cut.is_open() { 0.8 } else { 0.5 };
        let (first, second) = match &begun.bottom {
            None => (report.part(0.0, sweep), Report::SILENT),
            Some(_) => (report.part(0.0, sweep / 5.0), report.part(sweep / 5.0, sweep)),
        };
        let top = self.keep(slice, Side::Top, &begun.top, begun, (first, watch))?;
        let bottom = match &begun.bottom {
            None => None,
            Some(states) => Some(self.keep(slice, Side::Bottom, states, begun, (second, watch))?),
        };
        let pairs = self.pairs(slice, &top, bottom.as_ref());
        let telling = (report.part(sweep, 1.0), watch);
        let sum = self.join(&pairs, &top, bottom.as_ref(), telling)?;
        let kept = top.len() + bottom.as_ref().map_or(0, Kept::len);
        Ok(Partial { slice, sum, kept: kept as u64, pairs: pairs.len() as u64 })
    }

    /// The pairs of patterns of a slice, in an order that depends on nothing else.
    pub(super) fn pairs(&self, slice: Slice, top: &Kept, bottom: Option<&Kept>) -> Vec<Pair> {
        let links = self.cut.links();
        let upper = Linker::new(top, &links);
        let lower = bottom.map(|kept| Linker::new(kept, &links));
        let slicing = self.slicing();
        pairs_of(&upper, lower.as_ref(), &self.symmetries(), |pattern| {
            slicing.slice_of(pattern, slice.depth()) == slice
        })
    }

    /// Joins pairs of patterns.
    pub(super) fn join(
        &self,
        pairs: &[Pair],
        top: &Kept,
        bottom: Option<&Kept>,
        telling: (Report, &Watch),
    ) -> Result<BigUint, Stop> {
        let links = self.cut.links();
        let upper = Linker::new(top, &links);
        let lower = Linker::new(bottom.unwrap_or(top), &links);
        let fits = |kept: &Kept| bound(kept, links.len()).is_some_and(|bound| bound >> 64 == 0);
        let middle = self.cut.middle();
        let joined = if fits(top) && bottom.is_none_or(fits) {
            join_all::<u64>(pairs, &upper, &lower, middle, telling)?
        } else {
            join_all::<u128>(pairs, &upper, &lower, middle, telling)?
        };
        let Joined { sum, .. } = joined.ok_or(Stop::TooLarge)?;
        Ok(sum)
    }

    /// How to settle the last row of a half.
    pub(super) fn last_plan(&self, side: Side) -> Plan {
        Plan::new(&self.cut, side, self.cut.depth(side) - 1)
    }

    /// What a slice wants of the last row of a half.
    pub(super) fn wanted(&self, slice: Slice, side: Side, plan: &Plan) -> InSlice {
        self.slicing().wanted(slice, side, plan, self.half(side).mirror)
    }

    /// The states before the last row that can come to what is wanted.
    pub(super) fn fitting(
        &self,
        states: &[State],
        wanted: &InSlice,
        begun: &Begun,
    ) -> Result<Vec<State>, Halt> {
        let gaps = wanted.gaps(&self.cut);
        let fits = |state: State| gaps.iter().all(|gap| gap.fits(degree(state, gap.slot)));
        let first: Vec<State> = states.par_iter().copied().filter(|&state| fits(state)).collect();
        // The list, the next ones dealt out from it, and room to merge them.
        begun.budget.charge(6 * size_of_val(&first[..]) as u64)?;
        Ok(first)
    }

    /// Settles the last row of a half as far as a slice wants it.
    fn keep(
        &self,
        slice: Slice,
        side: Side,
        states: &[State],
        begun: &Begun,
        (report, watch): (Report, &Watch),
    ) -> Result<Kept, Stop> {
        let half = self.half(side);
        let packing = half.packing();
        let plan = self.last_plan(side);
        let wanted = self.wanted(slice, side, &plan);
        let first = self.fitting(states, &wanted, begun)?;
        let row = Row { plan: &plan, packing, wanted: &wanted, report };
        let new_harvest = || Harvest::new(self.cut.middle(), &plan, packing, &begun.budget);
        let harvests = row.run(first, watch, new_harvest)?;
        Kept::new(self.cut.middle(), harvests, half.mirror, &self.cut.links()).ok_or(Stop::TooLarge)
    }
}
