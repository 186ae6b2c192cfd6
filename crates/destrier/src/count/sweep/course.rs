//! The order in which a sweep settles the vertices of a graph, and what each step may do.
//!
//! Settling a vertex means giving it its last edges: all its edges to earlier vertices are chosen
//! already, so it takes as many to later ones as it lacks of two. A later vertex is in the frontier
//! from its first settled neighbour until it is settled itself, and owns a slot all that time.
//!
//! Invariant: a cycle may close only when every other vertex is finished; `full` is that state.
//! Cost: a step from a state is a few shifts for each of its choices.
//! Source: Knuth's SIMPATH; Iwashita and others, "Efficient computation of the number of paths".

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::state::{Packing, Place, State, UNTOUCHED, read, write};
use crate::graph::cycle::CycleGraph;

/// An edge from the vertex being settled to a later one.
#[derive(Clone, Copy, Debug)]
struct Link {
    place: Place,
    slot: u64,
    turn: u64,
    edge: u32,
}

#[derive(Clone, Debug)]
struct Step {
    place: Place,
    links: Vec<Link>,
    /// The slots of the later vertices, if each of them has one: all must be finished when a cycle
    /// closes. A strip may end after any row, so its steps have several such sets.
    full: Vec<Vec<usize>>,
    /// The vertices that enter the frontier here, the settled one included if it does.
    newcomers: Vec<Place>,
}

/// A sweep laid out: steps, slots, packing.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    steps: Vec<Step>,
    packing: Packing,
    widest: usize,
    /// For each vertex in the order of the sweep: itself, its slot, and the step at which it enters.
    vertices: Vec<(u32, usize, usize)>,
}

/// What was chosen at a step: nothing, one link, or two; links are numbered along the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Choice {
    pub(crate) first: u8,
    pub(crate) second: u8,
}

/// No link chosen.
pub(crate) const NO_LINK: u8 = u8::MAX;

/// The bit of a choice in a mask of allowed ones: choices are numbered as a step visits them.
#[inline]
pub(crate) fn bit(number: usize) -> u64 {
    1 << number.min(63)
}

/// Where a choice leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next<const W: usize> {
    /// On to a state of the next layer.
    To(State<W>),
    /// A cycle through all vertices is closed: the turn around it, and which of the step's full
    /// states it filled (only strips have several).
    Closed(u8, u8),
}

/// No state has more slots than this.
const MOST_SLOTS: usize = 512;

impl Course {
    /// Lays out the sweep of a graph, its vertices settled in the given order.
    pub(crate) fn new(graph: &CycleGraph, order: &[u32]) -> Course {
        let (vertices, modulus) = (graph.vertices(), graph.modulus());
        let mut place_of = vec![0_usize; vertices];
        for (at, &v) in order.iter().enumerate() {
            place_of[v as usize] = at;
        }
        let mut forward: Vec<Vec<(usize, u8, u32)>> = vec![Vec::new(); vertices];
        for (index, edge) in (0..).zip(graph.edges()) {
            let (a, b) = (place_of[edge.a as usize], place_of[edge.b as usize]);
            let turn = edge.turn % modulus;
            if a < b {
                forward[a].push((b, turn, index));
            } else if b < a {
                forward[b].push((a, (modulus - turn) % modulus, index));
            }
        }
        for links in &mut forward {
            links.sort_unstable();
        }
        // Slots: the lowest free one, taken at the first settled neighbour, given back when settled.
        let mut slot = vec![usize::MAX; vertices];
        let mut widest = 0;
        let mut free: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
        let mut take = |slot: &mut usize, free: &mut BinaryHeap<_>, newcomers: &mut Vec<usize>| {
            if *slot == usize::MAX {
                *slot = free.pop().map_or(widest, |Reverse(lowest)| lowest);
                widest = widest.max(*slot + 1);
                newcomers.push(*slot);
            }
        };
        let mut ways = Vec::with_capacity(vertices);
        for at in 0..vertices {
            let mut newcomers = Vec::new();
            take(&mut slot[at], &mut free, &mut newcomers);
            for &(to, _, _) in &forward[at] {
                take(&mut slot[to], &mut free, &mut newcomers);
            }
            free.push(Reverse(slot[at]));
            // With more left than any state holds, the course is too wide to be run.
            let rest = &slot[at + 1..];
            let last = rest.len() <= MOST_SLOTS && rest.iter().all(|&s| s != usize::MAX);
            ways.push((last.then(|| rest.to_vec()).into_iter().collect(), newcomers));
        }
        let packing = Packing::new(widest, modulus);
        let mut entered: Vec<usize> = (0..vertices).collect();
        for (at, links) in forward.iter().enumerate() {
            for &(to, _, _) in links {
                entered[to] = entered[to].min(at);
            }
        }
        let seats = (0..vertices).map(|at| (order[at], slot[at], entered[at])).collect();
        let steps = (0..vertices)
            .zip(ways)
            .map(|(at, (full, newcomers))| Step {
                place: packing.place(slot[at]),
                links: forward[at]
                    .iter()
                    .map(|&(to, turn, edge)| Link {
                        place: packing.place(slot[to]),
                        slot: slot[to] as u64,
                        turn: u64::from(turn),
                        edge,
                    })
                    .collect(),
                full,
                newcomers: newcomers.into_iter().map(|slot| packing.place(slot)).collect(),
            })
            .collect();
        Course { steps, packing, widest, vertices: seats }
    }

