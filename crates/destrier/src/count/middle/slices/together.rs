//! A count computed by several processes together.
//!
//! All processes take the last row through its first steps, which are cheap and leave the same parts everywhere; each finishes
//! its share of the parts, and what it has collected goes to all. So all hold the same two halves, and each joins some
//! of the pairs of patterns; pairs go by number, so it does not matter who joins which.
//!
//! Invariant: each part is finished by one process; the sums of all pairs add up to the count.
//! Cost: the first steps, and putting what was collected in order, are done by all; each process needs the memory for
//! all that is kept. Distributed slices need less memory, but more time.
//! Source: `docs/mpi.md`, which compares the two ways to share a count.

use std::ops::Range;

use num_bigint::BigUint;

use crate::count::middle::half::budget::Budget;
use crate::count::middle::half::column::{Cell, Layer};
use crate::count::middle::half::cut::Side;
use crate::count::middle::half::kept::{Collector, Filing, Kept};
use crate::count::middle::half::parts::Part;
use crate::count::middle::join::meeting::Meeting;
use crate::count::middle::slices::engine::{Begun, First, MiddleCount, Partial, Rows};
use crate::count::middle::slices::report::Report;
use crate::count::middle::slices::slice::Slice;
use crate::outcome::Stop;
use crate::run::share::Peers;
use crate::run::watch::{Halt, Watch};

/// Both halves as kept, and the pairs of patterns to join.
#[derive(Debug)]
pub struct Bound {
    meeting: Halves,
}

#[derive(Debug)]
enum Halves {
    Narrow(Meeting<u32>),
    Wide(Meeting<u64>),
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
    /// Settles the last row with peers, who are asked the same, in about so many parts. In the end all hold both halves.
    ///
    /// # Errors
    /// When a watch halts, or the memory of one of them is too little.
    pub fn gather(
        &self,
        begun: &Begun,
        enough: usize,
        peers: &mut dyn Peers,
        watch: &Watch,
    ) -> Result<Bound, Stop> {
        let budget = begun.budget();
        // Which cells began is not the same everywhere only if it went wrong somewhere.
        let narrow = match begun.first() {
            First::Narrow(rows) => self.gather_rows(rows, enough, budget, peers, watch),
            First::Wide(_) => agreed(peers, Err(Stop::Overflow)),
        };
        let meeting = match narrow {
            Ok(meeting) => Halves::Narrow(meeting),
            Err(Stop::Overflow) => {
                let rows = agreed(peers, self.first_rows(budget, watch))?;
                let wide = self.gather_rows(&rows, enough, budget, peers, watch)?;
                Halves::Wide(wide)
            }
            Err(stop) => return Err(stop),
        };
        Ok(Bound { meeting })
    }

    fn gather_rows<C: Cell>(
        &self,
        rows: &Rows<C>,
        enough: usize,
        budget: &Budget,
        peers: &mut dyn Peers,
        watch: &Watch,
    ) -> Result<Meeting<C>, Stop> {
        let mut halves = Vec::new();
        for side in [Side::Top, Side::Bottom] {
            if let Some(layer) = rows.before(side) {
                halves.push(self.keep_with(layer, side, enough, budget, peers, watch)?);
            }
        }
        let mut halves = halves.into_iter();
        let top = halves.next().expect("every board has a top half");
        agreed(peers, self.meeting(&self.slices(1), top, halves.next(), budget))
    }

    /// Settles the last row of a half with peers.
    fn keep_with<C: Cell>(
        &self,
        layer: &Layer<C>,
        side: Side,
        enough: usize,
        budget: &Budget,
        peers: &mut dyn Peers,
        watch: &Watch,
    ) -> Result<Kept<C>, Stop> {
        let (own, team) = (peers.rank(), peers.size());
        // These prune what nothing can complete.
        let slices = self.slices(1);
        let report = Report::silent(watch);
        let collected = self.on_last_row(&slices, side, budget, report, |sweep, filing| {
            let parts = sweep.parts(layer, enough)?;
            let mine = dealt(parts, team, own);
            let collectors = sweep.finish_parts(mine, &|| Collector::new(filing, budget))?;
            Ok((collectors, filing.clone()))
        });
        let (collectors, filing): (Vec<Collector<C>>, Filing) = agreed(peers, collected)?;
        if team == 1 {
            return Kept::new(&filing, collectors, budget, watch);
        }
        // There must be room for what all have written, beside what is kept of it.
        let bytes: Vec<u8> = collectors.iter().flat_map(Collector::written).collect();
        drop(collectors);
        let sizes = peers.share((bytes.len() as u64).to_le_bytes().to_vec());
        let sizes = sizes.iter().flat_map(|size| size.as_chunks().0);
        let all: u64 = sizes.map(|size| u64::from_le_bytes(*size)).sum();
        let room = budget.charge(usize::try_from(all).unwrap_or(usize::MAX));
        let _room = agreed(peers, room)?;
        let shares = peers.share(bytes);
        let read = |share: &Vec<u8>| Collector::read(&filing, budget, share);
        let collectors: Result<Vec<Collector<C>>, Stop> = shares.iter().map(read).collect();
        drop(shares);
        let kept = collectors.and_then(|collectors| Kept::new(&filing, collectors, budget, watch));
        agreed(peers, kept)
    }
}

