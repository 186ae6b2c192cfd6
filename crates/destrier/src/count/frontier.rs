//! Counting tours by sweeping a frontier over the board.
//!
//! Squares are settled one by one. All that the past can do to the future is this: each frontier
//! square is untouched, finished, or the end of a path, and then which square is its other end. Pasts
//! that agree on that are counted together; pasts whose degrees cannot be completed are dropped.
//!
//! Invariant: a layer's numbers add up to the ways to settle the squares so far (useful ones).
//! Cost: time and memory follow the widest layer; 7×8 closed has 68 million states in all.
//! After: Knuth's SIMPATH; Iwashita's TdZdd.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use destrier_rules::TourProblem;
use num_bigint::BigUint;

use super::TourCount;
use super::net::Net;
use super::quotient;
use super::sweep::course::Course;
use super::sweep::deal::Stuck;
use super::sweep::degrees::Degrees;
use super::sweep::layer::{Layer, Wide};
use crate::graph::KnightGraph;
use crate::method::Counter;
use crate::outcome::{Outcome, Run, SolveError};
use crate::tour::Naive;
use crate::watch::{Halt, Watch};

/// The plain frontier sweep.
#[derive(Debug)]
pub struct Frontier;

const NAME: &str = "frontier";

/// The most squares whose graph is looked at: wider frontiers are refused by their width.
const MOST_SQUARES: u64 = 1 << 16;

impl Counter for Frontier {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "sweeps a frontier over the board; any holes, wraps and leapers"
    }

    fn count(&self, problem: &TourProblem, watch: &Watch) -> Result<Run<TourCount>, SolveError> {
        let graph = graph_of(problem, NAME)?;
        if graph.len() < 3 {
            return Naive.count(problem, watch); // no cycle, and at most one path
        }
        if problem.symmetry.is_some() {
            return quotient::count(problem, watch);
        }
        let net = Net::of(problem, &graph);
        let counted = cycles(&net, watch, NAME)?;
        let outcome = match counted {
            Ok([count, ..]) => Outcome::Solved(TourCount::of_undirected(problem, count)),
            Err(why) => Outcome::Unfinished { why, best: None },
        };
        Ok(Run::new(outcome, watch.nodes()))
    }
}

/// The graph of a question, if a sweep may look at it.
///
/// # Errors
/// When the board is too large.
pub(crate) fn graph_of(
    problem: &TourProblem,
    method: &'static str,
) -> Result<KnightGraph, SolveError> {
    let squares = problem.board.area();
    if squares > MOST_SQUARES {
        let why = format!("the board has {squares} squares, and {MOST_SQUARES} is the most");
        return Err(SolveError::Unsuited { method, why });
    }
    Ok(KnightGraph::of(&problem.board, problem.leaper))
}

/// The Hamiltonian cycles of a net, by the turn around each; or why the count was stopped.
///
/// # Errors
/// When the frontier is too wide, or outgrows the memory allowed.
pub(crate) fn cycles(
    net: &Net,
    watch: &Watch,
    method: &'static str,
) -> Result<Result<[BigUint; 4], Halt>, SolveError> {
    let course = net.course();
    if net.vertices < SMALL {
        return sweep_words(&course, watch, method);
    }
    in_pool(watch, || sweep_words(&course, watch, method))
}

/// Nets below this are done before a pool of threads would be up.
const SMALL: usize = 24;

fn sweep_words(
    course: &Course,
    watch: &Watch,
    method: &'static str,
) -> Result<Result<[BigUint; 4], Halt>, SolveError> {
    match course.words() {
        1 => sweep::<1>(course, watch, method),
        2 => sweep::<2>(course, watch, method),
        3 => sweep::<3>(course, watch, method),
        4 => sweep::<4>(course, watch, method),
        5 | 6 => sweep::<6>(course, watch, method),
        _ => Err(SolveError::Unsuited { method, why: too_wide(course) }),
    }
}

/// What is said of a frontier that has too many squares.
pub(crate) fn too_wide(course: &Course) -> String {
    format!("the frontier is {} squares wide, and 54 is the most", course.widest())
}

/// Runs with as many threads as the watch allows.
pub(crate) fn in_pool<R: Send>(watch: &Watch, run: impl FnOnce() -> R + Send) -> R {
    match rayon::ThreadPoolBuilder::new().num_threads(watch.threads()).build() {
        Ok(pool) => pool.install(run),
        Err(_) => run(),
    }
}

/// The numbers of a layer, as wide as they need to be.
enum Counting<const W: usize> {
    Narrow(Layer<W, u64>),
    Middling(Layer<W, u128>),
    Broad(Layer<W, Wide>),
}

