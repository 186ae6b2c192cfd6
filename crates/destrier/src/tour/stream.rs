//! Whole tours as text or numbers, in bounded memory, at the speed of the disk.
//!
//! Threads write chunks into buffers of their own; the buffers go out in order. Every square and every number is checked
//! on its way, by [`Segment`] and [`Ranks`] of `destrier-rules`.
//!
//! Invariant: what is written is what would have been written of the same tour, kept whole.
//! Cost: about ten nanoseconds per square as text on one thread; numbers are as fast as the disk.
#![expect(
    clippy::cast_possible_truncation,
    reason = "chunks and sides are smaller than their types"
)]

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use destrier_rules::{Fault, Ranks, Segment, Square, StepNumber, TourProblem};

use super::compose::{Itinerary, Number};
use crate::lies;
use crate::outcome::SolveError;
use crate::run::options::Options;
use crate::run::threads;
use crate::run::watch::Watch;

/// Steps or squares in one buffer.
const CHUNK: u64 = 1 << 16;

/// Why a stream ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// It could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// It was stopped, or the checker refused a square.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// It would be longer than anyone could read.
    #[error("it would take more than {} TiB; ask for some of its steps", MOST_BYTES >> 40)]
    TooLong {
        /// About how long it would be; `u64::MAX` for anything longer.
        bytes: u64,
    },
}

/// The longest stream that is begun.
const MOST_BYTES: u64 = 1 << 50;

/// A planned tour on its way out.
#[derive(Debug)]
pub struct TourStream<'t> {
    problem: &'t TourProblem,
    itinerary: &'t Itinerary,
    watch: Watch,
}

