//! The contract once more, with the engine as WebAssembly in Node, through the module that the page uses.
//!
//! `ci/site.sh` builds the folder and names it in `DESTRIER_WASM`; without it the tests say that they were skipped.

#[path = "../../ask/tests/contract/mod.rs"]
mod contract;

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use contract::{Carrier, Exported, Refused, hold_to_the_contract};
use destrier_ask::RefusalKind;
use serde_json::{Value, json};

/// Node, with the engine loaded.
struct Node {
    process: Child,
    ends: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Node {
    fn start() -> Option<Node> {
        let Ok(site) = std::env::var("DESTRIER_WASM") else {
            eprintln!("skipped: DESTRIER_WASM names no folder; ci/site.sh builds one");
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/node.mjs");
        let mut process = Command::new("node")
            .args([script, &site])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node is there");
        let ends = process.stdin.take().zip(process.stdout.take()).expect("both were asked for");
        let ends = RefCell::new((ends.0, BufReader::new(ends.1)));
        Some(Node { process, ends })
    }

    /// What the engine answers, with what was heard of it before.
    fn run(&self, request: Value, body: &[u8]) -> Value {
        let mut request = request;
        request["body"] = in_digits(body).into();
        let (input, output) = &mut *self.ends.borrow_mut();
        writeln!(input, "{request}").expect("Node listens");
        let mut line = String::new();
        output.read_line(&mut line).expect("Node answers");
        serde_json::from_str(&line).expect("a line of JSON")
    }

    fn call(&self, call: &str, body: &[u8], query: &Value) -> Result<Value, Refused> {
        let answer = self.run(json!({ "call": call, "job": "1", "query": query }), body);
        if answer["word"] != "refused" {
            return Ok(answer);
        }
        let kinds = [
            RefusalKind::Malformed,
            RefusalKind::NotFound,
            RefusalKind::TooLarge,
            RefusalKind::Unfit,
            RefusalKind::Busy,
            RefusalKind::Unsupported,
            RefusalKind::Unavailable,
        ];
        let kind = kinds.into_iter().find(|kind| answer["status"] == kind.status());
        let kind = kind.unwrap_or(RefusalKind::Broken);
        Err(Refused { kind, told: answer["value"].clone() })
    }

    fn value(&self, call: &str, body: &[u8], query: &Value) -> Result<Value, Refused> {
        self.call(call, body, query).map(|answer| answer["value"].clone())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Carrier for Node {
    const RASTER: bool = true;

    fn job(&self, question: &[u8]) -> Result<Value, Refused> {
        self.value("work", question, &json!({}))
    }

    fn verify(&self, text: &[u8], board: Option<&str>) -> Result<Value, Refused> {
        self.value("verify", text, &json!({ "board": board }))
    }

    fn export(&self, certificate: &Value, format: &str) -> Result<Exported, Refused> {
        let query = json!({ "format": format });
        let answer = self.call("export", certificate.to_string().as_bytes(), &query)?;
        let media_type = answer["value"]["media_type"].as_str().expect("a file has one").to_owned();
        let bytes = from_digits(answer["bytes"].as_str().expect("a file has bytes"));
        Ok(Exported { media_type, bytes })
    }

    fn window(&self, request: &Value) -> Result<Value, Refused> {
        self.value("window", request.to_string().as_bytes(), &json!({}))
    }

    fn steps(&self, request: &Value) -> Result<Value, Refused> {
        self.value("steps", request.to_string().as_bytes(), &json!({}))
    }

    fn methods(&self) -> Value {
        self.value("methods", b"", &json!({})).expect("methods are never refused")
    }

    fn presets(&self) -> Value {
        self.value("presets", b"", &json!({})).expect("presets are never refused")
    }
}

/// Bytes as digits, for a line of JSON.
fn in_digits(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).expect("below 16");
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn from_digits(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("two digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

hold_to_the_contract!(Node::start());

#[test]
fn a_cancelled_search_says_what_it_has() {
    let Some(node) = Node::start() else { return };
    let question = br#"{"kind": "count", "board": "8x8", "method": "backtrack"}"#;
    let request = json!({ "call": "work", "job": "7", "cancel_after": 3 });
    let answer = node.run(request, question);
    assert_eq!(answer["value"]["state"], "cancelled", "{answer}");
    assert_eq!(answer["value"]["job"], "7");
    let heard = answer["heard"].as_array().expect("a list");
    assert_eq!((&heard[0], &heard[1]), (&json!("accepted"), &json!("progress")));
}

#[test]
fn a_traced_search_shows_its_steps() {
    let Some(node) = Node::start() else { return };
    let question = br#"{"kind": "tour", "board": "6x6", "method": "warnsdorff", "trace": true}"#;
    let answer = node.run(json!({ "call": "work" }), question);
    assert_eq!(answer["value"]["outcome"], "solved", "{answer}");
    assert!(answer["heard"].as_array().is_some_and(|heard| heard.contains(&json!("trace"))));
}

#[test]
fn what_32_bits_cannot_hold_is_refused_with_what_it_needs() {
    let Some(node) = Node::start() else { return };
    let question = br#"{"kind": "count", "board": "12x12", "method": "frontier"}"#;
    let refused = node.job(question).expect_err("it is too large");
    assert!(refused.told["error"].as_str().is_some_and(|why| !why.is_empty()), "{refused:?}");
    assert_eq!(refused.kind, RefusalKind::Unfit);
}

#[test]
fn methods_are_compared_on_one_thread() {
    let Some(node) = Node::start() else { return };
    let question = json!({
        "kind": "compare", "of": "swap", "preset": "guarini", "methods": ["astar", "meet"], "repeat": 2,
    });
    let job = node.job(question.to_string().as_bytes()).expect("it is asked well");
    let table = &job["answer"]["table"];
    assert_eq!((&job["outcome"], &table["agreed"]), (&json!("solved"), &json!(true)), "{job}");
    let rows = table["rows"].as_array().expect("a list");
    assert!(rows.len() == 2 && rows.iter().all(|row| row["answer"] == "16, proved"), "{job}");
    assert!(rows.iter().all(|row| row["solved"] == 2 && row["median_s"].is_number()), "{job}");
    assert!(table["date"].as_str().is_some_and(|date| date > "2026"), "{job}");
    let threads = json!({ "kind": "compare", "of": "tour", "board": "5x5", "thread_counts": [2] });
    let refused = node.job(threads.to_string().as_bytes()).expect_err("there is one thread");
    assert_eq!(refused.told["error"], "2 threads are too many: 1 at most here");
}
