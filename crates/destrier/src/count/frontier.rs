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
use super::peers::{self, Alone, Peers, Trouble};
use super::quotient;
use super::sweep::course::Course;
use super::sweep::deal::Stuck;
use super::sweep::degrees::Degrees;
use super::sweep::layer::{Layer, Tally, Wide};
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
        if problem.symmetry.is_some() && problem.board.len() >= FEWEST {
            return quotient::count(problem, watch);
        }
        Frontier.count_among(problem, &mut Alone, watch)
    }
}

/// Smaller boards have no cycle, and at most one path.
const FEWEST: u64 = 3;

impl Frontier {
    /// Counts together with peers, who are asked the same; all come to the same count. Without symmetry.
    ///
    /// # Errors
    /// When the board is too large, or a layer outgrows the memory allowed to a peer.
    pub fn count_among(
        &self,
        problem: &TourProblem,
        peers: &mut dyn Peers,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        let graph = graph_of(problem, NAME)?;
        if (graph.len() as u64) < FEWEST {
            return Naive.count(problem, watch);
        }
        if problem.symmetry.is_some() && peers.size() > 1 {
            let why = "tours with a symmetry are not counted with peers".to_owned();
            return Err(SolveError::Unsuited { method: NAME, why });
        }
        let net = Net::of(problem, &graph);
        let counted = cycles_among(&net, peers, watch, NAME)?;
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
    cycles_among(net, &mut Alone, watch, method)
}

fn cycles_among(
    net: &Net,
    peers: &mut dyn Peers,
    watch: &Watch,
    method: &'static str,
) -> Result<Result<[BigUint; 4], Halt>, SolveError> {
    let course = net.course();
    if net.vertices < SMALL {
        return sweep_words(&course, peers, watch, method);
    }
    in_pool(watch, || sweep_words(&course, peers, watch, method))
}

/// Nets below this are done before a pool of threads would be up.
const SMALL: usize = 24;

fn sweep_words(
    course: &Course,
    peers: &mut dyn Peers,
    watch: &Watch,
    method: &'static str,
) -> Result<Result<[BigUint; 4], Halt>, SolveError> {
    match course.words() {
        1 => sweep::<1>(course, peers, watch, method),
        2 => sweep::<2>(course, peers, watch, method),
        3 => sweep::<3>(course, peers, watch, method),
        4 => sweep::<4>(course, peers, watch, method),
        5 | 6 => sweep::<6>(course, peers, watch, method),
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
    peers: &mut dyn Peers,
    watch: &Watch,
    method: &'static str,
) -> Result<Result<[BigUint; 4], Halt>, SolveError> {
    let beat = || {
        let mut pulse = watch.pulse();
        move || pulse.beat()
    };
    // The most bytes that the degrees asked for.
    let asked = AtomicU64::new(0);
    let fits = |bytes: u64| {
        asked.fetch_max(bytes, Relaxed);
        if room(watch) < bytes { Err(Halt::Memory) } else { Ok(()) }
    };
    let refused = |bytes: u64| SolveError::Unsuited { method, why: needs(bytes, watch) };
    let degrees = match Degrees::<W>::of(course, beat, fits) {
        Ok(degrees) => Ok(degrees),
        // With peers, the others are told at the first step.
        Err(Halt::Memory) if peers.size() > 1 => Err(Trouble::Memory(asked.into_inner())),
        Err(halt) if peers.size() > 1 => Err(Trouble::Halt(halt)),
        Err(Halt::Memory) => return Err(refused(asked.into_inner())),
        Err(halt) => return Ok(Err(halt)),
    };
    if let (Ok(degrees), 1) = (&degrees, peers.size()) {
        // Every useful pattern has a state or more.
        let widest = (0..course.len()).map(|at| degrees.width(at)).max().unwrap_or(0);
        let least = degrees.bytes() + step_bytes::<W, u64>(widest);
        if room(watch) < least {
            return Err(refused(least));
        }
    }
    let width = |at| degrees.as_ref().map_or(1, |degrees: &Degrees<W>| degrees.width(at) as u64);
    let weights: Vec<u64> = (0..course.len()).map(width).collect();
    let whole: u64 = weights.iter().sum();
    let mut totals: [BigUint; 4] = std::array::from_fn(|_| BigUint::ZERO);
    let mut now: Counting<W> =
        Counting::Narrow(if peers.rank() == 0 { Layer::first() } else { Layer::empty() });
    let mut behind = 0;
    let mut stepper = Stepping { course, degrees: degrees.as_ref(), peers, watch };
    for (at, weight) in weights.into_iter().enumerate() {
        loop {
            let (stuck, wider) = match &now {
                Counting::Narrow(layer) => match stepper.step(layer, at) {
                    Ok((next, closed)) => {
                        add(&mut totals, closed.map(BigUint::from));
                        now = Counting::Narrow(next);
                        break;
                    }
                    Err(Stuck::Overflow) => {
                        (Stuck::Overflow, Some(Counting::Middling(layer.widened(u128::from))))
                    }
                    Err(stuck) => (stuck, None),
                },
                Counting::Middling(layer) => match stepper.step(layer, at) {
                    Ok((next, closed)) => {
                        add(&mut totals, closed.map(BigUint::from));
                        now = Counting::Middling(next);
                        break;
                    }
                    Err(Stuck::Overflow) => {
                        (Stuck::Overflow, Some(Counting::Broad(layer.widened(Wide::from))))
                    }
                    Err(stuck) => (stuck, None),
                },
                Counting::Broad(layer) => match stepper.step(layer, at) {
                    Ok((next, closed)) => {
                        add(&mut totals, closed.map(BigUint::from));
                        now = Counting::Broad(next);
                        break;
                    }
                    Err(stuck) => (stuck, None),
                },
            };
            match (stuck, wider) {
                (Stuck::Halt(Trouble::Halt(halt)), _) => return Ok(Err(halt)),
                (Stuck::Halt(Trouble::Memory(bytes)), _) => {
                    let (square, squares) = (at + 1, course.len());
                    let why = format!("square {square} of {squares}: {}", needs(bytes, watch));
                    return Err(SolveError::Unsuited { method, why });
                }
                (Stuck::Overflow, Some(wider)) => now = wider,
                (Stuck::Overflow, None) => {
                    let why = "the count has more than 512 bits".to_owned();
                    return Err(SolveError::Unsuited { method, why });
                }
            }
        }
        behind += weight;
        #[expect(clippy::cast_precision_loss, reason = "a fraction for a progress bar")]
        watch.tell(|progress| progress.fraction = Some(behind as f64 / whole.max(1) as f64));
    }
    Ok(Ok(peers::sum_up(totals, stepper.peers)))
}

/// What a step needs besides its layer.
struct Stepping<'s, const W: usize> {
    course: &'s Course,
    /// Or why there are none.
    degrees: Result<&'s Degrees<W>, &'s Trouble>,
    peers: &'s mut dyn Peers,
    watch: &'s Watch,
}

impl<const W: usize> Stepping<'_, W> {
    /// The next layer of this peer, and what it has closed on the way there.
    fn step<T: Tally>(
        &mut self,
        layer: &Layer<W, T>,
        at: usize,
    ) -> Result<(Layer<W, T>, [T; 4]), Stuck<Trouble>> {
        let advanced = self.advance(layer, at);
        peers::gather(advanced, self.course, self.peers)
    }

