//! The program under a real `mpirun`: answers, exit codes, faults, signals.
//!
//! Skipped with a line where there is no `mpirun`; with `DESTRIER_MPI=required`, as in CI, that is a failure.
#![cfg(feature = "mpi")]
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::fs;
use std::io::Write as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_destrier-mpi");

/// Is there an `mpirun`?
fn is_missing() -> bool {
    let missing = Command::new("mpirun").arg("--version").output().is_err();
    let required = std::env::var("DESTRIER_MPI").is_ok_and(|value| value == "required");
    assert!(!(missing && required), "there is no mpirun, and DESTRIER_MPI=required");
    if missing {
        eprintln!("skipped: there is no mpirun");
    }
    missing
}

fn mpirun(ranks: usize, program: &str, words: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
    command.args(["-n", &ranks.to_string(), program]).args(words);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(ranks: usize, words: &[&str]) -> Output {
    mpirun(ranks, PROGRAM, words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn known(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../known/capture").join(name);
    path.display().to_string()
}

/// Tests with `DESTRIER_LIMIT` above 1 take the large boards, too.
fn is_patient() -> bool {
    let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse::<u32>().ok());
    limit.is_some_and(|limit| limit > 1)
}

#[test]
fn one_to_four_ranks_agree() {
    if is_missing() {
        return;
    }
    let large = if is_patient() { 1..=4 } else { 2..=2 };
    let rows: [(&[&str], &str, RangeInclusive<usize>); 6] = [
        (&["count", "6x6", "--closed", "--threads", "1"], "9862", 1..=4),
        (&["count", "6x6", "--open", "--threads", "2"], "3318960", 1..=4),
        (&["count", "6x6", "--closed", "-m", "middle"], "9862", 1..=4),
        (&["count", "5x6", "--open", "-m", "frontier"], "18784", 1..=4),
        (&["count", "7x8", "--closed", "--threads", "1"], "34524432316", 1..=4),
        (&["count", "8x8", "--closed", "--threads", "1"], "13267364410532", large),
    ];
    for (words, tours, ranks) in rows {
        for ranks in ranks {
            let Output { status, stdout, stderr } = run(ranks, words);
            let (out, err) = (text(&stdout), text(&stderr));
            assert!(status.success(), "{words:?} on {ranks} ranks: {err}");
            assert!(out.contains(&format!(": {tours} undirected")), "{words:?}: {out}");
        }
    }
}

#[test]
fn captures_are_those_of_one_process() {
    if is_missing() {
        return;
    }
    // Three for all, the rest for the patient: threads that stand in for ranks prove each of them.
    let few = ["h01_k8_q10", "p02_lines5_k40", "s02_k40_q100"];
    for row in fs::read_to_string(known("optima.csv")).unwrap().lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let (name, optimum) = (cells[0], cells[4].parse::<usize>().ok());
        if !is_patient() && !few.contains(&name) {
            continue;
        }
        let file = known(&format!("{name}.txt"));
        for ranks in 1..=4 {
            let words = ["capture", &file, "-f", "list", "--threads", "1", "--report"];
            let Output { status, stdout, stderr } = run(ranks, &words);
            let code = i32::from(optimum.is_none());
            assert_eq!(status.code(), Some(code), "{name} on {ranks} ranks: {}", text(&stderr));
            if let Some(optimum) = optimum {
                assert_eq!(text(&stdout).split_whitespace().count(), optimum + 1, "{name}");
            }
            let report = text(&stderr);
            assert!(report.contains("busy s") && report.lines().count() >= ranks + 2, "{report}");
        }
    }
    let file = known("h01_k8_q10.txt");
    let Output { status, stdout, .. } = run(3, &["capture", &file, "-m", "bb-dfs", "-f", "list"]);
    assert!(status.success());
    assert_eq!(text(&stdout).split_whitespace().count(), 20, "19 moves");
}

#[test]
fn a_swap_in_files_is_halted_and_resumed() {
    if is_missing() {
        return;
    }
    for ranks in 1..=4 {
        let folder = tempfile::tempdir().unwrap();
        let scratch = folder.path().display().to_string();
        let words = |nodes: &'static str| {
            let puzzle = ["swap", "--from", "ABCD/4/EFGH", "--to", "BACD/4/EFGH", "-v"];
            let limits = ["-m", "meet", "--memory", "1K", "--threads", "1", "--node-limit", nodes];
            [&puzzle[..], &limits, &["--scratch"]].concat()
        };
        let asked = |ranks, nodes| run(ranks, &[&words(nodes)[..], &[&scratch]].concat());
        let halted = asked(ranks, "100");
        assert_eq!(halted.status.code(), Some(3), "{ranks} ranks: {}", text(&halted.stderr));
        let refused = asked(ranks % 4 + 1, "1000000");
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains("resume it on as many"));
        let resumed = asked(ranks, "1000000");
        assert!(resumed.status.success(), "{ranks} ranks: {}", text(&resumed.stderr));
        assert!(text(&resumed.stderr).contains("the fewest"), "{}", text(&resumed.stderr));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{ranks} ranks leave nothing");
    }
}

