//! The `destrier-mpi` command; its story begins in `lib.rs`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use destrier_mpi::args::Cli;
use destrier_mpi::universe::{Place, is_first_launched, spare_the_network};
use destrier_mpi::{Crew, Fleet, Setup, report, serve};
use destrier_terminal::args;
use destrier_terminal::exit::{Exit, conclude};
use destrier_terminal::session::halt_on_interrupt;

fn main() -> ExitCode {
    spare_the_network();
    let place = match Place::take() {
        Ok(place) => place,
        Err(advice) => {
            if is_first_launched() {
                eprintln!("destrier-mpi: {advice}");
            }
            return Exit::BadQuestion.into();
        }
    };
    let crew = Crew::new(place.post());
    if place.rank() == 0 {
        ask(crew, place.neighbours())
    } else {
        serve(crew, place.neighbours(), &halt_on_interrupt);
        ExitCode::SUCCESS
    }
}

/// Rank 0: reads the question, has it answered, and ends the run, whatever came of it.
fn ask(crew: Crew, neighbours: usize) -> ExitCode {
    let mut cli: Cli = match args::parse() {
        Ok(cli) => cli,
        Err(code) => {
            let _ = Fleet::new(crew, Setup::default()).quit();
            return code;
        }
    };
    let setup = cli.setup(neighbours);
    let mut fleet = Fleet::new(crew, *setup.as_ref().unwrap_or(&Setup::default()));
    let exit = conclude(setup.and_then(|_| cli.run(&mut fleet)));
    let tallies = fleet.quit();
    if cli.report {
        eprint!("{}", report::table(&tallies));
    }
    exit.into()
}
