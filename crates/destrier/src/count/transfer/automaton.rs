//! The machine that reads a strip column by column: its states, and how many ways lead on.
//!
//! On a strip of fixed width the frontier looks the same after every row. We collect all states that
//! can occur after a row, and after each square within a row, until nothing new comes; then we keep
//! those from which a board can still be completed. Mirror images are one state, wherever the squares settled
//! so far are their own mirror image.
//!
//! States are found a square at a time by all threads: each state belongs to one of several rolls by its
//! hash, so that they are numbered side by side, and in the same way on any number of threads.
//!
//! Invariant: the ways from the empty state to a closing, `n` rows on, are the tours of `n` rows.
//! Cost: built once for a width; width 5 has thousands of states closed and 369,827 open.
//! Source: transfer matrices (Stanley, EC1, 4.7); Knuth and Elkies on 3×n (1994).

use destrier_rules::Leaper;

use super::super::sweep::course::{Course, Next, bit};
use super::super::sweep::degrees::DegreeStep;
use super::super::sweep::roll::Roll;
use super::super::sweep::state::{State, hash};
use crate::run::threads;
use crate::run::watch::{Halt, Ticker, Watch};

/// One square's worth of transitions, seen from where they lead.
#[derive(Debug, Default)]
pub(crate) struct Column {
    /// The states before the square.
    pub(crate) states: usize,
    /// Where each next state's sources begin in `from`.
    pub(crate) first: Vec<u32>,
    /// The sources.
    pub(crate) from: Vec<u32>,
    /// States from which a tour closes here, and after how many rows the board then ends (counted
    /// from the row being settled, 0 for that row itself).
    pub(crate) closings: Vec<(u32, u8)>,
}

/// The words of a state: wide enough for every strip.
const WORDS: usize = 2;

/// The transfer machine of a strip.
#[derive(Debug)]
pub(crate) struct Automaton {
    pub(crate) columns: Vec<Column>,
}

/// The shape of a strip's states: how they move on by a row, and how they look in the mirror.
struct Strip {
    course: Course,
    width: usize,
    cells: usize,
    /// Where the mirror sends each slot.
    mirror: Vec<usize>,
    /// Whether the squares settled after a step of the row are their own mirror image.
    is_even: Vec<bool>,
}

/// The order in which the squares of a row are settled: the outermost two, the middle one, then the others in pairs.
///
/// The outer squares have the fewest neighbours, and after a pair the mirror makes one state of two. On width 5 with open
/// ends this takes two fifths of the states that settling from one edge to the other takes.
fn order(width: usize) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(width);
    for left in 0..width / 2 {
        order.extend([left, width - 1 - left]);
    }
    if width % 2 == 1 {
        order.insert(order.len().min(2), width / 2);
    }
    order
}

impl Strip {
    fn new(width: usize, leaper: Leaper, open: bool) -> Strip {
        let (_, depth) = depth(leaper);
        let order = order(width);
        let course = Course::strip(&order, &leaper.jumps(), depth, open);
        let cells = (depth + 1) * width;
        let image = |slot: usize| slot / width * width + width - 1 - slot % width;
        let mirror = (0..cells).map(image).chain([cells]).collect();
        let is_even = |step: usize| {
            let settled = &order[..=step];
            settled.iter().all(|&column| settled.contains(&image(column)))
        };
        let is_even = (0..width).map(is_even).collect();
        Strip { course, width, cells, mirror, is_even }
    }

    /// Where a slot is after a row: one row nearer, the apex where it was.
    fn nearer(&self, slot: usize) -> Option<usize> {
        if slot == self.cells { Some(slot) } else { slot.checked_sub(self.width) }
    }

    /// The state as it is kept after a step: moved on by a row after the last, and the lesser of the two mirror images.
    fn kept(&self, step: usize, state: State<WORDS>) -> State<WORDS> {
        let packing = self.course.packing();
        let is_last = step + 1 == self.width;
        let state = if is_last { packing.moved(&state, |slot| self.nearer(slot)) } else { state };
        if !self.is_even[step] {
            return state;
        }
        // By degrees first, so that the degrees of the chosen image are the chosen image of degrees.
        let image = packing.moved(&state, |slot| Some(self.mirror[slot]));
        let rank = |state: &State<WORDS>| (self.course.pattern(state), *state);
        if rank(&state) <= rank(&image) { state } else { image }
    }

