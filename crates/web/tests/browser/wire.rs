//! The `WebDriver` protocol on the wire: the dozen calls that the tests need.
//!
//! The protocol is JSON over HTTP to this machine. A client library would bring some sixty crates to compile, so the
//! calls are written out here.
//! Source: the W3C recommendation `WebDriver`.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::firefox::Firefox;

/// The name under which the protocol hides an element's number.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser that obeys.
pub(crate) enum Session {
    /// By its driver, over HTTP.
    Chromium { port: u16, path: String },
    /// By itself.
    Firefox(RefCell<Firefox>),
}

/// An element of the page.
pub(crate) struct Element(String);

impl Session {
    /// Starts a browser with these arguments.
    pub(crate) fn open(port: u16, arguments: &[&str]) -> Session {
        let wanted = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": { "args": arguments } } } });
        let opened = call(port, "POST", "/session", &wanted);
        let id = opened["sessionId"].as_str().expect("a session has a name");
        Session::Chromium { port, path: format!("/session/{id}") }
    }

    /// Closes the browser.
    pub(crate) fn close(&self) {
        if let Session::Chromium { port, path } = self {
            call(*port, "DELETE", path, &json!({}));
        }
    }

    fn ask(&self, method: &str, what: &str, body: &Value) -> Value {
        match self {
            Session::Chromium { port, path } => {
                call(*port, method, &format!("{path}/{what}"), body)
            }
            Session::Firefox(firefox) => firefox.borrow_mut().ask(what, body),
        }
    }

    pub(crate) fn post(&self, what: &str, body: &Value) -> Value {
        self.ask("POST", what, body)
    }

    fn get(&self, what: &str) -> Value {
        self.ask("GET", what, &json!({}))
    }

    pub(crate) fn go(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    pub(crate) fn execute(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
    }

    pub(crate) fn find(&self, css: &str) -> Element {
        let found = self.post("element", &json!({ "using": "css selector", "value": css }));
        Element(found[ELEMENT].as_str().expect("an element has a number").to_owned())
    }

    /// The element that has the focus.
    pub(crate) fn active(&self) -> Element {
        let found = self.get("element/active");
        Element(found[ELEMENT].as_str().expect("an element has a number").to_owned())
    }

    pub(crate) fn click(&self, element: &Element) {
        self.post(&format!("element/{}/click", element.0), &json!({}));
    }

    pub(crate) fn send_keys(&self, element: &Element, keys: &str) {
        self.post(&format!("element/{}/value", element.0), &json!({ "text": keys }));
    }

    /// The tab of now.
    pub(crate) fn window(&self) -> String {
        self.get("window").as_str().expect("a tab has a name").to_owned()
    }

    pub(crate) fn new_tab(&self) -> String {
        let opened = self.post("window/new", &json!({ "type": "tab" }));
        opened["handle"].as_str().expect("a tab has a name").to_owned()
    }

    pub(crate) fn switch(&self, tab: &str) {
        self.post("window", &json!({ "handle": tab }));
    }

    pub(crate) fn close_tab(&self) {
        self.ask("DELETE", "window", &json!({}));
    }

    /// What is seen, as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        from_base64(self.get("screenshot").as_str().unwrap_or_default())
    }
}

/// One call; what the driver objects to ends the test.
fn call(port: u16, method: &str, path: &str, body: &Value) -> Value {
    let body = if method == "POST" { body.to_string() } else { String::new() };
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the driver listens");
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .expect("the driver reads");
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("the driver answers");
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length is a number");
        } else if line.trim().is_empty() {
            break;
        }
    }
    let mut answer = vec![0; length];
    reader.read_exact(&mut answer).expect("the whole answer comes");
    let mut json: Value = serde_json::from_slice(&answer)
        .unwrap_or_else(|error| panic!("{path}: {error} in {} bytes", answer.len()));
    let value = json["value"].take();
    assert!(
        value["error"].is_null() || value["message"].is_null(),
        "{path} {body}: {}",
        value["message"]
    );
    value
}

/// Reads base 64, as pictures come.
fn from_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let number =
            group.iter().fold(0, |number, digit| (number << 6) | digit) << (6 * (4 - group.len()));
        bytes.extend_from_slice(&number.to_be_bytes()[1..group.len()]);
    }
    bytes
}
