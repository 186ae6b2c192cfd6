//! The one pool of threads, and the few ways in which work is shared out on it.
//!
//! [`within`] starts the threads of a run; everything called inside it may share work out with [`each`],
//! [`map`] and their relatives. Workers claim one item after another from a common iterator, so items should be
//! coarse: a chunk, a part, a slice. Outside of `within`, with one thread, and where there are no threads at
//! all (a browser), the same calls do the work in place.
//!
//! Invariant: every item is handled exactly once, and results come in the order of the items, whatever the
//! number of threads.
//! Cost: a lock per item. What reaches the pool is one kind of closure (`&dyn Fn(usize)`), so a use of these
//! functions adds a loop to the program, not an instance of a work-stealing scheduler.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};

use super::share::Tasks;

/// The threads of a run; none where the work is done in place.
#[derive(Debug)]
pub struct Pool(Option<rayon_core::ThreadPool>);

impl Pool {
    /// Starts this many threads.
    #[must_use]
    pub fn new(threads: usize) -> Pool {
        let pool = |threads| rayon_core::ThreadPoolBuilder::new().num_threads(threads).build();
        Pool((threads > 1).then(|| pool(threads).ok()).flatten())
    }

    /// How many threads there are, at least 1.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, rayon_core::ThreadPool::current_num_threads)
    }

    /// Runs a job whose work these threads share.
    ///
    /// # Panics
    /// When the job does.
    pub fn within<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        let Some(pool) = &self.0 else { return job() };
        let mut result = None;
        let mut job = Some(job);
        let job: &mut (dyn FnMut() + Send) = &mut || result = job.take().map(|job| job());
        pool.install(job);
        result.expect("the job has run")
    }
}

/// Runs a job with this many threads to share its work.
pub fn within<R: Send>(threads: usize, job: impl FnOnce() -> R + Send) -> R {
    Pool::new(threads).within(job)
}

/// How many threads share the work here.
#[must_use]
pub(crate) fn count() -> usize {
    if rayon_core::current_thread_index().is_some() { rayon_core::current_num_threads() } else { 1 }
}

/// Runs the body once on each thread, with the number of the worker; no more workers than wanted.
fn workers(wanted: usize, body: &(dyn Fn(usize) + Sync)) {
    let number = count().min(wanted);
    if number <= 1 {
        body(0);
        return;
    }
    rayon_core::scope(|scope| {
        for worker in 1..number {
            scope.spawn(move |_| body(worker));
        }
        body(0);
    });
}

/// Hands every item to some thread.
pub fn each<I>(items: I, body: impl Fn(I::Item) + Sync)
where
    I: IntoIterator<IntoIter: Send>,
{
    let items = items.into_iter();
    let wanted = items.size_hint().1.unwrap_or(usize::MAX);
    let queue = Mutex::new(items);
    workers(wanted, &|_| {
        while let Some(item) = claim(&queue) {
            body(item);
        }
    });
}

/// What becomes of every item, in the order of the items.
pub(crate) fn map<I, R>(items: I, body: impl Fn(I::Item) -> R + Sync) -> Vec<R>
where
    I: IntoIterator<IntoIter: Send>,
    R: Send,
{
    match try_map(items, |item| Ok::<R, std::convert::Infallible>(body(item))) {
        Ok(results) => results,
        Err(never) => match never {},
    }
}

