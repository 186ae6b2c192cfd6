//! Captures: every method against every other, known optima, laws, spoiled proofs, and stops.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod tally;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use destrier::internal::Run;
use destrier::{
    BbDfs, Board, CaptureMethod, CapturePlan, CaptureProblem, Certificate, Claim, Confirmed,
    EndingRefutation, Leaper, Length, Method, Options, Outcome, Parallel, Problem, Proof,
    ProofStep, Puzzle, Refutation, Solve, Square, Statement, Support, Symmetry, Tariff, Verified,
    Wrap, origin,
};
use tally::Tally;

/// Random numbers, the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(limit)).unwrap()
    }

    fn square(&mut self, board: &Board) -> Square {
        Square::new(self.below(board.files()), self.below(board.ranks()))
    }

    /// A board of sides 3 to `side`, some holes, a knight and at most `most` pieces.
    fn puzzle(&mut self, side: u32, most: u32, holes: bool) -> CaptureProblem {
        loop {
            let mut board = Board::new(3 + self.below(side - 2), 3 + self.below(side - 2)).unwrap();
            if holes {
                for _ in 0..self.below(6) {
                    let hole = self.square(&board);
                    board = board.without([hole]).unwrap();
                }
            }
            let start = self.square(&board);
            let wanted = self.below(most + 1);
            let targets: BTreeSet<Square> = (0..wanted)
                .map(|_| self.square(&board))
                .filter(|&square| square != start && board.contains(square))
                .collect();
            if board.contains(start) {
                return CaptureProblem { board, start, targets };
            }
        }
    }
}

/// How many times the usual number of boards: `DESTRIER_LIMIT` of 10 or more asks for more.
fn patience() -> u32 {
    let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse().ok());
    limit.map_or(1, |limit: u32| limit.clamp(1, 10))
}

fn options() -> Options {
    Options::new().threads(2)
}

/// The fewest moves by one method, which must claim that they are; `None` when impossible. The checker has looked at plan,
/// claim and reason.
fn fewest(method: CaptureMethod, problem: &CaptureProblem, options: &Options) -> Option<u64> {
    let text = Puzzle::fen(problem);
    let answer = problem.solve_by(method, options).unwrap_or_else(|e| panic!("{text}: {e}"));
    match answer.outcome {
        Outcome::Solved(plan) => {
            assert!(
                matches!(plan.claim(), Claim::Fewest { .. }),
                "{method} claims nothing: {text}"
            );
            if method == CaptureMethod::Auto {
                assert_eq!(plan.support(), Some(Support::Checked), "{text}");
            }
            Some(plan.cost())
        }
        Outcome::Impossible(why) => {
            assert_eq!(why.support(), Support::Checked, "{text}");
            None
        }
        Outcome::Unfinished { .. } => panic!("nothing stopped it"),
    }
}

fn by_auto(problem: &CaptureProblem) -> Option<u64> {
    fewest(CaptureMethod::Auto, problem, &options())
}

fn by_naive(problem: &CaptureProblem) -> Option<u64> {
    fewest(CaptureMethod::Naive, problem, &options())
}

/// The fewest moves by dynamic programming over the pieces taken and the one taken last.
fn by_sets(problem: &CaptureProblem) -> Option<u64> {
    let stops: Vec<Square> = problem.targets.iter().copied().chain([problem.start]).collect();
    let away = |from: Square| {
        let mut reached = BTreeMap::from([(from, 0)]);
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            let moves = reached[&at] + 1;
            for next in problem.board.jumps_from(Leaper::KNIGHT, at) {
                reached.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    moves
                });
            }
        }
        stops.iter().map(|to| reached.get(to).copied()).collect::<Option<Vec<u32>>>()
    };
    let away = stops.iter().map(|&from| away(from)).collect::<Option<Vec<_>>>()?;
    let pieces = stops.len() - 1;
    if pieces == 0 {
        return Some(0);
    }
    // By the set of pieces taken, and the last of them.
    let mut fewest = vec![u32::MAX; pieces << pieces];
    for last in 0..pieces {
        fewest[(pieces << last) + last] = away[pieces][last];
    }
    for taken in 1..1_usize << pieces {
        for last in (0..pieces).filter(|last| taken >> last & 1 == 1) {
            let so_far = fewest[pieces * taken + last];
            for next in (0..pieces).filter(|next| taken >> next & 1 == 0) {
                let there = &mut fewest[pieces * (taken | 1 << next) + next];
                *there = (*there).min(so_far + away[last][next]);
            }
        }
    }
    let all = &fewest[pieces * ((1 << pieces) - 1)..];
    all.iter().min().map(|&moves| moves.into())
}

