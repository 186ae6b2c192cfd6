//! Work that is cut up for others gives what it gives in one piece.

use std::ops::ControlFlow;
use std::path::Path;

use destrier::capture::{Auto, Broadcast, CaseTree, Worker, Workers};
use destrier::tour::{Backtrack, Below};
use destrier::{Enumerator, Halt, Outcome, Watch};
use destrier_rules::{
    Board, CaptureProblem, Claim, Problem as _, Puzzle, Support, Tour, TourProblem,
};

/// One worker, which returns every case after a single node.
struct Impatient<'p> {
    problem: &'p CaptureProblem,
    cases: u64,
}

impl Workers for Impatient<'_> {
    fn nodes_before(&self) -> u64 {
        1
    }

    fn nodes_per_case(&self) -> u64 {
        1
    }

    fn refute(&mut self, broadcast: &Broadcast, tree: &mut CaseTree<'_>) -> Result<(), Halt> {
        let watch = Watch::unlimited();
        let worker = Worker::new(self.problem, broadcast.clone(), &watch)?;
        // Two in turn, so that cases come to programs that have other cuts.
        let mut scratches = [worker.scratch(), worker.scratch()];
        while let Some(case) = tree.take() {
            let root = case.root();
            let scratch = &mut scratches[usize::from(self.cases.is_multiple_of(3))];
            tree.enter(root, worker.work(scratch, case, &watch));
            self.cases += 1;
        }
        Ok(())
    }
}

#[test]
fn a_refutation_in_single_nodes_is_the_same_proof() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../known/capture");
    let optima = std::fs::read_to_string(folder.join("optima.csv")).unwrap();
    let mut cases = 0;
    for name in ["p02_lines5_k40.txt", "s05_k60_q250.txt", "h12_k30_q150.txt"] {
        let puzzle: Puzzle = std::fs::read_to_string(folder.join(name)).unwrap().parse().unwrap();
        let problem = puzzle.problem;
        let mut workers = Impatient { problem: &problem, cases: 0 };
        let watch = Watch::unlimited().with_threads(1);
        let run = Auto.solve_with(&problem, Some(&mut workers), &watch).unwrap();
        cases += workers.cases;
        let Outcome::Solved(plan) = run.outcome else { panic!("nothing stopped it") };
        problem.verify(&plan).unwrap();
        let Claim::Fewest { lower_bound, proof } = run.claim else { panic!("no claim") };
        assert_eq!(lower_bound, plan.moves());
        assert_eq!(problem.prove(lower_bound, &proof), Ok(Support::Checked), "{name}");
        let stem = name.trim_end_matches(".txt");
        let row = optima.lines().find(|row| row.contains(stem)).unwrap();
        assert!(row.split(',').any(|cell| cell.trim() == plan.moves().to_string()), "{row}");
    }
    assert!(cases > 10, "workers had something to do");
}

#[test]
fn the_parts_of_a_backtracking_search_are_the_search() {
    let (three, five) = (Board::new(3, 4).unwrap(), Board::new(5, 6).unwrap());
    for question in [TourProblem::open(three), TourProblem::closed(five)] {
        let list = |method: &dyn Enumerator| {
            let mut tours: Vec<Tour> = Vec::new();
            let visit = &mut |tour: &Tour| {
                tours.push(tour.clone());
                ControlFlow::Continue(())
            };
            method.enumerate(&question, &Watch::unlimited(), visit).unwrap();
            tours
        };
        let whole = list(&Backtrack);
        assert!(!whole.is_empty());
        for enough in [1, 2, 10, 100, 1000] {
            let parts = Backtrack::parts(&question, enough).unwrap();
            let cut: Vec<Tour> =
                parts.into_iter().flat_map(|part| list(&Below::new(part))).collect();
            assert_eq!(cut, whole, "{enough} parts or more");
        }
    }
}
