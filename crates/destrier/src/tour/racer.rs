//! Several threads after one answer: the first that has it stops the others.
//!
//! Each racer runs the same question in its own way: from another first move, with another seed. It ends
//! with an answer, with nothing, or by a halt. An answer calls the other racers off, without touching
//! the watch that the user holds.
//!
//! Invariant: an answer of any racer is returned, also when another was halted.
//! Cost: one relaxed load per tick.
//! Source: algorithm portfolios, Gomes and Selman (2001).

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::run::clock::Moment;
use crate::run::threads;
use crate::run::watch::{Halt, Ticker, Watch};

/// A thread's own ticker, whether another thread has the answer, and when its own time is up.
#[derive(Debug)]
pub(crate) struct Racer<'w> {
    ticker: Ticker<'w>,
    over: Option<&'w AtomicBool>,
    until: Option<Moment>,
    /// Ticks to the next look at the clock, where there is a time of its own.
    look: u32,
}

/// Ticks between two looks at the clock.
const STRIDE: u32 = 256;

impl<'w> Racer<'w> {
    /// A racer alone.
    pub(crate) fn alone(watch: &'w Watch) -> Racer<'w> {
        Racer { ticker: watch.ticker(), over: None, until: None, look: 0 }
    }

    /// The same with a time of its own, from now on; when that is up, the racer gives up.
    pub(crate) fn limit(&mut self, time: Option<Duration>) {
        self.until = time.and_then(|time| Moment::now().after(time));
    }

    /// One node more.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Halt> {
        if self.over.is_some_and(|over| over.load(Ordering::Relaxed)) {
            return Err(Halt::Asked);
        }
        if let Some(until) = self.until {
            if self.look == 0 && Moment::now() >= until {
                return Err(Halt::GaveUp);
            }
            self.look = (self.look + 1) % STRIDE;
        }
        self.ticker.tick()
    }
}

/// Runs the racers until one has an answer. `None` when all ended with nothing.
///
/// # Errors
/// When no racer has an answer and one was halted.
pub(crate) fn first_of<T: Send>(
    watch: &Watch,
    racers: usize,
    run: impl Fn(usize, &mut Racer) -> Result<Option<T>, Halt> + Sync,
) -> Result<Option<T>, Halt> {
    if racers == 1 {
        return run(0, &mut Racer::alone(watch));
    }
    let over = AtomicBool::new(false);
    let answer = Mutex::new(None);
    let stopped = Mutex::new(None);
    let race = |number| {
        let mut racer = Racer { over: Some(&over), ..Racer::alone(watch) };
        match run(number, &mut racer) {
            Ok(Some(found)) => {
                if let Ok(mut answer) = answer.lock() {
                    answer.get_or_insert(found);
                }
                over.store(true, Ordering::Relaxed);
            }
            Ok(None) => {}
            Err(halt) => {
                if let Ok(mut stopped) = stopped.lock() {
                    stopped.get_or_insert(halt);
                }
            }
        }
    };
    // A thread for each racer: one that waited for another to end might wait for ever.
    threads::within(racers, || threads::each(0..racers, race));
    let answer = answer.into_inner().unwrap_or_default();
    match stopped.into_inner().unwrap_or_default() {
        Some(halt) if answer.is_none() => Err(halt),
        _ => Ok(answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_calls_the_endless_racers_off() {
        let answer = first_of(&Watch::unlimited(), 4, |number, racer| {
            loop {
                racer.tick()?;
                if number == 2 {
                    return Ok(Some(number));
                }
            }
        });
        assert_eq!(answer, Ok(Some(2)));
    }

    #[test]
    fn a_racer_whose_own_time_is_up_gives_up_and_leaves_the_others() {
        let answer = first_of(&Watch::unlimited(), 2, |number, racer| {
            if number == 0 {
                racer.limit(Some(Duration::ZERO));
                return loop {
                    if let Err(halt) = racer.tick() {
                        assert_eq!(halt, Halt::GaveUp);
                        break Ok(None);
                    }
                };
            }
            for _ in 0..10_000 {
                racer.tick()?;
            }
            Ok(Some(number))
        });
        assert_eq!(answer, Ok(Some(1)));
    }

    #[test]
    fn a_halt_without_an_answer_is_a_halt_and_none_is_none() {
        let endless = |_: usize, racer: &mut Racer| -> Result<Option<()>, Halt> {
            loop {
                racer.tick()?;
            }
        };
        assert_eq!(first_of(&Watch::halting_at(10), 3, endless), Err(Halt::Nodes));
        assert_eq!(first_of(&Watch::unlimited(), 3, |_, _| Ok(None::<()>)), Ok(None));
    }
}
