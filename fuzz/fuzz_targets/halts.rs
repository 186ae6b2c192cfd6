//! See `destrier_fuzz::halts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::halts::check(data));
