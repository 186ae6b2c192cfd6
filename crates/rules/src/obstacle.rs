//! Why a problem has no solution, and how far the checker can confirm it.
//!
//! Some obstacles are facts about the board that are counted again here (colours, dead ends, a cut);
//! some are the conditions of a published theorem, which are checked again; and some are an exhaustive
//! search, which can only be repeated. [`Support`] says which.

use std::collections::BTreeSet;
use std::fmt;

use crate::board::Board;
use crate::budget::Budget;
use crate::capture::CaptureProblem;
use crate::fault::Fault;
use crate::feasibility::{self, RulesOut};
use crate::leaper::Leaper;
use crate::parts::Parts;
use crate::square::Square;
use crate::swap::SwapProblem;
use crate::tour::{Shape, TourProblem};
use crate::{escaped, quoted};

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Obstacle {
    /// Every jump changes the colour, and the colours are too unequal.
    Colours {
        /// Dark open squares.
        dark: u64,
        /// Light open squares.
        light: u64,
    },
    /// The requested ends have the wrong colours.
    EndColours {
        /// Dark open squares.
        dark: u64,
        /// Light open squares.
        light: u64,
    },
    /// Squares with too few jumps: each must be an end of any tour, and there are too many of them.
    DeadEnds {
        /// The squares.
        squares: Vec<Square>,
    },
    /// Without these squares the board falls into more parts than a tour could join.
    Cut {
        /// The squares removed.
        removed: Vec<Square>,
        /// The parts that are left.
        parts: u64,
    },
    /// One square cannot be reached from the other.
    Unreachable {
        /// From here.
        from: Square,
        /// To there.
        to: Square,
    },
    /// One of the cases of Schwenk's theorem on closed tours of rectangles.
    Schwenk {
        /// The shorter side.
        short: u32,
        /// The longer side.
        long: u32,
    },
    /// A theorem that the checker knows by its name; the text states it for this question.
    Theorem {
        /// Its name, one of those in [`Obstacle::theorem`].
        name: String,
        /// What it says here; the checker does not read it.
        text: String,
    },
    /// An exhaustive search found nothing.
    Exhausted {
        /// The method, by a name that [`is_method`] knows.
        method: String,
        /// How many nodes or states it visited.
        nodes: u64,
    },
}

/// What a confirmed obstacle rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Support {
    /// The checker counted it again: nothing is taken on trust.
    Checked,
    /// The conditions of a published theorem were checked.
    Theorem,
    /// An argument in words, which the checker cannot check.
    Stated,
    /// A search that ran to its end; only repeating it can confirm it.
    Search,
    /// A search that the checker repeated: it looked at every position itself.
    SearchedAgain,
}

/// The theorems about tours that methods use as reasons, and what each says of any question.
const TOUR_THEOREMS: &[(&str, &str)] = &[
    (
        "the connection of leapers",
        "a piece whose jumps all stay on a part of the lattice never sees the rest of the board",
    ),
    (
        "closing jump",
        "a closed tour comes back by a jump, so its last square is a jump from its first",
    ),
    (
        "four rows",
        "squares of the two outer rows jump to inner rows only, so a tour that ends on an inner square sees outer squares of one colour only",
    ),
    (
        "corner rule",
        "two corners whose only two jumps include one to the same square both need it, and as an end it has one jump to give",
    ),
    (
        "forced jumps",
        "squares with only two jumps left force a path that ends before all squares are visited",
    ),
    ("the four-paths rule", "on such a board no path can be joined to its own quarter turns"),
    ("the half-turn rule", "no tour of such a board is mapped to itself by a half turn"),
    ("the quarter-turn rule", "no tour of such a board is mapped to itself by a quarter turn"),
    (
        "the mirror rule",
        "no tour of such a board is mapped to itself by a mirror parallel to its sides",
    ),
    (
        "the diagonal-mirror rule",
        "no tour of such a board is mapped to itself by a mirror in a diagonal",
    ),
];

