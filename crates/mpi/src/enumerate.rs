//! Lists of tours from many ranks: pieces distributed, lines in one stream or in one file per rank.
//!
//! Where the tours are numbered, a piece is a range of numbers; where they are searched for, it is the
//! beginning of a walk. Pieces are written by idle ranks. Rank 0 puts them out in order, and
//! deals no piece that is too far ahead of the next one due, so that few wait in its memory.
//!
//! Invariant: in order, the lines are those of one process, byte for byte; else they are the same lines.
//! Cost: each rank has the tables of the numbers; each line goes over the transport once, unless it is
//! written to a file of its own rank.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::Context as _;
use destrier::internal::Watch;
use destrier::internal::distributed::{Batch, Beginnings, Numbered, Tasks};
use destrier::{Halt, ListMethod, Listing, Method as _, Options, SolveError};
use destrier_rules::{Square, Tour, TourProblem};
use destrier_terminal::enumerate::{Line, Listed, Style};
use serde::{Deserialize, Serialize};

use crate::coordinator::Coordinator;
use crate::job::Job;
use crate::rank::Rank;
use crate::work::Work;

/// What is to be listed, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    question: TourProblem,
    style: String,
    method: String,
    distinct: bool,
    limit: Option<u64>,
    by_number: bool,
    /// Each rank adds its number to this name.
    files: Option<PathBuf>,
}

/// Where lines go, and in which order.
#[derive(Clone, Debug, Default)]
pub struct Destination {
    /// One file a rank: this name, a dot, and the rank.
    pub files: Option<PathBuf>,
    /// Lines as they come, rather than in the order of one process.
    pub unordered: bool,
}

const STYLES: [(Style, &str); 3] =
    [(Style::List, "list"), (Style::Moves, "moves"), (Style::Json, "json")];

/// Pieces of a search for each thread.
const PIECES: usize = 64;

impl Coordinator {
    /// Lists the tours of a question; none if the method is not one that is shared out.
    ///
    /// # Errors
    /// When the question is not supported, or lines cannot be written.
    pub fn list(
        &mut self,
        listing: Listing,
        destination: &Destination,
        line: &Line,
        options: &Options,
        out: &mut dyn Write,
    ) -> anyhow::Result<Option<Listed>> {
        let question = line.question();
        let style = STYLES.iter().find(|(style, _)| *style == line.style());
        let request = |by_number: bool| Request {
            question: question.clone(),
            style: style.map_or("list", |&(_, name)| name).to_owned(),
            method: listing.method.name().to_owned(),
            distinct: listing.distinct,
            limit: listing.limit,
            by_number,
            files: destination.files.clone(),
        };
        let plan = listing.plan(question);
        for (at, method) in plan.iter().enumerate() {
            let by_number = match method {
                ListMethod::Census => true,
                ListMethod::Backtrack => false,
                other => {
                    self.alone(other.name());
                    return Ok(None);
                }
            };
            let request = request(by_number);
            self.begin(Job::List(request.clone()), &Watch::new(options));
            match list(self.rank(), &request, destination, out) {
                Err(error) if at + 1 < plan.len() && error.is::<CannotBegin>() => {}
                listed => return listed.map(Some),
            }
        }
        Ok(None)
    }
}

/// A rank's part of [`Job::List`].
pub(crate) fn write_pieces(rank: &mut Rank, request: &Request) {
    // Errors reach rank 0 with the answers, or when all agree on how they have begun and ended.
    let _ = list(rank, request, &Destination::default(), &mut std::io::sink());
}

