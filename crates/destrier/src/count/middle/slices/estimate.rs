//! How large a count would be, measured on a sample before it is begun.
//!
//! All rows but the last of a half are settled where that is cheap. The last row is split into its parts,
//! which are independent of each other; a few are drawn with chances in proportion to their first
//! states and taken to the end, and their figures are scaled up. Boards whose earlier rows are
//! themselves too large are extrapolated from narrower boards of the same height, each measured in this way.
//! The ratio between neighbouring widths changes little.
//!
//! Invariant: a drawn part's chance is known, so the scaled figures are right on the average.
//! Cost: some seconds, within the memory that a count may take.
//! Source: Horvitz and Thompson's estimator, with Hansen and Hurwitz's draws.

use destrier_rules::TourProblem;

use crate::count::middle::as_real;
use crate::count::middle::half::budget::Budget;
use crate::count::middle::half::column::{Cell, Layer};
use crate::count::middle::half::cut::{Cut, Ends, Side};
use crate::count::middle::half::parts::Part;
use crate::count::middle::half::sweep::Sink;
use crate::count::middle::slices::engine::{MiddleCount, Rows};
use crate::count::middle::slices::report::Report;
use crate::outcome::{Outcome, Run, SolveError, Stop};
use crate::run::clock::Moment;
use crate::run::random::Random;
use crate::run::threads;
use crate::run::watch::Watch;

/// Parts are made until there are this many to draw from.
const ENOUGH_PARTS: usize = 60;

/// A number that is not known exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// The best guess.
    pub value: f64,
    /// One standard error, as a part of the value.
    pub error: f64,
}

/// What a count by meeting in the middle would take.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Columns of states that are put together: what a run counts as nodes.
    pub columns: Figure,
    /// Steps from state to state, before equal states are merged.
    pub transitions: Figure,
    /// States kept before the halves are joined.
    pub kept: Figure,
    /// Bytes, if nothing is sliced; slices take as little as is asked for, down to the states before the last row.
    pub memory: Figure,
    /// Hours on this machine with the threads of the watch.
    pub hours: Figure,
    /// The widths of the boards of this height that were measured, the last being nearest to the question.
    pub measured: Vec<usize>,
    /// Was the board itself measured, or extrapolated from narrower ones?
    pub is_extrapolated: bool,
    /// The threads of the watch.
    pub threads: usize,
}

/// The bytes that an estimate may take.
pub(in crate::count::middle) const TAKES: u64 = 1 << 29;

/// First layers with more states than this are not worked out for an estimate.
const MOST_STATES: f64 = 1e7;

/// The longest first layer that is taken to the end without sampling.
const SMALL: usize = 100_000;

/// How many parts are drawn.
const DRAWS: usize = 24;

/// Seconds that one kept state costs each time the join reads it: measured on 8×8.
const READ: f64 = 10e-9;

/// Bytes that a kept state takes at most, with its image while mirror images are added up: measured on 7×7 to 8×10.
const PER_KEPT: f64 = 15.0;

/// What the program takes in any case.
const PROGRAM: f64 = 16e6;

/// How far the memory is off: 6×10 open took 1.7 times what was said, 8×10 closed half of it.
const MEMORY_ERROR: f64 = 0.5;

/// Estimates what counting the tours of a problem would take.
///
/// # Errors
/// When the question is not one for this method.
pub(crate) fn estimate(problem: &TourProblem, watch: &Watch) -> Result<Run<Estimate>, SolveError> {
    let question = MiddleCount::new(problem)?;
    let outcome = match watch.on_threads(|| of(&question, watch)) {
        Ok(estimate) => Outcome::Solved(estimate),
        Err(Stop::Halt(why)) => Outcome::Unfinished { why, best: None },
        Err(stop) => return Err(stop.error("middle", watch)),
    };
    Ok(Run::new(outcome, watch.nodes()))
}

/// The same for a question made ready, by the threads of the caller.
pub(in crate::count::middle) fn of(
    question: &MiddleCount,
    watch: &Watch,
) -> Result<Estimate, Stop> {
    estimate_cut(question.cut(), watch)
}

