//! Is there a tour? Every rectangle, every shape, every choice of ends.
//!
//! Closed tours follow Schwenk's theorem. Two given ends follow the rule of pairs.rs; one end or none may have a
//! closed tour turned to suit, or the rule finds a partner. Where the rule knows no answer, the board has at
//! most 39 squares and is searched to the end.
//!
//! Invariant: an answer that is not a refusal names a tour that compose builds.
//! Cost: constant, except for the searches: at most a few hundred thousand nodes.
//! Source: Schwenk 1991; `known/pairs.csv`.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "squares of a board have coordinates from 0 to 2³¹"
)]

use destrier_rules::{Obstacle, Shape, Square, TourProblem};

use super::compose::frame::{Point, View};
use super::compose::search::Block;
use super::pairs::{Refusal, RowColumn, Rule, rule};
use super::search::reasons;

/// How to tour a rectangle, or why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Take the closed tour.
    Closed,
    /// Take a tour between two squares.
    Between(Square, Square),
    /// A search found it: these squares in this order.
    Found(Vec<Square>),
    /// There is none.
    Refused(Obstacle),
}

/// A decision, and the nodes that searches looked at for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) decision: Decision,
    pub(crate) nodes: u64,
}

/// Does the rectangle have a closed tour?
pub(crate) fn has_closed_tour(files: u32, ranks: u32) -> bool {
    let (short, long) = (files.min(ranks), files.max(ranks));
    let odd = !short.is_multiple_of(2) && !long.is_multiple_of(2);
    !(odd || matches!(short, 1 | 2 | 4) || (short == 3 && matches!(long, 4 | 6 | 8)))
}

/// Decides a knight's tour of a plain rectangle; `tick` may stop a search.
pub(crate) fn decide<E>(
    problem: &TourProblem,
    tick: &mut impl FnMut() -> Result<(), E>,
) -> Result<Decided, E> {
    let mut decider = Decider::new(problem, tick);
    let decision = decider.decide(problem)?;
    Ok(Decided { decision, nodes: decider.nodes })
}

struct Decider<'b, B> {
    /// The board with its shorter side as rows.
    view: View,
    dark: u64,
    light: u64,
    nodes: u64,
    tick: &'b mut B,
}

