//! Counting tours by sweeping a frontier over the board.
//!
//! Squares are settled one by one. All that the past passes on to the future is this: each frontier
//! square is untouched, finished, or the end of a path, and then which square is its other end. Pasts
//! that agree on that are counted together; pasts whose degrees cannot be completed are dropped.
//!
//! Invariant: a layer's numbers add up to the ways to settle the squares so far (useful ones).
//! Cost: time and memory follow the widest layer; 7×8 closed has 68 million states in total.
//! Source: Knuth's SIMPATH; Iwashita's TdZdd.

use destrier_rules::TourProblem;
use num_bigint::BigUint;

use super::TourCount;
use super::orders::Orders;
use super::sweep::course::Course;
use super::sweep::degrees::Degrees;
use super::sweep::layer::{Layer, Tally, Wide};
use super::symmetric;
use crate::graph::KnightGraph;
use crate::outcome::{Run, SolveError, Stop};
use crate::run::watch::Watch;
use crate::tour::{Naive, walk};

/// The plain frontier sweep.
#[derive(Debug)]
pub(super) struct Frontier;

const NAME: &str = "frontier";

/// The most squares whose graph is looked at: wider frontiers are refused by their width.
pub(crate) const MOST_SQUARES: u64 = 1 << 16;

impl Frontier {
    pub(crate) fn count(
        problem: &TourProblem,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        let graph = KnightGraph::for_question(problem, MOST_SQUARES, NAME)?;
        if graph.len() < FEWEST {
            return walk::count(&Naive, problem, watch);
        }
        let counted = if problem.symmetry.is_some() {
            symmetric::count(problem, &graph, NAME, watch)
        } else {
            cycles(&Orders::of(problem, &graph), watch)
        };
        Run::ended(counted.map(|count| TourCount::of_undirected(problem, count)), NAME, watch)
    }
}

/// Smaller boards have no cycle, and at most one path.
const FEWEST: usize = 3;

/// The Hamiltonian cycles of a graph with an allowed total turn.
pub(crate) fn cycles(orders: &Orders, watch: &Watch) -> Result<BigUint, Stop> {
    let course = orders.course();
    let by_turn = if orders.graph.vertices() < SMALL {
        sweep_words(&course, watch)?
    } else {
        watch.on_threads(|| sweep_words(&course, watch))?
    };
    let turns = (0..orders.graph.modulus()).zip(by_turn);
    Ok(turns.filter(|&(turn, _)| orders.graph.allows(turn)).map(|(_, count)| count).sum())
}

/// Smaller graphs are done before a pool of threads would be up.
const SMALL: usize = 24;

fn sweep_words(course: &Course, watch: &Watch) -> Result<[BigUint; 4], Stop> {
    // A sweep for every number of words would be faster by little, and double what is compiled here.
    match course.words() {
        0..=2 => Sweep::<2>::run(course, watch),
        3 | 4 => Sweep::<4>::run(course, watch),
        5 | 6 => Sweep::<6>::run(course, watch),
        _ => Err(SolveError::Unsuited { method: NAME, why: course.too_wide(6) }.into()),
    }
}

/// A sweep under way.
struct Sweep<'s, const W: usize> {
    course: &'s Course,
    degrees: Degrees<W>,
    watch: &'s Watch,
    /// The cycles closed so far, by turn.
    totals: [BigUint; 4],
}

/// Where a sweep with numbers of one type ended: the layer, and the step that needs wider ones, if one does.
type Reached<const W: usize, T> = (Layer<W, T>, Option<usize>);

impl<'s, const W: usize> Sweep<'s, W> {
    fn run(course: &'s Course, watch: &'s Watch) -> Result<[BigUint; 4], Stop> {
        let degrees = Degrees::<W>::of(course, watch)?;
        // Every useful pattern has a state or more.
        let widest = (0..course.len()).map(|at| degrees.width(at)).max().unwrap_or(0);
        fits(degrees.bytes() + step_bytes::<W, u64>(widest), watch)?;
        let totals = std::array::from_fn(|_| BigUint::ZERO);
        let mut sweep = Sweep { course, degrees, watch, totals };
        let (layer, narrow) = sweep.take_on(Layer::<W, u64>::first(), 0)?;
        let Some(at) = narrow else { return Ok(sweep.totals) };
        let (layer, narrow) = sweep.take_on(layer.widened(u128::from), at)?;
        let Some(at) = narrow else { return Ok(sweep.totals) };
        match sweep.take_on(layer.widened(Wide::from), at)? {
            (_, None) => Ok(sweep.totals),
            (_, Some(_)) => Err(Stop::Overflow),
        }
    }

    /// Takes a layer through the steps from this one on.
    fn take_on<T: Tally + Into<BigUint>>(
        &mut self,
        mut layer: Layer<W, T>,
        from: usize,
    ) -> Result<Reached<W, T>, Stop> {
        let weight = |at: usize| self.degrees.width(at) as u64;
        let whole: u64 = (0..self.course.len()).map(weight).sum();
        let mut behind: u64 = (0..from).map(weight).sum();
        for at in from..self.course.len() {
            fits(self.degrees.bytes() + step_bytes::<W, T>(layer.len()), self.watch)?;
            let closed = match layer.advance(self.course, &self.degrees, at, self.watch) {
                Ok((next, closed)) => {
                    layer = next;
                    closed
                }
                Err(Stop::Overflow) => return Ok((layer, Some(at))),
                Err(stop) => return Err(stop),
            };
            for (total, more) in self.totals.iter_mut().zip(closed) {
                *total += more.into();
            }
            behind += self.degrees.width(at) as u64;
            #[expect(clippy::cast_precision_loss, reason = "a fraction for a progress bar")]
            let fraction = behind as f64 / whole.max(1) as f64;
            self.watch.tell(|progress| progress.fraction = Some(fraction));
        }
        Ok((layer, None))
    }
}

/// The bytes of a step: a layer, what is dealt out of it (about two for each state, in lists that grow), and
/// the next one.
fn step_bytes<const W: usize, T: Tally>(states: usize) -> u64 {
    (states * (8 * W + size_of::<T>()) * 6) as u64
}

/// Is there room for so many bytes?
pub(crate) fn fits(bytes: u64, watch: &Watch) -> Result<(), Stop> {
    if watch.room() < bytes { Err(Stop::Needs(bytes)) } else { Ok(()) }
}
