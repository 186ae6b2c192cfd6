//! Brute force from the rules of the game alone: nothing here asks the crates more than what the question is.
//!
//! Squares are numbered, and a set of squares is a mask. A tour or a position of at most sixteen squares is a word with four
//! bits for each: so tens of thousands of questions a second can be searched to the end.
//!
//! Cost: each function gives up (`None`) after so many steps.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use destrier::{
    Board, CaptureProblem, Leaper, Metric, Shape, Side, Square, SwapProblem, Symmetry, TourProblem,
    TourSymmetry,
};

/// Squares that fit into a word.
const MOST: usize = 16;

/// The numbers in a set.
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

/// The open squares of a board, by number, and where a piece can jump from each.
struct Jumps {
    files: u32,
    squares: Vec<Square>,
    /// The number of each square of the rectangle; holes have none.
    numbers: Vec<Option<usize>>,
    near: Vec<u64>,
}

impl Jumps {
    fn new(board: &Board, leaper: Leaper, most: usize) -> Option<Jumps> {
        let (files, ranks) = (board.files(), board.ranks());
        let mut numbers = Vec::new();
        let mut squares = Vec::new();
        for rank in 0..ranks {
            for file in 0..files {
                let square = Square::new(file, rank);
                let is_open = board.contains(square);
                numbers.push(is_open.then_some(squares.len()));
                squares.extend(is_open.then_some(square));
            }
        }
        if squares.len() > most.min(64) {
            return None;
        }
        let mut jumps = Jumps { files, squares, numbers, near: Vec::new() };
        let (a, b) = leaper.legs();
        let (a, b) = (i64::from(a), i64::from(b));
        let along = |from: u32, leg: i64, side: u32, is_joined: bool| {
            let to = i64::from(from) + leg;
            let to = if is_joined { to.rem_euclid(side.into()) } else { to };
            u32::try_from(to).ok().filter(|&to| to < side)
        };
        for (number, from) in jumps.squares.iter().enumerate() {
            let mut reached = 0;
            for (x, y) in [(a, b), (-a, b), (a, -b), (-a, -b), (b, a), (-b, a), (b, -a), (-b, -a)] {
                let file = along(from.file, x, files, board.wrap().joins_files());
                let rank = along(from.rank, y, ranks, board.wrap().joins_ranks());
                if let (Some(file), Some(rank)) = (file, rank)
                    && let Some(to) = jumps.number(Square::new(file, rank))
                {
                    reached |= 1 << to;
                }
            }
            jumps.near.push(reached & !(1 << number));
        }
        Some(jumps)
    }

    fn number(&self, square: Square) -> Option<usize> {
        *self.numbers.get((square.rank * self.files + square.file) as usize)?
    }

    /// Where each square goes, if all open squares go to open ones.
    fn map(&self, to: impl Fn(u32, u32) -> (u32, u32)) -> Option<Vec<usize>> {
        let image = |square: &Square| {
            let (file, rank) = to(square.file, square.rank);
            self.number(Square::new(file, rank))
        };
        self.squares.iter().map(image).collect()
    }

    /// The turns and mirrors that map the board to itself, joined edges included.
    fn symmetries(&self, board: &Board) -> Vec<(Symmetry, Vec<usize>)> {
        let (f, r) = (board.files() - 1, board.ranks() - 1);
        let mut all = vec![
            (Symmetry::Identity, self.map(|x, y| (x, y))),
            (Symmetry::HalfTurn, self.map(|x, y| (f - x, r - y))),
            (Symmetry::MirrorFiles, self.map(|x, y| (f - x, y))),
            (Symmetry::MirrorRanks, self.map(|x, y| (x, r - y))),
        ];
        if f == r && board.wrap().joins_files() == board.wrap().joins_ranks() {
            all.extend([
                (Symmetry::QuarterTurn, self.map(|x, y| (r - y, x))),
                (Symmetry::ThreeQuarterTurn, self.map(|x, y| (y, f - x))),
                (Symmetry::MirrorDiagonal, self.map(|x, y| (y, x))),
                (Symmetry::MirrorAntidiagonal, self.map(|x, y| (r - y, f - x))),
            ]);
        }
        all.into_iter().filter_map(|(symmetry, map)| Some((symmetry, map?))).collect()
    }
}

