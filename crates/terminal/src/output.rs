//! Where answers go: to standard output, or to a file that appears whole or not at all.

use std::fs;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, bail};
use destrier::SolveError;
use destrier::render::Colour;
use destrier::trace::JsonLines;

use crate::args::OutputArgs;

/// The forms in which answers come; each verb has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Step numbers on the board.
    Grid,
    /// Boards step by step.
    Boards,
    /// Squares in one line.
    List,
    /// The four columns of a four-paths tour.
    Columns,
    /// Squares by number, a line per step.
    Ids,
    /// A certificate.
    Json,
    /// A picture.
    Svg,
    /// A picture in pixels.
    Png,
    /// An animation.
    Gif,
    /// One row per step.
    Csv,
    /// Step numbers in binary.
    Bin,
    /// A TSPLIB tour.
    Tsplib,
    /// A TSPLIB Hamiltonian cycle problem.
    Hcp,
    /// The board as FEN.
    Fen,
}

/// The forms of a verb's answers: help lists them, and no other is read.
pub trait Forms: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The forms, as help lists them.
    const ALL: &'static [Format];
}

impl Format {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Grid => "grid",
            Format::Boards => "boards",
            Format::List => "list",
            Format::Columns => "columns",
            Format::Ids => "ids",
            Format::Json => "json",
            Format::Svg => "svg",
            Format::Png => "png",
            Format::Gif => "gif",
            Format::Csv => "csv",
            Format::Bin => "bin",
            Format::Tsplib => "tsplib",
            Format::Hcp => "hcp",
            Format::Fen => "fen",
        }
    }

    /// A line about it.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Format::Grid => "Numbers on the board",
            Format::Boards => "Boards step by step",
            Format::List => "One line, or one per answer",
            Format::Columns => "The four columns of a four-paths tour",
            Format::Ids => {
                "Squares by number, 1 the top left one, a line per step; 65:71:17:11 for four paths"
            }
            Format::Json => "A certificate that `destrier verify` reads",
            Format::Svg => "A picture",
            Format::Png => "A picture in pixels",
            Format::Gif => "An animation",
            Format::Csv => "One row per step",
            Format::Bin => {
                "Step numbers in binary: 32 bits each (64 from 2³² squares on), little-endian, first rank first"
            }
            Format::Tsplib => "A TSPLIB tour",
            Format::Hcp => "The question as a TSPLIB Hamiltonian cycle problem",
            Format::Fen => "The board as FEN",
        }
    }

    const EXTENSIONS: &'static [(&'static str, Format)] = &[
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

    /// The form of a file by its extension, if it is one of these forms.
    fn by_extension(path: &Path, forms: &[Format]) -> anyhow::Result<Format> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let lower = extension.to_ascii_lowercase();
        // A list is a text, too, where there is no grid.
        let text = ("txt", if forms.contains(&Format::Grid) { Format::Grid } else { Format::List });
        let known = || {
            let known = std::iter::once(&text).chain(Format::EXTENSIONS);
            known.filter(|(_, format)| forms.contains(format))
        };
        let found = known().find(|(name, _)| *name == lower);
        found.map(|&(_, format)| format).with_context(|| {
            let known: Vec<&str> = known().map(|&(name, _)| name).collect();
            let (path, known) = (path.display(), known.join(", "));
            format!("`{path}`: unknown file extension; use one of {known}, or --format")
        })
    }
}

impl<F: Forms> OutputArgs<F> {
    /// The file that the answer goes to; `-` is standard output, as elsewhere.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// The form that was asked for, by option or by extension.
    ///
    /// # Errors
    /// When the extension says nothing, the file cannot be made, or the form is not for a terminal.
    pub fn format(&self, usual: Format) -> anyhow::Result<Format> {
        let format = match (&self.format, self.file()) {
            _ if self.json => Format::Json,
            (Some(format), _) => *format,
            (None, Some(path)) => Format::by_extension(path, F::ALL)?,
            (None, None) => usual,
        };
        if let Some(path) = self.file() {
            check_place(path).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        if format.is_binary() && self.file().is_none() && is_terminal() {
            bail!("this form is not for a terminal; use -o FILE");
        }
        Ok(format)
    }

    /// May the grid be coloured?
    #[must_use]
    pub fn colour(&self) -> Colour {
        let on_terminal = self.file().is_none() && is_terminal();
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            clap::ColorChoice::Always => Colour::Always,
            clap::ColorChoice::Auto if on_terminal && !refused => Colour::Always,
            _ => Colour::Never,
        }
    }

