//! Why a request is not answered: a kind, one line, and the place.

use std::fmt;

use destrier::SolveError;
use destrier_rules::{QuestionError, Square};
use serde_json::{Value, json};

use crate::words::Misread;

/// Whose fault it is, and whether to ask again: what a carrier turns into its own codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The request cannot be read.
    Malformed,
    /// It can be read, but the question makes no sense or is too large.
    Unfit,
    /// The request is longer than the carrier accepts.
    TooLarge,
    /// There is nothing of that name.
    NotFound,
    /// Too much is being worked on; ask again later.
    Busy,
    /// The carrier is ending, or out of threads.
    Unavailable,
    /// This carrier cannot do that.
    Unsupported,
    /// A fault of Destrier's.
    Broken,
}

impl RefusalKind {
    /// The status that HTTP has for it, and carriers that act like HTTP.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            RefusalKind::Malformed => 400,
            RefusalKind::NotFound => 404,
            RefusalKind::TooLarge => 413,
            RefusalKind::Unfit => 422,
            RefusalKind::Busy => 429,
            RefusalKind::Broken => 500,
            RefusalKind::Unsupported => 501,
            RefusalKind::Unavailable => 503,
        }
    }
}

/// What is wrong with a request, in the command line's words.
#[derive(Clone, Debug)]
pub struct Refusal {
    kind: RefusalKind,
    error: String,
    field: Option<String>,
    square: Option<Square>,
    step: Option<usize>,
    key: Option<Box<(&'static str, Value)>>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// A refusal of this kind.
    #[expect(clippy::needless_pass_by_value, reason = "an error is handed over with `map_err`")]
    pub fn new(kind: RefusalKind, error: impl ToString) -> Refusal {
        let error = error.to_string();
        Refusal { kind, error, field: None, square: None, step: None, key: None }
    }

    /// The request itself cannot be read.
    pub fn malformed(error: impl ToString) -> Refusal {
        Refusal::new(RefusalKind::Malformed, error)
    }

    /// The request can be read, but this field of it cannot be answered.
    pub fn unfit(field: &str, error: impl ToString) -> Refusal {
        Refusal::new(RefusalKind::Unfit, error).in_field(field)
    }

    /// A fault of Destrier's that has no better description.
    #[must_use]
    pub fn broken() -> Refusal {
        Refusal::new(RefusalKind::Broken, "the work broke down; please report this")
    }

    /// The same, in this field, unless a field is known already.
    #[must_use]
    pub fn in_field(mut self, field: &str) -> Refusal {
        self.field.get_or_insert_with(|| field.to_owned());
        self
    }

    /// The same with the key of its sentence and what is filled in, for a reader who has the sentence in another language.
    #[must_use]
    pub(crate) fn keyed(mut self, key: &'static str, values: Value) -> Refusal {
        self.key = Some(Box::new((key, values)));
        self
    }

    /// The same in other words.
    pub(crate) fn worded(mut self, error: &impl ToString) -> Refusal {
        self.error = error.to_string();
        self
    }

    /// The same, on this square.
    #[must_use]
    pub fn on(mut self, square: Square) -> Refusal {
        self.square = Some(square);
        self
    }

    /// The same, at this step of what was played, from 1.
    #[must_use]
    pub fn at_step(mut self, step: usize) -> Refusal {
        self.step = Some(step);
        self
    }

    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> RefusalKind {
        self.kind
    }

    /// The object of the contract: `error`, and where known `field`, `square`, `step`, and the `key` of the sentence with
    /// its `values`.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut body = json!({ "error": self.error });
        if let Some(field) = &self.field {
            body["field"] = field.as_str().into();
        }
        if let Some(square) = self.square {
            body["square"] = square.to_string().into();
        }
        if let Some(step) = self.step {
            body["step"] = step.into();
        }
        if let Some(sentence) = &self.key {
            body["key"] = sentence.0.into();
            body["values"] = sentence.1.clone();
        }
        body
    }
}

impl From<Misread> for Refusal {
    fn from(misread: Misread) -> Refusal {
        let mut refusal = Refusal::new(RefusalKind::Unfit, &misread);
        refusal.field = misread.option.map(str::to_owned);
        refusal.square = misread.square;
        refusal
    }
}

impl From<QuestionError> for Refusal {
    fn from(error: QuestionError) -> Refusal {
        let field = match &error {
            QuestionError::OffBoard { role, .. } | QuestionError::OnHole { role, .. } => {
                match *role {
                    "start" => Some("from"),
                    "end" => Some("to"),
                    _ => None,
                }
            }
            QuestionError::SameEnds(_) => Some("to"),
            QuestionError::NoSuchSymmetry { .. } => Some("symmetry"),
            QuestionError::Knights { .. }
            | QuestionError::NoRoom { .. }
            | QuestionError::DifferentBoards => Some("goal"),
            QuestionError::NoSide(_) => Some("alternate"),
            QuestionError::Attacked { .. } => Some("peaceful"),
            _ => None,
        };
        let key = sentence(&error).map(Box::new);
        let refusal = Refusal { key, ..Refusal::from(Misread::from(error)) };
        match field {
            Some(field) => refusal.in_field(field),
            None => refusal,
        }
    }
}

/// The key of the sentence that says what is wrong with a question, and what is filled in.
fn sentence(error: &QuestionError) -> Option<(&'static str, Value)> {
    Some(match error {
        QuestionError::OffBoard { square, size, .. } => {
            ("off_board", json!({ "square": square, "size": size }))
        }
        QuestionError::OnHole { square, .. } => ("on_hole", json!({ "square": square })),
        QuestionError::Doubled(square) => ("doubled", json!({ "square": square })),
        QuestionError::SameEnds(square) => ("same_ends", json!({ "square": square })),
        QuestionError::NoSuchSymmetry { size, .. } => ("no_symmetry", json!({ "size": size })),
        QuestionError::Knights { letter, start, goal } => {
            ("knights", json!({ "letter": letter, "start": start, "goal": goal }))
        }
        QuestionError::DifferentBoards => ("different_boards", json!({})),
        QuestionError::NoSide(side) => ("no_side", json!({ "side": side.to_string() })),
        QuestionError::Attacked { one, other, .. } => {
            ("attacked", json!({ "one": one, "other": other }))
        }
        _ => return None,
    })
}

impl From<SolveError> for Refusal {
    fn from(error: SolveError) -> Refusal {
        match error {
            SolveError::Question(error) => error.into(),
            SolveError::Refused { .. } => Refusal::new(RefusalKind::Broken, error),
            SolveError::Unsuited { method, .. } => {
                Refusal::unfit("method", &error).keyed("unsuited", json!({ "method": method }))
            }
            _ => Refusal::unfit("method", error),
        }
    }
}
