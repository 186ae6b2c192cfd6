//! Parts of a row, and how the threads of a sweep share them.
//!
//! A part is all columns with the same final digits. A large one is stepped by several threads, each with a stretch of the
//! new patterns; what they make waits as bytes, and is put together class by class when its turn comes: so there are new
//! parts. A small one is taken to the end of the row by one thread. All of these are tasks of one queue, so that nobody waits for the slowest: large parts go
//! first, the newest of them first, which holds little at a time; small ones fill the gaps, the largest first, and
//! go before the large ones only where too many of them wait.
//!
//! Invariant: every state of a part is in one of its tasks; parts have different final digits, so they never meet.
//! Cost: what is made of a large part is written and read once more.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use crate::count::middle::as_real;
use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::column::{Cell, Layer};
use crate::count::middle::half::packed::Bundle;
use crate::count::middle::join::pattern::Pattern;
use crate::outcome::Stop;
use crate::run::threads::{self, Tasks};

/// Columns that have the same final digits, before a step.
#[derive(Debug)]
pub(in crate::count::middle) struct Part<'l, C: Clone> {
    pub(in crate::count::middle) at: usize,
    pub(in crate::count::middle) layer: Cow<'l, Layer<C>>,
    /// The part of the whole row that it is taken for.
    pub(in crate::count::middle) share: f64,
    _charge: Option<Charge>,
}

impl<'l, C: Cell> Part<'l, C> {
    /// Somebody else's columns.
    pub(in crate::count::middle) fn lent(at: usize, layer: &'l Layer<C>, share: f64) -> Self {
        Part { at, layer: Cow::Borrowed(layer), share, _charge: None }
    }

    /// The same part, for a while.
    pub(in crate::count::middle) fn again(&self) -> Part<'_, C> {
        Part::lent(self.at, &self.layer, self.share)
    }

    pub(in crate::count::middle) fn states(&self) -> usize {
        self.layer.states()
    }

    /// Stretches of patterns with about as many states each, enough for all threads.
    fn stretches(&self) -> Vec<Range<Pattern>> {
        let threads = threads::count();
        let share = if threads == 1 { usize::MAX } else { self.states() / (4 * threads) };
        let mut starts = vec![0];
        starts.extend(self.layer.quantiles(share.max(LEAST_STRETCH)));
        starts.dedup();
        let ends = starts.iter().copied().skip(1).chain([Pattern::MAX]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    }
}

/// Fewer states are not worth a stretch.
const LEAST_STRETCH: usize = 1 << 14;

/// Columns that a thread has made.
type Made = (Bundle, Charge);

/// A part that several threads step.
#[derive(Debug)]
pub(in crate::count::middle) struct Stepped<'l, C: Clone> {
    pub(in crate::count::middle) part: Part<'l, C>,
    /// What each stretch has come to, by class; nothing while it is at work.
    made: Mutex<Vec<Option<Vec<Made>>>>,
}

/// What a thread takes on at a time.
#[derive(Debug)]
pub(in crate::count::middle) enum Task<'l, C: Clone> {
    /// One of the stretches of a part that is stepped.
    Step(Arc<Stepped<'l, C>>, usize, Range<Pattern>),
    /// Columns of one class that follow each other, from several stretches: the next step, and the share.
    Join(usize, Vec<Made>, f64),
    /// A part to be taken to the end.
    Finish(Part<'l, C>),
}

impl<'l, C: Cell> Task<'l, C> {
    /// A part as it is to be taken on, if it is stepped.
    pub(in crate::count::middle) fn steps(part: Part<'l, C>) -> Vec<Task<'l, C>> {
        let stretches = part.stretches();
        let made = Mutex::new(stretches.iter().map(|_| None).collect());
        let stepped = Arc::new(Stepped { part, made });
        let step = |(at, stretch)| Task::Step(Arc::clone(&stepped), at, stretch);
        stretches.into_iter().enumerate().map(step).collect()
    }

    /// The columns of a class as a part.
    pub(in crate::count::middle) fn joined(
        at: usize,
        bundles: &[Made],
        share: f64,
        budget: &Budget,
    ) -> Result<Part<'l, C>, Stop> {
        let bundles: Vec<&Bundle> = bundles.iter().map(|(bundle, _)| bundle).collect();
        let layer = Bundle::open(&bundles);
        let charge = budget.charge(layer.bytes())?;
        Ok(Part { at, layer: Cow::Owned(layer), share, _charge: Some(charge) })
    }
}

impl<'l, C: Cell> Stepped<'l, C> {
    /// Hands in what a stretch has come to; with the last one, there are columns to be put together.
    pub(in crate::count::middle) fn hand_in(
        &self,
        stretch: usize,
        children: Vec<Made>,
    ) -> Option<Vec<Task<'l, C>>> {
        let mut made = self.made.lock().expect("no worker panics");
        made[stretch] = Some(children);
        if made.iter().any(Option::is_none) {
            return None;
        }
        let mut by_class: Vec<Vec<Made>> = Vec::new();
        for children in made.drain(..).flatten() {
            by_class.resize_with(children.len(), Vec::new);
            for (class, child) in by_class.iter_mut().zip(children) {
                if child.0.states() > 0 {
                    class.push(child);
                }
            }
        }
        let states = |class: &[Made]| {
            as_real(class.iter().map(|(bundle, _)| bundle.states()).sum::<usize>())
        };
        let all: f64 = by_class.iter().map(|class| states(class)).sum();
        let join = |class: Vec<Made>| {
            let share = self.part.share * states(&class) / all;
            Task::Join(self.part.at + 1, class, share)
        };
        Some(by_class.into_iter().filter(|class| !class.is_empty()).map(join).collect())
    }
}

/// The tasks of a sweep.
pub(in crate::count::middle) struct Queue<'l, C: Clone> {
    /// Small parts may have so many states together before they are taken on.
    most: usize,
    /// Steps and what follows them, the newest last.
    steps: Vec<Task<'l, C>>,
    small: BinaryHeap<BySize<'l, C>>,
    states: usize,
}

struct BySize<'l, C: Clone>(Part<'l, C>);

impl<'l, C: Cell> Queue<'l, C> {
    pub(in crate::count::middle) fn new(most: usize, tasks: Vec<Task<'l, C>>) -> Queue<'l, C> {
        let mut queue = Queue { most, steps: Vec::new(), small: BinaryHeap::new(), states: 0 };
        queue.put(tasks);
        queue
    }

    pub(in crate::count::middle) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.small.is_empty()
    }
}

impl<'l, C: Cell> Tasks for Queue<'l, C> {
    type Task = Task<'l, C>;
    type Made = Vec<Task<'l, C>>;

    fn take(&mut self) -> Option<Task<'l, C>> {
        let step = if self.states > self.most { None } else { self.steps.pop() };
        step.or_else(|| {
            let BySize(part) = self.small.pop()?;
            self.states -= part.states();
            Some(Task::Finish(part))
        })
        .or_else(|| self.steps.pop())
    }

    fn put(&mut self, tasks: Vec<Task<'l, C>>) {
        for task in tasks {
            if let Task::Finish(part) = task {
                self.states += part.states();
                self.small.push(BySize(part));
            } else {
                self.steps.push(task);
            }
        }
    }
}

impl<C: Cell> Ord for BySize<'_, C> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.states().cmp(&other.0.states())
    }
}

impl<C: Cell> PartialOrd for BySize<'_, C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C: Cell> PartialEq for BySize<'_, C> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<C: Cell> Eq for BySize<'_, C> {}
