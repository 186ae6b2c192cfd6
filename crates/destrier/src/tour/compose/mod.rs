//! Tours of any rectangle, at any size, without writing them down.
//!
//! An [`Itinerary`] is a tour in closed form: which square at which step, and which step on which square, each in
//! a few nanoseconds, on boards of up to 2³¹ a side. Small blocks are searched, each in microseconds; the rest of
//! the board is made of copies of them, hung on each other's corners. Whether there is a tour at all is decided
//! first, by `solvable.rs`.
//!
//! Invariant: `step_of(at_step(t)) == t`, and squares at neighbouring steps are a jump apart.
//! Cost: a plan takes a few milliseconds and kilobytes whatever the board; filling an array is bound by memory.
//! Uses: `run` and the table of `pairs`; no graph.
//! Source: `docs/compose.md`.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "sides are at most 2³¹, areas 2⁶², and blocks 255 squares: every number fits its type"
)]

mod fill;
mod four;
pub(super) mod frame;
mod joined;
mod layout;
mod piece;
mod placed;
pub(super) mod search;
mod strip;
mod template;

use std::convert::Infallible;
use std::ops::{ControlFlow, Range};

use destrier_rules::{Problem as _, Square, Tour, TourProblem};

pub use self::fill::Number;
use self::fill::Numbering;
use self::four::Four;
use self::frame::Point;
use self::joined::Joined;
use super::solvable::{Decided, Decision, decide, has_closed_tour};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// A tour of a rectangle that answers questions about any step and any square.
///
/// Steps are numbered from 1.
///
/// ```
/// use destrier::{Board, TourProblem, Tours as _};
///
/// let board = Board::new(1_000_000, 1_000_000)?;
/// let tour = TourProblem::closed(board).itinerary()?.found()?;
/// let square = tour.at_step(123_456_789_012).expect("there are 10¹² steps");
/// assert_eq!(tour.step_of(square), Some(123_456_789_012));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Itinerary {
    files: u32,
    ranks: u32,
    form: Form,
    numbering: Numbering,
}

/// The tour in closed form.
#[derive(Debug, Clone)]
enum Form {
    Joined(Joined),
    Four(Four),
    /// A small board: the squares in order, and the step on each, row by row.
    Listed(Vec<Square>, Vec<u64>),
}

impl Itinerary {
    /// Plans a tour for a knight on a plain rectangle, or says why there is none.
    ///
    /// # Errors
    /// When the question contradicts itself, or is about holes, joined edges, symmetries or another piece.
    pub fn plan(problem: &TourProblem, watch: &Watch) -> Result<Run<Itinerary>, SolveError> {
        problem.validate()?;
        if !problem.is_classic() {
            let why =
                "it is for a knight on a whole rectangle, with no symmetry asked for".to_owned();
            return Err(SolveError::Unsuited { method: "compose", why });
        }
        let mut ticker = watch.ticker();
        let unfinished = |why| Run::new(Outcome::Unfinished { why, best: None }, watch.nodes());
        let Decided { decision, nodes } = match decide(problem, &mut || ticker.tick()) {
            Ok(decided) => decided,
            Err(why) => return Ok(unfinished(why)),
        };
        if let Err(why) = ticker.check() {
            return Ok(unfinished(why));
        }
        let (files, ranks) = (problem.board.files(), problem.board.ranks());
        let form = match decision {
            Decision::Refused(obstacle) => {
                return Ok(Run::new(Outcome::Impossible(obstacle), nodes));
            }
            Decision::Closed => closed(files, ranks),
            Decision::Between(start, end) => between(files, ranks, start, end),
            Decision::Found(path) => Some(listed(files, ranks, path)),
        };
        // A plan fails only if the search of a block gives up, which no test has seen.
        let Some(form) = form else { return Ok(unfinished(Halt::GaveUp)) };
        let numbering = Numbering { first: 0, length: problem.board.area() };
        let mut itinerary = Itinerary { files, ranks, form, numbering };
        itinerary.turn_to(problem);
        Ok(Run::new(Outcome::Solved(itinerary), nodes))
    }

