//! A connection over which requests are sent, in HTTP/1.1 or HTTP/2.
//!
//! The connection is driven by whoever waits for its answer, on the same task:
//! half the cost of a page would otherwise go into waking tasks. While it is
//! idle nobody drives it, so it is looked at before it is used again.

use super::meter::{Meter, Stream, Wire};
use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper::rt::Executor;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::task::JoinSet;

/// Most bytes of an answer's head. Browsers take a little more, honest servers send a twentieth.
const MAX_HEAD: usize = 64 << 10;

/// What may come before an HTTP/1 answer's head is complete: the head, and as
/// much again in interim answers; the start of the body arrives with it.
const HEAD_ALLOWANCE: u64 = 3 * MAX_HEAD as u64;

/// HTTP/2 sends the body without waiting for us to take the head, up to its window.
const EARLY_ALLOWANCE: u64 = 4 << 20;

type Sent = Empty<Bytes>;
type Io = TokioIo<Wire>;

/// A request as it is sent.
pub(super) type Question = Request<Sent>;

/// One connection to a server or proxy.
pub(super) struct Link {
    speech: Speech,
    meter: Arc<Meter>,
    /// The machine at the other end, unless that is a proxy.
    pub(super) server: Option<IpAddr>,
    /// Whether an exchange has been made over it before.
    pub(super) is_used: bool,
}

/// A connection that has ended is gone, so that nobody waits for it.
enum Speech {
    One {
        sender: http1::SendRequest<Sent>,
        connection: Option<Pin<Box<http1::Connection<Io, Sent>>>>,
    },
    Two {
        sender: http2::SendRequest<Sent>,
        connection: Option<Pin<Box<http2::Connection<Io, Sent, Helpers>>>>,
        _helpers: HelpersEnd,
    },
}

/// What HTTP/2 runs beside the exchange.
#[derive(Clone, Default)]
struct Helpers(Arc<Mutex<JoinSet<()>>>);

/// Ends the helpers with their link, whatever the server does.
struct HelpersEnd(Helpers);

impl Drop for HelpersEnd {
    fn drop(&mut self) {
        self.0.lock().abort_all();
    }
}

impl Helpers {
    fn lock(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for Helpers {
    fn execute(&self, helper: F) {
        let mut helpers = self.lock();
        while helpers.try_join_next().is_some() {}
        helpers.spawn(helper);
    }
}

impl Link {
    /// Speaks HTTP/1.1, forgiving what browsers forgive in headers.
    pub(super) async fn one(stream: Stream, server: Option<IpAddr>) -> hyper::Result<Link> {
        let (io, meter) = metered(stream);
        let (sender, connection) = http1::Builder::new()
            .ignore_invalid_headers_in_responses(true)
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .max_buf_size(MAX_HEAD)
            .handshake(io)
            .await?;
        let speech = Speech::One {
            sender,
            connection: Some(Box::pin(connection)),
        };
        Ok(Link::new(speech, meter, server))
    }

    /// Speaks HTTP/2.
    pub(super) async fn two(stream: Stream, server: Option<IpAddr>) -> hyper::Result<Link> {
        let (io, meter) = metered(stream);
        let helpers = Helpers::default();
        let (sender, connection) = http2::Builder::new(helpers.clone())
            .max_header_list_size(MAX_HEAD as u32)
            .handshake(io)
            .await?;
        let speech = Speech::Two {
            sender,
            connection: Some(Box::pin(connection)),
            _helpers: HelpersEnd(helpers),
        };
        Ok(Link::new(speech, meter, server))
    }

    fn new(speech: Speech, meter: Arc<Meter>, server: Option<IpAddr>) -> Link {
        Link {
            speech,
            meter,
            server,
            is_used: false,
        }
    }

    /// Whether requests are in the form of HTTP/2.
    pub(super) fn is_two(&self) -> bool {
        matches!(self.speech, Speech::Two { .. })
    }

    /// Sends a request and waits for the head of its answer; the body may then
    /// take up to `body_allowance` bytes on the wire.
    pub(super) async fn ask(
        &mut self,
        question: Question,
        body_allowance: u64,
    ) -> hyper::Result<Response<Incoming>> {
        let answered = match &mut self.speech {
            Speech::One { sender, .. } => {
                self.meter.begin(HEAD_ALLOWANCE);
                let answer = sender.send_request(question);
                self.drive(answer).await
            }
            Speech::Two { sender, .. } => {
                self.meter.begin(EARLY_ALLOWANCE);
                let answer = sender.send_request(question);
                self.drive(answer).await
            }
        };
        self.is_used = true;
        self.meter.allow(body_allowance);
        answered
    }

    /// Whether anything was heard since the last request was sent.
    pub(super) fn has_heard(&self) -> bool {
        self.meter.n_read() > 0
    }

    /// Waits for something that comes over this connection.
    pub(super) async fn drive<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|cx| {
            self.speech.poll(cx);
            work.as_mut().poll(cx)
        })
        .await
    }

    /// Whether another request may be sent: the last answer was read to its
    /// end, and the server has not hung up or sent what nobody asked for.
    pub(super) fn is_ready(&mut self) -> bool {
        // The next one to wait registers itself; nobody waits now.
        self.speech.poll(&mut Context::from_waker(Waker::noop()));
        match &self.speech {
            Speech::One { sender, connection } => connection.is_some() && sender.is_ready(),
            Speech::Two {
                sender, connection, ..
            } => connection.is_some() && sender.is_ready(),
        }
    }
}

impl Speech {
    /// Lets the connection do what it can. What becomes of it, the exchange
    /// learns from its own end.
    fn poll(&mut self, cx: &mut Context<'_>) {
        match self {
            Speech::One { connection, .. } => poll_to_end(connection, cx),
            Speech::Two { connection, .. } => poll_to_end(connection, cx),
        }
    }
}

fn poll_to_end<F: Future>(connection: &mut Option<Pin<Box<F>>>, cx: &mut Context<'_>) {
    if let Some(running) = connection
        && let Poll::Ready(_) = running.as_mut().poll(cx)
    {
        *connection = None;
    }
}

fn metered(stream: Stream) -> (Io, Arc<Meter>) {
    let meter = Arc::new(Meter::default());
    meter.begin(EARLY_ALLOWANCE);
    let wire = Wire {
        stream,
        meter: Arc::clone(&meter),
    };
    (TokioIo::new(wire), meter)
}
