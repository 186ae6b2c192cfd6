//! One slice worked out by several processes together.
//!
//! Each takes some of the states before the last row through its first steps, which leaves parts; each part goes to
//! one process, which finishes it. What is kept then goes bucket by bucket to one process, which lays mirror images
//! together, and from there to all. So all hold the same two halves, and each joins some of the pairs of patterns;
//! pairs go by number, so it does not matter who joins which.
//!
//! Invariant: no state is stepped twice and no bucket laid twice; the sums of all pairs add up to the slice's.
//! Cost: the rows before the last and the directory of what is kept are made by all; each process needs the memory for
//! all that is kept. Slices dealt out need less, and more time.
//! Source: `docs/mpi.md`, which compares the two ways to share a count.

use std::ops::Range;

use num_bigint::BigUint;

use crate::count::middle::half::collector::Collector;
use crate::count::middle::half::cut::Side;
use crate::count::middle::half::plan::Plan;
use crate::count::middle::half::spread::{Spread, Team, first_steps};
use crate::count::middle::half::sweep::{Row, Source};
use crate::count::middle::join::halves::{Loaded, Shelving, Table};
use crate::count::middle::join::kept::Kept;
use crate::count::middle::join::pair::Pair;
use crate::count::middle::slices::engine::{Begun, MiddleCount, Partial};
use crate::count::middle::slices::report::Report;
use crate::count::middle::slices::slice::{InSlice, Slice};
use crate::count::middle::storage::pages::Charge;
use crate::count::peers::Peers;
use crate::outcome::Stop;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// Both halves as kept, and the pairs of patterns to join.
#[derive(Debug)]
pub struct Bound<'b> {
    table: Table,
    slice: Slice,
    top: Loaded<'b>,
    bottom: Option<Loaded<'b>>,
    pairs: Vec<Pair>,
}

impl Stop {
    /// A number for it, to tell others: the graver, the greater; never 0.
    #[must_use]
    pub const fn code(&self) -> u8 {
        match self {
            Stop::Halt(Halt::Memory) => 1,
            Stop::Overflow => 2,
            Stop::Halt(_) | Stop::Needs(_) | Stop::Error(_) => 3,
        }
    }

    /// What others are told by a number; nothing for 0.
    #[must_use]
    pub const fn of_code(code: u8) -> Option<Stop> {
        match code {
            0 => None,
            1 => Some(Stop::Halt(Halt::Memory)),
            2 => Some(Stop::Overflow),
            _ => Some(Stop::Halt(Halt::Asked)),
        }
    }
}

/// Tells all peers how it went here, and hears from each: it went well if it went well everywhere.
///
/// # Errors
/// With the gravest of what went wrong.
pub fn agreed<T>(peers: &mut dyn Peers, result: Result<T, Stop>) -> Result<T, Stop> {
    let word = result.as_ref().err().map_or(0, Stop::code);
    let words = peers.share(vec![word]);
    let worst = words.iter().flatten().copied().max().unwrap_or(0);
    Stop::of_code(worst).map_or(result, Err)
}

impl MiddleCount {
    /// Settles the last row of a slice with peers, who are asked the same, in about so many parts. In the end all hold
    /// both halves.
    ///
    /// # Errors
    /// When a watch halts, or the memory of one of them is too little.
    ///
    /// # Panics
    /// Never: every board has a top half.
    pub fn gather<'b>(
        &self,
        begun: &'b Begun,
        (slice, enough): (Slice, usize),
        peers: &mut dyn Peers,
        watch: &Watch,
    ) -> Result<Bound<'b>, Stop> {
        let team = Team::of(peers, begun.store().buckets());
        let links = self.cut().links();
        let mut loaded = Vec::new();
        for side in [Side::Top, Side::Bottom] {
            if begun.states(side).is_none() {
                continue;
            }
            let plan = self.last_plan(side);
            let wanted = self.wanted(slice, side, &plan);
            let half = Half { question: self, begun, side, plan, wanted, team: &team, watch };
            let kept = half.keep(enough, peers)?;
            let whole = Loaded::new(kept, &links, begun.store());
            loaded.push(agreed(peers, half.in_memory(whole))?);
        }
        let mut loaded = loaded.into_iter();
        let top = loaded.next().expect("a top half");
        let bottom = loaded.next();
        let table = Table { links, symmetries: self.symmetries() };
        // Each looks for the pairs of some patterns.
        let lower = bottom.as_ref().unwrap_or(&top);
        let stretch = team.stretch(top.patterns());
        let found = table.some_pairs(stretch, &top, lower, self.is_of(slice));
        let found = found.iter().flat_map(|pair| [pair.upper, u64::from(pair.weight)]);
        let mut pairs: Vec<Pair> = Vec::new();
        for words in told(peers, found) {
            pairs.extend(words.as_chunks().0.iter().map(|&[upper, weight]| Pair {
                upper,
                weight: u32::try_from(weight).expect("few"),
            }));
        }
        table.put_in_order(&mut pairs, &top);
        Ok(Bound { table, slice, top, bottom, pairs })
    }
}