fn estimate_cut(cut: &Cut, watch: &Watch) -> Result<Estimate, Stop> {
    // Given ends make less work than free ones, but of the same order.
    let ends = if cut.ends == Ends::Closed { Ends::Closed } else { Ends::Free };
    let mut measured: Vec<(usize, Sizes)> = Vec::new();
    for files in 4.min(cut.files)..=cut.files {
        let first = guess(&measured, files, |sizes| sizes.first);
        if first.is_some_and(|first| first.value > MOST_STATES) {
            break;
        }
        let narrower = MiddleCount::of(Cut { files, rows: cut.rows, ends });
        measured.push((files, measure(&narrower, watch)?));
    }
    let is_extrapolated = measured.last().is_none_or(|&(files, _)| files != cut.files);
    let figure = |of: fn(&Sizes) -> Figure| {
        if is_extrapolated {
            guess(&measured, cut.files, of).unwrap_or_default()
        } else {
            measured.last().map_or_else(Figure::default, |(_, sizes)| of(sizes))
        }
    };
    let kept = figure(|sizes| sizes.kept);
    let first = figure(|sizes| sizes.first);
    let transitions = figure(|sizes| sizes.transitions);
    // The seconds of a transition are those of the widest board measured.
    let pace = measured
        .last()
        .map_or(0.0, |(_, sizes)| sizes.seconds.value / sizes.transitions.value.max(1.0));
    // Each link that is left to the join makes 1.6 final states of one; odd widths have no mirror to halve the pairs.
    let links = i32::try_from(cut.late_links(1, false).len()).expect("at most ten files");
    let odd = if cut.has_mirror_links() { 1.0 } else { 2.0 };
    let reading = kept.value * 1.6_f64.powi(links) * odd * READ / as_real(watch.threads());
    Ok(Estimate {
        columns: figure(|sizes| sizes.columns),
        transitions,
        kept,
        memory: Figure {
            value: PROGRAM + 12.0 * first.value + PER_KEPT * kept.value,
            error: kept.error.max(MEMORY_ERROR),
        },
        hours: Figure {
            value: (transitions.value * pace + reading) / 3600.0,
            error: transitions.error.max(kept.error).max(0.5),
        },
        measured: measured.iter().map(|&(files, _)| files).collect(),
        is_extrapolated,
        threads: watch.threads(),
    })
}

/// The figures of one board.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    /// States before the last row.
    first: Figure,
    columns: Figure,
    transitions: Figure,
    kept: Figure,
    /// Seconds to settle all rows.
    seconds: Figure,
}

/// What a part came to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    transitions: f64,
    kept: f64,
}

impl<C: Cell> Sink<C> for Tally {
    fn take(&mut self, layer: &Layer<C>) -> Result<(), Stop> {
        self.kept += as_real(layer.states());
        Ok(())
    }

    fn hear(&mut self, transitions: u64) {
        self.transitions += as_real(transitions);
    }
}

/// What adding mirror images up leaves of the kept states, and how far that is off: measured on 6×6 to 8×10. The fuller the
/// columns are, the less is left.
const FOLDED: (f64, f64) = (0.62, 0.25);

fn measure(question: &MiddleCount, watch: &Watch) -> Result<Sizes, Stop> {
    match measure_with::<u32>(question, watch) {
        Err(Stop::Overflow) => measure_with::<u64>(question, watch),
        sizes => sizes,
    }
}

fn measure_with<C: Cell>(question: &MiddleCount, watch: &Watch) -> Result<Sizes, Stop> {
    let start = Moment::now();
    let before = watch.nodes();
    let budget = question.budget(None, watch);
    let rows: Rows<C> = question.first_rows(&budget, watch)?;
    let mut sizes = Sizes::default();
    sizes.seconds.value = Moment::now().since(start).as_secs_f64();
    sizes.columns.value = as_real(watch.nodes() - before);
    let mut variance = Tally::default();
    for side in [Side::Top, Side::Bottom] {
        measure_half(question, &rows, side, &mut sizes, &mut variance, &budget, watch)?;
    }
    sizes.transitions.error = variance.transitions.sqrt() / sizes.transitions.value.max(1.0);
    sizes.kept.error = variance.kept.sqrt() / sizes.kept.value.max(1.0);
    sizes.columns.error = sizes.transitions.error;
    sizes.seconds.error = sizes.transitions.error;
    sizes.kept.value *= FOLDED.0;
    sizes.kept.error = sizes.kept.error.max(FOLDED.1);
    Ok(sizes)
}

