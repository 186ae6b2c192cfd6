//! The basis of a linear program as sparse triangular factors, changed pivot by pivot.
//!
//! Rows and columns with a single entry are taken first, which leaves little of a basis of edges and
//! cuts; the rest is eliminated by Markowitz's rule with threshold pivoting. The column that is
//! eliminated with row `r` gets position `r`, so that one index serves rows and positions. Each pivot
//! of the simplex method adds one column (product form) to the factors, until they are recomputed.
//!
//! Invariant: the factors times a solution is the right-hand side, up to rounding.
//! Cost: a solution takes one pass over the factors and the columns added since.
//! Source: Markowitz 1957; Suhl and Suhl 1990; Dantzig and Orchard-Hays 1954 (product form).

/// A sparse column: row and value.
pub(crate) type Entries = Vec<(u32, f64)>;

/// Lists of entries, one after another.
#[derive(Debug, Clone)]
struct Lists {
    starts: Vec<u32>,
    entries: Entries,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { starts: vec![0], entries: Vec::new() }
    }
}

impl Lists {
    fn push(&mut self, list: impl IntoIterator<Item = (u32, f64)>) {
        self.entries.extend(list);
        self.starts.push(self.entries.len() as u32);
    }

    fn get(&self, k: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
}

/// Triangular factors of a basis.
#[derive(Debug, Clone, Default)]
pub(crate) struct Factor {
    /// The rows in the order of their elimination, and the pivot of each row.
    order: Vec<u32>,
    pivots: Vec<f64>,
    /// Lower factor: for each row in `lower_rows`, what other rows lose of it.
    lower_rows: Vec<u32>,
    lower: Lists,
    /// Upper factor without pivots, by column and by row, in the order of elimination.
    upper_columns: Lists,
    upper_rows: Lists,
    /// Columns that entered since: their position, their value there, and the other values.
    entered: Vec<(u32, f64)>,
    changes: Lists,
}

/// Smaller pivots are rounding error.
const SINGULAR: f64 = 1e-9;
/// A pivot must be at least this share of the largest entry in its column.
const THRESHOLD: f64 = 0.1;
/// Smaller results are rounding error; setting them to zero keeps vectors sparse.
const ZERO: f64 = 1e-13;

impl Factor {
    /// Factors of these columns, and the row that each is eliminated with; `None` for a column that
    /// depends on others. Rows without a column get a unit column.
    pub(crate) fn new(columns: Vec<Entries>, rows: usize) -> (Factor, Vec<Option<u32>>) {
        let mut elimination = Elimination::new(columns, rows);
        while let Some((row, column)) = elimination.choose() {
            elimination.eliminate(row, column);
        }
        elimination.finish()
    }

    /// The number of columns that entered since the factors were made.
    pub(crate) fn age(&self) -> usize {
        self.entered.len()
    }

    /// Are the added columns so many that new factors would be cheaper?
    pub(crate) fn is_worn(&self) -> bool {
        let fresh = self.upper_rows.entries.len() + self.lower.entries.len() + self.order.len();
        self.age() >= 100 || self.age() >= 20 && self.changes.entries.len() > 3 * fresh
    }

    /// Turns a column into its terms of the basis.
    pub(crate) fn solve(&self, column: &mut [f64]) {
        for (k, &row) in self.lower_rows.iter().enumerate() {
            let value = column[row as usize];
            if value != 0.0 {
                for &(i, a) in self.lower.get(k) {
                    column[i as usize] -= a * value;
                }
            }
        }
        for (k, &row) in self.order.iter().enumerate().rev() {
            let row = row as usize;
            if column[row] != 0.0 {
                let value = column[row] / self.pivots[row];
                column[row] = if value.abs() < ZERO { 0.0 } else { value };
                for &(i, a) in self.upper_columns.get(k) {
                    column[i as usize] -= a * value;
                }
            }
        }
        for (k, &(p, pivot)) in self.entered.iter().enumerate() {
            let value = column[p as usize];
            if value != 0.0 {
                let value = value / pivot;
                column[p as usize] = value;
                for &(i, a) in self.changes.get(k) {
                    column[i as usize] -= a * value;
                }
            }
        }
    }

