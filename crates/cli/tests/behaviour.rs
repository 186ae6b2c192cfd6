//! What a transcript cannot show: files, pipes, interrupts, limits, and the published schema.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod command;

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use command::{destrier, run, stderr};

fn fed(args: &[&str], input: &[u8]) -> Output {
    let mut child = destrier(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The reader may stop before the end: then the rest of the input has nowhere to go.
    let feeder = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let starts: [(&str, &[u8]); 7] = [
        ("tour.svg", b"<svg"),
        ("tour.png", b"\x89PNG"),
        ("tour.gif", b"GIF89a"),
        ("tour.json", b"{\"destrier\":1"),
        ("tour.csv", b"step,square"),
        ("tour.tour", b"NAME"),
        ("tour.hcp", b"NAME"),
    ];
    for (name, start) in starts {
        assert!(run(&["tour", "5x6", "-o", &path(name)]).status.success(), "{name}");
        assert!(fs::read(path(name)).unwrap().starts_with(start), "{name}");
    }
    for args in [["tour", "4x4"], ["tour", "0x4"]] {
        let output = run(&[args[0], args[1], "-o", &path("none.svg")]);
        assert!(!output.status.success() && !Path::new(&path("none.svg")).exists());
    }
    let full = run(&["enumerate", "5x5", "--output", "/dev/full", "--format", "list"]);
    assert_eq!(full.status.code(), Some(2), "{}", stderr(&full));
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(names.len(), starts.len(), "nothing half-written stays: {names:?}");
}

#[cfg(unix)]
#[test]
fn a_board_is_read_from_a_pipe_and_an_answer_written_to_stdout() {
    let board = b"...\n...\n...\n...\n";
    let tour = fed(&["tour", "/dev/stdin", "-f", "list", "-o", "-"], board);
    assert!(tour.status.success(), "{}", stderr(&tour));
    assert_eq!(String::from_utf8_lossy(&tour.stdout).split_whitespace().count(), 12);
    assert!(!Path::new("-").exists());
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().display().to_string();
    let refused = run(&["tour", &name]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(stderr(&refused), format!("destrier: cannot read `{name}`: it is a folder\n"));
}

#[test]
fn files_begin_with_a_mark_and_have_lines_as_other_systems_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap();
        path.display().to_string()
    };
    let tour = "a4 b2 c4 a3 b1 c3 a2 c1 b3 a1 c2 b4\n";
    let coordinates = "1,4 2,2 3,4 1,3 2,1 3,3 1,2 3,1 2,3 1,1 3,2 2,4\n";
    for (words, answer) in [
        (vec!["tour", &file("board", "...\n...\n...\n...\n"), "-f", "fen"], "3/3/3/3\n"),
        (vec!["tour", &file("size", "3x4\n"), "-f", "fen"], "3/3/3/3\n"),
        (vec!["capture", &file("data", "3 8\n000\n000\n301\n"), "-f", "list"], "a1 b3 c1*\n"),
        (vec!["capture", &file("task", "k = 3\nF = c1\nJ = a1\n"), "-f", "list"], "a1 b3 c1*\n"),
        (vec!["rank", "3x4", "--file", &file("tours", &format!("\n{tour}"))], "0\n"),
        (vec!["rank", "3x4", "--coords", "one", "--file", &file("xy", coordinates)], "0\n"),
    ] {
        let output = run(&words);
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            answer,
            "{words:?} {}",
            stderr(&output)
        );
    }
    let wrong = run(&["rank", "3x4", "--file", &file("wrong", "\n\na1 b3\n")]);
    assert!(stderr(&wrong).starts_with("destrier: line 3 is none of the"), "{}", stderr(&wrong));
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_ended_at_once_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let names = || -> Vec<_> {
        let entries = fs::read_dir(folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let path = folder.path().join("tours.list").display().to_string();
    let child = destrier(&["enumerate", "6x6", "-o", &path]).stderr(Stdio::null()).spawn().unwrap();
    command::wait_until("a part is written", || !names().is_empty());
    for _ in 0..2 {
        command::interrupt(&child);
    }
    child.wait_with_output().unwrap();
    // It may have stopped in good order before the second interrupt came.
    assert!(names().iter().all(|name| name == "tours.list.partial"), "{:?}", names());
}

/// The Hamiltonian cycles of an HCP file, each once.
fn cycles(hcp: &str) -> usize {
    fn below(edges: &[Vec<bool>], path: &mut Vec<usize>) -> usize {
        let last = path[path.len() - 1];
        if path.len() == edges.len() {
            return usize::from(edges[last][0] && path[1] < last);
        }
        let mut found = 0;
        for next in 1..edges.len() {
            if edges[last][next] && !path.contains(&next) {
                path.push(next);
                found += below(edges, path);
                path.pop();
            }
        }
        found
    }
    let (head, list) = hcp.split_once("EDGE_DATA_SECTION\n").unwrap();
    let dimension = head.lines().find_map(|line| line.strip_prefix("DIMENSION : ")).unwrap();
    let nodes: usize = dimension.parse().unwrap();
    let mut edges = vec![vec![false; nodes]; nodes];
    for (v, u) in list.lines().filter_map(|line| line.split_once(' ')) {
        let (v, u) = (v.parse::<usize>().unwrap() - 1, u.parse::<usize>().unwrap() - 1);
        (edges[v][u], edges[u][v]) = (true, true);
    }
    below(&edges, &mut vec![0])
}

#[test]
fn an_hcp_file_has_a_cycle_for_each_tour_with_these_ends() {
    let wazir = ["--leaper", "0,1"];
    for (piece, ends) in [
        (&[][..], &[][..]),
        (&[], &["--from", "a1"]),
        (&[], &["--to", "b1"]),
        (&[], &["--from", "a1", "--to", "b4"]),
        (&wazir, &["--closed"]),
        (&wazir, &["--closed", "--from", "b2"]),
        (&wazir, &["--closed", "--from", "b2", "--to", "b3"]),
        (&wazir, &["--closed", "--from", "b2", "--to", "c3"]),
        (&wazir, &["--from", "b2"]),
    ] {
        let words = [&["3x4"], piece, ends].concat();
        let hcp = run(&[&["tour", "-f", "hcp"], &words[..]].concat());
        let shape = if ends.contains(&"--closed") { &[][..] } else { &["--open"] };
        let count = run(&[&["count", "--json"], &words[..], shape].concat());
        let count: Value = serde_json::from_slice(&count.stdout).unwrap();
        let cycles = cycles(&String::from_utf8_lossy(&hcp.stdout)).to_string();
        assert_eq!(Value::from(cycles), count["undirected"], "{words:?}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = destrier(&["enumerate", "6x6", "--closed"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut few = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut few).unwrap(); // and then the pipe is dropped
    let output = child.wait_with_output().unwrap();
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(0)));
}

/// Does a process catch Ctrl-C?
#[cfg(target_os = "linux")]
fn catches_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & (1 << (2 - 1)) != 0 // SIGINT is number 2
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_stops_the_search_and_keeps_what_is_known() {
    let child = destrier(&["count", "8x8", "--closed", "--method", "naive"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    command::wait_until("it catches Ctrl-C", || catches_interrupts(child.id()));
    let output = command::interrupted(child);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("stopped on request"), "{}", stderr(&output));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("at least"),
        "what is known is printed"
    );
}

#[test]
fn a_time_limit_is_an_outcome() {
    let output = run(&["tour", "8x8", "--method", "naive", "--time-limit", "50ms"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("the time limit was reached"));
    assert!(output.stdout.is_empty());
}

#[test]
fn endless_input_is_refused_in_bounded_memory() {
    for start in ["{", "a1 "] {
        let mut endless = start.as_bytes().to_vec();
        endless.resize(130 << 20, b' ');
        let output = fed(&["verify"], &endless);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("longer than 128 MiB"), "{}", stderr(&output));
    }
}

#[test]
fn answers_pass_from_one_command_to_the_next() {
    for format in ["json", "list", "grid"] {
        let tour = run(&["tour", "6x6", "--format", format]);
        let output = fed(&["verify"], &tour.stdout);
        assert!(output.status.success(), "{format}: {}", stderr(&output));
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("confirmed: open tour of 6x6"));
    }
}

