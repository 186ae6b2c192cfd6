//! `destrier compare` end to end: what it measures, checks, writes and survives.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod command;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use command::{destrier, run, stderr};

/// The report of a comparison that must end well.
fn report(args: &[&str]) -> Value {
    let output = run(&[&["compare"], args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["destrier"], &report["kind"]), (&1.into(), &"compare".into()));
    assert_eq!(report["agreed"], true);
    report
}

/// Time limits for what has to stop early, while something else is solved: a slow machine takes a later one.
const LIMITS: [&str; 4] = ["200ms", "2s", "20s", "200s"];

fn rows(report: &Value) -> &[Value] {
    report["rows"].as_array().unwrap()
}

#[test]
fn every_method_on_each_kind_of_question_agrees() {
    let questions: [(&[&str], usize); 5] = [
        (&["tour", "5x5", "4x4", "--repeat", "1"], 2 * 11),
        (&["count", "3x4", "4x5", "--repeat", "1", "--memory", "1G"], 2 * 7),
        (&["capture", "4p/5/2p2/5/N3p", "--repeat", "1"], 3),
        (&["swap", "guarini", "n1n/3/N1N:N1N/3/n1n", "--repeat", "1"], 2 * 7),
        (&["survey", "8x8", "--starts", "10", "--repeat", "1"], 3),
    ];
    for (words, number) in questions {
        let report = report(words);
        assert_eq!(rows(&report).len(), number, "{words:?}");
        for row in rows(&report) {
            let runs = row["solved"].as_u64().unwrap() + row["gave_up"].as_u64().unwrap();
            let note = row["note"].as_str().unwrap();
            assert!(runs == 1 || note.starts_with("not for this question"), "{row}");
            assert_eq!(row["failed"], 0, "{row}");
        }
    }
}

#[test]
fn a_report_says_what_each_method_took() {
    let words = ["count", "3x7", "4x5", "--methods", "naive,backtrack", "--threads", "1,2"];
    let report = report(&[&words[..], &["--repeat", "2", "--time-limit", "10m"]].concat());
    assert_eq!((&report["repeat"], &report["complete"]), (&2.into(), &true.into()));
    assert_eq!(report["time_limit_s"], 600.0);
    for field in ["title", "date", "program", "machine"] {
        assert!(!report[field].as_str().unwrap().is_empty(), "{field}");
    }
    let rows = rows(&report);
    assert_eq!(rows.len(), 8);
    let naive = &rows[0];
    assert_eq!(
        (&naive["question"], &naive["method"], &naive["threads"], &naive["answer"]),
        (&"count 3x7 --open".into(), &"naive".into(), &1.into(), &"52".into())
    );
    assert_eq!((&naive["nodes"], &naive["squares"]), (&243_697.into(), &21.into()));
    assert_eq!(naive["seconds"].as_array().unwrap().len(), 2);
    assert_eq!((&naive["speedup_threads"], &naive["speedup_first"]), (&1.0.into(), &1.0.into()));
    for row in rows {
        let value = |name: &str| row[name].as_f64().unwrap();
        assert!(value("least_s") <= value("median_s") && value("median_s") <= value("most_s"));
        assert!(value("nodes_per_s") > 0.0 && value("speedup_first") > 0.0);
        #[cfg(target_os = "linux")]
        assert!(value("memory_bytes") > 1e6);
    }
}

#[test]
fn a_heuristic_is_marked_and_a_limit_is_data() {
    let words = ["swap", "six-knights", "--methods", "auto,best-first", "--time-limit", "10m"];
    let report = report(&[&words[..], &["--repeat", "1"]].concat());
    let answers: Vec<&str> = rows(&report).iter().map(|r| r["answer"].as_str().unwrap()).collect();
    assert_eq!(answers, ["16, proved", "26, not proved"]);
    let words = ["count", "6x6", "--closed", "--methods", "naive,auto", "--repeat", "1"];
    let solved = LIMITS.iter().any(|limit| {
        let report = self::report(&[&words[..], &["--time-limit", limit]].concat());
        let [naive, auto] = rows(&report) else { panic!("two rows") };
        assert_eq!((&naive["gave_up"], &naive["median_s"]), (&1.into(), &Value::Null));
        assert_eq!(naive["note"], "the time limit was reached");
        assert!(auto["solved"] == 0 || auto["answer"] == "9862", "{auto}");
        auto["solved"] == 1
    });
    assert!(solved, "auto counts what naive does not");
}

