//! All tours of a question, one after the other, found while they are asked for.
//!
//! A thread lists them into a channel that holds a few batches; when the channel is full it waits, and when the
//! iterator is dropped it ends.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};

use destrier::{Cancel, Halt, Listing, Method as _, Options, SolveError, Tours as _};
use destrier_ask::{Bounds, Refusal, named_all};
use destrier_rules::{Tour, TourProblem};
use pyo3::prelude::*;

use crate::error::{refused, stopped, unsolved};
use crate::route::Route;
use crate::run::{LOOK, STACK, lock, options};
use crate::{bytes, read_tours};

/// Tours in a batch, and batches that wait.
const BATCH: usize = 256;
const WAITING: usize = 4;

#[derive(Debug)]
enum Message {
    Tours(Vec<Tour>),
    Ended(Result<Option<Halt>, SolveError>),
}

/// An iterator over tours.
#[pyclass(frozen, module = "destrier._native")]
#[derive(Debug)]
pub struct Listed {
    problem: TourProblem,
    cancel: Cancel,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    receiver: Receiver<Message>,
    ready: std::vec::IntoIter<Tour>,
    is_over: bool,
}

/// What comes next.
enum Next {
    Tour(Tour),
    Nothing,
    Stopped(Halt),
    Failed(SolveError),
    Broken,
    /// Not there yet.
    Later,
}

impl State {
    fn next(&mut self) -> Next {
        loop {
            if let Some(tour) = self.ready.next() {
                return Next::Tour(tour);
            }
            if self.is_over {
                return Next::Nothing;
            }
            match self.receiver.recv_timeout(LOOK) {
                Ok(Message::Tours(tours)) => self.ready = tours.into_iter(),
                Err(RecvTimeoutError::Timeout) => return Next::Later,
                ended => {
                    self.is_over = true;
                    return match ended {
                        Ok(Message::Ended(Ok(None))) => Next::Nothing,
                        Ok(Message::Ended(Ok(Some(why)))) => Next::Stopped(why),
                        Ok(Message::Ended(Err(error))) => Next::Failed(error),
                        _ => Next::Broken,
                    };
                }
            }
        }
    }
}

/// Lists tours into the channel until all are there, or the receiver is gone.
fn list(problem: &TourProblem, listing: Listing, options: &Options, sender: &SyncSender<Message>) {
    let mut batch = Vec::new();
    // The first tours come at once, later ones by the batch.
    let mut size = 1;
    let found = problem.enumerate(listing, options, &mut |tour: &Tour| {
        batch.push(tour.clone());
        if batch.len() < size {
            return ControlFlow::Continue(());
        }
        size = (2 * size).min(BATCH);
        match sender.send(Message::Tours(std::mem::take(&mut batch))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    let _ = sender.send(Message::Tours(batch));
    // Being asked to stop means that the limit on tours was reached, or that the receiver is gone.
    let ended = found.map(|found| found.outcome.so_far().1.filter(|&why| why != Halt::Asked));
    let _ = sender.send(Message::Ended(ended));
}

#[pymethods]
impl Listed {
    #[new]
    #[pyo3(signature = (question, limit=None, distinct=false, method=None, memory=None))]
    fn new(
        py: Python<'_>,
        question: &str,
        limit: Option<u64>,
        distinct: bool,
        method: Option<&str>,
        memory: Option<&str>,
    ) -> PyResult<Listed> {
        let ((problem, request), memory) = (read_tours(py, question)?, bytes(py, memory)?);
        let mut listing = Listing::all();
        if let Some(name) = method {
            let method = destrier::ListMethod::named(name);
            listing = listing.by(method.map_err(|error| refused(py, &error.into()))?);
        }
        if distinct {
            listing = listing.distinct();
        }
        if let Some(limit) = limit {
            listing = listing.limit(limit);
        }
        let (cancel, bounds): (Cancel, Bounds) = (Cancel::new(), request.bounds);
        let (sender, receiver) = sync_channel(WAITING);
        let (asked, handle) = (problem.clone(), cancel.clone());
        std::thread::Builder::new().stack_size(STACK).spawn(move || {
            list(&asked, listing, &options(&bounds, memory).cancel(&handle), &sender);
        })?;
        let state = Mutex::new(State { receiver, ready: Vec::new().into_iter(), is_over: false });
        Ok(Listed { problem, cancel, state })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Route>> {
        loop {
            let what = || named_all(&self.problem).to_string();
            match py.detach(|| lock(&self.state).next()) {
                Next::Tour(tour) => {
                    return Route::checked(py, &self.problem, tour, "enumerate").map(Some);
                }
                Next::Nothing => return Ok(None),
                Next::Stopped(why) => return Err(stopped(py, &what(), why)),
                Next::Failed(error) => return Err(unsolved(py, &what(), error)),
                Next::Broken => return Err(refused(py, &Refusal::broken())),
                Next::Later => py.check_signals()?,
            }
        }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.cancel.now();
    }
}
