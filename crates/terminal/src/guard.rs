//! The last guard: lack of memory or threads, or a bug, ends in one line and exit code 2.
//!
//! Out of memory, Rust says so on stderr and aborts; the signal of the abort is turned into an exit. A
//! panic (a thread that cannot be started is one) is reported in one line, and files in the making are removed
//! on the way out. `RUST_BACKTRACE=1` shows where it came from.

use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGABRT;

use crate::exit::Exit;

/// Runs the command under guard.
pub fn guarded(command: impl FnOnce() -> ExitCode) -> ExitCode {
    // Where the signal cannot be caught, an abort stays an abort.
    let _ = signal_hook::flag::register_conditional_shutdown(
        SIGABRT,
        Exit::BadQuestion.code().into(),
        Arc::new(AtomicBool::new(true)),
    );
    let usual = panic::take_hook();
    let reported = AtomicBool::new(false);
    panic::set_hook(Box::new(move |info| {
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            usual(info);
        }
        if reported.swap(true, Ordering::SeqCst) {
            return; // what follows from the first panic says nothing new
        }
        let payload = info.payload();
        let what = payload.downcast_ref::<&str>().copied();
        let what = what.or(payload.downcast_ref::<String>().map(String::as_str));
        let what = what.unwrap_or("a panic without a message");
        let place = info.location().map_or_else(String::new, |place| format!(", at {place}"));
        // If stderr is closed as well, there is nowhere left to report it.
        let _ = writeln!(
            io::stderr(),
            "destrier: out of threads or memory, or a bug: {}{place}",
            what.lines().next().unwrap_or_default()
        );
    }));
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(Exit::BadQuestion.into())
}