/// The same for work that can fail; after a failure no further item is begun.
///
/// # Errors
/// The failure of the first item, in their order, that was begun and failed.
pub(crate) fn try_map<I, R, E>(
    items: I,
    body: impl Fn(I::Item) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    I: IntoIterator<IntoIter: Send>,
    R: Send,
    E: Send,
{
    try_map_with(items, || (), |(), item| body(item))
}

/// The same where each worker keeps something of its own from item to item, such as buffers.
///
/// # Errors
/// The failure of the first item, in their order, that was begun and failed.
pub(crate) fn try_map_with<I, W, R, E>(
    items: I,
    own: impl Fn() -> W + Sync,
    body: impl Fn(&mut W, I::Item) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    I: IntoIterator<IntoIter: Send>,
    R: Send,
    E: Send,
{
    let items = items.into_iter();
    let (least, most) = items.size_hint();
    let queue = Mutex::new(items.enumerate());
    let gathered = Gathered::new(least);
    workers(most.unwrap_or(usize::MAX), &|_| {
        let mut own = own();
        while gathered.is_wanting() {
            let Some((at, item)) = claim(&queue) else { break };
            gathered.put(at, body(&mut own, item));
        }
    });
    gathered.in_order()
}

/// What has become of the items so far, for all workers.
///
/// Its functions are compiled for each kind of result and of error, and not, as the loop above, for each use.
struct Gathered<R, E> {
    so_far: Mutex<SoFar<R, E>>,
    has_failed: AtomicBool,
}

struct SoFar<R, E> {
    results: Vec<Option<R>>,
    failure: Option<(usize, E)>,
}

impl<R, E> Gathered<R, E> {
    fn new(least: usize) -> Self {
        let so_far = SoFar { results: Vec::with_capacity(least), failure: None };
        Gathered { so_far: Mutex::new(so_far), has_failed: AtomicBool::new(false) }
    }

    fn is_wanting(&self) -> bool {
        !self.has_failed.load(Relaxed)
    }

    #[inline(never)]
    fn put(&self, at: usize, result: Result<R, E>) {
        let mut so_far = self.so_far.lock().expect(CALM);
        match result {
            Ok(result) => {
                while so_far.results.len() <= at {
                    so_far.results.push(None);
                }
                so_far.results[at] = Some(result);
            }
            Err(error) => {
                self.has_failed.store(true, Relaxed);
                if so_far.failure.as_ref().is_none_or(|&(first, _)| at < first) {
                    so_far.failure = Some((at, error));
                }
            }
        }
    }

    #[inline(never)]
    fn in_order(self) -> Result<Vec<R>, E> {
        let SoFar { results, failure } = self.so_far.into_inner().expect(CALM);
        if let Some((_, error)) = failure {
            return Err(error);
        }
        // A plain loop: adapters of iterators here were a twentieth of the crate's code.
        let mut list = Vec::with_capacity(results.len());
        let mut results = results.into_iter();
        while let Some(Some(result)) = results.next() {
            list.push(result);
        }
        Ok(list)
    }
}

/// Why a lock is not poisoned.
const CALM: &str = "nothing panics while it holds the lock";

/// Does tasks on all threads until none is left or no more are wanted, and gives back what they were taken from.
///
/// No task may share work out itself: while its thread waits for that work, it might become a worker for these tasks,
/// who in the end waits for the task beneath.
///
/// # Errors
/// The first failure there is; after it no further task is begun.
pub(crate) fn work_off<T: Tasks + Send, E: Send>(
    tasks: T,
    body: impl Fn(T::Task) -> Result<T::Result, E> + Sync,
) -> Result<T, E> {
    let state = Mutex::new(State { tasks, at_work: 0, failure: None, is_over: false });
    let change = Condvar::new();
    workers(usize::MAX, &|_| {
        let mut now = state.lock().expect(CALM);
        while !now.is_over {
            let Some(task) = now.tasks.next() else {
                now.is_over = now.at_work == 0;
                if !now.is_over {
                    now = change.wait(now).expect(CALM);
                }
                continue;
            };
            now.at_work += 1;
            drop(now);
            let at_work = AtWork { state: &state, change: &change };
            let result = body(task);
            now = at_work.end();
            match result {
                Ok(result) => now.is_over |= now.tasks.enter(result).is_break(),
                Err(error) => {
                    now.is_over = true;
                    now.failure.get_or_insert(error);
                }
            }
        }
        change.notify_all();
    });
    let State { tasks, failure, .. } = state.into_inner().expect(CALM);
    failure.map_or(Ok(tasks), Err)
}

struct State<T, E> {
    tasks: T,
    at_work: usize,
    failure: Option<E>,
    is_over: bool,
}

/// A worker at a task; however it ends, no other worker waits for it for ever.
struct AtWork<'a, T, E> {
    state: &'a Mutex<State<T, E>>,
    change: &'a Condvar,
}

impl<'a, T, E> AtWork<'a, T, E> {
    fn end(self) -> MutexGuard<'a, State<T, E>> {
        let (state, change) = (self.state, self.change);
        std::mem::forget(self);
        let mut state = state.lock().expect(CALM);
        state.at_work -= 1;
        // Those who wait look again once the lock is free.
        change.notify_all();
        state
    }
}

