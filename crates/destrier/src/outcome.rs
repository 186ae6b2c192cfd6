//! What comes of a run: solved, impossible, or unfinished; what it took; and why there was none.

use destrier_rules::{Claim, Fault, Obstacle, QuestionError};

use crate::run::watch::{Halt, Watch};

/// The three ways in which a run can end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<S, I = Obstacle> {
    /// Here it is.
    Solved(S),
    /// There is none, for this reason.
    Impossible(I),
    /// Not known: the run stopped first.
    Unfinished {
        /// Why it stopped.
        why: Halt,
        /// The best that was found by then.
        best: Option<S>,
    },
}

/// What a method says, before the checker has looked at it: an outcome, a claim, and what it took.
#[derive(Clone, Debug)]
#[must_use = "a run may have stopped before its end"]
pub struct Run<S> {
    /// How it ended.
    pub outcome: Outcome<S>,
    /// What is claimed of the solution.
    pub claim: Claim,
    /// What it took.
    pub effort: Effort,
}

/// What a run took, in numbers that are the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Nodes or states looked at.
    pub nodes: u64,
    /// The method's own numbers: `dead ends`, `ties`, ….
    pub details: Vec<(&'static str, u64)>,
    /// The method that did it, by name: where one was chosen for the user, the chosen one.
    pub method: &'static str,
    /// What `auto` tried before it and the checker refused: the method, and what was wrong. Always a fault of the engine.
    pub refused: Vec<(&'static str, Fault)>,
}

impl Effort {
    /// This many nodes by a method.
    #[must_use]
    pub fn by(method: &'static str, nodes: u64) -> Effort {
        Effort { nodes, method, ..Effort::default() }
    }
}

/// Why a question was not worked on to an outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The question contradicts itself.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// The method is not made for this question.
    #[error("{method} does not support this: {why}")]
    Unsuited {
        /// The method.
        method: &'static str,
        /// Why not, and what it does support.
        why: String,
    },
    /// There is no such method.
    #[error("there is no method `{name}`; there are {known}")]
    NoSuchMethod {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The work stopped before its result.
    #[error("{0}")]
    Stopped(Halt),
    /// A method gave a wrong answer: a fault of Destrier's, caught by the checker.
    #[error("{method} gave a wrong answer, which the checker refused: {fault}")]
    Refused {
        /// The method.
        method: &'static str,
        /// What is wrong with it.
        fault: Fault,
    },
}

/// Why work ended before its result: the one type for it inside the engine, passed on with `?`.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The run should stop.
    Halt(Halt),
    /// A number outgrew its type: the caller that chose it may choose a wider one.
    Overflow,
    /// More memory is needed than the run may use: about this many bytes.
    Needs(u64),
    /// The question is not one for this method.
    Error(SolveError),
}

impl Stop {
    /// The error that it is, in the name of a method.
    pub(crate) fn error(self, method: &'static str, watch: &Watch) -> SolveError {
        let unsuited = |why: String| SolveError::Unsuited { method, why };
        match self {
            Stop::Halt(halt) => SolveError::Stopped(halt),
            Stop::Overflow => unsuited("a number has more bits than it can keep".to_owned()),
            Stop::Needs(bytes) => unsuited(watch.needs(bytes)),
            Stop::Error(error) => error,
        }
    }
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Stop {
        Stop::Halt(halt)
    }
}

impl From<SolveError> for Stop {
    fn from(error: SolveError) -> Stop {
        Stop::Error(error)
    }
}

impl<S, I> Outcome<S, I> {
    /// Changes the solution, if there is one.
    ///
    /// # Errors
    /// As the change does.
    pub fn try_map<T, E>(self, change: impl FnOnce(S) -> Result<T, E>) -> Result<Outcome<T, I>, E> {
        Ok(match self {
            Outcome::Solved(solution) => Outcome::Solved(change(solution)?),
            Outcome::Impossible(reason) => Outcome::Impossible(reason),
            Outcome::Unfinished { why, best } => {
                Outcome::Unfinished { why, best: best.map(change).transpose()? }
            }
        })
    }

    /// What there is, whole or not, and why it is not whole.
    #[must_use]
    pub fn so_far(self) -> (Option<S>, Option<Halt>) {
        match self {
            Outcome::Solved(whole) => (Some(whole), None),
            Outcome::Impossible(_) => (None, None),
            Outcome::Unfinished { why, best } => (best, Some(why)),
        }
    }

    /// The solution or the best so far.
    pub const fn best(&self) -> Option<&S> {
        match self {
            Outcome::Solved(best) | Outcome::Unfinished { best: Some(best), .. } => Some(best),
            _ => None,
        }
    }
}

impl<S> Run<S> {
    /// A run with nothing to claim but what the outcome says.
    pub fn new(outcome: Outcome<S>, nodes: u64) -> Run<S> {
        Run { outcome, claim: Claim::Valid, effort: Effort { nodes, ..Effort::default() } }
    }

    /// A run that found a reason why there is no solution.
    pub(crate) fn impossible(obstacle: Obstacle) -> Run<S> {
        Run::new(Outcome::Impossible(obstacle), 0)
    }

    /// The outcome of a method's work: a stop becomes an outcome, or an error in the method's name.
    pub(crate) fn ended(
        result: Result<S, Stop>,
        method: &'static str,
        watch: &Watch,
    ) -> Result<Run<S>, SolveError> {
        match result {
            Ok(solution) => Ok(Run::new(Outcome::Solved(solution), watch.nodes())),
            Err(Stop::Halt(why)) => {
                Ok(Run::new(Outcome::Unfinished { why, best: None }, watch.nodes()))
            }
            Err(stop) => Err(stop.error(method, watch)),
        }
    }

    /// The same run with a number of the method's own.
    pub fn with_detail(mut self, name: &'static str, number: u64) -> Run<S> {
        self.effort.details.push((name, number));
        self
    }

    /// The same run with a claim.
    pub fn claiming(self, claim: Claim) -> Run<S> {
        Run { claim, ..self }
    }

    /// The same run in the name of a method, unless one has been named.
    pub fn by(mut self, method: &'static str) -> Run<S> {
        if self.effort.method.is_empty() {
            self.effort.method = method;
        }
        self
    }
}
