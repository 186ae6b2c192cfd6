//! Counting on many ranks: one slice together, or slices distributed; brute force by the beginnings of walks.
//!
//! Where the halves of the board fit the memory of each rank, all ranks work the whole count out together, and
//! little is done twice. Where they do not, or a journal is kept, slices are assigned to idle ranks, several at a time;
//! that costs more in all, and each rank takes as many of its slices together as its memory holds.
//!
//! Invariant: the answer depends on the question alone, not on ranks, threads, memory or who did what.
//! Cost: `docs/mpi.md` has the measurements.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use destrier::internal::distributed::{BruteCount, PartialCount, Tasks};
use destrier::internal::middle::{
    self, Agenda, Begun, Bound, MiddleCount, Partial, Settings, Slice, Stop,
};
use destrier::internal::threads::Pool;
use destrier::internal::{Run, Watch, memory};
use destrier::{
    CountMethod, CountPlan, Finding, Halt, Method as _, Options, Outcome, Schedule, SolveError,
    TourCount, Tours as _,
};
use destrier_rules::{Problem as _, TourProblem};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::coordinator::Coordinator;
use crate::job::Job;
use crate::rank::Rank;
use crate::work::{Work, Worker};

impl Coordinator {
    /// Counts the tours of a question by a method.
    ///
    /// # Errors
    /// When the method does not support the question.
    pub fn count(
        &mut self,
        question: &TourProblem,
        method: CountMethod,
        options: &Options,
    ) -> Result<Finding<TourCount>, SolveError> {
        question.validate()?;
        match method.plan(question, options)? {
            CountPlan::By(CountMethod::Middle) => {
                let watch = Watch::new(options);
                let run = self.count_middle(question, options.journal_folder(), &watch)?;
                run.by("middle").finding(question)
            }
            CountPlan::By(chosen) => {
                if let Some(run) = self.count_by_force(question, chosen, options)? {
                    return run.finding(question);
                }
                self.alone(chosen.name());
                // By the method that was asked for: `auto` goes on where the chosen one fails.
                question.count_by(method, options)
            }
            // That has an answer at once.
            CountPlan::Nothing(_) => question.count_by(method, options),
        }
    }

    /// Counts by brute force, if that is the method: the squares that walks start from, or their beginnings, are distributed.
    fn count_by_force(
        &mut self,
        question: &TourProblem,
        method: CountMethod,
        options: &Options,
    ) -> Result<Option<Run<TourCount>>, SolveError> {
        let watch = Watch::new(options);
        let workers = self.rank().size() * watch.threads();
        let force = Force { method: method.name().to_owned(), schedule: watch.schedule(), workers };
        let Some(brute) = BruteCount::new(question, method, force.schedule, workers)? else {
            return Ok(None);
        };
        self.begin(Job::Force(question.clone(), force), &watch);
        let mut parts = Parts { left: brute.tasks().into_iter(), counted: Vec::new() };
        count_by(&brute, &watch, |work| self.rank().coordinate(work, &mut parts));
        Ok(Some(brute.total(&parts.counted, &watch)))
    }

