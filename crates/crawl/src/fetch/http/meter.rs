//! The socket under a connection: plain or encrypted, and counted.
//!
//! The HTTP layer bounds what it hands out, not what it swallows: interim
//! answers, chunk extensions, trailers and HTTP/2 control frames could go on
//! for ever. So every byte that comes in during an exchange is counted here,
//! and beyond an allowance reading fails.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// What has come in during the exchange under way, and how much may.
#[derive(Debug, Default)]
pub(super) struct Meter {
    n_read: AtomicU64,
    allowance: AtomicU64,
}

/// A server sent far more than its answer.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("too much around the answer")]
pub(super) struct Excess;

impl Meter {
    /// Starts counting anew.
    pub(super) fn begin(&self, allowance: u64) {
        self.n_read.store(0, Ordering::Relaxed);
        self.allowance.store(allowance, Ordering::Relaxed);
    }

    /// Grants more, counted from now.
    pub(super) fn allow(&self, more: u64) {
        let allowance = self.n_read().saturating_add(more);
        self.allowance.store(allowance, Ordering::Relaxed);
    }

    /// Bytes read since `begin`.
    pub(super) fn n_read(&self) -> u64 {
        self.n_read.load(Ordering::Relaxed)
    }

    fn count(&self, n: usize) -> io::Result<()> {
        let n_read = self.n_read.fetch_add(n as u64, Ordering::Relaxed) + n as u64;
        if n_read > self.allowance.load(Ordering::Relaxed) {
            return Err(io::Error::other(Excess));
        }
        Ok(())
    }
}

/// A socket with its meter.
pub(super) struct Wire {
    pub(super) stream: Stream,
    pub(super) meter: Arc<Meter>,
}

/// What bytes go through.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Stream::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        };
        match polled {
            Poll::Ready(Ok(())) => Poll::Ready(self.meter.count(buf.filled().len() - before)),
            other => other,
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Stream::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_beyond_the_allowance_is_an_error() {
        let meter = Meter::default();
        meter.begin(10);
        assert!(meter.count(10).is_ok());
        assert!(meter.count(1).is_err());
        meter.begin(10);
        assert!(meter.count(9).is_ok());
        meter.allow(5);
        assert!(meter.count(5).is_ok());
        assert_eq!(meter.n_read(), 14);
        assert!(meter.count(1).is_err());
    }
}
