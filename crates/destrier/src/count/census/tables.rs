//! Completions kept at the ends of rows only: little memory for large boards.
//!
//! Within a row a layer has many more states than at its end. So we keep, at each end of a row, the
//! states and in how many ways each can be completed, and find the layers between again when they are
//! needed: from all states of a row's end while building, from a single one while drawing a tour. A
//! state and its mirror image have as many completions, and one of them is kept.
//!
//! Plain boards are kept up to the middle only: beyond it a `Meeting` finds completions as they are asked for.
//!
//! Invariant: a kept number is at least one, and a state that is not kept has no completion.
//! Cost: 24 bytes per kept state (8×8 closed: see docs/sampling.md); two sweeps to build.
//! Source: checkpointed dynamic programming.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::PathBuf;

use super::super::frontier;
use super::super::sweep::course::{Course, Next};
use super::super::sweep::deal::{Merge, Parts, deal};
use super::super::sweep::degrees::Degrees;
use super::super::sweep::state::{State, hash};
use super::by_pattern::meet;
use super::cache;
use super::dag::Dag;
use super::frame::Frame;
use super::meeting::{Meeting, Ways};
use crate::count::middle::join::pattern::Pattern;
use crate::outcome::{SolveError, Stop};
use crate::run::threads;
use crate::run::watch::Watch;

/// The kept states of one layer with their completions, dealt by the hash of their degrees and sorted.
#[derive(Debug, Default)]
pub(crate) struct Kept<const W: usize> {
    pub(crate) parts: Vec<Vec<(State<W>, u64)>>,
}

impl<const W: usize> Kept<W> {
    fn bytes(&self) -> u64 {
        self.parts.iter().map(Vec::len).sum::<usize>() as u64 * (8 * W as u64 + 8)
    }
}

/// The states of a layer, dealt by the hash of their degrees.
type States<const W: usize> = Parts<W, ()>;

fn size<const W: usize, V>(states: &Parts<W, V>) -> usize {
    states.iter().map(Vec::len).sum()
}

fn bare<const W: usize>(states: &Parts<W, u64>) -> States<W> {
    states.iter().map(|part| part.iter().map(|&(state, _)| (state, ())).collect()).collect()
}

/// The completions at the ends of rows.
#[derive(Debug)]
pub(crate) struct Tables<const W: usize> {
    course: Course,
    /// Which choices may be taken; all of them where it is not known.
    degrees: Option<Degrees<W>>,
    /// The layers that are kept; the first is the very start, and the end of the sweep comes after.
    stops: Vec<usize>,
    /// Where the mirror sends the slots at each stop, if the board has one.
    mirrors: Vec<Option<Vec<Option<usize>>>>,
    /// The completions at the stops, the first so many of them if there is a meeting.
    kept: Vec<Kept<W>>,
    meeting: Option<Meeting>,
}

/// What a step takes at its worst, in entries for each state before it: that state, some three that come of it before equal
/// ones are merged, and two after.
const STEP: usize = 6;

/// A file for tables, and the question they must be for.
pub(super) type Cache = (PathBuf, String);

impl<const W: usize> Tables<W> {
    /// Builds the tables of a course with these rows; `mirror` is an automorphism, if there is one, and `frame` the
    /// shape of a board that can be met in the middle.
    pub(crate) fn new(
        course: Course,
        degrees: Option<Degrees<W>>,
        rows: &[usize],
        frame: Option<Frame>,
        mirror: Option<&[u32]>,
        cache: Option<&Cache>,
        watch: &Watch,
    ) -> Result<Tables<W>, Stop> {
        let n = course.len();
        let mut stops: Vec<usize> = std::iter::once(0)
            .chain(rows.iter().copied().filter(|&row| row > 0 && row < n))
            .collect();
        stops.dedup();
        if let Some(frame) = frame {
            stops = frame.stops();
        }
        let mirrors = stops
            .iter()
            .map(|&stop| mirror.and_then(|mirror| course.image(stop, mirror)))
            .collect();
        let mut tables =
            Tables { course, degrees, stops, mirrors, kept: Vec::new(), meeting: None };
        // With a frame: the completions up to the middle, and the states of the small boards beyond it.
        let layers = frame.map_or(tables.stops.len(), |frame| frame.lower() + frame.upper());
        let known = cache.and_then(|(path, question)| {
            cache::load(path, question).unwrap_or_else(|why| {
                let path = path.display();
                watch.note(format!("the tables in {path} cannot be used and are rebuilt: {why}"));
                None
            })
        });
        let kept = if let Some(kept) = known.filter(|kept| kept.len() == layers) {
            kept
        } else {
            let kept = match frame {
                None => {
                    let layers = tables.forwards((), tables.stops.len(), watch)?;
                    tables.backwards(layers, Vec::new(), watch)?
                }
                Some(frame) => tables.to_the_middle(frame, watch)?,
            };
            if let Some((path, question)) = cache {
                cache::save(path, question, &kept).map_err(|error| SolveError::Unsuited {
                    method: "census",
                    why: format!("the tables cannot be kept: {error}"),
                })?;
            }
            kept
        };
        tables.keep(kept, frame);
        Ok(tables)
    }

