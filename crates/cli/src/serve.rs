//! `destrier serve`: the page, on this machine.

use std::io::{self, Write as _};
use std::net::IpAddr;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use clap::Args;
use destrier_compare::MOST_THREADS;
use destrier_web::{Limits, MOST_JOBS, Options, Server};

use destrier_terminal::allocator::return_large_blocks;
use destrier_terminal::exit::Exit;
use destrier_terminal::message;
use destrier_terminal::session::on_interrupt;

const EXAMPLES: &str = "\
Examples:
  destrier serve                        then open http://127.0.0.1:8080/
  destrier serve --open                 the same, and start the browser
  destrier serve --port 0               any free port; the address is printed
  destrier serve --host 0.0.0.0 --expose

Ctrl-C ends it. The API that the page uses is at /api/openapi.json.";

/// Serve the page: see, play and watch in a browser
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The port; 0 for any that is free
    #[arg(long, short, value_name = "PORT", default_value_t = 8080)]
    port: u16,

    /// The address to listen on; another than this machine's own needs --expose
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", hide_default_value = true)]
    host: IpAddr,

    /// Let other machines in: anyone who reaches the address can use this machine's time and memory
    #[arg(long)]
    expose: bool,

    /// Start the browser
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    limits: ServeLimits,
}

/// What a job may take, and how many there may be.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
struct ServeLimits {
    /// Jobs that run at a time [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Jobs that may wait [default: 64]
    #[arg(long, value_name = "N")]
    queue: Option<usize>,

    /// The time of a job, like 30s or 10m [default: 10m]
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,

    /// The memory of a job, like 500M or 4G [default: 2G]
    #[arg(long, value_name = "BYTES")]
    memory: Option<String>,

    /// The threads of a job [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl ServeLimits {
    fn read(&self) -> anyhow::Result<Limits> {
        let usual = Limits::default();
        let time = self.time_limit.as_deref().map(destrier_ask::time).transpose()?;
        let memory = self.memory.as_deref().map(destrier_ask::bytes).transpose()?;
        if let Some(jobs) = self.jobs.filter(|&jobs| jobs > MOST_JOBS) {
            bail!("--jobs: {jobs} is too many; the limit is {MOST_JOBS}");
        }
        if let Some(threads) = self.threads.filter(|&threads| threads > MOST_THREADS) {
            bail!("--threads: {threads} is too many; the limit is {MOST_THREADS}");
        }
        Ok(Limits {
            jobs: self.jobs.unwrap_or(usual.jobs).max(1),
            queue: self.queue.unwrap_or(usual.queue),
            time: time.unwrap_or(usual.time),
            memory: memory.unwrap_or(usual.memory),
            threads: self.threads.unwrap_or(usual.threads).max(1),
            ..usual
        })
    }
}

impl ServeArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let host = self.host;
        if !host.is_loopback() {
            if !self.expose {
                bail!("--host: {host} can be reached by other machines; add --expose to allow it");
            }
            message!(
                "destrier: warning: anyone who reaches {host} can use this machine's time and memory"
            );
        }
        // Comparisons are run by this program; one that does not know where it is offers none.
        let command = std::env::current_exe().ok();
        let limits = self.limits.read()?;
        return_large_blocks();
        let options = Options { host, port: self.port, limits, command, ..Options::default() };
        let server = Server::bind(&options)
            .with_context(|| format!("cannot listen on {host} port {}; try --port 0", self.port))?;
        let stop = server.stop();
        on_interrupt(move || stop.stop());
        writeln!(io::stdout(), "{}", server.url())?;
        io::stdout().flush()?;
        if self.open {
            start_browser(&server.url());
        }
        server.run()?;
        Ok(Exit::Solved)
    }
}

/// Starts the system's browser; if there is none, the address is on stdout.
fn start_browser(url: &str) {
    let program = match () {
        () if cfg!(target_os = "macos") => "open",
        () if cfg!(windows) => "explorer",
        () => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => message!("destrier: no browser was started ({program}: {error})"),
    }
}
