//! Memory: how much of its limit a run may fill with tables, and what Linux says is free or held.
//!
//! Elsewhere, or where `/proc` is hidden, nothing is known, and callers have a way without it.

use crate::run::watch::Watch;

/// The bytes that are available on this machine.
#[must_use]
pub fn free() -> Option<u64> {
    bytes("/proc/meminfo", "MemAvailable:")
}

/// The bytes that this process holds now.
#[must_use]
pub fn held() -> Option<u64> {
    bytes("/proc/self/status", "VmRSS:")
}

/// The most bytes that this process has held.
#[must_use]
pub fn peak() -> Option<u64> {
    bytes("/proc/self/status", "VmHWM:")
}

fn bytes(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The bytes that tables may take: the limit, less a part for the program itself.
pub(crate) fn room(watch: &Watch) -> u64 {
    watch.memory().map_or(u64::MAX, |memory| memory - (memory / 4).min(PROGRAM))
}

/// What is said of a limit on memory that does not do.
pub(crate) fn needs(bytes: u64, watch: &Watch) -> String {
    let allowed = watch.memory().unwrap_or(u64::MAX) >> 20;
    format!("it needs {} MiB or more, and {allowed} MiB are allowed", (bytes + PROGRAM) >> 20)
}

/// Bytes for the program itself, of a limit that is not small.
const PROGRAM: u64 = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_held_is_no_more_than_what_was_held() {
        let (held, peak) = (held().expect("a Linux"), peak().expect("a Linux"));
        assert!(0 < held && held <= peak, "{held} of {peak}");
        assert!(free().is_some());
        assert_eq!(bytes("/proc/self/status", "NoSuchName:"), None);
    }
}
