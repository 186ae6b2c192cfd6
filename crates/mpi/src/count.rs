//! Counting on many ranks: one slice together, slices dealt out, or one frontier by hash.
//!
//! Where the halves of the board fit the memory of each rank, all ranks work the whole count out together, and
//! little is done twice. Where they do not, or a journal is kept, slices are dealt to whoever is free;
//! that costs more in all, and each rank needs as much memory as its slice. The plain frontier is
//! held by all ranks together, each with the states whose hash is its own.
//!
//! Invariant: the answer depends on the question alone, not on ranks, threads, memory or who did what.
//! Cost: `docs/mpi.md` has the measurements.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use destrier::count::middle::{
    self, Agenda, Begun, Bound, MiddleCount, Partial, Parts, Settings, Sheaf, Slice, Stop,
};
use destrier::count::{self, Auto, Frontier, TourCount};
use destrier::{Halt, Outcome, Run, SolveError, Watch};
use destrier_rules::{Problem as _, TourProblem};
use num_bigint::BigUint;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::crew::{Crew, Dealer, Trade};
use crate::fleet::Fleet;
use crate::job::Job;

impl Fleet {
    /// Counts the tours of a question by the named method.
    ///
    /// # Errors
    /// When there is no such method, or it cannot take the question on.
    pub fn count(
        &mut self,
        question: &TourProblem,
        method: &str,
        journal: Option<PathBuf>,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        question.validate()?;
        let is_chosen = method == "auto";
        let chosen = match method {
            _ if journal.is_some() => "middle",
            "auto" if destrier::tour::obstacle(question).is_some() => "auto",
            "auto" => Auto::choice(question).name(),
            named => named,
        };
        let mut run = match chosen {
            "middle" => self.count_middle(question, journal, watch)?,
            "frontier" if question.symmetry.is_none() => {
                self.begin(Job::Sweep(question.clone()), watch);
                sweep(self.crew(), question)?
            }
            _ => {
                self.alone(chosen);
                count::count(question, method, watch)?
            }
        };
        if is_chosen && chosen != "auto" {
            run.effort.method.get_or_insert(if chosen == "middle" { "middle" } else { "frontier" });
        }
        Ok(run)
    }

