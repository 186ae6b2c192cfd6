//! Looking for a cycle or path of a folded board: small ones exactly, large ones by luck first.
//!
//! Two searches take turns with growing limits. The complete one ([`Weave`]) decides small boards
//! at once and ends with a proof when there is nothing. The walk with rotations ([`Rotation`]) finds
//! tours of large boards in about linear time. Each thread has its own seed; the first answer ends all.
//!
//! Invariant: "nothing" is said only when the complete search came to its end.
//! Cost: the limits double each round, so at most twice the work of the best limit is done.
//! Source: restarts after Luby, Sinclair and Zuckerman (1993).

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::quotient::{Lap, Quotient, Stop};
use super::rotation::Rotation;
use super::weave::{Verdict, Weave};
use super::web::{Aim, Web};
use crate::outcome::{Outcome, Run};
use crate::run::random::Random;
use crate::run::watch::{Halt, Watch};
use crate::tour::lanes::{Lane, first_of};

/// What a hunt did, in all its threads.
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

/// What came of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Quarry {
    /// Here it is.
    Found(Lap),
    /// There is none: the complete search looked at everything, in so many decisions.
    Nothing(u64),
}

/// Boards with fewer orbits than this are left to the complete search in the first round.
const SMALL: usize = 40;

/// Hunts until something is found that `accept` takes, or nothing is left, or the watch halts.
pub(crate) fn hunt(
    board: &Quotient,
    reach: &[u64],
    aim: &Aim,
    watch: &Watch,
    spent: &Spent,
    accept: &(dyn Fn(&Lap) -> bool + Sync),
) -> Result<Quarry, Halt> {
    if let Some(lap) = alone(board, aim).filter(|lap| accept(lap)) {
        return Ok(Quarry::Found(lap));
    }
    let web = OnceLock::new();
    let one = One { board, reach, aim, web: &web, spent, accept };
    // Most questions end in the first round, which is the same on every machine.
    let first = one.round(0, None, &mut Random::new(watch.seed()), &mut Lane::alone(watch))?;
    if let Some(quarry) = first {
        return Ok(quarry);
    }
    let answer = first_of(watch, watch.threads(), |number, lane| {
        let seed = watch.seed().wrapping_mul(0x1000).wrapping_add(number as u64 + 1);
        one.rounds(Random::new(seed), lane).map(Some)
    })?;
    Ok(answer.expect("a lane ends with an answer or a halt"))
}

/// The cycle of a folded board that has one orbit only: a jump from each square to its own image.
pub(crate) fn alone(board: &Quotient, aim: &Aim) -> Option<Lap> {
    let Aim::Cycle { turns } = aim else { return None };
    // Two squares and the jump between them, there and back, are no cycle.
    let totals = (board.len() == 1 && board.order() > 2).then(|| board.loops(0) & turns)?;
    let total = (0..board.order()).find(|turn| totals >> turn & 1 == 1)?;
    Some(Lap { stops: vec![Stop { orbit: 0, turn: 0 }], total })
}

/// One thread's hunt.
struct One<'h> {
    board: &'h Quotient,
    reach: &'h [u64],
    aim: &'h Aim,
    /// Made when the complete search first needs it.
    web: &'h OnceLock<Web>,
    spent: &'h Spent,
    accept: &'h (dyn Fn(&Lap) -> bool + Sync),
}

impl One<'_> {
    fn rounds(&self, mut random: Random, lane: &mut Lane) -> Result<Quarry, Halt> {
        let mut luck = Random::new(random.next());
        for round in 1_u32.. {
            if let Some(quarry) = self.round(round, Some(&mut luck), &mut random, lane)? {
                return Ok(quarry);
            }
        }
        Err(Halt::GaveUp)
    }

    /// Some walks, then the complete search, under the limits of this round.
    fn round(
        &self,
        round: u32,
        luck: Option<&mut Random>,
        random: &mut Random,
        lane: &mut Lane,
    ) -> Result<Option<Quarry>, Halt> {
        let orbits = self.board.len() as u64;
        if self.board.len() >= SMALL || round > 6 {
            let mut rotation = Rotation::new(self.board, self.reach);
            let tried = (0..4).find_map(|_| {
                let tried = rotation.attempt(self.aim, random, 20 * orbits + 200, lane);
                tried.map(|lap| lap.filter(|lap| (self.accept)(lap))).transpose()
            });
            let (steps, rotations) = rotation.effort();
            self.spent.steps.fetch_add(steps, Ordering::Relaxed);
            self.spent.rotations.fetch_add(rotations, Ordering::Relaxed);
            if let Some(lap) = tried.transpose()? {
                return Ok(Some(Quarry::Found(lap)));
            }
        }
        let limit = (4 * orbits + 500) << round.min(40);
        let mut found = None;
        let mut weave = Weave::new(self.web.get_or_init(|| Web::new(self.board, self.aim)));
        let verdict = weave.run(limit, luck, lane, &mut |lap| {
            if (self.accept)(&lap) {
                found = Some(lap);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        self.spent.nodes.fetch_add(weave.nodes(), Ordering::Relaxed);
        self.spent.dead_ends.fetch_add(weave.dead_ends().0, Ordering::Relaxed);
        self.spent.restarts.fetch_add(1, Ordering::Relaxed);
        Ok(match (verdict?, found) {
            (_, Some(lap)) => Some(Quarry::Found(lap)),
            (Verdict::Exhausted, None) => Some(Quarry::Nothing(weave.nodes())),
            _ => None,
        })
    }
}
