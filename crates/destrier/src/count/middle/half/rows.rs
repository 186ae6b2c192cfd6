//! The rows of a half, from the first to the edges between the middle rows.
//!
//! Between two rows, of two patterns that are mirror images of each other only one is kept: their counts add up.
//!
//! Invariant: what is kept, with its mirror image added where the question has one, is the number of ways to have each
//! set of paths, twice over.
//! Cost: `docs/middle.md` has the numbers of states and times.

use crate::count::middle::half::budget::{Budget, Charge};
use crate::count::middle::half::cells::{Cells, Wanted};
use crate::count::middle::half::column::{Cell, Layer};
use crate::count::middle::half::cut::{Cut, Side};
use crate::count::middle::half::kept::{Collector, Filing, Kept};
use crate::count::middle::half::plan::{Planner, Step};
use crate::count::middle::half::slots::Slots;
use crate::count::middle::half::sweep::Sweep;
use crate::count::middle::slices::report::Report;
use crate::outcome::Stop;
use crate::run::watch::Watch;

/// The rows of a half.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Half {
    pub(in crate::count::middle) cut: Cut,
    pub(in crate::count::middle) side: Side,
    /// Keep one of two mirror images at the end of a row?
    pub(in crate::count::middle) mirror: bool,
}

/// The columns before a row.
#[derive(Debug)]
pub(in crate::count::middle) struct Before<C> {
    pub(in crate::count::middle) layer: Layer<C>,
    _charge: Charge,
}

impl<C: Cell> Before<C> {
    /// Before the first row.
    pub(in crate::count::middle) fn first_row(budget: &Budget) -> Result<Before<C>, Stop> {
        Ok(Before { layer: Layer::blank(), _charge: budget.charge(0)? })
    }
}

impl Half {
    pub(in crate::count::middle) fn slots(&self) -> Slots {
        Slots::new(self.cut.files, self.cut.is_open())
    }

    /// Settles the rows from one on, but for the last.
    ///
    /// # Errors
    /// When the run should stop, a count outgrows its cell, or the budget is spent.
    pub(in crate::count::middle) fn before_last<C: Cell>(
        &self,
        first: &Layer<C>,
        from: usize,
        budget: &Budget,
        watch: &Watch,
    ) -> Result<Before<C>, Stop> {
        let filing = Filing::new(self.slots(), self.mirror, None, Cells::one());
        let mut before: Option<Before<C>> = None;
        for row in from..self.cut.depth(self.side) - 1 {
            let steps = Planner::new(&self.cut, self.side, row).row();
            let wanted = Wanted::default();
            let report = Report::silent(watch);
            let sweep = Sweep { steps: &steps, wanted: &wanted, budget, report };
            let layer = before.as_ref().map_or(first, |before| &before.layer);
            let collectors = sweep.run(layer, &|| Collector::new(&filing, budget))?;
            let (layer, charge) =
                Kept::new(&filing, collectors, budget, watch)?.into_layer(budget, watch)?;
            before = Some(Before { layer, _charge: charge });
        }
        match before {
            Some(before) => Ok(before),
            None => Ok(Before { layer: first.clone(), _charge: budget.charge(first.bytes())? }),
        }
    }

    /// The steps of the last row, with the edges between the middle rows that so many outer files have.
    pub(in crate::count::middle) fn last_steps(&self, early: usize) -> Vec<Step> {
        Planner::new(&self.cut, self.side, self.cut.depth(self.side) - 1).last_row(early)
    }

    /// How what the last row leaves is filed.
    pub(in crate::count::middle) fn filing(&self, early: usize, cells: Cells) -> Filing {
        let middle = self.cut.middle();
        let links = [false, true].map(|mirrored| self.cut.late_links(early, mirrored));
        let open =
            links.iter().flatten().fold(0, |open, &(x, y)| open | 3 << (2 * x) | 3 << (2 * y));
        let steady = ((1 << (2 * middle.places())) - 1) & !open;
        Filing::new(self.slots(), self.mirror, Some(steady), cells)
    }
}
