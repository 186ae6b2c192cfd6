//! The distances between the knight's start and the pieces.
//!
//! Pieces do not block and squares may be revisited, so all that matters about a board is the table
//! of knight distances between the start (stop 0) and the pieces (stops 1..=q).
//!
//! Invariant: the table is symmetric, and with two colours `d(i, j)` is even exactly when the
//! colours of `i` and `j` agree.
//! Cost: one breadth-first search for each piece, and two bytes for each pair.

/// Distances between stops, and the colour of each stop where the board has two colours.
#[derive(Debug, Clone)]
pub(crate) struct Metric {
    stops: usize,
    distance: Vec<u16>,
    dark: Option<Vec<bool>>,
}

impl Metric {
    /// A table from its rows; `rows[i * stops + j]` is the distance from stop `i` to stop `j`.
    pub(crate) fn new(stops: usize, distance: Vec<u16>) -> Metric {
        debug_assert_eq!(distance.len(), stops * stops);
        let dark: Vec<bool> = (0..stops).map(|stop| distance[stop] & 1 == 1).collect();
        let two_coloured = (0..stops).all(|i| {
            (0..stops).all(|j| (distance[i * stops + j] & 1 == 1) == (dark[i] != dark[j]))
        });
        Metric { stops, distance, dark: two_coloured.then_some(dark) }
    }

    /// The number of stops: the start and the pieces.
    pub(crate) fn stops(&self) -> usize {
        self.stops
    }

    /// The fewest moves from one stop to another.
    #[inline]
    pub(crate) fn distance(&self, from: usize, to: usize) -> u32 {
        u32::from(self.distance[from * self.stops + to])
    }

    /// All distances from one stop.
    pub(crate) fn row(&self, from: usize) -> &[u16] {
        &self.distance[from * self.stops..][..self.stops]
    }

    /// The moves that a visit of the stops in this order takes.
    pub(crate) fn length(&self, order: &[usize]) -> u32 {
        order.windows(2).map(|step| self.distance(step[0], step[1])).sum()
    }

    /// How a plan can end, by the colour of its last square.
    ///
    /// The colour of the end determines the parity of the length, so that a bound of 117 for plans of
    /// even length is a bound of 118.
    pub(crate) fn endings(&self) -> Vec<Ending> {
        let Some(dark) = &self.dark else {
            return vec![Ending { parity: None, stops: (1..self.stops).collect() }];
        };
        [false, true]
            .into_iter()
            .map(|odd| Ending {
                parity: Some(u32::from(odd)),
                stops: (1..self.stops).filter(|&stop| dark[stop] == odd).collect(),
            })
            .filter(|ending| !ending.stops.is_empty())
            .collect()
    }
}

/// The plans whose last square has one colour (or any, on a board without two colours).
#[derive(Debug, Clone)]
pub(crate) struct Ending {
    /// The length modulo two, where the board determines it.
    pub(crate) parity: Option<u32>,
    /// The stops at which such a plan can end.
    pub(crate) stops: Vec<usize>,
}

impl Ending {
    /// The greatest length below `best` that such a plan could have: what must be refuted.
    pub(crate) fn target(&self, best: u32) -> u32 {
        let target = best.saturating_sub(1);
        match self.parity {
            Some(parity) if target & 1 != parity => target.saturating_sub(1),
            _ => target,
        }
    }

    /// The least length of such a plan that is not below `bound`.
    pub(crate) fn round_up(&self, bound: u32) -> u32 {
        match self.parity {
            Some(parity) if bound & 1 != parity => bound + 1,
            _ => bound,
        }
    }
}
