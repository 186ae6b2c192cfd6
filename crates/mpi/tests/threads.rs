//! Every protocol, on threads that stand in for ranks: no MPI is needed.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser as _;
use destrier::count::{self, TourCount};
use destrier::{Halt, Outcome, Run, SolveError, Watch};
use destrier_mpi::args::Cli;
use destrier_mpi::report::Tally;
use destrier_mpi::threads::{team, team_with};
use destrier_mpi::{Crew, Fleet, Setup, serve};
use destrier_rules::{Board, Claim, Problem as _, Puzzle, Support, TourProblem};
use destrier_terminal::enumerate::{Line, Style};

/// What each rank may use in these tests.
fn setup(threads: usize) -> Setup {
    Setup { threads: Some(threads), ..Setup::default() }
}

/// Asks a fleet of so many ranks something.
fn ask<R: Send>(
    ranks: usize,
    setup: Setup,
    run: impl Fn(&mut Fleet) -> R + Sync,
) -> (R, Vec<Tally>) {
    let answers = team(ranks, |post| answer(post, setup, &run));
    answers.into_iter().flatten().next().unwrap()
}

fn answer<R>(
    post: destrier_mpi::post::Post,
    setup: Setup,
    run: &impl Fn(&mut Fleet) -> R,
) -> Option<(R, Vec<Tally>)> {
    let crew = Crew::new(post);
    if crew.rank() > 0 {
        serve(crew, 1, &|_| {});
        return None;
    }
    let mut fleet = Fleet::new(crew, setup);
    let answer = run(&mut fleet);
    Some((answer, fleet.quit()))
}

fn closed(files: u32, ranks: u32) -> TourProblem {
    TourProblem::closed(Board::new(files, ranks).unwrap())
}

fn open(files: u32, ranks: u32) -> TourProblem {
    TourProblem::open(Board::new(files, ranks).unwrap())
}

fn watch(setup: Setup) -> Watch {
    setup.watch()
}

type Counted = Result<Run<TourCount>, SolveError>;

fn undirected(run: Counted) -> String {
    match run.unwrap().outcome {
        Outcome::Solved(count) => count.undirected().to_string(),
        other => panic!("{other:?}"),
    }
}

/// The dearest rows of the release tests run only when that is asked for.
fn limit() -> u32 {
    std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse().ok()).unwrap_or(1)
}

#[test]
fn one_to_four_ranks_count_what_one_process_counts() {
    let mut rows = vec![
        (closed(6, 6), "9862"),
        (open(6, 6), "3318960"),
        (open(5, 6), "18784"),
        (closed(6, 7), "1067638"),
    ];
    if limit() > 1 {
        rows.push((closed(7, 8), "34524432316"));
    }
    for (question, tours) in &rows {
        for ranks in 1..=4 {
            for (method, threads) in [("middle", 1), ("middle", 2), ("frontier", 1)] {
                let setup = setup(threads);
                let (count, tallies) =
                    ask(ranks, setup, |fleet| fleet.count(question, method, None, &watch(setup)));
                assert_eq!(undirected(count), *tours, "{method} on {ranks} ranks");
                assert_eq!(tallies.len(), ranks);
            }
        }
    }
}

#[test]
fn little_memory_gives_slices_and_the_same_count() {
    let question = closed(7, 8);
    let alone = "34524432316";
    let setup = Setup { memory: Some(30 << 20), ..setup(1) };
    let (run, tallies) =
        ask(3, setup, |fleet| fleet.count(&question, "middle", None, &watch(setup)));
    let slices = run.as_ref().unwrap().effort.details[0];
    assert_eq!(undirected(run), alone);
    assert!(slices.1 > 1, "{slices:?}");
    assert!(tallies.iter().map(|tally| tally.tasks).sum::<u64>() >= slices.1);
}