/// One word for a tour, wherever it begins and whichever way it is run.
fn word(walk: &[usize], shape: Shape) -> u64 {
    let read =
        |walk: &mut dyn Iterator<Item = &usize>| walk.fold(0, |word, &v| word << 4 | v as u64);
    if shape == Shape::Open {
        return read(&mut walk.iter()).min(read(&mut walk.iter().rev()));
    }
    let first = walk.iter().position(|&v| v == 0).unwrap_or(0);
    let (before, behind) = walk.split_at(first);
    let there = read(&mut behind.iter().chain(before));
    let back = behind[1..].iter().chain(before).rev();
    there.min(read(&mut behind[..1].iter().chain(back)))
}

/// All tours of a question, each as a word in order; nothing after so many steps or tours.
pub struct AllTours {
    jumps: Jumps,
    shape: Shape,
    symmetries: Vec<(Symmetry, Vec<usize>)>,
    /// The tours.
    pub found: Vec<u64>,
}

impl AllTours {
    /// Looks for them.
    pub fn of(question: &TourProblem, steps: usize, tours: usize) -> Option<AllTours> {
        let jumps = Jumps::new(&question.board, question.leaper, MOST)?;
        let symmetries = jumps.symmetries(&question.board);
        let shape = question.shape;
        let asked = Asked::new(question, &jumps)?;
        let count = jumps.squares.len();
        let starts = match (asked.start, shape) {
            (Some(start), _) => start..start + 1,
            // Where no end is named, a cycle can be read from anywhere.
            (None, Shape::Closed) if asked.end.is_none() => 0..1,
            _ => 0..count,
        };
        let walk = Vec::with_capacity(count);
        let mut search =
            Search { jumps: &jumps, asked: &asked, walk, left: steps, found: Vec::new() };
        for start in starts {
            search.extend(start, 0)?;
        }
        let mut found = search.found;
        found.sort_unstable();
        found.dedup();
        (found.len() <= tours).then_some(AllTours { jumps, shape, symmetries, found })
    }

    /// The word of a tour that was listed; nothing where it visits other squares.
    pub fn word(&self, squares: &[Square]) -> Option<u64> {
        let walk: Option<Vec<usize>> = squares.iter().map(|&s| self.jumps.number(s)).collect();
        walk.map(|walk| word(&walk, self.shape))
    }

    fn walk(&self, word: u64) -> Vec<usize> {
        let count = self.jumps.squares.len();
        (0..count).rev().map(|at| (word >> (4 * at) & 0xf) as usize).collect()
    }

    fn image(&self, tour: u64, map: &[usize]) -> u64 {
        let image: Vec<usize> = self.walk(tour).into_iter().map(|v| map[v]).collect();
        word(&image, self.shape)
    }

    /// How many of them each symmetry of the board keeps.
    pub fn fixed(&self) -> Vec<(Symmetry, usize)> {
        let kept = |map: &[usize]| self.found.iter().filter(|&&t| self.image(t, map) == t).count();
        self.symmetries.iter().map(|(symmetry, map)| (*symmetry, kept(map))).collect()
    }

    /// How many there are up to symmetry.
    pub fn classes(&self) -> usize {
        let first =
            |&tour: &u64| self.symmetries.iter().map(|(_, map)| self.image(tour, map)).min();
        self.found.iter().map(first).collect::<BTreeSet<_>>().len()
    }

