//! Lists of tours from many ranks: pieces dealt out, lines in one stream or in one file a rank.
//!
//! Where the tours are numbered, a piece is a stretch of numbers; where they are searched for, it is the
//! beginning of a walk. Pieces are written by whoever is free. Rank 0 puts them out in order, and
//! deals no piece that is too far ahead of the next one due, so that few wait in its memory.
//!
//! Invariant: in order, the lines are those of one process, byte for byte; else they are the same lines.
//! Cost: each rank has the tables of the numbers; each line goes over the wire once, unless it is
//! written to a file of its own rank.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::Context as _;
use destrier::count::Census;
use destrier::tour::{Backtrack, Below, Canon, TOUR_ENUMERATORS};
use destrier::{Enumerator as _, Halt, Outcome, SolveError, Watch};
use destrier_rules::{Square, TourProblem};
use destrier_terminal::enumerate::{BATCH, Batch, EnumerateArgs, Line, Listed, Style};
use serde::{Deserialize, Serialize};

use crate::crew::Crew;
use crate::fleet::Fleet;
use crate::job::Job;
use crate::trade::{Dealer, Trade};

/// What is to be listed, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Listing {
    question: TourProblem,
    style: String,
    method: String,
    distinct: bool,
    by_number: bool,
    /// Each rank adds its number to this name.
    files: Option<PathBuf>,
}

/// Where lines go, and in which order.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// One file a rank: this name, a dot, and the rank.
    pub files: Option<PathBuf>,
    /// Lines as they come, rather than in the order of one process.
    pub unordered: bool,
}

const STYLES: [(Style, &str); 3] =
    [(Style::List, "list"), (Style::Moves, "moves"), (Style::Json, "json")];

/// Pieces of a search for each thread.
const PIECES: usize = 64;

impl Fleet {
    /// Lists the tours of a question; none if the method is not one that is shared out.
    ///
    /// # Errors
    /// When the question cannot be taken on, or lines cannot be written.
    pub fn list(
        &mut self,
        args: &EnumerateArgs,
        ways: &Ways,
        line: &Line,
        watch: &Watch,
        out: &mut dyn Write,
    ) -> anyhow::Result<Option<Listed>> {
        let question = line.question();
        let method = args.method();
        let style = STYLES.iter().find(|(style, _)| *style == line.style());
        let listing = Listing {
            question: question.clone(),
            style: style.map_or("list", |&(_, name)| name).to_owned(),
            method: method.to_owned(),
            distinct: args.distinct(),
            by_number: true,
            files: ways.files.clone(),
        };
        let is_auto = method == "auto";
        if method == "census" || is_auto && args.prefers_census(question) {
            self.begin(Job::List(listing.clone()), watch);
            match list(self.crew(), &listing, args.limit(), ways, out) {
                Err(error) if is_auto && error.is::<CannotBegin>() => {} // it does not fit
                listed => return listed.map(Some),
            }
        }
        if method == "backtrack" || is_auto && question.is_classic() {
            let listing = Listing { by_number: false, ..listing };
            self.begin(Job::List(listing.clone()), watch);
            return list(self.crew(), &listing, args.limit(), ways, out).map(Some);
        }
        if is_auto || TOUR_ENUMERATORS.iter().any(|known| known.name() == method) {
            self.alone(if is_auto { "search" } else { method });
        }
        Ok(None)
    }
}

/// A rank's part of [`Job::List`].
pub(crate) fn write_pieces(crew: &mut Crew, listing: &Listing) {
    // Errors reach rank 0 with the answers, or when all agree on how they have begun.
    let _ = list(crew, listing, None, &Ways::default(), &mut std::io::sink());
}

