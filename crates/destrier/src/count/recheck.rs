//! Counting the slices of a journal again, by the plain frontier.
//!
//! A slice of a count by `middle` is the tours whose middle squares, as far as it fixes them, have a given number of edges in the
//! upper half of the board. That is a question about cycles of a graph: a square with no upper edge loses its
//! upper edges, one with two loses its lower ones, and one with an edge of each kind becomes three vertices in a
//! row, the first with the upper edges, the last with the lower ones. The plain frontier counts the cycles
//! of that graph; it knows nothing of halves, rows and joins.
//!
//! Invariant: the vertex between the two others has two edges, and so every cycle takes both.
//! Cost: a frontier sweep, less what the degrees rule out, for each of the up to four images of a slice.
//! Source: the usual splitting of a vertex.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use destrier_rules::{Board, Problem as _, Shape, Square, TourProblem};
use num_bigint::BigUint;

use super::frontier::{MOST_SQUARES, cycles};
use super::middle::{MiddleCount, Partial, Slice, read_journal};
use super::orders::Orders;
use crate::graph::cycle::{CycleGraph, Edge};
use crate::graph::{KnightGraph, Vertex, narrow};
use crate::outcome::{Run, SolveError, Stop};
use crate::run::random::Random;
use crate::run::watch::Watch;

/// The method that slices are counted again with.
pub const PLAIN: &str = "frontier";

/// The most slices that are looked at when they come by name.
const MOST_STEPS: usize = 1 << 20;

/// A journal as it stands: its question, the slices that are finished, and how many are not.
#[derive(Clone, Debug)]
pub struct Record {
    problem: TourProblem,
    finished: Vec<Partial>,
    open: u64,
}

impl Record {
    /// Reads the journal of a folder, and changes nothing there.
    ///
    /// # Errors
    /// When there is none, or it is broken before its last line.
    pub fn read(folder: &Path) -> Result<Record, SolveError> {
        let (question, journal) = read_journal(folder)?;
        let strange = || {
            let why = format!("{} has an unknown question: `{question}`", folder.display());
            SolveError::Unsuited { method: "middle", why }
        };
        let problem = problem_of(&question).ok_or_else(strange)?;
        problem.validate()?;
        let ready = MiddleCount::new(&problem)?;
        if ready.question() != question {
            return Err(strange());
        }
        let mut record = Record { problem, finished: Vec::new(), open: 0 };
        let mut slices = ready.slices(journal.depth().unwrap_or(0));
        slices.reverse();
        while let Some(slice) = slices.pop() {
            if let Some(partial) = journal.finished(slice) {
                record.finished.push(partial.clone());
                continue;
            }
            let smaller = if journal.was_cut(slice) { ready.within(slice) } else { Vec::new() };
            record.open += u64::from(smaller.is_empty());
            slices.extend(smaller.into_iter().rev());
        }
        Ok(record)
    }

    /// From slices that were written down elsewhere, by name, with their sums.
    ///
    /// # Errors
    /// When they are not slices of this question, or do not cover it, or overlap.
    pub fn of_slices(
        problem: &TourProblem,
        sums: &BTreeMap<String, String>,
    ) -> Result<Record, SolveError> {
        let unsuited = |why: String| SolveError::Unsuited { method: "middle", why };
        let ready = MiddleCount::new(problem)?;
        let problem = problem_of(&ready.question());
        let problem = problem.ok_or_else(|| unsuited("it does not count this".to_owned()))?;
        let mut named = BTreeMap::new();
        for (name, sum) in sums {
            let sum: BigUint = sum.parse().map_err(|_| unsuited(format!("`{sum}`: no number")))?;
            named.insert(name.parse::<Slice>().map_err(unsuited)?, sum);
        }
        let mut record = Record { problem, finished: Vec::new(), open: 0 };
        let mut slices = vec![Slice::WHOLE];
        // Every slice that is cut has a smaller one that is named, so there are few.
        let mut steps = 0;
        while let Some(slice) = slices.pop() {
            steps += 1;
            if let Some(sum) = named.remove(&slice) {
                record.finished.push(Partial { slice, sum, kept: 0, pairs: 0 });
                continue;
            }
            let smaller = ready.within(slice);
            if smaller.is_empty() || steps > MOST_STEPS {
                return Err(unsuited(format!("slice {slice} is missing")));
            }
            slices.extend(smaller);
        }
        match named.keys().next() {
            Some(slice) => Err(unsuited(format!("slice {slice} lies within another, or is none"))),
            None => Ok(record),
        }
    }

