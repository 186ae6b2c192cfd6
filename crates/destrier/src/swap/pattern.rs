//! Patterns: the moves that a few single knights need, with only each other in the way.
//!
//! Colours of one knight are put into groups. A table has, for each group, the fewest moves of its knights
//! from every placement of theirs to their targets on a board without the others. A jump is a move of
//! one knight, so the values of all groups add up to a lower bound. It is never below the sum of the
//! distances, and sees knights that must pass through one square: two that exchange places in columns of
//! 3x6 need 6 moves at the edge, not 4. Knights that hinder each other go into one group.
//!
//! Invariant: a jump changes the value of one group, by at most one.
//! Cost: a byte for each placement of a group, at most [`MOST`]; one look-up per child.
//! Source: Culberson and Schaeffer 1998; additive pattern databases (Korf and Felner 2002).

use std::sync::Arc;

use super::bound::INFINITE;
use super::instance::Instance;
use super::key::{Key, Layout};

/// The most placements of a group.
const MOST: usize = 1 << 18;
/// In a table: cannot be reached.
const NEVER: u8 = u8::MAX;

/// The tables of all groups.
#[derive(Debug)]
pub(super) struct Patterns {
    /// The first code of each group, and its table: by the number of a placement, the moves that it needs.
    groups: Vec<(u8, Vec<u8>)>,
    /// By code: its group, and what its vertex is multiplied by in the group's number; 0 for a code
    /// without a group.
    digits: Vec<(u8, u32)>,
}

impl Patterns {
    /// Tables for the single knights of an instance, of at most [`MOST`] placements each; `None` where they
    /// would only see distances.
    pub(super) fn of(instance: &Instance) -> Option<Arc<Self>> {
        Self::within(instance, MOST).map(Arc::new)
    }

    fn within(instance: &Instance, most: usize) -> Option<Self> {
        if instance.runs || instance.white_begins.is_some() {
            return None;
        }
        let target = |code: u8| instance.goal.iter().position(|&want| want == code);
        let single = (1u8..).take(instance.colours).filter(|&code| instance.count(code) == 1);
        let knights: Vec<Knight> =
            single.filter_map(|code| Some(Knight { code, target: target(code)? })).collect();
        let groups = grouped(instance, &knights, most);
        if groups.iter().all(|group| group.len() == 1) {
            return None;
        }
        let mut digits = vec![(0, 0); instance.colours + 1];
        for (number, group) in (0u8..).zip(&groups) {
            let mut weight = 1;
            for knight in group.iter().rev() {
                digits[usize::from(knight.code)] = (number, weight);
                weight *= as_u32(instance.len());
            }
        }
        let tables = groups.iter().map(|group| (group[0].code, table(instance, group))).collect();
        Some(Self { groups: tables, digits })
    }

    /// Is this colour in a group?
    #[inline]
    pub(super) fn has(&self, code: u8) -> bool {
        self.digits[usize::from(code)].1 != 0
    }

    /// The number of each group's placement, and under each group's first code what it needs.
    #[inline]
    pub(super) fn look_up<K: Key>(
        &self,
        layout: &Layout<K>,
        key: K,
        numbers: &mut Vec<u32>,
        values: &mut [u16],
    ) {
        numbers.clear();
        numbers.resize(self.groups.len(), 0);
        for (&at, v) in layout.at.iter().zip(0u32..) {
            let (group, weight) = self.digits[usize::from(key.code(at, layout.mask))];
            numbers[usize::from(group)] += weight * v;
        }
        for (&number, (first, table)) in numbers.iter().zip(&self.groups) {
            let value = table[number as usize];
            values[usize::from(*first)] = if value == NEVER { INFINITE } else { u16::from(value) };
        }
    }

    /// What a jump changes, from a position with these numbers.
    #[inline]
    pub(super) fn change(&self, numbers: &[u32], code: u8, from: u8, to: u8) -> i32 {
        let (group, weight) = self.digits[usize::from(code)];
        let (number, table) = (numbers[usize::from(group)], &self.groups[usize::from(group)].1);
        let there = number + weight * u32::from(to) - weight * u32::from(from);
        i32::from(table[there as usize]) - i32::from(table[number as usize])
    }
}

/// A knight that has its colour to itself.
#[derive(Clone, Copy, Debug)]
struct Knight {
    code: u8,
    target: usize,
}

