//! Why a request is not answered: a kind, one line, and the place.

use std::fmt;

use destrier::SolveError;
use destrier_rules::{Fault, QuestionError, Square};
use serde_json::{Value, json};

use crate::words::{Misread, Sentence, shortened};

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
    why: Box<Sentence>,
    field: Option<String>,
    square: Option<Square>,
    step: Option<usize>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// A refusal of this kind, in English words.
    pub fn new(kind: RefusalKind, error: impl ToString) -> Refusal {
        Refusal::told(kind, Sentence::english(error))
    }

    /// A refusal of this kind.
    #[must_use]
    pub fn told(kind: RefusalKind, why: Sentence) -> Refusal {
        Refusal { kind, why: Box::new(why), field: None, square: None, step: None }
    }

    /// The request itself cannot be read.
    pub fn malformed(error: impl ToString) -> Refusal {
        Refusal::new(RefusalKind::Malformed, error)
    }

    /// The request can be read, but this field of it cannot be answered.
    pub fn unfit(field: &str, error: impl ToString) -> Refusal {
        Refusal::new(RefusalKind::Unfit, error).in_field(field)
    }

    /// What a method gave was wrong, and the checker caught it.
    pub(crate) fn caught(method: &'static str) -> impl Fn(Fault) -> Refusal {
        move |fault| {
            let why = format!("{method} gave a wrong answer, which was caught: {fault}");
            Refusal::new(RefusalKind::Broken, why)
        }
    }

    /// A fault of Destrier's that has no better description.
    #[must_use]
    pub fn broken() -> Refusal {
        Refusal::new(RefusalKind::Broken, "an internal error occurred; please report this")
    }

    /// The same, in this field, unless a field is known already.
    #[must_use]
    pub fn in_field(mut self, field: &str) -> Refusal {
        self.field.get_or_insert_with(|| field.to_owned());
        self
    }

    /// The same with a sentence that has no options of the command in it; in English the command's words stay.
    #[must_use]
    pub(crate) fn keyed(mut self, sentence: Sentence) -> Refusal {
        *self.why = sentence.exactly(&self.why);
        self
    }

    /// The same in other English words.
    pub(crate) fn worded(mut self, error: &impl fmt::Display) -> Refusal {
        *self.why = self.why.exactly(error);
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

    /// What it says.
    pub(crate) const fn sentence(&self) -> &Sentence {
        &self.why
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
        let mut body = json!({ "error": shortened(self.to_string()) });
        if let Some(field) = &self.field {
            body["field"] = shortened(field.clone()).into();
        }
        if let Some(square) = self.square {
            body["square"] = square.to_string().into();
        }
        if let Some(step) = self.step {
            body["step"] = step.into();
        }
        if let Some(key) = self.why.key() {
            body["key"] = key.into();
            body["values"] = self.why.short_values();
        }
        body
    }
}

impl From<Misread> for Refusal {
    fn from(misread: Misread) -> Refusal {
        // The field says which option it is; only the command's English names it.
        let mut refusal = Refusal::told(RefusalKind::Unfit, misread.why.clone());
        *refusal.why = refusal.why.exactly(&misread);
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
        let refusal = Refusal::from(Misread::from(error));
        match field {
            Some(field) => refusal.in_field(field),
            None => refusal,
        }
    }
}

impl From<SolveError> for Refusal {
    fn from(error: SolveError) -> Refusal {
        match error {
            SolveError::Question(error) => error.into(),
            SolveError::Refused { .. } => Refusal::new(RefusalKind::Broken, error),
            _ => Refusal::told(RefusalKind::Unfit, (&error).into()).in_field("method"),
        }
    }
}
