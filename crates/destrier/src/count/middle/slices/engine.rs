//! One count, slice by slice.
//!
//! All rows of a half but the last are settled once, for all slices. The last row is then swept for as many slices as the
//! memory holds: what leads to their degrees is kept, and the pairs of patterns of each slice are joined.
//!
//! Invariant: the sum of a slice depends on the question and the slice alone.
//! Cost: `docs/middle.md` has the numbers of states and times.
//! Source: `docs/design.md`, section 2.

use std::time::Duration;

use destrier_rules::{Shape, Square, TourProblem};
use num_bigint::BigUint;

use crate::count::middle::half::budget::Budget;
use crate::count::middle::half::column::{Cell, Layer};
use crate::count::middle::half::cut::{Cut, Ends, Side};
use crate::count::middle::half::kept::{Collector, Filing, Kept};
use crate::count::middle::half::rows::{Before, Half};
use crate::count::middle::half::sweep::Sweep;
use crate::count::middle::join::meeting::Meeting;
use crate::count::middle::slices::report::Report;
use crate::count::middle::slices::slice::{Slice, Slicing};
use crate::outcome::{SolveError, Stop};
use crate::run::watch::{Halt, Watch};

/// Slices that are worked out together are done after about so long, so that not too much is lost if the run ends.
pub(in crate::count::middle) const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// The widest shorter side of a board.
const WIDEST: usize = 10;

/// A question made ready for meeting in the middle.
#[derive(Clone, Copy, Debug)]
pub struct MiddleCount {
    cut: Cut,
    mirror: bool,
}

/// The columns before the last row of each half: what all slices begin with.
#[derive(Debug)]
pub struct Begun {
    first: First,
    budget: Budget,
}

/// With cells of 32 bits, while these are wide enough.
#[derive(Debug)]
pub(in crate::count::middle) enum First {
    Narrow(Rows<u32>),
    Wide(Rows<u64>),
}

#[derive(Debug)]
pub(in crate::count::middle) struct Rows<C> {
    top: Before<C>,
    /// Where the halves differ.
    bottom: Option<Before<C>>,
}

impl<C: Cell> Rows<C> {
    /// The columns before the last row of a half, if it is not just the other one upside down.
    pub(in crate::count::middle) fn before(&self, side: Side) -> Option<&Layer<C>> {
        match side {
            Side::Top => Some(&self.top.layer),
            Side::Bottom => self.bottom.as_ref().map(|before| &before.layer),
        }
    }
}

/// What a slice came to.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The slice.
    pub slice: Slice,
    /// Its share of the number of undirected tours; in JSON and the like as decimal digits.
    #[cfg_attr(feature = "serde", serde(with = "digits"))]
    pub sum: BigUint,
    /// Entries kept for the slice.
    pub kept: u64,
    /// Pairs of patterns joined.
    pub pairs: u64,
}