#[test]
fn auto_finds_what_looking_at_every_position_finds() {
    let mut random = Random(1);
    let mut impossible = 0;
    for _ in 0..3000 * patience() {
        let problem = random.puzzle(7, 8, true);
        let truth = by_naive(&problem);
        assert_eq!(by_auto(&problem), truth, "{}", Puzzle::fen(&problem));
        impossible += u32::from(truth.is_none());
    }
    assert!(impossible >= 116, "only {impossible} are impossible");
}

#[test]
fn auto_finds_what_dynamic_programming_finds() {
    let mut random = Random(2);
    for round in 0..1500 * patience() {
        let problem = random.puzzle(16, 14, round % 2 == 0);
        assert_eq!(by_auto(&problem), by_sets(&problem), "{}", Puzzle::fen(&problem));
    }
}

#[test]
fn boards_without_two_colours_are_solved_too() {
    let mut random = Random(3);
    for wrap in [Wrap::Files, Wrap::Ranks, Wrap::Both] {
        for _ in 0..40 * patience() {
            let mut problem = random.puzzle(7, 7, false);
            problem.board = problem.board.wrapped(wrap);
            let text = Puzzle::fen(&problem);
            assert_eq!(by_auto(&problem), by_naive(&problem), "{text} {wrap:?}");
        }
    }
}

/// The textbook's search in every mode, from this upper bound.
fn textbook(upper_bound: Option<u64>) -> [CaptureMethod; 3] {
    [Parallel::None, Parallel::Task, Parallel::Data]
        .map(|parallel| CaptureMethod::BbDfs(BbDfs { parallel, upper_bound, ..BbDfs::SEQUENTIAL }))
}

#[test]
fn bb_dfs_agrees_in_every_mode() {
    let mut random = Random(4);
    for _ in 0..60 * patience() {
        let problem = random.puzzle(6, 5, true);
        let wanted = by_naive(&problem);
        // No hint, the exact one, and one that is too low.
        for hint in [None, wanted, wanted.map(|fewest| fewest.saturating_sub(1))] {
            for method in textbook(hint) {
                let text = Puzzle::fen(&problem);
                assert_eq!(fewest(method, &problem, &options()), wanted, "{text} {method:?}");
            }
        }
    }
}

#[test]
fn an_upper_bound_may_be_any_number() {
    let problem = "8/2p5/5p2/8/8/1p6/8/N7".parse::<Puzzle>().unwrap().problem;
    let wanted = by_naive(&problem);
    assert!(wanted.is_some());
    for hint in [0, 64, 4_000_000_000, u64::from(u32::MAX), u64::MAX] {
        for method in textbook(Some(hint)) {
            assert_eq!(fewest(method, &problem, &options()), wanted, "{hint} {method:?}");
        }
    }
    // A long way to the only piece: as many distances as there are pieces, not as there are moves.
    let board = Board::new(3, 21_845).unwrap();
    let targets = [Square::new(0, 21_844)].into();
    let long = CaptureProblem { board, start: Square::new(0, 0), targets };
    let options = Options::new().memory(48 << 20).node_limit(100_000);
    let answer = long.solve_by(CaptureMethod::BbDfs(BbDfs::SEQUENTIAL), &options).unwrap();
    assert!(!matches!(answer.outcome, Outcome::Impossible(_)));
    let few = Options::new().memory(1 << 20);
    assert!(long.solve_by(CaptureMethod::BbDfs(BbDfs::SEQUENTIAL), &few).is_err());
}

