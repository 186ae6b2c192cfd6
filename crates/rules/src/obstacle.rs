//! Why a problem has no solution, and how far the checker can confirm it.
//!
//! Some obstacles are facts about the board that are counted again here (colours, dead ends, a cut);
//! some are the conditions of a published theorem, which are looked at again; and some are a search
//! that came to its end, which can only be run again. [`Support`] says which.

use std::collections::BTreeSet;
use std::fmt;

use crate::board::Board;
use crate::capture::CaptureProblem;
use crate::fault::Fault;
use crate::leaper::Leaper;
use crate::parts::Parts;
use crate::square::Square;
use crate::standstill;
use crate::swap::SwapProblem;
use crate::tour::{Shape, TourProblem};

/// What stands in the way of any solution.
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
    /// The ends asked for have the wrong colours.
    EndColours {
        /// Dark open squares.
        dark: u64,
        /// Light open squares.
        light: u64,
    },
    /// Squares with too few jumps: each must be an end of any tour, and they are too many.
    DeadEnds {
        /// The squares.
        squares: Vec<Square>,
    },
    /// Take these squares away, and the board falls into more parts than a tour could join.
    Cut {
        /// The squares taken away.
        removed: Vec<Square>,
        /// The parts that are left.
        parts: u64,
    },
    /// There is no way from one square to the other.
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
    /// A theorem whose conditions hold; the text states it for this question.
    Theorem {
        /// Its name.
        name: String,
        /// What it says here.
        text: String,
    },
    /// A search that looked at everything.
    Exhausted {
        /// The method.
        method: String,
        /// How many nodes or states it looked at.
        nodes: u64,
    },
}

/// What a confirmed obstacle rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Support {
    /// The checker counted it again: nothing is left to believe.
    Checked,
    /// The conditions of a published theorem were checked.
    Theorem,
    /// An argument in words, which the checker cannot follow: believe it, or think it through.
    Stated,
    /// A search came to its end; to be sure, run it again.
    Search,
}

/// Boards larger than this are not walked by the checker.
const MOST_WALKED: u64 = 1 << 24;

pub(crate) fn confirm_tour(problem: &TourProblem, obstacle: &Obstacle) -> Result<Support, Fault> {
    let board = &problem.board;
    match obstacle {
        Obstacle::Colours { dark, light } => {
            coloured(problem, *dark, *light)?;
            let most = u64::from(problem.shape == Shape::Open);
            stands(dark.abs_diff(*light) > most, "the colours are not too unequal")
        }
        Obstacle::EndColours { dark, light } => {
            coloured(problem, *dark, *light)?;
            stands(!ends_may_be(problem, *dark, *light), "the ends have colours that can be")
        }
        Obstacle::DeadEnds { squares } => dead_ends(problem, squares),
        Obstacle::Cut { removed, parts } => {
            let removed: BTreeSet<Square> = removed.iter().copied().collect();
            let found = parts_without(board, problem.leaper, &removed)?;
            if found != *parts {
                return Err(Fault::Reason(format!("the cut leaves {found} parts, not {parts}")));
            }
            let joined = removed.len() as u64 + u64::from(problem.shape == Shape::Open);
            stands(found > joined.max(1), "a tour could join the parts of the cut")
        }
        Obstacle::Unreachable { from, to } => unreachable(board, problem.leaper, *from, *to),
        Obstacle::Schwenk { short, long } => {
            let sides = (board.files().min(board.ranks()), board.files().max(board.ranks()));
            let named = sides == (*short, *long) && board.is_plain();
            let knight = problem.leaper == Leaper::KNIGHT && problem.shape == Shape::Closed;
            let refused = (board.area() % 2 == 1)
                || matches!(*short, 1 | 2 | 4)
                || (*short == 3 && matches!(*long, 4 | 6 | 8));
            stands(named && knight && refused, "Schwenk's theorem does not refuse this board")
                .map(|_| Support::Theorem)
        }
        Obstacle::Theorem { .. } => Ok(Support::Stated),
        Obstacle::Exhausted { .. } => Ok(Support::Search),
    }
}

pub(crate) fn confirm_capture(
    problem: &CaptureProblem,
    obstacle: &Obstacle,
) -> Result<Support, Fault> {
    match obstacle {
        Obstacle::Unreachable { from, to } => {
            stands(
                *from == problem.start && problem.targets.contains(to),
                "it does not name the knight and a piece",
            )?;
            unreachable(&problem.board, Leaper::KNIGHT, *from, *to)
        }
        Obstacle::Exhausted { .. } => Ok(Support::Search),
        _ => Err(Fault::Reason("it is no reason against a capture".to_owned())),
    }
}

