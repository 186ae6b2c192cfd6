//! Exit codes, which are part of the interface.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: solved.
    Solved,
    /// 1: proved impossible.
    Impossible,
    /// 2: bad question, or failure.
    BadQuestion,
    /// 3: stopped before an answer.
    Unfinished,
}

impl Exit {
    /// The number that a shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Exit::Solved => 0,
            Exit::Impossible => 1,
            Exit::BadQuestion => 2,
            Exit::Unfinished => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
