//! Lies on request, for the tests of the tests: is a method that lies found out, and by whom?
//!
//! With the feature `lies`, which nothing but `tests/lies/` needs, one method can be made to lie for a while, on the
//! thread that asks: right where what it says leaves it, before the gate has looked. Without the feature this file is not
//! compiled, and `truth.rs` stands in its place, whose functions give back what they are given.
//!
//! Invariant: a lie is counted if and only if what was said before it was true and what is said after it is not.

use std::cell::Cell;
use std::ops::ControlFlow;

use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Claim, Leaper, Move, Obstacle, Problem, Proof, Square,
    StepNumber, SwapPlan, SwapProblem, Tour, TourProblem,
};
use num_bigint::BigUint;

use crate::count::{ByStart, Classes, TourCount};
use crate::outcome::{Outcome, Run};
use crate::run::watch::Halt;
use crate::swap::{Eccentricity, ShortestPlans};
use crate::tour::compose::Itinerary;

/// What a method may be made to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lie {
    /// A solution, or a tour of a list, with two places exchanged.
    Spoiled,
    /// A plan with two moves that are not needed, claimed to be the fewest for the reason that the shorter one had.
    TooLong,
    /// The same, claimed to be the fewest because a search found none shorter.
    TooLongBySearch,
    /// The same, claimed to be the fewest because it meets a bound.
    TooLongByBound,
    /// A lower bound that is one too high, claimed of a solution.
    BoundAboveCost,
    /// A lower bound that is one too high, in a run that stopped with a plan that is two moves too long.
    BoundOfStoppedRun,
    /// There is no solution, for this reason.
    NoSolution(Reason),
    /// A number that is one too low.
    OneTooLow,
    /// A list without its first entry.
    LeftOut,
    /// A list with its first entry twice.
    Twice,
}

/// Why there should be no solution. The facts are made up so that the conclusion would follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// Two dark squares that are not there.
    Colours,
    /// Colours for which the ends would be wrong.
    EndColours,
    /// All squares are dead ends.
    DeadEnds,
    /// Without its first square the board falls into many parts.
    Cut,
    /// The last square cannot be reached from the first, or a piece from the knight.
    Unreachable,
    /// Schwenk's theorem, with the sides of the board.
    Schwenk,
    /// A theorem of this name.
    Theorem(&'static str),
    /// A search that found nothing.
    Exhausted,
}

/// Who lies, and how.
#[derive(Clone, Copy)]
struct Liar {
    act: &'static str,
    method: &'static str,
    lie: Lie,
}

thread_local! {
    static LIAR: Cell<Option<Liar>> = const { Cell::new(None) };
    static TOLD: Cell<u64> = const { Cell::new(0) };
}

/// Has a method lie while a job runs on this thread; what the job says, and how often the method lied.
pub fn telling<R>(
    act: &'static str,
    method: &'static str,
    lie: Lie,
    job: impl FnOnce() -> R,
) -> (R, u64) {
    LIAR.set(Some(Liar { act, method, lie }));
    TOLD.set(0);
    let said = job();
    LIAR.set(None);
    (said, TOLD.get())
}

/// The lie that is to be told, if it is this method's turn.
fn lie_of(act: &str, method: &str) -> Option<Lie> {
    LIAR.get().filter(|liar| liar.act == act && liar.method == method).map(|liar| liar.lie)
}

/// Says one thing instead of another, and counts it.
fn tell<T>(lie: T) -> T {
    TOLD.set(TOLD.get() + 1);
    lie
}

/// A problem about whose solutions one can lie.
pub(crate) trait Liable: Problem {
    /// Another solution, which is none.
    fn spoiled(&self, solution: &Self::Solution) -> Self::Solution;

    /// A solution that costs two more, where there is one.
    fn longer(&self, solution: &Self::Solution) -> Option<Self::Solution>;

    /// Where it is asked.
    fn board(&self) -> &Board;

