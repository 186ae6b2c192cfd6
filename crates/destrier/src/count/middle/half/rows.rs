//! The rows of a half board before its last: the states that each leaves for the next.
//!
//! Between two rows the slots are renamed, so that every row finds its squares in the same order, and of
//! two states that are mirror images of each other only the lesser goes on: their numbers of ways add up.
//!
//! Invariant: every way to fill the rows so far is in exactly one state, or in its mirror image.
//! Cost: that of the sweep, and a merge of what its parts left.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::half::cut::{Cut, Side};
use crate::count::middle::half::plan::{Plan, slots};
use crate::count::middle::half::state::{DONE, Packing, State, mate, rewrite};
use crate::count::middle::half::sweep::{All, Row, Shares, Sink, Source, power_of_two};
use crate::count::middle::join::pattern::Pattern;
use crate::count::middle::slices::report::Report;
use crate::count::middle::storage::pages::{PageList, Store, Writer};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// The states before the last row of a half.
pub(in crate::count::middle) struct Half {
    pub(in crate::count::middle) cut: Cut,
    pub(in crate::count::middle) side: Side,
    /// Keep only one of a state and its mirror image.
    pub(in crate::count::middle) mirror: bool,
}

impl Half {
    pub(in crate::count::middle) fn packing(&self) -> Packing {
        Packing::new(slots(&self.cut))
    }

    /// Settles a row that is not the last, from the lists of states that the row before it left.
    pub(in crate::count::middle) fn settle_row(
        &self,
        row: usize,
        lists: Vec<Source<'_>>,
        store: &Store,
        watch: &Watch,
    ) -> Result<Vec<PageList>, Halt> {
        let plan = Plan::new(&self.cut, self.side, row);
        let packing = self.packing();
        let settled = Row { plan: &plan, packing, wanted: &All, report: Report::SILENT };
        let parts = power_of_two(Packing::MOST_PARTS, Shares::of(store).pages / 2);
        let sinks = settled.run(lists, store, watch, || Relay {
            half: self,
            store,
            plan: &plan,
            writers: (0..parts).map(|_| Writer::default()).collect(),
        })?;
        let mut laid: Vec<Writer> = (0..parts).map(|_| Writer::default()).collect();
        for sink in sinks {
            for (writer, laid) in sink.writers.into_iter().zip(&mut laid) {
                writer.pour(laid, store)?;
            }
        }
        // Mirror images come from different parts of the row: merge once more.
        threads::try_map(laid, |writer| {
            let list = writer.finish(store)?;
            let mut merged = Writer::default();
            settled.merged(
                Source::Own(list),
                1,
                &Shares::of(store),
                store,
                &mut Vec::new(),
                &mut |states| states.iter().try_for_each(|&state| merged.push(state, store)),
            )?;
            merged.finish(store)
        })
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
    store: &'a Store,
    plan: &'a Plan,
    writers: Vec<Writer>,
}

impl Sink for Relay<'_> {
    fn take(&mut self, _: Pattern, states: &[State]) -> Result<(), Halt> {
        let parts = self.writers.len();
        for &state in states {
            let plain = self.half.renamed(self.plan, state, false);
            let kept = if self.half.mirror {
                plain.min(self.half.renamed(self.plan, state, true))
            } else {
                plain
            };
            let part = self.half.packing().part(kept, parts, 0);
            self.writers[part].push(kept, self.store)?;
        }
        Ok(())
    }
}
