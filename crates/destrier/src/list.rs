//! Listing tours: which method suits, one tour of each class, on all threads, in order.
//!
//! A few tours are found sooner by a search than all of them could be numbered; where all are wanted and their numbers
//! fit the memory, batches of numbers are written by all threads and taken in order.
//!
//! Invariant: what is shown passed the checker, comes once, and comes in the same order on any number of threads.
//! Cost: that of the method; the check takes a few tens of nanoseconds per tour on small boards.

use std::ops::ControlFlow;

use destrier_rules::{Fault, Inspector, Square, Tour, TourProblem};

use crate::count::{Census, TourCount};
use crate::lies;
use crate::method::{Method, by_name};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};
use crate::tour::canonical::Canon;
use crate::tour::{Backtrack, Below, Naive, Search, walk};

/// The ways to list tours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListMethod {
    /// Chooses among the others.
    #[default]
    Auto,
    /// By number.
    Census,
    /// Complete search on the folded board: any symmetry.
    Search,
    /// Complete search that looks one step ahead.
    Backtrack,
    /// Complete search that tries everything.
    Naive,
}

impl Method for ListMethod {
    const ALL: &'static [ListMethod] = &[
        ListMethod::Auto,
        ListMethod::Census,
        ListMethod::Search,
        ListMethod::Backtrack,
        ListMethod::Naive,
    ];

    fn name(self) -> &'static str {
        match self {
            ListMethod::Auto => "auto",
            ListMethod::Census => "census",
            ListMethod::Search => "search",
            ListMethod::Backtrack => "backtrack",
            ListMethod::Naive => "naive",
        }
    }

    fn about(self) -> &'static str {
        match self {
            ListMethod::Auto => "chooses among the others",
            ListMethod::Census => "numbers all tours first, then lists them by number",
            ListMethod::Search => {
                "any board, leaper and symmetry: forced edges and connection; complete"
            }
            ListMethod::Backtrack => {
                "complete search that retreats once a square can no longer be passed"
            }
            ListMethod::Naive => "tries every jump in order; the baseline for the rest",
        }
    }
}

by_name!(ListMethod);

/// Which tours are listed, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listing {
    /// The method.
    pub method: ListMethod,
    /// One tour of each class under the turns and mirrors of the board?
    pub distinct: bool,
    /// At most this many tours.
    pub limit: Option<u64>,
}

impl Listing {
    /// All tours, by the best method.
    #[must_use]
    pub fn all() -> Listing {
        Listing::default()
    }

    /// The same list by a method.
    #[must_use]
    pub fn by(self, method: ListMethod) -> Listing {
        Listing { method, ..self }
    }

    /// One tour of each class.
    #[must_use]
    pub fn distinct(self) -> Listing {
        Listing { distinct: true, ..self }
    }

    /// At most this many tours.
    #[must_use]
    pub fn limit(self, tours: u64) -> Listing {
        Listing { limit: Some(tours), ..self }
    }
}

/// Puts a tour behind the others of its batch.
pub(crate) type Write<'w, B> = dyn Fn(&Tour, &mut B) + Sync + 'w;

/// Takes a batch of this many tours, or breaks off.
pub(crate) type Take<'t, B> = dyn FnMut(B, u64) -> ControlFlow<()> + 't;

/// The most squares of a board whose tours `auto` numbers.
const MOST_SQUARES: u64 = 64;
/// The memory that `auto` gives to numbers where no limit is set.
const MEMORY: u64 = 4 << 30;
/// This many tours are sooner found than all are numbered.
const FEW: u64 = 1000;
/// Tours that a thread writes at a time.
const BATCH: u64 = 4096;

impl Listing {
    /// The methods that would list the tours of a question: the first that can does it.
    #[must_use]
    pub fn plan(self, problem: &TourProblem) -> Vec<ListMethod> {
        if self.method != ListMethod::Auto {
            return vec![self.method];
        }
        let search = if problem.is_classic() { ListMethod::Backtrack } else { ListMethod::Search };
        let is_many = self.limit.is_none_or(|limit| limit >= FEW);
        if is_many && problem.board.len() <= MOST_SQUARES {
            vec![ListMethod::Census, search]
        } else {
            vec![search]
        }
    }

    /// Lists in batches: the count is that of the tours taken.
    pub(crate) fn run<B: Default + Send>(
        self,
        problem: &TourProblem,
        watch: &Watch,
        write: &Write<'_, B>,
        take: &mut Take<'_, B>,
    ) -> Result<Run<TourCount>, SolveError> {
        let mut plan = self.plan(problem);
        if self.method == ListMethod::Auto {
            plan.push(ListMethod::Naive);
        }
        let (mut refused, mut unsuited) = (Vec::new(), None);
        for &method in &plan {
            let mut taken = false;
            let mut take = |batch: B, tours: u64| {
                taken |= tours > 0;
                take(batch, tours)
            };
            let run = match method {
                ListMethod::Census => self.by_number(problem, watch, write, &mut take),
                _ => self.as_found(method, problem, watch, write, &mut take),
            };
            match run {
                Ok(mut run) => {
                    run.effort.refused = refused;
                    return Ok(lies::count(
                        "list",
                        self.method.name(),
                        problem,
                        run.by(method.name()),
                    ));
                }
                Err(error @ SolveError::Unsuited { .. }) => {
                    unsuited.get_or_insert(error);
                }
                // What has been shown cannot be taken back.
                Err(SolveError::Refused { method, fault }) if !taken => {
                    refused.push((method, fault));
                }
                Err(error) => return Err(error),
            }
        }
        let refusal = refused.into_iter().next();
        let refusal = refusal.map(|(method, fault)| SolveError::Refused { method, fault });
        Err(refusal.or(unsuited).expect("a plan has a method"))
    }

