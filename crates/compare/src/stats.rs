//! What one run took, noted by the run itself: lines of JSON in a file that its caller named with `--stats`.
//!
//! The time is that of the method and the check of its answer; reading the question and printing the answer are left
//! out. Memory is the most that the process ever held, as the system counts it.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use destrier::Effort;
use destrier::internal::memory;
use serde::{Deserialize, Serialize};

/// What a run took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// The method that answered.
    pub method: String,
    /// The time of the method and the check of its answer.
    pub seconds: f64,
    /// What all threads computed together, where the system says; other work does not stretch it.
    pub cpu_seconds: Option<f64>,
    /// The nodes of the search.
    pub nodes: u64,
    /// The method's own numbers.
    pub details: BTreeMap<String, u64>,
    /// The most memory in bytes, where the system says.
    pub memory: Option<u64>,
}

impl Stats {
    /// What a run of this process took, which ends now.
    #[must_use]
    pub fn of(effort: &Effort, time: Duration, cpu: Option<Duration>) -> Stats {
        let details = effort.details.iter().map(|&(name, number)| (name.to_owned(), number));
        Stats {
            method: effort.method.to_owned(),
            seconds: time.as_secs_f64(),
            cpu_seconds: cpu.map(|time| time.as_secs_f64()),
            nodes: effort.nodes,
            details: details.collect(),
            memory: memory::peak(),
        }
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// A run ended.
    Run(Stats),
    /// The method is not made for the question, and why.
    Unsuited(String),
}

/// The file that a run writes and its caller reads.
#[derive(Clone, Debug)]
pub struct StatsFile(PathBuf);

impl StatsFile {
    /// The file at this place; it is made when something is noted.
    #[must_use]
    pub const fn new(path: PathBuf) -> StatsFile {
        StatsFile(path)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Notes that a run ended.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note_run(&self, stats: Stats) -> io::Result<()> {
        self.append(&Line::Run(stats))
    }

    /// Notes that the method is not made for the question.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note_unsuited(&self, why: &str) -> io::Result<()> {
        self.append(&Line::Unsuited(why.to_owned()))
    }

    fn append(&self, line: &Line) -> io::Result<()> {
        let line = serde_json::to_string(line)? + "\n";
        OpenOptions::new().append(true).create(true).open(&self.0)?.write_all(line.as_bytes())
    }

    /// What the process took in all, if any run ended: times run on from line to line, nodes add up.
    pub(crate) fn stats(&self) -> Option<Stats> {
        let runs = self.lines().into_iter().filter_map(|line| match line {
            Line::Run(stats) => Some(stats),
            Line::Unsuited(_) => None,
        });
        runs.reduce(|sum, next| Stats { nodes: sum.nodes + next.nodes, ..next })
    }

    /// Why the method is not made for the question, if it is not.
    pub(crate) fn unsuited(&self) -> Option<String> {
        self.lines().into_iter().find_map(|line| match line {
            Line::Unsuited(why) => Some(why),
            Line::Run(_) => None,
        })
    }

    /// All lines; a process that was killed may have left half of one, which is no line.
    fn lines(&self) -> Vec<Line> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Takes the file away, if there is one.
    pub(crate) fn clear(&self) -> io::Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// What this process has computed so far, on all its threads.
#[must_use]
pub fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_add_up_and_half_a_line_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = StatsFile::new(folder.path().join("stats"));
        assert_eq!((file.stats(), file.unsuited()), (None, None));
        file.clear().unwrap();
        let stats = |nodes, seconds| {
            let mut effort = Effort::by("roth", nodes);
            effort.details.push(("dead ends", 3));
            Stats::of(&effort, Duration::from_secs(seconds), None)
        };
        file.note_run(stats(10, 1)).unwrap();
        file.note_run(stats(20, 2)).unwrap();
        fs::write(file.path(), fs::read_to_string(file.path()).unwrap() + "{\"run\": {\"met")
            .unwrap();
        let sum = file.stats().unwrap();
        assert_eq!((sum.nodes, sum.seconds, sum.details["dead ends"]), (30, 2.0, 3));
        file.clear().unwrap();
        file.note_unsuited("the board is too large").unwrap();
        assert_eq!(file.unsuited().as_deref(), Some("the board is too large"));
        assert_eq!(file.stats(), None);
    }
}