/// The theorems about swaps, whose conditions the checker confirms from the board.
const SWAP_THEOREMS: &[(&str, &str)] = &[
    (
        "parts",
        "no jump leads into or out of a part of the board, and the goal has other knights there",
    ),
    ("full", "a part of the board without an empty square cannot move, and the goal differs there"),
    ("path", "knights on a path cannot pass each other, and the goal has them in another order"),
    (
        "ring",
        "knights on a ring cannot pass each other, and no rotation gives the order of the goal",
    ),
    (
        "parity (Wilson 1974)",
        "with one empty square on a two-coloured part only half of all orders can be reached, and the goal is in the other half",
    ),
    (
        "regions",
        "knights stay in the regions that the number of empty squares allows, and one region differs from the goal",
    ),
    (
        "wheel",
        "a ring attached at one square only turns, and no rotation gives the order of the goal",
    ),
    ("open squares", "none of the ways to fill the open squares of the goal can be reached"),
];

impl Obstacle {
    /// What the theorem of this name says, in the checker's words; `None` if the checker does not know it.
    #[must_use]
    pub fn theorem(name: &str) -> Option<&'static str> {
        let theorems = TOUR_THEOREMS.iter().chain(SWAP_THEOREMS);
        theorems.copied().find(|&(known, _)| known == name).map(|(_, says)| says)
    }

    /// The same obstacle without foreign text: a theorem says what the checker knows it to say.
    #[must_use]
    pub fn in_own_words(self) -> Obstacle {
        match self {
            Obstacle::Theorem { name, .. } => {
                let text = Obstacle::theorem(&name).unwrap_or_default().to_owned();
                Obstacle::Theorem { name, text }
            }
            other => other,
        }
    }
}

/// A theorem that the checker does not know is refused.
fn known(theorems: &[(&str, &str)], name: &str) -> Result<(), Fault> {
    if theorems.iter().any(|&(known, _)| known == name) {
        return Ok(());
    }
    Err(Fault::Reason(format!("the checker knows no theorem {} for this question", quoted(name))))
}

/// A search is by a method whose name is known, so that it cannot be read as anything else.
fn search(method: &str) -> Result<Support, Fault> {
    if is_method(method) {
        return Ok(Support::Search);
    }
    Err(Fault::Reason(format!("{} is not the name of a method", quoted(method))))
}

/// The methods that a search, or a count, may be said to be by. Other words could say anything of the answer.
const METHODS: &[&str] = &[
    "astar",
    "auto",
    "backtrack",
    "bb-dfs",
    "best-first",
    "census",
    "compose",
    "eccentricity",
    "frontier",
    "hill-climbing",
    "meet",
    "middle",
    "naive",
    "obstacle",
    "pohl",
    "race",
    "race-plain",
    "random-walk",
    "ranked",
    "roth",
    "search",
    "transfer",
    "unknown",
    "warnsdorff",
];

/// Does the checker know a method of this name?
#[must_use]
pub fn is_method(word: &str) -> bool {
    METHODS.contains(&word)
}

/// The checker does not search larger boards.
const MOST_SQUARES: u64 = 1 << 24;

