//! Counting tours by meeting in the middle.
//!
//! The board is cut at two middle rows. Each half is swept row by row, which leaves for every pattern of
//! degrees on the middle squares the ways to pair up the path ends; the two halves are then joined
//! pattern by pattern. Symmetry halves the work twice, and the work falls into [`Slice`]s that
//! are independent of each other.
//!
//! ```text
//! half: a half swept ─► join: the halves joined        slices: parts of the count ─► journal
//! ```
//!
//! Invariant: the sum over all slices is the number of undirected tours, however it is sliced.
//! Cost: 8×8 closed in 3 s of one core and 0.2 GB; `docs/middle.md` has more.
//! Uses: `run`, and of `count` only the number of tours; its folders are `half`, `join`, which uses `half`, and `slices`, which uses both.
//! Source: `docs/design.md`, section 2; Knuth's and Iwashita's frontiers; the diagrams of the Brauer algebra.

pub(in crate::count) mod half;
pub(in crate::count) mod join;
mod slices;

use std::path::{Path, PathBuf};

use destrier_rules::{Problem as _, TourProblem};

use crate::count::TourCount;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::clock::Moment;
use crate::run::options::Options;
use crate::run::watch::{Halt, Watch};

pub use crate::outcome::Stop;
pub use slices::agenda::Agenda;
use slices::engine::PATIENCE;
pub use slices::engine::{Begun, MiddleCount, Partial};
pub(crate) use slices::estimate::estimate;
pub use slices::estimate::{Estimate, Figure};
use slices::journal::{Journal, JournalError};
use slices::report::Report;
pub use slices::slice::Slice;
pub use slices::together::{Bound, agreed};

/// Meets in the middle: wide boards, closed and open.
#[derive(Debug)]
pub(crate) struct Middle;

/// How a count by `middle` is run; the answer does not depend on it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A folder to keep finished slices in.
    pub journal: Option<PathBuf>,
    /// How many outer files on either side slices fix at first; 0 for no slices, none to choose.
    pub depth: Option<usize>,
    /// Keep one of two mirror images only.
    pub mirror: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { journal: None, depth: None, mirror: true }
    }
}

impl Middle {
    pub(crate) fn count(
        problem: &TourProblem,
        options: &Options,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        let journal = options.journal_folder().map(Path::to_owned);
        count(problem, &Settings { journal, ..Settings::default() }, watch)
    }
}

/// Counts the tours of a knight on a plain board, with the memory and threads of the watch.
///
/// # Errors
/// When the question is of another kind, the journal cannot be used, or the memory is too little.
pub fn count(
    problem: &TourProblem,
    settings: &Settings,
    watch: &Watch,
) -> Result<Run<TourCount>, SolveError> {
    problem.validate()?;
    let question = MiddleCount::new(problem)?.with_mirror(settings.mirror);
    let mut agenda = Agenda::new(question, settings)?;
    watch.on_threads(|| count_slices(problem, question, &mut agenda, watch))
}

/// The journal of a folder as it stands, and its question.
pub(super) fn read_journal(folder: &Path) -> Result<(String, Journal), SolveError> {
    Journal::read(folder).map_err(unusable)
}

fn count_slices(
    problem: &TourProblem,
    question: MiddleCount,
    agenda: &mut Agenda,
    watch: &Watch,
) -> Result<Run<TourCount>, SolveError> {
    let mut begun: Option<Begun> = None;
    // Half of what is left should do for the slices that are worked out together.
    let until = watch.deadline().map_or(PATIENCE, |at| at.since(Moment::now()) / 2);
    let patience = agenda.has_journal().then_some(PATIENCE.min(until));
    let stopped = |stop: Stop| match stop {
        Stop::Halt(Halt::Memory) => Err(too_little(question, watch)),
        Stop::Halt(why) => Ok(Run::new(Outcome::Unfinished { why, best: None }, watch.nodes())),
        Stop::Overflow => Err(outgrown()),
        stop => Err(stop.error("middle", watch)),
    };
    loop {
        let parts = agenda.take_parts(usize::MAX);
        let slices: Vec<Slice> = parts.iter().map(|&(slice, _)| slice).collect();
        let (Some((first, from)), Some((_, to))) = (parts.first(), parts.last()) else { break };
        let begun = match &mut begun {
            Some(begun) => begun,
            none => match question.begin(watch.memory(), watch) {
                Ok(first) => none.insert(first),
                Err(stop) => return stopped(stop),
            },
        };
        match question.run_part(begun, &slices, patience, Report { watch, stretch: from.to(*to) }) {
            Ok(partials) => agenda.finish(&slices, partials)?,
            Err(Stop::Halt(Halt::Memory)) => {
                agenda.put_back(&slices[1..]);
                if !agenda.cut(*first)? {
                    return stopped(Stop::Halt(Halt::Memory));
                }
            }
            Err(stop) => {
                if matches!(stop, Stop::Halt(_)) {
                    agenda.stop(&slices)?;
                }
                return stopped(stop);
            }
        }
    }
    let count = TourCount::of_undirected(problem, agenda.sum().clone());
    let run = Run::new(Outcome::Solved(count), watch.nodes());
    Ok(agenda.details().into_iter().fold(run, |run, (name, number)| run.with_detail(name, number)))
}

/// A number of something, for shares and forecasts.
#[expect(clippy::cast_precision_loss, reason = "about so many")]
fn as_real(count: impl TryInto<u64>) -> f64 {
    count.try_into().unwrap_or(u64::MAX) as f64
}

/// The refusal when numbers do not fit.
#[must_use]
pub fn outgrown() -> SolveError {
    unsuited("its counts outgrow 128 bits".to_owned())
}

fn unsuited(why: String) -> SolveError {
    SolveError::Unsuited { method: "middle", why }
}

#[expect(clippy::needless_pass_by_value, reason = "used to map errors")]
fn unusable(error: JournalError) -> SolveError {
    unsuited(error.to_string())
}

/// The refusal when the memory does not do, with what would.
#[must_use]
pub fn too_little(question: MiddleCount, watch: &Watch) -> SolveError {
    let given = watch.memory().unwrap_or(u64::MAX);
    let memory =
        watch.memory().map_or_else(String::new, |bytes| format!(" of {} MiB", bytes >> 20));
    // An estimate takes memory too; it is made where there is enough for that.
    let estimate = if given >= slices::estimate::TAKES {
        slices::estimate::of(&question, watch).ok()
    } else {
        None
    };
    let wanted = estimate.map_or_else(String::new, |estimate| {
        format!(
            "; in one piece it would take {:.1} GiB",
            estimate.memory.value / f64::from(1_u32 << 30)
        )
    });
    unsuited(format!("the memory{memory} is too little even for its smallest slices{wanted}"))
}
