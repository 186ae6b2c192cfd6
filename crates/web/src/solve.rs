//! From a question to what is reported of it, by the same functions as the command line.
//!
//! Each answer comes three ways: a sentence, the certificate that `verify` reads, and a form that is easy to draw.
//! Nothing is reported that the checker has not passed.

use std::fmt::Write as _;

use destrier::capture::{self, BbDfs};
use destrier::count::{self, TOUR_COUNTERS, TourCount};
use destrier::method::{self, Counter};
use destrier::tour::compose::Itinerary;
use destrier::tour::trace::{self, Silent};
use destrier::{Effort, Outcome, Run, SolveError, Watch, swap, tour};
use destrier_ask::{
    Counted, Series, by_start_json, capture_told, counted, effort_told, named, named_all, origin,
    recurrence_told, swap_told,
};
use destrier_rules::{
    Certificate, Claim, Fault, Obstacle, Origin, Problem, Shape, TourProblem, Verified,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::ask::{CaptureAsk, CountAsk, Question, SwapAsk, TourAsk};
use crate::desk::Report;
use crate::draw;
use crate::hint;
use crate::live::Live;
use crate::refusal::Refusal;

/// Works on a question until it is answered or stopped.
pub(crate) fn work(question: Question, watch: &Watch, live: &Live) -> Result<Report, Refusal> {
    match question {
        Question::Tour(ask) if ask.is_by_window() => planned_tour(&ask.problem, watch),
        Question::Tour(ask) => tour(&ask, watch, live),
        Question::Count(ask) if ask.by_start => by_start(&ask, watch),
        Question::Count(ask) => count(&ask, watch),
        Question::Series { series, recurrence } => all_of_width(&series, recurrence, watch),
        Question::Capture(ask) => capture(&ask, watch),
        Question::Swap(ask) => swap(&ask, watch),
        Question::Hint { of, played } => hint::work(*of, &played, watch),
        Question::Compare(_) => Err(Refusal::broken()), // runs as a child: see `compare`
    }
}

pub(crate) fn effort_json(effort: &Effort, method: &str) -> Value {
    let details: serde_json::Map<String, Value> =
        effort.details.iter().map(|&(name, number)| (name.to_owned(), number.into())).collect();
    json!({ "method": effort.method.unwrap_or(method), "nodes": effort.nodes, "details": details })
}

/// The certificate of a solution as JSON.
pub(crate) fn certificate<P>(
    verified: Verified<P>,
    claim: Claim,
    origin: Origin,
) -> Result<Value, Fault>
where
    P: Problem + Serialize,
    P::Solution: Serialize,
{
    let certificate = Certificate::solved(verified, claim, origin)?;
    Ok(serde_json::to_value(certificate).unwrap_or_default())
}

/// The certificate of a problem without a solution, as JSON.
fn refusal<P>(problem: P, obstacle: Obstacle, origin: Origin) -> Result<Value, Fault>
where
    P: Problem + Serialize,
    P::Solution: Serialize,
{
    let certificate = Certificate::impossible(problem, obstacle, origin)?;
    Ok(serde_json::to_value(certificate).unwrap_or_default())
}

/// A fault in our own answer, caught by the checker.
pub(crate) fn caught(fault: &Fault) -> Refusal {
    Refusal::new(
        axum::http::StatusCode::INTERNAL_SERVER_ERROR,
        format!("a wrong answer was caught: {fault}"),
    )
}

fn tour(ask: &TourAsk, watch: &Watch, live: &Live) -> Result<Report, Refusal> {
    let TourAsk { problem, method, .. } = ask;
    let run = match (ask.trace, ask.backtrack) {
        (true, step_back) => trace::find(problem, method, step_back, watch, &mut live.teller()),
        (false, true) => trace::find(problem, method, true, watch, &mut Silent),
        (false, false) => tour::find(problem, method, watch),
    };
    let Run { outcome, claim, effort } = run?;
    let origin = origin(effort.method.unwrap_or(method));
    let told = effort_json(&effort, method);
    Ok(match outcome {
        Outcome::Solved(tour) => {
            let squares = &tour.solution().0;
            let ends = TourProblem {
                start: squares.first().copied(),
                end: squares.last().copied(),
                ..problem.clone()
            };
            Report {
                outcome: "solved",
                says: format!("{}, {} squares", named(&ends), squares.len()),
                answer: draw::tour(&tour),
                certificate: certificate(tour, claim, origin).map_err(|fault| caught(&fault))?,
                effort: told,
            }
        }
        Outcome::Impossible(obstacle) => no_tour(problem, obstacle, origin, told)?,
        Outcome::Unfinished { why, .. } => {
            undecided(format!("undecided: {why} ({})", effort_told(&effort)), told)
        }
    })
}

fn no_tour(
    problem: &TourProblem,
    obstacle: Obstacle,
    origin: Origin,
    effort: Value,
) -> Result<Report, Refusal> {
    Ok(Report {
        outcome: "impossible",
        says: format!("no {}: {obstacle}", named(problem)),
        certificate: refusal(problem.clone(), obstacle, origin).map_err(|fault| caught(&fault))?,
        answer: Value::Null,
        effort,
    })
}

fn undecided(says: String, effort: Value) -> Report {
    Report { outcome: "undecided", says, certificate: Value::Null, answer: Value::Null, effort }
}

/// A tour that is planned and never kept; its steps are seen through windows.
fn planned_tour(problem: &TourProblem, watch: &Watch) -> Result<Report, Refusal> {
    let Run { outcome, effort, .. } = Itinerary::plan(problem, watch)?;
    let told = effort_json(&effort, "compose");
    Ok(match outcome {
        Outcome::Solved(itinerary) => {
            let ends = TourProblem {
                start: itinerary.at_step(1),
                end: itinerary.at_step(itinerary.len()),
                ..problem.clone()
            };
            Report {
                outcome: "solved",
                says: format!(
                    "{}, {} squares; too long to be listed, every step can be asked for",
                    named(&ends),
                    itinerary.len()
                ),
                certificate: Value::Null,
                answer: json!({
                    "kind": "tour", "board": problem.board.size(), "closed": problem.shape == Shape::Closed,
                    "length": itinerary.len(), "access": "window",
                    "first": ends.start, "last": ends.end,
                }),
                effort: told,
            }
        }
        Outcome::Impossible(obstacle) => no_tour(problem, obstacle, origin("compose"), told)?,
        Outcome::Unfinished { why, .. } => undecided(format!("undecided: {why}"), told),
    })
}

/// Counts one shape, and sorts into classes if that is asked for; notes say what could not be told.
fn counted_one(
    ask: &CountAsk,
    question: TourProblem,
    watch: &Watch,
    notes: &mut Vec<String>,
) -> Result<(Option<Counted>, Effort), Refusal> {
    let Run { outcome, effort, .. } = count::count(&question, &ask.method, watch)?;
    let (count, whole) = match outcome {
        Outcome::Solved(count) => (count, true),
        Outcome::Unfinished { why, best } => {
            notes.push(format!("{}: {why}", named_all(&question)));
            let Some(count) = best else { return Ok((None, effort)) };
            (count, false)
        }
        Outcome::Impossible(obstacle) => {
            notes.push(format!("no {}: {obstacle}", named(&question)));
            (TourCount::of_undirected(&question, 0_u32), true)
        }
    };
    let (mut classes, mut symmetric_classes) = (None, None);
    if ask.classes && whole {
        if question.symmetry.is_none() {
            match count::classes(&question, count.undirected(), watch) {
                Ok(found) => classes = Some(found),
                Err(SolveError::Stopped(why)) => notes.push(format!("classes: {why}")),
                Err(error) => return Err(error.into()),
            }
        } else {
            symmetric_classes = match count::symmetric_classes(&question, count.undirected(), watch)
            {
                Err(SolveError::Stopped(_)) => None,
                classes => classes?,
            };
        }
    }
    let method = effort.method.unwrap_or(&ask.method).to_owned();
    Ok((Some(Counted { question, count, whole, classes, symmetric_classes, method }), effort))
}

fn count(ask: &CountAsk, watch: &Watch) -> Result<Report, Refusal> {
    let (mut says, mut notes) = (String::new(), Vec::new());
    let (mut certificates, mut answers) = (Vec::new(), Vec::new());
    let (mut whole, mut sum, mut methods) = (true, Effort::default(), Vec::new());
    for &shape in ask.shapes {
        let question = TourProblem { shape, ..ask.problem.clone() };
        let (found, effort) = counted_one(ask, question, watch, &mut notes)?;
        sum.nodes += effort.nodes;
        sum.details.extend(effort.details);
        methods.extend(effort.method);
        let Some(found) = found else {
            whole = false;
            continue;
        };
        whole &= found.whole
            && (!ask.classes || found.classes.is_some() || found.question.symmetry.is_some());
        let words = found.in_words();
        says += &words;
        let certificate = found.json();
        let mut answer = json!({
            "shape": shape, "complete": found.whole, "undirected": certificate["undirected"],
            "directed": certificate["directed"], "says": words.trim_end(),
        });
        for name in ["classes", "fixed"] {
            if let Some(value) = certificate.get(name) {
                answer[name] = value.clone();
            }
        }
        answers.push(answer);
        certificates.push(certificate);
    }
    methods.dedup();
    let method = if methods.is_empty() { ask.method.clone() } else { methods.join(", ") };
    let notes: String = notes.into_iter().map(|note| note + "\n").collect();
    Ok(Report {
        outcome: if whole { "solved" } else { "undecided" },
        says: (notes + &says).trim_end().to_owned(),
        certificate: certificates.into(),
        answer: json!({ "kind": "count", "counts": answers }),
        effort: effort_json(&sum, &method),
    })
}

fn by_start(ask: &CountAsk, watch: &Watch) -> Result<Report, Refusal> {
    let closed = ask.shapes == [Shape::Closed];
    let shape = if closed { Shape::Closed } else { Shape::Open };
    let question = TourProblem { shape, ..ask.problem.clone() };
    let counter = method::named(TOUR_COUNTERS, &ask.method, Counter::name)?;
    let counts = count::by_start(&question, counter, watch);
    let effort = json!({ "method": ask.method, "nodes": watch.nodes(), "details": {} });
    let title = format!("directed {} by start", named_all(&question));
    Ok(match counts {
        Err(SolveError::Stopped(why)) => undecided(format!("{title}: {why}"), effort),
        Err(error) => return Err(error.into()),
        Ok(counts) => Report {
            outcome: "solved",
            says: title,
            certificate: by_start_json(&question, &counts),
            answer: draw::by_start(&question, &counts),
            effort,
        },
    })
}

fn all_of_width(series: &Series, recurrence: usize, watch: &Watch) -> Result<Report, Refusal> {
    let (terms, halted) = series.strip.terms(series.last, watch)?.outcome.so_far();
    let terms = terms.unwrap_or_default();
    let listed: Vec<Value> = (1_usize..)
        .zip(&terms)
        .skip(series.first - 1)
        .map(|(length, number)| series.json(length, number))
        .collect();
    let told = match halted {
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
    if let Ok(Some(sentence)) = &told {
        answer["recurrence"] = sentence.as_str().into();
    }
    let boards =
        format!("{} tours of {}x{}..{}", series.shape, series.width, series.first, series.last);
    Ok(Report {
        outcome: if told.is_ok() { "solved" } else { "undecided" },
        says: match told {
            Ok(None) => boards,
            Ok(Some(sentence)) => format!("{boards}, undirected; {sentence}"),
            Err(why) => why,
        },
        certificate: Value::Null,
        answer,
        effort: json!({ "method": "transfer", "nodes": watch.nodes(), "details": {} }),
    })
}

/// What is known of a bound.
pub(crate) fn bound(claim: &Claim) -> (Option<u64>, bool) {
    match claim {
        Claim::Fewest { lower_bound, .. } => (Some(*lower_bound), true),
        Claim::AtLeast { lower_bound } => (Some(*lower_bound), false),
        _ => (None, false),
    }
}

fn capture(ask: &CaptureAsk, watch: &Watch) -> Result<Report, Refusal> {
    let CaptureAsk { puzzle, method, parallel } = ask;
    let run = if method == "bb-dfs" {
        let solver = BbDfs { parallel: *parallel, upper_bound: puzzle.upper_bound };
        method::solve_checked(&solver, &puzzle.problem, watch)
    } else {
        capture::find(&puzzle.problem, method, watch)
    };
    let Run { outcome, claim, effort } = run?;
    let origin = origin(effort.method.unwrap_or(method));
    let told = effort_json(&effort, method);
    let hint = puzzle.upper_bound;
    Ok(match outcome {
        Outcome::Solved(plan) => {
            let mut says = capture_told(&plan, &claim);
            if let Some(hint) = hint.filter(|&hint| hint < plan.solution().moves()) {
                let moves = plan.solution().moves();
                let _ =
                    write!(says, "; the file's upper bound is {hint}, and {moves} is the fewest");
            }
            Report {
                outcome: "solved",
                says,
                answer: draw::capture(&plan, &claim, hint),
                certificate: certificate(plan, claim, origin).map_err(|fault| caught(&fault))?,
                effort: told,
            }
        }
        Outcome::Impossible(obstacle) => Report {
            outcome: "impossible",
            says: format!("not all pieces can be taken: {obstacle}"),
            certificate: refusal(puzzle.problem.clone(), obstacle, origin)
                .map_err(|fault| caught(&fault))?,
            answer: Value::Null,
            effort: told,
        },
        Outcome::Unfinished { why, best: None } => undecided(format!("not proved: {why}"), told),
        Outcome::Unfinished { why, best: Some(plan) } => Report {
            outcome: "undecided",
            says: format!("{why}; {}", capture_told(&plan, &claim)),
            answer: draw::capture(&plan, &claim, hint),
            certificate: certificate(plan, claim, origin).map_err(|fault| caught(&fault))?,
            effort: told,
        },
    })
}

fn swap(ask: &SwapAsk, watch: &Watch) -> Result<Report, Refusal> {
    let SwapAsk { problem, method, move_limit } = ask;
    let run = match move_limit {
        Some(limit) if method == "best-first" => {
            method::solve_checked(&swap::BestFirst { limit: *limit }, problem, watch)
        }
        _ => swap::solve(problem, method, watch),
    };
    let Run { outcome, claim, effort } = run?;
    let origin = origin(effort.method.unwrap_or(method));
    let told = effort_json(&effort, method);
    Ok(match outcome {
        Outcome::Solved(plan) => Report {
            outcome: "solved",
            says: swap_told(&plan, &claim),
            answer: draw::swap(&plan, &claim),
            certificate: certificate(plan, claim, origin).map_err(|fault| caught(&fault))?,
            effort: told,
        },
        Outcome::Impossible(obstacle) => Report {
            outcome: "impossible",
            says: format!("no plan: {obstacle}"),
            certificate: refusal(problem.clone(), obstacle, origin)
                .map_err(|fault| caught(&fault))?,
            answer: Value::Null,
            effort: told,
        },
        Outcome::Unfinished { why, best } => {
            let mut says = format!("undecided: {why}");
            if let Claim::AtLeast { lower_bound } = claim {
                let _ = write!(says, "; at least {}", counted(problem, lower_bound));
            }
            let Some(plan) = best else { return Ok(undecided(says, told)) };
            let cost = problem.cost(plan.solution());
            Report {
                outcome: "undecided",
                says: format!("{says}, and here is a plan of {}", counted(problem, cost)),
                answer: draw::swap(&plan, &claim),
                certificate: certificate(plan, claim, origin).map_err(|fault| caught(&fault))?,
                effort: told,
            }
        }
    })
}
