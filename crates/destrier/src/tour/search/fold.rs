//! Which symmetric tours can be at all, and how each kind is found on the folded board.
//!
//! A tour that a turn or mirror `φ` maps to itself is either moved along itself (the direction is kept) or run
//! backwards. A cycle is moved along by a fixed number of steps, so `φ` fixes no square, and its order
//! divides the cycle evenly; the colours say which. Run backwards, a cycle has exactly two places that stay
//! put, and a path has one: a fixed square, or a jump between a square and its own image.
//! Each way becomes a cycle or a path of the folded board; a way that cannot be is a reason.
//!
//! Invariant: unfolding any answer of the aim gives a tour that `φ` maps to itself.
//! Cost: linear in the board.
//! Source: the kinds are those of Euler, Bergholt and Sul'ian as Knuth names them (TAOCP 4, pre-fascicle 8a).

use destrier_rules::{Shape, Square, Symmetry, TourProblem};

use super::quotient::{Lap, Quotient, Stop, narrow};
use super::web::Aim;
use crate::graph::{KnightGraph, Vertex};

/// How a symmetry acts along the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// The turned tour runs the same way.
    Kept,
    /// The turned tour runs backwards.
    Reversed,
}

/// One way to look for a tour: a folded board, what to find there, and how to unfold it.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) sense: Sense,
    pub(crate) aim: Aim,
}

/// A board folded by one of its turns or mirrors.
#[derive(Debug)]
pub(crate) struct Fold<'g> {
    graph: &'g KnightGraph,
    pub(crate) turn: Symmetry,
    pub(crate) quotient: Quotient,
    /// How far from the centre each orbit lies, as the square of twice the distance.
    pub(crate) reach: Vec<u64>,
}

