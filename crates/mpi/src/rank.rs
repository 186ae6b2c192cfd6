//! A rank at work: one thread handles messages, the others compute.
//!
//! Rank 0 deals tasks to all ranks, itself among them; a rank takes as many as it has room for, and
//! gives back an answer for each. A better bound goes from the rank that found it to all others. Whoever is
//! told to stop, by a signal or a limit, tells rank 0, and rank 0 tells all. The messaging thread never
//! computes and never waits blindly: it looks for messages, then sleeps for a moment or until a task is done.
//!
//! Invariant: all ranks go through the same phases in the same order; a phase ends for rank 0 when
//! every task that was assigned has been answered, and for the others when rank 0 says so.
//! Cost: a check for messages from time to time, at most twenty milliseconds apart; see `docs/mpi.md`.
//! Source: the master–worker pattern of every course on MPI.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use destrier::internal::Watch;
use destrier::internal::distributed::{Peers, Tasks};

use crate::messages::{Kind, Message, Messages};
use crate::report::Tally;
use crate::work::{Bound, Dispatcher, Sent, Work};

/// A rank: its messages, its watch, its clock.
#[derive(Debug)]
pub struct Rank {
    messages: Messages,
    watch: Watch,
    /// Messages that came before their time.
    early: VecDeque<Message>,
    phase: u64,
    halt_sent: bool,
    /// Rank 0 deals tasks and does none, if there are others to do them.
    only_deals: bool,
    tally: Tally,
}

/// The longest sleep between two checks for messages. A check costs about 10 µs, and takes the core from
/// whoever computes there.
const LONGEST: Duration = Duration::from_millis(20);

/// The version of the program, which all ranks share: messages differ between versions.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Sleeps between checks for messages: the longer nothing has arrived, the longer.
struct Sleep {
    since: Instant,
    shortest: Duration,
    /// A sleep lasts this part of the time that nothing has arrived.
    part: u32,
}

impl Sleep {
    /// Where all here wait for messages: it is late by a thirtieth of the waiting at most. Were sleeps as long
    /// as the waiting, two ranks that wait for each other by turns would make each other ever later.
    fn waiting() -> Sleep {
        Sleep { since: Instant::now(), shortest: Duration::from_micros(50), part: 32 }
    }

    /// Where others compute here, and are not to be kept from it.
    fn working() -> Sleep {
        Sleep { since: Instant::now(), shortest: Duration::from_micros(200), part: 4 }
    }

    /// How long to sleep now.
    fn next(&mut self, news: bool) -> Duration {
        if news {
            self.since = Instant::now();
        }
        (self.since.elapsed() / self.part).clamp(self.shortest, LONGEST)
    }
}

type Done<A> = (Duration, Result<A, Box<dyn Any + Send>>);

impl Rank {
    /// A rank that has not begun.
    #[must_use]
    pub fn new(messages: Messages) -> Rank {
        let tally = Tally::new(&messages);
        Rank {
            messages,
            watch: Watch::unlimited(),
            early: VecDeque::new(),
            phase: 0,
            halt_sent: false,
            only_deals: false,
            tally,
        }
    }