    /// Writes the whole answer.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, answer: &[u8]) -> anyhow::Result<()> {
        self.stream(|out| Ok(out.write_all(answer)?))
    }

    /// Writes the answer piece by piece; a file gets its name only at the end.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn stream(
        &self,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.stream_some(|out| write(out).map(|()| true)).map(drop)
    }

    /// Runs a search while its steps are written, a line of JSON each: to a file, or for `-` to standard output.
    ///
    /// # Errors
    /// When they cannot be written, or the search cannot be run.
    pub fn trace<R>(
        &self,
        path: &Path,
        search: impl FnOnce(&mut JsonLines<&mut dyn Write>) -> Result<R, SolveError>,
    ) -> anyhow::Result<R> {
        let mut answer = None;
        OutputArgs { output: Some(path.to_owned()), ..self.clone() }.stream(|out| {
            let mut lines = JsonLines::new(out);
            let found = search(&mut lines);
            lines.finish()?;
            answer = Some(found?);
            Ok(())
        })?;
        answer.context("the search was not run")
    }

    /// Does the trace take the place of the answer?
    #[must_use]
    pub fn traces_instead(&self, trace: Option<&Path>) -> bool {
        self.file().is_none() && trace.is_some_and(|path| path.as_os_str() == "-")
    }

    /// Writes an answer that may be cut short: `write` says whether it is whole. What is not whole does not get
    /// the file's name but one with `.partial` behind it, which is returned.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn stream_some(
        &self,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<bool>,
    ) -> anyhow::Result<Option<PathBuf>> {
        let Some(path) = self.file() else {
            let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            write(&mut out)?;
            out.flush()?;
            return Ok(None);
        };
        let written = some_to_file(path, write);
        let partial = written.with_context(|| format!("cannot write `{}`", path.display()))?;
        if partial.is_none() {
            message!("wrote {}", path.display());
        }
        Ok(partial)
    }
}

/// Is standard output a terminal? Open MPI's `mpirun` gives each rank one, whatever its own output is.
pub(crate) fn is_terminal() -> bool {
    !is_rank() && io::stdout().is_terminal()
}

/// Was this process started by Open MPI's `mpirun`?
pub(crate) fn is_rank() -> bool {
    std::env::var_os("OMPI_COMM_WORLD_RANK").is_some()
}

/// Prints a whole answer on standard output.
///
/// # Errors
/// When it cannot be written.
pub fn print(answer: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(answer)?;
    Ok(out.flush()?)
}

/// Can a file be made here? The folder, if so: checked before the work, not after it.
///
/// # Errors
/// When it cannot.
pub fn check_place(path: &Path) -> anyhow::Result<&Path> {
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

/// The file that is being written, under the name that it has until it is whole.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// As long as this lives, the end of the program removes the file.
struct Unfinished;

impl Unfinished {
    fn named(path: &Path) -> Unfinished {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            *unfinished = Some(path.to_owned());
        }
        Unfinished
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            *unfinished = None;
        }
    }
}

/// Removes what was written of a file, where the program ends before it is whole.
pub(crate) fn discard_unfinished() {
    if let Ok(unfinished) = UNFINISHED.lock()
        && let Some(path) = &*unfinished
    {
        let _ = fs::remove_file(path);
    }
}

/// Writes a file that appears whole or not at all.
///
/// # Errors
/// When it cannot be made or written.
pub fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    some_to_file(path, |out| write(out).map(|()| true)).map(drop)
}

/// The same for what may be cut short; returns where that is then.
fn some_to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<bool>,
) -> anyhow::Result<Option<PathBuf>> {
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        // A device or a pipe has no name to be given at the end.
        let mut out = BufWriter::with_capacity(1 << 16, fs::File::create(path)?);
        write(&mut out)?;
        out.flush()?;
        return Ok(None);
    }
    let folder = check_place(path)?;
    // A file that is there keeps its mode; and a link stays one, its file is replaced.
    let replaced = fs::canonicalize(path).ok();
    let path = replaced.as_deref().unwrap_or(path);
    let mode = fs::metadata(path).ok().map(|meta| meta.permissions());
    let folder = if replaced.is_some() { check_place(path)? } else { folder };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    if mode.is_none() {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less the user's mask
    }
    // What replaces a file is made for the user alone, and has the mode of that file before anything is written.
    let partial = builder.prefix(".destrier-").suffix(".partial").tempfile_in(folder)?;
    let _named = Unfinished::named(partial.path());
    if let Some(mode) = mode {
        partial.as_file().set_permissions(mode)?;
    }
    let mut out = BufWriter::with_capacity(1 << 16, partial);
    let whole = write(&mut out)?;
    let partial = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    partial.as_file().sync_all()?;
    if whole {
        partial.persist(path).map_err(|error| error.error)?;
        return Ok(None);
    }
    let mut name = path.to_path_buf().into_os_string();
    name.push(".partial");
    partial.persist(&name).map_err(|error| error.error)?;
    Ok(Some(name.into()))
}

/// Says in which file an answer is that was cut short; nothing when it was printed.
#[must_use]
pub fn partial_note(partial: Option<PathBuf>) -> String {
    partial.map_or_else(String::new, |path| {
        format!("; the part that was written is in `{}`", path.display())
    })
}
