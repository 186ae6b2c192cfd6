//! Jobs that take long: watched, cancelled, queued, abandoned; and no thread is left behind.
//!
//! These tests count the threads of this process, so they run one at a time.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod client;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client::{TestServer, wait_until};
use destrier_web::{Limits, Options};
use serde_json::{Value, json};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The threads of the tests themselves: the harness begins some while others are under way.
static TESTS: Mutex<BTreeSet<OsString>> = Mutex::new(BTreeSet::new());

fn alone() -> MutexGuard<'static, ()> {
    let own = std::fs::read_link("/proc/thread-self").unwrap();
    TESTS.lock().unwrap_or_else(PoisonError::into_inner).insert(own.file_name().unwrap().into());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

fn threads() -> usize {
    let tests = TESTS.lock().unwrap_or_else(PoisonError::into_inner);
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    tasks.filter(|task| !tests.contains(&task.as_ref().unwrap().file_name())).count()
}

/// Counting one by one would take years.
fn long() -> Value {
    json!({ "kind": "count", "board": "8x8", "shape": "closed", "method": "backtrack" })
}

fn running(server: &TestServer, id: &str) {
    wait_until("the job runs", || server.job(id)["state"] == "running");
}

/// Does a thread of any job live? Those that it starts have its name.
fn a_job_has_threads() -> bool {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    // A thread may end between the two looks.
    let name = |task: PathBuf| std::fs::read_to_string(task.join("comm")).unwrap_or_default();
    tasks.map(|task| name(task.unwrap().path())).any(|name| name == "job\n")
}

/// A server in which the threads that stay for good have started, and no job has a thread.
fn warm_server() -> TestServer {
    let server = TestServer::with(Limits { jobs: 2, queue: 64, threads: 2, ..Limits::default() });
    let id = server.submit(&long());
    running(&server, &id);
    assert!(a_job_has_threads());
    assert_eq!(server.cancel(&id)["state"], "cancelled");
    wait_until("the threads of the first job have ended", || !a_job_has_threads());
    server
}

#[test]
fn cancel_stops_the_search_and_its_threads() {
    let _alone = alone();
    let server = warm_server();
    let before = threads();
    let id = server.submit(&long());
    running(&server, &id);
    wait_until("it has threads", || threads() > before);
    let job = server.cancel(&id);
    assert_eq!(
        (&job["state"], &job["outcome"]),
        (&json!("cancelled"), &json!("undecided")),
        "{job}"
    );
    assert!(job["says"].as_str().unwrap().contains("stopped"), "{job}");
    wait_until("its threads have ended", || threads() <= before);
    assert_eq!(server.job(&id)["state"], "cancelled");
    // Once over, it stays what it is.
    assert_eq!(server.delete(&format!("/api/jobs/{id}")).json()["state"], "cancelled");
}

#[test]
fn every_kind_of_job_is_cancelled_at_once() {
    let _alone = alone();
    let server = warm_server();
    let before = threads();
    let mark = |file: u32, rank: u32| match (file * 7 + rank * 13) % 8 {
        _ if (file, rank) == (0, 19) => '3',
        0 => '1',
        _ => '0',
    };
    let rows = (0..20).map(|rank| (0..20).map(|file| mark(file, rank)).collect::<String>());
    let scattered = format!("20 399\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    for question in [
        json!({ "kind": "tour", "board": "8x8", "closed": true, "from": "a1", "method": "naive" }),
        json!({ "kind": "count", "board": "9x9", "shape": "open" }),
        json!({ "kind": "count", "board": "7x7", "by_start": true, "shape": "open", "method": "backtrack" }),
        json!({ "kind": "capture", "puzzle": scattered, "method": "bb-dfs" }),
        json!({ "kind": "swap", "start": "nnnnnnn/nnnnnnn/7/7/7/NNNNNNN/NNNNNNN", "goal": "NNNNNNN/NNNNNNN/7/7/7/nnnnnnn/nnnnnnn", "alternate": "white", "method": "naive" }),
        json!({ "kind": "count", "series": "5x1..2000" }),
    ] {
        let id = server.submit(&question);
        running(&server, &id);
        let job = server.cancel(&id);
        assert_eq!(job["state"], "cancelled", "{question} {}", job["says"]);
        wait_until("its threads have ended", || threads() <= before);
    }
}

