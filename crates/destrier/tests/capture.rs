//! Captures: every method against every other, known optima, laws, spoiled proofs, and halts.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::collections::BTreeSet;
use std::path::Path;

use destrier::capture::{Auto, BbDfs, CAPTURE_SOLVERS, Naive, Parallel, find};
use destrier::{Outcome, Run, Solver, Watch};
use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Certificate, Claim, Length, Origin, Problem, Proof,
    ProofStep, Puzzle, Refutation, Square, Support, Symmetry, Verified, Wrap,
};

/// Random numbers, the same every time.
struct Dice(u64);

impl Dice {
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

fn watch() -> Watch {
    Watch::unlimited().with_threads(2)
}

/// The fewest moves by one method, with its claim checked; `None` when impossible.
fn fewest(solver: &dyn Solver<CaptureProblem>, problem: &CaptureProblem) -> Option<u64> {
    let Run { outcome, claim, .. } = solver.solve(problem, &watch()).unwrap();
    match outcome {
        Outcome::Solved(plan) => {
            problem.verify(&plan).unwrap();
            let Claim::Fewest { lower_bound, proof } = claim else { panic!("no claim") };
            assert_eq!(lower_bound, plan.moves(), "{}", Puzzle::fen(problem));
            let support = problem.prove(lower_bound, &proof).unwrap();
            if solver.name() == "auto" {
                assert_eq!(support, Support::Checked, "{}", Puzzle::fen(problem));
            }
            Some(plan.moves())
        }
        Outcome::Impossible(obstacle) => {
            assert_eq!(problem.confirm(&obstacle), Ok(Support::Checked));
            None
        }
        Outcome::Unfinished { .. } => panic!("nothing stopped it"),
    }
}

#[test]
fn auto_finds_what_looking_at_every_position_finds() {
    let mut dice = Dice(1);
    for _ in 0..3000 * patience() {
        let problem = dice.puzzle(7, 8, true);
        assert_eq!(fewest(&Auto, &problem), fewest(&Naive, &problem), "{}", Puzzle::fen(&problem));
    }
}

#[test]
fn auto_proves_its_answers_on_larger_boards() {
    let mut dice = Dice(2);
    for round in 0..1500 * patience() {
        let problem = dice.puzzle(16, 14, round % 2 == 0);
        // The checker has confirmed plan and proof; with few pieces a search of all positions is quick.
        let found = fewest(&Auto, &problem);
        if problem.targets.len() <= 8 {
            assert_eq!(found, fewest(&Naive, &problem), "{}", Puzzle::fen(&problem));
        }
    }
}

#[test]
fn boards_without_two_colours_are_solved_too() {
    let mut dice = Dice(3);
    for wrap in [Wrap::Files, Wrap::Ranks, Wrap::Both] {
        for _ in 0..40 * patience() {
            let mut problem = dice.puzzle(7, 7, false);
            problem.board = problem.board.wrapped(wrap);
            let text = Puzzle::fen(&problem);
            assert_eq!(fewest(&Auto, &problem), fewest(&Naive, &problem), "{text} {wrap:?}");
        }
    }
}

#[test]
fn bb_dfs_agrees_in_every_mode() {
    let mut dice = Dice(4);
    for _ in 0..60 * patience() {
        let problem = dice.puzzle(6, 5, true);
        let wanted = fewest(&Naive, &problem);
        for parallel in [Parallel::None, Parallel::Task, Parallel::Data] {
            // No hint, the exact one, and one that is too low.
            let hints = [None, wanted, wanted.map(|fewest| fewest.saturating_sub(1))];
            for upper_bound in hints {
                let solver = BbDfs { parallel, upper_bound };
                let text = Puzzle::fen(&problem);
                assert_eq!(fewest(&solver, &problem), wanted, "{text} {solver:?}");
            }
        }
    }
}

#[test]
fn bb_dfs_visits_the_nodes_that_the_textbook_visits() {
    // A recursion straight from the book, for the same order and the same bound.
    fn descend(
        problem: &CaptureProblem,
        (at, left): (Square, &BTreeSet<Square>),
        depth: u64,
        best: &mut u64,
    ) -> u64 {
        let far = |from: Square, left: &BTreeSet<Square>| {
            let knight = destrier_rules::Leaper::KNIGHT;
            let ways = left.iter().filter_map(|&to| problem.board.distance(knight, from, to));
            i64::try_from(ways.min().unwrap_or(0)).unwrap()
        };
        let mut nexts = problem.board.jumps_from(destrier_rules::Leaper::KNIGHT, at);
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
                nodes += descend(problem, (next, &after), depth + 1, best);
            }
        }
        nodes
    }
    let mut dice = Dice(5);
    for _ in 0..25 {
        let problem = dice.puzzle(5, 4, false);
        let Some(hint) = fewest(&Naive, &problem) else { continue };
        if problem.targets.is_empty() {
            continue;
        }
        let solver = BbDfs { parallel: Parallel::None, upper_bound: Some(hint + 1) };
        let run = solver.solve(&problem, &watch()).unwrap();
        let mut best = hint + 2;
        let nodes = descend(&problem, (problem.start, &problem.targets), 0, &mut best);
        assert_eq!((run.effort.nodes, best), (nodes, hint), "{}", Puzzle::fen(&problem));
    }
}

