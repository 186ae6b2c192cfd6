//! A server of its own for a test, and a client that speaks just enough HTTP.
//!
//! Requests are HTTP/1.0, so that a response ends where its connection does; nothing is hidden by a library.

#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![allow(dead_code, clippy::allow_attributes, reason = "each test uses what it needs")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use destrier_web::{Limits, Options, Server, Stop};
use serde_json::Value;

/// Only what never happens takes longer, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server that ends with the test.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

impl TestServer {
    pub(crate) fn start() -> TestServer {
        TestServer::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> TestServer {
        TestServer::of(&Options { port: 0, limits, ..Options::default() })
    }

    pub(crate) fn of(options: &Options) -> TestServer {
        let server = Server::bind(options).unwrap();
        let (address, stop) = (server.address(), server.stop());
        TestServer { address, stop, thread: Some(std::thread::spawn(move || server.run())) }
    }

    /// Stops the server and waits until it has ended.
    pub(crate) fn close(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.stop.stop();
            thread.join().unwrap().unwrap();
        }
    }

    fn connect(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let mut head = format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.extend(["Host: ", &self.address.to_string(), "\r\n"]);
        }
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head += "\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses a long body may close before it is all sent.
        let _ = stream.write_all(body);
        stream
    }

    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let mut bytes = Vec::new();
        let _ = self.connect(method, path, headers, body).read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Reply { status, headers, body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &[], body.to_string().as_bytes())
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.ask("DELETE", path, &[], b"")
    }

    /// Submits a question, and gives its number.
    pub(crate) fn submit(&self, question: &Value) -> String {
        let reply = self.post("/api/jobs", question);
        assert_eq!(reply.status, 202, "{}", reply.text());
        reply.json()["job"].as_str().unwrap().to_owned()
    }

    pub(crate) fn job(&self, id: &str) -> Value {
        self.get(&format!("/api/jobs/{id}")).json()
    }

    /// Waits until a job is in another state than `queued` and `running`.
    pub(crate) fn end_of(&self, id: &str) -> Value {
        let mut job = Value::Null;
        wait_until("the job has ended", || {
            job = self.job(id);
            !matches!(job["state"].as_str(), Some("queued" | "running"))
        });
        job
    }

    /// Cancels a job and waits for its end.
    pub(crate) fn cancel(&self, id: &str) -> Value {
        let reply = self.delete(&format!("/api/jobs/{id}"));
        assert_eq!((reply.status, &reply.json()["job"]), (200, &Value::from(id)));
        self.end_of(id)
    }

    /// Submits a question and waits for its answer.
    pub(crate) fn answer(&self, question: &Value) -> Value {
        self.end_of(&self.submit(question))
    }

    /// Listens to a job.
    pub(crate) fn listen(&self, id: &str, headers: &[(&str, &str)]) -> Events {
        let stream = self.connect("GET", &format!("/api/jobs/{id}/events"), headers, b"");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(reader.read_line(&mut line).unwrap() > 0, "the head has an end");
        }
        Events(reader)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.stop(); // and its jobs do not slow the tests that follow
        } else {
            self.close();
        }
    }
}

/// The events of a job.
pub(crate) struct Events(BufReader<TcpStream>);

impl Iterator for Events {
    /// The name, the id and the data.
    type Item = (String, String, Value);

    fn next(&mut self) -> Option<Self::Item> {
        let (mut name, mut id, mut data) = (String::new(), String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end().split_once(':') {
                Some(("event", value)) => value.trim().clone_into(&mut name),
                Some(("id", value)) => value.trim().clone_into(&mut id),
                Some(("data", value)) => data += value.trim(),
                _ if line.trim().is_empty() && !name.is_empty() => {
                    return Some((name, id, serde_json::from_str(&data).unwrap()));
                }
                _ => {}
            }
        }
    }
}

/// Waits, not forever, until something is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{PATIENCE:?} have gone by before {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
