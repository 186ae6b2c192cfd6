//! A folder for layers that do not fit in memory, and the journal from which a search resumes.
//!
//! Each puzzle has a folder of its own in the one that the user names, with the sorted files of layers and of runs
//! (parts of the next layer), and a journal. A line of the journal says that a bound is proved, that a layer is
//! complete, or that a run is: then that many positions of the previous layer need not be expanded again. A file
//! that turns out damaged ends the run, and the next one starts that pass over. When the answer is known, the folder is removed.
//! Processes that share a search have a folder each, and resume from the last step that all have written down.
//!
//! Invariant: what a line with a right checksum speaks of was in complete files when it was written, and no file of
//! the last two layers changes before a later line says so.
//! Cost: a line for each layer and each run.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use destrier_rules::SwapProblem;

use super::key::Key;
use super::sorted::{Failure, at};
use crate::outcome::SolveError;
use crate::run::sealed::{checked, checksum, sealed};
use crate::run::watch::{Halt, Watch};

/// The first words of a journal; the number changes when files or lines do.
const FORMAT: &str = "destrier swap layers 1";

/// The folder of a puzzle.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: PathBuf,
    path: PathBuf,
    journal: Mutex<Journal>,
}

#[derive(Debug)]
struct Journal {
    file: File,
    proved: HashMap<String, u16>,
    /// The steps of each side in its last two layers.
    sides: HashMap<String, Vec<Saved>>,
}

/// One of the processes that share a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Process {
    pub(super) rank: usize,
    pub(super) size: usize,
}

impl Process {
    /// What the names of its folders end in.
    fn suffix(self) -> String {
        let Self { rank, size } = self;
        if size == 1 { String::new() } else { format!("-{rank}-of-{size}") }
    }
}

/// How far a side of a search had come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Saved {
    pub(super) limit: u16,
    pub(super) depth: u16,
    /// The complete runs of the next layer, and how many positions have been expanded for them.
    pub(super) runs: usize,
    pub(super) expanded: u64,
    /// The positions that the whole search has expanded.
    pub(super) nodes: u64,
    pub(super) cut: Option<u16>,
    /// A goal among the children, as the bytes of its key in hexadecimal.
    pub(super) arrived: Option<String>,
}

impl Saved {
    /// Steps of a pass rise.
    pub(super) fn step(&self) -> u64 {
        u64::from(self.depth) << 32 | self.runs as u64
    }

    fn line(&self, side: &str) -> String {
        let Self { limit, depth, runs, expanded, nodes, cut, arrived } = self;
        let cut = cut.map_or("-".to_owned(), |cut| cut.to_string());
        let arrived = arrived.as_deref().unwrap_or("-");
        format!("side {side} {limit} {depth} {runs} {expanded} {nodes} {cut} {arrived}")
    }

    fn read(words: &[&str]) -> Option<Self> {
        let &[limit, depth, runs, expanded, nodes, cut, arrived] = words else { return None };
        Some(Self {
            limit: limit.parse().ok()?,
            depth: depth.parse().ok()?,
            runs: runs.parse().ok()?,
            expanded: expanded.parse().ok()?,
            nodes: nodes.parse().ok()?,
            cut: if cut == "-" { None } else { Some(cut.parse().ok()?) },
            arrived: (arrived != "-").then(|| arrived.to_owned()),
        })
    }
}

