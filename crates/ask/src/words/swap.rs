//! Swaps in words: puzzles by name, rows against rows, knights with letters of their own, what is said of plans.

use std::collections::{BTreeMap, BTreeSet};

use destrier::Halt;
use destrier::swap::MOST_SQUARES;
use destrier_rules::{
    Board, Claim, Metric, Placement, Proof, Setup, Square, Support, SwapProblem, Verified,
};

use super::{Misread, Sentence, Told, quantity, undecided};

/// A known puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// As `--preset` and the page name it.
    pub name: &'static str,
    /// A line about it.
    pub about: &'static str,
    /// Where the knights stand, as FEN.
    pub start: &'static str,
    /// Where they should stand, as FEN.
    pub goal: &'static str,
}

/// All puzzles that have a name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "six-knights",
        about: "Three against three on 3x4",
        start: "nnn/3/3/NNN",
        goal: "NNN/3/3/nnn",
    },
    Preset {
        name: "guarini",
        about: "Two against two on 3x3 (1512)",
        start: "n1n/3/N1N",
        goal: "N1N/3/n1n",
    },
    Preset {
        name: "seventh-guest",
        about: "Twelve against twelve on 5x5, by diagonal",
        start: "nnnnN/nnnNN/nn1NN/nnNNN/nNNNN",
        goal: "NNNNn/NNNnn/NN1nn/NNnnn/Nnnnn",
    },
    Preset {
        name: "eleventh-hour",
        about: "Two against two on a board with holes",
        start: "n###/3N/nN1#/2##",
        goal: "N###/3n/Nn1#/2##",
    },
    Preset {
        name: "knights-in-fen",
        about: "Twelve against twelve on 5x5; with --from, to the usual goal",
        start: "NNNNN/nNNNN/nn1NN/nnnnN/nnnnn",
        goal: "nnnnn/Nnnnn/NN1nn/NNNNn/NNNNN",
    },
];

/// This many ranks of white knights below against as many of black ones above.
///
/// # Errors
/// When they do not fit the board, or the board is too large for a swap.
pub fn facing(board: &Board, rows: u32) -> Result<SwapProblem, Misread> {
    if board.len() > MOST_SQUARES {
        return Err(Misread::new(format!(
            "the board has {} squares; a swap has at most {MOST_SQUARES}",
            board.len()
        )));
    }
    let ranks = board.ranks();
    if ranks < 2 {
        return Err(Misread::new("a board of one rank has no room for a row against a row"));
    }
    if rows == 0 || rows > ranks / 2 {
        let most = ranks / 2;
        return Err(Misread::new(format!(
            "{rows} rows against {rows} do not fit {ranks} ranks; each side can have 1 to {most}"
        )));
    }
    let letter_on = |square: &Square, low: char, high: char| {
        let letter = if square.rank < rows { Some(low) } else { None };
        letter.or((square.rank >= ranks - rows).then_some(high))
    };
    let place = |low, high| {
        let mut knights = Placement::new();
        for square in board.squares() {
            if let Some(letter) = letter_on(&square, low, high) {
                knights.insert(square, letter);
            }
        }
        knights
    };
    let start = place('N', 'n');
    let below = start.values().filter(|&&letter| letter == 'N').count();
    let above = start.len() - below;
    if below != above || start.is_empty() {
        return Err(Misread::new(format!(
            "the holes leave {} above and {below} below; both sides need the same number, at least one",
            quantity(above as u64, "knights")
        )));
    }
    let setup = |pieces| Setup { board: board.clone(), pieces, unknown: BTreeSet::new() };
    Ok(SwapProblem::between(&setup(start), &setup(place('n', 'N')))?)
}

/// From one FEN to another; a preset fills in what is missing.
///
/// # Errors
/// When one is missing or wrong, or they do not fit together.
pub fn between(
    from: Option<&str>,
    to: Option<&str>,
    preset: Option<&Preset>,
) -> Result<SwapProblem, Misread> {
    let from = from.or(preset.map(|preset| preset.start));
    let to = to.or(preset.map(|preset| preset.goal));
    let read = |option: &'static str, fen: Option<&str>, missing: &'static str| {
        let none = || Sentence::of(missing);
        let fen = fen.ok_or_else(|| {
            Misread::told(none().exactly(format!("{}; give --{option} FEN", none())))
        })?;
        fen.parse::<Setup>().map_err(|error| Misread::of(option)(&error))
    };
    let start = read("from", from, "refused.no_start")?;
    let goal = read("to", to, "refused.no_goal")?;
    if let Some(&square) = start.unknown.first() {
        let why = format!("{square} is `?`; only a goal may leave squares open");
        return Err(Misread { option: Some("from"), ..Misread::new(why).at(square) });
    }
    Ok(SwapProblem::between(&start, &goal)?)
}

