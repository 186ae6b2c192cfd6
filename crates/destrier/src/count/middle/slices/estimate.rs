//! How large a count would be, measured on a sample before it is begun.
//!
//! All rows but the last of a half are settled where that is cheap. The last row is dealt out into its parts,
//! which are independent of each other; a few are drawn with chances in proportion to their first
//! states and taken to the end, and their figures are scaled up. Boards whose earlier rows are
//! themselves too large are extrapolated from narrower boards of the same height, each measured in this way.
//! The ratio between neighbouring widths changes little.
//!
//! Invariant: a drawn part's chance is known, so the scaled figures are right on the average.
//! Cost: some seconds, and half a gigabyte at most.
//! Source: Horvitz and Thompson's estimator, with Hansen and Hurwitz's draws.

use std::fmt;
use std::time::Instant;

use destrier_rules::TourProblem;

use crate::count::middle::half::cut::{Cut, Ends, Side};
use crate::count::middle::half::plan::Plan;
use crate::count::middle::half::state::State;
use crate::count::middle::half::sweep::{All, Buffers, Row, Sink, Source};
use crate::count::middle::join::pattern::Pattern;
use crate::count::middle::slices::engine::MiddleCount;
use crate::count::middle::slices::report::Report;
use crate::count::middle::storage::pages::PageList;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::random::Random;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// Parts are made until there are this many to draw from.
const ENOUGH_PARTS: usize = 60;

/// A number that is not known exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figure {
    /// The best guess.
    pub value: f64,
    /// One standard error, as a part of the value.
    pub error: f64,
}

/// What a count by meeting in the middle would take.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// States that are taken a step further.
    pub states: Figure,
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
    threads: usize,
}

/// The bytes that an estimate may take.
pub(in crate::count::middle) const TAKES: u64 = 1 << 29;

/// First lists longer than this are not worked out for an estimate.
const MOST_STATES: f64 = 1.5e6;

/// The longest first list that is taken to the end without sampling.
const SMALL: usize = 100_000;

/// How many parts are drawn.
const DRAWS: usize = 24;

/// Nanoseconds that one kept state costs each time the join reads it: measured on 8×8.
const READ: f64 = 21e-9;

/// Estimates what counting the tours of a problem would take.
///
/// # Errors
/// When the question is not one for this method.
pub fn estimate(problem: &TourProblem, watch: &Watch) -> Result<Run<Estimate>, SolveError> {
    let question = MiddleCount::new(problem)?;
    let outcome = match watch.on_threads(|| of(&question, watch)) {
        Ok(estimate) => Outcome::Solved(estimate),
        Err(why) => Outcome::Unfinished { why, best: None },
    };
    Ok(Run::new(outcome, watch.nodes()))
}

/// The same for a question made ready, by the threads of the caller.
pub(in crate::count::middle) fn of(
    question: &MiddleCount,
    watch: &Watch,
) -> Result<Estimate, Halt> {
    estimate_cut(question.cut(), watch)
}

