//! Room for long requests and long answers: so many bytes of each at a time, whoever sends or reads them.
//!
//! A request is held while it is read and worked on, an answer until its client has read it. A client that sends or reads slowly
//! keeps others waiting who have long ones, but not those with short ones, and takes no more memory than this.
//!
//! Invariant: the long requests in memory have no more than [`MOST_BYTES`] in all, and so have the long answers.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{FromRequest as _, Request};
use axum::http::{StatusCode, header};
use axum::response::Response;
use destrier_ask::{Refusal, RefusalKind};
use futures_util::Stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Bytes of long requests, and of long answers.
const MOST_BYTES: usize = 64 << 20;
/// What is no longer than this needs no room.
const SHORT: usize = 1 << 16;
/// How long a client may take to send a request, and how long one is kept waiting for room.
const PATIENCE: Duration = Duration::from_secs(30);

/// The room that is left; clones share it.
#[derive(Clone)]
pub(crate) struct Room {
    requests: Arc<Semaphore>,
    answers: Arc<Semaphore>,
    patience: Duration,
}

/// A place in the room, given back when it is dropped.
pub(crate) type Place = Option<OwnedSemaphorePermit>;

impl Room {
    pub(crate) fn new() -> Room {
        Room::of(MOST_BYTES, PATIENCE)
    }

    fn of(bytes: usize, patience: Duration) -> Room {
        let room = || Arc::new(Semaphore::new(bytes));
        Room { requests: room(), answers: room(), patience }
    }

    /// Reads the body of a request, which has at most `most` bytes; it is held as long as its place.
    pub(crate) async fn body(
        &self,
        request: Request,
        most: usize,
    ) -> Result<(Bytes, Place), Refusal> {
        // One whose length is not stated may have the greatest.
        let length = request.body().size_hint().upper();
        let length = length.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(most).min(most);
        let read = async {
            let place = place(&self.requests, length).await?;
            let body = Bytes::from_request(request, &()).await.map_err(|rejection| {
                if rejection.status() != StatusCode::PAYLOAD_TOO_LARGE {
                    return Refusal::malformed(rejection.body_text());
                }
                let why = format!("a request has at most {most} bytes here");
                Refusal::new(RefusalKind::TooLarge, why)
            })?;
            Ok((body, place))
        };
        timeout(self.patience, read).await.map_err(|_| no_room())?
    }

    /// A response whose body is held as long as its client has not read all of it.
    pub(crate) async fn answer(&self, response: Response) -> Result<Response, Refusal> {
        let length =
            response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
        let place = place(&self.answers, length.unwrap_or(0));
        let Some(place) = timeout(self.patience, place).await.map_err(|_| no_room())?? else {
            return Ok(response);
        };
        let (mut head, body) = response.into_parts();
        if let Some(length) = length {
            head.headers.insert(header::CONTENT_LENGTH, length.into());
        }
        let body = Body::from_stream(Held { body: body.into_data_stream(), _place: place });
        Ok(Response::from_parts(head, body))
    }
}

/// A place for something of this length, once there is one.
async fn place(room: &Arc<Semaphore>, length: usize) -> Result<Place, Refusal> {
    if length <= SHORT {
        return Ok(None);
    }
    let bytes = u32::try_from(length.min(MOST_BYTES)).unwrap_or(u32::MAX);
    let place = room.clone().acquire_many_owned(bytes).await;
    place.map(Some).map_err(|_| Refusal::broken())
}

fn no_room() -> Refusal {
    let why = "others are using the room for long requests and answers; ask again later";
    Refusal::new(RefusalKind::Unavailable, why)
}

/// A body with its place.
struct Held {
    body: axum::body::BodyDataStream,
    _place: OwnedSemaphorePermit,
}

impl Stream for Held {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: usize = SHORT + 1;

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(test);
    }

    fn request(bytes: usize) -> Request {
        Request::new(vec![b' '; bytes].into())
    }

    #[test]
    fn a_long_request_waits_until_there_is_room() {
        run(async {
            let room = Room::of(LONG, Duration::from_millis(20));
            let (body, place) = room.body(request(LONG), 1 << 20).await.expect("there is room");
            assert_eq!((body.len(), place.is_some()), (LONG, true));
            let refusal = room.body(request(LONG), 1 << 20).await.expect_err("there is none");
            assert_eq!(refusal.kind(), RefusalKind::Unavailable);
            let (_, none) = room.body(request(SHORT), 1 << 20).await.expect("it needs none");
            assert!(none.is_none());
            drop(place);
            assert!(room.body(request(LONG), 1 << 20).await.is_ok());
        });
    }

    #[test]
    fn a_request_of_unknown_length_takes_as_much_as_any() {
        run(async {
            let room = Room::of(LONG, Duration::from_millis(20));
            let pieces = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from("[]"))]);
            let unknown = Request::new(Body::from_stream(pieces));
            let (body, place) = room.body(unknown, LONG).await.expect("there is room");
            assert_eq!((&body[..], place.is_some()), (&b"[]"[..], true));
            assert!(room.body(request(LONG), LONG).await.is_err());
        });
    }

    #[test]
    fn an_answer_keeps_its_place_until_it_is_read() {
        run(async {
            let room = Room::of(LONG, Duration::from_millis(20));
            let long = || Response::new(Body::from(vec![b'x'; LONG]));
            let first = room.answer(long()).await.expect("there is room");
            assert_eq!(first.headers()[header::CONTENT_LENGTH], LONG.to_string());
            assert!(room.answer(long()).await.is_err());
            assert!(room.answer(Response::new(Body::from("short"))).await.is_ok());
            let read = axum::body::to_bytes(first.into_body(), LONG).await.expect("all of it");
            assert_eq!(read.len(), LONG);
            assert!(room.answer(long()).await.is_ok());
        });
    }
}
