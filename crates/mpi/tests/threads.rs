//! Every protocol, on threads that stand in for ranks: no MPI is needed.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser as _;
use destrier::{
    BbDfs, CaptureMethod, CountMethod, Finding, Halt, Options, Outcome, Parallel, Schedule,
    Solve as _, SolveError, SwapMethod, TourCount, Tours as _,
};
use destrier_mpi::args::Cli;
use destrier_mpi::report::Tally;
use destrier_mpi::threads::{ranks_on_threads, ranks_with, ranks_without_news};
use destrier_mpi::{Coordinator, Rank, Setup, serve};
use destrier_rules::{Board, Puzzle, Shape, Support, SwapProblem, TourProblem};
use destrier_terminal::enumerate::{Line, Style};

/// What each rank may use in these tests.
fn setup(threads: usize) -> Setup {
    Setup { threads: Some(threads), ..Setup::default() }
}

/// Asks a coordinator of so many ranks something.
fn ask<R: Send>(
    ranks: usize,
    setup: Setup,
    run: impl Fn(&mut Coordinator) -> R + Sync,
) -> (R, Vec<Tally>) {
    let answers = ranks_on_threads(ranks, |messages| answer(messages, setup, &run));
    answers.into_iter().flatten().next().unwrap()
}

fn answer<R>(
    messages: destrier_mpi::messages::Messages,
    setup: Setup,
    run: &impl Fn(&mut Coordinator) -> R,
) -> Option<(R, Vec<Tally>)> {
    let rank = Rank::new(messages);
    if rank.rank() > 0 {
        serve(rank, 1, &|_| {});
        return None;
    }
    let mut coordinator = Coordinator::new(rank, setup);
    let answer = run(&mut coordinator);
    Some((answer, coordinator.quit()))
}

fn closed(files: u32, ranks: u32) -> TourProblem {
    TourProblem::closed(Board::new(files, ranks).unwrap())
}

fn open(files: u32, ranks: u32) -> TourProblem {
    TourProblem::open(Board::new(files, ranks).unwrap())
}

type Counted = Result<Finding<TourCount>, SolveError>;

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
            for (method, threads) in
                [(CountMethod::Middle, 1), (CountMethod::Middle, 2), (CountMethod::Frontier, 1)]
            {
                let setup = setup(threads);
                let (count, tallies) = ask(ranks, setup, |coordinator| {
                    coordinator.count(question, method, &setup.options())
                });
                assert_eq!(undirected(count), *tours, "{method} on {ranks} ranks");
                assert_eq!(tallies.len(), ranks);
            }
        }
    }
}

/// From too little memory for anything to enough: refused, then the same count, in slices or as a whole.
#[test]
fn little_memory_is_refused_or_gives_the_same_count() {
    let question = closed(6, 8);
    let alone = undirected(question.count_by(CountMethod::Middle, &Options::new()));
    let mut refused = 0;
    for mebibytes in 16.. {
        let setup = Setup { memory: Some(mebibytes << 20), ..setup(1) };
        let (run, tallies) = ask(3, setup, |coordinator| {
            coordinator.count(&question, CountMethod::Middle, &setup.options())
        });
        if let Err(error) = &run {
            assert!(error.to_string().contains("memory"), "{error}");
            refused += 1;
            continue;
        }
        let slices = run.as_ref().unwrap().effort.details[0];
        assert_eq!(undirected(run), alone);
        assert!(tallies.iter().map(|tally| tally.tasks).sum::<u64>() >= slices.1);
        break;
    }
    assert!(refused > 0);
}

