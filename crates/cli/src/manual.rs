//! Shell completions and man pages, made from the command line's own description.

use std::fs;
use std::io;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::args::Cli;
use destrier_terminal::exit::Exit;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example: destrier completions bash > /etc/bash_completion.d/destrier")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Write the man pages into a folder
#[derive(Debug, Args)]
#[command(after_help = "Example: destrier man /usr/local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder; it is created if there is none
    folder: PathBuf,
}

impl CompletionsArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "destrier", &mut script);
        io::Write::write_all(&mut io::stdout(), &script)?;
        Ok(Exit::Solved)
    }
}

impl ManArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let place = || format!("cannot write man pages to `{}`", self.folder.display());
        fs::create_dir_all(&self.folder).with_context(place)?;
        clap_mangen::generate_to(Cli::command(), &self.folder).with_context(place)?;
        Ok(Exit::Solved)
    }
}