/// A number as its decimal digits.
#[cfg(feature = "serde")]
mod digits {
    use num_bigint::BigUint;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(in crate::count::middle) fn serialize<S: Serializer>(
        number: &BigUint,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(in crate::count::middle) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<BigUint, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| de::Error::custom(format!("`{text}` is not a number")))
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
                "the board is {width}x{height}, but the shorter side must be 3 to {WIDEST}, and the longer at least 4"
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
        // A state's number has less than a bit for each square of its half, and much less on narrow boards; what outgrows 64
        // bits all the same is noticed.
        let slots = 2 * short + 3 + usize::from(cut.is_open());
        let most = (72 + 2 * short).max(136 + 2 * short - 5 * slots);
        if short * cut.depth(Side::Bottom) > most {
            return unsuited(format!(
                "the board is {width}x{height}, and the numbers of its halves may outgrow 64 bits; `transfer` counts on \
                 strips of any length that are at most 5 wide"
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

    /// The slices of the next depth that a slice can be cut into; none if it is as deep as they go.
    #[must_use]
    pub fn within(&self, slice: Slice) -> Vec<Slice> {
        self.slicing().within(slice)
    }

    /// The greatest depth of slices.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.slicing().deepest()
    }

    fn slicing(&self) -> Slicing<'_> {
        Slicing::new(&self.cut)
    }

    pub(in crate::count::middle) fn cut(&self) -> &Cut {
        &self.cut
    }

    pub(in crate::count::middle) fn of(cut: Cut) -> MiddleCount {
        MiddleCount { cut, mirror: true }
    }

    pub(in crate::count::middle) fn half(&self, side: Side) -> Half {
        Half { cut: self.cut, side, mirror: self.mirror && self.cut.is_mirror_symmetric() }
    }

    /// How many outer files get their edges between the middle rows while the last row is swept.
    ///
    /// One is a little faster than none, and a slice needs those of the files that it fixes.
    fn early(slices: &[Slice]) -> usize {
        slices.iter().map(Slice::depth).max().unwrap_or_default().max(1)
    }

    /// Settles all rows but the last of each half, within the memory given.
    ///
    /// # Errors
    /// When the watch halts, the memory is too little, or counts outgrow 64 bits.
    pub fn begin(&self, memory: Option<u64>, watch: &Watch) -> Result<Begun, Stop> {
        let budget = self.budget(memory, watch);
        let first = match self.first_rows(&budget, watch) {
            Err(Stop::Overflow) => First::Wide(self.first_rows(&budget, watch)?),
            rows => First::Narrow(rows?),
        };
        Ok(Begun { first, budget })
    }

    pub(in crate::count::middle) fn budget(&self, memory: Option<u64>, watch: &Watch) -> Budget {
        Budget::new(memory, watch.threads(), &self.cut)
    }

    pub(in crate::count::middle) fn first_rows<C: Cell>(
        &self,
        budget: &Budget,
        watch: &Watch,
    ) -> Result<Rows<C>, Stop> {
        let blank = Before::first_row(budget)?;
        let settle = |side, row, first: &Before<C>| {
            self.half(side).before_last(&first.layer, row, budget, watch)
        };
        let top = settle(Side::Top, 0, &blank)?;
        if self.cut.has_equal_halves() {
            return Ok(Rows { top, bottom: None });
        }
        // Where both halves are asked the same, they have the same first rows.
        let bottom = if self.cut.is_mirror_symmetric() {
            settle(Side::Bottom, self.cut.depth(Side::Top) - 1, &top)?
        } else {
            settle(Side::Bottom, 0, &blank)?
        };
        Ok(Rows { top, bottom: Some(bottom) })
    }

    /// Works out slices of one depth: the first ones, as many as fit the memory and do not take too long together, and at
    /// least one.
    ///
    /// # Errors
    /// When the watch halts, the memory is too little for the first slice, or numbers outgrow 128 bits.
    pub fn run(
        &self,
        begun: &Begun,
        slices: &[Slice],
        watch: &Watch,
    ) -> Result<Vec<Partial>, Stop> {
        self.run_part(begun, slices, Some(PATIENCE), Report::silent(watch))
    }

    pub(in crate::count::middle) fn run_part(
        &self,
        begun: &Begun,
        slices: &[Slice],
        patience: Option<Duration>,
        report: Report<'_>,
    ) -> Result<Vec<Partial>, Stop> {
        let Begun { first, budget } = begun;
        match first {
            First::Narrow(rows) => match self.work_out(rows, slices, budget, patience, report) {
                Err(Stop::Overflow) => {
                    let rows: Rows<u64> = self.first_rows(budget, report.watch)?;
                    self.work_out(&rows, slices, budget, patience, report)
                }
                partials => partials,
            },
            First::Wide(rows) => self.work_out(rows, slices, budget, patience, report),
        }
    }

    fn work_out<C: Cell>(
        &self,
        rows: &Rows<C>,
        slices: &[Slice],
        budget: &Budget,
        patience: Option<Duration>,
        report: Report<'_>,
    ) -> Result<Vec<Partial>, Stop> {
        let mut many = slices.len();
        loop {
            let shared = budget.shared_by(many, patience);
            match self.sweep_and_join(rows, &slices[..many], &shared, report) {
                // What was swept may still be too much to be joined; half of it takes half as much.
                Err(Stop::Halt(Halt::Memory)) if shared.open() > 1 => many = shared.open() / 2,
                partials => return partials,
            }
        }
    }

    /// Sweeps the last row once, and joins what was collected.
    fn sweep_and_join<C: Cell>(
        &self,
        rows: &Rows<C>,
        slices: &[Slice],
        budget: &Budget,
        report: Report<'_>,
    ) -> Result<Vec<Partial>, Stop> {
        // Shares of the time, as measured on 8x8.
        let sweep = if self.cut.is_open() { 0.8 } else { 0.6 };
        let (first, second) = match &rows.bottom {
            None => (report.part(0.0, sweep), report),
            Some(_) => (report.part(0.0, sweep / 5.0), report.part(sweep / 5.0, sweep)),
        };
        let keep = |side, report| {
            let layer = rows.before(side);
            layer.map(|layer| self.keep(layer, slices, side, budget, report)).transpose()
        };
        let top = keep(Side::Top, first)?.expect("every board has a top half");
        let bottom = keep(Side::Bottom, second)?;
        let slices = &slices[..budget.open()];
        let meeting = self.meeting(slices, top, bottom, budget)?;
        let partials = meeting.join_slices(slices, report.part(sweep, 1.0))?;
        meeting.give_back();
        Ok(partials)
    }

    /// Two halves ready to be joined.
    pub(in crate::count::middle) fn meeting<C: Cell>(
        &self,
        slices: &[Slice],
        top: Kept<C>,
        bottom: Option<Kept<C>>,
        budget: &Budget,
    ) -> Result<Meeting<C>, Stop> {
        let cells = self.slicing().cells(slices, Side::Top);
        let (early, mirror) = (Self::early(slices), self.half(Side::Top).mirror);
        Meeting::new(&self.cut, early, mirror, top, bottom, &cells, budget)
    }

    /// Settles the last row of a half as far as slices want it.
    fn keep<C: Cell>(
        &self,
        layer: &Layer<C>,
        slices: &[Slice],
        side: Side,
        budget: &Budget,
        report: Report<'_>,
    ) -> Result<Kept<C>, Stop> {
        self.on_last_row(slices, side, budget, report, |sweep, filing| {
            let collectors = sweep.run(layer, &|| Collector::new(filing, budget))?;
            Kept::new(filing, collectors, budget, report.watch)
        })
    }

    /// Makes the last row of a half ready to be swept as far as slices want it, and has it swept.
    pub(in crate::count::middle) fn on_last_row<R>(
        &self,
        slices: &[Slice],
        side: Side,
        budget: &Budget,
        report: Report<'_>,
        sweep: impl FnOnce(&Sweep<'_>, &Filing) -> Result<R, Stop>,
    ) -> Result<R, Stop> {
        let (half, early) = (self.half(side), Self::early(slices));
        let cells = self.slicing().cells(slices, side);
        let steps = half.last_steps(early);
        let wanted = cells.wanted(half.slots(), &steps);
        let row = Sweep { steps: &steps, wanted: &wanted, budget, report };
        sweep(&row, &half.filing(early, cells))
    }
}

impl Begun {
    pub(in crate::count::middle) fn first(&self) -> &First {
        &self.first
    }

    pub(in crate::count::middle) fn budget(&self) -> &Budget {
        &self.budget
    }
}
