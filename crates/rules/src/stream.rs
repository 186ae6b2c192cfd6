//! Tours too large to be kept, checked as they go by.
//!
//! Square by square: a [`Stretch`] looks at each jump, and is told for each square which step some function gives it.
//! If that function gives back every step, no square came twice: the function could not give it two steps. So the
//! stretches of a tour can be checked apart, in no memory, whoever wrote the function.
//!
//! Number by number: a [`Ranks`] looks at the steps of a board, rank after rank. It asks three things: every number is a
//! step, the number 1 occurs, and beside each number but the last, a jump away, stands the next one. Then all
//! numbers follow from 1, and as there are as many squares as numbers, each stands once. Five ranks are kept at a time.
//! (A number beyond the last step has no next one beside it, unless an even greater one stands there: the greatest
//! number on the board is looked at closely, and must be the last step.)
//!
//! Invariant: what passes is exactly what [`TourProblem::verify`](crate::Problem::verify) would accept, for a knight on a
//! plain board with no symmetry asked for.
//! Cost: a few operations per square; sixteen comparisons per number, which compilers turn into vector code.

use crate::fault::Fault;
use crate::square::Square;
use crate::tour::TourProblem;

/// A stretch of a tour, checked square by square.
#[derive(Clone, Debug)]
pub struct Stretch<'p> {
    problem: &'p TourProblem,
    step: u64,
    before: Option<Square>,
}

impl<'p> Stretch<'p> {
    /// The stretch that begins with this step, counted from 1; `before` is the square of the step before it.
    #[must_use]
    pub fn new(problem: &'p TourProblem, step: u64, before: Option<Square>) -> Stretch<'p> {
        Stretch { problem, step, before: before.filter(|_| step > 1) }
    }

    /// The next square, and the step that the caller's function gives it.
    ///
    /// # Errors
    /// With what is wrong, and where.
    pub fn next(&mut self, square: Square, its_step: Option<u64>) -> Result<(), Fault> {
        let (step, problem) = (self.step, self.problem);
        if !problem.board.covers(square) {
            return Err(Fault::OffBoard { step, square });
        }
        if !problem.board.contains(square) {
            return Err(Fault::OnHole { step, square });
        }
        if its_step != Some(step) {
            return Err(Fault::Repeated { step, square, first: its_step.unwrap_or(0) });
        }
        match self.before {
            Some(from) => problem.check_jump(Some(step), from, square)?,
            None if step > 1 => return Err(Fault::Length { found: 0, expected: step - 1 }),
            _ => {}
        }
        let last = step == problem.board.len();
        for (is_end, role, asked) in
            [(step == 1, "start", problem.start), (last, "end", problem.end)]
        {
            match asked {
                Some(expected) if is_end && expected != square => {
                    return Err(Fault::WrongEnd { role, found: square, expected });
                }
                _ => {}
            }
        }
        self.before = Some(square);
        self.step += 1;
        Ok(())
    }

    /// Does the last square of a closed tour lead home? To be asked once, of the tour's ends.
    ///
    /// # Errors
    /// When it does not.
    pub fn closes(problem: &TourProblem, first: Square, last: Square) -> Result<(), Fault> {
        problem.check_closed(first, last)
    }
}

/// A type for the numbers of steps.
pub trait StepNumber: Copy + Eq + Into<u64> + private::Sealed {
    /// No step.
    const NONE: Self;

    /// The next number; zero after the largest.
    #[must_use]
    fn next(self) -> Self;
}

mod private {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

impl StepNumber for u32 {
    const NONE: u32 = 0;

    fn next(self) -> u32 {
        self.wrapping_add(1)
    }
}

impl StepNumber for u64 {
    const NONE: u64 = 0;

