//! Work that is cut up for others gives what it gives in one piece.

use std::path::Path;

use destrier::capture::{Auto, Brief, Helper, Helpers, Ledger};
use destrier::run::watch::Watch;
use destrier::{Answer, CaptureProblem, Halt, Options, Puzzle, Support};

/// One helper, who is given every case after a single node.
struct Impatient<'p> {
    problem: &'p CaptureProblem,
    cases: u64,
}

impl Helpers for Impatient<'_> {
    fn alone(&self) -> u64 {
        1
    }

    fn patience(&self) -> u64 {
        1
    }

    fn refute(&mut self, brief: &Brief, ledger: &mut Ledger<'_>) -> Result<(), Halt> {
        let watch = Watch::unlimited();
        let helper = Helper::new(self.problem, brief.clone(), &watch)?;
        // Two benches in turn, so that cases come to programs which know other cuts.
        let mut benches = [helper.bench(), helper.bench()];
        while let Some(case) = ledger.take() {
            let root = case.root();
            let bench = &mut benches[usize::from(self.cases.is_multiple_of(3))];
            ledger.enter(root, helper.work(bench, case, &watch));
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
        let mut helpers = Impatient { problem: &problem, cases: 0 };
        let watch = Watch::new(&Options::new().threads(1));
        let run = Auto.solve_with(&problem, Some(&mut helpers), &watch).unwrap();
        cases += helpers.cases;
        let plan = Answer::check(&problem, run).unwrap().solved().unwrap();
        assert_eq!(plan.support(), Some(Support::Checked), "{name}");
        let stem = name.trim_end_matches(".txt");
        let row = optima.lines().find(|row| row.contains(stem)).unwrap();
        assert!(row.split(',').any(|cell| cell.trim() == plan.cost().to_string()), "{row}");
    }
    assert!(cases > 10, "helpers had something to do");
}