    fn advance<T: Tally>(
        &self,
        layer: &Layer<W, T>,
        at: usize,
    ) -> Result<(Layer<W, T>, [T; 4]), Stuck<Trouble>> {
        let watch = self.watch;
        let degrees = self.degrees.map_err(|trouble| Stuck::Halt(*trouble))?;
        let bytes = degrees.bytes() + step_bytes::<W, T>(layer.len());
        if room(watch) < bytes {
            return Err(Stuck::Halt(Trouble::Memory(bytes)));
        }
        let beat = || {
            let mut pulse = watch.pulse();
            move || pulse.beat().map_err(Trouble::Halt)
        };
        layer.advance(self.course, degrees, at, beat)
    }
}

/// The bytes of a step: a layer, what is dealt out of it (about two for each state, in lists that grow), and
/// the next one.
fn step_bytes<const W: usize, T: Tally>(states: usize) -> u64 {
    (states * (8 * W + T::BYTES) * 6) as u64
}

/// The bytes that tables may take: the limit, less a part for the program itself.
pub(crate) fn room(watch: &Watch) -> u64 {
    watch.memory().map_or(u64::MAX, |memory| memory - (memory / 4).min(PROGRAM))
}

/// What is said of a limit on memory that does not do.
pub(crate) fn needs(bytes: u64, watch: &Watch) -> String {
    let allowed = watch.memory().unwrap_or(u64::MAX) >> 20;
    format!("it needs {} MiB or more, and {allowed} MiB are allowed", (bytes + PROGRAM) >> 20)
}

/// Bytes for the program itself, of a limit that is not small.
const PROGRAM: u64 = 16 << 20;

fn add(totals: &mut [BigUint; 4], closed: [BigUint; 4]) {
    totals.iter_mut().zip(closed).for_each(|(total, more)| *total += more);
}
