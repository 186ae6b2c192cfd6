//! Hints: can what has been played still be finished, and by which next move?
//!
//! The rest of a game is a question of its own, and is answered by the same exact methods: a tour of the squares
//! that are left, a capture of the pieces that are left, a swap from where the knights stand. What cannot be decided
//! within the limits is said to be undecided; no guess is passed off as an answer.
//!
//! Invariant: `true` comes with a checked way to finish, `false` only after a proof that there is none.

use std::collections::BTreeSet;

use destrier::{Answer, Effort, Options, Outcome, Solve as _};
use destrier_rules::{
    CaptureProblem, Leaper, Metric, Move, Problem as _, Shape, Square, SwapPlan, SwapProblem, Tour,
    TourProblem, Verified,
};
use serde_json::{Value, json};

use crate::question::Question;
use crate::refusal::Refusal;
use crate::report::{Conclusion, Report, effort_json};
use crate::words::{counted, quantity};

/// What is true of a game.
#[derive(Default)]
struct Hint {
    can_finish: Option<bool>,
    finished: bool,
    next: Option<String>,
    /// Why it is not known, where that is not a limit of time or nodes.
    why: Option<&'static str>,
    best_total: Option<(u64, bool)>,
    says: String,
    effort: Effort,
}

impl Hint {
    /// It is not known.
    fn unknown(why: &impl std::fmt::Display, effort: Effort) -> Hint {
        Hint { says: format!("not known: {why}"), effort, ..Hint::default() }
    }

    /// It is not known, because the question is one that no method decides.
    fn undecidable(why: &'static str, says: &str, effort: Effort) -> Hint {
        Hint { why: Some(why), ..Hint::unknown(&says, effort) }
    }

    /// It cannot be finished.
    fn no(says: String, effort: Effort) -> Hint {
        Hint { can_finish: Some(false), says, effort, ..Hint::default() }
    }

    /// It can be finished, and this is a next step.
    fn yes(next: Option<String>, says: String, effort: Effort) -> Hint {
        Hint { can_finish: Some(true), next, says, effort, ..Hint::default() }
    }

    /// It is finished.
    fn solved(says: String) -> Hint {
        Hint { finished: true, ..Hint::yes(None, says, Effort::default()) }
    }

    /// With what the whole game takes, and whether that is proved the least.
    fn in_all(self, total: u64, optimal: bool) -> Hint {
        Hint { best_total: Some((total, optimal)), ..self }
    }
}

/// Answers a question about a game.
pub(crate) fn work(of: Question, played: &[String], options: &Options) -> Result<Report, Refusal> {
    let hint = match of {
        Question::Tour(ask) => of_tour(&ask.problem, &squares(played)?, options)?,
        Question::Capture(ask) => of_capture(&ask.puzzle.problem, &squares(played)?, options)?,
        Question::Swap(ask) => of_swap(&ask.problem, &moves(played)?, options)?,
        _ => return Err(Refusal::unfit("of", "there are no hints for this")),
    };
    let mut answer = json!({
        "kind": "hint", "can_finish": hint.can_finish, "finished": hint.finished, "says": hint.says,
    });
    if let Some(next) = hint.next {
        answer["next"] = next.into();
    }
    if let Some(why) = hint.why {
        answer["why"] = why.into();
    }
    if let Some((total, optimal)) = hint.best_total {
        answer["best_total"] = total.into();
        answer["optimal"] = optimal.into();
    }
    Ok(Report {
        outcome: match hint.can_finish {
            Some(true) => Conclusion::Solved,
            Some(false) => Conclusion::Impossible,
            None => Conclusion::Undecided,
        },
        says: hint.says,
        reason: None,
        certificate: Value::Null,
        answer,
        effort: effort_json(&hint.effort),
    })
}

fn read<T: std::str::FromStr>(played: &[String]) -> Result<Vec<T>, Refusal>
where
    T::Err: std::fmt::Display,
{
    let words = (1..).zip(played);
    words.map(|(step, word)| word.parse().map_err(|error| wrong(step, error))).collect()
}

fn squares(played: &[String]) -> Result<Vec<Square>, Refusal> {
    read(played)
}

fn moves(played: &[String]) -> Result<Vec<Move>, Refusal> {
    read(played)
}

fn wrong(step: usize, why: impl std::fmt::Display) -> Refusal {
    Refusal::unfit("played", format!("step {step}: {why}")).at_step(step)
}

/// `yes`, and what it takes in all.
fn yes_in(total: &str, optimal: bool) -> String {
    let at_most = if optimal { "" } else { "at most " };
    format!("yes, in {at_most}{total} in all")
}

