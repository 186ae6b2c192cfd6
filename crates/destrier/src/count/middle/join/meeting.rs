//! Two halves as kept, ready to be joined: which pairs of patterns there are, and the sum over some of them.
//!
//! Invariant: pairs come in an order that depends on the question and the slice alone, so that whoever joins which, the
//! sums add up to the slice's.
//! Cost: the list of the patterns that can come of each half; then see `pair`.

use num_bigint::BigUint;

use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::column::Cell;
use crate::count::middle::half::cut::Cut;
use crate::count::middle::half::kept::Kept;
use crate::count::middle::join::link::{Linker, Reachable};
use crate::count::middle::join::matching::DENSE;
use crate::count::middle::join::pair::{Pair, Symmetries, join_all, pairs_of};
use crate::count::middle::join::pattern::{Pattern, pairs as pairs_of_ends};
use crate::count::middle::slices::report::Report;
use crate::outcome::Stop;
use crate::run::threads;
use crate::run::watch::Watch;

/// The two halves of a slice; the lower one is left out where it is the upper one upside down.
#[derive(Debug)]
pub(in crate::count::middle) struct Meeting<C> {
    cut: Cut,
    /// So many outer files have their edges between the middle rows already.
    early: usize,
    /// Was one of two mirror images kept?
    mirror: bool,
    top: Kept<C>,
    bottom: Option<Kept<C>>,
    pairs: Vec<Pair>,
    _charge: Charge,
}

impl<C: Cell> Meeting<C> {
    /// Puts two halves together, for the pairs that are wanted.
    ///
    /// # Errors
    /// When the budget is spent, or a count outgrows its cell.
    pub(in crate::count::middle) fn new(
        (cut, symmetries): (&Cut, &Symmetries),
        (early, mirror): (usize, bool),
        (top, bottom): (Kept<C>, Option<Kept<C>>),
        is_wanted: impl Fn(Pattern) -> bool + Sync,
        budget: &Budget,
    ) -> Result<Meeting<C>, Stop> {
        let reachable = |kept: &Kept<C>| -> Result<(Reachable, Charge), Stop> {
            let reachable = Linker::new(cut, (early, mirror), kept)?.reachable();
            let charge = budget.charge(reachable.bytes())?;
            Ok((reachable, charge))
        };
        let (upper, _upper_charge) = reachable(&top)?;
        let lower = bottom.as_ref().map(reachable).transpose()?;
        let lower = lower.as_ref().map_or(&upper, |(reachable, _)| reachable);
        let mut pairs = pairs_of([&upper, lower], symmetries, is_wanted);
        let charge = budget.charge(size_of_val(&pairs[..]))?;
        // The longest columns first; pairs that read the same clusters come together.
        let open = [false, true].map(|mirrored| cut.late_links(early, mirrored));
        let open =
            open.iter().flatten().fold(0, |open, &(x, y)| open | 3 << (2 * x) | 3 << (2 * y));
        let middle = cut.middle();
        threads::sort_unstable_by_key(&mut pairs, |pair| {
            let is_short = pairs_of_ends(pair.upper) <= DENSE;
            (is_short, pair.upper & !open, middle.completed(pair.upper) & !open, pair.upper)
        });
        Ok(Meeting { cut: *cut, early, mirror, top, bottom, pairs, _charge: charge })
    }

    /// The pairs to join.
    pub(in crate::count::middle) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// How many states are kept.
    pub(in crate::count::middle) fn states(&self) -> u64 {
        self.top.states() + self.bottom.as_ref().map_or(0, Kept::states)
    }

    /// Gives the memory back.
    pub(in crate::count::middle) fn give_back(self) {
        self.top.give_back();
        self.bottom.into_iter().for_each(Kept::give_back);
    }

    /// Joins some of the pairs.
    ///
    /// # Errors
    /// When the watch halts, or a number outgrows 128 bits.
    pub(in crate::count::middle) fn join(
        &self,
        pairs: &[Pair],
        telling: (Report, &Watch),
    ) -> Result<BigUint, Stop> {
        let linker = |kept| Linker::new(&self.cut, (self.early, self.mirror), kept);
        let above = linker(&self.top)?;
        let below = linker(self.bottom.as_ref().unwrap_or(&self.top))?;
        let sum = join_all(pairs, [&above, &below], self.cut.middle(), telling)?;
        // With mirror images added, each half counts every way twice.
        Ok(if self.mirror { sum >> 2 } else { sum })
    }
}
