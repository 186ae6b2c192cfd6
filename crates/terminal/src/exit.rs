//! Exit codes, which are part of the interface, and the messages that go with them.

use std::io;
use std::process::ExitCode;

use crate::language::tell_error;

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
    #[must_use]
    pub const fn code(self) -> u8 {
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

/// How the command ends; an error is reported on stderr.
#[must_use]
pub fn conclude(answer: anyhow::Result<Exit>) -> Exit {
    match answer {
        Ok(exit) => exit,
        Err(error) if is_closed_pipe(&error) => Exit::Solved,
        Err(error) => {
            // It may quote a file that anyone has written.
            message!("destrier: {}", destrier_rules::escaped(&tell_error(&error)));
            Exit::BadQuestion
        }
    }
}

/// Did the reader of our output go away, as `head` does when it has seen enough?
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io.into_iter().any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
