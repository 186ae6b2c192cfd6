//! The dual simplex method: pivots from a basis that is dual feasible to an optimum.
//!
//! The leaving variable is chosen by steepest edge; the ratio test passes variables that can flip to
//! their other bound.
//!
//! Invariant: reduced costs keep the signs that the bounds call for, so the objective never falls.
//! Cost: two pivots per node for a first solution, some dozens after a batch of cuts; a pivot takes
//! four passes over the factors, and one over the rows of its line of the inverse.
//! Source: Forrest and Goldfarb 1992 (steepest edge); Maros 2003 (long-step ratio test).

use super::{LEAST_NORM, Program, Status, Variable};
use crate::run::watch::{Halt, Ticker};

/// How solving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The optimum was reached.
    Optimal,
    /// The objective passed the cutoff, or the program has no solution.
    Beyond,
    /// The pivot limit was reached; the duals still give a bound.
    Limit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pivot {
    Done,
    Unbounded,
    Unstable,
}

const FEASIBLE: f64 = 1e-6;
const PIVOT: f64 = 1e-7;

impl Program {
    /// Runs the dual simplex method until optimal, beyond `cutoff`, or for `limit` pivots.
    pub(crate) fn solve(
        &mut self,
        cutoff: f64,
        limit: u64,
        ticker: &mut Ticker<'_>,
    ) -> Result<Verdict, Halt> {
        if self.stale {
            self.refactor();
        }
        self.recompute();
        self.ray = None;
        self.cutoff = cutoff;
        let (mut done, mut is_fresh) = (0, true);
        loop {
            ticker.tick()?;
            ticker.check()?; // a pivot takes long compared with reading the clock
            let Some((p, excess)) = self.leaving() else {
                // Accept an optimum only of fresh numbers, and of new factors if the old ones lost digits.
                if !is_fresh {
                    self.recompute();
                    is_fresh = true;
                } else if self.factor.age() > 0 && self.error() > FEASIBLE {
                    self.refresh();
                } else {
                    return Ok(Verdict::Optimal);
                }
                continue;
            };
            if done >= limit {
                return Ok(Verdict::Limit);
            }
            if done % 8 == 7 && self.objective() > cutoff {
                return Ok(Verdict::Beyond);
            }
            is_fresh = false;
            match self.pivot(p, excess) {
                Pivot::Done => done += 1,
                // Believed only of fresh numbers.
                Pivot::Unbounded if self.factor.age() > 0 => self.refresh(),
                Pivot::Unbounded => return Ok(Verdict::Beyond),
                Pivot::Unstable if self.factor.age() == 0 => return Ok(Verdict::Limit),
                Pivot::Unstable => self.refresh(),
            }
            if self.factor.is_worn() {
                self.refresh();
            }
        }
    }

    /// The basic variable farthest outside its bounds, measured in steepest-edge norm, and by
    /// how much it is outside (negative: below).
    fn leaving(&self) -> Option<(usize, f64)> {
        let mut pick = None;
        let mut most = 0.0;
        for (p, (&variable, &value)) in self.basis.iter().zip(&self.values).enumerate() {
            let (lower, upper) = self.bounds(variable);
            let excess = if value < lower - FEASIBLE {
                value - lower
            } else if value > upper + FEASIBLE {
                value - upper
            } else {
                continue;
            };
            let merit = excess * excess / self.norms[p];
            if merit > most {
                most = merit;
                pick = Some((p, excess));
            }
        }
        pick
    }

    /// The nonbasic variables whose reduced costs change sign as the row's dual moves: at which step,
    /// the size of the pivot, and the variable, nearest first.
    fn break_points(&self, sign: f64) -> Vec<(f64, f64, Variable)> {
        let mut breaks = Vec::new();
        for &j in &self.touched {
            let column = &self.columns[j as usize];
            let alpha = sign * self.row_alpha[j as usize];
            let pushed = match column.status {
                Status::Basic => false,
                Status::Lower => alpha > PIVOT,
                Status::Upper => alpha < -PIVOT,
            };
            if pushed && column.upper > column.lower {
                let ratio = (column.reduced / alpha).max(0.0);
                breaks.push((ratio, alpha.abs(), Variable::Column(j as usize)));
            }
        }
        for (i, (row, &alpha)) in self.rows.iter().zip(&self.line).enumerate() {
            // A slack at its upper bound, zero; that of an equation is fixed and never enters.
            let alpha = sign * alpha;
            if row.status != Status::Basic && row.lower < 0.0 && alpha < -PIVOT {
                breaks.push(((row.reduced / alpha).max(0.0), alpha.abs(), Variable::Slack(i)));
            }
        }
        breaks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        breaks
    }