fn sweep<const W: usize>(
    course: &Course,
    watch: &Watch,
    method: &'static str,
) -> Result<Result<[BigUint; 4], Halt>, SolveError> {
    let beat = || {
        let mut pulse = watch.pulse();
        move || pulse.beat()
    };
    let refused = |bytes: u64| SolveError::Unsuited { method, why: needs(bytes, watch) };
    // The most bytes that the degrees asked for.
    let asked = AtomicU64::new(0);
    let fits = |bytes: u64| {
        asked.fetch_max(bytes, Relaxed);
        if room(watch) < bytes { Err(Halt::Memory) } else { Ok(()) }
    };
    let degrees = match Degrees::<W>::of(course, beat, fits) {
        Ok(degrees) => degrees,
        Err(Halt::Memory) => return Err(refused(asked.into_inner())),
        Err(halt) => return Ok(Err(halt)),
    };
    // Every useful pattern has a state or more.
    let widest = (0..course.len()).map(|at| degrees.width(at)).max().unwrap_or(0);
    let least = degrees.bytes() + step_bytes::<W>(widest, 8);
    if room(watch) < least {
        return Err(refused(least));
    }
    let weights: Vec<u64> = (0..course.len()).map(|at| degrees.width(at) as u64).collect();
    let whole: u64 = weights.iter().sum();
    let mut totals: [BigUint; 4] = std::array::from_fn(|_| BigUint::ZERO);
    let mut now: Counting<W> = Counting::Narrow(Layer::first());
    let mut behind = 0;
    for (at, weight) in weights.into_iter().enumerate() {
        let (states, number) = match &now {
            Counting::Narrow(layer) => (layer.len(), 8),
            Counting::Middling(layer) => (layer.len(), 16),
            Counting::Broad(layer) => (layer.len(), 64),
        };
        let bytes = degrees.bytes() + step_bytes::<W>(states, number);
        if room(watch) < bytes {
            let why = format!("square {} of {}: {}", at + 1, course.len(), needs(bytes, watch));
            return Err(SolveError::Unsuited { method, why });
        }
        loop {
            let widened = match &now {
                Counting::Narrow(layer) => match layer.advance(course, &degrees, at, beat) {
                    Ok((next, closed)) => {
                        add(&mut totals, closed.map(BigUint::from));
                        now = Counting::Narrow(next);
                        break;
                    }
                    Err(Stuck::Halt(halt)) => return Ok(Err(halt)),
                    Err(Stuck::Overflow) => Counting::Middling(layer.widened(u128::from)),
                },
                Counting::Middling(layer) => match layer.advance(course, &degrees, at, beat) {
                    Ok((next, closed)) => {
                        add(&mut totals, closed.map(BigUint::from));
                        now = Counting::Middling(next);
                        break;
                    }
                    Err(Stuck::Halt(halt)) => return Ok(Err(halt)),
                    Err(Stuck::Overflow) => Counting::Broad(layer.widened(Wide::from)),
                },
                Counting::Broad(layer) => match layer.advance(course, &degrees, at, beat) {
                    Ok((next, closed)) => {
                        add(&mut totals, closed.map(BigUint::from));
                        now = Counting::Broad(next);
                        break;
                    }
                    Err(Stuck::Halt(halt)) => return Ok(Err(halt)),
                    Err(Stuck::Overflow) => {
                        let why = "the count has more than 512 bits".to_owned();
                        return Err(SolveError::Unsuited { method, why });
                    }
                },
            };
            now = widened;
        }
        behind += weight;
        #[expect(clippy::cast_precision_loss, reason = "a fraction for a progress bar")]
        watch.tell(|progress| progress.fraction = Some(behind as f64 / whole.max(1) as f64));
    }
    Ok(Ok(totals))
}

/// The bytes of a step: a layer, what is dealt out of it (about two for each state, in lists that grow), and
/// the next one.
fn step_bytes<const W: usize>(states: usize, number: usize) -> u64 {
    (states * (8 * W + number) * 6) as u64
}

/// The bytes that tables may take: the limit, less a part for the program itself.
pub(crate) fn room(watch: &Watch) -> u64 {
    watch.memory().map_or(u64::MAX, |memory| memory - (memory / 4).min(16 << 20))
}

/// What is said of a limit on memory that does not do.
pub(crate) fn needs(bytes: u64, watch: &Watch) -> String {
    let allowed = watch.memory().unwrap_or(u64::MAX) >> 20;
    format!("it needs {} MiB or more, and {allowed} MiB are allowed", (bytes >> 20) + 16)
}

fn add(totals: &mut [BigUint; 4], closed: [BigUint; 4]) {
    totals.iter_mut().zip(closed).for_each(|(total, more)| *total += more);
}
