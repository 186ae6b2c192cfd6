//! One count, slice by slice.
//!
//! All rows of a half but the last are settled once, for all slices. A slice then settles the last row as far
//! as it leads to the slice's degrees, keeps what is left, and joins the pairs of patterns that are its own.
//!
//! Invariant: the sum of a slice depends on the question and the slice alone.
//! Cost: `docs/middle.md` has the numbers of states and times.
//! Source: `docs/design.md`, section 2.

use std::path::PathBuf;

use destrier_rules::{Shape, Square, TourProblem};
use num_bigint::BigUint;

use crate::count::middle::half::collector::Collector;
use crate::count::middle::half::cut::{Cut, Ends, Side};
use crate::count::middle::half::plan::{Plan, slots};
use crate::count::middle::half::rows::Half;
use crate::count::middle::half::state::{State, degree};
use crate::count::middle::half::sweep::{Row, Source};
use crate::count::middle::join::halves::{Halves, Shelving};
use crate::count::middle::join::kept::Layout;
use crate::count::middle::join::pair::{Joined, Symmetries};
use crate::count::middle::join::pattern::Pattern;
use crate::count::middle::slices::report::Report;
use crate::count::middle::slices::slice::{InSlice, Slice, Slicing};
use crate::count::middle::storage::pages::{PageList, Store, Writer};
use crate::outcome::{SolveError, Stop};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

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
    top: Vec<PageList>,
    /// Where the halves differ.
    bottom: Option<Vec<PageList>>,
    store: Store,
}

impl Begun {
    /// The states before the last row of a half, if it is not just the other one upside down.
    pub(in crate::count::middle) fn states(&self, side: Side) -> Option<&[PageList]> {
        match side {
            Side::Top => Some(&self.top),
            Side::Bottom => self.bottom.as_deref(),
        }
    }

    pub(in crate::count::middle) fn store(&self) -> &Store {
        &self.store
    }

    /// What went wrong with the scratch folder, if anything did: then smaller slices do not help.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.store.trouble()
    }

    /// The most bytes that the scratch file has held so far.
    #[must_use]
    pub fn on_disk(&self) -> u64 {
        self.store.away()
    }
}

/// Where a count may put what its memory does not hold.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// A folder for a file without a name, gone when the run ends however it ends.
    pub folder: PathBuf,
}

