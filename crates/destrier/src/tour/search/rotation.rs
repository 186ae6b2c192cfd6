//! Large folded boards: walk by fewest exits, then reverse tails of the path until it fits.
//!
//! The walk of Warnsdorff with Roth's ties covers all of a board but a few squares. When it is stuck, the
//! last square has a jump back into the path; breaking the path there and running its tail backwards gives
//! another path over the same squares with another end. Such rotations bring the end next to what
//! was left out, and in the last act next to the beginning. It proves nothing when it fails.
//!
//! Invariant: consecutive visits are jumps of the unfolded board; `position` is the inverse of `path`.
//! Cost: a step of the walk is constant, a rotation is linear in the tail.
//! Source: Pósa (1976) for the rotations; Warnsdorff (1823) and Roth for the walk.

use crate::graph::cycle::Aim;
use crate::graph::fold::{Arc, Fold, FoldedTour, Visit};
use crate::graph::{Vertex, narrow};
use crate::run::random::Random;
use crate::run::watch::Halt;
use crate::tour::racer::Racer;

const NOWHERE: u32 = u32::MAX;

const FIRST: u8 = 1;
const LAST: u8 = 2;

/// How a path of this search may finish.
enum Finish {
    /// Back at its first visit, with one of these total turns.
    Home { turns: u8 },
    /// In any orbit marked `LAST`; where `loose`, the path may be reversed, and then begins in any
    /// orbit marked `FIRST`.
    Among {
        /// What each orbit may be.
        ends: Vec<u8>,
        /// Is the beginning free too?
        loose: bool,
    },
    /// With a jump to this orbit, which is kept free until then.
    At(Vertex),
}

/// A path under construction.
pub(crate) struct Rotation<'f> {
    fold: &'f Fold<'f>,
    /// How far out an orbit lies: the walk prefers the rim.
    reach: &'f [u64],
    path: Vec<Visit>,
    position: Vec<u32>,
    free: Vec<u32>,
    steps: u64,
    rotations: u64,
}

