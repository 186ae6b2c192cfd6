//! Questions that can be worked on, and the limits that come with them.

use std::time::Duration;

use destrier::{CaptureMethod, CountMethod, Options, SwapMethod, TourMethod};
use destrier_rules::{Puzzle, Shape, SwapProblem, Tour, TourProblem};

use crate::request::Fields;
use crate::words::Series;

/// A question that can be worked on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Question {
    /// A tour.
    Tour(TourQuestion),
    /// The number of tours.
    Count(CountQuestion),
    /// The numbers of tours on all boards of one width.
    Series {
        /// Which boards.
        series: Series,
        /// The order up to which a recurrence is looked for; 0 for none.
        recurrence: usize,
    },
    /// A capture.
    Capture(CaptureQuestion),
    /// A swap.
    Swap(SwapQuestion),
    /// Whether a game can still be finished, and by which move.
    Hint {
        /// What is played.
        of: Box<Question>,
        /// The squares or moves so far.
        played: Vec<String>,
    },
    /// Methods against each other, for a carrier that measures them (`destrier-compare`).
    Compare(Fields),
}

/// The question of a tour.
#[derive(Debug)]
pub struct TourQuestion {
    /// The problem.
    pub problem: TourProblem,
    /// The method.
    pub method: TourMethod,
    /// Are the steps of the search reported?
    pub trace: bool,
    /// Is the tour too long to be listed, and seen through windows?
    pub by_window: bool,
    /// Which of all tours, where that is asked for.
    pub pick: Option<Pick>,
}

/// Which of all tours of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// One at random, all equally likely, by this seed.
    Random(u64),
    /// Those with these numbers, from 0.
    Number {
        /// The number of the first.
        first: u128,
        /// How many, in a row.
        tours: usize,
    },
    /// This one, whose number is asked for.
    Of(Tour),
}

/// The question of a count.
#[derive(Debug)]
pub struct CountQuestion {
    /// The problem; its shape is that of `shapes`.
    pub problem: TourProblem,
    /// Which tours.
    pub shapes: &'static [Shape],
    /// A number for each start?
    pub by_start: bool,
    /// The classes under the symmetries of the board, too?
    pub classes: bool,
    /// Only what counting would take?
    pub estimate: bool,
    /// The method.
    pub method: CountMethod,
}

/// The question of a capture.
#[derive(Debug)]
pub struct CaptureQuestion {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The method.
    pub method: CaptureMethod,
    /// Are the steps of the search reported?
    pub trace: bool,
}

/// The question of a swap.
#[derive(Debug)]
pub struct SwapQuestion {
    /// The problem.
    pub problem: SwapProblem,
    /// The method.
    pub method: SwapMethod,
    /// Are the steps of the search reported?
    pub trace: bool,
}

/// Limits that come with a question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The time.
    pub time: Option<Duration>,
    /// The nodes.
    pub nodes: Option<u64>,
    /// The threads.
    pub threads: Option<usize>,
    /// The seed of randomised methods.
    pub seed: u64,
}

impl Bounds {
    /// Options within these bounds and what the carrier allows; their deadline is for the carrier to set when the work
    /// begins.
    #[must_use]
    pub fn options(&self, memory: u64, most_threads: usize) -> Options {
        let threads = self.threads.unwrap_or(most_threads).clamp(1, most_threads);
        let options = Options::new().memory(memory).threads(threads).seed(self.seed);
        match self.nodes {
            Some(nodes) => options.node_limit(nodes),
            None => options,
        }
    }
}
