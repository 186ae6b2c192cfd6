//! Parts of tours that are too long to be listed: which steps are in a window, which squares at some steps.
//!
//! A tour of a plain rectangle is planned in milliseconds whatever its size, and answers for any square and any step.
//! The latest plans are kept, so that scrolling plans nothing anew.
//!
//! Invariant: for all that is reported, a step and its square are each other's answer, and the step before it is a jump
//! away.
//! Cost: about 20 ns per square.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use destrier::{Itinerary, Options, Outcome, TourStream, Tours as _};
use destrier_rules::{Square, TourProblem};
use serde_json::{Value, json};

use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::Fields;
use crate::words::{no_solution, undecided};

/// The most squares of a film along a side: of a longer side, one in so many.
#[cfg(feature = "raster")]
const MOST_FILMED: u32 = 512;

/// Plans that are kept.
const MOST_PLANS: usize = 8;

/// The latest plans, the last used first; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    limits: Limits,
    plans: Arc<Mutex<Vec<Plan>>>,
}

type Plan = (TourProblem, Arc<Itinerary>);

impl Windows {
    /// No plans yet.
    pub(crate) fn new(limits: Limits) -> Windows {
        Windows { limits, plans: Arc::default() }
    }

    /// What may be asked for.
    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    /// The plans; a panic elsewhere leaves them well formed.
    fn kept(&self) -> MutexGuard<'_, Vec<Plan>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn plan(&self, problem: TourProblem) -> Result<Plan, Refusal> {
        let mut kept = self.kept();
        if let Some(at) = kept.iter().position(|(known, _)| *known == problem) {
            let found = kept.remove(at);
            kept.insert(0, found.clone());
            return Ok(found);
        }
        drop(kept);
        let options = Options::new().time_limit(Duration::from_secs(10));
        let plan = match problem.itinerary_with(&options)?.outcome {
            Outcome::Solved(plan) => Arc::new(plan),
            Outcome::Impossible(impossible) => {
                return Err(Refusal::unfit("question", no_solution(&impossible)));
            }
            Outcome::Unfinished { why, .. } => {
                return Err(Refusal::unfit("question", undecided(why)));
            }
        };
        let mut kept = self.kept();
        kept.insert(0, (problem.clone(), plan.clone()));
        kept.truncate(MOST_PLANS);
        Ok((problem, plan))
    }

    fn asked(&self, fields: &Fields) -> Result<Plan, Refusal> {
        let problem = Fields::of(fields.need("question")?, self.limits)?.tour_problem()?;
        if !problem.is_classic() {
            let why = "windows are for a knight on a whole rectangle, by method auto or compose";
            return Err(Refusal::unfit("question", why));
        }
        let most = self.limits.board;
        if problem.board.area() > most {
            let why = format!("{} is too large: {most} squares at most here", problem.board);
            return Err(Refusal::unfit("board", why));
        }
        self.plan(problem)
    }

    /// A film of the tour of a `question`, seen whole.
    #[cfg(feature = "raster")]
    pub(crate) fn film(&self, asked: Value) -> Result<Vec<u8>, Refusal> {
        let (problem, plan) = self.asked(&Fields::of(asked, self.limits)?)?;
        let stream = TourStream::new(&problem, &plan, &Options::new().threads(1));
        let along = |side: u32| (0..).zip((0..side).step_by(side.div_ceil(MOST_FILMED) as usize));
        let (mut samples, mut sides) = (Vec::new(), (0, 0));
        for (row, rank) in along(plan.ranks()) {
            for (column, file) in along(plan.files()) {
                let mut step = [0_u64];
                plan.fill_files(rank, file, &mut step);
                let checked = stream.check(step[0], Square::new(file, rank));
                checked.map_err(Refusal::caught("compose"))?;
                samples.push((step[0] - 1, Square::new(column, row)));
                sides = (column + 1, row + 1);
            }
        }
        samples.sort_unstable();
        destrier::render::sampled_gif(sides.0, sides.1, &samples, plan.len())
            .map_err(crate::export::undrawn)
    }

    /// The steps of a rectangle of squares, clipped to the board; of one square in `every` each way, if that is asked for.
    pub(crate) fn window(&self, body: &[u8]) -> Result<Value, Refusal> {
        let fields = Fields::read(body, self.limits)?;
        let (file, rank): (u32, u32) = (fields.need("file")?, fields.need("rank")?);
        let (files, ranks): (u32, u32) = (fields.need("files")?, fields.need("ranks")?);
        let most = self.limits.window;
        if u64::from(files) * u64::from(ranks) > most {
            return Err(Refusal::unfit("files", format!("a window has at most {most} squares")));
        }
        let every: u32 = fields.get("every")?.unwrap_or(1);
        if every == 0 {
            return Err(Refusal::unfit("every", "`every` is a whole number from 1"));
        }
        let (problem, plan) = self.asked(&fields)?;
        if file >= plan.files() || rank >= plan.ranks() {
            return Err(Refusal::unfit(
                "file",
                format!("{} is not on the board", Square::new(file, rank)),
            ));
        }
        let end = |first: u32, count: u32, side: u32| {
            first.saturating_add(count.saturating_mul(every)).min(side)
        };
        let (right, top) = (end(file, files, plan.files()), end(rank, ranks, plan.ranks()));
        let stream = TourStream::new(&problem, &plan, &Options::new().threads(1));
        let mut rows = Vec::new();
        for rank in (rank..top).step_by(every as usize) {
            let mut row = Vec::new();
            for file in (file..right).step_by(every as usize) {
                let mut step = [0_u64];
                plan.fill_files(rank, file, &mut step);
                stream
                    .check(step[0], Square::new(file, rank))
                    .map_err(Refusal::caught("compose"))?;
                row.push(step[0]);
            }
            rows.push(row);
        }
        Ok(json!({ "file": file, "rank": rank, "length": plan.len(), "rows": rows }))
    }

    /// The squares of some steps; fewer where the tour ends.
    pub(crate) fn steps(&self, body: &[u8]) -> Result<Value, Refusal> {
        let fields = Fields::read(body, self.limits)?;
        let (from, count): (u64, u64) = (fields.need("from_step")?, fields.need("count")?);
        let most = self.limits.window;
        if count > most {
            let why = format!("at most {most} steps are reported at a time");
            return Err(Refusal::unfit("count", why));
        }
        let (problem, plan) = self.asked(&fields)?;
        let length = plan.len();
        if from == 0 || from > length {
            let why = format!("there is no step {from}; this tour has steps 1 to {length}");
            return Err(Refusal::unfit("from_step", why));
        }
        let squares: Vec<Square> = plan.steps(from..from.saturating_add(count)).collect();
        let stream = TourStream::new(&problem, &plan, &Options::new().threads(1));
        for (step, &square) in (from..).zip(&squares) {
            stream.check(step, square).map_err(Refusal::caught("compose"))?;
        }
        Ok(json!({ "from_step": from, "length": length, "squares": squares }))
    }
}