impl<'f> Rotation<'f> {
    /// An empty path; `reach` says how far from the centre each orbit lies.
    pub(crate) fn new(fold: &'f Fold<'f>, reach: &'f [u64]) -> Rotation<'f> {
        Rotation {
            fold,
            reach,
            path: Vec::with_capacity(fold.len()),
            position: vec![NOWHERE; fold.len()],
            free: vec![0; fold.len()],
            steps: 0,
            rotations: 0,
        }
    }

    /// Steps walked and rotations made so far.
    pub(crate) const fn effort(&self) -> (u64, u64) {
        (self.steps, self.rotations)
    }

    /// One attempt from a random start, of at most `limit` rotations.
    pub(crate) fn attempt(
        &mut self,
        aim: &Aim,
        random: &mut Random,
        limit: u64,
        racer: &mut Racer,
    ) -> Result<Option<FoldedTour>, Halt> {
        let orbits = self.fold.len();
        self.path.clear();
        self.position.fill(NOWHERE);
        for orbit in 0..narrow(orbits) {
            self.free[orbit as usize] = narrow(self.fold.arcs(orbit).len());
        }
        let Some((start, finish, reversed)) = self.plan(aim, random) else { return Ok(None) };
        let mut wanted = orbits;
        if let Finish::At(last) = finish {
            self.occupy(last);
            wanted -= 1;
        }
        self.push(Visit { orbit: start, turn: 0 });
        let mut left = limit;
        loop {
            while let Some(next) = self.fewest_exits(random) {
                racer.tick()?;
                self.push(next);
            }
            if self.path.len() == wanted
                && let Some(tour) = self.finished(&finish)
            {
                return Ok(Some(if reversed { self.backwards(tour) } else { tour }));
            }
            if left == 0 || self.path.len() < 3 {
                return Ok(None);
            }
            left -= 1;
            racer.tick()?;
            let free = matches!(finish, Finish::Home { .. } | Finish::Among { loose: true, .. });
            if free && random.below(32) == 0 {
                self.reverse();
            } else if !self.rotate(&finish, wanted, random) {
                return Ok(None);
            }
        }
    }

    /// Where to begin, how to finish, and whether the path is then to be reversed.
    fn plan(&self, aim: &Aim, random: &mut Random) -> Option<(Vertex, Finish, bool)> {
        let orbits = self.fold.len();
        let (starts, ends) = match aim {
            Aim::Cycle { turns } => {
                // The walk ends near the centre, and an end moves slowly: begin not far from there.
                let drawn = (0..16).map(|_| random.below(orbits)).min_by_key(|&o| self.reach[o]);
                return Some((narrow(drawn?), Finish::Home { turns: *turns }, false));
            }
            Aim::Path { starts, ends } => (starts, ends),
            Aim::PathAmong(ends) => (ends, ends),
        };
        // The scarcer side is where it begins: a beginning costs nothing to keep.
        let reversed = ends.len() < starts.len();
        let (near, far) = if reversed { (ends, starts) } else { (starts, ends) };
        let start = *near.get(random.below(near.len().max(1)))?;
        if far.len() * 8 > orbits {
            let mut ends = vec![0; orbits];
            for &orbit in near {
                ends[orbit as usize] |= FIRST;
            }
            for &orbit in far {
                ends[orbit as usize] |= LAST;
            }
            let loose = near.len() * 8 > orbits;
            return Some((start, Finish::Among { ends, loose }, reversed));
        }
        let others: Vec<Vertex> = far.iter().copied().filter(|&o| o != start).collect();
        let last = *others.get(random.below(others.len().max(1)))?;
        Some((start, Finish::At(last), reversed))
    }

    fn occupy(&mut self, orbit: Vertex) {
        for arc in self.fold.arcs(orbit) {
            self.free[arc.to as usize] -= 1;
        }
        self.position[orbit as usize] = NOWHERE - 1;
    }

    fn push(&mut self, visit: Visit) {
        self.steps += 1;
        self.occupy(visit.orbit);
        self.position[visit.orbit as usize] = narrow(self.path.len());
        self.path.push(visit);
    }

    fn end(&self) -> Visit {
        *self.path.last().expect("a path has a first visit")
    }

    fn along(&self, from: Visit, arc: Arc) -> Visit {
        Visit { orbit: arc.to, turn: self.fold.add(from.turn, arc.turn) }
    }

    /// The unvisited neighbour with the fewest exits, then farthest out, then at random.
    fn fewest_exits(&self, random: &mut Random) -> Option<Visit> {
        let end = self.end();
        if self.free[end.orbit as usize] == 0 {
            return None;
        }
        let salt = random.next();
        let ranked = self.fold.arcs(end.orbit).iter().enumerate().filter_map(|(i, &arc)| {
            let orbit = arc.to as usize;
            (self.position[orbit] == NOWHERE).then(|| {
                let rank = (
                    self.free[orbit],
                    u64::MAX - self.reach[orbit],
                    (salt >> (8 * (i % 8))) & 0xff,
                );
                (rank, self.along(end, arc))
            })
        });
        ranked.min_by_key(|&(rank, _)| rank).map(|(_, visit)| visit)
    }

    /// Does the last visit, as it would be, allow this finish? For a cycle and for a kept last orbit.
    fn closes(&self, last: Visit, finish: &Finish) -> bool {
        match finish {
            Finish::Among { ends, .. } => {
                let first = self.path[0];
                ends_fit(ends, first, last) || ends_fit(ends, last, first)
            }
            Finish::At(orbit) => self.fold.arcs(last.orbit).iter().any(|arc| arc.to == *orbit),
            Finish::Home { turns } => self.closing(last, *turns).is_some(),
        }
    }

    /// The total turn of the cycle that a jump home from this last visit would close, if it is allowed.
    fn closing(&self, last: Visit, turns: u8) -> Option<u8> {
        let first = self.path[0];
        let home = self.fold.arcs(last.orbit).iter().filter(|arc| arc.to == first.orbit);
        let mut totals =
            home.map(|&arc| self.fold.add(self.along(last, arc).turn, self.fold.minus(first.turn)));
        // With two orbits, going back by the same edge is no cycle.
        totals.find(|total| turns >> total & 1 == 1 && (self.path.len() > 2 || *total != 0))
    }

    /// The finished tour, where the path as it stands is one.
    fn finished(&self, finish: &Finish) -> Option<FoldedTour> {
        let end = self.end();
        let mut visits = self.path.clone();
        let mut total = 0;
        match finish {
            Finish::Home { turns } => total = self.closing(end, *turns)?,
            Finish::Among { ends, .. } if ends_fit(ends, visits[0], end) => {}
            Finish::Among { ends, .. } if ends_fit(ends, end, visits[0]) => visits.reverse(),
            Finish::Among { .. } => return None,
            Finish::At(last) => {
                let arc = self.fold.arcs(end.orbit).iter().find(|arc| arc.to == *last)?;
                visits.push(self.along(end, *arc));
            }
        }
        Some(FoldedTour { visits, total })
    }

    /// The same path from its last visit to its first; turns are counted anew from the last.
    fn backwards(&self, FoldedTour { visits, .. }: FoldedTour) -> FoldedTour {
        let base = visits.last().map_or(0, |visit| visit.turn);
        let anew = |visit: Visit| Visit {
            orbit: visit.orbit,
            turn: self.fold.add(visit.turn, self.fold.minus(base)),
        };
        FoldedTour { visits: visits.into_iter().rev().map(anew).collect(), total: 0 }
    }

    fn reverse(&mut self) {
        self.rotations += 1;
        self.path.reverse();
        for (i, visit) in self.path.iter().enumerate() {
            self.position[visit.orbit as usize] = narrow(i);
        }
    }

    /// Would a second rotation, after the one behind position `i`, bring a wanted end?
    fn leads_on(&self, i: usize, on: u8, end: Visit, wanted: impl Fn(Visit) -> bool) -> bool {
        let last = self.path.len() - 1;
        // Where a visit stands after the first rotation; done twice, it is where it was.
        let moved = |place: usize| if place <= i { place } else { i + 1 + last - place };
        let visit = |place: usize| {
            let visit = self.path[moved(place)];
            let turn = if place <= i { visit.turn } else { self.fold.add(visit.turn, on) };
            Visit { turn, ..visit }
        };
        self.fold.arcs(end.orbit).iter().any(|&arc| {
            let place = self.position[arc.to as usize] as usize;
            if place > last || moved(place) + 2 > last {
                return false; // kept for the last, or the visit before the end
            }
            let broken = moved(place);
            let there = self.along(end, arc).turn;
            let back = self.fold.add(visit(broken).turn, self.fold.minus(there));
            let next = visit(broken + 1);
            wanted(Visit { turn: self.fold.add(next.turn, back), ..next })
        })
    }

    /// Breaks the path at a neighbour of its end and runs the tail backwards. False where none can be.
    fn rotate(&mut self, finish: &Finish, wanted: usize, random: &mut Random) -> bool {
        let end = self.end();
        let full = self.path.len() == wanted;
        let mut best = (0_u64, None);
        for &arc in self.fold.arcs(end.orbit) {
            let i = self.position[arc.to as usize] as usize;
            if i + 2 >= self.path.len() {
                continue; // left out, kept for the last, or the visit before the end
            }
            let reached = self.along(end, arc);
            let on = self.fold.add(self.path[i].turn, self.fold.minus(reached.turn));
            let next = self.path[i + 1];
            let next = Visit { orbit: next.orbit, turn: self.fold.add(next.turn, on) };
            let is_wanted = |end: Visit| {
                if full { self.closes(end, finish) } else { self.free[end.orbit as usize] > 0 }
            };
            let good =
                if is_wanted(next) { 2 } else { u64::from(self.leads_on(i, on, next, is_wanted)) };
            let rank = (good << 32) + (random.next() >> 33) + 1;
            if rank > best.0 {
                best = (rank, Some((i, on)));
            }
        }
        let (_, Some((i, on))) = best else { return false };
        self.rotations += 1;
        self.path[i + 1..].reverse();
        for j in i + 1..self.path.len() {
            let visit = &mut self.path[j];
            visit.turn = self.fold.add(visit.turn, on);
            self.position[visit.orbit as usize] = narrow(j);
        }
        true
    }
}

/// May a path begin here and end there?
fn ends_fit(ends: &[u8], first: Visit, last: Visit) -> bool {
    ends[first.orbit as usize] & FIRST != 0 && ends[last.orbit as usize] & LAST != 0
}

#[cfg(test)]
mod tests {
    use destrier_rules::{Board, Symmetry};