    /// What is counted; the board stands with its shorter side below.
    #[must_use]
    pub const fn problem(&self) -> &TourProblem {
        &self.problem
    }

    /// The slices that are finished, none within another.
    #[must_use]
    pub fn finished(&self) -> &[Partial] {
        &self.finished
    }

    /// How many slices are still to be worked out; some of them may be cut yet.
    #[must_use]
    pub const fn open(&self) -> u64 {
        self.open
    }

    /// The sum of the finished slices: the number of undirected tours, if none is open.
    #[must_use]
    pub fn sum(&self) -> BigUint {
        self.finished.iter().map(|partial| &partial.sum).sum()
    }

    /// This many finished slices, chosen at random; the same ones for the same seed.
    #[must_use]
    pub fn draw(&self, number: u64, seed: u64) -> Vec<&Partial> {
        let mut random = Random::new(seed);
        let mut left = u128::from(number);
        let mut drawn = Vec::new();
        for (at, partial) in self.finished.iter().enumerate() {
            let behind = (self.finished.len() - at) as u128;
            if random.uniform(behind) < left {
                left -= 1;
                drawn.push(partial);
            }
        }
        drawn
    }

    /// Counts the undirected tours of a slice by the plain frontier.
    ///
    /// # Errors
    /// When the frontier is too wide or outgrows the memory allowed.
    pub fn recount(&self, slice: Slice, watch: &Watch) -> Result<Run<BigUint>, SolveError> {
        let graph = KnightGraph::for_question(&self.problem, MOST_SQUARES, PLAIN)?;
        let rows = MiddleRows::of(&self.problem);
        let images = rows.images(rows.degrees(slice)).into_iter().map(|degrees| {
            let orders = Orders::of(&self.problem, &graph);
            cycles(&rows.restricted(orders, &graph, &degrees), watch)
        });
        Run::ended(images.sum::<Result<BigUint, Stop>>(), PLAIN, watch)
    }
}

/// The question that a journal names.
fn problem_of(question: &str) -> Option<TourProblem> {
    let square = |text: &str| {
        let (file, rank) = text.split_once(',')?;
        Some(Square::new(file.parse().ok()?, rank.parse().ok()?))
    };
    let words: Vec<&str> = question.split(' ').collect();
    let (shape, size, start, end) = match words[..] {
        ["closed", size] => (Shape::Closed, size, None, None),
        ["open", size] => (Shape::Open, size, None, None),
        ["open", size, "from", start] => (Shape::Open, size, Some(square(start)?), None),
        ["open", size, "between", start, "and", end] => {
            (Shape::Open, size, Some(square(start)?), Some(square(end)?))
        }
        _ => return None,
    };
    let (files, ranks) = size.split_once('x')?;
    let board = Board::new(files.parse().ok()?, ranks.parse().ok()?).ok()?;
    Some(TourProblem { shape, start, end, ..TourProblem::open(board) })
}

/// How many upper edges a middle square has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Degree {
    file: u32,
    /// In the lower one of the two middle rows, the one farther from the upper half.
    far: bool,
    upper: u8,
}

/// The two middle rows of a board, by geometry alone.
#[derive(Clone, Copy, Debug)]
struct MiddleRows {
    files: u32,
    /// The first of the two middle rows; the rows before it are the upper half's own.
    near: u32,
    mirror: bool,
    exchange: bool,
}

impl MiddleRows {
    fn of(problem: &TourProblem) -> MiddleRows {
        let (files, ranks) = (problem.board.files(), problem.board.ranks());
        // Given ends spoil both.
        let free = problem.shape == Shape::Closed || (problem.start, problem.end) == (None, None);
        MiddleRows {
            files,
            near: (ranks - 2) / 2,
            mirror: free,
            exchange: free && ranks.is_multiple_of(2),
        }
    }