    /// The sweep along a strip that repeats row by row: one row's steps, its columns settled in the given order.
    ///
    /// A cell of row `r` and column `c`, counted from the row being settled, has slot `r * width + c`,
    /// rows up to `depth`; with an apex, that has the slot after them. The state after the row must be
    /// moved down a row ([`Packing::moved`]). A cycle may close where the board could end: after this
    /// row, or one to `depth` rows later, as `which` says.
    pub(crate) fn strip(order: &[usize], jumps: &[(i64, i64)], depth: usize, apex: bool) -> Course {
        let width = order.len();
        let cells = (depth + 1) * width;
        let slots = cells + usize::from(apex);
        let packing = Packing::new(slots, 1);
        let mut edges = 0;
        let steps = (1..=width)
            .map(|settled| {
                let (column, later) = (order[settled - 1], &order[settled..]);
                let mut to: Vec<usize> = Vec::new();
                for &(across, up) in jumps {
                    let (Ok(row), Ok(there)) = (
                        usize::try_from(up),
                        usize::try_from(i64::try_from(column).unwrap_or(i64::MAX) + across),
                    ) else {
                        continue;
                    };
                    if there < width && (row > 0 || later.contains(&there)) {
                        to.push(row * width + there);
                    }
                }
                to.sort_unstable();
                to.extend(apex.then_some(cells));
                let links = to.iter().map(|&slot| {
                    edges += 1;
                    let place = packing.place(slot);
                    Link { place, slot: slot as u64, turn: 0, edge: edges - 1 }
                });
                let links = links.collect();
                let full = (1..=depth + 1)
                    .map(|rows| {
                        let rest = later.iter().copied().chain(width..rows * width);
                        rest.chain(apex.then_some(cells)).collect()
                    })
                    .collect();
                Step { place: packing.place(column), links, full, newcomers: Vec::new() }
            })
            .collect();
        Course { steps, packing, widest: slots, vertices: Vec::new() }
    }

    /// How the states are packed.
    pub(crate) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// How many vertices are settled in all.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// How many words a state of this sweep needs.
    pub(crate) fn words(&self) -> usize {
        self.packing.words()
    }

    /// Why a sweep whose states have at most so many words is not for this graph.
    pub(crate) fn too_wide(&self, words: usize) -> String {
        let (widest, most) = (self.widest, self.packing.most_slots(words));
        format!("the board is too wide to count exactly (frontier {widest}, limit {most})")
    }

    /// Where an automorphism sends the slots of the frontier after so many steps; nothing when it
    /// does not keep the settled vertices together.
    pub(crate) fn image(&self, settled: usize, automorphism: &[u32]) -> Option<Vec<Option<usize>>> {
        let mut position = vec![0; self.vertices.len()];
        for (at, &(vertex, ..)) in self.vertices.iter().enumerate() {
            position[vertex as usize] = at;
        }
        let mut to = vec![None; self.packing.slots()];
        for (at, &(vertex, slot, entered)) in self.vertices.iter().enumerate() {
            let there = position[automorphism[vertex as usize] as usize];
            if (at < settled) != (there < settled) {
                return None;
            }
            if at >= settled && entered < settled {
                to[slot] = Some(self.vertices[there].1);
            }
        }
        Some(to)
    }

    /// The slot of the vertex at a place of the order, if it is in the frontier after so many steps.
    pub(crate) fn slot(&self, place: usize, settled: usize) -> Option<usize> {
        let (_, slot, entered) = self.vertices[place];
        (place >= settled && entered < settled).then_some(slot)
    }

    /// The edge behind a link of a step.
    pub(crate) fn edge(&self, step: usize, link: u8) -> u32 {
        self.steps[step].links[usize::from(link)].edge
    }

    /// The edges chosen at a step, as a choice; `None` where more than two were.
    pub(crate) fn choice(&self, step: usize, chosen: impl Fn(u32) -> bool) -> Option<Choice> {
        let mut choice = Choice { first: NO_LINK, second: NO_LINK };
        for (at, link) in self.steps[step].links.iter().enumerate() {
            if chosen(link.edge) {
                let at = u8::try_from(at).ok()?;
                if choice.first == NO_LINK {
                    choice.first = at;
                } else if choice.second == NO_LINK {
                    choice.second = at;
                } else {
                    return None;
                }
            }
        }
        Some(choice)
    }

    /// The degrees of a state: 0, 1 or 2 in each slot, in the state's own layout.
    #[inline]
    pub(crate) fn pattern<const W: usize>(&self, state: &State<W>) -> State<W> {
        self.packing.degrees(state)
    }