#[test]
fn threads_inside_each_rank_share_the_tree_as_asked_and_nothing_is_coloured() {
    if is_missing() {
        return;
    }
    let file = known("h01_k8_q10.txt");
    for parallel in ["none", "task", "data"] {
        let words = ["capture", &file, "-m", "bb-dfs", "--parallel", parallel, "--threads", "2"];
        let Output { status, stdout, stderr } = run(2, &words);
        assert!(status.success(), "{parallel}: {}", text(&stderr));
        let out = text(&stdout);
        assert!(out.contains("19 moves"), "{parallel}: {out}");
        assert!(!out.contains('\u{1b}'), "mpirun's own output is no terminal: {out:?}");
    }
    let help = text(&run(1, &["capture", "--help"]).stdout);
    assert!(help.contains("[default: task with --threads above 1") && !help.contains('\u{1b}'));
}

#[test]
fn exit_codes_are_those_of_the_command() {
    if is_missing() {
        return;
    }
    let unreachable = known("e04_k2_unreachable.txt");
    let rows: [(&[&str], i32, &str); 5] = [
        (&["--help"], 0, ""),
        (&["count", "8by8"], 2, "8by8"),
        (&["count", "8x8", "--closed", "--what"], 2, "--what"),
        (&["count", "6x6", "--closed", "-m", "nix"], 2, "no method `nix`"),
        (&["capture", &unreachable], 1, ""),
    ];
    for (words, code, message) in rows {
        let Output { status, stderr, .. } = run(3, words);
        let err = text(&stderr);
        assert_eq!(status.code(), Some(code), "{words:?}: {err}");
        assert!(err.contains(message) && !err.contains("works alone"), "{words:?}: {err}");
    }
    // Where ranks take longer to begin than they are waited for, that is said, and another limit is tried.
    let stopped = ["200ms", "10s", "60s"].iter().any(|limit| {
        let words = ["count", "9x9", "--from", "a1", "--time-limit", limit];
        let Output { status, stderr, .. } = run(3, &words);
        let err = text(&stderr);
        assert_eq!(status.code(), Some(3), "{words:?}: {err}");
        assert!(!err.contains("works alone"), "{words:?}: {err}");
        let is_late = err.contains("not all ranks have answered");
        assert!(is_late || err.contains("time limit"), "{words:?}: {err}");
        !is_late
    });
    assert!(stopped, "all ranks stop at the time limit");
}

