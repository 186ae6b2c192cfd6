//! Parts of a row, and how the threads of a sweep share them.
//!
//! A part is all columns with the same final digits. A large one is stepped by several threads, each with a range of the
//! new patterns; what they make waits as bytes, and is put together class by class when its turn comes: so there are new
//! parts. A small one is taken to the end of the row by one thread. All of these are tasks of one queue, so that no thread waits for the slowest: large parts go
//! first, the newest of them first, which holds little at a time; small ones fill the gaps, the largest first, and
//! go before the large ones only where too many of them wait. Where memory is short, a large part waits until another
//! one is done with.
//!
//! Invariant: every state of a part is in one of its tasks; parts have different final digits, so they never meet.
//! Cost: what is made of a large part is written and read once more.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crate::count::middle::as_real;
use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::column::{Cell, Layer};
use crate::count::middle::half::packed::Bundle;
use crate::count::middle::join::pattern::Pattern;
use crate::outcome::Stop;
use crate::run::share::Tasks;

/// Columns that have the same final digits, before a step.
#[derive(Debug)]
pub(in crate::count::middle) struct Part<'l, C: Clone> {
    pub(in crate::count::middle) at: usize,
    pub(in crate::count::middle) layer: Cow<'l, Layer<C>>,
    /// The part of the whole row that it is taken for.
    pub(in crate::count::middle) share: f64,
    /// What its columns are charged.
    _charge: Option<Charge>,
    /// Its place among the parts that are put together, until it is done with or put by.
    opened: Option<Opened>,
}

impl<'l, C: Cell> Part<'l, C> {
    /// Somebody else's columns.
    pub(in crate::count::middle) fn lent(at: usize, layer: &'l Layer<C>, share: f64) -> Self {
        Part { at, layer: Cow::Borrowed(layer), share, _charge: None, opened: None }
    }

    /// The same part, when nobody is to work at it for now: it stays charged, but no other part waits for it any more.
    pub(in crate::count::middle) fn put_by(mut self) -> Self {
        self.opened = None;
        self
    }

    /// The same part, for a while.
    pub(in crate::count::middle) fn again(&self) -> Part<'_, C> {
        Part::lent(self.at, &self.layer, self.share)
    }

    pub(in crate::count::middle) fn states(&self) -> usize {
        self.layer.states()
    }
}

/// Columns that a thread has made.
type Made = (Bundle, Charge);

/// Bytes of parts that are put together and not yet done with.
#[derive(Debug)]
pub(in crate::count::middle) struct Opened {
    all: Arc<AtomicUsize>,
    bytes: usize,
}

impl Opened {
    fn new(all: &Arc<AtomicUsize>, bytes: usize) -> Opened {
        all.fetch_add(bytes, Relaxed);
        Opened { all: Arc::clone(all), bytes }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Relaxed);
    }
}

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
    /// Columns of one class that follow each other, from several stretches.
    Join(Class),
    /// A part to be taken to the end.
    Finish(Part<'l, C>),
}

/// Columns of one class, from several stretches of a part.
#[derive(Debug)]
pub(in crate::count::middle) struct Class {
    /// The next step.
    at: usize,
    bundles: Vec<Made>,
    share: f64,
    opened: Option<Opened>,
}

impl Class {
    fn states(&self) -> usize {
        self.bundles.iter().map(|(bundle, _)| bundle.states()).sum()
    }

    /// The bytes of its columns as a part.
    fn bytes<C: Cell>(&self) -> usize {
        self.bundles.iter().map(|(bundle, _)| bundle.opened::<C>()).sum()
    }

    /// The columns as a part.
    pub(in crate::count::middle) fn joined<'l, C: Cell>(
        self,
        budget: &Budget,
    ) -> Result<Part<'l, C>, Stop> {
        let charge = budget.charge(self.bytes::<C>())?;
        let Class { at, bundles, share, opened } = self;
        let bundles: Vec<&Bundle> = bundles.iter().map(|(bundle, _)| bundle).collect();
        let layer = Bundle::open(&bundles);
        Ok(Part { at, layer: Cow::Owned(layer), share, _charge: Some(charge), opened })
    }
}