    fn pivot(&mut self, p: usize, excess: f64) -> Pivot {
        let sign = if excess < 0.0 { -1.0 } else { 1.0 };
        self.price_row(p);
        let mut breaks = self.break_points(sign);
        // Pass break points while the objective still rises; the last one enters.
        let mut slope = excess.abs();
        let mut at = 0;
        while at < breaks.len() {
            let (lower, upper) = self.bounds(breaks[at].2);
            slope -= breaks[at].1 * (upper - lower);
            if slope <= FEASIBLE {
                break;
            }
            at += 1;
        }
        if at == breaks.len() {
            // Even with all of them flipped the row stays infeasible.
            self.clear_row();
            self.push_along(sign, breaks.last().map_or(0.0, |last| last.0), slope);
            return Pivot::Unbounded;
        }
        // Among ties take the largest pivot.
        let ties = breaks[at..].iter().take_while(|tie| tie.0 <= breaks[at].0 + 1e-9);
        let pick = ties.enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let pick = at + pick.map_or(0, |(k, _)| k);
        breaks.swap(at, pick);
        let entering = breaks[at].2;
        let mut column = vec![0.0; self.rows.len()];
        let (alpha, reduced) = match entering {
            Variable::Column(j) => {
                for &(i, a) in &self.columns[j].entries {
                    column[i as usize] = a;
                }
                (self.row_alpha[j], self.columns[j].reduced)
            }
            Variable::Slack(i) => {
                column[i] = 1.0;
                (self.line[i], self.rows[i].reduced)
            }
        };
        self.factor.solve(&mut column);
        if (column[p] - alpha).abs() > 1e-6 * (1.0 + alpha.abs()) || column[p].abs() < PIVOT {
            self.clear_row();
            return Pivot::Unstable;
        }
        let step = reduced / alpha;
        self.move_duals(step);
        self.flip(&breaks[..at]);
        self.exchange(p, entering, &column, sign, step);
        self.clear_row();
        Pivot::Done
    }

    /// Moves the dual of a row, and with it all reduced costs.
    fn move_duals(&mut self, step: f64) {
        for &j in &self.touched {
            let alpha = self.row_alpha[j as usize];
            let column = &mut self.columns[j as usize];
            if column.status != Status::Basic {
                column.reduced -= step * alpha;
            }
        }
        for (row, &alpha) in self.rows.iter_mut().zip(&self.line) {
            if alpha != 0.0 && row.status != Status::Basic {
                row.reduced -= step * alpha;
            }
        }
    }

    /// Moves the variables that were passed to their other bounds.
    fn flip(&mut self, passed: &[(f64, f64, Variable)]) {
        if passed.is_empty() {
            return;
        }
        let mut change = vec![0.0; self.rows.len()];
        for &(_, _, variable) in passed {
            if let Variable::Column(j) = variable {
                let column = &mut self.columns[j];
                let width = column.upper - column.lower;
                let (status, by) = match column.status {
                    Status::Lower => (Status::Upper, width),
                    _ => (Status::Lower, -width),
                };
                column.status = status;
                for &(i, a) in &column.entries {
                    change[i as usize] += a * by;
                }
            }
        }
        self.factor.solve(&mut change);
        for (value, by) in self.values.iter_mut().zip(change) {
            *value -= by;
        }
    }

    /// Puts `entering` in the place of the variable at position `p`, which leaves to its upper bound
    /// for a positive sign and to its lower bound for a negative one.
    fn exchange(&mut self, p: usize, entering: Variable, column: &[f64], sign: f64, step: f64) {
        let leaving = self.basis[p];
        let (lower, upper) = self.bounds(leaving);
        let to = if sign > 0.0 { upper } else { lower };
        let theta = (self.values[p] - to) / column[p];
        let from = match entering {
            Variable::Column(j) => self.columns[j].rest(),
            Variable::Slack(_) => 0.0,
        };
        for (value, &alpha) in self.values.iter_mut().zip(column) {
            *value -= theta * alpha;
        }
        self.values[p] = from + theta;
        match leaving {
            Variable::Column(j) => {
                let column = &mut self.columns[j];
                column.status = if sign > 0.0 { Status::Upper } else { Status::Lower };
                column.reduced = -step;
            }
            Variable::Slack(i) => {
                self.rows[i].status = Status::Upper;
                self.rows[i].reduced = -step;
            }
        }
        match entering {
            Variable::Column(j) => {
                self.columns[j].status = Status::Basic;
                self.columns[j].reduced = 0.0;
            }
            Variable::Slack(i) => {
                self.rows[i].status = Status::Basic;
                self.rows[i].reduced = 0.0;
            }
        }
        self.basis[p] = entering;
        self.move_norms(p, column);
        self.factor.replace(p, column);
    }

    /// The norms after a pivot, by the line of the inverse that is in `line`.
    fn move_norms(&mut self, p: usize, column: &[f64]) {
        let norm: f64 = self.line.iter().map(|v| v * v).sum();
        let mut products = self.line.clone();
        self.factor.solve(&mut products);
        for (i, &alpha) in column.iter().enumerate() {
            if alpha != 0.0 {
                let share = alpha / column[p];
                let moved = self.norms[i] + share * (share * norm - 2.0 * products[i]);
                self.norms[i] = moved.max(LEAST_NORM);
            }
        }
        self.norms[p] = (norm / (column[p] * column[p])).max(LEAST_NORM);
    }