/// Lists with all ranks; rank 0 says which piece is whose.
fn list(
    rank: &mut Rank,
    request: &Request,
    destination: &Destination,
    out: &mut dyn Write,
) -> anyhow::Result<Listed> {
    let watch = rank.watch().clone();
    let (number, ranks) = (rank.rank(), rank.size());
    let begun = rank.while_listening(|| Begun::new(request, number, ranks, &watch));
    // All begin, or none: who cannot, says why.
    let word = begun.as_ref().err().map(|error| match error.downcast_ref::<SolveError>() {
        Some(SolveError::Stopped(_)) => "halt".to_owned(),
        _ if number == 0 => format!("{error:#}"),
        _ => format!("rank {number}: {error:#}"),
    });
    let words = rank.share(word.unwrap_or_default().into_bytes());
    let words: Vec<_> = words.iter().map(|word| String::from_utf8_lossy(word)).collect();
    if words.iter().any(|word| word == "halt") {
        let why = watch.halted().unwrap_or(Halt::Asked);
        return Ok(Listed { why: Some(why), ..Listed::default() });
    }
    if let Some(word) = words.iter().find(|word| !word.is_empty()) {
        return Err(CannotBegin(word.to_string()).into());
    }
    let Begun { lister, file, pieces } = begun?;
    let writer =
        Writer { lister: &lister, file: file.as_ref().map(|file| &file.out), watch: &watch };
    let lines = Work {
        threads: watch.threads(),
        ahead: watch.threads(),
        worker: &|| Box::new(|(number, piece)| writer.work(number, piece)),
        bound: None,
    };
    if number > 0 {
        rank.take_part(&lines);
        close_together(rank, file, false)?;
        return Ok(Listed::default());
    }
    let mut tasks = LineTasks {
        pieces,
        next: 0,
        answered: 0,
        due: 0,
        window: (64 * watch.threads() * ranks) as u64,
        waiting: BTreeMap::new(),
        ordered: !destination.unordered && destination.files.is_none(),
        left: request.limit.unwrap_or(u64::MAX),
        tours: 0,
        halted: false,
        failure: None,
        out,
    };
    rank.coordinate(&lines, &mut tasks);
    let is_whole = tasks.is_whole();
    let LineTasks { tours, left, failure, .. } = tasks;
    let why = (left > 0 && !is_whole).then(|| watch.halted().unwrap_or(Halt::Asked));
    close_together(rank, file, failure.is_none() && why.is_none())?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    Ok(Listed { tours, why, reason: None })
}

/// All ranks write what they have; the files get their names if that went well everywhere and rank 0 says that the list
/// is whole.
fn close_together(rank: &mut Rank, file: Option<RankFile>, is_whole: bool) -> anyhow::Result<()> {
    let Some(mut file) = file else { return Ok(()) };
    let (number, written) = (rank.rank(), file.write_out());
    let word = written.err().map(|error| format!("rank {number}: {error:#}")).unwrap_or_default();
    let words = rank.share([&[u8::from(is_whole)], word.as_bytes()].concat());
    let mut said = words.iter().map(|word| String::from_utf8_lossy(&word[1..]));
    if let Some(word) = said.find(|word| !word.is_empty()) {
        anyhow::bail!("{word}");
    }
    let named = if words[0][0] == 1 { file.take_name() } else { Ok(()) };
    let word = named.err().map(|error| format!("rank {number}: {error:#}")).unwrap_or_default();
    let words = rank.share(word.into_bytes());
    let mut said = words.iter().map(|word| String::from_utf8_lossy(word));
    said.find(|word| !word.is_empty()).map_or(Ok(()), |word| Err(anyhow::anyhow!("{word}")))
}

/// What a rank has when it begins.
struct Begun {
    lister: Lister,
    file: Option<RankFile>,
    pieces: Pieces,
}

impl Begun {
    fn new(request: &Request, rank: usize, ranks: usize, watch: &Watch) -> anyhow::Result<Begun> {
        let lister = Lister::new(request, watch)?;
        let file = request.files.as_ref().map(|name| RankFile::open(name, rank)).transpose()?;
        let pieces = match &lister.tours {
            Tours::Numbered(numbered) => Pieces::Numbers(0..numbered.batches()),
            Tours::Beginnings(_) if rank > 0 => Pieces::Numbers(0..0), // rank 0 knows them
            Tours::Beginnings(beginnings) => {
                let enough = PIECES * watch.threads() * ranks;
                Pieces::Beginnings(beginnings.parts(enough)?.into_iter())
            }
        };
        Ok(Begun { lister, file, pieces })
    }
}

