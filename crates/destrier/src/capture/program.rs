//! Linear programs that grow row by row: columns with bounds, rows, and the basis between them.
//!
//! ```text
//! program: what is asked, and the basis ─► simplex: pivots to an optimum
//!    └─► factor: solves with the basis
//! ```
//!
//! Every variable has bounds, so any basis is dual feasible once each nonbasic variable is at the
//! bound that its reduced cost calls for: fixing a variable, freeing it, or adding a row never
//! needs a first phase.
//!
//! Invariant: nonbasic variables are at a bound; after `refresh` the factors are those of the basis.
//! Cost: to refresh, new factors and a pass over all entries; to recompute, the pass alone.
//! Source: Lemke 1954 (the dual simplex method); Wagner 1958 (bounds).

mod simplex;

use super::factor::{Entries, Factor};

pub(crate) use simplex::Verdict;

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
    entries: Entries,
    cost: f64,
    lower: f64,
    upper: f64,
    status: Status,
    reduced: f64,
}

impl Column {
    /// The bound that it is at while it is not basic.
    fn rest(&self) -> f64 {
        if self.status == Status::Upper { self.upper } else { self.lower }
    }
}

#[derive(Debug, Clone)]
struct Row {
    entries: Entries,
    right: f64,
    /// The slack's lower bound: zero for an equation, minus infinity for `≥`.
    lower: f64,
    status: Status,
    reduced: f64,
}

/// A linear program: minimise cost over columns within bounds, under equations and `≥` rows.
#[derive(Debug)]
pub(crate) struct Program {
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// The basic variable at each position, and its value.
    basis: Vec<Variable>,
    values: Vec<f64>,
    /// The squared length of each position's line of the inverse; zero where it is not known.
    norms: Vec<f64>,
    factor: Factor,
    /// Are rows and basis other than when the factors were made?
    stale: bool,
    /// What the objective must exceed along a ray that proves the program infeasible.
    cutoff: f64,
    ray: Option<Vec<f64>>,
    /// Scratch: the pivot's line of the inverse, and its row over columns with the entries that are set.
    line: Vec<f64>,
    row_alpha: Vec<f64>,
    touched: Vec<u32>,
}

/// A basis to return to, as long as no row is added or removed.
#[derive(Debug)]
pub(crate) struct Basis {
    variables: Vec<Variable>,
    norms: Vec<f64>,
    factor: Factor,
    statuses: Vec<Status>,
}

const ZERO: f64 = 1e-10;
/// The least squared length of a line, whatever updates of it say.
const LEAST_NORM: f64 = 1e-4;

