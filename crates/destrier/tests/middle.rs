//! Meeting in the middle: the sum does not depend on how it is found.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod folder;

use std::fs;
use std::sync::{Arc, Mutex};

use destrier::internal::Watch;
use destrier::internal::middle::{MiddleCount, Partial, Settings, Slice, Stop, count};
use destrier::{
    Board, CountMethod, Finding, Halt, Options, Outcome, SolveError, Square, TourCount,
    TourProblem, Tours,
};
use folder::Folder;
use num_bigint::BigUint;

fn board(files: u32, ranks: u32) -> Board {
    Board::new(files, ranks).unwrap()
}

fn sum_of(question: &TourProblem, settings: &Settings, watch: &Watch) -> String {
    let run = count(question, settings, watch).unwrap();
    let Outcome::Solved(count) = run.outcome else { panic!("unfinished: {run:?}") };
    count.undirected().to_string()
}

/// A run with so much memory, on so many threads.
fn within(memory: u64, threads: usize) -> Watch {
    Watch::new(&Options::new().memory(memory).threads(threads))
}

fn on(threads: usize) -> Watch {
    Watch::new(&Options::new().threads(threads))
}

fn by_middle(question: &TourProblem, options: &Options) -> Finding<TourCount> {
    question.count_by(CountMethod::Middle, options).unwrap()
}

fn by_backtracking(question: &TourProblem) -> String {
    let found = question.count_by(CountMethod::Backtrack, &Options::new()).unwrap();
    found.total().unwrap().undirected().to_string()
}

#[test]
fn slices_threads_and_the_mirror_leave_the_sum_alone() {
    let questions = [
        (TourProblem::closed(board(6, 6)), "9862"),
        (TourProblem::closed(board(5, 8)), "44202"),
        (TourProblem::closed(board(7, 6)), "1067638"),
        (TourProblem::open(board(5, 5)), "864"),
        (TourProblem::open(board(4, 7)), "6378"),
        (TourProblem::open(board(5, 6)), "18784"),
    ];
    for (question, want) in &questions {
        for depth in 0..2 {
            for mirror in [false, true] {
                for threads in 1..=3 {
                    let settings = Settings { depth: Some(depth), mirror, ..Settings::default() };
                    let sum = sum_of(question, &settings, &on(threads));
                    assert_eq!(&sum, want, "depth {depth}, mirror {mirror}, {threads} threads");
                }
            }
        }
    }
}

#[test]
fn every_slice_by_itself_adds_up_to_the_count() {
    let question = TourProblem::closed(board(6, 7));
    let ready = MiddleCount::new(&question).unwrap();
    let begun = ready.begin(None, &Watch::unlimited()).unwrap();
    for depth in 0..=ready.deepest() {
        let slices = ready.slices(depth);
        let run = |slices: &[Slice]| ready.run(&begun, slices, &Watch::unlimited()).unwrap();
        let alone: Vec<Partial> = slices.iter().flat_map(|&slice| run(&[slice])).collect();
        let sum: BigUint = alone.iter().map(|partial| &partial.sum).sum();
        assert_eq!(sum, 1_067_638_u32.into(), "{} slices of depth {depth}", slices.len());
        assert_eq!(alone, run(&slices), "all in one pass");
    }
}

/// From too little memory for anything to enough for the whole: refused, then in slices, then in one piece.
#[test]
fn what_the_memory_does_not_hold_is_sliced_and_leaves_the_sum_alone() {
    let questions = [
        (TourProblem::closed(board(6, 7)), "1067638"),
        (TourProblem::open(board(6, 6)), "3318960"),
    ];
    for (question, want) in &questions {
        let mut passes = Vec::new();
        for kibibytes in (12_500..).step_by(150) {
            let watch = within(kibibytes << 10, 1);
            let run = match count(question, &Settings::default(), &watch) {
                Ok(run) => run,
                Err(error) => {
                    assert!(passes.is_empty() && error.to_string().contains("memory"), "{error}");
                    continue;
                }
            };
            passes.push(run.effort.details.iter().find(|d| d.0 == "passes").unwrap().1);
            let Outcome::Solved(count) = run.outcome else { panic!("unfinished") };
            assert_eq!(count.undirected().to_string(), *want, "{kibibytes} KiB");
            if passes.last() == Some(&1) {
                break;
            }
        }
        assert!(passes[0] > 1, "{question:?}: {passes:?}");
    }
}