/// Why the list could not be begun.
#[derive(Debug)]
struct CannotBegin(String);

impl std::fmt::Display for CannotBegin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotBegin {}

/// What a rank needs to write tours.
struct Lister {
    line: Line,
    tours: Tours,
}

/// Where the tours come from.
enum Tours {
    Numbered(Box<Numbered>),
    Beginnings(Box<Beginnings>),
}

impl Lister {
    fn new(request: &Request, watch: &Watch) -> anyhow::Result<Lister> {
        let Request { question, style, method, by_number, .. } = request;
        let style = STYLES.iter().find(|(_, name)| name == style);
        let style = style.map_or(Style::List, |&(style, _)| style);
        let mut listing = Listing::all().by(method.parse()?);
        listing.distinct = request.distinct;
        listing.limit = request.limit;
        let tours = if *by_number {
            Tours::Numbered(Box::new(Numbered::new(question, listing, watch)?))
        } else {
            Tours::Beginnings(Box::new(Beginnings::new(question, listing)))
        };
        Ok(Lister { line: Line::new(question.clone(), style, listing.method), tours })
    }

    /// The tours of a piece, written.
    fn piece(&self, piece: Piece, watch: &Watch) -> anyhow::Result<Batch<Vec<u8>>> {
        let write = |tour: &Tour, text: &mut Vec<u8>| self.line.write(tour, text);
        Ok(match (piece, &self.tours) {
            (Piece::Batch(number), Tours::Numbered(numbered)) => {
                numbered.batch(number, u64::MAX, watch, &write)?
            }
            (Piece::Below(squares), Tours::Beginnings(beginnings)) => {
                let squares = squares.into_iter().map(|(file, rank)| Square::new(file, rank));
                beginnings.batch(squares.collect(), watch, &write)?
            }
            _ => anyhow::bail!("this piece is of another list"),
        })
    }
}

/// A piece of the list.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Piece {
    Batch(u64),
    Below(Vec<(u32, u32)>),
}

/// A piece, written.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Written {
    number: u64,
    lines: u64,
    text: Vec<u8>,
    halted: bool,
    error: Option<String>,
}

struct Writer<'c> {
    lister: &'c Lister,
    file: Option<&'c Mutex<BufWriter<File>>>,
    watch: &'c Watch,
}

impl Writer<'_> {
    fn piece(&self, piece: Piece) -> anyhow::Result<Batch<Vec<u8>>> {
        let mut batch = self.lister.piece(piece, self.watch)?;
        if let Some(file) = self.file {
            let mut file = file.lock().expect("no thread panics with the file");
            file.write_all(&batch.written)?;
            batch.written.clear();
        }
        Ok(batch)
    }

    fn work(&self, number: u64, piece: Piece) -> Written {
        match self.piece(piece) {
            Ok(Batch { written: text, tours: lines, halt }) => {
                Written { number, lines, text, halted: halt.is_some(), error: None }
            }
            Err(error) => {
                let error = Some(format!("{error:#}"));
                Written { number, lines: 0, text: Vec::new(), halted: false, error }
            }
        }
    }
}

enum Pieces {
    Numbers(std::ops::Range<u64>),
    Beginnings(std::vec::IntoIter<Vec<Square>>),
}

/// Rank 0, who puts the pieces out.
struct LineTasks<'o> {
    pieces: Pieces,
    next: u64,
    answered: u64,
    due: u64,
    window: u64,
    waiting: BTreeMap<u64, Written>,
    ordered: bool,
    left: u64,
    tours: u64,
    halted: bool,
    failure: Option<anyhow::Error>,
    out: &'o mut dyn Write,
}