    /// The same for degrees alone.
    fn kept_degrees(&self, step: usize, pattern: &State<WORDS>) -> State<WORDS> {
        // A pattern has no mates, but its values 1 and 2 would be read as such: move by hand.
        let packing = self.course.packing();
        let is_last = step + 1 == self.width;
        let (mut kept, mut image) = ([0; WORDS], [0; WORDS]);
        for slot in 0..packing.slots() {
            let Some(there) = (if is_last { self.nearer(slot) } else { Some(slot) }) else {
                continue;
            };
            let value = packing.get(pattern, slot);
            packing.set(&mut kept, there, value);
            packing.set(&mut image, self.mirror[there], value);
        }
        if self.is_even[step] { kept.min(image) } else { kept }
    }
}

/// An edge found while collecting: source, choice or closing, target.
type Found = (u32, u8, u32);

/// The states before a square, numbered as they come; several rolls, so that threads can number side by side.
struct Rolls {
    shards: Vec<Roll<WORDS>>,
    /// How many states of each roll have been taken a step further.
    done: Vec<usize>,
}

/// How many rolls there are for a square.
const SHARDS: usize = 16;

/// Which roll a state is in; the empty state is in the first.
fn shard(state: &State<WORDS>) -> usize {
    ((hash(state) ^ hash(&[0; WORDS])) >> 60) as usize
}

impl Rolls {
    fn new() -> Rolls {
        let shards = (0..SHARDS).map(|_| Roll::new(64)).collect();
        Rolls { shards, done: vec![0; SHARDS] }
    }

    /// The states that have not been taken on yet, with their numbers.
    fn fresh(&mut self) -> Vec<(u32, State<WORDS>)> {
        let mut fresh = Vec::new();
        for (own, (roll, done)) in self.shards.iter().zip(&mut self.done).enumerate() {
            fresh.extend((*done..roll.len()).map(|at| (numbered(at, own), roll.state(at))));
            *done = roll.len();
        }
        fresh
    }

    fn len(&self) -> usize {
        self.shards.iter().map(Roll::len).sum()
    }

    /// Numbers are below this.
    fn size(&self) -> usize {
        self.shards.iter().map(Roll::len).max().unwrap_or(0) * SHARDS
    }
}

fn numbered(at: usize, shard: usize) -> u32 {
    u32::try_from(at * SHARDS + shard).expect("fewer than 2^32 states")
}

/// What some states lead to: for each roll the states and where they come from, and the closings.
struct Led {
    next: Vec<Vec<(u32, State<WORDS>)>>,
    closings: Vec<(u32, u8)>,
}

/// The states that a thread takes at a time.
const CHUNK: usize = 1 << 11;

