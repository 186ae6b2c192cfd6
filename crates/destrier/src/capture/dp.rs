//! The fewest moves by dynamic programming over sets of pieces.
//!
//! For every set of pieces and every last piece in it, the fewest moves that take the set and
//! end there: the last piece before it is one of the others.
//!
//! Invariant: entries of smaller sets are final before a larger set is looked at.
//! Cost: `2^q q²` steps and `2^q q` entries of four bytes; 84 MB for 20 pieces, the most it takes.
//! After: Bellman (1962); Held and Karp (1962).

use destrier_rules::{CapturePlan, CaptureProblem, Claim, Proof};

use super::metric::Metric;
use super::stops::Stops;
use crate::method::Solver;
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

/// Dynamic programming over sets of pieces.
#[derive(Debug)]
pub struct Dp;

const MOST_PIECES: usize = 20;
const MOST_SQUARES: u64 = 1 << 23;

impl Solver<CaptureProblem> for Dp {
    fn name(&self) -> &'static str {
        "dp"
    }

    fn about(&self) -> &'static str {
        "dynamic programming over sets of pieces; exact, up to 20 pieces"
    }

    fn solve(
        &self,
        problem: &CaptureProblem,
        watch: &Watch,
    ) -> Result<Run<CapturePlan>, SolveError> {
        let pieces = problem.targets.len();
        if pieces > MOST_PIECES {
            let why = format!("the board has {pieces} pieces, and {MOST_PIECES} is the most");
            return Err(SolveError::Unsuited { method: "dp", why });
        }
        if problem.board.area() > MOST_SQUARES {
            let area = problem.board.area();
            let why = format!("the board has {area} squares, and {MOST_SQUARES} is the most");
            return Err(SolveError::Unsuited { method: "dp", why });
        }
        let stops = match Stops::new(problem) {
            Ok(stops) => stops,
            Err(obstacle) => return Ok(Run::new(Outcome::Impossible(obstacle), 0)),
        };
        let ordered = stops
            .metric(watch)
            .and_then(|metric| metric.map(|metric| fewest(&metric, watch)).transpose());
        match ordered {
            Ok(Some((order, nodes))) => {
                let plan = stops.plan(&order);
                let proof = Proof::Search { by: "dp".to_owned(), nodes };
                let claim = Claim::Fewest { lower_bound: plan.moves(), proof };
                Ok(Run::new(Outcome::Solved(plan), nodes).claiming(claim))
            }
            Ok(None) => {
                let why = "two stops are more than 65534 moves apart".to_owned();
                Err(SolveError::Unsuited { method: "dp", why })
            }
            Err(why) => Ok(Run::new(Outcome::Unfinished { why, best: None }, watch.nodes())),
        }
    }
}

/// The best order of the stops, and the number of entries filled.
fn fewest(metric: &Metric, watch: &Watch) -> Result<(Vec<usize>, u64), Halt> {
    let pieces = metric.stops() - 1;
    if pieces == 0 {
        return Ok((vec![0], 0));
    }
    let mut ticker = watch.ticker();
    // `least[set * pieces + last]`, with the piece `k` standing for the stop `k + 1`.
    let mut least = vec![u32::MAX; pieces << pieces];
    for last in 0..pieces {
        least[(1 << last) * pieces + last] = metric.distance(0, last + 1);
    }
    for set in 1_usize..1 << pieces {
        for last in (0..pieces).filter(|last| set >> last & 1 == 1) {
            ticker.tick()?;
            let before = set & !(1 << last);
            let ways = (0..pieces).filter(|k| before >> k & 1 == 1).map(|k| {
                least[before * pieces + k].saturating_add(metric.distance(k + 1, last + 1))
            });
            if let Some(fewest) = ways.min() {
                least[set * pieces + last] = fewest;
            }
        }
    }
    // Back from the best last piece of the full set.
    let mut set = (1_usize << pieces) - 1;
    let mut order = Vec::new();
    let mut goal = None;
    while set != 0 {
        let fits = |&last: &usize| {
            goal.is_none_or(|(next, fewest): (usize, u32)| {
                let way = metric.distance(last + 1, next + 1);
                least[set * pieces + last].saturating_add(way) == fewest
            })
        };
        let lasts = (0..pieces).filter(|last| set >> last & 1 == 1).filter(fits);
        let pick = lasts.min_by_key(|last| least[set * pieces + last]);
        let pick = pick.expect("every entry has the one it came from");
        goal = Some((pick, least[set * pieces + pick]));
        order.push(pick + 1);
        set &= !(1 << pick);
    }
    order.push(0);
    order.reverse();
    Ok((order, ticker.nodes()))
}
