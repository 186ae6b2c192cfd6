//! Job files: a question put into words for a batch system, which starts the ranks when it has machines for them.
//!
//! The file asks for machines, ranks and cores, and runs this program with the words of the question. The batch system
//! sends SIGTERM a minute before the time is up, which stops all ranks in good order.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use destrier_terminal::args::choice;

/// A batch system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Slurm, whose files `sbatch` takes.
    Slurm,
    /// PBS, whose files `qsub` takes.
    Pbs,
}

/// What to ask a batch system for.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Job files")]
pub struct JobArgs {
    /// Do not answer: print a job file that does, for a batch system
    #[arg(long, global = true, value_name = "SYSTEM", value_parser = choice(SYSTEMS))]
    pub job: Option<System>,

    /// With --job: how many machines
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub nodes: usize,

    /// With --job: how many ranks on each; --threads says how many cores each rank has
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub ranks_per_node: usize,

    /// With --job: for how long, like 30m or 2h
    #[arg(long, global = true, value_name = "TIME", default_value = "1h")]
    pub wall_time: String,
}

const SYSTEMS: [(&str, &str, System); 2] = [
    ("slurm", "For sbatch", System::Slurm),
    ("pbs", "For qsub, of PBS Professional or OpenPBS", System::Pbs),
];

/// The options that are for the job file, and have a value each.
const OWN: [&str; 4] = ["--job", "--nodes", "--ranks-per-node", "--wall-time"];

/// Fewer seconds than this are over before a job has begun.
const SHORTEST: Duration = Duration::from_secs(60);

impl JobArgs {
    /// The job file that runs this program with these words, on this many threads per rank; `None` if none is asked for.
    ///
    /// # Errors
    /// When no job could be like that.
    pub fn file(&self, words: &[String], threads: Option<usize>) -> anyhow::Result<Option<String>> {
        let Some(system) = self.job else { return Ok(None) };
        for (option, number) in [("--nodes", self.nodes), ("--ranks-per-node", self.ranks_per_node)]
        {
            if number == 0 {
                bail!("{option} is at least 1");
            }
        }
        let time = destrier_ask::time(&self.wall_time).context("--wall-time")?;
        if time < SHORTEST {
            bail!("--wall-time: a job of less than a minute has no time to begin; give 1m or more");
        }
        let seconds = time.as_secs();
        let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut question = question_words(words);
        let (nodes, ranks, cores) = (self.nodes, self.ranks_per_node, threads.unwrap_or(1));
        if threads.is_none() {
            question.extend(["--threads".to_owned(), cores.to_string()]);
        }
        let question: Vec<String> = question.iter().map(|word| quoted(word)).collect();
        let question = question.join(" ");
        let mut file = String::from("#!/usr/bin/env bash\n");
        match system {
            System::Slurm => {
                let _ = write!(
                    file,
                    "# Submit with: sbatch FILE\n#SBATCH --job-name=destrier\n#SBATCH --nodes={nodes}\n\
                     #SBATCH --ntasks-per-node={ranks}\n#SBATCH --cpus-per-task={cores}\n#SBATCH --time={time}\n\
                     #SBATCH --signal=TERM@60\n#SBATCH --output=destrier-%j.out\nset -euo pipefail\n\n\
                     srun --mpi=pmix --cpu-bind=none --kill-on-bad-exit=1 \\\n    destrier-mpi {question} --report\n"
                );
            }
            System::Pbs => {
                let all = ranks * cores;
                let _ = write!(
                    file,
                    "# Submit with: qsub FILE\n#PBS -N destrier\n\
                     #PBS -l select={nodes}:ncpus={all}:mpiprocs={ranks}:ompthreads={cores}\n\
                     #PBS -l walltime={time}\n#PBS -j oe\nset -euo pipefail\ncd \"$PBS_O_WORKDIR\"\n\n\
                     mpirun -n {} --hostfile \"$PBS_NODEFILE\" --bind-to none \\\n    destrier-mpi {question} --report\n",
                    nodes * ranks
                );
            }
        }
        Ok(Some(file))
    }
}

/// The words without those that are for the job file, and without `--report`, which it has anyway.
fn question_words(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        if OWN.contains(&name) {
            if !word.contains('=') {
                words.next();
            }
        } else if word != "--report" {
            kept.push(word.clone());
        }
    }
    kept
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/.,:_-+=@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(job: System, words: &str, threads: Option<usize>) -> String {
        let args =
            JobArgs { job: Some(job), nodes: 4, ranks_per_node: 2, wall_time: "90m".to_owned() };
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        args.file(&words, threads).unwrap().unwrap()
    }

    #[test]
    fn a_job_file_asks_for_machines_and_runs_the_question() {
        let slurm =
            file(System::Slurm, "--job slurm --nodes=4 count 8x9 --closed --threads 16", Some(16));
        for line in [
            "#SBATCH --nodes=4\n",
            "#SBATCH --ntasks-per-node=2\n",
            "#SBATCH --cpus-per-task=16\n",
            "#SBATCH --time=01:30:00\n",
            "    destrier-mpi count 8x9 --closed --threads 16 --report\n",
        ] {
            assert!(slurm.contains(line), "{slurm}");
        }
        let pbs = file(System::Pbs, "--report capture it's.txt --wall-time 90m --job pbs", None);
        for line in [
            "#PBS -l select=4:ncpus=2:mpiprocs=2:ompthreads=1\n",
            "#PBS -l walltime=01:30:00\n",
            "mpirun -n 8 --hostfile \"$PBS_NODEFILE\"",
            "    destrier-mpi capture 'it'\\''s.txt' --threads 1 --report\n",
        ] {
            assert!(pbs.contains(line), "{pbs}");
        }
    }

    #[test]
    fn jobs_that_cannot_be_are_refused() {
        let usual = JobArgs {
            job: Some(System::Slurm),
            nodes: 1,
            ranks_per_node: 1,
            wall_time: "1h".to_owned(),
        };
        let refused = |args: JobArgs| args.file(&[], None).unwrap_err().to_string();
        assert_eq!(refused(JobArgs { nodes: 0, ..usual.clone() }), "--nodes is at least 1");
        assert!(
            refused(JobArgs { wall_time: "5s".to_owned(), ..usual.clone() }).contains("1m or more")
        );
        assert!(
            refused(JobArgs { wall_time: "soon".to_owned(), ..usual.clone() })
                .contains("--wall-time")
        );
        assert_eq!(JobArgs { job: None, ..usual }.file(&[], None).unwrap(), None);
    }
}