    /// Turns weights of the basic variables into weights of the rows that add up to them.
    pub(crate) fn solve_transposed(&self, weights: &mut [f64]) {
        for (k, &(p, pivot)) in self.entered.iter().enumerate().rev() {
            let sum: f64 = self.changes.get(k).iter().map(|&(i, a)| a * weights[i as usize]).sum();
            weights[p as usize] = (weights[p as usize] - sum) / pivot;
        }
        for (k, &row) in self.order.iter().enumerate() {
            let row = row as usize;
            if weights[row] != 0.0 {
                let value = weights[row] / self.pivots[row];
                weights[row] = if value.abs() < ZERO { 0.0 } else { value };
                for &(i, a) in self.upper_rows.get(k) {
                    weights[i as usize] -= a * value;
                }
            }
        }
        for (k, &row) in self.lower_rows.iter().enumerate().rev() {
            let sum: f64 = self.lower.get(k).iter().map(|&(i, a)| a * weights[i as usize]).sum();
            weights[row as usize] -= sum;
        }
    }

    /// Puts a column, in terms of the basis, at position `p`.
    pub(crate) fn replace(&mut self, p: usize, column: &[f64]) {
        self.entered.push((p as u32, column[p]));
        let others =
            (0..).zip(column.iter().copied()).filter(|&(i, a)| a != 0.0 && i as usize != p);
        self.changes.push(others);
    }
}

/// A factorisation under way. Columns and rows that are done no longer appear in the lists.
struct Elimination {
    columns: Vec<Entries>,
    /// The columns with an entry in each row.
    in_row: Vec<Vec<u32>>,
    row_of: Vec<Option<u32>>,
    done: Vec<bool>,
    /// Rows that may have a single entry, and columns by their number of entries, both to be looked at again.
    single_rows: Vec<u32>,
    by_count: Vec<Vec<u32>>,
    /// Scratch: where a row is in the column at hand, plus one.
    place: Vec<u32>,
    /// The upper factor by rows, still with the numbers of columns.
    upper: Lists,
    eliminated: Vec<u32>,
    factor: Factor,
}

impl Elimination {
    fn new(columns: Vec<Entries>, rows: usize) -> Elimination {
        let mut in_row = vec![Vec::new(); rows];
        let mut by_count = vec![Vec::new(); 2];
        for (c, column) in columns.iter().enumerate() {
            for &(row, _) in column {
                in_row[row as usize].push(c as u32);
            }
            if by_count.len() <= column.len() {
                by_count.resize(column.len() + 1, Vec::new());
            }
            by_count[column.len()].push(c as u32);
        }
        let single = |&row: &u32| in_row[row as usize].len() == 1;
        Elimination {
            single_rows: (0..rows as u32).filter(single).collect(),
            row_of: vec![None; columns.len()],
            done: vec![false; columns.len()],
            place: vec![0; rows],
            upper: Lists::default(),
            eliminated: Vec::new(),
            factor: Factor { pivots: vec![1.0; rows], ..Factor::default() },
            columns,
            in_row,
            by_count,
        }
    }

    /// The next row and column: a single entry, or one in a shortest column and there a shortest row.
    fn choose(&mut self) -> Option<(u32, u32)> {
        while let Some(c) = self.by_count[1].pop() {
            if !self.done[c as usize] && self.columns[c as usize].len() == 1 {
                let (row, value) = self.columns[c as usize][0];
                if value.abs() > SINGULAR {
                    return Some((row, c));
                }
                self.reject(c);
            }
        }
        while let Some(row) = self.single_rows.pop() {
            if let &[c] = &self.in_row[row as usize][..] {
                let entries = &self.columns[c as usize];
                let found = entries.iter().find(|&&(i, _)| i == row);
                if found.is_some_and(|(_, value)| value.abs() > 1e-3) {
                    return Some((row, c));
                }
            }
        }
        for count in 2..self.by_count.len() {
            while let Some(c) = self.by_count[count].pop() {
                let entries = &self.columns[c as usize];
                if self.done[c as usize] || entries.len() != count {
                    continue;
                }
                let most = entries.iter().fold(0.0f64, |most, &(_, value)| most.max(value.abs()));
                if most < SINGULAR {
                    self.reject(c);
                    continue;
                }
                let large = entries.iter().filter(|&&(_, value)| value.abs() >= THRESHOLD * most);
                let shortest =
                    large.min_by_key(|&&(row, _)| (self.in_row[row as usize].len(), row));
                return shortest.map(|&(row, _)| (row, c));
            }
        }
        None
    }

