//! The page of Destrier, and the HTTP API that it uses.
//!
//! ```text
//! request ─► guard ─► routes ─► question ─► desk (queue) ─► a thread a job ─► answer
//!                                              ▲                  │
//!                                            halt ◄── events ◄── Watch
//! ```
//!
//! One thread serves all connections and never waits for a search: each job runs on a thread of its own, with a
//! [`destrier::Watch`] that cancelling halts. The contract is `openapi.json`; `docs/web.md` explains it.
//!
//! ```no_run
//! let server = destrier_web::Server::bind(&destrier_web::Options::default())?;
//! println!("{}", server.url());
//! server.run()?;
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

mod guard;
mod page;
mod routes;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use tokio::sync::Notify;

/// Where to listen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
}

impl Default for Options {
    fn default() -> Options {
        Options { host: Ipv4Addr::LOCALHOST.into(), port: 8080 }
    }
}

/// A server that holds its port and has not begun to answer.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
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
        Ok(Server { listener, address, stop: Stop::default() })
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
                address.set_ip(std::net::Ipv6Addr::LOCALHOST.into())
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
    /// When the system refuses to go on.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let app = routes::app(guard::Hosts::of(self.address));
            axum::serve(listener, app)
                .with_graceful_shutdown(async move { self.stop.0.notified().await })
                .await
        })
    }
}