impl<'l, C: Cell> Task<'l, C> {
    /// A part that is stepped, by these stretches of new patterns.
    pub(in crate::count::middle) fn steps(
        part: Part<'l, C>,
        stretches: Vec<Range<Pattern>>,
    ) -> Vec<Task<'l, C>> {
        let made = Mutex::new(stretches.iter().map(|_| None).collect());
        let stepped = Arc::new(Stepped { part, made });
        let step = |(at, stretch)| Task::Step(Arc::clone(&stepped), at, stretch);
        stretches.into_iter().enumerate().map(step).collect()
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
        let by_class = by_class.into_iter().filter(|bundles| !bundles.is_empty());
        let new = |bundles| Class { at: self.part.at + 1, bundles, share: 0.0, opened: None };
        let mut classes: Vec<Class> = by_class.map(new).collect();
        let all = as_real(classes.iter().map(Class::states).sum::<usize>());
        for class in &mut classes {
            class.share = self.part.share * as_real(class.states()) / all;
        }
        Some(classes.into_iter().map(Task::Join).collect())
    }
}

/// The tasks of a sweep.
pub(in crate::count::middle) struct Queue<'l, C: Clone> {
    most: Most,
    opened: Arc<AtomicUsize>,
    /// Steps and what follows them, the newest last.
    steps: Vec<Task<'l, C>>,
    small: BinaryHeap<BySize<'l, C>>,
    states: usize,
}

/// How much there may be at a time.
#[derive(Clone, Copy)]
pub(in crate::count::middle) struct Most {
    /// Small parts may have so many states together before they are taken on.
    pub(in crate::count::middle) waiting: usize,
    /// Parts may take so many bytes together, unless there is only one.
    pub(in crate::count::middle) opened: usize,
}

struct BySize<'l, C: Clone>(Part<'l, C>);

impl<'l, C: Cell> Queue<'l, C> {
    pub(in crate::count::middle) fn new(most: Most, tasks: Vec<Task<'l, C>>) -> Queue<'l, C> {
        let (steps, small) = (Vec::new(), BinaryHeap::new());
        let mut queue = Queue { most, opened: Arc::default(), steps, small, states: 0 };
        queue.put(tasks);
        queue
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

    /// The newest of the large tasks that there is room for. Where there is none, those that take the room are at work or
    /// among the small ones: a part that leaves the queue for good gives its place back ([`Part::put_by`]).
    fn take_step(&mut self) -> Option<Task<'l, C>> {
        let opened = self.opened.load(Relaxed);
        let fits = |task: &Task<'l, C>| match task {
            Task::Join(class) => opened == 0 || opened + class.bytes::<C>() <= self.most.opened,
            Task::Step(..) | Task::Finish(_) => true,
        };
        let mut task = self.steps.remove(self.steps.iter().rposition(fits)?);
        if let Task::Join(class) = &mut task {
            class.opened = Some(Opened::new(&self.opened, class.bytes::<C>()));
        }
        Some(task)
    }

    pub(in crate::count::middle) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.small.is_empty()
    }
}

impl<'l, C: Cell> Tasks for Queue<'l, C> {
    type Task = Task<'l, C>;
    type Result = Vec<Task<'l, C>>;

    fn next(&mut self) -> Option<Task<'l, C>> {
        let step = if self.states > self.most.waiting { None } else { self.take_step() };
        step.or_else(|| {
            let BySize(part) = self.small.pop()?;
            self.states -= part.states();
            Some(Task::Finish(part))
        })
        .or_else(|| self.take_step())
    }

    fn enter(&mut self, tasks: Vec<Task<'l, C>>) -> ControlFlow<()> {
        self.put(tasks);
        ControlFlow::Continue(())
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
