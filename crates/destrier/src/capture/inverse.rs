//! The inverse of a basis, kept in full and changed pivot by pivot.
//!
//! Line `p` of the inverse belongs to the `p`-th basic variable. A pivot changes only lines in
//! which the entering column is not zero, and of those only entries in which the pivot's line is
//! not zero; both are sparse for tours, and full storage keeps everything else simple.
//!
//! Invariant: `norms[p]` is the squared length of line `p` (dual steepest edge).
//! Cost: a pivot changes about a tenth of all entries.
//! Source: Dantzig, *Linear Programming and Extensions*, 1963; Forrest and Goldfarb 1992 (norms).

/// The inverse of a square matrix of columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inverse {
    lines: Vec<Vec<f64>>,
    norms: Vec<f64>,
}

/// Smaller entries are rounding error; setting them to zero keeps the lines sparse.
const ZERO: f64 = 1e-12;

impl Inverse {
    /// The inverse of the unit matrix.
    pub(crate) fn unit(rows: usize) -> Inverse {
        let line = |row| {
            let mut line = vec![0.0; rows];
            line[row] = 1.0;
            line
        };
        Inverse { lines: (0..rows).map(line).collect(), norms: vec![1.0; rows] }
    }

    /// One line.
    pub(crate) fn line(&self, p: usize) -> &[f64] {
        &self.lines[p]
    }

    /// The squared length of a line.
    pub(crate) fn norm(&self, p: usize) -> f64 {
        self.norms[p]
    }

    /// Adds a row, whose slack is basic; `weights` are the new row's coefficients of the basic
    /// variables.
    pub(crate) fn grow(&mut self, weights: impl Iterator<Item = (usize, f64)>) {
        let mut fresh = vec![0.0; self.lines.len()];
        for (p, weight) in weights {
            for (to, from) in fresh.iter_mut().zip(&self.lines[p]) {
                *to -= weight * from;
            }
        }
        for line in &mut self.lines {
            line.push(0.0);
        }
        fresh.push(1.0);
        self.norms.push(length(&fresh));
        self.lines.push(fresh);
    }

    /// Removes the lines and rows of slacks that are basic.
    pub(crate) fn retain(&mut self, lines: &[bool], rows: &[bool]) {
        retain_by(&mut self.lines, lines);
        for line in &mut self.lines {
            retain_by(line, rows);
        }
        self.norms = self.lines.iter().map(|line| length(line)).collect();
    }

    /// A column in terms of the basis.
    pub(crate) fn times(&self, entries: &[(u32, f64)]) -> Vec<f64> {
        let inner = |line: &Vec<f64>| {
            let sum: f64 = entries.iter().map(|&(i, a)| line[i as usize] * a).sum();
            if sum.abs() < 10.0 * ZERO { 0.0 } else { sum }
        };
        self.lines.iter().map(inner).collect()
    }

    /// A full column in terms of the basis.
    pub(crate) fn times_full(&self, column: &[f64]) -> Vec<f64> {
        let inner = |line: &Vec<f64>| line.iter().zip(column).map(|(a, b)| a * b).sum();
        self.lines.iter().map(inner).collect()
    }

    /// The column of a row's slack in terms of the basis.
    pub(crate) fn column(&self, row: usize) -> Vec<f64> {
        self.lines.iter().map(|line| line[row]).collect()
    }

    /// The sum of lines, each with its weight.
    pub(crate) fn combine(&self, weights: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut sum = vec![0.0; self.lines.len()];
        for (p, weight) in weights {
            for (to, from) in sum.iter_mut().zip(&self.lines[p]) {
                *to += weight * from;
            }
        }
        sum
    }

    /// Replaces the basic variable of line `p` by one with this column in terms of the basis.
    pub(crate) fn pivot(&mut self, p: usize, column: &[f64]) {
        let mut line = std::mem::take(&mut self.lines[p]);
        let scale = 1.0 / column[p];
        for v in &mut line {
            *v *= scale;
        }
        self.norms[p] = length(&line);
        let filled: Vec<(u32, f64)> =
            (0..).zip(line.iter().copied()).filter(|&(_, v)| v != 0.0).collect();
        for (i, other) in self.lines.iter_mut().enumerate() {
            let alpha = column[i];
            if i == p || alpha == 0.0 {
                continue;
            }
            let mut change = 0.0;
            for &(k, from) in &filled {
                let to = &mut other[k as usize];
                let v = *to - alpha * from;
                let v = if v.abs() < ZERO { 0.0 } else { v };
                change += v * v - *to * *to;
                *to = v;
            }
            self.norms[i] = (self.norms[i] + change).max(1e-4);
        }
        self.lines[p] = line;
    }
}

fn length(line: &[f64]) -> f64 {
    line.iter().map(|v| v * v).sum()
}

/// Keeps the entries whose flag is set.
pub(crate) fn retain_by<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    list.retain(|_| *flags.next().expect("one flag for each entry"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::random::Random;

    #[test]
    fn the_inverse_undoes_the_basis_after_any_pivots() {
        let rows = 7;
        let mut random = Random::new(5);
        let mut basis: Vec<Vec<f64>> =
            (0..rows).map(|i| (0..rows).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let mut inverse = Inverse::unit(rows);
        for _ in 0..200 {
            let entries: Vec<(u32, f64)> = (0..rows as u32)
                .filter_map(|row| {
                    let value = random.below(9) as f64 - 2.0;
                    (value < 3.0).then_some((row, value))
                })
                .collect();
            let column = inverse.times(&entries);
            let p = random.below(rows);
            if column[p].abs() < 0.2 {
                continue;
            }
            basis[p] = vec![0.0; rows];
            for &(row, a) in &entries {
                basis[p][row as usize] = a;
            }
            inverse.pivot(p, &column);
            for (q, column) in basis.iter().enumerate() {
                let product = inverse.times_full(column);
                for (i, v) in product.iter().enumerate() {
                    let unit = f64::from(u8::from(i == q));
                    assert!((v - unit).abs() < 1e-6, "{v} at {i}, {q}");
                }
            }
            for p in 0..rows {
                assert!((inverse.norm(p) - length(inverse.line(p))).abs() < 1e-3);
            }
        }
    }
}
