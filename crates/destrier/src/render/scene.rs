//! What a picture shows: a board, a route over it, and what stands on it.
//!
//! A scene is made from a checked answer only; the drawing knows nothing of problems.

use std::collections::BTreeSet;

use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Leaper, Shape, Square, Tour, TourProblem, Verified,
};

use super::columns::Copies;

/// A board with a route.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) board: Board,
    pub(super) leaper: Leaper,
    /// The squares of the route in order.
    pub(super) route: Vec<Square>,
    /// How many jumps the colours of the path are for: those of the route, or of a longer one.
    pub(super) jumps: usize,
    /// Does the route come back to its start?
    pub(super) closed: bool,
    /// Does the route pass squares again, so that arrows say more than numbers?
    pub(super) arrows: bool,
    /// Squares on which something is taken.
    pub(super) captured: BTreeSet<Square>,
    pub(super) title: String,
    /// Is the picture too small for numbers to be read?
    pub(super) small: bool,
    /// The four turned paths, if the route is made of them.
    pub(super) copies: Option<Copies>,
}

impl Scene {
    /// The picture of a tour.
    #[must_use]
    pub fn of_tour(tour: &Verified<TourProblem>) -> Scene {
        let (problem, Tour(squares)) = (tour.problem(), tour.solution());
        let (first, last) = (squares[0], squares[squares.len() - 1]);
        let title = match problem.shape {
            Shape::Open => format!("open tour of {} from {first} to {last}", problem.board),
            Shape::Closed => format!("closed tour of {} from {first}", problem.board),
        };
        Scene {
            board: problem.board.clone(),
            leaper: problem.leaper,
            route: squares.clone(),
            jumps: squares.len() - 1,
            closed: problem.shape == Shape::Closed,
            arrows: false,
            captured: BTreeSet::new(),
            title,
            small: false,
            copies: Copies::of(problem, tour.solution()),
        }
    }

    /// The picture of a capture: arrows, and a mark on each square where a piece is taken.
    #[must_use]
    pub fn of_capture(plan: &Verified<CaptureProblem>) -> Scene {
        let (problem, CapturePlan(squares)) = (plan.problem(), plan.solution());
        let title = format!(
            "{} pieces of {} taken from {} in {} moves",
            problem.targets.len(),
            problem.board,
            problem.start,
            plan.solution().moves()
        );
        Scene {
            board: problem.board.clone(),
            leaper: Leaper::KNIGHT,
            route: squares.clone(),
            jumps: squares.len() - 1,
            closed: false,
            arrows: true,
            captured: problem.targets.clone(),
            title,
            small: false,
            copies: None,
        }
    }

    /// What the picture shows, in words.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }
}

#[cfg(test)]
impl Scene {
    /// A knight that takes two pawns on 3×3 and crosses its own way.
    pub(super) fn of_two_pawns() -> Scene {
        let squares = |text: &str| text.split(' ').map(|s| s.parse().unwrap()).collect::<Vec<_>>();
        let problem = CaptureProblem {
            board: "3x3".parse().unwrap(),
            start: "a1".parse().unwrap(),
            targets: squares("c2 b1").into_iter().collect(),
        };
        let moves = CapturePlan(squares("a1 c2 a1 b3 c1 a2 c3 b1"));
        Scene::of_capture(&Verified::check(problem, moves).unwrap())
    }
}
