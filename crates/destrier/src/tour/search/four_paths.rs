//! One path whose four quarter turns, one after the other, are a tour.
//!
//! The path P visits one square of each fourfold orbit; its quarter turns cover the board, all but the
//! centre of an odd one. The copies can be chained because the end of each is a jump from the start of
//! another. The centre comes at an end of the chain, or between two copies: it joins the end of one to the start of
//! another, or to its end, and then all copies after it are run backwards.
//! So P is a Hamiltonian path of the board folded in four, and the jump from its end to a copy of its start
//! makes it a cycle there, with a total turn that is not zero. On even sides only a turn of one or three
//! quarters can reach all four copies, and the colours allow that on sides 4k+2 alone.
//!
//! Invariant: each tour shown is four turned copies of its first quarter, and perhaps the centre.
//! Cost: that of a board of a quarter of the size.

use std::ops::ControlFlow;

use destrier_rules::{Obstacle, Problem, Shape, Square, Symmetry, Tour, TourProblem};

use super::edges::Verdict;
use super::rounds::{Searched, Spent, search};
use super::{NAME, all_of, as_listed, read_off};
use crate::graph::cycle::Aim;
use crate::graph::fold::{Fold, FoldedTour, Visit};
use crate::graph::{KnightGraph, Vertex};
use crate::outcome::{Outcome, Run};
use crate::run::watch::{Halt, Watch};

/// Where the centre may come: after this many copies.
const LAST: usize = 4;
const ANYWHERE: [usize; 5] = [LAST, 2, 1, 3, 0];

/// Where the centre of an odd board comes in a tour of four paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Centre {
    /// Anywhere; at the end, if that can be.
    #[default]
    Anywhere,
    /// Before the first path.
    First,
    /// Between two of the paths.
    Between,
    /// After the last path.
    Last,
}

impl Centre {
    /// The places, the preferred ones first.
    const fn places(self) -> &'static [usize] {
        match self {
            Centre::Anywhere => &ANYWHERE,
            Centre::First => &[0],
            Centre::Between => &[2, 1, 3],
            Centre::Last => &[LAST],
        }
    }
}

/// The folded board of a four-paths question, with the centre apart.
struct Quarters<'g> {
    problem: &'g TourProblem,
    graph: &'g KnightGraph,
    fold: Fold<'g>,
    centre: Option<Vertex>,
}

/// A path that can be chained: its visits, and the turns by which its end reaches a copy of its start.
struct Chain {
    visits: Vec<Visit>,
    turns: u8,
}

/// Finds one.
pub(crate) fn solve(
    problem: &TourProblem,
    graph: &KnightGraph,
    centre: Centre,
    watch: &Watch,
) -> Run<Tour> {
    let quarters = Quarters::new(problem, graph);
    let aims = match quarters.aims() {
        Ok(aims) => aims,
        Err(obstacle) => return Run::new(Outcome::Impossible(obstacle), 0),
    };
    let spent = Spent::default();
    let mut looked = 0;
    for aim in aims {
        let accept = |tour: &FoldedTour| quarters.tour_of(tour, &aim, centre).is_some();
        match search(&quarters.fold, &aim, watch, &spent, &accept) {
            Ok(Searched::Found(tour)) => {
                let tour = quarters.tour_of(&tour, &aim, centre);
                let tour = tour.expect("the search accepted this one");
                return spent.run(Outcome::Solved(tour));
            }
            Ok(Searched::Exhausted(nodes)) => looked += nodes,
            Err(why) => return spent.run(Outcome::Unfinished { why, best: None }),
        }
    }
    let obstacle = Obstacle::Exhausted { method: NAME.to_owned(), nodes: looked };
    spent.run(Outcome::Impossible(obstacle))
}