/// Checks that the squares are a walk of this piece on this board.
fn check_walk(problem: &TourProblem, walk: &[Square], again: bool) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    for (step, &square) in (1..).zip(walk) {
        let on_square = |why: String| wrong(step, why).on(square);
        if !problem.board.contains(square) {
            return Err(on_square(format!("{square} is not on the board")));
        }
        if step > 1 && !problem.is_jump(walk[step - 2], square) {
            let from = walk[step - 2];
            let jump = match problem.leaper {
                Leaper::KNIGHT => "a knight's jump".to_owned(),
                leaper => format!("a jump of a {leaper} leaper"),
            };
            return Err(on_square(format!("{from} to {square} is not {jump}")));
        }
        if !seen.insert(square) && !again {
            return Err(on_square(format!("{square} was visited before")));
        }
    }
    Ok(())
}

fn of_tour(problem: &TourProblem, walk: &[Square], options: &Options) -> Result<Hint, Refusal> {
    check_walk(problem, walk, false)?;
    let (Some(&first), Some(&last)) = (walk.first(), walk.last()) else {
        return rest_of_tour(problem, std::slice::from_ref(problem), 0, options);
    };
    if let Some(start) = problem.start.filter(|&start| start != first) {
        return Err(wrong(1, format!("the tour starts on {start}")).on(first));
    }
    let size = usize::try_from(problem.board.len()).unwrap_or(usize::MAX);
    if walk.len() == size {
        let whole = Verified::check(problem.clone(), Tour(walk.to_vec()));
        return Ok(match whole {
            Ok(_) => Hint::solved("the tour is finished".to_owned()),
            Err(fault) => Hint::no(fault.to_string(), Effort::default()),
        });
    }
    // The rest is a tour of the squares that are left and the one where the knight stands.
    let gone = &walk[..walk.len() - 1];
    let board = problem.board.clone().without(gone.iter().copied());
    let board = board.map_err(|error| wrong(walk.len(), error))?;
    let rest = TourProblem { board, symmetry: None, ..TourProblem::open(problem.board.clone()) };
    let rest = TourProblem { leaper: problem.leaper, start: Some(last), end: problem.end, ..rest };
    if problem.end == Some(last) {
        let says = format!("no: the tour must end on {last}, but squares are left");
        return Ok(Hint::no(says, Effort::default()));
    }
    if walk.len() == 1 {
        return rest_of_tour(problem, &[problem.clone().starting_at(first)], 1, options);
    }
    if problem.symmetry.is_some()
        && let Some(hint) = symmetric_rest(problem, walk, options)?
    {
        return Ok(hint);
    }
    if problem.shape == Shape::Open {
        return rest_of_tour(problem, &[rest], 1, options);
    }
    // A closed tour ends a jump away from where it began: one question for each such square.
    let ends = problem.board.jumps_from(problem.leaper, first).into_iter();
    let left = ends.filter(|&end| rest.board.contains(end) && end != last);
    let left = left.filter(|&end| problem.end.is_none_or(|wanted| wanted == end));
    let questions: Vec<TourProblem> =
        left.map(|end| TourProblem { end: Some(end), ..rest.clone() }).collect();
    rest_of_tour(problem, &questions, 1, options)
}

/// Symmetric tours from the same start, by this many seeds.
const TRIED: u64 = 16;

/// A symmetric tour that begins with what was played, if one is found soon: the methods search for symmetric tours from
/// their first square only, so some are looked at.
fn symmetric_rest(
    problem: &TourProblem,
    walk: &[Square],
    options: &Options,
) -> Result<Option<Hint>, Refusal> {
    let whole = problem.clone().starting_at(walk[0]);
    let mut sum = Effort::default();
    for seed in 0..TRIED {
        let Answer { outcome, effort, .. } = whole.solve_with(&options.clone().seed(seed))?;
        sum.nodes += effort.nodes;
        sum.method = effort.method;
        let tour = match outcome {
            Outcome::Solved(tour) => tour,
            Outcome::Impossible(_) => {
                return Ok(Some(Hint::no("no, it cannot be finished from here".to_owned(), sum)));
            }
            Outcome::Unfinished { .. } => return Ok(None),
        };
        let Tour(mut squares) = tour.solution().clone();
        // A closed tour can be walked in both directions.
        for _ in 0..if problem.shape == Shape::Closed { 2 } else { 1 } {
            if squares.starts_with(walk) {
                let next = squares.get(walk.len()).map(Square::to_string);
                let says =
                    next.as_ref().map_or_else(|| "yes".to_owned(), |at| format!("yes, by {at}"));
                return Ok(Some(Hint::yes(next, says, sum)));
            }
            squares[1..].reverse();
        }
    }
    Ok(None)
}