pub(crate) fn confirm_tour(
    problem: &TourProblem,
    obstacle: &Obstacle,
    budget: &Budget<'_>,
) -> Result<Support, Fault> {
    let board = &problem.board;
    match obstacle {
        Obstacle::Colours { dark, light } => {
            coloured(problem, *dark, *light)?;
            let most = u64::from(problem.shape == Shape::Open);
            confirm_if(dark.abs_diff(*light) > most, "the colours are balanced enough for a tour")
        }
        Obstacle::EndColours { dark, light } => {
            coloured(problem, *dark, *light)?;
            confirm_if(!ends_are_possible(problem, *dark, *light), "the ends have possible colours")
        }
        Obstacle::DeadEnds { squares } => dead_ends(problem, squares),
        Obstacle::Cut { removed, parts } => {
            let removed: BTreeSet<Square> = removed.iter().copied().collect();
            let found = parts_without(board, problem.leaper, &removed, budget)?;
            if found != *parts {
                return Err(Fault::Reason(format!("the cut leaves {found} parts, not {parts}")));
            }
            let joined = removed.len() as u64 + u64::from(problem.shape == Shape::Open);
            confirm_if(found > joined.max(1), "a tour could join the parts of the cut")
        }
        Obstacle::Unreachable { from, to } => {
            unreachable(board, problem.leaper, *from, *to, budget)
        }
        Obstacle::Schwenk { short, long } => {
            let sides = (board.files().min(board.ranks()), board.files().max(board.ranks()));
            let named = sides == (*short, *long) && board.is_plain();
            let knight = problem.leaper == Leaper::KNIGHT && problem.shape == Shape::Closed;
            let excluded = (board.area() % 2 == 1)
                || matches!(*short, 1 | 2 | 4)
                || (*short == 3 && matches!(*long, 4 | 6 | 8));
            confirm_if(named && knight && excluded, "Schwenk's theorem does not cover this board")
                .map(|_| Support::Theorem)
        }
        Obstacle::Theorem { name, .. } => tour_theorem(problem, name),
        Obstacle::Exhausted { method, .. } => search(method),
    }
}

pub(crate) fn confirm_capture(
    problem: &CaptureProblem,
    obstacle: &Obstacle,
    budget: &Budget<'_>,
) -> Result<Support, Fault> {
    match obstacle {
        Obstacle::Unreachable { from, to } => {
            confirm_if(
                *from == problem.start && problem.targets.contains(to),
                "it must name the knight's square and a piece",
            )?;
            unreachable(&problem.board, Leaper::KNIGHT, *from, *to, budget)
        }
        Obstacle::Exhausted { method, .. } => search(method),
        _ => Err(Fault::Reason("this kind of reason does not apply to a capture".to_owned())),
    }
}

pub(crate) fn confirm_swap(
    problem: &SwapProblem,
    obstacle: &Obstacle,
    budget: &Budget<'_>,
) -> Result<Support, Fault> {
    match obstacle {
        Obstacle::Theorem { name, .. } => {
            known(SWAP_THEOREMS, name)?;
            check_size(&problem.board)?;
            let ruled_out = feasibility::rules_out(problem, name, budget);
            match ruled_out.map_err(|why| unfinished(budget, why))? {
                RulesOut::Yes => Ok(Support::Checked),
                RulesOut::No => Err(Fault::Reason("it does not rule this swap out".to_owned())),
                RulesOut::Undecided => {
                    let why = "a part of the board has too many squares or states, \
                               or open squares can be filled in too many ways";
                    Err(Fault::Undecided(why.to_owned()))
                }
            }
        }
        Obstacle::Exhausted { method, .. } => search(method),
        _ => Err(Fault::Reason("this kind of reason does not apply to a swap".to_owned())),
    }
}

/// Does a theorem about tours apply to this question? Some then rule all tours out, the others are arguments in words.
fn tour_theorem(problem: &TourProblem, name: &str) -> Result<Support, Fault> {
    let TourProblem { board, leaper, start, end, .. } = problem;
    let ends = start.zip(*end).filter(|(start, end)| start != end);
    let is_open = problem.shape == Shape::Open;
    let (applies, support) = match name {
        "the connection of leapers" => {
            let (a, b) = leaper.legs();
            let is_bound = gcd(a, b) != 1 || !leaper.changes_colour();
            (is_bound && board.is_plain() && board.len() > 1, Support::Theorem)
        }
        "closing jump" => {
            let apart = ends.is_some_and(|(start, end)| !problem.is_jump(start, end));
            (!is_open && apart, Support::Theorem)
        }
        "four rows" => {
            let inner = |side: u32, at: u32| side == 4 && (1..=2).contains(&at);
            let is_inner =
                |end: &Square| inner(board.ranks(), end.rank) || inner(board.files(), end.file);
            let named = [start, end].into_iter().flatten().any(is_inner);
            (named && board.is_plain() && *leaper == Leaper::KNIGHT, Support::Theorem)
        }
        "corner rule" => {
            let crowded = |end| corners_at(problem, end) > 1;
            let either = ends.is_some_and(|(start, end)| crowded(start) || crowded(end));
            (is_open && either, Support::Theorem)
        }
        "forced jumps" => (is_open && ends.is_some(), Support::Stated),
        _ => {
            let asked = problem.symmetry.is_some_and(|asked| name == format!("the {asked} rule"));
            (asked, Support::Stated)
        }
    };
    known(if applies { TOUR_THEOREMS } else { &[] }, name).map(|()| support)
}

