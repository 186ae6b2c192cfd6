//! The `destrier` command; its story begins in `lib.rs`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    destrier_cli::main()
}