impl<E, B: FnMut() -> Result<(), E>> Decider<'_, B> {
    fn new<'b>(problem: &TourProblem, tick: &'b mut B) -> Decider<'b, B> {
        let view = View::of(problem.board.files(), problem.board.ranks());
        let view = if view.height > view.width { view.swapped() } else { view };
        let (dark, light) = problem.board.colours();
        Decider { view, dark, light, nodes: 0, tick }
    }

    fn rows(&self) -> u32 {
        self.view.height as u32
    }

    fn columns(&self) -> u32 {
        self.view.width as u32
    }

    fn place(&self, square: Square) -> RowColumn {
        let point = self.view.see(Point::new(square.file.into(), square.rank.into()));
        (point.y as u32, point.x as u32)
    }

    fn square(&self, (row, column): RowColumn) -> Square {
        let point = self.view.back(Point::new(column.into(), row.into()));
        Square::new(point.x as u32, point.y as u32)
    }

    fn decide(&mut self, problem: &TourProblem) -> Result<Decision, E> {
        if let Some(obstacle) = self.dead_ends(problem.shape) {
            return Ok(Decision::Refused(obstacle));
        }
        let closes = has_closed_tour(self.rows(), self.columns());
        if problem.shape == Shape::Closed {
            if self.dark != self.light {
                let (dark, light) = (self.dark, self.light);
                return Ok(Decision::Refused(Obstacle::Colours { dark, light }));
            }
            if !closes {
                let (short, long) = (self.rows(), self.columns());
                return Ok(Decision::Refused(Obstacle::Schwenk { short, long }));
            }
        }
        match (problem.start, problem.end) {
            (Some(start), Some(end)) => {
                let refused = reasons::closing_jump(problem).map(Decision::Refused);
                refused.map_or_else(|| self.between(start, end), Ok)
            }
            _ if closes => Ok(Decision::Closed),
            (Some(start), None) => self.from(start, |start, end| (start, end)),
            (None, Some(end)) => self.from(end, |end, start| (start, end)),
            (None, None) => self.anywhere(),
        }
    }

    /// One or two rows: corners that cannot be passed through, or squares without a jump.
    fn dead_ends(&self, shape: Shape) -> Option<Obstacle> {
        let (rows, columns) = (self.rows(), self.columns());
        let places: &[RowColumn] = match (rows, columns) {
            (1, 1) if shape == Shape::Open => return None,
            (1, _) | (2, 2) => &[(0, 0)],
            (2, _) => &[(0, 0), (0, 1), (1, 0), (1, 1)],
            (3, 3) => &[(1, 1)],
            _ => return None,
        };
        let squares = places.iter().map(|&p| self.square(p)).collect();
        Some(Obstacle::DeadEnds { squares })
    }

    fn between(&mut self, start: Square, end: Square) -> Result<Decision, E> {
        if start == end {
            // One square is a tour of itself.
            return Ok(Decision::Found(vec![start]));
        }
        let (a, b) = (self.place(start), self.place(end));
        match rule(self.rows(), self.columns(), a, b) {
            Rule::Tour => Ok(Decision::Between(start, end)),
            Rule::Refused(refusal) => Ok(Decision::Refused(self.obstacle(&refusal))),
            Rule::Search => {
                let found = self.search(a, b)?;
                Ok(found.map_or_else(|| self.exhausted(), Decision::Found))
            }
        }
    }

    /// One end is given: a partner by the rule, or by trying them all.
    fn from(
        &mut self,
        end: Square,
        in_order: impl Fn(Square, Square) -> (Square, Square),
    ) -> Result<Decision, E> {
        if (self.rows(), self.columns()) == (1, 1) {
            return Ok(Decision::Found(vec![end]));
        }
        let a = self.place(end);
        let mut refusal = None;
        let mut partners = Vec::new();
        for b in self.near_corners().into_iter().filter(|&b| b != a) {
            match rule(self.rows(), self.columns(), a, b) {
                Rule::Tour => {
                    let (start, end) = in_order(end, self.square(b));
                    return Ok(Decision::Between(start, end));
                }
                Rule::Search => partners.push(b),
                // A reason that is about this end alone refuses every partner.
                Rule::Refused(reason) => {
                    if matches!(&reason, Refusal::Inner { end } if *end == a) {
                        refusal = Some(reason);
                    }
                }
            }
        }
        if partners.is_empty() {
            // Beyond the small boards each square has a partner near a corner, unless it is refused alone.
            let reason = refusal.unwrap_or(Refusal::Colours);
            return Ok(Decision::Refused(self.obstacle(&reason)));
        }
        for b in partners {
            let (start, end) = in_order(end, self.square(b));
            if let Some(path) = self.search(self.place(start), self.place(end))? {
                return Ok(Decision::Found(path));
            }
        }
        Ok(self.exhausted())
    }

    /// No end is given, and no tour closes.
    fn anywhere(&mut self) -> Result<Decision, E> {
        for start in self.near_corners() {
            let square = self.square(start);
            match self.from(square, |start, end| (start, end))? {
                Decision::Refused(_) => {}
                decision => return Ok(decision),
            }
        }
        Ok(self.exhausted())
    }

    /// All squares of a small board, and those within reach of the corners on a large one.
    fn near_corners(&self) -> Vec<RowColumn> {
        const REACH: u32 = 7;
        let side = |length: u32| {
            (0..length.min(REACH)).chain(length.saturating_sub(REACH).max(REACH)..length)
        };
        side(self.columns()).flat_map(|c| side(self.rows()).map(move |r| (r, c))).collect()
    }

    /// Searches all paths between two squares of a small board.
    fn search(&mut self, a: RowColumn, b: RowColumn) -> Result<Option<Vec<Square>>, E> {
        let block = Block::new(self.columns(), self.rows());
        let vertex = |(row, column): RowColumn| block.vertex(row, column);
        let found = block.exhaust(vertex(a), vertex(b), |_| true, self.tick)?;
        self.nodes += found.nodes;
        let squares = |path: Vec<_>| {
            path.into_iter().map(|vertex| self.square(block.row_column(vertex))).collect()
        };
        Ok(found.path.map(squares))
    }

    fn exhausted(&self) -> Decision {
        let method = "compose".to_owned();
        Decision::Refused(Obstacle::Exhausted { method, nodes: self.nodes })
    }

    fn obstacle(&self, refusal: &Refusal) -> Obstacle {
        match refusal {
            Refusal::Colours => Obstacle::EndColours { dark: self.dark, light: self.light },
            Refusal::Neck { neck, corners } => {
                let neck = self.square(*neck);
                let [one, other] = corners.map(|corner| self.square(corner));
                Obstacle::Theorem {
                    name: "corner rule".to_owned(),
                    text: format!(
                        "{one} and {other} have two jumps each, one of them to {neck}; neither is an end, \
                         so both need {neck}, and as an end it has only one jump to give"
                    ),
                }
            }
            Refusal::Short { path } => {
                let names: Vec<String> =
                    path.iter().map(|&place| self.square(place).to_string()).collect();
                Obstacle::Theorem {
                    name: "forced jumps".to_owned(),
                    text: format!(
                        "with these ends, squares that have only two jumps left force the path {}, \
                         which ends after {} squares",
                        names.join(" "),
                        names.len()
                    ),
                }
            }
            Refusal::Inner { end } => Obstacle::Theorem {
                name: "four rows".to_owned(),
                text: format!(
                    "squares of the two outer rows jump to inner rows only, so a tour with the inner \
                     square {} as an end alternates between outer and inner squares and sees outer \
                     squares of one colour only",
                    self.square(*end)
                ),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    use destrier_rules::{Board, Problem as _};

    use super::*;

    fn decision(problem: &TourProblem) -> Decision {
        let Ok(decided) = decide(problem, &mut || Ok::<(), Infallible>(()));
        if let Decision::Refused(obstacle) = &decided.decision {
            problem.confirm(obstacle).unwrap_or_else(|fault| panic!("{problem:?}: {fault}"));
        }
        decided.decision
    }

    fn is_refused(rows: u32, columns: u32, a: RowColumn, b: RowColumn) -> bool {
        let board = Board::new(columns, rows).unwrap();
        let problem = TourProblem::open(board)
            .starting_at(Square::new(a.1, a.0))
            .ending_at(Square::new(b.1, b.0));
        matches!(decision(&problem), Decision::Refused(_))
    }

    /// `0.2-1.3` as two places.
    fn pair(text: &str) -> (RowColumn, RowColumn) {
        let place = |text: &str| {
            let (row, column) = text.split_once('.').unwrap();
            (row.parse().unwrap(), column.parse().unwrap())
        };
        let (a, b) = text.trim_matches(['(', ')']).split_once('-').unwrap();
        (place(a), place(b))
    }

    #[test]
    fn the_rule_agrees_with_every_pair_of_the_reference() {
        let table = include_str!("../../../../known/pairs.csv");
        let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let (m, n): (u32, u32) = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
            let flips = |(r, c): RowColumn| {
                [(r, c), (m - 1 - r, c), (r, n - 1 - c), (m - 1 - r, n - 1 - c)]
            };
            let mut unsolvable = BTreeSet::new();
            for text in fields[11].split_whitespace() {
                let (a, b) = pair(text);
                for (a, b) in flips(a).into_iter().zip(flips(b)) {
                    unsolvable.insert((a.min(b), a.max(b)));
                    if m == n {
                        let (a, b) = ((a.1, a.0), (b.1, b.0));
                        unsolvable.insert((a.min(b), a.max(b)));
                    }
                }
            }
            let mut refused = BTreeSet::new();
            let all: Vec<RowColumn> = (0..m).flat_map(|r| (0..n).map(move |c| (r, c))).collect();
            for &a in &all {
                for &b in all.iter().filter(|&&b| a < b) {
                    let admitted = rule(m, n, a, b) != Rule::Refused(Refusal::Colours);
                    if admitted && is_refused(m, n, a, b) {
                        refused.insert((a, b));
                    }
                }
            }
            assert_eq!(refused, unsolvable, "{m}x{n}");
            assert_eq!(refused.len().to_string(), fields[4], "{m}x{n}");
            assert_eq!(has_closed_tour(m, n), fields[8] == "closed", "{m}x{n}");
        }
    }

    /// A search would find out, too, but not say why.
    #[test]
    fn one_and_two_rows_and_the_smallest_square_have_dead_ends() {
        for (files, ranks, open, closed) in [
            (1, 1, false, true),
            (1, 7, true, true),
            (2, 2, true, true),
            (3, 2, true, true),
            (2, 9, true, true),
            (3, 3, true, true),
            (3, 4, false, false),
        ] {
            let board = Board::new(files, ranks).unwrap();
            let is_dead = |problem: &TourProblem| {
                matches!(decision(problem), Decision::Refused(Obstacle::DeadEnds { .. }))
            };
            let found =
                [TourProblem::open(board.clone()), TourProblem::closed(board)].map(|p| is_dead(&p));
            assert_eq!(found, [open, closed], "{files}x{ranks}");
        }
    }

    /// Boards with a tour between some ends, and none between others, are searched.
    #[test]
    fn what_was_searched_says_how_far() {
        let problem = TourProblem::open(Board::new(4, 4).unwrap());
        let Decision::Refused(Obstacle::Exhausted { nodes, .. }) = decision(&problem) else {
            panic!("4x4 has no tour, and no rule says so");
        };
        assert!(nodes > 0);
    }

    #[test]
    fn one_end_is_refused_where_every_pair_is() {
        for (files, ranks) in (1..=8).flat_map(|w| (1..=8).map(move |h| (w, h))) {
            let board = Board::new(files, ranks).unwrap();
            let squares: Vec<Square> = board.squares().collect();
            let mut any = false;
            for &start in &squares {
                let from = TourProblem::open(board.clone()).starting_at(start);
                let found = squares.iter().any(|&end| {
                    (end != start || squares.len() == 1)
                        && !matches!(decision(&from.clone().ending_at(end)), Decision::Refused(_))
                });
                let alone = !matches!(decision(&from), Decision::Refused(_));
                assert_eq!(alone, found, "{files}x{ranks} from {start}");
                let to = TourProblem::open(board.clone()).ending_at(start);
                assert_eq!(!matches!(decision(&to), Decision::Refused(_)), found);
                any |= found;
            }
            let open = TourProblem::open(board);
            assert_eq!(!matches!(decision(&open), Decision::Refused(_)), any, "{files}x{ranks}");
        }
    }
}