impl<T, E> Drop for AtWork<'_, T, E> {
    fn drop(&mut self) {
        // A task has panicked.
        if let Ok(mut state) = self.state.lock() {
            state.is_over = true;
        }
        self.change.notify_all();
    }
}

/// What each worker makes of a queue of its own choosing: for loops that claim their work themselves.
pub(crate) fn on_each_worker<R: Send>(body: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let number = count();
    map(0..number, body)
}

/// Makes items on all threads, and takes them in order on this one; at most a few rounds are made ahead.
///
/// # Errors
/// The first error of making or taking an item, in their order; nothing is made after it for long.
pub(crate) fn in_order<T: Send, E: Send>(
    pool: &Pool,
    items: u64,
    make: impl Fn(u64) -> Result<T, E> + Sync,
    mut take: impl FnMut(u64, T) -> Result<(), E>,
) -> Result<(), E> {
    if pool.0.is_none() {
        return (0..items).try_for_each(|item| take(item, make(item)?));
    }
    let round = 2 * pool.threads() as u64;
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let make = &make;
        scope.spawn(move || {
            let mut from = 0;
            while from < items {
                let to = (from + round).min(items);
                let batch = pool.within(|| map(from..to, make));
                // Nobody listens any more once taking has failed.
                if sender.send((from, batch)).is_err() {
                    return;
                }
                from = to;
            }
        });
        for (from, made) in receiver {
            for (item, made) in (from..).zip(made) {
                take(item, made?)?;
            }
        }
        Ok(())
    })
}

/// Shorter lists are sorted by one thread.
const SHORT: usize = 1 << 13;

/// Sorts, equal items in any order.
pub(crate) fn sort_unstable_by<T: Send>(
    items: &mut [T],
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
) {
    let threads = if items.len() < SHORT { 1 } else { count() };
    let rounds = if threads == 1 { 0 } else { threads.next_power_of_two().ilog2() + 1 };
    let mut parts = vec![items];
    // Each round splits every part at its median, so that there are parts for all threads.
    for _ in 0..rounds {
        parts = map(parts, |part| {
            let middle = part.len() / 2;
            if part.len() > 1 {
                part.select_nth_unstable_by(middle, compare);
            }
            let (lower, upper) = part.split_at_mut(middle);
            [lower, upper]
        })
        .into_iter()
        .flatten()
        .collect();
    }
    each(parts, |part| part.sort_unstable_by(compare));
}

/// Sorts by a key, equal items in any order.
pub(crate) fn sort_unstable_by_key<T: Send, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K + Sync) {
    sort_unstable_by(items, &|one: &T, other: &T| key(one).cmp(&key(other)));
}

