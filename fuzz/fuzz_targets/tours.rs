//! See `destrier_fuzz::tours`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::tours::check(data));
