//! The command as a test runs it: this build of `destrier`, with nothing to read unless the test gives it something.

use std::process::{Command, Output, Stdio};

/// The command with these words, not yet begun.
pub(crate) fn destrier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_destrier"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs the command to its end.
pub(crate) fn run(args: &[&str]) -> Output {
    destrier(args).output().unwrap()
}

/// What it said besides the answer.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