    /// The same tour from its second step on: a lie, where a start was asked for.
    #[cfg(feature = "lies")]
    pub(crate) fn begin_one_step_late(&mut self) {
        self.numbering.first = (self.numbering.first + 1) % self.numbering.length;
    }

    /// A closed tour may begin anywhere: where it is asked to, or so that it ends where it is asked to.
    fn turn_to(&mut self, problem: &TourProblem) {
        let length = self.numbering.length;
        self.numbering.first = match (problem.start, problem.end) {
            (Some(start), _) => self.raw_step(start),
            (None, Some(end)) => (self.raw_step(end) + 1) % length,
            (None, None) => 0,
        };
    }

    /// The number of squares.
    #[expect(clippy::len_without_is_empty, reason = "no board is empty")]
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.numbering.length
    }

    /// Files of the board.
    #[must_use]
    pub const fn files(&self) -> u32 {
        self.files
    }

    /// Ranks of the board.
    #[must_use]
    pub const fn ranks(&self) -> u32 {
        self.ranks
    }

    fn raw_step(&self, square: Square) -> u64 {
        match &self.form {
            Form::Joined(tour) => tour.step_of(square.file, square.rank),
            Form::Four(four) => four.step_of(square.file, square.rank),
            Form::Listed(_, steps) => {
                steps[square.rank as usize * self.files as usize + square.file as usize]
            }
        }
    }

    /// The square at a step, from 1; none beyond the last.
    #[inline]
    #[must_use]
    pub fn at_step(&self, step: u64) -> Option<Square> {
        if step == 0 || step > self.numbering.length {
            return None;
        }
        let step = self.numbering.step(step);
        let (file, rank) = match &self.form {
            Form::Joined(tour) => tour.at_step(step),
            Form::Four(four) => four.at_step(step),
            Form::Listed(path, _) => return Some(path[step as usize]),
        };
        Some(Square::new(file, rank))
    }

    /// The step on a square, from 1; none off the board.
    #[inline]
    #[must_use]
    pub fn step_of(&self, square: Square) -> Option<u64> {
        let inside = square.file < self.files && square.rank < self.ranks;
        inside.then(|| self.numbering.of(self.raw_step(square)))
    }

    /// The squares of some steps, in order; steps beyond the last are left out.
    pub fn steps(&self, steps: Range<u64>) -> impl Iterator<Item = Square> + '_ {
        steps.map_while(|step| self.at_step(step))
    }

    /// Shows the squares of some steps to a visitor until it breaks off: the quick way through many.
    pub fn walk<B>(
        &self,
        steps: Range<u64>,
        mut visit: impl FnMut(Square) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let last = self.numbering.length + 1;
        let (from, to) = (steps.start.clamp(1, last), steps.end.clamp(1, last));
        let Form::Joined(tour) = &self.form else {
            return self.steps(from..to).try_for_each(visit);
        };
        // A tour that was turned comes in two parts.
        let seam = self.numbering.length - self.numbering.first + 1;
        for (from, to) in [(from, to.min(seam)), (from.max(seam), to)] {
            if from < to {
                let first = self.numbering.step(from);
                tour.walk(first, first + (to - from), |file, rank| visit(Square::new(file, rank)))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes the step of every square, rank by rank from the first.
    ///
    /// The work is distributed over the threads of the `rayon` pool that it is called in.
    ///
    /// # Panics
    /// When `out` has another length than the board, or its numbers are too small for the last step.
    pub fn fill<T: Number>(&self, out: &mut [T]) {
        self.fill_ranks(0..self.ranks, out);
    }

    /// Writes the step of every square of some ranks.
    ///
    /// # Panics
    /// As [`Itinerary::fill`] does.
    pub fn fill_ranks<T: Number>(&self, ranks: Range<u32>, out: &mut [T]) {
        assert!(ranks.end <= self.ranks, "the board has {} ranks", self.ranks);
        assert_eq!(
            out.len() as u64,
            u64::from(ranks.end - ranks.start) * u64::from(self.files),
            "the array must have a place for each square"
        );
        assert!(
            size_of::<T>() >= size_of::<u64>() || u32::try_from(self.numbering.length).is_ok(),
            "steps beyond 2³² need numbers of 64 bits"
        );
        if let Form::Joined(tour) = &self.form {
            fill::fill(tour, self.numbering, self.files, ranks, out);
            return;
        }
        let rows = out.chunks_mut(self.files as usize).enumerate();
        threads::each(rows, |(i, row)| self.fill_files(ranks.start + i as u32, 0, row));
    }

    /// Writes the step of every square of one rank, from a file on: for rows too long for one array.
    ///
    /// # Panics
    /// When the squares run off the board.
    pub fn fill_files<T: Number>(&self, rank: u32, first: u32, out: &mut [T]) {
        let left = self.files.saturating_sub(first) as usize;
        assert!(rank < self.ranks && out.len() <= left, "the squares lie on the board");
        for (file, slot) in (first..).zip(out) {
            *slot = T::truncated(self.numbering.of(self.raw_step(Square::new(file, rank))));
        }
    }
}

fn closed(files: u32, ranks: u32) -> Option<Form> {
    debug_assert!(has_closed_tour(files, ranks));
    let narrow = files.min(ranks) < 6;
    let tour = if narrow { strip::closed(files, ranks) } else { layout::closed(files, ranks) };
    tour.map(Form::Joined)
}

fn between(files: u32, ranks: u32, start: Square, end: Square) -> Option<Form> {
    let point = |square: Square| Point::new(square.file.into(), square.rank.into());
    let (start, end) = (point(start), point(end));
    match files.min(ranks) {
        3 | 5 => strip::between(files, ranks, start, end).map(Form::Joined),
        4 => four::between(files, ranks, start, end).map(Form::Four),
        _ => layout::between(files, ranks, start, end).map(Form::Joined),
    }
}

fn listed(files: u32, ranks: u32, path: Vec<Square>) -> Form {
    let mut steps = vec![0; files as usize * ranks as usize];
    for (step, square) in (0..).zip(&path) {
        steps[square.rank as usize * files as usize + square.file as usize] = step;
    }
    Form::Listed(path, steps)
}

/// Decides and builds tours of rectangles of any size.
#[derive(Debug)]
pub struct Compose;

impl Compose {
    /// The most squares of a tour that is kept in memory whole, where no limit on memory says otherwise.
    pub const MOST_SQUARES: u64 = 1 << 28;
}

impl Compose {
    pub(crate) fn solve(problem: &TourProblem, watch: &Watch) -> Result<Run<Tour>, SolveError> {
        let Run { outcome, claim, effort } = Itinerary::plan(problem, watch)?;
        let outcome = outcome.try_map(|itinerary| {
            // A square takes eight bytes here, eight more when it is checked, and as many when it is written.
            let most = watch.memory().map_or(Compose::MOST_SQUARES, |_| watch.room() / 24);
            if itinerary.len() > most {
                let why = format!(
                    "a tour of {} squares is too long to keep in memory (limit {most}); ask for some \
                     of its steps, or stream it",
                    itinerary.len()
                );
                return Err(SolveError::Unsuited { method: "compose", why });
            }
            let mut squares = Vec::with_capacity(itinerary.len() as usize);
            let flow: ControlFlow<Infallible> = itinerary.walk(1..itinerary.len() + 1, |square| {
                squares.push(square);
                ControlFlow::Continue(())
            });
            debug_assert!(flow.is_continue());
            Ok(Tour(squares))
        })?;
        Ok(Run { outcome, claim, effort })
    }
}
