//! What one run took, told by the run itself: a line of JSON in a file that the one who asked named.
//!
//! The time is that of the method and the check of its answer, from the reading of the question to the printing of the
//! answer, both left out. Memory is the most that the process ever held, as the system counts it.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use destrier::Effort;
use destrier::run::memory;
use serde::{Deserialize, Serialize};

/// What a run took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Took {
    pub(crate) method: String,
    pub(crate) seconds: f64,
    /// What all threads computed together, in seconds, where the system tells; other work does not stretch it.
    pub(crate) cpu_seconds: Option<f64>,
    pub(crate) nodes: u64,
    pub(crate) details: BTreeMap<String, u64>,
    /// The most memory in bytes, where the system tells.
    pub(crate) memory: Option<u64>,
}

impl Took {
    pub(crate) fn of(method: &str, effort: &Effort, time: Duration, cpu: Option<Duration>) -> Took {
        Took {
            method: method.to_owned(),
            seconds: time.as_secs_f64(),
            cpu_seconds: cpu.map(|time| time.as_secs_f64()),
            nodes: effort.nodes,
            details: effort
                .details
                .iter()
                .map(|&(name, number)| (name.to_owned(), number))
                .collect(),
            memory: memory::peak(),
        }
    }

    /// Adds a line to the file.
    pub(crate) fn append_to(&self, path: &Path) -> io::Result<()> {
        let line = serde_json::to_string(self)? + "\n";
        OpenOptions::new().append(true).create(true).open(path)?.write_all(line.as_bytes())
    }

    /// What the lines of the file say together: times run on from line to line, nodes add up.
    pub(crate) fn read(path: &Path) -> Option<Took> {
        let text = fs::read_to_string(path).ok()?;
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Took>(line).ok());
        lines.reduce(|sum, next| Took { nodes: sum.nodes + next.nodes, ..next })
    }
}

/// What this process has computed so far, on all its threads.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}