/// Lists with all ranks; rank 0 says which piece is whose.
fn list(
    crew: &mut Crew,
    listing: &Listing,
    limit: Option<u64>,
    ways: &Ways,
    out: &mut dyn Write,
) -> anyhow::Result<Listed> {
    let watch = crew.watch().clone();
    let (rank, ranks) = (crew.rank(), crew.size());
    let begun = crew.attend(|| Begun::new(listing, rank, ranks, &watch));
    // All begin, or none: who cannot, says why.
    let word = begun.as_ref().err().map(|error| match error.downcast_ref::<SolveError>() {
        Some(SolveError::Stopped(_)) => "halt".to_owned(),
        _ if rank == 0 => format!("{error:#}"),
        _ => format!("rank {rank}: {error:#}"),
    });
    let words = crew.share(word.unwrap_or_default().into_bytes());
    let words: Vec<_> = words.iter().map(|word| String::from_utf8_lossy(word)).collect();
    if words.iter().any(|word| word == "halt") {
        let why = watch.halted().unwrap_or(Halt::Asked);
        return Ok(Listed { tours: 0, why: Some(why) });
    }
    if let Some(word) = words.iter().find(|word| !word.is_empty()) {
        return Err(CannotBegin(word.to_string()).into());
    }
    let Begun { clerk, file, pieces } = begun?;
    let lines = Lines { clerk: &clerk, file: file.as_ref().map(|file| &file.out), watch: &watch };
    if crew.rank() > 0 {
        crew.labour(&lines);
        file.map_or(Ok(()), Volume::close)?;
        return Ok(Listed { tours: 0, why: None });
    }
    let mut dealer = Publisher {
        pieces,
        next: 0,
        answered: 0,
        due: 0,
        window: (64 * watch.threads() * ranks) as u64,
        waiting: BTreeMap::new(),
        ordered: !ways.unordered && ways.files.is_none(),
        left: limit.unwrap_or(u64::MAX),
        tours: 0,
        halted: false,
        failure: None,
        out,
    };
    if dealer.left > 0 {
        crew.deal(&lines, &mut dealer);
    } else {
        crew.deal(&lines, &mut Nothing);
    }
    let is_whole = dealer.is_whole();
    let Publisher { tours, left, failure, .. } = dealer;
    if let Some(failure) = failure {
        return Err(failure);
    }
    file.map_or(Ok(()), Volume::close)?;
    let why = watch.halted().filter(|_| left > 0 && !is_whole);
    Ok(Listed { tours, why })
}

/// What a rank has when it begins.
struct Begun {
    clerk: Clerk,
    file: Option<Volume>,
    pieces: Pieces,
}

impl Begun {
    fn new(listing: &Listing, rank: usize, ranks: usize, watch: &Watch) -> anyhow::Result<Begun> {
        let clerk = Clerk::new(listing, watch)?;
        let file = listing.files.as_ref().map(|name| Volume::open(name, rank)).transpose()?;
        let pieces = match &clerk.census {
            Some(census) => Pieces::Numbers(0, census.total()),
            None if rank > 0 => Pieces::Numbers(0, 0), // rank 0 knows them
            None => {
                let enough = PIECES * watch.threads() * ranks;
                Pieces::Beginnings(Backtrack::parts(&listing.question, enough)?.into_iter())
            }
        };
        Ok(Begun { clerk, file, pieces })
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
struct Clerk {
    line: Line,
    census: Option<Census>,
    canon: Option<Canon>,
}

impl Clerk {
    fn new(listing: &Listing, watch: &Watch) -> anyhow::Result<Clerk> {
        let Listing { question, style, method, distinct, by_number, .. } = listing;
        let style = STYLES.iter().find(|(_, name)| name == style);
        let style = style.map_or(Style::List, |&(style, _)| style);
        let census = if *by_number {
            let memory = watch.memory().unwrap_or(4 << 30);
            let watch = watch.clone().with_memory(Some(memory));
            let number = if method == "auto" { Census::whole } else { Census::new };
            Some(number(question, &watch)?)
        } else {
            None
        };
        let canon = distinct.then(|| Canon::new(question));
        Ok(Clerk { line: Line::new(question.clone(), style, method), census, canon })
    }

    /// The tours of a search below a beginning.
    fn below(&self, beginning: Vec<Square>, watch: &Watch) -> anyhow::Result<(Batch, bool)> {
        let mut batch = Batch::default();
        let mut failure = None;
        let question = self.line.question();
        let run = Below::new(beginning).enumerate(question, watch, &mut |tour| {
            if self.canon.as_ref().is_none_or(|canon| canon.is_first(tour)) {
                if let Err(error) = self.line.write(tour, &mut batch.text) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                batch.lines += 1;
            }
            ControlFlow::Continue(())
        })?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        Ok((batch, matches!(run.outcome, Outcome::Unfinished { .. })))
    }
}

/// A piece of the list.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Piece {
    From(u128),
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

struct Lines<'c> {
    clerk: &'c Clerk,
    file: Option<&'c Mutex<BufWriter<File>>>,
    watch: &'c Watch,
}

impl Lines<'_> {
    fn piece(&self, piece: Piece) -> anyhow::Result<(Batch, bool)> {
        let Clerk { line, census, canon } = self.clerk;
        let (mut batch, halted) = match (piece, census) {
            (Piece::From(from), Some(census)) => match self.watch.halted() {
                Some(_) => (Batch::default(), true),
                None => (line.batch(census, from, canon.as_ref())?, false),
            },
            (Piece::Below(squares), _) => {
                let square = |(file, rank)| Square::new(file, rank);
                self.clerk.below(squares.into_iter().map(square).collect(), self.watch)?
            }
            (Piece::From(_), None) => anyhow::bail!("a number, and no table of numbers"),
        };
        if let Some(file) = self.file {
            let mut file = file.lock().expect("no thread panics with the file");
            file.write_all(&batch.text)?;
            batch.text.clear();
        }
        Ok((batch, halted))
    }
}

