//! The events of a job as they come, as server-sent events: progress, steps of the search, and at last its result.
//!
//! Steps and results are the same bytes for all listeners; nothing is copied for one of them.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use destrier_ask::Pace;
use futures_util::stream;
use tokio::sync::watch;

use crate::job::Listener;

/// The time between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(250);

/// When a browser that lost its connection comes again: well within the time a job is left alone.
const RETRY: &str = "retry: 500\n";

/// What one listener has heard, and when to send more.
struct Subscription {
    listener: Listener,
    changes: watch::Receiver<u64>,
    steps: usize,
    pace: Pace,
    next_report: Instant,
    /// Parts of events that are to be sent before anything else.
    ready: VecDeque<Bytes>,
    over: bool,
}

/// The events for one listener, who has heard `steps` steps already.
pub(crate) fn stream(listener: Listener, steps: usize) -> Response {
    let subscription = Subscription {
        changes: listener.job.events.changes(),
        listener,
        steps,
        pace: Pace::default(),
        next_report: Instant::now(),
        ready: [Bytes::from_static(RETRY.as_bytes())].into(),
        over: false,
    };
    let events = stream::unfold(subscription, |mut subscription| async move {
        let bytes = subscription.next().await?;
        Some((Ok::<_, Infallible>(bytes), subscription))
    });
    let about = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    (about, Body::from_stream(events)).into_response()
}

impl Subscription {
    /// The next bytes; none after the last event.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(bytes) = self.ready.pop_front() {
                return Some(bytes);
            }
            if self.over {
                return None;
            }
            self.changes.borrow_and_update();
            let job = self.listener.job.clone();
            let result = job.result(); // asked for before the steps: all of them are there then
            if let Some(batch) = job.events.batch(self.steps) {
                self.steps = batch.next;
                // A long trace is sent in turns with everything else that the server does.
                tokio::task::yield_now().await;
                return Some(batch.event);
            }
            if let Some(result) = result {
                self.over = true;
                let (head, end) = (&b"event: done\ndata: "[..], &b"\n\n"[..]);
                self.ready.extend([Bytes::from_static(head), result, Bytes::from_static(end)]);
                continue;
            }
            let now = Instant::now();
            if now >= self.next_report {
                self.next_report = now + INTERVAL;
                if let Some(position) = self.listener.queue.position(&job) {
                    return Some(
                        format!("event: queued\ndata: {{\"position\":{position}}}\n\n").into(),
                    );
                }
                let progress = job.events.progress_json(&mut self.pace);
                return Some(format!("event: progress\ndata: {progress}\n\n").into());
            }
            let wait = self.next_report - now;
            let _ = tokio::time::timeout(wait, self.changes.changed()).await;
        }
    }
}
