//! Settling the rows of a half board: all ways to fill them, counted by what they leave open.
//!
//! A row takes a list of states through its plan. After each step the states are dealt out by the
//! degrees that are now final; no two states of different parts can ever meet again in this row, so
//! the parts are taken on depth first, each in tables that fit a cache, and by as many threads as
//! there are. At the end of a part all degrees are known: that part is one degree pattern.
//!
//! Invariant: every way to fill the row is in exactly one part.
//! Cost: a few nanoseconds a transition; memory is the first list and a few short ones a thread.
//! Source: `docs/design.md`, section 2.

use std::sync::Mutex;

use crate::count::middle::half::plan::Plan;
use crate::count::middle::half::state::{Packing, State};
use crate::count::middle::join::pattern::Pattern;
use crate::count::middle::slices::report::Report;
use crate::count::middle::storage::pages::{Charge, PAGE_BYTES, PageList, Store, Writer};
use crate::run::threads;
use crate::run::watch::{Halt, Ticker, Watch};

/// Takes the states of a part whose degrees are all final.
pub(in crate::count::middle) trait Sink: Send {
    /// # Errors
    /// When there is no room for them.
    fn take(&mut self, pattern: Pattern, states: &[State]) -> Result<(), Halt>;

    /// Hears how many states a step has led to, before equal ones are merged.
    fn hear(&mut self, _transitions: usize) {}
}

/// Which parts are wanted, by the degrees that are final after a step.
pub(in crate::count::middle) trait Wanted: Sync {
    /// May a part with these final degrees, at the places of `known`, lead to something wanted?
    fn wants(&self, pattern: Pattern, known: Pattern) -> bool;
}

/// Everything is wanted.
pub(in crate::count::middle) struct All;

impl Wanted for All {
    fn wants(&self, _: Pattern, _: Pattern) -> bool {
        true
    }
}

/// A row to settle: its plan and what is wanted of it.
pub(in crate::count::middle) struct Row<'a, W> {
    pub(in crate::count::middle) plan: &'a Plan,
    pub(in crate::count::middle) packing: Packing,
    pub(in crate::count::middle) wanted: &'a W,
    pub(in crate::count::middle) report: Report,
}

/// A list of states that a row begins with: its own, or one that stays as it is.
#[derive(Debug)]
pub(in crate::count::middle) enum Source<'a> {
    Own(PageList),
    Shared(&'a PageList),
}

impl Source<'_> {
    fn len(&self) -> usize {
        match self {
            Source::Own(list) => list.len(),
            Source::Shared(list) => list.len(),
        }
    }

    /// The same list, to stay as it is.
    pub(in crate::count::middle) fn shown(&self) -> Source<'_> {
        match self {
            Source::Own(list) => Source::Shared(list),
            Source::Shared(list) => Source::Shared(list),
        }
    }

    /// Shows the pages of the list, and gives back those that are its own.
    pub(in crate::count::middle) fn each_page(
        self,
        store: &Store,
        mut see: impl FnMut(&[State]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        match self {
            Source::Own(list) => {
                for page in list.into_pages() {
                    let page = store.take(page)?;
                    see(&page)?;
                    store.give_back(page);
                }
            }
            Source::Shared(list) => {
                for page in list.pages() {
                    store.show(page, &mut see)??;
                }
            }
        }
        Ok(())
    }
}

/// A part of the states: those with these final degrees, in lists by hash, equal states not yet merged.
#[derive(Debug)]
pub(in crate::count::middle) struct Part<'a> {
    pub(in crate::count::middle) pattern: Pattern,
    pub(in crate::count::middle) lists: Vec<Source<'a>>,
}

impl Part<'_> {
    pub(in crate::count::middle) fn len(&self) -> usize {
        self.lists.iter().map(Source::len).sum()
    }
}

/// The lists that a thread keeps for all its parts.
pub(in crate::count::middle) struct Buffers<'w> {
    buckets: Vec<Vec<Vec<State>>>,
    pub(in crate::count::middle) room: Vec<State>,
    ticker: Ticker<'w>,
    charge: Charge<'w>,
}

