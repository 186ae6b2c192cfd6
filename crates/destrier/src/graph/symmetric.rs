//! Which symmetric tours can be, and what each kind is on the folded board.
//!
//! A symmetry `φ` that maps a tour to itself either moves it along itself (the direction is kept) or
//! reverses it. A cycle is moved along by a fixed number of steps, so `φ` fixes no square, and its order
//! divides the cycle evenly; the colours say which. A reversed cycle has exactly two fixed places, a
//! reversed path one: a fixed square, or a jump between a square and its own image. Each kind is a cycle
//! or a path of the folded board; a kind that cannot be is a reason. A `φ` that moves no open square maps every
//! tour to itself, and is the one exception: the aim is then that of the question without symmetry.
//!
//! Invariant: unfolding any answer of the aim gives a tour that `φ` maps to itself, and each comes of one.
//! Cost: linear in the board.
//! Source: the kinds are those of Euler, Bergholt and Sul'ian as Knuth names them (TAOCP 4, pre-fascicle 8a).

use destrier_rules::{Shape, Square, TourProblem};

use super::Vertex;
use super::cycle::Aim;
use super::fold::{Fold, FoldedTour, Visit};

/// What a symmetry does to the direction of a tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Kept,
    Reversed,
}

impl Fold<'_> {
    /// What to look for on the folded board, and the reason against each kind of tour that cannot be.
    pub(crate) fn aims(&self, problem: &TourProblem) -> (Vec<(Sense, Aim)>, Vec<String>) {
        if self.order() == 1 {
            let aim = Aim::of(problem, self.graph).map(|aim| (Sense::Kept, aim));
            return (aim.into_iter().collect(), Vec::new());
        }
        let fixed: Vec<Vertex> = self.orbits().filter(|&o| self.is_fixed(o)).collect();
        let through: Vec<Vertex> = self.orbits().filter(|&o| self.loops(o) != 0).collect();
        let kinds = if problem.shape == Shape::Closed {
            vec![
                (Sense::Kept, self.kept(problem, &fixed)),
                (Sense::Reversed, self.reversed_cycle(&fixed, through)),
            ]
        } else {
            vec![(Sense::Reversed, self.reversed_path(problem, &fixed, through))]
        };
        let (mut aims, mut reasons) = (Vec::new(), Vec::new());
        for (sense, aim) in kinds {
            match aim {
                Ok(aim) => aims.push((sense, aim)),
                Err(reason) => reasons.push(reason),
            }
        }
        (aims, reasons)
    }

    /// A cycle moved along itself: no fixed square, and colours that fit the number of steps.
    fn kept(&self, problem: &TourProblem, fixed: &[Vertex]) -> Result<Aim, String> {
        let symmetry = self.symmetry;
        let square = |orbit, turn| self.square(Visit { orbit, turn }, 0);
        if let Some(&fixed) = fixed.first() {
            return Err(format!(
                "a {symmetry} that keeps the direction of a tour fixes no square, but {} is fixed",
                square(fixed, 0)
            ));
        }
        let shift = self.len();
        if problem.board.is_two_coloured(problem.leaper) {
            let changes = square(0, 0).is_dark() != square(0, 1).is_dark();
            if changes != (shift % 2 == 1) {
                let (does, parity) = if changes { ("changes", "even") } else { ("keeps", "odd") };
                return Err(format!(
                    "a {symmetry} that keeps the direction moves the tour on by a multiple of {shift} \
                     steps, an {parity} number, and it {does} the colour of every square"
                ));
            }
        }
        // Total turns that generate all turns: 1 of 2; 1 and 3 of 4.
        Ok(Aim::Cycle { turns: if self.order() == 4 { 0b1010 } else { 0b10 } })
    }

    /// A reversed cycle: two places are fixed.
    fn reversed_cycle(&self, fixed: &[Vertex], through: Vec<Vertex>) -> Result<Aim, String> {
        let symmetry = self.symmetry;
        if self.order() == 4 {
            return Err(format!(
                "a {symmetry} cannot reverse a tour: applied twice it would be the identity"
            ));
        }
        match (fixed, through.len()) {
            ([], 2..) => Ok(Aim::PathAmong(through)),
            (&[one], 1..) => Ok(Aim::Path { starts: vec![one], ends: through }),
            (&[one, other], _) => Ok(Aim::Path { starts: vec![one], ends: vec![other] }),
            (fixed, jumps) => Err(format!(
                "a {symmetry} that reverses a closed tour fixes two places of it, squares or jumps between a \
                 square and its image; here it fixes {} and {}",
                count_of(fixed.len(), "square"),
                count_of(jumps, "jump")
            )),
        }
    }

    /// A reversed path: one place is fixed, its middle.
    fn reversed_path(
        &self,
        problem: &TourProblem,
        fixed: &[Vertex],
        through: Vec<Vertex>,
    ) -> Result<Aim, String> {
        let symmetry = self.symmetry;
        if self.order() == 4 {
            return Err(format!(
                "an open tour has two ends, and a {symmetry} would have to move them round in fours"
            ));
        }
        let ends = match (fixed, through.len()) {
            ([], 1..) => through,
            (&[one], _) => vec![one],
            ([], _) => {
                return Err(format!(
                    "a {symmetry} reverses an open tour, so its middle must be fixed, but no square is \
                     fixed, and none is a jump from its image"
                ));
            }
            (many, _) => {
                return Err(format!(
                    "a {symmetry} reverses an open tour and fixes only its middle, but {} squares are \
                     fixed",
                    many.len()
                ));
            }
        };
        let (files, ranks) = (problem.board.files(), problem.board.ranks());
        let image = problem.end.map(|end| symmetry.apply(end, files, ranks));
        if let (Some(start), Some(image), Some(end)) = (problem.start, image, problem.end)
            && start != image
        {
            return Err(format!(
                "a {symmetry} exchanges the ends of an open tour, and {end} goes to {image}, not to {start}"
            ));
        }
        let named = problem.start.or(image).and_then(|start| self.orbit(start));
        let starts = named.map_or_else(|| self.orbits().collect(), |start| vec![start]);
        Ok(Aim::Path { starts, ends })
    }

    /// The orbit of a square, unless it was left out.
    pub(crate) fn orbit(&self, square: Square) -> Option<Vertex> {
        self.graph.vertex(square).and_then(|vertex| self.orbit_of(vertex))
    }

    /// Unfolds a tour into squares of the board, in its order.
    pub(crate) fn unfold(&self, sense: Sense, tour: &FoldedTour) -> Vec<Square> {
        let visits = &tour.visits;
        match sense {
            Sense::Kept => {
                // The copy that follows begins where the jump home lands.
                let mut more = 0;
                let mut squares = Vec::with_capacity(visits.len() * usize::from(self.order()));
                for _ in 0..self.order() {
                    squares.extend(visits.iter().map(|&visit| self.square(visit, more)));
                    more = self.add(more, tour.total);
                }
                squares
            }
            Sense::Reversed => {
                let back = visits.iter().rev().filter(|visit| !self.is_fixed(visit.orbit));
                let there = visits.iter().map(|&visit| self.square(visit, 0));
                there.chain(back.map(|&visit| self.square(visit, 1))).collect()
            }
        }
    }
}

/// A number of things, in words.
fn count_of(count: usize, thing: &str) -> String {
    match count {
        0 => format!("no {thing}"),
        1 => format!("one {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::count_of;

    #[test]
    fn none_and_one_are_words_and_more_are_numbers() {
        assert_eq!([0, 1, 2].map(|n| count_of(n, "jump")), ["no jump", "one jump", "2 jumps"]);
    }
}