/// Rows of `optima.csv`: the puzzle, and its optimum or `None` when a piece is out of reach.
fn known(folder: &Path, column: &str) -> Vec<(Puzzle, Option<u64>)> {
    let Ok(table) = std::fs::read_to_string(folder.join("optima.csv")) else { return Vec::new() };
    let mut lines = table.lines();
    let at = lines.next().unwrap().split(',').position(|name| name == column).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let name = cells[0].strip_suffix(".txt").unwrap_or(cells[0]);
        let text = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
        (text.parse().unwrap(), cells[at].parse().ok())
    };
    lines.map(row).collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn auto_proves_every_known_optimum() {
    let ours = known(&root().join("known/capture"), "optimum_proved");
    assert_eq!(ours.len(), 16);
    let course = known(&root().join("../shared/instances/course"), "optimum");
    for (puzzle, optimum) in ours.into_iter().chain(course) {
        assert_eq!(fewest(&Auto, &puzzle.problem), optimum, "{}", Puzzle::fen(&puzzle.problem));
    }
}

#[test]
fn every_method_takes_the_small_course_boards() {
    for (puzzle, optimum) in known(&root().join("../shared/instances/course"), "optimum") {
        if puzzle.problem.targets.len() > 6 {
            continue;
        }
        for solver in CAPTURE_SOLVERS {
            assert_eq!(fewest(*solver, &puzzle.problem), optimum, "{}", solver.name());
        }
    }
}

#[test]
fn turning_the_board_leaves_the_optimum() {
    let mut dice = Dice(6);
    for _ in 0..12 {
        let problem = dice.puzzle(14, 30, true);
        let wanted = fewest(&Auto, &problem);
        for symmetry in Symmetry::ALL {
            let (files, ranks) = (problem.board.files(), problem.board.ranks());
            let turn = |square: Square| symmetry.apply(square, files, ranks);
            let turned = CaptureProblem {
                board: problem.board.turned(symmetry),
                start: turn(problem.start),
                targets: problem.targets.iter().map(|&square| turn(square)).collect(),
            };
            assert_eq!(fewest(&Auto, &turned), wanted, "{} {symmetry:?}", Puzzle::fen(&problem));
        }
    }
}

#[test]
fn one_thread_and_two_prove_the_same() {
    for (puzzle, optimum) in known(&root().join("known/capture"), "optimum_proved") {
        let run = Auto.solve(&puzzle.problem, &Watch::unlimited().with_threads(1)).unwrap();
        assert_eq!(run.outcome.best().map(CapturePlan::moves), optimum);
    }
}

fn instance(name: &str) -> CaptureProblem {
    let text = std::fs::read_to_string(root().join("known/capture").join(name)).unwrap();
    text.parse::<Puzzle>().unwrap().problem
}