    /// Leaves out a column that depends on others.
    fn reject(&mut self, c: u32) {
        self.done[c as usize] = true;
        for (row, _) in std::mem::take(&mut self.columns[c as usize]) {
            self.in_row[row as usize].retain(|&other| other != c);
        }
    }

    fn eliminate(&mut self, row: u32, c: u32) {
        self.done[c as usize] = true;
        self.row_of[c as usize] = Some(row);
        let mut column = std::mem::take(&mut self.columns[c as usize]);
        let at = column.iter().position(|&(i, _)| i == row).expect("the pivot is an entry");
        let pivot = column.swap_remove(at).1;
        for (i, value) in &mut column {
            *value /= pivot;
            let list = &mut self.in_row[*i as usize];
            list.retain(|&other| other != c);
            if list.len() == 1 {
                self.single_rows.push(*i);
            }
        }
        let others = std::mem::take(&mut self.in_row[row as usize]);
        for &j in others.iter().filter(|&&j| j != c) {
            let other = &mut self.columns[j as usize];
            let at = other.iter().position(|&(i, _)| i == row).expect("the row lists the column");
            let factor = other.swap_remove(at).1;
            self.upper.entries.push((j, factor));
            if !column.is_empty() {
                self.subtract(j, factor, &column);
            }
            let count = self.columns[j as usize].len();
            if self.by_count.len() <= count {
                self.by_count.resize(count + 1, Vec::new());
            }
            if count == 0 {
                self.done[j as usize] = true; // depends on others
            } else {
                self.by_count[count].push(j);
            }
        }
        self.upper.push([]);
        self.eliminated.push(c);
        self.factor.order.push(row);
        self.factor.pivots[row as usize] = pivot;
        if !column.is_empty() {
            self.factor.lower_rows.push(row);
            self.factor.lower.push(column);
        }
    }

    /// Subtracts a multiple of the pivot's column from another.
    fn subtract(&mut self, j: u32, factor: f64, column: &[(u32, f64)]) {
        let other = &mut self.columns[j as usize];
        for (at, &(i, _)) in (1..).zip(other.iter()) {
            self.place[i as usize] = at;
        }
        let before = other.len();
        for &(i, a) in column {
            let at = self.place[i as usize];
            if at == 0 {
                other.push((i, -a * factor));
                self.in_row[i as usize].push(j);
            } else {
                other[at as usize - 1].1 -= a * factor;
            }
        }
        for &(i, _) in &other[..before] {
            self.place[i as usize] = 0;
        }
        let in_row = &mut self.in_row;
        let single_rows = &mut self.single_rows;
        other.retain(|&(i, value)| {
            let stays = value.abs() > ZERO;
            if !stays {
                let list = &mut in_row[i as usize];
                list.retain(|&other| other != j);
                if list.len() == 1 {
                    single_rows.push(i);
                }
            }
            stays
        });
    }