#[test]
fn a_journal_is_gone_on_with_on_another_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let journal: PathBuf = folder.path().join("journal");
    let question = closed(6, 8);
    let alone = undirected(question.count_by(CountMethod::Middle, &Options::new()));
    let lines = |journal: &Path| std::fs::read_to_string(journal.join("slices")).unwrap();
    let setup = setup(1);
    let count = |ranks: usize, options: Options| {
        let options = options.journal(&journal);
        ask(ranks, setup, move |coordinator| {
            coordinator.count(&closed(6, 8), CountMethod::Auto, &options)
        })
        .0
    };
    // A whole count, on two ranks.
    assert_eq!(undirected(count(2, setup.options())), alone);
    let whole = lines(&journal);
    // Cut the journal anywhere, even within a line: the rest is worked out again by others.
    for (ranks, part) in [(3, whole.len() / 3), (1, whole.len() / 2), (4, whole.len() - 7)] {
        std::fs::write(journal.join("slices"), &whole.as_bytes()[..part]).unwrap();
        assert_eq!(undirected(count(ranks, setup.options())), alone, "{ranks} ranks");
        assert_eq!(lines(&journal).lines().count(), whole.lines().count());
    }
    // The command itself goes on with it, too.
    std::fs::write(journal.join("slices"), &whole.as_bytes()[..whole.len() / 2]).unwrap();
    let run = question.count_with(&Options::new().journal(&journal));
    assert_eq!(undirected(run), alone);
    // A halt keeps what is finished.
    std::fs::remove_dir_all(&journal).unwrap();
    let cancel = destrier::Cancel::new();
    cancel.now();
    let run = count(3, setup.options().cancel(&cancel)).unwrap();
    assert!(matches!(run.outcome, Outcome::Unfinished { why: Halt::Asked, .. }));
    assert_eq!(undirected(count(2, setup.options())), alone);
}

#[test]
fn a_halt_at_any_time_stops_all_ranks() {
    for (method, question) in
        [(CountMethod::Middle, closed(8, 8)), (CountMethod::Frontier, closed(7, 8))]
    {
        for time in [0, 1, 20, 150] {
            let setup = setup(1);
            let options = setup.options().time_limit(Duration::from_millis(time));
            let (run, _) =
                ask(3, setup, |coordinator| coordinator.count(&question, method, &options));
            let outcome = run.unwrap().outcome;
            let Outcome::Unfinished { why, best } = outcome else { panic!("{outcome:?}") };
            assert_eq!((why, best), (Halt::Deadline, None));
        }
    }
}

#[test]
fn too_little_memory_is_said_and_not_a_hang() {
    let setup = Setup { memory: Some(1 << 16), ..setup(1) };
    for (method, question) in
        [(CountMethod::Middle, closed(6, 8)), (CountMethod::Frontier, closed(7, 8))]
    {
        let (run, _) =
            ask(3, setup, |coordinator| coordinator.count(&question, method, &setup.options()));
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
            let (run, _) = ask(ranks, setup, |coordinator| {
                coordinator.capture(&puzzle.problem, CaptureMethod::Auto, &setup.options())
            });
            let run = run.unwrap();
            let Some(optimum) = optimum else {
                assert!(matches!(run.outcome, Outcome::Impossible(_)), "{name}");
                continue;
            };
            let Outcome::Solved(plan) = run.outcome else { panic!("{name} on {ranks} ranks") };
            assert_eq!(plan.cost(), optimum, "{name} on {ranks} ranks");
            assert_eq!(plan.support(), Some(Support::Checked), "{name} on {ranks} ranks");
        }
    }
}

#[test]
fn ranks_share_a_count_by_brute_force_however_it_is_cut() {
    let questions = [open(3, 4), open(4, 5), closed(5, 6), open(4, 4), open(1, 1)];
    for question in &questions {
        for method in [CountMethod::Naive, CountMethod::Backtrack] {
            if question.shape == Shape::Closed && method == CountMethod::Naive {
                continue;
            }
            let alone = question.count_by(method, &Options::new().threads(1)).unwrap();
            let nodes = alone.effort.nodes;
            let expected = undirected(Ok(alone));
            for ranks in 1..=3 {
                for schedule in [Schedule::Parts, Schedule::Static, Schedule::Task] {
                    for master_slave in [false, true] {
                        let setup = Setup { master_slave, ..setup(2) };
                        let options = setup.options().schedule(schedule);
                        let (run, tallies) =
                            ask(ranks, setup, |c| c.count(question, method, &options));
                        let found = run.as_ref().unwrap();
                        let place = format!("{question:?} {method} {schedule:?} on {ranks}");
                        assert_eq!(found.effort.nodes, nodes, "{place}");
                        assert_eq!(undirected(run), expected, "{place}");
                        let is_master = master_slave && ranks > 1;
                        assert!(!is_master || tallies[0].tasks == 0, "{place}");
                    }
                }
            }
        }
    }
    // A limit leaves the count unfinished, on any number of ranks.
    for ranks in 1..=3 {
        let (run, _) = ask(ranks, setup(1), |coordinator| {
            coordinator.count(&open(5, 5), CountMethod::Naive, &setup(1).options().node_limit(5000))
        });
        assert!(matches!(run.unwrap().outcome, Outcome::Unfinished { .. }), "{ranks} ranks");
    }
}

