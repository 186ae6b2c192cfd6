//! The questions as methods of the problems: one verb per act, the same for every family.
//!
//! ```text
//! problem ─► solve · count · enumerate · census · itinerary ─► method ─► gate ─► answer
//! ```
//!
//! Each act comes in up to three forms: plain, `_with` options, and `_by` a method. Every run begins with a watch of its
//! own, so a limit or a cancelled run says nothing about the next one.

use std::ops::ControlFlow;

use destrier_rules::{CaptureProblem, Fault, Problem, SwapProblem, Tour, TourProblem, Verified};
use num_bigint::BigUint;

use crate::answer::{Answer, Finding, accepted};
use crate::capture::CaptureMethod;
use crate::count::middle::{self, Estimate};
use crate::count::{self, ByStart, Census, Classes, CountMethod, TourCount};
use crate::lies;
use crate::list::{Listing, Take, Write};
use crate::method::Method;
use crate::outcome::{Effort, Outcome, Run, SolveError};
use crate::run::options::Options;
use crate::run::trace::Tracer;
use crate::run::watch::Watch;
use crate::swap::trace::Listener;
use crate::swap::{self, Eccentricity, ShortestPlans, SwapMethod};
use crate::tour::compose::Itinerary;
use crate::tour::trace;
use crate::tour::{self, TourMethod};

/// Solving a problem: a solution with a claim, a reason why there is none, or how far it got, all of it checked.
///
/// ```
/// use destrier::{Board, Solve, TourProblem};
///
/// let tour = TourProblem::closed(Board::new(6, 6)?).solve()?.solved()?;
/// assert_eq!(tour.len(), 36);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Solve: Problem + Clone + Sized {
    /// The ways to solve it.
    type Method: Method;

    /// Solves it by a method.
    ///
    /// # Errors
    /// When the question contradicts itself, or the method does not support it.
    fn solve_by(&self, method: Self::Method, options: &Options)
    -> Result<Answer<Self>, SolveError>;

    /// Solves it by the best method for the question, with options.
    ///
    /// # Errors
    /// When the question contradicts itself, or no method supports it.
    fn solve_with(&self, options: &Options) -> Result<Answer<Self>, SolveError> {
        self.solve_by(Self::Method::default(), options)
    }

    /// Solves it.
    ///
    /// # Errors
    /// When the question contradicts itself, or no method supports it.
    fn solve(&self) -> Result<Answer<Self>, SolveError> {
        self.solve_with(&Options::new())
    }
}

impl Solve for TourProblem {
    type Method = TourMethod;

    fn solve_by(&self, method: TourMethod, options: &Options) -> Result<Answer<Self>, SolveError> {
        self.validate()?;
        let watch = Watch::new(options);
        accepted(method, TourMethod::OTHERS, |method| method.run(self, &watch)?.answer(self))
    }
}

impl Solve for CaptureProblem {
    type Method = CaptureMethod;

    fn solve_by(
        &self,
        method: CaptureMethod,
        options: &Options,
    ) -> Result<Answer<Self>, SolveError> {
        self.validate()?;
        let watch = Watch::new(options);
        accepted(method, CaptureMethod::OTHERS, |method| method.run(self, &watch)?.answer(self))
    }
}

impl Solve for SwapProblem {
    type Method = SwapMethod;

    fn solve_by(&self, method: SwapMethod, options: &Options) -> Result<Answer<Self>, SolveError> {
        self.validate()?;
        let watch = Watch::new(options);
        accepted(method, SwapMethod::OTHERS, |method| method.run(self, &watch)?.answer(self))
    }
}