    fn count_middle(
        &mut self,
        question: &TourProblem,
        journal: Option<&Path>,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        let middle = MiddleCount::new(question)?;
        if journal.is_none() {
            let parts = PARTS * self.rank().size() * watch.threads();
            self.begin(Job::Together(question.clone(), parts), watch);
            match together(self.rank(), middle, parts) {
                (nodes, Ok(partial)) => {
                    let partial = partial.expect("rank 0 has the sum");
                    let count = TourCount::of_undirected(question, partial.sum);
                    let run = Run::new(Outcome::Solved(count), nodes).with_detail("passes", 1);
                    return Ok(run
                        .with_detail("states kept", partial.kept)
                        .with_detail("patterns joined", partial.pairs));
                }
                (_, Err(Stop::Halt(Halt::Memory))) => {} // smaller slices may do
                (_, Err(Stop::Overflow)) => return Err(middle::outgrown()),
                (nodes, Err(_)) => return Ok(unfinished(nodes, watch)),
            }
        }
        let ranks = self.rank().size();
        let depth = Some(depth_for(&middle, ranks));
        let journal = journal.map(Path::to_owned);
        let settings = Settings { journal, depth, ..Settings::default() };
        let mut agenda = Agenda::new(middle, &settings)?;
        if let Some(folder) = &settings.journal {
            let folder = folder.display();
            eprintln!(
                "destrier-mpi: finished slices are kept in `{folder}`; should the job end early, the same \
                 command goes on from there, on any number of ranks"
            );
        }
        let first = agenda.take(share(&agenda, ranks));
        let mut tasks = SliceTasks { first, agenda, ranks, nodes: 0, failure: None };
        if !tasks.first.is_empty() {
            self.begin(Job::Slices(question.clone()), watch);
            let rank = self.rank();
            let work = SliceWork::new(rank, middle);
            work.with_work(|work| rank.coordinate(work, &mut tasks));
        }
        let SliceTasks { agenda, nodes, failure, .. } = tasks;
        match failure {
            Some(Failure::Error(error)) => return Err(error),
            Some(Failure::Memory) => return Err(middle::too_little(middle, watch)),
            None => {}
        }
        if !agenda.is_finished() {
            return Ok(unfinished(nodes, watch));
        }
        let count = TourCount::of_undirected(question, agenda.sum().clone());
        let run = Run::new(Outcome::Solved(count), nodes);
        Ok(agenda.details().into_iter().fold(run, |run, (name, n)| run.with_detail(name, n)))
    }
}

/// How many slices a rank takes at a time: several take the first steps of the last row together, and yet all ranks
/// should end at about the same time.
fn share(agenda: &Agenda, ranks: usize) -> usize {
    (agenda.open() / (2 * ranks)).max(1)
}

/// How deep slices are cut for this many ranks. One by one, the slices of one depth more take about sixteen times as
/// long in all (8×8 closed: 13 s in 7 slices, 210 s in 351), so that many ranks for each slice must be
/// there first.
fn depth_for(middle: &MiddleCount, ranks: usize) -> usize {
    let enough = |&depth: &usize| 16 * middle.slices(depth).len() >= ranks;
    (1..middle.deepest()).find(enough).unwrap_or(middle.deepest())
}

fn unfinished(nodes: u64, watch: &Watch) -> Run<TourCount> {
    let why = watch.halted().unwrap_or(Halt::Asked);
    Run::new(Outcome::Unfinished { why, best: None }, nodes)
}

// ---- brute force ----

/// How a count by brute force is cut into parts, alike on all ranks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Force {
    method: String,
    schedule: Schedule,
    workers: usize,
}

/// A rank's part of [`Job::Force`].
pub(crate) fn count_parts(rank: &mut Rank, question: &TourProblem, force: &Force) {
    let method = CountMethod::named(&force.method).expect("rank 0 has read the method");
    let brute = BruteCount::new(question, method, force.schedule, force.workers);
    let brute = brute.ok().flatten().expect("rank 0 has looked at the question");
    let watch = rank.watch().clone();
    count_by(&brute, &watch, |work| rank.take_part(work));
}

