//! See `destrier_fuzz::counts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::counts::check(data));