/// A board of this size with the knight in a corner and so many pieces along the bottom.
fn row_of_pieces(files: u32, ranks: u32, pieces: u32) -> CaptureProblem {
    let targets = (1..=pieces).map(|file| Square::new(file, 0)).collect();
    let board = Board::new(files, ranks).unwrap();
    CaptureProblem { board, start: Square::new(0, 0), targets }
}

#[test]
fn a_large_board_is_refused_for_all_that_a_search_of_it_takes() {
    // For each of 2 Mi squares: 64 bytes of graph, and 6 for each thread that searches from a stop. For each pair of stops: 2
    // bytes. 16 MiB are for the program.
    for (threads, pieces, needs) in
        [(1, 1, 156), (2, 1, 168), (8, 1, 168), (8, 3, 192), (1, 2047, 156 + 8)]
    {
        let problem = row_of_pieces(2048, 1024, pieces);
        let options = Options::new().threads(threads).memory((needs - 1) << 20);
        let error = problem.solve_with(&options).expect_err("it needs more");
        let wanted = format!("it needs at least {needs} MiB, but {} MiB are allowed", needs - 1);
        assert!(error.to_string().contains(&wanted), "{threads} {pieces}: {error}");
    }
    // With what is asked for, it is solved.
    let problem = row_of_pieces(256, 128, 3);
    for (memory, is_enough) in [(2 << 20, false), (4 << 20, true)] {
        let answer = problem.solve_with(&Options::new().threads(2).memory(memory));
        assert_eq!(answer.is_ok(), is_enough, "{memory}: {answer:?}");
    }
}

#[test]
fn a_proof_that_is_too_large_for_the_checker_stays_a_search() {
    // More stops on more squares than the checker goes through to find the distances again.
    let board = Board::new(2896, 2896).unwrap();
    let walk: Vec<Square> = (0..2200).map(|step| Square::new(step, 2 * (step % 2))).collect();
    let targets = walk[1..].iter().copied().collect();
    let problem = CaptureProblem { board, start: walk[0], targets };
    let lower_bound = 2199;
    let proof = Proof::Refutation(Refutation { endings: Vec::new() });
    let run = Run::new(Outcome::Solved(CapturePlan(walk)), 7)
        .by("auto")
        .claiming(Claim::Fewest { lower_bound, proof });
    let solved = run.answer(&problem).unwrap().solved().unwrap();
    let proof = Proof::Search { by: "auto".to_owned(), nodes: 7 };
    assert_eq!(solved.claim(), &Claim::Fewest { lower_bound, proof });
    assert_eq!(solved.support(), Some(Support::Search));
}

#[test]
fn bb_dfs_visits_the_nodes_that_the_textbook_visits() {
    // A recursion straight from the book, for the same order and the same bound.
    fn descend(
        problem: &CaptureProblem,
        at: Square,
        left: &BTreeSet<Square>,
        depth: u64,
        best: &mut u64,
    ) -> u64 {
        let far = |from: Square, left: &BTreeSet<Square>| {
            let ways =
                left.iter().filter_map(|&to| problem.board.distance(Leaper::KNIGHT, from, to));
            i64::try_from(ways.min().unwrap_or(0)).unwrap()
        };
        let mut nexts = problem.board.jumps_from(Leaper::KNIGHT, at);
        nexts.sort_by_key(|next| (next.rank, next.file));
        nexts.sort_by_key(|&next| {
            let mut after = left.clone();
            let val = i64::from(after.remove(&next));
            std::cmp::Reverse(8 * val - far(next, &after))
        });
        let mut nodes = 1;
        for next in nexts {
            let mut after = left.clone();
            after.remove(&next);
            if depth + 1 + after.len() as u64 >= *best {
                continue;
            }
            if after.is_empty() {
                *best = depth + 1;
                nodes += 1;
            } else {
                nodes += descend(problem, next, &after, depth + 1, best);
            }
        }
        nodes
    }
    let mut random = Random(5);
    let mut compared = 0;
    for _ in 0..25 {
        let problem = random.puzzle(5, 4, false);
        let Some(hint) = by_naive(&problem) else { continue };
        if problem.targets.is_empty() {
            continue;
        }
        let [alone, ..] = textbook(Some(hint + 1));
        let answer = problem.solve_by(alone, &options()).unwrap();
        let mut best = hint + 2;
        let nodes = descend(&problem, problem.start, &problem.targets, 0, &mut best);
        assert_eq!((answer.effort.nodes, best), (nodes, hint), "{}", Puzzle::fen(&problem));
        compared += 1;
    }
    assert_eq!(compared, 18, "the others have nothing to take, or cannot take it");
}

