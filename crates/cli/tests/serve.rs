//! `destrier serve` as a user starts it: the address it prints, what it refuses to do, how it ends; and that a wrong
//! question gets the same line from the server as from the command.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod command;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use command::{destrier, interrupt, run, stderr, wait_until};

/// A server on any free port, and its address.
struct Served(Child, String);

impl Served {
    fn begin(args: &[&str]) -> Served {
        let mut child = destrier(&["serve", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Served(child, address)
    }

    fn ask(&self, head: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        let host = &self.1;
        let length = body.len();
        write!(stream, "{head} HTTP/1.0\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n{body}")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        (status, text.split_once("\r\n\r\n").unwrap().1.to_owned())
    }

    /// Submits a question, and gives its number.
    fn submit(&self, question: &Value) -> String {
        let (status, body) = self.ask("POST /api/jobs", &question.to_string());
        assert_eq!(status, 202, "{body}");
        let told: Value = serde_json::from_str(&body).unwrap();
        told["job"].as_str().unwrap().to_owned()
    }

    /// Waits for the end of a job.
    fn end_of(&self, id: &str) -> Value {
        let mut told = Value::Null;
        wait_until("the job has ended", || {
            told = serde_json::from_str(&self.ask(&format!("GET /api/jobs/{id}"), "").1).unwrap();
            told["state"] != "queued" && told["state"] != "running"
        });
        told
    }

    /// Interrupts the server as Ctrl-C does, and waits for its end.
    fn end(mut self) -> std::process::ExitStatus {
        interrupt(&self.0);
        wait_until("the server ends", || self.0.try_wait().unwrap().is_some());
        self.0.wait().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_prints_its_address_serves_the_page_and_ends_at_an_interrupt() {
    let served = Served::begin(&[]);
    assert!(served.1.starts_with("127.0.0.1:"), "{}", served.1);
    let (status, page) = served.ask("GET /", "");
    assert_eq!(status, 200);
    assert!(page.contains("<!doctype html>") || page.contains("<!DOCTYPE html>"));
    // A job that would run for years does not keep it.
    let long = json!({ "kind": "count", "board": "8x8", "shape": "closed", "method": "backtrack" });
    assert_eq!(served.ask("POST /api/jobs", &long.to_string()).0, 202);
    assert_eq!(served.end().code(), Some(0));
}

#[test]
fn another_address_needs_a_word_and_brings_a_warning() {
    let refused = run(&["serve", "--host", "0.0.0.0"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("add --expose"), "{}", stderr(&refused));
    let mut exposed = Served::begin(&["--host", "0.0.0.0", "--expose"]);
    let mut warning = String::new();
    BufReader::new(exposed.0.stderr.take().unwrap()).read_line(&mut warning).unwrap();
    assert!(warning.starts_with("destrier: warning: "), "{warning}");
    assert_eq!(exposed.ask("GET /api/limits", "").0, 200);
}

#[test]
fn a_port_that_is_taken_is_reported() {
    let first = Served::begin(&[]);
    let port = first.1.rsplit(':').next().unwrap();
    let second = run(&["serve", "--port", port]);
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("cannot listen on 127.0.0.1"), "{}", stderr(&second));
}

#[test]
fn limits_are_read_and_kept() {
    let served = Served::begin(&[
        "--jobs",
        "3",
        "--queue",
        "5",
        "--time-limit",
        "90s",
        "--memory",
        "1G",
        "--threads",
        "1",
    ]);
    let limits: Value = serde_json::from_str(&served.ask("GET /api/limits", "").1).unwrap();
    for (name, value) in
        [("jobs", 3), ("queue", 5), ("time_ms", 90_000), ("memory", 1 << 30), ("threads", 1)]
    {
        assert_eq!(limits[name], value, "{name}");
    }
    let wrong = run(&["serve", "--time-limit", "soon"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_wrong_question_gets_the_same_line_from_the_command_and_from_the_server() {
    let served = Served::begin(&[]);
    for (args, question) in [
        (&["tour", "8by8"][..], json!({ "kind": "tour", "board": "8by8" })),
        (&["tour", "0x3"], json!({ "kind": "tour", "board": "0x3" })),
        (&["tour", "8x8", "--from", "z9"], json!({ "kind": "tour", "board": "8x8", "from": "z9" })),
        (&["tour", "8x8", "--from", "9"], json!({ "kind": "tour", "board": "8x8", "from": "9" })),
        (
            &["tour", "8x8", "--holes", "i1"],
            json!({ "kind": "tour", "board": "8x8", "holes": ["i1"] }),
        ),
        (&["tour", "5/2q2/5"], json!({ "kind": "tour", "board": "5/2q2/5" })),
        (
            &["tour", "8x8", "--leaper", "0,0"],
            json!({ "kind": "tour", "board": "8x8", "leaper": "0,0" }),
        ),
        (
            &["tour", "8x8", "--method", "magic"],
            json!({ "kind": "tour", "board": "8x8", "method": "magic" }),
        ),
        (
            &["tour", "8x8", "--time-limit", "soon"],
            json!({ "kind": "tour", "board": "8x8", "time_limit": "soon" }),
        ),
        (
            &["tour", "8x8", "--from", "a1", "--to", "a1"],
            json!({ "kind": "tour", "board": "8x8", "from": "a1", "to": "a1" }),
        ),
        (
            &["tour", "8x8", "--holes", "c3", "--method", "compose"],
            json!({ "kind": "tour", "board": "8x8", "holes": ["c3"], "method": "compose" }),
        ),
        (
            &["tour", "8x8", "--backtrack"],
            json!({ "kind": "tour", "board": "8x8", "backtrack": true }),
        ),
        (
            &["count", "8x8", "--method", "magic"],
            json!({ "kind": "count", "board": "8x8", "method": "magic" }),
        ),
        (&["count", "--series", "3x9..2"], json!({ "kind": "count", "series": "3x9..2" })),
        (&["capture", "3/1p1/3"], json!({ "kind": "capture", "puzzle": "3/1p1/3" })),
        (&["capture", "N2/1N1/3"], json!({ "kind": "capture", "puzzle": "N2/1N1/3" })),
        (
            &["swap", "--from", "n2", "--to", "2N"],
            json!({ "kind": "swap", "start": "n2", "goal": "2N" }),
        ),
        (
            &["swap", "--from", "n2/1", "--to", "2N"],
            json!({ "kind": "swap", "start": "n2/1", "goal": "2N" }),
        ),
        (&["swap", "3x4", "--rows", "3"], json!({ "kind": "swap", "board": "3x4", "rows": 3 })),
        (&["swap", "99x99"], json!({ "kind": "swap", "board": "99x99" })),
        (&["tour", "8x8", "--wrap", "z"], json!({ "kind": "tour", "board": "8x8", "wrap": "z" })),
        (
            &["count", "8x8", "--symmetry", "Mirror"],
            json!({ "kind": "count", "board": "8x8", "symmetry": "Mirror" }),
        ),
        (
            &["swap", "3x4", "--metric", "leaps"],
            json!({ "kind": "swap", "board": "3x4", "metric": "leaps" }),
        ),
        (
            &["swap", "3x4", "--alternate", "red"],
            json!({ "kind": "swap", "board": "3x4", "alternate": "red" }),
        ),
        (&["swap", "--preset", "none"], json!({ "kind": "swap", "preset": "none" })),
        (
            &["capture", "2/N1/1p", "--method", "bb-dfs", "--parallel", "all"],
            json!({ "kind": "capture", "puzzle": "2/N1/1p", "method": "bb-dfs", "parallel": "all" }),
        ),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let (status, body) = served.ask("POST /api/jobs", &question.to_string());
        let mut told: Value = serde_json::from_str(&body).unwrap();
        if status == 202 {
            // A method that is not for the question may refuse it too late for a status.
            told = served.end_of(told["job"].as_str().unwrap());
            assert_eq!(told["state"], "failed", "{question} {told}");
        } else {
            assert_eq!(status, 422, "{question} {body}");
        }
        assert_eq!(
            format!("destrier: {}\n", told["error"].as_str().unwrap()),
            stderr(&output),
            "{question}"
        );
    }
}

#[test]
fn methods_are_compared_by_this_very_command_and_a_comparison_is_cancelled() {
    let served = Served::begin(&[]);
    let told = served.end_of(&served.submit(&json!({
        "kind": "compare", "of": "tour", "board": "5x5", "methods": ["auto", "roth"], "repeat": 1,
        "time_limit": "10m",
    })));
    assert_eq!((&told["state"], &told["outcome"]), (&json!("done"), &json!("solved")), "{told}");
    let rows = told["answer"]["table"]["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| &row["method"]).collect::<Vec<_>>(), ["auto", "roth"]);
    assert!(told["answer"]["svg"].as_str().unwrap().contains("<svg"));
    let long = served.submit(&json!({
        "kind": "compare", "of": "count", "board": "8x8", "closed": true, "methods": ["naive"],
        "time_limit": "1h",
    }));
    assert_eq!(served.ask(&format!("DELETE /api/jobs/{long}"), "").0, 200);
    let cancelled = served.end_of(&long);
    assert_eq!(cancelled["state"], "cancelled", "{cancelled}");
    // A method that there is not is refused before anything runs.
    let wrong = json!({ "kind": "compare", "of": "tour", "board": "5x5", "methods": ["magic"] });
    let (status, body) = served.ask("POST /api/jobs", &wrong.to_string());
    let refusal: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &refusal["field"]), (422, &json!("methods")), "{refusal}");
    let why = refusal["error"].as_str().unwrap();
    assert!(why.starts_with("there is no method `magic`"), "{why}");
}
