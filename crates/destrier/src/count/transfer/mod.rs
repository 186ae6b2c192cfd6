//! Counting on narrow boards of any length, by the machine that reads them row by row.
//!
//! The machine (`automaton`) is built once for a width; one run along the strip gives the counts of
//! all lengths (`series`); and from enough of them comes the recurrence they obey (`recurrence`).
//!
//! Invariant: the same machine serves every length, so a series is one run.
//! Cost: linear in the length (and in the size of the numbers).
//! Uses: the states of `sweep`, and `run`.
//! Source: Knuth and Elkies on 3×n; de Ruiter's series of 2010.

pub(crate) mod automaton;
mod recurrence;
mod series;

pub use recurrence::Recurrence;

use destrier_rules::{Board, Leaper, Shape, TourProblem};
use num_bigint::BigUint;

use self::automaton::{Automaton, depth};
use super::TourCount;
use crate::answer::Finding;
use crate::lies;
use crate::outcome::{Outcome, Run, SolveError, Stop};
use crate::run::options::Options;
use crate::run::watch::{Halt, Watch};
use crate::tour::{Naive, walk};

/// The row-transfer counter.
#[derive(Debug)]
pub struct Transfer;

const NAME: &str = "transfer";

/// The widest board whose machine is built.
pub const WIDEST: u32 = 5;

impl Transfer {
    pub(crate) fn count(
        problem: &TourProblem,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        suits(problem)?;
        if problem.board.len() < 3 {
            return walk::count(&Naive, problem, watch);
        }
        let (files, ranks) = (problem.board.files(), problem.board.ranks());
        let strip = Strip::new(files.min(ranks), problem.leaper, problem.shape)?;
        let outcome = match strip.series(files.max(ranks) as usize, watch)?.outcome {
            Outcome::Solved(mut counts) => {
                let count = counts.pop().expect("a count for each length");
                Outcome::Solved(TourCount::of_undirected(problem, count))
            }
            Outcome::Impossible(obstacle) => Outcome::Impossible(obstacle),
            Outcome::Unfinished { why, .. } => Outcome::Unfinished { why, best: None },
        };
        Ok(Run::new(outcome, watch.nodes()))
    }
}

fn unsuited(why: String) -> SolveError {
    SolveError::Unsuited { method: NAME, why }
}

/// Can the machine take the question on?
pub(crate) fn suits(problem: &TourProblem) -> Result<(), SolveError> {
    if !problem.board.is_plain() {
        return Err(unsuited("it supports only boards without holes and joined edges".to_owned()));
    }
    if problem.start.is_some() || problem.end.is_some() || problem.symmetry.is_some() {
        return Err(unsuited("it counts tours without fixed ends or symmetries".to_owned()));
    }
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    if files.max(ranks) > LONGEST {
        return Err(unsuited(format!("the board is longer than {LONGEST}")));
    }
    Strip::new(files.min(ranks), problem.leaper, problem.shape).map(|_| ())
}

/// The longest board that is read: its count would have a million digits.
const LONGEST: u32 = 1_000_000;

/// Boards of one width and all lengths.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    width: u32,
    leaper: Leaper,
    shape: Shape,
}

impl Strip {
    /// The strip of this width.
    ///
    /// # Errors
    /// When it is too wide.
    pub fn new(width: u32, leaper: Leaper, shape: Shape) -> Result<Strip, SolveError> {
        let (_, depth) = depth(leaper);
        if width > WIDEST {
            return Err(unsuited(format!("the board is {width} wide; the limit is {WIDEST}")));
        }
        if (depth + 1) * width as usize > MOST_CELLS {
            return Err(unsuited("the piece jumps too far for a board of this width".to_owned()));
        }
        Ok(Strip { width, leaper, shape })
    }

    /// The undirected tours of the boards with 1, 2, … rows.
    ///
    /// # Errors
    /// When the strip is not supported.
    pub fn terms(
        &self,
        rows: usize,
        options: &Options,
    ) -> Result<Finding<Vec<BigUint>>, SolveError> {
        Ok(Finding::of(self.series(rows, &Watch::new(options))?.by(NAME)))
    }

