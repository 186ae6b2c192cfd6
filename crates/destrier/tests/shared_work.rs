//! Work that is cut up for others gives what it gives in one piece.

use std::path::Path;

use destrier::internal::Watch;
use destrier::internal::distributed::Tasks as _;
use destrier::internal::distributed::{Auto, Broadcast, CaseTree, Distribution, Worker};
use destrier::{
    Board, CaptureProblem, CountMethod, Halt, Options, Puzzle, Schedule, Support, TourProblem,
    Tours as _,
};

/// Refutes cases one after another; says how many there were.
fn refute(
    problem: &CaptureProblem,
    broadcast: &Broadcast,
    tree: &mut CaseTree<'_>,
) -> Result<u64, Halt> {
    let watch = Watch::unlimited();
    let worker = Worker::new(problem, broadcast.clone(), &watch)?;
    // Two in turn, so that cases come to programs that have other cuts.
    let mut scratches = [worker.scratch(), worker.scratch()];
    let mut cases = 0_u64;
    while let Some(case) = tree.next() {
        let scratch = &mut scratches[usize::from(cases.is_multiple_of(3))];
        let _ = tree.enter(worker.work(scratch, case, &watch));
        cases += 1;
    }
    Ok(cases)
}

#[test]
fn a_refutation_in_single_nodes_is_the_same_proof() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../known/capture");
    let optima = std::fs::read_to_string(folder.join("optima.csv")).unwrap();
    let mut cases = 0;
    for name in ["p02_lines5_k40.txt", "s05_k60_q250.txt", "h12_k30_q150.txt"] {
        let puzzle: Puzzle = std::fs::read_to_string(folder.join(name)).unwrap().parse().unwrap();
        let problem = puzzle.problem;
        let mut refute = |broadcast: &Broadcast, tree: &mut CaseTree<'_>| {
            cases += refute(&problem, broadcast, tree)?;
            Ok(())
        };
        let distribution = Distribution { nodes_before: 1, nodes_per_case: 1, refute: &mut refute };
        let watch = Watch::new(&Options::new().threads(1));
        let run = Auto.solve_with(&problem, Some(distribution), &watch).unwrap();
        let plan = run.answer(&problem).unwrap().solved().unwrap();
        assert_eq!(plan.support(), Some(Support::Checked), "{name}");
        let stem = name.trim_end_matches(".txt");
        let row = optima.lines().find(|row| row.contains(stem)).unwrap();
        assert!(row.split(',').any(|cell| cell.trim() == plan.cost().to_string()), "{row}");
    }
    assert!(cases > 10, "workers had something to do");
}

#[test]
fn however_threads_share_the_starts_the_count_and_the_nodes_are_the_same() {
    for (files, ranks) in [(3, 4), (4, 4), (4, 5), (3, 7)] {
        let problem = TourProblem::open(Board::new(files, ranks).unwrap());
        for method in [CountMethod::Naive, CountMethod::Backtrack] {
            let counted = |threads: usize, schedule: Schedule| {
                let options = Options::new().threads(threads).schedule(schedule);
                let found = problem.count_by(method, &options).unwrap();
                let nodes = found.effort.nodes;
                (found.total().unwrap().undirected(), nodes)
            };
            let alone = counted(1, Schedule::Parts);
            for threads in [1, 2, 3, 50] {
                for schedule in [Schedule::Parts, Schedule::Static, Schedule::Task] {
                    let shared = counted(threads, schedule);
                    assert_eq!(shared, alone, "{files}x{ranks} {method} {threads} {schedule:?}");
                }
            }
        }
    }
}
