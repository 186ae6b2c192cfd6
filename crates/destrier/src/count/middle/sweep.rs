//! Settling the rows of a half board: all ways to fill them, counted by what they leave open.
//!
//! A row takes a list of states through its plan. After each step the states are dealt out by the
//! degrees that are now final; no two states of different parts can ever meet again in this row, so
//! the parts are taken on depth first, each in tables that fit a cache, and by as many threads as
//! there are. At the end of a part all degrees are known: that part is one degree pattern.
//!
//! Invariant: every way to fill the row is in exactly one part.
//! Cost: a few nanoseconds a transition; memory is the first list and a few short ones a thread.
//! After: the design note's points 3 to 5.

use std::sync::Mutex;

use rayon::prelude::*;

use super::budget::Budget;
use super::cut::{Cut, Side};
use super::pattern::Pattern;
use super::plan::{Plan, Step, Work, slots};
use super::report::Report;
use super::state::{DONE, Packing, State, degree, degrees, linked, mate, rewrite};
use crate::watch::{Halt, Pulse, Watch};

/// Takes the states of a part whose degrees are all final.
pub(super) trait Sink: Send {
    /// # Errors
    /// When there is no room for them.
    fn take(&mut self, pattern: Pattern, states: &[State]) -> Result<(), Halt>;

    /// Hears how many states a step has led to, before equal ones are merged.
    fn hear(&mut self, _transitions: usize) {}
}

/// Which parts are wanted, by the degrees that are final after a step.
pub(super) trait Wanted: Sync {
    /// May a part with these final degrees, at the places of `known`, lead to something wanted?
    fn wants(&self, pattern: Pattern, known: Pattern) -> bool;
}

/// Everything is wanted.
pub(super) struct All;

impl Wanted for All {
    fn wants(&self, _: Pattern, _: Pattern) -> bool {
        true
    }
}

/// A row to settle: its plan and what is wanted of it.
pub(super) struct Row<'a, W> {
    pub(super) plan: &'a Plan,
    pub(super) packing: Packing,
    pub(super) wanted: &'a W,
    pub(super) report: Report,
}

/// A part of the states: those with these final degrees at the places of `known`.
#[derive(Debug)]
struct Part {
    pattern: Pattern,
    states: Vec<State>,
}

/// The lists that a thread keeps for all its parts.
struct Desk<'w> {
    buckets: Vec<Vec<Vec<State>>>,
    room: Vec<State>,
    pulse: Pulse<'w>,
}

impl<'w> Desk<'w> {
    fn new(plan: &Plan, watch: &'w Watch) -> Desk<'w> {
        let buckets = plan.steps.iter().map(|_| Vec::new()).collect();
        Desk { buckets, room: Vec::new(), pulse: watch.pulse() }
    }
}

/// A part to be taken on from a step, and which share of the whole row it is.
struct Task {
    at: usize,
    known: Pattern,
    share: f64,
    part: Part,
}

/// What the threads of a row share.
struct Crew<'w, S, N> {
    /// Sinks and desks that no thread uses just now.
    idle: Mutex<Vec<(S, Desk<'w>)>>,
    halt: Mutex<Option<Halt>>,
    done: Mutex<f64>,
    new_sink: &'w N,
    watch: &'w Watch,
}

impl<'w, S: Sink, N: Fn() -> S> Crew<'w, S, N> {
    fn is_halted(&self) -> bool {
        self.halt.lock().is_ok_and(|halt| halt.is_some())
    }

    fn fail(&self, why: Halt) {
        if let Ok(mut halt) = self.halt.lock() {
            halt.get_or_insert(why);
        }
    }

    fn desk(&self, plan: &Plan) -> (S, Desk<'w>) {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        idle.unwrap_or_else(|| ((self.new_sink)(), Desk::new(plan, self.watch)))
    }

    fn finish(&self, report: Report, share: f64) {
        if let Ok(mut done) = self.done.lock() {
            *done += share;
            report.tell_part(self.watch, *done);
        }
    }
}

/// The states of a row after its first steps, in parts.
#[derive(Debug)]
pub(super) struct Spread {
    parts: Vec<Part>,
    at: usize,
    known: Pattern,
}

impl Spread {
    /// How many states each part has.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.parts.iter().map(|part| part.states.len()).collect()
    }
}

