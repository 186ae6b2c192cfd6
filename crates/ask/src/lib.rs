//! A question and its answer in words and in JSON, whoever carries them: command, page, MPI program.
#![forbid(unsafe_code)]

mod words;

pub use words::*;