#[test]
fn counts_are_read_as_they_are_printed_and_as_the_page_keeps_them() {
    let json = |words: &[&str]| {
        let printed = run(&[words, &["--json"]].concat());
        assert!(printed.status.success(), "{}", stderr(&printed));
        String::from_utf8(printed.stdout).unwrap()
    };
    let (open, other) = (json(&["count", "3x4", "--open"]), json(&["count", "3x7", "--open"]));
    let by_start = json(&["count", "4x5", "--open", "--by-start"]);
    let series = json(&["count", "--series", "3x4..8", "--closed"]);
    let verified = |text: &str| {
        let output = fed(&["verify"], text.as_bytes());
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let both = verified(&open) + &verified(&other);
    assert_eq!(both.matches("confirmed: ").count(), 2, "{both}");
    let list = format!("[{},{}]", open.trim(), other.trim());
    assert_eq!(verified(&list), both);
    assert_eq!(verified(&format!("\u{feff} {list}")), both);
    assert_eq!(verified(&format!("\u{feff}{open}")), verified(&open));
    let leaper = json(&["count", "--series", "3x2..5", "--leaper", "0,1", "--recurrence", "0"]);
    let wide = json(&["count", "--series", "3x11..12", "--recurrence", "0"]);
    for (text, lines, verdict, number) in [
        (&by_start, 1, "confirmed", "\"a1\":\""),
        (&series, 5, "confirmed", "\"undirected\":\""),
        (&leaper, 4, "confirmed", "\"undirected\":\""),
        (&wide, 2, "not rechecked", "\"undirected\":\""),
    ] {
        let said = verified(text);
        assert_eq!(said.lines().count(), lines, "{said}");
        assert!(said.lines().all(|line| line.starts_with(verdict)), "{said}");
        for (digit, why) in [("x", "is not a string of digits"), ("1", "refuted: ")] {
            let spoiled = text.replace(number, &format!("{number}{digit}"));
            let spoiled = fed(&["verify"], spoiled.as_bytes());
            assert_eq!(spoiled.status.code(), Some(2));
            assert!(stderr(&spoiled).contains(why), "{}", stderr(&spoiled));
        }
        // It is an answer for its board, and for no other.
        let other = fed(&["verify", "--board", "9x9"], text.as_bytes());
        assert_eq!(other.status.code(), Some(2), "{}", stderr(&other));
    }
    assert!(verified(&leaper).contains("by a 0,1 leaper"), "{leaper}");
    let closed = fed(&["verify", "--closed"], by_start.as_bytes());
    assert_eq!(closed.status.code(), Some(2), "{}", stderr(&closed));
    let stopped = fed(&["verify", "--time-limit", "0s"], by_start.as_bytes());
    assert_eq!(stopped.status.code(), Some(3), "{}", stderr(&stopped));
    let none = fed(&["verify"], b"[]");
    assert_eq!(stderr(&none), "destrier: there is nothing to check\n");
}

#[test]
fn answers_in_json_follow_the_published_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/certificate.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let questions: [&[&str]; 13] = [
        &["tour", "5x5"],
        &["tour", "6x6", "--closed", "--from", "c3"],
        &["tour", "4x4"],
        &["tour", "3x3"],
        &["tour", "5x5", "--from", "b1"],
        &["tour", "4x5", "--wrap", "x", "--holes", "a1,b1"],
        &["tour", "6x6", "--closed", "--symmetry", "half-turn"],
        &["capture", "4p/5/2p2/5/N3p"],
        &["capture", "2p/3/N2/3/#p#"],
        &["swap", "--preset", "guarini", "--metric", "runs", "--peaceful"],
        &["swap", "--from", "n3N/5", "--to", "N3n/5"],
        &["count", "5x5", "--open", "--classes"],
        &["count", "6x6", "--closed", "--confirm", "middle"],
    ];
    for question in questions {
        let answer = run(&[question, &["--json"]].concat());
        let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
        let faults: Vec<String> = schema.iter_errors(&answer).map(|e| e.to_string()).collect();
        assert!(faults.is_empty(), "{question:?}: {faults:?}");
        let verified = fed(&["verify"], answer.to_string().as_bytes());
        assert!(verified.status.success(), "{question:?}: {}", stderr(&verified));
        let mut spoiled = answer;
        spoiled["answer"] = "perhaps".into();
        assert!(!schema.is_valid(&spoiled));
    }
}