    fn finish(mut self) -> (Factor, Vec<Option<u32>>) {
        let rows = self.factor.pivots.len();
        let mut has_column = vec![false; rows];
        for &row in &self.factor.order {
            has_column[row as usize] = true;
        }
        let mut columns = vec![Vec::new(); rows];
        for (k, &row) in self.factor.order.iter().enumerate() {
            let named = self.upper.get(k).iter();
            let named = named.filter_map(|&(c, a)| Some((self.row_of[c as usize]?, a)));
            let start = self.factor.upper_rows.entries.len();
            self.factor.upper_rows.push(named);
            for &(q, a) in &self.factor.upper_rows.entries[start..] {
                columns[q as usize].push((row, a));
            }
        }
        // A row without a column gets its slack, after all others; they may still lose some of it.
        for row in (0..rows as u32).filter(|&row| !has_column[row as usize]) {
            self.factor.order.push(row);
            self.factor.upper_rows.push([]);
        }
        for &row in &self.factor.order {
            self.factor.upper_columns.push(std::mem::take(&mut columns[row as usize]));
        }
        (self.factor, self.row_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;

    /// Solves by elimination with the largest pivot, or finds that there is no unique solution.
    fn dense(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
        let rows = right.len();
        for k in 0..rows {
            let by_size =
                |&a: &usize, &b: &usize| matrix[a][k].abs().total_cmp(&matrix[b][k].abs());
            let pick = (k..rows).max_by(by_size)?;
            if matrix[pick][k].abs() < 1e-6 {
                return None;
            }
            matrix.swap(k, pick);
            right.swap(k, pick);
            let (pivot, value) = (matrix[k].clone(), right[k]);
            for i in (0..rows).filter(|&i| i != k) {
                let by = matrix[i][k] / pivot[k];
                for (to, from) in matrix[i].iter_mut().zip(&pivot) {
                    *to -= by * from;
                }
                right[i] -= by * value;
            }
        }
        Some((0..rows).map(|k| right[k] / matrix[k][k]).collect())
    }

    fn column(rows: usize, random: &mut Random) -> Entries {
        let chosen = (0..rows as u32).filter(|_| random.below(3) == 0).collect::<Vec<_>>();
        chosen.into_iter().map(|row| (row, 1.0 + random.below(4) as f64)).collect()
    }

    fn matrix(columns: &[Entries]) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; columns.len()]; columns.len()];
        for (c, column) in columns.iter().enumerate() {
            for &(row, a) in column {
                matrix[row as usize][c] = a;
            }
        }
        matrix
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn solutions_are_those_of_dense_elimination_after_any_pivots() {
        let mut random = Random::new(5);
        let (mut singular, mut replaced) = (0, 0);
        for case in 0..300 {
            let rows = 1 + case % 17;
            let mut columns: Vec<Entries> = (0..rows).map(|_| column(rows, &mut random)).collect();
            let (mut factor, row_of) = Factor::new(columns.clone(), rows);
            // The basis that was factored: by position, with unit columns where a column depends on others.
            let mut basis: Vec<Entries> = (0..rows as u32).map(|row| vec![(row, 1.0)]).collect();
            for (c, row) in row_of.iter().enumerate() {
                if let Some(row) = row {
                    basis[*row as usize] = std::mem::take(&mut columns[c]);
                } else {
                    singular += 1;
                }
            }
            for _ in 0..12 {
                let right: Vec<f64> = (0..rows).map(|_| random.below(9) as f64 - 4.0).collect();
                let square = matrix(&basis);
                let turned = (0..rows).map(|i| square.iter().map(|row| row[i]).collect()).collect();
                let mut found = right.clone();
                factor.solve(&mut found);
                assert_close(&found, &dense(square, right.clone()).expect("a basis"));
                let mut found = right.clone();
                factor.solve_transposed(&mut found);
                assert_close(&found, &dense(turned, right).expect("a basis"));
                let entering = column(rows, &mut random);
                let mut terms = vec![0.0; rows];
                for &(row, a) in &entering {
                    terms[row as usize] = a;
                }
                factor.solve(&mut terms);
                let p = random.below(rows);
                if terms[p].abs() > 0.2 {
                    factor.replace(p, &terms);
                    basis[p] = entering;
                    replaced += 1;
                }
            }
        }
        assert!(singular > 100 && replaced > 1000, "both occur: {singular}, {replaced}");
    }
}
