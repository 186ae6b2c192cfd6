//! Two halves as kept, ready to be joined: which pairs of patterns there are, and the sum over some of them.
//!
//! Invariant: pairs come in an order that depends on the question and the slice alone, so that whoever joins which, the
//! sums add up to the slice's.
//! Cost: the list of the patterns that can come of each half; then see `pair`.

use num_bigint::BigUint;

use crate::count::middle::as_real;
use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::cells::Cells;
use crate::count::middle::half::column::Cell;
use crate::count::middle::half::cut::Cut;
use crate::count::middle::half::kept::Kept;
use crate::count::middle::join::link::{Linker, Reachable};
use crate::count::middle::join::matching::DENSE;
use crate::count::middle::join::pair::{Pair, Symmetries, join_all, pairs_of};
use crate::count::middle::join::pattern::pairs as pairs_of_ends;
use crate::count::middle::slices::engine::Partial;
use crate::count::middle::slices::report::Report;
use crate::count::middle::slices::slice::Slice;
use crate::outcome::Stop;
use crate::run::threads;

/// Two halves with some slices of each; the lower one is left out where it is the upper one upside down.
#[derive(Debug)]
pub(in crate::count::middle) struct Meeting<C> {
    cut: Cut,
    /// So many outer files have their edges between the middle rows already.
    early: usize,
    /// Was one of two mirror images kept?
    mirror: bool,
    top: Kept<C>,
    bottom: Option<Kept<C>>,
    /// Those of the first slice first.
    pairs: Vec<Pair>,
    /// Where the pairs of each slice end.
    ends: Vec<usize>,
    _charge: Charge,
}

impl<C: Cell> Meeting<C> {
    /// Puts two halves together, for the pairs that are in one of the slices.
    ///
    /// # Errors
    /// When the budget is spent, or a count outgrows its cell.
    pub(in crate::count::middle) fn new(
        cut: &Cut,
        early: usize,
        mirror: bool,
        top: Kept<C>,
        bottom: Option<Kept<C>>,
        slices: &Cells,
        budget: &Budget,
    ) -> Result<Meeting<C>, Stop> {
        let reachable = |kept: &Kept<C>| -> Result<(Reachable, Charge), Stop> {
            let reachable = Linker::new(cut, early, mirror, kept)?.reachable();
            let charge = budget.charge(reachable.bytes())?;
            Ok((reachable, charge))
        };
        let (upper, _upper_charge) = reachable(&top)?;
        let lower = bottom.as_ref().map(reachable).transpose()?;
        let lower = lower.as_ref().map_or(&upper, |(reachable, _)| reachable);
        let is_wanted = |pattern| slices.slice(pattern).is_some();
        let mut pairs = pairs_of([&upper, lower], &Symmetries::of(cut), is_wanted);
        let charge = budget.charge(size_of_val(&pairs[..]))?;
        // The longest columns first; pairs that read the same clusters come together.
        let open = [false, true].map(|mirrored| cut.late_links(early, mirrored));
        let open =
            open.iter().flatten().fold(0, |open, &(x, y)| open | 3 << (2 * x) | 3 << (2 * y));
        let middle = cut.middle();
        threads::sort_unstable_by_key(&mut pairs, |pair| {
            let is_short = pairs_of_ends(pair.upper) <= DENSE;
            let clusters = (pair.upper & !open, middle.completed(pair.upper) & !open);
            (slices.slice(pair.upper), is_short, clusters, pair.upper)
        });
        let end = |slice| pairs.partition_point(|pair| slices.slice(pair.upper) <= Some(slice));
        let ends = (0..slices.slices()).map(end).collect();
        Ok(Meeting { cut: *cut, early, mirror, top, bottom, pairs, ends, _charge: charge })
    }

    /// The pairs to join.
    pub(in crate::count::middle) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// How many states are kept of a slice.
    fn states_of(&self, slice: usize) -> u64 {
        self.top.states(slice) + self.bottom.as_ref().map_or(0, |bottom| bottom.states(slice))
    }

    /// How many states are kept.
    pub(in crate::count::middle) fn states(&self) -> u64 {
        (0..self.ends.len()).map(|slice| self.states_of(slice)).sum()
    }

    /// Gives the memory back.
    pub(in crate::count::middle) fn give_back(self) {
        self.top.give_back();
        self.bottom.into_iter().for_each(Kept::give_back);
    }

    /// Joins all pairs, slice by slice.
    ///
    /// # Errors
    /// As for [`Meeting::join`].
    pub(in crate::count::middle) fn join_slices(
        &self,
        slices: &[Slice],
        report: Report<'_>,
    ) -> Result<Vec<Partial>, Stop> {
        let all = self.pairs.len().max(1);
        let mut start = 0;
        let mut partials = Vec::new();
        for (number, (&slice, &end)) in slices.iter().zip(&self.ends).enumerate() {
            let pairs = &self.pairs[start..end];
            let report = report.part(as_real(start) / as_real(all), as_real(end) / as_real(all));
            let sum = self.join(pairs, report)?;
            let kept = self.states_of(number);
            partials.push(Partial { slice, sum, kept, pairs: pairs.len() as u64 });
            start = end;
        }
        Ok(partials)
    }

    /// Joins some of the pairs.
    ///
    /// # Errors
    /// When the watch halts, or a number outgrows 128 bits.
    pub(in crate::count::middle) fn join(
        &self,
        pairs: &[Pair],
        report: Report<'_>,
    ) -> Result<BigUint, Stop> {
        let linker = |kept| Linker::new(&self.cut, self.early, self.mirror, kept);
        let above = linker(&self.top)?;
        let below = linker(self.bottom.as_ref().unwrap_or(&self.top))?;
        let sum = join_all(pairs, [&above, &below], self.cut.middle(), report)?;
        // With mirror images added, each half counts every way twice.
        Ok(if self.mirror { sum >> 2 } else { sum })
    }
}
