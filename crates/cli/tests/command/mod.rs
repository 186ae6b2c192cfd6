//! The command as a test runs it: this build of `destrier`, with nothing to read unless the test gives it something.

#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![allow(dead_code, clippy::allow_attributes, reason = "each test uses what it needs")]

use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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

/// Waits, not forever, until something is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    // Only what never happens takes longer, however slow the machine is.
    let most = Duration::from_secs(300);
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < most, "{most:?} have gone by before {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Interrupts a command as Ctrl-C does, and waits for its end.
pub(crate) fn interrupted(mut child: Child) -> Output {
    interrupt(&child);
    wait_until("it ends", || child.try_wait().unwrap().is_some());
    child.wait_with_output().unwrap()
}

/// Interrupts a command as Ctrl-C does.
pub(crate) fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}
