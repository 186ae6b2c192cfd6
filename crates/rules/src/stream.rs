//! Tours too large to keep in memory, checked as they are streamed.
//!
//! Square by square: a [`Segment`] checks each jump, and is given the step that some function assigns to each square.
//! If that function returns every step, no square occurs twice: the function could not assign two steps to it. So the
//! segments of a tour can be checked separately, in constant memory, whatever the function.
//!
//! Number by number: a [`Ranks`] looks at the steps of a board, rank after rank. It checks three things: every number is a
//! step, the number 1 occurs, and the next number is a jump away from each number but the last. Then all
//! numbers follow from 1, and as there are as many squares as numbers, each occurs once. Five ranks are kept at a time.
//! (A number beyond the last step has no successor a jump away, unless an even greater number is there: the greatest
//! number on the board is checked, and must be the last step.)
//!
//! Invariant: what passes is exactly what [`TourProblem::verify`](crate::Problem::verify) would accept, for a knight on a
//! plain board with no symmetry asked for.
//! Cost: a few operations per square; sixteen comparisons per number, which compilers turn into vector code.

use crate::fault::Fault;
use crate::square::Square;
use crate::tour::TourProblem;

/// A segment of a tour, checked square by square.
#[derive(Clone, Debug)]
pub struct Segment<'p> {
    problem: &'p TourProblem,
    step: u64,
    before: Option<Square>,
}

impl<'p> Segment<'p> {
    /// The segment that begins with this step, counted from 1; `before` is the square of the step before it.
    #[must_use]
    pub fn new(problem: &'p TourProblem, step: u64, before: Option<Square>) -> Segment<'p> {
        Segment { problem, step, before: before.filter(|_| step > 1) }
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
    /// How many ranks were received, and how many with the empty ones after the last.
    come: u32,
    pushed: u32,
    first: Option<Square>,
    last: Option<Square>,
}

/// Zeros at either end of a row, so that no jump leads out of it.
const MARGIN: usize = 2;

impl<'p, T: StepNumber> Ranks<'p, T> {
    /// Before the first rank.
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
        if self.pushed > 2 { self.check(self.pushed - 3) } else { Ok(()) }
    }

    /// After the last rank.
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
        Segment::closes(self.problem, first, last)
    }

    /// Checks the rank in the middle of the rows: the slow check reports what does not fit, and finds the ends.
    fn check(&mut self, rank: u32) -> Result<(), Fault> {
        if self.is_plain() { Ok(()) } else { self.check_closely(rank) }
    }

    /// Is every number in the middle of the rows a step with the next one a jump away, and none an end?
    #[expect(clippy::needless_bitwise_bool, reason = "without branches it becomes vector code")]
    fn is_plain(&self) -> bool {
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
        let mut plain = true;
        for (file, &step) in here.iter().enumerate() {
            let next = step.next();
            let follows = around.iter().fold(false, |some, row| some | (row[file] == next));
            plain &= follows & (step != T::NONE) & (next != T::NONE) & (step != T::NONE.next());
        }
        plain
    }

