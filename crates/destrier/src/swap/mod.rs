//! Swap: knights exchange places in the fewest moves, proved.
//!
//! ```text
//! SwapProblem ─► Encoding ─► feasibility ─► Instance per part ─► A* · beam · ranked · meet ─► SwapPlan ─► checker
//! ```
//!
//! `auto` (`portfolio`) is exact under all rules; `best-first` is the textbook method, which is not; `naive`
//! is the baseline. `docs/swap.md` has the algorithms and their times.
//!
//! Uses: `graph`, `method`, `outcome` and `run`, and nothing of the other problems.

mod assignment;
mod astar;
mod beam;
mod best_first;
mod bound;
mod conflict;
mod eccentricity;
mod encoding;
mod exact;
mod expansion;
mod feasibility;
mod front;
mod hill_climbing;
mod instance;
pub(crate) mod joint;
mod key;
mod layer;
mod meet;
mod moves;
mod naive;
mod palindrome;
mod part;
mod pattern;
mod plain;
mod plans;
mod portfolio;
mod potentials;
mod rank;
mod ranked;
mod regions;
mod scratch;
mod shared;
mod sorted;
mod symmetry;
mod table;
mod team;
pub mod trace;
mod watched;

pub use best_first::BestFirst;
pub use eccentricity::Eccentricity;
pub(crate) use eccentricity::eccentricity;
pub use encoding::MOST_SQUARES;
use naive::Naive;
pub use plans::ShortestPlans;
pub(crate) use plans::shortest_plans;
use portfolio::{AStar, Auto, Meet, Ranked};

use destrier_rules::{SwapPlan, SwapProblem};

use crate::lies;
use crate::method::{Method, by_name};
use crate::outcome::{Run, SolveError};
use crate::run::share::Peers;
use crate::run::watch::Watch;

/// The memory that a search may use by default, in bytes.
pub const MEMORY: u64 = 4 << 30;

/// The ways to solve a swap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SwapMethod {
    /// The exact methods in turn.
    #[default]
    Auto,
    /// A* with the assignment bound.
    AStar,
    /// Breadth first from both ends.
    Meet,
    /// All placements by number.
    Ranked,
    /// The textbook's greedy search, which proves nothing.
    BestFirst(BestFirst),
    /// The textbook's other heuristic: downhill until nothing improves.
    HillClimbing,
    /// Breadth first.
    Naive,
}

impl Method for SwapMethod {
    const ALL: &'static [SwapMethod] = &[
        SwapMethod::Auto,
        SwapMethod::AStar,
        SwapMethod::Meet,
        SwapMethod::Ranked,
        SwapMethod::BestFirst(BestFirst::USUAL),
        SwapMethod::HillClimbing,
        SwapMethod::Naive,
    ];

    fn name(self) -> &'static str {
        match self {
            SwapMethod::Auto => "auto",
            SwapMethod::AStar => "astar",
            SwapMethod::Meet => "meet",
            SwapMethod::Ranked => "ranked",
            SwapMethod::BestFirst(_) => "best-first",
            SwapMethod::HillClimbing => "hill-climbing",
            SwapMethod::Naive => "naive",
        }
    }

    fn about(self) -> &'static str {
        match self {
            SwapMethod::Auto => "the best of the others in turn: fewest moves, proved",
            SwapMethod::AStar => {
                "A* with the assignment bound and symmetries: fewest moves, proved"
            }
            SwapMethod::Meet => {
                "breadth first from both ends under a rising bound: fewest moves, proved"
            }
            SwapMethod::Ranked => {
                "every placement by number, two bits each, from both ends: boards to 32 squares"
            }
            SwapMethod::BestFirst(_) => {
                "the textbook method, greedy by Manhattan distance: a plan, not proved shortest"
            }
            SwapMethod::HillClimbing => {
                "to the neighbour with the least Manhattan distance while that falls; mostly gives up"
            }
            SwapMethod::Naive => "breadth first over all positions; the baseline",
        }
    }
}

by_name!(SwapMethod);

impl SwapMethod {
    /// Can its steps be watched?
    #[must_use]
    pub const fn is_traceable(self) -> bool {
        matches!(
            self,
            SwapMethod::Auto
                | SwapMethod::AStar
                | SwapMethod::BestFirst(_)
                | SwapMethod::HillClimbing
                | SwapMethod::Naive
        )
    }

    /// What `auto` asks after a refusal.
    pub(crate) const OTHERS: &'static [SwapMethod] = &[SwapMethod::AStar, SwapMethod::Naive];

    /// What the method says, before the checker has looked at it.
    pub(crate) fn run(
        self,
        problem: &SwapProblem,
        watch: &Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        self.run_with(problem, None, watch)
    }

    /// The same as the first of several processes.
    fn run_with<'w>(
        self,
        problem: &SwapProblem,
        peers: Option<&'w mut dyn Peers>,
        watch: &'w Watch,
    ) -> Result<Run<SwapPlan>, SolveError> {
        let run = match self {
            SwapMethod::Auto => Auto.solve(problem, peers, watch),
            SwapMethod::AStar => AStar.solve(problem, watch),
            SwapMethod::Meet => Meet.solve(problem, peers, watch),
            SwapMethod::Ranked => Ranked.solve(problem, watch),
            SwapMethod::BestFirst(search) => search.solve(problem, watch, &mut trace::silent()),
            SwapMethod::HillClimbing => hill_climbing::solve(problem, watch, &mut trace::silent()),
            SwapMethod::Naive => Naive::solve(problem, watch, &mut trace::silent()),
        };
        Ok(lies::answer("swap", self.name(), problem, run?.by(self.name())))
    }
}
