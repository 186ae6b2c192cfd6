//! A rank that fails, for the tests: `mpirun -n 3 fault main|thread` must end at once and say which one.
//!
//! Rank 1 panics, on its main thread or on one that computes; all others wait for a job that never comes.
#![forbid(unsafe_code)]

use destrier_mpi::universe::Process;
use destrier_mpi::{Rank, serve};

fn main() {
    let process = Process::take().expect("MPI starts");
    let mut rank = Rank::new(process.messages());
    if process.rank() == 1 {
        let on_main = std::env::args().nth(1).is_some_and(|word| word == "main");
        assert!(!on_main, "a fault on the main thread");
        rank.while_listening(|| panic!("a fault on a computing thread"));
    }
    serve(rank, 1, &|_| {});
}
