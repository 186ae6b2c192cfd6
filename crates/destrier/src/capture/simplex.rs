//! Linear programs that grow row by row, solved by the dual simplex method.
//!
//! Every variable has bounds, so any basis is dual feasible once each nonbasic variable is at the
//! bound that its reduced cost calls for: fixing a variable, freeing it, or adding a row never
//! needs a first phase. The leaving variable is chosen by steepest edge; the ratio test passes
//! variables that can flip to their other bound.
//!
//! Invariant: the inverse times the basic columns is the unit matrix; nonbasic variables are at a
//! bound.
//! Cost: two pivots per node for a first solution, some dozens after a batch of cuts.
//! Source: Lemke; Forrest and Goldfarb (steepest edge); Maros (long-step ratio test).

use super::inverse::{Inverse, retain_by};
use crate::run::watch::{Halt, Ticker};

/// A variable: a column of the program, or the slack of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variable {
    Column(usize),
    Slack(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Basic,
    Lower,
    Upper,
}

#[derive(Debug, Clone)]
struct Column {
    entries: Vec<(u32, f64)>,
    cost: f64,
    lower: f64,
    upper: f64,
    status: Status,
    reduced: f64,
}

#[derive(Debug, Clone)]
struct Row {
    entries: Vec<(u32, f64)>,
    right: f64,
    /// The slack's lower bound: zero for an equation, minus infinity for `≥`.
    lower: f64,
    status: Status,
    reduced: f64,
}

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

/// A linear program: minimise cost over columns within bounds, under equations and `≥` rows.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    columns: Vec<Column>,
    rows: Vec<Row>,
    basis: Vec<Variable>,
    inverse: Inverse,
    values: Vec<f64>,
    /// What the objective must exceed along a ray that proves the program infeasible.
    cutoff: f64,
    ray: Option<Vec<f64>>,
    /// Scratch: the pivot row over columns, and which entries of it are set.
    row_alpha: Vec<f64>,
    touched: Vec<u32>,
}

const FEASIBLE: f64 = 1e-7;
const PIVOT: f64 = 1e-7;
const ZERO: f64 = 1e-10;

