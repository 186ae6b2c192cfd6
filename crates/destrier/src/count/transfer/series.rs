//! Numbers of tours of a strip for every length, exact or modulo a prime.
//!
//! The machine is run a row at a time; where tours close, their number is added to the length at which
//! the board then ends. Exact numbers are kept as rows of words that grow when a carry falls off the
//! end, so none is ever lost.
//!
//! Invariant: after `k` rows the vector holds the ways to fill exactly those rows.
//! Cost: one addition for each transition, row and word; 40 rows of width 5 take a tenth of a second.
//! Source: transfer matrices; lazy reduction as in NTL.

use num_bigint::BigUint;

use super::automaton::{Automaton, Column};
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// The counts of 1, 2, … rows, as far as asked, exactly.
///
/// If the watch halts, the terms that are certain by then, and why.
pub(crate) fn exact(
    machine: &Automaton,
    rows: usize,
    watch: &Watch,
) -> (Vec<BigUint>, Option<Halt>) {
    let mut totals = vec![BigUint::ZERO; rows + 1];
    let mut words = 1;
    let mut now = vec![0_u64; machine.columns[0].states];
    now[0] = 1;
    for row in 0..rows {
        for column in &machine.columns {
            if let Some(why) = watch.halted() {
                totals.truncate(row + 1);
                totals.remove(0);
                return (totals, Some(why));
            }
            for &(state, later) in &column.closings {
                let length = row + 1 + usize::from(later);
                if length <= rows {
                    let at = state as usize * words;
                    totals[length] += BigUint::from_slice(&halves(&now[at..at + words]));
                }
            }
            now = loop {
                if let Some(next) = apply(column, &now, words) {
                    break next;
                }
                now = now.chunks(words).flat_map(|w| w.iter().copied().chain([0])).collect();
                words += 1;
            };
        }
        #[expect(clippy::cast_precision_loss, reason = "a fraction for a progress bar")]
        watch.tell(|progress| progress.fraction = Some((row + 1) as f64 / rows as f64));
    }
    totals.remove(0);
    (totals, None)
}

fn halves(words: &[u64]) -> Vec<u32> {
    words.iter().flat_map(|&word| [(word & 0xffff_ffff) as u32, (word >> 32) as u32]).collect()
}

/// Sums up the sources of each next state; nothing when a carry falls off the end.
fn apply(column: &Column, now: &[u64], words: usize) -> Option<Vec<u64>> {
    match words {
        1 => apply_fixed::<1>(column, now),
        2 => apply_fixed::<2>(column, now),
        3 => apply_fixed::<3>(column, now),
        4 => apply_fixed::<4>(column, now),
        _ => apply_any(column, now, words),
    }
}

/// The states that a thread takes at a time.
const SHARE: usize = 1 << 12;

/// The same for numbers of a few words, whose additions need no loop.
fn apply_fixed<const L: usize>(column: &Column, now: &[u64]) -> Option<Vec<u64>> {
    let states = column.first.len() - 1;
    let (now, _) = now.as_chunks::<L>();
    let mut next = vec![0_u64; states * L];
    let (sums, _) = next.as_chunks_mut::<L>();
    let share = |(at, sums): (usize, &mut [[u64; L]])| -> bool {
        let mut overflow = false;
        for (state, sum) in (at * SHARE..).zip(sums) {
            let sources = column.first[state] as usize..column.first[state + 1] as usize;
            let mut total = [0_u64; L];
            for &source in &column.from[sources] {
                let mut carry = false;
                for (total, word) in total.iter_mut().zip(now[source as usize]) {
                    let (half, first) = total.overflowing_add(word);
                    let (whole, second) = half.overflowing_add(u64::from(carry));
                    *total = whole;
                    carry = first | second;
                }
                overflow |= carry;
            }
            *sum = total;
        }
        overflow
    };
    let overflow = if states < 2 * SHARE {
        sums.chunks_mut(SHARE).enumerate().fold(false, |over, chunk| over | share(chunk))
    } else {
        threads::map(sums.chunks_mut(SHARE).enumerate(), share).contains(&true)
    };
    (!overflow).then_some(next)
}

/// The same for numbers of any length.
fn apply_any(column: &Column, now: &[u64], words: usize) -> Option<Vec<u64>> {
    let states = column.first.len() - 1;
    let mut next = vec![0_u64; states * words];
    let one = |(state, sum): (usize, &mut [u64])| -> bool {
        let mut overflow = false;
        for &source in &column.from[column.first[state] as usize..column.first[state + 1] as usize]
        {
            let at = source as usize * words;
            let mut carry = false;
            for (sum, &word) in sum.iter_mut().zip(&now[at..at + words]) {
                let (half, first) = sum.overflowing_add(word);
                let (whole, second) = half.overflowing_add(u64::from(carry));
                *sum = whole;
                carry = first || second;
            }
            overflow |= carry;
        }
        overflow
    };
    let overflow = if states * words < 1 << 14 {
        next.chunks_mut(words).enumerate().fold(false, |over, chunk| over | one(chunk))
    } else {
        let many = |(at, sums): (usize, &mut [u64])| {
            let sums = sums.chunks_mut(words).enumerate();
            sums.fold(false, |over, (i, sum)| over | one((at * SHARE + i, sum)))
        };
        threads::map(next.chunks_mut(SHARE * words).enumerate(), many).contains(&true)
    };
    (!overflow).then_some(next)
}

/// The counts of 1, 2, … rows modulo a prime below 2^61.
///
/// # Errors
/// When the watch halts.
pub(crate) fn modular(
    machine: &Automaton,
    rows: usize,
    prime: u64,
    watch: &Watch,
) -> Result<Vec<u64>, Halt> {
    let mut totals = vec![0_u64; rows + 1];
    let mut now = vec![0_u64; machine.columns[0].states];
    now[0] = 1;
    for row in 0..rows {
        if let Some(why) = watch.halted() {
            return Err(why);
        }
        for column in &machine.columns {
            for &(state, later) in &column.closings {
                let length = row + 1 + usize::from(later);
                if length <= rows {
                    totals[length] = (totals[length] + now[state as usize]) % prime;
                }
            }
            let states = column.first.len() - 1;
            let one = |state: usize| {
                let sources = column.first[state] as usize..column.first[state + 1] as usize;
                let sum: u128 =
                    column.from[sources].iter().map(|&s| u128::from(now[s as usize])).sum();
                u64::try_from(sum % u128::from(prime)).expect("below the prime")
            };
            now = if states < 1 << 13 {
                (0..states).map(one).collect()
            } else {
                let starts = (0..states).step_by(SHARE);
                let many = |from| (from..states.min(from + SHARE)).map(one).collect::<Vec<u64>>();
                threads::map(starts, many).concat()
            };
        }
    }
    totals.remove(0);
    Ok(totals)
}
