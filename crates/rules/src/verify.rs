//! Problems, and what may be said of them once the checker has agreed.
//!
//! Only [`Verified::check`] makes a [`Verified`] and only [`Impossible::check`] an [`Impossible`]; answers, pictures and
//! exports take nothing else, so an unchecked solution, claim or reason cannot reach a user by mistake.

use std::fmt;

use crate::budget::Budget;
use crate::capture::CaptureProblem;
use crate::certificate::{Claim, Proof};
use crate::fault::Fault;
use crate::obstacle::{Obstacle, Support};
use crate::question::QuestionError;
use crate::search::Sought;
use crate::square::Square;
use crate::swap::{Move, SwapProblem};
use crate::tour::TourProblem;

/// A question whose proposed solutions can be checked.
pub trait Problem {
    /// What answers it.
    type Solution: Clone + fmt::Debug + PartialEq + Eq;

    /// The kind of problem in a word: `tour`, `capture`, `swap`.
    const KIND: &'static str;

    /// Can the question be asked at all?
    ///
    /// # Errors
    /// When it contradicts itself, with the place.
    fn validate(&self) -> Result<(), QuestionError>;

    /// Is this a solution?
    ///
    /// # Errors
    /// With the first thing that is wrong, and where.
    fn verify(&self, solution: &Self::Solution) -> Result<(), Fault>;

    /// What a solution costs: jumps, or moves, or runs.
    fn cost(&self, solution: &Self::Solution) -> u64;

    /// Does the obstacle stand in this problem's way, and what does that rest on?
    ///
    /// # Errors
    /// When the obstacle's facts are not so.
    fn confirm(&self, obstacle: &Obstacle) -> Result<Support, Fault> {
        self.confirm_within(obstacle, &Budget::default())
    }

    /// The same, within a budget.
    ///
    /// # Errors
    /// When the obstacle's facts are not so, or the check is refused or stopped ([`Fault::is_unfinished`]).
    fn confirm_within(&self, obstacle: &Obstacle, budget: &Budget<'_>) -> Result<Support, Fault>;

    /// Does the proof show that no solution costs less than the bound, and what does it rest on?
    ///
    /// # Errors
    /// When the proof's own numbers do not give the bound.
    fn prove(&self, lower_bound: u64, proof: &Proof) -> Result<Support, Fault> {
        self.prove_within(lower_bound, proof, &Budget::default())
    }

    /// The same, within a budget.
    ///
    /// # Errors
    /// When the proof's own numbers do not give the bound, or the check is refused or stopped.
    fn prove_within(
        &self,
        lower_bound: u64,
        proof: &Proof,
        budget: &Budget<'_>,
    ) -> Result<Support, Fault> {
        let _ = (lower_bound, proof, budget);
        Ok(Support::Search)
    }

    /// Looks at every position for a solution that costs less, if the budget allows as many ([`Budget::searching`]).
    fn search(&self, below: u64, budget: &Budget<'_>) -> Sought {
        let _ = (below, budget);
        Sought::Unfinished
    }
}

/// What stands behind a statement once the checker has searched as well, where it could not check it otherwise.
fn searched<P: Problem>(
    problem: &P,
    support: Support,
    below: u64,
    budget: &Budget<'_>,
    found: impl FnOnce(u64) -> Fault,
) -> Result<Support, Fault> {
    if budget.positions() == 0 || !matches!(support, Support::Stated | Support::Search) {
        return Ok(support);
    }
    match problem.search(below, budget) {
        Sought::Nothing => Ok(Support::SearchedAgain),
        Sought::Found(cost) => Err(found(cost)),
        Sought::Unfinished => budget.stopped().map_or(Ok(support), Err),
    }
}

/// A problem with a solution that the checker has accepted, and what is claimed of it.
///
/// A claim has been held against the solution's cost and its own numbers; [`Verified::support`] says how far that
/// confirmed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified<P: Problem> {
    problem: P,
    solution: P::Solution,
    claim: Claim,
    support: Option<Support>,
}

