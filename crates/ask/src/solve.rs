//! From a question to what is reported of it, by the same functions as the command line.
//!
//! Each answer comes in three forms: a sentence, the certificate that `verify` reads, and a form that is easy to draw.
//! Nothing is reported that the checker has not passed.

use destrier::trace::Tracer as _;
use destrier::{
    Answer, Captures as _, Effort, Finding, Options, Outcome, Solve as _, Swaps as _, Tours as _,
};
use destrier_rules::{Certificate, Impossible, Problem, Shape, TourProblem, Verified};
use serde::Serialize;
use serde_json::{Value, json};

use crate::certificate::value_of;
use crate::draw;
use crate::hint;
use crate::numbered;
use crate::progress::{Step, Steps};
use crate::question::{CaptureQuestion, CountQuestion, Question, SwapQuestion, TourQuestion};
use crate::refusal::{Refusal, RefusalKind};
use crate::report::{Conclusion, Report, bounded, effort_json, stopped};
use crate::words::{
    Counting, Language, Sentence, Series, Told, by_start_json, by_start_title, capture_told,
    capture_undecided, effort_told, estimate_told, named_all, no_solution, of_length, swap_told,
    swap_undecided, undecided, upper_bound_told,
};

/// Works on a question until it is answered or stopped; the steps of a search that is traced go to `steps`.
///
/// # Errors
/// When the question cannot be answered here, or the checker refused an answer.
pub fn work(
    question: Question,
    options: &Options,
    steps: &mut dyn FnMut(Step),
) -> Result<Report, Refusal> {
    match question {
        Question::Tour(TourQuestion { problem, pick: Some(pick), .. }) => {
            numbered::work(&problem, pick, options)
        }
        Question::Tour(ask) if ask.by_window => planned_tour(&ask.problem, options),
        Question::Tour(ask) => tour(&ask, options, steps),
        Question::Count(ask) if ask.estimate => estimate(&ask, options),
        Question::Count(ask) if ask.by_start => by_start(&ask, options),
        Question::Count(ask) => count(&ask, options),
        Question::Series { series, recurrence } => numbers_of_width(&series, recurrence, options),
        Question::Capture(ask) => capture(&ask, options, steps),
        Question::Swap(ask) => swap(&ask, options, steps),
        Question::Hint { of, played } => hint::work(*of, &played, options),
        Question::Compare(_) => {
            Err(Refusal::new(RefusalKind::Unsupported, "methods are not compared here"))
        }
    }
}

/// What is reported of a question for a solution.
pub(crate) struct Made<P: Problem> {
    pub(crate) certificate: Value,
    pub(crate) effort: Value,
    pub(crate) outcome: Outcome<Verified<P>, Impossible<P>>,
    lower_bound: Option<u64>,
}

impl<P> Made<P>
where
    P: Problem + Clone + Serialize,
    P::Solution: Serialize,
{
    pub(crate) fn of(answer: Answer<P>) -> Made<P> {
        let certificate = answer.certificate().map_or(Value::Null, |answer| value_of(&answer));
        let Answer { outcome, lower_bound, effort, .. } = answer;
        Made { certificate, effort: effort_json(&effort), outcome, lower_bound }
    }
}

/// A report with all its parts.
pub(crate) fn report(
    outcome: Conclusion,
    says: &Sentence,
    answer: Value,
    certificate: Value,
    effort: Value,
) -> Report {
    Report { outcome, says: says.to_string(), reason: None, certificate, answer, effort }
}

/// That there is no solution, and why.
pub(crate) fn impossible<P: Told>(
    none: &Impossible<P>,
    certificate: Value,
    effort: Value,
) -> Report {
    let (says, reason) = (no_solution(none), Some(none.obstacle().into()));
    let answer = Value::Null;
    Report { reason, ..report(Conclusion::Impossible, &says, answer, certificate, effort) }
}

fn tour(
    ask: &TourQuestion,
    options: &Options,
    steps: &mut dyn FnMut(Step),
) -> Result<Report, Refusal> {
    let TourQuestion { problem, method, .. } = ask;
    let answer = if ask.trace {
        problem.trace(*method, options, &mut Steps(steps))?
    } else {
        problem.solve_by(*method, options)?
    };
    let took = effort_told(&answer.effort);
    let Made { certificate, effort, outcome, .. } = Made::of(answer);
    Ok(match outcome {
        Outcome::Solved(tour) => {
            let ends = TourProblem {
                start: tour.iter().next(),
                end: tour.iter().last(),
                ..problem.clone()
            };
            let says = of_length("tour.told", &ends, tour.len() as u64);
            report(Conclusion::Solved, &says, draw::tour(&tour), certificate, effort)
        }
        Outcome::Impossible(none) => impossible(&none, certificate, effort),
        Outcome::Unfinished { why, .. } => {
            let says = Sentence::of("told.took").with("what", undecided(why)).with("took", took);
            Report::undecided(says, stopped(effort, why))
        }
    })
}