impl<'t> TourStream<'t> {
    /// The stream of a tour that was planned for this question.
    #[must_use]
    pub fn new(
        problem: &'t TourProblem,
        itinerary: &'t Itinerary,
        options: &Options,
    ) -> TourStream<'t> {
        TourStream { problem, itinerary, watch: Watch::new(options) }
    }

    /// Writes the squares of some steps, counted from 1, in one line.
    ///
    /// # Errors
    /// When it cannot be written, is stopped, or would be too long.
    pub fn list(&self, steps: Range<u64>, out: &mut dyn Write) -> Result<(), StreamError> {
        let (files, ranks) = (self.itinerary.files(), self.itinerary.ranks());
        let names = files.ilog(26) + ranks.ilog10() + 3;
        can_be_written(steps.end - steps.start, u64::from(names))?;
        if steps == (1..self.itinerary.len() + 1) {
            let ends = [1, self.itinerary.len()].map(|step| self.itinerary.at_step(step));
            if let [Some(first), Some(last)] = ends {
                Segment::closes(self.problem, first, last).map_err(refused)?;
            }
        }
        let chunks = (steps.end - steps.start).div_ceil(CHUNK);
        let text = |chunk: u64| {
            let from = steps.start + chunk * CHUNK;
            self.listed(from..(from + CHUNK).min(steps.end), from == steps.start)
        };
        self.in_order(chunks, text, out)?;
        Ok(out.write_all(b"\n")?)
    }

    /// The squares of some steps.
    fn listed(&self, steps: Range<u64>, first: bool) -> Result<Vec<u8>, StreamError> {
        let mut text = Vec::with_capacity((steps.end - steps.start) as usize * 12);
        let before = self.itinerary.at_step(steps.start - 1);
        let mut segment = Segment::new(self.problem, steps.start, before);
        let mut is_first = first;
        let flow = self.itinerary.walk(steps, |square| {
            if let Err(fault) = segment.next(square, self.itinerary.step_of(square)) {
                return ControlFlow::Break(fault);
            }
            if !std::mem::take(&mut is_first) {
                text.push(b' ');
            }
            push_square(&mut text, square);
            ControlFlow::Continue(())
        });
        match flow {
            ControlFlow::Continue(()) => Ok(text),
            ControlFlow::Break(fault) => Err(refused(fault).into()),
        }
    }

    /// Writes the number of every square, rank by rank from the top, in columns.
    ///
    /// # Errors
    /// When it cannot be written, is stopped, or would be too long.
    pub fn grid(&self, out: &mut dyn Write) -> Result<(), StreamError> {
        let itinerary = self.itinerary;
        let (files, ranks) = (u64::from(itinerary.files()), itinerary.ranks());
        let width = itinerary.len().ilog10() as usize + 1;
        can_be_written(itinerary.len(), width as u64 + 1)?;
        // Long rows are cut into chunks; short ones are put together.
        let pieces = files.div_ceil(CHUNK);
        let rows = if pieces > 1 { 1 } else { (CHUNK / files) as u32 };
        let chunks = u64::from(ranks.div_ceil(rows)) * pieces;
        let text = |chunk: u64| {
            let (row, piece) = ((chunk / pieces) as u32 * rows, chunk % pieces);
            let columns = (piece * CHUNK) as u32..((piece + 1) * CHUNK).min(files) as u32;
            let mut steps = vec![0_u64; columns.len()];
            let mut text = Vec::with_capacity(columns.len() * (width + 1) * rows as usize);
            for rank in (ranks.saturating_sub(row + rows)..ranks - row).rev() {
                itinerary.fill_files(rank, columns.start, &mut steps);
                for (file, &step) in columns.clone().zip(&steps) {
                    self.check(step, Square::new(file, rank)).map_err(refused)?;
                    if file > 0 {
                        text.push(b' ');
                    }
                    push_number(&mut text, step, width);
                }
                if u64::from(columns.end) == files {
                    text.push(b'\n');
                }
            }
            Ok(text)
        };
        self.in_order(chunks, text, out)
    }

    /// Is this step of the tour on this square, and does it come from the step before it?
    ///
    /// # Errors
    /// With what is wrong.
    pub fn check(&self, step: u64, square: Square) -> Result<(), Fault> {
        let before = self.itinerary.at_step(step.saturating_sub(1));
        let its_step =
            self.itinerary.step_of(square).filter(|_| self.itinerary.at_step(step) == Some(square));
        Segment::new(self.problem, step, before).next(square, its_step)
    }

    /// Writes the step of every square, rank by rank from the first, as little-endian numbers: of 32 bits where
    /// they are enough for all, of 64 elsewhere.
    ///
    /// # Errors
    /// When it cannot be written, is stopped, or would be too long.
    pub fn numbers(&self, out: &mut dyn Write) -> Result<(), StreamError> {
        can_be_written(self.itinerary.len(), 8)?;
        if self.itinerary.len() < 1 << 32 {
            self.numbers_of::<u32>(out)
        } else {
            self.numbers_of::<u64>(out)
        }
    }

    fn numbers_of<T: Number + StepNumber + LittleEndian>(
        &self,
        out: &mut dyn Write,
    ) -> Result<(), StreamError> {
        /// Numbers in one buffer.
        const MOST: usize = 1 << 20;
        let (itinerary, files) = (self.itinerary, self.itinerary.files() as usize);
        let ranks = itinerary.ranks();
        if files > MOST {
            return self.long_ranks::<T>(MOST, out);
        }
        let rows = (MOST / files).min(ranks as usize) as u32;
        let mut buffer = vec![T::NONE; rows as usize * files];
        let mut checked = Ranks::new(self.problem);
        for rank in (0..ranks).step_by(rows as usize) {
            let high = (rank + rows).min(ranks);
            let part = &mut buffer[..(high - rank) as usize * files];
            self.watch.on_threads(|| itinerary.fill_ranks(rank..high, part));
            lies::stream(part);
            for row in part.chunks(files) {
                checked.next(row).map_err(refused)?;
            }
            out.write_all(T::bytes(part))?;
            self.pause(high.into(), ranks.into())?;
        }
        Ok(checked.finish().map_err(refused)?)
    }

    /// The same for ranks of which five would not fit the memory: each number is checked by itself.
    fn long_ranks<T: Number + StepNumber + LittleEndian>(
        &self,
        most: usize,
        out: &mut dyn Write,
    ) -> Result<(), StreamError> {
        let (files, ranks) = (u64::from(self.itinerary.files()), self.itinerary.ranks());
        let pieces = files.div_ceil(most as u64);
        let make = |chunk: u64| {
            let rank = (chunk / pieces) as u32;
            let first = chunk % pieces * most as u64;
            let mut part = vec![T::NONE; (files - first).min(most as u64) as usize];
            self.itinerary.fill_files(rank, first as u32, &mut part);
            for (file, &step) in (first as u32..).zip(&part) {
                self.check(step.into(), Square::new(file, rank)).map_err(refused)?;
            }
            Ok(T::bytes(&mut part).to_vec())
        };
        self.in_order(pieces * u64::from(ranks), make, out)
    }

    /// Makes chunks of text on all threads, and writes them in order.
    fn in_order(
        &self,
        chunks: u64,
        text: impl Fn(u64) -> Result<Vec<u8>, StreamError> + Sync,
        out: &mut dyn Write,
    ) -> Result<(), StreamError> {
        threads::in_order(self.watch.pool(), chunks, text, |chunk, text| {
            out.write_all(&text)?;
            self.pause(chunk + 1, chunks)
        })
    }

    /// Reports how far it is, and stops if the run should.
    fn pause(&self, done: u64, all: u64) -> Result<(), StreamError> {
        if done < all
            && let Some(why) = self.watch.halted()
        {
            return Err(SolveError::Stopped(why).into());
        }
        #[expect(clippy::cast_precision_loss, reason = "a progress bar is not that precise")]
        self.watch.tell(|progress| progress.fraction = Some(done as f64 / all as f64));
        Ok(())
    }
}

fn refused(fault: Fault) -> SolveError {
    SolveError::Refused { method: "compose", fault }
}

