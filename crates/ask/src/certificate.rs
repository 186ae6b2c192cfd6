//! Certificates as JSON.
//!
//! Reading and writing them is a lot of generated code, so each is done here only, in one form: they are written as
//! text, and read from a [`Value`].

use destrier_rules::{
    AnyCertificate, Budget, CaptureProblem, Fault, Problem as _, SwapProblem, TourProblem,
    Unchecked,
};
use serde::Serialize;
use serde_json::Value;

use crate::refusal::{Refusal, RefusalKind};
use crate::words::Misread;

/// Something of ours as JSON text, in the order of its fields.
pub(crate) fn text_of<T: Serialize>(thing: &T) -> String {
    serde_json::to_string(thing).unwrap_or_default()
}

/// Something of ours as a JSON value.
pub(crate) fn value_of<T: Serialize>(thing: &T) -> Value {
    serde_json::from_slice(text_of(thing).as_bytes()).unwrap_or_default()
}

/// Why a certificate was not accepted.
pub(crate) enum Unread {
    /// It is no certificate, or the checker refutes it.
    Wrong(String),
    /// The check was refused or stopped; nothing is known to be wrong.
    Unfinished(Refusal),
}

impl From<Misread> for Unread {
    fn from(misread: Misread) -> Unread {
        Unread::Wrong(misread.to_string())
    }
}

impl From<Fault> for Unread {
    fn from(fault: Fault) -> Unread {
        match fault {
            Fault::TooMuchWork { .. } | Fault::Undecided(_) => {
                Unread::Unfinished(Refusal::new(RefusalKind::TooLarge, fault.to_string()))
            }
            Fault::Stopped => {
                Unread::Unfinished(Refusal::new(RefusalKind::Unavailable, fault.to_string()))
            }
            _ => Unread::Wrong(fault.to_string()),
        }
    }
}

/// A certificate of any kind, which is checked within a budget.
pub(crate) fn read(value: Value, budget: &Budget<'_>) -> Result<AnyCertificate, Unread> {
    let kinds = [TourProblem::KIND, CaptureProblem::KIND, SwapProblem::KIND, "count"];
    match value.get("kind").and_then(Value::as_str) {
        Some(kind) if kinds.contains(&kind) => {}
        Some(kind) => {
            let kind = kind.escape_debug();
            return Err(Unread::Wrong(format!("there are no certificates of kind `{kind}`")));
        }
        None => {
            let why = "a certificate has a `kind`: tour, capture, swap or count";
            return Err(Unread::Wrong(why.to_owned()));
        }
    }
    let read: Unchecked =
        serde_json::from_value(value).map_err(|error| Unread::Wrong(error.to_string()))?;
    Ok(read.check(budget)?)
}

/// A certificate as the command prints it.
pub(crate) fn text(certificate: &AnyCertificate) -> Option<String> {
    match certificate {
        AnyCertificate::Tour(certificate) => Some(text_of(certificate)),
        AnyCertificate::Capture(certificate) => Some(text_of(certificate)),
        AnyCertificate::Swap(certificate) => Some(text_of(certificate)),
        _ => None,
    }
}
