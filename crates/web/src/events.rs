//! The events of a job, as they come: progress, steps of the search, and at last what came of it.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::response::sse::{Event, Sse};
use futures_util::stream::{self, Stream};
use tokio::sync::watch;

use crate::desk::{Desk, Listener};

/// The time between two tellings of progress.
const TELLING: Duration = Duration::from_millis(250);

/// Where one listener is.
struct Seat {
    listener: Listener,
    desk: Desk,
    news: watch::Receiver<u64>,
    steps: usize,
    last: Option<(Instant, u64)>,
    next_telling: Instant,
    over: bool,
}

/// The events for one listener, who has heard `steps` steps already.
pub(crate) fn stream(
    desk: Desk,
    listener: Listener,
    steps: usize,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let news = listener.job.live.news();
    let next_telling = Instant::now();
    let seat = Seat { listener, desk, news, steps, last: None, next_telling, over: false };
    Sse::new(stream::unfold(seat, |mut seat| async move {
        let event = seat.next().await?;
        Some((Ok(event), seat))
    }))
}

impl Seat {
    /// The next event; none after the last.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if self.over {
                return None;
            }
            self.news.borrow_and_update();
            let job = self.listener.job.clone();
            let ended = job.is_over(); // asked before the steps: all of them are there then
            if let Some((told, next)) = job.live.steps(self.steps) {
                self.steps = next;
                return Some(
                    Event::default().event("trace").id(next.to_string()).data(told.to_string()),
                );
            }
            if ended {
                self.over = true;
                return Some(Event::default().event("done").data(&*self.desk.standing(&job)));
            }
            let now = Instant::now();
            if now >= self.next_telling {
                self.next_telling = now + TELLING;
                let told = job.live.standing(&mut self.last);
                return Some(Event::default().event("progress").data(told.to_string()));
            }
            let wait = self.next_telling - now;
            let _ = tokio::time::timeout(wait, self.news.changed()).await;
        }
    }
}