impl<'g> Fold<'g> {
    /// Folds the board of a question, leaving out `without`.
    ///
    /// The turn must map the board to itself.
    pub(crate) fn new(
        problem: &TourProblem,
        graph: &'g KnightGraph,
        turn: Symmetry,
        without: Option<Vertex>,
    ) -> Fold<'g> {
        let (files, ranks) = (problem.board.files(), problem.board.ranks());
        let order = match turn {
            Symmetry::Identity => 1,
            Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => 4,
            _ => 2,
        };
        let image = |v: Vertex| {
            let image = turn.apply(graph.square(v), files, ranks);
            graph.vertex(image).expect("the board has this symmetry")
        };
        let images: Vec<Vertex> = graph.vertices().map(image).collect();
        let quotient = Quotient::new(graph.len(), |v| graph.neighbours(v), &images, order, without);
        let off = |at: u32, side: u32| (2 * u64::from(at) + 1).abs_diff(u64::from(side)).pow(2);
        let reach = (0..narrow(quotient.len()))
            .map(|orbit| {
                let square = graph.square(quotient.square(Stop { orbit, turn: 0 }, 0));
                off(square.file, files) + off(square.rank, ranks)
            })
            .collect();
        Fold { graph, turn, quotient, reach }
    }

    /// The square of a vertex of the board.
    pub(crate) fn named(&self, stop: Stop, more: u8) -> Square {
        self.graph.square(self.quotient.square(stop, more))
    }

    fn orbits(&self) -> impl Iterator<Item = u32> + use<> {
        0..narrow(self.quotient.len())
    }

    /// The ways in which a tour may have this symmetry, and the reason against each that cannot be.
    pub(crate) fn ways(&self, problem: &TourProblem) -> (Vec<Way>, Vec<String>) {
        let fixed: Vec<u32> = self.orbits().filter(|&o| self.quotient.is_fixed(o)).collect();
        let through: Vec<u32> = self.orbits().filter(|&o| self.quotient.loops(o) != 0).collect();
        let mut ways = Vec::new();
        let mut reasons = Vec::new();
        let mut weigh = |sense, aim: Result<Aim, String>| match aim {
            Ok(aim) => ways.push(Way { sense, aim }),
            Err(reason) => reasons.push(reason),
        };
        if problem.shape == Shape::Closed {
            weigh(Sense::Kept, self.kept(problem, &fixed));
            weigh(Sense::Reversed, self.reversed_cycle(&fixed, through));
        } else {
            weigh(Sense::Reversed, self.reversed_path(problem, &fixed, through));
        }
        (ways, reasons)
    }

    /// A cycle moved along itself: no fixed square, and colours that fit the number of steps.
    fn kept(&self, problem: &TourProblem, fixed: &[u32]) -> Result<Aim, String> {
        let turn = self.turn;
        if !fixed.is_empty() {
            let stays = self.named(Stop { orbit: fixed[0], turn: 0 }, 0);
            return Err(format!(
                "a {turn} that keeps the direction moves every square along the tour, and {stays} stays"
            ));
        }
        let shift = self.quotient.len();
        if problem.board.is_two_coloured(problem.leaper) && shift > 0 {
            let here = self.named(Stop { orbit: 0, turn: 0 }, 0);
            let there = self.named(Stop { orbit: 0, turn: 0 }, 1);
            let changes = here.is_dark() != there.is_dark();
            if changes != (shift % 2 == 1) {
                let (does, parity) = if changes {
                    ("changes the colour of every square", "even")
                } else {
                    ("keeps the colour of every square", "odd")
                };
                return Err(format!(
                    "a {turn} that keeps the direction moves the tour on by a multiple of {shift} \
                     steps, an {parity} number, and it {does}"
                ));
            }
        }
        // Total turns that generate all turns: 1 of 2; 1 and 3 of 4.
        Ok(Aim::Cycle { turns: if self.quotient.order() == 4 { 0b1010 } else { 0b10 } })
    }

    /// A cycle run backwards: two places stay put.
    fn reversed_cycle(&self, fixed: &[u32], through: Vec<u32>) -> Result<Aim, String> {
        let turn = self.turn;
        if self.quotient.order() == 4 {
            return Err(format!(
                "a {turn} cannot run a tour backwards: done twice it would be nothing"
            ));
        }
        match (fixed, through.len()) {
            ([], 2..) => Ok(Aim::Path { starts: through.clone(), ends: through }),
            (&[one], 1..) => Ok(Aim::Path { starts: vec![one], ends: through }),
            (&[one, other], _) => Ok(Aim::Path { starts: vec![one], ends: vec![other] }),
            ([] | [_], few) => Err(format!(
                "a {turn} that runs a closed tour backwards leaves two places of it where they are, and \
                 the board has {} that stay",
                stay(fixed.len(), few)
            )),
            (many, _) => Err(format!(
                "a {turn} that runs a closed tour backwards leaves two places of it where they are, and \
                 {} squares stay",
                many.len()
            )),
        }
    }

    /// A path run backwards: one place stays put, in its middle.
    fn reversed_path(
        &self,
        problem: &TourProblem,
        fixed: &[u32],
        through: Vec<u32>,
    ) -> Result<Aim, String> {
        let turn = self.turn;
        if self.quotient.order() == 4 {
            return Err(format!(
                "an open tour has two ends, and a {turn} would have to move them round in fours"
            ));
        }
        let ends = match (fixed, through.len()) {
            ([], 1..) => through,
            (&[one], _) => vec![one],
            ([], _) => {
                return Err(format!(
                    "a {turn} runs an open tour backwards and leaves its middle where it is, but \
                     no square stays, and no square is a jump from its image"
                ));
            }
            (many, _) => {
                return Err(format!(
                    "a {turn} runs an open tour backwards and leaves only its middle where it is, but \
                     {} squares stay",
                    many.len()
                ));
            }
        };
        let (files, ranks) = (problem.board.files(), problem.board.ranks());
        let image = problem.end.map(|end| turn.apply(end, files, ranks));
        if let (Some(start), Some(image), Some(end)) = (problem.start, image, problem.end)
            && start != image
        {
            return Err(format!(
                "a {turn} exchanges the ends of an open tour, and {end} goes to {image}, not to {start}"
            ));
        }
        let starts = match problem.start.or(image) {
            Some(start) => vec![self.orbit(start)],
            None => self.orbits().collect(),
        };
        Ok(Aim::Path { starts, ends })
    }

    /// The orbit of a named square.
    pub(crate) fn orbit(&self, square: Square) -> u32 {
        let vertex = self.graph.vertex(square).expect("the question was looked at first");
        self.quotient.orbit_of(vertex)
    }

    /// Unfolds stops into squares of the board, in the order of the tour.
    pub(crate) fn unfold(&self, sense: Sense, lap: &Lap) -> Vec<Square> {
        let stops = &lap.stops;
        match sense {
            Sense::Kept => {
                // The copy that follows begins where the jump home lands.
                let mut more = 0;
                let mut squares =
                    Vec::with_capacity(stops.len() * usize::from(self.quotient.order()));
                for _ in 0..self.quotient.order() {
                    squares.extend(stops.iter().map(|&stop| self.named(stop, more)));
                    more = self.quotient.add(more, lap.total);
                }
                squares
            }
            Sense::Reversed => {
                let back = stops.iter().rev().filter(|stop| !self.quotient.is_fixed(stop.orbit));
                let there = stops.iter().map(|&stop| self.named(stop, 0));
                there.chain(back.map(|&stop| self.named(stop, 1))).collect()
            }
        }
    }

    /// The turns (as bits) by which the last stop's jumps lead to a copy of the first.
    pub(crate) fn closing_turns(&self, stops: &[Stop]) -> u8 {
        let (first, last) = (stops[0], stops[stops.len() - 1]);
        if stops.len() == 1 {
            return self.quotient.loops(first.orbit);
        }
        let home = self.quotient.arcs(last.orbit).iter().filter(|arc| arc.to == first.orbit);
        home.fold(0, |turns, arc| {
            let there = self.quotient.add(last.turn, arc.turn);
            turns | 1 << self.quotient.add(there, self.quotient.minus(first.turn))
        })
    }
}

/// The places that stay put, in words.
fn stay(fixed: usize, through: usize) -> String {
    let of = |count: usize, one: &str, many: &str| match count {
        0 => format!("no {one}"),
        1 => format!("one {one}"),
        _ => format!("{count} {many}"),
    };
    let squares = of(fixed, "square", "squares");
    let jumps =
        of(through, "jump between a square and its image", "jumps between a square and its image");
    format!("{squares} and {jumps}")
}