/// Counting parts on all threads of a rank.
fn count_by(
    brute: &BruteCount<'_>,
    watch: &Watch,
    run: impl FnOnce(&Work<'_, Range<usize>, PartialCount>),
) {
    run(&Work {
        threads: watch.threads(),
        ahead: 0,
        worker: &|| Box::new(|part| brute.count(part, watch)),
        bound: None,
    });
}

struct Parts {
    left: std::vec::IntoIter<Range<usize>>,
    counted: Vec<PartialCount>,
}

impl Tasks for Parts {
    type Task = Range<usize>;
    type Result = PartialCount;

    fn next(&mut self) -> Option<Range<usize>> {
        self.left.next()
    }

    fn enter(&mut self, counted: PartialCount) -> ControlFlow<()> {
        self.counted.push(counted);
        ControlFlow::Continue(())
    }
}

// ---- slices distributed ----

/// A rank's part of [`Job::Slices`].
pub(crate) fn work_out_slices(rank: &mut Rank, question: &TourProblem) {
    let middle = MiddleCount::new(question).expect("rank 0 has looked at the question");
    let work = SliceWork::new(rank, middle);
    work.with_work(|work| rank.take_part(work));
}

struct SliceWork {
    question: MiddleCount,
    begun: Result<Begun, Stop>,
    pool: Pool,
    watch: Watch,
}

impl SliceWork {
    fn new(rank: &mut Rank, question: MiddleCount) -> SliceWork {
        let watch = rank.watch().clone();
        let pool = Pool::new(watch.threads());
        let memory = watch.memory().map(|all| left_of(all, memory::held().unwrap_or(0)));
        let begun = rank.while_listening(|| pool.within(|| question.begin(memory, &watch)));
        SliceWork { question, begun, pool, watch }
    }

    /// One task at a time, with all threads.
    fn with_work(&self, run: impl FnOnce(&Work<'_, Vec<Slice>, Worked>)) {
        let worker = &|| Box::new(|slices| self.work(slices)) as Worker<'_, _, _>;
        run(&Work { threads: 1, ahead: 0, worker, bound: None });
    }

    fn work(&self, slices: Vec<Slice>) -> Worked {
        let before = self.watch.nodes();
        let result = match &self.begun {
            Err(stop) => Sum::without(stop, Sum::NoRoomToBegin),
            Ok(begun) => {
                match self.pool.within(|| self.question.run(begun, &slices, &self.watch)) {
                    Ok(partials) => Sum::Are(partials),
                    Err(stop) => Sum::without(&stop, Sum::TooMuchMemory),
                }
            }
        };
        Worked { slices, nodes: self.watch.nodes() - before, result }
    }
}

/// What a rank holds before it counts: the program and MPI.
const PROGRAM: u64 = 24 << 20;

/// What is left of the memory of a rank that holds so much before it begins: after ranks have tried
/// together in vain, the C library has not given all of it back.
fn left_of(all: u64, held: u64) -> u64 {
    all.saturating_sub(held.saturating_sub(PROGRAM)).max(all / 2)
}

/// The outcome of slices.
#[derive(Debug, Serialize, Deserialize)]
struct Worked {
    slices: Vec<Slice>,
    nodes: u64,
    result: Sum,
}

#[derive(Debug, Serialize, Deserialize)]
enum Sum {
    /// Of the first slices.
    Are(Vec<Partial>),
    TooMuchMemory,
    NoRoomToBegin,
    Outgrown,
    Halted,
}

impl Sum {
    /// What a stop leaves instead of sums; where memory ran out, that is `no_memory`.
    fn without(stop: &Stop, no_memory: Sum) -> Sum {
        match stop {
            Stop::Halt(Halt::Memory) => no_memory,
            Stop::Overflow => Sum::Outgrown,
            _ => Sum::Halted,
        }
    }
}

struct SliceTasks {
    agenda: Agenda,
    first: Vec<Slice>,
    ranks: usize,
    nodes: u64,
    failure: Option<Failure>,
}

enum Failure {
    Memory,
    Error(SolveError),
}

impl Tasks for SliceTasks {
    type Task = Vec<Slice>;
    type Result = Worked;

    fn next(&mut self) -> Option<Vec<Slice>> {
        let first = std::mem::take(&mut self.first);
        let most = share(&self.agenda, self.ranks);
        let slices = if first.is_empty() { self.agenda.take(most) } else { first };
        (!slices.is_empty()).then_some(slices)
    }

    fn enter(&mut self, worked: Worked) -> ControlFlow<()> {
        let Worked { slices, nodes, result } = worked;
        self.nodes += nodes;
        let entered = match result {
            Sum::Are(partials) => self.agenda.finish(&slices, partials).map(|()| true),
            Sum::TooMuchMemory => {
                self.agenda.put_back(&slices[1..]);
                self.agenda.cut(slices[0])
            }
            Sum::NoRoomToBegin => Ok(false),
            Sum::Outgrown => Err(middle::outgrown()),
            Sum::Halted => self.agenda.stop(&slices).map(|()| true),
        };
        let failure = match entered {
            Ok(true) => return ControlFlow::Continue(()),
            Ok(false) => Failure::Memory,
            Err(error) => Failure::Error(error),
        };
        self.failure.get_or_insert(failure);
        ControlFlow::Break(())
    }
}

// ---- one slice together ----

/// A rank's part of [`Job::Together`].
pub(crate) fn help_together(rank: &mut Rank, question: &TourProblem, parts: usize) {
    let middle = MiddleCount::new(question).expect("rank 0 has looked at the question");
    let _ = together(rank, middle, parts);
}

/// Computes a count with all ranks; rank 0 has the sum in the end, and all know of any trouble.
fn together(
    rank: &mut Rank,
    question: MiddleCount,
    enough: usize,
) -> (u64, Result<Option<Partial>, Stop>) {
    let watch = rank.watch().clone();
    let pool = Pool::new(watch.threads());
    let begun = rank.exchanging(|peers| {
        let begun = pool.within(|| question.begin(watch.memory(), &watch));
        middle::agreed(peers, begun)
    });
    let result = begun.and_then(|begun| {
        let bound = rank
            .exchanging(|peers| pool.within(|| question.gather(&begun, enough, peers, &watch)))?;
        join(rank, &bound, &pool, &watch)
    });
    (watch.nodes(), result)
}

/// Parts of the last row for each thread; more balance the work better, and cost more to make.
const PARTS: usize = 8;

/// Joins all pairs; rank 0 has the sum.
fn join(
    rank: &mut Rank,
    bound: &Bound,
    pool: &Pool,
    watch: &Watch,
) -> Result<Option<Partial>, Stop> {
    // With all threads.
    let worker = &|| Box::new(|pairs| join_pairs(bound, pairs, pool, watch)) as Worker<'_, _, _>;
    let joining = Work { threads: 1, ahead: 1, worker, bound: None };
    let mut pairs = Pairs { next: 0, bound, ranks: rank.size(), sum: BigUint::ZERO, trouble: None };
    if rank.rank() == 0 {
        rank.coordinate(&joining, &mut pairs);
    } else {
        rank.take_part(&joining);
    }
    // The trouble that rank 0 heard of, or else a halt of the own watch.
    let trouble = pairs.trouble.or(watch.halted().map(Stop::Halt));
    rank.exchanging(|peers| middle::agreed(peers, trouble.map_or(Ok(()), Err)))?;
    Ok((rank.rank() == 0).then(|| bound.partial(pairs.sum)))
}

/// Joins the pairs with these numbers.
fn join_pairs(
    bound: &Bound,
    pairs: Range<usize>,
    pool: &Pool,
    watch: &Watch,
) -> Result<String, u8> {
    let sum = pool.within(|| bound.join(pairs, watch));
    sum.map(|sum| sum.to_string()).map_err(|stop| stop.code())
}

/// The fewest pairs that are joined at a time. Some pairs take a hundred times as long as others: the last
/// 4096 could keep one rank busy for a quarter of a second while the others had nothing left to do.
const PAIRS: usize = 512;

/// Assigns pairs in ranges, long ones first, so that ranks ask rarely and finish together.
struct Pairs<'b> {
    next: usize,
    bound: &'b Bound,
    ranks: usize,
    sum: BigUint,
    trouble: Option<Stop>,
}

impl Tasks for Pairs<'_> {
    type Task = Range<usize>;
    type Result = Result<String, u8>;

    fn next(&mut self) -> Option<Range<usize>> {
        let left = self.bound.pairs() - self.next;
        if left == 0 || self.trouble.is_some() {
            return None;
        }
        let from = self.next;
        self.next += (left / (8 * self.ranks)).max(PAIRS).min(left);
        Some(from..self.next)
    }

    fn enter(&mut self, sum: Result<String, u8>) -> ControlFlow<()> {
        match sum {
            Ok(sum) => self.sum += sum.parse::<BigUint>().expect("a number in decimal digits"),
            Err(code) => self.trouble = self.trouble.take().or(Stop::of_code(code)),
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use destrier_rules::Board;

    #[test]
    fn slices_are_cut_finer_for_hundreds_of_ranks_only() {
        let closed = TourProblem::closed(Board::new(8, 8).expect("a board"));
        let middle = MiddleCount::new(&closed).expect("a fitting board");
        let coarse = middle.slices(1).len();
        for (ranks, depth) in [(1, 1), (4, 1), (16 * coarse, 1), (16 * coarse + 1, 2)] {
            assert_eq!(depth_for(&middle, ranks), depth, "{ranks} ranks");
        }
    }

    #[test]
    fn what_is_held_before_a_count_is_taken_off_its_memory() {
        let mib = |n: u64| n << 20;
        for (all, held, left) in [(200, 0, 200), (200, 24, 200), (200, 104, 120), (300, 900, 150)] {
            assert_eq!(left_of(mib(all), mib(held)), mib(left), "{held} of {all} MiB");
        }
    }
}