impl<'w> Buffers<'w> {
    pub(in crate::count::middle) fn new(
        plan: &Plan,
        store: &'w Store,
        watch: &'w Watch,
    ) -> Buffers<'w> {
        let buckets = plan.steps.iter().map(|_| Vec::new()).collect();
        let charge = store.charge_anyway(0);
        Buffers { buckets, room: Vec::new(), ticker: watch.ticker(), charge }
    }

    /// Tells the books what the lists take; what grew far beyond a share is given up.
    fn settle_charge(&mut self, share: u64) {
        let lists = self.buckets.iter().flatten().map(Vec::capacity).sum::<usize>();
        let mut bytes = ((lists + self.room.capacity()) * size_of::<State>()) as u64;
        if bytes > share {
            self.buckets.iter_mut().for_each(Vec::clear);
            self.room = Vec::new();
            bytes = 0;
        }
        self.charge.set(bytes);
    }
}

/// What the threads of a row share.
struct RowWorkers<'w, S, N> {
    /// Sinks and buffers that no thread uses just now.
    idle: Mutex<Vec<(S, Buffers<'w>)>>,
    halt: Mutex<Option<Halt>>,
    done: Mutex<f64>,
    new_sink: &'w N,
    store: &'w Store,
    watch: &'w Watch,
}

impl<'w, S: Sink, N: Fn() -> S> RowWorkers<'w, S, N> {
    fn new(new_sink: &'w N, store: &'w Store, watch: &'w Watch) -> RowWorkers<'w, S, N> {
        RowWorkers {
            idle: Mutex::new(Vec::new()),
            halt: Mutex::new(None),
            done: Mutex::new(0.0),
            new_sink,
            store,
            watch,
        }
    }

    /// What has come of it, when all threads are done.
    fn sinks(self) -> Vec<S> {
        let idle = self.idle.into_inner().unwrap_or_default();
        idle.into_iter().map(|(sink, _)| sink).collect()
    }

    fn check(&self) -> Result<(), Halt> {
        match self.halt.lock().map(|halt| *halt) {
            Ok(None) => Ok(()),
            Ok(Some(why)) => Err(why),
            Err(_) => Err(Halt::Asked),
        }
    }

    fn fail(&self, why: Halt) {
        if let Ok(mut halt) = self.halt.lock() {
            halt.get_or_insert(why);
        }
    }

    fn buffers(&self, plan: &Plan) -> (S, Buffers<'w>) {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        idle.unwrap_or_else(|| ((self.new_sink)(), Buffers::new(plan, self.store, self.watch)))
    }

    fn finish(&self, report: Report, share: f64) {
        if let Ok(mut done) = self.done.lock() {
            *done += share;
            report.tell_part(self.watch, *done);
        }
    }
}

/// How the memory is shared out among the threads of a row.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Shares {
    /// Parts with at most this many states stay with one thread to their end.
    small: usize,
    /// The bytes that a buffers may keep for its next part.
    buffers: u64,
    /// The most states that are merged in one go.
    merge: usize,
    /// The pages that a thread may write on at a time.
    pub(in crate::count::middle) pages: usize,
}

impl Shares {
    pub(in crate::count::middle) fn of(store: &Store) -> Shares {
        let share = store.limit() / (16 * threads::count() as u64);
        let at_most =
            |number: u64, most: usize| usize::try_from(number).map_or(most, |n| n.min(most));
        Shares {
            // A state of a small part brings about a thousand bytes of lists with it.
            small: at_most(share / 512, 1 << 18).max(1 << 9),
            buffers: 2 * share,
            merge: at_most(share / (2 * size_of::<State>() as u64), 1 << 24).max(1 << 12),
            pages: at_most(share / PAGE_BYTES, 1 << 9).max(1),
        }
    }
}

