//! The `destrier-mpi` command; its story begins in `lib.rs`.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use destrier::Cancel;
use destrier_mpi::args::Cli;
use destrier_mpi::universe::{Process, launched_rank, spare_the_network};
use destrier_mpi::{Coordinator, Rank, Setup, report, serve};
use destrier_terminal::allocator::return_large_blocks;
use destrier_terminal::exit::{Exit, conclude};
use destrier_terminal::session::{cancel_on_interrupt, end_with_parent};
use destrier_terminal::{args, output};

fn main() -> ExitCode {
    return_large_blocks();
    spare_the_network();
    // Before MPI begins, which takes until all ranks are there. What cannot be read is complained of later.
    if let Some(time) = Cli::try_parse().ok().and_then(|mut cli| cli.time_limit()) {
        end_after(time);
    }
    let process = match Process::take() {
        Ok(process) => process,
        Err(advice) => {
            if launched_rank() == 0 {
                eprintln!("destrier-mpi: {advice}");
            }
            return Exit::BadQuestion.into();
        }
    };
    let rank = Rank::new(process.messages());
    if process.rank() == 0 {
        end_with_parent();
        ask(rank, process.neighbours())
    } else {
        serve(rank, process.neighbours(), &|cancel| {
            cancel_on_interrupt(cancel);
            leave_after(cancel.clone());
        });
        ExitCode::SUCCESS
    }
}

/// How long ranks are waited for when the time is up: as long again, within bounds.
const PATIENCE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(20)];

/// How long a rank that was asked to stop waits for rank 0 to say that the run is over.
const LEAVING: Duration = Duration::from_secs(5);

/// Ends this rank some time after a signal asked it to stop: rank 0, which it waits for, may be gone, and the
/// launcher waits for a minute before it ends ranks by force.
fn leave_after(cancel: Cancel) {
    std::thread::spawn(move || {
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(100));
        }
        std::thread::sleep(LEAVING);
        std::process::exit(i32::from(Exit::Unfinished.code()));
    });
}

/// Ends the whole run when this time is up and ranks have been waited for: a rank that is stopped, or cut off, must not
/// hold the others. The launcher ends the other ranks when one has ended: rank 0, or if that is stopped, the next.
fn end_after(time: Duration) {
    std::thread::spawn(move || {
        let patience = time.clamp(PATIENCE[0], PATIENCE[1]);
        std::thread::sleep((time + patience).saturating_add(LEAVING * launched_rank()));
        eprintln!(
            "destrier-mpi: the time is up, and not all ranks have answered for {patience:?}; what is in a journal or in \
             files stays"
        );
        std::process::exit(i32::from(Exit::Unfinished.code()));
    });
}

/// Rank 0: reads the question, has it answered, and ends the run, whatever came of it.
fn ask(rank: Rank, neighbours: usize) -> ExitCode {
    let mut cli: Cli = match args::parse() {
        Ok(cli) => cli,
        Err(code) => {
            let _ = Coordinator::new(rank, Setup::default()).quit();
            return code;
        }
    };
    cli.language.speak();
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match cli.job_file(&words) {
        Ok(None) => {}
        written => {
            let printed = written.and_then(|file| {
                output::print(file.unwrap_or_default().as_bytes())?;
                Ok(Exit::Solved)
            });
            let _ = Coordinator::new(rank, Setup::default()).quit();
            return conclude(printed).into();
        }
    }
    let setup = cli.setup(neighbours);
    let mut coordinator = Coordinator::new(rank, *setup.as_ref().unwrap_or(&Setup::default()));
    let exit = conclude(setup.and_then(|_| cli.run(&mut coordinator)));
    let tallies = coordinator.quit();
    if cli.report {
        eprint!("{}", report::table(&tallies));
    }
    exit.into()
}