/// A solved instance with its proof.
fn proved(name: &str) -> (Verified<CaptureProblem>, u64, Refutation) {
    let run = find(&instance(name), "auto", &watch()).unwrap();
    let Outcome::Solved(plan) = run.outcome else { panic!("{name} is solvable") };
    let Claim::Fewest { lower_bound, proof: Proof::Refutation(proof) } = run.claim else {
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
            let spoiled = |spoil: &dyn Fn(&mut destrier_rules::EndingRefutation)| {
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
            let spoil_leaves = |spoil: &dyn Fn(&mut destrier_rules::Tariff)| {
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
        let origin = Origin { program: "test".to_owned(), method: "auto".to_owned() };
        let claim = Claim::Fewest { lower_bound: bound, proof: Proof::Refutation(proof) };
        assert!(Certificate::solved(plan, claim, origin).is_ok());
    }
}

#[test]
fn a_comb_is_checked_for_its_shape() {
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
fn a_halt_at_any_beat_never_yields_a_wrong_answer() {
    let mut dice = Dice(7);
    let mut problems: Vec<CaptureProblem> = (0..4).map(|_| dice.puzzle(6, 5, false)).collect();
    problems.push(instance("p01_prism3_k40.txt"));
    for problem in problems {
        let wanted = fewest(&Auto, &problem);
        let small = problem.targets.len() < 8;
        let nodes = (0..200).chain((200..6000).step_by(if small { 371 } else { 157 }));
        for tick in nodes {
            for solver in CAPTURE_SOLVERS {
                if !small && solver.name() != "auto" {
                    continue;
                }
                let run = solver.solve(&problem, &Watch::halting_at(tick).with_threads(1)).unwrap();
                match run.outcome {
                    Outcome::Solved(plan) => {
                        problem.verify(&plan).unwrap();
                        assert_eq!(Some(plan.moves()), wanted, "{} at {tick}", solver.name());
                    }
                    Outcome::Impossible(_) => assert_eq!(wanted, None),
                    Outcome::Unfinished { best, .. } => {
                        if let Some(plan) = best {
                            problem.verify(&plan).unwrap();
                            assert!(Some(plan.moves()) >= wanted);
                        }
                        if let Claim::AtLeast { lower_bound } = run.claim {
                            assert!(Some(lower_bound) <= wanted, "{} at {tick}", solver.name());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn large_boards_keep_their_best_and_their_bound() {
    let mut dice = Dice(8);
    let board = Board::new(40, 30).unwrap();
    let start = Square::new(0, 0);
    let mut targets: BTreeSet<Square> = (0..420).map(|_| dice.square(&board)).collect();
    targets.remove(&start);
    let problem = CaptureProblem { board, start, targets };
    for (threads, nodes) in [(1, 100), (2, 100), (1, 20_000), (2, 20_000)] {
        let watch = Watch::halting_at(nodes).with_threads(threads);
        let run = Auto.solve(&problem, &watch).unwrap();
        let plan = run.outcome.best().expect("a plan is known from the first moment");
        problem.verify(plan).unwrap();
        match run.claim {
            Claim::AtLeast { lower_bound } => {
                assert!(lower_bound <= plan.moves());
                assert!(nodes < 1000 || lower_bound * 100 >= plan.moves() * 99);
            }
            claim => assert!(matches!(claim, Claim::Fewest { .. })),
        }
    }
}

#[test]
fn what_a_method_cannot_take_on_it_says() {
    let problem = instance("h11_k20_q200.txt");
    for solver in [&BbDfs::SEQUENTIAL as &dyn Solver<CaptureProblem>, &Naive] {
        let error = solver.solve(&problem, &watch()).unwrap_err().to_string();
        assert!(error.starts_with(solver.name()) && error.contains("200 pieces"), "{error}");
    }
    assert!(find(&problem, "magic", &watch()).unwrap_err().to_string().contains("bb-dfs"));
}
