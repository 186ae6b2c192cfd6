//! HTTP bodies against the page's server: every request is answered, none with a fault of the server, JSON is JSON.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use destrier_web::{Limits, Options, Server};
use serde_json::Value;

const PATHS: [&str; 5] = ["/api/jobs", "/api/verify", "/api/export", "/api/window", "/api/steps"];

/// The first byte says where to, the rest is the body.
pub fn check(data: &[u8]) {
    let Some((&first, body)) = data.split_first() else { return };
    let path = PATHS[usize::from(first) % PATHS.len()];
    let answer = ask("POST", path, body);
    if path == "/api/jobs"
        && let Some(job) = answer.as_ref().and_then(|answer| answer["job"].as_str())
    {
        // A job may take for ever: it is cancelled, and must know that it was.
        let cancelled = ask("DELETE", &format!("/api/jobs/{job}"), b"");
        assert!(cancelled.is_some_and(|told| told["job"] == job));
    }
}

/// Sends a request and holds the answer against HTTP; its body, if that is JSON.
fn ask(method: &str, path: &str, body: &[u8]) -> Option<Value> {
    let address = server();
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(50))).expect("it is not zero");
    let head = format!(
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("the head is taken");
    // The server may refuse a body before it has seen all of it.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer comes to its end");
    let text = String::from_utf8_lossy(&answer);
    let status: u16 = text.get(9..12).and_then(|status| status.parse().ok()).expect("a status");
    assert!((200..500).contains(&status), "{status} for {path}: {}", String::from_utf8_lossy(body));
    let (head, rest) = text.split_once("\r\n\r\n").expect("a head has its end");
    let is_json = head.to_ascii_lowercase().contains("content-type: application/json");
    is_json.then(|| serde_json::from_str(rest).expect("what is called JSON is JSON"))
}

/// One server for the whole run.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let limits = Limits { jobs: 2, queue: 1 << 16, threads: 1, ..Limits::default() };
        let server = Server::bind(&Options { port: 0, limits, ..Options::default() });
        let server = server.expect("some port is free");
        let address = server.address();
        std::thread::spawn(move || server.run());
        address
    })
}