impl Trade for Lines<'_> {
    type Task = (u64, Piece);
    type Answer = Written;
    type Desk = ();

    fn lanes(&self) -> usize {
        self.watch.threads()
    }

    fn ahead(&self) -> usize {
        self.lanes()
    }

    fn desk(&self) {}

    fn work(&self, (): &mut (), (number, piece): (u64, Piece)) -> Written {
        match self.piece(piece) {
            Ok((Batch { lines, text }, halted)) => {
                Written { number, lines, text, halted, error: None }
            }
            Err(error) => {
                let error = Some(format!("{error:#}"));
                Written { number, lines: 0, text: Vec::new(), halted: false, error }
            }
        }
    }
}

enum Pieces {
    Numbers(u128, u128),
    Beginnings(std::vec::IntoIter<Vec<Square>>),
}

/// Rank 0, who puts the pieces out.
struct Publisher<'o> {
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

impl Publisher<'_> {
    /// Were all pieces dealt out, and written to their ends?
    fn is_whole(&self) -> bool {
        let all_dealt = match &self.pieces {
            Pieces::Numbers(from, total) => from >= total,
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
        // Lines that went to a file have no text here.
        let batch = Batch { lines, text };
        let put = if batch.text.is_empty() {
            Ok(lines.min(self.left))
        } else {
            batch.write(self.left, self.out)
        };
        match put {
            Ok(lines) => {
                self.tours += lines;
                self.left -= lines;
            }
            Err(error) => {
                self.failure.get_or_insert(error);
                return ControlFlow::Break(());
            }
        }
        self.halted |= halted;
        if self.left == 0 || self.ordered && halted {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Dealer<Lines<'_>> for Publisher<'_> {
    fn next(&mut self) -> Option<(u64, Piece)> {
        if self.ordered && self.next >= self.due + self.window {
            return None; // until the piece that is due has come
        }
        let piece = match &mut self.pieces {
            Pieces::Numbers(from, total) if *from < *total => {
                let piece = Piece::From(*from);
                *from += BATCH;
                piece
            }
            Pieces::Numbers(..) => return None,
            Pieces::Beginnings(parts) => {
                let squares = parts.next()?;
                Piece::Below(squares.iter().map(|square| (square.file, square.rank)).collect())
            }
        };
        self.next += 1;
        Some((self.next - 1, piece))
    }

    fn take(&mut self, _: usize, written: Written) -> ControlFlow<()> {
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

/// No tours are wanted.
struct Nothing;

impl Dealer<Lines<'_>> for Nothing {
    fn next(&mut self) -> Option<(u64, Piece)> {
        None
    }

    fn take(&mut self, _: usize, _: Written) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// The file of one rank, which gets its name when it is complete.
struct Volume {
    out: Mutex<BufWriter<File>>,
    partial: PathBuf,
    name: PathBuf,
}

impl Volume {
    fn open(name: &std::path::Path, rank: usize) -> anyhow::Result<Volume> {
        let with = |end: String| {
            let mut name = name.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        let (partial, name) = (with(format!(".{rank}.partial")), with(format!(".{rank}")));
        let file = File::create(&partial);
        let file = file.with_context(|| format!("cannot write `{}`", partial.display()))?;
        let out = Mutex::new(BufWriter::with_capacity(1 << 16, file));
        Ok(Volume { out, partial, name })
    }

    fn close(self) -> anyhow::Result<()> {
        let out = self.out.into_inner().expect("no thread panics with the file");
        let file = out.into_inner().map_err(std::io::IntoInnerError::into_error);
        let file = file.and_then(|file| file.sync_all().map(|()| file));
        let closed = file.and_then(|_| std::fs::rename(&self.partial, &self.name));
        closed.with_context(|| format!("cannot write `{}`", self.name.display()))
    }
}
