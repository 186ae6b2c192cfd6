//! Shortest tours of a dozen atoms, by a dynamic program over their subsets.
//!
//! For each set of inner atoms and each of them to end in, the shortest path from the outer atom is known. From a set,
//! all ways to go on are computed at once, in the lanes of one vector.
//!
//! Invariant: a line holds the paths of its set only at the set's own atoms; other lanes are never read.
//! Cost: `n² 2ⁿ` additions for `n` inner atoms, four or more at a time.
//! Source: Held and Karp 1962; Bellman 1962.

/// As many lanes as there may be inner atoms.
const LANES: usize = 12;
type Line = [f32; LANES];

/// Shortest paths and tours under distances given by weighted sets.
pub(super) struct Tours {
    inner: usize,
    /// Between inner atoms, and from the outer one.
    distance: [Line; LANES],
    home: Line,
    /// For each set of inner atoms, the shortest path by its last.
    paths: Vec<Line>,
}

impl Tours {
    pub(super) fn new(inner: usize) -> Tours {
        assert!(inner <= LANES, "there is a lane for each atom");
        let none = [0.0; LANES];
        Tours { inner, distance: [none; LANES], home: none, paths: vec![none; 1 << inner] }
    }

    /// Takes the weighted borders of these unions of inner atoms for distances, and finds all shortest paths.
    pub(super) fn measure(&mut self, weights: impl Iterator<Item = (u32, f32)>) {
        self.distance = [[0.0; LANES]; LANES];
        self.home = [0.0; LANES];
        for (atoms, weight) in weights {
            let inside = |a: usize| atoms >> a & 1 == 1;
            for a in (0..self.inner).filter(|&a| inside(a)) {
                self.home[a] += weight;
                for b in (0..self.inner).filter(|&b| !inside(b)) {
                    self.distance[a][b] += weight;
                    self.distance[b][a] += weight;
                }
            }
        }
        for a in 0..self.inner {
            self.paths[1 << a][a] = self.home[a];
        }
        for set in 1..self.paths.len() {
            let (mut on, path) = ([f32::INFINITY; LANES], self.paths[set]);
            for last in members(set) {
                for (on, distance) in on.iter_mut().zip(&self.distance[last]) {
                    let length = path[last] + distance;
                    *on = if length < *on { length } else { *on };
                }
            }
            for next in members(self.all() & !set) {
                self.paths[set | 1 << next][next] = on[next];
            }
        }
    }

    const fn all(&self) -> usize {
        (1 << self.inner) - 1
    }

    fn length(&self, last: usize) -> f32 {
        self.paths[self.all()][last] + self.home[last]
    }

    /// For each atom a shortest tour that ends in it, if that is below the limit; the shortest `most` of these.
    pub(super) fn shorter_than(&self, limit: f32, most: usize) -> Vec<Vec<usize>> {
        let mut lasts: Vec<usize> =
            (0..self.inner).filter(|&last| self.length(last) < limit).collect();
        lasts.sort_by(|&a, &b| self.length(a).total_cmp(&self.length(b)));
        lasts.truncate(most);
        lasts.into_iter().map(|last| self.tour(last)).collect()
    }

    /// A shortest tour that ends in an atom, from the end.
    fn tour(&self, last: usize) -> Vec<usize> {
        let (mut set, mut tour) = (self.all(), vec![last]);
        loop {
            let last = *tour.last().expect("it has an end");
            let rest = set & !(1 << last);
            let along = |&before: &usize| self.paths[rest][before] + self.distance[before][last];
            let length = self.paths[set][last];
            let before = members(rest)
                .min_by(|a, b| (along(a) - length).abs().total_cmp(&(along(b) - length).abs()));
            let Some(before) = before else { return tour };
            tour.push(before);
            set = rest;
        }
    }
}

/// The atoms of a set.
fn members(mut set: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set > 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}