impl Automaton {
    /// Builds the machine for a width and a leaper, with an apex for open tours.
    ///
    /// # Errors
    /// When the watch halts, or the memory is too little.
    pub(crate) fn new(
        width: usize,
        leaper: Leaper,
        open: bool,
        watch: &Watch,
    ) -> Result<Automaton, Halt> {
        let strip = Strip::new(width, leaper, open);
        let masks = useful_degrees(&strip, open, &mut watch.ticker())?;
        // All states, and the edges between them.
        let mut rolls: Vec<Rolls> = (0..width).map(|_| Rolls::new()).collect();
        let mut edges: Vec<Vec<(u32, u32)>> = vec![Vec::new(); width];
        let mut closings: Vec<Vec<(u32, u8)>> = vec![Vec::new(); width];
        rolls[0].shards[0].number(&[0; WORDS]);
        loop {
            let mut is_idle = true;
            for column in 0..width {
                let fresh = rolls[column].fresh();
                is_idle &= fresh.is_empty();
                let led: Vec<Led> = threads::try_map(fresh.chunks(CHUNK), |fresh| {
                    led_on(&strip, &masks, column, fresh, watch)
                })?;
                let known = &mut rolls[(column + 1) % width].shards;
                let found = threads::map(known.iter_mut().enumerate(), |(own, roll)| {
                    let next = led.iter().flat_map(|led| &led.next[own]);
                    let edge = |(from, state): &(u32, State<WORDS>)| {
                        (*from, numbered(roll.number(state) as usize, own))
                    };
                    next.map(edge).collect::<Vec<(u32, u32)>>()
                });
                edges[column].extend(found.into_iter().flatten());
                let states: usize = rolls.iter().map(Rolls::len).sum();
                let edges: usize = edges.iter().map(Vec::len).sum();
                // A state in its roll and in later lists; an edge, the list it grows out of, and its copies.
                let bytes = (states * (8 * WORDS + 24) + edges * 40) as u64;
                if bytes > watch.room() {
                    return Err(Halt::Memory);
                }
                closings[column].extend(led.into_iter().flat_map(|led| led.closings));
            }
            if is_idle {
                break;
            }
        }
        let sizes: Vec<usize> = rolls.iter().map(Rolls::size).collect();
        Ok(trimmed(&sizes, &edges, &closings))
    }
}

/// Settles a square in every way for some states.
fn led_on(
    strip: &Strip,
    masks: &Masks,
    column: usize,
    states: &[(u32, State<WORDS>)],
    watch: &Watch,
) -> Result<Led, Halt> {
    let stepper = strip.course.step::<WORDS>(column);
    let mut led = Led { next: vec![Vec::new(); SHARDS], closings: Vec::new() };
    let mut ticker = watch.ticker();
    for &(number, state) in states {
        ticker.tick()?;
        let allowed = masks.allowed(column, &strip.course.pattern(&state));
        stepper.each(&state, allowed, |_, next| match next {
            Next::Closed(_, rows) => led.closings.push((number, rows)),
            Next::To(next) => {
                let next = strip.kept(column, next);
                led.next[shard(&next)].push((number, next));
            }
        });
    }
    Ok(led)
}

/// The leaper's legs: how far along, and how deep.
pub(crate) fn depth(leaper: Leaper) -> (usize, usize) {
    let (a, b) = leaper.legs();
    (a.min(b) as usize, a.max(b) as usize)
}

struct Masks {
    rolls: Vec<Roll<WORDS>>,
    masks: Vec<Vec<u64>>,
}

impl Masks {
    fn allowed(&self, column: usize, pattern: &State<WORDS>) -> u64 {
        self.rolls[column].known(pattern).map_or(0, |index| self.masks[column][index as usize])
    }
}

/// For each pattern of degrees the choices after which the strip can still end.
fn useful_degrees(strip: &Strip, open: bool, ticker: &mut Ticker<'_>) -> Result<Masks, Halt> {
    let width = strip.width;
    let steps: Vec<DegreeStep<'_>> =
        (0..width).map(|column| DegreeStep::new(&strip.course, column)).collect();
    let mut rolls: Vec<Roll<WORDS>> = (0..width).map(|_| Roll::new(64)).collect();
    let mut edges: Vec<Vec<Found>> = vec![Vec::new(); width];
    let mut done = vec![0; width];
    rolls[0].number(&[0; WORDS]);
    while done[0] < rolls[0].len() {
        for column in 0..width {
            let next_column = (column + 1) % width;
            while done[column] < rolls[column].len() {
                ticker.tick()?;
                let index = u32::try_from(done[column]).expect("fewer than 2^32 patterns");
                let pattern = rolls[column].state(done[column]);
                done[column] += 1;
                steps[column].forwards(&pattern, |number, next| {
                    let number = u8::try_from(number.min(63)).expect("below 64");
                    let to = rolls[next_column].number(&strip.kept_degrees(column, next));
                    edges[column].push((index, number, to));
                });
            }
        }
    }
    // Backwards from the pattern in which a board may end.
    let mut last = [0; WORDS];
    if open {
        strip.course.packing().set(&mut last, strip.cells, 2);
    }
    let mut useful: Vec<Vec<bool>> = rolls.iter().map(|r| vec![false; r.len()]).collect();
    if let Some(end) = rolls[0].known(&last) {
        useful[0][end as usize] = true;
    }
    spread_back(
        &mut useful,
        &edges.iter().map(|e| e.iter().map(|&(a, _, b)| (a, b)).collect()).collect::<Vec<Vec<_>>>(),
    );
    let mut masks: Vec<Vec<u64>> = rolls.iter().map(|roll| vec![0; roll.len()]).collect();
    for (column, edges) in edges.iter().enumerate() {
        for &(from, number, to) in edges {
            if useful[(column + 1) % width][to as usize] {
                masks[column][from as usize] |= bit(usize::from(number));
            }
        }
    }
    Ok(Masks { rolls, masks })
}