    /// Takes over what was built or read.
    fn keep(&mut self, mut kept: Vec<Kept<W>>, frame: Option<Frame>) {
        if let Some(frame) = frame {
            let small = kept.split_off(frame.lower() + 1);
            self.meeting = Some(Meeting::new(frame, &self.course, &self.mirrors, &small));
        }
        self.kept = kept;
    }

    /// The completions up to the middle of a board, then the states of the small boards beyond it, with the ways to each.
    fn to_the_middle(&self, frame: Frame, watch: &Watch) -> Result<Vec<Kept<W>>, Stop> {
        let mut layers = self.forwards(1_u64, frame.lower() + 1, watch)?;
        let states = size(&layers[frame.lower()]) + 2 * size(&layers[frame.upper()]);
        let held: usize = layers.iter().map(size).sum();
        self.fits((held * size_of::<(State<W>, u64)>()) as u64, 64 * states, watch)?;
        let small = layers[1..frame.upper()].to_vec();
        let lower = bare(&layers[frame.lower()]);
        let upper = &layers[frame.upper()];
        let met = meet(frame, &self.course, &self.mirrors, lower, upper, watch)?;
        layers.truncate(frame.lower());
        let layers = layers.iter().map(bare).collect();
        let mut kept = self.backwards(layers, vec![met], watch)?;
        kept.extend(small.into_iter().map(|mut parts| {
            for part in &mut parts {
                part.sort_unstable();
            }
            Kept { parts }
        }));
        Ok(kept)
    }

    /// The states of the first so many stops, each with the ways to come to it where that is asked for.
    fn forwards<V: Merge>(
        &self,
        one: V,
        stops: usize,
        watch: &Watch,
    ) -> Result<Vec<Parts<W, V>>, Stop> {
        let mut layers: Vec<Parts<W, V>> = vec![vec![vec![([0; W], one)]]];
        let entry = size_of::<(State<W>, V)>();
        let mut bytes = 0;
        for (at, ends) in self.stops[..stops].windows(2).enumerate() {
            let mut now = None;
            for step in ends[0]..ends[1] {
                let before = now.as_ref().unwrap_or(&layers[at]);
                self.fits(bytes, STEP * size(before) * entry, watch)?;
                now = Some(self.next(before, step, watch)?);
            }
            let next = now.expect("stops ascend");
            bytes += (size(&next) * entry) as u64;
            layers.push(next);
            self.tell(at + 1, 0.3, 0.0, watch);
        }
        Ok(layers)
    }

    /// Is there room for so many more bytes beside those that are held?
    fn fits(&self, held: u64, more: usize, watch: &Watch) -> Result<(), Stop> {
        let degrees = self.degrees.as_ref().map_or(0, Degrees::bytes);
        frontier::fits(degrees + held + more as u64, watch)
    }

    /// The choices that a state may take at a step, a bit each.
    fn allowed(&self, step: usize, state: &State<W>) -> u64 {
        match (&self.degrees, &self.meeting) {
            (Some(degrees), _) => degrees.allowed(step, &self.course.pattern(state)),
            (None, Some(meeting)) if meeting.is_hopeless(&self.course, step, state) => 0,
            _ => u64::MAX,
        }
    }

    /// The states one step on; at a stop, one of each mirror pair.
    fn next<V: Merge>(
        &self,
        now: &Parts<W, V>,
        step: usize,
        watch: &Watch,
    ) -> Result<Parts<W, V>, Stop> {
        let stepper = self.course.step::<W>(step);
        let ending = self.stops.iter().position(|&stop| stop == step + 1);
        let (parts, _) = deal(now, 2 * size(now), &|share, dealt| {
            let mut ticker = watch.ticker();
            for (state, value) in share.iter().flatten() {
                ticker.tick()?;
                stepper.each(state, self.allowed(step, state), |_, next| {
                    if let Next::To(next) = next {
                        let next = ending.map_or(next, |stop| self.canonical(stop, &next));
                        dealt.push(hash(&self.course.pattern(&next)), next, *value);
                    }
                });
            }
            Ok(())
        })?;
        Ok(parts)
    }

    /// The completions of the states of these stops, from the last to the first; `kept` has those of the stop after.
    fn backwards(
        &self,
        mut layers: Vec<States<W>>,
        mut kept: Vec<Kept<W>>,
        watch: &Watch,
    ) -> Result<Vec<Kept<W>>, Stop> {
        while let Some(states) = layers.pop() {
            let at = layers.len();
            let to = self.stops.get(at + 1).copied().unwrap_or(self.course.len());
            // The layers between, once more; then back through them.
            let waiting: usize = layers.iter().map(size).sum();
            let held = kept.iter().map(Kept::bytes).sum::<u64>() + waiting as u64 * 8 * W as u64;
            let mut between = vec![states];
            let mut states = 0;
            for step in self.stops[at]..to - 1 {
                let before = &between[between.len() - 1];
                states += size(before);
                self.fits(held, (states + STEP * size(before)) * 8 * W, watch)?;
                let next = self.next(before, step, watch)?;
                between.push(next);
            }
            let mut after: Option<Kept<W>> = None;
            for step in (self.stops[at]..to).rev() {
                let states = between.pop().expect("a layer for each step");
                let complete = |part: Vec<(State<W>, ())>| {
                    let kept = after.as_ref().or(kept.last());
                    self.complete(part, step, kept, watch)
                };
                after = Some(Kept { parts: threads::try_map(states, complete)? });
            }
            kept.push(after.expect("a stretch has a step"));
            self.tell(self.stops.len() - at, 0.7, 0.3, watch);
        }
        kept.reverse();
        Ok(kept)
    }

