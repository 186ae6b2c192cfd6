//! Guarini's puzzle of 1512, and why a full board stands still.

use destrier::{Outcome, Solve as _, SwapProblem};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let guarini = SwapProblem::from_fens("n1n/3/N1N", "N1N/3/n1n")?;
    let plan = guarini.solve()?.solved()?;
    println!("{} moves: {}", plan.cost(), plan.solution());

    let full = SwapProblem::from_fens("nn/NN", "NN/nn")?;
    if let Outcome::Impossible(none) = full.solve()?.outcome {
        println!("on 2x2: {}", none.obstacle());
    }
    Ok(())
}
