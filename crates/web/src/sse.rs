//! The events of a job as they come, as server-sent events: progress, steps of the search, and at last its result.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::response::sse::{Event, Sse};
use destrier_ask::Pace;
use futures_util::stream::{self, Stream};
use tokio::sync::watch;

use crate::job::Listener;

/// The time between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(250);

/// When a browser that lost its connection comes again: well within the time a job is left alone.
const RETRY: Duration = Duration::from_millis(500);

/// What one listener has heard, and when to send more.
struct Subscription {
    listener: Listener,
    changes: watch::Receiver<u64>,
    steps: usize,
    pace: Pace,
    next_report: Instant,
    first: bool,
    over: bool,
}

/// The events for one listener, who has heard `steps` steps already.
pub(crate) fn stream(
    listener: Listener,
    steps: usize,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let subscription = Subscription {
        changes: listener.job.events.changes(),
        listener,
        steps,
        pace: Pace::default(),
        next_report: Instant::now(),
        first: true,
        over: false,
    };
    Sse::new(stream::unfold(subscription, |mut subscription| async move {
        let mut event = subscription.next().await?;
        if std::mem::take(&mut subscription.first) {
            event = event.retry(RETRY);
        }
        Some((Ok(event), subscription))
    }))
}

impl Subscription {
    /// The next event; none after the last.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if self.over {
                return None;
            }
            self.changes.borrow_and_update();
            let job = self.listener.job.clone();
            let result = job.result(); // asked for before the steps: all of them are there then
            if let Some((trace, next)) = job.events.steps(self.steps) {
                self.steps = next;
                return Some(
                    Event::default().event("trace").id(next.to_string()).data(trace.to_string()),
                );
            }
            if let Some(result) = result {
                self.over = true;
                return Some(Event::default().event("done").data(&*result));
            }
            let now = Instant::now();
            if now >= self.next_report {
                self.next_report = now + INTERVAL;
                let progress = job.events.progress_json(&mut self.pace);
                return Some(Event::default().event("progress").data(progress.to_string()));
            }
            let wait = self.next_report - now;
            let _ = tokio::time::timeout(wait, self.changes.changed()).await;
        }
    }
}
