//! The `destrier-mpi` command; its story begins in `lib.rs`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser as _;
use destrier_cli::args::board_that_looks_like_a_flag;
use destrier_cli::exit::Exit;
use destrier_cli::vigil::halt_on_interrupt;
use destrier_mpi::args::Cli;
use destrier_mpi::universe::{Place, is_first_launched, spare_the_network};
use destrier_mpi::{Crew, Fleet, Setup, report, serve};

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
    if let Some(board) = board_that_looks_like_a_flag() {
        eprintln!("destrier: `{board}` is not a board; write files x ranks, like `8x8`");
        let _ = Fleet::new(crew, Setup::default()).quit();
        return Exit::BadQuestion.into();
    }
    let mut cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => {
            let _ = usage.print();
            let _ = Fleet::new(crew, Setup::default()).quit();
            return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2));
        }
    };
    let setup = cli.setup(neighbours);
    let mut fleet = Fleet::new(crew, *setup.as_ref().unwrap_or(&Setup::default()));
    let exit = destrier_cli::conclude(setup.and_then(|_| cli.run(&mut fleet)));
    let tallies = fleet.quit();
    if cli.report {
        eprint!("{}", report::table(&tallies));
    }
    exit.into()
}