    fn series(&self, rows: usize, watch: &Watch) -> Result<Run<Vec<BigUint>>, SolveError> {
        let (mut terms, mut halt) = match watch.on_threads(|| self.machine(watch)) {
            Ok(machine) => watch.on_threads(|| series::exact(&machine, rows, watch)),
            Err(Stop::Halt(halt)) => (Vec::new(), Some(halt)),
            Err(stop) => return Err(stop.error(NAME, watch)),
        };
        // The tour of a single square is none for the machine, and one by convention.
        if let (1, Shape::Open, Some(first)) = (self.width, self.shape, terms.first_mut()) {
            *first = BigUint::from(1_u32);
        }
        if self.width <= 2 {
            halt = self.count_tiny(&mut terms, watch)?.or(halt);
        }
        let outcome = match halt {
            None => Outcome::Solved(terms),
            Some(why) => Outcome::Unfinished { why, best: Some(terms) },
        };
        Ok(lies::series(Run::new(outcome, watch.nodes())))
    }

    /// Boards of two squares have no cycle, and their path is too short for an apex. Says whether it was stopped;
    /// then the terms end before.
    fn count_tiny(
        &self,
        terms: &mut Vec<BigUint>,
        watch: &Watch,
    ) -> Result<Option<Halt>, SolveError> {
        for (at, length) in (1..=2).enumerate().take(terms.len()) {
            if self.width * length > 2 {
                continue;
            }
            let Ok(board) = Board::new(self.width, length) else { continue };
            let question =
                TourProblem { shape: self.shape, leaper: self.leaper, ..TourProblem::open(board) };
            match walk::count(&Naive, &question, watch)?.outcome {
                Outcome::Solved(count) => terms[at] = count.undirected(),
                Outcome::Impossible(_) => {}
                Outcome::Unfinished { why, .. } => {
                    terms.truncate(at);
                    return Ok(Some(why));
                }
            }
        }
        Ok(None)
    }

    /// The linear recurrence of the series, if its order is at most this.
    ///
    /// # Errors
    /// When the strip is not supported, or the run was stopped.
    pub fn recurrence(
        &self,
        most: usize,
        options: &Options,
    ) -> Result<Option<Recurrence>, SolveError> {
        let watch = &Watch::new(options);
        let found = watch.on_threads(|| {
            let machine = self.machine(watch)?;
            Ok(recurrence::find(&machine, most, watch)?)
        });
        found.map_err(|stop: Stop| stop.error(NAME, watch))
    }

    fn machine(&self, watch: &Watch) -> Result<Automaton, Stop> {
        let (_, depth) = depth(self.leaper);
        let open = self.shape == Shape::Open;
        let width = self.width as usize;
        let slots = (depth + 1) * width + usize::from(open);
        if slots > MOST_SLOTS {
            return Err(unsuited(format!("its frontier would have {slots} squares")).into());
        }
        Automaton::new(width, self.leaper, open, watch).map_err(|halt| match halt {
            Halt::Memory => Stop::Needs(watch.memory().unwrap_or(0)),
            halt => Stop::Halt(halt),
        })
    }
}

/// The most cells that a strip's frontier may cover, and the most slots of its states.
const MOST_CELLS: usize = 20;
const MOST_SLOTS: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    /// The recurrences at work far beyond the terms they came from. Width 3 closed is zero for odd
    /// lengths, and the even ones have order 21 (Knuth and Elkies, OEIS A070030).
    #[test]
    fn the_recurrences_of_widths_3_and_4() {
        for (width, shape, order) in [
            (3, Shape::Closed, (42, 44)),
            (3, Shape::Open, (172, 178)),
            (4, Shape::Open, (240, 243)),
        ] {
            let strip = Strip::new(width, Leaper::KNIGHT, shape).unwrap();
            let found = strip.recurrence(1000, &Options::new()).unwrap().unwrap();
            assert_eq!((found.order, found.after), order, "{width} {shape}");
            let rows = if width == 3 { 600 } else { 300 };
            let Outcome::Solved(terms) = strip.terms(rows, &Options::new()).unwrap().outcome else {
                panic!()
            };
            let terms: Vec<BigInt> = terms.into_iter().map(BigInt::from).collect();
            for n in found.after..rows {
                let earlier = found.coefficients.iter().enumerate();
                let predicted: BigInt = earlier.map(|(i, c)| c * &terms[n - 1 - i]).sum();
                assert_eq!(predicted, terms[n], "{width}x{} {shape}", n + 1);
            }
        }
    }
}