/// What can be asked of the tours of a question beyond one of them.
///
/// ```
/// use destrier::{Board, TourProblem, Tours};
///
/// let question = TourProblem::closed(Board::new(6, 6)?);
/// assert_eq!(question.count()?.undirected().to_string(), "9862");
/// let census = question.census()?;
/// let tour = census.sample(7).next().expect("there are tours")?;
/// assert_eq!(census.unrank(census.rank(tour.solution())?)?, Some(tour));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Tours {
    /// How many there are.
    ///
    /// # Errors
    /// When the question contradicts itself, or no method supports it.
    fn count(&self) -> Result<TourCount, SolveError> {
        self.count_with(&Options::new())?.total()
    }

    /// How many there are, with options.
    ///
    /// # Errors
    /// When the question contradicts itself, or no method supports it.
    fn count_with(&self, options: &Options) -> Result<Finding<TourCount>, SolveError> {
        self.count_by(CountMethod::Auto, options)
    }

    /// How many there are, by a method.
    ///
    /// # Errors
    /// When the question contradicts itself, or the method does not support it.
    fn count_by(
        &self,
        method: CountMethod,
        options: &Options,
    ) -> Result<Finding<TourCount>, SolveError>;

    /// The directed tours from each square, rank by rank from the bottom.
    ///
    /// # Errors
    /// When the question names a start, or the method does not support it.
    fn count_by_start(
        &self,
        method: CountMethod,
        options: &Options,
    ) -> Result<Finding<ByStart>, SolveError>;

    /// The classes of the tours under the symmetries of the board, given how many tours there are.
    ///
    /// # Errors
    /// When the question names ends or a symmetry, a folded board is too wide, or the run was stopped.
    fn classes(&self, undirected: &BigUint, options: &Options) -> Result<Classes, SolveError>;

    /// The classes of the tours with the symmetry that the question asks for, given how many there are.
    ///
    /// # Errors
    /// When the question names ends or no symmetry, a folded board is too wide, or the run was stopped.
    fn symmetric_classes(
        &self,
        undirected: &BigUint,
        options: &Options,
    ) -> Result<BigUint, SolveError>;

    /// What counting them would take, measured on a sample.
    ///
    /// # Errors
    /// When the method that can be estimated does not support the question.
    fn estimate(&self, options: &Options) -> Result<Finding<Estimate>, SolveError>;

    /// Shows every tour once, a closed one from one square and in one direction, until all are shown or the visitor
    /// breaks off. The checker has accepted each tour that is shown. The count is that of the tours shown.
    ///
    /// # Errors
    /// When the method does not support the question, or the checker refuses a tour.
    fn enumerate(
        &self,
        listing: Listing,
        options: &Options,
        visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
    ) -> Result<Finding<TourCount>, SolveError> {
        let write = |tour: &Tour, batch: &mut Vec<Tour>| batch.push(tour.clone());
        self.enumerate_in_batches(listing, options, &write, &mut |batch: Vec<Tour>, _| {
            batch.iter().try_for_each(&mut *visit)
        })
    }

    /// The same for many tours: all threads write them into batches, which are taken in order.
    ///
    /// # Errors
    /// When the method does not support the question, or the checker refuses a tour.
    fn enumerate_in_batches<B: Default + Send>(
        &self,
        listing: Listing,
        options: &Options,
        write: &Write<'_, B>,
        take: &mut Take<'_, B>,
    ) -> Result<Finding<TourCount>, SolveError>;

    /// The tours by number: to draw some at random, to find a tour's number, and back.
    ///
    /// # Errors
    /// When the board is too wide, or the numbers need more memory than there is.
    fn census(&self) -> Result<Census, SolveError> {
        self.census_with(&Options::new())
    }

    /// The tours by number, with options.
    ///
    /// # Errors
    /// When the board is too wide, needs more memory than allowed, or the run was stopped.
    fn census_with(&self, options: &Options) -> Result<Census, SolveError>;

    /// A tour of a plain rectangle that is never stored: ask for any step or square, at any size.
    ///
    /// # Errors
    /// When the question contradicts itself, or is not about a knight on a plain rectangle.
    fn itinerary(&self) -> Result<Finding<Itinerary>, SolveError> {
        self.itinerary_with(&Options::new())
    }

    /// The same with options.
    ///
    /// # Errors
    /// When the question contradicts itself, or is not about a knight on a plain rectangle.
    fn itinerary_with(&self, options: &Options) -> Result<Finding<Itinerary>, SolveError>;

    /// Looks for a tour and calls the tracer at every step of the search.
    ///
    /// # Errors
    /// When the method cannot be traced, or does not support the question.
    fn trace<T: Tracer>(
        &self,
        method: TourMethod,
        options: &Options,
        tracer: &mut T,
    ) -> Result<Answer<TourProblem>, SolveError>;
}

impl Tours for TourProblem {
    fn count_by(
        &self,
        method: CountMethod,
        options: &Options,
    ) -> Result<Finding<TourCount>, SolveError> {
        self.validate()?;
        method.counted(self, options, &Watch::new(options))
    }

    fn count_by_start(
        &self,
        method: CountMethod,
        options: &Options,
    ) -> Result<Finding<ByStart>, SolveError> {
        self.validate()?;
        let watch = Watch::new(options);
        let mut refused = Vec::new();
        let outcome = match count::by_start(self, method, options, &watch, &mut refused) {
            Ok(counts) => Outcome::Solved(counts),
            Err(SolveError::Stopped(why)) => Outcome::Unfinished { why, best: None },
            Err(error) => return Err(error),
        };
        let mut found = Finding::of(Run::new(outcome, watch.nodes()).by(method.name()));
        found.effort.refused = refused;
        Ok(found)
    }

    fn classes(&self, undirected: &BigUint, options: &Options) -> Result<Classes, SolveError> {
        self.validate()?;
        count::classes(self, undirected, &Watch::new(options))
    }

    fn symmetric_classes(
        &self,
        undirected: &BigUint,
        options: &Options,
    ) -> Result<BigUint, SolveError> {
        self.validate()?;
        count::symmetric_classes(self, undirected, &Watch::new(options))
    }

