//! Room for answers on their way: those who ask and do not read cannot fill
//! the memory.
//!
//! Small answers need none, there are only so many connections. What is larger
//! takes its size until the last piece of it is on the wire.

use super::failure::Failure;
use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of all large answers together.
const ROOM: usize = 64 << 20;

/// Bytes of an answer that takes no room.
const SMALL: usize = 256 << 10;

/// Bytes of one answer.
const MOST: usize = 32 << 20;

/// Bytes handed on at once.
const PIECE: usize = 64 << 10;

/// What is left of the room.
#[derive(Clone)]
pub(super) struct Room(Arc<Semaphore>);

impl Room {
    pub(super) fn new() -> Room {
        Room(Arc::new(Semaphore::new(ROOM)))
    }

    /// Sends an answer in pieces, or says why it cannot be sent.
    pub(super) fn send(&self, answer: Bytes) -> Result<Body, Failure> {
        let n_bytes = answer.len();
        if n_bytes <= SMALL {
            return Ok(Body::from(answer));
        }
        if n_bytes > MOST {
            return Err(Failure::too_large(n_bytes));
        }
        let room = u32::try_from(n_bytes).map_err(|_| Failure::too_large(n_bytes))?;
        let room = self.0.clone().try_acquire_many_owned(room);
        Ok(Body::new(Pieces {
            rest: answer,
            _room: room.map_err(|_| Failure::busy())?,
        }))
    }
}

/// The rest of an answer, and the room it takes.
struct Pieces {
    rest: Bytes,
    _room: OwnedSemaphorePermit,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let n_bytes = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(n_bytes);
        Poll::Ready((n_bytes > 0).then(|| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    #[test]
    fn what_is_not_taken_leaves_no_room_for_more() {
        let room = Room::new();
        let large = Bytes::from(vec![0; MOST]);
        let held: Vec<Body> = (0..ROOM / MOST)
            .map(|_| room.send(large.clone()).unwrap())
            .collect();
        let refused = room.send(large.clone()).unwrap_err();
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(room.send(Bytes::from(vec![0; SMALL])).is_ok());
        drop(held);
        assert!(room.send(large).is_ok());
        let refused = room.send(Bytes::from(vec![0; MOST + 1])).unwrap_err();
        assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    }
}