/// A key in hexadecimal.
pub(super) fn hex<K: Key>(key: K) -> String {
    let mut bytes = Vec::new();
    key.write(&mut bytes);
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// The key that is written so.
pub(super) fn unhex<K: Key>(text: &str) -> Option<K> {
    let byte = |at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    let bytes: Vec<u8> = (0..text.len()).step_by(2).map(byte).collect::<Option<_>>()?;
    (bytes.len() == K::BYTES).then(|| K::read(&bytes))
}

impl Scratch {
    /// Opens or begins the folder of a puzzle within the user's folder.
    pub(super) fn open(
        within: &Path,
        problem: &SwapProblem,
        process: Process,
        method: &'static str,
    ) -> Result<Self, SolveError> {
        let question = question(problem);
        let folder = folder(within, problem, process);
        let path = folder.join("journal");
        let unusable = |why: &dyn std::fmt::Display| {
            let why = format!("the scratch folder {} cannot be used: {why}", folder.display());
            SolveError::Unsuited { method, why }
        };
        if let Some((other, size)) = of_other_size(within, problem, process) {
            let why = format!(
                "{} has layers of a search on another number of ranks ({size}); resume it on as many, or remove that folder",
                other.display()
            );
            return Err(SolveError::Unsuited { method, why });
        }
        fs::create_dir_all(&folder).map_err(|error| unusable(&error))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(|error| unusable(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(unusable(&"another run uses it")),
            Err(TryLockError::Error(error)) => return Err(unusable(&error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| unusable(&error))?;
        let mut journal = Journal { file, proved: HashMap::new(), sides: HashMap::new() };
        // Whatever is behind a broken line is not relied on: it would only save time.
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let mut lines = lines.map_while(|line| Some((line.len(), checked(line)?)));
        let head = format!("{FORMAT} · {question}{}", process.suffix());
        let whole = match lines.next() {
            Some((length, first)) if first == head => {
                let rest = lines.map_while(|(length, text)| journal.enter(text).map(|()| length));
                length + rest.sum::<usize>()
            }
            _ => 0,
        };
        let begins = whole == 0;
        journal.cut_off(whole as u64).map_err(|error| unusable(&error))?;
        if begins {
            journal.append(&head).map_err(|error| unusable(&error))?;
        }
        Ok(Self { folder, path, journal: Mutex::new(journal) })
    }

    /// Removes all that is there: the answer is known.
    pub(super) fn remove(self) {
        let Self { folder, journal, .. } = self;
        drop(journal);
        let _ = fs::remove_dir_all(folder);
    }

    /// Has nothing been written down?
    pub(super) fn is_empty(&self) -> bool {
        let journal = self.journal.lock().expect(CALM);
        journal.proved.is_empty() && journal.sides.is_empty()
    }

    fn write(&self, line: &str) -> Result<(), Failure> {
        let mut journal = self.journal.lock().expect(CALM);
        journal.append(line).map_err(at(&self.path))?;
        journal.enter(line).expect("lines are written as they are read");
        Ok(())
    }
}

/// What the folders of a puzzle belong to.
fn question(problem: &SwapProblem) -> String {
    let SwapProblem { board, rules, .. } = problem;
    format!("{} to {}, {:?}, {rules:?}", problem.start_fen(), problem.goal_fen(), board.wrap())
}

/// What the names of all folders of a puzzle begin with.
fn stem(problem: &SwapProblem) -> String {
    format!("swap-{:016x}", checksum(&question(problem)))
}

/// The folder of a puzzle for one process.
pub(super) fn folder(within: &Path, problem: &SwapProblem, process: Process) -> PathBuf {
    within.join(stem(problem) + &process.suffix())
}

/// A folder of the same puzzle that another number of processes has left, and that number.
fn of_other_size(
    within: &Path,
    problem: &SwapProblem,
    process: Process,
) -> Option<(PathBuf, usize)> {
    let stem = stem(problem);
    let size = |name: &str| match name.strip_prefix(&stem)? {
        "" => Some(1),
        suffix => suffix.rsplit_once("-of-")?.1.parse::<usize>().ok(),
    };
    let entries = fs::read_dir(within).ok()?.flatten();
    let mut sizes = entries.filter_map(|it| Some((it.path(), size(it.file_name().to_str()?)?)));
    sizes.find(|&(_, size)| size != process.size)
}

/// Removes what a process has of a puzzle: the answer is known.
pub(super) fn remove(within: &Path, problem: &SwapProblem, process: Process) {
    let _ = fs::remove_dir_all(folder(within, problem, process));
}

/// Why the lock is not poisoned.
const CALM: &str = "nothing panics while it holds the lock";

impl Journal {
    /// Takes in a line.
    fn enter(&mut self, text: &str) -> Option<()> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["proved", name, moves] => {
                self.proved.insert(name.to_owned(), moves.parse().ok()?);
                // A side of a pass that has ended is of no use.
                self.sides.retain(|side, _| side.rsplit_once('-').is_none_or(|(of, _)| of != name));
            }
            ["side", side, ref rest @ ..] => {
                let saved = Saved::read(rest)?;
                let steps = self.sides.entry(side.to_owned()).or_default();
                // Where the files of later steps are made anew, those steps are void.
                steps.retain(|old| {
                    old.limit == saved.limit
                        && old.step() < saved.step()
                        && old.depth + 1 >= saved.depth
                });
                steps.push(saved);
            }
            ["lost", side] => drop(self.sides.remove(side)),
            _ => return None,
        }
        Some(())
    }

    fn cut_off(&mut self, whole: u64) -> std::io::Result<()> {
        self.file.set_len(whole)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    fn append(&mut self, text: &str) -> std::io::Result<()> {
        self.file.write_all(sealed(text).as_bytes())?;
        self.file.sync_data()
    }
}

/// The part of a folder that one search uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store<'s> {
    scratch: &'s Scratch,
    /// The search, by a number; those for the halves of a plan have others, and are not resumed.
    name: u32,
    is_journaled: bool,
}

impl<'s> Store<'s> {
    pub(super) fn new(scratch: &'s Scratch, part: usize) -> Self {
        let name = u32::try_from(part).expect("a board has few parts");
        Self { scratch, name, is_journaled: true }
    }

    /// For a search within this one, while whose files are not needed any more.
    pub(super) fn within(self) -> Self {
        Self { is_journaled: false, ..self }
    }

    /// The stem of the files for a layer or a run of a side.
    pub(super) fn stem(self, side: &str, depth: u16, run: Option<usize>) -> PathBuf {
        let half = if self.is_journaled { "" } else { "half-" };
        let run = run.map_or(String::new(), |run| format!("-run{run}"));
        self.scratch.folder.join(format!("{half}{}-{side}-{depth}{run}", self.name))
    }

    /// How far a side had come: its last step, or this one.
    pub(super) fn saved(self, side: &str, step: Option<u64>) -> Option<Saved> {
        let journal = self.scratch.journal.lock().expect(CALM);
        let steps = journal.sides.get(&format!("{}-{side}", self.name))?;
        let is_it = |saved: &&Saved| step.is_none_or(|step| saved.step() == step);
        steps.iter().rev().find(is_it).filter(|_| self.is_journaled).cloned()
    }

    /// The bound that was proved.
    pub(super) fn proved(self) -> Option<u16> {
        let journal = self.scratch.journal.lock().expect(CALM);
        let proved = journal.proved.get(&self.name.to_string()).copied();
        proved.filter(|_| self.is_journaled)
    }

    /// Writes down how far a side has come.
    pub(super) fn save(self, side: &str, saved: &Saved) -> Result<(), Failure> {
        if !self.is_journaled {
            return Ok(());
        }
        self.scratch.write(&saved.line(&format!("{}-{side}", self.name)))
    }

    /// Writes down that the files of a side are of no use, before others take their names.
    pub(super) fn forget(self, side: &str) -> Result<(), Failure> {
        if !self.is_journaled {
            return Ok(());
        }
        self.scratch.write(&format!("lost {}-{side}", self.name))
    }

    /// Writes down what is proved; the sides begin again after that.
    pub(super) fn raise(self, proved: u16) -> Result<(), Failure> {
        if !self.is_journaled {
            return Ok(());
        }
        self.scratch.write(&format!("proved {} {proved}", self.name))
    }
}

impl Failure {
    /// Is a file not as it was written?
    pub(super) fn is_damage(&self) -> bool {
        let damage = [ErrorKind::InvalidData, ErrorKind::UnexpectedEof, ErrorKind::NotFound];
        matches!(self, Self::File(_, error) if damage.contains(&error.kind()))
    }

    /// Tells the user about files that failed: then it is memory that is missing.
    pub(super) fn halt(self, watch: &Watch) -> Halt {
        match self {
            Self::Halt(halt) => halt,
            Self::File(path, error) => {
                watch.note(format!("the scratch file {}: {error}", path.display()));
                Halt::Memory
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: Process = Process { rank: 0, size: 1 };

    fn saved(depth: u16) -> Saved {
        let arrived = Some(hex(0x1234_u64));
        Saved { limit: 36, depth, runs: 2, expanded: 77, nodes: 99, cut: None, arrived }
    }

    #[test]
    fn a_journal_is_read_as_it_was_written_up_to_a_broken_line() {
        let folder = tempfile::tempdir().unwrap();
        let problem = SwapProblem::from_fens("nnn/3/3/NNN", "NNN/3/3/nnn").unwrap();
        let scratch = Scratch::open(folder.path(), &problem, ALONE, "meet").unwrap();
        assert!(Scratch::open(folder.path(), &problem, ALONE, "meet").is_err(), "it is in use");
        let store = Store::new(&scratch, 0);
        store.raise(34).unwrap();
        store.save("start", &saved(5)).unwrap();
        store.save("start", &saved(6)).unwrap();
        let path = scratch.path.clone();
        drop(scratch);
        let whole = fs::read(&path).unwrap();
        let again = |length: usize| {
            fs::write(&path, &whole[..length]).unwrap();
            let scratch = Scratch::open(folder.path(), &problem, ALONE, "meet").unwrap();
            let store = Store::new(&scratch, 0);
            let (one, other) = (store, Store::new(&scratch, 1));
            (one.proved(), one.saved("start", None), other.saved("start", None))
        };
        assert_eq!(again(whole.len()), (Some(34), Some(saved(6)), None));
        assert_eq!(again(whole.len() - 1), (Some(34), Some(saved(5)), None));
        assert_eq!(again(10), (None, None, None));
        // Steps of the last two layers are kept, until an earlier one is made anew.
        {
            fs::write(&path, &whole).unwrap();
            let scratch = Scratch::open(folder.path(), &problem, ALONE, "meet").unwrap();
            let store = Store::new(&scratch, 0);
            let at = |depth| store.saved("start", Some(saved(depth).step()));
            assert_eq!((at(4), at(5), at(6)), (None, Some(saved(5)), Some(saved(6))));
            store.save("start", &saved(5)).unwrap();
            assert_eq!((at(5), at(6)), (Some(saved(5)), None));
            store.save("start", &saved(7)).unwrap();
            assert_eq!((at(5), at(7)), (None, Some(saved(7))));
        }
        assert_eq!(unhex::<u64>(&saved(6).arrived.unwrap()), Some(0x1234));
        // Another puzzle has another folder.
        let other = SwapProblem::from_fens("nnn/3/2#/NNN", "NNN/3/2#/nnn").unwrap();
        let other = Scratch::open(folder.path(), &other, ALONE, "meet").unwrap();
        assert_eq!(Store::new(&other, 0).proved(), None);
        other.remove();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_proved_ends_the_pass_of_its_part_alone() {
        let folder = tempfile::tempdir().unwrap();
        let problem = SwapProblem::from_fens("nnn/3/3/NNN", "NNN/3/3/nnn").unwrap();
        let scratch = Scratch::open(folder.path(), &problem, ALONE, "meet").unwrap();
        let (one, other) = (Store::new(&scratch, 1), Store::new(&scratch, 11));
        one.save("goal", &saved(3)).unwrap();
        other.save("goal", &saved(4)).unwrap();
        one.raise(20).unwrap();
        assert_eq!((one.saved("goal", None), other.saved("goal", None)), (None, Some(saved(4))));
        assert_eq!((one.proved(), other.proved()), (Some(20), None));
    }
}