/// Shows all of them, each once.
pub(crate) fn all(
    problem: &TourProblem,
    graph: &KnightGraph,
    watch: &Watch,
    visit: &mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> (u64, Result<Verdict, Halt>) {
    let quarters = Quarters::new(problem, graph);
    if quarters.aims().is_err() {
        return (0, Ok(Verdict::Exhausted));
    }
    let aim = Aim::Cycle { turns: 0b1110 };
    all_of(&quarters.fold, &aim, watch, &mut |tour| {
        quarters.each_of(tour, &aim, true, &ANYWHERE, &mut |squares| {
            let tour = as_listed(problem, graph, squares.clone());
            if is_chosen(problem, &tour, &squares) && problem.verify(&tour).is_ok() {
                return visit(&tour);
            }
            ControlFlow::Continue(())
        })
    })
}

/// Each tour comes both ways round, and a closed one from each square at which a copy can begin. Is it shown now?
fn is_chosen(problem: &TourProblem, tour: &Tour, squares: &[Square]) -> bool {
    let open = TourProblem { shape: Shape::Open, ..problem.clone() };
    if problem.shape == Shape::Open || open.first_copy_at(&tour.0).is_some() {
        return tour.0 == squares;
    }
    // No copy begins where lists begin: the first of those that there are.
    let mut listed = squares.to_vec();
    (0..2 * squares.len()).all(|turn| {
        if turn == squares.len() {
            listed.reverse();
        }
        listed.rotate_left(1);
        listed[..] >= *squares || open.first_copy_at(&listed).is_none()
    })
}

impl<'g> Quarters<'g> {
    fn new(problem: &'g TourProblem, graph: &'g KnightGraph) -> Quarters<'g> {
        let side = problem.board.files();
        let middle = Square::new(side / 2, side / 2);
        let centre = if side % 2 == 1 { graph.vertex(middle) } else { None };
        let fold = Fold::new(graph, Symmetry::QuarterTurn, centre);
        Quarters { problem, graph, fold, centre }
    }

    /// What to look for, the usual chain first; or why there is nothing.
    fn aims(&self) -> Result<Vec<Aim>, Obstacle> {
        let orbits = self.fold.len();
        let problem = self.problem;
        if self.centre.is_none() && problem.board.is_two_coloured(problem.leaper) {
            let dark = |turn| self.fold.square(Visit { orbit: 0, turn }, 0).is_dark();
            let changes = dark(0) != dark(1);
            if changes && orbits.is_multiple_of(2) {
                let name = "the four-paths rule".to_owned();
                let text = format!(
                    "a path of {orbits} squares ends on the other colour than it starts, and so starts its \
                     quarter turn: no jump leads there, and half turns alone join two copies only"
                );
                return Err(Obstacle::Theorem { name, text });
            }
        }
        if problem.shape == Shape::Open
            && let Some(orbit) = problem.start.or(problem.end).and_then(|end| self.fold.orbit(end))
            && orbits > 1
        {
            // The other end of the path is a jump from a copy of this one; a path of one square has no other.
            let mut near: Vec<Vertex> = self.fold.arcs(orbit).iter().map(|arc| arc.to).collect();
            near.sort_unstable();
            near.dedup();
            return Ok(vec![Aim::Path { starts: vec![orbit], ends: near }]);
        }
        Ok(vec![Aim::Cycle { turns: 0b1010 }, Aim::Cycle { turns: 0b0100 }])
    }

    /// The first tour that answers the question among those that a cycle or path of the folded board gives.
    fn tour_of(&self, tour: &FoldedTour, aim: &Aim, centre: Centre) -> Option<Tour> {
        let mut found = None;
        let mut keep = |squares| {
            let closed = self.problem.shape == Shape::Closed;
            let tour = Tour(if closed { read_off(self.problem, squares) } else { squares });
            if self.problem.verify(&tour).is_ok() {
                found = Some(tour);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        // The first of the places by any cut, if that can be; and then the others.
        let (first, others) = centre.places().split_at(1);
        let _ = self
            .each_of(tour, aim, false, first, &mut keep)
            .is_continue()
            .then(|| self.each_of(tour, aim, false, others, &mut keep));
        found
    }

    /// Every tour that a tour of the folded board gives, run either way; a cycle may be cut anywhere.
    ///
    /// With `once`, a path whose end reaches several copies of its start is shown from one cycle only.
    fn each_of(
        &self,
        tour: &FoldedTour,
        aim: &Aim,
        once: bool,
        places: &[usize],
        visit: &mut dyn FnMut(Vec<Square>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let back = FoldedTour {
            visits: tour.visits.iter().rev().copied().collect(),
            total: self.fold.minus(tour.total),
        };
        let cuts = if matches!(aim, Aim::Cycle { .. }) { tour.visits.len() } else { 1 };
        // A path of one square is the same either way.
        let ways = if tour.visits.len() == 1 { &[tour][..] } else { &[tour, &back] };
        for tour in ways {
            for cut in 0..cuts {
                let Some(chain) = self.cut(tour, cut, once) else { continue };
                for lift in 0..4 {
                    self.arrange(&chain, lift, places, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The path that begins at a visit of a tour, if its ends can be chained and reach the centre.
    fn cut(
        &self,
        FoldedTour { visits, total }: &FoldedTour,
        cut: usize,
        once: bool,
    ) -> Option<Chain> {
        let before = visits[(cut + visits.len() - 1) % visits.len()];
        if self.centre.is_some() && !self.sees_centre(visits[cut]) && !self.sees_centre(before) {
            return None;
        }
        let mut path: Vec<Visit> = visits[cut..].to_vec();
        path.extend(
            visits[..cut]
                .iter()
                .map(|&Visit { orbit, turn }| Visit { orbit, turn: self.fold.add(turn, *total) }),
        );
        let turns = self.closing_turns(&path) & 0b1110;
        if turns == 0 || (once && turns.trailing_zeros() != u32::from(*total)) {
            return None;
        }
        Some(Chain { visits: path, turns })
    }

    /// The turns, as bits, by which the last visit's jumps lead to a copy of the first.
    fn closing_turns(&self, path: &[Visit]) -> u8 {
        let (fold, first, last) = (&self.fold, path[0], path[path.len() - 1]);
        if path.len() == 1 {
            return fold.loops(first.orbit);
        }
        let home = fold.arcs(last.orbit).iter().filter(|arc| arc.to == first.orbit);
        home.fold(0, |turns, arc| {
            let there = fold.add(last.turn, arc.turn);
            turns | 1 << fold.add(there, fold.minus(first.turn))
        })
    }

    fn sees_centre(&self, visit: Visit) -> bool {
        let here = self.fold.vertex(visit, 0);
        self.centre.is_some_and(|centre| self.graph.neighbours(centre).contains(&here))
    }

    /// Every order of the four copies, and every place for the centre, that the jumps allow.
    fn arrange(
        &self,
        chain: &Chain,
        lift: u8,
        places: &[usize],
        visit: &mut dyn FnMut(Vec<Square>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        const ORDERS: [[u8; 4]; 6] =
            [[0, 1, 2, 3], [0, 3, 2, 1], [0, 2, 1, 3], [0, 2, 3, 1], [0, 1, 3, 2], [0, 3, 1, 2]];
        let (first, last) = (chain.visits[0], chain.visits[chain.visits.len() - 1]);
        let enters = self.sees_centre(first);
        let leaves = self.sees_centre(last);
        for order in ORDERS {
            let direct: Vec<bool> = order
                .windows(2)
                .map(|pair| chain.turns >> ((pair[1] + 4 - pair[0]) % 4) & 1 == 1)
                .collect();
            // A copy that is run backwards is left at its start, for the end of the next.
            let back: Vec<bool> = order
                .windows(2)
                .map(|pair| chain.turns >> ((pair[0] + 4 - pair[1]) % 4) & 1 == 1)
                .collect();
            for &place in places {
                let joined = (1..4).all(|i| i == place || direct[i - 1]);
                let fits = match place {
                    _ if self.centre.is_none() => place == LAST,
                    0 => enters,
                    LAST => leaves,
                    _ => enters && leaves,
                };
                if joined && fits {
                    visit(self.write(chain, order, place, lift, false))?;
                }
                let between = self.centre.is_some() && (1..4).contains(&place);
                let joined =
                    |i: usize| i == place || if i < place { direct[i - 1] } else { back[i - 1] };
                if between && leaves && chain.visits.len() > 1 && (1..4).all(joined) {
                    visit(self.write(chain, order, place, lift, true))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares of a tour; with `back`, the copies after the centre are run backwards.
    fn write(
        &self,
        chain: &Chain,
        order: [u8; 4],
        place: usize,
        lift: u8,
        back: bool,
    ) -> Vec<Square> {
        let centre = || self.centre.map(|centre| self.graph.square(centre));
        let mut squares = Vec::with_capacity(self.graph.len());
        for (i, turn) in order.into_iter().enumerate() {
            if i == place {
                squares.extend(centre());
            }
            let more = (turn + lift) % 4;
            let begun = squares.len();
            squares.extend(chain.visits.iter().map(|&visit| self.fold.square(visit, more)));
            if back && i >= place {
                squares[begun..].reverse();
            }
        }
        if place == LAST {
            squares.extend(centre());
        }
        squares
    }
}
