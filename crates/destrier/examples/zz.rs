use destrier::tour::compose::Itinerary;
use destrier::{Outcome, Watch};
use destrier_rules::{Board, TourProblem};
use std::time::Instant;
fn main() {
    for (w, h) in [(2000u32, 2000u32), (16000, 250), (250, 16000), (64000, 62)] {
        let p = TourProblem::closed(Board::new(w, h).unwrap());
        let Outcome::Solved(t) = Itinerary::plan(&p, &Watch::unlimited()).unwrap().outcome else {
            panic!()
        };
        let mut out = vec![0u32; (w * h) as usize];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let (mut best, mut plain) = (f64::MAX, f64::MAX);
            for _ in 0..100 {
                let s = Instant::now();
                t.fill(&mut out[..]);
                best = best.min(s.elapsed().as_secs_f64());
                let s = Instant::now();
                for (i, x) in out.iter_mut().enumerate() {
                    *x = i as u32;
                }
                plain = plain.min(s.elapsed().as_secs_f64());
                std::hint::black_box(&mut out);
            }
            println!(
                "{w}x{h} {:.3} ms plain {:.3}  per row {:.0} ns",
                best * 1e3,
                plain * 1e3,
                best * 1e9 / h as f64
            );
        });
    }
}
