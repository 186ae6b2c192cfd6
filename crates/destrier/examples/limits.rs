//! Limits, progress, and stopping a run from another thread.

use std::time::Duration;

use destrier::{Board, Cancel, CountMethod, Halt, Options, Outcome, TourProblem, Tours as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = TourProblem::open(Board::new(8, 8)?);
    let limited = Options::new().threads(2).node_limit(100_000);
    let answer = question.count_by(CountMethod::Backtrack, &limited)?;
    println!("{answer:?}");

    let cancel = Cancel::new();
    let options = Options::new()
        .time_limit(Duration::from_secs(60))
        .cancel(&cancel)
        .on_progress(|progress| eprintln!("{} nodes", progress.nodes));
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        cancel.now();
    });
    let answer = question.count_by(CountMethod::Naive, &options)?;
    stopper.join().map_err(|_| "the other thread panicked")?;
    assert!(matches!(answer.outcome, Outcome::Unfinished { why: Halt::Asked, .. }));
    Ok(())
}
