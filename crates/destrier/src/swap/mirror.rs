//! Symmetries of a puzzle: turns of its graph with changes of colour that leave the puzzle as it was.
//!
//! A symmetry is any automorphism of the graph of jumps (not only of the board) with a permutation
//! of colours that fixes start and goal; one that exchanges them makes the search from the goal the
//! image of the search from the start. Of all images of a position only the least is kept.
//!
//! Invariant: the symmetries form a group; each maps neighbours to neighbours.
//! Cost: found by backtracking over squares; applied by one look-up per eight bits of a key.
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

/// The symmetries that take (start, goal) to (start, goal), or, if `exchanged`, to (goal, start).
/// Empty where there are none, or too many to be of use.
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
            if found.len() > MOST {
                return Vec::new();
            }
        } else {
            let v = order[depth];
            let mut went = false;
            while next[depth] < n {
                let u = next[depth];
                next[depth] += 1;
                tried += 1;
                if tried > PATIENCE {
                    return Vec::new();
                }
                if used >> u & 1 == 1 || joined[u].count_ones() != joined[v].count_ones() {
                    continue;
                }
                let fits =
                    order[..depth].iter().all(|&w| joined[v] >> w & 1 == joined[u] >> image[w] & 1);
                if !fits {
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
        used &= !(1 << image[order[depth]]);
        colours.undo(trail[depth]);
    }
}

/// Squares so ordered that each, where possible, is joined to an earlier one.
fn walk_order(arena: &Arena) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; arena.len()];
    for root in 0..arena.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut head = order.len();
        order.push(root);
        while head < order.len() {
            for &u in &arena.neighbours[order[head]] {
                if !std::mem::replace(&mut seen[usize::from(u)], true) {
                    order.push(usize::from(u));
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
        let n = mirror.square.len();
        let bits = layout.bits;
        let goes = |v: usize| if v == n { n } else { usize::from(mirror.square[v]) };
        let mut slices = Vec::new();
        let mut v = 0;
        while v <= n {
            let at = layout.at[v];
            let mut end = v + 1;
            while end <= n
                && layout.at[end] == at + bits * as_u16(end - v)
                && bits * as_u16(end + 1 - v) <= 8
            {
                end += 1;
            }
            let width = bits * as_u16(end - v);
            let table = (0..1usize << width)
                .map(|content| {
                    (v..end).fold(K::ZERO, |key, u| {
                        let code =
                            content >> (usize::from(bits) * (u - v)) & usize::from(layout.mask);
                        // The turn stays what it is; a code that no colour has never occurs.
                        let becomes = if u == n {
                            Some(code)
                        } else {
                            mirror.colour.get(code).map(|&c| usize::from(c))
                        };
                        key.flip(layout.at[goes(u)], becomes.map_or(0, as_u8))
                    })
                })
                .collect();
            slices.push((at, width, table));
            v = end;
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

#[expect(clippy::cast_possible_truncation, reason = "a field's width times a few")]
fn as_u16(x: usize) -> u16 {
    x as u16
}

#[expect(clippy::cast_possible_truncation, reason = "a colour's code")]
fn as_u8(x: usize) -> u8 {
    x as u8
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
