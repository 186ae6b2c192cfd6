//! Symmetries of a puzzle: automorphisms of its graph, with permutations of colours, that preserve it.
//!
//! A symmetry is any automorphism of the graph of jumps (not only of the board) with a permutation
//! of colours that fixes start and goal; one that exchanges them makes the search from the goal the
//! image of the search from the start. Of all images of a position only the least, the canonical one,
//! is kept.
//!
//! Invariant: the symmetries form a group; each maps neighbours to neighbours.
//! Cost: found by backtracking along jumps; applied by one look-up per eight bits of a key.
//! Source: McKay's canonical forms; symmetry in model checking (Clarke, Emerson, Sistla 1996).

use std::ops::ControlFlow;

use super::instance::{ANY, Instance, Step};
use super::key::{Key, Layout};

/// The image of each vertex and of each colour.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Symmetry {
    vertex: Vec<u8>,
    colour: Vec<u8>,
}

/// More symmetries than this are not used.
const MOST: usize = 64;
/// Images of vertices tried before the search for symmetries is given up.
const MOST_TRIED: usize = 200_000;

/// The symmetries that map (start, goal) to (start, goal), or, if `exchanged`, to (goal, start).
/// The first `most` of them; none where they are too hard to find.
fn find(instance: &Instance, exchanged: bool, most: usize) -> Vec<Symmetry> {
    if exchanged && (!instance.is_goal_complete() || instance.white_begins.is_some()) {
        return Vec::new();
    }
    let n = instance.len();
    let mask = |list: &Vec<u8>| list.iter().fold(0u128, |mask, &u| mask | 1 << u);
    let mut search = Search {
        instance,
        exchanged,
        most,
        neighbours: instance.neighbours.iter().map(mask).collect(),
        order: walk_order(instance),
        image: vec![u8::MAX; n],
        placed: 0,
        used: 0,
        colours: Renaming::new(instance),
        tried: 0,
        found: Vec::new(),
    };
    let _ = search.extend(0);
    search.found
}

#[expect(clippy::cast_possible_truncation, reason = "at most 128 vertices")]
fn as_u8(v: usize) -> u8 {
    v as u8
}

/// A backtracking search for symmetries.
struct Search<'a> {
    instance: &'a Instance,
    exchanged: bool,
    most: usize,
    /// The neighbours of each vertex, one bit each.
    neighbours: Vec<u128>,
    order: Vec<(usize, Option<usize>)>,
    /// The image of each vertex in `placed`; together they are `used`.
    image: Vec<u8>,
    placed: u128,
    used: u128,
    colours: Renaming,
    tried: usize,
    found: Vec<Symmetry>,
}

impl Search<'_> {
    /// Tries all images of the vertices from this depth on; breaks off when enough is known.
    fn extend(&mut self, depth: usize) -> ControlFlow<()> {
        let instance = self.instance;
        let Some(&(v, parent)) = self.order.get(depth) else {
            if self.colours.keeps_sides(instance) {
                let (vertex, colour) = (self.image.clone(), self.colours.to.clone());
                self.found.push(Symmetry { vertex, colour });
            }
            let enough = self.found.len() == self.most;
            return if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        };
        let (first, last) = (&instance.start, &instance.goal);
        let (to_first, to_last) = if self.exchanged { (last, first) } else { (first, last) };
        // Neighbours are mapped to neighbours.
        let parent = parent.map(|parent| usize::from(self.image[parent]));
        let count = parent.map_or(instance.len(), |parent| instance.neighbours[parent].len());
        for i in 0..count {
            let image = parent.map_or_else(|| as_u8(i), |p| instance.neighbours[p][i]);
            let u = usize::from(image);
            self.tried += 1;
            if self.tried > MOST_TRIED {
                self.found.clear();
                return ControlFlow::Break(());
            }
            if !self.can_map(v, u) {
                continue;
            }
            let mark = self.colours.trail.len();
            if self.colours.take(first[v], to_first[u]) && self.colours.take(last[v], to_last[u]) {
                self.image[v] = image;
                self.used |= 1 << u;
                self.placed |= 1 << v;
                self.extend(depth + 1)?;
                self.used &= !(1 << u);
                self.placed &= !(1 << v);
            }
            self.colours.undo(mark);
        }
        ControlFlow::Continue(())
    }

    /// Would the map still take neighbours to neighbours, and others to others, with `v` to `u`?
    fn can_map(&self, v: usize, u: usize) -> bool {
        let (of_v, of_u) = (self.neighbours[v], self.neighbours[u]);
        let agrees =
            |&w: &u8| self.placed >> w & 1 == 0 || of_u >> self.image[usize::from(w)] & 1 == 1;
        self.used >> u & 1 == 0
            && of_u.count_ones() == of_v.count_ones()
            && (of_u & self.used).count_ones() == (of_v & self.placed).count_ones()
            && self.instance.neighbours[v].iter().all(agrees)
    }
}

