//! All ranks, as rank 0 sees them: the one who asks.

use destrier::internal::Watch;
use destrier_compare::RANK_0_ALONE;

use crate::job::{Job, Order, Setup};
use crate::rank::Rank;
use crate::report::Tally;

/// The ranks of a run, in the hands of rank 0.
#[derive(Debug)]
pub struct Coordinator {
    rank: Rank,
    setup: Setup,
}

impl Coordinator {
    /// The coordinator of rank 0.
    #[must_use]
    pub fn new(mut rank: Rank, setup: Setup) -> Coordinator {
        rank.set_only_deals(setup.master_slave);
        Coordinator { rank, setup }
    }

    /// Rank 0 itself.
    pub(crate) fn rank(&mut self) -> &mut Rank {
        &mut self.rank
    }

    /// How many ranks there are.
    pub(crate) fn size(&self) -> usize {
        self.rank.size()
    }

    /// Begins a job on all ranks, this one included.
    pub(crate) fn begin(&mut self, job: Job, watch: &Watch) {
        self.rank.set_watch(watch.clone());
        let order = Order { setup: self.setup, job };
        let text = serde_json::to_string(&order).expect("a job can be written");
        self.rank.broadcast_job(&text);
    }

    /// Says that this is for rank 0 alone, if there are others.
    pub(crate) fn alone(&self, method: &str) {
        if self.size() > 1 {
            eprintln!("destrier-mpi: `{method}` {RANK_0_ALONE}");
        }
    }

    /// Ends the run on all ranks; gives what each took.
    #[must_use]
    pub fn quit(self) -> Vec<Tally> {
        self.rank.quit()
    }
}
