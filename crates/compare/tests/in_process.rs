//! Comparisons without processes, as a browser makes them.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::time::Duration;

use destrier::Options;
use destrier_ask::Fields;
use destrier_compare::{Allowed, Runner, answer, read};
use serde_json::{Value, json};

const NOTE: &str = "all runs shared one process, so their memory is not known";

fn compared(question: Value, options: &Options) -> Value {
    let fields = Fields::of(question, destrier_ask::Limits::default()).unwrap();
    let allowed = Allowed { threads: 1, memory: 300 << 20, time: Duration::from_secs(600) };
    let comparison = read(fields, allowed).unwrap();
    let report = answer(&comparison, &Runner::in_process(), options).unwrap();
    destrier_ask::job_json("1", &Value::Null, Ok(report), false, None)
}

#[test]
fn without_processes_all_kinds_are_compared_in_this_one() {
    for (question, answers) in [
        (
            json!({ "of": "tour", "board": "5x6", "methods": ["auto", "roth:backtrack", "naive"] }),
            ["a tour"; 3].as_slice(),
        ),
        (
            json!({ "of": "tour", "board": "5x5", "closed": true, "methods": ["auto"] }),
            &["impossible"],
        ),
        (
            json!({ "of": "count", "board": "3x4", "shape": "open", "methods": ["auto", "transfer", "naive:static"] }),
            &["8"; 3],
        ),
        (
            json!({ "of": "capture", "puzzle": "4p/5/2p2/5/N3p", "methods": ["auto", "bb-dfs:none", "naive"] }),
            &["8, proved"; 3],
        ),
        (
            json!({ "of": "swap", "preset": "guarini", "methods": ["auto", "ranked"] }),
            &["16, proved"; 2],
        ),
    ] {
        let mut question = question;
        (question["kind"], question["repeat"]) = ("compare".into(), 2.into());
        let job = compared(question, &Options::new());
        let table = &job["answer"]["table"];
        assert_eq!((&job["outcome"], &table["agreed"]), (&json!("solved"), &json!(true)), "{job}");
        let rows = table["rows"].as_array().unwrap();
        let found: Vec<&str> = rows.iter().map(|row| row["answer"].as_str().unwrap()).collect();
        assert_eq!(found, answers, "{job}");
        assert!(rows.iter().all(|row| row["solved"] == 2 && row["memory_bytes"].is_null()));
        assert_eq!(table["notes"].as_array().unwrap().last().unwrap(), NOTE);
    }
}

#[test]
fn without_processes_a_method_that_cannot_says_why_and_one_that_is_slow_is_stopped() {
    let question = json!({
        "kind": "compare", "of": "count", "board": "8x8", "shape": "closed",
        "methods": ["transfer", "backtrack"], "time_limit": "1ms",
    });
    let job = compared(question, &Options::new());
    let rows = &job["answer"]["table"]["rows"];
    assert_eq!(rows[0]["note"], "not for this question: the board is 8 wide; the limit is 5");
    assert_eq!((&rows[1]["gave_up"], &rows[1]["answer"]), (&json!(1), &json!("")), "{rows}");
}

#[test]
fn without_processes_a_comparison_that_is_stopped_keeps_what_it_has() {
    let cancel = destrier::Cancel::new();
    // The first report of nodes comes from the second method: the first one has none to report.
    let stop = cancel.clone();
    let options = Options::new().cancel(&cancel).on_progress(move |progress| {
        if progress.fraction.is_some_and(|part| part > 0.0) {
            stop.now();
        }
    });
    let question = json!({
        "kind": "compare", "of": "count", "board": "3x4", "shape": "open", "methods": ["auto", "naive"],
    });
    let job = compared(question, &options);
    assert_eq!(job["outcome"], "undecided", "{job}");
    assert_eq!(job["answer"]["table"]["rows"].as_array().unwrap().len(), 1, "{job}");
}