/// Vertices in an order in which each, where possible, has an earlier neighbour, which comes with it.
fn walk_order(instance: &Instance) -> Vec<(usize, Option<usize>)> {
    let mut order = Vec::new();
    let mut seen = vec![false; instance.len()];
    for root in 0..instance.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut head = order.len();
        order.push((root, None));
        while head < order.len() {
            let (v, _) = order[head];
            for &u in &instance.neighbours[v] {
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
    /// Colours of one kind may be exchanged: as many knights, and the same side where sides take turns.
    kind: Vec<(usize, bool)>,
}

impl Renaming {
    fn new(instance: &Instance) -> Self {
        let sides = instance.white_begins.is_some();
        let kind = (0..=instance.colours)
            .map(|c| {
                (
                    instance.start.iter().filter(|&&s| usize::from(s) == c).count(),
                    sides && instance.white[c],
                )
            })
            .collect();
        let colours = instance.colours + 1;
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

    /// In peaceful puzzles: are opposing colours mapped to opposing colours, and others to others?
    fn keeps_sides(&self, instance: &Instance) -> bool {
        let side = |c: usize| instance.side[usize::from(self.to[c])];
        let colours = 1..=instance.colours;
        !instance.peaceful
            || colours.clone().all(|c| {
                let alike = |d| (instance.side[c] == instance.side[d]) == (side(c) == side(d));
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
struct ImageTable<K> {
    slices: Vec<Slice<K>>,
}

/// The images of the bits `at .. at + width` of a key, by their value.
#[derive(Clone, Debug)]
struct Slice<K> {
    at: u16,
    width: u16,
    images: Vec<K>,
}

impl<K: Key> ImageTable<K> {
    fn new(symmetry: &Symmetry, layout: &Layout<K>) -> Self {
        let bits = layout.bits;
        // The turn stays unchanged; a code that no colour has never occurs.
        let becomes = |code: u8| symmetry.colour.get(usize::from(code)).copied().unwrap_or(0);
        let vertices = layout.at.iter().zip(&symmetry.vertex);
        let fields = vertices.map(|(&at, &to)| (at, layout.at[usize::from(to)], true));
        let turn = layout.turn.map(|at| (at, at, false));
        let mut slices: Vec<Slice<K>> = Vec::new();
        for (at, to, is_vertex) in fields.chain(turn) {
            let fits = |slice: &Slice<K>| slice.at + slice.width == at && slice.width + bits <= 8;
            if slices.last().is_none_or(|slice| !fits(slice)) {
                slices.push(Slice { at, width: 0, images: vec![K::ZERO] });
            }
            let Some(Slice { width, images, .. }) = slices.last_mut() else { continue };
            // One more field: every entry so far, with each code that the field may have.
            let before = images.len();
            for code in 1..=layout.mask {
                let becomes = if is_vertex { becomes(code) } else { code };
                for content in 0..before {
                    images.push(images[content].flip(to, becomes));
                }
            }
            *width += bits;
        }
        Self { slices }
    }

    #[inline]
    fn image(&self, key: K) -> K {
        self.slices.iter().fold(K::ZERO, |image, Slice { at, width, images }| {
            image.xor(images[key.slice(*at, *width)])
        })
    }
}

/// The symmetries of a puzzle, ready for use.
#[derive(Clone, Debug)]
pub(super) struct Symmetries<K> {
    tables: Vec<ImageTable<K>>,
    /// By symmetry, code and vertex: the image of a position with only that.
    ///
    /// So the images of a neighbour follow from those of the position by two look-ups each.
    fields: Vec<Vec<K>>,
    vertices: usize,
    exchange: Option<ImageTable<K>>,
}

impl<K: Key> Symmetries<K> {
    /// No symmetry but the identity.
    pub(super) fn none() -> Self {
        Self { tables: Vec::new(), fields: Vec::new(), vertices: 0, exchange: None }
    }

    /// All symmetries of an instance.
    pub(super) fn of(instance: &Instance, layout: &Layout<K>) -> Self {
        let group = fixing(instance);
        let exchange =
            find(instance, true, 1).first().map(|symmetry| ImageTable::new(symmetry, layout));
        Self { exchange, ..Self::by(&group, layout) }
    }

    fn by<'a>(group: impl IntoIterator<Item = &'a Symmetry>, layout: &Layout<K>) -> Self {
        let vertices = layout.at.len();
        let mut symmetries = Self { vertices, ..Self::none() };
        for symmetry in group {
            symmetries.tables.push(ImageTable::new(symmetry, layout));
            let field = |code: u8, v: u8| K::ZERO.flip(layout.at[usize::from(v)], code);
            let of_code = |&code: &u8| symmetry.vertex.iter().map(move |&v| field(code, v));
            symmetries.fields.push(symmetry.colour.iter().flat_map(of_code).collect());
        }
        symmetries
    }

    /// The number of symmetries, including the identity.
    pub(super) fn order(&self) -> usize {
        self.tables.len() + 1
    }

    /// Is there one that exchanges start and goal?
    pub(super) fn exchanges(&self) -> bool {
        self.exchange.is_some()
    }

    /// The least of all images of a position.
    #[inline]
    pub(super) fn canonical(&self, key: K) -> K {
        self.tables.iter().fold(key, |least, table| least.min(table.image(key)))
    }

    /// All images of a position but itself.
    #[inline]
    pub(super) fn images(&self, key: K, into: &mut Vec<K>) {
        into.clear();
        into.extend(self.tables.iter().map(|table| table.image(key)));
    }

    /// The least of all images of `child`, a neighbour of the position with these images: a knight with this code
    /// has gone from one vertex to the other. Turns are not taken into account.
    #[inline]
    pub(super) fn canonical_child(&self, child: K, images: &[K], code: u8, step: Step) -> K {
        let row = usize::from(code) * self.vertices;
        let (from, to) = (row + usize::from(step.0), row + usize::from(step.1));
        images.iter().zip(&self.fields).fold(child, |least, (&image, fields)| {
            least.min(image.xor(fields[from]).xor(fields[to]))
        })
    }

    /// The canonical image under a symmetry that exchanges start and goal, where there is one.
    pub(super) fn exchanged(&self, key: K) -> Option<K> {
        self.exchange.as_ref().map(|table| self.canonical(table.image(key)))
    }
}

/// The symmetries that fix start and goal, without the identity; none if there are too many.
fn fixing(instance: &Instance) -> Vec<Symmetry> {
    let mut group = find(instance, false, MOST + 1);
    if group.len() > MOST {
        group.clear();
    }
    group.retain(|symmetry| !symmetry.is_identity());
    group
}

/// A symmetry that exchanges start and goal, and those symmetries of the puzzle that commute with it,
/// so that canonical images of a position's image are images of its canonical image.
#[derive(Clone, Debug)]
pub(super) struct Exchange<K> {
    symmetry: Symmetry,
    table: ImageTable<K>,
    pub(super) symmetries: Symmetries<K>,
}

impl<K: Key> Exchange<K> {
    /// All symmetries that exchange start and goal and move some vertex, at most [`MOST`].
    pub(super) fn all(instance: &Instance, layout: &Layout<K>) -> Vec<Self> {
        let group = fixing(instance);
        let moves = |symmetry: &Symmetry| symmetry.vertex.iter().zip(0u8..).any(|(&to, v)| to != v);
        let exchanging = find(instance, true, MOST).into_iter().filter(moves);
        exchanging
            .map(|symmetry| {
                let commuting = group.iter().filter(|other| other.commutes_with(&symmetry));
                let symmetries = Symmetries::by(commuting, layout);
                let table = ImageTable::new(&symmetry, layout);
                Self { symmetry, table, symmetries }
            })
            .collect()
    }

    /// The image of a position.
    #[inline]
    pub(super) fn image(&self, key: K) -> K {
        self.table.image(key)
    }

    /// The image of a vertex.
    pub(super) fn vertex(&self, v: u8) -> u8 {
        self.symmetry.vertex[usize::from(v)]
    }

    /// The image of a colour.
    pub(super) fn colour(&self, code: u8) -> u8 {
        self.symmetry.colour[usize::from(code)]
    }
}

impl Symmetry {
    fn commutes_with(&self, other: &Self) -> bool {
        let both = |one: &[u8], two: &[u8]| {
            (0..one.len()).all(|i| one[usize::from(two[i])] == two[usize::from(one[i])])
        };
        both(&self.vertex, &other.vertex) && both(&self.colour, &other.colour)
    }

    fn is_identity(&self) -> bool {
        self.vertex.iter().enumerate().all(|(v, &u)| v == usize::from(u))
            && self.colour.iter().enumerate().all(|(c, &d)| c == usize::from(d))
    }
}