    fn count_middle(
        &mut self,
        question: &TourProblem,
        journal: Option<PathBuf>,
        watch: &Watch,
    ) -> Result<Run<TourCount>, SolveError> {
        let middle = MiddleCount::new(question)?;
        if journal.is_none() {
            let parts = PARTS * self.crew().size() * watch.threads();
            self.begin(Job::Together(question.clone(), parts), watch);
            match together(self.crew(), middle, parts) {
                (nodes, Ok(partial)) => {
                    let partial = partial.expect("rank 0 has the sum");
                    let count = TourCount::of_undirected(question, partial.sum);
                    let run = Run::new(Outcome::Solved(count), nodes).with_detail("slices", 1);
                    return Ok(run
                        .with_detail("states kept", partial.kept)
                        .with_detail("patterns joined", partial.pairs));
                }
                (_, Err(Stop::Halted(Halt::Memory))) => {} // smaller slices may do
                (_, Err(Stop::TooLarge)) => return Err(middle::outgrown()),
                (nodes, Err(Stop::Halted(_))) => return Ok(unfinished(nodes, watch)),
            }
        }
        if let Some(folder) = &journal {
            let folder = folder.display();
            eprintln!(
                "destrier-mpi: finished slices are kept in `{folder}`; should the job end early, the same \
                 command goes on from there, on any number of ranks"
            );
        }
        let ranks = self.crew().size();
        let enough = |&depth: &usize| middle.slices(depth).len() >= 2 * ranks;
        let depth = (1..middle.deepest()).find(enough).unwrap_or(middle.deepest());
        let settings = Settings { journal, depth: Some(depth), ..Settings::default() };
        let mut agenda = Agenda::new(middle, &settings)?;
        let mut dealer = Slices { first: agenda.take(), agenda, nodes: 0, failure: None };
        if dealer.first.is_some() {
            self.begin(Job::Slices(question.clone()), watch);
            let crew = self.crew();
            let trade = Slicing::new(crew, middle);
            crew.deal(&trade, &mut dealer);
        }
        let Slices { agenda, nodes, failure, .. } = dealer;
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

fn unfinished(nodes: u64, watch: &Watch) -> Run<TourCount> {
    let why = watch.halted().unwrap_or(Halt::Asked);
    Run::new(Outcome::Unfinished { why, best: None }, nodes)
}

fn pool(watch: &Watch) -> ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(watch.threads()).build();
    pool.expect("threads can be started")
}

// ---- slices dealt out ----

/// A rank's part of [`Job::Slices`].
pub(crate) fn work_out_slices(crew: &mut Crew, question: &TourProblem) {
    let middle = MiddleCount::new(question).expect("rank 0 has looked at the question");
    let trade = Slicing::new(crew, middle);
    crew.labour(&trade);
}

struct Slicing {
    question: MiddleCount,
    begun: Result<Begun, Halt>,
    pool: ThreadPool,
    watch: Watch,
}

impl Slicing {
    fn new(crew: &mut Crew, question: MiddleCount) -> Slicing {
        let watch = crew.watch().clone();
        let pool = pool(&watch);
        let begun = crew.attend(|| pool.install(|| question.begin(watch.memory(), &watch)));
        Slicing { question, begun, pool, watch }
    }
}

/// What came of a slice.
#[derive(Debug, Serialize, Deserialize)]
struct Worked {
    slice: String,
    nodes: u64,
    result: Sum,
}

#[derive(Debug, Serialize, Deserialize)]
enum Sum {
    Is { sum: String, kept: u64, pairs: u64 },
    TooMuchMemory,
    NoRoomToBegin,
    Outgrown,
    Halted,
}

impl Trade for Slicing {
    type Task = String;
    type Answer = Worked;
    type Desk = ();

    fn lanes(&self) -> usize {
        1 // with all threads
    }

    fn desk(&self) {}

    fn work(&self, (): &mut (), slice: String) -> Worked {
        let before = self.watch.nodes();
        let number: Slice = slice.parse().expect("rank 0 writes slices");
        let run = |begun| self.pool.install(|| self.question.run(begun, number, &self.watch));
        let result = match self.begun.as_ref().map(run) {
            Ok(Ok(Partial { sum, kept, pairs, .. })) => {
                Sum::Is { sum: sum.to_string(), kept, pairs }
            }
            Ok(Err(Stop::Halted(Halt::Memory))) => Sum::TooMuchMemory,
            Ok(Err(Stop::TooLarge)) => Sum::Outgrown,
            Err(Halt::Memory) => Sum::NoRoomToBegin,
            Ok(Err(Stop::Halted(_))) | Err(_) => Sum::Halted,
        };
        Worked { slice, nodes: self.watch.nodes() - before, result }
    }
}

struct Slices {
    agenda: Agenda,
    first: Option<Slice>,
    nodes: u64,
    failure: Option<Failure>,
}

enum Failure {
    Memory,
    Error(SolveError),
}

impl Dealer<Slicing> for Slices {
    fn next(&mut self) -> Option<String> {
        self.first.take().or_else(|| self.agenda.take()).map(|slice| slice.to_string())
    }

