//! Every route of the API: the contract over HTTP, statuses, limits, requests from elsewhere.

mod client;
#[path = "../../ask/tests/contract/mod.rs"]
mod contract;

use client::{Reply, TestServer};
use contract::{Carrier, Exported, Refused, hold_to_the_contract};
use destrier_ask::RefusalKind;
use destrier_web::Limits;
use serde_json::{Value, json};

impl Reply {
    /// The reply, unless it is a refusal.
    fn accepted(self) -> Result<Reply, Refused> {
        let kind = match self.status {
            200..300 => return Ok(self),
            400 => RefusalKind::Malformed,
            404 => RefusalKind::NotFound,
            413 => RefusalKind::TooLarge,
            422 => RefusalKind::Unfit,
            429 => RefusalKind::Busy,
            501 => RefusalKind::Unsupported,
            503 => RefusalKind::Unavailable,
            _ => RefusalKind::Broken,
        };
        Err(Refused { kind, told: self.json() })
    }
}

impl Carrier for TestServer {
    const RASTER: bool = true;

    fn job(&self, question: &[u8]) -> Result<Value, Refused> {
        let reply = self.ask("POST", "/api/jobs", &[], question).accepted()?;
        let job = self.end_of(reply.json()["job"].as_str().expect("it has a number"));
        // Refused too late for a status.
        let failed = job["state"] == "failed";
        if failed { Err(Refused { kind: RefusalKind::Unfit, told: job }) } else { Ok(job) }
    }

    fn verify(&self, text: &[u8], board: Option<&str>) -> Result<Value, Refused> {
        let path = board.map_or("/api/verify".to_owned(), |b| format!("/api/verify?board={b}"));
        Ok(self.ask("POST", &path, &[], text).accepted()?.json())
    }

    fn export(&self, certificate: &Value, format: &str) -> Result<Exported, Refused> {
        let path = format!("/api/export?format={format}");
        let reply = self.post(&path, certificate).accepted()?;
        let header = |name| reply.header(name).expect("a file has this header").to_owned();
        assert!(header("content-disposition").starts_with("attachment"));
        let media_type = header("content-type");
        Ok(Exported { media_type, bytes: reply.body })
    }

    fn window(&self, request: &Value) -> Result<Value, Refused> {
        Ok(self.post("/api/window", request).accepted()?.json())
    }

    fn steps(&self, request: &Value) -> Result<Value, Refused> {
        Ok(self.post("/api/steps", request).accepted()?.json())
    }

    fn methods(&self) -> Value {
        self.get("/api/methods").json()
    }

    fn presets(&self) -> Value {
        self.get("/api/presets").json()
    }
}

hold_to_the_contract!(Some(TestServer::start()));

#[test]
fn a_server_without_the_command_compares_nothing() {
    let question = json!({ "kind": "compare", "of": "tour", "board": "5x5" });
    let reply = TestServer::start().post("/api/jobs", &question);
    assert_eq!(reply.status, 501);
    assert!(reply.json()["error"].as_str().unwrap().contains("compare"));
}

#[test]
fn the_contract_and_the_routes_name_the_same_paths() {
    let contract: Value = serde_json::from_str(contract::CONTRACT).unwrap();
    let mut documented: Vec<&str> =
        contract["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let source = include_str!("../src/routes.rs");
    let mut routed: Vec<&str> =
        source.split(".route(").skip(1).map(|rest| rest.split('"').nth(1).unwrap()).collect();
    documented.sort_unstable();
    routed.sort_unstable();
    assert_eq!(documented, routed);
    let server = TestServer::start();
    assert_eq!(server.get("/api/openapi.json").json(), contract, "the contract is served");
    assert_eq!(server.post("/api/export", &json!({})).status, 400, "the format is missing");
    for (path, item) in contract["paths"].as_object().unwrap() {
        for method in ["get", "post", "delete", "put", "patch"] {
            let reply = server.ask(&method.to_uppercase(), &path.replace("{job}", "0"), &[], b"");
            let documented = item.get(method).is_some();
            assert_eq!(reply.status != 405, documented, "{method} {path}: {}", reply.status);
            if documented {
                let status = reply.status.to_string();
                let known = &item[method]["responses"];
                assert!(
                    known.get(&status).is_some(),
                    "{method} {path} answered {status}, which is not documented"
                );
            }
        }
    }
}

#[test]
fn every_reference_of_the_contract_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::String(to) if key == "$ref" => found.push(to.clone()),
                        _ => references(value, found),
                    }
                }
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let contract: Value = serde_json::from_str(contract::CONTRACT).unwrap();
    let mut found = Vec::new();
    references(&contract, &mut found);
    assert!(found.len() > 20);
    for to in found {
        assert!(contract.pointer(to.trim_start_matches('#')).is_some(), "{to}");
    }
}