    /// The states of a part that can be completed, with the numbers, given those of the next layer.
    fn complete(
        &self,
        part: Vec<(State<W>, ())>,
        step: usize,
        after: Option<&Kept<W>>,
        watch: &Watch,
    ) -> Result<Vec<(State<W>, u64)>, Stop> {
        let stepper = self.course.step::<W>(step);
        let ending = self.stops.iter().position(|&stop| stop == step + 1);
        let mut ticker = watch.ticker();
        let mut whole = Vec::new();
        for (state, ()) in part {
            ticker.tick()?;
            let mut sum = Some(0_u64);
            stepper.each(&state, self.allowed(step, &state), |_, next| {
                let more = match next {
                    Next::Closed(..) => 1,
                    Next::To(next) => after.map_or(0, |after| self.find(after, ending, &next)),
                };
                sum = sum.and_then(|sum| sum.checked_add(more));
            });
            match sum.ok_or(Stop::Overflow)? {
                0 => {}
                sum => whole.push((state, sum)),
            }
        }
        whole.sort_unstable();
        Ok(whole)
    }

    #[expect(clippy::cast_precision_loss, reason = "a fraction for a progress bar")]
    fn tell(&self, stop: usize, share: f64, before: f64, watch: &Watch) {
        let part = stop as f64 / self.stops.len() as f64;
        watch.tell(|progress| progress.fraction = Some(before + share * part));
    }

    /// Of a state and its mirror image, the one that is kept.
    fn canonical(&self, stop: usize, state: &State<W>) -> State<W> {
        let Some(mirror) = &self.mirrors[stop] else { return *state };
        let image = self.course.packing().moved(state, |slot| mirror[slot]);
        // By degrees first: a pattern's states then lie together.
        match self.course.pattern(state).cmp(&self.course.pattern(&image)) {
            Ordering::Less => *state,
            Ordering::Greater => image,
            Ordering::Equal => image.min(*state),
        }
    }

    /// The completions of a state, at a stop or between.
    fn find(&self, kept: &Kept<W>, stop: Option<usize>, state: &State<W>) -> u64 {
        let state = stop.map_or(*state, |stop| self.canonical(stop, state));
        let bits = kept.parts.len().trailing_zeros();
        let deal = hash(&self.course.pattern(&state));
        #[expect(clippy::cast_possible_truncation, reason = "the top bits of a hash")]
        let part = if bits == 0 { 0 } else { (deal >> (64 - bits)) as usize };
        let part = &kept.parts[part];
        part.binary_search_by_key(&state, |entry| entry.0).map_or(0, |at| part[at].1)
    }

    /// How many states are kept.
    pub(crate) fn len(&self) -> usize {
        let kept: usize = self.kept.iter().flat_map(|kept| &kept.parts).map(Vec::len).sum();
        kept + self.meeting.as_ref().map_or(0, Meeting::len)
    }

    /// The course that was swept.
    pub(crate) fn course(&self) -> &Course {
        &self.course
    }

    /// How many squares come before a stop.
    pub(super) fn stop(&self, stop: usize) -> usize {
        self.stops[stop]
    }

    /// The states from one at a stop to the next stop.
    pub(super) fn row(&self, stop: usize, state: State<W>) -> Dag<W> {
        let to = self.stops.get(stop + 1).copied().unwrap_or(self.course.len());
        let layers = self.stops[stop]..to;
        let unwatched = Watch::unlimited();
        let allowed = |step, state: &State<W>| self.allowed(step, state);
        Dag::new(&self.course, allowed, vec![state], layers, usize::MAX, &unwatched)
            .ok()
            .flatten()
            .expect("a row from one state is small, and nobody halts it")
    }

    /// The completions of a state at a stop; nothing is left to complete at the end of the sweep. `ways` has what was found
    /// out about other states there.
    pub(super) fn weight(
        &self,
        stop: usize,
        state: &State<W>,
        ways: &mut HashMap<Pattern, Ways>,
    ) -> u128 {
        match (self.kept.get(stop), &self.meeting) {
            (Some(kept), _) => u128::from(self.find(kept, Some(stop), state)),
            (None, Some(meeting)) if stop < self.stops.len() => {
                meeting.completions(&self.course, stop, state, ways)
            }
            _ => 0,
        }
    }
}
