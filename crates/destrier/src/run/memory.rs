//! What Linux says of memory: free, held, and the most that was held.
//!
//! Elsewhere, or where `/proc` is hidden, nothing is known, and callers have a way without it.

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
