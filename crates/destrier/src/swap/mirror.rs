//! Symmetries of a puzzle: turns of its graph with changes of colour that leave the puzzle as it was.
//!
//! A symmetry is any automorphism of the graph of jumps (not only of the board) with a permutation
//! of colours that fixes start and goal; one that exchanges them makes the search from the goal the
//! image of the search from the start. Of all images of a position only the least is kept.
//!
//! Invariant: the symmetries form a group; each maps neighbours to neighbours.
//! Cost: found by backtracking along jumps; applied by one look-up per eight bits of a key.
//! After: McKay's canonical forms; symmetry in model checking (Clarke, Emerson, Sistla 1996).

use super::arena::{ANY, Arena};
use super::key::{Key, Layout};

/// Where each square goes, and each colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mirror {
    square: Vec<u8>,
    colour: Vec<u8>,
}

/// More symmetries than this are left unused.
const MOST: usize = 64;
/// Squares tried before the search for symmetries is given up.
const PATIENCE: usize = 200_000;

/// The symmetries that take (start, goal) to (start, goal). If `exchanged`, one that takes them to
/// (goal, start). Empty where there are none, or too many to be of use.
pub(super) fn mirrors(arena: &Arena, exchanged: bool) -> Vec<Mirror> {
    let (first, last) = (&arena.start, &arena.goal);
    let (to_first, to_last) = if exchanged { (last, first) } else { (first, last) };
    if exchanged && (!arena.is_goal_complete() || arena.white_begins.is_some()) {
        return Vec::new();
    }
    let n = arena.len();
    let mut joined = vec![0u128; n];
    for (v, list) in arena.neighbours.iter().enumerate() {
        for &u in list {
            joined[v] |= 1 << u;
        }
    }
    let order = walk_order(arena);
    let everywhere: Vec<u8> = (0u8..).take(n).collect();
    let mut placed = 0u128;
    let mut image = vec![u8::MAX; n];
    let mut used = 0u128;
    let mut colours = Renaming::new(arena);
    // Depth-first with its own stack: at each depth the candidate to try next.
    let mut next = vec![0usize; n + 1];
    let mut trail: Vec<usize> = vec![0; n + 1];
    let mut found = Vec::new();
    let mut depth = 0;
    let mut tried = 0;
    loop {
        if depth == n {
            if colours.keeps_camps(arena) {
                found.push(Mirror { square: image.clone(), colour: colours.to.clone() });
            }
            if exchanged && !found.is_empty() {
                return found;
            }
            if found.len() > MOST {
                return Vec::new();
            }
        } else {
            let (v, parent) = order[depth];
            // Neighbours go to neighbours.
            let candidates =
                parent.map_or(&everywhere, |parent| &arena.neighbours[usize::from(image[parent])]);
            let mut went = false;
            while next[depth] < candidates.len() {
                let u = usize::from(candidates[next[depth]]);
                next[depth] += 1;
                tried += 1;
                if tried > PATIENCE {
                    return Vec::new();
                }
                let alike = joined[u].count_ones() == joined[v].count_ones()
                    && (joined[u] & used).count_ones() == (joined[v] & placed).count_ones();
                let follows =
                    |&w: &u8| placed >> w & 1 == 0 || joined[u] >> image[usize::from(w)] & 1 == 1;
                if used >> u & 1 == 1 || !alike || !arena.neighbours[v].iter().all(follows) {
                    continue;
                }
                let mark = colours.trail.len();
                if colours.take(first[v], to_first[u]) && colours.take(last[v], to_last[u]) {
                    trail[depth] = mark;
                    #[expect(clippy::cast_possible_truncation, reason = "at most 128 squares")]
                    {
                        image[v] = u as u8;
                    }
                    used |= 1 << u;
                    placed |= 1 << v;
                    depth += 1;
                    next[depth] = 0;
                    went = true;
                    break;
                }
                colours.undo(mark);
            }
            if went {
                continue;
            }
        }
        if depth == 0 {
            return found;
        }
        depth -= 1;
        let (v, _) = order[depth];
        used &= !(1 << image[v]);
        placed &= !(1 << v);
        colours.undo(trail[depth]);
    }
}

/// Squares so ordered that each, where possible, is joined to an earlier one, which comes with it.
fn walk_order(arena: &Arena) -> Vec<(usize, Option<usize>)> {
    let mut order = Vec::new();
    let mut seen = vec![false; arena.len()];
    for root in 0..arena.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut head = order.len();
        order.push((root, None));
        while head < order.len() {
            let (v, _) = order[head];
            for &u in &arena.neighbours[v] {
                if !std::mem::replace(&mut seen[usize::from(u)], true) {
                    order.push((usize::from(u), Some(v)));
                }
            }
            head += 1;
        }
    }
    order
}

/// A permutation of colours as far as it is known.
struct Renaming {
    to: Vec<u8>,
    from: Vec<u8>,
    trail: Vec<u8>,
    /// Colours of one kind may be exchanged: as many knights, and the same side where sides matter.
    kind: Vec<(usize, bool)>,
}

