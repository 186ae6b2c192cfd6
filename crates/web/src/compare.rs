//! Several methods on one question, timed: the command `destrier compare`, run as a child.
//!
//! Times mean little beside other work in one process, so a comparison is a process of its own, which starts one for
//! each run. All of them are one process group: cancelling interrupts the group, which keeps what is measured, and
//! kills it if it does not end.
//!
//! Invariant: the child gets words made from the question as it was understood, never a file name from a request.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use destrier::Watch;
use destrier_ask::{Conclusion, Fields, Question, Refusal, RefusalKind, Report, wrap_name};
use destrier_rules::{Leaper, Metric, Puzzle, Shape, SwapProblem, TourProblem};
use serde_json::{Value, json};

use crate::job::Work;

/// How long an interrupted comparison may take to tell what it has.
const WINDING_UP: Duration = Duration::from_millis(700);
/// The most measured runs of each method.
const MOST_RUNS: u64 = 20;

/// The work of comparing.
pub(crate) fn work(fields: Fields, command: Option<&Arc<PathBuf>>) -> Result<Work, Refusal> {
    let Some(command) = command.cloned() else {
        let why = "this server has no command that compares; start it with `destrier serve`";
        return Err(Refusal::new(RefusalKind::Unsupported, why));
    };
    let words = words(fields)?;
    Ok(Box::new(move |watch, _| run(&command, &words, watch)))
}

/// The words after `destrier`.
fn words(mut fields: Fields) -> Result<Vec<String>, Refusal> {
    let of: String = fields.need("of")?;
    let mut words = vec!["compare".to_owned(), of.clone(), "--json".to_owned()];
    let mut add = |option: &str, value: String| words.push(format!("--{option}={value}"));
    let methods: Vec<String> = fields.take("methods")?.unwrap_or_default();
    let plain = |name: &&String| name.bytes().all(|b| b.is_ascii_lowercase() || b"-:".contains(&b));
    if let Some(strange) = methods.iter().find(|name| !plain(name)) {
        return Err(Refusal::unfit("methods", format!("there is no method `{strange}`")));
    }
    if !methods.is_empty() {
        add("methods", methods.join(","));
    }
    let threads: Vec<usize> = fields.take("thread_counts")?.unwrap_or_default();
    if !threads.is_empty() {
        let all: Vec<String> = threads.iter().map(usize::to_string).collect();
        add("threads", all.join(","));
    }
    let repeat: u64 = fields.take("repeat")?.unwrap_or(3);
    add("repeat", repeat.clamp(1, MOST_RUNS).to_string());
    let bounds = fields.bounds()?;
    let limit = bounds.time.unwrap_or(Duration::from_secs(5));
    add("time-limit", format!("{}ms", limit.as_millis()));
    add("seed", bounds.seed.to_string());
    match fields.of_kind(&of)? {
        Question::Tour(ask) => words.extend(tour_words(&ask.problem)),
        Question::Count(ask) if !ask.by_start && !ask.classes => {
            let shape = if ask.shapes == [Shape::Closed] { Shape::Closed } else { Shape::Open };
            words.extend(tour_words(&TourProblem { shape, ..ask.problem }));
        }
        Question::Capture(ask) => words.push(Puzzle::fen(&ask.puzzle.problem)),
        Question::Swap(ask) => words.extend(swap_words(&ask.problem)),
        _ => {
            let why = "this is not compared; tours, counts, captures and swaps are";
            return Err(Refusal::unfit("of", why));
        }
    }
    Ok(words)
}

fn tour_words(problem: &TourProblem) -> Vec<String> {
    let mut words = vec![problem.board.size()];
    let mut add = |option: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("--{option}={value}")));
    };
    let holes: Vec<String> = problem.board.holes().iter().map(ToString::to_string).collect();
    add("holes", (!holes.is_empty()).then(|| holes.join(",")));
    add("wrap", wrap_name(problem.board.wrap()).map(str::to_owned));
    let (a, b) = problem.leaper.legs();
    add("leaper", (problem.leaper != Leaper::KNIGHT).then(|| format!("{a},{b}")));
    add("from", problem.start.map(|square| square.to_string()));
    add("to", problem.end.map(|square| square.to_string()));
    let symmetry = problem.symmetry.map(|symmetry| json!(symmetry));
    add("symmetry", symmetry.and_then(|name| name.as_str().map(str::to_owned)));
    if problem.shape == Shape::Closed {
        words.push("--closed".to_owned());
    }
    words
}

fn swap_words(problem: &SwapProblem) -> Vec<String> {
    let mut words = vec![format!("{}:{}", problem.start_fen(), problem.goal_fen())];
    words.extend(wrap_name(problem.board.wrap()).map(|wrap| format!("--wrap={wrap}")));
    words.extend(problem.rules.alternate.map(|side| format!("--alternate={side}")));
    if problem.rules.metric == Metric::Runs {
        words.push("--metric=runs".to_owned());
    }
    if problem.rules.peaceful {
        words.push("--peaceful".to_owned());
    }
    words
}