#[test]
fn requests_from_other_sites_are_refused() {
    let server = TestServer::start();
    let own = server.address.to_string();
    let origin = format!("http://{own}");
    let question = br#"{"kind":"tour","board":"5x5"}"#;
    let status =
        |headers: &[(&str, &str)]| server.ask("POST", "/api/jobs", headers, question).status;
    assert_eq!(status(&[("Origin", &origin)]), 202);
    assert_eq!(status(&[("Sec-Fetch-Site", "same-origin")]), 202);
    for foreign in [
        [("Host", "evil.example")],
        [("Host", "localhost:1")],
        [("Origin", "http://evil.example")],
        [("Origin", "null")],
        [("Origin", "http://localhost:3000")],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
    ] {
        let reply = server.ask("POST", "/api/jobs", &foreign, question);
        assert_eq!(reply.status, 403, "{foreign:?}");
        assert!(!reply.json()["error"].as_str().unwrap().is_empty());
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
    let link = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    assert_eq!(server.ask("GET", "/", &link, b"").status, 200);
}

#[test]
fn every_response_has_its_headers() {
    let server = TestServer::start();
    for path in
        ["/", "/nothing", "/api/methods", "/api/nothing", "/../Cargo.toml", "/%2e%2e/Cargo.toml"]
    {
        let reply = server.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(
            reply.status == 200,
            ["/", "/api/methods"].contains(&path),
            "{path} {}",
            reply.status
        );
        assert!(!reply.text().contains("[package]"));
    }
    let page = server.get("/");
    let tag = page.header("etag").unwrap().to_owned();
    assert_eq!(server.ask("GET", "/", &[("If-None-Match", &tag)], b"").status, 304);
    // A release build keeps the page as gzip.
    let packed = server.ask("GET", "/", &[("Accept-Encoding", "br, gzip")], b"");
    let says_so = packed.header("content-encoding") == Some("gzip");
    assert_eq!(packed.body.starts_with(&[0x1f, 0x8b]), says_so);
    assert_eq!(says_so, !cfg!(debug_assertions));
    assert_eq!(page.header("content-encoding"), None);
}

#[test]
fn bodies_are_limited() {
    let server = TestServer::with(Limits { body: 1000, ..Limits::default() });
    let long = vec![b' '; 1001];
    for path in ["/api/jobs", "/api/verify", "/api/export?format=svg", "/api/window", "/api/steps"]
    {
        let reply = server.ask("POST", path, &[], &long);
        assert_eq!(reply.status, 413, "{path}");
        assert!(reply.json()["error"].as_str().unwrap().contains("at most 1000 bytes"));
    }
    assert_eq!(server.get("/api/limits").json()["body"], 1000);
}

#[test]
fn json_that_would_take_much_memory_is_refused_before_it_is_read() {
    let server = TestServer::start();
    // Some 300,000 objects in less than 2 MiB.
    let heavy = format!("[{}0]", "{\"\":0},".repeat(290_000));
    for path in ["/api/jobs", "/api/verify", "/api/export?format=svg", "/api/window", "/api/steps"]
    {
        // A list is text for `verify`, unless it begins with an object.
        let reply = server.ask("POST", path, &[], heavy.as_bytes());
        assert_eq!(reply.status, 413, "{path}: {}", reply.text());
        assert_eq!(reply.json()["key"], "said.json_heavy", "{path}");
    }
    let long = vec![b' '; (2 << 20) + 1];
    for path in ["/api/jobs", "/api/window", "/api/steps"] {
        let reply = server.ask("POST", path, &[], &long);
        assert_eq!(reply.json()["key"], "said.question_long", "{path}");
    }
    let drawn = vec![b'#'; (2 << 20) + 1];
    assert_eq!(server.ask("POST", "/api/verify", &[], &drawn).status, 413);
}

#[test]
fn what_is_wrong_is_said_in_few_words_whatever_was_sent() {
    let server = TestServer::start();
    let long = "x".repeat(1 << 19);
    let fields = "kind board method from to symmetry leaper holes wrap seed threads node_limit time_limit \
                  closed trace number tour";
    for field in fields.split(' ').chain([long.as_str()]) {
        let mut question = json!({ "kind": "tour", "board": "8x8" });
        question[field] = long.as_str().into();
        let reply = server.post("/api/jobs", &question);
        assert_eq!(reply.status, 422, "{field:.20}");
        assert!(reply.body.len() < 5000, "{field:.20}: {} bytes", reply.body.len());
    }
    let certificate = json!({ "destrier": 1, "kind": long });
    for path in ["/api/verify", "/api/export?format=svg"] {
        let reply = server.post(path, &certificate);
        assert!(reply.body.len() < 5000, "{path}: {} bytes", reply.body.len());
    }
}
