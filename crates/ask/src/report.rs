//! The outcome of a question, in the form of the contract (`Job` in `openapi.json`).

use std::time::Duration;

use destrier::{Effort, Halt};
use serde_json::{Map, Value, json};

use crate::certificate::value_of;
use crate::refusal::Refusal;
use crate::words::Sentence;

/// How the work on a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// There is an answer.
    Solved,
    /// It is proved that there is none.
    Impossible,
    /// It stopped first; the best so far may be there.
    Undecided,
}

impl Conclusion {
    /// As the contract names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Conclusion::Solved => "solved",
            Conclusion::Impossible => "impossible",
            Conclusion::Undecided => "undecided",
        }
    }
}

/// The outcome of a question: a sentence, the certificate that `verify` reads, a form that is easy to draw, and what it
/// took. Parts that are missing are null.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Conclusion,
    /// The answer in words.
    pub says: String,
    /// Why there is none, if that is the answer.
    pub reason: Option<Sentence>,
    /// The certificate, or a list of them.
    pub certificate: Value,
    /// What to draw.
    pub answer: Value,
    /// The method, its nodes, and numbers of its own.
    pub effort: Value,
}

impl Report {
    /// Nothing to show but a sentence.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a sentence is handed over")]
    pub fn undecided(says: impl ToString, effort: Value) -> Report {
        Report {
            outcome: Conclusion::Undecided,
            says: says.to_string(),
            reason: None,
            certificate: Value::Null,
            answer: Value::Null,
            effort,
        }
    }
}

/// What a run took, as the contract has it.
pub(crate) fn effort_json(effort: &Effort) -> Value {
    let mut details = Map::new();
    for &(name, number) in &effort.details {
        details.insert(name.to_owned(), number.into());
    }
    let refused = effort.refused.len();
    json!({ "method": effort.method, "nodes": effort.nodes, "details": details, "refused": refused })
}

/// What a run took that stopped before its end, and why it stopped.
pub(crate) fn stopped(mut effort: Value, why: Halt) -> Value {
    effort["stopped"] = match why {
        Halt::Asked => "asked",
        Halt::Deadline => "time",
        Halt::Nodes => "nodes",
        Halt::Memory => "memory",
        _ => "gave-up",
    }
    .into();
    effort
}

/// What a run took that has no plan, and the lower bound that it has.
pub(crate) fn bounded(mut effort: Value, lower_bound: Option<u64>) -> Value {
    if let Some(bound) = lower_bound {
        effort["lower_bound"] = bound.into();
    }
    effort
}

/// A job that is over, as the contract has it. A cancelled job that was decided all the same is `done`.
#[must_use]
pub fn job_json(
    id: &str,
    question: &Value,
    result: Result<Report, Refusal>,
    cancelled: bool,
    elapsed: Option<Duration>,
) -> Value {
    let mut job = json!({ "job": id, "question": question });
    match result {
        Ok(report) => {
            let stopped = cancelled && report.outcome == Conclusion::Undecided;
            job["state"] = if stopped { "cancelled" } else { "done" }.into();
            job["outcome"] = report.outcome.name().into();
            job["says"] = report.says.into();
            if let Some(reason) = &report.reason {
                job["reason"] = value_of(reason);
            }
            for (name, value) in [
                ("certificate", report.certificate),
                ("answer", report.answer),
                ("effort", report.effort),
            ] {
                if !value.is_null() {
                    job[name] = value;
                }
            }
            if let (Some(elapsed), Some(effort)) = (elapsed, job.get_mut("effort")) {
                effort["elapsed_ms"] =
                    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX).into();
            }
        }
        Err(refusal) => {
            job["state"] = "failed".into();
            if let (Value::Object(job), Value::Object(why)) = (&mut job, refusal.json()) {
                job.extend(why);
            }
        }
    }
    job
}

#[cfg(test)]
mod tests {
    use destrier::{Board, Problem as _, Tour, TourProblem};

    use super::*;

    #[test]
    fn what_the_checker_refused_is_counted() {
        let mut effort = Effort::by("naive", 7);
        assert_eq!(effort_json(&effort)["refused"], 0);
        let question = TourProblem::open(Board::new(3, 4).expect("it is small"));
        let fault = question.verify(&Tour(Vec::new())).expect_err("a tour visits every square");
        effort.refused = vec![("search", fault.clone()), ("backtrack", fault)];
        let told = json!({ "method": "naive", "nodes": 7, "details": {}, "refused": 2 });
        assert_eq!(effort_json(&effort), told);
    }
}
