//! A comparison that comes as a request: several methods on one question, within what a carrier allows.
//!
//! A server runs it in fresh processes of the command `destrier`, a page without a server in its own. Cancelling ends the
//! run that is under way, and keeps what is measured.
//!
//! Invariant: a run gets words made from the question as it was understood; never a file name from a request.

use std::time::Duration;

use destrier::Options;
use destrier::internal::Watch;
use destrier_ask::{self as ask, Conclusion, Fields, Refusal, RefusalKind, Report, Sentence};
use destrier_rules::{Shape, TourProblem};
use serde_json::{Value, json};

use crate::comparison::{Comparison, Limits, Team};
use crate::error::Error;
use crate::form::Form;
use crate::question::{Ask, Question};
use crate::trial::Runner;

/// The most measured runs of each method.
const MOST_RUNS: usize = 20;
/// The most methods, and the most numbers of threads.
const MOST_COMPARED: usize = 64;
/// The time of a run, if the request names none.
const USUAL_TIME: Duration = Duration::from_secs(5);

/// What a carrier allows a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// The threads of a run.
    pub threads: usize,
    /// The memory of a run, in bytes.
    pub memory: u64,
    /// The time of a run.
    pub time: Duration,
}

/// The comparison that a request asks for.
///
/// # Errors
/// When it cannot be read, or is beyond what is allowed.
pub fn read(mut fields: Fields, allowed: Allowed) -> Result<Comparison, Refusal> {
    let of: String = fields.take("of")?.ok_or_else(|| Refusal::unfit("of", "`of` is missing"))?;
    let methods: Vec<String> = fields.take("methods")?.unwrap_or_default();
    let threads: Vec<usize> = fields.take("thread_counts")?.unwrap_or_default();
    let repeat: usize = fields.take("repeat")?.unwrap_or(3);
    if !(1..=MOST_RUNS).contains(&repeat) {
        return Err(Refusal::unfit("repeat", Error::NoRuns { repeat, most: MOST_RUNS }));
    }
    let most = allowed.threads;
    if let Some(threads) = threads.iter().find(|&&threads| threads > most) {
        let why = format!("{threads} threads are too many: {most} at most here");
        return Err(Refusal::unfit("thread_counts", why));
    }
    for (name, found) in [("methods", methods.len()), ("thread_counts", threads.len())] {
        if found > MOST_COMPARED {
            let why = format!("{found} are too many: {MOST_COMPARED} at most");
            return Err(Refusal::unfit(name, why));
        }
    }
    let bounds = fields.bounds()?;
    let question = Question::of(match fields.of_kind(&of)? {
        ask::Question::Tour(ask) => Ask::Tour(ask.problem),
        ask::Question::Count(ask) if !ask.by_start && !ask.classes => {
            let shape = if ask.shapes == [Shape::Closed] { Shape::Closed } else { Shape::Open };
            Ask::Count(TourProblem { shape, ..ask.problem })
        }
        ask::Question::Capture(ask) => Ask::Capture(ask.puzzle.problem),
        ask::Question::Swap(ask) => Ask::Swap(ask.problem),
        _ => {
            let why = "this is not compared; tours, counts, captures and swaps are";
            return Err(Refusal::unfit("of", why));
        }
    });
    let kind = question.ask().kind();
    let time = bounds.time.unwrap_or(USUAL_TIME).min(allowed.time);
    let limits = Limits { time, memory: Some(allowed.memory), seed: bounds.seed };
    let mut comparison = Comparison::new(kind.title(), repeat, limits)?;
    let methods = kind.methods(&methods)?;
    let threads = if threads.is_empty() { vec![1] } else { threads };
    comparison.add(&[question], &methods, &Team::all(&threads, &[]))?;
    Ok(comparison)
}

impl From<Error> for Refusal {
    /// Names the field that is wrong; else the carrier is.
    fn from(error: Error) -> Refusal {
        let field = match &error {
            Error::Method(_) | Error::Variant(_) => "methods",
            Error::Threads(_) => "thread_counts",
            Error::NoTime => "time_limit",
            _ => {
                let why = format!("the comparison could not be run: {error}");
                return Refusal::new(RefusalKind::Broken, why);
            }
        };
        Refusal::unfit(field, error)
    }
}