    /// Which rank this is.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.messages.rank()
    }

    /// How many ranks there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.messages.size()
    }

    /// From now on this rank, which is rank 0, deals tasks and does none; where there are no others, it works.
    pub fn set_only_deals(&mut self, only_deals: bool) {
        self.only_deals = only_deals && self.size() > 1;
    }

    /// The watch over what this rank computes.
    #[must_use]
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// From now on this watch is the one that is halted, and listened to.
    pub fn set_watch(&mut self, watch: Watch) {
        self.tally.threads = watch.threads() as u64;
        if self.halt_sent {
            watch.halt(); // the run is being stopped
        }
        self.watch = watch;
    }

    /// Begins a job on all ranks.
    pub fn broadcast_job(&mut self, job: &str) {
        self.messages.send_all(Kind::Job, &(VERSION, job));
    }

    /// Waits for a job; none when the run is over.
    pub fn next_job(&mut self) -> Option<String> {
        let mut sleep = Sleep::waiting();
        loop {
            match self.message() {
                Some(message) if message.kind == Kind::Job => {
                    let (version, job): (String, String) = message.read();
                    if version != VERSION {
                        let (rank, host) = (self.rank(), self.tally.host.clone());
                        eprintln!(
                            "destrier-mpi: rank {rank} on {host} is version {VERSION}, and rank 0 is {}; \
                             run the same program on all ranks",
                            version.escape_debug()
                        );
                        self.messages.abort();
                    }
                    return Some(job);
                }
                Some(message) if message.kind == Kind::Quit => {
                    let tally = self.tally.clone().finished(&self.messages);
                    self.messages.send_to(0, Kind::Quit, &tally);
                    return None;
                }
                // A bound, or the end of a phase, that a faster rank no longer needs.
                Some(_) => {}
                None => std::thread::sleep(sleep.next(false)),
            }
        }
    }

    /// Ends the run on all ranks; gives what each took.
    #[must_use]
    pub fn quit(mut self) -> Vec<Tally> {
        self.messages.send_all(Kind::Quit, &());
        let mut tallies = vec![self.tally.clone().finished(&self.messages)];
        let mut sleep = Sleep::waiting();
        while tallies.len() < self.size() {
            match self.message() {
                Some(message) if message.kind == Kind::Quit => tallies.push(message.read()),
                Some(_) => {}
                None => std::thread::sleep(sleep.next(false)),
            }
        }
        tallies.sort_by_key(|tally| tally.rank);
        tallies
    }

    /// Computes something while messages are handled.
    pub fn while_listening<R: Send>(&mut self, compute: impl FnOnce() -> R + Send) -> R {
        let (done, result) = channel();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let begun = Instant::now();
                let computed = catch_unwind(AssertUnwindSafe(compute));
                let _ = done.send((begun.elapsed(), computed));
            });
            let mut sleep = Sleep::working();
            loop {
                let news = self.keep_for_later();
                if let Some((busy, computed)) = wait(&result, sleep.next(news)) {
                    self.tally.busy += busy;
                    return self.or_abort(computed);
                }
            }
        })
    }

    /// Computes something that exchanges shares with the other ranks from time to time; all ranks do it together.
    pub fn exchanging<R: Send>(&mut self, compute: impl FnOnce(&mut dyn Peers) -> R + Send) -> R {
        let (out, events) = channel();
        let (back, shares) = channel();
        let mut line =
            Line { size: self.size(), rank: self.rank(), out: out.clone(), back: shares };
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let begun = Instant::now();
                let computed = catch_unwind(AssertUnwindSafe(|| compute(&mut line)));
                let _ = out.send(Event::Done(begun.elapsed(), computed));
            });
            let mut waited = Duration::ZERO;
            let mut sleep = Sleep::working();
            loop {
                let news = self.keep_for_later();
                match wait(&events, sleep.next(news)) {
                    Some(Event::Done(time, computed)) => {
                        self.tally.busy += time.saturating_sub(waited);
                        return self.or_abort(computed);
                    }
                    Some(Event::Ask(round)) => {
                        let begun = Instant::now();
                        let _ = back.send(match round {
                            Round::Exchange(shares) => self.exchange(shares),
                            Round::Share(own) => self.share(own),
                        });
                        waited += begun.elapsed();
                        self.tally.tasks += 1;
                        sleep = Sleep::working();
                    }
                    None => {}
                }
            }
        })
    }

    /// Tells all ranks the same, and hears from each; all ranks call this together.
    pub fn share(&mut self, own: Vec<u8>) -> Vec<Vec<u8>> {
        let (rank, size) = (self.rank(), self.size());
        for to in (1..size).map(|by| (rank + by) % size) {
            self.messages.send(to, Kind::Share, &own);
        }
        let mut shares: Vec<Vec<u8>> = vec![Vec::new(); size];
        shares[rank] = own;
        self.collect(&mut shares);
        shares
    }

    /// Gives each rank its share, and gets one from each; all ranks call this together. The share of this
    /// rank for itself comes back as it is.
    pub fn exchange(&mut self, mut shares: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let (own, size) = (self.rank(), self.size());
        // The next rank first, so that not all send to the same one.
        for to in (1..size).map(|by| (own + by) % size) {
            let share = std::mem::take(&mut shares[to]);
            self.messages.send(to, Kind::Share, &share);
        }
        self.collect(&mut shares);
        shares
    }

    fn collect(&mut self, shares: &mut [Vec<u8>]) {
        for from in self.messages.others() {
            let mut sleep = Sleep::waiting();
            shares[from] = loop {
                if let Some(share) = self.messages.share_from(from) {
                    break share;
                }
                let news = self.keep_for_later();
                std::thread::sleep(sleep.next(news));
            };
        }
    }

    /// Does the tasks that rank 0 deals, until it says that there are no more.
    pub(crate) fn take_part<T: Sent, R: Sent>(&mut self, work: &Work<'_, T, R>) {
        self.run(work, None);
    }

    /// Deals tasks to all ranks and does some of them, until there are no more.
    pub(crate) fn coordinate<T: Sent, R: Sent>(
        &mut self,
        work: &Work<'_, T, R>,
        tasks: &mut dyn Tasks<Task = T, Result = R>,
    ) {
        self.run(work, Some(tasks));
    }

    /// Ends a phase on all ranks before any task was assigned.
    pub fn cancel_phase(&mut self) {
        self.phase += 1;
        self.messages.send_all(Kind::Over, &());
    }

    /// Waits out a phase in which this rank takes no tasks.
    pub fn skip_phase(&mut self) {
        self.phase += 1;
        let mut sleep = Sleep::waiting();
        loop {
            match self.message() {
                Some(message) if message.kind == Kind::Over => return,
                Some(_) => {}
                None => std::thread::sleep(sleep.next(false)),
            }
        }
    }

    fn run<T: Sent, R: Sent>(
        &mut self,
        work: &Work<'_, T, R>,
        tasks: Option<&mut dyn Tasks<Task = T, Result = R>>,
    ) {
        self.phase += 1;
        let (task_in, started) = channel::<T>();
        let (done_in, done) = channel::<Done<R>>();
        let started = Mutex::new(started);
        std::thread::scope(|scope| {
            for _ in 0..work.threads {
                let (started, done, worker) = (&started, done_in.clone(), work.worker);
                scope.spawn(move || {
                    let mut worker = worker();
                    let next = || started.lock().ok().and_then(|started| started.recv().ok());
                    while let Some(task) = next() {
                        let begun = Instant::now();
                        let result = catch_unwind(AssertUnwindSafe(|| worker(task)));
                        if done.send((begun.elapsed(), result)).is_err() {
                            return;
                        }
                    }
                });
            }
            let start = |task| {
                // The threads listen as long as this closure lives.
                let _ = task_in.send(task);
            };
            let dispatcher = tasks.map(|tasks| {
                let mut dispatcher = Dispatcher::new(tasks, self.size());
                if !self.only_deals {
                    dispatcher.register(self.rank(), work.room());
                }
                dispatcher
            });
            self.run_phase(work, dispatcher, start, &done);
            drop(task_in);
        });
    }

    /// The loop of a phase: messages, tasks, answers. Rank 0 has the dispatcher of tasks.
    fn run_phase<T: Sent, R: Sent>(
        &mut self,
        work: &Work<'_, T, R>,
        mut dispatcher: Option<Dispatcher<'_, T, R>>,
        start: impl Fn(T),
        done: &Receiver<Done<R>>,
    ) {
        let own = self.rank();
        if dispatcher.is_none() {
            self.messages.send_to(0, Kind::Ready, &(self.phase, work.room()));
        }
        let mut told = u32::MAX;
        let mut sleep = Sleep::working();
        loop {
            let mut news = false;
            while let Some(message) = self.message() {
                news = true;
                match (message.kind, &mut dispatcher) {
                    (Kind::Task, None) => start(message.read()),
                    (Kind::Over, None) => return,
                    (Kind::Ready, Some(dispatcher)) => {
                        let (phase, room): (u64, u64) = message.read();
                        if phase == self.phase {
                            dispatcher.register(message.from, room);
                        }
                    }
                    (Kind::Answer, Some(dispatcher)) => {
                        dispatcher.take(message.from, message.read());
                    }
                    (Kind::Bound, _) => self.learn(work.bound.as_ref(), &message, &mut told),
                    _ => {}
                }
            }
            if let Some(dispatcher) = &mut dispatcher {
                if dispatcher.is_enough() {
                    self.watch.halt();
                }
                self.pass_halt_on();
                while let Some((to, task)) = dispatcher.next(self.halt_sent) {
                    news = true;
                    if to == own {
                        start(task);
                    } else {
                        self.messages.send_to(to, Kind::Task, &task);
                    }
                }
                if dispatcher.is_cleared() {
                    self.messages.send_all(Kind::Over, &());
                    return;
                }
            }
            self.share_bound(work.bound.as_ref(), &mut told);
            if let Some((busy, result)) = wait(done, sleep.next(news)) {
                self.tally.tasks += 1;
                self.tally.busy += busy / u32::try_from(work.threads).unwrap_or(1);
                let result = self.or_abort(result);
                // A bound, and the news of a halt, before the result that may end the phase.
                self.share_bound(work.bound.as_ref(), &mut told);
                self.pass_halt_on();
                match &mut dispatcher {
                    Some(dispatcher) => dispatcher.take(own, result),
                    None => self.messages.send_to(0, Kind::Answer, &result),
                }
                sleep = Sleep::working(); // the next task is on its way
            }
        }
    }

    /// What was computed; if that failed, the whole job is brought down. The panic hook has said why.
    fn or_abort<R>(&self, computed: Result<R, Box<dyn Any + Send>>) -> R {
        computed.unwrap_or_else(|_| self.messages.abort())
    }

    fn learn(&self, bound: Option<&Bound<'_>>, message: &Message, told: &mut u32) {
        let (phase, best): (u64, u32) = message.read();
        if let Some(bound) = bound.filter(|_| phase == self.phase) {
            (bound.learn)(best);
            *told = (*told).min(best);
        }
    }

    fn share_bound(&mut self, bound: Option<&Bound<'_>>, told: &mut u32) {
        if let Some(best) = bound.and_then(|bound| (bound.best)()).filter(|best| best < told) {
            *told = best;
            self.messages.send_all(Kind::Bound, &(self.phase, best));
        }
    }

    /// The next message. Halts are heeded here, and never shown.
    fn message(&mut self) -> Option<Message> {
        self.pass_halt_on();
        if let Some(early) = self.early.pop_front() {
            return Some(early);
        }
        loop {
            let message = self.messages.receive()?;
            if message.kind != Kind::Halt {
                return Some(message);
            }
            self.watch.halt();
            if self.rank() != 0 {
                self.halt_sent = true; // rank 0 knows
            }
            self.pass_halt_on();
        }
    }

    /// Keeps the messages that have arrived for later; says whether there were any.
    fn keep_for_later(&mut self) -> bool {
        let mut later = std::mem::take(&mut self.early);
        let before = later.len();
        while let Some(message) = self.message() {
            later.push_back(message);
        }
        self.early = later;
        self.early.len() > before
    }

    /// A halt of the own watch is reported once: by rank 0 to all, by another rank to rank 0.
    fn pass_halt_on(&mut self) {
        if self.halt_sent || self.watch.halted().is_none() {
            return;
        }
        self.halt_sent = true;
        if self.rank() == 0 {
            self.messages.send_all(Kind::Halt, &());
        } else {
            self.messages.send_to(0, Kind::Halt, &());
        }
    }
}

