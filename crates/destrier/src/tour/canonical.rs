//! One name for a tour and all its turns, mirrors and reversals.
//!
//! A tour is written from its smallest end (or, closed, from its smallest square) towards the smaller
//! side; of the images under the symmetries of the question, the smallest so written stands for all.
//!
//! Invariant: exactly one tour of each class is the first of its class.
//! Cost: eight passes over the squares at most, most of them cut short.

use destrier_rules::{Shape, Square, Symmetry, Tour, TourProblem};

/// Says which tours stand for their class.
#[derive(Clone, Debug)]
pub(crate) struct Canon {
    shape: Shape,
    one_way: bool,
    files: u32,
    ranks: u32,
    symmetries: Vec<Symmetry>,
}

impl Canon {
    /// The classes of a question: its ends must stay where they are.
    #[must_use]
    pub(crate) fn new(problem: &TourProblem) -> Canon {
        let (files, ranks) = (problem.board.files(), problem.board.ranks());
        let mut symmetries = problem.board.symmetries();
        let stays = |s: &Symmetry, end: Option<Square>| {
            end.is_none_or(|end| s.apply(end, files, ranks) == end)
        };
        symmetries.retain(|s| stays(s, problem.start) && stays(s, problem.end));
        let one_way = problem.is_one_way();
        Canon { shape: problem.shape, one_way, files, ranks, symmetries }
    }

    /// Does this tour stand for its class?
    #[must_use]
    pub(crate) fn is_first(&self, tour: &Tour) -> bool {
        let own = self.written(&tour.0, Symmetry::Identity);
        self.symmetries.iter().all(|&symmetry| {
            symmetry == Symmetry::Identity || own.clone().le(self.written(&tour.0, symmetry))
        })
    }

    /// The image of a tour, from where and which way it is written.
    fn written<'t>(
        &'t self,
        squares: &'t [Square],
        symmetry: Symmetry,
    ) -> impl Iterator<Item = Square> + Clone + 't {
        let n = squares.len();
        let at = move |step: usize| symmetry.apply(squares[step], self.files, self.ranks);
        let key = move |step: usize| (at(step).rank, at(step).file);
        let (first, back) = match self.shape {
            Shape::Closed if !self.one_way => {
                let first = (0..n).min_by_key(|&step| key(step)).unwrap_or(0);
                let (after, before) = ((first + 1) % n, (first + n - 1) % n);
                (first, key(before) < key(after))
            }
            Shape::Open if !self.one_way && key(n - 1) < key(0) => (n - 1, true),
            _ => (0, false),
        };
        (0..n).map(move |step| at(if back { (first + n - step) % n } else { (first + step) % n }))
    }
}
