//! Follows the trace of a search that walks, and objects to any event that does not fit.

use std::collections::HashMap;
use std::ops::ControlFlow;

use destrier::Square;
use destrier::trace::{Look, Tracer};

/// What was heard so far; after `enough` events it asks to stop.
#[derive(Default)]
pub(crate) struct Follower {
    pub(crate) path: Vec<Square>,
    /// The path when something was last found.
    pub(crate) found: Vec<Square>,
    pub(crate) visits: u64,
    pub(crate) retreats: u64,
    pub(crate) events: u64,
    pub(crate) enough: Option<u64>,
    /// Whose turn it is, and the paths of the others.
    pub(crate) walker: usize,
    pub(crate) others: HashMap<usize, Vec<Square>>,
    /// The ways to the positions that were looked at.
    pub(crate) looks: HashMap<usize, Vec<Square>>,
}

impl Follower {
    fn heard(&mut self) -> ControlFlow<()> {
        self.events += 1;
        if self.enough == Some(self.events) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Tracer for Follower {
    fn turn(&mut self, walker: usize) -> ControlFlow<()> {
        let path = std::mem::take(&mut self.path);
        self.others.insert(self.walker, path);
        self.walker = walker;
        self.path = self.others.remove(&walker).unwrap_or_default();
        ControlFlow::Continue(())
    }

    fn begin(&mut self, _: u64) -> ControlFlow<()> {
        self.path.clear();
        self.heard()
    }

    fn visit(&mut self, step: usize, square: Square) -> ControlFlow<()> {
        self.path.push(square);
        self.visits += 1;
        assert_eq!(step, self.path.len());
        self.heard()
    }

    fn retreat(&mut self, step: usize, square: Square) -> ControlFlow<()> {
        assert_eq!(step, self.path.len());
        assert_eq!(self.path.pop(), Some(square));
        self.retreats += 1;
        self.heard()
    }

    fn found(&mut self, steps: usize) -> ControlFlow<()> {
        assert_eq!(steps, self.path.len());
        self.found.clone_from(&self.path);
        self.heard()
    }

    fn look(&mut self, look: Look) -> ControlFlow<()> {
        match look {
            Look::Start => drop(self.looks.insert(0, self.path.clone())),
            Look::At { number, from, step } => {
                let mut path = self.looks.get(&from).expect("it was looked at").clone();
                assert!(path.last().is_none_or(|&last| last == step.from));
                path.push(step.to);
                self.path.clone_from(&path);
                assert_eq!(self.looks.insert(number, path), None, "each position once");
            }
            Look::DeadEnd => {}
            Look::Found => self.found.clone_from(&self.path),
        }
        self.visits += u64::from(!matches!(look, Look::DeadEnd | Look::Found));
        self.heard()
    }
}