/// Can one of these be toured? `ahead` squares of the answer have been played.
fn rest_of_tour(
    whole: &TourProblem,
    rests: &[TourProblem],
    ahead: usize,
    options: &Options,
) -> Result<Hint, Refusal> {
    let mut sum = Effort::default();
    let mut open = None;
    for rest in rests {
        let Answer { outcome, effort, .. } = rest.solve_with(options)?;
        sum.nodes += effort.nodes;
        sum.method = effort.method;
        match outcome {
            Outcome::Solved(tour) => {
                let next = tour.solution().0.get(ahead).map(Square::to_string);
                if whole.symmetry != rest.symmetry {
                    let says = "it can be finished, but perhaps not with the symmetry";
                    return Ok(Hint::undecidable("symmetry", says, sum));
                }
                let says = next
                    .as_ref()
                    .map_or_else(|| "yes".to_owned(), |next| format!("yes, by {next}"));
                return Ok(Hint::yes(next, says, sum));
            }
            Outcome::Impossible(_) => {}
            Outcome::Unfinished { why, .. } => open = Some(why),
        }
    }
    if let Some(why) = open {
        return Ok(Hint::unknown(&why, sum));
    }
    Ok(Hint::no("no, it cannot be finished from here".to_owned(), sum))
}

fn of_capture(
    problem: &CaptureProblem,
    walk: &[Square],
    options: &Options,
) -> Result<Hint, Refusal> {
    let ground = TourProblem { leaper: Leaper::KNIGHT, ..TourProblem::open(problem.board.clone()) };
    check_walk(&ground, walk, true)?;
    if let Some(&first) = walk.first().filter(|&&first| first != problem.start) {
        return Err(wrong(1, format!("the knight stands on {}", problem.start)).on(first));
    }
    let here = walk.last().copied().unwrap_or(problem.start);
    let mut targets = problem.targets.clone();
    targets.retain(|target| !walk.contains(target));
    let played = (walk.len() as u64).saturating_sub(1);
    if targets.is_empty() {
        let says = format!("all pieces are taken, in {}", quantity(played, "moves"));
        return Ok(Hint::solved(says).in_all(played, true));
    }
    let rest = CaptureProblem { board: problem.board.clone(), start: here, targets };
    let Answer { outcome, effort, .. } = rest.solve_with(options)?;
    Ok(match outcome {
        Outcome::Impossible(none) => Hint::no(format!("no: {}", none.obstacle()), effort),
        Outcome::Solved(plan) | Outcome::Unfinished { best: Some(plan), .. } => {
            let optimal = plan.support().is_some();
            let total = played + plan.solution().moves();
            let next = plan.solution().0.get(1).map(Square::to_string);
            let says = yes_in(&quantity(total, "moves"), optimal);
            Hint::yes(next, says, effort).in_all(total, optimal)
        }
        Outcome::Unfinished { why, best: None } => Hint::unknown(&why, effort),
    })
}

fn of_swap(problem: &SwapProblem, played: &[Move], options: &Options) -> Result<Hint, Refusal> {
    // The checker replays what was played: a fault before the last move is the player's.
    let plan = SwapPlan(played.to_vec());
    let finished = match problem.verify(&plan) {
        Ok(()) => true,
        Err(fault) => match fault.step() {
            None => false,
            Some(step) => {
                let step = usize::try_from(step).unwrap_or(usize::MAX);
                let refusal = Refusal::unfit("played", &fault).at_step(step);
                return Err(fault
                    .squares()
                    .first()
                    .map_or(refusal.clone(), |&square| refusal.on(square)));
            }
        },
    };
    let cost = problem.cost(&plan);
    if finished {
        let says = format!("it is solved, in {}", counted(problem, cost));
        return Ok(Hint::solved(says).in_all(cost, true));
    }
    let mut rest = problem.clone();
    for &Move { from, to } in played {
        if let Some(letter) = rest.start.remove(&from) {
            rest.start.insert(to, letter);
        }
    }
    // Turns change with every move, or with every run.
    if cost % 2 == 1 {
        rest.rules.alternate = rest.rules.alternate.map(destrier_rules::Side::other);
    }
    let Answer { outcome, effort, .. } = rest.solve_with(options)?;
    let continues = |plan: &SwapPlan| {
        problem.rules.metric == Metric::Runs
            && played.last().map(|last| last.to) == plan.0.first().map(|first| first.from)
    };
    // The run under way may be continued, which the rest by itself does not know.
    let in_a_run = problem.rules.metric == Metric::Runs && !played.is_empty();
    Ok(match outcome {
        Outcome::Impossible(_) if in_a_run && problem.rules.alternate.is_some() => {
            let says = "the run under way may be continued, which is not examined";
            Hint::undecidable("run", says, effort)
        }
        Outcome::Impossible(none) => Hint::no(format!("no: {}", none.obstacle()), effort),
        Outcome::Solved(plan) | Outcome::Unfinished { best: Some(plan), .. } => {
            let optimal = plan.support().is_some() && !in_a_run;
            let plan = plan.solution();
            let total = cost + rest.cost(plan) - u64::from(continues(plan));
            let next = plan.0.first().map(Move::to_string);
            let says = yes_in(&counted(problem, total).to_string(), optimal);
            Hint::yes(next, says, effort).in_all(total, optimal)
        }
        Outcome::Unfinished { why, best: None } => Hint::unknown(&why, effort),
    })
}
