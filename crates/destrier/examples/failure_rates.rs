//! How often the classic walks fail, as a table: `cargo run --release --example failure_rates [SIDE…]`.
//!
//! Every admissible start up to side 50; above, starts spread evenly over the board.
#![expect(clippy::cast_precision_loss, reason = "percentages of small numbers")]

use std::time::Instant;

use destrier::tour::{Ties, Warnsdorff};
use destrier::{Solver, Watch};
use destrier_rules::{Board, Square, TourProblem};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<u32> =
        std::env::args().skip(1).map(|side| side.parse()).collect::<Result<_, _>>()?;
    let sides = if asked.is_empty() { vec![7, 8, 20, 50, 100, 200] } else { asked };
    println!("side,method,starts,failed,failed_percent,ties_per_step,microseconds_per_walk");
    for side in sides {
        let board = Board::new(side, side)?;
        let admissible: Vec<Square> =
            board.squares().filter(|s| side % 2 == 0 || s.is_dark()).collect();
        let most = match side {
            0..=50 => admissible.len(),
            51..=200 => 400,
            _ => 20,
        };
        let starts: Vec<Square> =
            (0..most).map(|i| admissible[i * admissible.len() / most]).collect();
        let problem = TourProblem::open(board);
        for ties in [Ties::MoveOrder, Ties::Pohl, Ties::Roth] {
            let method = Warnsdorff::new(ties);
            let begun = Instant::now();
            let seen = method.survey(&problem, &starts, &Watch::unlimited())?;
            let each = begun.elapsed().as_micros() / starts.len() as u128;
            let failed = seen.iter().filter(|(tour, _)| !tour).count();
            let ties: u64 = seen.iter().map(|(_, tally)| tally.ties).sum();
            let steps: u64 = seen.iter().map(|(_, tally)| tally.nodes).sum();
            let percent = 100.0 * failed as f64 / starts.len() as f64;
            let share = ties as f64 / steps as f64;
            let name = method.name();
            println!("{side},{name},{},{failed},{percent:.2},{share:.3},{each}", starts.len());
        }
    }
    Ok(())
}
