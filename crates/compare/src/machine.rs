//! Where and when: the machine in words, how busy it is, and the day.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::question::counted;

/// How many threads the machine runs at once.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The machine in words: `2 cores of an AMD EPYC 9004, 24 GiB, linux x86_64`.
pub(crate) fn described() -> String {
    let (os, family, cores) = (std::env::consts::OS, std::env::consts::ARCH, cores());
    let cores = counted(cores, "core");
    let model = field("/proc/cpuinfo", "model name");
    let memory = field("/proc/meminfo", "MemTotal").and_then(|total| {
        let kibibytes: u64 = total.strip_suffix("kB")?.trim().parse().ok()?;
        Some(format!(", {} GiB", (kibibytes + (1 << 19)) >> 20))
    });
    let model = model.map_or_else(String::new, |model| format!(" of {model}"));
    format!("{cores}{model}{}, {os} {family}", memory.unwrap_or_default())
}

/// What stands behind a name in a file of names and values.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_prefix(':'))?;
    Some(value.trim().to_owned())
}

/// How many threads wanted a core over the last minute, where the system says.
pub(crate) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The day in UTC, like `2026-11-15`.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date_of(seconds / 86_400)
}

/// The date this many days after 1 January 1970, by years that begin in March, in eras of 400 years.
fn date_of(days: u64) -> String {
    let days = days + 719_468; // since 1 March of the year 0
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // from March
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_772, "2026-11-15"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_of(days), date);
        }
    }

    #[test]
    fn the_machine_is_described() {
        assert!(described().contains("core"));
    }
}