const fn gcd(a: u32, b: u32) -> u32 {
    if a == 0 { b } else { gcd(b % a, a) }
}

/// How many squares have two jumps, one of them to this end, and are no ends themselves.
fn corners_at(problem: &TourProblem, end: Square) -> usize {
    let jumps = |from: Square| {
        let mut jumps = problem.board.jumps_from(problem.leaper, from);
        jumps.retain(|&to| to != from);
        jumps
    };
    let is_end = |square: Square| [problem.start, problem.end].contains(&Some(square));
    jumps(end).into_iter().filter(|&v| !is_end(v) && jumps(v).len() == 2).count()
}

fn confirm_if(holds: bool, otherwise: &str) -> Result<Support, Fault> {
    if holds { Ok(Support::Checked) } else { Err(Fault::Reason(otherwise.to_owned())) }
}

/// Are these the numbers of dark and light squares, and does every jump change the colour?
fn coloured(problem: &TourProblem, dark: u64, light: u64) -> Result<(), Fault> {
    let (found_dark, found_light) = problem.board.colours();
    if !problem.board.is_two_coloured(problem.leaper) {
        return Err(Fault::Reason("jumps on this board need not change colour".to_owned()));
    }
    if (found_dark, found_light) != (dark, light) {
        return Err(Fault::Reason(format!(
            "the board has {found_dark} dark and {found_light} light squares"
        )));
    }
    Ok(())
}

/// Could a path that changes colour at every step cover the board between the requested ends?
fn ends_are_possible(problem: &TourProblem, dark: u64, light: u64) -> bool {
    let suits = |end: Option<Square>, colour: bool| end.is_none_or(|end| end.is_dark() == colour);
    [true, false].into_iter().any(|first| {
        let last = if (dark + light) % 2 == 1 { first } else { !first };
        let (more, fewer) = if first { (dark, light) } else { (light, dark) };
        let fits = if first == last { more == fewer + 1 } else { more == fewer };
        fits && suits(problem.start, first) && suits(problem.end, last)
    })
}

fn dead_ends(problem: &TourProblem, squares: &[Square]) -> Result<Support, Fault> {
    let named: BTreeSet<Square> = squares.iter().copied().collect();
    let jumps = |square: Square| problem.board.jumps_from(problem.leaper, square).len();
    let board_ends = problem.board.len() > 1;
    for &square in &named {
        if !problem.board.contains(square) || jumps(square) > 1 {
            return Err(Fault::Reason(format!("{square} is not a dead end")));
        }
    }
    let stranded = named.iter().any(|&square| jumps(square) == 0) && board_ends;
    // Requested ends leave fewer places for dead ends.
    let elsewhere = [problem.start, problem.end].into_iter().flatten();
    let taken = elsewhere.filter(|end| !named.contains(end)).count();
    let places = if problem.shape == Shape::Closed { 0 } else { 2_usize.saturating_sub(taken) };
    confirm_if(stranded || named.len() > places, "the dead ends can be the ends of a tour")
}

/// How many parts the board falls into without these squares.
fn parts_without(
    board: &Board,
    leaper: Leaper,
    removed: &BTreeSet<Square>,
    budget: &Budget<'_>,
) -> Result<u64, Fault> {
    check_size(board)?;
    let mut parts = Parts::new(board, leaper, budget).map_err(|why| unfinished(budget, why))?;
    for &square in removed.iter().filter(|&&square| board.covers(square)) {
        parts.remove(square);
    }
    let count = parts.by_ref().count() as u64;
    budget.stopped().map_or(Ok(count), Err)
}