    fn by_number<B: Default + Send>(
        self,
        problem: &TourProblem,
        watch: &Watch,
        write: &Write<'_, B>,
        take: &mut Take<'_, B>,
    ) -> Result<Run<TourCount>, SolveError> {
        let numbered = match Numbered::new(problem, self, watch) {
            Err(SolveError::Stopped(why)) => {
                return Ok(Run::new(Outcome::Unfinished { why, best: None }, watch.nodes()));
            }
            numbered => numbered?,
        };
        if self.limit == Some(0) && !numbered.is_all(&TourCount::ZERO) {
            let best = Some(TourCount::ZERO);
            return Ok(Run::new(Outcome::Unfinished { why: Halt::Asked, best }, watch.nodes()));
        }
        let batches = numbered.batches();
        let mut tours = 0;
        let make = |number: u64| Ok((numbered.batch(number, u64::MAX, watch, write), number));
        let taken = threads::in_order(watch.pool(), batches, make, |_, (batch, number)| {
            let left = self.limit.map_or(u64::MAX, |limit| limit - tours);
            let mut batch = batch?;
            if batch.tours > left {
                batch = numbered.batch(number, left, watch, write)?;
            }
            tours += batch.tours;
            let flow = take(batch.written, batch.tours);
            if let Some(halt) = batch.halt.filter(|_| self.limit != Some(tours)) {
                return Err(Ended::Halt(halt));
            }
            if flow.is_break() || self.limit == Some(tours) {
                return Err(Ended::Enough);
            }
            Ok(())
        });
        let count = TourCount::of_undirected(problem, tours);
        let outcome = match taken {
            Ok(()) => Outcome::Solved(count),
            Err(Ended::Enough) if numbered.is_all(&count) => Outcome::Solved(count),
            Err(Ended::Enough) => Outcome::Unfinished { why: Halt::Asked, best: Some(count) },
            Err(Ended::Halt(why)) => Outcome::Unfinished { why, best: Some(count) },
            Err(Ended::Fault(fault)) => {
                return Err(SolveError::Refused { method: "census", fault });
            }
        };
        Ok(Run::new(outcome, watch.nodes()))
    }

    fn as_found<B: Default>(
        self,
        method: ListMethod,
        problem: &TourProblem,
        watch: &Watch,
        write: &Write<'_, B>,
        take: &mut Take<'_, B>,
    ) -> Result<Run<TourCount>, SolveError> {
        let filter = Filter::new(problem, self);
        let mut tours = 0;
        let mut fault = None;
        let mut visit = |tour: &Tour| {
            if self.limit == Some(tours) {
                return ControlFlow::Break(());
            }
            let mut batch = Batch::default();
            fault = filter.put(tour, write, &mut batch).err();
            if fault.is_some() {
                return ControlFlow::Break(());
            }
            tours += batch.tours;
            if batch.tours > 0 { take(batch.written, 1) } else { ControlFlow::Continue(()) }
        };
        let mut visit = lies::listing("list", self.method.name(), &mut visit);
        let run = match method {
            ListMethod::Search => Search::enumerate(problem, watch, &mut visit)?,
            ListMethod::Backtrack => walk::list(&Backtrack, problem, watch, &mut visit)?,
            ListMethod::Naive => walk::list(&Naive, problem, watch, &mut visit)?,
            ListMethod::Auto | ListMethod::Census => unreachable!("a plan names a search"),
        };
        drop(visit);
        if let Some(fault) = fault {
            return Err(SolveError::Refused { method: method.name(), fault });
        }
        // The search counts what it showed; what was taken is another number.
        let count = || TourCount::of_undirected(problem, tours);
        let outcome = match run.outcome {
            Outcome::Solved(_) => Outcome::Solved(count()),
            Outcome::Impossible(obstacle) => Outcome::Impossible(obstacle),
            Outcome::Unfinished { why, .. } => Outcome::Unfinished { why, best: Some(count()) },
        };
        Ok(Run { outcome, ..run })
    }

    fn canon(self, problem: &TourProblem) -> Option<Canon> {
        self.distinct.then(|| Canon::new(problem))
    }
}

/// Why the taking of batches ended.
enum Ended {
    Enough,
    Halt(Halt),
    Fault(Fault),
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Ended {
        Ended::Fault(fault)
    }
}