#[test]
fn a_journal_is_gone_on_with_on_another_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let journal: PathBuf = folder.path().join("journal");
    let question = closed(6, 8);
    let alone = undirected(count::count(&question, "middle", &Watch::unlimited()));
    let lines = |journal: &Path| std::fs::read_to_string(journal.join("slices")).unwrap();
    let setup = setup(1);
    let count = |ranks: usize, watch: &Watch| {
        let journal = journal.clone();
        ask(ranks, setup, move |fleet| {
            fleet.count(&closed(6, 8), "middle", Some(journal.clone()), watch)
        })
        .0
    };
    // A whole count, on two ranks.
    assert_eq!(undirected(count(2, &watch(setup))), alone);
    let whole = lines(&journal);
    // Cut the journal anywhere, even within a line: the rest is worked out again by others.
    for (ranks, part) in [(3, whole.len() / 3), (1, whole.len() / 2), (4, whole.len() - 7)] {
        std::fs::write(journal.join("slices"), &whole.as_bytes()[..part]).unwrap();
        assert_eq!(undirected(count(ranks, &watch(setup))), alone, "{ranks} ranks");
        assert_eq!(lines(&journal).lines().count(), whole.lines().count());
    }
    // The command itself goes on with it, too.
    std::fs::write(journal.join("slices"), &whole.as_bytes()[..whole.len() / 2]).unwrap();
    let settings = count::middle::Settings {
        journal: Some(journal.clone()),
        ..count::middle::Settings::default()
    };
    let run = count::middle::count(&question, &settings, &Watch::unlimited());
    assert_eq!(undirected(run), alone);
    // A halt keeps what is finished.
    std::fs::remove_dir_all(&journal).unwrap();
    let halted = watch(setup);
    halted.halt();
    let run = count(3, &halted).unwrap();
    assert!(matches!(run.outcome, Outcome::Unfinished { why: Halt::Asked, .. }));
    assert_eq!(undirected(count(2, &watch(setup))), alone);
}

#[test]
fn a_halt_at_any_time_stops_all_ranks() {
    for (method, question) in [("middle", closed(8, 8)), ("frontier", closed(7, 8))] {
        for time in [0, 1, 20, 150] {
            let setup = setup(1);
            let limit = std::time::Instant::now() + Duration::from_millis(time);
            let watch = watch(setup).with_deadline(Some(limit));
            let (run, _) = ask(3, setup, |fleet| fleet.count(&question, method, None, &watch));
            let outcome = run.unwrap().outcome;
            let Outcome::Unfinished { why, best } = outcome else { panic!("{outcome:?}") };
            assert_eq!((why, best), (Halt::Deadline, None));
        }
    }
}

#[test]
fn too_little_memory_is_said_and_not_a_hang() {
    let setup = Setup { memory: Some(1 << 16), ..setup(1) };
    for (method, question) in [("middle", closed(6, 8)), ("frontier", closed(7, 8))] {
        let (run, _) = ask(3, setup, |fleet| fleet.count(&question, method, None, &watch(setup)));
        assert!(matches!(run, Err(SolveError::Unsuited { .. })), "{method}: {run:?}");
    }
}

/// The known puzzles with their optima.
fn puzzles() -> Vec<(String, Puzzle, Option<u64>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../known/capture");
    let optima = std::fs::read_to_string(folder.join("optima.csv")).unwrap();
    let rows = optima.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        let text = std::fs::read_to_string(folder.join(format!("{}.txt", cells[0]))).unwrap();
        (cells[0].to_owned(), text.parse().unwrap(), cells[4].parse().ok())
    });
    rows.collect()
}

#[test]
fn one_to_four_ranks_prove_every_known_capture() {
    for (name, puzzle, optimum) in puzzles() {
        for ranks in 1..=4 {
            let setup = setup(1 + ranks % 2);
            let (run, _) = ask(ranks, setup, |fleet| fleet.capture(&puzzle, "auto", &watch(setup)));
            let run = run.unwrap();
            let Some(optimum) = optimum else {
                assert!(matches!(run.outcome, Outcome::Impossible(_)), "{name}");
                continue;
            };
            let Outcome::Solved(plan) = run.outcome else { panic!("{name} on {ranks} ranks") };
            assert_eq!(plan.solution().moves(), optimum, "{name} on {ranks} ranks");
            let Claim::Fewest { lower_bound, proof } = run.claim else { panic!("no claim") };
            let proved = puzzle.problem.prove(lower_bound, &proof);
            assert_eq!(proved, Ok(Support::Checked), "{name} on {ranks} ranks");
        }
    }
}

