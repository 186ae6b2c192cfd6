//! See `destrier_fuzz::puzzles`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::puzzles::check(data));
