//! See `destrier_fuzz::checker`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::checker::check(data));