fn run(command: &Path, words: &[String], watch: &Watch) -> Result<Report, Refusal> {
    let failed = |error: io::Error| {
        let why = format!("the comparison could not be run: {error}");
        Refusal::new(RefusalKind::Broken, why)
    };
    // An empty folder: no word can be the name of a file in it.
    let folder = tempfile::tempdir().map_err(failed)?;
    let place = |name: &str| folder.path().join(name);
    let (told, said) = (place("told"), place("said"));
    let work = place("work");
    fs::create_dir(&work).map_err(failed)?;
    let mut begin = Command::new(command);
    begin
        .args(words)
        .args(["-o", "../plot.svg"])
        .current_dir(&work)
        .stdin(Stdio::null())
        .stdout(fs::File::create(&told).map_err(failed)?)
        .stderr(fs::File::create(&said).map_err(failed)?);
    let (status, halted) = wait(begin, watch).map_err(failed)?;
    let text = fs::read_to_string(&told).unwrap_or_default();
    let Ok(table) = serde_json::from_str::<Value>(&text) else {
        let said = fs::read_to_string(&said).unwrap_or_default();
        let line = said.lines().next().unwrap_or("the comparison said nothing");
        return if halted {
            Ok(Report::undecided("stopped before anything was measured", Value::Null))
        } else if status == Some(2) {
            Err(Refusal::unfit("methods", line.strip_prefix("destrier: ").unwrap_or(line)))
        } else {
            Err(Refusal::new(RefusalKind::Broken, line))
        };
    };
    let rows = table["rows"].as_array().map_or(0, Vec::len);
    let mut says = format!("{rows} rows of {}", table["title"].as_str().unwrap_or("a comparison"));
    if table["agreed"] == false {
        says += "; the answers do not agree";
    }
    let whole = table["complete"] != false && !halted;
    let mut answer = json!({ "kind": "compare", "table": table });
    if let Ok(plot) = fs::read_to_string(place("plot.svg")) {
        answer["svg"] = plot.into();
    }
    let outcome = if whole { Conclusion::Solved } else { Conclusion::Undecided };
    Ok(Report { outcome, says, certificate: Value::Null, answer, effort: Value::Null })
}

/// Runs a command to its end, or interrupts it; its exit code, and whether it was interrupted.
fn wait(mut begin: Command, watch: &Watch) -> io::Result<(Option<i32>, bool)> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut begin, 0);
    let mut child = begin.spawn()?;
    let mut interrupted: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), interrupted.is_some()));
        }
        match interrupted {
            None if watch.halted().is_some() => {
                interrupted = Some(Instant::now());
                signal(&mut child, false);
            }
            Some(since) if since.elapsed() > WINDING_UP => {
                signal(&mut child, true);
                child.wait()?;
                return Ok((None, true));
            }
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Interrupts a child and all that it began, or kills them.
#[cfg(unix)]
fn signal(child: &mut Child, kill: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = if kill { Signal::KILL } else { Signal::INT };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // A group that is gone already needs no signal.
        let _ = kill_process_group(group, signal);
    }
}

/// Kills a child: there is no gentler way here.
#[cfg(not(unix))]
fn signal(child: &mut Child, _kill: bool) {
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(question: Value) -> Result<Vec<String>, Refusal> {
        words(Fields::of(question, destrier_ask::Limits::default()).unwrap())
    }

    #[test]
    fn a_question_becomes_the_words_of_the_command() {
        let tour = json!({ "kind": "compare", "of": "tour", "board": "6x6", "holes": ["a1", "f6"], "closed": true,
            "methods": ["auto", "roth:backtrack"], "thread_counts": [1, 2], "repeat": 99, "time_limit": "2s" });
        assert_eq!(
            words_of(tour).unwrap(),
            [
                "compare",
                "tour",
                "--json",
                "--methods=auto,roth:backtrack",
                "--threads=1,2",
                "--repeat=20",
                "--time-limit=2000ms",
                "--seed=0",
                "6x6",
                "--holes=a1,f6",
                "--closed"
            ]
        );
        let swap =
            json!({ "kind": "compare", "of": "swap", "preset": "guarini", "metric": "runs" });
        let swap = words_of(swap).unwrap();
        assert_eq!(swap[swap.len() - 2..], ["n1n/3/N1N:N1N/3/n1n", "--metric=runs"]);
    }

    #[test]
    fn no_file_and_no_option_is_smuggled_in() {
        let capture =
            |puzzle: &str| json!({ "kind": "compare", "of": "capture", "puzzle": puzzle });
        assert!(words_of(capture("/etc/passwd")).is_err());
        assert!(words_of(capture("--set=jes")).is_err());
        let methods =
            json!({ "kind": "compare", "of": "tour", "board": "5x5", "methods": ["auto -o x"] });
        assert!(words_of(methods).is_err());
        let board = json!({ "kind": "compare", "of": "tour", "board": "5x5", "output": "x" });
        assert!(words_of(board).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_halt_ends_the_command_and_all_that_it_began() {
        let watch = Watch::unlimited();
        watch.halt();
        let mut stubborn = Command::new("sh");
        stubborn.args(["-c", "trap '' INT; (trap '' INT; sleep 600) & sleep 600"]);
        let (status, halted) = wait(stubborn, &watch).unwrap();
        assert_eq!((status, halted), (None, true));
        let mut quick = Command::new("sh");
        quick.args(["-c", "exit 3"]);
        assert_eq!(wait(quick, &Watch::unlimited()).unwrap(), (Some(3), false));
    }
}
