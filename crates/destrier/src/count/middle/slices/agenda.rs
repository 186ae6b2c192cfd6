//! What is still to be done of a count, and what has come of the rest.
//!
//! Slices are taken, computed anywhere, and returned with their sums, or without where the memory did not suffice; one
//! that was too large by itself is cut into smaller ones. The journal, if there is one, hears of both, so that what it holds
//! already is not taken again.
//!
//! Invariant: finished, taken and open slices make up the whole count, each pattern in one of them.
//! Cost: a list of the open slices.

use num_bigint::BigUint;

use crate::count::middle::slices::engine::{MiddleCount, Partial};
use crate::count::middle::slices::journal::Journal;
use crate::count::middle::slices::report::Stretch;
use crate::count::middle::slices::slice::Slice;
use crate::count::middle::{Settings, as_real, unsuited, unusable};
use crate::outcome::SolveError;

/// The open slices of a count, and the sum of the finished ones.
#[derive(Debug)]
pub struct Agenda {
    question: MiddleCount,
    journal: Journal,
    open: Vec<(Slice, Stretch)>,
    taken: Vec<(Slice, Stretch)>,
    sum: BigUint,
    /// How often the last row was swept.
    passes: u64,
    kept: u64,
    pairs: u64,
}

impl Agenda {
    /// All slices of a question, less those that the journal has.
    ///
    /// # Errors
    /// When the journal cannot be used.
    pub fn new(question: MiddleCount, settings: &Settings) -> Result<Agenda, SolveError> {
        let depth = settings.depth.unwrap_or(1).min(question.deepest());
        let journal = match &settings.journal {
            Some(folder) => Journal::open(folder, &question.question(), depth).map_err(unusable)?,
            None => Journal::none(),
        };
        let slices = question.slices(journal.depth().unwrap_or(depth));
        let mut agenda = Agenda {
            question,
            journal,
            open: Vec::new(),
            taken: Vec::new(),
            sum: BigUint::ZERO,
            passes: 0,
            kept: 0,
            pairs: 0,
        };
        agenda.add(slices, Stretch::WHOLE);
        Ok(agenda)
    }

    /// Opens slices, each with the part of the whole that it is taken for.
    fn add(&mut self, slices: Vec<Slice>, whole: Stretch) {
        let share = 1.0 / as_real(slices.len());
        let parts =
            slices.into_iter().enumerate().rev().map(|(at, slice)| {
                (slice, whole.part(share * as_real(at), share * as_real(at + 1)))
            });
        self.open.extend(parts);
    }

    /// The next slices to work out, of one depth, at most so many; none if all are finished or taken.
    pub fn take(&mut self, most: usize) -> Vec<Slice> {
        self.take_parts(most).into_iter().map(|(slice, _)| slice).collect()
    }

    /// The same, with the part of the whole that they are taken for.
    pub(in crate::count::middle) fn take_parts(&mut self, most: usize) -> Vec<(Slice, Stretch)> {
        let most = most.min(self.journal.at_once());
        let mut parts: Vec<(Slice, Stretch)> = Vec::new();
        while let Some((slice, stretch)) = self.open.pop() {
            if let Some(partial) = self.journal.finished(slice) {
                let partial = partial.clone();
                self.add_up(&partial);
                continue;
            }
            // A deepest slice cannot have been cut, whatever the journal says.
            let smaller =
                if self.journal.was_cut(slice) { self.question.within(slice) } else { Vec::new() };
            if !smaller.is_empty() {
                self.add(smaller, stretch);
                continue;
            }
            let is_alike = parts.first().is_none_or(|(first, _)| first.depth() == slice.depth());
            if parts.len() >= most || !is_alike {
                self.open.push((slice, stretch));
                break;
            }
            parts.push((slice, stretch));
        }
        self.taken.extend(&parts);
        parts
    }

