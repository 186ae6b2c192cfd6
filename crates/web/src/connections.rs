//! Connections: a limited number at a time, and none that is silent for long.
//!
//! A client can open a connection and send nothing, or send a request and never read the answer. Each connection notes
//! when bytes last moved. One on which nothing has moved for too long is closed; and when there are too many, a new one
//! takes the place of the one that has been silent longest, so that idle clients cannot lock others out.
//!
//! Invariant: no more than [`Bounds::most`] connections are open, apart from one that is being accepted.
//! Cost: an entry in a table for each connection, and a timer that is looked at when a read or write has to wait.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep_until};

use crate::events::lock;

/// How many connections there may be, and how long they may be silent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) most: usize,
    /// Without a byte in either direction. Listeners get a report of progress every quarter of a second.
    pub(crate) silence: Duration,
    /// Without a byte read by the client, while there are some to send.
    pub(crate) unread: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { most: 256, silence: Duration::from_secs(60), unread: Duration::from_secs(20) }
    }
}

/// What the table knows of a connection.
#[derive(Debug)]
struct State {
    closed: AtomicBool,
    moved: Mutex<Instant>,
    wakers: Mutex<[Option<Waker>; 2]>,
}

impl State {
    fn new() -> State {
        State {
            closed: AtomicBool::new(false),
            moved: Mutex::new(Instant::now()),
            wakers: Mutex::new([None, None]),
        }
    }

    /// Ends the connection and wakes what waits for it.
    fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        for waker in lock(&self.wakers).iter_mut().filter_map(Option::take) {
            waker.wake();
        }
    }
}

type Table = Arc<Mutex<BTreeMap<u64, Arc<State>>>>;

/// A listener whose connections are bounded.
pub(crate) struct Bounded {
    listener: TcpListener,
    bounds: Bounds,
    table: Table,
    next: u64,
}

impl Bounded {
    pub(crate) fn new(listener: TcpListener, bounds: Bounds) -> Bounded {
        Bounded { listener, bounds, table: Table::default(), next: 0 }
    }

    /// Enters a new connection, and closes the one that was silent longest if there are too many.
    fn enter(&mut self, stream: TcpStream) -> Connection {
        let state = Arc::new(State::new());
        let mut table = lock(&self.table);
        if table.len() >= self.bounds.most {
            let longest = table.iter().min_by_key(|(_, state)| *lock(&state.moved));
            if let Some(number) = longest.map(|(&number, _)| number)
                && let Some(state) = table.remove(&number)
            {
                state.close();
            }
        }
        self.next += 1;
        table.insert(self.next, state.clone());
        let entry = Entry { number: self.next, table: self.table.clone() };
        Connection {
            stream,
            state,
            read: Timer::new(self.bounds.silence),
            write: Timer::new(self.bounds.unread),
            unsent: None,
            _entry: entry,
        }
    }
}

impl axum::serve::Listener for Bounded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => return (self.enter(stream), address),
                // No file for it, or the client has gone: others are served, and the next one tried in a moment.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// The place of a connection in the table, which is free when the connection ends.
struct Entry {
    number: u64,
    table: Table,
}

impl Drop for Entry {
    fn drop(&mut self) {
        lock(&self.table).remove(&self.number);
    }
}

/// Wakes a task when a connection may have been silent for too long.
struct Timer {
    patience: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    const fn new(patience: Duration) -> Timer {
        Timer { patience, sleep: None }
    }

    /// Has nothing moved for too long? If not, the task is woken when that may be so.
    fn is_over(&mut self, since: Instant, context: &mut Context<'_>) -> bool {
        loop {
            let end = tokio::time::Instant::from_std(since + self.patience);
            if tokio::time::Instant::now() >= end {
                return true;
            }
            let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(end)));
            if sleep.deadline() != end {
                sleep.as_mut().reset(end);
            }
            if sleep.as_mut().poll(context).is_pending() {
                return false;
            }
        }
    }
}

/// A connection that ends when it is silent, or has to make room.
pub(crate) struct Connection {
    stream: TcpStream,
    state: Arc<State>,
    read: Timer,
    write: Timer,
    /// Since when bytes wait to be sent.
    unsent: Option<Instant>,
    _entry: Entry,
}

const READS: usize = 0;
const WRITES: usize = 1;

impl Connection {
    fn end(why: &'static str) -> io::Error {
        io::Error::new(io::ErrorKind::TimedOut, why)
    }

    /// The outcome of an attempt to move bytes: notes that some moved, or how long it may wait for them.
    fn noted<T>(
        &mut self,
        which: usize,
        result: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        match result {
            Poll::Ready(Ok(moved)) => {
                *lock(&self.state.moved) = Instant::now();
                if which == WRITES {
                    self.unsent = None;
                }
                Poll::Ready(Ok(moved))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                lock(&self.state.wakers)[which] = Some(context.waker().clone());
                // After the waker is in its place: a close from now on wakes this task.
                if self.state.closed.load(Ordering::SeqCst) {
                    return Poll::Ready(Err(Connection::end("others need the connection")));
                }
                let (timer, since) = if which == READS {
                    (&mut self.read, *lock(&self.state.moved))
                } else {
                    (&mut self.write, *self.unsent.get_or_insert_with(Instant::now))
                };
                if timer.is_over(since, context) {
                    return Poll::Ready(Err(Connection::end("the connection was silent")));
                }
                Poll::Pending
            }
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.noted(READS, read, context)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.noted(WRITES, written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.noted(WRITES, written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use axum::serve::Listener as _;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    async fn bounded(bounds: Bounds) -> (Bounded, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        (Bounded::new(listener, bounds), address)
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(test);
    }

    #[test]
    fn the_connection_that_is_silent_longest_makes_room() {
        run(async {
            let (mut bounded, address) = bounded(Bounds { most: 2, ..Bounds::default() }).await;
            let mut clients = Vec::new();
            let mut served = Vec::new();
            for _ in 0..2 {
                clients.push(TcpStream::connect(address).await.expect("it listens"));
                served.push(bounded.accept().await.0);
            }
            // The first one speaks, so the second is silent longer.
            clients[0].write_all(b"x").await.expect("it is open");
            assert_eq!(served[0].read_u8().await.expect("a byte came"), b'x');
            clients.push(TcpStream::connect(address).await.expect("it listens"));
            served.push(bounded.accept().await.0);
            let closed = served[1].read_u8().await.expect_err("it made room");
            assert_eq!(closed.kind(), io::ErrorKind::TimedOut);
            clients[0].write_all(b"y").await.expect("it is open");
            assert_eq!(served[0].read_u8().await.expect("it is open"), b'y');
            drop(served);
            assert!(lock(&bounded.table).is_empty());
        });
    }

    #[test]
    fn silence_and_answers_that_are_not_read_end_a_connection() {
        run(async {
            let short = Duration::from_millis(30);
            let bounds = Bounds { silence: short, unread: short, ..Bounds::default() };
            let (mut bounded, address) = bounded(bounds).await;
            let client = TcpStream::connect(address).await.expect("it listens");
            let mut served = bounded.accept().await.0;
            let silent = served.read_u8().await.expect_err("nothing came");
            assert_eq!(silent.kind(), io::ErrorKind::TimedOut);
            let other = TcpStream::connect(address).await.expect("it listens");
            let mut served = bounded.accept().await.0;
            let unread = loop {
                if let Err(error) = served.write_all(&[0; 1 << 14]).await {
                    break error;
                }
            };
            assert_eq!(unread.kind(), io::ErrorKind::TimedOut);
            drop((client, other));
        });
    }
}
