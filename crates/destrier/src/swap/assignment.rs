//! The assignment problem: the cheapest matching of knights to targets, as if knights did not block.
//!
//! The Hungarian method by shortest augmenting paths with potentials. The potentials are kept, and
//! determine the cost after any one knight makes any one jump.
//!
//! Invariant: `cost[i][j] >= row[i] + column[j]`, with equality on the matching.
//! Cost: `O(k² m)` for `k` knights and `m` targets; all single jumps together `O(k³)` when `m = k`.
//! Source: Kuhn 1955; Munkres 1957; Jonker and Volgenant 1987.

/// The cost of an unreachable target: more than every matching, and 128 of them still fit an `i32`.
pub(super) const FAR: i32 = 1 << 22;

/// A matching of `rows` rows into `columns` columns, and its potentials.
#[derive(Clone, Debug, Default)]
pub(super) struct Assignment {
    rows: usize,
    columns: usize,
    cost: Vec<i32>,
    row: Vec<i32>,
    column: Vec<i32>,
    /// The row matched to each column, `usize::MAX` for none.
    taken_by: Vec<usize>,
    reach: Vec<i32>,
    before: Vec<usize>,
    done: Vec<bool>,
    shift: Vec<i32>,
    tight: Vec<u128>,
    leads_to: Vec<u128>,
}

const NONE: usize = usize::MAX;

impl Assignment {
    /// Matches the rows as cheaply as possible; the caller fills in the costs, row by row.
    pub(super) fn solve(
        &mut self,
        rows: usize,
        columns: usize,
        fill: impl FnOnce(&mut Vec<i32>),
    ) -> i32 {
        debug_assert!(rows <= columns);
        self.rows = rows;
        self.columns = columns;
        self.cost.clear();
        fill(&mut self.cost);
        debug_assert_eq!(self.cost.len(), rows * columns);
        self.row.clear();
        self.row.resize(rows, 0);
        self.column.clear();
        self.column.resize(columns, 0);
        self.taken_by.clear();
        self.taken_by.resize(columns, NONE);
        // Most rows can have a cheapest column; the others need augmenting paths.
        let mut left = Vec::new();
        for i in 0..rows {
            let costs = &self.cost[i * columns..(i + 1) * columns];
            let least = costs.iter().copied().min().unwrap_or(0);
            self.row[i] = least;
            match (0..columns).find(|&j| costs[j] == least && self.taken_by[j] == NONE) {
                Some(j) => self.taken_by[j] = i,
                None => left.push(i),
            }
        }
        for i in left {
            self.augment(i);
        }
        (0..columns)
            .filter(|&j| self.taken_by[j] != NONE)
            .map(|j| self.cost[self.taken_by[j] * columns + j])
            .sum()
    }

    fn augment(&mut self, root: usize) {
        let m = self.columns;
        self.reach.clear();
        self.reach.resize(m, i32::MAX);
        self.before.clear();
        self.before.resize(m, NONE);
        self.done.clear();
        self.done.resize(m, false);
        let mut at = NONE;
        loop {
            let i = if at == NONE { root } else { self.taken_by[at] };
            let mut least = i32::MAX;
            let mut next = 0;
            for j in 0..m {
                if self.done[j] {
                    continue;
                }
                let reduced = self.cost[i * m + j] - self.row[i] - self.column[j];
                if reduced < self.reach[j] {
                    self.reach[j] = reduced;
                    self.before[j] = at;
                }
                if self.reach[j] < least {
                    least = self.reach[j];
                    next = j;
                }
            }
            self.row[root] += least;
            for j in 0..m {
                if self.done[j] {
                    self.row[self.taken_by[j]] += least;
                    self.column[j] -= least;
                } else if self.reach[j] != i32::MAX {
                    self.reach[j] -= least;
                }
            }
            self.done[next] = true;
            at = next;
            if self.taken_by[at] == NONE {
                break;
            }
        }
        while at != NONE {
            let back = self.before[at];
            self.taken_by[at] = if back == NONE { root } else { self.taken_by[back] };
            at = back;
        }
    }

    /// Each row with the column that it has.
    pub(super) fn matched(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let columns = self.taken_by.iter().enumerate();
        columns.filter(|&(_, &row)| row != NONE).map(|(column, &row)| (row, column))
    }

    /// The potentials of rows and columns of the last matching; unmatched columns have 0, and no column
    /// has more.
    pub(super) fn potentials(&self) -> (&[i32], &[i32]) {
        (&self.row, &self.column)
    }

