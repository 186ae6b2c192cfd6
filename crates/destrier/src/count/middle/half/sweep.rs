//! Taking a layer of columns through the steps of a row, depth first, on all threads.
//!
//! Each choice of a step gives a sorted stream of new patterns; they are merged, and each new pattern gathers the
//! columns that lead to it. Whenever digits are final, the new patterns are partitioned by them: parts with different
//! digits never meet again, so each is taken to the end of the row by itself, and little is held at a time. How threads
//! share them is described in `parts`.
//!
//! Invariant: whatever the threads, the parts and the budget, the same columns come out.
//! Cost: that of gathering, and a comparison of up to sixteen heads per new pattern.

use std::ops::Range;
use std::sync::Mutex;

use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::cells::Wanted;
use crate::count::middle::half::column::{Accumulator, Cell, Layer, Source};
use crate::count::middle::half::packed::Bundle;
use crate::count::middle::half::parts::{Most, Part, Queue, Task};
use crate::count::middle::half::plan::Step;
use crate::count::middle::join::matching::Op;
use crate::count::middle::join::pattern::{Pattern, pairs};
use crate::count::middle::slices::report::Report;
use crate::outcome::Stop;
use crate::run::threads;
use crate::run::watch::Ticker;

/// What becomes of finished columns; one for each thread.
pub(in crate::count::middle) trait Sink<C>: Send {
    /// Takes the columns of a part that is through all steps.
    fn take(&mut self, layer: &Layer<C>) -> Result<(), Stop>;

    /// Hears how many states a part has carried over.
    fn hear(&mut self, _transitions: u64) {}
}

/// A sweep of one row.
pub(in crate::count::middle) struct Sweep<'s> {
    pub(in crate::count::middle) steps: &'s [Step],
    pub(in crate::count::middle) wanted: &'s Wanted,
    pub(in crate::count::middle) budget: &'s Budget,
    pub(in crate::count::middle) report: Report<'s>,
}

/// What the threads of a sweep share.
struct Workers<'s, C, S> {
    idle: Mutex<Vec<Worker<C, S>>>,
    new_sink: &'s (dyn Fn() -> S + Sync),
    done: Mutex<f64>,
    /// Parts with at most so many states are taken to the end by one thread.
    small: usize,
    /// And those with at most so much to do: states that are so many in the last step, and half as many in that before.
    work: usize,
    most: Most,
}

/// What one thread works with.
struct Worker<C, S> {
    accumulator: Accumulator<C>,
    /// The children of a part at each step.
    levels: Vec<Vec<Layer<C>>>,
    sink: S,
    charge: Charge,
}

/// Bytes of children whose room is kept for the next part.
const LITTLE: u64 = 1 << 22;

/// So many patterns of a layer are looked at where it is shared out.
const SAMPLES: usize = 1 << 10;
/// Fewer states are not worth a stretch.
const LEAST_STRETCH: usize = 1 << 16;

/// The most choices of a step: a square with four neighbours ahead and the apex.
const CHOICES: usize = 16;

