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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Solved => 0,
            Exit::Impossible => 1,
            Exit::BadQuestion => 2,
            Exit::Unfinished => 3,
        })
    }
}