/// Parts with more states than this are dealt out to all threads.
const SMALL_PART: usize = 1 << 15;

impl<W: Wanted> Row<'_, W> {
    /// Takes all states through the row, and gives every final part to one of the sinks.
    ///
    /// A large part goes one step and is dealt out into tasks for any thread; a small one stays with its
    /// thread to the end. Threads take up their own latest task first, so few parts are open at a time.
    pub(super) fn run<S: Sink>(
        &self,
        states: Vec<State>,
        watch: &Watch,
        new_sink: impl Fn() -> S + Sync,
    ) -> Result<Vec<S>, Halt> {
        let work = Crew {
            idle: Mutex::new(Vec::new()),
            halt: Mutex::new(None),
            done: Mutex::new(0.0),
            new_sink: &new_sink,
            watch,
        };
        let whole = Task { at: 0, known: 0, share: 1.0, part: Part { pattern: 0, states } };
        rayon::scope(|scope| self.take_up(scope, whole, &work));
        let halt = work.halt.into_inner().unwrap_or(Some(Halt::Asked));
        let idle = work.idle.into_inner().unwrap_or_default();
        halt.map_or_else(|| Ok(idle.into_iter().map(|(sink, _)| sink).collect()), Err)
    }

    fn take_up<'s, 'w: 's, S: Sink + 's, N: Fn() -> S + Sync>(
        &'s self,
        scope: &rayon::Scope<'s>,
        task: Task,
        work: &'s Crew<'w, S, N>,
    ) {
        if work.is_halted() {
            return;
        }
        let Task { at, known, share, part } = task;
        if part.states.len() > SMALL_PART && at < self.plan.steps.len() {
            let known = known | places(&self.plan.steps[at]);
            let dealt = self.deal(at, known, &part, work.watch);
            drop(part);
            match dealt {
                Ok(parts) => {
                    let total: usize = parts.iter().map(|part| part.states.len()).sum();
                    if parts.is_empty() {
                        work.finish(self.report, share);
                    }
                    for part in parts {
                        let share = share * as_real(part.states.len()) / as_real(total);
                        let task = Task { at: at + 1, known, share, part };
                        scope.spawn(move |scope| self.take_up(scope, task, work));
                    }
                }
                Err(halt) => work.fail(halt),
            }
            return;
        }
        let (mut sink, mut desk) = work.desk(self.plan);
        match self.descend(at, known, part.pattern, &part.states, &mut desk, &mut sink) {
            Ok(()) => work.finish(self.report, share),
            Err(halt) => work.fail(halt),
        }
        if let Ok(mut idle) = work.idle.lock() {
            idle.push((sink, desk));
        }
    }

    /// Takes the first steps for all states together, until there are parts enough to share out.
    pub(super) fn spread(
        &self,
        states: Vec<State>,
        enough: usize,
        watch: &Watch,
    ) -> Result<Spread, Halt> {
        let mut parts = vec![Part { pattern: 0, states }];
        let mut at = 0;
        let mut known = 0;
        while at < self.plan.steps.len() && parts.len() < enough {
            known |= places(&self.plan.steps[at]);
            let wider: Result<Vec<Vec<Part>>, Halt> =
                parts.into_par_iter().map(|part| self.deal(at, known, &part, watch)).collect();
            parts = wider?.into_iter().flatten().collect();
            at += 1;
        }
        Ok(Spread { parts, at, known })
    }

    /// Takes one part to the end of the row by itself.
    pub(super) fn finish_part<S: Sink>(
        &self,
        spread: &Spread,
        part: usize,
        watch: &Watch,
        sink: &mut S,
    ) -> Result<(), Halt> {
        let part = &spread.parts[part];
        let mut desk = Desk::new(self.plan, watch);
        self.descend(spread.at, spread.known, part.pattern, &part.states, &mut desk, sink)
    }

    /// One step for a large part, by all threads.
    fn deal(
        &self,
        at: usize,
        known: Pattern,
        part: &Part,
        watch: &Watch,
    ) -> Result<Vec<Part>, Halt> {
        let step = &self.plan.steps[at];
        let classes = 3_usize.pow(u32::try_from(step.final_slots.len()).expect("few"));
        let chunks: Result<Vec<Vec<Vec<State>>>, Halt> = part
            .states
            .par_chunks(1 << 14)
            .map(|chunk| {
                let mut buckets = vec![Vec::new(); classes];
                let mut pulse = watch.pulse();
                for &state in chunk {
                    pulse.beat()?;
                    step.apply(state, |next| buckets[step.class(next)].push(next));
                }
                Ok(buckets)
            })
            .collect();
        let mut chunks = chunks?;
        let gathered: Vec<Vec<State>> = (0..classes)
            .map(|class| {
                let mut all = Vec::new();
                for chunk in &mut chunks {
                    all.append(&mut chunk[class]);
                }
                all
            })
            .collect();
        Ok(gathered
            .into_par_iter()
            .enumerate()
            .filter_map(|(class, mut states)| {
                let pattern = part.pattern | step.digits(class);
                if states.is_empty() || !self.wanted.wants(pattern, known) {
                    return None;
                }
                self.packing.merge(&mut states, &mut Vec::new());
                Some(Part { pattern, states })
            })
            .collect())
    }

    /// All later steps for a part, depth first. The depth is the number of steps, a few for each file.
    fn descend<S: Sink>(
        &self,
        at: usize,
        known: Pattern,
        pattern: Pattern,
        states: &[State],
        desk: &mut Desk<'_>,
        sink: &mut S,
    ) -> Result<(), Halt> {
        let Some(step) = self.plan.steps.get(at) else {
            return sink.take(pattern, states);
        };
        let classes = 3_usize.pow(u32::try_from(step.final_slots.len()).expect("few"));
        let known = known | places(step);
        let mut buckets = std::mem::take(&mut desk.buckets[at]);
        buckets.resize_with(classes, Vec::new);
        for &state in states {
            desk.pulse.beat()?;
            step.apply(state, |next| buckets[step.class(next)].push(next));
        }
        sink.hear(buckets.iter().map(Vec::len).sum());
        for (class, bucket) in buckets.iter_mut().enumerate() {
            let pattern = pattern | step.digits(class);
            if !bucket.is_empty() && self.wanted.wants(pattern, known) {
                self.packing.merge(bucket, &mut desk.room);
                self.descend(at + 1, known, pattern, bucket, desk, sink)?;
            }
            bucket.clear();
        }
        desk.buckets[at] = buckets;
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share for the eye")]
fn as_real(count: usize) -> f64 {
    count as f64
}

fn places(step: &Step) -> Pattern {
    step.final_slots.iter().fold(0, |known, &(_, place)| known | 3 << (2 * place))
}

impl Step {
    /// Which class the degrees of the final slots fall into.
    #[inline]
    fn class(&self, state: State) -> usize {
        self.final_slots.iter().fold(0, |class, &(slot, _)| 3 * class + degree(state, slot))
    }

    /// The digits that a class adds to a pattern.
    fn digits(&self, class: usize) -> Pattern {
        let mut class = class;
        self.final_slots.iter().rev().fold(0, |pattern, &(_, place)| {
            let digit = class % 3;
            class /= 3;
            pattern | (digit as Pattern) << (2 * place)
        })
    }

    /// Has the state an end of the colour of this step's square, where ends must differ?
    #[inline]
    fn repeats_colour(&self, state: State) -> bool {
        let Some(colours) = &self.colours else { return false };
        if degree(state, colours.apex) != 1 {
            return false;
        }
        let [dark, light] = degrees(state, [colours.dark, colours.light]).map(u32::cast_signed);
        (dark - light + colours.settled > 0) == colours.here
    }

    /// All states that this step leads to.
    #[inline]
    fn apply(&self, state: State, mut next: impl FnMut(State)) {
        match &self.work {
            Work::Settle { slot, ahead, must: None } => {
                // The apex is the last that a square may turn to.
                let open = ahead.len() - usize::from(self.repeats_colour(state));
                settle(state, *slot, &ahead[..open], next);
            }
            Work::Settle { slot, ahead, must: Some(apex) } => {
                let free = |state| rewrite(state, *slot, mate(state, *slot), *slot);
                match degree(state, *slot) {
                    0 => {
                        let ended = linked(state, *slot, *apex);
                        for &other in ended.iter().flat_map(|_| ahead) {
                            let joined = ended.and_then(|state| linked(state, *slot, other));
                            if let Some(state) = joined {
                                next(free(state));
                            }
                        }
                    }
                    1 => {
                        if let Some(state) = linked(state, *slot, *apex) {
                            next(free(state));
                        }
                    }
                    _ => {}
                }
            }
            Work::End { slot, apex, must } => {
                if !must {
                    next(state);
                }
                if self.repeats_colour(state) {
                    return;
                }
                linked(state, *slot, *apex).into_iter().for_each(next);
            }
        }
    }
}

/// Gives a square the edges it lacks, all to squares ahead, and frees its slot.
#[inline]
fn settle(state: State, slot: usize, ahead: &[usize], mut next: impl FnMut(State)) {
    let far = mate(state, slot);
    if far == DONE {
        return next(rewrite(state, slot, DONE, slot));
    }
    if far != slot {
        let freed = rewrite(state, slot, far, slot);
        for &other in ahead {
            let end = mate(state, other);
            if end == DONE || end == slot {
                continue;
            }
            let joined = if end == other { freed } else { rewrite(freed, other, end, DONE) };
            next(rewrite(rewrite(joined, end, other, far), far, slot, end));
        }
        return;
    }
    for (at, &first) in ahead.iter().enumerate() {
        let near = mate(state, first);
        if near == DONE {
            continue;
        }
        let begun = if near == first { state } else { rewrite(state, first, near, DONE) };
        for &second in &ahead[..at] {
            let end = mate(state, second);
            if end == DONE || end == first {
                continue;
            }
            let joined = if end == second { begun } else { rewrite(begun, second, end, DONE) };
            next(rewrite(rewrite(joined, end, second, near), near, first, end));
        }
    }
}

/// The states before the last row of a half.
pub(super) struct Half {
    pub(super) cut: Cut,
    pub(super) side: Side,
    /// Keep only one of a state and its mirror image.
    pub(super) mirror: bool,
}

impl Half {
    pub(super) fn packing(&self) -> Packing {
        Packing::new(slots(&self.cut))
    }

    /// Settles a row that is not the last, from the list of states that the row before it left.
    pub(super) fn settle_row(
        &self,
        row: usize,
        states: Vec<State>,
        budget: &Budget,
        watch: &Watch,
    ) -> Result<Vec<State>, Halt> {
        let plan = Plan::new(&self.cut, self.side, row);
        let packing = self.packing();
        let settled = Row { plan: &plan, packing, wanted: &All, report: Report::SILENT };
        let sinks = settled.run(states, watch, || Relay {
            half: self,
            budget,
            plan: &plan,
            states: Vec::new(),
        })?;
        let mut states: Vec<State> =
            Vec::with_capacity(sinks.iter().map(|sink| sink.states.len()).sum());
        for mut sink in sinks {
            states.append(&mut sink.states);
        }
        if self.mirror {
            packing.merge(&mut states, &mut Vec::new());
        }
        Ok(states)
    }

    /// The state with its slots put in the order in which the next row expects them.
    fn renamed(&self, plan: &Plan, state: State, mirrored: bool) -> State {
        let n = self.cut.files;
        let packing = self.packing();
        let place_of = |at: usize| if mirrored { at / n * n + (n - 1 - at % n) } else { at };
        let mut name = [DONE; 32];
        for (at, &slot) in plan.exit.iter().enumerate() {
            name[slot] = place_of(at);
        }
        if let Some(apex) = plan.apex {
            name[apex] = apex;
        }
        let mut renamed = packing.blank() & packing.key_mask() | state & !packing.key_mask();
        for &slot in plan.exit.iter().chain(&plan.apex) {
            let to = name[slot];
            renamed = rewrite(renamed, to, to, name[mate(state, slot)]);
        }
        renamed
    }
}

/// Passes states on to the next row: slots renamed, and of two mirror images only the lesser.
struct Relay<'a> {
    half: &'a Half,
    budget: &'a Budget,
    plan: &'a Plan,
    states: Vec<State>,
}

impl Sink for Relay<'_> {
    fn take(&mut self, _: Pattern, states: &[State]) -> Result<(), Halt> {
        // Once here, and once more when the lists of all threads are laid together.
        self.budget.charge(2 * size_of_val(states) as u64)?;
        for &state in states {
            let plain = self.half.renamed(self.plan, state, false);
            let kept = if self.half.mirror {
                plain.min(self.half.renamed(self.plan, state, true))
            } else {
                plain
            };
            self.states.push(kept);
        }
        Ok(())
    }
}
