//! Which degrees the frontier may have, so that the rest of the graph can still be given two edges
//! at every vertex.
//!
//! Forget the paths of a state and keep its degrees: few patterns remain. They are swept forwards
//! from the start and backwards from the end until the two meet; what lies on both sides is useful,
//! and for each useful pattern we keep which choices lead to a useful one. States whose pattern is
//! not useful are never made: on 6×6 this leaves one state in thirty.
//!
//! Invariant: a choice is refused only if no set of edges completes all degrees to two.
//! Cost: 17 million useful patterns for 8×8 closed, of some 10⁸ states.
//! Source: `docs/frontier.md`.

use super::super::frontier::fits;
use super::course::{Course, bit};
use super::deal::{Entry, Index, deal};
use super::state::{Place, State, hash, read, write};
use crate::outcome::Stop;
use crate::run::threads;
use crate::run::watch::Watch;

/// The choices that may be taken from each useful pattern, layer by layer.
#[derive(Debug)]
pub(crate) struct Degrees<const W: usize> {
    layers: Vec<Index<W, u64>>,
}

type Patterns<const W: usize> = Vec<Vec<Entry<W, ()>>>;

fn size<const W: usize>(patterns: &Patterns<W>) -> usize {
    patterns.iter().map(Vec::len).sum()
}

impl<const W: usize> Degrees<W> {
    /// Sweeps the patterns of a course.
    pub(crate) fn of(course: &Course, watch: &Watch) -> Result<Degrees<W>, Stop> {
        // A pattern takes its words, a mask or a place in a table; a step some three new ones of each.
        let entry = 8 * W as u64 + 16;
        let mut held = 0;
        let n = course.len();
        let root = || vec![vec![([0; W], ())]];
        let (mut ahead, mut behind): (Vec<Patterns<W>>, Vec<Patterns<W>>) =
            (vec![root()], vec![root()]);
        let (mut first, mut last) = (1, 1);
        while ahead.len() + behind.len() < n + 2 {
            fits(entry * (held + 8 * first.min(last) as u64), watch)?;
            if first <= last {
                let at = ahead.len() - 1;
                let next = spread(&ahead[at], &DegreeStep::new(course, at), true, watch)?;
                first = size(&next);
                held += first as u64;
                ahead.push(next);
            } else {
                let at = n - behind.len();
                let next =
                    spread(&behind[behind.len() - 1], &DegreeStep::new(course, at), false, watch)?;
                last = size(&next);
                held += last as u64;
                behind.push(next);
            }
        }
        // `ahead` holds the layers 0..=m, `behind` the layers n down to m.
        let m = ahead.len() - 1;
        let met = Index::new(behind.pop().expect("the layer where they meet"));
        let mut useful = ahead.pop().expect("the layer where they meet");
        for part in &mut useful {
            part.retain(|(pattern, ())| met.get(pattern).is_some());
        }
        let mut layers = Vec::with_capacity(n);
        let mut target = Index::new(useful.clone());
        for (at, patterns) in ahead.into_iter().enumerate().rev() {
            let layer = masked(&DegreeStep::new(course, at), patterns, &target, watch)?;
            target = Index::new(layer.iter().map(|part| bare(part)).collect());
            layers.push(Index::new(layer));
        }
        layers.reverse();
        for at in m..n {
            let step = DegreeStep::new(course, at);
            let next = Index::new(behind.pop().expect("a layer for each step"));
            let layer = masked(&step, useful, &next, watch)?;
            useful = spread(&layer, &step, true, watch)?;
            for part in &mut useful {
                part.retain(|(pattern, ())| next.get(pattern).is_some());
            }
            layers.push(Index::new(layer));
        }
        Ok(Degrees { layers })
    }

    /// The choices that may be taken at a step from a pattern.
    #[inline]
    pub(crate) fn allowed(&self, at: usize, pattern: &State<W>) -> u64 {
        self.layers[at].get(pattern).unwrap_or(0)
    }

    /// The bytes that are held.
    pub(crate) fn bytes(&self) -> u64 {
        self.layers.iter().map(Index::bytes).sum()
    }

    /// How many useful patterns a layer has.
    pub(crate) fn width(&self, at: usize) -> usize {
        self.layers[at].len()
    }
}

fn bare<const W: usize>(part: &[Entry<W, u64>]) -> Vec<Entry<W, ()>> {
    part.iter().map(|&(pattern, _)| (pattern, ())).collect()
}