/// A problem that has no solution, for a reason that the checker has looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible<P: Problem> {
    problem: P,
    obstacle: Obstacle,
    support: Support,
}

impl<P: Problem> Verified<P> {
    /// Checks the solution against the problem; nothing more is claimed of it.
    ///
    /// # Errors
    /// With the first thing that is wrong, and where.
    pub fn check(problem: P, solution: P::Solution) -> Result<Verified<P>, Fault> {
        problem.validate().map_err(Fault::Question)?;
        problem.verify(&solution)?;
        Ok(Verified { problem, solution, claim: Claim::Valid, support: None })
    }

    /// The same solution with a claim, if the claim holds as far as it can be checked.
    ///
    /// # Errors
    /// When the claim contradicts the solution's cost, or its proof does not add up.
    pub fn claiming(self, claim: Claim) -> Result<Verified<P>, Fault> {
        self.claiming_within(claim, &Budget::default())
    }

    /// The same, within a budget.
    ///
    /// # Errors
    /// As [`Verified::claiming`], or when the check is refused or stopped.
    pub fn claiming_within(self, claim: Claim, budget: &Budget<'_>) -> Result<Verified<P>, Fault> {
        let cost = self.cost();
        let support = match &claim {
            Claim::Fewest { lower_bound, .. } if *lower_bound != cost => {
                return Err(Fault::Claim(format!(
                    "`fewest` needs a lower bound of {cost}, the plan's own cost, not {lower_bound}"
                )));
            }
            Claim::AtLeast { lower_bound } if *lower_bound > cost => {
                return Err(Fault::Claim(format!(
                    "the lower bound is {lower_bound}, but the plan costs {cost}"
                )));
            }
            Claim::Fewest { lower_bound, proof } => {
                let support = self.problem.prove_within(*lower_bound, proof, budget)?;
                Some(self.searched(support, *lower_bound, budget)?)
            }
            Claim::AtLeast { lower_bound } => {
                let support = self.searched(Support::Stated, *lower_bound, budget)?;
                (support == Support::SearchedAgain).then_some(support)
            }
            Claim::Valid => None,
        };
        Ok(Verified { claim, support, ..self })
    }

    fn searched(
        &self,
        support: Support,
        lower_bound: u64,
        budget: &Budget<'_>,
    ) -> Result<Support, Fault> {
        searched(&self.problem, support, lower_bound, budget, |cost| {
            let bound = format!("the lower bound is {lower_bound}");
            Fault::Claim(format!("{bound}, but the checker found a solution that costs {cost}"))
        })
    }

    /// The question.
    pub const fn problem(&self) -> &P {
        &self.problem
    }

    /// The solution.
    pub const fn solution(&self) -> &P::Solution {
        &self.solution
    }

    /// What is claimed of the solution beyond being one.
    pub const fn claim(&self) -> &Claim {
        &self.claim
    }

    /// What the claim rests on; nothing where none is made.
    pub const fn support(&self) -> Option<Support> {
        self.support
    }

    /// Jumps, moves or runs.
    pub fn cost(&self) -> u64 {
        self.problem.cost(&self.solution)
    }

    /// Gives back question and solution.
    pub fn into_parts(self) -> (P, P::Solution) {
        (self.problem, self.solution)
    }
}

impl<P: Problem> Impossible<P> {
    /// Checks that the obstacle stands in the problem's way.
    ///
    /// # Errors
    /// When the question cannot be asked, or the obstacle's facts are not so.
    pub fn check(problem: P, obstacle: Obstacle) -> Result<Impossible<P>, Fault> {
        Impossible::check_within(problem, obstacle, &Budget::default())
    }

    /// The same, within a budget.
    ///
    /// # Errors
    /// As [`Impossible::check`], or when the check is refused or stopped.
    pub fn check_within(
        problem: P,
        obstacle: Obstacle,
        budget: &Budget<'_>,
    ) -> Result<Impossible<P>, Fault> {
        problem.validate().map_err(Fault::Question)?;
        let support = problem.confirm_within(&obstacle, budget)?;
        let found = |_| Fault::Reason("the checker found a solution".to_owned());
        let support = searched(&problem, support, u64::MAX, budget, found)?;
        Ok(Impossible { problem, obstacle, support })
    }

