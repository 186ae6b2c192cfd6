//! Why a request is not answered: a status, one line, and the place.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use destrier::SolveError;
use destrier_ask::Misread;
use destrier_rules::{QuestionError, Square};
use serde_json::{Value, json};

/// What is wrong with a request, in the command line's words.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    error: String,
    field: Option<String>,
    square: Option<Square>,
    step: Option<usize>,
}

impl Refusal {
    /// A refusal with this status.
    #[expect(clippy::needless_pass_by_value, reason = "an error is handed over with `map_err`")]
    pub(crate) fn new(status: StatusCode, error: impl ToString) -> Refusal {
        Refusal { status, error: error.to_string(), field: None, square: None, step: None }
    }

    /// The request itself cannot be read.
    pub(crate) fn malformed(error: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, error)
    }

    /// It can be read, and the question cannot be asked.
    pub(crate) fn unfit(field: &str, error: impl ToString) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error).in_field(field)
    }

    /// A fault of Destrier's.
    pub(crate) fn broken() -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the work broke down; please report this")
    }

    /// The same, in this field, unless a field is known already.
    pub(crate) fn in_field(mut self, field: &str) -> Refusal {
        self.field.get_or_insert_with(|| field.to_owned());
        self
    }

    /// The same in other words.
    pub(crate) fn worded(mut self, error: &impl ToString) -> Refusal {
        self.error = error.to_string();
        self
    }

    /// The same, on this square.
    pub(crate) fn on(mut self, square: Square) -> Refusal {
        self.square = Some(square);
        self
    }

    /// The same, at this step of what was played, from 1.
    pub(crate) fn at_step(mut self, step: usize) -> Refusal {
        self.step = Some(step);
        self
    }

    /// The object of the contract.
    pub(crate) fn json(&self) -> Value {
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
        body
    }
}

impl From<Misread> for Refusal {
    fn from(misread: Misread) -> Refusal {
        let mut refusal = Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, &misread);
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
            QuestionError::Knights { .. } | QuestionError::DifferentBoards => Some("goal"),
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
            SolveError::Refused { .. } => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error),
            _ => Refusal::unfit("method", error),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.status, kind, self.json().to_string()).into_response()
    }
}
