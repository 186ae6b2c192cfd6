//! Certificates as JSON.
//!
//! Reading and writing them is a lot of generated code, so each is done here only, in one form: they are written as
//! text, and read from a [`Value`].

use destrier_rules::{
    AnyCertificate, CaptureProblem, Certificate, Problem, SwapProblem, TourProblem,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Something of ours as JSON text, in the order of its fields.
pub(crate) fn text_of<T: Serialize>(thing: &T) -> String {
    serde_json::to_string(thing).unwrap_or_default()
}

/// Something of ours as a JSON value.
pub(crate) fn value_of<T: Serialize>(thing: &T) -> Value {
    serde_json::from_slice(text_of(thing).as_bytes()).unwrap_or_default()
}

/// A certificate of any kind, which is checked.
pub(crate) fn read(value: Value) -> Result<AnyCertificate, String> {
    fn of_kind<P>(value: Value) -> Result<Certificate<P>, String>
    where
        P: Problem + DeserializeOwned,
        P::Solution: DeserializeOwned,
    {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }
    match value.get("kind").and_then(Value::as_str) {
        Some(TourProblem::KIND) => of_kind(value).map(AnyCertificate::Tour),
        Some(CaptureProblem::KIND) => of_kind(value).map(AnyCertificate::Capture),
        Some(SwapProblem::KIND) => of_kind(value).map(AnyCertificate::Swap),
        Some(kind) => Err(format!("there are no certificates of kind `{kind}`")),
        None => Err("a certificate has a `kind`: tour, capture or swap".to_owned()),
    }
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