    /// The question.
    pub const fn problem(&self) -> &P {
        &self.problem
    }

    /// Why there is no solution.
    pub const fn obstacle(&self) -> &Obstacle {
        &self.obstacle
    }

    /// What that rests on.
    pub const fn support(&self) -> Support {
        self.support
    }
}

impl Verified<TourProblem> {
    /// The squares of the tour, in order.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.solution.0
    }

    /// The number of squares.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no board is empty")]
    pub fn len(&self) -> usize {
        self.solution.0.len()
    }

    /// The squares of the tour, in order.
    pub fn iter(&self) -> std::iter::Copied<std::slice::Iter<'_, Square>> {
        self.solution.0.iter().copied()
    }

    /// The step on each square, from 1, rank by rank from the top as on a diagram; a hole has 0.
    ///
    /// ```
    /// use destrier_rules::{Board, TourProblem, Verified};
    ///
    /// let question = TourProblem::open(Board::new(3, 4)?);
    /// let tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse()?;
    /// let tour = Verified::check(question, tour)?;
    /// assert_eq!(tour.grid(), [[10, 5, 12], [7, 2, 9], [4, 11, 6], [1, 8, 3]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn grid(&self) -> Vec<Vec<u32>> {
        let board = &self.problem.board;
        let mut grid = vec![vec![0; board.files() as usize]; board.ranks() as usize];
        for (step, square) in (1..).zip(&self.solution.0) {
            grid[(board.ranks() - 1 - square.rank) as usize][square.file as usize] = step;
        }
        grid
    }
}

impl<'v> IntoIterator for &'v Verified<TourProblem> {
    type Item = Square;
    type IntoIter = std::iter::Copied<std::slice::Iter<'v, Square>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Verified<CaptureProblem> {
    /// The squares of the walk, the start first.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.solution.0
    }

    /// The squares on which the walk takes a piece, each when it is first met.
    #[must_use]
    pub fn captures(&self) -> Vec<Square> {
        let mut left = self.problem.targets.clone();
        self.solution.0.iter().copied().filter(|square| left.remove(square)).collect()
    }
}

impl Verified<SwapProblem> {
    /// The moves of the plan, in order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.solution.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_verified_solution_gives_its_steps_as_they_are() {
        let at = |text: &str| text.parse::<Square>().unwrap();
        let board = || Board::new(3, 3).unwrap();
        let ring = ["a1", "b3", "c1", "a2", "c3", "b1", "a3", "c2"].map(at);
        let question = TourProblem::open(board().without([at("b2")]).unwrap());
        let tour = Verified::check(question, crate::Tour(ring.to_vec())).unwrap();
        assert_eq!((tour.squares(), tour.len()), (&ring[..], 8));
        assert_eq!(tour.iter().collect::<Vec<_>>(), ring);
        assert_eq!((&tour).into_iter().collect::<Vec<_>>(), ring);
        assert_eq!(tour.grid(), [[7, 2, 5], [4, 0, 8], [1, 6, 3]]);

        let targets = ["b3", "a2"].map(at).into();
        let question = CaptureProblem { board: board(), start: at("a1"), targets };
        let walk = Verified::check(question, "a1 b3 c1 b3 c1 a2".parse().unwrap()).unwrap();
        assert_eq!(walk.squares(), ["a1", "b3", "c1", "b3", "c1", "a2"].map(at));
        assert_eq!(walk.captures(), ["b3", "a2"].map(at));

        let question = SwapProblem::from_fens("3/3/n2", "3/3/2n").unwrap();
        let plan = Verified::check(question, "a1-b3 b3-c1".parse().unwrap()).unwrap();
        let moves =
            [("a1", "b3"), ("b3", "c1")].map(|(from, to)| Move { from: at(from), to: at(to) });
        assert_eq!(plan.moves(), moves);
    }
}