/// The files of `known/capture`, each with its puzzle and its optimum, or `None` when a piece is out of reach.
fn known() -> Vec<(String, Puzzle, Option<u64>)> {
    let table = std::fs::read_to_string(folder().join("optima.csv")).unwrap();
    let mut lines = table.lines();
    let at = lines.next().unwrap().split(',').position(|name| name == "optimum_proved").unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let text = std::fs::read_to_string(folder().join(format!("{}.txt", cells[0]))).unwrap();
        let optimum = if cells[at] == "unreachable" { None } else { cells[at].parse().ok() };
        assert!(optimum.is_some() || cells[at] == "unreachable", "{line}");
        (cells[0].to_owned(), text.parse().unwrap(), optimum)
    };
    let rows: Vec<_> = lines.map(row).collect();
    let file = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with(".txt");
    let files =
        std::fs::read_dir(folder()).unwrap().filter(|f| file(&f.as_ref().unwrap().file_name()));
    assert_eq!((rows.len(), files.count()), (28, 28), "each file has its row");
    rows
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../known/capture"))
}

#[test]
fn one_thread_and_two_prove_every_known_optimum() {
    for (name, puzzle, optimum) in known() {
        for threads in [1, 2] {
            let options = Options::new().threads(threads);
            let found = fewest(CaptureMethod::Auto, &puzzle.problem, &options);
            assert_eq!(found, optimum, "{name} on {threads} threads");
        }
    }
}

#[test]
fn every_method_solves_the_tiny_boards() {
    let mut plans = Tally::default();
    for (name, puzzle, optimum) in known() {
        if puzzle.problem.targets.len() > 6 {
            continue;
        }
        for &method in CaptureMethod::ALL {
            let answer = plans.answer(method, puzzle.problem.solve_by(method, &options()));
            assert!(answer.is_some(), "{method} does not support {name}");
        }
        for method in textbook(None).into_iter().chain(CaptureMethod::ALL.iter().copied()) {
            assert_eq!(fewest(method, &puzzle.problem, &options()), optimum, "{method:?}: {name}");
        }
    }
    plans.expect(&[("auto", 15), ("bb-dfs", 15), ("naive", 15)]);
}

#[test]
fn turning_the_board_leaves_the_optimum() {
    let mut random = Random(6);
    for _ in 0..12 {
        let problem = random.puzzle(14, 30, true);
        let wanted = by_auto(&problem);
        for symmetry in Symmetry::ALL {
            let (files, ranks) = (problem.board.files(), problem.board.ranks());
            let turn = |square: Square| symmetry.apply(square, files, ranks);
            let turned = CaptureProblem {
                board: problem.board.turned(symmetry),
                start: turn(problem.start),
                targets: problem.targets.iter().map(|&square| turn(square)).collect(),
            };
            assert_eq!(by_auto(&turned), wanted, "{} {symmetry:?}", Puzzle::fen(&problem));
        }
    }
}

fn instance(name: &str) -> CaptureProblem {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    text.parse::<Puzzle>().unwrap().problem
}

/// A solved instance with its proof.
fn proved(name: &str) -> (Verified<CaptureProblem>, u64, Refutation) {
    let plan = instance(name).solve_with(&options()).unwrap().solved().unwrap();
    let Claim::Fewest { lower_bound, proof: Proof::Refutation(proof) } = plan.claim().clone()
    else {
        panic!("{name} has a proof")
    };
    (plan, lower_bound, proof)
}

