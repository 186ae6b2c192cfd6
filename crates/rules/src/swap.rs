//! Swap: knights on a board exchange places.
//!
//! Knights are letters: knights with equal letters have one colour and are interchangeable, different
//! letters are distinct. Knights move one at a time to empty squares. A plan is counted in moves, or in
//! runs of one knight. Upper case is white and lower case black, as in FEN; where all letters have
//! one case, each letter is a side of its own.
//!
//! Invariant: the checker replays every move on its own board and searches only where it must repeat a search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::budget::Budget;
use crate::certificate::Proof;
use crate::fault::Fault;
use crate::fen::{FenError, Setup};
use crate::leaper::Leaper;
use crate::obstacle::{self, Obstacle, Support};
use crate::potentials;
use crate::question::QuestionError;
use crate::quoted;
use crate::search::{self, Sought};
use crate::square::{Square, SquareError};
use crate::tour::on_board;
use crate::verify::Problem;
use crate::word::words;

/// Which knight stands where.
pub type Placement = BTreeMap<Square, char>;

/// Where the knights should go.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Goal {
    /// Squares with the knight that must stand there; all others must be empty, except those of `any`.
    pub knights: Placement,
    /// Squares on which anything may stand, or nothing.
    pub any: BTreeSet<Square>,
}

/// White or black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Side {
    /// Upper-case letters.
    White,
    /// Lower-case letters.
    Black,
}

words!(Side { White => "white", Black => "black" });

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Metric {
    /// Every jump.
    #[default]
    Moves,
    /// Consecutive jumps of one knight count once.
    Runs,
}

words!(Metric { Moves => "moves", Runs => "runs" });

/// Optional rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SwapRules {
    /// What is counted.
    pub metric: Metric,
    /// Colours take turns, move by move (or run by run), beginning with this one.
    pub alternate: Option<Side>,
    /// Opposing knights must not attack each other, at the start or after any move.
    pub peaceful: bool,
}

/// The question: from this placement to that goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SwapProblem {
    /// The board.
    pub board: Board,
    /// Where the knights stand.
    pub start: Placement,
    /// Where they should stand.
    pub goal: Goal,
    /// The rules of this puzzle.
    pub rules: SwapRules,
}

/// One jump of one knight, written `a1-b3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub struct Move {
    /// Where the knight stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

/// The moves of a plan, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SwapPlan(pub Vec<Move>);

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveError {
    /// There is no `-` in it.
    Malformed(String),
    /// One of its ends is not a square.
    Square(SquareError),
}

/// Why two FENs are not a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SwapFenError {
    /// The start cannot be read.
    Start(FenError),
    /// The goal cannot be read.
    Goal(FenError),
    /// They do not make a question.
    Question(QuestionError),
}

