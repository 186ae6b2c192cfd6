use destrier::rules::*;
use destrier::{method::Solver, *};
fn main() {
    let limit: f64 = std::env::var("LIMIT").map_or(60.0, |s| s.parse().unwrap());
    let threads: usize = std::env::var("T").map_or(2, |s| s.parse().unwrap());
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let rows: Vec<&str> = text.split_whitespace().skip(2).collect();
        let k = rows.len() as u32;
        let mut start = None;
        let mut targets = std::collections::BTreeSet::new();
        for (i, r) in rows.iter().enumerate() {
            for (j, c) in r.bytes().enumerate() {
                let s = Square::new(j as u32, k - 1 - i as u32);
                if c == b'3' {
                    start = Some(s)
                } else if c == b'1' {
                    targets.insert(s);
                }
            }
        }
        let p = CaptureProblem { board: Board::new(k, k).unwrap(), start: start.unwrap(), targets };
        let t = std::time::Instant::now();
        let mut watch =
            Watch::within(std::time::Duration::from_secs_f64(limit)).with_threads(threads);
        if std::env::var("V").is_ok() {
            watch = watch.telling(move |p| {
                eprintln!("{:?} best {:?} bound {:?}", t.elapsed(), p.best, p.bound)
            });
        }
        let m = std::env::var("M").unwrap_or("auto".into());
        let ub: u64 = text.split_whitespace().nth(1).unwrap().parse().unwrap();
        use destrier::capture::*;
        let run = match m.as_str() {
            "auto" => Auto.solve(&p, &watch),
            "dp" => Dp.solve(&p, &watch),
            "naive" => Naive.solve(&p, &watch),
            "bb" => BbDfs { parallel: Parallel::None, upper_bound: Some(ub) }.solve(&p, &watch),
            "task" => BbDfs { parallel: Parallel::Task, upper_bound: Some(ub) }.solve(&p, &watch),
            _ => BbDfs { parallel: Parallel::Data, upper_bound: Some(ub) }.solve(&p, &watch),
        }
        .unwrap();
        let (what, cost) = match &run.outcome {
            Outcome::Solved(s) => {
                p.verify(s).unwrap();
                ("solved", s.moves())
            }
            Outcome::Impossible(_) => ("impossible", 0),
            Outcome::Unfinished { best, .. } => {
                ("unfinished", best.as_ref().map_or(0, |b| b.moves()))
            }
        };
        let size = format!("{:?}", run.claim).len();
        let t1 = t.elapsed();
        let ok = if let (Claim::Fewest { lower_bound, proof }) = &run.claim {
            let r = p.prove(*lower_bound, proof);
            if m == "auto" && p.targets.len() > 0 {
                assert!(p.prove(*lower_bound + 1, proof).is_err());
            }
            r.unwrap().to_string()
        } else {
            "-".into()
        };
        let t2 = t.elapsed() - t1;
        let lb = match &run.claim {
            Claim::Fewest { lower_bound, .. } | Claim::AtLeast { lower_bound } => *lower_bound,
            _ => 0,
        };
        println!(
            "{} {what} {cost} lb {lb} nodes {} {:?} {:.1} ms proof {} {ok} {:?}",
            path.rsplit('/').next().unwrap(),
            run.effort.nodes,
            run.effort.details,
            t1.as_secs_f64() * 1e3,
            size,
            t2
        );
    }
}
