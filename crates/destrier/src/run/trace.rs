//! Watching a search move by move: every visit and every retreat, or every position, as it happens.
//!
//! A walk is reported by its steps forwards and backwards. A search of positions jumps about in its tree: each position
//! says from which one it came, and by which move.
//!
//! A search is written once, for any listener. Without a listener it costs nothing, because the
//! silent listener is a type of its own and its calls vanish when the search is compiled for it.
//! The other listener writes one line of JSON for each event, for teaching and for the page.
//!
//! Invariant: a `retreat` undoes the latest `visit` of the same walker that has not been undone; a position that is looked at came from one
//! that was looked at before.
//! Cost: none when silent; a line of about 40 bytes an event otherwise.

use std::io::{self, Write};
use std::ops::ControlFlow;

use destrier_rules::{Move, Square};

use super::watch::Halt;

/// What a search of positions does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// It looks at the start, which has the number 0.
    Start,
    /// It looks at the position with this number.
    At {
        /// Its number.
        number: usize,
        /// The number of the position that it came from.
        from: usize,
        /// The move; of a run the first square and the last.
        step: Move,
    },
    /// The position looked at last leads to no new one.
    DeadEnd,
    /// The position looked at last is the goal.
    Found,
}

/// A listener who breaks off ends the search.
pub(crate) fn heard(flow: ControlFlow<()>) -> Option<Halt> {
    flow.is_break().then_some(Halt::Asked)
}

/// Receives each step of a search. Breaking off ends the search.
pub trait Tracer {
    /// Is anybody there? What is computed only to be reported is left out otherwise.
    const LISTENS: bool = true;

    /// What follows is done by this one, from 0, of several that walk at the same time.
    fn turn(&mut self, walker: usize) -> ControlFlow<()>;
    /// A walk begins anew; `attempt` counts from 1.
    fn begin(&mut self, attempt: u64) -> ControlFlow<()>;
    /// The knight goes to a square, which becomes step `step` (from 1).
    fn visit(&mut self, step: usize, square: Square) -> ControlFlow<()>;
    /// The knight takes step `step` back.
    fn retreat(&mut self, step: usize, square: Square) -> ControlFlow<()>;
    /// The walk of `steps` squares is a tour, or takes all pieces.
    fn found(&mut self, steps: usize) -> ControlFlow<()>;
    /// A search of positions looks at one, or says what it is.
    fn look(&mut self, look: Look) -> ControlFlow<()>;
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Tracer for Silent {
    const LISTENS: bool = false;

    #[inline]
    fn turn(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    #[inline]
    fn begin(&mut self, _: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    #[inline]
    fn visit(&mut self, _: usize, _: Square) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    #[inline]
    fn retreat(&mut self, _: usize, _: Square) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    #[inline]
    fn found(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    #[inline]
    fn look(&mut self, _: Look) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Writes each event as one line of JSON.
///
/// ```
/// use destrier::Square;
/// use destrier::trace::{JsonLines, Tracer};
///
/// let mut lines = JsonLines::new(Vec::new());
/// let _ = lines.visit(1, Square::new(0, 0));
/// let _ = lines.retreat(1, Square::new(0, 0));
/// let text = String::from_utf8(lines.finish()?)?;
/// assert_eq!(text.lines().next(), Some(r#"{"event":"visit","step":1,"square":"a1"}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JsonLines<W: Write> {
    out: W,
    fault: Option<io::Error>,
}

impl<W: Write> JsonLines<W> {
    /// Writes to `out`, which is best buffered.
    pub const fn new(out: W) -> JsonLines<W> {
        JsonLines { out, fault: None }
    }

    /// Flushes, and gives the writer back.
    ///
    /// # Errors
    /// The first error met in writing, which also ended the search.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn note(&mut self, written: io::Result<()>) -> ControlFlow<()> {
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => {
                self.fault.get_or_insert(fault);
                ControlFlow::Break(())
            }
        }
    }
}

impl<W: Write> Tracer for JsonLines<W> {
    fn turn(&mut self, walker: usize) -> ControlFlow<()> {
        let written = writeln!(self.out, r#"{{"event":"turn","walker":{walker}}}"#);
        self.note(written)
    }

    fn begin(&mut self, attempt: u64) -> ControlFlow<()> {
        let written = writeln!(self.out, r#"{{"event":"begin","attempt":{attempt}}}"#);
        self.note(written)
    }

    fn visit(&mut self, step: usize, square: Square) -> ControlFlow<()> {
        let written =
            writeln!(self.out, r#"{{"event":"visit","step":{step},"square":"{square}"}}"#);
        self.note(written)
    }

    fn retreat(&mut self, step: usize, square: Square) -> ControlFlow<()> {
        let written =
            writeln!(self.out, r#"{{"event":"retreat","step":{step},"square":"{square}"}}"#);
        self.note(written)
    }

    fn found(&mut self, steps: usize) -> ControlFlow<()> {
        let written = writeln!(self.out, r#"{{"event":"found","steps":{steps}}}"#);
        self.note(written)
    }

    fn look(&mut self, look: Look) -> ControlFlow<()> {
        let written = match look {
            Look::Start => writeln!(self.out, r#"{{"event":"look","position":0}}"#),
            Look::At { number, from, step } => writeln!(
                self.out,
                r#"{{"event":"look","position":{number},"from":{from},"move":"{step}"}}"#
            ),
            Look::DeadEnd => writeln!(self.out, r#"{{"event":"dead-end"}}"#),
            Look::Found => writeln!(self.out, r#"{{"event":"found"}}"#),
        };
        self.note(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_writer_that_fails_ends_the_search_and_is_reported() {
        let mut lines = JsonLines::new(Full);
        assert!(lines.begin(1).is_break());
        assert_eq!(lines.finish().err().unwrap().to_string(), "full");
    }
}