impl fmt::Display for SwapFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SwapFenError::Start(error) => write!(f, "start: {error}"),
            SwapFenError::Goal(error) => write!(f, "goal: {error}"),
            SwapFenError::Question(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SwapFenError {}

impl Side {
    /// The side of a letter.
    #[must_use]
    pub const fn of(letter: char) -> Side {
        if letter.is_ascii_uppercase() { Side::White } else { Side::Black }
    }

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl SwapProblem {
    /// A plain question from two FENs, which must share one board.
    ///
    /// # Errors
    /// When one of them is no FEN, or they stand on different boards.
    ///
    /// ```
    /// use destrier_rules::SwapProblem;
    ///
    /// let guarini = SwapProblem::from_fens("n1n/3/N1N", "N1N/3/n1n")?;
    /// assert_eq!(guarini.start.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fens(start: &str, goal: &str) -> Result<SwapProblem, SwapFenError> {
        let (start, goal) = (start.parse::<Setup>(), goal.parse::<Setup>());
        let problem = SwapProblem::between(
            &start.map_err(SwapFenError::Start)?,
            &goal.map_err(SwapFenError::Goal)?,
        );
        problem.map_err(SwapFenError::Question)
    }

    /// A plain question from two setups, which must share one board.
    ///
    /// # Errors
    /// When they do not.
    pub fn between(start: &Setup, goal: &Setup) -> Result<SwapProblem, QuestionError> {
        if start.board != goal.board || !start.unknown.is_empty() {
            return Err(QuestionError::DifferentBoards);
        }
        let any = goal.unknown.clone();
        Ok(SwapProblem {
            board: start.board.clone(),
            start: start.pieces.clone(),
            goal: Goal { knights: goal.pieces.clone(), any },
            rules: SwapRules::default(),
        })
    }

    /// The start as FEN.
    #[must_use]
    pub fn start_fen(&self) -> String {
        Setup { pieces: self.start.clone(), ..Setup::empty(self.board.clone()) }.fen()
    }

    /// The goal as FEN, with `?` where anything may stand.
    #[must_use]
    pub fn goal_fen(&self) -> String {
        let (board, pieces) = (self.board.clone(), self.goal.knights.clone());
        Setup { board, pieces, unknown: self.goal.any.clone() }.fen()
    }

    /// Does the case of a letter give its side? It does when both cases occur; otherwise each letter is a side.
    #[must_use]
    pub fn sides_are_cases(&self) -> bool {
        let mut sides = self.start.values().map(|&letter| Side::of(letter));
        sides.next().is_some_and(|first| sides.any(|side| side != first))
    }

    /// Are two knights on opposing sides, so that `peaceful` forbids them to attack each other?
    #[must_use]
    pub fn are_opposed(&self, one: char, other: char) -> bool {
        opposed(one, other, self.sides_are_cases())
    }

    /// Two opposing knights that attack each other, if any do.
    pub(crate) fn attacking_pair(&self, knights: &Placement) -> Option<(Square, Square)> {
        let by_case = self.sides_are_cases();
        knights
            .keys()
            .find_map(|&one| self.opponent_of(one, knights, by_case).map(|other| (one, other)))
    }

    /// An opposing knight that the knight on this square attacks.
    fn opponent_of(&self, one: Square, knights: &Placement, by_case: bool) -> Option<Square> {
        let letter = *knights.get(&one)?;
        let opposes = |to: &Square| knights.get(to).is_some_and(|&l| opposed(letter, l, by_case));
        self.board.jumps_from(Leaper::KNIGHT, one).into_iter().find(opposes)
    }
}

fn opposed(one: char, other: char, by_case: bool) -> bool {
    if by_case { Side::of(one) != Side::of(other) } else { one != other }
}

/// How many knights there are of each letter.
fn tally(knights: &Placement) -> BTreeMap<char, usize> {
    let mut tally = BTreeMap::new();
    for &letter in knights.values() {
        *tally.entry(letter).or_insert(0) += 1;
    }
    tally
}

impl Problem for SwapProblem {
    type Solution = SwapPlan;

    const KIND: &'static str = "swap";

    fn validate(&self) -> Result<(), QuestionError> {
        for &square in self.start.keys().chain(self.goal.knights.keys()).chain(&self.goal.any) {
            on_board(&self.board, "knight", square)?;
        }
        if let Some(&square) = self.goal.any.iter().find(|s| self.goal.knights.contains_key(s)) {
            return Err(QuestionError::Doubled(square));
        }
        let (have, want) = (tally(&self.start), tally(&self.goal.knights));
        for &letter in have.keys().chain(want.keys()) {
            let (start, goal) = (have.get(&letter).copied(), want.get(&letter).copied());
            let (start, goal) = (start.unwrap_or(0), goal.unwrap_or(0));
            if goal > start || (goal < start && self.goal.any.is_empty()) {
                return Err(QuestionError::Knights { letter, start, goal });
            }
        }
        let (left, open) = (self.start.len() - self.goal.knights.len(), self.goal.any.len());
        if left > open {
            return Err(QuestionError::NoRoom { left, open });
        }
        if self.rules.alternate.is_some() {
            for side in [Side::White, Side::Black] {
                if !self.start.values().any(|&letter| Side::of(letter) == side) {
                    return Err(QuestionError::NoSide(side));
                }
            }
        }
        if self.rules.peaceful {
            for (position, knights) in [("start", &self.start), ("goal", &self.goal.knights)] {
                if let Some((one, other)) = self.attacking_pair(knights) {
                    return Err(QuestionError::Attacked { position, one, other });
                }
            }
        }
        Ok(())
    }

    fn verify(&self, SwapPlan(moves): &SwapPlan) -> Result<(), Fault> {
        let mut knights = self.start.clone();
        let mut turn = self.rules.alternate;
        let (mut began, mut last_arrival) = (None, None);
        // Who has the turn moves: a run does not end where it began.
        let in_turns = turn.is_some();
        let idle = |step: u64, began: Option<Square>, last_arrival: Option<Square>| {
            let back = began.filter(|_| in_turns && began == last_arrival);
            back.map_or(Ok(()), |square| Err(Fault::IdleRun { step, square }))
        };
        let by_case = self.sides_are_cases();
        if self.rules.peaceful
            && let Some((one, other)) = self.attacking_pair(&knights)
        {
            let position = "start";
            return Err(Fault::Question(QuestionError::Attacked { position, one, other }));
        }
        for (step, &Move { from, to }) in (1..).zip(moves) {
            for square in [from, to] {
                if !self.board.covers(square) {
                    return Err(Fault::OffBoard { step, square });
                }
                if !self.board.contains(square) {
                    return Err(Fault::OnHole { step, square });
                }
            }
            let Some(letter) = knights.remove(&from) else {
                return Err(Fault::NoKnight { step, square: from });
            };
            if !self.board.is_jump(Leaper::KNIGHT, from, to) {
                return Err(Fault::NotAJump { step, from, to });
            }
            if knights.insert(to, letter).is_some() {
                return Err(Fault::Occupied { step, square: to });
            }
            let continues_run = self.rules.metric == Metric::Runs && last_arrival == Some(from);
            if !continues_run {
                idle(step - 1, began, last_arrival)?;
                began = Some(from);
            }
            if let Some(side) = turn.filter(|_| !continues_run) {
                if Side::of(letter) != side {
                    return Err(Fault::WrongTurn { step, square: from, turn: side });
                }
                turn = Some(side.other());
            }
            // No knights attacked each other before, so an attack involves the one that moved.
            if self.rules.peaceful
                && let Some(other) = self.opponent_of(to, &knights, by_case)
            {
                return Err(Fault::Attacked { step, one: to, other });
            }
            last_arrival = Some(to);
        }
        idle(moves.len() as u64, began, last_arrival)?;
        let named: BTreeSet<Square> =
            knights.keys().chain(self.goal.knights.keys()).copied().collect();
        for square in named.into_iter().filter(|square| !self.goal.any.contains(square)) {
            let found = knights.get(&square).copied();
            let expected = self.goal.knights.get(&square).copied();
            if found != expected {
                return Err(Fault::GoalMissed { square, found, expected });
            }
        }
        Ok(())
    }

    fn cost(&self, SwapPlan(moves): &SwapPlan) -> u64 {
        match self.rules.metric {
            Metric::Moves => moves.len() as u64,
            Metric::Runs => {
                let new_runs = moves.windows(2).filter(|pair| pair[0].to != pair[1].from).count();
                new_runs as u64 + u64::from(!moves.is_empty())
            }
        }
    }

    fn prove_within(
        &self,
        lower_bound: u64,
        proof: &Proof,
        budget: &Budget<'_>,
    ) -> Result<Support, Fault> {
        match proof {
            Proof::Potentials(proof) => match potentials::bound(self, proof, budget) {
                Ok(bound) if bound >= lower_bound => Ok(Support::Checked),
                Ok(bound) => Err(Fault::Claim(format!(
                    "the potentials prove {bound}, but the lower bound is {lower_bound}"
                ))),
                Err(why) => {
                    let fails = || Fault::Claim(format!("the potentials fail: {why}"));
                    Err(budget.stopped().unwrap_or_else(fails))
                }
            },
            Proof::BoundMet { .. } => Ok(Support::Stated),
            Proof::Search { .. } => Ok(Support::Search),
            Proof::Refutation(_) => {
                Err(Fault::Claim("a refutation proves nothing about a swap".to_owned()))
            }
        }
    }

    fn search(&self, below: u64, budget: &Budget<'_>) -> Sought {
        search::swap(self, below, budget)
    }

    fn confirm_within(&self, obstacle: &Obstacle, budget: &Budget<'_>) -> Result<Support, Fault> {
        obstacle::confirm_swap(self, obstacle, budget)
    }
}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        let (from, to) =
            text.split_once('-').ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
        let square = |text: &str| text.parse().map_err(MoveError::Square);
        Ok(Move { from: square(from)?, to: square(to)? })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

as_text!(Move, MoveError);

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Malformed(text) => {
                write!(f, "{} is not a move; write two squares, like `a1-b3`", quoted(text))
            }
            MoveError::Square(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MoveError {}

impl FromStr for SwapPlan {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<SwapPlan, MoveError> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(SwapPlan)
    }
}

impl fmt::Display for SwapPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, jump) in self.0.iter().enumerate() {
            let gap = if step > 0 { " " } else { "" };
            write!(f, "{gap}{jump}")?;
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::{Metric, Setup, Side, SwapProblem, SwapRules};
    use crate::leaper::Wrap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Plain {
        start: String,
        goal: String,
        #[serde(default)]
        wrap: Wrap,
        #[serde(default)]
        metric: Metric,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alternate: Option<Side>,
        #[serde(default)]
        peaceful: bool,
    }

    impl Serialize for SwapProblem {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let SwapRules { metric, alternate, peaceful } = self.rules;
            let (start, goal) = (self.start_fen(), self.goal_fen());
            Plain { start, goal, wrap: self.board.wrap(), metric, alternate, peaceful }
                .serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for SwapProblem {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SwapProblem, D::Error> {
            let Plain { start, goal, wrap, metric, alternate, peaceful } =
                Plain::deserialize(deserializer)?;
            let setup = |fen: &str| fen.parse::<Setup>().map_err(de::Error::custom);
            let (start, goal) = (setup(&start)?, setup(&goal)?);
            let mut problem = SwapProblem::between(&start, &goal).map_err(de::Error::custom)?;
            problem.board = problem.board.wrapped(wrap);
            problem.rules = SwapRules { metric, alternate, peaceful };
            Ok(problem)
        }
    }
}