    /// Two squares of which one can be reached from the other.
    fn two_squares(&self) -> (Square, Square) {
        let squares: Vec<Square> = self.board().squares().collect();
        (squares[0], squares[squares.len() - 1])
    }
}

impl Liable for TourProblem {
    fn spoiled(&self, Tour(squares): &Tour) -> Tour {
        match squares[..] {
            [only] => Tour(vec![only, only]),
            _ => swapped(squares),
        }
    }

    fn longer(&self, _: &Tour) -> Option<Tour> {
        None
    }

    fn board(&self) -> &Board {
        &self.board
    }
}

impl Liable for CaptureProblem {
    fn spoiled(&self, CapturePlan(squares): &CapturePlan) -> CapturePlan {
        CapturePlan(squares[..squares.len() - 1].to_vec())
    }

    fn longer(&self, CapturePlan(squares): &CapturePlan) -> Option<CapturePlan> {
        let last = squares[squares.len() - 1];
        let aside = self.board.jumps_from(Leaper::KNIGHT, last).first().copied()?;
        let mut squares = squares.clone();
        squares.extend([aside, last]);
        Some(CapturePlan(squares))
    }

    fn board(&self) -> &Board {
        &self.board
    }

    fn two_squares(&self) -> (Square, Square) {
        (self.start, self.targets.first().copied().unwrap_or(self.start))
    }
}

impl Liable for SwapProblem {
    fn spoiled(&self, SwapPlan(moves): &SwapPlan) -> SwapPlan {
        SwapPlan(moves[..moves.len().saturating_sub(1)].to_vec())
    }

    fn longer(&self, plan: &SwapPlan) -> Option<SwapPlan> {
        let cost = self.cost(plan) + 2;
        // Somewhere, some knight goes aside and comes back.
        (0..=plan.0.len()).find_map(|at| {
            self.board.squares().find_map(|from| {
                self.board.jumps_from(Leaper::KNIGHT, from).into_iter().find_map(|to| {
                    let aside = [Move { from, to }, Move { from: to, to: from }];
                    let mut moves = plan.0.clone();
                    moves.splice(at..at, aside);
                    let longer = SwapPlan(moves);
                    (self.verify(&longer).is_ok() && self.cost(&longer) == cost).then_some(longer)
                })
            })
        })
    }

    fn board(&self) -> &Board {
        &self.board
    }
}

fn obstacle<P: Liable>(problem: &P, reason: Reason) -> Obstacle {
    let board = problem.board();
    let (dark, light) = board.colours();
    let (first, last) = problem.two_squares();
    match reason {
        Reason::Colours => Obstacle::Colours { dark: dark + 2, light },
        Reason::EndColours => Obstacle::EndColours { dark: dark + 1, light },
        Reason::DeadEnds => Obstacle::DeadEnds { squares: board.squares().collect() },
        Reason::Cut => Obstacle::Cut { removed: vec![first], parts: 9 },
        Reason::Unreachable => Obstacle::Unreachable { from: first, to: last },
        Reason::Schwenk => Obstacle::Schwenk {
            short: board.files().min(board.ranks()),
            long: board.files().max(board.ranks()),
        },
        Reason::Theorem(name) => {
            Obstacle::Theorem { name: name.to_owned(), text: "it is so".to_owned() }
        }
        Reason::Exhausted => Obstacle::Exhausted { method: "search".to_owned(), nodes: 1_000_000 },
    }
}