/// The last row of one half, as one of the team sees it.
struct Half<'a, 'b> {
    question: &'a MiddleCount,
    begun: &'b Begun,
    side: Side,
    plan: Plan,
    wanted: InSlice,
    team: &'a Team,
    watch: &'a Watch,
}

impl Half<'_, '_> {
    fn row(&self) -> Row<'_, InSlice> {
        let packing = self.question.half(self.side).packing();
        Row { plan: &self.plan, packing, wanted: &self.wanted, report: Report::SILENT }
    }

    /// All that the half leaves.
    fn keep(&self, enough: usize, peers: &mut dyn Peers) -> Result<Kept, Stop> {
        let (store, own) = (self.begun.store(), self.team.own);
        let mut spread = agreed(peers, self.first(enough).map_err(Stop::from))?;
        // Each part to the one that will finish it.
        let sizes = told(peers, spread.sizes().flat_map(|(pattern, size)| [pattern, size as u64]));
        let mut parts: Vec<(u64, u64, usize)> = Vec::new();
        for (from, words) in sizes.iter().enumerate() {
            let words = words.as_chunks().0.iter();
            parts.extend(words.map(|&[pattern, size]| (pattern, size, from)));
        }
        parts.sort_unstable();
        let (patterns, loads): (Vec<u64>, Vec<u64>) = parts
            .chunk_by(|one, other| one.0 == other.0)
            .map(|same| (same[0].0, same.iter().map(|part| part.1).sum::<u64>()))
            .unzip();
        let owners = self.team.deal(&loads);
        let owner = |pattern| patterns.binary_search(&pattern).map_or(own, |at| owners[at]);
        let moves = parts.iter().filter(|part| (part.2 == own) != (owner(part.0) == own));
        let bytes = moves.map(|part| Spread::written_size(part.1)).sum();
        let given = self.with_room(bytes, |shares| spread.give(owner, own, shares, store));
        let (given, charge) = agreed(peers, given)?;
        let shares = peers.exchange(given);
        let taken = shares.iter().try_for_each(|share| spread.take(share, store));
        drop((shares, charge));
        agreed(peers, taken.map_err(Stop::from))?;
        // Each bucket to the one that will lay it.
        let mut shelving = agreed(peers, self.finish(spread))?;
        let loads = told(peers, shelving.loads(self.team.buckets));
        let loads: Vec<u64> = (0..self.team.buckets)
            .map(|bucket| loads.iter().map(|loads| loads[bucket]).sum())
            .collect();
        let needs: u64 = loads.iter().sum();
        let owners = self.team.deal(&loads);
        // What is kept of all buckets, and the shares that it comes in, until it is charged as it lies in memory.
        let given = self.with_room(needs.max(shelving.written_size()), |shares| {
            shelving.give(&owners, own, shares, store)
        });
        let (given, _charge) = agreed(peers, given)?;
        let shares = peers.exchange(given);
        let taken = shares.iter().try_for_each(|share| shelving.take(share, store));
        drop(shares);
        let laid = taken.and_then(|()| shelving.laid(store)).map_err(Stop::from);
        let laid = agreed(peers, laid)?;
        if self.team.is_alone() {
            return Ok(laid);
        }
        // And what is laid to all.
        let shares = peers.share(laid.written());
        drop(laid);
        Ok(Kept::read_all(self.question.layout(self.side), shares))
    }

    /// Takes this process's states through the first steps.
    fn first(&self, enough: usize) -> Result<Spread, Halt> {
        let store = self.begun.store();
        let states = self.begun.states(self.side).unwrap_or_default();
        let fitting = self.question.fitting(states, &self.wanted, store)?;
        let steps = first_steps(&self.plan, enough);
        let sources: Vec<Source<'_>> = if self.team.is_alone() {
            match fitting {
                Some(fitting) => fitting.into_iter().map(Source::Own).collect(),
                None => states.iter().map(Source::Shared).collect(),
            }
        } else {
            let fitting = fitting.as_deref().unwrap_or(states);
            let own = self.team.own(fitting, &self.plan, steps, store)?;
            own.into_iter().map(Source::Own).collect()
        };
        self.row().spread(sources, |taken, _| taken == steps, store, self.watch)
    }

    /// Finishes the parts that this process has.
    fn finish(&self, spread: Spread) -> Result<Shelving, Stop> {
        let store = self.begun.store();
        let (row, layout) = (self.row(), self.question.layout(self.side));
        let (progress, parts) = (spread.progress(), spread.into_parts());
        let harvests = row.run_on(parts, progress, store, self.watch, || {
            Collector::new(layout, &self.plan, row.packing, store)
        })?;
        let shelving = Shelving::new(layout, harvests)?.ok_or(Stop::Overflow)?;
        self.in_memory(shelving)
    }

    /// Fills a share for each of the team, if there is room for so many bytes; they are charged until
    /// the charge is dropped.
    fn with_room(
        &self,
        bytes: u64,
        fill: impl FnOnce(&mut [Vec<u8>]) -> Result<(), Halt>,
    ) -> Result<(Vec<Vec<u8>>, Charge<'_>), Stop> {
        let store = self.begun.store();
        store.trim();
        if bytes > store.left() {
            return Err(Stop::Halt(Halt::Memory));
        }
        let charge = store.charge_anyway(bytes);
        let mut shares = vec![Vec::new(); self.team.threads.len()];
        fill(&mut shares)?;
        Ok((shares, charge))
    }

    /// What is worked out together has to lie in memory; slices may lie on disk.
    fn in_memory<T>(&self, what: T) -> Result<T, Stop> {
        if self.begun.on_disk() > 0 { Err(Stop::Halt(Halt::Memory)) } else { Ok(what) }
    }
}

