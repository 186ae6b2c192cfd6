//! The page in Firefox, driven by Marionette.
//!
//! Marionette is Firefox's own end of `WebDriver`: JSON over a socket, with the length before it. `geckodriver` translates HTTP
//! to it, and Debian 12 has none; the few calls that the tests need are translated here. What only Chromium's protocol offers
//! (touch, widths of screens, prefers-…) is tested there.
//! Source: `remote/marionette` of Firefox, protocol 3.

use std::fs;
use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::{browse_firefox, skipped};
use crate::{rooms, search};

/// How long Firefox may take to start.
const PATIENCE: Duration = Duration::from_secs(120);

/// A Firefox that ends with the test.
pub(crate) struct Firefox {
    process: Child,
    stream: BufReader<TcpStream>,
    number: u64,
    _profile: tempfile::TempDir,
}

impl Firefox {
    /// Starts it with a profile of its own; nothing if this machine has none.
    pub(crate) fn start() -> Option<Firefox> {
        let profile = tempfile::tempdir().expect("there is room for a profile");
        // Port 0 is any that is free; the file `MarionetteActivePort` says which.
        let settings = "user_pref(\"marionette.port\", 0);\nuser_pref(\"remote.prefs.recommended\", true);\nuser_pref(\"intl.accept_languages\", \"en\");\n";
        fs::write(profile.path().join("user.js"), settings).expect("a profile can be written");
        let start = |program: &str| {
            Command::new(program)
                .args(["--headless", "--no-remote", "--marionette", "--profile"])
                .arg(profile.path())
                .env("MOZ_HEADLESS_WIDTH", "1280")
                .env("MOZ_HEADLESS_HEIGHT", "1000")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
        };
        let Ok(mut process) = start("firefox-esr").or_else(|_| start("firefox")) else {
            skipped("there is no Firefox here (Debian: firefox-esr)");
            return None;
        };
        let (began, place) = (Instant::now(), profile.path().join("MarionetteActivePort"));
        let port: u16 = loop {
            let text = fs::read_to_string(&place).unwrap_or_default();
            if let Ok(port) = text.trim().parse() {
                break port;
            }
            if began.elapsed() > PATIENCE || process.try_wait().is_ok_and(|ended| ended.is_some()) {
                let _ = process.kill();
                panic!("Firefox does not listen");
            }
            thread::sleep(Duration::from_millis(50));
        };
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("Firefox listens");
        let mut firefox =
            Firefox { process, stream: BufReader::new(stream), number: 0, _profile: profile };
        let hello = firefox.read();
        assert_eq!(hello["marionetteProtocol"], 3, "{hello}");
        firefox.call("WebDriver:NewSession", &json!({}));
        Some(firefox)
    }

    /// A call of `WebDriver`, by its path; what Firefox objects to ends the test.
    pub(crate) fn ask(&mut self, what: &str, body: &Value) -> Value {
        let words: Vec<&str> = what.split('/').collect();
        let mut body = body.clone();
        let command = match words[..] {
            ["url"] => "Navigate",
            ["refresh"] => "Refresh",
            ["back"] => "Back",
            ["execute", "sync"] => "ExecuteScript",
            ["window", "rect"] => "SetWindowRect",
            ["screenshot"] => {
                body = json!({ "full": false });
                "TakeScreenshot"
            }
            ["element"] => "FindElement",
            ["element", "active"] => "GetActiveElement",
            ["element", id, act] => {
                body["id"] = id.into();
                if act == "click" { "ElementClick" } else { "ElementSendKeys" }
            }
            _ => panic!("Firefox is not asked for {what}"),
        };
        self.call(&format!("WebDriver:{command}"), &body)["value"].take()
    }

    fn call(&mut self, command: &str, body: &Value) -> Value {
        self.number += 1;
        let message = json!([0, self.number, command, body]).to_string();
        write!(self.stream.get_mut(), "{}:{message}", message.len()).expect("Firefox reads");
        let mut answer = self.read();
        assert!(answer[2].is_null(), "{message}: {}", answer[2]["message"]);
        answer[3].take()
    }

    fn read(&mut self) -> Value {
        let (mut length, mut byte) = (0, [0]);
        loop {
            self.stream.read_exact(&mut byte).expect("Firefox answers");
            match byte[0] {
                b':' => break,
                digit => length = 10 * length + usize::from(digit - b'0'),
            }
        }
        let mut message = vec![0; length];
        self.stream.read_exact(&mut message).expect("the whole answer comes");
        serde_json::from_slice(&message).expect("an answer is JSON")
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn every_room_answers_in_firefox() {
    browse_firefox("firefox", |page| {
        rooms::find_a_tour(page);
        rooms::count(page);
        rooms::capture(page);
        rooms::swap(page);
        rooms::compare(page);
    });
}

#[test]
fn answers_stay_and_nothing_is_too_wide_in_firefox() {
    browse_firefox("firefox-pages", |page| {
        search::late_answers(page);
        search::go_back(page);
        search::reload(page);
        page.open("#tour");
        for width in [360, 640, 768, 1024, 1280, 1920] {
            page.as_window(width);
            for room in ["tour", "count", "capture", "swap", "compare"] {
                page.js(&format!("document.querySelector('[data-room={room}]').click()"));
                let fits = page.js("document.documentElement.scrollWidth <= innerWidth");
                assert_eq!(fits, json!(true), "{room} in a window of {width}");
            }
        }
    });
}