#[test]
fn ranks_search_the_textbooks_tree_together() {
    let puzzles =
        ["4p/5/2p2/5/N3p", "2p2/5/1p3/4p/N1p2", "p4p/6/2p3/5p/1p4/N3p1", "N", "N#1/##p/3"];
    for fen in puzzles {
        let puzzle: Puzzle = fen.parse().unwrap();
        let auto = destrier::capture::find(&puzzle.problem, "auto", &Watch::unlimited()).unwrap();
        for ranks in 1..=4 {
            // A hint that is too low is noticed by all ranks.
            for upper_bound in [None, Some(1)] {
                let puzzle = Puzzle { upper_bound, ..puzzle.clone() };
                let setup = setup(2);
                let (run, tallies) =
                    ask(ranks, setup, |fleet| fleet.capture(&puzzle, "bb-dfs", &watch(setup)));
                let run = run.unwrap();
                match (&auto.outcome, &run.outcome) {
                    (Outcome::Solved(best), Outcome::Solved(plan)) => {
                        assert_eq!(plan.solution().moves(), best.solution().moves(), "{fen}");
                        let fewest = matches!(run.claim, Claim::Fewest { .. });
                        assert!(fewest, "{fen}: {:?}", run.claim);
                    }
                    (Outcome::Impossible(_), Outcome::Impossible(_)) => {}
                    other => panic!("{fen} on {ranks} ranks: {other:?}"),
                }
                assert_eq!(tallies.len(), ranks);
            }
        }
    }
}

/// Lists by the command line, on so many ranks.
fn listed(ranks: usize, words: &[&str]) -> (Vec<u8>, Option<Halt>) {
    let words: Vec<&str> = ["destrier-mpi", "enumerate"].iter().chain(words).copied().collect();
    let setup = setup(2);
    ask(ranks, setup, |fleet| {
        let cli = Cli::parse_from(&words);
        let (args, ways) = cli.list_args().unwrap();
        let question = args.question().unwrap();
        let line = Line::new(question, Style::List, args.method());
        let mut text = Vec::new();
        let listed = fleet.list(args, &ways, &line, &watch(setup), &mut text).unwrap().unwrap();
        (text, listed.why)
    })
    .0
}

#[test]
fn lists_are_those_of_one_process_byte_for_byte() {
    let questions: [&[&str]; 4] = [
        &["5x5"],
        &["6x6", "--closed"],
        &["5x6", "--closed", "--distinct"],
        &["3x4", "--from", "a1"],
    ];
    for question in questions {
        for method in ["census", "backtrack"] {
            if method == "backtrack" && question[0] == "6x6" {
                continue; // minutes
            }
            for more in [&[][..], &["--limit", "3"], &["--limit", "0"], &["--limit", "2049"]] {
                let words: Vec<&str> = [question, &["--method", method], more].concat();
                let one = listed(1, &words);
                assert_eq!(one.1, None, "{words:?}");
                for ranks in 2..=4 {
                    assert_eq!(listed(ranks, &words), one, "{words:?} on {ranks} ranks");
                }
                if more.is_empty() {
                    let words: Vec<&str> = [&words[..], &["--unordered"]].concat();
                    let mixed = listed(3, &words).0;
                    let sorted = |text: &[u8]| {
                        let mut lines: Vec<Vec<u8>> =
                            text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
                        lines.sort_unstable();
                        lines
                    };
                    assert_eq!(sorted(&mixed), sorted(&one.0));
                }
            }
        }
    }
}

#[test]
fn packets_of_a_few_bytes_change_nothing() {
    let question = closed(6, 6);
    let setup = setup(1);
    for method in ["middle", "frontier"] {
        let answers = team_with(3, 64, |post| {
            answer(post, setup, &|fleet| fleet.count(&question, method, None, &watch(setup)))
        });
        let (run, _) = answers.into_iter().flatten().next().unwrap();
        assert_eq!(undirected(run), "9862");
    }
}