/// What a computing thread has to say.
enum Event<R> {
    Ask(Round),
    Done(Duration, Result<R, Box<dyn Any + Send>>),
}

/// What all ranks do together.
enum Round {
    Exchange(Vec<Vec<u8>>),
    Share(Vec<u8>),
}

/// The line from a computing thread to the messaging thread.
struct Line<R> {
    size: usize,
    rank: usize,
    out: Sender<Event<R>>,
    back: Receiver<Vec<Vec<u8>>>,
}

impl<R> Line<R> {
    fn ask(&mut self, round: Round) -> Vec<Vec<u8>> {
        self.out.send(Event::Ask(round)).expect("the messaging thread runs");
        self.back.recv().expect("the messaging thread runs")
    }
}

impl<R: Send> Peers for Line<R> {
    fn size(&self) -> usize {
        self.size
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn exchange(&mut self, shares: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        if self.size == 1 { shares } else { self.ask(Round::Exchange(shares)) }
    }

    fn share(&mut self, own: Vec<u8>) -> Vec<Vec<u8>> {
        if self.size == 1 { vec![own] } else { self.ask(Round::Share(own)) }
    }
}

fn wait<T>(result: &Receiver<T>, time: Duration) -> Option<T> {
    match result.recv_timeout(time) {
        Ok(result) => Some(result),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => {
            std::thread::sleep(time);
            None
        }
    }
}