    /// How many directed tours begin at each square, for a question that names no start and has more than one square.
    pub fn by_start(&self, end: Option<Square>) -> Vec<(Square, usize)> {
        let end = end.and_then(|end| self.jumps.number(end));
        let walks: Vec<Vec<usize>> = self.found.iter().map(|&tour| self.walk(tour)).collect();
        let begins = |v: usize| -> usize {
            let readings = |walk: &Vec<usize>| {
                let count = walk.len();
                match (self.shape, end) {
                    (Shape::Open, None) => usize::from(v == walk[0] || v == walk[count - 1]),
                    (Shape::Open, Some(end)) => {
                        usize::from(v != end && (v == walk[0] || v == walk[count - 1]))
                    }
                    (Shape::Closed, None) => 2,
                    (Shape::Closed, Some(end)) => {
                        let meets = |at: usize| {
                            let pair = (walk[at], walk[(at + 1) % count]);
                            pair == (v, end) || pair == (end, v)
                        };
                        usize::from((0..count).any(meets))
                    }
                }
            };
            walks.iter().map(readings).sum()
        };
        self.jumps.squares.iter().enumerate().map(|(v, &square)| (square, begins(v))).collect()
    }
}

struct Search<'a> {
    jumps: &'a Jumps,
    asked: &'a Asked,
    walk: Vec<usize>,
    left: usize,
    found: Vec<u64>,
}

impl Search<'_> {
    fn extend(&mut self, here: usize, visited: u64) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.walk.push(here);
        let visited = visited | 1 << here;
        if self.walk.len() < self.jumps.squares.len() {
            for next in members(self.jumps.near[here] & !visited) {
                self.extend(next, visited)?;
            }
        } else if self.asked.accepts(self.jumps, &self.walk) {
            self.found.push(word(&self.walk, self.asked.shape));
        }
        self.walk.pop();
        Some(())
    }
}

/// What a tour must be, in numbers of squares.
struct Asked {
    shape: Shape,
    start: Option<usize>,
    end: Option<usize>,
    symmetry: Option<TourSymmetry>,
    /// The maps of which one must keep the tour, or the quarter turn of four paths.
    maps: Vec<Vec<usize>>,
    centre: Option<usize>,
}

impl Asked {
    fn new(question: &TourProblem, jumps: &Jumps) -> Option<Asked> {
        let (files, ranks) = (question.board.files(), question.board.ranks());
        let quarter = |file: u32, rank: u32| (ranks - 1 - rank, file);
        let maps = match question.symmetry {
            None => Vec::new(),
            Some(TourSymmetry::HalfTurn) => {
                vec![jumps.map(|file, rank| (files - 1 - file, ranks - 1 - rank))]
            }
            Some(TourSymmetry::Mirror) => vec![
                jumps.map(|file, rank| (files - 1 - file, rank)),
                jumps.map(|file, rank| (file, ranks - 1 - rank)),
            ],
            Some(TourSymmetry::DiagonalMirror) => {
                let all = jumps.symmetries(&question.board).into_iter();
                let is_diagonal = |symmetry: Symmetry| {
                    matches!(symmetry, Symmetry::MirrorDiagonal | Symmetry::MirrorAntidiagonal)
                };
                all.filter(|&(symmetry, _)| is_diagonal(symmetry))
                    .map(|(_, map)| Some(map))
                    .collect()
            }
            Some(TourSymmetry::QuarterTurn | TourSymmetry::FourPaths) => vec![jumps.map(quarter)],
        };
        // A mirror that moves no square says nothing.
        let moves =
            |map: &Vec<usize>| map.len() < 2 || map.iter().enumerate().any(|(v, &u)| v != u);
        let middle = Square::new(files / 2, ranks / 2);
        let centre = if files % 2 == 1 { jumps.number(middle) } else { None };
        let number = |end: Option<Square>| end.and_then(|end| jumps.number(end));
        Some(Asked {
            shape: question.shape,
            start: number(question.start),
            end: number(question.end),
            symmetry: question.symmetry,
            maps: maps.into_iter().flatten().filter(moves).collect(),
            centre,
        })
    }

