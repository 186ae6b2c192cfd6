//! What starts `destrier-mpi` on several ranks: `mpirun`, or what the user's machines have in its place.
//!
//! The ranks run where the launcher puts them: on this machine, on the machines of a host file, or on those that a
//! batch system has allocated, which the launcher reads from its environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

/// Starts ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// What comes before `-n`.
    words: Vec<String>,
    /// `destrier-mpi`.
    program: PathBuf,
    /// Are all ranks on this machine?
    local: bool,
}

/// What says that a batch system has allocated machines.
const ALLOCATIONS: [&str; 2] = ["SLURM_JOB_ID", "PBS_JOBID"];

impl Launcher {
    /// The launcher for this machine, this host file, or these words; the ranks run `program`.
    ///
    /// # Errors
    /// When the words are none.
    pub fn new(
        words: Option<&str>,
        hosts: Option<&Path>,
        program: PathBuf,
    ) -> Result<Launcher, Error> {
        let allocated = ALLOCATIONS.iter().any(|name| std::env::var_os(name).is_some());
        Launcher::read(words, hosts, program, allocated, is_root())
    }

    fn read(
        words: Option<&str>,
        hosts: Option<&Path>,
        program: PathBuf,
        allocated: bool,
        root: bool,
    ) -> Result<Launcher, Error> {
        let own = words.map(|words| words.split_whitespace().map(str::to_owned).collect());
        let local = words.is_none() && hosts.is_none() && !allocated;
        let mut words: Vec<String> = own.unwrap_or_else(|| {
            // A rank that is bound to one core has no use for a second thread.
            let mut words = vec!["mpirun", "--bind-to", "none"];
            words.extend(local.then_some("--oversubscribe"));
            words.extend(root.then_some("--allow-run-as-root"));
            words.into_iter().map(str::to_owned).collect()
        });
        if words.is_empty() {
            return Err(Error::NoLauncher);
        }
        if let Some(hosts) = hosts {
            words.extend(["--hostfile".to_owned(), hosts.display().to_string()]);
        }
        Ok(Launcher { words, program, local })
    }

    /// `destrier-mpi` beside the command `destrier`, or else on the PATH.
    ///
    /// # Errors
    /// When there is none.
    pub fn program_beside(destrier: &Path) -> Result<PathBuf, Error> {
        let name = format!("destrier-mpi{}", std::env::consts::EXE_SUFFIX);
        let beside = destrier.with_file_name(&name);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let elsewhere = std::env::split_paths(&path).map(|folder| folder.join(&name));
        let found = std::iter::once(beside).chain(elsewhere).find(|program| program.is_file());
        found.ok_or_else(|| Error::NoRankProgram(destrier.to_owned()))
    }

    /// The command that starts this many ranks; the question follows.
    pub(crate) fn command(&self, ranks: usize) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).args(["-n", &ranks.to_string()]).arg(&self.program);
        command
    }

    /// Are all ranks on this machine?
    pub(crate) const fn is_local(&self) -> bool {
        self.local
    }

    /// The words, as a user would type them.
    pub(crate) fn typed(&self) -> String {
        self.words.join(" ")
    }
}

/// Open MPI does not start ranks for root unless it is asked to.
fn is_root() -> bool {
    #[cfg(unix)]
    {
        rustix::process::geteuid().is_root()
    }
    #[cfg(not(unix))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: Option<&str>, hosts: Option<&str>, allocated: bool, root: bool) -> String {
        let program = PathBuf::from("destrier-mpi");
        Launcher::read(words, hosts.map(Path::new), program, allocated, root).unwrap().typed()
    }

    #[test]
    fn hosts_and_allocations_are_passed_on() {
        assert_eq!(typed(None, None, false, false), "mpirun --bind-to none --oversubscribe");
        assert_eq!(
            typed(None, None, false, true),
            "mpirun --bind-to none --oversubscribe --allow-run-as-root"
        );
        // The allocation says how many ranks fit.
        assert_eq!(typed(None, None, true, false), "mpirun --bind-to none");
        assert_eq!(
            typed(None, Some("hosts"), false, false),
            "mpirun --bind-to none --hostfile hosts"
        );
        assert_eq!(typed(Some("srun --mpi=pmix"), None, true, true), "srun --mpi=pmix");
        let none = Launcher::read(Some(" "), None, PathBuf::new(), false, false);
        assert!(matches!(none, Err(Error::NoLauncher)));
    }

    #[test]
    fn the_number_of_ranks_comes_before_the_program() {
        let launcher = Launcher::read(Some("srun"), None, "x/destrier-mpi".into(), false, false);
        let command = launcher.unwrap().command(4);
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        assert_eq!(words, ["-n", "4", "x/destrier-mpi"]);
    }

    #[test]
    fn a_missing_program_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let destrier = folder.path().join("destrier");
        let beside = folder.path().join(format!("destrier-mpi{}", std::env::consts::EXE_SUFFIX));
        std::fs::write(&beside, "").unwrap();
        assert_eq!(Launcher::program_beside(&destrier).unwrap(), beside);
    }
}
