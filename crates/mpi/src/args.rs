//! The command line of `destrier-mpi`: four verbs of `destrier`, and what ranks add to them.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Parser, Subcommand};
use destrier_terminal::args::{LimitArgs, STYLES};
use destrier_terminal::capture::CaptureArgs;
use destrier_terminal::count::CountArgs;
use destrier_terminal::enumerate::{EnumerateArgs, Listed};
use destrier_terminal::exit::Exit;
use destrier_terminal::language::LanguageArgs;
use destrier_terminal::message;
use destrier_terminal::swap::SwapArgs;

use crate::batch::JobArgs;
use crate::coordinator::Coordinator;
use crate::enumerate::Destination;
use crate::job::Setup;

const AFTER: &str = "\
Examples:
  mpirun -n 4 --bind-to none destrier-mpi count 8x8 --closed --report
  mpirun -n 16 --hostfile hosts --bind-to none destrier-mpi count 8x9 --closed --journal count-8x9
  mpirun -n 8 --bind-to none destrier-mpi capture puzzle.txt --method bb-dfs
  mpirun -n 8 --bind-to none destrier-mpi swap 7x3 --labelled
  mpirun -n 8 --bind-to none destrier-mpi enumerate 6x6 --closed --files tours
  destrier-mpi --job slurm --nodes 16 --wall-time 12h count 8x9 --closed --threads 64 > job.slurm

Arguments, formats (save png and gif) and exit codes are those of `destrier`; --threads, --memory
and --node-limit are for each rank. Rank 0 reads the question, prints the answer, and works with
the others.";

/// Destrier on many machines: counts, captures, lists of tours and swaps
#[derive(Debug, Parser)]
#[command(name = "destrier-mpi", version, about, after_help = AFTER, styles = STYLES)]
#[command(max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// Say on stderr what each rank did: busy and idle time, messages, bytes
    #[arg(long, global = true)]
    pub report: bool,

    /// A job file for a batch system, instead of an answer.
    #[command(flatten)]
    pub batch: JobArgs,

    /// The textbook's master–slave: rank 0 only deals tasks; without this it works, too
    #[arg(long, global = true)]
    pub master_slave: bool,

    /// The language of answers.
    #[command(flatten)]
    pub language: LanguageArgs,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Count(CountArgs),
    Enumerate(ListArgs),
    Capture(CaptureArgs),
    Swap(SwapArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    list: EnumerateArgs,

    /// One file a rank, NAME.0, NAME.1 and so on, instead of one stream
    #[arg(long, value_name = "NAME", conflicts_with_all = ["output", "limit"])]
    files: Option<PathBuf>,

    /// Put tours out as they come, not in the order of one process
    #[arg(long)]
    unordered: bool,
}

impl Cli {
    /// The limits that the user gave, to be completed by this rank's share of its machine.
    fn limits(&mut self) -> &mut LimitArgs {
        match &mut self.command {
            Command::Count(args) => args.limits(),
            Command::Enumerate(args) => args.list.limits(),
            Command::Capture(args) => args.limits(),
            Command::Swap(args) => args.limits(),
        }
    }

    /// The time that the user gave; what cannot be read is reported when the run starts.
    #[must_use]
    pub fn time_limit(&mut self) -> Option<std::time::Duration> {
        destrier_ask::time(self.limits().time_limit.as_deref()?).ok()
    }

    /// What is to be listed and how, if that is the question.
    #[must_use]
    pub fn list_args(&self) -> Option<(&EnumerateArgs, Destination)> {
        match &self.command {
            Command::Enumerate(ListArgs { list, files, unordered }) => {
                Some((list, Destination { files: files.clone(), unordered: *unordered }))
            }
            _ => None,
        }
    }

    /// What each rank may use, as the user gave it.
    ///
    /// # Errors
    /// When an amount cannot be read.
    pub fn setup(&mut self, neighbours: usize) -> anyhow::Result<Setup> {
        let master_slave = self.master_slave;
        let limits = self.limits();
        if limits.threads == Some(0) {
            bail!("--threads is at least 1");
        }
        let memory = limits.memory.as_deref().map(destrier_ask::bytes).transpose()?;
        let setup = Setup { threads: limits.threads, memory, neighbours, master_slave };
        limits.threads = Some(setup.threads());
        limits.memory = setup.memory().map(|bytes| bytes.to_string());
        Ok(setup)
    }

    /// The job file that is asked for, if one is; the question is read first.
    ///
    /// # Errors
    /// When the question cannot be read, or no job could be like that.
    pub fn job_file(&mut self, words: &[String]) -> anyhow::Result<Option<String>> {
        if self.batch.job.is_none() {
            return Ok(None);
        }
        match &self.command {
            Command::Count(args) => drop(args.question()?),
            Command::Enumerate(args) => drop(args.list.question()?),
            Command::Capture(args) => drop(args.question()?),
            Command::Swap(args) => drop(args.question()?),
        }
        let threads = self.limits().threads;
        self.batch.file(words, threads)
    }

    /// Answers the question on all ranks.
    ///
    /// # Errors
    /// When the question is a bad one, or is not supported.
    pub fn run(&self, coordinator: &mut Coordinator) -> anyhow::Result<Exit> {
        match &self.command {
            Command::Count(args) => args.run_by(&mut |question, method, options| {
                coordinator.count(question, method, options)
            }),
            Command::Capture(args) => args.run_by(&mut |problem, method, options| {
                coordinator.capture(problem, method, options)
            }),
            Command::Swap(args) => args
                .run_by(&mut |problem, method, options| coordinator.swap(problem, method, options)),
            Command::Enumerate(ListArgs { list, files, unordered }) => {
                let destination = Destination { files: files.clone(), unordered: *unordered };
                list.run_by(&mut |line, listing, session, out| -> anyhow::Result<Listed> {
                    match coordinator.list(listing, &destination, line, &session.options, out)? {
                        Some(listed) => {
                            if let (Some(_), Some(files)) = (listed.why, files) {
                                let name = files.display();
                                message!("destrier-mpi: what was written is in `{name}.N.partial`, N for each rank");
                            }
                            Ok(listed)
                        }
                        None if destination.files.is_some() => {
                            bail!("--files is for the methods census and backtrack")
                        }
                        None => list.list(line, listing, session, out),
                    }
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// What is between `destrier-mpi` and a pipe, a file or a remark, in the fenced blocks of the documentation and in the help text.
    #[test]
    fn commands_in_the_documentation_are_commands() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let mut texts = vec![AFTER.to_owned()];
        for page in std::fs::read_dir(docs).unwrap() {
            let page = page.unwrap().path();
            if page.extension().is_some_and(|extension| extension == "md") {
                texts.push(std::fs::read_to_string(page).unwrap());
            }
        }
        let mut checked = 0;
        for line in texts.iter().flat_map(|text| text.lines()) {
            let is_command =
                ["mpirun ", "destrier-mpi "].iter().any(|s| line.trim().starts_with(s));
            let Some((_, words)) = line.split_once("destrier-mpi ").filter(|_| is_command) else {
                continue;
            };
            let words = words.split(['>', '|', '#']).next().unwrap_or_default();
            let words = words.split("  ").next().unwrap_or_default();
            let words = std::iter::once("destrier-mpi").chain(words.split_whitespace());
            assert!(Cli::try_parse_from(words).is_ok(), "{line}");
            checked += 1;
        }
        assert_eq!(checked, 13);
    }
}
