//! See `destrier_fuzz::swaps`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::swaps::check(data));