impl<W: Wanted> Row<'_, W> {
    /// Takes all states through the row, and gives every final part to one of the sinks.
    ///
    /// A large part goes one step, by all threads together, and is dealt out into parts by its final
    /// degrees. Of these the small ones are taken to the end at once, each by one thread, and
    /// then the large ones one by one, so that few parts are open at a time.
    pub(in crate::count::middle) fn run<S: Sink>(
        &self,
        lists: Vec<Source<'_>>,
        store: &Store,
        watch: &Watch,
        new_sink: impl Fn() -> S + Sync,
    ) -> Result<Vec<S>, Halt> {
        let workers = RowWorkers::new(&new_sink, store, watch);
        let whole = Part { pattern: 0, lists };
        self.take_up(whole, (0, 0), 1.0, &Shares::of(store), &workers)?;
        Ok(workers.sinks())
    }

    /// Takes the states of parts that have come so far already through the rest of the row.
    pub(in crate::count::middle) fn run_on<S: Sink>(
        &self,
        parts: Vec<Part<'static>>,
        progress: (usize, Pattern),
        store: &Store,
        watch: &Watch,
        new_sink: impl Fn() -> S + Sync,
    ) -> Result<Vec<S>, Halt> {
        let workers = RowWorkers::new(&new_sink, store, watch);
        self.take_up_all(parts, progress, 1.0, &Shares::of(store), &workers)?;
        Ok(workers.sinks())
    }

    /// Takes a part on from a step. The depth is the number of steps, a few for each file.
    fn take_up<S: Sink, N: Fn() -> S + Sync>(
        &self,
        part: Part<'_>,
        (at, known): (usize, Pattern),
        share: f64,
        shares: &Shares,
        workers: &RowWorkers<'_, S, N>,
    ) -> Result<(), Halt> {
        if part.len() <= shares.small || at == self.plan.steps.len() {
            return self.finish_alone(part, (at, known), share, shares, workers);
        }
        let known = known | self.plan.steps[at].places();
        let parts = self.step(at, known, part, shares, (workers.store, workers.watch))?;
        self.take_up_all(parts, (at + 1, known), share, shares, workers)
    }

    /// Takes parts on from a step: the small ones side by side, then each of the large ones by all threads.
    fn take_up_all<S: Sink, N: Fn() -> S + Sync>(
        &self,
        parts: Vec<Part<'static>>,
        progress: (usize, Pattern),
        share: f64,
        shares: &Shares,
        workers: &RowWorkers<'_, S, N>,
    ) -> Result<(), Halt> {
        let total: usize = parts.iter().map(Part::len).sum();
        if parts.is_empty() {
            workers.finish(self.report, share);
        }
        let weighed = |part: &Part<'_>| share * as_real(part.len()) / as_real(total.max(1));
        let (small, large): (Vec<Part<'_>>, Vec<Part<'_>>) =
            parts.into_iter().partition(|part| part.len() <= shares.small);
        threads::each(small, |part| {
            let share = weighed(&part);
            let ended = workers
                .check()
                .and_then(|()| self.finish_alone(part, progress, share, shares, workers));
            if let Err(halt) = ended {
                workers.fail(halt);
            }
        });
        workers.check()?;
        for part in large {
            let share = weighed(&part);
            self.take_up(part, progress, share, shares, workers)?;
        }
        Ok(())
    }

    /// Takes a part to the end of the row by one thread.
    fn finish_alone<S: Sink, N: Fn() -> S + Sync>(
        &self,
        part: Part<'_>,
        (at, known): (usize, Pattern),
        share: f64,
        shares: &Shares,
        workers: &RowWorkers<'_, S, N>,
    ) -> Result<(), Halt> {
        let (mut sink, mut buffers) = workers.buffers(self.plan);
        let pattern = part.pattern;
        let states = self.gathered(part.lists, &mut buffers.room, workers.store)?;
        let _charge = workers.store.charge_anyway(size_of_val(&states[..]) as u64);
        self.descend(at, known, pattern, &states, &mut buffers, &mut sink)?;
        buffers.settle_charge(shares.buffers);
        workers.finish(self.report, share);
        if let Ok(mut idle) = workers.idle.lock() {
            idle.push((sink, buffers));
        }
        Ok(())
    }

    /// The states of some lists in one list, equal ones merged.
    pub(in crate::count::middle) fn gathered(
        &self,
        lists: Vec<Source<'_>>,
        room: &mut Vec<State>,
        store: &Store,
    ) -> Result<Vec<State>, Halt> {
        let mut states = Vec::with_capacity(lists.iter().map(Source::len).sum());
        for list in lists {
            list.each_page(store, |page| {
                states.extend_from_slice(page);
                Ok(())
            })?;
        }
        self.packing.merge(&mut states, room);
        Ok(states)
    }

    /// One step for a large part, by all threads: list by list its states are merged, taken a step further
    /// and dealt out by their final degrees, and by hash, so that the next lists can be merged by themselves.
    pub(in crate::count::middle) fn step(
        &self,
        at: usize,
        known: Pattern,
        part: Part<'_>,
        shares: &Shares,
        (store, watch): (&Store, &Watch),
    ) -> Result<Vec<Part<'static>>, Halt> {
        let step = &self.plan.steps[at];
        let classes = step.classes();
        let patterns: Vec<Pattern> =
            (0..classes).map(|class| part.pattern | step.digits(class)).collect();
        let wanted: Vec<bool> =
            patterns.iter().map(|&pattern| self.wanted.wants(pattern, known)).collect();
        // As many lists for each class as fit a cache when merged, or as there are pages for.
        let parts = power_of_two(part.len() / (1 << 14), shares.pages / classes);
        let all: Vec<Mutex<Writer>> = (0..classes * parts).map(|_| Mutex::default()).collect();
        let queue = Mutex::new(part.lists.into_iter());
        let next = || queue.lock().ok().and_then(|mut queue| queue.next());
        threads::try_map(0..threads::count(), |_| {
            let mut own: Vec<Writer> = (0..classes * parts).map(|_| Writer::default()).collect();
            let mut ticker = watch.ticker();
            let mut room = Vec::new();
            let mut deal = |states: &[State]| -> Result<(), Halt> {
                let mut full = Ok(());
                for &state in states {
                    ticker.tick()?;
                    step.apply(state, |next| {
                        let class = step.class(next);
                        if wanted[class] {
                            let to = class * parts + self.packing.part(next, parts, 0);
                            if let Err(halt) = own[to].push(next, store) {
                                full = Err(halt);
                            }
                        }
                    });
                    full?;
                }
                Ok(())
            };
            while let Some(list) = next() {
                self.merged(list, 1, shares, store, &mut room, &mut deal)?;
            }
            for (own, all) in own.into_iter().zip(&all) {
                own.pour(&mut *all.lock().map_err(|_| Halt::Asked)?, store)?;
            }
            Ok(())
        })?;
        let mut writers = all.into_iter().map(|all| all.into_inner().unwrap_or_default());
        let mut dealt = Vec::new();
        for pattern in patterns {
            let lists: Result<Vec<PageList>, Halt> =
                writers.by_ref().take(parts).map(|writer| writer.finish(store)).collect();
            let lists: Vec<Source<'static>> =
                lists?.into_iter().filter(|list| list.len() > 0).map(Source::Own).collect();
            if !lists.is_empty() {
                dealt.push(Part { pattern, lists });
            }
        }
        Ok(dealt)
    }

    /// Merges a list and hands the states on; a list too long for that is dealt out by more of its hash first.
    pub(in crate::count::middle) fn merged(
        &self,
        list: Source<'_>,
        level: u32,
        shares: &Shares,
        store: &Store,
        room: &mut Vec<State>,
        deal: &mut impl FnMut(&[State]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        if list.len() > shares.merge && level < Packing::LEVELS {
            let parts = power_of_two(2 * list.len() / shares.merge, shares.pages).max(2);
            let mut finer: Vec<Writer> = (0..parts).map(|_| Writer::default()).collect();
            list.each_page(store, |page| {
                page.iter().try_for_each(|&state| {
                    finer[self.packing.part(state, parts, level)].push(state, store)
                })
            })?;
            for writer in finer {
                let list = Source::Own(writer.finish(store)?);
                self.merged(list, level + 1, shares, store, room, deal)?;
            }
            return Ok(());
        }
        let _charge = store.charge_anyway(2 * (list.len() * size_of::<State>()) as u64);
        deal(&self.gathered(vec![list], room, store)?)
    }

    /// All later steps for a part, depth first. The depth is the number of steps, a few for each file.
    pub(in crate::count::middle) fn descend<S: Sink>(
        &self,
        at: usize,
        known: Pattern,
        pattern: Pattern,
        states: &[State],
        buffers: &mut Buffers<'_>,
        sink: &mut S,
    ) -> Result<(), Halt> {
        let Some(step) = self.plan.steps.get(at) else {
            return sink.take(pattern, states);
        };
        let classes = step.classes();
        let known = known | step.places();
        let mut buckets = std::mem::take(&mut buffers.buckets[at]);
        buckets.resize_with(classes, Vec::new);
        for &state in states {
            buffers.ticker.tick()?;
            step.apply(state, |next| buckets[step.class(next)].push(next));
        }
        sink.hear(buckets.iter().map(Vec::len).sum());
        for (class, bucket) in buckets.iter_mut().enumerate() {
            let pattern = pattern | step.digits(class);
            if !bucket.is_empty() && self.wanted.wants(pattern, known) {
                self.packing.merge(bucket, &mut buffers.room);
                self.descend(at + 1, known, pattern, bucket, buffers, sink)?;
            }
            bucket.clear();
        }
        buffers.buckets[at] = buckets;
        Ok(())
    }
}

/// The largest power of two that is not above either, nor above what a deal can tell apart; at least 1.
pub(in crate::count::middle) fn power_of_two(wish: usize, most: usize) -> usize {
    1 << wish.min(most).clamp(1, Packing::MOST_PARTS).ilog2()
}

#[expect(clippy::cast_precision_loss, reason = "a share for the eye")]
fn as_real(count: usize) -> f64 {
    count as f64
}