#[test]
fn spoiled_plans_are_refused() {
    let (plan, ..) = proved("h03_k8_q32.txt");
    let (problem, CapturePlan(squares)) = plan.into_parts();
    for at in 0..squares.len() {
        let mut shorter = squares.clone();
        shorter.remove(at);
        assert!(problem.verify(&CapturePlan(shorter)).is_err(), "without move {at}");
        let mut other = squares.clone();
        other[at] = Square::new(other[at].file ^ 1, other[at].rank);
        assert!(problem.verify(&CapturePlan(other)).is_err(), "another square at {at}");
    }
    assert!(problem.verify(&CapturePlan(Vec::new())).is_err());
}

#[test]
fn spoiled_proofs_are_refused() {
    for name in ["h03_k8_q32.txt", "p01_prism3_k40.txt", "p02_lines5_k40.txt", "s02_k40_q100.txt"] {
        let (plan, bound, proof) = proved(name);
        let problem = plan.problem();
        let check = |bound: u64, proof: Refutation| problem.prove(bound, &Proof::Refutation(proof));
        assert_eq!(check(bound, proof.clone()), Ok(Support::Checked));
        assert!(check(bound + 1, proof.clone()).is_err(), "{name}: a higher bound");
        assert!(check(u64::MAX, proof.clone()).is_err(), "{name}: a bound beyond all");
        for e in 0..proof.endings.len() {
            let spoiled = |spoil: &dyn Fn(&mut EndingRefutation)| {
                let mut proof = proof.clone();
                spoil(&mut proof.endings[e]);
                check(bound, proof)
            };
            assert!(spoiled(&|part| part.potentials.fill(0)).is_err(), "{name}: no potentials");
            assert!(spoiled(&|part| _ = part.potentials.pop()).is_err(), "{name}: one too few");
            assert!(spoiled(&|part| part.potentials[0] = i64::MAX).is_err(), "{name}: too large");
            assert!(spoiled(&|part| part.length = Length::Any).is_err(), "{name}: another length");
            if proof.endings[e].steps.is_empty() {
                continue;
            }
            let spoil_leaves = |spoil: &dyn Fn(&mut Tariff)| {
                spoiled(&|part| {
                    for step in &mut part.steps {
                        if let ProofStep::Leaf(tariff) = step {
                            spoil(tariff);
                        }
                    }
                })
            };
            assert!(spoiled(&|part| _ = part.steps.pop()).is_err(), "{name}: a case is missing");
            assert!(spoil_leaves(&|leaf| leaf.weights.clear()).is_err(), "{name}: no weights");
            assert!(spoil_leaves(&|leaf| leaf.weights.push((9999, 1))).is_err(), "{name}: no cut");
            assert!(spoil_leaves(&|leaf| leaf.weights.push((0, -1))).is_err(), "{name}: negative");
            assert!(spoil_leaves(&|leaf| _ = leaf.potentials.pop()).is_err(), "{name}: short");
            assert!(
                spoil_leaves(&|leaf| leaf.potentials.iter_mut().for_each(|p| *p += 1 << 20))
                    .is_err(),
                "{name}: potentials a move too high"
            );
            assert!(
                spoiled(&|part| part.cuts.iter_mut().for_each(Vec::clear)).is_err(),
                "{name}: empty cuts"
            );
            assert!(
                spoiled(&|part| part.cuts[0][0] = (0..).take(problem.targets.len() + 2).collect())
                    .is_err(),
                "{name}: a cut of everything"
            );
        }
        let mut half = proof.clone();
        half.endings.pop();
        assert!(check(bound, half).is_err(), "{name}: an ending is missing");
        let certificate = Certificate::new(Statement::from(plan), origin("auto"));
        let confirmed = Confirmed::Solution { cost: bound, fewest: Some(Support::Checked) };
        assert_eq!(certificate.confirmed(), confirmed, "{name}");
    }
}