#[test]
fn ranks_search_the_textbooks_tree_together() {
    let puzzles =
        ["4p/5/2p2/5/N3p", "2p2/5/1p3/4p/N1p2", "p4p/6/2p3/5p/1p4/N3p1", "N", "N#1/##p/3"];
    for fen in puzzles {
        let puzzle: Puzzle = fen.parse().unwrap();
        let auto = puzzle.problem.solve().unwrap();
        for ranks in 1..=4 {
            // A hint that is too low is noticed by all ranks.
            for (upper_bound, master_slave, parallel) in [
                (None, false, Parallel::None),
                (Some(1), false, Parallel::Data),
                (Some(1), false, Parallel::Task),
                (None, true, Parallel::Task),
                (None, true, Parallel::Data),
            ] {
                let search = BbDfs { upper_bound, parallel, ..BbDfs::SEQUENTIAL };
                let method = CaptureMethod::BbDfs(search);
                let setup = Setup { master_slave, ..setup(2) };
                let (run, tallies) = ask(ranks, setup, |coordinator| {
                    coordinator.capture(&puzzle.problem, method, &setup.options())
                });
                let run = run.unwrap();
                match (&auto.outcome, &run.outcome) {
                    (Outcome::Solved(best), Outcome::Solved(plan)) => {
                        assert_eq!(plan.cost(), best.cost(), "{fen}");
                        assert!(plan.support().is_some(), "{fen}: {:?}", plan.claim());
                    }
                    (Outcome::Impossible(_), Outcome::Impossible(_)) => {}
                    other => panic!("{fen} on {ranks} ranks: {other:?}"),
                }
                assert_eq!(tallies.len(), ranks);
                // A master deals and works nothing out, if there is a slave to do it.
                assert!(!master_slave || ranks == 1 || tallies[0].tasks == 0, "{fen}");
            }
        }
    }
}