    /// What a slice fixes.
    fn degrees(&self, slice: Slice) -> BTreeSet<Degree> {
        let files = self.files;
        let depth = u32::try_from(slice.depth()).expect("a few files");
        let outer = (0..files).filter(|&file| file < depth || file >= files - depth);
        let squares = outer.flat_map(|file| [(file, false), (file, true)]);
        let degree = |(file, far): (u32, bool)| {
            // Column by column, two bits a square; the upper square first on the left, the lower one on the right.
            let is_left = file < files.div_ceil(2);
            let place = 2 * file + u32::from(far == is_left);
            let upper = u8::try_from(slice.class() >> (2 * place) & 3).expect("two bits");
            Degree { file, far, upper }
        };
        squares.map(degree).collect()
    }

    /// The degrees of tours that lie in the same slice: mirrored, upside down, and both.
    fn images(&self, degrees: BTreeSet<Degree>) -> BTreeSet<BTreeSet<Degree>> {
        let mirrored = |degrees: &BTreeSet<Degree>| -> BTreeSet<Degree> {
            let image = |d: &Degree| Degree { file: self.files - 1 - d.file, ..*d };
            degrees.iter().map(image).collect()
        };
        let exchanged = |degrees: &BTreeSet<Degree>| -> BTreeSet<Degree> {
            let image = |d: &Degree| Degree { far: !d.far, upper: 2 - d.upper, ..*d };
            degrees.iter().map(image).collect()
        };
        let mut images = BTreeSet::from([degrees]);
        if self.mirror {
            images.extend(images.clone().iter().map(mirrored));
        }
        if self.exchange {
            images.extend(images.clone().iter().map(exchanged));
        }
        images
    }