fn unreachable(
    board: &Board,
    leaper: Leaper,
    from: Square,
    to: Square,
    budget: &Budget<'_>,
) -> Result<Support, Fault> {
    check_size(board)?;
    confirm_if(board.contains(from) && board.contains(to), "a square is not on the board")?;
    let mut parts = Parts::new(board, leaper, budget).map_err(|why| unfinished(budget, why))?;
    let apart = !parts.part_of(from).contains(&to);
    budget.stopped().map_or(Ok(()), Err)?;
    confirm_if(apart, "the squares are connected")
}

/// Why a check ended early.
fn unfinished(budget: &Budget<'_>, why: String) -> Fault {
    budget.stopped().unwrap_or(Fault::Reason(why))
}

fn check_size(board: &Board) -> Result<(), Fault> {
    if board.area() > MOST_SQUARES {
        let why = format!("the board is too large: {MOST_SQUARES} squares at most");
        return Err(Fault::Undecided(why));
    }
    Ok(())
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Colours { dark, light } => write!(
                f,
                "every jump changes the colour, and there are {dark} dark and {light} light squares"
            ),
            Obstacle::EndColours { dark, light } => {
                let ends = match dark.cmp(light) {
                    std::cmp::Ordering::Equal => "the ends must have opposite colours",
                    std::cmp::Ordering::Greater => "both ends must be dark",
                    std::cmp::Ordering::Less => "both ends must be light",
                };
                write!(
                    f,
                    "every jump changes the colour, so with {dark} dark and {light} light squares {ends}"
                )
            }
            Obstacle::DeadEnds { squares } => {
                let (squares, have) =
                    (list(squares), if squares.len() == 1 { "has" } else { "have" });
                write!(f, "{squares} {have} too few jumps to be passed through")
            }
            Obstacle::Cut { removed, parts } if removed.is_empty() => {
                write!(f, "no jump joins the {parts} parts of the board")
            }
            Obstacle::Cut { removed, parts } => write!(
                f,
                "without {} the board falls into {parts} parts, more than a tour can join",
                list(removed)
            ),
            Obstacle::Unreachable { from, to } => write!(f, "{to} cannot be reached from {from}"),
            Obstacle::Schwenk { short, long } => {
                write!(f, "Schwenk's theorem: ")?;
                match (short, long) {
                    (short, long) if short % 2 == 1 && long % 2 == 1 => {
                        write!(f, "a board with an odd number of squares has no closed tour")
                    }
                    (1 | 2 | 4, _) => {
                        write!(f, "a board with a side of {short} has no closed tour")
                    }
                    _ => write!(f, "3x4, 3x6 and 3x8 have no closed tour"),
                }
            }
            Obstacle::Theorem { name, text } => {
                write!(f, "{}: {}", escaped(name), escaped(text))
            }
            Obstacle::Exhausted { method, nodes } => {
                let nodes =
                    if *nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") };
                write!(f, "exhaustive search by {} ({nodes})", escaped(method))
            }
        }
    }
}

/// Names up to six squares in a sentence.
fn list(squares: &[Square]) -> String {
    const MOST: usize = 6;
    let mut names: Vec<String> = squares.iter().take(MOST).map(Square::to_string).collect();
    if squares.len() > MOST {
        names.push(format!("{} more", squares.len() - MOST));
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "no square".to_owned(),
    }
}

impl Support {
    /// Did the checker go through all of it?
    #[must_use]
    pub const fn is_confirmed(self) -> bool {
        matches!(self, Support::Checked | Support::Theorem | Support::SearchedAgain)
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Support::Checked => "checked",
            Support::Theorem => "by a theorem whose conditions were checked",
            Support::Stated => "by an argument in words, which the checker cannot check",
            Support::Search => "by a search, which can only be repeated",
            Support::SearchedAgain => "searched again by the checker",
        })
    }
}
