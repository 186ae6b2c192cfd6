//! Runs the rows of a table of swaps and prints what each took, as CSV.
//!
//! `cargo run --release -p destrier --example swap_rows -- known/swaps.csv [id-part] [method] [threads] [seconds]`

use std::time::{Duration, Instant};

use destrier::{Outcome, Watch, swap};
use destrier_rules::{Metric, Problem, Side, SwapProblem};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |at: usize, usual: &str| arguments.get(at).cloned().unwrap_or_else(|| usual.to_owned());
    let table = std::fs::read_to_string(argument(0, "known/swaps.csv"))?;
    let (part, method) = (argument(1, ""), argument(2, "auto"));
    let threads: usize = argument(3, "1").parse()?;
    let seconds: u64 = argument(4, "60").parse()?;
    println!("id,rule,known,found,method,threads,nodes,bytes,wall_s,cpu_s,proof");
    for row in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let field: Vec<&str> = row.split(',').collect();
        if !field[0].contains(&part) {
            continue;
        }
        let mut problem = SwapProblem::between(&field[2].parse()?, &field[3].parse()?)?;
        let rule = field[4];
        if rule.contains("alt:") {
            let white = rule.contains("alt:W");
            problem.rules.alternate = Some(if white { Side::White } else { Side::Black });
        }
        if rule.contains("run") {
            problem.rules.metric = Metric::Runs;
        }
        problem.rules.peaceful = rule.contains("noattack");
        let watch = Watch::within(Duration::from_secs(seconds)).with_threads(threads);
        let (began, cpu) = (Instant::now(), cpu_seconds());
        let run = swap::solve(&problem, &method, &watch)?;
        let (wall, cpu) = (began.elapsed().as_secs_f64(), cpu_seconds() - cpu);
        let found = match &run.outcome {
            Outcome::Solved(plan) => problem.cost(plan.solution()).to_string(),
            Outcome::Impossible(_) => "unreachable".to_owned(),
            Outcome::Unfinished { why, best } => {
                let best = best.as_ref().map(|plan| problem.cost(plan.solution()));
                format!("stopped ({why}) with {best:?}")
            }
        };
        let bytes = run.effort.details.iter().find(|detail| detail.0 == "bytes at most");
        let (nodes, bytes) = (run.effort.nodes, bytes.map_or(0, |detail| detail.1));
        let claim = format!("{:?}", run.claim).replace(',', ";").replace('"', "'");
        println!(
            "{},{rule},{},{found},{method},{threads},{nodes},{bytes},{wall:.4},{cpu:.2},{claim}",
            field[0], field[5]
        );
    }
    Ok(())
}

/// User time of this process in seconds, as Linux tells it; 0 elsewhere.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks =
        stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(11)?.parse().ok());
    ticks.unwrap_or(0.0) / 100.0
}
