//! The completions of all states at the end of the middle row, by joining them with the smaller board above.
//!
//! The states of either side are numbered matchings of path ends, as in `middle`. For each pattern of degrees above,
//! `weigh` turns its counts into one number for each matching below; then every state from which links lead to
//! that matching gets the number added. `middle` reads the same entries to add up one sum; here each state gets its own.
//!
//! Invariant: no sum can outgrow 64 bits, since the whole mass above times the sets of links does not.
//! Cost: 9.3 million states of 8×8 closed in under a minute.
//! Source: `docs/sampling.md`.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::sweep::course::Course;
use super::super::sweep::deal::Parts;
use super::super::sweep::state::State;
use super::frame::{Frame, Links, images, mates, number, pattern};
use super::tables::Kept;
use super::tree::{ROOT, Tree};
use crate::count::middle::join::contract::{weigh, weigh_sparse};
use crate::count::middle::join::link::Way;
use crate::count::middle::join::matching::{DENSE, matchings};
use crate::count::middle::join::pattern::{Pattern, pairs};
use crate::outcome::Stop;
use crate::run::threads;
use crate::run::watch::Watch;

/// The completions of all states of the middle row end, met with those of the smaller board above it.
pub(super) fn meet<const W: usize>(
    frame: Frame,
    course: &Course,
    mirrors: &[Option<Vec<Option<usize>>>],
    lower: Parts<W, ()>,
    upper: &Parts<W, u64>,
    watch: &Watch,
) -> Result<Kept<W>, Stop> {
    let clusters = ByPattern::new(frame, course, &lower);
    let seats = frame.seats(course, frame.upper());
    let mut entries: Vec<(Pattern, u32, u64)> =
        images(course, mirrors[frame.upper()].as_deref(), upper, |state, ways| {
            let mates = mates(course, &seats, &state, |place| frame.turned(place));
            (pattern(&mates, frame.places()), number(&mates, frame.places()), ways)
        });
    let mass: u128 = entries.iter().map(|&(_, _, ways)| u128::from(ways)).sum();
    // A set of links in the rows, and up to two to the apex; each may meet all that is above.
    let doublings = 2 * (frame.files - 2) + if frame.is_open { 8 } else { 0 };
    if mass >= 1 << (64 - doublings) {
        return Err(Stop::Overflow);
    }
    threads::sort_unstable_by_key(&mut entries, |&entry| entry);
    let patterns: Vec<&[(Pattern, u32, u64)]> = entries.chunk_by(|a, b| a.0 == b.0).collect();
    let links = Links::of(frame);
    threads::try_map_with(patterns, Buffers::default, |buffers, entries| {
        watch.ticker().check()?;
        let key = frame.complement(entries[0].0);
        if pairs(key) > DENSE {
            clusters.meet_sparse(frame, &links, key, entries, buffers);
        } else if pairs(key) > 0 {
            clusters.meet_dense(frame, &links, key, entries, buffers);
        }
        Ok::<(), Stop>(())
    })?;
    Ok(clusters.kept(lower))
}

/// For each state of a part its number and its place in the part, those of a pattern together.
type Listed = Vec<(u32, u32)>;

/// The states to be completed, by pattern and number.
struct ByPattern {
    parts: Vec<Listed>,
    /// The completions, in the same order.
    sums: Vec<Vec<AtomicU64>>,
    /// The patterns, and where the states of each lie.
    patterns: Tree,
    stretches: Vec<Stretch>,
}

/// The states of one pattern: the part, and where they lie in it.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    part: u32,
    start: u32,
    end: u32,
}

/// What a thread needs for one pattern after another.
#[derive(Default)]
struct Buffers {
    counts: Vec<u64>,
    sums: Vec<u64>,
    room: Vec<Vec<u64>>,
}

impl ByPattern {
    fn new<const W: usize>(frame: Frame, course: &Course, lower: &Parts<W, ()>) -> ByPattern {
        let seats = frame.seats(course, frame.lower());
        let small = |at: usize| u32::try_from(at).expect("a part is small");
        let group_up = |(part, states): (usize, &Vec<(State<W>, ())>)| {
            let mut listed: Vec<(Pattern, u32, u32)> = (0..)
                .zip(states)
                .map(|(at, (state, ()))| {
                    let mates = mates(course, &seats, state, |place| place);
                    (pattern(&mates, frame.places()), number(&mates, frame.places()), at)
                })
                .collect();
            listed.sort_unstable();
            let mut start = 0;
            let mut stretches = Vec::new();
            for same in listed.chunk_by(|a, b| a.0 == b.0) {
                let end = start + same.len();
                let part = small(part);
                let stretch = Stretch { part, start: small(start), end: small(end) };
                stretches.push((same[0].0, stretch));
                start = end;
            }
            (listed.into_iter().map(|(_, number, at)| (number, at)).collect(), stretches)
        };
        let (parts, stretches): (Vec<Listed>, Vec<Vec<_>>) =
            threads::map(lower.iter().enumerate(), group_up).into_iter().unzip();
        let sums = parts.iter().map(|part| part.iter().map(|_| AtomicU64::new(0)).collect());
        // The states of a pattern are all in one part, so no pattern comes twice.
        let (patterns, stretches): (Vec<Pattern>, Vec<Stretch>) =
            stretches.into_iter().flatten().unzip();
        let patterns = Tree::new(frame, &patterns);
        ByPattern { sums: sums.collect(), parts, patterns, stretches }
    }