    /// Does the upper half have this edge? What is no square is an apex or an anchor.
    fn is_upper(&self, a: Option<Square>, b: Option<Square>) -> bool {
        let (near, far) = (self.near, self.near + 1);
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => {
                if a.rank <= b.rank {
                    (a, b)
                } else {
                    (b, a)
                }
            }
            // An edge to the apex goes with the square: that of the first middle row is the upper half's.
            (Some(square), None) | (None, Some(square)) => return square.rank <= near,
            (None, None) => return true,
        };
        if a.rank < near || b.rank > far {
            return a.rank < near;
        }
        // Inside the middle rows the edges cross in pairs, and each half has one of a pair.
        let is_left = a.file.min(b.file) < (self.files - 2).div_ceil(2);
        (a.file < b.file) == is_left
    }

    /// The graph whose cycles have these degrees.
    fn restricted(
        &self,
        Orders { graph: whole, mut candidates, .. }: Orders,
        graph: &KnightGraph,
        degrees: &BTreeSet<Degree>,
    ) -> Orders {
        let square = |v: Vertex| ((v as usize) < graph.len()).then(|| graph.square(v));
        let is_upper = |edge: &Edge| self.is_upper(square(edge.a), square(edge.b));
        let mut edges: Vec<(Edge, bool)> =
            whole.edges().iter().map(|&edge| (edge, is_upper(&edge))).collect();
        let mut vertices = whole.vertices();
        for degree in degrees {
            let rank = self.near + u32::from(degree.far);
            let v = graph.vertex(Square::new(degree.file, rank)).expect("a plain board has it");
            if degree.upper != 1 {
                let keeps_upper = degree.upper == 2;
                edges.retain(|(edge, upper)| (edge.a != v && edge.b != v) || *upper == keeps_upper);
                continue;
            }
            let (between, lower) = (narrow(vertices), narrow(vertices + 1));
            vertices += 2;
            for (edge, _) in edges.iter_mut().filter(|(_, upper)| !upper) {
                let moved = |w: Vertex| if w == v { lower } else { w };
                *edge = Edge::plain(moved(edge.a), moved(edge.b));
            }
            edges.push((Edge::plain(v, between), true));
            edges.push((Edge::plain(between, lower), true));
            for order in &mut candidates {
                let at = order.iter().position(|&w| w == v).expect("every vertex is in an order");
                order.splice(at + 1..=at, [between, lower]);
            }
        }
        let edges = edges.into_iter().map(|(edge, _)| edge).collect();
        Orders { graph: CycleGraph::of_edges(vertices, edges), candidates, rows: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;

    fn record(problem: TourProblem) -> Record {
        Record { problem, finished: Vec::new(), open: 0 }
    }

    /// Holds every slice of a question against the method that it is a slice of.
    fn agrees(files: u32, ranks: u32, ask: impl Fn(Board) -> TourProblem, depths: usize) {
        let problem = ask(Board::new(files, ranks).expect("a board"));
        let ready = MiddleCount::new(&problem).expect("a fitting board");
        let watch = Watch::unlimited();
        let begun = ready.begin(None, &watch).expect("room");
        let record = record(problem);
        let mut sums = BTreeSet::new();
        let by_depth = (0..=depths.min(ready.deepest())).map(|depth| ready.slices(depth));
        for slices in by_depth {
            let mut sum = BigUint::ZERO;
            for Partial { slice, sum: told, .. } in
                ready.run(&begun, &slices, &watch).expect("room")
            {
                let run = record.recount(slice, &watch).expect("a narrow frontier");
                assert_eq!(
                    run.outcome,
                    Outcome::Solved(told.clone()),
                    "{slice} of {files}x{ranks}"
                );
                sum += told;
            }
            sums.insert(sum);
        }
        assert_eq!(sums.len(), 1, "{files}x{ranks}: {sums:?}");
    }

    #[test]
    fn every_slice_counted_again_comes_to_the_same_sum() {
        let corner = Some(Square::new(0, 0));
        agrees(3, 10, TourProblem::closed, 1);
        agrees(5, 6, TourProblem::closed, 2);
        agrees(6, 6, TourProblem::closed, 2);
        agrees(6, 7, TourProblem::closed, 1);
        agrees(4, 5, TourProblem::open, 1);
        agrees(5, 5, TourProblem::open, 2);
        agrees(5, 5, |board| TourProblem { start: corner, ..TourProblem::open(board) }, 2);
        let end = Some(Square::new(3, 3));
        agrees(4, 6, |board| TourProblem { start: corner, end, ..TourProblem::open(board) }, 1);
        let end = Some(Square::new(2, 2));
        agrees(4, 5, |board| TourProblem { end, ..TourProblem::open(board) }, 1);
    }

    #[test]
    fn the_question_of_a_journal_is_read_back() {
        let board = Board::new(4, 6).expect("a board");
        let (start, end) = (Some(Square::new(1, 0)), Some(Square::new(2, 5)));
        for problem in [
            TourProblem::closed(board.clone()),
            TourProblem::open(board.clone()),
            TourProblem { start, ..TourProblem::open(board.clone()) },
            TourProblem { start, end, ..TourProblem::open(board) },
        ] {
            let question = MiddleCount::new(&problem).expect("a fitting board").question();
            assert_eq!(problem_of(&question).as_ref(), Some(&problem), "{question}");
        }
        for strange in
            ["", "closed", "open 4x", "open 4x6 from 1", "shut 4x6", "open 4x6 between 1,0"]
        {
            assert_eq!(problem_of(strange), None, "{strange}");
        }
    }

    #[test]
    fn lots_are_drawn_without_favour_and_again_for_the_same_seed() {
        let mut record = record(TourProblem::closed(Board::new(6, 6).expect("a board")));
        let partial = |slice| Partial { slice, sum: BigUint::ZERO, kept: 0, pairs: 0 };
        record.finished = ["1:0", "1:1", "1:2", "1:4", "1:5"]
            .map(|text| partial(text.parse().expect("a slice")))
            .to_vec();
        let mut often = [0; 5];
        for seed in 0..1000 {
            let drawn = record.draw(2, seed);
            assert_eq!(drawn.len(), 2);
            assert_eq!(drawn, record.draw(2, seed));
            for one in drawn {
                let at = record.finished.iter().position(|partial| partial == one);
                often[at.expect("one of them")] += 1;
            }
        }
        assert!(often.iter().all(|often| (340..460).contains(often)), "{often:?}");
        assert_eq!(record.draw(9, 1).len(), 5);
        assert!(record.draw(0, 1).is_empty());
    }

    #[test]
    fn a_halt_leaves_the_slice_unfinished() {
        let record = record(TourProblem::closed(Board::new(6, 6).expect("a board")));
        for tick in 1..40 {
            let run = record.recount(Slice::WHOLE, &Watch::halting_at(tick)).expect("narrow");
            assert!(matches!(run.outcome, Outcome::Unfinished { best: None, .. }), "{tick}");
        }
    }
}