    fn estimate(&self, options: &Options) -> Result<Finding<Estimate>, SolveError> {
        self.validate()?;
        let run = match tour::obstacle(self) {
            Some(obstacle) => Run::impossible(obstacle).by("obstacle"),
            None => middle::estimate(self, &Watch::new(options))?.by("middle"),
        };
        lies::reason("estimate", "middle", self, run).finding(self)
    }

    fn enumerate_in_batches<B: Default + Send>(
        &self,
        listing: Listing,
        options: &Options,
        write: &Write<'_, B>,
        take: &mut Take<'_, B>,
    ) -> Result<Finding<TourCount>, SolveError> {
        self.validate()?;
        listing.run(self, &Watch::new(options), write, take)?.finding(self)
    }

    fn census_with(&self, options: &Options) -> Result<Census, SolveError> {
        Census::new(self, options.cache_folder(), &Watch::new(options))
    }

    fn itinerary_with(&self, options: &Options) -> Result<Finding<Itinerary>, SolveError> {
        let run = Itinerary::plan(self, &Watch::new(options))?.by("compose");
        lies::itinerary(self, run).finding(self)
    }

    fn trace<T: Tracer>(
        &self,
        method: TourMethod,
        options: &Options,
        tracer: &mut T,
    ) -> Result<Answer<TourProblem>, SolveError> {
        self.validate()?;
        trace::run(self, method, &Watch::new(options), tracer)?.answer(self)
    }
}

/// What can be asked of a swap beyond one plan.
pub trait Swaps {
    /// How many shortest plans there are, and the first so many of them.
    ///
    /// # Errors
    /// When the question is not supported, or there are more than 2¹²⁸ plans.
    fn shortest_plans(
        &self,
        limit: usize,
        options: &Options,
    ) -> Result<Finding<ShortestPlans, SwapProblem>, SolveError>;

    /// The hardest position that can be reached from the start, and how far it is; the goal plays no part.
    ///
    /// # Errors
    /// When the question is not supported.
    fn eccentricity(
        &self,
        options: &Options,
    ) -> Result<Finding<Eccentricity, SwapProblem>, SolveError>;

    /// Solves it and calls the listener for every position that is looked at.
    ///
    /// # Errors
    /// When the method cannot be traced, or does not support the question.
    fn trace(
        &self,
        method: SwapMethod,
        options: &Options,
        listener: &mut Listener<'_>,
    ) -> Result<Answer<SwapProblem>, SolveError>;
}

impl Swaps for SwapProblem {
    fn shortest_plans(
        &self,
        limit: usize,
        options: &Options,
    ) -> Result<Finding<ShortestPlans, SwapProblem>, SolveError> {
        self.validate()?;
        let run = swap::shortest_plans(self, limit, &Watch::new(options))?.by("auto");
        let run = lies::plans(self, run);
        if let Some(plans) = run.outcome.best() {
            for plan in &plans.listed {
                let refused = |fault| SolveError::Refused { method: "auto", fault };
                let verified = Verified::check(self.clone(), plan.clone()).map_err(refused)?;
                if verified.cost() != plans.cost {
                    let why = format!("a plan costs {}, not {}", verified.cost(), plans.cost);
                    return Err(refused(Fault::Claim(why)));
                }
            }
        }
        // Where the reason for nothing is refused, a search of everything says whether there is something.
        run.finding(self).or_else(|error| {
            let SolveError::Refused { method, fault } = error.clone() else { return Err(error) };
            let searched = self.solve_by(SwapMethod::Naive, options)?;
            let Outcome::Impossible(impossible) = searched.outcome else { return Err(error) };
            let effort = Effort { refused: vec![(method, fault)], ..searched.effort };
            Ok(Finding { outcome: Outcome::Impossible(impossible), effort })
        })
    }

    fn eccentricity(
        &self,
        options: &Options,
    ) -> Result<Finding<Eccentricity, SwapProblem>, SolveError> {
        self.validate()?;
        let run = swap::eccentricity(self, &Watch::new(options))?.by("eccentricity");
        lies::eccentricity(self, run).finding(self)
    }

    fn trace(
        &self,
        method: SwapMethod,
        options: &Options,
        listener: &mut Listener<'_>,
    ) -> Result<Answer<SwapProblem>, SolveError> {
        self.validate()?;
        swap::trace::run(self, method, &Watch::new(options), listener)?.answer(self)
    }
}

/// What can be asked of a capture beyond one plan.
pub trait Captures {
    /// Solves it and calls the listener at every step of the search.
    ///
    /// # Errors
    /// When the method cannot be traced, or does not support the question.
    fn trace<T: Tracer>(
        &self,
        method: CaptureMethod,
        options: &Options,
        tracer: &mut T,
    ) -> Result<Answer<CaptureProblem>, SolveError>;
}

impl Captures for CaptureProblem {
    fn trace<T: Tracer>(
        &self,
        method: CaptureMethod,
        options: &Options,
        tracer: &mut T,
    ) -> Result<Answer<CaptureProblem>, SolveError> {
        self.validate()?;
        method.trace(self, &Watch::new(options), tracer)?.answer(self)
    }
}