/// What a method says of a question for a solution.
pub(crate) fn answer<P: Liable>(
    act: &str,
    method: &str,
    problem: &P,
    run: Run<P::Solution>,
) -> Run<P::Solution> {
    let (Some(lie), Outcome::Solved(solution)) = (lie_of(act, method), &run.outcome) else {
        return run;
    };
    let cost = problem.cost(solution);
    let with = |outcome, claim| Some(Run { outcome, claim, effort: run.effort.clone() });
    let own = match &run.claim {
        Claim::Fewest { proof, .. } => Some(proof.clone()),
        _ => None,
    };
    let too_long = |proof: Proof| {
        let claim = Claim::Fewest { lower_bound: cost + 2, proof };
        with(Outcome::Solved(problem.longer(solution)?), claim)
    };
    let search = || Proof::Search { by: "search".to_owned(), nodes: 1_000_000 };
    let said = match lie {
        Lie::Spoiled => with(Outcome::Solved(problem.spoiled(solution)), run.claim.clone())
            .filter(|run| run.outcome.best().is_some_and(|best| problem.verify(best).is_err())),
        Lie::TooLong => own.and_then(too_long),
        Lie::TooLongBySearch => too_long(search()),
        Lie::TooLongByBound => too_long(Proof::BoundMet { by: "a bound".to_owned() }),
        Lie::BoundAboveCost => with(
            run.outcome.clone(),
            Claim::Fewest { lower_bound: cost + 1, proof: own.unwrap_or_else(search) },
        ),
        Lie::BoundOfStoppedRun => problem.longer(solution).and_then(|longer| {
            let outcome = Outcome::Unfinished { why: Halt::Asked, best: Some(longer) };
            with(outcome, Claim::AtLeast { lower_bound: cost + 1 })
        }),
        Lie::NoSolution(reason) => {
            with(Outcome::Impossible(obstacle(problem, reason)), Claim::Valid)
        }
        Lie::OneTooLow | Lie::LeftOut | Lie::Twice => None,
    };
    match said {
        Some(said) => tell(said),
        None => run,
    }
}

/// What is said of a question whose answer is no solution: that there is none.
pub(crate) fn reason<P: Liable, S>(
    act: &str,
    method: &str,
    problem: &P,
    mut run: Run<S>,
) -> Run<S> {
    if let (Some(Lie::NoSolution(reason)), Outcome::Solved(_)) = (lie_of(act, method), &run.outcome)
    {
        run.outcome = tell(Outcome::Impossible(obstacle(problem, reason)));
    }
    run
}

/// How many tours there are, by counting or by listing them.
pub(crate) fn count(
    act: &str,
    method: &str,
    problem: &TourProblem,
    mut run: Run<TourCount>,
) -> Run<TourCount> {
    let Outcome::Solved(count) = &run.outcome else { return run };
    if count.undirected() == BigUint::ZERO {
        return run;
    }
    if lie_of(act, method) == Some(Lie::OneTooLow) {
        let fewer = TourCount::of_undirected(problem, count.undirected() - 1_u32);
        run.outcome = tell(Outcome::Solved(fewer));
    }
    reason(act, method, problem, run)
}

/// A number that may come out one too low.
pub(crate) fn number(act: &str, number: BigUint) -> BigUint {
    if lie_of(act, act) == Some(Lie::OneTooLow) && number > BigUint::ZERO {
        return tell(number - 1_u32);
    }
    number
}

/// A visitor who is shown other tours than there are.
pub(crate) fn listing<'v>(
    act: &str,
    method: &str,
    visit: &'v mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> impl FnMut(&Tour) -> ControlFlow<()> + 'v {
    let mut lie = lie_of(act, method);
    move |tour| match lie.take() {
        Some(Lie::LeftOut) => tell(ControlFlow::Continue(())),
        Some(Lie::Twice) => {
            visit(tour)?;
            visit(tell(tour))
        }
        Some(Lie::Spoiled) if tour.0.len() > 1 => visit(&tell(swapped(&tour.0))),
        _ => visit(tour),
    }
}

fn swapped(squares: &[Square]) -> Tour {
    let mut squares = squares.to_vec();
    squares.swap(0, 1);
    Tour(squares)
}

/// The tour with a number.
pub(crate) fn numbered(tour: Tour) -> Tour {
    if lie_of("census", "census") == Some(Lie::Spoiled) { tell(swapped(&tour.0)) } else { tour }
}