/// A tour that is planned and never kept; its steps are seen through windows.
fn planned_tour(problem: &TourProblem, options: &Options) -> Result<Report, Refusal> {
    let Finding { outcome, effort, .. } = problem.itinerary_with(options)?;
    let took = effort_json(&effort);
    match outcome {
        Outcome::Solved(itinerary) => {
            let ends = TourProblem {
                start: itinerary.at_step(1),
                end: itinerary.at_step(itinerary.len()),
                ..problem.clone()
            };
            let answer = json!({
                "kind": "tour", "board": problem.board.size(), "closed": problem.shape == Shape::Closed,
                "length": itinerary.len(), "access": "window",
                "first": ends.start, "last": ends.end,
            });
            let says = of_length("tour.told_window", &ends, itinerary.len());
            Ok(report(Conclusion::Solved, &says, answer, Value::Null, took))
        }
        Outcome::Impossible(none) => {
            let certificate =
                Certificate::new(none.clone().into(), destrier::origin(effort.method));
            Ok(impossible(&none, value_of(&certificate), took))
        }
        Outcome::Unfinished { why, .. } => {
            Ok(Report::undecided(undecided(why), stopped(took, why)))
        }
    }
}

fn count(ask: &CountQuestion, options: &Options) -> Result<Report, Refusal> {
    let (mut lines, mut answers, mut certificates) = (Vec::new(), Vec::new(), Vec::new());
    let (mut notes, mut methods) = (Vec::new(), Vec::new());
    let (mut complete, mut sum) = (true, Effort::default());
    let stages = if ask.classes { 2 } else { 1 };
    let parts = ask.shapes.len() * stages;
    for (number, &shape) in ask.shapes.iter().enumerate() {
        let part = |stage| options.clone().part(number * stages + stage, parts);
        let question = TourProblem { shape, ..ask.problem.clone() };
        let counted = question.count_by(ask.method, &part(1))?;
        let counting = Counting::of(question, counted, ask.classes, &part(2))?;
        complete &= counting.complete;
        notes.extend(counting.notes);
        sum.nodes += counting.effort.nodes;
        sum.details.extend(counting.effort.details);
        methods.push(counting.effort.method);
        let Some(found) = counting.answer else { continue };
        let words = found.in_words(Language::English).trim_end().to_owned();
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
    let mut effort = effort_json(&sum);
    effort["method"] = methods.join(", ").into();
    let notes = notes.iter().map(ToString::to_string);
    Ok(Report {
        outcome: if complete { Conclusion::Solved } else { Conclusion::Undecided },
        says: notes.chain(lines).collect::<Vec<_>>().join("\n"),
        reason: None,
        certificate: certificates.into(),
        answer: json!({ "kind": "count", "counts": answers }),
        effort,
    })
}

/// What a count would take, measured on a sample.
fn estimate(ask: &CountQuestion, options: &Options) -> Result<Report, Refusal> {
    let (mut estimates, mut says, mut sum) = (Vec::new(), Vec::new(), Effort::default());
    for (number, &shape) in (1..).zip(ask.shapes) {
        let question = TourProblem { shape, ..ask.problem.clone() };
        let part = options.clone().part(number, ask.shapes.len());
        let Finding { outcome, effort, .. } = question.estimate(&part)?;
        (sum.method, sum.nodes) = (effort.method, sum.nodes + effort.nodes);
        match outcome.so_far() {
            (Some(found), None) => {
                let told = estimate_told(&found, Language::English);
                says.push(format!("{}: {told}", named_all(&question)));
                estimates.push(json!({
                    "shape": shape, "seconds": found.hours.value * 3600.0, "bytes": found.memory.value,
                    "extrapolated": found.is_extrapolated,
                }));
            }
            (_, Some(why)) => {
                let effort = stopped(effort_json(&sum), why);
                return Ok(Report::undecided(format!("no estimate: {why}"), effort));
            }
            // There are none, and that is known at once.
            (None, None) => estimates.push(json!({ "shape": shape, "seconds": 0, "bytes": 0 })),
        }
    }
    Ok(Report {
        outcome: Conclusion::Solved,
        says: says.join("\n"),
        reason: None,
        certificate: Value::Null,
        answer: json!({ "kind": "estimate", "estimates": estimates }),
        effort: effort_json(&sum),
    })
}

fn by_start(ask: &CountQuestion, options: &Options) -> Result<Report, Refusal> {
    let closed = ask.shapes == [Shape::Closed];
    let shape = if closed { Shape::Closed } else { Shape::Open };
    let question = TourProblem { shape, ..ask.problem.clone() };
    let Finding { outcome, effort, .. } = question.count_by_start(ask.method, options)?;
    let effort = effort_json(&effort);
    let title = by_start_title(&question);
    Ok(match outcome.so_far() {
        (Some(counts), None) => {
            let certificate = by_start_json(&question, &counts);
            let answer = draw::by_start(&question, &counts);
            report(Conclusion::Solved, &title, answer, certificate, effort)
        }
        (_, Some(why)) => Report::undecided(format!("{title}: {why}"), stopped(effort, why)),
        (_, None) => Report::undecided(title, effort),
    })
}

fn numbers_of_width(
    series: &Series,
    recurrence: usize,
    options: &Options,
) -> Result<Report, Refusal> {
    let Finding { outcome, effort, .. } = series.strip.terms(series.last, options)?;
    let (terms, halted) = outcome.so_far();
    let terms = terms.unwrap_or_default();
    let listed: Vec<Value> = (1_usize..)
        .zip(&terms)
        .skip(series.first - 1)
        .map(|(length, number)| series.json(length, number))
        .collect();
    let sentence = match halted {
        Some(why) => Err(format!("{} of {} boards: {why}", terms.len(), series.last)),
        None if recurrence == 0 => Ok(None),
        None => Ok(Some(series.recurrence(recurrence, options)?)),
    };
    let mut answer = json!({ "kind": "series", "shape": series.shape, "terms": listed });
    if let Ok(Some(recurrence)) = &sentence {
        answer["recurrence"] = recurrence.to_string().into();
        answer["recurrence_told"] = value_of(recurrence);
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
        reason: None,
        certificate: Value::Null,
        answer,
        effort: effort_json(&effort),
    })
}