/// Adds what the last row of one half takes, from a sample of its parts.
fn measure_half<C: Cell>(
    question: &MiddleCount,
    rows: &Rows<C>,
    side: Side,
    sizes: &mut Sizes,
    variance: &mut Tally,
    budget: &Budget,
    watch: &Watch,
) -> Result<(), Stop> {
    let Some(layer) = rows.before(side) else { return Ok(()) };
    sizes.first.value = sizes.first.value.max(as_real(layer.states()));
    let report = Report::silent(watch);
    question.on_last_row(&question.slices(1), side, budget, report, |sweep, _| {
        let (start, before) = (Moment::now(), watch.nodes());
        let parts = sweep.parts(layer, ENOUGH_PARTS)?;
        sizes.seconds.value += Moment::now().since(start).as_secs_f64();
        sizes.columns.value += as_real(watch.nodes() - before);
        let lengths: Vec<usize> = parts.iter().map(Part::states).collect();
        let draws = draw(&lengths, lengths.iter().sum(), watch.seed());
        let (start, before) = (Moment::now(), watch.nodes());
        let tallies = threads::try_map(&draws, |&(part, chance)| {
            let sinks = sweep.finish_parts(vec![parts[part].again()], &Tally::default)?;
            let sum = |of: fn(&Tally) -> f64| sinks.iter().map(of).sum::<f64>();
            let tally = Tally { transitions: sum(|t| t.transitions), kept: sum(|t| t.kept) };
            Ok::<(Tally, f64), Stop>((tally, chance))
        })?;
        let scaled = |of: fn(&Tally) -> f64| -> (f64, f64) {
            let shares: Vec<f64> =
                tallies.iter().map(|(tally, chance)| of(tally) / chance).collect();
            if parts.len() == draws.len() {
                return (shares.iter().sum(), 0.0);
            }
            let count = as_real(shares.len());
            let mean = shares.iter().sum::<f64>() / count;
            let spread = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>();
            (mean, spread / (count * (count - 1.0)))
        };
        let (transitions, of_transitions) = scaled(|tally| tally.transitions);
        let (kept, of_kept) = scaled(|tally| tally.kept);
        let sampled: f64 = tallies.iter().map(|(tally, _)| tally.transitions).sum();
        let scale = transitions / sampled.max(1.0);
        sizes.seconds.value += Moment::now().since(start).as_secs_f64() * scale;
        sizes.columns.value += as_real(watch.nodes() - before) * scale;
        sizes.transitions.value += transitions;
        sizes.kept.value += kept;
        variance.transitions += of_transitions;
        variance.kept += of_kept;
        Ok(())
    })
}

/// Draws parts with chances in proportion to their sizes, or takes all of a small list.
fn draw(parts: &[usize], total: usize, seed: u64) -> Vec<(usize, f64)> {
    if total <= SMALL || parts.len() <= DRAWS {
        return (0..parts.len()).map(|part| (part, 1.0)).collect();
    }
    let mut random = Random::new(seed);
    (0..DRAWS)
        .map(|_| {
            let mut left = random.below(total) as u64;
            let drawn = parts.iter().position(|&size| {
                let here = left < size as u64;
                left = left.saturating_sub(size as u64);
                here
            });
            let part = drawn.unwrap_or(parts.len() - 1);
            (part, as_real(parts[part]) / as_real(total))
        })
        .collect()
}

/// The figure at a width beyond the measured ones: it grows on as it did over the last step between widths
/// and over the last two, which even out what is peculiar to odd widths; the error is what these differ by.
fn guess(measured: &[(usize, Sizes)], files: usize, of: fn(&Sizes) -> Figure) -> Option<Figure> {
    let [.., a, b, c] = measured else { return None };
    let log = |(_, sizes): &(usize, Sizes)| of(sizes).value.max(1.0).ln();
    let (one, two) = (log(c) - log(b), (log(c) - log(a)) / 2.0);
    let steps = as_real(files - c.0);
    let miss = (one - two).abs().max(0.05);
    let error = (miss * steps).exp_m1().max(of(&c.1).error);
    Some(Figure { value: (log(c) + steps * (one + two) / 2.0).exp(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards that were counted, and the states that were kept.
    const COUNTED: [(usize, usize, bool, f64); 12] = [
        (5, 8, false, 1402.0),
        (5, 9, true, 44_958.0),
        (6, 6, false, 5280.0),
        (6, 6, true, 114_911.0),
        (6, 7, false, 43_496.0),
        (6, 7, true, 559_567.0),
        (6, 8, false, 38_216.0),
        (6, 9, false, 178_558.0),
        (6, 10, false, 140_342.0),
        (6, 10, true, 1_056_627.0),
        (7, 7, false, 720_660.0),
        (7, 8, false, 641_387.0),
    ];

    #[test]
    fn the_states_of_boards_that_were_counted_are_within_what_is_said() {
        let watch = Watch::unlimited();
        for (files, rows, is_open, kept) in COUNTED {
            let ends = if is_open { Ends::Free } else { Ends::Closed };
            let estimate = estimate_cut(&Cut::new(files, rows, ends), &watch).expect("room");
            let factor = 1.0 + 2.0 * estimate.kept.error;
            let off = estimate.kept.value / kept;
            assert!((1.0 / factor..factor).contains(&off), "{files}x{rows}: {off}, not {factor}");
        }
    }
}