impl Default for Scratch {
    /// The system's folder for temporary files. In a browser there is none: what is put there fails.
    fn default() -> Scratch {
        let is_without_disk = cfg!(target_family = "wasm");
        let folder = if is_without_disk { PathBuf::new() } else { std::env::temp_dir() };
        Scratch { folder }
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

    pub(in crate::count::middle) fn symmetries(&self) -> Symmetries {
        // Slices are cut alike with and without the mirror, so that a journal serves both.
        Symmetries::of(&self.cut)
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

    /// Settles all rows but the last of each half, within the memory given and the system's folder for
    /// temporary files.
    ///
    /// # Errors
    /// When the watch halts, or the memory is too little.
    pub fn begin(&self, memory: Option<u64>, watch: &Watch) -> Result<Begun, Halt> {
        self.begin_in(memory, &Scratch::default(), watch).map_err(|(halt, _)| halt)
    }

    /// Settles all rows but the last of each half, within the memory given; what is more goes to a folder.
    ///
    /// # Errors
    /// When the watch halts, or the memory or the folder is too little; with what is wrong with the folder.
    pub fn begin_in(
        &self,
        memory: Option<u64>,
        scratch: &Scratch,
        watch: &Watch,
    ) -> Result<Begun, (Halt, Option<String>)> {
        let store = Store::new(memory, &scratch.folder, watch);
        match self.first_rows(&store, watch) {
            Ok((top, bottom)) => Ok(Begun { top, bottom, store }),
            Err(halt) => Err((halt, store.trouble())),
        }
    }

    fn first_rows(
        &self,
        store: &Store,
        watch: &Watch,
    ) -> Result<(Vec<PageList>, Option<Vec<PageList>>), Halt> {
        let mut blank = Writer::default();
        blank.push(self.half(Side::Top).packing().blank(), store)?;
        let blank = [blank.finish(store)?];
        let top = self.settle(Side::Top, 0, &blank, store, watch)?;
        if self.cut.has_equal_halves() {
            return Ok((top, None));
        }
        // Where both halves are asked the same, they have the same first rows.
        let bottom = if self.cut.is_mirror_symmetric() {
            self.settle(Side::Bottom, self.cut.depth(Side::Top) - 1, &top, store, watch)?
        } else {
            self.settle(Side::Bottom, 0, &blank, store, watch)?
        };
        Ok((top, Some(bottom)))
    }

    /// Settles the rows of a half from one row on, but for the last.
    fn settle(
        &self,
        side: Side,
        row: usize,
        first: &[PageList],
        store: &Store,
        watch: &Watch,
    ) -> Result<Vec<PageList>, Halt> {
        let last = self.cut.depth(side) - 1;
        let half = self.half(side);
        let mut lists = None;
        for row in row..last {
            let sources = match lists.take() {
                None => first.iter().map(Source::Shared).collect(),
                Some(lists) => Vec::into_iter(lists).map(Source::Own).collect(),
            };
            lists = Some(half.settle_row(row, sources, store, watch)?);
        }
        lists.map_or_else(|| copied(first, |_| true, store), Ok)
    }

    /// Works out a slice.
    ///
    /// # Errors
    /// When the watch halts, the memory is too little for a slice of this size, or numbers outgrow 128 bits.
    pub fn run(&self, begun: &Begun, slice: Slice, watch: &Watch) -> Result<Partial, Stop> {
        self.run_part(begun, slice, Report::SILENT, watch)
    }

    pub(in crate::count::middle) fn run_part(
        &self,
        begun: &Begun,
        slice: Slice,
        report: Report,
        watch: &Watch,
    ) -> Result<Partial, Stop> {
        let mark = begun.store.mark();
        let partial = self.work_out(begun, slice, report, watch);
        begun.store.reset(mark);
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
        let links = self.cut.links();
        let store = &begun.store;
        let top = self.keep(slice, Side::Top, &begun.top, store, (first, watch))?;
        let bottom = match &begun.bottom {
            None => None,
            Some(states) => Some(self.keep(slice, Side::Bottom, states, store, (second, watch))?),
        };
        let halves = Halves { top, bottom, links: &links, symmetries: self.symmetries(), store };
        let joined = halves.join(self.is_of(slice), (report.part(sweep, 1.0), watch))?;
        let Joined { sum, pairs, kept } = joined.ok_or(Stop::Overflow)?;
        Ok(Partial { slice, sum, kept, pairs })
    }

    /// How to settle the last row of a half.
    pub(in crate::count::middle) fn last_plan(&self, side: Side) -> Plan {
        Plan::new(&self.cut, side, self.cut.depth(side) - 1)
    }

    /// What a slice wants of the last row of a half.
    pub(in crate::count::middle) fn wanted(
        &self,
        slice: Slice,
        side: Side,
        plan: &Plan,
    ) -> InSlice {
        self.slicing().wanted(slice, side, plan, self.half(side).mirror)
    }

    /// The states before the last row that can come to what is wanted; nothing where all can.
    pub(in crate::count::middle) fn fitting(
        &self,
        states: &[PageList],
        wanted: &InSlice,
        store: &Store,
    ) -> Result<Option<Vec<PageList>>, Halt> {
        let gaps = wanted.gaps(&self.cut);
        if gaps.is_empty() {
            return Ok(None);
        }
        let fits = |state: State| gaps.iter().all(|gap| gap.fits(degree(state, gap.slot)));
        copied(states, fits, store).map(Some)
    }

    /// How the last row of a half is laid out.
    pub(in crate::count::middle) fn layout(&self, side: Side) -> Layout {
        Layout::new(self.cut.middle(), self.half(side).mirror, &self.cut.links())
    }

    /// Which pairs belong to a slice.
    pub(in crate::count::middle) fn is_of(
        &self,
        slice: Slice,
    ) -> impl Fn(Pattern) -> bool + Sync + '_ {
        let slicing = self.slicing();
        move |pattern| slicing.slice_of(pattern, slice.depth()) == slice
    }

    /// Settles the last row of a half as far as a slice wants it.
    fn keep(
        &self,
        slice: Slice,
        side: Side,
        states: &[PageList],
        store: &Store,
        (report, watch): (Report, &Watch),
    ) -> Result<Shelving, Stop> {
        let packing = self.half(side).packing();
        let plan = self.last_plan(side);
        let wanted = self.wanted(slice, side, &plan);
        let first = match self.fitting(states, &wanted, store)? {
            Some(fitting) => fitting.into_iter().map(Source::Own).collect(),
            None => states.iter().map(Source::Shared).collect(),
        };
        let row = Row { plan: &plan, packing, wanted: &wanted, report };
        let layout = self.layout(side);
        let harvests =
            row.run(first, store, watch, || Collector::new(layout, &plan, packing, store))?;
        Shelving::new(layout, harvests)?.ok_or(Stop::Overflow)
    }
}

/// The states of some lists that pass, in lists of their own.
pub(in crate::count::middle) fn copied(
    lists: &[PageList],
    passes: impl Fn(State) -> bool + Sync,
    store: &Store,
) -> Result<Vec<PageList>, Halt> {
    threads::try_map(lists, |list| {
        let mut writer = Writer::default();
        for page in list.pages() {
            store.show(page, |states| {
                let mut states = states.iter().filter(|&&state| passes(state));
                states.try_for_each(|&state| writer.push(state, store))
            })??;
        }
        writer.finish(store)
    })
}