/// Lets those tours into a batch that are wanted and pass the checker.
#[derive(Debug)]
struct Filter {
    inspector: Inspector,
    /// Tells which tour of a class is listed, where one is.
    canon: Option<Canon>,
}

impl Filter {
    fn new(problem: &TourProblem, listing: Listing) -> Filter {
        Filter { inspector: Inspector::new(problem.clone()), canon: listing.canon(problem) }
    }

    /// Writes a tour behind the others of a batch, if it is wanted.
    fn put<B>(&self, tour: &Tour, write: &Write<'_, B>, batch: &mut Batch<B>) -> Result<(), Fault> {
        if self.canon.as_ref().is_none_or(|canon| canon.is_first(tour)) {
            self.inspector.check(tour)?;
            write(tour, &mut batch.written);
            batch.tours += 1;
        }
        Ok(())
    }
}

/// The tours of a question by the beginnings of a search, in batches that can be written apart.
#[derive(Debug)]
pub struct Beginnings {
    problem: TourProblem,
    filter: Filter,
}

impl Beginnings {
    /// For a question and what is wanted of it.
    #[must_use]
    pub fn new(problem: &TourProblem, listing: Listing) -> Beginnings {
        Beginnings { problem: problem.clone(), filter: Filter::new(problem, listing) }
    }

    /// Enough beginnings, or as many as there are: all tours are below them, in the order of one search.
    ///
    /// # Errors
    /// When the question is too large for a search.
    pub fn parts(&self, enough: usize) -> Result<Vec<Vec<Square>>, SolveError> {
        Backtrack::parts(&self.problem, enough)
    }

    /// The tours below a beginning.
    ///
    /// # Errors
    /// When the checker refuses one of them.
    pub fn batch<B: Default>(
        &self,
        beginning: Vec<Square>,
        watch: &Watch,
        write: &Write<'_, B>,
    ) -> Result<Batch<B>, SolveError> {
        let mut batch = Batch::default();
        let mut fault = None;
        let run = walk::list(&Below::new(beginning), &self.problem, watch, &mut |tour: &Tour| {
            fault = self.filter.put(tour, write, &mut batch).err();
            if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(fault) = fault {
            return Err(SolveError::Refused { method: "backtrack", fault });
        }
        batch.halt = run.outcome.so_far().1;
        Ok(batch)
    }
}

/// The tours of a question by number, in batches that can be written apart.
#[derive(Debug)]
pub struct Numbered {
    census: Census,
    filter: Filter,
    listing: Listing,
}

/// Some tours, written.
#[derive(Debug, Default)]
pub struct Batch<B> {
    /// As they were written.
    pub written: B,
    /// How many they are.
    pub tours: u64,
    /// Why it is not whole, if it was halted.
    pub halt: Option<Halt>,
}

impl Numbered {
    /// Numbers the tours; `auto` does it where every state can be kept.
    ///
    /// # Errors
    /// When they cannot be numbered, or that was stopped.
    pub fn new(
        problem: &TourProblem,
        listing: Listing,
        watch: &Watch,
    ) -> Result<Numbered, SolveError> {
        let census = if listing.method == ListMethod::Auto {
            Census::whole(problem, &watch.with_memory(watch.memory().unwrap_or(MEMORY)))?
        } else {
            Census::new(problem, None, watch)?
        };
        Ok(Numbered { census, filter: Filter::new(problem, listing), listing })
    }

    /// How many batches there are; with a limit and all tours wanted, those up to the limit.
    #[must_use]
    pub fn batches(&self) -> u64 {
        let total = u64::try_from(self.census.total()).unwrap_or(u64::MAX);
        let wanted = self.listing.limit.filter(|_| self.filter.canon.is_none()).unwrap_or(u64::MAX);
        total.min(wanted).div_ceil(BATCH)
    }

    /// The tours of one batch, at most this many.
    ///
    /// # Errors
    /// When the checker refuses one of them.
    pub fn batch<B: Default>(
        &self,
        number: u64,
        most: u64,
        watch: &Watch,
        write: &Write<'_, B>,
    ) -> Result<Batch<B>, Fault> {
        let mut batch = Batch::default();
        let mut ticker = watch.ticker();
        let mut seen = 0;
        let mut fault = None;
        let mut visit = |tour: &Tour| {
            if let Err(halt) = ticker.tick() {
                batch.halt = Some(halt);
                return ControlFlow::Break(());
            }
            seen += 1;
            fault = self.filter.put(tour, write, &mut batch).err();
            let goes_on = fault.is_none() && seen < BATCH && batch.tours < most;
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut visit = lies::listing("list", self.listing.method.name(), &mut visit);
        self.census.each(u128::from(number) * u128::from(BATCH), &mut visit);
        drop(visit);
        fault.map_or(Ok(batch), Err)
    }

    /// Are these all tours, so that nothing is left to list?
    fn is_all(&self, count: &TourCount) -> bool {
        let total = self.census.total();
        (self.filter.canon.is_none() || total == 0) && count.undirected() == total.into()
    }
}