#[test]
fn completions_and_man_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]);
        assert!(String::from_utf8_lossy(&script.stdout).contains("enumerate"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(run(&["man", &folder.path().display().to_string()]).status.success());
    for page in ["destrier.1", "destrier-tour.1", "destrier-verify.1"] {
        assert!(
            fs::read_to_string(folder.path().join(page)).unwrap().contains("destrier"),
            "{page}"
        );
    }
}

/// A trial of a comparison ends with the process that compares, even if that one is killed.
#[test]
fn a_trial_ends_when_its_input_does() {
    let mut child = destrier(&["count", "8x8", "--closed", "--method", "backtrack"])
        .env("DESTRIER_ENDS_WITH_STDIN", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "it runs while its input is open");
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_a_link_stays_one() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("tour.list"), folder.path().join("link.list"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&file, &link).unwrap();
    for path in [&file, &link] {
        fs::write(&file, "old").unwrap();
        assert!(run(&["tour", "5x5", "-o", &path.display().to_string()]).status.success());
        assert!(fs::read_to_string(&file).unwrap().starts_with("a1"));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_being_written_and_a_part_that_is_kept_have_the_mode_of_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let usual = folder.path().join("usual");
    fs::write(&usual, "").unwrap(); // a new file has what the user's mask leaves
    for old in [Some(0o600), Some(0o640), Some(0o444), None] {
        let inner = tempfile::tempdir_in(folder.path()).unwrap();
        let file = inner.path().join("tours.txt");
        if let Some(old) = old {
            fs::write(&file, "old").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(old)).unwrap();
        }
        let expected = old.unwrap_or_else(|| mode(&usual));
        let name = file.display().to_string();
        let child = destrier(&["enumerate", "6x6", "--method", "search", "-o", &name])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let written = || {
            let mut files = fs::read_dir(inner.path()).unwrap().map(|file| file.unwrap().path());
            files.find(|file| file.file_name().unwrap().as_encoded_bytes().starts_with(b"."))
        };
        let is_written = || written().is_some_and(|file| fs::metadata(file).unwrap().len() > 0);
        command::wait_until("something is written", is_written);
        assert_eq!(mode(&written().unwrap()), expected, "while it is written: {old:?}");
        let output = command::interrupted(child);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert_eq!(mode(&inner.path().join("tours.txt.partial")), expected, "{old:?}");
        assert_eq!(file.exists(), old.is_some());
        assert_eq!(written(), None, "{}", stderr(&output));
        if old.is_some() {
            assert_eq!(
                (fs::read_to_string(&file).unwrap().as_str(), mode(&file)),
                ("old", expected)
            );
        }
    }
}

#[test]
fn memory_limits_are_kept_or_refused() {
    for args in [
        &["survey", "3000x3000", "--starts", "1", "--memory", "100M"][..],
        &[
            "capture",
            "N1p1p1p1p1p1p1p1p1p1p1p1p1p1p1p1p1p1",
            "--method",
            "naive",
            "--memory",
            "20M",
        ],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("MiB are allowed"), "{}", stderr(&output));
    }
    let jobs = run(&["serve", "--port", "0", "--jobs", "18446744073709551615"]);
    assert!(
        stderr(&jobs).contains("--jobs: 18446744073709551615 is too many"),
        "{}",
        stderr(&jobs)
    );
}

