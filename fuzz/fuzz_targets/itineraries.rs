//! See `destrier_fuzz::itineraries`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| destrier_fuzz::itineraries::check(data));