#[test]
fn a_spoiled_comb_proves_less() {
    let (plan, bound, proof) = proved("p02_lines5_k40.txt");
    let e = (0..proof.endings.len())
        .find(|&e| proof.endings[e].cuts.iter().any(|cut| cut.len() > 1))
        .expect("parallel lines need combs");
    let comb = proof.endings[e].cuts.iter().position(|cut| cut.len() > 1).unwrap();
    let spoils: [fn(&mut Vec<Vec<u32>>); 3] = [
        |cut| _ = cut.pop(),           // an even number of teeth
        |cut| cut[1] = cut[2].clone(), // two teeth that meet
        |cut| cut[0] = cut[1].clone(), // a tooth inside the handle
    ];
    for spoil in spoils {
        let mut spoiled = proof.clone();
        spoil(&mut spoiled.endings[e].cuts[comb]);
        assert!(plan.problem().prove(bound, &Proof::Refutation(spoiled)).is_err());
    }
}

#[test]
fn a_stop_at_any_node_never_gives_a_wrong_answer() {
    let mut random = Random(7);
    let mut problems: Vec<CaptureProblem> = (0..4).map(|_| random.puzzle(6, 5, false)).collect();
    problems.push(instance("p01_prism3_k40.txt"));
    let mut plans = Tally::default();
    for problem in problems {
        let wanted = by_auto(&problem);
        let small = problem.targets.len() < 8;
        let limits = (0..200).chain((200..6000).step_by(if small { 371 } else { 157 }));
        for nodes in limits {
            let options = Options::new().node_limit(nodes).threads(1);
            for &method in CaptureMethod::ALL {
                if !small && method != CaptureMethod::Auto {
                    continue;
                }
                let answer = plans.answer(method, problem.solve_by(method, &options)).unwrap();
                match answer.outcome {
                    Outcome::Solved(plan) => {
                        assert_eq!(Some(plan.cost()), wanted, "{method} stopped at {nodes}");
                    }
                    Outcome::Impossible(_) => assert_eq!(wanted, None),
                    Outcome::Unfinished { best, .. } => {
                        assert!(best.is_none_or(|plan| Some(plan.cost()) >= wanted));
                        let bound = answer.lower_bound;
                        assert!(bound.is_none() || bound <= wanted, "{method} stopped at {nodes}");
                    }
                }
            }
        }
    }
    plans.expect(&[("auto", 1101), ("bb-dfs", 864), ("naive", 864)]);
}

#[test]
fn large_boards_keep_their_best_and_their_bound() {
    let mut random = Random(8);
    let board = Board::new(40, 30).unwrap();
    let start = Square::new(0, 0);
    let mut targets: BTreeSet<Square> = (0..420).map(|_| random.square(&board)).collect();
    targets.remove(&start);
    let problem = CaptureProblem { board, start, targets };
    for (threads, nodes) in [(1, 100), (2, 100), (1, 20_000), (2, 20_000)] {
        let options = Options::new().node_limit(nodes).threads(threads);
        let answer = problem.solve_with(&options).unwrap();
        let plan = answer.outcome.best().expect("a plan is known from the first moment");
        match plan.claim() {
            Claim::AtLeast { lower_bound } => {
                assert_eq!(answer.lower_bound, Some(*lower_bound));
                assert!(*lower_bound <= plan.cost());
                assert!(nodes < 1000 || lower_bound * 100 >= plan.cost() * 99);
            }
            claim => assert!(matches!(claim, Claim::Fewest { .. })),
        }
    }
}

#[test]
fn what_a_method_does_not_support_it_says() {
    let problem = instance("h11_k20_q200.txt");
    for method in [CaptureMethod::BbDfs(BbDfs::SEQUENTIAL), CaptureMethod::Naive] {
        let error = problem.solve_by(method, &options()).unwrap_err().to_string();
        assert!(error.starts_with(method.name()) && error.contains("200 pieces"), "{error}");
    }
    let unknown = "magic".parse::<CaptureMethod>().unwrap_err().to_string();
    assert!(unknown.contains("bb-dfs"), "{unknown}");
}
