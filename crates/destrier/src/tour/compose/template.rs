//! Small blocks with a tour each, kept by size.
//!
//! A template is a tour of one block between two squares, found by search when first asked for. The common kind
//! hangs under a corner of its parent: it runs from (0, 2) to (0, 1), and where its own lower left corner lies it
//! is sure to use the edge (h-1, 0)-(h-2, 2), because a corner that is no end uses both its moves. There the next
//! block hangs in the same way.
//!
//! Invariant: in a hanging template the corner comes before the other square of that edge.
//! Cost: one search for each size, at most 13×13 squares; `Templates` lives as long as one plan.
//! Source: Schwenk (1991) extends boards at a forced corner.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::search::{Block, Vertex};
use crate::run::random::Random;

/// Row and column inside a block.
pub(crate) type RowColumn = (u32, u32);

/// A tour of a block of at most 15 × 15 squares, or of a longer strip in a plain table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// (row, column) of each step.
    pub(crate) path: Vec<(u8, u8)>,
    /// The step on each square, row by row.
    steps: Vec<u16>,
}

impl Template {
    pub(crate) fn new(block: &Block, tour: &[Vertex]) -> Template {
        let mut steps = vec![0; block.len()];
        let mut path = Vec::with_capacity(tour.len());
        for (i, &vertex) in tour.iter().enumerate() {
            steps[usize::from(vertex)] = i as u16;
            let (row, column) = block.row_column(vertex);
            path.push((row as u8, column as u8));
        }
        Template { width: block.width(), height: block.height(), path, steps }
    }

    pub(crate) fn len(&self) -> u64 {
        self.path.len() as u64
    }

    /// The step on a square of the block.
    pub(crate) fn step(&self, (row, column): RowColumn) -> u64 {
        u64::from(self.steps[(row * self.width + column) as usize])
    }

    /// The same tour with rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Template {
        let block = Block::new(self.height, self.width);
        let path: Vec<Vertex> =
            self.path.iter().map(|&(r, c)| block.vertex(c.into(), r.into())).collect();
        Template::new(&block, &path)
    }
}

/// The templates of one plan: each size is searched for once.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    hanging: BTreeMap<(u32, u32, Role), Arc<Template>>,
}

/// Does another block hang under this one in turn?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Link,
    Last,
}

/// Fresh starts before a search gives up. Many short ones beat few long ones: on 3×12, a limit of 100 rotations
/// takes a thirtieth of the work that a limit of 4000 takes.
const STARTS: u64 = 4_000;

impl Templates {
    /// The block that hangs under a corner: (0, 2) to (0, 1). A link has its lower left corner before (h-2, 2).
    pub(crate) fn hanging(&mut self, width: u32, height: u32, role: Role) -> Option<Arc<Template>> {
        if let Some(known) = self.hanging.get(&(width, height, role)) {
            return Some(Arc::clone(known));
        }
        let block = Block::new(width, height);
        let corner = block.vertex(height - 1, 0);
        let other = block.vertex(height - 2, 2);
        let in_order = |path: &[Vertex]| {
            role == Role::Last || path.iter().find(|&&c| c == corner || c == other) == Some(&corner)
        };
        let path = between(&block, (0, 2), (0, 1), in_order)?;
        let made = Arc::new(Template::new(&block, &path));
        self.hanging.insert((width, height, role), Arc::clone(&made));
        Some(made)
    }

    /// The same, hung on the right of its parent instead of below: (2, 0) to (1, 0).
    pub(crate) fn chained(&mut self, width: u32, height: u32, role: Role) -> Option<Arc<Template>> {
        self.hanging(height, width, role).map(|t| Arc::new(t.transposed()))
    }
}

/// A tour of a block between two squares, as far as searching for a while finds one.
pub(crate) fn template(
    width: u32,
    height: u32,
    from: RowColumn,
    to: RowColumn,
) -> Option<Template> {
    let block = Block::new(width, height);
    between(&block, from, to, |_| true).map(|path| Template::new(&block, &path))
}

/// A tour of any block between two squares that `wanted` accepts, likewise.
pub(crate) fn between(
    block: &Block,
    from: RowColumn,
    to: RowColumn,
    wanted: impl Fn(&[Vertex]) -> bool,
) -> Option<Vec<Vertex>> {
    let (from, to) = (block.vertex(from.0, from.1), block.vertex(to.0, to.1));
    if block.len() < 30 {
        return exhaustive(block, from, to, wanted);
    }
    let rotations = 2 * block.len() as u32 + 40;
    (0..STARTS)
        .find_map(|seed| {
            let mut random = Random::new(seed);
            if seed % 2 == 0 {
                return block.rotate(from, to, &mut random, rotations, &wanted);
            }
            // Some ends are easier to leave than to reach.
            let mut path = block.rotate(to, from, &mut random, rotations, |_| true)?;
            path.reverse();
            wanted(&path).then_some(path)
        })
        .or_else(|| exhaustive(block, from, to, wanted))
}

/// On narrow blocks tours are few, and trying everything is quick.
fn exhaustive(
    block: &Block,
    from: Vertex,
    to: Vertex,
    wanted: impl Fn(&[Vertex]) -> bool,
) -> Option<Vec<Vertex>> {
    const ENOUGH: u32 = 5_000_000;
    let mut left = ENOUGH;
    let mut tick = || {
        left -= 1;
        if left == 0 { Err(()) } else { Ok(()) }
    };
    block.exhaust(from, to, wanted, &mut tick).ok()?.path
}