    fn take(&mut self, _: usize, worked: Worked) -> ControlFlow<()> {
        self.nodes += worked.nodes;
        let slice: Slice = worked.slice.parse().expect("ranks give slices back as they were");
        let entered = match worked.result {
            Sum::Is { sum, kept, pairs } => {
                let sum = sum.parse().expect("a number in decimal digits");
                self.agenda.finish(Partial { slice, sum, kept, pairs }).map(|()| true)
            }
            Sum::TooMuchMemory => self.agenda.cut(slice),
            Sum::NoRoomToBegin => Ok(false),
            Sum::Outgrown => Err(middle::outgrown()),
            Sum::Halted => return ControlFlow::Continue(()),
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
pub(crate) fn help_together(crew: &mut Crew, question: &TourProblem, parts: usize) {
    let middle = MiddleCount::new(question).expect("rank 0 has looked at the question");
    let _ = together(crew, middle, parts);
}

/// Works a count out with all ranks; rank 0 has the sum in the end, and all know of any trouble.
fn together(
    crew: &mut Crew,
    question: MiddleCount,
    enough: usize,
) -> (u64, Result<Option<Partial>, Stop>) {
    let watch = crew.watch().clone();
    let pool = pool(&watch);
    let begun = crew.attend(|| pool.install(|| question.begin(watch.memory(), &watch)));
    let begun = match agree(crew, begun.map_err(Stop::from)) {
        Ok(begun) => begun,
        Err(stop) => return (watch.nodes(), Err(stop)),
    };
    let result = parts_and_pairs(crew, (question, enough), &begun, &pool, &watch);
    (watch.nodes(), result)
}

fn parts_and_pairs(
    crew: &mut Crew,
    (question, enough): (MiddleCount, usize),
    begun: &Begun,
    pool: &ThreadPool,
    watch: &Watch,
) -> Result<Option<Partial>, Stop> {
    let parts = crew.attend(|| pool.install(|| question.part(begun, Slice::WHOLE, enough, watch)));
    let parts = agree(crew, parts)?;
    let reaping = Reaping { parts: &parts, sheaves: Mutex::default(), watch };
    let mut dealer = Reapers { list: parts.list().into_iter(), trouble: None };
    if crew.rank() == 0 {
        crew.deal(&reaping, &mut dealer);
    } else {
        crew.labour(&reaping);
    }
    let sheaves = reaping.sheaves.into_inner().unwrap_or_default();
    agree(crew, halt_or(dealer.trouble, watch))?;
    let own = crew.rank();
    let ranks = crew.size() as u64;
    let written = crew.attend(|| {
        in_memory(begun)?;
        let bytes = parts.write(&sheaves)?;
        // All ranks are dealt to alike: their shares are about as long, and are kept besides the bytes.
        let all = 2 * ranks * bytes.len() as u64;
        if watch.memory().is_some_and(|memory| memory < all) {
            return Err(Stop::Halted(Halt::Memory));
        }
        Ok(bytes)
    });
    let written = agree(crew, written)?;
    let written = crew.share(written);
    let bound = crew.attend(|| {
        let mut all = sheaves;
        for (_, bytes) in written.iter().enumerate().filter(|&(rank, _)| rank != own) {
            all.extend(parts.read(bytes)?);
        }
        drop(written);
        let bound = pool.install(|| parts.bind(all))?;
        in_memory(begun)?;
        Ok(bound)
    });
    let bound = agree(crew, bound)?;
    let joining = Joining { bound: &bound, pool, watch };
    let ranges = (0..bound.pairs()).step_by(PAIRS);
    let ranges: Vec<(usize, usize)> =
        ranges.map(|from| (from, (from + PAIRS).min(bound.pairs()))).collect();
    let mut dealer = Joiners { ranges: ranges.into_iter(), sum: BigUint::ZERO, trouble: None };
    if crew.rank() == 0 {
        crew.deal(&joining, &mut dealer);
    } else {
        crew.labour(&joining);
    }
    agree(crew, halt_or(dealer.trouble, watch))?;
    Ok((own == 0).then(|| bound.partial(dealer.sum)))
}

/// What is worked out together has to lie in memory; slices may lie on disk.
fn in_memory(begun: &Begun) -> Result<(), Stop> {
    if begun.on_disk() > 0 { Err(Stop::Halted(Halt::Memory)) } else { Ok(()) }
}

/// Parts for each thread; more balance the work better, and cost each rank more to make.
const PARTS: usize = 8;

/// Pairs that are joined at a time.
const PAIRS: usize = 4096;

/// The trouble that rank 0 heard of, or else a halt of the own watch.
fn halt_or(trouble: Option<Stop>, watch: &Watch) -> Result<(), Stop> {
    trouble.or(watch.halted().map(Stop::Halted)).map_or(Ok(()), Err)
}

/// Tells all ranks how it went here; it went well if it went well everywhere.
fn agree<T>(crew: &mut Crew, result: Result<T, Stop>) -> Result<T, Stop> {
    let word = result.as_ref().err().copied().map_or(0, code);
    let words = crew.share(vec![word]);
    let worst = words.iter().filter_map(|word| word.first().copied()).max().unwrap_or(0);
    match result {
        Ok(value) if worst == 0 => Ok(value),
        _ => Err(stop(worst)),
    }
}

/// Graver troubles have greater codes.
const fn code(stop: Stop) -> u8 {
    match stop {
        Stop::Halted(Halt::Memory) => 1,
        Stop::TooLarge => 2,
        Stop::Halted(_) => 3,
    }
}

const fn stop(code: u8) -> Stop {
    match code {
        1 => Stop::Halted(Halt::Memory),
        2 => Stop::TooLarge,
        _ => Stop::Halted(Halt::Asked),
    }
}

/// Finishing parts of the last row.
struct Reaping<'p, 'b> {
    parts: &'p Parts<'b>,
    sheaves: Mutex<Vec<Sheaf<'b>>>,
    watch: &'p Watch,
}

impl Trade for Reaping<'_, '_> {
    type Task = (usize, usize);
    type Answer = u8;
    type Desk = ();

    fn lanes(&self) -> usize {
        self.watch.threads()
    }

    fn ahead(&self) -> usize {
        1
    }

    fn desk(&self) {}

    fn work(&self, (): &mut (), part: (usize, usize)) -> u8 {
        match self.parts.finish(part, self.watch) {
            Ok(sheaf) => {
                self.sheaves.lock().expect("no thread panics with the sheaves").push(sheaf);
                0
            }
            Err(stop) => code(stop),
        }
    }
}

struct Reapers {
    list: std::vec::IntoIter<(usize, usize)>,
    trouble: Option<Stop>,
}

impl Dealer<Reaping<'_, '_>> for Reapers {
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.trouble.is_some() { None } else { self.list.next() }
    }

    fn take(&mut self, _: usize, word: u8) -> ControlFlow<()> {
        if word != 0 {
            self.trouble.get_or_insert(stop(word));
        }
        ControlFlow::Continue(())
    }
}

/// Joining pairs of patterns.
struct Joining<'b> {
    bound: &'b Bound<'b>,
    pool: &'b ThreadPool,
    watch: &'b Watch,
}

impl Trade for Joining<'_> {
    type Task = (usize, usize);
    type Answer = Result<String, u8>;
    type Desk = ();