#[test]
fn a_check_ends_at_its_time() {
    // A swap on a board of a million squares, whose certificate is long enough to be gone through.
    let (fen, goal) = ("N999999", "999999N");
    let padding = " ".repeat(1 << 16);
    let certificate = format!(
        r#"{{"destrier":1,"kind":"swap","question":{{"start":"{fen}","goal":"{goal}"}},"answer":"impossible",{padding}
        "reason":{{"kind":"theorem","name":"path","text":""}},"origin":{{"program":"x","method":"x"}}}}"#
    );
    let output = fed(&["verify", "--time-limit", "1ms"], certificate.as_bytes());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "not rechecked: the time is up\n");
}

#[test]
fn a_wrong_question_gets_the_same_line_from_every_carrier() {
    let wrong: Vec<Value> =
        serde_json::from_str(include_str!("../../ask/tests/wrong.json")).unwrap();
    for case in wrong {
        let words: Vec<&str> =
            case["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let output = run(&words);
        let told = format!("destrier: {}\n", case["says"].as_str().unwrap());
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), told), "{words:?}");
    }
}

/// The most memory of its own that a command had at any time, in KiB: heap and stacks, without the program's file.
#[cfg(target_os = "linux")]
fn peak(words: &[&str]) -> (u64, String) {
    let child = destrier(words).stdout(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    // Its output is read meanwhile: a long one would fill the pipe, and it would wait.
    let reader = std::thread::spawn(move || child.wait_with_output().unwrap());
    let mut most = 0;
    while !reader.is_finished() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let own = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let own = own.and_then(|own| own.split_whitespace().next()?.parse().ok());
        most = most.max(own.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    let output = reader.join().unwrap();
    (most, String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn counts_and_tours_keep_to_their_memory() {
    // Where the system gives 2 MiB to whoever asks for a page, more is resident than is used.
    let pages = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    let slack = if pages.is_ok_and(|modes| modes.contains("[always]")) { 16 << 10 } else { 0 };
    for (board, shape, limit, tours) in [
        ("7x8", "--closed", 40, "34524432316"),
        ("7x8", "--closed", 64, "34524432316"),
        ("6x8", "--open", 40, "24964893804"),
        ("6x8", "--open", 48, "24964893804"),
        ("6x8", "--open", 96, "24964893804"),
        ("8x8", "--closed", 128, "13267364410532"),
    ] {
        for threads in if board == "8x8" { &["2"][..] } else { &["1", "2"] } {
            let memory = format!("{limit}M");
            let words = ["--memory", &memory, "--threads", threads, "-m", "middle"];
            let (most, said) = peak(&[&["count", board, shape], &words[..]].concat());
            assert!(said.contains(tours), "{board} {words:?}: {said}");
            assert!(most <= limit * 1024 * 103 / 100 + slack, "{board} {words:?}: {most} KiB");
        }
    }
    // Tours, too: those that fit, and those that do not.
    for (method, limit) in [("search", 64), ("warnsdorff", 48), ("roth", 48), ("naive", 48)] {
        let memory = format!("{limit}M");
        let words = ["--memory", &memory, "--node-limit", "200000", "--format", "list"];
        let (most, _) = peak(&[&["tour", "400x400", "-m", method], &words[..]].concat());
        assert!(most <= limit * 1024 * 103 / 100 + slack, "{method}: {most} KiB");
        let refused = run(&["tour", "1500x1500", "-m", method, "--memory", "64M"]);
        assert_eq!(refused.status.code(), Some(2), "{method}");
        assert!(stderr(&refused).contains("it needs at least"), "{}", stderr(&refused));
    }
    // What cannot be kept to is refused.
    let refused = run(&["count", "7x8", "--closed", "--memory", "20M", "-m", "middle"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("the memory of 20 MiB is too little"),
        "{}",
        stderr(&refused)
    );
}