impl Program {
    pub(crate) fn new() -> Program {
        Program {
            columns: Vec::new(),
            rows: Vec::new(),
            basis: Vec::new(),
            values: Vec::new(),
            norms: Vec::new(),
            factor: Factor::default(),
            stale: true,
            cutoff: 0.0,
            ray: None,
            line: Vec::new(),
            row_alpha: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Adds a column with its coefficients in the current rows; it is nonbasic.
    pub(crate) fn add_column(&mut self, entries: Entries, cost: f64, upper: f64) -> usize {
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
    pub(crate) fn add_row(&mut self, entries: Entries, right: f64, equation: bool) {
        let index = self.rows.len();
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
        self.norms.push(0.0);
        self.stale = true;
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
        // The inverse has no other entry in the column of a basic slack, so all norms stay.
        let stays = |variable: &Variable| !matches!(*variable, Variable::Slack(i) if !keep[i]);
        let stays_basic: Vec<bool> = self.basis.iter().map(stays).collect();
        retain_by(&mut self.values, &stays_basic);
        retain_by(&mut self.norms, &stays_basic);
        retain_by(&mut self.basis, &stays_basic);
        for variable in &mut self.basis {
            if let Variable::Slack(i) = variable {
                *i = renumbered[*i] as usize;
            }
        }
        self.stale = true;
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
        let mut x: Vec<f64> = self.columns.iter().map(Column::rest).collect();
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
        let cost = |variable: &Variable| match *variable {
            Variable::Column(j) => self.columns[j].cost,
            Variable::Slack(_) => 0.0,
        };
        let mut duals: Vec<f64> = self.basis.iter().map(cost).collect();
        self.factor.solve_transposed(&mut duals);
        duals
    }

    /// The current basis, with new factors.
    pub(crate) fn save(&mut self) -> Basis {
        self.refresh();
        let columns = self.columns.iter().map(|column| column.status);
        Basis {
            variables: self.basis.clone(),
            norms: self.norms.clone(),
            factor: self.factor.clone(),
            statuses: columns.chain(self.rows.iter().map(|row| row.status)).collect(),
        }
    }

    /// Returns to a basis; `solve` computes all else from it.
    pub(crate) fn restore(&mut self, saved: &Basis) {
        self.basis.clone_from(&saved.variables);
        self.norms.clone_from(&saved.norms);
        self.factor.clone_from(&saved.factor);
        self.values.resize(self.basis.len(), 0.0);
        let columns = self.columns.iter_mut().map(|column| &mut column.status);
        let rows = self.rows.iter_mut().map(|row| &mut row.status);
        for (status, &saved) in columns.chain(rows).zip(&saved.statuses) {
            *status = saved;
        }
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
                .filter(|column| column.status != Status::Basic)
                .map(|column| column.cost * column.rest())
                .sum::<f64>()
    }

    /// Makes new factors where pivots have changed them, and recomputes all numbers.
    fn refresh(&mut self) {
        if self.stale || self.factor.age() > 0 {
            self.refactor();
        }
        self.recompute();
    }

    /// Recomputes reduced costs, moves nonbasic variables to the bounds that these call for, and
    /// recomputes the values of the basic ones.
    fn recompute(&mut self) {
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
        for column in self.columns.iter().filter(|column| column.status != Status::Basic) {
            let at = column.rest();
            if at != 0.0 {
                for &(i, a) in &column.entries {
                    right[i as usize] -= a * at;
                }
            }
        }
        self.factor.solve(&mut right);
        self.values = right;
    }

    /// By how much the values miss a row at most.
    fn error(&self) -> f64 {
        let mut left: Vec<f64> = self.rows.iter().map(|row| row.right).collect();
        for (column, x) in self.columns.iter().zip(self.solution()) {
            if x != 0.0 {
                for &(i, a) in &column.entries {
                    left[i as usize] -= a * x;
                }
            }
        }
        for (variable, &value) in self.basis.iter().zip(&self.values) {
            if let Variable::Slack(i) = *variable {
                left[i] -= value;
            }
        }
        left.into_iter().fold(0.0, |most, error| error.abs().max(most))
    }

    fn bounds(&self, variable: Variable) -> (f64, f64) {
        match variable {
            Variable::Column(j) => (self.columns[j].lower, self.columns[j].upper),
            Variable::Slack(i) => (self.rows[i].lower, 0.0),
        }
    }

    /// Makes the factors again, and the norms that are not known.
    fn refactor(&mut self) {
        let rows = self.rows.len();
        let entries = |variable: &Variable| match *variable {
            Variable::Column(j) => self.columns[j].entries.clone(),
            Variable::Slack(i) => vec![(i as u32, 1.0)],
        };
        let (factor, row_of) = Factor::new(self.basis.iter().map(entries).collect(), rows);
        self.factor = factor;
        self.stale = false;
        let mut basis: Vec<Variable> = (0..rows).map(Variable::Slack).collect();
        let mut norms = vec![0.0; rows];
        for ((&variable, &norm), row) in self.basis.iter().zip(&self.norms).zip(row_of) {
            match (row, variable) {
                (Some(row), _) => {
                    basis[row as usize] = variable;
                    norms[row as usize] = norm;
                }
                // A dependent column: it leaves the basis, a slack takes its place.
                (None, Variable::Column(j)) => self.columns[j].status = Status::Lower,
                (None, Variable::Slack(i)) => self.rows[i].status = Status::Upper,
            }
        }
        for variable in &basis {
            if let Variable::Slack(i) = *variable {
                self.rows[i].status = Status::Basic;
            }
        }
        for p in 0..rows {
            if norms[p] == 0.0 {
                let mut line = vec![0.0; rows];
                line[p] = 1.0;
                self.factor.solve_transposed(&mut line);
                norms[p] = line.iter().map(|v| v * v).sum::<f64>().max(LEAST_NORM);
            }
        }
        (self.basis, self.norms) = (basis, norms);
    }
}

/// Keeps the entries whose flag is set.
fn retain_by<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    list.retain(|_| *flags.next().expect("one flag for each entry"));
}