pub(crate) fn confirm_swap(problem: &SwapProblem, obstacle: &Obstacle) -> Result<Support, Fault> {
    match obstacle {
        Obstacle::Theorem { name, .. } => {
            walkable(&problem.board)?;
            stands(standstill::holds(problem, name), "that does not stand in the way of this swap")
        }
        Obstacle::Exhausted { .. } => Ok(Support::Search),
        _ => Err(Fault::Reason("it is no reason against a swap".to_owned())),
    }
}

fn stands(holds: bool, otherwise: &str) -> Result<Support, Fault> {
    if holds { Ok(Support::Checked) } else { Err(Fault::Reason(otherwise.to_owned())) }
}

/// Are these the numbers of dark and light squares, and does every jump change the colour?
fn coloured(problem: &TourProblem, dark: u64, light: u64) -> Result<(), Fault> {
    let (found_dark, found_light) = problem.board.colours();
    if !problem.board.is_two_coloured(problem.leaper) {
        return Err(Fault::Reason("a jump need not change the colour here".to_owned()));
    }
    if (found_dark, found_light) != (dark, light) {
        return Err(Fault::Reason(format!(
            "the board has {found_dark} dark and {found_light} light squares"
        )));
    }
    Ok(())
}

/// Could a path that changes colour at every step run over so many squares between the asked ends?
fn ends_may_be(problem: &TourProblem, dark: u64, light: u64) -> bool {
    let asked = |end: Option<Square>, colour: bool| end.is_none_or(|end| end.is_dark() == colour);
    [true, false].into_iter().any(|first| {
        let last = if (dark + light) % 2 == 1 { first } else { !first };
        let (more, fewer) = if first { (dark, light) } else { (light, dark) };
        let fits = if first == last { more == fewer + 1 } else { more == fewer };
        fits && asked(problem.start, first) && asked(problem.end, last)
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
    // Ends that were asked for use up the two places that dead ends could take.
    let elsewhere = [problem.start, problem.end].into_iter().flatten();
    let taken = elsewhere.filter(|end| !named.contains(end)).count();
    let places = if problem.shape == Shape::Closed { 0 } else { 2_usize.saturating_sub(taken) };
    stands(stranded || named.len() > places, "the dead ends can be the ends of a tour")
}

/// The parts into which the board falls when these squares are taken away.
fn parts_without(board: &Board, leaper: Leaper, removed: &BTreeSet<Square>) -> Result<u64, Fault> {
    walkable(board)?;
    let mut parts = Parts::new(board, leaper);
    for &square in removed.iter().filter(|&&square| board.covers(square)) {
        parts.remove(square);
    }
    Ok(parts.count() as u64)
}

fn unreachable(board: &Board, leaper: Leaper, from: Square, to: Square) -> Result<Support, Fault> {
    walkable(board)?;
    let inside = board.contains(from) && board.contains(to);
    let apart = inside && !Parts::new(board, leaper).part_of(from).contains(&to);
    stands(apart, "there is a way between the squares")
}

fn walkable(board: &Board) -> Result<(), Fault> {
    if board.area() > MOST_WALKED {
        return Err(Fault::Reason("the board is too large to be walked by the checker".to_owned()));
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
                    std::cmp::Ordering::Equal => "of opposite colours",
                    std::cmp::Ordering::Greater => "both dark",
                    std::cmp::Ordering::Less => "both light",
                };
                write!(
                    f,
                    "every jump changes the colour, so with {dark} dark and {light} light squares \
                     the ends must be {ends}"
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
            Obstacle::Unreachable { from, to } => write!(f, "there is no way from {from} to {to}"),
            Obstacle::Schwenk { short, long } => {
                write!(f, "Schwenk's theorem: ")?;
                match (short, long) {
                    (short, long) if short % 2 == 1 && long % 2 == 1 => {
                        write!(f, "a board with an odd number of squares has no closed tour")
                    }
                    (1 | 2 | 4, _) => write!(f, "no closed tour on a board of {short} rows"),
                    _ => write!(f, "no closed tour on {short}x4, {short}x6 or {short}x8"),
                }
            }
            Obstacle::Theorem { name, text } => write!(f, "{name}: {text}"),
            Obstacle::Exhausted { method, nodes } => {
                write!(f, "{method} looked at everything ({nodes} nodes)")
            }
        }
    }
}

/// Names squares in a sentence, a few of them.
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

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Support::Checked => "checked",
            Support::Theorem => "by a theorem whose conditions were checked",
            Support::Stated => "by an argument in words, which the checker does not check",
            Support::Search => "by a search, which can only be run again",
        })
    }
}