/// Letters that are all different; the k-th knight of a letter goes to the k-th of that letter in the goal.
///
/// # Errors
/// When there are more knights than letters, or when equal knights would become opponents.
pub fn labelled(problem: &SwapProblem) -> Result<(Placement, Placement), Misread> {
    let letters: BTreeSet<char> = problem.start.values().copied().collect();
    if problem.rules.peaceful && !problem.sides_are_cases() && letters.len() < problem.start.len() {
        return Err(Misread::new(
            "--labelled with --peaceful needs letters of both cases: without them each letter is a side, and equal \
             knights would become opponents",
        ));
    }
    let in_reading_order = |knights: &Placement| {
        let mut list: Vec<(Square, char)> =
            knights.iter().map(|(&s, &letter)| (s, letter)).collect();
        list.sort_by_key(|&(square, _)| (std::cmp::Reverse(square.rank), square.file));
        list
    };
    let (mut white, mut black) = ('A'..='Z', 'a'..='z');
    let mut names: BTreeMap<(char, usize), char> = BTreeMap::new();
    let mut rename = |list: Vec<(Square, char)>| -> Result<Placement, Misread> {
        let mut seen: BTreeMap<char, usize> = BTreeMap::new();
        let mut renamed = Placement::new();
        for (square, letter) in list {
            let number = seen.entry(letter).or_insert(0);
            let name = if let Some(&name) = names.get(&(letter, *number)) {
                name
            } else {
                let letters = if letter.is_ascii_uppercase() { &mut white } else { &mut black };
                let name = letters.next().ok_or_else(|| {
                    Misread::new(
                        "there are not enough letters for so many knights: 26 for white and 26 for black",
                    )
                })?;
                names.insert((letter, *number), name);
                name
            };
            *number += 1;
            renamed.insert(square, name);
        }
        Ok(renamed)
    };
    Ok((
        rename(in_reading_order(&problem.start))?,
        rename(in_reading_order(&problem.goal.knights))?,
    ))
}

impl Told for SwapProblem {
    fn none(&self) -> Sentence {
        Sentence::of("swap.none").with("rules", "")
    }

    fn solved(plan: &Verified<SwapProblem>) -> Sentence {
        Sentence::of("swap.done").with("n", plan.cost())
    }

    const LEAST: &'static str = "swap.least";
}

/// `16 moves`, `1 run`.
#[must_use]
pub fn counted(question: &SwapProblem, cost: u64) -> Sentence {
    let runs = question.rules.metric == Metric::Runs;
    Sentence::of(if runs { "unit.runs" } else { "unit.moves" }).with("n", cost)
}

/// What is claimed of a plan: `16 moves, the fewest: …`.
#[must_use]
pub fn swap_told(plan: &Verified<SwapProblem>) -> Sentence {
    let said = match plan.claim() {
        Claim::Fewest { .. } if plan.support() == Some(Support::Checked) => {
            Sentence::of("swap.told_proved")
        }
        Claim::Fewest { proof: Proof::Search { by, nodes }, .. } => {
            let positions = Sentence::of("unit.positions").with("n", nodes);
            Sentence::of("swap.told_searched").with("positions", positions).with("method", by)
        }
        Claim::Fewest { .. } => Sentence::of("swap.told_fewest"),
        Claim::AtLeast { lower_bound } => {
            Sentence::of("swap.told_bound").with("bound", lower_bound)
        }
        _ => Sentence::of("swap.told_found"),
    };
    said.with("cost", counted(plan.problem(), plan.cost()))
}

/// That a search for a plan stopped, and what is known by then.
#[must_use]
pub fn swap_undecided(
    question: &SwapProblem,
    why: Halt,
    lower_bound: Option<u64>,
    best: Option<u64>,
) -> Sentence {
    let mut said = undecided(why);
    if let Some(bound) = lower_bound {
        let bound = counted(question, bound);
        said = Sentence::of("told.at_least").with("what", said).with("bound", bound);
    }
    if let Some(cost) = best {
        let cost = counted(question, cost);
        said = Sentence::of("told.with_plan").with("what", said).with("cost", cost);
    }
    said
}