fn capture(
    ask: &CaptureQuestion,
    options: &Options,
    steps: &mut dyn FnMut(Step),
) -> Result<Report, Refusal> {
    let CaptureQuestion { puzzle, method, trace } = ask;
    let Made { certificate, effort, outcome, lower_bound } = Made::of(if *trace {
        puzzle.problem.trace(*method, options, &mut Steps(steps))?
    } else {
        puzzle.problem.solve_by(*method, options)?
    });
    let hint = puzzle.upper_bound;
    Ok(match outcome {
        Outcome::Solved(plan) => {
            let mut says = capture_told(&plan);
            if let Some(warning) = upper_bound_told(hint, &plan) {
                says = Sentence::of("told.also").with("one", says).with("other", warning);
            }
            report(Conclusion::Solved, &says, draw::capture(&plan, hint), certificate, effort)
        }
        Outcome::Impossible(none) => impossible(&none, certificate, effort),
        Outcome::Unfinished { why, best: None } => {
            let effort = bounded(stopped(effort, why), lower_bound);
            Report::undecided(capture_undecided(why, None), effort)
        }
        Outcome::Unfinished { why, best: Some(plan) } => {
            let halt = Sentence::from(why);
            let says =
                Sentence::of("told.also").with("one", halt).with("other", capture_told(&plan));
            let (answer, effort) = (draw::capture(&plan, hint), stopped(effort, why));
            report(Conclusion::Undecided, &says, answer, certificate, effort)
        }
    })
}

fn swap(
    ask: &SwapQuestion,
    options: &Options,
    steps: &mut dyn FnMut(Step),
) -> Result<Report, Refusal> {
    let SwapQuestion { problem, method, trace } = ask;
    let Made { certificate, effort, outcome, lower_bound } = Made::of(if *trace {
        problem.trace(*method, options, &mut |look| Steps(steps).look(look))?
    } else {
        problem.solve_by(*method, options)?
    });
    Ok(match outcome {
        Outcome::Solved(plan) => {
            report(Conclusion::Solved, &swap_told(&plan), draw::swap(&plan), certificate, effort)
        }
        Outcome::Impossible(none) => impossible(&none, certificate, effort),
        Outcome::Unfinished { why, best } => {
            let cost = best.as_ref().map(Verified::cost);
            let says = swap_undecided(problem, why, lower_bound, cost);
            let effort = stopped(effort, why);
            let Some(plan) = best else {
                return Ok(Report::undecided(says, bounded(effort, lower_bound)));
            };
            report(Conclusion::Undecided, &says, draw::swap(&plan), certificate, effort)
        }
    })
}
