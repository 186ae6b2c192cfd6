//! The command `destrier swap`: answers, forms, exit codes, and certificates that verify.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn swap(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_destrier"));
    command.arg("swap").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn verified(certificate: &[u8]) -> Output {
    let mut checker = Command::new(env!("CARGO_BIN_EXE_destrier"))
        .arg("verify")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    checker.stdin.take().unwrap().write_all(certificate).unwrap();
    checker.wait_with_output().unwrap()
}

#[test]
fn presets_have_their_known_optima() {
    for (preset, moves) in [("six-knights", 16), ("guarini", 16), ("eleventh-hour", 40)] {
        let output = swap(&["--preset", preset]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stdout).split_whitespace().count(), moves, "{preset}");
        assert!(text(&output.stderr).contains("the fewest"), "{preset}");
    }
}

#[test]
fn rows_are_files_by_ranks() {
    // 3x4 is three files and four ranks: six knights; 4x3 has eight.
    let six = swap(&["3x4", "--format", "fen"]);
    assert!(text(&six.stdout).starts_with("nnn/3/3/NNN\n"));
    let eight = swap(&["4x3", "--format", "fen"]);
    assert!(text(&eight.stdout).starts_with("nnnn/4/NNNN\n"));
    assert_eq!(text(&eight.stdout).lines().count(), 11);
}

#[test]
fn certificates_verify_under_all_rules() {
    let puzzles: [&[&str]; 6] = [
        &["3x4"],
        &["3x4", "--metric", "runs"],
        &["3x4", "--alternate", "black"],
        &["3x4", "--peaceful"],
        &["3x4", "--labelled"],
        &["--from", "nnn/3/3/NNN", "--to", "NNN/???/3/???"],
    ];
    for puzzle in puzzles {
        let output = swap(&[puzzle, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{puzzle:?}");
        let checked = verified(&output.stdout);
        assert_eq!(checked.status.code(), Some(0), "{puzzle:?}: {}", text(&checked.stderr));
        assert!(text(&checked.stdout).contains("no swap costs less"), "{puzzle:?}");
        let spoiled =
            text(&output.stdout).replacen("c1-a2", "c1-a3", 1).replacen("a1-b3", "a1-b2", 1);
        if spoiled != text(&output.stdout) {
            assert_ne!(verified(spoiled.as_bytes()).status.code(), Some(0), "{puzzle:?}");
        }
    }
}

#[test]
fn impossible_swaps_say_why_and_the_checker_looks_again() {
    for (from, to, reason) in [
        ("n3N/5", "N3n/5", "path"),
        ("A1B/3/C1D", "C1D/3/A1B", "ring"),
        ("ABCD/EFGH/IJKL/MNO1", "BACD/EFGH/IJKL/MNO1", "parity"),
        ("nnn/nnn/NNN/NNN", "NNN/NNN/nnn/nnn", "full"),
        ("nnnn/1##1/1##1/NNNN", "NNNN/1##1/1##1/nnnn", "parts"),
        ("##1#/n###/#N#n", "##1#/N###/#n#n", "regions"),
        ("1##/nnN/n#N/nNN", "1##/NnN/n#N/nNn", "wheel"),
    ] {
        let output = swap(&["--from", from, "--to", to, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{from}");
        let checked = verified(&output.stdout);
        assert!(text(&checked.stdout).contains(reason), "{from}: {}", text(&checked.stdout));
        assert!(text(&checked.stdout).contains("(checked)"), "{from}");
        let other = text(&output.stdout).replacen(from, "n4/5", 1).replacen(to, "4n/5", 1);
        assert_ne!(
            verified(other.as_bytes()).status.code(),
            Some(0),
            "a false reason was believed"
        );
    }
}

#[test]
fn bad_questions_get_one_line() {
    let questions: [&[&str]; 12] = [
        &["--from", "n1/2", "--to", "3/2"],
        &["--from", "n2/2N/3", "--to", "N2/2n/3", "--peaceful"],
        &["12x12"],
        &["3x4", "--rows", "3"],
        &["3x4", "--method", "magic"],
        &["--from", "n1/2"],
        &[],
        &["3x1"],
        &["3x4", "--format", "tsplib"],
        &["3x4", "--eccentricity", "--format", "gif"],
        &["3x4", "--all", "--format", "svg"],
        &["--from", "N2/2N/3", "--to", "2N/3/N2", "--labelled", "--peaceful"],
    ];
    for question in questions {
        let output = swap(question);
        assert_eq!(output.status.code(), Some(2), "{question:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{question:?}");
        assert!(!text(&output.stderr).contains("panicked"), "{question:?}");
    }
    let attacked = swap(questions[1]);
    assert!(
        text(&attacked.stderr).contains("c2 and a3 attack each other"),
        "{}",
        text(&attacked.stderr)
    );
}

#[test]
fn a_stopped_search_keeps_its_best_plan() {
    let output = swap(&["5x5", "--rows", "2", "--node-limit", "20000", "--threads", "1"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("at least"), "{}", text(&output.stderr));
}

#[test]
fn plans_are_counted_and_listed() {
    let count = swap(&["3x4", "--all"]);
    assert_eq!(text(&count.stdout), "98496\n");
    let list = swap(&["4x3", "--all", "--limit", "4"]);
    assert_eq!(text(&list.stdout).lines().count(), 4);
    let hardest = swap(&["3x4", "--eccentricity"]);
    assert!(text(&hardest.stdout).ends_with(" 22\n"));
    let without_goal = swap(&["--from", "nnn/3/3/NNN", "--eccentricity"]);
    assert_eq!(without_goal.stdout, hardest.stdout);
}

#[test]
fn the_textbook_method_claims_no_optimum() {
    let output = swap(&["3x4", "--method", "best-first"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("not proved shortest"));
}
