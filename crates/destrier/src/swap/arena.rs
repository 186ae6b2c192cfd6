//! A swap problem in the solver's words: dense squares, codes for colours, lists of neighbours.
//!
//! The knights of one connected part of the board never meet those of another, so a problem may be
//! cut into one arena per part; a plan of the whole is any order of the plans of the parts.
//!
//! Invariant: `neighbours[neighbours[v][i]][twin[v][i]] == v`.
//! Cost: linear in squares and moves; at most 128 squares.
//! After: the "friends-and-strangers" view of pebble motion on graphs (Wilson 1974).

/// In a goal: anything may stand here.
pub(super) const ANY: u8 = u8::MAX;

/// One jump: from a square to a square of the arena.
pub(super) type Step = (u8, u8);

/// A problem on at most 128 squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arena {
    /// The vertex of the whole board that each square is.
    pub(super) home: Vec<u32>,
    /// Where a knight may jump from each square.
    pub(super) neighbours: Vec<Vec<u8>>,
    /// The place of a square in the list of its i-th neighbour.
    pub(super) twin: Vec<Vec<u8>>,
    /// The code on each square at first; 0 is empty.
    pub(super) start: Vec<u8>,
    /// The code wanted on each square; 0 is empty, [`ANY`] is anything.
    pub(super) goal: Vec<u8>,
    /// Codes run from 1 to this.
    pub(super) colours: usize,
    /// Is the colour with this code white? (Index 0 is not used.)
    pub(super) white: Vec<bool>,
    /// Colours of different camps must not attack each other in a peaceful puzzle.
    pub(super) camp: Vec<u8>,
    /// Do consecutive jumps of one knight count once?
    pub(super) runs: bool,
    /// Do the sides take turns, and does white begin?
    pub(super) white_begins: Option<bool>,
    /// Must colours never attack one another?
    pub(super) peaceful: bool,
}

impl Arena {
    /// How many squares.
    pub(super) fn len(&self) -> usize {
        self.home.len()
    }

    /// An arena from its lists; `twin` is worked out.
    pub(super) fn new(
        neighbours: Vec<Vec<u8>>,
        start: Vec<u8>,
        goal: Vec<u8>,
        white: Vec<bool>,
    ) -> Self {
        let place = |list: &[u8], v: usize| {
            list.iter().position(|&u| usize::from(u) == v).expect("a jump can be taken back")
        };
        #[expect(clippy::cast_possible_truncation, reason = "a square has at most 128 neighbours")]
        let twin = neighbours
            .iter()
            .enumerate()
            .map(|(v, list)| {
                list.iter().map(|&u| place(&neighbours[usize::from(u)], v) as u8).collect()
            })
            .collect();
        let home = (0u32..).take(neighbours.len()).collect();
        let colours = white.len() - 1;
        let camp = (0u8..).take(colours + 1).collect();
        Self {
            home,
            neighbours,
            twin,
            start,
            goal,
            colours,
            white,
            camp,
            runs: false,
            white_begins: None,
            peaceful: false,
        }
    }

    /// Is the goal fixed on every square?
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

    /// Two squares whose knights belong to different camps and attack each other, if there are any.
    pub(super) fn quarrel(&self, codes: &[u8]) -> Option<(usize, usize)> {
        let camp = |v: usize| self.camp[usize::from(codes[v])];
        (0..self.len()).filter(|&v| codes[v] != 0).find_map(|v| {
            let mut near = self.neighbours[v].iter().map(|&u| usize::from(u));
            let foe = near.find(|&u| codes[u] != 0 && camp(u) != camp(v))?;
            Some((v, foe))
        })
    }

    /// How many knights of a colour there are.
    #[expect(clippy::naive_bytecount, reason = "a board has at most 128 squares")]
    pub(super) fn count(&self, code: u8) -> usize {
        self.start.iter().filter(|&&c| c == code).count()
    }

    /// The part of the board that each square belongs to, numbered from 0.
    pub(super) fn parts(&self) -> Vec<usize> {
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

    /// One arena for each connected part, in order; codes are numbered anew in each.
    #[expect(clippy::cast_possible_truncation, reason = "at most 128 squares")]
    pub(super) fn cut(&self) -> Vec<Self> {
        let part = self.parts();
        let parts = part.iter().max().map_or(0, |&last| last + 1);
        (0..parts)
            .map(|p| {
                let squares: Vec<usize> = (0..self.len()).filter(|&v| part[v] == p).collect();
                let mut name = vec![0u8; self.len()];
                for (i, &v) in squares.iter().enumerate() {
                    name[v] = i as u8;
                }
                let mut code = vec![0u8; self.colours + 1];
                let mut white = vec![false];
                let mut camp = vec![0];
                for &v in &squares {
                    let c = usize::from(self.start[v]);
                    if c != 0 && code[c] == 0 {
                        code[c] = white.len() as u8;
                        white.push(self.white[c]);
                        camp.push(self.camp[c]);
                    }
                }
                let rename = |c: u8| if c == 0 || c == ANY { c } else { code[usize::from(c)] };
                let neighbours = squares
                    .iter()
                    .map(|&v| self.neighbours[v].iter().map(|&u| name[usize::from(u)]).collect())
                    .collect();
                let start = squares.iter().map(|&v| rename(self.start[v])).collect();
                let goal = squares.iter().map(|&v| rename(self.goal[v])).collect();
                let mut cut = Self::new(neighbours, start, goal, white);
                cut.home = squares.iter().map(|&v| self.home[v]).collect();
                cut.camp = camp;
                cut.runs = self.runs;
                cut.white_begins = self.white_begins;
                cut.peaceful = self.peaceful;
                cut
            })
            .collect()
    }

    /// Jumps from every square to every square; `u16::MAX` where there is no way.
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

    /// The two classes of squares that jumps alternate between, where there are such.
    pub(super) fn two_classes(&self) -> Option<Vec<bool>> {
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
}
