//! From a question to what is reported of it, by the same functions as the command line.
//!
//! Each answer comes in three forms: a sentence, the certificate that `verify` reads, and a form that is easy to draw.
//! Nothing is reported that the checker has not passed.

use std::fmt::Write as _;

use destrier::capture::{self, BbDfs};
use destrier::count;
use destrier::method;
use destrier::tour::compose::Itinerary;
use destrier::tour::trace;
use destrier::{Effort, Outcome, Run, SolveError, Watch, swap, tour};
use destrier_rules::{
    Certificate, Claim, Fault, Obstacle, Origin, Problem, Shape, TourProblem, Verified,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::certificate::value_of;
use crate::draw;
use crate::hint;
use crate::progress::{Step, Steps};
use crate::question::{CaptureQuestion, CountQuestion, Question, SwapQuestion, TourQuestion};
use crate::refusal::{Refusal, RefusalKind};
use crate::report::{Conclusion, Report, effort_json};
use crate::words::{
    self, Counting, Series, by_start_json, by_start_title, capture_told, counted, effort_told,
    named, origin, quantity, recurrence_told, swap_told, upper_bound_told,
};

/// Works on a question until it is answered or the watch stops it; the steps of a search that is traced go to `steps`.
///
/// # Errors
/// When the question cannot be answered here, or the checker refused an answer.
pub fn work(
    question: Question,
    watch: &Watch,
    steps: &mut dyn FnMut(Step),
) -> Result<Report, Refusal> {
    match question {
        Question::Tour(ask) if ask.by_window => planned_tour(&ask.problem, watch),
        Question::Tour(ask) => tour(&ask, watch, steps),
        Question::Count(ask) if ask.by_start => by_start(&ask, watch),
        Question::Count(ask) => count(&ask, watch),
        Question::Series { series, recurrence } => numbers_of_width(&series, recurrence, watch),
        Question::Capture(ask) => capture(&ask, watch),
        Question::Swap(ask) => swap(&ask, watch),
        Question::Hint { of, played } => hint::work(*of, &played, watch),
        Question::Compare(_) => {
            Err(Refusal::new(RefusalKind::Unsupported, "methods are not compared here"))
        }
    }
}

/// A fault in our own answer, caught by the checker.
fn caught(fault: &Fault) -> Refusal {
    Refusal::new(RefusalKind::Broken, format!("a wrong answer was caught: {fault}"))
}

/// Who answered, and what it took.
struct Made {
    origin: Origin,
    effort: Value,
}

impl Made {
    fn by(effort: &Effort, method: &str) -> Made {
        Made {
            origin: origin(effort.method.unwrap_or(method)),
            effort: effort_json(effort, method),
        }
    }

    /// Here it is: the answer, or the best so far.
    fn found<P>(
        self,
        outcome: Conclusion,
        says: String,
        answer: Value,
        found: (Verified<P>, Claim),
    ) -> Result<Report, Refusal>
    where
        P: Problem + Serialize,
        P::Solution: Serialize,
    {
        let certificate =
            Certificate::solved(found.0, found.1, self.origin).map_err(|fault| caught(&fault))?;
        let certificate = value_of(&certificate);
        Ok(Report { outcome, says, certificate, answer, effort: self.effort })
    }

    /// There is none.
    fn none<P>(self, says: String, problem: P, obstacle: Obstacle) -> Result<Report, Refusal>
    where
        P: Problem + Serialize,
        P::Solution: Serialize,
    {
        let certificate = Certificate::impossible(problem, obstacle, self.origin)
            .map_err(|fault| caught(&fault))?;
        Ok(Report {
            outcome: Conclusion::Impossible,
            says,
            certificate: value_of(&certificate),
            answer: Value::Null,
            effort: self.effort,
        })
    }
}

fn tour(ask: &TourQuestion, watch: &Watch, steps: &mut dyn FnMut(Step)) -> Result<Report, Refusal> {
    let TourQuestion { problem, method, .. } = ask;
    let run = match (ask.trace, ask.backtrack) {
        (true, step_back) => trace::find(problem, method, step_back, watch, &mut Steps(steps)),
        // Not `Silent`: that would compile the searches a second time, to save one call per step.
        (false, true) => trace::find(problem, method, true, watch, &mut Steps(&mut |_| {})),
        (false, false) => tour::find(problem, method, watch),
    };
    let Run { outcome, claim, effort } = run?;
    let made = Made::by(&effort, method);
    match outcome {
        Outcome::Solved(tour) => {
            let squares = &tour.solution().0;
            let ends = TourProblem {
                start: squares.first().copied(),
                end: squares.last().copied(),
                ..problem.clone()
            };
            let length = quantity(squares.len() as u64, "squares");
            let says = format!("{}, {length}", named(&ends));
            made.found(Conclusion::Solved, says, draw::tour(&tour), (tour, claim))
        }
        Outcome::Impossible(obstacle) => no_tour(problem, obstacle, made),
        Outcome::Unfinished { why, .. } => {
            let says = format!("undecided: {why} ({})", effort_told(&effort));
            Ok(Report::undecided(says, made.effort))
        }
    }
}

fn no_tour(problem: &TourProblem, obstacle: Obstacle, made: Made) -> Result<Report, Refusal> {
    made.none(format!("no {}: {obstacle}", named(problem)), problem.clone(), obstacle)
}

/// A tour that is planned and never kept; its steps are seen through windows.
fn planned_tour(problem: &TourProblem, watch: &Watch) -> Result<Report, Refusal> {
    let Run { outcome, effort, .. } = Itinerary::plan(problem, watch)?;
    let made = Made::by(&effort, "compose");
    match outcome {
        Outcome::Solved(itinerary) => {
            let ends = TourProblem {
                start: itinerary.at_step(1),
                end: itinerary.at_step(itinerary.len()),
                ..problem.clone()
            };
            Ok(Report {
                outcome: Conclusion::Solved,
                says: format!(
                    "{}, {} squares; too long to list, but every step can be looked up",
                    named(&ends),
                    itinerary.len()
                ),
                certificate: Value::Null,
                answer: json!({
                    "kind": "tour", "board": problem.board.size(), "closed": problem.shape == Shape::Closed,
                    "length": itinerary.len(), "access": "window",
                    "first": ends.start, "last": ends.end,
                }),
                effort: made.effort,
            })
        }
        Outcome::Impossible(obstacle) => no_tour(problem, obstacle, made),
        Outcome::Unfinished { why, .. } => {
            Ok(Report::undecided(format!("undecided: {why}"), made.effort))
        }
    }
}

fn count(ask: &CountQuestion, watch: &Watch) -> Result<Report, Refusal> {
    let (mut lines, mut answers, mut certificates) = (Vec::new(), Vec::new(), Vec::new());
    let (mut notes, mut methods) = (Vec::new(), Vec::new());
    let (mut complete, mut sum) = (true, Effort::default());
    for &shape in ask.shapes {
        let question = TourProblem { shape, ..ask.problem.clone() };
        let run = count::count(&question, &ask.method, watch)?;
        let counting = Counting::of_run(question, run, &ask.method, ask.classes, watch)?;
        complete &= counting.complete;
        notes.extend(counting.notes);
        sum.nodes += counting.effort.nodes;
        sum.details.extend(counting.effort.details);
        methods.extend(counting.effort.method);
        let Some(found) = counting.answer else { continue };
        let words = found.in_words().trim_end().to_owned();
        let certificate = found.json();
        let mut answer = json!({
            "shape": shape, "complete": found.whole, "undirected": certificate["undirected"],
            "directed": certificate["directed"], "says": words,
        });
        for name in ["classes", "fixed"] {
            if let Some(value) = certificate.get(name) {
                answer[name] = value.clone();
            }
        }
        lines.push(words);
        answers.push(answer);
        certificates.push(certificate);
    }
    methods.dedup();
    let method = if methods.is_empty() { ask.method.clone() } else { methods.join(", ") };
    notes.extend(lines);
    Ok(Report {
        outcome: if complete { Conclusion::Solved } else { Conclusion::Undecided },
        says: notes.join("\n"),
        certificate: certificates.into(),
        answer: json!({ "kind": "count", "counts": answers }),
        effort: effort_json(&sum, &method),
    })
}

fn by_start(ask: &CountQuestion, watch: &Watch) -> Result<Report, Refusal> {
    let closed = ask.shapes == [Shape::Closed];
    let shape = if closed { Shape::Closed } else { Shape::Open };
    let question = TourProblem { shape, ..ask.problem.clone() };
    let counts = words::by_start(&question, &ask.method, watch);
    let effort = json!({ "method": ask.method, "nodes": watch.nodes(), "details": {} });
    let title = by_start_title(&question);
    match counts {
        Err(SolveError::Stopped(why)) => Ok(Report::undecided(format!("{title}: {why}"), effort)),
        Err(error) => Err(error.into()),
        Ok(counts) => Ok(Report {
            outcome: Conclusion::Solved,
            says: title,
            certificate: by_start_json(&question, &counts),
            answer: draw::by_start(&question, &counts),
            effort,
        }),
    }
}

fn numbers_of_width(series: &Series, recurrence: usize, watch: &Watch) -> Result<Report, Refusal> {
    let (terms, halted) = series.strip.terms(series.last, watch)?.outcome.so_far();
    let terms = terms.unwrap_or_default();
    let listed: Vec<Value> = (1_usize..)
        .zip(&terms)
        .skip(series.first - 1)
        .map(|(length, number)| series.json(length, number))
        .collect();
    let sentence = match halted {
        Some(why) => Err(format!("{} of {} boards: {why}", terms.len(), series.last)),
        None if recurrence == 0 => Ok(None),
        None => Ok(Some(match series.strip.recurrence(recurrence, watch) {
            Ok(Some(found)) => recurrence_told(&found),
            Ok(None) => format!("no recurrence of order {recurrence} or less"),
            Err(SolveError::Stopped(why)) => format!("no recurrence: {why}"),
            Err(error) => return Err(error.into()),
        })),
    };
    let mut answer = json!({ "kind": "series", "shape": series.shape, "terms": listed });
    if let Ok(Some(recurrence)) = &sentence {
        answer["recurrence"] = recurrence.as_str().into();
    }
    let boards =
        format!("{} tours of {}x{}..{}", series.shape, series.width, series.first, series.last);
    Ok(Report {
        outcome: if sentence.is_ok() { Conclusion::Solved } else { Conclusion::Undecided },
        says: match sentence {
            Ok(None) => boards,
            Ok(Some(recurrence)) => format!("{boards}, undirected; {recurrence}"),
            Err(why) => why,
        },
        certificate: Value::Null,
        answer,
        effort: json!({ "method": "transfer", "nodes": watch.nodes(), "details": {} }),
    })
}

fn capture(ask: &CaptureQuestion, watch: &Watch) -> Result<Report, Refusal> {
    let CaptureQuestion { puzzle, method, parallel } = ask;
    let run = if method == "bb-dfs" {
        let solver = BbDfs { parallel: *parallel, upper_bound: puzzle.upper_bound };
        method::solve_checked(&solver, &puzzle.problem, watch)
    } else {
        capture::find(&puzzle.problem, method, watch)
    };
    let Run { outcome, claim, effort } = run?;
    let made = Made::by(&effort, method);
    let hint = puzzle.upper_bound;
    match outcome {
        Outcome::Solved(plan) => {
            let mut says = capture_told(&plan, &claim);
            if let Some(warning) = upper_bound_told(hint, &plan, &claim) {
                let _ = write!(says, "; {warning}");
            }
            let answer = draw::capture(&plan, &claim, hint);
            made.found(Conclusion::Solved, says, answer, (plan, claim))
        }
        Outcome::Impossible(obstacle) => {
            let says = format!("not all pieces can be taken: {obstacle}");
            made.none(says, puzzle.problem.clone(), obstacle)
        }
        Outcome::Unfinished { why, best: None } => {
            Ok(Report::undecided(format!("not proved: {why}"), made.effort))
        }
        Outcome::Unfinished { why, best: Some(plan) } => {
            let says = format!("{why}; {}", capture_told(&plan, &claim));
            let answer = draw::capture(&plan, &claim, hint);
            made.found(Conclusion::Undecided, says, answer, (plan, claim))
        }
    }
}

fn swap(ask: &SwapQuestion, watch: &Watch) -> Result<Report, Refusal> {
    let SwapQuestion { problem, method, move_limit } = ask;
    let run = match move_limit {
        Some(limit) if method == "best-first" => {
            method::solve_checked(&swap::BestFirst { limit: *limit }, problem, watch)
        }
        _ => swap::solve(problem, method, watch),
    };
    let Run { outcome, claim, effort } = run?;
    let made = Made::by(&effort, method);
    match outcome {
        Outcome::Solved(plan) => {
            let (says, answer) = (swap_told(&plan, &claim), draw::swap(&plan, &claim));
            made.found(Conclusion::Solved, says, answer, (plan, claim))
        }
        Outcome::Impossible(obstacle) => {
            made.none(format!("no plan: {obstacle}"), problem.clone(), obstacle)
        }
        Outcome::Unfinished { why, best } => {
            let mut says = format!("undecided: {why}");
            if let Claim::AtLeast { lower_bound } = claim {
                let _ = write!(says, "; at least {}", counted(problem, lower_bound));
            }
            let Some(plan) = best else { return Ok(Report::undecided(says, made.effort)) };
            let cost = problem.cost(plan.solution());
            let _ = write!(says, ", and here is a plan of {}", counted(problem, cost));
            let answer = draw::swap(&plan, &claim);
            made.found(Conclusion::Undecided, says, answer, (plan, claim))
        }
    }
}
