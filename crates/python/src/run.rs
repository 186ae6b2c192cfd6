//! Long work for a caller in Python: on a thread of its own, while the caller's thread waits without the GIL.
//!
//! Python runs signal handlers on the main thread, and only when that thread asks. So the thread that called wakes some
//! times a second, has signals handled, and reports how far the work is. An exception in either (Ctrl-C raises one) cancels
//! the work and is raised once it has ended.
//!
//! Invariant: no work outlives its call.
//! Cost: a thread per call, about 30 µs; the answer is not delayed by the waking.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use destrier::{Cancel, Moment, Options, Progress};
use destrier_ask::{Bounds, Pace, Refusal};
use pyo3::prelude::*;

use crate::error::refused;

/// The time between two looks for signals.
pub(crate) const LOOK: Duration = Duration::from_millis(50);
/// The stack of the work: searches go as deep as the board has squares.
pub(crate) const STACK: usize = 64 << 20;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The options of a run within the bounds of its question; its time starts now.
pub(crate) fn options(bounds: &Bounds, memory: Option<u64>) -> Options {
    let mut options = Options::new().threads(bounds.threads.unwrap_or(0)).seed(bounds.seed);
    if let Some(bytes) = memory {
        options = options.memory(bytes);
    }
    if let Some(nodes) = bounds.nodes {
        options = options.node_limit(nodes);
    }
    match bounds.time.and_then(|time| Moment::now().after(time)) {
        Some(end) => options.deadline(end),
        None => options,
    }
}

/// Works within bounds, can be interrupted, and reports its progress to `progress`.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    bounds: &Bounds,
    memory: Option<u64>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Options) -> T + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
    let latest: Arc<Mutex<Option<Progress>>> = Arc::default();
    let mut options = options(bounds, memory).cancel(&cancel);
    if progress.is_some() {
        let heard = latest.clone();
        options = options.on_progress(move |progress| *lock(&heard) = Some(progress.clone()));
    }
    let (mut pace, began) = (Pace::default(), Moment::now());
    let report = || {
        let Some((listener, now)) = progress.zip(lock(&latest).take()) else { return Ok(()) };
        let report = pace.json(&now, Moment::now().since(began)).to_string();
        listener.call1(py, (report,)).map(drop)
    };
    waiting(py, report, || cancel.now(), move || work(&options))
}

/// Short work that is only asked to stop.
pub(crate) fn stoppable<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Fn() -> bool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let is_stopped = || stop.load(Ordering::Relaxed);
    waiting(py, || Ok(()), || stop.store(true, Ordering::Relaxed), || work(&is_stopped))
}

/// Works on another thread until done, or until a signal or `report` raises an exception.
fn waiting<T: Send>(
    py: Python<'_>,
    mut report: impl FnMut() -> PyResult<()>,
    halt: impl Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let worker =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let _ = sender.send(work()); // the caller may have been interrupted
            })?;
        let ended = loop {
            match py.detach(|| lock(&receiver).recv_timeout(LOOK)) {
                Ok(result) => break Ok(result),
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(refused(py, &Refusal::broken()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(raised) = py.check_signals().and_then(|()| report()) {
                        halt();
                        break Err(raised);
                    }
                }
            }
        };
        // A panic has been reported as a broken run.
        let _ = py.detach(|| worker.join());
        ended
    })
}