#[test]
fn reports_are_written_in_every_form_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let words =
        ["compare", "count", "4x5", "3x7", "--methods", "naive,backtrack", "--threads", "1,2"];
    let files = ["a.csv", "a.json", "a.md", "a.svg", "a.png", "a.txt"].map(path);
    let outputs: Vec<&str> = files.iter().flat_map(|file| ["-o", file.as_str()]).collect();
    let output = run(&[&words[..], &["--repeat", "2"], &outputs].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = |name: &str| fs::read_to_string(path(name)).unwrap();
    assert_eq!(text("a.txt"), String::from_utf8(output.stdout).unwrap());
    assert!(text("a.csv").starts_with("# title: counting tours\n# date: "));
    assert!(text("a.md").contains("| `count 4x5 --open` | naive | 1 |"));
    assert!(fs::read(path("a.png")).unwrap().starts_with(b"\x89PNG"));
    let json: Value = serde_json::from_str(&text("a.json")).unwrap();
    assert_eq!(rows(&json).len(), 8);
    // What is read back is what was written, in every form.
    for name in ["csv", "json", "md", "svg", "txt"] {
        let again = path(&format!("b.{name}"));
        let output = run(&["compare", "--read", &path("a.csv"), "-o", &again]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(text(&format!("b.{name}")), text(&format!("a.{name}")), "{name}");
    }
}

#[test]
fn a_kept_measurement_becomes_a_report_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let words = ["compare", "count", "3x4", "4x4", "4x5", "3x7", "--methods", "naive"];
    let more = ["--threads", "1,2", "--repeat", "1", "--time-limit", "10m", "-o", &path("a.csv")];
    let kept = run(&[&words[..], &more].concat());
    assert!(kept.status.success(), "{}", stderr(&kept));
    let files = ["a.html", "a.tex", "a.md", "b.csv"].map(path);
    let outputs: Vec<&str> = files.iter().flat_map(|file| ["-o", file.as_str()]).collect();
    let output = run(&[&["report", "--read", &path("a.csv")][..], &outputs].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(output.stdout.is_empty() && stderr(&output).contains("wrote "));
    let text = |name: &str| fs::read_to_string(path(name)).unwrap();
    assert_eq!(text("b.csv"), text("a.csv"));
    let csv = text("a.csv");
    let machine = csv.lines().find_map(|line| line.strip_prefix("# machine: ")).unwrap();
    for name in ["a.html", "a.md"] {
        assert!(text(name).contains(machine), "{name}");
    }
    for name in ["a.html", "a.tex", "a.md"] {
        let text = text(name);
        for part in ["4x4", "efficiency", "serial", "The longest run was", "by size"] {
            assert!(text.contains(part), "{name} lacks {part}");
        }
    }
    // Without a file it is printed.
    let printed = run(&["report", "--read", &path("a.csv")]);
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), text("a.md"));
    // To show what did not agree is no failure.
    fs::write(path("c.csv"), csv.replace("# agreed: true", "# agreed: false")).unwrap();
    for verb in ["compare", "report"] {
        let shown = run(&[verb, "--read", &path("c.csv")]);
        assert!(shown.status.success(), "{verb}: {}", stderr(&shown));
    }
}

#[test]
fn boards_without_a_tour_are_counted_by_brute_force_too() {
    let words = ["count", "4x4", "--methods", "naive,backtrack", "--threads", "1,2"];
    let report = report(&[&words[..], &["--repeat", "1", "--time-limit", "10m"]].concat());
    for row in rows(&report) {
        assert_eq!(row["answer"], "0", "{row}");
    }
    assert!(rows(&report)[0]["nodes"].as_u64().unwrap() > 1000, "everything was tried");
}

#[test]
fn a_plot_has_a_line_for_each_method_and_the_ideal() {
    let output = run(&[
        "compare",
        "count",
        "4x5",
        "4x6",
        "--methods",
        "naive,backtrack",
        "--threads",
        "1,2",
        "--repeat",
        "1",
        "--time-limit",
        "10m",
        "--format",
        "svg",
    ]);
    let svg = String::from_utf8(output.stdout).unwrap();
    for text in
        ["Time by board", "Speed-up of naive", ">ideal<", ">4x6<", "prefers-color-scheme: dark"]
    {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
}

#[test]
fn every_set_runs_alone_from_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    for set in
        ["brute-force-speedup", "warnsdorff-failures", "symmetric", "six-knights", "bb-dfs-speedup"]
    {
        let solved = LIMITS.iter().any(|limit| {
            let words = ["compare", "--set", set, "--repeat", "1", "--time-limit", limit, "--json"];
            let output = destrier(&words).current_dir(folder.path()).output().unwrap();
            assert!(output.status.success(), "{set}: {}", stderr(&output));
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["agreed"], true, "{set}");
            assert!(rows(&report).iter().all(|row| row["failed"] == 0), "{set}: {report}");
            rows(&report).iter().any(|row| row["solved"] == 1)
        });
        assert!(solved, "{set}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn the_failures_of_walks_are_those_of_the_literature() {
    let words = ["survey", "8x8", "50x50", "--methods", "warnsdorff,pohl,roth", "--repeat", "1"];
    let report = report(&[&words[..], &["--time-limit", "10m"]].concat());
    let said: Vec<&str> = rows(&report).iter().map(|row| row["answer"].as_str().unwrap()).collect();
    assert_eq!(
        said,
        [
            "1 of 64 fail",
            "6 of 64 fail",
            "0 of 64 fail",
            "310 of 2500 fail",
            "489 of 2500 fail",
            "18 of 2500 fail"
        ]
    );
}

/// Does a process run a trial with this word?
#[cfg(target_os = "linux")]
fn tries(process: u32, word: &str) -> bool {
    let folders = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    folders.into_iter().any(|folder| {
        // Processes come and go meanwhile.
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let (status, words) = (text("status"), text("cmdline"));
        // A child that has just begun has the words of its parent.
        status.lines().any(|line| line == format!("PPid:\t{process}"))
            && words.split('\0').any(|other| other == word)
            && !words.split('\0').any(|other| other == "compare")
    })
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("kept.csv").display().to_string();
    // The second question would take minutes.
    let words = ["compare", "count", "3x4", "6x6", "--methods", "naive", "--time-limit", "10m"];
    let child = destrier(&[&words[..], &["-o", &csv]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    command::wait_until("the second question is tried", || tries(child.id(), "6x6"));
    let output = command::interrupted(child);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("count 3x4 --open: 8") && text.contains("stopped on request"), "{text}");
    assert!(Path::new(&csv).exists());
}

#[test]
fn a_closed_pipe_ends_a_comparison_quietly() {
    let mut child = destrier(&["compare", "tour", "5x5", "--repeat", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(0)));
}