    /// Shows the states of every pattern that links lead from to this one: the way, their numbers and their sums.
    fn each<'s>(
        &'s self,
        links: &Links,
        to: Pattern,
        mut visit: impl FnMut(Pattern, &Way, &'s [(u32, u32)], &'s [AtomicU64]),
    ) {
        // By how many links are left: the patterns that agree with the digits that are final then.
        let nodes = RefCell::new(vec![ROOT; links.list.len() + 1]);
        let mut hopes = |left: usize, from: Pattern| {
            let Some(rung) = links.rungs[left] else { return true };
            let mut nodes = nodes.borrow_mut();
            nodes[left] = self.patterns.after(nodes[rung.before], rung, from);
            nodes[left] > 0
        };
        Way::each(&links.list, to, &mut hopes, &mut |from, way| {
            let Some(at) = self.patterns.found(nodes.borrow()[0], from) else { return };
            let Stretch { part, start, end } = self.stretches[at];
            let range = start as usize..end as usize;
            let (parts, sums) = (&self.parts[part as usize], &self.sums[part as usize]);
            visit(from, way, &parts[range.clone()], &sums[range]);
        });
    }

    /// Adds what one pattern above contributes, where matchings have tables.
    fn meet_dense(
        &self,
        frame: Frame,
        links: &Links,
        key: Pattern,
        above: &[(Pattern, u32, u64)],
        Buffers { counts, sums, room }: &mut Buffers,
    ) {
        let sink = matchings(pairs(key));
        counts.clear();
        counts.resize(sink, 0);
        for &(_, number, ways) in above {
            counts[number as usize] += ways;
        }
        // The sink stands for a cycle closed too soon: it completes nothing.
        sums.clear();
        sums.resize(sink + 1, 0);
        weigh(pairs(key), counts, &mut sums[..sink], room);
        self.each(links, key, |from, way, states, totals| {
            let Some(tables) = way.maps() else {
                for (&(number, _), total) in states.iter().zip(totals) {
                    if let Some(number) = way.carried(frame.places(), from, key, number) {
                        total.fetch_add(sums[number as usize], Relaxed);
                    }
                }
                return;
            };
            let mut maps = [&[] as &[u16]; 32];
            let mut length = 0;
            for map in tables {
                maps[length] = map;
                length += 1;
            }
            for (&(number, _), total) in states.iter().zip(totals) {
                let end = maps[..length]
                    .iter()
                    .fold(number as usize, |number, map| usize::from(map[number]));
                total.fetch_add(sums[end], Relaxed);
            }
        });
    }

    /// The same where they have none: what is asked for is gathered first.
    fn meet_sparse(
        &self,
        frame: Frame,
        links: &Links,
        key: Pattern,
        above: &[(Pattern, u32, u64)],
        buffers: &mut Buffers,
    ) {
        let mut asking: Vec<(u32, &AtomicU64)> = Vec::new();
        self.each(links, key, |from, way, states, totals| {
            for (&(number, _), total) in states.iter().zip(totals) {
                if let Some(number) = way.carried(frame.places(), from, key, number) {
                    asking.push((number, total));
                }
            }
        });
        asking.sort_unstable_by_key(|&(number, _)| number);
        let mut asked: Vec<(u32, u64)> = asking.iter().map(|&(number, _)| (number, 0)).collect();
        let above: Vec<(u32, u64)> =
            above.iter().map(|&(_, number, ways)| (number, ways)).collect();
        weigh_sparse(pairs(key), &mut asked, &above, &mut buffers.room);
        for ((_, total), (_, sum)) in asking.into_iter().zip(asked) {
            total.fetch_add(sum, Relaxed);
        }
    }

    /// The states that can be completed, with their numbers.
    fn kept<const W: usize>(&self, lower: Parts<W, ()>) -> Kept<W> {
        let keep = |(part, states): (usize, Vec<(State<W>, ())>)| {
            let numbered = self.parts[part].iter().zip(&self.sums[part]);
            let mut whole: Vec<(State<W>, u64)> = numbered
                .map(|(&(_, at), sum)| (states[at as usize].0, sum.load(Relaxed)))
                .filter(|&(_, sum)| sum > 0)
                .collect();
            whole.sort_unstable();
            whole
        };
        Kept { parts: threads::map(lower.into_iter().enumerate(), keep) }
    }
}
