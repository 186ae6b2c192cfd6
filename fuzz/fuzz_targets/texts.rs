//! See `destrier_fuzz::texts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::texts::check(data));