/// Would the text end before its reader does? Asked before the first byte of it.
fn can_be_written(squares: u64, width: u64) -> Result<(), StreamError> {
    let bytes = squares.saturating_mul(width);
    if bytes > MOST_BYTES { Err(StreamError::TooLong { bytes }) } else { Ok(()) }
}

/// Numbers that can be written as they lie in memory, once their bytes are in order.
trait LittleEndian: Sized {
    fn bytes(numbers: &mut [Self]) -> &[u8];
}

impl LittleEndian for u32 {
    fn bytes(numbers: &mut [u32]) -> &[u8] {
        for number in numbers.iter_mut() {
            *number = number.to_le();
        }
        bytemuck::cast_slice(numbers)
    }
}

impl LittleEndian for u64 {
    fn bytes(numbers: &mut [u64]) -> &[u8] {
        for number in numbers.iter_mut() {
            *number = number.to_le();
        }
        bytemuck::cast_slice(numbers)
    }
}

/// Appends a square's name.
fn push_square(text: &mut Vec<u8>, square: Square) {
    let mut name = [0; 20];
    let mut at = name.len();
    let mut rank = square.rank + 1;
    while rank > 0 {
        at -= 1;
        name[at] = b'0' + (rank % 10) as u8;
        rank /= 10;
    }
    let mut file = square.file + 1;
    while file > 0 {
        file -= 1;
        at -= 1;
        name[at] = b'a' + (file % 26) as u8;
        file /= 26;
    }
    text.extend_from_slice(&name[at..]);
}

/// Appends a number, right-aligned.
fn push_number(text: &mut Vec<u8>, mut number: u64, width: usize) {
    let mut digits = [b' '; 24];
    let mut at = digits.len();
    while number > 0 {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    text.extend_from_slice(&digits[at.min(digits.len() - width)..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Solve as _, Tours as _};
    use crate::render::{Colour, tour_grid};
    use crate::run::options::Cancel;
    use destrier_rules::{Board, Verified};

    /// A question, its tour planned, and the same tour kept.
    fn both(files: u32, ranks: u32) -> (TourProblem, Itinerary, Verified<TourProblem>) {
        let problem = TourProblem::open(Board::new(files, ranks).unwrap());
        let plan = problem.itinerary().unwrap().found().unwrap();
        let kept = problem.solve().unwrap().solved().unwrap();
        (problem, plan, kept)
    }

    /// The numbers of a tour that is kept.
    fn numbers(tour: &Verified<TourProblem>) -> Vec<u8> {
        tour.grid().iter().rev().flatten().flat_map(|step| step.to_le_bytes()).collect()
    }

    #[test]
    fn what_is_streamed_is_what_would_have_been_kept() {
        // The last two have more squares, or longer rows, than one buffer.
        for (files, ranks) in [(1, 1), (5, 5), (8, 8), (3, 41), (4, 30), (400, 391), (70_000, 3)] {
            let (problem, plan, kept) = both(files, ranks);
            let stream = TourStream::new(&problem, &plan, &Options::new().threads(2));
            let mut text = Vec::new();
            stream.list(1..plan.len() + 1, &mut text).unwrap();
            assert_eq!(text, (kept.solution().to_string() + "\n").into_bytes());
            let mut text = Vec::new();
            stream.grid(&mut text).unwrap();
            assert_eq!(text, tour_grid(&kept, Colour::Never).into_bytes());
            let mut bytes = Vec::new();
            stream.numbers(&mut bytes).unwrap();
            assert_eq!(bytes, numbers(&kept));
        }
    }

    #[test]
    fn a_halt_stops_the_stream() {
        let cancel = Cancel::new();
        cancel.now();
        let options = Options::new().cancel(&cancel);
        let stopped = |result| matches!(result, Err(StreamError::Solve(SolveError::Stopped(_))));
        let (problem, plan, _) = both(900, 900);
        let stream = TourStream::new(&problem, &plan, &options);
        assert!(stopped(stream.list(1..plan.len() + 1, &mut Vec::new())));
        assert!(stopped(stream.grid(&mut Vec::new())));
        let (problem, plan, _) = both(2000, 1100);
        assert!(stopped(TourStream::new(&problem, &plan, &options).numbers(&mut Vec::new())));
    }

    #[test]
    fn a_full_disk_is_an_error_and_no_hang() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (problem, plan, _) = both(900, 900);
        let stream = TourStream::new(&problem, &plan, &Options::new());
        for room in [0, 1_000_000] {
            let written = stream.list(1..plan.len() + 1, &mut Full(room));
            assert!(matches!(written, Err(StreamError::Write(_))));
        }
    }

    #[test]
    fn names_are_the_names_of_squares() {
        for file in [0, 25, 26, 51, 52, 701, 702, 18_277, 18_278, 1 << 30, (1 << 31) - 1] {
            for rank in [0, 8, 9, 98, 99, 12_344, (1 << 31) - 1] {
                let mut text = Vec::new();
                push_square(&mut text, Square::new(file, rank));
                assert_eq!(text, Square::new(file, rank).to_string().into_bytes());
            }
        }
    }
}