    fn accepts(&self, jumps: &Jumps, walk: &[usize]) -> bool {
        let last = walk[walk.len() - 1];
        if self.end.is_some_and(|end| end != last) {
            return false;
        }
        if self.shape == Shape::Closed && (walk.len() < 3 || jumps.near[last] >> walk[0] & 1 == 0) {
            return false;
        }
        match self.symmetry {
            None => true,
            Some(TourSymmetry::FourPaths) => {
                let turns = if self.shape == Shape::Closed { walk.len() } else { 1 };
                (0..turns).any(|turn| {
                    let mut listed = walk.to_vec();
                    listed.rotate_left(turn);
                    self.is_four_paths(&listed)
                })
            }
            Some(_) => self.maps.iter().any(|map| {
                let image: Vec<usize> = walk.iter().map(|&v| map[v]).collect();
                word(&image, self.shape) == word(walk, self.shape)
            }),
        }
    }

    /// Four turned copies of one path, the centre before, between or after them; behind a centre between two copies, all
    /// may be run backwards.
    fn is_four_paths(&self, walk: &[usize]) -> bool {
        let Some(turn) = self.maps.first() else { return false };
        let path: Vec<usize> = walk.iter().copied().filter(|&v| Some(v) != self.centre).collect();
        let length = path.len() / 4;
        if length == 0 {
            return true;
        }
        let at = walk.iter().position(|&v| Some(v) == self.centre);
        if at.is_some_and(|at| at % length != 0) {
            return false;
        }
        let is_copy = |piece: &[usize], of: &[usize]| {
            let mut of = of.to_vec();
            (0..4).any(|_| {
                let same = piece == of;
                of.iter_mut().for_each(|v| *v = turn[*v]);
                same
            })
        };
        let joint = at.map_or(4, |at| at / length);
        let backwards: Vec<usize> = path[..length].iter().rev().copied().collect();
        let all = |behind: &[usize]| {
            path.chunks(length)
                .enumerate()
                .all(|(i, piece)| is_copy(piece, if i < joint { &path[..length] } else { behind }))
        };
        let between = (1..4).contains(&joint);
        all(&path[..length]) || (between && all(&backwards))
    }
}

/// The fewest moves of a capture, or that there is none: breadth first over squares and pieces left. At most sixteen pieces
/// and 64 squares.
pub fn fewest_jumps(question: &CaptureProblem) -> Option<Option<u64>> {
    let jumps = Jumps::new(&question.board, Leaper::KNIGHT, 64)?;
    let mut pieces = vec![0_usize; jumps.squares.len()];
    for (at, &target) in question.targets.iter().enumerate().take(MOST + 1) {
        pieces[jumps.number(target)?] = 1 << at;
    }
    let count = question.targets.len();
    if count > MOST {
        return None;
    }
    let sets = 1_usize << count;
    let mut seen = vec![false; jumps.squares.len() * sets];
    let mut layer = vec![(jumps.number(question.start)?, sets - 1)];
    let mut moves = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for &(at, left) in &layer {
            if left == 0 {
                return Some(Some(moves));
            }
            for to in members(jumps.near[at]) {
                let left = left & !pieces[to];
                if !std::mem::replace(&mut seen[to * sets + left], true) {
                    next.push((to, left));
                }
            }
        }
        layer = next;
        moves += 1;
    }
    Some(None)
}

/// Positions are words already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

type Table<V> = HashMap<u64, V, BuildHasherDefault<Mixed>>;

/// What breadth first says about a swap.
pub struct Explored {
    /// The fewest moves and the number of plans of so many, if there is one.
    pub fewest: Option<(u64, u128)>,
    /// How many placements are first reached after so many moves; not all, where the goal ended the search.
    pub layers: Vec<u64>,
}