impl Sweep<'_> {
    /// Takes a layer through all steps; gives the sinks of all threads.
    ///
    /// # Errors
    /// When the run should stop, a count outgrows its cell, the budget is spent, or a sink refuses.
    pub(in crate::count::middle) fn run<C: Cell, S: Sink<C>>(
        &self,
        first: &Layer<C>,
        new_sink: &(dyn Fn() -> S + Sync),
    ) -> Result<Vec<S>, Stop> {
        let workers = self.workers(new_sink);
        let tasks = self.steps_of(Part::lent(0, first, 1.0));
        self.work_off(tasks, &workers, &|part| self.onward(part, &workers))?;
        Ok(workers.sinks())
    }

    /// Takes parts to the end.
    ///
    /// # Errors
    /// As for [`Sweep::run`].
    pub(in crate::count::middle) fn finish_parts<C: Cell, S: Sink<C>>(
        &self,
        parts: Vec<Part<'_, C>>,
        new_sink: &(dyn Fn() -> S + Sync),
    ) -> Result<Vec<S>, Stop> {
        let workers = self.workers(new_sink);
        let tasks = parts.into_iter().map(Task::Finish).collect();
        self.work_off(tasks, &workers, &|part| self.onward(part, &workers))?;
        Ok(workers.sinks())
    }

    /// Takes a layer through the first steps, until there are so many parts; whatever the threads, they come in the same
    /// order.
    ///
    /// # Errors
    /// As for [`Sweep::run`].
    pub(in crate::count::middle) fn parts<'l, C: Cell>(
        &self,
        first: &'l Layer<C>,
        enough: usize,
    ) -> Result<Vec<Part<'l, C>>, Stop> {
        let workers = self.workers(&|| Nothing);
        let mut parts = vec![Part::lent(0, first, 1.0)];
        for _ in self.steps {
            let ready: Mutex<Vec<Part<'l, C>>> = Mutex::default();
            let put_by = |part: Part<'l, C>| {
                ready.lock().expect("no worker panics").push(part.put_by());
                Vec::new()
            };
            let tasks = parts.into_iter().flat_map(|part| self.steps_of(part)).collect();
            self.work_off(tasks, &workers, &put_by)?;
            parts = ready.into_inner().expect("no worker panics");
            parts.sort_unstable_by_key(|part| part.layer.patterns()[0]);
            if parts.len() >= enough {
                break;
            }
        }
        Ok(parts)
    }

    fn workers<'w, C: Cell, S: Sink<C>>(
        &'w self,
        new_sink: &'w (dyn Fn() -> S + Sync),
    ) -> Workers<'w, C, S> {
        let at_most =
            |number: u64, most: usize| usize::try_from(number).map_or(most, |n| n.min(most));
        // A state of a small part brings some hundred bytes of children with it.
        let share = self.budget.limit() / (8 * threads::count() as u64);
        let most = Most {
            waiting: at_most(self.budget.limit() / 128, threads::count() << 21),
            opened: at_most(self.budget.limit() / 4, usize::MAX),
        };
        Workers {
            idle: Mutex::default(),
            new_sink,
            done: Mutex::default(),
            small: at_most(share / 128, 1 << 17).max(1 << 8),
            work: (1 << 25) / threads::count(),
            most,
        }
    }

    /// A part as it is stepped.
    fn steps_of<'l, C: Cell>(&self, part: Part<'l, C>) -> Vec<Task<'l, C>> {
        let stretches = self.stretches(part.at, &part.layer);
        Task::steps(part, stretches)
    }

    /// Stretches of the patterns that come of a layer, with about as much to do each: enough for all threads, and what comes
    /// of one is a small part of the memory. Some of the patterns stand for all.
    fn stretches<C: Cell>(&self, at: usize, layer: &Layer<C>) -> Vec<Range<Pattern>> {
        let (step, patterns, open) = (&self.steps[at], layer.patterns(), self.budget.open());
        let one_in = patterns.len().div_ceil(SAMPLES).max(1);
        let mut samples: Vec<(Pattern, usize)> = Vec::new();
        for place in (0..patterns.len()).step_by(one_in) {
            let next = step.choices.iter().filter(|choice| step.takes(choice, patterns[place]));
            let next = next.map(|choice| patterns[place].wrapping_add_signed(choice.adds));
            let next = next.filter(|&next| self.wanted.wants(at + 1, next, open));
            samples.extend(next.map(|next| (next, layer.length(place) * one_in)));
        }
        samples.sort_unstable();
        let all: usize = samples.iter().map(|&(_, states)| states).sum();
        // Lists that grow by doubling, of a number and a count for each state.
        let room =
            self.budget.limit() / (8 * threads::count() as u64) / (2 * (4 + size_of::<C>() as u64));
        let many = if threads::count() == 1 { 1 } else { 4 * threads::count() };
        let most = (all / many).min(usize::try_from(room).unwrap_or(usize::MAX)).max(LEAST_STRETCH);
        let mut starts = vec![0];
        let mut states = 0;
        for (next, more) in samples {
            if states >= most {
                starts.push(next);
                states = 0;
            }
            states += more;
        }
        starts.dedup();
        let ends = starts.iter().copied().skip(1).chain([Pattern::MAX]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    }

    /// How a part is taken on.
    fn onward<'l, C: Cell, S>(
        &self,
        part: Part<'l, C>,
        workers: &Workers<'_, C, S>,
    ) -> Vec<Task<'l, C>> {
        let left = self.steps.len() - part.at;
        // With each step that is left, there is up to four times as much to do.
        let is_small = part.states() <= workers.small.min(workers.work >> (2 * left));
        if left == 0 || is_small { vec![Task::Finish(part)] } else { self.steps_of(part) }
    }

    /// Does tasks, and those that come of them: each new part is taken on as it is said.
    fn work_off<'l, C: Cell, S: Sink<C>>(
        &self,
        tasks: Vec<Task<'l, C>>,
        workers: &Workers<'_, C, S>,
        onward: &(dyn Fn(Part<'l, C>) -> Vec<Task<'l, C>> + Sync),
    ) -> Result<(), Stop> {
        let tasks = threads::work_off(Queue::new(workers.most, tasks), |task| match task {
            Task::Step(stepped, stretch, patterns) => {
                let made = self
                    .with_worker(workers, |worker| self.stepped(&stepped.part, patterns, worker))?;
                let tasks = stepped.hand_in(stretch, made);
                if tasks.as_ref().is_some_and(Vec::is_empty) {
                    workers.finish(self, stepped.part.share);
                }
                Ok::<_, Stop>(tasks.unwrap_or_default())
            }
            Task::Join(class) => Ok(onward(class.joined(self.budget)?)),
            Task::Finish(part) => {
                self.with_worker(workers, |worker| self.finish_part(&part, worker))?;
                workers.finish(self, part.share);
                Ok(Vec::new())
            }
        })?;
        // A task that is left would be tours that are not counted.
        assert!(tasks.is_empty(), "no task waits for what nobody does");
        Ok(())
    }

    /// The children of a stretch of a part, by class.
    fn stepped<C: Cell, S>(
        &self,
        part: &Part<'_, C>,
        stretch: Range<Pattern>,
        worker: &mut Worker<C, S>,
    ) -> Result<Vec<(Bundle, Charge)>, Stop> {
        let mut children = worker.children(part.at, self.steps[part.at].classes());
        let (accumulator, mut ticker) = (&mut worker.accumulator, self.report.watch.ticker());
        self.step(part.at, &part.layer, stretch, accumulator, &mut ticker, &mut children)?;
        let held = children.iter().map(Layer::bytes).sum::<usize>();
        worker.charge.set(worker.bytes() + held)?;
        let made = children.iter().map(|child| {
            let bundle = Bundle::new(child);
            let charge = self.budget.charge(bundle.held())?;
            Ok((bundle, charge))
        });
        let made: Result<_, Stop> = made.collect();
        let made = made?;
        // The room of large children is given back, that of small ones kept for the next part.
        let little = LITTLE.min(self.budget.limit() / (64 * threads::count() as u64));
        if held as u64 <= little {
            worker.levels[part.at] = children;
        }
        worker.charge.set(worker.bytes())?;
        Ok(made)
    }

    /// Takes a part to the end, by one thread.
    fn finish_part<C: Cell, S: Sink<C>>(
        &self,
        part: &Part<'_, C>,
        worker: &mut Worker<C, S>,
    ) -> Result<(), Stop> {
        let mut ticker = self.report.watch.ticker();
        ticker.check()?;
        let before = worker.accumulator.transitions;
        self.finish(part.at, &part.layer, worker, &mut ticker)?;
        worker.sink.hear(worker.accumulator.transitions - before);
        let most = self.budget.limit() / (8 * threads::count() as u64);
        if worker.bytes() as u64 > most {
            worker.levels.iter_mut().for_each(Vec::clear);
        }
        worker.charge.set(worker.bytes())
    }

    /// Takes a layer to the end, by one thread.
    fn finish<C: Cell, S: Sink<C>>(
        &self,
        at: usize,
        layer: &Layer<C>,
        worker: &mut Worker<C, S>,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Stop> {
        let Some(step) = self.steps.get(at) else { return worker.sink.take(layer) };
        let mut children = worker.children(at, step.classes());
        self.step(at, layer, 0..Pattern::MAX, &mut worker.accumulator, ticker, &mut children)?;
        for child in children.iter().filter(|child| !child.is_empty()) {
            self.finish(at + 1, child, worker, ticker)?;
        }
        worker.levels[at] = children;
        Ok(())
    }

    /// One step: the new patterns within a stretch, with their columns, each to the child of its class.
    fn step<C: Cell>(
        &self,
        at: usize,
        layer: &Layer<C>,
        stretch: Range<Pattern>,
        accumulator: &mut Accumulator<C>,
        ticker: &mut Ticker<'_>,
        children: &mut [Layer<C>],
    ) -> Result<(), Stop> {
        let step = &self.steps[at];
        let patterns = layer.patterns();
        let open = self.budget.open();
        // Where each stream stands, and the pattern that it has to offer.
        let mut places = [0; CHOICES];
        let mut heads = [Pattern::MAX; CHOICES];
        let seek = |choice: usize, from: usize| {
            let choice = &step.choices[choice];
            let fits = |&pattern: &Pattern| step.takes(choice, pattern);
            match patterns[from..].iter().position(fits) {
                Some(by) => (from + by, patterns[from + by].wrapping_add_signed(choice.adds)),
                None => (patterns.len(), Pattern::MAX),
            }
        };
        let choices = step.choices.len();
        for choice in 0..choices {
            let adds = step.choices[choice].adds;
            let first = patterns.partition_point(|&pattern| {
                pattern.cast_signed() + adds < stretch.start.cast_signed()
            });
            (places[choice], heads[choice]) = seek(choice, first);
        }
        let mut sources: Vec<Source> = Vec::with_capacity(CHOICES);
        loop {
            let next = heads[..choices].iter().copied().min().unwrap_or(Pattern::MAX);
            if next >= stretch.end {
                return Ok(());
            }
            let is_wanted = self.wanted.wants(at + 1, next, open);
            sources.clear();
            for choice in 0..choices {
                if heads[choice] != next {
                    continue;
                }
                let place = places[choice];
                if is_wanted {
                    let before = patterns[place];
                    let added = step.choices[choice].edge;
                    let op = added.map_or(Op::Same, |(x, y)| Op::edge(before, next, x, y));
                    sources.push(Source { at: place, pairs: pairs(before), op });
                }
                (places[choice], heads[choice]) = seek(choice, place + 1);
            }
            if is_wanted {
                ticker.tick()?;
                accumulator.gather(layer, &sources, next, &mut children[step.class(next)])?;
            }
        }
    }

    /// Lends a worker to a thread.
    fn with_worker<C: Cell, S: Sink<C>, R>(
        &self,
        workers: &Workers<'_, C, S>,
        work: impl FnOnce(&mut Worker<C, S>) -> Result<R, Stop>,
    ) -> Result<R, Stop> {
        let idle = workers.idle.lock().expect("no worker panics").pop();
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker {
                accumulator: Accumulator::new(),
                levels: (0..self.steps.len()).map(|_| Vec::new()).collect(),
                sink: (workers.new_sink)(),
                charge: self.budget.charge(0)?,
            },
        };
        let result = work(&mut worker);
        workers.idle.lock().expect("no worker panics").push(worker);
        result
    }
}

impl<C: Cell, S> Workers<'_, C, S> {
    fn finish(&self, sweep: &Sweep<'_>, share: f64) {
        let mut done = self.done.lock().expect("no worker panics");
        *done += share;
        sweep.budget.hear(*done);
        sweep.report.tell_part(*done);
    }

    fn sinks(self) -> Vec<S> {
        let workers = self.idle.into_inner().expect("no worker panics");
        workers.into_iter().map(|worker| worker.sink).collect()
    }
}

impl<C: Cell, S> Worker<C, S> {
    /// Empty children for a step, in the place of those that the last part had there.
    fn children(&mut self, at: usize, classes: usize) -> Vec<Layer<C>> {
        let mut children = std::mem::take(&mut self.levels[at]);
        children.resize_with(classes, Layer::default);
        children.iter_mut().for_each(Layer::clear);
        children
    }

    fn bytes(&self) -> usize {
        self.accumulator.bytes() + self.levels.iter().flatten().map(Layer::bytes).sum::<usize>()
    }
}

/// A sink for what is not finished.
struct Nothing;

impl<C> Sink<C> for Nothing {
    fn take(&mut self, _: &Layer<C>) -> Result<(), Stop> {
        Ok(())
    }
}
