//! One knight takes all pieces in the fewest moves: the exact solver beside the textbook's BB-DFS.

use destrier::{BbDfs, CaptureMethod, CaptureProblem, Options, Parallel, Solve as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The first word, if there is one, is the name of a file.
    let problem = match std::env::args().nth(1) {
        Some(path) => CaptureProblem::read(path)?,
        None => "4p/5/2p2/5/N3p".parse()?,
    };
    let plan = problem.solve()?.solved()?;
    println!("{} moves: {}", plan.cost(), plan.solution());
    println!("no plan is shorter: {:?}", plan.support());

    let by_tasks = CaptureMethod::BbDfs(BbDfs { parallel: Parallel::Task, ..BbDfs::default() });
    let answer = problem.solve_by(by_tasks, &Options::new().threads(2))?;
    println!("BB-DFS by tasks looked at {} nodes", answer.effort.nodes);
    assert_eq!(answer.solved()?.cost(), plan.cost());
    Ok(())
}