/// The moves that each placement of a group needs, by its number: the vertices as digits, the first highest.
fn table(instance: &Instance, group: &[Knight]) -> Vec<u8> {
    let n = instance.len();
    let mut table = vec![NEVER; n.pow(as_u32(group.len()))];
    let goal = group.iter().fold(0, |number, knight| number * n + knight.target);
    table[goal] = 0;
    let (mut layer, mut made) = (vec![goal], 0);
    let mut vertices = vec![0; group.len()];
    while !layer.is_empty() {
        // What needs more than a byte can say is cut short, and stays a lower bound.
        made = (made + 1).min(NEVER - 1);
        let mut next = Vec::new();
        for &number in &layer {
            let mut rest = number;
            for vertex in vertices.iter_mut().rev() {
                (*vertex, rest) = (rest % n, rest / n);
            }
            let mut weight = 1;
            for &from in vertices.iter().rev() {
                for &to in &instance.neighbours[from] {
                    let to = usize::from(to);
                    let there = number + to * weight - from * weight;
                    if table[there] == NEVER && !vertices.contains(&to) {
                        table[there] = made;
                        next.push(there);
                    }
                }
                weight *= n;
            }
        }
        layer = next;
    }
    table
}

/// Groups of knights that hinder each other, as large as a table allows: the two groups that hinder each
/// other most are joined, again and again.
fn grouped(instance: &Instance, knights: &[Knight], most: usize) -> Vec<Vec<Knight>> {
    let fits = |size: usize| instance.len().checked_pow(as_u32(size)).is_some_and(|n| n <= most);
    let mut hinder = vec![vec![0; instance.colours + 1]; instance.colours + 1];
    for (j, one) in knights.iter().enumerate() {
        for other in &knights[..j] {
            let excess = excess(instance, *one, *other);
            hinder[usize::from(one.code)][usize::from(other.code)] = excess;
            hinder[usize::from(other.code)][usize::from(one.code)] = excess;
        }
    }
    let between = |one: &[Knight], other: &[Knight]| -> u64 {
        let with_other = |a: &Knight| {
            let row = &hinder[usize::from(a.code)];
            other.iter().map(|b| row[usize::from(b.code)]).sum::<u64>()
        };
        one.iter().map(with_other).sum()
    };
    let mut groups: Vec<Vec<Knight>> = knights.iter().map(|&knight| vec![knight]).collect();
    loop {
        let pairs = (0..groups.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let fitting = pairs.filter(|&(i, j)| fits(groups[i].len() + groups[j].len()));
        let Some((i, j)) = fitting.max_by_key(|&(i, j)| between(&groups[i], &groups[j])) else {
            return groups;
        };
        let joined = groups.swap_remove(j);
        groups[i].extend(joined);
    }
}

fn as_u32(x: usize) -> u32 {
    u32::try_from(x).expect("a small number")
}

/// By how much two knights hinder each other: what they need together beyond their distances, over
/// all placements, with that of the start counted most.
fn excess(instance: &Instance, one: Knight, other: Knight) -> u64 {
    let n = instance.len();
    let together = table(instance, &[one, other]);
    let (first, second) = (table(instance, &[one]), table(instance, &[other]));
    let more = |(number, &moves): (usize, &u8)| {
        let alone = first[number / n].saturating_add(second[number % n]);
        if moves == NEVER { 0 } else { u64::from(moves.saturating_sub(alone)) }
    };
    let at = |code: u8| instance.start.iter().position(|&here| here == code).unwrap_or(0);
    let start = at(one.code) * n + at(other.code);
    let all: u64 = together.iter().enumerate().map(more).sum();
    all + more((start, &together[start])) * (n * n) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swap::encoding::Encoding;
    use crate::swap::moves::{Direction, MoveGenerator, Tables};
    use destrier_rules::SwapProblem;

    #[test]
    fn groups_never_promise_too_much_and_see_more_than_distances() {
        for (from, to, placements) in [
            ("AB1C/4/D3", "D2C/4/B1A1", 11_880),
            ("AB#/1C#/2D/E1#", "BA#/1D#/2C/E1#", 7 * 6 * 5 * 4 * 3),
            ("AxB/1x1/C1D", "C1A/xBx/1D1", 9 * 8 * 7 * 6 * 10),
        ] {
            let problem =
                SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
            let encoding = Encoding::new(&problem, "test").unwrap();
            let instance = &encoding.instance;
            let truth = instance.all_distances();
            assert!(truth.len() <= placements, "{from}");
            let n = instance.len();
            for most in [n * n, n * n * n, MOST] {
                let Some(patterns) = Patterns::within(instance, most) else { continue };
                let plain = MoveGenerator::<u64>::new(instance, 1 << 20).unwrap();
                let mut strong = plain
                    .clone()
                    .with_tables(Tables { patterns: Some(Arc::new(patterns)), conflicts: None });
                let mut plain = plain;
                let mut gained = 0;
                let mut children = Vec::new();
                for (codes, &distance) in &truth {
                    let key = plain.layout.pack(codes);
                    let (weak, value) = (plain.value(key), strong.value(key));
                    assert!(weak <= value && value <= distance, "{from}: {value} of {distance}");
                    gained += u32::from(value > weak);
                    strong.expand(key, Direction::Forward, &mut children);
                    for child in &children {
                        assert!(child.value.abs_diff(value) <= 1);
                        assert_eq!(child.value, strong.value(child.key));
                    }
                }
                assert!(gained > 0, "{from}: nothing gained by groups of {most}");
            }
        }
    }
}