    /// The places that a step's vertex, its links and its newcomers have.
    pub(crate) fn places(&self, at: usize) -> (Place, Vec<Place>, &[Place]) {
        let step = &self.steps[at];
        (step.place, step.links.iter().map(|link| link.place).collect(), &step.newcomers)
    }

    /// The mask of a slot.
    pub(crate) fn mask(&self) -> u64 {
        self.packing.mask()
    }

    /// Prepares a step for states of `W` words.
    pub(crate) fn step<const W: usize>(&self, at: usize) -> Stepper<'_, W> {
        let done = self.packing.done();
        let mut full = Vec::with_capacity(self.steps[at].full.len());
        for slots in &self.steps[at].full {
            let mut state = [0; W];
            for &slot in slots {
                write(&mut state, self.packing.place(slot), self.packing.mask(), done);
            }
            full.push(state);
        }
        Stepper {
            links: &self.steps[at].links,
            packing: &self.packing,
            here: self.steps[at].place,
            full,
            mask: self.packing.mask(),
            code: self.packing.code_mask(),
            shift: self.packing.turn_shift(),
            turns: self.packing.turn_mask(),
            done,
        }
    }
}

/// One step of a sweep, ready to be applied to many states.
#[derive(Clone, Debug)]
pub(crate) struct Stepper<'c, const W: usize> {
    links: &'c [Link],
    packing: &'c Packing,
    here: Place,
    full: Vec<State<W>>,
    mask: u64,
    code: u64,
    shift: u32,
    turns: u64,
    done: u64,
}

impl<const W: usize> Stepper<'_, W> {
    /// Settles the step's vertex in every way, in the order of the choices.
    #[inline]
    pub(crate) fn each(
        &self,
        state: &State<W>,
        allowed: u64,
        mut visit: impl FnMut(Choice, Next<W>),
    ) {
        let here = read(state, self.here, self.mask);
        let mut rest = *state;
        write(&mut rest, self.here, self.mask, 0);
        let code = here & self.code;
        if code == self.done {
            visit(Choice { first: NO_LINK, second: NO_LINK }, Next::To(rest));
        } else if code != UNTOUCHED {
            for (i, link) in self.links.iter().enumerate() {
                if allowed & bit(i) == 0 {
                    continue;
                }
                if let Some(next) = self.join(&rest, code - 1, here >> self.shift, link) {
                    visit(Choice { first: i as u8, second: NO_LINK }, next);
                }
            }
        } else {
            let mut number = 0;
            for (i, link) in self.links.iter().enumerate() {
                let first = number;
                number += self.links.len() - 1 - i;
                let there = read(&rest, link.place, self.mask);
                let mut begun = rest;
                let (end, turn) = match there & self.code {
                    UNTOUCHED => (link.slot, link.turn),
                    mate if mate == self.done => continue,
                    mate => {
                        write(&mut begun, link.place, self.mask, self.done);
                        (mate - 1, (link.turn + (there >> self.shift)) & self.turns)
                    }
                };
                for (j, other) in self.links.iter().enumerate().skip(i + 1) {
                    if allowed & bit(first + j - i - 1) == 0 {
                        continue;
                    }
                    if let Some(next) = self.join(&begun, end, turn, other) {
                        visit(Choice { first: i as u8, second: j as u8 }, next);
                    }
                }
            }
        }
    }

    /// Gives the vertex being settled, the end of a path to `end`, one more edge.
    #[inline]
    fn join(&self, state: &State<W>, end: u64, turn: u64, link: &Link) -> Option<Next<W>> {
        let mut next = *state;
        if link.slot == end {
            write(&mut next, link.place, self.mask, self.done);
            let around = (turn.wrapping_sub(link.turn) & self.turns) as u8;
            let which = self.full.iter().position(|full| *full == next)?;
            return Some(Next::Closed(around, which as u8));
        }
        let there = read(state, link.place, self.mask);
        let far = self.packing.place(end as usize);
        match there & self.code {
            UNTOUCHED => {
                let back = turn.wrapping_sub(link.turn) & self.turns;
                let out = link.turn.wrapping_sub(turn) & self.turns;
                write(&mut next, link.place, self.mask, (end + 1) | (back << self.shift));
                write(&mut next, far, self.mask, (link.slot + 1) | (out << self.shift));
            }
            mate if mate == self.done => return None,
            mate => {
                let onward = link.turn + (there >> self.shift);
                let out = onward.wrapping_sub(turn) & self.turns;
                let back = turn.wrapping_sub(onward) & self.turns;
                let mate_place = self.packing.place((mate - 1) as usize);
                write(&mut next, link.place, self.mask, self.done);
                write(&mut next, far, self.mask, mate | (out << self.shift));
                write(&mut next, mate_place, self.mask, (end + 1) | (back << self.shift));
            }
        }
        Some(Next::To(next))
    }
}
