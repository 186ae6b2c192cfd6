//! Generators of several threads with one table of rows.
//!
//! A row of the bound costs a matching, and most sets of squares occur in positions of several threads. So the rows
//! that a batch of positions needs are made before the threads expand it: each missing row once, by one of them.
//! Then the table of the first generator is everybody's, and does not change, until the batch is done.
//!
//! Invariant: only the first generator has rows between batches; within one, no row is missing.
//! Cost: one look-up more for each position and colour.

use super::key::Key;
use super::moves::MoveGenerator;
use super::table::Set;
use crate::run::threads;
use crate::run::watch::{Halt, Watch};

/// Positions that are looked at together.
const CHUNK: usize = 1 << 12;
/// Rows between two looks at the watch.
const STRIDE: usize = 1 << 8;

/// So many generators that can share a table: this one and its helpers.
pub(super) fn generators<K: Key>(first: MoveGenerator<K>, threads: usize) -> Vec<MoveGenerator<K>> {
    let mut helper = first.clone();
    helper.bound.give_back();
    let mut generators = vec![first];
    generators.resize(threads.max(1), helper);
    generators
}

/// Does some work on these positions, for which all generators have the rows.
pub(super) fn sharing<K: Key, R>(
    generators: &mut [MoveGenerator<K>],
    keys: &[K],
    watch: &Watch,
    work: impl FnOnce(&mut [MoveGenerator<K>]) -> R,
) -> Result<R, Halt> {
    make_rows(generators, keys, watch)?;
    if let [first, helpers @ ..] = &mut *generators {
        first.bound.set_shared(true);
        for helper in helpers {
            helper.bound.share(&first.bound);
        }
    }
    let done = work(generators);
    if let [first, helpers @ ..] = generators {
        first.bound.set_shared(false);
        for helper in helpers {
            helper.bound.give_back();
        }
    }
    Ok(done)
}

/// Puts the rows that these positions need into the first generator's table.
fn make_rows<K: Key>(
    generators: &mut [MoveGenerator<K>],
    keys: &[K],
    watch: &Watch,
) -> Result<(), Halt> {
    let parts = generators.len();
    generators[0].bound.evict();
    let first = &generators[0];
    let colours = first.matched();
    if colours.is_empty() {
        return Ok(());
    }
    // For each part, which one thread makes: colours and the squares of their knights.
    let missing = |keys: &[K]| {
        let mut missing = vec![Vec::new(); parts];
        for &key in keys {
            for &code in &colours {
                let (c, squares) = (usize::from(code) - 1, first.layout.holding(key, code));
                if first.bound.is_missing(c, squares) {
                    missing[part(squares.mix(), parts)].push((c, squares));
                }
            }
        }
        missing
    };
    let missing = watch.on_threads(|| threads::map(keys.chunks(CHUNK), missing));
    let make = |(part, generator): (usize, &mut MoveGenerator<K>)| {
        let mut seen = vec![Set::<K>::new(); generator.instance.colours];
        let (mut sets, mut rows) = (Vec::new(), Vec::new());
        for &(c, squares) in missing.iter().flat_map(|missing| &missing[part]) {
            if seen[c].insert(squares, squares.mix()) {
                if sets.len() % STRIDE == 0
                    && let Some(halt) = watch.halted()
                {
                    return Err(halt);
                }
                sets.push((c, squares));
                rows.extend(generator.bound.row(c, squares));
            }
        }
        Ok((sets, rows))
    };
    let results = watch.on_threads(|| threads::try_map(generators.iter_mut().enumerate(), make))?;
    let bound = &mut generators[0].bound;
    for (sets, rows) in results {
        for ((c, squares), row) in sets.into_iter().zip(rows.chunks_exact(bound.stride)) {
            bound.enter(c, squares, row);
        }
    }
    Ok(())
}

/// The part that squares with this hash belong to; slots of tables are named by other bits.
fn part(hash: u64, parts: usize) -> usize {
    usize::try_from((hash >> 40) % parts as u64).expect("one of the parts")
}