    fn next(self) -> u64 {
        self.wrapping_add(1)
    }
}

/// The steps of a plain board, checked rank after rank from the first.
///
/// ```
/// use destrier_rules::{Board, Ranks, TourProblem};
///
/// let question = TourProblem::open(Board::new(3, 4)?);
/// let mut ranks = Ranks::new(&question);
/// for rank in [[1_u32, 8, 3], [4, 11, 6], [7, 2, 9], [10, 5, 12]] {
///     ranks.next(&rank)?;
/// }
/// ranks.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranks<'p, T> {
    problem: &'p TourProblem,
    /// The last ranks, the oldest first, each with two zeros at either end.
    rows: Vec<Vec<T>>,
    /// How many ranks have come, and with empty ones after the last.
    come: u32,
    pushed: u32,
    first: Option<Square>,
    last: Option<Square>,
}

/// Zeros at either end of a row, so that no jump leads out of it.
const MARGIN: usize = 2;

impl<'p, T: StepNumber> Ranks<'p, T> {
    /// Nothing has come yet.
    #[must_use]
    pub fn new(problem: &'p TourProblem) -> Ranks<'p, T> {
        let empty = vec![T::NONE; problem.board.files() as usize + 2 * MARGIN];
        Ranks { problem, rows: vec![empty; 5], come: 0, pushed: 0, first: None, last: None }
    }

    /// The steps on the next rank.
    ///
    /// # Errors
    /// With what is wrong, and where.
    pub fn next(&mut self, steps: &[T]) -> Result<(), Fault> {
        let files = self.problem.board.files() as usize;
        if steps.len() != files || self.come == self.problem.board.ranks() {
            let found = u64::from(self.come) * files as u64 + steps.len() as u64;
            return Err(Fault::Length { found, expected: self.problem.board.len() });
        }
        self.come += 1;
        self.push(|row| row[MARGIN..MARGIN + files].copy_from_slice(steps))
    }

    /// A rank more, or an empty one after the last; then the one before the last two has all its neighbours.
    fn push(&mut self, write: impl FnOnce(&mut [T])) -> Result<(), Fault> {
        self.rows.rotate_left(1);
        write(&mut self.rows[4]);
        self.pushed += 1;
        if self.pushed > 2 { self.look(self.pushed - 3) } else { Ok(()) }
    }

    /// All ranks have come.
    ///
    /// # Errors
    /// With what is wrong, and where.
    pub fn finish(mut self) -> Result<(), Fault> {
        let (come, files) = (self.come, u64::from(self.problem.board.files()));
        if come != self.problem.board.ranks() {
            let found = u64::from(come) * files;
            return Err(Fault::Length { found, expected: self.problem.board.len() });
        }
        for _ in 0..2 {
            self.push(|row| row.fill(T::NONE))?;
        }
        let (Some(first), Some(last)) = (self.first, self.last) else {
            return Err(Fault::Length { found: 0, expected: self.problem.board.len() });
        };
        let ends = [("start", first, self.problem.start), ("end", last, self.problem.end)];
        for (role, found, expected) in ends {
            match expected {
                Some(expected) if expected != found => {
                    return Err(Fault::WrongEnd { role, found, expected });
                }
                _ => {}
            }
        }
        Stretch::closes(self.problem, first, last)
    }

    /// Looks at the rank in the middle of the rows.
    #[expect(clippy::needless_bitwise_bool, reason = "without branches it becomes vector code")]
    fn look(&mut self, rank: u32) -> Result<(), Fault> {
        let files = self.problem.board.files() as usize;
        let near = |row: usize, by: usize| &self.rows[row][by..by + files];
        let here = near(2, MARGIN);
        // The rows two away are entered one to the side, those one away two to the side.
        let around = [
            near(0, 1),
            near(0, 3),
            near(1, 0),
            near(1, 4),
            near(3, 0),
            near(3, 4),
            near(4, 1),
            near(4, 3),
        ];
        // Where a number does not fit, or an end may stand, the slow look says what it is.
        let mut plain = true;
        for (file, &step) in here.iter().enumerate() {
            let next = step.next();
            let follows = around.iter().fold(false, |some, row| some | (row[file] == next));
            plain &= follows & (step != T::NONE) & (next != T::NONE) & (step != T::NONE.next());
        }
        if plain { Ok(()) } else { self.look_closely(rank) }
    }

    /// The same with a word for what is wrong, and an eye for the ends.
    fn look_closely(&mut self, rank: u32) -> Result<(), Fault> {
        let length = self.problem.board.len();
        for file in 0..self.problem.board.files() {
            let at = file as usize + MARGIN;
            let number = self.rows[2][at];
            let step: u64 = number.into();
            let square = Square::new(file, rank);
            if step == 0 || step > length {
                return Err(Fault::NotAStep { square, number: step, last: length });
            }
            for (is_end, end) in [(step == 1, &mut self.first), (step == length, &mut self.last)] {
                if is_end && end.replace(square).is_some() {
                    return Err(Fault::Repeated { step, square, first: step });
                }
            }
            let jumps = [(0, 1), (0, 3), (1, 0), (1, 4), (3, 0), (3, 4), (4, 1), (4, 3)];
            let follows =
                |&(row, by): &(usize, usize)| self.rows[row][file as usize + by] == number.next();
            if step < length && !jumps.iter().any(follows) {
                return Err(Fault::NoNext { step, square });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::tour::Tour;
    use crate::verify::Problem as _;

    fn steps(problem: &TourProblem, tour: &Tour) -> Vec<Vec<u32>> {
        let (files, ranks) = (problem.board.files() as usize, problem.board.ranks() as usize);
        let mut grid = vec![vec![0; files]; ranks];
        for (step, square) in (1..).zip(&tour.0) {
            grid[square.rank as usize][square.file as usize] = step;
        }
        grid
    }

    fn by_ranks(problem: &TourProblem, grid: &[Vec<u32>]) -> Result<(), Fault> {
        let mut ranks = Ranks::new(problem);
        for rank in grid {
            ranks.next(rank)?;
        }
        ranks.finish()
    }

    fn by_stretches(problem: &TourProblem, tour: &Tour) -> Result<(), Fault> {
        // The worst that can be said of a square: the last step that is on it.
        let step_of = |square| tour.0.iter().rposition(|&s| s == square).map(|at| at as u64 + 1);
        let mut before = None;
        for (step, chunk) in (1..).step_by(5).zip(tour.0.chunks(5)) {
            let mut stretch = Stretch::new(problem, step, before);
            for &square in chunk {
                stretch.next(square, step_of(square))?;
            }
            before = chunk.last().copied();
        }
        Stretch::closes(problem, tour.0[0], tour.0[tour.0.len() - 1])
    }

    const OPEN: &str = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4";
    const CLOSED: &str = "a1 c2 a3 b1 c3 b5 c7 b9 a7 c6 a5 c4 b2 a4 b6 c8 b10 a8 c9 a10 b8 c10 a9 b7 c5 a6 b4 a2 c1 b3";

    /// Sound tours and all that come of them by exchanging two squares, or one number for another.
    #[test]
    fn what_streams_by_is_accepted_exactly_if_the_checker_accepts_it() {
        let mut accepted = 0;
        for (size, text) in [((3, 4), OPEN), ((3, 10), CLOSED)] {
            let board = Board::new(size.0, size.1).unwrap();
            let tour: Tour = text.parse().unwrap();
            let (first, last) = (tour.0[0], tour.0[tour.0.len() - 1]);
            for problem in [
                TourProblem::open(board.clone()),
                TourProblem::closed(board.clone()),
                TourProblem::open(board.clone()).starting_at(first).ending_at(last),
                TourProblem::open(board.clone()).starting_at(last),
                TourProblem::open(board.clone()).ending_at(first),
            ] {
                for i in 0..tour.0.len() {
                    for j in 0..=i {
                        let mut changed = tour.clone();
                        changed.0.swap(i, j);
                        let right = problem.verify(&changed).is_ok();
                        accepted += u32::from(right);
                        let grid = steps(&problem, &changed);
                        assert_eq!(by_ranks(&problem, &grid).is_ok(), right, "{changed}");
                        assert_eq!(by_stretches(&problem, &changed).is_ok(), right, "{changed}");
                    }
                }
            }
        }
        assert_eq!(
            accepted,
            2 * 12 + 3 * 30,
            "each tour with itself, where the question is its own"
        );
    }

    #[test]
    fn no_wrong_number_passes() {
        let problem = TourProblem::open(Board::new(3, 4).unwrap());
        let sound = steps(&problem, &OPEN.parse().unwrap());
        for rank in 0..4 {
            for file in 0..3 {
                for number in (0..20).chain([u32::MAX - 1, u32::MAX]) {
                    let mut grid = sound.clone();
                    let right = grid[rank][file] == number;
                    grid[rank][file] = number;
                    assert_eq!(by_ranks(&problem, &grid).is_ok(), right, "{grid:?}");
                }
            }
        }
        assert!(by_ranks(&problem, &sound[..3]).is_err(), "a rank is missing");
        let twice: Vec<Vec<u32>> = sound.iter().chain(&sound[..1]).cloned().collect();
        assert!(by_ranks(&problem, &twice).is_err(), "a rank too many");
        let short: Vec<Vec<u32>> = sound.iter().map(|rank| rank[..2].to_vec()).collect();
        assert!(by_ranks(&problem, &short).is_err(), "ranks too short");
        for (files, ranks) in [(1, 1), (1, 2), (2, 1)] {
            let tiny = TourProblem::open(Board::new(files, ranks).unwrap());
            let grid = vec![vec![1; files as usize]; ranks as usize];
            assert_eq!(by_ranks(&tiny, &grid).is_ok(), files * ranks == 1);
        }
    }
}
