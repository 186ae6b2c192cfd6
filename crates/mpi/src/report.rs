//! What a run took on each rank: busy and idle time, tasks, messages, bytes, memory.
//!
//! Cost: a few additions a message.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use destrier::internal::memory;
use serde::{Deserialize, Serialize};

use crate::messages::Messages;

/// What a run took on one rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// The rank.
    pub rank: usize,
    /// Its machine.
    pub host: String,
    /// Its computing threads.
    pub threads: u64,
    /// Tasks done.
    pub tasks: u64,
    /// Time in which its threads computed, on average.
    pub busy: Duration,
    /// The whole time.
    pub wall: Duration,
    /// Messages sent, and bytes.
    pub sent: (u64, u64),
    /// Messages received, and bytes.
    pub received: (u64, u64),
    /// The most memory that was in use, in bytes, where the system reports it.
    pub peak: u64,
    /// The time that its threads had a core, all added up, where the system reports it.
    pub cpu: Duration,
    #[serde(skip)]
    begun: Option<Instant>,
}

impl Tally {
    /// Starts the clock of a rank.
    #[must_use]
    pub fn new(messages: &Messages) -> Tally {
        Tally {
            rank: messages.rank(),
            host: messages.host(),
            threads: 1,
            tasks: 0,
            busy: Duration::ZERO,
            wall: Duration::ZERO,
            sent: (0, 0),
            received: (0, 0),
            peak: 0,
            cpu: Duration::ZERO,
            begun: Some(Instant::now()),
        }
    }

    /// The same at the end of the run.
    #[must_use]
    pub fn finished(self, messages: &Messages) -> Tally {
        let traffic = messages.traffic();
        Tally {
            wall: self.begun.map_or(Duration::ZERO, |begun| begun.elapsed()),
            sent: (traffic.sent, traffic.bytes_sent),
            received: (traffic.received, traffic.bytes_received),
            peak: memory::peak().unwrap_or(0),
            cpu: core_time().unwrap_or_default(),
            ..self
        }
    }

    /// Time in which nothing was computed.
    #[must_use]
    pub fn idle(&self) -> Duration {
        self.wall.saturating_sub(self.busy)
    }
}

/// The table of `--report`, one line a rank.
#[must_use]
pub fn table(tallies: &[Tally]) -> String {
    let mut text = String::from(
        "rank threads  tasks     busy s     idle s      cpu s  messages out/in        bytes out/in  peak MiB  host\n",
    );
    for tally in tallies {
        let Tally { rank, threads, tasks, sent, received, host, .. } = tally;
        let (busy, idle) = (tally.busy.as_secs_f64(), tally.idle().as_secs_f64());
        let cpu = tally.cpu.as_secs_f64();
        let messages = format!("{}/{}", sent.0, received.0);
        let bytes = format!("{}/{}", sent.1, received.1);
        let peak = tally.peak >> 20;
        let _ = writeln!(
            text,
            "{rank:>4} {threads:>7} {tasks:>6} {busy:>10.3} {idle:>10.3} {cpu:>10.2} {messages:>16} {bytes:>19} {peak:>9}  {host}"
        );
    }
    let busy: f64 = tallies.iter().map(|tally| tally.busy.as_secs_f64()).sum();
    let wall: f64 = tallies.iter().map(|tally| tally.wall.as_secs_f64()).sum();
    let part = if wall > 0.0 { 100.0 * busy / wall } else { 0.0 };
    let _ = writeln!(text, "busy for {part:.1} % of the time");
    text
}

/// The time that this process has had cores for, from Linux, which counts in hundredths of a second.
fn core_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    let ticks = fields.split(' ').skip(11).take(2).map(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<Option<u64>>()?))
}