impl Program {
    pub(crate) fn new() -> Program {
        Program {
            columns: Vec::new(),
            rows: Vec::new(),
            basis: Vec::new(),
            inverse: Inverse::default(),
            values: Vec::new(),
            cutoff: 0.0,
            ray: None,
            row_alpha: Vec::new(),
            touched: Vec::new(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Adds a column with its coefficients in the current rows; it is nonbasic.
    pub(crate) fn add_column(&mut self, entries: Vec<(u32, f64)>, cost: f64, upper: f64) -> usize {
        let index = self.columns.len();
        for &(row, coefficient) in &entries {
            self.rows[row as usize].entries.push((index as u32, coefficient));
        }
        self.columns.push(Column {
            entries,
            cost,
            lower: 0.0,
            upper,
            status: Status::Lower,
            reduced: cost,
        });
        self.row_alpha.push(0.0);
        index
    }

    /// Adds `Σ entries = right` or `Σ entries ≥ right`; the slack enters the basis.
    pub(crate) fn add_row(&mut self, entries: Vec<(u32, f64)>, right: f64, equation: bool) {
        let index = self.rows.len();
        for &(column, a) in &entries {
            self.row_alpha[column as usize] = a;
        }
        let row_alpha = &self.row_alpha;
        let weights = self.basis.iter().enumerate().filter_map(|(p, variable)| match *variable {
            Variable::Column(j) if row_alpha[j] != 0.0 => Some((p, row_alpha[j])),
            _ => None,
        });
        self.inverse.grow(weights);
        for &(column, _) in &entries {
            self.row_alpha[column as usize] = 0.0;
        }
        for &(column, coefficient) in &entries {
            self.columns[column as usize].entries.push((index as u32, coefficient));
        }
        self.rows.push(Row {
            entries,
            right,
            lower: if equation { 0.0 } else { f64::NEG_INFINITY },
            status: Status::Basic,
            reduced: 0.0,
        });
        self.basis.push(Variable::Slack(index));
        self.values.push(0.0);
    }

    /// Sets a column's bounds.
    pub(crate) fn bound(&mut self, column: usize, lower: f64, upper: f64) {
        self.columns[column].lower = lower;
        self.columns[column].upper = upper;
    }

    /// Is the row's slack basic, so that removing the row would not change the solution?
    pub(crate) fn is_slack(&self, row: usize) -> bool {
        self.rows[row].status == Status::Basic
    }

    /// Removes rows whose slack is basic. `keep[i]` says whether row `i` stays.
    pub(crate) fn remove_rows(&mut self, keep: &[bool]) {
        let mut renumbered = vec![u32::MAX; keep.len()];
        let mut next = 0;
        for (row, &stays) in keep.iter().enumerate() {
            debug_assert!(stays || self.is_slack(row));
            if stays {
                renumbered[row] = next;
                next += 1;
            }
        }
        let stays_basic: Vec<bool> = self
            .basis
            .iter()
            .map(|variable| !matches!(variable, Variable::Slack(i) if !keep[*i]))
            .collect();
        self.inverse.retain(&stays_basic, keep);
        retain_by(&mut self.values, &stays_basic);
        retain_by(&mut self.basis, &stays_basic);
        for variable in &mut self.basis {
            if let Variable::Slack(i) = variable {
                *i = renumbered[*i] as usize;
            }
        }
        retain_by(&mut self.rows, keep);
        for column in &mut self.columns {
            column.entries.retain_mut(|(row, _)| {
                *row = renumbered[*row as usize];
                *row != u32::MAX
            });
        }
    }

    /// The value of each column in the current basic solution.
    pub(crate) fn solution(&self) -> Vec<f64> {
        let mut x: Vec<f64> = self
            .columns
            .iter()
            .map(|c| if c.status == Status::Upper { c.upper } else { c.lower })
            .collect();
        for (variable, &value) in self.basis.iter().zip(&self.values) {
            if let Variable::Column(j) = *variable {
                x[j] = value;
            }
        }
        x
    }

    /// The dual value of each row; after a verdict `Beyond`, values that prove it.
    pub(crate) fn proof(&self) -> Vec<f64> {
        let mut y = self.duals();
        for (to, from) in y.iter_mut().zip(self.ray.iter().flatten()) {
            *to += from;
        }
        y
    }

    /// The dual value of each row.
    fn duals(&self) -> Vec<f64> {
        self.inverse.combine(self.basis.iter().enumerate().filter_map(|(p, variable)| {
            let Variable::Column(j) = *variable else { return None };
            Some((p, self.columns[j].cost))
        }))
    }

    /// A column's coefficients, by row.
    pub(crate) fn entries(&self, column: usize) -> &[(u32, f64)] {
        &self.columns[column].entries
    }

    /// The cost of the current basic solution, which bounds the optimum from below.
    pub(crate) fn objective(&self) -> f64 {
        let basic: f64 = self
            .basis
            .iter()
            .zip(&self.values)
            .map(|(variable, value)| match *variable {
                Variable::Column(j) => self.columns[j].cost * value,
                Variable::Slack(_) => 0.0,
            })
            .sum();
        basic
            + self
                .columns
                .iter()
                .map(|c| match c.status {
                    Status::Basic => 0.0,
                    Status::Lower => c.cost * c.lower,
                    Status::Upper => c.cost * c.upper,
                })
                .sum::<f64>()
    }

    /// Recomputes reduced costs, moves nonbasic variables to the bounds that these call for, and
    /// recomputes the values of the basic ones.
    fn refresh(&mut self) {
        let y = self.duals();
        for column in &mut self.columns {
            if column.status == Status::Basic {
                column.reduced = 0.0;
                continue;
            }
            let priced: f64 = column.entries.iter().map(|&(i, a)| a * y[i as usize]).sum();
            column.reduced = column.cost - priced;
            // A reduced cost that is only rounding error must not move a variable to its other bound.
            if column.reduced < -ZERO {
                column.status = Status::Upper;
            } else if column.reduced > ZERO {
                column.status = Status::Lower;
            }
        }
        for (row, &dual) in self.rows.iter_mut().zip(&y) {
            row.reduced = if row.status == Status::Basic { 0.0 } else { -dual };
        }
        self.revalue();
    }

    fn revalue(&mut self) {
        let mut right: Vec<f64> = self.rows.iter().map(|row| row.right).collect();
        for column in &self.columns {
            let at = match column.status {
                Status::Basic => continue,
                Status::Lower => column.lower,
                Status::Upper => column.upper,
            };
            if at != 0.0 {
                for &(i, a) in &column.entries {
                    right[i as usize] -= a * at;
                }
            }
        }
        self.values = self.inverse.times_full(&right);
    }

    fn bounds(&self, variable: Variable) -> (f64, f64) {
        match variable {
            Variable::Column(j) => (self.columns[j].lower, self.columns[j].upper),
            Variable::Slack(i) => (self.rows[i].lower, 0.0),
        }
    }

    /// Runs the dual simplex method until optimal, beyond `cutoff`, or for `limit` pivots.
    pub(crate) fn solve(
        &mut self,
        cutoff: f64,
        limit: u64,
        ticker: &mut Ticker<'_>,
    ) -> Result<Verdict, Halt> {
        self.refresh();
        self.ray = None;
        self.cutoff = cutoff;
        let mut done = 0;
        let mut rebuilt = false;
        loop {
            ticker.tick()?;
            ticker.check()?; // a pivot takes long compared with reading the clock
            let Some((p, excess)) = self.leaving() else {
                // Accept an optimum only after recomputing all numbers.
                if done % 64 != 0 {
                    self.refresh();
                    if self.leaving().is_some() {
                        done += 64 - done % 64;
                        continue;
                    }
                }
                return Ok(Verdict::Optimal);
            };
            if done >= limit {
                return Ok(Verdict::Limit);
            }
            if done % 8 == 7 && self.objective() > cutoff {
                return Ok(Verdict::Beyond);
            }
            match self.pivot(p, excess) {
                Pivot::Done => done += 1,
                Pivot::Unbounded => return Ok(Verdict::Beyond),
                Pivot::Unstable if rebuilt => return Ok(Verdict::Limit),
                Pivot::Unstable => {
                    self.rebuild();
                    self.refresh();
                    rebuilt = true;
                }
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
            let merit = excess * excess / self.inverse.norm(p);
            if merit > most {
                most = merit;
                pick = Some((p, excess));
            }
        }
        pick
    }

    /// The nonbasic variables whose reduced costs change sign as the row's dual moves: at which step,
    /// the size of the pivot, and the variable, nearest first.
    fn break_points(&self, p: usize, sign: f64) -> Vec<(f64, f64, Variable)> {
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
        for (i, (row, &alpha)) in self.rows.iter().zip(self.inverse.line(p)).enumerate() {
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
        let mut breaks = self.break_points(p, sign);
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
            self.push_along(p, sign, breaks.last().map_or(0.0, |last| last.0), slope);
            return Pivot::Unbounded;
        }
        // Among ties take the largest pivot.
        let ties = breaks[at..].iter().take_while(|tie| tie.0 <= breaks[at].0 + 1e-9);
        let pick = ties.enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let pick = at + pick.map_or(0, |(k, _)| k);
        breaks.swap(at, pick);
        let entering = breaks[at].2;
        let (alpha, reduced, column) = match entering {
            Variable::Column(j) => {
                let column = self.inverse.times(&self.columns[j].entries);
                (self.row_alpha[j], self.columns[j].reduced, column)
            }
            Variable::Slack(i) => {
                (self.inverse.line(p)[i], self.rows[i].reduced, self.inverse.column(i))
            }
        };
        if (column[p] - alpha).abs() > 1e-6 * (1.0 + alpha.abs()) || column[p].abs() < PIVOT {
            self.clear_row();
            return Pivot::Unstable;
        }
        let step = reduced / alpha;
        self.move_duals(p, step);
        self.flip(&breaks[..at]);
        self.exchange(p, entering, &column, sign, step);
        self.clear_row();
        Pivot::Done
    }

    /// Moves the dual of a row, and with it all reduced costs.
    fn move_duals(&mut self, p: usize, step: f64) {
        for &j in &self.touched {
            let alpha = self.row_alpha[j as usize];
            let column = &mut self.columns[j as usize];
            if column.status != Status::Basic {
                column.reduced -= step * alpha;
            }
        }
        for (row, &alpha) in self.rows.iter_mut().zip(self.inverse.line(p)) {
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
        let change: Vec<(u32, f64)> = (0..).zip(change).filter(|&(_, by)| by != 0.0).collect();
        for (value, by) in self.values.iter_mut().zip(self.inverse.times(&change)) {
            *value -= by;
        }
    }

    /// Puts `entering` in status of the variable at position `p`, which leaves to its upper bound
    /// for a positive sign and to its lower bound for a negative one.
    fn exchange(&mut self, p: usize, entering: Variable, column: &[f64], sign: f64, step: f64) {
        let leaving = self.basis[p];
        let (lower, upper) = self.bounds(leaving);
        let to = if sign > 0.0 { upper } else { lower };
        let theta = (self.values[p] - to) / column[p];
        let from = match entering {
            Variable::Column(j) => {
                let c = &self.columns[j];
                if c.status == Status::Upper { c.upper } else { c.lower }
            }
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
        self.inverse.pivot(p, column);
    }

    /// No solution: along this row of the inverse the dual objective is unbounded.
    fn push_along(&mut self, p: usize, sign: f64, from: f64, slope: f64) {
        let rise = 1.0 + (self.cutoff - self.objective()).max(0.0);
        let by = sign * (from + rise / slope.max(FEASIBLE));
        self.ray = Some(self.inverse.line(p).iter().map(|v| v * by).collect());
    }

    fn price_row(&mut self, p: usize) {
        for (i, &rho) in self.inverse.line(p).iter().enumerate() {
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

    /// Recomputes the inverse from the basic columns.
    fn rebuild(&mut self) {
        let m = self.rows.len();
        let wanted: Vec<usize> = self
            .basis
            .iter()
            .filter_map(|v| if let Variable::Column(j) = *v { Some(j) } else { None })
            .collect();
        let mut slack_stays = vec![false; m];
        for variable in &self.basis {
            if let Variable::Slack(i) = *variable {
                slack_stays[i] = true;
            }
        }
        self.inverse = Inverse::unit(m);
        self.basis = (0..m).map(Variable::Slack).collect();
        let mut open: Vec<bool> = slack_stays.iter().map(|stays| !stays).collect();
        for j in wanted {
            let column = self.inverse.times(&self.columns[j].entries);
            let pick = (0..m)
                .filter(|&i| open[i])
                .max_by(|&a, &b| column[a].abs().total_cmp(&column[b].abs()));
            match pick {
                Some(p) if column[p].abs() > 1e-9 => {
                    self.basis[p] = Variable::Column(j);
                    open[p] = false;
                    self.inverse.pivot(p, &column);
                }
                // A dependent column: it leaves the basis, a slack takes its status.
                _ => self.columns[j].status = Status::Lower,
            }
        }
        for row in &mut self.rows {
            row.status = Status::Upper;
        }
        for variable in &self.basis {
            if let Variable::Slack(i) = *variable {
                self.rows[i].status = Status::Basic;
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pivot {
    Done,
    Unbounded,
    Unstable,
}