    fn lanes(&self) -> usize {
        1 // with all threads
    }

    fn ahead(&self) -> usize {
        1
    }

    fn desk(&self) {}

    fn work(&self, (): &mut (), (from, to): (usize, usize)) -> Result<String, u8> {
        let sum = self.pool.install(|| self.bound.join(from..to, self.watch));
        sum.map(|sum| sum.to_string()).map_err(code)
    }
}

struct Joiners {
    ranges: std::vec::IntoIter<(usize, usize)>,
    sum: BigUint,
    trouble: Option<Stop>,
}

impl Dealer<Joining<'_>> for Joiners {
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.trouble.is_some() { None } else { self.ranges.next() }
    }

    fn take(&mut self, _: usize, sum: Result<String, u8>) -> ControlFlow<()> {
        match sum {
            Ok(sum) => self.sum += sum.parse::<BigUint>().expect("a number in decimal digits"),
            Err(word) => {
                self.trouble.get_or_insert(stop(word));
            }
        }
        ControlFlow::Continue(())
    }
}

// ---- a frontier held by all ----

/// A rank's part of [`Job::Sweep`].
pub(crate) fn help_sweep(crew: &mut Crew, question: &TourProblem) {
    let _ = sweep(crew, question);
}

fn sweep(crew: &mut Crew, question: &TourProblem) -> Result<Run<TourCount>, SolveError> {
    let watch = crew.watch().clone();
    crew.attend_exchanging(|peers| Frontier.count_among(question, peers, &watch))
}
