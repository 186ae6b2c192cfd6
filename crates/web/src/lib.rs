//! The page of Destrier, and the HTTP API that it uses.
//!
//! ```text
//! request ─► guard ─► routes ─► question ─► job queue ─► one thread per job ─► answer
//!                                              ▲                 │
//!                                          cancel ──► Options ──► events
//! ```
//!
//! One thread serves all connections and never waits for a search: each job runs on a thread of its own, with a
//! [`destrier::Cancel`] of its own. What a question means and how it is answered is `destrier-ask`; here are
//! HTTP, jobs, events, files, and processes that compare methods. The contract is `openapi.json`; `docs/web.md`
//! explains it.
//!
//! ```no_run
//! let server = destrier_web::Server::bind(&destrier_web::Options::default())?;
//! println!("{}", server.url());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

mod connections;
mod events;
mod guard;
mod job;
mod page;
mod queue;
mod refusal;
mod room;
mod routes;
mod sse;

pub use queue::{Limits, MOST_JOBS};

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

/// Where to listen, and what to allow.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// What is allowed.
    pub limits: Limits,
    /// The `destrier` command, which runs comparisons; without it there are none.
    pub command: Option<PathBuf>,
    /// How long a stopped server waits for its jobs and its clients.
    pub patience: Duration,
}

impl Default for Options {
    fn default() -> Options {
        let host = Ipv4Addr::LOCALHOST.into();
        let patience = Duration::from_secs(3);
        Options { host, port: 8080, limits: Limits::default(), command: None, patience }
    }
}

/// The time between two looks for answers that are too old to be kept.
const TIDYING: Duration = Duration::from_secs(30);

/// A server that holds its port and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
    stop: Stop,
}

/// Ends a server from any thread; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Asks the server to end: jobs are cancelled, answers under way are finished.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// When it is not free, or the address is not this machine's.
    pub fn bind(options: &Options) -> io::Result<Server> {
        let listener = TcpListener::bind((options.host, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address, options: options.clone(), stop: Stop::default() })
    }

    /// The address it listens on, with the port that was found.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to type into a browser on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        let mut address = self.address;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => {
                address.set_ip(std::net::Ipv6Addr::LOCALHOST.into());
            }
            _ => {}
        }
        format!("http://{address}/")
    }

    /// What ends it.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers until it is stopped.
    ///
    /// # Errors
    /// When the system does not let it continue.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let Server { listener, address, options, stop } = self;
        let queue = queue::JobQueue::new(options.limits);
        let mut limits = options.limits.questions;
        limits.check = limits.check.min(options.limits.memory);
        let service = destrier_ask::Service::new(limits);
        let command = options.command.map(Arc::new);
        let app = routes::App { queue: queue.clone(), service, room: room::Room::new(), command };
        let answered = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let listener = connections::Bounded::new(listener, connections::Bounds::default());
            let router = routes::router(guard::Hosts::of(address), &app);
            let tidied = queue.clone();
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(TIDYING).await;
                    tidied.tidy();
                }
            });
            let (ending, mut ended) = tokio::sync::watch::channel(false);
            let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
                stop.0.notified().await;
                let _ = ending.send(true);
                // Threads of jobs end within a moment of being halted.
                while !queue.close() {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            });
            // A client that keeps its connection open is not waited for much longer.
            let patience = async move {
                let _ = ended.wait_for(|ending| *ending).await;
                tokio::time::sleep(options.patience).await;
            };
            tokio::select! {
                served = serving => served,
                () = patience => Ok(()),
            }
        });
        runtime.shutdown_background();
        answered
    }
}