#[test]
fn a_job_that_waits_tells_its_place_and_no_progress() {
    let _alone = alone();
    let server = TestServer::with(Limits { jobs: 1, queue: 8, ..Limits::default() });
    let ids: Vec<String> = (0..3).map(|_| server.submit(&long())).collect();
    let mut events = server.listen(&ids[2], &[]);
    let (name, _, place) = events.next().unwrap();
    assert_eq!((name.as_str(), &place["position"]), ("queued", &json!(1)));
    let cancelled = server.delete(&format!("/api/jobs/{}", ids[1])).json();
    assert_eq!(cancelled["state"], "cancelled", "one that waits has nothing to wind up");
    wait_until("it is the first in the queue", || {
        let (name, _, place) = events.next().unwrap();
        assert_eq!(name, "queued");
        place["position"] == 0
    });
    server.delete(&format!("/api/jobs/{}", ids[0]));
    wait_until("it runs", || events.next().unwrap().0 == "progress");
    server.delete(&format!("/api/jobs/{}", ids[2]));
}

#[test]
fn events_tell_how_it_goes_and_how_it_ended() {
    let _alone = alone();
    let server = warm_server();
    let id = server.submit(&long());
    let mut events = server.listen(&id, &[]);
    let nodes = |told: &Value| told["nodes"].as_u64().unwrap();
    let mut progress = Vec::new();
    wait_until("nodes are reported", || {
        let (name, _, told) = events.next().unwrap();
        assert_eq!(name, "progress");
        progress.push(told);
        progress.len() >= 4 && progress.last().is_some_and(|told| nodes(told) > 0)
    });
    let [first, second, .., last] = &progress[..] else { panic!("four reports") };
    assert!(nodes(last) >= nodes(first), "{progress:?}");
    assert!(last["elapsed_ms"].as_u64() > second["elapsed_ms"].as_u64());
    assert!(last["text"].as_str().unwrap().contains("nodes"));
    let cancelled = server.cancel(&id);
    let (name, _, last) = events.by_ref().find(|(name, ..)| name == "done").unwrap();
    assert_eq!((name.as_str(), last), ("done", cancelled));
    assert_eq!(events.next(), None, "nothing comes after the end");
    // One who comes late hears the end at once.
    assert_eq!(server.listen(&id, &[]).next().unwrap().0, "done");
}

#[test]
fn the_steps_of_a_search_can_be_followed_to_its_answer() {
    let _alone = alone();
    let server = warm_server();
    let question =
        json!({ "kind": "tour", "board": "5x5", "from": "a1", "method": "naive", "trace": true });
    let id = server.submit(&question);
    let (mut path, mut retreats, mut seen, mut half) = (Vec::new(), 0, 0, 0);
    let mut squares = Value::Null;
    for (name, id, data) in server.listen(&id, &[]) {
        match name.as_str() {
            "trace" => {
                let events = data["events"].as_array().unwrap();
                seen += events.len();
                assert_eq!(id, seen.to_string());
                if half == 0 {
                    half = seen;
                }
                for event in events {
                    match event[0].as_str().unwrap() {
                        "begin" => path.clear(),
                        "move" => path.push(event[1].clone()),
                        "back" => {
                            retreats += 1;
                            path.pop().unwrap();
                        }
                        "found" => {}
                        other => panic!("{other}"),
                    }
                }
            }
            "done" => squares = data["answer"]["squares"].clone(),
            _ => {}
        }
    }
    assert_eq!(json!(path), squares, "what was seen is what was found");
    assert!(retreats > 0 && half > 0);
    // Who was there for the first part hears only the rest.
    let rest: usize = server
        .listen(&id, &[("Last-Event-ID", &half.to_string())])
        .filter(|(name, ..)| name == "trace")
        .map(|(_, _, data)| data["events"].as_array().unwrap().len())
        .sum();
    assert_eq!(half + rest, seen);
}