impl LineTasks<'_> {
    /// Were all pieces assigned and fully written?
    fn is_whole(&self) -> bool {
        let all_dealt = match &self.pieces {
            Pieces::Numbers(numbers) => numbers.is_empty(),
            Pieces::Beginnings(parts) => parts.len() == 0,
        };
        all_dealt && self.answered == self.next && !self.halted
    }

    fn put_out(&mut self, written: Written) -> ControlFlow<()> {
        let Written { lines, text, halted, error, .. } = written;
        if let Some(error) = error {
            self.failure.get_or_insert(anyhow::anyhow!(error));
            return ControlFlow::Break(());
        }
        // Lines written to a file have no text here.
        if let Err(error) = self.out.write_all(first_lines(&text, lines, self.left)) {
            self.failure.get_or_insert(error.into());
            return ControlFlow::Break(());
        }
        let lines = lines.min(self.left);
        self.tours += lines;
        self.left -= lines;
        self.halted |= halted;
        if self.left == 0 || self.ordered && halted {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Tasks for LineTasks<'_> {
    type Task = (u64, Piece);
    type Result = Written;

    fn next(&mut self) -> Option<(u64, Piece)> {
        if self.left == 0 {
            return None;
        }
        if self.ordered && self.next >= self.due + self.window {
            return None; // until the next piece has arrived
        }
        let piece = match &mut self.pieces {
            Pieces::Numbers(numbers) => Piece::Batch(numbers.next()?),
            Pieces::Beginnings(parts) => {
                let squares = parts.next()?;
                Piece::Below(squares.iter().map(|square| (square.file, square.rank)).collect())
            }
        };
        self.next += 1;
        Some((self.next - 1, piece))
    }

    fn enter(&mut self, written: Written) -> ControlFlow<()> {
        self.answered += 1;
        if self.failure.is_some() || self.left == 0 || self.ordered && self.halted {
            return ControlFlow::Break(()); // what comes after the end
        }
        if !self.ordered {
            return self.put_out(written);
        }
        self.waiting.insert(written.number, written);
        while let Some(written) = self.waiting.remove(&self.due) {
            self.due += 1;
            self.put_out(written)?;
        }
        ControlFlow::Continue(())
    }
}

/// The first of some lines, at most this many.
fn first_lines(text: &[u8], lines: u64, most: u64) -> &[u8] {
    if lines <= most {
        return text;
    }
    let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let last = ends.take(usize::try_from(most).unwrap_or(usize::MAX)).last();
    &text[..last.map_or(0, |(at, _)| at + 1)]
}

/// The file of one rank, which gets its name when it is complete.
struct RankFile {
    out: Mutex<BufWriter<File>>,
    partial: PathBuf,
    name: PathBuf,
}

impl RankFile {
    fn open(name: &std::path::Path, rank: usize) -> anyhow::Result<RankFile> {
        let with = |end: String| {
            let mut name = name.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        let (partial, name) = (with(format!(".{rank}.partial")), with(format!(".{rank}")));
        let file = File::create(&partial);
        let file = file.with_context(|| format!("cannot write `{}`", partial.display()))?;
        let out = Mutex::new(BufWriter::with_capacity(1 << 16, file));
        Ok(RankFile { out, partial, name })
    }

    fn write_out(&mut self) -> anyhow::Result<()> {
        let out = self.out.get_mut().expect("no thread panics with the file");
        let written = out.flush().and_then(|()| out.get_ref().sync_all());
        written.with_context(|| format!("cannot write `{}`", self.partial.display()))
    }

    fn take_name(self) -> anyhow::Result<()> {
        let named = std::fs::rename(&self.partial, &self.name);
        named.with_context(|| format!("cannot write `{}`", self.name.display()))
    }
}
