//! Where answers go: standard output, or a file that appears whole or not at all.

use std::fs;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use destrier::render::Colour;

use crate::args::OutputArgs;

/// The forms in which answers come; each verb has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Step numbers on the board
    Grid,
    /// Boards step by step
    Boards,
    /// Squares in one line
    List,
    /// The four columns of a four-paths tour
    Columns,
    /// A certificate that `destrier verify` reads
    Json,
    /// A picture
    Svg,
    /// A picture in pixels
    Png,
    /// An animation
    Gif,
    /// A row a step
    Csv,
    /// Step numbers in binary: 32 bits each (64 from 2³² squares on), little-endian, first rank first
    Bin,
    /// A TSPLIB tour
    Tsplib,
    /// The question as a TSPLIB Hamiltonian cycle problem
    Hcp,
    /// The board as FEN
    Fen,
}

impl Format {
    const EXTENSIONS: &'static [(&'static str, Format)] = &[
        ("txt", Format::Grid),
        ("list", Format::List),
        ("json", Format::Json),
        ("svg", Format::Svg),
        ("png", Format::Png),
        ("gif", Format::Gif),
        ("csv", Format::Csv),
        ("bin", Format::Bin),
        ("tour", Format::Tsplib),
        ("hcp", Format::Hcp),
        ("fen", Format::Fen),
    ];

    const fn is_binary(self) -> bool {
        matches!(self, Format::Png | Format::Gif | Format::Bin)
    }

    fn by_extension(path: &Path) -> anyhow::Result<Format> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let lower = extension.to_ascii_lowercase();
        let found = Format::EXTENSIONS.iter().find(|(name, _)| *name == lower);
        found.map(|&(_, format)| format).with_context(|| {
            let known: Vec<&str> = Format::EXTENSIONS.iter().map(|&(name, _)| name).collect();
            let (path, known) = (path.display(), known.join(", "));
            format!("`{path}` does not tell its form; use one of {known}, or --format")
        })
    }
}

impl OutputArgs {
    /// The form that was asked for, by option or by extension.
    pub(crate) fn format(&self, usual: Format) -> anyhow::Result<Format> {
        let format = match (&self.format, &self.output) {
            _ if self.json => Format::Json,
            (Some(format), _) => *format,
            (None, Some(path)) => Format::by_extension(path)?,
            (None, None) => usual,
        };
        if let Some(path) = &self.output {
            check_place(path).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        if format.is_binary() && self.output.is_none() && io::stdout().is_terminal() {
            bail!("this form is not for a terminal; use -o FILE");
        }
        Ok(format)
    }

    /// May the grid be coloured?
    pub(crate) fn colour(&self) -> Colour {
        let on_terminal = self.output.is_none() && io::stdout().is_terminal();
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            clap::ColorChoice::Always => Colour::Always,
            clap::ColorChoice::Auto if on_terminal && !refused => Colour::Always,
            _ => Colour::Never,
        }
    }

    /// Writes the whole answer.
    pub(crate) fn write(&self, answer: &[u8]) -> anyhow::Result<()> {
        self.stream(|out| Ok(out.write_all(answer)?))
    }

    /// Writes the answer piece by piece; a file gets its name only at the end.
    pub(crate) fn stream(
        &self,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match &self.output {
            None => {
                let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
                write(&mut out)?;
                Ok(out.flush()?)
            }
            Some(path) => {
                to_file(path, write).with_context(|| format!("cannot write `{}`", path.display()))
            }
        }
    }
}

/// Prints a whole answer on standard output.
pub(crate) fn print(answer: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(answer)?;
    Ok(out.flush()?)
}

/// Can a file be made here? The folder, if so: asked before the work, not after it.
pub(crate) fn check_place(path: &Path) -> anyhow::Result<&Path> {
    if path.is_dir() {
        bail!("it is a folder");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("there is no folder `{}`", folder.display());
    }
    Ok(folder)
}

/// Writes a file that appears whole or not at all.
pub(crate) fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        // A device or a pipe has no name to be given at the end.
        let mut out = BufWriter::with_capacity(1 << 16, fs::File::create(path)?);
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let folder = check_place(path)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less the user's mask
    }
    let partial = builder.prefix(".destrier-").suffix(".partial").tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 16, partial);
    write(&mut out)?;
    let partial = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    partial.as_file().sync_all()?;
    partial.persist(path).map_err(|error| error.error)?;
    Ok(())
}