    /// No solution: along this row of the inverse the dual objective is unbounded.
    fn push_along(&mut self, sign: f64, from: f64, slope: f64) {
        let rise = 1.0 + (self.cutoff - self.objective()).max(0.0);
        let by = sign * (from + rise / slope.max(FEASIBLE));
        self.ray = Some(self.line.iter().map(|v| v * by).collect());
    }

    /// The line of the inverse at a position, and its products with the columns.
    fn price_row(&mut self, p: usize) {
        self.line.clear();
        self.line.resize(self.rows.len(), 0.0);
        self.line[p] = 1.0;
        self.factor.solve_transposed(&mut self.line);
        for (i, &rho) in self.line.iter().enumerate() {
            if rho == 0.0 {
                continue;
            }
            for &(j, a) in &self.rows[i].entries {
                let cell = &mut self.row_alpha[j as usize];
                if *cell == 0.0 {
                    self.touched.push(j);
                    *cell = 1e-300;
                }
                *cell += rho * a;
            }
        }
    }

    fn clear_row(&mut self) {
        for &j in &self.touched {
            self.row_alpha[j as usize] = 0.0;
        }
        self.touched.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Program, Variable};
    use super::Verdict;
    use crate::run::random::Random;
    use crate::run::watch::Watch;

    /// What the duals prove about every solution: weak duality, added up from the definition.
    fn proved(program: &Program) -> f64 {
        let y = program.proof();
        for (row, &y) in program.rows.iter().zip(&y) {
            assert!(
                row.lower == 0.0 || y > -1e-6,
                "the dual of an inequality is not negative: {y}"
            );
        }
        let rights: f64 = program.rows.iter().zip(&y).map(|(row, y)| row.right * y).sum();
        let bounds = program.columns.iter().map(|column| {
            let priced: f64 = column.entries.iter().map(|&(i, a)| a * y[i as usize]).sum();
            let reduced = column.cost - priced;
            reduced * if reduced < 0.0 { column.upper } else { column.lower }
        });
        rights + bounds.sum::<f64>()
    }

    /// Asserts that the columns are within bounds and fulfil the rows; returns their cost.
    fn fulfilled(program: &Program) -> f64 {
        let x = program.solution();
        for (column, &x) in program.columns.iter().zip(&x) {
            assert!(
                (column.lower - 1e-6..=column.upper + 1e-6).contains(&x),
                "{x} is out of bounds"
            );
        }
        for row in &program.rows {
            let sum: f64 = row.entries.iter().map(|&(j, a)| a * x[j as usize]).sum();
            let fits = sum > row.right - 1e-6 && (row.lower < 0.0 || sum < row.right + 1e-6);
            assert!(fits, "{sum}, not {}", row.right);
        }
        program.columns.iter().zip(&x).map(|(column, x)| column.cost * x).sum()
    }

    #[test]
    fn an_optimum_fulfils_the_program_and_its_duals_prove_it_after_any_changes() {
        let watch = Watch::unlimited();
        let mut random = Random::new(21);
        let (mut optimal, mut beyond) = (0, 0);
        for case in 0..200 {
            let (rows, columns) = (1 + case % 9, 4 + random.below(40));
            let mut program = Program::new();
            for _ in 0..rows {
                program.add_row(Vec::new(), 1.0 + random.below(3) as f64, true);
            }
            for _ in 0..columns {
                let entries = (0..rows as u32).filter(|_| random.below(3) == 0);
                let entries = entries.map(|row| (row, 1.0)).collect();
                program.add_column(entries, random.below(12) as f64, 1.0);
            }
            for _ in 0..8 {
                let verdict = program.solve(1e6, u64::MAX, &mut watch.ticker()).expect("no halt");
                let bound = proved(&program);
                if verdict == Verdict::Optimal {
                    optimal += 1;
                    let cost = fulfilled(&program);
                    assert!((cost - bound).abs() < 1e-5, "{cost} is not {bound}");
                } else {
                    beyond += 1;
                    assert!(verdict == Verdict::Beyond && bound > 1e6, "{verdict:?} at {bound}");
                }
                let saved = program.save();
                match random.below(4) {
                    0 => {
                        let columns = (0..columns as u32).filter(|_| random.below(4) == 0);
                        let entries = columns.map(|j| (j, 1.0 + f64::from(j % 3)));
                        program.add_row(entries.collect(), random.below(4) as f64, false);
                    }
                    1 => {
                        let is_kept = |row| row < rows || !program.is_slack(row);
                        let keep: Vec<bool> = (0..program.rows.len()).map(is_kept).collect();
                        program.remove_rows(&keep);
                    }
                    2 => {
                        let (lower, upper) = [(0.0, 1.0), (0.0, 0.0), (1.0, 1.0)][random.below(3)];
                        program.bound(random.below(columns), lower, upper);
                    }
                    _ => {
                        let column = random.below(columns);
                        let (lower, upper) = program.bounds(Variable::Column(column));
                        program.bound(column, 1.0, 1.0);
                        program.solve(1e6, 3, &mut watch.ticker()).expect("no halt");
                        program.bound(column, lower, upper);
                        program.restore(&saved);
                    }
                }
            }
        }
        assert!(optimal > 200 && beyond > 100, "both occur: {optimal}, {beyond}");
    }
}
