//! `destrier serve`: the page, on this machine.

use std::io::{self, Write as _};
use std::net::IpAddr;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use clap::Args;
use destrier_web::{Options, Server};

use crate::exit::Exit;

const EXAMPLES: &str = "\
Examples:
  destrier serve                        then open http://127.0.0.1:8080/
  destrier serve --open                 and start the browser
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

    /// Let other machines in: whoever reaches the address can use this machine's time and memory
    #[arg(long)]
    expose: bool,

    /// Start the browser
    #[arg(long)]
    open: bool,
}

impl ServeArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let host = self.host;
        if !host.is_loopback() {
            if !self.expose {
                bail!("--host: {host} can be reached by other machines; add --expose to allow it");
            }
            eprintln!(
                "destrier: warning: anyone who reaches {host} can use this machine's time and memory"
            );
        }
        let options = Options { host, port: self.port };
        let server = Server::bind(&options)
            .with_context(|| format!("cannot listen on {host} port {}; try --port 0", self.port))?;
        let stop = server.stop();
        let asked = std::sync::atomic::AtomicBool::new(false);
        ctrlc::set_handler(move || {
            if asked.swap(true, std::sync::atomic::Ordering::SeqCst) {
                std::process::exit(130);
            }
            stop.stop();
        })
        .context("Ctrl-C cannot be caught")?;
        writeln!(io::stdout(), "{}", server.url())?;
        io::stdout().flush()?;
        if self.open {
            start_browser(&server.url());
        }
        server.run()?;
        Ok(Exit::Solved)
    }
}

/// Starts the system's browser; if there is none, the address on stdout will do.
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
        Err(error) => eprintln!("destrier: no browser was started ({program}: {error})"),
    }
}
