//! Large blocks go back to the system as soon as they are free.
//!
//! The GNU C library takes large blocks from the system one by one, at first; once some were given back, it cuts them from its
//! heap instead, where what one thread frees another cannot always use. A count of 8×10 under `--memory 500M` used 410 MB
//! and held 630 MB in that way; with a fixed border it holds 500 MB. So that a limit is kept, the programs say where
//! the border is, if there is a limit: without one, blocks that stay save a sixth of the time. Other C libraries have no such habit, or
//! none that can be changed.
//!
//! The only unsafe code of the project: a call into the C library, which cannot fail in a way that matters.

/// Blocks of this many bytes are given back at once.
const LARGE: i32 = 1 << 22;

/// Sets the border. To be called before the work begins.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "a function of the C library")]
pub fn return_large_blocks() {
    unsafe extern "C" {
        safe fn mallopt(parameter: std::ffi::c_int, value: std::ffi::c_int) -> std::ffi::c_int;
    }
    const MMAP_THRESHOLD: std::ffi::c_int = -3;
    let _ = mallopt(MMAP_THRESHOLD, LARGE);
}

/// Nothing to set.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_large_blocks() {
    let _ = LARGE;
}
