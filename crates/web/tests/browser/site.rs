//! A host of static files, as simple as hosts can be: for the page without a server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Serves a folder until it is dropped.
pub(crate) struct Site {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    serving: Option<JoinHandle<()>>,
}

impl Site {
    pub(crate) fn serve(folder: PathBuf) -> Site {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let over = Arc::new(AtomicBool::new(false));
        let ended = over.clone();
        let serving = thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let folder = folder.clone();
                thread::spawn(move || respond(&folder, connection));
            }
        });
        Site { address, over, serving: Some(serving) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}

/// Answers one request; a browser that goes away meanwhile is no fault.
fn respond(folder: &Path, mut connection: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(connection.try_clone().ok()?).lines().map_while(Result::ok);
    let first = lines.next()?;
    lines.find(String::is_empty)?;
    let path = first.split(' ').nth(1)?.split('?').next()?.trim_start_matches('/').to_owned();
    let path = if path.is_empty() { "index.html".to_owned() } else { path };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    };
    let content = std::fs::read(folder.join(&path)).ok().filter(|_| !path.contains(".."));
    let status = if content.is_some() { "200 OK" } else { "404 Not Found" };
    let content = content.unwrap_or_default();
    let length = content.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).ok()?;
    connection.write_all(&content).ok()
}
