//! A tour of four turned copies of one path, as four columns: a line for each step of the path.
//!
//! The columns are the copies in the order in which the tour runs through them, each from the start of its path; where an
//! odd board's centre comes, and which columns are run backwards, is said below. Squares are written by name, or by number: 1 is the top left one, and numbers run along the rows.

use std::fmt::Write as _;

use destrier_rules::{Board, Square, Symmetry, Tour, TourProblem, TourSymmetry, Verified};

/// The copies of a tour of four turned paths: their length, and after how many squares the centre of an odd board comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Copies {
    /// The step, from 0, at which the first copy begins, in a closed tour; steps are counted from there.
    first: usize,
    /// The steps of the tour.
    count: usize,
    length: usize,
    centre: Option<usize>,
    /// The first copy that is run backwards, as are all after it; 4 for none.
    backwards: usize,
}

impl Copies {
    /// Those of a tour that was asked to be four paths; `None` for other tours.
    pub(super) fn of(problem: &TourProblem, Tour(squares): &Tour) -> Option<Copies> {
        if problem.symmetry != Some(TourSymmetry::FourPaths) {
            return None;
        }
        let (first, count) = (problem.first_copy_at(squares)?, squares.len());
        let squares = [&squares[first..], &squares[..first]].concat();
        let side = problem.board.files();
        let middle = Square::new(side / 2, side / 2);
        let centre = squares.iter().position(|&square| side % 2 == 1 && square == middle);
        let length = squares.len() / 4;
        let joint = centre.and_then(|at| at.checked_div(length)).filter(|at| (1..4).contains(at));
        // Run backwards, the copy after the centre begins with a turn of the square before the centre.
        let is_turn = |mut one: Square, other: Square| {
            (0..4).any(|_| {
                one = Symmetry::QuarterTurn.apply(one, side, side);
                one == other
            })
        };
        let backwards = joint.filter(|joint| {
            let at = joint * length;
            is_turn(squares[at - 1], squares[at + 1])
        });
        Some(Copies { first, count, length, centre, backwards: backwards.unwrap_or(4) })
    }

    /// Which copy a square of the tour is in, and at which step of it, all from 0; `None` for the centre.
    pub(super) fn place(&self, step: usize) -> Option<(usize, usize)> {
        let step = (step + self.count - self.first) % self.count;
        let before = self.centre.is_some_and(|centre| centre < step);
        let at = step - usize::from(before);
        (self.centre != Some(step)).then(|| self.along(at / self.length, at % self.length))
    }

    /// The same copy, and the step from the start of its path.
    const fn along(&self, copy: usize, step: usize) -> (usize, usize) {
        (copy, if copy < self.backwards { step } else { self.length - 1 - step })
    }

    /// Is this the last step of a copy?
    pub(super) const fn is_end(&self, step: usize) -> bool {
        step + 1 == self.length
    }

    /// When the centre comes, in words.
    fn centre_told(&self) -> Option<String> {
        Some(match self.centre?.checked_div(self.length).unwrap_or(0) {
            0 => "first".to_owned(),
            4 => "last".to_owned(),
            copies if copies == self.backwards => {
                format!("after column {copies}; those after it are run backwards")
            }
            copies => format!("after column {copies}"),
        })
    }

    /// The square at a step that is counted from the first copy.
    fn square(&self, Tour(squares): &Tour, at: usize) -> Square {
        squares[(self.first + at) % self.count]
    }

    /// The squares of the copies one after the other, each from the start of its path; the centre left out.
    fn squares(&self, tour: &Tour) -> Vec<Square> {
        let kept: Vec<Square> = (0..self.count)
            .filter(|&at| self.centre != Some(at))
            .map(|at| self.square(tour, at))
            .collect();
        let place = |at: usize| self.along(at / self.length, at % self.length);
        (0..kept.len()).map(place).map(|(copy, step)| kept[copy * self.length + step]).collect()
    }
}

/// The columns of a tour that was asked to be four paths; `None` for other tours.
#[must_use]
pub fn four_columns(tour: &Verified<TourProblem>) -> Option<String> {
    let solution = tour.solution();
    let copies = Copies::of(tour.problem(), solution)?;
    let (path, length) = (copies.squares(solution), copies.length);
    let widest = path.iter().map(|square| square.to_string().len()).max().unwrap_or(0);
    let digits = length.to_string().len();
    let mut text = String::new();
    for step in 0..length {
        let _ = write!(text, "{:>digits$} ", step + 1);
        for copy in 0..4 {
            let _ = write!(text, " {:>widest$}", path[copy * length + step].to_string());
        }
        text.push('\n');
    }
    if let (Some(when), Some(place)) = (copies.centre_told(), copies.centre) {
        let _ = writeln!(text, "centre {} {when}", copies.square(solution, place));
    }
    Some(text)
}

/// The number of a square: 1 is the top left one, and numbers run along the rows.
fn number(board: &Board, square: Square) -> u64 {
    let above = u64::from(board.ranks() - 1 - square.rank);
    above * u64::from(board.files()) + u64::from(square.file) + 1
}

/// A tour as numbers of squares, a line for each step; of four paths the four squares of a step with colons.
///
/// ```
/// use destrier::{Board, Solve as _, TourProblem, render};
///
/// let tour = TourProblem::open(Board::new(3, 4)?).solve()?.solved()?;
/// assert_eq!(render::ids(&tour).lines().count(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn ids(tour: &Verified<TourProblem>) -> String {
    let (problem, solution) = (tour.problem(), tour.solution());
    let number = |square: &Square| number(&problem.board, *square);
    let mut text = String::new();
    let Some(copies) = Copies::of(problem, solution) else {
        for square in &solution.0 {
            let _ = writeln!(text, "{}", number(square));
        }
        return text;
    };
    let (path, length) = (copies.squares(solution), copies.length);
    for step in 0..length {
        let four = [0, 1, 2, 3].map(|copy| number(&path[copy * length + step]).to_string());
        let _ = writeln!(text, "{}", four.join(":"));
    }
    if let (Some(when), Some(place)) = (copies.centre_told(), copies.centre) {
        let _ = writeln!(text, "centre {} {when}", number(&copies.square(solution, place)));
    }
    text
}