/// The number of tours, or of one tour.
pub(crate) fn census(number: u128) -> u128 {
    if lie_of("census", "census") == Some(Lie::OneTooLow) && number > 0 {
        return tell(number - 1);
    }
    number
}

/// Classes of tours.
pub(crate) fn classes(mut classes: Classes) -> Classes {
    classes.classes = number("classes", classes.classes);
    if lie_of("fixed tours", "fixed tours") == Some(Lie::OneTooLow)
        && let Some((_, fixed)) = classes.fixed.iter_mut().rev().find(|(_, n)| *n > BigUint::ZERO)
    {
        *fixed = tell(&*fixed - 1_u32);
    }
    classes
}

/// Tours by their start.
pub(crate) fn by_start(method: &str, mut counts: ByStart) -> ByStart {
    if lie_of("by start", method) == Some(Lie::OneTooLow)
        && let Some((_, count)) = counts.iter_mut().find(|(_, n)| *n > BigUint::ZERO)
    {
        *count = tell(&*count - 1_u32);
    }
    counts
}

/// The numbers of tours on longer and longer boards.
pub(crate) fn series(mut run: Run<Vec<BigUint>>) -> Run<Vec<BigUint>> {
    if let Outcome::Solved(terms) = &mut run.outcome
        && lie_of("series", "transfer") == Some(Lie::OneTooLow)
        && let Some(term) = terms.iter_mut().find(|term| **term > BigUint::ZERO)
    {
        *term = tell(&*term - 1_u32);
    }
    run
}

/// A planned tour, which may begin one step late.
pub(crate) fn itinerary(problem: &TourProblem, mut run: Run<Itinerary>) -> Run<Itinerary> {
    if let Outcome::Solved(itinerary) = &mut run.outcome
        && lie_of("itinerary", "compose") == Some(Lie::Spoiled)
        && problem.start.is_some()
        && itinerary.len() > 1
    {
        tell(itinerary).begin_one_step_late();
    }
    reason("itinerary", "compose", problem, run)
}

/// Numbers on their way out.
pub(crate) fn stream<T: StepNumber>(numbers: &mut [T]) {
    if lie_of("stream", "compose") == Some(Lie::Spoiled) && numbers.len() > 1 {
        tell(numbers).swap(0, 1);
    }
}

/// The shortest plans of a swap.
pub(crate) fn plans(problem: &SwapProblem, mut run: Run<ShortestPlans>) -> Run<ShortestPlans> {
    let lie = lie_of("shortest plans", "auto");
    if let (Some(lie), Outcome::Solved(plans)) = (lie, &mut run.outcome)
        && let Some(first) = plans.listed.first().cloned()
    {
        match lie {
            Lie::Spoiled => plans.listed[0] = tell(problem.spoiled(&first)),
            Lie::OneTooLow => plans.count = tell(plans.count - 1),
            Lie::LeftOut => drop(tell(plans.listed.remove(0))),
            Lie::Twice => plans.listed.insert(0, tell(first)),
            Lie::TooLong => {
                if let Some(longer) = problem.longer(&first) {
                    plans.listed[0] = tell(longer);
                }
            }
            _ => {}
        }
    }
    reason("shortest plans", "auto", problem, run)
}

/// How far the hardest position is.
pub(crate) fn eccentricity(problem: &SwapProblem, mut run: Run<Eccentricity>) -> Run<Eccentricity> {
    if let Outcome::Solved(found) = &mut run.outcome {
        match lie_of("eccentricity", "eccentricity") {
            Some(Lie::OneTooLow) if found.distance > 0 => found.distance = tell(found.distance - 1),
            Some(Lie::Spoiled) if found.hardest != problem.start => {
                found.hardest = tell(problem.start.clone());
            }
            Some(Lie::LeftOut) => {
                if let Some(last) = found.layers.last_mut() {
                    *last = tell(*last - 1);
                }
            }
            _ => {}
        }
    }
    reason("eccentricity", "eccentricity", problem, run)
}