fn estimate_cut(cut: &Cut, watch: &Watch) -> Result<Estimate, Halt> {
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
    // Each link of a half makes 1.6 final states of one; odd widths have no mirror to halve the pairs.
    let links = i32::try_from(cut.files - 2).expect("at most ten files");
    let odd = if cut.has_mirror_links() { 1.0 } else { 2.0 };
    let reading = kept.value * 1.6_f64.powi(links) * odd * READ / as_real(watch.threads());
    Ok(Estimate {
        states: figure(|sizes| sizes.states),
        transitions,
        kept,
        memory: Figure {
            value: 100.0 * first.value + 24.0 * kept.value,
            error: kept.error.max(0.2),
        },
        hours: Figure {
            value: (transitions.value * pace + reading) / 3600.0,
            error: transitions.error.max(kept.error).max(0.3),
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
    states: Figure,
    transitions: Figure,
    kept: Figure,
    /// Seconds to settle all rows.
    seconds: Figure,
}

/// What a part came to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    transitions: f64,
    states: f64,
    kept: f64,
}

impl Sink for Tally {
    fn take(&mut self, _: Pattern, states: &[State]) -> Result<(), Halt> {
        self.kept += as_real(states.len());
        Ok(())
    }

    fn hear(&mut self, transitions: usize) {
        self.transitions += as_real(transitions);
    }
}

fn measure(question: &MiddleCount, watch: &Watch) -> Result<Sizes, Halt> {
    let start = Instant::now();
    let nodes = watch.nodes();
    let begun = question.begin(None, watch)?;
    let mut sizes = Sizes::default();
    let mut seconds = start.elapsed().as_secs_f64();
    // Settled rows make some two and a half transitions of a state.
    let mut early = real(watch.nodes() - nodes);
    let mut variance = Tally::default();
    for side in [Side::Top, Side::Bottom] {
        let Some(states) = begun.states(side) else { continue };
        let length: usize = states.iter().map(PageList::len).sum();
        sizes.first.value = sizes.first.value.max(as_real(length));
        let plan = Plan::new(question.cut(), side, question.cut().depth(side) - 1);
        let packing = question.half(side).packing();
        let row = Row { plan: &plan, packing, wanted: &All, report: Report::SILENT };
        let (start, nodes) = (Instant::now(), watch.nodes());
        let lists = states.iter().map(Source::Shared).collect();
        let is_enough = |_, parts| parts >= ENOUGH_PARTS;
        let spread = row.spread(lists, is_enough, begun.store(), watch)?;
        seconds += start.elapsed().as_secs_f64();
        early += real(watch.nodes() - nodes);
        let parts: Vec<usize> = spread.sizes().map(|(_, size)| size).collect();
        let total: usize = parts.iter().sum();
        let draws = draw(&parts, total, watch.seed());
        let start = Instant::now();
        let tallies = threads::try_map(&draws, |&(part, chance)| {
            let mut tally = Tally::default();
            let mut buffers = Buffers::new(&plan, begun.store(), watch);
            let (part, progress) = (spread.shown(part), spread.progress());
            row.finish_part(part, progress, begun.store(), &mut buffers, &mut tally)?;
            tally.states = tally.transitions / 2.5;
            Ok::<(Tally, f64), Halt>((tally, chance))
        })?;
        let took = start.elapsed().as_secs_f64();
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
        seconds += took * transitions / sampled.max(1.0);
        sizes.transitions.value += transitions;
        sizes.kept.value += kept;
        variance.transitions += of_transitions;
        variance.kept += of_kept;
    }
    sizes.transitions.error = variance.transitions.sqrt() / sizes.transitions.value.max(1.0);
    sizes.kept.error = variance.kept.sqrt() / sizes.kept.value.max(1.0);
    sizes.states =
        Figure { value: early + sizes.transitions.value / 2.5, error: sizes.transitions.error };
    sizes.transitions.value += early * 2.5;
    // Mirror images are laid together: a little more than half remain.
    sizes.kept.value *= 0.66;
    sizes.seconds = Figure { value: seconds, error: sizes.transitions.error };
    Ok(sizes)
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

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn as_real(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn real(count: u64) -> f64 {
    count as f64
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (100.0 * self.error).ceil();
        if self.value < 1e4 {
            write!(f, "{:.3} ± {percent} %", self.value)
        } else {
            write!(f, "{:.2e} ± {percent} %", self.value)
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gibibytes = Figure { value: self.memory.value / f64::from(1_u32 << 30), ..self.memory };
        writeln!(f, "states       {}", self.states)?;
        writeln!(f, "transitions  {}", self.transitions)?;
        writeln!(f, "kept states  {}", self.kept)?;
        writeln!(f, "memory       {gibibytes} GiB unsliced")?;
        writeln!(f, "time         {} hours on {} threads", self.hours, self.threads)?;
        let last = self.measured.last().copied().unwrap_or_default();
        if self.is_extrapolated {
            write!(f, "extrapolated from boards of the same height and up to {last} files")
        } else {
            write!(f, "measured on a sample of parts")
        }
    }
}