    /// The same, reporting what is wrong and recording the ends.
    fn check_closely(&mut self, rank: u32) -> Result<(), Fault> {
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

    fn by_segments(problem: &TourProblem, tour: &Tour) -> Result<(), Fault> {
        // The worst that can be said of a square: the last step that is on it.
        let step_of = |square| tour.0.iter().rposition(|&s| s == square).map(|at| at as u64 + 1);
        let mut before = None;
        for (step, chunk) in (1..).step_by(5).zip(tour.0.chunks(5)) {
            let mut segment = Segment::new(problem, step, before);
            for &square in chunk {
                segment.next(square, step_of(square))?;
            }
            before = chunk.last().copied();
        }
        Segment::closes(problem, tour.0[0], tour.0[tour.0.len() - 1])
    }

    /// The fault that reading the ranks in order comes to first, by the definition.
    fn first_fault(problem: &TourProblem, grid: &[Vec<u64>]) -> Option<Fault> {
        let last = problem.board.len();
        let of = |square: Square| grid[square.rank as usize][square.file as usize];
        let mut ends = Vec::new();
        let ranks = 0..problem.board.ranks();
        let squares =
            ranks.flat_map(|r| (0..problem.board.files()).map(move |f| Square::new(f, r)));
        for square in squares {
            let step = of(square);
            if !(1..=last).contains(&step) {
                return Some(Fault::NotAStep { square, number: step, last });
            }
            if step == 1 || step == last {
                if ends.contains(&step) {
                    return Some(Fault::Repeated { step, square, first: step });
                }
                ends.push(step);
            }
            let nexts = problem.board.jumps_from(problem.leaper, square);
            if step < last && !nexts.into_iter().any(|next| of(next) == step + 1) {
                return Some(Fault::NoNext { step, square });
            }
        }
        (!ends.contains(&1) || !ends.contains(&last))
            .then_some(Fault::Length { found: 0, expected: last })
    }

    fn faults_are_the_first<T: StepNumber>(number: impl Fn(u64) -> T) {
        let problem = TourProblem::open(Board::new(3, 4).unwrap());
        let sound = steps(&problem, &OPEN.parse().unwrap());
        let sound: Vec<Vec<u64>> =
            sound.iter().map(|rank| rank.iter().map(|&step| step.into()).collect()).collect();
        let largest: u64 = number(u64::MAX).into();
        let numbers: Vec<u64> = (0..16).chain([largest - 1, largest]).collect();
        let agree = |grid: &[Vec<u64>]| {
            let mut ranks = Ranks::new(&problem);
            let mut rows = grid.iter().map(|rank| rank.iter().map(|&n| number(n)).collect());
            let found = rows.try_for_each(|row: Vec<T>| ranks.next(&row));
            let found = found.and_then(|()| ranks.finish()).err();
            assert_eq!(found, first_fault(&problem, grid), "{grid:?}");
        };
        agree(&sound);
        for at in 0..12 {
            for &one in &numbers {
                let mut grid = sound.clone();
                grid[at / 3][at % 3] = one;
                agree(&grid);
            }
        }
        // A whole rank of one number, with each number all around it. (From the last step on, a number with its next
        // passes: the greatest does not.)
        let is_greater = |one: u64, other: u64| one.min(other) >= 12 && one.abs_diff(other) == 1;
        for rank in 0..4 {
            for &one in &numbers {
                for &other in numbers.iter().filter(|&&other| !is_greater(one, other)) {
                    let mut grid = vec![vec![other; 3]; 4];
                    grid[rank].fill(one);
                    agree(&grid);
                }
            }
        }
    }

    #[test]
    fn the_fault_is_the_first_whatever_the_type_of_the_numbers() {
        faults_are_the_first(|number| u32::try_from(number).unwrap_or(u32::MAX));
        faults_are_the_first(|number| number);
    }

    /// Rows of random numbers, with two zeros at either end.
    #[test]
    fn a_rank_is_plain_if_every_number_has_its_next_and_none_is_an_end() {
        let problem = TourProblem::open(Board::new(3, 9).unwrap());
        let numbers = [0, 1, 2, 3, 2, 3, 2, 3, u64::MAX];
        let mut seed = 1_u64;
        let mut plain = 0;
        for _ in 0..20_000 {
            let mut ranks = Ranks::new(&problem);
            for at in 0..15 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let roll = usize::try_from(seed >> 33).unwrap();
                ranks.rows[at / 3][MARGIN + at % 3] = numbers[roll % numbers.len()];
            }
            let rows = &ranks.rows;
            let expected = (MARGIN..MARGIN + 3).all(|at| {
                let step = rows[2][at];
                let follows = (0..5_usize).any(|row| {
                    (0..7_usize).any(|to| {
                        row.abs_diff(2) * to.abs_diff(at) == 2
                            && Some(rows[row][to]) == step.checked_add(1)
                    })
                });
                step > 1 && follows
            });
            assert_eq!(ranks.is_plain(), expected, "{rows:?}");
            plain += u32::from(expected);
        }
        assert!((100..19_900).contains(&plain), "{plain}");
    }

    #[test]
    fn what_is_missing_is_counted() {
        let problem = TourProblem::open(Board::new(3, 4).unwrap());
        let length = |found, expected| Err(Fault::Length { found, expected });
        for step in 2..5 {
            let mut segment = Segment::new(&problem, step, None);
            assert_eq!(segment.next(Square::new(0, 0), Some(step)), length(0, step - 1));
        }
        let mut ranks = Ranks::new(&problem);
        ranks.next(&[1_u32, 8, 3]).unwrap();
        ranks.next(&[4, 11, 6]).unwrap();
        assert_eq!(ranks.next(&[7, 2]), length(2 * 3 + 2, 12));
        assert_eq!(ranks.finish(), length(2 * 3, 12));
    }

    const OPEN: &str = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4";
    const CLOSED: &str = "a1 c2 a3 b1 c3 b5 c7 b9 a7 c6 a5 c4 b2 a4 b6 c8 b10 a8 c9 a10 b8 c10 a9 b7 c5 a6 b4 a2 c1 b3";

    /// Valid tours, and all that result from exchanging two squares or replacing a number.
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
                        assert_eq!(by_segments(&problem, &changed).is_ok(), right, "{changed}");
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