#[test]
fn a_trace_without_end_is_cut_and_the_search_goes_on() {
    let _alone = alone();
    let server = warm_server();
    let question = json!({ "kind": "tour", "board": "8x8", "closed": true, "from": "a1", "method": "naive", "trace": true });
    let id = server.submit(&question);
    let mut told = 0;
    for (name, _, data) in server.listen(&id, &[]) {
        if name == "trace" {
            told += data["events"].as_array().unwrap().len();
            if data["cut"] == true {
                break;
            }
        }
    }
    assert_eq!(told, 1 << 18);
    assert_eq!(server.job(&id)["state"], "running");
    server.delete(&format!("/api/jobs/{id}"));
}

#[test]
fn closing_the_tab_cancels_and_another_tab_is_not_disturbed() {
    let _alone = alone();
    let server = warm_server();
    let before = threads();
    let (mine, other) = (server.submit(&long()), server.submit(&long()));
    let mut my_tab = server.listen(&mine, &[]);
    let mut other_tab = server.listen(&other, &[]);
    assert_eq!(my_tab.next().unwrap().0, "progress");
    assert_eq!(other_tab.next().unwrap().0, "progress");
    drop(my_tab);
    assert_eq!(server.end_of(&mine)["state"], "cancelled");
    assert_eq!(server.job(&other)["state"], "running");
    assert_eq!(other_tab.next().unwrap().0, "progress");
    // There is room again: a third client is answered while the other job runs.
    assert_eq!(server.answer(&json!({ "kind": "tour", "board": "8x8" }))["outcome"], "solved");
    drop(other_tab);
    assert_eq!(server.end_of(&other)["state"], "cancelled");
    wait_until("all threads have ended", || threads() <= before);
}

#[test]
fn who_comes_back_soon_finds_the_job_running() {
    let _alone = alone();
    let server = warm_server();
    let id = server.submit(&long());
    let mut tab = server.listen(&id, &[]);
    tab.next().unwrap();
    let mut second = server.listen(&id, &[]);
    drop(tab);
    second.next().unwrap();
    drop(second);
    let mut again = server.listen(&id, &[]);
    std::thread::sleep(Limits::default().grace + Duration::from_millis(500));
    assert_eq!(again.next().unwrap().0, "progress");
    assert_eq!(server.job(&id)["state"], "running");
    server.delete(&format!("/api/jobs/{id}"));
}

#[test]
fn fifty_long_jobs_queued_and_cancelled_leave_no_thread_behind() {
    let _alone = alone();
    let server = warm_server();
    let before = threads();
    let ids: Vec<String> = (0..50).map(|_| server.submit(&long())).collect();
    let load = server.get("/api/limits").json();
    assert_eq!((&load["running"], &load["waiting"]), (&json!(2), &json!(48)));
    let queued = server.job(&ids[49]);
    assert_eq!((&queued["state"], &queued["position"]), (&json!("queued"), &json!(47)), "{queued}");
    // From the back, from the front, in any order.
    for (turn, id) in ids.iter().enumerate().map(|(turn, _)| (turn, &ids[(turn * 17) % 50])) {
        let job = server.cancel(id);
        assert_eq!(job["state"], "cancelled", "{turn}: {job}");
    }
    wait_until("all threads have ended", || threads() <= before);
    let load = server.get("/api/limits").json();
    assert_eq!((&load["running"], &load["waiting"]), (&json!(0), &json!(0)));
    let mut numbers = ids.clone();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), 50);
    assert!(numbers.iter().all(|id| id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit())));
}

#[test]
fn a_full_queue_is_refused_and_nothing_is_lost() {
    let _alone = alone();
    let server = TestServer::with(Limits { jobs: 1, queue: 2, ..Limits::default() });
    let ids: Vec<String> = (0..3).map(|_| server.submit(&long())).collect();
    let refused = server.post("/api/jobs", &long());
    assert_eq!(refused.status, 429);
    assert!(refused.json()["error"].as_str().unwrap().contains("1 running, 2 waiting"));
    server.cancel(&ids[0]);
    assert_eq!(server.post("/api/jobs", &long()).status, 202);
    assert_eq!(server.job(&ids[2])["state"], "queued");
}