#[test]
fn lists_come_in_one_stream_or_one_file_a_rank() {
    if is_missing() {
        return;
    }
    let words = ["enumerate", "6x6", "--closed", "--threads", "1"];
    let one = run(1, &words);
    assert!(one.status.success(), "{}", text(&one.stderr));
    assert_eq!(text(&one.stdout).lines().count(), 9862);
    assert!(run(3, &words).stdout == one.stdout, "the same lines in the same order");
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("tours").display().to_string();
    let files = run(3, &[&words[..], &["--files", &name]].concat());
    assert!(files.status.success(), "{}", text(&files.stderr));
    assert_eq!(text(&files.stdout), "");
    let mut lines: Vec<String> = (0..3)
        .flat_map(|rank| {
            let text = fs::read_to_string(format!("{name}.{rank}")).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let mut all: Vec<String> = text(&one.stdout).lines().map(str::to_owned).collect();
    lines.sort_unstable();
    all.sort_unstable();
    assert_eq!(lines, all);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no partial files");
    // What is cut short keeps another name, and that is said.
    let long = [
        "enumerate",
        "8x8",
        "--closed",
        "--threads",
        "1",
        "--node-limit",
        "100000",
        "-m",
        "backtrack",
    ];
    let name = folder.path().join("some").display().to_string();
    let files = run(3, &[&long[..], &["--files", &name]].concat());
    let err = text(&files.stderr);
    assert_eq!(files.status.code(), Some(3), "{err}");
    assert!(err.contains("some.N.partial"), "{err}");
    for rank in 0..3 {
        assert!(!Path::new(&format!("{name}.{rank}")).exists());
        assert!(Path::new(&format!("{name}.{rank}.partial")).exists());
    }
}

#[test]
fn a_puzzle_is_read_from_standard_input() {
    if is_missing() {
        return;
    }
    let mut child =
        mpirun(2, PROGRAM, &["capture", "-", "-f", "list"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"4p/5/2p2/5/N3p\n").unwrap();
    let Output { status, stdout, .. } = child.wait_with_output().unwrap();
    assert!(status.success() && text(&stdout).starts_with("a1 "));
}

#[test]
fn a_panic_in_one_rank_ends_all_at_once() {
    if is_missing() {
        return;
    }
    let program = PathBuf::from(PROGRAM);
    let fault = program.with_file_name("examples").join("fault");
    let fault = fault.display().to_string();
    for word in ["main", "thread"] {
        let child = mpirun(3, &fault, &[word]).spawn().unwrap();
        let output = end_of(child);
        assert!(!output.status.success());
        let err = text(&output.stderr);
        assert!(err.contains("rank 1 on ") && err.contains("a fault on"), "{err}");
    }
}

#[test]
fn the_wrong_launcher_is_noticed() {
    if is_missing() {
        return;
    }
    let words = ["count", "6x6", "--closed"];
    let output = Command::new(PROGRAM).args(words).env("PMI_SIZE", "4").output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("started 4 processes") && err.contains("mpirun"), "{err}");
    // One process alone is a coordinator of one.
    let output = Command::new(PROGRAM).args(words).output().unwrap();
    assert!(output.status.success() && text(&output.stdout).contains(": 9862 undirected"));
}

/// Waits, not forever, until something is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    // Only what never happens takes longer, however slow the machine is.
    let most = Duration::from_secs(300);
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < most, "{most:?} have gone by before {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for a child, but not for ever.
fn end_of(mut child: Child) -> Output {
    wait_until("it ends", || child.try_wait().unwrap().is_some());
    child.wait_with_output().unwrap()
}

/// The process of a rank under this `mpirun`.
fn rank_process(mpirun: u32, rank: usize) -> Option<u32> {
    let mark = format!("OMPI_COMM_WORLD_RANK={rank}");
    let processes = fs::read_dir("/proc")
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    processes.into_iter().find(|process| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let parent =
            stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok());
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        parent == Some(mpirun)
            && environment.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
    })
}

/// Sends a signal, and says whether there was a process to get it.
fn sent(signal: &str, process: u32) -> bool {
    let command = Command::new("kill").args([signal, &process.to_string()]).output();
    command.unwrap().status.success()
}

fn kill(signal: &str, process: u32) {
    assert!(sent(signal, process));
}

/// The board of the tests that stop a count: minutes for the patient, seconds for all.
fn board() -> (&'static str, &'static str) {
    if is_patient() { ("8x8", "13267364410532") } else { ("7x8", "34524432316") }
}

/// A count that stands still, because its rank 0 does.
struct Held {
    child: Child,
    first: u32,
}

impl Held {
    /// Starts a count, and stops its rank 0 when its journal has a slice, but not all.
    fn begin(journal: &str) -> Held {
        let words = ["count", board().0, "--closed", "--threads", "1", "--journal", journal];
        let mut child = mpirun(3, PROGRAM, &words).spawn().unwrap();
        let slices = Path::new(journal).join("slices");
        let mut first = None;
        wait_until("a slice is counted", || {
            assert!(child.try_wait().unwrap().is_none(), "it counts");
            first = first.or_else(|| rank_process(child.id(), 0));
            first.is_some() && fs::read_to_string(&slices).unwrap_or_default().lines().count() >= 2
        });
        let first = first.unwrap();
        kill("-STOP", first);
        Held { child, first }
    }