    /// Brings back slices that were taken and not worked out.
    pub fn put_back(&mut self, slices: &[Slice]) {
        for slice in slices.iter().rev() {
            if let Some(at) = self.taken.iter().position(|(taken, _)| taken == slice) {
                self.open.push(self.taken.swap_remove(at));
            }
        }
    }

    /// Hears that the run was stopped while slices were worked out together, so that the next one takes fewer at once.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn stop(&mut self, slices: &[Slice]) -> Result<(), SolveError> {
        if slices.len() > 1 {
            self.journal
                .stop(slices.len())
                .map_err(|error| unsuited(format!("the journal: {error}")))?;
        }
        Ok(())
    }

    /// How many slices are open, as far as is known.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open.len()
    }

    fn add_up(&mut self, partial: &Partial) {
        self.sum += &partial.sum;
        self.kept += partial.kept;
        self.pairs += partial.pairs;
    }

    /// Brings back slices that were taken: the first of them with their sums, the others as they were.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn finish(&mut self, slices: &[Slice], partials: Vec<Partial>) -> Result<(), SolveError> {
        self.put_back(&slices[partials.len()..]);
        self.passes += 1;
        for partial in partials {
            self.taken.retain(|(slice, _)| *slice != partial.slice);
            self.add_up(&partial);
            self.journal
                .finish(partial)
                .map_err(|error| unsuited(format!("the journal: {error}")))?;
        }
        Ok(())
    }

    /// Brings back a slice that was too large: it is cut, if it can be.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn cut(&mut self, slice: Slice) -> Result<bool, SolveError> {
        let smaller = self.question.within(slice);
        if smaller.is_empty() {
            return Ok(false);
        }
        let taken = self.taken.iter().position(|(taken, _)| *taken == slice);
        let stretch = taken.map_or(Stretch::NONE, |at| self.taken.swap_remove(at).1);
        self.journal.cut(slice).map_err(|error| unsuited(format!("the journal: {error}")))?;
        self.add(smaller, stretch);
        Ok(true)
    }

    /// Are all slices finished? Then the sum is the count.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.open.is_empty() && self.taken.is_empty()
    }

    /// Are finished slices written down?
    pub(in crate::count::middle) fn has_journal(&self) -> bool {
        self.journal.is_kept()
    }

    /// The sum of the finished slices.
    #[must_use]
    pub fn sum(&self) -> &BigUint {
        &self.sum
    }

    /// What it took so far, for a report.
    #[must_use]
    pub fn details(&self) -> [(&'static str, u64); 3] {
        [("passes", self.passes), ("states kept", self.kept), ("patterns joined", self.pairs)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::watch::Watch;
    use destrier_rules::{Board, TourProblem};

    #[test]
    fn any_order_and_any_cuts_give_the_same_sum() {
        let problem = TourProblem::closed(Board::new(6, 6).expect("a board"));
        let question = MiddleCount::new(&problem).expect("a fitting board");
        let watch = Watch::unlimited();
        let begun = question.begin(None, &watch).expect("room");
        for turn in 0..6_usize {
            let settings = Settings { depth: Some(turn % 3), ..Settings::default() };
            let mut agenda = Agenda::new(question, &settings).expect("no journal");
            let mut held = Vec::new();
            while !agenda.is_finished() {
                held.extend(agenda.take(3));
                let slice = held.swap_remove((turn * 7) % held.len());
                if turn == 4 && held.len() == 2 {
                    agenda.put_back(&held);
                    held.clear();
                }
                if (slice.depth() + turn) % 2 == 0 && agenda.cut(slice).expect("no journal") {
                    continue;
                }
                let partials = question.run(&begun, &[slice], &watch).expect("room");
                agenda.finish(&[slice], partials).expect("no journal");
            }
            assert!(agenda.take(1).is_empty());
            assert_eq!(*agenda.sum(), BigUint::from(9862_u32), "turn {turn}");
        }
    }
}
