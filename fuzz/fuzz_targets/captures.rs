//! See `destrier_fuzz::captures`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::captures::check(data));
