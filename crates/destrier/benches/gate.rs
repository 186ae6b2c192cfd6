//! What the gate costs: for each question of `bench/peers/questions.csv`, the run in the library, the check within it,
//! and, given the program, the command from its start to its last line.
//!
//! `cargo bench -p destrier --bench gate -- target/release/destrier` prints a table in CSV; `bench/gate` keeps some.
//! Each figure is the least of several runs on one thread, in microseconds. A count has nothing to check but a reason
//! for none.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use destrier::internal::Run;
use destrier::{Board, Options, Outcome, Puzzle, Solve, SwapProblem, TourProblem, Tours as _};

/// Runs of each question; the shortest counts.
const RUNS: usize = 5;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let questions = std::fs::read_to_string(root.join("bench/peers/questions.csv"));
    // Cargo passes `--bench`; what is no option is the program, and its path is as seen from the repository's root.
    let program = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let program = program.map(|path| root.join(path));
    println!("question,run_us,gate_us,percent,command_us,percent_of_command");
    for line in questions.expect("the questions are kept").lines().skip(2) {
        let cells: Vec<&str> = line.split(',').collect();
        let (words, data) = (cells[2], cells[3]);
        let board = |size: &str| size.parse::<Board>().expect("a board");
        let (run, gate) = match cells[0] {
            "tour" => both(&TourProblem::closed(board(data))),
            "capture" => {
                let text = std::fs::read_to_string(root.join(data)).expect("a puzzle");
                both(&text.parse::<Puzzle>().expect("a puzzle").problem)
            }
            "swap" => {
                let (start, goal) = data.split_once(' ').expect("a start and a goal");
                both(&SwapProblem::from_fens(start, goal).expect("a puzzle"))
            }
            _ => (counted(&TourProblem::closed(board(data))), Duration::ZERO),
        };
        let (run, gate) = (run.as_secs_f64() * 1e6, gate.as_secs_f64() * 1e6);
        print!("{words},{run:.1},{gate:.1},{:.2}", 100.0 * gate / run);
        match &program {
            None => println!(",,"),
            Some(program) => {
                let command = commanded(program, &root, words).as_secs_f64() * 1e6;
                println!(",{command:.0},{:.2}", 100.0 * gate / command);
            }
        }
    }
}

/// The command with these words, its output thrown away.
fn commanded(program: &PathBuf, root: &Path, words: &str) -> Duration {
    let mut command = Command::new(program);
    command.args(words.split_whitespace()).args(["--threads", "1"]);
    command.current_dir(root).stdout(Stdio::null()).stderr(Stdio::null());
    let timed = |_| {
        let begun = Instant::now();
        let status = command.status().expect("the program can be started");
        assert!(status.success(), "`destrier {words}` has an answer");
        begun.elapsed()
    };
    (0..RUNS).map(timed).min().expect("at least one run")
}

fn options() -> Options {
    Options::new().threads(1)
}

/// The whole run, and the check of its answer alone.
fn both<P: Solve>(problem: &P) -> (Duration, Duration) {
    let (mut whole, mut gate) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        let begun = Instant::now();
        let answer = problem.solve_with(&options()).expect("a question that is supported");
        whole = whole.min(begun.elapsed());
        let effort = answer.effort.clone();
        let Outcome::Solved(solved) = answer.outcome else { panic!("it has a solution") };
        let claim = solved.claim().clone();
        let (problem, solution) = solved.into_parts();
        let run = Run { outcome: Outcome::Solved(solution), claim, effort };
        let begun = Instant::now();
        let again = run.answer(&problem);
        gate = gate.min(begun.elapsed());
        assert!(again.is_ok(), "the checker agrees with itself");
    }
    (whole, gate)
}

fn counted(problem: &TourProblem) -> Duration {
    let begun = Instant::now();
    let count = problem.count_with(&options()).expect("a question that is supported");
    assert!(count.total().is_ok());
    begun.elapsed()
}