/// Looks at positions in the order of their distance: until the goal is reached, or at all of them. Nothing after so many.
pub fn explore(question: &SwapProblem, whole: bool, positions: usize) -> Option<Explored> {
    // The last four bits of a position say whose turn it is.
    let jumps = Jumps::new(&question.board, Leaper::KNIGHT, MOST - 1)?;
    let letters: BTreeSet<char> = question.start.values().copied().collect();
    // Empty is 0; letters are numbered from 1.
    let codes: BTreeMap<char, u64> = letters.iter().copied().zip(1..).collect();
    if codes.len() > 14 {
        return None;
    }
    let cased = letters.iter().any(char::is_ascii_uppercase)
        && letters.iter().any(char::is_ascii_lowercase);
    let is_white: Vec<bool> =
        [false].into_iter().chain(letters.iter().map(char::is_ascii_uppercase)).collect();
    let mut start = 0;
    let (mut goal, mut mask) = (0, 0);
    for (v, square) in jumps.squares.iter().enumerate() {
        let code = |letter: Option<&char>| match letter {
            None => Some(0),
            Some(letter) => codes.get(letter).copied(),
        };
        start |= code(question.start.get(square))? << (4 * v);
        if !question.goal.any.contains(square) {
            // A letter that the start does not have is never reached.
            goal |= code(question.goal.knights.get(square)).unwrap_or(0xf) << (4 * v);
            mask |= 0xf << (4 * v);
        }
    }
    let at = |position: u64, v: usize| (position >> (4 * v) & 0xf) as usize;
    let foes = |a: usize, b: usize| if cased { is_white[a] != is_white[b] } else { a != b };
    let is_peaceful = |position: u64, v: usize| {
        !question.rules.peaceful
            || members(jumps.near[v])
                .all(|u| at(position, u) == 0 || !foes(at(position, v), at(position, u)))
    };
    let turn = match question.rules.alternate {
        None => 0,
        Some(Side::White) => 1,
        Some(Side::Black) => 2,
    };
    let runs = question.rules.metric == Metric::Runs;
    let count = jumps.squares.len();
    // The layer of each position, and in how many ways it is reached.
    let mut seen: Table<(u64, u128)> = Table::default();
    let mut placed: Table<()> = Table::default();
    let mut layer = vec![start | turn << 60];
    seen.insert(layer[0], (0, 1));
    let mut found = Explored { fewest: None, layers: Vec::new() };
    let mut moves = 0;
    while !layer.is_empty() {
        let new = layer.iter().filter(|&&p| placed.insert(p & !(0xf << 60), ()).is_none()).count();
        found.layers.push(new as u64);
        if found.fewest.is_none() {
            let ways = layer.iter().filter(|&p| p & mask == goal).map(|p| seen[p].1).sum();
            found.fewest = (ways > 0).then_some((moves, ways));
            if ways > 0 && !whole {
                return Some(found);
            }
        }
        moves += 1;
        let mut next = Vec::new();
        for here in layer {
            let (turn, ways) = (here >> 60, seen[&here].1);
            for from in (0..count).filter(|&v| at(here, v) != 0) {
                let code = at(here, from);
                if turn != 0 && (turn == 1) != is_white[code] {
                    continue;
                }
                let lifted = here & !(0xf << (4 * from)) & !(0xf << 60);
                let turn = if turn == 0 { 0 } else { 3 - turn };
                let (mut reached, mut open) = (1_u64 << from, 1_u64 << from);
                while open != 0 {
                    let v = open.trailing_zeros() as usize;
                    open &= open - 1;
                    for to in members(jumps.near[v] & !reached) {
                        let there = lifted | (code as u64) << (4 * to);
                        if at(lifted, to) != 0 || !is_peaceful(there, to) {
                            continue;
                        }
                        reached |= 1 << to;
                        open |= u64::from(runs) << to;
                        let there = there | turn << 60;
                        let known = seen.entry(there).or_insert_with(|| {
                            next.push(there);
                            (moves, 0)
                        });
                        if known.0 == moves {
                            known.1 += ways;
                        }
                    }
                }
            }
            if seen.len() > positions {
                return None;
            }
        }
        layer = next;
    }
    // The last positions may differ from others by whose turn it is alone.
    while found.layers.last() == Some(&0) {
        found.layers.pop();
    }
    Some(found)
}