    fn rank(&self, rank: usize) -> u32 {
        rank_process(self.child.id(), rank).unwrap_or_else(|| panic!("rank {rank} runs"))
    }

    /// Lets rank 0 continue, unless the launcher has ended it by now, and waits for the end.
    fn end(self) -> Output {
        sent("-CONT", self.first);
        end_of(self.child)
    }
}

fn finish(journal: &str, ranks: usize) {
    let words = ["count", board().0, "--closed", "--threads", "1", "--journal", journal];
    let Output { status, stdout, stderr } = run(ranks, &words);
    assert!(status.success(), "{}", text(&stderr));
    assert!(text(&stdout).contains(&format!(": {} undirected", board().1)), "{}", text(&stdout));
}

#[test]
fn a_killed_worker_ends_the_job_and_the_journal_goes_on() {
    if is_missing() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal").display().to_string();
    let held = Held::begin(&journal);
    kill("-KILL", held.rank(1));
    let output = held.end();
    let err = text(&output.stderr);
    assert!(!output.status.success(), "{err}");
    assert!(err.contains("goes on from there") && err.contains(&journal), "{err}");
    let kept = fs::read_to_string(Path::new(&journal).join("slices")).unwrap();
    assert!(kept.lines().count() >= 2);
    finish(&journal, 2);
    let whole = fs::read_to_string(Path::new(&journal).join("slices")).unwrap();
    assert!(whole.starts_with(kept.trim_end_matches(|c| c != '\n')), "what was finished is kept");
}

#[test]
fn a_stopped_rank_does_not_hold_the_time_limit() {
    if is_missing() {
        return;
    }
    // The rank counts once it has taken more than its start does: Open MPI itself fails when ranks are lost before that.
    let counts = |rank: &u32| {
        let stat = fs::read_to_string(format!("/proc/{rank}/stat")).unwrap_or_default();
        let hundredths =
            stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(11)?.parse().ok());
        hundredths.is_some_and(|hundredths: u64| hundredths > 30)
    };
    for number in [1, 0] {
        let output = stopped(number, counts);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "rank {number}: {err}");
        assert!(err.contains("not all ranks have answered"), "rank {number}: {err}");
    }
}

/// A run with a time limit, one of whose ranks is stopped while it counts.
fn stopped(number: usize, counts: impl Fn(&u32) -> bool) -> Output {
    // A slow machine takes a later limit: half of it has to be left when the rank is stopped.
    let stopped = [5, 15, 60].map(Duration::from_secs).into_iter().find_map(|limit| {
        let time = format!("{}s", limit.as_secs());
        let words = ["count", "8x8", "--closed", "-m", "naive", "--threads", "1", "--time-limit"];
        let mut child = mpirun(3, PROGRAM, &[&words[..], &[&time]].concat()).spawn().unwrap();
        let begun = Instant::now();
        let mut rank = None;
        wait_until("the rank counts", || {
            rank = rank_process(child.id(), number).filter(&counts);
            rank.is_some() || child.try_wait().unwrap().is_some()
        });
        let rank = rank.filter(|_| begun.elapsed() < limit / 2);
        if let Some(rank) = rank {
            kill("-STOP", rank);
        }
        let output = end_of(child);
        rank.map(|_| output)
    });
    stopped.expect("the rank counts within its time")
}

#[test]
fn signals_stop_all_ranks_and_keep_the_journal() {
    if is_missing() {
        return;
    }
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal").display().to_string();
        let held = Held::begin(&journal);
        let ranks = [0, 1, 2].map(|rank| held.rank(rank));
        kill(signal, held.child.id());
        let output = held.end();
        assert!(!output.status.success(), "{}", text(&output.stderr));
        // The launcher may be gone a moment before its ranks are.
        let gone = |rank: &u32| !Path::new(&format!("/proc/{rank}/environ")).exists();
        wait_until("all ranks are gone", || ranks.iter().all(gone));
        finish(&journal, 3);
    }
    // A single rank that is asked to stop stops all: this one by Slurm, say.
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal").display().to_string();
    let held = Held::begin(&journal);
    kill("-TERM", held.rank(2));
    let output = held.end();
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    finish(&journal, 1);
}