/// A step of the sweep as far as degrees go.
pub(crate) struct DegreeStep<'c> {
    here: Place,
    links: Vec<Place>,
    newcomers: &'c [Place],
    mask: u64,
}

impl DegreeStep<'_> {
    pub(crate) fn new(course: &Course, at: usize) -> DegreeStep<'_> {
        let (here, links, newcomers) = course.places(at);
        DegreeStep { here, links, newcomers, mask: course.mask() }
    }

    /// The patterns after the step, each with the number of its choice.
    #[inline]
    pub(crate) fn forwards<const W: usize>(
        &self,
        pattern: &State<W>,
        mut visit: impl FnMut(usize, &State<W>),
    ) {
        let mut rest = *pattern;
        let degree = read(pattern, self.here, self.mask);
        write(&mut rest, self.here, self.mask, 0);
        match degree {
            2 => visit(0, &rest),
            1 => {
                for (number, &link) in self.links.iter().enumerate() {
                    if let Some(next) = self.raised(&rest, link) {
                        visit(number, &next);
                    }
                }
            }
            _ => {
                let mut number = 0;
                for (i, &link) in self.links.iter().enumerate() {
                    let first = number;
                    number += self.links.len() - 1 - i;
                    let Some(begun) = self.raised(&rest, link) else { continue };
                    for (j, &other) in self.links[i + 1..].iter().enumerate() {
                        if let Some(next) = self.raised(&begun, other) {
                            visit(first + j, &next);
                        }
                    }
                }
            }
        }
    }

    /// The patterns from which the step can lead to this one.
    fn backwards<const W: usize>(&self, pattern: &State<W>, mut visit: impl FnMut(&State<W>)) {
        let mut offer = |mut before: State<W>, degree: u64| {
            write(&mut before, self.here, self.mask, degree);
            if self.newcomers.iter().all(|&place| read(&before, place, self.mask) == 0) {
                visit(&before);
            }
        };
        offer(*pattern, 2);
        for (i, &link) in self.links.iter().enumerate() {
            let Some(one) = self.lowered(pattern, link) else { continue };
            offer(one, 1);
            for &other in &self.links[i + 1..] {
                if let Some(two) = self.lowered(&one, other) {
                    offer(two, 0);
                }
            }
        }
    }

    #[inline]
    fn raised<const W: usize>(&self, pattern: &State<W>, at: Place) -> Option<State<W>> {
        let degree = read(pattern, at, self.mask);
        let mut next = *pattern;
        write(&mut next, at, self.mask, degree + 1);
        (degree < 2).then_some(next)
    }

    fn lowered<const W: usize>(&self, pattern: &State<W>, at: Place) -> Option<State<W>> {
        let degree = read(pattern, at, self.mask).checked_sub(1)?;
        let mut next = *pattern;
        write(&mut next, at, self.mask, degree);
        Some(next)
    }
}

/// All patterns one step on, or one step back.
fn spread<const W: usize, V: Sync>(
    patterns: &[Vec<Entry<W, V>>],
    step: &DegreeStep<'_>,
    on: bool,
    watch: &Watch,
) -> Result<Patterns<W>, Stop> {
    let expected = 2 * patterns.iter().map(Vec::len).sum::<usize>();
    let (patterns, _) = deal(patterns, expected, &|share, dealt| {
        let mut ticker = watch.ticker();
        for (pattern, _) in share.iter().flatten() {
            ticker.tick()?;
            if on {
                step.forwards(pattern, |_, next| dealt.push(hash(next), *next, ()));
            } else {
                step.backwards(pattern, |next| dealt.push(hash(next), *next, ()));
            }
        }
        Ok(())
    })?;
    Ok(patterns)
}

/// The patterns with a choice that leads into the target, and those choices.
fn masked<const W: usize>(
    step: &DegreeStep<'_>,
    patterns: Patterns<W>,
    target: &Index<W, ()>,
    watch: &Watch,
) -> Result<Vec<Vec<Entry<W, u64>>>, Stop> {
    let part = |part: Vec<Entry<W, ()>>| {
        let mut ticker = watch.ticker();
        let mut kept = Vec::new();
        for (pattern, ()) in part {
            ticker.tick()?;
            let mut mask = 0;
            step.forwards(&pattern, |number, next| {
                if target.get(next).is_some() {
                    mask |= bit(number);
                }
            });
            if mask != 0 {
                kept.push((pattern, mask));
            }
        }
        Ok(kept)
    };
    threads::try_map(patterns, part)
}