/// On long strips the counts of a half outgrow 32 bits, and 64 bits are used.
#[test]
fn long_strips_have_the_tours_that_the_transfer_method_counts() {
    for question in [
        TourProblem::closed(board(5, 22)),
        TourProblem::open(board(5, 16)),
        TourProblem::open(board(4, 28)),
        TourProblem::closed(board(3, 42)),
    ] {
        let transfer = question.count_by(CountMethod::Transfer, &Options::new()).unwrap();
        let want = transfer.total().unwrap().undirected().to_string();
        let sum = sum_of(&question, &Settings::default(), &Watch::unlimited());
        assert_eq!(sum, want, "{question:?}");
    }
}

fn count_error(question: &TourProblem, settings: &Settings, watch: &Watch) -> String {
    match count(question, settings, watch) {
        Err(error @ SolveError::Unsuited { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn given_ends_agree_with_backtracking() {
    for (files, ranks) in [(3, 4), (4, 5), (5, 4), (5, 5)] {
        let whole = TourProblem::open(board(files, ranks));
        let squares: Vec<Square> = whole.board.squares().collect();
        for &start in squares.iter().step_by(3) {
            let question = whole.clone().starting_at(start);
            assert_eq!(
                sum_of(&question, &Settings::default(), &Watch::unlimited()),
                by_backtracking(&question),
                "{files}x{ranks} from {start}"
            );
            for &end in squares.iter().filter(|&&end| end != start).step_by(4) {
                let question = whole.clone().starting_at(start).ending_at(end);
                assert_eq!(
                    sum_of(&question, &Settings::default(), &Watch::unlimited()),
                    by_backtracking(&question),
                    "{files}x{ranks} from {start} to {end}"
                );
            }
        }
    }
}

#[test]
fn the_starts_of_6x6_add_up() {
    let whole = TourProblem::open(board(6, 6));
    let settings = Settings::default();
    let starts: u64 = whole
        .board
        .squares()
        .map(|start| sum_of(&whole.clone().starting_at(start), &settings, &Watch::unlimited()))
        .map(|sum| sum.parse::<u64>().unwrap())
        .sum();
    assert_eq!(starts, 2 * 3_318_960);
}

#[test]
fn a_stop_at_any_node_never_gives_a_wrong_answer() {
    let question = TourProblem::closed(board(5, 6));
    for nodes in (1..400).chain((400..6000).step_by(97)) {
        let threads = 1 + usize::try_from(nodes % 2).unwrap();
        match by_middle(&question, &Options::new().node_limit(nodes).threads(threads)).outcome {
            Outcome::Solved(count) => assert_eq!(count.undirected().to_string(), "8"),
            Outcome::Unfinished { why, best } => assert_eq!((why, best), (Halt::Nodes, None)),
            Outcome::Impossible(why) => panic!("{why:?}"),
        }
    }
}

#[test]
fn a_count_stopped_again_and_again_comes_to_the_same_sum() {
    for (question, want) in [
        (TourProblem::closed(board(6, 6)), "9862"),
        (TourProblem::open(board(5, 6)), "18784"),
        (TourProblem::open(board(5, 5)).starting_at(Square::new(0, 0)), "304"),
    ] {
        let whole = Folder::new("whole");
        let all = by_middle(&question, &Options::new().journal(&whole.0)).effort.nodes;
        let nodes = all / 3 * 2;
        let folder = Folder::new("stopped");
        let mut runs = 0;
        let count = loop {
            runs += 1;
            // Each run gets some slices done, on another number of threads.
            let options = Options::new().journal(&folder.0);
            let options = options.node_limit(nodes).threads(1 + runs % 3);
            if let Outcome::Solved(count) = by_middle(&question, &options).outcome {
                break count;
            }
            assert!(runs < 100, "no progress");
        };
        assert!(runs > 1, "{question:?}: {runs} runs");
        assert_eq!(count.undirected().to_string(), want);
    }
}

/// A kill leaves the journal as it was after some line: resume from each of them.
#[test]
fn a_count_resumes_from_every_point_of_its_journal() {
    let question = TourProblem::open(board(5, 6));
    let folder = Folder::new("points");
    let settings = Settings { journal: Some(folder.0.clone()), ..Settings::default() };
    assert_eq!(sum_of(&question, &settings, &Watch::unlimited()), "18784");
    let file = folder.0.join("slices");
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    assert!(lines.len() > 3, "{whole}");
    for kept in 0..=lines.len() {
        fs::write(&file, lines[..kept].concat()).unwrap();
        assert_eq!(sum_of(&question, &settings, &on(1 + kept % 3)), "18784", "{kept} lines kept");
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
}

#[test]
fn a_journal_cut_off_at_any_byte_is_resumed() {
    let question = TourProblem::closed(board(5, 6));
    let folder = Folder::new("torn");
    let settings = Settings { journal: Some(folder.0.clone()), ..Settings::default() };
    assert_eq!(sum_of(&question, &settings, &Watch::unlimited()), "8");
    let file = folder.0.join("slices");
    let whole = fs::read(&file).unwrap();
    for length in (0..whole.len()).step_by(5) {
        fs::write(&file, &whole[..length]).unwrap();
        assert_eq!(sum_of(&question, &settings, &Watch::unlimited()), "8", "{length} bytes left");
        assert_eq!(fs::read(&file).unwrap(), whole);
    }
}

#[test]
fn a_broken_line_is_named_and_no_finished_slice_is_thrown_away() {
    let question = TourProblem::closed(board(5, 6));
    let folder = Folder::new("spoiled");
    let settings = Settings { journal: Some(folder.0.clone()), ..Settings::default() };
    assert_eq!(sum_of(&question, &settings, &Watch::unlimited()), "8");
    let file = folder.0.join("slices");
    let whole = fs::read_to_string(&file).unwrap();
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at).collect();
    assert!(ends.len() > 2, "{whole}");
    for (line, &end) in (1..).zip(&ends).skip(1) {
        let mut spoiled = whole.clone().into_bytes();
        spoiled[end - 1] ^= 1;
        fs::write(&file, &spoiled).unwrap();
        let refused = count_error(&question, &settings, &Watch::unlimited());
        assert!(refused.contains(&format!("line {line} of the journal")), "{refused}");
        assert_eq!(fs::read(&file).unwrap(), spoiled, "it is left as it is");
    }
}

/// A line of a journal with its checksum, by a hash of our own.
fn sealed(text: &str) -> String {
    let sum = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{text} #{sum:016x}\n")
}

#[test]
fn journals_of_one_question_are_joined_and_may_not_disagree() {
    let question = TourProblem::open(board(5, 6));
    let folder = Folder::new("joined");
    let settings = Settings { journal: Some(folder.0.clone()), ..Settings::default() };
    assert_eq!(sum_of(&question, &settings, &Watch::unlimited()), "18784");
    let file = folder.0.join("slices");
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // Two machines had some slices each, one of them both.
    let (head, middle) = (lines[0], lines.len() / 2);
    let one = lines[..=middle].concat();
    let other = [&[head][..], &lines[middle..]].concat().concat();
    for joined in [format!("{one}{other}"), format!("{other}{one}")] {
        fs::write(&file, &joined).unwrap();
        let halted = Watch::halting_at(1); // nothing is left to count
        assert_eq!(sum_of(&question, &settings, &halted), "18784");
        assert_eq!(fs::read_to_string(&file).unwrap(), joined);
    }
    // Another sum for a slice that has one; a question of its own in the second part.
    let words: Vec<&str> = lines[1].split(' ').collect();
    let ["sum", slice, sum, kept, pairs, _] = words[..] else { panic!("{}", lines[1]) };
    let false_line = sealed(&format!("sum {slice} {sum}1 {kept} {pairs}"));
    let stranger = sealed("destrier middle 1 · closed 6x6 · depth 1");
    for (more, says) in [(false_line, "has another sum for slice"), (stranger, "another question")]
    {
        let joined = format!("{whole}{more}");
        fs::write(&file, &joined).unwrap();
        let refused = count_error(&question, &settings, &Watch::unlimited());
        assert!(refused.contains(says), "{refused}");
        assert_eq!(fs::read_to_string(&file).unwrap(), joined, "it is left as it is");
    }
}

#[test]
fn no_slice_is_lost_when_a_journal_says_that_all_were_cut() {
    let question = TourProblem::closed(board(5, 6));
    let folder = Folder::new("all-cut");
    let settings = Settings { journal: Some(folder.0.clone()), ..Settings::default() };
    let file = folder.0.join("slices");
    // Again and again, down to slices that cannot be cut.
    let mut counted = Vec::new();
    for _ in 0..12 {
        assert_eq!(sum_of(&question, &settings, &Watch::unlimited()), "8");
        let whole = fs::read_to_string(&file).unwrap();
        let cut = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
            ["sum", slice, ..] => sealed(&format!("cut {slice}")),
            _ => format!("{line}\n"),
        };
        counted.push(whole.lines().filter(|line| line.starts_with("sum")).count());
        fs::write(&file, whole.lines().map(cut).collect::<String>()).unwrap();
    }
    assert!(counted[0] > 0 && counted[11] == counted[10], "the deepest: {counted:?}");
}

#[test]
fn a_journal_of_another_question_is_refused_and_left_alone() {
    let folder = Folder::new("other");
    let settings = Settings { journal: Some(folder.0.clone()), ..Settings::default() };
    let first = TourProblem::closed(board(5, 6));
    sum_of(&first, &settings, &Watch::unlimited());
    let before = fs::read(folder.0.join("slices")).unwrap();
    for other in [TourProblem::open(board(5, 6)), TourProblem::closed(board(6, 6))] {
        let refused = count_error(&other, &settings, &Watch::unlimited());
        assert!(refused.contains("another question"), "{refused}");
    }
    assert_eq!(fs::read(folder.0.join("slices")).unwrap(), before);
    // The same question the other way round is the same question.
    assert_eq!(sum_of(&TourProblem::closed(board(6, 5)), &settings, &Watch::unlimited()), "8");
    let older = sealed("destrier middle 0 · closed 5x6 · depth 1");
    for (text, says) in [("my shopping list\n", "not a journal"), (&older, "an older version")] {
        fs::write(folder.0.join("slices"), text).unwrap();
        let refused = count_error(&first, &settings, &Watch::unlimited());
        assert!(refused.contains(says), "{refused}");
        assert_eq!(fs::read_to_string(folder.0.join("slices")).unwrap(), text);
    }
}

#[test]
fn questions_of_another_kind_are_refused() {
    let holed = board(6, 6).without([Square::new(2, 2)]).unwrap();
    for question in [
        TourProblem::closed(holed),
        TourProblem::closed(board(3, 3)),
        TourProblem::closed(board(2, 9)),
        TourProblem::closed(board(11, 12)),
        TourProblem::closed(board(6, 400)),
    ] {
        let refused = question.count_by(CountMethod::Middle, &Options::new());
        assert!(matches!(refused, Err(SolveError::Unsuited { .. })), "{question:?}: {refused:?}");
    }
}

#[test]
fn progress_is_reported_as_a_fraction_that_grows() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&told);
    let options = Options::new().threads(1).on_progress(move |progress| {
        ear.lock().unwrap().extend(progress.fraction);
    });
    let settings = Settings { depth: Some(1), ..Settings::default() };
    sum_of(&TourProblem::closed(board(6, 7)), &settings, &Watch::new(&options));
    let told = told.lock().unwrap();
    assert!(told.len() > 10 && told.is_sorted(), "{told:?}");
    assert!(told.iter().all(|fraction| (0.0..=1.0).contains(fraction)));
}

#[test]
fn a_slice_of_another_question_has_no_sum_to_give() {
    let ready = MiddleCount::new(&TourProblem::closed(board(6, 6))).unwrap();
    let begun = ready.begin(None, &Watch::unlimited()).unwrap();
    let strange: Slice = "1:0".parse().unwrap();
    let partials = ready.run(&begun, &[strange], &Watch::unlimited()).unwrap();
    assert_eq!((partials.len(), &partials[0].sum), (1, &BigUint::ZERO));
    let halted = Watch::halting_at(1);
    assert_eq!(ready.run(&begun, &[Slice::WHOLE], &halted), Err(Stop::Halt(Halt::Nodes)));
}

#[test]
fn an_estimate_is_near_the_count_that_it_predicts() {
    // The numbers of the last one do not fit in 32 bits.
    for question in [
        TourProblem::closed(board(6, 8)),
        TourProblem::open(board(5, 7)),
        TourProblem::open(board(5, 16)),
    ] {
        let estimate = question.estimate(&Options::new()).unwrap().found().unwrap();
        assert!(!estimate.is_extrapolated);
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let nodes = by_middle(&question, &Options::new()).effort.nodes as f64;
        let ratio = estimate.columns.value / nodes;
        assert!((0.5..2.0).contains(&ratio), "{ratio}: {estimate:?}");
    }
    let stopped = TourProblem::closed(board(8, 8)).estimate(&Options::new().node_limit(3)).unwrap();
    assert!(matches!(stopped.outcome, Outcome::Unfinished { why: Halt::Nodes, .. }));
}
