//! A swap problem in the form that searches use: a graph of vertices, with codes for the knights on them.
//!
//! The knights of one connected part of the board never meet those of another, so a problem may be
//! split into one instance per part; the plans of the parts, in any order, are a plan of the whole.
//!
//! Invariant: `neighbours[neighbours[v][i]][reverse[v][i]] == v`.
//! Cost: linear in squares and moves; at most 128 squares.
//! Source: pebble motion on graphs (Wilson 1974; Kornhauser, Miller and Spirakis 1984).

/// In a goal: anything may be here.
pub(super) const ANY: u8 = u8::MAX;

/// One jump: from a vertex to a vertex of the instance.
pub(super) type Step = (u8, u8);

/// A problem on at most 128 vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    /// The vertex of the whole board that each vertex is.
    pub(super) origin: Vec<u32>,
    /// Where a knight may jump from each vertex.
    pub(super) neighbours: Vec<Vec<u8>>,
    /// The index of a vertex in the list of its i-th neighbour.
    pub(super) reverse: Vec<Vec<u8>>,
    /// The code on each vertex at the start; 0 is empty.
    pub(super) start: Vec<u8>,
    /// The code required on each vertex; 0 is empty, [`ANY`] is anything.
    pub(super) goal: Vec<u8>,
    /// Codes run from 1 to this.
    pub(super) colours: usize,
    /// Is the colour with this code white? (Index 0 is not used.)
    pub(super) white: Vec<bool>,
    /// The side of each colour; in a peaceful puzzle different sides must not attack each other.
    pub(super) side: Vec<u8>,
    /// Do consecutive jumps of one knight count once?
    pub(super) runs: bool,
    /// Do the sides take turns, and does white begin?
    pub(super) white_begins: Option<bool>,
    /// Must opposing knights never attack each other?
    pub(super) peaceful: bool,
}

impl Instance {
    /// The number of vertices.
    pub(super) fn len(&self) -> usize {
        self.origin.len()
    }

    /// An instance from its lists; `reverse` is computed.
    pub(super) fn new(
        neighbours: Vec<Vec<u8>>,
        start: Vec<u8>,
        goal: Vec<u8>,
        white: Vec<bool>,
    ) -> Self {
        let index = |list: &[u8], v: usize| {
            list.iter().position(|&u| usize::from(u) == v).expect("a jump can be reversed")
        };
        #[expect(clippy::cast_possible_truncation, reason = "a vertex has at most 128 neighbours")]
        let reverse = neighbours
            .iter()
            .enumerate()
            .map(|(v, list)| {
                list.iter().map(|&u| index(&neighbours[usize::from(u)], v) as u8).collect()
            })
            .collect();
        let origin = (0u32..).take(neighbours.len()).collect();
        let colours = white.len() - 1;
        let side = (0u8..).take(colours + 1).collect();
        Self {
            origin,
            neighbours,
            reverse,
            start,
            goal,
            colours,
            white,
            side,
            runs: false,
            white_begins: None,
            peaceful: false,
        }
    }

    /// Does the goal fix every vertex?
    pub(super) fn is_goal_complete(&self) -> bool {
        !self.goal.contains(&ANY)
    }

    /// Is this placement a goal?
    pub(super) fn is_goal(&self, codes: &[u8]) -> bool {
        codes.iter().zip(&self.goal).all(|(&here, &want)| want == ANY || here == want)
    }

    /// The same puzzle from the goal back to the start; the goal must be complete.
    pub(super) fn reversed(&self) -> Self {
        debug_assert!(self.is_goal_complete());
        let mut back = self.clone();
        std::mem::swap(&mut back.start, &mut back.goal);
        back
    }

    /// The same rules between other placements.
    pub(super) fn between(&self, start: Vec<u8>, goal: Vec<u8>) -> Self {
        Self { start, goal, ..self.clone() }
    }

    /// The positions after each jump of a plan.
    pub(super) fn path(&self, plan: &[Step]) -> Vec<Vec<u8>> {
        let mut codes = self.start.clone();
        let jump = |&(from, to): &Step| {
            codes.swap(usize::from(from), usize::from(to));
            codes.clone()
        };
        plan.iter().map(jump).collect()
    }

    /// Two vertices whose knights are on different sides and attack each other, if there are any.
    pub(super) fn attacking_pair(&self, codes: &[u8]) -> Option<(usize, usize)> {
        let side = |v: usize| self.side[usize::from(codes[v])];
        (0..self.len()).filter(|&v| codes[v] != 0).find_map(|v| {
            let mut near = self.neighbours[v].iter().map(|&u| usize::from(u));
            let other = near.find(|&u| codes[u] != 0 && side(u) != side(v))?;
            Some((v, other))
        })
    }

    /// How many knights of a colour there are.
    #[expect(clippy::naive_bytecount, reason = "at most 128 vertices")]
    pub(super) fn count(&self, code: u8) -> usize {
        self.start.iter().filter(|&&c| c == code).count()
    }

    /// The connected part that each vertex belongs to, numbered from 0.
    pub(super) fn part_of_each(&self) -> Vec<usize> {
        let mut part = vec![usize::MAX; self.len()];
        let mut next = 0;
        for root in 0..self.len() {
            if part[root] != usize::MAX {
                continue;
            }
            part[root] = next;
            let mut stack = vec![root];
            while let Some(v) = stack.pop() {
                for &u in &self.neighbours[v] {
                    if part[usize::from(u)] == usize::MAX {
                        part[usize::from(u)] = next;
                        stack.push(usize::from(u));
                    }
                }
            }
            next += 1;
        }
        part
    }