#[test]
fn time_and_nodes_are_limited() {
    let _alone = alone();
    let server = TestServer::with(Limits { time: Duration::from_millis(200), ..Limits::default() });
    let job = server.answer(&json!({ "kind": "count", "board": "8x8", "shape": "closed", "method": "backtrack", "time_limit": "1h" }));
    assert_eq!((&job["state"], &job["outcome"]), (&json!("done"), &json!("undecided")), "{job}");
    assert!(job["says"].as_str().unwrap().contains("time"), "{job}");
    let server = TestServer::start();
    let job = server.answer(&json!({ "kind": "tour", "board": "8x8", "closed": true, "from": "a1", "method": "naive", "node_limit": 1000 }));
    assert_eq!(job["outcome"], "undecided");
    assert!(job["says"].as_str().unwrap().contains("nodes"), "{job}");
}

#[test]
fn answers_are_kept_for_a_while_and_then_dropped() {
    let _alone = alone();
    let server = TestServer::with(Limits { keep: Duration::from_secs(2), ..Limits::default() });
    let question = json!({ "kind": "tour", "board": "5x5" });
    let id = server.submit(&question);
    assert_eq!(server.end_of(&id)["state"], "done");
    let job = format!("/api/jobs/{id}");
    wait_until("it is dropped", || {
        server.answer(&question);
        server.get(&job).status == 404
    });
    let gone = server.get(&job);
    assert!(gone.json()["error"].as_str().unwrap().contains("no such job"));
}

#[test]
fn a_server_that_is_stopped_ends_its_jobs_and_lets_its_listeners_know() {
    let _alone = alone();
    let before = threads();
    let limits = Limits { jobs: 2, ..Limits::default() };
    let patience = Duration::from_secs(300);
    let mut server = TestServer::of(&Options { port: 0, limits, patience, ..Options::default() });
    let ids: Vec<String> = (0..4).map(|_| server.submit(&long())).collect();
    let events = server.listen(&ids[0], &[]);
    server.close();
    assert_eq!(events.last().unwrap().0, "done");
    wait_until("all threads have ended", || threads() <= before);
}

#[test]
fn what_jobs_hold_is_bounded_whatever_they_hold() {
    let _alone = alone();
    let server = TestServer::with(Limits { jobs: 1, ..Limits::default() });
    // Each holds a question of nearly two MiB, twice when it has ended; the first ones have to go.
    let puzzle = format!("N1p/3/3{}", " ".repeat((2 << 20) - 100));
    let question = json!({ "kind": "capture", "puzzle": puzzle });
    let ids: Vec<String> = (0..40)
        .map(|_| {
            let id = server.submit(&question);
            assert_eq!(server.end_of(&id)["state"], "done");
            id
        })
        .collect();
    assert_eq!(server.get(&format!("/api/jobs/{}", ids[0])).status, 404);
    assert_eq!(server.get(&format!("/api/jobs/{}", ids[39])).status, 200);
    // Questions that wait count, too, and are refused when there are too many bytes of them.
    let blocking = server.submit(&long());
    running(&server, &blocking);
    let refused = (0..40).map(|_| server.post("/api/jobs", &question)).find(|r| r.status == 429);
    let error = refused.expect("the bytes are counted").json()["error"].to_string();
    assert!(error.contains("the limit is 128 MiB"), "{error}");
}

#[test]
fn a_field_that_says_nothing_here_is_refused() {
    let _alone = alone();
    let server = TestServer::start();
    for question in [
        json!({ "kind": "tour", "board": "5x5", "of": "x".repeat(1000) }),
        json!({ "kind": "capture", "puzzle": "N1p/3/3", "of": "tour" }),
    ] {
        let refused = server.post("/api/jobs", &question);
        assert_eq!((refused.status, &refused.json()["field"]), (422, &json!("of")));
    }
    assert_eq!(
        server.post("/api/jobs", &json!({ "kind": "hint", "of": "tour", "board": "5x5" })).status,
        202
    );
}