/// Lists by the command line, on so many ranks.
fn listed(ranks: usize, words: &[&str]) -> (Vec<u8>, Option<Halt>) {
    let words: Vec<&str> = ["destrier-mpi", "enumerate"].iter().chain(words).copied().collect();
    let setup = setup(2);
    ask(ranks, setup, |coordinator| {
        let cli = Cli::parse_from(&words);
        let (args, destination) = cli.list_args().unwrap();
        let question = args.question().unwrap();
        let listing = args.listing();
        let line = Line::new(question, Style::List, listing.method);
        let mut text = Vec::new();
        let options = setup.options();
        let listed =
            coordinator.list(listing, &destination, &line, &options, &mut text).unwrap().unwrap();
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
    for method in [CountMethod::Middle, CountMethod::Frontier] {
        let answers = ranks_with(3, 64, |messages| {
            answer(messages, setup, &|coordinator| {
                coordinator.count(&question, method, &setup.options())
            })
        });
        let (run, _) = answers.into_iter().flatten().next().unwrap();
        assert_eq!(undirected(run), "9862");
    }
}

#[test]
#[should_panic(expected = "no rank panics")]
fn a_rank_of_another_version_is_refused() {
    ranks_on_threads(2, |mut messages| {
        if messages.rank() == 0 {
            messages.send_all(destrier_mpi::messages::Kind::Job, &("0.0.0-other", "{}"));
        } else {
            assert_eq!(Rank::new(messages).next_job(), None, "it must not get as far as this");
        }
    });
}

#[test]
fn swaps_take_the_same_number_of_moves_on_any_number_of_ranks() {
    for (from, to, fewest) in [
        ("nnn/3/3/NNN", "NNN/3/3/nnn", 16),
        ("ABCD/4/EFGH", "HGFE/4/DCBA", 40),
        ("ABCD/4/EFGH", "BACD/4/EFGH", 16),
    ] {
        let problem = SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
        for ranks in 1..=4 {
            for method in [SwapMethod::Meet, SwapMethod::Auto, SwapMethod::AStar] {
                let (answer, _) = ask(ranks, setup(1), |coordinator| {
                    coordinator.swap(&problem, method, &Options::new().threads(1)).unwrap()
                });
                let Outcome::Solved(plan) = answer.outcome else { panic!("{from} is solved") };
                assert_eq!(plan.cost(), fewest, "{from} by {method} on {ranks} ranks");
                assert_eq!(plan.support(), Some(Support::Search));
            }
        }
    }
}

#[test]
fn a_swap_that_is_halted_says_so_on_any_number_of_ranks() {
    let problem = SwapProblem::between(
        &"nnnnn/nnnnn/5/NNNNN/NNNNN".parse().unwrap(),
        &"NNNNN/NNNNN/5/nnnnn/nnnnn".parse().unwrap(),
    )
    .unwrap();
    for ranks in [1, 3] {
        let (answer, _) = ask(ranks, setup(1), |coordinator| {
            let options = Options::new().threads(1).node_limit(5_000);
            coordinator.swap(&problem, SwapMethod::Meet, &options).unwrap()
        });
        let Outcome::Unfinished { why, .. } = answer.outcome else { panic!("it takes longer") };
        assert_eq!(why, Halt::Nodes);
    }
}

#[test]
fn a_swap_in_files_is_halted_and_resumed_on_any_number_of_ranks() {
    let problem = SwapProblem::from_fens("ABCD/4/EFGH", "BACD/4/EFGH").unwrap();
    let setup = Setup { memory: Some(1), ..setup(1) };
    let by = |ranks: usize, nodes: u64, folder: &Path| {
        let options = Options::new().threads(1).memory(1).scratch(folder).node_limit(nodes);
        ask(ranks, setup, |coordinator| coordinator.swap(&problem, SwapMethod::Meet, &options)).0
    };
    let whole = problem.solve_by(SwapMethod::Meet, &Options::new()).unwrap().effort.nodes;
    for ranks in 1..=4 {
        let folder = tempfile::tempdir().unwrap();
        let mut halts = 0;
        let plan = loop {
            // Ranks count their own nodes.
            let nodes = (halts + 1) * whole / 5 / ranks as u64;
            match by(ranks, nodes, folder.path()).unwrap().outcome {
                Outcome::Solved(plan) => break plan,
                Outcome::Unfinished { why, .. } => assert_eq!(why, Halt::Nodes),
                Outcome::Impossible(why) => panic!("{why:?}"),
            }
            halts += 1;
            let other = by(ranks % 4 + 1, u64::MAX, folder.path());
            assert!(other.unwrap_err().to_string().contains("resume it on as many"));
        };
        let alone = problem.solve_by(SwapMethod::Meet, &Options::new()).unwrap().outcome;
        let Outcome::Solved(alone) = alone else { panic!("it has a plan") };
        assert_eq!(plan.cost(), alone.cost(), "{ranks} ranks after {halts} halts");
        assert!(halts > 1, "it was halted {halts} times");
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 0, "{ranks} ranks leave nothing behind an answer");
    }
}

/// Asks rank 0 of two, which only deals; the other is halted before it begins, and the news of that never comes.
fn ask_beside_a_halted_rank<R: Send>(
    setup: Setup,
    run: impl Fn(&mut Coordinator) -> R + Sync,
) -> R {
    let setup = Setup { master_slave: true, ..setup };
    let answers = ranks_without_news(2, |messages| {
        let rank = Rank::new(messages);
        if rank.rank() > 0 {
            serve(rank, 1, &|cancel| cancel.now());
            return None;
        }
        let mut coordinator = Coordinator::new(rank, setup);
        let answer = run(&mut coordinator);
        let _ = coordinator.quit();
        Some(answer)
    });
    answers.into_iter().flatten().next().unwrap()
}

#[test]
fn an_answer_that_overtakes_the_news_of_a_halt_proves_nothing() {
    let name = "h03_k8_q32";
    let (_, puzzle, _) = puzzles().into_iter().find(|row| row.0 == name).unwrap();
    let method = CaptureMethod::BbDfs(BbDfs { parallel: Parallel::Data, ..BbDfs::SEQUENTIAL });
    let searched = ask_beside_a_halted_rank(setup(1), |coordinator| {
        coordinator.capture(&puzzle.problem, method, &setup(1).options()).unwrap()
    });
    assert!(matches!(searched.outcome, Outcome::Unfinished { .. }), "{:?}", searched.outcome);
    for (question, method) in [
        (open(5, 5), CountMethod::Naive),
        (open(5, 5), CountMethod::Backtrack),
        (closed(7, 8), CountMethod::Middle),
    ] {
        let setup = Setup { memory: Some(54 << 20), ..setup(1) };
        let counted = ask_beside_a_halted_rank(setup, |coordinator| {
            coordinator.count(&question, method, &setup.options()).unwrap()
        });
        assert!(
            matches!(counted.outcome, Outcome::Unfinished { .. }),
            "{method}: {:?}",
            counted.outcome
        );
    }
}
