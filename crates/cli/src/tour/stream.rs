//! Whole tours as text or numbers, in bounded memory, at the speed of the disk.
//!
//! Threads write chunks of text into buffers of their own; the buffers go out in order. Every square of a text is
//! checked on its way. Numbers leave as fast as they are stored, so only some of them are checked.
#![expect(
    clippy::cast_possible_truncation,
    reason = "chunks and sides are smaller than their types"
)]

use std::fmt;
use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::sync::mpsc;

use anyhow::bail;
use destrier::run::threads;
use destrier::tour::compose::{Itinerary, Number};
use destrier::{Halt, Watch};
use destrier_rules::{Square, TourProblem, Verified, is_knight_jump};

use super::itinerary::check;

/// The run was stopped before everything was written.
#[derive(Debug)]
pub(super) struct Stopped(Halt);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped before the whole tour was written: {}", self.0)
    }
}

impl std::error::Error for Stopped {}

/// Steps or squares in one buffer.
const CHUNK: u64 = 1 << 16;

/// Writes the squares of some steps in one line.
pub(super) fn list(
    itinerary: &Itinerary,
    steps: Range<u64>,
    out: &mut dyn Write,
    watch: &Watch,
) -> anyhow::Result<()> {
    let names = itinerary.files().ilog(26) + itinerary.ranks().ilog10() + 3;
    can_be_written(steps.end - steps.start, u64::from(names), "list")?;
    let chunks = (steps.end - steps.start).div_ceil(CHUNK);
    let text = |chunk: u64| {
        let from = steps.start + chunk * CHUNK;
        listed(itinerary, from..(from + CHUNK).min(steps.end), from == steps.start)
    };
    in_order(chunks, text, out, watch)?;
    Ok(out.write_all(b"\n")?)
}

/// The squares of some steps; each is checked.
fn listed(itinerary: &Itinerary, steps: Range<u64>, first: bool) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::with_capacity((steps.end - steps.start) as usize * 12);
    let mut before = itinerary.at_step(steps.start - 1);
    let mut step = steps.start;
    let flow = itinerary.walk(steps.clone(), |square| {
        let jumped = before.is_none_or(|before| is_knight_jump(before, square));
        if !jumped || itinerary.step_of(square) != Some(step) {
            return ControlFlow::Break(step);
        }
        if !(first && step == steps.start) {
            text.push(b' ');
        }
        push_square(&mut text, square);
        before = Some(square);
        step += 1;
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(step) = flow {
        bail!("compose gave a wrong answer at step {step}, which was caught");
    }
    Ok(text)
}

/// Writes the number of every square, rank by rank from the top, in columns.
pub(super) fn grid(
    itinerary: &Itinerary,
    out: &mut dyn Write,
    watch: &Watch,
) -> anyhow::Result<()> {
    let (files, ranks) = (u64::from(itinerary.files()), itinerary.ranks());
    let width = itinerary.len().ilog10() as usize + 1;
    can_be_written(itinerary.len(), width as u64 + 1, "grid")?;
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
                check(itinerary, step, Square::new(file, rank))?;
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
    in_order(chunks, text, out, watch)
}

/// Refuses a text that nobody could store, before the first byte of it.
fn can_be_written(squares: u64, width: u64, form: &str) -> anyhow::Result<()> {
    const MOST_BYTES: u64 = 1 << 50;
    let bytes = squares.saturating_mul(width);
    if bytes > MOST_BYTES {
        let most = MOST_BYTES >> 40;
        let need = bytes >> 40;
        bail!(
            "the {form} would take about {need} TiB, and {most} TiB is the most; \
             ask for some of its steps with --steps"
        );
    }
    Ok(())
}

/// Makes chunks of text on all threads, and writes them in order.
fn in_order(
    chunks: u64,
    text: impl Fn(u64) -> anyhow::Result<Vec<u8>> + Sync,
    out: &mut dyn Write,
    watch: &Watch,
) -> anyhow::Result<()> {
    let batch = 2 * watch.threads() as u64;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let text = &text;
        scope.spawn(move || {
            threads::within(watch.threads(), || {
                for from in (0..chunks).step_by(batch as usize) {
                    let to = (from + batch).min(chunks);
                    let texts = threads::map(from..to, text);
                    // Nobody listens any more once writing has failed.
                    if sender.send((to, texts)).is_err() {
                        return;
                    }
                }
            });
        });
        for (done, texts) in receiver {
            for text in texts {
                out.write_all(&text?)?;
            }
            pause(watch, done, chunks)?;
        }
        Ok(())
    })
}

/// Reports progress, and stops if the run should.
fn pause(watch: &Watch, done: u64, all: u64) -> anyhow::Result<()> {
    if done < all
        && let Some(why) = watch.halted()
    {
        return Err(Stopped(why).into());
    }
    #[expect(clippy::cast_precision_loss, reason = "a progress bar is not that precise")]
    watch.tell(|progress| progress.fraction = Some(done as f64 / all as f64));
    Ok(())
}