    use super::*;
    use crate::graph::KnightGraph;
    use crate::run::watch::Watch;

    #[test]
    fn half_turn_tours_unfold_into_tours_of_the_board() {
        for (side, seed) in [(6, 1), (8, 2), (20, 3), (50, 4)] {
            let graph = KnightGraph::new(&Board::new(side, side).unwrap());
            let folded = Fold::new(&graph, Symmetry::HalfTurn, None);
            let reach = vec![0; folded.len()];
            let mut rotation = Rotation::new(&folded, &reach);
            let mut random = Random::new(seed);
            let aim = Aim::Cycle { turns: 0b10 };
            let watch = Watch::halting_at(10_000_000);
            let mut racer = Racer::alone(&watch);
            let tour = loop {
                let limit = 20 * folded.len() as u64;
                let tried = rotation.attempt(&aim, &mut random, limit, &mut racer).unwrap();
                if let Some(tour) = tried {
                    break tour;
                }
            };
            assert_eq!(tour.total, 1);
            let copy = |more| tour.visits.iter().map(move |&visit| (visit, more));
            let mut squares: Vec<u32> =
                copy(0).chain(copy(1)).map(|(visit, more)| folded.vertex(visit, more)).collect();
            squares.push(squares[0]);
            for pair in squares.windows(2) {
                assert!(graph.neighbours(pair[0]).contains(&pair[1]));
            }
            squares.pop();
            squares.sort_unstable();
            assert!(squares.into_iter().eq(graph.vertices()));
        }
    }
}