/// Runs a comparison, and reports on it.
///
/// # Errors
/// When it cannot be run at all.
pub fn answer(
    comparison: &Comparison,
    runner: &Runner,
    options: &Options,
) -> Result<Report, Refusal> {
    let watch = Watch::new(options);
    let measured = comparison.run(runner, &watch, &mut |turn| {
        #[expect(clippy::cast_precision_loss, reason = "a progress bar is not that precise")]
        let fraction = turn.done as f64 / turn.all as f64;
        watch.tell(|progress| progress.fraction = Some(fraction));
    })?;
    if measured.rows.is_empty() {
        return Ok(Report::undecided("stopped before anything was measured", Value::Null));
    }
    let rows = measured.rows.len();
    let rows = format!("{rows} row{}", if rows == 1 { "" } else { "s" });
    let mut says = format!("{rows} of {}", measured.title);
    if !measured.agreed {
        says += "; the answers do not agree";
    }
    let mut table = measured.json()?;
    for row in table["rows"].as_array_mut().into_iter().flatten() {
        let note = row["note"].as_str().filter(|note| !note.is_empty()).map(Sentence::english);
        if let Some(told) = note {
            row["note_told"] = json!(told);
        }
    }
    let mut answer = json!({ "kind": "compare", "table": table });
    // Where no method gave an answer there is nothing to plot.
    if let Ok(plot) = Form::Svg.of(&measured) {
        answer["svg"] = String::from_utf8_lossy(&plot).into();
    }
    let outcome = if measured.complete { Conclusion::Solved } else { Conclusion::Undecided };
    Ok(Report {
        outcome,
        says,
        reason: None,
        certificate: Value::Null,
        answer,
        effort: Value::Null,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(question: Value) -> Value {
        let fields = Fields::of(question, destrier_ask::Limits::default()).unwrap();
        read(fields, few_threads()).unwrap_err().json()
    }

    /// A carrier with four threads.
    fn few_threads() -> Allowed {
        Allowed { threads: 4, memory: 300 << 20, time: Duration::from_secs(600) }
    }

    #[test]
    fn what_cannot_be_compared_is_refused_with_its_field() {
        let tour = |more: Value| {
            let mut question = json!({ "kind": "compare", "of": "tour", "board": "5x5" });
            question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            question
        };
        let fields = |question| Fields::of(question, destrier_ask::Limits::default()).unwrap();
        assert!(read(fields(tour(json!({}))), few_threads()).is_ok());
        assert!(read(fields(tour(json!({ "thread_counts": [1, 4] }))), few_threads()).is_ok());
        for (question, field, why) in [
            (tour(json!({ "methods": ["magic"] })), "methods", "there is no method `magic`"),
            (tour(json!({ "methods": ["auto -o x"] })), "methods", "there is no method"),
            (tour(json!({ "methods": ["auto:task"] })), "methods", "is not a variant"),
            (tour(json!({ "thread_counts": [0] })), "thread_counts", "0 is not from 1 to 1024"),
            (tour(json!({ "thread_counts": [5] })), "thread_counts", "4 at most here"),
            (tour(json!({ "thread_counts": vec![1; 65] })), "thread_counts", "64 at most"),
            (tour(json!({ "methods": vec!["auto"; 65] })), "methods", "64 at most"),
            (tour(json!({ "time_limit": "0s" })), "time_limit", "lets nothing run"),
            (tour(json!({ "output": "x" })), "output", "has no `output`"),
            (tour(json!({ "wrap": "z" })), "wrap", "--wrap: there is no `z`; there are none, x"),
        ] {
            let refusal = refused(question);
            assert_eq!(refusal["field"], field, "{refusal}");
            assert!(refusal["error"].as_str().unwrap().contains(why), "{refusal}");
        }
    }

    #[test]
    fn no_file_and_no_option_is_smuggled_in() {
        for puzzle in ["/etc/passwd", "--set=bb-dfs-speedup"] {
            let refusal = refused(json!({ "kind": "compare", "of": "capture", "puzzle": puzzle }));
            assert_eq!(refusal["field"], "puzzle", "{refusal}");
        }
    }
}