fn claim<I: Iterator>(queue: &Mutex<I>) -> Option<I::Item> {
    queue.lock().expect(CALM).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn results_come_in_the_order_of_the_items_on_any_number_of_threads() {
        let squares: Vec<usize> = (0..1000).map(|n| n * n).collect();
        for threads in [1, 2, 3, 8] {
            within(threads, || {
                assert_eq!(count(), threads);
                assert_eq!(map(0..1000, |n| n * n), squares);
                let nested = map(0..10, |row| map(0..10, move |column| row * 10 + column));
                assert!(nested.into_iter().flatten().eq(0..100));
                let met = AtomicUsize::new(0);
                let mut items = vec![1; 100];
                each(items.chunks_mut(7), |chunk| {
                    met.fetch_add(chunk.len(), Relaxed);
                    chunk.fill(2);
                });
                assert_eq!((met.into_inner(), items), (100, vec![2; 100]));
                assert_eq!(on_each_worker(|worker| worker), (0..threads).collect::<Vec<_>>());
            });
        }
    }

    #[test]
    fn the_first_failure_is_the_one_that_is_reported_and_the_rest_is_not_begun() {
        for threads in [1, 4] {
            let begun = AtomicUsize::new(0);
            let failure = within(threads, || {
                try_map(0..1_000_000, |n| {
                    begun.fetch_add(1, Relaxed);
                    if n >= 10 { Err(n) } else { Ok(()) }
                })
            });
            assert!(failure.is_err_and(|n| (10..10 + threads).contains(&n)));
            assert!(begun.into_inner() <= 10 + threads);
        }
    }

    /// After this number no more are wanted.
    const ENOUGH: u32 = 99;

    /// Numbers, the greatest first; each brings forth two of half its size.
    struct Halves(Vec<u32>, u64);

    impl Tasks for Halves {
        type Task = u32;
        type Result = u32;

        fn next(&mut self) -> Option<u32> {
            self.0.pop()
        }

        fn enter(&mut self, done: u32) -> ControlFlow<()> {
            self.1 += 1;
            if done > 1 {
                self.0.extend([done / 2; 2]);
            }
            if done == ENOUGH { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn tasks_that_bring_forth_others_are_all_done() {
        for threads in [1, 2, 3, 8] {
            let halves = within(threads, || work_off(Halves(vec![1024, 512], 0), Ok::<u32, ()>));
            assert_eq!(halves.map(|halves| halves.1), Ok(2047 + 1023), "{threads} threads");
            let failed = within(threads, || {
                work_off(Halves(vec![1024], 0), |n| if n == 4 { Err("four") } else { Ok(n) })
            });
            assert_eq!(failed.map(|halves| halves.1), Err("four"));
            let wanted = Halves(vec![1 << 20, ENOUGH], 0);
            let some = within(threads, || work_off(wanted, Ok::<u32, ()>));
            assert!(some.is_ok_and(|halves| halves.1 < 1 << 20), "{threads} threads");
        }
    }

    #[test]
    fn a_panic_in_a_task_ends_all() {
        for threads in [1, 4] {
            let ended = std::panic::catch_unwind(|| {
                within(threads, || {
                    work_off(Halves(vec![1 << 16], 0), |n| {
                        assert!(n > 2, "too small");
                        Ok::<u32, ()>(n)
                    })
                    .map(|halves| halves.1)
                })
            });
            assert!(ended.is_err());
        }
    }

    #[test]
    fn items_are_taken_in_order_and_an_error_ends_it() {
        for threads in [1, 2, 3] {
            let pool = Pool::new(threads);
            let mut taken = Vec::new();
            let made = in_order(
                &pool,
                100,
                |item| Ok::<u64, u64>(item * item),
                |item, square| {
                    taken.push(square);
                    if item == 50 { Err(item) } else { Ok(()) }
                },
            );
            assert_eq!(made, Err(50));
            assert!(taken.into_iter().eq((0..=50).map(|item| item * item)));
            let made = in_order(
                &pool,
                100,
                |item| if item < 7 { Ok(()) } else { Err(item) },
                |_, ()| Ok(()),
            );
            assert_eq!(made, Err(7));
        }
    }

    #[test]
    fn sorting_is_the_same_on_any_number_of_threads() {
        let mixed: Vec<u64> =
            (0..50_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9) % 10_007).collect();
        let mut sorted = mixed.clone();
        sorted.sort_unstable();
        for threads in [1, 2, 3, 8] {
            for length in [0, 1, 2, SHORT - 1, SHORT, mixed.len()] {
                let mut list = mixed[..length].to_vec();
                let mut expected = list.clone();
                expected.sort_unstable();
                within(threads, || sort_unstable_by_key(&mut list, |&n| n));
                assert_eq!(list, expected, "{threads} threads, {length} items");
            }
        }
    }
}