/// Marks every state with a way to a marked one.
fn spread_back(useful: &mut [Vec<bool>], edges: &[Vec<(u32, u32)>]) {
    let width = useful.len();
    // The sources of each state, in one array a column.
    let sources: Vec<(Vec<u32>, Vec<u32>)> = threads::map(0..width, |column| {
        let mut first = vec![0_u32; useful[(column + 1) % width].len() + 1];
        edges[column].iter().for_each(|&(_, to)| first[to as usize + 1] += 1);
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut place = first.clone();
        let mut from = vec![0; edges[column].len()];
        for &(source, to) in &edges[column] {
            from[place[to as usize] as usize] = source;
            place[to as usize] += 1;
        }
        (first, from)
    });
    let mut marked: Vec<(usize, u32)> = Vec::new();
    for (column, useful) in useful.iter().enumerate() {
        let states = (0..).zip(useful).filter(|&(_, &useful)| useful);
        marked.extend(states.map(|(state, _)| (column, state)));
    }
    while let Some((column, state)) = marked.pop() {
        let before = (column + width - 1) % width;
        let (first, from) = &sources[before];
        let range = first[state as usize] as usize..first[state as usize + 1] as usize;
        for &source in &from[range] {
            if !std::mem::replace(&mut useful[before][source as usize], true) {
                marked.push((before, source));
            }
        }
    }
}

/// Keeps the states that lead to a closing, and turns the edges round.
fn trimmed(sizes: &[usize], edges: &[Vec<(u32, u32)>], closings: &[Vec<(u32, u8)>]) -> Automaton {
    let width = sizes.len();
    let mut useful: Vec<Vec<bool>> = sizes.iter().map(|&size| vec![false; size]).collect();
    for (useful, closings) in useful.iter_mut().zip(closings) {
        for &(state, _) in closings {
            useful[state as usize] = true;
        }
    }
    useful[0][0] = true; // the empty state, where every board begins
    spread_back(&mut useful, edges);
    let renumbered: Vec<Vec<u32>> = useful
        .iter()
        .map(|useful| {
            let mut next = 0;
            let number = |&keep: &bool| {
                let own = next;
                next += u32::from(keep);
                own
            };
            useful.iter().map(number).collect()
        })
        .collect();
    let kept = |column: usize| useful[column].iter().filter(|&&keep| keep).count();
    let columns = threads::map(0..width, |column| {
        let next = (column + 1) % width;
        let keep = |&&(a, b): &&(u32, u32)| useful[column][a as usize] && useful[next][b as usize];
        let mut first = vec![0_u32; kept(next) + 1];
        for &(_, to) in edges[column].iter().filter(keep) {
            first[renumbered[next][to as usize] as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut place = first.clone();
        let mut from = vec![0; first[first.len() - 1] as usize];
        for &(source, to) in edges[column].iter().filter(keep) {
            let place = &mut place[renumbered[next][to as usize] as usize];
            from[*place as usize] = renumbered[column][source as usize];
            *place += 1;
        }
        let closing = |&(state, rows): &(u32, u8)| (renumbered[column][state as usize], rows);
        let closings = closings[column].iter().map(closing).collect();
        Column { states: kept(column), first, from, closings }
    });
    Automaton { columns }
}