/// The same numbers for a tour that is kept; a hole has 0.
pub(super) fn kept(tour: &Verified<TourProblem>) -> Vec<u8> {
    let board = &tour.problem().board;
    let files = u64::from(board.files());
    let mut steps = vec![0_u32; board.area() as usize];
    for (step, square) in (1..).zip(&tour.solution().0) {
        steps[(u64::from(square.rank) * files + u64::from(square.file)) as usize] = step;
    }
    steps.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Writes the step of every square, rank by rank from the first, as little-endian numbers: of 32 bits where
/// they are enough for all, of 64 elsewhere.
pub(super) fn numbers(
    itinerary: &Itinerary,
    out: &mut dyn Write,
    watch: &Watch,
) -> anyhow::Result<()> {
    can_be_written(itinerary.len(), 8, "file")?;
    if itinerary.len() < 1 << 32 {
        numbers_of(itinerary, out, watch, |part: &mut [u32]| {
            for number in &mut *part {
                *number = number.to_le();
            }
            bytemuck::cast_slice(part)
        })
    } else {
        numbers_of(itinerary, out, watch, |part: &mut [u64]| {
            for number in &mut *part {
                *number = number.to_le();
            }
            bytemuck::cast_slice(part)
        })
    }
}

fn numbers_of<T: Number + Into<u64>>(
    itinerary: &Itinerary,
    out: &mut dyn Write,
    watch: &Watch,
    bytes: impl Fn(&mut [T]) -> &[u8],
) -> anyhow::Result<()> {
    /// Numbers in one buffer.
    const MOST: usize = 1 << 20;
    let files = itinerary.files() as usize;
    let ranks = itinerary.ranks();
    let rows = (MOST / files).max(1).min(ranks as usize) as u32;
    let pool = threads::Pool::new(watch.threads());
    let mut buffer = vec![T::truncated(0); (rows as usize * files).min(MOST)];
    for rank in (0..ranks).step_by(rows as usize) {
        let high = (rank + rows).min(ranks);
        if rows > 1 || files <= MOST {
            let part = &mut buffer[..(high - rank) as usize * files];
            pool.within(|| itinerary.fill_ranks(rank..high, part));
            sample(itinerary, rank, 0, part)?;
            out.write_all(bytes(part))?;
        } else {
            for first in (0..files).step_by(MOST) {
                let part = &mut buffer[..MOST.min(files - first)];
                itinerary.fill_files(rank, first as u32, part);
                sample(itinerary, rank, first as u32, part)?;
                out.write_all(bytes(part))?;
                pause(watch, u64::from(rank), ranks.into())?;
            }
        }
        pause(watch, high.into(), ranks.into())?;
    }
    Ok(())
}

/// Checks some of the numbers in a buffer that begins at a square.
fn sample<T: Number + Into<u64>>(
    itinerary: &Itinerary,
    rank: u32,
    file: u32,
    part: &[T],
) -> anyhow::Result<()> {
    const ONE_IN: usize = 4001;
    let files = u64::from(itinerary.files());
    for (i, &step) in part.iter().enumerate().step_by(ONE_IN) {
        let at = u64::from(file) + i as u64;
        let square = Square::new((at % files) as u32, rank + (at / files) as u32);
        check(itinerary, step.into(), square)?;
    }
    Ok(())
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
    use destrier::render::{Colour, tour_grid};
    use destrier::{Outcome, tour};
    use destrier_rules::Board;

    use super::*;

    /// A tour planned and the same tour kept.
    fn both(files: u32, ranks: u32) -> (Itinerary, Verified<TourProblem>) {
        let question = TourProblem::open(Board::new(files, ranks).unwrap());
        let watch = Watch::unlimited();
        let Outcome::Solved(plan) = Itinerary::plan(&question, &watch).unwrap().outcome else {
            panic!("{files}x{ranks} has a tour")
        };
        let kept = tour::find(&question, "compose", &watch).unwrap().outcome;
        let Outcome::Solved(kept) = kept else { panic!("{files}x{ranks} has a tour") };
        (plan, kept)
    }

    #[test]
    fn what_is_streamed_is_what_would_have_been_kept() {
        let watch = Watch::unlimited().with_threads(2);
        // The last two have more squares, or longer rows, than one buffer.
        for (files, ranks) in [(1, 1), (5, 5), (8, 8), (3, 41), (4, 30), (400, 391), (70_000, 3)] {
            let (plan, kept_tour) = both(files, ranks);
            let mut text = Vec::new();
            list(&plan, 1..plan.len() + 1, &mut text, &watch).unwrap();
            assert_eq!(text, (kept_tour.solution().to_string() + "\n").into_bytes());
            let mut text = Vec::new();
            grid(&plan, &mut text, &watch).unwrap();
            assert_eq!(text, tour_grid(&kept_tour, Colour::Never).into_bytes());
            let mut bytes = Vec::new();
            numbers(&plan, &mut bytes, &watch).unwrap();
            assert_eq!(bytes, kept(&kept_tour));
        }
    }

    #[test]
    fn a_halt_stops_the_stream() {
        let (plan, _) = both(900, 900);
        let watch = Watch::unlimited();
        watch.halt();
        let stopped = |result: anyhow::Result<()>| result.unwrap_err().is::<Stopped>();
        assert!(stopped(list(&plan, 1..plan.len() + 1, &mut Vec::new(), &watch)));
        assert!(stopped(grid(&plan, &mut Vec::new(), &watch)));
        let (plan, _) = both(2000, 1100);
        assert!(stopped(numbers(&plan, &mut Vec::new(), &watch)));
    }

    #[test]
    fn a_full_disk_is_an_error_and_no_hang() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let (plan, _) = both(900, 900);
        let watch = Watch::unlimited();
        for room in [0, 1_000_000] {
            assert!(list(&plan, 1..plan.len() + 1, &mut Full(room), &watch).is_err());
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