impl Renaming {
    fn new(arena: &Arena) -> Self {
        let sides = arena.white_begins.is_some();
        let kind = (0..=arena.colours)
            .map(|c| {
                (
                    arena.start.iter().filter(|&&s| usize::from(s) == c).count(),
                    sides && arena.white[c],
                )
            })
            .collect();
        let colours = arena.colours + 1;
        Self { to: vec![0; colours], from: vec![0; colours], trail: Vec::new(), kind }
    }

    fn take(&mut self, c: u8, d: u8) -> bool {
        if c == ANY || d == ANY || c == 0 || d == 0 {
            return c == d;
        }
        let (i, j) = (usize::from(c), usize::from(d));
        if self.to[i] == 0 && self.from[j] == 0 && self.kind[i] == self.kind[j] {
            self.to[i] = d;
            self.from[j] = c;
            self.trail.push(c);
        }
        self.to[i] == d
    }

    /// Where peace matters: do friends become friends, and foes foes?
    fn keeps_camps(&self, arena: &Arena) -> bool {
        let camp = |c: usize| arena.camp[usize::from(self.to[c])];
        let colours = 1..=arena.colours;
        !arena.peaceful
            || colours.clone().all(|c| {
                let alike = |d| (arena.camp[c] == arena.camp[d]) == (camp(c) == camp(d));
                colours.clone().all(alike)
            })
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let c = self.trail.pop().expect("longer than the mark");
            let d = std::mem::replace(&mut self.to[usize::from(c)], 0);
            self.from[usize::from(d)] = 0;
        }
    }
}

/// A symmetry as tables: one look-up for each slice of a key.
#[derive(Clone, Debug)]
struct Lens<K> {
    slices: Vec<(u16, u16, Vec<K>)>,
}

impl<K: Key> Lens<K> {
    fn new(mirror: &Mirror, layout: &Layout<K>) -> Self {
        let bits = layout.bits;
        // The turn stays what it is; a code that no colour has never occurs.
        let becomes = |code: u8| mirror.colour.get(usize::from(code)).copied().unwrap_or(0);
        let squares = layout.at.iter().zip(&mirror.square);
        let fields = squares.map(|(&at, &to)| (at, layout.at[usize::from(to)], true));
        let turn = layout.turn.map(|at| (at, at, false));
        let mut slices: Vec<(u16, u16, Vec<K>)> = Vec::new();
        for (at, to, is_square) in fields.chain(turn) {
            let fits =
                |slice: &&mut (u16, u16, Vec<K>)| slice.0 + slice.1 == at && slice.1 + bits <= 8;
            if slices.last_mut().as_ref().is_none_or(|slice| !fits(slice)) {
                slices.push((at, 0, vec![K::ZERO]));
            }
            let Some((_, width, table)) = slices.last_mut() else { continue };
            // One more field: what is there already, with each code that the field may hold.
            let before = table.len();
            for code in 1..=layout.mask {
                let becomes = if is_square { becomes(code) } else { code };
                for content in 0..before {
                    table.push(table[content].flip(to, becomes));
                }
            }
            *width += bits;
        }
        Self { slices }
    }

    #[inline]
    fn image(&self, key: K) -> K {
        self.slices
            .iter()
            .fold(K::ZERO, |image, (at, width, table)| image.xor(table[key.slice(*at, *width)]))
    }
}

/// The symmetries of a puzzle, ready for use.
#[derive(Clone, Debug)]
pub(super) struct Mirrors<K> {
    lenses: Vec<Lens<K>>,
    exchange: Option<Lens<K>>,
}

impl<K: Key> Mirrors<K> {
    /// No symmetry but the identity.
    pub(super) fn none() -> Self {
        Self { lenses: Vec::new(), exchange: None }
    }

    /// All symmetries of an arena.
    pub(super) fn of(arena: &Arena, layout: &Layout<K>) -> Self {
        let lenses = mirrors(arena, false)
            .iter()
            .filter(|mirror| !mirror.is_identity())
            .map(|mirror| Lens::new(mirror, layout))
            .collect();
        let exchange = mirrors(arena, true).first().map(|mirror| Lens::new(mirror, layout));
        Self { lenses, exchange }
    }

    /// How many symmetries, the identity among them.
    pub(super) fn order(&self) -> usize {
        self.lenses.len() + 1
    }

    /// Is there one that exchanges start and goal?
    pub(super) fn exchanges(&self) -> bool {
        self.exchange.is_some()
    }

    /// The least of all images of a position.
    #[inline]
    pub(super) fn least(&self, key: K) -> K {
        self.lenses.iter().fold(key, |least, lens| least.min(lens.image(key)))
    }

    /// The least image seen from the other end, where there is an exchanging symmetry.
    pub(super) fn across(&self, key: K) -> Option<K> {
        self.exchange.as_ref().map(|lens| self.least(lens.image(key)))
    }
}

impl Mirror {
    fn is_identity(&self) -> bool {
        self.square.iter().enumerate().all(|(v, &u)| v == usize::from(u))
            && self.colour.iter().enumerate().all(|(c, &d)| c == usize::from(d))
    }
}
