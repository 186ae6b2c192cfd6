//! Which pairs of ends have a tour: the whole rule for rectangles.
//!
//! With six rows and columns or more, the colours decide. Narrow boards have exceptions that follow a few
//! patterns, each with a short argument, and a handful of small boards follow none: the rule says so, and these
//! are searched to the end. Squares are (row, column) from a corner, rows being the shorter side.
//!
//! Invariant: a pair and its mirror images have the same answer.
//! Cost: constant.
//! Source: `known/pairs.csv`, every pair on 175 boards by exhaustive search; Schwenk 1991 for the closed case.

/// Row and column, from 0.
pub(crate) type RowColumn = (u32, u32);

/// What the rule knows of two ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rule {
    /// There is a tour.
    Tour,
    /// There is none, for this reason.
    Refused(Refusal),
    /// The board is small and follows no pattern: search it.
    Search,
}

/// Why two ends of a narrow board have no tour; squares of the board are named, so that it can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The colours do not alternate.
    Colours,
    /// Two corners both need the same square, which is an end and has one jump to give.
    Neck { neck: RowColumn, corners: [RowColumn; 2] },
    /// The jumps that squares with only two jumps must use lead from one end to the other too early.
    Short { path: Vec<RowColumn> },
    /// Four rows, and an end that is not in an outer row.
    Inner { end: RowColumn },
}

/// The rule for tours between `a` and `b` on `rows` × `columns` squares, `rows <= columns`.
pub(crate) fn rule(rows: u32, columns: u32, a: RowColumn, b: RowColumn) -> Rule {
    let colour = |p: RowColumn| (p.0 + p.1) % 2;
    let even = rows.is_multiple_of(2) || columns.is_multiple_of(2);
    let admitted =
        if even { colour(a) != colour(b) } else { colour(a) == 0 && colour(b) == 0 && a != b };
    if !admitted && (rows, columns) != (1, 1) {
        return Rule::Refused(Refusal::Colours);
    }
    let board = Narrow { rows, columns };
    let refused = |refusal: Option<Refusal>| refusal.map_or(Rule::Tour, Rule::Refused);
    match (rows, columns) {
        (5, 7..) => refused(board.neck(a, b)),
        (4, 5..) if inner(a, b).is_some() => refused(inner(a, b)),
        (6.., _) | (4, 7..) => Rule::Tour,
        // Found by searching 3×13: the two ends of each of these pairs are too close to the two sides at once.
        (3, 13) if pair_of_thirteen(a, b) => Rule::Search,
        (3, 11..) => refused(board.neck(a, b).or_else(|| board.short(a, b))),
        _ => Rule::Search,
    }
}

#[derive(Clone, Copy)]
struct Narrow {
    rows: u32,
    columns: u32,
}

impl Narrow {
    /// The images of a square under no mirror, either mirror, and both.
    fn images(self, p: RowColumn) -> [RowColumn; 4] {
        let (r, c) = (self.rows - 1 - p.0, self.columns - 1 - p.1);
        [p, (p.0, c), (r, p.1), (r, c)]
    }

    fn neck(self, a: RowColumn, b: RowColumn) -> Option<Refusal> {
        // Both corners of the left side jump to this square.
        let neck = if self.rows == 3 { (1, 2) } else { (2, 1) };
        let pairs = self.images(a).into_iter().zip(self.images(b));
        for (i, (p, q)) in pairs.enumerate() {
            for (end, other) in [(p, q), (q, p)] {
                let corners = [(0, 0), (self.rows - 1, 0)];
                if end == neck && !corners.contains(&other) {
                    let back = |p| self.images(p)[i];
                    return Some(Refusal::Neck { neck: back(neck), corners: corners.map(back) });
                }
            }
        }
        None
    }

    fn short(self, a: RowColumn, b: RowColumn) -> Option<Refusal> {
        // The middle of the side has two jumps, to both ends.
        const THREE: &[RowColumn] = &[(0, 2), (1, 0), (2, 2)];
        // (1, 0) joins (0, 2), an end, to (2, 2); the corners join (2, 1), (1, 2) and (0, 1); with (0, 2) done,
        // (2, 1) goes on to (1, 3), the other end, so (0, 1) must go on to (2, 2).
        const NINE: &[RowColumn] =
            &[(0, 2), (1, 0), (2, 2), (0, 1), (2, 0), (1, 2), (0, 0), (2, 1), (1, 3)];
        let pairs = self.images(a).into_iter().zip(self.images(b));
        for (i, (p, q)) in pairs.enumerate() {
            for path in [THREE, NINE] {
                let (first, last) = (path[0], path[path.len() - 1]);
                if (p, q) == (first, last) || (q, p) == (first, last) {
                    let path = path.iter().map(|&p| self.images(p)[i]).collect();
                    return Some(Refusal::Short { path });
                }
            }
        }
        None
    }
}

fn inner(a: RowColumn, b: RowColumn) -> Option<Refusal> {
    [a, b].into_iter().find(|p| p.0 == 1 || p.0 == 2).map(|end| Refusal::Inner { end })
}

fn pair_of_thirteen(a: RowColumn, b: RowColumn) -> bool {
    let columns = (a.1.min(b.1), a.1.max(b.1));
    a.0 != 1 && b.0 != 1 && columns == (2, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searching more pairs would give the same answers, but not in constant time.
    #[test]
    fn on_three_rows_and_thirteen_columns_four_pairs_are_searched() {
        let all = || (0..3).flat_map(|row| (0..13).map(move |column| (row, column)));
        let pairs = all().flat_map(|a| all().filter(move |&b| a < b).map(move |b| (a, b)));
        let searched: Vec<_> = pairs.filter(|&(a, b)| rule(3, 13, a, b) == Rule::Search).collect();
        let expected = [((0, 2), (0, 10)), ((0, 2), (2, 10)), ((0, 10), (2, 2)), ((2, 2), (2, 10))];
        assert_eq!(searched, expected);
    }
}