    /// The vertices of each connected part.
    pub(super) fn parts(&self) -> Vec<Vec<usize>> {
        let part = self.part_of_each();
        let count = part.iter().max().map_or(0, |&last| last + 1);
        (0..count).map(|p| (0..self.len()).filter(|&v| part[v] == p).collect()).collect()
    }

    /// One instance for each connected part, in order; codes are renumbered in each.
    #[expect(clippy::cast_possible_truncation, reason = "at most 128 vertices")]
    pub(super) fn split(&self) -> Vec<Self> {
        self.parts()
            .iter()
            .map(|vertices| {
                let mut number = vec![0u8; self.len()];
                for (i, &v) in vertices.iter().enumerate() {
                    number[v] = i as u8;
                }
                let mut code = vec![0u8; self.colours + 1];
                let mut white = vec![false];
                let mut side = vec![0];
                for &v in vertices {
                    let c = usize::from(self.start[v]);
                    if c != 0 && code[c] == 0 {
                        code[c] = white.len() as u8;
                        white.push(self.white[c]);
                        side.push(self.side[c]);
                    }
                }
                let renumber = |c: u8| if c == 0 || c == ANY { c } else { code[usize::from(c)] };
                let neighbours = vertices
                    .iter()
                    .map(|&v| self.neighbours[v].iter().map(|&u| number[usize::from(u)]).collect())
                    .collect();
                let start = vertices.iter().map(|&v| renumber(self.start[v])).collect();
                let goal = vertices.iter().map(|&v| renumber(self.goal[v])).collect();
                let mut part = Self::new(neighbours, start, goal, white);
                part.origin = vertices.iter().map(|&v| self.origin[v]).collect();
                part.side = side;
                part.runs = self.runs;
                part.white_begins = self.white_begins;
                part.peaceful = self.peaceful;
                part
            })
            .collect()
    }

    /// The jumps from every vertex to every vertex; `u16::MAX` where it cannot be reached.
    pub(super) fn distances(&self) -> Vec<Vec<u16>> {
        (0..self.len())
            .map(|root| {
                let mut far = vec![u16::MAX; self.len()];
                far[root] = 0;
                let mut queue = std::collections::VecDeque::from([root]);
                while let Some(v) = queue.pop_front() {
                    for &u in &self.neighbours[v] {
                        if far[usize::from(u)] == u16::MAX {
                            far[usize::from(u)] = far[v] + 1;
                            queue.push_back(usize::from(u));
                        }
                    }
                }
                far
            })
            .collect()
    }

    /// In how many ways the other knights can be placed once those of a colour are.
    #[expect(clippy::cast_precision_loss, reason = "an estimate is enough")]
    pub(super) fn placements(&self, fixed: u8) -> f64 {
        let mut left = self.len() - if fixed == 0 { 0 } else { self.count(fixed) };
        let mut count = 1.0;
        for code in (1u8..).take(self.colours).filter(|&code| code != fixed) {
            for i in 0..self.count(code) {
                count *= left as f64 / (i + 1) as f64;
                left -= 1;
            }
        }
        count
    }

    /// In how many ways the knights can be placed, if there are no more than so many.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "about so many")]
    #[expect(clippy::cast_precision_loss, reason = "an estimate is enough")]
    pub(super) fn placements_up_to(&self, most: u64) -> Option<u64> {
        Some(self.placements(0)).filter(|&count| count <= most as f64).map(|count| count as u64)
    }

    /// Do jumps alternate between two classes of vertices?
    pub(super) fn is_bipartite(&self) -> bool {
        self.classes().is_some()
    }

    /// The two classes of vertices between which jumps alternate, where they do.
    pub(super) fn classes(&self) -> Option<Vec<bool>> {
        let mut class: Vec<Option<bool>> = vec![None; self.len()];
        for root in 0..self.len() {
            if class[root].is_some() {
                continue;
            }
            class[root] = Some(false);
            let mut stack = vec![root];
            while let Some(v) = stack.pop() {
                for &u in &self.neighbours[v] {
                    let u = usize::from(u);
                    match class[u] {
                        None => {
                            class[u] = class[v].map(|side| !side);
                            stack.push(u);
                        }
                        Some(side) if class[v] == Some(side) => return None,
                        Some(_) => {}
                    }
                }
            }
        }
        class.into_iter().collect()
    }

    /// The distance of every placement from the goal, by a plain search.
    #[cfg(test)]
    pub(super) fn all_distances(&self) -> std::collections::HashMap<Vec<u8>, u16> {
        let mut found = std::collections::HashMap::from([(self.goal.clone(), 0)]);
        let mut queue = std::collections::VecDeque::from([self.goal.clone()]);
        while let Some(codes) = queue.pop_front() {
            for from in (0..codes.len()).filter(|&v| codes[v] != 0) {
                for &to in self.neighbours[from].iter().filter(|&&u| codes[usize::from(u)] == 0) {
                    let mut next = codes.clone();
                    next.swap(from, usize::from(to));
                    if !found.contains_key(&next) {
                        found.insert(next.clone(), found[&codes] + 1);
                        queue.push_back(next);
                    }
                }
            }
        }
        found
    }
}