/// The parts of one of so many processes: the largest first, each to whoever has least.
fn dealt<C: Cell>(mut parts: Vec<Part<'_, C>>, processes: usize, own: usize) -> Vec<Part<'_, C>> {
    parts.sort_by_key(|part| std::cmp::Reverse(part.states()));
    let mut loads = vec![0; processes];
    parts.retain(|part| {
        let least = (0..processes).min_by_key(|&process| loads[process]).expect("some process");
        loads[least] += part.states();
        least == own
    });
    parts
}

impl Bound {
    /// How many pairs there are to join.
    #[must_use]
    pub fn pairs(&self) -> usize {
        match &self.meeting {
            Halves::Narrow(meeting) => meeting.pairs().len(),
            Halves::Wide(meeting) => meeting.pairs().len(),
        }
    }

    /// Joins some of the pairs, with the threads of the pool that this is called in.
    ///
    /// # Errors
    /// When the watch halts, or numbers outgrow 128 bits.
    pub fn join(&self, pairs: Range<usize>, watch: &Watch) -> Result<BigUint, Stop> {
        let report = Report::silent(watch);
        match &self.meeting {
            Halves::Narrow(meeting) => meeting.join(&meeting.pairs()[pairs], report),
            Halves::Wide(meeting) => meeting.join(&meeting.pairs()[pairs], report),
        }
    }

    /// The whole count, with the sum of all that was joined.
    #[must_use]
    pub fn partial(&self, sum: BigUint) -> Partial {
        let kept = match &self.meeting {
            Halves::Narrow(meeting) => meeting.states(),
            Halves::Wide(meeting) => meeting.states(),
        };
        Partial { slice: Slice::WHOLE, sum, kept, pairs: self.pairs() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::options::Options;
    use crate::run::share::tests::team;
    use destrier_rules::{Board, TourProblem};

    #[test]
    fn several_together_count_as_one_alone() {
        let open = TourProblem::open(Board::new(5, 6).expect("a board"));
        let closed = TourProblem::closed(Board::new(6, 7).expect("a board"));
        let watch = Watch::unlimited();
        for problem in [&open, &closed] {
            let question = MiddleCount::new(problem).expect("a fitting board");
            let begun = question.begin(None, &watch).expect("room");
            let alone = question.run(&begun, &question.slices(1), &watch).expect("room");
            let add_up = |of: fn(&Partial) -> u64| alone.iter().map(of).sum::<u64>();
            let (kept, pairs) = (add_up(|partial| partial.kept), add_up(|partial| partial.pairs));
            let sum = alone.iter().map(|partial| &partial.sum).sum();
            let alone = Partial { slice: Slice::WHOLE, sum, kept, pairs };
            for processes in [1, 2, 3] {
                let partials = team(processes, |peers| {
                    let (own, begun) = (peers.rank(), question.begin(None, &watch)?);
                    let bound = question.gather(&begun, 10 * processes, peers, &watch)?;
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

    #[test]
    fn little_memory_loses_nothing() {
        // Each thread of a run has its share of the memory, so their number is not left to the machine.
        let watch = Watch::new(&Options::new().threads(2));
        let closed = TourProblem::closed(Board::new(7, 8).expect("a board"));
        let question = MiddleCount::new(&closed).expect("a fitting board");
        let (mut refused, mut counted) = (0, 0);
        // Parts wait for each other at all of these but the first and the last.
        for mebibytes in [24, 32, 38, 42, 64] {
            let sums = team(2, |peers| {
                let begun = question.begin(Some(mebibytes << 20), &watch)?;
                let bound = question.gather(&begun, 16, peers, &watch)?;
                bound.join(0..bound.pairs(), &watch)
            });
            for sum in sums {
                match sum {
                    Ok(sum) => {
                        assert_eq!(sum, BigUint::from(34_524_432_316_u64), "{mebibytes} MiB");
                        counted += 1;
                    }
                    Err(stop) => {
                        assert_eq!(stop, Stop::Halt(Halt::Memory), "{mebibytes} MiB");
                        refused += 1;
                    }
                }
            }
        }
        assert!(refused > 0 && counted > 0, "{refused} refused, {counted} counted");
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
                question.gather(&begun, 30, peers, &watch).map(|_| ())
            });
            assert!(ended.iter().all(|end| *end == ended[0]), "{ended:?}");
            assert!(tick > 1 || ended[0] == Err(Stop::Halt(Halt::Asked)), "{ended:?}");
        }
    }
}
