//! See `destrier_fuzz::certificates`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::certificates::check(data));
