//! Small worlds out of bytes: boards with holes and joined edges, leapers, tours, captures, swaps.

use std::collections::BTreeSet;

use arbitrary::{Result, Unstructured};
use destrier::{
    Board, CaptureProblem, Goal, Leaper, Metric, Options, Placement, Problem as _, Shape, Side,
    Square, SwapProblem, SwapRules, Symmetry, TourProblem, TourSymmetry, Wrap,
};

/// A board of at most so many open squares: sides to 6, or a line of 4 to 9.
pub fn board(u: &mut Unstructured<'_>, most: u64) -> Result<Board> {
    // A byte and its rest by the number of choices is what `int_in_range` and `choose` read: so the inputs that are kept
    // still mean what they meant, but for those with the greatest bytes.
    let sides = u.arbitrary::<u8>()?;
    let (files, ranks) = (u32::from(sides % 6) + 1, u.int_in_range(1..=6_u32)?);
    let (files, ranks) = match sides {
        0..224 => (files, ranks),
        224..240 => (ranks + 3, 1),
        240.. => (1, ranks + 3),
    };
    let wrap =
        *u.choose(&[Wrap::None, Wrap::None, Wrap::None, Wrap::Files, Wrap::Ranks, Wrap::Both])?;
    let mut board = Board::new(files, ranks).expect("its sides are small");
    let all: Vec<Square> = board.squares().collect();
    // Some holes for the fun of it, and then as many as are needed to make the board small.
    let mut holes: BTreeSet<Square> = BTreeSet::new();
    for _ in 0..u.int_in_range(0..=4)? {
        holes.insert(*u.choose(&all)?);
    }
    // Holes that a turn or a mirror of the board keeps, so that symmetries apply.
    let upright =
        [&[][..], &[Symmetry::HalfTurn], &[Symmetry::MirrorFiles], &[Symmetry::MirrorRanks]];
    let aslant = [
        &[Symmetry::MirrorDiagonal][..],
        &[Symmetry::MirrorAntidiagonal],
        &[Symmetry::QuarterTurn, Symmetry::HalfTurn, Symmetry::ThreeQuarterTurn],
    ];
    let turns = match u.arbitrary::<u8>()? {
        turn @ 192.. if files == ranks => aslant[usize::from(turn % 3)],
        turn => upright[usize::from(turn % 4)],
    };
    let twins = |square: Square| turns.iter().map(move |turn| turn.apply(square, files, ranks));
    let images: Vec<Square> = holes.iter().copied().flat_map(twins).collect();
    holes.extend(images);
    for &square in all.iter().rev() {
        if (all.len() - holes.len()) as u64 <= most {
            break;
        }
        holes.insert(square);
        holes.extend(twins(square));
    }
    if holes.len() < all.len() {
        board = board.without(holes).expect("some square is left");
    }
    Ok(board.wrapped(wrap))
}

/// A square of the board.
pub fn square(u: &mut Unstructured<'_>, board: &Board) -> Result<Square> {
    let all: Vec<Square> = board.squares().collect();
    Ok(*u.choose(&all)?)
}

/// A question about tours that can be asked.
pub fn tour(u: &mut Unstructured<'_>, most: u64) -> Result<TourProblem> {
    let mut problem = TourProblem::open(board(u, most)?);
    if u.ratio(1, 2)? {
        problem.shape = Shape::Closed;
    }
    if u.ratio(1, 4)? {
        let is_line = problem.board.files().min(problem.board.ranks()) == 1;
        let most = if is_line { 5 } else { 3_u32 };
        let (a, b) = (u.int_in_range(0..=most)?, u.int_in_range(1..=most)?);
        problem.leaper = Leaper::new(a, b).expect("one leg is not 0");
    }
    if u.ratio(1, 3)? {
        problem.start = Some(square(u, &problem.board)?);
    }
    if u.ratio(1, 3)? {
        problem.end = Some(square(u, &problem.board)?);
    }
    if u.ratio(1, 4)? {
        problem.symmetry = Some(*u.choose(&TourSymmetry::ALL)?);
    }
    if problem.validate().is_err() {
        problem = TourProblem { start: None, end: None, symmetry: None, ..problem };
    }
    Ok(problem)
}

/// One thread, or two once in a while: starting one takes longer than most small questions.
pub fn options(u: &mut Unstructured<'_>) -> Result<Options> {
    Ok(Options::new().threads(if u.ratio(1, 32)? { 2 } else { 1 }))
}

/// A capture that can be asked for.
pub fn capture(u: &mut Unstructured<'_>, squares: u64, pieces: usize) -> Result<CaptureProblem> {
    let board = board(u, squares)?;
    let start = square(u, &board)?;
    let mut targets = BTreeSet::new();
    for _ in 0..u.int_in_range(0..=pieces)? {
        targets.insert(square(u, &board)?);
    }
    targets.remove(&start);
    Ok(CaptureProblem { board, start, targets })
}

/// A swap that can be asked for.
pub fn swap(u: &mut Unstructured<'_>, squares: u64, knights: usize) -> Result<SwapProblem> {
    let board = board(u, squares)?;
    let all: Vec<Square> = board.squares().collect();
    let letters = u.choose(&["nN", "n", "abc", "aAbB", "nnN", "ABcdEF"])?.as_bytes();
    let most = knights.min(all.len());
    // Crowded boards, on which few orders can be reached, come as often as empty ones.
    let crowded = u.ratio(1, 2)?;
    let count = u.int_in_range(if crowded { most.saturating_sub(3) } else { 0 }..=most)?;
    let names: Vec<char> = (0..count).map(|k| letters[k % letters.len()] as char).collect();
    let place = |u: &mut Unstructured<'_>| -> Result<Placement> {
        let mut left = all.clone();
        let mut placed = Placement::new();
        for &name in &names {
            let at = u.choose_index(left.len())?;
            placed.insert(left.swap_remove(at), name);
        }
        Ok(placed)
    };
    let start = place(u)?;
    let mut goal = Goal { knights: place(u)?, any: BTreeSet::new() };
    if u.ratio(1, 4)?
        && let Some((&first, _)) = goal.knights.iter().next()
    {
        goal.knights.remove(&first);
        goal.any.insert(first);
    }
    let rules = SwapRules {
        metric: *u.choose(&[Metric::Moves, Metric::Moves, Metric::Runs])?,
        alternate: *u.choose(&[None, None, None, Some(Side::White), Some(Side::Black)])?,
        peaceful: u.ratio(1, 5)?,
    };
    let mut problem = SwapProblem { board, start, goal, rules };
    if problem.validate().is_err() {
        problem.rules = SwapRules::default();
    }
    Ok(problem)
}
