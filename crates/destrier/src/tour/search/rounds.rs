//! Looking for a cycle or path of a folded board: small ones exactly, large ones at random first.
//!
//! Two searches take turns with growing limits. The complete one ([`EdgeSearch`]) decides small boards
//! at once and ends with a proof when there is nothing. The walk with rotations ([`Rotation`]) finds
//! tours of large boards in about linear time. Each thread has its own seed; the first answer ends all.
//!
//! Invariant: "none" is said only when the complete search has finished.
//! Cost: the limits double each round, so at most twice the work of the best limit is done.
//! Source: restarts after Luby, Sinclair and Zuckerman (1993).

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::edges::{EdgeSearch, Verdict};
use super::rotation::Rotation;
use crate::graph::cycle::{Aim, CycleGraph};
use crate::graph::fold::{Fold, FoldedTour, Visit};
use crate::outcome::{Outcome, Run};
use crate::run::random::Random;
use crate::run::watch::{Halt, Watch};
use crate::tour::racer::{Racer, first_of};

/// What a search did, in all its threads.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    nodes: AtomicU64,
    dead_ends: AtomicU64,
    steps: AtomicU64,
    rotations: AtomicU64,
    restarts: AtomicU64,
}

impl Spent {
    /// All nodes: decisions of the complete search and steps of the walks.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed) + self.steps.load(Ordering::Relaxed)
    }

    /// A run that ended so, with what it took.
    pub(crate) fn run<S>(&self, outcome: Outcome<S>) -> Run<S> {
        let mut run = Run::new(outcome, self.nodes());
        run.effort.details = self.details();
        run
    }

    fn details(&self) -> Vec<(&'static str, u64)> {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        vec![
            ("decisions", read(&self.nodes)),
            ("dead ends", read(&self.dead_ends)),
            ("steps", read(&self.steps)),
            ("rotations", read(&self.rotations)),
            ("restarts", read(&self.restarts)),
        ]
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Searched {
    Found(FoldedTour),
    /// There is none, by exhaustive search, in this many decisions.
    Exhausted(u64),
}

/// Boards with fewer orbits than this are left to the complete search in the first round.
const SMALL: usize = 40;

/// Searches until a tour is found that `accept` takes, or none is left, or the watch halts.
pub(crate) fn search(
    fold: &Fold,
    aim: &Aim,
    watch: &Watch,
    spent: &Spent,
    accept: &(dyn Fn(&FoldedTour) -> bool + Sync),
) -> Result<Searched, Halt> {
    if let Some(tour) = aim.of_one_orbit(fold).filter(|tour| accept(tour)) {
        return Ok(Searched::Found(tour));
    }
    let off_centre = |orbit| fold.graph.off_centre(fold.vertex(Visit { orbit, turn: 0 }, 0));
    let reach: Vec<u64> = fold.orbits().map(off_centre).collect();
    let graph = OnceLock::new();
    let search = Search { fold, reach: &reach, aim, graph: &graph, spent, accept };
    // Most questions end in the first round, which is the same on every machine. A seed breaks its ties, too.
    let mut random = Random::new(watch.seed());
    let mut ties = (watch.seed() != 0).then(|| Random::new(random.next()));
    let racer = &mut Racer::alone(watch);
    if let Some(searched) = search.round(0, ties.as_mut(), &mut random, racer)? {
        return Ok(searched);
    }
    let answer = first_of(watch, watch.threads(), |number, racer| {
        let seed = watch.seed().wrapping_mul(0x1000).wrapping_add(number as u64 + 1);
        search.rounds(Random::new(seed), racer).map(Some)
    })?;
    Ok(answer.expect("a racer ends with an answer or a halt"))
}

/// What the threads of a search share.
struct Search<'s> {
    fold: &'s Fold<'s>,
    /// How far from the centre each orbit lies.
    reach: &'s [u64],
    aim: &'s Aim,
    /// Made when the complete search first needs it.
    graph: &'s OnceLock<CycleGraph>,
    spent: &'s Spent,
    accept: &'s (dyn Fn(&FoldedTour) -> bool + Sync),
}

impl Search<'_> {
    fn rounds(&self, mut random: Random, racer: &mut Racer) -> Result<Searched, Halt> {
        let mut ties = Random::new(random.next());
        for round in 1_u32.. {
            if let Some(searched) = self.round(round, Some(&mut ties), &mut random, racer)? {
                return Ok(searched);
            }
        }
        Err(Halt::GaveUp)
    }

    /// Some walks, then the complete search, under the limits of this round.
    fn round(
        &self,
        round: u32,
        ties: Option<&mut Random>,
        random: &mut Random,
        racer: &mut Racer,
    ) -> Result<Option<Searched>, Halt> {
        let orbits = self.fold.len() as u64;
        if self.fold.len() >= SMALL || round > 6 {
            let mut rotation = Rotation::new(self.fold, self.reach);
            let tried = (0..4).find_map(|_| {
                let tried = rotation.attempt(self.aim, random, 20 * orbits + 200, racer);
                tried.map(|tour| tour.filter(|tour| (self.accept)(tour))).transpose()
            });
            let (steps, rotations) = rotation.effort();
            self.spent.steps.fetch_add(steps, Ordering::Relaxed);
            self.spent.rotations.fetch_add(rotations, Ordering::Relaxed);
            if let Some(tour) = tried.transpose()? {
                return Ok(Some(Searched::Found(tour)));
            }
        }
        let limit = (4 * orbits + 500) << round.min(40);
        let mut found = None;
        let mut edges =
            EdgeSearch::new(self.graph.get_or_init(|| CycleGraph::new(self.fold, self.aim)));
        let verdict = edges.run(limit, ties, racer, &mut |tour| {
            if (self.accept)(&tour) {
                found = Some(tour);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        self.spent.nodes.fetch_add(edges.nodes(), Ordering::Relaxed);
        self.spent.dead_ends.fetch_add(edges.dead_ends().0, Ordering::Relaxed);
        self.spent.restarts.fetch_add(1, Ordering::Relaxed);
        Ok(match (verdict?, found) {
            (_, Some(tour)) => Some(Searched::Found(tour)),
            (Verdict::Exhausted, None) => Some(Searched::Exhausted(edges.nodes())),
            _ => None,
        })
    }
}