impl Team {
    fn of(peers: &mut dyn Peers, buckets: usize) -> Team {
        let words = told(peers, [threads::count() as u64, buckets as u64]);
        let threads = words.iter().map(|words| words[0]).collect();
        let buckets = words.iter().map(|words| words[1]).min().unwrap_or(1);
        Team { threads, own: peers.rank(), buckets: usize::try_from(buckets).expect("few") }
    }
}

/// Tells all peers some numbers, and hears those of each.
fn told(peers: &mut dyn Peers, numbers: impl IntoIterator<Item = u64>) -> Vec<Vec<u64>> {
    let bytes = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
    let numbers =
        |bytes: Vec<u8>| bytes.as_chunks().0.iter().map(|n| u64::from_le_bytes(*n)).collect();
    peers.share(bytes).into_iter().map(numbers).collect()
}

impl Bound<'_> {
    /// How many pairs there are to join.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Joins some of the pairs, with the threads of the pool that this is called in.
    ///
    /// # Errors
    /// When the watch halts, or numbers outgrow 128 bits.
    pub fn join(&self, pairs: Range<usize>, watch: &Watch) -> Result<BigUint, Stop> {
        let lower = self.bottom.as_ref().unwrap_or(&self.top);
        let telling = (Report::SILENT, watch);
        let joined = self.table.join(&self.pairs[pairs], &self.top, lower, telling)?;
        Ok(joined.ok_or(Stop::Overflow)?.sum)
    }

    /// The slice with the sum of all that was joined.
    #[must_use]
    pub fn partial(&self, sum: BigUint) -> Partial {
        let kept = self.top.len() + self.bottom.as_ref().map_or(0, Loaded::len);
        Partial { slice: self.slice, sum, kept: kept as u64, pairs: self.pairs.len() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::peers::tests::team;
    use destrier_rules::{Board, TourProblem};

    #[test]
    fn several_together_count_as_one_alone() {
        let open = TourProblem::open(Board::new(5, 6).expect("a board"));
        let closed = TourProblem::closed(Board::new(6, 7).expect("a board"));
        let watch = Watch::unlimited();
        for (problem, depth) in [(&open, 0), (&open, 1), (&closed, 0), (&closed, 1)] {
            let question = MiddleCount::new(problem).expect("a fitting board");
            let begun = question.begin(None, &watch).expect("room");
            for slice in question.slices(depth) {
                let alone = question.run(&begun, slice, &watch).expect("room");
                for processes in [1, 2, 3] {
                    let partials = team(processes, |peers| {
                        let (own, begun) = (peers.rank(), question.begin(None, &watch)?);
                        let bound =
                            question.gather(&begun, (slice, 10 * processes), peers, &watch)?;
                        let edge = |of: usize| of * bound.pairs() / processes;
                        let sum = bound.join(edge(own)..edge(own + 1), &watch)?;
                        Ok::<_, Stop>(bound.partial(sum))
                    });
                    let partials: Vec<Partial> =
                        partials.into_iter().map(|partial| partial.expect("room")).collect();
                    let sum = partials.iter().map(|partial| &partial.sum).sum();
                    for partial in partials {
                        let whole = Partial { sum: BigUint::clone(&sum), ..partial };
                        assert_eq!(whole, alone, "{processes} processes");
                    }
                }
            }
        }
    }

    #[test]
    fn a_halt_of_one_halts_all() {
        let closed = TourProblem::closed(Board::new(6, 7).expect("a board"));
        let question = MiddleCount::new(&closed).expect("a fitting board");
        for tick in [1, 1000, 50_000] {
            let ended = team(3, |peers| {
                let calm = Watch::unlimited();
                let begun = question.begin(None, &calm)?;
                let watch = if peers.rank() == 1 { Watch::halting_at(tick) } else { calm };
                question.gather(&begun, (Slice::WHOLE, 30), peers, &watch).map(|_| ())
            });
            assert!(ended.iter().all(|end| *end == ended[0]), "{ended:?}");
            assert!(tick > 1 || ended[0] == Err(Stop::Halt(Halt::Asked)), "{ended:?}");
        }
    }
}