    /// Prepares for [`Self::change`]: the cost of freeing each column by occupying each other one. There
    /// must be as many rows as columns.
    pub(super) fn prepare_changes(&mut self) {
        let k = self.columns;
        debug_assert_eq!(self.rows, k);
        self.shift.clear();
        self.shift.resize(k * k, 0);
        for j in 0..k {
            let i = self.taken_by[j];
            for to in 0..k {
                self.shift[j * k + to] = self.cost[i * k + to] - self.row[i] - self.column[to];
            }
        }
        for via in 0..k {
            for from in 0..k {
                let first = self.shift[from * k + via];
                for to in 0..k {
                    let sum = first + self.shift[via * k + to];
                    if sum < self.shift[from * k + to] {
                        self.shift[from * k + to] = sum;
                    }
                }
            }
        }
        self.before.clear();
        self.before.resize(k, 0);
        for j in 0..k {
            self.before[self.taken_by[j]] = j;
        }
    }

    /// For each row the columns it could have in some cheapest matching: those for which a jump towards
    /// them makes the matching cheaper. At most 128 rows, and as many columns.
    pub(super) fn free_columns(&mut self) -> &[u128] {
        let k = self.columns;
        debug_assert_eq!(self.rows, k);
        self.tight.clear();
        self.tight.extend((0..k).map(|i| {
            let spare = |&j: &usize| self.cost[i * k + j] == self.row[i] + self.column[j];
            (0..k).filter(spare).fold(0, |mask, j| mask | 1u128 << j)
        }));
        // A column leads to those that its own row could have instead, and so on.
        self.leads_to.clear();
        self.leads_to.extend(self.taken_by.iter().map(|&i| self.tight[i]));
        for via in 0..k {
            let on = self.leads_to[via];
            for from in 0..k {
                if self.leads_to[from] >> via & 1 == 1 {
                    self.leads_to[from] |= on;
                }
            }
        }
        for freed in 0..k {
            let i = self.taken_by[freed];
            let mut left = self.tight[i];
            while left != 0 {
                let j = left.trailing_zeros();
                left &= left - 1;
                if self.leads_to[j as usize] >> freed & 1 == 0 {
                    self.tight[i] ^= 1 << j;
                }
            }
        }
        &self.tight
    }

    /// By how much the total changes when row `i` gets other costs.
    pub(super) fn change(&self, i: usize, costs: &[i32]) -> i32 {
        let k = self.columns;
        let freed = self.before[i];
        let best = (0..k)
            .map(|j| costs[j] - self.column[j] + self.shift[j * k + freed])
            .min()
            .expect("a colour has a knight");
        best + self.column[freed] - self.cost[i * k + freed]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;

    fn cheapest(cost: &[Vec<i32>], used: &mut Vec<bool>, row: usize) -> i32 {
        if row == cost.len() {
            return 0;
        }
        let mut best = i32::MAX;
        for j in 0..used.len() {
            if !used[j] {
                used[j] = true;
                best = best.min(cost[row][j] + cheapest(cost, used, row + 1));
                used[j] = false;
            }
        }
        best
    }

    #[test]
    fn the_matching_is_the_cheapest_and_changes_are_predicted() {
        let mut random = Random::new(7);
        let mut below = |limit: usize| i32::try_from(random.below(limit)).unwrap();
        let mut assignment = Assignment::default();
        for round in 0..300 {
            let rows = 1 + round % 6;
            let columns = rows + usize::from(round % 2 == 1);
            let cost: Vec<Vec<i32>> =
                (0..rows).map(|_| (0..columns).map(|_| below(9)).collect()).collect();
            let total = assignment.solve(rows, columns, |c| c.extend(cost.iter().flatten()));
            assert_eq!(total, cheapest(&cost, &mut vec![false; columns], 0));
            if rows == columns {
                assignment.prepare_changes();
                for i in 0..rows {
                    let mut other = cost.clone();
                    other[i] = (0..columns).map(|_| below(9)).collect();
                    let want = cheapest(&other, &mut vec![false; columns], 0) - total;
                    assert_eq!(assignment.change(i, &other[i]), want);
                }
                // One cheaper entry makes the matching cheaper exactly if its column is free.
                let free = assignment.free_columns().to_vec();
                for i in 0..rows {
                    for j in 0..columns {
                        let mut other = cost.clone();
                        other[i][j] -= 1;
                        let cheaper = cheapest(&other, &mut vec![false; columns], 0) < total;
                        assert_eq!(free[i] >> j & 1 == 1, cheaper);
                    }
                }
            }
        }
    }
}
